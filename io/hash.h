/* One hash for all files: docs of its use in checkpoint.h and seal.h. */
#ifndef KOL_IO_HASH_H
#define KOL_IO_HASH_H

#include <stddef.h>

/* hash_bytes: sum over words of 8 bytes of mix(bits XOR mix(index)) modulo 2^64, the last word filled with
 * zeros; first: index of the first word. Parts of whole words add up to the hash of all. */
unsigned long long hash_bytes(const void *bytes, size_t count, unsigned long long first);

#endif
