/* Tests fields over a cross-section that are computed from averages with known answers: single Fourier
 * modes along the homogeneous direction on a linear mean flow. Catches a moment about the wrong mean, a
 * component, axis or side under another's name, a share of a face that goes to the wrong cell, and a
 * gradient of the wrong sign.
 *
 * Also compares the average in kernel memory with that of the host. Catches a batch, a compensation or a
 * pair that goes to the wrong place, a state that is not completely stored or loaded, and a value that is
 * not finite and that no row reports.
 *
 * Also compares errors that are computed in strips with those of the complete section. Catches a row that
 * is taken from a neighbour which does not exist, a scale or u_tau of another average, and a batch too
 * many. */
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "solver/statistics/section_time_average.h"
#include "solver/statistics/section_errors.h"
#include "tests/support/check.h"

enum { WIDE = 5, HIGH = 19 }; /* errors are made in strips of 8 rows */
static const double NU = 0.02, STEP_A = 0.5, STEP_B = 0.09375;
/* Gradients of the mean: of S along a and b, of A along b, of B along a; means at the origin. */
static const double SA = 3, SB = -2, AB = 0.7, BA = -0.4, S0 = 1, A0 = 0.3, B0 = -0.2;
/* Amplitudes of cos(t), cos(t + ALPHA), cos(t + BETA) in S, A, B; of sin(t) in p; mean squares of the
 * gradients of the fluctuations. */
static const double S1 = 0.3, A1 = 0.2, B1 = 0.1, P1 = 0.4, ALPHA = 2.5, BETA = 0.6, SQUARE = 1.7;

struct frame {
    struct input in;
    struct grid g;
    double face[3][HIGH + 1], centre[3][HIGH];
    struct section_fields s;
};

static void make(int along, struct frame *f)
{
    memset(f, 0, sizeof *f);
    f->in.fluid.nu = NU;
    f->in.forcing.type = FORCING_PRESSURE_GRADIENT;
    f->in.forcing.direction = along;
    const int a = along == X ? Y : X, b = along == Z ? Y : Z;
    for (int d = 0; d < 3; ++d) {
        const int n = d == a ? WIDE : d == b ? HIGH : 1;
        const double step = d == a ? STEP_A : STEP_B;
        for (int k = 0; k <= n; ++k) f->face[d][k] = step * k;
        for (int k = 0; k < n; ++k) f->centre[d][k] = step * (k + 0.5);
        f->g.n_g[d] = n;
        f->g.length[d] = step * n;
        f->g.face[d] = f->face[d];
        f->g.centre[d] = f->centre[d];
        f->g.periodic[d] = d == along;
        for (int side = 0; side < 2 && d != along; ++side) f->in.boundary.face[2 * d + side] = BOUNDARY_WALL;
    }
    assert_int_equal(section_fields_create(&f->in, &f->g, &f->s), KOL_OK);
}

/* Raw moments one to four of u + amplitude cos(t). */
static void powers(double u, double amplitude, double m[4])
{
    const double v = amplitude * amplitude / 2;
    m[0] = u;
    m[1] = u * u + v;
    m[2] = u * u * u + 3 * u * v;
    m[3] = pow(u, 4) + 6 * u * u * v + 1.5 * v * v;
}

/* The sample at one place of sum q: coordinates x, y along a and b. */
static double sum_at(int q, double x, double y)
{
    double s[4], a[4], b[4];
    powers(S0 + SA * x + SB * y, S1, s);
    powers(A0 + AB * y, A1, a);
    powers(B0 + BA * x, B1, b);
    switch (q) {
    case LINE_SUM_S:
        return s[0];
    case LINE_SUM_SS:
        return s[1];
    case LINE_SUM_SSS:
        return s[2];
    case LINE_SUM_SSSS:
        return s[3];
    case LINE_SUM_A:
        return a[0];
    case LINE_SUM_AA:
    case LINE_SUM_FLUX_AA:
        return a[1];
    case LINE_SUM_AAA:
        return a[2];
    case LINE_SUM_AAAA:
        return a[3];
    case LINE_SUM_B:
        return b[0];
    case LINE_SUM_BB:
    case LINE_SUM_FLUX_BB:
        return b[1];
    case LINE_SUM_BBB:
        return b[2];
    case LINE_SUM_BBBB:
        return b[3];
    case LINE_SUM_P:
        return 0.9;
    case LINE_SUM_PP:
        return 0.9 * 0.9 + P1 * P1 / 2;
    case LINE_SUM_SA:
        return s[0] * a[0] + S1 * A1 / 2 * cos(ALPHA);
    case LINE_SUM_SB:
        return s[0] * b[0] + S1 * B1 / 2 * cos(BETA);
    case LINE_SUM_FLUX_AB:
    case LINE_SUM_FLUX_BA:
        return a[0] * b[0] + A1 * B1 / 2 * cos(ALPHA - BETA);
    case LINE_SUM_DSA:
        return SA;
    case LINE_SUM_DSB:
        return SB;
    case LINE_SUM_DAB:
        return AB;
    case LINE_SUM_DBA:
        return BA;
    case LINE_SUM_DSA2:
        return SA * SA + SQUARE;
    case LINE_SUM_DSB2:
        return SB * SB + SQUARE;
    case LINE_SUM_DAB2:
        return AB * AB + SQUARE;
    case LINE_SUM_DBA2:
        return BA * BA + SQUARE;
    case LINE_SUM_OMEGA_B:
        return SA * SA + 2;
    case LINE_SUM_OMEGA_A:
        return SB * SB + 3;
    case LINE_SUM_OMEGA_S:
        return (BA - AB) * (BA - AB) + 5;
    default:
        return SQUARE; /* gradients whose mean is 0 */
    }
}

static double *sample(const struct section_fields *s)
{
    double *mean = malloc(sizeof *mean * (size_t)s->sum_first[LINE_SUM_COUNT]);
    for (int q = 0; q < LINE_SUM_COUNT; ++q) {
        const struct section_sums_place p = section_sums_place(s->n_g, s->along, q);
        for (int j = 0; j < p.high; ++j)
            for (int i = 0; i < p.wide; ++i)
                mean[s->sum_first[q] + j * p.wide + i] = sum_at(q, STEP_A * (i + (p.wide > WIDE ? 0 : 0.5)),
                                                                STEP_B * (j + (p.high > HIGH ? 0 : 0.5)));
    }
    return mean;
}

static void check_everywhere(const struct section_fields *s, const double *out, int field, double value,
                             double bound)
{
    for (ptrdiff_t k = s->field_first[field]; k < s->field_first[field + 1]; ++k)
        CHECK_NEAR(out[k], value, bound);
}

/* Where no boundary is near: shares are whole. */
static void check_inside(const struct section_fields *s, const double *out, int field, double value)
{
    for (int j = 1; j < HIGH - 1; ++j)
        for (int i = 1; i < WIDE - 1; ++i)
            CHECK_NEAR(out[s->field_first[field] + j * WIDE + i], value, 1e-12);
}

static void check_fields(int along)
{
    struct frame f;
    make(along, &f);
    const struct section_fields *s = &f.s;
    double *mean = sample(s), *out = malloc(sizeof *out * (size_t)s->field_first[FIELDS]);
    const double sa = S1 * A1 / 2 * cos(ALPHA), sb = S1 * B1 / 2 * cos(BETA),
                 ab = A1 * B1 / 2 * cos(ALPHA - BETA);
    section_fields_derive(s, mean, out);
    check_everywhere(s, out, FIELD_SS, S1 * S1 / 2, 1e-13);
    check_everywhere(s, out, FIELD_AA, A1 * A1 / 2, 1e-13);
    check_everywhere(s, out, FIELD_BB, B1 * B1 / 2, 1e-13);
    check_everywhere(s, out, FIELD_P_RMS, P1 / sqrt(2), 1e-14);
    check_everywhere(s, out, FIELD_S_SKEWNESS, 0, 1e-9);
    check_everywhere(s, out, FIELD_A_FLATNESS, 1.5, 1e-9);
    check_everywhere(s, out, FIELD_B_FLATNESS, 1.5, 1e-9);
    check_everywhere(s, out, FIELD_SA, sa, 1e-14);
    check_everywhere(s, out, FIELD_SB, sb, 1e-14);
    check_everywhere(s, out, FIELD_AB, ab, 1e-14);
    check_everywhere(s, out, FIELD_OMEGA_S, along == Y ? AB - BA : BA - AB, 1e-14);
    check_everywhere(s, out, FIELD_OMEGA_S_RMS, sqrt(5), 1e-13);
    check_everywhere(s, out, FIELD_OMEGA_A_RMS, sqrt(3), 1e-13);
    check_everywhere(s, out, FIELD_OMEGA_B_RMS, sqrt(2), 1e-13);
    check_everywhere(s, out, FIELD_K, (S1 * S1 + A1 * A1 + B1 * B1) / 4, 1e-13);
    check_inside(s, out, FIELD_PRODUCTION, 0 - sa * SA - sb * SB - ab * (AB + BA));
    check_inside(s, out, FIELD_DISSIPATION, NU * 9 * SQUARE);
    /* at a wall in a half of two gradients lies on the wall, where the velocity through it is given: d/ds and
     * d/db of A */
    CHECK_NEAR(out[s->field_first[FIELD_DISSIPATION] + 2 * WIDE], NU * (9 - 2 * 0.5) * SQUARE, 1e-12);
    CHECK_NEAR(out[s->field_first[FIELD_PRODUCTION] + 2 * WIDE], 0 - sa * SA - sb * SB - ab * (0.5 * AB + BA),
               1e-13);
    free(mean);
    free(out);
    section_fields_destroy(&f.s);
}

static void test_fields(void **state)
{
    (void)state;
    for (int along = X; along <= Z; ++along) check_fields(along);
}

/* Lines on all four sides, one of which is made free slip; numbers that follow. */
static void test_numbers(void **state)
{
    (void)state;
    struct frame f;
    make(X, &f);
    section_fields_destroy(&f.s);
    f.in.boundary.face[FACE_Z_HIGH] = BOUNDARY_SLIP;
    assert_int_equal(section_fields_create(&f.in, &f.g, &f.s), KOL_OK);
    const struct section_fields *s = &f.s;
    const ptrdiff_t lines = s->line_first[LINES];
    double *mean = sample(s),
           *number = malloc(sizeof *number *
                            (size_t)(2 * lines + NUMBERS + SECTION_SCALARS + section_fields_few(s))),
           *out = number + lines + NUMBERS, *few = out + lines + SECTION_SCALARS;
    const double width = WIDE * STEP_A, height = HIGH * STEP_B, perimeter = width + 2 * height;
    static const double LINE[LINE_RMS] = {SA, -SA, SB, 0, BA, -BA, AB, 0};
    static const int COUNT[LINE_RMS] = {HIGH, HIGH, WIDE, WIDE, HIGH + 1, HIGH + 1, WIDE + 1, WIDE + 1};
    section_fields_numbers(s, mean, few, number);
    number[lines + NUMBER_FORCE] = 0.6;
    section_fields_derive_numbers(s, number, out);
    for (int n = 0; n < LINES; ++n) {
        const int line = n % LINE_RMS;
        const double rms = LINE[line] == 0 ? 0 : sqrt(SQUARE), value = n < LINE_RMS ? LINE[line] : rms;
        assert_int_equal(s->line_first[n + 1] - s->line_first[n], COUNT[line]);
        for (int k = 0; k < COUNT[line]; ++k) CHECK_NEAR(out[s->line_first[n] + k], NU * value, 1e-15);
    }
    const double u_tau = sqrt(NU * (2 * SA * height - SB * width) / perimeter),
                 bulk = S0 + SA * width / 2 + SB * height / 2;
    CHECK_NEAR(out[lines + SECTION_U_TAU], u_tau, 1e-14);
    CHECK_NEAR(out[lines + SECTION_U_B], bulk, 1e-13);
    CHECK_NEAR(out[lines + SECTION_RE_TAU], u_tau * width / 2 / NU, 1e-12);
    CHECK_NEAR(out[lines + SECTION_RE_B], bulk * 4 * width * height / perimeter / NU, 1e-10);
    CHECK_NEAR(out[lines + SECTION_FRICTION_FACTOR], 8 * pow(u_tau / bulk, 2), 1e-13);
    CHECK_NEAR(out[lines + SECTION_FORCE], 0.6, 0);
    free(mean);
    free(number);
    section_fields_destroy(&f.s);
}

/* Names by the homogeneous direction; pairs in the order u, v, w. */
static void test_names(void **state)
{
    (void)state;
    static const int FIELD[] = {FIELD_S, FIELD_SA, FIELD_SB, FIELD_AB, FIELD_OMEGA_S, FIELD_OMEGA_B_RMS};
    static const char *const NAME[3][6] = {{"U", "uv", "uw", "vw", "Omega_x", "omega_z_rms"},
                                           {"V", "uv", "vw", "uw", "Omega_y", "omega_z_rms"},
                                           {"W", "uw", "vw", "uv", "Omega_z", "omega_y_rms"}};
    for (int along = X; along <= Z; ++along) {
        const struct section_fields s = {.along = along, .a = along == X ? Y : X, .b = along == Z ? Y : Z};
        for (int n = 0; n < 6; ++n) {
            char name[64];
            section_fields_name(&s, section_field_entries[FIELD[n]].name, name, sizeof name);
            assert_string_equal(name, NAME[along][n]);
        }
    }
}

/* --- the average in kernel memory --- */

enum { SAMPLES = 45, TURN = 21 };

/* Values whose magnitudes differ: sums lose digits that the carries hold. */
static void random_sample(unsigned long long *state, ptrdiff_t values, double *sample)
{
    for (ptrdiff_t k = 0; k < values; ++k) {
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        sample[k] = ldexp((double)(*state >> 12) - 0x1p51, (int)(*state >> 5 & 31) - 60);
    }
}

static void give(struct section_time_average *a, const double *sample, ptrdiff_t values)
{
    assert_int_equal(mem_to_kernel(section_time_average_sample(a), sample, (size_t)values * sizeof *sample),
                     KOL_OK);
}

static void check_numbers(const struct section_fields *s, struct section_time_average *a,
                          const double *sample)
{
    const ptrdiff_t numbers = s->line_first[LINES] + NUMBERS, few = section_fields_few(s);
    double *right = calloc((size_t)(2 * numbers + few), sizeof *right), *out = right + numbers;
    int sound = 0;
    section_fields_numbers(s, sample, out + numbers, right);
    assert_int_equal(section_time_average_numbers(a, out, &sound), KOL_OK);
    assert_true(sound);
    assert_memory_equal(out, right, (size_t)numbers * sizeof *out);
    free(right);
}

/* The state in both, and the latest sample. */
static void check_state(struct section_time_average *a, struct batch_means *b,
                        const struct batch_means *right, const double *sample, ptrdiff_t values, double *room)
{
    const ptrdiff_t size = batch_means_state_size((int)values, batch_means_most(b));
    double *state = room + values, *wanted = state + size;
    assert_int_equal(section_time_average_fetch(a, b), KOL_OK);
    batch_means_store(b, state);
    batch_means_store(right, wanted);
    assert_int_equal(batch_means_count(b), batch_means_count(right));
    /* what is behind the complete batches is of no meaning: the current sum is from the last one on */
    const ptrdiff_t complete =
                        size - (batch_means_most(b) + BATCH_MEANS_BEHIND - batch_means_count(b)) * values,
                    behind = size - BATCH_MEANS_BEHIND * values;
    assert_memory_equal(state, wanted, (size_t)complete * sizeof *state);
    assert_memory_equal(state + behind, wanted + behind,
                        (size_t)(BATCH_MEANS_BEHIND * values) * sizeof *state);
    assert_memory_equal(batch_means_latest(b), sample, (size_t)values * sizeof *room);
}

/* From sample `first` on, after a stop there: a restart. */
static void average_on(const struct section_fields *s, struct batch_means *right, const double *state,
                       int first, int last, unsigned long long *random, double *sample, double *room)
{
    const ptrdiff_t values = s->sum_first[LINE_SUM_COUNT];
    struct section_time_average *a = NULL;
    struct batch_means *b = NULL;
    assert_int_equal(batch_means_create(NULL, (int)values, BATCH_MEANS_FIELDS, &b), KOL_OK);
    assert_int_equal(section_time_average_create(NULL, s, BATCH_MEANS_FIELDS, b, &a), KOL_OK);
    if (state != NULL) {
        assert_int_equal(batch_means_load(b, state), KOL_OK);
        assert_int_equal(section_time_average_put(a, b), KOL_OK);
        check_state(a, b, right, sample, values, room);
    }
    for (int n = first; n < last; ++n) {
        random_sample(random, values, sample);
        give(a, sample, values);
        check_numbers(s, a, sample);
        const double t = n + 0.4 * sin(n); /* intervals that vary */
        assert_int_equal(section_time_average_add(a, b, t), KOL_OK);
        batch_means_add(right, t, sample);
        if (n % 3 == 0 || n == last - 1) check_state(a, b, right, sample, values, room);
    }
    section_time_average_destroy(&a);
    batch_means_destroy(&b);
}

static void test_average(void **state)
{
    (void)state;
    unsigned long long random = 77;
    for (int along = X; along <= Z; ++along) {
        struct frame f;
        struct batch_means *right = NULL;
        make(along, &f);
        const ptrdiff_t values = f.s.sum_first[LINE_SUM_COUNT],
                        size = batch_means_state_size((int)values, BATCH_MEANS_FIELDS);
        double *sample = calloc((size_t)(2 * values + 3 * size), sizeof *sample), *room = sample + values,
               *stored = room + values + 2 * size;
        assert_int_equal(batch_means_create(NULL, (int)values, BATCH_MEANS_FIELDS, &right), KOL_OK);
        average_on(&f.s, right, NULL, 0, TURN, &random, sample, room);
        batch_means_store(right, stored);
        average_on(&f.s, right, stored, TURN, SAMPLES, &random, sample, room);
        assert_int_equal(batch_means_samples(right), SAMPLES);
        batch_means_destroy(&right);
        free(sample);
        section_fields_destroy(&f.s);
    }
}

/* Each value of a sample in turn is not finite. */
static void test_unsound(void **state)
{
    (void)state;
    static const double BAD[] = {NAN, INFINITY, -INFINITY};
    struct frame f;
    struct batch_means *b = NULL;
    struct section_time_average *a = NULL;
    make(Y, &f);
    const ptrdiff_t values = f.s.sum_first[LINE_SUM_COUNT];
    double *mean = sample(&f.s), *out = malloc(sizeof *out * (size_t)(f.s.line_first[LINES] + NUMBERS));
    int sound;
    assert_int_equal(batch_means_create(NULL, (int)values, BATCH_MEANS_FIELDS, &b), KOL_OK);
    assert_int_equal(section_time_average_create(NULL, &f.s, BATCH_MEANS_FIELDS, b, &a), KOL_OK);
    for (ptrdiff_t k = 0; k <= values; ++k) {
        const double was = k < values ? mean[k] : 0;
        if (k < values) mean[k] = BAD[k % 3];
        give(a, mean, values);
        assert_int_equal(section_time_average_numbers(a, out, &sound), KOL_OK);
        assert_int_equal(sound, k == values);
        if (k < values) mean[k] = was;
    }
    section_time_average_destroy(&a);
    batch_means_destroy(&b);
    free(mean);
    free(out);
    section_fields_destroy(&f.s);
}

/* --- errors --- */

/* As section_netcdf.c has them: fields, then those in wall units, of the whole section. */
static void derive_both(const void *context, const double *mean, double *out)
{
    const struct section_fields *s = context;
    const ptrdiff_t lines = s->line_first[LINES], values = s->field_first[FIELDS];
    double *few =
               calloc((size_t)(section_fields_few(s) + 2 * lines + NUMBERS + SECTION_SCALARS), sizeof *few),
           *line = few + section_fields_few(s), *number = line + lines + NUMBERS;
    section_fields_numbers(s, mean, few, line);
    section_fields_derive_numbers(s, line, number);
    section_fields_derive(s, mean, out);
    for (int n = 0; n < FIELDS; ++n) {
        const double unit = section_fields_wall_unit(s, n, number[lines + SECTION_U_TAU]);
        for (ptrdiff_t k = s->field_first[n]; k < s->field_first[n + 1]; ++k) out[values + k] = out[k] / unit;
    }
    free(few);
}

/* Of fields without a unit there are none in wall units. */
static void check_errors(const struct section_fields *s, const struct batch_means *b,
                         const struct batch_means *few)
{
    const ptrdiff_t values = s->field_first[FIELDS];
    double *error = malloc(6 * (size_t)values * sizeof *error), *right = error + 4 * values;
    assert_int_equal(batch_means_errors(b, derive_both, s, (int)(2 * values), right), KOL_OK);
    assert_int_equal(section_errors(s, b, error, error + values), KOL_OK);
    assert_int_equal(section_errors(s, b, error + 2 * values, NULL), KOL_OK);
    assert_memory_equal(error + 2 * values, right, (size_t)values * sizeof *error);
    for (int n = 0; n < FIELDS; ++n) {
        const ptrdiff_t first = s->field_first[n];
        const size_t bytes = (size_t)(s->field_first[n + 1] - first) * sizeof *error;
        const int unit = section_field_entries[n].velocity != 0 || section_field_entries[n].length != 0;
        assert_memory_equal(error + first, right + first, bytes);
        if (unit) assert_memory_equal(error + values + first, right + values + first, bytes);
        for (ptrdiff_t k = first; k < s->field_first[n + 1]; ++k)
            assert_true(unit || isnan(error[values + k]));
    }
    assert_int_equal(section_errors(s, few, error, error + values), KOL_OK);
    for (ptrdiff_t k = 0; k < 2 * values; ++k) assert_true(isnan(error[k]));
    free(error);
}

/* Makes samples in which the component A is 1e-7 in the first row of each strip, and the component S is 1e6
 * at one place of the section. Compared with the scale of the section, such an A is only rounding. If a
 * strip had a scale of its own, A would have a skewness there. */
static void make_rounding(const struct section_fields *s, double *sample)
{
    static const int SUM[] = {LINE_SUM_A, LINE_SUM_AA, LINE_SUM_AAA, LINE_SUM_AAAA};
    static const double TINY[] = {0, 1e-14, 1e-21, 1e-28};
    for (int j = 0; j < s->cells[1]; j += 8)
        for (int q = 0; q < 4; ++q) sample[s->sum_first[SUM[q]] + j * (WIDE + 1) + 1] = TINY[q];
    sample[s->sum_first[LINE_SUM_SS + 1] - 1] = 1e12;
}

/* Tests errors in sections that have fewer rows than a strip, exactly one strip, or several strips with a
 * rest of one row or of more. The samples are like those of a flow, and at some places they are only
 * rounding. */
static void test_errors(void **state)
{
    (void)state;
    static const int HIGHS[] = {1, 3, 7, 8, 9, 16, 17, HIGH};
    unsigned long long random = 5;
    for (int n = 0; n < 3 * (int)(sizeof HIGHS / sizeof *HIGHS); ++n) {
        struct frame f;
        struct section_fields *s = &f.s, low;
        struct batch_means *b[2] = {NULL, NULL};
        make(n % 3, &f);
        section_fields_strip(s, 0, HIGHS[n / 3], 0, &low);
        const ptrdiff_t values = low.sum_first[LINE_SUM_COUNT];
        double *mean = sample(s), *noise = malloc((size_t)values * sizeof *noise);
        for (int k = 0; k < 2; ++k)
            assert_int_equal(batch_means_create(NULL, (int)values, BATCH_MEANS_FIELDS, &b[k]), KOL_OK);
        for (int t = 0; t < BATCH_MEANS_FIELDS - 1; ++t) {
            for (ptrdiff_t k = 0; k < values; ++k) {
                random = random * 6364136223846793005ULL + 1442695040888963407ULL;
                noise[k] = mean[k] * (1 + 0.1 * ldexp((double)(random >> 12), -52));
            }
            make_rounding(&low, noise);
            batch_means_add(b[0], t, noise);
            if (t < BATCH_MEANS_LEAST - 1) batch_means_add(b[1], t, noise);
        }
        check_errors(&low, b[0], b[1]);
        for (int k = 0; k < 2; ++k) batch_means_destroy(&b[k]);
        free(noise);
        free(mean);
        section_fields_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields),  cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_names),   cmocka_unit_test(test_average),
                                       cmocka_unit_test(test_unsound), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
