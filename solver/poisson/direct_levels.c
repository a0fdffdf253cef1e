/* Solves along z on several ranks: folds chunks, moves separators, solves for them, moves them back, unfolds.
 */
#include "direct_levels.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "direct_chunks.h"
#include "parallel/transpose.h"

/* The distributions of the separators: this rank's of all columns, and all of some columns. */
enum { OWN, WHOLE, SPREADS };

struct direct_levels {
    const struct comm *comm;
    struct piece *pieces; /* of all spreads */
    struct spread spread[SPREADS];
    struct transposes *moves;
    struct direct_chunks chunks;
    struct separators own, whole;
    double factor;
    double *slots[SPREADS], *lambda; /* of x, then of y */
};

/* The first block in z of a rank's planes. If only z is divided, it is that of its field. */
static int first_block(const struct decomp *d, int size, int rank)
{
    return (int)((long long)d->blocks_g[Z] * rank / size);
}

kol_status level_slices_create(const struct comm *c, const struct decomp *d, int single,
                               struct level_slices *q)
{
    const int blocks = d->blocks_g[Z], low = first_block(d, c->size, c->rank);
    memset(q, 0, sizeof *q);
    q->count = direct_chunks_count(d, Z, single ? SEPARATORS_LEVELS_SINGLE : SEPARATORS_LEVELS);
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

void level_slices_destroy(struct level_slices *q)
{
    free(q->start);
    free(q->first);
    free(q->batch);
    memset(q, 0, sizeof *q);
}

static int waves_x(const struct grid *g)
{
    return g->n_g[X] / 2 + 1;
}

/* Columns of the spectrum. */
static ptrdiff_t columns_of(const struct grid *g)
{
    return (ptrdiff_t)waves_x(g) * g->n_g[Y];
}

/* pieces_from: what determines the pieces. moved: number of values of 8 bytes that a column has in a slot: 2,
 * or 1 that holds both parts in single precision. Moves change no bit of them. */
struct pieces_from {
    const struct level_slices *slices;
    ptrdiff_t columns; /* of the spectrum */
    int moved;
};

/* Pieces of one rank: x counts the values of all columns, y the separators. Columns are divided evenly. */
static void pieces_of(const void *context, const struct decomp *d, int rank, int size,
                      struct piece out[SPREADS])
{
    const struct pieces_from *from = context;
    const struct level_slices *q = from->slices;
    const ptrdiff_t columns = from->columns;
    (void)d;
    for (int dir = 0; dir < 3; ++dir) out[OWN].hi[dir] = out[WHOLE].hi[dir] = 1;
    out[OWN].hi[X] = (int)(from->moved * columns);
    out[OWN].lo[Y] = q->first[rank] + rank;
    out[OWN].hi[Y] = q->first[rank + 1] + rank + 1;
    out[WHOLE].lo[X] = (int)(from->moved * (columns * rank / size));
    out[WHOLE].hi[X] = (int)(from->moved * (columns * (rank + 1) / size));
    out[WHOLE].hi[Y] = q->count + size;
}

static kol_status waves_create(struct memory *memory, const struct grid *g, struct direct_levels *s)
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
                                 const struct direct_operator *op, const struct level_slices *q,
                                 struct direct_levels *s)
{
    const int size = s->comm->size, rank = s->comm->rank;
    const ptrdiff_t columns = columns_of(g);
    TRY(direct_chunks_create(memory, q->count, q->start, op->w, op->g, size, q->first, &s->chunks));
    if (memory_counts(memory)) return KOL_OK;
    s->factor = op->factor;
    s->own = s->chunks.of_grid;
    s->own.first = q->first[rank];
    s->own.own = q->first[rank + 1] - q->first[rank];
    s->own.na = waves_x(g);
    s->own.la = s->lambda;
    s->own.lb = s->lambda + waves_x(g);
    s->own.columns = (int)columns;
    s->whole = s->own;
    s->whole.column = (int)(columns * rank / size);
    s->whole.columns = (int)(columns * (rank + 1) / size) - s->whole.column;
    return KOL_OK;
}

/* Creates what belongs to this rank alone. */
static kol_status own_create(struct memory *memory, const struct grid *g, const struct direct_operator *op,
                             const struct level_slices *q, struct direct_levels *s)
{
    for (int n = 0; n < SPREADS; ++n)
        TRY(memory_kernel(memory, piece_count(s->spread[n].piece[s->comm->rank]) * sizeof(double),
                          (void **)&s->slots[n]));
    TRY(waves_create(memory, g, s));
    return systems_create(memory, g, op, q, s);
}

kol_status direct_levels_create(const struct domain *domain, const struct direct_operator *op,
                                const struct level_slices *q, int single, struct direct_levels **out)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const struct grid *g = &domain->grid;
    const struct pieces_from from = {q, columns_of(g), single ? 1 : 2};
    struct direct_levels *s = calloc(1, sizeof *s);
    *out = s;
    TRY(memory_agree(memory, c,
                     s == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the direct solver")
                         : KOL_OK));
    s->comm = c;
    for (int n = 0; n < SPREADS; ++n) s->spread[n] = (struct spread){.axis = {X, Y, Z}};
    TRY(memory_agree(memory, c,
                     spreads_create(c, &domain->decomp, pieces_of, &from, SPREADS, s->spread, &s->pieces)));
    TRY(transposes_create(memory, c, halo_transport(domain->halo), s->spread, SPREADS, &s->moves));
    return memory_agree(memory, c, own_create(memory, g, op, q, s));
}

void direct_levels_destroy(struct direct_levels **s)
{
    struct direct_levels *q = *s;
    if (q == NULL) return;
    transposes_destroy(&q->moves);
    direct_chunks_destroy(&q->chunks);
    for (int n = 0; n < SPREADS; ++n) mem_kernel_free(q->slots[n]);
    mem_kernel_free(q->lambda);
    free(q->pieces);
    free(q);
    *s = NULL;
}

/* Moves the slots so that this rank has all of its columns, or back. */
static kol_status gather(struct direct_levels *s)
{
    return transposes_forward(s->moves, 0, (struct spread_source){.values = s->slots[OWN]},
                              (struct spread_target){.values = s->slots[WHOLE]});
}

static kol_status scatter(struct direct_levels *s)
{
    return transposes_backward(s->moves, 0, (struct spread_source){.values = s->slots[WHOLE]},
                               (struct spread_target){.values = s->slots[OWN]});
}

kol_status direct_levels_solve(struct direct_levels *s, double *spectrum)
{
    TRY(separators_fold(s->own, s->factor, spectrum, s->slots[OWN]));
    TRY(gather(s));
    TRY(separators_solve(s->whole, s->slots[WHOLE]));
    TRY(scatter(s));
    return separators_unfold(s->own, s->factor, s->slots[OWN], spectrum);
}

kol_status direct_levels_solve_single(struct direct_levels *s, float *spectrum)
{
    float *own = (float *)(void *)s->slots[OWN], *whole = (float *)(void *)s->slots[WHOLE];
    TRY(separators_fold_single(s->own, s->factor, spectrum, own));
    TRY(gather(s));
    TRY(separators_solve_single(s->whole, whole));
    TRY(scatter(s));
    return separators_unfold_single(s->own, s->factor, own, spectrum);
}
