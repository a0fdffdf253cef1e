/* The discrete curl of a potential on the edges, and the conjugate-gradient kernels for it. The exact
 * fractional step uses these kernels (docs/numerics/exact.md).
 *
 * Potentials and residuals have three components along x, y, z, at the edges cff, fcf, ffc. C is the curl
 * from edges to faces, and `curl` is the curl from faces to edges. They satisfy C^T W = V curl, where W are
 * the volumes of velocity points and V the volumes of edges. All arrays have the shape of the box and lie in
 * kernel memory.
 *
 * Kernels with an argument cg return at once if the iteration has ended. If cg is NULL, they always run.
 * Kernels that form sums leave one partial sum for each block (struct blocks). No kernel is collective. */
#ifndef KOL_CURL_H
#define KOL_CURL_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* curl_velocity: computes vel = base + C s [U]. It reads s with one halo layer beyond the high faces, and the
 * own points of base. vel may be base. */
kol_status curl_velocity(struct box b, struct metrics m, real *const s[3], real *const base[3],
                         real *const vel[3]);

/* curl_shift: computes t = s + beta (curl C s + 2 curl base). With implicit diffusion, the operator is
 * applied to this vector. The kernel reads s with one halo layer at faces and edges, and base with one halo
 * layer beyond the low faces. If base is NULL, its term is left out. t must not overlap s. */
kol_status curl_shift(struct box b, struct metrics m, const struct cg_state *cg, real beta, real *const s[3],
                      real *const *base, real *const t[3]);

/* curl_residual: computes r = V (curl(vel - base) - curl C t). It leaves the sums of |r| and the maxima of
 * |r| / V [1/T]. It reads vel and base with one halo layer beyond the low faces, and t with one halo layer at
 * faces and edges. */
kol_status curl_residual(struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                         real *const base[3], real *const t[3], real *const r[3]);

/* curl_apply: computes q = V curl C t, and leaves the sums of d q. It reads t with one halo layer at faces
 * and edges, and the own points of d. d may be t. */
kol_status curl_apply(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                      real *const t[3], real *const d[3], real *const q[3]);

/* curl_jacobi: divides r by the diagonal of V curl (I + beta curl C) C; z is the result. It leaves the sums
 * of r z and the maxima of |r| / V. */
kol_status curl_jacobi(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg, real beta,
                       real *const r[3], real *const z[3]);

/* curl_dot: leaves the sums of r z over the three components. */
kol_status curl_dot(struct box b, struct blocks bl, const struct cg_state *cg, real *const r[3],
                    real *const z[3]);

/* curl_direction: computes d = z + cg->beta d at own points. If beta is 0, d is not read. */
kol_status curl_direction(struct box b, const struct cg_state *cg, real *const z[3], real *const d[3]);

/* curl_update: adds cg->alpha d to s and subtracts cg->alpha q from r, at own points. It leaves the sums of
 * |r| and the maxima of |r| / V. */
kol_status curl_update(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                       real *const d[3], real *const q[3], real *const s[3], real *const r[3]);

KOL_END_C

#endif
