/* Sums over a box whose three directions are periodic: moments of velocity, pressure, velocity gradients and
 * vorticity. Each term is taken where its factors meet on the staggered grid, with the volume that belongs to
 * it there. docs/statistics.md. */
#ifndef KOL_MOMENTS_H
#define KOL_MOMENTS_H

#include "base/status.h"

KOL_BEGIN_C

/* The sums, in groups of MOMENT_GROUP, one group a call. Powers are of point values; d: difference over
 * distance. */
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
    MOMENT_HELICITY, /* u.omega, both brought to the centre half and half */
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

/* moments_count: sums of a group. moments_sum: those of group `group`, over the own cells, as sums for
 * sums.h: term times volume. vel: at fcc, cfc, ccf, one halo layer with edges; p: at ccc, own cells. Per
 * cell: 3 reads, 4 in the groups that have pressure. */
HD int moments_count(int group)
{
    return group < MOMENT_GROUPS - 1 ? (int)MOMENT_GROUP
                                     : (int)MOMENT_COUNT - (MOMENT_GROUPS - 1) * (int)MOMENT_GROUP;
}
kol_status moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                       const real *p);

KOL_END_C

#endif
