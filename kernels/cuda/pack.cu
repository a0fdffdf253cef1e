#include "../pack.h"
#include "check.cuh"

#include <limits.h>

enum { PACK_THREADS = 256 };

/* region_cells: cells of a region, 0 where it is empty. */
HD ptrdiff_t region_cells(struct range r)
{
    const ptrdiff_t ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], ez = r.hi[Z] - r.lo[Z];
    return ex > 0 && ey > 0 && ez > 0 ? ex * ey * ez : 0;
}

/* One launch: x over the cells of the largest region, y over regions, z over fields. OUT: field to buffer. */
template <bool OUT, class Value>
static __global__ void __launch_bounds__(PACK_THREADS)
    pack_kernel(struct box b, const __grid_constant__ struct pack_list list,
                const __grid_constant__ struct pack_fields fields, Value *buffer)
{
    const int n = (int)blockIdx.y, f = (int)blockIdx.z;
    const struct range r = list.region[n];
    const int c = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (c >= region_cells(r)) return;
    const int ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], row = c / ex;
    const ptrdiff_t o = at(b, r.lo[X] + c % ex, r.lo[Y] + row % ey, r.lo[Z] + row / ey);
    const ptrdiff_t place = list.offset[n] + f * list.count[n] + c;
    if constexpr (OUT) buffer[place] = fields.f[f][o];
    else fields.f[f][o] = buffer[place];
}

/* pack_grid: grid of one launch; x is 0 where there is nothing to move. */
static kol_status pack_grid(const struct pack_list *list, int fields, dim3 *grid)
{
    ptrdiff_t most = 0;
    for (int n = 0; n < list->n; ++n) {
        const ptrdiff_t cells = region_cells(list->region[n]);
        if (cells > INT_MAX - PACK_THREADS) RAISE(KOL_ERR_INTERNAL, "a message of %td cells a field", cells);
        most = cells > most ? cells : most;
    }
    if (fields <= 0) most = 0;
    *grid = dim3((unsigned)((most + PACK_THREADS - 1) / PACK_THREADS), (unsigned)list->n, (unsigned)fields);
    return KOL_OK;
}

kol_status pack_regions(struct box b, struct pack_list list, struct pack_fields fields, real *buffer)
{
    dim3 grid;
    TRY(pack_grid(&list, fields.n, &grid));
    if (grid.x == 0) return KOL_OK;
    pack_kernel<true><<<grid, PACK_THREADS>>>(b, list, fields, buffer);
    CUDA_LAUNCHED("pack_regions");
    return KOL_OK;
}

kol_status unpack_regions(struct box b, struct pack_list list, struct pack_fields fields, const real *buffer)
{
    dim3 grid;
    TRY(pack_grid(&list, fields.n, &grid));
    if (grid.x == 0) return KOL_OK;
    pack_kernel<false><<<grid, PACK_THREADS>>>(b, list, fields, buffer);
    CUDA_LAUNCHED("unpack_regions");
    return KOL_OK;
}
