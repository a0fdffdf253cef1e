/* ranks: 1 2 4 */
/* Tests the picture of bodies: the file is a PNG of the right size whose check sums hold, its points show
 * fluid and body where a formula has them, and its bytes do not depend on the ranks. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/png.h"
#include "solver/bodies/body_picture.h"
#include "tests/support/body_case.h"
#include "tests/support/check.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

static const int cells[3] = {16, 8, 12}, periodic[3] = {1, 1, 1};
enum { PER_CELL = 16, HEAD = 8 + 25 + 8 + 2 }; /* bytes before the first row */

static unsigned char *load(const char *path, size_t *length)
{
    unsigned char *bytes = malloc(1 << 20);
    FILE *in = fopen(path, "rb");
    *length = in != NULL && bytes != NULL ? fread(bytes, 1, 1 << 20, in) : 0;
    if (in != NULL) fclose(in);
    return bytes;
}

static void draw(const struct comm *c, int rank, char *path, size_t size)
{
    struct input in;
    struct domain dom;
    struct body_geometry *g = NULL;
    const int any[3] = {0, 0, 0};
    int process = comm.rank == 0 ? (int)getpid() : 0;
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(path, size, "/tmp/test_picture_%d_%d.png", process, rank);
    body_case_input(&in, cells, periodic, 1);
    const double centre[3] = {in.grid.origin[0] + 0.1, 0.85, 1.0}, ball[3] = {0.7, 0, 0};
    body_case_add(&in, SHAPE_SPHERE, centre, ball);
    CHECK_ALL(body_case_domain(&in, c, any, &dom) == KOL_OK && body_geometry_create(&dom, &g) == KOL_OK);
    CHECK_ALL(body_picture_write(&dom, g, Y, 0.9, path) == KOL_OK);
    int wrong = 0;
    size_t length = 0;
    unsigned char *bytes = load(path, &length);
    const int width = cells[0] * PER_CELL, height = cells[2] * PER_CELL;
    wrong += length != HEAD + (size_t)height * (6 + 3 * (size_t)width) + 8 + 12 ||
             memcmp(bytes, "\x89PNG\r\n\x1a\n", 8);
    for (int y = 0; y < height && !wrong; ++y)
        for (int x = 0; x < width; ++x) {
            const unsigned char *p = bytes + HEAD + (size_t)y * (6 + 3 * (size_t)width) + 6 + 3 * (size_t)x;
            const int i = x / PER_CELL, k = (height - 1 - y) / PER_CELL;
            const double *fx = dom.grid.face[0], *fz = dom.grid.face[2];
            const double at_x = fx[i] + (fx[i + 1] - fx[i]) * (x % PER_CELL + 0.5) / PER_CELL,
                         at_z = fz[k] + (fz[k + 1] - fz[k]) * ((height - 1 - y) % PER_CELL + 0.5) / PER_CELL;
            const double place[3] = {at_x, 0.9, at_z};
            const int solid = body_case_solid(&in, place, 1e-9);
            if (p[0] == 0 && p[1] == 0 && p[2] == 0) continue; /* a closed face */
            if (solid >= 0) wrong += (p[0] == 255) == solid;
        }
    CHECK_ALL(wrong == 0);
    free(bytes);
    status_clear();
    CHECK_ALL(body_picture_write(&dom, g, Y, 99, path) == KOL_ERR_INPUT);
    CHECK_ALL(body_picture_write(&dom, g, Y, 0.9, "/no/such/folder.png") == KOL_ERR_IO);
    status_clear();
    body_geometry_destroy(&g);
    body_case_close(&dom);
}

static void test_picture(void **state)
{
    (void)state;
    char all[64], own[64];
    size_t length[2];
    draw(&comm, -1, all, sizeof all);
    draw(&self, comm.rank, own, sizeof own);
    unsigned char *a = load(all, &length[0]), *b = load(own, &length[1]);
    CHECK_ALL(length[0] == length[1] && memcmp(a, b, length[0]) == 0);
    free(a);
    free(b);
    remove(own);
    MPI_Barrier(MPI_COMM_WORLD);
    if (comm.rank == 0 && getenv("KEEP_PICTURE") == NULL) remove(all);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_picture, setup, teardown)};
    return MPI_MAIN(argc, argv, "body_picture", tests);
}
