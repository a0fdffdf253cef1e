/* ranks: 1 2 4 8 */
/* Tests the halo exchange in every possible layout of the ranks, also with thin and uneven ranks. Each halo
 * cell holds the value of its periodic image, and cells that were not asked for stay NaN. Catches messages
 * between the same two ranks that are swapped, fields that mix in a buffer, edges or corners that go to the
 * wrong rank, periodic copies that are not ready when they should be, cells that are filled although they
 * should not be, values of one size moved as values of the other, and halos that mix their messages. */
#include <stdlib.h>
#include "inputs/input.h"
#include "kernels/base/mem.h"
#include "kernels/stream_copy.h"
#include "tests/support/halo_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

/* the first can be cut by 8 in each direction */
static const int sizes[][3] = {{16, 16, 16}, {13, 11, 9}, {8, 2, 16}, {16, 9, 4}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const enum halo_shape shapes[] = {HALO_FACES, HALO_EDGES, HALO_DEEP, HALO_NORMAL};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* f on every size and every layout of the ranks that fits it; returns the number of faults and counts the
 * layouts */
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
    int wrong = halo_create(NULL, HALO_FIELDS, &comm, &p.d, p.b, TRANSPORT_AUTO, &h) != KOL_OK;
    for (int f = 0; f < HALO_FIELDS; ++f) array[f] = halo_part_array(&p);
    wrong += check(&p, h, array);
    for (int f = 0; f < HALO_FIELDS; ++f) mem_kernel_free(array[f]);
    halo_destroy(&h);
    halo_part_destroy(&p);
    ++*layouts;
    return wrong;
}

/* number l of the ways to lay out the ranks; 0 where there are fewer */
static int layout_of(int l, int layout[3])
{
    for (layout[X] = 1; layout[X] <= comm.size; ++layout[X])
        for (layout[Y] = 1; layout[Y] <= comm.size / layout[X]; ++layout[Y]) {
            layout[Z] = comm.size / layout[X] / layout[Y];
            if (layout[X] * layout[Y] * layout[Z] == comm.size && l-- == 0) return 1;
        }
    return 0;
}

static int each_layout(layout_check check, int *layouts)
{
    int wrong = 0, layout[3];
    *layouts = 0;
    for (int s = 0; s < SIZES; ++s)
        for (int l = 0; layout_of(l, layout); ++l) wrong += one_layout(check, sizes[s], layout, layouts);
    return wrong;
}

static int is_refused(kol_status st)
{
    status_clear();
    return st == KOL_ERR_INTERNAL;
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

/* Tests exchanges with changing shapes, numbers of fields and values. Nothing may be left from the previous
 * exchange. */
static int check_repeated(struct halo_part *p, struct halo *h, real *const *array)
{
    enum { MOST = 4 }; /* of fields */
    static const int fields[] = {MOST, 3, 1, 3, 1, 4, 3, 2, 3, 1, 3, 4};
    static const enum halo_shape shape[] = {HALO_EDGES, HALO_NORMAL, HALO_DEEP,   HALO_NORMAL,
                                            HALO_FACES, HALO_EDGES,  HALO_EDGES,  HALO_DEEP,
                                            HALO_FACES, HALO_DEEP,   HALO_NORMAL, HALO_FACES};
    int wrong = 0;
    for (int round = 0; round < 12; ++round)
        wrong += wrong_after(p, h, array, fields[round], shape[round], MOST * round);
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

/* Tests the state between halo_begin and halo_await: all halo cells are filled except those beyond the
 * faces that are remote, which are the faces of directions that are divided between ranks. */
static int check_begun(struct halo_part *p, struct halo *h, real *const *array)
{
    const unsigned remote = halo_remote(h);
    int wrong = 0;
    for (int d = 0; d < 3; ++d) wrong += (remote >> 2 * d & 3) != (p->d.ranks[d] > 1 ? 3 : 0);
    for (int s = 0; s < SHAPES; ++s) {
        for (int f = 0; f < 3; ++f) halo_part_set(p, array[f], f);
        wrong += halo_begin(h, array, 3, shapes[s]) != KOL_OK;
        for (int f = 0; f < 3; ++f) wrong += halo_part_wrong(p, array[f], f, shapes[s], f, ~remote);
        wrong += halo_part_finish(h) != KOL_OK;
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

/* Tests that work between halo_await and halo_join sees the complete halo, that the compute queue then has
 * its results, and that a fault of this work is returned. */
static int check_awaited(struct halo_part *p, struct halo *h, real *const *array)
{
    int wrong = 0;
    for (int s = 0; s < SHAPES; ++s) {
        for (int f = 0; f < 3; ++f) halo_part_set(p, array[f], f);
        wrong += mem_fill_real(array[3], p->b.size, 0) != KOL_OK;
        wrong += halo_begin(h, array, 3, shapes[s]) != KOL_OK;
        wrong += halo_await(h) != KOL_OK;
        wrong += stream_copy(p->b.size, array[0], array[3]) != KOL_OK;
        if (s == 0)
            wrong += !is_refused(halo_join(h, status_raise(KOL_ERR_INTERNAL, __FILE__, __LINE__, "a rim")));
        wrong += halo_join(h, KOL_OK) != KOL_OK;
        wrong += halo_part_wrong(p, array[3], 0, shapes[s], 0, ~0u);
    }
    return wrong;
}

static void test_work_beside_the_inner_cells(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_awaited, &layouts) == 0);
}

/* kernel memory that a halo would take; -1: a fault */
static double counted(const struct comm *c, struct halo_use use, const struct halo_part *p)
{
    struct memory memory = {.host = 0};
    struct halo *h = NULL;
    const kol_status st = halo_create_for(&memory, use, c, &p->d, p->b, TRANSPORT_AUTO, &h);
    halo_destroy(&h);
    return st == KOL_OK ? (double)memory.kernel : -1;
}

/* on one rank nothing has to be waited for and no buffers are needed */
static void test_one_rank_has_nothing_remote(void **state)
{
    (void)state;
    struct halo_part p;
    struct halo *h = NULL;
    real *array[HALO_FIELDS];
    CHECK_ALL(halo_part_create(&self, sizes[1], whole, &p) == KOL_OK);
    CHECK_ALL(halo_create(NULL, HALO_FIELDS, &self, &p.d, p.b, TRANSPORT_AUTO, &h) == KOL_OK);
    CHECK_ALL(halo_remote(h) == 0);
    CHECK_ALL(counted(&self, halo_use_flow(HALO_FIELDS, 0), &p) == 0);
    for (int f = 0; f < HALO_FIELDS; ++f) array[f] = halo_part_array(&p);
    CHECK_ALL(check_shapes(&p, h, array) == 0);
    for (int f = 0; f < HALO_FIELDS; ++f) mem_kernel_free(array[f]);
    halo_destroy(&h);
    CHECK_ALL(h == NULL);
    halo_destroy(&h); /* NULL is taken */
    halo_part_destroy(&p);
}

/* one exchange at a time, of as many fields as it can hold; on several ranks they take memory */
static int check_misuse(struct halo_part *p, struct halo *h, real *const *array)
{
    int wrong = (counted(&comm, halo_use_flow(HALO_FIELDS, 0), p) > 0) != (comm.size > 1);
    wrong += !is_refused(halo_part_finish(h));
    wrong += !is_refused(halo_begin(h, array, HALO_FIELDS + 1, HALO_FACES));
    wrong += !is_refused(halo_begin(h, array, 1, HALO_NORMAL));
    for (int f = 0; f < 2; ++f) halo_part_set(p, array[f], f);
    wrong += halo_begin(h, array, 2, HALO_EDGES) != KOL_OK;
    wrong += !is_refused(halo_begin(h, array, 1, HALO_FACES));
    wrong += halo_part_finish(h) != KOL_OK;
    for (int f = 0; f < 2; ++f) wrong += halo_part_wrong(p, array[f], f, HALO_EDGES, f, ~0u);
    return wrong;
}

static void test_misuse_is_refused(void **state)
{
    (void)state;
    int layouts;
    CHECK_ALL(each_layout(check_misuse, &layouts) == 0);
}

/* Tests exchanges of one field, whose values have `bytes` bytes, in the shapes of a level: two complete
 * ones, then exchanges after halo_leave_around(), as readers of the opposite side need. There are enough of
 * them that the slots of both shapes are used again. */
static int check_level(struct halo_part *p, struct halo *h, void *array)
{
    static const enum halo_shape shape[] = {HALO_BOX, HALO_BOX,   HALO_FACES, HALO_BOX, HALO_FACES,
                                            HALO_BOX, HALO_FACES, HALO_BOX,   HALO_BOX, HALO_FACES};
    int wrong = 0;
    for (int round = 0; round < 10; ++round) {
        if (round == 4) {
            halo_leave_around(h);
            p->around = 1;
        }
        halo_part_set(p, array, round);
        wrong += halo_fill_one(h, array, shape[round]) != KOL_OK;
        wrong += halo_part_wrong(p, array, round, shape[round], 0, ~0u);
    }
    halo_part_set(p, array, 0);
    wrong += halo_wrap(h, array) != KOL_OK;
    p->around = 0;
    return wrong + halo_part_wrong(p, array, 0, HALO_FACES, 0, ~halo_remote(h));
}

/* what a halo was not made for is refused, and takes no memory */
static int check_level_use(struct halo_part *p, struct halo *h, void *array)
{
    real *const field = array;
    struct halo_use more = halo_use_level(p->bytes);
    more.shapes |= 1u << HALO_DEEP;
    const double level = counted(&comm, halo_use_level(p->bytes), p);
    int wrong = (level > 0) != (comm.size > 1) || counted(&comm, more, p) < level;
    wrong += !is_refused(halo_begin_one(h, array, HALO_DEEP));
    if (p->bytes != (int)sizeof(real)) wrong += !is_refused(halo_begin(h, &field, 1, HALO_FACES));
    else wrong += !is_refused(halo_begin(h, &field, 2, HALO_BOX));
    return wrong;
}

static int one_level(const int n[3], const int layout[3], int bytes, int *layouts)
{
    struct halo_part p;
    struct halo *h = NULL;
    if (halo_part_create_for(&comm, n, layout, bytes, &p) != KOL_OK) {
        status_clear();
        return n == sizes[0];
    }
    void *array = halo_part_array(&p);
    int wrong = halo_create_for(NULL, halo_use_level(bytes), &comm, &p.d, p.b, TRANSPORT_AUTO, &h) != KOL_OK;
    wrong += check_level_use(&p, h, array) + check_level(&p, h, array);
    mem_kernel_free(array);
    halo_destroy(&h);
    halo_part_destroy(&p);
    ++*layouts;
    return wrong;
}

static void check_values_of(int bytes)
{
    int wrong = 0, layouts = 0, layout[3];
    for (int s = 0; s < SIZES; ++s)
        for (int l = 0; layout_of(l, layout); ++l) wrong += one_level(sizes[s], layout, bytes, &layouts);
    CHECK_ALL(wrong == 0);
    CHECK_ALL(layouts >= 1);
}

static void test_box_of_4_bytes(void **state)
{
    (void)state;
    check_values_of(4);
}

static void test_box_of_8_bytes(void **state)
{
    (void)state;
    check_values_of(8);
}

/* Tests several grids, each with a halo of its own. Their exchanges follow one another, or begin before the
 * previous ones have ended. */
enum { GRIDS = 3 };
static const int grids[GRIDS][3] = {{16, 16, 16}, {8, 16, 8}, {8, 8, 4}};
static const int grid_bytes[GRIDS] = {8, 4, 4};
struct several {
    struct halo_part p[GRIDS];
    struct halo *h[GRIDS];
    void *array[GRIDS];
};

static int wrong_round(struct several *s, int round)
{
    enum halo_shape shape[GRIDS];
    int wrong = 0;
    for (int g = 0; g < GRIDS; ++g) {
        shape[g] = (round + g) % 3 == 0 ? HALO_FACES : HALO_BOX;
        halo_part_set(&s->p[g], s->array[g], GRIDS * round + g);
    }
    for (int g = 0; g < GRIDS; ++g) {
        wrong += halo_begin_one(s->h[g], s->array[g], shape[g]) != KOL_OK;
        if (round % 2 == 0) wrong += halo_part_finish(s->h[g]) != KOL_OK;
    }
    for (int g = 0; g < GRIDS && round % 2 != 0; ++g) wrong += halo_part_finish(s->h[g]) != KOL_OK;
    for (int g = 0; g < GRIDS; ++g)
        wrong += halo_part_wrong(&s->p[g], s->array[g], GRIDS * round + g, shape[g], 0, ~0u);
    return wrong;
}

static int check_several(const int layout[3], int *layouts)
{
    struct several s = {.h = {NULL}};
    int wrong = 0, made = 0;
    while (made < GRIDS &&
           halo_part_create_for(&comm, grids[made], layout, grid_bytes[made], &s.p[made]) == KOL_OK)
        ++made;
    status_clear();
    if (made == GRIDS) ++*layouts;
    for (int g = 0; g < GRIDS && made == GRIDS; ++g) {
        const struct halo_use use = halo_use_level(grid_bytes[g]);
        wrong += halo_create_for(NULL, use, &comm, &s.p[g].d, s.p[g].b, TRANSPORT_AUTO, &s.h[g]) != KOL_OK;
        s.array[g] = halo_part_array(&s.p[g]);
    }
    for (int round = 0; round < 6 && made == GRIDS; ++round) wrong += wrong_round(&s, round);
    for (int g = 0; g < made; ++g) {
        mem_kernel_free(s.array[g]);
        halo_destroy(&s.h[g]);
        halo_part_destroy(&s.p[g]);
    }
    return wrong;
}

static void test_several_halos(void **state)
{
    (void)state;
    int wrong = 0, layouts = 0, layout[3];
    for (int l = 0; layout_of(l, layout); ++l) wrong += check_several(layout, &layouts);
    CHECK_ALL(wrong == 0);
    CHECK_ALL(layouts >= 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_values_in_every_layout),
        CASE(test_repeated_exchanges),
        CASE(test_old_halo_is_overwritten),
        CASE(test_wraps_are_ready_after_begin),
        CASE(test_work_beside_the_inner_cells),
        CASE(test_one_rank_has_nothing_remote),
        CASE(test_misuse_is_refused),
        CASE(test_box_of_4_bytes),
        CASE(test_box_of_8_bytes),
        CASE(test_several_halos),
    };
    return MPI_MAIN(argc, argv, "halo", tests);
}
