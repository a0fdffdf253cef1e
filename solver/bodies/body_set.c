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

/* chunk: points of a row in one bin. */
enum { CHUNK = 64 };
struct chunk {
    int n;
    const double *x;
    double y, z;
};

/* The distances of the points from the nearest image of one body; items from .. to - 1 are those of this
 * body. HUGE_VAL: none is near. Returns 0 if this is so for all points. */
static int nearest(const struct body_set *s, int from, int to, const struct chunk *c, double d[CHUNK])
{
    int any = 0;
    for (int i = 0; i < c->n; ++i) d[i] = HUGE_VAL;
    for (int e = from; e < to; ++e) {
        const struct body_image *m = &s->image[s->item[e]];
        if (c->y < m->low[1] || c->y > m->high[1] || c->z < m->low[2] || c->z > m->high[2]) continue;
        for (int i = 0; i < c->n; ++i) {
            const double at[3] = {c->x[i], c->y, c->z};
            if (c->x[i] < m->low[0] || c->x[i] > m->high[0]) continue;
            const double here = distance_at(s, m, at);
            if (here < d[i]) d[i] = here;
            any = 1;
        }
    }
    return any;
}

static void find_owners(const struct body_set *s, int b, const struct chunk *c, int *owner, double *depth)
{
    const int end = s->first[b + 1];
    double d[CHUNK];
    for (int i = 0; i < c->n; ++i) {
        owner[i] = -1;
        depth[i] = s->margin;
    }
    for (int e = s->first[b]; e < end;) {
        const int body = s->image[s->item[e]].body, next = end_of_body(s, e, end);
        if (nearest(s, e, next, c, d) || s->body[body].operation == OPERATION_INTERSECT)
            for (int i = 0; i < c->n; ++i) {
                owner[i] = act(s, body, d[i], owner[i]);
                if (fabs(d[i]) < depth[i]) depth[i] = fabs(d[i]);
            }
        e = next;
    }
}

void body_set_row(const struct body_set *s, int n, const double *x, double y, double z, int *owner,
                  double *depth)
{
    const int by = bin_along(s, 1, y), bz = bin_along(s, 2, z);
    for (int i = 0; i < n;) {
        const int bx = bin_along(s, 0, x[i]);
        struct chunk c = {1, x + i, y, z};
        while (c.n < CHUNK && i + c.n < n && bin_along(s, 0, x[i + c.n]) == bx) ++c.n;
        find_owners(s, (bz * s->bins[1] + by) * s->bins[0] + bx, &c, owner + i, depth + i);
        i += c.n;
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
    struct line_end {
        double at;
        int image;
    } end[LINE_ENDS];
};

/* Whether a part lies in one that another image of the same body has: a body that is longer than a period
 * covers itself many times. */
static int is_covered(const struct crossings *c, const struct shape_part *p)
{
    int covered = 0;
    for (int n = 0; n < c->parts; ++n)
        covered |= c->of[n] == c->bodies && c->part[n].from <= p->from && c->part[n].to >= p->to;
    return covered;
}

/* Adds the parts inside one image. */
static void add_image(const struct body_set *s, int image, const double x[3], int dir, int side,
                      double length, struct crossings *c)
{
    struct shape_part part[SHAPE_PARTS];
    const struct body_image *m = &s->image[image];
    const double at[3] = {x[0] - m->shift[0], x[1] - m->shift[1], x[2] - m->shift[2]};
    const int parts = body_line(&s->body[m->body], at, dir, side, length, body_skin(s, m->body), part);
    for (int p = 0; p < parts && c->parts < LINE_PARTS; ++p) {
        if (is_covered(c, &part[p])) continue;
        c->of[c->parts] = c->bodies;
        c->part[c->parts++] = part[p];
        c->end[c->ends++] = (struct line_end){part[p].from, part[p].from > 0 ? image : -1};
        c->end[c->ends++] = (struct line_end){part[p].to, part[p].to < length ? image : -1};
    }
}

static int rising(const void *a, const void *b)
{
    const struct line_end *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
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
            if (within(&s->image[s->item[e]], x)) add_image(s, s->item[e], x, dir, side, length, &c);
        if (c.parts > before || intersects) ++c.bodies;
    }
    if (c.parts == 0) return 0;
    c.end[c.ends++] = (struct line_end){0, -1};
    c.end[c.ends++] = (struct line_end){length, -1};
    qsort(c.end, (size_t)c.ends, sizeof *c.end, rising);
    for (int n = 0; n + 1 < c.ends; ++n) {
        const struct line_end *low = &c.end[n], *high = &c.end[n + 1];
        if (!(low->at < high->at)) continue;
        const int owner = owner_on_line(s, &c, 0.5 * (low->at + high->at));
        if (owner < 0) continue;
        struct body_part *last = count > 0 ? &part[count - 1] : NULL;
        if (last != NULL && last->to == low->at / length && last->body == owner) {
            last->to = high->at / length;
            last->to_image = high->image;
        } else if (count < BODY_PARTS) {
            part[count++] =
                (struct body_part){low->at / length, high->at / length, owner, low->image, high->image};
        }
    }
    return count;
}

static void image_normal(const struct body_set *s, int image, const double x[3], int dir, double normal[3])
{
    const struct body_image *m = &s->image[image];
    const double at[3] = {x[0] - m->shift[0], x[1] - m->shift[1], x[2] - m->shift[2]};
    body_normal(&s->body[m->body], at, dir, normal);
    for (int d = 0; d < 3 && s->body[m->body].operation == OPERATION_CUT; ++d) normal[d] = -normal[d];
}

/* Where several images of the same body have a surface, as where a long box overlaps itself beyond a periodic
 * face, the edge of one may lie on the side of another: the surface is the one that is crossed most directly.
 * */
void body_set_normal(const struct body_set *s, int image, const double x[3], int dir, double normal[3])
{
    const int b = bin_of(s, x[0], bin_along(s, 1, x[1]), bin_along(s, 2, x[2]));
    const double close = 1e3 * s->touch;
    image_normal(s, image, x, dir, normal);
    for (int e = s->first[b]; e < s->first[b + 1]; ++e) {
        const int other = s->item[e];
        double n[3];
        if (other == image || s->image[other].body != s->image[image].body) continue;
        if (!within(&s->image[other], x) || fabs(distance_at(s, &s->image[other], x)) > close) continue;
        image_normal(s, other, x, dir, n);
        if (fabs(n[dir]) <= fabs(normal[dir]) || (n[dir] > 0) != (normal[dir] > 0)) continue;
        for (int d = 0; d < 3; ++d) normal[d] = n[d];
    }
}
