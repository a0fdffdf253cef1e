/* A seal: 64 bytes of text behind the end of a finished file, which contain its length and its hash. HDF5 can
 * read files with bytes behind their end, and so can NetCDF. libhdf5 may crash on damaged files, so it only
 * gets files whose seal is correct. One rank alone calls these functions. */
#ifndef KOL_IO_SEAL_H
#define KOL_IO_SEAL_H

#include <stddef.h>
#include "kernels/base/status.h"

enum { SEAL_BYTES = 64, SEAL_WORDS = 160 };

/* seal_write: adds a seal behind the bytes of the file. Returns KOL_ERR_IO if it can't be written. */
kol_status seal_write(const char *path);
/* seal_check: checks that the bytes before the seal are those that were sealed. Returns KOL_ERR_IO if the
 * file can't be opened, although it may be intact, and KOL_ERR_MEMORY.
 *
 *   damage    SEAL_WORDS bytes. It is "" if the file is intact. Otherwise it says what is wrong: there is no
 *             seal, the hash differs, or bytes could not be read in two tries.
 *   content   may be NULL. Otherwise *content becomes the bytes before the seal, which the caller frees, or
 *             NULL if the file is damaged.
 *   size      the number of these bytes */
kol_status seal_check(const char *path, char *damage, void **content, size_t *size);

#endif
