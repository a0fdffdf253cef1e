/* Reads planes of velocity in time for an inflow: files of the format kolmo-planes, described in
 * schema.md. */
#ifndef KOL_IO_PLANEFILE_H
#define KOL_IO_PLANEFILE_H

#include <mpi.h>
#include "kernels/base/status.h"

struct planefile;

/* planefile_open: opens the file. The ranks together read it once, each rank a part of it, and compare the
 * arrays with their hashes. Collective.
 *
 * Returns KOL_ERR_INPUT if there is no such file, or if it is no series of planes that can be read in pieces.
 * Returns KOL_ERR_IO if it is damaged.
 *
 * planefile_close: closes the file; NULL is allowed. Local. */
kol_status planefile_open(MPI_Comm comm, const char *path, struct planefile **out);
void planefile_close(struct planefile **f);

/* What the file holds. Local.
 *   planefile_count    number of planes
 *   planefile_times    their times, increasing [T]
 *   planefile_faces    faces of the cells along the first (0) or second (1) direction, cells + 1 of them
 *                      [L]
 *   planefile_hash     hash of all velocities and times
 *   planefile_largest  largest magnitude of component c [U] */
int planefile_count(const struct planefile *f);
const double *planefile_times(const struct planefile *f);
const double *planefile_faces(const struct planefile *f, int direction, int *cells);
unsigned long long planefile_hash(const struct planefile *f);
double planefile_largest(const struct planefile *f, int c);

/* planefile_row: reads row j of a plane as doubles, with three components at each place. planefile_ahead:
 * tells the operating system that rows first to last of a plane will be needed soon, so that it can read them
 * in advance. Both are local and work without HDF5. */
kol_status planefile_row(const struct planefile *f, int plane, int j, double *value);
void planefile_ahead(const struct planefile *f, int plane, int first, int last);

#endif
