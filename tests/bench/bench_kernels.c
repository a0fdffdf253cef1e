/* Measures each kernel by itself, on all cells. */
#include "bench.h"

#include <stdlib.h>
#include "kernels/column_diffusion.h"
#include "kernels/correct_limits.h"
#include "kernels/volume_dot.h"
#include "kernels/laplace.h"
#include "kernels/momentum.h"
#include "kernels/point_sample.h"
#include "kernels/scalar.h"
#include "kernels/tune.h"
#include "kernels/update.h"

/* Small enough that sweeps which work in place leave their fields near 1, however often they are repeated. */
static const real SHORT = (real)1e-6;
static const struct poly1 DEGREE1 = {1, (real)0.9};

static struct blocks blocks_of(const struct bench *b)
{
    return reduction_blocks(b->domain->reduction);
}
static struct stencil stencil_of(const struct bench *b)
{
    return grid_stencil(&b->domain->grid, LOC_CCC, 0, 1);
}

static kol_status momentum(struct bench *b)
{
    return momentum_rhs(b->domain->grid.box, b->domain->grid.m, cells_all(), (real)1e-3, b->flow->vel[X],
                        b->flow->vel[Y], b->flow->vel[Z], b->a[0], b->a[1], b->a[2]);
}
static kol_status stage(struct bench *b, real a_old, real turn, real without, real *const *base,
                        real *const *old)
{
    const struct stage weights = {
        .nu = (real)1e-3, .a = SHORT, .a_old = a_old, .dts = SHORT, .turn = {0, 0, turn}, .without = without};
    return momentum_stage(b->domain->grid.box, b->domain->grid.m, cells_all(), weights, b->flow->vel, base,
                          b->flow->pressure.p, old, &b->a[3]);
}
static kol_status stage_first(struct bench *b)
{
    return stage(b, 0, 0, 0, b->flow->vel, NULL);
}
static kol_status stage_later(struct bench *b)
{
    return stage(b, 0, 0, 0, &b->a[0], NULL);
}
static kol_status stage_implicit_z(struct bench *b)
{
    return stage(b, 0, 0, 1, &b->a[0], NULL);
}
static kol_status stage_turning(struct bench *b)
{
    return stage(b, 0, SHORT, 0, &b->a[0], NULL);
}
static kol_status stage_wray(struct bench *b)
{
    return stage(b, SHORT, 0, 0, b->flow->vel, &b->a[6]);
}
/* So many scalars, whose base is another array if `apart`. */
static kol_status transport(struct bench *b, int count, int apart)
{
    struct scalar_stage s = {.a = SHORT, .count = count};
    for (int n = 0; n < count; ++n) s.term[n].kappa = (real)1e-3;
    return scalar_transport(b->domain->grid.box, b->domain->grid.m, cells_all(), &s, b->flow->vel, &b->a[0],
                            &b->a[apart ? 2 * count : 0], NULL, &b->a[count]);
}
static kol_status transport_first(struct bench *b)
{
    return transport(b, 1, 0);
}
static kol_status transport_later(struct bench *b)
{
    return transport(b, 1, 1);
}
static kol_status transport_three(struct bench *b)
{
    return transport(b, 3, 1);
}
static kol_status transport_four(struct bench *b)
{
    return transport(b, 4, 0);
}
static kol_status divergence(struct bench *b)
{
    return project_divergence(b->domain->grid.box, b->domain->grid.m, blocks_of(b), cells_all(), 1,
                              b->flow->vel[X], b->flow->vel[Y], b->flow->vel[Z], b->a[0]);
}
static kol_status correct(struct bench *b)
{
    return project_correct(b->domain->grid.box, stencil_of(b), (struct correction){.dts = SHORT}, b->a[0],
                           b->flow->pressure.p, b->a[1], b->flow->vel[X], b->flow->vel[Y], b->flow->vel[Z]);
}
/* Whether neighbours in z are taken from the other end of the array, which has no planes of other ranks. */
static int rings(const struct bench *b)
{
    return b->domain->grid.periodic[Z] || b->domain->decomp.ranks[Z] > 1;
}
static kol_status correct_packed(struct bench *b)
{
    return project_correct_packed(b->domain->grid.box, stencil_of(b), (struct correction){.dts = SHORT},
                                  SHORT, rings(b), b->packed, b->flow->pressure.p, b->a[1], b->flow->vel[X],
                                  b->flow->vel[Y], b->flow->vel[Z]);
}
static struct last_correction last_of(const struct bench *b, real factor)
{
    return (struct last_correction){.b = b->domain->grid.box,
                                    .m = b->domain->grid.m,
                                    .s = stencil_of(b),
                                    .blocks = blocks_of(b),
                                    .c = {.dts = SHORT, .factor = factor},
                                    .p_old = b->flow->pressure.p,
                                    .p = b->a[1],
                                    .from = {b->flow->vel[X], b->flow->vel[Y], b->flow->vel[Z]},
                                    .to = {b->a[3], b->a[4], b->a[5]}};
}
static kol_status last(struct bench *b)
{
    const struct last_correction a = last_of(b, 0);
    return project_correct_limits(&a, b->a[0]);
}
static kol_status last_packed_of(const struct bench *b, real factor)
{
    const struct last_correction a = last_of(b, factor);
    return project_correct_limits_packed(&a, SHORT, rings(b), b->packed);
}
static kol_status last_packed(struct bench *b)
{
    return last_packed_of(b, 0);
}
static kol_status last_packed_diffused(struct bench *b)
{
    return last_packed_of(b, SHORT);
}
static kol_status columns(struct bench *b, real *const *base)
{
    const int n = b->domain->grid.box.nz;
    const struct columns c = {.n = n, .centre = b->columns, .face = b->columns + 3 * (ptrdiff_t)n};
    struct column_fields f = {.base = {NULL}};
    for (int d = 0; d < 3; ++d) {
        if (base != NULL) f.base[d] = f.before[d] = base[d];
        f.vel[d] = b->a[3 + d];
    }
    return column_solve(b->domain->grid.box, c, f);
}
static kol_status columns_first(struct bench *b)
{
    return columns(b, NULL);
}
static kol_status columns_later(struct bench *b)
{
    return columns(b, b->flow->vel);
}
static kol_status monitor(struct bench *b)
{
    return project_monitor(b->domain->grid.box, b->domain->grid.m, b->domain->walls, blocks_of(b),
                           cells_all(), b->flow->vel[X], b->flow->vel[Y], b->flow->vel[Z]);
}
static kol_status limits(struct bench *b)
{
    return project_limits(b->domain->grid.box, b->domain->grid.m, blocks_of(b), cells_all(), b->flow->vel[X],
                          b->flow->vel[Y], b->flow->vel[Z]);
}
static kol_status combine(struct bench *b)
{
    return update_combine(b->domain->grid.box, 1, b->a[0], -1, b->a[1], b->a[2]);
}
static kol_status source(struct bench *b)
{
    return stencil_source(b->domain->grid.box, stencil_of(b), SHORT, b->a[0], b->a[1], b->a[2]);
}
static kol_status residual(struct bench *b)
{
    return laplace_residual(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), 0, b->a[0],
                            b->a[1], b->a[2]);
}
static kol_status residual_sums(struct bench *b) /* as after a solve by one application */
{
    return laplace_residual(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), 0, b->a[0],
                            b->a[1], NULL);
}
static kol_status laplacian(struct bench *b) /* as the first direction of a round */
{
    return laplace_direction(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), NULL, b->a[0],
                             NULL, b->a[2]);
}
static kol_status start(struct bench *b)
{
    return laplace_start(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), NULL, DEGREE1,
                         b->a[0], b->a[1]);
}
static kol_status direction(struct bench *b)
{
    return laplace_direction(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), b->cg.state,
                             b->a[0], b->a[1], b->a[2]);
}
static kol_status direction_halo(struct bench *b)
{
    return laplace_direction_halo(b->domain->grid.box, cells_all(), 2, b->cg.state, b->a[0], b->a[1],
                                  b->a[2]);
}
static kol_status update(struct bench *b)
{
    return laplace_update(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), b->cg.state, DEGREE1,
                          b->a[0], b->a[1], b->a[5], b->a[2], b->a[3], b->a[4], b->planes);
}
static kol_status update_apart(struct bench *b) /* z is left to another sweep */
{
    const struct poly1 none = {1, 0};
    return laplace_update(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), b->cg.state, none,
                          b->a[0], b->a[1], b->a[5], b->a[2], b->a[3], NULL, b->planes);
}
static kol_status energy(struct bench *b)
{
    return laplace_energy(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), b->cg.state,
                          b->a[0]);
}
static kol_status advance(struct bench *b)
{
    return laplace_advance(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), b->cg.state,
                           b->a[0], b->a[1], b->a[2], b->a[3], b->a[4], b->a[5], b->a[6]);
}
static kol_status chebyshev(struct bench *b)
{
    return laplace_chebyshev(b->domain->grid.box, stencil_of(b), blocks_of(b), cells_all(), b->cg.state,
                             (real)0.4, (real)0.9, 1, b->a[0], b->a[1], b->a[2], b->a[3]);
}

/* Takes n degrees of the polynomial in one sweep that reads the opposite side instead of a halo. from_r: it
 * begins from r; otherwise from two iterates. further: it stores two iterates for a next sweep. */
static kol_status several(struct bench *b, int n, int from_r, int further)
{
    const struct cells around = {CELLS_ALL, 0, (1u << FACES) - 1};
    struct poly_steps p = {.n = n, .first = DEGREE1, .y0 = 1};
    for (int k = 0; k < n; ++k) {
        p.momentum[k] = (real)0.4;
        p.step[k] = (real)0.9;
    }
    return laplace_steps(b->domain->grid.box, stencil_of(b), blocks_of(b), around, b->cg.state, p, b->a[0],
                         from_r ? NULL : b->a[1], from_r ? NULL : b->a[2], b->a[3], further ? b->a[4] : NULL);
}
static kol_status two_from_r(struct bench *b)
{
    return several(b, 2, 1, 0);
}
static kol_status three_from_r(struct bench *b)
{
    return several(b, 3, 1, 0);
}
static kol_status four_from_r(struct bench *b)
{
    return several(b, 4, 1, 0);
}
static kol_status four_begun(struct bench *b)
{
    return several(b, 4, 1, 1);
}
static kol_status two_more(struct bench *b)
{
    return several(b, 2, 0, 0);
}
static kol_status four_more(struct bench *b)
{
    return several(b, 4, 0, 0);
}

static kol_status dot(struct bench *b)
{
    return volume_dot_product(b->domain->grid.box, blocks_of(b), b->cg.state, b->a[0], b->a[1]);
}

static kol_status sample(struct bench *b, enum point_sample_quantity q)
{
    return point_sample_cells(b->domain->grid.box, b->domain->grid.m, q, range_all(b->domain->grid.box),
                              b->flow->vel, b->flow->pressure.p, b->a[0]);
}
static kol_status sample_vortices(struct bench *b)
{
    return sample(b, SAMPLE_Q);
}
static kol_status sample_eigenvalues(struct bench *b)
{
    return sample(b, SAMPLE_LAMBDA2);
}

/* Sums that stay in kernel memory, and sums that the host waits for. */
static kol_status sums_device(struct bench *b)
{
    const struct cg_scalars none = {NULL, NULL};
    return reduction_advance(b->domain->reduction, 1, 1, CG_NONE, none);
}
/* Of what the last kernel left, that of one block: a launch that any sum needs, in whatever order. */
static kol_status sums_of_one(struct bench *b)
{
    const struct cg_scalars none = {NULL, NULL};
    struct blocks bl = blocks_of(b);
    bl.nx = bl.ny = bl.nz = 1;
    return sums_total(bl, 1, 1, b->sums, CG_NONE, none);
}
static kol_status sums_host(struct bench *b)
{
    double value[2];
    return reduction_finish(b->domain->reduction, 1, 1, value);
}

enum { NO_SHAPES = TUNE_KERNELS };
#define PACKED_CORRECTION (8 + sizeof(float) / (double)sizeof(real))
static const struct {
    const char *name;
    bench_work work;
    double values; /* read and written a cell, by the contract; 0: not counted */
    int tune;      /* enum tune_kernel */
    int steps;     /* in one sweep: left out where there is no room for them */
} KERNEL[] = {{"momentum_rhs", momentum, 6, TUNE_MOMENTUM, 0},
              {"momentum_stage, base = vel", stage_first, 7, TUNE_STAGE, 0},
              {"momentum_stage, base apart", stage_later, 10, TUNE_STAGE, 0},
              {"momentum_stage, implicit-z", stage_implicit_z, 10, TUNE_STAGE, 0},
              {"momentum_stage, frame turns", stage_turning, 10, TUNE_STAGE, 0},
              {"momentum_stage, old kept", stage_wray, 13, TUNE_STAGE, 0},
              {"scalar_transport, base = theta", transport_first, 5, NO_SHAPES, 0},
              {"scalar_transport, base apart", transport_later, 6, NO_SHAPES, 0},
              {"scalar_transport, 3 scalars", transport_three, 12, NO_SHAPES, 0},
              {"scalar_transport, 4 scalars, base = theta", transport_four, 11, NO_SHAPES, 0},
              {"project_divergence", divergence, 4, TUNE_DIVERGENCE, 0},
              {"project_correct", correct, 9, TUNE_CORRECT, 0},
              {"project_correct_packed", correct_packed, PACKED_CORRECTION, TUNE_CORRECT, 0},
              {"project_correct_limits", last, 9, TUNE_CORRECT_LIMITS, 0},
              {"project_correct_limits_packed", last_packed, PACKED_CORRECTION, TUNE_CORRECT_LIMITS, 0},
              {"project_correct_limits_packed, diffused", last_packed_diffused, PACKED_CORRECTION,
               TUNE_CORRECT_LIMITS, 0},
              {"column_solve, first stage", columns_first, 12, TUNE_COLUMN, 0},
              {"column_solve, later stages", columns_later, 15, TUNE_COLUMN, 0},
              {"project_monitor", monitor, 3, TUNE_MONITOR, 0},
              {"project_limits", limits, 3, TUNE_MONITOR, 0},
              {"update_combine", combine, 3, NO_SHAPES, 0},
              {"stencil_source", source, 3, NO_SHAPES, 0},
              {"laplacian+dot", laplacian, 2, TUNE_FIRST, 0},
              {"laplace_residual", residual, 3, TUNE_RESIDUAL, 0},
              {"laplace_residual, sums alone", residual_sums, 2, TUNE_CHECK, 0},
              {"laplace_start", start, 2, TUNE_START, 0},
              {"laplace_direction", direction, 3, TUNE_DIRECTION, 0},
              {"laplace_direction_halo", direction_halo, 0, NO_SHAPES, 0},
              {"laplace_update", update, 6, TUNE_UPDATE, 0},
              {"laplace_update, z apart", update_apart, 5, TUNE_UPDATE_APART, 0},
              {"laplace_energy", energy, 1, TUNE_FIRST, 0},
              {"laplace_advance", advance, 7, TUNE_ADVANCE, 0},
              {"laplace_chebyshev", chebyshev, 4, TUNE_CHEBYSHEV, 0},
              {"laplace_steps, 2 from r", two_from_r, 2, TUNE_STEPS, 2},
              {"laplace_steps, 3 from r", three_from_r, 2, TUNE_STEPS, 3},
              {"laplace_steps, 4 from r", four_from_r, 2, TUNE_STEPS, 4},
              {"laplace_steps, 4 from r, to go on", four_begun, 3, TUNE_STEPS, 4},
              {"laplace_steps, 2 more", two_more, 4, TUNE_STEPS, 2},
              {"laplace_steps, 4 more", four_more, 4, TUNE_STEPS, 4},
              {"sample_cells, q", sample_vortices, 4, NO_SHAPES, 0},
              {"sample_cells, lambda2", sample_eigenvalues, 4, NO_SHAPES, 0},
              {"dot_product", dot, 2, NO_SHAPES, 0},
              {"sums, on the device", sums_device, 0, NO_SHAPES, 0},
              {"sums of one block, on the device", sums_of_one, 0, NO_SHAPES, 0},
              {"sums, to the host", sums_host, 0, NO_SHAPES, 0}};

static kol_status measure(struct bench *b, int k, const char *shape)
{
    struct bench_record r = {.values = KERNEL[k].values, .iterations = -1};
    snprintf(r.name, sizeof r.name, "%s%s%s", KERNEL[k].name, shape[0] != '\0' ? ", shape " : "", shape);
    for (int d = 0; d < 3; ++d) r.n[d] = b->domain->grid.n_g[d];
    TRY(bench_measure(b, KERNEL[k].work, &r.time));
    return bench_record(b, r);
}

/* With --shapes every launch shape, else the one in use. */
static kol_status measure_shapes(struct bench *b, int k)
{
    if (!b->options->shapes || KERNEL[k].tune == NO_SHAPES) return measure(b, k, "");
    const enum tune_kernel kernel = (enum tune_kernel)KERNEL[k].tune;
    const int chosen = tune_chosen(kernel);
    for (int i = 0; i < tune_shapes(kernel); ++i) {
        char shape[TUNE_TEXT];
        tune_shape_name(kernel, i, shape);
        tune_choose(kernel, i);
        TRY(measure(b, k, shape));
    }
    tune_choose(kernel, chosen);
    return KOL_OK;
}

/* Neighbours count for nothing and pivots are 1: sweeps leave the values as they are, as fast as any. */
static kol_status make_columns(struct bench *b)
{
    const int n = b->domain->grid.box.nz;
    const size_t bytes = 6 * (size_t)n * sizeof(double);
    double *host = calloc(6 * (size_t)n, sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for factors of %d levels", n);
    for (int k = 0; k < n; ++k) host[2 * n + k] = host[5 * n + k] = 1;
    kol_status st = mem_kernel_alloc(bytes, (void **)&b->columns);
    if (st == KOL_OK) st = mem_to_kernel(b->columns, host, bytes);
    free(host);
    return st;
}

kol_status bench_kernels(struct bench *b)
{
    const struct cg_state running = {.alpha = SHORT, .beta = 0.5, .outcome = CG_RUNNING};
    TRY(device_wait());
    TRY(cg_start(b->cg, running));
    TRY(make_columns(b));
    TRY(mem_kernel_alloc((size_t)packed_box(b->domain->grid.box).size * sizeof *b->packed,
                         (void **)&b->packed));
    TRY(packed_from_field(b->domain->grid.box, 1, b->a[0], b->packed));
    TRY(mem_kernel_alloc(KOL_PARTS * sizeof *b->sums, (void **)&b->sums));
    const struct cells around = {CELLS_ALL, 0, (1u << FACES) - 1};
    int most = 0;
    TRY(laplace_steps_most(b->domain->grid.box, blocks_of(b), around, &most));
    for (int k = 0; k < (int)(sizeof KERNEL / sizeof *KERNEL); ++k) {
        if (KERNEL[k].steps <= most && bench_wanted(b, KERNEL[k].name)) TRY(measure_shapes(b, k));
    }
    return KOL_OK;
}
