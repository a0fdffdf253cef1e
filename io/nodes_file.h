/* Numbers on the nodes of a grid, from an HDF5 file that any program may have written. */
#ifndef KOL_IO_NODES_FILE_H
#define KOL_IO_NODES_FILE_H

#include "kernels/base/status.h"

/* nodes_file_read: reads a part of an array (nz + 1, ny + 1, nx + 1) of floating point numbers. Each rank
 * opens the file by itself. Not collective.
 *
 *   dataset        its name
 *   cells          cells of the grid, so that there are cells + 1 nodes in each direction
 *   first, count   the nodes that are wanted. Where they lie outside the grid, a periodic direction begins
 *                  anew after `cells` nodes; in other directions the first or the last node is repeated.
 *   value          out: count[0] * count[1] * count[2] numbers, x fastest
 *
 * Returns KOL_ERR_INPUT, with the file in the message, if it can't be read, is no HDF5 file, lacks the
 * dataset, or has another shape; also if a number is not finite. */
kol_status nodes_file_read(const char *path, const char *dataset, const int cells[3], const int periodic[3],
                           const int first[3], const int count[3], double *value);

#endif
