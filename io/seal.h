/* A seal: 64 bytes of text behind the end of a finished file, with its length and its hash. HDF5, and so
 * NetCDF, can read files with bytes behind their end. libhdf5 may crash on damaged files, so only files
 * with a sound seal are given to it. One rank alone calls these functions. */
#ifndef KOL_IO_SEAL_H
#define KOL_IO_SEAL_H

#include <stddef.h>
#include "kernels/base/status.h"

enum { SEAL_BYTES = 64, SEAL_WORDS = 160 };

/* seal_write: adds a seal behind the bytes of the file. KOL_ERR_IO. */
kol_status seal_write(const char *path);
/* seal_check: checks that the bytes before the seal are those that were sealed.
 * damage (SEAL_WORDS bytes): "" for a sound file, else what is wrong: there is no seal, the hash differs,
 * or bytes could not be read in two tries. content: NULL, or set to the bytes before the seal, which the
 * caller frees; NULL for a damaged file. size: the number of these bytes. KOL_ERR_IO if the file, which
 * may be sound, can't be opened; KOL_ERR_MEMORY. */
kol_status seal_check(const char *path, char *damage, void **content, size_t *size);

#endif
