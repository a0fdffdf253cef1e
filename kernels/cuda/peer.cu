/* Maps kernel memory of another process on the same node, by CUDA IPC. */
#include "../peer.h"
#include "check.cuh"

#include <string.h>

static_assert(sizeof(cudaIpcMemHandle_t) <= PEER_HANDLE_BYTES, "raise PEER_HANDLE_BYTES");
static_assert(sizeof(cudaUUID_t) == 16, "an identity has 16 bytes");

static kol_status identity_of(int gpu, unsigned char id[16])
{
    struct cudaDeviceProp p;
    CUDA_TRY(cudaGetDeviceProperties(&p, gpu));
    memcpy(id, &p.uuid, sizeof p.uuid);
    return KOL_OK;
}

kol_status peer_identity(unsigned char id[16])
{
    int gpu = 0;
    CUDA_TRY(cudaGetDevice(&gpu));
    return identity_of(gpu, id);
}

static kol_status can_reach(const unsigned char id[16], int *reachable)
{
    int mine = 0, count = 0;
    unsigned char other[16];
    *reachable = 1; /* this rank does not see the GPU (CUDA_VISIBLE_DEVICES); peer_open tells */
    CUDA_TRY(cudaGetDevice(&mine));
    CUDA_TRY(cudaGetDeviceCount(&count));
    for (int gpu = 0; gpu < count; ++gpu) {
        TRY(identity_of(gpu, other));
        if (memcmp(other, id, sizeof other) != 0) continue;
        if (gpu != mine) CUDA_TRY(cudaDeviceCanAccessPeer(reachable, mine, gpu));
        return KOL_OK;
    }
    return KOL_OK;
}

int peer_reachable(const unsigned char id[16])
{
    int reachable = 0;
    if (can_reach(id, &reachable) == KOL_OK) return reachable;
    status_clear(); /* not reachable, whatever the reason */
    return 0;
}

kol_status peer_export(void *memory, struct peer_handle *out)
{
    cudaIpcMemHandle_t handle;
    CUDA_TRY(cudaIpcGetMemHandle(&handle, memory));
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &handle, sizeof handle);
    return KOL_OK;
}

kol_status peer_open(const struct peer_handle *h, void **out)
{
    cudaIpcMemHandle_t handle;
    *out = NULL;
    memcpy(&handle, h->bytes, sizeof handle);
    CUDA_TRY(cudaIpcOpenMemHandle(out, handle, cudaIpcMemLazyEnablePeerAccess));
    return KOL_OK;
}

void peer_close(void *memory)
{
    if (memory != NULL) (void)cudaIpcCloseMemHandle(memory);
}
