/* Inverts the pressure's operator in single precision, on ranks that transform x and y. */
#include "direct_single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/input.h"
#include "kernels/base/mem.h"
#include "kernels/fft_single.h"
#include "kernels/tridiag.h"
#include "direct_levels.h"
#include "direct_planes.h"

struct direct_single {
    struct box box;
    struct fft_single *fft;
    float *values, *memory;       /* on several ranks memory has one more plane before and after the values */
    double *lambda[2], *widths;   /* one rank; widths: w, then g, of z */
    struct tridiag systems;       /* one rank */
    struct direct_levels *levels; /* several ranks */
    struct halo *halo;            /* several ranks: of `memory` */
    double factor;
    int rings; /* one rank, and z is periodic */
    int unit;  /* right-hand sides of direct_single_apply() are divided by 2^unit */
};

const char *direct_single_obstacle(const struct domain *domain)
{
    const struct grid *g = &domain->grid;
    if (!fft_single_there()) return "the CPU build has no transforms in single precision";
    if (sizeof(real) != sizeof(double)) return "the fields of this build are in single precision";
    if (domain->decomp.ranks[X] > 1 || domain->decomp.ranks[Y] > 1) return "x or y is divided between ranks";
    if (!g->uniform[X] || !g->periodic[X] || !g->uniform[Y] || !g->periodic[Y])
        return "x and y are not both uniform and periodic";
    if (domain->comm.size > 1)
        return direct_planes_there(domain) ? NULL : "the levels of z can't be divided between these ranks";
    return tridiag_once_there(g->n_g[Z]) ? NULL : "z has more levels than one pass can solve for";
}

/* The own values on several ranks with a plane of each neighbour. In x and y no halo is exchanged. */
static struct box box_with_planes(struct box b)
{
    struct box q = packed_box(b);
    q.h = 1;
    q.start = q.sz;
    q.size += 2 * q.sz;
    return q;
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

/* How messages of the exchange go: as those of the domain's halo do. */
static int transport_of(const struct halo *h)
{
    const char *name = halo_transport(h);
    if (strcmp(name, "peer") == 0) return TRANSPORT_PEER;
    if (strcmp(name, "cuda-aware") == 0) return TRANSPORT_CUDA_AWARE;
    return strcmp(name, "host") == 0 ? TRANSPORT_HOST : TRANSPORT_AUTO;
}

static kol_status transforms_create(struct memory *memory, int batches, const int *batch,
                                    struct direct_single *s)
{
    if (!memory_counts(memory)) return fft_single_create(s->box, batches, batch, &s->fft);
    size_t library = 0;
    TRY(fft_single_bytes(s->box, batches, batch, &library));
    memory_library(memory, library);
    return KOL_OK;
}

/* One rank has all levels. */
static kol_status whole_create(const struct domain *domain, const struct direct_operator *op,
                               struct direct_single *s)
{
    struct memory *memory = domain->memory;
    TRY(memory_kernel(memory, (size_t)packed_box(s->box).size * sizeof(float), (void **)&s->memory));
    s->values = s->memory;
    s->rings = domain->grid.periodic[Z];
    TRY(waves_create(memory, &domain->grid, s));
    TRY(systems_create(memory, op, s));
    return transforms_create(memory, 1, &s->box.nz, s);
}

/* What a rank of several needs for itself. The planes of a block are transformed together, so the calls of
 * the library do not depend on the ranks. */
static kol_status part_create(const struct domain *domain, struct level_slices *q, struct direct_single *s)
{
    struct memory *memory = domain->memory;
    const struct box b = box_with_planes(s->box);
    TRY(memory_kernel(memory, (size_t)b.size * sizeof(float), (void **)&s->memory));
    if (!memory_counts(memory)) s->values = s->memory + b.start;
    TRY(level_slices_create(&domain->comm, &domain->decomp, 1, q));
    return transforms_create(memory, q->batches, q->batch, s);
}

static kol_status parts_create(const struct domain *domain, const struct direct_operator *op,
                               struct direct_single *s)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const struct halo_use faces = {sizeof(float), 1, 1u << HALO_FACES};
    struct level_slices q = {.count = 0};
    kol_status st = KOL_OK;
    TRY_OR(done, memory_agree(memory, c, part_create(domain, &q, s)));
    TRY_OR(done, halo_create_for(memory, faces, c, &domain->decomp, box_with_planes(s->box),
                                 transport_of(domain->halo), &s->halo));
    halo_leave_around(s->halo);
    TRY_OR(done, direct_levels_create(domain, op, &q, 1, &s->levels));
done:
    level_slices_destroy(&q);
    return st;
}

kol_status direct_single_create(const struct domain *domain, const struct direct_operator *op,
                                struct direct_single **out)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const struct grid *g = &domain->grid;
    struct direct_single *s = calloc(1, sizeof *s);
    *out = s;
    TRY(memory_agree(memory, c,
                     s == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the direct solver")
                         : KOL_OK));
    s->box = g->box;
    s->unit = ilogb(g->volume / ((double)g->n_g[X] * g->n_g[Y] * g->n_g[Z]));
    if (c->size > 1) return parts_create(domain, op, s);
    return memory_agree(memory, c, whole_create(domain, op, s));
}

void direct_single_destroy(struct direct_single **s)
{
    struct direct_single *q = *s;
    if (q == NULL) return;
    direct_levels_destroy(&q->levels);
    halo_destroy(&q->halo);
    fft_single_destroy(&q->fft);
    mem_kernel_free(q->memory);
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

int direct_single_rings(const struct direct_single *s)
{
    return s->rings;
}

static kol_status solve(struct direct_single *s)
{
    TRY(fft_single_forward(s->fft, s->values));
    TRY(s->levels != NULL ? direct_levels_solve_single(s->levels, s->values)
                          : tridiag_solve_once_single(s->systems, s->factor, s->values));
    return fft_single_backward(s->fft, s->values);
}

kol_status direct_single_solve(struct direct_single *s)
{
    TRY(solve(s));
    return s->halo != NULL ? halo_fill_one(s->halo, s->memory, HALO_FACES) : KOL_OK;
}

kol_status direct_single_apply(struct direct_single *s, const real *r, real *z)
{
    TRY(packed_from_field(s->box, (real)ldexp(1, -s->unit), r, s->values));
    TRY(solve(s));
    return packed_to_field(s->box, (real)ldexp(1, s->unit), s->values, z);
}
