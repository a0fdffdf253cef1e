/* Sums over a periodic box, for moments of velocity, pressure, velocity gradients and vorticity.
 * docs/statistics.md.
 *
 * Each term is computed at the place of the staggered grid where its factors meet, and it is multiplied by
 * the volume that belongs to that place. */
#ifndef KOL_MOMENTS_H
#define KOL_MOMENTS_H

#include "base/status.h"

KOL_BEGIN_C

/* The sums, in groups of MOMENT_GROUP. A call computes one group. Powers are powers of point values. d is a
 * difference divided by a distance. */
enum {
    /* velocity, at fcc, cfc, ccf */
    MOMENT_U,
    MOMENT_V,
    MOMENT_W,
    MOMENT_UU,
    MOMENT_VV,
    MOMENT_WW,
    MOMENT_UUU,
    MOMENT_VVV,
    MOMENT_WWW,
    MOMENT_UUUU,
    MOMENT_VVVV,
    MOMENT_WWWW,
    /* at ccc: du/dx, dv/dy, dw/dz to the second, third, fourth power; pressure; helicity */
    MOMENT_ALONG_2,
    MOMENT_ALONG_3 = MOMENT_ALONG_2 + 3,
    MOMENT_ALONG_4 = MOMENT_ALONG_3 + 3,
    MOMENT_P = MOMENT_ALONG_4 + 3,
    MOMENT_PP,
    MOMENT_HELICITY, /* u.omega, both averaged half and half to the centre */
    /* on edges: (du/dy)^2, (du/dz)^2, (dv/dx)^2, (dv/dz)^2, (dw/dx)^2, (dw/dy)^2; their third and fourth
     * powers, both of a component added up */
    MOMENT_ACROSS_2,
    MOMENT_ACROSS_3 = MOMENT_ACROSS_2 + 6,
    MOMENT_ACROSS_4 = MOMENT_ACROSS_3 + 3,
    /* on edges: vorticity along x, y, z to the second and fourth power; u v, u w, v w, each interpolated half
     * and half; at ccc: pressure to the third and fourth power */
    MOMENT_OMEGA_2 = MOMENT_ACROSS_4 + 3,
    MOMENT_OMEGA_4 = MOMENT_OMEGA_2 + 3,
    MOMENT_UV = MOMENT_OMEGA_4 + 3,
    MOMENT_UW,
    MOMENT_VW,
    MOMENT_PPP,
    MOMENT_PPPP,
    MOMENT_COUNT
};
enum { MOMENT_GROUP = 12, MOMENT_GROUPS = (MOMENT_COUNT + MOMENT_GROUP - 1) / MOMENT_GROUP };

/* moments_count: returns the number of sums in a group.
 *
 * moments_sum: computes the sums of group `group` and leaves them for sums.h. Each is the sum of term times
 * volume over the own cells. vel: at fcc, cfc, ccf, one halo layer with edges. p: at ccc, own cells. Per
 * cell: 3 reads, or 4 in groups that need the pressure. */
HD int moments_count(int group)
{
    return group < MOMENT_GROUPS - 1 ? (int)MOMENT_GROUP
                                     : (int)MOMENT_COUNT - (MOMENT_GROUPS - 1) * (int)MOMENT_GROUP;
}
kol_status moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                       const real *p);

KOL_END_C

#endif
