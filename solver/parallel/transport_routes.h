/* Which messages an exchange has, and where they are packed: what all transports share. */
#ifndef KOL_PARALLEL_TRANSPORT_ROUTES_H
#define KOL_PARALLEL_TRANSPORT_ROUTES_H

#include "kernels/pack.h"

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

#endif
