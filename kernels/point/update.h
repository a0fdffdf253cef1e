/* Stage combinations at one point, and the range of halo cells beyond a face. */
#ifndef KOL_POINT_UPDATE_H
#define KOL_POINT_UPDATE_H

#include "../base/types.h"

/* point_predict: returns base + change - dts * (difference of p over the face) * inverse distance [U]. */
HD real point_predict(real base, real change, real dts, real p, real p_below, real inverse)
{
    return base + (change - dts * ((p - p_below) * inverse));
}

/* point_correct: returns the velocity minus dts times the gradient of phi [U]. */
HD real point_correct(real u, real dts, real phi, real phi_below, real inverse)
{
    return u - dts * ((phi - phi_below) * inverse);
}

/* point_shift: returns what a force adds at level k [U]. profile: a factor for each level; it may be NULL,
 * and then the factor is 1. */
HD real point_shift(real shift, const real *profile, int k)
{
    return profile != NULL ? profile[k] * shift : shift;
}

/* point_halo_plane: returns the range of the halo cells beyond a face, including edges and corners. They are
 * the cells lo .. hi-1 in each direction. */
HD struct range point_halo_plane(struct box b, int face)
{
    const int n[3] = {b.nx, b.ny, b.nz}, d = face / 2, high = face % 2;
    struct range r;
    for (int e = 0; e < 3; ++e) {
        r.lo[e] = -b.h;
        r.hi[e] = n[e] + b.h;
    }
    r.lo[d] = high ? n[d] : -b.h;
    r.hi[d] = high ? n[d] + b.h : 0;
    return r;
}

#endif
