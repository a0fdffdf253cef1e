/* Tests the discrete curl of the exact fractional step, on every grid of kernel_case.h, however it is
 * divided. It is compared with plain loops that are written here from the definition. The identities of the
 * method must hold, too: div C s = 0, <C s, f>_W = <s, C^T W f>, C^T W = V curl. Halos are filled only as
 * far as the contracts say. No MPI. */
#include <stdlib.h>
#include "kernels/curl.h"
#include "solver/parallel/comm.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND = 400 * KOL_EPSILON; /* of the largest value: two or three differences in a row */
static const enum ref_location FACE[3] = {REF_FCC, REF_CFC, REF_CCF};
static const double BETA = 0.003;

/* --- the judge --- */

static void index_of(const struct ref_grid *g, ptrdiff_t n, int i[3])
{
    i[X] = (int)(n % g->n[X]);
    i[Y] = (int)(n / g->n[X] % g->n[Y]);
    i[Z] = (int)(n / g->n[X] / g->n[Y]);
}

/* Returns the derivative of q along d at place n: the difference to the point above over the cell width, or
 * the difference from the point below over the distance of centres. */
static double slope(const struct ref_grid *g, const double *q, ptrdiff_t n, int d, int above)
{
    int i[3];
    index_of(g, n, i);
    const double width = above ? g->dc[d][i[d]] : g->df[d][i[d]];
    i[d] += above ? 1 : -1;
    const double other = q[ref_index(g, i[X], i[Y], i[Z])];
    return (above ? other - q[n] : q[n] - other) / width;
}

/* The curl of a potential on the edges (above = 1) or of a velocity on the faces (above = 0). */
static void curl(const struct ref_grid *g, double *const in[3], int above, double *out[3])
{
    for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        out[d] = ref_new(g);
        for (ptrdiff_t n = 0; n < ref_count(g); ++n)
            out[d][n] = slope(g, in[f], n, e, above) - slope(g, in[e], n, f, above);
    }
}

static double edge_volume(const struct ref_grid *g, int d, ptrdiff_t n)
{
    int i[3];
    index_of(g, n, i);
    double v = 1;
    for (int a = 0; a < 3; ++a) v *= a == d ? g->dc[a][i[a]] : g->df[a][i[a]];
    return v;
}

static void random_field(struct kernel_case *c, unsigned seed, double *field[3])
{
    for (int a = 0; a < 3; ++a) field[a] = case_random(&c->ref, seed + (unsigned)a);
}

static double largest(struct kernel_case *c, double *const field[3])
{
    double most = 0;
    for (int a = 0; a < 3; ++a) most = fmax(most, check_max(field[a], NULL, c->count));
    return most;
}

static void near(struct kernel_case *c, double *const got[3], double *const want[3], double scale)
{
    for (int a = 0; a < 3; ++a) CASE_BELOW(c, check_max(got[a], want[a], c->count), BOUND * scale);
}

/* --- parts --- */

static void arrays(struct part *p, enum region region, double *const global[3], real *local[3])
{
    for (int a = 0; a < 3; ++a) local[a] = part_from(p, region, global[a]);
}

static void filled(struct part *p, double value, real *local[3], real *before[3])
{
    for (int a = 0; a < 3; ++a) {
        local[a] = part_filled(p, value);
        before[a] = part_copy(p, local[a]);
    }
}

static void take(struct kernel_case *c, struct part *p, real *const local[3], real *const before[3],
                 double *const global[3])
{
    for (int a = 0; a < 3; ++a) {
        part_get(p, local[a], global[a]);
        CASE_TRUE(c, part_changed(p, OWN, before[a], local[a]) == 0);
    }
}

static void news(struct kernel_case *c, double *field[3])
{
    for (int a = 0; a < 3; ++a) field[a] = ref_new(&c->ref);
}

/* --- tests --- */

static void check_velocity(struct kernel_case *c)
{
    double *s[3], *base[3], *want[3], *got[3], *div = ref_new(&c->ref);
    random_field(c, 3, s);
    random_field(c, 13, base);
    curl(&c->ref, s, 1, want);
    const double size = largest(c, want);
    news(c, got);
    for (int zero = 0; zero < 2; ++zero) { /* onto a base; then the curl alone */
        for (int a = 0; a < 3; ++a)
            for (ptrdiff_t n = 0; n < c->count; ++n) {
                want[a][n] += zero ? -base[a][n] : base[a][n];
                if (zero) base[a][n] = 0;
            }
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            real *ls[3], *lb[3], *lv[3], *before[3];
            arrays(p, OWN_HIGH, s, ls);
            arrays(p, OWN, base, lb);
            filled(p, 7, lv, before);
            CASE_TRUE(c, curl_velocity(p->g.box, p->g.m, ls, lb, lv) == KOL_OK);
            take(c, p, lv, before, got);
            part_release(p);
        }
        near(c, got, want, size);
    }
    double width = INFINITY;
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < c->ref.n[d]; ++i) width = fmin(width, c->ref.dc[d][i]);
    ref_divergence(&c->ref, got, div);
    CASE_BELOW(c, check_max(div, NULL, c->count), BOUND * size / width);
    case_free(s, 3);
    case_free(base, 3);
    case_free(want, 3);
    case_free(got, 3);
    free(div);
}

static void test_curl_has_no_divergence(void **state)
{
    (void)state;
    case_each(check_velocity);
}

/* r = V (curl(f - base) - curl C t) and its sums. */
static void residual(struct kernel_case *c, double *const f[3], double *const base[3], double *const t[3],
                     double *const r[3], double sums[2])
{
    sums[0] = sums[1] = 0;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *lf[3], *lb[3], *lt[3], *lr[3], *before[3];
        arrays(p, OWN_LOW, f, lf);
        arrays(p, OWN_LOW, base, lb);
        arrays(p, OWN_EDGES, t, lt);
        filled(p, 7, lr, before);
        CASE_TRUE(c,
                  curl_residual(p->g.box, p->g.m, reduction_blocks(p->reduction), lf, lb, lt, lr) == KOL_OK);
        part_sums(p, 1, 1, sums);
        take(c, p, lr, before, r);
        part_release(p);
    }
}

static void check_transpose(struct kernel_case *c)
{
    double *s[3], *f[3], *zero[3], *cs[3], *r[3], sums[2], left = 0, right = 0, size = 0;
    random_field(c, 3, s);
    random_field(c, 23, f);
    news(c, zero);
    news(c, r);
    curl(&c->ref, s, 1, cs);
    residual(c, f, zero, zero, r, sums);
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const double term = case_volume(&c->ref, FACE[a], n) * cs[a][n] * f[a][n];
            left += term;
            right += s[a][n] * r[a][n];
            size += fabs(term);
        }
    }
    CASE_BELOW(c, fabs(left - right), BOUND * size);
    case_free(s, 3);
    case_free(f, 3);
    case_free(zero, 3);
    case_free(cs, 3);
    case_free(r, 3);
}

static void test_transpose_in_the_volumes(void **state)
{
    (void)state;
    case_each(check_transpose);
}

static void check_residual(struct kernel_case *c)
{
    double *f[3], *base[3], *t[3], *ct[3], *cct[3], *of_f[3], *of_base[3], *got[3], sums[2], sum = 0,
                                                                                             most = 0;
    random_field(c, 3, f);
    random_field(c, 13, base);
    random_field(c, 23, t);
    curl(&c->ref, t, 1, ct);
    curl(&c->ref, ct, 0, cct);
    curl(&c->ref, f, 0, of_f);
    curl(&c->ref, base, 0, of_base);
    news(c, got);
    residual(c, f, base, t, got, sums);
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            const double rate = of_f[a][n] - of_base[a][n] - cct[a][n], volume = edge_volume(&c->ref, a, n);
            most = fmax(most, fabs(rate));
            sum += volume * fabs(rate);
            cct[a][n] = volume * rate;
        }
    }
    near(c, got, cct, largest(c, cct));
    CASE_BELOW(c, fabs(sums[0] - sum), BOUND * sum);
    CASE_BELOW(c, fabs(sums[1] - most), BOUND * most);
    case_free(f, 3);
    case_free(base, 3);
    case_free(t, 3);
    case_free(ct, 3);
    case_free(cct, 3);
    case_free(of_f, 3);
    case_free(of_base, 3);
    case_free(got, 3);
}

static void test_residual(void **state)
{
    (void)state;
    case_each(check_residual);
}

/* t = s + beta (curl C s + 2 curl base), with and without a base; q = V curl C s and d.q. */
static void check_operator(struct kernel_case *c)
{
    double *s[3], *d[3], *base[3], *cs[3], *ccs[3], *of_base[3], *t[3], *plain[3], *q[3], *want[3],
        dot = 0, size = 0, sums[1] = {0};
    random_field(c, 3, s);
    random_field(c, 13, base);
    random_field(c, 23, d);
    curl(&c->ref, s, 1, cs);
    curl(&c->ref, cs, 0, ccs);
    curl(&c->ref, base, 0, of_base);
    news(c, t);
    news(c, plain);
    news(c, q);
    news(c, want);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *ls[3], *lb[3], *ld[3], *lt[3], *lp[3], *lq[3], *before[3], *before_p[3], *before_q[3];
        arrays(p, OWN_EDGES, s, ls);
        arrays(p, OWN_LOW, base, lb);
        arrays(p, OWN, d, ld);
        filled(p, 7, lt, before);
        filled(p, 7, lp, before_p);
        filled(p, 7, lq, before_q);
        CASE_TRUE(c, curl_shift(p->g.box, p->g.m, NULL, (real)BETA, ls, lb, lt) == KOL_OK);
        CASE_TRUE(c, curl_shift(p->g.box, p->g.m, NULL, (real)BETA, ls, NULL, lp) == KOL_OK);
        CASE_TRUE(c,
                  curl_apply(p->g.box, p->g.m, reduction_blocks(p->reduction), NULL, ls, ld, lq) == KOL_OK);
        part_sums(p, 1, 0, sums);
        take(c, p, lt, before, t);
        take(c, p, lp, before_p, plain);
        take(c, p, lq, before_q, q);
        part_release(p);
    }
    for (int a = 0; a < 3; ++a)
        for (ptrdiff_t n = 0; n < c->count; ++n) want[a][n] = s[a][n] + BETA * ccs[a][n];
    near(c, plain, want, 1 + BETA * largest(c, ccs));
    for (int a = 0; a < 3; ++a)
        for (ptrdiff_t n = 0; n < c->count; ++n) want[a][n] += 2 * BETA * of_base[a][n];
    near(c, t, want, 1 + BETA * largest(c, ccs));
    for (int a = 0; a < 3; ++a) {
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            want[a][n] = edge_volume(&c->ref, a, n) * ccs[a][n];
            dot += want[a][n] * d[a][n];
            size += fabs(want[a][n] * d[a][n]);
        }
    }
    near(c, q, want, largest(c, want));
    CASE_BELOW(c, fabs(sums[0] - dot), BOUND * size);
    double **all[] = {s, d, base, cs, ccs, of_base, t, plain, q, want};
    for (size_t n = 0; n < sizeof all / sizeof *all; ++n) case_free(all[n], 3);
}

static void test_operator(void **state)
{
    (void)state;
    case_each(check_operator);
}

/* The iteration's own sweeps in the parts: z = r / D, r.z; d = z + beta d; s += alpha d, r -= alpha q. */
static void check_iteration(struct kernel_case *c)
{
    double *r[3], *z[3], *d[3], *d_want[3], sums[2] = {0, 0}, dots[1] = {0}, left[2] = {0, 0}, rz = 0,
                                            most = 0, r_most = 0;
    random_field(c, 3, r);
    random_field(c, 13, d);
    news(c, z);
    news(c, d_want);
    const struct cg_state values = {.outcome = CG_RUNNING, .alpha = 0.25, .beta = 0.5};
    struct cg_scalars cg;
    CASE_TRUE(c, cg_create(&cg) == KOL_OK);
    CASE_TRUE(c, cg_start(cg, values) == KOL_OK);
    double *s[3], *r_new[3];
    random_field(c, 33, s);
    news(c, r_new);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct blocks bl = reduction_blocks(p->reduction);
        real *lr[3], *lz[3], *ld[3], *ls[3], *before[3], *before_d[3], *before_s[3], *before_r[3];
        arrays(p, OWN, r, lr);
        arrays(p, OWN, d, ld);
        arrays(p, OWN, s, ls);
        filled(p, 7, lz, before);
        for (int a = 0; a < 3; ++a) {
            before_d[a] = part_copy(p, ld[a]);
            before_s[a] = part_copy(p, ls[a]);
            before_r[a] = part_copy(p, lr[a]);
        }
        CASE_TRUE(c, curl_jacobi(p->g.box, p->g.m, bl, cg.state, (real)BETA, lr, lz) == KOL_OK);
        part_sums(p, 1, 1, sums);
        CASE_TRUE(c, curl_dot(p->g.box, bl, cg.state, lr, lz) == KOL_OK);
        part_sums(p, 1, 0, dots);
        CASE_TRUE(c, curl_direction(p->g.box, cg.state, lz, ld) == KOL_OK);
        take(c, p, lz, before, z);
        take(c, p, ld, before_d, d_want);
        CASE_TRUE(c, curl_update(p->g.box, p->g.m, bl, cg.state, ld, lz, ls, lr) == KOL_OK);
        part_sums(p, 1, 1, left);
        take(c, p, ls, before_s, s);
        take(c, p, lr, before_r, r_new);
        part_release(p);
    }
    cg_destroy(&cg);
    double *s_old[3];
    random_field(c, 33, s_old);
    for (int a = 0; a < 3; ++a) {
        const int e = (a + 1) % 3, f = (a + 2) % 3;
        for (ptrdiff_t n = 0; n < c->count; ++n) {
            int i[3], below[3];
            index_of(&c->ref, n, i);
            for (int b = 0; b < 3; ++b) below[b] = (i[b] + c->ref.n[b] - 1) % c->ref.n[b];
            const double *const *dc = (const double *const *)c->ref.dc, *const *df =
                                                                            (const double *const *)c->ref.df;
            const double diagonal = (1 / dc[e][i[e]] + 1 / dc[e][below[e]]) / df[e][i[e]] +
                                    (1 / dc[f][i[f]] + 1 / dc[f][below[f]]) / df[f][i[f]];
            const double volume = edge_volume(&c->ref, a, n),
                         value = r[a][n] / (volume * diagonal * (1 + BETA * diagonal)),
                         next = value + 0.5 * d[a][n], rest = r[a][n] - 0.25 * value;
            CASE_BELOW(c, fabs(z[a][n] - value), BOUND * fabs(value));
            CASE_BELOW(c, fabs(d_want[a][n] - next), BOUND * (1 + fabs(value)));
            CASE_BELOW(c, fabs(s[a][n] - (s_old[a][n] + 0.25 * next)), BOUND * (1 + fabs(value)));
            CASE_BELOW(c, fabs(r_new[a][n] - rest), BOUND * (1 + fabs(value)));
            rz += value * r[a][n];
            most = fmax(most, fabs(r[a][n]) / volume);
            r_most = fmax(r_most, fabs(rest) / volume);
        }
    }
    CASE_BELOW(c, fabs(sums[0] - rz), BOUND * rz);
    CASE_BELOW(c, fabs(dots[0] - rz), BOUND * rz);
    CASE_BELOW(c, fabs(sums[1] - most), BOUND * most);
    CASE_BELOW(c, fabs(left[1] - r_most), BOUND * (r_most + most));
    double **all[] = {r, z, d, d_want, s, r_new, s_old};
    for (size_t n = 0; n < sizeof all / sizeof *all; ++n) case_free(all[n], 3);
}

static void test_iteration(void **state)
{
    (void)state;
    case_each(check_iteration);
}

/* Once an iteration has ended the sweeps leave everything alone. */
static void check_ended(struct kernel_case *c)
{
    struct cg_scalars cg;
    const struct cg_state values = {.outcome = CG_MET, .alpha = 1, .beta = 1};
    CASE_TRUE(c, cg_create(&cg) == KOL_OK);
    CASE_TRUE(c, cg_start(cg, values) == KOL_OK);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct blocks bl = reduction_blocks(p->reduction);
        real *a[3], *b[3], *before_a[3], *before_b[3];
        filled(p, 3, a, before_a);
        filled(p, 5, b, before_b);
        CASE_TRUE(c, curl_shift(p->g.box, p->g.m, cg.state, 1, a, NULL, b) == KOL_OK);
        CASE_TRUE(c, curl_apply(p->g.box, p->g.m, bl, cg.state, a, a, b) == KOL_OK);
        CASE_TRUE(c, curl_jacobi(p->g.box, p->g.m, bl, cg.state, 0, a, b) == KOL_OK);
        CASE_TRUE(c, curl_direction(p->g.box, cg.state, a, b) == KOL_OK);
        CASE_TRUE(c, curl_update(p->g.box, p->g.m, bl, cg.state, a, a, b, b) == KOL_OK);
        for (int n = 0; n < 3; ++n) {
            CASE_TRUE(c, part_changed(p, NOWHERE, before_a[n], a[n]) == 0);
            CASE_TRUE(c, part_changed(p, NOWHERE, before_b[n], b[n]) == 0);
        }
        part_release(p);
    }
    cg_destroy(&cg);
}

static void test_nothing_after_the_end(void **state)
{
    (void)state;
    case_each(check_ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curl_has_no_divergence),
        cmocka_unit_test(test_transpose_in_the_volumes),
        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_operator),
        cmocka_unit_test(test_iteration),
        cmocka_unit_test(test_nothing_after_the_end),
    };
    return cmocka_run_group_tests_name("curl", tests, NULL, NULL);
}
