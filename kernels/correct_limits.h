/* The correction of a stage which also sums the limits of the corrected velocity: the last one of a step, and
 * those before a force that follows the velocity's energy. */
#ifndef KOL_CORRECT_LIMITS_H
#define KOL_CORRECT_LIMITS_H

#include "level_cg.h"

KOL_BEGIN_C

/* last_correction: what the three functions below need besides phi.
 *
 *   m      spacings
 *   s, c   as for project_correct(); there are no waves. Bodies: project_correct_limits_single() alone
 *   p_old  the pressure; p: the new one, which may be p_old
 *   from   velocity [U], halo up to date on the high faces; beyond walls as wall_fill leaves it
 *   to     the corrected velocity, in three other arrays. The CPU build also writes their halo on the high
 *          faces */
struct last_correction {
    struct box b;
    struct metrics m;
    struct stencil s;
    struct blocks blocks;
    struct correction c;
    const real *p_old;
    real *p;
    const real *from[3];
    real *to[3];
};

/* project_correct_limits: does the work of project_correct(), and leaves the sums and maxima of
 * project_limits() for the corrected velocity. All of these have the same bits as when the two functions are
 * called one after the other. No neighbour's velocity is read from where it is written: what a cell needs of
 * the corrected velocity on its high faces is computed once more.
 *
 * phi: one halo layer at the faces. Per cell: 5 reads, 4 writes. */
kol_status project_correct_limits(const struct last_correction *a, const real *phi);

/* project_correct_limits_packed: the same as project_correct_packed() and project_limits(). Values before and
 * after the packed ones, if they are needed, lie on both ends. */
kol_status project_correct_limits_packed(const struct last_correction *a, real scale, int ring_z,
                                         const float *phi);

/* project_correct_limits_single: the same as project_correct_single() and project_limits(), also with bodies.
 * phi: one halo layer at the faces. */
kol_status project_correct_limits_single(const struct last_correction *a, struct level_sum phi);

KOL_END_C

#endif
