/* ranks: 1 2 4 */
/* Tests restart files and the log. What is read is what was written, on any layout of the ranks. A fault on
 * one rank is a fault on all. Run on 1, 2 and 4 ranks. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "io/h5_arrays.h"
#include "io/h5_attributes.h"
#include "io/h5_file.h"
#include "io/h5_groups.h"
#include "io/h5_verify.h"
#include "io/log.h"
#include "tests/support/io_case.h"
#include "tests/support/mpi_main.h"

static void test_round_trip_any_layout(void **state)
{
    (void)state;
    for (int bytes = 4; bytes <= 8; bytes += 4) {
        CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 10, bytes, 1) == KOL_OK);
        for (int n = 0; n < LAYOUTS; ++n) {
            MPI_Comm comm = comm_for(layouts[n]);
            const int wrong = comm == MPI_COMM_NULL ? 0 : read_case(comm, layouts[n], path_of(10, ""), bytes);
            CHECK_ALL(wrong == 0);
            if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
        }
    }
}

static void test_hash_any_layout(void **state)
{
    (void)state;
    static double data[3 * CELLS];
    for (int bytes = 4; bytes <= 8; bytes += 4)
        for (int ncomp = 1; ncomp <= 3; ncomp += 2) {
            unsigned long long reference = 0;
            for (int n = 0; n < LAYOUTS; ++n) {
                const int ranks = layouts[n][0] * layouts[n][1] * layouts[n][2];
                unsigned long long sum = 0;
                for (int rank = 0; rank < ranks; ++rank) {
                    const struct io_view v = make_view(layouts[n], rank, "x", ncomp, bytes, data);
                    walk(v, 3, 1);
                    sum += hash_view(v);
                }
                if (n == 0) reference = sum;
                CHECK_ALL(sum == reference && sum != 0);
            }
            /* one bit, and two values exchanged, are seen */
            const struct io_view v = make_view(layouts[0], 0, "x", ncomp, bytes, data);
            walk(v, 3, 1);
            ((unsigned char *)data)[17 * bytes] ^= 1;
            CHECK_ALL(hash_view(v) != reference);
            walk(v, 3, 1);
            char swap[8];
            memcpy(swap, (char *)data + bytes, (size_t)bytes);
            memcpy((char *)data + bytes, (char *)data + 2 * bytes, (size_t)bytes);
            memcpy((char *)data + 2 * bytes, swap, (size_t)bytes);
            CHECK_ALL(hash_view(v) != reference);
        }
}

/* the formula of the header, so that files stay readable: values worked out apart from this code */
static void test_hash_known_value(void **state)
{
    (void)state;
    double x[2] = {1.0, -0.5};
    float y[2] = {1.0f, -0.5f};
    struct io_view v = {.ncomp = 1, .n_g = {2, 1, 1}, .n = {2, 1, 1}, .bytes = 8, .data = x};
    CHECK_ALL(hash_view(v) == 0xd141aa612c8e1089ULL);
    v.bytes = 4;
    v.data = y;
    CHECK_ALL(hash_view(v) == 0xd59867d7125d5771ULL);
}

/* pieces of 100 bytes: a piece is less than a plane, and ranks have different numbers of them */
static void test_small_pieces(void **state)
{
    (void)state;
    static double data[3 * CELLS];
    struct h5_file *f = NULL;
    unsigned long long hash = 0;
    struct io_view v = make_view(widest(), world_rank, "x", 3, 8, data);
    walk(v, 5, 1);
    CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "checkpoint", 1, &f) == KOL_OK);
    CHECK_ALL(h5_put_view(f, "x", v, 8, 100) == KOL_OK);
    CHECK_ALL(h5_put_view(f, "single", v, 4, 400) == KOL_OK);
    CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_commit(&f) == KOL_OK);
    for (size_t slab = 1; slab < 10000; slab *= 10) {
        CHECK_ALL(h5_open(MPI_COMM_WORLD, path_of(1, ""), "kolmo-checkpoint", &f) == KOL_OK);
        memset(data, 0, sizeof data);
        CHECK_ALL(h5_get_view(f, "x", v, slab, &hash) == KOL_OK && hash == hash_view(v));
        CHECK_ALL(walk(v, 5, 0) == 0);
        struct io_view s = v;
        s.bytes = 4;
        CHECK_ALL(h5_get_view(f, "single", s, slab, &hash) == KOL_OK && hash == hash_view(s));
        CHECK_ALL(walk(s, 5, 0) == 0);
        CHECK_ALL(h5_close(&f) == KOL_OK);
    }
}

/* slabs: a part that passes in slabs through memory for a few planes. */
struct box_slabs {
    struct io_view part; /* all of it */
    char *memory;
    int into, next, wrong, fails_at; /* direction; the plane that must come next; -1: none fails */
};

static kol_status pass_slab(void *slabs, int first, int count)
{
    struct box_slabs *s = slabs;
    const size_t plane =
        (size_t)s->part.n[0] * (size_t)s->part.n[1] * (size_t)(s->part.ncomp * s->part.bytes);
    char *whole = (char *)s->part.data + (size_t)first * plane;
    s->wrong += first != s->next || count < 1 || first + count > s->part.n[2];
    s->next = first + count;
    if (first == s->fails_at) RAISE(KOL_ERR_NUMERICAL, "plane %d can't be had", first);
    if (s->into) memcpy(whole, s->memory, (size_t)count * plane);
    else memcpy(s->memory, whole, (size_t)count * plane);
    memset(s->memory + (s->into ? 0 : (size_t)count * plane), 0x55, s->into ? (size_t)count * plane : 0);
    return KOL_OK;
}

static struct io_view in_slabs(struct box_slabs *s, struct io_view part, int most, char *memory, int into)
{
    struct io_view v = part;
    *s = (struct box_slabs){part, memory, into, 0, 0, -1};
    v.data = memory;
    v.planes = (struct io_planes){most, pass_slab, s};
    return v;
}

/* Tests that fields written in slabs of planes give the same file as fields written from one piece of
 * memory, and are read alike. Tests also slabs smaller than usual and smaller than a plane, and a transfer
 * that fails on one rank. */
static void test_in_slabs_of_planes(void **state)
{
    (void)state;
    static double data[3 * CELLS], memory[3 * CELLS];
    struct h5_file *f = NULL;
    struct box_slabs s;
    unsigned long long hash = 0;
    struct io_view part = make_view(widest(), world_rank, "x", 3, 8, data);
    for (int most = 1; most <= 3; ++most) {
        for (size_t slab = 100; slab < 10000; slab *= 3) {
            walk(part, 5, 1);
            CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "checkpoint", 1, &f) == KOL_OK);
            CHECK_ALL(h5_put_view(f, "x", in_slabs(&s, part, most, (char *)memory, 0), 8, slab) == KOL_OK);
            CHECK_ALL(s.wrong == 0 && s.next == part.n[2]);
            CHECK_ALL(h5_put_view(f, "single", in_slabs(&s, part, most, (char *)memory, 0), 4, slab) ==
                      KOL_OK);
            CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_commit(&f) == KOL_OK);
            CHECK_ALL(h5_open(MPI_COMM_WORLD, path_of(1, ""), "kolmo-checkpoint", &f) == KOL_OK);
            for (int way = 0; way < 2; ++way) { /* whole, in slabs */
                const struct io_view v = way ? in_slabs(&s, part, most, (char *)memory, 1) : part;
                memset(data, 0, sizeof data);
                CHECK_ALL(h5_get_view(f, "x", v, slab, &hash) == KOL_OK);
                CHECK_ALL(walk(part, 5, 0) == 0 && hash == hash_view(part));
            }
            CHECK_ALL(s.wrong == 0 && s.next == part.n[2]);
            struct io_view single = part;
            single.bytes = 4;
            CHECK_ALL(h5_get_view(f, "single", single, slab, &hash) == KOL_OK && walk(single, 5, 0) == 0);
            CHECK_ALL(h5_close(&f) == KOL_OK);
        }
    }
    struct checkpoint *c = NULL;
    walk(part, 5, 1);
    CHECK_ALL(checkpoint_begin(MPI_COMM_WORLD, directory, 2, axis, NULL, 0, &c) == KOL_OK);
    const struct io_view v = in_slabs(&s, part, 1, (char *)memory, 0);
    if (world_rank == world_size - 1) s.fails_at = part.n[2] - 1;
    check_fault(checkpoint_put(c, v), KOL_ERR_NUMERICAL, "can't be had");
    CHECK_ALL(checkpoint_close(&c) == KOL_OK && !exists(path_of(2, ".tmp")) && !exists(path_of(2, "")));
}

/* longer than the 64 KiB that HDF5 keeps beside an object; and different on each rank: rank 0's counts */
static void test_long_provenance(void **state)
{
    (void)state;
    enum { LONG = 200000 };
    char *text = malloc(LONG), *back = malloc(LONG);
    memset(text, 'a' + world_rank, LONG - 1);
    text[LONG - 1 - world_rank] = '\0';
    const struct io_text texts[] = {{"input", text}};
    struct checkpoint *c = NULL;
    CHECK_ALL(checkpoint_begin(MPI_COMM_WORLD, directory, 1, axis, texts, 1, &c) == KOL_OK);
    CHECK_ALL(checkpoint_end(&c, scalars, 3, 1) == KOL_OK);
    struct h5_file *f = NULL;
    CHECK_ALL(h5_open(MPI_COMM_WORLD, path_of(1, ""), "kolmo-checkpoint", &f) == KOL_OK);
    CHECK_ALL(h5_get_text(f, "/run", "input", back, LONG) == KOL_OK);
    CHECK_ALL(strlen(back) == LONG - 1 && strspn(back, "a") == LONG - 1);
    CHECK_ALL(h5_get_text(f, "/run", "created", back, LONG) == KOL_OK);
    CHECK_ALL(strlen(back) == strlen("2026-01-01T00:00:00Z"));
    CHECK_ALL(h5_close(&f) == KOL_OK);
    free(text);
    free(back);
}

static void test_keep_prunes_only_older(void **state)
{
    (void)state;
    for (int step = 1; step <= 5; ++step)
        CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 100 * step, 8, 2) == KOL_OK);
    CHECK_ALL(!exists(path_of(100, "")) && !exists(path_of(300, "")));
    CHECK_ALL(exists(path_of(400, "")) && exists(path_of(500, "")));
    /* a run that went back: the later file is not its to remove */
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 450, 8, 1) == KOL_OK);
    CHECK_ALL(!exists(path_of(400, "")) && exists(path_of(450, "")) && exists(path_of(500, "")));
}

static void test_stale_temporary_is_removed(void **state)
{
    (void)state;
    if (world_rank == 0) {
        FILE *f = fopen(path_of(7, ".tmp"), "w");
        if (f) fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ALL(exists(path_of(7, ".tmp")));
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 8, 8, 1) == KOL_OK);
    CHECK_ALL(!exists(path_of(7, ".tmp")) && !exists(path_of(8, ".tmp")) && exists(path_of(8, "")));
}

static void test_directory_faults(void **state)
{
    (void)state;
    struct checkpoint *c = NULL;
    char keep[512], path[64];
    memcpy(keep, directory, sizeof keep);
    check_fault(checkpoint_begin(MPI_COMM_WORLD, "/nowhere/at/all", 1, axis, NULL, 0, &c), KOL_ERR_IO,
                "No such file or directory");
    CHECK_ALL(c == NULL);
    check_fault(checkpoint_find(MPI_COMM_WORLD, "/nowhere/at/all", path, sizeof path, NULL, NULL), KOL_ERR_IO,
                "/nowhere/at/all");
    check_fault(checkpoint_find(MPI_COMM_WORLD, directory, path, sizeof path, NULL, NULL), KOL_ERR_IO,
                "0 files");
    /* not even root may make files there */
    check_fault(checkpoint_begin(MPI_COMM_WORLD, "/proc/self", 1, axis, NULL, 0, &c), KOL_ERR_IO, "create");
    check_fault(checkpoint_begin(MPI_COMM_WORLD, "/dev/null", 1, axis, NULL, 0, &c), KOL_ERR_IO,
                "no directory");
    check_fault(checkpoint_check_space(MPI_COMM_WORLD, directory, 1e30), KOL_ERR_IO, "MB are free");
    check_fault(checkpoint_open(MPI_COMM_WORLD, path_of(99, ""), axis, 8, &c), KOL_ERR_IO, "No such file");
    check_fault(checkpoint_open(MPI_COMM_WORLD, directory, axis, 8, &c), KOL_ERR_IO, "no regular file");
}

static void test_wrong_use(void **state)
{
    (void)state;
    static double data[CELLS];
    struct checkpoint *c = NULL;
    struct io_view v = make_view(widest(), world_rank, "u", 1, 8, data);
    walk(v, 1, 1);
    CHECK_ALL(checkpoint_begin(MPI_COMM_WORLD, directory, 3, axis, NULL, 0, &c) == KOL_OK);
    if (world_rank == world_size - 1)
        v.n[2] -= 1; /* a plane that nobody writes: one rank's fault is all ranks' */
    check_fault(checkpoint_put(c, v), KOL_ERR_INTERNAL, "the parts of all ranks have");
    CHECK_ALL(!exists(path_of(3, ".tmp")));
    CHECK_ALL(checkpoint_put(c, v) == KOL_ERR_IO); /* given up */
    status_clear();
    CHECK_ALL(checkpoint_end(&c, NULL, 0, 1) == KOL_ERR_IO && c == NULL);
    status_clear();
    CHECK_ALL(!exists(path_of(3, "")));
    CHECK_ALL(checkpoint_begin(MPI_COMM_WORLD, directory, 3, axis, NULL, 0, &c) == KOL_OK);
    CHECK_ALL(exists(path_of(3, ".tmp")));
    CHECK_ALL(checkpoint_close(&c) == KOL_OK && c == NULL && !exists(path_of(3, ".tmp")));
}

static void test_differences_are_all_listed(void **state)
{
    (void)state;
    struct checkpoint *c = NULL;
    double moved[NX + 1], x = 0;
    static double data[CELLS];
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
    memcpy(moved, axis[X].face, sizeof moved);
    moved[3] += 1e-16;
    const struct io_axis other[3] = {{NX, moved}, axis[Y], {NZ - 1, axis[Z].face}};
    const kol_status st = checkpoint_open(MPI_COMM_WORLD, path_of(1, ""), other, 4, &c);
    CHECK_ALL(strstr(status_message(), "1 of 8 faces, first face 3") &&
              strstr(status_message(), "cells in z: 5"));
    check_fault(st, KOL_ERR_INPUT, "8 bytes a value");
    CHECK_ALL(checkpoint_open(MPI_COMM_WORLD, path_of(1, ""), axis, 8, &c) == KOL_OK);
    check_fault(checkpoint_scalar(c, "no-such", &x), KOL_ERR_IO, "no-such");
    struct io_view v = make_view(widest(), world_rank, "w", 1, 8, data);
    check_fault(checkpoint_get(c, v), KOL_ERR_IO, "no array '/fields/w'");
    v.name = "u";
    v.location = IO_CCF;
    check_fault(checkpoint_get(c, v), KOL_ERR_IO, "is at fcc");
    v.bytes = 4;
    check_fault(checkpoint_get(c, v), KOL_ERR_IO, "of 8 bytes");
    CHECK_ALL(checkpoint_close(&c) == KOL_OK);
}

static void test_log(void **state)
{
    (void)state;
    char path[600], line[100] = "";
    snprintf(path, sizeof path, "%s/run_%d.log", directory, world_rank);
    log_info("not started: lost");
    CHECK_ALL(log_start("/nowhere/run.log") == KOL_ERR_IO && strstr(status_message(), "No such file"));
    status_clear();
    for (int run = 0; run < 2; ++run) { /* appended to */
        CHECK_ALL(log_start(path) == KOL_OK);
        log_info("step %d", run);
        log_warn("much");
        CHECK_ALL(log_stop() == KOL_OK);
    }
    FILE *f = fopen(path, "r");
    const char *const wanted[] = {"step 0\n", "warning: much\n", "step 1\n", "warning: much\n"};
    int right = 0;
    for (int n = 0; n < 4; ++n) right += fgets(line, sizeof line, f) && strcmp(line, wanted[n]) == 0;
    CHECK_ALL(right == 4 && !fgets(line, sizeof line, f));
    fclose(f);
    CHECK_ALL(log_start("/dev/full") == KOL_ERR_IO && strstr(status_message(), "a regular file is needed"));
    status_clear();
    /* no room: the file may not grow */
    struct rlimit before, none;
    CHECK_ALL(log_start(path) == KOL_OK && getrlimit(RLIMIT_FSIZE, &before) == 0);
    none = (struct rlimit){.rlim_cur = 1, .rlim_max = before.rlim_max};
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK_ALL(setrlimit(RLIMIT_FSIZE, &none) == 0);
    log_info("no room");
    const kol_status stopped = log_stop();
    CHECK_ALL(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, handler);
    CHECK_ALL(stopped == KOL_ERR_IO && strstr(status_message(), "File too large"));
    status_clear();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_round_trip_any_layout),      CASE(test_hash_any_layout),
        CASE(test_hash_known_value),           CASE(test_small_pieces),
        CASE(test_in_slabs_of_planes),         CASE(test_long_provenance),
        CASE(test_keep_prunes_only_older),     CASE(test_stale_temporary_is_removed),
        CASE(test_directory_faults),           CASE(test_wrong_use),
        CASE(test_differences_are_all_listed), CASE(test_log),
    };
    return MPI_MAIN(argc, argv, "io", tests);
}
