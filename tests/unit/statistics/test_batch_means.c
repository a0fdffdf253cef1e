/* Averages over time: the mean of very many samples, error bars of a correlated series and of a function of
 * the mean, the state stored and put back. Catches a sum that loses digits, errors that take correlated
 * samples for independent ones, batches that are lost or doubled where they are joined, a piece of state that
 * is not stored. */
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
    assert_int_equal(batch_means_create(2, BATCH_MEANS_MOST, &b), KOL_OK);
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

/* Over many series the scatter of the means is what the errors say: of the mean, whose scatter is known, and
 * of the variance. */
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
    assert_int_equal(batch_means_create(1, BATCH_MEANS_MOST, &b), KOL_OK);
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
    assert_int_equal(batch_means_create(2, BATCH_MEANS_MOST, &b), KOL_OK);
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
        assert_int_equal(batch_means_create(2, BATCH_MEANS_MOST, &piece[p]), KOL_OK);
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

/* Pieces of equal and of very unequal lengths, so that batches are joined and some are left over: the mean is
 * that of the whole, the errors are those that the scatter of the means asks for. Catches samples lost or
 * doubled, sums of batches that are of unequal lengths. */
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
            assert_int_equal(batch_means_create(2, BATCH_MEANS_MOST, &whole) |
                                 batch_means_create(2, BATCH_MEANS_MOST, &to),
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
    assert_int_equal(batch_means_create(2, BATCH_MEANS_MOST, &whole) |
                         batch_means_create(2, BATCH_MEANS_MOST, &to) |
                         batch_means_create(2, BATCH_MEANS_MOST, &again),
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
        assert_int_equal(batch_means_create(VALUES, BATCH_MEANS_MOST, &whole) |
                             batch_means_create_in(memory, VALUES, BATCH_MEANS_MOST, &first) |
                             batch_means_create(VALUES, BATCH_MEANS_MOST, &second),
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

/* An image stays as it was while samples are added and batches joined, and what is made of it is that of the
 * average then, stored; one that shares has the numbers of then and the vectors of now. */
static void test_image(void **state)
{
    (void)state;
    enum { VALUES = 3, TOTAL = 200 };
    static const int AT[] = {1, 20, 63, 64, 90, 130};
    struct batch_means *b = NULL, *then = NULL, *image = NULL, *shared = NULL;
    const size_t bytes = sizeof(double) * (size_t)batch_means_state_size(VALUES, BATCH_MEANS_MOST);
    double *wanted = malloc(bytes), *found = malloc(bytes), error[2][VALUES], sum[2][VALUES];
    unsigned long long seed = 11;
    assert_int_equal(batch_means_create(VALUES, BATCH_MEANS_MOST, &b) |
                         batch_means_create(VALUES, BATCH_MEANS_MOST, &then) |
                         batch_means_image_create(VALUES, BATCH_MEANS_MOST, 0, &image) |
                         batch_means_image_create(VALUES, BATCH_MEANS_MOST, 1, &shared),
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ar1),   cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_few),   cmocka_unit_test(test_state),
                                       cmocka_unit_test(test_merge), cmocka_unit_test(test_set),
                                       cmocka_unit_test(test_image)};
    return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
