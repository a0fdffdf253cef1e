/* The hash that all files use, for arrays and for the bytes that a seal (seal.h) protects. Local. */
#ifndef KOL_IO_HASH_H
#define KOL_IO_HASH_H

#include <stddef.h>
#include "view.h"

/* hash_bytes: returns the sum over words of 8 bytes of mix(bits XOR mix(index)) modulo 2^64. The last word is
 * filled with zeros. first: the index of the first word. If the bytes are divided into parts of whole words,
 * the hashes of the parts add up to the hash of all bytes. */
unsigned long long hash_bytes(const void *bytes, size_t count, unsigned long long first);

/* hash_view: returns the hash of this rank's part of an array. It is the sum over the values of mix(bits(x)
 * XOR mix(global index)) modulo 2^64. The hashes of all ranks add up to the hash of the array, whatever the
 * decomposition. The global index counts the values of the global array, components fastest, then x, y, z.
 * The bits of a 4-byte value are extended by zeros. */
unsigned long long hash_view(struct io_view view);

#endif
