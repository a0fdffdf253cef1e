/* Computes the coordinates of face centres, halo included, in the same way on every rank. */
#include "body_faces.h"

#include <stdlib.h>

double body_faces_coordinate(const struct grid *g, int d, int i, int face)
{
    const int n = g->n_g[d];
    const double *x = face ? g->face[d] : g->centre[d];
    if (g->periodic[d]) return x[((i % n) + n) % n];
    const int last = face ? n : n - 1;
    if (i < 0) return 2 * g->face[d][0] - body_faces_coordinate(g, d, face ? -i : -1 - i, face);
    if (i > last)
        return 2 * g->face[d][n] - body_faces_coordinate(g, d, face ? 2 * n - i : 2 * n - 1 - i, face);
    return x[i];
}

kol_status body_faces_create(const struct domain *domain, struct body_faces *out)
{
    const struct grid *g = &domain->grid;
    const struct decomp *dc = &domain->decomp;
    for (int d = 0; d < 3; ++d) {
        const int points = dc->n[d] + 2 * BODY_RIM;
        out->n[d] = dc->n[d];
        out->offset[d] = dc->offset[d];
        out->n_g[d] = g->n_g[d];
        out->periodic[d] = g->periodic[d];
        for (int face = 0; face < 2; ++face) {
            out->x[face][d] = malloc((size_t)points * sizeof(double));
            out->link[face][d] = malloc((size_t)points * sizeof(double));
            if (out->x[face][d] == NULL || out->link[face][d] == NULL)
                RAISE(KOL_ERR_MEMORY, "no memory for %d coordinates", points);
            for (int i = 0; i < points; ++i) {
                const int at = dc->offset[d] + i - BODY_RIM;
                out->x[face][d][i] = body_faces_coordinate(g, d, at, face);
                out->link[face][d][i] = face ? grid_width(g, d, at - 1) : grid_centre_distance(g, d, at);
            }
        }
    }
    return KOL_OK;
}

void body_faces_destroy(struct body_faces *f)
{
    for (int d = 0; d < 3; ++d)
        for (int face = 0; face < 2; ++face) {
            free(f->x[face][d]);
            free(f->link[face][d]);
            f->x[face][d] = f->link[face][d] = NULL;
        }
}

double body_face_place(const struct body_faces *f, int c, int d, int i)
{
    return f->x[c == d][d][BODY_RIM + i];
}

double body_face_link(const struct body_faces *f, int c, int d, int i, int side)
{
    return f->link[c == d][d][BODY_RIM + i + side];
}

int body_face_beyond(const struct body_faces *f, int c, int d, int i)
{
    const int at = f->offset[d] + i;
    if (f->periodic[d]) return 0;
    return c == d ? at <= 0 || at >= f->n_g[d] : at < 0 || at >= f->n_g[d];
}
