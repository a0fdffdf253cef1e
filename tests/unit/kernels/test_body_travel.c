/* Tests the kernels of bodies that travel against plain loops over short lists. Catches a neighbour on the
 * wrong side, a face that is forgotten though it has closed, a momentum with the wrong sign or of the wrong
 * volume, and a write elsewhere than in the list. No MPI. */
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/body_travel.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

enum { NX = 6, NY = 5, NZ = 4, LISTED = 20 };
static const real A_OLD = 0.375;

/* world: a box, a random field for each component in host and kernel memory, and places in the box. */
struct world {
    struct box b;
    real *host[3], *kernel[3];
    int place[LISTED], cell[LISTED][3];
};

static struct world world_make(unsigned seed)
{
    struct world w = {.b = box_make(NX, NY, NZ, KOL_HALO)};
    srand(seed);
    for (int d = 0; d < 3; ++d) {
        w.host[d] = malloc((size_t)w.b.size * sizeof(real));
        for (ptrdiff_t q = 0; q < w.b.size; ++q) w.host[d][q] = (real)(rand() % 1000 - 500) / 128;
        w.kernel[d] = case_kernel_copy(w.host[d], (size_t)w.b.size * sizeof(real));
    }
    for (int n = 0; n < LISTED; ++n) { /* every third cell in the order of memory */
        const int c = 3 * n;
        w.cell[n][X] = c % NX;
        w.cell[n][Y] = c / NX % NY;
        w.cell[n][Z] = c / NX / NY;
        w.place[n] = (int)at(w.b, w.cell[n][X], w.cell[n][Y], w.cell[n][Z]);
    }
    return w;
}

static void world_free(struct world *w)
{
    for (int d = 0; d < 3; ++d) {
        free(w->host[d]);
        mem_kernel_free(w->kernel[d]);
    }
}

/* Compares a field in kernel memory with the one wanted. */
static void check_field(const struct world *w, const real *kernel, const real *wanted)
{
    real *got = malloc((size_t)w->b.size * sizeof *got);
    assert_int_equal(mem_to_host(got, kernel, (size_t)w->b.size * sizeof *got), KOL_OK);
    for (ptrdiff_t q = 0; q < w->b.size; ++q) assert_true(got[q] == wanted[q]);
    free(got);
}

static void test_mask(void **state)
{
    (void)state;
    struct world w = world_make(1);
    unsigned char *mask = malloc((size_t)w.b.size), value[LISTED];
    for (ptrdiff_t q = 0; q < w.b.size; ++q) mask[q] = (unsigned char)(q % 64);
    unsigned char *kernel = case_kernel_copy(mask, (size_t)w.b.size), *got = malloc((size_t)w.b.size);
    for (int n = 0; n < LISTED; ++n) value[n] = (unsigned char)(63 - n);
    int *at_kernel = case_kernel_copy(w.place, sizeof w.place);
    unsigned char *value_kernel = case_kernel_copy(value, sizeof value);
    assert_int_equal(body_mask_change(LISTED, at_kernel, value_kernel, kernel), KOL_OK);
    for (int n = 0; n < LISTED; ++n) mask[w.place[n]] = value[n];
    assert_int_equal(mem_to_host(got, kernel, (size_t)w.b.size), KOL_OK);
    for (ptrdiff_t q = 0; q < w.b.size; ++q) assert_true(got[q] == mask[q]);
    mem_kernel_free(kernel);
    mem_kernel_free(at_kernel);
    mem_kernel_free(value_kernel);
    free(mask);
    free(got);
    world_free(&w);
}

/* The cells are three apart, so none is a neighbour of another along x; neighbours along y and z are not
 * asked where they are in the list. */
static void test_uncover(void **state)
{
    (void)state;
    struct world w = world_make(2);
    struct body_uncovered list[LISTED];
    real *wanted = malloc((size_t)w.b.size * sizeof *wanted);
    for (ptrdiff_t q = 0; q < w.b.size; ++q) wanted[q] = w.host[X][q];
    for (int n = 0; n < LISTED; ++n) {
        const ptrdiff_t side[FACES] = {-1, 1, -w.b.sy, w.b.sy, -w.b.sz, w.b.sz};
        real sum = 0;
        int count = 0;
        list[n] = (struct body_uncovered){w.place[n], 0};
        for (int f = 0; f < FACES; ++f) {
            const ptrdiff_t o = w.place[n] + side[f];
            int listed = 0;
            for (int m = 0; m < LISTED; ++m) listed |= w.place[m] == o;
            if (listed || (n * 7 + f * 5) % 3 == 0) continue;
            list[n].from = (unsigned char)(list[n].from | 1u << f);
            sum += w.host[X][o];
            ++count;
        }
        if (n == 4) list[n].from = 0;
        wanted[w.place[n]] = n == 4 || count == 0 ? 0 : sum / (real)count;
    }
    struct body_uncovered *kernel = case_kernel_copy(list, sizeof list);
    assert_int_equal(body_uncover(w.b, LISTED, kernel, w.kernel[X]), KOL_OK);
    check_field(&w, w.kernel[X], wanted);
    mem_kernel_free(kernel);
    free(wanted);
    world_free(&w);
}

static void turns_make(const struct world *w, struct body_turn turn[LISTED])
{
    for (int n = 0; n < LISTED; ++n)
        turn[n] = (struct body_turn){w->place[n], (signed char)(n % 3), (signed char)(n * n % 5 > 1)};
}

static void test_forget(void **state)
{
    (void)state;
    struct world w = world_make(3);
    struct body_turn turn[LISTED];
    turns_make(&w, turn);
    struct body_turn *kernel = case_kernel_copy(turn, sizeof turn);
    assert_int_equal(body_forget(LISTED, kernel, w.kernel), KOL_OK);
    for (int n = 0; n < LISTED; ++n)
        if (!turn[n].closes) w.host[(int)turn[n].d][turn[n].at] = 0;
    for (int d = 0; d < 3; ++d) check_field(&w, w.kernel[d], w.host[d]);
    mem_kernel_free(kernel);
    world_free(&w);
}

/* widths: of one direction: cells c, and distances f of their centres, index -1 .. n + 1. */
static const real *widths(int n, double first, real **store)
{
    real host[16];
    for (int i = 0; i < n + 6; ++i) host[i] = (real)(first + 0.125 * i);
    *store = case_kernel_copy(host, sizeof host);
    return *store + 3;
}

static void test_turns(void **state)
{
    (void)state;
    enum { SEGMENTS = 4 };
    static const int start[SEGMENTS + 1] = {0, 3, 3, 12, LISTED};

    struct world u = world_make(4), old = world_make(5);
    struct body_turn turn[LISTED];
    real *store[6];
    struct metrics m = {0};
    turns_make(&u, turn);
    m.dx_c = widths(NX, 1.0, &store[0]), m.dx_f = widths(NX, 1.5, &store[1]);
    m.dy_c = widths(NY, 0.5, &store[2]), m.dy_f = widths(NY, 0.75, &store[3]);
    m.dz_c = widths(NZ, 2.0, &store[4]), m.dz_f = widths(NZ, 2.5, &store[5]);
    const double first[3][2] = {{1.0, 1.5}, {0.5, 0.75}, {2.0, 2.5}};
    double total[SEGMENTS * BODY_FORCES], got[SEGMENTS * BODY_FORCES];
    for (int q = 0; q < SEGMENTS * BODY_FORCES; ++q) total[q] = q;
    double *kernel = case_kernel_copy(total, sizeof total);
    struct body_turn *turn_kernel = case_kernel_copy(turn, sizeof turn);
    int *start_kernel = case_kernel_copy(start, sizeof start);
    for (int keep = 1; keep >= 0; --keep) {
        const real a_old = keep ? A_OLD : 0;
        assert_int_equal(body_force_turns(u.b, m, SEGMENTS, start_kernel, turn_kernel, keep, a_old, u.kernel,
                                          keep ? old.kernel : NULL, kernel),
                         KOL_OK);
        for (int s = 0; s < SEGMENTS; ++s) {
            for (int q = 0; q < BODY_FORCES && !keep; ++q) total[s * BODY_FORCES + q] = 0;
            for (int i = start[s]; i < start[s + 1]; ++i) {
                const int d = turn[i].d;
                double volume = 1, value = u.host[d][turn[i].at];
                for (int e = 0; e < 3; ++e) volume *= first[e][e == d] + 0.125 * (u.cell[i][e] + 3);
                if (turn[i].closes) value += (double)a_old * old.host[d][turn[i].at];
                total[s * BODY_FORCES + BODY_OPENING + d] += (turn[i].closes ? 1 : -1) * volume * value;
            }
        }
        assert_int_equal(mem_to_host(got, kernel, sizeof got), KOL_OK);
        for (int q = 0; q < SEGMENTS * BODY_FORCES; ++q) CHECK_NEAR(got[q], total[q], 1e5 * KOL_EPSILON);
    }
    for (int q = 0; q < 6; ++q) mem_kernel_free(store[q]);

    mem_kernel_free(kernel);
    mem_kernel_free(turn_kernel);
    mem_kernel_free(start_kernel);
    world_free(&u);
    world_free(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mask), cmocka_unit_test(test_uncover),
                                       cmocka_unit_test(test_forget), cmocka_unit_test(test_turns)};
    return cmocka_run_group_tests_name("body_travel", tests, NULL, NULL);
}
