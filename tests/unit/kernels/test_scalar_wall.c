/* Tests the kernels of scalars beside bodies that hold them against plain loops over the whole grid, in every
 * division into parts. Which cells have links, and the coefficients, are random numbers of the cell alone.
 * Catches a neighbour or a velocity on the wrong side, a wrong metric on a stretched grid, a weight of the
 * drag beyond z = 2, a scalar that gets the values of another, what passed through a link counted twice or
 * for another link, and a sum that depends on the parts. No MPI. */
#include <stdlib.h>
#include "kernels/scalar_wall.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1 */
static const double BOUND = 400 * KOL_EPSILON;
static const double DTS = 0.375, A = 0.25, A_OLD = -0.125;
enum { SCALARS = 2, SIDES = 6 };
static const double KAPPA[SCALARS] = {0.5, 0.125};

/* model: for each side of a cell, the link; link[q] is 0 where there is none. */
struct model {
    double *link[SIDES], *open[SIDES], *drag[SIDES], *half[SIDES], *mirror[SIDES], *gives[SIDES],
        *wall[SCALARS][SIDES];
};

static void model_make(const struct ref_grid *g, struct model *m)
{
    unsigned seed = 700;
    for (int q = 0; q < SIDES; ++q) {
        m->link[q] = case_random(g, seed++);
        m->open[q] = case_random(g, seed++);
        m->drag[q] = case_random(g, seed++);
        m->half[q] = case_random(g, seed++);
        m->mirror[q] = case_random(g, seed++);
        m->gives[q] = case_random(g, seed++);
        for (int n = 0; n < SCALARS; ++n) m->wall[n][q] = case_random(g, seed++);
        for (ptrdiff_t o = 0; o < ref_count(g); ++o) {
            m->link[q][o] = m->link[q][o] > 0.4;
            m->open[q][o] = m->open[q][o] > 0;
            m->drag[q][o] = (double)(real)(12 * m->drag[q][o] * m->drag[q][o]);
            if (m->open[q][o] != 0 || m->gives[q][o] < 0.1) m->gives[q][o] = 0;
            if (m->gives[q][o] != 0) m->drag[q][o] = m->half[q][o] = m->mirror[q][o] = 0; /* a flux */
        }
    }
}

static void model_free(struct model *m)
{
    case_free(m->link, SIDES);
    case_free(m->open, SIDES);
    case_free(m->drag, SIDES);
    case_free(m->half, SIDES);
    case_free(m->mirror, SIDES);
    case_free(m->gives, SIDES);
    for (int n = 0; n < SCALARS; ++n) case_free(m->wall[n], SIDES);
}

/* lists: a part's points in kernel memory, and for each link its cell of the whole grid and its side. */
struct lists {
    struct scalar_walls w;
    real *wall[SCALARS];
    ptrdiff_t *cell;
    int *side;
};

/* host: the same lists in host memory while they grow. */
struct host {
    int *at, *first, *block, points, links;
    struct scalar_link *link;
    real *wall[SCALARS];
};

static void add_cell(const struct ref_grid *g, const struct part *p, const struct model *m, const int i[3],
                     struct host *h, struct lists *l)
{
    const ptrdiff_t o = ref_index(g, p->d.offset[X] + i[X], p->d.offset[Y] + i[Y], p->d.offset[Z] + i[Z]);
    const int before = h->links;
    for (int q = 0; q < SIDES; ++q) {
        if (m->link[q][o] == 0) continue;
        l->cell[h->links] = o;
        l->side[h->links] = q;
        for (int n = 0; n < SCALARS; ++n) h->wall[n][h->links] = (real)m->wall[n][q][o];
        h->link[h->links++] = (struct scalar_link){(real)m->drag[q][o],   (real)m->half[q][o],
                                                   (real)m->mirror[q][o], (real)m->gives[q][o],
                                                   (signed char)q,        (signed char)(m->open[q][o] != 0)};
    }
    if (h->links == before) return;
    h->at[h->points] = (int)at(p->g.box, i[X], i[Y], i[Z]);
    h->first[++h->points] = h->links;
}

/* Block by block. */
static void add_cells(const struct ref_grid *g, const struct part *p, const struct model *m, struct host *h,
                      struct lists *l)
{
    const int blocks = (int)blocks_count(reduction_blocks(p->reduction));
    for (int q = 0; q < blocks; h->block[++q] = h->points) {
        int lo[3], hi[3], i[3];
        part_block_cells(p, q, lo, hi);
        for (i[Z] = lo[Z]; i[Z] < hi[Z]; ++i[Z])
            for (i[Y] = lo[Y]; i[Y] < hi[Y]; ++i[Y])
                for (i[X] = lo[X]; i[X] < hi[X]; ++i[X]) add_cell(g, p, m, i, h, l);
    }
}

static void lists_make(const struct ref_grid *g, const struct part *p, const struct model *m, struct lists *l)
{
    const size_t cells = (size_t)p->g.box.size,
                 blocks = (size_t)blocks_count(reduction_blocks(p->reduction)) + 1;
    struct host h = {.at = calloc(cells, sizeof *h.at),
                     .first = calloc(cells + 1, sizeof *h.first),
                     .block = calloc(blocks, sizeof *h.block),
                     .link = calloc(SIDES * cells, sizeof *h.link)};
    l->cell = calloc(SIDES * cells, sizeof *l->cell);
    l->side = calloc(SIDES * cells, sizeof *l->side);
    assert_true(h.at != NULL && h.first != NULL && h.block != NULL && h.link != NULL && l->cell != NULL &&
                l->side != NULL);
    for (int n = 0; n < SCALARS; ++n) {
        h.wall[n] = calloc(SIDES * cells, sizeof *h.wall[n]);
        assert_non_null(h.wall[n]);
    }
    add_cells(g, p, m, &h, l);
    const size_t points = (size_t)h.points, links = (size_t)h.links;
    l->w = (struct scalar_walls){.points = h.points,
                                 .links = h.links,
                                 .at = case_kernel_copy(h.at, points * sizeof *h.at),
                                 .first = case_kernel_copy(h.first, (points + 1) * sizeof *h.first),
                                 .block = case_kernel_copy(h.block, blocks * sizeof *h.block),
                                 .link = case_kernel_copy(h.link, links * sizeof *h.link)};
    for (int n = 0; n < SCALARS; ++n) {
        l->wall[n] = case_kernel_copy(h.wall[n], links * sizeof *h.wall[n]);
        free(h.wall[n]);
    }
    free(h.at);
    free(h.first);
    free(h.block);
    free(h.link);
}

static void lists_free(struct lists *l)
{
    mem_kernel_free((void *)l->w.at);
    mem_kernel_free((void *)l->w.first);
    mem_kernel_free((void *)l->w.block);
    mem_kernel_free((void *)l->w.link);
    for (int n = 0; n < SCALARS; ++n) mem_kernel_free(l->wall[n]);
    free(l->cell);
    free(l->side);
}

/* --- plain versions --- */

/* place: a side of a cell of the whole grid. */
struct place {
    ptrdiff_t behind, away;
    double width, distance, out, volume; /* out: velocity out of the cell */
};

static struct place place_of(const struct ref_grid *g, double *const u[3], ptrdiff_t o, int q)
{
    const int i[3] = {(int)(o % g->n[X]), (int)(o / g->n[X] % g->n[Y]), (int)(o / g->n[X] / g->n[Y])};
    const int e = q / 2, step = q % 2 ? 1 : -1;
    int next[3] = {i[X], i[Y], i[Z]}, other[3] = {i[X], i[Y], i[Z]};
    next[e] += step;
    other[e] -= step;
    struct place p = {ref_index(g, next[X], next[Y], next[Z]),
                      ref_index(g, other[X], other[Y], other[Z]),
                      g->dc[e][i[e]],
                      g->df[e][(i[e] + q % 2) % g->n[e]],
                      0,
                      ref_volume(g, REF_CCC, i[X], i[Y], i[Z])};
    p.out = q % 2 ? u[e][p.behind] : -u[e][o];
    return p;
}

/* whole: the fields of a case, and what is wanted of each cell and of each link. */
struct whole {
    double *u[3], *theta[SCALARS], *base[SCALARS], *old[SCALARS], *out[SCALARS];
    double *want_old[SCALARS], *want_out[SCALARS], *passed[SCALARS][SIDES], *rate[SCALARS][SIDES];
    double scatter[SCALARS];
};

/* The explicit part of a link; all: with what the plain stencil brings through an open face. */
static double explicit_of(const struct model *m, const struct whole *w, const struct place *p, int n,
                          ptrdiff_t o, int q, int all)
{
    const double here = w->theta[n][o], wall = m->wall[n][q][o], wide = p->width,
                 there = w->theta[n][p->behind];
    if (m->gives[q][o] != 0) return m->gives[q][o] * wall;
    double sum = KAPPA[n] * (m->half[q][o] * (w->theta[n][p->away] - wall) + m->mirror[q][o] * (wall - here));
    if (m->open[q][o] == 0) sum -= p->out * (here + wall) / 2 / wide;
    else if (all) sum += KAPPA[n] * (there - here) / p->distance / wide - p->out * (here + there) / 2 / wide;
    return sum;
}

static void want_cell(const struct ref_grid *g, const struct model *m, struct whole *w, int n, ptrdiff_t o)
{
    double extra = 0, drag = 0, pull = 0;
    for (int q = 0; q < SIDES; ++q) {
        const struct place p = place_of(g, w->u, o, q);
        if (m->link[q][o] == 0) continue;
        extra += explicit_of(m, w, &p, n, o, q, 0);
        drag += m->drag[q][o];
        pull += m->drag[q][o] * m->wall[n][q][o];
    }
    const double z = DTS * KAPPA[n] * drag, beta = z <= 2 ? 0.5 : 1 - 1 / z,
                 mean = drag > 0 ? pull / drag : 0;
    const double base = w->base[n][o];
    const double end =
        (w->out[n][o] + A * extra - (1 - beta) * z * (base - mean) + beta * z * mean) / (1 + beta * z);
    w->want_out[n][o] = end;
    w->want_old[n][o] = w->old[n][o] + extra;
    for (int q = 0; q < SIDES; ++q) {
        const struct place p = place_of(g, w->u, o, q);
        const double wall = m->wall[n][q][o], zq = DTS * KAPPA[n] * m->drag[q][o],
                     slip = wall - w->theta[n][o];
        if (m->link[q][o] == 0) continue;
        w->rate[n][q][o] = p.volume * explicit_of(m, w, &p, n, o, q, 1);
        w->passed[n][q][o] =
            A * w->rate[n][q][o] + p.volume * zq * (beta * (wall - end) + (1 - beta) * (wall - base));
        const double across = m->open[q][o] != 0 ? w->theta[n][p.behind] - w->theta[n][o] : 0;
        const double flux = m->drag[q][o] * slip + m->half[q][o] * (w->theta[n][p.away] - wall) +
                            m->mirror[q][o] * slip + across / p.distance / p.width;
        w->scatter[n] += p.volume * (slip * flux - across * across / p.distance / p.width / 2);
    }
}

static void whole_make(const struct kernel_case *c, const struct model *m, struct whole *w)
{
    const struct ref_grid *g = &c->ref;
    for (int d = 0; d < 3; ++d) w->u[d] = case_random(g, 800 + (unsigned)d);
    for (unsigned n = 0; n < SCALARS; ++n) {
        w->theta[n] = case_random(g, 810 + n);
        w->base[n] = case_random(g, 820 + n);
        w->old[n] = case_random(g, 830 + n);
        w->out[n] = case_random(g, 840 + n);
        w->want_old[n] = ref_new(g);
        w->want_out[n] = ref_new(g);
        w->scatter[n] = 0;
        for (int q = 0; q < SIDES; ++q) {
            w->passed[n][q] = ref_new(g);
            w->rate[n][q] = ref_new(g);
        }
        for (ptrdiff_t o = 0; o < c->count; ++o) want_cell(g, m, w, (int)n, o);
    }
}

static void whole_free(struct whole *w)
{
    case_free(w->u, 3);
    case_free(w->theta, SCALARS);
    case_free(w->base, SCALARS);
    case_free(w->old, SCALARS);
    case_free(w->out, SCALARS);
    case_free(w->want_old, SCALARS);
    case_free(w->want_out, SCALARS);
    for (int n = 0; n < SCALARS; ++n) {
        case_free(w->passed[n], SIDES);
        case_free(w->rate[n], SIDES);
    }
}

/* The largest difference of what passed through links, in units of the largest value; with keep the links
 * had start[l] and before[l] = 2 start[l]. */
static double passed_error(const struct lists *l, const struct whole *w, int n, const double *total,
                           const double *before, const double *start, int keep)
{
    double worst = 0, most = 0;
    for (int k = 0; k < l->w.links; ++k) {
        const double want =
                         w->passed[n][l->side[k]][l->cell[k]] + A_OLD * 2 * start[k] + (keep ? start[k] : 0),
                     rate = w->rate[n][l->side[k]][l->cell[k]];
        worst = fmax(worst, fmax(fabs(total[k] - want), fabs(before[k] - rate)));
        most = fmax(most, fmax(fabs(want), fabs(rate)));
        if (isnan(total[k]) || isnan(before[k])) return NAN;
    }
    return most > 0 ? worst / most : 0;
}

/* The fields and sums of a stage in kernel memory. */
static void run_stage(struct kernel_case *c, struct part *p, struct lists *l, const struct whole *w, int keep)
{
    struct scalar_stage s = {.a = (real)A, .a_old = (real)A_OLD, .count = SCALARS};
    struct scalar_wall_values v = {.keep = keep};
    real *u[3], *theta[SCALARS], *base[SCALARS], *old[SCALARS], *out[SCALARS];
    const size_t links = (size_t)l->w.links, bytes = links * sizeof(double);
    double *start = malloc(bytes + 8), *before = malloc(bytes + 8), *total = malloc(bytes + 8);
    assert_true(start != NULL && before != NULL && total != NULL);
    for (size_t k = 0; k < links; ++k) {
        start[k] = 0.25 * (double)(k % 7);
        before[k] = 2 * start[k];
    }
    for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_HIGH, w->u[d]);
    for (int n = 0; n < SCALARS; ++n) {
        s.term[n].kappa = (real)KAPPA[n];
        theta[n] = part_from(p, OWN_FACES, w->theta[n]);
        base[n] = part_from(p, OWN, w->base[n]);
        old[n] = part_from(p, OWN, w->old[n]);
        out[n] = part_from(p, OWN, w->out[n]);
        v.wall[n] = l->wall[n];
        v.total[n] = case_kernel_copy(start, bytes);
        v.before[n] = case_kernel_copy(before, bytes);
    }
    CASE_TRUE(c, scalar_wall_stage(p->g.box, p->g.m, &l->w, &s, &v, (real)DTS, u, theta, base, old, out) ==
                     KOL_OK);
    for (int n = 0; n < SCALARS; ++n) {
        CASE_BELOW(c, part_error(p, OWN, out[n], w->want_out[n]),
                   BOUND * check_max(w->want_out[n], NULL, c->count));
        CASE_BELOW(c, part_error(p, OWN, old[n], w->want_old[n]),
                   BOUND * check_max(w->want_old[n], NULL, c->count));
        assert_int_equal(mem_to_host(total, v.total[n], bytes + 8), KOL_OK);
        assert_int_equal(mem_to_host(before, v.before[n], bytes + 8), KOL_OK);
        CASE_BELOW(c, passed_error(l, w, n, total, before, start, keep), BOUND);
        mem_kernel_free(v.total[n]);
        mem_kernel_free(v.before[n]);
    }
    free(start);
    free(before);
    free(total);
}

static void check_stage(struct kernel_case *c)
{
    struct model m;
    struct whole w;
    double sum[SCALARS] = {0};
    model_make(&c->ref, &m);
    whole_make(c, &m, &w);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        struct lists l;
        lists_make(&c->ref, p, &m, &l);
        for (int keep = 0; keep < 2; ++keep) run_stage(c, p, &l, &w, keep);
        for (int n = 0; n < SCALARS; ++n) {
            real *theta = part_from(p, OWN_FACES, w.theta[n]);
            CASE_TRUE(c, scalar_wall_scatter(p->g.box, p->g.m, reduction_blocks(p->reduction), &l.w,
                                             l.wall[n], theta) == KOL_OK);
            part_sums(p, 1, 0, &sum[n]);
        }
        lists_free(&l);
        part_release(p);
    }
    for (int n = 0; n < SCALARS; ++n) CASE_BELOW(c, fabs(sum[n] / w.scatter[n] - 1), 100 * BOUND);
    whole_free(&w);
    model_free(&m);
}

static void test_stage_like_plain_loops(void **state)
{
    (void)state;
    case_each(check_stage);
}

/* Segments of many, few and no links. */
static void test_sums_of_segments(void **state)
{
    (void)state;
    enum { LINKS = 1000, SEGMENTS = 4 };
    static const int START[SEGMENTS + 1] = {0, 700, 700, 703, LINKS};
    double value[LINKS], found[SEGMENTS];
    int link[LINKS];
    for (int l = 0; l < LINKS; ++l) {
        value[l] = sin(l);
        link[l] = (7 * l + 3) % LINKS;
    }
    void *start = case_kernel_copy(START, sizeof START), *links = case_kernel_copy(link, sizeof link),
         *values = case_kernel_copy(value, sizeof value), *sum = case_kernel_copy(found, sizeof found);
    assert_int_equal(scalar_wall_sum(SEGMENTS, start, links, values, sum), KOL_OK);
    assert_int_equal(mem_to_host(found, sum, sizeof found), KOL_OK);
    for (int s = 0; s < SEGMENTS; ++s) {
        double want = 0;
        for (int n = START[s]; n < START[s + 1]; ++n) want += value[link[n]];
        CHECK_NEAR(found[s], want, 1e-12);
    }
    mem_kernel_free(start);
    mem_kernel_free(links);
    mem_kernel_free(values);
    mem_kernel_free(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stage_like_plain_loops),
                                       cmocka_unit_test(test_sums_of_segments)};
    return cmocka_run_group_tests_name("scalar_wall", tests, NULL, NULL);
}
