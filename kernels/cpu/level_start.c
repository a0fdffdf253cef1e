/* Smooths a level for the first time, from a zero guess. */
#include "level_rows.h"

/* pieces: y = r / D on pieces of rows, kept on the stack. While j increases, the rows before and after row
 * (j, k) of the same plane are kept, each with one more cell at both ends. The rows in the planes below and
 * above are computed again for each row. So a cell takes 3 divisions instead of 7. */
enum { PIECE = 512, PIECE_ROWS = 3 };

struct pieces {
    level_real row[PIECE_ROWS][PIECE + 2], below[PIECE + 2], above[PIECE + 2];
};

static level_real *piece_of(struct pieces *p, int j)
{
    return p->row[(j + PIECE_ROWS) % PIECE_ROWS] + 1;
}

/* Computes y in columns i0 + from .. i0 + to - 1. y[0] belongs to column i0. */
ROW_LOOP scaled_row(struct box b, struct level_stencil s, int i0, int from, int to, int j, int k,
                    const level_real *r, level_real *KOL_RESTRICT y, const int masked)
{
    const ptrdiff_t o = at(b, i0, j, k);
    const level_real *KOL_RESTRICT row = r + o;
    const struct level_plane h = point_level_plane(s, k);
#pragma omp simd
    for (int i = from; i < to; ++i) {
        const struct level_column c = column_of(s, masked, i0 + i, j, o + i);
        y[i] = row[i] * inverse_of(masked, c, plane_of(s, masked, h, o + i));
    }
}

/* Computes y in own row (j, k) of a piece. Its ends lie in the halo if flux passes there. */
ROW_LOOP scaled_own(struct box b, struct level_stencil s, int i0, int n, int j, int k, const level_real *r,
                    level_real *y, const int masked)
{
    const int low = s.gx[i0] != 0, high = s.gx[i0 + n] != 0;
    scaled_row(b, s, i0, -low, n + high, j, k, r, y, masked);
}

ROW_LOOP start_row(struct box b, struct level_stencil s, int i0, int n, int j, int k, level_real c0,
                   level_real c1, struct around_row a, level_real *z, const int masked)
{
    const ptrdiff_t o = at(b, i0, j, k);
    const struct level_plane h = point_level_plane(s, k);
    level_real *KOL_RESTRICT to = z + o;
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const struct level_column c = column_of(s, masked, i0 + i, j, o + i);
        const struct level_plane p = plane_of(s, masked, h, o + i);
        const level_real y = a.c[i];
        const level_real xl = s.gx[i0 + i] != 0 ? a.c[i - 1] : y, xh = s.gx[i0 + i + 1] != 0 ? a.c[i + 1] : y;
        to[i] = point_level_start(c, p, inverse_of(masked, c, p), c0, c1, y, xl, xh, a.yl[i], a.yh[i],
                                  a.zl[i], a.zh[i]);
    }
}

ROW_LOOP start_piece(struct box b, struct level_stencil s, int i0, int n, int k, level_real c0, level_real c1,
                     const level_real *r, level_real *z, const int masked)
{
    struct pieces p;
    if (s.gy[0] != 0) scaled_row(b, s, i0, 0, n, -1, k, r, piece_of(&p, -1), masked);
    scaled_own(b, s, i0, n, 0, k, r, piece_of(&p, 0), masked);
    for (int j = 0; j < b.ny; ++j) {
        const level_real *c = piece_of(&p, j);
        const struct around_row a = {c, s.gy[j] != 0 ? piece_of(&p, j - 1) : c,
                                     s.gy[j + 1] != 0 ? piece_of(&p, j + 1) : c, s.gz[k] != 0 ? p.below : c,
                                     s.gz[k + 1] != 0 ? p.above : c};
        if (j + 1 < b.ny) {
            scaled_own(b, s, i0, n, j + 1, k, r, piece_of(&p, j + 1), masked);
        } else if (s.gy[b.ny] != 0) {
            scaled_row(b, s, i0, 0, n, b.ny, k, r, piece_of(&p, b.ny), masked);
        }
        if (s.gz[k] != 0) scaled_row(b, s, i0, 0, n, j, k - 1, r, p.below, masked);
        if (s.gz[k + 1] != 0) scaled_row(b, s, i0, 0, n, j, k + 1, r, p.above, masked);
        start_row(b, s, i0, n, j, k, c0, c1, a, z, masked);
    }
}

ROW_LOOP start_pieces(struct box b, struct level_stencil s, level_real c0, level_real c1, const level_real *r,
                      level_real *z, const int masked)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int i = 0; i < b.nx; i += PIECE)
            start_piece(b, s, i, b.nx - i < PIECE ? b.nx - i : PIECE, k, c0, c1, r, z, masked);
    }
}

ALL_KINDS(start_pieces,
          (struct box b, struct level_stencil s, level_real c0, level_real c1, const level_real *r,
           level_real *z),
          (b, s, c0, c1, r, z))

ROW_LOOP start_jacobi(struct box b, struct level_stencil s, level_real c0, const level_real *r, level_real *z,
                      const int masked)
{
    for (int k = 0; k < b.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t o = at(b, 0, j, k);
            const level_real *KOL_RESTRICT from = r + o;
            level_real *KOL_RESTRICT to = z + o;
#pragma omp simd
            for (int i = 0; i < b.nx; ++i) {
                const struct level_column c = column_of(s, masked, i, j, o + i);
                const struct level_plane p = plane_of(s, masked, h, o + i);
                to[i] = c0 * (from[i] * inverse_of(masked, c, p));
            }
        }
    }
}

ALL_KINDS(start_jacobi,
          (struct box b, struct level_stencil s, level_real c0, const level_real *r, level_real *z),
          (b, s, c0, r, z))

kol_status level_start(struct box lb, struct level_stencil s, struct cells cells, level_real c0,
                       level_real c1, const level_real *r, level_real *z)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    if (c1 == 0) start_jacobi_of_level(lb, s, c0, r, z);
    else start_pieces_of_level(lb, s, c0, c1, r, z);
    return KOL_OK;
}
