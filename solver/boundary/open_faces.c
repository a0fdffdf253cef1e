/* Advances the planes of velocity on open faces stage by stage, balances mass over them, and sums their
 * fluxes and energies. */
#include "open_faces_internal.h"
#include "math/rk3_scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"

static int has_outflow(const struct open_faces *o)
{
    for (int f = 0; f < FACES; ++f)
        if (o->side[f].outflow) return 1;
    return 0;
}

static int has_planes(const struct open_faces *o)
{
    for (int f = 0; f < FACES; ++f)
        if (o->side[f].inflow && inflow_planefile(o->inflow, f) != NULL) return 1;
    return 0;
}

size_t open_plane_size(const struct domain *domain, int face)
{
    return 3 * (size_t)plane_values(domain->grid.box, face / 2);
}

/* --- memory --- */

/* An upper bound of the values in a plane of any face of a box with these cells. */
static size_t most_values(const int n[3])
{
    size_t most = 0;
    for (int d = 0; d < 3; ++d) {
        const size_t values = 3 * (size_t)(n[d] + 2) * (size_t)(n[(d + 1) % 3] + 2);
        most = values > most ? values : most;
    }
    return most;
}

/* Number of pieces of rows of all faces of a box that may be open. */
static size_t most_rows(const struct decomp *d)
{
    size_t rows = 0;
    for (int f = 0; f < FACES; ++f)
        rows += (size_t)d->n[f / 2 == Z ? Y : Z] * (size_t)d->blocks[f / 2 == X ? Y : X];
    return rows * OPEN_COUNT;
}

/* Number of blocks of all faces: places for the partial sums of one quantity. */
static size_t most_parts(const struct decomp *d)
{
    size_t most = 0;
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < b; ++a) {
            const size_t parts = (size_t)d->blocks_g[b] * (size_t)d->blocks_g[a];
            most = parts > most ? parts : most;
        }
    return most;
}

static kol_status zeroed(struct memory *memory, size_t values, real **out)
{
    TRY(memory_kernel(memory, values * sizeof(real), (void **)out));
    return memory_counts(memory) ? KOL_OK : mem_fill_real(*out, (ptrdiff_t)values, 0);
}

static kol_status side_create(const struct domain *domain, struct walls *walls, int face,
                              struct open_faces_side *s)
{
    struct memory *memory = domain->memory;
    const int dir = face / 2;
    const double *length = domain->grid.length;
    s->open = face_is_open(domain->in, face);
    s->inflow = face_is_inflow(domain->in, face);
    s->outflow = face_is_outflow(domain->in, face);
    if (!s->open) return KOL_OK;
    s->here = (int)(domain->walls.open >> face & 1u);
    s->area = length[(dir + 1) % 3] * length[(dir + 2) % 3];
    if (!s->here) return KOL_OK;
    const size_t n = open_plane_size(domain, face);
    TRY(zeroed(memory, n, &s->now));
    TRY(zeroed(memory, n, &s->start));
    TRY(zeroed(memory, n, &s->impulse));
    if (s->inflow) TRY(zeroed(memory, n, &s->steady));
    if (s->outflow) {
        TRY(zeroed(memory, n, &s->old));
        TRY(memory_host(memory, n * sizeof(real), (void **)&s->packed));
    }
    walls->plane[face] = s->now;
    return KOL_OK;
}

static kol_status allocate(const struct domain *domain, struct walls *walls, struct open_faces *o)
{
    const size_t rows = most_rows(&domain->decomp) * sizeof(double),
                 parts = most_parts(&domain->decomp) * FACES * OPEN_COUNT * sizeof(double);
    if (o == NULL) RAISE(KOL_ERR_MEMORY, "no memory for open faces");
    for (int f = 0; f < FACES; ++f) TRY(side_create(domain, walls, f, &o->side[f]));
    TRY(memory_kernel(domain->memory, rows, (void **)&o->rows));
    TRY(memory_host(domain->memory, rows, (void **)&o->h_rows));
    TRY(memory_host(domain->memory, parts, (void **)&o->parts));
    return memory_host(domain->memory, most_values(domain->decomp.n) * sizeof(real), (void **)&o->h_plane);
}

/* Creates what inflows need in addition to the planes of all open faces. */
static kol_status inflows_create(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!s->inflow || !s->here) continue;
        if (face_has_inflow_planes(domain->in, f))
            TRY(inflow_planes_create(domain, o->inflow, f, &s->planes));
        if (face_has_turbulent_inflow(domain->in, f))
            TRY(inflow_turbulence_create(domain->memory, domain->in, o->inflow, &domain->decomp, f,
                                         &s->turbulence));
    }
    return KOL_OK;
}

/* Fills the planes `steady`: the velocity of inflows without turbulence. */
static kol_status fill_steady(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    const int *n = domain->decomp.n;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!s->inflow || !s->here) continue;
        for (int c = 0; c < 3; ++c)
            for (int j = -1; j <= n[f / 2 == Z ? Y : Z]; ++j)
                for (int i = -1; i <= n[f / 2 == X ? Y : X]; ++i)
                    o->h_plane[plane_at(domain->grid.box, f / 2, c, i, j)] =
                        (real)inflow_steady(o->inflow, &domain->decomp, f, c, i, j);
        TRY(mem_to_kernel(s->steady, o->h_plane, open_plane_size(domain, f) * sizeof(real)));
    }
    return KOL_OK;
}

kol_status open_faces_create(struct flow *flow, struct walls *walls)
{
    const struct domain *domain = flow->domain;
    if (!faces_any_open(domain->in)) return KOL_OK;
    struct open_faces *o = flow->open = calloc(1, sizeof *o);
    TRY(memory_agree(domain->memory, &domain->comm, allocate(domain, walls, o)));
    if (memory_counts(domain->memory)) return inflows_create(flow);
    TRY(inflow_create(&domain->comm, domain->in, domain->source, &domain->grid, &o->inflow));
    TRY(comm_agree(&domain->comm, fill_steady(flow)));
    TRY(comm_agree(&domain->comm, inflows_create(flow)));
    for (int c = 0; c < 3; ++c) flow->inflow_speed[c] = inflow_speed(o->inflow, c);
    for (int f = 0; f < FACES; ++f) flow->inflow_mean[f] = inflow_mean(o->inflow, f);
    return KOL_OK;
}

void open_faces_destroy(struct open_faces **open)
{
    struct open_faces *o = *open;
    if (o == NULL) return;
    for (int f = 0; f < FACES; ++f) {
        mem_kernel_free(o->side[f].now);
        mem_kernel_free(o->side[f].start);
        mem_kernel_free(o->side[f].old);
        mem_kernel_free(o->side[f].steady);
        mem_kernel_free(o->side[f].impulse);
        inflow_turbulence_destroy(&o->side[f].turbulence);
        inflow_planes_destroy(&o->side[f].planes);
        mem_host_free(o->side[f].packed);
    }
    inflow_destroy(&o->inflow);
    mem_kernel_free(o->rows);
    mem_host_free(o->h_rows);
    mem_host_free(o->parts);
    mem_host_free(o->h_plane);
    free(o);
    *open = NULL;
}

/* --- sums over faces --- */

/* share: the two directions along a face, and how many pieces of its rows this rank has. */
struct share {
    int a, b;
    ptrdiff_t pieces;
};

static struct share share_of(const struct decomp *d, int face)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    return (struct share){a, b, (ptrdiff_t)d->n[b] * d->blocks[a]};
}

/* Sums pieces of rows on all open faces that this rank touches, one face after another, so that the host
 * waits only once. */
static kol_status row_sums(struct flow *flow, int count, real *const *vel)
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    const double *turn = domain->in->forcing.rotation;
    ptrdiff_t used = 0;
    for (int f = 0; f < FACES; ++f) {
        const struct open_faces_side *s = &o->side[f];
        if (!s->here) continue;
        const struct open_look look = {s->now,
                                       s->start,
                                       s->impulse,
                                       {(real)(2 * turn[X]), (real)(2 * turn[Y]), (real)(2 * turn[Z])},
                                       vel};
        TRY(open_sums(domain->grid.box, domain->grid.m, domain->walls, reduction_blocks(domain->reduction), f,
                      count, look, o->rows + used));
        used += count * share_of(&domain->decomp, f).pieces;
    }
    return used > 0 ? mem_to_host(o->h_rows, o->rows, (size_t)used * sizeof(double)) : KOL_OK;
}

/* Adds up this rank's blocks of a face from its pieces of rows, and puts the sums at their places among the
 * blocks of the whole face. */
static void put_parts(const struct decomp *d, int face, int count, const double *rows, double *parts)
{
    const struct share s = share_of(d, face);
    const int a = s.a, b = s.b, blocks = d->blocks[a];
    const ptrdiff_t all = (ptrdiff_t)d->blocks_g[a] * d->blocks_g[b];
    for (int q = 0; q < count; ++q)
        for (int bj = 0; bj < d->blocks[b]; ++bj) {
            const int from = decomp_block_start(d, b, d->first_block[b] + bj) - d->offset[b],
                      to = decomp_block_start(d, b, d->first_block[b] + bj + 1) - d->offset[b];
            for (int bi = 0; bi < blocks; ++bi) {
                double sum = 0;
                for (int j = from; j < to; ++j) {
                    const double row = rows[q * s.pieces + (ptrdiff_t)j * blocks + bi];
                    sum = q == OPEN_SPEED ? fmax(sum, row) : sum + row;
                }
                parts[q * all + (ptrdiff_t)(d->first_block[b] + bj) * d->blocks_g[a] + d->first_block[a] +
                      bi] = sum;
            }
        }
}

/* The first `count` sums of open_sums over each open face. Blocks of the whole face are added in a fixed
 * order, so the result does not depend on the ranks. */
static kol_status face_sums(struct flow *flow, int count, real *const *vel, double sum[FACES][OPEN_COUNT])
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    const struct decomp *d = &domain->decomp;
    const double *rows = o->h_rows;
    size_t used = 0;
    TRY(row_sums(flow, count, vel));
    memset(o->parts, 0, most_parts(d) * FACES * (size_t)count * sizeof(double));
    for (int f = 0; f < FACES; ++f) {
        const struct share s = share_of(d, f);
        if (!o->side[f].open) continue;
        if (o->side[f].here) {
            put_parts(d, f, count, rows, o->parts + used);
            rows += count * s.pieces;
        }
        used += (size_t)count * (size_t)d->blocks_g[s.a] * (size_t)d->blocks_g[s.b];
    }
    if (domain->comm.size > 1) /* each place is non-zero on one rank only */
        MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, o->parts, (int)used, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    const double *part = o->parts;
    for (int f = 0; f < FACES; ++f) {
        const struct share s = share_of(d, f);
        if (!o->side[f].open) continue;
        const int places = d->blocks_g[s.a] * d->blocks_g[s.b];
        for (int q = 0; q < count; ++q) {
            sum[f][q] = 0;
            for (int n = 0; n < places; ++n, ++part)
                sum[f][q] = q == OPEN_SPEED ? fmax(sum[f][q], *part) : sum[f][q] + *part;
        }
    }
    return KOL_OK;
}

/* --- balance --- */

static void add_fluxes(struct open_faces *o)
{
    o->in = o->out = 0;
    for (int f = 0; f < FACES; ++f) {
        if (o->side[f].inflow) o->in -= o->side[f].flux;
        if (o->side[f].outflow) o->out += o->side[f].flux;
    }
}

/* Makes the outflows take as much as the inflows bring: it adds the same velocity everywhere on them. */
static kol_status shift_outflows(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    double area = 0;
    for (int f = 0; f < FACES; ++f)
        if (o->side[f].outflow) area += o->side[f].area;
    const double shift = (o->in - o->out) / area;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!s->outflow) continue;
        if (s->here) TRY(open_shift(domain->grid.box, f, (real)shift, s->now));
        s->flux += shift * s->area;
    }
    o->out = o->in;
    return KOL_OK;
}

/* Makes the flux out of the box equal to the flux into it, to rounding. If there are no outflows,
 * inflow_create has already made the inflows balance. */
kol_status open_balance(struct flow *flow)
{
    struct open_faces *o = flow->open;
    double sum[FACES][OPEN_COUNT];
    if (!has_outflow(o)) return KOL_OK;
    TRY(face_sums(flow, 1, NULL, sum));
    for (int f = 0; f < FACES; ++f)
        if (o->side[f].open) o->side[f].flux = sum[f][OPEN_FLUX];
    add_fluxes(o);
    if (o->in < 0 && has_planes(o))
        RAISE(KOL_ERR_INPUT,
              "error: at t = %.6g the planes of inflows take %.6g out of the box, but outflows let nothing "
              "in: reverse their velocity",
              flow->clock.t, -o->in);
    return shift_outflows(flow);
}

/* --- planes --- */

kol_status open_fill_inflows(struct flow *flow, double t, int all)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    TRY(inflow_ready(flow->open->inflow, t));
    for (int f = 0; f < FACES; ++f) {
        const struct open_faces_side *s = &flow->open->side[f];
        if (!s->inflow || !s->here) continue;
        if (s->planes != NULL) {
            TRY(inflow_planes_fill(s->planes, t, s->now, domain->scalar_plane[f]));
        } else if (s->turbulence != NULL) {
            TRY(inflow_turbulence_fill(s->turbulence, b, t, s->steady, s->now));
        } else if (all) {
            TRY(open_mix((ptrdiff_t)open_plane_size(domain, f), 1, s->steady, 0, NULL, s->now));
        }
    }
    return KOL_OK;
}

kol_status open_fill_outflows(struct flow *flow, unsigned but)
{
    const struct domain *domain = flow->domain;
    TRY(halo_fill(domain->halo, flow->vel, 3, HALO_EDGES));
    for (int f = 0; f < FACES; ++f) {
        const struct open_faces_side *s = &flow->open->side[f];
        if (s->outflow && s->here && !(but >> f & 1u))
            TRY(open_fill(domain->grid.box, domain->walls, f, flow->vel, s->now));
    }
    return KOL_OK;
}

kol_status open_faces_begin(struct flow *flow)
{
    if (flow->open == NULL) return KOL_OK;
    TRY(open_fill_inflows(flow, flow->clock.t, 1));
    TRY(open_fill_outflows(flow, 0));
    return open_balance(flow);
}

/* --- a stage --- */

/* Time at which stage m ends. */
static double stage_end(const struct flow *flow, int m)
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    double part = 0;
    for (int n = rk->from_start ? m : 0; n <= m; ++n) part += rk->stage[n].c;
    return flow->clock.t + part * flow->clock.dt;
}

static kol_status convect(struct flow *flow, int face, int m)
{
    const struct domain *domain = flow->domain;
    struct open_faces_side *s = &flow->open->side[face];
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const struct rk3_stage stage = rk->stage[m];
    const double dt = flow->clock.dt, given = domain->in->boundary.outflow_velocity,
                 speed = given > 0 ? given : fmax(s->flux / s->area, 0);
    return open_convect(domain->grid.box, domain->grid.m, domain->walls, face,
                        (struct open_stage){(real)speed, (real)(stage.a * dt), (real)(stage.a_old * dt)},
                        flow->vel, rk->from_start ? s->start : s->now, rk->from_start ? NULL : s->old,
                        s->now);
}

kol_status open_faces_stage(struct flow *flow, int m)
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    if (o == NULL) return KOL_OK;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!s->here) continue;
        if (m == 0) TRY(open_mix((ptrdiff_t)open_plane_size(domain, f), 1, s->now, 0, NULL, s->start));
        if (s->outflow) TRY(convect(flow, f, m));
    }
    TRY(open_fill_inflows(flow, stage_end(flow, m), 0));
    return open_balance(flow);
}

kol_status open_faces_pressure(struct flow *flow, int m)
{
    const struct domain *domain = flow->domain;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    if (flow->open == NULL || pool_counts(domain->pool)) return KOL_OK;
    for (int f = 0; f < FACES; ++f)
        if (flow->open->side[f].here)
            TRY(open_impulse(domain->grid.box, f, rk->from_start || m == 0 ? 0 : 1, (real)rk->stage[m].c,
                             flow->pressure.p, flow->open->side[f].impulse));
    return KOL_OK;
}

kol_status open_faces_look_at(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct open_faces *o = flow->open;
    double sum[FACES][OPEN_COUNT];
    if (o == NULL) return KOL_OK;
    TRY(face_sums(flow, OPEN_COUNT, flow->vel, sum));
    o->kinetic_before = o->kinetic;
    o->kinetic = o->convection = o->pressure_work = o->speed = 0;
    for (int f = 0; f < FACES; ++f) {
        if (!o->side[f].open) continue;
        o->side[f].flux = sum[f][OPEN_FLUX];
        o->kinetic += sum[f][OPEN_KINETIC] / domain->grid.volume;
        o->convection -= sum[f][OPEN_ENERGY] / domain->grid.volume;
        o->pressure_work += sum[f][OPEN_WORK] / domain->grid.volume;
        o->speed = fmax(o->speed, sum[f][OPEN_SPEED]);
    }
    add_fluxes(o);
    return KOL_OK;
}

double open_faces_work(const struct flow *flow)
{
    const struct open_faces *o = flow->open;
    return flow->clock.step > 0 && flow->clock.dt > 0
               ? o->pressure_work + (o->kinetic - o->kinetic_before) / flow->clock.dt
               : 0;
}

double open_faces_speed(const struct flow *flow)
{
    return flow->open != NULL ? flow->open->speed : 0;
}

double open_faces_along(const struct flow *flow, int c)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    const int outflow = face_is_outflow(in, 2 * c) || face_is_outflow(in, 2 * c + 1);
    return fmax(flow->inflow_speed[c], outflow ? in->boundary.outflow_velocity : 0);
}

double open_faces_courant(const struct domain *domain)
{
    double most = 0;
    for (int f = 0; f < FACES; ++f) {
        const int n = domain->grid.n_g[f / 2];
        if (face_is_outflow(domain->in, f))
            most = fmax(most, domain->in->boundary.outflow_velocity /
                                  grid_width(&domain->grid, f / 2, f % 2 ? n - 1 : 0));
    }
    return most;
}
