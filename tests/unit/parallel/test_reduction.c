/* ranks: 1 2 4 8 */
/* Tests sums and maxima of a global field. They have the same bits in every layout of the ranks as on one
 * rank, and are added in the order that the docs promise: block after block, x first, then y, then z.
 * Catches an order that depends on the ranks, partial sums in the wrong place, sums in single precision,
 * and a NaN that is lost. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/laplace.h"
#include "kernels/projection.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

static const struct case_input cases[] = {
    {"eight", {8, 8, 8}, {STRETCHING_SINE, STRETCHING_TANH, STRETCHING_UNIFORM}, {0.5, 1, 0}},
    {"uneven", {35, 13, 21}, {STRETCHING_UNIFORM, STRETCHING_SINE, STRETCHING_TANH}, {0, 0.7, 1.3}},
    {"wide", {150, 9, 8}, {STRETCHING_TANH, STRETCHING_UNIFORM, STRETCHING_UNIFORM}, {1.1, 0, 0}},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* what is summed on a part: returns the number of sums and maxima through out[] */
typedef int (*summing)(struct part *p, const struct ref_grid *g, double out[KOL_PARTS]);

static int monitored(struct part *p, const struct ref_grid *g, double out[KOL_PARTS])
{
    real *u[3];
    for (int a = 0; a < 3; ++a) {
        double *f = case_random(g, 100 + (unsigned)a);
        u[a] = part_from(p, OWN_FACES, f);
        free(f);
    }
    int wrong = project_monitor(p->g.box, p->g.m, walls_none(), reduction_blocks(p->reduction), cells_all(),
                                u[X], u[Y], u[Z]) != KOL_OK;
    wrong += reduction_finish(p->reduction, MON_SUMS, MON_COUNT - MON_SUMS, out) != KOL_OK;
    part_release(p);
    return wrong;
}

/* sums of a field by laplace_residual with the operator switched off: r = rhs; another kernel runs before
 * they are collected */
static int sum_field(struct part *p, const double *field, double out[3])
{
    double *zero = calloc((size_t)p->d.n_g[X] * p->d.n_g[Y] * p->d.n_g[Z], sizeof *zero);
    int wrong = laplace_residual(p->g.box, grid_stencil(&p->g, LOC_CCC, 0, 0), reduction_blocks(p->reduction),
                                 cells_all(), 0, part_from(p, OWN, field), part_from(p, OWN_FACES, zero),
                                 part_array(p)) != KOL_OK;
    wrong += reduction_start(p->reduction, 2, 1) != KOL_OK;
    wrong += mem_fill_real(part_array(p), p->g.box.size, 0) != KOL_OK;
    wrong += reduction_collect(p->reduction, 2, 1, out) != KOL_OK;
    free(zero);
    part_release(p);
    return wrong;
}

static int summed(struct part *p, const struct ref_grid *g, double out[KOL_PARTS])
{
    double *f = case_cancelling(g);
    const int wrong = sum_field(p, f, out);
    free(f);
    return wrong;
}

/* faults of f over all layouts of all ranks, against one rank alone; each rank makes that one for itself */
static int each_layout(const struct case_input *in, summing f, int *layouts)
{
    double alone[KOL_PARTS] = {0}, out[KOL_PARTS];
    struct ref_grid g;
    struct part p;
    case_reference(in, &g);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    wrong += f(&p, &g, alone);
    part_destroy(&p);
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        memset(out, 0, sizeof out);
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        wrong += f(&p, &g, out);
        wrong += memcmp(out, alone, sizeof out) != 0;
        part_destroy(&p);
        ++*layouts;
    }
    ref_grid_destroy(&g);
    return wrong;
}

static void test_same_bits_in_every_layout(void **state)
{
    (void)state;
    static const summing sums[] = {monitored, summed};
    int layouts = 0;
    for (int n = 0; n < CASE_COUNT; ++n)
        for (int f = 0; f < 2; ++f) CHECK_ALL(each_layout(&cases[n], sums[f], &layouts) == 0);
    CHECK_ALL(layouts >= 2 * CASE_COUNT);
}

/* Tests that sums are in double precision in both builds and are added in stages. So their error is far
 * below the bound for adding one value after another. */
static void test_accuracy_with_cancellation(void **state)
{
    (void)state;
    for (int n = 0; n < CASE_COUNT; ++n) {
        static const int choose[3] = {0, 0, 0};
        struct ref_grid g;
        struct part p;
        double out[3] = {0, 0, 0};
        long double sum = 0, terms = 0;
        case_reference(&cases[n], &g);
        double *f = case_cancelling(&g);
        for (ptrdiff_t q = 0; q < ref_count(&g); ++q) {
            sum += f[q];
            terms += fabs(f[q]);
        }
        CHECK_ALL(part_create(&cases[n], comm, choose, &p) == KOL_OK);
        CHECK_ALL(sum_field(&p, f, out) == 0);
        CHECK_ALL_BELOW(fabs(out[0] - (double)sum), 10 * DBL_EPSILON * (double)terms);
        CHECK_ALL(fabsl(sum) < 1e-3L * terms);
        free(f);
        part_destroy(&p);
        ref_grid_destroy(&g);
    }
}

/* one NaN anywhere, on whichever rank, makes the sum a NaN on all; an infinity makes it not finite */
static void test_nan_is_seen(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    struct ref_grid g;
    struct part p;
    case_reference(&cases[1], &g);
    double *f = case_random(&g, 120), out[3];
    CHECK_ALL(part_create(&cases[1], comm, choose, &p) == KOL_OK);
    const ptrdiff_t count = ref_count(&g);
    for (int n = 0; n <= 12; ++n) {
        const ptrdiff_t q = n * (count - 1) / 12;
        const double kept = f[q];
        f[q] = NAN;
        int wrong = sum_field(&p, f, out);
        CHECK_ALL(wrong == 0 && isnan(out[0]));
        f[q] = -INFINITY;
        wrong = sum_field(&p, f, out);
        CHECK_ALL(wrong == 0 && isinf(out[0]) && isinf(out[2]));
        f[q] = kept;
    }
    free(f);
    part_destroy(&p);
    ref_grid_destroy(&g);
}

/* partial sum of a block in the global order, the same on any layout, of any magnitude */
static double partial(int quantity, int x, int y, int z)
{
    const double a = sin(1.7 * x + 2.9 * y + 4.3 * z + 0.6 * quantity + 0.1);
    return a * pow(10, 5 * cos(3.1 * x - 1.3 * y + 0.7 * z));
}

/* the promised order, written out */
static void in_promised_order(const struct decomp *d, int sums, int maxima, double *out)
{
    const int *n = d->blocks_g;
    for (int q = 0; q < sums; ++q) {
        double total = 0;
        for (int z = 0; z < n[Z]; ++z) {
            double plane = 0;
            for (int y = 0; y < n[Y]; ++y) {
                double row = partial(q, 0, y, z);
                for (int x = 1; x < n[X]; ++x) row += partial(q, x, y, z);
                plane = y == 0 ? row : plane + row;
            }
            total = z == 0 ? plane : total + plane;
        }
        out[q] = total;
    }
    for (int q = sums; q < sums + maxima; ++q) {
        out[q] = 0;
        for (int z = 0; z < n[Z]; ++z)
            for (int y = 0; y < n[Y]; ++y)
                for (int x = 0; x < n[X]; ++x) out[q] = fmax(out[q], fabs(partial(q, x, y, z)));
    }
}

static int finish_partials(struct part *p, const struct ref_grid *g, double out[KOL_PARTS])
{
    (void)g;
    const struct blocks bl = reduction_blocks(p->reduction);
    const ptrdiff_t count = blocks_count(bl);
    double *host = malloc((size_t)(count * KOL_PARTS) * sizeof *host), want[KOL_PARTS];
    int wrong = 0;
    /* all quantities sums, all maxima, and some of both; the last one is what is returned */
    static const int sums[] = {KOL_PARTS, 0, 1, 0, 5};
    static const int maxima[] = {0, KOL_PARTS, 0, 1, KOL_PARTS - 5};
    for (int way = 0; way < 5; ++way) {
        const int all = sums[way] + maxima[way];
        for (ptrdiff_t n = 0; n < all * count; ++n) {
            const int q = (int)(n / count), x = p->d.first_block[X] + (int)(n % bl.nx),
                      y = p->d.first_block[Y] + (int)(n / bl.nx % bl.ny),
                      z = p->d.first_block[Z] + (int)(n % count / bl.nx / bl.ny);
            host[n] = q < sums[way] ? partial(q, x, y, z) : fabs(partial(q, x, y, z));
        }
        wrong += mem_to_kernel(bl.part, host, (size_t)(all * count) * sizeof *host) != KOL_OK;
        for (int q = 0; q < KOL_PARTS; ++q) out[q] = want[q] = -1;
        wrong += reduction_finish(p->reduction, sums[way], maxima[way], out) != KOL_OK;
        in_promised_order(&p->d, sums[way], maxima[way], want);
        wrong += memcmp(out, want, sizeof want) != 0;
    }
    free(host);
    return wrong;
}

static void test_promised_order(void **state)
{
    (void)state;
    int layouts = 0;
    if (strcmp(device_backend(), "cpu") != 0) skip(); /* pieces of blocks: test_sums.c */
    for (int n = 0; n < CASE_COUNT; ++n) CHECK_ALL(each_layout(&cases[n], finish_partials, &layouts) == 0);
}

/* the blocks of a rank: starts in local indices, from 0 to its cells, none of them empty */
static int check_blocks(struct part *p, const struct ref_grid *g, double out[KOL_PARTS])
{
    (void)g;
    (void)out;
    const struct blocks bl = reduction_blocks(p->reduction);
    const int n[3] = {bl.nx, bl.ny, bl.nz}, *start[3] = {bl.x, bl.y, bl.z};
    int wrong = 0;
    for (int d = 0; d < 3; ++d) {
        int host[64];
        wrong += n[d] != p->d.blocks[d] || n[d] > 63;
        wrong += mem_to_host(host, start[d], (size_t)(n[d] + 1) * sizeof *host) != KOL_OK;
        wrong += host[0] != 0 || host[n[d]] != p->d.n[d];
        for (int b = 0; b < n[d]; ++b) wrong += host[b + 1] <= host[b];
        for (int b = 0; b <= n[d]; ++b)
            wrong += host[b] != decomp_block_start(&p->d, d, p->d.first_block[d] + b) - p->d.offset[d];
    }
    return wrong;
}

static void test_blocks_of_a_rank(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASE_COUNT; ++n) CHECK_ALL(each_layout(&cases[n], check_blocks, &layouts) == 0);
    struct reduction *none = NULL;
    reduction_destroy(&none);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_same_bits_in_every_layout),
        CASE(test_accuracy_with_cancellation),
        CASE(test_nan_is_seen),
        CASE(test_promised_order),
        CASE(test_blocks_of_a_rank),
    };
    return MPI_MAIN(argc, argv, "reduction", tests);
}
