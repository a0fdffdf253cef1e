/* Sums the monitor after each step, judges it, and finds the cell to blame if the solution blew up. */
#include "health.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "inputs/drives.h"
#include "io/log.h"
#include "boundary/boundary.h"
#include "inputs/buoyancy.h"
#include "scalars/buoyancy.h"
#include "forcing/formula_force.h"
#include "step/flow_monitor.h"
#include "step/forcing.h"
#include "step/travel_energy.h"
#include "boundary/open_faces.h"
#include "bodies/bodies.h"
#include "time_step.h"

/* The kinetic energy of an undriven flow above this multiple of its start means that the solution blew up. */
static const double ENERGY_GROWTH = 1.05;

/* A divergence beyond DIVERGED times pressure.tolerance, and beyond ROUNDING times rounding, can't come from
 * the iterations of the pressure solve. */
static const double DIVERGED = 100, ROUNDING = 1e3;

/* Finds the first value of the own cells that is not finite; if there is none, the largest value that is
 * beyond `limit`. It returns 0 if all values are sound. */
static int find_bad(struct box b, const real *f, double limit, int cell[3])
{
    double most = limit;
    int found = 0;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) {
                const double value = fabs((double)f[at(b, i, j, k)]);
                if (value <= most && isfinite(value)) continue; /* the limit itself may be infinite */
                found = 1;
                cell[X] = i;
                cell[Y] = j;
                cell[Z] = k;
                if (!isfinite(value)) return 1;
                most = value;
            }
        }
    }
    return found;
}

/* Words for a message: they say so if the largest CFL number comes from the velocity given for the
 * outflows. */
static const char *of_outflow(const struct domain *domain, double courant)
{
    return open_faces_courant(domain) > courant ? ", that of boundary.outflow_velocity" : "";
}

/* The rank that holds a bad value names it; the other ranks learn of it in comm_agree. A velocity beyond
 * `limit` is bad. */
static kol_status name_bad_value(struct flow *flow, long long step, double limit, double courant)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const int *o = domain->decomp.offset;
    real *host = NULL;
    kol_status st = KOL_OK;
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    for (int f = 0; f < field_count(domain->in); ++f) {
        int c[3] = {0, 0, 0};
        TRY_OR(done, mem_to_host(host, field_values(flow, f), (size_t)b.size * sizeof *host));
        if (!find_bad(b, host, field_component(f) >= 0 ? limit : INFINITY, c)) continue;
        st = status_raise(
            KOL_ERR_NUMERICAL, __FILE__, __LINE__,
            "%s is %g in cell (%d, %d, %d) on rank %d in step %lld, t = %.6g: the solution blew up (CFL "
            "number %.3g%s); checkpoints are unchanged. Lower time.cfl or time.dt, or refine the grid",
            field_row(domain->in, f).name, (double)host[at(b, c[X], c[Y], c[Z])], o[X] + c[X], o[Y] + c[Y],
            o[Z] + c[Z], domain->comm.rank, step, flow->clock.t,
            fmax(courant, open_faces_courant(domain)) * flow->clock.dt, of_outflow(domain, courant));
        break;
    }
done:
    mem_host_free(host);
    return st;
}

/* Finds where the residual of a failed solve is largest. The rank that holds this place adds it to the
 * message. */
static kol_status name_residual(struct poisson *poisson, struct flow *flow, const char *message)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const real *residual = ppcg_residual(poisson->ppcg);
    const struct increment *increment = &poisson->increment; /* its arrays are dropped after a good solve */
    const int *o = domain->decomp.offset;
    real *host = NULL;
    int c[3] = {0, 0, 0};
    struct {
        double value;
        int rank;
    } mine = {-1, domain->comm.rank}, worst;
    if (residual == NULL && increment->field[0] == NULL) return KOL_OK;
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    kol_status st = residual != NULL ? mem_to_host(host, residual, (size_t)b.size * sizeof *host)
                                     : increment_residual(increment, host);
    if (st == KOL_OK && find_bad(b, host, -1, c)) mine.value = fabs((double)host[at(b, c[X], c[Y], c[Z])]);
    mem_host_free(host);
    MPI_TRY(MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, domain->comm.mpi));
    if (worst.rank != domain->comm.rank) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL,
          "%s (step %lld, t = %.6g); the residual is largest in cell (%d, %d, %d) on rank %d", message,
          flow->clock.step + 1, flow->clock.t, o[X] + c[X], o[Y] + c[Y], o[Z] + c[Z], domain->comm.rank);
}

/* The largest speed that a sound flow can have after a step, from its speed before and from what walls, open
 * faces and a force can add. If the flow was at rest, there is no limit. */
static double jump_limit(const struct flow *flow, double speed, double push)
{
    const double lift = buoyancy_most(flow->domain->in, &flow->domain->given_range);
    const double driven = fmax(forcing_speed(flow), (push + lift) * flow->clock.dt);
    return speed > 0 ? FLOW_BLOW_UP * fmax(speed, driven) : INFINITY;
}

/* Whether step number `step` writes a record to the series, or ends the run. */
static int is_recorded(const struct input *in, long long step)
{
    return step % in->output.series_interval == 0 || (in->run.steps_max >= 0 && step >= in->run.steps_max);
}

void health_choose(const struct control *control, struct flow *flow)
{
    /* steps before run.t_end in which all numbers are summed, in case steps become longer or shorter */
    enum { BEFORE_END = 8 };
    const struct input *in = flow->domain->in;
    const struct clock *c = &flow->clock;
    const long long step = c->step + 1;
    flow->limits_only = !(is_recorded(in, step) || is_recorded(in, step + 1) || is_recorded(in, step + 2) ||
                          step % in->output.log_interval == 0 || control->ending ||
                          drive_follows_dissipation(in) || turbulence_watch_wants(&control->watch, step) ||
                          (in->run.t_end >= 0 && c->t + BEFORE_END * c->dt >= in->run.t_end));
}

kol_status health_monitor(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const double push = forcing_push(flow);
    const double *v = flow->sums.value;
    if (!flow->sums.taken) TRY(flow_monitor_take(flow));
    flow->sums.taken = 0;
    flow->complete = !flow->sums.all ? 0 : flow->complete < 3 ? flow->complete + 1 : 3;
    double loss = 0;
    if (flow->complete > 0) TRY(bodies_loss(flow, &loss));
    TRY(open_faces_look_at(flow));
    flow->before = flow->now;
    flow->now = (struct monitor){
        .energy = v[MON_ENERGY] / g->volume,
        .dissipation = domain->in->fluid.nu * v[MON_DISS] / g->volume + loss,
        .enstrophy = v[MON_ENSTROPHY] / g->volume,
        .wall_work = domain->in->fluid.nu * v[MON_WORK] / g->volume,
        .momentum = {v[MON_MOM_X] / g->volume, v[MON_MOM_Y] / g->volume, v[MON_MOM_Z] / g->volume},
        .div_max = v[MON_DIV],
        .courant = v[MON_COURANT],
        .speed = fmax(fmax(v[MON_SPEED], open_faces_speed(flow)), boundary_speed(domain))};
    if (flow->open != NULL) flow->now.convection = flow->open->convection;
    TRY(buoyancy_work(flow, &flow->now.buoyancy));
    TRY(formula_force_work(flow, flow->clock.t, &flow->now.formula));
    if (!isfinite(flow->now.formula)) TRY(formula_force_blame(flow, flow->clock.t - flow->clock.dt));
    const double jump = jump_limit(flow, flow->before.speed, push);
    /* without a drive the kinetic energy can rise only by errors in time */
    const int grown = !drive_any(domain->in) && flow->energy_start > 0 &&
                      flow->now.energy > ENERGY_GROWTH * flow->energy_start;
    if (isfinite(flow->now.energy) && flow->now.speed <= jump && !grown) return KOL_OK;
    const double limit = isfinite(flow->now.energy) ? (1 - 1e-9) * flow->now.speed : jump;
    TRY(comm_agree(&domain->comm, name_bad_value(flow, flow->clock.step, limit, flow->before.courant)));
    RAISE(KOL_ERR_NUMERICAL,
          "the kinetic energy is %g after step %lld though every velocity is finite: the sum overflows",
          flow->now.energy, flow->clock.step);
}

kol_status health_blame(struct poisson *poisson, struct flow *flow, kol_status st)
{
    const struct domain *domain = flow->domain;
    char first[2048];
    const double limit = jump_limit(flow, flow->now.speed, forcing_push(flow));
    if (st != KOL_ERR_NUMERICAL || status_agreed()) return st;
    snprintf(first, sizeof first, "%s", status_message());
    status_clear();
    TRY(formula_force_blame(flow, flow->clock.t));
    TRY(comm_agree(&domain->comm, name_bad_value(flow, flow->clock.step + 1, limit, flow->now.courant)));
    TRY(comm_agree(&domain->comm, name_residual(poisson, flow, first)));
    RAISE(st, "%s (step %lld, t = %.6g)", first, flow->clock.step + 1, flow->clock.t);
}

int health_budget_known(const struct flow *flow)
{
    return flow->complete >= (flow->clock.dt_before > 0 ? 3 : 2);
}

/* The energy that walls, open faces and buoyancy feed into the flow [U^2/T]. */
static double fed(const struct monitor *m)
{
    return m->wall_work + m->convection + m->buoyancy;
}

/* The energy that the flow loses at a time [U^2/T], as far as the budget integrates it over a step from its
 * values at the ends of steps. */
static double lost(const struct flow *flow, const struct monitor *m)
{
    return travel_energy_counts(flow) ? -m->convection : m->dissipation - fed(m);
}

void health_budget(struct flow *flow)
{
    const double dt = flow->clock.dt, e = lost(flow, &flow->now), e1 = lost(flow, &flow->before),
                 e2 = flow->dissipation_before2;
    double mean = 0.5 * (e + e1);
    /* the quadratic through three unevenly spaced times, integrated over the step */
    if (flow->clock.dt_before > 0 && isfinite(e2)) {
        const double r = dt / flow->clock.dt_before;
        mean = (3 + 2 * r) / (6 * (1 + r)) * e + (3 + r) / 6 * e1 - r * r / (6 * (1 + r)) * e2;
    }
    flow->budget_residual = (flow->now.energy - flow->before.energy) / dt + mean;
    /* the sums of the stages contain what a force by formulas does */
    if (!travel_energy_counts(flow) || flow->force.formula == NULL)
        flow->budget_residual -= flow->force.power;
    if (travel_energy_counts(flow)) flow->budget_residual -= travel_energy_gain(flow);
    if (flow->open != NULL) flow->budget_residual -= open_faces_work(flow);
    if (!health_budget_known(flow)) flow->budget_residual = NAN;
    if (isfinite(e1)) flow->dissipation_before2 = e1;
}

kol_status health_check(struct control *control, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    /* in a fluid that the pressure holds at rest, the speed after the step is that of rounding */
    const double speed = fmax(flow->now.speed, flow->pressure.speed),
                 scaled = speed > 0 ? flow->now.div_max * g->h / speed : 0;
    const double limit =
        DIVERGED * domain->in->pressure.tolerance + ROUNDING * KOL_EPSILON * g->h / g->smallest;
    control->fast_steps = time_step_too_fast(flow) ? control->fast_steps + 1 : 0;
    if (!(scaled <= limit))
        RAISE(KOL_ERR_NUMERICAL,
              "max|div u| h/U is %.3e after step %lld, t = %.6g, though the pressure was solved to %.3e: the "
              "memory or the processor failed, or the program has an error; checkpoints are unchanged",
              scaled, flow->clock.step, flow->clock.t, domain->in->pressure.tolerance);
    if (control->fast_steps < HEALTH_FAST_STEPS) return KOL_OK;
    char what[64];
    snprintf(what, sizeof what, "for %d steps in a row", HEALTH_FAST_STEPS);
    return time_step_blame(flow, what);
}

kol_status health_keepable(const struct control *control, const struct flow *flow)
{
    return control->fast_steps > 0 ? time_step_blame(flow, "when a checkpoint was to be written") : KOL_OK;
}
