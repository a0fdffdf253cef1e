/* ranks: 1 2 4 8 */
/* Tests bodies given by a level set on nodes: faces are open where the mean of four nodes is positive, and
 * walls lie where the level set is 0 on the line between two face centres, computed here from the numbers in
 * the file; on stretched grids, across periodic faces, with any number of ranks; and files that are refused.
 * Catches a node of the wrong cell, and a part of another rank. */
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "solver/bodies/body_geometry.h"
#include "tests/support/body_case.h"
#include "tests/support/check.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { NX = 16, NY = 8, NZ = 16 };
static const int cells[3] = {NX, NY, NZ};
static double value[NZ + 1][NY + 1][NX + 1];
static char file[64];

/* Fills the nodes with a smooth random function that is periodic where the grid is. */
static void fill(const int periodic[3], unsigned seed)
{
    double phase[6];
    for (int n = 0; n < 6; ++n) phase[n] = 6.3 * body_case_unit(&seed);
    for (int k = 0; k <= NZ; ++k)
        for (int j = 0; j <= NY; ++j)
            for (int i = 0; i <= NX; ++i) {
                const double x = 2 * M_PI * (periodic[0] ? i % NX : i) / NX,
                             y = 2 * M_PI * (periodic[1] ? j % NY : j) / NY,
                             z = 2 * M_PI * (periodic[2] ? k % NZ : k) / NZ;
                value[k][j][i] = 0.1 + sin(x + phase[0]) * cos(y + phase[1]) + 0.7 * cos(z + phase[2]) +
                                 0.3 * sin(2 * x + phase[3]) * sin(2 * z + phase[4]);
            }
}

static void write_file(const char *dataset, hsize_t nx)
{
    const hsize_t size[3] = {NZ + 1, NY + 1, nx};
    int failed = 0;
    snprintf(file, sizeof file, "/tmp/test_level_set_%d.h5", comm.rank == 0 ? (int)getpid() : 0);
    MPI_Bcast(file, sizeof file, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (comm.rank == 0) {
        const hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(3, size, NULL);
        const hid_t set =
            H5Dcreate2(f, dataset, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        failed = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0;
        H5Dclose(set);
        H5Sclose(space);
        H5Fclose(f);
    }
    CHECK_ALL(!failed);
}

/* The level set at the global face p of component c; p may lie outside a periodic grid. */
static double at_face(int c, const int p[3])
{
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    double sum = 0;
    for (int n = 0; n < 4; ++n) {
        int q[3] = {(p[0] + cells[0]) % cells[0], (p[1] + cells[1]) % cells[1], (p[2] + cells[2]) % cells[2]};
        q[a] += n & 1;
        q[b] += n >> 1;
        sum += value[q[2]][q[1]][q[0]];
    }
    return sum / 4;
}

static int wrong_faces(const struct domain *dom, const struct body_geometry *g, int *walls)
{
    const int *o = dom->decomp.offset;
    int wrong = 0, p[3];
    for (p[2] = 0; p[2] < dom->decomp.n[2]; ++p[2])
        for (p[1] = 0; p[1] < dom->decomp.n[1]; ++p[1])
            for (p[0] = 0; p[0] < dom->decomp.n[0]; ++p[0])
                for (int c = 0; c < 3; ++c) {
                    const int q[3] = {p[0] + o[0], p[1] + o[1], p[2] + o[2]};
                    const double d = at_face(c, q);
                    const int open = g->open[at(dom->grid.box, p[0], p[1], p[2])] >> (2 * c) & 1;
                    if (fabs(d) > 1e-12) wrong += open != (d > 0);
                }
    for (int c = 0; c < 3; ++c)
        for (int n = 0; n < 6 * g->walls[c]; ++n) {
            const struct body_wall_face *w = &g->wall[c][n / 6];
            const int s = n % 6;
            int q[3], next[3];
            if (w->body[s] < 0) continue;
            for (int d = 0; d < 3; ++d) q[d] = next[d] = w->cell[d] + o[d];
            next[s / 2] += s % 2 ? 1 : -1;
            const double here = at_face(c, q), there = at_face(c, next);
            wrong += there > 1e-12 || fabs(w->xi[s] - fmax(here / (here - there), BODY_XI_LEAST)) > 1e-9;
            ++*walls;
        }
    return wrong;
}

static void test_faces_and_walls(void **state)
{
    (void)state;
    static const int layouts[6][3] = {{1, 1, 1}, {2, 1, 1}, {1, 1, 2}, {2, 1, 2}, {1, 1, 4}, {2, 2, 2}};
    static const int boundaries[3][3] = {{1, 1, 1}, {1, 0, 1}, {1, 1, 1}};
    static const double zero[3] = {0, 0, 0};
    int wrong = 0, walls = 0;
    for (int l = 0; l < 6; ++l)
        for (int n = 0; n < 3; ++n) {
            struct input in;
            struct domain dom;
            struct body_geometry *g = NULL;
            if (layouts[l][0] * layouts[l][1] * layouts[l][2] != comm.size) continue;
            body_case_input(&in, cells, boundaries[n], n == 2);
            body_case_add(&in, SHAPE_LEVELSET, zero, zero);
            fill(boundaries[n], 3u + (unsigned)n);
            write_file("level_set", NX + 1);
            snprintf(in.bodies.file[0], sizeof in.bodies.file[0], "%s", file);
            CHECK_ALL(body_case_domain(&in, &comm, layouts[l], &dom) == KOL_OK);
            CHECK_ALL(body_geometry_create(&dom, &g) == KOL_OK);
            wrong += wrong_faces(&dom, g, &walls);
            body_geometry_destroy(&g);
            body_case_close(&dom);
            if (comm.rank == 0) remove(file);
        }
    CHECK_ALL(wrong == 0);
    CHECK_ALL(walls > 20);
}

/* Whether a file is refused with these words. */
static int refused(const char *words)
{
    static const int periodic[3] = {1, 1, 1}, any[3] = {0, 0, 0};
    static const double zero[3] = {0, 0, 0};
    struct input in;
    struct domain dom;
    struct body_geometry *g = NULL;
    body_case_input(&in, cells, periodic, 0);
    body_case_add(&in, SHAPE_LEVELSET, zero, zero);
    snprintf(in.bodies.file[0], sizeof in.bodies.file[0], "%s", file);
    CHECK_ALL(body_case_domain(&in, &comm, any, &dom) == KOL_OK);
    const kol_status st = body_geometry_create(&dom, &g);
    const int right = st == KOL_ERR_INPUT && strstr(status_message(), words) != NULL;
    if (!right) print_error("wanted '%s', got '%s'\n", words, status_message());
    status_clear();
    body_geometry_destroy(&g);
    body_case_close(&dom);
    MPI_Barrier(MPI_COMM_WORLD);
    return right;
}

static void test_bad_files_are_refused(void **state)
{
    (void)state;
    static const int periodic[3] = {1, 1, 1};
    fill(periodic, 1);
    write_file("phi", NX + 1);
    CHECK_ALL(refused("no dataset level_set"));
    write_file("level_set", NX);
    CHECK_ALL(refused("shape (17, 9, 16)"));
    value[5][3][7] = NAN;
    write_file("level_set", NX + 1);
    CHECK_ALL(refused("is not finite"));
    if (comm.rank == 0 && truncate(file, 100) != 0) abort();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ALL(refused("no HDF5 file"));
    if (comm.rank == 0) remove(file);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ALL(refused("can't be opened"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_faces_and_walls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_files_are_refused, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "level_set", tests);
}
