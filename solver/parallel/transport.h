/* How bytes reach a neighbour. There are three ways in the CUDA build: the GPUs write into each other's
 * memory; MPI takes GPU memory; or the bytes pass through host memory, which works with any MPI. The CPU
 * build gives kernel memory to MPI. */
#ifndef KOL_PARALLEL_TRANSPORT_H
#define KOL_PARALLEL_TRANSPORT_H

#include "memory.h"
#include "transport_routes.h"

/* transport_check: returns KOL_ERR_INPUT if this build can have no such transport on any machine. wanted:
 * enum transport_name of input.h; at: its place in the input, for the message, or NULL. It touches no GPU. */
kol_status transport_check(int wanted, const char *at);

struct transport;
/* transport_create: makes buffers for every shape of exchange. wanted: enum transport_name of input.h;
 * KOL_ERR_INPUT if it can't be had. If memory is only counted and the choice depends on what the GPUs can do,
 * the transport with the largest buffers is assumed. Collective. c is borrowed. */
kol_status transport_create(struct memory *memory, const struct comm *c, int wanted, const struct routes *r,
                            struct transport **out);
/* transport_destroy: frees the transport and its buffers. Collective. */
void transport_destroy(struct transport **t);

/* transport_omit: from now on, in exchanges of this shape, message n does not travel, and neither does the
 * one that comes from rank[n]. Every rank omits the same numbers, n and n ^ 1 together, between the same two
 * exchanges. */
void transport_omit(struct transport *t, int shape, int n);

/* The four steps of an exchange of `fields` fields.
 *
 *   transport_begin   says where to pack
 *   transport_send    starts the messages; the packing must have been launched
 *   transport_await   waits for the messages; then they can be unpacked
 *   transport_join    ends the exchange; the unpacking must have been launched
 *
 * All but transport_begin are called while the queue of packing and unpacking is in use. Every rank calls the
 * steps in the same order. Exchanges of several transports may overlap if they are awaited in the order in
 * which they began. */
kol_status transport_begin(struct transport *t, int shape, int fields, struct parcel *out);
kol_status transport_send(struct transport *t);
kol_status transport_await(struct transport *t);
kol_status transport_join(struct transport *t);

/* transport_signals: returns whether the GPUs tell each other when messages are complete. Then parcels have
 * signals, and transport_send, transport_await and transport_join need not be called. */
int transport_signals(const struct transport *t);

/* transport_name: returns "mpi" (CPU), "peer", "cuda-aware", "host", or "none" (one rank of the CUDA build).
 * Borrowed. */
const char *transport_name(const struct transport *t);
/* transport_warning: returns what the user should know of the transport, or "". Borrowed. */
const char *transport_warning(const struct transport *t);

#endif
