/* Makes damaged checkpoints: a small sound file, and edits after which it is still an HDF5 file. Bytes that
 * are flipped at random mostly fail the checksums of HDF5. These edits pass them and reach the code that
 * reads checkpoints. */
#ifndef KOL_TEST_H5RECIPE_H
#define KOL_TEST_H5RECIPE_H

#include "fuzz.h"
#include "io/view.h"

enum { RECIPE_NX = 3, RECIPE_NY = 2, RECIPE_NZ = 4, RECIPE_CELLS = RECIPE_NX * RECIPE_NY * RECIPE_NZ };
enum { RECIPE_EDIT = 16, RECIPE_EDITS_MAX = 24 }; /* bytes of one edit; edits of one recipe */

extern const struct io_axis recipe_axis[3];

/* image: a file in memory, allocated with malloc. */
struct image {
    unsigned char *bytes;
    size_t size;
};

/* recipe_view: returns the whole of field 0, "u" with one value per cell, or of field 1, "vec" with three.
 * The values are in data. */
struct io_view recipe_view(int field, double *data);
double recipe_value(int field, ptrdiff_t n);

/* recipe_base: returns the sound checkpoint, which io/ writes into the directory and which is then removed
 * from there. */
struct image recipe_base(const char *directory);

/* recipe_apply: makes the edits that the bytes describe, in the sound checkpoint at path, which is open as
 * `descriptor`. An edit that HDF5 refuses changes nothing. Returns 1 if bytes were only flipped or cut off,
 * as a faulty disk would do, and 0 otherwise. */
int recipe_apply(int descriptor, const char *path, const uint8_t *data, size_t size);

#endif
