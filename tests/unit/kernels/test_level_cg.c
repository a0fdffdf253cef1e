/* Tests conjugate gradients on the first level of a multigrid: the sums of level_products, the residual of
 * level_reduce, the directions of level_turn, the sum of level_add and the correction of
 * project_correct_single, against tests/reference; and that sums and residuals have the same bits in any cut
 * and launch shape; each with and without bodies. Catches a sum over other values, a residual that is stored
 * although it should not be, a neighbour across a boundary that is not the right one, flux through a closed
 * face, and a closed face whose velocity is changed. No MPI. */
#include <stdlib.h>
#include "kernels/level_cg.h"
#include "kernels/tune.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/level_case.h"

/* As in test_level.c: at most 24 operations one after another, coefficients rounded. */
static const double OPERATIONS = 24, DTS = 0.125, ALPHA = 0.625, BETA = -0.375;
static const double SHIFT[3] = {0.5, -0.25, 0.75};

/* sweeps: what the kernels make of r, z and x, on all parts of a case. */
struct sweeps {
    double *r, *z, *x; /* inputs */
    double *left, *turned, *summed;
    double *blocks; /* of both sweeps with sums, one quantity after the other, in the place of each block */
    double sum[3], reduced[2];
    int general; /* the level does not say that it is uniform in x */
    int bodies;
};
enum { PRODUCTS = 3, REDUCED = 2 };

/* --- bodies --- */

static ptrdiff_t beside(const int n[3], ptrdiff_t m, int d, int side)
{
    const ptrdiff_t apart[3] = {1, n[X], (ptrdiff_t)n[X] * n[Y]};
    const int i = (int)(m / apart[d] % n[d]);
    if (side == 0) return i > 0 ? m - apart[d] : m + apart[d] * (n[d] - 1);
    return i + 1 < n[d] ? m + apart[d] : m - apart[d] * (n[d] - 1);
}

/* Whether face f of a cell is open: all are far in y; elsewhere a third of them are not, and none of some
 * cells. */
static int is_open(const int n[3], ptrdiff_t m, int f)
{
    const ptrdiff_t near = beside(n, m, f / 2, f % 2), low = f % 2 ? m : near;
    const int far = 2 * n[Y] / 3;
    if (m / n[X] % n[Y] >= far && near / n[X] % n[Y] >= far) return 1;
    return m % 11 != 0 && near % 11 != 0 && (7 * low + 5 * (f / 2)) % 3 != 0;
}

static int is_dead(const int n[3], ptrdiff_t m)
{
    int dead = 1;
    for (int f = 0; f < FACES; ++f) dead = dead && !is_open(n, m, f);
    return dead;
}

/* The bits of box b, whose first cell is cell `from` of the grid. The caller frees them. */
static unsigned char *open_bits(const int n[3], const int from[3], struct box b)
{
    unsigned char *bits = calloc((size_t)b.size, 1);
    assert_non_null(bits);
    for (int k = -1; k < b.nz; ++k)
        for (int j = -1; j < b.ny; ++j)
            for (int i = -1; i < b.nx; ++i) {
                const int x = (from[X] + i + n[X]) % n[X], y = (from[Y] + j + n[Y]) % n[Y],
                          z = (from[Z] + k + n[Z]) % n[Z];
                const ptrdiff_t m = ((ptrdiff_t)z * n[Y] + y) * n[X] + x;
                for (int f = 0; f < FACES; ++f)
                    bits[at(b, i, j, k)] |= (unsigned char)(is_open(n, m, f) << f);
            }
    return bits;
}

/* A z as a sum over the open faces. */
static void open_operator(const struct ref_level *g, const double *z, double *az)
{
    const int *n = g->n;
    for (ptrdiff_t m = 0; m < (ptrdiff_t)n[X] * n[Y] * n[Z]; ++m) {
        const int i[3] = {(int)(m % n[X]), (int)(m / n[X] % n[Y]), (int)(m / n[X] / n[Y])};
        az[m] = 0;
        for (int f = 0; f < FACES; ++f) {
            const int d = f / 2, x = (d + 1) % 3, y = (d + 2) % 3;
            const double link = g->width[x][i[x]] * g->width[y][i[y]] * g->link[d][i[d] + f % 2];
            if (is_open(n, m, f)) az[m] += link * (z[m] - z[beside(n, m, d, f % 2)]);
        }
    }
}

/* --- sweeps --- */

static void reduce_part(const struct kernel_case *c, struct part *p, struct level_part *l, struct cells cells,
                        struct sweeps *e)
{
    const struct blocks bl = reduction_blocks(p->reduction);
    double *const blocks = e->blocks + PRODUCTS * case_blocks(c), unchanged[REDUCED] = {0, 0};
    level_real *r = level_from(l, e->r, 0, 0), *d = level_from(l, e->z, 1, 0);
    level_real *const before = level_copy(l->lb, r);
    const size_t bytes = (size_t)l->lb.size * sizeof *r;
    assert_int_equal(level_reduce(l->lb, l->s, bl, cells, (level_real)ALPHA, 0, d, r), KOL_OK);
    part_sums(p, 1, 1, unchanged);
    level_real *const after = level_copy(l->lb, r);
    assert_memory_equal(before, after, bytes);
    assert_int_equal(level_reduce(l->lb, l->s, bl, cells, (level_real)ALPHA, 1, d, r), KOL_OK);
    double kept[REDUCED] = {0, 0};
    part_sums(p, 1, 1, kept);
    assert_memory_equal(kept, unchanged, sizeof kept);
    part_sums(p, 1, 1, e->reduced);
    part_place_blocks(p, 1, 1, blocks);
    level_get(l, r, e->left);
    assert_int_equal(level_outside(l->lb, r), 0);
    free(before);
    free(after);
}

/* The second direction and, with other numbers, the third. */
static void turn_part(struct level_part *l, struct sweeps *e)
{
    level_real *z = level_from(l, e->z, 0, 0), *d = level_from(l, e->r, 0, 0), *x = level_array(l, l->lb);
    assert_int_equal(level_turn(l->lb, 1, (level_real)ALPHA, (level_real)BETA, z, d, x), KOL_OK);
    assert_int_equal(level_turn(l->lb, 0, (level_real)BETA, (level_real)ALPHA, z, d, x), KOL_OK);
    level_get(l, d, e->turned);
    level_get(l, x, e->summed);
    assert_int_equal(level_outside(l->lb, d) + level_outside(l->lb, x), 0);
}

static void sweep_part(const struct kernel_case *c, struct part *p, struct level_part *l, struct cells cells,
                       struct sweeps *e)
{
    assert_int_equal(level_products(l->lb, l->s, reduction_blocks(p->reduction), cells,
                                    level_from(l, e->r, 0, 0), level_from(l, e->z, 1, 0)),
                     KOL_OK);
    part_sums(p, PRODUCTS, 0, e->sum);
    part_place_blocks(p, PRODUCTS, 0, e->blocks);
    reduce_part(c, p, l, cells, e);
    turn_part(l, e);
}

/* Some uniform in x. wall: whether z ends at walls. */
static void level_of(const struct kernel_case *c, int wall, struct level_input *in, struct level_case *level)
{
    *in = (struct level_input){
        c->name, {c->ref.n[X], c->ref.n[Y], c->ref.n[Z]}, {0, 0, wall}, {1, 1, 1}, 0, c->ref.n[X] % 2 == 0};
    level_case_open(in, level);
}

/* around: parts that own a direction whole read around */
static void sweep_all(struct kernel_case *c, int around, struct sweeps *e)
{
    struct level_input in;
    struct level_case level;
    level_of(c, c->ref.n[Y] % 2, &in, &level);
    for (int q = 0; q < PRODUCTS; ++q) e->sum[q] = 0;
    for (int q = 0; q < REDUCED; ++q) e->reduced[q] = 0;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        struct level_part l;
        level_part_open(&level, p->d.offset, p->d.n, &l);
        if (!around) l.around = 0;
        if (e->general) l.s.uniform_x = l.s.uniform = 0;
        if (e->bodies) {
            unsigned char *bits = open_bits(c->ref.n, l.from, l.lb);
            l.s.open = level_kernel(&l, bits, (size_t)l.lb.size);
            free(bits);
        }
        sweep_part(c, p, &l, (struct cells){CELLS_ALL, 0, l.around}, e);
        level_part_close(&l);
    }
    level_case_close(&level);
}

static void sweeps_open(const struct kernel_case *c, int bodies, struct sweeps *e)
{
    e->general = 0;
    e->bodies = bodies;
    e->r = level_values(c->count, 41);
    e->z = level_values(c->count, 42);
    e->x = level_values(c->count, 43);
    e->left = ref_new(&c->ref);
    e->turned = ref_new(&c->ref);
    e->summed = ref_new(&c->ref);
    e->blocks = level_values((PRODUCTS + REDUCED) * case_blocks(c), 44);
}

static void sweeps_close(struct sweeps *e)
{
    case_free((double *[]){e->r, e->z, e->x, e->left, e->turned, e->summed, e->blocks}, 7);
}

static int sweeps_same(const struct kernel_case *c, const struct sweeps *a, const struct sweeps *b)
{
    const size_t cells = (size_t)c->count * sizeof(double),
                 blocks = (size_t)((PRODUCTS + REDUCED) * case_blocks(c)) * sizeof(double);
    return memcmp(a->left, b->left, cells) == 0 && memcmp(a->turned, b->turned, cells) == 0 &&
           memcmp(a->summed, b->summed, cells) == 0 && memcmp(a->blocks, b->blocks, blocks) == 0;
}

static double volume_of(const struct ref_level *g, ptrdiff_t m)
{
    const int i = (int)(m % g->n[X]), j = (int)(m / g->n[X] % g->n[Y]), k = (int)(m / g->n[X] / g->n[Y]);
    return g->width[X][i] * g->width[Y][j] * g->width[Z][k];
}

/* Whether every sum is the reference's, whose terms have these sizes. */
static void check_sums(const struct kernel_case *c, const struct level_case *level, const struct sweeps *e,
                       const double *az, const double *diag)
{
    const double bound = OPERATIONS * LEVEL_EPSILON;
    double sum[PRODUCTS] = {0, 0, 0}, size[PRODUCTS] = {0, 0, 0}, left = 0, most = 0, widest = 0;
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        const double v = volume_of(&level->ref, m), q = e->r[m] - ALPHA * az[m];
        const double term[PRODUCTS] = {e->r[m] * e->z[m], az[m] * e->z[m], v * e->z[m]};
        for (int n = 0; n < PRODUCTS; ++n) {
            sum[n] += term[n];
            size[n] += n == 1 ? 2 * diag[m] : fabs(term[n]);
        }
        left += e->left[m];
        most = fmax(most, fabs(q) / v);
        widest = fmax(widest, (1 + 2 * diag[m]) / v);
        CASE_BELOW(c, fabs(e->left[m] - q), bound * (1 + 2 * diag[m]));
    }
    for (int n = 0; n < PRODUCTS; ++n) CASE_BELOW(c, fabs(e->sum[n] - sum[n]), bound * size[n]);
    CASE_BELOW(c, fabs(e->reduced[0] - left), 1e-12 * (double)c->count);
    CASE_BELOW(c, fabs(e->reduced[1] - most), bound * widest);
}

static void check_sweeps(struct kernel_case *c, int bodies)
{
    struct sweeps e;
    struct level_input in;
    struct level_case level;
    double *az = ref_new(&c->ref), *diag = ref_new(&c->ref);
    sweeps_open(c, bodies, &e);
    sweep_all(c, 0, &e);
    level_of(c, c->ref.n[Y] % 2, &in, &level);
    if (bodies) open_operator(&level.ref, e.z, az);
    else ref_level_operator(&level.ref, e.z, az);
    ref_level_diagonal(&level.ref, diag);
    check_sums(c, &level, &e, az, diag);
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        const double second = e.z[m] + BETA * e.r[m];
        CASE_BELOW(c, fabs(e.turned[m] - (e.z[m] + ALPHA * second)), OPERATIONS * LEVEL_EPSILON);
        CASE_BELOW(c, fabs(e.summed[m] - (ALPHA * e.r[m] + BETA * second)), OPERATIONS * LEVEL_EPSILON);
    }
    level_case_close(&level);
    sweeps_close(&e);
    case_free((double *[]){az, diag}, 2);
}

static void check_both(struct kernel_case *c)
{
    for (int bodies = 0; bodies < 2; ++bodies) check_sweeps(c, bodies);
}

/* Complete rows; and blocks of complete pieces, for which there are special kernels. */
static const struct case_input whole_tiles = {"whole tiles", {64, 16, 8}, {0, 0, 0}, {0, 0, 0}},
                               whole_pieces = {"whole pieces", {64, 256, 2}, {0, 0, 0}, {0, 0, 0}};

static void test_sweeps_like_reference(void **state)
{
    struct kernel_case c;
    (void)state;
    case_open(&whole_pieces, (const int[]){1, 1, 1}, &c);
    check_both(&c);
    case_close(&c);
    case_each(check_both);
}

/* Around and with halos. */
static void check_shape(struct kernel_case *c, int shape, void *data)
{
    const struct sweeps *first = data;
    for (int around = 0; around <= level_around(); ++around) {
        struct sweeps other;
        sweeps_open(c, first->bodies, &other);
        other.general = shape % 2;
        sweep_all(c, around, &other);
        CASE_TRUE(c, sweeps_same(c, first, &other));
        sweeps_close(&other);
    }
}

static void check_bits(const struct case_input *in, int bodies)
{
    struct kernel_case c;
    struct sweeps first;
    case_open(in, (const int[]){1, 1, 1}, &c);
    sweeps_open(&c, bodies, &first);
    sweep_all(&c, 0, &first);
    case_close(&c);
    case_each_shape(in, TUNE_CHEBYSHEV, check_shape, &first);
    sweeps_close(&first);
}

static void test_same_bits_in_any_cut_and_shape(void **state)
{
    (void)state;
    check_bits(&case_inputs[0], 0);
    check_bits(&case_inputs[CASE_STRETCHED + 1], 0);
    for (int bodies = 0; bodies < 2; ++bodies) check_bits(&whole_tiles, bodies);
    check_bits(&case_inputs[CASE_STRETCHED + 1], 1);
}

/* velocity alone, and with the pressure, in place or apart; phi of one array and of two; with bodies */
enum { ALONE = 4, BODIES, WAYS = BODIES + 2 };
static void correct_part(struct kernel_case *c, struct part *p, int way, double *const field[5],
                         const double *x, double *const want[5])
{
    struct level_input in;
    struct level_case level;
    struct level_part l;
    level_of(c, 0, &in, &level); /* as the case, which has no walls */
    level_part_open(&level, p->d.offset, p->d.n, &l);
    if (!level_around()) l.around = 0;
    const int two = way % 2, alone = way == ALONE;
    const real mean = (real)0.3;
    real *u[3], *old = part_from(p, OWN, field[4]), *out = alone ? NULL : way < 2 ? old : part_filled(p, 5);
    struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    unsigned char *bits = open_bits(c->ref.n, p->d.offset, p->g.box);
    if (way >= BODIES) s.open = level_kernel(&l, bits, (size_t)p->g.box.size);
    const struct level_sum phi = {
        l.lb, l.around, ALPHA, BETA, level_from(&l, field[3], 1, 0), two ? level_from(&l, x, 1, 0) : NULL};
    const struct correction by = {
        .dts = (real)DTS, .mean = mean, .shift = {(real)SHIFT[X], (real)SHIFT[Y], (real)SHIFT[Z]}};
    for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN, field[a]);
    CASE_TRUE(c, project_correct_single(p->g.box, s, by, phi, old, out, u[X], u[Y], u[Z]) == KOL_OK);
    for (int a = 0; a < 3; ++a)
        CASE_BELOW(c, part_error(p, OWN, u[a], want[a]),
                   OPERATIONS * KOL_EPSILON * check_max(want[a], NULL, c->count));
    if (out != NULL)
        CASE_BELOW(c, part_error(p, OWN, out, want[3]),
                   OPERATIONS * KOL_EPSILON * check_max(want[3], NULL, c->count));
    real *sum = part_from(p, OWN, field[4]), *before = part_copy(p, sum);
    CASE_TRUE(c, level_add(p->g.box, phi, sum) == KOL_OK);
    CASE_TRUE(c, part_changed(p, OWN, before, sum) == 0);
    CASE_BELOW(c, part_error(p, OWN, sum, want[4]),
               OPERATIONS * KOL_EPSILON * check_max(want[4], NULL, c->count));
    free(bits);
    part_release(p);
    level_part_close(&l);
    level_case_close(&level);
}

static void check_correct(struct kernel_case *c)
{
    double *field[5], *want[5], *x = level_values(c->count, 45), *phi = ref_new(&c->ref);
    for (int n = 0; n < 5; ++n)
        field[n] = n == 3 ? level_values(c->count, 46) : case_random(&c->ref, 22 + (unsigned)n);
    want[3] = ref_new(&c->ref);
    want[4] = ref_new(&c->ref);
    for (int way = 0; way < WAYS; ++way) {
        for (ptrdiff_t m = 0; m < c->count; ++m) phi[m] = ALPHA * field[3][m] + (way % 2 ? BETA * x[m] : 0);
        for (ptrdiff_t m = 0; m < c->count; ++m) want[4][m] = field[4][m] + phi[m];
        for (int a = 0; a < 3; ++a) want[a] = case_random(&c->ref, 22 + (unsigned)a);
        ref_correct(&c->ref, DTS, phi, want);
        ref_pressure(&c->ref, (double)(real)0.3, 0, phi, field[4], want[3]);
        for (ptrdiff_t m = 0; m < c->count; ++m)
            if (way >= BODIES && is_dead(c->ref.n, m)) want[3][m] = 0;
        for (int a = 0; a < 3; ++a)
            for (ptrdiff_t m = 0; m < c->count; ++m)
                want[a][m] =
                    way < BODIES || is_open(c->ref.n, m, 2 * a) ? want[a][m] + SHIFT[a] : field[a][m];
        for (struct part *p = c->part; p < c->part + c->size; ++p) correct_part(c, p, way, field, x, want);
        case_free(want, 3);
    }
    case_free(field, 5);
    case_free((double *[]){want[3], want[4], x, phi}, 4);
}

static void test_correct_like_reference(void **state)
{
    (void)state;
    case_each(check_correct);
}

/* The layers of the halo that `faces` names have the bits of `right`, all other values those of `before`. */
static int beyond_wrong(const struct part *p, unsigned faces, const real *before, const real *right,
                        const real *found)
{
    const struct box b = p->g.box;
    int wrong = 0;
    for (int k = -b.h; k < b.nz + b.h; ++k)
        for (int j = -b.h; j < b.ny + b.h; ++j)
            for (int i = -b.h; i < b.nx + b.h; ++i) {
                const int x = i >= 0 && i < b.nx, y = j >= 0 && j < b.ny, z = k >= 0 && k < b.nz;
                const int formed = (i == -1 && y && z && (faces >> FACE_X_LOW & 1u)) ||
                                   (x && j == -1 && z && (faces >> FACE_Y_LOW & 1u)) ||
                                   (x && y && k == -1 && (faces >> FACE_Z_LOW & 1u));
                const ptrdiff_t o = at(b, i, j, k);
                wrong += memcmp(&found[o], formed ? &right[o] : &before[o], sizeof *found) != 0;
            }
    return wrong;
}

/* Factors with all digits: products by those above are exact, so that it would not show whether a compiler
 * joins a product with the difference that follows. */
static const double ALPHA_FULL = 0.61803398874989485, BETA_FULL = -0.38196601125010515,
                    MEAN_FULL = 0.31830988618379067;

/* values: pressure, increment d, increment x, velocity. own: NULL: the halos are checked; else the pressure
 * at the own cells is put there. */
static void beyond_part(struct kernel_case *c, struct part *p, int bodies, int two, double *const values[4],
                        const double *pressure, double *own)
{
    struct level_input in;
    struct level_case level;
    struct level_part l;
    level_of(c, 0, &in, &level);
    level_part_open(&level, p->d.offset, p->d.n, &l);
    l.around = 0; /* all of the halo is filled */
    struct stencil s = grid_stencil(&p->g, LOC_CCC, 0, 1);
    unsigned char *bits = open_bits(c->ref.n, p->d.offset, p->g.box);
    if (bodies) s.open = level_kernel(&l, bits, (size_t)p->g.box.size);
    const struct correction by = {.dts = (real)DTS, .mean = (real)MEAN_FULL};
    const struct level_sum phi = {l.lb,
                                  0,
                                  ALPHA_FULL,
                                  BETA_FULL,
                                  level_from(&l, values[1], 1, 0),
                                  two ? level_from(&l, values[2], 1, 0) : NULL};
    if (own != NULL) {
        real *u[3], *to = part_array(p);
        for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN, values[3]);
        CASE_TRUE(c, project_correct_single(p->g.box, s, by, phi, part_from(p, OWN, values[0]), to, u[X],
                                            u[Y], u[Z]) == KOL_OK);
        part_get(p, to, own);
    }
    for (int chosen = 0; chosen < 8 && own == NULL; ++chosen) {
        const unsigned faces = ((chosen & 1) != 0) << FACE_X_LOW | ((chosen & 2) != 0) << FACE_Y_LOW |
                               ((chosen & 4) != 0) << FACE_Z_LOW;
        for (int in_place = 0; in_place < 2; ++in_place) {
            real *from = part_from(p, OWN_LOW, values[0]), *to = in_place ? from : part_array(p);
            real *before = part_copy(p, to), *right = part_copy(p, part_from(p, OWN_LOW, pressure));
            CASE_TRUE(c, project_pressure_beyond(p->g.box, s.open, by.mean, faces, phi, from, to) == KOL_OK);
            real *found = part_copy(p, to);
            CASE_TRUE(c, beyond_wrong(p, faces, before, right, found) == 0);
            free(before);
            free(right);
            free(found);
            part_release(p);
        }
    }
    free(bits);
    part_release(p);
    level_part_close(&l);
    level_case_close(&level);
}

static void check_beyond(struct kernel_case *c)
{
    double *values[4] = {case_random(&c->ref, 51), level_values(c->count, 52), level_values(c->count, 53),
                         case_random(&c->ref, 54)};
    double *pressure = ref_new(&c->ref);
    for (int way = 0; way < 4; ++way) {
        for (struct part *p = c->part; p < c->part + c->size; ++p)
            beyond_part(c, p, way / 2, way % 2, values, NULL, pressure);
        for (struct part *p = c->part; p < c->part + c->size; ++p)
            beyond_part(c, p, way / 2, way % 2, values, pressure, NULL);
    }
    case_free(values, 4);
    case_free(&pressure, 1);
}

static void test_pressure_beyond_as_neighbours_have_it(void **state)
{
    (void)state;
    case_each(check_beyond);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps_like_reference),
        cmocka_unit_test(test_same_bits_in_any_cut_and_shape),
        cmocka_unit_test(test_correct_like_reference),
        cmocka_unit_test(test_pressure_beyond_as_neighbours_have_it),
    };
    return cmocka_run_group_tests_name("level_cg", tests, NULL, NULL);
}
