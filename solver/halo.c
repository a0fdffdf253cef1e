#include "halo.h"

#include <stdlib.h>
#include "../kernels/pack.h"
#include "transport.h"

enum { FACES = 6, FACE_TAG = 100 };

/* Direction of each message: faces in the order X_LOW .. Z_HIGH, then edges. The opposite of number n is n ^ 1. */
static const int SIDE[PACK_REGIONS][3] = {{-1, 0, 0},  {1, 0, 0},   {0, -1, 0}, {0, 1, 0},  {0, 0, -1},
                                          {0, 0, 1},   {-1, -1, 0}, {1, 1, 0},  {-1, 1, 0}, {1, -1, 0},
                                          {-1, 0, -1}, {1, 0, 1},   {-1, 0, 1}, {1, 0, -1}, {0, -1, -1},
                                          {0, 1, 1},   {0, -1, 1},  {0, 1, -1}};

struct halo {
    const struct comm *comm;
    struct box box;
    int neighbour[PACK_REGIONS];
    struct range own[PACK_REGIONS];    /* cells sent towards SIDE[n] */
    struct range beyond[PACK_REGIONS]; /* halo cells there */
    ptrdiff_t count[PACK_REGIONS];
    struct transport *transport;
    struct pack_fields fields; /* of the exchange under way */
    int regions;
};

static struct range region_towards(struct box b, const int side[3], int beyond)
{
    const int n[3] = {b.nx, b.ny, b.nz};
    struct range r;
    for (int d = 0; d < 3; ++d) {
        if (side[d] == 0) {
            r.lo[d] = 0;
            r.hi[d] = n[d];
        } else if (side[d] < 0) {
            r.lo[d] = beyond ? -b.h : 0;
            r.hi[d] = r.lo[d] + b.h;
        } else {
            r.hi[d] = beyond ? n[d] + b.h : n[d];
            r.lo[d] = r.hi[d] - b.h;
        }
    }
    return r;
}

kol_status halo_create(const struct comm *c, const struct decomp *d, struct box b, struct halo **out)
{
    struct halo *h = calloc(1, sizeof *h);
    if (h == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the halo exchange");
    *out = h;
    h->comm = c;
    h->box = b;
    ptrdiff_t values = 0;
    for (int n = 0; n < PACK_REGIONS; ++n) {
        h->neighbour[n] = decomp_neighbour(d, SIDE[n]);
        h->own[n] = region_towards(b, SIDE[n], 0);
        h->beyond[n] = region_towards(b, SIDE[n], 1);
        h->count[n] = 1;
        for (int i = 0; i < 3; ++i) h->count[n] *= h->own[n].hi[i] - h->own[n].lo[i];
        values += h->count[n];
    }
    TRY(transport_create(c, values * PACK_FIELDS, &h->transport));
    return KOL_OK;
}

void halo_destroy(struct halo **h)
{
    if (*h == NULL) return;
    transport_destroy(&(*h)->transport);
    free(*h);
    *h = NULL;
}

/* Where region n starts in a buffer that holds `fields` fields. */
static ptrdiff_t region_offset(const struct halo *h, int n, int fields)
{
    ptrdiff_t o = 0;
    for (int i = 0; i < n; ++i) o += h->count[i] * fields;
    return o;
}

/* Halo cells that come from this rank itself (self) or from others. What this rank sent towards one side is what it
 * receives from the opposite side. */
static kol_status unpack(const struct halo *h, int self, const real *buffer)
{
    struct pack_list list = {.n = 0};
    for (int i = 0; i < h->regions; ++i) {
        if ((h->neighbour[i] == h->comm->rank) != self) continue;
        list.region[list.n] = h->beyond[i];
        list.count[list.n] = h->count[i];
        list.offset[list.n] = region_offset(h, self ? i ^ 1 : i, h->fields.n);
        ++list.n;
    }
    return list.n > 0 ? unpack_regions(h->box, list, h->fields, buffer) : KOL_OK;
}

kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    h->fields.n = n;
    for (int f = 0; f < n; ++f) h->fields.f[f] = fields[f];
    h->regions = shape == HALO_EDGES ? PACK_REGIONS : FACES;
    struct pack_list list = {.n = h->regions};
    struct message send[TRANSPORT_MESSAGES], receive[TRANSPORT_MESSAGES];
    int messages = 0;
    for (int i = 0; i < h->regions; ++i) {
        list.region[i] = h->own[i];
        list.count[i] = h->count[i];
        list.offset[i] = region_offset(h, i, n);
        if (h->neighbour[i] == h->comm->rank) continue;
        /* the neighbour in this direction sends its region of the opposite direction */
        send[messages] = (struct message){h->neighbour[i], FACE_TAG + i, list.offset[i], n * h->count[i]};
        receive[messages] =
            (struct message){h->neighbour[i], FACE_TAG + (i ^ 1), list.offset[i], n * h->count[i]};
        ++messages;
    }
    TRY(pack_regions(h->box, list, h->fields, transport_send_buffer(h->transport)));
    TRY(transport_begin(h->transport, send, receive, messages));
    return unpack(h, 1, transport_send_buffer(h->transport));
}

kol_status halo_end(struct halo *h)
{
    TRY(transport_end(h->transport));
    TRY(unpack(h, 0, transport_receive_buffer(h->transport)));
    h->regions = 0;
    return KOL_OK;
}

kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape)
{
    TRY(halo_begin(h, fields, n, shape));
    TRY(halo_end(h));
    return KOL_OK;
}

struct range halo_inner(const struct halo *h)
{
    struct range r = range_all(h->box);
    for (int d = 0; d < 3; ++d) {
        /* halo cells of this rank's own making are in place when halo_begin returns */
        if (h->neighbour[2 * d] == h->comm->rank) continue;
        r.lo[d] += h->box.h;
        r.hi[d] -= h->box.h;
        if (r.hi[d] < r.lo[d]) r.hi[d] = r.lo[d];
    }
    return r;
}

int halo_rim(const struct halo *h, struct range rim[6])
{
    const struct range inner = halo_inner(h);
    struct range rest = range_all(h->box);
    int n = 0;
    /* z slabs over the whole width, then y, then x: what is left after each cut shrinks towards inner */
    for (int d = Z; d >= X; --d) {
        rim[n] = rest;
        rim[n++].hi[d] = inner.lo[d];
        rim[n] = rest;
        rim[n++].lo[d] = inner.hi[d];
        rest.lo[d] = inner.lo[d];
        rest.hi[d] = inner.hi[d];
    }
    return n;
}
