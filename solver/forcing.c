#include "forcing.h"

#include <math.h>
#include "../kernels/dot.h"
#include "boundary.h"
#include "diffusion_z.h"
#include "rk3.h"

/* A mean velocity below this part of the largest speed is no base for a power. */
static const double POWER_LEAST = 1e-3;

double forcing_speed(const struct input *in)
{
    const double bulk = in->forcing.type == FORCING_BULK_VELOCITY ? fabs(in->forcing.value) : 0;
    return fmax(boundary_speed(in), bulk);
}

double forcing_courant(const struct input *in, const struct grid *g)
{
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        double speed = 0;
        for (int f = 0; f < FACES; ++f)
            if (in->boundary.face[f] == BOUNDARY_WALL) speed = fmax(speed, fabs(in->boundary.velocity[f][d]));
        if (in->forcing.type == FORCING_BULK_VELOCITY && in->forcing.direction == d)
            speed = fmax(speed, fabs(in->forcing.value));
        sum += speed / g->narrowest[d];
    }
    return sum;
}

int forcing_drives(const struct input *in)
{
    return in->forcing.type != FORCING_NONE || boundary_moves(in);
}

/* Volume mean of the predicted velocity along d. */
static kol_status bulk(struct run *run, int d, double *mean)
{
    static const enum location PLACE[3] = {LOC_FCC, LOC_CFC, LOC_CCF};
    TRY(dot_volume(run->grid.box, reduction_blocks(run->reduction), grid_stencil(&run->grid, PLACE[d], 0, 1),
                   run->vel[d]));
    TRY(reduction_finish(run->reduction, 1, 0, mean));
    *mean /= run->grid.volume;
    return KOL_OK;
}

kol_status forcing_stage(struct run *run, int m, double dts)
{
    const int type = run->in.forcing.type, d = run->in.forcing.direction;
    const double value = run->in.forcing.value, velocity = run->now.momentum[d];
    double shift = 0, mean = 0;
    if (type == FORCING_NONE) return KOL_OK;
    if (type == FORCING_PRESSURE_GRADIENT) {
        shift = dts * value;
    } else if (type == FORCING_BULK_VELOCITY) {
        TRY(bulk(run, d, &mean));
        shift = (value - mean) / diffusion_z_mean(run->diffusion_z);
    } else {
        if (!(fabs(velocity) > POWER_LEAST * run->now.speed))
            RAISE(KOL_ERR_NUMERICAL,
                  "forcing.type = 'power': the mean velocity along %c is nearly 0, so no force has the power "
                  "%g; start "
                  "from a moving fluid",
                  "xyz"[d], value);
        shift = dts * value / velocity;
    }
    /* stages that begin at the start of the step repeat what the stage before added */
    const int afresh = m == 0 || rk3_scheme(run->in.time.scheme)->from_start;
    run->force.shift[d] = shift;
    run->force.added = afresh ? shift : run->force.added + shift;
    return KOL_OK;
}

void forcing_step(struct run *run)
{
    const int d = run->in.forcing.direction;
    run->force.gradient = run->in.forcing.type != FORCING_NONE ? run->force.added / run->clock.dt : 0;
    run->force.power = run->force.gradient * 0.5 * (run->now.momentum[d] + run->before.momentum[d]);
}
