/* Chooses the transport of halo messages, and hands each call on to it. */
#include "transport.h"

#include <stdio.h>
#include <stdlib.h>
#include "inputs/input.h"
#include "kernels/base/device.h"
#include "peer_memory.h"
#include "transport_mpi.h"
#include "transport_peer.h"

enum { WARNING_TEXT = 256 };

/* transport: MPI or peers. The CUDA build on one rank has neither. */
struct transport {
    struct transport_mpi *mpi;
    struct transport_peer *peer;
    const char *name;
    char warning[WARNING_TEXT];
};

static const char *wanted_name(int wanted)
{
    return wanted == TRANSPORT_PEER ? "peer" : wanted == TRANSPORT_CUDA_AWARE ? "cuda-aware" : "host";
}

static kol_status use_mpi(struct memory *memory, struct transport *t, const struct comm *c,
                          const struct routes *r, const char *name, enum transport_mpi_kind kind)
{
    t->name = name;
    return memory_agree(memory, c, transport_mpi_create(memory, c, kind, r, &t->mpi));
}

static kol_status use_peer(struct memory *memory, struct transport *t, const struct comm *c,
                           const struct routes *r)
{
    t->name = "peer";
    return transport_peer_create(memory, c, r, &t->peer);
}

/* Whether the MPI of every rank accepts GPU memory. */
static kol_status all_cuda_aware(const struct comm *c, int *all)
{
    *all = transport_mpi_takes_gpu_memory() ? 1 : 0;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_MIN, c->mpi));
    return KOL_OK;
}

/* Chooses the transport. Whether memory can be mapped is known only after a trial. If it can't, the next
 * transport is taken, and the log gets the reason. */
static kol_status choose(struct transport *t, const struct comm *c, const struct routes *r,
                         const char *obstacle, int sharing)
{
    int cuda_aware;
    if (obstacle[0] == '\0' && sharing == 1) {
        const kol_status st = use_peer(NULL, t, c, r);
        if (st != KOL_ERR_CUDA) return st;
        snprintf(t->warning, sizeof t->warning, "GPUs can't write into each other's memory: %.160s",
                 status_message());
        status_clear();
        transport_peer_destroy(&t->peer);
    }
    TRY(all_cuda_aware(c, &cuda_aware));
    return cuda_aware ? use_mpi(NULL, t, c, r, "cuda-aware", VIA_DEVICE)
                      : use_mpi(NULL, t, c, r, "host", VIA_STAGED);
}

static kol_status force(struct transport *t, const struct comm *c, const struct routes *r, int wanted,
                        const char *obstacle)
{
    int cuda_aware;
    if (wanted == TRANSPORT_HOST) return use_mpi(NULL, t, c, r, "host", VIA_STAGED);
    if (wanted == TRANSPORT_CUDA_AWARE) {
        TRY(all_cuda_aware(c, &cuda_aware));
        if (cuda_aware) return use_mpi(NULL, t, c, r, "cuda-aware", VIA_DEVICE);
        RAISE(KOL_ERR_INPUT, "error: device.transport = 'cuda-aware' is not possible: this MPI does not "
                             "accept GPU memory; choose 'auto' or 'host'");
    }
    if (obstacle[0] != '\0')
        RAISE(KOL_ERR_INPUT, "error: device.transport = 'peer' is not possible: %s; choose 'auto' or 'host'",
              obstacle);
    const kol_status st = use_peer(NULL, t, c, r);
    if (st != KOL_ERR_CUDA) return st;
    char reason[WARNING_TEXT];
    snprintf(reason, sizeof reason, "%s", status_message());
    status_clear();
    RAISE(KOL_ERR_INPUT, "error: device.transport = 'peer' is not possible: %s; choose 'auto' or 'host'",
          reason);
}

static kol_status create_on_gpus(struct transport *t, const struct comm *c, int wanted,
                                 const struct routes *r)
{
    char obstacle[WARNING_TEXT];
    int sharing = 1;
    t->name = "none";
    if (c->size == 1) {
        if (wanted != TRANSPORT_AUTO)
            snprintf(t->warning, sizeof t->warning,
                     "device.transport = '%s' has no effect: one rank sends no messages",
                     wanted_name(wanted));
        return KOL_OK;
    }
    TRY(peer_memory_obstacle(c, obstacle, sizeof obstacle, &sharing));
    if (sharing > 1)
        snprintf(t->warning, sizeof t->warning,
                 "%d ranks share a GPU and take turns; one rank for each GPU is faster", sharing);
    if (wanted == TRANSPORT_AUTO) return choose(t, c, r, obstacle, sharing);
    return force(t, c, r, wanted, obstacle);
}

/* Counts the memory without asking the GPUs. It assumes peers, which need more than MPI. */
static kol_status count_on_gpus(struct memory *memory, struct transport *t, const struct comm *c, int wanted,
                                const struct routes *r)
{
    const int peers = c->node_size == c->size && (wanted == TRANSPORT_AUTO || wanted == TRANSPORT_PEER);
    t->name = "none";
    if (c->size == 1) return KOL_OK;
    return peers ? use_peer(memory, t, c, r) : use_mpi(memory, t, c, r, "host", VIA_STAGED);
}

kol_status transport_check(int wanted, const char *at)
{
    if (device_is_gpu() || wanted == TRANSPORT_AUTO) return KOL_OK;
    RAISE(
        KOL_ERR_INPUT,
        "%s%serror: device.transport = '%s' exists in the CUDA build only; this build sends by MPI: leave it "
        "at 'auto'",
        at != NULL ? at : "", at != NULL ? ": " : "", wanted_name(wanted));
}

kol_status transport_create(struct memory *memory, const struct comm *c, int wanted, const struct routes *r,
                            struct transport **out)
{
    struct transport *t = calloc(1, sizeof *t);
    *out = t;
    TRY(memory_agree(memory, c,
                     t == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the transport")
                         : KOL_OK));
    TRY(memory_agree(memory, c, transport_check(wanted, NULL)));
    if (!device_is_gpu()) return use_mpi(memory, t, c, r, "mpi", VIA_DIRECT);
    if (memory_counts(memory)) return count_on_gpus(memory, t, c, wanted, r);
    return comm_agree(c, create_on_gpus(t, c, wanted, r));
}

void transport_destroy(struct transport **t)
{
    if (*t == NULL) return;
    transport_mpi_destroy(&(*t)->mpi);
    transport_peer_destroy(&(*t)->peer);
    free(*t);
    *t = NULL;
}

void transport_omit(struct transport *t, int shape, int n)
{
    if (t->peer != NULL) transport_peer_omit(t->peer, shape, n);
    if (t->mpi != NULL) transport_mpi_omit(t->mpi, shape, n);
}

kol_status transport_begin(struct transport *t, int shape, int fields, struct parcel *out)
{
    if (t->peer != NULL) return transport_peer_begin(t->peer, shape, fields, out);
    return transport_mpi_begin(t->mpi, shape, fields, out);
}

kol_status transport_send(struct transport *t)
{
    return t->mpi != NULL ? transport_mpi_send(t->mpi) : KOL_OK;
}

kol_status transport_await(struct transport *t)
{
    return t->mpi != NULL ? transport_mpi_await(t->mpi) : KOL_OK;
}

kol_status transport_join(struct transport *t)
{
    return t->mpi != NULL ? transport_mpi_join(t->mpi) : KOL_OK;
}

int transport_signals(const struct transport *t)
{
    return t->peer != NULL;
}

const char *transport_name(const struct transport *t)
{
    return t->name;
}

const char *transport_warning(const struct transport *t)
{
    return t->warning;
}
