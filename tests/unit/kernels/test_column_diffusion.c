/* Tests the implicit diffusion in z by columns against elimination of the full matrix in long double with
 * pivoting. It covers all combinations of walls: no slip, moving, free slip, and open with a value at each
 * place. Everything that may not be read is NaN, and everything that may not be written keeps its bits.
 * Catches a row of the wrong coefficients, an end with the wrong factor or side, a w that is solved for on a
 * wall, columns left out, and bits that depend on how z is cut. No MPI. */
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/column_diffusion.h"
#include "kernels/tune.h"
#include "tests/support/check.h"

/* in units of the largest value, times the largest coefficient, which rounding of the right-hand side is in
 * proportion to */
static const double BOUND = 8 * KOL_EPSILON;
enum { MULTIGRID_LEVELS_MOST = 121 };
/* of `before`, as in the second stage of rk3-wray; and of what `old` loses */
static const double WEIGHT = -6.25, HISTORY = 0.375;

static const struct column_case {
    const char *name;
    int n[3];
    double theta, factor[2], wall[2]; /* wall: velocity of the ends, the same for u and v */
    int open[2];                      /* ends that have planes instead */
} cases[] = {
    {"no slip", {7, 5, 9}, 0.03, {-1, -1}, {0, 0}, {0, 0}},
    {"moving", {3, 2, 21}, 0.2, {-1, -1}, {0.5, -1.25}, {0, 0}},
    {"slip above", {70, 3, 8}, 0.5, {-1, 1}, {1, 0}, {0, 0}},
    {"slip below", {33, 6, 17}, 0.01, {1, -1}, {0, 0.75}, {0, 0}},
    {"free slip", {129, 1, 16}, 2, {1, 1}, {0, 0}, {0, 0}},
    {"two levels", {4, 4, 2}, 0.3, {-1, 1}, {2, 0}, {0, 0}},
    {"at rest in time", {6, 4, 5}, 0, {-1, -1}, {1, 1}, {0, 0}},
    {"inflow below, outflow above", {40, 9, 11}, 0.07, {-1, 0}, {0, 0}, {1, 1}},
    {"outflow below, moving above", {5, 3, 2}, 0.3, {0, -1}, {0, 0.5}, {1, 0}},
    {"slip below, inflow above", {3, 4, 7}, 0.1, {1, -1}, {0, 0}, {0, 1}},
    /* more levels than a thread block of the CUDA build holds in some of its launch shapes */
    {"many levels", {3, 3, 121}, 0.0005, {-1, -1}, {0.5, -1.25}, {0, 0}},
};
enum { COLUMN_CASES = sizeof cases / sizeof *cases };

/* Faces that thin towards the lower end. */
static double face_at(int k, int n)
{
    const double s = (double)k / n;
    return s * (0.25 + 0.75 * s);
}

static double width(int k, int n)
{
    return face_at(k + 1, n) - face_at(k, n);
}

/* Of centres k-1 and k; on a wall twice that of the centre to it. */
static double distance(int k, int n)
{
    if (k == 0) return width(0, n);
    if (k == n) return width(n - 1, n);
    return 0.5 * (width(k - 1, n) + width(k, n));
}

static double low_of(const struct column_case *c, int d, int k)
{
    const int n = c->n[Z];
    if (d == Z) return c->theta / (distance(k, n) * width(k - 1, n));
    return c->theta / (width(k, n) * distance(k, n));
}

static double high_of(const struct column_case *c, int d, int k)
{
    const int n = c->n[Z];
    if (d == Z) return c->theta / (distance(k, n) * width(k, n));
    return c->theta / (width(k, n) * distance(k + 1, n));
}

/* low, high and inverse pivots of one kind of component. */
static void make_rows(const struct column_case *c, int d, double *rows)
{
    const int n = c->n[Z], first = d == Z ? 1 : 0;
    double up = 0;
    for (int k = 0; k < n; ++k) {
        double *low = rows + k, *high = rows + n + k, *inverse = rows + 2 * n + k;
        *low = *high = *inverse = NAN;
        if (k < first) continue;
        *low = low_of(c, d, k);
        *high = high_of(c, d, k);
        const double own_low = d != Z && k == 0 ? (1 - c->factor[0]) * *low : *low;
        const double own_high = d != Z && k == n - 1 ? (1 - c->factor[1]) * *high : *high;
        *inverse = 1 / (1 + own_low + own_high - (k > first ? *low * up : 0));
        up = *high * *inverse;
    }
}

/* Solves with the full matrix by elimination, with pivots from the whole column. x: in, the right-hand
 * side; out, the solution. */
static void dense_solve(int n, long double a[MULTIGRID_LEVELS_MOST][MULTIGRID_LEVELS_MOST], long double *x)
{
    for (int p = 0; p < n; ++p) {
        int best = p;
        for (int r = p; r < n; ++r) best = fabsl(a[r][p]) > fabsl(a[best][p]) ? r : best;
        for (int q = 0; q < n; ++q) {
            const long double keep = a[p][q];
            a[p][q] = a[best][q];
            a[best][q] = keep;
        }
        const long double keep = x[p];
        x[p] = x[best];
        x[best] = keep;
        for (int r = 0; r < n; ++r) {
            const long double part = r == p ? 0 : a[r][p] / a[p][p];
            for (int q = 0; q < n; ++q) a[r][q] -= part * a[p][q];
            x[r] -= part * x[p];
        }
    }
    for (int p = 0; p < n; ++p) x[p] /= a[p][p];
}

struct column {
    real base[MULTIGRID_LEVELS_MOST + 2], before[MULTIGRID_LEVELS_MOST + 2],
        vel[MULTIGRID_LEVELS_MOST + 2]; /* level k at k + 1 */
    double end[2];                      /* the velocity given at the ends */
};

/* Computes the expected result of one column. Beyond walls the unknown is the factor times its neighbour,
 * plus a part of the value of the wall. */
static void expect(const struct column_case *c, int d, int known, const struct column *in, long double *x)
{
    static long double a[MULTIGRID_LEVELS_MOST][MULTIGRID_LEVELS_MOST];
    const int n = c->n[Z], first = d == Z ? 1 : 0, rows = n - first;
    for (int k = first; k < n; ++k) {
        const int r = k - first;
        const long double low = low_of(c, d, k), high = high_of(c, d, k);
        long double q[3];
        for (int s = 0; s < 3; ++s)
            q[s] = known ? (long double)in->base[k + s] + WEIGHT * (long double)in->before[k + s] : 0;
        for (int s = 0; s < rows; ++s) a[r][s] = 0;
        x[r] = in->vel[k + 1] + low * (q[0] - q[1]) + high * (q[2] - q[1]);
        a[r][r] = 1 + low + high;
        if (r > 0) a[r][r - 1] = -low;
        if (r < rows - 1) a[r][r + 1] = -high;
        const double factor[2] = {d == Z ? 0 : c->factor[0], d == Z ? 0 : c->factor[1]};
        if (r == 0) {
            a[r][r] -= low * factor[0];
            x[r] += low * (1 - factor[0]) * in->end[0];
        }
        if (r == rows - 1) {
            a[r][r] -= high * factor[1];
            x[r] += high * (1 - factor[1]) * in->end[1];
        }
    }
    dense_solve(rows, a, x);
}

static double value_at(int field, int i, int j, int k)
{
    return 0.125 * ((i * 7 + j * 13 + (k + 3) * 29 + field * 11 + i * j * k) % 17 - 8);
}

static double plane_value(int side, int d, int i, int j)
{
    return value_at(12 + 3 * side + d, i, j, 5);
}

/* Own cells and, in z, one layer beyond both ends where asked for; NaN elsewhere. */
static real *new_field(struct box b, int field, int beyond, int from)
{
    real *host = malloc((size_t)b.size * sizeof *host);
    void *out = NULL;
    assert_non_null(host);
    for (ptrdiff_t n = 0; n < b.size; ++n) host[n] = (real)NAN;
    for (int k = from - beyond; k < b.nz + beyond; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) host[at(b, i, j, k)] = (real)value_at(field, i, j, k);
    assert_int_equal(mem_kernel_alloc((size_t)b.size * sizeof *host, &out), KOL_OK);
    assert_int_equal(mem_to_kernel(out, host, (size_t)b.size * sizeof *host), KOL_OK);
    free(host);
    return out;
}

static real *copy_of(struct box b, const real *field)
{
    real *host = malloc((size_t)b.size * sizeof *host);
    assert_non_null(host);
    assert_int_equal(mem_to_host(host, field, (size_t)b.size * sizeof *host), KOL_OK);
    return host;
}

/* Largest error of a component over what rounding is in proportion to. */
static double error_of(const struct column_case *c, struct box b, int d, int same, int known,
                       const real *after)
{
    const int first = d == Z ? 1 : 0;
    double worst = 0, largest = 1;
    for (int k = first; k < b.nz; ++k) largest = fmax(largest, 4 * fmax(low_of(c, d, k), high_of(c, d, k)));
    for (int j = 0; j < b.ny; ++j)
        for (int i = 0; i < b.nx; ++i) {
            struct column in;
            long double x[MULTIGRID_LEVELS_MOST];
            for (int k = -1; k <= b.nz; ++k) {
                in.base[k + 1] = (real)value_at(d, i, j, k);
                in.before[k + 1] = (real)value_at(same ? d : 3 + d, i, j, k);
                in.vel[k + 1] = (real)value_at(6 + d, i, j, k);
            }
            for (int side = 0; side < 2; ++side)
                in.end[side] = c->open[side] ? plane_value(side, d, i, j) : d == Z ? 0 : c->wall[side];
            expect(c, d, known, &in, x);
            for (int k = first; k < b.nz; ++k) {
                const double e = fabs((double)(after[at(b, i, j, k)] - x[k - first])) / largest;
                if (!(e <= worst)) worst = e;
            }
        }
    return worst;
}

static int changed_outside(struct box b, int first, const real *before, const real *after)
{
    int changed = 0;
    real *mask = malloc((size_t)b.size * sizeof *mask);
    assert_non_null(mask);
    memcpy(mask, before, (size_t)b.size * sizeof *mask);
    for (int k = first; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) mask[at(b, i, j, k)] = after[at(b, i, j, k)];
    changed = memcmp(mask, after, (size_t)b.size * sizeof *mask) != 0;
    free(mask);
    return changed;
}

/* What `old` has lost against what it is to lose, in the same units. */
static double history_error(const struct column_case *c, struct box b, int d, int same, const real *before,
                            const real *after)
{
    const int first = d == Z ? 1 : 0;
    double worst = 0;
    for (int k = first; k < b.nz; ++k) {
        const long double low = low_of(c, d, k), high = high_of(c, d, k), largest = 1 + 8 * fmaxl(low, high);
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                long double q[3];
                for (int s = 0; s < 3; ++s)
                    q[s] = (long double)value_at(d, i, j, k - 1 + s) +
                           WEIGHT * (long double)value_at(same ? d : 3 + d, i, j, k - 1 + s);
                const long double want =
                    before[at(b, i, j, k)] - HISTORY * (low * (q[0] - q[1]) + high * (q[2] - q[1]));
                const double e = (double)(fabsl(after[at(b, i, j, k)] - want) / largest);
                if (!(e <= worst)) worst = e;
            }
    }
    return worst;
}

/* fields: of a case, or of the part of it from level `offset` on. */
struct fields {
    struct box b;
    struct column_fields f;
    int same, kept, known; /* known: base and before are there */
};

static void take_level_range(real *part, struct box pb, const real *whole, struct box b, int offset)
{
    real *from = copy_of(b, whole), *to = malloc((size_t)pb.size * sizeof *to);
    assert_non_null(to);
    for (ptrdiff_t n = 0; n < pb.size; ++n) to[n] = (real)NAN;
    for (int k = -1; k <= pb.nz; ++k)
        for (int j = 0; j < pb.ny; ++j)
            for (int i = 0; i < pb.nx; ++i) to[at(pb, i, j, k)] = from[at(b, i, j, k + offset)];
    assert_int_equal(mem_to_kernel(part, to, (size_t)pb.size * sizeof *to), KOL_OK);
    free(from);
    free(to);
}

static struct fields fields_make(struct box b, int same, int kept, int known)
{
    struct fields a = {.b = b, .same = same, .kept = kept, .known = known};
    for (int d = 0; d < 3; ++d) {
        const int first = d == Z ? 1 : 0;
        if (known) a.f.base[d] = new_field(b, d, 1, first);
        if (known) a.f.before[d] = same ? a.f.base[d] : new_field(b, 3 + d, 1, first);
        a.f.vel[d] = new_field(b, 6 + d, 0, first);
        a.f.old[d] = kept ? new_field(b, 9 + d, 0, first) : NULL;
    }
    return a;
}

static struct fields fields_part(const struct fields *a, int offset, int nz)
{
    struct fields p = fields_make(box_make(a->b.nx, a->b.ny, nz, KOL_HALO), a->same, a->kept, a->known);
    for (int d = 0; d < 3; ++d) {
        if (p.known) take_level_range(p.f.base[d], p.b, a->f.base[d], a->b, offset);
        if (!p.same) take_level_range(p.f.before[d], p.b, a->f.before[d], a->b, offset);
        take_level_range(p.f.vel[d], p.b, a->f.vel[d], a->b, offset);
        if (p.kept) take_level_range(p.f.old[d], p.b, a->f.old[d], a->b, offset);
    }
    return p;
}

static void fields_free(struct fields *a)
{
    for (int d = 0; d < 3; ++d) {
        mem_kernel_free(a->f.vel[d]);
        mem_kernel_free(a->f.old[d]);
        if (!a->same) mem_kernel_free(a->f.before[d]);
        mem_kernel_free(a->f.base[d]);
    }
}

/* Computes the right-hand sides box by box, divided at level `at_level`, then eliminates once. x is packed.
 * `old` is compared, too. */
static double *solve_cut(const struct fields *a, struct columns c, int d, int at_level, const real *old)
{
    const struct box b = a->b;
    const ptrdiff_t many = (ptrdiff_t)b.nx * b.ny, all = many * b.nz;
    double *x = NULL, *host = malloc((size_t)all * sizeof *host);
    assert_non_null(host);
    assert_int_equal(mem_kernel_alloc((size_t)all * sizeof *x, (void **)&x), KOL_OK);
    for (int part = 0; part < 2; ++part) {
        const int offset = part == 0 ? 0 : at_level, nz = part == 0 ? at_level : b.nz - at_level;
        struct fields p = fields_part(a, offset, nz);
        assert_int_equal(column_source(p.b, c, offset, d, p.f, x + offset * many), KOL_OK);
        real *kept = a->kept ? copy_of(p.b, p.f.old[d]) : NULL;
        for (int k = d == Z && offset == 0 ? 1 : 0; k < nz && a->kept; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i)
                    assert_true(kept[at(p.b, i, j, k)] == old[at(b, i, j, k + offset)]);
        free(kept);
        fields_free(&p);
    }
    assert_int_equal(column_eliminate(c, d, many, x), KOL_OK);
    assert_int_equal(mem_to_host(host, x, (size_t)all * sizeof *x), KOL_OK);
    mem_kernel_free(x);
    return host;
}

static void check_component(const struct column_case *c, const struct fields *a, const struct fields *start,
                            struct columns of, int d)
{
    const struct box b = a->b;
    const int first = d == Z ? 1 : 0;
    real *before = copy_of(b, start->f.vel[d]), *after = copy_of(b, a->f.vel[d]),
         *old_before = a->kept ? copy_of(b, start->f.old[d]) : NULL,
         *old = a->kept ? copy_of(b, a->f.old[d]) : NULL;
    const double error = error_of(c, b, d, a->same, a->known, after);
    if (!(error <= BOUND)) print_error("case %s, component %d: error %g\n", c->name, d, error);
    CHECK_BELOW(error, BOUND);
    assert_int_equal(changed_outside(b, first, before, after), 0);
    if (a->kept) {
        CHECK_BELOW(history_error(c, b, d, a->same, old_before, old), BOUND);
        assert_int_equal(changed_outside(b, first, old_before, old), 0);
    }
    for (int cut = 1; cut < b.nz; cut += 1 + b.nz / 3) {
        double *x = solve_cut(start, of, d, cut, old);
        int differing = 0;
        for (int k = first; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i)
                    differing += (real)x[((ptrdiff_t)k * b.ny + j) * b.nx + i] != after[at(b, i, j, k)];
        assert_int_equal(differing, 0);
        free(x);
    }
    free(before);
    free(after);
    free(old_before);
    free(old);
}

/* What the planes of open ends give; NaN where a plane may not be read. */
static void open_ends(const struct column_case *c, struct columns of, const struct fields *a)
{
    const struct box b = a->b;
    const size_t values = 3 * (size_t)plane_values(b, Z);
    real *host = malloc(values * sizeof *host), *plane = NULL;
    assert_non_null(host);
    assert_int_equal(mem_kernel_alloc(values * sizeof *host, (void **)&plane), KOL_OK);
    for (int side = 0; side < 2; ++side) {
        if (!c->open[side]) continue;
        const double part[3] = {1 - c->factor[side], 1 - c->factor[side], 1};
        for (size_t n = 0; n < values; ++n) host[n] = (real)NAN;
        for (int d = 0; d < 3; ++d)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i)
                    host[plane_at(b, Z, d, i, j)] = (real)plane_value(side, d, i, j);
        assert_int_equal(mem_to_kernel(plane, host, values * sizeof *host), KOL_OK);
        assert_int_equal(column_open(b, of, side, part, plane, a->f.vel), KOL_OK);
    }
    mem_kernel_free(plane);
    free(host);
}

/* Solves for each component by its right-hand sides and elimination, as scalars are. */
static void solve_apart(struct fields *a, struct columns c)
{
    const struct box b = a->b;
    const ptrdiff_t many = (ptrdiff_t)b.nx * b.ny, all = many * b.nz;
    double *x = NULL, *host = malloc((size_t)all * sizeof *host);
    assert_non_null(host);
    assert_int_equal(mem_kernel_alloc((size_t)all * sizeof *x, (void **)&x), KOL_OK);
    for (int d = 0; d < 3; ++d) {
        real *to = copy_of(b, a->f.vel[d]);
        assert_int_equal(column_source(b, c, 0, d, a->f, x), KOL_OK);
        assert_int_equal(column_eliminate(c, d, many, x), KOL_OK);
        assert_int_equal(mem_to_host(host, x, (size_t)all * sizeof *x), KOL_OK);
        for (int k = d == Z ? 1 : 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i)
                    to[at(b, i, j, k)] = (real)host[((ptrdiff_t)k * b.ny + j) * b.nx + i];
        assert_int_equal(mem_to_kernel(a->f.vel[d], to, (size_t)b.size * sizeof *to), KOL_OK);
        free(to);
    }
    mem_kernel_free(x);
    free(host);
}

static void check_run(const struct column_case *c, int same, int kept, int known)
{
    const struct box b = box_make(c->n[X], c->n[Y], c->n[Z], KOL_HALO);
    const size_t bytes = 6 * (size_t)b.nz * sizeof(double);
    double host[6 * MULTIGRID_LEVELS_MOST], *rows = NULL;
    struct fields a = fields_make(b, same, kept, known), start = fields_make(b, same, kept, known);
    struct columns of = {.n = b.nz, .weight = WEIGHT, .history = kept ? HISTORY : 0};
    make_rows(c, X, host);
    make_rows(c, Z, host + 3 * b.nz);
    assert_int_equal(mem_kernel_alloc(bytes, (void **)&rows), KOL_OK);
    assert_int_equal(mem_to_kernel(rows, host, bytes), KOL_OK);
    of.centre = rows;
    of.face = rows + 3 * b.nz;
    for (int d = 0; d < 2; ++d)
        for (int side = 0; side < 2; ++side) of.end[d][side] = (1 - c->factor[side]) * c->wall[side];
    open_ends(c, of, &a);
    open_ends(c, of, &start);
    if (same && !kept) assert_int_equal(column_solve(b, of, a.f), KOL_OK);
    else solve_apart(&a, of);
    for (int d = 0; d < 3; ++d) check_component(c, &a, &start, of, d);
    fields_free(&a);
    fields_free(&start);
    mem_kernel_free(rows);
}

static void test_columns(void **state)
{
    (void)state;
    for (int shape = 0; shape < tune_shapes(TUNE_COLUMN); ++shape) {
        tune_choose(TUNE_COLUMN, shape);
        for (int n = 0; n < COLUMN_CASES; ++n)
            for (int known = 0; known < 2; ++known) check_run(&cases[n], 1, 0, known);
    }
    tune_choose(TUNE_COLUMN, 0);
    for (int n = 0; n < COLUMN_CASES; ++n) {
        check_run(&cases[n], 0, 0, 1);
        for (int same = 0; same < 2; ++same) check_run(&cases[n], same, 1, 1);
    }
}

/* What varies over an end is added to the rows beside it, and to nothing else. */
static void check_given(const struct column_case *c, int side)
{
    const struct box b = box_make(c->n[X], c->n[Y], c->n[Z], KOL_HALO);
    const size_t bytes = 3 * (size_t)b.nz * sizeof(double), values = (size_t)plane_values(b, Z);
    double host[3 * MULTIGRID_LEVELS_MOST], *rows = NULL;
    struct fields a = fields_make(b, 0, 0, 1);
    real *plane = NULL, *given = malloc(values * sizeof *given), *before = copy_of(b, a.f.vel[X]);
    assert_non_null(given);
    make_rows(c, X, host);
    assert_int_equal(mem_kernel_alloc(bytes, (void **)&rows), KOL_OK);
    assert_int_equal(mem_kernel_alloc(values * sizeof *given, (void **)&plane), KOL_OK);
    for (size_t n = 0; n < values; ++n) given[n] = (real)NAN;
    for (int j = 0; j < b.ny; ++j)
        for (int i = 0; i < b.nx; ++i) given[plane_at(b, Z, 0, i, j)] = (real)plane_value(side, 0, i, j);
    assert_int_equal(mem_to_kernel(rows, host, bytes), KOL_OK);
    assert_int_equal(mem_to_kernel(plane, given, values * sizeof *given), KOL_OK);
    assert_int_equal(column_given(b, (struct columns){.n = b.nz, .centre = rows}, side, plane, a.f.vel[X]),
                     KOL_OK);
    real *after = copy_of(b, a.f.vel[X]);
    const int row = side == 0 ? 0 : b.nz - 1;
    const double coefficient = side == 0 ? host[0] : host[2 * b.nz - 1];
    double error = 0;
    int changed = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t o = at(b, i, j, k);
                const double wanted =
                    (double)before[o] + (k == row ? coefficient * (real)plane_value(side, 0, i, j) : 0);
                error = fmax(error, fabs((double)after[o] - wanted));
                changed += after[o] != before[o];
            }
    CHECK_BELOW(error / fmax(1, coefficient), BOUND);
    if (coefficient == 0) assert_int_equal(changed, 0); /* an end without a part in the row */
    else assert_in_range(changed, 1, b.nx * b.ny);
    fields_free(&a);
    mem_kernel_free(rows);
    mem_kernel_free(plane);
    free(given);
    free(before);
    free(after);
}

static void test_given(void **state)
{
    (void)state;
    for (int n = 0; n < COLUMN_CASES; ++n)
        for (int side = 0; side < 2; ++side) check_given(&cases[n], side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
