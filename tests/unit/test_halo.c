/* ranks: 1 2 4 8 */
/* Halo exchange in every layout of the ranks there are, thin and uneven ranks included: each halo cell holds the value of its
 * periodic image, and cells that were not asked for stay NaN. Catches a swapped pair of messages between the same two ranks,
 * fields that mix in a buffer, edges that go to the wrong rank, wraps that are not ready when they are said to be. */
#include <stdlib.h>
#include "../../inputs/input.h"
#include "../../kernels/base/mem.h"
#include "../support/halo_case.h"
#include "../support/mpi_main.h"

/* the first can be cut by 8 in each direction */
static const int sizes[][3] = {{16, 16, 16}, {13, 11, 9}, {8, 2, 16}, {16, 9, 4}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const enum halo_shape shapes[] = {HALO_FACES, HALO_EDGES, HALO_DEEP, HALO_NORMAL};
enum { SHAPES = sizeof shapes / sizeof *shapes };

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

/* f on every size and every layout of the ranks that fits it; returns the number of faults and counts the layouts */
typedef int (*layout_check)(struct halo_part *p, struct halo *h, real *const *array);

static int one_layout(layout_check check, const int n[3], const int layout[3], int *layouts)
{
    struct halo_part p;
    struct halo *h = NULL;
    real *array[HALO_FIELDS];
    if (halo_part_create(&comm, n, layout, &p) != KOL_OK) { /* the size is too small for it */
        status_clear();
        return n == sizes[0];
    }
    int wrong = halo_create(&comm, &p.d, p.b, TRANSPORT_AUTO, &h) != KOL_OK;
    for (int f = 0; f < HALO_FIELDS; ++f) array[f] = halo_part_array(&p);
    wrong += check(&p, h, array);
    for (int f = 0; f < HALO_FIELDS; ++f) mem_kernel_free(array[f]);
    halo_destroy(&h);
    halo_part_destroy(&p);
    ++*layouts;
    return wrong;
}

static int each_layout(layout_check check, int *layouts)
{
    int wrong = 0;
    *layouts = 0;
    for (int s = 0; s < SIZES; ++s)
        for (int px = 1; px <= comm.size; ++px)
            for (int py = 1; py <= comm.size / px; ++py) {
                const int layout[3] = {px, py, comm.size / px / py};
                if (px * py * layout[Z] == comm.size) wrong += one_layout(check, sizes[s], layout, layouts);
            }
    return wrong;
}

/* one exchange of `fields` fields, tags from `tag` on: values that are not as they should be */
static int wrong_after(struct halo_part *p, struct halo *h, real *const *array, int fields,
                       enum halo_shape shape, int tag)
{
    int wrong = 0;
    for (int f = 0; f < fields; ++f) halo_part_set(p, array[f], tag + f);
    wrong += halo_fill(h, array, fields, shape) != KOL_OK;
    for (int f = 0; f < fields; ++f) wrong += halo_part_wrong(p, array[f], tag + f, shape, f, ~0u);
    return wrong;
}

static int check_shapes(struct halo_part *p, struct halo *h, real *const *array)
{
    int wrong = 0;
    for (int s = 0; s < SHAPES; ++s)
        for (int fields = 1; fields <= HALO_FIELDS; ++fields)
            if (shapes[s] != HALO_NORMAL || fields == 3)
                wrong += wrong_after(p, h, array, fields, shapes[s], 0);
    return wrong;
}

static void test_values_in_every_layout(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_shapes, &layouts) == 0);
    CHECK_ALL(layouts >= 1);
}

/* shapes and numbers of fields in changing order, other values each time: nothing is left from the exchange before */
static int check_repeated(struct halo_part *p, struct halo *h, real *const *array)
{
    static const int fields[] = {4, 3, 1, 3, 1, 4, 3, 2, 3, 1, 3, 4};
    static const enum halo_shape shape[] = {HALO_EDGES, HALO_NORMAL, HALO_DEEP,   HALO_NORMAL,
                                            HALO_FACES, HALO_EDGES,  HALO_EDGES,  HALO_DEEP,
                                            HALO_FACES, HALO_DEEP,   HALO_NORMAL, HALO_FACES};
    int wrong = 0;
    for (int round = 0; round < 12; ++round)
        wrong += wrong_after(p, h, array, fields[round], shape[round], HALO_FIELDS * round);
    return wrong;
}

static void test_repeated_exchanges(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_repeated, &layouts) == 0);
}

/* the same array exchanged again after its own cells changed: halo cells are overwritten */
static int check_overwrite(struct halo_part *p, struct halo *h, real *const *array)
{
    int wrong = wrong_after(p, h, array, 1, HALO_DEEP, 0);
    halo_part_renew(p, array[0], 3);
    wrong += halo_fill(h, array, 1, HALO_DEEP) != KOL_OK;
    return wrong + halo_part_wrong(p, array[0], 3, HALO_DEEP, 0, ~0u);
}

static void test_old_halo_is_overwritten(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_overwrite, &layouts) == 0);
}

/* between begin and end all is there but beyond the faces that are said to be remote: those of the directions that are cut */
static int check_begun(struct halo_part *p, struct halo *h, real *const *array)
{
    const unsigned remote = halo_remote(h);
    int wrong = 0;
    for (int d = 0; d < 3; ++d) wrong += (remote >> 2 * d & 3) != (p->d.ranks[d] > 1 ? 3 : 0);
    for (int s = 0; s < SHAPES; ++s) {
        for (int f = 0; f < 3; ++f) halo_part_set(p, array[f], f);
        wrong += halo_begin(h, array, 3, shapes[s]) != KOL_OK;
        for (int f = 0; f < 3; ++f) wrong += halo_part_wrong(p, array[f], f, shapes[s], f, ~remote);
        wrong += halo_end(h) != KOL_OK;
        for (int f = 0; f < 3; ++f) wrong += halo_part_wrong(p, array[f], f, shapes[s], f, ~0u);
    }
    return wrong;
}

static void test_wraps_are_ready_after_begin(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_begun, &layouts) == 0);
}

/* on one rank nothing has to be waited for and no buffers are needed */
static void test_one_rank_has_nothing_remote(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    const struct comm self = {MPI_COMM_SELF, 0, 1, 0, 1};
    struct halo_part p;
    struct halo *h = NULL;
    real *array[HALO_FIELDS];
    CHECK_ALL(halo_part_create(&self, sizes[1], whole, &p) == KOL_OK);
    CHECK_ALL(halo_create(&self, &p.d, p.b, TRANSPORT_AUTO, &h) == KOL_OK);
    CHECK_ALL(halo_remote(h) == 0);
    CHECK_ALL(halo_bytes(h) == 0);
    for (int f = 0; f < HALO_FIELDS; ++f) array[f] = halo_part_array(&p);
    CHECK_ALL(check_shapes(&p, h, array) == 0);
    for (int f = 0; f < HALO_FIELDS; ++f) mem_kernel_free(array[f]);
    halo_destroy(&h);
    CHECK_ALL(h == NULL);
    halo_destroy(&h); /* NULL is taken */
    halo_part_destroy(&p);
}

static int is_refused(kol_status st)
{
    status_clear();
    return st == KOL_ERR_INTERNAL;
}

/* one exchange at a time, of as many fields as it can hold; and its memory is known before */
static int check_misuse(struct halo_part *p, struct halo *h, real *const *array)
{
    int wrong = halo_bytes(h) > halo_bytes_wanted(&comm, &p->d, p->b);
    wrong += !is_refused(halo_end(h));
    wrong += !is_refused(halo_begin(h, array, HALO_FIELDS + 1, HALO_FACES));
    wrong += !is_refused(halo_begin(h, array, 1, HALO_NORMAL));
    for (int f = 0; f < 2; ++f) halo_part_set(p, array[f], f);
    wrong += halo_begin(h, array, 2, HALO_EDGES) != KOL_OK;
    wrong += !is_refused(halo_begin(h, array, 1, HALO_FACES));
    wrong += halo_end(h) != KOL_OK;
    for (int f = 0; f < 2; ++f) wrong += halo_part_wrong(p, array[f], f, HALO_EDGES, f, ~0u);
    return wrong;
}

static void test_misuse_is_refused(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_misuse, &layouts) == 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_values_in_every_layout),      CASE(test_repeated_exchanges),
        CASE(test_old_halo_is_overwritten),     CASE(test_wraps_are_ready_after_begin),
        CASE(test_one_rank_has_nothing_remote), CASE(test_misuse_is_refused),
    };
    return MPI_MAIN(argc, argv, "halo", tests);
}
