/* Draws bodies and closed faces in a plane of the grid. */
#include "body_picture.h"

#include <stdlib.h>
#include <string.h>

#include "body_set.h"
#include "io/png.h"

enum { POINTS_WANTED = 1200, PER_CELL_MOST = 16, LINES_FROM = 4 };

/* plane: the plane of the picture. a, b: directions to the right and upward. */
struct plane {
    const struct domain *domain;
    const struct body_geometry *g;
    int normal, a, b, cell, per_cell, width, height;
    double position;
    unsigned char *rgb;
};

static void paint(const struct plane *p, int x, int y, int body)
{
    static const unsigned char colour[6][3] = {{90, 120, 170}, {190, 110, 80},  {110, 150, 100},
                                               {160, 130, 60}, {130, 100, 160}, {100, 150, 160}};
    unsigned char *to = p->rgb + 3 * ((size_t)(p->height - 1 - y) * (size_t)p->width + (size_t)x);
    if (body < 0) memset(to, 255, 3);
    else memcpy(to, colour[body % 6], 3);
}

/* The coordinate of point n of the picture in a direction. */
static double place(const struct plane *p, int d, int n)
{
    const double *face = p->domain->grid.face[d];
    const int cell = n / p->per_cell;
    return face[cell] + (face[cell + 1] - face[cell]) * (n % p->per_cell + 0.5) / p->per_cell;
}

/* Paints the points of an own cell, and black lines where its faces are closed but not all of them. */
static void paint_cell(const struct plane *p, const int local[3])
{
    const int *offset = p->domain->decomp.offset, m = p->per_cell;
    const int left = (local[p->a] + offset[p->a]) * m, low = (local[p->b] + offset[p->b]) * m;
    const unsigned bits = p->g->open[at(p->domain->grid.box, local[0], local[1], local[2])];
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i) {
            const int line =
                (i == 0 && !(bits >> (2 * p->a) & 1)) || (i == m - 1 && !(bits >> (2 * p->a + 1) & 1)) ||
                (j == 0 && !(bits >> (2 * p->b) & 1)) || (j == m - 1 && !(bits >> (2 * p->b + 1) & 1));
            double x[3], depth;
            int body;
            x[p->normal] = p->position;
            x[p->a] = place(p, p->a, left + i);
            x[p->b] = place(p, p->b, low + j);
            body_set_row(p->g->set, 1, &x[0], x[1], x[2], &body, &depth);
            paint(p, left + i, low + j, body);
            if (!line || bits == 0 || m < LINES_FROM) continue;
            memset(p->rgb + 3 * ((size_t)(p->height - 1 - low - j) * (size_t)p->width + (size_t)(left + i)),
                   0, 3);
        }
}

/* Each rank paints its own cells on black; the sum of all is the picture. */
static kol_status draw(struct plane *p, const char *path)
{
    const struct decomp *d = &p->domain->decomp;
    const size_t row = 3 * (size_t)p->width;
    int local[3];
    local[p->normal] = p->cell - d->offset[p->normal];
    if (local[p->normal] >= 0 && local[p->normal] < d->n[p->normal])
        for (local[p->b] = 0; local[p->b] < d->n[p->b]; ++local[p->b])
            for (local[p->a] = 0; local[p->a] < d->n[p->a]; ++local[p->a]) paint_cell(p, local);
    const int root = p->domain->comm.rank == 0;
    for (int j = 0; j < p->height; ++j)
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : p->rgb + row * (size_t)j,
                           root ? p->rgb + row * (size_t)j : NULL, (int)row, MPI_UNSIGNED_CHAR, MPI_MAX, 0,
                           p->domain->comm.mpi));
    return comm_agree(&p->domain->comm, root ? png_write(path, p->width, p->height, p->rgb) : KOL_OK);
}

kol_status body_picture_write(const struct domain *domain, const struct body_geometry *g, int normal,
                              double position, const char *path)
{
    const struct grid *grid = &domain->grid;
    const double *face = grid->face[normal];
    struct plane p = {domain, g,        normal, normal == X ? Y : X, normal == Z ? Y : Z, 0, 0, 0,
                      0,      position, NULL};
    if (!(position >= face[0] && position <= face[grid->n_g[normal]]))
        RAISE(KOL_ERR_INPUT,
              "error: the plane %c = %.6g lies outside the domain, which reaches from %.6g to %.6g",
              "xyz"[normal], position, face[0], face[grid->n_g[normal]]);
    while (p.cell + 1 < grid->n_g[normal] && position >= face[p.cell + 1]) ++p.cell;
    const int longest = grid->n_g[p.a] > grid->n_g[p.b] ? grid->n_g[p.a] : grid->n_g[p.b];
    p.per_cell = POINTS_WANTED / longest;
    p.per_cell = p.per_cell < 1 ? 1 : p.per_cell > PER_CELL_MOST ? PER_CELL_MOST : p.per_cell;
    p.width = grid->n_g[p.a] * p.per_cell;
    p.height = grid->n_g[p.b] * p.per_cell;
    p.rgb = calloc((size_t)p.width * (size_t)p.height, 3);
    if (p.rgb == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a picture of %d x %d points", p.width, p.height);
    const kol_status st = draw(&p, path);
    free(p.rgb);
    return st;
}
