/* Computes the residual of a level and restricts it to the next coarser one. */
#include "../level.h"

/* The residual is stored, because up to four rows and planes of coarse cells read each of its rows. */
kol_status level_descend(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, const level_real *r, const level_real *z,
                         level_real *q, level_real *r_coarse)
{
    TRY(level_residual(lb, s, cells, r, z, q));
    TRY(level_wrap(lb, q));
    return level_restrict(lb, cells, t, n_coarse, cb, q, r_coarse);
}
