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
#include "solver/parallel/peer_memory.h"
#include "solver/poisson/direct_single.h"
#include "solver/poisson/direct.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { U = STRETCHING_UNIFORM, T = STRETCHING_TANH, S = STRETCHING_SINE };

/* direct_case: a grid and which of its directions end at walls */
struct direct_case {
    struct case_input in;
    int wall[3];
};

static const struct direct_case cases[] = {
    {{"periodic", {12, 10, 8}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    {{"periodic, odd", {15, 13, 11}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    {{"channel", {16, 12, 17}, {U, U, T}, {0, 0, 1.4}}, {0, 0, 1}},
    {{"channel in y", {13, 19, 10}, {U, T, U}, {0, 1.1, 0}}, {0, 1, 0}},
    {{"channel in x", {21, 9, 12}, {T, U, U}, {1.2, 0, 0}}, {1, 0, 0}},
    {{"box of walls", {11, 14, 9}, {U, U, U}, {0, 0, 0}}, {1, 1, 1}},
    {{"walls in x and z", {17, 8, 10}, {U, U, U}, {0, 0, 0}}, {1, 0, 1}},
    {{"duct", {10, 16, 13}, {U, T, T}, {0, 0.9, 1.3}}, {0, 1, 1}},
    {{"stretched box of walls", {13, 11, 12}, {T, T, S}, {1.0, 0.7, 0.4}}, {1, 1, 1}},
    {{"stretched and periodic", {14, 9, 15}, {S, S, S}, {0.5, 0.3, 0.6}}, {0, 0, 0}},
    {{"a periodic sine", {9, 8, 22}, {U, U, S}, {0, 0, 0.7}}, {0, 0, 0}},
    {{"mixed", {12, 15, 8}, {S, U, U}, {0.5, 0, 0}}, {0, 1, 0}},
    {{"one stretched, walls elsewhere", {8, 13, 18}, {U, S, U}, {0, 0.4, 0}}, {1, 0, 1}},
    {{"thin", {5, 4, 31}, {U, U, U}, {0, 0, 0}}, {0, 1, 0}},
    {{"flat", {29, 23, 4}, {T, U, U}, {0.8, 0, 0}}, {1, 0, 0}},
    /* levels in chunks: uneven ones, two a block, more columns than a warp has threads */
    {{"a tall channel", {10, 7, 37}, {U, U, T}, {0, 0, 1.2}}, {0, 0, 1}},
    {{"a ring of levels", {9, 6, 140}, {U, U, U}, {0, 0, 0}}, {0, 0, 0}},
    {{"a stretched ring of levels", {16, 18, 35}, {U, U, S}, {0, 0, 0.6}}, {0, 0, 0}},
};
enum { CASES_HERE = sizeof cases / sizeof *cases };

/* setting: one case on one layout */
struct setting {
    struct domain domain;
    struct decomp d;
    struct grid g;
    struct direct *s;
    ptrdiff_t cells; /* of the whole grid */
};

static kol_status open_grid(const struct direct_case *c, const struct comm *on, const int layout[3],
                            struct setting *t)
{
    struct input in = case_settings(&c->in);
    memset(t, 0, sizeof *t);
    for (int d = 0; d < 3; ++d)
        if (c->wall[d]) in.boundary.face[2 * d] = in.boundary.face[2 * d + 1] = BOUNDARY_WALL;
    t->cells = (ptrdiff_t)c->in.n[X] * c->in.n[Y] * c->in.n[Z];
    TRY(decomp_create(c->in.n, layout, on->size, on->rank, &t->d));
    return grid_create(&in, &t->d, &t->g);
}

/* with messages that go so, in double or in single precision */
static kol_status open_in(const struct direct_case *c, const struct comm *on, const int layout[3],
                          int transport, int single, struct setting *t)
{
    TRY(open_grid(c, on, layout, t));
    t->domain = (struct domain){.comm = *on, .decomp = t->d, .grid = t->g};
    TRY(halo_create(NULL, HALO_FIELDS, on, &t->d, t->g.box, transport, &t->domain.halo));
    if (single && direct_single_obstacle(&t->domain) != NULL) return KOL_OK; /* t->s stays NULL */
    return direct_create(&t->domain, single, &t->s);
}

static kol_status open_with(const struct direct_case *c, const struct comm *on, const int layout[3],
                            int transport, struct setting *t)
{
    return open_in(c, on, layout, transport, 0, t);
}

static kol_status open_setting(const struct direct_case *c, const struct comm *on, const int layout[3],
                               struct setting *t)
{
    const int cpu = strcmp(device_backend(), "cpu") == 0; /* it has one transport */
    return open_with(c, on, layout, cpu ? TRANSPORT_AUTO : TRANSPORT_HOST, t);
}

/* the memory that it takes, as it is counted */
static kol_status count(const struct setting *t, size_t *bytes)
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

/* whether each rank has a GPU of its own that can write to the others' */
static int peers_reach(void)
{
    char obstacle[256] = "";
    int sharing = 1;
    if (strcmp(device_backend(), "cpu") == 0 || comm.size == 1) return 0;
    return peer_memory_obstacle(&comm, obstacle, sizeof obstacle, &sharing) == KOL_OK &&
           obstacle[0] == '\0' && sharing == 1;
}

static void close_setting(struct setting *t)
{
    direct_destroy(&t->s);
    halo_destroy(&t->domain.halo);
    grid_destroy(&t->g);
}

static double *new_global(const struct setting *t)
{
    double *f = calloc((size_t)t->cells, sizeof *f);
    if (f == NULL) abort();
    return f;
}

static ptrdiff_t place(const struct setting *t, int i, int j, int k)
{
    const int *n = t->d.n_g;
    return ((ptrdiff_t)((k + n[Z]) % n[Z]) * n[Y] + (j + n[Y]) % n[Y]) * n[X] + (i + n[X]) % n[X];
}

/* random values, exact in `real`, that sum to zero: in pairs */
static double *right_hand_side(const struct setting *t, unsigned seed)
{
    double *r = new_global(t);
    uint64_t x = seed * 0x9E3779B97F4A7C15u + 1;
    for (ptrdiff_t n = 0; n + 1 < t->cells; ++n) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        const double v = (double)(x >> 44) / 1048576.0;
        const ptrdiff_t other = n + 1 + (ptrdiff_t)((x >> 20) % (uint64_t)(t->cells - n - 1));
        r[n] += v;
        r[other] -= v;
    }
    return r;
}

static real *to_field(const struct setting *t, const double *global, real fill)
{
    const struct box b = t->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    void *field = NULL;
    if (host == NULL || mem_kernel_alloc((size_t)b.size * sizeof(real), &field) != KOL_OK) abort();
    for (ptrdiff_t n = 0; n < b.size; ++n) host[n] = fill;
    for (int k = 0; global != NULL && k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                host[at(b, i, j, k)] =
                    (real)global[place(t, i + t->d.offset[X], j + t->d.offset[Y], k + t->d.offset[Z])];
    if (mem_to_kernel(field, host, (size_t)b.size * sizeof(real)) != KOL_OK) abort();
    free(host);
    return field;
}

/* own cells of all ranks into one global array, on every rank; values outside that are not `fill` are counted
 * in *changed */
static double *gather(const struct setting *t, MPI_Comm on, const real *field, real fill, int *changed)
{
    const struct box b = t->g.box;
    real *host = malloc((size_t)b.size * sizeof *host);
    double *global = new_global(t);
    if (host == NULL || mem_to_host(host, field, (size_t)b.size * sizeof(real)) != KOL_OK) abort();
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                real *v = &host[at(b, i, j, k)];
                global[place(t, i + t->d.offset[X], j + t->d.offset[Y], k + t->d.offset[Z])] = *v;
                *v = fill;
            }
    for (ptrdiff_t n = 0; n < b.size; ++n) *changed += memcmp(&host[n], &fill, sizeof fill) != 0;
    MPI_Allreduce(MPI_IN_PLACE, global, (int)t->cells, MPI_DOUBLE, MPI_SUM, on);
    free(host);
    return global;
}

/* apply once, and once more: the second time on the memory that the first one left */
static double *apply(const struct setting *t, MPI_Comm on, const double *r, int *wrong)
{
    real *from = to_field(t, r, NAN), *to = to_field(t, NULL, 77);
    double *first, *second;
    const kol_status st = direct_apply(t->s, from, to);
    if (st != KOL_OK) print_error("%s\n", status_message());
    *wrong += st != KOL_OK;
    first = gather(t, on, to, 77, wrong);
    *wrong += direct_apply(t->s, from, to) != KOL_OK;
    second = gather(t, on, to, 77, wrong);
    *wrong += memcmp(first, second, (size_t)t->cells * sizeof *first) != 0;
    mem_kernel_free(from);
    mem_kernel_free(to);
    free(second);
    return first;
}

static double width(const struct setting *t, int d, int i)
{
    const int n = t->d.n_g[d];
    return t->g.uniform[d] ? t->g.length[d] / n : t->g.face[d][(i + n) % n + 1] - t->g.face[d][(i + n) % n];
}

/* conductance of the face below index i of direction d, for area 1 */
static double across(const struct setting *t, int d, int i)
{
    const int n = t->d.n_g[d];
    if (!t->g.periodic[d] && (i == 0 || i == n)) return 0;
    return 1 / grid_centre_distance(&t->g, d, i % n);
}

/* row (i, j, k) of A z */
static double row_of(const struct setting *t, const double *z, const int i[3])
{
    const double c = z[place(t, i[X], i[Y], i[Z])];
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        int low[3] = {i[X], i[Y], i[Z]}, high[3] = {i[X], i[Y], i[Z]};
        --low[d];
        ++high[d];
        sum += width(t, e, i[e]) * width(t, f, i[f]) *
               (across(t, d, i[d]) * (c - z[place(t, low[X], low[Y], low[Z])]) +
                across(t, d, i[d] + 1) * (c - z[place(t, high[X], high[Y], high[Z])]));
    }
    return sum;
}

/* |A z - r| / |r|, and the volume mean of z against its magnitude */
static double residual(const struct setting *t, const double *z, const double *r, double *mean)
{
    const int *n = t->d.n_g;
    double wrong = 0, size = 0, sum = 0, magnitude = 0;
    int i[3];
    for (i[Z] = 0; i[Z] < n[Z]; ++i[Z])
        for (i[Y] = 0; i[Y] < n[Y]; ++i[Y])
            for (i[X] = 0; i[X] < n[X]; ++i[X]) {
                const ptrdiff_t p = place(t, i[X], i[Y], i[Z]);
                const double e = row_of(t, z, i) - r[p];
                const double v = width(t, X, i[X]) * width(t, Y, i[Y]) * width(t, Z, i[Z]);
                wrong += e * e;
                size += r[p] * r[p];
                sum += v * z[p];
                magnitude += v * fabs(z[p]);
            }
    *mean = fabs(sum) / magnitude;
    return sqrt(wrong / size);
}

/* rounding of z in `real`, amplified by the largest eigenvalue of A over the smallest: 1e3 to 1e4 for these
 * sizes */
static const double RESIDUAL_MOST = KOL_CHOOSE(1e-13, 2e-4), MEAN_MOST = KOL_CHOOSE(1e-14, 1e-6);
/* of the transforms of the CUDA build, where one rank takes another way than many */
static const double CLOSE = KOL_CHOOSE(1e-12, 1e-5);

static void check_case_on(const struct direct_case *c, const int layout[3])
{
    struct setting t;
    double mean = 0;
    int wrong = 0;
    CHECK_ALL(open_setting(c, &comm, layout, &t) == KOL_OK);
    double *r = right_hand_side(&t, 5);
    double *z = apply(&t, comm.mpi, r, &wrong);
    const double error = residual(&t, z, r, &mean);
    if (comm.rank == 0 && !(error <= RESIDUAL_MOST && mean <= MEAN_MOST && wrong == 0))
        print_error("case: %s on %d x %d x %d ranks\n", c->in.name, layout[X], layout[Y], layout[Z]);
    CHECK_ALL(wrong == 0);
    CHECK_ALL_BELOW(error, RESIDUAL_MOST);
    CHECK_ALL_BELOW(mean, MEAN_MOST);
    free(r);
    free(z);
    close_setting(&t);
}

static void test_inverse(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    for (int n = 0; n < CASES_HERE; ++n)
        if (grid_ranks_fit(cases[n].in.n, choose, comm.size)) check_case_on(&cases[n], choose);
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
    struct setting alone, t;
    int wrong = open_setting(c, &self, whole, &alone) != KOL_OK, many = comm.size > 1;
    double *r = right_hand_side(&alone, 9), *first[2] = {NULL, NULL};
    double *one = apply(&alone, self.mpi, r, &wrong);
    int layout[3] = {0, 0, 0};
    while (layout_next(c->in.n, layout)) {
        wrong += open_setting(c, &comm, layout, &t) != KOL_OK;
        double *z = apply(&t, comm.mpi, r, &wrong);
        double **same = &first[layout[X] * layout[Y] > 1];
        if (*same == NULL) *same = cpu || !many ? one : z;
        wrong += memcmp(z, *same, (size_t)t.cells * sizeof *z) != 0;
        wrong += !(distance(t.cells, z, one) <= CLOSE);
        if (z != *same) free(z);
        close_setting(&t);
        ++*layouts;
    }
    for (int n = 0; n < 2; ++n)
        if (first[n] != one) free(first[n]);
    free(one);
    free(r);
    close_setting(&alone);
    return wrong;
}

static void test_same_bits_in_every_layout(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES_HERE; ++n) {
        const int wrong = each_layout(&cases[n], &layouts);
        if (wrong > 0 && comm.rank == 0) print_error("case: %s\n", cases[n].in.name);
        CHECK_ALL(wrong == 0);
    }
    CHECK_ALL(layouts >= 1);
}

/* part: the first `size` ranks */
static kol_status open_part(int size, struct comm *part)
{
    *part = (struct comm){.rank = comm.rank, .size = size, .node_rank = comm.rank, .node_size = size};
    MPI_TRY(MPI_Comm_split(comm.mpi, comm.rank < size ? 0 : MPI_UNDEFINED, comm.rank, &part->mpi));
    return KOL_OK;
}

/* one case on ranks that cut z: differences from the result of the first number of ranks; *first: that result
 */
static int each_number(const struct direct_case *c, const struct comm *part, const double *r, double **first)
{
    const int layout[3] = {1, 1, part->size};
    struct setting t;
    int wrong = 0;
    if (part->mpi == MPI_COMM_NULL || !grid_ranks_fit(c->in.n, layout, part->size)) return 0;
    wrong += open_setting(c, part, layout, &t) != KOL_OK;
    double *z = apply(&t, part->mpi, r, &wrong);
    if (*first == NULL) *first = z;
    wrong += memcmp(z, *first, (size_t)t.cells * sizeof *z) != 0;
    if (z != *first) free(z);
    close_setting(&t);
    return wrong;
}

/* ranks that cut z, two or more: the same bits however many */
static void test_same_bits_on_any_number(void **state)
{
    (void)state;
    struct setting alone;
    for (int n = 0; n < CASES_HERE; ++n) {
        double *first = NULL;
        int wrong = open_grid(&cases[n], &self, whole, &alone) != KOL_OK;
        double *r = right_hand_side(&alone, 6);
        for (int size = 2; size <= comm.size; ++size) {
            struct comm part;
            CHECK_ALL(open_part(size, &part) == KOL_OK);
            wrong += each_number(&cases[n], &part, r, &first);
            if (part.mpi != MPI_COMM_NULL) MPI_Comm_free(&part.mpi);
        }
        if (wrong > 0 && comm.rank == 0) print_error("case: %s\n", cases[n].in.name);
        CHECK_ALL(wrong == 0);
        close_setting(&alone);
        free(first);
        free(r);
    }
}

/* in single precision, where that is possible: the residual is that of rounding z to single precision,
 * amplified as above, whatever the unit of length; and one refinement with a residual in double precision
 * reaches nearly the square of it */
static void test_single(void **state)
{
    (void)state;
    static const double MOST = 4e-4; /* of 1e3 to 1e4 times half of FLT_EPSILON */
    int found = 0;
    for (int n = 0; n < CASES_HERE; ++n) {
        struct setting t;
        double mean = 0;
        int wrong = 0;
        CHECK_ALL(open_in(&cases[n], &self, whole, TRANSPORT_AUTO, 1, &t) == KOL_OK);
        if (t.s == NULL) {
            CHECK_ALL(direct_single_obstacle(&t.domain) != NULL);
            close_setting(&t);
            continue;
        }
        ++found;
        double *r = right_hand_side(&t, 5), *z = apply(&t, self.mpi, r, &wrong), *left = new_global(&t);
        const double error = residual(&t, z, r, &mean);
        const int *m = t.d.n_g;
        for (int k = 0; k < m[Z]; ++k)
            for (int j = 0; j < m[Y]; ++j)
                for (int i = 0; i < m[X]; ++i)
                    left[place(&t, i, j, k)] = r[place(&t, i, j, k)] - row_of(&t, z, (int[3]){i, j, k});
        double *more = apply(&t, self.mpi, left, &wrong);
        for (ptrdiff_t c = 0; c < t.cells; ++c) z[c] += more[c];
        const double refined = residual(&t, z, r, &mean);
        if (comm.rank == 0 && !(error <= MOST && refined <= MOST * MOST))
            print_error("case: %s: %.2e, refined %.2e\n", cases[n].in.name, error, refined);
        CHECK_ALL(wrong == 0);
        CHECK_ALL_BELOW(error, MOST);
        CHECK_ALL_BELOW(refined, MOST * MOST);
        CHECK_ALL_BELOW(mean, 1e-6);
        free(r);
        free(z);
        free(left);
        free(more);
        close_setting(&t);
    }
    const int gpu = strcmp(device_backend(), "cpu") != 0 && sizeof(real) == sizeof(double);
    CHECK_ALL(gpu ? found >= 5 : found == 0);
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
        struct setting t;
        double mean = 0;
        int wrong = 0;
        CHECK_ALL(open_setting(&large[n], &comm, choose, &t) == KOL_OK);
        double *r = right_hand_side(&t, 3), *z = apply(&t, comm.mpi, r, &wrong);
        const double error = residual(&t, z, r, &mean);
        print_message("%s: residual %.2e, mean %.2e\n", large[n].in.name, error, mean);
        CHECK_ALL(wrong == 0);
        CHECK_ALL_BELOW(error, 10 * RESIDUAL_MOST);
        CHECK_ALL_BELOW(mean, 10 * MEAN_MOST);
        free(r);
        free(z);
        close_setting(&t);
    }
}

/* in place, and what it would take of kernel memory is some fields */
static void test_in_place(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    for (int n = 0; n < CASES_HERE; ++n) {
        struct setting t;
        int wrong = 0;
        size_t counted = 0;
        if (!grid_ranks_fit(cases[n].in.n, choose, comm.size)) continue;
        CHECK_ALL(open_setting(&cases[n], &comm, choose, &t) == KOL_OK);
        double *r = right_hand_side(&t, 4), *apart = apply(&t, comm.mpi, r, &wrong);
        real *field = to_field(&t, r, 3);
        wrong += direct_apply(t.s, field, field) != KOL_OK;
        double *z = gather(&t, comm.mpi, field, 3, &wrong);
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
        close_setting(&t);
    }
    struct direct *none = NULL;
    direct_destroy(&none);
}

/* GPUs that write into each other's memory make the same bits as messages, round after round */
static void test_peers(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    if (!peers_reach()) skip();
    for (int n = 0; n < CASES_HERE; ++n) {
        struct setting host, peer;
        int wrong = 0;
        if (!grid_ranks_fit(cases[n].in.n, choose, comm.size)) continue;
        CHECK_ALL(open_setting(&cases[n], &comm, choose, &host) == KOL_OK);
        CHECK_ALL(open_with(&cases[n], &comm, choose, TRANSPORT_PEER, &peer) == KOL_OK);
        for (unsigned round = 0; round < 5; ++round) {
            double *r = right_hand_side(&host, 20 + round);
            double *a = apply(&host, comm.mpi, r, &wrong), *b = apply(&peer, comm.mpi, r, &wrong);
            wrong += memcmp(a, b, (size_t)host.cells * sizeof *a) != 0;
            free(r);
            free(a);
            free(b);
        }
        CHECK_ALL(wrong == 0);
        close_setting(&host);
        close_setting(&peer);
    }
}

/* too many cells for a dense basis are refused with their number, on all ranks, and what was begun can be
 * destroyed */
static void test_refused(void **state)
{
    (void)state;
    static const struct direct_case long_one = {{"long", {20000, 8, 8}, {T, U, T}, {0.5, 0, 0.5}}, {0, 0, 1}};
    static const int choose[3] = {0, 0, 0};
    struct setting t;
    size_t counted = 0;
    CHECK_ALL(open_setting(&long_one, &comm, choose, &t) == KOL_ERR_INPUT);
    CHECK_ALL(strstr(status_message(), "20000 cells in x") != NULL);
    status_clear();
    CHECK_ALL(count(&t, &counted) == KOL_ERR_INPUT);
    status_clear();
    status_set_agreed(0);
    close_setting(&t);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_inverse),
        CASE(test_same_bits_in_every_layout),
        CASE(test_same_bits_on_any_number),
        CASE(test_single),
        CASE(test_larger_grids),
        CASE(test_in_place),
        CASE(test_peers),
        CASE(test_refused),
    };
    return MPI_MAIN(argc, argv, "direct", tests);
}
