/* Takes samples of the flow at cell centres and at single points, for slices, boxes and probes. */
#include "../point_sample.h"
#include "../point/point_sample.h"

/* Samples a row of cells. Where this is inlined, the quantity is a constant. */
static inline void row_of_cells(struct box b, struct metrics m, enum point_sample_quantity q, struct range r,
                                real *const vel[3], const real *p, int j, int k, real *KOL_RESTRICT out)
{
    for (int i = r.lo[X]; i < r.hi[X]; ++i, out += point_sample_components(q))
        point_sample(b, m, q, vel[X], vel[Y], vel[Z], p, i, j, k, out);
}

/* Number of sweeps side by side, over many matrices. */
enum { SIDE = 64 };

static void sweep_all(double a[6][SIDE])
{
    for (int n = 0; n < SAMPLE_SWEEPS; ++n) {
#pragma omp simd
        for (int i = 0; i < SIDE; ++i)
            point_sample_sweep(&a[0][i], &a[1][i], &a[2][i], &a[3][i], &a[4][i], &a[5][i]);
    }
}

static void row_of_eigenvalues(struct box b, struct metrics m, struct range r, real *const vel[3], int j,
                               int k, real *KOL_RESTRICT out)
{
    double a[6][SIDE] = {{0}};
    for (int i0 = r.lo[X]; i0 < r.hi[X]; i0 += SIDE) {
        const int count = r.hi[X] - i0 < SIDE ? r.hi[X] - i0 : SIDE;
        for (int i = 0; i < count; ++i) {
            double g[3][3], square[6];
            point_sample_gradient(b, point_sample_spacings_make(m, i0 + i, j, k), vel[X], vel[Y], vel[Z],
                                  at(b, i0 + i, j, k), g);
            point_sample_square(g, square);
            for (int n = 0; n < 6; ++n) a[n][i] = square[n];
        }
        sweep_all(a);
        for (int i = 0; i < count; ++i) *out++ = (real)point_sample_middle(a[0][i], a[1][i], a[2][i]);
    }
}

#define ROW(Q)                                                                                               \
    case Q:                                                                                                  \
        row_of_cells(b, m, Q, r, vel, p, j, k, out);                                                         \
        break

kol_status point_sample_cells(struct box b, struct metrics m, enum point_sample_quantity q, struct range r,
                              real *const vel[3], const real *p, real *out)
{
    const ptrdiff_t row = (ptrdiff_t)(r.hi[X] - r.lo[X]) * point_sample_components(q);
    for (int k = r.lo[Z]; k < r.hi[Z]; ++k) {
        for (int j = r.lo[Y]; j < r.hi[Y]; ++j, out += row) {
            switch (q) {
                ROW(SAMPLE_VELOCITY);
                ROW(SAMPLE_PRESSURE);
                ROW(SAMPLE_VORTICITY);
                ROW(SAMPLE_Q);
            case SAMPLE_LAMBDA2:
                row_of_eigenvalues(b, m, r, vel, j, k, out);
                break;
            case SAMPLE_QUANTITIES:
                break;
            }
        }
    }
    return KOL_OK;
}

kol_status point_sample_points(ptrdiff_t n, const struct point_sample_point *point, int arrays,
                               const real *const *array, real *out)
{
    if (arrays > POINT_SAMPLE_ARRAYS) RAISE(KOL_ERR_INTERNAL, "points of %d arrays", arrays);
    for (ptrdiff_t i = 0; i < n; ++i) out[i] = array[point[i].array][point[i].at];
    return KOL_OK;
}
