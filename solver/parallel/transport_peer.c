/* Lays out the memory and the signals by which GPUs write messages into each other's memory. */
#include "transport_peer.h"

#include <stdlib.h>
#include <string.h>
#include "peer_memory.h"

/* Each rank has a piece of memory that its neighbours can write to. It holds a flag for each message of each
 * shape, the rank's own counters, and two slots for each shape, which receive the values. The neighbour's GPU
 * packs directly into a slot. Then it sets the flag to the number of this exchange, counted among those of
 * the same shape. The rank unpacks the message once it sees this number. The hosts do nothing.
 *
 * Two slots are enough. Odd exchanges of a shape use one slot and even ones the other, so A writes into the
 * same slot of B again in exchange e + 2. The packing and unpacking of a rank uses two queues but is done in
 * one order. An exchange begins after the earlier work of the compute queue, and the compute queue continues
 * after the end of the exchange (halo.c). So when A packs exchange e + 2,
 *
 *   - A has unpacked exchange e + 1, and has waited for B's message of it;
 *   - B packed that message after it had unpacked exchange e from this slot.
 *
 * So B has read the slot. This requires that messages go both ways between two neighbours, in every exchange
 * of the shape. In some exchanges only one of the two has values to send (velocities beyond the high faces).
 * The other one then sends only a flag. Each shape has its own slots, flags and numbers, because any number
 * of exchanges of other shapes may come in between. */

enum { FLAG_WORDS = TRANSPORT_SHAPES * TRANSPORT_MESSAGES, HEAD_BYTES = 1024 };
_Static_assert((FLAG_WORDS + PACK_MESSAGES) * sizeof(unsigned) <= HEAD_BYTES, "raise HEAD_BYTES");
enum { SLOT_ALIGN = 64 }; /* slots are rounded up to a multiple of this [values] */

/* layout: where a rank receives. Message n of exchange e with shape s and f fields begins, in the values
 * after the head, at base[s] + (e modulo 2) slot[s] + f before[s][n]. */
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

/* Gathers the layouts of all ranks. They differ because the numbers of cells differ. */
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

/* Omits a message. The others keep their places, here and at the neighbours. */
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
