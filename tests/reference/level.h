/* Slow plain versions of kernels/level.h, in double precision on flat global arrays without halo: value (i,
 * j, k) is q[(k*ny + j)*nx + i]. They share nothing with the kernels; units and meaning as in that header. No
 * memory ends the program. */
#ifndef KOL_TESTS_REFERENCE_LEVEL_H
#define KOL_TESTS_REFERENCE_LEVEL_H

#include <stddef.h>

/* ref_level: per direction the widths of the n cells, and what links the cells on both sides of the n + 1
 * faces: inverse distance of their centres, 0 at walls. Where the first and the last face are one, over the
 * periodic boundary, both entries are the same. */
struct ref_level {
    int n[3];
    const double *width[3], *link[3];
};

/* ref_passage: what coarse cell I gives to fine cell i in one direction, weight[d][i * nc[d] + I]: a dense
 * matrix. */
struct ref_passage {
    int nc[3];
    const double *weight[3];
};

ptrdiff_t ref_level_count(const int n[3]);
/* y = A z; d = its diagonal. */
void ref_level_operator(const struct ref_level *g, const double *z, double *y);
void ref_level_diagonal(const struct ref_level *g, double *d);
/* z = c0 y + c1 (1 - A/D) y, y = r / D */
void ref_level_start(const struct ref_level *g, double c0, double c1, const double *r, double *z);
/* z_next = z + step (r - A z) / D */
void ref_level_smooth(const struct ref_level *g, double step, const double *r, const double *z,
                      double *z_next);
/* z += P e; r = transpose of P, times q */
void ref_level_prolong(const struct ref_level *g, const struct ref_passage *p, const double *e, double *z);
void ref_level_restrict(const struct ref_level *g, const struct ref_passage *p, const double *q, double *r);

#endif
