/* Tests sweeps that read the own cells of the opposite side instead of a halo. In a box that is its own
 * neighbour on all sides they read no halo cell, so NaN there has no effect. They give the bits of the same
 * sweeps with filled halos. Catches an index beyond the box that is not brought back into it, or is shifted
 * too often. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/laplace.h"
#include "kernels/sums.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"

static const int whole[3] = {1, 1, 1};
static const struct poly1 POLY = {(real)1.1, (real)0.9};
enum { OUTS = 7 };

/* The kernels of an iteration, each on random inputs: own cells of what they give, and their sums. */
static int sweep_all(struct part *p, const struct ref_grid *g, int around, double *out[OUTS], double *sums)
{
    const enum region region = around ? OWN : OWN_DEEP;
    const struct cells cells = {CELLS_ALL, 0, around ? (1u << FACES) - 1 : 0};
    const struct box b = p->g.box;
    const struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    const struct blocks bl = reduction_blocks(p->reduction);
    const struct cg_state state = {.alpha = 0.3, .beta = 0.7, .outcome = CG_RUNNING};
    struct cg_scalars cg;
    real *in[4], *made[OUTS], *planes = NULL;
    for (unsigned n = 0; n < 4; ++n) {
        double *f = case_random(g, 300 + n);
        in[n] = part_from(p, n == 3 ? OWN : region, f);
        free(f);
    }
    for (int n = 0; n < OUTS; ++n) made[n] = part_array(p);
    double *f = case_random(g, 300);
    part_put(p, OWN, f, made[6]);
    free(f);
    int wrong = cg_create(&cg) != KOL_OK || cg_start(cg, state) != KOL_OK;
    wrong += mem_kernel_alloc((size_t)laplace_update_scratch(b) * sizeof(real), (void **)&planes) != KOL_OK;
    wrong += laplace_residual(b, s, bl, cells, (real)0.2, in[3], in[0], made[0]) != KOL_OK;
    part_sums(p, 2, 1, sums);
    wrong += laplace_start(b, s, bl, cells, cg.state, POLY, in[0], made[1]) != KOL_OK;
    part_sums(p, 1, 1, sums + 3);
    wrong += laplace_direction(b, s, bl, cells, cg.state, in[0], in[1], made[2]) != KOL_OK;
    part_sums(p, 1, 0, sums + 5);
    wrong += laplace_update(b, s, bl, cells, cg.state, POLY, in[1], made[6], made[6], in[2], made[3], made[4],
                            planes) != KOL_OK;
    part_sums(p, 1, 1, sums + 6);
    wrong += laplace_chebyshev(b, s, bl, cells, cg.state, (real)0.4, (real)0.9, 1, in[3], in[0], in[1],
                               made[5]) != KOL_OK;
    part_sums(p, 1, 0, sums + 8);
    for (int n = 0; n < OUTS; ++n) part_get(p, made[n], out[n]);
    mem_kernel_free(planes);
    cg_destroy(&cg);
    part_release(p);
    return wrong;
}

static void test_same_bits_as_with_halos(void **state)
{
    (void)state;
    if (!laplace_around()) skip();
    for (int n = 0; n < CASES; ++n) {
        struct kernel_case c;
        double *filled[OUTS], *turned[OUTS], sums[2][10] = {{0}};
        case_open(&case_inputs[n], whole, &c);
        for (int i = 0; i < OUTS; ++i) {
            filled[i] = ref_new(&c.ref);
            turned[i] = ref_new(&c.ref);
        }
        CASE_TRUE(&c, sweep_all(&c.part[0], &c.ref, 0, filled, sums[0]) == 0);
        CASE_TRUE(&c, sweep_all(&c.part[0], &c.ref, 1, turned, sums[1]) == 0);
        for (int i = 0; i < OUTS; ++i)
            CASE_TRUE(&c, memcmp(filled[i], turned[i], (size_t)c.count * sizeof **filled) == 0);
        CASE_TRUE(&c, memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
        case_free(filled, OUTS);
        case_free(turned, OUTS);
        case_close(&c);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits_as_with_halos)};
    return MPI_MAIN(argc, argv, "around", tests);
}
