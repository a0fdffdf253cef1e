/* Solves for the nodes that chunks leave (tridiag_chunk.cuh), one in each thread of a thread block. The
 * method is parallel cyclic reduction of a ring. It has log2(chunks) steps, in each of which every node
 * eliminates its two neighbours. */
#ifndef KOL_CUDA_TRIDIAG_NODES_CUH
#define KOL_CUDA_TRIDIAG_NODES_CUH

#include "tridiag_chunk.cuh"

/* Values that a node shows to the others. The number is odd, so that those of neighbouring threads lie in
 * different banks. */
enum { SHOWN = 5 };

/* shape: the columns of a thread block, which lie side by side, with all their chunks, a power of two. */
struct shape {
    int columns, chunks, threads;
};

/* place: the place of this thread in its block; it has one chunk of one column. shown: what nodes show to
 * each other, SHOWN values for each thread, in shared memory. */
template <class T> struct place {
    int column, chunk, columns, chunks, threads;
    T *shown;
};

template <class T> static __device__ __forceinline__ place<T> place_of(const struct shape &s, T *shown)
{
    const int own = (int)threadIdx.x;
    return {own % s.columns, own / s.columns, s.columns, s.chunks, s.threads, shown};
}

template <class T> static __device__ __forceinline__ void show(const place<T> &t, int value, T v)
{
    t.shown[SHOWN * (int)threadIdx.x + value] = v;
}

/* shown_by: returns what node n shows. */
template <class T> static __device__ __forceinline__ const T *shown_by(const place<T> &t, int n)
{
    return t.shown + SHOWN * n;
}

/* neighbour: returns the thread with the node `away` chunks on. The ends of a column are neighbours. */
template <class T> static __device__ __forceinline__ int neighbour(const place<T> &t, int away)
{
    const int n = (int)threadIdx.x + away * t.columns;
    return n < 0 ? n + t.threads : n >= t.threads ? n - t.threads : n;
}

/* column_sum: returns the sum over the chunks of this thread's column, the same for all of them. It has a
 * barrier before and after. */
template <class T> static __device__ __forceinline__ T column_sum(const place<T> &t, T v)
{
    T sum = 0;
    __syncthreads();
    show(t, 0, v);
    __syncthreads();
    for (int c = 0; c < t.chunks; ++c) sum += shown_by(t, c * t.columns + t.column)[0];
    __syncthreads();
    return sum;
}

/* meet: adds to each separator what the inner levels below it have left. */
template <class T>
static __device__ __forceinline__ void meet(const place<T> &t, T ground, pair<T> r, node<T> &own)
{
    const T *const below = shown_by(t, neighbour(t, -1));
    show(t, 0, own.high);
    show(t, 1, ground);
    show(t, 2, r.x);
    show(t, 3, r.y);
    __syncthreads();
    own.low = below[0];
    own.ground += below[1];
    own.r.x += below[2];
    own.r.y += below[3];
    __syncthreads();
}

/* reduce: does the parallel cyclic reduction. In the end each node is joined only to itself and the
 * ground. */
template <class T> static __device__ __forceinline__ pair<T> reduce(const place<T> &t, node<T> own)
{
    for (int away = 1; away < t.chunks; away *= 2) {
        const T inverse = reciprocal(own.low + own.high + own.ground);
        const T *const below = shown_by(t, neighbour(t, -away));
        const T *const above = shown_by(t, neighbour(t, away));
        show(t, 0, own.low * inverse);
        show(t, 1, own.high * inverse);
        show(t, 2, own.ground * inverse);
        show(t, 3, own.r.x * inverse);
        show(t, 4, own.r.y * inverse);
        __syncthreads();
        own.ground += own.low * below[2] + own.high * above[2];
        own.r.x += own.low * below[3] + own.high * above[3];
        own.r.y += own.low * below[4] + own.high * above[4];
        own.low *= below[0];
        own.high *= above[1];
        __syncthreads();
    }
    const T inverse = reciprocal(own.ground);
    return pair_of(own.r.x * inverse, own.r.y * inverse);
}

#endif
