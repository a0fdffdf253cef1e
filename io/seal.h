/* A seal: 64 bytes of text behind a finished file, with its length and its hash. HDF5, and so NetCDF, reads
 * files with bytes behind their end. What can't be told sound by its own bytes is not given to libhdf5, which
 * may crash on it. By one rank alone. */
#ifndef KOL_IO_SEAL_H
#define KOL_IO_SEAL_H

#include <stddef.h>
#include "kernels/base/status.h"

enum { SEAL_BYTES = 64, SEAL_WORDS = 160 };

/* seal_write: puts a seal behind the bytes that path has. KOL_ERR_IO. */
kol_status seal_write(const char *path);
/* seal_check: whether the bytes before the seal are those that were sealed. damage (SEAL_WORDS bytes): empty,
 * or what is wrong with the file: no seal, another hash, bytes that can't be read, twice. content: NULL, or
 * gets the bytes before the seal, to be freed; NULL of a damaged file. size: of these bytes. KOL_ERR_IO where
 * the file can't be opened, which may be sound; KOL_ERR_MEMORY. */
kol_status seal_check(const char *path, char *damage, void **content, size_t *size);

#endif
