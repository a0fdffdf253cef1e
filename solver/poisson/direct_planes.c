/* Inverts the pressure's operator on several ranks that each transform complete planes. */
#include "direct_planes.h"

#include <limits.h>
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/fft.h"
#include "direct_chunks.h"
#include "direct_levels.h"
#include "parallel/transpose.h"

/* The distributions of the values: the boxes of the field, and complete planes. */
enum { BOXES, PLANES, SPREADS };

struct direct_planes {
    const struct comm *comm;
    struct box box;
    int in_place; /* whether planes are transformed in the field itself */
    struct fft_planes *fft;
    struct piece *pieces; /* of all spreads */
    struct spread spread[SPREADS];
    struct transposes *fields; /* of planes, NULL in place */
    struct direct_levels *levels;
    double *planes, *spectrum;
};

static int waves_x(const struct grid *g)
{
    return g->n_g[X] / 2 + 1;
}

/* Columns of the spectrum. */
static ptrdiff_t columns_of(const struct grid *g)
{
    return (ptrdiff_t)waves_x(g) * g->n_g[Y];
}

static int is_in_place(const struct decomp *d)
{
    return sizeof(real) == sizeof(double) && d->ranks[X] == 1 && d->ranks[Y] == 1;
}

/* Whether batches begin at multiples of two values, as the FFT library requires. This may not hold after a
 * batch with an odd number of packed planes. */
static int are_batches_aligned(const struct decomp *d)
{
    return is_in_place(d) || d->n_g[X] % 2 == 0 || d->n_g[Y] % 2 == 0;
}

int direct_planes_there(const struct domain *domain)
{
    const struct comm *c = &domain->comm;
    const struct decomp *d = &domain->decomp;
    const struct grid *g = &domain->grid;
    return c->size > 1 && c->size <= d->blocks_g[Z] && fft_whole_there() && g->uniform[X] && g->periodic[X] &&
           g->uniform[Y] && g->periodic[Y] && are_batches_aligned(d) && 2 * columns_of(g) <= INT_MAX &&
           direct_chunks_count(d, Z, SEPARATORS_LEVELS) > 0;
}

/* Pieces of one rank. */
static void pieces_of(const void *context, const struct decomp *d, int rank, int size,
                      struct piece out[SPREADS])
{
    const struct level_slices *q = context;
    (void)size;
    spread_boxes(d, BOXES, SPREADS, out);
    out[PLANES].lo[Z] = q->start[q->first[rank]];
    out[PLANES].hi[Z] = q->start[q->first[rank + 1]];
}

/* Computes everything that needs no kernel memory. */
static kol_status plan(const struct domain *domain, struct direct_planes *s, struct level_slices *q)
{
    const struct decomp *d = &domain->decomp;
    s->comm = &domain->comm;
    s->box = domain->grid.box;
    s->in_place = is_in_place(d);
    for (int n = 0; n < SPREADS; ++n) s->spread[n] = (struct spread){.axis = {X, Y, Z}};
    s->spread[BOXES].box = &s->box;
    TRY(level_slices_create(s->comm, d, 0, q));
    return spreads_create(s->comm, d, pieces_of, q, SPREADS, s->spread, &s->pieces);
}

static struct fft_batches batches_of(const struct direct_planes *s, const struct grid *g,
                                     const struct level_slices *q)
{
    const ptrdiff_t row = s->in_place ? s->box.sy : g->n_g[X];
    return (struct fft_batches){.nx = g->n_g[X],
                                .ny = g->n_g[Y],
                                .row = row,
                                .plane = s->in_place ? s->box.sz : row * g->n_g[Y],
                                .batches = q->batches,
                                .batch = q->batch};
}

static size_t values_of_planes(const struct direct_planes *s)
{
    return s->in_place ? 0 : piece_count(s->spread[PLANES].piece[s->comm->rank]);
}

static size_t spectrum_values(const struct grid *g, const struct level_slices *q)
{
    return 2 * (size_t)columns_of(g) * (size_t)q->planes;
}

/* Creates what belongs to this rank alone. */
static kol_status own_create(struct memory *memory, const struct grid *g, const struct level_slices *q,
                             struct direct_planes *s)
{
    const size_t value = sizeof(double);
    size_t library = 0;
    if (!s->in_place) TRY(memory_kernel(memory, values_of_planes(s) * value, (void **)&s->planes));
    TRY(memory_kernel(memory, spectrum_values(g, q) * value, (void **)&s->spectrum));
    if (!memory_counts(memory)) return fft_planes_create(batches_of(s, g, q), &s->fft);
    TRY(fft_planes_bytes(batches_of(s, g, q), &library));
    memory_library(memory, library);
    return KOL_OK;
}

kol_status direct_planes_create(const struct domain *domain, const struct direct_operator *op,
                                struct direct_planes **out)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const char *transport = halo_transport(domain->halo);
    struct direct_planes *s = calloc(1, sizeof *s);
    struct level_slices q = {.count = 0};
    kol_status st = KOL_OK;
    *out = s;
    if (s == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the direct solver");
    TRY(memory_agree(memory, c, st));
    TRY_OR(done, memory_agree(memory, c, plan(domain, s, &q)));
    if (!s->in_place) TRY_OR(done, transposes_create(memory, c, transport, s->spread, SPREADS, &s->fields));
    TRY_OR(done, direct_levels_create(domain, op, &q, 0, &s->levels));
    TRY_OR(done, memory_agree(memory, c, own_create(memory, &domain->grid, &q, s)));
done:
    level_slices_destroy(&q);
    return st;
}

void direct_planes_destroy(struct direct_planes **s)
{
    struct direct_planes *q = *s;
    if (q == NULL) return;
    direct_levels_destroy(&q->levels);
    transposes_destroy(&q->fields);
    fft_planes_destroy(&q->fft);
    mem_kernel_free(q->planes);
    mem_kernel_free(q->spectrum);
    free(q->pieces);
    free(q);
    *s = NULL;
}

/* In double precision fields are values of double. */
static kol_status apply_in_place(struct direct_planes *s, const real *r, real *z)
{
    TRY(fft_planes_forward(s->fft, (const double *)(const void *)(r + s->box.start), s->spectrum));
    TRY(direct_levels_solve(s->levels, s->spectrum));
    return fft_planes_backward(s->fft, s->spectrum, (double *)(void *)(z + s->box.start));
}

kol_status direct_planes_apply(struct direct_planes *s, const real *r, real *z)
{
    if (s->in_place) return apply_in_place(s, r, z);
    TRY(transposes_forward(s->fields, 0, (struct spread_source){.field = r},
                           (struct spread_target){.values = s->planes}));
    TRY(fft_planes_forward(s->fft, s->planes, s->spectrum));
    TRY(direct_levels_solve(s->levels, s->spectrum));
    TRY(fft_planes_backward(s->fft, s->spectrum, s->planes));
    return transposes_backward(s->fields, 0, (struct spread_source){.values = s->planes},
                               (struct spread_target){.field = z});
}
