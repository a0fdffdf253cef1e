/* Tells the launch shapes of kernels: each kernel of the CPU build has a single one. */
#include "../tune.h"

#include <stdio.h>

static const char *const NAME[TUNE_KERNELS] = {[TUNE_MOMENTUM] = "momentum_rhs",
                                               [TUNE_STAGE] = "momentum_stage",
                                               [TUNE_DIVERGENCE] = "project_divergence",
                                               [TUNE_CORRECT] = "project_correct",
                                               [TUNE_CORRECT_LIMITS] = "project_correct_limits",
                                               [TUNE_MONITOR] = "project_monitor",
                                               [TUNE_RESIDUAL] = "laplace_residual",
                                               [TUNE_CHECK] = "laplace_residual_sums",
                                               [TUNE_START] = "laplace_start",
                                               [TUNE_DIRECTION] = "laplace_direction",
                                               [TUNE_FIRST] = "laplace_direction_first",
                                               [TUNE_UPDATE] = "laplace_update",
                                               [TUNE_UPDATE_APART] = "laplace_update_apart",
                                               [TUNE_CHEBYSHEV] = "laplace_chebyshev",
                                               [TUNE_STEPS] = "laplace_steps",
                                               [TUNE_ADVANCE] = "laplace_advance",
                                               [TUNE_COLUMN] = "column_solve"};

const char *tune_name(enum tune_kernel k)
{
    return NAME[k];
}

int tune_shapes(enum tune_kernel k)
{
    (void)k;
    return 1;
}

void tune_shape_name(enum tune_kernel k, int shape, char text[TUNE_TEXT])
{
    (void)k;
    snprintf(text, TUNE_TEXT, "%d", shape + 1);
}

void tune_choose(enum tune_kernel k, int shape)
{
    (void)k;
    (void)shape;
}

int tune_chosen(enum tune_kernel k)
{
    (void)k;
    return 0;
}
