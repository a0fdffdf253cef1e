/* Tests the decomposition. Every cell has one owner, limits between ranks lie between blocks, ranks agree
 * on who their neighbours are, the chosen layout is the best one, and layouts that do not fit are refused.
 * No MPI: this process takes the place of each rank in turn. */
#include <stdlib.h>
#include "solver/parallel/decomp.h"
#include "tests/support/check.h"

static const int grids[][3] = {{8, 8, 8}, {7, 9, 11}, {64, 48, 20}, {130, 5, 2}, {4, 4, 4}, {16, 96, 33}};
enum { GRIDS = sizeof grids / sizeof *grids };

/* Every cell of the grid is owned once; blocks, offsets and cells of a rank agree. */
static void check_cover(const int n_g[3], const int ranks[3], int size)
{
    const size_t cells = (size_t)n_g[X] * (size_t)n_g[Y] * (size_t)n_g[Z];
    unsigned char *owners = calloc(cells, 1);
    int most[3] = {0, 0, 0};
    struct decomp d;
    for (int r = 0; r < size; ++r) {
        assert_int_equal(decomp_create(n_g, ranks, size, r, &d), KOL_OK);
        assert_int_equal(d.ranks[X] * d.ranks[Y] * d.ranks[Z], size);
        assert_int_equal((d.coord[Z] * d.ranks[Y] + d.coord[Y]) * d.ranks[X] + d.coord[X], r);
        for (int i = 0; i < 3; ++i) {
            if (d.n[i] > most[i]) most[i] = d.n[i];
            assert_int_equal(d.n_g[i], n_g[i]);
            if (ranks[i] > 0) assert_int_equal(d.ranks[i], ranks[i]);
            assert_true(d.n[i] > 0 && d.offset[i] >= 0 && d.offset[i] + d.n[i] <= n_g[i]);
            assert_true(d.blocks[i] > 0 && d.first_block[i] + d.blocks[i] <= d.blocks_g[i]);
            assert_int_equal(decomp_block_start(&d, i, d.first_block[i]), d.offset[i]);
            assert_int_equal(decomp_block_start(&d, i, d.first_block[i] + d.blocks[i]), d.offset[i] + d.n[i]);
        }
        for (int k = 0; k < d.n[Z]; ++k)
            for (int j = 0; j < d.n[Y]; ++j)
                for (int i = 0; i < d.n[X]; ++i)
                    ++owners[((size_t)(d.offset[Z] + k) * (size_t)n_g[Y] + (size_t)(d.offset[Y] + j)) *
                                 (size_t)n_g[X] +
                             (size_t)(d.offset[X] + i)];
    }
    for (int i = 0; i < 3; ++i) assert_int_equal(decomp_cells_most(&d, i), most[i]);
    size_t once = 0;
    for (size_t n = 0; n < cells; ++n) once += owners[n] == 1;
    assert_true(once == cells);
    free(owners);
}

static int fits(const int n_g[3], const int ranks[3])
{
    struct decomp d;
    const kol_status st = decomp_create(n_g, ranks, ranks[X] * ranks[Y] * ranks[Z], 0, &d);
    status_clear();
    return st == KOL_OK;
}

static void test_every_cell_has_one_owner(void **state)
{
    (void)state;
    int layouts = 0;
    for (int g = 0; g < GRIDS; ++g) {
        static const int choose[3] = {0, 0, 0};
        for (int size = 1; size <= 8; size *= 2) check_cover(grids[g], choose, size);
        for (int px = 1; px <= 8; ++px)
            for (int py = 1; py <= 8; ++py)
                for (int pz = 1; pz <= 8; ++pz) {
                    const int ranks[3] = {px, py, pz};
                    if (!fits(grids[g], ranks)) continue;
                    check_cover(grids[g], ranks, px * py * pz);
                    ++layouts;
                }
    }
    assert_true(layouts > 600);
}

/* Blocks do not depend on the ranks: they are what makes sums the same. They are even to one cell. */
static void test_blocks_depend_on_the_grid_alone(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    for (int g = 0; g < GRIDS; ++g) {
        struct decomp one, d;
        assert_int_equal(decomp_create(grids[g], choose, 1, 0, &one), KOL_OK);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(one.blocks[i], one.blocks_g[i]);
            assert_int_equal(decomp_block_start(&one, i, 0), 0);
            assert_int_equal(decomp_block_start(&one, i, one.blocks_g[i]), grids[g][i]);
            for (int b = 0; b < one.blocks_g[i]; ++b) {
                const int cells = decomp_block_start(&one, i, b + 1) - decomp_block_start(&one, i, b);
                const int even = grids[g][i] / one.blocks_g[i];
                assert_true(cells == even || cells == even + 1);
            }
        }
        for (int size = 2; size <= 8; size *= 2) {
            assert_int_equal(decomp_create(grids[g], choose, size, size - 1, &d), KOL_OK);
            for (int i = 0; i < 3; ++i) {
                assert_int_equal(d.blocks_g[i], one.blocks_g[i]);
                for (int b = 0; b <= d.blocks_g[i]; ++b)
                    assert_int_equal(decomp_block_start(&d, i, b), decomp_block_start(&one, i, b));
            }
        }
    }
}

/* whoever I call my neighbour, calls me its neighbour on the other side; and it owns the next cells */
static void check_neighbours(const int n_g[3], const int ranks[3])
{
    const int size = ranks[X] * ranks[Y] * ranks[Z];
    for (int r = 0; r < size; ++r) {
        struct decomp d, other;
        assert_int_equal(decomp_create(n_g, ranks, size, r, &d), KOL_OK);
        for (int s = 0; s < 27; ++s) {
            const int to[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1}, back[3] = {-to[X], -to[Y], -to[Z]};
            const int neighbour = decomp_neighbour(&d, to);
            assert_true(neighbour >= 0 && neighbour < size);
            assert_int_equal(decomp_create(n_g, ranks, size, neighbour, &other), KOL_OK);
            assert_int_equal(decomp_neighbour(&other, back), r);
            for (int i = 0; i < 3; ++i) {
                if (to[i] == 0) assert_int_equal(other.offset[i], d.offset[i]);
                if (to[i] > 0) assert_int_equal(other.offset[i], (d.offset[i] + d.n[i]) % n_g[i]);
                if (to[i] < 0) assert_int_equal((other.offset[i] + other.n[i]) % n_g[i], d.offset[i]);
            }
        }
    }
}

static void test_neighbours_agree(void **state)
{
    (void)state;
    static const int layouts[][3] = {{1, 1, 1}, {1, 1, 8}, {8, 1, 1}, {2, 2, 2},
                                     {3, 1, 2}, {4, 3, 2}, {2, 5, 1}};
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; ++l)
        for (int g = 0; g < GRIDS; ++g)
            if (fits(grids[g], layouts[l])) check_neighbours(grids[g], layouts[l]);
}

/* Cells that all ranks receive through faces, where every cut is even. */
static long halo_cells(const int n[3], const int p[3])
{
    long cells = 0;
    for (int i = 0; i < 3; ++i) cells += p[i] > 1 ? 2L * p[i] * n[(i + 1) % 3] * n[(i + 2) % 3] : 0;
    return cells;
}

/* On grids that every layout divides evenly, none has fewer halo cells than the chosen one. */
static void test_chosen_layout_has_fewest_halo_cells(void **state)
{
    (void)state;
    static const int choose[3] = {0, 0, 0};
    static const int even[][3] = {{64, 64, 64}, {256, 32, 32}, {128, 64, 16}, {128, 16, 256}, {64, 256, 64}};
    for (size_t g = 0; g < sizeof even / sizeof *even; ++g) {
        for (int size = 1; size <= 64; size *= 2) {
            struct decomp d;
            assert_int_equal(decomp_create(even[g], choose, size, 0, &d), KOL_OK);
            const long chosen = halo_cells(even[g], d.ranks);
            for (int px = 1; px <= size; px *= 2) {
                for (int py = 1; py <= size / px; py *= 2) {
                    const int p[3] = {px, py, size / px / py};
                    if (fits(even[g], p)) assert_true(chosen <= halo_cells(even[g], p));
                }
            }
        }
    }
}

static void check_choice(const int n[3], const int want[3], int size, int px, int py, int pz)
{
    struct decomp d;
    assert_int_equal(decomp_create(n, want, size, 0, &d), KOL_OK);
    assert_int_equal(d.ranks[X], px);
    assert_int_equal(d.ranks[Y], py);
    assert_int_equal(d.ranks[Z], pz);
}

/* where equal, z is cut before y before x; given numbers stay */
static void test_known_choices(void **state)
{
    (void)state;
    static const int cube[3] = {64, 64, 64}, rod[3] = {128, 8, 8}, slab[3] = {128, 128, 4};
    check_choice(cube, (const int[3]){0, 0, 0}, 1, 1, 1, 1);
    check_choice(cube, (const int[3]){0, 0, 0}, 2, 1, 1, 2);
    check_choice(cube, (const int[3]){0, 0, 0}, 4, 1, 1, 4);
    check_choice(cube, (const int[3]){0, 0, 0}, 8, 1, 2, 4);
    check_choice(rod, (const int[3]){0, 0, 0}, 4, 4, 1, 1);
    check_choice(slab, (const int[3]){0, 0, 0}, 4, 1, 4, 1);
    check_choice(slab, (const int[3]){0, 0, 0}, 16, 4, 4, 1);
    check_choice(cube, (const int[3]){2, 0, 0}, 8, 2, 1, 4);
    check_choice(cube, (const int[3]){0, 0, 1}, 4, 1, 4, 1);
    check_choice(cube, (const int[3]){4, 2, 1}, 8, 4, 2, 1);
    check_choice(cube, (const int[3]){0, 3, 0}, 6, 1, 3, 2);
}

static void check_refused(const int n[3], const int want[3], int size)
{
    struct decomp d;
    char text[64];
    status_clear();
    assert_int_equal(decomp_create(n, want, size, 0, &d), KOL_ERR_INPUT);
    snprintf(text, sizeof text, "%d ranks", size);
    assert_non_null(strstr(status_message(), text));
    snprintf(text, sizeof text, "%d x %d x %d cells", n[X], n[Y], n[Z]);
    assert_non_null(strstr(status_message(), text));
    status_clear();
}

static void test_what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const int small[3] = {3, 3, 3}, cube[3] = {16, 16, 16}, plate[3] = {2, 16, 16};
    check_refused(cube, (const int[3]){2, 2, 2}, 4);  /* not the product */
    check_refused(cube, (const int[3]){3, 0, 0}, 8);  /* no divisor */
    check_refused(cube, (const int[3]){0, 0, 0}, 17); /* a prime above the blocks of any direction */
    check_refused(small, (const int[3]){0, 0, 4}, 4); /* more ranks than cells */
    check_refused(small, (const int[3]){0, 0, 0}, 64);
    check_refused(plate, (const int[3]){4, 1, 1}, 4);
    check_refused(cube, (const int[3]){9, 1, 1}, 9); /* x: at most 8 blocks of at least 2 cells */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_has_one_owner),
        cmocka_unit_test(test_blocks_depend_on_the_grid_alone),
        cmocka_unit_test(test_neighbours_agree),
        cmocka_unit_test(test_chosen_layout_has_fewest_halo_cells),
        cmocka_unit_test(test_known_choices),
        cmocka_unit_test(test_what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests_name("decomp", tests, NULL, NULL);
}
