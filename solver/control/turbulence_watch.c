/* Watches the fluctuations and the friction of a flow along walls, and tells when it becomes turbulent or
 * laminar. */
#include "turbulence_watch.h"

#include <math.h>
#include <string.h>
#include "inputs/buoyancy.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "io/log.h"
#include "kernels/volume_dot.h"
#include "state/flow_fields.h"

/* Number of steps between two samples. A sample reads one array, a step moves dozens. */
enum { LOOK_STEPS = 10 };
/* Conditions for a turbulent flow. They must hold in each of TURBULENCE_WATCH_BINS successive turnovers of
 * delta/u_tau:
 *
 *   LIVELY    least mean square of the wall-normal velocity, over u_tau^2. Channels from Re_tau 100 on have
 *             0.3 to 0.6 (Moser, Kim and Mansour 1999).
 *   DRAG      least ratio of the friction to that of the laminar flow
 *   LASTING   least ratio of the mean square in the later half of these turnovers to that in the earlier
 *             half. The mean square of vortices that only decay falls faster: below Re_tau = 80 as
 *             exp(-2 nu (pi^2 + pi^2/4) t/delta^2), which is by half in two turnovers. */
static const double LIVELY = 0.1, DRAG = 1.2, LASTING = 0.6;
/* A flow is laminar if the mean square over u_tau^2 is below this, at the end of a turnover and in its
 * average. */
static const double QUIET = 1e-3;

static int is(const struct turbulence_watch *r, enum turbulence_watch_kind kind)
{
    return (int)r->kind == (int)kind;
}

/* Whether buoyancy alone moves the fluid: convection has no stream along the walls. */
static int convects(const struct input *in)
{
    return buoyancy_wanted(in) && !drive_has_force(in) && faces_first(in, face_is_moving_wall) == FACES_NONE;
}

/* Whether the flow can be watched: its laminar flow must be that of a frame at rest, which excludes frames
 * that turn about an axis that is not parallel to the walls. The balance of momentum has no force that a
 * formula gives. */
static int watchable(const struct input *in, struct wall_flow *s)
{
    return in->fluid.nu > 0 && !drive_oscillates(in) && !drive_by_formula(in) && !convects(in) &&
           wall_friction_flow(in, s) && !stream_turned(in);
}

void turbulence_watch_start(struct turbulence_watch *r, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    r->watched = watchable(domain->in, &r->flow);
    if (!r->watched) return;
    if (r->looked < 0) r->looked = r->now.begin = flow->clock.t; /* the checkpoint does not hold it */
}

/* Mean square of the wall-normal velocity. */
static kol_status activity(const struct turbulence_watch *r, const struct flow *flow, double *mean)
{
    const struct domain *domain = flow->domain;
    const struct wall_flow *s = &r->flow;
    *mean = 0;
    for (int n = 0; n < s->normals; ++n) {
        double sum = 0;
        TRY(volume_dot_square(domain->grid.box, reduction_blocks(domain->reduction),
                              grid_stencil(&domain->grid, flow_field[s->normal[n]].location, 0, 1),
                              flow->vel[s->normal[n]]));
        TRY(reduction_finish(domain->reduction, 1, 0, &sum));
        *mean += sum / domain->grid.volume;
    }
    return KOL_OK;
}

/* Force along the stream on the mean flow: that of the drive, and the Coriolis force of a turning frame. */
static double drive(const struct turbulence_watch *r, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int d = r->flow.stream, e = (d + 1) % 3, f = (d + 2) % 3;
    const double *w = domain->in->forcing.rotation, *u = flow->now.momentum, *old = flow->before.momentum;
    return flow->force.gradient - (w[e] * (u[f] + old[f]) - w[f] * (u[e] + old[e]));
}

/* Whether the work of the walls tells how the friction is divided between them: one moves against the
 * other. */
static int work_divides(const struct wall_flow *s)
{
    return s->normals != 2 && s->wall[0] && s->wall[1] && s->speed[0] != s->speed[1];
}

/* u_tau^2 in the step just taken, from the balance of momentum. If one wall moves against the other, the work
 * of the walls tells how the friction is divided between them. */
static double friction(const struct turbulence_watch *r, const struct flow *flow)
{
    const struct wall_flow *s = &r->flow;
    const int d = s->stream;
    const double change = (flow->now.momentum[d] - flow->before.momentum[d]) / flow->clock.dt,
                 walls = change - drive(r, flow); /* force of the walls on the fluid, per volume */
    if (!work_divides(s)) return fabs(walls) * s->radius;
    const double both = walls * s->gap, work = 0.5 * (flow->now.wall_work + flow->before.wall_work) * s->gap;
    const double upper = (work - s->speed[0] * both) / (s->speed[1] - s->speed[0]);
    return 0.5 * (fabs(upper) + fabs(both - upper));
}

static void decide(const struct comm *comm, struct turbulence_watch *r, enum turbulence_watch_kind kind,
                   double since)
{
    const struct turbulence_watch_bin *last = &r->bin[TURBULENCE_WATCH_BINS - 1];
    const char *again =
        is(r, kind == TURBULENCE_WATCH_LAMINAR ? TURBULENCE_WATCH_TURBULENT : TURBULENCE_WATCH_LAMINAR)
            ? " now"
            : "";
    r->kind = kind;
    r->since = since;
    if (comm->rank != 0) return;
    if (kind == TURBULENCE_WATCH_TURBULENT)
        log_info("the flow is turbulent%s, since t = %.5g: friction %.3g times the laminar one, mean square "
                 "of the wall-normal velocity %.2g u_tau^2",
                 again, since, last->friction, last->activity);
    else
        log_info("%sthe flow is laminar%s, since t = %.5g: mean square of the wall-normal velocity %.1e "
                 "u_tau^2, friction %.3g times that of the steady laminar flow",
                 (int)r->bins > 1 && last[-1].activity >= QUIET ? "the disturbances have decayed: " : "",
                 again, since, last->activity, last->friction);
}

/* Judges a complete turnover. quiet: whether the mean square is below QUIET at its end. */
static void judge(const struct comm *comm, struct turbulence_watch *r, int quiet)
{
    const struct turbulence_watch_bin *b = r->bin;
    if (quiet && b[TURBULENCE_WATCH_BINS - 1].activity < QUIET && !is(r, TURBULENCE_WATCH_LAMINAR))
        decide(comm, r, TURBULENCE_WATCH_LAMINAR, b[TURBULENCE_WATCH_BINS - 1].begin);
    if ((int)r->bins < TURBULENCE_WATCH_BINS || is(r, TURBULENCE_WATCH_TURBULENT)) return;
    double half[2] = {0, 0};
    for (int n = 0; n < TURBULENCE_WATCH_BINS; ++n) {
        if (b[n].activity < LIVELY || b[n].friction < DRAG) return;
        half[n / (TURBULENCE_WATCH_BINS / 2)] += b[n].activity;
    }
    if (half[1] >= LASTING * half[0]) decide(comm, r, TURBULENCE_WATCH_TURBULENT, b[0].begin);
}

kol_status turbulence_watch_step(struct turbulence_watch *r, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct wall_flow *s = &r->flow;
    const double nu = domain->in->fluid.nu, dt = flow->clock.t - r->looked;
    double square = 0;
    if (!r->watched || flow->clock.step % LOOK_STEPS != 0) return KOL_OK;
    TRY(activity(r, flow, &square));
    const double u2 = friction(r, flow),
                 laminar = wall_friction_laminar(s, nu, flow->now.momentum[s->stream]);
    /* where there is hardly any friction, as in a fluid at rest, the viscous time is used instead */
    const double turnovers = dt * fmax(sqrt(u2) / s->delta, nu / (s->delta * s->delta));
    const double lively = square > 0 ? square / fmax(u2, nu * nu / (s->delta * s->delta)) : 0;
    r->looked = flow->clock.t;
    r->turnovers += turnovers;
    r->now.activity += turnovers * lively;
    r->now.friction += turnovers * (laminar > 0 ? u2 / laminar : 0);
    if (r->turnovers < 1) return KOL_OK;
    memmove(r->bin, r->bin + 1, (TURBULENCE_WATCH_BINS - 1) * sizeof r->bin[0]);
    r->bin[TURBULENCE_WATCH_BINS - 1] = (struct turbulence_watch_bin){
        r->now.begin, r->now.activity / r->turnovers, r->now.friction / r->turnovers};
    r->bins = fmin(r->bins + 1, TURBULENCE_WATCH_BINS);
    r->turnovers = 0;
    r->now = (struct turbulence_watch_bin){flow->clock.t, 0, 0};
    judge(&flow->domain->comm, r, lively < QUIET);
    return KOL_OK;
}

int turbulence_watch_wants(const struct turbulence_watch *r, long long step)
{
    return r->watched && work_divides(&r->flow) && (step % LOOK_STEPS == 0 || (step + 1) % LOOK_STEPS == 0);
}

void turbulence_watch_end(const struct comm *comm, const struct turbulence_watch *r)
{
    const struct turbulence_watch_bin *last = &r->bin[TURBULENCE_WATCH_BINS - 1];
    if (!r->watched || comm->rank != 0) return;
    if (r->bins == 0) {
        log_info("whether the flow is turbulent can't be told: the run was shorter than one turnover, "
                 "delta/u_tau");
    } else if (is(r, TURBULENCE_WATCH_OPEN) && (int)r->bins < TURBULENCE_WATCH_BINS) {
        log_info(
            "whether the flow is turbulent can't be told yet: %d turnovers, delta/u_tau, are wanted and "
            "%d are complete; friction %.3g times the laminar one, mean square of the wall-normal velocity "
            "%.2g u_tau^2 in the last turnover",
            TURBULENCE_WATCH_BINS, (int)r->bins, last->friction, last->activity);
    } else if (is(r, TURBULENCE_WATCH_OPEN)) {
        log_info("the flow has become neither laminar nor turbulent: friction %.3g times the laminar one, "
                 "mean square of the wall-normal velocity %.2g u_tau^2 in the last turnover",
                 last->friction, last->activity);
    } else {
        log_info("the flow is %s since t = %.5g: in the last turnover friction %.3g times the laminar one, "
                 "mean square of the wall-normal velocity %.2g u_tau^2",
                 is(r, TURBULENCE_WATCH_LAMINAR) ? "laminar" : "turbulent", r->since, last->friction,
                 last->activity);
    }
}

const char *const turbulence_watch_names[TURBULENCE_WATCH_VALUES] = {
    "regime_kind",       "regime_since",      "regime_looked",     "regime_turnovers",  "regime_bins",
    "regime_begin",      "regime_activity",   "regime_friction",   "regime_begin_1",    "regime_activity_1",
    "regime_friction_1", "regime_begin_2",    "regime_activity_2", "regime_friction_2", "regime_begin_3",
    "regime_activity_3", "regime_friction_3", "regime_begin_4",    "regime_activity_4", "regime_friction_4"};

void turbulence_watch_values(struct turbulence_watch *r, double *value[TURBULENCE_WATCH_VALUES])
{
    double *const plain[8] = {&r->kind, &r->since,     &r->looked,       &r->turnovers,
                              &r->bins, &r->now.begin, &r->now.activity, &r->now.friction};
    memcpy(value, plain, sizeof plain);
    for (int b = 0; b < TURBULENCE_WATCH_BINS; ++b) {
        value[8 + 3 * b] = &r->bin[b].begin;
        value[9 + 3 * b] = &r->bin[b].activity;
        value[10 + 3 * b] = &r->bin[b].friction;
    }
}
