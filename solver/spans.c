#include "spans.h"

#include <stdlib.h>
#include "../kernels/base/mem.h"

enum { TAG_ALONG = 71, TAG_SECTION };

/* Strips of rows of the section: for each, every rank of a line along the homogeneous direction adds its blocks to what the rank before it sends,
 * so that the order of addition is that of the whole line, and the last one has the sums. */
struct spans {
    const struct comm *comm;
    const struct decomp *decomp;
    struct box box;
    struct blocks blocks;
    int along, a, b;
    int before, after;            /* ranks of the line; -1: none */
    ptrdiff_t room;               /* values for partial sums */
    double *part, *scratch, *sum; /* kernel memory */
    double *strip, *own,
        *other; /* host: of a strip; of the section of this rank, of another's: strip after strip */
};

static int blocks_of(struct blocks bl, int direction)
{
    return direction == X ? bl.nx : direction == Y ? bl.ny : bl.nz;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Rows of a strip: the same on all ranks of a line, whose numbers of blocks may differ. */
static int rows_of(const struct decomp *d, int along, ptrdiff_t room, int wide, int high)
{
    const int most = (d->blocks_g[along] + d->ranks[along] - 1) / d->ranks[along];
    const ptrdiff_t rows = room / ((ptrdiff_t)most * SPAN_COUNT * wide);
    return rows < 1 ? 1 : rows > high ? high : (int)rows;
}

/* Places of the ranks at coordinate c of a direction. */
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

static int rank_at(const struct decomp *d, const int coord[3])
{
    return (coord[Z] * d->ranks[Y] + coord[Y]) * d->ranks[X] + coord[X];
}

static int neighbour(const struct decomp *d, int along, int step)
{
    int coord[3] = {d->coord[X], d->coord[Y], d->coord[Z]};
    coord[along] += step;
    return coord[along] >= 0 && coord[along] < d->ranks[along] ? rank_at(d, coord) : -1;
}

/* Values of kernel memory and of the host. */
struct sizes {
    ptrdiff_t part, scratch, strip, section;
};

static struct sizes sizes_of(const struct decomp *d, struct box b, struct blocks bl, int along,
                             ptrdiff_t room)
{
    const int a = along == X ? Y : X, e = along == Z ? Y : Z;
    const int wide = span_places(b, a), high = span_places(b, e);
    const ptrdiff_t strip = (ptrdiff_t)rows_of(d, along, room, wide, high) * wide * SPAN_COUNT;
    return (struct sizes){.part = strip * blocks_of(bl, along),
                          .scratch = span_scratch(b, bl, along),
                          .strip = strip,
                          .section = (ptrdiff_t)wide * high * SPAN_COUNT};
}

double spans_bytes_wanted(const struct decomp *d, struct box b, struct blocks bl, int along, ptrdiff_t room)
{
    const struct sizes n = sizes_of(d, b, bl, along, room);
    return (double)sizeof(double) * (double)(n.part + n.scratch + n.strip);
}

static kol_status create_memory(struct spans *s, struct sizes n)
{
    TRY(mem_kernel_alloc((size_t)n.part * sizeof(double), (void **)&s->part));
    TRY(mem_kernel_alloc((size_t)n.strip * sizeof(double), (void **)&s->sum));
    if (n.scratch > 0) TRY(mem_kernel_alloc((size_t)n.scratch * sizeof(double), (void **)&s->scratch));
    TRY(mem_host_alloc((size_t)n.strip * sizeof(double), (void **)&s->strip));
    const ptrdiff_t most = (ptrdiff_t)widest_of(s->decomp, s->a) * widest_of(s->decomp, s->b) * SPAN_COUNT;
    if (s->after < 0) TRY(mem_host_alloc((size_t)n.section * sizeof(double), (void **)&s->own));
    if (s->comm->rank > 0 || s->comm->size == 1) return KOL_OK;
    return mem_host_alloc((size_t)most * sizeof(double), (void **)&s->other);
}

kol_status spans_create(const struct comm *c, const struct decomp *d, struct box b, struct blocks bl,
                        int along, ptrdiff_t room, struct spans **out)
{
    struct spans *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages over a direction");
    s->comm = c;
    s->decomp = d;
    s->box = b;
    s->blocks = bl;
    s->along = along;
    s->a = along == X ? Y : X;
    s->b = along == Z ? Y : Z;
    s->before = neighbour(d, along, -1);
    s->after = neighbour(d, along, 1);
    s->room = room;
    return create_memory(s, sizes_of(d, b, bl, along, room));
}

void spans_destroy(struct spans **spans)
{
    struct spans *s = *spans;
    if (s == NULL) return;
    mem_kernel_free(s->part);
    mem_kernel_free(s->scratch);
    mem_kernel_free(s->sum);
    mem_host_free(s->strip);
    mem_host_free(s->own);
    mem_host_free(s->other);
    free(s);
    *spans = NULL;
}

struct spans_place spans_place(const int n_g[3], int along, int q)
{
    const int a = along == X ? Y : X, b = along == Z ? Y : Z;
    const int face_a = q >= SPAN_FACES_B || (q >= SPAN_CENTRES && q < SPAN_FACES_A),
              face_b = q >= SPAN_FACES_A;
    return (struct spans_place){n_g[a] + face_a, n_g[b] + face_b};
}

ptrdiff_t spans_first(const int n_g[3], int along, int q)
{
    ptrdiff_t first = 0;
    for (int n = 0; n < q; ++n) {
        const struct spans_place p = spans_place(n_g, along, n);
        first += (ptrdiff_t)p.wide * p.high;
    }
    return first;
}

/* A strip: the sums of the ranks before, then the own blocks in order. */
static kol_status sum_strip(struct spans *s, const struct grid *g, real *const vel[3], const real *pressure,
                            struct span_rows rows)
{
    const ptrdiff_t values = (ptrdiff_t)(rows.hi - rows.lo) * span_places(s->box, s->a) * SPAN_COUNT;
    double *last = s->after < 0 ? s->own + (ptrdiff_t)rows.lo * span_places(s->box, s->a) * SPAN_COUNT : NULL;
    TRY(span_sums(s->box, g->m, s->blocks, s->along, rows, vel, pressure, s->part, s->scratch));
    if (s->before >= 0) {
        MPI_TRY(MPI_Recv(s->strip, (int)values, MPI_DOUBLE, s->before, TAG_ALONG, s->comm->mpi,
                         MPI_STATUS_IGNORE));
        TRY(mem_to_kernel(s->sum, s->strip, (size_t)values * sizeof(double)));
    }
    TRY(span_fold(values, blocks_of(s->blocks, s->along), s->before >= 0, s->part, s->sum));
    TRY(mem_to_host(last != NULL ? last : s->strip, s->sum, (size_t)values * sizeof(double)));
    if (s->after >= 0)
        MPI_TRY(MPI_Send(s->strip, (int)values, MPI_DOUBLE, s->after, TAG_ALONG, s->comm->mpi));
    return KOL_OK;
}

/* piece: the part of the section at coordinates ca, cb of the ranks. */
struct piece {
    int ca, cb, wide, high, rows;
};

static struct piece piece_of(const struct spans *s, int ca, int cb)
{
    const struct decomp *d = s->decomp;
    struct piece p = {ca, cb, places_of(d, s->a, ca), places_of(d, s->b, cb), 0};
    p.rows = rows_of(d, s->along, s->room, p.wide, p.high);
    return p;
}

/* Sums of a piece, over the length, into their places of the whole section; the upper face of a piece is the next one's lower, the last
 * piece's alone is its own. */
static void place_piece(const struct spans *s, struct piece p, const double *from, double length,
                        double *mean)
{
    const struct decomp *d = s->decomp;
    const int i0 = decomp_offset(d, s->a, p.ca), j0 = decomp_offset(d, s->b, p.cb);
    double *to = mean;
    for (int q = 0; q < SPAN_COUNT; ++q) {
        const struct spans_place all = spans_place(d->n_g, s->along, q);
        const int last_a = p.ca == d->ranks[s->a] - 1 && all.wide > d->n_g[s->a],
                  last_b = p.cb == d->ranks[s->b] - 1 && all.high > d->n_g[s->b];
        const int wide = p.wide - 1 + last_a, high = p.high - 1 + last_b;
        for (int j = 0; j < high; ++j) {
            const int lo = j / p.rows * p.rows, rows = lo + p.rows < p.high ? p.rows : p.high - lo;
            const double *row =
                from + (ptrdiff_t)lo * p.wide * SPAN_COUNT + ((ptrdiff_t)q * rows + (j - lo)) * p.wide;
            for (int i = 0; i < wide; ++i)
                to[(ptrdiff_t)(j0 + j) * all.wide + i0 + i] = row[i] / length + 0.0; /* no negative zeros */
        }
        to += (ptrdiff_t)all.wide * all.high;
    }
}

static kol_status collect(struct spans *s, double length, double *mean)
{
    const struct decomp *d = s->decomp;
    int coord[3];
    coord[s->along] = d->ranks[s->along] - 1;
    for (int cb = 0; cb < d->ranks[s->b]; ++cb) {
        for (int ca = 0; ca < d->ranks[s->a]; ++ca) {
            coord[s->a] = ca;
            coord[s->b] = cb;
            const struct piece p = piece_of(s, ca, cb);
            const int from = rank_at(d, coord);
            if (from != 0)
                MPI_TRY(MPI_Recv(s->other, p.wide * p.high * SPAN_COUNT, MPI_DOUBLE, from, TAG_SECTION,
                                 s->comm->mpi, MPI_STATUS_IGNORE));
            place_piece(s, p, from == 0 ? s->own : s->other, length, mean);
        }
    }
    return KOL_OK;
}

kol_status spans_sample(struct spans *s, const struct grid *g, real *const vel[3], const real *pressure,
                        double *mean)
{
    const int wide = span_places(s->box, s->a), high = span_places(s->box, s->b);
    const int rows = rows_of(s->decomp, s->along, s->room, wide, high);
    for (int lo = 0; lo < high; lo += rows)
        TRY(sum_strip(s, g, vel, pressure, (struct span_rows){lo, lo + rows < high ? lo + rows : high}));
    if (s->after < 0 && s->comm->rank != 0)
        MPI_TRY(MPI_Send(s->own, wide * high * SPAN_COUNT, MPI_DOUBLE, 0, TAG_SECTION, s->comm->mpi));
    return mean != NULL ? collect(s, g->length[s->along], mean) : KOL_OK;
}
