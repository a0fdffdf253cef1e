/* Smooths a level for the first time, from a zero guess. */
#include "level_rows.h"

/* pieces: y = r / D on pieces of ROWS rows and of the rows beside them, in three planes that take turns, kept
 * on the stack. All planes are gone through with one set of rows. So a cell takes (ROWS + 2) / ROWS divisions
 * instead of 7. */
enum { PIECE = 512, ROWS = 8, PLANES = 3 };

struct pieces {
    level_real row[PLANES][ROWS + 2][PIECE + 2];
};

/* Row j of plane k; j0 is the first of the ROWS rows. */
static level_real *piece_of(struct pieces *p, int j0, int j, int k)
{
    return p->row[(k + PLANES) % PLANES][j - j0 + 1] + 1;
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

ROW_LOOP start_cells(int first, int end, int ends, struct level_stencil s, int i0, int j,
                     struct level_plane h, level_real c0, level_real c1, struct around_row a,
                     level_real *KOL_RESTRICT to, ptrdiff_t o, const int masked)
{
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const struct level_column c = column_of(s, masked, i0 + i, j, o + i);
        const struct level_plane p = plane_of(s, masked, h, o + i);
        const level_real y = a.c[i], xl = !ends || s.gx[i0 + i] != 0 ? a.c[i - 1] : y,
                         xh = !ends || s.gx[i0 + i + 1] != 0 ? a.c[i + 1] : y;
        to[i] = point_level_start(c, p, inverse_of(masked, c, p), c0, c1, y, xl, xh, a.yl[i], a.yh[i],
                                  a.zl[i], a.zh[i]);
    }
}

ROW_LOOP start_row(struct box b, struct level_stencil s, int i0, int n, int j, int k, level_real c0,
                   level_real c1, struct around_row a, level_real *z, const int masked)
{
    const ptrdiff_t o = at(b, i0, j, k);
    const struct level_plane h = point_level_plane(s, k);
    /* always in parts: gcc 12 makes no vector instructions of this loop otherwise */
    FOR_PARTS_OF_ROW(n, 0, start_cells, s, i0, j, h, c0, c1, a, z + o, o, masked);
}

/* Computes y in plane k, which may lie in the halo: there only rows j0 .. j1-1 count, without their ends. */
ROW_LOOP scaled_plane(struct box b, struct level_stencil s, int i0, int n, int j0, int j1, int k,
                      const level_real *r, struct pieces *p, const int masked)
{
    if (k < 0 || k >= b.nz) {
        for (int j = j0; j < j1; ++j) scaled_row(b, s, i0, 0, n, j, k, r, piece_of(p, j0, j, k), masked);
        return;
    }
    if (j0 == 0 && s.gy[0] != 0) scaled_row(b, s, i0, 0, n, -1, k, r, piece_of(p, j0, -1, k), masked);
    for (int j = j0 > 0 ? j0 - 1 : 0; j < (j1 < b.ny ? j1 + 1 : b.ny); ++j)
        scaled_own(b, s, i0, n, j, k, r, piece_of(p, j0, j, k), masked);
    if (j1 == b.ny && s.gy[b.ny] != 0)
        scaled_row(b, s, i0, 0, n, b.ny, k, r, piece_of(p, j0, b.ny, k), masked);
}

ROW_LOOP start_piece(struct box b, struct level_stencil s, int i0, int n, int j0, int j1, level_real c0,
                     level_real c1, const level_real *r, level_real *z, const int masked)
{
    struct pieces p;
    if (s.gz[0] != 0) scaled_plane(b, s, i0, n, j0, j1, -1, r, &p, masked);
    scaled_plane(b, s, i0, n, j0, j1, 0, r, &p, masked);
    for (int k = 0; k < b.nz; ++k) {
        if (k + 1 < b.nz || s.gz[k + 1] != 0) scaled_plane(b, s, i0, n, j0, j1, k + 1, r, &p, masked);
        for (int j = j0; j < j1; ++j) {
            const level_real *c = piece_of(&p, j0, j, k);
            const struct around_row a = {c, s.gy[j] != 0 ? piece_of(&p, j0, j - 1, k) : c,
                                         s.gy[j + 1] != 0 ? piece_of(&p, j0, j + 1, k) : c,
                                         s.gz[k] != 0 ? piece_of(&p, j0, j, k - 1) : c,
                                         s.gz[k + 1] != 0 ? piece_of(&p, j0, j, k + 1) : c};
            start_row(b, s, i0, n, j, k, c0, c1, a, z, masked);
        }
    }
}

ROW_LOOP start_pieces(struct box b, struct level_stencil s, level_real c0, level_real c1, const level_real *r,
                      level_real *z, const int masked)
{
    for (int j = 0; j < b.ny; j += ROWS) {
        for (int i = 0; i < b.nx; i += PIECE)
            start_piece(b, s, i, b.nx - i < PIECE ? b.nx - i : PIECE, j, j + ROWS < b.ny ? j + ROWS : b.ny,
                        c0, c1, r, z, masked);
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
