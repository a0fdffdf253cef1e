/* Packs own cells in single precision, and unpacks them. */
#include "../packed.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

static __global__ void __launch_bounds__(TILE_MOST)
    from_kernel(struct box b, struct box q, int planes, real scale, const real *KOL_RESTRICT field,
                float *KOL_RESTRICT packed)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    for (int k = t.z0; k < t.z1; ++k) packed[at(q, t.i, t.j, k)] = (float)(scale * field[at(b, t.i, t.j, k)]);
}

static __global__ void __launch_bounds__(TILE_MOST)
    to_kernel(struct box b, struct box q, int planes, real scale, const float *KOL_RESTRICT packed,
              real *KOL_RESTRICT field)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    for (int k = t.z0; k < t.z1; ++k) field[at(b, t.i, t.j, k)] = scale * (real)packed[at(q, t.i, t.j, k)];
}

kol_status packed_from_field(struct box b, real scale, const real *field, float *packed)
{
    const struct shape s = TILE_PLAIN;
    from_kernel<<<tile_grid(b, s), tile_threads(s), 0, queue_stream()>>>(b, packed_box(b), s.z, scale, field,
                                                                         packed);
    CUDA_LAUNCHED("packed_from_field");
    return KOL_OK;
}

kol_status packed_to_field(struct box b, real scale, const float *packed, real *field)
{
    const struct shape s = TILE_PLAIN;
    to_kernel<<<tile_grid(b, s), tile_threads(s), 0, queue_stream()>>>(b, packed_box(b), s.z, scale, packed,
                                                                       field);
    CUDA_LAUNCHED("packed_to_field");
    return KOL_OK;
}
