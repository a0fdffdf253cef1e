/* Inverts the pressure's operator in single precision, on one rank that transforms x and y. */
#include "direct_single.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/base/mem.h"
#include "kernels/fft_single.h"
#include "kernels/tridiag.h"

struct direct_single {
    struct box box;
    struct fft_single *fft;
    float *values;
    double *lambda[2], *widths; /* widths: w, then g, of z */
    struct tridiag systems;
    double factor;
    int unit; /* right-hand sides of direct_single_apply() are divided by 2^unit */
};

const char *direct_single_obstacle(const struct domain *domain)
{
    const struct grid *g = &domain->grid;
    if (!fft_single_there()) return "the CPU build has no transforms in single precision";
    if (sizeof(real) != sizeof(double)) return "the fields of this build are in single precision";
    if (domain->comm.size > 1) return "the grid is divided between ranks";
    if (!g->uniform[X] || !g->periodic[X] || !g->uniform[Y] || !g->periodic[Y])
        return "x and y are not both uniform and periodic";
    return tridiag_once_there(g->n_g[Z]) ? NULL : "z has more levels than one pass can solve for";
}

/* Copies n values of a host array to kernel memory. If memory is only counted, the array is not read. */
static kol_status upload(struct memory *memory, const double *host, int n, double **out)
{
    const size_t bytes = (size_t)n * sizeof(double);
    TRY(memory_kernel(memory, bytes, (void **)out));
    return memory_counts(memory) ? KOL_OK : mem_to_kernel(*out, host, bytes);
}

/* Eigenvalues by wavenumber, in the order of the spectrum. */
static kol_status waves_create(struct memory *memory, const struct grid *g, struct direct_single *s)
{
    const int count[2] = {g->n_g[X] / 2 + 1, g->n_g[Y]};
    double *host = malloc((size_t)(count[X] + count[Y]) * sizeof *host);
    kol_status st = KOL_OK;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for eigenvalues");
    for (int dir = X; dir <= Y; ++dir) {
        for (int k = 0; k < count[dir]; ++k) host[k] = direct_operator_wave(g, dir, k);
        TRY_OR(done, upload(memory, host, count[dir], &s->lambda[dir]));
    }
done:
    free(host);
    return st;
}

static kol_status systems_create(struct memory *memory, const struct direct_operator *op,
                                 struct direct_single *s)
{
    const int n = s->box.nz;
    TRY(memory_kernel(memory, (size_t)(2 * n + 1) * sizeof(double), (void **)&s->widths));
    if (memory_counts(memory)) return KOL_OK;
    TRY(mem_to_kernel(s->widths, op->w, (size_t)n * sizeof(double)));
    TRY(mem_to_kernel(s->widths + n, op->g, (size_t)(n + 1) * sizeof(double)));
    s->factor = op->factor;
    s->systems = (struct tridiag){.n = n,
                                  .na = s->box.nx / 2 + 1,
                                  .nb = s->box.ny,
                                  .parts = 2,
                                  .zero = 1,
                                  .la = s->lambda[X],
                                  .lb = s->lambda[Y],
                                  .w = s->widths,
                                  .g = s->widths + n};
    return KOL_OK;
}

kol_status direct_single_create(const struct domain *domain, const struct direct_operator *op,
                                struct direct_single **out)
{
    struct memory *memory = domain->memory;
    const struct grid *g = &domain->grid;
    struct direct_single *s = calloc(1, sizeof *s);
    *out = s;
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the direct solver");
    s->box = g->box;
    s->unit = ilogb(g->volume / ((double)g->n_g[X] * g->n_g[Y] * g->n_g[Z]));
    TRY(memory_kernel(memory, (size_t)packed_box(s->box).size * sizeof(float), (void **)&s->values));
    TRY(waves_create(memory, g, s));
    TRY(systems_create(memory, op, s));
    if (!memory_counts(memory)) return fft_single_create(s->box, &s->fft);
    size_t library = 0;
    TRY(fft_single_bytes(s->box, &library));
    memory_library(memory, library);
    return KOL_OK;
}

void direct_single_destroy(struct direct_single **s)
{
    struct direct_single *q = *s;
    if (q == NULL) return;
    fft_single_destroy(&q->fft);
    mem_kernel_free(q->values);
    mem_kernel_free(q->lambda[X]);
    mem_kernel_free(q->lambda[Y]);
    mem_kernel_free(q->widths);
    free(q);
    *s = NULL;
}

float *direct_single_values(struct direct_single *s)
{
    return s->values;
}

kol_status direct_single_solve(struct direct_single *s)
{
    TRY(fft_single_forward(s->fft, s->values));
    TRY(tridiag_solve_once_single(s->systems, s->factor, s->values));
    return fft_single_backward(s->fft, s->values);
}

kol_status direct_single_apply(struct direct_single *s, const real *r, real *z)
{
    TRY(packed_from_field(s->box, (real)ldexp(1, -s->unit), r, s->values));
    TRY(direct_single_solve(s));
    return packed_to_field(s->box, (real)ldexp(1, s->unit), s->values, z);
}
