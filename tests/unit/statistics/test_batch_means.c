/* Tests averages over time: the mean of very many samples, the error bars of a correlated series and of a
 * function of the mean, and a state that is stored and loaded again. Catches a sum that loses digits,
 * errors that take correlated samples for independent ones, batches that are lost or counted twice when
 * they are joined, and a part of the state that is not stored. */
#include <float.h>
#include <stdlib.h>
#include "solver/statistics/batch_means.h"
#include "tests/support/check.h"

/* A generator of its own (Numerical Recipes' ranqd2, 64 bits), and normal numbers by twelve uniform ones. */
static double uniform(unsigned long long *state)
{
    *state ^= *state >> 21;
    *state ^= *state << 35;
    *state ^= *state >> 4;
    return (double)(*state * 2685821657736338717ULL >> 11) / 9007199254740992.0;
}

static double normal(unsigned long long *state)
{
    double sum = -6;
    for (int n = 0; n < 12; ++n) sum += uniform(state);
    return sum;
}

static void itself(const void *context, const double *mean, double *quantity)
{
    (void)context;
    quantity[0] = mean[0];
    quantity[1] = mean[1] - mean[0] * mean[0]; /* a variance, from raw moments */
}

/* errors: of an AR(1) series x = phi x + noise and of its variance; the means into mean[2]. */
static void series_errors(double phi, int samples, unsigned long long seed, double mean[2], double error[2])
{
    struct batch_means *b = NULL;
    unsigned long long state = seed * 0x9E3779B97F4A7C15ULL + 1;
    double x = normal(&state) / sqrt(1 - phi * phi), raw[2];
    assert_int_equal(batch_means_create(NULL, 2, BATCH_MEANS_MOST, &b), KOL_OK);
    for (int n = 0; n < samples; ++n) {
        const double sample[2] = {x, x * x};
        batch_means_add(b, n, sample);
        x = phi * x + normal(&state);
    }
    batch_means_mean(b, raw);
    itself(NULL, raw, mean);
    assert_int_equal(batch_means_errors(b, itself, NULL, 2, error), KOL_OK);
    batch_means_destroy(&b);
}

/* Squares of the errors that are claimed, and of those that there are. */
static void add_squares(const double mean[2], double variance, const double error[2], double claimed[2],
                        double square[2])
{
    const double right[2] = {0, variance};
    for (int q = 0; q < 2; ++q) {
        claimed[q] += error[q] * error[q];
        square[q] += (mean[q] - right[q]) * (mean[q] - right[q]);
    }
}

/* Tests error bars against the scatter over many series: that of the mean, which is known, and that of the
 * variance. */
static void test_ar1(void **state)
{
    (void)state;
    static const struct {
        double phi;
        int samples;
    } CASE[] = {{0, 500}, {0, 64}, {0.9, 3000}, {0.9, 40000}, {0.98, 20000}};
    enum { SERIES = 300 };
    for (size_t c = 0; c < sizeof CASE / sizeof *CASE; ++c) {
        const double phi = CASE[c].phi, variance = 1 / (1 - phi * phi);
        const double exact = sqrt(variance / CASE[c].samples * (1 + phi) / (1 - phi));
        double claimed[2] = {0, 0}, square[2] = {0, 0};
        for (int s = 0; s < SERIES; ++s) {
            double mean[2], error[2];
            series_errors(phi, CASE[c].samples, (unsigned long long)s + 1000 * c + 1, mean, error);
            add_squares(mean, variance, error, claimed, square);
        }
        /* of 300 series the scatter is known to 4 % */
        CHECK_NEAR(sqrt(claimed[0] / square[0]), 1, 0.15);
        CHECK_NEAR(sqrt(claimed[1] / square[1]), 1, 0.2);
        CHECK_NEAR(sqrt(claimed[0] / SERIES) / exact, 1, 0.1);
    }
}

/* A million samples of 1e8 + small numbers: plain addition would lose seven digits of what is left. */
static void test_many(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    struct batch_means *b = NULL;
    double mean;
    assert_int_equal(batch_means_create(NULL, 1, BATCH_MEANS_MOST, &b), KOL_OK);
    for (int n = 0; n < MANY; ++n) {
        const double sample = 1e8 + (n % 1000) * 1e-3;
        batch_means_add(b, n, &sample);
    }
    batch_means_mean(b, &mean);
    CHECK_NEAR(mean, 1e8 + 0.4995, 3e-8); /* two units in the last place */
    assert_int_equal(batch_means_samples(b), MANY);
    assert_true(batch_means_count(b) >= BATCH_MEANS_MOST / 2 && batch_means_count(b) < BATCH_MEANS_MOST);
    assert_true(batch_means_count(b) * batch_means_length(b) <= MANY);
    batch_means_destroy(&b);
}

static void test_few(void **state)
{
    (void)state;
    struct batch_means *b = NULL;
    double mean[2], error[2];
    const double sample[2] = {3, 9};
    assert_int_equal(batch_means_create(NULL, 2, BATCH_MEANS_MOST, &b), KOL_OK);
    for (int n = 0; n < BATCH_MEANS_LEAST; ++n) {
        assert_int_equal(batch_means_errors(b, itself, NULL, 2, error), KOL_OK);
        assert_true(isnan(error[0]) && isnan(error[1]));
        batch_means_add(b, n, sample);
    }
    assert_int_equal(batch_means_errors(b, itself, NULL, 2, error), KOL_OK);
    batch_means_mean(b, mean);
    CHECK_SAME(mean[0], 3.0);
    CHECK_BELOW(error[0], 1e-14);
    CHECK_BELOW(error[1], 1e-13);
    CHECK_SAME(batch_means_begin(b), 0.0);
    CHECK_SAME(batch_means_end(b), BATCH_MEANS_LEAST - 1.0);
    batch_means_destroy(&b);
}

/* An AR(1) series in one average and in pieces, each of its own average; the pieces merged. */
enum { PIECES = 5 };

static void fill_pieces(double phi, const int length[PIECES], unsigned long long seed,
                        struct batch_means *whole, struct batch_means *to)
{
    struct batch_means *piece[PIECES];
    unsigned long long state = seed * 0x9E3779B97F4A7C15ULL + 1;
    double x = normal(&state) / sqrt(1 - phi * phi), t = 3;
    for (int p = 0; p < PIECES; ++p) {
        assert_int_equal(batch_means_create(NULL, 2, BATCH_MEANS_MOST, &piece[p]), KOL_OK);
        for (int n = 0; n < length[p]; ++n, t += 0.5) {
            const double sample[2] = {x, x * x};
            batch_means_add(whole, t, sample);
            batch_means_add(piece[p], t, sample);
            x = phi * x + normal(&state);
        }
    }
    assert_int_equal(batch_means_merge(piece, PIECES, to), KOL_OK);
    for (int p = 0; p < PIECES; ++p) batch_means_destroy(&piece[p]);
}

/* Tests the merging of averages of equal and of very different lengths, for which batches are joined and
 * some samples are left over. The mean is that of the complete series, and the errors agree with the
 * scatter of the means. Catches samples that are lost or counted twice, and sums of batches of different
 * lengths. */
static void test_merge(void **state)
{
    (void)state;
    static const struct {
        double phi;
        int length[PIECES];
    } CASE[] = {{0, {100, 100, 100, 100, 100}},
                {0.9, {3000, 3000, 3000, 3000, 3000}},
                {0.9, {4100, 9000, 700, 5, 12000}},
                {0.9, {63, 64, 65, 1, 900}}};
    enum { SERIES = 300 };
    for (size_t c = 0; c < sizeof CASE / sizeof *CASE; ++c) {
        const double variance = 1 / (1 - CASE[c].phi * CASE[c].phi);
        double claimed[2] = {0, 0}, square[2] = {0, 0};
        for (int s = 0; s < SERIES; ++s) {
            struct batch_means *whole = NULL, *to = NULL;
            double one[2], two[2], rest[2], error[2];
            assert_int_equal(batch_means_create(NULL, 2, BATCH_MEANS_MOST, &whole) |
                                 batch_means_create(NULL, 2, BATCH_MEANS_MOST, &to),
                             KOL_OK);
            fill_pieces(CASE[c].phi, CASE[c].length, (unsigned long long)s + 1000 * c + 1, whole, to);
            batch_means_mean(whole, one);
            batch_means_mean(to, two);
            CHECK_BELOW(fabs(one[0] - two[0]), 1e-12);
            CHECK_BELOW(fabs(one[1] / two[1] - 1), 1e-12);
            assert_true(batch_means_samples(to) == batch_means_samples(whole) &&
                        batch_means_count(to) < BATCH_MEANS_MOST);
            assert_true(batch_means_count(to) * batch_means_length(to) <= batch_means_samples(to));
            CHECK_SAME(batch_means_begin(to), 3.0);
            CHECK_SAME(batch_means_end(to), batch_means_end(whole));
            double sum[2], all[2];
            batch_means_rest(to, rest);
            for (int q = 0; q < 2; ++q) {
                sum[q] = rest[q];
                for (int n = 0; n < batch_means_count(to); ++n) sum[q] += batch_means_complete(to)[2 * n + q];
            }
            batch_means_sum(to, all);
            CHECK_BELOW(fabs(sum[1] / all[1] - 1), 1e-13);
            itself(NULL, two, one);
            assert_int_equal(batch_means_errors(to, itself, NULL, 2, error), KOL_OK);
            add_squares(one, variance, error, claimed, square);
            batch_means_destroy(&whole);
            batch_means_destroy(&to);
        }
        CHECK_NEAR(sqrt(claimed[0] / square[0]), 1, 0.15);
        CHECK_NEAR(sqrt(claimed[1] / square[1]), 1, 0.2);
    }
}

/* From a file: what was written is what goes on into a merge. */
static void test_set(void **state)
{
    (void)state;
    static const int LENGTH[PIECES] = {40, 7, 90, 1, 30};
    struct batch_means *whole = NULL, *to = NULL, *again = NULL;
    double rest[2], one[2], two[2];
    assert_int_equal(batch_means_create(NULL, 2, BATCH_MEANS_MOST, &whole) |
                         batch_means_create(NULL, 2, BATCH_MEANS_MOST, &to) |
                         batch_means_create(NULL, 2, BATCH_MEANS_MOST, &again),
                     KOL_OK);
    fill_pieces(0.5, LENGTH, 3, whole, to);
    batch_means_rest(to, rest);
    batch_means_set(again, batch_means_samples(to), batch_means_length(to), batch_means_count(to),
                    batch_means_begin(to), batch_means_end(to), batch_means_complete(to), rest);
    batch_means_mean(to, one);
    batch_means_mean(again, two);
    assert_memory_equal(one, two, sizeof one);
    assert_int_equal(batch_means_errors(to, itself, NULL, 2, one) |
                         batch_means_errors(again, itself, NULL, 2, two),
                     KOL_OK);
    assert_memory_equal(one, two, sizeof one);
    batch_means_destroy(&whole);
    batch_means_destroy(&to);
    batch_means_destroy(&again);
}

/* Stored after any number of samples and put back into another, the rest gives the same bits. */
static void test_state(void **state)
{
    (void)state;
    enum { VALUES = 3, TOTAL = 300 };
    static const int CUT[] = {0, 1, 63, 64, 65, 127, 129, 299};
    for (size_t c = 0; c < sizeof CUT / sizeof *CUT; ++c) {
        struct batch_means *whole = NULL, *first = NULL, *second = NULL;
        unsigned long long seed = 7;
        const size_t bytes = sizeof(double) * (size_t)batch_means_state_size(VALUES, BATCH_MEANS_MOST);
        double *one = malloc(bytes), *two = malloc(bytes), *memory = malloc(bytes);
        memset(memory, 0xff, bytes); /* another's, as it lies there */
        assert_int_equal(batch_means_create(NULL, VALUES, BATCH_MEANS_MOST, &whole) |
                             batch_means_create_in(memory, VALUES, BATCH_MEANS_MOST, &first) |
                             batch_means_create(NULL, VALUES, BATCH_MEANS_MOST, &second),
                         KOL_OK);
        for (int n = 0; n < TOTAL; ++n) {
            const double sample[VALUES] = {normal(&seed), 1e6 * normal(&seed), 1e-6 * normal(&seed)};
            if (n == CUT[c]) {
                batch_means_store(first, one);
                assert_int_equal(batch_means_load(second, one), KOL_OK);
            }
            batch_means_add(whole, 0.1 * n, sample);
            batch_means_add(n < CUT[c] ? first : second, 0.1 * n, sample);
        }
        batch_means_store(whole, one);
        batch_means_store(second, two);
        assert_memory_equal(one, two, bytes);
        memset(batch_means_vectors(second) + VALUES * batch_means_count(second), 0xff,
               sizeof(double) * VALUES * (size_t)(BATCH_MEANS_MOST - batch_means_count(second)));
        batch_means_store(second, two); /* what lies in places of no batch is not stored */
        assert_memory_equal(one, two, bytes);
        one[6] = VALUES + 1; /* of other vectors */
        assert_int_equal(batch_means_load(second, one), KOL_ERR_IO);
        status_clear();
        free(one);
        free(two);
        batch_means_destroy(&whole);
        batch_means_destroy(&first);
        batch_means_destroy(&second);
        free(memory);
    }
}

/* Tests images. An image does not change while samples are added to the average and batches are joined.
 * Results and states from the image are those of the average when the image was taken. An image that shares
 * the vectors has the numbers of that time and the present vectors. */
static void test_image(void **state)
{
    (void)state;
    enum { VALUES = 3, TOTAL = 200 };
    static const int AT[] = {1, 20, 63, 64, 90, 130};
    struct batch_means *b = NULL, *then = NULL, *image = NULL, *shared = NULL;
    const size_t bytes = sizeof(double) * (size_t)batch_means_state_size(VALUES, BATCH_MEANS_MOST);
    double *wanted = malloc(bytes), *found = malloc(bytes), error[2][VALUES], sum[2][VALUES];
    unsigned long long seed = 11;
    assert_int_equal(batch_means_create(NULL, VALUES, BATCH_MEANS_MOST, &b) |
                         batch_means_create(NULL, VALUES, BATCH_MEANS_MOST, &then) |
                         batch_means_image_create(NULL, VALUES, BATCH_MEANS_MOST, 0, &image) |
                         batch_means_image_create(NULL, VALUES, BATCH_MEANS_MOST, 1, &shared),
                     KOL_OK);
    for (int n = 0, c = 0; n < TOTAL; ++n) {
        const double sample[VALUES] = {normal(&seed), 1e6 * normal(&seed), 1e-6 * normal(&seed)};
        batch_means_add(b, 0.1 * n, sample);
        if (c > 0) {
            batch_means_store(image, found);
            assert_memory_equal(found, wanted, bytes);
            assert_int_equal(batch_means_samples(shared), AT[c - 1]);
        }
        if (c == (int)(sizeof AT / sizeof *AT) || n + 1 != AT[c]) continue;
        ++c;
        batch_means_image_take(image, b);
        batch_means_image_take(shared, b);
        batch_means_store(b, wanted);
        assert_int_equal(batch_means_load(then, wanted), KOL_OK);
        for (int k = 0; k < 2; ++k) {
            const struct batch_means *from = k == 0 ? image : shared;
            assert_int_equal(batch_means_errors(then, itself, NULL, 2, error[0]) |
                                 batch_means_errors(from, itself, NULL, 2, error[1]),
                             KOL_OK);
            batch_means_sum(then, sum[0]);
            batch_means_sum(from, sum[1]);
            assert_memory_equal(error[0], error[1], 2 * sizeof *error[0]);
            assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
        }
    }
    free(wanted);
    free(found);
    batch_means_destroy(&b);
    batch_means_destroy(&then);
    batch_means_destroy(&image);
    batch_means_destroy(&shared);
}

/* --- samples at unequal times --- */

enum { TIMES = 700 };

/* Intervals that vary by a third, and a value that varies with them: the mean of equal weights is another. */
static void make_times(double t[TIMES], double value[TIMES])
{
    unsigned long long seed = 19;
    double now = 7;
    for (int n = 0; n < TIMES; ++n) {
        now += 0.1 * (1 + 0.5 * sin(0.05 * n) + 0.2 * uniform(&seed));
        t[n] = now;
        value[n] = 3 + sin(0.05 * n + 0.5) + 0.1 * normal(&seed);
    }
}

/* Samples first .. last - 1, each with half the time to either neighbour, at the ends twice the one. */
static double mean_of(const double *t, const double *value, int first, int last)
{
    double sum = 0, all = 0;
    for (int n = first; n < last; ++n) {
        const double below = n > first ? t[n] - t[n - 1] : t[n + 1] - t[n],
                     above = n + 1 < last ? t[n + 1] - t[n] : below;
        sum += (below + above) / 2 * value[n];
        all += (below + above) / 2;
    }
    return sum / all;
}

/* Tests weights. After any number of samples, and through joined batches and a restart, the mean is the
 * mean over time, and the time of the average is that of its samples. */
static void test_weights(void **state)
{
    (void)state;
    double t[TIMES], value[TIMES], mean, plain = 0;
    struct batch_means *b = NULL, *again = NULL;
    double *stored = malloc(sizeof(double) * (size_t)batch_means_state_size(1, 16));
    make_times(t, value);
    assert_int_equal(batch_means_create(NULL, 1, 16, &b), KOL_OK);
    for (int n = 0; n < TIMES; ++n) {
        batch_means_add(b, t[n], &value[n]);
        batch_means_mean(b, &mean);
        plain += value[n];
        if (n == 0) CHECK_SAME(mean, value[0]);
        else CHECK_NEAR(mean, mean_of(t, value, 0, n + 1), 1e-13);
        if (n % 37 != 5) continue;
        batch_means_store(b, stored);
        assert_int_equal(batch_means_create(NULL, 1, 16, &again), KOL_OK);
        assert_int_equal(batch_means_load(again, stored), KOL_OK);
        batch_means_destroy(&b);
        b = again;
    }
    assert_true(fabs(plain / TIMES - mean) > 0.05);
    CHECK_NEAR(batch_means_time(b), t[TIMES - 1] - t[0] + (t[1] - t[0] + t[TIMES - 1] - t[TIMES - 2]) / 2,
               1e-10);
    batch_means_sum(b, &plain);
    CHECK_NEAR(plain / TIMES, mean, 1e-13);
    batch_means_destroy(&b);
    free(stored);
}

/* Equal intervals, of a clock that is a sum of steps: weights of exactly 1, whatever the clock rounds. */
static void test_equal(void **state)
{
    (void)state;
    struct batch_means *b = NULL;
    double t = 1234.5, sum = 0;
    unsigned long long seed = 3;
    assert_int_equal(batch_means_create(NULL, 1, BATCH_MEANS_MOST, &b), KOL_OK);
    for (int n = 0; n < 5000; ++n, t += 0.01) {
        const double value = floor(1000 * normal(&seed));
        batch_means_add(b, t, &value);
        sum += value;
    }
    double mean;
    batch_means_mean(b, &mean);
    CHECK_SAME(batch_means_weight(b), 5000.0);
    CHECK_SAME(mean, sum / 5000);
    batch_means_destroy(&b);
}

/* Tests the merging of parts of one average, each of which knows the time of the sample before it. The
 * result is that of the undivided average, wherever it was divided. A part that does not continue another
 * one keeps the weights of its ends. */
static void test_merge_weights(void **state)
{
    (void)state;
    static const int CUT[][4] = {
        {0, 64, 128, TIMES}, {0, 1, 2, TIMES}, {0, 65, 700 - 1, TIMES}, {0, 333, 340, TIMES}};
    double t[TIMES], value[TIMES], mean, time;
    make_times(t, value);
    for (size_t c = 0; c < sizeof CUT / sizeof *CUT; ++c)
        for (int follows = 0; follows < 2; ++follows) {
            struct batch_means *part[3] = {NULL}, *to = NULL;
            double sum = 0, all = 0;
            for (int p = 0; p < 3; ++p) {
                assert_int_equal(batch_means_create(NULL, 1, BATCH_MEANS_MOST, &part[p]), KOL_OK);
                if (follows && p > 0) batch_means_follow(part[p], t[CUT[c][p] - 1]);
                for (int n = CUT[c][p]; n < CUT[c][p + 1]; ++n) batch_means_add(part[p], t[n], &value[n]);
                batch_means_mean(part[p], &mean);
                sum += mean * batch_means_time(part[p]);
                all += batch_means_time(part[p]);
            }
            assert_int_equal(batch_means_create(NULL, 1, BATCH_MEANS_MOST, &to), KOL_OK);
            assert_int_equal(batch_means_merge(part, 3, to), KOL_OK);
            batch_means_mean(to, &mean);
            time = batch_means_time(to);
            const int knows_times = CUT[c][1] > 1 && CUT[c][2] > 2; /* of one sample alone no time is known */
            if (follows && CUT[c][1] > 1) {
                CHECK_NEAR(mean, mean_of(t, value, 0, TIMES), 1e-13);
                CHECK_NEAR(time, t[TIMES - 1] - t[0] + (t[1] - t[0] + t[TIMES - 1] - t[TIMES - 2]) / 2,
                           1e-10);
            } else if (!follows && knows_times && CUT[c][2] < TIMES - 1) CHECK_NEAR(mean, sum / all, 1e-13);
            assert_int_equal(batch_means_samples(to), TIMES);
            for (int p = 0; p < 3; ++p) batch_means_destroy(&part[p]);
            batch_means_destroy(&to);
        }
}

/* cycles: an average of cycles of two phases, each with its weight and one value. */
enum { PHASE_VALUES = 4, OF_CYCLE = 9 };

static struct batch_means *begin_cycles(void)
{
    struct batch_means *b = NULL;
    assert_int_equal(batch_means_create(NULL, PHASE_VALUES, 16, &b), KOL_OK);
    batch_means_use_cycles(b);
    return b;
}

/* Nine samples to a cycle, of which the first four are of one phase. */
static int phase_at(int n)
{
    return n % OF_CYCLE >= 4;
}

static void add_cycles(struct batch_means *b, const double *t, const double *value, int first, int last)
{
    for (int n = first; n < last; ++n) {
        const double part[2] = {1, value[n]};
        batch_means_add_part(b, t[n], n > first && (n - first) % OF_CYCLE == 0, 2 * phase_at(n),
                             n > first ? 2 * phase_at(n - 1) : 0, 2, part);
    }
}

/* The mean of a phase, each sample with half the time to either neighbour. */
static double mean_of_phase(const double *t, const double *value, int phase)
{
    double sum = 0, all = 0;
    for (int n = 0; n < TIMES; ++n) {
        const double below = n > 0 ? t[n] - t[n - 1] : t[1] - t[0],
                     above = n + 1 < TIMES ? t[n + 1] - t[n] : below;
        sum += phase_at(n) == phase ? (below + above) / 2 * value[n] : 0;
        all += phase_at(n) == phase ? (below + above) / 2 : 0;
    }
    return sum / all;
}

static void check_phases(const struct batch_means *b, const double *t, const double *value)
{
    double mean[PHASE_VALUES];
    batch_means_mean(b, mean);
    CHECK_NEAR(mean[0] + mean[2], 1.0, 1e-13);
    for (int p = 0; p < 2; ++p) CHECK_NEAR(mean[2 * p + 1] / mean[2 * p], mean_of_phase(t, value, p), 1e-12);
    CHECK_NEAR(batch_means_time(b), t[TIMES - 1] - t[0] + (t[1] - t[0] + t[TIMES - 1] - t[TIMES - 2]) / 2,
               1e-10);
    assert_int_equal(batch_means_samples(b), TIMES);
}

/* Tests averages by phase with samples of unequal weight: their means, batches of complete cycles, a state
 * that is stored within a cycle and loaded again, and merged parts that follow each other. A state with
 * more cycles than samples is refused. */
static void test_cycles(void **state)
{
    (void)state;
    double t[TIMES], value[TIMES], *stored = malloc(sizeof(double) * (size_t)batch_means_state_size(4, 16));
    struct batch_means *whole = begin_cycles(), *again = begin_cycles(), *to = begin_cycles(), *part[2];
    make_times(t, value);
    add_cycles(whole, t, value, 0, TIMES);
    check_phases(whole, t, value);
    assert_int_equal(batch_means_cycles(whole), (TIMES - 1) / OF_CYCLE);
    assert_int_equal(batch_means_length(whole), 8); /* 77 cycles */
    assert_int_equal(batch_means_count(whole), 9);
    batch_means_store(whole, stored);
    assert_true(batch_means_stored_cycles(stored));
    assert_int_equal(batch_means_load(again, stored), KOL_OK);
    assert_true(batch_means_has_cycles(again));
    check_phases(again, t, value);
    stored[0] = 70; /* samples: fewer than cycles */
    assert_int_equal(batch_means_load(again, stored), KOL_ERR_IO);
    status_clear();
    for (int p = 0; p < 2; ++p) part[p] = begin_cycles();
    add_cycles(part[0], t, value, 0, 301);
    batch_means_follow(part[1], t[300]);
    add_cycles(part[1], t, value, 301, TIMES);
    assert_int_equal(batch_means_merge(part, 2, to), KOL_OK);
    check_phases(to, t, value);
    for (int p = 0; p < 2; ++p) batch_means_destroy(&part[p]);
    batch_means_destroy(&whole);
    batch_means_destroy(&again);
    batch_means_destroy(&to);
    free(stored);
}

/* A state as version d3fc1bb stored it: 8 numbers, sums of samples of equal weight. */
static void test_earlier(void **state)
{
    (void)state;
    enum { VALUES = 2, MOST = 16, N = 11 };
    double old[8 + (MOST + 2) * VALUES] = {N, 2, 5, 1, 4, 9, VALUES, 0}, mean[VALUES],
                                sample[VALUES] = {1, 10};
    for (int m = 0; m < 5; ++m)
        for (int i = 0; i < VALUES; ++i) old[8 + m * VALUES + i] = 2 * (m + i);
    old[8 + MOST * VALUES] = 6;
    old[8 + MOST * VALUES + 1] = 7;
    struct batch_means *b = NULL;
    assert_int_equal(batch_means_state_values(old), VALUES);
    assert_int_equal(batch_means_stored_size(old, MOST), sizeof old / sizeof *old);
    assert_int_equal(batch_means_create(NULL, VALUES, MOST, &b), KOL_OK);
    assert_int_equal(batch_means_load(b, old), KOL_OK);
    batch_means_mean(b, mean);
    CHECK_NEAR(mean[0], 26.0 / N, 1e-15);
    CHECK_NEAR(batch_means_time(b), 0.5 * N, 1e-14); /* 10 intervals from 4 to 9 */
    batch_means_add(b, 10, sample);                  /* which is twice as far: two weights */
    batch_means_mean(b, mean);
    CHECK_NEAR(mean[0], (26.0 + 2) / (N + 2), 1e-15);
    CHECK_NEAR(mean[1], (37.0 + 20) / (N + 2), 1e-14);
    old[7] = 3; /* of a later version */
    assert_int_equal(batch_means_state_values(old), 0);
    batch_means_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ar1),           cmocka_unit_test(test_many),    cmocka_unit_test(test_few),
        cmocka_unit_test(test_state),         cmocka_unit_test(test_merge),   cmocka_unit_test(test_set),
        cmocka_unit_test(test_image),         cmocka_unit_test(test_weights), cmocka_unit_test(test_equal),
        cmocka_unit_test(test_merge_weights), cmocka_unit_test(test_cycles),  cmocka_unit_test(test_earlier)};
    return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
