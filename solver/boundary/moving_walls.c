/* Evaluates the formulas of moving walls, once at the start. */
#include "moving_walls.h"

#include <math.h>
#include <stdlib.h>
#include "face_formula.h"
#include "inputs/face_kinds.h"
#include "kernels/base/mem.h"

/* Coordinate of global place i along direction d. */
static double coordinate(const struct grid *g, int d, int on_face, int i)
{
    return on_face ? g->face[d][i] : g->centre[d][i];
}

static kol_status measure(struct domain *domain, int face)
{
    const struct inflow_face f = inflow_face_make(&domain->grid, face);
    struct face_formula by;
    TRY(face_formula_make(domain->in, domain->source, &domain->grid, face, &by));
    for (int c = 0; c < 3; ++c)
        for (int j = 0; j < f.cells[1] + (c == f.along[1]); ++j)
            for (int i = 0; i < f.cells[0] + (c == f.along[0]); ++i) {
                const double along[2] = {coordinate(&domain->grid, f.along[0], c == f.along[0], i),
                                         coordinate(&domain->grid, f.along[1], c == f.along[1], j)};
                double u;
                TRY(face_formula_at(&by, c, along, &u));
                domain->formula_speed[face][c] = fmax(domain->formula_speed[face][c], fabs(u));
            }
    return KOL_OK;
}

kol_status moving_walls_measure(struct domain *domain)
{
    for (int face = 0; face < FACES; ++face)
        if (face_has_wall_formula(domain->in, face)) TRY(measure(domain, face));
    return KOL_OK;
}

/* Fills a plane in host memory at all places that this rank has, and one beyond. */
static kol_status fill(const struct domain *domain, int face, real *plane)
{
    const struct grid *g = &domain->grid;
    const struct decomp *d = &domain->decomp;
    const struct inflow_face f = inflow_face_make(g, face);
    struct face_formula by;
    TRY(face_formula_make(domain->in, domain->source, g, face, &by));
    for (int c = 0; c < 3; ++c)
        for (int j = -1; j <= d->n[f.along[1]]; ++j)
            for (int i = -1; i <= d->n[f.along[0]]; ++i) {
                const int local[2] = {i, j};
                double along[2], u;
                for (int n = 0; n < 2; ++n) {
                    const int a = f.along[n], on_face = c == a;
                    along[n] = coordinate(g, a, on_face, inflow_face_index(g, d, a, on_face, local[n]));
                }
                TRY(face_formula_at(&by, c, along, &u));
                plane[plane_at(g->box, face / 2, c, i, j)] = (real)u;
            }
    return KOL_OK;
}

static kol_status create(struct domain *domain, int face)
{
    const size_t bytes = 3 * (size_t)plane_values(domain->grid.box, face / 2) * sizeof(real);
    TRY(memory_kernel(domain->memory, bytes, (void **)&domain->wall_plane[face]));
    if (memory_counts(domain->memory)) return KOL_OK;
    real *plane = malloc(bytes);
    if (plane == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the velocity of a wall");
    kol_status st = fill(domain, face, plane);
    if (st == KOL_OK) st = mem_to_kernel(domain->wall_plane[face], plane, bytes);
    free(plane);
    domain->walls.plane[face] = domain->wall_plane[face];
    return st;
}

kol_status moving_walls_create(struct domain *domain)
{
    for (int face = 0; face < FACES; ++face)
        if (face_has_wall_formula(domain->in, face) && (domain->walls.faces >> face & 1u))
            TRY(create(domain, face));
    return KOL_OK;
}

void moving_walls_destroy(struct domain *domain)
{
    for (int face = 0; face < FACES; ++face) {
        if (domain->wall_plane[face] == NULL) continue;
        mem_kernel_free(domain->wall_plane[face]);
        domain->wall_plane[face] = NULL;
        domain->walls.plane[face] = NULL;
    }
}

double moving_walls_velocity(const struct domain *domain, int face, int c, const double x[3])
{
    const struct inflow_face f = inflow_face_make(&domain->grid, face);
    struct face_formula by;
    if (!face_has_wall_formula(domain->in, face)) return domain->in->boundary.velocity[face][c];
    if (face_formula_make(domain->in, NULL, &domain->grid, face, &by) != KOL_OK) return NAN;
    return face_formula_value(&by, c, (const double[2]){x[f.along[0]], x[f.along[1]]});
}
