/* Lists the launch shapes of each kernel, and keeps the one in use. */
#include "shapes.cuh"
#include "../base/turns.h"

#include <stdio.h>

struct kernel_shapes {
    const char *name;
    const struct shape *shape; /* the first is what an untuned run takes */
    int count;
};

static const struct shape SUM[] = {{0, 2, 1}, {0, 1, 1}, {0, 1, 2}, {0, 1, 4}, {0, 2, 2}, {0, 2, 4}};
static const struct shape SWEEP[] = {{0, 1, 1}, {0, 1, 2}, {0, 1, 4}, {0, 1, 8}, {0, 1, 16},
                                     {0, 2, 1}, {0, 2, 2}, {0, 2, 4}, {0, 2, 8}};
/* Two pieces side by side in x have fewer columns beside the tile, and so read fewer sectors from the L2
 * cache. */
static const struct shape DIRECTION[] = {{2, 1, 2}, {2, 1, 1},  {2, 1, 4}, {2, 1, 8}, {2, 2, 2}, {2, 2, 4},
                                         {2, 2, 8}, {2, 2, 16}, {1, 1, 1}, {1, 1, 2}, {1, 1, 4}};
static const struct shape FIRST[] = {{2, 1, 4},  {2, 1, 1}, {2, 1, 2}, {2, 1, 8},
                                     {2, 1, 16}, {1, 1, 1}, {1, 1, 4}};
static const struct shape RESIDUAL[] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 4}, {2, 1, 1},
                                        {2, 1, 2}, {2, 1, 4}, {2, 1, 8}};
static const struct shape ADVANCE[] = {{1, 1, 2}, {1, 1, 1}, {1, 1, 4}, {1, 1, 8}, {1, 2, 2},
                                       {1, 2, 4}, {2, 1, 1}, {2, 1, 2}, {2, 1, 4}, {2, 1, 8}};
static const struct shape START[] = {{0, 1, 1}, {0, 1, 2}, {0, 1, 4}, {0, 1, 8}, {0, 1, 16}};
/* x is also the largest number of steps of a sweep: many save memory traffic, few save arithmetic. Marches
 * are long, because the planes beyond their ends are formed twice. */
static const struct shape STEPS[] = {{4, 2, 4}, {4, 2, 2}, {4, 2, 8}, {4, 2, 16}, {4, 1, 4}, {4, 1, 8},
                                     {2, 2, 2}, {2, 2, 4}, {2, 2, 8}, {2, 1, 4},  {2, 1, 8}};
static const struct shape MONITOR[] = {{0, 1, 1}, {0, 1, 2}, {0, 1, 4}};
static const struct shape MOMENTUM[] = {{32, 4, 32}, {32, 4, 64},  {32, 8, 32},  {32, 8, 16},
                                        {32, 8, 64}, {32, 8, 128}, {32, 16, 128}};
static const struct shape STAGE[] = {{32, 8, 32}, {32, 8, 16}, {32, 8, 64}, {32, 8, 128}};
/* One plane a thread: the kernel writes where it has just read, and longer marches were slower by a
 * quarter. */
static const struct shape CORRECT[] = {{512, 1, 1}, {256, 2, 1}, {128, 4, 1}, {64, 8, 1},
                                       {256, 1, 1}, {128, 1, 1}, {64, 4, 2},  {64, 4, 8}};

/* x = 1: what a plane reads is copied ahead to shared memory. */
static const struct shape CORRECT_LIMITS[] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 4},
                                              {0, 1, 1}, {0, 1, 2}, {0, 1, 4}};
/* Blocks of 128 columns in memory, or of 32 x 2 columns whose uppermost levels are held in shared memory,
 * which z warps share on a multiprocessor. */
static const struct shape COLUMN[] = {{32, 4, 0}, {64, 2, 0}, {128, 1, 0},
                                      {32, 2, 8}, {32, 2, 6}, {32, 2, 4}};

#define SHAPES(table) table, (int)(sizeof(table) / sizeof(table)[0])

static const struct kernel_shapes KERNEL[TUNE_KERNELS] = {{"momentum_rhs", SHAPES(MOMENTUM)},
                                                          {"momentum_stage", SHAPES(STAGE)},
                                                          {"project_divergence", SHAPES(SUM)},
                                                          {"project_correct", SHAPES(CORRECT)},
                                                          {"project_correct_limits", SHAPES(CORRECT_LIMITS)},
                                                          {"project_monitor", SHAPES(MONITOR)},
                                                          {"laplace_residual", SHAPES(RESIDUAL)},
                                                          {"laplace_residual_sums", SHAPES(RESIDUAL)},
                                                          {"laplace_start", SHAPES(START)},
                                                          {"laplace_direction", SHAPES(DIRECTION)},
                                                          {"laplace_direction_first", SHAPES(FIRST)},
                                                          {"laplace_update", SHAPES(SWEEP)},
                                                          {"laplace_update_apart", SHAPES(SWEEP)},
                                                          {"laplace_chebyshev", SHAPES(SWEEP)},
                                                          {"laplace_steps", SHAPES(STEPS)},
                                                          {"laplace_advance", SHAPES(ADVANCE)},
                                                          {"column_solve", SHAPES(COLUMN)}};

/* The only state of these kernels besides the streams: the shape of each. */
static int chosen[TURNS_MOST][TUNE_KERNELS]; /* by seats */

const char *tune_name(enum tune_kernel k)
{
    return KERNEL[k].name;
}

int tune_shapes(enum tune_kernel k)
{
    return KERNEL[k].count;
}

void tune_shape_name(enum tune_kernel k, int shape, char text[TUNE_TEXT])
{
    const struct shape s = KERNEL[k].shape[shape];
    if (s.x == 0) {
        snprintf(text, TUNE_TEXT, "%dx%d", s.y, s.z);
    } else {
        snprintf(text, TUNE_TEXT, "%dx%dx%d", s.x, s.y, s.z);
    }
}

void tune_choose(enum tune_kernel k, int shape)
{
    chosen[turns_seat()][k] = shape;
}

int tune_chosen(enum tune_kernel k)
{
    return chosen[turns_seat()][k];
}

struct shape shape_chosen(enum tune_kernel k)
{
    return KERNEL[k].shape[chosen[turns_seat()][k]];
}
