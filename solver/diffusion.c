#include "diffusion.h"

#include "../kernels/momentum.h"
#include "rk3.h"

kol_status diffusion_solve(struct run *run, double dts)
{
    if (run->in.time.diffusion != DIFFUSION_IMPLICIT || run->in.fluid.nu == 0) return KOL_OK;
    TRY(profile_phase(run->profile, "diffusion"));
    static const enum location LOCATION[3] = {LOC_FCC, LOC_CFC, LOC_CCF};
    static const char *const NAME[3] = {"diffusion of u", "diffusion of v", "diffusion of w"};
    real *const *base = rk3_scheme(run->in.time.scheme)->from_start ? run->start : run->before_stage;
    const real factor = (real)(dts * run->in.fluid.nu / 2);
    /* a residual of V * e leaves an error of at most e in the velocity, since the operator is at least V */
    const double speed = run->now.speed > 0 ? run->now.speed : 1;
    for (int d = 0; d < 3; ++d) {
        const struct stencil a = grid_stencil(&run->grid, LOCATION[d], 1, factor);
        const struct ppcg_goal goal = {NAME[d],
                                       run->in.time.diffusion_tolerance * speed,
                                       1 / speed,
                                       "the change of velocity over the largest speed",
                                       "time.diffusion_tolerance",
                                       0,
                                       0};
        struct ppcg_result result;
        real *source = NULL;
        TRY(pool_hold(run->pool, "diffusion source", &source));
        TRY(stencil_source(run->grid.box, a, factor, run->vel[d], base[d], source));
        TRY(ppcg_solve(run->ppcg, &run->for_diffusion, a, goal, 0, source, run->vel[d], &result));
        TRY(pool_drop(run->pool, &source));
    }
    return KOL_OK;
}
