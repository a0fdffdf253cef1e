/* Reads coordinates of faces from files: grid.stretching = 'file'. */
#ifndef KOL_STATE_FACE_FILE_H
#define KOL_STATE_FACE_FILE_H

#include "inputs/namelist.h"
#include "parallel/comm.h"
#include "grid.h"

/* face_file_read: sets g->face of every direction that has a file. grid_create() then uses these arrays,
 * and frees them with the grid. In the other directions g->face stays NULL. g must be zeroed before.
 *
 * The coordinates must be numbers, as many as the direction has faces, and increase from grid.origin to
 * grid.origin + grid.length. The two ends may be off by 1e-9 of the length; they are then set to the exact
 * values. Otherwise KOL_ERR_INPUT on all ranks; the message names file and line. Collective. */
kol_status face_file_read(const struct comm *c, const struct input *in, const struct input_source *source,
                          struct grid *g);
/* face_file_check: checks a grid that has a direction from a file. KOL_ERR_INPUT in two cases:
 *
 *   - the grid is too uneven for pressure.tolerance;
 *   - in a periodic direction with a file, the ratio of the first and the last width is larger than that of
 *     all other neighbours, and larger than 1.15. */
kol_status face_file_check(const struct input *in, const struct input_source *source, const struct grid *g);

#endif
