#include "../pack.h"

#include <string.h>

kol_status pack_regions(struct box b, struct pack_list list, struct pack_fields fields, real *buffer)
{
    for (int n = 0; n < list.n; ++n) {
        const struct range r = list.region[n];
        const size_t row = (size_t)(r.hi[X] - r.lo[X]) * sizeof(real);
        for (int f = 0; f < fields.n; ++f) {
            real *to = buffer + list.offset[n] + f * list.count[n];
            for (int k = r.lo[Z]; k < r.hi[Z]; ++k) {
                for (int j = r.lo[Y]; j < r.hi[Y]; ++j, to += r.hi[X] - r.lo[X]) {
                    memcpy(to, fields.f[f] + at(b, r.lo[X], j, k), row);
                }
            }
        }
    }
    return KOL_OK;
}

kol_status unpack_regions(struct box b, struct pack_list list, struct pack_fields fields, const real *buffer)
{
    for (int n = 0; n < list.n; ++n) {
        const struct range r = list.region[n];
        const size_t row = (size_t)(r.hi[X] - r.lo[X]) * sizeof(real);
        for (int f = 0; f < fields.n; ++f) {
            const real *from = buffer + list.offset[n] + f * list.count[n];
            for (int k = r.lo[Z]; k < r.hi[Z]; ++k) {
                for (int j = r.lo[Y]; j < r.hi[Y]; ++j, from += r.hi[X] - r.lo[X]) {
                    memcpy(fields.f[f] + at(b, r.lo[X], j, k), from, row);
                }
            }
        }
    }
    return KOL_OK;
}
