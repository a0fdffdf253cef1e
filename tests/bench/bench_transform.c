/* Measures the library's transforms alone, with which kolmo-bench poisson compares the exact inverse. */
#include <stdlib.h>
#include "kernels/fft.h"
#include "kernels/tridiag.h"
#include "bench_poisson.h"

/* The least that an inverse of the same grid could do: field and spectrum packed, nothing checked. */
struct alone {
    struct box box;
    int dims; /* transformed */
    struct fft_whole *fft;
    real *field;
    double *spectrum, *zeros;
};

static ptrdiff_t spectrum_values(struct box b)
{
    return (ptrdiff_t)2 * (b.nx / 2 + 1) * b.ny * b.nz;
}

static kol_status make(struct alone *a)
{
    const struct box b = a->box;
    const size_t most = (size_t)(b.nx + b.ny + b.nz);
    kol_status st = KOL_OK;
    double *host = calloc(most, sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %zu zeros", most);
    TRY_OR(done, mem_kernel_alloc(most * sizeof *host, (void **)&a->zeros));
    TRY_OR(done, mem_to_kernel(a->zeros, host, most * sizeof *host));
done:
    free(host);
    TRY(st);
    TRY(fft_whole_create(b, a->dims, &a->fft));
    TRY(mem_kernel_alloc((size_t)b.size * sizeof(real), (void **)&a->field));
    TRY(mem_kernel_alloc((size_t)spectrum_values(b) * sizeof(double), (void **)&a->spectrum));
    return mem_fill_real(a->field, b.size, 1);
}

/* If the last direction is not transformed, one read and one write of the spectrum take the place of the
 * solution along it. */
static kol_status pair(const struct alone *a)
{
    const int n[3] = {a->box.nx / 2 + 1, a->box.ny, a->box.nz};
    TRY(fft_whole_forward(a->fft, a->field, a->spectrum));
    if (a->dims == 2) TRY(tridiag_diagonal(n, 2, a->zeros, a->zeros, a->zeros, 1, a->spectrum));
    return fft_whole_backward(a->fft, a->spectrum, a->field);
}

static kol_status measure(const struct alone *a, const struct comm *c, struct bench_time *out)
{
    enum { REPEATS = 7 };
    double seconds[REPEATS], from, to;
    TRY(pair(a));
    for (int n = 0; n < REPEATS; ++n) {
        TRY(bench_now(c, &from));
        TRY(pair(a));
        TRY(bench_now(c, &to));
        seconds[n] = to - from;
    }
    bench_sort(seconds, REPEATS);
    *out = (struct bench_time){.median = seconds[REPEATS / 2], .best = seconds[0]};
    return KOL_OK;
}

kol_status bench_transforms(const struct domain *domain, struct bench_time *out)
{
    const struct grid *g = &domain->grid;
    struct alone a = {.dims = g->uniform[Z] && g->periodic[Z] ? 3 : 2};
    kol_status st = KOL_OK;
    *out = (struct bench_time){0, 0};
    if (domain->comm.size > 1 || !fft_whole_there() || sizeof(real) != sizeof(double)) return KOL_OK;
    a.box = box_make_aligned(g->n_g[X], g->n_g[Y], g->n_g[Z], 0, 1);
    TRY_OR(done, make(&a));
    TRY_OR(done, measure(&a, &domain->comm, out));
done:
    fft_whole_destroy(&a.fft);
    mem_kernel_free(a.field);
    mem_kernel_free(a.spectrum);
    mem_kernel_free(a.zeros);
    return st;
}
