/* Own cells of a field in single precision, packed without halo. The exact inverse in single precision works
 * on them (docs/numerics/direct.md, "Single precision"). All arrays are in kernel memory, and work goes to
 * the queue in use. */
#ifndef KOL_PACKED_H
#define KOL_PACKED_H

#include "base/status.h"

KOL_BEGIN_C

/* packed_box: returns the shape of the packed values of a box. A row has 2 (nx/2 + 1) places, so that the
 * spectrum of the row fits into it; the last one or two places hold nothing. */
HD struct box packed_box(struct box b)
{
    struct box p;
    p.nx = b.nx;
    p.ny = b.ny;
    p.nz = b.nz;
    p.h = 0;
    p.sy = 2 * (ptrdiff_t)(b.nx / 2 + 1);
    p.sz = p.sy * b.ny;
    p.start = 0;
    p.size = p.sz * b.nz;
    return p;
}

/* packed_from_field: packed = scale * field in all own cells of b. packed_to_field: field = scale * packed;
 * the halo of the field is not written. Per value: 1 read, 1 write. */
kol_status packed_from_field(struct box b, real scale, const real *field, float *packed);
kol_status packed_to_field(struct box b, real scale, const float *packed, real *field);

KOL_END_C

#endif
