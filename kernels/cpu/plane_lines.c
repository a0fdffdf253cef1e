/* Packs planes parallel to the walls into lines, and multiplies Fourier coefficients along them. */
#include "../plane_lines.h"
#include "../point/plane_lines.h"

#include <string.h>

kol_status plane_lines_pack(struct box b, int normal, enum plane_kind kind, int level, real *const vel[3],
                            const real *p, double *out)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    const int na = plane_average_cells(b, d.a), nb = plane_average_cells(b, d.b);
    for (int ib = 0; ib < nb; ++ib)
        for (int ia = 0; ia < na; ++ia)
            *out++ = point_plane(d, kind, vel[d.a], vel[d.b], vel[d.n], p,
                                 b.start + ia * d.sa + ib * d.sb + level * d.sn);
    return KOL_OK;
}

static void add_line(int n, const double *f, const double *g, double *sum)
{
    for (int m = 0; m <= n / 2; ++m) sum[m] += plane_lines_term(n, m, f, g);
    sum[n / 2 + 1] += f[0];
    sum[n / 2 + 2] += g[0];
}

kol_status plane_lines_products(const struct plane_lines_pairs *pairs, int n, int lines, const double *u,
                                double *out)
{
    const ptrdiff_t width = n / 2 + 3, plane = (ptrdiff_t)lines * n;
    memset(out, 0, sizeof *out * (size_t)(pairs->n * width));
    for (int q = 0; q < pairs->n; ++q)
        for (int l = 0; l < lines; ++l)
            add_line(n, u + pairs->first[q] * plane + (ptrdiff_t)l * n,
                     u + pairs->second[q] * plane + (ptrdiff_t)l * n, out + q * width);
    return KOL_OK;
}
