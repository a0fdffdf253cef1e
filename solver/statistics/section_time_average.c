/* Averages the samples of a cross-section over time, in kernel memory. */
#include "section_time_average.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/section_sample.h"

/* section_time_average: averages in kernel memory. If kernel memory is host memory, the vectors are those of
 * the batches. */
struct section_time_average {
    const struct section_fields *s;
    struct section_sample_shape shape;
    struct section_sample_weights weights; /* kernel memory */
    ptrdiff_t values;
    double *sample, *vectors; /* kernel memory. vectors: as in batch_means_vectors; NULL if those are used. */
    double *few, *host_few, *weight;
    ptrdiff_t *place; /* kernel memory */
    int fresh;        /* whether the vectors of the host are up to date */
};

int section_time_average_apart(void)
{
    return device_is_gpu();
}

/* Number of values of both kinds of weights. */
static ptrdiff_t weights_of(const struct section_fields *s)
{
    return 2 * (ptrdiff_t)(s->cells[0] + 1);
}

static ptrdiff_t vectors_of(ptrdiff_t values, int most)
{
    return section_time_average_apart() ? (most + BATCH_MEANS_BEHIND) * values : 0;
}

static kol_status create_memory(struct memory *memory, struct section_time_average *a, int most)
{
    const struct section_fields *s = a->s;
    const size_t number = sizeof(double), few = (size_t)section_fields_few(s);
    const ptrdiff_t vectors = vectors_of(a->values, most);
    TRY(memory_kernel(memory, (size_t)a->values * number, (void **)&a->sample));
    if (vectors > 0) TRY(memory_kernel(memory, (size_t)vectors * number, (void **)&a->vectors));
    TRY(memory_kernel(memory, few * number, (void **)&a->few));
    TRY(memory_host(memory, few * number, (void **)&a->host_few));
    TRY(memory_kernel(memory, (size_t)weights_of(s) * number, (void **)&a->weight));
    return memory_kernel(memory, (size_t)s->line_first[LINES] * sizeof *a->place, (void **)&a->place);
}

static kol_status create_tables(struct section_time_average *a)
{
    const struct section_fields *s = a->s;
    const ptrdiff_t lines = s->line_first[LINES];
    const int wide = s->cells[0] + 1;
    a->weights = section_fields_weigh(s);
    TRY(mem_to_kernel(a->weight, a->weights.centre, (size_t)wide * sizeof(double)));
    TRY(mem_to_kernel(a->weight + wide, a->weights.face, (size_t)wide * sizeof(double)));
    a->weights.centre = a->weight;
    a->weights.face = a->weight + wide;
    ptrdiff_t *place = malloc((size_t)lines * sizeof *place);
    if (place == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %td places of a section", lines);
    section_fields_places(s, place);
    const kol_status st = mem_to_kernel(a->place, place, (size_t)lines * sizeof *place);
    free(place);
    return st;
}

kol_status section_time_average_create(struct memory *memory, const struct section_fields *s, int most,
                                       struct batch_means *b, struct section_time_average **out)
{
    struct section_time_average *a = *out = calloc(1, sizeof *a);
    if (a == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages over a section");
    a->s = s;
    a->shape = section_sums_shape(s->n_g, s->along);
    a->values = s->sum_first[LINE_SUM_COUNT];
    TRY(create_memory(memory, a, most));
    if (memory_counts(memory)) return KOL_OK;
    TRY(create_tables(a));
    return section_time_average_put(a, b);
}

void section_time_average_destroy(struct section_time_average **average)
{
    struct section_time_average *a = *average;
    if (a == NULL) return;
    mem_kernel_free(a->sample);
    mem_kernel_free(a->vectors);
    mem_kernel_free(a->few);
    mem_host_free(a->host_few);
    mem_kernel_free(a->weight);
    mem_kernel_free(a->place);
    free(a);
    *average = NULL;
}

/* --- a sample --- */

double *section_time_average_sample(struct section_time_average *a)
{
    return a != NULL ? a->sample : NULL;
}

kol_status section_time_average_numbers(struct section_time_average *a, double *out, int *sound)
{
    const struct section_fields *s = a->s;
    const ptrdiff_t rows = s->row_first[LINE_SUM_COUNT], lines = s->line_first[LINES];
    TRY(section_sample_rows(a->shape, a->weights, a->sample, a->few));
    TRY(section_sample_gather(lines, a->place, a->sample, a->few + rows));
    TRY(mem_to_host(a->host_few, a->few, (size_t)(rows + lines) * sizeof(double)));
    section_fields_numbers_of(s, a->host_few, out);
    *sound = 1;
    for (ptrdiff_t j = 0; j < rows; ++j) *sound &= isfinite(a->host_few[j]) != 0;
    return KOL_OK;
}

kol_status section_time_average_latest(struct section_time_average *a, double *latest)
{
    return mem_to_host(latest, a->sample, (size_t)a->values * sizeof(double));
}

/* --- the average --- */

kol_status section_time_average_add(struct section_time_average *a, struct batch_means *b, double t)
{
    const ptrdiff_t n = a->values;
    double *vectors = a->vectors != NULL ? a->vectors : batch_means_vectors(b),
           *sum = vectors + batch_means_most(b) * n, *carry = sum + n, *latest = carry + n;
    const struct batch_means_weights w = batch_means_weigh(b, t);
    const struct batch_means_step step = batch_means_count_sample(b, t);
    a->fresh = 0;
    if (w.latest != 0 && w.place < 0) TRY(section_sample_add(n, w.latest, latest, sum, carry));
    if (w.latest != 0 && w.place >= 0)
        TRY(section_sample_correct(n, w.latest, latest, vectors + w.place * n));
    TRY(section_sample_add(n, w.sample, a->sample, sum, carry));
    TRY(section_sample_copy(n, a->sample, latest));
    if (step.closes) TRY(section_sample_close(n, sum, carry, vectors + step.place * n));
    return step.joins ? section_sample_join(n, batch_means_most(b) / 2, vectors) : KOL_OK;
}

/* Copies the complete batches, and the current sum with its compensation and the latest sample. */
typedef kol_status copy_of(double *to, const double *from, size_t bytes);

static kol_status copy_vectors(const struct section_time_average *a, const struct batch_means *b,
                               copy_of *copy, double *to, const double *from)
{
    const ptrdiff_t n = a->values, current = batch_means_most(b) * n;
    TRY(copy(to, from, (size_t)(batch_means_count(b) * n) * sizeof *to));
    return copy(to + current, from + current, (size_t)(BATCH_MEANS_BEHIND * n) * sizeof *to);
}

static kol_status to_host(double *to, const double *from, size_t bytes)
{
    return mem_to_host(to, from, bytes);
}

static kol_status to_kernel(double *to, const double *from, size_t bytes)
{
    return mem_to_kernel(to, from, bytes);
}

kol_status section_time_average_fetch(struct section_time_average *a, struct batch_means *b)
{
    if (a->fresh) return KOL_OK;
    if (a->vectors != NULL) TRY(copy_vectors(a, b, to_host, batch_means_vectors(b), a->vectors));
    a->fresh = 1;
    return KOL_OK;
}

kol_status section_time_average_put(struct section_time_average *a, struct batch_means *b)
{
    if (a->vectors != NULL) TRY(copy_vectors(a, b, to_kernel, a->vectors, batch_means_vectors(b)));
    a->fresh = 1;
    return KOL_OK;
}
