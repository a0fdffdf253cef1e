/* Does rounds of conjugate gradients in single precision. */
#include "level_round.h"

#include <math.h>
#include "multigrid_levels.h"

/* An iteration is expected to reduce the residual by no more than this factor. If that will not be enough,
 * the new residual is stored at once. */
static const double REDUCTION_EXPECTED = 8;

/* Where strong cycles have brought the residual to less than this factor above the target, one of the usual
 * cycles does the rest for half the sweeps over the first grid. Up to SOME_LEFT the least strong smoothing
 * does, which reduced the residual by 14 or more in second iterations. */
static const double LITTLE_LEFT = 2.5, SOME_LEFT = 8;

/* d.Ad <= 0 may be rounding of single precision below this part of the first residual (cg_round.c). */
static const double SINGLE_ROUNDING_PART = 1e-3;

struct box level_round_box(const struct level_round *s)
{
    double unit;
    return multigrid_first(s->multigrid, &unit)->box;
}

kol_status level_round_lay_out(struct level_round *s, struct box b, real *const field[LEVEL_ROUND_FIELDS])
{
    level_real **const array[LEVEL_ROUND_ARRAYS] = {&s->r, &s->z,          &s->d,
                                                    &s->x, &s->scratch[0], &s->scratch[1]};
    const struct box lb = level_round_box(s);
    const int in_one = (int)((size_t)b.size * sizeof(real) / ((size_t)lb.size * sizeof(level_real)));
    if (in_one * LEVEL_ROUND_FIELDS < LEVEL_ROUND_ARRAYS)
        RAISE(KOL_ERR_INTERNAL, "a field has room for %d arrays of a level", in_one);
    for (int n = 0; n < LEVEL_ROUND_ARRAYS; ++n)
        *array[n] = (level_real *)(void *)field[n / in_one] + n % in_one * lb.size;
    return KOL_OK;
}

/* work: a solve under way.
 *
 *   unit     of the level's widths [L]
 *   rate     turns max|r|/V of the level into that of the right-hand side
 *   alpha    the solution is x + alpha d; x is not there before the second direction
 *   old      turns d of the last round into this one's unit; 0: there is no such round
 *   of_d     the sum of V d of the level; of_x: of V x */
struct work {
    struct level_round *s;
    struct level *level;
    double unit, rate, old;
    struct cg_state cg;
    double alpha, of_d, of_x;
};

/* Takes the first direction, or the next one. sums: r.z, z.A z and V z. */
static kol_status turn(struct work *w, const double sums[3])
{
    struct level_round *s = w->s;
    struct level *l = w->level;
    const int goes_on = w->old != 0;
    const double beta = w->cg.updates == 0 ? w->cg.beta * w->old : w->cg.beta;
    if (w->cg.updates > 0 || goes_on) {
        TRY(level_turn(l->box, w->cg.updates + goes_on == 1, (level_real)w->alpha, (level_real)beta, s->z,
                       s->d, s->x));
        TRY(multigrid_levels_fill(l, s->d, HALO_FACES));
        w->of_x += w->alpha * w->of_d;
    }
    w->of_d = sums[2] + beta * w->of_d;
    w->alpha = (level_real)w->cg.alpha;
    return KOL_OK;
}

static kol_status sum_reduced(struct work *w, int keep, double *most)
{
    struct level_round *s = w->s;
    struct reduction *reduction = s->reduction;
    double result[2];
    TRY(level_reduce(w->level->box, w->level->s, reduction_blocks(reduction), w->level->cells,
                     (level_real)w->alpha, keep, s->d, s->r));
    TRY(reduction_finish(reduction, 1, 1, result));
    *most = isfinite(result[0]) ? result[1] * w->rate : NAN; /* a maximum drops NaN, a sum does not */
    return KOL_OK;
}

/* Steps of strong smoothing in the next cycle. left: the residual over its target. */
static int strong_after(int strong, double left)
{
    if (left <= LITTLE_LEFT || strong == 0) return 0;
    return left <= SOME_LEFT ? MULTIGRID_STRONG_LEAST : strong;
}

/* Takes the step along d. The new residual is stored if another iteration follows, which usually is known
 * before. */
static kol_status reduce(struct work *w)
{
    struct level_round *s = w->s;
    const int sure = w->cg.most > REDUCTION_EXPECTED * w->cg.target || w->cg.iterations < w->cg.asked;
    const double before = w->cg.most;
    double most = 0;
    TRY(sum_reduced(w, sure, &most));
    if (w->cg.updates == 0) s->reduced = before / most;
    cg_advance(&w->cg, CG_RESIDUAL, (const double[2]){0, most});
    if (!sure && w->cg.outcome != CG_MET) TRY(sum_reduced(w, 1, &most));
    const int strong = strong_after(s->strong, most / w->cg.target);
    if (strong != s->strong) w->cg.fresh = 1; /* directions of two preconditioners are not conjugate */
    s->strong = strong;
    return KOL_OK;
}

static kol_status iterate(struct work *w)
{
    struct level_round *s = w->s;
    struct level *l = w->level;
    struct reduction *reduction = s->reduction;
    while (w->cg.outcome == CG_RUNNING) {
        level_real *const z = w->cg.updates == 0 && w->old == 0 ? s->d : s->z;
        double sums[3];
        TRY(multigrid_apply_single(s->multigrid, s->strong, s->scratch, s->r, z));
        TRY(multigrid_levels_fill(l, z, HALO_FACES));
        TRY(level_products(l->box, l->s, reduction_blocks(reduction), l->cells, s->r, z));
        TRY(reduction_finish(reduction, 3, 0, sums));
        cg_advance(&w->cg, CG_ENERGY, sums);
        if (w->cg.outcome != CG_RUNNING) return KOL_OK;
        TRY(turn(w, sums));
        TRY(reduce(w));
    }
    return KOL_OK;
}

/* Lets the directions go on from those of the last round. */
static void go_on(struct work *w, double unit)
{
    struct level_round *s = w->s;
    if (!s->last.any) return;
    w->old = s->last.unit / unit;
    w->of_d = s->last.of_d;
    w->cg.fresh = 0;
    w->cg.rz = s->last.rz * w->old * w->old;
    w->cg.alpha = s->last.alpha;
}

kol_status level_round_do(struct level_round *s, double unit, struct cg_state *cg, struct level_sum *phi,
                          double *sum_vx)
{
    struct work w = {.s = s, .cg = *cg};
    w.cg.rounding_part = SINGLE_ROUNDING_PART;
    w.level = multigrid_first(s->multigrid, &w.unit);
    w.rate = unit / pow(w.unit, 3);
    go_on(&w, unit);
    TRY(iterate(&w));
    *cg = w.cg;
    s->last.any = w.cg.outcome == CG_MET && w.cg.updates > 0;
    s->last.unit = unit;
    s->last.rz = w.cg.rz;
    s->last.alpha = w.cg.alpha;
    s->last.of_d = w.of_d;
    *phi = (struct level_sum){.box = w.level->box};
    *sum_vx = unit * pow(w.unit, 2) * (w.of_x + w.alpha * w.of_d);
    if (w.cg.updates == 0) return KOL_OK;
    const int two = w.cg.updates > 1;
    if (two) TRY(multigrid_levels_fill(w.level, s->x, HALO_FACES));
    *phi = (struct level_sum){.box = w.level->box,
                              .around = w.level->cells.around,
                              .a = unit / w.unit * w.alpha,
                              .c = unit / w.unit,
                              .d = s->d,
                              .x = two ? s->x : NULL};
    return KOL_OK;
}
