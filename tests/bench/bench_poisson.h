/* The pressure equation A x = b with random b that kolmo-bench poisson solves, and a check of its solutions
 * that shares no code with the solver. */
#ifndef KOL_BENCH_POISSON_H
#define KOL_BENCH_POISSON_H

#include "bench.h"

/* poisson_problem: the right-hand side b = rhs - mean V, whose sum is zero. V: cell volumes. */
struct poisson_problem {
    real *rhs;
    double mean;
    double b_l2, v_l2; /* Euclidean norms of b and V */
};

/* poisson_judgement: the quality of a solution x. The residual r = b - A x is computed from coordinates, in
 * double precision, on the host. */
struct poisson_judgement {
    double l2, max;    /* Euclidean norm of r over that of b; largest |r|/V over largest |b|/V */
    double range;      /* largest less smallest x */
    double difference; /* range of x - other over the range of x: constants do not count; 0 without other */
};

/* poisson_make: fills *p with rhs = V f, where f is a random number from [-1, 1) that depends only on the
 * global index of the cell (Philox). So the problem is the same on any number of ranks. rhs is borrowed; x is
 * overwritten. regions: of the fluid in a box with bodies, over each of which b then sums to zero; else NULL.
 *
 * poisson_judge: judges x, whose halo must be filled at the faces. other: NULL, or a solution to compare
 * with. Both functions are collective. */
kol_status poisson_make(const struct domain *domain, struct fluid_regions *regions, real *rhs, real *x,
                        struct poisson_problem *p);
kol_status poisson_judge(const struct domain *domain, const struct poisson_problem *p, const real *x,
                         const real *other, struct poisson_judgement *out);

/* bench_transforms: measures a forward and a backward transform of the GPU's FFT library on packed arrays
 * of the run's grid. They are 3-D if all directions are periodic and uniform; otherwise they are 2-D, with
 * one pass over the spectrum. No direct solve can take less time. The result is 0 in the CPU build, on
 * several ranks and in single precision. */
kol_status bench_transforms(const struct domain *domain, struct bench_time *out);

#endif
