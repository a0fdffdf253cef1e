/* Tells the halo exchanges what to write beyond walls. */
#include "boundary.h"

#include <math.h>
#include "inputs/face_kinds.h"
#include "open_faces.h"
#include "scalars/scalar_faces.h"

struct walls boundary_walls(const struct input *in, const struct decomp *d, const struct grid *g)
{
    struct walls w = walls_none();
    for (int f = 0; f < FACES; ++f) {
        const int dir = f / 2, high = f % 2;
        w.any |= !face_is_periodic(in, f);
        if (face_is_periodic(in, f) || d->coord[dir] != (high ? d->ranks[dir] - 1 : 0)) continue;
        w.faces |= 1u << f;
        w.factor[f] = (real)(1 - g->part_beyond[f]);
        if (face_is_open(in, f)) w.open |= 1u << f;
        for (int c = 0; c < 3; ++c) w.velocity[f][c] = (real)in->boundary.velocity[f][c];
    }
    return w;
}

double boundary_speed_along(const struct domain *domain, int c)
{
    const struct input *in = domain->in;
    double most = 0;
    for (int f = 0; f < FACES; ++f)
        if (face_has_friction(in, f))
            most = fmax(most, fmax(fabs(in->boundary.velocity[f][c]), domain->formula_speed[f][c]));
    return most;
}

double boundary_speed(const struct domain *domain)
{
    return fmax(boundary_speed_along(domain, X),
                fmax(boundary_speed_along(domain, Y), boundary_speed_along(domain, Z)));
}

/* Writes the cells beyond walls. The compute queue reads them, for the inner cells and for the rim; the mark
 * makes that queue wait for them. */
static kol_status fill_beyond_walls(const struct exchange *x, enum cells_which which)
{
    const struct domain *domain = x->of;
    TRY(wall_fill(domain->grid.box, domain->walls, halo_cells(x->halo, which), x->fields));
    if (x->n > FLOW_SCALAR)
        TRY(scalar_faces_fill(domain, halo_cells(x->halo, which), x->fields + FLOW_SCALAR));
    return which == CELLS_INNER ? halo_mark(x->halo) : KOL_OK;
}

struct exchange boundary_exchange(const struct domain *domain, real *const *fields, int n,
                                  enum halo_shape shape)
{
    return (struct exchange){.halo = domain->halo,
                             .fields = fields,
                             .n = n,
                             .shape = shape,
                             .beyond = domain->walls.faces != 0 ? fill_beyond_walls : NULL,
                             .of = domain};
}

struct exchange boundary_exchange_flow(const struct flow *flow, real *array[HALO_FIELDS])
{
    enum halo_shape shape;
    const int n = field_halos(flow, array, &shape);
    return boundary_exchange(flow->domain, array, n, shape);
}

kol_status boundary_fill(const struct domain *domain, real *const *fields, int n, enum halo_shape shape)
{
    const struct exchange x = boundary_exchange(domain, fields, n, shape);
    return exchange_fill(&x);
}
