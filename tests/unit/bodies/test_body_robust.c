/* ranks: 1 2 */
/* Tests that any geometry gives lists that can be used: hundreds of random sets of bodies, among them
 * slivers, bodies that touch each other, walls of the domain and faces of cells, sets that fill the domain,
 * and bodies from a list. Catches a wall distance out of range, a wall without a body, a closed neighbour
 * without a wall, numbers that are not finite, and lines of a list that are read in spite of a fault. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

static int wrong_case(const struct input *in)
{
    struct domain dom;
    struct body_geometry *g = NULL;
    int wrong = body_case_domain(in, &self, whole, &dom) != KOL_OK;
    if (body_geometry_create(&dom, &g) != KOL_OK) {
        print_error("%s\n", status_message());
        status_clear();
        ++wrong;
    } else {
        wrong += wrong_lists(&dom, g) + wrong_report(&dom, g);
        const kol_status st = body_report_refuse(&dom, g);
        wrong += st != KOL_OK && st != KOL_ERR_INPUT;
        status_clear();
    }
    body_geometry_destroy(&g);
    body_case_close(&dom);
    return wrong;
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
        cmocka_unit_test_setup_teardown(test_lists, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "body_robust", tests);
}
