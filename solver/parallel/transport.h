/* How bytes reach a neighbour: written by the GPUs into each other's memory, by an MPI that takes GPU memory,
 * or by way of host memory, which works with any MPI. The CPU build hands kernel memory to MPI. */
#ifndef KOL_PARALLEL_TRANSPORT_H
#define KOL_PARALLEL_TRANSPORT_H

#include "kernels/pack.h"
#include "memory.h"

enum { TRANSPORT_MESSAGES = PACK_MESSAGES, TRANSPORT_SHAPES = 5 };

/* routes: the messages of each shape of exchange. Message n goes to rank[n], and one comes from there that
 * was sent as message n ^ 1; where rank[n] is this rank there are none. send, receive: values for one field,
 * 0 both ways: none; fields: most of one exchange, 0 where there is none of that shape. */
struct routes {
    int bytes; /* of a value: 4 or 8 */
    int rank[TRANSPORT_MESSAGES];
    int fields[TRANSPORT_SHAPES];
    ptrdiff_t send[TRANSPORT_SHAPES][TRANSPORT_MESSAGES], receive[TRANSPORT_SHAPES][TRANSPORT_MESSAGES];
};
/* routes_used: whether anything goes to or comes from rank[n] in exchanges of this shape. */
int routes_used(const struct routes *r, int rank, int shape, int n);
/* routes_omit: none goes to rank[n] or comes from there any more. */
void routes_omit(struct routes *r, int shape, int n);

/* parcel: where the messages of an exchange are packed to and unpacked from, the fields of each one after the
 * other. signals: for both; NULL: none. With signals a message is raised and awaited where it holds nothing,
 * too. */
struct parcel {
    void *send[TRANSPORT_MESSAGES], *receive[TRANSPORT_MESSAGES];
    struct pack_signals *signals; /* items[] are the caller's to set */
};

/* transport_check: KOL_ERR_INPUT where this build has no such transport, on any machine. wanted: enum
 * transport_name of input.h. Touches no GPU. */
kol_status transport_check(int wanted);

struct transport;
/* transport_create: buffers for every shape. wanted: as above. KOL_ERR_INPUT where that can't be had. Where
 * memory is only counted and GPUs are to be asked what they can do, it is taken to be the transport with the
 * largest buffers. Collective. c is borrowed. */
kol_status transport_create(struct memory *memory, const struct comm *c, int wanted, const struct routes *r,
                            struct transport **out);
/* transport_destroy: collective. */
void transport_destroy(struct transport **t);

/* transport_omit: from now on message n of exchanges of this shape does not travel, nor the one that comes
 * from rank[n]. Every rank omits the same numbers, n and n ^ 1 together, between the same two exchanges. */
void transport_omit(struct transport *t, int shape, int n);

/* An exchange of so many fields: transport_open says where to pack; pack; transport_send; then
 * transport_receive, the unpacking and transport_close. All but transport_open with the queue in use on which
 * packing and unpacking go. Every rank, in the same order. Exchanges of several transports may overlap where
 * they are received in the order in which they were opened. */
kol_status transport_open(struct transport *t, int shape, int fields, struct parcel *out);
kol_status transport_send(struct transport *t);
kol_status transport_receive(struct transport *t);
kol_status transport_close(struct transport *t);

/* transport_signals: whether the GPUs tell each other that messages are whole: parcels have signals, and
 * transport_send, transport_receive and transport_close need not be called. */
int transport_signals(const struct transport *t);

/* transport_name: "mpi" (CPU), "peer", "cuda-aware", "host", or "none" (one rank of the CUDA build).
 * transport_warning: what the user should know of it, "" for nothing; borrowed. */
const char *transport_name(const struct transport *t);
const char *transport_warning(const struct transport *t);

#endif
