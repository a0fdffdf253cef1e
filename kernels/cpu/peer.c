/* Refuses memory of another process: the CPU build has none. */
#include "../peer.h"

#include <string.h>

static kol_status no_peers(void)
{
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no peers");
}

kol_status peer_identity(unsigned char id[16])
{
    memset(id, 0, 16);
    return no_peers();
}

int peer_reachable(const unsigned char id[16])
{
    (void)id;
    return 0;
}

kol_status peer_export(void *memory, struct peer_handle *out)
{
    (void)memory;
    memset(out, 0, sizeof *out);
    return no_peers();
}

kol_status peer_open(const struct peer_handle *h, void **out)
{
    (void)h;
    *out = NULL;
    return no_peers();
}

void peer_close(void *memory)
{
    (void)memory;
}
