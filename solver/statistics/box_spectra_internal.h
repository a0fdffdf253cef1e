/* What box_spectra.c and box_scalar_spectra.c share: the shells of a grid, and sums over them. */
#ifndef KOL_STATISTICS_BOX_SPECTRA_INTERNAL_H
#define KOL_STATISTICS_BOX_SPECTRA_INTERNAL_H

#include <string.h>
#include "box_spectra.h"
#include "kernels/shells.h"

/* A sample of the flow holds
 *
 *   - energy, transfer and dissipation in each shell of wavenumbers;
 *   - the nine spectra along axes, with `waves` values each;
 *   - the mean velocities.
 *
 * The mean over samples gives the same spectra, the flux through each shell, the nine correlations and some
 * numbers. */
struct box_spectra {
    const struct comm *comm;
    struct box_slab slab;
    int n[3], waves[3], shells, groups_g;
    double nu, step, step_along[3], h[3]; /* step: width of a shell [1/L] */
    double cells;
    double *tables;
    int *start;
    struct shells kernel;
    double *sums, *lines; /* kernel memory */
    double *own, *all;    /* host: sums of this rank, of the grid */
    ptrdiff_t own_values, all_values;
    double *axis, *modes, *cosine[3]; /* for files */
};

/* Copies the sums of this rank over planes to their places among those of the whole grid: first those along
 * x, then the groups of those along y and z. */
static inline void box_spectra_place_planes(const struct box_spectra *s, const double *from, double *to)
{
    const struct box_slab b = s->slab;
    memcpy(to + b.first, from, (size_t)b.planes * sizeof *to);
    from += b.planes;
    to += s->n[X];
    for (int d = Y; d <= Z; ++d) {
        const size_t count = (size_t)b.groups * (size_t)s->n[d];
        memcpy(to + (ptrdiff_t)b.first_group * s->n[d], from, count * sizeof *to);
        from += count;
        to += (ptrdiff_t)s->groups_g * s->n[d];
    }
}

/* Returns the sum over the groups, one group after the other. */
static inline double box_spectra_over_groups(const double *first, int groups, ptrdiff_t apart)
{
    double sum = first[0];
    for (int g = 1; g < groups; ++g) sum += first[g * apart];
    return sum;
}

/* Adds one spectrum along an axis: the energy of a wave and of its conjugate, over the step of the
 * wavenumber. */
static inline double *box_spectra_add_axis(const struct box_spectra *s, int dir, const double *planes,
                                           int groups, double *value)
{
    const int n = s->n[dir];
    for (int m = 0; m < s->waves[dir]; ++m) {
        const int twins = m > 0 && 2 * m < n;
        double sum = box_spectra_over_groups(planes + (m == 0 ? 0 : 2 * m - 1), groups, n);
        if (twins) sum = 2 * (sum + box_spectra_over_groups(planes + 2 * m, groups, n));
        *value++ = sum / (s->cells * s->cells * s->step_along[dir]) + 0.0;
    }
    return value;
}

/* Correlation R(r): the sum over waves of the energy of the wave times cos(k r), without the mean. */
static inline void box_spectra_correlate(const struct box_spectra *s, int dir, const double *spectrum,
                                         double mean, double *out)
{
    const int n = s->n[dir], waves = s->waves[dir];
    for (int j = 0; j < waves; ++j) {
        double sum = 0;
        for (int m = 0; m < waves; ++m) sum += spectrum[m] * s->cosine[dir][(long long)m * j % n];
        out[j] = sum * s->step_along[dir] - mean * mean;
    }
}

/* Axes of the file: the shells, then by direction the waves and the separations. */
enum { SPECTRA_SHELLS, SPECTRA_WAVES, SPECTRA_SEPARATIONS = SPECTRA_WAVES + 3 };

#endif
