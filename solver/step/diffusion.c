#include "diffusion.h"

#include "kernels/momentum.h"
#include "kernels/stream.h"
#include "boundary/boundary.h"
#include "rk3.h"

static const enum location LOCATION[3] = {LOC_FCC, LOC_CFC, LOC_CCF};

static int wanted(const struct run *run)
{
    return run->in.time.diffusion == DIFFUSION_IMPLICIT && run->in.fluid.nu > 0;
}

int diffusion_shapes_force(const struct run *run)
{
    return wanted(run) && run->walls.any;
}

/* unit: of the unknown. A residual of V * e leaves an error of at most e, since the operator is at least V.
 */
static struct ppcg_goal goal_of(const struct run *run, const char *name, double unit)
{
    return (struct ppcg_goal){.name = name,
                              .tolerance = run->in.time.diffusion_tolerance * unit,
                              .scale = 1 / unit,
                              .meaning = "the change of velocity over the largest speed",
                              .input = "time.diffusion_tolerance"};
}

/* Periodic: for u* itself, from the guess v. */
static kol_status solve_periodic(struct run *run, int d, double factor, struct ppcg_goal goal,
                                 const real *base)
{
    const struct stencil a = grid_stencil(&run->grid, LOCATION[d], 1, (real)factor);
    struct ppcg_result result;
    real *source = NULL;
    TRY(pool_hold(run->pool, "diffusion source", &source));
    TRY(stencil_source(run->grid.box, a, (real)factor, run->vel[d], base, source));
    TRY(ppcg_solve(run->ppcg, &run->for_diffusion, a, goal, 0, source, run->vel[d], &result));
    return pool_drop(run->pool, &source);
}

/* Between walls: for the change e = u* - v, which vanishes on them,
 *     (1 - factor lap) e = factor lap(base + v) ,
 * where lap of base and v takes what the walls say, which their halos hold. So it knows no kind of wall but
 * by these halos and by what the operator for e does. */
static kol_status solve_change(struct run *run, int d, double factor, struct ppcg_goal goal, const real *base)
{
    const struct grid *g = &run->grid;
    const struct stencil plain = grid_stencil(g, LOCATION[d], 0, 1),
                         held = grid_stencil_held(g, LOCATION[d], 1, (real)factor);
    struct ppcg_result result;
    real *source = NULL, *change = NULL;
    TRY(pool_hold(run->pool, "diffusion source", &source));
    TRY(pool_hold(run->pool, "diffusion change", &change));
    TRY(stream_triad(g->box.size, 1, base, run->vel[d], change));
    TRY(stencil_source(g->box, plain, (real)factor, NULL, change, source));
    TRY(mem_fill_real(change, g->box.size, 0));
    TRY(ppcg_solve(run->ppcg, &run->for_diffusion, held, goal, 0, source, change, &result));
    TRY(stream_triad(g->box.size, 1, run->vel[d], change, source));
    TRY(pool_drop(run->pool, &change));
    TRY(pool_drop(run->pool, &run->vel[d]));
    run->vel[d] = source;
    return KOL_OK;
}

kol_status diffusion_solve(struct run *run, double dts)
{
    static const char *const NAME[3] = {"diffusion of u", "diffusion of v", "diffusion of w"};
    if (!wanted(run)) return KOL_OK;
    TRY(profile_phase(run->profile, "diffusion"));
    real *const *base = rk3_scheme(run->in.time.scheme)->from_start ? run->start : run->before_stage;
    const double factor = dts * run->in.fluid.nu / 2, speed = run->now.speed > 0 ? run->now.speed : 1;
    if (run->walls.any) TRY(boundary_fill(run, run->vel, 3, HALO_EDGES));
    for (int d = 0; d < 3; ++d) {
        const struct ppcg_goal goal = goal_of(run, NAME[d], speed);
        TRY(run->walls.any ? solve_change(run, d, factor, goal, base[d])
                           : solve_periodic(run, d, factor, goal, base[d]));
    }
    return KOL_OK;
}

kol_status diffusion_force(struct run *run, int d, double dts, real **out)
{
    const struct grid *g = &run->grid;
    const double factor = dts * run->in.fluid.nu / 2;
    const struct stencil held = grid_stencil_held(g, LOCATION[d], 1, (real)factor);
    struct ppcg_result result;
    real *source = NULL;
    TRY(profile_phase(run->profile, "diffusion"));
    TRY(pool_hold(run->pool, "force", out));
    TRY(pool_hold(run->pool, "diffusion source", &source));
    TRY(mem_fill_real(*out, g->box.size, 1));
    TRY(stencil_source(g->box, grid_stencil(g, LOCATION[d], 0, 1), 0, *out, *out, source));
    TRY(ppcg_solve(run->ppcg, &run->for_diffusion, held, goal_of(run, "diffusion of the force", 1), 0, source,
                   *out, &result));
    return pool_drop(run->pool, &source);
}
