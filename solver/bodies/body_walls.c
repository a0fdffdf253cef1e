/* Finds the faces next to walls and how far each wall is along the grid lines. */
#include "body_walls.h"

#include <math.h>
#include <stdlib.h>

/* Makes room for one more entry; the memory grows by half each time. */
static kol_status make_room(void **list, int count, int *room, size_t bytes)
{
    if (count < *room) return KOL_OK;
    const int more = *room + *room / 2 + 1024;
    void *larger = realloc(*list, (size_t)more * bytes);
    if (larger == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a list of %d faces next to bodies", more);
    *list = larger;
    *room = more;
    return KOL_OK;
}

/* Whether face p of component c is open. It is the lower face of cell p. */
static int face_open(struct box b, const unsigned char *open, int c, const int p[3])
{
    return open[at(b, p[0], p[1], p[2])] >> (2 * c) & 1;
}

static void place(const struct body_faces *f, int c, const int p[3], double x[3])
{
    for (int d = 0; d < 3; ++d) x[d] = body_face_place(f, c, d, p[d]);
}

static int owner_of(const struct body_set *s, const struct body_faces *f, int c, const int p[3])
{
    int owner;
    double x[3], depth;
    place(f, c, p, x);
    body_set_row(s, 1, &x[0], x[1], x[2], &owner, &depth);
    return owner;
}

/* The first wall on the way to a closed neighbour. Rounding may leave no wall on the link: then the neighbour
 * lies on it. */
static void first_wall(const struct body_set *s, const struct body_faces *f, int c, const int p[3],
                       const int neighbour[3], int side, struct body_wall_face *w)
{
    struct body_part part[BODY_PARTS];
    double x[3];
    place(f, c, p, x);
    const double length = body_face_link(f, c, side / 2, p[side / 2], side % 2);
    const int parts = body_set_link(s, x, side / 2, side % 2, length, part);
    w->xi[side] = parts > 0 ? fmin(fmax(part[0].from, BODY_XI_LEAST), 1) : 1;
    w->body[side] = parts > 0 ? part[0].body : owner_of(s, f, c, neighbour);
}

int body_walls_of(const struct body_set *s, const struct body_faces *f, struct box b,
                  const unsigned char *open, int c, const int p[3], struct body_wall_face *w)
{
    int walls = 0;
    for (int side = 0; side < FACES; ++side) {
        const int d = side / 2;
        int next[3] = {p[0], p[1], p[2]};
        next[d] += side % 2 ? 1 : -1;
        w->cell[d] = p[d];
        w->xi[side] = 1;
        w->body[side] = -1;
        if (c != d && body_face_beyond(f, c, d, next[d])) continue;
        if (face_open(b, open, c, next)) continue;
        first_wall(s, f, c, p, next, side, w);
        ++walls;
    }
    return walls;
}

kol_status body_walls_find(const struct body_set *s, const struct body_faces *f, struct box b, int c,
                           const unsigned char *open, const unsigned char *near, struct body_wall_face **list,
                           int *count)
{
    int room = 0, p[3];
    for (p[2] = 0; p[2] < f->n[Z]; ++p[2])
        for (p[1] = 0; p[1] < f->n[Y]; ++p[1])
            for (p[0] = 0; p[0] < f->n[X]; ++p[0]) {
                struct body_wall_face w;
                if (!(near[at(b, p[0], p[1], p[2])] >> c & 1)) continue;
                if (!face_open(b, open, c, p) || body_face_beyond(f, c, c, p[c])) continue;
                if (body_walls_of(s, f, b, open, c, p, &w) == 0) continue;
                TRY(make_room((void **)list, *count, &room, sizeof **list));
                (*list)[(*count)++] = w;
            }
    return KOL_OK;
}

int body_closed_is_read(struct box b, const unsigned char *open, const int p[3])
{
    for (int k = p[2] - 1; k <= p[2] + 1; ++k)
        for (int j = p[1] - 1; j <= p[1] + 1; ++j)
            for (int i = p[0] - 1; i <= p[0] + 1; ++i)
                if (open[at(b, i, j, k)] != 0) return 1;
    return 0;
}

kol_status body_closed_find(const struct body_set *s, const struct body_faces *f, struct box b, int c,
                            const unsigned char *open, struct body_closed_face **list, int *count)
{
    int room = 0, p[3], end[3];
    for (int d = 0; d < 3; ++d) {
        const int last = f->offset[d] + f->n[d] == f->n_g[d];
        end[d] = f->n[d] + (c == d && !f->periodic[d] && last);
    }
    for (p[2] = 0; p[2] < end[2]; ++p[2])
        for (p[1] = 0; p[1] < end[1]; ++p[1])
            for (p[0] = 0; p[0] < end[0]; ++p[0]) {
                if (face_open(b, open, c, p) || !body_closed_is_read(b, open, p)) continue;
                TRY(make_room((void **)list, *count, &room, sizeof **list));
                (*list)[(*count)++] = (struct body_closed_face){{p[0], p[1], p[2]}, owner_of(s, f, c, p)};
            }
    return KOL_OK;
}
