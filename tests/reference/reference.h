/* Slow plain versions of every kernel operator, against which the fast code is tested. They share nothing
 * with it:
 *
 *   - fields are flat periodic arrays of the whole grid, without halo; indices wrap by modulo;
 *   - spacings are computed here, from face coordinates;
 *   - numbers are double also if the code under test is built in single precision.
 *
 * Value (i, j, k) of a field is q[(k*ny + j)*nx + i] = q[ref_index(g, i, j, k)]. Units and locations are
 * those of the kernels' headers. Outputs must not overlap inputs, unless a comment allows it. If there is
 * not enough memory, the program ends. */
#ifndef KOL_TESTS_REFERENCE_H
#define KOL_TESTS_REFERENCE_H

#include <stddef.h>

enum ref_stretching { REF_UNIFORM, REF_TANH, REF_SINE };
enum ref_location { REF_CCC, REF_FCC, REF_CFC, REF_CCF };

/* ref_grid: the grid. For each direction d it has face[d][0 .. n[d]], centre[d], and the spacings [L]:
 * dc[d][i] is the width of cell i, and df[d][i] the distance of the centres i-1 and i, over the periodic
 * boundary for i = 0. */
struct ref_grid {
    int n[3];
    double *face[3], *centre[3], *dc[3], *df[3];
};

/* ref_system: the symmetric operator of kernels/base/types.h at one location,
 *     (A x)_i = shift V x_i + scale sum over six faces of area / distance * (x_i - x_neighbour). */
struct ref_system {
    enum ref_location location;
    double shift, scale;
};

struct ref_poly {
    double c0, c1;
};

/* What a kernel returns through its partial sums, over the whole grid. */
struct ref_monitored {
    double energy, dissipation, enstrophy, momentum[3]; /* sums over the volume, dissipation without nu */
    double div_max, courant, speed;
};
struct ref_rhs_sums {
    double sum, sum_abs, div_max; /* of rhs, of |rhs|; max |div u| */
};
struct ref_residual_sums {
    double sum_r, sum_vx, r_max; /* of r, of V x; max |r| / V */
};
struct ref_update_sums {
    double rz, r_max; /* sum of r z; max |r| / V */
};

/* Functions of the grid. ref_faces: computes face[0 .. n]. With s = i/n they are origin + L s (uniform),
 * origin + L (s - f sin(2 pi s) / (2 pi)) (sine), and origin + L (1 + tanh(f (2s-1)) / tanh f) / 2 (tanh). */
void ref_faces(enum ref_stretching kind, int n, double origin, double length, double factor, double *face);
void ref_grid_create(const int n[3], double *const face[3], struct ref_grid *g);
void ref_grid_destroy(struct ref_grid *g);
ptrdiff_t ref_count(const struct ref_grid *g);
ptrdiff_t ref_index(const struct ref_grid *g, int i, int j, int k); /* any integers: wraps */
double ref_volume(const struct ref_grid *g, enum ref_location location, int i, int j, int k);
double *ref_new(const struct ref_grid *g); /* a field of zeros; free() it */

/* The operators of momentum.h. A stage is ref_momentum_rhs and then ref_predict.
 *
 * ref_predict: computes vel = base + a rhs + a_old rhs_old - dts grad p. rhs and rhs_old may be NULL; vel
 * may be base. ref_laplacian: computes y = lap x. ref_diffuse: adds factor lap x to y. */
void ref_momentum_rhs(const struct ref_grid *g, double nu, double *const vel[3], double *const rhs[3]);
/* ref_turn: subtracts turn x vel from rhs, cell by cell. */
void ref_turn(const struct ref_grid *g, const double turn[3], double *const vel[3], double *const rhs[3]);
void ref_predict(const struct ref_grid *g, double *const base[3], double *const rhs[3],
                 double *const rhs_old[3], double a, double a_old, double dts, const double *p,
                 double *const vel[3]);
void ref_laplacian(const struct ref_grid *g, enum ref_location location, const double *x, double *y);
void ref_diffuse(const struct ref_grid *g, enum ref_location location, double factor, const double *x,
                 double *y);
/* ref_diffuse_z: adds factor d2x/dz2 to y, from the coordinates of the points. */
void ref_diffuse_z(const struct ref_grid *g, enum ref_location location, double factor, const double *x,
                   double *y);

/* The operators of projection.h. ref_divergence: computes div = div u. ref_rhs: computes rhs = -V div u /
 * dts. ref_pressure: computes p = p_old + phi - mean - factor lap phi; p may be p_old. */
void ref_divergence(const struct ref_grid *g, double *const vel[3], double *div);
struct ref_rhs_sums ref_rhs(const struct ref_grid *g, double dts, double *const vel[3], double *rhs);
void ref_correct(const struct ref_grid *g, double dts, const double *phi, double *const vel[3]);
void ref_pressure(const struct ref_grid *g, double mean, double factor, const double *phi,
                  const double *p_old, double *p);
struct ref_monitored ref_monitor(const struct ref_grid *g, double *const vel[3]);

/* The operator of update.h. Arrays whose coefficient is 0 may be NULL. */
void ref_combine(const struct ref_grid *g, const double c[2], double *const p[2], double *y);

/* The operators of laplace.h.
 *
 * ref_operator: computes y = A x, by loops over pairs of neighbours.
 *
 * ref_poly1 and ref_chebyshev_step: multiply by A as a dense matrix, so they are for small grids. ref_poly1
 * computes z = c0 y + c1 (I - A/D) y with y = r / D. ref_chebyshev_step computes z_next = z + momentum (z -
 * z_prev) + step (r - A z) / D; z_next may be z_prev or z.
 *
 * ref_residual: computes r = rhs - A x. r may be rhs.
 *
 * ref_direction: computes d_new = z + beta d, and returns the sum of d_new A d_new. If beta = 0, d is not
 * read.
 *
 * ref_update: adds alpha d to x, subtracts alpha A d from r, and applies the polynomial to r; z is the
 * result. ref_start: only applies the polynomial.
 *
 * ref_solve: solves A x = rhs by Gaussian elimination. x may be rhs. If shift = 0, the sum of rhs must be
 * zero, and the sum of V x is zero. */
void ref_operator(const struct ref_grid *g, struct ref_system s, const double *x, double *y);
/* ref_open_operator: computes y = A x at cell centres, with shift 0 and scale 1, where faces may be closed,
 * and the diagonal of A. open[3 n + d] says whether the lower face of cell n in direction d is open. */
void ref_open_operator(const struct ref_grid *g, const unsigned char *open, const double *x, double *y,
                       double *diag);
struct ref_residual_sums ref_residual(const struct ref_grid *g, struct ref_system s, const double *rhs,
                                      const double *x, double *r);
double ref_direction(const struct ref_grid *g, struct ref_system s, double beta, const double *z,
                     const double *d, double *d_new);
void ref_poly1(const struct ref_grid *g, struct ref_system s, struct ref_poly poly, const double *r,
               double *z);
struct ref_update_sums ref_start(const struct ref_grid *g, struct ref_system s, struct ref_poly poly,
                                 const double *r, double *z);
struct ref_update_sums ref_update(const struct ref_grid *g, struct ref_system s, double alpha,
                                  const double *d, struct ref_poly poly, double *x, double *r, double *z);
double ref_chebyshev_step(const struct ref_grid *g, struct ref_system s, double momentum, double step,
                          const double *r, const double *z, const double *z_prev, double *z_next);
void ref_solve(const struct ref_grid *g, struct ref_system s, const double *rhs, double *x);

#endif
