/* For test programs that run on several ranks: a communicator of all ranks, which is made before the tests
 * and freed after them. Each test program has its own. */
#ifndef KOL_TESTS_RANKS_H
#define KOL_TESTS_RANKS_H

#include "inputs/rank_layout.h"
#include "solver/parallel/comm.h"

static const struct comm self = {.mpi = MPI_COMM_SELF, .rank = 0, .size = 1, .node_rank = 0, .node_size = 1};
static const int whole[3] = {1, 1, 1};
static struct comm comm;

static int setup(void **state)
{
    (void)state;
    status_clear();
    return comm_create(&comm) != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    comm_destroy(&comm);
    return 0;
}

/* layout_next: sets layout to the next division of all ranks that fits a grid of n cells in each direction.
 * Begin with {0, 0, 0}. Returns 0 after the last one. */
static inline int layout_next(const int n[3], int layout[3])
{
    int px = layout[0] > 0 ? layout[0] : 1, py = layout[1];
    for (; px <= comm.size; ++px, py = 0)
        while (++py <= comm.size / px) {
            layout[0] = px;
            layout[1] = py;
            layout[2] = comm.size / px / py;
            if (grid_ranks_fit(n, layout, comm.size)) return 1;
        }
    return 0;
}

#endif
