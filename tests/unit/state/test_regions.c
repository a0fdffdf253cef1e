/* ranks: 1 2 4 8 */
/* Tests the connected regions of cells against a flood fill of the whole grid, for random masks from nearly
 * closed to nearly open, with periodic and other boundaries. Catches a way across a rank or a periodic face
 * that is missed, one through a boundary, and numbers that depend on the ranks. */
#include <stdlib.h>
#include <string.h>
#include "solver/state/regions.h"
#include "tests/support/body_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { NX = 12, NY = 8, NZ = 16, CELLS = NX * NY * NZ };
static const int cells[3] = {NX, NY, NZ};

static int number(int i, int j, int k)
{
    return (k * NY + j) * NX + i;
}

/* Whether the upper face in direction d of a cell of the whole grid is open; share: of open faces in 16. */
static int random_open(int d, const int p[3], unsigned seed, int share)
{
    unsigned x = seed + 3u * (unsigned)number(p[0], p[1], p[2]) + (unsigned)d;
    for (int n = 0; n < 3; ++n) {
        x ^= x >> 16;
        x *= 0x45d9f3bu;
    }
    return (int)(x >> 8 & 15) < share;
}

static int face_open(int side, const int p[3], unsigned seed, int share)
{
    int q[3] = {p[0], p[1], p[2]};
    if (side % 2 == 0) q[side / 2] = (q[side / 2] + cells[side / 2] - 1) % cells[side / 2];
    return random_open(side / 2, q, seed, share);
}

/* A fill from each cell in order; the list of cells to visit is a stack. */
static int fill(const int periodic[3], unsigned seed, int share, int *label, long long *count)
{
    static int stack[7 * CELLS];
    int regions = 0;
    for (int n = 0; n < CELLS; ++n) label[n] = -1;
    for (int n = 0; n < CELLS; ++n) {
        const int start[3] = {n % NX, n / NX % NY, n / (NX * NY)};
        int live = 0, top = 0;
        for (int side = 0; side < 6; ++side) live |= face_open(side, start, seed, share);
        if (!live || label[n] >= 0) continue;
        count[regions] = 0;
        stack[top++] = n;
        while (top > 0) {
            const int m = stack[--top], p[3] = {m % NX, m / NX % NY, m / (NX * NY)};
            if (label[m] >= 0) continue;
            label[m] = regions;
            ++count[regions];
            for (int side = 0; side < 6; ++side) {
                int q[3] = {p[0], p[1], p[2]};
                const int d = side / 2;
                q[d] += side % 2 ? 1 : -1;
                if (!periodic[d] && (q[d] < 0 || q[d] >= cells[d])) continue;
                q[d] = (q[d] + cells[d]) % cells[d];
                if (face_open(side, p, seed, share)) stack[top++] = number(q[0], q[1], q[2]);
            }
        }
        ++regions;
    }
    return regions;
}

static int compare(const struct domain *dom, const int periodic[3], unsigned seed, int share, int *most)
{
    static int label[CELLS];
    static long long count[CELLS];
    const struct box b = dom->grid.box;
    const int *offset = dom->decomp.offset, regions = fill(periodic, seed, share, label, count);
    unsigned char *open = calloc((size_t)b.size, 1);
    struct regions r;
    int wrong = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                for (int side = 0; side < 6; ++side) {
                    const int p[3] = {i + offset[0], j + offset[1], k + offset[2]};
                    open[at(b, i, j, k)] |= (unsigned char)(face_open(side, p, seed, share) << side);
                }
    wrong += regions_create(&dom->comm, &dom->decomp, &dom->grid, open, &r) != KOL_OK;
    wrong += r.count != regions || (regions > 0 && memcmp(r.cells, count, (size_t)regions * sizeof *count));
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i)
                wrong += r.label[(k * b.ny + j) * b.nx + i] !=
                         label[number(i + offset[0], j + offset[1], k + offset[2])];
    if (regions > *most) *most = regions;
    regions_destroy(&r);
    free(open);
    return wrong;
}

static void test_regions_are_those_of_a_flood_fill(void **state)
{
    (void)state;
    static const int layouts[7][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2},
                                      {2, 1, 2}, {1, 1, 4}, {2, 2, 2}};
    static const int boundaries[4][3] = {{1, 1, 1}, {1, 0, 1}, {0, 1, 0}, {0, 0, 0}};
    int wrong = 0, most = 0;
    for (int l = 0; l < 7; ++l) {
        if (layouts[l][0] * layouts[l][1] * layouts[l][2] != comm.size) continue;
        for (int n = 0; n < 4; ++n) {
            struct input in;
            struct domain dom;
            body_case_input(&in, cells, boundaries[n], 0);
            wrong += body_case_domain(&in, &comm, layouts[l], &dom) != KOL_OK;
            for (int share = 0; share <= 16; share += share < 6 ? 1 : 5)
                wrong += compare(&dom, boundaries[n], 5u * (unsigned)n, share, &most);
            body_case_close(&dom);
        }
    }
    CHECK_ALL(wrong == 0);
    CHECK_ALL(most > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_regions_are_those_of_a_flood_fill, setup, teardown)};
    return MPI_MAIN(argc, argv, "regions", tests);
}
