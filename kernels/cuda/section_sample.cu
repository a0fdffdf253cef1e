/* Keeps the sample of a cross-section and its average over time in kernel memory. */
#include "../point/section_sample.h"
#include "check.cuh"
#include "queue.cuh"

/* The file is compiled without contraction, so it has the same bits as the CPU build. */
enum { PLACE_THREADS = 64, ROW_THREADS = 32, VALUE_THREADS = 256, VALUES_MOST = 1 << 30 };

static unsigned groups(ptrdiff_t n, int threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

static __global__ void __launch_bounds__(PLACE_THREADS)
    place_kernel(struct section_sample_shape s, struct section_sample_piece p,
                 const double *__restrict__ sums, double length, double *__restrict__ sample)
{
    const int i = (int)(blockIdx.x * PLACE_THREADS + threadIdx.x), row = (int)blockIdx.y, q = (int)blockIdx.z,
              j = p.rows.lo + row, on_a = line_average_on_face_a(q);
    if (i >= p.cells[0] + (p.last[0] && on_a) || j >= p.cells[1] + (p.last[1] && line_average_on_face_b(q)))
        return;
    const double sum = sums[((ptrdiff_t)q * (p.rows.hi - p.rows.lo) + row) * (p.cells[0] + 1) + i];
    sample[s.first[q] + (ptrdiff_t)(p.at[1] + j) * (s.cells[0] + on_a) + p.at[0] + i] = sum / length + 0.0;
}

kol_status section_sample_place(struct section_sample_shape s, struct section_sample_piece p,
                                const double *sums, double length, double *sample)
{
    place_kernel<<<dim3(groups(p.cells[0] + 1, PLACE_THREADS), (unsigned)(p.rows.hi - p.rows.lo),
                        LINE_SUM_COUNT),
                   PLACE_THREADS, 0, queue_stream()>>>(s, p, sums, length, sample);
    CUDA_LAUNCHED("section_place");
    return KOL_OK;
}

/* Each thread takes one row, so the order of addition is that of the row. */
static __global__ void __launch_bounds__(ROW_THREADS)
    rows_kernel(struct section_sample_shape s, struct section_sample_weights w,
                const double *__restrict__ sample, double *__restrict__ out)
{
    const int j = (int)(blockIdx.x * ROW_THREADS + threadIdx.x), q = (int)blockIdx.y;
    const int on_a = line_average_on_face_a(q), places = s.cells[0] + on_a;
    ptrdiff_t before = 0;
    for (int n = 0; n < q; ++n) before += s.cells[1] + line_average_on_face_b(n);
    if (j >= s.cells[1] + line_average_on_face_b(q)) return;
    out[before + j] = point_section_row(sample + s.first[q] + (ptrdiff_t)j * places, on_a ? w.face : w.centre,
                                        places, (int)(w.wanted >> q & 1), (int)(w.inner >> q & 1));
}

kol_status section_sample_rows(struct section_sample_shape s, struct section_sample_weights w,
                               const double *sample, double *out)
{
    rows_kernel<<<dim3(groups(s.cells[1] + 1, ROW_THREADS), LINE_SUM_COUNT), ROW_THREADS, 0,
                  queue_stream()>>>(s, w, sample, out);
    CUDA_LAUNCHED("section_rows");
    return KOL_OK;
}

static kol_status check_count(ptrdiff_t n, const char *name)
{
    if (n > VALUES_MOST) RAISE(KOL_ERR_INTERNAL, "%s: no launch takes %td values at a time", name, n);
    return KOL_OK;
}

static __global__ void __launch_bounds__(VALUE_THREADS)
    gather_kernel(ptrdiff_t n, const ptrdiff_t *__restrict__ place, const double *__restrict__ sample,
                  double *__restrict__ out)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * VALUE_THREADS + threadIdx.x;
    if (i < n) out[i] = sample[place[i]];
}

kol_status section_sample_gather(ptrdiff_t n, const ptrdiff_t *place, const double *sample, double *out)
{
    TRY(check_count(n, "section_gather"));
    gather_kernel<<<groups(n, VALUE_THREADS), VALUE_THREADS, 0, queue_stream()>>>(n, place, sample, out);
    CUDA_LAUNCHED("section_gather");
    return KOL_OK;
}

static __global__ void __launch_bounds__(VALUE_THREADS)
    add_kernel(ptrdiff_t n, double weight, const double *__restrict__ sample, double *__restrict__ sum,
               double *__restrict__ carry)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * VALUE_THREADS + threadIdx.x;
    if (i < n) point_section_add(&sum[i], &carry[i], weight * sample[i]);
}

kol_status section_sample_add(ptrdiff_t n, double weight, const double *sample, double *sum, double *carry)
{
    TRY(check_count(n, "section_add"));
    add_kernel<<<groups(n, VALUE_THREADS), VALUE_THREADS, 0, queue_stream()>>>(n, weight, sample, sum, carry);
    CUDA_LAUNCHED("section_add");
    return KOL_OK;
}

static __global__ void __launch_bounds__(VALUE_THREADS)
    correct_kernel(ptrdiff_t n, double weight, const double *__restrict__ latest, double *__restrict__ to)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * VALUE_THREADS + threadIdx.x;
    if (i < n) to[i] += weight * latest[i];
}

kol_status section_sample_correct(ptrdiff_t n, double weight, const double *latest, double *to)
{
    TRY(check_count(n, "section_correct"));
    correct_kernel<<<groups(n, VALUE_THREADS), VALUE_THREADS, 0, queue_stream()>>>(n, weight, latest, to);
    CUDA_LAUNCHED("section_correct");
    return KOL_OK;
}

static __global__ void __launch_bounds__(VALUE_THREADS)
    copy_kernel(ptrdiff_t n, const double *__restrict__ from, double *__restrict__ to)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * VALUE_THREADS + threadIdx.x;
    if (i < n) to[i] = from[i];
}

kol_status section_sample_copy(ptrdiff_t n, const double *from, double *to)
{
    TRY(check_count(n, "section_copy"));
    copy_kernel<<<groups(n, VALUE_THREADS), VALUE_THREADS, 0, queue_stream()>>>(n, from, to);
    CUDA_LAUNCHED("section_copy");
    return KOL_OK;
}

static __global__ void __launch_bounds__(VALUE_THREADS)
    close_kernel(ptrdiff_t n, double *__restrict__ sum, double *__restrict__ carry, double *__restrict__ to)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * VALUE_THREADS + threadIdx.x;
    if (i >= n) return;
    to[i] = sum[i] + carry[i];
    sum[i] = carry[i] = 0;
}

kol_status section_sample_close(ptrdiff_t n, double *sum, double *carry, double *to)
{
    TRY(check_count(n, "section_close"));
    close_kernel<<<groups(n, VALUE_THREADS), VALUE_THREADS, 0, queue_stream()>>>(n, sum, carry, to);
    CUDA_LAUNCHED("section_close");
    return KOL_OK;
}

/* Each thread takes one value of all vectors, and reads no place that another thread writes. */
static __global__ void __launch_bounds__(VALUE_THREADS) join_kernel(ptrdiff_t n, int pairs, double *vectors)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * VALUE_THREADS + threadIdx.x;
    if (i >= n) return;
    for (ptrdiff_t m = 0; m < pairs; ++m)
        vectors[m * n + i] = vectors[2 * m * n + i] + vectors[(2 * m + 1) * n + i];
}

kol_status section_sample_join(ptrdiff_t n, int pairs, double *vectors)
{
    TRY(check_count(n, "section_join"));
    join_kernel<<<groups(n, VALUE_THREADS), VALUE_THREADS, 0, queue_stream()>>>(n, pairs, vectors);
    CUDA_LAUNCHED("section_join");
    return KOL_OK;
}
