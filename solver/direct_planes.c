#include "direct_planes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "../kernels/base/mem.h"
#include "../kernels/fft.h"
#include "chunks.h"
#include "transpose.h"

/* Slots of separators: all columns of this rank's, or all ranks' of some columns. */
enum { OWN, WHOLE, SPREADS };

struct direct_planes {
    const struct comm *comm;
    struct fft_whole *fft;
    struct piece *pieces; /* of both spreads */
    struct spread spread[SPREADS];
    struct transposes *moves;
    struct chunks chunks;
    struct separators own, whole;
    double factor;
    double *spectrum, *slots[SPREADS], *lambda; /* of x, then of y */
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

int direct_planes_there(const struct comm *c, const struct decomp *d, const struct grid *g)
{
    return c->size > 1 && d->ranks[X] == 1 && d->ranks[Y] == 1 && fft_whole_there() && g->uniform[X] &&
           g->periodic[X] && g->uniform[Y] && g->periodic[Y] && 2 * columns_of(g) <= INT_MAX &&
           chunks_count(d, Z) > 0;
}

/* first: the first chunk of each rank, and their number. */
static kol_status first_chunks(const struct decomp *d, int size, int count, int *first)
{
    struct decomp there;
    for (int r = 0; r < size; ++r) {
        TRY(decomp_create(d->n_g, d->ranks, size, r, &there));
        first[r] = there.first_block[Z] * (count / d->blocks_g[Z]);
    }
    first[size] = count;
    return KOL_OK;
}

/* Columns are cut evenly; x counts both parts of them. */
static void pieces_of(ptrdiff_t columns, int size, int rank, const int *first, struct piece out[SPREADS])
{
    for (int s = 0; s < SPREADS; ++s) {
        out[s] = (struct piece){{0, 0, 0}, {(int)(2 * columns), 1, first[size] + size}};
    }
    out[OWN].lo[Z] = first[rank] + rank;
    out[OWN].hi[Z] = first[rank + 1] + rank + 1;
    out[WHOLE].lo[X] = (int)(2 * (columns * rank / size));
    out[WHOLE].hi[X] = (int)(2 * (columns * (rank + 1) / size));
}

static kol_status spreads_create(struct direct_planes *s, const struct grid *g, const int *first)
{
    const int size = s->comm->size;
    struct piece of_rank[SPREADS];
    s->pieces = calloc((size_t)SPREADS * (size_t)size, sizeof *s->pieces);
    if (s->pieces == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the pieces of %d ranks", size);
    for (int r = 0; r < size; ++r) {
        pieces_of(columns_of(g), size, r, first, of_rank);
        for (int n = 0; n < SPREADS; ++n) s->pieces[n * size + r] = of_rank[n];
    }
    for (int n = 0; n < SPREADS; ++n) s->spread[n] = (struct spread){s->pieces + n * size, {X, Y, Z}, NULL};
    return KOL_OK;
}

/* plan: all that is known without a byte of kernel memory; first: ranks and one more. */
static kol_status plan(const struct comm *c, const struct decomp *d, const struct grid *g,
                       struct direct_planes *s, int *first)
{
    s->comm = c;
    TRY(first_chunks(d, c->size, chunks_count(d, Z), first));
    return spreads_create(s, g, first);
}

static int *new_firsts(const struct comm *c)
{
    return malloc((size_t)(c->size + 1) * sizeof(int));
}

static ptrdiff_t spectrum_values(const struct grid *g)
{
    return 2 * columns_of(g) * g->box.nz;
}

static size_t slot_values(const struct direct_planes *s, int spread)
{
    return piece_count(s->spread[spread].piece[s->comm->rank]);
}

static kol_status waves_create(const struct grid *g, struct direct_planes *s)
{
    const int nx = waves_x(g), ny = g->n_g[Y];
    const size_t bytes = (size_t)(nx + ny) * sizeof(double);
    double *host = malloc(bytes);
    kol_status st = KOL_OK;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for eigenvalues");
    for (int k = 0; k < nx; ++k) host[k] = separable_wave(g, X, k);
    for (int k = 0; k < ny; ++k) host[nx + k] = separable_wave(g, Y, k);
    TRY_OR(done, mem_kernel_alloc(bytes, (void **)&s->lambda));
    TRY_OR(done, mem_to_kernel(s->lambda, host, bytes));
done:
    free(host);
    return st;
}

static kol_status systems_create(const struct decomp *d, const struct grid *g, const struct separable *op,
                                 const int *first, struct direct_planes *s)
{
    const int size = s->comm->size, rank = s->comm->rank, count = first[size];
    const struct piece whole = s->spread[WHOLE].piece[rank];
    int *start = malloc((size_t)(count + 1) * sizeof *start);
    kol_status st = KOL_OK;
    if (start == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d chunks of levels", count);
    chunks_starts(d, Z, count, start);
    TRY_OR(done, chunks_create(count, start, op->w, op->g, size, first, &s->chunks));
    s->own = s->chunks.of_grid;
    s->own.first = first[rank];
    s->own.own = first[rank + 1] - first[rank];
    s->own.na = waves_x(g);
    s->own.la = s->lambda;
    s->own.lb = s->lambda + waves_x(g);
    s->own.columns = (int)columns_of(g);
    s->whole = s->own;
    s->whole.column = whole.lo[X] / 2;
    s->whole.columns = whole.hi[X] / 2 - whole.lo[X] / 2;
done:
    free(start);
    return st;
}

/* What a rank makes for itself. */
static kol_status own_create(const struct decomp *d, const struct grid *g, const struct separable *op,
                             const int *first, struct direct_planes *s)
{
    s->factor = op->factor;
    TRY(mem_kernel_alloc((size_t)spectrum_values(g) * sizeof(double), (void **)&s->spectrum));
    for (int n = 0; n < SPREADS; ++n)
        TRY(mem_kernel_alloc(slot_values(s, n) * sizeof(double), (void **)&s->slots[n]));
    TRY(waves_create(g, s));
    TRY(systems_create(d, g, op, first, s));
    return fft_whole_create(g->box, 2, &s->fft);
}

kol_status direct_planes_create(const struct comm *c, const struct decomp *d, const struct grid *g,
                                const struct separable *op, const char *transport, struct direct_planes **out)
{
    struct direct_planes *s = calloc(1, sizeof *s);
    int *first = new_firsts(c);
    kol_status st = KOL_OK;
    *out = s;
    if (s == NULL || first == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the direct solver");
    TRY_OR(done, comm_agree(c, st));
    TRY_OR(done, comm_agree(c, plan(c, d, g, s, first)));
    TRY_OR(done, transposes_create(c, transport, s->spread, SPREADS, &s->moves));
    TRY_OR(done, comm_agree(c, own_create(d, g, op, first, s)));
done:
    free(first);
    return st;
}

void direct_planes_destroy(struct direct_planes **s)
{
    struct direct_planes *q = *s;
    if (q == NULL) return;
    transposes_destroy(&q->moves);
    fft_whole_destroy(&q->fft);
    chunks_destroy(&q->chunks);
    mem_kernel_free(q->spectrum);
    mem_kernel_free(q->slots[OWN]);
    mem_kernel_free(q->slots[WHOLE]);
    mem_kernel_free(q->lambda);
    free(q->pieces);
    free(q);
    *s = NULL;
}

kol_status direct_planes_bytes(const struct comm *c, const struct decomp *d, const struct grid *g,
                               const char *transport, size_t *bytes)
{
    struct direct_planes s;
    int *first = new_firsts(c);
    kol_status st;
    memset(&s, 0, sizeof s);
    if (first == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the chunks of %d ranks", c->size);
    TRY_OR(done, plan(c, d, g, &s, first));
    TRY_OR(done, fft_whole_bytes(g->box, 2, bytes));
    *bytes += ((size_t)spectrum_values(g) + slot_values(&s, OWN) + slot_values(&s, WHOLE) +
               (size_t)(waves_x(g) + g->n_g[Y])) *
              sizeof(double);
    *bytes += chunks_bytes(g->n_g[Z], first[c->size]) + transposes_bytes(c, transport, s.spread, SPREADS);
done:
    free(s.pieces);
    free(first);
    return st;
}

kol_status direct_planes_apply(struct direct_planes *s, const real *r, real *z)
{
    TRY(fft_whole_forward(s->fft, r, s->spectrum));
    TRY(separators_fold(s->own, s->factor, s->spectrum, s->slots[OWN]));
    TRY(transposes_forward(s->moves, 0, (struct spread_source){.values = s->slots[OWN]},
                           (struct spread_target){.values = s->slots[WHOLE]}));
    TRY(separators_solve(s->whole, s->slots[WHOLE]));
    TRY(transposes_backward(s->moves, 0, (struct spread_source){.values = s->slots[WHOLE]},
                            (struct spread_target){.values = s->slots[OWN]}));
    TRY(separators_unfold(s->own, s->factor, s->slots[OWN], s->spectrum));
    return fft_whole_backward(s->fft, s->spectrum, z);
}
