/* Computes random numbers by Philox 4x32 with 10 rounds. */
#include "random.h"

#include "kernels/base/philox.h"

void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    const struct philox_words w = philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1]);
    for (int n = 0; n < 4; ++n) out[n] = w.word[n];
}

double random_unit(uint32_t word)
{
    return philox_unit(word);
}
