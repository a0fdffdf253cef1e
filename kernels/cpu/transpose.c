/* Copies boxes of values between layouts in memory, and raises flags that tell other GPUs of it. */
#include "../transpose.h"

enum { TILE = 16 }; /* columns of both layouts that stay in the first-level cache together */

static int smallest(const ptrdiff_t stride[3], const int n[3])
{
    int best = 0;
    for (int d = 1; d < 3; ++d)
        if (n[best] <= 1 || (n[d] > 1 && stride[d] < stride[best])) best = d;
    return best;
}

/* Finds the axes of the loops. The two inner loops are tiled: they run over the fastest axes of source and
 * target; the third axis is outside. If one axis is the fastest of both, it comes first, alone. */
static void order(struct strided s, int axis[3])
{
    axis[0] = smallest(s.to, s.n);
    axis[1] = smallest(s.from, s.n);
    if (axis[1] == axis[0]) axis[1] = axis[0] == 0 ? 1 : 0;
    axis[2] = 3 - axis[0] - axis[1];
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* The same loops for each pair of types. */
#define COPY(NAME, FROM, TO)                                                                                 \
    kol_status NAME(struct strided s, const FROM *from, TO *to)                                              \
    {                                                                                                        \
        int a[3];                                                                                            \
        order(s, a);                                                                                         \
        const int plain = smallest(s.from, s.n) == a[0], n0 = s.n[a[0]], n1 = s.n[a[1]];                     \
        const int w0 = plain ? n0 : TILE, w1 = plain ? 1 : TILE;                                             \
        for (int k = 0; k < s.n[a[2]]; ++k) {                                                                \
            const FROM *f = from + k * s.from[a[2]];                                                         \
            TO *t = to + k * s.to[a[2]];                                                                     \
            for (int j0 = 0; j0 < n1; j0 += w1)                                                              \
                for (int i0 = 0; i0 < n0; i0 += w0)                                                          \
                    for (int j = j0; j < lesser(j0 + w1, n1); ++j)                                           \
                        for (int i = i0; i < lesser(i0 + w0, n0); ++i)                                       \
                            t[i * s.to[a[0]] + j * s.to[a[1]]] = (TO)f[i * s.from[a[0]] + j * s.from[a[1]]]; \
        }                                                                                                    \
        return KOL_OK;                                                                                       \
    }

COPY(transpose_values, double, double)
COPY(transpose_from_field, real, double)
COPY(transpose_to_field, double, real)

kol_status transpose_raise(const struct transpose_flags *f, unsigned round)
{
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no peers, so there can't be %d flags (round %u)", f->n, round);
}

kol_status transpose_await(const struct transpose_flags *f, unsigned round)
{
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no peers, so there can't be %d flags (round %u)", f->n, round);
}
