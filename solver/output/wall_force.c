/* Computes the force of a stream on the no-slip walls. */
#include "wall_force.h"

#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "kernels/base/mem.h"
#include "kernels/wall.h"

struct wall_force {
    const struct comm *comm;
    const struct decomp *decomp;
    struct blocks blocks;
    int stream; /* its direction */
    double nu;
    unsigned faces, here;        /* no-slip walls of the grid; those that this rank touches */
    double *rows;                /* kernel memory */
    double *own, *part;          /* host: rows of this rank; blocks of all walls */
    ptrdiff_t own_values, parts; /* in them */
};

/* share: the two directions along a face, and how many pieces of its rows this rank has. */
struct share {
    int a, b;
    ptrdiff_t pieces, parts;
};

static struct share share_of(const struct decomp *d, int face)
{
    const int a = face / 2 == X ? Y : X, b = face / 2 == Z ? Y : Z;
    return (struct share){a, b, (ptrdiff_t)d->n[b] * d->blocks[a],
                          (ptrdiff_t)d->blocks_g[b] * d->blocks_g[a]};
}

static unsigned walls_of(const struct input *in)
{
    const int stream = stream_direction(in);
    unsigned faces = 0;
    if (stream < 0 || !direction_is_periodic(in, stream)) return 0;
    for (int f = 0; f < FACES; ++f)
        if (f / 2 != stream && face_has_friction(in, f)) faces |= 1u << f;
    return faces;
}

static int touches(const struct decomp *d, int face)
{
    return d->coord[face / 2] == (face % 2 ? d->ranks[face / 2] - 1 : 0);
}

static ptrdiff_t rows_of(const struct decomp *d, unsigned faces)
{
    ptrdiff_t values = 0;
    for (int f = 0; f < FACES; ++f)
        if ((faces >> f & 1u) && touches(d, f)) values += share_of(d, f).pieces;
    return values;
}

kol_status wall_force_create(const struct domain *domain, struct wall_force **out)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const struct input *in = domain->in;
    const struct decomp *d = &domain->decomp;
    const struct reduction *r = domain->reduction;
    const unsigned faces = walls_of(in);
    *out = NULL;
    if (faces == 0) return KOL_OK;
    struct wall_force *f = *out = calloc(1, sizeof *f);
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the friction of walls");
    f->comm = c;
    f->decomp = d;
    f->blocks = reduction_blocks(r);
    f->stream = stream_direction(in);
    f->nu = in->fluid.nu;
    f->faces = faces;
    for (int n = 0; n < FACES; ++n) {
        if (!(faces >> n & 1u)) continue;
        f->parts += share_of(d, n).parts;
        if (touches(d, n)) f->here |= 1u << n;
    }
    f->own_values = rows_of(d, faces);
    TRY(memory_host(memory, (size_t)f->parts * sizeof(double), (void **)&f->part));
    if (f->own_values == 0) return KOL_OK;
    TRY(memory_kernel(memory, (size_t)f->own_values * sizeof(double), (void **)&f->rows));
    return memory_host(memory, (size_t)f->own_values * sizeof(double), (void **)&f->own);
}

void wall_force_destroy(struct wall_force **friction)
{
    struct wall_force *f = *friction;
    if (f == NULL) return;
    mem_kernel_free(f->rows);
    mem_host_free(f->own);
    mem_host_free(f->part);
    free(f);
    *friction = NULL;
}

/* Adds up this rank's blocks of a face from its rows, and puts the sums at their places among the blocks of
 * the whole face. */
static void put_parts(const struct decomp *d, struct share s, const double *rows, double *part)
{
    const int blocks = d->blocks[s.a];
    for (int bj = 0; bj < d->blocks[s.b]; ++bj) {
        const int from = decomp_block_start(d, s.b, d->first_block[s.b] + bj) - d->offset[s.b],
                  to = decomp_block_start(d, s.b, d->first_block[s.b] + bj + 1) - d->offset[s.b];
        for (int bi = 0; bi < blocks; ++bi) {
            double sum = 0;
            for (int j = from; j < to; ++j) sum += rows[(ptrdiff_t)j * blocks + bi];
            part[(ptrdiff_t)(d->first_block[s.b] + bj) * d->blocks_g[s.a] + d->first_block[s.a] + bi] = sum;
        }
    }
}

static kol_status sum_rows(struct wall_force *f, const struct grid *g, real *const vel[3])
{
    ptrdiff_t used = 0;
    for (int n = 0; n < FACES; ++n) {
        if (!(f->here >> n & 1u)) continue;
        TRY(wall_shear(g->box, g->m, f->blocks, n, f->stream, vel[f->stream], f->rows + used));
        used += share_of(f->decomp, n).pieces;
    }
    return used > 0 ? mem_to_host(f->own, f->rows, (size_t)used * sizeof(double)) : KOL_OK;
}

static void place_own(struct wall_force *f)
{
    const double *rows = f->own;
    double *part = f->part;
    memset(part, 0, (size_t)f->parts * sizeof *part);
    for (int n = 0; n < FACES; ++n) {
        const struct share s = share_of(f->decomp, n);
        if (!(f->faces >> n & 1u)) continue;
        if (f->here >> n & 1u) {
            put_parts(f->decomp, s, rows, part);
            rows += s.pieces;
        }
        part += s.parts;
    }
}

kol_status wall_force_measure(struct wall_force *f, const struct grid *g, real *const vel[3],
                              double stress[FACES])
{
    memset(stress, 0, FACES * sizeof *stress);
    if (f == NULL) return KOL_OK;
    TRY(sum_rows(f, g, vel));
    place_own(f);
    if (f->comm->size > 1) { /* each place is non-zero on one rank only */
        const int root = f->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : f->part, root ? f->part : NULL, (int)f->parts, MPI_DOUBLE,
                           MPI_SUM, 0, f->comm->mpi));
    }
    const double *part = f->part;
    for (int n = 0; n < FACES; ++n) {
        const struct share s = share_of(f->decomp, n);
        if (!(f->faces >> n & 1u)) continue;
        for (ptrdiff_t i = 0; i < s.parts; ++i) stress[n] += *part++;
        stress[n] *= f->nu / (g->length[s.a] * g->length[s.b]);
    }
    return KOL_OK;
}
