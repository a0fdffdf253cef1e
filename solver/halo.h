/* Halo exchange: the only place that moves halo cells. */
#ifndef KOL_HALO_H
#define KOL_HALO_H

#include "decomp.h"

enum halo_shape {
    HALO_FACES, /* the six faces: what 7-point operators and the divergence read */
    HALO_EDGES  /* faces and the twelve edges: what convection reads */
};

struct halo;
/* halo_create: buffers for up to PACK_FIELDS fields of box b; neighbours from d. c and d are borrowed. */
kol_status halo_create(const struct comm *c, const struct decomp *d, struct box b, struct halo **out);
void halo_destroy(struct halo **h);
/* halo_begin: pack and send; the own cells of the fields must not change before halo_end. halo_end: receive and
 * unpack: one layer beyond each face (and edge) holds the periodic neighbour's values. Every rank calls both, in the
 * same order. halo_fill is the two in a row. n fields of the box given at creation. */
kol_status halo_begin(struct halo *h, real *const *fields, int n, enum halo_shape shape);
kol_status halo_end(struct halo *h);
kol_status halo_fill(struct halo *h, real *const *fields, int n, enum halo_shape shape);
/* halo_inner: the cells whose neighbours are all on this rank or arrive without a message, which may be computed between
 * begin and end; halo_rim: the rest, as at most six ranges. Their union is every own cell, once. */
struct range halo_inner(const struct halo *h);
int halo_rim(const struct halo *h, struct range rim[6]);

#endif
