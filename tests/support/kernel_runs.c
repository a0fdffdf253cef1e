/* Calls every kernel that works on parts of the cells, so that tests can compare the ways to call it. */
#include "kernel_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/column_diffusion.h"
#include "kernels/correct_limits.h"
#include "kernels/laplace.h"
#include "kernels/momentum.h"
#include "kernels/projection.h"
#include "check.h"

enum { U = STRETCHING_UNIFORM, T = STRETCHING_TANH, S = STRETCHING_SINE };

const struct case_input run_cases[RUN_CASES] = {
    {"narrow blocks", {21, 19, 18}, {S, T, S}, {0.5, 1.2, 0.3}},
    {"a few tiles", {150, 37, 21}, {U, T, S}, {0, 1.1, 0.5}},
    {"some of each", {71, 50, 23}, {T, U, T}, {0.8, 0, 1.0}},
    {"wide in x", {1100, 5, 6}, {T, U, U}, {0.7, 0, 0}},
    {"wide in y", {7, 1100, 6}, {U, S, U}, {0, 0.4, 0}},
    {"wide in z", {6, 5, 610}, {U, U, T}, {0, 0, 1.3}},
};

/* One call of a kernel: inputs and outputs in the order of the table below. */
struct call {
    const struct part *p;
    struct box b;
    struct metrics m;
    struct blocks bl;
    struct stencil s;
    struct cells cells;
    const struct cg_state *cg;
    int variant;
    real *planes;
    real *const *in, *const *out;
};

static kol_status call_momentum(const struct call *c)
{
    return momentum_rhs(c->b, c->m, c->cells, c->variant ? 0 : (real)0.03, c->in[0], c->in[1], c->in[2],
                        c->out[0], c->out[1], c->out[2]);
}

/* variant 0: everything is read and kept; 1: the first stage of a scheme without memory, in a turning frame
 */
static kol_status call_stage(const struct call *c)
{
    const struct stage s = {(real)0.03,
                            (real)0.75,
                            c->variant ? 0 : (real)-0.375,
                            (real)0.125,
                            {c->variant ? (real)0.5 : 0, 0, c->variant ? (real)-0.25 : 0},
                            c->variant ? (real)0.375 : 0,
                            {(real)0.25, (real)-0.5, (real)0.75},
                            c->variant ? (real)0.625 : 0};
    return momentum_stage(c->b, c->m, c->cells, s, c->in, c->variant ? c->in : c->in + 3, c->in[6],
                          c->variant ? NULL : c->out + 3, c->out);
}

static kol_status call_divergence(const struct call *c)
{
    return project_divergence(c->b, c->m, c->bl, c->cells, (real)(c->variant ? 1 : 0.125), c->in[0], c->in[1],
                              c->in[2], c->out[0]);
}

static kol_status call_correct(const struct call *c)
{
    const struct stencil s = grid_stencil(&c->p->g, LOC_CCC, 0, 1);
    const struct correction a = {.dts = (real)0.125,
                                 .mean = (real)0.25,
                                 .factor = c->variant ? (real)0.0625 : 0,
                                 .shift = {(real)0.5, (real)-0.25, (real)0.75}};
    return project_correct(c->b, s, a, c->in[0], c->in[1], c->out[3], c->out[0], c->out[1], c->out[2]);
}

static kol_status call_correct_limits(const struct call *c)
{
    const struct last_correction a = {.b = c->b,
                                      .m = c->m,
                                      .s = grid_stencil(&c->p->g, LOC_CCC, 0, 1),
                                      .blocks = c->bl,
                                      .c = {.dts = (real)0.125,
                                            .mean = (real)0.25,
                                            .factor = c->variant ? (real)0.0625 : 0,
                                            .shift = {(real)0.5, (real)-0.25, (real)0.75}},
                                      .p_old = c->in[1],
                                      .p = c->out[3],
                                      .from = {c->in[2], c->in[3], c->in[4]},
                                      .to = {c->out[0], c->out[1], c->out[2]}};
    return project_correct_limits(&a, c->in[0]);
}

static kol_status call_monitor(const struct call *c)
{
    return project_monitor(c->b, c->m, walls_none(), c->bl, c->cells, c->in[0], c->in[1], c->in[2]);
}

static kol_status call_residual(const struct call *c)
{
    return laplace_residual(c->b, c->s, c->bl, c->cells, c->variant ? (real)2.5 : 0, c->in[0], c->in[1],
                            c->out[0]);
}

static kol_status call_check(const struct call *c)
{
    return laplace_residual(c->b, c->s, c->bl, c->cells, c->variant ? (real)2.5 : 0, c->in[0], c->in[1],
                            NULL);
}

static struct poly1 polynomial(const struct call *c)
{
    return c->variant ? (struct poly1){(real)0.5, (real)0.25} : (struct poly1){1, 0};
}

static kol_status call_start(const struct call *c)
{
    return laplace_start(c->b, c->s, c->bl, c->cells, c->cg, polynomial(c), c->in[0], c->out[0]);
}

static kol_status call_direction(const struct call *c)
{
    return laplace_direction(c->b, c->s, c->bl, c->cells, c->cg, c->in[0], c->in[1], c->out[0]);
}

static kol_status call_first(const struct call *c)
{
    return laplace_direction(c->b, c->s, c->bl, c->cells, NULL, c->in[0], NULL, c->out[0]);
}

static kol_status call_update(const struct call *c)
{
    return laplace_update(c->b, c->s, c->bl, cells_all(), c->cg, polynomial(c), c->in[0], c->out[2],
                          c->out[2], c->in[1], c->out[0], c->out[1], c->planes);
}

static kol_status call_update_apart(const struct call *c)
{
    return laplace_update(c->b, c->s, c->bl, cells_all(), c->cg, (struct poly1){1, 0}, c->in[0], c->out[1],
                          c->out[1], c->in[1], c->out[0], NULL, c->planes);
}

static kol_status call_advance(const struct call *c)
{
    return laplace_advance(c->b, c->s, c->bl, cells_all(), c->cg, c->in[0], c->in[1], c->out[0], c->out[2],
                           c->out[2], c->in[2], c->out[1]);
}

static kol_status call_chebyshev(const struct call *c)
{
    return laplace_chebyshev(c->b, c->s, c->bl, c->cells, c->cg, (real)0.25, (real)0.625, (real)0.75,
                             c->in[0], c->in[1], c->variant ? c->in[2] : NULL, c->out[0]);
}

/* As many steps as halos of this depth allow; from r or from two iterates. */
static kol_status call_steps(const struct call *c)
{
    struct poly_steps p = {.first = {(real)1.125, (real)0.25},
                           .y0 = (real)0.75,
                           .momentum = {(real)0.25, (real)0.5},
                           .step = {(real)0.625, (real)0.875}};
    const kol_status st = laplace_steps_most(c->b, c->bl, c->cells, &p.n);
    if (st != KOL_OK) return st;
    return laplace_steps(c->b, c->s, c->bl, c->cells, c->cg, p, c->in[0], c->variant ? c->in[1] : NULL,
                         c->variant ? c->in[2] : NULL, c->out[0], p.n > 1 ? c->out[1] : NULL);
}

/* variant 0: one array; 1: none. The systems have the same coefficients in all rows; any diagonal will do. */
static kol_status call_column(const struct call *c)
{
    const int n = c->b.nz;
    const size_t bytes = 6 * (size_t)n * sizeof(double);
    double *host = malloc(bytes), *rows = NULL;
    if (host == NULL) abort();
    for (int k = 0; k < 6 * n; ++k) host[k] = k / n % 3 == 0 ? 0.25 : k / n % 3 == 1 ? 0.125 : 0.75;
    TRY(mem_kernel_alloc(bytes, (void **)&rows));
    TRY(mem_to_kernel(rows, host, bytes));
    free(host);
    const struct columns columns = {.n = n,
                                    .centre = rows,
                                    .face = rows + 3 * (ptrdiff_t)n,
                                    .end = {{1, -1}, {0.5, 0}, {0, 0.25}},
                                    .weight = -2};
    struct column_fields f = {.base = {NULL}};
    for (int d = 0; d < 3; ++d) {
        if (!c->variant) f.base[d] = f.before[d] = c->in[d];
        f.vel[d] = c->out[d];
    }
    TRY(column_solve(c->b, columns, f));
    mem_kernel_free(rows);
    return KOL_OK;
}

/* Inputs with the halo that the contract asks for; outputs are filled with NaN (NOWHERE), or in place (OWN).
 */
static const struct runner {
    kol_status (*call)(const struct call *c);
    int splits, inputs, outputs, sums, maxima;
    enum region in[RUN_INPUTS], out[RUN_OUTPUTS];
} RUNNER[TUNE_KERNELS] = {
    [TUNE_MOMENTUM] = {call_momentum, 1, 3, 3, 0, 0, {OWN_EDGES, OWN_EDGES, OWN_EDGES}, {NOWHERE}},
    [TUNE_STAGE] = {call_stage,
                    1,
                    7,
                    6,
                    0,
                    0,
                    {OWN_EDGES, OWN_EDGES, OWN_EDGES, OWN, OWN, OWN, OWN_LOW},
                    {NOWHERE, NOWHERE, NOWHERE, OWN, OWN, OWN}},
    [TUNE_DIVERGENCE] = {call_divergence, 1, 3, 1, 2, 1, {OWN_HIGH, OWN_HIGH, OWN_HIGH}, {NOWHERE}},
    [TUNE_CORRECT] = {call_correct, 0, 2, 4, 0, 0, {OWN_FACES, OWN}, {OWN, OWN, OWN, NOWHERE}},
    [TUNE_CORRECT_LIMITS] = {call_correct_limits,
                             0,
                             5,
                             4,
                             LIM_SUMS,
                             LIM_COUNT - LIM_SUMS,
                             {OWN_FACES, OWN, OWN_HIGH, OWN_HIGH, OWN_HIGH},
                             {NOWHERE}},
    [TUNE_MONITOR] =
        {call_monitor, 1, 3, 0, MON_SUMS, MON_COUNT - MON_SUMS, {OWN_FACES, OWN_FACES, OWN_FACES}, {NOWHERE}},
    [TUNE_RESIDUAL] = {call_residual, 1, 2, 1, 2, 1, {OWN, OWN_FACES}, {NOWHERE}},
    [TUNE_CHECK] = {call_check, 1, 2, 0, 2, 1, {OWN, OWN_FACES}, {NOWHERE}},
    [TUNE_START] = {call_start, 1, 1, 1, 1, 1, {OWN_FACES}, {NOWHERE}},
    [TUNE_DIRECTION] = {call_direction, 1, 2, 1, 1, 0, {OWN_FACES, OWN_FACES}, {NOWHERE}},
    [TUNE_FIRST] = {call_first, 1, 1, 1, 1, 0, {OWN_FACES}, {NOWHERE}},
    [TUNE_UPDATE] = {call_update, 0, 2, 3, 1, 1, {OWN_DEEP, OWN_FACES}, {NOWHERE, NOWHERE, OWN}},
    [TUNE_UPDATE_APART] = {call_update_apart, 0, 2, 2, 1, 1, {OWN_FACES, OWN}, {NOWHERE, OWN}},
    [TUNE_CHEBYSHEV] = {call_chebyshev, 1, 3, 1, 1, 0, {OWN, OWN_FACES, OWN}, {NOWHERE}},
    [TUNE_ADVANCE] = {call_advance, 0, 3, 3, 1, 1, {OWN_FACES, OWN_FACES, OWN}, {NOWHERE, NOWHERE, OWN}},
    [TUNE_COLUMN] = {call_column, 0, 3, 3, 0, 0, {OWN_FACES, OWN_FACES, OWN_FACES}, {OWN, OWN, OWN}},
    [TUNE_STEPS] = {call_steps, 1, 3, 2, 1, 0, {OWN_DEEP, OWN_DEEP, OWN_FACES}, {NOWHERE, OWN}},
};

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

void run_inputs(const struct ref_grid *g, double *inputs[RUN_INPUTS])
{
    for (int n = 0; n < RUN_INPUTS; ++n) inputs[n] = case_random(g, 300 + (unsigned)n);
}

int run_can_split(enum tune_kernel k)
{
    return RUNNER[k].splits;
}

enum calls { WHOLE, INNER, INNER_AND_RIM };

static void call_it(struct part *p, const struct runner *r, struct call c, enum calls calls, unsigned remote)
{
    real *hidden[RUN_INPUTS], *const *all = c.in;
    if (calls != WHOLE) c.cells = (struct cells){CELLS_INNER, remote, 0};
    if (calls == INNER_AND_RIM) {
        for (int n = 0; n < r->inputs; ++n) hidden[n] = part_hidden(p, remote, c.in[n]);
        c.in = hidden;
    }
    need(r->call(&c));
    if (calls != INNER_AND_RIM) return;
    c.cells.which = CELLS_RIM;
    c.in = all;
    need(r->call(&c));
}

static void run(struct part *p, enum tune_kernel k, int variant, double *const *inputs, enum calls calls,
                unsigned remote, struct made *made)
{
    const struct runner *r = &RUNNER[k];
    const struct box b = p->g.box;
    real *in[RUN_INPUTS], *out[RUN_OUTPUTS], *planes = NULL;
    struct cg_scalars cg;
    const enum location location = variant ? LOC_CFC : LOC_CCC;
    for (int n = 0; n < r->inputs; ++n) in[n] = part_from(p, r->in[n], inputs[n]);
    for (int n = 0; n < r->outputs; ++n) out[n] = part_from(p, r->out[n], inputs[RUN_INPUTS - 1 - n]);
    need(mem_kernel_alloc((size_t)laplace_update_scratch(b) * sizeof(real), (void **)&planes));
    need(mem_fill_real(planes, laplace_update_scratch(b), (real)NAN));
    need(cg_create(&cg));
    need(cg_start(cg, (struct cg_state){.alpha = 0.375, .beta = variant ? 0.75 : 0}));
    const struct call c = {.p = p,
                           .b = b,
                           .m = p->g.m,
                           .bl = reduction_blocks(p->reduction),
                           .s = grid_stencil(&p->g, location, (real)(variant ? 1.25 : 0), (real)0.5),
                           .cells = cells_all(),
                           .cg = cg.state,
                           .variant = variant,
                           .planes = planes,
                           .in = in,
                           .out = out};
    call_it(p, r, c, calls, remote);
    *made = (struct made){.size = b.size, .arrays = r->outputs, .quantities = r->sums + r->maxima};
    made->values = made->quantities * blocks_count(c.bl);
    if (made->quantities > 0) made->part = part_blocks(p, r->sums, r->maxima);
    for (int n = 0; n < r->outputs; ++n) made->array[n] = part_copy(p, out[n]);
    cg_destroy(&cg);
    mem_kernel_free(planes);
    part_release(p);
}

void run_whole(struct part *p, enum tune_kernel k, int variant, double *const *inputs, struct made *out)
{
    run(p, k, variant, inputs, WHOLE, 0, out);
}

void run_split(struct part *p, enum tune_kernel k, int variant, double *const *inputs, unsigned remote,
               struct made *out)
{
    run(p, k, variant, inputs, INNER_AND_RIM, remote, out);
}

void run_inner(struct part *p, enum tune_kernel k, int variant, double *const *inputs, struct made *out)
{
    run(p, k, variant, inputs, INNER, 0, out);
}

int made_same(const struct made *a, const struct made *b)
{
    int same = a->size == b->size && a->arrays == b->arrays && a->values == b->values;
    for (int n = 0; same && n < a->arrays; ++n)
        same = memcmp(a->array[n], b->array[n], (size_t)a->size * sizeof(real)) == 0;
    return same && (a->values == 0 || memcmp(a->part, b->part, (size_t)a->values * sizeof *a->part) == 0);
}

int made_nan(const struct part *p, const struct made *m)
{
    const struct box b = p->g.box;
    int nan = 0;
    for (ptrdiff_t n = 0; n < m->values; ++n) nan += isnan(m->part[n]);
    for (int n = 0; n < m->arrays; ++n)
        for (int k = 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i) nan += isnan(m->array[n][at(b, i, j, k)]);
    return nan;
}

void made_free(struct made *m)
{
    for (int n = 0; n < m->arrays; ++n) free(m->array[n]);
    free(m->part);
    *m = (struct made){0};
}
