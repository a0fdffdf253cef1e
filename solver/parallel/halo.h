/* Halo exchange: the only place that moves halo cells. docs/numerics/halo.md.
 *
 * Every exchange is begun, awaited and joined: halo_begin sends, halo_await has what came unpacked and lets
 * work follow in the queue of the exchange, halo_join lets the compute queue go on with both. halo_fill is
 * all three in one call, for an exchange that nothing overlaps. The same verbs serve exchange.h, which joins
 * an exchange to a sweep, transport.h and the marks of profile.h. */
#ifndef KOL_PARALLEL_HALO_H
#define KOL_PARALLEL_HALO_H

#include "decomp.h"
#include "memory.h"

enum { HALO_FIELDS = 4, HALO_BOX_FIELDS = 1 }; /* most fields of one exchange; of the shape HALO_BOX */
enum halo_shape {
    HALO_FACES,  /* one layer beyond the six faces: what 7-point operators read */
    HALO_EDGES,  /* and along the twelve edges: what convection reads */
    HALO_DEEP,   /* two layers beyond the faces, one along the edges: what two 7-point operators in a row read
                  */
    HALO_NORMAL, /* of three fields u, v, w one layer, beyond the high face in x, y, z: what the divergence
                    reads */
    HALO_BOX /* two layers beyond faces, edges and corners, of one field: what passages between grids read */
};
/* halo_use: what a halo is for: values of 4 or 8 bytes, the most fields of one exchange, bit s for each shape
 * s. halo_use_flow: HALO_FIELDS fields of real values in all shapes but HALO_BOX. halo_use_level: one field
 * in the shapes HALO_FACES and HALO_BOX. */
struct halo_use {
    int bytes, fields;
    unsigned shapes;
};
struct halo_use halo_use_flow(void);
struct halo_use halo_use_level(int bytes);

struct halo;
struct profile; /* profile.h */
/* halo_create_for: buffers for that use of fields of box b, which has as many halo layers as the shapes want
 * and as many cells in each direction; neighbours from d (ranks, coord). transport: enum transport_name of
 * input.h; KOL_ERR_INPUT where that can't be had. halo_create: for halo_use_flow(). All collective. c is
 * borrowed. Any number of halos may live at once. */
kol_status halo_create_for(struct memory *memory, struct halo_use use, const struct comm *c,
                           const struct decomp *d, struct box b, int transport, struct halo **out);
kol_status halo_create(struct memory *memory, const struct comm *c, const struct decomp *d, struct box b,
                       int transport, struct halo **out);
void halo_destroy(struct halo **h);

/* halo_begin: pack and send what the shape names of n fields of the box given at creation, in the order of
 * the compute queue; the own cells must not change before halo_join. Halo cells that are own cells of this
 * rank are in place for what the compute queue is given next. Those beyond the faces of halo_remote, and the
 * edges and corners at these, are not there before halo_await; until then the compute queue may work on what
 * needs none of them.
 *
 * halo_await: the transfer queue is in use from then on. What it is given begins when the messages have been
 * unpacked, and when what the compute queue was given before halo_begin returned is done. The unpacking
 * itself does not wait for the latter. So work that needs the whole halo can run beside what the compute
 * queue was given since halo_begin. halo_mark, between the two, has it wait for all that the compute queue
 * was given so far.
 *
 * halo_join: the compute queue is in use again, and what it is given next comes after all of that. st is the
 * status of the work since halo_await; it comes back if it is a fault.
 *
 * halo_fill: the three in a row.
 *
 * Where no face is another rank's there is one queue. Every rank calls all of them, in the same order, one
 * exchange of a halo after the other; exchanges of several halos may overlap where they are awaited in the
 * order in which they began. The compute queue is in use before halo_begin and after halo_join. */
kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape);
kol_status halo_mark(struct halo *h);
kol_status halo_await(struct halo *h);
kol_status halo_join(struct halo *h, kol_status st);
kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape);
/* halo_begin_one, halo_fill_one: the same for one field of values of whatever size the halo was made for. */
kol_status halo_begin_one(struct halo *h, void *field, enum halo_shape shape);
kol_status halo_fill_one(struct halo *h, void *field, enum halo_shape shape);

/* halo_leave_around: from now on exchanges of the shapes HALO_FACES, HALO_DEEP and HALO_BOX leave halo cells
 * alone that are own cells of this rank: their readers look on the other side themselves. HALO_BOX leaves
 * more alone: all cells beyond a direction with one rank. Its readers first take such an index to the other
 * side, own cells 0 .. n-1, and then find what they want: an own cell, or a halo cell beyond directions with
 * several ranks only, which is filled, edges and corners among these included. Every rank calls it, between
 * the same two exchanges. halo_wrap: fills those of HALO_FACES of one field. */
void halo_leave_around(struct halo *h);
kol_status halo_wrap(struct halo *h, void *field);

/* halo_remote: a bit for each face whose halo comes from another rank. halo_cells: what kernels that sweep
 * between halo_begin and halo_join, or after it, are given. */
unsigned halo_remote(const struct halo *h);
struct cells halo_cells(const struct halo *h, enum cells_which which);
/* halo_transport: its name, for the log; halo_warning: what the user should know of it, "" for nothing.
 * Borrowed. */
const char *halo_transport(const struct halo *h);
const char *halo_warning(const struct halo *h);
/* halo_profile: the marks of every exchange with other ranks go there, under the name of its shape, or
 * `label`, a literal, where that is not NULL; p is borrowed; NULL: none. */
void halo_profile(struct halo *h, struct profile *p, const char *label);

#endif
