/* Solves many tridiagonal systems along the last direction, with factors that are stored. */
#include "../tridiag.h"
#include "../point/tridiag.h"

enum { STRIP = 256 }; /* number of columns in a row that go through all levels together */

static ptrdiff_t level_of(struct tridiag t)
{
    return (ptrdiff_t)t.na * t.nb;
}

/* Computes the border of a column: the solution for lambda w over all levels but the last
 * (docs/numerics/direct.md), and the pivot of the last level. */
static void border_column(struct tridiag t, double lambda, double *pivot, double *border)
{
    const ptrdiff_t level = level_of(t);
    const int last = t.n - 1;
    double below = 0;
    for (int i = 0; i < last; ++i) {
        below = point_tridiag_up(lambda * t.w[i], i > 0 ? t.g[i] : 0, below, pivot[i * level]);
        border[i * level] = below;
    }
    for (int i = last - 2; i >= 0; --i) {
        below = point_tridiag_down(border[i * level], t.g[i + 1], below, pivot[i * level]);
        border[i * level] = below;
    }
    const double sum = lambda * t.w[last] + t.g[0] * border[0] + t.g[last] * border[(last - 1) * level];
    pivot[last * level] = sum > 0 ? 1 / sum : 0;
    border[last * level] = 0;
}

kol_status tridiag_factor(struct tridiag t)
{
    const ptrdiff_t level = level_of(t);
    for (ptrdiff_t c = 0; c < level; ++c) {
        const double lambda = t.la[c % t.na] + t.lb[c / t.na];
        const int levels = t.border != NULL ? t.n - 1 : t.n;
        double *pivot = t.pivot + c, e = t.g[0], low = 1;
        for (int i = 0; i < levels; ++i) {
            const double g_low = i > 0 ? t.g[i] : t.border != NULL ? 1 : 0;
            low = pivot[i * level] = point_pivot(&e, g_low, low, lambda * t.w[i], t.g[i + 1]);
        }
        if (t.border != NULL) border_column(t, lambda, pivot, t.border + c);
    }
    return KOL_OK;
}

/* Computes the unknown of the last level, and with it the others. */
static void close_border(struct tridiag t, double scale, ptrdiff_t first, int columns, double *values)
{
    const ptrdiff_t level = level_of(t);
    const int last = t.n - 1;
    double z[STRIP];
    for (int c = 0; c < columns; ++c) {
        const double *v = values + first + c;
        z[c] = (scale * v[last * level] + t.g[0] * v[0] + t.g[last] * v[(last - 1) * level]) *
               t.pivot[last * level + first + c];
    }
    for (int i = 0; i <= last; ++i) {
        double *v = values + i * level + first;
        const double *border = t.border + i * level + first;
        for (int c = 0; c < columns; ++c) v[c] = i < last ? v[c] + z[c] * (1 - border[c]) : z[c];
    }
}

static void strip(struct tridiag t, double scale, ptrdiff_t first, int columns, double *values)
{
    const ptrdiff_t level = level_of(t);
    const int levels = t.border != NULL ? t.n - 1 : t.n;
    double z[STRIP];
    for (int c = 0; c < columns; ++c) z[c] = 0;
    for (int i = 0; i < levels; ++i) {
        double *v = values + i * level + first;
        const double *pivot = t.pivot + i * level + first, g_low = i > 0 ? t.g[i] : 0;
        for (int c = 0; c < columns; ++c) v[c] = z[c] = point_tridiag_up(scale * v[c], g_low, z[c], pivot[c]);
    }
    for (int i = levels - 2; i >= 0; --i) {
        double *v = values + i * level + first;
        const double *pivot = t.pivot + i * level + first, g_high = t.g[i + 1];
        for (int c = 0; c < columns; ++c) v[c] = z[c] = point_tridiag_down(v[c], g_high, z[c], pivot[c]);
    }
    if (t.border != NULL) close_border(t, scale, first, columns, values);
}

/* For the singular column: removes the sum of the right-hand side, in proportion to w. take_mean removes the
 * mean of the solution. */
static void take_sum(struct tridiag t, double *values)
{
    const ptrdiff_t level = level_of(t);
    double sum = 0, width = 0;
    for (int i = 0; i < t.n; ++i) {
        sum += values[i * level];
        width += t.w[i];
    }
    for (int i = 0; i < t.n; ++i) values[i * level] -= t.w[i] * (sum / width);
}

static void take_mean(struct tridiag t, double *values)
{
    const ptrdiff_t level = level_of(t);
    double sum = 0, width = 0;
    for (int i = 0; i < t.n; ++i) {
        sum += t.w[i] * values[i * level];
        width += t.w[i];
    }
    for (int i = 0; i < t.n; ++i) values[i * level] -= sum / width;
}

kol_status tridiag_solve(struct tridiag t, double scale, double *values)
{
    const ptrdiff_t level = level_of(t);
    if (t.parts != 1) RAISE(KOL_ERR_INTERNAL, "the CPU build has no columns of %d parts", t.parts);
    if (t.zero && level > 0) take_sum(t, values);
    for (ptrdiff_t first = 0; first < level; first += STRIP)
        strip(t, scale, first, level - first < STRIP ? (int)(level - first) : STRIP, values);
    if (t.zero && level > 0) take_mean(t, values);
    return KOL_OK;
}

kol_status tridiag_diagonal(const int n[3], int parts, const double *la, const double *lb, const double *lc,
                            double scale, double *values)
{
    if (parts != 1) RAISE(KOL_ERR_INTERNAL, "the CPU build has no values of %d parts", parts);
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j, values += n[0])
            for (int i = 0; i < n[0]; ++i) values[i] *= point_inverse_sum(la[i], lb[j], lc[k], scale);
    return KOL_OK;
}
