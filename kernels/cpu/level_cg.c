/* The sweeps of conjugate gradients on the first level, and the correction by what they found. */
#include "../level_cg.h"
#include "../point/body.h"
#include "../point/projection.h"
#include "../point/update.h"
#include "correct_limits.h"
#include "level_rows.h"
#include "rows.h"
#include "wave_row.h"

/* The operator of the level on one row, times z, with the sums of level_products(). */
ROW_LOOP products_loop(int first, int end, int ends, struct box b, struct level_stencil s, struct blocks bl,
                       int j, struct level_plane h, struct around_row a, ptrdiff_t o, const int masked,
                       const level_real *KOL_RESTRICT r)
{
    double *KOL_RESTRICT rz = rows_of(bl, b, 0), *KOL_RESTRICT energy = rows_of(bl, b, 1),
                         *KOL_RESTRICT mean = rows_of(bl, b, 2);
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const struct level_column c = column_of(s, masked, i, j, o + i);
        const struct level_plane p = plane_of(s, masked, h, o + i);
        const level_real az = apply(s, c, p, a, i, ends), z = a.c[i], volume = c.area * h.w;
        rz[i] = (double)r[i] * z;
        energy[i] = (double)az * z;
        mean[i] = (double)volume * z;
    }
}

/* The same with those of level_reduce(). */
ROW_LOOP reduce_loop(int first, int end, int ends, struct box b, struct level_stencil s, struct blocks bl,
                     int j, struct level_plane h, struct around_row a, ptrdiff_t o, const int masked,
                     level_real alpha, level_real *r, const int keep)
{
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT big = rows_of(bl, b, 1);
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const struct level_column c = column_of(s, masked, i, j, o + i);
        const struct level_plane p = plane_of(s, masked, h, o + i);
        const level_real q = r[i] - alpha * apply(s, c, p, a, i, ends), part = q / (c.area * h.w);
        const double size = part;
        if (keep) r[i] = q;
        sum[i] = q;
        big[i] = size < 0 ? -size : size;
    }
}

/* row: a row of a sweep. alpha is not used, and r not written, by level_products(). */
struct row {
    enum { PRODUCTS, REDUCED, KEPT } kind;
    level_real alpha;
    const level_real *z;
    level_real *r;
};

/* Each loop has a function of its own: gcc 12 makes no vector instructions of three such loops in one. */
#define ROW_FUNCTION(name, loop, masked, ...)                                                                \
    __attribute__((noinline)) static void name(struct box b, struct level_stencil s, struct blocks bl,       \
                                               int j, struct level_plane h, struct around_row a,             \
                                               ptrdiff_t o, struct row w, level_real *r)                     \
    {                                                                                                        \
        (void)w;                                                                                             \
        FOR_PARTS_OF_ROW(b.nx, passes_both_ends(s, b.nx), loop, b, s, bl, j, h, a, o, masked, __VA_ARGS__);  \
    }
ROW_FUNCTION(products_row, products_loop, PLAIN, r)
ROW_FUNCTION(reduce_row, reduce_loop, PLAIN, w.alpha, r, 0)
ROW_FUNCTION(keep_row, reduce_loop, PLAIN, w.alpha, r, 1)
ROW_FUNCTION(products_row_open, products_loop, BITS, r)
ROW_FUNCTION(reduce_row_open, reduce_loop, BITS, w.alpha, r, 0)
ROW_FUNCTION(keep_row_open, reduce_loop, BITS, w.alpha, r, 1)

static void row_sweep(struct box b, struct level_stencil s, struct blocks bl, int j, int k, struct row w)
{
    const struct level_plane h = point_level_plane(s, k);
    const struct around_row a = around_row(b, s, j, k, w.z);
    const ptrdiff_t o = at(b, 0, j, k);
    level_real *r = w.r + o;
    if (s.open != NULL) {
        if (w.kind == PRODUCTS) products_row_open(b, s, bl, j, h, a, o, w, r);
        else if (w.kind == KEPT) keep_row_open(b, s, bl, j, h, a, o, w, r);
        else reduce_row_open(b, s, bl, j, h, a, o, w, r);
    } else {
        if (w.kind == PRODUCTS) products_row(b, s, bl, j, h, a, o, w, r);
        else if (w.kind == KEPT) keep_row(b, s, bl, j, h, a, o, w, r);
        else reduce_row(b, s, bl, j, h, a, o, w, r);
    }
}

static kol_status sweep(struct box b, struct level_stencil s, struct blocks bl, struct cells cells,
                        struct row w)
{
    const int sums = w.kind == PRODUCTS ? 3 : 1, maxima = w.kind == PRODUCTS ? 0 : 1;
    if (s.faces != NULL) RAISE(KOL_ERR_INTERNAL, "conjugate gradients: the first level has no words");
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, sums + maxima);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    row_sweep(b, s, bl, j, k, w);
                    for (int q = 0; q < sums; ++q) lanes_row_sum(bl, lanes_of(bl, q, by), rows_of(bl, b, q));
                    if (maxima > 0) lanes_row_max(bl, lanes_of(bl, sums, by), rows_of(bl, b, sums));
                }
            }
        }
        lanes_flush(bl, sums, maxima, bz);
    }
    return KOL_OK;
}

kol_status level_products(struct box lb, struct level_stencil s, struct blocks bl, struct cells cells,
                          const level_real *r, const level_real *z)
{
    return sweep(lb, s, bl, cells, (struct row){PRODUCTS, 0, z, (level_real *)r}); /* r is not written */
}

kol_status level_reduce(struct box lb, struct level_stencil s, struct blocks bl, struct cells cells,
                        level_real alpha, int keep, const level_real *d, level_real *r)
{
    return sweep(lb, s, bl, cells, (struct row){keep ? KEPT : REDUCED, alpha, d, r});
}

kol_status level_turn(struct box lb, int first, level_real alpha, level_real beta, const level_real *z,
                      level_real *d, level_real *x)
{
    for (int k = 0; k < lb.nz; ++k) {
        for (int j = 0; j < lb.ny; ++j) {
            const ptrdiff_t o = at(lb, 0, j, k);
            const level_real *KOL_RESTRICT from = z + o;
            level_real *KOL_RESTRICT to = d + o, *KOL_RESTRICT sum = x + o;
            for (int i = 0; i < lb.nx; ++i) {
                const level_real before = to[i];
                sum[i] = (first ? 0 : sum[i]) + alpha * before;
                to[i] = from[i] + beta * before;
            }
        }
    }
    return KOL_OK;
}

/* phi at one place. */
__attribute__((always_inline)) static inline real phi_at(double a, const level_real *d, double c,
                                                         const level_real *x, ptrdiff_t o, const int two)
{
    const real one = (real)a * (real)d[o];
    return two ? one + (real)c * (real)x[o] : one;
}

/* The values of the row that are read: at the cells, and below them in each direction. Across a wall the
 * gradient is multiplied by 0; the own value stands for the one beyond. */
ROW_LOOP correct_loop(int first, int end, int ends, struct stencil s, struct correction a, int j, int k,
                      struct level_sum f, ptrdiff_t l, const unsigned char *KOL_RESTRICT open,
                      const real *p_old, real *p, real *KOL_RESTRICT u, real *KOL_RESTRICT v,
                      real *KOL_RESTRICT w, const int two, const int pressure, const int masked)
{
    const real u_shift = point_shift(a.shift[X], a.profile, k),
               v_shift = point_shift(a.shift[Y], a.profile, k);
    const ptrdiff_t y_low = s.gy[j] != 0 ? f.box.sy : 0, z_low = s.gz[k] != 0 ? f.box.sz : 0;
    const level_real *KOL_RESTRICT d = f.d + l, *KOL_RESTRICT x = two ? f.x + l : NULL;
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const real c = phi_at(f.a, d, f.c, x, i, two), south = phi_at(f.a, d, f.c, x, i - y_low, two),
                   below = phi_at(f.a, d, f.c, x, i - z_low, two);
        const real west = !ends || s.gx[i] != 0 ? phi_at(f.a, d, f.c, x, i - 1, two) : c;
        const real new_u = point_correct(u[i] + u_shift, a.dts, c, west, s.gx[i]),
                   new_v = point_correct(v[i] + v_shift, a.dts, c, south, s.gy[j]),
                   new_w = point_correct(w[i] + a.shift[Z], a.dts, c, below, s.gz[k]);
        u[i] = !masked || point_body_open(open[i], X) ? new_u : u[i];
        v[i] = !masked || point_body_open(open[i], Y) ? new_v : v[i];
        w[i] = !masked || point_body_open(open[i], Z) ? new_w : w[i];
    }
    if (!pressure) return; /* a loop of its own: gcc 12 makes no vector instructions of both in one */
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const real new_p = p_old[i] + (phi_at(f.a, d, f.c, x, i, two) - a.mean);
        p[i] = !masked || open[i] != 0 ? new_p : 0;
    }
}

kol_status level_add(struct box b, struct level_sum phi, real *x)
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t l = at(phi.box, 0, j, k);
            real *KOL_RESTRICT to = x + at(b, 0, j, k);
            for (int i = 0; i < b.nx; ++i) to[i] += phi_at(phi.a, phi.d, phi.c, phi.x, l + i, phi.x != NULL);
        }
    }
    return KOL_OK;
}

/* sum_rows: a correction by a sum. */
struct sum_rows {
    struct box b;
    struct stencil s;
    struct correction c;
    struct level_sum phi;
    const real *p_old;
    real *p;
};

ROW_LOOP correct_row(const struct sum_rows *r, int j, int k, real *const vel[3], const int two,
                     const int pressure, const int masked)
{
    const ptrdiff_t o = at(r->b, 0, j, k), l = at(r->phi.box, 0, j, k);
    FOR_PARTS_OF_ROW(r->b.nx, r->s.gx[0] != 0, correct_loop, r->s, r->c, j, k, r->phi, l,
                     masked ? r->s.open + o : NULL, pressure ? r->p_old + o : NULL,
                     pressure ? r->p + o : NULL, vel[X] + o, vel[Y] + o, vel[Z] + o, two, pressure, masked);
}

/* Each in a function of its own, as above. */
#define CORRECT_FUNCTION(name, two, pressure, masked)                                                        \
    __attribute__((noinline)) static void name(const void *of, int j, int k, real *const vel[3])             \
    {                                                                                                        \
        correct_row(of, j, k, vel, two, pressure, masked);                                                   \
    }
CORRECT_FUNCTION(correct_two, 1, 1, 0)
CORRECT_FUNCTION(correct_two_velocity, 1, 0, 0)
CORRECT_FUNCTION(correct_one, 0, 1, 0)
CORRECT_FUNCTION(correct_one_velocity, 0, 0, 0)
CORRECT_FUNCTION(correct_two_open, 1, 1, 1)
CORRECT_FUNCTION(correct_one_open, 0, 1, 1)

static void (*correct_function(const struct sum_rows *r))(const void *of, int j, int k, real *const vel[3])
{
    if (r->s.open != NULL) return r->phi.x != NULL ? correct_two_open : correct_one_open;
    if (r->p != NULL) return r->phi.x != NULL ? correct_two : correct_one;
    return r->phi.x != NULL ? correct_two_velocity : correct_one_velocity;
}

kol_status project_correct_single(struct box b, struct stencil s, struct correction c, struct level_sum phi,
                                  const real *p_old, real *p, real *u, real *v, real *w)
{
    const struct sum_rows r = {b, s, c, phi, p_old, p};
    void (*const row)(const void *of, int j, int k, real *const vel[3]) = correct_function(&r);
    real *const vel[3] = {u, v, w};
    if (c.factor != 0) RAISE(KOL_ERR_INTERNAL, "project_correct_single: not with implicit diffusion");
    if (s.open != NULL && (p == NULL || c.waves.row != NULL))
        RAISE(KOL_ERR_INTERNAL, "project_correct_single: with bodies there is a pressure, and no waves");
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) {
            for (int d = X; d <= Z; ++d) wave_row(b, c.waves, d, j, k, vel[d]);
            row(&r, j, k, vel);
        }
    return KOL_OK;
}

kol_status project_pressure_beyond(struct box b, const unsigned char *open, real mean, unsigned faces,
                                   struct level_sum phi, const real *p_old, real *p)
{
    for (int d = X; d <= Z; ++d) {
        const int n[3] = {d == X ? 0 : b.nx, d == Y ? 0 : b.ny, d == Z ? 0 : b.nz};
        const int first[3] = {d == X ? -1 : 0, d == Y ? -1 : 0, d == Z ? -1 : 0};
        if (!(faces >> (2 * d) & 1u)) continue;
        for (int k = first[Z]; k < n[Z]; ++k)
            for (int j = first[Y]; j < n[Y]; ++j)
                for (int i = first[X]; i < n[X]; ++i) {
                    const ptrdiff_t o = at(b, i, j, k);
                    const real c = phi_at(phi.a, phi.d, phi.c, phi.x, at(phi.box, i, j, k), phi.x != NULL);
                    p[o] = open == NULL || open[o] != 0 ? p_old[o] + (c - mean) : 0;
                }
    }
    return KOL_OK;
}

static real sum_phi(const void *of, int i, int j, int k)
{
    const struct level_sum phi = ((const struct sum_rows *)of)->phi;
    return phi_at(phi.a, phi.d, phi.c, phi.x, at(phi.box, i, j, k), phi.x != NULL);
}

kol_status project_correct_limits_single(const struct last_correction *a, struct level_sum phi)
{
    const struct sum_rows r = {a->b, a->s, a->c, phi, a->p_old, a->p};
    if (a->c.factor != 0)
        RAISE(KOL_ERR_INTERNAL, "project_correct_limits_single: not with implicit diffusion");
    return correct_limits_sweep(a, (struct correct_rows){correct_function(&r), sum_phi, &r, 1});
}
