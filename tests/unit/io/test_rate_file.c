/* Tests the file that keeps how fast runs were. A line is found by build, method and machine, and the nearest
 * size is taken. A new line replaces the old one and nothing else. Damaged lines are skipped. The file does
 * not grow without end. If it cannot be written, nothing is left behind. No MPI. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/rate_file.h"
#include "tests/support/check.h"

static char folder[64], path[DISK_PATH];

static int setup(void **state)
{
    (void)state;
    status_clear();
    strcpy(folder, "/tmp/kolmo-rate-XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    return disk_join(path, folder, "cache/kolmo/rates.txt") != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    status_clear();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static struct rate rate(const char *host, const char *device, const char *method, int ranks, int n)
{
    struct rate r = {.ranks = ranks, .n = {n, n, n}};
    snprintf(r.host, sizeof r.host, "%s", host);
    snprintf(r.device, sizeof r.device, "%s", device);
    snprintf(r.method, sizeof r.method, "%s", method);
    strcpy(r.build, "cpu double");
    strcpy(r.day, "2026-11-23");
    return r;
}

static void keep(struct rate r, double seconds)
{
    r.seconds = seconds;
    assert_int_equal(rate_file_keep(path, &r), KOL_OK);
}

/* The seconds that the file has for such a run; 0: none. */
static double find(struct rate r)
{
    int found;
    assert_int_equal(rate_file_find(path, &r, &found), KOL_OK);
    return found ? r.seconds : 0;
}

static int lines(void)
{
    FILE *f = fopen(path, "r");
    int count = 0;
    assert_non_null(f);
    for (int c = getc(f); c != EOF; c = getc(f)) count += c == '\n';
    fclose(f);
    return count;
}

static void append(const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_found(void **state)
{
    (void)state;
    assert_true(find(rate("a", "cpu", "m", 1, 64)) == 0); /* no file */
    keep(rate("a", "cpu", "m", 1, 64), 1.5);
    assert_true(find(rate("a", "cpu", "m", 1, 64)) == 1.5);
    assert_true(find(rate("a", "other", "m", 1, 64)) == 1.5);
    assert_true(find(rate("b", "cpu", "m", 1, 64)) == 1.5);
    assert_true(find(rate("b", "other", "m", 1, 64)) == 0);
    assert_true(find(rate("a", "cpu", "another", 1, 64)) == 0);
    keep(rate("b", "cpu", "m", 1, 64), 2);
    assert_true(find(rate("a", "cpu", "m", 1, 64)) == 1.5); /* its own, though the other is later */
    assert_true(find(rate("b", "cpu", "m", 1, 64)) == 2);
    keep(rate("a", "cpu", "m", 1, 64), 3);
    assert_true(find(rate("a", "cpu", "m", 1, 64)) == 3);
    assert_int_equal(lines(), 2);
}

static void test_nearest(void **state)
{
    (void)state;
    keep(rate("a", "cpu", "m", 1, 16), 1);
    keep(rate("a", "cpu", "m", 1, 64), 2);
    keep(rate("a", "cpu", "m", 8, 64), 3);
    assert_true(find(rate("a", "cpu", "m", 1, 24)) == 1);
    assert_true(find(rate("a", "cpu", "m", 1, 60)) == 2);
    assert_true(find(rate("a", "cpu", "m", 1, 256)) == 2);
    assert_true(find(rate("a", "cpu", "m", 8, 64)) == 3);
    assert_true(find(rate("a", "cpu", "m", 8, 100)) == 3);
    assert_true(find(rate("a", "cpu", "m", 1, 1024)) == 0); /* a tiny run says nothing of a large one */
    assert_true(find(rate("a", "cpu", "m", 1, 3)) == 0);
}

static void test_damaged(void **state)
{
    (void)state;
    keep(rate("a", "cpu", "m", 1, 64), 1.5);
    append("|||||\na | cpu | cpu double | m | 1 | 64 64 64 | nan | today\n"
           "a | cpu | cpu double | m | 1 | 64 64 64 | 0 | today\n"
           "a | cpu | cpu double | m | -1 | 64 64 64 | 4 | today\n"
           "a | cpu | cpu double | m | 1 | 64 64 99999999999 | 4 | today\nno end");
    assert_true(find(rate("a", "cpu", "m", 1, 64)) == 1.5);
    keep(rate("a", "cpu", "m", 1, 32), 2);
    assert_int_equal(lines(), 2);
    assert_true(find(rate("a", "cpu", "m", 1, 64)) == 1.5);
}

static void test_length(void **state)
{
    (void)state;
    for (int n = 1; n <= 600; ++n) keep(rate("a", "cpu", "m", 1, n), n);
    assert_int_equal(lines(), 500);
    assert_true(find(rate("a", "cpu", "m", 1, 600)) == 600);
    assert_true(find(rate("a", "cpu", "m", 1, 101)) == 101);
    assert_true(find(rate("a", "cpu", "m", 1, 100)) == 101);
}

static void test_faults(void **state)
{
    (void)state;
    struct rate r = rate("a", "cpu", "m", 1, 64);
    char command[DISK_PATH + 32];
    int found;
    r.seconds = 1;
    keep(r, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0777), 0); /* a folder in its place */
    assert_int_equal(rate_file_find(path, &r, &found), KOL_OK);
    assert_false(found);
    assert_int_equal(rate_file_keep(path, &r), KOL_ERR_IO);
    assert_non_null(strstr(status_message(), "rates.txt"));
    status_clear();
    snprintf(command, sizeof command, "test \"$(ls '%s/cache/kolmo')\" = rates.txt", folder);
    assert_int_equal(system(command), 0); /* no temporary file */
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(rate_file_find(path, &r, &found), KOL_OK); /* does not hang */
    assert_false(found);
}

static void test_path(void **state)
{
    (void)state;
    char at[DISK_PATH];
    setenv("XDG_CACHE_HOME", "/c", 1);
    assert_int_equal(rate_file_path(at), KOL_OK);
    assert_string_equal(at, "/c/kolmo/rates.txt");
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/h", 1);
    assert_int_equal(rate_file_path(at), KOL_OK);
    assert_string_equal(at, "/h/.cache/kolmo/rates.txt");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_int_equal(rate_file_path(at), KOL_OK);
    assert_string_equal(at, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nearest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_length, setup, teardown),
        cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_path, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
