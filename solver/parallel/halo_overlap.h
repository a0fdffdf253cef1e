/* A sweep over all cells that runs while the halo of what it reads is exchanged. This is the one place for
 * the pattern "begin, sweep the inner cells, await, sweep the rim, join". docs/numerics/halo.md,
 * "Overlap". */
#ifndef KOL_PARALLEL_HALO_OVERLAP_H
#define KOL_PARALLEL_HALO_OVERLAP_H

#include "halo.h"

/* exchange: what a sweep reads, and how its halo is filled. boundary_exchange() makes one that obeys walls
 * and open faces; ppcg_exchange() makes one of a vector of the solver. It is plain data and borrows all that
 * it points to.
 *
 *   halo, fields, n, shape   the arguments of halo_begin
 *   held     bit f is set if the sweep must not take the cells on the opposite side of the grid as neighbours
 *            across face f (cells.around)
 *   beyond   function that writes the halo values that do not come from neighbours; NULL if there are none
 *   of       data for `beyond`
 *
 * `beyond` overwrites what the halo exchange leaves in these cells. exchange_fill calls it once, with
 * CELLS_ALL. exchange_overlap calls it with CELLS_INNER for what the inner cells read, while messages travel.
 * If faces are remote, it calls it again with CELLS_RIM for the rest, in the queue of the exchange. If the
 * rim reads what the first call has written, the first call must end with halo_mark. */
struct exchange {
    struct halo *halo;
    real *const *fields;
    int n;
    enum halo_shape shape;
    unsigned held;
    kol_status (*beyond)(const struct exchange *x, enum cells_which which);
    const void *of;
};

/* exchange_fill: does the exchange without a sweep that overlaps it. It calls halo_fill, and then
 * `beyond`. */
kol_status exchange_fill(const struct exchange *x);

/* exchange_overlap: does the exchange x, and the sweep that reads the fields of x. The sweep is called for
 * the inner cells, in the compute queue, while messages travel. If faces are remote, it is then called for
 * the rim, in the queue of the exchange. So the rim begins when its halo is filled, and it shares
 * processors with the end of the inner cells. Hence
 *
 *   - inner cells and rim must not read what the other writes;
 *   - on one rank the sweep is called once: cells.remote is 0, so all cells are inner cells.
 *
 * `context` is passed on to the sweep. After the call, work that the compute queue is given comes after
 * both sweeps and sees the complete halo. Returns a fault of the exchange or of the sweep. */
kol_status exchange_overlap(const struct exchange *x,
                            kol_status (*sweep)(const void *context, struct cells cells),
                            const void *context);

#endif
