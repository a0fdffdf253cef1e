/* Fills and advances the planes of open faces, and forms the sums over a face. */
#include "../open_face.h"
#include "../point/open_face.h"
#include "check.cuh"
#include "queue.cuh"

enum { OPEN_X = 32, OPEN_Y = 8, OPEN_FLAT = 256 };

/* Each thread takes one place; rows beyond the grid are taken in strides. */
static dim3 open_grid(int n, int rows)
{
    const unsigned most = 1024, y = (unsigned)((rows + OPEN_Y - 1) / OPEN_Y);
    return dim3((unsigned)((n + OPEN_X - 1) / OPEN_X), y < most ? y : most);
}

static dim3 open_threads(void)
{
    return dim3(OPEN_X, OPEN_Y);
}

static __global__ void __launch_bounds__(OPEN_FLAT)
    mix_kernel(ptrdiff_t n, real a, const real *x, real b, const real *y, real *out)
{
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * OPEN_FLAT;
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * OPEN_FLAT + threadIdx.x; i < n; i += step)
        out[i] = y != NULL ? a * x[i] + b * y[i] : a * x[i];
}

kol_status open_mix(ptrdiff_t n, real a, const real *x, real b, const real *y, real *out)
{
    const ptrdiff_t most = 4096, blocks = (n + OPEN_FLAT - 1) / OPEN_FLAT;
    mix_kernel<<<(unsigned)(blocks < most ? blocks : most), OPEN_FLAT, 0, queue_stream()>>>(n, a, x, b, y,
                                                                                            out);
    CUDA_LAUNCHED("open_mix");
    return KOL_OK;
}

static __global__ void __launch_bounds__(OPEN_X *OPEN_Y)
    fill_kernel(struct box b, const __grid_constant__ struct walls w, struct open_face f, const real *u,
                const real *v, const real *ww, real *plane)
{
    const int i = (int)(blockIdx.x * OPEN_X + threadIdx.x) - 1;
    real *const vel[3] = {(real *)u, (real *)v, (real *)ww};
    for (int j = (int)(blockIdx.y * OPEN_Y + threadIdx.y) - 1; i <= f.n[0] && j <= f.n[1];
         j += (int)(gridDim.y * OPEN_Y))
        point_open_fill(b, w, f, i, j, vel, plane);
}

kol_status open_fill(struct box b, struct walls w, int face, real *const vel[3], real *plane)
{
    const struct open_face f = open_face_make(b, face);
    fill_kernel<<<open_grid(f.n[0] + 2, f.n[1] + 2), open_threads(), 0, queue_stream()>>>(
        b, w, f, vel[X], vel[Y], vel[Z], plane);
    CUDA_LAUNCHED("open_fill");
    return KOL_OK;
}

static __global__ void __launch_bounds__(OPEN_X *OPEN_Y)
    convect_kernel(struct box b, struct metrics m, const __grid_constant__ struct walls w, struct open_face f,
                   struct open_stage s, const real *u, const real *v, const real *ww, const real *base,
                   real *old, real *plane)
{
    const int i = (int)(blockIdx.x * OPEN_X + threadIdx.x) - 1;
    real *const vel[3] = {(real *)u, (real *)v, (real *)ww};
    for (int j = (int)(blockIdx.y * OPEN_Y + threadIdx.y) - 1; i <= f.n[0] && j <= f.n[1];
         j += (int)(gridDim.y * OPEN_Y))
        point_open_convect(b, m, w, f, s, i, j, vel, base, old, plane);
}

kol_status open_convect(struct box b, struct metrics m, struct walls w, int face, struct open_stage s,
                        real *const vel[3], const real *base, real *old, real *plane)
{
    const struct open_face f = open_face_make(b, face);
    convect_kernel<<<open_grid(f.n[0] + 2, f.n[1] + 2), open_threads(), 0, queue_stream()>>>(
        b, m, w, f, s, vel[X], vel[Y], vel[Z], base, old, plane);
    CUDA_LAUNCHED("open_convect");
    return KOL_OK;
}

static __global__ void __launch_bounds__(OPEN_FLAT) shift_kernel(ptrdiff_t n, real shift, real *normal)
{
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * OPEN_FLAT;
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * OPEN_FLAT + threadIdx.x; i < n; i += step) normal[i] += shift;
}

kol_status open_shift(struct box b, int face, real shift, real *plane)
{
    const struct open_face f = open_face_make(b, face);
    const ptrdiff_t n = plane_values(b, f.d), most = 4096, blocks = (n + OPEN_FLAT - 1) / OPEN_FLAT;
    shift_kernel<<<(unsigned)(blocks < most ? blocks : most), OPEN_FLAT, 0, queue_stream()>>>(
        n, f.sign * shift, plane + n * f.d);
    CUDA_LAUNCHED("open_shift");
    return KOL_OK;
}

static __global__ void __launch_bounds__(OPEN_X *OPEN_Y)
    impulse_kernel(struct box b, struct open_face f, real keep, real weight, const real *p, real *impulse)
{
    const int i = (int)(blockIdx.x * OPEN_X + threadIdx.x);
    for (int j = (int)(blockIdx.y * OPEN_Y + threadIdx.y); i < f.n[0] && j < f.n[1];
         j += (int)(gridDim.y * OPEN_Y)) {
        const ptrdiff_t q = plane_at(b, f.d, 0, i, j);
        const real now = weight * p[f.in + i * f.sa + j * f.sb];
        impulse[q] = keep == 0 ? now : keep * impulse[q] + now;
    }
}

kol_status open_impulse(struct box b, int face, real keep, real weight, const real *p, real *impulse)
{
    const struct open_face f = open_face_make(b, face);
    impulse_kernel<<<open_grid(f.n[0], f.n[1]), open_threads(), 0, queue_stream()>>>(b, f, keep, weight, p,
                                                                                     impulse);
    CUDA_LAUNCHED("open_impulse");
    return KOL_OK;
}

/* Each thread takes one piece of a row: x counts rows, y blocks. */
static __global__ void __launch_bounds__(OPEN_FLAT)
    sums_kernel(struct box b, struct metrics m, const __grid_constant__ struct walls w, struct blocks bl,
                struct open_face f, int count, struct open_look look, const real *u, const real *v,
                const real *ww, double *rows)
{
    const int j = (int)(blockIdx.x * OPEN_FLAT + threadIdx.x);
    real *const vel[3] = {(real *)u, (real *)v, (real *)ww};
    look.vel = vel;
    if (j < f.n[1]) point_open_row(b, m, w, bl, f, count, look, (int)blockIdx.y, j, rows);
}

kol_status open_sums(struct box b, struct metrics m, struct walls w, struct blocks bl, int face, int count,
                     struct open_look look, double *rows)
{
    const struct open_face f = open_face_make(b, face);
    const int blocks[3] = {bl.nx, bl.ny, bl.nz};
    const dim3 grid((unsigned)((f.n[1] + OPEN_FLAT - 1) / OPEN_FLAT), (unsigned)blocks[f.a]);
    const real *const none[3] = {NULL, NULL, NULL};
    const real *const u = look.vel != NULL ? look.vel[X] : none[X],
                      *const v = look.vel != NULL ? look.vel[Y] : none[Y],
                      *const ww = look.vel != NULL ? look.vel[Z] : none[Z];
    sums_kernel<<<grid, OPEN_FLAT, 0, queue_stream()>>>(b, m, w, bl, f, count, look, u, v, ww, rows);
    CUDA_LAUNCHED("open_sums");
    return KOL_OK;
}
