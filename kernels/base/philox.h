/* Counter-based random numbers: Philox 4x32 with 10 rounds. A number depends only on the key and the
 * counter, so any rank, and any thread of a GPU, can compute any of them. */
#ifndef KOL_BASE_PHILOX_H
#define KOL_BASE_PHILOX_H

#include <stdint.h>
#include "types.h"

/* philox_words: four 32-bit words. */
struct philox_words {
    uint32_t word[4];
};

/* philox: computes four words from a 128-bit counter and a 64-bit key (Salmon, Moraes, Dror and Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", SC11, whose multipliers and key steps these are). */
HD struct philox_words philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1)
{
    const uint64_t first = 0xD2511F53u, second = 0xCD9E8D57u;
    struct philox_words out;
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = first * c0, p1 = second * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out.word[0] = c0;
    out.word[1] = c1;
    out.word[2] = c2;
    out.word[3] = c3;
    return out;
}

/* philox_unit: returns a word as a number in [0, 1). */
HD double philox_unit(uint32_t word)
{
    return word * (1.0 / 4294967296.0);
}

#endif
