/* A row of nodes between two separators, which are eliminated one after another. docs/numerics/direct.md,
 * "One pass". */
#ifndef KOL_POINT_ROW_H
#define KOL_POINT_ROW_H

#include "tridiag.h"

/* point_eliminate: eliminates a node. The node is joined to the separator below by the conductance *joined,
 * to the next node by g, and to the ground by `ground`. inverse: the inverse of the sum of the three.
 *
 * On return, *joined joins the next node to the separator. *below, the conductance of the separator to the
 * ground, has grown. *rest is the conductance to the ground that the next node gains.
 * point_eliminate_single: does the same in single precision. */
#define POINT_ELIMINATE(T, ENDING)                                                                           \
    HD void point_eliminate##ENDING(T inverse, T g, T ground, T *joined, T *below, T *rest)                  \
    {                                                                                                        \
        const T part = g * inverse;                                                                          \
        *below += *joined * (inverse * ground);                                                              \
        *rest = part * ground;                                                                               \
        *joined *= part;                                                                                     \
    }

POINT_ELIMINATE(double, )
POINT_ELIMINATE(float, _single)

/* row: n nodes in host memory; the first of them is a separator.
 *
 *   g         g[l]: conductance of node l to the one below; g[n]: of the last node to the separator above
 *   ground    conductance of each node to the ground
 *   inverse   inverse pivots of nodes 1 .. n-1, which row_factor computes */
struct row {
    int n;
    const double *g, *ground;
    double *inverse;
};

/* row_end: what is left of a row when its inner nodes are eliminated. It is a conductance between the two
 * separators, and a conductance of each separator to the ground. For the separator above, the latter is added
 * to what that separator has already. */
struct row_end {
    double high, ground, ground_above;
};

static inline struct row_end row_factor(struct row q)
{
    struct row_end end = {q.g[1], q.ground[0], 0};
    for (int l = 1; l < q.n; ++l) {
        const double ground = q.ground[l] + end.ground_above;
        q.inverse[l] = 1 / (end.high + (q.g[l + 1] + ground));
        point_eliminate(q.inverse[l], q.g[l + 1], ground, &end.high, &end.ground, &end.ground_above);
    }
    return end;
}

/* row_fold: computes what the right-hand sides r contribute to the separators. It returns the contribution to
 * the separator below; *above is the contribution to the one above. */
static inline double row_fold(struct row q, const double *r, double *above)
{
    double v = 0, joined = 1, own = r[0];
    for (int l = 1; l < q.n; ++l) {
        joined *= l == 1 ? q.g[l] : q.g[l] * q.inverse[l - 1];
        v = point_tridiag_up(r[l], q.g[l], v, q.inverse[l]);
        own += joined * v;
    }
    *above = q.g[q.n] * v;
    return own;
}

/* row_unfold: replaces the right-hand sides by the solution. z is the value of the separator below, `above`
 * that of the separator above. */
static inline void row_unfold(struct row q, double z, double above, double *r)
{
    r[0] = z;
    for (int l = 1; l < q.n; ++l) r[l] = z = point_tridiag_up(r[l], q.g[l], z, q.inverse[l]);
    for (int l = q.n - 1; l > 0; --l)
        r[l] = above = point_tridiag_down(r[l], q.g[l + 1], above, q.inverse[l]);
}

#endif
