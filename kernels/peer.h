/* Kernel memory of one process mapped into another on the same node (CUDA IPC), so that kernels write
 * straight into another GPU's memory. The CPU build has no peers. */
#ifndef KOL_PEER_H
#define KOL_PEER_H

#include "base/status.h"

KOL_BEGIN_C

enum { PEER_HANDLE_BYTES = 128 };
/* peer_handle: what another process needs to map memory that mem_kernel_alloc gave; plain bytes to send. */
struct peer_handle {
    unsigned char bytes[PEER_HANDLE_BYTES];
};
/* peer_identity: names this rank's GPU, so that ranks can tell whether they share one. */
kol_status peer_identity(unsigned char id[16]);
/* peer_reachable: whether this rank's GPU can write to the GPU of that identity (its own included). */
int peer_reachable(const unsigned char id[16]);
kol_status peer_export(void *memory, struct peer_handle *out);
/* peer_open: *out: the memory, to be closed with peer_close. KOL_ERR_CUDA where the system does not allow it.
 */
kol_status peer_open(const struct peer_handle *h, void **out);
void peer_close(void *memory);

KOL_END_C

#endif
