/* ranks: 1 */
/* Tests the error bars of averages against the true scatter: that of the means of many series. The series
 * are white noise, correlated over one step, smooth, oscillating with several rates of damping, oscillating
 * in a narrow band of frequencies, so that the mean consists of its ends, or sums of such series. They are
 * short and long, with any number of samples between two doublings of the batches. The errors are those of
 * the mean, and of a variance that follows from means. No choice of the estimator rests on the other series:
 * autoregressive with two memories, sums of a slow and a fast one, and the chaos of Lorenz. Catches errors
 * that take correlated batches for independent ones, that take an oscillation for a long memory, that
 * overlook how batches of an oscillation compensate each other, or that are right only on average over many
 * lengths. KOLMO_TEST_SEED=n takes other series. At the end comes the table of docs/statistics.md, "Error
 * bars": with KOLMO_TEST_LONG=1, else its longest series are left out, which take most of the time. */
#include <complex.h>
#include <stdlib.h>
#include "solver/statistics/batch_means.h"
#include "tests/support/check.h"

enum { SERIES = 400, OF_SHORT = 1200, SHORT_SAMPLES = 450, SEED_STEP = 1000003 };

/* Whether series of so many correlation times are tried. After 500 the batches have doubled several times;
 * in longer ones they only double again. */
static int has_time_for(double times)
{
    return times <= 500 || getenv("KOLMO_TEST_LONG") != NULL;
}

static unsigned long long seed_of_run(void)
{
    const char *text = getenv("KOLMO_TEST_SEED");
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

/* xorshift64*; normal numbers by twelve uniform ones. */
static double uniform(unsigned long long *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 2685821657736338717ULL >> 11) / 9007199254740992.0;
}

static double normal(unsigned long long *state)
{
    double sum = -6;
    for (int n = 0; n < 12; ++n) sum += uniform(state);
    return sum;
}

/* --- series, all of variance 1 --- */

enum kind { WHITE, AR1, SMOOTH, SWING, MIXED, GAUSS, TWO, NOISY, RATE, POLES, SLOW, LORENZ_X, LORENZ_Z };
enum { PAST = 256 };

/* time: the correlation time in samples. It is the integral of the correlation; for an oscillating series
 * it is the time in which the oscillation decays. quality: the number of radians by which the oscillation
 * advances in half a correlation time. past: numbers that are filtered, the latest one at `newest`; all of
 * them again PAST places further. */
struct series {
    enum kind kind;
    double time, quality;
    unsigned long long random;
    double one, two;
    double complex wave;
    double point[3];
    int newest, taps;
    double past[2 * PAST], filter[2][PAST];
};

static double autoregressive(double x, double phi, unsigned long long *random)
{
    return phi * x + sqrt(1 - phi * phi) * normal(random);
}

/* A filter of Gaussian shape, times an oscillation. The correlation is a Gaussian times this oscillation. So
 * almost nothing is left of the spectrum at frequency 0 if the quality is 2 or more. */
static void make_filter(struct series *s, double quality, double *filter)
{
    const double width = s->time / sqrt(M_PI);
    double square = 0;
    s->taps = 2 * (int)ceil(4 * width) + 1;
    assert_true(s->taps <= PAST);
    for (int n = 0; n < s->taps; ++n) {
        const double t = n - s->taps / 2;
        filter[n] = exp(-t * t / (2 * width * width)) * cos(2 * quality * t / s->time);
        square += filter[n] * filter[n];
    }
    for (int n = 0; n < s->taps; ++n) filter[n] /= sqrt(square);
}

/* Sums side by side, for each addition waits for the one before. */
static double filtered(const struct series *s, const double *filter)
{
    enum { SUMS = 8 };
    double part[SUMS] = {0}, sum = 0;
    const double *past = s->past + s->newest;
    int n = 0;
    for (; n + SUMS <= s->taps; n += SUMS)
        for (int m = 0; m < SUMS; ++m) part[m] += filter[n + m] * past[n + m];
    for (; n < s->taps; ++n) sum += filter[n] * past[n];
    for (int m = 0; m < SUMS; ++m) sum += part[m];
    return sum;
}

static double next_filtered(struct series *s)
{
    s->newest = (s->newest + PAST - 1) % PAST;
    s->past[s->newest] = s->past[s->newest + PAST] = normal(&s->random);
    const double x = filtered(s, s->filter[0]);
    if (s->kind == TWO) return sqrt(0.5) * (x + filtered(s, s->filter[1]));
    return s->kind == NOISY ? sqrt(0.9) * x + sqrt(0.1) * normal(&s->random) : x;
}

/* The rate of change at a point of the attractor of Lorenz (1963). */
static void find_rate(const double x[3], double rate[3])
{
    rate[0] = 10 * (x[1] - x[0]);
    rate[1] = x[0] * (28 - x[2]) - x[1];
    rate[2] = x[0] * x[1] - 8.0 / 3 * x[2];
}

/* One step of the midpoint rule in time. */
static void advance(double x[3], double dt)
{
    double rate[3], middle[3];
    find_rate(x, rate);
    for (int d = 0; d < 3; ++d) middle[d] = x[d] + dt / 2 * rate[d];
    find_rate(middle, rate);
    for (int d = 0; d < 3; ++d) x[d] += dt * rate[d];
}

/* Series on which no choice of the estimator rests. The correlation time of x of Lorenz's system is 0.52 of
 * its units; z oscillates with a period of 0.75, and the oscillation decays within about 1. */
static double next_other(struct series *s)
{
    const double unit = 0.52;
    enum { PARTS = 10 };
    if (s->kind == POLES) { /* memories of 0.8 and 0.2 of the correlation time */
        s->one = autoregressive(s->one, exp(-1 / (0.8 * s->time)), &s->random);
        return s->two = exp(-1 / (0.2 * s->time)) * s->two + s->one;
    }
    if (s->kind == SLOW) { /* 0.3 of the variance is ten times slower than the rest */
        const double slow = s->time / 0.37;
        s->one = autoregressive(s->one, exp(-1 / slow), &s->random);
        s->two = autoregressive(s->two, exp(-10 / slow), &s->random);
        return sqrt(0.3) * s->one + sqrt(0.7) * s->two;
    }
    for (int n = 0; n < PARTS; ++n) advance(s->point, unit / s->time / PARTS);
    return s->kind == LORENZ_X ? s->point[0] : s->point[2];
}

static double next(struct series *s)
{
    if (s->kind >= POLES) return next_other(s);
    if (s->kind >= GAUSS && s->kind <= NOISY) return next_filtered(s);
    const double phi = exp(-1 / s->time), twice = exp(-2 / s->time);
    if (s->kind == WHITE) return normal(&s->random);
    if (s->kind == SWING) {
        const double complex turn = phi * cexp(2 * I * s->quality / s->time);
        const double kick = sqrt(1 - phi * phi);
        s->wave = turn * s->wave + kick * normal(&s->random);
        s->wave += I * kick * normal(&s->random);
        return creal(s->wave);
    }
    if (s->kind == SMOOTH ||
        s->kind == RATE) { /* a filter of a filter; its variance is that of (1 + phi^2)/(1 - phi^2)^2 */
        s->one = autoregressive(s->one, twice, &s->random);
        const double before = s->two;
        s->two = twice * s->two + s->one;
        if (s->kind == RATE) return (s->two - before) * (1 - twice * twice);
        return s->two * (1 - twice * twice) / sqrt(1 + twice * twice);
    }
    s->one = autoregressive(s->one, phi, &s->random);
    return s->kind == AR1 ? s->one : sqrt(0.5) * (s->one + normal(&s->random));
}

static struct series begin(enum kind kind, double time, double quality, unsigned long long seed)
{
    struct series s = {.kind = kind, .time = time, .quality = quality};
    s.random = (seed + 1) * 0x9E3779B97F4A7C15ULL;
    if (kind >= GAUSS && kind <= NOISY) make_filter(&s, quality, s.filter[0]);
    if (kind == TWO) make_filter(&s, 2.7 * quality, s.filter[1]);
    for (int d = 0; d < 3; ++d) s.point[d] = 5 * normal(&s.random) + 10;
    const double past = kind >= LORENZ_X ? 150 : 20; /* an orbit may stay long near a fixed point */
    for (int n = 0; n < past * time + 20; ++n) next(&s);
    return s;
}

/* --- claimed over actual --- */

enum { MEAN, VARIANCE, QUANTITIES };

static void derive(const void *context, const double *mean, double *quantity)
{
    (void)context;
    quantity[MEAN] = mean[0];
    quantity[VARIANCE] = mean[1] - mean[0] * mean[0];
}

/* rms of the claimed errors over the standard deviation of the quantities. Returns the standard deviation of
 * the claimed error of the mean, over this error. */
static double find_ratios(enum kind kind, double time, double quality, int samples, int most,
                          unsigned long long seed, double ratio[QUANTITIES])
{
    const int all = samples <= SHORT_SAMPLES ? OF_SHORT : SERIES;
    double plain = 0, claimed[QUANTITIES] = {0}, sum[QUANTITIES] = {0}, square[QUANTITIES] = {0};
    for (int r = 0; r < all; ++r) {
        struct series s = begin(kind, time, quality, seed * SEED_STEP + (unsigned long long)r);
        struct batch_means *b = NULL;
        double mean[2], value[QUANTITIES], error[QUANTITIES];
        assert_int_equal(batch_means_create(NULL, 2, most, &b), KOL_OK);
        for (int n = 0; n < samples; ++n) {
            const double x = next(&s), sample[2] = {x, x * x};
            batch_means_add(b, n, sample);
        }
        batch_means_mean(b, mean);
        derive(NULL, mean, value);
        assert_int_equal(batch_means_errors(b, derive, NULL, QUANTITIES, error), KOL_OK);
        batch_means_destroy(&b);
        plain += error[MEAN] / all;
        for (int q = 0; q < QUANTITIES; ++q) {
            claimed[q] += error[q] * error[q] / all;
            sum[q] += value[q] / all;
            square[q] += value[q] * value[q] / all;
        }
    }
    for (int q = 0; q < QUANTITIES; ++q) ratio[q] = sqrt(claimed[q] / (square[q] - sum[q] * sum[q]));
    return sqrt(claimed[MEAN] - plain * plain) / plain;
}

static const struct {
    const char *name;
    enum kind kind;
    double quality;
    int narrow; /* whether almost nothing is left of its spectrum at frequency 0 */
} KIND[] = {{"white", WHITE, 0, 0},
            {"AR(1)", AR1, 0, 0},
            {"smooth", SMOOTH, 0, 0},
            {"AR(1) and white", MIXED, 0, 0},
            {"swing, Q 1/2", SWING, 0.5, 0},
            {"swing, Q 1", SWING, 1, 0},
            {"swing, Q 3", SWING, 3, 0},
            {"swing, Q 5", SWING, 5, 0},
            {"swing, Q 10", SWING, 10, 0},
            {"swing, Q 16", SWING, 16, 0},
            {"Gaussian", GAUSS, 0, 0},
            {"Gaussian swing, Q 1", GAUSS, 1, 0},
            {"Gaussian swing, Q 2", GAUSS, 2, 1},
            {"Gaussian swing, Q 3", GAUSS, 3, 1},
            {"Gaussian swing, Q 5", GAUSS, 5, 1},
            {"two Gaussian swings, Q 2 and 5.4", TWO, 2, 1},
            {"Gaussian swing, Q 3, and white", NOISY, 3, 1}};
enum { ALL_KINDS = sizeof KIND / sizeof *KIND };

/* The table: of each kind, and of rates of change behind them, the ranges of claimed over actual for lengths
 * up to 20, up to 101 and above. of_errors: how much errors scatter that come from many and from few
 * batches. */
enum { SPANS = 3, ROWS = ALL_KINDS + 1 };
struct spread {
    double least, most;
};
static struct spread table[ROWS][SPANS], of_errors[2];

static void widen(struct spread *r, double x)
{
    r->least = r->most > 0 ? fmin(r->least, x) : x;
    r->most = fmax(r->most, x);
}

static void note(int row, double times, double ratio)
{
    widen(&table[row][times <= 20 ? 0 : times <= 101 ? 1 : 2], ratio);
}

static void print_table(void)
{
    for (int row = 0; row < ROWS; ++row) {
        char text[256];
        int used = snprintf(text, sizeof text, "| %s |", row < ALL_KINDS ? KIND[row].name : "rate of change");
        for (int n = 0; n < SPANS; ++n) {
            const struct spread r = table[row][n];
            if (r.most > 0)
                used += snprintf(text + used, sizeof text - (size_t)used, " %.2f to %.2f |", r.least, r.most);
            else used += snprintf(text + used, sizeof text - (size_t)used, " |");
        }
        print_message("%s\n", text);
    }
    print_message("scatter of the errors themselves: %.2f to %.2f, with at most 16 batches %.2f to %.2f\n",
                  of_errors[0].least, of_errors[0].most, of_errors[1].least, of_errors[1].most);
}

/* bounds: of claimed over actual; narrow: the largest one of narrow bands. */
struct bounds {
    double low, high, narrow;
};

/* Samples at less than two in a period can turn an oscillation into a slow one. Those of high quality have
 * nearly two periods in a correlation time. */
static int is_tried(int k, double each)
{
    return !KIND[k].narrow || each >= 4;
}

/* Of all kinds, `times` correlation times of `each` samples. */
static void check_length(double times, double each, int most, struct bounds bounds)
{
    const int samples = (int)(times * each);
    double least = INFINITY, largest = 0;
    for (int k = 0; k < ALL_KINDS; ++k) {
        const double high = KIND[k].narrow ? bounds.narrow : bounds.high;
        double ratio[QUANTITIES];
        if (!is_tried(k, each)) continue;
        const double scatter =
            find_ratios(KIND[k].kind, each, KIND[k].quality, samples, most,
                        seed_of_run() * 4096 + (unsigned long long)(samples * ALL_KINDS + k), ratio);
        widen(&of_errors[most == BATCH_MEANS_FIELDS], scatter);
        if (most != BATCH_MEANS_FIELDS) note(k, times, ratio[MEAN]);
        least = fmin(least, ratio[MEAN]);
        largest = fmax(largest, ratio[MEAN]);
        if (!(ratio[MEAN] >= bounds.low && ratio[MEAN] <= high))
            print_error("%s, %g correlation times, %d samples, %d batches: claimed over actual %.3f\n",
                        KIND[k].name, times, samples, most, ratio[MEAN]);
        assert_true(ratio[MEAN] >= bounds.low && ratio[MEAN] <= high);
        /* a square of a normal number is not normal: its scatter is known less well */
        if (times >= 50 && KIND[k].kind != SWING && !KIND[k].narrow)
            CHECK_NEAR(log(ratio[VARIANCE]), 0, log(1.3));
    }
    print_message(
        "%6g correlation times, %6d samples, at most %d batches: claimed over actual %.2f to %.2f\n", times,
        samples, most, least, largest);
}

static const struct bounds LONG = {0.8, 1.25, 1.25}, SHORT = {0.7, 1.4, 1.4};

/* Lengths between two doublings, also of a number that is no multiple of the batches. */
static void test_lengths(void **state)
{
    (void)state;
    static const double TIMES[] = {50, 53.5, 61, 70, 87, 101, 200, 500, 2000};
    for (size_t n = 0; n < sizeof TIMES / sizeof *TIMES; ++n)
        if (has_time_for(TIMES[n])) check_length(TIMES[n], 4, 64, LONG);
}

/* Many and few samples in a correlation time. */
static void test_samples(void **state)
{
    (void)state;
    static const double EACH[] = {0.7, 1.7, 9, 20};
    for (size_t n = 0; n < sizeof EACH / sizeof *EACH; ++n) check_length(60, EACH[n], 64, LONG);
}

static void test_short(void **state)
{
    (void)state;
    static const double EACH[] = {2, 3.3, 8, 11, 20};
    for (size_t n = 0; n < sizeof EACH / sizeof *EACH; ++n) check_length(20, EACH[n], 64, SHORT);
}

/* As many batches as averages of fields over a cross-section have. From 8 to 15 batches it can't be told well
 * whether they compensate each other. */
static void test_fields(void **state)
{
    (void)state;
    static const double TIMES[] = {50, 66, 100, 333};
    for (size_t n = 0; n < sizeof TIMES / sizeof *TIMES; ++n)
        check_length(TIMES[n], 4, BATCH_MEANS_FIELDS, (struct bounds){0.8, 1.25, 2});
    check_length(20, 5, BATCH_MEANS_FIELDS, (struct bounds){0.7, 1.4, 2});
}

/* The rate of change of something bounded, as the total stress less its line: the mean is the difference of
 * its ends over the time between them. */
static void test_rates(void **state)
{
    (void)state;
    static const double TIMES[] = {50, 87, 200, 500, 2000};
    for (size_t n = 0; n < sizeof TIMES / sizeof *TIMES; ++n) {
        double ratio[QUANTITIES];
        find_ratios(RATE, 4, 0, (int)(4 * TIMES[n]), 64, seed_of_run() * 4096 + 99 + n, ratio);
        print_message("%6g correlation times, rate of change: claimed over actual %.2f\n", TIMES[n],
                      ratio[MEAN]);
        note(ALL_KINDS, TIMES[n], ratio[MEAN]);
        assert_true(ratio[MEAN] >= 0.8 && ratio[MEAN] <= (TIMES[n] < 200 ? 1.45 : 1.25));
    }
}

/* Series on which no choice of the estimator rests. */
static void test_others(void **state)
{
    (void)state;
    static const char *const NAME[] = {"two memories", "slow and fast", "Lorenz, x", "Lorenz, z"};
    static const double TIMES[] = {20, 53, 75, 200, 2000};
    for (int k = 0; k < 4; ++k)
        for (size_t n = 0; n < sizeof TIMES / sizeof *TIMES; ++n) {
            const struct bounds bounds = TIMES[n] < 50 ? SHORT : LONG;
            double ratio[QUANTITIES];
            if (!has_time_for(TIMES[n])) continue;
            find_ratios(POLES + (enum kind)k, 6, 0, (int)(6 * TIMES[n]), 64,
                        seed_of_run() * 4096 + 299 + 10 * (unsigned long long)k + n, ratio);
            print_message("%6g correlation times, %s: claimed over actual %.2f\n", TIMES[n], NAME[k],
                          ratio[MEAN]);
            assert_true(ratio[MEAN] >= bounds.low && ratio[MEAN] <= bounds.high);
        }
}

/* Averages over so few correlation times that batches hold less than one of them: the error is too small, and
 * docs/statistics.md says by how much. */
static void test_shortest(void **state)
{
    (void)state;
    static const struct {
        double times, low, high;
    } OF[] = {{10, 0.8, 0.95}, {7, 0.68, 0.87}};
    for (size_t n = 0; n < sizeof OF / sizeof *OF; ++n) {
        double ratio[QUANTITIES];
        find_ratios(AR1, 8, 0, (int)(8 * OF[n].times), 64, seed_of_run() * 4096 + 199 + n, ratio);
        print_message("%6g correlation times, AR(1): claimed over actual %.2f\n", OF[n].times, ratio[MEAN]);
        assert_true(ratio[MEAN] >= OF[n].low && ratio[MEAN] <= OF[n].high);
    }
    print_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_short),   cmocka_unit_test(test_fields),
                                       cmocka_unit_test(test_rates),   cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_shortest)};
    return cmocka_run_group_tests_name("errors of batches", tests, NULL, NULL);
}
