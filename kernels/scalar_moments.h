/* Sums over a periodic box for moments of a scalar and of its gradient. docs/statistics.md.
 *
 * Each term is computed at the place of the staggered grid where its factors meet, and it is multiplied by
 * the volume that belongs to that place, as in moments.h. */
#ifndef KOL_SCALAR_MOMENTS_H
#define KOL_SCALAR_MOMENTS_H

#include "base/status.h"

KOL_BEGIN_C

/* The sums. They form two groups; a call computes one group. T is the scalar. dT/dx is the difference of two
 * neighbouring cells over the distance of their centres, at the face between them. Values between points are
 * half-half means. */
enum {
    THETA_MOMENT_T, /* powers, at ccc */
    THETA_MOMENT_TT,
    THETA_MOMENT_TTT,
    THETA_MOMENT_TTTT,
    THETA_MOMENT_FLUX,                               /* T times u, v, w, the mean of both faces of the cell */
    THETA_MOMENT_GRADIENT_2 = THETA_MOMENT_FLUX + 3, /* (dT/dx)^2, ... at the faces */
    THETA_MOMENT_FIRST = THETA_MOMENT_GRADIENT_2 + 3,
    THETA_MOMENT_GRADIENT_3 = THETA_MOMENT_FIRST,
    THETA_MOMENT_GRADIENT_4 = THETA_MOMENT_GRADIENT_3 + 3,
    THETA_MOMENT_MIXED =
        THETA_MOMENT_GRADIENT_4 + 3, /* du/dx times the mean of (dT/dx)^2 on both faces, ... */
    THETA_MOMENT_COUNT = THETA_MOMENT_MIXED + 3
};
enum { THETA_MOMENT_GROUPS = 2, THETA_MOMENT_MOST = THETA_MOMENT_FIRST };

/* scalar_moments_first, scalar_moments_count: return the first sum of a group, and the number of its sums.
 *
 * scalar_moments_sum: computes the sums of a group over the own cells and leaves them for sums.h. vel: own
 * points and those on the high faces. theta: one halo layer, faces. Per cell: 4 reads. */
HD int scalar_moments_first(int group)
{
    return group == 0 ? 0 : (int)THETA_MOMENT_FIRST;
}

HD int scalar_moments_count(int group)
{
    return group == 0 ? (int)THETA_MOMENT_FIRST : (int)THETA_MOMENT_COUNT - (int)THETA_MOMENT_FIRST;
}
kol_status scalar_moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                              const real *theta);

KOL_END_C

#endif
