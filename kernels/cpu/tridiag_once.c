/* Refuses tridiagonal systems in one pass over their values: the CPU build has no such kernel. */
#include "../tridiag.h"

int tridiag_once_there(int n)
{
    (void)n;
    return 0;
}

kol_status tridiag_solve_once(struct tridiag t, double scale, double *values)
{
    (void)scale, (void)values;
    RAISE(KOL_ERR_INTERNAL, "the CPU build does not solve columns of %d levels in one pass", t.n);
}

kol_status tridiag_solve_once_single(struct tridiag t, double scale, float *values)
{
    (void)scale, (void)values;
    RAISE(KOL_ERR_INTERNAL, "the CPU build does not solve columns of %d levels in one pass", t.n);
}
