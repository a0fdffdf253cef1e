/* ranks: 1 2 3 4 8 */
/* Tests the exact inverse of the pressure's operator. A z = r holds to rounding, where A is applied by
 * loops over the whole grid. It covers every mix of periodic, walled, uniform and stretched directions, odd
 * and prime sizes, and every layout of the ranks. The volume mean is zero, the CPU build has the same bits
 * on any layout, and halo cells are not touched. Catches a wrong basis, eigenvalue or scale, a wrong row at
 * a wall or across a periodic boundary, a transposition that loses or misplaces values, and a null space
 * that is not removed. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/rank_layout.h"
#include "kernels/base/device.h"
#include "tests/support/check.h"
#include "tests/support/direct_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { U = STRETCHING_UNIFORM, T = STRETCHING_TANH, S = STRETCHING_SINE };

static kol_status open_with(const struct direct_case *c, const struct comm *on, const int layout[3],
                            int transport, struct direct_setting *t)
{
    return direct_case_open(c, on, layout, transport, 0, t);
}

static kol_status open_setting(const struct direct_case *c, const struct comm *on, const int layout[3],
                               struct direct_setting *t)
{
    const int cpu = strcmp(device_backend(), "cpu") == 0; /* it has one transport */
    return open_with(c, on, layout, cpu ? TRANSPORT_AUTO : TRANSPORT_HOST, t);
}

/* the memory that it takes, as it is counted */
static kol_status count(const struct direct_setting *t, size_t *bytes)
{
    struct memory counted = {.host = 0};
    struct domain counting = t->domain;
    struct direct *none = NULL;
    counting.memory = &counted;
    const kol_status st = direct_create(&counting, 0, &none);
    direct_destroy(&none);
    *bytes = counted.kernel;
    return st;
}

/* rounding of z in `real`, amplified by the largest eigenvalue of A over the smallest: 1e3 to 1e4 for these
 * sizes */
static const double RESIDUAL_MOST = KOL_CHOOSE(1e-13, 2e-4), MEAN_MOST = KOL_CHOOSE(1e-14, 1e-6);
/* of the transforms of the CUDA build, where one rank takes another way than many */
static const double CLOSE = KOL_CHOOSE(1e-12, 1e-5);

static void check_case_on(const struct direct_case *c, const int layout[3])
{
    struct direct_setting t;
    double mean = 0;
    int wrong = 0;
    CHECK_ALL(open_setting(c, &comm, layout, &t) == KOL_OK);
    double *r = direct_case_rhs(&t, 5);
    double *z = direct_case_apply(&t, comm.mpi, r, &wrong);
    const double error = direct_case_residual(&t, z, r, &mean);
    if (comm.rank == 0 && !(error <= RESIDUAL_MOST && mean <= MEAN_MOST && wrong == 0))
        print_error("case: %s on %d x %d x %d ranks\n", c->in.name, layout[X], layout[Y], layout[Z]);
    CHECK_ALL(wrong == 0);
    CHECK_ALL_BELOW(error, RESIDUAL_MOST);
    CHECK_ALL_BELOW(mean, MEAN_MOST);
    free(r);
    free(z);
    direct_case_close(&t);
}

static void test_inverse(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    for (int n = 0; n < DIRECT_CASES; ++n)
        if (grid_ranks_fit(direct_cases[n].in.n, choose, comm.size)) check_case_on(&direct_cases[n], choose);
}

static double distance(ptrdiff_t n, const double *a, const double *b)
{
    double most = 0, size = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return most / size;
}

/* differences of one case over all layouts: in the CPU build from one rank alone; in the CUDA build, where
 * one rank may take another way, and ranks that cut z alone a third one, from the first layout that takes the
 * same, and no more than rounding from one rank */
static int each_layout(const struct direct_case *c, int *layouts)
{
    const int cpu = strcmp(device_backend(), "cpu") == 0;
    struct direct_setting alone, t;
    int wrong = open_setting(c, &self, whole, &alone) != KOL_OK, many = comm.size > 1;
    double *r = direct_case_rhs(&alone, 9), *first[2] = {NULL, NULL};
    double *one = direct_case_apply(&alone, self.mpi, r, &wrong);
    int layout[3] = {0, 0, 0};
    while (layout_next(c->in.n, layout)) {
        wrong += open_setting(c, &comm, layout, &t) != KOL_OK;
        double *z = direct_case_apply(&t, comm.mpi, r, &wrong);
        double **same = &first[layout[X] * layout[Y] > 1];
        if (*same == NULL) *same = cpu || !many ? one : z;
        wrong += memcmp(z, *same, (size_t)t.cells * sizeof *z) != 0;
        wrong += !(distance(t.cells, z, one) <= CLOSE);
        if (z != *same) free(z);
        direct_case_close(&t);
        ++*layouts;
    }
    for (int n = 0; n < 2; ++n)
        if (first[n] != one) free(first[n]);
    free(one);
    free(r);
    direct_case_close(&alone);
    return wrong;
}

static void test_same_bits_in_every_layout(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < DIRECT_CASES; ++n) {
        const int wrong = each_layout(&direct_cases[n], &layouts);
        if (wrong > 0 && comm.rank == 0) print_error("case: %s\n", direct_cases[n].in.name);
        CHECK_ALL(wrong == 0);
    }
    CHECK_ALL(layouts >= 1);
}

/* one case on ranks that cut z: differences from the result of the first number of ranks; *first: that result
 */
static int each_number(const struct direct_case *c, const struct comm *part, const double *r, double **first)
{
    const int layout[3] = {1, 1, part->size};
    struct direct_setting t;
    int wrong = 0;
    if (part->mpi == MPI_COMM_NULL || !grid_ranks_fit(c->in.n, layout, part->size)) return 0;
    wrong += open_setting(c, part, layout, &t) != KOL_OK;
    double *z = direct_case_apply(&t, part->mpi, r, &wrong);
    if (*first == NULL) *first = z;
    wrong += memcmp(z, *first, (size_t)t.cells * sizeof *z) != 0;
    if (z != *first) free(z);
    direct_case_close(&t);
    return wrong;
}

/* ranks that cut z, two or more: the same bits however many */
static void test_same_bits_on_any_number(void **state)
{
    (void)state;
    int solved = 0;
    for (int n = 0; n < DIRECT_CASES; ++n) {
        const int wrong = direct_case_any_number(&direct_cases[n], &comm, &self, each_number, &solved);
        if (wrong > 0 && comm.rank == 0) print_error("case: %s\n", direct_cases[n].in.name);
        CHECK_ALL(wrong == 0);
    }
    CHECK_ALL(comm.size == 1 || comm.rank > 0 || solved > 0);
}

/* larger, with primes, strongly stretched: the residual is judged as rounding grows, with the largest
 * eigenvalue of A over the smallest */
static void test_larger_grids(void **state)
{
    (void)state;
    static const struct direct_case large[] = {
        {{"channel of 100 x 60 x 36", {100, 60, 36}, {U, U, T}, {0, 0, 1.8}}, {0, 0, 1}},
        {{"duct of 60 x 36 x 100", {60, 36, 100}, {U, T, T}, {0, 1.5, 1.5}}, {0, 1, 1}},
        {{"primes", {97, 61, 37}, {U, U, S}, {0, 0, 0.6}}, {0, 1, 0}},
        {{"powers of two", {64, 64, 64}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    };
    static const int choose[3] = {0, 0, 0};
    for (size_t n = 0; n < sizeof large / sizeof *large; ++n) {
        struct direct_setting t;
        double mean = 0;
        int wrong = 0;
        CHECK_ALL(open_setting(&large[n], &comm, choose, &t) == KOL_OK);
        double *r = direct_case_rhs(&t, 3), *z = direct_case_apply(&t, comm.mpi, r, &wrong);
        const double error = direct_case_residual(&t, z, r, &mean);
        print_message("%s: residual %.2e, mean %.2e\n", large[n].in.name, error, mean);
        CHECK_ALL(wrong == 0);
        CHECK_ALL_BELOW(error, 10 * RESIDUAL_MOST);
        CHECK_ALL_BELOW(mean, 10 * MEAN_MOST);
        free(r);
        free(z);
        direct_case_close(&t);
    }
}

/* in place, and what it would take of kernel memory is some fields */
static void test_in_place(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    for (int n = 0; n < DIRECT_CASES; ++n) {
        struct direct_setting t;
        int wrong = 0;
        size_t counted = 0;
        if (!grid_ranks_fit(direct_cases[n].in.n, choose, comm.size)) continue;
        CHECK_ALL(open_setting(&direct_cases[n], &comm, choose, &t) == KOL_OK);
        double *r = direct_case_rhs(&t, 4), *apart = direct_case_apply(&t, comm.mpi, r, &wrong);
        real *field = direct_case_field(&t, r, 3);
        wrong += direct_apply(t.s, field, field) != KOL_OK;
        double *z = direct_case_gather(&t, comm.mpi, field, 3, &wrong);
        wrong += memcmp(z, apart, (size_t)t.cells * sizeof *z) != 0;
        wrong += count(&t, &counted) != KOL_OK;
        /* a work array at the least, on ranks that have cells of the pencils; nobody has twenty */
        const double fields = (double)counted / (double)sizeof(double) / (double)t.cells;
        wrong += comm.size == 1 && !(fields >= 1);
        wrong += !(fields <= 20 + 1e4 / (double)t.cells);
        CHECK_ALL(wrong == 0);
        free(r);
        free(z);
        free(apart);
        mem_kernel_free(field);
        direct_case_close(&t);
    }
    struct direct *none = NULL;
    direct_destroy(&none);
}

/* GPUs that write into each other's memory make the same bits as messages, round after round */
static void test_peers(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    if (!direct_case_peers(&comm)) skip();
    for (int n = 0; n < DIRECT_CASES; ++n) {
        struct direct_setting host, peer;
        int wrong = 0;
        if (!grid_ranks_fit(direct_cases[n].in.n, choose, comm.size)) continue;
        CHECK_ALL(open_setting(&direct_cases[n], &comm, choose, &host) == KOL_OK);
        CHECK_ALL(open_with(&direct_cases[n], &comm, choose, TRANSPORT_PEER, &peer) == KOL_OK);
        for (unsigned round = 0; round < 5; ++round) {
            double *r = direct_case_rhs(&host, 20 + round);
            double *a = direct_case_apply(&host, comm.mpi, r, &wrong),
                   *b = direct_case_apply(&peer, comm.mpi, r, &wrong);
            wrong += memcmp(a, b, (size_t)host.cells * sizeof *a) != 0;
            free(r);
            free(a);
            free(b);
        }
        CHECK_ALL(wrong == 0);
        direct_case_close(&host);
        direct_case_close(&peer);
    }
}

/* too many cells for a dense basis are refused with their number, on all ranks, and what was begun can be
 * destroyed */
static void test_refused(void **state)
{
    (void)state;
    static const struct direct_case long_one = {{"long", {20000, 8, 8}, {T, U, T}, {0.5, 0, 0.5}}, {0, 0, 1}};
    static const int choose[3] = {0, 0, 0};
    struct direct_setting t;
    size_t counted = 0;
    CHECK_ALL(open_setting(&long_one, &comm, choose, &t) == KOL_ERR_INPUT);
    CHECK_ALL(strstr(status_message(), "20000 cells in x") != NULL);
    status_clear();
    CHECK_ALL(count(&t, &counted) == KOL_ERR_INPUT);
    status_clear();
    status_set_agreed(0);
    direct_case_close(&t);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_inverse),
        CASE(test_same_bits_in_every_layout),
        CASE(test_same_bits_on_any_number),
        CASE(test_larger_grids),
        CASE(test_in_place),
        CASE(test_peers),
        CASE(test_refused),
    };
    return MPI_MAIN(argc, argv, "direct", tests);
}
