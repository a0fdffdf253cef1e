/* Checkpoints: files checkpoint_<step>.h5 with the whole state, in parallel HDF5, from which a run can
 * restart. All functions are collective, and all ranks get the same fault. schema.md describes the file. */
#ifndef KOL_IO_CHECKPOINT_H
#define KOL_IO_CHECKPOINT_H

#include <mpi.h>
#include "view.h"

struct checkpoint;

/* checkpoint_check_space: returns KOL_ERR_IO if fewer than 1.1 * bytes are free in the directory. It is
 * called before anything is written; checkpoint_put checks again for each field. bytes: the size of all
 * fields of all ranks. */
kol_status checkpoint_check_space(MPI_Comm comm, const char *directory, double bytes);

/* Writing: checkpoint_begin, checkpoint_put for each field, checkpoint_end.
 *
 * The file has a temporary name until checkpoint_end. checkpoint_end stores the scalars, the 64-bit hash of
 * each field and the mark of completeness. It flushes and closes the file, calls fsync and renames the file.
 * Afterwards it removes the oldest checkpoints of the directory, so that the number `keep` (>= 1) is left.
 *
 * checkpoint_put: the parts of all ranks make up the array and do not overlap. If every rank holds the whole
 * array, one rank writes it, and n is 0 on the others. The precision of the first field is the one that
 * checkpoint_open compares.
 *
 * After a fault the temporary file is removed, and older checkpoints are as they were. checkpoint_end or
 * checkpoint_close frees the object. */
kol_status checkpoint_begin(MPI_Comm comm, const char *directory, long long step,
                            const struct io_axis axis[3], const struct io_text *text, int texts,
                            struct checkpoint **out);
kol_status checkpoint_put(struct checkpoint *c, struct io_view view);
kol_status checkpoint_end(struct checkpoint **c, const struct io_scalar *scalar, int scalars, int keep);

/* Reading. None of these functions looks for a file: checkpoint_find.h does.
 *
 *   checkpoint_look       opens a checkpoint, whatever its grid
 *   checkpoint_look_flow  opens a checkpoint, or a file of fields, fields_<step>.h5: the same functions
 *                         read its arrays, numbers and texts. KOL_ERR_INPUT if it is neither.
 *   checkpoint_look_averages
 *                         opens averages.h5: the same functions read the arrays of its group /sums, its
 *                         numbers and texts
 *   checkpoint_is_fields  returns whether the open file is a file of fields
 *   checkpoint_has        returns whether there is an array of this name
 *   checkpoint_step       the time step
 *   checkpoint_compare    compares grid and precision with those given; bytes is the size of one value
 *                         of the first field put, 0 stands for any
 *   checkpoint_open       checkpoint_look and checkpoint_compare; KOL_ERR_INPUT names every difference
 *   checkpoint_bytes      the size of one value of the first field put
 *   checkpoint_faces      the n + 1 face coordinates of a direction [L], which the caller frees
 *   checkpoint_text       a text of the group /run, which the caller frees
 *   checkpoint_get        reads the field view.name into view.data and verifies its hash; parts as for
 *                         checkpoint_put. KOL_ERR_IO names the field; values that have passed in slabs
 *                         by then are damaged.
 *   checkpoint_scalar     reads a number; KOL_ERR_IO if the file has no such number
 *   checkpoint_scalar_or  the same, but returns `preset` if the file has no such number
 *   checkpoint_path       the name of the open file
 *   checkpoint_whole      KOL_ERR_IO if numbers, texts and hashes of arrays are not those that were written
 *                         together; files of fields have no such hash. Arrays are not read.
 *   checkpoint_close      takes NULL. A checkpoint that is being written is given up, and its temporary
 *                         file removed. */
struct checkpoint_differences {
    char text[1200]; /* a line for each, begun by a newline */
    int count;       /* all of them */
    int grid;        /* number of those that concern cells and coordinates */
    int box;         /* number of these in which the box has other ends; regridding does not help there */
};
kol_status checkpoint_look(MPI_Comm comm, const char *path, struct checkpoint **out);
kol_status checkpoint_look_flow(MPI_Comm comm, const char *path, struct checkpoint **out);
kol_status checkpoint_look_averages(MPI_Comm comm, const char *path, struct checkpoint **out);
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
const char *checkpoint_path(const struct checkpoint *c);
kol_status checkpoint_whole(struct checkpoint *c);
kol_status checkpoint_close(struct checkpoint **c);

/* checkpoint_verify_bytes: returns the memory [bytes] that a rank needs to read back a field. The field has n
 * cells and values of `bytes` bytes, and is divided between `ranks` ranks. A checkpoint is also read back
 * right after it was written. */
size_t checkpoint_verify_bytes(const int n[3], int bytes, int ranks);

#endif
