/* Adds up one sample over the homogeneous direction, over all ranks. */
#include "section_sums.h"

#include <stdlib.h>
#include "kernels/base/mem.h"

enum { TAG_ALONG = 71, TAG_SECTION };

/* section_sums: sums over the homogeneous direction, in strips of rows of the section. The ranks along the
 * homogeneous direction form a chain. For each strip, every rank of the chain receives the sums of the rank
 * before it, adds its own blocks, and sends them on. So blocks are added in the order of their position, and
 * the last rank has the sums. */
struct section_sums {
    const struct comm *comm;
    const struct decomp *decomp;
    struct box box;
    struct blocks blocks;
    int along, a, b;
    int before, after;            /* ranks of the line; -1: there is none */
    ptrdiff_t room;               /* values for partial sums */
    double *part, *scratch, *sum; /* kernel memory */
    double *strip, *own, *other;  /* host: of a strip; of the section of this rank for rank 0, of another's:
                                     strip after strip */
};

static int blocks_of(struct blocks bl, int direction)
{
    return direction == X ? bl.nx : direction == Y ? bl.ny : bl.nz;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Number of rows of a strip. It is the same on all ranks of a line, although their numbers of blocks may
 * differ. */
static int rows_of(const struct decomp *d, int along, ptrdiff_t room, int wide, int high)
{
    const int most = (d->blocks_g[along] + d->ranks[along] - 1) / d->ranks[along];
    const ptrdiff_t rows = room / ((ptrdiff_t)most * LINE_SUM_COUNT * wide);
    return rows < 1 ? 1 : rows > high ? high : (int)rows;
}

/* Number of places of the ranks at one coordinate of a direction. */
static int places_of(const struct decomp *d, int direction, int c)
{
    return decomp_offset(d, direction, c + 1) - decomp_offset(d, direction, c) + 1;
}

static int widest_of(const struct decomp *d, int direction)
{
    int most = 0;
    for (int c = 0; c < d->ranks[direction]; ++c) most = larger(most, places_of(d, direction, c));
    return most;
}

/* Number of values in the largest strip of any rank. */
static ptrdiff_t largest_strip(const struct decomp *d, int along, ptrdiff_t room)
{
    const int a = along == X ? Y : X, e = along == Z ? Y : Z;
    ptrdiff_t most = 0;
    for (int ca = 0; ca < d->ranks[a]; ++ca) {
        for (int ce = 0; ce < d->ranks[e]; ++ce) {
            const int wide = places_of(d, a, ca), rows = rows_of(d, along, room, wide, places_of(d, e, ce));
            const ptrdiff_t values = (ptrdiff_t)rows * wide * LINE_SUM_COUNT;
            if (values > most) most = values;
        }
    }
    return most;
}

static int is_first(const struct decomp *d)
{
    return d->coord[X] + d->coord[Y] + d->coord[Z] == 0;
}

/* sizes: numbers of values in kernel memory and in host memory. Rank 0 also puts the strips of all ranks into
 * their places. */
struct sizes {
    ptrdiff_t part, scratch, strip, sum, section;
};

static struct sizes sizes_of(const struct decomp *d, struct box b, struct blocks bl, int along,
                             ptrdiff_t room)
{
    const int a = along == X ? Y : X, e = along == Z ? Y : Z;
    const int wide = line_average_places(b, a), high = line_average_places(b, e);
    const ptrdiff_t strip = (ptrdiff_t)rows_of(d, along, room, wide, high) * wide * LINE_SUM_COUNT;
    return (struct sizes){.part = strip * blocks_of(bl, along),
                          .scratch = line_average_scratch(b, bl, along),
                          .strip = strip,
                          .sum = is_first(d) ? largest_strip(d, along, room) : strip,
                          .section = (ptrdiff_t)wide * high * LINE_SUM_COUNT};
}

static kol_status create_memory(struct memory *memory, struct section_sums *s, struct sizes n)
{
    TRY(memory_kernel(memory, (size_t)n.part * sizeof(double), (void **)&s->part));
    TRY(memory_kernel(memory, (size_t)n.sum * sizeof(double), (void **)&s->sum));
    if (n.scratch > 0) TRY(memory_kernel(memory, (size_t)n.scratch * sizeof(double), (void **)&s->scratch));
    TRY(memory_host(memory, (size_t)n.strip * sizeof(double), (void **)&s->strip));
    const ptrdiff_t most =
        (ptrdiff_t)widest_of(s->decomp, s->a) * widest_of(s->decomp, s->b) * LINE_SUM_COUNT;
    if (s->comm->rank > 0 && s->after < 0)
        TRY(memory_host(memory, (size_t)n.section * sizeof(double), (void **)&s->own));
    if (s->comm->rank > 0 || s->comm->size == 1) return KOL_OK;
    return memory_host(memory, (size_t)most * sizeof(double), (void **)&s->other);
}

kol_status section_sums_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                               struct box b, struct blocks bl, int along, ptrdiff_t room,
                               struct section_sums **out)
{
    struct section_sums *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages over a direction");
    s->comm = c;
    s->decomp = d;
    s->box = b;
    s->blocks = bl;
    s->along = along;
    s->a = along == X ? Y : X;
    s->b = along == Z ? Y : Z;
    s->before = decomp_next(d, along, -1);
    s->after = decomp_next(d, along, 1);
    s->room = room;
    return create_memory(memory, s, sizes_of(d, b, bl, along, room));
}

void section_sums_destroy(struct section_sums **sums)
{
    struct section_sums *s = *sums;
    if (s == NULL) return;
    mem_kernel_free(s->part);
    mem_kernel_free(s->scratch);
    mem_kernel_free(s->sum);
    mem_host_free(s->strip);
    mem_host_free(s->own);
    mem_host_free(s->other);
    free(s);
    *sums = NULL;
}

struct section_sums_place section_sums_place(const int n_g[3], int along, int q)
{
    const int a = along == X ? Y : X, b = along == Z ? Y : Z;
    return (struct section_sums_place){n_g[a] + line_average_on_face_a(q),
                                       n_g[b] + line_average_on_face_b(q)};
}

ptrdiff_t section_sums_first(const int n_g[3], int along, int q)
{
    ptrdiff_t first = 0;
    for (int n = 0; n < q; ++n) {
        const struct section_sums_place p = section_sums_place(n_g, along, n);
        first += (ptrdiff_t)p.wide * p.high;
    }
    return first;
}

struct section_sample_shape section_sums_shape(const int n_g[3], int along)
{
    struct section_sample_shape s = {.cells = {n_g[along == X ? Y : X], n_g[along == Z ? Y : Z]}};
    for (int q = 0; q <= LINE_SUM_COUNT; ++q) s.first[q] = section_sums_first(n_g, along, q);
    return s;
}

/* The piece of the section that the ranks with coordinates ca, cb have. *strip: number of rows of its
 * strips. */
static struct section_sample_piece piece_of(const struct section_sums *s, int ca, int cb, int *strip)
{
    const struct decomp *d = s->decomp;
    const int wide = places_of(d, s->a, ca), high = places_of(d, s->b, cb);
    *strip = rows_of(d, s->along, s->room, wide, high);
    return (struct section_sample_piece){.at = {decomp_offset(d, s->a, ca), decomp_offset(d, s->b, cb)},
                                         .cells = {wide - 1, high - 1},
                                         .last = {ca == d->ranks[s->a] - 1, cb == d->ranks[s->b] - 1},
                                         .rows = {0, high}};
}

static struct line_average_rows rows_from(int lo, int strip, int high)
{
    return (struct line_average_rows){lo, lo + strip < high ? lo + strip : high};
}

/* Sums a strip: it adds the own blocks, in order, to the sums of the ranks before. The result is in
 * s->sum. */
static kol_status sum_strip(struct section_sums *s, const struct grid *g, real *const vel[3],
                            const real *pressure, struct line_average_rows rows)
{
    const ptrdiff_t row = (ptrdiff_t)line_average_places(s->box, s->a) * LINE_SUM_COUNT,
                    values = (rows.hi - rows.lo) * row;
    TRY(line_average_sums(s->box, g->m, s->blocks, s->along, rows, vel, pressure, s->part, s->scratch));
    if (s->before >= 0) {
        MPI_TRY(MPI_Recv(s->strip, (int)values, MPI_DOUBLE, s->before, TAG_ALONG, s->comm->mpi,
                         MPI_STATUS_IGNORE));
        TRY(mem_to_kernel(s->sum, s->strip, (size_t)values * sizeof(double)));
    }
    TRY(line_average_fold(values, blocks_of(s->blocks, s->along), s->before >= 0, s->part, s->sum));
    if (s->after < 0)
        return s->own == NULL ? KOL_OK
                              : mem_to_host(s->own + rows.lo * row, s->sum, (size_t)values * sizeof(double));
    TRY(mem_to_host(s->strip, s->sum, (size_t)values * sizeof(double)));
    MPI_TRY(MPI_Send(s->strip, (int)values, MPI_DOUBLE, s->after, TAG_ALONG, s->comm->mpi));
    return KOL_OK;
}

/* section_mean: the means over the cross-section, which rank 0 assembles. */
struct section_mean {
    struct section_sample_shape shape;
    double length;
    double *mean;
};

/* Sums the own piece, and puts it where rank 0 or this rank needs it. */
static kol_status sum_piece(struct section_sums *s, const struct grid *g, real *const vel[3],
                            const real *pressure, struct section_mean to)
{
    int strip;
    struct section_sample_piece p = piece_of(s, s->decomp->coord[s->a], s->decomp->coord[s->b], &strip);
    const int high = p.rows.hi;
    for (int lo = 0; lo < high; lo += strip) {
        p.rows = rows_from(lo, strip, high);
        TRY(sum_strip(s, g, vel, pressure, p.rows));
        if (to.mean != NULL && s->after < 0)
            TRY(section_sample_place(to.shape, p, s->sum, to.length, to.mean));
    }
    if (s->own == NULL) return KOL_OK;
    MPI_TRY(
        MPI_Send(s->own, (p.cells[0] + 1) * high * LINE_SUM_COUNT, MPI_DOUBLE, 0, TAG_SECTION, s->comm->mpi));
    return KOL_OK;
}

static kol_status take_piece(struct section_sums *s, int from, struct section_sample_piece p, int strip,
                             struct section_mean to)
{
    const int high = p.rows.hi, row = (p.cells[0] + 1) * LINE_SUM_COUNT;
    MPI_TRY(MPI_Recv(s->other, high * row, MPI_DOUBLE, from, TAG_SECTION, s->comm->mpi, MPI_STATUS_IGNORE));
    for (int lo = 0; lo < high; lo += strip) {
        p.rows = rows_from(lo, strip, high);
        TRY(mem_to_kernel(s->sum, s->other + (ptrdiff_t)lo * row,
                          (size_t)(p.rows.hi - lo) * (size_t)row * sizeof(double)));
        TRY(section_sample_place(to.shape, p, s->sum, to.length, to.mean));
    }
    return KOL_OK;
}

/* Collects the pieces of the other ranks. */
static kol_status collect(struct section_sums *s, struct section_mean to)
{
    const struct decomp *d = s->decomp;
    int coord[3], strip;
    coord[s->along] = d->ranks[s->along] - 1;
    for (coord[s->b] = 0; coord[s->b] < d->ranks[s->b]; ++coord[s->b]) {
        for (coord[s->a] = 0; coord[s->a] < d->ranks[s->a]; ++coord[s->a]) {
            const struct section_sample_piece p = piece_of(s, coord[s->a], coord[s->b], &strip);
            if (decomp_rank_at(d, coord) != 0) TRY(take_piece(s, decomp_rank_at(d, coord), p, strip, to));
        }
    }
    return KOL_OK;
}

kol_status section_sums_sample(struct section_sums *s, const struct grid *g, real *const vel[3],
                               const real *pressure, double *mean)
{
    const struct section_mean to = {section_sums_shape(s->decomp->n_g, s->along), g->length[s->along], mean};
    TRY(sum_piece(s, g, vel, pressure, to));
    return mean != NULL ? collect(s, to) : KOL_OK;
}
