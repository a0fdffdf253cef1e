/* Plans the moves between distributions and does them, by MPI or into the memory of other GPUs. */
#include "transpose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/transpose.h"
#include "peer_memory.h"

/* A leg is one direction of one transpose. Each rank packs a message for every other rank whose part of the
 * target overlaps its own part of the source. The values of a message are in the order of the target. The
 * rank then unpacks the messages that it receives.
 *
 * With peers a message is packed directly into the memory of the receiver, and a flag there is set to the
 * number of this round of the leg. Each leg has its own memory, with one place for each message. One place is
 * enough: if A sends to B in the forward leg, then B sends to A in the backward leg. A packs for B again only
 * after it has received B's message of the backward leg. B packed that message after it had unpacked A's last
 * message. */

enum { LEGS = 2 * (TRANSPOSE_SPREADS - 1), MESSAGE_TAG = 7300, FLAG_ALIGN = 512 };

struct message {
    int rank;
    struct piece part;
    ptrdiff_t
        place; /* first value in the send or receive buffer; peers: of a sent one in the receiver's memory */
};

struct leg {
    struct spread from, to;
    struct message *send, *receive;
    int sends, receives;
    ptrdiff_t sent, received; /* values */
    unsigned round;
    int same;
};

struct transposes {
    const struct comm *comm;
    int n;
    struct leg leg[LEGS];             /* leg 2 n: forward, 2 n + 1: backward */
    double *send, *receive;           /* kernel memory */
    double *host_send, *host_receive; /* the same memory in the CPU build */
    MPI_Request *request;
    struct peer_memory *peers;
    struct transpose_flags flags;
};

void spread_boxes(const struct decomp *d, int boxes, int n, struct piece *out)
{
    for (int s = 0; s < n; ++s)
        for (int dir = 0; dir < 3; ++dir) {
            out[s].lo[dir] = s == boxes ? d->offset[dir] : 0;
            out[s].hi[dir] = s == boxes ? d->offset[dir] + d->n[dir] : d->n_g[dir];
        }
}

void spread_cut(struct piece *p, int dir, int n, int part, int parts)
{
    p->lo[dir] = (int)((long long)n * part / parts);
    p->hi[dir] = (int)((long long)n * (part + 1) / parts);
}

kol_status spreads_create(const struct comm *c, const struct decomp *d, spread_rule rule, const void *context,
                          int n, struct spread *spread, struct piece **pieces)
{
    const int ranks = c->size;
    struct piece of_rank[TRANSPOSE_SPREADS];
    if (n > TRANSPOSE_SPREADS) RAISE(KOL_ERR_INTERNAL, "%d spreads, at most %d", n, TRANSPOSE_SPREADS);
    *pieces = calloc((size_t)n * (size_t)ranks, sizeof **pieces);
    if (*pieces == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the pieces of %d ranks", ranks);
    for (int r = 0; r < ranks; ++r) {
        struct decomp there;
        TRY(decomp_create(d->n_g, d->ranks, ranks, r, &there));
        memset(of_rank, 0, sizeof of_rank);
        rule(context, &there, r, ranks, of_rank);
        for (int s = 0; s < n; ++s) (*pieces)[s * ranks + r] = of_rank[s];
    }
    for (int s = 0; s < n; ++s) spread[s].piece = *pieces + s * ranks;
    return KOL_OK;
}

static int by_peers(const struct comm *c, const char *transport)
{
    return strcmp(transport, "peer") == 0 && c->size > 1 && c->size <= TRANSPOSE_FLAGS;
}

static size_t head_bytes(const struct comm *c)
{
    const size_t bytes = (size_t)LEGS * (size_t)c->size * sizeof(unsigned);
    return (bytes + FLAG_ALIGN - 1) / FLAG_ALIGN * FLAG_ALIGN;
}

static struct leg leg_of(const struct spread *spread, int l)
{
    struct leg leg;
    memset(&leg, 0, sizeof leg);
    leg.from = spread[l / 2 + l % 2];
    leg.to = spread[l / 2 + 1 - l % 2];
    return leg;
}

/* Number of values that a rank receives in a leg from the ranks before `last`. */
static ptrdiff_t received_by(const struct leg *l, int rank, int last)
{
    ptrdiff_t n = 0;
    for (int r = 0; r < last; ++r)
        if (r != rank) n += (ptrdiff_t)piece_count(piece_overlap(l->to.piece[rank], l->from.piece[r]));
    return n;
}

static ptrdiff_t sent_by(const struct leg *l, int rank, int last)
{
    ptrdiff_t n = 0;
    for (int r = 0; r < last; ++r)
        if (r != rank) n += (ptrdiff_t)piece_count(piece_overlap(l->from.piece[rank], l->to.piece[r]));
    return n;
}

/* For peers: the place in a rank's memory where the messages of leg number `legs` begin, after those of the
 * legs before. For the number of all legs it is the size of the memory. */
static ptrdiff_t base_of(const struct comm *c, const struct spread *spread, int rank, int legs)
{
    ptrdiff_t n = 0;
    for (int l = 0; l < legs; ++l) {
        const struct leg leg = leg_of(spread, l);
        n += received_by(&leg, rank, c->size);
    }
    return n;
}

static int same_spread(const struct comm *c, const struct spread *a, const struct spread *b)
{
    return a->box == NULL && b->box == NULL && memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(a->piece, b->piece, (size_t)c->size * sizeof *a->piece) == 0;
}

static kol_status leg_create(const struct comm *c, const struct spread *spread, int number, int peers,
                             struct leg *l)
{
    const int own = c->rank;
    *l = leg_of(spread, number);
    l->same = same_spread(c, &l->from, &l->to);
    l->send = calloc((size_t)c->size, sizeof *l->send);
    l->receive = calloc((size_t)c->size, sizeof *l->receive);
    if (l->send == NULL || l->receive == NULL) RAISE(KOL_ERR_MEMORY, "no memory for lists of messages");
    const ptrdiff_t base = peers ? base_of(c, spread, own, number) : 0;
    for (int r = 0; r < c->size; ++r) {
        const struct piece out = piece_overlap(l->from.piece[own], l->to.piece[r]),
                           in = piece_overlap(l->to.piece[own], l->from.piece[r]);
        if (r == own) continue;
        if (piece_count(out) > INT_MAX || piece_count(in) > INT_MAX)
            RAISE(KOL_ERR_INPUT,
                  "ranks %d and %d would exchange more than %d values in one step of the "
                  "pressure's direct solver; use more ranks",
                  own, r, INT_MAX);
        if (piece_count(out) > 0) {
            const ptrdiff_t there = peers ? base_of(c, spread, r, number) + received_by(l, r, own) : l->sent;
            l->send[l->sends++] = (struct message){r, out, there};
            l->sent += (ptrdiff_t)piece_count(out);
        }
        if (piece_count(in) > 0) {
            l->receive[l->receives++] = (struct message){r, in, base + l->received};
            l->received += (ptrdiff_t)piece_count(in);
        }
    }
    return KOL_OK;
}

/* Sizes of the send and receive buffers for MPI, which all legs share. */
static void most_values(const struct comm *c, const struct spread *spread, int n, ptrdiff_t *send,
                        ptrdiff_t *receive)
{
    *send = *receive = 0;
    for (int l = 0; l < 2 * (n - 1); ++l) {
        const struct leg leg = leg_of(spread, l);
        const ptrdiff_t out = sent_by(&leg, c->rank, c->size), in = received_by(&leg, c->rank, c->size);
        *send = out > *send ? out : *send;
        *receive = in > *receive ? in : *receive;
    }
}

static kol_status buffers_create(struct memory *memory, struct transposes *t, const struct spread *spread)
{
    ptrdiff_t send, receive;
    most_values(t->comm, spread, t->n, &send, &receive);
    TRY(memory_kernel(memory, (size_t)send * sizeof(double), (void **)&t->send));
    TRY(memory_kernel(memory, (size_t)receive * sizeof(double), (void **)&t->receive));
    t->host_send = t->send;
    t->host_receive = t->receive;
    if (!device_is_gpu()) return KOL_OK;
    t->host_send = t->host_receive = NULL;
    TRY(memory_host(memory, (size_t)send * sizeof(double), (void **)&t->host_send));
    return memory_host(memory, (size_t)receive * sizeof(double), (void **)&t->host_receive);
}

static kol_status create(struct memory *memory, struct transposes *t, const struct spread *spread, int peers)
{
    for (int l = 0; l < 2 * (t->n - 1); ++l) TRY(leg_create(t->comm, spread, l, peers, &t->leg[l]));
    t->request = malloc(2 * (size_t)t->comm->size * sizeof *t->request);
    if (t->request == NULL) RAISE(KOL_ERR_MEMORY, "no memory for requests of messages");
    return peers || t->comm->size == 1 ? KOL_OK : buffers_create(memory, t, spread);
}

kol_status transposes_create(struct memory *memory, const struct comm *c, const char *transport,
                             const struct spread *spread, int n, struct transposes **out)
{
    struct transposes *t = calloc(1, sizeof *t);
    const int peers = by_peers(c, transport);
    *out = t;
    TRY(memory_agree(memory, c,
                     t == NULL || n > TRANSPOSE_SPREADS
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d moves", n)
                         : KOL_OK));
    t->comm = c;
    t->n = n;
    TRY(memory_agree(memory, c, create(memory, t, spread, peers)));
    if (!peers) return KOL_OK;
    const size_t bytes = head_bytes(c) + (size_t)base_of(c, spread, c->rank, 2 * (n - 1)) * sizeof(double);
    return peer_memory_create(memory, c, bytes, head_bytes(c), &t->peers);
}

void transposes_destroy(struct transposes **t)
{
    struct transposes *q = *t;
    if (q == NULL) return;
    peer_memory_destroy(&q->peers);
    for (int l = 0; l < LEGS; ++l) {
        free(q->leg[l].send);
        free(q->leg[l].receive);
    }
    if (q->host_send != q->send) mem_host_free(q->host_send);
    if (q->host_receive != q->receive) mem_host_free(q->host_receive);
    mem_kernel_free(q->send);
    mem_kernel_free(q->receive);
    free(q->request);
    free(q);
    *t = NULL;
}

int transposes_same(const struct transposes *t, int n)
{
    return t->leg[2 * n].same;
}

static void packed_strides(const int axis[3], struct piece p, ptrdiff_t stride[3])
{
    ptrdiff_t step = 1;
    for (int a = 0; a < 3; ++a) {
        stride[axis[a]] = step;
        step *= p.hi[axis[a]] - p.lo[axis[a]];
    }
}

/* Finds the strides of this rank's array of a spread, and returns the place of the first value of a part in
 * it. */
static ptrdiff_t strides_of(const struct spread *s, int own, struct piece part, ptrdiff_t stride[3])
{
    const struct piece whole = s->piece[own];
    packed_strides(s->axis, whole, stride);
    if (s->box != NULL) {
        stride[X] = 1;
        stride[Y] = s->box->sy;
        stride[Z] = s->box->sz;
    }
    ptrdiff_t place = s->box != NULL ? s->box->start : 0;
    for (int d = 0; d < 3; ++d) place += (part.lo[d] - whole.lo[d]) * stride[d];
    return place;
}

static struct strided sizes_of(struct piece part)
{
    struct strided s;
    for (int d = 0; d < 3; ++d) s.n[d] = part.hi[d] - part.lo[d];
    return s;
}

static kol_status pack(const struct leg *l, int own, struct piece part, struct spread_source from, double *to)
{
    struct strided s = sizes_of(part);
    const ptrdiff_t place = strides_of(&l->from, own, part, s.from);
    packed_strides(l->to.axis, part, s.to);
    if (l->from.box != NULL) return transpose_from_field(s, from.field + place, to);
    return transpose_values(s, from.values + place, to);
}

static kol_status unpack(const struct leg *l, int own, struct piece part, const double *from,
                         struct spread_target to)
{
    struct strided s = sizes_of(part);
    const ptrdiff_t place = strides_of(&l->to, own, part, s.to);
    packed_strides(l->to.axis, part, s.from);
    if (l->to.box != NULL) return transpose_to_field(s, from, to.field + place);
    return transpose_values(s, from, to.values + place);
}

/* Copies the values that stay on this rank, without a message. */
static kol_status keep(const struct leg *l, int own, struct spread_source from, struct spread_target to)
{
    const struct piece part = piece_overlap(l->from.piece[own], l->to.piece[own]);
    struct strided s = sizes_of(part);
    if (piece_count(part) == 0) return KOL_OK;
    const ptrdiff_t source = strides_of(&l->from, own, part, s.from),
                    target = strides_of(&l->to, own, part, s.to);
    if (l->from.box != NULL) return transpose_from_field(s, from.field + source, to.values + target);
    if (l->to.box != NULL) return transpose_to_field(s, from.values + source, to.field + target);
    return transpose_values(s, from.values + source, to.values + target);
}

static kol_status exchange(struct transposes *t, struct leg *l, struct spread_source from,
                           struct spread_target to)
{
    const struct comm *c = t->comm;
    int requests = 0;
    for (int n = 0; n < l->receives; ++n) {
        const struct message *m = &l->receive[n];
        MPI_TRY(MPI_Irecv(t->host_receive + m->place, (int)piece_count(m->part), MPI_DOUBLE, m->rank,
                          MESSAGE_TAG, c->mpi, &t->request[requests++]));
    }
    for (int n = 0; n < l->sends; ++n)
        TRY(pack(l, c->rank, l->send[n].part, from, t->send + l->send[n].place));
    if (t->host_send != t->send && l->sent > 0)
        TRY(mem_to_host(t->host_send, t->send, (size_t)l->sent * sizeof(double)));
    for (int n = 0; n < l->sends; ++n) {
        const struct message *m = &l->send[n];
        MPI_TRY(MPI_Isend(t->host_send + m->place, (int)piece_count(m->part), MPI_DOUBLE, m->rank,
                          MESSAGE_TAG, c->mpi, &t->request[requests++]));
    }
    TRY(keep(l, c->rank, from, to));
    MPI_TRY(MPI_Waitall(requests, t->request, MPI_STATUSES_IGNORE));
    if (t->host_receive != t->receive && l->received > 0)
        TRY(mem_to_kernel(t->receive, t->host_receive, (size_t)l->received * sizeof(double)));
    for (int n = 0; n < l->receives; ++n)
        TRY(unpack(l, c->rank, l->receive[n].part, t->receive + l->receive[n].place, to));
    return KOL_OK;
}

static double *values_at(const struct transposes *t, int rank, ptrdiff_t place)
{
    unsigned char *memory = peer_memory_memory(t->peers, rank);
    return (double *)(void *)(memory + head_bytes(t->comm)) + place;
}

static unsigned *flag_at(const struct transposes *t, int rank, const struct leg *l, int sender)
{
    return (unsigned *)peer_memory_memory(t->peers, rank) + (l - t->leg) * t->comm->size + sender;
}

static kol_status write_to_peers(struct transposes *t, struct leg *l, struct spread_source from,
                                 struct spread_target to)
{
    const int own = t->comm->rank;
    ++l->round;
    t->flags.n = 0;
    for (int n = 0; n < l->sends; ++n) {
        const struct message *m = &l->send[n];
        TRY(pack(l, own, m->part, from, values_at(t, m->rank, m->place)));
        t->flags.flag[t->flags.n++] = flag_at(t, m->rank, l, own);
    }
    TRY(transpose_raise(&t->flags, l->round));
    TRY(keep(l, own, from, to));
    t->flags.n = 0;
    for (int n = 0; n < l->receives; ++n)
        t->flags.flag[t->flags.n++] = flag_at(t, own, l, l->receive[n].rank);
    TRY(transpose_await(&t->flags, l->round));
    for (int n = 0; n < l->receives; ++n) {
        const struct message *m = &l->receive[n];
        TRY(unpack(l, own, m->part, values_at(t, own, m->place), to));
    }
    return KOL_OK;
}

static kol_status move(struct transposes *t, struct leg *l, struct spread_source from,
                       struct spread_target to)
{
    if (l->same)
        RAISE(KOL_ERR_INTERNAL, "the two spreads are the same, so nothing can be moved between them");
    if (t->comm->size == 1) return keep(l, t->comm->rank, from, to);
    return t->peers != NULL ? write_to_peers(t, l, from, to) : exchange(t, l, from, to);
}

kol_status transposes_forward(struct transposes *t, int n, struct spread_source from, struct spread_target to)
{
    return move(t, &t->leg[2 * n], from, to);
}

kol_status transposes_backward(struct transposes *t, int n, struct spread_source from,
                               struct spread_target to)
{
    return move(t, &t->leg[2 * n + 1], from, to);
}

/* With MPI every rank has waited for its own messages. With peers a place must not be written again before
 * its owner has read it, so all ranks wait. */
kol_status transposes_settle(struct transposes *t)
{
    if (t->peers == NULL) return KOL_OK;
    TRY(device_wait());
    MPI_TRY(MPI_Barrier(t->comm->mpi));
    return KOL_OK;
}
