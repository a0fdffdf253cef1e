/* Tests that every kernel gives the same bits with each of its launch shapes: fields and sums, in one call
 * and in two. Catches a tile that ends at the wrong place, an order of addition that depends on the shape,
 * and a cell that no thread block computes. No MPI. */
#include "tests/support/check.h"
#include "tests/support/kernel_runs.h"

static const unsigned REMOTE[] = {0x27, 0x30}; /* x, low y, high z; z, of which shapes take turns */

static void check_shapes(struct kernel_case *c, enum tune_kernel k, double *const *inputs)
{
    struct part *p = &c->part[0];
    for (int variant = 0; variant < RUN_VARIANTS; ++variant) {
        struct made first, other;
        tune_choose(k, 0);
        run_whole(p, k, variant, inputs, &first);
        CASE_TRUE(c, made_nan(p, &first) == 0);
        for (int shape = 0; shape < tune_shapes(k); ++shape) {
            tune_choose(k, shape);
            CASE_TRUE(c, tune_chosen(k) == shape);
            for (int split = 0; split <= run_can_split(k); ++split) {
                if (split) run_split(p, k, variant, inputs, REMOTE[(shape + variant) % 2], &other);
                else run_whole(p, k, variant, inputs, &other);
                if (!made_same(&first, &other)) {
                    char name[TUNE_TEXT];
                    tune_shape_name(k, shape, name);
                    print_error("%s, shape %s, variant %d, split %d\n", tune_name(k), name, variant, split);
                }
                CASE_TRUE(c, made_same(&first, &other));
                made_free(&other);
            }
        }
        tune_choose(k, 0);
        made_free(&first);
    }
}

static void test_shapes_make_the_same_bits(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    for (int n = 0; n < RUN_CASES; ++n) {
        struct kernel_case c;
        double *inputs[RUN_INPUTS];
        case_open(&run_cases[n], whole, &c);
        run_inputs(&c.ref, inputs);
        for (enum tune_kernel k = 0; k < TUNE_KERNELS; ++k) check_shapes(&c, k, inputs);
        case_free(inputs, RUN_INPUTS);
        case_close(&c);
    }
}

/* Tests what solver/control/launch_tuning.c writes into its file. Every kernel, and every shape of a
 * kernel, must have a name of its own, without the characters that end a name there. */
static void test_names_fit_a_file(void **state)
{
    (void)state;
    for (enum tune_kernel k = 0; k < TUNE_KERNELS; ++k) {
        assert_true(tune_shapes(k) >= 1);
        assert_true(strlen(tune_name(k)) > 0 && strlen(tune_name(k)) < TUNE_TEXT);
        for (enum tune_kernel other = 0; other < k; ++other)
            assert_string_not_equal(tune_name(k), tune_name(other));
        for (int shape = 0; shape < tune_shapes(k); ++shape) {
            char name[TUNE_TEXT], earlier[TUNE_TEXT];
            memset(name, '?', sizeof name);
            tune_shape_name(k, shape, name);
            assert_non_null(memchr(name, '\0', sizeof name));
            assert_true(name[0] != '\0' && strpbrk(name, " \t\n,=") == NULL);
            for (int before = 0; before < shape; ++before) {
                tune_shape_name(k, before, earlier);
                assert_string_not_equal(name, earlier);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_fit_a_file),
        cmocka_unit_test(test_shapes_make_the_same_bits),
    };
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
