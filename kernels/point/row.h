/* A row of nodes between two separators, eliminated one after another. docs/numerics/direct.md, "One pass".
 */
#ifndef KOL_POINT_ROW_H
#define KOL_POINT_ROW_H

#include "tridiag.h"

/* point_eliminate: a node that is joined to the separator below by *joined, to the next node by g, to the
 * ground by `ground`; inverse: of the sum of the three. *joined: of the next node on return; *below: the
 * separator's ground, which grows; *rest: what the next node gets to ground. */
HD void point_eliminate(double inverse, double g, double ground, double *joined, double *below, double *rest)
{
    const double part = g * inverse;
    *below += *joined * (inverse * ground);
    *rest = part * ground;
    *joined *= part;
}

/* row: n nodes, the first of them a separator. g[l]: conductance of node l to the one below; g[n]: of the
 * last to the separator above. inverse: of the pivots of nodes 1 .. n-1, by row_factor. Host memory. */
struct row {
    int n;
    const double *g, *ground;
    double *inverse;
};

/* row_end: what a row without its inner nodes leaves: a conductance between the separators, and of each its
 * conductance to the ground, for the one above beside its own. */
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

/* row_fold: what right-hand sides r leave: to the separator below, returned; to the one above: *above. */
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

/* row_unfold: in place, from right-hand sides to values, between the separators' values z and `above`. */
static inline void row_unfold(struct row q, double z, double above, double *r)
{
    r[0] = z;
    for (int l = 1; l < q.n; ++l) r[l] = z = point_tridiag_up(r[l], q.g[l], z, q.inverse[l]);
    for (int l = q.n - 1; l > 0; --l)
        r[l] = above = point_tridiag_down(r[l], q.g[l + 1], above, q.inverse[l]);
}

#endif
