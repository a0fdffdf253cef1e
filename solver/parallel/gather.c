/* Gathers a coarse grid on every rank, by MPI or by GPUs that write into each other's memory. */
#include "gather.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/pack.h"
#include "peer_memory.h"

/* Each rank packs its cells. It receives the cells of all ranks, rank after rank, and unpacks them into the
 * grid.
 *
 * With peer access each GPU packs directly into the memory of all ranks, including its own, and raises a flag
 * there (pack.h). The hosts take no part. The memory of a rank has two slots, which are used in turn, so rank
 * A writes into the same slot of rank B again two gathers later. Before that, A has waited for B's cells of
 * the gather in between. B packed these cells after it had unpacked the slot, because all work of a rank is
 * in one queue. So two slots are enough. */

/* Memory of each rank: a flag for each rank, its own counters, then two slots that each hold a whole grid. */
enum { FLAG_WORDS = GATHER_PEERS_MOST, HEAD_BYTES = 256 };
_Static_assert((FLAG_WORDS + PACK_MESSAGES) * sizeof(unsigned) <= HEAD_BYTES, "raise HEAD_BYTES");
_Static_assert((int)GATHER_PEERS_MOST <= (int)PACK_MESSAGES, "a message to each rank");
_Static_assert((int)GATHER_PEERS_MOST <= (int)PACK_ITEMS, "the ranks fit one list");
enum { SLOT_ALIGN = 64 }; /* slots are rounded up to a multiple of this [values] */

/* part: what a rank owns. */
struct part {
    int lo[3], n[3];
};

/* buffer: packed values in kernel memory, and where MPI finds them. */
struct buffer {
    unsigned char *kernel, *host; /* the same in the CPU build */
};

struct gather {
    const struct comm *comm;
    int n_g[3], bytes;
    struct part *part;  /* by rank */
    int *count, *first; /* by rank: number of values, and sum over the ranks before */
    struct buffer own, all;
    struct peer_memory *peers; /* NULL: by MPI */
    struct pack_signals signals;
};

static ptrdiff_t cells(const int n[3])
{
    return (ptrdiff_t)n[X] * n[Y] * n[Z];
}

static ptrdiff_t slot_values(const int n_g[3])
{
    return (cells(n_g) + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
}

static size_t peer_bytes(const int n_g[3], int bytes)
{
    return HEAD_BYTES + 2 * (size_t)slot_values(n_g) * (size_t)bytes;
}

static kol_status check_arguments(const int n_g[3], int bytes)
{
    if (bytes != (int)sizeof(float) && bytes != (int)sizeof(double))
        RAISE(KOL_ERR_INTERNAL, "values of %d bytes can't be gathered", bytes);
    if (cells(n_g) > INT_MAX)
        RAISE(KOL_ERR_INTERNAL, "a grid of %d x %d x %d cells is too large to be gathered", n_g[X], n_g[Y],
              n_g[Z]);
    return KOL_OK;
}

static kol_status allocate(struct gather *g)
{
    const size_t size = (size_t)g->comm->size;
    g->part = malloc(size * sizeof *g->part);
    g->count = malloc(size * sizeof *g->count);
    g->first = malloc(size * sizeof *g->first);
    if (g->part == NULL || g->count == NULL || g->first == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for the parts of a gather");
    return KOL_OK;
}

/* Collects the parts of all ranks, and checks their sizes. */
static kol_status collect_parts(struct gather *g, const int lo[3], const int n[3])
{
    const int ints = (int)(sizeof(struct part) / sizeof(int));
    const struct part mine = {{lo[X], lo[Y], lo[Z]}, {n[X], n[Y], n[Z]}};
    ptrdiff_t sum = 0;
    MPI_TRY(MPI_Allgather(&mine, ints, MPI_INT, g->part, ints, MPI_INT, g->comm->mpi));
    for (int r = 0; r < g->comm->size; ++r) {
        const struct part p = g->part[r];
        for (int d = 0; d < 3; ++d)
            if (p.lo[d] < 0 || p.n[d] < 0 || p.n[d] > g->n_g[d] - p.lo[d])
                RAISE(KOL_ERR_INTERNAL, "rank %d can't own cells %d to %d of %d", r, p.lo[d],
                      p.lo[d] + p.n[d], g->n_g[d]);
        g->count[r] = (int)cells(p.n);
        g->first[r] = (int)sum;
        sum += cells(p.n);
        if (sum > cells(g->n_g)) break;
    }
    if (sum != cells(g->n_g))
        RAISE(KOL_ERR_INTERNAL, "the ranks together have %td cells, but the grid has %td", sum,
              cells(g->n_g));
    return KOL_OK;
}

static kol_status buffer_create(struct memory *memory, struct buffer *b, size_t bytes)
{
    TRY(memory_kernel(memory, bytes, (void **)&b->kernel));
    if (!device_is_gpu()) {
        b->host = b->kernel;
        return KOL_OK;
    }
    return memory_host(memory, bytes, (void **)&b->host);
}

static void buffer_destroy(struct buffer *b)
{
    if (b->host != b->kernel) mem_host_free(b->host);
    mem_kernel_free(b->kernel);
}

static unsigned *flags_of(const struct gather *g, int rank)
{
    return peer_memory_memory(g->peers, rank);
}

static kol_status use_peers(struct memory *memory, struct gather *g)
{
    const struct comm *c = g->comm;
    TRY(peer_memory_create(memory, c, peer_bytes(g->n_g, g->bytes), HEAD_BYTES, &g->peers));
    if (memory_counts(memory)) return KOL_OK;
    g->signals = (struct pack_signals){.messages = c->size,
                                       .shared = peer_memory_sharing(g->peers) > 1,
                                       .counter = flags_of(g, c->rank) + FLAG_WORDS};
    for (int r = 0; r < c->size; ++r) {
        g->signals.items[r] = 1;
        g->signals.raise[r] = flags_of(g, r) + c->rank;
        g->signals.await[r] = flags_of(g, c->rank) + r;
    }
    return KOL_OK;
}

static kol_status use_mpi(struct memory *memory, struct gather *g, const int n[3])
{
    TRY(buffer_create(memory, &g->own, (size_t)cells(n) * (size_t)g->bytes));
    return buffer_create(memory, &g->all, (size_t)cells(g->n_g) * (size_t)g->bytes);
}

kol_status gather_create(struct memory *memory, const struct comm *c, const int lo[3], const int n[3],
                         const int n_g[3], int bytes, const char *transport, struct gather **out)
{
    struct gather *g = calloc(1, sizeof *g);
    kol_status st =
        g == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the gather of a grid")
                  : check_arguments(n_g, bytes);
    *out = g;
    TRY(memory_agree(memory, c, st));
    g->comm = c;
    g->bytes = bytes;
    for (int d = 0; d < 3; ++d) g->n_g[d] = n_g[d];
    TRY(memory_agree(memory, c, allocate(g)));
    if (!memory_counts(memory)) TRY(comm_agree(c, collect_parts(g, lo, n)));
    if (c->size == 1) return KOL_OK;
    if (strcmp(transport, "peer") == 0 && c->size <= GATHER_PEERS_MOST) return use_peers(memory, g);
    return memory_agree(memory, c, use_mpi(memory, g, n));
}

void gather_destroy(struct gather **g)
{
    struct gather *q = *g;
    if (q == NULL) return;
    peer_memory_destroy(&q->peers);
    buffer_destroy(&q->own);
    buffer_destroy(&q->all);
    free(q->part);
    free(q->count);
    free(q->first);
    free(q);
    *g = NULL;
}

static kol_status check_boxes(const struct gather *g, struct box own, struct box whole)
{
    const int *n = g->part[g->comm->rank].n;
    if (own.nx != n[X] || own.ny != n[Y] || own.nz != n[Z])
        RAISE(KOL_ERR_INTERNAL, "the box of own cells has %d x %d x %d cells, not %d x %d x %d", own.nx,
              own.ny, own.nz, n[X], n[Y], n[Z]);
    if (whole.nx != g->n_g[X] || whole.ny != g->n_g[Y] || whole.nz != g->n_g[Z])
        RAISE(KOL_ERR_INTERNAL, "the box of the whole grid has %d x %d x %d cells, not %d x %d x %d",
              whole.nx, whole.ny, whole.nz, g->n_g[X], g->n_g[Y], g->n_g[Z]);
    return KOL_OK;
}

/* Lists the cells of rank `begin` and of the ranks after it, as many as a list can hold. Each item copies
 * from `all`, where the ranks follow one another, to the cells' places in the grid. */
static struct pack_list list_parts(const struct gather *g, unsigned char *all, void *whole, int begin)
{
    struct pack_list list = {.bytes = g->bytes};
    for (int r = begin; r < g->comm->size && r < begin + PACK_ITEMS; ++r) {
        struct pack_item *item = &list.item[list.n++];
        *item = (struct pack_item){
            .field = whole, .place = all + (ptrdiff_t)g->first[r] * g->bytes, .message = -1};
        for (int d = 0; d < 3; ++d) {
            item->beyond.lo[d] = g->part[r].lo[d];
            item->beyond.hi[d] = g->part[r].lo[d] + g->part[r].n[d];
        }
    }
    return list;
}

/* packed: a box with these numbers of cells, without halo and padding. */
static struct box packed(const int n[3])
{
    return (struct box){.nx = n[X], .ny = n[Y], .nz = n[Z], .sy = n[X], .sz = (ptrdiff_t)n[X] * n[Y]};
}

static kol_status by_mpi(struct gather *g, const void *own, struct box own_box, void *whole,
                         struct box whole_box)
{
    const int mine = g->count[g->comm->rank];
    const MPI_Datatype type = g->bytes == (int)sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
    const int staged = g->own.host != g->own.kernel;
    TRY(pack_copy(own_box, own, packed(g->part[g->comm->rank].n), g->own.kernel, g->bytes));
    if (staged) TRY(mem_to_host(g->own.host, g->own.kernel, (size_t)mine * (size_t)g->bytes));
    MPI_TRY(MPI_Allgatherv(g->own.host, mine, type, g->all.host, g->count, g->first, type, g->comm->mpi));
    if (staged)
        TRY(mem_to_kernel_begin(g->all.kernel, g->all.host, (size_t)cells(g->n_g) * (size_t)g->bytes));
    for (int begin = 0; begin < g->comm->size; begin += PACK_ITEMS) {
        const struct pack_list list = list_parts(g, g->all.kernel, whole, begin);
        TRY(unpack_regions(whole_box, &list, NULL));
    }
    return KOL_OK;
}

/* The slot of the present gather in the memory of a rank. */
static unsigned char *slot_of(const struct gather *g, int rank)
{
    unsigned char *memory = peer_memory_memory(g->peers, rank);
    return memory + HEAD_BYTES + (g->signals.round % 2) * slot_values(g->n_g) * g->bytes;
}

static kol_status by_peers(struct gather *g, const void *own, struct box own_box, void *whole,
                           struct box whole_box)
{
    const struct comm *c = g->comm;
    const ptrdiff_t place = (ptrdiff_t)g->first[c->rank] * g->bytes;
    struct pack_list list = {.n = c->size, .bytes = g->bytes};
    ++g->signals.round;
    for (int r = 0; r < c->size; ++r)
        list.item[r] = (struct pack_item){.field = (void *)own, /* packing reads it alone */
                                          .own = range_all(own_box),
                                          .place = slot_of(g, r) + place,
                                          .message = r};
    struct pack_list parts = list_parts(g, slot_of(g, c->rank), whole, 0);
    for (int r = 0; r < c->size; ++r) parts.item[r].message = r;
    return exchange_regions(own_box, &list, whole_box, &parts, &g->signals);
}

kol_status gather_all(struct gather *g, const void *own, struct box own_box, void *whole,
                      struct box whole_box)
{
    TRY(check_boxes(g, own_box, whole_box));
    if (g->peers != NULL) return by_peers(g, own, own_box, whole, whole_box);
    if (g->comm->size > 1) return by_mpi(g, own, own_box, whole, whole_box);
    if (own != whole) return pack_copy(own_box, own, whole_box, whole, g->bytes);
    if (own_box.sy != whole_box.sy || own_box.sz != whole_box.sz || own_box.start != whole_box.start)
        RAISE(KOL_ERR_INTERNAL, "an array can't be gathered into itself as another box");
    return KOL_OK;
}
