/* Tests the sums of the kernels. A block has the same bits whichever part, that is rank, it belongs to, and
 * additions have the promised order. What the sums do to the scalars of conjugate gradients is tested, too.
 * Catches an order that depends on the parts, sums in single precision, a NaN that is lost, and an outcome of
 * the iteration that is missed or reported too early. No MPI. */
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include "inputs/rank_layout.h"
#include "kernels/base/device.h"
#include "kernels/laplace.h"
#include "kernels/sums.h"
#include "tests/support/check.h"
#include "tests/support/kernel_runs.h"

static const int whole[3] = {1, 1, 1};
static const struct cg_scalars NO_SCALARS = {NULL, NULL};

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

/* Block values of a part into their places among those of the whole grid. */
static void place_blocks(const struct part *p, const struct made *m, double *global)
{
    const struct decomp *d = &p->d;
    for (int q = 0; q < m->quantities; ++q) {
        for (int k = 0; k < d->blocks[Z]; ++k) {
            for (int j = 0; j < d->blocks[Y]; ++j) {
                for (int i = 0; i < d->blocks[X]; ++i) {
                    const int from = ((q * d->blocks[Z] + k) * d->blocks[Y] + j) * d->blocks[X] + i;
                    const int to = ((q * d->blocks_g[Z] + d->first_block[Z] + k) * d->blocks_g[Y] +
                                    d->first_block[Y] + j) *
                                       d->blocks_g[X] +
                                   d->first_block[X] + i;
                    global[to] = m->part[from];
                }
            }
        }
    }
}

/* What a kernel makes on all parts of a case, as global arrays. */
struct gathered {
    double *field[RUN_OUTPUTS], *blocks;
    int fields;
    size_t values;
};

static void gather(struct kernel_case *c, enum tune_kernel k, double *const *inputs, struct gathered *g)
{
    memset(g, 0, sizeof *g);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        struct made m;
        const int *const blocks = p->d.blocks_g;
        run_whole(p, k, 1, inputs, &m);
        if (p == c->part) {
            g->fields = m.arrays;
            g->values = (size_t)(m.quantities * blocks[X] * blocks[Y] * blocks[Z]);
            g->blocks = calloc(g->values + 1, sizeof *g->blocks);
            for (int n = 0; n < m.arrays; ++n) g->field[n] = ref_new(&c->ref);
        }
        for (int n = 0; n < m.arrays; ++n) part_gather(p, m.array[n], g->field[n]);
        place_blocks(p, &m, g->blocks);
        made_free(&m);
    }
}

static int gathered_same(const struct kernel_case *c, const struct gathered *a, const struct gathered *b)
{
    int same = memcmp(a->blocks, b->blocks, a->values * sizeof *a->blocks) == 0;
    for (int n = 0; n < a->fields; ++n)
        same = same && memcmp(a->field[n], b->field[n], (size_t)c->count * sizeof(double)) == 0;
    return same;
}

static void gathered_free(struct gathered *g)
{
    case_free(g->field, g->fields);
    free(g->blocks);
}

static void check_layout(struct kernel_case *one, const int layout[3])
{
    struct kernel_case c;
    double *inputs[RUN_INPUTS];
    case_open(one->in, layout, &c);
    run_inputs(&c.ref, inputs);
    for (enum tune_kernel k = 0; k < TUNE_KERNELS; ++k) {
        if (k == TUNE_COLUMN) continue; /* its columns must be complete */
        struct gathered alone, parts;
        gather(one, k, inputs, &alone);
        gather(&c, k, inputs, &parts);
        if (!gathered_same(&c, &alone, &parts)) print_error("%s\n", tune_name(k));
        CASE_TRUE(&c, gathered_same(&c, &alone, &parts));
        gathered_free(&alone);
        gathered_free(&parts);
    }
    case_free(inputs, RUN_INPUTS);
    case_close(&c);
}

static void test_same_bits_in_every_layout(void **state)
{
    (void)state;
    static const int layouts[][3] = {{1, 1, 3}, {2, 2, 2}, {5, 1, 1}, {1, 7, 1}};
    int checked = 0;
    for (int n = 0; n < RUN_CASES; ++n) {
        struct kernel_case one;
        case_open(&run_cases[n], whole, &one);
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; ++l) {
            const int *p = layouts[l];
            if (!grid_ranks_fit(run_cases[n].n, p, p[X] * p[Y] * p[Z])) continue;
            check_layout(&one, p);
            ++checked;
        }
        case_close(&one);
    }
    assert_true(checked >= 2 * RUN_CASES);
}

/* Computes the sums and the maximum of a field on a case of one part. It calls laplace_residual with an
 * operator of 0, so that r is the field. */
static void total(struct kernel_case *c, const double *field, double out[3])
{
    struct part *p = &c->part[0];
    const struct blocks bl = reduction_blocks(p->reduction);
    double *result = NULL;
    need(mem_kernel_alloc(KOL_PARTS * sizeof *result, (void **)&result));
    need(laplace_residual(p->g.box, grid_stencil(&p->g, LOC_CCC, 0, 0), bl, cells_all(), 0,
                          part_from(p, OWN, field), part_from(p, OWN_FACES, field), part_array(p)));
    need(sums_total(bl, 2, 1, result, CG_NONE, NO_SCALARS));
    need(mem_to_host(out, result, 3 * sizeof *out));
    mem_kernel_free(result);
    /* the same in host memory */
    double *host = NULL;
    need(mem_host_alloc(KOL_PARTS * sizeof *host, (void **)&host));
    for (int n = 0; n < KOL_PARTS; ++n) host[n] = NAN;
    need(sums_total(bl, 2, 1, host, CG_NONE, NO_SCALARS));
    need(device_wait());
    for (int n = 0; n < KOL_PARTS; ++n)
        CASE_TRUE(c, n < 3 ? host[n] == out[n] || (isnan(out[n]) && isnan(host[n])) : isnan(host[n]));
    mem_host_free(host);
}

static double in_order(const double *v, int n, ptrdiff_t stride)
{
    double sum = v[0];
    for (int i = 1; i < n; ++i) sum += v[i * stride];
    return sum;
}

/* Blocks along x, those sums along y, those along z. part is overwritten. */
static double promised(double *part, const int blocks[3])
{
    for (int n = 0; n < blocks[Y] * blocks[Z]; ++n) part[n] = in_order(part + n * blocks[X], blocks[X], 1);
    for (int n = 0; n < blocks[Z]; ++n) part[n] = in_order(part + n * blocks[Y], blocks[Y], 1);
    return in_order(part, blocks[Z], 1);
}

static void check_total(struct kernel_case *c)
{
    double *f = case_cancelling(&c->ref), out[3], most = 0;
    long double sum = 0, sum_abs = 0;
    if (c->size > 1) {
        free(f);
        return;
    }
    struct part *p = &c->part[0];
    total(c, f, out);
    const ptrdiff_t count = blocks_count(reduction_blocks(p->reduction));
    double *part = part_blocks(p, 2, 1);
    for (ptrdiff_t n = 0; n < count; ++n) most = fmax(most, part[2 * count + n]);
    CASE_BELOW(c, fabs(out[0] - promised(part, p->d.blocks)), 0);
    CASE_BELOW(c, fabs(out[1] - promised(part + count, p->d.blocks)), 0);
    CASE_BELOW(c, fabs(out[2] - most), 0);
    /* whatever `real` is, sums are kept in double precision */
    for (ptrdiff_t n = 0; n < c->count; ++n) {
        sum += f[n];
        sum_abs += fabs(f[n]);
    }
    CASE_BELOW(c, fabs(out[0] - (double)sum), 100 * DBL_EPSILON * (double)sum_abs);
    free(part);
    free(f);
    part_release(p);
}

static void test_total_in_the_promised_order(void **state)
{
    (void)state;
    case_each(check_total);
    for (int n = 0; n < RUN_CASES; ++n) {
        struct kernel_case c;
        case_open(&run_cases[n], whole, &c);
        check_total(&c);
        case_close(&c);
    }
}

/* A NaN in any cell is in the sum; the maximum is that of the others. */
static void test_sums_carry_nan_maxima_drop_it(void **state)
{
    (void)state;
    struct kernel_case c;
    double out[3];
    case_open(&run_cases[0], whole, &c);
    double *f = case_random(&c.ref, 112);
    total(&c, f, out);
    const double most = out[2];
    CASE_TRUE(&c, isfinite(out[0]) && isfinite(out[1]) && most > 0);
    for (ptrdiff_t n = 0; n < c.count; n += 397) {
        const double kept = f[n];
        f[n] = NAN;
        total(&c, f, out);
        CASE_TRUE(&c, isnan(out[0]) && isnan(out[1]) && out[2] > 0 && out[2] <= most);
        f[n] = kept;
        part_release(&c.part[0]);
    }
    free(f);
    case_close(&c);
}

/* One step of an iteration as the device takes it, with these sums. */
static struct cg_state apply(struct cg_scalars cg, enum cg_step step, double first, double second)
{
    const double value[2] = {first, second};
    double *result = NULL;
    struct cg_state s;
    need(mem_kernel_alloc(sizeof value, (void **)&result));
    need(mem_to_kernel(result, value, sizeof value));
    need(sums_apply(result, step, cg));
    need(cg_read(cg, &s));
    mem_kernel_free(result);
    return s;
}

static const struct cg_state GOAL = {
    .target = 0.5, .rounding_part = 1e-3, .stall_growth = 100, .limit = 4, .stall_iterations = 3};

/* Scalars after CG_BEGIN with r.z = 2, max|r|/V = 8, from the values given. */
static struct cg_scalars begun(struct cg_state values)
{
    struct cg_scalars cg;
    need(cg_create(&cg));
    need(cg_start(cg, values));
    assert_int_equal(apply(cg, CG_BEGIN, 2, 8).outcome, CG_RUNNING);
    return cg;
}

static void test_scalars_of_an_iteration(void **state)
{
    (void)state;
    struct cg_scalars cg = begun(GOAL);
    struct cg_state s;
    need(cg_read(cg, &s));
    assert_true(s.rz == 2 && s.most == 8 && s.start == 8 && s.least == 8 && s.beta == 0 && s.fresh == 1);
    s = apply(cg, CG_DIRECTION, 4, NAN);
    assert_true(s.alpha == 0.5 && s.dq == 4 && s.iterations == 1 && s.fresh == 0 && s.outcome == CG_RUNNING);
    s = apply(cg, CG_UPDATE, 3, 6);
    assert_true(s.beta == 1.5 && s.rz == 3 && s.most == 6 && s.least == 6 && s.since_least == 0);
    s = apply(cg, CG_DIRECTION, 2, NAN);
    assert_true(s.alpha == 1.5 && s.iterations == 2);
    /* in two steps where the polynomial has more degrees */
    s = apply(cg, CG_RESIDUAL, 77, 7);
    assert_true(s.beta == 1.5 && s.rz == 3 && s.most == 7 && s.least == 6 && s.since_least == 1);
    s = apply(cg, CG_POLYNOMIAL, 6, NAN);
    assert_true(s.beta == 2 && s.rz == 6 && s.most == 7 && s.start == 8 && s.outcome == CG_RUNNING);
    /* a new round starts with z alone, and goes on counting iterations */
    need(cg_start(cg, s));
    s = apply(cg, CG_BEGIN, 5, 7);
    assert_true(s.fresh == 1 && s.beta == 0 && s.start == 7 && s.iterations == 2);
    s = apply(cg, CG_POLYNOMIAL, 4, NAN);
    assert_true(s.beta == 0 && s.rz == 4);
    cg_destroy(&cg);
    assert_true(cg.state == NULL && cg.watch == NULL);
}

static void test_outcomes_of_the_first_residual(void **state)
{
    (void)state;
    static const struct {
        double rz, most;
        int iterations;
        enum cg_outcome outcome;
    } cases[] = {{2, 0.51, 3, CG_RUNNING},
                 {2, 0.5, 0, CG_MET},
                 {2, 0, 4, CG_MET},
                 {2, 8, 4, CG_SPENT},
                 {2, NAN, 0, CG_NOT_FINITE},
                 {NAN, 8, 0, CG_NOT_FINITE},
                 {2, INFINITY, 0, CG_NOT_FINITE},
                 {INFINITY, 8, 0, CG_NOT_FINITE},
                 {NAN, 0.1, 9, CG_NOT_FINITE}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        struct cg_scalars cg;
        struct cg_state values = GOAL;
        values.iterations = cases[n].iterations;
        need(cg_create(&cg));
        need(cg_start(cg, values));
        assert_int_equal(apply(cg, CG_BEGIN, cases[n].rz, cases[n].most).outcome, cases[n].outcome);
        cg_destroy(&cg);
    }
}

static void test_outcomes_of_a_direction(void **state)
{
    (void)state;
    static const struct {
        double dq, most;
        enum cg_outcome outcome;
    } cases[] = {{1e-300, 8, CG_RUNNING},  {0, 8, CG_INDEFINITE},        {-1, 8, CG_INDEFINITE},
                 {-1, 7.9e-3, CG_STALLED}, {0, 7.9e-3, CG_STALLED},      {-1, 8.1e-3, CG_INDEFINITE},
                 {NAN, 8, CG_NOT_FINITE},  {INFINITY, 8, CG_NOT_FINITE}, {-INFINITY, 8, CG_NOT_FINITE}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        struct cg_state values = GOAL;
        values.target = 1e-30;
        struct cg_scalars cg = begun(values);
        assert_int_equal(apply(cg, CG_DIRECTION, 1, NAN).outcome, CG_RUNNING);
        assert_int_equal(apply(cg, CG_UPDATE, 1, cases[n].most).outcome, CG_RUNNING);
        assert_int_equal(apply(cg, CG_DIRECTION, cases[n].dq, NAN).outcome, cases[n].outcome);
        cg_destroy(&cg);
    }
    struct cg_scalars cg = begun(GOAL); /* r.z that is not finite shows here, too */
    assert_int_equal(apply(cg, CG_UPDATE, NAN, 6).outcome, CG_RUNNING);
    assert_int_equal(apply(cg, CG_DIRECTION, 1, NAN).outcome, CG_NOT_FINITE);
    cg_destroy(&cg);
}

/* The residuals after each direction until the end. The last outcome must be the wanted one, and those
 * before must be CG_RUNNING. */
static void test_outcomes_of_a_residual(void **state)
{
    (void)state;
    static const struct {
        double most[5];
        int count;
        enum cg_outcome outcome;
    } cases[] = {{{4, 2, 0.5}, 3, CG_MET},      {{0.5}, 1, CG_MET},           {{8, 8, 9}, 3, CG_STALLED},
                 {{4, 5, 4, 4}, 4, CG_STALLED}, {{4, 5, 3, 2}, 4, CG_SPENT},  {{800}, 1, CG_STALLED},
                 {{1, 99, 100}, 3, CG_STALLED}, {{4, NAN}, 2, CG_NOT_FINITE}, {{INFINITY}, 1, CG_NOT_FINITE},
                 {{4, 5, 3, 0.1}, 4, CG_MET}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        for (int unfinished = 0; unfinished < 2; ++unfinished) {
            struct cg_scalars cg = begun(GOAL);
            for (int i = 0; i < cases[n].count; ++i) {
                const int last = i == cases[n].count - 1;
                assert_int_equal(apply(cg, CG_DIRECTION, 1, NAN).outcome, CG_RUNNING);
                const struct cg_state s =
                    apply(cg, unfinished ? CG_RESIDUAL : CG_UPDATE, 2, cases[n].most[i]);
                assert_int_equal(s.outcome, last ? cases[n].outcome : CG_RUNNING);
                if (unfinished) apply(cg, CG_POLYNOMIAL, 2, NAN);
            }
            cg_destroy(&cg);
        }
    }
}

static void test_nothing_changes_after_the_end(void **state)
{
    (void)state;
    struct cg_scalars cg = begun(GOAL);
    apply(cg, CG_DIRECTION, 4, NAN);
    const struct cg_state end = apply(cg, CG_UPDATE, 3, 0.25);
    assert_int_equal(end.outcome, CG_MET);
    for (enum cg_step step = CG_NONE; step <= CG_POLYNOMIAL; ++step) {
        const struct cg_state s = apply(cg, step, 1, 1);
        assert_memory_equal(&s, &end, sizeof s);
    }
    cg_destroy(&cg);
}

static int ended_after(struct cg_scalars cg, int steps)
{
    int ended = -1;
    need(cg_wait(cg, steps, &ended));
    return ended;
}

/* Tests that the answer whether the iteration had ended after a given number of steps is always the same,
 * however far the iteration has come since. */
static void test_watch_tells_the_same_at_any_time(void **state)
{
    (void)state;
    struct cg_scalars cg = begun(GOAL);
    struct cg_state s;
    assert_int_equal(ended_after(cg, 1), 0);
    apply(cg, CG_DIRECTION, 4, NAN);
    assert_int_equal(cg.watch->steps, 1); /* directions are not counted */
    apply(cg, CG_RESIDUAL, 3, 6);
    assert_int_equal(ended_after(cg, 1), 0);
    assert_int_equal(ended_after(cg, 2), 0);
    apply(cg, CG_POLYNOMIAL, 3, NAN);
    assert_int_equal(ended_after(cg, 3), 0);
    apply(cg, CG_DIRECTION, 4, NAN);
    apply(cg, CG_RESIDUAL, 3, 0.1); /* the end, before the polynomial is whole */
    assert_int_equal(ended_after(cg, 3), 0);
    assert_int_equal(ended_after(cg, 4), 1);
    apply(cg, CG_POLYNOMIAL, 3, NAN);
    assert_int_equal(ended_after(cg, 5), 1);
    assert_int_equal(ended_after(cg, 3), 0);
    assert_int_equal(ended_after(cg, 1), 0);
    apply(cg, CG_DIRECTION, 4, NAN);
    apply(cg, CG_RESIDUAL, 3, 0.1);
    apply(cg, CG_POLYNOMIAL, 3, NAN);
    assert_int_equal(ended_after(cg, 7), 1);
    assert_int_equal(cg.watch->steps, 7); /* counted after the end, too */
    assert_int_equal(cg.watch->ended, 4);
    assert_int_equal(cg.watch->outcome, CG_MET);
    /* a new start sets it back */
    need(cg_read(cg, &s));
    s.outcome = CG_RUNNING;
    need(cg_start(cg, s));
    assert_int_equal(cg.watch->steps, 0);
    assert_int_equal(cg.watch->ended, INT_MAX);
    assert_int_equal(apply(cg, CG_BEGIN, 1, 0.1).outcome, CG_MET);
    assert_int_equal(ended_after(cg, 1), 1);
    cg_destroy(&cg);
}

/* Sums go on to the scalars in the same call. */
static void test_total_advances_the_scalars(void **state)
{
    (void)state;
    struct kernel_case c;
    struct cg_state s;
    double *result = NULL, value[2];
    case_open(&run_cases[0], whole, &c);
    struct part *p = &c.part[0];
    struct cg_scalars cg;
    struct cg_state values = GOAL;
    values.target = 0;
    double *f = case_random(&c.ref, 113);
    need(cg_create(&cg));
    need(cg_start(cg, values));
    need(mem_kernel_alloc(KOL_PARTS * sizeof *result, (void **)&result));
    const struct blocks bl = reduction_blocks(p->reduction);
    need(laplace_start(p->g.box, grid_stencil(&p->g, LOC_CCC, 0, 1), bl, cells_all(), cg.state,
                       (struct poly1){1, 0}, part_from(p, OWN, f), part_array(p)));
    need(sums_total(bl, 1, 1, result, CG_BEGIN, cg));
    need(mem_to_host(value, result, sizeof value));
    need(cg_read(cg, &s));
    assert_true(s.rz == value[0] && s.most == value[1] && value[0] > 0 && value[1] > 0);
    assert_int_equal(ended_after(cg, 1), 0);
    mem_kernel_free(result);
    cg_destroy(&cg);
    free(f);
    case_close(&c);
}

static void test_teams_are_for_gpus(void **state)
{
    (void)state;
    const struct sums_team team = {.ranks = 1};
    const struct blocks none = {.nx = 0};
    double result[1];
    if (strcmp(device_backend(), "cpu") != 0) skip();
    assert_int_equal(sums_share(none, 1, 0, &team, 1, result, CG_NONE, NO_SCALARS), KOL_ERR_INTERNAL);
    status_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_in_every_layout),
        cmocka_unit_test(test_total_in_the_promised_order),
        cmocka_unit_test(test_sums_carry_nan_maxima_drop_it),
        cmocka_unit_test(test_scalars_of_an_iteration),
        cmocka_unit_test(test_outcomes_of_the_first_residual),
        cmocka_unit_test(test_outcomes_of_a_direction),
        cmocka_unit_test(test_outcomes_of_a_residual),
        cmocka_unit_test(test_nothing_changes_after_the_end),
        cmocka_unit_test(test_watch_tells_the_same_at_any_time),
        cmocka_unit_test(test_total_advances_the_scalars),
        cmocka_unit_test(test_teams_are_for_gpus),
    };
    return cmocka_run_group_tests_name("sums", tests, NULL, NULL);
}
