/* Applies the operator of a level as a sum over faces, so that what leaves one cell enters the other. The
 * passages between levels are triple loops over all pairs of a fine and a coarse cell. */
#include "level.h"

#include <stdio.h>
#include <stdlib.h>

static double *new_values(ptrdiff_t count)
{
    double *a = calloc((size_t)count, sizeof *a);
    if (a == NULL) {
        fprintf(stderr, "reference: no memory for %td values\n", count);
        abort();
    }
    return a;
}

ptrdiff_t ref_level_count(const int n[3])
{
    return (ptrdiff_t)n[0] * n[1] * n[2];
}

static void place_of(const int n[3], ptrdiff_t m, int i[3])
{
    i[0] = (int)(m % n[0]);
    i[1] = (int)(m / n[0] % n[1]);
    i[2] = (int)(m / n[0] / n[1]);
}

/* Calls flux(cell, the cell above it, conductance) for the upper face of every cell. In a periodic
 * direction the cell above the last one is the first one. */
typedef void link_use(ptrdiff_t low, ptrdiff_t high, double conductance, const double *from, double *to);

static void each_link(const struct ref_level *g, link_use *use, const double *from, double *to)
{
    const ptrdiff_t apart[3] = {1, g->n[0], (ptrdiff_t)g->n[0] * g->n[1]};
    for (ptrdiff_t m = 0; m < ref_level_count(g->n); ++m) {
        int i[3];
        place_of(g->n, m, i);
        for (int d = 0; d < 3; ++d) {
            const int a = (d + 1) % 3, b = (d + 2) % 3;
            const double area = g->width[a][i[a]] * g->width[b][i[b]];
            const ptrdiff_t high = i[d] + 1 < g->n[d] ? m + apart[d] : m - apart[d] * (g->n[d] - 1);
            use(m, high, area * g->link[d][i[d] + 1], from, to);
        }
    }
}

static void add_flux(ptrdiff_t low, ptrdiff_t high, double conductance, const double *z, double *y)
{
    const double flux = conductance * (z[high] - z[low]);
    y[low] -= flux;
    y[high] += flux;
}

static void add_conductance(ptrdiff_t low, ptrdiff_t high, double conductance, const double *none, double *d)
{
    (void)none;
    d[low] += conductance;
    d[high] += conductance;
}

void ref_level_operator(const struct ref_level *g, const double *z, double *y)
{
    for (ptrdiff_t m = 0; m < ref_level_count(g->n); ++m) y[m] = 0;
    each_link(g, add_flux, z, y);
}

void ref_level_diagonal(const struct ref_level *g, double *d)
{
    for (ptrdiff_t m = 0; m < ref_level_count(g->n); ++m) d[m] = 0;
    each_link(g, add_conductance, NULL, d);
}

void ref_level_start(const struct ref_level *g, double c0, double c1, const double *r, double *z)
{
    const ptrdiff_t n = ref_level_count(g->n);
    double *d = new_values(n), *y = new_values(n), *ay = new_values(n);
    ref_level_diagonal(g, d);
    for (ptrdiff_t m = 0; m < n; ++m) y[m] = r[m] / d[m];
    ref_level_operator(g, y, ay);
    for (ptrdiff_t m = 0; m < n; ++m) z[m] = c0 * y[m] + c1 * (y[m] - ay[m] / d[m]);
    free(d);
    free(y);
    free(ay);
}

void ref_level_smooth(const struct ref_level *g, double step, const double *r, const double *z,
                      double *z_next)
{
    const ptrdiff_t n = ref_level_count(g->n);
    double *d = new_values(n), *az = new_values(n);
    ref_level_diagonal(g, d);
    ref_level_operator(g, z, az);
    for (ptrdiff_t m = 0; m < n; ++m) z_next[m] = z[m] + step * (r[m] - az[m]) / d[m];
    free(d);
    free(az);
}

static double weight_of(const struct ref_level *g, const struct ref_passage *p, ptrdiff_t fine,
                        ptrdiff_t coarse)
{
    double weight = 1;
    int i[3], c[3];
    place_of(g->n, fine, i);
    place_of(p->nc, coarse, c);
    for (int d = 0; d < 3; ++d) weight *= p->weight[d][i[d] * p->nc[d] + c[d]];
    return weight;
}

void ref_level_prolong(const struct ref_level *g, const struct ref_passage *p, const double *e, double *z)
{
    for (ptrdiff_t m = 0; m < ref_level_count(g->n); ++m) {
        for (ptrdiff_t c = 0; c < ref_level_count(p->nc); ++c) z[m] += weight_of(g, p, m, c) * e[c];
    }
}

void ref_level_restrict(const struct ref_level *g, const struct ref_passage *p, const double *q, double *r)
{
    for (ptrdiff_t c = 0; c < ref_level_count(p->nc); ++c) {
        r[c] = 0;
        for (ptrdiff_t m = 0; m < ref_level_count(g->n); ++m) r[c] += weight_of(g, p, m, c) * q[m];
    }
}
