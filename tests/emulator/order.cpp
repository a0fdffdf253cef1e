/* Draws the order in which threads of a block and blocks of a grid take turns. */
#include "emulator.h"

#include <stdint.h>
#include <stdio.h>

enum kind { UNREAD, FORWARD, REVERSE, RANDOM };
static enum kind kind;
static uint64_t state; /* of the random numbers */
static uint64_t step, shift;

static void read_kind(void)
{
    const char *const text = getenv("EMULATOR_ORDER");
    unsigned long long seed = 0;
    if (text == NULL || *text == '\0' || strcmp(text, "forward") == 0) {
        kind = FORWARD;
    } else if (strcmp(text, "reverse") == 0) {
        kind = REVERSE;
    } else if (sscanf(text, "random:%llu", &seed) == 1) {
        kind = RANDOM;
        state = 0x9e3779b97f4a7c15u * (seed + 1) | 1;
    } else {
        fprintf(stderr, "emulator: EMULATOR_ORDER=%s: forward, reverse or random:SEED\n", text);
        exit(2);
    }
}

void order_check(void)
{
    if (kind == UNREAD) read_kind();
}

/* xorshift64* (Vigna 2016) */
static uint64_t draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545f4914f6cdd1du) >> 16;
}

void order_of_threads(int count, int *order)
{
    order_check();
    for (int n = 0; n < count; ++n) order[n] = kind == REVERSE ? count - 1 - n : n;
    if (kind != RANDOM) return;
    for (int n = count - 1; n > 0; --n) {
        const int other = (int)(draw() % (uint64_t)(n + 1)), kept = order[n];
        order[n] = order[other];
        order[other] = kept;
    }
}

bool order_changes(void)
{
    return kind == RANDOM;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Blocks in the order step * turn + shift modulo their number: a table of a large grid would be long. */
void order_next_grid(size_t count)
{
    order_check();
    step = 1;
    shift = 0;
    if (kind != RANDOM) return;
    do step = 1 + draw() % count;
    while (common_divisor(step, count) != 1);
    shift = draw() % count;
}

size_t order_of_block(size_t turn, size_t count)
{
    if (kind == REVERSE) return count - 1 - turn;
    return (size_t)((step * turn + shift) % count);
}
