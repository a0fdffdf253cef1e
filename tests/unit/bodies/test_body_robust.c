/* ranks: 1 2 */
/* Tests that any geometry gives lists that can be used: hundreds of random sets of bodies, among them
 * slivers, bodies that touch each other, walls of the domain and faces of cells, sets that fill the domain,
 * random packings and surfaces of triangles (KOLMO_TEST_CASES=n makes n of each), and bodies from a list.
 * Catches a wall distance out of range, a wall without a body, a closed neighbour without a wall, numbers
 * that are not finite, a share of a cell that depends on the cells beside it, a surface with a hole that is
 * taken, and lines of a list that are read in spite of a fault. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "kernels/base/constants.h"
#include "solver/bodies/body_measure.h"
#include "solver/bodies/body_report.h"
#include "tests/support/body_case.h"
#include "tests/support/check.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

static const int cells[3] = {12, 8, 10};
static const int boundaries[4][3] = {{1, 1, 1}, {1, 0, 1}, {0, 1, 0}, {0, 0, 0}};

static int wrong_lists(const struct domain *dom, const struct body_geometry *g)
{
    int wrong = 0;
    for (int c = 0; c < 3; ++c) {
        for (int n = 0; n < g->walls[c]; ++n) {
            int walls = 0;
            for (int s = 0; s < FACES; ++s) {
                const double xi = g->wall[c][n].xi[s];
                const int body = g->wall[c][n].body[s];
                wrong += !(xi >= BODY_XI_LEAST && xi <= 1) || body < -1 || body >= g->bodies;
                wrong += body < 0 && xi != 1;
                walls += body >= 0;
            }
            wrong += walls == 0;
        }
        for (int n = 0; n < g->closeds[c]; ++n)
            wrong += g->closed[c][n].body < 0 || g->closed[c][n].body >= g->bodies;
    }
    return wrong + (dom->grid.n_g[0] != cells[0]);
}

static int wrong_report(const struct domain *dom, const struct body_geometry *g)
{
    struct body_report r;
    int wrong = body_report_create(dom, g, &r) != KOL_OK;
    long long live = 0;
    if (wrong) return 1;
    for (int n = 0; n < r.regions.count; ++n) live += r.regions.cells[n];
    wrong += live != g->live_cells || !(r.solid_share >= 0 && r.solid_share <= 1 + 1e-9);
    wrong += !(r.gap >= 0) || !(r.wall >= 0) || !(g->thin.deepest >= 0 && g->thin.deepest <= 0.5 + 1e-9);
    body_report_destroy(&r);
    return wrong;
}

/* Cells measured in a row have the same shares as each of them alone. */
static int wrong_shares(const struct domain *dom, const struct body_geometry *g)
{
    int wrong = 0;
    for (int k = 0; k < cells[Z]; k += 3)
        for (int j = 0; j < cells[Y]; ++j) {
            double share[BODY_MEASURE_ROW], level[BODY_MEASURE_ROW], one[2];
            body_measure_cells(dom, g, (const int[3]){0, j, k}, cells[X], share, level);
            for (int i = 0; i < cells[X]; ++i) {
                body_measure_cells(dom, g, (const int[3]){i, j, k}, 1, &one[0], &one[1]);
                wrong += !(share[i] >= 0 && share[i] <= 1) || share[i] != one[0] || level[i] != one[1];
            }
        }
    return wrong;
}

/* may_fail: whether the geometry may be no geometry at all; *made counts those that are one. */
static int wrong_geometry(const struct input *in, int may_fail, int *made)
{
    struct domain dom;
    struct body_geometry *g = NULL;
    int wrong = body_case_domain(in, &self, whole, &dom) != KOL_OK;
    const kol_status made_it = body_geometry_create(&dom, &g);
    if (made_it != KOL_OK) {
        if (!may_fail || made_it != KOL_ERR_INPUT) {
            print_error("%s\n", status_message());
            ++wrong;
        }
        status_clear();
    } else {
        ++*made;
        wrong += wrong_lists(&dom, g) + wrong_report(&dom, g) + wrong_shares(&dom, g);
        const kol_status st = body_report_refuse(&dom, g);
        wrong += st != KOL_OK && st != KOL_ERR_INPUT;
        status_clear();
    }
    body_geometry_destroy(&g);
    body_case_close(&dom);
    return wrong;
}

static int wrong_case(const struct input *in)
{
    int made = 0;
    return wrong_geometry(in, 0, &made);
}

static void test_random_sets(void **state)
{
    (void)state;
    int wrong = 0;
    for (int n = comm.rank; n < 300; n += comm.size) {
        struct input in;
        unsigned seed = 9000u + (unsigned)n;
        body_case_input(&in, cells, boundaries[n % 4], n / 4 % 2);
        body_case_random(&in, &seed, 1 + n % 7);
        wrong += wrong_case(&in);
    }
    CHECK_ALL(wrong == 0);
}

/* Boxes and spheres whose surfaces lie on faces and centres of cells, on walls of the domain, or on each
 * other; some have almost no thickness. */
static void test_bodies_that_touch(void **state)
{
    (void)state;
    int wrong = 0;
    for (int n = comm.rank; n < 200; n += comm.size) {
        struct input in;
        unsigned seed = 500u + (unsigned)n;
        body_case_input(&in, cells, boundaries[n % 4], 0);
        for (int b = 0; b < 4; ++b) {
            double centre[3], size[3];
            for (int d = 0; d < 3; ++d) {
                const double half = in.grid.length[d] / cells[d] / 2;
                const int low = (int)(2 * cells[d] * body_case_unit(&seed)),
                          wide = 1 + (int)(8 * body_case_unit(&seed));
                centre[d] = in.grid.origin[d] + half * (low + 0.5 * wide);
                size[d] = half * wide * (body_case_unit(&seed) < 0.2 ? 1e-7 : 1);
            }
            const int round = body_case_unit(&seed) < 0.3;
            if (round) size[1] = size[2] = 0;
            const int added = body_case_add(&in, round ? SHAPE_SPHERE : SHAPE_BOX, centre, size);
            if (b > 0 && body_case_unit(&seed) < 0.3) in.bodies.operation[added] = OPERATION_CUT;
        }
        wrong += wrong_case(&in);
    }
    CHECK_ALL(wrong == 0);
}

/* How many packings and how many surfaces are made. */
static int cases(void)
{
    const char *text = getenv("KOLMO_TEST_CASES");
    return text != NULL ? atoi(text) : 200;
}

static void test_random_packings(void **state)
{
    (void)state;
    int wrong = 0, made = 0;
    for (int n = comm.rank; n < cases(); n += comm.size) {
        struct input in;
        unsigned seed = 70u + (unsigned)n;
        body_case_input(&in, cells, boundaries[n % 4], 0);
        in.packing.shape = n / 4 % 2 ? PACKING_SPHERE : PACKING_BOX;
        in.packing.count = 1 + (int)(10 * body_case_unit(&seed));
        in.packing.size = 0.1 + 0.3 * body_case_unit(&seed);
        in.packing.gap = 2 * body_case_unit(&seed) * body_case_unit(&seed);
        in.packing.seed = n;
        in.packing.align = in.packing.shape == PACKING_BOX && n % 3 == 0;
        wrong += wrong_geometry(&in, 1, &made); /* some do not fit */
    }
    CHECK_ALL(wrong == 0);
    CHECK_ALL(made > cases() / comm.size / 2);
}

enum { ROUND = 6, HIGH = 4, TRIANGLES = 2 * ROUND * (HIGH - 1) };

/* Writes a closed surface whose corners lie at random distances from the middle. hole: a triangle that is
 * left out; -1: none. */
static void write_star(const char *path, unsigned *seed, int hole)
{
    float p[HIGH + 1][ROUND][3];
    unsigned char head[84] = "solid";
    const uint32_t count = TRIANGLES - (hole >= 0);
    for (int j = 0; j <= HIGH; ++j)
        for (int i = 0; i < ROUND; ++i) {
            const double theta = PI * j / HIGH, phi = 2 * PI * i / ROUND, r = 0.15 + body_case_unit(seed);
            const int end = j == 0 || j == HIGH;
            p[j][i][0] = end ? 0 : (float)(r * sin(theta) * cos(phi));
            p[j][i][1] = end ? 0 : (float)(r * sin(theta) * sin(phi));
            p[j][i][2] = end ? (j == 0 ? 0.4f : -0.3f) : (float)(r * cos(theta));
        }
    memcpy(head + 80, &count, sizeof count);
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(head, 1, sizeof head, out) != sizeof head) abort();
    for (int j = 0, n = 0; j < HIGH; ++j)
        for (int i = 0; i < ROUND; ++i)
            for (int half = 0; half < 2; ++half) {
                const int to = (i + 1) % ROUND;
                unsigned char triangle[50] = {0};
                if (j == (half ? 0 : HIGH - 1)) continue; /* it has no size at an end */
                memcpy(triangle + 12, p[j][i], 12);
                memcpy(triangle + 24, p[j + 1][half ? to : i], 12);
                memcpy(triangle + 36, half ? p[j][to] : p[j + 1][to], 12);
                if (n++ != hole && fwrite(triangle, 1, sizeof triangle, out) != sizeof triangle) abort();
            }
    fclose(out);
}

static void test_random_surfaces(void **state)
{
    (void)state;
    enum { HOLED = 10 };
    char path[64];
    int wrong = 0, made = 0, holed = 0;
    snprintf(path, sizeof path, "/tmp/test_bodies_%d_%d.stl", (int)getpid(), comm.rank);
    for (int n = comm.rank; n < cases(); n += comm.size) {
        struct input in;
        unsigned seed = 3000u + (unsigned)n;
        double centre[3], size[3] = {0.3 + 0.7 * body_case_unit(&seed), 0, 0};
        int taken = 0;
        const int hole = n / 4 % HOLED == 0 ? (int)(TRIANGLES * body_case_unit(&seed)) : -1;
        write_star(path, &seed, hole);
        body_case_input(&in, cells, boundaries[n % 4], n / 4 % 2);
        for (int d = 0; d < 3; ++d) centre[d] = in.grid.origin[d] + in.grid.length[d] * body_case_unit(&seed);
        const int b = body_case_add(&in, SHAPE_STL, centre, size);
        for (int d = 0; d < 3; ++d) in.bodies.angles[b][d] = 360 * body_case_unit(&seed) - 180;
        snprintf(in.bodies.file[b], sizeof in.bodies.file[b], "%s", path);
        wrong += wrong_geometry(&in, hole >= 0, &taken);
        made += hole < 0 && taken;
        holed += hole >= 0 && taken;
    }
    remove(path);
    CHECK_ALL(wrong == 0);
    CHECK_ALL(holed == 0);
    CHECK_ALL(made > cases() / comm.size / 2);
}

static kol_status with_list(const char *text, int *bodies, char *message, size_t size)
{
    struct input in;
    struct domain dom;
    struct body_geometry *g = NULL;
    snprintf(message, size, "/tmp/test_bodies_%d_%d.txt", (int)getpid(), comm.rank);
    FILE *out = fopen(message, "w");
    if (out == NULL || fputs(text, out) < 0) abort();
    fclose(out);
    body_case_input(&in, cells, boundaries[0], 0);
    snprintf(in.bodies_list.file, sizeof in.bodies_list.file, "%s", message);
    if (body_case_domain(&in, &self, whole, &dom) != KOL_OK) abort();
    const kol_status st = body_geometry_create(&dom, &g);
    *bodies = g != NULL ? g->bodies : 0;
    remove(message);
    snprintf(message, size, "%s", st == KOL_OK ? g->body[0].text : status_message());
    status_clear();
    body_geometry_destroy(&g);
    body_case_close(&dom);
    return st;
}

static void test_lists(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"# a\ncube 0 0 0 1 1 1\n", ".txt:2: error: 'cube' is no shape"},
        {"sphere 0 0 0 1 0\n", ".txt:1: error: after the shape stand"},
        {"sphere 0 0 0 1 0 0 x\n", ".txt:1: error: after the shape stand"},
        {"box 0 0 0 1 1 1\nsphere 0 0 0 0 0 0\n", ".txt:2: error: size 1 is 0: the shape 'sphere' needs"},
        {"sphere 0 0 0 1 2 0\n", ".txt:1: error: size 2 is 2: it has no effect"},
        {"sphere 0 0 nan 1 0 0\n", ".txt:1: error: after the shape stand"},
        {"# nothing\n", "has no body"}};
    char message[2048];
    int bodies, good = 1;
    good &= with_list("# two\n\n sphere 0.1, 0.5, 0.4  0.3 0 0 # a ball\nbox 1 1 1 0.5 0.4 0.3 10 20 30\n",
                      &bodies, message, sizeof message) == KOL_OK;
    good &= bodies == 2 && strcmp(message, "sphere, diameter 0.3, centre 0.1, 0.5, 0.4") == 0;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; ++n) {
        const kol_status st = with_list(bad[n][0], &bodies, message, sizeof message);
        if (st != KOL_ERR_INPUT || strstr(message, bad[n][1]) == NULL) print_error("got '%s'\n", message);
        good &= st == KOL_ERR_INPUT && strstr(message, bad[n][1]) != NULL;
    }
    CHECK_ALL(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_sets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bodies_that_touch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_packings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_surfaces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lists, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "body_robust", tests);
}
