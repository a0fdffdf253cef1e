/* Spectra and two-point correlations of the fluctuations in planes parallel to walls, at chosen heights, along both homogeneous directions. Only
 * those planes are moved, so that a rank has whole ones. docs/statistics.md, "Spectra at heights". */
#ifndef KOL_HEIGHTS_H
#define KOL_HEIGHTS_H

#include <stdio.h>
#include "../inputs/namelist.h"
#include "page.h"
#include "wall_profiles.h"

struct heights;
/* heights_check: KOL_ERR_INPUT where two of statistics.spectra_heights are in the same plane. Not collective. */
kol_status heights_check(const struct input *in, const struct input_source *source, const struct grid *g,
                         int normal);
/* heights_create: of statistics.spectra_heights, walls normal to `normal`, the other directions uniform. transport: halo_transport(); NULL: no sample is taken, of files alone. c is borrowed.
 * Collective. heights_destroy takes NULL; collective. heights_bytes: kernel memory that
 * heights_create takes on this rank. */
kol_status heights_create(const struct comm *c, const struct input *in, const struct decomp *d,
                          const struct grid *g, int normal, const char *transport, struct heights **out);
void heights_destroy(struct heights **h);
kol_status heights_bytes(const struct comm *c, const struct input *in, const struct decomp *d,
                         const struct grid *g, int normal, const char *transport, double *bytes);
/* heights_values: of a sample. heights_sample: into value, on rank 0, where it is not NULL. vel: one halo layer with edges; p: own cells. The same bits on any
 * ranks in the CPU build. Collective: moves of the planes, and one message. */
int heights_values(const struct heights *h);
kol_status heights_sample(struct heights *h, const struct grid *g, real *const vel[3], const real *p,
                          double *value);
/* heights_same: whether the average of samples, mean, is one of these planes: it may come from a checkpoint. */
int heights_same(const struct heights *h, const double *mean);
/* heights_page: spectra.nc of an average; the caller destroys it. u_tau: of the same run's statistics [U]; NaN: not known. heights_print: names,
 * units, words for walls in z as a table for docs/statistics.md. */
kol_status heights_page(const struct heights *h, const struct wall_profiles *w, const struct batches *average,
                        double u_tau, struct page **out);
void heights_print(FILE *out);

/* What heights.c shares with heights_page.c. Pairs of planes whose spectra are taken; the first HEIGHT_SQUARES are of one plane with itself. */
enum { PAIR_AA, PAIR_BB, PAIR_PP, PAIR_NN, HEIGHT_SQUARES, PAIR_AN = HEIGHT_SQUARES, PAIR_BN, HEIGHT_PAIRS };
/* heights_plan: of the homogeneous directions a, b: cells, waves, step of the wavenumber [1/L], spacing [L]; the planes: centre and face levels by
 * height. A sample: spectra [pair][direction][height][wave], means [pair][factor][height], levels of centres, of faces. */
struct heights_plan {
    int normal, dir[2], n[2], waves[2], count;
    double step[2], h[2];
    int centre[HEIGHTS_MOST], face[HEIGHTS_MOST];
    double asked[HEIGHTS_MOST]; /* distance from the lower wall [L] */
    double *cosine[2];          /* cos(2 pi i/n) of each direction */
    double *row;                /* scratch, for those of one wave */
};
const struct heights_plan *heights_planned(const struct heights *h);
/* heights_spectrum, heights_mean: where they begin in a sample, `count` of each. heights_spectra: values of all spectra. */
ptrdiff_t heights_spectra(const struct heights_plan *p);
ptrdiff_t heights_spectrum(const struct heights_plan *p, int pair, int direction);
ptrdiff_t heights_mean(const struct heights_plan *p, int pair, int factor);

#endif
