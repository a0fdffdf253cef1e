/* Inverts the pressure's operator on several ranks that each transform complete planes. */
#include "direct_planes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/fft.h"
#include "direct_chunks.h"
#include "parallel/transpose.h"

/* The distributions of the values: the boxes of the field, complete planes, this rank's separators of all
 * columns, and all separators of some columns. */
enum { BOXES, PLANES, OWN, WHOLE, SPREADS };
enum { MOVED = 2 }; /* number of spreads that one object moves between */

struct direct_planes {
    const struct comm *comm;
    struct box box;
    int in_place; /* whether planes are transformed in the field itself */
    struct fft_planes *fft;
    struct piece *pieces; /* of all spreads */
    struct spread spread[SPREADS];
    struct transposes *fields, *moves; /* of planes, NULL in place; of separators */
    struct direct_chunks chunks;
    struct separators own, whole;
    double factor;
    double *planes, *spectrum, *slots[2], *lambda; /* of x, then of y */
};

/* slices: how the levels are divided. start: first level of each chunk. first: first chunk of each rank, and
 * the number of chunks. batch: number of planes in each block of this rank. */
struct slices {
    int count, batches, planes, *start, *first, *batch;
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
           direct_chunks_count(d, Z) > 0;
}

/* The first block in z of a rank's planes. If only z is divided, it is that of its field. */
static int first_block(const struct decomp *d, int size, int rank)
{
    return (int)((long long)d->blocks_g[Z] * rank / size);
}

static void cuts_free(struct slices *q)
{
    free(q->start);
    free(q->first);
    free(q->batch);
}

static kol_status cuts_make(const struct comm *c, const struct decomp *d, struct slices *q)
{
    const int blocks = d->blocks_g[Z], low = first_block(d, c->size, c->rank);
    memset(q, 0, sizeof *q);
    q->count = direct_chunks_count(d, Z);
    q->batches = first_block(d, c->size, c->rank + 1) - low;
    q->start = malloc((size_t)(q->count + 1) * sizeof *q->start);
    q->first = malloc((size_t)(c->size + 1) * sizeof *q->first);
    q->batch = malloc((size_t)blocks * sizeof *q->batch);
    if (q->start == NULL || q->first == NULL || q->batch == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for %d chunks of levels", q->count);
    direct_chunks_starts(d, Z, q->count, q->start);
    for (int r = 0; r <= c->size; ++r) q->first[r] = first_block(d, c->size, r) * (q->count / blocks);
    for (int b = 0; b < q->batches; ++b) {
        q->batch[b] = decomp_block_start(d, Z, low + b + 1) - decomp_block_start(d, Z, low + b);
        q->planes += q->batch[b];
    }
    return KOL_OK;
}

/* pieces_from: what determines the pieces, in addition to the ranks' boxes. */
struct pieces_from {
    const struct slices *slices;
    ptrdiff_t columns; /* of the spectrum */
};

/* Pieces of one rank. For separators x counts the columns, with two values each, and y the separators.
 * Columns are divided evenly. */
static void pieces_of(const void *context, const struct decomp *d, int rank, int size,
                      struct piece out[SPREADS])
{
    const struct pieces_from *from = context;
    const struct slices *q = from->slices;
    const ptrdiff_t columns = from->columns;
    for (int dir = 0; dir < 3; ++dir) {
        out[BOXES].lo[dir] = d->offset[dir];
        out[BOXES].hi[dir] = d->offset[dir] + d->n[dir];
        out[PLANES].hi[dir] = d->n_g[dir];
        out[OWN].hi[dir] = out[WHOLE].hi[dir] = 1;
    }
    out[PLANES].lo[Z] = q->start[q->first[rank]];
    out[PLANES].hi[Z] = q->start[q->first[rank + 1]];
    out[OWN].hi[X] = (int)(2 * columns);
    out[OWN].lo[Y] = q->first[rank] + rank;
    out[OWN].hi[Y] = q->first[rank + 1] + rank + 1;
    out[WHOLE].lo[X] = (int)(2 * (columns * rank / size));
    out[WHOLE].hi[X] = (int)(2 * (columns * (rank + 1) / size));
    out[WHOLE].hi[Y] = q->count + size;
}

static kol_status spread_out(struct direct_planes *s, const struct decomp *d, const struct grid *g,
                             const struct slices *q)
{
    const struct pieces_from from = {q, columns_of(g)};
    for (int n = 0; n < SPREADS; ++n) s->spread[n] = (struct spread){.axis = {X, Y, Z}};
    s->spread[BOXES].box = &s->box;
    return spreads_create(s->comm, d, pieces_of, &from, SPREADS, s->spread, &s->pieces);
}

/* Computes everything that needs no kernel memory. */
static kol_status plan(const struct comm *c, const struct decomp *d, const struct grid *g,
                       struct direct_planes *s, struct slices *q)
{
    s->comm = c;
    s->box = g->box;
    s->in_place = is_in_place(d);
    TRY(cuts_make(c, d, q));
    return spread_out(s, d, g, q);
}

static struct fft_batches batches_of(const struct direct_planes *s, const struct grid *g,
                                     const struct slices *q)
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

static size_t spectrum_values(const struct grid *g, const struct slices *q)
{
    return 2 * (size_t)columns_of(g) * (size_t)q->planes;
}

static size_t slot_values(const struct direct_planes *s, int spread)
{
    return piece_count(s->spread[spread].piece[s->comm->rank]);
}

static kol_status waves_create(struct memory *memory, const struct grid *g, struct direct_planes *s)
{
    const int nx = waves_x(g), ny = g->n_g[Y];
    const size_t bytes = (size_t)(nx + ny) * sizeof(double);
    TRY(memory_kernel(memory, bytes, (void **)&s->lambda));
    if (memory_counts(memory)) return KOL_OK;
    double *host = malloc(bytes);
    kol_status st = KOL_OK;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for eigenvalues");
    for (int k = 0; k < nx; ++k) host[k] = direct_operator_wave(g, X, k);
    for (int k = 0; k < ny; ++k) host[nx + k] = direct_operator_wave(g, Y, k);
    TRY_OR(done, mem_to_kernel(s->lambda, host, bytes));
done:
    free(host);
    return st;
}

static kol_status systems_create(struct memory *memory, const struct grid *g,
                                 const struct direct_operator *op, const struct slices *q,
                                 struct direct_planes *s)
{
    const int size = s->comm->size, rank = s->comm->rank;
    const struct piece whole = s->spread[WHOLE].piece[rank];
    TRY(direct_chunks_create(memory, q->count, q->start, op->w, op->g, size, q->first, &s->chunks));
    if (memory_counts(memory)) return KOL_OK;
    s->factor = op->factor;
    s->own = s->chunks.of_grid;
    s->own.first = q->first[rank];
    s->own.own = q->first[rank + 1] - q->first[rank];
    s->own.na = waves_x(g);
    s->own.la = s->lambda;
    s->own.lb = s->lambda + waves_x(g);
    s->own.columns = (int)columns_of(g);
    s->whole = s->own;
    s->whole.column = whole.lo[X] / 2;
    s->whole.columns = whole.hi[X] / 2 - whole.lo[X] / 2;
    return KOL_OK;
}

/* Creates what belongs to this rank alone. */
static kol_status own_create(struct memory *memory, const struct grid *g, const struct direct_operator *op,
                             const struct slices *q, struct direct_planes *s)
{
    const size_t value = sizeof(double);
    size_t library = 0;
    if (!s->in_place) TRY(memory_kernel(memory, values_of_planes(s) * value, (void **)&s->planes));
    TRY(memory_kernel(memory, spectrum_values(g, q) * value, (void **)&s->spectrum));
    for (int n = 0; n < 2; ++n)
        TRY(memory_kernel(memory, slot_values(s, OWN + n) * value, (void **)&s->slots[n]));
    TRY(waves_create(memory, g, s));
    TRY(systems_create(memory, g, op, q, s));
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
    const struct grid *g = &domain->grid;
    const char *transport = halo_transport(domain->halo);
    struct direct_planes *s = calloc(1, sizeof *s);
    struct slices q = {0, 0, 0, NULL, NULL, NULL};
    kol_status st = KOL_OK;
    *out = s;
    if (s == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the direct solver");
    TRY(memory_agree(memory, c, st));
    TRY_OR(done, memory_agree(memory, c, plan(c, &domain->decomp, g, s, &q)));
    if (!s->in_place)
        TRY_OR(done, transposes_create(memory, c, transport, s->spread + BOXES, MOVED, &s->fields));
    TRY_OR(done, transposes_create(memory, c, transport, s->spread + OWN, MOVED, &s->moves));
    TRY_OR(done, memory_agree(memory, c, own_create(memory, g, op, &q, s)));
done:
    cuts_free(&q);
    return st;
}

void direct_planes_destroy(struct direct_planes **s)
{
    struct direct_planes *q = *s;
    if (q == NULL) return;
    transposes_destroy(&q->moves);
    transposes_destroy(&q->fields);
    fft_planes_destroy(&q->fft);
    direct_chunks_destroy(&q->chunks);
    mem_kernel_free(q->planes);
    mem_kernel_free(q->spectrum);
    mem_kernel_free(q->slots[0]);
    mem_kernel_free(q->slots[1]);
    mem_kernel_free(q->lambda);
    free(q->pieces);
    free(q);
    *s = NULL;
}

/* Along z, in place. */
static kol_status solve(struct direct_planes *s)
{
    TRY(separators_fold(s->own, s->factor, s->spectrum, s->slots[0]));
    TRY(transposes_forward(s->moves, 0, (struct spread_source){.values = s->slots[0]},
                           (struct spread_target){.values = s->slots[1]}));
    TRY(separators_solve(s->whole, s->slots[1]));
    TRY(transposes_backward(s->moves, 0, (struct spread_source){.values = s->slots[1]},
                            (struct spread_target){.values = s->slots[0]}));
    return separators_unfold(s->own, s->factor, s->slots[0], s->spectrum);
}

/* In double precision fields are values of double. */
static kol_status apply_in_place(struct direct_planes *s, const real *r, real *z)
{
    TRY(fft_planes_forward(s->fft, (const double *)(const void *)(r + s->box.start), s->spectrum));
    TRY(solve(s));
    return fft_planes_backward(s->fft, s->spectrum, (double *)(void *)(z + s->box.start));
}

kol_status direct_planes_apply(struct direct_planes *s, const real *r, real *z)
{
    if (s->in_place) return apply_in_place(s, r, z);
    TRY(transposes_forward(s->fields, 0, (struct spread_source){.field = r},
                           (struct spread_target){.values = s->planes}));
    TRY(fft_planes_forward(s->fft, s->planes, s->spectrum));
    TRY(solve(s));
    TRY(fft_planes_backward(s->fft, s->spectrum, s->planes));
    return transposes_backward(s->fields, 0, (struct spread_source){.values = s->planes},
                               (struct spread_target){.field = z});
}
