/* Tests kernels that are called twice: for the inner cells while halo cells are still on their way, and then
 * for the rim. Fields and sums have the same bits as after one call. Catches an inner cell that reads a halo
 * cell which has not arrived, a cell that is computed twice or left out, and sums that are begun twice. No
 * MPI. */
#include "tests/support/check.h"
#include "tests/support/kernel_runs.h"

/* sets of faces: none, all, one, one in z, whose layers are cut off, one side of two directions, a whole
 * direction */
static const unsigned MASKS[] = {0, 0x3f, 0x01, 0x20, 0x18, 0x30};

static void check_split(struct kernel_case *c)
{
    double *inputs[RUN_INPUTS];
    run_inputs(&c->ref, inputs);
    /* the first part and the last */
    for (struct part *p = c->part; p<c->part + c->size; p += c->size> 1 ? c->size - 1 : 1) {
        for (enum tune_kernel k = 0; k < TUNE_KERNELS; ++k) {
            if (!run_can_split(k)) continue;
            for (int variant = 0; variant < RUN_VARIANTS; ++variant) {
                struct made whole, split;
                run_whole(p, k, variant, inputs, &whole);
                CASE_TRUE(c, made_nan(p, &whole) == 0);
                for (size_t n = 0; n < sizeof MASKS / sizeof *MASKS; ++n) {
                    run_split(p, k, variant, inputs, MASKS[n], &split);
                    if (!made_same(&whole, &split))
                        print_error("%s, variant %d, faces %#x\n", tune_name(k), variant, MASKS[n]);
                    CASE_TRUE(c, made_same(&whole, &split));
                    made_free(&split);
                }
                made_free(&whole);
            }
        }
    }
    case_free(inputs, RUN_INPUTS);
}

static void test_inner_and_rim_make_the_whole(void **state)
{
    (void)state;
    static const int layouts[][3] = {{1, 1, 1}, {2, 2, 2}};
    struct kernel_case c;
    for (int n = 0; n < CASES; ++n) {
        if (case_inputs[n].n[X] < 4) continue; /* two parts of two cells */
        case_open(&case_inputs[n], layouts[1], &c);
        check_split(&c);
        case_close(&c);
    }
    for (int n = 0; n < RUN_CASES; ++n) {
        case_open(&run_cases[n], layouts[0], &c);
        check_split(&c);
        case_close(&c);
    }
}

/* Where nothing is on its way, CELLS_INNER is everything: no second call need follow. */
static void test_nothing_remote_is_all_inner(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    double *inputs[RUN_INPUTS];
    case_open(&run_cases[0], whole, &c);
    run_inputs(&c.ref, inputs);
    for (enum tune_kernel k = 0; k < TUNE_KERNELS; ++k) {
        struct made all, inner;
        run_whole(&c.part[0], k, 1, inputs, &all);
        run_inner(&c.part[0], k, 1, inputs, &inner);
        CASE_TRUE(&c, made_same(&all, &inner));
        made_free(&all);
        made_free(&inner);
    }
    case_free(inputs, RUN_INPUTS);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inner_and_rim_make_the_whole),
        cmocka_unit_test(test_nothing_remote_is_all_inner),
    };
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
