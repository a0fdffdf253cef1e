/* ranks: 1 */
/* Tests the error bars of averages against the true scatter: that of the means of many series. The series
 * are white noise, correlated over one step, smooth, oscillating with several rates of damping, or sums of
 * slow and quick series. They are short and long, with any number of samples between two doublings of the
 * batches. The errors are those of the mean, and of a variance that follows from means. Catches errors that
 * take correlated batches for independent ones, that take an oscillation for a long memory, or that are
 * right only on average over many lengths. KOLMO_TEST_SEED=n takes other series. */
#include <complex.h>
#include <stdlib.h>
#include "solver/statistics/batch_means.h"
#include "tests/support/check.h"

enum { SERIES = 400, SEED_STEP = 1000003 };

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

enum kind { WHITE, AR1, SMOOTH, SWING, MIXED, KINDS };

/* time: the correlation time in samples. It is the integral of the correlation; for an oscillating series
 * it is the time in which the oscillation decays. quality: the number of radians by which the oscillation
 * advances in two correlation times. */
struct series {
    enum kind kind;
    double time, quality;
    unsigned long long random;
    double one, two;
    double complex wave;
};

static double autoregressive(double x, double phi, unsigned long long *random)
{
    return phi * x + sqrt(1 - phi * phi) * normal(random);
}

static double next(struct series *s)
{
    const double phi = exp(-1 / s->time), twice = exp(-2 / s->time);
    if (s->kind == WHITE) return normal(&s->random);
    if (s->kind == SWING) {
        const double complex turn = phi * cexp(2 * I * s->quality / s->time);
        const double kick = sqrt(1 - phi * phi);
        s->wave = turn * s->wave + kick * normal(&s->random);
        s->wave += I * kick * normal(&s->random);
        return creal(s->wave);
    }
    if (s->kind == SMOOTH) { /* a filter of a filter; its variance is that of (1 + phi^2)/(1 - phi^2)^2 */
        s->one = autoregressive(s->one, twice, &s->random);
        s->two = twice * s->two + s->one;
        return s->two * (1 - twice * twice) / sqrt(1 + twice * twice);
    }
    s->one = autoregressive(s->one, phi, &s->random);
    return s->kind == AR1 ? s->one : sqrt(0.5) * (s->one + normal(&s->random));
}

static struct series begin(enum kind kind, double time, double quality, unsigned long long seed)
{
    struct series s = {.kind = kind, .time = time, .quality = quality};
    s.random = (seed + 1) * 0x9E3779B97F4A7C15ULL;
    for (int n = 0; n < 20 * time + 20; ++n) next(&s);
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

/* rms of the claimed errors over the standard deviation of the quantities. */
static void find_ratios(enum kind kind, double time, double quality, int samples, int most,
                        unsigned long long seed, double ratio[QUANTITIES])
{
    double claimed[QUANTITIES] = {0}, sum[QUANTITIES] = {0}, square[QUANTITIES] = {0};
    for (int r = 0; r < SERIES; ++r) {
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
        for (int q = 0; q < QUANTITIES; ++q) {
            claimed[q] += error[q] * error[q] / SERIES;
            sum[q] += value[q] / SERIES;
            square[q] += value[q] * value[q] / SERIES;
        }
    }
    for (int q = 0; q < QUANTITIES; ++q) ratio[q] = sqrt(claimed[q] / (square[q] - sum[q] * sum[q]));
}

static const struct {
    const char *name;
    enum kind kind;
    double quality;
} KIND[] = {{"white", WHITE, 0},          {"AR(1)", AR1, 0},
            {"smooth", SMOOTH, 0},        {"mixed", MIXED, 0},
            {"swing, Q 1/2", SWING, 0.5}, {"swing, Q 1", SWING, 1},
            {"swing, Q 3", SWING, 3},     {"swing, Q 5", SWING, 5},
            {"swing, Q 10", SWING, 10},   {"swing, Q 16", SWING, 16}};
enum { ALL_KINDS = sizeof KIND / sizeof *KIND };

/* Of all kinds, `times` correlation times of `each` samples. */
static void check_length(double times, double each, int most, double low, double high)
{
    const int samples = (int)(times * each);
    double least = INFINITY, largest = 0;
    for (int k = 0; k < ALL_KINDS; ++k) {
        double ratio[QUANTITIES];
        find_ratios(KIND[k].kind, each, KIND[k].quality, samples, most,
                    seed_of_run() * 4096 + (unsigned long long)(samples * ALL_KINDS + k), ratio);
        least = fmin(least, ratio[MEAN]);
        largest = fmax(largest, ratio[MEAN]);
        if (!(ratio[MEAN] >= low && ratio[MEAN] <= high))
            print_error("%s, %g correlation times, %d samples, %d batches: claimed over actual %.3f\n",
                        KIND[k].name, times, samples, most, ratio[MEAN]);
        assert_true(ratio[MEAN] >= low && ratio[MEAN] <= high);
        /* a square of a normal number is not normal: its scatter is known less well */
        if (times >= 50 && KIND[k].kind != SWING) CHECK_NEAR(log(ratio[VARIANCE]), 0, log(1.3));
    }
    print_message(
        "%6g correlation times, %6d samples, at most %d batches: claimed over actual %.2f to %.2f\n", times,
        samples, most, least, largest);
}

/* Lengths between two doublings, also of a number that is no multiple of the batches. */
static void test_lengths(void **state)
{
    (void)state;
    static const double TIMES[] = {50, 53.5, 61, 70, 87, 101, 200, 500, 2000};
    for (size_t n = 0; n < sizeof TIMES / sizeof *TIMES; ++n) check_length(TIMES[n], 4, 64, 0.8, 1.25);
}

/* Many and few samples in a correlation time. */
static void test_samples(void **state)
{
    (void)state;
    static const double EACH[] = {0.7, 1.7, 9, 20};
    for (size_t n = 0; n < sizeof EACH / sizeof *EACH; ++n) check_length(60, EACH[n], 64, 0.8, 1.25);
}

static void test_short(void **state)
{
    (void)state;
    static const double EACH[] = {2, 3.3, 8, 11, 20};
    for (size_t n = 0; n < sizeof EACH / sizeof *EACH; ++n) check_length(20, EACH[n], 64, 0.7, 1.4);
}

/* As many batches as averages of fields over a cross-section have. */
static void test_fields(void **state)
{
    (void)state;
    static const double TIMES[] = {50, 66, 100, 333};
    for (size_t n = 0; n < sizeof TIMES / sizeof *TIMES; ++n)
        check_length(TIMES[n], 3, BATCH_MEANS_FIELDS, 0.8, 1.25);
    check_length(20, 5, BATCH_MEANS_FIELDS, 0.7, 1.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_short), cmocka_unit_test(test_fields)};
    return cmocka_run_group_tests_name("errors of batches", tests, NULL, NULL);
}
