/* Interpolates a flow from a checkpoint of another grid, with the velocity on open faces. */
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
#include "boundary/open_faces.h"
#include "transfer.h"

/* regrid: a transfer from a checkpoint. */
struct regrid {
    struct transfer map;
    struct checkpoint *file;
    int bytes;       /* of a value in the file */
    double *high[3]; /* velocity through the upper face of each direction, on this run's grid, where it is
                        open; else NULL */
};

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

/* Reads this rank's planes of an array of the file as doubles, and verifies their hash. */
static kol_status read_planes(void *source, const void *what, struct piece p, double *buffer)
{
    const struct regrid *t = source;
    struct io_view view = *(const struct io_view *)what;
    for (int d = 0; d < 3; ++d) {
        view.n_g[d] = t->map.from[d];
        view.offset[d] = p.lo[d];
        view.n[d] = p.hi[d] - p.lo[d];
    }
    view.bytes = t->bytes;
    view.data = buffer;
    TRY(checkpoint_get(t->file, view));
    widen(t->bytes, piece_count(p), buffer);
    return KOL_OK;
}

/* --- open faces --- */

/* Adds, for the component along the lines of an open face, what the value at their far end contributes. It is
 * 0 on a wall. If the far end is open, too, the last value inside is taken. */
static void add_end(const struct regrid *t, int direction, ptrdiff_t inner, ptrdiff_t outer, const double *in,
                    double *out)
{
    const struct interpolate_line *m = &t->map.points[direction];
    if (!face_is_open(t->map.domain->in, 2 * direction + 1)) return;
    for (ptrdiff_t o = 0; o < outer; ++o)
        for (int j = 0; j < m->to; ++j)
            for (ptrdiff_t i = 0; i < inner; ++i)
                out[(o * m->to + j) * inner + i] += m->end[j] * in[(o * m->from + m->from - 1) * inner + i];
}

/* Interpolates the plane of an outflow, in the order of files, to this run's grid. old, line, whole: room to
 * work in. */
static void map_plane(const struct regrid *t, int face, const double *file, double *old, double *line,
                      double *whole)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    const ptrdiff_t from = (ptrdiff_t)t->map.from[a] * t->map.from[b],
                    to = (ptrdiff_t)t->map.to[a] * t->map.to[b];
    for (int c = 0; c < 3; ++c) {
        for (ptrdiff_t n = 0; n < from; ++n) old[n] = file[3 * n + c];
        interpolate_line_apply(transfer_map(&t->map, a, c), 1, t->map.from[b], old, line);
        if (c == a) add_end(t, a, 1, t->map.from[b], old, line);
        interpolate_line_apply(transfer_map(&t->map, b, c), t->map.to[a], 1, line, old);
        if (c == b) add_end(t, b, t->map.to[a], 1, line, old);
        for (ptrdiff_t n = 0; n < to; ++n) whole[3 * n + c] = old[n];
    }
}

static kol_status send_to_all(const struct comm *c, double *value, int n)
{
    if (c->size > 1) MPI_TRY(MPI_Bcast(value, n, MPI_DOUBLE, 0, c->mpi));
    return KOL_OK;
}

/* Rank 0 reads the plane and sends it to all ranks. */
static kol_status transfer_plane(struct flow *flow, struct regrid *t, int face)
{
    const struct domain *domain = flow->domain;
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z, first = domain->comm.rank == 0;
    const size_t along = (size_t)(t->map.from[a] > t->map.to[a] ? t->map.from[a] : t->map.to[a]),
                 across = (size_t)(t->map.from[b] > t->map.to[b] ? t->map.from[b] : t->map.to[b]),
                 most = along * across;
    double *room = malloc(8 * most * sizeof *room);
    struct io_view view = open_faces_view(flow, face);
    kol_status st = KOL_OK;
    if (room == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no host memory for a plane");
    TRY_OR(done, comm_agree(&domain->comm, st));
    for (int n = 0; n < 3; ++n) {
        view.n_g[n] = n == 0 ? t->map.from[a] : n == 1 ? t->map.from[b] : 1;
        view.n[n] = first ? view.n_g[n] : 0;
        view.offset[n] = 0;
    }
    view.bytes = t->bytes;
    view.data = room;
    TRY_OR(done, checkpoint_get(t->file, view));
    if (first) widen(t->bytes, 3 * (size_t)t->map.from[a] * (size_t)t->map.from[b], room);
    TRY_OR(done, send_to_all(&domain->comm, room, 3 * t->map.from[a] * t->map.from[b]));
    map_plane(t, face, room, room + 3 * most, room + 4 * most, room + 5 * most);
    open_faces_give(flow, face, room + 5 * most);
done:
    free(room);
    return st;
}

/* Transfers the planes of all outflows. stored: bits of those that the file holds. */
static kol_status transfer_planes(struct flow *flow, struct regrid *t, unsigned *stored)
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
        t->high[d] = malloc((size_t)t->map.to[a] * (size_t)t->map.to[b] * sizeof *t->high[d]);
        TRY(comm_agree(&domain->comm, t->high[d] != NULL ? KOL_OK
                                                         : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                                                        "no host memory for a plane")));
        TRY(open_faces_normal(flow, f, t->high[d]));
    }
    return KOL_OK;
}

/* Adds to the points inside what the velocity through an open upper face contributes, which is not one of the
 * file's points. value: own cells, packed. */
static void add_high(const struct regrid *t, int d, double *value)
{
    const struct decomp *own = &t->map.domain->decomp;
    const int a = d == X ? Y : X, b = d == Z ? Y : Z;
    if (t->high[d] == NULL) return;
    for (int k = 0; k < own->n[Z]; ++k)
        for (int j = 0; j < own->n[Y]; ++j)
            for (int i = 0; i < own->n[X]; ++i) {
                const int at[3] = {own->offset[X] + i, own->offset[Y] + j, own->offset[Z] + k};
                *value++ += t->map.points[d].end[at[d]] * t->high[d][(ptrdiff_t)at[b] * t->map.to[a] + at[a]];
            }
}

/* --- the flow --- */

static kol_status maps_create(struct regrid *t)
{
    for (int d = 0; d < 3; ++d) TRY(checkpoint_faces(t->file, d, &t->map.from[d], &t->map.face[d]));
    TRY(transfer_maps(&t->map, 0));
    return checkpoint_bytes(t->file, &t->bytes);
}

static void maps_free(struct regrid *t)
{
    transfer_free(&t->map);
    for (int d = 0; d < 3; ++d) free(t->high[d]);
}

kol_status regrid_count(struct memory *memory, const struct domain *domain)
{
    return transfer_count(memory, domain);
}

static kol_status transfer_flow(struct flow *flow, struct regrid *t, struct host_copy *s)
{
    const struct domain *domain = flow->domain;
    double *a = NULL, *b = NULL;
    kol_status st = comm_agree(&domain->comm, transfer_arrays(NULL, &t->map, &a, &b));
    for (int f = 0; f < field_count(domain->in) && st == KOL_OK; ++f) {
        const int d = field_component(f);
        int there = 1;
        if (f >= FLOW_SCALAR) st = checkpoint_has(t->file, field_row(domain->in, f).name, &there);
        if (st != KOL_OK) break;
        if (!there) {
            st = scalar_initial(flow, f - FLOW_SCALAR);
            continue;
        }
        const struct io_view view = host_copy_field(domain, f);
        st = transfer_field(&t->map, read_planes, t, &view, d, a, b);
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
    struct regrid t = {.map = {.domain = domain}, .file = c};
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
             t.map.from[X], t.map.from[Y], t.map.from[Z], old_energy, energy[0], energy[1],
             old_energy > 0 ? 100 * (energy[1] / old_energy - 1) : 0, divergence[0], divergence[1]);
done:
    maps_free(&t);
    return st;
}
