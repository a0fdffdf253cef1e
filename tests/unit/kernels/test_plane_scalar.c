/* ranks: 1 2 4 */
/* Tests plane averages of a scalar for walls in each direction. Every sum at every level is compared with
 * plain loops that share nothing with the kernels, and it has the same bits in every layout of the ranks.
 * Catches a neighbour taken from the wrong side, a missing area, a term of centres on the upper face, a sum
 * that reads more halo than its contract allows, and an order of addition that depends on the ranks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solver/statistics/wall_planes.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/place.h"
#include "tests/support/ranks.h"

/* Fields: u, v, w, p, the scalar, its convection and transport; then of the velocity its convection, its
 * right-hand side and the buoyancy. */
enum { P = 3, T, C, M, UC, UM = UC + 3, B = UM + 3, FIELDS = B + 3 };
enum { OF_MEANS, OF_FLUXES, OF_FLUXES_AT_REST };
static const double GRADIENT[3] = {0.7, -0.4, 0.3};

/* --- the judge --- */

/* The scalar at the point of component c, by widths of cells. */
static double at_point(const struct place *p, int c)
{
    const struct place below = place_moved(p, c, -1);
    return (place_spacing(p, p->g->dc, c, -1) * place_here(&below, T) +
            place_spacing(p, p->g->dc, c, 0) * place_here(p, T)) /
           (2 * place_spacing(p, p->g->df, c, 0));
}

static double source(const struct place *p)
{
    return -(GRADIENT[p->a] * place_in_cell(p, p->a) + GRADIENT[p->b] * place_in_cell(p, p->b));
}

static double slope(const struct place *p, int direction)
{
    const struct place below = place_moved(p, direction, -1);
    return (place_here(p, T) - place_here(&below, T)) / place_spacing(p, p->g->df, direction, 0);
}

static void mean_terms(const struct place *p, double *t)
{
    const int a = p->a, b = p->b, n = p->n;
    const struct place below = place_moved(p, n, -1);
    const double ca = place_spacing(p, p->g->dc, a, 0), cb = place_spacing(p, p->g->dc, b, 0),
                 s = place_here(p, T);
    t[THETA_T] = ca * cb * s;
    t[THETA_TT] = ca * cb * pow(s, 2);
    t[THETA_TTT] = ca * cb * pow(s, 3);
    t[THETA_TTTT] = ca * cb * pow(s, 4);
    t[THETA_TA] = place_spacing(p, p->g->df, a, 0) * cb * place_here(p, a) * at_point(p, a);
    t[THETA_TB] = ca * place_spacing(p, p->g->df, b, 0) * place_here(p, b) * at_point(p, b);
    t[THETA_GRAD] = place_spacing(p, p->g->df, a, 0) * cb * pow(slope(p, a), 2) +
                    ca * place_spacing(p, p->g->df, b, 0) * pow(slope(p, b), 2);
    t[THETA_C] = ca * cb * place_here(p, C);
    t[THETA_TC] = ca * cb * place_here(p, C) * s;
    t[THETA_TS] = ca * cb * s * source(p);
    t[THETA_TN] = ca * cb * place_here(p, n) * (place_here(&below, T) + s) / 2;
    t[THETA_FLUX_TT] = ca * cb * place_here(p, n) * place_here(&below, T) * s;
    t[THETA_SHEAR] = ca * cb * pow(slope(p, n), 2);
}

static void along_terms(const struct place *p, int c, int lifted, double *t)
{
    const int second = c == p->b, other = second ? p->a : p->b;
    const struct place next = place_moved(p, c, 1);
    const double across = place_spacing(p, p->g->dc, other, 0),
                 cell = place_spacing(p, p->g->dc, c, 0) * across,
                 point = place_spacing(p, p->g->df, c, 0) * across;
    t[FLUXES_PDA + second] = across * place_here(p, P) * (at_point(&next, c) - at_point(p, c));
    t[FLUXES_CA + second] =
        point * place_here(p, UC + c) * at_point(p, c) + cell * place_in_cell(p, c) * place_here(p, C);
    t[FLUXES_MA + second] =
        point * place_here(p, UM + c) * at_point(p, c) + cell * place_in_cell(p, c) * place_here(p, M);
    t[FLUXES_SA + second] = cell * place_in_cell(p, c) * source(p);
    t[FLUXES_BA + second] = lifted ? point * place_here(p, B + c) * at_point(p, c) : 0;
    t[FLUXES_LA + second] = lifted ? point * place_here(p, B + c) : 0;
}

static void flux_terms(const struct place *p, int lifted, double *t)
{
    const int n = p->n;
    const struct place up = place_moved(p, n, 1), below = place_moved(p, n, -1);
    const double cc = place_spacing(p, p->g->dc, p->a, 0) * place_spacing(p, p->g->dc, p->b, 0);
    const double face = (place_here(&below, T) + place_here(p, T)) / 2;
    along_terms(p, p->a, lifted, t);
    along_terms(p, p->b, lifted, t);
    t[FLUXES_PT] = cc * place_here(p, P) * place_here(p, T);
    t[FLUXES_PDN_LOW] = cc * place_here(p, P) * slope(p, n);
    t[FLUXES_PDN_UP] = cc * place_here(p, P) * slope(&up, n);
    t[FLUXES_CTN_LOW] = cc * place_here(p, C) * place_here(p, n);
    t[FLUXES_CTN_UP] = cc * place_here(p, C) * place_here(&up, n);
    t[FLUXES_MTN_LOW] = cc * place_here(p, M) * place_here(p, n);
    t[FLUXES_MTN_UP] = cc * place_here(p, M) * place_here(&up, n);
    t[FLUXES_NNT] = cc * pow(place_in_cell(p, n), 2) * place_here(p, T);
    t[FLUXES_ATN] = cc * place_here(p, n) * place_round_face(p, p->a) * face;
    t[FLUXES_BTN] = cc * place_here(p, n) * place_round_face(p, p->b) * face;
    t[FLUXES_CN] = cc * place_here(p, UC + n) * face;
    t[FLUXES_MN] = cc * place_here(p, UM + n) * face;
    t[FLUXES_SN] = cc * place_here(p, n) * (source(p) + source(&below)) / 2;
    t[FLUXES_BN] = lifted ? cc * place_here(p, B + n) * face : 0;
}

static int sums_of(int set)
{
    return set == OF_MEANS ? THETA_COUNT : FLUXES_COUNT;
}

/* Which sums have nothing above the upper face: those at centres, and those that read arrays of own points.
 */
static int of_centres(int set, int q)
{
    return set == OF_MEANS ? q < THETA_CENTRES
                           : q < FLUXES_CENTRES || q == FLUXES_CN || q == FLUXES_MN || q == FLUXES_BN;
}

/* Computes the expected means, and means of magnitudes for the bound of rounding. */
static void judge(const struct ref_grid *g, double *const *field, int normal, int set, double *mean,
                  double *size)
{
    const int levels = g->n[normal] + 1;
    struct place p = {.g = g, .field = field, .n = normal, .a = normal == X, .b = normal == Z ? Y : Z};
    const double area =
        (g->face[p.a][g->n[p.a]] - g->face[p.a][0]) * (g->face[p.b][g->n[p.b]] - g->face[p.b][0]);
    memset(mean, 0, sizeof *mean * (size_t)(levels * AVG_COUNT));
    memset(size, 0, sizeof *size * (size_t)(levels * AVG_COUNT));
    for (int place = 0; place < levels * g->n[p.b] * g->n[p.a]; ++place) {
        double t[AVG_COUNT];
        const int k = place / (g->n[p.b] * g->n[p.a]);
        p.at[p.a] = place % g->n[p.a];
        p.at[p.b] = place / g->n[p.a] % g->n[p.b];
        p.at[normal] = k;
        if (set == OF_MEANS) mean_terms(&p, t);
        else flux_terms(&p, set == OF_FLUXES, t);
        for (int q = 0; q < sums_of(set); ++q) {
            if (k == levels - 1 && of_centres(set, q)) continue;
            mean[q * levels + k] += t[q] / area;
            size[q * levels + k] += fabs(t[q]) / area;
        }
    }
}

/* --- the judged --- */

static int sample(struct part *p, double *const *field, int normal, int set, double *mean)
{
    real *vel[3];
    struct wall_planes *planes = NULL;
    struct plane_scalar s = {.theta = part_from(p, OWN_FACES, field[T]),
                             .convection = part_from(p, OWN, field[C]),
                             .gradient = {GRADIENT[0], GRADIENT[1], GRADIENT[2]}};
    for (int d = 0; d < 3; ++d) {
        vel[d] = part_from(p, OWN_EDGES, field[d]);
        s.u_convection[d] = part_from(p, OWN, field[UC + d]);
        s.u_momentum[d] = part_from(p, OWN, field[UM + d]);
        s.buoyancy[d] = set == OF_FLUXES ? part_from(p, OWN, field[B + d]) : NULL;
    }
    s.transport = part_from(p, OWN, field[M]);
    double *const to = p->comm.rank == 0 ? mean : NULL;
    int wrong = wall_planes_create(NULL, &p->comm, &p->d, p->g.box, reduction_blocks(p->reduction), normal,
                                   &planes) != KOL_OK;
    wrong += (set == OF_MEANS ? wall_planes_scalar(planes, &p->g, vel, &s, to)
                              : wall_planes_scalar_fluxes(planes, &p->g, vel, part_from(p, OWN, field[P]), &s,
                                                          to)) != KOL_OK;
    wall_planes_destroy(&planes);
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, double *const *field, int normal, int set,
                         const double *alone)
{
    const size_t bytes = sizeof *alone * (size_t)(sums_of(set) * (in->n[normal] + 1));
    double *mean = malloc(bytes);
    int wrong = mean == NULL;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct part p;
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        wrong += sample(&p, field, normal, set, mean);
        wrong += comm.rank == 0 && memcmp(mean, alone, bytes) != 0;
        part_destroy(&p);
    }
    free(mean);
    return wrong;
}

static void check_set(const struct case_input *in, int normal, int set)
{
    struct ref_grid g;
    struct part p;
    case_reference(in, &g);
    const int all = AVG_COUNT * (in->n[normal] + 1), values = sums_of(set) * (in->n[normal] + 1);
    double *field[FIELDS], *mean = malloc(sizeof *mean * (size_t)(3 * all)), *right = mean + all,
                           *size = right + all;
    for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 501 + (unsigned)f);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    wrong += sample(&p, field, normal, set, mean);
    part_destroy(&p);
    judge(&g, field, normal, set, right, size);
    const double most = case_worst(values, mean, right, size);
    CHECK_ALL(wrong == 0);
    /* float: spacings and fields are rounded, and differences of them */
    CHECK_ALL_BELOW(most, KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
    CHECK_ALL(check_layouts(in, field, normal, set, mean) == 0);
    free(mean);
    case_free(field, FIELDS);
    ref_grid_destroy(&g);
}

static void check_cases(int set)
{
    for (int n = 0; n < CASES; ++n)
        for (int normal = X; normal <= Z; ++normal) check_set(&case_inputs[n], normal, set);
}

static void test_means(void **state)
{
    (void)state;
    check_cases(OF_MEANS);
}

static void test_fluxes(void **state)
{
    (void)state;
    check_cases(OF_FLUXES);
}

static void test_fluxes_without_buoyancy(void **state)
{
    (void)state;
    check_cases(OF_FLUXES_AT_REST);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_means, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fluxes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fluxes_without_buoyancy, setup, teardown)};
    return MPI_MAIN(argc, argv, "plane_scalar", tests);
}
