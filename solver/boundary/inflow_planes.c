/* Reads this rank's part of the planes of an inflow as the time goes on, and interpolates between two of
 * them. */
#include "inflow_planes.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "inflow_planefile.h"
#include "io/planefile.h"
#include "kernels/open_face.h"

enum { KEPT = 2 };

struct inflow_planes {
    const struct input *in;
    const struct inflow *inflow;
    const struct decomp *d;
    const struct planefile *file;
    struct box b;
    int face, first;                 /* number of the plane in kernel[0]; -1: none yet */
    int count, scalar[SCALARS_MOST]; /* the scalars in the planes */
    /* planes first and first + 1, in kernel memory and in host memory: three components, then what each
     * scalar adds beyond the face */
    real *kernel[KEPT], *host[KEPT];
    double *row; /* one row of a plane in the file */
};

/* --- this rank's part --- */

/* Bytes of a plane with all that it holds. */
static size_t plane_bytes(const struct inflow_planes *p)
{
    return (3 + (size_t)p->count) * (size_t)plane_values(p->b, p->face / 2) * sizeof(real);
}

kol_status inflow_planes_create(const struct domain *domain, const struct inflow *inflow, int face,
                                struct inflow_planes **out)
{
    struct memory *memory = domain->memory;
    struct inflow_planes *p = *out = calloc(1, sizeof *p);
    int cells;
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the planes of an inflow");
    p->in = domain->in;
    p->b = domain->grid.box;
    p->face = face;
    p->count = inflow_planefile_scalars(domain->in, face, p->scalar);
    const size_t bytes = plane_bytes(p);
    for (int n = 0; n < KEPT; ++n) {
        TRY(memory_kernel(memory, bytes, (void **)&p->kernel[n]));
        TRY(memory_host(memory, bytes, (void **)&p->host[n]));
    }
    if (memory_counts(memory)) return KOL_OK;
    p->inflow = inflow;
    p->d = &domain->decomp;
    p->first = -1;
    p->file = inflow_planefile(inflow, face);
    planefile_faces(p->file, 0, &cells);
    p->row = malloc(3 * (size_t)cells * sizeof *p->row);
    if (p->row == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the planes of an inflow");
    return KOL_OK;
}

void inflow_planes_destroy(struct inflow_planes **planes)
{
    struct inflow_planes *p = *planes;
    if (p == NULL) return;
    for (int n = 0; n < KEPT; ++n) {
        mem_kernel_free(p->kernel[n]);
        mem_host_free(p->host[n]);
    }
    free(p->row);
    free(p);
    *planes = NULL;
}

/* Number of row j of this rank in the whole plane. */
static int row_of(const struct inflow_planes *p, int j)
{
    return inflow_index(p->inflow, p->d, p->face / 2 == Z ? Y : Z, 0, j);
}

/* Reads row j of this rank from plane `number`. A value v of a scalar on the face adds 2 v beyond it
 * (scalars/scalar_faces.c). */
static kol_status load_row(struct inflow_planes *p, int n, int number, int j)
{
    const int d = p->face / 2, a = d == X ? Y : X;
    const ptrdiff_t values = plane_values(p->b, d);
    TRY(planefile_row(p->file, number, row_of(p, j), p->row));
    for (int i = -1; i <= p->d->n[a]; ++i) {
        const double *from = p->row + 3 * (ptrdiff_t)inflow_index(p->inflow, p->d, a, 0, i);
        for (int c = 0; c < 3; ++c) p->host[n][plane_at(p->b, d, c, i, j)] = (real)from[c];
    }
    for (int s = 0; s < p->count; ++s) {
        TRY(planefile_scalar_row(p->file, s, number, row_of(p, j), p->row));
        for (int i = -1; i <= p->d->n[a]; ++i)
            p->host[n][(3 + s) * values + plane_at(p->b, d, 0, i, j)] =
                (real)(2 * p->row[inflow_index(p->inflow, p->d, a, 0, i)]);
    }
    return KOL_OK;
}

/* Reads plane number `number` and begins its copy to kernel[n]. The copy that last read host[n] has ended
 * long before, because a pressure solve lies between two calls. */
static kol_status load(struct inflow_planes *p, int n, int number)
{
    for (int j = -1; j <= p->d->n[p->face / 2 == Z ? Y : Z]; ++j) TRY(load_row(p, n, number, j));
    return mem_to_kernel_begin(p->kernel[n], p->host[n], plane_bytes(p));
}

static void swap(struct inflow_planes *p)
{
    real *kernel = p->kernel[0], *host = p->host[0];
    p->kernel[0] = p->kernel[1];
    p->kernel[1] = kernel;
    p->host[0] = p->host[1];
    p->host[1] = host;
}

kol_status inflow_planes_fill(struct inflow_planes *p, double t, real *plane, real *const *scalar_plane)
{
    const int last = planefile_count(p->file) - 1, rows = p->d->n[p->face / 2 == Z ? Y : Z];
    int first;
    double part;
    if (!inflow_planefile_at(p->in, p->file, t, &first, &part)) RAISE(KOL_ERR_INTERNAL, "no plane for %g", t);
    if (first != p->first) {
        const int on = p->first >= 0 && first == p->first + 1;
        p->first = first;
        if (on) swap(p);
        else TRY(load(p, 0, first));
        TRY(load(p, 1, first + 1));
        planefile_ahead(p->file, first + 2 <= last ? first + 2 : 0, row_of(p, 0), row_of(p, rows - 1));
    }
    const ptrdiff_t values = plane_values(p->b, p->face / 2);
    for (int s = 0; s < p->count; ++s)
        TRY(open_mix(values, (real)(1 - part), p->kernel[0] + (3 + s) * values, (real)part,
                     p->kernel[1] + (3 + s) * values, scalar_plane[p->scalar[s]]));
    return open_mix(3 * values, (real)(1 - part), p->kernel[0], (real)part, p->kernel[1], plane);
}

void inflow_planes_ranges(const struct inflow *inflow, struct scalar_ranges *ranges)
{
    for (int f = 0; f < FACES; ++f) {
        const struct planefile *file = inflow_planefile(inflow, f);
        int scalar[SCALARS_MOST];
        if (file == NULL) continue;
        const int count = inflow_planefile_scalars(inflow_input(inflow), f, scalar);
        for (int s = 0; s < count; ++s) {
            struct scalar_range *r = &ranges->of[f][scalar[s]];
            planefile_scalar_range(file, s, &r->least, &r->most);
        }
    }
}
