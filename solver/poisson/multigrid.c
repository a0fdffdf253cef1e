/* Runs the V-cycle of the multigrid preconditioner. */
#include "multigrid.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "kernels/base/replay.h"
#include "multigrid_levels.h"
#include "multigrid_smoother.h"

enum { STRONG_KINDS = MULTIGRID_STRONG_MOST - MULTIGRID_STRONG_LEAST + 1 };

struct multigrid {
    struct multigrid_options options;
    struct multigrid_levels levels;
    struct box box;                                                  /* of the fields of the iteration */
    struct multigrid_smoother smoother[MULTIGRID_COARSENING_LEVELS]; /* none on the last level */
    struct multigrid_smoother strong[STRONG_KINDS]; /* of the first level, by the number of steps */
    struct replay *replay;                          /* of the replicated levels */
    int renewed;                                    /* whether the weights are no longer those of the start */
};

static int has_bodies(const struct level *l)
{
    return l->s.open != NULL || l->s.faces != NULL;
}

struct multigrid_options multigrid_defaults(const struct grid *g)
{
    int plain = 1;
    for (int d = 0; d < 3; ++d) plain = plain && g->uniform[d];
    return (struct multigrid_options){.linear = !plain};
}

/* Chooses the first level's smoothers for cycles that have to reduce a residual by much. Beside bodies most
 * of the residual of a guess varies over few cells, and more steps reduce it more than they cost. */
static kol_status strong(struct multigrid *m, int bodies)
{
    const struct level *l = &m->levels.level[0];
    const int any = m->levels.n > 1 && bodies && m->options.smoothing == 0 && !m->levels.by_coupling;
    for (int n = 0; n < STRONG_KINDS; ++n) {
        const int steps = MULTIGRID_STRONG_LEAST + n;
        m->strong[n] = m->smoother[0];
        if (!any || m->smoother[0].steps >= steps) continue;
        TRY(multigrid_smoother_choose(l->line, l->pairs, 0, steps, m->options.linear, &m->strong[n]));
    }
    return KOL_OK;
}

static kol_status smoothers(struct multigrid *m, int bodies)
{
    for (int n = 0; n + 1 < m->levels.n; ++n) {
        const struct level *l = &m->levels.level[n];
        TRY(multigrid_smoother_choose(l->line, l->pairs, m->levels.by_coupling, m->options.smoothing,
                                      m->options.linear, &m->smoother[n]));
    }
    return strong(m, bodies);
}

kol_status multigrid_create(const struct domain *domain, struct multigrid_options options,
                            struct multigrid **out)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const struct grid *g = &domain->grid;
    const int transport = domain->in->device.transport;
    struct multigrid *m = calloc(1, sizeof *m);
    *out = m;
    TRY(memory_agree(memory, c,
                     m == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the multigrid")
                         : KOL_OK));
    /* its kernels count in 32 bits; how much memory is missing is the more useful message */
    const int wide = !memory_counts(memory) && level_around() && (uint64_t)g->box.size > UINT32_MAX;
    TRY(memory_agree(memory, c,
                     wide ? status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                                         "multigrid: more than 2^32 values a rank; use more ranks")
                          : KOL_OK));
    m->options = options;
    m->box = g->box;
    TRY(multigrid_levels_create(memory, c, &domain->decomp, g, transport, options.linear, &m->levels));
    if (memory_counts(memory)) return KOL_OK;
    TRY(comm_agree(c, replay_create(&m->replay)));
    TRY(comm_agree(c, smoothers(m, g->open != NULL)));
    if (g->open != NULL) TRY(multigrid_levels_close(g->open, &m->levels));
    /* a step more on one rank, by the last bit of its library, would leave the others in an exchange */
    MPI_TRY(MPI_Bcast(m->smoother, (int)sizeof m->smoother, MPI_BYTE, 0, c->mpi));
    MPI_TRY(MPI_Bcast(m->strong, (int)sizeof m->strong, MPI_BYTE, 0, c->mpi));
    return KOL_OK;
}

kol_status multigrid_renew(struct multigrid *m)
{
    m->renewed = 1;
    return multigrid_levels_renew(&m->levels);
}

void multigrid_destroy(struct multigrid **m)
{
    if (*m == NULL) return;
    replay_destroy(&(*m)->replay);
    multigrid_levels_destroy(&(*m)->levels);
    free(*m);
    *m = NULL;
}

void multigrid_profile(struct multigrid *m, struct profile *p)
{
    for (int n = 0; n < m->levels.n; ++n)
        if (m->levels.level[n].halo != NULL) halo_profile(m->levels.level[n].halo, p, "multigrid");
}

int multigrid_by_coupling(const struct multigrid *m)
{
    return m->levels.by_coupling;
}

int multigrid_strong(const struct multigrid *m)
{
    return m->strong[STRONG_KINDS - 1].steps != m->smoother[0].steps;
}

void multigrid_describe(const struct multigrid *m, char *text, size_t size)
{
    const struct level *last = &m->levels.level[m->levels.n - 1];
    char steps[2 * MULTIGRID_COARSENING_LEVELS + 1] = "";
    for (int n = 0; n + 1 < m->levels.n; ++n)
        snprintf(steps + 2 * n, sizeof steps - 2 * (size_t)n, " %d", m->smoother[n].steps);
    char more[96] = "";
    if (multigrid_strong(m))
        snprintf(more, sizeof more,
                 "; up to %d steps on the first grid for increments whose residual has to fall far",
                 m->strong[STRONG_KINDS - 1].steps);
    snprintf(
        text, size,
        "V-cycle of%s Chebyshev-Jacobi steps before and after the corrections, %s transfers, %d grids%s, the "
        "coarsest %d x %d x %d%s",
        steps, m->options.linear && !has_bodies(&m->levels.level[0]) ? "linear" : "constant", m->levels.n,
        m->levels.by_coupling ? " coarsened where cells are thin" : "", last->line[X].n, last->line[Y].n,
        last->line[Z].n, more);
}

static void swap(level_real **a, level_real **b)
{
    level_real *c = *a;
    *a = *b;
    *b = c;
}

/* Number of steps that a sweep from a zero guess takes together. */
static int steps_fused(const struct multigrid_smoother *f)
{
    return f->c1 != 0 ? 2 : 1;
}

/* The first degrees of the polynomial, from r of the level. */
static kol_status start(const struct multigrid_smoother *f, struct level *l)
{
    if (f->c1 != 0) TRY(multigrid_levels_fill(l, l->r, HALO_FACES));
    return level_start(l->box, l->s, l->cells, (level_real)f->c0, (level_real)f->c1, l->r, l->z);
}

/* The same of the first level, from the iteration's r. */
static kol_status enter(const struct multigrid *m, struct level *l, const struct cg_state *cg, const real *r)
{
    const double volume = m->levels.volume;
    const struct multigrid_smoother *f = &m->smoother[0];
    if (l->replicated && f->c1 != 0)
        return level_begin(m->box, l->box, l->s, l->cells, cg, volume, (level_real)f->c0, (level_real)f->c1,
                           r, l->r, l->z);
    TRY(level_enter(m->box, l->box, cg, volume, r, l->r));
    return start(f, l);
}

/* The rest of it. */
static kol_status smooth_first(const struct multigrid_smoother *f, struct level *l)
{
    for (int k = steps_fused(f); k < f->steps; ++k) {
        TRY(multigrid_levels_fill(l, l->z, HALO_FACES));
        TRY(level_smooth(l->box, l->s, l->cells, (level_real)f->step[k], l->r, l->z, NULL, l->z_next));
        swap(&l->z, &l->z_next);
    }
    return KOL_OK;
}

/* The first `steps` steps from what z holds. correction: is not yet in z, and the first step adds it; then
 * the halo of z is filled already. NULL: there is none. */
static kol_status smooth_again(const struct multigrid_smoother *f, struct level *l, int steps,
                               const struct level_correction *correction)
{
    for (int k = 0; k < steps; ++k) {
        if (k > 0 || correction == NULL) TRY(multigrid_levels_fill(l, l->z, HALO_FACES));
        TRY(level_smooth(l->box, l->s, l->cells, (level_real)f->step[k], l->r, l->z,
                         k == 0 ? correction : NULL, l->z_next));
        swap(&l->z, &l->z_next);
    }
    return KOL_OK;
}

/* Right-hand side of the next level: the residual that is left, restricted. */
static kol_status descend(struct level *l, struct level *next)
{
    const int gathered = l->gather != NULL;
    const struct box cb = gathered ? l->part : next->box;
    level_real *r_coarse = gathered ? l->r_part : next->r;
    TRY(multigrid_levels_fill(l, l->z, HALO_FACES));
    if (has_bodies(l) && l->aligned) {
        TRY(level_descend_open(l->box, l->s, l->cells, l->t, l->n_coarse, cb, l->r, l->z, l->z_next,
                               r_coarse));
        if (l->moves) TRY(multigrid_levels_fill(l, l->z_next, HALO_BOX));
        if (l->moves)
            TRY(level_restrict_moved(l->box, l->s, l->transfer_cells, l->t, l->n_coarse, cb, l->z_next,
                                     r_coarse));
    } else if (has_bodies(l)) {
        TRY(level_residual(l->box, l->s, l->cells, l->r, l->z, l->z_next));
        TRY(multigrid_levels_fill(l, l->z_next, HALO_BOX));
        TRY(level_restrict_open(l->box, l->s, l->transfer_cells, l->t, l->n_coarse, cb, l->z_next, r_coarse));
    } else if (l->fused_restriction) {
        TRY(level_descend(l->box, l->s, l->cells, l->t, l->n_coarse, cb, l->r, l->z, l->z_next, r_coarse));
    } else {
        TRY(level_residual(l->box, l->s, l->cells, l->r, l->z, l->z_next));
        TRY(multigrid_levels_fill(l, l->z_next, HALO_BOX));
        TRY(level_restrict(l->box, l->cells, l->t, l->n_coarse, cb, l->z_next, r_coarse));
    }
    return gathered ? gather_all(l->gather, l->r_part, l->part, next->r, next->box) : KOL_OK;
}

static struct level_correction correction(const struct level *l, const struct level *next)
{
    return (struct level_correction){.t = l->t,
                                     .box = next->box,
                                     .shift = {l->shift[X], l->shift[Y], l->shift[Z]},
                                     .aligned = l->aligned,
                                     .around = next->cells.around,
                                     .e = next->z};
}

/* The arrays of the first level: two of them fit into one field of twice their precision. */
static kol_status lay_out(const struct multigrid *m, real *const scratch[MULTIGRID_SCRATCH], struct level *l)
{
    level_real **const array[3] = {&l->r, &l->z, &l->z_next};
    const size_t bytes = (size_t)m->box.size * sizeof(real), each = (size_t)l->box.size * sizeof(level_real);
    const int in_one = (int)(bytes / each);
    if (in_one * MULTIGRID_SCRATCH < 3)
        RAISE(KOL_ERR_INTERNAL, "an array of a level needs %zu bytes, but a field has %zu", each, bytes);
    for (int n = 0; n < 3; ++n)
        *array[n] = (level_real *)(void *)scratch[n / in_one] + n % in_one * l->box.size;
    return KOL_OK;
}

/* cycle: one application of the preconditioner. */
struct cycle {
    struct multigrid *m;
    struct blocks bl;
    const struct cg_state *cg;
    const real *r;
    real *z;
    level_real *out; /* not NULL: r of the first level is given and z goes here, instead of r and z above */
    int strong;      /* steps of strong smoothing on the first level; 0: the usual smoothing */
    int replicated;  /* the first level that is: from there on there are kernels alone, and no messages */
};

static const struct multigrid_smoother *strong_of(const struct multigrid *m, int steps)
{
    return &m->strong[steps - MULTIGRID_STRONG_LEAST];
}

static const struct multigrid_smoother *smoother_of(const struct cycle *c, int n)
{
    return n == 0 && c->strong > 0 ? strong_of(c->m, c->strong) : &c->m->smoother[n];
}

static kol_status down(const struct cycle *c, int from, int to)
{
    struct multigrid_levels *ls = &c->m->levels;
    for (int n = from; n < to; ++n) {
        TRY(n == 0 && c->out == NULL ? enter(c->m, &ls->level[n], c->cg, c->r)
                                     : start(smoother_of(c, n), &ls->level[n]));
        TRY(smooth_first(smoother_of(c, n), &ls->level[n]));
        TRY(descend(&ls->level[n], &ls->level[n + 1]));
    }
    return KOL_OK;
}

/* The last step on the first level is left to level_leave. */
static int steps_up(const struct cycle *c, int n)
{
    return smoother_of(c, n)->steps - (n == 0);
}

static kol_status up(const struct cycle *c, int from, int to)
{
    struct level *level = c->m->levels.level;
    for (int n = from; n >= to; --n) {
        struct level *l = &level[n];
        const int again = steps_up(c, n), closed = has_bodies(l);
        const int fused = l->fused_correction && again > 0 && (l->aligned || !closed);
        const struct level_correction e = correction(l, l + 1);
        TRY(multigrid_levels_fill(l + 1, l[1].z, HALO_BOX));
        if (!fused && closed) TRY(level_prolong_open(l->box, l->s, &e, l->z));
        else if (!fused) TRY(level_prolong(l->box, &e, l->z));
        TRY(smooth_again(smoother_of(c, n), l, again, fused ? &e : NULL));
    }
    return KOL_OK;
}

static kol_status leave(const struct cycle *c)
{
    const struct multigrid *m = c->m;
    const struct multigrid_smoother *f = smoother_of(c, 0);
    struct level *l = c->m->levels.level;
    const level_real step = (level_real)f->step[f->steps - 1];
    TRY(multigrid_levels_fill(l, l->z, HALO_FACES));
    if (c->out != NULL) return level_smooth(l->box, l->s, l->cells, step, l->r, l->z, NULL, c->out);
    return level_leave(m->box, l->box, l->s, c->bl, l->cells, c->cg, m->levels.volume, 1 / m->levels.unit,
                       step, l->r, l->z, c->r, c->z);
}

static kol_status replicated_part(void *context)
{
    const struct cycle *c = context;
    struct multigrid_levels *ls = &c->m->levels;
    struct level *last = &ls->level[ls->n - 1];
    /* every cycle begins with the same arrays */
    for (int n = c->replicated > 0 ? c->replicated : 1; n < ls->n; ++n) {
        ls->level[n].z = ls->level[n].initial[0];
        ls->level[n].z_next = ls->level[n].initial[1];
    }
    TRY(down(c, c->replicated, ls->n - 1));
    TRY(level_dense(last->box, ls->inverse, last->r, last->z));
    TRY(up(c, ls->n - 2, c->replicated));
    return c->replicated == 0 ? leave(c) : KOL_OK;
}

/* Does the cycle. key: what it works on beside the levels' own arrays. After a renewal the cycle may have
 * other sweeps than before. */
static kol_status run_cycle(struct cycle *c, const struct replay_key *key)
{
    struct multigrid *m = c->m;
    while (!m->levels.level[c->replicated].replicated) ++c->replicated;
    struct replay_key all = {{NULL}};
    if (c->replicated == 0) all = *key;
    all.on[REPLAY_KEY - 1] = m->renewed ? m : NULL;
    TRY(down(c, 0, c->replicated));
    TRY(replay_do(m->replay, &all, replicated_part, c));
    if (c->replicated == 0) return KOL_OK;
    TRY(up(c, c->replicated - 1, 0));
    return leave(c);
}

kol_status multigrid_apply(struct multigrid *m, struct blocks bl, const struct cg_state *cg,
                           real *const scratch[MULTIGRID_SCRATCH], const real *r, real *z)
{
    struct cycle c = {.m = m, .bl = bl, .cg = cg, .r = r, .z = z};
    struct replay_key key = {{NULL}};
    int n = 0;
    TRY(lay_out(m, scratch, m->levels.level));
    for (int i = 0; i < MULTIGRID_SCRATCH; ++i) key.on[n++] = scratch[i];
    key.on[n++] = r;
    key.on[n++] = z;
    key.on[n++] = cg;
    key.on[n++] = bl.part;
    return run_cycle(&c, &key);
}

kol_status multigrid_apply_single(struct multigrid *m, int strong, level_real *const scratch[2],
                                  level_real *r, level_real *z)
{
    struct level *l = m->levels.level;
    struct cycle c = {.m = m, .out = z, .strong = strong};
    const struct replay_key key = {{scratch[0], scratch[1], r, z, strong > 0 ? strong_of(m, strong) : NULL}};
    l->r = r;
    l->z = scratch[0];
    l->z_next = scratch[1];
    return run_cycle(&c, &key);
}

struct level *multigrid_first(struct multigrid *m, double *unit)
{
    *unit = m->levels.unit;
    return m->levels.level;
}

double multigrid_volume(const struct multigrid *m)
{
    return m->levels.volume;
}
