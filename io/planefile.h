/* Planes of velocity in time, for an inflow: kolmo-planes files. io/schema.md. */
#ifndef KOL_IO_PLANEFILE_H
#define KOL_IO_PLANEFILE_H

#include <mpi.h>
#include "kernels/base/status.h"

struct planefile;

/* planefile_open: all of the file is read once, by all ranks in shares: the arrays must equal their hashes.
 * KOL_ERR_INPUT where there is no such file, or it is no series of planes that can be read in pieces;
 * KOL_ERR_IO where it is damaged. Collective. planefile_close takes NULL. Local. */
kol_status planefile_open(MPI_Comm comm, const char *path, struct planefile **out);
void planefile_close(struct planefile **f);

/* What is in it: planes and their times, increasing [T]; faces of the cells along the first and the second
 * direction, cells + 1 of them [L]; the hash of all velocities and times; the largest of component c, without
 * its sign [U]. */
int planefile_count(const struct planefile *f);
const double *planefile_times(const struct planefile *f);
const double *planefile_faces(const struct planefile *f, int direction, int *cells);
unsigned long long planefile_hash(const struct planefile *f);
double planefile_largest(const struct planefile *f, int c);

/* planefile_row: row j of a plane, three components a place, as doubles. planefile_ahead: rows first .. last
 * of a plane will be wanted soon: the system reads them meanwhile. Both local, without HDF5. */
kol_status planefile_row(const struct planefile *f, int plane, int j, double *value);
void planefile_ahead(const struct planefile *f, int plane, int first, int last);

#endif
