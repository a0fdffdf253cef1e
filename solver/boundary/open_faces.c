#include "open_faces_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "step/rk3.h"

int open_faces_is(const struct input *in, int face)
{
    const int kind = in->boundary.face[face];
    return kind == BOUNDARY_INFLOW || kind == BOUNDARY_OUTFLOW;
}

static int is_inflow(const struct open_faces_side *s)
{
    return s->kind == BOUNDARY_INFLOW;
}

static int is_outflow(const struct open_faces_side *s)
{
    return s->kind == BOUNDARY_OUTFLOW;
}

int open_has_outflow(const struct open_faces *o)
{
    for (int f = 0; f < FACES; ++f)
        if (is_outflow(&o->side[f])) return 1;
    return 0;
}

static int has_planes(const struct open_faces *o)
{
    for (int f = 0; f < FACES; ++f)
        if (is_inflow(&o->side[f]) && inflow_planefile(o->inflow, f) != NULL) return 1;
    return 0;
}

size_t open_plane_size(const struct run *run, int face)
{
    return 3 * (size_t)plane_values(run->grid.box, face / 2);
}

/* --- memory --- */

/* Values of a plane of any face of a box of these cells: a bound. */
static size_t most_values(const int n[3])
{
    size_t most = 0;
    for (int d = 0; d < 3; ++d) {
        const size_t values = 3 * (size_t)(n[d] + 2) * (size_t)(n[(d + 1) % 3] + 2);
        most = values > most ? values : most;
    }
    return most;
}

/* Pieces of rows of all faces of a box that may be open. */
static size_t most_rows(const struct decomp *d)
{
    size_t rows = 0;
    for (int f = 0; f < FACES; ++f)
        rows += (size_t)d->n[f / 2 == Z ? Y : Z] * (size_t)d->blocks[f / 2 == X ? Y : X];
    return rows * OPEN_COUNT;
}

/* Sums of blocks of a face: places of all of them, for one quantity. */
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

double open_faces_bytes(const struct input *in, const struct decomp *d)
{
    double values = 0, rows = 0, waves = 0;
    for (int f = 0; f < FACES; ++f) {
        const int dir = f / 2;
        if (!open_faces_is(in, f)) continue;
        rows = (double)most_rows(d);
        if (d->coord[dir] != (f % 2 ? d->ranks[dir] - 1 : 0)) continue;
        values += 4 * 3.0 * (d->n[(dir + 1) % 3] + 2) * (d->n[(dir + 2) % 3] + 2);
        waves += inflow_turbulence_bytes(in, d, f) + inflow_planes_bytes(in, d, f);
    }
    return values * (double)sizeof(real) + rows * (double)sizeof(double) + waves;
}

static kol_status zeroed(size_t values, real **out)
{
    TRY(mem_kernel_alloc(values * sizeof(real), (void **)out));
    return mem_fill_real(*out, (ptrdiff_t)values, 0);
}

static kol_status side_create(struct run *run, int face, struct open_faces_side *s)
{
    const int dir = face / 2;
    const double *length = run->grid.length;
    if (!open_faces_is(&run->in, face)) return KOL_OK;
    s->kind = run->in.boundary.face[face];
    s->here = (int)(run->walls.open >> face & 1u);
    s->area = length[(dir + 1) % 3] * length[(dir + 2) % 3];
    if (!s->here) return KOL_OK;
    const size_t n = open_plane_size(run, face);
    TRY(zeroed(n, &s->now));
    TRY(zeroed(n, &s->start));
    TRY(zeroed(n, &s->impulse));
    if (is_inflow(s)) TRY(zeroed(n, &s->steady));
    if (is_outflow(s)) {
        TRY(zeroed(n, &s->old));
        TRY(mem_host_alloc(n * sizeof(real), (void **)&s->packed));
    }
    run->walls.plane[face] = s->now;
    return KOL_OK;
}

static kol_status allocate(struct run *run, struct open_faces *o)
{
    const size_t rows = most_rows(&run->decomp) * sizeof(double),
                 parts = most_parts(&run->decomp) * FACES * OPEN_COUNT * sizeof(double);
    if (o == NULL) RAISE(KOL_ERR_MEMORY, "no memory for open faces");
    for (int f = 0; f < FACES; ++f) TRY(side_create(run, f, &o->side[f]));
    TRY(mem_kernel_alloc(rows, (void **)&o->rows));
    TRY(mem_host_alloc(rows, (void **)&o->h_rows));
    TRY(mem_host_alloc(parts, (void **)&o->parts));
    return mem_host_alloc(most_values(run->decomp.n) * sizeof(real), (void **)&o->h_plane);
}

/* What inflows bring without turbulence, and the tables of that. */
static kol_status fill_steady(struct run *run)
{
    struct open_faces *o = run->open;
    const int *n = run->decomp.n;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!is_inflow(s) || !s->here) continue;
        for (int c = 0; c < 3; ++c)
            for (int j = -1; j <= n[f / 2 == Z ? Y : Z]; ++j)
                for (int i = -1; i <= n[f / 2 == X ? Y : X]; ++i)
                    o->h_plane[plane_at(run->grid.box, f / 2, c, i, j)] =
                        (real)inflow_steady(o->inflow, &run->decomp, f, c, i, j);
        TRY(mem_to_kernel(s->steady, o->h_plane, open_plane_size(run, f) * sizeof(real)));
        if (inflow_from_planes(&run->in, f))
            TRY(inflow_planes_create(o->inflow, &run->decomp, run->grid.box, f, &s->planes));
        if (inflow_turbulent(&run->in, f))
            TRY(inflow_turbulence_create(o->inflow, &run->decomp, f, &s->turbulence));
    }
    return KOL_OK;
}

kol_status open_faces_create(struct run *run)
{
    int any = 0;
    for (int f = 0; f < FACES; ++f) any |= open_faces_is(&run->in, f);
    if (!any) return KOL_OK;
    struct open_faces *o = run->open = calloc(1, sizeof *o);
    TRY(comm_agree(&run->comm, allocate(run, o)));
    TRY(inflow_create(&run->comm, &run->in, &run->source, &run->grid, &o->inflow));
    TRY(comm_agree(&run->comm, fill_steady(run)));
    for (int c = 0; c < 3; ++c) run->inflow_speed[c] = inflow_speed(o->inflow, c);
    for (int f = 0; f < FACES; ++f) run->inflow_mean[f] = inflow_mean(o->inflow, f);
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

/* Directions along a face, and the pieces of rows that this rank has of it. */
struct share {
    int a, b;
    ptrdiff_t pieces;
};

static struct share share_of(const struct decomp *d, int face)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    return (struct share){a, b, (ptrdiff_t)d->n[b] * d->blocks[a]};
}

/* The sums of pieces of rows of all open faces that this rank touches, one face after another: one wait for
 * all. */
static kol_status row_sums(struct run *run, int count, real *const *vel)
{
    struct open_faces *o = run->open;
    const double *turn = run->in.forcing.rotation;
    ptrdiff_t used = 0;
    for (int f = 0; f < FACES; ++f) {
        const struct open_faces_side *s = &o->side[f];
        if (!s->here) continue;
        const struct open_look look = {s->now,
                                       s->start,
                                       s->impulse,
                                       {(real)(2 * turn[X]), (real)(2 * turn[Y]), (real)(2 * turn[Z])},
                                       vel};
        TRY(open_sums(run->grid.box, run->grid.m, run->walls, reduction_blocks(run->reduction), f, count,
                      look, o->rows + used));
        used += count * share_of(&run->decomp, f).pieces;
    }
    return used > 0 ? mem_to_host(o->h_rows, o->rows, (size_t)used * sizeof(double)) : KOL_OK;
}

/* The sums of this rank's blocks of a face from those of its rows, in their places among those of the whole
 * face. */
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

/* The first `count` sums of open_sums over each open face: blocks of the whole face in order, whatever the
 * ranks. */
static kol_status face_sums(struct run *run, int count, real *const *vel, double sum[FACES][OPEN_COUNT])
{
    struct open_faces *o = run->open;
    const struct decomp *d = &run->decomp;
    const double *rows = o->h_rows;
    size_t used = 0;
    TRY(row_sums(run, count, vel));
    memset(o->parts, 0, most_parts(d) * FACES * (size_t)count * sizeof(double));
    for (int f = 0; f < FACES; ++f) {
        const struct share s = share_of(d, f);
        if (o->side[f].kind == BOUNDARY_PERIODIC) continue;
        if (o->side[f].here) {
            put_parts(d, f, count, rows, o->parts + used);
            rows += count * s.pieces;
        }
        used += (size_t)count * (size_t)d->blocks_g[s.a] * (size_t)d->blocks_g[s.b];
    }
    if (run->comm.size > 1) /* each place is non-zero on one rank only */
        MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, o->parts, (int)used, MPI_DOUBLE, MPI_SUM, run->comm.mpi));
    const double *part = o->parts;
    for (int f = 0; f < FACES; ++f) {
        const struct share s = share_of(d, f);
        if (o->side[f].kind == BOUNDARY_PERIODIC) continue;
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
        if (is_inflow(&o->side[f])) o->in -= o->side[f].flux;
        if (is_outflow(&o->side[f])) o->out += o->side[f].flux;
    }
}

/* Outflows take what they lack, the same velocity everywhere. */
static kol_status shift_outflows(struct run *run)
{
    struct open_faces *o = run->open;
    double area = 0;
    for (int f = 0; f < FACES; ++f)
        if (is_outflow(&o->side[f])) area += o->side[f].area;
    const double shift = (o->in - o->out) / area;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!is_outflow(s)) continue;
        if (s->here) TRY(open_shift(run->grid.box, f, (real)shift, s->now));
        s->flux += shift * s->area;
    }
    o->out = o->in;
    return KOL_OK;
}

/* What flows in flows out, to rounding; without outflows inflow_create has seen to it. */
kol_status open_balance(struct run *run)
{
    struct open_faces *o = run->open;
    double sum[FACES][OPEN_COUNT];
    if (!open_has_outflow(o)) return KOL_OK;
    TRY(face_sums(run, 1, NULL, sum));
    for (int f = 0; f < FACES; ++f)
        if (o->side[f].kind != BOUNDARY_PERIODIC) o->side[f].flux = sum[f][OPEN_FLUX];
    add_fluxes(o);
    if (o->in < 0 && has_planes(o))
        RAISE(
            KOL_ERR_INPUT,
            "error: at t = %.6g the planes of inflows take %.6g out of the box, and outflows let nothing in: "
            "turn their velocity round",
            run->clock.t, -o->in);
    return shift_outflows(run);
}

/* --- planes --- */

kol_status open_fill_inflows(struct run *run, double t, int all)
{
    const struct box b = run->grid.box;
    TRY(inflow_ready(run->open->inflow, t));
    for (int f = 0; f < FACES; ++f) {
        const struct open_faces_side *s = &run->open->side[f];
        if (!is_inflow(s) || !s->here) continue;
        if (s->planes != NULL) {
            TRY(inflow_planes_fill(s->planes, t, s->now));
        } else if (s->turbulence != NULL) {
            TRY(inflow_turbulence_fill(s->turbulence, b, t, s->steady, s->now));
        } else if (all) {
            TRY(open_mix((ptrdiff_t)open_plane_size(run, f), 1, s->steady, 0, NULL, s->now));
        }
    }
    return KOL_OK;
}

kol_status open_fill_outflows(struct run *run, unsigned but)
{
    TRY(halo_fill(run->halo, run->vel, 3, HALO_EDGES));
    for (int f = 0; f < FACES; ++f) {
        const struct open_faces_side *s = &run->open->side[f];
        if (is_outflow(s) && s->here && !(but >> f & 1u))
            TRY(open_fill(run->grid.box, run->walls, f, run->vel, s->now));
    }
    return KOL_OK;
}

kol_status open_faces_begin(struct run *run)
{
    if (run->open == NULL) return KOL_OK;
    TRY(open_fill_inflows(run, run->clock.t, 1));
    TRY(open_fill_outflows(run, 0));
    return open_balance(run);
}

/* --- a stage --- */

/* Time at the end of stage m. */
static double stage_end(const struct run *run, int m)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    double part = 0;
    for (int n = rk->from_start ? m : 0; n <= m; ++n) part += rk->stage[n].c;
    return run->clock.t + part * run->clock.dt;
}

static kol_status convect(struct run *run, int face, int m)
{
    struct open_faces_side *s = &run->open->side[face];
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    const struct rk3_stage stage = rk->stage[m];
    const double dt = run->clock.dt, given = run->in.boundary.outflow_velocity,
                 speed = given > 0 ? given : fmax(s->flux / s->area, 0);
    return open_convect(run->grid.box, run->grid.m, run->walls, face,
                        (struct open_stage){(real)speed, (real)(stage.a * dt), (real)(stage.a_old * dt)},
                        run->vel, rk->from_start ? s->start : s->now, rk->from_start ? NULL : s->old, s->now);
}

kol_status open_faces_stage(struct run *run, int m)
{
    struct open_faces *o = run->open;
    if (o == NULL) return KOL_OK;
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &o->side[f];
        if (!s->here) continue;
        if (m == 0) TRY(open_mix((ptrdiff_t)open_plane_size(run, f), 1, s->now, 0, NULL, s->start));
        if (is_outflow(s)) TRY(convect(run, f, m));
    }
    TRY(open_fill_inflows(run, stage_end(run, m), 0));
    return open_balance(run);
}

kol_status open_faces_pressure(struct run *run, int m)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    for (int f = 0; run->open != NULL && f < FACES; ++f)
        if (run->open->side[f].here)
            TRY(open_impulse(run->grid.box, f, rk->from_start || m == 0 ? 0 : 1, (real)rk->stage[m].c,
                             run->pressure.p, run->open->side[f].impulse));
    return KOL_OK;
}

kol_status open_faces_look_at(struct run *run)
{
    struct open_faces *o = run->open;
    double sum[FACES][OPEN_COUNT];
    if (o == NULL) return KOL_OK;
    TRY(face_sums(run, OPEN_COUNT, run->vel, sum));
    o->kinetic_before = o->kinetic;
    o->kinetic = o->convection = o->pressure_work = o->speed = 0;
    for (int f = 0; f < FACES; ++f) {
        if (o->side[f].kind == BOUNDARY_PERIODIC) continue;
        o->side[f].flux = sum[f][OPEN_FLUX];
        o->kinetic += sum[f][OPEN_KINETIC] / run->grid.volume;
        o->convection -= sum[f][OPEN_ENERGY] / run->grid.volume;
        o->pressure_work += sum[f][OPEN_WORK] / run->grid.volume;
        o->speed = fmax(o->speed, sum[f][OPEN_SPEED]);
    }
    add_fluxes(o);
    return KOL_OK;
}

double open_faces_work(const struct run *run)
{
    const struct open_faces *o = run->open;
    return run->clock.step > 0 && run->clock.dt > 0
               ? o->pressure_work + (o->kinetic - o->kinetic_before) / run->clock.dt
               : 0;
}

double open_faces_speed(const struct run *run)
{
    return run->open != NULL ? run->open->speed : 0;
}

double open_faces_along(const struct run *run, int c)
{
    const struct input *in = &run->in;
    const int outflow =
        in->boundary.face[2 * c] == BOUNDARY_OUTFLOW || in->boundary.face[2 * c + 1] == BOUNDARY_OUTFLOW;
    return fmax(run->inflow_speed[c], outflow ? in->boundary.outflow_velocity : 0);
}

double open_faces_courant(const struct run *run)
{
    double most = 0;
    for (int f = 0; f < FACES; ++f) {
        const int n = run->grid.n_g[f / 2];
        if (run->in.boundary.face[f] == BOUNDARY_OUTFLOW)
            most = fmax(most,
                        run->in.boundary.outflow_velocity / grid_width(&run->grid, f / 2, f % 2 ? n - 1 : 0));
    }
    return most;
}
