/* Computes means, covariances and their errors in planes of the averages in every cell. */
#include "cell_averages_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sizes: numbers of values of the arrays of struct cell_work. */
struct sizes {
    size_t raw, value, error, out, fluid, weight, open;
};

static int raws_of(const struct cell_averages *c)
{
    return c->budgets.values > 0 ? (int)CELL_RAW_MOST : (int)CELL_RAW_PLAIN;
}

static struct sizes sizes_of(const struct cell_averages *c, const struct cell_lines *l)
{
    const struct box b = c->domain->grid.box;
    const size_t plane = (size_t)l->n[X] * (size_t)l->n[Y], slots = (size_t)c->slots,
                 all = plane * (size_t)l->n[Z];
    return (struct sizes){slots * (size_t)raws_of(c) * plane,
                          (slots + 1) * plane,
                          plane,
                          3 * (l->several > 0 ? all : (size_t)c->planes * plane),
                          l->several > 0 || c->turns ? all : 1,
                          c->turns ? slots * plane : 1,
                          (size_t)b.sz};
}

void cell_work_count(struct memory *memory, const struct cell_averages *c)
{
    struct cell_lines l;
    struct memory file = {.host = 0};
    cell_lines_set(c->domain, &l);
    const struct sizes n = sizes_of(c, &l);
    file.host = (n.raw + n.value + n.error + n.out + n.fluid + n.weight) * sizeof(double) + n.open + n.error;
    if (l.several > 0) cell_lines_count(&file, c->domain);
    memory_for_a_while(memory, &file);
}

kol_status cell_work_create(struct cell_averages *c, const struct batch_means *numbers, struct cell_work *w)
{
    memset(w, 0, sizeof *w);
    w->averages = c;
    w->numbers = numbers;
    w->raws = raws_of(c);
    w->used = cell_averages_used(c, numbers);
    w->batches = c->batches > 0 ? batch_means_count(numbers) : 0;
    if (w->batches < BATCH_MEANS_LEAST) w->batches = 0;
    TRY(cell_lines_create(c->domain, &w->lines));
    w->plane = (ptrdiff_t)w->lines.n[X] * w->lines.n[Y];
    w->planes = w->lines.n[Z];
    const struct sizes n = sizes_of(c, &w->lines);
    w->raw = malloc(n.raw * sizeof *w->raw);
    w->value = malloc(n.value * sizeof *w->value);
    w->error = malloc(n.error * sizeof *w->error);
    w->out = malloc(n.out * sizeof *w->out);
    w->fluid = malloc(n.fluid * sizeof *w->fluid);
    w->weight = malloc(n.weight * sizeof *w->weight);
    w->open = malloc(n.open);
    w->solid = malloc(n.error);
    if (w->raw == NULL || w->value == NULL || w->error == NULL || w->out == NULL || w->fluid == NULL ||
        w->weight == NULL || w->open == NULL || w->solid == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory to write averages of %td cells in a plane", w->plane);
    return KOL_OK;
}

void cell_work_destroy(struct cell_work *w)
{
    free(w->raw);
    free(w->value);
    free(w->error);
    free(w->out);
    free(w->fluid);
    free(w->weight);
    free(w->open);
    free(w->solid);
    cell_lines_destroy(&w->lines);
}

/* --- what is fluid --- */

/* Finds which cells of own plane k are solid. *open: NULL if there are no bodies. */
static kol_status find_solid(const struct cell_work *w, int k, const unsigned char **open)
{
    const struct grid *g = &w->averages->domain->grid;
    const struct box b = g->box;
    *open = NULL;
    if (g->open == NULL) return KOL_OK;
    TRY(mem_to_host(w->open, g->open + at(b, 0, 0, k), (size_t)((b.ny - 1) * b.sy + b.nx)));
    *open = w->open;
    return KOL_OK;
}

static int is_solid(const struct cell_work *w, const unsigned char *open, ptrdiff_t i)
{
    const struct box b = w->averages->domain->grid.box;
    return open != NULL && open[i / b.nx * b.sy + i % b.nx] == 0;
}

/* get_fluid: 1 in cells of the fluid, 0 in others. get_sum: a sum of a slot. */
static kol_status get_fluid(void *work, int k, double *plane)
{
    const struct cell_work *w = work;
    const struct box b = w->averages->domain->grid.box;
    const unsigned char *open;
    TRY(find_solid(w, k, &open));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)b.nx * b.ny; ++i) plane[i] = !is_solid(w, open, i);
    return KOL_OK;
}

static kol_status get_sum(void *work, int k, double *plane)
{
    const struct cell_work *w = work;
    return cell_averages_get(w->averages, w->slot, w->q, k, 1, plane);
}

/* Fetches sum q of a slot in plane k, along the directions if there are any. */
static kol_status fetch_sum(struct cell_work *w, int slot, int q, int weighted, int k, double *to)
{
    w->slot = slot;
    w->q = q;
    return w->lines.several > 0 ? cell_lines_sum(&w->lines, k, weighted, get_sum, w, to) : get_sum(w, k, to);
}

/* Adds up the weights of the fluid of all slots in plane k, and divides the sum by the weight of all samples.
 * So cells that have always been fluid count as 1, or as their volume if the sums are weighted. */
static kol_status fluid_over_time(struct cell_work *w, int k, int weighted, double *out)
{
    const double all = batch_means_weight(w->numbers);
    const int q = cell_average_fluid(w->averages->scalars);
    for (int slot = 0; slot < w->used; ++slot) {
        TRY(fetch_sum(w, slot, q, weighted, k, w->value));
        if (!w->lines.holds) continue;
        for (ptrdiff_t i = 0; i < w->plane; ++i) out[i] = (slot > 0 ? out[i] : 0) + w->value[i];
    }
    for (ptrdiff_t i = 0; i < w->plane && w->lines.holds; ++i) out[i] /= all;
    return KOL_OK;
}

kol_status cell_work_fluid(struct cell_work *w)
{
    for (int k = 0; k < w->planes; ++k) {
        double *to = w->fluid + k * w->plane;
        if (w->averages->turns) TRY(fluid_over_time(w, k, 1, to));
        else if (w->lines.several > 0) TRY(cell_lines_sum(&w->lines, k, 1, get_fluid, w, to));
    }
    return KOL_OK;
}

kol_status cell_work_samples(struct cell_work *w, int k, double *out)
{
    const double samples = (double)batch_means_samples(w->numbers);
    if (w->averages->turns) TRY(fluid_over_time(w, k, 0, out));
    else
        TRY(w->lines.several > 0 ? cell_lines_sum(&w->lines, k, 0, get_fluid, w, out) : get_fluid(w, k, out));
    for (ptrdiff_t i = 0; i < w->plane && w->lines.holds; ++i) out[i] *= samples;
    return KOL_OK;
}

kol_status cell_work_plane(struct cell_work *w, int k)
{
    const struct cell_averages *c = w->averages;
    const unsigned char *open;
    for (int slot = 0; slot < w->used && c->turns; ++slot)
        TRY(fetch_sum(w, slot, cell_average_fluid(c->scalars), 1, k, w->weight + slot * w->plane));
    if (!w->lines.holds) return KOL_OK;
    if (w->lines.several > 0 || c->turns) {
        for (ptrdiff_t i = 0; i < w->plane; ++i) w->solid[i] = !(w->fluid[k * w->plane + i] > 0);
        return KOL_OK;
    }
    TRY(find_solid(w, k, &open));
    for (ptrdiff_t i = 0; i < w->plane; ++i) w->solid[i] = (unsigned char)is_solid(w, open, i);
    return KOL_OK;
}

/* --- quantities --- */

/* Computes the quantity from means of the sums: mean[s] is that of sum number s of the quantity. */
static double quantity_of(const struct cell_work *w, const struct cell_quantity *q,
                          const double mean[CELL_RAW_MOST])
{
    double all = 0;
    if (q->count > 0) return cell_budget_value(w->averages->budgets, q->term, q->count, q->sum, mean);
    if (q->terms == 0) return mean[0];
    for (int t = 0; t < q->terms; ++t) all += mean[3 * t] - mean[3 * t + 1] * mean[3 * t + 2];
    return q->factor * all;
}

static int sums_of(const struct cell_quantity *q)
{
    return q->count > 0 ? q->count : q->terms == 0 ? 1 : 3 * q->terms;
}

static double *raw_at(const struct cell_work *w, int slot, int s)
{
    return w->raw + ((ptrdiff_t)slot * w->raws + s) * w->plane;
}

/* The weight of the first `slots` slots in value i of the plane. whole: their weight where all is fluid. */
static double weight_of(const struct cell_work *w, int slots, double whole, ptrdiff_t i)
{
    double all = 0;
    if (!w->averages->turns) return whole;
    for (int slot = 0; slot < slots; ++slot) all += w->weight[slot * w->plane + i];
    return all;
}

/* Computes the quantity from all samples. */
static void mean_of(const struct cell_work *w, const struct cell_quantity *q, double *value)
{
    const double whole = batch_means_weight(w->numbers);
    for (ptrdiff_t i = 0; i < w->plane; ++i) {
        const double weight = weight_of(w, w->used, whole, i);
        double mean[CELL_RAW_MOST];
        for (int s = 0; s < sums_of(q); ++s) {
            double all = 0;
            for (int slot = 0; slot < w->used; ++slot) all += raw_at(w, slot, s)[i];
            mean[s] = all / weight;
        }
        value[i] = quantity_of(w, q, mean);
    }
}

/* Computes its standard error, by the jackknife over the complete batches. */
static void error_of(const struct cell_work *w, const struct cell_quantity *q, double *error)
{
    const double *weight = batch_means_weights(w->numbers);
    const int n = w->batches, turns = w->averages->turns;
    double whole = 0;
    for (int m = 0; m < n; ++m) whole += weight[m];
    for (ptrdiff_t i = 0; i < w->plane; ++i) {
        const double all_weight = weight_of(w, n, whole, i);
        double all[CELL_RAW_MOST] = {0}, mean[CELL_RAW_MOST];
        for (int s = 0; s < sums_of(q); ++s)
            for (int m = 0; m < n; ++m) all[s] += raw_at(w, m, s)[i];
        for (int m = 0; m <= n; ++m) {
            const double own = m == n ? 0 : turns ? w->weight[m * w->plane + i] : weight[m];
            for (int s = 0; s < sums_of(q); ++s)
                mean[s] = m == n ? all[s] / all_weight : (all[s] - raw_at(w, m, s)[i]) / (all_weight - own);
            w->value[m * w->plane + i] = quantity_of(w, q, mean);
        }
    }
    batch_means_errors_of(w->numbers, w->plane, w->value, w->plane, error);
}

/* Divides sums along directions in plane k by the volume of the fluid. If cells turn, the weights do it. */
static void over_fluid(const struct cell_work *w, int k, double *sum)
{
    const double *fluid = w->fluid + k * w->plane;
    if (w->averages->turns) return;
    for (ptrdiff_t i = 0; i < w->plane; ++i) sum[i] = fluid[i] > 0 ? sum[i] / fluid[i] : 0;
}

kol_status cell_work_quantity(struct cell_work *w, const struct cell_quantity *q, int k, double *out,
                              int stride)
{
    for (int slot = 0; slot < w->used; ++slot)
        for (int s = 0; s < sums_of(q); ++s) {
            double *to = raw_at(w, slot, s);
            TRY(fetch_sum(w, slot, q->sum[s], 1, k, to));
            if (w->lines.several > 0 && w->lines.holds) over_fluid(w, k, to);
        }
    if (!w->lines.holds) return KOL_OK;
    if (w->errors) error_of(w, q, w->error);
    else mean_of(w, q, w->error);
    for (ptrdiff_t i = 0; i < w->plane; ++i) out[i * stride] = w->solid[i] ? NAN : w->error[i];
    return KOL_OK;
}
