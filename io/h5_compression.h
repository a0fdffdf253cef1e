/* Compressed arrays of an HDF5 file: deflate after a shuffle of the bytes, in chunks that do not depend on
 * the ranks. */
#ifndef KOL_IO_H5_COMPRESSION_H
#define KOL_IO_H5_COMPRESSION_H

#include "h5.h"

/* The bytes that one rank compresses in one H5Dwrite. The compressed chunks of all arrays of a call are in
 * memory at once. */
#define H5_COMPRESS_BYTES ((size_t)1 << 26)
/* Deflate makes data at most this many times smaller. If a file claims more, it is damaged. */
#define H5_DEFLATE_MOST 1100.0

/* h5_compression_lack: returns why the library can't write compressed arrays, as a part of a sentence; NULL
 * if it can. Local. */
const char *h5_compression_lack(void);
/* h5_set_layout: decides how a new dataset of `rank` sizes is stored. If f->compression is 0 or the dataset
 * has one direction, it is contiguous, in space that is reserved at once. Otherwise it lies in compressed
 * chunks. Local. */
kol_status h5_set_layout(const struct h5_file *f, hid_t how, int rank, const hsize_t *size);
/* h5_most_bytes: finds how many bytes of numbers a dataset of this file can hold at most. This follows from
 * the size of the file and from how the dataset is stored. Local. */
kol_status h5_most_bytes(const struct h5_file *f, hid_t set, double *bytes);

#endif
