/* The discrete curl of a potential on the edges, and the conjugate-gradient kernels for it. These are the
 * kernels of the exact fractional step. docs/numerics/exact.md.
 *
 * Potentials and residuals have three components along x, y, z, at the edges cff, fcf, ffc. C is the curl
 * from edges to faces and `curl` the curl from faces to edges, so C^T W = V curl; W are the volumes of
 * velocity points and V those of edges. All arrays have the shape of the box and lie in kernel memory.
 * Kernels that take cg return at once if the iteration has ended; cg may be NULL, then they always run. Sums
 * are taken over struct blocks. No kernel is collective. */
#ifndef KOL_CURL_H
#define KOL_CURL_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* curl_velocity: vel = base + C s [U]. It reads s with one halo layer beyond the high faces, and own points
 * of base. vel may be base. */
kol_status curl_velocity(struct box b, struct metrics m, real *const s[3], real *const base[3],
                         real *const vel[3]);

/* curl_shift: t = s + beta (curl C s + 2 curl base), the vector to which the operator with diffusion is
 * applied. It reads s with one halo layer, faces and edges, and base with one beyond the low faces. If base
 * is NULL, its term is left out. t must not overlap s. */
kol_status curl_shift(struct box b, struct metrics m, const struct cg_state *cg, real beta, real *const s[3],
                      real *const *base, real *const t[3]);

/* curl_residual: r = V (curl(vel - base) - curl C t). It leaves the sums of |r| and the maxima of |r| / V
 * [1/T]. It reads vel and base with one halo layer beyond the low faces, and t with one at faces and edges.
 */
kol_status curl_residual(struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                         real *const base[3], real *const t[3], real *const r[3]);

/* curl_apply: q = V curl C t. It leaves the sums of d q. It reads t with one halo layer, faces and edges,
 * and own points of d. d may be t. */
kol_status curl_apply(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                      real *const t[3], real *const d[3], real *const q[3]);

/* curl_jacobi: z = r over the diagonal of V curl (I + beta curl C) C. It leaves the sums of r z and the
 * maxima of |r| / V. */
kol_status curl_jacobi(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg, real beta,
                       real *const r[3], real *const z[3]);

/* curl_dot: leaves the sums of r z over the three components. */
kol_status curl_dot(struct box b, struct blocks bl, const struct cg_state *cg, real *const r[3],
                    real *const z[3]);

/* curl_direction: d = z + cg->beta d at own points. d is not read if beta is 0. */
kol_status curl_direction(struct box b, const struct cg_state *cg, real *const z[3], real *const d[3]);

/* curl_update: s += cg->alpha d and r -= cg->alpha q at own points. It leaves the sums of |r| and the maxima
 * of |r| / V. */
kol_status curl_update(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                       real *const d[3], real *const q[3], real *const s[3], real *const r[3]);

KOL_END_C

#endif
