#include "../point/span.h"
#include "rows.h"

int span_places(struct box b, int direction)
{
    return average_cells(b, direction) + 1;
}

/* The terms of a row, a value for each sum and place; then, where the row lies along the homogeneous direction, the lanes of its blocks. */
ptrdiff_t span_scratch(struct box b, struct blocks bl, int along)
{
    return (ptrdiff_t)SPAN_COUNT * (b.nx + 1 + (along == X ? bl.nx * KOL_LANES : 0));
}

/* The formula is too long for the compiler to inline it unasked, and the loops would not vectorise. */
#define ROW_LOOP __attribute__((flatten)) static void

/* frame: what a row has of the box. */
struct span_row {
    struct box b;
    struct metrics m;
    struct span_values q;
    struct span_frame d;
};

/* Places of the section side by side: row ib of direction b, cell is of the homogeneous direction. */
ROW_LOOP row_across(struct span_row r, int ib, int is, double *KOL_RESTRICT row)
{
    const ptrdiff_t o = r.b.start + ib * r.d.sb + is * r.d.ss;
    const int places = r.b.nx + 1, in_b = ib < average_cells(r.b, r.d.b);
    const struct average_spacings s = average_spacings_make(r.m, r.d.s, is),
                                  b = average_spacings_make(r.m, r.d.b, ib);
#pragma omp simd
    for (int i = 0; i < places; ++i)
        point_span(r.q, r.d, o + i, s, average_spacings_make(r.m, X, i), b, i < places - 1, in_b, row + i,
                   places);
}

/* Cells of the homogeneous direction, x, side by side: the place (j, k) of the section. */
ROW_LOOP row_along(struct span_row r, int j, int k, double *KOL_RESTRICT row)
{
    const ptrdiff_t o = at(r.b, 0, j, k);
    const int cells = r.b.nx, in_a = j < r.b.ny, in_b = k < r.b.nz;
    const struct average_spacings a = average_spacings_make(r.m, Y, j), b = average_spacings_make(r.m, Z, k);
#pragma omp simd
    for (int i = 0; i < cells; ++i)
        point_span(r.q, r.d, o + i, average_spacings_make(r.m, X, i), a, b, in_a, in_b, row + i, cells);
}

static double fold_lanes(double *lane)
{
    for (int half = KOL_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

static void sums_along(struct span_row r, struct blocks bl, struct span_rows rows, double *part,
                       double *scratch)
{
    const int places = span_places(r.b, Y);
    const ptrdiff_t plane = (ptrdiff_t)(rows.hi - rows.lo) * places;
    double *lanes = scratch + (ptrdiff_t)SPAN_COUNT * r.b.nx;
    for (int k = rows.lo; k < rows.hi; ++k) {
        for (int j = 0; j < places; ++j) {
            row_along(r, j, k, scratch);
            memset(lanes, 0, sizeof *lanes * SPAN_COUNT * KOL_LANES * (size_t)bl.nx);
            for (int q = 0; q < SPAN_COUNT; ++q) {
                double *lane = lanes + (ptrdiff_t)q * bl.nx * KOL_LANES;
                lanes_row_sum(bl, lane, scratch + (ptrdiff_t)q * r.b.nx);
                for (int n = 0; n < bl.nx; ++n)
                    part[((ptrdiff_t)n * SPAN_COUNT + q) * plane + (ptrdiff_t)(k - rows.lo) * places + j] =
                        fold_lanes(lane + n * KOL_LANES);
            }
        }
    }
}

static void add_row(ptrdiff_t n, const double *KOL_RESTRICT row, double *KOL_RESTRICT sum)
{
    for (ptrdiff_t i = 0; i < n; ++i) sum[i] += row[i];
}

static void sums_across(struct span_row r, struct blocks bl, struct span_rows rows, double *part, double *row)
{
    const int *start = r.d.s == Y ? bl.y : bl.z;
    const int blocks = r.d.s == Y ? bl.ny : bl.nz, places = span_places(r.b, X);
    const ptrdiff_t plane = (ptrdiff_t)(rows.hi - rows.lo) * places;
    memset(part, 0, sizeof *part * (size_t)(blocks * SPAN_COUNT * plane));
    for (int n = 0; n < blocks; ++n) {
        for (int j = rows.lo; j < rows.hi; ++j) {
            double *sum = part + (ptrdiff_t)n * SPAN_COUNT * plane + (ptrdiff_t)(j - rows.lo) * places;
            for (int s = start[n]; s < start[n + 1]; ++s) {
                row_across(r, j, s, row);
                for (int q = 0; q < SPAN_COUNT; ++q)
                    add_row(places, row + (ptrdiff_t)q * places, sum + q * plane);
            }
        }
    }
}

kol_status span_sums(struct box b, struct metrics m, struct blocks bl, int along, struct span_rows rows,
                     real *const vel[3], const real *p, double *part, double *scratch)
{
    const struct span_frame d = span_frame_make(b, along);
    const struct span_row r = {b, m, {vel[d.s], vel[d.a], vel[d.b], p}, d};
    if (along == X) sums_along(r, bl, rows, part, scratch);
    else sums_across(r, bl, rows, part, scratch);
    return KOL_OK;
}

kol_status span_fold(ptrdiff_t values, int blocks, int onto, const double *part, double *sums)
{
    for (ptrdiff_t v = 0; v < values; ++v) {
        double all = onto ? sums[v] : part[v];
        for (int n = onto ? 0 : 1; n < blocks; ++n) all += part[n * values + v];
        sums[v] = all;
    }
    return KOL_OK;
}
