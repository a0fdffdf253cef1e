/* Looks for what the faces of bodies that turn in their place push without a way out. */
#include "body_turning.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "body_lists.h"
#include "body_set.h"
#include "state/regions.h"

/* What rounding may leave of the divergence of a rigid rotation, over the sum of the magnitudes. */
#define TURNING_ROUNDING 1e-9

/* row_faces: the faces of component d at the side of a row of cells, which begins with this rank's cell 0. */
struct row_faces {
    double *value; /* velocity [U] */
    int *owner;    /* body; -1: the fluid; BOUNDARY: a boundary of the domain, through which nothing flows */
};
enum { BOUNDARY = -2, NOBODY = -1 };

struct search {
    const struct domain *domain;
    const struct body_geometry *g;
    struct row_faces side[FACES];
    double *x, *work;
    /* the first closed cell with a divergence: its number in the domain, the body that turns, and what cuts
     * it: a body or BOUNDARY */
    long long first;
    int body, other;
    /* for each region of fluid: what its closed faces push into it, the sum of the magnitudes [U L^2], and
     * the last body that does */
    struct regions regions;
    double *into, *size;
    int *by;
};

static int turns(const struct body_geometry *g, int body)
{
    return body >= 0 && g->body[body].rotation != 0 && !body_motion_travels(&g->set->body[body].motion);
}

/* The faces at side f of the cells of the row (j, k). */
static void find_side(struct search *s, int f, int j, int k)
{
    const struct grid *grid = &s->domain->grid;
    const int d = f / 2, *first = s->domain->decomp.offset, n = s->domain->decomp.n[X];
    const int cell[3] = {0, j, k};
    double at_face[3];
    for (int e = 0; e < 3; ++e)
        at_face[e] = e == d ? grid->face[e][first[e] + cell[e] + f % 2] : grid->centre[e][first[e] + cell[e]];
    for (int i = 0; i < n; ++i)
        s->x[i] = d == X ? grid->face[X][first[X] + i + f % 2] : grid->centre[X][first[X] + i];
    body_set_row(s->g->set, n, s->x, at_face[Y], at_face[Z], s->side[f].owner, s->work);
    for (int i = 0; i < n; ++i) {
        const int along = first[d] + (d == X ? i : cell[d]) + f % 2;
        double u[3] = {0, 0, 0};
        at_face[X] = s->x[i];
        if (turns(s->g, s->side[f].owner[i])) body_geometry_velocity(s->g, s->side[f].owner[i], at_face, u);
        s->side[f].value[i] = u[d];
        if (grid->periodic[d] || (along != 0 && along != grid->n_g[d])) continue;
        s->side[f].value[i] = 0;
        s->side[f].owner[i] = BOUNDARY;
    }
}

/* Whether cell i of the row has a divergence, though it is closed. Stores which bodies are to blame. */
static int pushes(struct search *s, int i, int j, int k)
{
    const int cell[3] = {i, j, k};
    double sum = 0, size = 0;
    int body = NOBODY, other = NOBODY;
    for (int f = 0; f < FACES; ++f) {
        const double part = s->side[f].value[i] / grid_width(&s->domain->grid, f / 2, cell[f / 2]);
        sum += f % 2 ? part : -part;
        size += fabs(part);
        if (body < 0 && turns(s->g, s->side[f].owner[i])) body = s->side[f].owner[i];
    }
    if (fabs(sum) <= TURNING_ROUNDING * size) return 0;
    for (int f = 0; f < FACES; ++f)
        if (s->side[f].owner[i] != body && other < 0) other = s->side[f].owner[i];
    s->body = body;
    s->other = other;
    return 1;
}

/* Adds to the sums of its region what the closed faces of cell i of the row push into it. */
static void add_into(struct search *s, int i, int j, int k)
{
    const struct box b = s->domain->grid.box;
    const int cell[3] = {i, j, k}, region = s->regions.label[((ptrdiff_t)k * b.ny + j) * b.nx + i];
    for (int f = 0; f < FACES; ++f) {
        double part = s->side[f].value[i];
        if (part == 0 || s->g->open[at(b, i, j, k)] >> f & 1) continue;
        for (int e = 0; e < 3; ++e)
            if (e != f / 2) part *= grid_width(&s->domain->grid, e, cell[e]);
        s->into[region] += f % 2 ? -part : part;
        s->size[region] += fabs(part);
        s->by[region] = s->side[f].owner[i];
    }
}

/* The cells of this rank: the first closed one that pushes, and the sums of the regions. */
static void search_cells(struct search *s)
{
    const unsigned char all = (1u << FACES) - 1;
    const struct box b = s->domain->grid.box;
    const int *first = s->domain->decomp.offset, *n_g = s->domain->grid.n_g;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) {
            int closed = 0;
            for (int i = 0; i < b.nx; ++i) closed += s->g->open[at(b, i, j, k)] != all;
            if (closed == 0) continue;
            for (int f = 0; f < FACES; ++f) find_side(s, f, j, k);
            for (int i = 0; i < b.nx; ++i)
                if (s->g->open[at(b, i, j, k)] != 0) {
                    add_into(s, i, j, k);
                } else if (pushes(s, i, j, k)) {
                    s->first = ((long long)(first[Z] + k) * n_g[Y] + first[Y] + j) * n_g[X] + first[X] + i;
                    return;
                }
        }
}

static kol_status take_room(struct search *s)
{
    const size_t n = (size_t)s->domain->decomp.n[X];
    int missing = 0;
    for (int f = 0; f < FACES; ++f) {
        s->side[f] = (struct row_faces){malloc(n * sizeof(double)), malloc(n * sizeof(int))};
        missing += s->side[f].value == NULL || s->side[f].owner == NULL;
    }
    const size_t regions = (size_t)s->regions.count + 1;
    s->x = malloc(n * sizeof *s->x);
    s->work = malloc(n * sizeof *s->work);
    s->into = calloc(regions, sizeof *s->into);
    s->size = calloc(regions, sizeof *s->size);
    s->by = malloc(regions * sizeof *s->by);
    if (missing > 0 || s->x == NULL || s->work == NULL || s->into == NULL || s->size == NULL || s->by == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for a row of %zu faces and %zu regions", n, regions);
    for (size_t r = 0; r < regions; ++r) s->by[r] = NOBODY;
    return KOL_OK;
}

static void free_room(struct search *s)
{
    for (int f = 0; f < FACES; ++f) {
        free(s->side[f].value);
        free(s->side[f].owner);
    }
    free(s->x);
    free(s->work);
    free(s->into);
    free(s->size);
    free(s->by);
    regions_destroy(&s->regions);
}

static kol_status refuse(const struct body_geometry *g, int body, int other)
{
    const struct body *b = &g->set->body[body];
    if (other < 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: body %d (%s) turns in its place, and a boundary of the domain cuts it: there its "
              "surface would push fluid; move it away, or let its axis meet the boundary at right angles",
              b->by.at, b->entry, g->body[body].text);
    RAISE(KOL_ERR_INPUT,
          "%s: error: body %d (%s) turns in its place, and body %d (%s) overlaps it %s: there its surface "
          "would push fluid; move them apart",
          b->by.at, b->entry, g->body[body].text, g->set->body[other].entry, g->body[other].text,
          g->set->body[other].by.by);
}

/* The first closed cell that pushes, of all ranks. */
static kol_status refuse_cut(const struct search *s)
{
    const MPI_Comm c = s->domain->comm.mpi;
    long long first = s->first;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_LONG_LONG, MPI_MIN, c));
    if (first == LLONG_MAX) return KOL_OK;
    int found[2] = {s->first == first ? s->body : BOUNDARY, s->first == first ? s->other : BOUNDARY};
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_INT, MPI_MAX, c));
    return refuse(s->g, found[0], found[1]);
}

/* The smallest region whose cells can't give way to what is pushed into it. */
static kol_status refuse_pushed(struct search *s)
{
    const MPI_Comm c = s->domain->comm.mpi;
    const struct regions *regions = &s->regions;
    int worst = -1;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, s->into, regions->count, MPI_DOUBLE, MPI_SUM, c));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, s->size, regions->count, MPI_DOUBLE, MPI_SUM, c));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, s->by, regions->count, MPI_INT, MPI_MAX, c));
    for (int r = 0; r < regions->count; ++r)
        if (fabs(s->into[r]) > TURNING_ROUNDING * s->size[r] &&
            (worst < 0 || regions->cells[r] < regions->cells[worst]))
            worst = r;
    if (worst < 0) return KOL_OK;
    const struct body *b = &s->g->set->body[s->by[worst]];
    RAISE(KOL_ERR_INPUT,
          "%s: error: body %d (%s), which turns in its place, closes off a region of %lld cells of the grid: "
          "there its surface would push fluid that can't leave; move it away from what is next to it, or "
          "refine the grid",
          b->by.at, b->entry, s->g->body[s->by[worst]].text, regions->cells[worst]);
}

static kol_status look(struct search *s)
{
    TRY(comm_agree(&s->domain->comm, take_room(s)));
    search_cells(s);
    TRY(refuse_cut(s));
    return refuse_pushed(s);
}

kol_status body_turning_refuse(const struct domain *domain, const struct body_geometry *g)
{
    struct search s = {.domain = domain, .g = g, .first = LLONG_MAX, .body = NOBODY, .other = BOUNDARY};
    if (!body_lists_turn(g)) return KOL_OK;
    TRY(regions_create(&domain->comm, &domain->decomp, &domain->grid, g->open, &s.regions));
    const kol_status st = look(&s);
    free_room(&s);
    return st;
}
