/* Computes the bodies as fields over the cells. */
#include "body_fields.h"

#include <math.h>
#include "body_measure.h"
#include "inputs/bodies.h"
#include "kernels/base/mem.h"

kol_status body_fields_create(struct memory *memory, const struct domain *domain,
                              const struct body_geometry *geometry, struct body_fields *f)
{
    const struct box b = domain->grid.box;
    const size_t bytes = (size_t)b.nx * (size_t)b.ny * (size_t)b.nz * sizeof *f->share;
    f->domain = domain;
    f->geometry = geometry;
    f->known = 0;
    TRY(memory_host(memory, bytes, (void **)&f->share));
    return memory_host(memory, bytes, (void **)&f->level);
}

void body_fields_destroy(struct body_fields *f)
{
    mem_host_free(f->share);
    mem_host_free(f->level);
    f->share = f->level = NULL;
}

/* Without bodies the level set is the longest edge of the domain everywhere. */
static void clear(struct body_fields *f)
{
    const struct box b = f->domain->grid.box;
    const double *length = f->domain->grid.length;
    const ptrdiff_t n = (ptrdiff_t)b.nx * b.ny * b.nz;
    for (ptrdiff_t c = 0; c < n; ++c) {
        f->share[c] = 0;
        f->level[c] = (float)fmax(length[X], fmax(length[Y], length[Z]));
    }
}

void body_fields_compute(struct body_fields *f, const struct body_geometry *geometry, double t)
{
    const int removed = bodies_removed(f->domain->in, t);
    if (f->known && removed == f->removed && !bodies_any_travels(f->domain->in)) return;
    f->known = 1;
    f->removed = removed;
    f->geometry = geometry;
    if (geometry == NULL) {
        clear(f);
        return;
    }
    const struct box b = f->domain->grid.box;
    const int *offset = f->domain->decomp.offset;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; i += BODY_MEASURE_ROW) {
                const int n = b.nx - i < BODY_MEASURE_ROW ? b.nx - i : BODY_MEASURE_ROW;
                const int cell[3] = {offset[X] + i, offset[Y] + j, offset[Z] + k};
                const ptrdiff_t to = ((ptrdiff_t)k * b.ny + j) * b.nx + i;
                double share[BODY_MEASURE_ROW], level[BODY_MEASURE_ROW];
                body_measure_cells(f->domain, f->geometry, cell, n, share, level);
                for (int m = 0; m < n; ++m) {
                    f->share[to + m] = (float)share[m];
                    f->level[to + m] = (float)level[m];
                }
            }
}

void body_fields_views(struct body_fields *f, struct io_view *share, struct io_view *level)
{
    const struct decomp *d = &f->domain->decomp;
    struct io_view v = {.name = "solid_share",
                        .long_name = "share of the cell that is solid",
                        .unit = "1",
                        .location = IO_CCC,
                        .ncomp = 1,
                        .bytes = (int)sizeof *f->share,
                        .data = f->share};
    for (int n = 0; n < 3; ++n) {
        v.n[n] = d->n[n];
        v.n_g[n] = d->n_g[n];
        v.offset[n] = d->offset[n];
    }
    *share = v;
    v.name = "level_set";
    v.long_name = "level set of the bodies, positive in the fluid, no larger than the distance";
    v.unit = "L";
    v.data = f->level;
    *level = v;
}
