/* Computes the diffusion between cells and the bodies beside them that hold the value of a scalar. */
#include "../scalar_wall.h"
#include "../point/scalar_wall.h"

kol_status scalar_wall_stage(struct box b, struct metrics m, const struct scalar_walls *w,
                             const struct scalar_stage *s, const struct scalar_wall_values *v, real dts,
                             real *const vel[3], real *const *theta, real *const *base, real *const *old,
                             real *const *out)
{
    for (int n = 0; n < s->count; ++n)
        for (int point = 0; point < w->points; ++point)
            point_scalar_wall_point(b, m, w, s, v, n, point, dts, vel[X], vel[Y], vel[Z], theta[n], base[n],
                                    old != NULL ? old[n] : NULL, out[n]);
    return KOL_OK;
}

kol_status scalar_wall_scatter(struct box b, struct metrics m, struct blocks bl, const struct scalar_walls *w,
                               const real *wall, const real *theta)
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int n = w->block[q]; n < w->block[q + 1]; ++n)
            sum += point_scalar_wall_scatter(b, m, w, n, wall, theta);
        bl.part[q] = sum;
    }
    return KOL_OK;
}

kol_status scalar_wall_sum(int segments, const int *start, const int *link, const double *value, double *sum)
{
    for (int s = 0; s < segments; ++s) {
        sum[s] = 0;
        for (int n = start[s]; n < start[s + 1]; ++n) sum[s] += value[link[n]];
    }
    return KOL_OK;
}
