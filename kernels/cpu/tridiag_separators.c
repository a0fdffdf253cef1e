/* Solves tridiagonal systems whose levels are cut over several ranks. */
#include "../tridiag_separators.h"
#include "../point/row.h"

enum { NODES = SEPARATORS_CHUNKS + 1 };

static double lambda_of(const struct separators *t, int column)
{
    return t->la[column % t->na] + t->lb[column / t->na];
}

/* chunk: the nodes of a chunk, stored in three arrays of SEPARATORS_LEVELS + 1 values. */
struct chunk {
    struct row row;
    double g[SEPARATORS_LEVELS + 1], ground[SEPARATORS_LEVELS + 1], inverse[SEPARATORS_LEVELS + 1];
};

static struct row_end chunk_factor(const struct separators *t, int c, double lambda, struct chunk *q)
{
    const double *metric = t->metric + 2 * (ptrdiff_t)t->start[c];
    q->row = (struct row){t->start[c + 1] - t->start[c], q->g, q->ground, q->inverse};
    for (int l = 0; l <= q->row.n; ++l) {
        q->ground[l] = lambda * metric[2 * l];
        q->g[l] = metric[2 * l + 1];
    }
    return row_factor(q->row);
}

/* Place of this rank's value at level 0 of its chunk c, in a column. */
static ptrdiff_t place_of(const struct separators *t, int c, int column)
{
    return 2 * ((ptrdiff_t)(t->start[t->first + c] - t->start[t->first]) * t->columns + column);
}

static void fold_column(const struct separators *t, double scale, int column, const double *values,
                        double *slots)
{
    const ptrdiff_t level = 2 * (ptrdiff_t)t->columns;
    const int singular = t->column + column == 0;
    double r[SEPARATORS_LEVELS], above[2] = {0, 0};
    struct chunk q;
    for (int c = 0; c < t->own; ++c) {
        double *slot = slots + c * level + 2 * (ptrdiff_t)column, below[2] = {above[0], above[1]};
        (void)chunk_factor(t, t->first + c, lambda_of(t, column), &q);
        for (int p = 1; p >= 0; --p) {
            const double *v = values + place_of(t, c, column) + p;
            for (int l = 0; l < q.row.n; ++l) r[l] = scale * v[l * level];
            slot[p] = row_fold(q.row, r, &above[p]);
        }
        if (singular) {
            const double *inner = t->inner + t->start[t->first + c];
            slot[1] = above[1] = 0;
            for (int l = 1; l < q.row.n; ++l) slot[1] += inner[l] * r[l];
        }
        for (int p = 0; p < 2 && c > 0; ++p) slot[p] += below[p];
    }
    for (int p = 0; p < 2; ++p) slots[t->own * level + 2 * (ptrdiff_t)column + p] = above[p];
}

kol_status separators_fold(struct separators t, double scale, const double *values, double *slots)
{
    for (int c = 0; c < t.columns; ++c) fold_column(&t, scale, c, values, slots);
    return KOL_OK;
}

/* The second slot for the separator of chunk c: if a rank begins with this chunk, it is the last slot of the
 * rank below. It is -1 if there is none. */
static int twin_of(const struct separators *t, int c)
{
    if (c == 0) return t->slots - 1;
    return t->slot[c] - t->slot[c - 1] > 1 ? t->slot[c] - 1 : -1;
}

/* Factors the row of separators. It is a ring: its first node stands for the separator at both ends. */
static void factor_ring(const struct separators *t, int column, struct row ring, double *g, double *ground,
                        double *own)
{
    struct chunk q;
    double above = 0;
    g[0] = ground[0] = 0; /* for compilers, which cannot know that there is at least one chunk */
    for (int c = 0; c < t->chunks; ++c) {
        const struct row_end end = chunk_factor(t, c, lambda_of(t, column), &q);
        ground[c] = end.ground + above;
        above = end.ground_above;
        g[c + 1] = end.high;
    }
    ground[0] += above;
    if (column == 0) ground[0] += t->metric[3]; /* pins the solution */
    const struct row_end end = row_factor(ring);
    *own = end.ground + end.ground_above;
}

static void solve_ring(struct row ring, double ground, double *r)
{
    double above;
    const double own = row_fold(ring, r, &above), z = (own + above) / ground;
    row_unfold(ring, z, z, r);
}

/* Solves for the singular column. Before, r holds the right-hand sides of the separators, and `imaginary`
 * their imaginary parts; afterwards r holds their values, and `imaginary` the shift. */
static void solve_singular(const struct separators *t, struct row ring, double ground, double *r,
                           double *imaginary)
{
    double sum = 0, mean = 0;
    for (int c = 0; c < t->chunks; ++c) {
        sum += r[c];
        mean += imaginary[c];
    }
    const double shift = sum / t->width;
    for (int c = 0; c < t->chunks; ++c) r[c] -= shift * t->folded[c];
    solve_ring(ring, ground, r);
    mean -= shift * t->inner_width;
    for (int c = 0; c < t->chunks; ++c) mean += t->folded[c] * r[c];
    for (int c = 0; c < t->chunks; ++c) {
        r[c] -= mean / t->width;
        imaginary[c] = shift;
    }
}

static void solve_column(const struct separators *t, int column, double *slots)
{
    const ptrdiff_t level = 2 * (ptrdiff_t)t->columns;
    double g[NODES], ground[NODES], inverse[NODES], r[2][NODES], own;
    const struct row ring = {t->chunks, g, ground, inverse};
    factor_ring(t, t->column + column, ring, g, ground, &own);
    double *v = slots + 2 * (ptrdiff_t)column;
    for (int p = 0; p < 2; ++p)
        for (int c = 0; c < t->chunks; ++c) {
            const int twin = twin_of(t, c);
            r[p][c] = v[t->slot[c] * level + p] + (twin >= 0 ? v[twin * level + p] : 0);
        }
    if (t->column + column == 0) {
        solve_singular(t, ring, own, r[0], r[1]);
    } else {
        solve_ring(ring, own, r[0]);
        solve_ring(ring, own, r[1]);
    }
    for (int p = 0; p < 2; ++p)
        for (int c = 0; c < t->chunks; ++c) {
            const int twin = twin_of(t, c);
            v[t->slot[c] * level + p] = r[p][c];
            if (twin >= 0) v[twin * level + p] = r[p][c];
        }
}

kol_status separators_solve(struct separators t, double *slots)
{
    for (int c = 0; c < t.columns; ++c) solve_column(&t, c, slots);
    return KOL_OK;
}

static void unfold_column(const struct separators *t, double scale, int column, const double *slots,
                          double *values)
{
    const ptrdiff_t level = 2 * (ptrdiff_t)t->columns;
    const int singular = t->column + column == 0;
    double r[SEPARATORS_LEVELS];
    struct chunk q;
    for (int c = 0; c < t->own; ++c) {
        const double *z = slots + c * level + 2 * (ptrdiff_t)column;
        const double *metric = t->metric + 2 * (ptrdiff_t)t->start[t->first + c];
        const double shift = singular ? z[1] : 0;
        (void)chunk_factor(t, t->first + c, lambda_of(t, column), &q);
        for (int p = 0; p < 2; ++p) {
            double *v = values + place_of(t, c, column) + p;
            for (int l = 0; l < q.row.n; ++l) r[l] = scale * v[l * level] - shift * metric[2 * l];
            row_unfold(q.row, z[p], z[level + p], r);
            for (int l = 0; l < q.row.n; ++l) v[l * level] = singular && p == 1 ? 0 : r[l];
        }
    }
}

kol_status separators_unfold(struct separators t, double scale, const double *slots, double *values)
{
    for (int c = 0; c < t.columns; ++c) unfold_column(&t, scale, c, slots, values);
    return KOL_OK;
}

kol_status separators_fold_single(struct separators t, double scale, const float *values, float *slots)
{
    (void)scale, (void)values, (void)slots;
    RAISE(KOL_ERR_INTERNAL, "the CPU build does not fold %d chunks in single precision", t.own);
}

kol_status separators_solve_single(struct separators t, float *slots)
{
    (void)slots;
    RAISE(KOL_ERR_INTERNAL, "the CPU build does not solve for %d separators in single precision", t.chunks);
}

kol_status separators_unfold_single(struct separators t, double scale, const float *slots, float *values)
{
    (void)scale, (void)slots, (void)values;
    RAISE(KOL_ERR_INTERNAL, "the CPU build does not unfold %d chunks in single precision", t.own);
}
