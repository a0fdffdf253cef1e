/* ranks: 1 */
/* Tests the host memory for files. Arrays of kernel memory are copied to it in slabs of planes, either
 * before they are written or while they are written, and back again. Catches a slab that belongs to another
 * array, a slab that is used before it has arrived or overwritten while it is in use, planes left out at
 * the ends, wrong values at centres between two slabs, and a halo that keeps its old values. */
#include <math.h>
#include <string.h>
#include "solver/checkpoint/restart.h"
#include "solver/checkpoint/host_copy.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "solver/control/stop.h"

enum { NX = 5, NY = 4, NZ = 11, PRESSURE = 3, ARRAYS = 4 };
static const size_t ROOMY = (size_t)1 << 20;

static struct input input;
static struct domain domain;
static struct pending pending;
static struct control control;
static real *array[ARRAYS], host[4096];
static struct host_copy staging;

/* of array c; exact in single precision */
static double number(int c, int i, int j, int k)
{
    return ((c * 7 + i * 13 + j * 29 + k * 53 + i * j * k) % 101) / 8.0;
}

static int setup(void **state)
{
    (void)state;
    const struct case_input in = {
        "staging", {NX, NY, NZ}, {STRETCHING_SINE, STRETCHING_UNIFORM, STRETCHING_TANH}, {0.4, 0, 1.3}};
    char text[256];
    int wrong = 0;
    status_clear();
    input = case_settings(&in);
    domain = (struct domain){.in = &input, .pending = &pending};
    control = (struct control){.domain = &domain};
    input.output.field_interval = 1;
    input.boundary.face[4] = input.boundary.face[5] = BOUNDARY_WALL;
    wrong += device_select(0, text, sizeof text) != KOL_OK || comm_create(&domain.comm) != KOL_OK;
    wrong += decomp_create(input.grid.n, input.grid.ranks, 1, 0, &domain.decomp) != KOL_OK;
    wrong += grid_create(&input, &domain.decomp, &domain.grid) != KOL_OK;
    const struct box b = domain.grid.box;
    wrong += b.size > (ptrdiff_t)(sizeof host / sizeof *host);
    for (int c = 0; c < ARRAYS && !wrong; ++c) {
        void *memory = NULL;
        for (ptrdiff_t q = 0; q < b.size; ++q) host[q] = (real)NAN;
        for (int k = -1; k <= NZ; ++k)
            for (int j = -1; j <= NY; ++j)
                for (int i = -1; i <= NX; ++i) host[at(b, i, j, k)] = (real)number(c, i + 1, j + 1, k + 1);
        wrong += mem_kernel_alloc((size_t)b.size * sizeof(real), &memory) != KOL_OK;
        array[c] = memory;
        wrong += mem_to_kernel(memory, host, (size_t)b.size * sizeof(real)) != KOL_OK;
    }
    return wrong;
}

static int teardown(void **state)
{
    (void)state;
    for (int c = 0; c < ARRAYS; ++c) mem_kernel_free(array[c]);
    grid_destroy(&domain.grid);
    comm_destroy(&domain.comm);
    return 0;
}

/* The whole view through its memory: `most` planes at a time, fewer where a piece of a file is smaller. */
static int collect(struct io_view v, int fewer, real *out)
{
    const int plane = NX * NY * v.ncomp;
    int wrong = 0;
    for (int k = 0, turn = 0; k < NZ; ++turn) {
        int count = fewer && turn % 3 == 1 ? 1 : v.planes.most;
        if (count > NZ - k) count = NZ - k;
        wrong += v.planes.pass(v.planes.context, k, count) != KOL_OK;
        memcpy(out + k * plane, v.data, (size_t)(count * plane) * sizeof *out);
        k += count;
    }
    return wrong;
}

static double value(int c, int i, int j, int k)
{
    return number(c, i + 1, j + 1, k + 1);
}

/* Component 2 of the curl at the edge of lower faces in x and y of cell (i, j), and so on cyclically. */
static double edge(int c, const int cell[3])
{
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    int at_d[3] = {cell[X], cell[Y], cell[Z]}, at_e[3] = {cell[X], cell[Y], cell[Z]};
    --at_d[d];
    --at_e[e];
    return (value(e, cell[X], cell[Y], cell[Z]) - value(e, at_d[X], at_d[Y], at_d[Z])) /
               grid_centre_distance(&domain.grid, d, cell[d]) -
           (value(d, cell[X], cell[Y], cell[Z]) - value(d, at_e[X], at_e[Y], at_e[Z])) /
               grid_centre_distance(&domain.grid, e, cell[e]);
}

static double wanted(const char *what, int c, int i, int j, int k)
{
    if (what[0] == 'p') return value(PRESSURE, i, j, k);
    if (what[0] == 'u') return 0.5 * (value(c, i, j, k) + value(c, i + (c == X), j + (c == Y), k + (c == Z)));
    double sum = 0;
    for (int q = 0; q < 4; ++q) {
        int cell[3] = {i, j, k};
        cell[(c + 1) % 3] += q & 1;
        cell[(c + 2) % 3] += q >> 1;
        sum += edge(c, cell);
    }
    return sum / 4;
}

static int wrong_values(const char *what, int components, const real *found)
{
    int wrong = 0;
    for (int k = 0; k < NZ; ++k)
        for (int j = 0; j < NY; ++j)
            for (int i = 0; i < NX; ++i)
                for (int c = 0; c < components; ++c, ++found)
                    wrong += !(fabs((double)*found - wanted(what, c, i, j, k)) <=
                               100 * KOL_EPSILON * (1 + fabs((double)*found)));
    return wrong;
}

static int wrong_views(int fewer)
{
    static real found[3 * NX * NY * NZ];
    const struct io_view one = host_copy_view(&domain, "p", "", "", IO_CCC, 1);
    const struct io_view three = host_copy_view(&domain, "u", "", "", IO_CCC, 3);
    int wrong = collect(host_copy_centre_velocity(&staging, three), fewer, found);
    wrong += wrong_values("u", 3, found);
    wrong += collect(host_copy_from(&staging, PRESSURE, one), fewer, found) + wrong_values("p", 1, found);
    wrong += collect(host_copy_centre_vorticity(&staging, three), fewer, found);
    wrong += wrong_values("vorticity", 3, found);
    return wrong + collect(host_copy_from(&staging, PRESSURE, one), 0, found) + wrong_values("p", 1, found);
}

/* Own cells are those of the pressure, all else NaN. */
static int wrong_array(const real *kernel)
{
    const struct box b = domain.grid.box;
    int wrong = mem_to_host(host, kernel, (size_t)b.size * sizeof(real)) != KOL_OK, own = 0;
    for (int k = 0; k < NZ; ++k)
        for (int j = 0; j < NY; ++j)
            for (int i = 0; i < NX; ++i) wrong += host[at(b, i, j, k)] != (real)value(PRESSURE, i, j, k);
    for (ptrdiff_t q = 0; q < b.size; ++q) own += !isnan(host[q]);
    return wrong + (own != NX * NY * NZ);
}

static int wrong_back(void)
{
    static real packed[NX * NY * NZ];
    static double doubles[NX * NY * NZ];
    const struct io_view one = host_copy_view(&domain, "p", "", "", IO_CCC, 1);
    int wrong = collect(host_copy_from(&staging, PRESSURE, one), 0, packed);
    const struct io_view v = host_copy_into(&staging, array[0], one);
    for (int k = 0; k < NZ; k += v.planes.most) {
        const int count = NZ - k < v.planes.most ? NZ - k : v.planes.most;
        memcpy(v.data, packed + k * NX * NY, (size_t)(count * NX * NY) * sizeof(real));
        wrong += v.planes.pass(v.planes.context, k, count) != KOL_OK;
    }
    wrong += wrong_array(array[0]);
    for (int i = 0; i < NX * NY * NZ; ++i) doubles[i] = (double)packed[i];
    return wrong + (host_copy_store(&staging, doubles, array[1]) != KOL_OK) + wrong_array(array[1]);
}

static void test_slabs_of(int ahead, int fields)
{
    const ptrdiff_t plane = domain.grid.box.sz;
    const size_t slabs[] = {1, (size_t)(13 * plane) * sizeof(real), (size_t)(20 * plane) * sizeof(real),
                            ROOMY};
    input.output.field_interval = fields;
    for (size_t n = 0; n < sizeof slabs / sizeof *slabs; ++n) {
        memset(&staging, 0, sizeof staging);
        CHECK_ALL(host_copy_create(NULL, &domain, ahead, slabs[n], 0, &staging) == KOL_OK &&
                  staging.ahead == ahead);
        for (int c = 0; c < ARRAYS; ++c) CHECK_ALL(host_copy_list(&staging, array[c]) == KOL_OK);
        CHECK_ALL(host_copy_listed(&staging) == KOL_OK);
        for (int fewer = 0; fewer < 2 && fields; ++fewer) CHECK_ALL(wrong_views(fewer) == 0);
        host_copy_destroy(&staging);
    }
    for (size_t n = 0; n < sizeof slabs / sizeof *slabs; ++n) {
        memset(&staging, 0, sizeof staging);
        CHECK_ALL(host_copy_create(NULL, &domain, ahead, slabs[n], 0, &staging) == KOL_OK);
        for (int c = 0; c < ARRAYS; ++c) CHECK_ALL(host_copy_list(&staging, array[c]) == KOL_OK);
        CHECK_ALL(host_copy_listed(&staging) == KOL_OK && wrong_back() == 0);
        host_copy_destroy(&staging);
    }
}

static void test_copied_beforehand(void **state)
{
    (void)state;
    test_slabs_of(1, 1);
}

static void test_fetched_in_slabs(void **state)
{
    (void)state;
    test_slabs_of(0, 1);
}

static void test_without_fields(void **state)
{
    (void)state;
    test_slabs_of(0, 0);
    test_slabs_of(1, 0);
}

/* A domain of these cells, of which this is the first rank. */
static struct domain domain_of(const struct decomp *d, struct box b)
{
    struct domain other = domain;
    other.decomp = *d;
    other.grid.box = b;
    other.comm.rank = 0;
    other.comm.size = d->ranks[X] * d->ranks[Y] * d->ranks[Z];
    return other;
}

/* Host memory that a run of these cells would take for copies; -1: a fault. */
static double counted(const struct decomp *d, struct box b, int ahead)
{
    struct memory memory = {.host = 0};
    struct host_copy copy;
    const struct domain other = domain_of(d, b);
    memset(&copy, 0, sizeof copy);
    const kol_status st = host_copy_create(&memory, &other, ahead, HOST_COPY_SLAB_BYTES, 0, &copy);
    host_copy_destroy(&copy);
    return st == KOL_OK ? (double)memory.host : -1;
}

/* And for a while to write checkpoints and to read them. */
static double for_a_while(const struct decomp *d, struct box b)
{
    struct memory memory = {.host = 0};
    const struct domain other = domain_of(d, b);
    const kol_status st = restart_count(&memory, &other);
    return st == KOL_OK && memory.host == 0 && memory.kernel == 0 ? (double)memory.temporary : -1;
}

/* What a user is told: no more than the box where it is small, slabs where it is not. */
static void test_bytes(void **state)
{
    (void)state;
    const struct box small = box_make(8, 8, 8, KOL_HALO), large = box_make(512, 512, 512, KOL_HALO);
    const double slab = (double)HOST_COPY_SLAB_BYTES, value = sizeof(real);
    const struct decomp few = {.n_g = {8, 8, 8}, .ranks = {1, 1, 1}, .n = {8, 8, 8}},
                        many = {.n_g = {512, 512, 512}, .ranks = {1, 1, 1}, .n = {512, 512, 512}},
                        shared = {.n_g = {512, 512, 512}, .ranks = {4, 8, 8}, .n = {128, 64, 64}};
    strcpy(input.checkpoint.restart, "none");
    CHECK_ALL(counted(&few, small, 0) == 3.0 * 3 * 10 * (double)small.sz * value);
    CHECK_ALL(counted(&many, large, 0) == 3 * slab);
    CHECK_ALL(counted(&many, large, 1) >= slab + 4.0 * (double)large.size * value);
    /* what is read back at a time */
    CHECK_ALL(for_a_while(&few, small) == 512 * value && for_a_while(&many, large) == slab);
    CHECK_ALL(for_a_while(&shared, large) == 2.0 * 512 * 512 * value);
    /* at a restart also a copy to spread planes of open faces, or four arrays of doubles to interpolate; a
     * few bytes more, so that none is empty */
    strcpy(input.checkpoint.restart, "latest");
    CHECK_ALL(for_a_while(&many, large) == slab);
    input.boundary.face[0] = BOUNDARY_OUTFLOW;
    CHECK_ALL(for_a_while(&many, large) == (double)large.size * value);
    input.checkpoint.regrid = 1;
    CHECK_ALL(fabs(for_a_while(&many, small) - 4.0 * 512 * 512 * 512 * 8) <= 32);
    CHECK_ALL(fabs(for_a_while(&shared, small) - 4.0 * 512 * 512 * 2 * 8) <= 32);
}

/* Tests that the stop at run.walltime reserves time for a checkpoint before one has been timed, but at most
 * a tenth of run.walltime. */
static void test_walltime(void **state)
{
    (void)state;
    struct stop_poll poll;
    for (int d = 0; d < 3; ++d) input.grid.n[d] = 1000;
    const double guess = restart_bytes(&input) / 0.2e9;
    strcpy(input.output.directory, "/nowhere");
    input.run.walltime = 100 * guess;
    CHECK_ALL(guess >= 4 * sizeof(real) * 1e9 / 0.2e9 && restart_seconds_guess(&input) == guess);
    control.checkpoint_seconds = restart_seconds_guess(&input);
    control.wall_looked = MPI_Wtime();
    for (int late = 0; late < 2; ++late) {
        control.wall_start = MPI_Wtime() - 99 * guess + (late ? -1 : 1) * 0.01 * guess;
        CHECK_ALL(stop_poll(&control, 0, &poll) == KOL_OK && (strcmp(poll.stop, "") != 0) == late);
    }
    input.run.walltime = 5 * guess;
    CHECK_ALL(restart_seconds_guess(&input) == 0.1 * input.run.walltime);
    input.run.walltime = 0;
    CHECK_ALL(restart_seconds_guess(&input) == 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(test_copied_beforehand), CASE(test_fetched_in_slabs),
                                       CASE(test_without_fields), CASE(test_bytes), CASE(test_walltime)};
    return MPI_MAIN(argc, argv, "staging", tests);
}
