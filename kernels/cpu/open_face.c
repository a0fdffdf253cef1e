/* Fills and advances the planes of open faces, and forms the sums over a face. */
#include "../open_face.h"
#include "../point/open_face.h"

kol_status open_mix(ptrdiff_t n, real a, const real *x, real b, const real *y, real *out)
{
    for (ptrdiff_t i = 0; i < n; ++i) out[i] = y != NULL ? a * x[i] + b * y[i] : a * x[i];
    return KOL_OK;
}

kol_status open_fill(struct box b, struct walls w, int face, real *const vel[3], real *plane)
{
    const struct open_face f = open_face_make(b, face);
    for (int j = -1; j <= f.n[1]; ++j)
        for (int i = -1; i <= f.n[0]; ++i) point_open_fill(b, w, f, i, j, vel, plane);
    return KOL_OK;
}

kol_status open_convect(struct box b, struct metrics m, struct walls w, int face, struct open_stage s,
                        real *const vel[3], const real *base, real *old, real *plane)
{
    const struct open_face f = open_face_make(b, face);
    for (int j = -1; j <= f.n[1]; ++j)
        for (int i = -1; i <= f.n[0]; ++i) point_open_convect(b, m, w, f, s, i, j, vel, base, old, plane);
    return KOL_OK;
}

kol_status open_shift(struct box b, int face, real shift, real *plane)
{
    const struct open_face f = open_face_make(b, face);
    real *normal = plane + plane_values(b, f.d) * f.d;
    for (ptrdiff_t i = 0; i < plane_values(b, f.d); ++i) normal[i] += f.sign * shift;
    return KOL_OK;
}

kol_status open_impulse(struct box b, int face, real keep, real weight, const real *p, real *impulse)
{
    const struct open_face f = open_face_make(b, face);
    for (int j = 0; j < f.n[1]; ++j)
        for (int i = 0; i < f.n[0]; ++i) {
            const ptrdiff_t q = plane_at(b, f.d, 0, i, j);
            const real now = weight * p[f.in + i * f.sa + j * f.sb];
            impulse[q] = keep == 0 ? now : keep * impulse[q] + now;
        }
    return KOL_OK;
}

kol_status open_sums(struct box b, struct metrics m, struct walls w, struct blocks bl, int face, int count,
                     struct open_look look, double *rows)
{
    const struct open_face f = open_face_make(b, face);
    const int blocks[3] = {bl.nx, bl.ny, bl.nz};
    for (int j = 0; j < f.n[1]; ++j)
        for (int block = 0; block < blocks[f.a]; ++block)
            point_open_row(b, m, w, bl, f, count, look, block, j, rows);
    return KOL_OK;
}
