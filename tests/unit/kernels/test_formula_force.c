/* Tests the force by formulas against expressions in C at every point: the velocity, the right-hand sides
 * that are kept, the power and the total force, also with faces that bodies close. Tests every operation of
 * a formula against known values. Catches a component at the places of another, a coordinate of another
 * rank, a weight that is left out, a function under the name of another. No MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/formula.h"
#include "kernels/base/mem.h"
#include "kernels/formula_force.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 100 * KOL_EPSILON;
static const enum ref_location FACES_OF[3] = {REF_FCC, REF_CFC, REF_CCF};
static const double TIME = 0.375, NU = 0.5;
static const char *const TEXT[3] = {"sin(x)*cos(2*y) + t*z^2", "exp(-x) - nu*y/lz",
                                    "min(z, x)*step(y - 1) - t^2"};

static double expected(int d, const double *x)
{
    const double z = CASE_LENGTH[Z];
    if (d == X) return sin(x[X]) * cos(2 * x[Y]) + TIME * x[Z] * x[Z];
    if (d == Y) return exp(-x[X]) - NU * x[Y] / z;
    return fmin(x[Z], x[X]) * (x[Y] >= 1 ? 1 : 0) - TIME * TIME;
}

/* Whether the face of component d of a global cell is open. Some faces of each component are closed, also
 * neighbours along a row. */
static int open_there(int masked, int d, const int g[3])
{
    return !masked || (3 * g[X] + 5 * g[Y] + 7 * g[Z] + d) % 4 > 1;
}

/* The faces at the lower end of z are faces of the box. */
static int inside_there(int d, const int g[3])
{
    return d != Z || g[Z] > 0;
}

static void mask_make(const struct part *p, struct formula_field *f, void **memory)
{
    const struct box b = p->g.box;
    unsigned char *open = calloc((size_t)b.size, 1);
    assert_non_null(open);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int g[3] = {p->d.offset[X] + i, p->d.offset[Y] + j, p->d.offset[Z] + k};
                for (int d = 0; d < 3; ++d)
                    if (open_there(1, d, g)) open[at(b, i, j, k)] |= (unsigned char)(1u << (2 * d));
            }
    assert_int_equal(mem_kernel_alloc((size_t)b.size, memory), KOL_OK);
    assert_int_equal(mem_to_kernel(*memory, open, (size_t)b.size), KOL_OK);
    f->open = *memory;
    free(open);
}

/* field: the force of a part in kernel memory. without: a direction that has no formula; 3: none. */
static void field_make(const struct part *p, int without, int masked, struct formula_field *f,
                       void *memory[10])
{
    char fault[FORMULA_FAULT];
    int column, used = 0;
    memset(f, 0, sizeof *f);
    for (int d = 0; d < 3; ++d) {
        struct formula compiled;
        assert_true(formula_parse(TEXT[d], 1, &compiled, &column, fault));
        f->count[d] = d == without ? 0 : compiled.count;
        const size_t steps = (size_t)compiled.count * sizeof *compiled.step,
                     places = (size_t)p->d.n[d] * sizeof(double);
        const void *from[3] = {compiled.step, p->g.centre[d] + p->d.offset[d], p->g.face[d] + p->d.offset[d]};
        const size_t bytes[3] = {steps, places, places};
        for (int a = 0; a < 3; ++a, ++used) {
            assert_int_equal(mem_kernel_alloc(bytes[a], &memory[used]), KOL_OK);
            assert_int_equal(mem_to_kernel(memory[used], from[a], bytes[a]), KOL_OK);
        }
        f->step[d] = memory[used - 3];
        f->centre[d] = memory[used - 2];
        f->face[d] = memory[used - 1];
        f->variable[FORMULA_LX + d] = CASE_LENGTH[d];
    }
    f->variable[FORMULA_NU] = NU;
    f->variable[FORMULA_T] = TIME;
    f->first[Z] = p->d.offset[Z] == 0;
    if (masked) mask_make(p, f, &memory[9]);
}

static void check_force(struct kernel_case *c)
{
    static const real a = (real)0.25;
    double *u[3], *kept[3], got = 0, want = 0, terms = 0, wrong = 0;
    double total[3] = {0}, sum[3] = {0}, sizes = 0;
    const int masked = c->size > 1, without = c->size % 2 == 0 ? Y : 3;
    for (unsigned d = 0; d < 3; ++d) {
        u[d] = case_random(&c->ref, 5 + d);
        kept[d] = case_random(&c->ref, 15 + d);
    }
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct box b = p->g.box;
        real *vel[3], *old[3];
        void *memory[10] = {NULL};
        struct formula_field f;
        field_make(p, without, masked, &f, memory);
        for (int d = 0; d < 3; ++d) {
            vel[d] = part_from(p, OWN, u[d]);
            old[d] = part_from(p, OWN, kept[d]);
        }
        CASE_TRUE(c, formula_force_power(b, p->g.m, reduction_blocks(p->reduction), &f, vel) == KOL_OK);
        part_sums(p, 1, 0, &got);
        CASE_TRUE(c, formula_force_total(b, p->g.m, reduction_blocks(p->reduction), &f) == KOL_OK);
        part_sums(p, 3, 0, total);
        for (int twice = 0; twice < 2; ++twice) /* with right-hand sides, then without */
            CASE_TRUE(c, formula_force_apply(b, &f, a, vel, twice ? NULL : old) == KOL_OK);
        for (int d = 0; d < 3; ++d) {
            real *after = part_copy(p, vel[d]), *sides = part_copy(p, old[d]);
            for (int k = 0; k < b.nz; ++k)
                for (int j = 0; j < b.ny; ++j)
                    for (int i = 0; i < b.nx; ++i) {
                        const int cell[3] = {i, j, k};
                        int g[3];
                        double x[3];
                        for (int e = 0; e < 3; ++e) {
                            g[e] = p->d.offset[e] + cell[e];
                            x[e] = e == d ? p->g.face[e][g[e]] : p->g.centre[e][g[e]];
                        }
                        const double force = d == without || !open_there(masked, d, g) ? 0 : expected(d, x);
                        const ptrdiff_t o = at(b, i, j, k), global = ref_index(&c->ref, g[X], g[Y], g[Z]);
                        const double before = (double)(real)u[d][global],
                                     side = (double)(real)kept[d][global];
                        const double volume = ref_volume(&c->ref, FACES_OF[d], g[X], g[Y], g[Z]),
                                     power = inside_there(d, g) ? volume * before * force : 0;
                        sum[d] += inside_there(d, g) ? volume * force : 0;
                        sizes += volume * fabs(force);
                        want += power;
                        terms += fabs(power);
                        wrong = fmax(wrong, fabs((double)after[o] - (before + 0.5 * force)));
                        wrong = fmax(wrong, fabs((double)sides[o] - (side + force)));
                    }
            free(after);
            free(sides);
        }
        for (int n = 0; n < 10; ++n) mem_kernel_free(memory[n]);
        part_release(p);
    }
    CASE_BELOW(c, wrong, 50 * BOUND);
    CASE_BELOW(c, fabs(got - want), 10 * BOUND * terms);
    for (int d = 0; d < 3; ++d) CASE_BELOW(c, fabs(total[d] - sum[d]), 10 * BOUND * sizes);
    CASE_TRUE(c, terms > 0);
    case_free(u, 3);
    case_free(kept, 3);
}

static void test_force_like_expressions(void **state)
{
    (void)state;
    case_each(check_force);
}

static void test_operations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } known[] = {{"sin(x)", 0.68163876002333412},
                 {"cos(x)", 0.73168886887382090},
                 {"tan(x)", 0.93159645994407247},
                 {"asin(x)", 0.84806207898148100},
                 {"acos(x)", 0.72273424781341560},
                 {"atan(x)", 0.64350110879328440},
                 {"sinh(x)", 0.82231673193582999},
                 {"cosh(x)", 1.29468328467684472},
                 {"tanh(x)", 0.63514895238728730},
                 {"exp(x)", 2.11700001661267467},
                 {"log(x)", -0.28768207245178090},
                 {"log10(x)", -0.12493873660829996},
                 {"sqrt(x)", 0.86602540378443865},
                 {"abs(-x)", 0.75},
                 {"floor(-x)", -1},
                 {"ceil(x)", 1},
                 {"erf(x)", 0.71115563365351508},
                 {"step(-x)", 0},
                 {"step(0)", 1},
                 {"sign(-x)", -1},
                 {"sign(0)", 0},
                 {"min(x, 2)", 0.75},
                 {"max(x, 2)", 2},
                 {"atan2(x, -1)", 2.49809154479650882},
                 {"pow(x, 3)", 0.421875},
                 {"x^2^2", 0.31640625},
                 {"-x**2", -0.5625},
                 {"mod(-x, 2)", 1.25},
                 {"x + 2*3 - 4/8", 6.25},
                 {"lx*t - t0", 0.5 * 3 - 7}};
    double v[FORMULA_VARIABLES] = {0};
    v[FORMULA_X] = 0.75;
    v[FORMULA_LX] = 0.5;
    v[FORMULA_T] = 3;
    v[FORMULA_T0] = 7;
    for (size_t n = 0; n < sizeof known / sizeof *known; ++n) {
        struct formula f;
        char fault[FORMULA_FAULT];
        int column;
        assert_true(formula_parse(known[n].text, 1, &f, &column, fault));
        CHECK_NEAR(formula_value(&f, v), known[n].value, 1e-13);
    }
}

static void test_time_is_refused_where_there_is_none(void **state)
{
    (void)state;
    struct formula f;
    char fault[FORMULA_FAULT];
    int column = 0;
    assert_false(formula_parse("x + 2*t", 0, &f, &column, fault));
    assert_int_equal(column, 7);
    assert_non_null(strstr(fault, "t can't stand here"));
    assert_true(formula_parse("t0 + tan(x)", 0, &f, &column, fault));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_force_like_expressions),
                                       cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_time_is_refused_where_there_is_none)};
    return cmocka_run_group_tests_name("formula_force", tests, NULL, NULL);
}
