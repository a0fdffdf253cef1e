#include "../pack.h"

#include <string.h>

/* Rows of a region into a packed buffer (to_buffer) or back. Those of an x face hold one value: a call of memcpy for each
 * would cost more than the whole stencil sweep. */
static void copy_region(struct box b, struct range r, real *field, real *buffer, int to_buffer)
{
    const int row = r.hi[X] - r.lo[X];
    for (int k = r.lo[Z]; k < r.hi[Z]; ++k) {
        for (int j = r.lo[Y]; j < r.hi[Y]; ++j, buffer += row) {
            real *cells = field + at(b, r.lo[X], j, k);
            if (row == 1) {
                if (to_buffer) buffer[0] = cells[0];
                else cells[0] = buffer[0];
            } else {
                memcpy(to_buffer ? buffer : cells, to_buffer ? cells : buffer, (size_t)row * sizeof(real));
            }
        }
    }
}

kol_status pack_regions(struct box b, struct pack_list list, struct pack_fields fields, real *buffer)
{
    for (int n = 0; n < list.n; ++n) {
        for (int f = 0; f < fields.n; ++f) {
            copy_region(b, list.region[n], fields.f[f], buffer + list.offset[n] + f * list.count[n], 1);
        }
    }
    return KOL_OK;
}

kol_status unpack_regions(struct box b, struct pack_list list, struct pack_fields fields, const real *buffer)
{
    for (int n = 0; n < list.n; ++n) {
        for (int f = 0; f < fields.n; ++f) {
            copy_region(b, list.region[n], fields.f[f],
                        (real *)(size_t)(buffer + list.offset[n] + f * list.count[n]), 0);
        }
    }
    return KOL_OK;
}
