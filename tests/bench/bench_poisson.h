/* The pressure equation that kolmo-bench poisson solves, A x = b with b random, and a judge of its solutions
 * that shares no code with the solver. */
#ifndef KOL_BENCH_POISSON_H
#define KOL_BENCH_POISSON_H

#include "bench.h"

/* poisson_problem: b = rhs - mean V, so that it sums to zero; V the cell volumes. */
struct poisson_problem {
    real *rhs;
    double mean;
    double b_l2, v_l2; /* Euclidean norms of b and V */
};

/* poisson_judgement: of x; r = b - A x from coordinates, in double precision, on the host. */
struct poisson_judgement {
    double l2, max;    /* Euclidean norm of r over that of b; largest |r|/V over largest |b|/V */
    double range;      /* largest less smallest x */
    double difference; /* range of x - other over the range of x: constants do not count; 0 without other */
};

/* poisson_make: rhs = V f with f from [-1, 1) by Philox from the cell's global index, and what belongs to it:
 * the same on any number of ranks; rhs is borrowed, x is overwritten. poisson_judge: x with its halo faces
 * filled; other: NULL, or a solution to compare with. Collective. */
kol_status poisson_make(const struct domain *domain, real *rhs, real *x, struct poisson_problem *p);
kol_status poisson_judge(const struct domain *domain, const struct poisson_problem *p, const real *x,
                         const real *other, struct poisson_judgement *out);

/* bench_transforms: one pair of the library's transforms on packed arrays of the run's grid: 3-D where all is
 * periodic and uniform, else 2-D and one pass over the spectrum. The least time of a direct solve. 0 where
 * there is no such library (CPU build), on several ranks and in single precision. */
kol_status bench_transforms(const struct domain *domain, struct bench_time *out);

#endif
