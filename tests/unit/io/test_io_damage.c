/* ranks: 1 2 4 */
/* Tests restart files that were damaged, cut short or not finished. They are refused by name, and the run
 * falls back to an older one. A full disk costs only the new file. Run on 1, 2 and 4 ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/h5_arrays.h"
#include "io/h5_attributes.h"
#include "io/h5_file.h"
#include "io/h5_groups.h"
#include "io/h5_verify.h"
#include "io/log.h"
#include "tests/support/io_case.h"
#include "tests/support/mpi_main.h"

enum damage { FLIP, CUT, ZERO, GARBAGE, EMPTY };

/* by rank 0; where: a byte of the file, counted from the end if negative */
static void damage(const char *path, enum damage kind, long where, int bit)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        FILE *f = fopen(path, kind == GARBAGE || kind == EMPTY ? "w" : "r+");
        unsigned char byte = 0;
        static const unsigned char zero[512];
        fseek(f, where, where < 0 ? SEEK_END : SEEK_SET);
        if (kind == FLIP && fread(&byte, 1, 1, f) == 1) {
            byte ^= (unsigned char)(1u << bit);
            fseek(f, -1, SEEK_CUR);
            fwrite(&byte, 1, 1, f);
        }
        if (kind == ZERO) fwrite(zero, 1, sizeof zero, f);
        if (kind == GARBAGE)
            for (int n = 0; n < 3000; ++n) putc((n * 7919) >> 3 & 255, f);
        const long size = (fseek(f, 0, SEEK_END), ftell(f));
        if (kind == CUT && ftruncate(fileno(f), size + where) != 0) abort();
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static long data_offset(const char *path, const char *dataset)
{
    struct h5_file *f = NULL;
    if (h5_open(MPI_COMM_WORLD, path, "kolmo-checkpoint", &f) != KOL_OK) return -1;
    const hid_t set = H5Dopen2(f->id, dataset, H5P_DEFAULT);
    const long offset = (long)H5Dget_offset(set);
    H5Dclose(set);
    h5_close(&f);
    return offset;
}

/* where the file holds a text; -1 where it doesn't */
static long text_offset(const char *path, const char *text)
{
    enum { MOST = 1 << 20 };
    FILE *f = fopen(path, "r");
    char *all = malloc(MOST);
    if (!f || !all) abort();
    const size_t size = fread(all, 1, MOST, f);
    const char *found = memmem(all, size, text, strlen(text));
    const long offset = found ? (long)(found - all) : -1;
    fclose(f);
    free(all);
    return offset;
}

static void test_damage_is_refused_and_older_one_found(void **state)
{
    enum { INPUT = 1 << 30 }; /* in place of a byte: of the input's text in /run */
    (void)state;
    char path[600], log_path[600], line[4096];
    const struct {
        enum damage kind;
        const char *dataset; /* its data are hit; NULL: byte `where` is */
        long where;
        const char *words;
    } hits[] = {{FLIP, "/fields/u", 0, "array '/fields/u' has hash"},
                {ZERO, "/fields/vec", 8, "array '/fields/vec' has hash"},
                {FLIP, "/grid/y_face", 0, "differs from its hash"},
                {FLIP, NULL, INPUT, "checksum"},
                {CUT, NULL, -100, "truncated"},
                {GARBAGE, NULL, 0, "is no HDF5 file"},
                {EMPTY, NULL, 0, "0 bytes and is no HDF5 file"},
                {ZERO, NULL, 0, "is no HDF5 file"}};
    snprintf(log_path, sizeof log_path, "%s/run.log", directory);
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
    for (size_t n = 0; n < sizeof hits / sizeof hits[0]; ++n) {
        CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 2, 8, 2) == KOL_OK);
        CHECK_ALL(checkpoint_find(MPI_COMM_WORLD, directory, path, sizeof path, NULL, NULL) == KOL_OK);
        CHECK_ALL(strcmp(path, path_of(2, "")) == 0);
        long where = (hits[n].dataset ? data_offset(path, hits[n].dataset) : 0) + hits[n].where;
        if (hits[n].where == INPUT) where = text_offset(path, "&run title");
        CHECK_ALL(hits[n].where != INPUT || where > 0);
        damage(path, hits[n].kind, where, 0);
        check_fault(checkpoint_verify(MPI_COMM_WORLD, path, NULL), KOL_ERR_IO, hits[n].words);
        if (world_rank == 0) unlink(log_path);
        CHECK_ALL(world_rank != 0 || log_start(log_path) == KOL_OK);
        CHECK_ALL(checkpoint_find(MPI_COMM_WORLD, directory, path, sizeof path, NULL, NULL) == KOL_OK);
        CHECK_ALL(log_stop() == KOL_OK);
        CHECK_ALL(strcmp(path, path_of(1, "")) == 0);
        CHECK_ALL(read_case(MPI_COMM_WORLD, widest(), path, 8) == 0);
        FILE *f = world_rank == 0 ? fopen(log_path, "r") : NULL; /* it says which and why */
        CHECK_ALL(world_rank != 0 || (f && fgets(line, sizeof line, f) &&
                                      strstr(line, "checkpoint_00000002.h5") && strstr(line, hits[n].words)));
        if (f) fclose(f);
    }
}

/* a bit anywhere: refused, or the state is what was written */
static void test_no_silent_flip(void **state)
{
    (void)state;
    struct stat s;
    const char *path = path_of(1, "");
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
    CHECK_ALL(stat(path, &s) == 0);
    int refused = 0, wrong = 0;
    for (long at = 0; at < s.st_size; at += 97) {
        damage(path, FLIP, at, (int)(at % 8));
        const kol_status st = checkpoint_verify(MPI_COMM_WORLD, path, NULL);
        status_clear();
        refused += st != KOL_OK;
        if (st == KOL_OK) wrong += read_case(MPI_COMM_WORLD, widest(), path, 8) != 0;
        status_clear();
        damage(path, FLIP, at, (int)(at % 8));
    }
    CHECK_ALL(wrong == 0);
    CHECK_ALL(refused > 20);
    CHECK_ALL(read_case(MPI_COMM_WORLD, widest(), path, 8) == 0);
}

/* a file that was never marked complete, and fields of another kind of file */
static void test_incomplete_is_refused(void **state)
{
    (void)state;
    struct h5_file *f = NULL;
    char path[600], name[DISK_PATH];
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
    CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "checkpoint", 2, &f) == KOL_OK);
    snprintf(path, sizeof path, "%s", path_of(2, ""));
    snprintf(name, sizeof name, "%s", f->path);
    H5Pclose(f->transfer);
    H5Fclose(f->id);
    if (world_rank == 0) rename(name, path);
    free(f);
    MPI_Barrier(MPI_COMM_WORLD);
    check_fault(checkpoint_verify(MPI_COMM_WORLD, path, NULL), KOL_ERR_IO, "complete");
    CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "fields", 2, &f) == KOL_OK);
    CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_commit(&f) == KOL_OK);
    snprintf(name, sizeof name, "%s/fields_00000002.h5", directory);
    check_fault(checkpoint_verify(MPI_COMM_WORLD, name, NULL), KOL_ERR_IO, "the format 'kolmo-fields'");
}

/* a write that reports success and leaves a hole, as Open MPI's do on a full disk: found before the file
 * gets its name */
static void test_bad_write_is_not_committed(void **state)
{
    (void)state;
    static double data[CELLS];
    struct h5_file *f = NULL;
    struct io_view v = make_view(widest(), world_rank, "x", 1, 8, data);
    walk(v, 1, 1);
    CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
    CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "checkpoint", 2, &f) == KOL_OK);
    CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_put_view(f, "x", v, 8, H5_SLAB_BYTES) == KOL_OK);
    const hid_t set = H5Dopen2(f->id, "x", H5P_DEFAULT);
    const long offset = (long)H5Dget_offset(set);
    H5Dclose(set);
    damage(f->path, ZERO, offset + 64, 0);
    check_fault(h5_commit(&f), KOL_ERR_IO, "array '/x' has hash");
    CHECK_ALL(f == NULL && exists(path_of(1, "")) && !exists(path_of(2, "")) && !exists(path_of(2, ".tmp")));
}

/* A full disk: a file system of 1 MiB, where we may mount one. First what checkpoint_put asks beforehand,
 * then, past that question, a write that fails on its way. The program must be able to go on, and to end
 * without a crash. */
static void test_full_disk(void **state)
{
    (void)state;
    enum { N = 150000 }; /* 1.2 MB */
    char small[600], path[700];
    int mounted = 1;
    struct checkpoint *c = NULL;
    struct h5_file *f = NULL;
    snprintf(small, sizeof small, "%s/small", directory);
    snprintf(path, sizeof path, "%s/checkpoint_00000002.h5.tmp", small);
    if (world_rank == 0)
        mounted = mkdir(small, 0777) == 0 && mount("tmpfs", small, "tmpfs", 0, "size=1m") == 0;
    MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!mounted) skip();
    double *data = calloc(N, sizeof *data);
    struct io_view v = {.name = "big", .unit = "1", .long_name = "big", .ncomp = 1, .bytes = 8, .data = data};
    for (int d = 0; d < 3; ++d) v.n[d] = v.n_g[d] = 1;
    v.n[0] = N;
    v.n_g[0] = N * world_size;
    v.offset[0] = N * world_rank;
    CHECK_ALL(checkpoint_begin(MPI_COMM_WORLD, small, 2, axis, NULL, 0, &c) == KOL_OK);
    check_fault(checkpoint_put(c, v), KOL_ERR_IO, "MB are free");
    CHECK_ALL(checkpoint_close(&c) == KOL_OK && !exists(path));
    for (int n = 0; n < 3; ++n) {
        CHECK_ALL(h5_create(MPI_COMM_WORLD, small, "checkpoint", 2, &f) == KOL_OK);
        CHECK_ALL(exists(path));
        check_fault(h5_put_view(f, "big", v, 8, H5_SLAB_BYTES), KOL_ERR_IO, "No space left on device");
        h5_abandon(&f);
        CHECK_ALL(!exists(path) && !io_exit_unsafe());
    }
    CHECK_ALL(h5_create(MPI_COMM_WORLD, small, "checkpoint", 2, &f) == KOL_OK); /* and the next one works */
    CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_commit(&f) == KOL_OK);
    CHECK_ALL(world_rank != 0 || umount(small) == 0);
    free(data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_damage_is_refused_and_older_one_found),
        CASE(test_no_silent_flip),
        CASE(test_incomplete_is_refused),
        CASE(test_bad_write_is_not_committed),
        CASE(test_full_disk),
    };
    return MPI_MAIN(argc, argv, "io_damage", tests);
}
