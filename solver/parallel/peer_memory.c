/* Maps kernel memory of each rank of a node into the processes of all the others. */
#include "peer_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/peer.h"

enum { IDENTITY_BYTES = 16 };
/* CUDA takes small allocations from blocks of this size, and it maps only complete blocks into other
 * processes. If the size of an allocation is a multiple of the block, it shares no block with its neighbours
 * and begins where the mapping begins. */
static const size_t IPC_BLOCK = (size_t)2 << 20;

struct peer_memory {
    const struct comm *comm;
    void *own;
    void **memory; /* by rank */
    int sharing;
};

static size_t whole_blocks(size_t bytes)
{
    return (bytes + IPC_BLOCK - 1) / IPC_BLOCK * IPC_BLOCK;
}

/* Gathers the identities of all ranks' GPUs; the caller frees them. */
static kol_status gather_identities(const struct comm *c, unsigned char **out)
{
    unsigned char own[IDENTITY_BYTES];
    *out = malloc((size_t)c->size * IDENTITY_BYTES);
    kol_status st = *out == NULL
                        ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the list of GPUs")
                        : peer_identity(own);
    TRY(comm_agree(c, st));
    MPI_TRY(MPI_Allgather(own, IDENTITY_BYTES, MPI_BYTE, *out, IDENTITY_BYTES, MPI_BYTE, c->mpi));
    return KOL_OK;
}

static int most_alike(const unsigned char *id, int n)
{
    int most = 0;
    for (int i = 0; i < n; ++i) {
        int alike = 0;
        for (int j = 0; j < n; ++j)
            alike += memcmp(id + i * IDENTITY_BYTES, id + j * IDENTITY_BYTES, IDENTITY_BYTES) == 0;
        most = alike > most ? alike : most;
    }
    return most;
}

kol_status peer_memory_obstacle(const struct comm *c, char *text, size_t size, int *sharing)
{
    unsigned char *id = NULL;
    int nodes = c->node_size < c->size, pair[2] = {c->size, c->size}; /* this rank and one it can't reach */
    text[0] = '\0';
    const kol_status st = gather_identities(c, &id);
    if (st == KOL_OK) {
        *sharing = most_alike(id, c->size);
        for (int r = 0; r < c->size && pair[0] == c->size; ++r) {
            if (peer_reachable(id + r * IDENTITY_BYTES)) continue;
            pair[0] = c->rank;
            pair[1] = r;
        }
    }
    free(id);
    TRY(st);
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_MAX, c->mpi));
    struct {
        int from, to;
    } mine = {pair[0], pair[1]}, first;
    MPI_TRY(MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, c->mpi));
    if (nodes) snprintf(text, size, "the ranks are not all on one node");
    else if (first.from < c->size)
        snprintf(text, size, "the GPU of rank %d can't write to that of rank %d", first.from, first.to);
    return KOL_OK;
}

static kol_status allocate(struct peer_memory *p, size_t bytes, size_t zeros, struct peer_handle *handle)
{
    p->memory = calloc((size_t)p->comm->size, sizeof *p->memory);
    if (p->memory == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the list of peers");
    TRY(mem_kernel_alloc(bytes, &p->own));
    p->memory[p->comm->rank] = p->own;
    void *nothing = calloc(1, zeros > 0 ? zeros : 1);
    if (nothing == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the flags of peers");
    kol_status st = mem_to_kernel(p->own, nothing, zeros);
    free(nothing);
    TRY(st);
    return p->comm->size > 1 ? peer_export(p->own, handle) : KOL_OK;
}

static kol_status open_all(struct peer_memory *p, const struct peer_handle *handle)
{
    for (int r = 0; r < p->comm->size; ++r)
        if (r != p->comm->rank) TRY(peer_open(&handle[r], &p->memory[r]));
    return KOL_OK;
}

static kol_status map_all(const struct comm *c, size_t bytes, size_t zeros, struct peer_memory **out)
{
    struct peer_handle own, *handle = malloc((size_t)c->size * sizeof *handle);
    struct peer_memory *p = calloc(1, sizeof *p);
    unsigned char *id = NULL;
    kol_status st = p == NULL || handle == NULL
                        ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the peers")
                        : KOL_OK;
    memset(&own, 0, sizeof own);
    *out = NULL;
    TRY_OR(done, comm_agree(c, st));
    *out = p;
    p->comm = c;
    st = gather_identities(c, &id);
    if (st == KOL_OK) p->sharing = most_alike(id, c->size);
    TRY_OR(done, comm_agree(c, st));
    TRY_OR(done, comm_agree(c, allocate(p, bytes, zeros, &own)));
    const int rc = MPI_Allgather(&own, sizeof own, MPI_BYTE, handle, sizeof own, MPI_BYTE, c->mpi);
    if (rc != MPI_SUCCESS) st = comm_raise(rc, __FILE__, __LINE__, "MPI_Allgather of the handles of peers");
    if (st == KOL_OK) st = open_all(p, handle);
    TRY_OR(done, comm_agree(c, st));
done:
    free(handle);
    free(id);
    if (*out == NULL) free(p);
    return st;
}

kol_status peer_memory_create(struct memory *memory, const struct comm *c, size_t bytes, size_t zeros,
                              struct peer_memory **out)
{
    void *none;
    *out = NULL;
    if (memory_counts(memory)) return memory_kernel(memory, whole_blocks(bytes), &none);
    return map_all(c, whole_blocks(bytes), zeros, out);
}

int peer_memory_sharing(const struct peer_memory *p)
{
    return p->sharing;
}

void *peer_memory_memory(const struct peer_memory *p, int rank)
{
    return p->memory[rank];
}

/* Frees the memory once all other ranks have closed it and none of their kernels can still write to it. */
void peer_memory_destroy(struct peer_memory **p)
{
    struct peer_memory *q = *p;
    if (q == NULL) return;
    (void)device_wait();
    for (int r = 0; q->memory != NULL && r < q->comm->size; ++r)
        if (r != q->comm->rank) peer_close(q->memory[r]);
    (void)MPI_Barrier(q->comm->mpi);
    mem_kernel_free(q->own);
    free(q->memory);
    free(q);
    *p = NULL;
}
