#include "boundary.h"

#include <math.h>
#include "inputs/face_kinds.h"
#include "open_faces.h"

struct walls boundary_walls(const struct input *in, const struct decomp *d)
{
    struct walls w = walls_none();
    for (int f = 0; f < FACES; ++f) {
        const int dir = f / 2, high = f % 2;
        w.any |= !face_is_periodic(in, f);
        if (face_is_periodic(in, f) || d->coord[dir] != (high ? d->ranks[dir] - 1 : 0)) continue;
        w.faces |= 1u << f;
        w.factor[f] = face_is_free_slip(in, f) ? 1 : face_is_outflow(in, f) ? 0 : -1;
        if (face_is_open(in, f)) w.open |= 1u << f;
        for (int c = 0; c < 3; ++c) w.velocity[f][c] = (real)in->boundary.velocity[f][c];
    }
    return w;
}

double boundary_speed(const struct input *in)
{
    double most = 0;
    for (int f = 0; f < FACES; ++f)
        for (int c = 0; c < 3 && face_is_noslip(in, f); ++c)
            most = fmax(most, fabs(in->boundary.velocity[f][c]));
    return most;
}

kol_status boundary_begin(const struct domain *domain, real *const *fields, int n, enum halo_shape shape)
{
    TRY(halo_begin(domain->halo, fields, n, shape));
    if (domain->walls.faces == 0) return KOL_OK;
    TRY(wall_fill(domain->grid.box, domain->walls, halo_cells(domain->halo, CELLS_INNER), fields));
    return halo_begun(domain->halo);
}

kol_status boundary_arrive(const struct domain *domain, real *const vel[3])
{
    TRY(halo_arrive(domain->halo));
    if (domain->walls.faces == 0 || halo_remote(domain->halo) == 0) return KOL_OK;
    const kol_status st =
        wall_fill(domain->grid.box, domain->walls, halo_cells(domain->halo, CELLS_RIM), vel);
    return st == KOL_OK ? KOL_OK : halo_join(domain->halo, st);
}

kol_status boundary_fill(const struct domain *domain, real *const *fields, int n, enum halo_shape shape)
{
    TRY(halo_fill(domain->halo, fields, n, shape));
    if (domain->walls.faces == 0) return KOL_OK;
    return wall_fill(domain->grid.box, domain->walls, halo_cells(domain->halo, CELLS_ALL), fields);
}
