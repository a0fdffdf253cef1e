/* Tests the sums over time in every cell. Five samples with different weights are added to two batches, and
 * compared with plain loops, on every grid of kernel_case.h, however it is divided: without solid cells, with
 * the same ones in all samples, and with others in each sample, whose weights are then summed, too. Catches a
 * face from the wrong side, a product under another's name, a weight that goes to the wrong sample or batch,
 * old values that a new batch keeps, and a solid cell that is counted. Memory starts as NaN, so it also
 * catches a read of what nobody has written. No MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/cell_average.h"
#include "tests/reference/sample.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"

enum {
    SAMPLES = 5,
    BATCHES = 2,
    SCALARS = 2,
    FIELDS = 4 + SCALARS,
    VALUES = 5 + SCALARS + 1,
    SUMS = 15 + 5 * SCALARS + 1
};
/* What is solid: nothing, the same cells in all samples, others in each sample. */
enum { NOTHING, STAYS, TURNS, WAYS };
static const double NU = 0.0001; /* the gradients of random fields are large */
static const double BOUND = 100 * KOL_EPSILON;
/* Sample 2 begins the second batch; the latest weight of the sample before it goes to the first one. */
static const struct cell_average_weights BY[SAMPLES] = {
    {1, 0, 1}, {0.75, -0.125, 0}, {1.5, 0.375, 1}, {1, 0, 0}, {0.5, -0.25, 0}};
static const int BATCH[SAMPLES] = {0, 0, 1, 1, 1}, BEFORE[SAMPLES] = {0, 0, 0, 1, 1};

static void *kernel_new(size_t bytes)
{
    void *p = NULL;
    char *host = malloc(bytes);
    if (host == NULL || mem_kernel_alloc(bytes, &p) != KOL_OK) abort();
    memset(host, 0xff, bytes); /* NaN */
    if (mem_to_kernel(p, host, bytes) != KOL_OK) abort();
    free(host);
    return p;
}

/* Whether a cell of the whole grid is solid in sample n. */
static int is_solid(int way, int n, const int i[3])
{
    return way != NOTHING && (i[0] + 2 * i[1] + 3 * i[2] + (way == TURNS ? n : 0)) % 4 == 0;
}

/* Numbers of values and of sums in use. */
static int values_of(int way)
{
    return VALUES - (way != TURNS);
}

static int sums_of(int way)
{
    return SUMS - (way != TURNS);
}

/* Bytes of open faces in sample n: 0 in solid cells. */
static unsigned char *mask_of(const struct part *p, int way, int n)
{
    const struct box b = p->g.box;
    unsigned char *host = malloc((size_t)b.size), *out = kernel_new((size_t)b.size);
    memset(host, 0, (size_t)b.size);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int cell[3] = {p->d.offset[X] + i, p->d.offset[Y] + j, p->d.offset[Z] + k};
                host[at(b, i, j, k)] = (unsigned char)(is_solid(way, n, cell) ? 0 : 1 << (i % 6));
            }
    if (mem_to_kernel(out, host, (size_t)b.size) != KOL_OK) abort();
    free(host);
    return out;
}

/* The sums of both batches in a cell, and the latest sample, by the definition. */
static void judge(struct kernel_case *c, double *const field[SAMPLES][FIELDS], int way, const int i[3],
                  double sum[BATCHES][SUMS], double latest[VALUES])
{
    double value[SAMPLES][SUMS];
    memset(sum, 0, BATCHES * SUMS * sizeof(double));
    for (int n = 0; n < SAMPLES; ++n) {
        ref_cell_products(&c->ref, NU, field[n], i, value[n]);
        for (int s = 0; s < SCALARS; ++s) {
            const double t = field[n][4 + s][ref_index(&c->ref, i[0], i[1], i[2])];
            double *own = value[n] + 15 + 5 * s;
            own[0] = t;
            own[1] = t * t;
            for (int d = 0; d < 3; ++d) own[2 + d] = value[n][d] * t;
        }
        value[n][SUMS - 1] = 1;
        for (int q = 0; q < SUMS && is_solid(way, n, i); ++q) value[n][q] = 0;
    }
    for (int n = 0; n < SAMPLES; ++n)
        for (int q = 0; q < SUMS; ++q) {
            sum[BATCH[n]][q] += BY[n].sample * value[n][q];
            if (n > 0) sum[BEFORE[n]][q] += BY[n].latest * value[n - 1][q];
        }
    memcpy(latest, value[SAMPLES - 1], 4 * sizeof *latest);
    latest[4] = value[SAMPLES - 1][14];
    for (int s = 0; s < SCALARS; ++s) latest[5 + s] = value[SAMPLES - 1][15 + 5 * s];
    latest[VALUES - 1] = value[SAMPLES - 1][SUMS - 1];
}

static double compare(struct kernel_case *c, const struct part *p, double *const field[SAMPLES][FIELDS],
                      int way, const double *sum, const real *latest)
{
    const struct box b = p->g.box;
    const int sums = sums_of(way);
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    double error = 0;
    for (ptrdiff_t n = 0; n < cells; ++n) {
        const int i[3] = {p->d.offset[X] + (int)(n % b.nx), p->d.offset[Y] + (int)(n / b.nx % b.ny),
                          p->d.offset[Z] + (int)(n / b.nx / b.ny)};
        double want[BATCHES][SUMS], last[VALUES];
        judge(c, field, way, i, want, last);
        for (int m = 0; m < BATCHES; ++m)
            for (int q = 0; q < sums; ++q) {
                const double off = fabs(sum[(m * sums + q) * cells + n] - want[m][q]);
                error = off <= error ? error : off; /* NaN stays */
            }
        for (int q = 0; q < values_of(way); ++q) {
            const double off = fabs(latest[q * cells + n] - last[q]);
            error = off <= error ? error : off;
        }
    }
    return error;
}

static void check_part(struct kernel_case *c, struct part *p, double *const field[SAMPLES][FIELDS], int way)
{
    const struct box b = p->g.box;
    const size_t cells = (size_t)b.nx * (size_t)b.ny * (size_t)b.nz, batch = (size_t)sums_of(way) * cells,
                 sums = BATCHES * batch, values = (size_t)values_of(way) * cells;
    double *sum = kernel_new(sums * sizeof *sum), *host = malloc(sums * sizeof *host);
    real *latest = kernel_new(values * sizeof *latest), *last = malloc(values * sizeof *last);
    for (int n = 0; n < SAMPLES; ++n) {
        real *const vel[3] = {part_from(p, OWN_EDGES, field[n][X]), part_from(p, OWN_EDGES, field[n][Y]),
                              part_from(p, OWN_EDGES, field[n][Z])};
        unsigned char *open = way != NOTHING ? mask_of(p, way, n) : NULL;
        real *const theta[SCALARS] = {part_from(p, OWN, field[n][4]), part_from(p, OWN, field[n][5])};
        const struct cell_average_fields f = {p->g.m,  (real)NU, vel,         part_from(p, OWN, field[n][3]),
                                              SCALARS, theta,    way == TURNS};
        CASE_TRUE(c, cell_average_add(b, open, BY[n], f, latest, sum + (size_t)BATCH[n] * batch,
                                      sum + (size_t)BEFORE[n] * batch) == KOL_OK);
        CASE_TRUE(c, mem_to_host(host, sum, sums * sizeof *sum) == KOL_OK); /* waits for the kernel */
        mem_kernel_free(open);
        part_release(p);
    }
    CASE_TRUE(c, mem_to_host(last, latest, values * sizeof *latest) == KOL_OK);
    CASE_BELOW(c, compare(c, p, field, way, host, last), BOUND);
    mem_kernel_free(sum);
    mem_kernel_free(latest);
    free(host);
    free(last);
}

static void check_case(struct kernel_case *c)
{
    double *field[SAMPLES][FIELDS];
    for (int n = 0; n < SAMPLES; ++n)
        for (int a = 0; a < FIELDS; ++a) field[n][a] = case_random(&c->ref, 60 + (unsigned)(FIELDS * n + a));
    for (struct part *p = c->part; p < c->part + c->size; ++p)
        for (int way = 0; way < WAYS; ++way) check_part(c, p, field, way);
    for (int n = 0; n < SAMPLES; ++n) case_free(field[n], FIELDS);
}

static void test_sums(void **state)
{
    (void)state;
    case_each(check_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
