/* The hash of all files: of arrays, and of the bytes that a seal (seal.h) protects. Local. */
#ifndef KOL_IO_HASH_H
#define KOL_IO_HASH_H

#include <stddef.h>
#include "view.h"

/* hash_bytes: the sum over words of 8 bytes of mix(bits XOR mix(index)) modulo 2^64. The last word is
 * filled with zeros. first is the index of the first word. The hashes of parts that consist of whole
 * words add up to the hash of all. */
unsigned long long hash_bytes(const void *bytes, size_t count, unsigned long long first);

/* hash_view: the hash of this rank's part of an array: the sum over its values of mix(bits(x) XOR
 * mix(global index)) modulo 2^64. The hashes of the parts of all ranks add up to that of the array,
 * whatever the decomposition. The global index is that of the value in the global array, components
 * fastest, then x, y, z. The bits of a 4-byte value are extended by zeros. */
unsigned long long hash_view(struct io_view view);

#endif
