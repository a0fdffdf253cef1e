/* One value of a packed plane, and one product of Fourier coefficients, for both backends. */
#ifndef KOL_POINT_PLANE_LINES_H
#define KOL_POINT_PLANE_LINES_H

#include "../plane_lines.h"
#include "plane_average.h"

HD double point_plane(struct plane_average_frame d, enum plane_kind kind, const real *a, const real *b,
                      const real *n, const real *p, ptrdiff_t o)
{
    switch (kind) {
    case PLANE_A:
        return a[o];
    case PLANE_B:
        return b[o];
    case PLANE_P:
        return p[o];
    case PLANE_A_FACE:
        return 0.5 * ((double)a[o - d.sn] + (double)a[o]);
    case PLANE_N_AT_A:
        return 0.5 * ((double)n[o - d.sa] + (double)n[o]);
    case PLANE_B_FACE:
        return 0.5 * ((double)b[o - d.sn] + (double)b[o]);
    case PLANE_N_AT_B:
        return 0.5 * ((double)n[o - d.sb] + (double)n[o]);
    default:
        return n[o];
    }
}

/* plane_lines_term: returns the term of wave m of a line. The term counts twice if the wave stands for both
 * signs of its wavenumber. */
HD double plane_lines_term(int n, int m, const double *f, const double *g)
{
    const int c = 2 * m - 1;
    if (m == 0) return f[0] * g[0];
    return 2 * m == n ? f[c] * g[c] : 2 * (f[c] * g[c] + f[c + 1] * g[c + 1]);
}

#endif
