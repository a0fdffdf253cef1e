/* Tests the divergence, the correction, the pressure and the diagnostics of a step against tests/reference.
 * Tests also the identities that make it a projection: the gradient is minus the transpose of the
 * divergence, and the Laplacian is the divergence of the gradient. The reported dissipation must be the
 * energy that the diffusion operator removes. No MPI. */
#include <stdlib.h>
#include <string.h>
#include "kernels/laplace.h"
#include "kernels/momentum.h"
#include "kernels/projection.h"
#include "kernels/volume_dot.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times
 * larger */
static const double BOUND = 100 * KOL_EPSILON;
static const double DTS = 0.125;
static const enum location FACE_LOCATION[3] = {LOC_FCC, LOC_CFC, LOC_CCF};
static const enum ref_location FACE[3] = {REF_FCC, REF_CFC, REF_CCF};

static void random_velocity(struct kernel_case *c, double *vel[3])
{
    for (int a = 0; a < 3; ++a) vel[a] = case_random(&c->ref, 20 + (unsigned)a);
}

/* rhs = -V div u / dts of every part, and its sums */
static void divergence(struct kernel_case *c, double *const vel[3], double dts, double *rhs, double sums[3])
{
    for (int n = 0; n < 3; ++n) sums[n] = 0;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct blocks bl = reduction_blocks(p->reduction);
        real *u[3], *f = part_filled(p, 5), *before = part_copy(p, f);
        for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN_HIGH, vel[a]);
        CASE_TRUE(c, project_divergence(p->g.box, p->g.m, bl, cells_all(), (real)dts, u[X], u[Y], u[Z], f) ==
                         KOL_OK);
        part_sums(p, 2, 1, sums);
        part_get(p, f, rhs);
        CASE_TRUE(c, part_changed(p, OWN, before, f) == 0);
        part_release(p);
    }
}

/* With the sum of a component of the velocity, the right-hand sides and their sums are the same. */
static void check_bulk(struct kernel_case *c)
{
    double *vel[3], *plain = ref_new(&c->ref), *got = ref_new(&c->ref), sums[3];
    random_velocity(c, vel);
    divergence(c, vel, DTS, plain, sums);
    for (int d = X; d <= Z; ++d) {
        double want = 0, with[4] = {0, 0, 0, 0}, size = 0;
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            const struct blocks bl = reduction_blocks(p->reduction);
            const struct stencil s = grid_stencil(&p->g, FACE_LOCATION[d], 0, 1);
            real *u[3], *f = part_filled(p, 5);
            for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN_HIGH, vel[a]);
            CASE_TRUE(c, volume_dot_weighted(p->g.box, bl, s, u[d]) == KOL_OK);
            part_sums(p, 1, 0, &want);
            CASE_TRUE(c, volume_dot_square(p->g.box, bl, s, u[d]) == KOL_OK);
            part_sums(p, 1, 0, &size);
            CASE_TRUE(c, project_divergence_bulk(p->g.box, p->g.m, bl, cells_all(), (real)DTS, u[X], u[Y],
                                                 u[Z], f, (struct bulk){d, s.wx, s.wy, s.wz}) == KOL_OK);
            part_sums(p, 3, 1, with);
            part_get(p, f, got);
            part_release(p);
        }
        CASE_BELOW(c, check_max(got, plain, c->count), BOUND * check_max(plain, NULL, c->count));
        for (int n = 0; n < 2; ++n) CASE_BELOW(c, fabs(with[n] - sums[n]), BOUND * sums[1]);
        CASE_BELOW(c, fabs(with[3] - sums[2]), BOUND * sums[2]);
        CASE_BELOW(c, fabs(with[2] - want), BOUND * size);
    }
    case_free(vel, 3);
    case_free((double *[]){plain, got}, 2);
}

static void test_bulk_beside_divergence(void **state)
{
    (void)state;
    case_each(check_bulk);
}

static void check_divergence(struct kernel_case *c)
{
    double *vel[3], *want = ref_new(&c->ref), *got = ref_new(&c->ref), sums[3];
    random_velocity(c, vel);
    const struct ref_rhs_sums ref = ref_rhs(&c->ref, DTS, vel, want);
    divergence(c, vel, DTS, got, sums);
    CASE_BELOW(c, check_max(got, want, c->count), BOUND * check_max(want, NULL, c->count));
    CASE_BELOW(c, fabs(sums[0] - ref.sum), BOUND * ref.sum_abs);
    CASE_BELOW(c, fabs(sums[1] - ref.sum_abs), BOUND * ref.sum_abs);
    CASE_BELOW(c, fabs(sums[2] - ref.div_max), BOUND * ref.div_max);
    case_free(vel, 3);
    /* a curl has none */
    const double size = ref.div_max;
    case_solenoidal(&c->ref, 31, vel);
    divergence(c, vel, DTS, got, sums);
    double most = 0;
    for (int a = 0; a < 3; ++a)
        for (ptrdiff_t n = 0; n < c->count; ++n) most = fmax(most, fabs(vel[a][n]));
    CASE_BELOW(c, sums[2], BOUND * most * size);
    case_free(vel, 3);
    case_free((double *[]){want, got}, 2);
}

static void test_divergence_like_reference(void **state)
{
    (void)state;
    case_each(check_divergence);
}

static struct stencil pressure_stencil(const struct part *p)
{
    return grid_stencil(&p->g, LOC_CCC, 0, 1);
}

/* u -= dts grad phi in every part */
static void correct(struct kernel_case *c, double dts, const double *phi, double *const vel[3])
{
    const struct correction a = {.dts = (real)dts, .mean = (real)NAN};
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3], *before[3];
        for (int d = 0; d < 3; ++d) {
            u[d] = part_from(p, OWN, vel[d]);
            before[d] = part_copy(p, u[d]);
        }
        CASE_TRUE(c, project_correct(p->g.box, pressure_stencil(p), a, part_from(p, OWN_LOW, phi), NULL, NULL,
                                     u[X], u[Y], u[Z]) == KOL_OK);
        for (int d = 0; d < 3; ++d) {
            part_get(p, u[d], vel[d]);
            CASE_TRUE(c, part_changed(p, OWN, before[d], u[d]) == 0);
        }
        part_release(p);
    }
}

static void check_correct(struct kernel_case *c)
{
    double *vel[3], *want[3], *phi = case_random(&c->ref, 24);
    random_velocity(c, vel);
    random_velocity(c, want);
    ref_correct(&c->ref, DTS, phi, want);
    correct(c, DTS, phi, vel);
    for (int a = 0; a < 3; ++a)
        CASE_BELOW(c, check_max(vel[a], want[a], c->count), BOUND * check_max(want[a], NULL, c->count));
    case_free(vel, 3);
    case_free(want, 3);
    free(phi);
}

static void test_correct_like_reference(void **state)
{
    (void)state;
    case_each(check_correct);
}

static const double SHIFT[3] = {0.5, -0.25, 0.75};

/* Factor of the shift of u and v at a global level, exact in `real`. */
static double profile_at(int k)
{
    return 0.25 + 0.125 * (k % 5);
}

static real *profile_of(struct part *p)
{
    const int n = p->g.box.nz;
    real *host = malloc((size_t)n * sizeof *host), *out = part_array(p); /* longer than a column */
    assert_non_null(host);
    for (int k = 0; k < n; ++k) host[k] = (real)profile_at(p->d.offset[Z] + k);
    assert_int_equal(mem_to_kernel(out, host, (size_t)n * sizeof *host), KOL_OK);
    free(host);
    return out;
}

/* velocity and pressure of a part in one sweep; the pressure in place or apart */
static void correct_part(struct kernel_case *c, struct part *p, double mean, double factor, int in_place,
                         int shaped, double *const field[5], double *const want[4])
{
    real *out[4], *before[4];
    const real *profile = shaped ? profile_of(p) : NULL;
    const real *phi = part_from(p, factor == 0 ? OWN_LOW : OWN_FACES, field[3]);
    real *old = part_from(p, OWN, field[4]), *before_old = part_copy(p, old);
    for (int a = 0; a < 3; ++a) out[a] = part_from(p, OWN, field[a]);
    out[3] = in_place ? old : part_filled(p, 5);
    for (int a = 0; a < 4; ++a) before[a] = part_copy(p, out[a]);
    const struct correction by = {.dts = (real)DTS,
                                  .mean = (real)mean,
                                  .factor = (real)factor,
                                  .shift = {(real)SHIFT[X], (real)SHIFT[Y], (real)SHIFT[Z]},
                                  .profile = profile};
    CASE_TRUE(c, project_correct(p->g.box, pressure_stencil(p), by, phi, old, out[3], out[X], out[Y],
                                 out[Z]) == KOL_OK);
    for (int a = 0; a < 4; ++a) {
        CASE_BELOW(c, part_error(p, OWN, out[a], want[a]), BOUND * check_max(want[a], NULL, c->count));
        CASE_TRUE(c, part_changed(p, OWN, before[a], out[a]) == 0);
    }
    CASE_TRUE(c, part_changed(p, in_place ? OWN : NOWHERE, before_old, old) == 0);
    part_release(p);
}

static void check_pressure(struct kernel_case *c)
{
    const double mean = (double)(real)0.3;
    const ptrdiff_t plane = (ptrdiff_t)c->in->n[X] * c->in->n[Y];
    for (int shaped = 0; shaped < 2; ++shaped) {
        double *field[5], *want[4];
        for (int n = 0; n < 5; ++n) field[n] = case_random(&c->ref, 22 + (unsigned)n);
        for (int a = 0; a < 3; ++a) want[a] = case_random(&c->ref, 22 + (unsigned)a);
        want[3] = ref_new(&c->ref);
        ref_correct(&c->ref, DTS, field[3], want);
        for (int a = 0; a < 3; ++a)
            for (ptrdiff_t n = 0; n < c->count; ++n)
                want[a][n] += SHIFT[a] * (shaped && a != Z ? profile_at((int)(n / plane)) : 1);
        for (int way = 0; way < 4; ++way) {
            const double factor = way < 2 ? 0 : 0.0625;
            ref_pressure(&c->ref, mean, factor, field[3], field[4], want[3]);
            for (struct part *p = c->part; p < c->part + c->size; ++p)
                correct_part(c, p, mean, factor, way % 2, shaped, field, want);
        }
        case_free(field, 5);
        case_free(want, 4);
    }
}

static void test_pressure_like_reference(void **state)
{
    (void)state;
    case_each(check_pressure);
}

/* phi . (V div u) = - sum over faces of V u . grad phi */
static void check_transpose(struct kernel_case *c)
{
    double *vel[3], *grad[3], *phi = case_random(&c->ref, 27), *rhs = ref_new(&c->ref), sums[3];
    random_velocity(c, vel);
    for (int a = 0; a < 3; ++a) grad[a] = ref_new(&c->ref);
    divergence(c, vel, 1, rhs, sums); /* -V div u */
    correct(c, -1, phi, grad);        /* grad phi */
    const double left = case_dot(c->count, phi, rhs);
    double right = 0, terms = 0;
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const double f = case_volume(&c->ref, FACE[a], n) * vel[a][n] * grad[a][n];
            right += f;
            terms += fabs(f);
        }
    }
    CASE_BELOW(c, fabs(left - right), BOUND * terms);
    CASE_TRUE(c, fabs(left) > 1e-3 * terms);
    case_free(vel, 3);
    case_free(grad, 3);
    case_free((double *[]){phi, rhs}, 2);
}

static void test_gradient_is_minus_transpose_of_divergence(void **state)
{
    (void)state;
    case_each(check_transpose);
}

/* -V div(grad phi) is what the solver's operator gives: else the projected field would keep a divergence */
static void check_laplacian(struct kernel_case *c)
{
    double *grad[3], *phi = case_random(&c->ref, 28), *rhs = ref_new(&c->ref), *ax = ref_new(&c->ref),
                     sums[3];
    for (int a = 0; a < 3; ++a) grad[a] = ref_new(&c->ref);
    correct(c, -1, phi, grad);
    divergence(c, grad, 1, rhs, sums);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *r = part_array(p);
        CASE_TRUE(c,
                  laplace_residual(p->g.box, pressure_stencil(p), reduction_blocks(p->reduction), cells_all(),
                                   0, part_filled(p, 0), part_from(p, OWN_FACES, phi), r) == KOL_OK);
        part_get(p, r, ax); /* -A phi */
        part_release(p);
    }
    for (ptrdiff_t n = 0; n < c->count; ++n) ax[n] = -ax[n];
    CASE_BELOW(c, check_max(rhs, ax, c->count), BOUND * check_max(ax, NULL, c->count));
    case_free(grad, 3);
    case_free((double *[]){phi, rhs, ax}, 3);
}

static void test_operator_is_divergence_of_gradient(void **state)
{
    (void)state;
    case_each(check_laplacian);
}

static void monitor(struct kernel_case *c, double *const vel[3], double mon[MON_COUNT])
{
    for (int n = 0; n < MON_COUNT; ++n) mon[n] = 0;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3];
        for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN_FACES, vel[a]);
        CASE_TRUE(c, project_monitor(p->g.box, p->g.m, walls_none(), reduction_blocks(p->reduction),
                                     cells_all(), u[X], u[Y], u[Z]) == KOL_OK);
        part_sums(p, MON_SUMS, MON_COUNT - MON_SUMS, mon);
        part_release(p);
    }
}

static void check_monitor(struct kernel_case *c)
{
    double *vel[3], mon[MON_COUNT];
    for (int kind = 0; kind < 2; ++kind) {
        if (kind == 0) random_velocity(c, vel);
        else case_solenoidal(&c->ref, 33, vel);
        const struct ref_monitored ref = ref_monitor(&c->ref, vel);
        monitor(c, vel, mon);
        CASE_BELOW(c, fabs(mon[MON_ENERGY] - ref.energy), BOUND * ref.energy);
        CASE_BELOW(c, fabs(mon[MON_DISS] - ref.dissipation), BOUND * ref.dissipation);
        CASE_BELOW(c, fabs(mon[MON_ENSTROPHY] - ref.enstrophy), BOUND * ref.enstrophy);
        for (int a = 0; a < 3; ++a)
            CASE_BELOW(c, fabs(mon[MON_MOM_X + a] - ref.momentum[a]), BOUND * ref.speed * 1.04);
        CASE_BELOW(c, fabs(mon[MON_COURANT] - ref.courant), BOUND * ref.courant);
        CASE_BELOW(c, fabs(mon[MON_DIV] - ref.div_max), BOUND * ref.courant);
        CASE_BELOW(c, fabs(mon[MON_SPEED] - ref.speed), 0);
        CASE_TRUE(c, ref.energy > 0 && ref.dissipation > 0 && ref.enstrophy > 0 && ref.courant > 0);
        case_free(vel, 3);
    }
}

static void test_monitor_like_reference(void **state)
{
    (void)state;
    case_each(check_monitor);
}

/* The limits have the bits of the monitor's numbers, in every block: a run restarted after a step whose
 * monitor left out the others goes on with the same time step. */
static void check_limits(struct kernel_case *c)
{
    static const int same[LIM_COUNT] = {
        [LIM_ENERGY] = MON_ENERGY, [LIM_MOM_X] = MON_MOM_X, [LIM_MOM_Y] = MON_MOM_Y,
        [LIM_MOM_Z] = MON_MOM_Z,   [LIM_DIV] = MON_DIV,     [LIM_COURANT] = MON_COURANT,
        [LIM_SPEED] = MON_SPEED};
    double *vel[3];
    random_velocity(c, vel);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct blocks bl = reduction_blocks(p->reduction);
        const size_t count = (size_t)blocks_count(bl);
        real *u[3];
        for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN_FACES, vel[a]);
        CASE_TRUE(c, project_monitor(p->g.box, p->g.m, walls_none(), bl, cells_all(), u[X], u[Y], u[Z]) ==
                         KOL_OK);
        double *all = part_blocks(p, MON_SUMS, MON_COUNT - MON_SUMS);
        for (int a = 0; a < 3; ++a) u[a] = part_from(p, OWN_HIGH, vel[a]);
        CASE_TRUE(c, project_limits(p->g.box, p->g.m, bl, cells_all(), u[X], u[Y], u[Z]) == KOL_OK);
        double *few = part_blocks(p, LIM_SUMS, LIM_COUNT - LIM_SUMS);
        for (int n = 0; n < LIM_COUNT; ++n)
            CASE_TRUE(
                c, memcmp(few + (size_t)n * count, all + (size_t)same[n] * count, count * sizeof *few) == 0);
        free(all);
        free(few);
        part_release(p);
    }
    case_free(vel, 3);
}

static void test_limits_like_monitor(void **state)
{
    (void)state;
    case_each(check_limits);
}

/* MON_DISS = - sum of u . V lap u, with the diffusion that the momentum equation uses */
static void check_dissipation(struct kernel_case *c)
{
    double *vel[3], *zero = ref_new(&c->ref), *lap = ref_new(&c->ref), mon[MON_COUNT], taken = 0;
    random_velocity(c, vel);
    monitor(c, vel, mon);
    for (int a = 0; a < 3; ++a) {
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *y = part_array(p);
            const struct stencil s = grid_stencil(&p->g, (enum location)(LOC_FCC + a), 0, 1);
            CASE_TRUE(c, stencil_source(p->g.box, s, 1, part_from(p, OWN, zero),
                                        part_from(p, OWN_FACES, vel[a]), y) == KOL_OK);
            part_get(p, y, lap);
            part_release(p);
        }
        taken -= case_dot(c->count, vel[a], lap);
    }
    CASE_BELOW(c, fabs(mon[MON_DISS] - taken), BOUND * taken);
    case_free(vel, 3);
    case_free((double *[]){zero, lap}, 2);
}

static void test_dissipation_is_what_diffusion_takes(void **state)
{
    (void)state;
    case_each(check_dissipation);
}

/* On a uniform grid, without divergence: dissipation / nu = 2 enstrophy. */
static void check_enstrophy(struct kernel_case *c)
{
    double *vel[3], mon[MON_COUNT];
    if (c->in != &case_inputs[CASE_UNIFORM]) return;
    case_solenoidal(&c->ref, 35, vel);
    monitor(c, vel, mon);
    CASE_BELOW(c, fabs(mon[MON_DISS] - 2 * mon[MON_ENSTROPHY]), BOUND * mon[MON_DISS]);
    CASE_TRUE(c, mon[MON_DISS] > 0);
    case_free(vel, 3);
}

static void test_dissipation_is_twice_enstrophy(void **state)
{
    (void)state;
    case_each(check_enstrophy);
}

/* one NaN in any own cell of any component is seen in the energy, in whatever lane and block it falls */
static void test_monitor_sees_nan(void **state)
{
    (void)state;
    static const int whole[3] = {1, 1, 1};
    struct kernel_case c;
    double *vel[3], mon[MON_COUNT];
    case_open(&case_inputs[CASE_STRETCHED], whole, &c);
    random_velocity(&c, vel);
    for (ptrdiff_t n = 0; n < c.count; n += 29) {
        double *const place = &vel[n % 3][n], kept = *place;
        *place = n % 2 ? NAN : -NAN;
        monitor(&c, vel, mon);
        CASE_TRUE(&c, isnan(mon[MON_ENERGY]));
        *place = INFINITY;
        monitor(&c, vel, mon);
        CASE_TRUE(&c, !isfinite(mon[MON_ENERGY]));
        *place = kept;
    }
    monitor(&c, vel, mon);
    CASE_TRUE(&c, isfinite(mon[MON_ENERGY]));
    case_free(vel, 3);
    case_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergence_like_reference),
        cmocka_unit_test(test_bulk_beside_divergence),
        cmocka_unit_test(test_correct_like_reference),
        cmocka_unit_test(test_pressure_like_reference),
        cmocka_unit_test(test_gradient_is_minus_transpose_of_divergence),
        cmocka_unit_test(test_operator_is_divergence_of_gradient),
        cmocka_unit_test(test_monitor_like_reference),
        cmocka_unit_test(test_limits_like_monitor),
        cmocka_unit_test(test_dissipation_is_what_diffusion_takes),
        cmocka_unit_test(test_dissipation_is_twice_enstrophy),
        cmocka_unit_test(test_monitor_sees_nan),
    };
    return cmocka_run_group_tests_name("project", tests, NULL, NULL);
}
