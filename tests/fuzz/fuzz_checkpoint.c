/* Tests that any restart file is read without harm, in every way in which a restart reads it. If the input
 * begins like an HDF5 file, it is the restart file itself; otherwise it is a recipe (h5recipe.h) from which
 * one is written. Catches what the sanitizers detect, handles that stay open, and a fault that is not one
 * of the file. If bytes were only flipped or cut off, it also catches wrong values that are returned as
 * good ones. One rank, so the collective calls of the readers use MPI_COMM_SELF. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "h5recipe.h"
#include "io/checkpoint.h"
#include "io/checkpoint_find.h"
#include "io/h5_arrays.h"
#include "io/h5_attributes.h"
#include "io/h5_file.h"
#include "io/h5_groups.h"

static struct {
    struct image base;
    int descriptor;
    char directory[400], path[500]; /* of the one file, written anew for each input */
} fuzz;

static void stop(void)
{
    unlink(fuzz.path);
    rmdir(fuzz.directory);
}

/* Not in LLVMFuzzerInitialize: MPI must start in the process that uses it, and AFL++ forks after that. */
static void start(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(fuzz.directory, sizeof fuzz.directory, "%.300s/kolmo-fuzz-XXXXXX", folder ? folder : "/tmp");
    REQUIRE(mkdtemp(fuzz.directory));
    REQUIRE(MPI_Init(NULL, NULL) == MPI_SUCCESS);
    /* HDF5 keeps what it frees in lists of its own, where the sanitizer does not see a second use, and one
     * input's damage crashes a later one that can't repeat it */
    REQUIRE(H5set_free_list_limits(0, 0, 0, 0, 0, 0) >= 0);
    fuzz.base = recipe_base(fuzz.directory);
    snprintf(fuzz.path, sizeof fuzz.path, "%s/fuzzed.h5", fuzz.directory);
    fuzz.descriptor = open(fuzz.path, O_RDWR | O_CREAT, 0600);
    REQUIRE(fuzz.descriptor >= 0 && atexit(stop) == 0);
}

static void write_file(const unsigned char *bytes, size_t size)
{
    REQUIRE(ftruncate(fuzz.descriptor, 0) == 0);
    for (size_t at = 0; at < size;) {
        const ssize_t written = pwrite(fuzz.descriptor, bytes + at, size - at, (off_t)at);
        REQUIRE(written > 0);
        at += (size_t)written;
    }
}

/* of_file: the call succeeded, or the file is to blame and the message says so. */
static int of_file(kol_status st)
{
    REQUIRE(st == KOL_OK || st == KOL_ERR_IO);
    REQUIRE(st == KOL_OK || strncmp(status_message(), fuzz.path, strlen(fuzz.path)) == 0);
    status_clear();
    return st == KOL_OK;
}

static void read_head(struct checkpoint *c)
{
    static const char *const scalar[] = {"time", "dt", "extra"};
    int bytes = 0;
    double x = 0;
    char *words = NULL;
    REQUIRE(!of_file(checkpoint_bytes(c, &bytes)) || bytes == 4 || bytes == 8);
    REQUIRE(of_file(checkpoint_text(c, "input", &words)) == (words != NULL));
    if (words) REQUIRE(strlen(words) < (size_t)4 << 20);
    free(words);
    for (int n = 0; n < 3; ++n) {
        double *face = NULL;
        int cells = 0;
        REQUIRE(of_file(checkpoint_faces(c, n, &cells, &face)) == (face != NULL));
        for (int i = 0; face && i <= cells; ++i) x += face[i]; /* all of them are there to be read */
        free(face);
        of_file(checkpoint_scalar(c, scalar[n], &x));
        of_file(checkpoint_scalar_or(c, scalar[n], 1, &x));
    }
    struct checkpoint_differences d;
    if (of_file(checkpoint_compare(c, recipe_axis, 8, &d))) REQUIRE(strlen(d.text) < sizeof d.text);
}

static void read_fields(struct checkpoint *c, int flipped)
{
    for (int field = 0; field < 2; ++field) {
        double *data = calloc(3 * RECIPE_CELLS, sizeof *data);
        REQUIRE(data != NULL);
        const struct io_view v = recipe_view(field, data);
        if (of_file(checkpoint_get(c, v)) && flipped)
            for (ptrdiff_t n = 0; n < v.ncomp * RECIPE_CELLS; ++n) REQUIRE(data[n] == recipe_value(field, n));
        free(data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char hdf5[] = {0x89, 'H', 'D', 'F'};
    struct checkpoint *c = NULL;
    int flipped = 0;
    if (fuzz.path[0] == '\0') start();
    if (size >= sizeof hdf5 && memcmp(data, hdf5, sizeof hdf5) == 0) {
        write_file(data, size);
    } else {
        write_file(fuzz.base.bytes, fuzz.base.size);
        flipped = recipe_apply(fuzz.descriptor, fuzz.path, data, size);
    }
    status_clear();
    const kol_status st = checkpoint_verify(MPI_COMM_SELF, fuzz.path, NULL);
    REQUIRE(st == KOL_OK || size >= RECIPE_EDIT || memcmp(data, hdf5, size < 4 ? size : 4) == 0);
    of_file(st);
    if (of_file(checkpoint_look(MPI_COMM_SELF, fuzz.path, &c))) {
        read_head(c);
        read_fields(c, flipped);
        of_file(checkpoint_close(&c));
    }
    REQUIRE(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    return 0;
}
