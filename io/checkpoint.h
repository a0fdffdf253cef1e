/* checkpoint_<step>.h5: restart files, global arrays in parallel HDF5. Collective; faults are shared by all
 * ranks. Layout in schema.md. */
#ifndef KOL_IO_CHECKPOINT_H
#define KOL_IO_CHECKPOINT_H

#include <mpi.h>
#include "view.h"

struct checkpoint;

/* checkpoint_check_space: KOL_ERR_IO where fewer than 1.1 * bytes are free in directory, before anything is
 * written; checkpoint_put asks again for each field. bytes: of all fields and all ranks. Collective. */
kol_status checkpoint_check_space(MPI_Comm comm, const char *directory, double bytes);

/* Writing: begin, one field at a time, end. The file has a temporary name until end has stored the scalars,
 * the 64-bit hash of each field and the mark of completeness, flushed, closed, fsynced and renamed it. keep:
 * after the rename older checkpoints of the directory beyond this number are removed (>= 1). After a fault
 * the temporary file is removed and older checkpoints are as they were; the object is freed by
 * checkpoint_end or checkpoint_close. checkpoint_put: the parts of all ranks make up the array, without
 * overlap; an array that every rank holds is put by one rank (n = 0 on the others). The first field put sets
 * the precision that checkpoint_open compares. */
kol_status checkpoint_begin(MPI_Comm comm, const char *directory, long long step,
                            const struct io_axis axis[3], const struct io_text *text, int texts,
                            struct checkpoint **out);
kol_status checkpoint_put(struct checkpoint *c, struct io_view view);
kol_status checkpoint_end(struct checkpoint **c, const struct io_scalar *scalar, int scalars, int keep);

/* Reading. checkpoint_look: open, whatever its grid. checkpoint_look_flow: a checkpoint, or a file of fields,
 * fields_<step>.h5, of which the same functions read arrays, numbers and texts; checkpoint_is_fields: whether
 * it is one; KOL_ERR_INPUT where it is neither. checkpoint_has: whether there is an array of this name.
 * checkpoint_step: the time step. checkpoint_compare: grid and precision against those given; bytes: of one
 * value of the first field put, 0: any. checkpoint_open: both; KOL_ERR_INPUT with every difference.
 * checkpoint_bytes: of one value of the first field put. checkpoint_faces: n + 1 face coordinates [L] of a
 * direction, to be freed. checkpoint_text: a text of the group /run, malloced, to be freed.
 * checkpoint_get: the field view.name into view.data, hash verified (KOL_ERR_IO names the field; what has
 * passed in slabs is then damaged); parts as for put. checkpoint_scalar: KOL_ERR_IO where the file has no
 * such number. checkpoint_scalar_or: preset there. checkpoint_close: takes NULL; a checkpoint being written
 * is abandoned, its temporary file removed. */
struct checkpoint_differences {
    char text[1200]; /* a line for each, begun by a newline */
    int count;       /* all of them */
    int grid;        /* those of cells and coordinates */
    int box;         /* of these, directions in which the box has other ends: no regridding helps */
};
kol_status checkpoint_look(MPI_Comm comm, const char *path, struct checkpoint **out);
kol_status checkpoint_look_flow(MPI_Comm comm, const char *path, struct checkpoint **out);
int checkpoint_is_fields(const struct checkpoint *c);
kol_status checkpoint_has(struct checkpoint *c, const char *name, int *there);
kol_status checkpoint_step(struct checkpoint *c, long long *step);
kol_status checkpoint_compare(struct checkpoint *c, const struct io_axis axis[3], int bytes,
                              struct checkpoint_differences *d);
kol_status checkpoint_bytes(struct checkpoint *c, int *bytes);
kol_status checkpoint_faces(struct checkpoint *c, int direction, int *n, double **face);
kol_status checkpoint_text(struct checkpoint *c, const char *name, char **text);
kol_status checkpoint_open(MPI_Comm comm, const char *path, const struct io_axis axis[3], int bytes,
                           struct checkpoint **out);
kol_status checkpoint_get(struct checkpoint *c, struct io_view view);
kol_status checkpoint_scalar(struct checkpoint *c, const char *name, double *value);
kol_status checkpoint_scalar_or(struct checkpoint *c, const char *name, double preset, double *value);
kol_status checkpoint_close(struct checkpoint **c);

/* checkpoint_verify_bytes: memory that a rank of so many takes to read back a field of n cells, of values of
 * so many bytes: a checkpoint is read back when it has been written, too. */
size_t checkpoint_verify_bytes(const int n[3], int bytes, int ranks);

#endif
