/* Tests the grid: coordinates, metrics of every rank with their halo, the numbers that the step and the
 * solver take from it, and what is refused. Catches a metric of the wrong cell across a periodic boundary
 * or between ranks. No MPI. */
#include <stdlib.h>
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

static const double BOUND =
    100 * KOL_EPSILON; /* relative: spacings are differences of coordinates rounded at 1 */

static int wrap(int i, int n)
{
    return ((i % n) + n) % n;
}

/* a metric of a part against the widths (or distances) of the reference, for indices -h-1 .. n+h */
static void check_row(struct kernel_case *c, const struct part *p, int dir, const real *metric,
                      const double *want, int inverse)
{
    real host[64];
    const int n = p->d.n[dir], lead = KOL_HALO + 1;
    CASE_TRUE(c, mem_to_host(host, metric - lead, (size_t)(n + 2 * lead) * sizeof(real)) == KOL_OK);
    for (int i = -lead; i < n + lead; ++i) {
        const double width = want[wrap(p->d.offset[dir] + i, p->d.n_g[dir])],
                     value = inverse ? 1 / width : width;
        CASE_BELOW(c, fabs((double)host[i + lead] - value), BOUND * value);
    }
}

static void check_metrics(struct kernel_case *c)
{
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct metrics m = p->g.m;
        const real *const rows[3][4] = {{m.dx_c, m.dx_f, m.dxi_c, m.dxi_f},
                                        {m.dy_c, m.dy_f, m.dyi_c, m.dyi_f},
                                        {m.dz_c, m.dz_f, m.dzi_c, m.dzi_f}};
        for (int d = 0; d < 3; ++d)
            for (int kind = 0; kind < 4; ++kind)
                check_row(c, p, d, rows[d][kind], kind % 2 ? c->ref.df[d] : c->ref.dc[d], kind > 1);
    }
}

static void test_metrics_of_every_part(void **state)
{
    (void)state;
    case_each(check_metrics);
}

/* coordinates, box and summary numbers */
static void check_grid(struct kernel_case *c)
{
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct grid *g = &p->g;
        double volume = 1, cells = 1, smallest = INFINITY, diffusive = 0, along_z = 0;
        const int local[3] = {g->box.nx, g->box.ny, g->box.nz};
        for (int d = 0; d < 3; ++d) {
            const int n = c->in->n[d];
            double most = 0;
            volume *= CASE_LENGTH[d];
            cells *= n;
            CASE_TRUE(c, g->n_g[d] == n && local[d] == p->d.n[d]);
            CASE_TRUE(c, g->uniform[d] == (c->in->stretching[d] == STRETCHING_UNIFORM));
            CASE_TRUE(c, g->face[d][0] == CASE_ORIGIN[d] && g->face[d][n] == CASE_ORIGIN[d] + CASE_LENGTH[d]);
            for (int i = 0; i < n; ++i) {
                const double low = c->ref.df[d][i], high = c->ref.df[d][wrap(i + 1, n)];
                const double here = c->ref.dc[d][i], below = c->ref.dc[d][wrap(i - 1, n)];
                CASE_BELOW(c, fabs(g->face[d][i] - c->ref.face[d][i]), 1e-14);
                CASE_BELOW(c, fabs(g->centre[d][i] - c->ref.centre[d][i]), 1e-14);
                CASE_BELOW(c, fabs(grid_centre_distance(g, d, i) - low), 1e-14);
                CASE_BELOW(c, fabs(grid_width(g, d, i) - here), 1e-14);
                smallest = fmin(smallest, here);
                most = fmax(most, 2 / here * (1 / low + 1 / high));
                most = fmax(most, 2 / low * (1 / here + 1 / below));
            }
            CASE_TRUE(c, grid_centre_distance(g, d, n) == grid_centre_distance(g, d, 0));
            diffusive += most;
            along_z = most;
        }
        CASE_BELOW(c, fabs(g->volume - volume), 1e-15);
        CASE_BELOW(c, fabs(g->h - cbrt(volume / cells)), 1e-15);
        CASE_BELOW(c, fabs(g->smallest - smallest), 1e-14);
        CASE_BELOW(c, fabs(g->diffusive - diffusive), 1e-12 * diffusive);
        CASE_BELOW(c, fabs(g->diffusive_xy + along_z - diffusive), 1e-12 * diffusive);
    }
}

static void test_coordinates_and_summary(void **state)
{
    (void)state;
    case_each(check_grid);
}

/* |eigenvalues| of the Laplacian stay below grid.diffusive at every location: power iteration with the
 * reference */
static void check_bound(struct kernel_case *c)
{
    for (enum ref_location loc = REF_CCC; loc <= REF_CCF; ++loc) {
        double *x = case_random(&c->ref, 3), *y = ref_new(&c->ref), growth = 0;
        for (int round = 0; round < 60; ++round) {
            ref_laplacian(&c->ref, loc, x, y);
            double energy = 0, gain = 0; /* in the norm in which the operator is symmetric */
            for (ptrdiff_t n = 0; n < c->count; ++n) {
                energy += case_volume(&c->ref, loc, n) * x[n] * x[n];
                gain += case_volume(&c->ref, loc, n) * y[n] * y[n];
            }
            growth = sqrt(gain / energy);
            for (ptrdiff_t n = 0; n < c->count; ++n) x[n] = y[n] / sqrt(gain);
        }
        CASE_BELOW(c, growth, c->part[0].g.diffusive * (1 + 1e-12));
        CASE_TRUE(c, growth > 0.3 * c->part[0].g.diffusive); /* and the bound is of use */
        case_free((double *[]){x, y}, 2);
    }
}

static void test_bound_of_eigenvalues(void **state)
{
    (void)state;
    case_each(check_bound);
}

/* widths of a uniform direction are one number to the last bit, on every rank: sums of both sides cancel
 * exactly */
static void test_uniform_widths_are_equal(void **state)
{
    (void)state;
    static const int layout[3] = {2, 2, 2};
    struct kernel_case c;
    case_open(&case_inputs[CASE_UNIFORM], layout, &c);
    for (struct part *p = c.part; p < c.part + c.size; ++p) {
        real host[64];
        const size_t n = (size_t)p->d.n[X] + 4;
        CASE_TRUE(&c, mem_to_host(host, p->g.m.dx_c - 2, n * sizeof(real)) == KOL_OK);
        for (size_t i = 0; i < n; ++i) CASE_TRUE(&c, host[i] == (real)(CASE_LENGTH[X] / 12));
        CASE_TRUE(&c, mem_to_host(host, p->g.m.dx_f - 2, n * sizeof(real)) == KOL_OK);
        for (size_t i = 0; i < n; ++i) CASE_TRUE(&c, host[i] == (real)(CASE_LENGTH[X] / 12));
    }
    case_close(&c);
}

/* the stencil of each location against the reference's matrix: coefficients of every row */
static void check_stencil(struct kernel_case *c)
{
    for (int loc = LOC_CCC; loc <= LOC_CCF; ++loc) {
        for (struct part *p = c->part; p < c->part + c->size; ++p) {
            const struct stencil s = grid_stencil(&p->g, (enum location)loc, (real)1.5, (real)0.25);
            const real *const w[3] = {s.wx, s.wy, s.wz}, *const g[3] = {s.gx, s.gy, s.gz};
            CASE_TRUE(c, s.shift == (real)1.5 && s.scale == (real)0.25);
            CASE_TRUE(c, s.uniform_x == (c->in->stretching[X] == STRETCHING_UNIFORM));
            for (int d = 0; d < 3; ++d) {
                const int own = loc == LOC_FCC + d, n = p->d.n[d];
                real width[64], inverse[64];
                CASE_TRUE(c, mem_to_host(width, w[d] - 1, (size_t)(n + 2) * sizeof(real)) == KOL_OK);
                CASE_TRUE(c, mem_to_host(inverse, g[d] - 1, (size_t)(n + 3) * sizeof(real)) == KOL_OK);
                for (int i = -1; i <= n + 1; ++i) {
                    const int here = wrap(p->d.offset[d] + i, p->d.n_g[d]), low = wrap(here - 1, p->d.n_g[d]);
                    const double want_w = own ? c->ref.df[d][here] : c->ref.dc[d][here];
                    const double want_g = 1 / (own ? c->ref.dc[d][low] : c->ref.df[d][here]);
                    if (i <= n) CASE_BELOW(c, fabs((double)width[i + 1] - want_w), BOUND * want_w);
                    CASE_BELOW(c, fabs((double)inverse[i + 1] - want_g), BOUND * want_g);
                }
            }
        }
    }
}

static void test_stencils(void **state)
{
    (void)state;
    case_each(check_stencil);
}

static void check_refused(struct input in, const char *words)
{
    struct decomp d;
    struct grid g;
    static const int choose[3] = {0, 0, 0};
    memset(&g, 0, sizeof g);
    status_clear();
    assert_int_equal(decomp_create(in.grid.n, choose, 1, 0, &d), KOL_OK);
    assert_int_equal(grid_create(&in, &d, &g), KOL_ERR_INPUT);
    if (strstr(status_message(), words) == NULL) fail_msg("says: %s\n  not:  %s", status_message(), words);
    status_clear();
    grid_destroy(&g);
    assert_null(g.face[X]);
    assert_null(g.store);
}

/* cells that vanish in working precision, by stretching or by a far origin */
static void test_faces_too_close_are_refused(void **state)
{
    (void)state;
    struct input in = case_settings(&case_inputs[CASE_UNIFORM]);
    in.grid.stretching[Z] = STRETCHING_TANH;
    in.grid.stretching_factor[Z] = 40;
    check_refused(in, "too close for " KOL_REAL_NAME " arithmetic; lower grid.stretching_factor(3)");
    in = case_settings(&case_inputs[CASE_UNIFORM]);
    in.grid.origin[Y] = 1e16;
    check_refused(in, "in y are");
    in = case_settings(&case_inputs[CASE_UNIFORM]);
    in.grid.stretching[X] = STRETCHING_SINE;
    in.grid.stretching_factor[X] = 1.5; /* faces in the wrong order */
    check_refused(in, "faces 0 and 1 in x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metrics_of_every_part),
        cmocka_unit_test(test_coordinates_and_summary),
        cmocka_unit_test(test_bound_of_eigenvalues),
        cmocka_unit_test(test_uniform_widths_are_equal),
        cmocka_unit_test(test_stencils),
        cmocka_unit_test(test_faces_too_close_are_refused),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
