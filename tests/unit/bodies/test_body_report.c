/* ranks: 1 2 4 */
/* Tests the conclusions on bodies: gaps, walls and the solid share of slabs, spheres and hollow bodies that
 * are known exactly, regions of fluid, and what is refused: bodies that the grid does not resolve, walls
 * thinner than a cell, sealed inflows, bodies in open faces. Catches a measure that depends on the ranks, a
 * wall that leaks without a word, and spheres or edges of cubes that are taken for thin walls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solver/bodies/body_report.h"
#include "tests/support/body_case.h"
#include "tests/support/check.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

static const int cells[3] = {24, 16, 32}, periodic[3] = {1, 1, 1};

/* outcome: what a geometry leads to. */
struct outcome {
    kol_status made, refused;
    char message[1024];
    struct body_report report;
    double share;
    int regions;
    long long cells[2];
};

static struct outcome run(const struct input *in)
{
    struct outcome out;
    struct domain dom;
    struct body_geometry *g = NULL;
    const int any[3] = {0, 0, 0};
    memset(&out, 0, sizeof out);
    if (body_case_domain(in, &comm, any, &dom) != KOL_OK) abort();
    out.made = body_geometry_create(&dom, &g);
    if (out.made == KOL_OK) {
        out.refused = body_report_refuse(&dom, g);
        snprintf(out.message, sizeof out.message, "%s", out.refused == KOL_OK ? "" : status_message());
        status_clear();
        if (body_report_create(&dom, g, &out.report) != KOL_OK) abort();
        out.regions = out.report.regions.count;
        for (int n = 0; n < 2 && n < out.regions; ++n) out.cells[n] = out.report.regions.cells[n];
        char *text = body_report_text(g, &out.report);
        if (text == NULL || strstr(text, "solid share") == NULL) abort();
        free(text);
        body_report_destroy(&out.report);
    }
    body_geometry_destroy(&g);
    body_case_close(&dom);
    return out;
}

static double h(const struct input *in, int d)
{
    return in->grid.length[d] / in->grid.n[d];
}

/* A slab through the box, normal to z, from one height in cells to another, turned by an angle about x. */
static int slab(struct input *in, double from, double to, double angle)
{
    const double middle = 0.5 * (from + to) * h(in, 2);
    const double centre[3] = {in->grid.origin[0] + in->grid.length[0] / 2,
                              in->grid.origin[1] + in->grid.length[1] / 2, in->grid.origin[2] + middle};
    const double size[3] = {2 * in->grid.length[0], 2 * in->grid.length[1], (to - from) * h(in, 2)};
    const int b = body_case_add(in, SHAPE_BOX, centre, size);
    in->bodies.angles[b][0] = angle;
    return b;
}

static void test_gaps_and_walls_of_slabs(void **state)
{
    (void)state;
    struct input in;
    struct outcome o;
    body_case_input(&in, cells, periodic, 0);
    slab(&in, 3.2, 8.9, 0);
    slab(&in, 11.3, 15.6, 0);
    o = run(&in);
    CHECK_ALL(o.made == KOL_OK && o.refused == KOL_OK && o.regions == 2);
    CHECK_ALL(o.cells[0] == 24 * 16 * (4 + 32 - 15) && o.cells[1] == 24 * 16 * 4);
    struct domain dom;
    struct body_geometry *g = NULL;
    struct body_report r;
    const int any[3] = {0, 0, 0};
    CHECK_ALL(body_case_domain(&in, &comm, any, &dom) == KOL_OK);
    CHECK_ALL(body_geometry_create(&dom, &g) == KOL_OK && body_report_create(&dom, g, &r) == KOL_OK);
    CHECK_ALL_BELOW(fabs(r.gap - (11.3 - 8.9)), 1e-9);
    CHECK_ALL_BELOW(fabs(r.wall - (15.6 - 11.3)), 1e-9);
    CHECK_ALL_BELOW(fabs(r.solid_share - 10.0 / 32), 0.25 / 32);
    CHECK_ALL_BELOW(fabs(r.across[0] - 5.7 * h(&in, 2) / h(&in, 1)), 1e-9);
    body_report_destroy(&r);
    body_geometry_destroy(&g);
    body_case_close(&dom);
}

static void test_shares_and_regions(void **state)
{
    (void)state;
    struct input in;
    struct domain dom;
    struct body_geometry *g = NULL;
    struct body_report r;
    const int any[3] = {0, 0, 0};
    body_case_input(&in, cells, periodic, 1);
    const double centre[3] = {in.grid.origin[0], 0.8, 1.0}, size[3] = {0.9, 0, 0}, inner[3] = {0.4, 0.3, 0.5};
    body_case_add(&in, SHAPE_SPHERE, centre, size);
    const int b = body_case_add(&in, SHAPE_ELLIPSOID, centre, inner);
    in.bodies.operation[b] = OPERATION_CUT;
    CHECK_ALL(body_case_domain(&in, &comm, any, &dom) == KOL_OK);
    CHECK_ALL(body_geometry_create(&dom, &g) == KOL_OK && body_report_create(&dom, g, &r) == KOL_OK);
    const double solid = g->body[0].volume - g->body[1].volume;
    CHECK_ALL_BELOW(fabs(r.solid_share * 1.3 * 1.1 * 1.7 / solid - 1), 3e-3);
    CHECK_ALL(r.regions.count == 2 && r.regions.cells[0] + r.regions.cells[1] == g->live_cells);
    body_report_destroy(&r);
    body_geometry_destroy(&g);
    body_case_close(&dom);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    struct input in;
    struct outcome o;
    const double centre[3] = {0.113, 0.771, 0.913};
    body_case_input(&in, cells, periodic, 0); /* a sphere between all face centres */
    const double speck[3] = {0.01, 0, 0};
    body_case_add(&in, SHAPE_SPHERE, centre, speck);
    o = run(&in);
    CHECK_ALL(o.refused == KOL_ERR_INPUT && strstr(o.message, "no face centre belongs to body 1") != NULL);
    for (int n = 0; n < 6; ++n) { /* plates of half a cell */
        const double angle = 15 * n;
        body_case_input(&in, cells, periodic, 0);
        slab(&in, 14.2, 14.7, angle);
        o = run(&in);
        CHECK_ALL(o.refused == KOL_ERR_INPUT);
        CHECK_ALL(n == 0 || strstr(o.message, "thinner than a cell, near ") != NULL);
        in.bodies.thin_walls = 1;
        o = run(&in);
        CHECK_ALL(n == 0 || o.refused == KOL_OK);
    }
    body_case_input(&in, cells, periodic, 0);
    slab(&in, -100, 100, 0);
    o = run(&in);
    CHECK_ALL(o.refused == KOL_ERR_INPUT && strstr(o.message, "no fluid") != NULL);
}

static void test_what_is_not_refused(void **state)
{
    (void)state;
    struct input in;
    int refused = 0;
    unsigned seed = 5;
    for (int n = 0; n < 40; ++n) {
        body_case_input(&in, cells, periodic, 0);
        const double d = 6 * h(&in, 1), sphere[3] = {d, 0, 0}, cube[3] = {d, d, d};
        double centre[3];
        for (int e = 0; e < 3; ++e) centre[e] = body_case_unit(&seed);
        body_case_add(&in, n % 2 ? SHAPE_SPHERE : SHAPE_BOX, centre, n % 2 ? sphere : cube);
        for (int e = 0; e < 3 && n % 2 == 0; ++e) in.bodies.angles[0][e] = 90 * body_case_unit(&seed);
        refused += run(&in).refused != KOL_OK;
    }
    CHECK_ALL(refused == 0);
}

static void test_sealed_inflow(void **state)
{
    (void)state;
    static const int along_z[3] = {1, 1, 0};
    for (int open = 0; open < 2; ++open) {
        struct input in;
        body_case_input(&in, cells, along_z, 0);
        in.boundary.face[4] = BOUNDARY_INFLOW;
        in.boundary.face[5] = BOUNDARY_OUTFLOW;
        in.boundary.velocity[4][2] = 1;
        slab(&in, 12.2, 16.7, 0);
        const double centre[3] = {0.5, 0.8, 0.8}, size[3] = {0.5, 0, 0};
        const int b = open ? body_case_add(&in, SHAPE_CYLINDER, centre, size) : 0;
        if (open) in.bodies.operation[b] = OPERATION_CUT;
        const struct outcome o = run(&in);
        CHECK_ALL(o.made == KOL_OK && o.regions == (open ? 1 : 2));
        CHECK_ALL(open ? o.refused == KOL_OK
                       : o.refused == KOL_ERR_INPUT && strstr(o.message, "inflow but no outflow") != NULL);
    }
}

/* A sphere in the inflow, the same outside the inflow's window, in the outflow, and between the two. */
static void test_covered_open_faces(void **state)
{
    (void)state;
    static const int along_z[3] = {1, 1, 0};
    static const struct {
        double place; /* of the sphere along z, part of the domain */
        int window;   /* whether the inflow has one, beside the sphere */
        const char *told;
    } tried[] = {{0, 0, "boundary.z_low = 'inflow'"},
                 {0, 1, NULL},
                 {1, 0, "boundary.z_high = 'outflow'"},
                 {0.5, 0, NULL}};
    for (int n = 0; n < 4; ++n) {
        struct input in;
        body_case_input(&in, cells, along_z, 0);
        in.boundary.face[4] = BOUNDARY_INFLOW;
        in.boundary.face[5] = BOUNDARY_OUTFLOW;
        in.boundary.velocity[4][2] = 1;
        const double x = in.grid.origin[0], y = in.grid.origin[1], wide = in.grid.length[0];
        const double centre[3] = {x + 0.3 * wide, y + 0.5 * in.grid.length[1],
                                  in.grid.origin[2] + tried[n].place * in.grid.length[2]};
        const double size[3] = {0.4 * wide, 0, 0};
        const double window[4] = {x + 0.6 * wide, x + wide, y, y + in.grid.length[1]};
        for (int e = 0; e < 4 && tried[n].window; ++e) in.boundary.window[4][e] = window[e];
        body_case_add(&in, SHAPE_SPHERE, centre, size);
        const struct outcome o = run(&in);
        CHECK_ALL(o.made == KOL_OK);
        CHECK_ALL(tried[n].told == NULL
                      ? o.refused == KOL_OK
                      : o.refused == KOL_ERR_INPUT && strstr(o.message, tried[n].told) != NULL);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gaps_and_walls_of_slabs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shares_and_regions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_not_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sealed_inflow, setup, teardown),
        cmocka_unit_test_setup_teardown(test_covered_open_faces, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "body_report", tests);
}
