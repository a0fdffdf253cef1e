/* ranks: 1 */
/* Tests sums of a scalar along one homogeneous direction. Every sum at every place of the section is compared
 * with plain loops that share nothing with the kernel, in each direction; sums onto others have the bits of
 * sums of all. Catches a neighbour taken from the wrong side, a width of another direction, a term of cells
 * on an upper face, and a component taken for another. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/line_scalar.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/place.h"
#include "tests/support/ranks.h"

enum { T = 3, FIELDS };

/* The terms of a cell times its width along s, without those of places that are not there. */
static void terms(const struct place *p, int s, int a, int b, double *t)
{
    const double c = place_spacing(p, p->g->dc, s, 0), q = place_value(p, T, 0, 0),
                 u = (place_value(p, s, s, 0) + place_value(p, s, s, 1)) / 2;
    for (int power = 1; power <= 4; ++power) t[LINE_T_T + power - 1] = c * pow(q, power);
    t[LINE_T_S] = c * u;
    t[LINE_T_TS] = c * u * q;
    t[LINE_T_A] = c * place_value(p, a, a, 0);
    t[LINE_T_TA] = c * place_value(p, a, a, 0) * (q + place_value(p, T, a, -1)) / 2;
    t[LINE_T_B] = c * place_value(p, b, b, 0);
    t[LINE_T_TB] = c * place_value(p, b, b, 0) * (q + place_value(p, T, b, -1)) / 2;
}

/* Largest error of the sums, over the sum of the magnitudes. */
static double judge(const struct ref_grid *g, double *const *field, int s, const double *sums)
{
    const int a = s == X ? Y : X, b = s == Z ? Y : Z, wide = g->n[a] + 1, high = g->n[b] + 1;
    struct place p = {.g = g, .field = field};
    double most = 0;
    for (int n = 0; n < wide * high; ++n) {
        const int in_a = n % wide < wide - 1, in_b = n / wide < high - 1;
        double right[LINE_T_COUNT] = {0}, size[LINE_T_COUNT] = {0};
        p.at[a] = n % wide;
        p.at[b] = n / wide;
        for (p.at[s] = 0; p.at[s] < g->n[s]; ++p.at[s]) {
            double t[LINE_T_COUNT];
            terms(&p, s, a, b, t);
            for (int q = 0; q < LINE_T_COUNT; ++q) {
                const int there = (in_a || line_scalar_on_face_a(q)) && (in_b || line_scalar_on_face_b(q));
                right[q] += there ? t[q] : 0;
                size[q] += there ? fabs(t[q]) : 0;
            }
        }
        for (int q = 0; q < LINE_T_COUNT; ++q) {
            const double off = fabs(sums[(ptrdiff_t)q * wide * high + n] - right[q]);
            if (!(off <= most * size[q])) most = size[q] > 0 ? off / size[q] : off > 0 ? INFINITY : most;
        }
    }
    return most;
}

static void check_sums(const struct case_input *in, int s)
{
    const int a = s == X ? Y : X, b = s == Z ? Y : Z;
    struct ref_grid g;
    struct part p;
    double *field[FIELDS], *kernel = NULL;
    case_reference(in, &g);
    for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 701 + (unsigned)f);
    const size_t values = (size_t)LINE_T_COUNT * (size_t)(g.n[a] + 1) * (size_t)(g.n[b] + 1),
                 bytes = values * sizeof(double);
    double *all = malloc(bytes), *again = malloc(bytes);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    real *const vel[3] = {part_from(&p, OWN_HIGH, field[0]), part_from(&p, OWN_HIGH, field[1]),
                          part_from(&p, OWN_HIGH, field[2])};
    const real *theta = part_from(&p, OWN_FACES, field[T]);
    const struct blocks bl = reduction_blocks(p.reduction);
    const int blocks = s == X ? bl.nx : s == Y ? bl.ny : bl.nz, cut = blocks / 2;
    wrong += mem_kernel_alloc(bytes, (void **)&kernel) != KOL_OK;
    wrong += line_scalar_sums(p.g.box, p.g.m, bl, s, 0, vel, theta, kernel) != KOL_OK;
    wrong += mem_to_host(all, kernel, bytes) != KOL_OK;
    wrong +=
        line_scalar_sums(p.g.box, p.g.m, part_some_blocks(&p, s, 0, cut), s, 0, vel, theta, kernel) != KOL_OK;
    wrong += line_scalar_sums(p.g.box, p.g.m, part_some_blocks(&p, s, cut, blocks), s, 1, vel, theta,
                              kernel) != KOL_OK;
    wrong += mem_to_host(again, kernel, bytes) != KOL_OK;
    CHECK_ALL(wrong == 0);
    CHECK_ALL_BELOW(judge(&g, field, s, all), KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
    CHECK_ALL(memcmp(all, again, bytes) == 0);
    mem_kernel_free(kernel);
    free(all);
    free(again);
    part_release(&p);
    part_destroy(&p);
    case_free(field, FIELDS);
    ref_grid_destroy(&g);
}

static void test_sums(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; ++n)
        for (int s = X; s <= Z; ++s) check_sums(&case_inputs[n], s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_sums, setup, teardown)};
    return MPI_MAIN(argc, argv, "line_scalar", tests);
}
