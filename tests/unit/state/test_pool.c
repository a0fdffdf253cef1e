/* Tests the pool of fields. No routine gets an array that another one holds. Every misuse is refused with a
 * message that has names. Nothing is left of arrays that were dropped. No MPI. */
#include <stdlib.h>
#include "solver/state/pool.h"
#include "tests/support/check.h"

enum { ARRAYS = 5 };
static struct box box;
static struct pool *pool;

static int setup(void **state)
{
    (void)state;
    status_clear();
    box = box_make(5, 4, 3, KOL_HALO);
    return pool_create(NULL, box, ARRAYS, &pool) != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    pool_destroy(&pool);
    status_clear();
    return pool != NULL;
}

static ptrdiff_t nans(const real *array)
{
    real *host = malloc((size_t)box.size * sizeof *host);
    ptrdiff_t count = 0;
    assert_int_equal(mem_to_host(host, array, (size_t)box.size * sizeof *host), KOL_OK);
    for (ptrdiff_t n = 0; n < box.size; ++n) count += isnan(host[n]) != 0;
    free(host);
    return count;
}

static void hold_all(real *array[ARRAYS])
{
    static const char *const names[ARRAYS] = {"alpha", "beta", "gamma", "delta", "epsilon"};
    for (int n = 0; n < ARRAYS; ++n) assert_int_equal(pool_hold(pool, names[n], &array[n]), KOL_OK);
}

static void test_arrays_differ_and_start_as_nan(void **state)
{
    (void)state;
    real *array[ARRAYS];
    hold_all(array);
    for (int n = 0; n < ARRAYS; ++n) {
        assert_true(nans(array[n]) == box.size);
        /* its last value is its own: written through to the end, the others stay NaN */
        assert_int_equal(mem_fill_real(array[n], box.size, (real)n), KOL_OK);
        for (int m = 0; m < ARRAYS; ++m) assert_true(nans(array[m]) == (m <= n ? 0 : box.size));
    }
}

static void test_an_empty_pool_names_the_holders(void **state)
{
    (void)state;
    real *array[ARRAYS], *more = NULL;
    hold_all(array);
    assert_int_equal(pool_hold(pool, "zeta", &more), KOL_ERR_INTERNAL);
    assert_null(more);
    assert_non_null(
        strstr(status_message(), "no array left for zeta; these are in use: alpha beta gamma delta epsilon"));
    status_clear();
    real *const dropped = array[2];
    assert_int_equal(pool_drop(pool, &array[2]), KOL_OK);
    assert_null(array[2]);
    assert_int_equal(pool_hold(pool, "zeta", &more), KOL_OK);
    assert_ptr_equal(more, dropped);
}

/* names that are too long for the message are cut off, not written past it */
static void test_long_names(void **state)
{
    (void)state;
    char name[400];
    real *array[ARRAYS], *more = NULL;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int n = 0; n < ARRAYS; ++n) assert_int_equal(pool_hold(pool, name, &array[n]), KOL_OK);
    assert_int_equal(pool_hold(pool, name, &more), KOL_ERR_INTERNAL);
    assert_non_null(strstr(status_message(), name));
}

static void test_misuse_is_refused(void **state)
{
    (void)state;
    real *array = NULL, other = 0, *foreign = &other;
    assert_int_equal(pool_drop(pool, &array), KOL_OK); /* NULL is taken */
    assert_int_equal(pool_hold(pool, "alpha", &array), KOL_OK);
    real *again = array;
    assert_int_equal(pool_drop(pool, &array), KOL_OK);
    assert_int_equal(pool_drop(pool, &again), KOL_ERR_INTERNAL);
    assert_non_null(strstr(status_message(), "twice"));
    status_clear();
    assert_int_equal(pool_drop(pool, &foreign), KOL_ERR_INTERNAL);
    assert_non_null(strstr(status_message(), "not from the pool"));
}

static void test_peak(void **state)
{
    (void)state;
    real *a = NULL, *b = NULL, *c = NULL;
    assert_int_equal(pool_peak(pool), 0);
    assert_int_equal(pool_hold(pool, "a", &a), KOL_OK);
    assert_int_equal(pool_hold(pool, "b", &b), KOL_OK);
    assert_int_equal(pool_peak(pool), 2);
    assert_int_equal(pool_drop(pool, &a), KOL_OK);
    assert_int_equal(pool_drop(pool, &b), KOL_OK);
    assert_int_equal(pool_hold(pool, "c", &c), KOL_OK);
    assert_int_equal(pool_peak(pool), 2);
}

/* held, dropped and held again without end: nothing is lost */
static void test_many_rounds(void **state)
{
    (void)state;
    for (int round = 0; round < 100; ++round) {
        real *array[ARRAYS];
        hold_all(array);
        for (int n = 0; n < ARRAYS; ++n)
            assert_int_equal(pool_drop(pool, &array[(n * 2 + round) % ARRAYS]), KOL_OK);
    }
    assert_int_equal(pool_peak(pool), ARRAYS);
    assert_int_equal(pool_count(pool), ARRAYS);
}

/* in debug builds, what was dropped is NaN; in others its values are not defined */
static void test_dropped_values_are_poisoned(void **state)
{
    (void)state;
    real *array = NULL;
    assert_int_equal(pool_hold(pool, "alpha", &array), KOL_OK);
    assert_int_equal(mem_fill_real(array, box.size, 1), KOL_OK);
    const real *const kept = array;
    assert_int_equal(pool_drop(pool, &array), KOL_OK);
#ifdef KOLMO_DEBUG
    assert_true(nans(kept) == box.size);
#else
    (void)kept;
#endif
}

/* what does not fit is refused in words before any memory is taken */
static void test_too_large(void **state)
{
    (void)state;
    struct pool *big = NULL;
    const struct box huge = box_make(60000, 60000, 2000, KOL_HALO);
    assert_int_equal(pool_create(NULL, huge, 12, &big), KOL_ERR_MEMORY);
    assert_non_null(strstr(status_message(), "12 fields of"));
    assert_non_null(strstr(status_message(), "are free"));
    status_clear();
    pool_destroy(&big);
    assert_null(big);
    assert_int_equal(pool_create(NULL, box, 1000, &big), KOL_ERR_INTERNAL);
    status_clear();
    pool_destroy(&big);
}

/* a pool that counts has as many arrays as are held at the same time, takes no memory for them, and gives
 * pointers that can be told apart */
static void test_counted(void **state)
{
    (void)state;
    struct memory counted = {.host = 0};
    struct pool *counting = NULL;
    real *a = NULL, *b = NULL, *c = NULL;
    const size_t each = (size_t)box.size * sizeof(real);
    assert_int_equal(pool_create(&counted, box, 0, &counting), KOL_OK);
    assert_true(pool_counts(counting) && !pool_counts(pool));
    assert_int_equal(counted.kernel, 0);
    assert_int_equal(pool_hold(counting, "a", &a), KOL_OK);
    assert_int_equal(pool_hold(counting, "b", &b), KOL_OK);
    assert_true(a != NULL && b != NULL && a != b);
    assert_int_equal(pool_drop(counting, &a), KOL_OK);
    assert_int_equal(pool_hold(counting, "c", &c), KOL_OK);
    assert_int_equal(pool_count(counting), 2);
    assert_int_equal(pool_hold(counting, "a", &a), KOL_OK);
    assert_int_equal(pool_count(counting), 3);
    assert_int_equal(counted.kernel, 3 * each);
    assert_int_equal(counted.host, 0);
    pool_destroy(&counting);
    assert_null(counting);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_arrays_differ_and_start_as_nan),
        CASE(test_an_empty_pool_names_the_holders),
        CASE(test_long_names),
        CASE(test_misuse_is_refused),
        CASE(test_peak),
        CASE(test_many_rounds),
        CASE(test_dropped_values_are_poisoned),
        CASE(test_too_large),
        CASE(test_counted),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
