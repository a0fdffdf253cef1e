/* ranks: 1 */
/* Tests runs that take turns on a thread: who goes on at a wait, waits for another run, meetings, what each
 * run has for itself, and runs that end early. No MPI. */
#include <stdio.h>
#include <string.h>
#include "kernels/base/turns.h"
#include "tests/support/check.h"

enum { RUNS = 3, ENTRIES = 64 };
static char trace[ENTRIES + 1]; /* the seats in the order in which they went on */
static int entries;

static void went_on(void)
{
    assert_in_range(entries, 0, ENTRIES - 1);
    trace[entries++] = (char)('0' + turns_seat());
}

static int setup(void **state)
{
    (void)state;
    status_clear();
    memset(trace, 0, sizeof trace);
    entries = 0;
    return 0;
}

static void go_round(int seat, void *context)
{
    assert_int_equal(seat, turns_seat());
    assert_int_equal(turns_count(), *(const int *)context);
    for (int n = 0; n < 3; ++n) {
        went_on();
        turns_wait(NULL, NULL);
    }
    went_on();
}

static void test_each_goes_on_in_turn(void **state)
{
    (void)state;
    int runs = RUNS;
    assert_int_equal(turns_run(RUNS, go_round, &runs), KOL_OK);
    assert_string_equal(trace, "012012012012");
    assert_int_equal(turns_count(), 1);
    assert_int_equal(turns_seat(), 0);
    turns_wait(NULL, NULL); /* nobody is there */
    turns_meet();
    setup(NULL);
    assert_int_equal(turns_run(1, go_round, &(int){1}), KOL_OK); /* and again, with one */
    assert_string_equal(trace, "0000");
}

static int above_five(void *what)
{
    return *(const int *)what > 5;
}

/* The first run waits for what the second one counts; the third one keeps the turn through its waits. */
static void wait_for_another(int seat, void *context)
{
    int *count = context;
    if (seat == 0) {
        turns_wait(above_five, count);
        assert_int_equal(*count, 6);
        went_on();
    } else if (seat == 1) {
        for (; *count < 20; ++*count) turns_wait(NULL, NULL);
        went_on();
    } else {
        turns_hold(1);
        for (int n = 0; n < 4; ++n) {
            went_on();
            turns_wait(NULL, NULL);
        }
        turns_hold(0);
        turns_wait(NULL, NULL);
        went_on();
    }
}

static void test_waits_last_until_they_are_over(void **state)
{
    (void)state;
    int count = 0;
    assert_int_equal(turns_run(RUNS, wait_for_another, &count), KOL_OK);
    assert_string_equal(trace, "2222201");
}

/* Run n comes to the meetings n waits late. The last one ends before the second meeting. */
static void meet(int seat, void *context)
{
    int *come = context;
    for (int meeting = 1; meeting <= 3; ++meeting) {
        for (int n = 0; n < seat; ++n) turns_wait(NULL, NULL);
        if (meeting == 2 && seat == RUNS - 1) return;
        ++come[meeting];
        turns_meet();
        assert_int_equal(come[meeting], meeting == 1 ? RUNS : RUNS - 1);
    }
}

static void test_meetings(void **state)
{
    (void)state;
    int come[4] = {0};
    assert_int_equal(turns_run(RUNS, meet, come), KOL_OK);
}

static kol_status blow_up(int seat)
{
    RAISE(KOL_ERR_NUMERICAL, "run %d", seat);
}

static void keep_apart(int seat, void *context)
{
    char wanted[32], deep[100000];
    (void)context;
    snprintf(wanted, sizeof wanted, "run %d", seat);
    status_set_place(wanted);
    if (seat != 1) assert_int_equal(blow_up(seat), KOL_ERR_NUMERICAL);
    memset(deep, seat, sizeof deep); /* each has a stack of its own */
    turns_wait(NULL, NULL);
    assert_string_equal(status_place(), wanted);
    assert_string_equal(status_message(), seat == 1 ? "" : wanted);
    for (size_t n = 0; n < sizeof deep; ++n) assert_int_equal(deep[n], seat);
}

static void test_faults_and_stacks_of_their_own(void **state)
{
    (void)state;
    status_set_place("outside");
    assert_int_equal(turns_run(RUNS, keep_apart, NULL), KOL_OK);
    assert_string_equal(status_message(), "");
    assert_string_equal(status_place(), "outside");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_each_goes_on_in_turn, setup),
        cmocka_unit_test_setup(test_waits_last_until_they_are_over, setup),
        cmocka_unit_test_setup(test_meetings, setup),
        cmocka_unit_test_setup(test_faults_and_stacks_of_their_own, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
