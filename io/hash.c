/* Computes the 64-bit hash of bytes and of arrays. */
#include "hash.h"

#include <stdint.h>
#include <string.h>

/* The finaliser of splitmix64 (Steele, Lea and Flood 2014, constants of Stafford's "Mix13"). Each bit of x
 * changes about half of the bits of the result, and different x have different results. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t hash_row8(const char *row, ptrdiff_t n, uint64_t first)
{
    uint64_t sum = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        uint64_t bits;
        memcpy(&bits, row + 8 * i, 8);
        sum += mix64(bits ^ mix64(first + (uint64_t)i));
    }
    return sum;
}

static uint64_t hash_row4(const char *row, ptrdiff_t n, uint64_t first)
{
    uint64_t sum = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        uint32_t bits;
        memcpy(&bits, row + 4 * i, 4);
        sum += mix64(bits ^ mix64(first + (uint64_t)i));
    }
    return sum;
}

unsigned long long hash_bytes(const void *bytes, size_t count, unsigned long long first)
{
    const size_t words = count / 8, rest = count % 8;
    char last[8] = {0};
    uint64_t sum = hash_row8(bytes, (ptrdiff_t)words, first);
    memcpy(last, (const char *)bytes + 8 * words, rest);
    if (rest > 0) sum += hash_row8(last, 1, first + words);
    return sum;
}

/* Hash of an array. The sum modulo 2^64 is exact in any order, and each term contains its index, so the hash
 * is the same for all layouts. */
unsigned long long hash_view(struct io_view v)
{
    const ptrdiff_t row = (ptrdiff_t)v.n[0] * v.ncomp;
    const char *data = v.data;
    uint64_t sum = 0;
    for (int k = 0; k < v.n[2]; ++k)
        for (int j = 0; j < v.n[1]; ++j) {
            const uint64_t plane =
                (uint64_t)(v.offset[2] + k) * (uint64_t)v.n_g[1] + (uint64_t)(v.offset[1] + j);
            const uint64_t first = (plane * (uint64_t)v.n_g[0] + (uint64_t)v.offset[0]) * (uint64_t)v.ncomp;
            const char *start = data + ((ptrdiff_t)k * v.n[1] + j) * row * v.bytes;
            sum += v.bytes == 8 ? hash_row8(start, row, first) : hash_row4(start, row, first);
        }
    return sum;
}
