/* Computes the coefficients of the isotropic initial flow: a thread takes the wave numbers +-y and +-z of a
 * plane. */
#include "../isotropic.h"
#include "../point/isotropic.h"
#include "check.cuh"
#include "queue.cuh"

enum { WAVES_Z = 128, WAVES_PLANES = 65535 };

static __global__ void __launch_bounds__(WAVES_Z)
    coefficients_kernel(const __grid_constant__ struct isotropic_waves w, int first, int planes, double *out)
{
    const int z = (int)(blockIdx.x * WAVES_Z + threadIdx.x), y = (int)blockIdx.y;
    const ptrdiff_t plane = (ptrdiff_t)w.n[1] * w.n[2];
    if (z > w.n[2] / 2) return;
    for (int p = (int)blockIdx.z; p < planes; p += (int)gridDim.z)
        point_isotropic_write(w, first + p, y, z, out + p * plane);
}

kol_status isotropic_coefficients(struct isotropic_waves w, int first, int planes, double *out)
{
    if (planes == 0) return KOL_OK;
    const dim3 grid((unsigned)((w.n[2] / 2 + WAVES_Z) / WAVES_Z), (unsigned)(w.n[1] / 2 + 1),
                    (unsigned)(planes < WAVES_PLANES ? planes : WAVES_PLANES));
    coefficients_kernel<<<grid, WAVES_Z, 0, queue_stream()>>>(w, first, planes, out);
    CUDA_LAUNCHED("isotropic_coefficients");
    return KOL_OK;
}
