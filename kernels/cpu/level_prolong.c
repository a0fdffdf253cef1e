/* Interpolates a correction from the next coarser level and adds it. */
#include "../level.h"
#include "../point/level.h"

/* Rows are combined over y and z first: contiguous values, in pieces on the stack. Then they are gathered
 * along x. */
enum { PIECE = 256, PIECE_FINE = 2 * PIECE + 2 };

/* Computes sum[I] = e interpolated over y and z, for the n coarse columns of the array from `first` on. */
static void coarse_rows(struct box cb, struct level_parents y, struct level_parents z, int first, int n,
                        const int shift[3], const level_real *e, level_real *KOL_RESTRICT sum)
{
    level_real row[PIECE_FINE];
    for (int b = 0; b < 2 && (b == 0 || z.beside != 0); ++b) {
        const int k = (b == 0 ? z.parent : z.other) + shift[Z];
        const level_real *KOL_RESTRICT at_parent = e + at(cb, first, y.parent + shift[Y], k);
        const level_real *KOL_RESTRICT at_other =
            y.beside != 0 ? e + at(cb, first, y.other + shift[Y], k) : at_parent;
#pragma omp simd
        for (int i = 0; i < n; ++i) {
            row[i] = y.own * at_parent[i];
            if (y.beside != 0) row[i] += y.beside * at_other[i];
        }
#pragma omp simd
        for (int i = 0; i < n; ++i) sum[i] = b == 0 ? z.own * row[i] : sum[i] + z.beside * row[i];
    }
}

/* Interpolates to fine cells i0 .. i0 + n - 1. sum[0] is the sum of coarse cell `first`. */
static void prolong_x(struct level_transfer t, int i0, int n, int first, const level_real *KOL_RESTRICT sum,
                      level_real *KOL_RESTRICT z)
{
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const struct level_parents p = point_level_parents(t, i0 + i);
        const level_real own = p.own * sum[p.parent - first];
        z[i] += p.beside != 0 ? own + p.beside * sum[p.other - first] : own;
    }
}

kol_status level_prolong(struct box lb, const struct level_correction *c, level_real *z)
{
    const struct level_transfers t = c->t;
    level_real sum[PIECE_FINE];
    for (int k = 0; k < lb.nz; ++k) {
        const struct level_parents pz = point_level_parents(t.z, k);
        for (int j = 0; j < lb.ny; ++j) {
            const struct level_parents py = point_level_parents(t.y, j);
            for (int i = 0; i < lb.nx; i += PIECE) {
                const int n = lb.nx - i < PIECE ? lb.nx - i : PIECE;
                const int last = i + n - 1, first = t.x.parent[i] - (t.x.low[i] != 0),
                          end = t.x.parent[last] + 1 + (t.x.high[last] != 0);
                coarse_rows(c->box, py, pz, first + c->shift[X], end - first, c->shift, c->e, sum);
                prolong_x(t.x, i, n, first, sum, z + at(lb, i, j, k));
            }
        }
    }
    return KOL_OK;
}
