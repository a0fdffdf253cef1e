/* How many arrays of the pool a solve holds, as a run counts them. */
#ifndef KOL_TESTS_SOLVE_ARRAYS_H
#define KOL_TESTS_SOLVE_ARRAYS_H

#include "solver/poisson/ppcg.h"

/* solve_arrays: returns the number of arrays for a solve with this preconditioner, with one sum per
 * iteration or with several; -1 if there is a fault. */
static inline int solve_arrays(const struct preconditioner *m, struct box b, int one_sum)
{
    struct memory counted = {.host = 0};
    struct pool *pool = NULL;
    struct ppcg *ppcg = NULL;
    struct ppcg_result none;
    const struct stencil any = {.held = 0};
    const struct ppcg_goal goal = {.one_sum = one_sum};
    int arrays = -1;
    if (pool_create(&counted, b, 0, &pool) == KOL_OK &&
        ppcg_create(&counted, 1, b, NULL, NULL, pool, &ppcg) == KOL_OK &&
        ppcg_solve(ppcg, m, any, goal, 0, NULL, NULL, &none) == KOL_OK)
        arrays = pool_count(pool);
    ppcg_destroy(&ppcg);
    pool_destroy(&pool);
    return arrays;
}

#endif
