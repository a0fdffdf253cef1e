/* Halo exchange: the only place that moves halo cells. docs/numerics/halo.md. */
#ifndef KOL_HALO_H
#define KOL_HALO_H

#include "decomp.h"

enum { HALO_FIELDS = 4 }; /* most fields of one exchange */
enum halo_shape {
    HALO_FACES, /* one layer beyond the six faces: what 7-point operators read */
    HALO_EDGES, /* and along the twelve edges: what convection reads */
    HALO_DEEP, /* two layers beyond the faces, one along the edges: what two 7-point operators in a row read */
    HALO_NORMAL /* of three fields u, v, w one layer, beyond the high face in x, y, z: what the divergence reads */
};

struct halo;
struct profile; /* profile.h */
/* halo_create: buffers for up to HALO_FIELDS fields of box b, which has KOL_HALO cells or more in each direction; neighbours
 * from d. transport: enum transport_name of input.h; KOL_ERR_INPUT where that can't be had. Both collective. c is borrowed. */
kol_status halo_create(const struct comm *c, const struct decomp *d, struct box b, int transport,
                       struct halo **out);
void halo_destroy(struct halo **h);

/* halo_begin: pack and send what the shape names of n fields of the box given at creation, in the order of the compute queue;
 * the own cells must not change before halo_end. Halo cells that are own cells of this rank are in place for what the
 * compute queue is given next; those beyond the faces of halo_remote, and the edges at these, when halo_end has returned. In
 * between the queue may work on what needs none of them. halo_fill is the two in a row. Every rank calls both, in the same
 * order, one exchange after the other; the compute queue is in use. */
kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape);
kol_status halo_end(struct halo *h);
kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape);

/* halo_leave_around: from now on exchanges of the shapes HALO_FACES and HALO_DEEP leave halo cells alone that are own cells of this
 * rank: their readers look on the other side themselves. halo_wrap: fills those of HALO_FACES of one field. */
void halo_leave_around(struct halo *h);
kol_status halo_wrap(struct halo *h, real *field);

/* halo_remote: a bit for each face whose halo comes from another rank. halo_cells: what kernels that sweep between halo_begin and
 * halo_end, or after it, are given. */
unsigned halo_remote(const struct halo *h);
struct cells halo_cells(const struct halo *h, enum cells_which which);
/* halo_transport: its name, for the log; halo_warning: what the user should know of it, "" for nothing. Borrowed. */
const char *halo_transport(const struct halo *h);
const char *halo_warning(const struct halo *h);
/* halo_bytes: kernel memory taken; halo_bytes_wanted: what halo_create will take at most. */
size_t halo_bytes(const struct halo *h);
size_t halo_bytes_wanted(const struct comm *c, const struct decomp *d, struct box b);
/* halo_profile: the marks of every exchange with other ranks go there; borrowed; NULL: none. */
void halo_profile(struct halo *h, struct profile *p);

#endif
