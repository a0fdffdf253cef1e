/* Stage combinations against tests/reference. Catches a wrong weight, a gradient over the wrong distance, a read of what
 * need not be there (high halo faces, arrays with weight 0), a write into the halo. No MPI. */
#include <stdlib.h>
#include "../../kernels/update.h"
#include "../support/check.h"
#include "../support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times larger */
static const double BOUND = 100 * KOL_EPSILON;
static const double A = 0.75, A_OLD = -0.375, DTS = 0.125;

static double largest(const struct kernel_case *c, double *const f[3])
{
    double most = 0;
    for (int a = 0; a < 3; ++a) most = fmax(most, check_max(f[a], NULL, c->count));
    return most;
}

enum predict_way { FIRST_STAGE, LATER_STAGE, IN_PLACE, PREDICT_WAYS };

static void predict_part(struct kernel_case *c, struct part *p, enum predict_way way, double *const *field,
                         double *const got[3])
{
    real *base[3], *r[3], *r_old[3], *vel[3], *before[3];
    for (int a = 0; a < 3; ++a) {
        base[a] = part_from(p, OWN, field[a]);
        r[a] = part_from(p, OWN, field[3 + a]);
        r_old[a] = part_from(p, OWN, field[6 + a]);
        vel[a] = way == IN_PLACE ? base[a] : part_filled(p, 5);
        before[a] = part_copy(p, vel[a]);
    }
    CASE_TRUE(c, update_predict(p->g.box, p->g.m, base, r, way == FIRST_STAGE ? NULL : r_old, (real)A,
                                way == FIRST_STAGE ? (real)NAN : (real)A_OLD, (real)DTS,
                                part_from(p, OWN_LOW, field[9]), vel) == KOL_OK);
    for (int a = 0; a < 3; ++a) {
        part_get(p, vel[a], got[a]);
        CASE_TRUE(c, part_changed(p, OWN, before[a], vel[a]) == 0);
    }
}

static void check_predict(struct kernel_case *c)
{
    double *field[10], *want[3], *got[3];
    for (int n = 0; n < 10; ++n) field[n] = case_random(&c->ref, 40 + (unsigned)n);
    for (int a = 0; a < 3; ++a) {
        want[a] = ref_new(&c->ref);
        got[a] = ref_new(&c->ref);
    }
    for (enum predict_way way = 0; way < PREDICT_WAYS; ++way) {
        ref_predict(&c->ref, field, field + 3, way == FIRST_STAGE ? NULL : field + 6, A, A_OLD, DTS, field[9],
                    want);
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            predict_part(c, p, way, field, got);
            part_release(p);
        }
        for (int a = 0; a < 3; ++a)
            CASE_BELOW(c, check_max(got[a], want[a], c->count), BOUND * largest(c, want));
    }
    case_free(field, 10);
    case_free(want, 3);
    case_free(got, 3);
}

static void test_predict_like_reference(void **state)
{
    (void)state;
    case_each(check_predict);
}

/* weights of every kind of guess: none, one to three pressures; y in place of each of them */
static void check_extrapolate(struct kernel_case *c)
{
    static const double weights[][3] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0},    {0, 0, 1},
                                        {2, -1, 0}, {0, 2, -1}, {1.5, 0, -2}, {3, -3, 1}};
    double *past[3], *p = case_random(&c->ref, 60), *want = ref_new(&c->ref), *got = ref_new(&c->ref);
    for (int n = 0; n < 3; ++n) past[n] = case_random(&c->ref, 61 + (unsigned)n);
    for (size_t n = 0; n < sizeof weights / sizeof *weights; ++n) {
        const double *w = weights[n];
        ref_extrapolate(&c->ref, w, past, p, want);
        for (int place = -1; place < 3; ++place) {
            if (place >= 0 && w[place] == 0) continue;
            for (struct part *q = c->part; q < c->part + c->size; ++q) {
                real *k[3];
                for (int m = 0; m < 3; ++m) k[m] = w[m] == 0 ? NULL : part_from(q, OWN, past[m]);
                real *y = place >= 0 ? k[place] : part_filled(q, 5), *before = part_copy(q, y);
                CASE_TRUE(c, update_extrapolate(q->g.box, (real)w[0], k[0], (real)w[1], k[1], (real)w[2],
                                                k[2], part_from(q, OWN, p), y) == KOL_OK);
                part_get(q, y, got);
                CASE_TRUE(c, part_changed(q, OWN, before, y) == 0);
                part_release(q);
            }
            CASE_BELOW(c, check_max(got, want, c->count), BOUND * check_max(want, NULL, c->count));
        }
    }
    case_free(past, 3);
    case_free((double *[]){p, want, got}, 3);
}

static void test_extrapolate_like_reference(void **state)
{
    (void)state;
    case_each(check_extrapolate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predict_like_reference),
        cmocka_unit_test(test_extrapolate_like_reference),
    };
    return cmocka_run_group_tests_name("update", tests, NULL, NULL);
}
