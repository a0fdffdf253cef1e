/* Faces and edges of several fields to and from message buffers, all in one launch. */
#ifndef KOL_PACK_H
#define KOL_PACK_H

#include "base/status.h"

KOL_BEGIN_C

enum { PACK_REGIONS = 18, PACK_FIELDS = 4 };

/* pack_list: boxes of cells, each with its place in a buffer. Region n of field f starts at
 * offset[n] + f * count[n], x fastest. */
struct pack_list {
    int n;
    struct range region[PACK_REGIONS];
    ptrdiff_t offset[PACK_REGIONS]; /* in values, for the number of fields of this call */
    ptrdiff_t count[PACK_REGIONS];  /* cells of the region */
};
struct pack_fields {
    int n;
    real *f[PACK_FIELDS];
};

/* pack_regions: fields to buffer; unpack_regions: buffer to fields. buffer in kernel memory. */
kol_status pack_regions(struct box b, struct pack_list list, struct pack_fields fields, real *buffer);
kol_status unpack_regions(struct box b, struct pack_list list, struct pack_fields fields, const real *buffer);

KOL_END_C

#endif
