/* ranks: 1 2 4 8 */
/* Halo exchange in every layout of the ranks there are, thin and uneven ranks included: each halo cell holds the value of its
 * periodic image, and cells that were not asked for stay NaN. Catches a swapped pair of messages between the same two ranks,
 * fields that mix in a buffer, edges that go to the wrong rank, inner cells that are not ready when they are said to be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../kernels/pack.h"
#include "../../solver/halo.h"
#include "../support/kernel_case.h"
#include "../support/mpi_main.h"

static const int sizes[][3] = {{8, 8, 8}, {13, 11, 9}, {8, 2, 16}, {16, 9, 8}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct comm comm;

static int setup(void **state)
{
    (void)state;
    status_clear();
    return comm_create(&comm) != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    comm_destroy(&comm);
    return 0;
}

/* f = i + 100 j + 10000 k, exact in single precision, others for each field and round */
static double *numbered(const int n[3], int field, int round)
{
    const ptrdiff_t count = (ptrdiff_t)n[X] * n[Y] * n[Z];
    double *f = malloc((size_t)count * sizeof *f);
    for (ptrdiff_t q = 0; q < count; ++q)
        f[q] = (double)(q % n[X] + 100 * (q / n[X] % n[Y]) + 10000 * (q / n[X] / n[Y])) + 500000.0 * field +
               2000000.0 * round + 1;
    return f;
}

/* one exchange of `fields` fields: values of own cells and of the shape's halo cells are right, all others NaN still */
static int wrong_after(struct part *p, struct halo *h, int fields, enum halo_shape shape, int round)
{
    const enum region region = shape == HALO_EDGES ? OWN_EDGES : OWN_FACES;
    real *array[PACK_FIELDS] = {NULL};
    int wrong = 0;
    for (int f = 0; f < fields; ++f) {
        double *global = numbered(p->d.n_g, f, round);
        array[f] = part_from(p, OWN, global);
        free(global);
    }
    wrong += halo_fill(h, array, fields, shape) != KOL_OK;
    for (int f = 0; f < fields; ++f) {
        double *global = numbered(p->d.n_g, f, round);
        real *nan = part_copy(p, part_array(p));
        wrong += part_error(p, region, array[f], global) != 0;
        wrong += part_changed(p, region, nan, array[f]) != 0;
        free(global);
    }
    part_release(p);
    return wrong;
}

/* f on every size and every layout of the ranks that fits it; returns the number of faults and counts the layouts */
typedef int (*layout_check)(struct part *p, struct halo *h);

static int each_layout(layout_check check, int *layouts)
{
    int wrong = 0;
    *layouts = 0;
    for (int s = 0; s < SIZES; ++s) {
        const struct case_input in = {"halo", {sizes[s][X], sizes[s][Y], sizes[s][Z]}, {0, 0, 0}, {0, 0, 0}};
        for (int px = 1; px <= comm.size; ++px) {
            for (int py = 1; py <= comm.size / px; ++py) {
                const int layout[3] = {px, py, comm.size / px / py};
                struct part p;
                struct halo *h = NULL;
                if (px * py * layout[Z] != comm.size) continue;
                if (part_create(&in, comm, layout, &p) == KOL_OK) {
                    wrong += halo_create(&comm, &p.d, p.g.box, &h) != KOL_OK;
                    wrong += check(&p, h);
                    halo_destroy(&h);
                    ++*layouts;
                } else {
                    wrong += s == 0; /* 8 x 8 x 8 cells can be cut in each way */
                }
                status_clear(); /* a layout that the size is too small for */
                part_destroy(&p);
            }
        }
    }
    return wrong;
}

static int check_shapes(struct part *p, struct halo *h)
{
    int wrong = 0;
    for (int fields = 1; fields <= PACK_FIELDS; ++fields) {
        wrong += wrong_after(p, h, fields, HALO_FACES, 0);
        wrong += wrong_after(p, h, fields, HALO_EDGES, 0);
    }
    return wrong;
}

static void test_values_in_every_layout(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_shapes, &layouts) == 0);
    CHECK_ALL(layouts >= SIZES);
}

/* shapes and numbers of fields in changing order, other values each time: nothing is left from the exchange before */
static int check_repeated(struct part *p, struct halo *h)
{
    static const int fields[] = {4, 1, 3, 1, 2, 4};
    int wrong = 0;
    for (int round = 0; round < 6; ++round)
        wrong += wrong_after(p, h, fields[round], round % 3 ? HALO_FACES : HALO_EDGES, round);
    return wrong;
}

static void test_repeated_exchanges(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_repeated, &layouts) == 0);
}

/* the same array exchanged again after its own cells changed: halo cells are overwritten */
static int check_overwrite(struct part *p, struct halo *h)
{
    double *first = numbered(p->d.n_g, 0, 0), *second = numbered(p->d.n_g, 1, 3);
    real *array = part_from(p, OWN_EDGES, first), *own = part_copy(p, array),
         *fresh = part_from(p, OWN, second);
    real *values = part_copy(p, fresh);
    const struct box b = p->g.box;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) own[at(b, i, j, k)] = values[at(b, i, j, k)];
    int wrong = mem_to_kernel(array, own, (size_t)b.size * sizeof(real)) != KOL_OK;
    wrong += halo_fill(h, &array, 1, HALO_EDGES) != KOL_OK;
    wrong += part_error(p, OWN_EDGES, array, second) != 0;
    free(own);
    free(values);
    free(first);
    free(second);
    part_release(p);
    return wrong;
}

static void test_old_halo_is_overwritten(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_overwrite, &layouts) == 0);
}

/* how often a cell is in the inner range and the rim: once each */
static int check_cover(struct part *p, struct halo *h)
{
    struct range part[7];
    const struct box b = p->g.box;
    int wrong = 0;
    part[0] = halo_inner(h);
    const int parts = 1 + halo_rim(h, part + 1);
    if (parts > 7) return 1;
    char *count = calloc((size_t)b.size, 1);
    for (int n = 0; n < parts; ++n) {
        for (int d = 0; d < 3; ++d) wrong += part[n].lo[d] < 0 || part[n].hi[d] > p->d.n[d];
        for (int k = part[n].lo[Z]; k < part[n].hi[Z]; ++k)
            for (int j = part[n].lo[Y]; j < part[n].hi[Y]; ++j)
                for (int i = part[n].lo[X]; i < part[n].hi[X]; ++i)
                    if (!wrong) ++count[at(b, i, j, k)];
    }
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) wrong += count[at(b, i, j, k)] != 1;
    free(count);
    return wrong;
}

static void test_inner_and_rim_cover_once(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_cover, &layouts) == 0);
}

/* between begin and end, all faces and edges round the inner cells are there */
static int check_inner(struct part *p, struct halo *h)
{
    double *global = numbered(p->d.n_g, 0, 0);
    real *array = part_from(p, OWN, global);
    const struct box b = p->g.box;
    const struct range inner = halo_inner(h);
    int wrong = halo_begin(h, &array, 1, HALO_EDGES) != KOL_OK;
    real *host = part_copy(p, array);
    for (int k = inner.lo[Z]; k < inner.hi[Z]; ++k)
        for (int j = inner.lo[Y]; j < inner.hi[Y]; ++j)
            for (int i = inner.lo[X]; i < inner.hi[X]; ++i)
                for (int s = 0; s < 27; ++s) {
                    const int o[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
                    if (o[X] && o[Y] && o[Z]) continue;
                    wrong += isnan(host[at(b, i + o[X], j + o[Y], k + o[Z])]);
                }
    wrong += halo_end(h) != KOL_OK;
    wrong += part_error(p, OWN_EDGES, array, global) != 0;
    free(host);
    free(global);
    part_release(p);
    return wrong;
}

static void test_inner_cells_are_ready_after_begin(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_inner, &layouts) == 0);
}

/* on one rank nothing has to be waited for: all cells are inner cells */
static void test_one_rank_has_no_rim(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct part p;
    struct halo *h = NULL;
    const struct comm self = {MPI_COMM_SELF, 0, 1, 0, 1};
    CHECK_ALL(part_create(&case_inputs[CASE_STRETCHED], self, whole, &p) == KOL_OK);
    CHECK_ALL(halo_create(&self, &p.d, p.g.box, &h) == KOL_OK);
    const struct range inner = halo_inner(h), all = range_all(p.g.box);
    CHECK_ALL(memcmp(&inner, &all, sizeof all) == 0);
    CHECK_ALL(check_shapes(&p, h) == 0);
    halo_destroy(&h);
    CHECK_ALL(h == NULL);
    halo_destroy(&h); /* NULL is taken */
    part_destroy(&p);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_values_in_every_layout),
        CASE(test_repeated_exchanges),
        CASE(test_old_halo_is_overwritten),
        CASE(test_inner_and_rim_cover_once),
        CASE(test_inner_cells_are_ready_after_begin),
        CASE(test_one_rank_has_no_rim),
    };
    return MPI_MAIN(argc, argv, "halo", tests);
}
