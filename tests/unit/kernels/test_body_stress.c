/* Tests the kernels of forces on bodies and of surface data against plain loops over short lists of links and
 * closed faces. Catches a component or a side that is taken for another, a torque about another axis, an
 * explicit part of another side, a value of an earlier step that stays, a pressure of a dead cell, an item in
 * another segment, and a value elsewhere than at its place. No MPI. */
#include <math.h>
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/body_stress.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

enum { NX = 6, NY = 5, NZ = 7, LINKS = 40, FRONTS = 13, VALUES = LINKS + 2 * FRONTS, WIDTHS = 16 };
enum { SEGMENTS = 5, FORCES = SEGMENTS * BODY_FORCES };
static const double WIDTH[3] = {0.5, 0.25, 0.75}, NU = 0.125, A = 0.5, A_OLD = 0.375, DTS = 0.25;

/* world: a box of uniform spacings, random fields, and what lies on the surfaces. */
struct world {
    struct box b;
    struct metrics m;
    real *store[12], *host[4], *kernel[4];
    struct body_point point[3][LINKS];
    real base[3][LINKS], lead[3][LINKS];
    struct body_points points[3];
    int moves; /* whether walls have a velocity */
    struct body_link link[LINKS];
    struct body_front front[FRONTS];
    struct body_items items;
};
/* Segments of links and of closed faces; one has none, one has one of a kind, one has more than a warp. */
static const int LINK_START[SEGMENTS + 1] = {0, 1, 35, 35, 36, LINKS},
                                       FRONT_START[SEGMENTS + 1] = {0, 0, 9, 9, 12, FRONTS};

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

/* The arrays of all links in kernel memory. */
static struct body_links put_links(const struct world *w)
{
    const size_t bytes = body_links_bytes(LINKS, w->moves);
    double *host = malloc(bytes);
    assert_non_null(host);
    const struct body_links links = body_links_in(host, LINKS, w->moves);
    for (int l = 0; l < LINKS; ++l) body_links_set(links, l, w->link[l]);
    double *kernel = case_kernel_copy(host, bytes);
    free(host);
    return body_links_in(kernel, LINKS, w->moves);
}

/* Places in the box are used once. The neighbours of a link are whatever lies there. Every third link is
 * mirrored, unless the component is across the wall, and every fourth one reads the neighbour behind it. */
static void set_lists(struct world *w)
{
    for (int l = 0; l < LINKS; ++l) {
        const int c = 5 * l, d = l % 3;
        struct body_point *p = &w->point[d][l];
        p->at = (int)at(w->b, c % NX, c / NX % NY, c / NX / NY);
        p->drag = (float)fabs(8 * random_value());
        w->base[d][l] = (real)random_value();
        w->lead[d][l] = (real)random_value();
        struct body_link *link = &w->link[l];
        *link = (struct body_link){.at = p->at,
                                   .point = l,
                                   .d = (signed char)d,
                                   .side = (signed char)((5 * l + 1) % 6),
                                   .drag = p->drag,
                                   .share = (real)0.625};
        link->mirror = (signed char)(l % 3 == 1 && link->side / 2 != d);
        link->half = l % 4 == 1 ? (float)random_value() : 0;
        for (int e = 0; e < 3; ++e) link->arm[e] = (float)random_value();
        if (w->moves) {
            link->wall = (real)random_value();
            link->lead = (real)random_value();
        }
    }
    for (int f = 0; f < FRONTS; ++f)
        w->front[f] =
            (struct body_front){(int)at(w->b, f % NX, f % NY, f % NZ),
                                (signed char)(f % 3),
                                (signed char)(f % 4),
                                {(float)random_value(), (float)random_value(), (float)random_value()}};
    for (int d = 0; d < 3; ++d) {
        w->points[d] = (struct body_points){.n = LINKS,
                                            .point = case_kernel_copy(w->point[d], sizeof w->point[d]),
                                            .base = case_kernel_copy(w->base[d], sizeof w->base[d])};
        if (w->moves) w->points[d].lead = case_kernel_copy(w->lead[d], sizeof w->lead[d]);
    }
    w->items = (struct body_items){FRONTS, put_links(w), case_kernel_copy(w->front, sizeof w->front)};
}

static struct world *world_make(int moves)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    srand(7);
    w->moves = moves;
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
        mem_kernel_free(w->points[d].lead);
    }
    mem_kernel_free(w->items.links.share); /* the first of the arrays */
    mem_kernel_free((void *)(size_t)w->items.front);
    free(w);
}

static ptrdiff_t stride(const struct world *w, int d)
{
    return d == X ? 1 : d == Y ? w->b.sy : w->b.sz;
}

/* slow: how fast momentum leaves the volume of a link towards its neighbour: nu grad u less the explicit part
 * beside the wall, and the flux of volume through the side times the mean of both velocities. */
struct slow {
    double viscous, convective;
};
static struct slow slow_rate(const struct world *w, const struct body_link *l)
{
    const int d = l->d, e = l->side / 2, high = l->side % 2;
    const double volume = WIDTH[X] * WIDTH[Y] * WIDTH[Z], area = volume / WIDTH[e];
    const ptrdiff_t next = high ? stride(w, e) : -stride(w, e), along = stride(w, d);
    const double here = w->host[d][l->at], there = w->host[d][l->at + next],
                 behind = w->host[d][l->at - next], wall = l->wall;
    double speed = 0.5 * (here + there), extra = l->lead;
    if (e != d) {
        const ptrdiff_t side = l->at + (high ? stride(w, e) : 0);
        speed = 0.5 * ((double)w->host[e][side] + (double)w->host[e][side - along]);
    }
    if (l->mirror) /* the flux of the wall, twice as far, instead of that of the neighbour */
        extra += NU / WIDTH[e] * (2 / WIDTH[e] - 1 / WIDTH[e]) * (wall - here);
    else extra += (double)l->half * (behind - wall);
    return (struct slow){NU * area / WIDTH[e] * (here - there) - volume * extra,
                         (high ? area : -area) * speed * 0.5 * (here + there)};
}

static double slow_drag(const struct world *w, const struct body_link *l)
{
    const int d = l->d;
    const double z = DTS * (double)w->point[d][l->point].drag, beta = z <= 2 ? 0.5 : 1 - 1 / z;
    const double wall = l->wall, base = w->base[d][l->point],
                 u = (double)w->host[d][l->at] + (w->moves ? (double)w->lead[d][l->point] : 0);
    return WIDTH[X] * WIDTH[Y] * WIDTH[Z] * z * (double)l->share *
           (beta * (u - wall) + (1 - beta) * (base - wall));
}

/* The pressure in the cell on a side of a closed face. */
static double slow_pressure(const struct world *w, const struct body_front *f, int side)
{
    const ptrdiff_t c = f->at - (side ? 0 : stride(w, f->d));
    return f->live >> side & 1 ? (double)w->host[3][c] + (double)w->host[X][c] : 0;
}

/* Adds a force along d to the numbers of a segment from `kind` on, and its torque: arm x force. */
static void slow_add(double *segment, int kind, int d, double force, const float arm[3])
{
    const int e = (d + 1) % 3, g = (d + 2) % 3;
    segment[kind + d] += force;
    segment[BODY_TORQUE + e] += (double)arm[g] * force;
    segment[BODY_TORQUE + g] -= (double)arm[e] * force;
}

static void check_values(const double *kernel, const double *wanted, int n)
{
    double got[VALUES];
    assert_int_equal(mem_to_host(got, kernel, (size_t)n * sizeof *got), KOL_OK);
    for (int i = 0; i < n; ++i) CHECK_NEAR(got[i], wanted[i], 1e3 * KOL_EPSILON);
}

static void check_forces(const double *kernel, const double *wanted)
{
    double got[FORCES];
    assert_int_equal(mem_to_host(got, kernel, sizeof got), KOL_OK);
    for (int i = 0; i < FORCES; ++i) CHECK_NEAR(got[i], wanted[i], 1e5 * KOL_EPSILON);
}

/* The sums over segments in three stages; the third replaces the others. */
static void check_segments(int moves)
{
    struct world *w = world_make(moves);
    double wanted[FORCES], before[FORCES];
    for (int n = 0; n < FORCES; ++n) wanted[n] = before[n] = NAN;
    double *total = case_kernel_copy(wanted, sizeof wanted), *old = case_kernel_copy(before, sizeof before);
    const struct body_surface s = {SEGMENTS, w->items.links, w->items.front,
                                   case_kernel_copy(LINK_START, sizeof LINK_START),
                                   case_kernel_copy(FRONT_START, sizeof FRONT_START)};
    for (int m = 0; m < 3; ++m) {
        const int keep = m == 1;
        const double a_old = m == 1 ? A_OLD : 0;
        assert_int_equal(body_force_rates(w->b, w->m, s, (real)NU, w->kernel, keep, A, a_old, old, total),
                         KOL_OK);
        assert_int_equal(body_force_drag(w->b, w->m, s, w->points, (real)DTS, w->kernel, total), KOL_OK);
        assert_int_equal(body_force_pressure(w->b, w->m, s, (real)DTS, w->kernel[3], w->kernel[X], total),
                         KOL_OK);
        double rate[FORCES] = {0}, stage[FORCES] = {0};
        for (int n = 0; n < SEGMENTS; ++n) {
            double *r = rate + n * BODY_FORCES, *f = stage + n * BODY_FORCES;
            for (int l = LINK_START[n]; l < LINK_START[n + 1]; ++l) {
                const struct body_link *link = &w->link[l];
                const struct slow slow = slow_rate(w, link);
                slow_add(r, BODY_VISCOUS, link->d, slow.viscous, link->arm);
                slow_add(r, BODY_CONVECTIVE, link->d, slow.convective, link->arm);
                slow_add(f, BODY_VISCOUS, link->d, slow_drag(w, link), link->arm);
            }
            for (int i = FRONT_START[n]; i < FRONT_START[n + 1]; ++i) {
                const struct body_front *front = &w->front[i];
                const int d = front->d;
                slow_add(f, BODY_PRESSURE, d,
                         -DTS * WIDTH[X] * WIDTH[Y] * WIDTH[Z] / WIDTH[d] *
                             (slow_pressure(w, front, 1) - slow_pressure(w, front, 0)),
                         front->arm);
            }
        }
        for (int q = 0; q < FORCES; ++q) {
            wanted[q] = (keep ? wanted[q] + a_old * before[q] : 0) + A * rate[q] + stage[q];
            before[q] = rate[q];
        }
        check_forces(old, before);
        check_forces(total, wanted);
    }
    mem_kernel_free(total);
    mem_kernel_free(old);
    mem_kernel_free((void *)(size_t)s.link_start);
    mem_kernel_free((void *)(size_t)s.front_start);
    world_free(w);
}

static void test_segments(void **state)
{
    (void)state;
    check_segments(1);
    check_segments(0);
}

/* Three stages: the second adds to the first, the third replaces both. */
static void test_stages(void **state)
{
    (void)state;
    struct world *w = world_make(1);
    double wanted[VALUES], before[LINKS], sum[VALUES];
    for (int n = 0; n < VALUES; ++n) wanted[n] = sum[n] = NAN;
    for (int n = 0; n < LINKS; ++n) before[n] = NAN;
    double *total = case_kernel_copy(wanted, sizeof wanted), *old = case_kernel_copy(before, sizeof before);
    for (int n = 0; n < VALUES; ++n) sum[n] = n;
    double *sums = case_kernel_copy(sum, sizeof sum);
    for (int m = 0; m < 3; ++m) {
        const int keep = m == 1;
        const double a_old = m == 1 ? A_OLD : 0;
        assert_int_equal(
            body_stress_rates(w->b, w->m, w->items, (real)NU, w->kernel, keep, A, a_old, old, total), KOL_OK);
        assert_int_equal(body_stress_drag(w->b, w->m, w->items, w->points, (real)DTS, w->kernel, total),
                         KOL_OK);
        assert_int_equal(body_stress_pressure(w->b, w->items, (real)DTS, w->kernel[3], w->kernel[X], total),
                         KOL_OK);
        for (int l = 0; l < LINKS; ++l) {
            const struct slow slow = slow_rate(w, &w->link[l]);
            const double rate = slow.viscous + slow.convective;
            wanted[l] = (keep ? wanted[l] + a_old * before[l] : 0) + A * rate + slow_drag(w, &w->link[l]);
            before[l] = rate;
        }
        for (int f = 0; f < FRONTS; ++f)
            for (int side = 0; side < 2; ++side) {
                double *here = &wanted[LINKS + 2 * f + side];
                *here = (keep ? *here : 0) + DTS * slow_pressure(w, &w->front[f], side);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages), cmocka_unit_test(test_segments)};
    return cmocka_run_group_tests_name("body_stress", tests, NULL, NULL);
}
