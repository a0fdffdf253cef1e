/* Stores and restores the planes of open faces: in checkpoints, and from another grid. */
#include "open_faces_internal.h"

#include <string.h>
#include "inputs/face_kinds.h"

unsigned open_faces_stored(const struct flow *flow)
{
    unsigned stored = 0;
    for (int f = 0; flow->open != NULL && f < FACES; ++f)
        if (flow->open->side[f].outflow) stored |= 1u << f;
    return stored;
}

/* Packs a plane, or unpacks it (`unpack`): its own places in rows, with three values at each place. */
static void pack(const struct domain *domain, int face, real *plane, real *packed, int unpack)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    for (int j = 0; j < domain->decomp.n[b]; ++j)
        for (int i = 0; i < domain->decomp.n[a]; ++i)
            for (int c = 0; c < 3; ++c) {
                real *in_plane = plane + plane_at(domain->grid.box, face / 2, c, i, j), *in_file = packed++;
                if (unpack) *in_plane = *in_file;
                else *in_file = *in_plane;
            }
}

kol_status open_faces_take(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    for (int f = 0; flow->open != NULL && f < FACES; ++f) {
        struct open_faces_side *s = &flow->open->side[f];
        if (!s->outflow || !s->here) continue;
        TRY(mem_to_host(flow->open->h_plane, s->now, open_plane_size(domain, f) * sizeof(real)));
        pack(domain, f, flow->open->h_plane, s->packed, 0);
    }
    return KOL_OK;
}

const char *open_faces_plane_name(int face)
{
    static const char *const NAME[FACES] = {"outflow_x_low",  "outflow_x_high", "outflow_y_low",
                                            "outflow_y_high", "outflow_z_low",  "outflow_z_high"};
    return NAME[face];
}

struct io_view open_faces_view(const struct flow *flow, int face)
{
    const struct domain *domain = flow->domain;
    const struct open_faces_side *s = &flow->open->side[face];
    const int along[2] = {face / 2 == X ? Y : X, face / 2 == Z ? Y : Z};
    struct io_view v = {.name = open_faces_plane_name(face),
                        .long_name = "velocity through an outflow, and beyond it along it",
                        .unit = "U",
                        .location = IO_CCC,
                        .ncomp = 3,
                        .n_g = {0, 0, 1},
                        .n = {0, 0, s->here},
                        .bytes = (int)sizeof(real),
                        .data = s->packed};
    for (int n = 0; n < 2; ++n) {
        v.n_g[n] = domain->decomp.n_g[along[n]];
        v.n[n] = s->here ? domain->decomp.n[along[n]] : 0;
        v.offset[n] = s->here ? domain->decomp.offset[along[n]] : 0;
    }
    return v;
}

/* Fills the places of a plane beyond the rank's own ones. It puts the plane into the cells inside a field,
 * whose halo exchange then brings the values. */
static kol_status spread(struct flow *flow, int face, real *field, real *host)
{
    const struct domain *domain = flow->domain;
    struct open_faces_side *s = &flow->open->side[face];
    const struct box b = domain->grid.box;
    const int along[2] = {face / 2 == X ? Y : X, face / 2 == Z ? Y : Z}, *n = domain->decomp.n;
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    const ptrdiff_t inside = b.start + (face % 2 ? (n[face / 2] - 1) * stride[face / 2] : 0);
    for (int c = 0; c < 3; ++c) {
        memset(host, 0, (size_t)b.size * sizeof *host);
        for (int j = 0; s->here && j < n[along[1]]; ++j)
            for (int i = 0; i < n[along[0]]; ++i)
                host[inside + i * stride[along[0]] + j * stride[along[1]]] =
                    flow->open->h_plane[plane_at(b, face / 2, c, i, j)];
        TRY(mem_to_kernel(field, host, (size_t)b.size * sizeof *host));
        TRY(halo_fill(domain->halo, &field, 1, HALO_EDGES));
        TRY(mem_to_host(host, field, (size_t)b.size * sizeof *host));
        for (int j = -1; s->here && j <= n[along[1]]; ++j)
            for (int i = -1; i <= n[along[0]]; ++i) {
                int at_place[2] = {i, j};
                for (int m = 0; m < 2; ++m) {
                    const int d = along[m];
                    if (at_place[m] < 0 && (domain->walls.faces >> (2 * d) & 1u)) at_place[m] = 0;
                    if (at_place[m] >= n[d] && (domain->walls.faces >> (2 * d + 1) & 1u))
                        at_place[m] = n[d] - 1;
                }
                flow->open->h_plane[plane_at(b, face / 2, c, i, j)] =
                    host[inside + at_place[0] * stride[along[0]] + at_place[1] * stride[along[1]]];
            }
    }
    return s->here ? mem_to_kernel(s->now, flow->open->h_plane, open_plane_size(domain, face) * sizeof(real))
                   : KOL_OK;
}

/* A copy of a field in host memory, with which planes are spread. */
static kol_status take_copy(struct memory *memory, const struct domain *domain, real **host)
{
    return memory_host(memory, (size_t)domain->grid.box.size * sizeof **host, (void **)host);
}

kol_status open_faces_count(struct memory *memory, const struct domain *domain)
{
    real *host = NULL;
    return faces_any_open(domain->in) ? take_copy(memory, domain, &host) : KOL_OK;
}

/* The array of the pool with which planes are spread. */
static kol_status count_known(const struct domain *domain)
{
    real *field = NULL;
    TRY(pool_hold(domain->pool, "plane", &field));
    return pool_drop(domain->pool, &field);
}

kol_status open_faces_known(struct flow *flow, unsigned stored)
{
    const struct domain *domain = flow->domain;
    real *field = NULL, *host = NULL;
    kol_status st = KOL_OK;
    if (flow->open == NULL) return KOL_OK;
    if (pool_counts(domain->pool)) return count_known(domain);
    TRY(open_fill_inflows(flow, flow->clock.t, 1));
    TRY(take_copy(NULL, domain, &host));
    TRY_OR(done, pool_hold(domain->pool, "plane", &field));
    for (int f = 0; f < FACES; ++f) {
        struct open_faces_side *s = &flow->open->side[f];
        if (!(open_faces_stored(flow) & stored & 1u << f)) continue;
        if (s->here) pack(domain, f, flow->open->h_plane, s->packed, 1);
        TRY_OR(done, spread(flow, f, field, host));
    }
    TRY_OR(done, pool_drop(domain->pool, &field));
done:
    mem_host_free(host);
    return st;
}

kol_status open_faces_restore(struct flow *flow, unsigned stored, int changed)
{
    if (flow->open == NULL) return KOL_OK;
    const int unknown = (open_faces_stored(flow) & ~stored) != 0;
    if (unknown) TRY(open_fill_outflows(flow, stored));
    return unknown || changed ? open_balance(flow) : KOL_OK;
}

/* --- from another grid --- */

void open_faces_give(struct flow *flow, int face, const double *whole)
{
    const struct open_faces_side *s = &flow->open->side[face];
    const struct io_view v = open_faces_view(flow, face);
    real *packed = s->packed;
    for (int j = 0; s->here && j < v.n[1]; ++j)
        for (int i = 0; i < v.n[0]; ++i)
            for (int c = 0; c < 3; ++c)
                *packed++ = (real)whole[((ptrdiff_t)(v.offset[1] + j) * v.n_g[0] + v.offset[0] + i) * 3 + c];
}

kol_status open_faces_normal(struct flow *flow, int face, double *whole)
{
    const struct domain *domain = flow->domain;
    const struct open_faces_side *s = &flow->open->side[face];
    const struct io_view v = open_faces_view(flow, face);
    const int places = v.n_g[0] * v.n_g[1];
    memset(whole, 0, (size_t)places * sizeof *whole);
    if (s->here) TRY(mem_to_host(flow->open->h_plane, s->now, open_plane_size(domain, face) * sizeof(real)));
    for (int j = 0; s->here && j < v.n[1]; ++j)
        for (int i = 0; i < v.n[0]; ++i)
            whole[(ptrdiff_t)(v.offset[1] + j) * v.n_g[0] + v.offset[0] + i] =
                flow->open->h_plane[plane_at(domain->grid.box, face / 2, face / 2, i, j)];
    if (domain->comm.size > 1) /* each place is non-zero on one rank only */
        MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, whole, places, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    return KOL_OK;
}
