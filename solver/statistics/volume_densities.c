/* Counts the volume of the values of scalars. */
#include "volume_densities.h"

#include <math.h>
#include <stdlib.h>
#include "density_counts.h"
#include "inputs/scalars.h"
#include "math/central_moments.h"

/* scales: of a scalar: its mean, and bins over its unit. */
struct scales {
    double mean, per;
};

/* A sample has the shares of the bins [scalar][slot]. */
struct volume_densities {
    const struct domain *domain;
    int count;
    const char *name[SCALARS_MOST]; /* borrowed from the input */
    struct scales of[SCALARS_MOST];
    struct density_counts counts; /* a set for each scalar */
};

kol_status volume_densities_create(const struct domain *domain, int with_flow, struct volume_densities **out)
{
    const int count = scalar_count(domain->in);
    if (count == 0) return KOL_OK;
    struct volume_densities *q = *out = calloc(1, sizeof *q);
    if (q == NULL) RAISE(KOL_ERR_MEMORY, "no memory for densities of scalars");
    q->domain = domain;
    q->count = count;
    for (int n = 0; n < count; ++n) q->name[n] = domain->in->scalars.name[n];
    return with_flow ? density_counts_create(domain->memory, &domain->comm, (size_t)count, &q->counts)
                     : KOL_OK;
}

void volume_densities_destroy(struct volume_densities **densities)
{
    struct volume_densities *q = *densities;
    if (q == NULL) return;
    density_counts_free(&q->counts);
    free(q);
    *densities = NULL;
}

int volume_densities_values(const struct volume_densities *q)
{
    return q == NULL ? 0 : q->count * COUNT_SLOTS;
}

/* --- samples --- */

static struct scales scales_of(struct volume_moments m)
{
    const double variance = m.square - m.mean * m.mean;
    struct scales s = {m.mean, 0};
    if (central_moments_there(variance, m.square)) s.per = COUNT_PER_RMS / sqrt(variance);
    return s;
}

kol_status volume_densities_sample(struct volume_densities *q, const struct flow *flow,
                                   const struct volume_moments *moments, double *value)
{
    if (q == NULL) return KOL_OK;
    const struct comm *comm = &q->domain->comm;
    const struct grid *g = &q->domain->grid;
    for (int n = 0; n < q->count && comm->rank == 0; ++n) q->of[n] = scales_of(moments[n]);
    if (comm->size > 1) MPI_TRY(MPI_Bcast(q->of, (int)sizeof q->of, MPI_BYTE, 0, comm->mpi));
    TRY(density_counts_clear(&q->counts));
    for (int n = 0; n < q->count; ++n) {
        const struct counted_volume how = {g->volume, q->of[n].mean, q->of[n].per};
        TRY(density_counts_add_volume(&q->counts, (size_t)n, g->box, g->m, how, flow->scalar[n]));
    }
    TRY(density_counts_collect(&q->counts));
    for (int n = 0; n < q->count && value != NULL; ++n)
        density_counts_shares(&q->counts, (size_t)n, value + n * COUNT_SLOTS);
    return KOL_OK;
}

/* --- the file --- */

enum { EACH = COUNT_BINS + 1 }; /* values derived of a density: the bins, and the part beyond them */

/* A function of type batch_means_derive. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct volume_densities *q = context;
    for (int n = 0; n < q->count; ++n, mean += COUNT_SLOTS) {
        for (int bin = 0; bin < COUNT_BINS; ++bin) *out++ = mean[1 + bin] * COUNT_PER_RMS;
        *out++ = mean[0] + mean[COUNT_SLOTS - 1];
    }
}

#define DENSITY                                                                                              \
    "probability density over the volume, its mean taken off, over its own root mean square over the volume"
#define BEYOND "share of the volume with values beyond all bins"

static void add_one(const struct volume_densities *q, int n, int axis, struct netcdf_content *p,
                    const double *value, const double *error)
{
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS];
    snprintf(name, sizeof name, "pdf_%.*s", SCALAR_NAME, q->name[n]);
    snprintf(words, sizeof words, "%.*s: " DENSITY, SCALAR_NAME, q->name[n]);
    struct stats_variable *v =
        netcdf_content_add(p, (struct netcdf_content_entry){name, words, "1"}, "", axis, value);
    v->error = error;
    v->methods = NETCDF_CONTENT_MEAN;
    snprintf(name, sizeof name, "outside_%.*s", SCALAR_NAME, q->name[n]);
    snprintf(words, sizeof words, "%.*s: " BEYOND, SCALAR_NAME, q->name[n]);
    v = netcdf_content_add(p, (struct netcdf_content_entry){name, words, "1"}, "", -1, value + COUNT_BINS);
    v->error = error + COUNT_BINS;
    v->methods = NETCDF_CONTENT_MEAN;
}

kol_status volume_densities_netcdf(const struct volume_densities *q, const struct batch_means *average,
                                   struct netcdf_content **out)
{
    const int derived = q->count * EACH, sample = volume_densities_values(q);
    TRY(netcdf_content_create(NULL, 2 * q->count + NETCDF_CONTENT_SAMPLES,
                              2 * (ptrdiff_t)derived + sample + COUNT_BINS + NETCDF_CONTENT_SAMPLES, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *mean = netcdf_content_numbers(p, sample), *bin = netcdf_content_numbers(p, COUNT_BINS);
    batch_means_mean(average, mean);
    derive(q, mean, value);
    TRY(batch_means_errors(average, derive, q, derived, error));
    for (int n = 0; n < COUNT_BINS; ++n) bin[n] = (n + 0.5 - COUNT_BINS / 2) / COUNT_PER_RMS;
    const int axis = netcdf_content_axis(
        p, (struct stats_axis){"bin", "middle of the bin, in units of the root mean square", "1", COUNT_BINS,
                               bin, NULL, NULL});
    netcdf_content_text(p, "title", "probability densities of scalars over the volume, averaged over time");
    netcdf_content_text(p, "scaling",
                        "densities are of values over their root mean square over the volume in each sample; "
                        "cells count with their volume; _error: standard error, from batch means");
    for (int n = 0; n < q->count; ++n) add_one(q, n, axis, p, value + n * EACH, error + n * EACH);
    netcdf_content_samples(p, average);
    return KOL_OK;
}

void volume_densities_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n"
          "| `pdf_T` | `bin` | 1 | " DENSITY " |\n"
          "| `outside_T` | | 1 | " BEYOND " |\n",
          out);
}
