/* Tests the last correction of a step, which sums the limits: against the correction in place and
 * project_limits(), by the bit, for all kinds of phi, in any cut and launch shape, between walls and with
 * implicit diffusion; and against tests/reference. Catches a face that its two cells correct differently, a
 * neighbour across a boundary that is not the right one, a plane that a tile leaves out or sums twice, and a
 * gradient across a wall. No MPI. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/correct_limits.h"
#include "kernels/tune.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/level_case.h"

static const double DTS = 0.125, UNIT = 0.0009765625, ALPHA = 0.625, BETA = -0.375;
static const double SHIFT[3] = {0.5, -0.25, 0.75};
static const double BOUND = 200 * KOL_EPSILON, SINGLE = 8 * FLT_EPSILON;

/* The kinds of phi, and a field with implicit diffusion. OPEN: a sum, with bodies that close a third of the
 * faces. */
enum kind { FIELD, DIFFUSED, PACKED, PACKED_DIFFUSED, SINGLE_ONE, SINGLE_TWO, OPEN_ONE, OPEN_TWO, KINDS };

/* trial: one kind on all parts of a case.
 *
 *   field   velocity, phi, the old pressure, x of a sum; whole grids
 *   open    in each direction, positive: the face is open
 *   walls   bit d: the grid has walls at the ends of direction d
 *   shaped  whether the shift of u and v depends on the level */
struct trial {
    enum kind kind;
    unsigned walls;
    int shaped;
    double *field[6], *open[3];
    double *apart[4], *together[4]; /* velocity and pressure, from two sweeps and from one */
    double *limit[2];               /* the limits of each block */
    double sums[LIM_COUNT];
};

static int diffused(const struct trial *t)
{
    return t->kind == DIFFUSED || t->kind == PACKED_DIFFUSED;
}

/* Returns n values in kernel memory; the part frees them. */
static real *values(struct part *p, const real *host, int n)
{
    real *out = part_array(p); /* longer than a row */
    assert_int_equal(mem_to_kernel(out, host, (size_t)n * sizeof *host), KOL_OK);
    return out;
}

static const real *inverse(struct part *p, const struct trial *t, int d, const real *inside)
{
    const int n = p->d.n[d];
    real *host = malloc((size_t)(n + 1) * sizeof *host);
    assert_non_null(host);
    assert_int_equal(mem_to_host(host, inside, (size_t)(n + 1) * sizeof *host), KOL_OK);
    if (t->walls >> d & 1u && p->d.offset[d] == 0) host[0] = 0;
    if (t->walls >> d & 1u && p->d.offset[d] + n == p->d.n_g[d]) host[n] = 0;
    real *out = values(p, host, n + 1);
    free(host);
    return out;
}

static int masked(const struct trial *t)
{
    return t->kind == OPEN_ONE || t->kind == OPEN_TWO;
}

static int face_is_open(const struct ref_grid *g, const struct part *p, const struct trial *t, int d, int i,
                        int j, int k)
{
    return t->open[d][ref_index(g, p->d.offset[X] + i, p->d.offset[Y] + j, p->d.offset[Z] + k)] > 0;
}

/* The mask of a part, halo included; the part frees it. */
static const unsigned char *mask_of(const struct ref_grid *g, struct part *p, const struct trial *t)
{
    const struct box b = p->g.box;
    unsigned char *host = calloc((size_t)b.size, 1);
    assert_non_null(host);
    for (int k = -1; k <= b.nz; ++k)
        for (int j = -1; j <= b.ny; ++j)
            for (int i = -1; i <= b.nx; ++i)
                for (int d = 0; d < 3; ++d) {
                    const int low = face_is_open(g, p, t, d, i, j, k),
                              high = face_is_open(g, p, t, d, i + (d == X), j + (d == Y), k + (d == Z));
                    host[at(b, i, j, k)] |= (unsigned char)((low | high << 1) << (2 * d));
                }
    real *out = part_array(p); /* larger than a byte a cell */
    assert_int_equal(mem_to_kernel(out, host, (size_t)b.size), KOL_OK);
    free(host);
    return (const unsigned char *)out;
}

static struct stencil stencil_of(const struct kernel_case *c, struct part *p, const struct trial *t)
{
    struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    if (masked(t)) s.open = mask_of(&c->ref, p, t);
    s.gx = inverse(p, t, X, s.gx);
    s.gy = inverse(p, t, Y, s.gy);
    s.gz = inverse(p, t, Z, s.gz);
    return s;
}

static double shape_at(const struct trial *t, int k)
{
    return t->shaped ? 0.25 + 0.125 * (k % 5) : 1;
}

static struct correction correction_of(struct part *p, const struct trial *t)
{
    struct correction c = {.dts = (real)DTS, .mean = (real)0.3, .factor = diffused(t) ? (real)0.0625 : 0};
    real *host = malloc((size_t)p->d.n[Z] * sizeof *host);
    assert_non_null(host);
    for (int d = 0; d < 3; ++d) c.shift[d] = t->walls >> d & 1u ? 0 : (real)SHIFT[d];
    for (int k = 0; k < p->d.n[Z]; ++k) host[k] = (real)shape_at(t, p->d.offset[Z] + k);
    if (t->shaped) c.profile = values(p, host, p->d.n[Z]);
    free(host);
    return c;
}

/* Packed values of a part, with the planes of its neighbours in z before and after them. At walls, and if the
 * neighbours are at the other end of the part (rings), these planes hold NaN. The part frees them. */
static const float *packed_of(const struct kernel_case *c, struct part *p, const struct trial *t, int rings)
{
    const struct box q = packed_box(p->g.box);
    const size_t bytes = (size_t)(q.size + 2 * q.sz) * sizeof(float);
    float *host = malloc(bytes), *out = (float *)(void *)part_array(p);
    assert_non_null(host);
    for (ptrdiff_t n = 0; n < q.size + 2 * q.sz; ++n) host[n] = NAN;
    for (int k = -1; k <= q.nz; ++k) {
        const int in_grid = p->d.offset[Z] + k, outside = in_grid < 0 || in_grid == p->d.n_g[Z];
        if ((k < 0 || k == q.nz) && (rings || (outside && t->walls >> Z & 1u))) continue;
        for (int j = 0; j < q.ny; ++j)
            for (int i = 0; i < q.nx; ++i)
                host[q.sz + at(q, i, j, k)] =
                    (float)((real)(1 / UNIT) * (real)t->field[3][ref_index(&c->ref, i, j, in_grid)]);
    }
    assert_int_equal(mem_to_kernel(out, host, bytes), KOL_OK);
    free(host);
    return out + q.sz;
}

/* Calls the correction in place, or the one that sums if `last` is not NULL. */
static kol_status sweep(const struct kernel_case *c, struct part *p, const struct trial *t, struct stencil s,
                        struct correction by, const real *old, real *out, real *const u[3],
                        const struct last_correction *last)
{
    const struct box b = p->g.box;
    const int ring_z = c->size == 1 && !(t->walls >> Z & 1u),
              two = t->kind == SINGLE_TWO || t->kind == OPEN_TWO;
    if (t->kind == FIELD || t->kind == DIFFUSED) {
        /* what lies beyond walls on high faces is read by neither */
        const int closed = t->walls == 7 && t->kind == FIELD && c->size == 1;
        const real *phi = part_from(p, closed ? OWN_LOW : OWN_FACES, t->field[3]);
        return last != NULL ? project_correct_limits(last, phi)
                            : project_correct(b, s, by, phi, old, out, u[X], u[Y], u[Z]);
    }
    if (t->kind == PACKED || t->kind == PACKED_DIFFUSED) {
        const float *phi = packed_of(c, p, t, ring_z);
        return last != NULL
                   ? project_correct_limits_packed(last, (real)UNIT, ring_z, phi)
                   : project_correct_packed(b, s, by, (real)UNIT, ring_z, phi, old, out, u[X], u[Y], u[Z]);
    }
    struct level_input in = {
        c->name, {c->ref.n[X], c->ref.n[Y], c->ref.n[Z]}, {0, 0, 0}, {1, 1, 1}, 0, c->ref.n[X] % 2 == 0};
    struct level_case level;
    struct level_part l;
    level_case_open(&in, &level);
    level_part_open(&level, p->d.offset, p->d.n, &l);
    if (!level_around()) l.around = 0;
    const struct level_sum phi = {l.lb,
                                  l.around,
                                  ALPHA,
                                  BETA,
                                  level_from(&l, t->field[3], 1, 0),
                                  two ? level_from(&l, t->field[5], 1, 0) : NULL};
    const kol_status st = last != NULL ? project_correct_limits_single(last, phi)
                                       : project_correct_single(b, s, by, phi, old, out, u[X], u[Y], u[Z]);
    level_part_close(&l);
    level_case_close(&level);
    return st;
}

/* In place, into t->apart. */
static void correct_apart(struct kernel_case *c, struct part *p, struct trial *t)
{
    real *u[3], *out = part_array(p);
    for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN, t->field[d]);
    CASE_TRUE(c, sweep(c, p, t, stencil_of(c, p, t), correction_of(p, t), part_from(p, OWN, t->field[4]), out,
                       u, NULL) == KOL_OK);
    for (int d = 0; d < 3; ++d) part_get(p, u[d], t->apart[d]);
    part_get(p, out, t->apart[3]);
    part_release(p);
}

static void limits_apart(struct kernel_case *c, struct part *p, struct trial *t)
{
    real *u[3];
    for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_HIGH, t->apart[d]);
    CASE_TRUE(c, project_limits(p->g.box, p->g.m, reduction_blocks(p->reduction), cells_all(), u[X], u[Y],
                                u[Z]) == KOL_OK);
    part_place_blocks(p, LIM_SUMS, LIM_COUNT - LIM_SUMS, t->limit[0]);
    part_release(p);
}

/* Both in one sweep, into t->together. The pressure is corrected in place if in_place is set. */
static void correct_together(struct kernel_case *c, struct part *p, struct trial *t, int in_place)
{
    real *old = part_from(p, OWN, t->field[4]);
    struct last_correction a = {.b = p->g.box,
                                .m = p->g.m,
                                .s = stencil_of(c, p, t),
                                .blocks = reduction_blocks(p->reduction),
                                .c = correction_of(p, t),
                                .p_old = old,
                                .p = in_place ? old : part_array(p)};
    real *before[3];
    for (int d = 0; d < 3; ++d) {
        real *from = part_from(p, OWN_HIGH, t->field[d]);
        before[d] = part_copy(p, from);
        a.from[d] = from;
        a.to[d] = part_array(p);
    }
    CASE_TRUE(c, sweep(c, p, t, a.s, a.c, NULL, NULL, NULL, &a) == KOL_OK);
    part_place_blocks(p, LIM_SUMS, LIM_COUNT - LIM_SUMS, t->limit[1]);
    part_sums(p, LIM_SUMS, LIM_COUNT - LIM_SUMS, t->sums);
    for (int d = 0; d < 3; ++d) {
        CASE_TRUE(c, part_changed(p, NOWHERE, before[d], a.from[d]) == 0);
        part_get(p, a.to[d], t->together[d]);
    }
    part_get(p, a.p, t->together[3]);
    part_release(p);
}

/* Where there are no walls. */
static void check_reference(const struct kernel_case *c, const struct trial *t)
{
    const ptrdiff_t plane = (ptrdiff_t)c->in->n[X] * c->in->n[Y];
    double *phi = ref_new(&c->ref), *p = ref_new(&c->ref), *vel[3];
    const int sum = t->kind == SINGLE_ONE || t->kind == SINGLE_TWO;
    for (ptrdiff_t n = 0; n < c->count; ++n)
        phi[n] = sum ? ALPHA * t->field[3][n] + (t->kind == SINGLE_TWO ? BETA * t->field[5][n] : 0)
                     : t->field[3][n];
    for (int d = 0; d < 3; ++d) {
        vel[d] = ref_new(&c->ref);
        memcpy(vel[d], t->field[d], (size_t)c->count * sizeof(double));
    }
    ref_correct(&c->ref, DTS, phi, vel);
    for (int d = 0; d < 3; ++d)
        for (ptrdiff_t n = 0; n < c->count; ++n)
            vel[d][n] += SHIFT[d] * (d != Z ? shape_at(t, (int)(n / plane)) : 1);
    ref_pressure(&c->ref, (double)(real)0.3, diffused(t) ? 0.0625 : 0, phi, t->field[4], p);
    const struct ref_monitored ref = ref_monitor(&c->ref, vel);
    const double bound = (t->kind == PACKED || t->kind == PACKED_DIFFUSED ? SINGLE : BOUND),
                 speed = fmax(ref.speed, 1);
    for (int d = 0; d < 3; ++d) CASE_BELOW(c, check_max(t->together[d], vel[d], c->count), bound * speed);
    CASE_BELOW(c, check_max(t->together[3], p, c->count), bound * check_max(p, NULL, c->count));
    CASE_BELOW(c, fabs(t->sums[LIM_ENERGY] - ref.energy), 4 * bound * ref.energy);
    for (int d = 0; d < 3; ++d)
        CASE_BELOW(c, fabs(t->sums[LIM_MOM_X + d] - ref.momentum[d]), 4 * bound * speed);
    CASE_BELOW(c, fabs(t->sums[LIM_COURANT] - ref.courant), 4 * bound * ref.courant);
    CASE_BELOW(c, fabs(t->sums[LIM_DIV] - ref.div_max), 8 * bound * ref.courant);
    CASE_BELOW(c, fabs(t->sums[LIM_SPEED] - ref.speed), bound * speed);
    case_free(vel, 3);
    case_free((double *[]){phi, p}, 2);
}

static void trial_open(const struct kernel_case *c, enum kind kind, unsigned walls, int shaped,
                       struct trial *t)
{
    *t = (struct trial){.kind = kind, .walls = walls, .shaped = shaped};
    for (int n = 0; n < 6; ++n)
        t->field[n] = n == 3 || n == 5 ? level_values(c->count, 60 + (unsigned)n)
                                       : case_random(&c->ref, 60 + (unsigned)n);
    for (int n = 0; n < 4; ++n) {
        t->apart[n] = ref_new(&c->ref);
        t->together[n] = ref_new(&c->ref);
    }
    for (int d = 0; d < 3; ++d) {
        t->open[d] = case_random(&c->ref, 80 + (unsigned)d);
        for (ptrdiff_t n = 0; n < c->count; ++n) t->open[d][n] += 1.0 / 3;
    }
    for (int n = 0; n < 2; ++n) t->limit[n] = level_values(LIM_COUNT * case_blocks(c), 70 + (unsigned)n);
}

static void trial_close(struct trial *t)
{
    case_free(t->field, 6);
    case_free(t->open, 3);
    case_free(t->apart, 4);
    case_free(t->together, 4);
    case_free(t->limit, 2);
}

/* Closed faces keep their velocity, most open ones do not. */
static void check_closed(const struct kernel_case *c, const struct trial *t)
{
    ptrdiff_t closed = 0, changed = 0;
    for (int d = 0; d < 3; ++d)
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const int differs = t->together[d][n] != t->field[d][n];
            if (t->open[d][n] > 0) changed += differs;
            else CASE_TRUE(c, !differs);
            closed += t->open[d][n] <= 0;
        }
    CASE_TRUE(c, closed > c->count / 2 && changed > c->count);
}

static int same(const double *const *a, double *const *b, int n, ptrdiff_t count)
{
    for (int q = 0; q < n; ++q)
        if (memcmp(a[q], b[q], (size_t)count * sizeof(double)) != 0) return 0;
    return 1;
}

static void check_kind(struct kernel_case *c, enum kind kind, unsigned walls)
{
    struct trial t;
    trial_open(c, kind, walls, walls != 1, &t);
    for (struct part *p = c->part; p < c->part + c->size; ++p) correct_apart(c, p, &t);
    for (struct part *p = c->part; p < c->part + c->size; ++p) limits_apart(c, p, &t);
    for (struct part *p = c->part; p < c->part + c->size; ++p) correct_together(c, p, &t, kind % 2);
    CASE_TRUE(c, same((const double *const *)t.apart, t.together, 4, c->count));
    CASE_TRUE(c, memcmp(t.limit[0], t.limit[1], (size_t)(LIM_COUNT * case_blocks(c)) * sizeof(double)) == 0);
    CASE_TRUE(c, t.sums[LIM_ENERGY] > 0 && t.sums[LIM_COURANT] > 0 && t.sums[LIM_DIV] > 0);
    if (walls == 0 && !masked(&t)) check_reference(c, &t);
    if (masked(&t)) check_closed(c, &t);
    trial_close(&t);
}

static const unsigned SOME_WALLS[] = {0, 1u << Z, 1u << X | 1u << Y | 1u << Z};

/* Packed values are of parts that have all of x and y, which are periodic. */
static int is_there(const struct kernel_case *c, enum kind k, unsigned walls)
{
    const struct decomp *d = &c->part[0].d;
    return (k != PACKED && k != PACKED_DIFFUSED) || (d->ranks[X] == 1 && d->ranks[Y] == 1 && !(walls & 3u));
}

static void check_case(struct kernel_case *c)
{
    for (int n = 0; n < 3; ++n)
        for (enum kind k = FIELD; k < KINDS; ++k)
            if (is_there(c, k, SOME_WALLS[n]) && (n == 0 || n == 1 + (c->size + (int)k) % 2))
                check_kind(c, k, SOME_WALLS[n]);
}

static void check_shape(struct kernel_case *c, int shape, void *data)
{
    const unsigned walls = SOME_WALLS[shape % 2];
    (void)data;
    for (enum kind k = FIELD; k < KINDS; ++k)
        if (is_there(c, k, walls)) check_kind(c, k, walls);
}

static void test_same_bits_as_two_sweeps(void **state)
{
    (void)state;
    case_each(check_case);
}

static void test_in_each_shape(void **state)
{
    (void)state;
    case_each_shape(&case_inputs[CASE_STRETCHED], TUNE_CORRECT_LIMITS, check_shape, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_as_two_sweeps),
        cmocka_unit_test(test_in_each_shape),
    };
    return cmocka_run_group_tests_name("correct_limits", tests, NULL, NULL);
}
