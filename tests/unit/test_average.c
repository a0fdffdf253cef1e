/* ranks: 1 2 4 */
/* Plane averages: every sum at every level against plain loops that share nothing with the kernels, for walls in each direction, and the
 * same bits in every layout of the ranks. Catches a neighbour taken from the wrong side, a missing area, a centre term on the upper
 * face, an order of addition that depends on the ranks, levels that are doubled or lost where the normal direction is cut. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../inputs/check.h"
#include "../../solver/planes.h"
#include "../support/kernel_case.h"
#include "../support/mpi_main.h"
#include "../support/ranks.h"

/* --- the judge --- */

/* place: a cell, and the directions along and normal to the walls. */
struct place {
    const struct ref_grid *g;
    double *const *field; /* u, v, w, p */
    int at[3], a, b, n;
};

/* Value of a field, `steps` cells away along `direction` and `steps2` along another. */
static double value(const struct place *p, int field, int direction, int steps, int direction2, int steps2)
{
    int c[3] = {p->at[0], p->at[1], p->at[2]};
    c[direction] += steps;
    c[direction2] += steps2;
    return p->field[field][ref_index(p->g, c[0], c[1], c[2])];
}

static double here(const struct place *p, int field)
{
    return value(p, field, 0, 0, 0, 0);
}

static double spacing(const struct place *p, double *const d[3], int direction, int steps)
{
    const int n = p->g->n[direction];
    return d[direction][(p->at[direction] + steps + n) % n];
}

/* Difference of a component along a direction: of the two faces of the cell, where it is the direction's own, else of the centres on both
 * sides of the lower face. */
static double slope(const struct place *p, int field, int direction)
{
    if (field == direction)
        return (value(p, field, direction, 1, direction, 0) - here(p, field)) /
               spacing(p, p->g->dc, direction, 0);
    return (here(p, field) - value(p, field, direction, -1, direction, 0)) /
           spacing(p, p->g->df, direction, 0);
}

/* What momentum of component c is carried with through the lower face normal to n: the volume flux over the area of the momentum volume. */
static double carrier(const struct place *p, int c)
{
    return 0.5 *
           (spacing(p, p->g->dc, c, -1) * value(p, p->n, c, -1, c, 0) +
            spacing(p, p->g->dc, c, 0) * here(p, p->n)) /
           spacing(p, p->g->df, c, 0);
}

static double square(double x)
{
    return x * x;
}

/* Terms and the areas they belong to. */
static void terms(const struct place *p, double *t)
{
    const int a = p->a, b = p->b, n = p->n;
    const double ca = spacing(p, p->g->dc, a, 0), cb = spacing(p, p->g->dc, b, 0),
                 fa = spacing(p, p->g->df, a, 0), fb = spacing(p, p->g->df, b, 0);
    const double ua = here(p, a), ub = here(p, b), un = here(p, n), q = here(p, 3);
    const double up = value(p, n, n, 1, n, 0), middle = (un + up) / 2;
    t[AVG_A] = fa * cb * ua;
    t[AVG_B] = ca * fb * ub;
    t[AVG_P] = ca * cb * q;
    t[AVG_AA] = fa * cb * pow(ua, 2);
    t[AVG_BB] = ca * fb * pow(ub, 2);
    t[AVG_PP] = ca * cb * pow(q, 2);
    t[AVG_AB] = fa * fb * (ua + value(p, a, b, -1, b, 0)) / 2 * (ub + value(p, b, a, -1, a, 0)) / 2;
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
    const double a_below = value(p, a, n, -1, n, 0), b_below = value(p, b, n, -1, n, 0);
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

/* Means, and means of magnitudes for the rounding. */
static void judge(const struct ref_grid *g, double *const field[4], int normal, double *mean, double *size)
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
                terms(&p, t);
                for (int q = k < levels - 1 ? 0 : AVG_CENTRES; q < AVG_COUNT; ++q) {
                    mean[q * levels + k] += t[q] / area;
                    size[q * levels + k] += fabs(t[q]) / area;
                }
            }
        }
    }
}

/* --- the judged --- */

static int sample(struct part *p, double *const field[4], int normal, double *mean)
{
    real *const vel[3] = {part_from(p, OWN_EDGES, field[0]), part_from(p, OWN_EDGES, field[1]),
                          part_from(p, OWN_EDGES, field[2])};
    const real *pressure = part_from(p, OWN, field[3]);
    struct planes *planes = NULL;
    int wrong =
        planes_create(&p->comm, &p->d, p->g.box, reduction_blocks(p->reduction), normal, &planes) != KOL_OK;
    wrong += planes_sample(planes, &p->g, vel, pressure, p->comm.rank == 0 ? mean : NULL) != KOL_OK;
    planes_destroy(&planes);
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, double *const field[4], int normal, const double *alone,
                         int *layouts)
{
    const size_t bytes = sizeof *alone * (size_t)(AVG_COUNT * (in->n[normal] + 1));
    double *mean = malloc(bytes);
    int wrong = mean == NULL;
    for (int px = 1; px <= comm.size; ++px) {
        for (int py = 1; py <= comm.size / px; ++py) {
            const int layout[3] = {px, py, comm.size / px / py};
            struct part p;
            if (!grid_ranks_fit(in->n, layout, comm.size)) continue;
            wrong += part_create(in, comm, layout, &p) != KOL_OK;
            wrong += sample(&p, field, normal, mean);
            wrong += comm.rank == 0 && memcmp(mean, alone, bytes) != 0;
            part_destroy(&p);
            ++*layouts;
        }
    }
    free(mean);
    return wrong;
}

static void check_case(const struct case_input *in, int normal, int *layouts)
{
    struct ref_grid g;
    struct part p;
    case_reference(in, &g);
    const int values = AVG_COUNT * (in->n[normal] + 1);
    double *field[4], *mean = malloc(sizeof *mean * (size_t)(3 * values)), *right = mean + values,
                      *size = right + values, most = 0;
    for (int f = 0; f < 4; ++f) field[f] = case_random(&g, 301 + (unsigned)f);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    wrong += sample(&p, field, normal, mean);
    part_destroy(&p);
    judge(&g, field, normal, right, size);
    for (int n = 0; n < values; ++n) {
        const double error = fabs(mean[n] - right[n]) / (size[n] > 0 ? size[n] : 1);
        if (!(error <= most)) most = error;
    }
    CHECK_ALL(wrong == 0);
    /* float: spacings and fields are rounded, and differences of them */
    CHECK_ALL_BELOW(most, KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
    CHECK_ALL(check_layouts(in, field, normal, mean, layouts) == 0);
    free(mean);
    case_free(field, 4);
    ref_grid_destroy(&g);
}

static void test_average(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n)
        for (int normal = X; normal <= Z; ++normal) check_case(&case_inputs[n], normal, &layouts);
    CHECK_ALL(layouts >= 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_average, setup, teardown)};
    return MPI_MAIN(argc, argv, "average", tests);
}
