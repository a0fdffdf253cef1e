/* Packs own cells in single precision, and unpacks them. */
#include "../packed.h"

kol_status packed_from_field(struct box b, real scale, const real *field, float *packed)
{
    const struct box q = packed_box(b);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) {
            const real *KOL_RESTRICT from = field + at(b, 0, j, k);
            float *KOL_RESTRICT to = packed + at(q, 0, j, k);
            for (int i = 0; i < b.nx; ++i) to[i] = (float)(scale * from[i]);
        }
    return KOL_OK;
}

kol_status packed_to_field(struct box b, real scale, const float *packed, real *field)
{
    const struct box q = packed_box(b);
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) {
            const float *KOL_RESTRICT from = packed + at(q, 0, j, k);
            real *KOL_RESTRICT to = field + at(b, 0, j, k);
            for (int i = 0; i < b.nx; ++i) to[i] = scale * (real)from[i];
        }
    return KOL_OK;
}
