/* Computes the residual on a level. */
#include "level_smooth.cuh"

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    const struct smoothing w = {0, r, q};
    if (!level_compute_all(cells)) return KOL_OK;
    return smooth_launch<false>("level_residual", lb, s, cells, w, z);
}
