/* ranks: 1 2 4 */
/* Tests plane averages for walls in each direction. Every sum at every level is compared with plain loops
 * that share nothing with the kernels, and it has the same bits in every layout of the ranks. Catches a
 * neighbour taken from the wrong side, a missing area, a term of centres on the upper face, an order of
 * addition that depends on the ranks, and levels that are doubled or lost where the normal direction is cut.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solver/statistics/wall_planes.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/place.h"
#include "tests/support/ranks.h"

/* --- the judge --- */

/* Returns the difference of a component along a direction. If it is the direction of the component, this is
 * the difference between the two faces of the cell; otherwise it is that between the centres on both sides
 * of the lower face. */
static double slope(const struct place *p, int field, int direction)
{
    if (field == direction)
        return (place_value(p, field, direction, 1) - place_here(p, field)) /
               place_spacing(p, p->g->dc, direction, 0);
    return (place_here(p, field) - place_value(p, field, direction, -1)) /
           place_spacing(p, p->g->df, direction, 0);
}

/* Returns the velocity that carries the momentum of component c through the lower face normal to n: the
 * volume flux over the area of the momentum volume. */
static double carrier(const struct place *p, int c)
{
    return 0.5 *
           (place_spacing(p, p->g->dc, c, -1) * place_value(p, p->n, c, -1) +
            place_spacing(p, p->g->dc, c, 0) * place_here(p, p->n)) /
           place_spacing(p, p->g->df, c, 0);
}

static double square(double x)
{
    return x * x;
}

/* Terms and the areas they belong to. */
static void terms(const struct place *p, double *t)
{
    const int a = p->a, b = p->b, n = p->n;
    const double ca = place_spacing(p, p->g->dc, a, 0), cb = place_spacing(p, p->g->dc, b, 0),
                 fa = place_spacing(p, p->g->df, a, 0), fb = place_spacing(p, p->g->df, b, 0);
    const double ua = place_here(p, a), ub = place_here(p, b), un = place_here(p, n), q = place_here(p, 3);
    const double up = place_value(p, n, n, 1), middle = (un + up) / 2;
    t[AVG_A] = fa * cb * ua;
    t[AVG_B] = ca * fb * ub;
    t[AVG_P] = ca * cb * q;
    t[AVG_AA] = fa * cb * pow(ua, 2);
    t[AVG_BB] = ca * fb * pow(ub, 2);
    t[AVG_PP] = ca * cb * pow(q, 2);
    t[AVG_AB] = fa * fb * (ua + place_value(p, a, b, -1)) / 2 * (ub + place_value(p, b, a, -1)) / 2;
    t[AVG_AAA] = fa * cb * pow(ua, 3);
    t[AVG_BBB] = ca * fb * pow(ub, 3);
    t[AVG_AAAA] = fa * cb * pow(ua, 4);
    t[AVG_BBBB] = ca * fb * pow(ub, 4);
    t[AVG_OMEGA_N] = fa * fb * square(slope(p, b, a) - slope(p, a, b));
    t[AVG_GRAD_A] = ca * cb * square(slope(p, a, a)) + fa * fb * square(slope(p, a, b));
    t[AVG_GRAD_B] = ca * cb * square(slope(p, b, b)) + fa * fb * square(slope(p, b, a));
    t[AVG_GRAD_N] = ca * cb * square(slope(p, n, n));
    t[AVG_FLUX_NN] = ca * cb * middle * un * up;
    t[AVG_PN] = ca * cb * q * middle;
    t[AVG_PDA] = ca * cb * q * slope(p, a, a);
    t[AVG_PDB] = ca * cb * q * slope(p, b, b);
    t[AVG_N] = ca * cb * un;
    t[AVG_NN] = ca * cb * pow(un, 2);
    t[AVG_NNN] = ca * cb * pow(un, 3);
    t[AVG_NNNN] = ca * cb * pow(un, 4);
    const double a_below = place_value(p, a, n, -1), b_below = place_value(p, b, n, -1);
    t[AVG_AN] = fa * cb * carrier(p, a) * (ua + a_below) / 2;
    t[AVG_BN] = ca * fb * carrier(p, b) * (ub + b_below) / 2;
    t[AVG_FLUX_AA] = fa * cb * carrier(p, a) * ua * a_below;
    t[AVG_FLUX_BB] = ca * fb * carrier(p, b) * ub * b_below;
    t[AVG_OMEGA_A] = ca * fb * square(slope(p, n, b) - slope(p, b, n));
    t[AVG_OMEGA_B] = fa * cb * square(slope(p, a, n) - slope(p, n, a));
    t[AVG_SHEAR_A] = fa * cb * square(slope(p, a, n));
    t[AVG_SHEAR_B] = ca * fb * square(slope(p, b, n));
    t[AVG_SHEAR_N] = fa * cb * square(slope(p, n, a)) + ca * fb * square(slope(p, n, b));
}

/* --- the judge of the stresses: each mean as a function of its place --- */

/* Fields behind u, v, w, p: convection, then all of the right-hand sides. */
enum { CONVECTION = 4, MOMENTUM = 7, FIELDS = 10 };

/* What carries component c through the lower face, at the point of c. */
static double through(const struct place *p, int c)
{
    const struct place left = place_moved(p, c, -1);
    return (place_spacing(&left, p->g->dc, c, 0) * place_here(&left, p->n) +
            place_spacing(p, p->g->dc, c, 0) * place_here(p, p->n)) /
           (2 * place_spacing(p, p->g->df, c, 0));
}

/* d(through)/dc + d(in_cell)/dn on the lower face of the cell. */
static double sheared(const struct place *p, int c)
{
    const struct place next = place_moved(p, c, 1), below = place_moved(p, p->n, -1);
    return (through(&next, c) - through(p, c)) / place_spacing(p, p->g->dc, c, 0) +
           (place_in_cell(p, c) - place_in_cell(&below, c)) / place_spacing(p, p->g->df, p->n, 0);
}

/* Of component c on the edge at this place, along the other direction e: mean of both sides. */
static double on_edge(const struct place *p, int c, int e)
{
    const struct place side = place_moved(p, e, -1);
    return (place_here(p, c) + place_here(&side, c)) / 2;
}

/* The stress of A and B on an edge: half of what field fa, at points of A, has on both sides times B there;
 * and the other way. The point of A takes its share of the edges below and above it. */
static double edges(const struct place *p, int fa, int fb)
{
    const struct place along_a = place_moved(p, p->a, 1), along_b = place_moved(p, p->b, 1);
    const double of_a = (place_spacing(p, p->g->df, p->b, 0) * on_edge(p, p->b, p->a) +
                         place_spacing(&along_b, p->g->df, p->b, 0) * on_edge(&along_b, p->b, p->a)) /
                        2,
                 of_b = (place_spacing(p, p->g->df, p->a, 0) * on_edge(p, p->a, p->b) +
                         place_spacing(&along_a, p->g->df, p->a, 0) * on_edge(&along_a, p->a, p->b)) /
                        2;
    return place_spacing(p, p->g->df, p->a, 0) * place_here(p, fa) * of_a +
           place_spacing(p, p->g->df, p->b, 0) * place_here(p, fb) * of_b;
}

/* Returns the contribution of the pressure gradient in this sum, attributed to one cell: minus what a
 * pressure of 1 in this cell adds. */
static double edge_strain(const struct place *p)
{
    const struct place a = place_moved(p, p->a, 1), b = place_moved(p, p->b, 1),
                       ab = place_moved(&a, p->b, 1);
    const double fb = place_spacing(p, p->g->df, p->b, 0), fb1 = place_spacing(&b, p->g->df, p->b, 0),
                 fa = place_spacing(p, p->g->df, p->a, 0), fa1 = place_spacing(&a, p->g->df, p->a, 0);
    const double right = (fb * on_edge(&a, p->b, p->a) + fb1 * on_edge(&ab, p->b, p->a)) / 2,
                 left = (fb * on_edge(p, p->b, p->a) + fb1 * on_edge(&b, p->b, p->a)) / 2,
                 upper = (fa * on_edge(&b, p->a, p->b) + fa1 * on_edge(&ab, p->a, p->b)) / 2,
                 lower = (fa * on_edge(p, p->a, p->b) + fa1 * on_edge(&a, p->a, p->b)) / 2;
    return right - left + upper - lower;
}

static void stress_terms(const struct place *p, double *t)
{
    const int a = p->a, b = p->b, n = p->n;
    const struct place up = place_moved(p, n, 1);
    const double ca = place_spacing(p, p->g->dc, a, 0), cb = place_spacing(p, p->g->dc, b, 0),
                 fa = place_spacing(p, p->g->df, a, 0), fb = place_spacing(p, p->g->df, b, 0);
    const double q = place_here(p, 3), ua = place_in_cell(p, a), ub = place_in_cell(p, b),
                 un = (place_here(p, n) + place_here(&up, n)) / 2;
    t[STRESS_PA] = ca * cb * q * ua;
    t[STRESS_PB] = ca * cb * q * ub;
    t[STRESS_PAN_LOW] = ca * cb * q * sheared(p, a);
    t[STRESS_PAN_UP] = ca * cb * q * sheared(&up, a);
    t[STRESS_PBN_LOW] = ca * cb * q * sheared(p, b);
    t[STRESS_PBN_UP] = ca * cb * q * sheared(&up, b);
    t[STRESS_PAB] = q * edge_strain(p);
    for (int r = 0; r < 2; ++r) {
        const int field = r == 0 ? CONVECTION : MOMENTUM, to = r == 0 ? STRESS_CAN_LOW : STRESS_MAN_LOW,
                  face = r == 0 ? STRESS_CNA : STRESS_MNA;
        t[to] = fa * cb * place_here(p, field + a) * through(p, a);
        t[to + 1] = fa * cb * place_here(p, field + a) * through(&up, a);
        t[to + 2] = ca * fb * place_here(p, field + b) * through(p, b);
        t[to + 3] = ca * fb * place_here(p, field + b) * through(&up, b);
        t[to + 4] = edges(p, field + a, field + b);
        t[face] = ca * cb * place_here(p, field + n) * place_round_face(p, a);
        t[face + 1] = ca * cb * place_here(p, field + n) * place_round_face(p, b);
    }
    t[STRESS_ANN] = ca * cb * ua * square(un);
    t[STRESS_BNN] = ca * cb * ub * square(un);
    t[STRESS_NN] = ca * cb * square(un);
    t[STRESS_AA] = ca * cb * square(ua);
    t[STRESS_BB] = ca * cb * square(ub);
    t[STRESS_AB] = ca * cb * ua * ub;
    t[STRESS_AAB] = ca * cb * square(ua) * ub;
    t[STRESS_ABB] = ca * cb * ua * square(ub);
    t[STRESS_ABN] = ca * cb * place_here(p, n) * place_round_face(p, a) * place_round_face(p, b);
    t[STRESS_SHEAR_AAA] = fa * cb * pow(slope(p, a, n), 3);
    t[STRESS_SHEAR_BBB] = ca * fb * pow(slope(p, b, n), 3);
}

enum { OF_MEANS, OF_STRESSES, OF_QUADRANTS_A, OF_QUADRANTS_B };

/* Which sums have nothing above the upper face. */
static int of_centres(int set, int q)
{
    return set == OF_STRESSES ? q < STRESS_ABN : set == OF_MEANS && q < AVG_CENTRES;
}

static void quadrant_terms(const struct place *p, int c, double middle, double stress, double *t);

/* Computes the expected means, and means of magnitudes for the bound of rounding. plain: the means of the
 * same planes, from which the fluctuations of quadrants are taken. */
static void judge(const struct ref_grid *g, double *const *field, int normal, int set, const double *plain,
                  double *mean, double *size)
{
    const int levels = g->n[normal] + 1;
    struct place p = {.g = g, .field = field, .n = normal, .a = normal == X, .b = normal == Z ? Y : Z};
    const double area =
        (g->face[p.a][g->n[p.a]] - g->face[p.a][0]) * (g->face[p.b][g->n[p.b]] - g->face[p.b][0]);
    memset(mean, 0, sizeof *mean * (size_t)(levels * AVG_COUNT));
    memset(size, 0, sizeof *size * (size_t)(levels * AVG_COUNT));
    for (int k = 0; k < levels; ++k) {
        for (int j = 0; j < g->n[p.b]; ++j) {
            for (int i = 0; i < g->n[p.a]; ++i) {
                double t[AVG_COUNT];
                p.at[p.a] = i;
                p.at[p.b] = j;
                p.at[normal] = k;
                if (set >= OF_QUADRANTS_A) {
                    const int second = set == OF_QUADRANTS_B, inner = k > 0 && k < levels - 1;
                    const double *u = plain + (second ? AVG_B : AVG_A) * levels + k;
                    const double middle = inner ? (u[-1] + u[0]) / 2 : 0;
                    const double stress =
                        plain[(second ? AVG_BN : AVG_AN) * levels + k] - middle * plain[AVG_N * levels + k];
                    quadrant_terms(&p, second ? p.b : p.a, middle, inner ? fabs(stress) : 0, t);
                } else if (set == OF_STRESSES) {
                    stress_terms(&p, t);
                } else {
                    terms(&p, t);
                }
                for (int q = 0; q < AVG_COUNT; ++q) {
                    if (k == levels - 1 && of_centres(set, q)) continue;
                    mean[q * levels + k] += t[q] / area;
                    size[q * levels + k] += fabs(t[q]) / area;
                }
            }
        }
    }
}

/* Of the quadrants of component c: about the mean of the sample in the plane, as `mean` of the judge has it.
 */
static const double HOLE[QUADRANT_HOLES] = {0, 0.8, 3, -1};

static void quadrant_terms(const struct place *p, int c, double middle, double stress, double *t)
{
    const struct place below = place_moved(p, p->n, -1);
    const double u = (place_here(p, c) + place_here(&below, c)) / 2 - middle, w = through(p, c),
                 area = place_spacing(p, p->g->df, c, 0) *
                        place_spacing(p, p->g->dc, c == p->a ? p->b : p->a, 0);
    memset(t, 0, sizeof *t * QUADRANT_SUMS);
    for (int h = 0; h < QUADRANT_HOLES; ++h) {
        const int at = u > 0 && w > 0 ? 0 : u < 0 && w > 0 ? 1 : u < 0 && w < 0 ? 2 : 3;
        if (HOLE[h] < 0 || fabs(u * w) <= HOLE[h] * stress) continue;
        t[8 * h + at] = area * u * w;
        t[8 * h + 4 + at] = area;
    }
}

/* --- the judged --- */

static int sample(struct part *p, double *const *field, int normal, int set, double *mean)
{
    real *const vel[3] = {part_from(p, OWN_EDGES, field[0]), part_from(p, OWN_EDGES, field[1]),
                          part_from(p, OWN_EDGES, field[2])};
    const real *pressure = part_from(p, OWN, field[3]);
    struct wall_planes *planes = NULL;
    int wrong = wall_planes_create(NULL, &p->comm, &p->d, p->g.box, reduction_blocks(p->reduction), normal,
                                   &planes) != KOL_OK;
    double *const to = p->comm.rank == 0 ? mean : NULL;
    if (set >= OF_QUADRANTS_A) {
        double *plain = calloc((size_t)(AVG_COUNT * (p->g.n_g[normal] + 1)), sizeof *plain);
        wrong += wall_planes_sample(planes, &p->g, vel, pressure, to != NULL ? plain : NULL) != KOL_OK;
        wrong += wall_planes_quadrants(planes, &p->g, vel, set == OF_QUADRANTS_B, HOLE,
                                       to != NULL ? plain : NULL, to) != KOL_OK;
        free(plain);
    } else if (set == OF_STRESSES) {
        real *rhs[6];
        for (int c = 0; c < 6; ++c) rhs[c] = part_from(p, OWN, field[CONVECTION + c]);
        wrong += wall_planes_stresses(planes, &p->g, vel, pressure, rhs, rhs + 3, to) != KOL_OK;
    } else {
        wrong += wall_planes_sample(planes, &p->g, vel, pressure, to) != KOL_OK;
    }
    wall_planes_destroy(&planes);
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, double *const *field, int normal, int set,
                         const double *alone, int *layouts)
{
    const size_t bytes = sizeof *alone * (size_t)(AVG_COUNT * (in->n[normal] + 1));
    double *mean = malloc(bytes);
    int wrong = mean == NULL;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct part p;
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        wrong += sample(&p, field, normal, set, mean);
        wrong += comm.rank == 0 && memcmp(mean, alone, bytes) != 0;
        part_destroy(&p);
        ++*layouts;
    }
    free(mean);
    return wrong;
}

static void check_run(const struct case_input *in, int normal, int set, int *layouts)
{
    struct ref_grid g;
    struct part p;
    case_reference(in, &g);
    const int values = AVG_COUNT * (in->n[normal] + 1);
    double *field[FIELDS], *mean = malloc(sizeof *mean * (size_t)(4 * values)), *right = mean + values,
                           *size = right + values, *plain = size + values;
    for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 301 + (unsigned)f);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    wrong += sample(&p, field, normal, set, mean);
    part_destroy(&p);
    judge(&g, field, normal, OF_MEANS, NULL, plain, size);
    judge(&g, field, normal, set, plain, right, size);
    const double most = case_worst(values, mean, right, size);
    CHECK_ALL(wrong == 0);
    /* float: spacings and fields are rounded, and differences of them */
    CHECK_ALL_BELOW(most, KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
    CHECK_ALL(check_layouts(in, field, normal, set, mean, layouts) == 0);
    free(mean);
    case_free(field, FIELDS);
    ref_grid_destroy(&g);
}

static void test_average(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n)
        for (int normal = X; normal <= Z; ++normal) check_run(&case_inputs[n], normal, OF_MEANS, &layouts);
    CHECK_ALL(layouts >= 1);
}

static void test_stresses(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n)
        for (int normal = X; normal <= Z; ++normal) check_run(&case_inputs[n], normal, OF_STRESSES, &layouts);
    CHECK_ALL(layouts >= 1);
}

static void test_quadrants(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n)
        for (int normal = X; normal <= Z; ++normal)
            for (int set = OF_QUADRANTS_A; set <= OF_QUADRANTS_B; ++set)
                check_run(&case_inputs[n], normal, set, &layouts);
    CHECK_ALL(layouts >= 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_average, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_quadrants, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_stresses, setup, teardown)};
    return MPI_MAIN(argc, argv, "average", tests);
}
