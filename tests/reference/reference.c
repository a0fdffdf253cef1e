/* The operators are written as sums over links: a link joins two neighbouring values across one face, and
 * what leaves one side enters the other. So conservation and symmetry come from the shape of the loops,
 * and a fast version that gathers point by point shares no expression with them. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *new_memory(ptrdiff_t count, size_t bytes)
{
    void *memory = calloc((size_t)count, bytes);
    if (!memory) {
        fprintf(stderr, "reference: no memory for %td values\n", count);
        abort();
    }
    return memory;
}

void ref_faces(enum ref_stretching kind, int n, double origin, double length, double factor, double *face)
{
    const double two_pi = 2.0 * acos(-1.0);
    for (int i = 0; i <= n; ++i) {
        const double s = (double)i / n;
        double share = s;
        if (kind == REF_TANH) share = (1.0 + tanh(factor * (2.0 * s - 1.0)) / tanh(factor)) / 2.0;
        if (kind == REF_SINE) share = s - factor * sin(two_pi * s) / two_pi;
        face[i] = origin + length * share;
    }
}

void ref_grid_create(const int n[3], double *const face[3], struct ref_grid *g)
{
    for (int d = 0; d < 3; ++d) {
        const int m = n[d];
        const double length = face[d][m] - face[d][0];
        g->n[d] = m;
        g->face[d] = new_memory(m + 1, sizeof(double));
        g->centre[d] = new_memory(m, sizeof(double));
        g->dc[d] = new_memory(m, sizeof(double));
        g->df[d] = new_memory(m, sizeof(double));
        memcpy(g->face[d], face[d], (size_t)(m + 1) * sizeof(double));
        for (int i = 0; i < m; ++i) {
            g->centre[d][i] = 0.5 * (face[d][i] + face[d][i + 1]);
            g->dc[d][i] = face[d][i + 1] - face[d][i];
        }
        for (int i = 0; i < m; ++i) {
            const double below = i > 0 ? g->centre[d][i - 1] : g->centre[d][m - 1] - length;
            g->df[d][i] = g->centre[d][i] - below;
        }
    }
}

void ref_grid_destroy(struct ref_grid *g)
{
    for (int d = 0; d < 3; ++d) {
        double **const array[4] = {&g->face[d], &g->centre[d], &g->dc[d], &g->df[d]};
        for (int m = 0; m < 4; ++m) {
            free(*array[m]);
            *array[m] = NULL;
        }
    }
}

ptrdiff_t ref_count(const struct ref_grid *g)
{
    return (ptrdiff_t)g->n[0] * g->n[1] * g->n[2];
}

static int wrap(int i, int n)
{
    return ((i % n) + n) % n;
}

ptrdiff_t ref_index(const struct ref_grid *g, int i, int j, int k)
{
    return ((ptrdiff_t)wrap(k, g->n[2]) * g->n[1] + wrap(j, g->n[1])) * g->n[0] + wrap(i, g->n[0]);
}

double *ref_new(const struct ref_grid *g)
{
    return new_memory(ref_count(g), sizeof(double));
}

/* point: one value of a field; shifted(p, d, s): its neighbour s further in direction d. */
struct point {
    int i[3];
};

static struct point point_of(const struct ref_grid *g, ptrdiff_t n)
{
    struct point p;
    p.i[0] = (int)(n % g->n[0]);
    p.i[1] = (int)(n / g->n[0] % g->n[1]);
    p.i[2] = (int)(n / g->n[0] / g->n[1]);
    return p;
}

static struct point shifted(const struct ref_grid *g, struct point p, int d, int s)
{
    p.i[d] = wrap(p.i[d] + s, g->n[d]);
    return p;
}

static ptrdiff_t place(const struct ref_grid *g, struct point p)
{
    return ref_index(g, p.i[0], p.i[1], p.i[2]);
}

static const enum ref_location component_location[3] = {REF_FCC, REF_CFC, REF_CCF};

static int on_face(enum ref_location location, int d)
{
    return location == component_location[d];
}

/* Return the width in direction d of the volume round a point, and the distance to the next lower point.
 * The volume of a point on a face reaches from centre to centre; faces i-1 and i are the ends of cell i-1. */
static double width(const struct ref_grid *g, enum ref_location location, int d, struct point p)
{
    return on_face(location, d) ? g->df[d][p.i[d]] : g->dc[d][p.i[d]];
}

static double distance(const struct ref_grid *g, enum ref_location location, int d, struct point p)
{
    return on_face(location, d) ? g->dc[d][shifted(g, p, d, -1).i[d]] : g->df[d][p.i[d]];
}

/* Area of the face between a point and the one lower in direction d: the other two widths. */
static double area(const struct ref_grid *g, enum ref_location location, int d, struct point p)
{
    return width(g, location, (d + 1) % 3, p) * width(g, location, (d + 2) % 3, p);
}

static double volume_at(const struct ref_grid *g, enum ref_location location, struct point p)
{
    return width(g, location, 0, p) * width(g, location, 1, p) * width(g, location, 2, p);
}

double ref_volume(const struct ref_grid *g, enum ref_location location, int i, int j, int k)
{
    return volume_at(g, location, point_of(g, ref_index(g, i, j, k)));
}

/* Volume flux through the lower face of cell p in direction d. */
static double cell_flux(const struct ref_grid *g, double *const vel[3], int d, struct point p)
{
    return vel[d][place(g, p)] * area(g, REF_CCC, d, p);
}

/* Convection and diffusion of component a, link by link. The link in direction d between the volumes of
 * velocity points p - e_d and p crosses a face half of which borders on each of two cell faces: those of
 * direction d one cell apart along a, which are p - e_a and p for every pair (a, d), a = d included. */
static void advance_component(const struct ref_grid *g, double nu, double *const vel[3], int a, double *rhs)
{
    const enum ref_location location = component_location[a];
    const ptrdiff_t count = ref_count(g);
    memset(rhs, 0, (size_t)count * sizeof *rhs);
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t n = 0; n < count; ++n) {
            const struct point p = point_of(g, n);
            const ptrdiff_t low = place(g, shifted(g, p, d, -1));
            const double flux = 0.5 * (cell_flux(g, vel, d, shifted(g, p, a, -1)) + cell_flux(g, vel, d, p));
            const double carried = flux * 0.5 * (vel[a][low] + vel[a][n]);
            const double step = vel[a][n] - vel[a][low];
            const double diffused = nu * area(g, location, d, p) * step / distance(g, location, d, p);
            rhs[low] += diffused - carried;
            rhs[n] -= diffused - carried;
        }
    }
    for (ptrdiff_t n = 0; n < count; ++n) rhs[n] /= volume_at(g, location, point_of(g, n));
}

void ref_momentum_rhs(const struct ref_grid *g, double nu, double *const vel[3], double *const rhs[3])
{
    for (int a = 0; a < 3; ++a) advance_component(g, nu, vel, a, rhs[a]);
}

/* The velocity in a cell is the mean of its two faces in each component. The force that follows from it is
 * multiplied by the volume of the cell, and each of the two faces gets half of it. */
void ref_turn(const struct ref_grid *g, const double turn[3], double *const vel[3], double *const rhs[3])
{
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        const struct point p = point_of(g, n);
        const double volume = volume_at(g, REF_CCC, p);
        double mean[3];
        for (int d = 0; d < 3; ++d) mean[d] = 0.5 * (vel[d][n] + vel[d][place(g, shifted(g, p, d, 1))]);
        for (int d = 0; d < 3; ++d) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            const double force = -(turn[e] * mean[f] - turn[f] * mean[e]);
            const struct point face[2] = {p, shifted(g, p, d, 1)};
            for (int side = 0; side < 2; ++side)
                rhs[d][place(g, face[side])] +=
                    0.5 * volume * force / volume_at(g, component_location[d], face[side]);
        }
    }
}

void ref_laplacian(const struct ref_grid *g, enum ref_location location, const double *x, double *y)
{
    const struct ref_system minus_laplacian = {location, 0.0, 1.0};
    ref_operator(g, minus_laplacian, x, y);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) y[n] /= -volume_at(g, location, point_of(g, n));
}

void ref_diffuse(const struct ref_grid *g, enum ref_location location, double factor, const double *x,
                 double *y)
{
    double *lap = ref_new(g);
    ref_laplacian(g, location, x, lap);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) y[n] += factor * lap[n];
    free(lap);
}

/* Each point gives its upper neighbour what flows between them, per area, and both divide by their widths. */
void ref_diffuse_z(const struct ref_grid *g, enum ref_location location, double factor, const double *x,
                   double *y)
{
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        const struct point p = point_of(g, n), up = shifted(g, p, 2, 1);
        const double flow = factor * (x[n] - x[place(g, up)]) / distance(g, location, 2, up);
        y[n] -= flow / width(g, location, 2, p);
        y[place(g, up)] += flow / width(g, location, 2, up);
    }
}

/* Net outflow of each cell: each face adds to the cell below it and takes from the cell above it. */
static void outflow(const struct ref_grid *g, double *const vel[3], double *out)
{
    memset(out, 0, (size_t)ref_count(g) * sizeof *out);
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
            const struct point p = point_of(g, n);
            const double flux = cell_flux(g, vel, d, p);
            out[place(g, shifted(g, p, d, -1))] += flux;
            out[n] -= flux;
        }
    }
}

void ref_divergence(const struct ref_grid *g, double *const vel[3], double *div)
{
    outflow(g, vel, div);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) div[n] /= volume_at(g, REF_CCC, point_of(g, n));
}

struct ref_rhs_sums ref_rhs(const struct ref_grid *g, double dts, double *const vel[3], double *rhs)
{
    struct ref_rhs_sums sums = {0.0, 0.0, 0.0};
    long double sum = 0.0L, sum_abs = 0.0L;
    outflow(g, vel, rhs);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        sums.div_max = fmax(sums.div_max, fabs(rhs[n]) / volume_at(g, REF_CCC, point_of(g, n)));
        rhs[n] = -rhs[n] / dts;
        sum += rhs[n];
        sum_abs += fabs(rhs[n]);
    }
    sums.sum = (double)sum;
    sums.sum_abs = (double)sum_abs;
    return sums;
}

/* Computes the gradient as minus the transpose of the divergence, V_face grad = -D^T (p). The pressure of
 * each cell times the area counts once for its low face, and once with the other sign for its high face. */
/* grad p at the faces. */
static void gradient(const struct ref_grid *g, const double *p, double *const grad[3])
{
    for (int d = 0; d < 3; ++d) {
        memset(grad[d], 0, (size_t)ref_count(g) * sizeof *grad[d]);
        for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
            const struct point cell = point_of(g, n);
            const double force = p[n] * area(g, REF_CCC, d, cell);
            grad[d][n] += force;
            grad[d][place(g, shifted(g, cell, d, 1))] -= force;
        }
        for (ptrdiff_t n = 0; n < ref_count(g); ++n)
            grad[d][n] /= volume_at(g, component_location[d], point_of(g, n));
    }
}

void ref_correct(const struct ref_grid *g, double dts, const double *phi, double *const vel[3])
{
    double *const base[3] = {vel[0], vel[1], vel[2]};
    ref_predict(g, base, NULL, NULL, 0.0, 0.0, dts, phi, vel);
}

void ref_pressure(const struct ref_grid *g, double mean, double factor, const double *phi,
                  const double *p_old, double *p)
{
    double *change = ref_new(g);
    memcpy(change, phi, (size_t)ref_count(g) * sizeof *change);
    ref_diffuse(g, REF_CCC, -factor, phi, change);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) p[n] = p_old[n] + change[n] - mean;
    free(change);
}

/* Sums of V u^2 / 2 and V u, and the links' area / distance * difference^2, of one component. */
static void monitor_component(const struct ref_grid *g, double *const vel[3], int a,
                              struct ref_monitored *mon)
{
    const enum ref_location location = component_location[a];
    long double energy = 0.0L, momentum = 0.0L, dissipation = 0.0L;
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        const struct point p = point_of(g, n);
        const double v = volume_at(g, location, p), u = vel[a][n];
        energy += 0.5L * v * u * u;
        momentum += (long double)v * u;
        for (int d = 0; d < 3; ++d) {
            const double step = u - vel[a][place(g, shifted(g, p, d, -1))];
            dissipation += (long double)area(g, location, d, p) / distance(g, location, d, p) * step * step;
        }
        mon->speed = fmax(mon->speed, fabs(u));
    }
    mon->energy += (double)energy;
    mon->momentum[a] = (double)momentum;
    mon->dissipation += (double)dissipation;
}

/* Enstrophy of the edges along e by Stokes' theorem: the circulation round the edge, over the area in it. */
static double edge_enstrophy(const struct ref_grid *g, double *const vel[3], int e)
{
    const int a = (e + 1) % 3, b = (e + 2) % 3;
    long double sum = 0.0L;
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        const struct point p = point_of(g, n);
        const double length_a = g->df[a][p.i[a]], length_b = g->df[b][p.i[b]];
        const double circulation = vel[a][place(g, shifted(g, p, b, -1))] * length_a + vel[b][n] * length_b -
                                   vel[a][n] * length_a - vel[b][place(g, shifted(g, p, a, -1))] * length_b;
        sum += 0.5L * circulation * circulation / (length_a * length_b) * g->dc[e][p.i[e]];
    }
    return (double)sum;
}

struct ref_monitored ref_monitor(const struct ref_grid *g, double *const vel[3])
{
    struct ref_monitored mon = {0};
    double *div = ref_new(g);
    ref_divergence(g, vel, div);
    for (int d = 0; d < 3; ++d) {
        monitor_component(g, vel, d, &mon);
        mon.enstrophy += edge_enstrophy(g, vel, d);
    }
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        const struct point p = point_of(g, n);
        double courant = 0.0;
        for (int d = 0; d < 3; ++d) {
            const double high = fabs(vel[d][place(g, shifted(g, p, d, 1))]);
            courant += fmax(fabs(vel[d][n]), high) / g->dc[d][p.i[d]];
        }
        mon.courant = fmax(mon.courant, courant);
        mon.div_max = fmax(mon.div_max, fabs(div[n]));
    }
    free(div);
    return mon;
}

void ref_predict(const struct ref_grid *g, double *const base[3], double *const rhs[3],
                 double *const rhs_old[3], double a, double a_old, double dts, const double *p,
                 double *const vel[3])
{
    double *grad[3] = {ref_new(g), ref_new(g), ref_new(g)};
    gradient(g, p, grad);
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
            const double newer = rhs ? a * rhs[d][n] : 0.0;
            const double older = rhs_old ? a_old * rhs_old[d][n] : 0.0;
            vel[d][n] = base[d][n] + newer + older - dts * grad[d][n];
        }
        free(grad[d]);
    }
}

void ref_combine(const struct ref_grid *g, const double c[2], double *const p[2], double *y)
{
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        double sum = 0;
        for (int m = 0; m < 2; ++m)
            if (c[m] != 0.0) sum += c[m] * p[m][n];
        y[n] = sum;
    }
}

void ref_open_operator(const struct ref_grid *g, const unsigned char *open, const double *x, double *y,
                       double *diag)
{
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) y[n] = diag[n] = 0;
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
            const struct point p = point_of(g, n);
            const ptrdiff_t low = place(g, shifted(g, p, d, -1));
            if (!open[3 * n + d]) continue;
            const double link = area(g, REF_CCC, d, p) / distance(g, REF_CCC, d, p);
            y[n] += link * (x[n] - x[low]);
            y[low] += link * (x[low] - x[n]);
            diag[n] += link;
            diag[low] += link;
        }
    }
}

void ref_operator(const struct ref_grid *g, struct ref_system s, const double *x, double *y)
{
    for (ptrdiff_t n = 0; n < ref_count(g); ++n)
        y[n] = s.shift * volume_at(g, s.location, point_of(g, n)) * x[n];
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
            const struct point p = point_of(g, n);
            const ptrdiff_t low = place(g, shifted(g, p, d, -1));
            const double flux =
                s.scale * area(g, s.location, d, p) * (x[n] - x[low]) / distance(g, s.location, d, p);
            y[n] += flux;
            y[low] -= flux;
        }
    }
}

/* A, row by row; free() it. */
static double *dense_matrix(const struct ref_grid *g, struct ref_system s)
{
    const ptrdiff_t count = ref_count(g);
    double *matrix = new_memory(count * count, sizeof *matrix);
    for (ptrdiff_t n = 0; n < count; ++n) {
        const struct point p = point_of(g, n);
        matrix[n * count + n] += s.shift * volume_at(g, s.location, p);
        for (int d = 0; d < 3; ++d) {
            const ptrdiff_t low = place(g, shifted(g, p, d, -1));
            const double link = s.scale * area(g, s.location, d, p) / distance(g, s.location, d, p);
            matrix[n * count + n] += link;
            matrix[low * count + low] += link;
            matrix[n * count + low] -= link;
            matrix[low * count + n] -= link;
        }
    }
    return matrix;
}

static double dot(ptrdiff_t count, const double *x, const double *y)
{
    long double sum = 0.0L;
    for (ptrdiff_t n = 0; n < count; ++n) sum += (long double)x[n] * y[n];
    return (double)sum;
}

static void multiply(const double *matrix, ptrdiff_t count, const double *x, double *y)
{
    for (ptrdiff_t n = 0; n < count; ++n) y[n] = dot(count, matrix + n * count, x);
}

struct ref_residual_sums ref_residual(const struct ref_grid *g, struct ref_system s, const double *rhs,
                                      const double *x, double *r)
{
    struct ref_residual_sums sums = {0.0, 0.0, 0.0};
    long double sum_r = 0.0L, sum_vx = 0.0L;
    double *ax = ref_new(g);
    ref_operator(g, s, x, ax);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        const double v = volume_at(g, s.location, point_of(g, n));
        r[n] = rhs[n] - ax[n];
        sum_r += r[n];
        sum_vx += (long double)v * x[n];
        sums.r_max = fmax(sums.r_max, fabs(r[n]) / v);
    }
    free(ax);
    sums.sum_r = (double)sum_r;
    sums.sum_vx = (double)sum_vx;
    return sums;
}

double ref_direction(const struct ref_grid *g, struct ref_system s, double beta, const double *z,
                     const double *d, double *d_new)
{
    double *q = ref_new(g);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) d_new[n] = beta == 0.0 ? z[n] : z[n] + beta * d[n];
    ref_operator(g, s, d_new, q);
    const double dq = dot(ref_count(g), d_new, q);
    free(q);
    return dq;
}

/* z = c0 y + c1 (I - A/D) y, y = r / D, with the dense matrix. */
void ref_poly1(const struct ref_grid *g, struct ref_system s, struct ref_poly poly, const double *r,
               double *z)
{
    const ptrdiff_t count = ref_count(g);
    double *matrix = dense_matrix(g, s), *y = ref_new(g), *ay = ref_new(g);
    for (ptrdiff_t n = 0; n < count; ++n) y[n] = r[n] / matrix[n * count + n];
    multiply(matrix, count, y, ay);
    for (ptrdiff_t n = 0; n < count; ++n)
        z[n] = poly.c0 * y[n] + poly.c1 * (y[n] - ay[n] / matrix[n * count + n]);
    free(matrix);
    free(y);
    free(ay);
}

struct ref_update_sums ref_start(const struct ref_grid *g, struct ref_system s, struct ref_poly poly,
                                 const double *r, double *z)
{
    struct ref_update_sums sums = {0.0, 0.0};
    ref_poly1(g, s, poly, r, z);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n)
        sums.r_max = fmax(sums.r_max, fabs(r[n]) / volume_at(g, s.location, point_of(g, n)));
    sums.rz = dot(ref_count(g), r, z);
    return sums;
}

struct ref_update_sums ref_update(const struct ref_grid *g, struct ref_system s, double alpha,
                                  const double *d, struct ref_poly poly, double *x, double *r, double *z)
{
    double *q = ref_new(g);
    ref_operator(g, s, d, q);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        x[n] += alpha * d[n];
        r[n] -= alpha * q[n];
    }
    free(q);
    return ref_start(g, s, poly, r, z);
}

double ref_chebyshev_step(const struct ref_grid *g, struct ref_system s, double momentum, double step,
                          const double *r, const double *z, const double *z_prev, double *z_next)
{
    const ptrdiff_t count = ref_count(g);
    double *matrix = dense_matrix(g, s), *az = ref_new(g), *next = ref_new(g);
    multiply(matrix, count, z, az);
    for (ptrdiff_t n = 0; n < count; ++n)
        next[n] = z[n] + momentum * (z[n] - z_prev[n]) + step * (r[n] - az[n]) / matrix[n * count + n];
    memcpy(z_next, next, (size_t)count * sizeof *next);
    free(matrix);
    free(az);
    free(next);
    return dot(count, r, z_next);
}

/* Elimination without pivoting: the matrix is symmetric and positive definite. Without shift the constant is
 * in its kernel; adding V V^T / sum V makes it definite and sets the sum of V x to the sum of rhs: zero. */
void ref_solve(const struct ref_grid *g, struct ref_system s, const double *rhs, double *x)
{
    const ptrdiff_t count = ref_count(g);
    double *matrix = dense_matrix(g, s), *v = ref_new(g), total = 0.0;
    for (ptrdiff_t n = 0; n < count; ++n) total += v[n] = volume_at(g, s.location, point_of(g, n));
    for (ptrdiff_t n = 0; s.shift == 0.0 && n < count; ++n)
        for (ptrdiff_t m = 0; m < count; ++m) matrix[n * count + m] += v[n] * v[m] / total;
    memmove(x, rhs, (size_t)count * sizeof *x);
    for (ptrdiff_t n = 0; n < count; ++n) {
        for (ptrdiff_t row = n + 1; row < count; ++row) {
            const double factor = matrix[row * count + n] / matrix[n * count + n];
            for (ptrdiff_t m = n; m < count; ++m) matrix[row * count + m] -= factor * matrix[n * count + m];
            x[row] -= factor * x[n];
        }
    }
    for (ptrdiff_t n = count - 1; n >= 0; --n) {
        for (ptrdiff_t m = n + 1; m < count; ++m) x[n] -= matrix[n * count + m] * x[m];
        x[n] /= matrix[n * count + n];
    }
    free(matrix);
    free(v);
}
