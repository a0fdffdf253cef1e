/* A chunk of a column of tridiagonal systems, in the registers of a thread: docs/numerics/direct.md, "One
 * pass". Eliminating its inner levels leaves a node. No sum or product has a negative term, so no digits are
 * lost. */
#ifndef KOL_CUDA_TRIDIAG_CHUNK_CUH
#define KOL_CUDA_TRIDIAG_CHUNK_CUH

#include "../point/row.h"
#include "hardware.cuh"

/* The type T of all values is double or float. pair<T>: a complex value, or w and g. pair_of: makes one. */
template <class T> struct pair_type;
template <> struct pair_type<double> {
    typedef double2 type;
};
template <> struct pair_type<float> {
    typedef float2 type;
};
template <class T> using pair = typename pair_type<T>::type;

static __device__ __forceinline__ double2 pair_of(double x, double y)
{
    return make_double2(x, y);
}

static __device__ __forceinline__ float2 pair_of(float x, float y)
{
    return make_float2(x, y);
}

/* The formulas of ../point/row.h, by type. */
static __device__ __forceinline__ double tridiag_up(double value, double g, double below, double pivot)
{
    return point_tridiag_up(value, g, below, pivot);
}

static __device__ __forceinline__ float tridiag_up(float value, float g, float below, float pivot)
{
    return point_tridiag_up_single(value, g, below, pivot);
}

static __device__ __forceinline__ double tridiag_down(double value, double g, double above, double pivot)
{
    return point_tridiag_down(value, g, above, pivot);
}

static __device__ __forceinline__ float tridiag_down(float value, float g, float above, float pivot)
{
    return point_tridiag_down_single(value, g, above, pivot);
}

static __device__ __forceinline__ void eliminate(double inverse, double g, double ground, double *joined,
                                                 double *below, double *rest)
{
    point_eliminate(inverse, g, ground, joined, below, rest);
}

static __device__ __forceinline__ void eliminate(float inverse, float g, float ground, float *joined,
                                                 float *below, float *rest)
{
    point_eliminate_single(inverse, g, ground, joined, below, rest);
}

/* chunk: the chunk of one thread. metric: w and g of its levels; g at [count] belongs to the separator above.
 * r: values of its levels. inverse: inverse pivots of inner levels. MOST: largest number of levels. FULL: all
 * chunks have that many. */
template <class T, int MOST, bool FULL> struct chunk {
    int levels;
    const pair<T> *metric;
    pair<T> r[MOST];
    T inverse[MOST];
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
template <class T> struct node {
    T low, high, ground;
    pair<T> r;
};

/* factor: computes the pivots of the inner levels, and the conductances that their elimination leaves.
 * own.high and own.ground are those of the separator below the inner levels. The result is the conductance to
 * the ground of the separator above them. The right-hand side is not read. */
template <class T, int MOST, bool FULL>
static __device__ __forceinline__ T factor(struct chunk<T, MOST, FULL> &c, T lambda, node<T> &own)
{
    pair<T> m = c.metric[1];
    T joined = m.y, rest = 0;
    own.ground = lambda * c.metric[0].x;
#pragma unroll
    for (int l = 1; l < MOST; ++l) {
        if (!c.has(l)) continue;
        const T ground = fma(lambda, m.x, rest);
        m = c.metric[l + 1];
        c.inverse[l] = reciprocal(joined + (m.y + ground));
        eliminate(c.inverse[l], m.y, ground, &joined, &own.ground, &rest);
    }
    own.high = joined;
    return rest;
}

/* fold: computes what the right-hand sides of the inner levels contribute to the separators: own.r for the
 * one below them, and as its result the contribution to the one above. */
template <class T, int MOST, bool FULL>
static __device__ __forceinline__ pair<T> fold(const struct chunk<T, MOST, FULL> &c, node<T> &own)
{
    pair<T> v = pair_of(T(0), T(0));
    T joined = 1;
    own.r = c.r[0];
#pragma unroll
    for (int l = 1; l < MOST; ++l) {
        if (!c.has(l)) continue;
        const T g = c.metric[l].y;
        joined *= l == 1 ? g : g * c.inverse[l - 1];
        v.x = tridiag_up(c.r[l].x, g, v.x, c.inverse[l]);
        v.y = tridiag_up(c.r[l].y, g, v.y, c.inverse[l]);
        own.r.x += joined * v.x;
        own.r.y += joined * v.y;
    }
    const T g = c.metric[c.count()].y;
    return pair_of(g * v.x, g * v.y);
}

/* unfold: computes the inner levels from the separators on both sides, whose values are z and `above`. */
template <class T, int MOST, bool FULL>
static __device__ __forceinline__ void unfold(struct chunk<T, MOST, FULL> &c, pair<T> z, pair<T> above)
{
    c.r[0] = z;
#pragma unroll
    for (int l = 1; l < MOST; ++l) {
        if (!c.has(l)) continue;
        const T g = c.metric[l].y;
        z.x = tridiag_up(c.r[l].x, g, z.x, c.inverse[l]);
        z.y = tridiag_up(c.r[l].y, g, z.y, c.inverse[l]);
        c.r[l] = z;
    }
    __syncwarp();
#pragma unroll
    for (int l = MOST - 1; l > 0; --l) {
        if (!c.has(l)) continue;
        const T g = c.metric[l + 1].y;
        above.x = tridiag_down(c.r[l].x, g, above.x, c.inverse[l]);
        above.y = tridiag_down(c.r[l].y, g, above.y, c.inverse[l]);
        c.r[l] = above;
    }
}

#endif
