/* Makes the synthetic turbulence of an inflow: adds up the plane waves at each place of its plane. */
#include "../inflow_waves.h"
#include "../point/inflow_waves.h"

/* Number of places side by side whose sums are kept together. */
enum { SIDE_BY_SIDE = 64 };

/* tables: of one component. */
struct tables {
    const double *x, *y, *wx, *wy; /* of both directions, from place -1 on */
    ptrdiff_t nx, ny;              /* places along them */
    double excess;
};

static struct tables tables_of(struct box b, int d, int c, struct inflow_waves w)
{
    const int cells[3] = {b.nx, b.ny, b.nz}, first = d == X ? Y : X, second = d == Z ? Y : Z;
    return (struct tables){.x = w.line[0][c == first],
                           .y = w.line[1][c == second],
                           .wx = w.weight[0][c == first],
                           .wy = w.weight[1][c == second],
                           .nx = cells[first] + 2,
                           .ny = cells[second] + 2,
                           .excess = c == d ? w.excess : 0};
}

/* Computes places i .. i + many - 1 of row j. */
static void fill_places(struct tables t, struct inflow_waves w, int c, ptrdiff_t j, ptrdiff_t i, int many,
                        const real *steady, real *plane)
{
    double sum[SIDE_BY_SIDE] = {0};
    for (int m = 0; m < w.modes; ++m) {
        const double *KOL_RESTRICT cx = t.x + 2 * m * t.nx + i, *KOL_RESTRICT sx = cx + t.nx,
                                   *cy = t.y + 2 * m * t.ny + j;
        const struct inflow_waves_pair row =
            point_waves_row(w.amplitude[3 * m + c], cy[0], cy[t.ny], w.turn[2 * m], w.turn[2 * m + 1]);
#pragma omp simd
        for (int n = 0; n < many; ++n) sum[n] += point_waves_term(row, cx[n], sx[n]);
    }
    for (int n = 0; n < many; ++n)
        plane[n] = point_waves_value(steady[n], t.wx[i + n] * t.wy[j], sum[n], t.excess);
}

kol_status inflow_waves_add(struct box b, int face, struct inflow_waves w, const real *steady, real *plane)
{
    for (int c = 0; c < 3; ++c) {
        const struct tables t = tables_of(b, face / 2, c, w);
        for (ptrdiff_t j = 0; j < t.ny; ++j)
            for (ptrdiff_t i = 0; i < t.nx; i += SIDE_BY_SIDE) {
                const ptrdiff_t place = plane_at(b, face / 2, c, (int)i - 1, (int)j - 1);
                const int many = t.nx - i < SIDE_BY_SIDE ? (int)(t.nx - i) : SIDE_BY_SIDE;
                fill_places(t, w, c, j, i, many, steady + place, plane + place);
            }
    }
    return KOL_OK;
}
