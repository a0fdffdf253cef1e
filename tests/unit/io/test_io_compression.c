/* ranks: 1 2 4 */
/* Tests compressed arrays: the same values and the same hashes as those that are not compressed, for any
 * ranks and slabs, also where one chunk has cells of several ranks or is written in several turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include "io/fields.h"
#include "io/h5_arrays.h"
#include "io/h5_attributes.h"
#include "io/h5_compression.h"
#include "io/h5_file.h"
#include "io/h5_groups.h"
#include "tests/support/io_case.h"
#include "tests/support/mpi_main.h"

/* The chunk of an array of the open file, and the bytes it takes; the number of its filters is returned. */
static int storage(struct h5_file *f, const char *name, hsize_t chunk[4], hsize_t *bytes)
{
    const hid_t set = H5Dopen2(f->id, name, H5P_DEFAULT), how = H5Dget_create_plist(set);
    const int filters = H5Pget_nfilters(how);
    if (H5Pget_layout(how) == H5D_CHUNKED) H5Pget_chunk(how, 4, chunk);
    *bytes = H5Dget_storage_size(set);
    H5Pclose(how);
    H5Dclose(set);
    return filters;
}

/* All levels and several sizes of slabs, of which the small ones write the one chunk in many turns. */
static void test_levels_and_slabs(void **state)
{
    (void)state;
    static double data[3 * CELLS];
    struct h5_file *f = NULL;
    hsize_t chunk[4] = {0, 0, 0, 0}, bytes;
    unsigned long long hash = 0;
    struct io_view v = make_view(widest(), world_rank, "x", 3, 8, data), s = v;
    s.bytes = 4;
    for (int level = 0; level <= 9; level += 3)
        for (size_t slab = 100; slab < 100000; slab *= 10) {
            CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "fields", 1, &f) == KOL_OK);
            f->compression = level;
            walk(v, 5, 1);
            CHECK_ALL(h5_put_view(f, "x", v, 8, slab) == KOL_OK);
            CHECK_ALL(h5_put_view(f, "single", v, 4, slab) == KOL_OK);
            CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_commit(&f) == KOL_OK);
            char path[600];
            snprintf(path, sizeof path, "%s/fields_00000001.h5", directory);
            CHECK_ALL(h5_open(MPI_COMM_WORLD, path, "kolmo-fields", &f) == KOL_OK);
            CHECK_ALL(storage(f, "x", chunk, &bytes) == (level > 0 ? 2 : 0));
            CHECK_ALL(level == 0 || (chunk[0] == NZ && chunk[1] == NY && chunk[2] == NX && chunk[3] == 3));
            CHECK_ALL(storage(f, "grid/x_face", chunk, &bytes) == 0 && bytes == 8 * (NX + 1));
            memset(data, 0, sizeof data);
            CHECK_ALL(h5_get_view(f, "x", v, slab, &hash) == KOL_OK && hash == hash_view(v));
            CHECK_ALL(walk(v, 5, 0) == 0);
            CHECK_ALL(h5_get_view(f, "single", s, slab, &hash) == KOL_OK && hash == hash_view(s));
            CHECK_ALL(walk(s, 5, 0) == 0 && h5_close(&f) == KOL_OK);
        }
}

/* An array of many chunks, the last of which reach beyond it. Parts are unequal, and the last rank has
 * none. */
static void test_many_chunks(void **state)
{
    (void)state;
    enum { X_CELLS = 300, Y_CELLS = 270, Z_CELLS = 5, PLANE = X_CELLS * Y_CELLS };
    const int parts = world_size > 1 ? world_size - 1 : 1, mine = world_rank < parts;
    const int first = mine ? world_rank * Y_CELLS / parts + (world_rank > 0) : 0;
    const int last = !mine ? 0 : world_rank == parts - 1 ? Y_CELLS : (world_rank + 1) * Y_CELLS / parts + 1;
    float *data = calloc((size_t)PLANE * Z_CELLS, sizeof *data);
    struct io_view v = make_view(widest(), world_rank, "x", 1, 4, data);
    memcpy(v.n_g, (int[3]){X_CELLS, Y_CELLS, Z_CELLS}, sizeof v.n_g);
    memcpy(v.n, (int[3]){mine ? X_CELLS : 0, last - first, Z_CELLS}, sizeof v.n);
    memcpy(v.offset, (int[3]){0, first, 0}, sizeof v.offset);
    struct h5_file *f = NULL;
    hsize_t chunk[4] = {0, 0, 0, 0}, bytes;
    unsigned long long hash = 0;
    CHECK_ALL(walk(v, 3, 1) == 0);
    CHECK_ALL(h5_create(MPI_COMM_WORLD, directory, "fields", 1, &f) == KOL_OK);
    f->compression = 1;
    CHECK_ALL(h5_check_view(f, &v) == KOL_OK && h5_put_view(f, "x", v, 4, 40000) == KOL_OK);
    CHECK_ALL(h5_put_grid(f, axis) == KOL_OK && h5_commit(&f) == KOL_OK); /* reads back, compares hashes */
    char path[600];
    snprintf(path, sizeof path, "%s/fields_00000001.h5", directory);
    CHECK_ALL(h5_open(MPI_COMM_WORLD, path, "kolmo-fields", &f) == KOL_OK);
    CHECK_ALL(storage(f, "x", chunk, &bytes) == 2 && chunk[2] == 150 && chunk[1] == 135 && chunk[0] == 3);
    CHECK_ALL(bytes < sizeof(float) * PLANE * Z_CELLS);
    memset(data, 0, (size_t)PLANE * Z_CELLS * sizeof *data);
    CHECK_ALL(h5_get_view(f, "x", v, 123456, &hash) == KOL_OK && walk(v, 3, 0) == 0 && hash == hash_view(v));
    CHECK_ALL(h5_close(&f) == KOL_OK);
    free(data);
}

/* Files of fields that are compressed have the hashes of those that are not. */
static void test_fields(void **state)
{
    (void)state;
    static double p[CELLS];
    unsigned long long hash[2] = {0, 1};
    char path[600];
    for (int level = 0; level <= 4; level += 4) {
        struct fields_file *file = NULL;
        struct h5_file *f = NULL;
        struct io_view v = make_view(widest(), world_rank, "pressure", 1, 8, p);
        v.location = IO_CCC;
        walk(v, 2, 1);
        CHECK_ALL(fields_begin(MPI_COMM_WORLD, directory, "fields", level, 0.1, axis, 1, NULL, 0, &file) ==
                  KOL_OK);
        CHECK_ALL(fields_compress(file, level) == KOL_OK && fields_add(file, v) == KOL_OK);
        CHECK_ALL(fields_end(&file, NULL) == KOL_OK);
        snprintf(path, sizeof path, "%s/fields_%08d.h5", directory, level);
        CHECK_ALL(h5_open(MPI_COMM_WORLD, path, "kolmo-fields", &f) == KOL_OK);
        CHECK_ALL(h5_get_hash(f, "pressure", &hash[level > 0]) == KOL_OK && h5_close(&f) == KOL_OK);
    }
    CHECK_ALL(hash[0] == hash[1]);
    CHECK_ALL(fields_compression_lack() == NULL);
}

/* A full disk: a file system of 1 MiB, where we may mount one. Space for what is compressed can't be
 * reserved, so the write or the reading back fails. The program goes on and ends without a crash. */
static void test_full_disk(void **state)
{
    (void)state;
    enum { N = 400000 }; /* 3.2 MB of numbers that deflate can't make much smaller */
    char small[600], path[700];
    int mounted = 1;
    snprintf(small, sizeof small, "%s/small", directory);
    if (world_rank == 0)
        mounted = mkdir(small, 0777) == 0 && mount("tmpfs", small, "tmpfs", 0, "size=1m") == 0;
    MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!mounted) skip();
    double *data = calloc(N, sizeof *data);
    unsigned long long bits = 1;
    for (int i = 0; i < N; ++i) {
        bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
        data[i] = (double)(bits >> 11);
    }
    struct io_view v = {.name = "big", .unit = "1", .long_name = "big", .ncomp = 1, .bytes = 8, .data = data};
    for (int d = 0; d < 3; ++d) v.n[d] = v.n_g[d] = 1;
    v.n[0] = N;
    v.n_g[0] = N * world_size;
    v.offset[0] = N * world_rank;
    for (int n = 0; n < 2; ++n) {
        struct h5_file *f = NULL;
        CHECK_ALL(h5_create(MPI_COMM_WORLD, small, "fields", 2, &f) == KOL_OK);
        f->compression = 1;
        kol_status st = h5_put_view(f, "big", v, 8, H5_SLAB_BYTES);
        if (st == KOL_OK) st = h5_put_grid(f, axis);
        if (st == KOL_OK) st = h5_commit(&f);
        else h5_abandon(&f);
        check_fault(st, KOL_ERR_IO, "");
        snprintf(path, sizeof path, "%s/fields_00000002.h5", small);
        CHECK_ALL(!exists(path) && !io_exit_unsafe());
    }
    CHECK_ALL(world_rank != 0 || umount(small) == 0);
    free(data);
}

/* A damaged file may claim sizes that no memory holds. Deflate makes nothing a thousand times smaller. */
static void test_sizes_beyond_the_file(void **state)
{
    (void)state;
    struct h5_shape shape;
    struct h5_file f = {.comm = MPI_COMM_WORLD, .rank = world_rank, .bytes = 1e6};
    snprintf(f.path, sizeof f.path, "%s/fields_00000001.h5", directory);
    if (world_rank == 0) {
        const hsize_t size[3] = {1 << 20, 1 << 20, 1 << 20}, chunk[3] = {1, 1, 16};
        const hid_t file = H5Fcreate(f.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(3, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(how, 3, chunk);
        H5Pset_deflate(how, 1);
        H5Dclose(H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
        H5Pclose(how);
        H5Sclose(space);
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    f.id = H5Fopen(f.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    check_fault(h5_get_shape(&f, "x", &shape), KOL_ERR_IO, "that fits the file");
    H5Fclose(f.id);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(test_levels_and_slabs), CASE(test_many_chunks), CASE(test_fields),
                                       CASE(test_full_disk), CASE(test_sizes_beyond_the_file)};
    return MPI_MAIN(argc, argv, "io_compression", tests);
}
