/* The exchange of halos. No other code moves halo cells. docs/numerics/halo.md.
 *
 * Every exchange has three steps. halo_begin packs and sends. halo_await waits for the messages and unpacks
 * them. halo_join makes the work that the compute queue is given next wait for the exchange. If no work
 * overlaps the exchange, halo_fill does the three steps in one call. halo_overlap.h (which sweeps the inner
 * cells during an exchange), transport.h and the marks of profile.h use the same verbs. */
#ifndef KOL_PARALLEL_HALO_H
#define KOL_PARALLEL_HALO_H

#include "decomp.h"
#include "memory.h"

/* HALO_FIELDS: the most fields of one exchange. HALO_BOX_FIELDS: the most in the shape HALO_BOX. */
enum { HALO_FIELDS = 12, HALO_BOX_FIELDS = 1 };
/* halo_shape: which halo cells an exchange fills, and who reads them.
 *
 *   HALO_FACES    one layer beyond the six faces; 7-point operators
 *   HALO_EDGES    one layer beyond the faces and along the twelve edges; convection
 *   HALO_DEEP     two layers beyond the faces, one along the edges; two 7-point operators in a row
 *   HALO_NORMAL   one layer beyond one face of each of three fields: u beyond the high face in x, v in y, w
 *                 in z; divergence
 *   HALO_BOX      two layers beyond faces, edges and corners, of one field; transfers between the grids of
 *                 multigrid
 *   HALO_WIDE     the cells of HALO_DEEP, of several fields, copies of own cells included; convection with a
 *                 limiter */
enum halo_shape { HALO_FACES, HALO_EDGES, HALO_DEEP, HALO_NORMAL, HALO_BOX, HALO_WIDE };
/* halo_use: what a halo is for.
 *
 *   bytes    bytes of a value, 4 or 8
 *   fields   the most fields of one exchange
 *   shapes   bit s is set if exchanges have the shape s */
struct halo_use {
    int bytes, fields;
    unsigned shapes;
};
/* halo_use_flow: returns the use for `fields` fields of real values, in all shapes but HALO_BOX and, unless
 * `wide` is not 0, HALO_WIDE. */
struct halo_use halo_use_flow(int fields, int wide);
/* halo_use_level: returns the use for one field in the shapes HALO_FACES and HALO_BOX. */
struct halo_use halo_use_level(int bytes);

struct halo;
struct profile; /* profile.h */
/* halo_create_for: makes the buffers for a use.
 *
 *   d           the neighbours of this rank come from d (ranks, coord)
 *   b           box of the fields; it needs as many halo layers as the shapes have, and at least as many
 *               cells in each direction
 *   transport   enum transport_name of input.h; KOL_ERR_INPUT if it can't be had
 *
 * Any number of halos may exist at the same time. Collective. c is borrowed. */
kol_status halo_create_for(struct memory *memory, struct halo_use use, const struct comm *c,
                           const struct decomp *d, struct box b, int transport, struct halo **out);
/* halo_create: does the same for halo_use_flow(fields, 0). Collective. */
kol_status halo_create(struct memory *memory, int fields, const struct comm *c, const struct decomp *d,
                       struct box b, int transport, struct halo **out);
/* halo_destroy: frees the buffers. Collective. */
void halo_destroy(struct halo **h);

/* The steps of an exchange. Every rank calls them in the same order, and finishes one exchange of a halo
 * before it begins the next one. Exchanges of several halos may overlap if they are awaited in the order in
 * which they began. The compute queue must be in use before halo_begin, and is in use after halo_join. If no
 * face belongs to another rank, there is only one queue.
 *
 * halo_begin: packs and sends the cells that `shape` names, of n fields of the box given at creation, in the
 * order of the compute queue. The own cells must not change before halo_join. Some halo cells are copies of
 * this rank's own cells, across a periodic direction; these are filled for what the compute queue is given
 * next. The halo cells beyond the faces of halo_remote, and the edges and corners at these faces, are not
 * filled before halo_await. Until then the compute queue may do work that reads none of them. */
kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape);
/* halo_mark: may be called between halo_begin and halo_await. Then the work that is given to the transfer
 * queue after halo_await also waits for all that the compute queue has been given so far. */
kol_status halo_mark(struct halo *h);
/* halo_await: switches to the transfer queue. Work that this queue is given from now on waits for two things:
 * the messages are unpacked; and the compute queue has done all that it was given before halo_begin returned.
 * The unpacking itself does not wait for the compute queue. So work that needs the complete halo can run at
 * the same time as the work that the compute queue was given since halo_begin. */
kol_status halo_await(struct halo *h);
/* halo_join: switches back to the compute queue. Work that it is given next comes after everything above. st
 * is the status of the work since halo_await; if it is a fault, it is returned. */
kol_status halo_join(struct halo *h, kol_status st);
/* halo_fill: does the three steps in one call. */
kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape);
/* halo_begin_one, halo_fill_one: do the same as halo_begin and halo_fill for one field, whose values have
 * the size that the halo was made for. */
kol_status halo_begin_one(struct halo *h, void *field, enum halo_shape shape);
kol_status halo_fill_one(struct halo *h, void *field, enum halo_shape shape);

/* halo_leave_around: from now on exchanges of the shapes HALO_FACES, HALO_DEEP and HALO_BOX do not fill halo
 * cells that are copies of this rank's own cells. Kernels read the own cell on the other side of the grid
 * instead.
 *
 * HALO_BOX fills even less: nothing beyond a direction with one rank. Its readers first take an index in such
 * a direction to the other side, to the own cells 0 .. n-1. Then they find either an own cell or a halo cell
 * that lies beyond directions with several ranks only. Those halo cells are filled, with edges and corners.
 *
 * Every rank calls it, between the same two exchanges. */
void halo_leave_around(struct halo *h);
/* halo_wrap: fills the halo cells of the shape HALO_FACES that are copies of this rank's own cells, in one
 * field. */
kol_status halo_wrap(struct halo *h, void *field);

/* halo_remote: returns a bit for each face whose halo comes from another rank. */
unsigned halo_remote(const struct halo *h);
/* halo_cells: returns the cells argument of kernels that sweep between halo_begin and halo_join, or after
 * it. */
struct cells halo_cells(const struct halo *h, enum cells_which which);
/* halo_cells_held: returns the same for a sweep whose stencil has x = 0 beyond the faces in `held` (struct
 * stencil). The sweep then reads no neighbours across these faces. */
struct cells halo_cells_held(const struct halo *h, enum cells_which which, unsigned held);
/* halo_transport: returns the name of the transport, for the log. Borrowed. */
const char *halo_transport(const struct halo *h);
/* halo_warning: returns what the user should know of the transport, or "". Borrowed. */
const char *halo_warning(const struct halo *h);
/* halo_profile: makes every later exchange with other ranks record its times in p (profile.h). They are
 * recorded under the name of the shape or, if `label` is not NULL, under this name, which must be a
 * literal. p is borrowed. If p is NULL, nothing is recorded. */
void halo_profile(struct halo *h, struct profile *p, const char *label);

#endif
