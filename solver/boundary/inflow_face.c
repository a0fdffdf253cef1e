/* Finds places in a plane of velocities on a face of the whole grid. */
#include "inflow_face.h"

struct inflow_face inflow_face_make(const struct grid *g, int face)
{
    struct inflow_face f = {.face = face, .along = {face / 2 == X ? Y : X, face / 2 == Z ? Y : Z}};
    for (int n = 0; n < 2; ++n) f.cells[n] = g->n_g[f.along[n]];
    return f;
}

int inflow_face_index(const struct grid *g, const struct decomp *d, int dir, int on_face, int i)
{
    const int n = d->n_g[dir], whole = d->offset[dir] + i, last = on_face ? n : n - 1;
    if (g->periodic[dir]) return (whole + n) % n;
    return whole < 0 ? 0 : whole > last ? last : whole;
}

size_t inflow_values(const struct inflow_face *f)
{
    return 3 * (size_t)(f->cells[0] + 1) * (size_t)(f->cells[1] + 1);
}

ptrdiff_t inflow_place(const struct inflow_face *f, int c, int i, int j)
{
    return ((ptrdiff_t)c * (f->cells[1] + 1) + j) * (f->cells[0] + 1) + i;
}
