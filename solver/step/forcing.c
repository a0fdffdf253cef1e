#include "forcing.h"

#include <math.h>
#include "kernels/volume_dot.h"
#include "kernels/stream.h"
#include "boundary/boundary.h"
#include "diffusion.h"
#include "diffusion_z.h"
#include "boundary/open_faces.h"
#include "rk3.h"

/* A mean velocity below this part of the largest speed is no base for a power. */
static const double POWER_LEAST = 1e-3;

static const double PI = 3.14159265358979323846;

/* The largest bulk velocity that is asked for. */
static double bulk_most(const struct input *in)
{
    if (in->forcing.type != FORCING_BULK_VELOCITY) return 0;
    return fabs(in->forcing.value) + fabs(in->forcing.amplitude);
}

double forcing_speed(const struct run *run)
{
    double most = fmax(boundary_speed(&run->in), bulk_most(&run->in));
    for (int c = 0; c < 3; ++c) most = fmax(most, open_faces_along(run, c));
    return most;
}

static double oscillation(const struct input *in, double t)
{
    if (in->forcing.amplitude == 0) return 0;
    return in->forcing.amplitude * cos(2 * PI * in->forcing.frequency * t + in->forcing.phase);
}

double forcing_value(const struct input *in, double t)
{
    return in->forcing.value + oscillation(in, t);
}

double forcing_turning(const struct input *in)
{
    const double *w = in->forcing.rotation;
    return 2 * sqrt(w[X] * w[X] + w[Y] * w[Y] + w[Z] * w[Z]);
}

double forcing_rate(const struct input *in)
{
    return forcing_turning(in) + (in->forcing.amplitude != 0 ? 2 * PI * in->forcing.frequency : 0);
}

double forcing_courant(const struct run *run)
{
    const struct input *in = &run->in;
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        double speed = 0;
        for (int f = 0; f < FACES; ++f)
            if (in->boundary.face[f] == BOUNDARY_WALL) speed = fmax(speed, fabs(in->boundary.velocity[f][d]));
        if (in->forcing.direction == d) speed = fmax(speed, bulk_most(in));
        speed = fmax(speed, open_faces_along(run, d));
        sum += speed / run->grid.narrowest[d];
    }
    return sum;
}

int forcing_drives(const struct input *in)
{
    for (int f = 0; f < FACES; ++f)
        if (in->boundary.face[f] == BOUNDARY_INFLOW) return 1;
    return in->forcing.type != FORCING_NONE || boundary_moves(in);
}

double forcing_push(const struct run *run)
{
    const int type = run->in.forcing.type;
    const double most = fabs(run->in.forcing.value) + fabs(run->in.forcing.amplitude);
    const double velocity = fabs(run->now.momentum[run->in.forcing.direction]);
    if (type == FORCING_PRESSURE_GRADIENT) return most;
    return type == FORCING_POWER && velocity > 0 ? most / velocity : 0;
}

double forcing_push_courant(const struct run *run)
{
    const int d = run->in.forcing.direction;
    const double push = forcing_push(run), velocity = fabs(run->now.momentum[d]);
    const double alone = sqrt(2 * run->in.time.cfl * push / run->grid.narrowest[d]);
    /* the force of a power is that of the velocity before the step */
    return run->in.forcing.type == FORCING_POWER && velocity > 0 ? fmax(alone, push / velocity) : alone;
}

/* Volume mean of a field at the places of the velocity along d. */
static kol_status bulk(struct run *run, int d, const real *field, double *mean)
{
    static const enum location PLACE[3] = {LOC_FCC, LOC_CFC, LOC_CCF};
    TRY(volume_dot_weighted(run->grid.box, reduction_blocks(run->reduction),
                            grid_stencil(&run->grid, PLACE[d], 0, 1), field));
    TRY(reduction_finish(run->reduction, 1, 0, mean));
    *mean /= run->grid.volume;
    return KOL_OK;
}

/* When, in units of dt, the velocity of stage m is that of: its end; -1: the start of the step. */
static double stage_end(const struct rk3_scheme *rk, int m)
{
    double end = 0;
    for (int i = rk->from_start ? m : 0; i <= m; ++i) end += i < 0 ? 0 : rk->stage[i].c;
    return end;
}

/* What the part of the force that oscillates adds in stage m: it is part of the right-hand sides, with their
 * weights. */
static double oscillating_shift(const struct run *run, int m)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    const struct rk3_stage s = rk->stage[m];
    const double t = run->clock.t, dt = run->clock.dt;
    double sum = s.a * oscillation(&run->in, t + stage_end(rk, m - 1) * dt);
    if (s.a_old != 0) sum += s.a_old * oscillation(&run->in, t + stage_end(rk, m - 2) * dt);
    return dt * sum;
}

/* What a force would add to the velocity if nothing took of it; a force along d leaves `left` of it in the
 * mean. */
static kol_status find_shift(struct run *run, int m, int d, double dts, double left, double *shift)
{
    const int type = run->in.forcing.type;
    const double value = run->in.forcing.value, velocity = run->now.momentum[d];
    double mean = 0;
    if (type == FORCING_PRESSURE_GRADIENT) {
        *shift = dts * value + oscillating_shift(run, m);
    } else if (type == FORCING_BULK_VELOCITY) {
        const double end = run->clock.t + stage_end(rk3_scheme(run->in.time.scheme), m) * run->clock.dt;
        TRY(bulk(run, d, run->vel[d], &mean));
        *shift = (forcing_value(&run->in, end) - mean) / left;
    } else {
        if (!(fabs(velocity) > POWER_LEAST * run->now.speed))
            RAISE(KOL_ERR_NUMERICAL,
                  "forcing.type = 'power': the mean velocity along %c is nearly 0, so no force has the power "
                  "%g; start "
                  "from a moving fluid",
                  "xyz"[d], value);
        *shift = dts * value / velocity;
    }
    return KOL_OK;
}

/* Implicit diffusion between walls: the force is not uniform, so it is added here, and nothing with the
 * correction. */
static kol_status add_shaped(struct run *run, int m, int d, double dts, double *shift)
{
    double left = 0;
    real *shape = NULL, *sum = NULL;
    TRY(diffusion_force(run, d, dts, &shape));
    TRY(bulk(run, d, shape, &left));
    TRY(find_shift(run, m, d, dts, left, shift));
    TRY(pool_hold(run->pool, "velocity", &sum));
    TRY(stream_triad(run->grid.box.size, (real)*shift, run->vel[d], shape, sum));
    TRY(pool_drop(run->pool, &shape));
    TRY(pool_drop(run->pool, &run->vel[d]));
    run->vel[d] = sum;
    return KOL_OK;
}

kol_status forcing_check(const struct run *run)
{
    const int d = run->in.forcing.direction;
    if (run->in.forcing.type != FORCING_POWER || fabs(run->now.momentum[d]) > POWER_LEAST * run->now.speed)
        return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: forcing.type = 'power' needs a mean velocity along %c at the start, and it is %.3g, the "
          "largest "
          "speed %.3g; give an initial.velocity(%d), or choose another forcing.type",
          "xyz"[d], run -> now.momentum[d], run->now.speed, d + 1);
}

kol_status forcing_stage(struct run *run, int m, double dts)
{
    const int d = run->in.forcing.direction;
    double shift = 0;
    if (run->in.forcing.type == FORCING_NONE) return KOL_OK;
    if (diffusion_shapes_force(run)) {
        TRY(add_shaped(run, m, d, dts, &shift));
        run->force.shift[d] = 0;
    } else {
        TRY(find_shift(run, m, d, dts, diffusion_z_mean(run->diffusion_z), &shift));
        run->force.shift[d] = shift;
    }
    /* stages that begin at the start of the step repeat what the stage before added */
    const int afresh = m == 0 || rk3_scheme(run->in.time.scheme)->from_start;
    run->force.added = afresh ? shift : run->force.added + shift;
    return KOL_OK;
}

void forcing_step(struct run *run)
{
    const int d = run->in.forcing.direction;
    run->force.gradient = run->in.forcing.type != FORCING_NONE ? run->force.added / run->clock.dt : 0;
    run->force.power = run->force.gradient * 0.5 * (run->now.momentum[d] + run->before.momentum[d]);
}
