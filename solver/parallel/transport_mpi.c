/* Sends and receives messages by MPI, from kernel memory or from copies of it in host memory. */
#include "transport_mpi.h"

#include <limits.h>
#include <stdlib.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"

/* Each MPI implementation declares in a header of its own whether it accepts GPU memory. */
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

enum { TAG = 100 }; /* of message 0 */

/* buffer: the messages one after the other, in kernel memory, and where MPI finds them. */
struct buffer {
    unsigned char *kernel, *host; /* the same unless staged */
};

struct transport_mpi {
    const struct comm *comm;
    enum transport_mpi_kind kind;
    struct routes routes;
    struct buffer send, receive;
    struct device_mark *packed; /* all messages are packed, and copied to host memory if staged */
    struct device_mark *taken;  /* everything received is unpacked, so the buffer is free */
    int shape, fields;          /* of the exchange under way */
    int exchanged;              /* whether there was one before */
    int requests;
    MPI_Request request[2 * TRANSPORT_MESSAGES];
};

int transport_mpi_takes_gpu_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support();
#else
    return 0;
#endif
}

/* Number of values in messages 0 .. end-1 of one field. */
static ptrdiff_t values(const struct comm *c, const struct routes *r, const ptrdiff_t *count, int end)
{
    ptrdiff_t sum = 0;
    for (int n = 0; n < end; ++n) sum += r->rank[n] == c->rank ? 0 : count[n];
    return sum;
}

/* Bytes of the largest exchange. */
static size_t most_bytes(const struct comm *c, const struct routes *r, int sent)
{
    ptrdiff_t most = 0;
    for (int s = 0; s < TRANSPORT_SHAPES; ++s) {
        const ptrdiff_t v =
            r->fields[s] * values(c, r, sent ? r->send[s] : r->receive[s], TRANSPORT_MESSAGES);
        most = v > most ? v : most;
    }
    return (size_t)most * (size_t)r->bytes;
}

static kol_status buffer_create(struct memory *memory, struct buffer *b, enum transport_mpi_kind kind,
                                size_t bytes)
{
    TRY(memory_kernel(memory, bytes, (void **)&b->kernel));
    b->host = b->kernel;
    if (kind != VIA_STAGED) return KOL_OK;
    b->host = NULL;
    return memory_host(memory, bytes, (void **)&b->host);
}

static void buffer_destroy(struct buffer *b)
{
    if (b->host != b->kernel) mem_host_free(b->host);
    mem_kernel_free(b->kernel);
}

static kol_status check_lengths(const struct routes *r)
{
    for (int s = 0; s < TRANSPORT_SHAPES; ++s)
        for (int n = 0; n < TRANSPORT_MESSAGES; ++n)
            if (r->fields[s] > 0 &&
                (r->send[s][n] > INT_MAX / r->fields[s] || r->receive[s][n] > INT_MAX / r->fields[s]))
                RAISE(KOL_ERR_INPUT,
                      "error: grid.n is too large for so few ranks: a message of %d fields with %td values "
                      "each has more values than the %d that MPI can send at once; use more ranks",
                      r->fields[s], r->send[s][n] > r->receive[s][n] ? r->send[s][n] : r->receive[s][n],
                      INT_MAX);
    return KOL_OK;
}

kol_status transport_mpi_create(struct memory *memory, const struct comm *c, enum transport_mpi_kind kind,
                                const struct routes *r, struct transport_mpi **out)
{
    TRY(check_lengths(r));
    struct transport_mpi *t = calloc(1, sizeof *t);
    if (t == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the transport");
    *out = t;
    t->comm = c;
    t->kind = kind;
    t->routes = *r;
    TRY(buffer_create(memory, &t->send, kind, most_bytes(c, r, 1)));
    TRY(buffer_create(memory, &t->receive, kind, most_bytes(c, r, 0)));
    if (memory_counts(memory)) return KOL_OK;
    TRY(device_mark_create(0, &t->packed));
    return device_mark_create(0, &t->taken);
}

void transport_mpi_destroy(struct transport_mpi **t)
{
    if (*t == NULL) return;
    buffer_destroy(&(*t)->send);
    buffer_destroy(&(*t)->receive);
    device_mark_destroy(&(*t)->packed);
    device_mark_destroy(&(*t)->taken);
    free(*t);
    *t = NULL;
}

/* Starts the sends or the receives of the exchange. */
static kol_status start(struct transport_mpi *t, int sending)
{
    const struct routes *r = &t->routes;
    const ptrdiff_t *count = sending ? r->send[t->shape] : r->receive[t->shape];
    const MPI_Datatype type = r->bytes == (int)sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
    for (int n = 0; n < TRANSPORT_MESSAGES; ++n) {
        const int length = (int)(t->fields * count[n]);
        const ptrdiff_t first = r->bytes * t->fields * values(t->comm, r, count, n);
        if (r->rank[n] == t->comm->rank || length == 0) continue;
        MPI_Request *request = &t->request[t->requests++];
        if (sending) {
            MPI_TRY(
                MPI_Isend(t->send.host + first, length, type, r->rank[n], TAG + n, t->comm->mpi, request));
        } else {
            MPI_TRY(MPI_Irecv(t->receive.host + first, length, type, r->rank[n], TAG + (n ^ 1), t->comm->mpi,
                              request));
        }
    }
    return KOL_OK;
}

void transport_mpi_omit(struct transport_mpi *t, int shape, int n)
{
    routes_omit(&t->routes, shape, n);
}

kol_status transport_mpi_begin(struct transport_mpi *t, int shape, int fields, struct parcel *out)
{
    const struct routes *r = &t->routes;
    if (t->exchanged) TRY(device_mark_wait(t->taken));
    t->exchanged = 1;
    t->shape = shape;
    t->fields = fields;
    t->requests = 0;
    out->signals = NULL;
    for (int n = 0; n < TRANSPORT_MESSAGES; ++n) {
        out->send[n] = t->send.kernel + r->bytes * fields * values(t->comm, r, r->send[shape], n);
        out->receive[n] = t->receive.kernel + r->bytes * fields * values(t->comm, r, r->receive[shape], n);
    }
    return start(t, 0);
}

/* Bytes sent, or received, in the present exchange. */
static size_t bytes_under_way(const struct transport_mpi *t, int sent)
{
    const struct routes *r = &t->routes;
    const ptrdiff_t *count = sent ? r->send[t->shape] : r->receive[t->shape];
    return (size_t)(t->fields * values(t->comm, r, count, TRANSPORT_MESSAGES)) * (size_t)r->bytes;
}

/* The host does not wait for the GPU here, because it can still launch work that needs no message. */
kol_status transport_mpi_send(struct transport_mpi *t)
{
    if (t->kind == VIA_DIRECT) return start(t, 1);
    if (t->kind == VIA_STAGED) TRY(mem_to_host_begin(t->send.host, t->send.kernel, bytes_under_way(t, 1)));
    return device_mark_record(t->packed);
}

kol_status transport_mpi_await(struct transport_mpi *t)
{
    if (t->kind != VIA_DIRECT) {
        TRY(device_mark_wait(t->packed));
        TRY(start(t, 1));
    }
    MPI_TRY(MPI_Waitall(t->requests, t->request, MPI_STATUSES_IGNORE));
    t->requests = 0;
    if (t->kind != VIA_STAGED) return KOL_OK;
    return mem_to_kernel_begin(t->receive.kernel, t->receive.host, bytes_under_way(t, 0));
}

kol_status transport_mpi_join(struct transport_mpi *t)
{
    return device_mark_record(t->taken);
}
