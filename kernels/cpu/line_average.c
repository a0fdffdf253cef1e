/* Adds up one sample along the homogeneous direction, at every place of the cross-section. */
#include "../point/line_average.h"
#include "rows.h"

int line_average_places(struct box b, int direction)
{
    return plane_average_cells(b, direction) + 1;
}

/* Room for the terms of a row, one value for each sum and place. The sum of a block may read beyond the last
 * one. */
ptrdiff_t line_average_scratch(struct box b, struct blocks bl, int along)
{
    (void)bl;
    (void)along;
    return (ptrdiff_t)LINE_SUM_COUNT * (b.nx + 1) + KOL_LANES;
}

/* The compiler does not inline so long a formula unless told to. The loops would not vectorise if they asked
 * at every place which neighbours exist, so in_a and in_b are constants of each loop. */
#define ROW_LOOP __attribute__((always_inline)) static inline void
#define ROW_OF   __attribute__((flatten, noinline)) static void

/* line_average_row: the parts of the box that a row uses. */
struct line_average_row {
    struct box b;
    struct metrics m;
    struct line_average_values q;
    struct line_average_frame d;
};

/* Computes the terms at places lo .. hi - 1 of the section, side by side: row ib of direction b, cell is of
 * the homogeneous direction. */
ROW_LOOP part_across(struct line_average_row r, int ib, int is, int lo, int hi, const int in_a,
                     const int in_b, double *KOL_RESTRICT row)
{
    const ptrdiff_t o = r.b.start + ib * r.d.sb + is * r.d.ss;
    const int places = r.b.nx + 1;
    const struct plane_average_spacings s = plane_average_spacings_make(r.m, r.d.s, is),
                                        b = plane_average_spacings_make(r.m, r.d.b, ib);
#pragma omp simd
    for (int i = lo; i < hi; ++i)
        point_line_average(r.q, r.d, o + i, s, plane_average_spacings_make(r.m, X, i), b, in_a, in_b, row + i,
                           places);
}

ROW_OF row_across(struct line_average_row r, int ib, int is, double *row)
{
    const int cells = r.b.nx;
    if (ib < plane_average_cells(r.b, r.d.b)) {
        part_across(r, ib, is, 0, cells, 1, 1, row);
        part_across(r, ib, is, cells, cells + 1, 0, 1, row);
    } else {
        part_across(r, ib, is, 0, cells, 1, 0, row);
        part_across(r, ib, is, cells, cells + 1, 0, 0, row);
    }
}

/* Computes the terms of cells along x, the homogeneous direction, side by side, for place (j, k) of the
 * section. */
ROW_LOOP cells_along(struct line_average_row r, int j, int k, const int in_a, const int in_b,
                     double *KOL_RESTRICT row)
{
    const ptrdiff_t o = at(r.b, 0, j, k);
    const int cells = r.b.nx;
    const struct plane_average_spacings a = plane_average_spacings_make(r.m, Y, j),
                                        b = plane_average_spacings_make(r.m, Z, k);
#pragma omp simd
    for (int i = 0; i < cells; ++i)
        point_line_average(r.q, r.d, o + i, plane_average_spacings_make(r.m, X, i), a, b, in_a, in_b, row + i,
                           cells);
}

ROW_OF row_along(struct line_average_row r, int j, int k, double *row)
{
    if (j < r.b.ny && k < r.b.nz) cells_along(r, j, k, 1, 1, row);
    else if (k < r.b.nz) cells_along(r, j, k, 0, 1, row);
    else if (j < r.b.ny) cells_along(r, j, k, 1, 0, row);
    else cells_along(r, j, k, 0, 0, row);
}

/* add_first: adds the first n of HALF_LANES values to *sum, and zeros after them. */
static inline void add_first(half_values *sum, const double *a, int n)
{
    static const long long MASK[2 * HALF_LANES] = {-1, -1, -1, -1};
    const long long *mask = MASK + HALF_LANES - (n < 0 ? 0 : n < HALF_LANES ? n : HALF_LANES);
    half_bits bits;
    memcpy(&bits, mask, sizeof bits);
    *sum += (half_values)((half_bits)*half_at(a) & bits);
}
_Static_assert(HALF_LANES == 4, "as many marks in MASK, and folds in sum_block");

/* Adds up the n values of a block. KOL_LANES sums run side by side and are then added by halves. */
static double sum_block(const double *a, int n)
{
    half_values low = {0}, high = {0};
    int i = 0;
    for (; i + KOL_LANES <= n; i += KOL_LANES) {
        low += *half_at(a + i);
        high += *half_at(a + i + HALF_LANES);
    }
    add_first(&low, a + i, n - i);
    add_first(&high, a + i + HALF_LANES, n - i - HALF_LANES);
    low += high;
    return (low[0] + low[2]) + (low[1] + low[3]);
}

static void sums_along(struct line_average_row r, struct blocks bl, struct line_average_rows rows,
                       double *part, double *scratch)
{
    const int places = line_average_places(r.b, Y);
    const ptrdiff_t plane = (ptrdiff_t)(rows.hi - rows.lo) * places;
    for (int k = rows.lo; k < rows.hi; ++k) {
        for (int j = 0; j < places; ++j) {
            row_along(r, j, k, scratch);
            for (int q = 0; q < LINE_SUM_COUNT; ++q) {
                for (int n = 0; n < bl.nx; ++n)
                    part[((ptrdiff_t)n * LINE_SUM_COUNT + q) * plane + (ptrdiff_t)(k - rows.lo) * places +
                         j] = sum_block(scratch + (ptrdiff_t)q * r.b.nx + bl.x[n], bl.x[n + 1] - bl.x[n]);
            }
        }
    }
}

static void add_row(ptrdiff_t n, const double *KOL_RESTRICT row, double *KOL_RESTRICT sum)
{
    for (ptrdiff_t i = 0; i < n; ++i) sum[i] += row[i];
}

static void sums_across(struct line_average_row r, struct blocks bl, struct line_average_rows rows,
                        double *part, double *row)
{
    const int *start = r.d.s == Y ? bl.y : bl.z;
    const int blocks = r.d.s == Y ? bl.ny : bl.nz, places = line_average_places(r.b, X);
    const ptrdiff_t plane = (ptrdiff_t)(rows.hi - rows.lo) * places;
    memset(part, 0, sizeof *part * (size_t)(blocks * LINE_SUM_COUNT * plane));
    for (int n = 0; n < blocks; ++n) {
        for (int j = rows.lo; j < rows.hi; ++j) {
            double *sum = part + (ptrdiff_t)n * LINE_SUM_COUNT * plane + (ptrdiff_t)(j - rows.lo) * places;
            for (int s = start[n]; s < start[n + 1]; ++s) {
                row_across(r, j, s, row);
                for (int q = 0; q < LINE_SUM_COUNT; ++q)
                    add_row(places, row + (ptrdiff_t)q * places, sum + q * plane);
            }
        }
    }
}

kol_status line_average_sums(struct box b, struct metrics m, struct blocks bl, int along,
                             struct line_average_rows rows, real *const vel[3], const real *p, double *part,
                             double *scratch)
{
    const struct line_average_frame d = line_average_frame_make(b, along);
    const struct line_average_row r = {b, m, {vel[d.s], vel[d.a], vel[d.b], p}, d};
    if (along == X) sums_along(r, bl, rows, part, scratch);
    else sums_across(r, bl, rows, part, scratch);
    return KOL_OK;
}

kol_status line_average_fold(ptrdiff_t values, int blocks, int onto, const double *part, double *sums)
{
    for (ptrdiff_t v = 0; v < values; ++v) {
        double all = onto ? sums[v] : part[v];
        for (int n = onto ? 0 : 1; n < blocks; ++n) all += part[n * values + v];
        sums[v] = all;
    }
    return KOL_OK;
}
