/* Verifies that the arrays of an HDF5 file are the same as when they were written. */
#ifndef KOL_IO_H5_VERIFY_H
#define KOL_IO_H5_VERIFY_H

#include "h5.h"

/* h5_verify: verifies that the grid and every array of /, /fields and /sums agree with their hashes.
 * Otherwise KOL_ERR_IO names the first array that does not. */
kol_status h5_verify(struct h5_file *f);
/* h5_verify_whole: verifies a checkpoint without reading its arrays. The numbers of /state, the hashes of
 * the arrays and the texts of /run must be those that were written together. */
kol_status h5_verify_whole(struct h5_file *f);
/* h5_sum_hashes: adds up the stored hashes of the arrays of a group. */
kol_status h5_sum_hashes(struct h5_file *f, const char *group, unsigned long long *sum);
/* h5_verify_bytes: returns the memory [bytes] that a rank needs in h5_verify. The array has n cells and
 * values of `bytes` bytes, and is divided between `ranks` ranks. Local. */
size_t h5_verify_bytes(const int n[3], int bytes, int ranks);

#endif
