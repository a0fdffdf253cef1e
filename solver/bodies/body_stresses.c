/* Adds up pressure and shear at the points of the surface of bodies. */
#include "body_stresses.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "math/rk3_scheme.h"

/* Rounding of the time at which averages start. */
static const double START_SLACK = 1e-12;
/* The largest size of a number in the state of a checkpoint that is taken for sound. */
static const double NUMBER_MOST = 1e100;

/* The first numbers of the state in checkpoints; then comes one for each slot of struct surface_points. */
enum { STATE_START, STATE_DURATION, STATE_STEPS, STATE_NUMBERS };

struct body_stresses {
    const struct domain *domain; /* borrowed */
    const struct body_forces *forces;
    struct body_items items;
    struct surface_points points;
    int interval, averages;       /* whether averages are wanted */
    long long step;               /* the step whose contributions are being added up; -1: none */
    int m, counts;                /* its stage; whether that is a part of them */
    int record, sample;           /* whether it is for a file, for the averages */
    double *before, *total, *sum; /* kernel memory; sum: over the steps of the averages */
    double *host;
    struct body_surface_average average;
    double *state; /* rank 0: of checkpoints */
};

static int wanted(const struct input *in)
{
    return in->output.surface_interval > 0 || in->output.surface_start >= 0;
}

/* Takes the arrays of kernel memory, and one of host memory. */
static kol_status take_arrays(struct body_stresses *s)
{
    struct memory *memory = s->domain->memory;
    const size_t values = (size_t)body_stress_values(s->items) * sizeof(double) + 1;
    TRY(memory_kernel(memory, (size_t)s->items.links.n * sizeof(double) + 1, (void **)&s->before));
    TRY(memory_kernel(memory, values, (void **)&s->total));
    if (s->averages) TRY(memory_kernel(memory, values, (void **)&s->sum));
    TRY(memory_host(memory, values, (void **)&s->host));
    if (!s->averages || memory_counts(memory)) return KOL_OK;
    for (ptrdiff_t n = 0; n < body_stress_values(s->items); ++n) s->host[n] = 0;
    return mem_to_kernel(s->sum, s->host, (size_t)body_stress_values(s->items) * sizeof(double));
}

kol_status body_stresses_create(const struct domain *domain, const struct body_geometry *geometry,
                                const struct body_forces *forces, struct body_stresses **out)
{
    *out = NULL;
    if (forces == NULL || !wanted(domain->in)) return KOL_OK;
    struct body_stresses *s = *out = calloc(1, sizeof *s);
    kol_status st = KOL_OK;
    if (s == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for surface data of bodies");
    TRY(memory_agree(domain->memory, &domain->comm, st));
    s->domain = domain;
    s->forces = forces;
    s->items = body_forces_items(forces);
    s->interval = domain->in->output.surface_interval;
    s->averages = domain->in->output.surface_start >= 0;
    s->average.start = domain->in->output.surface_start;
    s->step = -1;
    TRY(memory_agree(domain->memory, &domain->comm, take_arrays(s)));
    if (memory_counts(domain->memory)) return KOL_OK;
    TRY(surface_points_create(domain, geometry, body_forces_surfaces(forces), &s->points));
    if (s->averages && domain->comm.rank == 0) {
        s->state = calloc((size_t)s->points.slots + STATE_NUMBERS, sizeof *s->state);
        if (s->state == NULL)
            st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for surface data of bodies");
    }
    return comm_agree(&domain->comm, st);
}

void body_stresses_destroy(struct body_stresses **stresses)
{
    struct body_stresses *s = *stresses;
    if (s == NULL) return;
    mem_kernel_free(s->before);
    mem_kernel_free(s->total);
    mem_kernel_free(s->sum);
    mem_host_free(s->host);
    surface_points_free(&s->points);
    free(s->state);
    free(s);
    *stresses = NULL;
}

/* --- a step --- */

int body_stresses_adding(const struct body_stresses *s, const struct flow *flow)
{
    return s != NULL && s->counts && s->step == flow->clock.step + 1;
}

static void begin(struct body_stresses *s, const struct flow *flow)
{
    const long long step = flow->clock.step + 1;
    const double start = s->average.start;
    s->record = s->interval > 0 && step % s->interval == 0;
    s->sample = s->averages && flow->clock.t >= start - START_SLACK * fabs(start);
    s->step = s->record || s->sample ? step : -1;
}

kol_status body_stresses_predict(struct body_stresses *s, const struct flow *flow, int m)
{
    if (s == NULL) return KOL_OK;
    const struct domain *domain = s->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const struct rk3_stage stage = rk->stage[m];
    if (m == 0) begin(s, flow);
    s->m = m;
    s->counts = m == 2 || !rk->from_start; /* else the next stage replaces what this one does */
    if (!body_stresses_adding(s, flow)) return KOL_OK;
    return body_stress_rates(domain->grid.box, domain->grid.m, s->items, (real)domain->in->fluid.nu,
                             flow->vel, m > 0 && !rk->from_start, stage.a * flow->clock.dt,
                             stage.a_old * flow->clock.dt, s->before, s->total);
}

kol_status body_stresses_drag(struct body_stresses *s, const struct flow *flow,
                              const struct body_points points[3], double dts)
{
    if (!body_stresses_adding(s, flow)) return KOL_OK;
    return body_stress_drag(s->domain->grid.box, s->domain->grid.m, s->items, points, (real)dts, flow->vel,
                            s->total);
}

kol_status body_stresses_pressure(struct body_stresses *s, const struct flow *flow, double dts,
                                  const real *phi)
{
    if (!body_stresses_adding(s, flow)) return KOL_OK;
    TRY(body_stress_pressure(s->domain->grid.box, s->items, (real)dts, flow->pressure.p, phi, s->total));
    if (s->m < 2 || !s->sample) return KOL_OK;
    s->average.duration += flow->clock.dt;
    ++s->average.steps;
    return body_stress_sum(body_stress_values(s->items), s->total, s->sum);
}

/* --- results --- */

int body_stresses_known(const struct body_stresses *s, const struct flow *flow)
{
    return s != NULL && s->record && s->step == flow->clock.step;
}

const struct surface_points *body_stresses_points(const struct body_stresses *s)
{
    return &s->points;
}

/* Brings values of kernel memory to rank 0. */
static kol_status gather(struct body_stresses *s, const double *values)
{
    const int n = (int)body_stress_values(s->items);
    if (n > 0) TRY(mem_to_host(s->host, values, (size_t)n * sizeof *s->host));
    return surface_points_gather(s->domain, &s->points, s->host, n);
}

kol_status body_stresses_of_step(struct body_stresses *s, const struct flow *flow, double *pressure,
                                 double *shear)
{
    TRY(gather(s, s->total));
    if (s->domain->comm.rank == 0) surface_points_fill(&s->points, flow->clock.dt, pressure, shear);
    return KOL_OK;
}

struct body_surface_average body_stresses_average(const struct body_stresses *s)
{
    return s != NULL ? s->average : (struct body_surface_average){0, 0, 0};
}

kol_status body_stresses_average_of(struct body_stresses *s, double *pressure, double *shear)
{
    if (s == NULL || !s->averages) return KOL_OK;
    TRY(gather(s, s->sum));
    if (s->domain->comm.rank != 0) return KOL_OK;
    s->state[STATE_START] = s->average.start;
    s->state[STATE_DURATION] = s->average.duration;
    s->state[STATE_STEPS] = (double)s->average.steps;
    for (int n = 0; n < s->points.slots; ++n)
        s->state[STATE_NUMBERS + n] = s->points.values[s->points.slot[n]];
    if (s->average.duration > 0) surface_points_fill(&s->points, s->average.duration, pressure, shear);
    return KOL_OK;
}

/* --- checkpoints --- */

int body_stresses_stored(const struct body_stresses *s)
{
    return s != NULL && s->averages ? s->points.slots + STATE_NUMBERS : 0;
}

struct io_view body_stresses_view(const struct body_stresses *s)
{
    const int all = body_stresses_stored(s);
    return io_view_list("surface", "sums of the averages on the surface of bodies", all,
                        all > 0 && s->domain->comm.rank == 0 ? s->state : NULL);
}

kol_status body_stresses_sound(const struct body_stresses *s, const char *file)
{
    for (int n = 0; n < body_stresses_stored(s) && s->domain->comm.rank == 0; ++n) {
        const int counts = n == STATE_DURATION || n == STATE_STEPS;
        if (fabs(s->state[n]) <= NUMBER_MOST && !(counts && s->state[n] < 0)) continue;
        RAISE(
            KOL_ERR_IO,
            "%s: number %d of 'surface', the averages on the surface of bodies, is %g, but %s; use an older "
            "checkpoint",
            file, n + 1, s->state[n], counts ? "it can't be negative" : "its size can be at most 1e+100");
    }
    return KOL_OK;
}

kol_status body_stresses_given(struct body_stresses *s, int *continued)
{
    const struct comm *c = &s->domain->comm;
    const int n = (int)body_stress_values(s->items);
    double first[STATE_NUMBERS] = {0, 0, 0};
    for (int i = 0; i < STATE_NUMBERS && c->rank == 0; ++i) first[i] = s->state[i];
    MPI_TRY(MPI_Bcast(first, STATE_NUMBERS, MPI_DOUBLE, 0, c->mpi));
    *continued = first[STATE_START] == s->average.start;
    if (!*continued) return KOL_OK;
    s->average.duration = first[STATE_DURATION];
    s->average.steps = (long long)first[STATE_STEPS];
    for (int i = 0; i < s->points.slots && c->rank == 0; ++i)
        s->points.values[s->points.slot[i]] = s->state[STATE_NUMBERS + i];
    TRY(surface_points_scatter(s->domain, &s->points, s->host, n));
    return n > 0 ? mem_to_kernel(s->sum, s->host, (size_t)n * sizeof *s->host) : KOL_OK;
}
