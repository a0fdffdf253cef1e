/* Begins a cycle: enters the finest level and smooths it from a zero guess. */
#include "../level.h"

kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z)
{
    TRY(level_enter(b, lb, cg, volume, r, r_level));
    TRY(level_wrap(lb, r_level));
    return level_start(lb, s, cells, c0, c1, r_level, z);
}
