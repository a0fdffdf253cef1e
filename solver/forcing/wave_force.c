/* Finds the force in the lowest waves of a periodic box, and what it adds to the velocity of each stage. */
#include "wave_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "box_random.h"
#include "box_wave_set.h"
#include "inputs/drives.h"
#include "kernels/base/constants.h"
#include "math/rk3_scheme.h"

/* Bits of a sum over the box of a product of velocity and wave, and bits by which it may exceed the bound
 * that the last step's speed gives. 63 bits hold it. */
enum { SUM_BITS = 62, BITS_TO_SPARE = 10 };
/* The largest value of a random force over its root mean square. */
static const double PEAK = 4;

_Static_assert((int)WAVE_FORCE_STATE == 2 + (int)BOX_PAIRS * (3 + 2) * 2, "the state has all amplitudes");

struct wave_force {
    const struct domain *domain; /* borrowed */
    struct box_wave_set set;
    double *tables;            /* kernel memory */
    double *rows;              /* kernel memory: what the force adds to the velocity of a stage */
    struct box_wave_sums sums; /* over this rank's cells */
    long long *h_total;
    int known;                                    /* whether `velocity` is that of the flow */
    int drawn;                                    /* whether `random` has its first values */
    box_vector velocity[BOX_PAIRS];               /* that the coming stage starts from [U] */
    box_vector now[BOX_PAIRS], before[BOX_PAIRS]; /* force of this stage and of the one before [U/T] */
    box_vector push[BOX_PAIRS];                   /* what the force adds to the velocity of this stage [U] */
    double complex random[BOX_PAIRS][2];
    double power[3];
};

/* The number of values in the tables. */
static size_t table_values(const struct decomp *d)
{
    return BOX_QUAD * (size_t)d->n[Z] + BOX_FUNCTIONS * ((size_t)d->n[X] + (size_t)d->n[Y]);
}

/* The phase of an own centre. */
static double phase_of(const struct decomp *d, int a, int i)
{
    return 2 * PI * (d->offset[a] + i + 0.5) / d->n_g[a];
}

/* Fills the tables of the functions at the own centres: of z, which must be aligned, then of x and of y. */
static kol_status fill_tables(struct wave_force *force)
{
    const struct decomp *d = &force->domain->decomp;
    const size_t bytes = table_values(d) * sizeof(double);
    double *host = malloc(bytes);
    ptrdiff_t at = 0;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the tables of waves");
    force->set.waves.z = force->tables;
    force->set.waves.x = force->set.waves.z + BOX_QUAD * d->n[Z];
    force->set.waves.y = force->set.waves.x + BOX_FUNCTIONS * d->n[X];
    for (int k = 0; k < d->n[Z]; ++k)
        for (int f = 1; f < BOX_FUNCTIONS; ++f) host[at++] = box_wave_function(f, phase_of(d, Z, k));
    for (int a = X; a <= Y; ++a)
        for (int f = 0; f < BOX_FUNCTIONS; ++f)
            for (int i = 0; i < d->n[a]; ++i) host[at++] = box_wave_function(f, phase_of(d, a, i));
    const kol_status st = mem_to_kernel(force->tables, host, bytes);
    free(host);
    return st;
}

kol_status wave_force_create(struct memory *memory, const struct domain *domain, struct wave_force **out)
{
    struct wave_force *force = calloc(1, sizeof *force);
    if (force == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the forcing of the box");
    *out = force;
    force->domain = domain;
    const int *n = domain->decomp.n;
    const size_t rows = BOX_ROW * (size_t)n[Y] * (size_t)n[Z];
    TRY(memory_kernel(memory, table_values(&domain->decomp) * sizeof(double), (void **)&force->tables));
    TRY(memory_kernel(memory, rows * sizeof(double), (void **)&force->rows));
    TRY(memory_kernel(memory, BOX_TOTALS * sizeof(long long), (void **)&force->sums.total));
    TRY(memory_host(memory, 3 * BOX_PRODUCTS * sizeof(long long), (void **)&force->h_total));
    box_wave_set_make(domain->in, &force->set);
    return memory_counts(memory) ? KOL_OK : fill_tables(force);
}

void wave_force_destroy(struct wave_force **force)
{
    if (*force == NULL) return;
    mem_kernel_free((*force)->tables);
    mem_kernel_free((*force)->rows);
    mem_kernel_free((*force)->sums.total);
    mem_host_free((*force)->h_total);
    free(*force);
    *force = NULL;
}

/* The power of two by which sums of velocity times wave are multiplied before they become integers. */
static double scale_of(const struct wave_force *force, const struct flow *flow)
{
    const int *n = force->domain->decomp.n_g;
    const double cells = (double)n[X] * n[Y] * n[Z],
                 pushed =
                     sqrt(box_waves_dot(&force->set, (box_vector *)force->now, (box_vector *)force->now)),
                 speed = fmax(flow->now.speed, PEAK * pushed * flow->clock.dt);
    int exponent = 0;
    if (speed > 0) frexp(speed * cells, &exponent);
    return ldexp(1, SUM_BITS - BITS_TO_SPARE - exponent);
}

static void set_sums(struct wave_force *force, const struct flow *flow)
{
    force->sums.waves = force->set.waves;
    force->sums.scale = scale_of(force, flow);
}

/* Finds the amplitudes of the velocity from the sums that a kernel has left. */
static kol_status find_velocity(struct wave_force *force)
{
    const struct domain *domain = force->domain;
    const int *n = domain->decomp.n_g;
    double mean[3][BOX_PRODUCTS];
    TRY(mem_to_host(force->h_total, force->sums.total, 3 * BOX_PRODUCTS * sizeof *force->h_total));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, force->h_total, 3 * BOX_PRODUCTS, MPI_LONG_LONG, MPI_SUM,
                          domain->comm.mpi));
    const double cells = (double)n[X] * n[Y] * n[Z];
    for (int q = 0; q < 3 * BOX_PRODUCTS; ++q)
        mean[q / BOX_PRODUCTS][q % BOX_PRODUCTS] = (double)force->h_total[q] / force->sums.scale / cells;
    box_waves_find(&force->set, mean, force->velocity);
    force->known = 1;
    return KOL_OK;
}

/* The force whose amplitudes are proportional to those of the velocity, and whose power is the one asked
 * for. */
static kol_status follow_velocity(struct wave_force *force, const struct flow *flow)
{
    const double square = box_waves_dot(&force->set, force->velocity, force->velocity);
    if (!(square > KOL_EPSILON * flow->now.energy))
        RAISE(
            KOL_ERR_NUMERICAL,
            "forcing.type = 'low-wavenumber': the velocity has an energy of %.3g in the forced waves, so no "
            "force can have the power %g there; start from a flow that has large scales",
            0.5 * square, force->domain->in->forcing.value);
    for (int n = 0; n < force->set.pairs; ++n)
        for (int d = 0; d < 3; ++d)
            force->now[n][d] = force->domain->in->forcing.value / square * force->velocity[n][d];
    return KOL_OK;
}

/* The force of random amplitudes. The mean square of the force is the sum over the pairs of 2 |z|^2, for two
 * amplitudes z of each. */
static void draw(struct wave_force *force, const struct flow *flow)
{
    const struct input *in = force->domain->in;
    const double variance = in->forcing.value * in->forcing.value / (4 * force->set.pairs);
    for (int n = 0; n < force->set.pairs; ++n) {
        double complex *z = force->random[n];
        if (force->drawn) {
            box_random_step(in->run.seed, flow->clock.step, n, variance,
                            flow->clock.dt / in->forcing.correlation_time, z);
        } else {
            box_random_start(in->run.seed, n, variance, z);
        }
        for (int d = 0; d < 3; ++d)
            force->now[n][d] = z[0] * force->set.across[n][0][d] + z[1] * force->set.across[n][1][d];
    }
    force->drawn = 1;
}

/* Finds the force of stage m, and its power. */
static kol_status find_force(struct wave_force *force, const struct flow *flow, int m)
{
    if (!drive_is_random(force->domain->in)) TRY(follow_velocity(force, flow));
    force->power[m] = box_waves_dot(&force->set, force->now, force->velocity);
    return KOL_OK;
}

kol_status wave_force_begin(struct wave_force *force, const struct flow *flow)
{
    const struct domain *domain = force->domain;
    if (drive_is_random(domain->in)) draw(force, flow);
    if (!force->known) {
        set_sums(force, flow);
        TRY(box_waves_sum(domain->grid.box, reduction_blocks(domain->reduction), flow->vel, force->sums));
        TRY(find_velocity(force));
    }
    return find_force(force, flow, 0);
}

/* Finds what the force adds to the velocity in stage m. An implicit diffusion would have divided it by
 * 1 + factor k^2, as it divides all waves. */
static void find_push(struct wave_force *force, const struct flow *flow, int m, double factor)
{
    const struct rk3_stage s = rk3_scheme(force->domain->in->time.scheme)->stage[m];
    const double dt = flow->clock.dt;
    for (int n = 0; n < force->set.pairs; ++n) {
        const double *k = force->set.modified[n],
                     left = 1 + factor * (k[X] * k[X] + k[Y] * k[Y] + k[Z] * k[Z]);
        for (int d = 0; d < 3; ++d) {
            force->push[n][d] = dt * s.a / left * force->now[n][d];
            if (s.a_old != 0) force->push[n][d] += dt * s.a_old / left * force->before[n][d];
        }
    }
}

kol_status wave_force_sums(struct wave_force *force, const struct flow *flow, struct box_wave_sums *sums)
{
    set_sums(force, flow);
    *sums = force->sums;
    return box_waves_begin(force->sums);
}

kol_status wave_force_field(struct wave_force *force, const struct flow *flow, int m, double factor,
                            struct box_rows *rows)
{
    find_push(force, flow, m, factor);
    rows->row = force->rows;
    rows->x = force->set.waves.x;
    return box_waves_rows(force->domain->grid.box, force->set.waves,
                          box_waves_expand(&force->set, force->push), force->rows);
}

/* The correction by a gradient takes from the waves of the prediction what lies along their modified
 * wavenumber, and find_velocity() leaves that out. */
kol_status wave_force_stage(struct wave_force *force, const struct flow *flow, int m)
{
    TRY(box_waves_finish(force->sums));
    TRY(find_velocity(force));
    for (int n = 0; n < force->set.pairs; ++n)
        for (int d = 0; d < 3; ++d) force->velocity[n][d] += force->push[n][d];
    memcpy(force->before, force->now, sizeof force->now);
    return m < 2 ? find_force(force, flow, m + 1) : KOL_OK;
}

double wave_force_power(const struct wave_force *force, int m)
{
    return force->power[m];
}

double wave_force_rate(const struct wave_force *force, const struct flow *flow)
{
    const double square = force->known ? box_waves_dot(&force->set, (box_vector *)force->velocity,
                                                       (box_vector *)force->velocity)
                                       : 2 * flow->now.energy;
    if (drive_is_random(force->domain->in) || !(square > 0)) return 0;
    return force->domain->in->forcing.value / square;
}

double wave_force_push(const struct input *in)
{
    return drive_is_random(in) ? PEAK * in->forcing.value : 0;
}

/* --- the state --- */

void wave_force_store(const struct wave_force *force, double out[WAVE_FORCE_STATE])
{
    *out++ = force->known;
    *out++ = force->drawn;
    for (int n = 0; n < BOX_PAIRS; ++n) {
        for (int d = 0; d < 3; ++d) {
            *out++ = creal(force->velocity[n][d]);
            *out++ = cimag(force->velocity[n][d]);
        }
        for (int a = 0; a < 2; ++a) {
            *out++ = creal(force->random[n][a]);
            *out++ = cimag(force->random[n][a]);
        }
    }
}

void wave_force_restore(struct wave_force *force, const double from[WAVE_FORCE_STATE], int other_grid)
{
    force->known = *from++ != 0 && !other_grid;
    force->drawn = *from++ != 0;
    for (int n = 0; n < BOX_PAIRS; ++n) {
        for (int d = 0; d < 3; ++d, from += 2) force->velocity[n][d] = from[0] + I * from[1];
        for (int a = 0; a < 2; ++a, from += 2) force->random[n][a] = from[0] + I * from[1];
    }
}
