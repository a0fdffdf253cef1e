/* Compares a run with its perturbed copy. */
#include "twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/log.h"
#include "kernels/update.h"
#include "kernels/volume_dot.h"
#include "state/flow_fields.h"

/* PIECE: values that go through host memory at a time. */
enum { PIECE = 1 << 20, TAG_WORD = 1, TAG_FIELD = 2 };

struct twin {
    const struct domain *domain; /* borrowed */
    MPI_Comm pair;               /* rank 0: of the run; 1: of the copy */
    int copy;
    const char *perturbation; /* borrowed */
    real *piece;              /* host memory */
    int compared;             /* how often */
    double difference, first; /* of the last and the first time */
};

/* word: what the two tell each other before anything else. */
struct word {
    double dt;
    int status, limit, stop, checkpoint;
};

kol_status twin_create(const struct domain *domain, const struct comm *all, const char *perturbation,
                       struct twin **out)
{
    struct twin *t = *out = calloc(1, sizeof *t);
    if (t != NULL) {
        t->domain = domain;
        t->pair = MPI_COMM_NULL;
        t->copy = domain->comm.member > 0;
        t->perturbation = perturbation;
        t->piece = malloc(PIECE * sizeof *t->piece);
    }
    TRY(comm_agree(all, t != NULL && t->piece != NULL
                            ? KOL_OK
                            : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for a twin")));
    MPI_TRY(MPI_Comm_split(all->mpi, domain->comm.rank, all->rank, &t->pair));
    MPI_TRY(MPI_Comm_set_errhandler(t->pair, MPI_ERRORS_RETURN));
    return KOL_OK;
}

void twin_destroy(struct twin **twin)
{
    struct twin *t = *twin;
    if (t == NULL) return;
    if (t->pair != MPI_COMM_NULL) MPI_Comm_free(&t->pair);
    free(t->piece);
    free(t);
    *twin = NULL;
}

/* Exchanges a word with the other one. */
static kol_status meet(const struct twin *t, struct word mine, struct word *other)
{
    MPI_TRY(MPI_Sendrecv(&mine, (int)sizeof mine, MPI_BYTE, !t->copy, TAG_WORD, other, (int)sizeof *other,
                         MPI_BYTE, !t->copy, TAG_WORD, t->pair, MPI_STATUS_IGNORE));
    if (other->status == KOL_OK) return KOL_OK;
    return comm_agree(
        &t->domain->comm,
        status_raise((kol_status)other->status, __FILE__, __LINE__,
                     "the %s has failed: its own message tells why, and so does its run.log, if it "
                     "was begun; this one ends, too",
                     t->copy ? "run of this twin" : "twin of this run"));
}

void twin_leave(const struct twin *t, kol_status st)
{
    const struct word mine = {.status = (int)st};
    if (t == NULL || t->pair == MPI_COMM_NULL) return;
    MPI_Send(&mine, (int)sizeof mine, MPI_BYTE, !t->copy, TAG_WORD, t->pair); /* the run ends in any case */
}

/* Perturbs u on this rank. *changed: whether any value has changed. */
static kol_status perturb(const struct twin *t, struct flow *flow, int *changed)
{
    const struct box b = t->domain->grid.box;
    *changed = 0;
    real *host = malloc((size_t)b.size * sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the perturbation of a twin");
    kol_status st = mem_to_host(host, flow->vel[X], (size_t)b.size * sizeof *host);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                real *u = &host[at(b, i, j, k)];
                if (*u == 0) continue;
                *u = KOL_CHOOSE(nextafter(*u, 2 * *u), nextafterf((float)*u, 2 * (float)*u));
                *changed = 1;
            }
    if (st == KOL_OK) st = mem_to_kernel(flow->vel[X], host, (size_t)b.size * sizeof *host);
    free(host);
    return st;
}

kol_status twin_perturb(const struct twin *t, struct flow *flow)
{
    int changed;
    if (t == NULL || !t->copy || strcmp(t->perturbation, "rounding") != 0) return KOL_OK;
    const struct comm *c = &t->domain->comm;
    TRY(comm_agree(c, perturb(t, flow, &changed)));
    flow->halo_filled = 0;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, c->mpi));
    if (!changed)
        return comm_agree(c, status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                                          "error: --twin rounding: u is 0 everywhere, so there is no last "
                                          "place to change; begin with another initial.type or a checkpoint, "
                                          "or give --twin the file of a flow"));
    return KOL_OK;
}

void twin_tell(const struct twin *t)
{
    if (t == NULL) return;
    const struct input *in = t->domain->in;
    const char *p = t->perturbation;
    char begins[INPUT_TEXT + 64] = "it does not differ from the run at the start";
    if (strcmp(in->checkpoint.restart, "latest") == 0)
        snprintf(begins, sizeof begins, "it goes on with its own checkpoint, without a new perturbation");
    else if (strcmp(p, "rounding") == 0)
        snprintf(begins, sizeof begins,
                 "every value of its u that is not 0 is larger in size by one unit in the last place at the "
                 "start");
    else if (strcmp(p, "none") != 0) snprintf(begins, sizeof begins, "it begins with the flow of %s", p);
    if (t->copy) log_info("twin: this is the copy of a run, --twin %s: %s", p, begins);
    else
        log_info("twin: --twin %s: a copy of this run writes into %s/twin; %s", p, in->output.directory,
                 begins);
}

void twin_tell_end(const struct twin *t, const struct flow *flow)
{
    if (!twin_measures(t)) return;
    log_info("twin: kinetic energy of the difference %.6e at t = %.6g, %.2e of that of the flow; %.6e at the "
             "start",
             t->difference, flow->clock.t, t->difference / flow->now.energy, t->first);
}

kol_status twin_choose(const struct twin *t, struct flow *flow)
{
    struct clock *c = &flow->clock;
    struct word other;
    if (t == NULL) return KOL_OK;
    TRY(meet(t, (struct word){.dt = c->dt, .limit = c->limit}, &other));
    if (!t->copy) return KOL_OK;
    c->dt = other.dt;
    c->limit = other.limit;
    return KOL_OK;
}

kol_status twin_agree(const struct twin *t, struct stop_poll *poll)
{
    struct word other;
    if (t == NULL) return KOL_OK;
    TRY(meet(t, (struct word){.stop = poll->stop[0] != '\0', .checkpoint = poll->checkpoint}, &other));
    if (other.stop && poll->stop[0] == '\0') poll->stop = t->copy ? "its run stops" : "its twin stops";
    poll->checkpoint |= other.checkpoint;
    return KOL_OK;
}

/* Moves a field of the copy into an array of the run, piece by piece. */
static kol_status move(const struct twin *t, const real *from, real *to)
{
    const ptrdiff_t size = t->domain->grid.box.size;
    for (ptrdiff_t start = 0; start < size; start += PIECE) {
        const int count = size - start < PIECE ? (int)(size - start) : PIECE;
        const size_t bytes = (size_t)count * sizeof *t->piece;
        if (t->copy) {
            TRY(mem_to_host(t->piece, from + start, bytes));
            MPI_TRY(MPI_Send(t->piece, (int)bytes, MPI_BYTE, 0, TAG_FIELD, t->pair));
        } else {
            MPI_TRY(MPI_Recv(t->piece, (int)bytes, MPI_BYTE, 1, TAG_FIELD, t->pair, MPI_STATUS_IGNORE));
            TRY(mem_to_kernel(to + start, t->piece, bytes));
        }
    }
    return KOL_OK;
}

kol_status twin_compare(struct twin *t, const struct flow *flow)
{
    struct word other;
    real *there = NULL;
    if (t == NULL) return KOL_OK;
    const struct domain *domain = t->domain;
    TRY(meet(t, (struct word){.dt = 0}, &other));
    if (!t->copy) TRY(pool_hold(domain->pool, "velocity of the twin", &there));
    t->difference = 0;
    for (int c = 0; c < 3; ++c) {
        double sum = 0;
        TRY(move(t, flow->vel[c], there));
        if (t->copy) continue;
        TRY(update_combine(domain->grid.box, 1, flow->vel[c], -1, there, there));
        TRY(volume_dot_square(domain->grid.box, reduction_blocks(domain->reduction),
                              grid_stencil(&domain->grid, flow_field[c].location, 0, 1), there));
        TRY(reduction_finish(domain->reduction, 1, 0, &sum));
        t->difference += 0.5 * sum / domain->grid.volume;
    }
    if (t->compared++ == 0) t->first = t->difference;
    return pool_drop(domain->pool, &there);
}

int twin_measures(const struct twin *t)
{
    return t != NULL && !t->copy;
}

double twin_difference(const struct twin *t)
{
    return t->difference;
}
