/* For a test program on several ranks: the communicator of all of them, made before its tests and freed
 * after. One translation unit each. */
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
