#include "../column.h"
#include "../point/column.h"

/* Columns side by side in x that are swept together; what is carried from row to row stays in double. */
enum { SIDE_BY_SIDE = 64 };

/* line: what the columns of one component share. */
struct line {
    const double *low, *high, *inverse, *end;
    int first, n; /* rows first .. n-1 */
};

static void sweep_up(struct line l, ptrdiff_t sz, int many, const real *base, const real *before, real *vel)
{
    double below[SIDE_BY_SIDE], q_below[SIDE_BY_SIDE], q[SIDE_BY_SIDE];
    const ptrdiff_t start = l.first * sz;
    for (int i = 0; i < many; ++i) {
        below[i] = l.end[0];
        q_below[i] = point_column_known(base[start - sz + i], before[start - sz + i]);
        q[i] = point_column_known(base[start + i], before[start + i]);
    }
    for (int k = l.first; k < l.n; ++k) {
        const double low = l.low[k], high = l.high[k], inverse = l.inverse[k];
        const real *KOL_RESTRICT b = base + (k + 1) * sz, *KOL_RESTRICT p = before + (k + 1) * sz;
        real *KOL_RESTRICT v = vel + k * sz;
#pragma omp simd
        for (int i = 0; i < many; ++i) {
            const double q_above = point_column_known(b[i], p[i]);
            below[i] = point_column_up(v[i], q_below[i], q[i], q_above, low, high, inverse, below[i]);
            v[i] = (real)below[i];
            q_below[i] = q[i];
            q[i] = q_above;
        }
    }
}

static void sweep_down(struct line l, ptrdiff_t sz, int many, real *vel)
{
    double above[SIDE_BY_SIDE];
    for (int i = 0; i < many; ++i) above[i] = l.end[1];
    for (int k = l.n - 1; k >= l.first; --k) {
        const double high = l.high[k], inverse = l.inverse[k];
        real *KOL_RESTRICT v = vel + k * sz;
#pragma omp simd
        for (int i = 0; i < many; ++i) {
            above[i] = point_column_down(v[i], high, inverse, above[i]);
            v[i] = (real)above[i];
        }
    }
}

kol_status column_solve(struct box b, struct columns c, real *const base[3], real *const before[3],
                        real *const vel[3])
{
    for (int d = 0; d < 3; ++d) {
        const double *of = d == Z ? c.face : c.centre;
        const struct line l = {of, of + b.nz, of + 2 * b.nz, c.end[d], d == Z ? 1 : 0, b.nz};
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; i += SIDE_BY_SIDE) {
                const int many = b.nx - i < SIDE_BY_SIDE ? b.nx - i : SIDE_BY_SIDE;
                const ptrdiff_t o = at(b, i, j, 0);
                sweep_up(l, b.sz, many, base[d] + o, before[d] + o, vel[d] + o);
                sweep_down(l, b.sz, many, vel[d] + o);
            }
        }
    }
    return KOL_OK;
}
