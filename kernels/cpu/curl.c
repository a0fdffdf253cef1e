/* Computes the discrete curl, and takes the steps of conjugate gradients on it for the exact fractional
 * step. */
#include "../curl.h"

#include "../point/curl.h"
#include "rows.h"

/* Loops over a row are written once, with a constant for the component. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

static int over(const struct cg_state *cg)
{
    return cg != NULL && cg->outcome != CG_RUNNING;
}

/* The direction `next` places after d in the cyclic order, and its stride. */
#define AFTER(d, next) (((d) + (next)) % 3)

__attribute__((always_inline)) static inline ptrdiff_t stride(struct box b, int d)
{
    return d == X ? 1 : d == Y ? b.sy : b.sz;
}

__attribute__((always_inline)) static inline struct curl_spacings spacings(struct metrics m, int i, int j,
                                                                           int k, const int d)
{
    return d == X   ? point_curl_spacings_x(m, i, j, k)
           : d == Y ? point_curl_spacings_y(m, i, j, k)
                    : point_curl_spacings_z(m, i, j, k);
}

__attribute__((always_inline)) static inline real curl_curl(struct box b, struct curl_spacings s,
                                                            const real *p, const real *a, const real *c,
                                                            ptrdiff_t o, const int d)
{
    return point_curl_curl(p, a, c, o, stride(b, d), stride(b, AFTER(d, 1)), stride(b, AFTER(d, 2)), s);
}

__attribute__((always_inline)) static inline real
vorticity(struct box b, struct curl_spacings s, const real *a, const real *c, ptrdiff_t o, const int d)
{
    return point_vorticity(a, c, o, stride(b, AFTER(d, 1)), stride(b, AFTER(d, 2)), s);
}

/* Calls LOOP(component, component's names ...) for each component. The components follow one another in
 * cyclic order. */
#define EACH(LOOP)                                                                                           \
    do {                                                                                                     \
        LOOP(X);                                                                                             \
        LOOP(Y);                                                                                             \
        LOOP(Z);                                                                                             \
    } while (0)

/* --- no sums --- */

ROW_LOOP velocity_loop(struct box b, struct metrics m, int j, int k, const real *KOL_RESTRICT a,
                       const real *KOL_RESTRICT c, const real *base, real *vel, const int d)
{
    const ptrdiff_t row = at(b, 0, j, k);
    const ptrdiff_t se = stride(b, AFTER(d, 1)), sf = stride(b, AFTER(d, 2));
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const real inverse[3] = {m.dxi_c[i], m.dyi_c[j], m.dzi_c[k]};
        const ptrdiff_t o = row + i;
        vel[o] = base[o] + point_curl_face(a, c, o, se, sf, inverse[AFTER(d, 1)], inverse[AFTER(d, 2)]);
    }
}

kol_status curl_velocity(struct box b, struct metrics m, real *const s[3], real *const base[3],
                         real *const vel[3])
{
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
#define LOOP(d) velocity_loop(b, m, j, k, s[AFTER(d, 1)], s[AFTER(d, 2)], base[d], vel[d], d)
            EACH(LOOP);
#undef LOOP
        }
    }
    return KOL_OK;
}

ROW_LOOP shift_loop(struct box b, struct metrics m, int j, int k, real beta, const real *KOL_RESTRICT p,
                    const real *KOL_RESTRICT a, const real *KOL_RESTRICT c, const real *KOL_RESTRICT ba,
                    const real *KOL_RESTRICT bc, real *KOL_RESTRICT t, const int d, const int with_base)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct curl_spacings w = spacings(m, i, j, k, d);
        real sum = curl_curl(b, w, p, a, c, row + i, d);
        if (with_base) sum += 2 * vorticity(b, w, ba, bc, row + i, d);
        t[row + i] = p[row + i] + beta * sum;
    }
}

kol_status curl_shift(struct box b, struct metrics m, const struct cg_state *cg, real beta, real *const s[3],
                      real *const *base, real *const t[3])
{
    if (over(cg)) return KOL_OK;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            if (base != NULL) {
#define LOOP(d)                                                                                              \
    shift_loop(b, m, j, k, beta, s[d], s[AFTER(d, 1)], s[AFTER(d, 2)], base[AFTER(d, 1)], base[AFTER(d, 2)], \
               t[d], d, 1)
                EACH(LOOP);
#undef LOOP
            } else {
#define LOOP(d) shift_loop(b, m, j, k, beta, s[d], s[AFTER(d, 1)], s[AFTER(d, 2)], NULL, NULL, t[d], d, 0)
                EACH(LOOP);
#undef LOOP
            }
        }
    }
    return KOL_OK;
}

ROW_LOOP direction_loop(struct box b, int j, int k, real beta, const real *KOL_RESTRICT z,
                        real *KOL_RESTRICT d)
{
    const ptrdiff_t o = at(b, 0, j, k);
    if (beta == 0) {
        for (int i = 0; i < b.nx; ++i) d[o + i] = z[o + i];
    } else {
        for (int i = 0; i < b.nx; ++i) d[o + i] = z[o + i] + beta * d[o + i];
    }
}

kol_status curl_direction(struct box b, const struct cg_state *cg, real *const z[3], real *const d[3])
{
    if (over(cg)) return KOL_OK;
    for (int c = X; c <= Z; ++c) {
        for (int k = 0; k < b.nz; ++k) {
            for (int j = 0; j < b.ny; ++j) direction_loop(b, j, k, (real)cg->beta, z[c], d[c]);
        }
    }
    return KOL_OK;
}

/* --- with sums: each component writes its terms into rows of its own --- */

/* Rows SUM + d hold the terms of the sum of component d, rows MOST + d those of the maximum. */
enum { SUM = 0, MOST = 3 };

ROW_LOOP residual_loop(struct box b, struct metrics m, struct blocks bl, int j, int k,
                       const real *KOL_RESTRICT va, const real *KOL_RESTRICT vc, const real *KOL_RESTRICT ba,
                       const real *KOL_RESTRICT bc, const real *KOL_RESTRICT p, const real *KOL_RESTRICT a,
                       const real *KOL_RESTRICT c, real *KOL_RESTRICT r, const int d)
{
    const ptrdiff_t row = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, SUM + d), *KOL_RESTRICT most = rows_of(bl, b, MOST + d);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct curl_spacings w = spacings(m, i, j, k, d);
        const ptrdiff_t o = row + i;
        const real rate =
            (vorticity(b, w, va, vc, o, d) - vorticity(b, w, ba, bc, o, d)) - curl_curl(b, w, p, a, c, o, d);
        r[o] = w.volume * rate;
        most[i] = point_curl_abs(rate);
        sum[i] = w.volume * most[i];
    }
}

ROW_LOOP apply_loop(struct box b, struct metrics m, struct blocks bl, int j, int k,
                    const real *KOL_RESTRICT p, const real *KOL_RESTRICT a, const real *KOL_RESTRICT c,
                    const real *dir, real *KOL_RESTRICT q, const int d)
{
    const ptrdiff_t row = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, SUM + d);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct curl_spacings w = spacings(m, i, j, k, d);
        const real value = w.volume * curl_curl(b, w, p, a, c, row + i, d);
        q[row + i] = value;
        sum[i] = (double)value * dir[row + i];
    }
}

ROW_LOOP jacobi_loop(struct box b, struct metrics m, struct blocks bl, int j, int k, real beta,
                     const real *KOL_RESTRICT r, real *KOL_RESTRICT z, const int d)
{
    const ptrdiff_t row = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, SUM + d), *KOL_RESTRICT most = rows_of(bl, b, MOST + d);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct curl_spacings w = spacings(m, i, j, k, d);
        const real value = r[row + i] / point_curl_diagonal(w, beta);
        z[row + i] = value;
        sum[i] = (double)value * r[row + i];
        most[i] = point_curl_abs(r[row + i]) / w.volume;
    }
}

ROW_LOOP dot_loop(struct box b, struct blocks bl, int j, int k, const real *r, const real *z, const int d)
{
    const ptrdiff_t row = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, SUM + d);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) sum[i] = (double)z[row + i] * r[row + i];
}

ROW_LOOP update_loop(struct box b, struct metrics m, struct blocks bl, int j, int k, real alpha,
                     const real *KOL_RESTRICT dir, const real *KOL_RESTRICT q, real *KOL_RESTRICT s,
                     real *KOL_RESTRICT r, const int d)
{
    const ptrdiff_t row = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, SUM + d), *KOL_RESTRICT most = rows_of(bl, b, MOST + d);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct curl_spacings w = spacings(m, i, j, k, d);
        const ptrdiff_t o = row + i;
        const real left = r[o] - alpha * q[o];
        s[o] += alpha * dir[o];
        r[o] = left;
        sum[i] = point_curl_abs(left);
        most[i] = point_curl_abs(left) / w.volume;
    }
}

/* Adds the rows of the three components, for one row of cells, to the lanes of its blocks. */
static void add_rows(struct box b, struct blocks bl, int by, int maxima)
{
    for (int d = X; d <= Z; ++d) {
        lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, SUM + d));
        if (maxima) lanes_row_max(bl, lanes_of(bl, 1, by), rows_of(bl, b, MOST + d));
    }
}

/* Sweeps over all cells and does ROW(component) on each row. MAXIMA: number of maxima besides the one sum, 0
 * or 1. */
#define SUMMING_SWEEP(ROW, MAXIMA)                                                                           \
    for (int bz = 0; bz < bl.nz; ++bz) {                                                                     \
        lanes_clear(bl, 1 + (MAXIMA));                                                                       \
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {                                                      \
            for (int by = 0; by < bl.ny; ++by) {                                                             \
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {                                              \
                    EACH(ROW);                                                                               \
                    add_rows(b, bl, by, MAXIMA);                                                             \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        lanes_flush(bl, 1, MAXIMA, bz);                                                                      \
    }

kol_status curl_residual(struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                         real *const base[3], real *const t[3], real *const r[3])
{
#define ROW(d)                                                                                               \
    residual_loop(b, m, bl, j, k, vel[AFTER(d, 1)], vel[AFTER(d, 2)], base[AFTER(d, 1)], base[AFTER(d, 2)],  \
                  t[d], t[AFTER(d, 1)], t[AFTER(d, 2)], r[d], d)
    SUMMING_SWEEP(ROW, 1)
#undef ROW
    return KOL_OK;
}

kol_status curl_apply(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                      real *const t[3], real *const d[3], real *const q[3])
{
    if (over(cg)) return KOL_OK;
#define ROW(c) apply_loop(b, m, bl, j, k, t[c], t[AFTER(c, 1)], t[AFTER(c, 2)], d[c], q[c], c)
    SUMMING_SWEEP(ROW, 0)
#undef ROW
    return KOL_OK;
}

kol_status curl_jacobi(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg, real beta,
                       real *const r[3], real *const z[3])
{
    if (over(cg)) return KOL_OK;
#define ROW(d) jacobi_loop(b, m, bl, j, k, beta, r[d], z[d], d)
    SUMMING_SWEEP(ROW, 1)
#undef ROW
    return KOL_OK;
}

kol_status curl_dot(struct box b, struct blocks bl, const struct cg_state *cg, real *const r[3],
                    real *const z[3])
{
    if (over(cg)) return KOL_OK;
#define ROW(d) dot_loop(b, bl, j, k, r[d], z[d], d)
    SUMMING_SWEEP(ROW, 0)
#undef ROW
    return KOL_OK;
}

kol_status curl_update(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                       real *const d[3], real *const q[3], real *const s[3], real *const r[3])
{
    if (over(cg)) return KOL_OK;
    const real alpha = (real)cg->alpha;
#define ROW(c) update_loop(b, m, bl, j, k, alpha, d[c], q[c], s[c], r[c], c)
    SUMMING_SWEEP(ROW, 1)
#undef ROW
    return KOL_OK;
}
