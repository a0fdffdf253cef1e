/* HDF5 behind one door: nothing else includes hdf5.h. Files with a communicator, faults with HDF5's own
 * reasons in the message, attributes, and arrays that are spread over ranks. All functions are collective
 * over the file's communicator and return the same status on all ranks, but where the comment says
 * otherwise. */
#ifndef KOL_IO_H5_H
#define KOL_IO_H5_H

#include <errno.h>
#include <mpi.h>
#include <hdf5.h>
#include "disk.h"
#include "share.h"
#include "view.h"

/* bytes one rank moves in one H5Dwrite or H5Dread: well below the 2 GiB at which MPI implementations fail */
#define H5_SLAB_BYTES ((size_t)1 << 30)

struct h5_file {
    MPI_Comm comm; /* borrowed */
    int rank;
    int writing;
    hid_t id;
    hid_t transfer;        /* how raw data travel: collective, or the default for serial files */
    double bytes;          /* size when opened to read */
    char path[DISK_PATH];  /* of the file as it is open */
    char final[DISK_PATH]; /* its name once complete; "" when opened to read */
    char format[64];       /* "kolmo-checkpoint", ... */
};

/* H5_TRY: a local call; negative: raise and return. H5_TRY_ALL: a collective call, its result shared by all
 * ranks. _OR: to a label that closes handles; want a variable `kol_status st`. f: struct h5_file *, for path
 * and ranks. */
#define H5_TRY(f, call)                                                                                      \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        if ((call) < 0) return h5_raise((f), __FILE__, __LINE__, #call);                                     \
    } while (0)
#define H5_TRY_OR(label, f, call)                                                                            \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        if ((call) < 0) {                                                                                    \
            st = h5_raise((f), __FILE__, __LINE__, #call);                                                   \
            goto label;                                                                                      \
        }                                                                                                    \
    } while (0)
#define H5_TRY_ALL(f, call)                                                                                  \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        const kol_status h5_st_ =                                                                            \
            io_share((f)->comm, (call) < 0 ? h5_raise((f), __FILE__, __LINE__, #call) : KOL_OK);             \
        if (h5_st_ != KOL_OK) return status_pass(h5_st_, __FILE__, __LINE__, #call);                         \
    } while (0)
#define H5_TRY_ALL_OR(label, f, call)                                                                        \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        st = io_share((f)->comm, (call) < 0 ? h5_raise((f), __FILE__, __LINE__, #call) : KOL_OK);            \
        if (st != KOL_OK) {                                                                                  \
            status_pass(st, __FILE__, __LINE__, #call);                                                      \
            goto label;                                                                                      \
        }                                                                                                    \
    } while (0)

/* h5_raise: KOL_ERR_IO with path, call, HDF5's innermost reasons and a remedy. Local. */
kol_status h5_raise(const struct h5_file *f, const char *file, int line, const char *call);
/* h5_drop: close *id, where it is open, and set it to H5I_INVALID_HID; st, or the fault of closing. Local. */
kol_status h5_drop(const struct h5_file *f, kol_status st, hid_t *id);
/* h5_create: <directory>/<stem>_<step>.h5.tmp, empty; unfinished ones of the same stem are removed first.
 * h5_commit: mark as complete, flush, close, read back and verify, fsync, rename; then *f is NULL, also
 * after a fault. h5_abandon: close and remove the temporary file; takes NULL. */
kol_status h5_create(MPI_Comm comm, const char *directory, const char *stem, long long step,
                     struct h5_file **f);
kol_status h5_commit(struct h5_file **f);
void h5_abandon(struct h5_file **f);

/* h5_open: to read, by all ranks of comm. h5_open_serial: by the calling rank alone. Files that were not
 * completed or are not of `format` (NULL: of any, which f->format then tells), version 1, are refused.
 * h5_close takes NULL. */
kol_status h5_open(MPI_Comm comm, const char *path, const char *format, struct h5_file **f);
kol_status h5_open_serial(const char *path, const char *format, struct h5_file **f);
kol_status h5_close(struct h5_file **f);

/* Attributes of the object (group or dataset) called `object`. Values to write are those of rank 0. */
kol_status h5_put_text(struct h5_file *f, const char *object, const char *name, const char *text);
kol_status h5_put_double(struct h5_file *f, const char *object, const char *name, int n, const double *value);
kol_status h5_put_integer(struct h5_file *f, const char *object, const char *name, long long value);
kol_status h5_put_hash(struct h5_file *f, const char *object, unsigned long long hash);
/* h5_get_text: size bytes at most, terminating zero included; longer text is a fault. */
kol_status h5_get_text(struct h5_file *f, const char *object, const char *name, char *text, size_t size);
kol_status h5_get_double(struct h5_file *f, const char *object, const char *name, double *value);
kol_status h5_get_integer(struct h5_file *f, const char *object, const char *name, long long *value);
kol_status h5_get_hash(struct h5_file *f, const char *object, unsigned long long *hash);
/* h5_get_value_bytes: of the root's value_bytes, 4 or 8; anything else is a fault. */
kol_status h5_get_value_bytes(struct h5_file *f, int *bytes);
kol_status h5_has_attribute(struct h5_file *f, const char *object, const char *name, int *there);
/* h5_check_numbers, h5_check_texts: all attributes of the object can be read, as numbers, as texts; texts
 * equal their hash, where there is one. *hash: the sum of h5_number_hash() of the numbers. */
kol_status h5_check_numbers(struct h5_file *f, const char *object, unsigned long long *hash);
unsigned long long h5_number_hash(const char *name, double value);
kol_status h5_check_texts(struct h5_file *f, const char *object);

kol_status h5_put_group(struct h5_file *f, const char *group);
/* h5_put_run: group /run with the texts, the time of creation, their hash: all that differs between two equal
 * runs. */
kol_status h5_put_run(struct h5_file *f, const struct io_text *text, int texts);
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
/* h5_verify: every array of / and /fields and the grid equal their hashes, else KOL_ERR_IO names the first
 * that doesn't. */
kol_status h5_verify(struct h5_file *f);
/* h5_sum_hashes: the sum of what is stored as hashes of the arrays of a group. */
kol_status h5_sum_hashes(struct h5_file *f, const char *group, unsigned long long *sum);
/* h5_location: "ccc", "fcc", ... */
const char *h5_location(enum io_location location);

/* h5_list: names of the datasets (not groups) in a group, in order of name; to be freed by h5_list_free. */
kol_status h5_list(struct h5_file *f, const char *group, char ***name, int *count);
void h5_list_free(char ***name, int count);

#endif
