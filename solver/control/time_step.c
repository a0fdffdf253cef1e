/* Chooses the length of the next step: limits of convection and diffusion, the end of the run, and the CFL
 * number. */
#include "time_step.h"

#include <math.h>
#include <stddef.h>
#include "bodies/bodies_travel.h"
#include "boundary/open_faces.h"
#include "inputs/bodies.h"
#include "inputs/buoyancy.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "math/rk3_scheme.h"
#include "schedule.h"
#include "step/diffusion.h"
#include "step/forcing.h"

/* Part of the stability region that the viscous limit uses. */
static const double STABILITY_SAFETY = 0.9;
/* If less than this part of a step would be left before t_end, the last step includes it. */
static const double END_SLACK = 1e-9;
/* If a step of a fixed dt would leave less than this part of it before such an end, two equal steps are
 * taken. In a tiny step a small divergence belongs to a large pressure, with which the next step begins. */
static const double FIXED_REST = 0.1;
/* A fixed dt is too long if its CFL number exceeds the stability limit by this factor. */
static const double FAST = 1.1;

/* Calls `with` for each direction along which gravity has a part, and returns the largest result. push: the
 * buoyancy along it [U/T]. */
static double largest_of_lift(const struct domain *domain,
                              double (*with)(const struct domain *domain, int d, double push))
{
    const double *g = domain->in->buoyancy.gravity, push = buoyancy_push(domain->in, &domain->given_range);
    const double size = hypot(hypot(g[X], g[Y]), g[Z]);
    double most = 0;
    for (int d = 0; d < 3 && push > 0; ++d)
        if (g[d] != 0) most = fmax(most, with(domain, d, push * fabs(g[d]) / size));
    return most;
}

static double rate_over_height(const struct domain *domain, int d, double push)
{
    return sqrt(push / domain->grid.length[d]);
}

/* With this Courant sum buoyancy alone moves the fluid by at most half of time.cfl in a step. */
static double courant_from_rest(const struct domain *domain, int d, double push)
{
    return sqrt(2 * domain->in->time.cfl * push / domain->grid.narrowest[d]);
}

/* The frequency of waves in a fluid that is stratified over the height of the box [1/T]. */
static double swing_rate(const struct domain *domain)
{
    return largest_of_lift(domain, rate_over_height);
}

static double lift_courant(const struct domain *domain)
{
    return largest_of_lift(domain, courant_from_rest);
}

/* Bound of the eigenvalues of the diffusion that the Runge-Kutta scheme treats, over the diffusivity
 * [1/L^2]. */
static double explicit_rate(const struct domain *domain)
{
    return diffusion_is_implicit_z(domain->in) ? domain->grid.diffusive_xy : domain->grid.diffusive;
}

/* The diffusion of the scalars with a limiter that the Runge-Kutta scheme treats, as a rate [1/T]; negative:
 * no scalar has one. */
static double limited_rate(const struct domain *domain)
{
    double most = -1;
    for (int n = 0; n < scalar_count(domain->in); ++n)
        if (scalar_limited(domain->in, n))
            most = fmax(most, scalar_explicit_diffusivity(domain->in, n) * explicit_rate(domain));
    return most;
}

void time_step_limits(const struct domain *domain, double courant, double *convective, double *viscous)
{
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const double nu = fmax(diffusion_explicit_viscosity(domain->in), scalar_largest_diffusivity(domain->in));
    const double diffusive = explicit_rate(domain);
    /* the eigenvalues of convection and diffusion lie in a rectangle with these sides, divided by dt */
    const double swing = swing_rate(domain);
    const double turning = forcing_turning(domain->in) + swing,
                 rate = courant + forcing_rate(domain->in) + swing;
    const double imaginary = (courant + turning) / rk->imaginary_limit,
                 real_axis = nu * diffusive / rk->real_limit;
    const double joint =
        pow(pow(imaginary, rk->joint_power) + pow(real_axis, rk->joint_power), 1 / rk->joint_power);
    *convective = rate > 0 ? domain->in->time.cfl / rate : 0;
    *viscous = nu > 0 ? STABILITY_SAFETY / joint : 0;
    const double limited = limited_rate(domain);
    if (limited < 0 || 2 * courant + limited == 0) return;
    /* where a scalar with a limiter swings from cell to cell, its faces have the values of the cells that the
     * flow comes from: the eigenvalues of its convection reach from 0 to minus twice the Courant sum */
    const double most = STABILITY_SAFETY * rk->real_limit / (2 * courant + limited);
    *viscous = *viscous > 0 ? fmin(*viscous, most) : most;
}

/* The Courant number per dt to plan with. If walls or a force have just begun to move the flow, the flow
 * becomes faster within the step, so the speed that they will cause counts, too. */
double time_step_courant(const struct flow *flow, double courant)
{
    const double travel = flow->domain->in->time.cfl * bodies_travel_courant(flow);
    return fmax(fmax(fmax(courant, lift_courant(flow->domain)), travel),
                fmax(forcing_push_courant(flow), forcing_courant(flow)));
}

kol_status time_step_check_diffusion(const struct flow *flow, double courant)
{
    const struct domain *domain = flow->domain;
    double convective, viscous;
    if (!diffusion_is_implicit(domain->in)) return KOL_OK;
    time_step_limits(domain, time_step_courant(flow, courant), &convective, &viscous);
    return diffusion_check(domain, domain->in->time.dt > 0 ? domain->in->time.dt : convective);
}

/* Where time.dt is given. */
static struct input_place place_of_dt(const struct domain *domain)
{
    return input_place(domain->source, offsetof(struct input, time.dt), 0);
}

/* Checks that something limits the next step. */
static kol_status check_limited(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double convective, viscous;
    time_step_limits(domain, time_step_courant(flow, flow->now.courant), &convective, &viscous);
    if (domain->in->time.dt == 0 && convective == 0 && viscous == 0) {
        RAISE(KOL_ERR_INPUT, "%s: error: the fluid is at rest and nothing limits the time step; set time.dt",
              place_of_dt(domain).at);
    }
    return KOL_OK;
}

kol_status time_step_check(const struct flow *flow)
{
    TRY(time_step_check_diffusion(flow, flow->now.courant));
    return check_limited(flow);
}

kol_status time_step_choose(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct clock *c = &flow->clock;
    const double end = domain->in->run.t_end >= 0 ? domain->in->run.t_end : INFINITY,
                 next = domain->in->output.cut_steps ? schedule_next(domain->in, c) : INFINITY;
    const double removal = bodies_next_removal(domain->in, c->t);
    const double left = fmin(fmin(end, next), removal) - c->t;
    const int reason = removal < fmin(end, next) ? DT_REMOVAL : next < end ? DT_OUTPUT : DT_END;
    c->dt_before = c->step > 0 ? c->dt : 0;
    if (domain->in->time.dt > 0) {
        c->dt = domain->in->time.dt;
        c->limit = DT_FIXED;
    } else {
        double convective, viscous;
        time_step_limits(domain, time_step_courant(flow, flow->now.courant), &convective, &viscous);
        TRY(check_limited(flow));
        c->limit = convective > 0 && (viscous == 0 || convective <= viscous) ? DT_CONVECTION : DT_DIFFUSION;
        c->dt = c->limit == DT_CONVECTION ? convective : viscous;
    }
    /* two equal steps are better than a long and a tiny one */
    const double two = c->limit == DT_FIXED ? 1 + FIXED_REST : 2;
    if (left < two * c->dt && left > c->dt * (1 + END_SLACK)) {
        c->dt = left / 2;
        c->limit = reason;
    }
    if (left <= c->dt * (1 + END_SLACK)) {
        c->dt = left;
        c->limit = reason;
    }
    return KOL_OK;
}

double time_step_cfl(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    return fmax(flow->now.courant + forcing_turning(domain->in), open_faces_courant(domain)) * flow->clock.dt;
}

double time_step_cfl_limit(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const double limit = scheme_cfl_limit(domain->in), limited = limited_rate(domain);
    if (limited < 0) return limit;
    const double left = rk3_scheme(domain->in->time.scheme)->real_limit - limited * flow->clock.dt;
    return fmin(limit, fmax(0.5 * left, 0));
}

int time_step_too_fast(const struct flow *flow)
{
    return flow->domain->in->time.dt > 0 && time_step_cfl(flow) > FAST * time_step_cfl_limit(flow);
}

static const char *scheme_name(const struct domain *domain)
{
    return rk3_scheme(domain->in->time.scheme)->name;
}

/* Checks that a fixed dt suits the explicit part of the diffusion of scalars. */
static kol_status check_fixed_scalars(const struct domain *domain)
{
    const double most = rk3_scheme(domain->in->time.scheme)->real_limit, dt = domain->in->time.dt;
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        const double rate = scalar_explicit_diffusivity(domain->in, n) * explicit_rate(domain);
        if (!(rate * dt > FAST * most)) continue;
        RAISE(KOL_ERR_INPUT,
              "%s: error: time.dt = %g is too long for the explicit diffusion of scalar '%s': with the "
              "diffusivity %.3g and these cells %s is stable up to dt = %.3g; give a shorter time.dt, or "
              "time.cfl instead",
              place_of_dt(domain).at, dt, domain->in->scalars.name[n], scalar_diffusivity(domain->in, n),
              scheme_name(domain), most / rate);
    }
    return KOL_OK;
}

/* Whether the range of a scalar is a guess: planes in time are read later, and a flux is taken for pure
 * conduction, which convection reduces by the Nusselt number. */
static int range_is_guess(const struct input *in)
{
    int guess = 0;
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < scalar_count(in); ++n)
            guess |= scalar_by_planes(in, n, f) || scalar_has_flux(in, n, f);
    return guess;
}

/* Checks that a fixed dt suits the waves of a stratified fluid. */
static kol_status check_fixed_waves(const struct domain *domain)
{
    const double most = rk3_scheme(domain->in->time.scheme)->imaginary_limit, dt = domain->in->time.dt,
                 rate = swing_rate(domain);
    if (!(rate * dt > FAST * most) || range_is_guess(domain->in)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: time.dt = %g is too long for buoyancy: with waves of the frequency %.3g, or convection "
          "that grows as fast, %s is stable up to dt = %.3g; give a shorter time.dt, or time.cfl instead",
          place_of_dt(domain).at, dt, rate, scheme_name(domain), most / rate);
}

kol_status time_step_check_fixed(const struct domain *domain)
{
    TRY(check_fixed_scalars(domain));
    TRY(check_fixed_waves(domain));
    const double limit = scheme_cfl_limit(domain->in), dt = domain->in->time.dt,
                 rate = open_faces_courant(domain);
    if (!(rate * dt > FAST * limit)) return KOL_OK;
    RAISE(
        KOL_ERR_INPUT,
        "%s: error: time.dt = %g with boundary.outflow_velocity = %g: the CFL number of an outflow is %.3g, "
        "beyond the stability limit %.4g of %s; give time.dt up to %.3g, a smaller outflow_velocity, or "
        "time.cfl instead",
        place_of_dt(domain).at, dt, domain->in->boundary.outflow_velocity, rate * dt, limit,
        scheme_name(domain), 0.999 * limit / rate);
}

kol_status time_step_blame(const struct flow *flow, const char *what)
{
    const struct domain *domain = flow->domain;
    RAISE(KOL_ERR_NUMERICAL,
          "the CFL number is %.3g after step %lld, t = %.6g, beyond the stability limit %.4g of %s, %s; "
          "checkpoints are unchanged. Lower time.dt = %g, or set time.cfl instead",
          time_step_cfl(flow), flow->clock.step, flow->clock.t, time_step_cfl_limit(flow),
          scheme_name(domain), what, domain->in->time.dt);
}

const char *time_step_limit_name(int limit)
{
    static const char *const NAME[] = {"fixed",      "convection", "stability",
                                       "end of run", "output",     "removal of bodies"};
    return NAME[limit];
}
