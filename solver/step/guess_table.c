/* Holds the weights of the guesses, and tells what follows from them without a flow. */
#include "guess_table.h"

#include "inputs/schemes.h"
#include "math/rk3_scheme.h"

enum { B1 = GUESS_P1_BEFORE, B2 = GUESS_P2_BEFORE, B3 = GUESS_P3_BEFORE, N1 = GUESS_P1, N2 = GUESS_P2 };

/* For rk3-half, P1 belongs to time n, and P2 and P3 belong to n + 1/2. `linear` extrapolates linearly from
 * the last two pressures that belong to different times. In stage 3 `lli` adds the difference between stages
 * 2 and 3 of the last step (see the study of guesses in docs/numerics/pressure.md).
 *
 * For rk3-wray, the stage pressures belong to 0, 5/3 and 5/6 of the step (struct rk3_stage), so stages 1 and
 * 3 interpolate. Stage 2 takes P1; `lli` adds the increment of the last step. */
static const struct guess PREVIOUS[3] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
static const struct guess HALF_LINEAR[3] = {
    {{[B3] = 1, [B1] = -1}, {0}}, {{0}, {[N1] = 1, [B3] = -1}}, {{0}, {0}}};
static const struct guess HALF_LLI[3] = {
    {{[B3] = 1, [B1] = -1}, {0}}, {{0}, {[N1] = 1, [B3] = -1}}, {{[B3] = 1, [B2] = -1}, {0}}};
static const struct guess WRAY_LINEAR[3] = {
    {{[B3] = -0.2, [B2] = 0.2}, {0}}, {{0}, {0}}, {{[N1] = 0.5, [N2] = -0.5}, {0}}};
static const struct guess WRAY_LLI[3] = {
    {{[B3] = -0.2, [B2] = 0.2}, {0}}, {{0}, {[B2] = 1, [B1] = -1}}, {{[N1] = 0.5, [N2] = -0.5}, {0}}};

static int extrapolates(const struct input *in, int guess)
{
    return in->pressure.preconditioner != PRECOND_DIRECT && (guess == GUESS_LINEAR || guess == GUESS_LLI);
}

const struct guess *guess_table(const struct input *in, int guess)
{
    if (!extrapolates(in, guess)) return PREVIOUS;
    const int lli = guess == GUESS_LLI;
    if (rk3_scheme(in->time.scheme)->from_start) return lli ? HALF_LLI : HALF_LINEAR;
    return lli ? WRAY_LLI : WRAY_LINEAR;
}

int guess_is_zero(const struct guess *table)
{
    return table == PREVIOUS;
}

int guess_reads(const struct guess *g, int source)
{
    return g->constant[source] != 0 || g->ratio[source] != 0;
}

int guess_read_from(const struct guess *table, int stage, int except, int source)
{
    for (int m = stage; m < 3; ++m)
        if (m != except && guess_reads(&table[m], source)) return 1;
    return 0;
}

int guess_stage_ahead(const struct guess *table)
{
    for (int m = 1; m < 3; ++m) {
        const int before =
            guess_reads(&table[m], B1) + guess_reads(&table[m], B2) + guess_reads(&table[m], B3);
        if (before == 2) return m;
    }
    return -1;
}

int pressure_stages_wanted(const struct input *in, int guess)
{
    const struct guess *table = guess_table(in, guess);
    if (method_is_exact(in)) return 0;
    return guess_read_from(table, 0, -1, B1) + 2 * guess_read_from(table, 0, -1, B2);
}

int pressure_stages_kept(const struct input *in, int guess)
{
    const int wanted = pressure_stages_wanted(in, guess);
    return 1 + (wanted & 1) + (wanted >> 1);
}
