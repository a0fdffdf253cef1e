/* Answers where the solid of all bodies is: unions, cuts and intersections of shapes and of their images. */
#include "body_set.h"

#include <math.h>
#include <stdlib.h>

static int bin_along(const struct body_set *s, int d, double x)
{
    const int b = (int)floor((x - s->origin[d]) / s->bin_size[d]);
    return b < 0 ? 0 : b >= s->bins[d] ? s->bins[d] - 1 : b;
}

static int bin_of(const struct body_set *s, double x, int by, int bz)
{
    return (bz * s->bins[1] + by) * s->bins[0] + bin_along(s, 0, x);
}

/* A face centre on the surface is solid, also where the body is cut away. */
static double body_skin(const struct body_set *s, int body)
{
    return s->body[body].operation == OPERATION_CUT ? -s->touch : s->touch;
}

static double distance_at(const struct body_set *s, const struct body_image *m, const double x[3])
{
    const double at[3] = {x[0] - m->shift[0], x[1] - m->shift[1], x[2] - m->shift[2]};
    return body_distance(&s->body[m->body], at, body_skin(s, m->body));
}

static int within(const struct body_image *m, const double x[3])
{
    return x[0] >= m->low[0] && x[0] <= m->high[0] && x[1] >= m->low[1] && x[1] <= m->high[1] &&
           x[2] >= m->low[2] && x[2] <= m->high[2];
}

/* The distance from the nearest image of one body; items from .. to - 1 are those of this body. If none is
 * near, it is HUGE_VAL. */
static double nearest(const struct body_set *s, int from, int to, const double x[3])
{
    double d = HUGE_VAL;
    for (int e = from; e < to; ++e) {
        const struct body_image *m = &s->image[s->item[e]];
        if (within(m, x)) d = fmin(d, distance_at(s, m, x));
    }
    return d;
}

/* The end of the items that belong to the same body as item e. */
static int end_of_body(const struct body_set *s, int e, int end)
{
    const int body = s->image[s->item[e]].body;
    while (e < end && s->image[s->item[e]].body == body) ++e;
    return e;
}

/* Lets one body act on the owner of a point at distance d from this body. */
static int act(const struct body_set *s, int body, double d, int owner)
{
    switch (s->body[body].operation) {
    case OPERATION_ADD:
        return owner < 0 && d <= s->touch ? body : owner;
    case OPERATION_CUT:
        return d < -s->touch ? -1 : owner;
    default:
        return d > s->touch ? -1 : owner;
    }
}

void body_set_row(const struct body_set *s, int n, const double *x, double y, double z, int *owner,
                  double *depth)
{
    const int by = bin_along(s, 1, y), bz = bin_along(s, 2, z);
    for (int i = 0; i < n; ++i) {
        const int b = bin_of(s, x[i], by, bz), end = s->first[b + 1];
        const double at[3] = {x[i], y, z};
        owner[i] = -1;
        depth[i] = s->margin;
        for (int e = s->first[b]; e < end;) {
            const int next = end_of_body(s, e, end);
            const double d = nearest(s, e, next, at);
            owner[i] = act(s, s->image[s->item[e]].body, d, owner[i]);
            depth[i] = fmin(depth[i], fabs(d));
            e = next;
        }
    }
}

/* crossings: the parts of a line inside each body, and the places where any of them begins or ends. */
enum { LINE_BODIES = 16, LINE_PARTS = 64, LINE_ENDS = 2 * LINE_PARTS + 2 };
struct crossings {
    int parts, ends;
    struct shape_part part[LINE_PARTS];
    int of[LINE_PARTS]; /* number of the body in list */
    int bodies;
    int list[LINE_BODIES];
    double end[LINE_ENDS];
};

/* Adds the parts inside one image. */
static void add_image(const struct body_set *s, const struct body_image *m, const double x[3], int dir,
                      int side, double length, struct crossings *c)
{
    struct shape_part part[SHAPE_PARTS];
    const double at[3] = {x[0] - m->shift[0], x[1] - m->shift[1], x[2] - m->shift[2]};
    const int parts = body_line(&s->body[m->body], at, dir, side, length, body_skin(s, m->body), part);
    for (int p = 0; p < parts && c->parts < LINE_PARTS; ++p) {
        c->of[c->parts] = c->bodies;
        c->part[c->parts++] = part[p];
        c->end[c->ends++] = part[p].from;
        c->end[c->ends++] = part[p].to;
    }
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The body that owns the piece of a line round t; -1: none. */
static int owner_on_line(const struct body_set *s, const struct crossings *c, double t)
{
    int owner = -1;
    for (int n = 0, p = 0; n < c->bodies; ++n) {
        int inside = 0;
        for (; p < c->parts && c->of[p] == n; ++p) inside |= t > c->part[p].from && t < c->part[p].to;
        owner = act(s, c->list[n], inside ? -HUGE_VAL : HUGE_VAL, owner);
    }
    return owner;
}

int body_set_link(const struct body_set *s, const double x[3], int dir, int side, double length,
                  struct body_part part[BODY_PARTS])
{
    const int b = bin_of(s, x[0], bin_along(s, 1, x[1]), bin_along(s, 2, x[2])), end = s->first[b + 1];
    struct crossings c;
    int count = 0;
    c.parts = c.bodies = 0;
    c.ends = 0;
    for (int e = s->first[b]; e < end && c.bodies < LINE_BODIES;) {
        const int next = end_of_body(s, e, end), before = c.parts;
        c.list[c.bodies] = s->image[s->item[e]].body;
        const int intersects = s->body[c.list[c.bodies]].operation == OPERATION_INTERSECT;
        for (; e < next; ++e)
            if (within(&s->image[s->item[e]], x))
                add_image(s, &s->image[s->item[e]], x, dir, side, length, &c);
        if (c.parts > before || intersects) ++c.bodies;
    }
    if (c.parts == 0) return 0;
    c.end[c.ends++] = 0;
    c.end[c.ends++] = length;
    qsort(c.end, (size_t)c.ends, sizeof *c.end, rising);
    for (int n = 0; n + 1 < c.ends; ++n) {
        if (!(c.end[n] < c.end[n + 1])) continue;
        const int owner = owner_on_line(s, &c, 0.5 * (c.end[n] + c.end[n + 1]));
        if (owner < 0) continue;
        if (count > 0 && part[count - 1].to == c.end[n] / length && part[count - 1].body == owner) {
            part[count - 1].to = c.end[n + 1] / length;
        } else if (count < BODY_PARTS) {
            part[count++] = (struct body_part){c.end[n] / length, c.end[n + 1] / length, owner};
        }
    }
    return count;
}
