/* ranks: 1 2 8 */
/* Tests averages over one homogeneous direction. Every sum at every place of the cross-section is compared
 * with plain loops that share nothing with the kernels, in each direction. The bits are the same in every
 * layout of the ranks, and for any number of rows that are worked on at a time. Both backends add up in the
 * same order: their bits are those of plain loops over the same terms. Catches a neighbour taken from the
 * wrong side, a missing length, a term of centres on an upper face, an order of addition that depends on the
 * ranks, and places that are doubled or lost where the section is cut. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/point/line_average.h"
#include "solver/statistics/section_sums.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

/* --- the judge --- */

/* place: a cell, and the homogeneous direction s and those of the section. */
struct place {
    const struct ref_grid *g;
    double *const *field; /* u, v, w, p */
    int at[3], s, a, b;
};

static double value(const struct place *p, int field, int direction, int steps)
{
    int c[3] = {p->at[0], p->at[1], p->at[2]};
    c[direction] += steps;
    return p->field[field][ref_index(p->g, c[0], c[1], c[2])];
}

static double width(const struct place *p, int direction, int steps)
{
    const int n = p->g->n[direction];
    return p->g->dc[direction][(p->at[direction] + steps + n) % n];
}

static double distance(const struct place *p, int direction)
{
    return p->g->df[direction][p->at[direction] % p->g->n[direction]];
}

/* Returns the difference of a component along a direction. If it is the direction of the component, this is
 * the difference between the two faces of the cell; otherwise it is that between the centres on both sides
 * of the lower face. */
static double slope(const struct place *p, int field, int direction)
{
    if (field == direction)
        return (value(p, field, direction, 1) - value(p, field, direction, 0)) / width(p, direction, 0);
    return (value(p, field, direction, 0) - value(p, field, direction, -1)) / distance(p, direction);
}

/* Returns the velocity that carries component c along direction e, times the mean of c there. This is the
 * flux of the momentum equation, divided by the area. */
static double flux(const struct place *p, int c, int e)
{
    if (c == e) return pow((value(p, c, c, 0) + value(p, c, c, 1)) / 2, 2);
    const double carrier =
        (width(p, c, -1) * value(p, e, c, -1) + width(p, c, 0) * value(p, e, c, 0)) / (2 * distance(p, c));
    return carrier * (value(p, c, e, -1) + value(p, c, e, 0)) / 2;
}

static double square(double x)
{
    return x * x;
}

/* Terms times lengths: of component c, its four powers from sum `first` on. */
static void powers(const struct place *p, int c, double length, const int sum[4], double *t)
{
    for (int n = 0; n < 4; ++n) t[sum[n]] = length * pow(value(p, c, c, 0), n + 1);
}

static void terms(const struct place *p, double *t)
{
    static const int OF_S[4] = {LINE_SUM_S, LINE_SUM_SS, LINE_SUM_SSS, LINE_SUM_SSSS},
                     OF_A[4] = {LINE_SUM_A, LINE_SUM_AA, LINE_SUM_AAA, LINE_SUM_AAAA},
                     OF_B[4] = {LINE_SUM_B, LINE_SUM_BB, LINE_SUM_BBB, LINE_SUM_BBBB};
    const int s = p->s, a = p->a, b = p->b;
    const double c = width(p, s, 0), f = distance(p, s), q = value(p, 3, s, 0);
    powers(p, s, f, OF_S, t);
    powers(p, a, c, OF_A, t);
    powers(p, b, c, OF_B, t);
    t[LINE_SUM_P] = c * q;
    t[LINE_SUM_PP] = c * q * q;
    t[LINE_SUM_FLUX_AA] = c * flux(p, a, a);
    t[LINE_SUM_FLUX_BB] = c * flux(p, b, b);
    t[LINE_SUM_GRAD_S] = c * square(slope(p, s, s));
    t[LINE_SUM_GRAD_A] = c * square(slope(p, a, a));
    t[LINE_SUM_GRAD_B] = c * square(slope(p, b, b));
    t[LINE_SUM_SA] = f * flux(p, s, a);
    t[LINE_SUM_DSA] = f * slope(p, s, a);
    t[LINE_SUM_DSA2] = f * square(slope(p, s, a));
    t[LINE_SUM_DAS2] = f * square(slope(p, a, s));
    t[LINE_SUM_OMEGA_B] = f * square(slope(p, a, s) - slope(p, s, a));
    t[LINE_SUM_SB] = f * flux(p, s, b);
    t[LINE_SUM_DSB] = f * slope(p, s, b);
    t[LINE_SUM_DSB2] = f * square(slope(p, s, b));
    t[LINE_SUM_DBS2] = f * square(slope(p, b, s));
    t[LINE_SUM_OMEGA_A] = f * square(slope(p, b, s) - slope(p, s, b));
    t[LINE_SUM_FLUX_AB] = c * flux(p, a, b);
    t[LINE_SUM_FLUX_BA] = c * flux(p, b, a);
    t[LINE_SUM_DAB] = c * slope(p, a, b);
    t[LINE_SUM_DBA] = c * slope(p, b, a);
    t[LINE_SUM_DAB2] = c * square(slope(p, a, b));
    t[LINE_SUM_DBA2] = c * square(slope(p, b, a));
    t[LINE_SUM_OMEGA_S] = c * square(slope(p, b, a) - slope(p, a, b));
}

/* Means, and means of magnitudes for the rounding. */
static void judge(const struct ref_grid *g, double *const field[4], int along, double *mean, double *size)
{
    struct place p = {.g = g, .field = field, .s = along, .a = along == X, .b = along == Z ? Y : Z};
    const double length = g->face[along][g->n[along]] - g->face[along][0];
    for (int q = 0; q < LINE_SUM_COUNT; ++q) {
        const struct section_sums_place all = section_sums_place(g->n, along, q);
        for (int n = 0; n < all.wide * all.high; ++n, ++mean, ++size) {
            *mean = *size = 0;
            p.at[p.a] = n % all.wide;
            p.at[p.b] = n / all.wide;
            for (p.at[along] = 0; p.at[along] < g->n[along]; ++p.at[along]) {
                double t[LINE_SUM_COUNT];
                terms(&p, t);
                *mean += t[q] / length;
                *size += fabs(t[q]) / length;
            }
        }
    }
}

/* --- the judged --- */

static int sample(struct part *p, double *const field[4], int along, ptrdiff_t room, double *mean)
{
    real *const vel[3] = {part_from(p, OWN_EDGES, field[0]), part_from(p, OWN_EDGES, field[1]),
                          part_from(p, OWN_EDGES, field[2])};
    const real *pressure = part_from(p, OWN, field[3]);
    struct section_sums *spans = NULL;
    int wrong = section_sums_create(NULL, &p->comm, &p->d, p->g.box, reduction_blocks(p->reduction), along,
                                    room, &spans) != KOL_OK;
    const size_t bytes = sizeof *mean * (size_t)section_sums_first(p->d.n_g, along, LINE_SUM_COUNT);
    double *kernel = NULL;
    if (p->comm.rank == 0) wrong += mem_kernel_alloc(bytes, (void **)&kernel) != KOL_OK;
    if (kernel != NULL) memset(mean, 0xff, bytes); /* places that are not written stay NaN */
    if (kernel != NULL) wrong += mem_to_kernel(kernel, mean, bytes) != KOL_OK;
    wrong += section_sums_sample(spans, &p->g, vel, pressure, kernel) != KOL_OK;
    if (kernel != NULL) wrong += mem_to_host(mean, kernel, bytes) != KOL_OK;
    mem_kernel_free(kernel);
    section_sums_destroy(&spans);
    part_release(p);
    return wrong;
}

static int check_layouts(const struct case_input *in, double *const field[4], int along, const double *alone,
                         int *layouts)
{
    const size_t bytes = sizeof *alone * (size_t)section_sums_first(in->n, along, LINE_SUM_COUNT);
    double *mean = malloc(bytes);
    int wrong = mean == NULL;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct part p;
        wrong += part_create(in, comm, layout, &p) != KOL_OK;
        for (int narrow = 0; narrow < 2; ++narrow) {
            memset(mean, 0, bytes);
            wrong += sample(&p, field, along, narrow ? 1 : SECTION_SUMS_ROOM, mean);
            wrong += comm.rank == 0 && memcmp(mean, alone, bytes) != 0;
        }
        part_destroy(&p);
        ++*layouts;
    }
    free(mean);
    return wrong;
}

static void check_run(const struct case_input *in, int along, int *layouts)
{
    struct ref_grid g;
    struct part p;
    case_reference(in, &g);
    const ptrdiff_t values = section_sums_first(in->n, along, LINE_SUM_COUNT);
    double *field[4], *mean = malloc(sizeof *mean * (size_t)(3 * values)), *right = mean + values,
                      *size = right + values;
    for (int f = 0; f < 4; ++f) field[f] = case_random(&g, 401 + (unsigned)f);
    int wrong = part_create(in, self, whole, &p) != KOL_OK;
    wrong += sample(&p, field, along, SECTION_SUMS_ROOM, mean);
    part_destroy(&p);
    judge(&g, field, along, right, size);
    const double most = case_worst(values, mean, right, size);
    CHECK_ALL(wrong == 0);
    /* float: spacings and fields are rounded, and differences of them */
    CHECK_ALL_BELOW(most, KOL_CHOOSE(200 * DBL_EPSILON, 1e-4));
    CHECK_ALL(check_layouts(in, field, along, mean, layouts) == 0);
    free(mean);
    case_free(field, 4);
    ref_grid_destroy(&g);
}

static void test_span(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES; ++n)
        for (int along = X; along <= Z; ++along) check_run(&case_inputs[n], along, &layouts);
    CHECK_ALL(layouts >= 1);
}

/* --- the order of addition --- */

enum { METRICS = 12 };

/* The spacings in host memory, in `store`. */
static struct metrics host_metrics(const struct part *p, real *store[METRICS])
{
    struct metrics m = p->g.m;
    const real **const from[METRICS] = {&m.dx_c,  &m.dx_f,  &m.dxi_c, &m.dxi_f, &m.dy_c,  &m.dy_f,
                                        &m.dyi_c, &m.dyi_f, &m.dz_c,  &m.dz_f,  &m.dzi_c, &m.dzi_f};
    for (int n = 0; n < METRICS; ++n) {
        const int cells = p->d.n[n / 4], halo = p->g.box.h;
        const size_t count = (size_t)(cells + 2 * halo);
        store[n] = malloc(count * sizeof(real));
        assert_int_equal(mem_to_host(store[n], *from[n] - halo, count * sizeof(real)), KOL_OK);
        *from[n] = store[n] + halo;
    }
    return m;
}

/* Adds up the terms of one block at one place. They are added upwards in one sum; if the direction is x,
 * they are added in KOL_LANES sums, which are then combined by halves. */
static void sum_block(const struct part *p, struct metrics m, struct line_average_values q,
                      struct line_average_frame d, const int at_place[2], const int cells[2], double *sum)
{
    double lane[LINE_SUM_COUNT][KOL_LANES] = {{0}};
    const int lanes = d.s == X ? KOL_LANES : 1;
    for (int s = cells[0]; s < cells[1]; ++s) {
        double t[LINE_SUM_COUNT];
        point_line_average(q, d, p->g.box.start + s * d.ss + at_place[0] * d.sa + at_place[1] * d.sb,
                           plane_average_spacings_make(m, d.s, s),
                           plane_average_spacings_make(m, d.a, at_place[0]),
                           plane_average_spacings_make(m, d.b, at_place[1]), at_place[0] < p->d.n[d.a],
                           at_place[1] < p->d.n[d.b], t, 1);
        for (int n = 0; n < LINE_SUM_COUNT; ++n) lane[n][(s - cells[0]) % lanes] += t[n];
    }
    for (int n = 0; n < LINE_SUM_COUNT; ++n) {
        for (int half = lanes / 2; half > 0; half /= 2)
            for (int l = 0; l < half; ++l) lane[n][l] += lane[n][l + half];
        sum[n] = lane[n][0];
    }
}

static ptrdiff_t other_bits(struct part *p, struct metrics m, real *const vel[3], const real *pressure,
                            int along, const double *mean)
{
    const struct line_average_frame d = line_average_frame_make(p->g.box, along);
    const struct line_average_values q = {vel[d.s], vel[d.a], vel[d.b], pressure};
    ptrdiff_t wrong = 0;
    for (int j = 0; j <= p->d.n[d.b]; ++j) {
        for (int i = 0; i <= p->d.n[d.a]; ++i) {
            double all[LINE_SUM_COUNT], sum[LINE_SUM_COUNT];
            for (int n = 0; n < p->d.blocks_g[along]; ++n) {
                const int cells[2] = {decomp_block_start(&p->d, along, n),
                                      decomp_block_start(&p->d, along, n + 1)};
                sum_block(p, m, q, d, (const int[2]){i, j}, cells, sum);
                for (int k = 0; k < LINE_SUM_COUNT; ++k) all[k] = n == 0 ? sum[k] : all[k] + sum[k];
            }
            for (int k = 0; k < LINE_SUM_COUNT; ++k) {
                const struct section_sums_place size = section_sums_place(p->d.n_g, along, k);
                if (i >= size.wide || j >= size.high) continue;
                wrong += mean[section_sums_first(p->d.n_g, along, k) + j * size.wide + i] !=
                         all[k] / p->g.length[along];
            }
        }
    }
    return wrong;
}

static void check_order(const struct case_input *in, int along)
{
    struct ref_grid g;
    struct part p;
    real *store[METRICS], *host[4], *device[4];
    case_reference(in, &g);
    double *field[4], *mean = malloc(sizeof *mean * (size_t)section_sums_first(in->n, along, LINE_SUM_COUNT));
    assert_int_equal(part_create(in, self, whole, &p), KOL_OK);
    for (int f = 0; f < 4; ++f) field[f] = case_random(&g, 501 + (unsigned)f);
    assert_int_equal(sample(&p, field, along, SECTION_SUMS_ROOM, mean), 0);
    for (int f = 0; f < 4; ++f) {
        device[f] = part_from(&p, OWN_EDGES, field[f]);
        host[f] = part_copy(&p, device[f]);
    }
    const struct metrics m = host_metrics(&p, store);
    CHECK_ALL(other_bits(&p, m, host, host[3], along, mean) == 0);
    for (int n = 0; n < METRICS; ++n) free(store[n]);
    for (int f = 0; f < 4; ++f) free(host[f]);
    free(mean);
    part_destroy(&p);
    case_free(field, 4);
    ref_grid_destroy(&g);
}

static void test_order(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; ++n)
        for (int along = X; along <= Z; ++along) check_order(&case_inputs[n], along);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_span, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_order, setup, teardown)};
    return MPI_MAIN(argc, argv, "span", tests);
}
