/* ranks: 1 2 4 8 */
/* Tests the geometry of bodies: open faces, wall distances and lists against a slow inside test and a search
 * along grid lines, for random bodies, cuts and intersections on uniform and stretched grids with periodic
 * and other boundaries. Catches an image that is missing across a periodic face, a wall that is not the
 * first, a face at the wrong place of its cell, and results that depend on the ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solver/bodies/body_geometry.h"
#include "tests/support/body_case.h"
#include "tests/support/check.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { SETS = 32 };
static const int cells[3] = {16, 12, 20};
static const int boundaries[4][3] = {{1, 1, 1}, {1, 0, 1}, {0, 1, 0}, {0, 0, 0}};

/* The point of component c at the local indices p, the whole grid being one part; with `step` links of it in
 * direction d. */
static void point(const struct domain *dom, int c, const int p[3], double x[3])
{
    const struct grid *g = &dom->grid;
    for (int d = 0; d < 3; ++d) {
        const int n = g->n_g[d];
        const double *values = c == d ? g->face[d] : g->centre[d];
        const int wrapped = g->periodic[d] ? (p[d] + 4 * n) % n : p[d];
        x[d] = values[wrapped];
    }
}

static int open_at(const struct domain *dom, const struct body_geometry *g, int bit, const int p[3])
{
    return g->open[at(dom->grid.box, p[0], p[1], p[2])] >> bit & 1;
}

/* Every bit of the own cells, and of the halo in periodic directions. */
static int wrong_bits(const struct input *in, const struct domain *dom, const struct body_geometry *g)
{
    int wrong = 0, p[3], from[3], to[3];
    for (int d = 0; d < 3; ++d) {
        from[d] = dom->grid.periodic[d] ? -KOL_HALO : 0;
        to[d] = dom->grid.n_g[d] - from[d];
    }
    for (p[2] = from[2]; p[2] < to[2]; ++p[2])
        for (p[1] = from[1]; p[1] < to[1]; ++p[1])
            for (p[0] = from[0]; p[0] < to[0]; ++p[0])
                for (int bit = 0; bit < FACES; ++bit) {
                    double x[3];
                    int q[3] = {p[0], p[1], p[2]};
                    q[bit / 2] += bit % 2;
                    point(dom, bit / 2, q, x);
                    const int solid = body_case_solid(in, x, 1e-11);
                    if (solid >= 0 && open_at(dom, g, bit, p) == solid) ++wrong;
                }
    return wrong;
}

/* Checks one wall by its definition: fluid before it, solid just behind it. A search along the line tests the
 * fluid; it misses solid that is thinner than its steps. */
static int wrong_wall(const struct input *in, const double x[3], int side, double link, double xi)
{
    enum { STEPS = 50 };
    double y[3] = {x[0], x[1], x[2]};
    const double sign = side % 2 ? link : -link;
    const int d = side / 2;
    for (int n = 1; n < STEPS; ++n) {
        const double t = (double)n / STEPS;
        y[d] = x[d] + sign * t;
        if (t < xi - 1e-9 && body_case_solid(in, y, 1e-11) == 1) return 1;
    }
    if (xi == 1 || xi == BODY_XI_LEAST) return 0; /* the neighbour or the face lies on the surface */
    for (double behind = 1e-9; behind < 2e-3; behind *= 4) {
        y[d] = x[d] + sign * (xi + behind);
        if (body_case_solid(in, y, 1e-13) == 1) return 0;
    }
    return 1;
}

static int wrong_walls(const struct input *in, const struct domain *dom, const struct body_geometry *g)
{
    int wrong = 0;
    for (int c = 0; c < 3; ++c)
        for (int n = 0; n < g->walls[c]; ++n) {
            const struct body_wall_face *w = &g->wall[c][n];
            double x[3];
            point(dom, c, w->cell, x);
            for (int side = 0; side < FACES; ++side) {
                if (w->body[side] < 0) continue;
                const int d = side / 2, i = w->cell[d] + side % 2;
                const double link =
                    c == d ? grid_width(&dom->grid, d, i - 1) : grid_centre_distance(&dom->grid, d, i);
                wrong += w->body[side] >= g->bodies || wrong_wall(in, x, side, link, w->xi[side]);
            }
        }
    return wrong;
}

/* The lists hold the faces that the header describes, found here in another way: by counting. */
static int wrong_counts(const struct domain *dom, const struct body_geometry *g)
{
    int wrong = 0;
    for (int c = 0; c < 3; ++c) {
        int walls = 0, closeds = 0, p[3];
        for (p[2] = 0; p[2] <= cells[2]; ++p[2])
            for (p[1] = 0; p[1] <= cells[1]; ++p[1])
                for (p[0] = 0; p[0] <= cells[0]; ++p[0]) {
                    int beside = 0, live = 0, own = 1;
                    for (int d = 0; d < 3; ++d) own &= p[d] < cells[d] || (d == c && !dom->grid.periodic[d]);
                    if (!own) continue;
                    for (int n = 0; n < 27; ++n) {
                        const int q[3] = {p[0] + n % 3 - 1, p[1] + n / 3 % 3 - 1, p[2] + n / 9 - 1};
                        for (int bit = 0; bit < FACES; ++bit) live |= open_at(dom, g, bit, q);
                    }
                    for (int side = 0; side < FACES; ++side) {
                        int q[3] = {p[0], p[1], p[2]};
                        const int d = side / 2;
                        q[d] += side % 2 ? 1 : -1;
                        if (!dom->grid.periodic[d] && d != c && (q[d] < 0 || q[d] >= cells[d])) continue;
                        beside |= !open_at(dom, g, 2 * c, q);
                    }
                    const int boundary = !dom->grid.periodic[c] && (p[c] == 0 || p[c] == cells[c]);
                    if (!open_at(dom, g, 2 * c, p)) closeds += live;
                    else walls += beside && !boundary;
                }
        wrong += walls != g->walls[c] || closeds != g->closeds[c];
    }
    return wrong;
}

static void test_random_bodies_against_a_slow_test(void **state)
{
    (void)state;
    int bits = 0, walls = 0, counts = 0, faces = 0;
    if (comm.size != 2)
        skip(); /* ranks share the sets, whose grids are of one rank each: others find no more */
    for (int n = comm.rank; n < SETS; n += comm.size) {
        struct input in;
        struct domain dom;
        struct body_geometry *g = NULL;
        unsigned seed = 1000u + (unsigned)n;
        body_case_input(&in, cells, boundaries[n % 4], n / 4 % 2);
        body_case_random(&in, &seed, 1 + n % 5);
        counts += body_case_domain(&in, &self, whole, &dom) != KOL_OK;
        if (body_geometry_create(&dom, &g) != KOL_OK) ++counts;
        else {
            bits += wrong_bits(&in, &dom, g);
            walls += wrong_walls(&in, &dom, g);
            counts += wrong_counts(&dom, g);
            faces += g->walls[0] + g->walls[1] + g->walls[2];
        }
        body_geometry_destroy(&g);
        body_case_close(&dom);
    }
    CHECK_ALL(bits == 0);
    CHECK_ALL(walls == 0);
    CHECK_ALL(counts == 0);
    CHECK_ALL(faces > 100);
}

static int same_wall(const struct body_wall_face *a, const struct body_wall_face *b)
{
    return memcmp(a->cell, b->cell, sizeof a->cell) == 0 && memcmp(a->xi, b->xi, sizeof a->xi) == 0 &&
           memcmp(a->body, b->body, sizeof a->body) == 0;
}

/* Compares a part with the whole grid on one rank. */
static int differs(const struct domain *part, const struct body_geometry *a, const struct domain *all,
                   const struct body_geometry *b)
{
    const int *n = part->decomp.n, *offset = part->decomp.offset;
    int wrong = a->live_cells != b->live_cells || a->bodies != b->bodies;
    for (int k = -KOL_HALO; k < n[2] + KOL_HALO; ++k)
        for (int j = -KOL_HALO; j < n[1] + KOL_HALO; ++j)
            for (int i = -KOL_HALO; i < n[0] + KOL_HALO; ++i) {
                const int p[3] = {i, j, k};
                int q[3];
                for (int d = 0; d < 3; ++d) {
                    q[d] = p[d] + offset[d];
                    if (all->grid.periodic[d]) q[d] = (q[d] + cells[d]) % cells[d];
                }
                wrong += a->open[at(part->grid.box, i, j, k)] != b->open[at(all->grid.box, q[0], q[1], q[2])];
            }
    for (int c = 0; c < 3; ++c) {
        int m = 0, mc = 0;
        for (int w = 0; w < b->walls[c]; ++w) {
            struct body_wall_face face = b->wall[c][w];
            int own = 1;
            for (int d = 0; d < 3; ++d) {
                face.cell[d] -= offset[d];
                own &= face.cell[d] >= 0 && face.cell[d] < n[d];
            }
            if (own && m < a->walls[c]) wrong += !same_wall(&face, &a->wall[c][m]);
            m += own;
        }
        for (int w = 0; w < b->closeds[c]; ++w) {
            struct body_closed_face face = b->closed[c][w];
            int own = 1;
            for (int d = 0; d < 3; ++d) {
                const int end = c == d && !all->grid.periodic[d] && offset[d] + n[d] == cells[d];
                face.cell[d] -= offset[d];
                own &= face.cell[d] >= 0 && face.cell[d] < n[d] + end;
            }
            if (own && mc < a->closeds[c]) wrong += memcmp(&face, &a->closed[c][mc], sizeof face) != 0;
            mc += own;
        }
        wrong += m != a->walls[c] || mc != a->closeds[c];
    }
    return wrong;
}

static void test_any_ranks_give_the_same_bits(void **state)
{
    (void)state;
    static const int layouts[6][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 1, 2}, {2, 2, 2}};
    for (int l = 0; l < 6; ++l) {
        if (layouts[l][0] * layouts[l][1] * layouts[l][2] != comm.size) continue;
        int wrong = 0;
        for (int n = 0; n < 8; ++n) {
            struct input in;
            struct domain part, all;
            struct body_geometry *a = NULL, *b = NULL;
            unsigned seed = 77u + (unsigned)n;
            body_case_input(&in, cells, boundaries[n % 4], n / 4 % 2);
            body_case_random(&in, &seed, 4);
            wrong += body_case_domain(&in, &comm, layouts[l], &part) != KOL_OK;
            wrong += body_case_domain(&in, &self, whole, &all) != KOL_OK;
            wrong += body_geometry_create(&part, &a) != KOL_OK;
            wrong += body_geometry_create(&all, &b) != KOL_OK;
            wrong += differs(&part, a, &all, b);
            body_geometry_destroy(&a);
            body_geometry_destroy(&b);
            body_case_close(&part);
            body_case_close(&all);
        }
        CHECK_ALL(wrong == 0);
    }
}

/* A box on grid faces: its faces are closed, walls lie at half a link beside it, and at a whole one before
 * it. */
static void test_box_on_grid_faces(void **state)
{
    (void)state;
    static const int periodic[3] = {1, 1, 1};
    struct input in;
    struct domain dom;
    struct body_geometry *g = NULL;
    int closed = 0, wrong = 0;
    body_case_input(&in, cells, periodic, 0);
    const double *l = in.grid.length, *o = in.grid.origin;
    const double centre[3] = {o[0], o[1] + l[1] * 5 / 12, o[2] + l[2] * 0.5};
    const double size[3] = {l[0] / 4, l[1] * 4 / 12, l[2] * 4 / 20};
    body_case_add(&in, SHAPE_BOX, centre, size);
    CHECK_ALL(body_case_domain(&in, &self, whole, &dom) == KOL_OK);
    CHECK_ALL(body_geometry_create(&dom, &g) == KOL_OK);
    for (int k = 0; k < cells[2]; ++k)
        for (int j = 0; j < cells[1]; ++j)
            for (int i = 0; i < cells[0]; ++i) {
                const int inside = (i < 2 || i >= 14) && j >= 3 && j < 7 && k >= 8 && k < 12;
                const unsigned char bits = g->open[at(dom.grid.box, i, j, k)];
                closed += bits == 0;
                wrong += inside && bits != 0;
                wrong += !inside && i == 2 && j >= 3 && j < 7 && k >= 8 && k < 12 && (bits & 1) != 0;
            }
    for (int n = 0; n < g->walls[X]; ++n)
        for (int side = 0; side < FACES; ++side) {
            const double xi = g->wall[X][n].xi[side];
            if (g->wall[X][n].body[side] >= 0) wrong += fabs(xi - (side < 2 ? 1 : 0.5)) > 1e-9;
        }
    CHECK_ALL(closed == 4 * 4 * 4 && wrong == 0);
    CHECK_ALL(g->live_cells == (long long)cells[0] * cells[1] * cells[2] - 64);
    body_geometry_destroy(&g);
    body_case_close(&dom);
}

/* The surface of a turned cylinder that crosses a periodic face turns about its own axis. */
static void test_velocity_of_a_turning_surface(void **state)
{
    (void)state;
    static const int periodic[3] = {1, 1, 1};
    struct input in;
    struct domain dom;
    struct body_geometry *g = NULL;
    body_case_input(&in, cells, periodic, 0);
    const double centre[3] = {in.grid.origin[0], 0.8, 0.9}, size[3] = {0.4, 0.3, 0};
    const int b = body_case_add(&in, SHAPE_CYLINDER, centre, size);
    in.bodies.angles[b][0] = 90; /* the axis z becomes -y */
    in.bodies.motion[b] = MOTION_ROTATE;
    in.bodies.rotation[b] = 3;
    CHECK_ALL(body_case_domain(&in, &self, whole, &dom) == KOL_OK);
    CHECK_ALL(body_geometry_create(&dom, &g) == KOL_OK);
    const double x[3] = {centre[0] - 0.1 + in.grid.length[0], 0.75, 0.9 + 0.2};
    double u[3];
    body_geometry_velocity(g, 0, x, u);
    /* (0, -3, 0) x (-0.1, ., 0.2) */
    CHECK_ALL(fabs(u[0] + 0.6) < 1e-12 && fabs(u[1]) < 1e-12 && fabs(u[2] + 0.3) < 1e-12);
    body_geometry_destroy(&g);
    body_case_close(&dom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_bodies_against_a_slow_test, setup, teardown),
        cmocka_unit_test_setup_teardown(test_any_ranks_give_the_same_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_box_on_grid_faces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_velocity_of_a_turning_surface, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "body_geometry", tests);
}
