/* Duplicates MPI_COMM_WORLD, turns MPI errors into faults, and lets all ranks agree on a fault. */
#include "comm.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "kernels/base/turns.h"

/* PATIENCE: how long a rank with a fault waits for the others [s]; MOMENT: time between two looks [ns]. */
static const double PATIENCE = 10;
static const long MOMENT = 50000;

kol_status comm_raise(int rc, const char *file, int line, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    MPI_Error_string(rc, text, &n);
    return status_raise(KOL_ERR_MPI, file, line, "%s failed: %s", call, text);
}

void comm_place(const struct comm *c, const char *device)
{
    char host[128] = "unknown", text[STATUS_PLACE];
    if (gethostname(host, sizeof host - 1) != 0) strcpy(host, "unknown");
    if (c->members > 0)
        snprintf(text, sizeof text, "rank %d of %d of member %d, host %s, %.256s", c->rank, c->size,
                 c->member + 1, host, device);
    else snprintf(text, sizeof text, "rank %d of %d, host %s, %.256s", c->rank, c->size, host, device);
    status_set_place(text);
}

/* Finds the ranks that share this node. */
static kol_status find_node(struct comm *c)
{
    MPI_Comm node;
    MPI_TRY(MPI_Comm_set_errhandler(c->mpi, MPI_ERRORS_RETURN));
    MPI_TRY(MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    MPI_TRY(MPI_Comm_rank(node, &c->node_rank));
    MPI_TRY(MPI_Comm_size(node, &c->node_size));
    MPI_TRY(MPI_Comm_free(&node));
    return KOL_OK;
}

kol_status comm_create(struct comm *c)
{
    *c = (struct comm){.mpi = MPI_COMM_NULL};
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c->size);
    comm_place(c, "no processor selected yet");
    MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &c->mpi));
    TRY(find_node(c));
    c->seat = c->node_rank;
    return KOL_OK;
}

kol_status comm_divide(const struct comm *all, int members, struct comm *out)
{
    const int here = turns_count(), ranks = here > 1 ? 1 : all->size / members;
    *out = (struct comm){.mpi = MPI_COMM_NULL,
                         .rank = all->rank % ranks,
                         .size = ranks,
                         .seat = all->seat,
                         .member = all->rank / ranks * here + turns_seat(),
                         .members = members};
    comm_place(out, "no processor selected yet");
    if (here > 1) MPI_TRY(MPI_Comm_dup(MPI_COMM_SELF, &out->mpi));
    else MPI_TRY(MPI_Comm_split(all->mpi, out->member, all->rank, &out->mpi));
    TRY(find_node(out));
    out->beside = all->node_size * here - out->node_size;
    return KOL_OK;
}

void comm_destroy(struct comm *c)
{
    if (c->mpi != MPI_COMM_NULL) MPI_Comm_free(&c->mpi);
}

/* Prints the message and ends all ranks. This is necessary if the others don't arrive, because every function
 * on the way back to main may call them. */
static void end_alone(const struct comm *c, kol_status st)
{
    status_print(c->rank);
    fprintf(stderr, "  on %s\n  the other ranks wait for this one elsewhere: the run ends at once\n",
            status_place());
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
}

/* What a rank tells, and what it hears. If a wait fails, the operation may still be under way, and its result
 * may be written later. So it is not written to the stack, where other values would lie by then. */
struct verdict {
    int status, rank;
};
struct verdicts {
    struct verdict mine, worst;
};
static struct verdicts *verdicts_next(void)
{
    enum { ROOM = 16 }; /* more than there are waits that failed */
    static struct verdicts verdicts[ROOM];
    static unsigned turn;
    return &verdicts[turn++ % ROOM];
}

/* Finds the worst status of all ranks. A rank with a fault waits no longer than PATIENCE, because the others
 * may be in the call that this rank has left. */
static kol_status gather_worst(const struct comm *c, kol_status st, const struct verdict *mine,
                               struct verdict *worst)
{
    const struct timespec moment = {0, MOMENT};
    MPI_Request request;
    int done = 0;
    MPI_TRY(MPI_Iallreduce(mine, worst, 1, MPI_2INT, MPI_MAXLOC, c->mpi, &request));
    if (st == KOL_OK) {
        MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        return KOL_OK;
    }
    const double until = MPI_Wtime() + PATIENCE;
    while (!done) {
        MPI_TRY(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (!done && MPI_Wtime() > until) end_alone(c, st);
        if (!done) nanosleep(&moment, NULL);
    }
    return KOL_OK;
}

kol_status comm_agree(const struct comm *c, kol_status st)
{
    struct verdicts *const all = verdicts_next();
    all->mine = (struct verdict){(int)st, c->rank};
    TRY(gather_worst(c, st, &all->mine, &all->worst)); /* of equal ones MPI_MAXLOC takes the lowest rank */
    const struct verdict worst = all->worst;
    if (worst.status == KOL_OK) return KOL_OK;
    char text[STATUS_SHARED] = "";
    status_with_place(st, text, sizeof text);
    MPI_TRY(MPI_Bcast(text, (int)sizeof text, MPI_CHAR, worst.rank, c->mpi));
    status_set_agreed(1);
    if (st == (kol_status)worst.status && c->rank == worst.rank) return st;
    status_clear();
    status_set_agreed(1);
    RAISE((kol_status)worst.status, "%s", text);
}
