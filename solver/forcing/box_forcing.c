/* Finds the force that drives turbulence in a periodic box, from stage to stage. */
#include "box_forcing.h"

#include <math.h>
#include <stdlib.h>
#include "box_control.h"
#include "inputs/drives.h"
#include "math/rk3_scheme.h"
#include "wave_force.h"

/* An amplitude of a checkpoint is at most AMPLITUDE_MOST, as the numbers of the input. */
static const double AMPLITUDE_MOST = 1e100;

/* stage: the velocity that a stage starts from, and the force there. */
struct stage_force {
    double energy; /* of the fluctuation about the mean [U^2] */
    struct box_pull pull;
    double power; /* [U^2/T] */
};

struct box_forcing {
    struct stage_force stage[3];    /* of 'linear' */
    struct wave_force *waves;       /* 'low-wavenumber'; NULL: 'linear' */
    double state[WAVE_FORCE_STATE]; /* for a checkpoint */
};

kol_status box_forcing_create(struct memory *memory, const struct domain *domain, struct box_forcing **out)
{
    if (!drive_forces_box(domain->in)) return KOL_OK;
    *out = calloc(1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the forcing of the box");
    return drive_forces_waves(domain->in) ? wave_force_create(memory, domain, &(*out)->waves) : KOL_OK;
}

void box_forcing_destroy(struct box_forcing **box)
{
    if (*box == NULL) return;
    wave_force_destroy(&(*box)->waves);
    free(*box);
    *box = NULL;
}

/* The dissipation at the start of stage m, extrapolated linearly from the starts of this step and of the one
 * before. */
static double dissipation_at(const struct flow *flow, int m)
{
    const double now = flow->now.dissipation, before = flow->dissipation_before2;
    if (m == 0 || !(flow->clock.dt_before > 0) || !isfinite(before)) return now;
    const struct rk3_scheme *rk = rk3_scheme(flow->domain->in->time.scheme);
    const double ahead = rk3_stage_end(rk, m - 1) * flow->clock.dt / flow->clock.dt_before;
    return fmax(now + ahead * (now - before), 0);
}

/* Energy of the fluctuation, from that of the velocity and its mean. */
static double fluctuation(double energy, const double mean[3])
{
    return energy - 0.5 * (mean[X] * mean[X] + mean[Y] * mean[Y] + mean[Z] * mean[Z]);
}

/* Finds the linear force of stage m from energy and mean of the velocity that it starts from. */
static kol_status find_pull(struct flow *flow, int m, double energy, const double mean[3])
{
    struct stage_force *s = &flow->force.box->stage[m];
    s->energy = fluctuation(energy, mean);
    if (!(s->energy > KOL_EPSILON * energy))
        RAISE(KOL_ERR_NUMERICAL,
              "forcing.type = 'linear': the kinetic energy of the fluctuation is %.3g, so there is nothing "
              "that "
              "a force proportional to it could drive; start from a turbulent or disturbed flow",
              s->energy);
    s->pull.rate = box_control_rate(flow->domain->in, s->energy, dissipation_at(flow, m));
    for (int d = 0; d < 3; ++d) s->pull.mean[d] = mean[d];
    s->power = 2 * s->pull.rate * s->energy;
    return KOL_OK;
}

kol_status box_forcing_begin(struct flow *flow)
{
    const struct box_forcing *box = flow->force.box;
    if (box == NULL || pool_counts(flow->domain->pool)) return KOL_OK;
    if (box->waves != NULL) return wave_force_begin(box->waves, flow);
    return find_pull(flow, 0, flow->now.energy, flow->now.momentum);
}

struct box_pull box_forcing_pull(const struct flow *flow, int m)
{
    return flow->force.box != NULL ? flow->force.box->stage[m].pull : (struct box_pull){.rate = 0};
}

int box_forcing_sweeps(const struct flow *flow)
{
    return flow->force.box != NULL && flow->force.box->waves != NULL;
}

int box_forcing_moves(const struct flow *flow, int m)
{
    const struct box_forcing *box = flow->force.box;
    return box != NULL && box->waves == NULL && m < 2; /* after a step the monitor has them */
}

kol_status box_forcing_sums(struct flow *flow, struct box_wave_sums *sums)
{
    const struct box_forcing *box = flow->force.box;
    return box_forcing_sweeps(flow) ? wave_force_sums(box->waves, flow, sums) : KOL_OK;
}

kol_status box_forcing_field(struct flow *flow, int m, double factor, struct box_rows *rows)
{
    const struct box_forcing *box = flow->force.box;
    if (box == NULL || box->waves == NULL || pool_counts(flow->domain->pool)) return KOL_OK;
    return wave_force_field(box->waves, flow, m, factor, rows);
}

/* Sums energy and momentum of the velocity: both ways give the same bits. */
static kol_status sum_motion(struct flow *flow, double sum[BOX_SUMS])
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    double limit[LIM_COUNT];
    if (!flow->sums.begun) {
        TRY(box_motion(g->box, g->m, reduction_blocks(domain->reduction), flow->vel));
        return reduction_finish(domain->reduction, BOX_SUMS, 0, sum);
    }
    flow->sums.begun = 0;
    TRY(reduction_collect(domain->reduction, LIM_SUMS, LIM_COUNT - LIM_SUMS, limit));
    sum[BOX_SUM_ENERGY] = limit[LIM_ENERGY];
    for (int d = 0; d < 3; ++d) sum[BOX_SUM_MOMENTUM + d] = limit[LIM_MOM_X + d];
    return KOL_OK;
}

kol_status box_forcing_stage(struct flow *flow, int m)
{
    const struct domain *domain = flow->domain;
    const struct box_forcing *box = flow->force.box;
    double sum[BOX_SUMS];
    if (box == NULL || pool_counts(domain->pool)) return KOL_OK;
    TRY(profile_phase(domain->profile, "correction"));
    if (box->waves != NULL) return wave_force_stage(box->waves, flow, m);
    if (!box_forcing_moves(flow, m)) return KOL_OK;
    TRY(sum_motion(flow, sum));
    for (int n = 0; n < BOX_SUMS; ++n) sum[n] /= domain->grid.volume;
    return find_pull(flow, m + 1, sum[BOX_SUM_ENERGY], sum + BOX_SUM_MOMENTUM);
}

double box_forcing_power(const struct flow *flow)
{
    const struct rk3_scheme *rk = rk3_scheme(flow->domain->in->time.scheme);
    const struct box_forcing *box = flow->force.box;
    double power = 0;
    for (int m = 0; m < 3 && box != NULL; ++m)
        power += rk3_stage_weight(rk, m) *
                 (box->waves != NULL ? wave_force_power(box->waves, m) : box->stage[m].power);
    return power;
}

double box_forcing_rate(const struct flow *flow)
{
    const struct box_forcing *box = flow->force.box;
    const double k = fluctuation(flow->now.energy, flow->now.momentum);
    if (box == NULL || !(k > 0)) return 0;
    if (box->waves != NULL) return wave_force_rate(box->waves, flow);
    return fabs(box_control_rate(flow->domain->in, k, flow->now.dissipation));
}

double box_forcing_push(const struct flow *flow)
{
    return wave_force_push(flow->domain->in);
}

/* --- checkpoints --- */

int box_forcing_stored(const struct flow *flow)
{
    return flow->force.box != NULL && flow->force.box->waves != NULL ? WAVE_FORCE_STATE : 0;
}

void box_forcing_take(const struct flow *flow)
{
    if (box_forcing_stored(flow)) wave_force_store(flow->force.box->waves, flow->force.box->state);
}

struct io_view box_forcing_view(const struct flow *flow)
{
    const int all = box_forcing_stored(flow), held = all > 0 && flow->domain->comm.rank == 0;
    return io_view_list("forcing", "amplitudes of the forced waves", all,
                        held ? flow->force.box->state : NULL);
}

kol_status box_forcing_sound(const struct flow *flow, const char *file)
{
    const double *state = flow->force.box->state;
    for (int n = 0; n < WAVE_FORCE_STATE && flow->domain->comm.rank == 0; ++n) {
        const int is_flag = n < WAVE_FORCE_FLAGS;
        if (is_flag ? state[n] == 0 || state[n] == 1 : fabs(state[n]) <= AMPLITUDE_MOST) continue;
        RAISE(KOL_ERR_IO,
              "%s: number %d of 'forcing', the amplitudes of the forced waves, is %g, but %s; use an "
              "older checkpoint",
              file, n + 1, state[n], is_flag ? "it can be 0 or 1" : "its size can be at most 1e+100");
    }
    return KOL_OK;
}

kol_status box_forcing_given(struct flow *flow, int other_grid)
{
    struct box_forcing *box = flow->force.box;
    MPI_TRY(MPI_Bcast(box->state, WAVE_FORCE_STATE, MPI_DOUBLE, 0, flow->domain->comm.mpi));
    wave_force_restore(box->waves, box->state, other_grid);
    return KOL_OK;
}
