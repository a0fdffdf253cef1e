/* Tests the work beside bodies that travel against plain loops over the whole grid, in every division into
 * parts. Which faces are closed and which are points are random numbers of the cell alone. Catches a stencil
 * at the wrong face, a velocity of the wrong end of the stage, a sign, a volume, a force that acts along
 * another direction, and a sum that depends on the parts. No MPI. */
#include <stdlib.h>
#include "kernels/body_energy.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the sum of all magnitudes */
static const double BOUND = 200 * KOL_EPSILON;
static const double DTS = 0.375, NU = 0.125, SHIFT[3] = {0.25, -0.5, 0.75}, TURN[3] = {0.5, 1.25, -2};

/* model: fields of the whole grid for each component. kind: 0 nothing, 1 a point, 2 a closed face. */
struct model {
    double *kind[3], *drag[3], *half[3], *wall[3], *rest[3], *base[3], *body[3], *vel[3], *p, *phi;
};

static void model_make(const struct ref_grid *g, struct model *m)
{
    unsigned seed = 700;
    m->p = case_random(g, seed++);
    m->phi = case_random(g, seed++);
    for (int d = 0; d < 3; ++d) {
        double **field[] = {&m->kind[d], &m->drag[d], &m->half[d], &m->wall[d],
                            &m->rest[d], &m->base[d], &m->body[d], &m->vel[d]};
        for (size_t n = 0; n < sizeof field / sizeof *field; ++n) *field[n] = case_random(g, seed++);
        for (ptrdiff_t q = 0; q < ref_count(g); ++q) {
            m->kind[d][q] = m->kind[d][q] > 0.4 ? 2 : m->kind[d][q] > -0.2 ? 1 : 0;
            m->drag[d][q] = (float)(30 * m->drag[d][q] * m->drag[d][q]); /* to well beyond z = 2 */
            m->half[d][q] = (float)m->half[d][q];
        }
    }
}

static void model_free(struct model *m)
{
    free(m->p);
    free(m->phi);
    double **of[] = {m->kind, m->drag, m->half, m->wall, m->rest, m->base, m->body, m->vel};
    for (size_t n = 0; n < sizeof of / sizeof *of; ++n) case_free(of[n], 3);
}

/* found: the faces of one kind on a part, block by block. */
struct found {
    int n, *at, *block;
    ptrdiff_t *global;
};

static struct found find(const struct ref_grid *g, const struct part *p, const double *kind, int wanted)
{
    const struct blocks bl = reduction_blocks(p->reduction);
    const size_t size = (size_t)p->g.box.size;
    struct found f = {0, malloc(size * sizeof(int)), calloc((size_t)blocks_count(bl) + 1, sizeof(int)),
                      malloc(size * sizeof(ptrdiff_t))};
    assert_true(f.at != NULL && f.block != NULL && f.global != NULL);
    for (int q = 0; q < blocks_count(bl); ++q) {
        int lo[3], hi[3];
        part_block_cells(p, q, lo, hi);
        for (int k = lo[Z]; k < hi[Z]; ++k)
            for (int j = lo[Y]; j < hi[Y]; ++j)
                for (int i = lo[X]; i < hi[X]; ++i) {
                    const ptrdiff_t o =
                        ref_index(g, p->d.offset[X] + i, p->d.offset[Y] + j, p->d.offset[Z] + k);
                    if (kind[o] != wanted) continue;
                    f.at[f.n] = (int)at(p->g.box, i, j, k);
                    f.global[f.n++] = o;
                }
        f.block[q + 1] = f.n;
    }
    return f;
}

static void found_free(struct found *f)
{
    free(f->at);
    free(f->block);
    free(f->global);
}

/* Point n reads a neighbour along x: the low one if its index in the whole grid is even. */
static int away(ptrdiff_t global)
{
    return global % 2 == 0 ? -1 : 1;
}

static struct body_points points_make(const struct ref_grid *g, const struct part *p, const struct model *m,
                                      int d)
{
    struct found f = find(g, p, m->kind[d], 1);
    const int blocks = (int)blocks_count(reduction_blocks(p->reduction));
    struct body_point *point = calloc((size_t)f.n + 1, sizeof *point);
    real *wall = malloc((2 * (size_t)f.n + 1) * sizeof *wall),
         *base = malloc(((size_t)f.n + 1) * sizeof *base);
    assert_true(point != NULL && wall != NULL && base != NULL);
    for (int n = 0; n < f.n; ++n) {
        const ptrdiff_t o = f.global[n];
        point[n] = (struct body_point){.at = f.at[n],
                                       .drag = (float)m->drag[d][o],
                                       .half = {(float)m->half[d][o], 0, 0},
                                       .closed = away(o) < 0 ? 2u : 1u};
        wall[2 * n] = (real)m->wall[d][o];
        wall[2 * n + 1] = (real)m->rest[d][o];
        base[n] = (real)m->base[d][o];
    }
    const struct body_points out = {.n = f.n,
                                    .point = case_kernel_copy(point, (size_t)f.n * sizeof *point),
                                    .wall = case_kernel_copy(wall, 2 * (size_t)f.n * sizeof *wall),
                                    .base = case_kernel_copy(base, (size_t)f.n * sizeof *base),
                                    .block = case_kernel_copy(f.block, ((size_t)blocks + 1) * sizeof(int))};
    free(point);
    free(wall);
    free(base);
    found_free(&f);
    return out;
}

static struct body_held held_make(const struct ref_grid *g, const struct part *p, const struct model *m,
                                  int d)
{
    struct found f = find(g, p, m->kind[d], 2);
    const int blocks = (int)blocks_count(reduction_blocks(p->reduction));
    real *value = malloc(((size_t)f.n + 1) * sizeof *value);
    assert_non_null(value);
    for (int n = 0; n < f.n; ++n) value[n] = (real)m->body[d][f.global[n]];
    const struct body_held out = {.n = f.n,
                                  .at = case_kernel_copy(f.at, (size_t)f.n * sizeof(int)),
                                  .value = case_kernel_copy(value, (size_t)f.n * sizeof *value),
                                  .base = case_kernel_copy(value, (size_t)f.n * sizeof *value),
                                  .block = case_kernel_copy(f.block, ((size_t)blocks + 1) * sizeof(int))};
    free(value);
    found_free(&f);
    return out;
}

/* The closed faces as if the odd ones of the whole grid had just closed and the others opened. */
static struct body_turns turns_make(const struct ref_grid *g, const struct part *p, const struct model *m)
{
    struct found f = find(g, p, m->kind[Y], 2);
    const int blocks = (int)blocks_count(reduction_blocks(p->reduction));
    struct body_turn *turn = malloc(((size_t)f.n + 1) * sizeof *turn);
    assert_non_null(turn);
    for (int n = 0; n < f.n; ++n) turn[n] = (struct body_turn){f.at[n], Y, (signed char)(f.global[n] % 2)};
    const struct body_turns out = {.n = f.n,
                                   .turn = case_kernel_copy(turn, (size_t)f.n * sizeof *turn),
                                   .block = case_kernel_copy(f.block, ((size_t)blocks + 1) * sizeof(int))};
    free(turn);
    found_free(&f);
    return out;
}

/* --- plain versions --- */

static ptrdiff_t neighbour(const struct ref_grid *g, ptrdiff_t q, int e, int side)
{
    int c[3] = {(int)(q % g->n[X]), (int)(q / g->n[X] % g->n[Y]), (int)(q / g->n[X] / g->n[Y])};
    c[e] += side;
    return ref_index(g, c[X], c[Y], c[Z]);
}

static double slope(const struct ref_grid *g, int d, ptrdiff_t q, const double *x)
{
    const int i = (int)(d == X ? q % g->n[X] : d == Y ? q / g->n[X] % g->n[Y] : q / g->n[X] / g->n[Y]);
    return (x[q] - x[neighbour(g, q, d, -1)]) / g->df[d][i];
}

/* The drag as a loss over the stage, from the change that it makes: the velocity without it is not needed. */
static double drag_at(const struct ref_grid *g, const struct model *m, int d, ptrdiff_t q)
{
    const double z = DTS * m->drag[d][q], beta = z <= 2 ? 0.5 : 1 - 1 / z, u = m->vel[d][q],
                 between = beta * u + (1 - beta) * m->base[d][q], end = u - DTS * slope(g, d, q, m->phi);
    return -0.5 * (m->base[d][q] + end) * z * (between - m->wall[d][q]);
}

static double held_at(const struct ref_grid *g, const struct model *m, int d, ptrdiff_t q)
{
    const double base = m->base[d][q], body = m->body[d][q];
    const double push = DTS * (slope(g, d, q, m->p) + slope(g, d, q, m->phi)) - SHIFT[d];
    return 0.5 * (body * body - base * base) + 0.5 * (base + body) * push;
}

enum { RATES, STAGE, TURNS, SUMS };
static void plain_sums(struct kernel_case *c, const struct model *m, double sums[SUMS], double sizes[SUMS])
{
    static const enum ref_location face[3] = {REF_FCC, REF_CFC, REF_CCF};
    const struct ref_grid *g = &c->ref;
    double *rhs[3];
    for (int d = 0; d < 3; ++d) rhs[d] = ref_new(g);
    ref_momentum_rhs(g, NU, m->vel, rhs);
    ref_turn(g, TURN, m->vel, rhs);
    for (int n = 0; n < SUMS; ++n) sums[n] = sizes[n] = 0;
    for (int d = 0; d < 3; ++d)
        for (ptrdiff_t q = 0; q < c->count; ++q) {
            const double v = case_volume(g, face[d], q), u = m->vel[d][q];
            double term[SUMS] = {0, 0, 0};
            if (m->kind[d][q] == 1) {
                const double extra = m->half[d][q] * m->vel[d][neighbour(g, q, X, away(q))] - m->rest[d][q];
                term[RATES] = v * u * extra;
                term[STAGE] = v * drag_at(g, m, d, q);
            } else if (m->kind[d][q] == 2) {
                term[RATES] = -v * u * rhs[d][q];
                term[STAGE] = v * held_at(g, m, d, q);
                if (d == Y && q % 2 == 1) term[TURNS] = v * m->base[d][q] * u;
            }
            for (int n = 0; n < SUMS; ++n) {
                sums[n] += term[n];
                sizes[n] += fabs(term[n]);
            }
        }
    case_free(rhs, 3);
}

static void part_sums_of(struct kernel_case *c, struct part *p, const struct model *m, double got[SUMS])
{
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct stage s = {.nu = (real)NU, .turn = {(real)TURN[X], (real)TURN[Y], (real)TURN[Z]}};
    const struct body_impulse impulse = {(real)DTS, {(real)SHIFT[X], (real)SHIFT[Y], (real)SHIFT[Z]}};
    struct body_points points[3];
    struct body_held held[3];
    real *u[3], *base[3];
    for (int d = 0; d < 3; ++d) {
        points[d] = points_make(&c->ref, p, m, d);
        held[d] = held_make(&c->ref, p, m, d);
        u[d] = part_from(p, OWN_EDGES, m->vel[d]);
        base[d] = part_from(p, OWN, m->base[d]);
    }
    const real *pressure = part_from(p, OWN_LOW, m->p), *phi = part_from(p, OWN_LOW, m->phi);
    CASE_TRUE(c, body_energy_keep(held, base) == KOL_OK);
    CASE_TRUE(c, body_energy_rates(p->g.box, p->g.m, bl, points, held, s, u) == KOL_OK);
    part_sums(p, 1, 0, &got[RATES]);
    CASE_TRUE(c, body_energy_stage(p->g.box, p->g.m, bl, points, held, impulse, pressure, phi, u) == KOL_OK);
    part_sums(p, 1, 0, &got[STAGE]);
    struct body_turns turns = turns_make(&c->ref, p, m);
    CASE_TRUE(c, body_energy_turns(p->g.box, p->g.m, bl, turns, base, u) == KOL_OK);
    part_sums(p, 1, 0, &got[TURNS]);
    mem_kernel_free((void *)turns.turn);
    mem_kernel_free((void *)turns.block);
    for (int d = 0; d < 3; ++d) {
        void *const list[] = {
            (void *)points[d].point, (void *)points[d].wall, points[d].base, (void *)points[d].block,
            (void *)held[d].at,      (void *)held[d].value,  held[d].base,   (void *)held[d].block};
        for (size_t n = 0; n < sizeof list / sizeof *list; ++n) mem_kernel_free(list[n]);
    }
    part_release(p);
}

static void check_energy(struct kernel_case *c)
{
    struct model m;
    double want[SUMS], sizes[SUMS], got[SUMS] = {0, 0, 0};
    model_make(&c->ref, &m);
    plain_sums(c, &m, want, sizes);
    for (struct part *p = c->part; p < c->part + c->size; ++p) part_sums_of(c, p, &m, got);
    for (int n = 0; n < SUMS; ++n) CASE_BELOW(c, fabs(got[n] - want[n]), BOUND * sizes[n]);
    model_free(&m);
}

static void test_energy(void **state)
{
    (void)state;
    case_each(check_energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy)};
    return cmocka_run_group_tests_name("body_energy", tests, NULL, NULL);
}
