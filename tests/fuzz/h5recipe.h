/* Damaged checkpoints made to measure: a small sound one, and edits that keep it an HDF5 file. Bytes flipped
 * at random mostly end at HDF5's own checksums; these edits pass them and reach the code that reads. */
#ifndef KOL_TEST_H5RECIPE_H
#define KOL_TEST_H5RECIPE_H

#include "fuzz.h"
#include "io/view.h"

enum { RECIPE_NX = 3, RECIPE_NY = 2, RECIPE_NZ = 4, RECIPE_CELLS = RECIPE_NX * RECIPE_NY * RECIPE_NZ };
enum { RECIPE_EDIT = 16, RECIPE_EDITS_MAX = 24 }; /* bytes of one edit; edits of one recipe */

extern const struct io_axis recipe_axis[3];

/* image: a file in memory, malloced. */
struct image {
    unsigned char *bytes;
    size_t size;
};

/* recipe_view: the field number 0 "u" (one value a cell) or 1 "vec" (three), whole, its values in data. */
struct io_view recipe_view(int field, double *data);
double recipe_value(int field, ptrdiff_t n);

/* recipe_base: the sound checkpoint, made by io/ itself in the directory and taken away from there. */
struct image recipe_base(const char *directory);

/* recipe_apply: the edits coded in the bytes, made in the sound checkpoint that lies at path, open as
 * descriptor. An edit that HDF5 refuses changes nothing. Returns 1 where only bytes were flipped or cut off,
 * as a disk would, else 0. */
int recipe_apply(int descriptor, const char *path, const uint8_t *data, size_t size);

#endif
