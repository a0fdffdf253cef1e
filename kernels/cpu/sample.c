#include "../sample.h"
#include "../point/sample.h"

/* A row of cells; the quantity is a constant where this is inlined. */
static inline void row_of_cells(struct box b, struct metrics m, enum sample_quantity q, struct range r,
                                real *const vel[3], const real *p, int j, int k, real *KOL_RESTRICT out)
{
    for (int i = r.lo[X]; i < r.hi[X]; ++i, out += sample_components(q))
        point_sample(b, m, q, vel[X], vel[Y], vel[Z], p, i, j, k, out);
}

#define ROW(Q)                                                                                               \
    case Q:                                                                                                  \
        row_of_cells(b, m, Q, r, vel, p, j, k, out);                                                         \
        break

kol_status sample_cells(struct box b, struct metrics m, enum sample_quantity q, struct range r,
                        real *const vel[3], const real *p, real *out)
{
    const ptrdiff_t row = (ptrdiff_t)(r.hi[X] - r.lo[X]) * sample_components(q);
    for (int k = r.lo[Z]; k < r.hi[Z]; ++k) {
        for (int j = r.lo[Y]; j < r.hi[Y]; ++j, out += row) {
            switch (q) {
                ROW(SAMPLE_VELOCITY);
                ROW(SAMPLE_PRESSURE);
                ROW(SAMPLE_VORTICITY);
                ROW(SAMPLE_Q);
                ROW(SAMPLE_LAMBDA2);
            case SAMPLE_QUANTITIES:
                break;
            }
        }
    }
    return KOL_OK;
}

kol_status sample_points(ptrdiff_t n, const struct sample_point *point, const real *const array[4], real *out)
{
    for (ptrdiff_t i = 0; i < n; ++i) out[i] = array[point[i].array][point[i].at];
    return KOL_OK;
}
