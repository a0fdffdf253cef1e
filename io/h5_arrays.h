/* Arrays of an HDF5 file that are spread over ranks, and the coordinates of its grid. */
#ifndef KOL_IO_H5_ARRAYS_H
#define KOL_IO_H5_ARRAYS_H

#include "h5.h"
#include "view.h"

/* bytes one rank moves in one H5Dwrite or H5Dread: well below the 2 GiB at which MPI implementations fail */
#define H5_SLAB_BYTES ((size_t)1 << 30)

/* h5_put_grid: group /grid: x_face, y_face, z_face, float64, with their hashes. h5_get_grid: one direction's
 * faces, hash verified; *face to be freed. */
kol_status h5_put_grid(struct h5_file *f, const struct io_axis axis[3]);
kol_status h5_get_grid(struct h5_file *f, int direction, int *n, double **face);
/* h5_get_line: a list of n + 1 coordinates, float64, hash verified; *value to be freed. */
kol_status h5_get_line(struct h5_file *f, const char *dataset, int *n, double **value);

/* shape of an array in the file, as a view without data */
struct h5_shape {
    int n_g[3], ncomp, bytes;
};
/* h5_get_shape: KOL_ERR_IO where the dataset is missing or no array of 4- or 8-byte floating point numbers.
 * h5_get_place: the same, and where in the file it begins, in bytes. KOL_ERR_INPUT where it does not lie
 * there in one piece, as numbers of this machine's. h5_check_view: the parts of all ranks lie inside the
 * array and have its size together, else KOL_ERR_INTERNAL. h5_put_view: a new dataset (nz, ny, nx), or (nz,
 * ny, nx, ncomp), of file_bytes (4 or 8) a value, filled from view.data, with its attributes and the hash of
 * what is in the file. h5_get_view: the view's part of it; bytes must be the file's, unless view.widens; not
 * verified: *hash is that of this rank's part in the file. slab: H5_SLAB_BYTES; smaller in tests. */
kol_status h5_get_shape(struct h5_file *f, const char *dataset, struct h5_shape *shape);
kol_status h5_get_place(struct h5_file *f, const char *dataset, struct h5_shape *shape, long long *place);
kol_status h5_check_view(struct h5_file *f, const struct io_view *view);
kol_status h5_put_view(struct h5_file *f, const char *dataset, struct io_view view, int file_bytes,
                       size_t slab);
kol_status h5_get_view(struct h5_file *f, const char *dataset, struct io_view view, size_t slab,
                       unsigned long long *hash);
/* h5_location: "ccc", "fcc", ... */
const char *h5_location(enum io_location location);

#endif
