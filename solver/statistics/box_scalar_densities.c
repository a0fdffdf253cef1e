/* Counts the values of scalars and of their gradients in a periodic box. */
#include "box_scalar_densities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/scalars.h"
#include "kernels/base/mem.h"

/* Densities of a scalar: of its value, and of its gradient along x, y, z. */
enum { OF_VALUE, OF_GRADIENT, DENSITIES = OF_GRADIENT + 3 };
/* Counts in kernel memory. increments_count_fields() counts what it takes for a vorticity, too, which is of
 * no use here: COUNTS_UNUSED. */
enum { COUNTS_VALUE, COUNTS_UNUSED, COUNTS_GRADIENT, COUNTS = COUNTS_GRADIENT + 3 };

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
    double *scale, *part;                    /* kernel memory: scales of gradients; sums that are not used */
    unsigned long long *counts, *own_counts; /* kernel memory; host */
};

static size_t counts_all(const struct box_scalar_densities *q)
{
    return (size_t)q->count * COUNTS * COUNT_SLOTS;
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
    TRY(memory_kernel(memory, counts_all(q) * sizeof *q->counts, (void **)&q->counts));
    return memory_host(memory, counts_all(q) * sizeof *q->own_counts, (void **)&q->own_counts);
}

void box_scalar_densities_destroy(struct box_scalar_densities **densities)
{
    struct box_scalar_densities *q = *densities;
    if (q == NULL) return;
    mem_kernel_free(q->scale);
    mem_kernel_free(q->part);
    mem_kernel_free(q->counts);
    mem_host_free(q->own_counts);
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

/* The scalar stands for all three components, so each cell counts three times. */
static kol_status count_values(struct box_scalar_densities *q, const struct flow *flow, int n)
{
    const struct grid *g = &flow->domain->grid;
    const struct scales *s = &q->of[n];
    real *const theta[3] = {flow->scalar[n], flow->scalar[n], flow->scalar[n]};
    struct counted c = {{0}, {0}, {0}};
    for (int d = 0; d < 3; ++d) {
        c.shift[d] = s->mean;
        c.scale[d] = s->per[OF_VALUE];
    }
    return increments_count_fields(g->box, g->m, c, theta, q->counts + (size_t)n * COUNTS * COUNT_SLOTS);
}

static kol_status count_gradients(struct box_scalar_densities *q, struct box_slabs *slabs,
                                  const struct flow *flow, int n, double *work[2])
{
    unsigned long long *counts = q->counts + ((size_t)n * COUNTS + COUNTS_GRADIENT) * COUNT_SLOTS;
    TRY(box_slabs_begin(slabs, flow->scalar[n], work));
    for (int d = 0; d < 3; ++d, counts += COUNT_SLOTS) {
        if (d > 0) TRY(box_slabs_next(slabs, d - 1, work));
        TRY(increments_sum(box_increments_lines(q->increments, d), work[0], q->scale + 3 * n + d, q->part,
                           counts));
    }
    return box_slabs_end(slabs);
}

/* Makes shares of the counts. */
static void add_up(const struct box_scalar_densities *q, double *value)
{
    static const int FROM[DENSITIES] = {COUNTS_VALUE, COUNTS_GRADIENT, COUNTS_GRADIENT + 1,
                                        COUNTS_GRADIENT + 2};
    for (int n = 0; n < q->count; ++n) {
        for (int i = 0; i < DENSITIES; ++i, value += COUNT_SLOTS) {
            const unsigned long long *from =
                q->own_counts + ((size_t)n * COUNTS + (size_t)FROM[i]) * COUNT_SLOTS;
            double all = 0;
            for (int slot = 0; slot < COUNT_SLOTS; ++slot) all += (double)from[slot];
            for (int slot = 0; slot < COUNT_SLOTS; ++slot) value[slot] = (double)from[slot] / all;
        }
    }
}

kol_status box_scalar_densities_sample(struct box_scalar_densities *q, struct box_slabs *slabs,
                                       const struct flow *flow, const double *spectrum,
                                       double *const work[BOX_INCREMENTS_WORK], double *value)
{
    if (q == NULL) return KOL_OK;
    const size_t bytes = counts_all(q) * sizeof *q->counts;
    TRY(share_scales(q, spectrum));
    memset(q->own_counts, 0, bytes);
    TRY(mem_to_kernel(q->counts, q->own_counts, bytes));
    for (int n = 0; n < q->count; ++n) {
        double *lines[2] = {work[0], work[1]};
        TRY(count_values(q, flow, n));
        TRY(count_gradients(q, slabs, flow, n, lines));
    }
    TRY(mem_to_host(q->own_counts, q->counts, bytes));
    if (q->comm->size > 1) {
        const int root = q->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : q->own_counts, root ? q->own_counts : NULL,
                           (int)counts_all(q), MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, q->comm->mpi));
    }
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
