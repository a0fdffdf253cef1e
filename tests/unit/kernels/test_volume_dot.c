/* ranks: 1 2 4 8 */
/* Tests the dot product, and sums weighted by volumes, against plain sums. The bits are the same in every
 * layout of the ranks. Only own cells count, and after the end of an iteration nothing is done. Catches halo
 * cells in the sum, products in single precision, and an order that depends on the ranks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/volume_dot.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

/* state in kernel memory, of an iteration that has ended so */
static struct cg_state *state_of(int outcome)
{
    const struct cg_state values = {.outcome = outcome};
    void *s = NULL;
    if (mem_kernel_alloc(sizeof values, &s) != KOL_OK || mem_to_kernel(s, &values, sizeof values) != KOL_OK)
        abort();
    return s;
}

/* sums[0]: of a c, halo cells NaN; sums[1]: of a a; sums[2], sums[3]: of V a, V a a at ccf; returns the
 * faults */
enum { SUMS = 4 };
static int dots(struct part *p, const double *a, const double *c, double sums[SUMS])
{
    struct cg_state *running = state_of(CG_RUNNING), *ended = state_of(CG_MET);
    const real *fa = part_from(p, OWN, a), *fc = part_from(p, OWN, c);
    const struct blocks bl = reduction_blocks(p->reduction);
    double after = 0;
    int wrong = volume_dot_product(p->g.box, bl, running, fa, fc) != KOL_OK;
    wrong += reduction_finish(p->reduction, 1, 0, &sums[0]) != KOL_OK;
    wrong += volume_dot_product(p->g.box, bl, NULL, fa, fa) != KOL_OK;
    wrong += reduction_finish(p->reduction, 1, 0, &sums[1]) != KOL_OK;
    /* what was left before stays where the iteration is over */
    wrong += volume_dot_product(p->g.box, bl, ended, fa, fc) != KOL_OK;
    wrong += reduction_finish(p->reduction, 1, 0, &after) != KOL_OK;
    wrong += memcmp(&after, &sums[1], sizeof after) != 0;
    const struct stencil s = grid_stencil(&p->g, LOC_CCF, 0, 1);
    wrong += volume_dot_weighted(p->g.box, bl, s, fa) != KOL_OK;
    wrong += reduction_finish(p->reduction, 1, 0, &sums[2]) != KOL_OK;
    wrong += volume_dot_square(p->g.box, bl, s, fa) != KOL_OK;
    wrong += reduction_finish(p->reduction, 1, 0, &sums[3]) != KOL_OK;
    mem_kernel_free(running);
    mem_kernel_free(ended);
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, const double *a, const double *c,
                         const double alone[SUMS], int *layouts)
{
    int wrong = 0;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct part p;
        double sums[SUMS] = {0, 0, 0, 0};
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        wrong += dots(&p, a, c, sums);
        wrong += memcmp(sums, alone, sizeof sums) != 0;
        part_destroy(&p);
        ++*layouts;
    }
    return wrong;
}

static void test_dot(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n) {
        const struct case_input *in = &case_inputs[n];
        struct ref_grid g;
        struct part p;
        double alone[SUMS] = {0, 0, 0, 0}, magnitude = 0, volume = 0, square = 0, size = 0;
        case_reference(in, &g);
        double *a = case_random(&g, 201), *c = case_random(&g, 202);
        for (ptrdiff_t q = 0; q < ref_count(&g); ++q) {
            const double v = case_volume(&g, REF_CCF, q);
            magnitude += fabs(a[q] * c[q]);
            volume += v * a[q];
            square += v * a[q] * a[q];
            size += v * fabs(a[q]);
        }
        int wrong = part_create(in, self, whole, &p) != KOL_OK;
        wrong += dots(&p, a, c, alone);
        part_destroy(&p);
        CHECK_ALL(wrong == 0);
        CHECK_ALL_BELOW(fabs(alone[0] - case_dot(ref_count(&g), a, c)), 4 * DBL_EPSILON * magnitude);
        CHECK_ALL_BELOW(fabs(alone[1] / case_dot(ref_count(&g), a, a) - 1), 8 * DBL_EPSILON);
        CHECK_ALL_BELOW(fabs(alone[2] - volume), 100 * KOL_EPSILON * size);
        CHECK_ALL_BELOW(fabs(alone[3] / square - 1), 100 * KOL_EPSILON);
        CHECK_ALL(check_layouts(in, a, c, alone, &layouts) == 0);
        free(a);
        free(c);
        ref_grid_destroy(&g);
    }
    CHECK_ALL(layouts >= 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_dot, setup, teardown)};
    return MPI_MAIN(argc, argv, "dot", tests);
}
