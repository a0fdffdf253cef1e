/* Arrays of an HDF5 file that are spread over ranks, and the coordinates of its grid. */
#ifndef KOL_IO_H5_ARRAYS_H
#define KOL_IO_H5_ARRAYS_H

#include "h5.h"
#include "view.h"

/* The bytes that one rank moves in one H5Dwrite or H5Dread. MPI implementations fail at 2 GiB. */
#define H5_SLAB_BYTES ((size_t)1 << 30)

/* h5_put_grid: makes the group /grid with x_face, y_face, z_face (float64) and their hashes. h5_get_grid:
 * reads the faces of one direction and verifies their hash; only a file of the format kolmo-flow may lack it.
 * The caller frees *face. h5_has_grid: whether the file has this group. h5_has: whether it has a group or an
 * array; the group that this lies in must be there. */
kol_status h5_put_grid(struct h5_file *f, const struct io_axis axis[3]);
kol_status h5_has_grid(struct h5_file *f, int *there);
kol_status h5_has(struct h5_file *f, const char *object, int *there);
kol_status h5_get_grid(struct h5_file *f, int direction, int *n, double **face);
/* h5_get_line: reads a list of n + 1 coordinates (float64) and verifies its hash. The caller frees *value. */
kol_status h5_get_line(struct h5_file *f, const char *dataset, int *n, double **value);

/* h5_shape: the shape of an array in the file. */
struct h5_shape {
    int n_g[3], ncomp, bytes;
};
/* h5_get_shape: reads the shape of an array. Returns KOL_ERR_IO if the dataset is missing, or if it is no
 * array of 4- or 8-byte floating point numbers.
 *
 * h5_get_place: reads the shape, and the byte of the file where the array begins. Returns KOL_ERR_INPUT if
 * the array is not stored in one piece, or not as numbers of this machine.
 *
 * h5_check_view: returns KOL_ERR_INTERNAL unless the parts of all ranks lie inside the array and together
 * have its size.
 *
 * h5_put_view: makes a dataset (nz, ny, nx), or (nz, ny, nx, ncomp), with file_bytes (4 or 8) per value. It
 * fills the dataset from view.data, and adds its attributes and the hash of the values in the file.
 *
 * h5_get_view: reads the part of this rank. bytes must be the size of a value in the file, unless view.widens
 * is set. It verifies nothing: *hash is the hash of this rank's part in the file.
 *
 * slab: the size of a slab. It is H5_SLAB_BYTES; tests use less. */
kol_status h5_get_shape(struct h5_file *f, const char *dataset, struct h5_shape *shape);
kol_status h5_get_place(struct h5_file *f, const char *dataset, struct h5_shape *shape, long long *place);
kol_status h5_check_view(struct h5_file *f, const struct io_view *view);
kol_status h5_put_view(struct h5_file *f, const char *dataset, struct io_view view, int file_bytes,
                       size_t slab);
kol_status h5_get_view(struct h5_file *f, const char *dataset, struct io_view view, size_t slab,
                       unsigned long long *hash);
/* h5_location: returns "ccc", "fcc", ..., "surface" Local. */
const char *h5_location(enum io_location location);

#endif
