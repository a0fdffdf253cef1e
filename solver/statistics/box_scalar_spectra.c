/* Computes spectra of scalars in a periodic box. */
#include "box_scalar_spectra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "box_spectra_internal.h"
#include "inputs/scalars.h"
#include "kernels/base/constants.h"
#include "kernels/base/mem.h"
#include "kernels/update.h"
#include "math/central_moments.h"
#include "scalars/scalar_stage.h"

/* Products of the coefficients of a scalar: with those of its convection, and of the velocity in the cell. */
enum { WITH_CONVECTION, WITH_VELOCITY, PRODUCTS = WITH_VELOCITY + 3 };
/* A sample of a scalar holds these in each shell, then the spectra along x, y, z, then the mean. */
enum { T_VARIANCE, T_TRANSFER, T_DISSIPATION, T_FLUX, T_SHELLS = T_FLUX + 3 };
/* Derived numbers: integral lengths along x, y, z; the sums over the shells. */
enum { T_LENGTH, T_SUM_VARIANCE = T_LENGTH + 3, T_SUM_DISSIPATION, T_NUMBERS };

struct box_scalar_spectra {
    const struct box_spectra *of;
    int count;
    struct {
        const char *name, *unit; /* borrowed from the input */
        double kappa;
    } scalar[SCALARS_MOST];
    double *sums;      /* kernel memory */
    double *own, *all; /* host: sums of this rank, of the grid */
    ptrdiff_t own_each, all_each;
};

/* --- sums --- */

/* Number of sums of a scalar in `groups` groups of `planes` planes: products by shell, then by planes along
 * x, y and z. */
static ptrdiff_t sums_of(const struct box_spectra *s, int groups, int planes)
{
    return (ptrdiff_t)groups * PRODUCTS * SHELL_SUMS * s->shells + planes +
           (ptrdiff_t)groups * (s->n[Y] + s->n[Z]);
}

static ptrdiff_t planes_at(const struct box_spectra *s, int groups)
{
    return (ptrdiff_t)groups * PRODUCTS * SHELL_SUMS * s->shells;
}

kol_status box_scalar_spectra_create(struct memory *memory, const struct input *in,
                                     const struct box_spectra *spectra, struct box_scalar_spectra **out)
{
    const int count = scalar_count(in);
    if (count == 0) return KOL_OK;
    struct box_scalar_spectra *q = *out = calloc(1, sizeof *q);
    if (q == NULL) RAISE(KOL_ERR_MEMORY, "no memory for spectra of scalars");
    q->of = spectra;
    q->count = count;
    for (int n = 0; n < count; ++n) {
        q->scalar[n].name = in->scalars.name[n];
        q->scalar[n].unit = in->scalars.unit[n];
        q->scalar[n].kappa = scalar_diffusivity(in, n);
    }
    q->own_each = sums_of(spectra, spectra->slab.groups, spectra->slab.planes);
    q->all_each = sums_of(spectra, spectra->groups_g, spectra->n[X]) + 1; /* the mean behind them */
    TRY(memory_kernel(memory, (size_t)(count * q->own_each + 1) * sizeof(double), (void **)&q->sums));
    TRY(memory_host(memory, (size_t)(count * q->own_each + 1) * sizeof(double), (void **)&q->own));
    return memory_host(memory, (size_t)(count * q->all_each) * sizeof(double), (void **)&q->all);
}

void box_scalar_spectra_destroy(struct box_scalar_spectra **scalars)
{
    struct box_scalar_spectra *q = *scalars;
    if (q == NULL) return;
    mem_kernel_free(q->sums);
    mem_host_free(q->own);
    mem_host_free(q->all);
    free(q);
    *scalars = NULL;
}

static int waves_all(const struct box_spectra *s)
{
    return s->waves[X] + s->waves[Y] + s->waves[Z];
}

static int values_each(const struct box_scalar_spectra *q)
{
    return T_SHELLS * q->of->shells + waves_all(q->of) + 1;
}

int box_scalar_spectra_values(const struct box_scalar_spectra *q)
{
    return q == NULL ? 0 : q->count * values_each(q);
}

/* --- samples --- */

/* Makes the second factor of a product at cell centres: the convection of scalar n, or the mean of the
 * velocity on both faces of the cell. */
static kol_status make_factor(const struct flow *flow, int n, int product, real *spare, real *to)
{
    const struct box b = flow->domain->grid.box;
    const ptrdiff_t up[3] = {1, b.sy, b.sz};
    const int d = product - WITH_VELOCITY;
    if (product == WITH_CONVECTION) return scalar_stage_rate(flow, n, 0, spare, to);
    return update_combine(b, (real)0.5, flow->vel[d], (real)0.5, flow->vel[d] + up[d], to);
}

static kol_status sum_scalar(struct box_scalar_spectra *q, struct box_slabs *slabs, const struct flow *flow,
                             int n, real *const spare[3], double *const work[BOX_SPECTRA_WORK])
{
    const struct box_spectra *s = q->of;
    const int groups = s->slab.groups, planes = s->slab.planes;
    double *sums = q->sums + n * q->own_each, *along_x = sums + planes_at(s, groups),
           *along_y = along_x + planes, *along_z = along_y + (ptrdiff_t)groups * s->n[Y];
    double *t[2] = {work[0], work[1]}, *mean = q->all + (n + 1) * q->all_each - 1;
    TRY(box_slabs_spectrum(slabs, flow->scalar[n], t));
    double *scratch = t[1];
    for (int k = 0; k < PRODUCTS; ++k) {
        double *f[2] = {work[2], scratch};
        TRY(make_factor(flow, n, k, spare[0], spare[1]));
        TRY(box_slabs_spectrum(slabs, spare[1], f));
        TRY(shells_sum(s->kernel, 0, t[0], f[0], sums + (ptrdiff_t)k * groups * SHELL_SUMS * s->shells));
    }
    TRY(shells_planes(s->kernel, t[0], s->lines, along_x, along_y, along_z));
    *mean = 0;
    return s->slab.first > 0 || planes == 0 ? KOL_OK : mem_to_host(mean, t[0], sizeof *mean);
}

/* Copies the sums of this rank to their places among those of the whole grid; the other places are 0. So the
 * sum over ranks is exact in any order. */
static void place_own(const struct box_scalar_spectra *q, const double *from, double *to)
{
    const struct box_spectra *s = q->of;
    const struct box_slab b = s->slab;
    const ptrdiff_t each = (ptrdiff_t)SHELL_SUMS * s->shells;
    memset(to, 0, (size_t)(q->all_each - 1) * sizeof *to);
    if (b.planes == 0) return;
    for (int k = 0; k < PRODUCTS; ++k, from += b.groups * each, to += s->groups_g * each)
        memcpy(to + b.first_group * each, from, (size_t)(b.groups * each) * sizeof *to);
    box_spectra_place_planes(s, from, to);
}

/* Adds the groups of one sum of a product, by shell. */
static double *add_shells(const struct box_spectra *s, const double *all, int product, int sum, double scale,
                          double *value)
{
    const ptrdiff_t each = (ptrdiff_t)SHELL_SUMS * s->shells;
    const double *from = all + (ptrdiff_t)product * s->groups_g * each + (ptrdiff_t)sum * s->shells;
    for (int n = 0; n < s->shells; ++n) /* no negative zeros */
        *value++ = scale * box_spectra_over_groups(from + n, s->groups_g, each) + 0.0;
    return value;
}

static void add_up(const struct box_scalar_spectra *q, int n, double *value)
{
    const struct box_spectra *s = q->of;
    const double *all = q->all + n * q->all_each, *x = all + planes_at(s, s->groups_g), *y = x + s->n[X],
                 *z = y + (ptrdiff_t)s->groups_g * s->n[Y];
    const double scale = 1 / (s->cells * s->cells * s->step);
    value = add_shells(s, all, WITH_CONVECTION, SHELL_ENERGY, scale, value);
    value = add_shells(s, all, WITH_CONVECTION, SHELL_TRANSFER, 2 * scale, value);
    value = add_shells(s, all, WITH_CONVECTION, SHELL_DISSIPATION, 2 * q->scalar[n].kappa * scale, value);
    for (int d = 0; d < 3; ++d) value = add_shells(s, all, WITH_VELOCITY + d, SHELL_TRANSFER, scale, value);
    value = box_spectra_add_axis(s, X, x, 1, value);
    value = box_spectra_add_axis(s, Y, y, s->groups_g, value);
    value = box_spectra_add_axis(s, Z, z, s->groups_g, value);
    *value = all[q->all_each - 1] / s->cells + 0.0;
}

kol_status box_scalar_spectra_sample(struct box_scalar_spectra *q, struct box_slabs *slabs,
                                     const struct flow *flow, real *const spare[3],
                                     double *const work[BOX_SPECTRA_WORK], double *value)
{
    if (q == NULL) return KOL_OK;
    const struct comm *comm = q->of->comm;
    for (int n = 0; n < q->count; ++n) TRY(sum_scalar(q, slabs, flow, n, spare, work));
    TRY(mem_to_host(q->own, q->sums, (size_t)(q->count * q->own_each) * sizeof *q->own));
    for (int n = 0; n < q->count; ++n) { /* the sums of all scalars may exceed the range of int */
        double *all = q->all + n * q->all_each;
        place_own(q, q->own + n * q->own_each, all);
        if (comm->size == 1) continue;
        const int root = comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : all, root ? all : NULL, (int)q->all_each, MPI_DOUBLE,
                           MPI_SUM, 0, comm->mpi));
    }
    for (int n = 0; n < q->count && value != NULL; ++n) add_up(q, n, value + n * values_each(q));
    return KOL_OK;
}

double box_scalar_spectra_mean(const struct box_scalar_spectra *q, const double *value, int n)
{
    return value[(n + 1) * values_each(q) - 1];
}

/* The spectrum along a direction, of a sample. */
static const double *axis_spectrum(const struct box_scalar_spectra *q, const double *value, int n,
                                   int direction)
{
    value += n * values_each(q) + (ptrdiff_t)T_SHELLS * q->of->shells;
    for (int d = 0; d < direction; ++d) value += q->of->waves[d];
    return value;
}

double box_scalar_spectra_variance(const struct box_scalar_spectra *q, const double *value, int n)
{
    const double *spectrum = axis_spectrum(q, value, n, X), mean = box_scalar_spectra_mean(q, value, n);
    double sum = 0;
    for (int m = 0; m < q->of->waves[X]; ++m) sum += spectrum[m] * q->of->step_along[X];
    return central_moments_there(sum - mean * mean, sum) ? sum - mean * mean : 0;
}

double box_scalar_spectra_increment(const struct box_scalar_spectra *q, const double *value, int n,
                                    int direction)
{
    const struct box_spectra *s = q->of;
    const double *spectrum = axis_spectrum(q, value, n, direction);
    double sum = 0;
    for (int m = 1; m < s->waves[direction]; ++m) sum += spectrum[m] * (1 - s->cosine[direction][m]);
    return 2 * sum * s->step_along[direction];
}

/* --- what is made of them --- */

/* Values of a scalar: those in shells, the flux, the spectra along axes, the correlations, the numbers. */
static ptrdiff_t derived_each(const struct box_scalar_spectra *q)
{
    return (T_SHELLS + 1) * (ptrdiff_t)q->of->shells + 2 * (ptrdiff_t)waves_all(q->of) + T_NUMBERS;
}

/* Of the fluctuations: shell 0 and wave 0 hold the products of the means over volume and time, too. */
static void derive_shells(const struct box_scalar_spectra *q, const double *mean, double level,
                          const double velocity[3], double *out)
{
    const struct box_spectra *s = q->of;
    double *flux = out + (ptrdiff_t)T_SHELLS * s->shells, carried = 0;
    memcpy(out, mean, (size_t)(T_SHELLS * s->shells) * sizeof *out);
    out[0] -= level * level / s->step;
    for (int d = 0; d < 3; ++d) out[(T_FLUX + d) * s->shells] -= level * velocity[d] / s->step;
    for (int n = 0; n < s->shells; ++n) flux[n] = 0 - (carried += mean[T_TRANSFER * s->shells + n] * s->step);
}

static void derive_one(const struct box_scalar_spectra *q, const double *mean, const double velocity[3],
                       double *out)
{
    const struct box_spectra *s = q->of;
    const int waves = waves_all(s);
    const double level = mean[values_each(q) - 1], *axis = mean + (ptrdiff_t)T_SHELLS * s->shells;
    double *along = out + (T_SHELLS + 1) * (ptrdiff_t)s->shells, *correlation = along + waves,
           *number = correlation + waves;
    derive_shells(q, mean, level, velocity, out);
    number[T_SUM_VARIANCE] = number[T_SUM_DISSIPATION] = 0;
    for (int n = 0; n < s->shells; ++n) {
        number[T_SUM_VARIANCE] += out[n] * s->step;
        number[T_SUM_DISSIPATION] += out[T_DISSIPATION * s->shells + n] * s->step;
    }
    for (int d = 0; d < 3; ++d) {
        memcpy(along, axis, (size_t)s->waves[d] * sizeof *along);
        box_spectra_correlate(s, d, axis, level, correlation);
        along[0] -= level * level / s->step_along[d];
        const double variance = correlation[0];
        number[T_LENGTH + d] = central_moments_there(variance, variance + level * level)
                                   ? PI / s->step_along[d] * fmax(along[0] * s->step_along[d], 0) / variance
                                   : NAN;
        axis += s->waves[d];
        along += s->waves[d];
        correlation += s->waves[d];
    }
}

/* A function of type batch_means_derive, for samples of the flow and the scalars behind. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct box_scalar_spectra *q = context;
    double velocity[3];
    for (int d = 0; d < 3; ++d) velocity[d] = box_spectra_mean(q->of, mean, d);
    mean += box_spectra_values(q->of);
    for (int n = 0; n < q->count; ++n)
        derive_one(q, mean + n * values_each(q), velocity, out + n * derived_each(q));
}

/* --- the file --- */

/* entry: what comes before and after the name of the scalar. %s: the name, again. power: of the scalar's
 * unit. axis: SPECTRA_SHELLS and so on; -1: a number. */
struct entry {
    const char *before, *after, *words;
    int power;
    const char *unit;
    int axis;
};
#define AXES(BEFORE, AFTER, WORDS, UNIT, FIRST)                                                              \
    {BEFORE, AFTER "x", WORDS " x", 2, UNIT, FIRST}, {BEFORE, AFTER "y", WORDS " y", 2, UNIT, FIRST + 1},    \
    {                                                                                                        \
        BEFORE, AFTER "z", WORDS " z", 2, UNIT, FIRST + 2                                                    \
    }
enum { SHELLED = T_SHELLS + 1, ENTRIES = SHELLED + 6 + T_NUMBERS };
static const struct entry ENTRY[ENTRIES] = {
    {"E_", "_%s", "variance, over the width of the shell", 2, "L", SPECTRA_SHELLS},
    {"T_", "", "transfer of variance by convection into the shell, over its width", 2, "U", SPECTRA_SHELLS},
    {"D_", "", "dissipation of variance by the diffusion operator, over the width of the shell, positive", 2,
     "U", SPECTRA_SHELLS},
    {"E_", "_u", "co-spectrum with u in the cell, over the width of the shell", 1, "U L", SPECTRA_SHELLS},
    {"E_", "_v", "co-spectrum with v in the cell, over the width of the shell", 1, "U L", SPECTRA_SHELLS},
    {"E_", "_w", "co-spectrum with w in the cell, over the width of the shell", 1, "U L", SPECTRA_SHELLS},
    {"flux_", "", "flux of variance to shells beyond this one, minus the sum of the transfer", 2, "U/L",
     SPECTRA_SHELLS},
    AXES("E_", "_%s_", "variance by wavenumber along", "L", SPECTRA_WAVES),
    AXES("R_", "_%s_", "two-point correlation along", "", SPECTRA_SEPARATIONS),
    {"", "_integral_length_x", "integral of the correlation along x over half the period, over the variance",
     0, "L", -1},
    {"", "_integral_length_y", "integral of the correlation along y over half the period, over the variance",
     0, "L", -1},
    {"", "_integral_length_z", "integral of the correlation along z over half the period, over the variance",
     0, "L", -1},
    {"", "_variance", "variance, sum over the shells", 2, "", -1},
    {"", "_variance_dissipation", "dissipation of variance by the diffusion operator, sum over the shells", 2,
     "U/L", -1}};

struct words {
    char name[NETCDF_CONTENT_NAME], words[NETCDF_CONTENT_WORDS], unit[NETCDF_CONTENT_NAME];
};

static struct words words_of(const char *name, const char *unit, const struct entry *e)
{
    struct words out;
    const char *again = strstr(e->after, "%s");
    if (again != NULL)
        snprintf(out.name, sizeof out.name, "%s%.*s_%.*s%s", e->before, SCALAR_NAME, name, SCALAR_NAME, name,
                 again + 2);
    else snprintf(out.name, sizeof out.name, "%s%.*s%s", e->before, SCALAR_NAME, name, e->after);
    snprintf(out.words, sizeof out.words, "%.*s: %s", SCALAR_NAME, name, e->words);
    scalar_unit(unit, e->power, e->unit, out.unit, sizeof out.unit);
    return out;
}

static int length_of(const struct box_spectra *s, const struct entry *e)
{
    return e->axis < 0 ? 1 : e->axis == SPECTRA_SHELLS ? s->shells : s->waves[(e->axis - SPECTRA_WAVES) % 3];
}

static struct stats_variable *put(const struct box_scalar_spectra *q, struct netcdf_content *p, int n,
                                  const struct entry *e, const char *name_end, const double *value)
{
    const struct words w = words_of(q->scalar[n].name, q->scalar[n].unit, e);
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", w.unit);
    return netcdf_content_add(p, (struct netcdf_content_entry){w.name, w.words, unit}, name_end, e->axis,
                              value);
}

/* Adds what is derived; error: NULL: it is that of the latest sample. */
static void add_derived(const struct box_scalar_spectra *q, struct netcdf_content *p, const double *value,
                        const double *error)
{
    for (int n = 0; n < q->count; ++n) {
        for (int i = 0; i < ENTRIES; ++i) {
            const ptrdiff_t length = length_of(q->of, &ENTRY[i]);
            struct stats_variable *v = put(q, p, n, &ENTRY[i], "", value);
            v->error = error;
            v->group = error == NULL ? NETCDF_CONTENT_LATEST : NULL;
            v->methods = error == NULL ? NETCDF_CONTENT_POINT : NETCDF_CONTENT_MEAN;
            value += length;
            error = error == NULL ? NULL : error + length;
        }
    }
}

/* Adds the sums over samples: shells, spectra along axes, and the mean. The mean does not bear the scalar's
 * name alone: that may be the name of a spectrum of the flow, such as T or E. */
static void add_raw(const struct box_scalar_spectra *q, struct netcdf_content *p, const double *sum)
{
    static const struct entry LEVEL = {"mean_", "", "mean", 1, "", -1};
    for (int n = 0; n < q->count; ++n) {
        for (int i = 0; i <= T_SHELLS + 3; ++i) {
            const struct entry *e = i < T_SHELLS ? &ENTRY[i] : i < T_SHELLS + 3 ? &ENTRY[i + 1] : &LEVEL;
            struct stats_variable *v = put(q, p, n, e, "_sum", sum);
            v->group = "raw";
            v->methods = NETCDF_CONTENT_SUM;
            sum += length_of(q->of, e);
        }
    }
}

struct box_spectra_room box_scalar_spectra_room(const struct box_scalar_spectra *q)
{
    if (q == NULL) return (struct box_spectra_room){0, 0, 0};
    const int sample = box_scalar_spectra_values(q), all = box_spectra_values(q->of) + sample;
    return (struct box_spectra_room){sample, q->count * (2 * ENTRIES + T_SHELLS + 4),
                                     3 * q->count * derived_each(q) + 4 * (ptrdiff_t)all};
}

kol_status box_scalar_spectra_add(const struct box_scalar_spectra *q, const struct batch_means *average,
                                  const double *latest, struct netcdf_content *p)
{
    if (q == NULL) return KOL_OK;
    const ptrdiff_t derived = q->count * derived_each(q);
    const int flow = box_spectra_values(q->of), all = flow + box_scalar_spectra_values(q);
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *now = netcdf_content_numbers(p, derived), *mean = netcdf_content_numbers(p, all),
           *sum = netcdf_content_numbers(p, all);
    batch_means_mean(average, mean);
    batch_means_sum(average, sum);
    derive(q, mean, value);
    derive(q, latest, now);
    TRY(batch_means_errors(average, derive, q, (int)derived, error));
    add_derived(q, p, value, error);
    add_raw(q, p, sum + flow);
    add_derived(q, p, now, NULL);
    return KOL_OK;
}

void box_scalar_spectra_print(FILE *out)
{
    static const char *const OVER[] = {"`k`", "`kx`", "`ky`", "`kz`", "`rx`", "`ry`", "`rz`"};
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    for (int i = 0; i < ENTRIES; ++i) {
        const struct words w = words_of("T", "own", &ENTRY[i]);
        fprintf(out, "| `%s` | %s | %s | %s |\n", w.name, ENTRY[i].axis < 0 ? "" : OVER[ENTRY[i].axis],
                w.unit, w.words + strlen("T: "));
    }
}
