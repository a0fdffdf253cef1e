/* A sweep over all cells that runs while the halo of what it reads travels: the one place for the pattern
 * "begin, sweep the inner cells, await, sweep the rim, join". docs/numerics/halo.md, "Overlap". */
#ifndef KOL_PARALLEL_EXCHANGE_H
#define KOL_PARALLEL_EXCHANGE_H

#include "halo.h"

/* exchange: what a sweep reads, and how its halo is filled. boundary_exchange() makes one that obeys walls
 * and open faces, ppcg_exchange() one of the solver's vectors. Plain data that borrows all it points to.
 *
 *   halo, fields, n, shape   as of halo_begin
 *   held     bit f: what lies on the other side of the grid is no neighbour beyond face f (cells.around)
 *   beyond   writes what does not come from neighbours, over what the halo exchange leaves there. It is
 *            called with CELLS_INNER for what the inner cells read; with CELLS_RIM for the rest, in the
 *            queue of the exchange, only where faces are remote; with CELLS_ALL by exchange_fill. If the
 *            rim reads what the call for the inner cells has written, that call ends with halo_mark.
 *            NULL: there is nothing to write
 *   of       what beyond works with */
struct exchange {
    struct halo *halo;
    real *const *fields;
    int n;
    enum halo_shape shape;
    unsigned held;
    kol_status (*beyond)(const struct exchange *x, enum cells_which which);
    const void *of;
};

/* exchange_begin, exchange_await, exchange_join: halo_begin, halo_await and halo_join, the first two with
 * beyond. exchange_fill: the three in one call, where no work overlaps. */
kol_status exchange_begin(const struct exchange *x);
kol_status exchange_await(const struct exchange *x);
kol_status exchange_join(const struct exchange *x, kol_status st);
kol_status exchange_fill(const struct exchange *x);

/* exchange_overlap: exchange x, and the sweep beside it. It is called for the inner cells while messages
 * travel, in the compute queue. Where faces are remote it is called for the rim after that, in the queue of
 * the exchange, so that the rim begins when its halo is there and shares processors with the end of the inner
 * cells. Hence
 *
 *   - inner cells and rim must not read what the other writes;
 *   - on one rank the only call is that for the inner cells, which are then all (cells.remote is 0).
 *
 * After it the compute queue has both, and the whole halo. context is passed on. A fault of the sweep comes
 * back. */
kol_status exchange_overlap(const struct exchange *x,
                            kol_status (*sweep)(const void *context, struct cells cells),
                            const void *context);

#endif
