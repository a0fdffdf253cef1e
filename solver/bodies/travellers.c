/* Finds the faces that bodies which travel close, and updates the mask and the lists of walls near them. */
#include "travellers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "body_set.h"
#include "inputs/face_kinds.h"

/* --- lists that grow --- */

/* Makes room for one more entry of `bytes` bytes. */
static kol_status grow(void **list, int count, int *room, size_t bytes)
{
    if (count < *room) return KOL_OK;
    const int more = *room + *room / 2 + 1024;
    void *larger = realloc(*list, (size_t)more * bytes);
    if (larger == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a list of %d faces of bodies", more);
    *list = larger;
    *room = more;
    return KOL_OK;
}

static kol_status add_face(struct traveller_faces *l, const struct traveller_face *face)
{
    TRY(grow((void **)&l->face, l->n, &l->room, sizeof *l->face));
    l->face[l->n++] = *face;
    return KOL_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct traveller_face *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Orders the faces, and leaves each of them once: images of a body may overlap. */
static void settle(struct traveller_faces *l)
{
    int n = 0, sorted = 1;
    for (int i = 1; i < l->n && sorted; ++i) sorted = l->face[i - 1].at < l->face[i].at;
    if (sorted) return;
    qsort(l->face, (size_t)l->n, sizeof *l->face, by_place);
    for (int i = 0; i < l->n; ++i)
        if (n == 0 || l->face[n - 1].at != l->face[i].at) l->face[n++] = l->face[i];
    l->n = n;
}

/* --- faces --- */

static int travels(const struct body_set *s, int body)
{
    return body_motion_travels(&s->body[body].motion);
}

/* The local indices in direction d, halo included, of the faces of component c that lie in the box round an
 * image. Returns their number. */
static int indices_in(const struct travellers *t, const struct body_image *m, int c, int d, int *index)
{
    int n = 0;
    for (int i = -KOL_HALO; i < t->grid.n[d] + KOL_HALO + (c == d); ++i) {
        const double x = body_face_place(&t->grid, c, d, i);
        if (x >= m->low[d] && x <= m->high[d]) index[n++] = i;
    }
    return n;
}

/* Adds the faces of component c in one image of a body. */
static kol_status find_image(struct travellers *t, const struct body_set *s, struct box b,
                             const struct body_image *m, int c, struct traveller_faces *out)
{
    int count[3];
    for (int d = 0; d < 3; ++d) count[d] = indices_in(t, m, c, d, t->index[d]);
    for (int n = 0; n < count[X]; ++n) t->x[n] = body_face_place(&t->grid, c, X, t->index[X][n]);
    for (int nk = 0; nk < count[Z]; ++nk) {
        for (int nj = 0; nj < count[Y]; ++nj) {
            const int j = t->index[Y][nj], k = t->index[Z][nk];
            body_set_row(s, count[X], t->x, body_face_place(&t->grid, c, Y, j),
                         body_face_place(&t->grid, c, Z, k), t->owner, t->depth);
            for (int n = 0; n < count[X]; ++n) {
                const int i = t->index[X][n];
                if (t->owner[n] != m->body) continue;
                TRY(add_face(out, &(struct traveller_face){at(b, i, j, k), {i, j, k}, m->body}));
            }
        }
    }
    return KOL_OK;
}

static kol_status find_faces(struct travellers *t, const struct body_set *s, struct box b)
{
    for (int c = 0; c < 3; ++c) {
        t->now[c].n = 0;
        for (int m = 0; m < s->images; ++m)
            if (travels(s, s->image[m].body)) TRY(find_image(t, s, b, &s->image[m], c, &t->now[c]));
        settle(&t->now[c]);
    }
    return KOL_OK;
}

/* --- the mask --- */

static int in_box(const struct travellers *t, const int cell[3], int halo)
{
    for (int d = 0; d < 3; ++d)
        if (cell[d] < -halo || cell[d] >= t->grid.n[d] + halo) return 0;
    return 1;
}

/* Opens or closes one side of a cell. For now the change has the bit that is turned. */
static kol_status turn_side(struct travellers *t, struct box b, const int cell[3], int face, int closes,
                            unsigned char *open)
{
    if (!in_box(t, cell, KOL_HALO)) return KOL_OK;
    const ptrdiff_t o = at(b, cell[X], cell[Y], cell[Z]);
    const unsigned char bit = (unsigned char)(1u << face);
    TRY(grow((void **)&t->change, t->changes, &t->change_room, sizeof *t->change));
    open[o] = (unsigned char)(closes ? open[o] & ~bit : open[o] | bit);
    t->change[t->changes++] =
        (struct traveller_change){o, {cell[X], cell[Y], cell[Z]}, in_box(t, cell, 0), bit, 0};
    return KOL_OK;
}

static kol_status turn_face(struct travellers *t, struct box b, const struct traveller_face *f, int c,
                            int closes, unsigned char *open)
{
    int below[3] = {f->cell[X], f->cell[Y], f->cell[Z]};
    below[c] -= 1;
    TRY(turn_side(t, b, f->cell, 2 * c, closes, open));
    return turn_side(t, b, below, 2 * c + 1, closes, open);
}

/* Goes through two lists: calls turn() for each face that is in one of them alone. */
static kol_status differ(const struct traveller_faces *from, const struct traveller_faces *to,
                         kol_status (*turn)(void *context, const struct traveller_face *f, int closes),
                         void *context)
{
    int i = 0, j = 0;
    while (i < from->n || j < to->n) {
        const int gone = j == to->n || (i < from->n && from->face[i].at < to->face[j].at),
                  come = i == from->n || (j < to->n && to->face[j].at < from->face[i].at);
        if (gone) TRY(turn(context, &from->face[i], 0));
        if (come) TRY(turn(context, &to->face[j], 1));
        i += !come;
        j += !gone;
    }
    return KOL_OK;
}

struct mask_change {
    struct travellers *t;
    struct box b;
    int c;
    unsigned char *open;
};

static kol_status change_mask(void *context, const struct traveller_face *f, int closes)
{
    const struct mask_change *m = context;
    return turn_face(m->t, m->b, f, m->c, closes, m->open);
}

static int by_cell(const void *a, const void *b)
{
    const struct traveller_change *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Leaves one entry for each cell, with its bytes before and now. Each bit is turned once at most. */
static void settle_changes(struct travellers *t, const unsigned char *open)
{
    int n = 0;
    if (t->changes > 0) qsort(t->change, (size_t)t->changes, sizeof *t->change, by_cell);
    for (int i = 0; i < t->changes; ++i) {
        const unsigned char bit = t->change[i].was;
        if (n > 0 && t->change[n - 1].at == t->change[i].at) {
            t->change[n - 1].was ^= bit;
            continue;
        }
        t->change[n] = t->change[i];
        t->change[n].is = open[t->change[i].at];
        t->change[n].was = (unsigned char)(t->change[n].is ^ bit);
        ++n;
    }
    t->changes = n;
}

static kol_status update_mask(struct travellers *t, struct box b, unsigned char *open)
{
    t->changes = 0;
    for (int c = 0; c < 3; ++c) {
        struct mask_change m = {t, b, c, open};
        TRY(differ(&t->before[c], &t->now[c], change_mask, &m));
    }
    settle_changes(t, open);
    return KOL_OK;
}

/* --- the lists of walls --- */

static int open_at(struct box b, const unsigned char *open, int c, const int p[3])
{
    return open[at(b, p[X], p[Y], p[Z])] >> (2 * c) & 1;
}

/* The own open faces beside those that are closed: candidates for the list of walls, by rising place. */
static kol_status find_beside(const struct travellers *t, struct box b, const unsigned char *open, int c,
                              struct traveller_faces *out)
{
    for (int n = 0; n < t->now[c].n; ++n) {
        const struct traveller_face *f = &t->now[c].face[n];
        for (int side = 0; side < FACES; ++side) {
            int p[3] = {f->cell[X], f->cell[Y], f->cell[Z]};
            p[side / 2] += side % 2 ? 1 : -1;
            if (!in_box(t, p, 0) || !open_at(b, open, c, p) || body_face_beyond(&t->grid, c, c, p[c]))
                continue;
            TRY(add_face(out,
                         &(struct traveller_face){at(b, p[X], p[Y], p[Z]), {p[X], p[Y], p[Z]}, f->body}));
        }
    }
    settle(out);
    return KOL_OK;
}

/* Where bodies begin is up to the input; what happens on their way is found by the run. */
static kol_status too_close(const struct body_geometry *g, int one, int other, double t)
{
    const struct body *a = &g->set->body[one], *b = &g->set->body[other];
    if (!g->travellers->moved)
        RAISE(KOL_ERR_INPUT,
              "%s: error: body %d (%s), which moves through the grid, begins closer than a cell to body %d "
              "(%s) "
              "%s; move them apart, or refine the grid",
              a->by.at, a->entry, g->body[one].text, b->entry, g->body[other].text, b->by.by);
    RAISE(KOL_ERR_NUMERICAL,
          "a body that moves through the grid comes closer than a cell to another body at t = %.6g: %s, body "
          "%d (%s), and %s, body %d (%s); change their motion or refine the grid",
          t, a->by.by, a->entry, g->body[one].text, b->by.by, b->entry, g->body[other].text);
}

/* A face beside a body that travels may have no wall of another one, and no face of another one may be closed
 * by it. */
static kol_status check_apart(const struct body_geometry *g, const struct body_wall_face *w, int body,
                              double time)
{
    for (int side = 0; side < FACES; ++side)
        if (w->body[side] >= 0 && w->body[side] != body) return too_close(g, body, w->body[side], time);
    return KOL_OK;
}

/* The body that closes a face which is open without those that travel. */
static int closed_by(const struct travellers *t, int c, ptrdiff_t o)
{
    const struct traveller_face wanted = {.at = o};
    const struct traveller_face *f =
        bsearch(&wanted, t->now[c].face, (size_t)t->now[c].n, sizeof *f, by_place);
    return f->body;
}

static kol_status update_walls(struct travellers *t, struct body_geometry *g, struct box b, int c,
                               double time)
{
    struct traveller_faces beside = {NULL, 0, 0};
    kol_status st = find_beside(t, b, g->open, c, &beside);
    g->walls[c] = t->fixed_walls[c];
    for (int n = 0; n < beside.n && st == KOL_OK; ++n) {
        struct body_wall_face w;
        if (body_walls_of(g->set, &t->grid, b, g->open, c, beside.face[n].cell, &w) == 0) continue;
        TRY_OR(done, check_apart(g, &w, beside.face[n].body, time));
        TRY_OR(done, grow((void **)&g->wall[c], g->walls[c], &t->wall_room[c], sizeof *g->wall[c]));
        g->wall[c][g->walls[c]++] = w;
    }
    for (int n = 0; n < t->fixed_walls[c] && st == KOL_OK; ++n) {
        const struct body_wall_face *w = &g->wall[c][n];
        int body = -1;
        for (int side = 0; side < FACES; ++side) body = w->body[side] >= 0 ? w->body[side] : body;
        if (open_at(b, g->open, c, w->cell)) continue;
        TRY_OR(done, too_close(g, closed_by(t, c, at(b, w->cell[X], w->cell[Y], w->cell[Z])), body, time));
    }
done:
    free(beside.face);
    return st;
}

static kol_status update_closed(struct travellers *t, struct body_geometry *g, struct box b, int c)
{
    const int last = t->grid.offset[c] + t->grid.n[c] == t->grid.n_g[c];
    g->closeds[c] = t->fixed_closeds[c];
    for (int n = 0; n < t->now[c].n; ++n) {
        const struct traveller_face *f = &t->now[c].face[n];
        int p[3] = {f->cell[X], f->cell[Y], f->cell[Z]};
        if (!t->grid.periodic[c] && last && p[c] == t->grid.n[c]) --p[c]; /* the upper boundary's face */
        if (!in_box(t, p, 0) || !body_closed_is_read(b, g->open, f->cell)) continue;
        TRY(grow((void **)&g->closed[c], g->closeds[c], &t->closed_room[c], sizeof *g->closed[c]));
        g->closed[c][g->closeds[c]++] =
            (struct body_closed_face){{f->cell[X], f->cell[Y], f->cell[Z]}, f->body};
    }
    return KOL_OK;
}

/* --- where they may be --- */

/* A file must say where its body is. */
static kol_status check_paths(const struct body_geometry *g, double t)
{
    for (int n = 0; n < g->bodies; ++n) {
        const struct body *b = &g->set->body[n];
        const struct body_path *p = b->motion.path;
        if (p == NULL || body_path_covers(p, t)) continue;
        RAISE(KOL_ERR_INPUT,
              "%s: error: body %d: its motion_file covers the times %.9g to %.9g, but not %.9g; add lines to "
              "the "
              "file, or choose run.t_end",
              b->by.at, b->entry, p->time[0], p->time[p->n - 1], t);
    }
    return KOL_OK;
}

/* Whether a body must keep the width of a cell away from a face of the domain: it does if it moves across the
 * face, or if fluid flows through the face. */
static int keeps_away(const struct domain *domain, const struct body_motion *motion, int face)
{
    if (domain->grid.periodic[face / 2]) return 0;
    return face_is_open(domain->in, face) || body_motion_fastest(motion, face / 2) > 0;
}

static kol_status check_inside(const struct domain *domain, const struct body_geometry *g, double time)
{
    const struct grid *grid = &domain->grid;
    for (int n = 0; n < g->bodies; ++n) {
        const struct body *b = &g->set->body[n];
        double low[3], high[3];
        if (!body_motion_travels(&b->motion)) continue;
        body_bounds(b, low, high);
        for (int face = 0; face < FACES; ++face) {
            const int d = face / 2;
            const double from = grid->origin[d] + grid_width(grid, d, 0),
                         to = grid->origin[d] + grid->length[d] - grid_width(grid, d, grid->n_g[d] - 1);
            if (!keeps_away(domain, &b->motion, face)) continue;
            if (face % 2 ? high[d] + b->moved[d] < to : low[d] + b->moved[d] > from) continue;
            if (!g->travellers->moved)
                RAISE(KOL_ERR_INPUT,
                      "%s: error: body %d (%s), which moves through the grid, begins closer than a cell to a "
                      "boundary of the domain in %c; move it away, or make the domain longer",
                      b->by.at, b->entry, g->body[n].text, "xyz"[d]);
            RAISE(KOL_ERR_NUMERICAL,
                  "%s: body %d (%s) comes closer than a cell to a boundary of the domain in %c at t = %.6g; "
                  "change its motion, or make the domain longer",
                  b->by.by, b->entry, g->body[n].text, "xyz"[d], time);
        }
    }
    return KOL_OK;
}

/* --- from stage to stage --- */

static kol_status update(const struct domain *domain, struct body_geometry *g, double time)
{
    struct travellers *t = g->travellers;
    const struct box b = domain->grid.box;
    for (int c = 0; c < 3; ++c) {
        const struct traveller_faces old = t->before[c];
        t->before[c] = t->now[c];
        t->now[c] = old;
    }
    TRY(find_faces(t, g->set, b));
    TRY(update_mask(t, b, g->open));
    for (int c = 0; c < 3; ++c) {
        TRY(update_walls(t, g, b, c, time));
        TRY(update_closed(t, g, b, c));
    }
    return KOL_OK;
}

kol_status travellers_move(const struct domain *domain, struct body_geometry *g, double t)
{
    TRY(check_paths(g, t));
    TRY(body_geometry_place(domain, g, t));
    TRY(check_inside(domain, g, t));
    TRY(update(domain, g, t));
    g->travellers->moved = 1;
    return KOL_OK;
}

kol_status travellers_begin(struct travellers *t)
{
    for (int c = 0; c < 3; ++c) {
        t->start[c].n = 0;
        for (int n = 0; n < t->now[c].n; ++n) TRY(add_face(&t->start[c], &t->now[c].face[n]));
    }
    return KOL_OK;
}

struct turn_list {
    struct travellers *t;
    int d;
};

static kol_status add_turn(void *context, const struct traveller_face *f, int closes)
{
    const struct turn_list *l = context;
    struct travellers *t = l->t;
    if (!in_box(t, f->cell, 0) || body_face_beyond(&t->grid, l->d, l->d, f->cell[l->d])) return KOL_OK;
    TRY(grow((void **)&t->turn, t->turns, &t->turn_room, sizeof *t->turn));
    t->turn[t->turns++] =
        (struct traveller_turn){f->at, {f->cell[X], f->cell[Y], f->cell[Z]}, f->body, l->d, closes};
    return KOL_OK;
}

kol_status travellers_turns(struct travellers *t, int since_begin)
{
    t->turns = 0;
    for (int c = 0; c < 3; ++c) {
        struct turn_list list = {t, c};
        TRY(differ(since_begin ? &t->start[c] : &t->before[c], &t->now[c], add_turn, &list));
    }
    return KOL_OK;
}

/* --- at the start --- */

/* Whether all walls of a face belong to bodies that travel. */
static int of_travellers(const struct body_set *s, const struct body_wall_face *w)
{
    for (int side = 0; side < FACES; ++side)
        if (w->body[side] >= 0 && travels(s, w->body[side])) return 1;
    return 0;
}

/* Leaves the entries of bodies at rest in the lists. */
static void take_out(struct travellers *t, struct body_geometry *g, int c)
{
    int n = 0;
    for (int i = 0; i < g->walls[c]; ++i)
        if (!of_travellers(g->set, &g->wall[c][i])) g->wall[c][n++] = g->wall[c][i];
    t->wall_room[c] = g->walls[c];
    t->most_walls[c] = g->walls[c] - n;
    t->fixed_walls[c] = g->walls[c] = n;
    n = 0;
    for (int i = 0; i < g->closeds[c]; ++i)
        if (!travels(g->set, g->closed[c][i].body)) g->closed[c][n++] = g->closed[c][i];
    t->closed_room[c] = g->closeds[c];
    t->fixed_closeds[c] = g->closeds[c] = n;
}

static kol_status prepare(const struct domain *domain, struct body_geometry *g)
{
    struct travellers *t = g->travellers;
    size_t most = 0;
    TRY(body_faces_create(domain, &t->grid));
    for (int d = 0; d < 3; ++d) {
        const size_t points = (size_t)t->grid.n[d] + 2 * KOL_HALO + 1;
        t->index[d] = malloc(points * sizeof *t->index[d]);
        if (t->index[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the bodies that move");
        most = points > most ? points : most;
    }
    t->owner = malloc(most * sizeof *t->owner);
    t->x = malloc(most * sizeof *t->x);
    t->depth = malloc(most * sizeof *t->depth);
    if (t->owner == NULL || t->x == NULL || t->depth == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for the bodies that move");
    TRY(check_inside(domain, g, 0));
    TRY(find_faces(t, g->set, domain->grid.box));
    for (int c = 0; c < 3; ++c) { /* as if they had gone */
        const struct traveller_faces none = t->before[c];
        struct mask_change m = {t, domain->grid.box, c, g->open};
        t->before[c] = t->now[c];
        t->now[c] = none;
        t->most_held[c] = t->before[c].n;
        TRY(differ(&t->before[c], &t->now[c], change_mask, &m));
        take_out(t, g, c);
    }
    return KOL_OK;
}

kol_status travellers_create(const struct domain *domain, struct body_geometry *g)
{
    int any = 0;
    for (int n = 0; n < g->bodies; ++n) any |= travels(g->set, n);
    if (!any) return KOL_OK;
    g->travellers = calloc(1, sizeof *g->travellers);
    TRY(comm_agree(&domain->comm, g->travellers == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                                                       "no memory for the bodies that move")
                                                        : prepare(domain, g)));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, g->travellers->most_walls, 3, MPI_INT, MPI_SUM, domain->comm.mpi));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, g->travellers->most_held, 3, MPI_INT, MPI_SUM, domain->comm.mpi));
    return KOL_OK;
}

int travellers_has(const struct body_geometry *g, int body)
{
    return travels(g->set, body);
}

void travellers_destroy(struct travellers **of)
{
    struct travellers *t = *of;
    if (t == NULL) return;
    for (int d = 0; d < 3; ++d) {
        free(t->now[d].face);
        free(t->before[d].face);
        free(t->start[d].face);
        free(t->index[d]);
    }
    body_faces_destroy(&t->grid);
    free(t->change);
    free(t->turn);
    free(t->owner);
    free(t->x);
    free(t->depth);
    free(t);
    *of = NULL;
}
