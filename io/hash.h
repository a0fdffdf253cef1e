/* The hash of all files: of arrays, and of the bytes that a seal (seal.h) protects. Local. */
#ifndef KOL_IO_HASH_H
#define KOL_IO_HASH_H

#include <stddef.h>
#include "view.h"

/* hash_bytes: sum over words of 8 bytes of mix(bits XOR mix(index)) modulo 2^64, the last word filled with
 * zeros; first: index of the first word. Parts of whole words add up to the hash of all. */
unsigned long long hash_bytes(const void *bytes, size_t count, unsigned long long first);

/* hash_view: sum over values of mix(bits(x) XOR mix(global index)) modulo 2^64 of this rank's part;
 * parts of all ranks add up to the hash of the field whatever the decomposition. Global index: of the value
 * in the global array, components fastest, then x, y, z; 4-byte values count as their bits extended by
 * zeros. */
unsigned long long hash_view(struct io_view view);

#endif
