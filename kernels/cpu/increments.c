/* Sums powers of velocity increments, and counts increments and fields for probability densities. */
#include "../increments.h"
#include "../point/increments.h"

#include <string.h>

enum { CHUNK = 64 }; /* values whose slots are found together before they are counted */

/* Adds the increments between points from .. to - 1 of a line and the points `ahead` further on. All lines
 * use the same loop, so that the bits depend on n alone. */
static void add_powers(const double *line, int from, int to, int ahead, double *sum)
{
    double a1 = 0, p2 = 0, p3 = 0, a3 = 0, p4 = 0, p5 = 0, a5 = 0, p6 = 0;
#pragma omp simd reduction(+ : a1, p2, p3, a3, p4, p5, a5, p6)
    for (int i = from; i < to; ++i) {
        const struct increment_terms t = increment_powers(line[i + ahead] - line[i]);
        a1 += t.a1;
        p2 += t.p2;
        p3 += t.p3;
        a3 += t.a3;
        p4 += t.p4;
        p5 += t.p5;
        a5 += t.a5;
        p6 += t.p6;
    }
    const double part[INCREMENT_SUMS] = {a1, p2, p3, a3, p4, p5, a5, p6};
    for (int q = 0; q < INCREMENT_SUMS; ++q) sum[q] += part[q];
}

static void add_counts(const double *line, int from, int to, int ahead, double scale,
                       unsigned long long *counts)
{
    int slot[CHUNK];
    for (int first = from; first < to; first += CHUNK) {
        const int n = to - first < CHUNK ? to - first : CHUNK;
        const double *at = line + first;
#pragma omp simd
        for (int i = 0; i < n; ++i) slot[i] = count_slot((at[i + ahead] - at[i]) * scale);
        for (int i = 0; i < n; ++i) ++counts[slot[i]];
    }
}

static void add_line(const struct lines *l, const double *line, int r, const double *scale, double *sum,
                     unsigned long long *counts)
{
    const int s = l->separation[r], turn = l->n - s;
    add_powers(line, 0, turn, s, sum);
    add_powers(line, turn, l->n, s - l->n, sum);
    if (scale == NULL || r >= l->counted) return;
    add_counts(line, 0, turn, s, scale[r], counts + (ptrdiff_t)r * COUNT_SLOTS);
    add_counts(line, turn, l->n, s - l->n, scale[r], counts + (ptrdiff_t)r * COUNT_SLOTS);
}

kol_status increments_sum(struct lines l, const double *values, const double *scale, double *part,
                          unsigned long long *counts)
{
    memset(part, 0, sizeof *part * (size_t)l.groups * (size_t)l.separations * INCREMENT_SUMS);
    for (int g = 0; g < l.groups; ++g) {
        double *sums = part + (ptrdiff_t)g * l.separations * INCREMENT_SUMS;
        for (ptrdiff_t row = (ptrdiff_t)l.start[g] * l.rows; row < (ptrdiff_t)l.start[g + 1] * l.rows; ++row)
            for (int r = 0; r < l.separations; ++r)
                add_line(&l, values + row * l.n, r, scale, sums + r * INCREMENT_SUMS, counts);
    }
    return KOL_OK;
}

kol_status increments_count_fields(struct box b, struct metrics m, struct counted c, real *const vel[3],
                                   unsigned long long *counts)
{
    const struct moment_fields q = {vel[X], vel[Y], vel[Z], NULL, b.sy, b.sz};
    for (int k = 0; k < b.nz; ++k) {
        const struct moment_spacings z = moment_spacings_z(m, k);
        for (int j = 0; j < b.ny; ++j) {
            const struct moment_spacings y = moment_spacings_y(m, j);
            for (int i = 0; i < b.nx; ++i) {
                double value[6];
                count_values(q, at(b, i, j, k), moment_spacings_x(m, i), y, z, &c, value);
                for (int n = 0; n < 6; ++n) ++counts[n / 3 * COUNT_SLOTS + count_slot(value[n])];
            }
        }
    }
    return KOL_OK;
}

kol_status increments_count_volume(struct box b, struct metrics m, struct counted_volume c, const real *theta,
                                   unsigned long long *counts)
{
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                counts[count_volume_slot(c, theta[at(b, i, j, k)])] += count_volume(m, c, i, j, k);
    return KOL_OK;
}
