/* Interpolates a flow from a checkpoint of another grid. This is done for one direction after the other.
 * Slabs of planes have complete lines along x and y. Then the distribution over the ranks is changed to slabs
 * of rows, which have complete lines along z. */
#include "regrid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "io/checkpoint.h"
#include "control/health.h"
#include "initial/initial.h"
#include "scalars/scalar_initial.h"
#include "math/interpolate_line.h"
#include "boundary/open_faces.h"
#include "parallel/remap_host.h"

/* transfer: how one field gets from the file's grid to the grid of this run. */
struct transfer {
    const struct domain *domain;

    struct checkpoint *file;
    int from[3], to[3]; /* cells */
    double *face[3];    /* of the file's grid */
    int bytes;          /* of a value in the file */
    struct interpolate_line points[3], averages[3];
    double *high[3]; /* velocity through the upper face of each direction, on this run's grid, where it is
                        open; else NULL */
};

/* --- distributions --- */

/* Divides n things over all ranks, in order. */
static void cut(int n, int rank, int ranks, int *lo, int *hi)
{
    *lo = (int)((long long)n * rank / ranks);
    *hi = (int)((long long)n * (rank + 1) / ranks);
}

/* Planes of the file's grid in z; nx and ny may be those of either grid. */
static struct piece old_planes(const struct transfer *t, int rank, int nx, int ny)
{
    struct piece p = {{0, 0, 0}, {nx, ny, 0}};
    cut(t->from[Z], rank, t->domain->comm.size, &p.lo[Z], &p.hi[Z]);
    return p;
}

static struct piece planes(const void *context, int rank)
{
    const struct transfer *t = context;
    return old_planes(t, rank, t->to[X], t->to[Y]);
}

static struct piece rows_of(const struct transfer *t, int rank, int nz)
{
    struct piece p = {{0, 0, 0}, {t->to[X], 0, nz}};
    cut(t->to[Y], rank, t->domain->comm.size, &p.lo[Y], &p.hi[Y]);
    return p;
}

static struct piece old_rows(const void *context, int rank)
{
    const struct transfer *t = context;
    return rows_of(t, rank, t->from[Z]);
}

static struct piece new_rows(const void *context, int rank)
{
    const struct transfer *t = context;
    return rows_of(t, rank, t->to[Z]);
}

static struct piece solver_box(const void *context, int rank)
{
    const struct transfer *t = context;
    const struct decomp *mine = &t->domain->decomp;
    struct decomp d;
    struct piece p = {{0, 0, 0}, {0, 0, 0}};
    if (decomp_create(mine->n_g, mine->ranks, t->domain->comm.size, rank, &d) != KOL_OK)
        return p; /* it was made */
    for (int i = 0; i < 3; ++i) {
        p.lo[i] = d.offset[i];
        p.hi[i] = d.offset[i] + d.n[i];
    }
    return p;
}

/* --- one field --- */

/* Converts the floats that a file may have to doubles, in place. It begins at the end, because the doubles
 * overwrite the floats. */
static void widen(int bytes, size_t n, double *value)
{
    for (size_t i = bytes == (int)sizeof(float) ? n : 0; i-- > 0;) {
        float narrow;
        memcpy(&narrow, (char *)value + i * sizeof narrow, sizeof narrow);
        value[i] = narrow;
    }
}

/* Reads this rank's planes of an array of the file as doubles, and verifies their hash. buffer: room for
 * doubles. */
static kol_status read_planes(const struct transfer *t, struct io_view view, double *buffer)
{
    const struct piece p = old_planes(t, t->domain->comm.rank, t->from[X], t->from[Y]);
    const size_t n = piece_count(p);
    for (int d = 0; d < 3; ++d) {
        view.n_g[d] = t->from[d];
        view.offset[d] = p.lo[d];
        view.n[d] = p.hi[d] - p.lo[d];
    }
    view.bytes = t->bytes;
    view.data = buffer;
    TRY(checkpoint_get(t->file, view));
    widen(t->bytes, n, buffer);
    return KOL_OK;
}

static const struct interpolate_line *map_of(const struct transfer *t, int direction, int normal)
{
    return direction == normal ? &t->points[direction] : &t->averages[direction];
}

/* Brings a field from the file to this rank's own cells, packed in a. normal: the direction of a velocity's
 * faces; -1 for cells. */
static kol_status transfer_field(const struct transfer *t, struct io_view view, int normal, double *a,
                                 double *b)
{
    const struct comm *c = &t->domain->comm;
    const struct piece p = planes(t, c->rank), q = new_rows(t, c->rank);
    const ptrdiff_t old_planes_here = p.hi[Z] - p.lo[Z], rows_here = q.hi[Y] - q.lo[Y];
    TRY(read_planes(t, view, a));
    interpolate_line_apply(map_of(t, X, normal), 1, old_planes_here * t->from[Y], a, b);
    interpolate_line_apply(map_of(t, Y, normal), t->to[X], old_planes_here, b, a);
    TRY(remap(NULL, c, (int)sizeof *a, planes, t, a, old_rows, t, b));
    interpolate_line_apply(map_of(t, Z, normal), t->to[X] * rows_here, 1, b, a);
    TRY(remap(NULL, c, (int)sizeof *a, new_rows, t, a, solver_box, t, b));
    return KOL_OK;
}

/* --- open faces --- */

/* Adds, for the component along the lines of an open face, what the value at their far end contributes. It is
 * 0 on a wall. If the far end is open, too, the last value inside is taken. */
static void add_end(const struct transfer *t, int direction, ptrdiff_t inner, ptrdiff_t outer,
                    const double *in, double *out)
{
    const struct interpolate_line *m = &t->points[direction];
    if (!face_is_open(t->domain->in, 2 * direction + 1)) return;
    for (ptrdiff_t o = 0; o < outer; ++o)
        for (int j = 0; j < m->to; ++j)
            for (ptrdiff_t i = 0; i < inner; ++i)
                out[(o * m->to + j) * inner + i] += m->end[j] * in[(o * m->from + m->from - 1) * inner + i];
}

/* Interpolates the plane of an outflow, in the order of files, to this run's grid. old, line, whole: room to
 * work in. */
static void map_plane(const struct transfer *t, int face, const double *file, double *old, double *line,
                      double *whole)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    const ptrdiff_t from = (ptrdiff_t)t->from[a] * t->from[b], to = (ptrdiff_t)t->to[a] * t->to[b];
    for (int c = 0; c < 3; ++c) {
        for (ptrdiff_t n = 0; n < from; ++n) old[n] = file[3 * n + c];
        interpolate_line_apply(map_of(t, a, c), 1, t->from[b], old, line);
        if (c == a) add_end(t, a, 1, t->from[b], old, line);
        interpolate_line_apply(map_of(t, b, c), t->to[a], 1, line, old);
        if (c == b) add_end(t, b, t->to[a], 1, line, old);
        for (ptrdiff_t n = 0; n < to; ++n) whole[3 * n + c] = old[n];
    }
}

static kol_status send_to_all(const struct comm *c, double *value, int n)
{
    if (c->size > 1) MPI_TRY(MPI_Bcast(value, n, MPI_DOUBLE, 0, c->mpi));
    return KOL_OK;
}

/* Rank 0 reads the plane and sends it to all ranks. */
static kol_status transfer_plane(struct flow *flow, struct transfer *t, int face)
{
    const struct domain *domain = flow->domain;
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z, first = domain->comm.rank == 0;
    const size_t along = (size_t)(t->from[a] > t->to[a] ? t->from[a] : t->to[a]),
                 across = (size_t)(t->from[b] > t->to[b] ? t->from[b] : t->to[b]), most = along * across;
    double *room = malloc(8 * most * sizeof *room);
    struct io_view view = open_faces_view(flow, face);
    kol_status st = KOL_OK;
    if (room == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no host memory for a plane");
    TRY_OR(done, comm_agree(&domain->comm, st));
    for (int n = 0; n < 3; ++n) {
        view.n_g[n] = n == 0 ? t->from[a] : n == 1 ? t->from[b] : 1;
        view.n[n] = first ? view.n_g[n] : 0;
        view.offset[n] = 0;
    }
    view.bytes = t->bytes;
    view.data = room;
    TRY_OR(done, checkpoint_get(t->file, view));
    if (first) widen(t->bytes, 3 * (size_t)t->from[a] * (size_t)t->from[b], room);
    TRY_OR(done, send_to_all(&domain->comm, room, 3 * t->from[a] * t->from[b]));
    map_plane(t, face, room, room + 3 * most, room + 4 * most, room + 5 * most);
    open_faces_give(flow, face, room + 5 * most);
done:
    free(room);
    return st;
}

/* Transfers the planes of all outflows. stored: bits of those that the file holds. */
static kol_status transfer_planes(struct flow *flow, struct transfer *t, unsigned *stored)
{
    const struct domain *domain = flow->domain;
    double faces;
    TRY(checkpoint_scalar_or(t->file, "open_faces", 0, &faces));
    *stored = (unsigned)faces & open_faces_stored(flow);
    for (int f = 0; f < FACES; ++f)
        if (*stored >> f & 1u) TRY(transfer_plane(flow, t, f));
    TRY(open_faces_known(flow, *stored));
    for (int d = 0; d < 3; ++d) {
        const int f = 2 * d + 1, a = d == X ? Y : X, b = d == Z ? Y : Z;
        if (!face_is_open(domain->in, f) || (open_faces_stored(flow) & ~*stored) >> f & 1u) continue;
        t->high[d] = malloc((size_t)t->to[a] * (size_t)t->to[b] * sizeof *t->high[d]);
        TRY(comm_agree(&domain->comm, t->high[d] != NULL ? KOL_OK
                                                         : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                                                        "no host memory for a plane")));
        TRY(open_faces_normal(flow, f, t->high[d]));
    }
    return KOL_OK;
}

/* Adds to the points inside what the velocity through an open upper face contributes, which is not one of the
 * file's points. value: own cells, packed. */
static void add_high(const struct transfer *t, int d, double *value)
{
    const struct decomp *own = &t->domain->decomp;
    const int a = d == X ? Y : X, b = d == Z ? Y : Z;
    if (t->high[d] == NULL) return;
    for (int k = 0; k < own->n[Z]; ++k)
        for (int j = 0; j < own->n[Y]; ++j)
            for (int i = 0; i < own->n[X]; ++i) {
                const int at[3] = {own->offset[X] + i, own->offset[Y] + j, own->offset[Z] + k};
                *value++ += t->points[d].end[at[d]] * t->high[d][(ptrdiff_t)at[b] * t->to[a] + at[a]];
            }
}

/* --- the flow --- */

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Number of values in the largest piece that a rank holds during the transfer. */
static size_t room(const struct transfer *t)
{
    const int rank = t->domain->comm.rank;
    size_t n = piece_count(old_planes(t, rank, t->from[X], t->from[Y]));
    n = largest(n, piece_count(old_planes(t, rank, t->to[X], t->from[Y])));
    n = largest(n, piece_count(planes(t, rank)));
    n = largest(n, piece_count(old_rows(t, rank)));
    n = largest(n, piece_count(new_rows(t, rank)));
    return largest(n, piece_count(solver_box(t, rank))) + 1;
}

static kol_status maps_create(struct transfer *t)
{
    const struct grid *g = &t->domain->grid;
    for (int d = 0; d < 3; ++d) {
        TRY(checkpoint_faces(t->file, d, &t->from[d], &t->face[d]));
        t->to[d] = g->n_g[d];
        TRY(interpolate_line_points(t->from[d], t->face[d], t->to[d], g->face[d], g->periodic[d],
                                    &t->points[d]));
        TRY(interpolate_line_averages(t->from[d], t->face[d], t->to[d], g->face[d], g->periodic[d],
                                      &t->averages[d]));
    }
    return checkpoint_bytes(t->file, &t->bytes);
}

static void maps_free(struct transfer *t)
{
    for (int d = 0; d < 3; ++d) {
        free(t->face[d]);
        interpolate_line_free(&t->points[d]);
        interpolate_line_free(&t->averages[d]);
        free(t->high[d]);
    }
}

/* The two arrays in which a field is interpolated. */
static kol_status take_arrays(struct memory *memory, const struct transfer *t, double **a, double **b)
{
    const size_t n = room(t);
    TRY(memory_plain(memory, n * sizeof **a, (void **)a));
    return memory_plain(memory, n * sizeof **b, (void **)b);
}

kol_status regrid_count(struct memory *memory, const struct domain *domain)
{
    struct transfer t = {.domain = domain};
    struct memory first = {.host = 0}, second = {.host = 0};
    const struct comm *c = &domain->comm;
    double *a = NULL, *b = NULL;
    for (int d = 0; d < 3; ++d) t.from[d] = t.to[d] = domain->decomp.n_g[d];
    TRY(take_arrays(memory, &t, &a, &b));
    TRY(remap(&first, c, (int)sizeof *a, planes, &t, NULL, old_rows, &t, NULL));
    TRY(remap(&second, c, (int)sizeof *a, new_rows, &t, NULL, solver_box, &t, NULL));
    memory_for_a_while(memory, &first);
    memory_for_a_while(memory, &second);
    return KOL_OK;
}

static kol_status transfer_flow(struct flow *flow, struct transfer *t, struct host_copy *s)
{
    const struct domain *domain = flow->domain;
    double *a = NULL, *b = NULL;
    kol_status st = comm_agree(&domain->comm, take_arrays(NULL, t, &a, &b));
    for (int f = 0; f < field_count(domain->in) && st == KOL_OK; ++f) {
        const int d = field_component(f);
        int there = 1;
        if (f >= FLOW_SCALAR) st = checkpoint_has(t->file, field_row(domain->in, f).name, &there);
        if (st != KOL_OK) break;
        if (!there) {
            st = scalar_initial(flow, f - FLOW_SCALAR);
            continue;
        }
        st = transfer_field(t, host_copy_field(domain, f), d, a, b);
        if (st == KOL_OK && d >= 0) add_high(t, d, b);
        if (st == KOL_OK) st = host_copy_store(s, b, *field_array(flow, f));
    }
    free(a);
    free(b);
    return st;
}

/* Measures energy and divergence of the new flow, for which there is no earlier flow to compare with. */
static kol_status measure(struct flow *flow, double *energy, double *divergence)
{
    const struct domain *domain = flow->domain;
    flow->now.speed = 0;
    TRY(health_monitor(flow));
    *energy = flow->now.energy;
    *divergence = flow->now.speed > 0 ? flow->now.div_max * domain->grid.h / flow->now.speed : 0;
    return KOL_OK;
}

kol_status regrid_read(struct step *step, struct flow *flow, struct checkpoint *c, struct host_copy *s,
                       char *text, size_t size)
{
    const struct domain *domain = flow->domain;
    struct transfer t = {.domain = domain, .file = c};
    double old_energy, energy[2] = {0, 0}, divergence[2] = {0, 0};
    unsigned stored = 0;
    kol_status st = KOL_OK;
    TRY(checkpoint_scalar(c, "energy", &old_energy));
    TRY_OR(done, comm_agree(&domain->comm, maps_create(&t)));
    if (flow->open != NULL) TRY_OR(done, transfer_planes(flow, &t, &stored));
    TRY_OR(done, transfer_flow(flow, &t, s));
    TRY_OR(done, open_faces_restore(flow, stored, 1));
    flow->clock.dt = 0;
    flow->pressure.steps_known = 0;
    flow->energy_start = -1;
    TRY_OR(done, measure(flow, &energy[0], &divergence[0]));
    TRY_OR(done, initial_project(step, flow));
    TRY_OR(done, measure(flow, &energy[1], &divergence[1]));
    snprintf(text, size,
             "interpolated from %d x %d x %d cells: kinetic energy %.9g in the file, %.9g interpolated, %.9g "
             "projected (%+.3g %%); max|div u| h/U %.1e interpolated, %.1e projected",
             t.from[X], t.from[Y], t.from[Z], old_energy, energy[0], energy[1],
             old_energy > 0 ? 100 * (energy[1] / old_energy - 1) : 0, divergence[0], divergence[1]);
done:
    maps_free(&t);
    return st;
}
