/* Kernel memory of one process mapped into another one on the same node (CUDA IPC), so that kernels write
 * directly to the memory of another GPU. The CPU build has no peers. */
#ifndef KOL_PEER_H
#define KOL_PEER_H

#include "base/status.h"

KOL_BEGIN_C

enum { PEER_HANDLE_BYTES = 128 };
/* peer_handle: what another process needs to map memory that mem_kernel_alloc returned. It consists of plain
 * bytes and can be sent as a message. */
struct peer_handle {
    unsigned char bytes[PEER_HANDLE_BYTES];
};
/* peer_identity: returns the identity of this rank's GPU, so that ranks can find out whether they share one.
 */
kol_status peer_identity(unsigned char id[16]);
/* peer_reachable: returns whether this rank's GPU can write to the GPU with this identity, which may be its
 * own. */
int peer_reachable(const unsigned char id[16]);
/* peer_export: makes the handle of kernel memory of this process. */
kol_status peer_export(void *memory, struct peer_handle *out);
/* peer_open: maps the memory of a handle. *out: the memory, which peer_close releases. Returns KOL_ERR_CUDA
 * if the system does not allow it. */
kol_status peer_open(const struct peer_handle *h, void **out);
void peer_close(void *memory);

KOL_END_C

#endif
