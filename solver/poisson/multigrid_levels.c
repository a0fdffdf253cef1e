/* Makes the grids of the multigrid preconditioner, their stencils, transfers and exchanges. */
#include "multigrid_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/point/level.h"
#include "multigrid_coarsest.h"

/* Every rank has the whole of a grid with fewer cells than this, because messages would cost more than the
 * work. */
static const double REPLICATED_BELOW = 32768;
/* Halo layers of a level: what a coarse cell reads of the residual beyond this rank. */
enum { LEVEL_HALO = 2 };
/* Values before the first own cell and after the last in 1-D arrays. */
enum { LEAD = LEVEL_HALO + 1 };

/* --- one direction --- */

/* Whether widths and distances are all the same, as the kernels will have them. */
static int line_uniform(const struct line *l)
{
    int uniform = l->n > 1 && l->periodic;
    for (int i = 1; i < l->n; ++i)
        uniform = uniform && (level_real)l->width[i] == (level_real)l->width[0] &&
                  (level_real)line_inverse(l, i) == (level_real)line_inverse(l, 0);
    return uniform;
}

/* Weight of the coarse neighbour on `side` (-1, 1) in the value at fine cell i, whose centre lies between:
 * linear interpolation between centres of coarse cells. Beyond a wall there is none. */
static double line_weight(const struct line *fine, const struct line *coarse, const struct pairs *p, int i,
                          int side)
{
    const int parent = p->parent[i], first = p->first[parent], pair = p->first[parent + 1] - first > 1;
    if (!pair || (side < 0) != (i == first) || coarse->n == 1) return 0;
    const int neighbour = parent + side;
    if (!coarse->periodic && (neighbour < 0 || neighbour >= coarse->n)) return 0;
    const double own = coarse->width[parent], other = coarse->width[line_fold(neighbour, coarse->n)];
    const double mate =
        fine->width[i == first ? i + 1 : i - 1]; /* twice the distance from the parent's centre */
    return mate / (own + other);
}

/* --- what kernels read --- */

/* store: a place in kernel memory that is filled from the host. */
struct store {
    level_real *host, *kernel;
    int *host_int, *kernel_int;
    size_t used, used_int;
};

/* Own coarse cells of a direction. */
static void coarse_range(const struct level *l, int d, int *begin, int *end)
{
    const int a = l->d.offset[d];
    *begin = multigrid_pairs_from(&l->pairs[d], a);
    *end = multigrid_pairs_from(&l->pairs[d], a + l->d.n[d]);
}

static const level_real *store_reals(struct store *s, size_t count, level_real **host)
{
    const level_real *kernel = s->kernel + s->used;
    *host = s->host + s->used;
    s->used += count;
    return kernel;
}

static const int *store_ints(struct store *s, size_t count, int **host)
{
    const int *kernel = s->kernel_int + s->used_int;
    *host = s->host_int + s->used_int;
    s->used_int += count;
    return kernel;
}

static void store_stencil(const struct level *l, int d, struct store *s, const level_real **w,
                          const level_real **g)
{
    const int n = l->d.n[d], row = n + 2 * LEAD;
    level_real *width, *inverse;
    *w = store_reals(s, (size_t)row, &width) + LEAD;
    *g = store_reals(s, (size_t)row, &inverse) + LEAD;
    for (int i = -LEAD; i < n + LEAD; ++i) {
        const int at_grid = l->d.offset[d] + i;
        width[LEAD + i] = (level_real)l->line[d].width[line_fold(at_grid, l->line[d].n)];
        inverse[LEAD + i] = (level_real)line_inverse(&l->line[d], at_grid);
    }
}

static void store_transfer(const struct level *l, const struct line *coarse, int d, int linear,
                           struct store *s, struct level_transfer *t)
{
    const struct line *fine = &l->line[d];
    const int n = l->d.n[d], row = n + 2 * LEAD;
    const struct pairs *p = &l->pairs[d];
    int begin, end;
    level_real *low, *high;
    int *parent, *first;
    coarse_range(l, d, &begin, &end);
    t->low = store_reals(s, (size_t)row, &low) + LEAD;
    t->high = store_reals(s, (size_t)row, &high) + LEAD;
    t->parent = store_ints(s, (size_t)row, &parent) + LEAD;
    t->first = store_ints(s, (size_t)(end - begin) + 1, &first);
    for (int i = -LEAD; i < n + LEAD; ++i) {
        const int at_grid = l->d.offset[d] + i, folded = line_fold(at_grid, fine->n);
        const int turns = (at_grid - folded) / fine->n, inside = fine->periodic || turns == 0;
        parent[LEAD + i] = p->parent[folded] + turns * coarse->n - begin;
        low[LEAD + i] = (level_real)(linear && inside ? line_weight(fine, coarse, p, folded, -1) : 0);
        high[LEAD + i] = (level_real)(linear && inside ? line_weight(fine, coarse, p, folded, 1) : 0);
    }
    for (int i = begin; i <= end; ++i) first[i - begin] = p->first[i] - l->d.offset[d];
}

static kol_status store_create(struct memory *memory, struct level *l, struct store *s)
{
    size_t reals = 0, ints = 0;
    for (int d = 0; d < 3; ++d) {
        reals += 4 * (size_t)(l->d.n[d] + 2 * LEAD);
        ints += 2 * (size_t)(l->d.n[d] + 2 * LEAD) + 1;
    }
    memset(s, 0, sizeof *s);
    TRY(memory_kernel(memory, reals * sizeof *s->kernel, &l->store));
    TRY(memory_kernel(memory, ints * sizeof *s->kernel_int, (void **)&l->store_int));
    if (memory_counts(memory)) return KOL_OK;
    TRY(mem_host_alloc(reals * sizeof *s->host, (void **)&s->host)); /* until it is filled */
    TRY(mem_host_alloc(ints * sizeof *s->host_int, (void **)&s->host_int));
    s->kernel = l->store;
    s->kernel_int = l->store_int;
    return KOL_OK;
}

/* How this level and the next one exchange values. */
static void choose_passage(struct level *l, int linear)
{
    l->fused_restriction = l->replicated || (l->aligned && !linear);
    l->fused_correction = level_smooth_corrects() && (l->aligned || !linear);
}

static kol_status level_store(struct memory *memory, struct level *l, const struct level *next, int linear)
{
    struct store s;
    kol_status st = KOL_OK;
    choose_passage(l, linear);
    l->s.uniform_x = line_uniform(&l->line[X]);
    l->s.uniform = l->s.uniform_x && line_uniform(&l->line[Y]) && line_uniform(&l->line[Z]);
    TRY_OR(done, store_create(memory, l, &s));
    if (memory_counts(memory)) return KOL_OK;
    const level_real **w[3] = {&l->s.wx, &l->s.wy, &l->s.wz}, **g[3] = {&l->s.gx, &l->s.gy, &l->s.gz};
    struct level_transfer *t[3] = {&l->t.x, &l->t.y, &l->t.z};
    for (int d = 0; d < 3; ++d) {
        store_stencil(l, d, &s, w[d], g[d]);
        if (next != NULL) store_transfer(l, &next->line[d], d, linear, &s, t[d]);
        l->t.linear[d] = linear && l->pairs[d].coarsened;
        l->t.regular[d] = l->pairs[d].regular;
    }
    TRY_OR(done, mem_to_kernel(s.kernel, s.host, s.used * sizeof *s.host));
    TRY_OR(done, mem_to_kernel(s.kernel_int, s.host_int, s.used_int * sizeof *s.host_int));
done:
    mem_host_free(s.host);
    mem_host_free(s.host_int);
    return st;
}

/* --- the sequence of grids --- */

/* cuts: first own cells of all ranks, in each direction; the place after the last gives the end. */
struct cuts {
    int *from[3];
};

static kol_status cuts_make(const struct decomp *d, struct cuts *out)
{
    for (int dir = 0; dir < 3; ++dir) {
        out->from[dir] = malloc(((size_t)d->ranks[dir] + 1) * sizeof *out->from[dir]);
        if (out->from[dir] == NULL)
            RAISE(KOL_ERR_MEMORY, "no memory for the cuts of %d ranks", d->ranks[dir]);
        for (int coord = 0; coord <= d->ranks[dir]; ++coord)
            out->from[dir][coord] = decomp_offset(d, dir, coord);
    }
    return KOL_OK;
}

static void cuts_destroy(struct cuts *c)
{
    for (int dir = 0; dir < 3; ++dir) free(c->from[dir]);
}

/* Replaces the cuts by those of the next level. A coarse cell belongs to the rank that owns its first fine
 * cell. */
static void cuts_coarsen(const struct decomp *d, const struct pairs pairs[3], struct cuts *c)
{
    for (int dir = 0; dir < 3; ++dir)
        for (int coord = 0; coord <= d->ranks[dir]; ++coord)
            c->from[dir][coord] = multigrid_pairs_from(&pairs[dir], c->from[dir][coord]);
}

/* The own cells of a level, and whether any rank has too few for a halo. */
static struct decomp level_decomp(const struct decomp *finest, const struct cuts *cuts, int replicated,
                                  const struct level *l, int *thin)
{
    struct decomp d = *finest;
    *thin = 0;
    for (int dir = 0; dir < 3; ++dir) {
        d.n_g[dir] = l->line[dir].n;
        if (replicated) {
            d.ranks[dir] = 1;
            d.coord[dir] = 0;
        }
        for (int coord = 0; !replicated && coord < d.ranks[dir]; ++coord) {
            const int from = cuts->from[dir][coord];
            const int cells = cuts->from[dir][coord + 1] - from;
            if (coord == d.coord[dir]) {
                d.offset[dir] = from;
                d.n[dir] = cells;
            }
            *thin = *thin || cells < LEVEL_HALO;
        }
        if (replicated) d.offset[dir] = 0;
        if (replicated) d.n[dir] = d.n_g[dir];
    }
    return d;
}

static kol_status first_level(const struct comm *c, const struct decomp *d, const struct grid *g,
                              struct multigrid_levels *ls)
{
    struct level *l = &ls->level[0];
    int exponent;
    frexp(g->h, &exponent);
    ls->unit = ldexp(1, exponent);
    ls->volume = g->h * g->h * g->h;
    for (int dir = 0; dir < 3; ++dir) {
        TRY(line_make(g->n_g[dir], g->periodic[dir], &l->line[dir]));
        for (int i = 0; i < g->n_g[dir]; ++i) {
            const double w =
                g->uniform[dir] ? g->length[dir] / g->n_g[dir] : g->face[dir][i + 1] - g->face[dir][i];
            l->line[dir].width[i] = w / ls->unit;
        }
    }
    l->d = *d;
    l->replicated = c->size == 1;
    ls->n = 1;
    return KOL_OK;
}

/* Returns whether the own cells of every rank begin with the first fine cell of a coarse cell. */
static int level_aligned(const struct decomp *finest, const struct cuts *cuts, const struct level *l)
{
    int aligned = 1;
    for (int d = 0; d < 3 && !l->replicated; ++d)
        for (int coord = 1; coord < finest->ranks[d]; ++coord)
            aligned = aligned && !multigrid_pairs_begin(&l->pairs[d], cuts->from[d][coord] - 1);
    return aligned;
}

/* Plans the next grid: its lines, its own cells and whether it is replicated. It takes no arrays. */
static kol_status plan_next(const struct decomp *d, struct cuts *cuts, int n, int by_coupling,
                            struct level *l, struct level *next)
{
    TRY(multigrid_coarsening_pairs(l->line, by_coupling, n, l->pairs));
    l->aligned = level_aligned(d, cuts, l);
    cuts_coarsen(d, l->pairs, cuts);
    for (int dir = 0; dir < 3; ++dir)
        TRY(multigrid_coarsening_line(&l->line[dir], &l->pairs[dir], &next->line[dir]));
    int thin = 0;
    next->d = level_decomp(d, cuts, l->replicated, next, &thin);
    next->replicated = l->replicated || thin || multigrid_coarsening_cells(next->line) <= REPLICATED_BELOW;
    if (next->replicated) next->d = level_decomp(d, cuts, 1, next, &thin);
    return KOL_OK;
}

static kol_status plan_all(const struct decomp *d, struct cuts *cuts, struct multigrid_levels *ls)
{
    while (ls->n < 2 || multigrid_coarsening_cells(ls->level[ls->n - 1].line) > MULTIGRID_COARSENING_DENSE) {
        if (ls->n == MULTIGRID_COARSENING_LEVELS)
            RAISE(KOL_ERR_INTERNAL, "more than %d levels", MULTIGRID_COARSENING_LEVELS);
        struct level *l = &ls->level[ls->n - 1];
        ++ls->n;
        TRY(plan_next(d, cuts, ls->n - 2, ls->by_coupling, l, l + 1));
    }
    return KOL_OK;
}

/* Plans all grids, without their arrays. */
static kol_status plan(const struct comm *c, const struct decomp *d, const struct grid *g, int linear,
                       struct multigrid_levels *ls)
{
    struct cuts cuts = {{NULL, NULL, NULL}};
    kol_status st = KOL_OK;
    TRY(first_level(c, d, g, ls));
    TRY(multigrid_coarsening_by_coupling(ls->level[0].line, linear, &ls->by_coupling));
    TRY_OR(done, cuts_make(d, &cuts));
    TRY_OR(done, plan_all(d, &cuts, ls));
done:
    cuts_destroy(&cuts);
    return st;
}

/* --- arrays --- */

static kol_status level_array(struct memory *memory, struct box b, level_real **out)
{
    TRY(memory_kernel(memory, (size_t)b.size * sizeof **out, (void **)out));
    return memory_counts(memory) ? KOL_OK : level_fill(*out, b.size, 0);
}

/* Own coarse cells: where they are in the next level's arrays, and how they come there. */
static kol_status level_passage(struct memory *memory, const struct comm *c, const char *transport,
                                int bodies, struct level *l, const struct level *next)
{
    int begin[3], end[3];
    for (int d = 0; d < 3; ++d) {
        coarse_range(l, d, &begin[d], &end[d]);
        l->n_coarse[d] = end[d] - begin[d];
        l->shift[d] = next->replicated ? begin[d] : 0;
    }
    if (l->replicated || !next->replicated) return KOL_OK;
    l->part = level_box(l->n_coarse[X], l->n_coarse[Y], l->n_coarse[Z], 0);
    TRY(memory_agree(memory, c, level_array(memory, l->part, &l->r_part)));
    if (bodies) TRY(memory_agree(memory, c, level_array(memory, l->part, &l->faces_part)));
    return gather_create(memory, c, begin, l->n_coarse, next->d.n_g, sizeof(level_real), transport,
                         &l->gather);
}

static kol_status level_arrays(struct memory *memory, int bodies, struct level *l)
{
    if (bodies) TRY(level_array(memory, l->box, &l->faces));
    TRY(level_array(memory, l->box, &l->r));
    TRY(level_array(memory, l->box, &l->initial[0]));
    TRY(level_array(memory, l->box, &l->initial[1]));
    l->z = l->initial[0];
    l->z_next = l->initial[1];
    return KOL_OK;
}

static kol_status level_create(struct memory *memory, const struct comm *c, const struct grid *g,
                               int transport, int first, struct level *l, const struct level *next,
                               int linear)
{
    const unsigned all = (1u << FACES) - 1;
    /* the first one has the layout of a field, so that g->open has it, too */
    l->box = first ? g->box : level_box(l->d.n[X], l->d.n[Y], l->d.n[Z], LEVEL_HALO);
    l->cells = cells_all();
    if (level_around()) l->cells.around = all;
    TRY(memory_agree(memory, c,
                     !first      ? level_arrays(memory, g->bodies, l)
                     : g->bodies ? memory_kernel(memory, (size_t)l->box.size, (void **)&l->open)
                                 : KOL_OK));
    TRY(memory_agree(memory, c, level_store(memory, l, next, linear)));
    if (l->replicated) return KOL_OK;
    TRY(halo_create_for(memory, halo_use_level(sizeof(level_real)), c, &l->d, l->box, transport, &l->halo));
    if (level_around()) halo_leave_around(l->halo);
    l->cells = halo_cells(l->halo, CELLS_ALL);
    return KOL_OK;
}

kol_status multigrid_levels_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                                   const struct grid *g, int transport, int linear,
                                   struct multigrid_levels *out)
{
    const char *name = "none";
    memset(out, 0, sizeof *out);
    out->comm = c;
    TRY(memory_agree(memory, c, plan(c, d, g, linear, out)));
    for (int n = 0; n < out->n; ++n) {
        struct level *l = &out->level[n], *next = n + 1 < out->n ? l + 1 : NULL;
        TRY(level_create(memory, c, g, transport, n == 0, l, next, linear));
        if (l->halo != NULL) name = halo_transport(l->halo);
        if (next != NULL) TRY(level_passage(memory, c, name, g->bodies, l, next));
    }
    const struct line *coarsest = out->level[out->n - 1].line;
    return memory_agree(memory, c, multigrid_coarsest_create(memory, coarsest, &out->inverse));
}

/* Fills the cells beyond the own ones that sweeps over the level read. */
kol_status multigrid_levels_fill(struct level *l, level_real *a, enum halo_shape shape)
{
    if (l->replicated) return level_wrap(l->box, a);
    return halo_fill_one(l->halo, a, shape);
}

/* Marks the cells of l that move; from here on its stencil has the marked weights. */
static kol_status mark_cells(struct level *l)
{
    l->transfer_cells = l->cells;
    if (l->replicated) l->transfer_cells.around = (1u << FACES) - 1;
    level_word *const faces = l->open == NULL ? (level_word *)(void *)l->faces : NULL;
    TRY(level_mark(l->box, l->s, l->transfer_cells, l->t, l->open, faces));
    l->s.open = l->open;
    l->s.faces = faces;
    return KOL_OK;
}

/* Whether a cell of the plane at `host`, of the level's own ones, moves. */
static int any_moves(const struct level *l, const void *host)
{
    const unsigned char *bytes = host;
    const level_word *words = host;
    for (int j = 0; j < l->box.ny; ++j)
        for (int i = 0; i < l->box.nx; ++i) {
            const ptrdiff_t n = i + j * l->box.sy;
            if ((l->open != NULL ? point_level_moved_bits(bytes[n]) : point_level_moved_word(words[n])) >= 0)
                return 1;
        }
    return 0;
}

/* Finds out whether own cells of l move. Planes are copied one by one, to take little memory. */
static kol_status find_moves(const struct level *l, int *moves)
{
    const struct box b = l->box;
    const size_t each = l->open != NULL ? sizeof *l->open : sizeof(level_word),
                 size = (size_t)((b.ny - 1) * b.sy + b.nx) * each;
    const char *const from = l->open != NULL ? (const char *)l->open : (const char *)l->faces;
    char *host = malloc(size);
    *moves = 0;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a plane of the weights of faces");
    kol_status st = KOL_OK;
    for (int k = 0; k < b.nz && st == KOL_OK && !*moves; ++k) {
        st = mem_to_host(host, from + (size_t)at(b, 0, 0, k) * each, size);
        *moves = st == KOL_OK && any_moves(l, host);
    }
    free(host);
    return st;
}

/* The words of the level after l, still without marks: they are in an array of a cycle, unless this is the
 * last level, which has none. */
static kol_status coarsen_faces(struct level *l, struct level *next, int last)
{
    const int gathered = l->gather != NULL;
    const struct box cb = gathered ? l->part : next->box;
    level_real *const words = last ? next->faces : next->initial[0];
    level_real *const coarse = gathered ? l->faces_part : words;
    TRY(level_coarsen(l->box, l->s, l->transfer_cells, l->t, l->n_coarse, cb, (level_word *)(void *)coarse));
    if (gathered) TRY(gather_all(l->gather, l->faces_part, l->part, words, next->box));
    next->s.faces = (const level_word *)(const void *)words;
    return multigrid_levels_fill(next, words, HALO_BOX);
}

/* Marks the cells of all levels that have a next one, and computes the words of levels 1 .. end - 1. */
static kol_status close_levels(struct multigrid_levels *ls, int end)
{
    ls->level[0].s.open = ls->open;
    for (int n = 0; n + 1 < ls->n; ++n) {
        struct level *l = &ls->level[n];
        TRY(mark_cells(l));
        if (n > 0) TRY(level_fill(l->initial[0], l->box.size, 0));
        if (n + 1 < end) TRY(coarsen_faces(l, l + 1, n + 2 == ls->n));
    }
    return KOL_OK;
}

/* Without cells that move no sweep has to add them. The ranks agree, since such a sweep needs a halo. */
static kol_status agree_moves(struct multigrid_levels *ls)
{
    int moves[MULTIGRID_COARSENING_LEVELS] = {0};
    kol_status st = KOL_OK;
    for (int n = 0; n + 1 < ls->n && st == KOL_OK; ++n) st = find_moves(&ls->level[n], &moves[n]);
    TRY(comm_agree(ls->comm, st));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, moves, MULTIGRID_COARSENING_LEVELS, MPI_INT, MPI_MAX, ls->comm->mpi));
    for (int n = 0; n < ls->n; ++n) ls->level[n].moves = moves[n];
    return KOL_OK;
}

kol_status multigrid_levels_close(const unsigned char *open, struct multigrid_levels *ls)
{
    ls->open = open;
    TRY(close_levels(ls, ls->n));
    TRY(agree_moves(ls));
    const struct level *last = &ls->level[ls->n - 1];
    return multigrid_coarsest_close(last->line, last->box, last->s.faces, ls->inverse);
}

kol_status multigrid_levels_renew(struct multigrid_levels *ls)
{
    for (int n = 0; n < ls->n; ++n) ls->level[n].moves = 1; /* the host does not look again */
    return close_levels(ls, ls->n - 1);
}

void multigrid_levels_destroy(struct multigrid_levels *ls)
{
    for (int n = 0; n < ls->n; ++n) {
        struct level *l = &ls->level[n];
        for (int d = 0; d < 3; ++d) {
            free(l->line[d].width);
            multigrid_pairs_destroy(&l->pairs[d]);
        }
        if (n > 0) {
            mem_kernel_free(l->r);
            mem_kernel_free(l->initial[0]);
            mem_kernel_free(l->initial[1]);
            mem_kernel_free(l->faces);
        }
        mem_kernel_free(l->open);
        mem_kernel_free(l->r_part);
        mem_kernel_free(l->faces_part);
        mem_kernel_free(l->store);
        mem_kernel_free(l->store_int);
        gather_destroy(&l->gather);
        halo_destroy(&l->halo);
    }
    mem_kernel_free(ls->inverse);
    memset(ls, 0, sizeof *ls);
}
