/* For test programs that run on several ranks: a communicator of all ranks, which is made before the tests
 * and freed after them. Each test program has its own. */
#ifndef KOL_TESTS_RANKS_H
#define KOL_TESTS_RANKS_H

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

#endif
