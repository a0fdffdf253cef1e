/* The operator of a level at one point of a row, for the CPU kernels of levels. */
#ifndef KOL_CPU_LEVEL_ROWS_H
#define KOL_CPU_LEVEL_ROWS_H

#include "../level.h"
#include "../point/level.h"
#include "cells.h"

/* A loop over a row is written once, with constant flags. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

/* around_row: returns the rows next to one row. Where no flux passes, the neighbouring row is replaced by
 * the row itself, so that nothing beyond a wall is read. */
struct around_row {
    const level_real *c, *yl, *yh, *zl, *zh;
};

static inline struct around_row around_row(struct box b, struct level_stencil s, int j, int k,
                                           const level_real *z)
{
    struct around_row a;
    a.c = z + at(b, 0, j, k);
    a.yl = s.gy[j] != 0 ? a.c - b.sy : a.c;
    a.yh = s.gy[j + 1] != 0 ? a.c + b.sy : a.c;
    a.zl = s.gz[k] != 0 ? a.c - b.sz : a.c;
    a.zh = s.gz[k + 1] != 0 ? a.c + b.sz : a.c;
    return a;
}

/* apply: returns A z in cell i. ends: whether this may be the first or the last cell of the row, where no
 * flux may pass in x. */
static inline level_real apply(struct level_stencil s, struct level_column c, struct level_plane h,
                               struct around_row a, int i, int ends)
{
    const level_real z = a.c[i];
    const level_real xl = !ends || s.gx[i] != 0 ? a.c[i - 1] : z;
    const level_real xh = !ends || s.gx[i + 1] != 0 ? a.c[i + 1] : z;
    return point_level_apply(c, h, z, xl, xh, a.yl[i], a.yh[i], a.zl[i], a.zh[i]);
}

/* A loop over a row is compiled for three kinds of levels: without bodies, with bits in s.open, and with
 * words in s.faces. masked_of: returns the kind of a level. column_of, plane_of: return the coefficients of
 * cell i of a row, whose place in the arrays is q. They are values and not filled in through pointers, with
 * which the compiler makes no vector instructions. */
enum { PLAIN, BITS, WORDS };

static inline int masked_of(struct level_stencil s)
{
    return s.open != NULL ? BITS : s.faces != NULL ? WORDS : PLAIN;
}

__attribute__((always_inline)) static inline struct level_column
column_of(struct level_stencil s, const int masked, int i, int j, ptrdiff_t q)
{
    if (masked == PLAIN) return point_level_column(s, i, j);
    return point_level_column_open(point_level_column(s, i, j), point_level_open(s, q, masked == BITS));
}

__attribute__((always_inline)) static inline struct level_plane
plane_of(struct level_stencil s, const int masked, struct level_plane h, ptrdiff_t q)
{
    return masked == PLAIN ? h : point_level_plane_open(h, point_level_open(s, q, masked == BITS));
}

static inline level_real inverse_of(const int masked, struct level_column c, struct level_plane h)
{
    return masked == PLAIN ? point_level_inverse(c, h) : point_level_inverse_open(c, h);
}

/* ALL_KINDS: defines loop_of_level(), which calls loop(..., kind) with the kind of level s as a constant.
 * Each kind has a function of its own: gcc 12 makes no vector instructions of three such loops in one
 * function. */
#define UNPACKED(...) __VA_ARGS__
#define ONE_KIND(loop, kind, parameters, arguments)                                                          \
    __attribute__((noinline)) static void loop##_##kind parameters                                           \
    {                                                                                                        \
        loop(UNPACKED arguments, kind);                                                                      \
    }
#define ALL_KINDS(loop, parameters, arguments)                                                               \
    ONE_KIND(loop, PLAIN, parameters, arguments)                                                             \
    ONE_KIND(loop, BITS, parameters, arguments)                                                              \
    ONE_KIND(loop, WORDS, parameters, arguments)                                                             \
    static void loop##_of_level parameters                                                                   \
    {                                                                                                        \
        if (masked_of(s) == BITS) loop##_BITS arguments;                                                     \
        else if (masked_of(s) == WORDS) loop##_WORDS arguments;                                              \
        else loop##_PLAIN arguments;                                                                         \
    }

/* FOR_PARTS_OF_ROW: calls loop(from, to, ends, ...) for the first cell of a row of n, for the inner cells,
 * and for the last cell; only once, for all cells, if flux passes through both ends. The compiler makes
 * vector instructions of the loop over the inner cells, because it has no branch. */
#define FOR_PARTS_OF_ROW(n, passes, loop, ...)                                                               \
    do {                                                                                                     \
        const int apart_ = !(passes);                                                                        \
        if (apart_) loop(0, (n) > 0, 1, __VA_ARGS__);                                                        \
        loop(apart_, (n)-apart_, 0, __VA_ARGS__);                                                            \
        if (apart_ && (n) > 1) loop((n)-1, n, 1, __VA_ARGS__);                                               \
    } while (0)

/* passes_both_ends: returns whether flux passes through both ends of a row of n cells. */
static inline int passes_both_ends(struct level_stencil s, int n)
{
    return s.gx[0] != 0 && s.gx[n] != 0;
}

#endif
