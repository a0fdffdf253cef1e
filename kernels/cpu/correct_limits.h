/* The sweep of the last correction of a step, for any kind of phi. */
#ifndef KOL_CPU_CORRECT_LIMITS_H
#define KOL_CPU_CORRECT_LIMITS_H

#include "../correct_limits.h"

/* correct_rows: a kind of phi, whose data are `of`.
 *
 *   row   corrects row (j, k) of the velocity in place, and the pressure
 *   phi   returns phi in a cell, which may be one beyond the own ones on a high face
 *
 * masked: whether it leaves closed faces as they are. */
struct correct_rows {
    void (*row)(const void *of, int j, int k, real *const vel[3]);
    real (*phi)(const void *of, int i, int j, int k);
    const void *of;
    int masked;
};

/* correct_limits_sweep: does the work of project_correct_limits(). */
kol_status correct_limits_sweep(const struct last_correction *a, struct correct_rows by);

#endif
