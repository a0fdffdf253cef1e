/* How bytes reach a neighbour: written by the GPUs into each other's memory, by an MPI that takes GPU memory,
 * or by way of host memory, which works with any MPI. The CPU build hands kernel memory to MPI. */
#ifndef KOL_PARALLEL_TRANSPORT_H
#define KOL_PARALLEL_TRANSPORT_H

#include "memory.h"
#include "transport_routes.h"

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

/* An exchange of so many fields has four calls. transport_begin says where to pack. Once that is given out,
 * transport_send starts the messages. After transport_await they can be unpacked, and transport_join says
 * that the unpacking has been given out, too. All but transport_begin are called with the queue in use on
 * which packing and unpacking go. Every rank calls them in the same order. Exchanges of several transports
 * may overlap where they are awaited in the order in which they began. */
kol_status transport_begin(struct transport *t, int shape, int fields, struct parcel *out);
kol_status transport_send(struct transport *t);
kol_status transport_await(struct transport *t);
kol_status transport_join(struct transport *t);

/* transport_signals: whether the GPUs tell each other that messages are whole: parcels have signals, and
 * transport_send, transport_await and transport_join need not be called. */
int transport_signals(const struct transport *t);

/* transport_name: "mpi" (CPU), "peer", "cuda-aware", "host", or "none" (one rank of the CUDA build).
 * transport_warning: what the user should know of it, "" for nothing; borrowed. */
const char *transport_name(const struct transport *t);
const char *transport_warning(const struct transport *t);

#endif
