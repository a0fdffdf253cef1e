/* ranks: 1 2 3 4 8 */
/* Tests the exact inverse of the pressure's operator in single precision, in the CUDA build, on ranks that
 * cut z: its residual, one refinement, the same bits on any number of ranks from two on by any transport, and
 * the planes of the neighbours that the correction reads. Catches what test_direct.c does, in single
 * precision, and a plane that comes from the wrong side. The CPU build refuses it. */
#include <stdlib.h>
#include <string.h>
#include "inputs/rank_layout.h"
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/packed.h"
#include "solver/poisson/direct_single.h"
#include "tests/support/check.h"
#include "tests/support/direct_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

/* in single precision on ranks that cut z, where that is possible: the residual is that of rounding z to
 * single precision, amplified as above, whatever the unit of length; and one refinement with a residual in
 * double precision reaches nearly the square of it. Returns the number of cases that were possible. */
static int check_single(const struct comm *on)
{
    static const double MOST = 4e-4; /* of 1e3 to 1e4 times half of FLT_EPSILON */
    const int layout[3] = {1, 1, on->size};
    int found = 0;
    for (int n = 0; n < DIRECT_CASES; ++n) {
        struct direct_setting t;
        double mean = 0;
        int wrong = 0;
        if (!grid_ranks_fit(direct_cases[n].in.n, layout, on->size)) continue;
        CHECK_ALL(direct_case_open(&direct_cases[n], on, layout, TRANSPORT_AUTO, 1, &t) == KOL_OK);
        if (t.s == NULL) {
            CHECK_ALL(direct_single_obstacle(&t.domain) != NULL);
            direct_case_close(&t);
            continue;
        }
        ++found;
        double *r = direct_case_rhs(&t, 5), *z = direct_case_apply(&t, on->mpi, r, &wrong),
               *left = direct_case_array(&t);
        const double error = direct_case_residual(&t, z, r, &mean);
        const int *m = t.d.n_g;
        for (int k = 0; k < m[Z]; ++k)
            for (int j = 0; j < m[Y]; ++j)
                for (int i = 0; i < m[X]; ++i)
                    left[direct_case_place(&t, i, j, k)] =
                        r[direct_case_place(&t, i, j, k)] - direct_case_row(&t, z, (int[3]){i, j, k});
        double *more = direct_case_apply(&t, on->mpi, left, &wrong);
        for (ptrdiff_t c = 0; c < t.cells; ++c) z[c] += more[c];
        const double refined = direct_case_residual(&t, z, r, &mean);
        if (comm.rank == 0 && !(error <= MOST && refined <= MOST * MOST))
            print_error("case: %s: %.2e, refined %.2e\n", direct_cases[n].in.name, error, refined);
        CHECK_ALL(wrong == 0);
        CHECK_ALL_BELOW(error, MOST);
        CHECK_ALL_BELOW(refined, MOST * MOST);
        CHECK_ALL_BELOW(mean, 1e-6);
        free(r);
        free(z);
        free(left);
        free(more);
        direct_case_close(&t);
    }
    return found;
}

static int single_there(void)
{
    return strcmp(device_backend(), "cpu") != 0 && sizeof(real) == sizeof(double);
}

static void test_single(void **state)
{
    (void)state;
    const int alone = check_single(&self), together = check_single(&comm);
    CHECK_ALL(single_there() ? alone >= 5 : alone == 0);
    /* too few levels for three ranks, and for eight, in many cases */
    CHECK_ALL(single_there() ? together >= (comm.size == 1 ? 5 : 2) : together == 0);
}

/* the planes of the solution that the correction reads beyond this rank's: whether they are those of the
 * neighbours, by the bit */
static int planes_differ(const struct direct_setting *t, MPI_Comm on, const double *r)
{
    const struct box b = t->g.box, q = packed_box(b);
    struct direct_single *s = direct_in_single(t->s);
    const int ranks = t->d.ranks[Z], up = (t->d.coord[Z] + 1) % ranks,
              down = (t->d.coord[Z] + ranks - 1) % ranks;
    const size_t plane = (size_t)q.sz * sizeof(float);
    float *host = malloc((size_t)(q.nz + 2) * plane), *beyond = malloc(2 * plane);
    real *field = direct_case_field(t, r, NAN);
    int wrong = direct_single_rings(s);
    if (host == NULL || beyond == NULL) abort();
    wrong += packed_from_field(b, 1, field, direct_single_values(s)) != KOL_OK;
    wrong += direct_single_solve(s) != KOL_OK;
    wrong += mem_to_host(host, direct_single_values(s) - q.sz, (size_t)(q.nz + 2) * plane) != KOL_OK;
    MPI_Sendrecv(host + q.sz, (int)q.sz, MPI_FLOAT, down, 1, beyond + q.sz, (int)q.sz, MPI_FLOAT, up, 1, on,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(host + q.nz * q.sz, (int)q.sz, MPI_FLOAT, up, 2, beyond, (int)q.sz, MPI_FLOAT, down, 2, on,
                 MPI_STATUS_IGNORE);
    for (int j = 0; j < q.ny; ++j) {
        const size_t row = (size_t)q.nx * sizeof(float);
        wrong += memcmp(host + j * q.sy, beyond + j * q.sy, row) != 0;
        wrong += memcmp(host + (q.nz + 1) * q.sz + j * q.sy, beyond + q.sz + j * q.sy, row) != 0;
    }
    mem_kernel_free(field);
    free(host);
    free(beyond);
    return wrong;
}

/* in single precision the bits are those of two ranks, by any transport, and the planes of the neighbours are
 * there */
static int each_number_single(const struct direct_case *c, const struct comm *part, int transport,
                              const double *r, double **first)
{
    const int layout[3] = {1, 1, part->size};
    struct direct_setting t;
    int wrong = 0;
    if (part->mpi == MPI_COMM_NULL || !grid_ranks_fit(c->in.n, layout, part->size)) return 0;
    wrong += direct_case_open(c, part, layout, transport, 1, &t) != KOL_OK;
    if (t.s != NULL) {
        double *z = direct_case_apply(&t, part->mpi, r, &wrong);
        if (*first == NULL) *first = z;
        wrong += memcmp(z, *first, (size_t)t.cells * sizeof *z) != 0;
        if (z != *first) free(z);
        wrong += planes_differ(&t, part->mpi, r);
    }
    direct_case_close(&t);
    return wrong;
}

static int each_number_by_each_transport(const struct direct_case *c, const struct comm *part,
                                         const double *r, double **first)
{
    int wrong = each_number_single(c, part, TRANSPORT_HOST, r, first);
    if (direct_case_peers(&comm)) wrong += each_number_single(c, part, TRANSPORT_PEER, r, first);
    return wrong;
}

static void test_single_on_any_number(void **state)
{
    (void)state;
    int solved = 0;
    if (!single_there()) skip();
    for (int n = 0; n < DIRECT_CASES; ++n) {
        const int wrong =
            direct_case_any_number(&direct_cases[n], &comm, &self, each_number_by_each_transport, &solved);
        if (wrong > 0 && comm.rank == 0) print_error("case: %s\n", direct_cases[n].in.name);
        CHECK_ALL(wrong == 0);
    }
    CHECK_ALL(comm.size == 1 || comm.rank > 0 || solved > 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_single),
        CASE(test_single_on_any_number),
    };
    return MPI_MAIN(argc, argv, "direct_single", tests);
}
