/* Reads planes of velocity, and of scalars, in time for an inflow: files of the format kolmo-planes,
 * described in schema.md. */
#ifndef KOL_IO_PLANEFILE_H
#define KOL_IO_PLANEFILE_H

#include <mpi.h>
#include "kernels/base/status.h"

struct planefile;

enum { PLANEFILE_SCALARS = 8, PLANEFILE_UNIT = 64 };

/* planefile_open: opens the file, with the planes of `count` scalars besides those of the velocity. The names
 * are those of the scalars; from here on, they have the numbers 0 to count - 1. The ranks together read it
 * once, each rank a part of it, and compare the arrays with their hashes. Collective.
 *
 * Returns KOL_ERR_INPUT if there is no such file, if it is no series of planes that can be read in pieces, or
 * if it lacks a scalar. Returns KOL_ERR_IO if it is damaged.
 *
 * planefile_close: closes the file; NULL is allowed. Local. */
kol_status planefile_open(MPI_Comm comm, const char *path, int count, const char *const *scalars,
                          struct planefile **out);
void planefile_close(struct planefile **f);

/* What the file holds. Local.
 *   planefile_count    number of planes
 *   planefile_times    their times, increasing [T]
 *   planefile_faces    faces of the cells along the first (0) or second (1) direction, cells + 1 of them
 *                      [L]
 *   planefile_hash     hash of all velocities, of the scalars that are read, and of the times
 *   planefile_largest  largest magnitude of component c [U]
 *   planefile_scalar_range   the least and the largest value of a scalar [own]
 *   planefile_scalar_unit    its unit; "" if the file does not tell it */
int planefile_count(const struct planefile *f);
const double *planefile_times(const struct planefile *f);
const double *planefile_faces(const struct planefile *f, int direction, int *cells);
unsigned long long planefile_hash(const struct planefile *f);
double planefile_largest(const struct planefile *f, int c);
void planefile_scalar_range(const struct planefile *f, int scalar, double *least, double *most);
const char *planefile_scalar_unit(const struct planefile *f, int scalar);

/* planefile_row: reads row j of a plane as doubles, with three components at each place.
 * planefile_scalar_row: reads that of a scalar. planefile_ahead: tells the operating system that rows first
 * to last of a plane will be needed soon, so that it can read them in advance. All are local and work without
 * HDF5. */
kol_status planefile_row(const struct planefile *f, int plane, int j, double *value);
kol_status planefile_scalar_row(const struct planefile *f, int scalar, int plane, int j, double *value);
void planefile_ahead(const struct planefile *f, int plane, int first, int last);

#endif
