/* ranks: 1 2 4 8 */
/* Tests spectra at heights between walls, for walls in each direction. Those of every pair along both
 * directions are compared with Fourier sums written out here, on even and odd grids of unequal sides. Their
 * sums are compared with the plane means of the products. There is also a test with a single wave. In the CPU
 * build the bits are the same in every layout of the ranks, also on the memory that the first sample left.
 * Catches a plane of the wrong level or rank, a line that is lost where planes are gathered, a wrong weight
 * of the waves that have no conjugate, and a factor taken from the wrong side of its face. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "kernels/base/device.h"
#include "solver/statistics/wall_spectra.h"
#include "solver/parallel/peer_memory.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { FIELDS = 6, FIRST_SCALAR = 4, NAMED = 2, HEIGHTS = 3, SIDES = 3 };
enum { PAIRS = HEIGHT_PAIRS + NAMED * SCALAR_PAIRS };

/* Sides by direction, the one normal to the walls stretched. */
static const int sides[SIDES][3] = {{12, 10, 8}, {9, 16, 11}, {4, 6, 18}};

static struct case_input case_of(const int n[3], int normal)
{
    struct case_input in = {"heights", {n[X], n[Y], n[Z]}, {0, 0, 0}, {0, 0, 0}};
    in.stretching[normal] = STRETCHING_SINE;
    in.factor[normal] = 0.4;
    return in;
}

static const double SHARE[HEIGHTS] = {0.03, 0.41, 0.97};

static struct input settings_of(const struct case_input *in, const struct ref_grid *g, int normal)
{
    struct input out = case_settings(in);
    const double *face = g->face[normal];
    for (int h = 0; h < HEIGHTS_MOST; ++h)
        out.statistics.spectra_heights[h] =
            h < HEIGHTS ? SHARE[h] * (face[g->n[normal]] - face[0]) : INPUT_NOWHERE;
    strcpy(out.scalars.name[0], "heat");
    strcpy(out.scalars.name[1], "salt");
    return out;
}

/* --- the judge --- */

struct view {
    const struct ref_grid *g;
    double *const *field; /* u, v, w, p, scalars */
    int a, b, n;
};

static double value_at(const struct view *v, int field, int ia, int ib, int k)
{
    int c[3];
    c[v->a] = ia;
    c[v->b] = ib;
    c[v->n] = k;
    return v->field[field][ref_index(v->g, c[X], c[Y], c[Z])];
}

/* Of a scalar: half-half means where a component of the velocity is. */
static double scalar_factor(const struct view *v, int pair, int second, int ia, int ib, int centre, int face)
{
    const int n = FIRST_SCALAR + pair / SCALAR_PAIRS;
    switch (pair % SCALAR_PAIRS) {
    case PAIR_TT:
        return value_at(v, n, ia, ib, centre);
    case PAIR_TA:
        return second ? value_at(v, v->a, ia, ib, centre)
                      : 0.5 * (value_at(v, n, ia - 1, ib, centre) + value_at(v, n, ia, ib, centre));
    case PAIR_TB:
        return second ? value_at(v, v->b, ia, ib, centre)
                      : 0.5 * (value_at(v, n, ia, ib - 1, centre) + value_at(v, n, ia, ib, centre));
    default:
        return second ? value_at(v, v->n, ia, ib, face)
                      : 0.5 * (value_at(v, n, ia, ib, face - 1) + value_at(v, n, ia, ib, face));
    }
}

static double factor(const struct view *v, int pair, int second, int ia, int ib, int centre, int face)
{
    if (pair >= HEIGHT_PAIRS) return scalar_factor(v, pair - HEIGHT_PAIRS, second, ia, ib, centre, face);
    switch (pair) {
    case PAIR_AA:
        return value_at(v, v->a, ia, ib, centre);
    case PAIR_BB:
        return value_at(v, v->b, ia, ib, centre);
    case PAIR_PP:
        return value_at(v, 3, ia, ib, centre);
    case PAIR_NN:
        return value_at(v, v->n, ia, ib, face);
    case PAIR_AN:
        return second ? 0.5 * (value_at(v, v->n, ia - 1, ib, face) + value_at(v, v->n, ia, ib, face))
                      : 0.5 * (value_at(v, v->a, ia, ib, face - 1) + value_at(v, v->a, ia, ib, face));
    default:
        return second ? 0.5 * (value_at(v, v->n, ia, ib - 1, face) + value_at(v, v->n, ia, ib, face))
                      : 0.5 * (value_at(v, v->b, ia, ib, face - 1) + value_at(v, v->b, ia, ib, face));
    }
}

/* Of a line: the spectrum of the product of two factors, wave m of both signs. */
static double line_term(const double *f, const double *g, int n, int m)
{
    double complex a = 0, b = 0;
    for (int i = 0; i < n; ++i) {
        const double complex e = cexp(-2 * PI * I * (double)(m * i % n) / n) / n;
        a += f[i] * e;
        b += g[i] * e;
    }
    return (m > 0 && 2 * m < n ? 2 : 1) * creal(a * conj(b));
}

/* values as wall_spectra_sample leaves them; also the means of products by pair and height. */
static void judge(const struct view *v, const struct wall_spectra_plan *p, double *value, double *product)
{
    const int n[2] = {v->g->n[v->a], v->g->n[v->b]};
    const double cells = (double)n[0] * n[1];
    double f[32], g[32];
    memset(value, 0, sizeof *value * (size_t)(wall_spectra_first_mean(p, PAIRS, 0) + 2 * p->count));
    for (int pair = 0; pair < PAIRS; ++pair) {
        for (int h = 0; h < p->count; ++h) {
            product[pair * p->count + h] = 0;
            for (int s = 0; s < 2; ++s) {
                const double length = n[s] * p->h[s];
                double *to = value + wall_spectra_first(p, pair, s) + h * p->waves[s];
                for (int l = 0; l < n[1 - s]; ++l) {
                    for (int i = 0; i < n[s]; ++i) {
                        const int ia = s == 0 ? i : l, ib = s == 0 ? l : i;
                        f[i] = factor(v, pair, 0, ia, ib, p->centre[h], p->face[h]);
                        g[i] = factor(v, pair, 1, ia, ib, p->centre[h], p->face[h]);
                        if (s > 0) continue;
                        product[pair * p->count + h] += f[i] * g[i] / cells;
                        value[wall_spectra_first_mean(p, pair, 0) + h] += f[i] / cells;
                        value[wall_spectra_first_mean(p, pair, 1) + h] += g[i] / cells;
                    }
                    for (int m = 0; m < p->waves[s]; ++m)
                        to[m] += line_term(f, g, n[s], m) / n[1 - s] * length / (2 * PI);
                }
            }
        }
    }
    for (int h = 0; h < p->count; ++h) {
        value[wall_spectra_first_mean(p, PAIRS, 0) + h] = p->centre[h];
        value[wall_spectra_first_mean(p, PAIRS, 0) + p->count + h] = p->face[h];
    }
}

/* --- the judged --- */

struct setting {
    struct part part;
    struct wall_spectra *heights;
};

static int open_setting(const struct case_input *in, const struct input *settings, int normal, struct comm on,
                        const int layout[3], const char *transport, struct setting *t)
{
    memset(t, 0, sizeof *t);
    int wrong = part_create(in, on, layout, &t->part) != KOL_OK;
    wrong += wall_spectra_check(settings, NULL, &t->part.g, normal) != KOL_OK;
    return wrong + (wall_spectra_create(NULL, &t->part.comm, settings, &t->part.d, &t->part.g, normal,
                                        transport, &t->heights) != KOL_OK);
}

static void close_setting(struct setting *t)
{
    wall_spectra_destroy(&t->heights);
    part_destroy(&t->part);
}

/* Once, and again. */
static int sample(struct setting *t, double *const field[FIELDS], double *value)
{
    struct part *p = &t->part;
    real *const vel[3] = {part_from(p, OWN_EDGES, field[0]), part_from(p, OWN_EDGES, field[1]),
                          part_from(p, OWN_EDGES, field[2])};
    const real *pressure = part_from(p, OWN, field[3]);
    real *const scalar[NAMED] = {part_from(p, OWN_EDGES, field[FIRST_SCALAR]),
                                 part_from(p, OWN_EDGES, field[FIRST_SCALAR + 1])};
    const size_t bytes = sizeof *value * (size_t)wall_spectra_values(t->heights);
    double *again = malloc(bytes), *first = p->comm.rank == 0 ? value : NULL;
    int wrong = again == NULL;
    wrong += wall_spectra_sample(t->heights, &p->g, vel, pressure, scalar, first) != KOL_OK;
    wrong +=
        wall_spectra_sample(t->heights, &p->g, vel, pressure, scalar, first != NULL ? again : NULL) != KOL_OK;
    wrong += first != NULL && memcmp(first, again, bytes) != 0;
    wrong += first != NULL && !wall_spectra_same(t->heights, first);
    free(again);
    part_release(p);
    return wrong;
}

static double distance(ptrdiff_t n, const double *a, const double *b)
{
    double most = 0;
    for (ptrdiff_t i = 0; i < n; ++i)
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
    return most;
}

static int check_layouts(const struct case_input *in, const struct input *settings, int normal,
                         double *const field[FIELDS], int values, const double *alone, const char *transport,
                         int *layouts)
{
    const int cpu = strcmp(device_backend(), "cpu") == 0;
    double *value = malloc(sizeof *value * (size_t)values);
    int wrong = value == NULL;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct setting t;
        wrong += open_setting(in, settings, normal, comm, layout, transport, &t);
        wrong += sample(&t, field, value);
        wrong += comm.rank == 0 && cpu && memcmp(value, alone, sizeof *value * (size_t)values) != 0;
        wrong += comm.rank == 0 && !(distance(values, value, alone) <= 1e-13);
        close_setting(&t);
        ++*layouts;
    }
    free(value);
    return wrong;
}

/* whether each rank has a GPU of its own that can write to the others' */
static int peers_reach(void)
{
    char obstacle[256] = "";
    int sharing = 1;
    if (strcmp(device_backend(), "cpu") == 0 || comm.size == 1) return 0;
    return peer_memory_obstacle(&comm, obstacle, sizeof obstacle, &sharing) == KOL_OK &&
           obstacle[0] == '\0' && sharing == 1;
}

/* Over the waves of each spectrum: the mean of the product. */
static double unsummed(const struct wall_spectra_plan *p, const double *value, const double *product)
{
    double most = 0;
    for (int pair = 0; pair < PAIRS; ++pair) {
        for (int h = 0; h < p->count; ++h) {
            for (int s = 0; s < 2; ++s) {
                const double *e = value + wall_spectra_first(p, pair, s) + h * p->waves[s];
                double sum = 0;
                for (int m = 0; m < p->waves[s]; ++m) sum += e[m] * p->step[s];
                most = fmax(most, fabs(sum - product[pair * p->count + h]));
            }
        }
    }
    return most;
}

static void check_run(const int n[3], int normal, int *layouts)
{
    const struct case_input in = case_of(n, normal);
    struct ref_grid g;
    struct setting t;
    double *field[FIELDS], product[PAIRS * HEIGHTS];
    case_reference(&in, &g);
    const struct input settings = settings_of(&in, &g, normal);
    for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 701 + (unsigned)f);
    int wrong = open_setting(&in, &settings, normal, self, whole, "host", &t);
    const int values = wall_spectra_values(t.heights);
    double *value = malloc(sizeof *value * 2 * (size_t)values), *right = value + values;
    const struct view v = {&g, field, normal == X ? Y : X, normal == Z ? Y : Z, normal};
    struct wall_spectra_plan plan = *wall_spectra_planned(t.heights);
    wrong += sample(&t, field, value);
    judge(&v, &plan, right, product);
    CHECK_ALL(wrong == 0);
    CHECK_ALL(plan.centre[0] == 0 && plan.face[0] == 1 && plan.centre[HEIGHTS - 1] == n[normal] - 1 &&
              plan.face[HEIGHTS - 1] == n[normal] - 1);
    CHECK_ALL_BELOW(distance(values, value, right), KOL_CHOOSE(1e-14, 1e-6));
    CHECK_ALL_BELOW(unsummed(&plan, value, product), KOL_CHOOSE(1e-14, 1e-6));
    close_setting(&t);
    CHECK_ALL(check_layouts(&in, &settings, normal, field, values, value, "host", layouts) == 0);
    if (peers_reach())
        CHECK_ALL(check_layouts(&in, &settings, normal, field, values, value, "peer", layouts) == 0);
    free(value);
    case_free(field, FIELDS);
    ref_grid_destroy(&g);
}

static void test_heights(void **state)
{
    (void)state;
    int layouts = 0;
    for (int c = 0; c < SIDES; ++c)
        for (int normal = X; normal <= Z; ++normal) check_run(sides[c], normal, &layouts);
    CHECK_ALL(layouts >= 1);
}

/* u = U + cos(2 x) a + cos(3 y) b: what is found where. */
static void test_waves(void **state)
{
    (void)state;
    const struct case_input in = case_of(sides[0], Z);
    struct ref_grid g;
    struct setting t;
    double *field[FIELDS];
    case_reference(&in, &g);
    const struct input settings = settings_of(&in, &g, Z);
    for (int f = 0; f < FIELDS; ++f) {
        field[f] = case_random(&g, 1);
        for (ptrdiff_t p = 0; p < ref_count(&g); ++p)
            field[f][p] = f == X ? 2 + 0.5 * cos(2 * PI * 2 * (double)(p % g.n[X]) / g.n[X]) +
                                       0.25 * cos(2 * PI * 3 * (double)(p / g.n[X] % g.n[Y]) / g.n[Y])
                                 : 0;
    }
    int wrong = open_setting(&in, &settings, Z, self, whole, "host", &t);
    double *value = malloc(sizeof *value * (size_t)wall_spectra_values(t.heights));
    wrong += sample(&t, field, value);
    CHECK_ALL(wrong == 0);
    const struct wall_spectra_plan *p = wall_spectra_planned(t.heights);
    for (int h = 0; h < HEIGHTS; ++h) {
        const double *x = value + wall_spectra_first(p, PAIR_AA, 0) + h * p->waves[0],
                     *y = value + wall_spectra_first(p, PAIR_AA, 1) + h * p->waves[1];
        CHECK_ALL_BELOW(fabs(x[2] * p->step[0] - 0.125), KOL_CHOOSE(1e-15, 1e-6));
        CHECK_ALL_BELOW(fabs(x[0] * p->step[0] - 4 - 0.03125), KOL_CHOOSE(1e-14, 1e-5));
        CHECK_ALL_BELOW(fabs(y[3] * p->step[1] - 0.03125), KOL_CHOOSE(1e-15, 1e-6));
        CHECK_ALL_BELOW(fabs(y[0] * p->step[1] - 4 - 0.125), KOL_CHOOSE(1e-14, 1e-5));
        CHECK_ALL_BELOW(fabs(value[wall_spectra_first_mean(p, PAIR_AA, 0) + h] - 2), KOL_CHOOSE(1e-15, 1e-6));
    }
    free(value);
    close_setting(&t);
    case_free(field, FIELDS);
    ref_grid_destroy(&g);
}

/* Two heights in one plane are refused, with the place of the second. */
static void test_same_plane(void **state)
{
    (void)state;
    const struct case_input in = case_of(sides[0], Z);
    struct ref_grid g;
    struct part p;
    case_reference(&in, &g);
    struct input settings = settings_of(&in, &g, Z);
    settings.statistics.spectra_heights[1] = settings.statistics.spectra_heights[0] * 1.01;
    CHECK_ALL(part_create(&in, self, whole, &p) == KOL_OK);
    CHECK_ALL(wall_spectra_check(&settings, NULL, &p.g, Z) == KOL_ERR_INPUT);
    CHECK_ALL(strstr(status_message(), "statistics.spectra_heights(2)") != NULL);
    status_clear();
    part_destroy(&p);
    ref_grid_destroy(&g);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_heights, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_waves, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_same_plane, setup, teardown)};
    return MPI_MAIN(argc, argv, "heights", tests);
}
