/* How bytes reach a neighbour. The CPU build hands kernel memory to MPI; the CUDA build stages through page-locked
 * host memory, which works with any MPI. */
#ifndef KOL_TRANSPORT_H
#define KOL_TRANSPORT_H

#include "comm.h"
#include "../kernels/base/mem.h"

enum { TRANSPORT_MESSAGES = 18 };

struct message {
    int rank, tag;          /* the other side */
    ptrdiff_t first, count; /* values in the buffer */
};

struct transport;
/* transport_create: buffers of `values` real numbers, one to send and one to receive, in kernel memory. */
kol_status transport_create(const struct comm *c, ptrdiff_t values, struct transport **out);
void transport_destroy(struct transport **t);
real *transport_send_buffer(struct transport *t);
real *transport_receive_buffer(struct transport *t);
/* transport_begin: start n messages each way; transport_end: wait until both are done and the received values are in
 * kernel memory. */
kol_status transport_begin(struct transport *t, const struct message *send, const struct message *receive,
                           int n);
kol_status transport_end(struct transport *t);
/* transport_name: "mpi" (kernel memory is host memory) or "host" (staged). */
const char *transport_name(void);

#endif
