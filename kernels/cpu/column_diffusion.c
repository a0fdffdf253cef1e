/* Diffuses in z by the trapezoidal rule: makes and solves the tridiagonal systems of all columns. */
#include "../column_diffusion.h"
#include "../point/column_diffusion.h"

/* Number of columns side by side in x that are swept together. Values that are carried from row to row are in
 * double. */
enum { SIDE_BY_SIDE = 64 };

#define ROW_LOOP __attribute__((always_inline)) static inline void

/* line: what the columns of one component share; arrays begin at its level 0. */
struct line {
    const double *low, *high, *inverse;
    double end[2]; /* velocity beyond the lower and the upper wall */
    int first, n;  /* rows first .. n-1 */
    double weight, history;
    ptrdiff_t sz;
    const real *base, *before;
    real *vel, *old;
};

/* Makes the line for rows `first` .. n-1 of component d. Level 0 of the arrays is row `offset`. */
static struct line line_make(struct box b, struct columns c, int offset, int d, struct column_fields f,
                             ptrdiff_t o)
{
    const double *of = (d == Z ? c.face : c.centre) + offset;
    return (struct line){.low = of,
                         .high = of + c.n,
                         .inverse = of + 2 * (ptrdiff_t)c.n,
                         .end = {c.end[d][0], c.end[d][1]},
                         .first = d == Z && offset == 0 ? 1 : 0,
                         .n = b.nz,
                         .weight = c.weight,
                         .history = c.history,
                         .sz = b.sz,
                         .base = f.base[d] != NULL ? f.base[d] + o : NULL,
                         .before = f.base[d] != NULL ? f.before[d] + o : NULL,
                         .vel = f.vel[d] + o,
                         .old = c.history != 0 ? f.old[d] + o : NULL};
}

/* Sweeps upwards through rows. up: the result goes to vel after elimination; otherwise the right-hand sides
 * go to source, whose levels are `levels` apart. */
ROW_LOOP sweep_rows(struct line l, int many, const int up, const int kept, const int known, double *source,
                    ptrdiff_t levels)
{
    double below[SIDE_BY_SIDE], q_below[SIDE_BY_SIDE], q[SIDE_BY_SIDE];
    const ptrdiff_t start = l.first * l.sz;
    for (int i = 0; i < many; ++i) {
        below[i] = l.end[0];
        if (!known) continue;
        q_below[i] = point_column_known(l.base[start - l.sz + i], l.weight, l.before[start - l.sz + i]);
        q[i] = point_column_known(l.base[start + i], l.weight, l.before[start + i]);
    }
    for (int k = l.first; k < l.n; ++k) {
        const double low = l.low[k], high = l.high[k], inverse = l.inverse[k];
        const real *KOL_RESTRICT b = known ? l.base + (k + 1) * l.sz : NULL,
                                 *KOL_RESTRICT p = known ? l.before + (k + 1) * l.sz : NULL;
        real *KOL_RESTRICT v = l.vel + k * l.sz, *KOL_RESTRICT old = kept ? l.old + k * l.sz : NULL;
        double *KOL_RESTRICT s = up ? NULL : source + k * levels;
#pragma omp simd
        for (int i = 0; i < many; ++i) {
            const double q_above = known ? point_column_known(b[i], l.weight, p[i]) : 0;
            const double flux = known ? point_column_flux(q_below[i], q[i], q_above, low, high) : 0;
            if (kept) old[i] = (real)(old[i] - l.history * flux);
            if (up) {
                below[i] = point_column_up(v[i] + flux, low, inverse, below[i]);
                v[i] = (real)below[i];
            } else {
                s[i] = v[i] + flux;
            }
            if (!known) continue;
            q_below[i] = q[i];
            q[i] = q_above;
        }
    }
}

static void sweep_up(struct line l, int many)
{
    if (l.base == NULL) sweep_rows(l, many, 1, 0, 0, NULL, 0);
    else sweep_rows(l, many, 1, 0, 1, NULL, 0);
}

static void sweep_sources(struct line l, int many, double *source, ptrdiff_t levels)
{
    if (l.base == NULL) sweep_rows(l, many, 0, 0, 0, source, levels);
    else if (l.old != NULL) sweep_rows(l, many, 0, 1, 1, source, levels);
    else sweep_rows(l, many, 0, 0, 1, source, levels);
}

static void sweep_down(struct line l, int many)
{
    double above[SIDE_BY_SIDE];
    for (int i = 0; i < many; ++i) above[i] = l.end[1];
    for (int k = l.n - 1; k >= l.first; --k) {
        const double high = l.high[k], inverse = l.inverse[k];
        real *KOL_RESTRICT v = l.vel + k * l.sz;
#pragma omp simd
        for (int i = 0; i < many; ++i) {
            above[i] = point_column_down(v[i], high, inverse, above[i]);
            v[i] = (real)above[i];
        }
    }
}

static int at_most(ptrdiff_t n)
{
    return n < SIDE_BY_SIDE ? (int)n : SIDE_BY_SIDE;
}

kol_status column_solve(struct box b, struct columns c, struct column_fields f)
{
    if (f.base[X] != f.before[X] || c.history != 0)
        RAISE(KOL_ERR_INTERNAL, "column_solve: L acts on one array at most, and nothing is kept");
    for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; i += SIDE_BY_SIDE) {
                const struct line l = line_make(b, c, 0, d, f, at(b, i, j, 0));
                sweep_up(l, at_most(b.nx - i));
                sweep_down(l, at_most(b.nx - i));
            }
        }
    }
    return KOL_OK;
}

kol_status column_open(struct box b, struct columns c, int side, const double part[3], const real *plane,
                       real *const vel[3])
{
    for (int j = 0; j < b.ny; ++j)
        for (int i = 0; i < b.nx; ++i) point_column_open(b, c, side, part, plane, i, j, vel);
    return KOL_OK;
}

kol_status column_given(struct box b, struct columns c, int side, const real *plane, real *field)
{
    for (int j = 0; j < b.ny; ++j)
        for (int i = 0; i < b.nx; ++i) point_column_given(b, c, side, plane, i, j, field);
    return KOL_OK;
}

kol_status column_source(struct box b, struct columns c, int offset, int d, struct column_fields f,
                         double *source)
{
    const ptrdiff_t levels = (ptrdiff_t)b.nx * b.ny;
    for (int j = 0; j < b.ny; ++j) {
        for (int i = 0; i < b.nx; i += SIDE_BY_SIDE) {
            const struct line l = line_make(b, c, offset, d, f, at(b, i, j, 0));
            double *to = source + (ptrdiff_t)j * b.nx + i;
            for (int n = 0; n < at_most(b.nx - i) && l.first > 0; ++n) to[n] = 0;
            sweep_sources(l, at_most(b.nx - i), to, levels);
        }
    }
    return KOL_OK;
}

/* Values are rounded to `real` where column_solve stores them in fields, so that both give the same bits. */
kol_status column_eliminate(struct columns c, int d, ptrdiff_t many, double *x)
{
    const double *low = d == Z ? c.face : c.centre, *high = low + c.n, *inverse = high + c.n;
    const int first = d == Z ? 1 : 0;
    for (ptrdiff_t start = 0; start < many; start += SIDE_BY_SIDE) {
        const int wide = at_most(many - start);
        double last[SIDE_BY_SIDE];
        for (int i = 0; i < wide; ++i) last[i] = c.end[d][0];
        for (int k = first; k < c.n; ++k) {
            double *KOL_RESTRICT v = x + k * many + start;
#pragma omp simd
            for (int i = 0; i < wide; ++i) {
                last[i] = point_column_up(v[i], low[k], inverse[k], last[i]);
                v[i] = (real)last[i];
            }
        }
        for (int i = 0; i < wide; ++i) last[i] = c.end[d][1];
        for (int k = c.n - 1; k >= first; --k) {
            double *KOL_RESTRICT v = x + k * many + start;
#pragma omp simd
            for (int i = 0; i < wide; ++i) {
                last[i] = point_column_down(v[i], high[k], inverse[k], last[i]);
                v[i] = (real)last[i];
            }
        }
    }
    return KOL_OK;
}
