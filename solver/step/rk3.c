/* Takes one time step of the incremental fractional-step method with a three-stage low-storage Runge-Kutta
 * scheme. This is the file to read first. docs/numerics/time.md derives the method. */
#include "rk3.h"

#include "inputs/schemes.h"
#include "kernels/momentum.h"
#include "math/rk3_scheme.h"
#include "bodies/bodies.h"
#include "boundary/boundary.h"
#include "diffusion.h"
#include "diffusion_z.h"
#include "forcing.h"
#include "exact_step.h"
#include "boundary/open_faces.h"
#include "forcing/box_forcing.h"
#include "forcing/formula_force.h"
#include "pressure.h"
#include "scalar_diffusion.h"
#include "scalars/buoyancy.h"
#include "travel_energy.h"
#include "travel_stage.h"

/* Takes the arrays of the predicted velocity, and in the first stage of rk3-wray those of its right-hand
 * sides. */
static kol_status hold_prediction(struct step *step, const struct rk3_scheme *rk, int m, real *out[3])
{
    const struct domain *domain = step->domain;
    for (int d = 0; d < 3; ++d) {
        TRY(pool_hold(domain->pool, "prediction", &out[d]));
        if (!rk->from_start && m == 0) TRY(pool_hold(domain->pool, "right-hand side", &step->start[d]));
    }
    return KOL_OK;
}

/* prediction: of stage m of a step. */
struct prediction {
    const struct step *step;
    const struct flow *flow;
    const struct rk3_scheme *rk;
    int m;
    real *const *out;
};

/* The velocity that a stage starts from, and the right-hand sides that are kept for the next stage. */
static real *const *base_of(const struct step *step, const struct flow *flow, const struct rk3_scheme *rk,
                            int m)
{
    return rk->from_start && m > 0 ? step->start : flow->vel;
}

static real *const *kept_of(const struct step *step, const struct rk3_scheme *rk)
{
    return rk->from_start ? NULL : step->start;
}

/* Computes u* on some of the cells. It includes the old pressure gradient, unless the method is the exact
 * one. */
static kol_status predict(const struct prediction *p, struct cells cells)
{
    const struct step *step = p->step;
    const struct flow *flow = p->flow;
    const struct domain *domain = flow->domain;
    const struct rk3_stage s = p->rk->stage[p->m];
    const double dt = flow->clock.dt, *turn = domain->in->forcing.rotation;
    const double nu = diffusion_explicit_viscosity(domain->in);
    const struct box_pull pull = box_forcing_pull(flow, p->m);
    const struct stage weights = {.nu = (real)nu,
                                  .a = (real)(s.a * dt),
                                  .a_old = (real)(s.a_old * dt),
                                  .dts = step->exact_step == NULL ? (real)(s.c * dt) : 0,
                                  .turn = {(real)(2 * turn[X]), (real)(2 * turn[Y]), (real)(2 * turn[Z])},
                                  .pull = (real)pull.rate,
                                  .mean = {(real)pull.mean[X], (real)pull.mean[Y], (real)pull.mean[Z]},
                                  .without = (real)diffusion_z_left_out(step, p->m)};
    const unsigned char *const open = bodies_closed_at_once(flow);
    real *const *const base = base_of(step, flow, p->rk, p->m), *const *const kept = kept_of(step, p->rk);
    if (open != NULL)
        return momentum_stage_open(domain->grid.box, domain->grid.m, cells, weights, open, flow->vel, base,
                                   flow->pressure.p, kept, p->out);
    return momentum_stage(domain->grid.box, domain->grid.m, cells, weights, flow->vel, base, flow->pressure.p,
                          kept, p->out);
}

/* Sweeps some of the cells: the prediction, and the transport of scalars from the same state. */
static kol_status sweep(const void *context, struct cells cells)
{
    const struct prediction *p = context;
    TRY(predict(p, cells));
    return scalar_stage_sweep(&p->step->scalars, p->flow, p->rk, p->m, cells);
}

/* Computes convection, diffusion and the old pressure gradient of a stage. Cells that need no halo from
 * another rank are computed while the messages travel. If health_monitor has already filled the halos, there
 * are no messages. */
static kol_status compute_prediction(const struct step *step, struct flow *flow, const struct rk3_scheme *rk,
                                     int m, real *const out[3])
{
    const struct domain *domain = flow->domain;
    real *read[HALO_FIELDS];
    const struct exchange exchange = boundary_exchange_flow(flow, read);
    const struct prediction prediction = {step, flow, rk, m, out};
    if (pool_counts(domain->pool)) return KOL_OK;
    if (flow->halo_filled && flow->pressure.predicted)
        TRY(halo_fill_one(domain->halo, flow->pressure.p, HALO_EDGES));
    TRY(flow->halo_filled ? sweep(&prediction, halo_cells(domain->halo, CELLS_ALL))
                          : exchange_overlap(&exchange, sweep, &prediction));
    flow->halo_filled = 0;
    TRY(scalar_stage_walls(&step->scalars, flow, rk, m)); /* does nothing unless bodies hold scalars */
    TRY(bodies_predict(flow, m, base_of(step, flow, rk, m), kept_of(step, rk), out));
    TRY(travel_energy_predict(flow, m, base_of(step, flow, rk, m))); /* does nothing unless bodies travel */
    TRY(buoyancy_add(flow, rk, m, out, rk->from_start ? NULL : step->start));
    TRY(formula_force_add(flow, rk, m, out, rk->from_start ? NULL : step->start));
    return open_faces_stage(flow, m); /* reads the velocity that the stage starts from */
}

/* Replaces flow->vel by the prediction. */
static kol_status velocity_predict(struct step *step, struct flow *flow, const struct rk3_scheme *rk, int m)
{
    const struct domain *domain = flow->domain;
    real *out[3] = {NULL, NULL, NULL};
    TRY(profile_phase(domain->profile, "convection"));
    TRY(hold_prediction(step, rk, m, out));
    TRY(scalar_stage_begin(&step->scalars, flow, rk, m));
    TRY(compute_prediction(step, flow, rk, m, out));
    for (int d = 0; d < 3; ++d) {
        if (rk->from_start && m == 0) { /* u(n), kept to the end of the third stage */
            step->start[d] = flow->vel[d];
        } else if (rk3_keeps_base(domain->in) || (step->diffusion_z != NULL && !rk->from_start)) {
            step->before_stage[d] = flow->vel[d];
        } else {
            TRY(pool_drop(domain->pool, &flow->vel[d]));
        }
        flow->vel[d] = out[d];
    }
    return scalar_stage_end(&step->scalars, flow, rk, m);
}

/* Solves for the implicit diffusion of scalars, if there is any. */
static kol_status diffuse_scalars(struct step *step, struct flow *flow, int m, double dts)
{
    TRY(scalar_diffusion_solve(step, flow, dts));
    TRY(diffusion_z_scalars(step, flow, m, dts));
    return scalar_stage_drop(&step->scalars, flow, m);
}

/* Drops the arrays that no later part of the step reads. */
static kol_status drop_stage(struct step *step, int m)
{
    const struct domain *domain = step->domain;
    for (int d = 0; d < 3; ++d) {
        TRY(pool_drop(domain->pool, &step->before_stage[d]));
        if (m == 2) TRY(pool_drop(domain->pool, &step->start[d]));
    }
    return KOL_OK;
}

kol_status rk3_step(struct step *step, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    step->iterations = 0;
    TRY(box_forcing_begin(flow));   /* does nothing unless the turbulence of a box is forced */
    TRY(forcing_begin(step, flow)); /* does nothing unless the start contradicts a given bulk velocity */
    for (int m = 0; m < 3; ++m) {
        const double dts = rk->stage[m].c * flow->clock.dt; /* length of this stage [T] */
        TRY(travel_stage(step, flow, m, base_of(step, flow, rk, m),
                         m > 0 ? kept_of(step, rk) : NULL)); /* does nothing unless bodies travel */
        TRY(pressure_predict(step, flow, m)); /* does nothing unless increments are solved for */
        TRY(velocity_predict(step, flow, rk,
                             m)); /* u*, with the old pressure gradient, or that of the guess */
        TRY(diffuse_scalars(step, flow, m, dts)); /* does nothing if diffusion is explicit */
        if (step->exact_step != NULL) {
            TRY(exact_step_stage(step, flow, m,
                                 dts)); /* u = u0 + C s: diffusion and incompressibility in one */
            TRY(drop_stage(step, m));
            continue;
        }
        TRY(diffusion_solve(step, flow, dts));      /* does nothing if diffusion is explicit */
        TRY(diffusion_z_solve(step, flow, m, dts)); /* likewise in z */
        TRY(drop_stage(step, m));
        TRY(bodies_drag(flow, dts));             /* does nothing if there are no bodies */
        TRY(bodies_hold_stage(flow));            /* the velocity in bodies is theirs */
        TRY(forcing_stage(step, flow, m, dts));  /* does nothing if no force drives the flow */
        TRY(bodies_finish(flow, dts));           /* u* is complete: forces on bodies */
        TRY(pressure_solve(step, flow, m, dts)); /* lap(phi) = div(u*)/dts */
        TRY(pressure_correct(step, flow, m,
                             dts)); /* u = u* + shift - dts grad(phi), p = p + phi, less the implicit part */
        TRY(open_faces_pressure(flow, m));
        TRY(pressure_settle(step, flow, m, dts)); /* does nothing unless the solve was in single precision */
        TRY(box_forcing_stage(flow, m));          /* does nothing unless the turbulence of a box is forced */
    }
    flow->clock.t += flow->clock.dt;
    ++flow->clock.step;
    return KOL_OK;
}
