/* Reads the velocity and the scalars that a run starts from: files of the formats kolmo-flow, kolmo-fields
 * and kolmo-checkpoint, described in schema.md. */
#ifndef KOL_IO_FLOWFILE_H
#define KOL_IO_FLOWFILE_H

#include <mpi.h>
#include <stddef.h>
#include "kernels/base/status.h"

struct flowfile;

enum { FLOWFILE_NAME = 64 }; /* bytes of a name, terminating zero included */

/* flowfile_open: opens the file and looks at its sizes. KOL_ERR_INPUT if there is no such file, or if it
 * holds no velocity of the whole grid. KOL_ERR_IO if it is damaged. Collective.
 *
 * flowfile_close: closes it; NULL is allowed. Collective. */
kol_status flowfile_open(MPI_Comm comm, const char *path, struct flowfile **out);
kol_status flowfile_close(struct flowfile **f);

/* What the file holds. Local.
 *   flowfile_centred  whether the velocity lies at the centres of cells, else on their lower faces
 *   flowfile_cells    cells in a direction
 *   flowfile_faces    their faces, one more than cells [L]; NULL: the file has no grid */
int flowfile_centred(const struct flowfile *f);
int flowfile_cells(const struct flowfile *f, int direction);
const double *flowfile_faces(const struct flowfile *f, int direction);

/* flowfile_read: reads planes first to last - 1 (in z) of a component as doubles, x fastest. The planes of
 * all ranks together are the whole array. If the file has a hash of the array, it is compared: KOL_ERR_IO if
 * it differs. KOL_ERR_INPUT if a value is not finite. Collective. */
kol_status flowfile_read(struct flowfile *f, int component, int first, int last, double *value);

/* Scalars are arrays of the sizes of the velocity, at the centres of cells. Collective.
 *
 *   flowfile_scalar       finds out whether the file has a scalar of this name, and its unit; "": it tells
 *                         none. KOL_ERR_INPUT if its sizes are not those of the velocity.
 *   flowfile_others       lists the arrays of a kolmo-flow file that are neither the flow nor one of these
 *                         scalars, as "'a', 'b'". Kolmo's own files have arrays for other uses; for them it
 *                         is empty.
 *   flowfile_read_scalar  reads planes of a scalar, as flowfile_read() */
kol_status flowfile_scalar(struct flowfile *f, const char *scalar, int *there, char *unit, size_t size);
kol_status flowfile_others(struct flowfile *f, const char (*scalar)[FLOWFILE_NAME], int count, char *text,
                           size_t size);
kol_status flowfile_read_scalar(struct flowfile *f, const char *scalar, int first, int last, double *value);

#endif
