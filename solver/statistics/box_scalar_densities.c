/* Counts the values of scalars and of their gradients in a periodic box. */
#include "box_scalar_densities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "density_counts.h"
#include "inputs/scalars.h"
#include "kernels/base/mem.h"

/* Densities of a scalar: of its value, and of its gradient along x, y, z. */
enum { OF_VALUE, OF_GRADIENT, DENSITIES = OF_GRADIENT + 3 };
/* Sets of counts of a scalar. */
enum { COUNTS_VALUE, COUNTS_GRADIENT = COUNTS_VALUE + DENSITY_COUNTS_FIELD, COUNTS = COUNTS_GRADIENT + 3 };

/* scales: of a scalar: its mean, and bins over its unit for each density. */
struct scales {
    double mean, per[DENSITIES];
};

struct box_scalar_densities {
    const struct comm *comm;
    const struct box_increments *increments;
    const struct box_scalar_spectra *spectra;
    int count;
    const char *name[SCALARS_MOST];
    struct scales of[SCALARS_MOST];
    double *scale, *part; /* kernel memory: scales of gradients; sums that are not used */
    struct density_counts counts;
};

static size_t set_of(int n, int counts)
{
    return (size_t)n * COUNTS + (size_t)counts;
}

kol_status box_scalar_densities_create(struct memory *memory, const struct comm *c, const struct input *in,
                                       const struct box_increments *increments,
                                       const struct box_scalar_spectra *spectra,
                                       struct box_scalar_densities **out)
{
    enum { PART = BOX_SLABS_GROUPS * INCREMENT_SUMS };
    const int count = scalar_count(in);
    if (count == 0) return KOL_OK;
    struct box_scalar_densities *q = *out = calloc(1, sizeof *q);
    if (q == NULL) RAISE(KOL_ERR_MEMORY, "no memory for densities of scalars");
    q->comm = c;
    q->increments = increments;
    q->spectra = spectra;
    q->count = count;
    for (int n = 0; n < count; ++n) q->name[n] = in->scalars.name[n];
    TRY(memory_kernel(memory, sizeof(double) * SCALARS_MOST * 3, (void **)&q->scale));
    TRY(memory_kernel(memory, sizeof(double) * PART, (void **)&q->part));
    return density_counts_create(memory, c, set_of(count, 0), &q->counts);
}

void box_scalar_densities_destroy(struct box_scalar_densities **densities)
{
    struct box_scalar_densities *q = *densities;
    if (q == NULL) return;
    mem_kernel_free(q->scale);
    mem_kernel_free(q->part);
    density_counts_free(&q->counts);
    free(q);
    *densities = NULL;
}

int box_scalar_densities_values(const struct box_scalar_densities *q)
{
    return q == NULL ? 0 : q->count * DENSITIES * COUNT_SLOTS;
}

/* --- samples --- */

static double per_rms(double square)
{
    return square > 0 ? COUNT_PER_RMS / sqrt(square) : 0;
}

/* Finds the means and the widths of the bins on rank 0, and sends them to all ranks. */
static kol_status share_scales(struct box_scalar_densities *q, const double *spectrum)
{
    double gradient[SCALARS_MOST][3] = {{0}};
    for (int n = 0; n < q->count && q->comm->rank == 0; ++n) {
        q->of[n].mean = box_scalar_spectra_mean(q->spectra, spectrum, n);
        q->of[n].per[OF_VALUE] = per_rms(box_scalar_spectra_variance(q->spectra, spectrum, n));
        for (int d = 0; d < 3; ++d)
            q->of[n].per[OF_GRADIENT + d] = per_rms(box_scalar_spectra_increment(q->spectra, spectrum, n, d));
    }
    if (q->comm->size > 1) MPI_TRY(MPI_Bcast(q->of, (int)sizeof q->of, MPI_BYTE, 0, q->comm->mpi));
    for (int n = 0; n < q->count; ++n) memcpy(gradient[n], q->of[n].per + OF_GRADIENT, sizeof gradient[n]);
    return mem_to_kernel(q->scale, gradient, sizeof gradient);
}

static kol_status count_gradients(struct box_scalar_densities *q, struct box_slabs *slabs,
                                  const struct flow *flow, int n, double *work[2])
{
    unsigned long long *counts = density_counts_of(&q->counts, set_of(n, COUNTS_GRADIENT));
    TRY(box_slabs_begin(slabs, flow->scalar[n], work));
    for (int d = 0; d < 3; ++d, counts += COUNT_SLOTS) {
        if (d > 0) TRY(box_slabs_next(slabs, d - 1, work));
        TRY(increments_sum(box_increments_lines(q->increments, d), work[0], q->scale + 3 * n + d, q->part,
                           counts));
    }
    return box_slabs_end(slabs);
}

static void add_up(const struct box_scalar_densities *q, double *value)
{
    static const int FROM[DENSITIES] = {COUNTS_VALUE, COUNTS_GRADIENT, COUNTS_GRADIENT + 1,
                                        COUNTS_GRADIENT + 2};
    for (int n = 0; n < q->count; ++n)
        for (int i = 0; i < DENSITIES; ++i, value += COUNT_SLOTS)
            density_counts_shares(&q->counts, set_of(n, FROM[i]), value);
}

kol_status box_scalar_densities_sample(struct box_scalar_densities *q, struct box_slabs *slabs,
                                       const struct flow *flow, const double *spectrum,
                                       double *const work[BOX_INCREMENTS_WORK], double *value)
{
    if (q == NULL) return KOL_OK;
    const struct grid *g = &flow->domain->grid;
    TRY(share_scales(q, spectrum));
    TRY(density_counts_clear(&q->counts));
    for (int n = 0; n < q->count; ++n) {
        double *lines[2] = {work[0], work[1]};
        TRY(density_counts_add(&q->counts, set_of(n, COUNTS_VALUE), g->box, g->m, flow->scalar[n],
                               q->of[n].mean, q->of[n].per[OF_VALUE]));
        TRY(count_gradients(q, slabs, flow, n, lines));
    }
    TRY(density_counts_collect(&q->counts));
    if (value != NULL) add_up(q, value);
    return KOL_OK;
}

/* --- the file --- */

enum { EACH = COUNT_BINS + 1 }; /* values derived of a density: the bins, and the part beyond them */

/* derived: a function of type batch_means_derive, for samples of the increments and the scalars behind. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct box_scalar_densities *q = context;
    mean += box_increments_values(q->increments);
    for (int n = 0; n < q->count * DENSITIES; ++n, mean += COUNT_SLOTS) {
        for (int bin = 0; bin < COUNT_BINS; ++bin) *out++ = mean[1 + bin] * COUNT_PER_RMS;
        *out++ = mean[0] + mean[COUNT_SLOTS - 1];
    }
}

struct words {
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS];
};

static struct words words_of(const char *name, int density, int outside)
{
    struct words out;
    const char *before = outside ? "outside" : "pdf",
               axis = "xyz"[density == OF_VALUE ? 0 : density - OF_GRADIENT];
    if (density == OF_VALUE) snprintf(out.name, sizeof out.name, "%s_%.*s", before, SCALAR_NAME, name);
    else snprintf(out.name, sizeof out.name, "%s_gradient_%.*s_%c", before, SCALAR_NAME, name, axis);
    if (outside) snprintf(out.words, sizeof out.words, "share of values beyond all bins");
    else if (density == OF_VALUE)
        snprintf(out.words, sizeof out.words,
                 "%.*s: probability density, its mean taken off, over its own root mean square", SCALAR_NAME,
                 name);
    else
        snprintf(out.words, sizeof out.words,
                 "%.*s: probability density of the gradient along %c, over its root mean square", SCALAR_NAME,
                 name, axis);
    return out;
}

static void put(struct netcdf_content *p, struct words w, int axis, const double *value, const double *error)
{
    struct stats_variable *v =
        netcdf_content_add(p, (struct netcdf_content_entry){w.name, w.words, "1"}, "", axis, value);
    v->error = error;
    v->group = error == NULL ? NETCDF_CONTENT_LATEST : NULL;
    v->methods = error == NULL ? NETCDF_CONTENT_POINT : NETCDF_CONTENT_MEAN;
}

/* error: NULL: the values are those of the latest sample. */
static void add_all(const struct box_scalar_densities *q, struct netcdf_content *p, const double *value,
                    const double *error)
{
    for (int n = 0; n < q->count * DENSITIES; ++n, value += EACH) {
        const char *name = q->name[n / DENSITIES];
        put(p, words_of(name, n % DENSITIES, 0), BOX_INCREMENTS_BINS, value, error);
        put(p, words_of(name, n % DENSITIES, 1), -1, value + COUNT_BINS,
            error == NULL ? NULL : error + COUNT_BINS);
        error = error == NULL ? NULL : error + EACH;
    }
}

struct box_spectra_room box_scalar_densities_room(const struct box_scalar_densities *q)
{
    if (q == NULL) return (struct box_spectra_room){0, 0, 0};
    const int densities = q->count * DENSITIES, sample = box_scalar_densities_values(q);
    return (struct box_spectra_room){sample, 4 * densities,
                                     3 * (ptrdiff_t)densities * EACH + box_increments_values(q->increments) +
                                         sample};
}

kol_status box_scalar_densities_add(const struct box_scalar_densities *q, const struct batch_means *average,
                                    const double *latest, struct netcdf_content *p)
{
    if (q == NULL) return KOL_OK;
    const int derived = q->count * DENSITIES * EACH;
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *now = netcdf_content_numbers(p, derived),
           *mean = netcdf_content_numbers(p, box_increments_values(q->increments) +
                                                 box_scalar_densities_values(q));
    batch_means_mean(average, mean);
    derive(q, mean, value);
    derive(q, latest, now);
    TRY(batch_means_errors(average, derive, q, derived, error));
    add_all(q, p, value, error);
    add_all(q, p, now, NULL);
    return KOL_OK;
}

void box_scalar_densities_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    for (int i = 0; i < DENSITIES; ++i) {
        const struct words w = words_of("T", i, 0);
        fprintf(out, "| `%s` | `bin` | 1 | %s |\n", w.name, w.words + strlen("T: "));
    }
    fputs("| `outside_T`, `outside_gradient_T_x` and so on | | 1 | share of values beyond all bins |\n", out);
}
