/* ranks: 1 2 */
/* Tests restart files whose structure is damaged, or which another program has made, as the fuzz targets
 * found them. Each must be refused as a file, and the program must go on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/h5_arrays.h"
#include "io/h5_attributes.h"
#include "io/h5_file.h"
#include "io/h5_groups.h"
#include "io/h5_verify.h"
#include "tests/support/io_case.h"
#include "tests/support/mpi_main.h"

enum {
    MANY = 12
}; /* more than HDF5 keeps in the header of a group or an object: it then makes a heap for them */

static kol_status write_many(long long step)
{
    static double data[CELLS];
    static char name[MANY][16];
    struct io_scalar scalar[MANY];
    struct checkpoint *c = NULL;
    TRY(checkpoint_begin(MPI_COMM_WORLD, directory, step, axis, NULL, 0, &c));
    for (int n = 0; n < MANY; ++n) {
        snprintf(name[n], sizeof name[n], "f%02d", n);
        scalar[n] = (struct io_scalar){name[n], n};
        TRY(checkpoint_put(c, make_view(widest(), world_rank, name[n], 1, 8, data)));
    }
    TRY(checkpoint_end(&c, scalar, MANY, 1));
    return KOL_OK;
}

/* By rank 0: change a byte behind the n-th block of the heaps. 0 on all ranks where there are fewer. */
static int damage_heap(const char *path, int n)
{
    enum { LARGEST = 1 << 20, BEHIND = 40 };
    static char bytes[LARGEST];
    int found = 0;
    if (world_rank == 0) {
        FILE *f = fopen(path, "r+");
        const size_t size = f ? fread(bytes, 1, LARGEST, f) : 0;
        for (size_t at = 0; at + BEHIND < size && !found; ++at) {
            if (memcmp(bytes + at, "FHDB", 4) != 0 || n-- > 0) continue;
            fseek(f, (long)at + BEHIND, SEEK_SET);
            found = putc(bytes[at + BEHIND] ^ 0x55, f) != EOF;
        }
        if (f) fclose(f);
    }
    MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return found;
}

/* HDF5 1.10 crashes where a name in a damaged heap is asked for by its place. */
static void test_damaged_heap_is_refused(void **state)
{
    (void)state;
    int heaps = 0;
    for (;; ++heaps) {
        CHECK_ALL(write_many(1) == KOL_OK);
        CHECK_ALL(checkpoint_verify(MPI_COMM_WORLD, path_of(1, ""), NULL) == KOL_OK);
        if (!damage_heap(path_of(1, ""), heaps)) break;
        check_fault(checkpoint_verify(MPI_COMM_WORLD, path_of(1, ""), NULL), KOL_ERR_IO, path_of(1, ""));
    }
    CHECK_ALL(heaps >= 2); /* of the links in /fields, of the numbers in /state */
}

/* h5_list: all names, in order, whatever order the file has them in, and no groups. */
static void test_list_is_sorted(void **state)
{
    (void)state;
    struct h5_file *f = NULL;
    char **name = NULL;
    int count = 0;
    CHECK_ALL(write_many(1) == KOL_OK);
    CHECK_ALL(h5_open(MPI_COMM_WORLD, path_of(1, ""), "kolmo-checkpoint", &f) == KOL_OK);
    CHECK_ALL(h5_list(f, "/fields", &name, &count) == KOL_OK && count == MANY);
    for (int n = 1; n < count; ++n) CHECK_ALL(strcmp(name[n - 1], name[n]) < 0);
    h5_list_free(&name, count);
    CHECK_ALL(h5_list(f, "/grid", &name, &count) == KOL_OK && count == 3);
    CHECK_ALL(strcmp(name[0], "x_face") == 0 && strcmp(name[2], "z_face") == 0);
    h5_list_free(&name, count);
    CHECK_ALL(h5_list(f, "/", &name, &count) == KOL_OK && count == 0);
    h5_list_free(&name, count);
    CHECK_ALL(h5_close(&f) == KOL_OK);
}

/* A number that has the last 32 bits of an 8 is no 8. */
static void test_value_bytes(void **state)
{
    (void)state;
    static const long long stored[] = {0, 5, -8, (1LL << 32) + 8};
    struct checkpoint *c = NULL;
    int bytes = 0;
    for (size_t n = 0; n < sizeof stored / sizeof stored[0]; ++n) {
        CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
        int written = 1;
        if (world_rank == 0) {
            const hid_t file = H5Fopen(path_of(1, ""), H5F_ACC_RDWR, H5P_DEFAULT);
            const hid_t id = H5Aopen(file, "value_bytes", H5P_DEFAULT);
            written = H5Awrite(id, H5T_NATIVE_LLONG, &stored[n]) >= 0;
            H5Aclose(id);
            H5Fclose(file);
        }
        CHECK_ALL(written);
        check_fault(checkpoint_verify(MPI_COMM_WORLD, path_of(1, ""), NULL), KOL_ERR_IO,
                    "4 or 8 are possible");
        CHECK_ALL(checkpoint_look(MPI_COMM_WORLD, path_of(1, ""), &c) == KOL_OK);
        check_fault(checkpoint_bytes(c, &bytes), KOL_ERR_IO, "4 or 8 are possible");
        CHECK_ALL(checkpoint_close(&c) == KOL_OK);
    }
}

/* A number of another checkpoint, sound by itself, as where an old page took the place of a new one. */
static void test_numbers_belong_to_arrays(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; ++turn) { /* another value, the same */
        const double value = turn == 0 ? 0.2 : 0.1;
        int written = 1;
        CHECK_ALL(write_case(MPI_COMM_WORLD, widest(), 1, 8, 1) == KOL_OK);
        if (world_rank == 0) {
            const hid_t file = H5Fopen(path_of(1, ""), H5F_ACC_RDWR, H5P_DEFAULT);
            const hid_t group = H5Gopen(file, "/state", H5P_DEFAULT);
            const hid_t id = H5Aopen(group, "time", H5P_DEFAULT);
            written = H5Awrite(id, H5T_NATIVE_DOUBLE, &value) >= 0;
            H5Aclose(id);
            H5Gclose(group);
            written = H5Fclose(file) >= 0 && written;
        }
        CHECK_ALL(written);
        if (turn == 0)
            check_fault(checkpoint_verify(MPI_COMM_WORLD, path_of(1, ""), NULL), KOL_ERR_IO,
                        "belong together");
        else CHECK_ALL(checkpoint_verify(MPI_COMM_WORLD, path_of(1, ""), NULL) == KOL_OK);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_damaged_heap_is_refused),
        CASE(test_list_is_sorted),
        CASE(test_value_bytes),
        CASE(test_numbers_belong_to_arrays),
    };
    return MPI_MAIN(argc, argv, "io_foreign", tests);
}
