/* Tests the kernels of surface data against plain loops over short lists of links and closed faces. Catches a
 * component or a side that is taken for another, a value of an earlier step that stays, a pressure of a dead
 * cell, and a value elsewhere than at its place. No MPI. */
#include <math.h>
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/body_stress.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

enum { NX = 6, NY = 5, NZ = 7, LINKS = 40, FRONTS = 13, VALUES = LINKS + 2 * FRONTS, WIDTHS = 16 };
static const double WIDTH[3] = {0.5, 0.25, 0.75}, NU = 0.125, A = 0.5, A_OLD = 0.375, DTS = 0.25;

/* world: a box of uniform spacings, random fields, and what lies on the surfaces. */
struct world {
    struct box b;
    struct metrics m;
    real *store[12], *host[4], *kernel[4];
    struct body_point point[3][LINKS];
    real base[3][LINKS];
    struct body_points points[3];
    struct body_link link[LINKS];
    struct body_front front[FRONTS];
    struct body_items items;
};

static double random_value(void)
{
    return (rand() % 1000 - 500) / 128.0;
}

static const real *constant(double value, real **store)
{
    real host[WIDTHS];
    for (int i = 0; i < WIDTHS; ++i) host[i] = (real)value;
    *store = case_kernel_copy(host, sizeof host);
    return *store + KOL_HALO;
}

static void set_metrics(struct world *w)
{
    const real **const of[12] = {&w->m.dx_c,  &w->m.dx_f,  &w->m.dy_c,  &w->m.dy_f,
                                 &w->m.dz_c,  &w->m.dz_f,  &w->m.dxi_c, &w->m.dxi_f,
                                 &w->m.dyi_c, &w->m.dyi_f, &w->m.dzi_c, &w->m.dzi_f};
    for (int n = 0; n < 12; ++n) {
        const double width = WIDTH[n % 6 / 2];
        *of[n] = constant(n < 6 ? width : 1 / width, &w->store[n]);
    }
}

/* Places in the box are used once. The neighbours of a link are whatever lies there. */
static void set_lists(struct world *w)
{
    for (int l = 0; l < LINKS; ++l) {
        const int c = 5 * l, d = l % 3;
        struct body_point *p = &w->point[d][l];
        p->at = (int)at(w->b, c % NX, c / NX % NY, c / NX / NY);
        p->drag = (float)fabs(8 * random_value());
        w->base[d][l] = (real)random_value();
        w->link[l] = (struct body_link){.at = p->at,
                                        .point = l,
                                        .d = (signed char)d,
                                        .side = (signed char)(l % 6),
                                        .share = (real)0.625,
                                        .wall = (real)random_value()};
    }
    for (int f = 0; f < FRONTS; ++f)
        w->front[f] = (struct body_front){
            (int)at(w->b, f % NX, f % NY, f % NZ), (signed char)(f % 3), (signed char)(f % 4), {0, 0, 0}};
    for (int d = 0; d < 3; ++d) {
        w->points[d] = (struct body_points){.n = LINKS,
                                            .point = case_kernel_copy(w->point[d], sizeof w->point[d]),
                                            .base = case_kernel_copy(w->base[d], sizeof w->base[d])};
    }
    w->items = (struct body_items){LINKS, FRONTS, case_kernel_copy(w->link, sizeof w->link),
                                   case_kernel_copy(w->front, sizeof w->front)};
}

static struct world *world_make(void)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    srand(7);
    w->b = box_make(NX, NY, NZ, KOL_HALO);
    for (int f = 0; f < 4; ++f) {
        w->host[f] = malloc((size_t)w->b.size * sizeof(real));
        for (ptrdiff_t q = 0; q < w->b.size; ++q) w->host[f][q] = (real)random_value();
        w->kernel[f] = case_kernel_copy(w->host[f], (size_t)w->b.size * sizeof(real));
    }
    set_metrics(w);
    set_lists(w);
    return w;
}

static void world_free(struct world *w)
{
    for (int f = 0; f < 4; ++f) {
        free(w->host[f]);
        mem_kernel_free(w->kernel[f]);
    }
    for (int n = 0; n < 12; ++n) mem_kernel_free(w->store[n]);
    for (int d = 0; d < 3; ++d) {
        mem_kernel_free((void *)(size_t)w->points[d].point);
        mem_kernel_free(w->points[d].base);
    }
    mem_kernel_free((void *)(size_t)w->items.link);
    mem_kernel_free((void *)(size_t)w->items.front);
    free(w);
}

static ptrdiff_t stride(const struct world *w, int d)
{
    return d == X ? 1 : d == Y ? w->b.sy : w->b.sz;
}

/* How fast momentum leaves the volume of a link towards its neighbour: nu grad u, and the flux of volume
 * through the side times the mean of both velocities. */
static double slow_rate(const struct world *w, const struct body_link *l)
{
    const int d = l->d, e = l->side / 2, high = l->side % 2;
    const double volume = WIDTH[X] * WIDTH[Y] * WIDTH[Z], area = volume / WIDTH[e];
    const ptrdiff_t next = high ? stride(w, e) : -stride(w, e), along = stride(w, d);
    const double here = w->host[d][l->at], there = w->host[d][l->at + next];
    double speed = 0.5 * (here + there);
    if (e != d) {
        const ptrdiff_t side = l->at + (high ? stride(w, e) : 0);
        speed = 0.5 * ((double)w->host[e][side] + (double)w->host[e][side - along]);
    }
    return NU * area / WIDTH[e] * (here - there) + (high ? area : -area) * speed * 0.5 * (here + there);
}

static double slow_drag(const struct world *w, const struct body_link *l)
{
    const int d = l->d;
    const double z = DTS * (double)w->point[d][l->point].drag, beta = z <= 2 ? 0.5 : 1 - 1 / z;
    const double wall = l->wall, u = w->host[d][l->at], base = w->base[d][l->point];
    return WIDTH[X] * WIDTH[Y] * WIDTH[Z] * z * (double)l->share *
           (beta * (u - wall) + (1 - beta) * (base - wall));
}

static void check_values(const double *kernel, const double *wanted, int n)
{
    double got[VALUES];
    assert_int_equal(mem_to_host(got, kernel, (size_t)n * sizeof *got), KOL_OK);
    for (int i = 0; i < n; ++i) CHECK_NEAR(got[i], wanted[i], 1e3 * KOL_EPSILON);
}

/* Three stages: the second adds to the first, the third replaces both. */
static void test_stages(void **state)
{
    (void)state;
    struct world *w = world_make();
    double wanted[VALUES], before[LINKS], sum[VALUES];
    for (int n = 0; n < VALUES; ++n) wanted[n] = sum[n] = NAN;
    for (int n = 0; n < LINKS; ++n) before[n] = NAN;
    double *total = case_kernel_copy(wanted, sizeof wanted), *old = case_kernel_copy(before, sizeof before);
    for (int n = 0; n < VALUES; ++n) sum[n] = n;
    double *sums = case_kernel_copy(sum, sizeof sum);
    for (int m = 0; m < 3; ++m) {
        const int keep = m == 1;
        const double a_old = m == 1 ? A_OLD : 0;
        assert_int_equal(body_stress_rates(w->b, w->m, w->items, w->points, (real)NU, w->kernel, keep, A,
                                           a_old, old, total),
                         KOL_OK);
        assert_int_equal(body_stress_drag(w->b, w->m, w->items, w->points, (real)DTS, w->kernel, total),
                         KOL_OK);
        assert_int_equal(body_stress_pressure(w->b, w->items, (real)DTS, w->kernel[3], w->kernel[X], total),
                         KOL_OK);
        for (int l = 0; l < LINKS; ++l) {
            const double rate = slow_rate(w, &w->link[l]);
            wanted[l] = (keep ? wanted[l] + a_old * before[l] : 0) + A * rate + slow_drag(w, &w->link[l]);
            before[l] = rate;
        }
        for (int f = 0; f < FRONTS; ++f)
            for (int side = 0; side < 2; ++side) {
                const ptrdiff_t c = w->front[f].at - (side ? 0 : stride(w, w->front[f].d));
                const double p = (double)w->host[3][c] + (double)w->host[X][c];
                double *here = &wanted[LINKS + 2 * f + side];
                *here = (keep ? *here : 0) + (w->front[f].live >> side & 1 ? DTS * p : 0);
            }
        check_values(total, wanted, VALUES);
        check_values(old, before, LINKS);
        assert_int_equal(body_stress_sum(VALUES, total, sums), KOL_OK);
        for (int n = 0; n < VALUES; ++n) sum[n] += wanted[n];
    }
    check_values(sums, sum, VALUES);
    mem_kernel_free(total);
    mem_kernel_free(old);
    mem_kernel_free(sums);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages)};
    return cmocka_run_group_tests_name("body_stress", tests, NULL, NULL);
}
