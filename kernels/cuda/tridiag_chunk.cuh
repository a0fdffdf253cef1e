/* A chunk of a column of tridiagonal systems, in the registers of a thread: docs/numerics/direct.md, "One
 * pass". Eliminating its inner levels leaves a node. No sum or product has a negative term, so no digits are
 * lost. */
#ifndef KOL_CUDA_TRIDIAG_CHUNK_CUH
#define KOL_CUDA_TRIDIAG_CHUNK_CUH

#include "../point/row.h"
#include "hardware.cuh"

/* chunk: the chunk of one thread. metric: w and g of its levels; g at [count] belongs to the separator above.
 * r: values of its levels. inverse: inverse pivots of inner levels. MOST: largest number of levels. FULL: all
 * chunks have that many. */
template <int MOST, bool FULL> struct chunk {
    int levels;
    const double2 *metric;
    double2 r[MOST];
    double inverse[MOST];
    __device__ __forceinline__ bool has(int l) const
    {
        return FULL || l < levels;
    }
    __device__ __forceinline__ int count(void) const
    {
        return FULL ? MOST : levels;
    }
};

/* node: a separator with its conductances: to the separator below, to the one above, and to the ground. */
struct node {
    double low, high, ground;
    double2 r;
};

/* factor: computes the pivots of the inner levels, and the conductances that their elimination leaves.
 * own.high and own.ground are those of the separator below the inner levels. The result is the conductance to
 * the ground of the separator above them. The right-hand side is not read. */
template <int MOST, bool FULL>
static __device__ __forceinline__ double factor(struct chunk<MOST, FULL> &c, double lambda, struct node &own)
{
    double2 m = c.metric[1];
    double joined = m.y, rest = 0;
    own.ground = lambda * c.metric[0].x;
#pragma unroll
    for (int l = 1; l < MOST; ++l) {
        if (!c.has(l)) continue;
        const double ground = fma(lambda, m.x, rest);
        m = c.metric[l + 1];
        c.inverse[l] = reciprocal(joined + (m.y + ground));
        point_eliminate(c.inverse[l], m.y, ground, &joined, &own.ground, &rest);
    }
    own.high = joined;
    return rest;
}

/* fold: computes what the right-hand sides of the inner levels contribute to the separators: own.r for the
 * one below them, and as its result the contribution to the one above. */
template <int MOST, bool FULL>
static __device__ __forceinline__ double2 fold(const struct chunk<MOST, FULL> &c, struct node &own)
{
    double2 v = make_double2(0, 0);
    double joined = 1;
    own.r = c.r[0];
#pragma unroll
    for (int l = 1; l < MOST; ++l) {
        if (!c.has(l)) continue;
        const double g = c.metric[l].y;
        joined *= l == 1 ? g : g * c.inverse[l - 1];
        v.x = point_tridiag_up(c.r[l].x, g, v.x, c.inverse[l]);
        v.y = point_tridiag_up(c.r[l].y, g, v.y, c.inverse[l]);
        own.r.x += joined * v.x;
        own.r.y += joined * v.y;
    }
    const double g = c.metric[c.count()].y;
    return make_double2(g * v.x, g * v.y);
}

/* unfold: computes the inner levels from the separators on both sides, whose values are z and `above`. */
template <int MOST, bool FULL>
static __device__ __forceinline__ void unfold(struct chunk<MOST, FULL> &c, double2 z, double2 above)
{
    c.r[0] = z;
#pragma unroll
    for (int l = 1; l < MOST; ++l) {
        if (!c.has(l)) continue;
        const double g = c.metric[l].y;
        z.x = point_tridiag_up(c.r[l].x, g, z.x, c.inverse[l]);
        z.y = point_tridiag_up(c.r[l].y, g, z.y, c.inverse[l]);
        c.r[l] = z;
    }
    __syncwarp();
#pragma unroll
    for (int l = MOST - 1; l > 0; --l) {
        if (!c.has(l)) continue;
        const double g = c.metric[l + 1].y;
        above.x = point_tridiag_down(c.r[l].x, g, above.x, c.inverse[l]);
        above.y = point_tridiag_down(c.r[l].y, g, above.y, c.inverse[l]);
        c.r[l] = above;
    }
}

#endif
