/* Finds the cells that a call of a CPU kernel computes, according to struct cells. */
#ifndef KOL_CPU_CELLS_H
#define KOL_CPU_CELLS_H

#include "../base/types.h"

enum { CELLS_RANGES = 6 };

/* cells_inner: returns the box without one layer at each remote face. */
static inline struct range cells_inner(struct box b, unsigned remote)
{
    struct range r = range_all(b);
    for (int d = 0; d < 3; ++d) {
        r.lo[d] += remote >> (2 * d) & 1;
        r.hi[d] -= remote >> (2 * d + 1) & 1;
        if (r.hi[d] < r.lo[d]) r.hi[d] = r.lo[d];
    }
    return r;
}

/* cells_ranges: finds the cells that a call of a kernel without sums computes, as at most CELLS_RANGES
 * ranges. It returns the number of ranges. */
static inline int cells_ranges(struct box b, struct cells c, struct range r[CELLS_RANGES])
{
    const struct range inner = cells_inner(b, c.remote);
    struct range rest = range_all(b);
    int n = 0;
    if (c.which != CELLS_RIM) {
        r[0] = c.which == CELLS_ALL ? rest : inner;
        return 1;
    }
    /* z slabs over the whole width, then y, then x: what is left after each cut shrinks towards inner */
    for (int d = Z; d >= X; --d) {
        r[n] = rest;
        r[n++].hi[d] = inner.lo[d];
        r[n] = rest;
        r[n++].lo[d] = inner.hi[d];
        rest.lo[d] = inner.lo[d];
        rest.hi[d] = inner.hi[d];
    }
    return n;
}

/* cells_compute_all: returns whether a kernel with sums computes in this call. The rows of a block have to
 * be added in one call, so one of the two calls computes all cells. It is the call for which the halo is
 * complete. */
static inline int cells_compute_all(struct cells c)
{
    return c.which == CELLS_ALL || (c.which == CELLS_INNER) == (c.remote == 0);
}

#endif
