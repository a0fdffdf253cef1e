/* Which messages an exchange has, and where they are packed. All transports share this. */
#ifndef KOL_PARALLEL_TRANSPORT_ROUTES_H
#define KOL_PARALLEL_TRANSPORT_ROUTES_H

#include "kernels/pack.h"

enum { TRANSPORT_MESSAGES = PACK_MESSAGES, TRANSPORT_SHAPES = 6 };

/* routes: the messages of each shape of exchange.
 *
 *   bytes     bytes of a value, 4 or 8
 *   rank      message n goes to rank[n]; the message that comes from there was sent as message n ^ 1. If
 *             rank[n] is this rank, there are no such messages.
 *   fields    the most fields of one exchange; 0 if there is no exchange of this shape
 *   send      values of message n for one field
 *   receive   values of the message that comes from rank[n], for one field; if `send` is 0, too, there is no
 *             message either way */
struct routes {
    int bytes;
    int rank[TRANSPORT_MESSAGES];
    int fields[TRANSPORT_SHAPES];
    ptrdiff_t send[TRANSPORT_SHAPES][TRANSPORT_MESSAGES], receive[TRANSPORT_SHAPES][TRANSPORT_MESSAGES];
};
/* routes_used: returns whether anything goes to rank[n] or comes from there in exchanges of this shape. */
int routes_used(const struct routes *r, int rank, int shape, int n);
/* routes_omit: from now on nothing goes to rank[n] or comes from there in exchanges of this shape. */
void routes_omit(struct routes *r, int shape, int n);

/* parcel: where the messages of an exchange are packed to and unpacked from. In each message the fields come
 * one after the other. signals: for packing and unpacking; NULL: there are none. With signals, an empty
 * message is raised and awaited, too. */
struct parcel {
    void *send[TRANSPORT_MESSAGES], *receive[TRANSPORT_MESSAGES];
    struct pack_signals *signals; /* items[] are the caller's to set */
};

#endif
