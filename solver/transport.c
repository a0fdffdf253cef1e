#include "transport.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "../kernels/base/device.h"

#ifdef KOLMO_FLOAT
#define MPI_REAL_TYPE MPI_FLOAT
#else
#define MPI_REAL_TYPE MPI_DOUBLE
#endif

struct transport {
    const struct comm *comm;
    int staged;                     /* whether messages pass through host memory of their own */
    real *send, *receive;           /* kernel memory */
    real *host_send, *host_receive; /* staging, or the same as above */
    MPI_Request request[2 * TRANSPORT_MESSAGES];
    struct message arriving[TRANSPORT_MESSAGES];
    int n;
};

const char *transport_name(void)
{
    return strcmp(device_backend(), "cpu") == 0 ? "mpi" : "host";
}

kol_status transport_create(const struct comm *c, ptrdiff_t values, struct transport **out)
{
    struct transport *t = calloc(1, sizeof *t);
    if (t == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the transport");
    *out = t;
    t->comm = c;
    t->staged = strcmp(transport_name(), "host") == 0;
    const size_t bytes = (size_t)values * sizeof(real);
    TRY(mem_kernel_alloc(bytes, (void **)&t->send));
    TRY(mem_kernel_alloc(bytes, (void **)&t->receive));
    if (t->staged) {
        TRY(mem_host_alloc(bytes, (void **)&t->host_send));
        TRY(mem_host_alloc(bytes, (void **)&t->host_receive));
    } else {
        t->host_send = t->send;
        t->host_receive = t->receive;
    }
    return KOL_OK;
}

void transport_destroy(struct transport **t)
{
    if (*t == NULL) return;
    if ((*t)->staged) {
        mem_host_free((*t)->host_send);
        mem_host_free((*t)->host_receive);
    }
    mem_kernel_free((*t)->send);
    mem_kernel_free((*t)->receive);
    free(*t);
    *t = NULL;
}

real *transport_send_buffer(struct transport *t)
{
    return t->send;
}

real *transport_receive_buffer(struct transport *t)
{
    return t->receive;
}

kol_status transport_begin(struct transport *t, const struct message *send, const struct message *receive,
                           int n)
{
    t->n = n;
    for (int i = 0; i < n; ++i) {
        if (receive[i].count > INT_MAX) RAISE(KOL_ERR_INTERNAL, "a message of %td values", receive[i].count);
        t->arriving[i] = receive[i];
        MPI_TRY(MPI_Irecv(t->host_receive + receive[i].first, (int)receive[i].count, MPI_REAL_TYPE,
                          receive[i].rank, receive[i].tag, t->comm->mpi, &t->request[i]));
    }
    for (int i = 0; i < n; ++i) {
        if (t->staged) {
            TRY(mem_to_host(t->host_send + send[i].first, t->send + send[i].first,
                            (size_t)send[i].count * sizeof(real)));
        }
        MPI_TRY(MPI_Isend(t->host_send + send[i].first, (int)send[i].count, MPI_REAL_TYPE, send[i].rank,
                          send[i].tag, t->comm->mpi, &t->request[n + i]));
    }
    return KOL_OK;
}

kol_status transport_end(struct transport *t)
{
    MPI_TRY(MPI_Waitall(2 * t->n, t->request, MPI_STATUSES_IGNORE));
    for (int i = 0; t->staged && i < t->n; ++i) {
        const struct message m = t->arriving[i];
        TRY(mem_to_kernel(t->receive + m.first, t->host_receive + m.first, (size_t)m.count * sizeof(real)));
    }
    t->n = 0;
    return KOL_OK;
}
