/* The page to read first: one time step of the incremental fractional-step method with a three-stage low-storage
 * Runge-Kutta scheme. docs/numerics/time.md derives it. */
#include "rk3.h"

#include "../kernels/momentum.h"
#include "../kernels/update.h"
#include "diffusion.h"
#include "pressure.h"

/* rk3-half: u(m) = u(n) + c_m dt F(u(m-1)); second order, amplification 1 + z + z^2/2 + z^3/4, |z| <= 2 on the imaginary
 * axis and z >= -2 on the real one. The scheme of J. B. Perot's codes (J. Comput. Phys. 108 (1993) 51 for the
 * fractional step).
 * rk3-wray: the third-order scheme in Spalart, Moser and Rogers, J. Comput. Phys. 96 (1991) 297, appendix; limits
 * sqrt(3) and 2.5127. Its stage weights are linear extrapolations of F to the times in pressure_time. */
static const struct rk3_scheme SCHEMES[] = {
    [SCHEME_RK3_HALF] = {{{0.5, 0, 0.5, 0}, {0.5, 0, 0.5, 0.5}, {1, 0, 1, 0.5}}, 1, 2.0, 2.0, 1.8},
    [SCHEME_RK3_WRAY] = {{{8.0 / 15, 0, 8.0 / 15, 0},
                          {5.0 / 12, -17.0 / 60, 2.0 / 15, 5.0 / 3},
                          {3.0 / 4, -5.0 / 12, 1.0 / 3, 5.0 / 6}},
                         0,
                         1.7320508075688772,
                         2.5127453266183286,
                         2.0}};

const struct rk3_scheme *rk3_scheme(int name)
{
    return &SCHEMES[name];
}

static kol_status momentum_ranges(struct run *run, const struct range *range, int n)
{
    const double nu = run->in.time.diffusion == DIFFUSION_EXPLICIT ? run->in.fluid.nu : 0;
    for (int i = 0; i < n; ++i) {
        TRY(momentum_rhs(run->grid.box, run->grid.m, range[i], (real)nu, run->vel[X], run->vel[Y],
                         run->vel[Z], run->rhs[X], run->rhs[Y], run->rhs[Z]));
    }
    return KOL_OK;
}

/* Cells that need no neighbour rank: computed while the messages travel. */
static kol_status momentum_inner(struct run *run)
{
    const struct range inner = halo_inner(run->halo);
    return momentum_ranges(run, &inner, 1);
}

static kol_status momentum_rim(struct run *run)
{
    struct range rim[6];
    const int n = halo_rim(run->halo, rim);
    return momentum_ranges(run, rim, n);
}

/* u* with the old pressure gradient. rk3-half keeps u(n) in run->start: in the first stage the two sets of arrays
 * change names instead of being copied. */
static kol_status velocity_predict(struct run *run, const struct rk3_scheme *rk, int m)
{
    const struct rk3_stage s = rk->stage[m];
    const double dt = run->clock.dt;
    real *base[3], **old = s.a_old != 0 ? run->start : NULL;
    for (int d = 0; d < 3; ++d) {
        if (rk->from_start && m == 0) {
            real *u = run->vel[d];
            run->vel[d] = run->start[d];
            run->start[d] = u;
        } else if (!rk->from_start && run->base[d] != NULL) {
            real *u = run->vel[d];
            run->vel[d] = run->base[d];
            run->base[d] = u;
        }
        base[d] = rk->from_start ? run->start[d] : run->base[d] != NULL ? run->base[d] : run->vel[d];
    }
    TRY(update_predict(run->grid.box, run->grid.m, base, run->rhs, old, (real)(s.a * dt),
                       (real)(s.a_old * dt), (real)(s.c * dt), run->pressure.p, run->vel));
    for (int d = 0; d < 3 && !rk->from_start; ++d) { /* F(m-1) becomes F(m-2) */
        real *f = run->start[d];
        run->start[d] = run->rhs[d];
        run->rhs[d] = f;
    }
    return KOL_OK;
}

static kol_status hold_rhs(struct run *run)
{
    for (int d = 0; d < 3; ++d) TRY(pool_hold(run->pool, "right-hand side", &run->rhs[d]));
    return KOL_OK;
}

static kol_status drop_rhs(struct run *run)
{
    for (int d = 0; d < 3; ++d) TRY(pool_drop(run->pool, &run->rhs[d]));
    return KOL_OK;
}

kol_status rk3_step(struct run *run)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    run->pressure.iterations = 0;
    for (int m = 0; m < 3; ++m) {
        const double dts = rk->stage[m].c * run->clock.dt; /* length of this stage [T] */
        real *const flow[4] = {run->vel[X], run->vel[Y], run->vel[Z], run->pressure.p};
        TRY(hold_rhs(run));
        TRY(halo_begin(run->halo, flow, 4, HALO_EDGES));
        TRY(momentum_inner(run)); /* while messages travel */
        TRY(halo_end(run->halo));
        TRY(momentum_rim(run));
        TRY(velocity_predict(run, rk, m)); /* u*, with the old pressure gradient */
        TRY(drop_rhs(run));
        TRY(diffusion_solve(run, dts)); /* returns at once where diffusion is explicit */
        TRY(halo_fill(run->halo, run->vel, 3, HALO_FACES));
        TRY(pressure_solve(run, m, dts));  /* lap(phi) = div(u*)/dts */
        TRY(velocity_correct(run, dts));   /* u = u* - dts grad(phi) */
        TRY(pressure_update(run, m, dts)); /* p = p + phi, less the implicit part */
    }
    run->clock.t += run->clock.dt;
    ++run->clock.step;
    return KOL_OK;
}
