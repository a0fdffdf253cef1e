/* Packs, sends and unpacks the halo cells of fields, and copies those that are the rank's own cells. */
#include "halo.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/pack.h"
#include "profile.h"
#include "transport.h"

enum { MESSAGES = TRANSPORT_MESSAGES, SHAPES = HALO_WIDE + 1 };
_Static_assert((int)SHAPES == (int)TRANSPORT_SHAPES, "a transport has buffers for each shape");
enum { EDGES_END = 18 }; /* messages 0 .. EDGES_END-1 go to faces and edges, the others to corners */
_Static_assert((int)HALO_FIELDS *(int)EDGES_END <= (int)PACK_ITEMS, "an exchange fits one list");
_Static_assert((int)HALO_BOX_FIELDS *(int)MESSAGES <= (int)PACK_ITEMS, "an exchange fits one list");

/* The side to which each message goes: faces in the order of types.h, then edges, then corners. Messages n
 * and n ^ 1 go to opposite sides. */
static const int SIDE[MESSAGES][3] = {
    {-1, 0, 0},  {1, 0, 0},   {0, -1, 0}, {0, 1, 0},   {0, 0, -1},   {0, 0, 1},  {-1, -1, 0},
    {1, 1, 0},   {-1, 1, 0},  {1, -1, 0}, {-1, 0, -1}, {1, 0, 1},    {-1, 0, 1}, {1, 0, -1},
    {0, -1, -1}, {0, 1, 1},   {0, -1, 1}, {0, 1, -1},  {-1, -1, -1}, {1, 1, 1},  {1, -1, -1},
    {-1, 1, 1},  {-1, 1, -1}, {1, -1, 1}, {-1, -1, 1}, {1, 1, -1}};
static const char *const SHAPE_NAME[SHAPES] = {"faces",
                                               "faces and edges",
                                               "deep faces and edges",
                                               "normal velocity",
                                               "deep faces, edges and corners",
                                               "wide faces and edges"};

/* under_way: the exchange that has begun and has not been awaited yet. */
struct under_way {
    int is;
    enum halo_shape shape;
    int n;
    void *field[HALO_FIELDS];
    struct parcel parcel;
};

struct halo {
    struct halo_use use;
    struct box box;
    int rank;
    struct routes routes;
    int ranks[3];    /* in each direction */
    unsigned remote; /* bit n: the neighbour at face n is another rank */
    struct transport *transport;
    struct under_way now;
    int leave_around;
    /* A mark in the compute queue. Work between halo_await and halo_join starts after it. NULL if no
     * neighbour is another rank. */
    struct device_mark *mark;
    struct profile *profile;
    const char *label; /* name of the exchanges in the profile; NULL: that of their shape */
};

struct halo_use halo_use_flow(int fields, int wide)
{
    return (struct halo_use){sizeof(real), fields,
                             1u << HALO_FACES | 1u << HALO_EDGES | 1u << HALO_DEEP | 1u << HALO_NORMAL |
                                 (wide ? 1u << HALO_WIDE : 0u)};
}

struct halo_use halo_use_level(int bytes)
{
    return (struct halo_use){bytes, HALO_BOX_FIELDS, 1u << HALO_FACES | 1u << HALO_BOX};
}

static int is_used(struct halo_use use, enum halo_shape shape)
{
    return (use.shapes >> shape & 1) != 0;
}

/* Whether message n, which goes to that side, holds field f. */
static int carries(enum halo_shape shape, int n, int f)
{
    if (shape == HALO_NORMAL) return n == 2 * f; /* u on a high face in x is sent to the low side */
    return n < (shape == HALO_FACES ? (int)FACES : shape == HALO_BOX ? (int)MESSAGES : (int)EDGES_END);
}

static int layers_of(enum halo_shape shape, int n)
{
    return shape == HALO_BOX || ((shape == HALO_DEEP || shape == HALO_WIDE) && n < FACES) ? 2 : 1;
}

/* The own cells that are sent to a side, or the halo cells beyond it. */
static struct range region(struct box b, enum halo_shape shape, int n, int beyond)
{
    const int cells[3] = {b.nx, b.ny, b.nz}, layers = layers_of(shape, n);
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

/* Largest number of fields in a message of this shape. */
static int fields_most(struct halo_use use, enum halo_shape shape)
{
    const int most = shape == HALO_NORMAL ? 1 : shape == HALO_BOX ? (int)HALO_BOX_FIELDS : use.fields;
    return is_used(use, shape) ? most : 0;
}

static struct routes routes_make(struct halo_use use, const struct decomp *d, struct box b)
{
    struct routes r;
    memset(&r, 0, sizeof r);
    r.bytes = use.bytes;
    for (int n = 0; n < MESSAGES; ++n) r.rank[n] = decomp_neighbour(d, SIDE[n]);
    for (int s = 0; s < SHAPES; ++s) {
        r.fields[s] = fields_most(use, s);
        for (int n = 0; n < MESSAGES && r.fields[s] > 0; ++n) {
            for (int f = 0; f < HALO_FIELDS; ++f) {
                if (carries(s, n, f)) r.send[s][n] = count_cells(region(b, s, n, 0));
                if (carries(s, n ^ 1, f)) r.receive[s][n] = count_cells(region(b, s, n, 1));
            }
        }
    }
    return r;
}

static kol_status check_use(struct halo_use use, struct box b)
{
    int layers = 0;
    if (use.bytes != (int)sizeof(float) && use.bytes != (int)sizeof(double))
        RAISE(KOL_ERR_INTERNAL, "a halo can't have values of %d bytes", use.bytes);
    if (use.fields < 1 || use.fields > HALO_FIELDS || use.shapes >> SHAPES != 0)
        RAISE(KOL_ERR_INTERNAL, "a halo can't be made for %d fields and the shapes %#x", use.fields,
              use.shapes);
    for (int s = 0; s < SHAPES; ++s)
        if (is_used(use, s) && layers_of(s, 0) > layers) layers = layers_of(s, 0);
    if (b.h < layers || b.nx < layers || b.ny < layers || b.nz < layers)
        RAISE(KOL_ERR_INTERNAL, "%d x %d x %d cells with a halo of %d are too few for %d layers", b.nx, b.ny,
              b.nz, b.h, layers);
    return KOL_OK;
}

kol_status halo_create_for(struct memory *memory, struct halo_use use, const struct comm *c,
                           const struct decomp *d, struct box b, int transport, struct halo **out)
{
    struct halo *h = calloc(1, sizeof *h);
    *out = h;
    TRY(memory_agree(memory, c,
                     h == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the halo exchange")
                         : check_use(use, b)));
    h->use = use;
    h->box = b;
    h->rank = c->rank;
    h->routes = routes_make(use, d, b);
    for (int i = 0; i < 3; ++i) h->ranks[i] = d->ranks[i];
    for (int n = 0; n < FACES; ++n) h->remote |= (unsigned)(h->routes.rank[n] != h->rank) << n;
    const int marked = h->remote != 0 && !memory_counts(memory);
    TRY(memory_agree(memory, c, marked ? device_mark_create(0, &h->mark) : KOL_OK));
    return transport_create(memory, c, transport, &h->routes, &h->transport);
}

kol_status halo_create(struct memory *memory, int fields, const struct comm *c, const struct decomp *d,
                       struct box b, int transport, struct halo **out)
{
    return halo_create_for(memory, halo_use_flow(fields, 0), c, d, b, transport, out);
}

void halo_destroy(struct halo **h)
{
    if (*h == NULL) return;
    transport_destroy(&(*h)->transport);
    device_mark_destroy(&(*h)->mark);
    free(*h);
    *h = NULL;
}

/* Adds items for the halo cells whose values are own cells of this rank, on its other side. */
static void add_wraps(const struct halo *h, const struct under_way *x, struct pack_list *list)
{
    for (int n = 0; n < MESSAGES; ++n) {
        for (int f = 0; f < x->n; ++f) {
            if (h->routes.rank[n] != h->rank || !carries(x->shape, n ^ 1, f)) continue;
            list->item[list->n++] = (struct pack_item){.field = x->field[f],
                                                       .own = region(h->box, x->shape, n ^ 1, 0),
                                                       .beyond = region(h->box, x->shape, n, 1),
                                                       .wrap = 1,
                                                       .message = -1};
        }
    }
}

static kol_status wrap(const struct halo *h, const struct under_way *x)
{
    struct pack_list list = {.bytes = h->use.bytes};
    add_wraps(h, x, &list);
    return list.n > 0 ? pack_regions(h->box, &list, NULL) : KOL_OK;
}

/* Lists the items of the messages to other ranks, or from them. If GPUs signal each other, a message without
 * values has an empty item. */
static struct pack_list list_messages(struct halo *h, int receiving)
{
    const struct under_way *x = &h->now;
    struct pack_signals *signals = x->parcel.signals;
    struct pack_list list = {.bytes = h->use.bytes};
    for (int n = 0; n < MESSAGES; ++n) {
        unsigned char *place = receiving ? x->parcel.receive[n] : x->parcel.send[n];
        const struct range r = region(h->box, x->shape, n, receiving);
        const int before = list.n;
        if (signals != NULL) signals->items[n] = 0;
        if (!routes_used(&h->routes, h->rank, x->shape, n)) continue;
        for (int f = 0; f < x->n; ++f) {
            if (!carries(x->shape, receiving ? n ^ 1 : n, f)) continue;
            list.item[list.n++] =
                (struct pack_item){.field = x->field[f], .own = r, .beyond = r, .place = place, .message = n};
            place += h->use.bytes * count_cells(r);
        }
        if (signals == NULL) continue;
        if (list.n == before) list.item[list.n++] = (struct pack_item){.message = n};
        signals->items[n] = list.n - before;
    }
    return list;
}

static const char *label_of(const struct halo *h)
{
    return h->label != NULL ? h->label : SHAPE_NAME[h->now.shape];
}

/* Packs and sends, with the transfer queue in use. */
static kol_status send(struct halo *h)
{
    TRY(profile_exchange_begin(h->profile, label_of(h)));
    const struct pack_list list = list_messages(h, 0);
    TRY(pack_regions(h->box, &list, h->now.parcel.signals));
    return transport_send(h->transport);
}

/* Waits for the messages and unpacks them, with the transfer queue in use. */
static kol_status receive(struct halo *h)
{
    TRY(transport_await(h->transport));
    const struct pack_list list = list_messages(h, 1);
    TRY(unpack_regions(h->box, &list, h->now.parcel.signals));
    TRY(transport_join(h->transport));
    return profile_exchange_join(h->profile);
}

static kol_status on_transfer_queue(struct halo *h, kol_status (*work)(struct halo *h))
{
    device_use(QUEUE_TRANSFER);
    const kol_status st = work(h);
    device_use(QUEUE_COMPUTE);
    TRY(st);
    return KOL_OK;
}

static kol_status check_exchange(const struct halo *h, int n, enum halo_shape shape)
{
    if (h->now.is) RAISE(KOL_ERR_INTERNAL, "a halo exchange began before the previous one was awaited");
    if (!is_used(h->use, shape)) RAISE(KOL_ERR_INTERNAL, "the halo was not made for shape %d", (int)shape);
    if (n < 1 || n > h->use.fields || (shape == HALO_NORMAL && n != 3) ||
        (shape == HALO_BOX && n > HALO_BOX_FIELDS))
        RAISE(KOL_ERR_INTERNAL, "a halo exchange can't have %d fields", n);
    return KOL_OK;
}

static int wraps(const struct halo *h, enum halo_shape shape)
{
    return !h->leave_around || shape == HALO_EDGES || shape == HALO_NORMAL || shape == HALO_WIDE;
}

kol_status halo_mark(struct halo *h)
{
    return h->remote != 0 ? device_mark_record(h->mark) : KOL_OK;
}

/* Asks the transport for the places of the messages of h->now. */
static kol_status place_messages(struct halo *h)
{
    const struct under_way *x = &h->now;
    return transport_begin(h->transport, x->shape, x->shape == HALO_NORMAL ? 1 : x->n, &h->now.parcel);
}

/* Begins h->now. */
static kol_status begin(struct halo *h)
{
    struct under_way *x = &h->now;
    x->is = 1;
    if (h->remote != 0) {
        TRY(place_messages(h));
        TRY(device_after(QUEUE_TRANSFER, QUEUE_COMPUTE));
        TRY(on_transfer_queue(h, send));
    }
    if (wraps(h, x->shape))
        TRY(wrap(h, x)); /* at the same time as packing and unpacking, which use other cells */
    return halo_mark(h);
}

/* Notes what is to be exchanged. */
static kol_status set(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    TRY(check_exchange(h, n, shape));
    if (h->use.bytes != (int)sizeof(real))
        RAISE(KOL_ERR_INTERNAL, "the halo was made for values of %d bytes", h->use.bytes);
    for (int f = 0; f < n; ++f) h->now.field[f] = fields[f];
    h->now.n = n;
    h->now.shape = shape;
    return KOL_OK;
}

static kol_status set_one(struct halo *h, void *field, enum halo_shape shape)
{
    TRY(check_exchange(h, 1, shape));
    h->now.field[0] = field;
    h->now.n = 1;
    h->now.shape = shape;
    return KOL_OK;
}

kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    TRY(set(h, fields, n, shape));
    return begin(h);
}

kol_status halo_begin_one(struct halo *h, void *field, enum halo_shape shape)
{
    TRY(set_one(h, field, shape));
    return begin(h);
}

/* Unpacks the messages that have come, in the transfer queue; afterwards the compute queue is in use. */
static kol_status await(struct halo *h)
{
    if (!h->now.is) RAISE(KOL_ERR_INTERNAL, "a halo exchange was awaited that had not begun");
    h->now.is = 0;
    if (h->remote == 0) return KOL_OK;
    TRY(profile_exchange_await(h->profile));
    return on_transfer_queue(h, receive);
}

kol_status halo_await(struct halo *h)
{
    TRY(await(h));
    if (h->remote == 0) return KOL_OK;
    TRY(device_after_mark(QUEUE_TRANSFER, h->mark)); /* after the unpacking, which does not need it */
    device_use(QUEUE_TRANSFER);
    return KOL_OK;
}

kol_status halo_join(struct halo *h, kol_status st)
{
    device_use(QUEUE_COMPUTE);
    TRY(st);
    return h->remote != 0 ? device_after(QUEUE_COMPUTE, QUEUE_TRANSFER) : KOL_OK;
}

/* Does an exchange without work to overlap, in the queue in use. If the GPUs need no host for it, it is a
 * single launch. */
static kol_status fill(struct halo *h)
{
    if (h->remote == 0 || !transport_signals(h->transport)) {
        TRY(begin(h));
        TRY(await(h));
        return halo_join(h, KOL_OK);
    }
    TRY(place_messages(h));
    TRY(profile_exchange_fill(h->profile, label_of(h)));
    struct pack_list out = list_messages(h, 0);
    const struct pack_list in = list_messages(h, 1);
    if (wraps(h, h->now.shape)) add_wraps(h, &h->now, &out);
    TRY(exchange_regions(h->box, &out, h->box, &in, h->now.parcel.signals));
    return profile_exchange_join(h->profile);
}

kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    TRY(set(h, fields, n, shape));
    return fill(h);
}

kol_status halo_fill_one(struct halo *h, void *field, enum halo_shape shape)
{
    TRY(set_one(h, field, shape));
    return fill(h);
}

/* Omits the messages to sides that are wrapped in some direction, because other messages bring the same
 * values. */
void halo_leave_around(struct halo *h)
{
    h->leave_around = 1;
    for (int n = 0; n < MESSAGES; ++n) {
        int around = 0;
        for (int d = 0; d < 3; ++d) around |= SIDE[n][d] != 0 && h->ranks[d] == 1;
        if (!around) continue;
        routes_omit(&h->routes, HALO_BOX, n);
        transport_omit(h->transport, HALO_BOX, n);
    }
}

kol_status halo_wrap(struct halo *h, void *field)
{
    const struct under_way x = {.shape = HALO_FACES, .n = 1, .field = {field}};
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

struct cells halo_cells_held(const struct halo *h, enum cells_which which, unsigned held)
{
    struct cells c = halo_cells(h, which);
    c.around &= ~held;
    return c;
}

const char *halo_transport(const struct halo *h)
{
    return transport_name(h->transport);
}

const char *halo_warning(const struct halo *h)
{
    return transport_warning(h->transport);
}

void halo_profile(struct halo *h, struct profile *p, const char *label)
{
    h->profile = p;
    h->label = label;
}
