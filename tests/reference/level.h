/* Slow plain versions of kernels/level.h, in double precision on flat arrays of the whole grid, without
 * halo: value (i, j, k) is q[(k*ny + j)*nx + i]. They share nothing with the kernels. Units and meanings
 * are those of that header. If there is not enough memory, the program ends. */
#ifndef KOL_TESTS_REFERENCE_LEVEL_H
#define KOL_TESTS_REFERENCE_LEVEL_H

#include <stddef.h>

/* ref_level: a level. For each direction it has the widths of the n cells, and n + 1 inverse distances
 * (`link`) of the centres on both sides of a face, which are 0 at walls. In a periodic direction the first
 * and the last face are the same, so both entries are equal. */
struct ref_level {
    int n[3];
    const double *width[3], *link[3];
};

/* ref_passage: the interpolation between a level and the next one. weight[d][i * nc[d] + I] is the weight
 * of coarse cell I in fine cell i in direction d, as a dense matrix. */
struct ref_passage {
    int nc[3];
    const double *weight[3];
};

ptrdiff_t ref_level_count(const int n[3]);
/* ref_level_operator: computes y = A z. ref_level_diagonal: computes the diagonal d of A. */
void ref_level_operator(const struct ref_level *g, const double *z, double *y);
void ref_level_diagonal(const struct ref_level *g, double *d);
/* Computes z = c0 y + c1 (1 - A/D) y with y = r / D. */
void ref_level_start(const struct ref_level *g, double c0, double c1, const double *r, double *z);
/* Computes z_next = z + step (r - A z) / D. */
void ref_level_smooth(const struct ref_level *g, double step, const double *r, const double *z,
                      double *z_next);
/* ref_level_prolong: adds P e to z. ref_level_restrict: computes r = P^T q. */
void ref_level_prolong(const struct ref_level *g, const struct ref_passage *p, const double *e, double *z);
void ref_level_restrict(const struct ref_level *g, const struct ref_passage *p, const double *q, double *r);

#endif
