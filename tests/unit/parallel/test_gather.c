/* ranks: 1 2 4 8 */
/* Tests that every rank gets the whole grid from the cells of all ranks. It does so in every possible
 * layout of the ranks, also uneven ones, with every transport that is available, and with values of 4 and
 * of 8 bytes. Afterwards each cell holds its own number on every rank, and halo and padding are still NaN.
 * 12 gathers are started without waiting for any of them, while one rank after another runs ahead of the
 * others. Catches parts that go to another rank's place, values of one size moved as values of the other,
 * and a buffer that is written before it was read. */
#include <math.h>
#include <string.h>
#include "inputs/input.h"
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "solver/parallel/gather.h"
#include "tests/support/halo_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

/* the first can be cut by 8 in each direction */
static const int sizes[][3] = {{16, 16, 16}, {13, 11, 9}, {8, 2, 16}, {16, 9, 4}};
enum { SIZES = sizeof sizes / sizeof *sizes };
enum { ROUNDS = 12, DELAY_VALUES = 1 << 12, DELAYS = 20 };

/* gathering: the whole grid, as a part of its own on one rank, and what is gathered into it. */
struct gathering {
    struct halo_part p;
    struct halo_part whole;
    struct gather *g;
    void *own[ROUNDS], *all[ROUNDS];
};

static int set_nan(struct halo_part *p, void *array)
{
    for (ptrdiff_t q = 0; q < p->b.size; ++q) halo_part_put(p->host, p->bytes, q, NAN);
    return mem_to_kernel(array, p->host, (size_t)p->b.size * (size_t)p->bytes) != KOL_OK;
}

/* values that are not the numbers of that tag in own cells, NaN elsewhere: an exchange of one rank that
 * leaves all around alone */
static int wrong_values(struct halo_part *grid, const void *all, int tag)
{
    grid->around = 1;
    return halo_part_wrong(grid, all, tag, HALO_BOX, 0, ~0u);
}

/* work for the GPU of one rank only, another one each time */
static int delay(real *scratch, int round)
{
    int wrong = 0;
    if (round % (comm.size + 1) != comm.rank) return 0;
    for (int n = 0; n < DELAYS; ++n) wrong += mem_fill_real(scratch, DELAY_VALUES, (real)n) != KOL_OK;
    return wrong;
}

static int run_rounds(struct gathering *x, real *scratch)
{
    int wrong = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        halo_part_set(&x->p, x->own[round], round);
        wrong += set_nan(&x->whole, x->all[round]);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        wrong += delay(scratch, round);
        wrong += gather_all(x->g, x->own[round], x->p.b, x->all[round], x->whole.b) != KOL_OK;
    }
    for (int round = 0; round < ROUNDS; ++round) wrong += wrong_values(&x->whole, x->all[round], round);
    return wrong + (device_wait() != KOL_OK);
}

static int is_refused(kol_status st)
{
    status_clear();
    return st == KOL_ERR_INTERNAL;
}

/* what it would take, of kernel memory: nothing on one rank, the whole grid on several */
static int check_memory(const struct comm *c, const struct halo_part *p, const char *transport)
{
    struct memory counted = {.host = 0};
    struct gather *g = NULL;
    const int *n = p->d.n_g;
    int wrong = gather_create(&counted, c, p->d.offset, p->d.n, n, p->bytes, transport, &g) != KOL_OK;
    const size_t grid = (size_t)n[X] * (size_t)n[Y] * (size_t)n[Z] * (size_t)p->bytes;
    wrong += c->size == 1 ? counted.kernel != 0 : counted.kernel < grid;
    gather_destroy(&g);
    return wrong + (g != NULL);
}

/* boxes of other cells are refused */
static int check_use(struct gathering *x)
{
    const int *n_g = x->p.d.n_g;
    const struct box other = box_make(n_g[X] + 1, n_g[Y], n_g[Z], KOL_HALO);
    int wrong = check_memory(&comm, &x->p, "none");
    wrong += !is_refused(gather_all(x->g, x->own[0], x->p.b, x->all[0], other));
    wrong += !is_refused(gather_all(x->g, x->own[0], other, x->all[0], x->whole.b));
    return wrong;
}

static int gather_by(const char *transport, struct gathering *x)
{
    const struct decomp *d = &x->p.d;
    void *scratch = NULL;
    int wrong = gather_create(NULL, &comm, d->offset, d->n, d->n_g, x->p.bytes, transport, &x->g) != KOL_OK;
    wrong += mem_kernel_alloc(DELAY_VALUES * sizeof(real), &scratch) != KOL_OK;
    wrong += check_use(x);
    for (int repeat = 0; repeat < 2; ++repeat) wrong += run_rounds(x, scratch);
    mem_kernel_free(scratch);
    gather_destroy(&x->g);
    return wrong + (x->g != NULL);
}

/* the transport that is chosen here, and MPI by way of the host where that is another one */
static int one_layout(const int n[3], const int layout[3], int bytes, int *layouts)
{
    static const int undivided[3] = {1, 1, 1};
    struct gathering x = {.g = NULL};
    struct halo *h = NULL;
    if (halo_part_create_for(&comm, n, layout, bytes, &x.p) != KOL_OK) { /* the size is too small for it */
        status_clear();
        return n == sizes[0];
    }
    int wrong = halo_part_create_for(&self, n, undivided, bytes, &x.whole) != KOL_OK;
    wrong += halo_create_for(NULL, halo_use_level(bytes), &comm, &x.p.d, x.p.b, TRANSPORT_AUTO, &h) != KOL_OK;
    for (int r = 0; r < ROUNDS; ++r) {
        x.own[r] = halo_part_array(&x.p);
        x.all[r] = halo_part_array(&x.whole);
    }
    wrong += gather_by(halo_transport(h), &x);
    if (strcmp(halo_transport(h), "peer") == 0) wrong += gather_by("host", &x);
    for (int r = 0; r < ROUNDS; ++r) {
        mem_kernel_free(x.own[r]);
        mem_kernel_free(x.all[r]);
    }
    halo_destroy(&h);
    halo_part_destroy(&x.whole);
    halo_part_destroy(&x.p);
    ++*layouts;
    return wrong;
}

static void check_values_of(int bytes)
{
    int wrong = 0, layouts = 0;
    for (int s = 0; s < SIZES; ++s)
        for (int px = 1; px <= comm.size; ++px)
            for (int py = 1; py <= comm.size / px; ++py) {
                const int layout[3] = {px, py, comm.size / px / py};
                if (px * py * layout[Z] == comm.size) wrong += one_layout(sizes[s], layout, bytes, &layouts);
            }
    CHECK_ALL(wrong == 0);
    CHECK_ALL(layouts >= 1);
}

static void test_values_of_4_bytes(void **state)
{
    (void)state;
    check_values_of(4);
}

static void test_values_of_8_bytes(void **state)
{
    (void)state;
    check_values_of(8);
}

/* on one rank the array of a level may be the whole grid's */
static void test_array_to_itself(void **state)
{
    (void)state;
    static const int undivided[3] = {1, 1, 1};
    struct halo_part p;
    struct gather *g = NULL;
    CHECK_ALL(halo_part_create(&self, sizes[1], undivided, &p) == KOL_OK);
    CHECK_ALL(gather_create(NULL, &self, p.d.offset, p.d.n, p.d.n_g, p.bytes, "none", &g) == KOL_OK);
    CHECK_ALL(check_memory(&self, &p, "none") == 0);
    void *array = halo_part_array(&p);
    halo_part_set(&p, array, 3);
    CHECK_ALL(gather_all(g, array, p.b, array, p.b) == KOL_OK);
    CHECK_ALL(wrong_values(&p, array, 3) == 0);
    struct box other = p.b;
    ++other.start;
    CHECK_ALL(is_refused(gather_all(g, array, p.b, array, other)));
    mem_kernel_free(array);
    gather_destroy(&g);
    gather_destroy(&g); /* NULL is taken */
    halo_part_destroy(&p);
}

/* parts that leave cells out, reach beyond the grid, or hold values of no size known */
static void test_misuse_is_refused(void **state)
{
    (void)state;
    const int n_g[3] = {8, 8, 8 * comm.size}, n[3] = {8, 8, 8}, lo[3] = {0, 0, 8 * comm.rank};
    const int fewer[3] = {8, 7, 8}, beyond[3] = {1, 0, 8 * comm.rank};
    struct gather *g = NULL;
    CHECK_ALL(is_refused(gather_create(NULL, &comm, lo, fewer, n_g, 8, "none", &g)));
    gather_destroy(&g);
    CHECK_ALL(is_refused(gather_create(NULL, &comm, beyond, n, n_g, 8, "none", &g)));
    gather_destroy(&g);
    CHECK_ALL(is_refused(gather_create(NULL, &comm, lo, n, n_g, 2, "none", &g)));
    gather_destroy(&g);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_values_of_4_bytes),
        CASE(test_values_of_8_bytes),
        CASE(test_array_to_itself),
        CASE(test_misuse_is_refused),
    };
    return MPI_MAIN(argc, argv, "gather", tests);
}
