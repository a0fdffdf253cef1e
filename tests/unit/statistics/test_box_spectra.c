/* ranks: 1 2 4 8 */
/* Tests spectra, structure functions and probability densities of a periodic box. Energy, transfer and
 * dissipation in every shell and along every axis are compared with Fourier sums written out here, on even
 * and odd grids of unequal sides. Moments and counts of increments are compared with plain loops. In the CPU
 * build the bits are the same in every layout of the ranks, also if there are more ranks than groups of
 * planes. A second sample works in the memory that the first one left. Catches a line that is lost or doubled
 * where slabs are cut, a wave in the wrong shell, a wrong weight of the waves that have no conjugate, and an
 * order of addition that depends on the ranks. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/shells.h"
#include "solver/statistics/box_increments.h"
#include "solver/parallel/peer_memory.h"
#include "solver/statistics/box_spectra.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

static const struct case_input cases[] = {{"even", {12, 10, 8}, {0, 0, 0}, {0, 0, 0}},
                                          {"odd", {15, 13, 11}, {0, 0, 0}, {0, 0, 0}},
                                          {"flat", {4, 19, 9}, {0, 0, 0}, {0, 0, 0}}};
enum { CASES_HERE = sizeof cases / sizeof *cases, FIELDS = 6, MOST_GRID = 2200 };

/* --- the judge: one direction after another, by the sum itself --- */

static void transform(const struct ref_grid *g, const double *q, double complex *out)
{
    const int *n = g->n;
    static double complex line[64];
    for (ptrdiff_t p = 0; p < ref_count(g); ++p) out[p] = q[p];
    const ptrdiff_t stride[3] = {1, n[X], (ptrdiff_t)n[X] * n[Y]};
    for (int d = 0; d < 3; ++d) {
        for (ptrdiff_t p = 0; p < ref_count(g); ++p) {
            if (p / stride[d] % n[d] != 0) continue; /* the first of a line */
            for (int m = 0; m < n[d]; ++m) {
                line[m] = 0;
                for (int i = 0; i < n[d]; ++i)
                    line[m] += out[p + i * stride[d]] * cexp(-2 * PI * I * (double)(m * i) / n[d]) / n[d];
            }
            for (int m = 0; m < n[d]; ++m) out[p + m * stride[d]] = line[m];
        }
    }
}

/* values as box_spectra_sample leaves them; size: of magnitudes, for the rounding. */
static void judge(const struct ref_grid *g, double nu, double *const field[FIELDS], int shells, double *value,
                  double *size)
{
    static double complex u[MOST_GRID], f[MOST_GRID];
    double length[3], step = INFINITY;
    int waves[3], m[3];
    for (int d = 0; d < 3; ++d) {
        length[d] = g->face[d][g->n[d]] - g->face[d][0];
        step = fmin(step, 2 * PI / length[d]);
        waves[d] = g->n[d] / 2 + 1;
    }
    const int pairs = 3 * (waves[0] + waves[1] + waves[2]);
    memset(value, 0, sizeof *value * (size_t)(3 * shells + pairs + 3));
    memset(size, 0, sizeof *size * (size_t)(3 * shells + pairs + 3));
    double *axis = value + 3 * shells;
    for (int c = 0; c < 3; ++c) {
        transform(g, field[c], u);
        transform(g, field[3 + c], f);
        value[3 * shells + pairs + c] = creal(u[0]);
        for (ptrdiff_t p = 0; p < ref_count(g); ++p) {
            double square = 0, modified = 0, *to = axis;
            ptrdiff_t rest = p;
            for (int d = 0; d < 3; ++d) {
                const int i = (int)(rest % g->n[d]), n = g->n[d];
                rest /= n;
                m[d] = i <= n / 2 ? i : n - i;
                square += pow(2 * PI / length[d] * m[d], 2);
                modified += pow(2 * sin(PI * m[d] / n) * n / length[d], 2);
            }
            const int shell = (int)floor(sqrt(square) / step + 0.5);
            const double energy = pow(cabs(u[p]), 2),
                         terms[3] = {0.5 * energy, creal(conj(u[p]) * f[p]), nu * modified * energy};
            for (int q = 0; q < 3; ++q) {
                value[q * shells + shell] += terms[q] / step;
                size[q * shells + shell] += fabs(terms[q]) / step;
            }
            for (int d = 0; d < 3; to += waves[d++]) to[m[d]] += energy * length[d] / (2 * PI);
        }
        axis += waves[0] + waves[1] + waves[2];
    }
    for (int q = 3 * shells; q < 3 * shells + pairs + 3; ++q) size[q] = fabs(value[q]);
    for (int q = 0; q < 3 * shells; ++q) size[q] = fmax(size[q], 1e-3 * step);
    for (int c = 0; c < 3; ++c) size[3 * shells + pairs + c] = 0.01;
}

/* moments, then shares of the slots, as box_increments_sample leaves them. */
static void judge_increments(const struct ref_grid *g, double *const field[FIELDS], double *value)
{
    static const int POWER[8] = {1, 2, 3, 3, 4, 5, 5, 6}, MAGNITUDE[8] = {1, 0, 0, 1, 0, 0, 1, 0};
    const double cells = (double)ref_count(g);
    for (int d = 0; d < 3; ++d) {
        for (int across = 0; across < 2; ++across) {
            for (int r = 1; r <= g->n[d] / 2; ++r) {
                int twos = r; /* 1, 2, 3, 4, 6, 8, 12: a power of two, or three times one */
                while (twos % 2 == 0) twos /= 2;
                if (twos != 1 && twos != 3) continue;
                for (int q = 0; q < 8; ++q) value[q] = 0;
                for (int c = 0; c < 3; ++c) {
                    if ((c == d) == across) continue;
                    for (ptrdiff_t p = 0; p < ref_count(g); ++p) {
                        int at[3] = {(int)(p % g->n[0]), (int)(p / g->n[0] % g->n[1]),
                                     (int)(p / g->n[0] / g->n[1])};
                        at[d] += r;
                        const double step = field[c][ref_index(g, at[0], at[1], at[2])] - field[c][p];
                        for (int q = 0; q < 8; ++q)
                            value[q] +=
                                pow(MAGNITUDE[q] ? fabs(step) : step, POWER[q]) / (cells * (1 + across));
                    }
                }
                value += 8;
            }
        }
    }
}

/* --- the judged --- */

struct setting {
    struct part part;
    struct box_slabs *slabs;
    struct box_spectra *spectra;
    struct box_increments *increments;
    void *work;
    ptrdiff_t values;
};

static int open_setting(const struct case_input *in, struct comm on, const int layout[3],
                        const char *transport, struct setting *t)
{
    struct input settings = case_settings(in);
    memset(t, 0, sizeof *t);
    settings.fluid.nu = 0.3;
    int wrong = part_create(in, on, layout, &t->part) != KOL_OK;
    struct part *p = &t->part;
    wrong += box_slabs_create(NULL, &p->comm, &p->d, &p->g, transport, &t->slabs) != KOL_OK;
    t->values = box_slabs_values(t->slabs);
    wrong += box_spectra_create(NULL, &p->comm, &settings, &p->g, t->slabs, &t->spectra) != KOL_OK;
    wrong += box_increments_create(NULL, &p->comm, &p->g, t->slabs, &t->increments) != KOL_OK;
    wrong += mem_kernel_alloc((size_t)(BOX_SPECTRA_WORK * t->values) * sizeof(double), &t->work) != KOL_OK;
    return wrong;
}

static void close_setting(struct setting *t)
{
    mem_kernel_free(t->work);
    box_spectra_destroy(&t->spectra);
    box_increments_destroy(&t->increments);
    box_slabs_destroy(&t->slabs);
    part_destroy(&t->part);
}

static int poison(double *work, ptrdiff_t values)
{
    double *host = malloc((size_t)values * sizeof *host);
    if (host == NULL) abort();
    for (ptrdiff_t n = 0; n < values; ++n) host[n] = NAN;
    const int wrong = mem_to_kernel(work, host, (size_t)values * sizeof *host) != KOL_OK;
    free(host);
    return wrong;
}

static int values_of(const struct setting *t)
{
    return box_spectra_values(t->spectra) + box_increments_values(t->increments);
}

static int sample_once(struct setting *t, real *const of[FIELDS], double *const work[BOX_SPECTRA_WORK],
                       double *value)
{
    static const double vorticity[3] = {30, 40, 50};
    real *const vel[3] = {of[0], of[1], of[2]}, *const force[3] = {of[3], of[4], of[5]};
    double *behind = value != NULL ? value + box_spectra_values(t->spectra) : NULL;
    const int wrong = box_spectra_sample(t->spectra, t->slabs, vel, force, work, value) != KOL_OK;
    return wrong + (box_increments_sample(t->increments, t->slabs, &t->part.g, vel, vorticity, t->spectra,
                                          value, work, behind) != KOL_OK);
}

/* Once, and again. */
static int sample(struct setting *t, double *const field[FIELDS], double *value)
{
    real *of[FIELDS];
    double *work[BOX_SPECTRA_WORK], *first = t->part.comm.rank == 0 ? value : NULL;
    const size_t bytes = sizeof *value * (size_t)values_of(t);
    double *again = malloc(bytes);
    int wrong = again == NULL;
    for (int f = 0; f < FIELDS; ++f) of[f] = part_from(&t->part, OWN_EDGES, field[f]);
    for (int n = 0; n < BOX_SPECTRA_WORK; ++n) {
        work[n] = (double *)t->work + n * t->values;
        wrong += poison(work[n], t->values);
    }
    wrong += sample_once(t, of, work, first);
    wrong += sample_once(t, of, work, first != NULL ? again : NULL);
    wrong += first != NULL && memcmp(first, again, bytes) != 0;
    part_release(&t->part);
    free(again);
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

static double distance(int n, const double *a, const double *b, const double *size)
{
    double most = 0;
    for (int i = 0; i < n; ++i) {
        const double error = fabs(a[i] - b[i]) / (size[i] > 0 ? size[i] : 1);
        if (!(error <= most)) most = error;
    }
    return most;
}

static int check_layouts(const struct case_input *in, double *const field[FIELDS], int values,
                         const double *alone, const double *size, const char *transport, int *layouts)
{
    const int cpu = strcmp(device_backend(), "cpu") == 0;
    double *value = malloc(sizeof *value * (size_t)values);
    int wrong = value == NULL;
    int layout[3] = {0, 0, 0};
    while (layout_next(in->n, layout)) {
        struct setting t;
        wrong += open_setting(in, comm, layout, transport, &t);
        wrong += sample(&t, field, value);
        wrong += comm.rank == 0 && cpu && memcmp(value, alone, sizeof *value * (size_t)values) != 0;
        wrong += comm.rank == 0 && !(distance(values, value, alone, size) <= 1e-13);
        close_setting(&t);
        ++*layouts;
    }
    free(value);
    return wrong;
}

static int moments_of(const int n[3])
{
    int moments = 0;
    for (int d = 0; d < 3; ++d)
        for (int p = 1; p <= n[d] / 2; p *= 2) moments += 16 * (1 + (p > 1 && p + p / 2 <= n[d] / 2));
    return moments;
}

/* What the shares of a set of counts lack; no set is all in one slot, and its mean square is 1 (of the first,
 * the velocity; within a bin's width). */
static double uncounted(int n, const double *share)
{
    double most = 0;
    for (int s = 0; s < n; s += COUNT_SLOTS) {
        double all = 0, square = 0;
        for (int i = 0; i < COUNT_SLOTS; ++i) {
            const double middle = (i - 0.5 - COUNT_BINS / 2) / COUNT_PER_RMS;
            all += share[s + i];
            square += share[s + i] * middle * middle;
        }
        most = fmax(most, fabs(all - 1));
        if (s != COUNT_SLOTS && !(fabs(square - 1) < 0.03)) most = 1;
    }
    return most;
}

static void test_spectra(void **state)
{
    (void)state;
    int layouts = 0;
    for (int n = 0; n < CASES_HERE; ++n) {
        const struct case_input *in = &cases[n];
        const int waves = in->n[X] / 2 + in->n[Y] / 2 + in->n[Z] / 2 + 3;
        struct ref_grid g;
        struct setting t;
        double *field[FIELDS];
        case_reference(in, &g);
        for (int f = 0; f < FIELDS; ++f) field[f] = case_random(&g, 501 + (unsigned)f);
        int wrong = open_setting(in, self, whole, "host", &t);
        const int spectra = box_spectra_values(t.spectra), shells = (spectra - 3 * waves - 3) / SHELL_SUMS;
        const int values = values_of(&t), moments = moments_of(in->n);
        double *value = malloc(sizeof *value * 3 * (size_t)values), *right = value + values,
               *size = right + values;
        wrong += sample(&t, field, value);
        close_setting(&t);
        judge(&g, 0.3, field, shells, right, size);
        judge_increments(&g, field, right + spectra);
        for (int q = spectra; q < values; ++q) size[q] = 1; /* moments of increments of size 1, shares */
        CHECK_ALL(wrong == 0);
        CHECK_ALL_BELOW(distance(spectra + moments, value, right, size), KOL_CHOOSE(1e-12, 1e-5));
        CHECK_ALL_BELOW(uncounted(values - spectra - moments, value + spectra + moments), 1e-13);
        CHECK_ALL(check_layouts(in, field, values, value, size, "host", &layouts) == 0);
        if (peers_reach()) CHECK_ALL(check_layouts(in, field, values, value, size, "peer", &layouts) == 0);
        free(value);
        case_free(field, FIELDS);
        ref_grid_destroy(&g);
    }
    CHECK_ALL(layouts >= 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_spectra, setup, teardown)};
    return MPI_MAIN(argc, argv, "spectra", tests);
}
