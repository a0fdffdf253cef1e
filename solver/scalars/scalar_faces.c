/* Finds the values beyond faces from the conditions of the inputs. */
#include "scalar_faces.h"

#include "inputs/face_kinds.h"
#include "inputs/scalars.h"

_Static_assert((int)SCALARS_KERNEL == (int)SCALARS_MOST, "kernels take all scalars");

/* The mean of the value inside and the one beyond is the value on the face, and their difference over their
 * distance is the gradient there. */
double scalar_faces_added(const struct input *in, const struct grid *g, int n, int face, double given)
{
    const int d = face / 2;
    const double distance = grid_centre_distance(g, d, face % 2 ? g->n_g[d] : 0);
    if (scalar_has_value(in, n, face)) return 2 * given;
    return scalar_has_flux(in, n, face) ? given * distance / scalar_diffusivity(in, n) : 0;
}

struct scalar_beyond scalar_faces_beyond(const struct input *in, const struct grid *g, int n, int face)
{
    const double given = scalar_varies(in, n, face) ? 0 : in->scalars.face_value[face][n];
    return (struct scalar_beyond){scalar_has_value(in, n, face) ? -1 : 1,
                                  scalar_faces_added(in, g, n, face, given)};
}

static void put_face(const struct domain *domain, int f, int n, struct scalar_faces *w)
{
    const struct scalar_beyond beyond = scalar_faces_beyond(domain->in, &domain->grid, n, f);
    w->factor[f][n] = (real)beyond.factor;
    w->add[f][n] = (real)beyond.add;
    w->plane[f][n] = domain->scalar_plane[f][n];
}

/* The faces that this rank's box touches, with the conditions of the inputs. */
static struct scalar_faces faces_of(const struct domain *domain)
{
    struct scalar_faces w = {.faces = domain->walls.faces, .count = scalar_count(domain->in)};
    for (int f = 0; f < FACES; ++f) {
        const real *plane = domain->walls.plane[f];
        if (face_is_inflow(domain->in, f) && plane != NULL)
            w.wind[f] = plane + plane_values(domain->grid.box, f / 2) * (f / 2);
        for (int n = 0; n < w.count && (w.faces >> f & 1u); ++n) put_face(domain, f, n, &w);
    }
    return w;
}

kol_status scalar_faces_fill(const struct domain *domain, struct cells cells, real *const *theta)
{
    struct scalar_faces w = faces_of(domain);
    if (cells.which == CELLS_INNER) w.faces &= ~cells.remote;
    if (cells.which == CELLS_RIM) w.faces &= cells.remote;
    return scalar_fill(domain->grid.box, &w, theta);
}
