/* Moves a field to slabs of complete planes, and transforms their lines. */
#include "box_slabs.h"

#include <stdlib.h>
#include "kernels/fft.h"
#include "parallel/transpose.h"

enum { BOXES, ALONG_X, ALONG_Y, ALONG_Z, SPREADS };
_Static_assert((int)SPREADS <= (int)TRANSPOSE_SPREADS, "one object moves them all");

struct box_slabs {
    const struct comm *comm;
    struct box box;
    int n[3];
    struct piece *pieces; /* of all spreads */
    struct spread spread[SPREADS];
    struct transposes *moves;
    struct fft_lines *lines[3];
    struct box_slab slab[BOX_SLABS_KINDS];
    int *start[2]; /* groups of planes of z, of x */
};

int box_slabs_groups(int n)
{
    return n < BOX_SLABS_GROUPS ? n : BOX_SLABS_GROUPS;
}

static int group_start(int n, int g)
{
    return (int)((long long)n * g / box_slabs_groups(n));
}

static int rank_group(int n, int rank, int ranks)
{
    return (int)((long long)box_slabs_groups(n) * rank / ranks);
}

static void cut(struct piece *p, int dir, int n, int rank, int ranks)
{
    p->lo[dir] = group_start(n, rank_group(n, rank, ranks));
    p->hi[dir] = group_start(n, rank_group(n, rank + 1, ranks));
}

static void pieces_of(const void *context, const struct decomp *d, int rank, int ranks,
                      struct piece out[SPREADS])
{
    (void)context;
    spread_boxes(d, BOXES, SPREADS, out);
    cut(&out[ALONG_X], Z, d->n_g[Z], rank, ranks);
    cut(&out[ALONG_Y], Z, d->n_g[Z], rank, ranks);
    cut(&out[ALONG_Z], X, d->n_g[X], rank, ranks);
}

/* Computes everything that needs no kernel memory. */
static kol_status plan(const struct comm *c, const struct decomp *d, const struct grid *g,
                       struct box_slabs *s)
{
    *s = (struct box_slabs){
        .comm = c,
        .box = g->box,
        .spread = {{.axis = {X, Y, Z}}, {.axis = {X, Y, Z}}, {.axis = {Y, X, Z}}, {.axis = {Z, Y, X}}}};
    s->spread[BOXES].box = &s->box;
    for (int dir = 0; dir < 3; ++dir) s->n[dir] = g->n_g[dir];
    return spreads_create(c, d, pieces_of, NULL, SPREADS, s->spread, &s->pieces);
}

static ptrdiff_t cells_of(const struct box_slabs *s, int kind)
{
    return (ptrdiff_t)piece_count(s->spread[ALONG_X + kind].piece[s->comm->rank]);
}

static ptrdiff_t lines_all(const struct box_slabs *s, int kind)
{
    return (ptrdiff_t)s->n[X] * s->n[Y] * s->n[Z] / s->n[kind];
}

static ptrdiff_t most_values(const struct box_slabs *s)
{
    ptrdiff_t most = 1; /* a slab may be empty */
    for (int kind = 0; kind < BOX_SLABS_KINDS; ++kind) {
        const ptrdiff_t v = fft_lines_values(s->n[kind], cells_of(s, kind) / s->n[kind], lines_all(s, kind));
        most = v > most ? v : most;
    }
    return most;
}

static kol_status groups_create(struct box_slabs *s, int dir, int **start, struct box_slab *out)
{
    const int n = s->n[dir], first = rank_group(n, s->comm->rank, s->comm->size),
              groups = rank_group(n, s->comm->rank + 1, s->comm->size) - first;
    int *at = *start = malloc(((size_t)groups + 1) * sizeof *at);
    if (at == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d groups of planes", groups);
    const int origin = group_start(n, first);
    for (int g = 0; g <= groups; ++g) at[g] = group_start(n, first + g) - origin;
    *out = (struct box_slab){origin, at[groups], n, first, groups, box_slabs_groups(n), at};
    return KOL_OK;
}

static kol_status own_create(struct memory *memory, struct box_slabs *s, int moves)
{
    TRY(groups_create(s, Z, &s->start[0], &s->slab[BOX_SLABS_X]));
    TRY(groups_create(s, X, &s->start[1], &s->slab[BOX_SLABS_Z]));
    s->slab[BOX_SLABS_Y] = s->slab[BOX_SLABS_X];
    for (int kind = 0; kind < BOX_SLABS_KINDS && moves; ++kind) {
        memory_library(memory, fft_lines_bytes(FFT_FOURIER, s->n[kind], lines_all(s, kind)));
        if (memory_counts(memory)) continue;
        TRY(fft_lines_create(FFT_FOURIER, s->n[kind], cells_of(s, kind) / s->n[kind], lines_all(s, kind),
                             NULL, &s->lines[kind]));
    }
    return KOL_OK;
}

kol_status box_slabs_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                            const struct grid *g, const char *transport, struct box_slabs **out)
{
    struct box_slabs *s = *out = calloc(1, sizeof *s);
    TRY(memory_agree(memory, c,
                     s == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for slabs")
                               : KOL_OK));
    TRY(memory_agree(memory, c, plan(c, d, g, s)));
    if (transport != NULL) TRY(transposes_create(memory, c, transport, s->spread, SPREADS, &s->moves));
    return memory_agree(memory, c, own_create(memory, s, transport != NULL));
}

void box_slabs_destroy(struct box_slabs **slabs)
{
    struct box_slabs *s = *slabs;
    if (s == NULL) return;
    transposes_destroy(&s->moves);
    for (int kind = 0; kind < BOX_SLABS_KINDS; ++kind) fft_lines_destroy(&s->lines[kind]);
    free(s->start[0]);
    free(s->start[1]);
    free(s->pieces);
    free(s);
    *slabs = NULL;
}

ptrdiff_t box_slabs_values(const struct box_slabs *s)
{
    return most_values(s);
}

struct box_slab box_slabs_of(const struct box_slabs *s, int kind)
{
    return s->slab[kind];
}

/* --- moves --- */

static void swap(double *work[2])
{
    double *first = work[0];
    work[0] = work[1];
    work[1] = first;
}

kol_status box_slabs_begin(struct box_slabs *s, const real *field, double *work[2])
{
    return transposes_forward(s->moves, BOXES, (struct spread_source){.field = field},
                              (struct spread_target){.values = work[0]});
}

kol_status box_slabs_next(struct box_slabs *s, int kind, double *work[2])
{
    TRY(transposes_forward(s->moves, ALONG_X + kind, (struct spread_source){.values = work[0]},
                           (struct spread_target){.values = work[1]}));
    swap(work);
    return KOL_OK;
}

static kol_status transform(struct box_slabs *s, int kind, double *work[2])
{
    TRY(fft_lines_forward(s->lines[kind], work[0], work[1]));
    swap(work);
    return KOL_OK;
}

kol_status box_slabs_end(struct box_slabs *s)
{
    return transposes_settle(s->moves);
}

kol_status box_slabs_spectrum(struct box_slabs *s, const real *field, double *work[2])
{
    TRY(box_slabs_begin(s, field, work));
    for (int kind = 0; kind < BOX_SLABS_KINDS; ++kind) {
        if (kind > 0) TRY(box_slabs_next(s, kind - 1, work));
        TRY(transform(s, kind, work));
    }
    return box_slabs_end(s);
}
