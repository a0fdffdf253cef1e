/* The transport without MPI and without the hosts: the GPUs of one node write messages into each other's
 * memory. */
#ifndef KOL_PARALLEL_TRANSPORT_PEER_H
#define KOL_PARALLEL_TRANSPORT_PEER_H

#include "comm.h"
#include "memory.h"
#include "transport_routes.h"

/* These are the functions of transport.h. Sending and waiting are done by the kernels that pack and unpack.
 * Creating and destroying are collective. */
struct transport_peer;
kol_status transport_peer_create(struct memory *memory, const struct comm *c, const struct routes *r,
                                 struct transport_peer **out);
void transport_peer_destroy(struct transport_peer **t);
void transport_peer_omit(struct transport_peer *t, int shape, int n);
kol_status transport_peer_begin(struct transport_peer *t, int shape, int fields, struct parcel *out);

#endif
