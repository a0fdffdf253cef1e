/* Counter-based random numbers. A number depends only on the key and the counter, so any rank can compute any
 * of them. */
#ifndef KOL_MATH_RANDOM_H
#define KOL_MATH_RANDOM_H

#include <stdint.h>

/* random_philox: computes four 32-bit words from a 128-bit counter and a 64-bit key. It is Philox 4x32 with
 * 10 rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11). */
void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
/* random_unit: returns a word as a number in [0, 1). */
double random_unit(uint32_t word);

#endif
