/* Tests Philox 4x32-10 against the known answers that its authors publish with Random123 (kat_vectors), and
 * that random_unit() stays in its interval. No MPI. */
#include "solver/math/random.h"
#include "tests/support/check.h"

static void test_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], want[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int n = 0; n < 3; ++n) {
        uint32_t out[4];
        random_philox(known[n].counter, known[n].key, out);
        for (int i = 0; i < 4; ++i) assert_int_equal(out[i], known[n].want[i]);
    }
}

/* counter and result may be the same array */
static void test_in_place(void **state)
{
    (void)state;
    const uint32_t key[2] = {7, 9};
    uint32_t counter[4] = {1, 2, 3, 4}, out[4];
    random_philox(counter, key, out);
    random_philox(counter, key, counter);
    assert_memory_equal(counter, out, sizeof out);
}

static void test_unit_interval(void **state)
{
    (void)state;
    CHECK_SAME(random_unit(0), 0.0);
    CHECK_SAME(random_unit(0x80000000u), 0.5);
    CHECK_SAME(random_unit(1), 1.0 / 4294967296.0);
    CHECK_BELOW(random_unit(0xffffffffu), 1 - 1.0 / 4294967296.0);
}

/* 400 000 numbers: mean, variance and covariance of neighbours within five standard errors */
static void test_moments(void **state)
{
    (void)state;
    enum { BLOCKS = 100000, NUMBERS = 4 * BLOCKS };
    const uint32_t key[2] = {20260101, 3};
    double mean = 0, square = 0, product = 0, last = 0;
    for (uint32_t n = 0; n < BLOCKS; ++n) {
        const uint32_t counter[4] = {n, 0, 5, 0};
        uint32_t out[4];
        random_philox(counter, key, out);
        for (int i = 0; i < 4; ++i) {
            const double x = random_unit(out[i]) - 0.5;
            mean += x / NUMBERS;
            square += x * x / NUMBERS;
            product += x * last / NUMBERS;
            last = x;
        }
    }
    CHECK_BELOW(fabs(mean), 5 * sqrt(1.0 / 12 / NUMBERS));
    CHECK_BELOW(fabs(square - 1.0 / 12), 5 * sqrt(1.0 / 180 / NUMBERS));
    CHECK_BELOW(fabs(product), 5.0 / 12 / sqrt(NUMBERS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_unit_interval),
        cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
