/* Finds the parts of grid lines inside a surface of triangles. The side of an edge on which a line passes is
 * decided in whole numbers on a lattice, and a line through an edge or a corner is moved by an infinitesimal
 * step. So each line crosses the surface as often inward as outward. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stl_internal.h"

__extension__ typedef __int128 wide;

/* probe: a line in direction dir at the place (a, b) of the plane normal to it, moved by an infinitesimal
 * step whose signs are sa and sb; the step along a is much larger. */
struct probe {
    int dir, sa, sb;
    lattice a, b;
};

/* The bin of a direction over a place in the plane; -1: none. */
static int bin_of(const struct stl_bins *b, double x, double y)
{
    const double i = floor((x - b->low[0]) / b->size[0]), j = floor((y - b->low[1]) / b->size[1]);
    if (!(i >= 0 && i < b->n[0] && j >= 0 && j < b->n[1])) return -1;
    return (int)j * b->n[0] + (int)i;
}

static int sign(wide x)
{
    return (x > 0) - (x < 0);
}

/* On which side of the edge p, q the line passes: 1 left, -1 right, 0 if the edge runs along the line. *tie
 * is set if the step decides. */
static int side_of(const struct probe *l, const lattice p[3], const lattice q[3], int *tie)
{
    const int a = (l->dir + 1) % 3, b = (l->dir + 2) % 3;
    const wide da = (wide)q[a] - p[a], db = (wide)q[b] - p[b];
    const int exact = sign(da * ((wide)l->b - p[b]) - db * ((wide)l->a - p[a]));
    if (exact != 0) return exact;
    *tie = 1;
    return db != 0 ? -l->sa * sign(db) : l->sb * sign(da);
}

static int beside(lattice x, lattice a, lattice b, lattice c)
{
    return (x < a && x < b && x < c) || (x > a && x > b && x > c);
}

/* How a line meets a triangle: 1 it comes in, -1 it goes out, 0 it passes by. */
static int meets(const struct stl *s, const struct probe *l, int n, int *tie)
{
    const int a = (l->dir + 1) % 3, b = (l->dir + 2) % 3, *c = s->corner[n];
    const lattice *p = s->point[c[0]], *q = s->point[c[1]], *r = s->point[c[2]];
    int here = 0;
    if (beside(l->a, p[a], q[a], r[a]) || beside(l->b, p[b], q[b], r[b])) return 0;
    const int one = side_of(l, p, q, &here), two = side_of(l, q, r, &here), three = side_of(l, r, p, &here);
    *tie |= here;
    return one == two && two == three ? -one : 0;
}

/* The coordinate along the line where it meets the plane of a triangle, in lattice units. */
static double height(const struct stl *s, const struct probe *l, int n)
{
    const int d = l->dir, a = (d + 1) % 3, b = (d + 2) % 3, *c = s->corner[n];
    const lattice *p = s->point[c[0]], *q = s->point[c[1]], *r = s->point[c[2]];
    double u[3], v[3];
    for (int e = 0; e < 3; ++e) {
        u[e] = (double)(q[e] - p[e]);
        v[e] = (double)(r[e] - p[e]);
    }
    const double na = u[b] * v[d] - u[d] * v[b], nb = u[d] * v[a] - u[a] * v[d],
                 nd = u[a] * v[b] - u[b] * v[a];
    const double off = -(na * (double)(l->a - p[a]) + nb * (double)(l->b - p[b])) / nd;
    const double least = fmin(0, fmin(u[d], v[d])), most = fmax(0, fmax(u[d], v[d]));
    return (double)p[d] + (nd != 0 ? fmin(fmax(off, least), most) : 0);
}

struct crossing {
    double at;
    int sense, triangle;
};

static int by_place(const void *x, const void *y)
{
    const struct crossing *a = x, *b = y;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    if (a->sense != b->sense) return a->sense > b->sense ? -1 : 1; /* in before out */
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* Where a place of the plane is in the domain [L]. */
static double back(const struct stl *s, int d, lattice x)
{
    return s->frame.origin[d] + s->unit * (double)x;
}

/* All crossings of a line, in order. Returns their number; *list has to be freed. */
static int cross(struct stl *s, const struct probe *l, int skip, struct crossing **list, int *tie)
{
    const struct stl_bins *b = &s->bins[l->dir];
    const int bin = bin_of(b, back(s, (l->dir + 1) % 3, l->a), back(s, (l->dir + 2) % 3, l->b));
    int count = 0;
    *list = NULL;
    if (bin < 0 || b->first[bin] == b->first[bin + 1]) return 0;
    for (int e = b->first[bin]; e < b->first[bin + 1]; ++e) {
        const int n = b->item[e];
        if (skip >= 0 && s->part[n] == skip) continue;
        const int sense = meets(s, l, n, tie);
        if (sense == 0) continue;
        if (*list == NULL) *list = malloc((size_t)(b->first[bin + 1] - e) * sizeof **list);
        if (*list == NULL) return 0;
        (*list)[count++] = (struct crossing){height(s, l, n), sense, n};
    }
    if (count > 1) qsort(*list, (size_t)count, sizeof **list, by_place);
    return count;
}

static void add_piece(struct stl_row *row, struct stl_piece piece)
{
    if (row->count == row->room) {
        const int more = 2 * row->room + 16;
        struct stl_piece *larger = realloc(row->piece, (size_t)more * sizeof *larger);
        if (larger == NULL) return;
        row->piece = larger;
        row->room = more;
    }
    row->piece[row->count++] = piece;
}

/* Adds the parts of a line with a winding number above 0. */
static void add_pieces(struct stl *s, const struct probe *l, int *tie)
{
    struct crossing *list;
    const int count = cross(s, l, -1, &list, tie);
    int winding = 0, entered = 0;
    for (int n = 0; n < count; ++n) {
        if (winding == 0 && list[n].sense > 0) entered = n;
        winding += list[n].sense;
        if (winding != 0 || list[n].sense > 0) continue;
        add_piece(&s->row, (struct stl_piece){back(s, l->dir, 0) + s->unit * list[entered].at,
                                              back(s, l->dir, 0) + s->unit * list[n].at,
                                              list[entered].triangle, list[n].triangle});
    }
    free(list);
}

static int by_begin(const void *x, const void *y)
{
    const struct stl_piece *a = x, *b = y;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Joins the parts that overlap. */
static void unite(struct stl_row *row)
{
    int kept = 0;
    if (row->count > 1) qsort(row->piece, (size_t)row->count, sizeof *row->piece, by_begin);
    for (int n = 0; n < row->count; ++n) {
        struct stl_piece *last = kept > 0 ? &row->piece[kept - 1] : NULL, now = row->piece[n];
        if (last == NULL || now.from > last->to) row->piece[kept++] = now;
        else if (now.to > last->to) {
            last->to = now.to;
            last->leaves = now.leaves;
        }
    }
    row->count = kept;
}

/* Keeps of the parts a what lies in the parts b, too; both are in order. Returns their number, in out. */
static int intersect(const struct stl_piece *a, int na, const struct stl_piece *b, int nb,
                     struct stl_piece *out)
{
    int count = 0;
    for (int i = 0; i < na; ++i)
        for (int j = 0; j < nb; ++j) {
            const double from = fmax(a[i].from, b[j].from), to = fmin(a[i].to, b[j].to);
            if (!(from < to)) continue;
            out[count++] = (struct stl_piece){from, to, a[i].from > b[j].from ? a[i].enters : b[j].enters,
                                              a[i].to < b[j].to ? a[i].leaves : b[j].leaves};
        }
    return count;
}

/* Of a line that runs along the surface, the steps to all four sides: their parts together, or, if it is to
 * be strictly inside, what they have in common. */
static void around(struct stl *s, struct probe *l, int strict)
{
    struct stl_row *row = &s->row;
    int tie = 0;
    for (int n = 1; n < 4; ++n) {
        const int before = row->count;
        l->sa = n & 1 ? -1 : 1;
        l->sb = n & 2 ? -1 : 1;
        add_pieces(s, l, &tie);
        if (!strict) continue;
        const int more = row->count - before;
        struct stl_piece *both = malloc(((size_t)before * (size_t)more + 1) * sizeof *both);
        if (both == NULL) return;
        row->count = 0;
        const int kept = intersect(row->piece, before, row->piece + before, more, both);
        for (int m = 0; m < kept; ++m) add_piece(row, both[m]);
        free(both);
    }
    if (!strict) unite(row);
}

/* Makes s->row the parts of the line through x. */
static const struct stl_row *row_at(struct stl *s, const double x[3], int dir, int strict)
{
    const int a = (dir + 1) % 3, b = (dir + 2) % 3;
    struct probe l = {dir, 1, 1, llround((x[a] - s->frame.origin[a]) / s->unit),
                      llround((x[b] - s->frame.origin[b]) / s->unit)};
    struct stl_row *row = &s->row;
    int tie = 0;
    if (row->valid && row->dir == dir && row->strict == strict && row->a == l.a && row->b == l.b) return row;
    row->count = 0;
    row->valid = 1;
    row->dir = dir;
    row->strict = strict;
    row->a = l.a;
    row->b = l.b;
    add_pieces(s, &l, &tie);
    if (tie) around(s, &l, strict);
    return row;
}

int stl_winding(struct stl *s, const lattice point[3], int skip)
{
    struct probe l = {0, 1, 1, point[1], point[2]};
    struct crossing *list;
    int tie = 0, winding = 0;
    const int count = cross(s, &l, skip, &list, &tie);
    for (int n = 0; n < count && list[n].at < (double)point[0]; ++n) winding += list[n].sense;
    free(list);
    return winding;
}

static int near_surface(const struct stl *s, const double x[3])
{
    int n[3];
    for (int d = 0; d < 3; ++d) {
        n[d] = (int)floor((x[d] - s->low[d] + s->frame.margin) / s->near_size[d]);
        if (n[d] < 0 || n[d] >= s->near_n[d]) return 0;
    }
    return s
        ->near[((size_t)n[2] * (size_t)s->near_n[1] + (size_t)n[1]) * (size_t)s->near_n[0] + (size_t)n[0]];
}

double stl_distance(struct stl *s, const double x[3], double skin)
{
    const struct stl_row *row = row_at(s, x, 0, skin < 0);
    double out = HUGE_VAL; /* distance along x: positive outside */
    for (int n = 0; n < row->count; ++n)
        out = fmin(out, fmax(row->piece[n].from - x[0], x[0] - row->piece[n].to));
    const double most = near_surface(s, x) ? 0.5 * s->frame.margin : s->frame.margin;
    return copysign(fmin(fabs(out), most), out);
}

int stl_line(struct stl *s, const double x[3], int dir, int side, double length, double skin,
             struct shape_part part[SHAPE_PARTS])
{
    const struct stl_row *row = row_at(s, x, dir, skin < 0);
    int count = 0;
    for (int m = 0; m < row->count && count < SHAPE_PARTS; ++m) {
        const struct stl_piece *p = &row->piece[side ? m : row->count - 1 - m];
        const double from = side ? p->from - x[dir] : x[dir] - p->to,
                     to = side ? p->to - x[dir] : x[dir] - p->from;
        if (to <= 0 || from >= length) continue;
        part[count++] = (struct shape_part){fmax(from, 0), fmin(to, length)};
    }
    return count;
}

void stl_normal(struct stl *s, const double x[3], int dir, double normal[3])
{
    const struct stl_row *row = row_at(s, x, dir, 0);
    double least = HUGE_VAL, size = 0;
    int triangle = 0;
    for (int n = 0; n < row->count; ++n) {
        const struct stl_piece *p = &row->piece[n];
        if (fabs(p->from - x[dir]) < least) {
            least = fabs(p->from - x[dir]);
            triangle = p->enters;
        }
        if (fabs(p->to - x[dir]) < least) {
            least = fabs(p->to - x[dir]);
            triangle = p->leaves;
        }
    }
    const int *c = s->corner[triangle];
    for (int d = 0; d < 3; ++d) {
        const int a = (d + 1) % 3, b = (d + 2) % 3;
        const double *p = s->vertex[c[0]], *q = s->vertex[c[1]], *r = s->vertex[c[2]];
        normal[d] = (q[a] - p[a]) * (r[b] - p[b]) - (q[b] - p[b]) * (r[a] - p[a]);
        size += normal[d] * normal[d];
    }
    for (int d = 0; d < 3; ++d) normal[d] /= size > 0 ? sqrt(size) : 1;
}
