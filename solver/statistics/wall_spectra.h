/* Spectra and two-point correlations of the fluctuations in planes parallel to walls, at chosen heights,
 * along both homogeneous directions. Only those planes are moved, so that a rank has whole ones.
 * docs/statistics.md, "Spectra at heights". */
#ifndef KOL_STATISTICS_WALL_SPECTRA_H
#define KOL_STATISTICS_WALL_SPECTRA_H

#include <stdio.h>
#include "inputs/namelist.h"
#include "netcdf_page.h"
#include "parallel/memory.h"
#include "wall_profiles.h"

struct wall_spectra;
/* wall_spectra_check: KOL_ERR_INPUT where two of statistics.spectra_heights are in the same plane. Not
 * collective. */
kol_status wall_spectra_check(const struct input *in, const struct input_source *source, const struct grid *g,
                              int normal);
/* wall_spectra_create: of statistics.spectra_heights, walls normal to `normal`, the other directions uniform.
 * transport: halo_transport(); NULL: no sample is taken, of files alone. c is borrowed. Collective.
 * wall_spectra_destroy takes NULL; collective. */
kol_status wall_spectra_create(struct memory *memory, const struct comm *c, const struct input *in,
                               const struct decomp *d, const struct grid *g, int normal,
                               const char *transport, struct wall_spectra **out);
void wall_spectra_destroy(struct wall_spectra **h);
/* wall_spectra_values: of a sample. wall_spectra_sample: into value, on rank 0, where it is not NULL. vel:
 * one halo layer with edges; p: own cells. The same bits on any ranks in the CPU build. Collective: moves of
 * the planes, and one message. */
int wall_spectra_values(const struct wall_spectra *h);
kol_status wall_spectra_sample(struct wall_spectra *h, const struct grid *g, real *const vel[3],
                               const real *p, double *value);
/* wall_spectra_same: whether the average of samples, mean, is one of these planes: it may come from a
 * checkpoint. */
int wall_spectra_same(const struct wall_spectra *h, const double *mean);
/* wall_spectra_page: spectra.nc of an average; the caller destroys it. u_tau: of the same run's statistics
 * [U]; NaN: not known. wall_spectra_print: names, units, words for walls in z as a table for
 * docs/statistics.md. */
kol_status wall_spectra_page(const struct wall_spectra *h, const struct wall_profiles *w,
                             const struct batch_means *average, double u_tau, struct netcdf_page **out);
void wall_spectra_print(FILE *out);

/* What wall_spectra.c shares with wall_spectra_page.c. Pairs of planes whose spectra are taken; the first
 * HEIGHT_SQUARES are of one plane with itself. */
enum { PAIR_AA, PAIR_BB, PAIR_PP, PAIR_NN, HEIGHT_SQUARES, PAIR_AN = HEIGHT_SQUARES, PAIR_BN, HEIGHT_PAIRS };
/* heights_plan: of the homogeneous directions a, b: cells, waves, step of the wavenumber [1/L], spacing [L];
 * the planes: centre and face levels by height. A sample: spectra [pair][direction][height][wave], means
 * [pair][factor][height], levels of centres, of faces. */
struct wall_spectra_plan {
    int normal, dir[2], n[2], waves[2], count;
    double step[2], h[2];
    int centre[HEIGHTS_MOST], face[HEIGHTS_MOST];
    double asked[HEIGHTS_MOST]; /* distance from the lower wall [L] */
    double *cosine[2];          /* cos(2 pi i/n) of each direction */
    double *row;                /* scratch, for those of one wave */
};
const struct wall_spectra_plan *wall_spectra_planned(const struct wall_spectra *h);
/* wall_spectra_first, wall_spectra_first_mean: where they begin in a sample, `count` of each.
 * wall_spectra_size: values of all spectra. */
ptrdiff_t wall_spectra_size(const struct wall_spectra_plan *p);
ptrdiff_t wall_spectra_first(const struct wall_spectra_plan *p, int pair, int direction);
ptrdiff_t wall_spectra_first_mean(const struct wall_spectra_plan *p, int pair, int factor);

#endif
