/* The discrete curl of a potential on the edges and what conjugate gradients on it want: the kernels of the
 * exact fractional step. docs/numerics/exact.md. Potentials and residuals have three components, along x, y,
 * z at the edges cff, fcf, ffc; all arrays have the shape of the box and lie in kernel memory. C: curl from
 * edges to faces; curl: from faces to edges, so that C^T W = V curl with W the volumes of velocity points and
 * V those of edges. cg: kernels return at once where the iteration has ended; NULL: never. Sums by struct
 * blocks. Not collective. */
#ifndef KOL_CURL_H
#define KOL_CURL_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* curl_velocity: vel = base + C s [U]. s: one halo layer, high faces; base: own points. vel may be base. */
kol_status curl_velocity(struct box b, struct metrics m, real *const s[3], real *const base[3],
                         real *const vel[3]);

/* curl_shift: t = s + beta (curl C s + 2 curl base), what the operator with diffusion is applied to. s: one
 * halo layer, faces and edges; base: low faces, or NULL: not there. t must not overlap s. */
kol_status curl_shift(struct box b, struct metrics m, const struct cg_state *cg, real beta, real *const s[3],
                      real *const *base, real *const t[3]);

/* curl_residual: r = V (curl(vel - base) - curl C t). vel, base: one halo layer, low faces; t: faces and
 * edges. Sums: |r|; maxima: |r| / V [1/T]. */
kol_status curl_residual(struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                         real *const base[3], real *const t[3], real *const r[3]);

/* curl_apply: q = V curl C t; sums: d q. t: one halo layer, faces and edges; d: own points; both may be one.
 */
kol_status curl_apply(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                      real *const t[3], real *const d[3], real *const q[3]);

/* curl_jacobi: z = r over the diagonal of V curl (I + beta curl C) C; sums: r z; maxima: |r| / V. */
kol_status curl_jacobi(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg, real beta,
                       real *const r[3], real *const z[3]);

/* curl_dot: sums: r z, three components. */
kol_status curl_dot(struct box b, struct blocks bl, const struct cg_state *cg, real *const r[3],
                    real *const z[3]);

/* curl_direction: d = z + cg->beta d at own points; d is not read where beta is 0. */
kol_status curl_direction(struct box b, const struct cg_state *cg, real *const z[3], real *const d[3]);

/* curl_update: s += cg->alpha d, r -= cg->alpha q at own points; sums: |r|; maxima: |r| / V. */
kol_status curl_update(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                       real *const d[3], real *const q[3], real *const s[3], real *const r[3]);

KOL_END_C

#endif
