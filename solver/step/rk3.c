/* The page to read first: one time step of the incremental fractional-step method with a three-stage
 * low-storage Runge-Kutta scheme. docs/numerics/time.md derives it. */
#include "rk3.h"

#include "kernels/momentum.h"
#include "boundary/boundary.h"
#include "diffusion.h"
#include "diffusion_z.h"
#include "forcing.h"
#include "exact_step.h"
#include "boundary/open_faces.h"
#include "pressure.h"

/* rk3-half: u(m) = u(n) + c_m dt F(u(m-1)); second order, amplification 1 + z + z^2/2 + z^3/4, |z| <= 2 on
 * the imaginary axis and z >= -2 on the real one. The scheme of J. B. Perot's codes (J. Comput. Phys. 108
 * (1993) 51 for the fractional step). rk3-wray: the third-order scheme in Spalart, Moser and Rogers, J.
 * Comput. Phys. 96 (1991) 297, appendix; limits sqrt(3) and 2.5127. Its stage weights are linear
 * extrapolations of F to the times in pressure_time. */
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

/* Arrays of the predicted velocity; the velocity of the stage before takes their place once they are filled.
 */
static kol_status hold_prediction(struct run *run, const struct rk3_scheme *rk, int m, real *out[3])
{
    for (int d = 0; d < 3; ++d) {
        TRY(pool_hold(run->pool, "prediction", &out[d]));
        if (!rk->from_start && m == 0) TRY(pool_hold(run->pool, "right-hand side", &run->start[d]));
    }
    return KOL_OK;
}

/* u* with the old pressure gradient, which the exact method does without, on some of the cells. */
static kol_status predict(struct run *run, const struct rk3_scheme *rk, int m, enum cells_which which,
                          real *const out[3])
{
    const struct rk3_stage s = rk->stage[m];
    const double dt = run->clock.dt, *turn = run->in.forcing.rotation;
    const double nu = run->in.time.diffusion != DIFFUSION_IMPLICIT ? run->in.fluid.nu : 0;
    const struct stage weights = {(real)nu,
                                  (real)(s.a * dt),
                                  (real)(s.a_old * dt),
                                  run->nullspace == NULL ? (real)(s.c * dt) : 0,
                                  {(real)(2 * turn[X]), (real)(2 * turn[Y]), (real)(2 * turn[Z])}};
    const struct cells cells = halo_cells(run->halo, which);
    real *const *base = rk->from_start && m > 0 ? run->start : run->vel;
    return momentum_stage(run->grid.box, run->grid.m, cells, weights, run->vel, base, run->pressure.p,
                          rk->from_start ? NULL : run->start, out);
}

/* Whether the rest of the stage needs the velocity that it starts from, and the step does not keep it anyway.
 */
static int keeps_base(const struct run *run, const struct rk3_scheme *rk)
{
    const int wanted = run->in.time.diffusion == DIFFUSION_IMPLICIT || run->nullspace != NULL;
    return run->diffusion_z != NULL || (wanted && !rk->from_start);
}

/* Convection, diffusion and the old pressure gradient of a stage: the cells that need no halo from another
 * rank are computed while the messages travel. Where the halos are as control_monitor left them, nothing
 * needs to travel. */
static kol_status velocity_predict(struct run *run, const struct rk3_scheme *rk, int m)
{
    real *const flow[4] = {run->vel[X], run->vel[Y], run->vel[Z], run->pressure.p};
    real *out[3] = {NULL, NULL, NULL};
    TRY(profile_phase(run->profile, "convection"));
    TRY(hold_prediction(run, rk, m, out));
    if (run->halo_filled) {
        TRY(predict(run, rk, m, CELLS_ALL, out));
    } else {
        TRY(boundary_begin(run, flow, 4, HALO_EDGES));
        TRY(predict(run, rk, m, CELLS_INNER, out));
        TRY(boundary_arrive(run, flow));
        const kol_status st = halo_remote(run->halo) != 0 ? predict(run, rk, m, CELLS_RIM, out) : KOL_OK;
        TRY(halo_join(run->halo, st));
    }
    run->halo_filled = 0;
    TRY(open_faces_stage(run, m)); /* reads the velocity that the stage starts from */
    for (int d = 0; d < 3; ++d) {
        if (rk->from_start && m == 0) { /* u(n), kept to the end of the third stage */
            run->start[d] = run->vel[d];
        } else if (keeps_base(run, rk)) {
            run->before_stage[d] = run->vel[d];
        } else {
            TRY(pool_drop(run->pool, &run->vel[d]));
        }
        run->vel[d] = out[d];
    }
    return KOL_OK;
}

/* What no later part of the step reads. */
static kol_status drop_stage(struct run *run, int m)
{
    for (int d = 0; d < 3; ++d) {
        TRY(pool_drop(run->pool, &run->before_stage[d]));
        if (m == 2) TRY(pool_drop(run->pool, &run->start[d]));
    }
    return KOL_OK;
}

kol_status rk3_step(struct run *run)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    run->pressure.iterations = 0;
    for (int m = 0; m < 3; ++m) {
        const double dts = rk->stage[m].c * run->clock.dt; /* length of this stage [T] */
        TRY(velocity_predict(run, rk, m));                 /* u*, with the old pressure gradient */
        if (run->nullspace != NULL) {
            TRY(exact_step_stage(run, m, dts)); /* u = u0 + C s: diffusion and incompressibility in one */
            TRY(drop_stage(run, m));
            continue;
        }
        TRY(diffusion_solve(run, dts));      /* returns at once where diffusion is explicit */
        TRY(diffusion_z_solve(run, m, dts)); /* likewise where it is in z */
        TRY(drop_stage(run, m));
        TRY(forcing_stage(run, m, dts));  /* returns at once where nothing drives the flow */
        TRY(pressure_solve(run, m, dts)); /* lap(phi) = div(u*)/dts */
        TRY(pressure_correct(run, m,
                             dts)); /* u = u* + shift - dts grad(phi), p = p + phi, less the implicit part */
        TRY(open_faces_pressure(run, m));
    }
    run->clock.t += run->clock.dt;
    ++run->clock.step;
    return KOL_OK;
}
