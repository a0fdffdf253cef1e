/* Whether the arrays of an HDF5 file are what they were when they were written. */
#ifndef KOL_IO_H5_VERIFY_H
#define KOL_IO_H5_VERIFY_H

#include "h5.h"

/* h5_verify: verifies that the grid and every array of / and /fields equal their hashes. Otherwise
 * KOL_ERR_IO names the first that does not. */
kol_status h5_verify(struct h5_file *f);
/* h5_verify_whole: verifies, of a checkpoint, that the numbers of /state and the hashes of its arrays were
 * written together, and the texts of /run. No array is read. */
kol_status h5_verify_whole(struct h5_file *f);
/* h5_sum_hashes: adds up the stored hashes of the arrays of a group. */
kol_status h5_sum_hashes(struct h5_file *f, const char *group, unsigned long long *sum);
/* h5_verify_bytes: memory [bytes] that each of so many ranks takes in h5_verify, for an array of n cells and
 * values of so many bytes. Local. */
size_t h5_verify_bytes(const int n[3], int bytes, int ranks);

#endif
