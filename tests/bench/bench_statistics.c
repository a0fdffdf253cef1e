/* Measures what samples of statistics, and `direct` on several GPUs, launch: plane averages, averages over a
 * direction, lines at heights, chunks of levels. Each rank works on its own box. */
#include "bench.h"

#include <stdlib.h>
#include "kernels/plane_average.h"
#include "kernels/plane_lines.h"
#include "solver/poisson/direct_chunks.h"
#include "solver/poisson/direct_operator.h"
#include "solver/statistics/section_sums.h"

/* A value of double in those of `real` that the lines count. */
static const double DOUBLE = (double)sizeof(double) / (double)sizeof(real);
enum { SECTION_ROWS = 64, HEIGHTS = 4, PAIRS = 6, PLANE_READS = 12 };

struct statistics_bench {
    double *part, *scratch, *sums;
    struct quadrants quadrants;
    double *means; /* of its levels, twice */
    int along, rows;
    struct plane_lines_pairs pairs;
    struct direct_chunks chunks;
    struct separators systems;
    double *lambda, *spectrum, *slots;
    struct section_sample_shape shape;
    double *sample;
};

static struct blocks blocks_of(const struct bench *b)
{
    return reduction_blocks(b->domain->reduction);
}

static double own_cells(const struct bench *b)
{
    const struct box box = b->domain->grid.box;
    return (double)box.nx * box.ny * box.nz;
}

static kol_status memory(ptrdiff_t values, double **out)
{
    return mem_kernel_alloc((size_t)values * sizeof **out, (void **)out);
}

/* values: read and written, of a sample. */
static kol_status record(struct bench *b, const char *name, double values, bench_work work)
{
    struct bench_record r = {.values = values / own_cells(b), .iterations = -1};
    if (!bench_wanted(b, name)) return KOL_OK;
    snprintf(r.name, sizeof r.name, "%s", name);
    for (int d = 0; d < 3; ++d) r.n[d] = b->domain->grid.n_g[d];
    TRY(bench_measure(b, work, &r.time));
    return bench_record(b, r);
}

/* --- averages over planes normal to z --- */

static kol_status planes(struct bench *b)
{
    return plane_average_planes(b->domain->grid.box, b->domain->grid.m, blocks_of(b), Z, b->flow->vel,
                                b->flow->pressure.p, b->extra->part, b->extra->scratch);
}
static kol_status stresses(struct bench *b)
{
    return plane_average_stresses(b->domain->grid.box, b->domain->grid.m, blocks_of(b), Z, b->flow->vel,
                                  b->flow->pressure.p, b->a, &b->a[3], b->extra->part, b->extra->scratch);
}
static kol_status quadrants(struct bench *b)
{
    return plane_average_quadrants(b->domain->grid.box, b->domain->grid.m, blocks_of(b), Z, b->flow->vel,
                                   &b->extra->quadrants, b->extra->part, b->extra->scratch);
}
static kol_status fold(struct bench *b)
{
    const struct blocks bl = blocks_of(b);
    return plane_average_fold((ptrdiff_t)plane_average_levels(b->domain->grid.box, Z) * AVG_COUNT, bl.nx,
                              bl.ny, 1, b->extra->part, b->extra->sums);
}

static kol_status make_planes(struct bench *b, struct statistics_bench *s)
{
    const struct box box = b->domain->grid.box;
    const int levels = plane_average_levels(box, Z);
    const ptrdiff_t scratch = plane_average_scratch(box, blocks_of(b), Z);
    double *host = calloc(2 * (size_t)levels, sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for means of %d levels", levels);
    kol_status st = memory(2 * (ptrdiff_t)levels, &s->means);
    if (st == KOL_OK) st = mem_to_kernel(s->means, host, 2 * (size_t)levels * sizeof *host);
    free(host);
    TRY(st);
    s->quadrants = (struct quadrants){.centre = s->means, .product = s->means + levels, .hole = {0, 1, 2, 3}};
    TRY(memory(plane_average_values(box, blocks_of(b), Z), &s->part));
    TRY(memory((ptrdiff_t)levels * AVG_COUNT, &s->sums));
    return scratch > 0 ? memory(scratch, &s->scratch) : KOL_OK;
}

static void free_sums(struct statistics_bench *s)
{
    mem_kernel_free(s->part);
    mem_kernel_free(s->scratch);
    mem_kernel_free(s->sums);
    s->part = s->scratch = s->sums = NULL;
}

static kol_status bench_planes(struct bench *b, struct statistics_bench *s)
{
    const struct blocks bl = blocks_of(b);
    const double cells = own_cells(b), part = (double)plane_average_values(b->domain->grid.box, bl, Z);
    TRY(make_planes(b, s));
    TRY(record(b, "average_planes", 4 * cells + DOUBLE * part, planes));
    TRY(record(b, "average_stresses", 10 * cells + DOUBLE * part, stresses));
    TRY(record(b, "average_quadrants", 2 * cells + DOUBLE * part, quadrants));
    TRY(record(b, "average_fold", DOUBLE * part * (1 + 1.0 / (bl.nx * bl.ny)), fold));
    free_sums(s);
    return KOL_OK;
}

/* --- averages over one direction --- */

static int places(const struct bench *b, int second)
{
    const int along = b->extra->along;
    return line_average_places(b->domain->grid.box, second ? (along == Z ? Y : Z) : (along == X ? Y : X));
}

static int blocks_along(struct blocks bl, int along)
{
    return along == X ? bl.nx : along == Y ? bl.ny : bl.nz;
}

/* Strip after strip, as section_sums_sample() takes them. */
static kol_status span(struct bench *b)
{
    const struct statistics_bench *s = b->extra;
    const int wide = places(b, 0), high = places(b, 1);
    for (int lo = 0; lo < high; lo += s->rows) {
        const struct line_average_rows rows = {lo, lo + s->rows < high ? lo + s->rows : high};
        const ptrdiff_t values = (ptrdiff_t)(rows.hi - rows.lo) * wide * LINE_SUM_COUNT;
        TRY(line_average_sums(b->domain->grid.box, b->domain->grid.m, blocks_of(b), s->along, rows,
                              b->flow->vel, b->flow->pressure.p, s->part, s->scratch));
        TRY(line_average_fold(values, blocks_along(blocks_of(b), s->along), 0, s->part, s->sums));
    }
    return KOL_OK;
}

/* Partial sums are written and read, their sums written. */
static kol_status bench_span(struct bench *b, struct statistics_bench *s, int along)
{
    char name[BENCH_TEXT];
    s->along = along;
    const int blocks = blocks_along(blocks_of(b), along), wide = places(b, 0), high = places(b, 1);
    const ptrdiff_t row = (ptrdiff_t)wide * LINE_SUM_COUNT, fit = SECTION_SUMS_ROOM / (row * blocks),
                    scratch = line_average_scratch(b->domain->grid.box, blocks_of(b), along);
    s->rows = fit < 1 ? 1 : fit < high ? (int)fit : high;
    TRY(memory(s->rows * row * blocks, &s->part));
    TRY(memory(s->rows * row, &s->sums));
    if (scratch > 0) TRY(memory(scratch, &s->scratch));
    snprintf(name, sizeof name, "span_sums and span_fold, along %c", "xyz"[along]);
    TRY(record(b, name, 4 * own_cells(b) + DOUBLE * (2.0 * blocks + 1) * (double)row * high, span));
    free_sums(s);
    return KOL_OK;
}

/* What rank 0 does with a sample of the whole section: of this rank's here. */
static kol_status section(struct bench *b)
{
    const struct statistics_bench *s = b->extra;
    const struct section_sample_shape shape = s->shape;
    const ptrdiff_t values = shape.first[LINE_SUM_COUNT];
    double *sum = s->sample + values, *carry = sum + values, *out = carry + values;
    struct section_sample_piece p = {.cells = {shape.cells[0], shape.cells[1]}, .last = {1, 1}};
    for (p.rows.lo = 0; p.rows.lo <= shape.cells[1]; p.rows.lo = p.rows.hi) {
        p.rows.hi = p.rows.lo + s->rows <= shape.cells[1] ? p.rows.lo + s->rows : shape.cells[1] + 1;
        TRY(section_sample_place(shape, p, s->sums, 1, s->sample));
    }
    TRY(section_sample_rows(shape, (struct section_sample_weights){sum, sum, ~0ull, 0}, s->sample, out));
    return section_sample_add(values, 1, s->sample, sum, carry);
}

/* Places are read and written, rows read; of an addition three are read and two written. */
static kol_status bench_section(struct bench *b, struct statistics_bench *s)
{
    const struct box box = b->domain->grid.box;
    s->shape = section_sums_shape((const int[]){box.nx, box.ny, box.nz}, X);
    const ptrdiff_t values = s->shape.first[LINE_SUM_COUNT],
                    row = (ptrdiff_t)(s->shape.cells[0] + 1) * LINE_SUM_COUNT,
                    rows = (ptrdiff_t)(s->shape.cells[1] + 1) * LINE_SUM_COUNT;
    s->rows = s->shape.cells[1] + 1 < SECTION_ROWS ? s->shape.cells[1] + 1 : SECTION_ROWS;
    double *zeros = calloc((size_t)(3 * values + rows + s->rows * row), sizeof *zeros);
    if (zeros == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a section of %td values", values);
    kol_status st = memory(3 * values + rows, &s->sample);
    if (st == KOL_OK) st = memory(s->rows * row, &s->sums);
    if (st == KOL_OK) st = mem_to_kernel(s->sample, zeros, (size_t)(3 * values) * sizeof *zeros);
    if (st == KOL_OK) st = mem_to_kernel(s->sums, zeros, (size_t)(s->rows * row) * sizeof *zeros);
    free(zeros);
    TRY(st);
    TRY(record(b, "a section's sample placed, summed, added", DOUBLE * 8 * (double)values, section));
    mem_kernel_free(s->sample);
    s->sample = NULL;
    free_sums(s);
    return KOL_OK;
}

/* --- lines at heights --- */

static kol_status pack(struct bench *b)
{
    const struct box box = b->domain->grid.box;
    for (int n = 0; n < HEIGHTS * PLANE_KINDS; ++n) {
        TRY(plane_lines_pack(box, Z, (enum plane_kind)(n % PLANE_KINDS),
                             1 + n / PLANE_KINDS * (box.nz - 2) / HEIGHTS, b->flow->vel, b->flow->pressure.p,
                             b->extra->part + (ptrdiff_t)n * box.nx * box.ny));
    }
    return KOL_OK;
}
static kol_status products(struct bench *b)
{
    const struct box box = b->domain->grid.box;
    return plane_lines_products(&b->extra->pairs, box.nx, box.ny, b->extra->part, b->extra->sums);
}

/* All planes and pairs of a few heights; each plane is read once. */
static kol_status bench_lines(struct bench *b, struct statistics_bench *s)
{
    static const int FIRST[PAIRS] = {PLANE_A, PLANE_B, PLANE_P, PLANE_N, PLANE_A_FACE, PLANE_B_FACE},
                     SECOND[PAIRS] = {PLANE_A, PLANE_B, PLANE_P, PLANE_N, PLANE_N_AT_A, PLANE_N_AT_B};
    const struct box box = b->domain->grid.box;
    const double plane = (double)box.nx * box.ny, all = HEIGHTS * PLANE_KINDS * plane;
    s->pairs.n = HEIGHTS * PAIRS;
    for (int q = 0; q < s->pairs.n; ++q) {
        s->pairs.first[q] = q / PAIRS * PLANE_KINDS + FIRST[q % PAIRS];
        s->pairs.second[q] = q / PAIRS * PLANE_KINDS + SECOND[q % PAIRS];
    }
    TRY(memory((ptrdiff_t)HEIGHTS * PLANE_KINDS * box.nx * box.ny, &s->part));
    TRY(memory((ptrdiff_t)s->pairs.n * (box.nx / 2 + 3), &s->sums));
    TRY(pack(b));
    TRY(record(b, "lines_pack, 4 heights", HEIGHTS * PLANE_READS * plane + DOUBLE * all, pack));
    TRY(record(b, "lines_products, 4 heights", DOUBLE * all, products));
    free_sums(s);
    return KOL_OK;
}

/* --- chunks of levels --- */

static kol_status separators_in(struct bench *b)
{
    return separators_fold(b->extra->systems, 1e-3, b->extra->spectrum, b->extra->slots);
}
static kol_status separators_between(struct bench *b)
{
    return separators_solve(b->extra->systems, b->extra->slots);
}
static kol_status separators_out(struct bench *b)
{
    return separators_unfold(b->extra->systems, 1e-3, b->extra->slots, b->extra->spectrum);
}

/* Widths and inverse distances of this rank's levels, between walls. */
static kol_status make_chunks(const struct grid *g, const struct decomp *whole, const struct decomp *own,
                              int count, struct direct_chunks *out)
{
    const int n = g->box.nz, first = 0, low = whole->offset[Z];
    int *start = malloc(((size_t)count + 1) * sizeof *start);
    double *w = malloc((2 * (size_t)n + 1) * sizeof *w);
    kol_status st = KOL_OK;
    if (start == NULL || w == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d levels", n);
    } else {
        for (int k = 0; k < n; ++k) w[k] = g->face[Z][low + k + 1] - g->face[Z][low + k];
        for (int k = 0; k <= n; ++k)
            w[n + k] = k == 0 || k == n ? 0 : 1 / grid_centre_distance(g, Z, low + k);
        direct_chunks_starts(own, Z, count, start);
        st = direct_chunks_create(NULL, count, start, w, w + n, 1, &first, out);
    }
    free(start);
    free(w);
    return st;
}

static kol_status make_waves(const struct grid *g, struct statistics_bench *s)
{
    const int nx = g->box.nx / 2 + 1, ny = g->box.ny;
    double *host = malloc((size_t)(nx + ny) * sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d eigenvalues", nx + ny);
    for (int k = 0; k < nx; ++k) host[k] = direct_operator_wave(g, X, k);
    for (int k = 0; k < ny; ++k) host[nx + k] = direct_operator_wave(g, Y, k);
    kol_status st = memory(nx + ny, &s->lambda);
    if (st == KOL_OK) st = mem_to_kernel(s->lambda, host, (size_t)(nx + ny) * sizeof *host);
    free(host);
    return st;
}

static kol_status make_systems(struct bench *b, struct statistics_bench *s, const struct decomp *own,
                               int count)
{
    const struct grid *g = &b->domain->grid;
    const int nx = g->box.nx / 2 + 1;
    TRY(make_chunks(g, &b->domain->decomp, own, count, &s->chunks));
    TRY(make_waves(g, s));
    s->systems = s->chunks.of_grid;
    s->systems.own = count;
    s->systems.na = nx;
    s->systems.columns = nx * g->box.ny;
    s->systems.la = s->lambda;
    s->systems.lb = s->lambda + nx;
    const ptrdiff_t spectrum = (ptrdiff_t)2 * s->systems.columns * g->box.nz,
                    slots = (ptrdiff_t)2 * s->systems.columns * s->systems.slots;
    TRY(memory(spectrum, &s->spectrum));
    TRY(memory(slots, &s->slots));
    TRY(mem_fill_real((real *)(void *)s->spectrum, (ptrdiff_t)DOUBLE * spectrum, 0));
    return mem_fill_real((real *)(void *)s->slots, (ptrdiff_t)DOUBLE * slots, 0);
}

/* The spectrum is 0: in place it stays as it is. */
static kol_status bench_separators(struct bench *b, struct statistics_bench *s)
{
    const int n[3] = {b->domain->grid.box.nx, b->domain->grid.box.ny, b->domain->grid.box.nz},
              one[3] = {1, 1, 1};
    struct decomp own;
    TRY(decomp_create(n, one, 1, 0, &own));
    const int count = direct_chunks_count(&own, Z, SEPARATORS_LEVELS);
    if (count == 0) {
        if (b->comm.rank == 0) printf("left out: chunks of %d levels\n", n[Z]);
        return KOL_OK;
    }
    TRY(make_systems(b, s, &own, count));
    const double columns = 2 * DOUBLE * s->systems.columns, spectrum = columns * n[Z],
                 slots = columns * s->systems.slots;
    TRY(record(b, "separators_fold", spectrum + slots, separators_in));
    TRY(record(b, "separators_solve", 2 * slots, separators_between));
    return record(b, "separators_unfold", 2 * spectrum + slots, separators_out);
}

kol_status bench_statistics(struct bench *b)
{
    struct statistics_bench s = {.rows = 0};
    kol_status st = KOL_OK;
    b->extra = &s;
    TRY_OR(done, bench_planes(b, &s));
    for (int along = X; along <= Z; ++along) TRY_OR(done, bench_span(b, &s, along));
    TRY_OR(done, bench_section(b, &s));
    TRY_OR(done, bench_lines(b, &s));
    TRY_OR(done, bench_separators(b, &s));
done:
    free_sums(&s);
    mem_kernel_free(s.means);
    mem_kernel_free(s.sample);
    mem_kernel_free(s.lambda);
    mem_kernel_free(s.spectrum);
    mem_kernel_free(s.slots);
    direct_chunks_destroy(&s.chunks);
    b->extra = NULL;
    return st;
}
