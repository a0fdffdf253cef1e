/* Compiles a force by formulas, and adds it to predicted velocities. */
#include "formula_force.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "inputs/bodies.h"
#include "inputs/drives.h"
#include "inputs/formula.h"
#include "kernels/base/mem.h"
#include "kernels/formula_force.h"

/* SAMPLES: points in each direction at which the largest force is looked for. */
enum { SAMPLES = 8, ALL_SAMPLES = SAMPLES * SAMPLES * SAMPLES };

struct formula_force {
    struct formula host[3];
    struct formula_field field; /* its pointers lead into the two arrays below */
    struct formula_step *steps; /* kernel memory: the steps of x, y, z one after the other */
    double *places;             /* kernel memory: centres and lower faces in x, y, z */
    /* which of the samples of formula_force_push() lie in bodies that stay where they are */
    unsigned char closed[ALL_SAMPLES];
    /* with forces on bodies: what the force has added to the momentum of the fluid in the step `known`, or in
     * the stages so far of the step that follows [U L^3] */
    double impulse[3];
    long long known;
};

static kol_status compile(const struct input *in, struct formula_force *f)
{
    char fault[FORMULA_FAULT];
    int column;
    for (int d = 0; d < 3; ++d) {
        if (!formula_parse(in->forcing.formula[d], FORMULA_IN_TIME, &f->host[d], &column, fault))
            RAISE(KOL_ERR_INTERNAL, "the formula of the force along %c: column %d: %s", "xyz"[d], column,
                  fault);
        f->field.count[d] = formula_is_zero(&f->host[d]) ? 0 : f->host[d].count;
    }
    return KOL_OK;
}

static kol_status put_steps(const struct domain *domain, struct formula_force *f)
{
    const size_t bytes = sizeof(struct formula_step);
    size_t done = 0;
    for (int d = 0; d < 3; ++d) done += (size_t)f->host[d].count;
    TRY(memory_kernel(domain->memory, done * bytes, (void **)&f->steps));
    if (memory_counts(domain->memory)) return KOL_OK;
    done = 0;
    for (int d = 0; d < 3; ++d) {
        const size_t count = (size_t)f->host[d].count;
        TRY(mem_to_kernel(f->steps + done, f->host[d].step, count * bytes));
        f->field.step[d] = f->steps + done;
        done += count;
    }
    return KOL_OK;
}

static kol_status put_places(const struct domain *domain, struct formula_force *f)
{
    const struct grid *g = &domain->grid;
    const int *n = domain->decomp.n, *offset = domain->decomp.offset;
    size_t done = 0;
    const size_t all = 2 * (size_t)(n[X] + n[Y] + n[Z]);
    TRY(memory_kernel(domain->memory, all * sizeof(double), (void **)&f->places));
    if (memory_counts(domain->memory)) return KOL_OK;
    for (int d = 0; d < 3; ++d) {
        const size_t bytes = (size_t)n[d] * sizeof(double);
        TRY(mem_to_kernel(f->places + done, g->centre[d] + offset[d], bytes));
        f->field.centre[d] = f->places + done;
        done += (size_t)n[d];
        TRY(mem_to_kernel(f->places + done, g->face[d] + offset[d], bytes));
        f->field.face[d] = f->places + done;
        done += (size_t)n[d];
    }
    return KOL_OK;
}

/* span: global indices of cells from `low` on, below `high`, in steps. */
struct span {
    int low, high, step;
};

/* Whether the force acts on the face of component d of a global cell of this rank. open: the mask in host
 * memory; NULL: there are no bodies. */
static int acts(const struct domain *domain, const unsigned char *open, int d, int i, int j, int k)
{
    const int *o = domain->decomp.offset;
    return open == NULL || (open[at(domain->grid.box, i - o[X], j - o[Y], k - o[Z])] >> (2 * d) & 1);
}

/* Looks at the force along d at its own points in these cells of this rank. KOL_ERR_INPUT or
 * KOL_ERR_NUMERICAL, as `kind` says, with the coordinates of the first point at which it is not finite. */
static kol_status look(const struct domain *domain, const struct formula_force *f, int d, double t,
                       const struct span cells[3], kol_status kind, const unsigned char *open)
{
    const struct grid *g = &domain->grid;
    const double *place[3] = {g->centre[X], g->centre[Y], g->centre[Z]};
    double v[FORMULA_VARIABLES];
    for (int i = 0; i < FORMULA_VARIABLES; ++i) v[i] = f->field.variable[i];
    v[FORMULA_T] = t;
    place[d] = g->face[d];
    for (int k = cells[Z].low; k < cells[Z].high; k += cells[Z].step)
        for (int j = cells[Y].low; j < cells[Y].high; j += cells[Y].step)
            for (int i = cells[X].low; i < cells[X].high; i += cells[X].step) {
                v[FORMULA_X] = place[X][i], v[FORMULA_Y] = place[Y][j], v[FORMULA_Z] = place[Z][k];
                const double value = formula_value(&f->host[d], v);
                if (isfinite(value) || !acts(domain, open, d, i, j, k)) continue;
                const size_t offset = offsetof(struct input, forcing.formula) + (size_t)d * INPUT_TEXT;
                const struct input_place p = input_place(domain->source, offset, 0);
                RAISE(kind,
                      "%s: error: %s is %g at x = %.6g, y = %.6g, z = %.6g, t = %.6g; change its formula, "
                      "%s, so that it is finite everywhere and at all times",
                      p.at, p.name, value, v[FORMULA_X], v[FORMULA_Y], v[FORMULA_Z], t,
                      domain->in->forcing.formula[d]);
            }
    return KOL_OK;
}

/* Finds the mask of bodies in host memory, NULL without bodies. *copy is to be freed, also after a fault. Not
 * while memory is counted. */
static kol_status host_mask(const struct domain *domain, const unsigned char **open, unsigned char **copy)
{
    const size_t bytes = (size_t)domain->grid.box.size;
    *copy = NULL;
    *open = domain->grid.open;
    if (*open == NULL) return KOL_OK;
    *copy = malloc(bytes);
    if (*copy == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the mask of bodies");
    TRY(mem_to_host(*copy, *open, bytes));
    *open = *copy;
    return KOL_OK;
}

/* Looks at these cells for all components. */
static kol_status look_at(const struct domain *domain, const struct formula_force *f, double t,
                          const struct span cells[3], kol_status kind)
{
    const unsigned char *open = NULL;
    unsigned char *copy = NULL;
    kol_status st = KOL_OK;
    TRY_OR(done, host_mask(domain, &open, &copy));
    for (int d = 0; d < 3; ++d)
        if (f->field.count[d] > 0) TRY_OR(done, look(domain, f, d, t, cells, kind, open));
done:
    free(copy);
    return st;
}

/* Looks at some of the points at the start. While memory is counted, all ranks look at the same points, so
 * that all find the same fault; with bodies none then. Afterwards each looks at those of its own. */
static kol_status check_start(const struct domain *domain, const struct formula_force *f)
{
    const int all = memory_counts(domain->memory);
    struct span some[3];
    if (all && domain->grid.open != NULL) return KOL_OK;
    for (int d = 0; d < 3; ++d) {
        const int n = domain->decomp.n_g[d], step = n > SAMPLES ? n / SAMPLES : 1,
                  first = all ? 0 : domain->decomp.offset[d], past = all ? n : first + domain->decomp.n[d];
        some[d] = (struct span){(first + step - 1) / step * step, past, step};
    }
    return look_at(domain, f, 0, some, KOL_ERR_INPUT);
}

/* The global cell of a sample. */
static void cell_of(const struct domain *domain, int sample, int cell[3])
{
    const int at[3] = {sample % SAMPLES, sample / SAMPLES % SAMPLES, sample / (SAMPLES * SAMPLES)};
    for (int d = 0; d < 3; ++d) cell[d] = (int)((long long)at[d] * domain->decomp.n_g[d] / SAMPLES);
}

/* Finds the samples in bodies, all of whose faces are closed. They depend on the input alone, so that steps
 * have the same length after a restart: where a body travels or vanishes, none are left out. */
static kol_status find_closed(const struct domain *domain, struct formula_force *f)
{
    const int *first = domain->decomp.offset, *n = domain->decomp.n;
    const struct box b = domain->grid.box;
    const unsigned char *open = NULL;
    unsigned char *copy = NULL;
    if (domain->grid.open == NULL || memory_counts(domain->memory)) return KOL_OK;
    if (bodies_any_travels(domain->in) || isfinite(bodies_next_removal(domain->in, -1))) return KOL_OK;
    kol_status st = comm_agree(&domain->comm, host_mask(domain, &open, &copy));
    for (int s = 0; s < ALL_SAMPLES && st == KOL_OK; ++s) {
        int c[3], own = 1;
        cell_of(domain, s, c);
        for (int d = 0; d < 3; ++d) own &= (c[d] -= first[d]) >= 0 && c[d] < n[d];
        f->closed[s] = own && open[at(b, c[X], c[Y], c[Z])] == 0;
    }
    free(copy);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "host_mask");
    MPI_TRY(
        MPI_Allreduce(MPI_IN_PLACE, f->closed, ALL_SAMPLES, MPI_UNSIGNED_CHAR, MPI_MAX, domain->comm.mpi));
    return KOL_OK;
}

kol_status formula_force_create(const struct domain *domain, struct formula_force **out)
{
    *out = NULL;
    if (!drive_by_formula(domain->in)) return KOL_OK;
    struct formula_force *f = *out = calloc(1, sizeof *f);
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the force by formulas");
    for (int d = 0; d < 3; ++d) f->field.variable[FORMULA_LX + d] = domain->grid.length[d];
    f->field.variable[FORMULA_NU] = domain->in->fluid.nu;
    for (int d = 0; d < 3; ++d)
        f->field.first[d] = !domain->grid.periodic[d] && domain->decomp.offset[d] == 0;
    f->known = -1;
    TRY(compile(domain->in, f));
    TRY(memory_agree(domain->memory, &domain->comm, check_start(domain, f)));
    TRY(find_closed(domain, f));
    TRY(put_steps(domain, f));
    return put_places(domain, f);
}

void formula_force_destroy(struct formula_force **f)
{
    if (*f == NULL) return;
    mem_kernel_free((*f)->steps);
    mem_kernel_free((*f)->places);
    free(*f);
    *f = NULL;
}

/* The force at time t, on the faces that are open now. */
static struct formula_field field_at(const struct flow *flow, double t)
{
    struct formula_field field = flow->force.formula->field;
    field.variable[FORMULA_T] = t;
    field.open = flow->domain->grid.open;
    return field;
}

/* Adds to the impulse what stage m means for the velocity at the end of the step: the part of a face that
 * closes later is in the momentum that it takes (body_force.h). */
static kol_status add_impulse(const struct flow *flow, const struct formula_field *field,
                              const struct rk3_scheme *rk, int m)
{
    const struct domain *domain = flow->domain;
    struct formula_force *f = flow->force.formula;
    const int interval = domain->in->output.bodies_interval;
    const long long step = flow->clock.step + 1;
    const double weight = rk3_stage_weight(rk, m) * flow->clock.dt;
    double sum[3];
    if (!bodies_any(domain->in) || interval == 0 || step % interval != 0) return KOL_OK;
    for (int d = 0; d < 3 && m == 0; ++d) f->impulse[d] = 0;
    f->known = step;
    if (weight == 0) return KOL_OK;
    TRY(formula_force_total(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction), field));
    TRY(reduction_finish(domain->reduction, 3, 0, sum));
    for (int d = 0; d < 3; ++d) f->impulse[d] += weight * sum[d];
    return KOL_OK;
}

kol_status formula_force_add(const struct flow *flow, const struct rk3_scheme *rk, int m, real *const vel[3],
                             real *const old[3])
{
    const double dt = flow->clock.dt;
    if (flow->force.formula == NULL || pool_counts(flow->domain->pool)) return KOL_OK;
    const struct formula_field field = field_at(flow, flow->clock.t + rk3_stage_end(rk, m - 1) * dt);
    TRY(add_impulse(flow, &field, rk, m));
    return formula_force_apply(flow->domain->grid.box, &field, (real)(rk->stage[m].a * dt), vel, old);
}

kol_status formula_force_put(const struct flow *flow, real *const f[3])
{
    if (flow->force.formula == NULL || pool_counts(flow->domain->pool)) return KOL_OK;
    const struct formula_field field = field_at(flow, flow->clock.t);
    return formula_force_apply(flow->domain->grid.box, &field, 1, f, NULL);
}

double formula_force_mean(const struct flow *flow, int d)
{
    const struct formula_force *f = flow->force.formula;
    return f != NULL && f->known == flow->clock.step ? f->impulse[d] / flow->clock.dt : NAN;
}

kol_status formula_force_work(const struct flow *flow, double t, double *work)
{
    const struct domain *domain = flow->domain;
    *work = 0;
    if (flow->force.formula == NULL) return KOL_OK;
    const struct formula_field field = field_at(flow, t);
    TRY(formula_force_power(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction), &field,
                            flow->vel));
    TRY(reduction_finish(domain->reduction, 1, 0, work));
    *work /= domain->grid.volume;
    return KOL_OK;
}

/* Looks at all own points at time t. */
static kol_status look_at_own(const struct flow *flow, double t)
{
    const struct domain *domain = flow->domain;
    struct span own[3];
    for (int d = 0; d < 3; ++d)
        own[d] = (struct span){domain->decomp.offset[d], domain->decomp.offset[d] + domain->decomp.n[d], 1};
    return look_at(domain, flow->force.formula, t, own,
                   flow->clock.step > 0 ? KOL_ERR_NUMERICAL : KOL_ERR_INPUT);
}

kol_status formula_force_blame(const struct flow *flow, double begins)
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    kol_status st = KOL_OK;
    if (flow->force.formula == NULL) return KOL_OK;
    for (int m = 0; m < 3 && st == KOL_OK; ++m)
        st = look_at_own(flow, begins + rk3_stage_end(rk, m - 1) * flow->clock.dt);
    if (st == KOL_OK) st = look_at_own(flow, flow->clock.t);
    return comm_agree(&domain->comm, st);
}

double formula_force_push(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct formula_force *f = flow->force.formula;
    double v[FORMULA_VARIABLES], most = 0;
    for (int i = 0; i < FORMULA_VARIABLES; ++i) v[i] = f->field.variable[i];
    v[FORMULA_T] = flow->clock.t;
    for (int s = 0; s < ALL_SAMPLES; ++s) {
        int cell[3];
        double sum = 0;
        if (f->closed[s]) continue;
        cell_of(domain, s, cell);
        for (int d = 0; d < 3; ++d) v[FORMULA_X + d] = domain->grid.centre[d][cell[d]];
        for (int d = 0; d < 3; ++d) sum += fabs(formula_value(&f->host[d], v));
        if (isfinite(sum)) most = fmax(most, sum);
    }
    return most;
}
