#include "halo.h"

#include <stdlib.h>
#include <string.h>
#include "../kernels/base/device.h"
#include "../kernels/pack.h"
#include "profile.h"
#include "transport.h"

enum { MESSAGES = TRANSPORT_MESSAGES, SHAPES = HALO_NORMAL + 1 };
_Static_assert((int)SHAPES == (int)TRANSPORT_SHAPES, "a transport has buffers for each shape");
_Static_assert((int)HALO_FIELDS *(int)MESSAGES <= (int)PACK_ITEMS, "an exchange fits one list");

/* Side that each message goes to: faces in the order of types.h, then edges. The opposite of number n is n ^ 1. */
static const int SIDE[MESSAGES][3] = {{-1, 0, 0},  {1, 0, 0},   {0, -1, 0}, {0, 1, 0},  {0, 0, -1},
                                      {0, 0, 1},   {-1, -1, 0}, {1, 1, 0},  {-1, 1, 0}, {1, -1, 0},
                                      {-1, 0, -1}, {1, 0, 1},   {-1, 0, 1}, {1, 0, -1}, {0, -1, -1},
                                      {0, 1, 1},   {0, -1, 1},  {0, 1, -1}};
static const char *const SHAPE_NAME[SHAPES] = {"faces", "faces and edges", "deep faces and edges",
                                               "normal velocity"};

/* exchange: the one under way. */
struct exchange {
    int under_way;
    enum halo_shape shape;
    int n;
    real *field[HALO_FIELDS];
    struct parcel parcel;
};

struct halo {
    struct box box;
    int rank;
    struct routes routes;
    unsigned remote; /* bit n: faces whose neighbour is another rank */
    struct transport *transport;
    struct exchange now;
    int leave_around;
    struct profile *profile;
};

/* Whether message n, sent to that side, holds field f. */
static int carries(enum halo_shape shape, int n, int f)
{
    if (shape == HALO_NORMAL) return n == 2 * f; /* u beyond a high face in x is sent to the low side */
    return n < FACES || shape != HALO_FACES;
}

/* Own cells that go to a side, or halo cells beyond it. */
static struct range region(struct box b, enum halo_shape shape, int n, int beyond)
{
    const int cells[3] = {b.nx, b.ny, b.nz}, layers = shape == HALO_DEEP && n < FACES ? 2 : 1;
    struct range r = range_all(b);
    for (int d = 0; d < 3; ++d) {
        if (SIDE[n][d] < 0) {
            r.lo[d] = beyond ? -layers : 0;
            r.hi[d] = r.lo[d] + layers;
        } else if (SIDE[n][d] > 0) {
            r.lo[d] = beyond ? cells[d] : cells[d] - layers;
            r.hi[d] = r.lo[d] + layers;
        }
    }
    return r;
}

static ptrdiff_t count_cells(struct range r)
{
    return (ptrdiff_t)(r.hi[X] - r.lo[X]) * (r.hi[Y] - r.lo[Y]) * (r.hi[Z] - r.lo[Z]);
}

static struct routes routes_make(const struct decomp *d, struct box b)
{
    struct routes r;
    memset(&r, 0, sizeof r);
    for (int s = 0; s < SHAPES; ++s) {
        r.fields[s] = s == HALO_NORMAL ? 1 : HALO_FIELDS; /* in one message */
        for (int n = 0; n < MESSAGES; ++n) {
            r.rank[n] = decomp_neighbour(d, SIDE[n]);
            for (int f = 0; f < HALO_FIELDS; ++f) {
                if (carries(s, n, f)) r.send[s][n] = count_cells(region(b, s, n, 0));
                if (carries(s, n ^ 1, f)) r.receive[s][n] = count_cells(region(b, s, n, 1));
            }
        }
    }
    return r;
}

kol_status halo_create(const struct comm *c, const struct decomp *d, struct box b, int transport,
                       struct halo **out)
{
    struct halo *h = calloc(1, sizeof *h);
    kol_status st = h == NULL
                        ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the halo exchange")
                        : KOL_OK;
    *out = h;
    if (b.nx < b.h || b.ny < b.h || b.nz < b.h)
        st = status_raise(KOL_ERR_INTERNAL, __FILE__, __LINE__, "%d x %d x %d cells are less than their halo",
                          b.nx, b.ny, b.nz);
    TRY(comm_agree(c, st));
    h->box = b;
    h->rank = c->rank;
    h->routes = routes_make(d, b);
    for (int n = 0; n < FACES; ++n) h->remote |= (unsigned)(h->routes.rank[n] != h->rank) << n;
    return transport_create(c, transport, &h->routes, &h->transport);
}

void halo_destroy(struct halo **h)
{
    if (*h == NULL) return;
    transport_destroy(&(*h)->transport);
    free(*h);
    *h = NULL;
}

/* Halo cells that are own cells of this rank, on its other side. */
static kol_status wrap(const struct halo *h, const struct exchange *x)
{
    struct pack_list list = {.n = 0};
    for (int n = 0; n < MESSAGES; ++n) {
        for (int f = 0; f < x->n; ++f) {
            if (h->routes.rank[n] != h->rank || !carries(x->shape, n ^ 1, f)) continue;
            list.item[list.n++] = (struct pack_item){.field = x->field[f],
                                                     .own = region(h->box, x->shape, n ^ 1, 0),
                                                     .beyond = region(h->box, x->shape, n, 1),
                                                     .wrap = 1,
                                                     .message = -1};
        }
    }
    return list.n > 0 ? pack_regions(h->box, &list, NULL) : KOL_OK;
}

/* Items of the messages to other ranks, or from them; where signals travel a message without values has an empty one. */
static struct pack_list list_messages(struct halo *h, int receiving)
{
    const struct exchange *x = &h->now;
    struct pack_signals *signals = x->parcel.signals;
    struct pack_list list = {.n = 0};
    for (int n = 0; n < MESSAGES; ++n) {
        real *place = receiving ? x->parcel.receive[n] : x->parcel.send[n];
        const struct range r = region(h->box, x->shape, n, receiving);
        const int before = list.n;
        if (signals != NULL) signals->items[n] = 0;
        if (!routes_used(&h->routes, h->rank, x->shape, n)) continue;
        for (int f = 0; f < x->n; ++f) {
            if (!carries(x->shape, receiving ? n ^ 1 : n, f)) continue;
            list.item[list.n++] =
                (struct pack_item){.field = x->field[f], .own = r, .beyond = r, .place = place, .message = n};
            place += count_cells(r);
        }
        if (signals == NULL) continue;
        if (list.n == before) list.item[list.n++] = (struct pack_item){.message = n};
        signals->items[n] = list.n - before;
    }
    return list;
}

/* Both with the transfer queue in use. */
static kol_status send(struct halo *h)
{
    TRY(profile_begun(h->profile, SHAPE_NAME[h->now.shape]));
    const struct pack_list list = list_messages(h, 0);
    TRY(pack_regions(h->box, &list, h->now.parcel.signals));
    return transport_send(h->transport);
}

static kol_status receive(struct halo *h)
{
    TRY(transport_receive(h->transport));
    const struct pack_list list = list_messages(h, 1);
    TRY(unpack_regions(h->box, &list, h->now.parcel.signals));
    TRY(transport_close(h->transport));
    return profile_arrived(h->profile);
}

static kol_status on_transfer_queue(struct halo *h, kol_status (*work)(struct halo *h))
{
    device_use(QUEUE_TRANSFER);
    const kol_status st = work(h);
    device_use(QUEUE_COMPUTE);
    TRY(st);
    return KOL_OK;
}

kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    struct exchange *x = &h->now;
    if (x->under_way) RAISE(KOL_ERR_INTERNAL, "a halo exchange began before the end of the one before");
    if (n < 1 || n > HALO_FIELDS || (shape == HALO_NORMAL && n != 3))
        RAISE(KOL_ERR_INTERNAL, "a halo exchange of %d fields", n);
    x->under_way = 1;
    x->shape = shape;
    x->n = n;
    for (int f = 0; f < n; ++f) x->field[f] = fields[f];
    const int wraps = !h->leave_around || (shape != HALO_FACES && shape != HALO_DEEP);
    if (h->remote == 0) return wraps ? wrap(h, x) : KOL_OK;
    TRY(transport_open(h->transport, shape, shape == HALO_NORMAL ? 1 : n, &x->parcel));
    TRY(device_after(QUEUE_TRANSFER, QUEUE_COMPUTE));
    TRY(on_transfer_queue(h, send));
    return wraps ? wrap(h, x) : KOL_OK; /* beside the packing: neither writes what the other touches */
}

kol_status halo_end(struct halo *h)
{
    if (!h->now.under_way) RAISE(KOL_ERR_INTERNAL, "a halo exchange ended that had not begun");
    h->now.under_way = 0;
    if (h->remote == 0) return KOL_OK;
    TRY(profile_computed(h->profile));
    TRY(on_transfer_queue(h, receive));
    return device_after(QUEUE_COMPUTE, QUEUE_TRANSFER);
}

kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    TRY(halo_begin(h, fields, n, shape));
    TRY(halo_end(h));
    return KOL_OK;
}

void halo_leave_around(struct halo *h)
{
    h->leave_around = 1;
}

kol_status halo_wrap(struct halo *h, real *field)
{
    const struct exchange x = {.shape = HALO_FACES, .n = 1, .field = {field}};
    return wrap(h, &x);
}

unsigned halo_remote(const struct halo *h)
{
    return h->remote;
}

struct cells halo_cells(const struct halo *h, enum cells_which which)
{
    const unsigned all = (1u << FACES) - 1;
    return (struct cells){which, h->remote, h->leave_around ? all & ~h->remote : 0};
}

const char *halo_transport(const struct halo *h)
{
    return transport_name(h->transport);
}

const char *halo_warning(const struct halo *h)
{
    return transport_warning(h->transport);
}

size_t halo_bytes(const struct halo *h)
{
    return transport_bytes(h->transport);
}

size_t halo_bytes_wanted(const struct comm *c, const struct decomp *d, struct box b)
{
    const struct routes r = routes_make(d, b);
    return transport_bytes_wanted(c, &r);
}

void halo_profile(struct halo *h, struct profile *p)
{
    h->profile = p;
}
