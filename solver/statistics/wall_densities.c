/* Counts the values of scalars in planes parallel to walls. */
#include "wall_densities.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "density_counts.h"
#include "math/central_moments.h"

/* scales: of a plane of a scalar: its mean, and bins over its unit. */
struct scales {
    double mean, per;
};

/* A sample has the shares of the bins [scalar][height][slot], then the levels of the planes. */
struct wall_densities {
    const struct comm *comm;
    const struct decomp *decomp;
    const struct wall_spectra_plan *plan;
    struct scales of[SCALARS_MOST][HEIGHTS_MOST];
    struct density_counts counts; /* the sets of each plane */
};

static int planes_of(const struct wall_densities *q)
{
    return q->plan->scalars * q->plan->count;
}

static size_t set_of(int plane)
{
    return (size_t)plane * DENSITY_COUNTS_FIELD;
}

kol_status wall_densities_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                                 const struct wall_spectra *heights, int with_flow,
                                 struct wall_densities **out)
{
    const struct wall_spectra_plan *plan = wall_spectra_planned(heights);
    if (plan->scalars == 0) return KOL_OK;
    struct wall_densities *q = *out = calloc(1, sizeof *q);
    if (q == NULL) RAISE(KOL_ERR_MEMORY, "no memory for densities of scalars");
    q->comm = c;
    q->decomp = d;
    q->plan = plan;
    return with_flow ? density_counts_create(memory, c, set_of(planes_of(q)), &q->counts) : KOL_OK;
}

void wall_densities_destroy(struct wall_densities **densities)
{
    struct wall_densities *q = *densities;
    if (q == NULL) return;
    density_counts_free(&q->counts);
    free(q);
    *densities = NULL;
}

int wall_densities_values(const struct wall_densities *q)
{
    return q == NULL ? 0 : planes_of(q) * COUNT_SLOTS + q->plan->count;
}

int wall_densities_same(const struct wall_densities *q, const double *mean)
{
    const double *level = mean + (ptrdiff_t)planes_of(q) * COUNT_SLOTS;
    for (int h = 0; h < q->plan->count; ++h)
        if (level[h] != q->plan->centre[h]) return 0;
    return 1;
}

/* --- samples --- */

/* Mean and width of the bins of a plane, from its spectrum along the first direction. */
static struct scales scales_of(const struct wall_spectra_plan *p, const double *spectrum, int n, int h)
{
    const int pair = HEIGHT_PAIRS + n * SCALAR_PAIRS + PAIR_TT;
    const double *e = spectrum + wall_spectra_first(p, pair, 0) + (ptrdiff_t)h * p->waves[0];
    struct scales s = {spectrum[wall_spectra_first_mean(p, pair, 0) + h], 0};
    double square = 0;
    for (int m = 0; m < p->waves[0]; ++m) square += e[m] * p->step[0];
    const double variance = square - s.mean * s.mean;
    if (central_moments_there(variance, square)) s.per = COUNT_PER_RMS / sqrt(variance);
    return s;
}

static kol_status share_scales(struct wall_densities *q, const double *spectrum)
{
    for (int n = 0; n < q->plan->scalars && q->comm->rank == 0; ++n)
        for (int h = 0; h < q->plan->count; ++h) q->of[n][h] = scales_of(q->plan, spectrum, n, h);
    if (q->comm->size > 1) MPI_TRY(MPI_Bcast(q->of, (int)sizeof q->of, MPI_BYTE, 0, q->comm->mpi));
    return KOL_OK;
}

/* The box of one level. */
static struct box level_box(struct box b, int normal, int level)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    b.start += level * stride[normal];
    if (normal == X) b.nx = 1;
    else if (normal == Y) b.ny = 1;
    else b.nz = 1;
    return b;
}

static kol_status count_plane(struct wall_densities *q, const struct flow *flow, int n, int h)
{
    const struct grid *g = &flow->domain->grid;
    const int normal = q->plan->normal, level = q->plan->centre[h] - q->decomp->offset[normal];
    const struct scales *s = &q->of[n][h];
    if (level < 0 || level >= q->decomp->n[normal]) return KOL_OK;
    return density_counts_add(&q->counts, set_of(n * q->plan->count + h), level_box(g->box, normal, level),
                              g->m, flow->scalar[n], s->mean, s->per);
}

static void add_up(const struct wall_densities *q, double *value)
{
    for (int n = 0; n < planes_of(q); ++n, value += COUNT_SLOTS)
        density_counts_shares(&q->counts, set_of(n), value);
    for (int h = 0; h < q->plan->count; ++h) value[h] = q->plan->centre[h];
}

kol_status wall_densities_sample(struct wall_densities *q, const struct flow *flow, const double *spectrum,
                                 double *value)
{
    if (q == NULL) return KOL_OK;
    TRY(share_scales(q, spectrum));
    TRY(density_counts_clear(&q->counts));
    for (int n = 0; n < q->plan->scalars; ++n)
        for (int h = 0; h < q->plan->count; ++h) TRY(count_plane(q, flow, n, h));
    TRY(density_counts_collect(&q->counts));
    if (value != NULL) add_up(q, value);
    return KOL_OK;
}

/* --- the file --- */

enum { AXIS_HEIGHT, AXIS_BIN };

/* A function of type batch_means_derive: of each scalar the densities [height][bin], then the parts beyond
 * the bins [height]. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct wall_densities *q = context;
    const int heights = q->plan->count;
    for (int n = 0; n < q->plan->scalars; ++n, out += heights * (COUNT_BINS + 1)) {
        for (int h = 0; h < heights; ++h, mean += COUNT_SLOTS) {
            for (int bin = 0; bin < COUNT_BINS; ++bin)
                out[h * COUNT_BINS + bin] = mean[1 + bin] * COUNT_PER_RMS;
            out[heights * COUNT_BINS + h] = mean[0] + mean[COUNT_SLOTS - 1];
        }
    }
}

static void add_axes(struct netcdf_content *p, const struct wall_spectra_plan *plan,
                     const struct wall_profiles *w)
{
    const char letter[2] = {"xyz"[plan->normal], '\0'};
    double *height = netcdf_content_numbers(p, plan->count), *bin = netcdf_content_numbers(p, COUNT_BINS),
           *centre = netcdf_content_numbers(p, plan->count);
    for (int h = 0; h < plan->count; ++h) {
        height[h] = plan->asked[h];
        centre[h] = w->centre[plan->centre[h]];
    }
    for (int n = 0; n < COUNT_BINS; ++n) bin[n] = (n + 0.5 - COUNT_BINS / 2) / COUNT_PER_RMS;
    netcdf_content_axis(p, (struct stats_axis){"height", "distance from the lower wall that was asked for",
                                               "L", plan->count, height, NULL, "level"});
    netcdf_content_axis(p, (struct stats_axis){"bin", "middle of the bin, in units of the root mean square",
                                               "1", COUNT_BINS, bin, NULL, NULL});
    netcdf_content_add(p,
                       (struct netcdf_content_entry){letter, "coordinate of the plane of cell centres", "L"},
                       "", AXIS_HEIGHT, centre);
}

#define DENSITY "probability density, its mean in the plane taken off, over its own root mean square"
#define BEYOND  "share of values beyond all bins"

static void add_one(struct netcdf_content *p, const struct wall_spectra_plan *plan, int n,
                    const double *value, const double *error)
{
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS];
    const ptrdiff_t beyond = (ptrdiff_t)plan->count * COUNT_BINS;
    snprintf(name, sizeof name, "pdf_%.*s", SCALAR_NAME, plan->name[n]);
    snprintf(words, sizeof words, "%.*s: " DENSITY, SCALAR_NAME, plan->name[n]);
    struct stats_variable *v =
        netcdf_content_add(p, (struct netcdf_content_entry){name, words, "1"}, "", AXIS_BIN, value);
    v->outer = 1 + AXIS_HEIGHT;
    v->error = error;
    v->methods = NETCDF_CONTENT_MEAN;
    snprintf(name, sizeof name, "outside_%.*s", SCALAR_NAME, plan->name[n]);
    v = netcdf_content_add(p, (struct netcdf_content_entry){name, BEYOND, "1"}, "", AXIS_HEIGHT,
                           value + beyond);
    v->error = error + beyond;
    v->methods = NETCDF_CONTENT_MEAN;
}

kol_status wall_densities_netcdf(const struct wall_densities *q, const struct wall_profiles *w,
                                 const struct batch_means *average, struct netcdf_content **out)
{
    static const char *const LETTER[3] = {"x", "y", "z"};
    const struct wall_spectra_plan *plan = q->plan;
    const int each = plan->count * (COUNT_BINS + 1), derived = plan->scalars * each,
              sample = wall_densities_values(q);
    TRY(netcdf_content_create(
        NULL, 2 * plan->scalars + 1 + NETCDF_CONTENT_SAMPLES,
        2 * (ptrdiff_t)derived + sample + 2 * plan->count + COUNT_BINS + NETCDF_CONTENT_SAMPLES, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *mean = netcdf_content_numbers(p, sample);
    batch_means_mean(average, mean);
    derive(q, mean, value);
    TRY(batch_means_errors(average, derive, q, derived, error));
    add_axes(p, plan, w);
    netcdf_content_text(p, "title", "probability densities of scalars at heights, averaged over time");
    netcdf_content_text(p, "wall_normal_direction", LETTER[plan->normal]);
    netcdf_content_text(p, "scaling",
                        "densities are of values over their root mean square in the plane in each sample; "
                        "_error: standard error, from batch means");
    for (int n = 0; n < plan->scalars; ++n) add_one(p, plan, n, value + n * each, error + n * each);
    netcdf_content_samples(p, average);
    return KOL_OK;
}

void wall_densities_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n"
          "| `pdf_T` | `height`, `bin` | 1 | " DENSITY " |\n"
          "| `outside_T` | `height` | 1 | " BEYOND " |\n"
          "| `z` | `height` | L | coordinate of the plane of cell centres |\n",
          out);
}
