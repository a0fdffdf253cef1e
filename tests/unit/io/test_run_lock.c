/* Tests the lock of a run directory. A second run is refused while the first one lives, on this host or
 * another. The lock of a dead run is taken over. Catches two runs that write the same files, and a lock that
 * blocks a directory for ever. No MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "io/run_lock.h"

static char directory[64], path[96], note[512];

static int setup(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/kolmo-lock-XXXXXX");
    if (mkdtemp(directory) == NULL) return 1;
    snprintf(path, sizeof path, "%s/kolmo.lock", directory);
    status_clear();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void test_take_and_drop(void **state)
{
    (void)state;
    struct runlock *l = NULL, *other = NULL;
    for (int n = 0; n < 3; ++n) {
        assert_int_equal(run_lock_take(directory, &l, note, sizeof note), KOL_OK);
        assert_string_equal(note, "");
        assert_int_equal(access(path, F_OK), 0);
        run_lock_beat(l);
        assert_int_equal(run_lock_take(directory, &other, note, sizeof note), KOL_ERR_IO);
        assert_null(other);
        assert_non_null(strstr(status_message(), "is in use by another run"));
        status_clear();
        run_lock_drop(&l);
        assert_null(l);
        assert_int_equal(access(path, F_OK), -1);
    }
    run_lock_drop(&l);
}

/* A process that holds the lock, and one that was killed with it. */
static void test_other_process(void **state)
{
    (void)state;
    struct runlock *l = NULL;
    int ready[2];
    char byte = 0, number[32];
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct runlock *mine;
        byte = run_lock_take(directory, &mine, note, sizeof note) == KOL_OK;
        if (write(ready[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    assert_int_equal(run_lock_take(directory, &l, note, sizeof note), KOL_ERR_IO);
    snprintf(number, sizeof number, "process %ld", (long)child);
    assert_non_null(strstr(status_message(), number));
    status_clear();
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(access(path, F_OK), 0); /* what it left */
    assert_int_equal(run_lock_take(directory, &l, note, sizeof note), KOL_OK);
    assert_non_null(strstr(note, number));
    run_lock_drop(&l);
    close(ready[0]);
    close(ready[1]);
}

static void write_foreign(unsigned long beats)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "beat %012lu\nhost elsewhere\npid 1\nborn 5\nsince 2026-01-01T00:00:00Z\n", beats);
    assert_int_equal(fclose(f), 0);
}

/* A run of another host: alive while its beats go on. */
static void test_other_host(void **state)
{
    (void)state;
    struct runlock *l = NULL;
    write_foreign(7);
    const pid_t child = fork();
    if (child == 0) {
        const struct timespec wait = {3, 0};
        nanosleep(&wait, NULL);
        write_foreign(8);
        _exit(0);
    }
    assert_int_equal(run_lock_take(directory, &l, note, sizeof note), KOL_ERR_IO);
    assert_non_null(strstr(status_message(), "host elsewhere"));
    status_clear();
    waitpid(child, NULL, 0);
    assert_int_equal(run_lock_take(directory, &l, note, sizeof note), KOL_OK); /* no more beats */
    assert_non_null(strstr(note, "host elsewhere"));
    run_lock_drop(&l);
}

/* A file without content, of a run that died between making and filling it, or that is no lock. */
static void test_empty_file(void **state)
{
    (void)state;
    struct runlock *l = NULL;
    const int fd = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(run_lock_take(directory, &l, note, sizeof note), KOL_OK);
    run_lock_drop(&l);
}

static void test_no_place(void **state)
{
    (void)state;
    struct runlock *l = NULL;
    assert_int_equal(run_lock_take("/proc/self", &l, note, sizeof note), KOL_ERR_IO);
    assert_non_null(strstr(status_message(), "/proc/self/kolmo.lock"));
    status_clear();
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_take_and_drop), CASE(test_other_process), CASE(test_other_host),
        CASE(test_empty_file),    CASE(test_no_place),
    };
    return cmocka_run_group_tests_name("runlock", tests, NULL, NULL);
}
