/* Adds up rows of faces, block by block and rank by rank, in an order that the grid fixes. */
#include "face_sum.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"

struct face_sum {
    const struct comm *comm;
    const struct decomp *decomp;
    unsigned faces, here;        /* faces of the grid; those that this rank touches */
    double *rows;                /* kernel memory */
    double *own, *part;          /* host: rows of this rank; blocks of all faces */
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

static int touches(const struct decomp *d, int face)
{
    return d->coord[face / 2] == (face % 2 ? d->ranks[face / 2] - 1 : 0);
}

/* Number of values in the rows of the faces below `face`. */
static ptrdiff_t rows_before(const struct face_sum *s, int face)
{
    ptrdiff_t values = 0;
    for (int f = 0; f < face; ++f)
        if (s->here >> f & 1u) values += share_of(s->decomp, f).pieces;
    return values;
}

kol_status face_sum_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                           unsigned faces, struct face_sum **out)
{
    *out = NULL;
    if (faces == 0) return KOL_OK;
    struct face_sum *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for sums over faces");
    s->comm = c;
    s->decomp = d;
    s->faces = faces;
    for (int f = 0; f < FACES; ++f) {
        if (!(faces >> f & 1u)) continue;
        s->parts += share_of(d, f).parts;
        if (touches(d, f)) s->here |= 1u << f;
    }
    s->own_values = rows_before(s, FACES);
    TRY(memory_host(memory, (size_t)s->parts * sizeof(double), (void **)&s->part));
    if (s->own_values == 0) return KOL_OK;
    TRY(memory_kernel(memory, (size_t)s->own_values * sizeof(double), (void **)&s->rows));
    return memory_host(memory, (size_t)s->own_values * sizeof(double), (void **)&s->own);
}

void face_sum_destroy(struct face_sum **s)
{
    if (*s == NULL) return;
    mem_kernel_free((*s)->rows);
    mem_host_free((*s)->own);
    mem_host_free((*s)->part);
    free(*s);
    *s = NULL;
}

double *face_sum_rows(const struct face_sum *s, int face)
{
    return s != NULL && (s->here >> face & 1u) ? s->rows + rows_before(s, face) : NULL;
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

static void place_own(struct face_sum *s)
{
    const double *rows = s->own;
    double *part = s->part;
    memset(part, 0, (size_t)s->parts * sizeof *part);
    for (int f = 0; f < FACES; ++f) {
        const struct share share = share_of(s->decomp, f);
        if (!(s->faces >> f & 1u)) continue;
        if (s->here >> f & 1u) {
            put_parts(s->decomp, share, rows, part);
            rows += share.pieces;
        }
        part += share.parts;
    }
}

kol_status face_sum_finish(struct face_sum *s, double sum[FACES])
{
    memset(sum, 0, FACES * sizeof *sum);
    if (s == NULL) return KOL_OK;
    if (s->own_values > 0) TRY(mem_to_host(s->own, s->rows, (size_t)s->own_values * sizeof(double)));
    place_own(s);
    if (s->comm->size > 1) { /* each place is non-zero on one rank only */
        const int root = s->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : s->part, root ? s->part : NULL, (int)s->parts, MPI_DOUBLE,
                           MPI_SUM, 0, s->comm->mpi));
    }
    const double *part = s->part;
    for (int f = 0; f < FACES; ++f) {
        if (!(s->faces >> f & 1u)) continue;
        for (ptrdiff_t i = 0; i < share_of(s->decomp, f).parts; ++i) sum[f] += *part++;
    }
    return KOL_OK;
}
