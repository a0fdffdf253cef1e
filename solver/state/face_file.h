/* Coordinates of faces that come from files: grid.stretching = 'file'. */
#ifndef KOL_STATE_FACE_FILE_H
#define KOL_STATE_FACE_FILE_H

#include "inputs/namelist.h"
#include "parallel/comm.h"
#include "grid.h"

/* face_file_read: g->face of every direction that has a file, for grid_create to take; the others stay NULL.
 * g is zeroed before. KOL_ERR_INPUT, on all ranks, names file and line: not a number, too few or too many,
 * not increasing, not from grid.origin to grid.origin + grid.length (within 1e-9 of the length, which is then
 * rounded away). */
kol_status face_file_read(const struct comm *c, const struct input *in, const struct input_source *source,
                          struct grid *g);
/* face_file_check: KOL_ERR_INPUT where the grid, of which a direction has a file, is too uneven for
 * pressure.tolerance, or where the first and the last width of a periodic direction with a file differ by a
 * larger ratio than other neighbours, and than 1.15. */
kol_status face_file_check(const struct input *in, const struct input_source *source, const struct grid *g);

#endif
