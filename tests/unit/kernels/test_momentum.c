/* Tests convection and diffusion of the velocity, and the source of the implicit step, against
 * tests/reference. Tests also what the discretisation promises: convection and rotation change no kinetic
 * energy, and momentum is conserved. Catches a wrong metric or neighbour on a stretched grid, a read beyond
 * faces and edges or of a value with weight 0, a write outside the own cells, and a cell that is computed
 * twice or left out if a sweep is divided into two calls. No MPI. */
#include <stdlib.h>
#include "kernels/momentum.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times
 * larger */
static const double BOUND = 100 * KOL_EPSILON;
static const double SENTINEL = -77.25;

struct velocity {
    double *u[3], *rhs[3], *got[3];
};

static void velocity_new(struct kernel_case *c, int solenoidal, struct velocity *v)
{
    if (solenoidal) case_solenoidal(&c->ref, 11, v->u);
    for (int a = 0; a < 3; ++a) {
        if (!solenoidal) v->u[a] = case_random(&c->ref, 1 + (unsigned)a);
        v->rhs[a] = ref_new(&c->ref);
        v->got[a] = ref_new(&c->ref);
    }
}

static void velocity_free(struct velocity *v)
{
    case_free(v->u, 3);
    case_free(v->rhs, 3);
    case_free(v->got, 3);
}

/* right-hand sides of every part, by the kernel, into v->got */
static void run_parts(struct kernel_case *c, double nu, struct velocity *v)
{
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3], *r[3], *before[3];
        for (int a = 0; a < 3; ++a) {
            u[a] = part_from(p, OWN_EDGES, v->u[a]);
            r[a] = part_filled(p, SENTINEL);
            before[a] = part_copy(p, r[a]);
        }
        CASE_TRUE(c, momentum_rhs(p->g.box, p->g.m, cells_all(), (real)nu, u[X], u[Y], u[Z], r[X], r[Y],
                                  r[Z]) == KOL_OK);
        for (int a = 0; a < 3; ++a) {
            part_get(p, r[a], v->got[a]);
            CASE_TRUE(c, part_changed(p, OWN, before[a], r[a]) == 0);
        }
    }
}

static void check_rhs(struct kernel_case *c)
{
    static const double viscosity[] = {0, 0.02, 1.5};
    for (int n = 0; n < 3; ++n) {
        struct velocity v;
        velocity_new(c, 0, &v);
        const double nu = (double)(real)viscosity[n];
        ref_momentum_rhs(&c->ref, nu, v.u, v.rhs);
        run_parts(c, nu, &v);
        for (int a = 0; a < 3; ++a) {
            const double most = check_max(v.rhs[a], NULL, c->count);
            CASE_BELOW(c, check_max(v.got[a], v.rhs[a], c->count), BOUND * most);
            CASE_TRUE(c, most > 0.1);
        }
        velocity_free(&v);
        for (int r = 0; r < c->size; ++r) part_release(&c->part[r]);
    }
}

static void test_rhs_like_reference(void **state)
{
    (void)state;
    case_each(check_rhs);
}

/* Sum of V u.conv(u), and of the magnitudes of its terms. */
static double convected_energy(const struct kernel_case *c, const struct velocity *v, double *terms)
{
    static const enum ref_location location[3] = {REF_FCC, REF_CFC, REF_CCF};
    long double sum = 0, most = 0;
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const long double f =
                (long double)case_volume(&c->ref, location[a], n) * v->u[a][n] * v->got[a][n];
            sum += f;
            most += fabsl(f);
        }
    }
    *terms = (double)most;
    return (double)sum;
}

static void check_energy(struct kernel_case *c)
{
    struct velocity v;
    double terms;
    velocity_new(c, 1, &v);
    run_parts(c, 0, &v);
    const double energy = convected_energy(c, &v, &terms);
    CASE_BELOW(c, fabs(energy), BOUND * terms);
    CASE_TRUE(c, terms > 0);
    velocity_free(&v);
}

static void test_convection_keeps_energy(void **state)
{
    (void)state;
    case_each(check_energy);
}

/* Without zero divergence convection changes the energy: the sum above does not vanish for any flow. */
static void test_energy_needs_zero_divergence(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    struct velocity v;
    double terms;
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    velocity_new(&c, 0, &v);
    run_parts(&c, 0, &v);
    const double energy = convected_energy(&c, &v, &terms);
    CASE_TRUE(&c, fabs(energy) > 1e-3 * terms);
    velocity_free(&v);
    case_close(&c);
}

/* Convection and diffusion only move momentum, whatever the divergence. */
static void check_momentum(struct kernel_case *c)
{
    static const enum ref_location location[3] = {REF_FCC, REF_CFC, REF_CCF};
    struct velocity v;
    velocity_new(c, 0, &v);
    run_parts(c, 0.25, &v);
    for (int a = 0; a < 3; ++a) {
        long double sum = 0, terms = 0;
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const long double f = (long double)case_volume(&c->ref, location[a], n) * v.got[a][n];
            sum += f;
            terms += fabsl(f);
        }
        CASE_BELOW(c, (double)fabsl(sum), BOUND * (double)terms);
    }
    velocity_free(&v);
}

static void test_momentum_is_kept(void **state)
{
    (void)state;
    case_each(check_momentum);
}

/* The fields of a stage: velocity, base, pressure, right-hand sides of the stage before. */
enum { VEL = 0, BASE = 3, PRESSURE = 6, OLD = 7, STAGE_FIELDS = 10 };
/* The frame of a stage. */
static const double TURN[3] = {0.75, -0.5, 1.25};
/* old is not there; it is written alone, and NaN before; it is read and written. The base is the velocity, or
 * not. */
enum memory_kind { FORGETS, KEEPS, USES, MEMORIES };
struct stage_case {
    struct stage weights;
    enum memory_kind memory;
    int own_base;
    double *field[STAGE_FIELDS], *rhs[3], *want[3];
};

static void stage_case_new(struct kernel_case *c, enum memory_kind memory, int own_base, int turns,
                           double without, struct stage_case *s)
{
    *s = (struct stage_case){.weights = {.nu = (real)0.02,
                                         .a = (real)0.75,
                                         .a_old = memory == USES ? (real)-0.375 : 0,
                                         .dts = (real)0.125,
                                         .without = (real)without},
                             .memory = memory,
                             .own_base = own_base};
    static const enum ref_location location[3] = {REF_FCC, REF_CFC, REF_CCF};
    for (int a = 0; a < 3 && turns; ++a) s->weights.turn[a] = (real)TURN[a];
    for (int n = 0; n < STAGE_FIELDS; ++n) s->field[n] = case_random(&c->ref, 40 + (unsigned)n);
    for (int a = 0; a < 3; ++a) {
        s->rhs[a] = ref_new(&c->ref);
        s->want[a] = ref_new(&c->ref);
    }
    ref_momentum_rhs(&c->ref, s->weights.nu, s->field + VEL, s->rhs);
    for (int a = 0; a < 3; ++a)
        ref_diffuse_z(&c->ref, location[a], -without * s->weights.nu, s->field[VEL + a], s->rhs[a]);
    if (turns) ref_turn(&c->ref, TURN, s->field + VEL, s->rhs);
    ref_predict(&c->ref, s->field + (own_base ? BASE : VEL), s->rhs, s->field + OLD, s->weights.a,
                s->weights.a_old, s->weights.dts, s->field[PRESSURE], s->want);
}

static void stage_case_free(struct stage_case *s)
{
    case_free(s->field, STAGE_FIELDS);
    case_free(s->rhs, 3);
    case_free(s->want, 3);
}

static double largest(const struct kernel_case *c, double *const f[3])
{
    double most = 0;
    for (int a = 0; a < 3; ++a) most = fmax(most, check_max(f[a], NULL, c->count));
    return most;
}

static void stage_part(struct kernel_case *c, struct part *p, const struct stage_case *s)
{
    real *vel[3], *base[3], *old[3], *out[3], *before_old[3], *before_out[3];
    for (int a = 0; a < 3; ++a) {
        vel[a] = part_from(p, OWN_EDGES, s->field[VEL + a]);
        base[a] = s->own_base ? part_from(p, OWN, s->field[BASE + a]) : vel[a];
        old[a] = part_from(p, s->memory == USES ? OWN : NOWHERE, s->field[OLD + a]);
        out[a] = part_filled(p, SENTINEL);
        before_old[a] = part_copy(p, old[a]);
        before_out[a] = part_copy(p, out[a]);
    }
    const real *pressure = part_from(p, OWN_LOW, s->field[PRESSURE]);
    CASE_TRUE(c, momentum_stage(p->g.box, p->g.m, cells_all(), s->weights, vel, base, pressure,
                                s->memory == FORGETS ? NULL : old, out) == KOL_OK);
    for (int a = 0; a < 3; ++a) {
        const enum region kept = s->memory == FORGETS ? NOWHERE : OWN;
        CASE_BELOW(c, part_error(p, OWN, out[a], s->want[a]), BOUND * largest(c, s->want));
        CASE_BELOW(c, part_error(p, kept, old[a], s->rhs[a]), BOUND * largest(c, s->rhs));
        CASE_TRUE(c, part_changed(p, OWN, before_out[a], out[a]) == 0);
        CASE_TRUE(c, part_changed(p, kept, before_old[a], old[a]) == 0);
    }
    part_release(p);
}

/* Beside bodies: the same values, but 0 at the closed faces, where base holds anything. */
static void open_part(struct kernel_case *c, struct part *p, const struct stage_case *s)
{
    const struct box b = p->g.box;
    real *vel[3], *base[3], *old[2][3], *out[2][3], *host = malloc((size_t)b.size * sizeof *host);
    unsigned char *mask = calloc((size_t)b.size, 1);
    assert_true(host != NULL && mask != NULL);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                mask[at(b, i, j, k)] = (unsigned char)((unsigned)(7 * i + 13 * j + 29 * k) * 37u % 64u);
    unsigned char *const open = case_kernel_copy(mask, (size_t)b.size);
    const real *const pressure = part_from(p, OWN_LOW, s->field[PRESSURE]);
    for (int a = 0; a < 3; ++a) {
        vel[a] = part_from(p, OWN_EDGES, s->field[VEL + a]);
        base[a] = s->own_base ? part_from(p, OWN, s->field[BASE + a]) : vel[a];
        for (int n = 0; n < 2; ++n) {
            old[n][a] = part_from(p, s->memory == USES ? OWN : NOWHERE, s->field[OLD + a]);
            out[n][a] = part_filled(p, SENTINEL);
        }
    }
    CASE_TRUE(c, momentum_stage(b, p->g.m, cells_all(), s->weights, vel, base, pressure,
                                s->memory == FORGETS ? NULL : old[0], out[0]) == KOL_OK);
    for (int a = 0; a < 3 && s->own_base; ++a) {
        assert_int_equal(mem_to_host(host, base[a], (size_t)b.size * sizeof *host), KOL_OK);
        for (ptrdiff_t o = 0; o < b.size; ++o)
            if (!(mask[o] >> (2 * a) & 1)) host[o] = (real)NAN;
        assert_int_equal(mem_to_kernel(base[a], host, (size_t)b.size * sizeof *host), KOL_OK);
    }
    CASE_TRUE(c, momentum_stage_open(b, p->g.m, cells_all(), s->weights, open, vel, base, pressure,
                                     s->memory == FORGETS ? NULL : old[1], out[1]) == KOL_OK);
    for (int a = 0; a < 3; ++a) {
        double *const want = ref_new(&c->ref), *const kept = ref_new(&c->ref);
        assert_int_equal(mem_to_host(host, out[0][a], (size_t)b.size * sizeof *host), KOL_OK);
        for (ptrdiff_t o = 0; o < b.size; ++o)
            if (!(mask[o] >> (2 * a) & 1)) host[o] = 0;
        assert_int_equal(mem_to_kernel(out[0][a], host, (size_t)b.size * sizeof *host), KOL_OK);
        part_get(p, out[0][a], want);
        part_get(p, old[0][a], kept);
        CASE_BELOW(c, part_error(p, OWN, out[1][a], want), BOUND * largest(c, s->want));
        if (s->memory != FORGETS)
            CASE_BELOW(c, part_error(p, OWN, old[1][a], kept), BOUND * largest(c, s->rhs));
        case_free((double *[]){want, kept}, 2);
    }
    mem_kernel_free(open);
    free(mask);
    free(host);
    part_release(p);
}

static void check_stage(struct kernel_case *c)
{
    for (enum memory_kind memory = 0; memory < MEMORIES; ++memory) {
        for (int which = 0; which < 6; ++which) {
            struct stage_case s;
            const int turns = which / 2 == 1 || (which / 2 == 2 && memory == KEEPS);
            stage_case_new(c, memory, which % 2, turns, which / 2 == 2 ? 0.375 : 0, &s);
            for (struct part *p = c->part; p < c->part + c->size; ++p) {
                stage_part(c, p, &s);
                if (which / 2 < 2) open_part(c, p, &s);
            }
            stage_case_free(&s);
        }
    }
}

static void test_stage_like_reference(void **state)
{
    (void)state;
    case_each(check_stage);
}

/* What a turning frame adds, as the difference of two stages: it does no work, whatever the divergence. */
static void check_turn(struct kernel_case *c)
{
    static const enum ref_location location[3] = {REF_FCC, REF_CFC, REF_CCF};
    double *field[3], *kept[2][3];
    for (int a = 0; a < 3; ++a) {
        field[a] = case_random(&c->ref, 60 + (unsigned)a);
        for (int turns = 0; turns < 2; ++turns) kept[turns][a] = ref_new(&c->ref);
    }
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        for (int turns = 0; turns < 2; ++turns) {
            struct stage s = {.a = 1};
            real *vel[3], *old[3], *out[3], *zero = part_filled(p, 0);
            for (int a = 0; a < 3; ++a) {
                s.turn[a] = turns ? (real)TURN[a] : 0;
                vel[a] = part_from(p, OWN_EDGES, field[a]);
                old[a] = part_filled(p, SENTINEL);
                out[a] = part_filled(p, SENTINEL);
            }
            CASE_TRUE(c,
                      momentum_stage(p->g.box, p->g.m, cells_all(), s, vel, vel, zero, old, out) == KOL_OK);
            for (int a = 0; a < 3; ++a) part_get(p, old[a], kept[turns][a]);
        }
        part_release(p);
    }
    long double work = 0, terms = 0;
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const long double f = (long double)case_volume(&c->ref, location[a], n) * field[a][n] *
                                  (kept[1][a][n] - kept[0][a][n]);
            work += f;
            terms += fabsl(f);
        }
    }
    CASE_BELOW(c, (double)fabsl(work), BOUND * (double)terms);
    CASE_TRUE(c, terms > 0);
    for (int turns = 0; turns < 2; ++turns) case_free(kept[turns], 3);
    case_free(field, 3);
}

static void test_turning_does_no_work(void **state)
{
    (void)state;
    case_each(check_turn);
}

/* What a force in proportion to the fluctuation adds, as the difference of two stages. */
static void check_pull(struct kernel_case *c)
{
    const double pull = 0.75, mean[3] = {0.25, -0.5, 0.125};
    double *field[3], *kept[2][3];
    for (int a = 0; a < 3; ++a) {
        field[a] = case_random(&c->ref, 64 + (unsigned)a);
        for (int pulls = 0; pulls < 2; ++pulls) kept[pulls][a] = ref_new(&c->ref);
    }
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        for (int pulls = 0; pulls < 2; ++pulls) {
            struct stage s = {.a = 1, .pull = pulls ? (real)pull : 0};
            real *vel[3], *old[3], *out[3], *zero = part_filled(p, 0);
            for (int a = 0; a < 3; ++a) {
                s.mean[a] = (real)mean[a];
                vel[a] = part_from(p, OWN_EDGES, field[a]);
                old[a] = part_filled(p, SENTINEL);
                out[a] = part_filled(p, SENTINEL);
            }
            CASE_TRUE(c,
                      momentum_stage(p->g.box, p->g.m, cells_all(), s, vel, vel, zero, old, out) == KOL_OK);
            for (int a = 0; a < 3; ++a) part_get(p, old[a], kept[pulls][a]);
        }
        part_release(p);
    }
    for (int a = 0; a < 3; ++a) {
        double most = 0;
        for (ptrdiff_t n = 0; n < c->count; ++n)
            most = fmax(most, fabs(kept[1][a][n] - kept[0][a][n] - pull * (field[a][n] - mean[a])));
        CASE_BELOW(c, most, BOUND * check_max(kept[0][a], NULL, c->count));
    }
    for (int pulls = 0; pulls < 2; ++pulls) case_free(kept[pulls], 3);
    case_free(field, 3);
}

static void test_pull_is_proportional(void **state)
{
    (void)state;
    case_each(check_pull);
}

/* Own cells that a call has written into an array of the sentinel. */
static int written(const struct part *p, const real *array, char *where)
{
    const struct box b = p->g.box;
    int count = 0;
    real *host = part_copy(p, array);
    for (ptrdiff_t n = 0; n < b.size; ++n) {
        where[n] = host[n] != (real)SENTINEL;
        count += where[n];
    }
    free(host);
    return count;
}

/* Tests which cells are inner cells. The kernel chooses them, but each cell must belong either to the inner
 * cells or to the rim, and no inner cell may touch a remote face. */
static void check_cells_of(struct kernel_case *c, struct part *p, unsigned remote, double *const vel[3])
{
    const struct box b = p->g.box;
    real *u[3], *r[2][3];
    char *where[2] = {calloc((size_t)b.size, 1), calloc((size_t)b.size, 1)};
    for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN_EDGES, vel[a]);
    for (int which = 0; which < 2; ++which) {
        const struct cells cells = {which == 0 ? CELLS_INNER : CELLS_RIM, remote, 0};
        for (int a = 0; a < 3; ++a) r[which][a] = part_filled(p, SENTINEL);
        CASE_TRUE(c, momentum_rhs(b, p->g.m, cells, 0.5, u[X], u[Y], u[Z], r[which][X], r[which][Y],
                                  r[which][Z]) == KOL_OK);
    }
    for (int a = 0; a < 3; ++a) {
        const int cells = written(p, r[0][a], where[0]) + written(p, r[1][a], where[1]);
        int twice = 0, early = 0;
        CASE_TRUE(c, cells == b.nx * b.ny * b.nz);
        for (ptrdiff_t n = 0; n < b.size; ++n) twice += where[0][n] && where[1][n];
        CASE_TRUE(c, twice == 0);
        for (int k = 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i) {
                    const unsigned touched = (i == 0) << FACE_X_LOW | (i == b.nx - 1) << FACE_X_HIGH |
                                             (j == 0) << FACE_Y_LOW | (j == b.ny - 1) << FACE_Y_HIGH |
                                             (k == 0) << FACE_Z_LOW | (k == b.nz - 1) << FACE_Z_HIGH;
                    early += where[0][at(b, i, j, k)] && (touched & remote) != 0;
                }
        CASE_TRUE(c, early == 0);
    }
    for (int which = 0; which < 2; ++which) free(where[which]);
    part_release(p);
}

static void check_cells(struct kernel_case *c)
{
    struct velocity v;
    velocity_new(c, 0, &v);
    for (unsigned remote = 0; remote < 1U << FACES; ++remote) check_cells_of(c, &c->part[0], remote, v.u);
    velocity_free(&v);
}

/* Tests a grid with three tiles of the CUDA backend in each direction, the last of which have one layer. So
 * there are some inner cells in the middle. */
static void test_cells_between_tiles(void **state)
{
    (void)state;
    static const struct case_input tiles = {
        "tiles", {66, 9, 65}, {STRETCHING_UNIFORM, STRETCHING_UNIFORM, STRETCHING_UNIFORM}, {0, 0, 0}};
    static const unsigned remote[] = {0x3f, 0x15, 0x2a, 0x0c};
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    struct velocity v;
    case_open(&tiles, whole, &c);
    velocity_new(&c, 0, &v);
    for (size_t n = 0; n < sizeof remote / sizeof *remote; ++n)
        check_cells_of(&c, &c.part[0], remote[n], v.u);
    velocity_free(&v);
    case_close(&c);
}

static void test_each_cell_is_inner_or_rim(void **state)
{
    (void)state;
    case_each(check_cells);
}

/* stencil_source with faces only; the stencil's shift and scale have no influence. based: 0: without base. */
static void check_source_of(struct kernel_case *c, int based)
{
    double *base = case_random(&c->ref, 5), *x = case_random(&c->ref, 6), *want = ref_new(&c->ref),
           *got = ref_new(&c->ref);
    const double factor = (double)(real)0.037;
    for (int loc = LOC_CCC; loc <= LOC_CCF; ++loc) {
        for (ptrdiff_t n = 0; n < c->count; ++n) want[n] = based ? base[n] : 0;
        ref_diffuse(&c->ref, (enum ref_location)loc, factor, x, want);
        for (ptrdiff_t n = 0; n < c->count; ++n) want[n] *= case_volume(&c->ref, (enum ref_location)loc, n);
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *y = part_filled(p, SENTINEL), *before = part_copy(p, y);
            const struct stencil s = grid_stencil(&p->g, (enum location)loc, 3, 7);
            CASE_TRUE(c, stencil_source(p->g.box, s, (real)factor, based ? part_from(p, OWN, base) : NULL,
                                        part_from(p, OWN_FACES, x), y) == KOL_OK);
            part_get(p, y, got);
            CASE_TRUE(c, part_changed(p, OWN, before, y) == 0);
        }
        CASE_BELOW(c, check_max(got, want, c->count), BOUND * check_max(want, NULL, c->count));
    }
    case_free((double *[]){base, x, want, got}, 4);
}

static void check_source(struct kernel_case *c)
{
    check_source_of(c, 1);
    check_source_of(c, 0);
}

static void test_source_like_reference(void **state)
{
    (void)state;
    case_each(check_source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rhs_like_reference),   cmocka_unit_test(test_convection_keeps_energy),
        cmocka_unit_test(test_momentum_is_kept),     cmocka_unit_test(test_energy_needs_zero_divergence),
        cmocka_unit_test(test_stage_like_reference), cmocka_unit_test(test_each_cell_is_inner_or_rim),
        cmocka_unit_test(test_cells_between_tiles),  cmocka_unit_test(test_source_like_reference),
        cmocka_unit_test(test_turning_does_no_work), cmocka_unit_test(test_pull_is_proportional),
    };
    return cmocka_run_group_tests_name("momentum", tests, NULL, NULL);
}
