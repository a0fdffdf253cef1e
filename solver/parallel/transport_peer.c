/* Lays out the memory and the signals by which GPUs write messages into each other's memory. */
#include "transport_peer.h"

#include <stdlib.h>
#include <string.h>
#include "peer_memory.h"

/* Each rank has a piece of memory that its neighbours see: a flag for each message of each shape, own
 * counters, then for each shape two slots for what it receives. The neighbour's GPU packs straight into a
 * slot, then raises the flag to the number of this exchange among those of its shape; this rank's unpacks
 * when it sees that. No host has a part in it.
 *
 * Why two slots are enough. Odd exchanges of a shape use one, even ones the other, so A writes into a slot of
 * B again in exchange e + 2. All of a rank's packing and unpacking is in one order, though in two queues, as
 * each exchange begins after what the compute queue had, and that goes on after its end (halo.c). A packs e +
 * 2 after unpacking e + 1, for which it has awaited B's message of e + 1; B packed that after unpacking e,
 * out of this slot. So B has read the slot. This wants messages both ways between every two that exchange, in
 * every exchange of the shape: where only one of them has values to send (velocities beyond the high faces)
 * the other one's message is a flag alone. Each shape has slots, flags and numbers of its own, for between
 * two exchanges of one shape there may be any number of others. */

enum { FLAG_WORDS = TRANSPORT_SHAPES * TRANSPORT_MESSAGES, HEAD_BYTES = 1024 };
_Static_assert((FLAG_WORDS + PACK_MESSAGES) * sizeof(unsigned) <= HEAD_BYTES, "raise HEAD_BYTES");
enum { SLOT_ALIGN = 64 }; /* values that slots are rounded up to */

/* layout: where a rank receives: shape s, number e, message n of f fields in the values after the head from
 * value base[s] + (e modulo 2) slot[s] + f before[s][n] on. */
struct layout {
    ptrdiff_t base[TRANSPORT_SHAPES], slot[TRANSPORT_SHAPES];
    ptrdiff_t before[TRANSPORT_SHAPES][TRANSPORT_MESSAGES];
    ptrdiff_t end;
};

struct transport_peer {
    const struct comm *comm;
    struct routes routes;
    struct peer_memory *peers;
    struct layout own;
    struct layout there[TRANSPORT_MESSAGES]; /* of rank[n] */
    unsigned round[TRANSPORT_SHAPES];        /* exchanges so far */
    struct pack_signals signals;
};

static struct layout layout_make(const struct comm *c, const struct routes *r)
{
    struct layout l = {.end = 0};
    for (int s = 0; s < TRANSPORT_SHAPES; ++s) {
        ptrdiff_t field = 0;
        for (int n = 0; n < TRANSPORT_MESSAGES; ++n) {
            l.before[s][n] = field;
            if (r->rank[n] != c->rank) field += r->receive[s][n];
        }
        l.base[s] = l.end;
        l.slot[s] = (field * r->fields[s] + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
        l.end += 2 * l.slot[s];
    }
    return l;
}

static size_t bytes_of(struct layout l, const struct routes *r)
{
    return HEAD_BYTES + (size_t)l.end * (size_t)r->bytes;
}

/* Layouts differ from rank to rank as the cells do. */
static kol_status gather_layouts(struct transport_peer *t)
{
    struct layout *all = malloc((size_t)t->comm->size * sizeof *all);
    kol_status st =
        all == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the list of buffers")
                    : KOL_OK;
    TRY_OR(done, comm_agree(t->comm, st));
    const int rc =
        MPI_Allgather(&t->own, sizeof t->own, MPI_BYTE, all, sizeof t->own, MPI_BYTE, t->comm->mpi);
    if (rc != MPI_SUCCESS) {
        st = comm_raise(rc, __FILE__, __LINE__, "MPI_Allgather of the places of messages");
        goto done;
    }
    for (int n = 0; n < TRANSPORT_MESSAGES; ++n) t->there[n] = all[t->routes.rank[n]];
done:
    free(all);
    return st;
}

kol_status transport_peer_create(struct memory *memory, const struct comm *c, const struct routes *r,
                                 struct transport_peer **out)
{
    struct transport_peer *t = calloc(1, sizeof *t);
    const kol_status st =
        t == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the transport") : KOL_OK;
    *out = t;
    TRY(memory_agree(memory, c, st));
    t->comm = c;
    t->routes = *r;
    t->own = layout_make(c, r);
    if (!memory_counts(memory)) TRY(gather_layouts(t));
    return peer_memory_create(memory, c, bytes_of(t->own, r), HEAD_BYTES, &t->peers);
}

void transport_peer_destroy(struct transport_peer **t)
{
    if (*t == NULL) return;
    peer_memory_destroy(&(*t)->peers);
    free(*t);
    *t = NULL;
}

static unsigned *head_of(const struct transport_peer *t, int rank)
{
    return peer_memory_memory(t->peers, rank);
}

static void *place(const struct transport_peer *t, int rank, const struct layout *l, int shape, int fields,
                   int n)
{
    unsigned char *memory = peer_memory_memory(t->peers, rank);
    const ptrdiff_t value =
        l->base[shape] + (t->round[shape] % 2) * l->slot[shape] + fields * l->before[shape][n];
    return memory + HEAD_BYTES + t->routes.bytes * value;
}

/* The places of the other messages stay, here and at the neighbours. */
void transport_peer_omit(struct transport_peer *t, int shape, int n)
{
    routes_omit(&t->routes, shape, n);
}

kol_status transport_peer_begin(struct transport_peer *t, int shape, int fields, struct parcel *out)
{
    const struct routes *r = &t->routes;
    const int own = t->comm->rank;
    memset(out, 0, sizeof *out);
    ++t->round[shape];
    t->signals = (struct pack_signals){.messages = TRANSPORT_MESSAGES,
                                       .round = t->round[shape],
                                       .shared = peer_memory_sharing(t->peers) > 1,
                                       .counter = head_of(t, own) + FLAG_WORDS};
    for (int n = 0; n < TRANSPORT_MESSAGES; ++n) {
        if (!routes_used(r, own, shape, n)) continue;
        out->send[n] = place(t, r->rank[n], &t->there[n], shape, fields, n ^ 1);
        out->receive[n] = place(t, own, &t->own, shape, fields, n);
        t->signals.raise[n] = head_of(t, r->rank[n]) + shape * TRANSPORT_MESSAGES + (n ^ 1);
        t->signals.await[n] = head_of(t, own) + shape * TRANSPORT_MESSAGES + n;
    }
    out->signals = &t->signals;
    return KOL_OK;
}
