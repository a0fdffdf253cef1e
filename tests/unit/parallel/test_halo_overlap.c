/* ranks: 1 2 4 */
/* Tests a sweep that overlaps an exchange, in every possible layout of the ranks. The inner cells and the rim
 * together are all own cells, each exactly once. The inner cells need no halo cell that is on its way. Values
 * beyond the halo exchange are written before each of the two calls. Catches a cell that is computed twice or
 * left out, a rim that begins before its halo is filled, a second call although no face is remote, and a
 * fault that is lost. */
#include <math.h>
#include <stdlib.h>
#include "inputs/input.h"
#include "kernels/base/mem.h"
#include "kernels/momentum.h"
#include "solver/parallel/halo_overlap.h"
#include "tests/support/halo_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

static const int sizes[][3] = {{16, 16, 16}, {13, 11, 9}, {16, 9, 4}};
enum { SIZES = sizeof sizes / sizeof *sizes };
enum { ONES = 64, MIDDLE = 16 }; /* values of a line of spacings; where index 0 is */

/* swept: what the calls of a sweep found. */
struct swept {
    struct halo_part part;
    struct metrics m;
    real *vel[3], *out[3], *host;
    int *count;           /* of each value of a field: in how many calls it was computed */
    int calls[3];         /* of the sweep, by enum cells_which */
    int beyond[3];        /* of what lies beyond the halo */
    int too_early, wrong; /* calls of the sweep that came before those; calls of kernels that failed */
    kol_status answer;    /* of the sweep for the rim */
};

/* The cells that momentum_rhs computes are those that are no longer NaN. */
static kol_status sweep(const void *context, struct cells cells)
{
    struct swept *s = *(struct swept *const *)context;
    const struct box b = s->part.b;
    ++s->calls[cells.which];
    s->too_early += s->beyond[cells.which] != 1;
    for (int c = 0; c < 3; ++c) s->wrong += mem_fill_real(s->out[c], b.size, (real)NAN) != KOL_OK;
    s->wrong += momentum_rhs(b, s->m, cells, 1, s->vel[X], s->vel[Y], s->vel[Z], s->out[X], s->out[Y],
                             s->out[Z]) != KOL_OK;
    for (int c = 0; c < 3; ++c) {
        s->wrong += mem_to_host(s->host, s->out[c], (size_t)b.size * sizeof(real)) != KOL_OK;
        for (ptrdiff_t q = 0; q < b.size; ++q) s->count[c * b.size + q] += !isnan((double)s->host[q]);
    }
    return cells.which == CELLS_RIM ? s->answer : KOL_OK;
}

static kol_status note(const struct exchange *x, enum cells_which which)
{
    struct swept *s = *(struct swept *const *)x->of;
    ++s->beyond[which];
    return which == CELLS_INNER ? halo_mark(x->halo) : KOL_OK;
}

/* Values that were not computed exactly once. */
static int count_wrong(const struct swept *s)
{
    const struct box b = s->part.b;
    int wrong = 0;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i) wrong += s->count[c * b.size + at(b, i, j, k)] != 1;
    return wrong;
}

static int check_overlap(struct swept *s, struct halo *h, int beyond, kol_status answer)
{
    const int cut = halo_remote(h) != 0;
    const struct exchange x = {.halo = h,
                               .fields = s->vel,
                               .n = 3,
                               .shape = HALO_EDGES,
                               .beyond = beyond ? note : NULL,
                               .of = beyond ? (const void *)&s : NULL};
    for (int w = 0; w < 3; ++w) s->calls[w] = 0, s->beyond[w] = beyond ? 0 : 1;
    for (ptrdiff_t q = 0; q < 3 * s->part.b.size; ++q) s->count[q] = 0;
    for (int c = 0; c < 3; ++c) halo_part_set(&s->part, s->vel[c], c);
    s->answer = answer != KOL_OK && cut ? status_raise(answer, __FILE__, __LINE__, "a rim") : KOL_OK;
    const kol_status st = exchange_overlap(&x, sweep, (const void *)&s);
    status_clear();
    int wrong = st != (cut ? answer : KOL_OK);
    wrong += s->calls[CELLS_INNER] != 1 || s->calls[CELLS_RIM] != cut || s->calls[CELLS_ALL] != 0;
    wrong += beyond && (s->beyond[CELLS_INNER] != 1 || s->beyond[CELLS_RIM] != cut);
    wrong += count_wrong(s);
    if (answer != KOL_OK) return wrong;
    for (int c = 0; c < 3; ++c) wrong += halo_part_wrong(&s->part, s->vel[c], c, HALO_EDGES, c, ~0u);
    return wrong;
}

/* In one call, which writes what lies beyond once. */
static int check_fill(struct swept *s, struct halo *h)
{
    const struct exchange x = {
        .halo = h, .fields = s->vel, .n = 3, .shape = HALO_EDGES, .beyond = note, .of = (const void *)&s};
    for (int w = 0; w < 3; ++w) s->beyond[w] = 0;
    for (int c = 0; c < 3; ++c) halo_part_set(&s->part, s->vel[c], c);
    int wrong = exchange_fill(&x) != KOL_OK;
    for (int c = 0; c < 3; ++c) wrong += halo_part_wrong(&s->part, s->vel[c], c, HALO_EDGES, c, ~0u);
    return wrong + (s->beyond[CELLS_ALL] != 1 || s->beyond[CELLS_INNER] + s->beyond[CELLS_RIM] != 0);
}

static int one_layout(const int n[3], const int layout[3], const real *ones, int *layouts)
{
    struct swept s = {.wrong = 0};
    struct halo *h = NULL;
    if (halo_part_create(&comm, n, layout, &s.part) != KOL_OK) { /* the size is too small for it */
        status_clear();
        return n == sizes[0];
    }
    int wrong = halo_create(NULL, HALO_FIELDS, &comm, &s.part.d, s.part.b, TRANSPORT_AUTO, &h) != KOL_OK;
    const real *const one = ones + MIDDLE;
    s.m = (struct metrics){one, one, one, one, one, one, one, one, one, one, one, one, one, one, one};
    for (int c = 0; c < 3; ++c) s.vel[c] = halo_part_array(&s.part);
    for (int c = 0; c < 3; ++c) s.out[c] = halo_part_array(&s.part);
    s.host = malloc((size_t)s.part.b.size * sizeof *s.host);
    s.count = malloc(3 * (size_t)s.part.b.size * sizeof *s.count);
    if (s.host == NULL || s.count == NULL) abort();
    wrong += check_overlap(&s, h, 0, KOL_OK) + check_overlap(&s, h, 1, KOL_OK);
    wrong += check_overlap(&s, h, 1, KOL_ERR_INTERNAL) + check_overlap(&s, h, 0, KOL_OK);
    wrong += check_fill(&s, h) + s.wrong + s.too_early;
    for (int c = 0; c < 3; ++c) mem_kernel_free(s.vel[c]);
    for (int c = 0; c < 3; ++c) mem_kernel_free(s.out[c]);
    free(s.host);
    free(s.count);
    halo_destroy(&h);
    halo_part_destroy(&s.part);
    ++*layouts;
    return wrong;
}

static void test_each_cell_once(void **state)
{
    (void)state;
    int layouts = 0, wrong = 0, layout[3];
    real *ones = NULL;
    CHECK_ALL(mem_kernel_alloc(ONES * sizeof *ones, (void **)&ones) == KOL_OK);
    CHECK_ALL(mem_fill_real(ones, ONES, 1) == KOL_OK);
    for (int s = 0; s < SIZES; ++s)
        for (layout[X] = 1; layout[X] <= comm.size; ++layout[X])
            for (layout[Y] = 1; layout[Y] <= comm.size / layout[X]; ++layout[Y]) {
                layout[Z] = comm.size / layout[X] / layout[Y];
                if (layout[X] * layout[Y] * layout[Z] == comm.size)
                    wrong += one_layout(sizes[s], layout, ones, &layouts);
            }
    mem_kernel_free(ones);
    CHECK_ALL(wrong == 0);
    CHECK_ALL(layouts >= 3);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(test_each_cell_once)};
    return MPI_MAIN(argc, argv, "exchange", tests);
}
