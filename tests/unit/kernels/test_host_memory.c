/* ranks: 1 */
/* Tests the free memory of a host, with made-up system files. It is the least of what the host and every
 * control group above this process leave. Catches a limit of either version of control groups that is not
 * seen, a limit above the process's own group that is not seen, page cache that counts as used, and a group
 * without limit that counts as limited. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernels/base/mem.h"
#include "tests/support/mpi_main.h"

enum { MIB = 1 << 20 };
static char root[64];

/* A file below the root, with its folders. */
static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *p = path + strlen(root) + 1; *p != '\0'; ++p) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void expect(double mib)
{
    size_t bytes = 0;
    assert_int_equal(mem_host_available_below(root, &bytes), KOL_OK);
    print_message("%.3f MiB\n", (double)bytes / MIB);
    assert_true((double)bytes == mib * MIB);
}

static int setup(void **state)
{
    (void)state;
    status_clear();
    snprintf(root, sizeof root, "/tmp/kolmo-host-XXXXXX");
    if (mkdtemp(root) == NULL) return 1;
    put("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1024 kB\nMemAvailable:    8388608 kB\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command) != 0;
}

static void test_host_alone(void **state)
{
    (void)state;
    expect(8192); /* no control groups */
    put("/proc/self/cgroup", "0::/\n");
    expect(8192); /* the topmost group of a host has no files of limits */
    put("/proc/self/cgroup", "nonsense\n::\n0:\n");
    expect(8192);
}

static void test_version_2(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/slurm/job_7/step_0\n");
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.current", "5000000\n");
    expect(8192);
    put("/sys/fs/cgroup/slurm/job_7/memory.max",
        "4294967296\n"); /* 4096 MiB, 3072 used, of this 1536 of files */
    put("/sys/fs/cgroup/slurm/job_7/memory.current", "3221225472\n");
    put("/sys/fs/cgroup/slurm/job_7/memory.stat",
        "anon 1610612736\nfile 1610612736\ninactive_file 1073741824\nactive_file 536870912\n");
    expect(4096 - 3072 + 1536);
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "1073741824\n");
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.current", "1048576\n");
    expect(1023);
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.current", "2073741824\n"); /* beyond its limit already */
    expect(0);
}

/* Its own group is the topmost one that a container sees; the path may be that of the host. */
static void test_in_a_container(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    put("/sys/fs/cgroup/memory.max", "2147483648\n");
    put("/sys/fs/cgroup/memory.current", "1048576\n");
    expect(2047);
    put("/proc/self/cgroup", "0::/\n");
    expect(2047);
    put("/proc/self/cgroup", "0::/../../elsewhere\n");
    expect(2047);
}

static void test_version_1(void **state)
{
    (void)state;
    put("/proc/self/cgroup",
        "12:pids:/user\n7:cpu,memory:/slurm/uid_1/job_7\n3:memoryless:/other\n0::/user\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "8589934592\n");
    expect(8192);
    put("/sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1048576\n");
    put("/sys/fs/cgroup/memory/other/memory.usage_in_bytes", "0\n");
    expect(8192);
    put("/sys/fs/cgroup/memory/slurm/uid_1/memory.limit_in_bytes", "3221225472\n");
    put("/sys/fs/cgroup/memory/slurm/uid_1/memory.usage_in_bytes", "1073741824\n");
    put("/sys/fs/cgroup/memory/slurm/uid_1/memory.stat",
        "cache 1\ninactive_file 7\ntotal_inactive_file 104857600\ntotal_active_file 0\n");
    expect(2048 + 100);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(test_host_alone), CASE(test_version_2), CASE(test_in_a_container),
                                       CASE(test_version_1)};
    return MPI_MAIN(argc, argv, "host memory", tests);
}
