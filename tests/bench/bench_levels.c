/* Measures the sweeps of the multigrid on its first grid and on the next one, with constant transfers and
 * with linear ones. A box of thin cells (--set grid.length=...) has grids that are halved in one direction
 * alone. */
#include <stdio.h>
#include "kernels/base/mem.h"
#include "kernels/correct_limits.h"
#include "kernels/level_cg.h"
#include "kernels/tune.h"
#include "solver/poisson/multigrid_levels.h"
#include "bench.h"

/* levels_bench: the grids, and which of them is measured. */
struct levels_bench {
    struct multigrid_levels levels;
    int linear, at;
};
static const level_real STEP = (level_real)0.6, VALUE = (level_real)0.5;

static const struct level *level_of(const struct bench *b)
{
    return &b->grids->levels.level[b->grids->at];
}

static kol_status begin(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_begin(b->domain->grid.box, l->box, l->s, l->cells, b->cg.state, b->grids->levels.volume, 1,
                       STEP, b->a[0], l->r, l->z_next);
}
static kol_status smooth(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_smooth(l->box, l->s, l->cells, STEP, l->r, l->z, NULL, l->z_next);
}
static kol_status descend(struct bench *b)
{
    const struct level *l = level_of(b);
    const int gathered = l->gather != NULL;
    return level_descend(l->box, l->s, l->cells, l->t, l->n_coarse, gathered ? l->part : l[1].box, l->r, l->z,
                         l->z_next, gathered ? l->r_part : l[1].r);
}
static kol_status correct(struct bench *b)
{
    const struct level *l = level_of(b);
    const struct level_correction e = {.t = l->t,
                                       .box = l[1].box,
                                       .shift = {l->shift[X], l->shift[Y], l->shift[Z]},
                                       .aligned = l->aligned,
                                       .around = l[1].cells.around,
                                       .e = l[1].z};
    return level_smooth(l->box, l->s, l->cells, STEP, l->r, l->z, &e, l->z_next);
}
static kol_status leave(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_leave(b->domain->grid.box, l->box, l->s, reduction_blocks(b->domain->reduction), l->cells,
                       b->cg.state, b->grids->levels.volume, 1, STEP, l->r, l->z, b->a[0], b->a[1]);
}

static kol_status products(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_products(l->box, l->s, reduction_blocks(b->domain->reduction), l->cells, l->r, l->z);
}
static kol_status reduce(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_reduce(l->box, l->s, reduction_blocks(b->domain->reduction), l->cells, STEP, 0, l->z, l->r);
}
static kol_status reduce_kept(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_reduce(l->box, l->s, reduction_blocks(b->domain->reduction), l->cells, 0, 1, l->z, l->r);
}
static kol_status turn(struct bench *b)
{
    const struct level *l = level_of(b);
    return level_turn(l->box, 0, 0, 0, l->r, l->z, l->z_next);
}
static kol_status correct_single(struct bench *b)
{
    const struct level *l = level_of(b);
    const struct grid *g = &b->domain->grid;
    const struct level_sum phi = {l->box, l->cells.around, 0, 0, l->z, NULL};
    return project_correct_single(g->box, grid_stencil(g, LOC_CCC, 0, 1), (struct correction){.dts = 0}, phi,
                                  b->a[3], b->a[3], b->a[0], b->a[1], b->a[2]);
}

static kol_status correct_limits_single(struct bench *b)
{
    const struct level *l = level_of(b);
    const struct grid *g = &b->domain->grid;
    const struct level_sum phi = {l->box, l->cells.around, 0, 0, l->z, NULL};
    const struct last_correction a = {.b = g->box,
                                      .m = g->m,
                                      .s = grid_stencil(g, LOC_CCC, 0, 1),
                                      .blocks = reduction_blocks(b->domain->reduction),
                                      .c = {.dts = 0},
                                      .p_old = b->a[3],
                                      .p = b->a[3],
                                      .from = {b->a[0], b->a[1], b->a[2]},
                                      .to = {b->a[4], b->a[5], b->a[6]}};
    return project_correct_limits_single(&a, phi);
}

static double cells_of(const struct level *l)
{
    return (double)l->line[X].n * l->line[Y].n * l->line[Z].n;
}

/* bytes: read and written a cell, by the contract. */
static kol_status record(struct bench *b, const char *name, const char *shape, double bytes, bench_work work)
{
    const struct level *l = level_of(b);
    struct bench_record r = {.values = bytes / sizeof(real), .iterations = -1};
    if (!bench_wanted(b, name)) return KOL_OK;
    snprintf(r.name, sizeof r.name, "%s%s%s%s%s", name, b->grids->linear ? ", linear" : "",
             b->grids->at > 0 ? ", second grid" : "", shape[0] != '\0' ? ", shape " : "", shape);
    for (int d = 0; d < 3; ++d) r.n[d] = l->line[d].n;
    TRY(bench_measure(b, work, &r.time));
    return bench_record(b, r);
}

/* With --shapes in every launch shape of laplace_chebyshev, which it takes over. */
static kol_status record_shapes(struct bench *b, const char *name, double bytes, bench_work work)
{
    const int chosen = tune_chosen(TUNE_CHEBYSHEV);
    if (!b->options->shapes) return record(b, name, "", bytes, work);
    for (int i = 0; i < tune_shapes(TUNE_CHEBYSHEV); ++i) {
        char shape[TUNE_TEXT];
        tune_shape_name(TUNE_CHEBYSHEV, i, shape);
        tune_choose(TUNE_CHEBYSHEV, i);
        TRY(record(b, name, shape, bytes, work));
    }
    tune_choose(TUNE_CHEBYSHEV, chosen);
    return KOL_OK;
}

static kol_status measure(struct bench *b)
{
    const struct level *l = level_of(b);
    const double value = sizeof(level_real), next = value * cells_of(l + 1) / cells_of(l);
    if (b->grids->at == 0 && !b->grids->linear) {
        if (l->replicated) TRY(record(b, "level_begin", "", 2 * value + sizeof(real), begin));
        TRY(record_shapes(b, "level_leave", 2 * value + 2 * sizeof(real), leave));
        TRY(record_shapes(b, "level_products", 2 * value, products));
        TRY(record_shapes(b, "level_reduce", 2 * value, reduce));
        TRY(record_shapes(b, "level_reduce, r kept", 3 * value, reduce_kept));
        TRY(record(b, "level_turn", "", 5 * value, turn));
        TRY(record(b, "project_correct_single", "", value + 8 * sizeof(real), correct_single));
        TRY(record(b, "project_correct_limits_single", "", value + 8 * sizeof(real), correct_limits_single));
    }
    if (!b->grids->linear) TRY(record(b, "level_smooth", "", 3 * value, smooth));
    if (l->fused_restriction) TRY(record(b, "level_descend", "", 2 * value + next, descend));
    return l->fused_correction ? record(b, "level_correct", "", 3 * value + next, correct) : KOL_OK;
}

/* The same value everywhere: sweeps of it take as long as any. The first grid comes without arrays. */
static kol_status fill(struct level *l, int first)
{
    level_real **const array[3] = {&l->r, &l->z, &l->z_next};
    for (int n = 0; n < 3; ++n) {
        if (first) TRY(mem_kernel_alloc((size_t)l->box.size * sizeof(level_real), (void **)array[n]));
        TRY(level_fill(*array[n], l->box.size, VALUE));
    }
    return KOL_OK;
}

static kol_status measure_levels(struct bench *b, int linear)
{
    struct levels_bench s = {.linear = linear};
    const struct domain *domain = b->domain;
    struct level *const l = s.levels.level;
    kol_status st = KOL_OK;
    b->grids = &s;
    TRY_OR(done, multigrid_levels_create(NULL, &domain->comm, &domain->decomp, &domain->grid,
                                         domain->in->device.transport, linear, &s.levels));
    for (int n = 0; n < s.levels.n && n < 3; ++n) TRY_OR(done, fill(&l[n], n == 0));
    for (s.at = 0; s.at + 1 < s.levels.n && s.at < 2; ++s.at) TRY_OR(done, measure(b));
done:
    if (s.levels.n > 0) {
        mem_kernel_free(l->r);
        mem_kernel_free(l->z);
        mem_kernel_free(l->z_next);
    }
    multigrid_levels_destroy(&s.levels);
    b->grids = NULL;
    return st;
}

kol_status bench_levels(struct bench *b)
{
    static const char *const names[] = {"level_begin",
                                        "level_leave",
                                        "level_smooth",
                                        "level_descend",
                                        "level_correct",
                                        "level_products",
                                        "level_reduce",
                                        "level_reduce, r kept",
                                        "level_turn",
                                        "project_correct_single",
                                        "project_correct_limits_single"};
    int wanted = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) wanted = wanted || bench_wanted(b, names[n]);
    if (!wanted) return KOL_OK;
    TRY(measure_levels(b, 0));
    return measure_levels(b, 1);
}
