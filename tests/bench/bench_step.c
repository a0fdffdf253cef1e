/* Measures what a step is made of: iterations of conjugate gradients, all the rest, and whole steps. */
#include "bench.h"

#include <float.h>
#include <limits.h>
#include "kernels/laplace.h"
#include "kernels/momentum.h"
#include "kernels/stream_copy.h"
#include "kernels/update.h"
#include "solver/boundary/boundary.h"
#include "solver/control/health.h"
#include "solver/initial/initial.h"
#include "solver/step/rk3.h"
#include "solver/control/time_step.h"

enum { WARM_UP = 4, TIMED = 6, WARM_UP_QUICK = 2, TIMED_QUICK = 3 };
static const struct poly1 DEGREE1 = {1, (real)0.9};
/* So short that random fields stay as they are over any number of steps. */
static const real SHORT = (real)1e-12;

static struct bench_record record_of(const struct bench *b, const char *name, double values)
{
    struct bench_record r = {.values = values, .iterations = -1};
    snprintf(r.name, sizeof r.name, "%s", name);
    for (int d = 0; d < 3; ++d) r.n[d] = b->domain->grid.n_g[d];
    return r;
}

/* The vectors of the iterations, in b->a. */
enum { RESIDUAL, SCALED, DIRECTION, SPARE, SOLUTION, NEXT, RANDOM };

static void swap(struct bench *b, int i, int j)
{
    real *a = b->a[i];
    b->a[i] = b->a[j];
    b->a[j] = a;
}

static struct cells cells_of(const struct domain *domain, enum cells_which which)
{
    return halo_cells(domain->halo, which);
}

/* An iteration that nothing ends, from r = - A x with x random. */
static kol_status begin_iterations(struct bench *b)
{
    const struct domain *domain = b->domain;
    const struct stencil a = grid_stencil(&domain->grid, LOC_CCC, 0, 1);
    const struct blocks bl = reduction_blocks(domain->reduction);
    const struct cg_state state = {
        .stall_growth = DBL_MAX, .limit = INT_MAX, .stall_iterations = INT_MAX, .outcome = CG_RUNNING};
    TRY(stream_copy(domain->grid.box.size, b->a[RANDOM], b->a[SOLUTION]));
    TRY(halo_fill(domain->halo, &b->a[SOLUTION], 1, HALO_FACES));
    TRY(mem_fill_real(b->a[SPARE], domain->grid.box.size, 0));
    TRY(laplace_residual(domain->grid.box, a, bl, cells_of(domain, CELLS_ALL), 0, b->a[SPARE], b->a[SOLUTION],
                         b->a[RESIDUAL]));
    TRY(halo_fill(domain->halo, &b->a[RESIDUAL], 1, HALO_FACES));
    TRY(device_wait());
    TRY(cg_start(b->cg, state));
    TRY(laplace_start(domain->grid.box, a, bl, cells_of(domain, CELLS_ALL), b->cg.state, DEGREE1,
                      b->a[RESIDUAL], b->a[SCALED]));
    b->steps = 1;
    return reduction_advance(domain->reduction, 1, 1, CG_BEGIN, b->cg);
}

static kol_status sweep_direction(const void *context, struct cells cells)
{
    const struct bench *b = context;
    const struct domain *domain = b->domain;
    const struct box box = domain->grid.box;
    const struct stencil s = grid_stencil(&domain->grid, LOC_CCC, 0, 1);
    const struct blocks bl = reduction_blocks(domain->reduction);
    real *const *a = b->a;
    struct cells all = cells;
    all.which = CELLS_ALL;
    if (cells.which == CELLS_RIM)
        TRY(laplace_direction_halo(box, all, 2, b->cg.state, a[SCALED], a[DIRECTION], a[SPARE]));
    TRY(laplace_direction(box, s, bl, cells, b->cg.state, a[SCALED], a[DIRECTION], a[SPARE]));
    if (cells.remote != 0) return KOL_OK;
    return laplace_direction_halo(box, all, 2, b->cg.state, a[SCALED], a[DIRECTION], a[SPARE]);
}

/* Does the sweeps of one iteration, as solver/poisson/ppcg.c does. added: whether their sums are added up
 * to the scalars of the iteration.
 *
 * Each update starts again from the first residual, not from the residual that the previous update
 * computed. With the latter, the residual on a small grid would be at the level of rounding after a hundred
 * iterations, and the iteration would end. With the first residual r.z and d.Ad stay positive, however many
 * iterations are timed, and d grows only in proportion to their number. */
static kol_status sweep(struct bench *b, int added)
{
    const struct domain *domain = b->domain;
    const struct box box = domain->grid.box;
    const struct stencil s = grid_stencil(&domain->grid, LOC_CCC, 0, 1);
    const struct blocks bl = reduction_blocks(domain->reduction);
    real **a = b->a;
    const struct exchange exchange = {.halo = domain->halo, .fields = &a[SCALED], .n = 1, .shape = HALO_DEEP};
    TRY(exchange_overlap(&exchange, sweep_direction, b));
    swap(b, DIRECTION, SPARE);
    if (added) TRY(reduction_advance(domain->reduction, 1, 0, CG_DIRECTION, b->cg));
    TRY(laplace_update(box, s, bl, cells_of(domain, CELLS_ALL), b->cg.state, DEGREE1, a[DIRECTION],
                       a[SOLUTION], a[NEXT], a[RESIDUAL], a[SPARE], a[SCALED], b->planes));
    swap(b, SOLUTION, NEXT);
    ++b->steps;
    return added ? reduction_advance(domain->reduction, 1, 1, CG_UPDATE, b->cg) : KOL_OK;
}

/* Does one iteration. The host runs ahead of the GPU by as many iterations as in ppcg.c. */
static kol_status iterate(struct bench *b)
{
    const int ahead = reduction_ahead(b->domain->reduction);
    int ended = 0;
    if (b->steps > ahead) TRY(cg_wait(b->cg, b->steps - ahead, &ended));
    if (ended) RAISE(KOL_ERR_NUMERICAL, "the iterations to be timed ended after %d", b->steps);
    return sweep(b, 1);
}

/* Does the sweeps without their sums; the scalars of the iteration hardly change. The difference from a
 * complete iteration is the cost of the fixed order of the sums and of the launch that computes the
 * scalars. */
static kol_status sweeps_alone(struct bench *b)
{
    return sweep(b, 0);
}

static kol_status measure_alone(struct bench *b)
{
    struct bench_record r = record_of(b, "PPCG iteration, nothing added up", 9);
    const struct cg_state state = {.alpha = SHORT, .beta = 0.5, .outcome = CG_RUNNING};
    if (!bench_wanted(b, r.name)) return KOL_OK;
    TRY(device_wait());
    TRY(cg_start(b->cg, state));
    TRY(bench_measure(b, sweeps_alone, &r.time));
    return bench_record(b, r);
}

static kol_status measure_iteration(struct bench *b)
{
    struct bench_record r = record_of(b, "PPCG iteration, degree 1", 9);
    struct cg_state state;
    if (!bench_wanted(b, r.name)) return KOL_OK;
    TRY(begin_iterations(b));
    TRY(bench_measure(b, iterate, &r.time));
    TRY(cg_read(b->cg, &state));
    if (state.outcome != CG_RUNNING)
        RAISE(KOL_ERR_NUMERICAL, "the iterations to be timed ended early, outcome %d", state.outcome);
    return bench_record(b, r);
}

kol_status bench_iteration(struct bench *b)
{
    TRY(measure_iteration(b));
    return measure_alone(b);
}

/* The fields of a step without its solves, in b->a: two sets of velocities beside that of the flow, the
 * correction, the pressures and the divergence. */
enum { SETS = 3, PHI = 6, PRESSURE, RHS };

/* prediction, divergence: what the sweeps of a step work on. */
struct prediction {
    const struct bench *b;
    real *const *vel, *const *base, *const *out;
};
struct divergence {
    const struct bench *b;
    real *const *u;
    real *rhs;
};

static kol_status sweep_momentum(const void *context, struct cells cells)
{
    const struct prediction *p = context;
    const struct domain *domain = p->b->domain;
    const struct grid *g = &domain->grid;
    const struct stage s = {.nu = (real)domain->in->fluid.nu, .a = SHORT, .dts = SHORT};
    return momentum_stage(g->box, g->m, cells, s, p->vel, p->base, p->b->flow->pressure.p, NULL, p->out);
}

/* Exchanges the fields of the run's flow, but with the velocity vel. */
static struct exchange exchange_with(const struct bench *b, real *const vel[3], real *array[HALO_FIELDS])
{
    struct flow flow = *b->flow;
    for (int d = X; d <= Z; ++d) flow.vel[d] = vel[d];
    return boundary_exchange_flow(&flow, array);
}

static kol_status predict(struct bench *b, int m, real *const vel[3], real *const base[3], real *const out[3])
{
    const struct prediction p = {b, vel, base, out};
    real *array[HALO_FIELDS];
    const struct exchange exchange = exchange_with(b, vel, array);
    return m == 0 ? sweep_momentum(&p, cells_all()) : exchange_overlap(&exchange, sweep_momentum, &p);
}

static kol_status sweep_divergence(const void *context, struct cells cells)
{
    const struct divergence *of = context;
    const struct grid *g = &of->b->domain->grid;
    real *const *u = of->u;
    return project_divergence(g->box, g->m, reduction_blocks(of->b->domain->reduction), cells, 1, u[X], u[Y],
                              u[Z], of->rhs);
}

static kol_status diverge(struct bench *b, real *const u[3])
{
    const struct divergence of = {b, u, b->a[RHS]};
    const struct exchange exchange = boundary_exchange(b->domain, u, 3, HALO_NORMAL);
    double value[3];
    TRY(exchange_overlap(&exchange, sweep_divergence, &of));
    return reduction_finish(b->domain->reduction, 2, 1, value);
}

static void swap_pressures(struct bench *b)
{
    real *p = b->flow->pressure.p;
    b->flow->pressure.p = b->a[PRESSURE];
    b->a[PRESSURE] = p;
}

static kol_status correct(struct bench *b, real *const u[3])
{
    const struct grid *g = &b->domain->grid;
    TRY(project_correct(g->box, grid_stencil(g, LOC_CCC, 0, 1), (struct correction){.dts = SHORT}, b->a[PHI],
                        b->flow->pressure.p, b->a[PRESSURE], u[X], u[Y], u[Z]));
    swap_pressures(b);
    return KOL_OK;
}

static kol_status sweep_monitor(const void *context, struct cells cells)
{
    const struct divergence *of = context;
    const struct domain *domain = of->b->domain;
    const struct grid *g = &domain->grid;
    real *const *u = of->u;
    return project_monitor(g->box, g->m, domain->walls, reduction_blocks(domain->reduction), cells, u[X],
                           u[Y], u[Z]);
}

static kol_status monitor(struct bench *b, real *const u[3])
{
    const struct divergence of = {b, u, NULL};
    real *array[HALO_FIELDS];
    const struct exchange exchange = exchange_with(b, u, array);
    double value[MON_COUNT];
    TRY(exchange_overlap(&exchange, sweep_monitor, &of));
    return reduction_finish(b->domain->reduction, MON_SUMS, MON_COUNT - MON_SUMS, value);
}

/* Does one step like solver/step/rk3.c with rk3-half and explicit diffusion, but without ppcg_solve and the
 * guess. Three sets of velocities are used in turn: that of the start of the step and those of the stages. */
static kol_status step_outside(struct bench *b)
{
    real *const *set[SETS] = {b->flow->vel, &b->a[0], &b->a[3]};
    const int start = b->steps % SETS;
    for (int m = 0; m < 3; ++m) {
        real *const *vel = set[(start + m) % SETS];
        real *const *out = set[(start + (m == 1 ? 2 : 1)) % SETS];
        TRY(predict(b, m, vel, set[start], out));
        TRY(diverge(b, out));
        TRY(correct(b, out));
    }
    TRY(monitor(b, set[(start + 1) % SETS]));
    ++b->steps;
    return KOL_OK;
}

kol_status bench_outside(struct bench *b)
{
    /* stage 7 + 10 + 10, three divergences of 4, three corrections of 9, monitor 3 */
    struct bench_record r = record_of(b, "step without pressure solve", 7 + 10 + 10 + 3 * 4 + 3 * 9 + 3);
    const real *p = b->flow->pressure.p;
    if (!bench_wanted(b, r.name)) return KOL_OK;
    b->steps = 0;
    TRY(bench_measure(b, step_outside, &r.time));
    if (b->flow->pressure.p != p) swap_pressures(b); /* the run's again */
    return bench_record(b, r);
}

static kol_status whole_step(struct bench *b)
{
    TRY(time_step_choose(b->flow));
    TRY(rk3_step(b->step, b->flow));
    return health_monitor(b->flow);
}

/* The steps take their own arrays from the pool: those of the other parts go back. */
kol_status bench_step(struct bench *b)
{
    struct bench_record r = record_of(b, "step", 0);
    const int warm_up = b->options->quick ? WARM_UP_QUICK : WARM_UP;
    const int timed = b->options->quick ? TIMED_QUICK : TIMED;
    double seconds[TIMED], t0 = 0, t1 = 0;
    if (!bench_wanted(b, r.name)) return KOL_OK;
    TRY(bench_empty(b));
    TRY(mem_fill_real(b->flow->pressure.p, b->domain->grid.box.size, 0));
    TRY(initial_flow(b->step, b->flow));
    TRY(health_monitor(b->flow));
    r.iterations = 0;
    for (int i = -warm_up; i < timed; ++i) {
        TRY(bench_now(&b->domain->comm, &t0));
        TRY(whole_step(b));
        TRY(bench_now(&b->domain->comm, &t1));
        if (i < 0) continue;
        seconds[i] = t1 - t0;
        r.iterations += (double)b->step->iterations / timed;
    }
    bench_sort(seconds, timed);
    r.time = (struct bench_time){.median = seconds[timed / 2], .best = seconds[0]};
    return bench_record(b, r);
}
