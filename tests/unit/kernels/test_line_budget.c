/* ranks: 1 */
/* Tests sums for budgets of a scalar along one homogeneous direction. Every sum at every place of the
 * section is compared with plain loops that share nothing with the kernel, in each direction, with and
 * without buoyancy, with faces on which the velocity is held; sums onto others have the bits of sums of all.
 * Catches a neighbour taken from the wrong side, a width of another direction, and a component taken for
 * another. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/line_budget.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/place.h"
#include "tests/support/ranks.h"

enum { T = 3, P, C, M, UC, UM = UC + 3, BUOYANCY = UM + 3, FIELDS = BUOYANCY + 3 };

/* wanted: directions s, a, b, and the faces that are held, as in struct line_budget. */
struct wanted {
    int direction[3];
    unsigned held;
};

static int is_held(const struct place *p, const struct wanted *w, int d, int high)
{
    const int last = high ? p->g->n[d] - 1 : 0;
    return p->at[d] == last && (w->held >> (2 * d + high) & 1u);
}

/* Mean on both faces of the cell, of a rate of component d. */
static double rate(const struct place *p, const struct wanted *w, int field, int d)
{
    const double low = is_held(p, w, d, 0) ? 0 : place_value(p, field, d, 0),
                 high = is_held(p, w, d, 1) ? 0 : place_value(p, field, d, 1);
    return (low + high) / 2;
}

static double slope(const struct place *p, int d, double low, double here, double high)
{
    return ((here - low) / place_spacing(p, p->g->df, d, 0) +
            (high - here) / place_spacing(p, p->g->df, d, 1)) /
           2;
}

static double shear(const struct place *p, int component, int d)
{
    const struct place low = place_moved(p, d, -1), high = place_moved(p, d, 1);
    return slope(p, d, place_in_cell(&low, component), place_in_cell(p, component),
                 place_in_cell(&high, component));
}

static void terms_along(const struct place *p, const struct wanted *w, int n, double *t)
{
    const int d = w->direction[n];
    const double q = place_here(p, T), low = place_value(p, T, d, -1), high = place_value(p, T, d, 1),
                 pressure = place_here(p, P), u = place_in_cell(p, d),
                 wide = place_spacing(p, p->g->dc, d, 0);
    const double before = (pressure - place_value(p, P, d, -1)) / place_spacing(p, p->g->df, d, 0),
                 after = (place_value(p, P, d, 1) - pressure) / place_spacing(p, p->g->df, d, 1);
    t[LINE_B_GRAD] += (pow(q - low, 2) / place_spacing(p, p->g->df, d, 0) +
                       pow(high - q, 2) / place_spacing(p, p->g->df, d, 1)) /
                      (2 * wide);
    t[LINE_B_CONVECTION + n] = q * rate(p, w, UC + d, d) + u * place_here(p, C);
    t[LINE_B_TRANSPORT + n] = q * rate(p, w, UM + d, d) + u * place_here(p, M);
    t[LINE_B_UC + n] = rate(p, w, UC + d, d);
    t[LINE_B_UM + n] = rate(p, w, UM + d, d);
    t[LINE_B_PRESSURE + n] = q * ((is_held(p, w, d, 0) ? 0 : before) + (is_held(p, w, d, 1) ? 0 : after)) / 2;
    t[LINE_B_STRAIN + n] = pressure * slope(p, d, low, q, high);
    t[LINE_B_TIMES_BUOYANCY + n] = q * rate(p, w, BUOYANCY + d, d);
    t[LINE_B_BUOYANCY + n] = rate(p, w, BUOYANCY + d, d);
}

static void terms(const struct place *p, const struct wanted *w, double *t)
{
    const int s = w->direction[0], a = w->direction[1], b = w->direction[2];
    const double q = place_here(p, T), us = place_in_cell(p, s), ua = place_in_cell(p, a),
                 ub = place_in_cell(p, b);
    memset(t, 0, sizeof *t * LINE_B_COUNT);
    t[LINE_B_C] = place_here(p, C);
    t[LINE_B_TC] = q * place_here(p, C);
    t[LINE_B_M] = place_here(p, M);
    t[LINE_B_TM] = q * place_here(p, M);
    t[LINE_B_DTA] = slope(p, a, place_value(p, T, a, -1), q, place_value(p, T, a, 1));
    t[LINE_B_DTB] = slope(p, b, place_value(p, T, b, -1), q, place_value(p, T, b, 1));
    t[LINE_B_DSA] = shear(p, s, a);
    t[LINE_B_DSB] = shear(p, s, b);
    t[LINE_B_DAB] = shear(p, a, b);
    t[LINE_B_DBA] = shear(p, b, a);
    t[LINE_B_TA] = q * ua;
    t[LINE_B_TB] = q * ub;
    t[LINE_B_SS] = us * us;
    t[LINE_B_AA] = ua * ua;
    t[LINE_B_BB] = ub * ub;
    t[LINE_B_SA] = us * ua;
    t[LINE_B_SB] = us * ub;
    t[LINE_B_AB] = ua * ub;
    t[LINE_B_P] = place_here(p, P);
    for (int n = 0; n < 3; ++n) terms_along(p, w, n, t);
}

/* Largest error of the sums, over the largest sum of its kind. */
static double judge(const struct ref_grid *g, double *const *field, const struct wanted *w, int count,
                    const double *sums)
{
    const int s = w->direction[0], a = w->direction[1], b = w->direction[2], wide = g->n[a] + 1,
              high = g->n[b] + 1;
    struct place p = {.g = g, .field = field};
    double most = 0;
    for (int n = 0; n < wide * high; ++n) {
        const int there = n % wide < wide - 1 && n / wide < high - 1;
        double right[LINE_B_COUNT] = {0}, size[LINE_B_COUNT] = {0};
        p.at[a] = n % wide;
        p.at[b] = n / wide;
        for (p.at[s] = 0; p.at[s] < g->n[s] && there; ++p.at[s]) {
            double t[LINE_B_COUNT];
            terms(&p, w, t);
            for (int q = 0; q < count; ++q) {
                right[q] += place_spacing(&p, g->dc, s, 0) * t[q];
                size[q] += place_spacing(&p, g->dc, s, 0) * (1 + fabs(t[q]));
            }
        }
        for (int q = 0; q < count; ++q) {
            const double off = fabs(sums[(ptrdiff_t)q * wide * high + n] - right[q]);
            if (!(off <= most * size[q])) most = size[q] > 0 ? off / size[q] : off > 0 ? INFINITY : most;
        }
    }
    return most;
}

static struct line_budget fields_of(struct part *p, double *const *field, const struct wanted *w, int buoyant)
{
    struct line_budget f = {.theta = part_from(p, OWN_FACES, field[T]),
                            .convection = part_from(p, OWN, field[C]),
                            .transport = part_from(p, OWN, field[M]),
                            .p = part_from(p, OWN_FACES, field[P]),
                            .held = w->held};
    for (int d = 0; d < 3; ++d) {
        f.u_convection[d] = part_from(p, OWN_HIGH, field[UC + d]);
        f.u_momentum[d] = part_from(p, OWN_HIGH, field[UM + d]);
        f.buoyancy[d] = buoyant ? part_from(p, OWN_HIGH, field[BUOYANCY + d]) : NULL;
    }
    return f;
}

static void check_sums(const struct case_input *in, const struct wanted *w, int buoyant)
{
    const int s = w->direction[0], count = buoyant ? (int)LINE_B_COUNT : (int)LINE_B_CALM;
    struct ref_grid g;
    struct part p;
    double *field[FIELDS], *kernel = NULL;
    case_reference(in, &g);
    for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 721 + (unsigned)f);
    const size_t values =
        (size_t)count * (size_t)(g.n[w->direction[1]] + 1) * (size_t)(g.n[w->direction[2]] + 1);
    const size_t bytes = values * sizeof(double);
    double *all = malloc(bytes), *again = malloc(bytes);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    real *const vel[3] = {part_from(&p, OWN_EDGES, field[0]), part_from(&p, OWN_EDGES, field[1]),
                          part_from(&p, OWN_EDGES, field[2])};
    const struct line_budget f = fields_of(&p, field, w, buoyant);
    const struct blocks bl = reduction_blocks(p.reduction);
    const int blocks = s == X ? bl.nx : s == Y ? bl.ny : bl.nz, cut = blocks / 2;
    wrong += mem_kernel_alloc(bytes, (void **)&kernel) != KOL_OK;
    wrong += line_budget_sums(p.g.box, p.g.m, bl, s, 0, vel, &f, kernel) != KOL_OK;
    wrong += mem_to_host(all, kernel, bytes) != KOL_OK;
    wrong +=
        line_budget_sums(p.g.box, p.g.m, part_some_blocks(&p, s, 0, cut), s, 0, vel, &f, kernel) != KOL_OK;
    wrong += line_budget_sums(p.g.box, p.g.m, part_some_blocks(&p, s, cut, blocks), s, 1, vel, &f, kernel) !=
             KOL_OK;
    wrong += mem_to_host(again, kernel, bytes) != KOL_OK;
    CHECK_ALL(wrong == 0);
    CHECK_ALL_BELOW(judge(&g, field, w, count, all), KOL_CHOOSE(1000 * DBL_EPSILON, 1e-3));
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
        for (int s = X; s <= Z; ++s) {
            const int a = s == X ? Y : X, b = s == Z ? Y : Z;
            const struct wanted some = {{s, a, b}, 1u << (2 * a) | 2u << (2 * b)}, none = {{s, a, b}, 0};
            check_sums(&case_inputs[n], &some, s == Y);
            check_sums(&case_inputs[n], &none, s != Y);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_sums, setup, teardown)};
    return MPI_MAIN(argc, argv, "line_budget", tests);
}
