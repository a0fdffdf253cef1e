/* Finds the points of surface data, and adds up what the ranks know about them. */
#include "surface_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A surface closer to the start of a line than this part of the line passes through the start. */
static const double AT_START = 1e-9;

/* front_piece: a live side of a closed face, as its rank sends it. value: number among those of the rank. */
struct front_piece {
    long long key;
    double position[3], normal[3];
    int body, value;
};
/* link_piece: a link. key: the one or two points that share its force; the second is -1 if there is one. */
struct link_piece {
    long long key[2], order;
    int body, value, component;
};

/* pieces: those of one rank, or of all. */
struct pieces {
    struct front_piece *front;
    struct link_piece *link;
    int fronts, links;
};

static kol_status no_memory(void)
{
    RAISE(KOL_ERR_MEMORY, "no memory for surface data of bodies");
}

/* --- keys --- */

/* The number of a face of component d with the local indices `cell`, which may lie in the halo, times 6, plus
 * 2 d. */
static long long face_key(const struct domain *domain, int d, const int cell[3])
{
    const int *n = domain->grid.n_g;
    long long i[3];
    for (int e = 0; e < 3; ++e) {
        i[e] = domain->decomp.offset[e] + cell[e];
        if (domain->grid.periodic[e]) i[e] = (i[e] + n[e]) % n[e];
    }
    return 6 * ((i[Z] * (n[Y] + 1) + i[Y]) * (n[X] + 1) + i[X]) + 2 * d;
}

/* The component and the global indices of the face of a key. */
static int face_of(const struct domain *domain, long long key, int cell[3])
{
    const int *n = domain->grid.n_g;
    const long long face = key / 6;
    cell[X] = (int)(face % (n[X] + 1));
    cell[Y] = (int)(face / (n[X] + 1) % (n[Y] + 1));
    cell[Z] = (int)(face / (n[X] + 1) / (n[Y] + 1));
    return (int)(key % 6 / 2);
}

static void own_cell(struct box b, ptrdiff_t index, int cell[3])
{
    const ptrdiff_t o = index - b.start;
    cell[Z] = (int)(o / b.sz);
    cell[Y] = (int)(o % b.sz / b.sy);
    cell[X] = (int)(o % b.sz % b.sy);
}

static int face_is_open(const struct domain *domain, const struct body_geometry *geometry, const int c[3],
                        int face)
{
    return geometry->open[at(domain->grid.box, c[X], c[Y], c[Z])] >> face & 1;
}

/* The points that share the force of a link. A link along its own component belongs to the closed neighbour.
 * The force of any other one is divided between the two cells beside its open face: each half goes to the
 * face that closes the cell towards the neighbour; if that face is open, to the closed neighbour as the cell
 * behind it sees it. */
static void link_targets(const struct domain *domain, const struct body_geometry *geometry,
                         const struct body_link *link, const int cell[3], long long key[2])
{
    const int d = link->d, e = link->side / 2, high = link->side % 2;
    int next[3] = {cell[X], cell[Y], cell[Z]};
    next[e] += high ? 1 : -1;
    key[0] = face_key(domain, d, next) + !high;
    key[1] = -1;
    for (int s = 0; s < 2 && e != d; ++s) {
        int c[3] = {cell[X], cell[Y], cell[Z]}, face[3];
        c[d] -= !s;
        memcpy(face, c, sizeof face);
        face[e] += high;
        key[s] = face_is_open(domain, geometry, c, 2 * e + high) ? face_key(domain, d, next) + s
                                                                 : face_key(domain, e, face) + !high;
    }
}

/* --- the pieces of a rank --- */

/* Finds where a line from x first meets the surface, inside or outside the solid. Returns its distance from
 * x; HUGE_VAL if there is no surface within `length`. image: out, whose surface it is. */
static double surface_along(const struct body_geometry *geometry, const double x[3], int dir, int side,
                            double length, int *image)
{
    struct body_part part[BODY_PARTS];
    if (body_set_link(geometry->set, x, dir, side, length, part) == 0) return HUGE_VAL;
    const int inside = part[0].from <= AT_START;
    const double at = inside ? part[0].to : part[0].from;
    *image = inside ? part[0].to_image : part[0].from_image;
    return *image >= 0 && at > AT_START ? at * length : HUGE_VAL;
}

/* Moves a point along a grid line to the surface, and finds the normal there. */
static void put_on_surface(const struct body_geometry *geometry, int dir, int side, double distance,
                           int image, const double x[3], struct front_piece *p)
{
    memcpy(p->position, x, sizeof p->position);
    p->position[dir] += side ? distance : -distance;
    body_set_normal(geometry->set, image, p->position, dir, p->normal);
}

/* Sets place and normal of a closed face and the live cell beside it: where the line from the centre of the
 * face into the cell leaves the solid. If it does not do so inside the cell, the surface is sought on the
 * grid lines through the centre of the cell, and the nearest place counts. If there is none, or if the
 * surface passes through the centre of the face, this centre is taken, and the direction of the grid line. */
static void set_place(const struct domain *domain, const struct body_geometry *geometry, int d,
                      const int cell[3], int side, struct front_piece *p)
{
    const struct grid *g = &domain->grid;
    double face[3], centre[3], width[3], least = HUGE_VAL;
    int image = -1;
    for (int e = 0; e < 3; ++e) {
        int i = domain->decomp.offset[e] + cell[e];
        face[e] = e == d ? g->face[e][i] : g->centre[e][i];
        i -= e == d && !side;
        width[e] = grid_width(g, e, i < 0 ? i + g->n_g[e] : i);
        centre[e] = e == d ? face[e] + (side ? 0.5 : -0.5) * width[e] : face[e];
        p->position[e] = face[e];
        p->normal[e] = e == d ? (side ? 1 : -1) : 0;
    }
    struct body_part part[BODY_PARTS];
    const int parts = body_set_link(geometry->set, face, d, side, width[d], part);
    if (parts == 0 || part[0].from > AT_START || part[0].to <= AT_START)
        return; /* it passes through the centre */
    const double distance = surface_along(geometry, face, d, side, width[d], &image);
    if (distance < HUGE_VAL) {
        put_on_surface(geometry, d, side, distance, image, face, p);
        return;
    }
    for (int q = 0; q < 6; ++q) {
        const double near = surface_along(geometry, centre, q / 2, q % 2, width[q / 2], &image);
        if (near >= least) continue;
        least = near;
        put_on_surface(geometry, q / 2, q % 2, near, image, centre, p);
    }
}

void surface_normal(const struct domain *domain, const struct body_geometry *geometry, int d,
                    const int face[3], int side, double normal[3])
{
    struct front_piece p;
    const int last = domain->grid.n_g[d] - domain->decomp.offset[d];
    int own[3] = {face[X], face[Y], face[Z]};
    if (domain->grid.periodic[d] && own[d] == last) own[d] -= domain->grid.n_g[d];
    set_place(domain, geometry, d, own, side, &p);
    memcpy(normal, p.normal, sizeof p.normal);
}

static kol_status own_pieces(const struct domain *domain, const struct body_geometry *geometry,
                             const struct body_surfaces *s, struct pieces *own)
{
    const struct decomp *dec = &domain->decomp;
    const surface_key blocks = (surface_key)dec->blocks_g[X] * dec->blocks_g[Y] * dec->blocks_g[Z];
    const int links = s->links.n, fronts = s->fronts.n;
    own->front = malloc((2 * (size_t)fronts + 1) * sizeof *own->front);
    own->link = malloc(((size_t)links + 1) * sizeof *own->link);
    if (own->front == NULL || own->link == NULL) return no_memory();
    own->links = links;
    for (int n = 0; n < links; ++n) {
        const struct body_link *link = &s->links.item[n].link;
        int cell[3];
        own_cell(domain->grid.box, link->at, cell);
        own->link[n] = (struct link_piece){{0, 0},
                                           6 * face_key(domain, link->d, cell) + link->side,
                                           (int)(s->links.item[n].of / blocks),
                                           n,
                                           link->d};
        link_targets(domain, geometry, link, cell, own->link[n].key);
    }
    for (int n = 0; n < fronts; ++n) {
        const struct body_front *front = &s->fronts.item[n].front;
        int cell[3];
        own_cell(domain->grid.box, front->at, cell);
        for (int side = 0; side < 2; ++side) {
            if (!(front->live >> side & 1)) continue;
            struct front_piece *p = &own->front[own->fronts++];
            p->key = face_key(domain, front->d, cell) + side;
            p->body = (int)(s->fronts.item[n].of / blocks);
            p->value = links + 2 * n + side;
            set_place(domain, geometry, front->d, cell, side, p);
        }
    }
    return KOL_OK;
}

/* --- rank 0 --- */

/* Gathers n items of `size` bytes of each rank. count: out, on rank 0, of each rank. */
static kol_status gather_items(const struct comm *c, const void *own, int n, size_t size, void **all,
                               int *count)
{
    int *first = calloc((size_t)c->size, sizeof *first), sum = 0;
    MPI_Datatype item;
    TRY(comm_agree(c, first == NULL ? no_memory() : KOL_OK));
    MPI_TRY(MPI_Gather(&n, 1, MPI_INT, count, 1, MPI_INT, 0, c->mpi));
    for (int r = 0; r < c->size && c->rank == 0; ++r) {
        first[r] = sum;
        sum += count[r];
    }
    *all = c->rank == 0 ? malloc((size_t)sum * size + 1) : NULL;
    TRY(comm_agree(c, c->rank == 0 && *all == NULL ? no_memory() : KOL_OK));
    MPI_TRY(MPI_Type_contiguous((int)size, MPI_BYTE, &item));
    MPI_TRY(MPI_Type_commit(&item));
    MPI_TRY(MPI_Gatherv(own, n, item, *all, count, first, item, 0, c->mpi));
    MPI_TRY(MPI_Type_free(&item));
    free(first);
    return KOL_OK;
}

/* candidate: a point that a piece names. front: number of the front, -1 if a link names it. */
struct candidate {
    long long key;
    int body, front;
};

static int by_point(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->body != y->body) return x->body < y->body ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->front < y->front) - (x->front > y->front); /* fronts come first */
}

static int by_term(const void *a, const void *b)
{
    const struct surface_term *x = a, *y = b;
    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    if (x->component != y->component) return x->component < y->component ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Finds the points that the pieces name, ordered and each once. */
static kol_status find_points(const struct pieces *all, struct candidate **out, int *count)
{
    const size_t most = (size_t)all->fronts + 2 * (size_t)all->links;
    struct candidate *c = *out = malloc((most + 1) * sizeof *c);
    size_t n = 0;
    if (c == NULL) return no_memory();
    for (int f = 0; f < all->fronts; ++f)
        c[n++] = (struct candidate){all->front[f].key, all->front[f].body, f};
    for (int l = 0; l < all->links; ++l)
        for (int s = 0; s < 2; ++s)
            if (all->link[l].key[s] >= 0)
                c[n++] = (struct candidate){all->link[l].key[s], all->link[l].body, -1};
    if (n > 0) qsort(c, n, sizeof *c, by_point);
    *count = 0;
    for (size_t i = 0; i < n; ++i)
        if (*count == 0 || c[*count - 1].body != c[i].body || c[*count - 1].key != c[i].key)
            c[(*count)++] = c[i];
    return KOL_OK;
}

static int point_number(const struct candidate *c, int points, long long key, int body)
{
    int low = 0, high = points;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (c[middle].body < body || (c[middle].body == body && c[middle].key <= key)) low = middle;
        else high = middle;
    }
    return low;
}

/* Sets place, normal and area of point n. */
static void set_point(const struct domain *domain, const struct pieces *all, const struct candidate *c, int n,
                      struct surface_points *p)
{
    const struct grid *g = &domain->grid;
    int cell[3];
    const int d = face_of(domain, c->key, cell), sign = c->key % 2 ? 1 : -1;
    p->face_area[n] = 1;
    for (int e = 0; e < 3; ++e) {
        p->position[3 * n + e] = e == d ? g->face[e][cell[e]] : g->centre[e][cell[e]];
        p->normal[3 * n + e] = e == d ? sign : 0;
        p->area[3 * n + e] = 0;
        if (e != d) p->face_area[n] *= grid_width(g, e, cell[e]);
        if (c->front < 0) continue;
        p->position[3 * n + e] = all->front[c->front].position[e];
        p->normal[3 * n + e] = all->front[c->front].normal[e];
    }
    if (c->front >= 0) p->area[3 * n + d] = sign * p->face_area[n];
    p->weight[n] = p->area[3 * n + d] * p->normal[3 * n + d];
    p->body[n] = c->body + 1;
}

static kol_status take_points(struct surface_points *p, int points, int links, int fronts, int values)
{
    const size_t n = (size_t)points + 1;
    double **const of[] = {&p->position, &p->normal, &p->area, &p->face_area, &p->weight, &p->body};
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        *of[i] = malloc((i < 3 ? 3 : 1) * n * sizeof(double));
        if (*of[i] == NULL) return no_memory();
    }
    p->term = malloc(((size_t)fronts + 2 * (size_t)links + 1) * sizeof *p->term);
    p->slot = malloc(((size_t)fronts + (size_t)links + 1) * sizeof *p->slot);
    p->values = calloc((size_t)values + 1, sizeof *p->values);
    if (p->term == NULL || p->slot == NULL || p->values == NULL) return no_memory();
    p->points = points;
    return KOL_OK;
}

/* slotted: a value with the number that decides its slot. */
struct slotted {
    long long order;
    int value;
};

static int by_order(const void *a, const void *b)
{
    const struct slotted *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* Orders the values by links and faces of the whole grid. */
static kol_status make_slots(const struct pieces *all, struct surface_points *p)
{
    const int n = all->links + all->fronts;
    struct slotted *s = malloc(((size_t)n + 1) * sizeof *s);
    if (s == NULL) return no_memory();
    for (int l = 0; l < all->links; ++l) s[l] = (struct slotted){all->link[l].order, all->link[l].value};
    for (int f = 0; f < all->fronts; ++f)
        s[all->links + f] = (struct slotted){all->front[f].key, all->front[f].value};
    if (all->links > 0) qsort(s, (size_t)all->links, sizeof *s, by_order);
    if (all->fronts > 0) qsort(s + all->links, (size_t)all->fronts, sizeof *s, by_order);
    for (int i = 0; i < n; ++i) p->slot[i] = s[i].value;
    p->slots = n;
    free(s);
    return KOL_OK;
}

static void make_terms(const struct pieces *all, const struct candidate *c, struct surface_points *p)
{
    for (int f = 0; f < all->fronts; ++f) {
        const struct front_piece *front = &all->front[f];
        p->term[p->terms++] = (struct surface_term){point_number(c, p->points, front->key, front->body),
                                                    SURFACE_PRESSURE, front->value, 1, 0};
    }
    for (int l = 0; l < all->links; ++l) {
        const struct link_piece *link = &all->link[l];
        const int targets = link->key[1] < 0 ? 1 : 2;
        for (int s = 0; s < targets; ++s)
            p->term[p->terms++] =
                (struct surface_term){point_number(c, p->points, link->key[s], link->body), link->component,
                                      link->value, 1.0 / targets, link->order};
    }
    if (p->terms > 0) qsort(p->term, (size_t)p->terms, sizeof *p->term, by_term);
}

static kol_status assemble(const struct domain *domain, const struct pieces *all, int values,
                           struct surface_points *p)
{
    struct candidate *c = NULL;
    int points = 0;
    kol_status st = find_points(all, &c, &points);
    if (st == KOL_OK) st = take_points(p, points, all->links, all->fronts, values);
    for (int n = 0; n < points && st == KOL_OK; ++n) set_point(domain, all, &c[n], n, p);
    if (st == KOL_OK) make_terms(all, c, p);
    if (st == KOL_OK) st = make_slots(all, p);
    free(c);
    return st;
}

/* Gathers the pieces, and gives their values numbers among those of all ranks. */
static kol_status gather_pieces(const struct domain *domain, const struct pieces *own, int values,
                                struct surface_points *p, struct pieces *all, int *values_g)
{
    const struct comm *c = &domain->comm;
    int *count = calloc((size_t)c->size, sizeof *count);
    void *items = NULL;
    TRY(comm_agree(c, count == NULL ? no_memory() : KOL_OK));
    MPI_TRY(MPI_Gather(&values, 1, MPI_INT, p->count, 1, MPI_INT, 0, c->mpi));
    for (int r = 1; r < c->size; ++r) p->first[r] = p->first[r - 1] + p->count[r - 1];
    *values_g = p->first[c->size - 1] + p->count[c->size - 1];
    TRY(gather_items(c, own->link, own->links, sizeof *own->link, &items, count));
    all->link = items;
    for (int r = 0; r < c->size; ++r)
        for (int n = 0; n < count[r]; ++n) all->link[all->links++].value += p->first[r];
    TRY(gather_items(c, own->front, own->fronts, sizeof *own->front, &items, count));
    all->front = items;
    for (int r = 0; r < c->size; ++r)
        for (int n = 0; n < count[r]; ++n) all->front[all->fronts++].value += p->first[r];
    free(count);
    return KOL_OK;
}

/* Numbers of a point in a file: three vectors of its place, three numbers, pressure and shear. */
enum { FILE_NUMBERS = 16, POINT_NUMBERS = FILE_NUMBERS };

kol_status surface_points_sizes(const struct domain *domain, const struct body_geometry *geometry,
                                struct surface_sizes *out)
{
    const struct input *in = domain->in;
    double own[2] = {0, 0}, all[2];
    *out = (struct surface_sizes){0, 0};
    if (geometry == NULL || (in->output.surface_interval == 0 && in->output.surface_start < 0)) return KOL_OK;
    body_surfaces_count(domain, geometry, &own[0], &own[1]);
    MPI_TRY(MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    const double links = all[0], sides = all[1], state = in->output.surface_start >= 0 ? links + sides : 0;
    out->file = FILE_NUMBERS * sizeof(double) * sides;
    out->host = POINT_NUMBERS * sizeof(double) * sides +
                (double)sizeof(struct surface_term) * (sides + 2 * links) + sizeof(int) * (sides + links) +
                sizeof(double) * (links + 2 * sides + state);
    return KOL_OK;
}

kol_status surface_points_create(const struct domain *domain, const struct body_geometry *geometry,
                                 const struct body_surfaces *s, struct surface_points *p)
{
    const struct comm *c = &domain->comm;
    struct pieces own = {NULL, NULL, 0, 0}, all = {NULL, NULL, 0, 0};
    int values = 0;
    p->count = calloc((size_t)c->size, sizeof *p->count);
    p->first = calloc((size_t)c->size, sizeof *p->first);
    kol_status st = p->count == NULL || p->first == NULL ? no_memory() : KOL_OK;
    if (st == KOL_OK) st = own_pieces(domain, geometry, s, &own);
    TRY_OR(done, comm_agree(c, st));
    TRY_OR(done, gather_pieces(domain, &own, s->links.n + 2 * s->fronts.n, p, &all, &values));
    TRY_OR(done, comm_agree(c, c->rank == 0 ? assemble(domain, &all, values, p) : KOL_OK));
    if (MPI_Bcast(&p->slots, 1, MPI_INT, 0, c->mpi) != MPI_SUCCESS)
        st = status_raise(KOL_ERR_MPI, __FILE__, __LINE__, "the number of surface values was not sent");
done:
    free(own.front);
    free(own.link);
    free(all.front);
    free(all.link);
    return st;
}

void surface_points_free(struct surface_points *p)
{
    void *const of[] = {p->position, p->normal, p->area,  p->face_area, p->weight, p->body,
                        p->term,     p->slot,   p->count, p->first,     p->values};
    for (size_t n = 0; n < sizeof of / sizeof *of; ++n) free(of[n]);
    memset(p, 0, sizeof *p);
}

kol_status surface_points_gather(const struct domain *domain, struct surface_points *p, const double *own,
                                 int n)
{
    const struct comm *c = &domain->comm;
    MPI_TRY(MPI_Gatherv(own, n, MPI_DOUBLE, p->values, p->count, p->first, MPI_DOUBLE, 0, c->mpi));
    return KOL_OK;
}

kol_status surface_points_scatter(const struct domain *domain, const struct surface_points *p, double *own,
                                  int n)
{
    const struct comm *c = &domain->comm;
    MPI_TRY(MPI_Scatterv(p->values, p->count, p->first, MPI_DOUBLE, own, n, MPI_DOUBLE, 0, c->mpi));
    return KOL_OK;
}

void surface_points_fill(const struct surface_points *p, double duration, double *pressure, double *shear)
{
    memset(pressure, 0, (size_t)p->points * sizeof *pressure);
    memset(shear, 0, 3 * (size_t)p->points * sizeof *shear);
    for (int n = 0; n < p->terms; ++n) {
        const struct surface_term *t = &p->term[n];
        const double value = t->factor * p->values[t->value];
        if (t->component == SURFACE_PRESSURE) pressure[t->point] += value;
        else shear[3 * (ptrdiff_t)t->point + t->component] += value;
    }
    for (int n = 0; n < p->points; ++n) {
        pressure[n] /= duration;
        for (int d = 0; d < 3; ++d) shear[3 * (ptrdiff_t)n + d] /= duration * p->face_area[n];
    }
}
