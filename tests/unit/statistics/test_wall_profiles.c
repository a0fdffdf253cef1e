/* Tests profiles between walls that are computed from plane averages of flows with known answers: single
 * Fourier modes on a sheared mean flow. Catches a moment about the wrong mean, a component or axis under
 * another's name, wall units with a wrong power, and the shear of a wall taken from its wrong side. */
#include <math.h>
#include <stdlib.h>
#include "solver/math/central_moments.h"
#include "solver/statistics/wall_profiles.h"
#include "tests/support/check.h"

enum { CELLS = 6, LEVELS = CELLS + 1 };
static const double NU = 0.02, SHEAR = 3;

/* Makes uniform cells between walls normal to `normal`. The lower wall is at rest, and the upper one moves
 * along a with the flow A = SHEAR z. */
static struct wall_profiles walls(int normal, struct input *in, struct grid *g, double *faces,
                                  double *centres)
{
    struct wall_profiles w;
    memset(in, 0, sizeof *in);
    memset(g, 0, sizeof *g);
    in->fluid.nu = NU;
    for (int k = 0; k <= CELLS; ++k) faces[k] = 0.5 * k;
    for (int k = 0; k < CELLS; ++k) centres[k] = 0.5 * k + 0.25;
    for (int d = 0; d < 3; ++d) {
        g->n_g[d] = CELLS;
        g->length[d] = 0.5 * CELLS;
        g->face[d] = faces;
        g->centre[d] = centres;
    }
    g->periodic[(normal + 1) % 3] = g->periodic[(normal + 2) % 3] = 1;
    in->boundary.face[2 * normal] = in->boundary.face[2 * normal + 1] = BOUNDARY_WALL;
    g->part_beyond[2 * normal] = g->part_beyond[2 * normal + 1] = 2; /* as grid_create says of such walls */
    in->boundary.velocity[2 * normal + 1][normal == X ? Y : X] = SHEAR * 0.5 * CELLS;
    assert_int_equal(profiles_create(in, g, &w), KOL_OK);
    return w;
}

/* Means over planes of A = SHEAR z + a cos(s), N = c cos(s + phase), B = b cos(2 s), P = q sin(s) of the same
 * angle s everywhere. */
static void modes(const struct wall_profiles *w, double a, double b, double c, double phase, double q,
                  double *mean)
{
    memset(mean, 0, sizeof *mean * (AVG_COUNT * LEVELS + PROFILE_EXTRAS));
    for (int k = 0; k < LEVELS; ++k) {
        const double u = k < CELLS ? SHEAR * w->centre[k] : 0;
        double *const m = mean + k;
        if (k < CELLS) {
            m[AVG_A * LEVELS] = u;
            m[AVG_AA * LEVELS] = u * u + a * a / 2;
            m[AVG_AAA * LEVELS] = u * u * u + 3 * u * a * a / 2;
            m[AVG_AAAA * LEVELS] = pow(u, 4) + 3 * u * u * a * a + 3 * pow(a, 4) / 8;
            m[AVG_BB * LEVELS] = b * b / 2;
            m[AVG_BBBB * LEVELS] = 3 * pow(b, 4) / 8;
            m[AVG_PP * LEVELS] = q * q / 2;
            m[AVG_OMEGA_N * LEVELS] = 0.5;
        }
        m[AVG_NN * LEVELS] = c * c / 2;
        m[AVG_NNNN * LEVELS] = 3 * pow(c, 4) / 8;
        m[AVG_AN * LEVELS] = a * c / 2 * cos(phase);
        m[AVG_OMEGA_B * LEVELS] = SHEAR * SHEAR + 2;
    }
    mean[AVG_COUNT * LEVELS] = 0.7;
}

static void check_direction(int normal)
{
    struct input in;
    struct grid g;
    double faces[LEVELS], centres[CELLS], mean[AVG_COUNT * LEVELS + PROFILE_EXTRAS];
    struct wall_profiles w = walls(normal, &in, &g, faces, centres);
    double *out = malloc(sizeof *out * (size_t)profiles_values(&w));
    const double a = 0.3, b = 0.2, c = 0.1, phase = 2.5, q = 0.4;
    modes(&w, a, b, c, phase, q, mean);
    profiles_derive(&w, mean, out);
    const double *scalar = out + 2 * PROFILES * LEVELS, u_tau = sqrt(NU * SHEAR);
#define AT(P, K)   out[PROFILE_##P * LEVELS + (K)]
#define PLUS(P, K) out[(PROFILES + PROFILE_##P) * LEVELS + (K)]
    for (int k = 0; k < CELLS; ++k) {
        CHECK_NEAR(AT(AA, k), a * a / 2, 1e-13);
        CHECK_NEAR(AT(A_RMS, k), a / sqrt(2), 1e-13);
        CHECK_NEAR(AT(A_SKEWNESS, k), 0, 1e-9);
        CHECK_NEAR(AT(A_FLATNESS, k), 1.5, 1e-8);
        CHECK_NEAR(AT(B_FLATNESS, k), 1.5, 1e-12);
        CHECK_NEAR(AT(P_RMS, k), q / sqrt(2), 1e-14);
        CHECK_NEAR(AT(K, k), (a * a + b * b + c * c) / 4, 1e-13);
        CHECK_NEAR(PLUS(AA, k), a * a / 2 / (u_tau * u_tau), 1e-11);
        CHECK_NEAR(PLUS(PP, k), q * q / 2 / pow(u_tau, 4), 1e-10);
        CHECK_NEAR(PLUS(OMEGA_N, k), sqrt(0.5) * NU / (u_tau * u_tau), 1e-12);
    }
    for (int k = 0; k < LEVELS; ++k) { /* the shear is the same everywhere, on both walls too */
        CHECK_NEAR(AT(DA, k), SHEAR, 1e-13);
        CHECK_NEAR(AT(OMEGA_B, k), sqrt(2), 1e-12);
        CHECK_NEAR(AT(AN, k), a * c / 2 * cos(phase), 1e-15);
        CHECK_NEAR(AT(N_FLATNESS, k), 1.5, 1e-12);
        CHECK_NEAR(AT(STRESS_TOTAL, k), NU * SHEAR - a * c / 2 * cos(phase), 1e-14);
        CHECK_NEAR(AT(STRESS_LINE, k), NU * SHEAR, 1e-14);
    }
    CHECK_NEAR(scalar[SCALAR_U_TAU], u_tau, 1e-14);
    CHECK_NEAR(scalar[SCALAR_RE_TAU], u_tau * 1.5 / NU, 1e-12);
    CHECK_NEAR(scalar[SCALAR_U_B], SHEAR * 1.5, 1e-13);
    CHECK_NEAR(scalar[SCALAR_STRESS_HIGH], -NU * SHEAR, 1e-14);
    CHECK_NEAR(scalar[SCALAR_FORCE], 0.7, 0);
    free(out);
    profiles_destroy(&w);
}

/* A wall below an open face: what is beyond that is in no mean, and the wall alone makes the friction. */
static void test_open(void **state)
{
    (void)state;
    struct input in;
    struct grid g;
    double faces[LEVELS], centres[CELLS], mean[AVG_COUNT * LEVELS + PROFILE_EXTRAS];
    struct wall_profiles walled = walls(Z, &in, &g, faces, centres), w;
    in.boundary.face[FACE_Z_HIGH] = BOUNDARY_INFLOW;
    assert_int_equal(profiles_create(&in, &g, &w), KOL_OK);
    double *out = malloc(sizeof *out * (size_t)profiles_values(&w));
    modes(&w, 0.3, 0.2, 0.1, 2.5, 0.4, mean);
    profiles_derive(&w, mean, out);
    static const int MISSING[] = {PROFILE_DA,
                                  PROFILE_DB,
                                  PROFILE_AN,
                                  PROFILE_OMEGA_A,
                                  PROFILE_OMEGA_B,
                                  PROFILE_STRESS_TOTAL,
                                  PROFILE_NN_BUDGET + BUDGET_DISSIPATION};
    for (size_t n = 0; n < sizeof MISSING / sizeof *MISSING; ++n) {
        const double *profile = out + MISSING[n] * LEVELS;
        assert_true(isnan(profile[CELLS]) && isfinite(profile[CELLS - 1]));
    }
    assert_true(isnan(AT(AA_BUDGET, CELLS - 1)) && isfinite(AT(AA_BUDGET, CELLS - 2)));
    assert_true(isnan(AT(K_BUDGET, CELLS - 1)) && isfinite(AT(K, CELLS - 1)));
    assert_int_equal(profile_is_there(&w, PROFILE_STRESS_LINE), 0);
    assert_int_equal(profile_is_there(&walled, PROFILE_STRESS_LINE), 1);
    CHECK_NEAR(out[2 * PROFILES * LEVELS + SCALAR_U_TAU], sqrt(NU * SHEAR), 1e-14);
    CHECK_NEAR(w.delta, 0.5 * CELLS, 0);
    free(out);
    profiles_destroy(&w);
    profiles_destroy(&walled);
}

static void test_modes(void **state)
{
    (void)state;
    for (int normal = X; normal <= Z; ++normal) check_direction(normal);
}

/* Names by the direction of the walls; pairs in the order u, v, w. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        int a, b, normal;
        const char *name[6];
    } CASE[] = {{X, Y, Z, {"U", "uw", "vw", "omega_z_rms", "dUdz", "ww_dissipation"}},
                {X, Z, Y, {"U", "uv", "vw", "omega_y_rms", "dUdy", "vv_dissipation"}},
                {Y, Z, X, {"V", "uv", "uw", "omega_x_rms", "dVdx", "uu_dissipation"}}};
    static const int PROFILE[] = {PROFILE_A,       PROFILE_AN, PROFILE_BN,
                                  PROFILE_OMEGA_N, PROFILE_DA, PROFILE_NN_BUDGET + BUDGET_DISSIPATION};
    for (size_t c = 0; c < sizeof CASE / sizeof *CASE; ++c) {
        const struct wall_profiles w = {.a = CASE[c].a, .b = CASE[c].b, .normal = CASE[c].normal};
        for (int n = 0; n < 6; ++n) {
            char name[64];
            profiles_name(&w, profile_table[PROFILE[n]].name, name, sizeof name);
            assert_string_equal(name, CASE[c].name[n]);
        }
    }
    const struct wall_profiles w = {.a = X, .b = Z, .normal = Y};
    char words[64];
    profiles_name(&w, "2 (u_tau/^B)^2, %A^3 along %1, %B^4", words, sizeof words);
    assert_string_equal(words, "2 (u_tau/W)^2, u^3 along x, w^4");
}

/* Tests the moments of a quantity that is 0 with weight 3/4 and 1 with weight 1/4, on top of a mean
 * velocity, in any unit. Its skewness is 2/sqrt(3) and its flatness 7/3. They are missing if the variance
 * is only rounding. */
static void test_central(void **state)
{
    (void)state;
    for (int unit = -12; unit <= 12; unit += 12) {
        for (int far = -1; far <= 5; far += 2) {
            const double size = pow(10, unit), u = pow(10, far) * (far > 0), mean = (u + 0.25) * size;
            double raw[4];
            for (int n = 1; n <= 4; ++n)
                raw[n - 1] = (0.75 * pow(u, n) + 0.25 * pow(u + 1, n)) * pow(size, n);
            const struct central c = central_moments(raw, raw[1]);
            const double small = 1e-15 * u * u * u + 1e-14;
            if (far < 5) CHECK_NEAR(c.skewness, 2 / sqrt(3), 10 * small);
            else assert_true(isnan(c.skewness));
            if (far < 3) CHECK_NEAR(c.flatness, 7. / 3, 100 * small * (u + 1));
            else assert_true(isnan(c.flatness));
            const double same[] = {mean, mean * mean, mean * mean * mean, pow(mean, 4)};
            assert_true(isnan(central_moments(same, mean * mean).flatness));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes), cmocka_unit_test(test_open),
                                       cmocka_unit_test(test_central), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests_name("wall profiles", tests, NULL, NULL);
}
