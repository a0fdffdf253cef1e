/* Tests the kernels of bodies against plain loops over the whole grid, in every division into parts. The mask
 * and the coefficients of the points are random numbers of the cell alone. Catches a neighbour on the wrong
 * side, a weight of the drag beyond z = 2, a force on closed faces, a sum that depends on the parts, and
 * a write elsewhere than at a point. No MPI. */
#include <stdlib.h>
#include "kernels/body.h"
#include "kernels/point/body.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the largest value */
static const double BOUND = 200 * KOL_EPSILON;
static const double DTS = 0.375, A = 0.25, NU = 0.125;

/* model: the mask, and the points of each component, as fields of the whole grid. */
struct model {
    double *open[3];    /* 1 or 0 */
    double *drag[3];    /* negative: the face is no point */
    double *half[3][3]; /* of a component, in each direction */
    double *side[3][3]; /* -1, 0, 1: where the neighbour lies that is read */
    double *wall[3], *rest[3];
};

static void model_make(const struct ref_grid *g, struct model *m)
{
    unsigned seed = 300;
    for (int d = 0; d < 3; ++d) {
        m->open[d] = case_random(g, seed++);
        m->drag[d] = case_random(g, seed++);
        m->wall[d] = case_random(g, seed++);
        m->rest[d] = case_random(g, seed++);
        for (int e = 0; e < 3; ++e) {
            m->half[d][e] = case_random(g, seed++);
            m->side[d][e] = case_random(g, seed++);
        }
        for (ptrdiff_t q = 0; q < ref_count(g); ++q) {
            m->open[d][q] = m->open[d][q] > -0.4;
            if (m->open[d][q] == 0) m->drag[d][q] = -1;
            /* from 0 to well beyond z = 2 */
            if (m->drag[d][q] > 0) m->drag[d][q] = (float)(30 * m->drag[d][q] * m->drag[d][q]);
            for (int e = 0; e < 3; ++e) {
                m->side[d][e][q] = m->side[d][e][q] > 0.3 ? 1 : m->side[d][e][q] < -0.3 ? -1 : 0;
                m->half[d][e][q] = m->side[d][e][q] != 0 ? (float)m->half[d][e][q] : 0;
            }
        }
    }
}

static void model_free(struct model *m)
{
    case_free(m->open, 3);
    case_free(m->drag, 3);
    case_free(m->wall, 3);
    case_free(m->rest, 3);
    for (int d = 0; d < 3; ++d) {
        case_free(m->half[d], 3);
        case_free(m->side[d], 3);
    }
}

/* lists: a part's mask and points in kernel memory. */
struct lists {
    unsigned char *open;
    struct body_points points[3];
};

static ptrdiff_t global_of(const struct ref_grid *g, const struct part *p, int i, int j, int k)
{
    return ref_index(g, p->d.offset[X] + i, p->d.offset[Y] + j, p->d.offset[Z] + k);
}

static void mask_make(const struct ref_grid *g, const struct part *p, const struct model *m, struct lists *l)
{
    const struct box b = p->g.box;
    unsigned char *host = calloc((size_t)b.size, 1);
    assert_non_null(host);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                for (int d = 0; d < 3; ++d)
                    if (m->open[d][global_of(g, p, i, j, k)] != 0)
                        host[at(b, i, j, k)] |= (unsigned char)(1u << (2 * d));
    l->open = case_kernel_copy(host, (size_t)b.size);
    free(host);
}

/* The points of one component, block by block. */
static void points_make(const struct ref_grid *g, const struct part *p, const struct model *m, int d,
                        struct body_points *out)
{
    const struct box b = p->g.box;
    const int blocks = (int)blocks_count(reduction_blocks(p->reduction));
    struct body_point *point = calloc((size_t)b.size, sizeof *point);
    real *wall = calloc(2 * (size_t)b.size, sizeof *wall);
    int *block = calloc((size_t)blocks + 1, sizeof *block), n = 0;
    assert_true(point != NULL && wall != NULL && block != NULL);
    for (int q = 0; q < blocks; block[++q] = n) {
        int lo[3], hi[3];
        part_block_cells(p, q, lo, hi);
        for (int k = lo[Z]; k < hi[Z]; ++k)
            for (int j = lo[Y]; j < hi[Y]; ++j)
                for (int i = lo[X]; i < hi[X]; ++i) {
                    const ptrdiff_t o = global_of(g, p, i, j, k);
                    if (m->drag[d][o] < 0) continue;
                    point[n].at = (int)at(b, i, j, k);
                    point[n].drag = (float)m->drag[d][o];
                    for (int e = 0; e < 3; ++e) {
                        point[n].half[e] = (float)m->half[d][e][o];
                        if (m->side[d][e][o] != 0)
                            point[n].closed |=
                                (unsigned char)(m->side[d][e][o] > 0 ? 1u << (2 * e) : 2u << (2 * e));
                    }
                    wall[2 * n] = (real)m->wall[d][o];
                    wall[2 * n++ + 1] = (real)m->rest[d][o];
                }
    }
    *out = (struct body_points){.n = n,
                                .point = case_kernel_copy(point, (size_t)n * sizeof *point),
                                .wall = case_kernel_copy(wall, 2 * (size_t)n * sizeof *wall),
                                .base = case_kernel_copy(wall, (size_t)n * sizeof *wall),
                                .block = case_kernel_copy(block, ((size_t)blocks + 1) * sizeof *block)};
    free(point);
    free(wall);
    free(block);
}

static void lists_make(const struct ref_grid *g, const struct part *p, const struct model *m, struct lists *l)
{
    mask_make(g, p, m, l);
    for (int d = 0; d < 3; ++d) points_make(g, p, m, d, &l->points[d]);
}

static void lists_free(struct lists *l)
{
    mem_kernel_free(l->open);
    for (int d = 0; d < 3; ++d) {
        mem_kernel_free((void *)l->points[d].point);
        mem_kernel_free((void *)l->points[d].wall);
        mem_kernel_free(l->points[d].base);
        mem_kernel_free((void *)l->points[d].block);
    }
}

/* --- plain versions --- */

static ptrdiff_t neighbour(const struct ref_grid *g, ptrdiff_t q, int e, int side)
{
    int c[3] = {(int)(q % g->n[X]), (int)(q / g->n[X] % g->n[Y]), (int)(q / g->n[X] / g->n[Y])};
    c[e] += side;
    return ref_index(g, c[X], c[Y], c[Z]);
}

static double extra_at(const struct ref_grid *g, const struct model *m, int d, ptrdiff_t q, const double *u)
{
    double sum = -m->rest[d][q];
    for (int e = 0; e < 3; ++e)
        if (m->side[d][e][q] != 0) sum += m->half[d][e][q] * u[neighbour(g, q, e, (int)m->side[d][e][q])];
    return sum;
}

static double gradient_at(const struct ref_grid *g, int d, ptrdiff_t q, const double *x)
{
    const int at_face = (int)(d == X ? q % g->n[X] : d == Y ? q / g->n[X] % g->n[Y] : q / g->n[X] / g->n[Y]);
    return (x[q] - x[neighbour(g, q, d, -1)]) / g->df[d][at_face];
}

static double drag_at(const struct model *m, int d, ptrdiff_t q, double dts, double u, double base)
{
    const double z = dts * m->drag[d][q], beta = z <= 2 ? 0.5 : 1 - 1 / z, wall = m->wall[d][q];
    return (u - (1 - beta) * z * (base - wall) + beta * z * wall) / (1 + beta * z);
}

static double left_at(const struct model *m, int d, ptrdiff_t q, double dts)
{
    const double z = dts * m->drag[d][q];
    return z <= 2 ? 1 / (1 + z / 2) : 1 / z;
}

/* stage_fields: random fields of the whole grid, and what a stage should make of them. */
struct stage_fields {
    double *vel[3], *base[3], *old[3], *out[3], *p_new, *p_old;
    double *want, *want_old;
};
static const double SHIFT = 0.625;

/* ways: how a stage is done. DRAGGED: the drag acts with the explicit part. GIVEN: so it does, the stage has
 * the pressure before, and nothing is kept for sums. */
enum ways { APART, DRAGGED, GIVEN, WAYS };

/* Component d of a stage on a part. */
static void check_part(struct kernel_case *c, struct part *p, const struct model *m, int d, enum ways way,
                       const struct stage_fields *f)
{
    struct lists l;
    lists_make(&c->ref, p, m, &l);
    real *u = part_from(p, OWN, f->out[d]), *kept = part_from(p, OWN, f->old[d]);
    real *before = part_copy(p, u), *before_kept = part_copy(p, kept);
    const real *const p_old = part_from(p, OWN_LOW, f->p_old);
    const struct body_stage stage = {.nu = (real)NU,
                                     .a = (real)A,
                                     .dts = (real)DTS,
                                     .p = part_from(p, OWN_LOW, f->p_new),
                                     .before = way == GIVEN ? p_old : NULL,
                                     .drag = way != APART,
                                     .keep = way != GIVEN};
    struct body_points one[3] = {{.n = 0}};
    real *const reads = part_from(p, OWN_FACES, f->vel[d]), *const starts = part_from(p, OWN, f->base[d]);
    l.points[d].lead = part_array(p);
    one[d] = l.points[d];
    if (way != GIVEN) CASE_TRUE(c, body_extra_begin(p->g.box, p->g.m, one, p_old) == KOL_OK);
    CASE_TRUE(c, body_extra(p->g.box, p->g.m, one, stage, (real *[]){reads, reads, reads},
                            (real *[]){starts, starts, starts}, (real *[]){kept, kept, kept},
                            (real *[]){u, u, u}) == KOL_OK);
    if (way == APART) CASE_TRUE(c, body_drag(one, (real)DTS, (real *[]){u, u, u}) == KOL_OK);
    CASE_TRUE(c, body_push(p->g.box, l.open, l.points[d], d, (real)DTS, (real)SHIFT, u) == KOL_OK);
    CASE_BELOW(c, part_error(p, OWN, u, f->want), BOUND * 10);
    CASE_BELOW(c, part_error(p, OWN, kept, f->want_old), BOUND * 10);
    CASE_TRUE(c, part_changed(p, OWN, before, u) == 0);
    CASE_TRUE(c, part_changed(p, OWN, before_kept, kept) == 0);
    part_release(p);
    lists_free(&l);
}

static void check_stage(struct kernel_case *c)
{
    struct model m;
    struct stage_fields f = {.p_new = case_random(&c->ref, 440), .p_old = case_random(&c->ref, 441)};
    model_make(&c->ref, &m);
    for (int d = 0; d < 3; ++d) {
        f.vel[d] = case_random(&c->ref, 400 + (unsigned)d);
        f.base[d] = case_random(&c->ref, 410 + (unsigned)d);
        f.old[d] = case_random(&c->ref, 420 + (unsigned)d);
        f.out[d] = case_random(&c->ref, 430 + (unsigned)d);
    }
    for (int d = 0; d < 3; ++d) {
        double *const want = f.want = ref_new(&c->ref), *const want_old = f.want_old = ref_new(&c->ref);
        for (ptrdiff_t q = 0; q < c->count; ++q) {
            const int point = m.drag[d][q] >= 0;
            const double extra = point ? extra_at(&c->ref, &m, d, q, f.vel[d]) : 0;
            const double lead =
                DTS * (gradient_at(&c->ref, d, q, f.p_new) - gradient_at(&c->ref, d, q, f.p_old));
            want_old[q] = f.old[d][q] + extra;
            want[q] = f.out[d][q] + A * extra;
            if (point) want[q] = drag_at(&m, d, q, DTS, want[q] + lead, f.base[d][q]) - lead;
            if (m.open[d][q] != 0) want[q] += SHIFT * (point ? left_at(&m, d, q, DTS) : 1);
        }
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            for (enum ways way = 0; way < WAYS; ++way) check_part(c, p, &m, d, way, &f);
        }
        free(want);
        free(want_old);
    }
    model_free(&m);
    case_free(f.vel, 3);
    case_free(f.base, 3);
    case_free(f.old, 3);
    case_free(f.out, 3);
    case_free((double *[]){f.p_new, f.p_old}, 2);
}

/* Without a mask only the listed face of held[Y] changes. */
static void check_hold_listed(struct kernel_case *c, struct part *p, const struct body_held held[3],
                              double *const vel[3])
{
    real *u[3];
    for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN, vel[d]);
    CASE_TRUE(c, body_hold(p->g.box, NULL, held, u) == KOL_OK);
    for (int d = 0; d < 3; ++d) {
        double *want = ref_new(&c->ref);
        for (ptrdiff_t q = 0; q < c->count; ++q) want[q] = vel[d][q];
        if (d == Y) want[global_of(&c->ref, p, 0, 0, 0)] = 2;
        CASE_BELOW(c, part_error(p, OWN, u[d], want), 0);
        free(want);
    }
}

/* Closed faces become 0, or what their list says. */
static void check_hold(struct kernel_case *c)
{
    struct model m;
    double *vel[3];
    model_make(&c->ref, &m);
    for (int d = 0; d < 3; ++d) vel[d] = case_random(&c->ref, 440 + (unsigned)d);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        struct lists l;
        const real two = 2;
        const int place = (int)at(p->g.box, 0, 0, 0);
        real *u[3], *before[3];
        lists_make(&c->ref, p, &m, &l);
        struct body_held held[3] = {{0},
                                    {.n = 1,
                                     .at = case_kernel_copy(&place, sizeof place),
                                     .value = case_kernel_copy(&two, sizeof two)},
                                    {0}};
        for (int d = 0; d < 3; ++d) {
            u[d] = part_from(p, OWN, vel[d]);
            before[d] = part_copy(p, u[d]);
        }
        CASE_TRUE(c, body_hold(p->g.box, l.open, held, u) == KOL_OK);
        for (int d = 0; d < 3; ++d) {
            double *want = ref_new(&c->ref);
            for (ptrdiff_t q = 0; q < c->count; ++q) want[q] = m.open[d][q] != 0 ? vel[d][q] : 0;
            if (d == Y) want[global_of(&c->ref, p, 0, 0, 0)] = 2;
            CASE_BELOW(c, part_error(p, OWN, u[d], want), 0);
            CASE_TRUE(c, part_changed(p, OWN, before[d], u[d]) == 0);
            free(want);
        }
        check_hold_listed(c, p, held, vel);
        mem_kernel_free((void *)held[Y].at);
        mem_kernel_free((void *)held[Y].value);
        part_release(p);
        lists_free(&l);
    }
    model_free(&m);
    case_free(vel, 3);
}

static double volume_of(struct kernel_case *c, int d, ptrdiff_t q)
{
    static const enum ref_location face[3] = {REF_FCC, REF_CFC, REF_CCF};
    return case_volume(&c->ref, face[d], q);
}

/* Index of a value along a direction. */
static int index_along(const struct ref_grid *g, int e, ptrdiff_t q)
{
    return (int)(e == X ? q % g->n[X] : e == Y ? q / g->n[X] % g->n[Y] : q / g->n[X] / g->n[Y]);
}

/* What the closed neighbour opposite to the open one along e takes from the energy, over the volume. */
static double link_at(const struct ref_grid *g, int d, int e, int away, ptrdiff_t q, double nu,
                      double *const vel[3])
{
    const int closed = -away, high = closed > 0, i = index_along(g, e, q), n = g->n[e];
    const double here = vel[d][q], there = vel[d][neighbour(g, q, e, closed)];
    const double width = e == d ? g->df[e][i] : g->dc[e][i];
    const double distance = e == d ? g->dc[e][high ? i : (i + n - 1) % n] : g->df[e][high ? (i + 1) % n : i];
    double flux; /* outward, over the area of the side */
    if (e == d) {
        flux = closed * 0.5 * (here + there);
    } else {
        const int at_d = index_along(g, d, q), before = (at_d + g->n[d] - 1) % g->n[d];
        const ptrdiff_t above = high ? neighbour(g, q, e, 1) : q, left = neighbour(g, above, d, -1);
        flux = closed * 0.5 * (vel[e][left] * g->dc[d][before] + vel[e][above] * g->dc[d][at_d]) /
               g->df[d][at_d];
    }
    return there * (nu * (here - there) / distance / width + 0.5 * flux * here / width);
}

/* sums: over the points of direction 1, over all points, over all faces. */
enum { RESPONSE, LOSS, MEAN, SUMS };
static void plain_sums(struct kernel_case *c, const struct model *m, double *const vel[3], const double *x,
                       double sums[SUMS], double sizes[SUMS])
{
    for (int n = 0; n < SUMS; ++n) sums[n] = sizes[n] = 0;
    for (ptrdiff_t q = 0; q < c->count; ++q) {
        for (int d = 0; d < 3; ++d) {
            const double v = volume_of(c, d, q), slope = gradient_at(&c->ref, d, q, x), u = vel[d][q];
            double term[SUMS] = {0, 0, v * u * ((d == Y) - slope)};
            if (m->drag[d][q] >= 0) {
                if (d == Y) term[RESPONSE] = v * (1 - slope) * (1 - left_at(m, d, q, DTS));
                term[LOSS] =
                    v * u * (m->drag[d][q] * (u - m->wall[d][q]) - extra_at(&c->ref, m, d, q, vel[d]));
                for (int e = 0; e < 3; ++e)
                    if (m->side[d][e][q] != 0)
                        term[LOSS] += v * link_at(&c->ref, d, e, (int)m->side[d][e][q], q, NU, vel);
            }
            for (int n = 0; n < SUMS; ++n) {
                sums[n] += term[n];
                sizes[n] += fabs(term[n]);
            }
        }
    }
}

static void check_sums(struct kernel_case *c)
{
    struct model m;
    double *vel[3], *x = case_random(&c->ref, 450), want[SUMS], sizes[SUMS], got[SUMS] = {0, 0, 0};
    model_make(&c->ref, &m);
    for (int d = 0; d < 3; ++d) vel[d] = case_random(&c->ref, 460 + (unsigned)d);
    plain_sums(c, &m, vel, x, want, sizes);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct blocks bl = reduction_blocks(p->reduction);
        struct lists l;
        real *u[3], *gradient = part_array(p);
        lists_make(&c->ref, p, &m, &l);
        const real *potential = part_from(p, OWN_LOW, x);
        for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_EDGES, vel[d]);
        CASE_TRUE(c, body_gather(p->g.box, p->g.m, l.points[Y], Y, potential, gradient) == KOL_OK);
        CASE_TRUE(c, body_response(p->g.box, p->g.m, bl, l.points[Y], Y, (real)DTS, gradient) == KOL_OK);
        part_sums(p, 1, 0, &got[RESPONSE]);
        CASE_TRUE(c, body_loss(p->g.box, p->g.m, bl, l.points, (real)NU, u) == KOL_OK);
        part_sums(p, 1, 0, &got[LOSS]);
        CASE_TRUE(c, body_mean(p->g.box, grid_stencil(&p->g, LOC_CCC, 0, 1), p->g.m, bl, Y, potential, u) ==
                         KOL_OK);
        part_sums(p, 1, 0, &got[MEAN]);
        part_release(p);
        lists_free(&l);
    }
    for (int n = 0; n < SUMS; ++n) CASE_BELOW(c, fabs(got[n] - want[n]), BOUND * sizes[n]);
    model_free(&m);
    case_free(vel, 3);
    free(x);
}

static void test_stage(void **state)
{
    (void)state;
    case_each(check_stage);
}

static void test_hold(void **state)
{
    (void)state;
    case_each(check_hold);
}

static void test_sums(void **state)
{
    (void)state;
    case_each(check_sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage),
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
