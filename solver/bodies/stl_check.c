/* Checks that triangles make a closed surface, the right side out, that does not cut itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stl_internal.h"

/* edge: from the smaller vertex to the larger one. up: whether the triangle walks it in this sense. */
struct edge {
    int low, high, up, triangle;
};

static int by_ends(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static int part_root(int *part, int n)
{
    while (part[n] != n) {
        part[n] = part[part[n]];
        n = part[n];
    }
    return n;
}

/* The edges e .. e + count - 1 are one and the same. The worst is kept that comes first in the file. */
static void judge(const struct edge *e, int count, int *worst, const struct edge **bad, int *how_many)
{
    const int right = count == 2 && e[0].up != e[1].up;
    if (right || (*bad != NULL && e->triangle >= *worst)) return;
    *worst = e->triangle;
    *bad = e;
    *how_many = count;
}

static kol_status refuse_edge(const struct stl *s, const struct edge *e, int count)
{
    const double *a = s->vertex[e->low], *b = s->vertex[e->high];
    char why[120];
    if (count == 2)
        snprintf(why, sizeof why, "belongs to two triangles that turn in opposite senses: one is inside out");
    else
        snprintf(why, sizeof why, "belongs to %d triangle%s instead of two: the surface is not closed", count,
                 count == 1 ? "" : "s");
    RAISE(KOL_ERR_INPUT,
          "%s: error: the edge from %.9g, %.9g, %.9g to %.9g, %.9g, %.9g (in the domain) %s; repair the file "
          "%s",
          stl_place(s, e->triangle).text, a[0], a[1], a[2], b[0], b[1], b[2], why, s->frame.by);
}

kol_status stl_check_edges(struct stl *s)
{
    const int count = 3 * s->triangles;
    const struct edge *bad = NULL;
    int worst = 0, how_many = 0;
    struct edge *edge = malloc((size_t)count * sizeof *edge);
    s->part = malloc((size_t)s->triangles * sizeof *s->part);
    if (edge == NULL || s->part == NULL) {
        free(edge);
        RAISE(KOL_ERR_MEMORY, "no memory for %d edges", count);
    }
    for (int n = 0; n < s->triangles; ++n) {
        s->part[n] = n;
        for (int v = 0; v < 3; ++v) {
            const int a = s->corner[n][v], b = s->corner[n][(v + 1) % 3];
            edge[3 * n + v] = (struct edge){a < b ? a : b, a < b ? b : a, a < b, n};
        }
    }
    qsort(edge, (size_t)count, sizeof *edge, by_ends);
    for (int n = 0, next; n < count; n = next) {
        for (next = n + 1; next < count && edge[next].low == edge[n].low && edge[next].high == edge[n].high;)
            s->part[part_root(s->part, edge[next++].triangle)] = part_root(s->part, edge[n].triangle);
        judge(&edge[n], next - n, &worst, &bad, &how_many);
    }
    const kol_status st = bad != NULL ? refuse_edge(s, bad, how_many) : KOL_OK;
    free(edge);
    for (int n = 0; n < s->triangles; ++n) s->part[n] = part_root(s->part, n);
    return st;
}

/* Six times the volume that a triangle spans with the origin of the surface's bounds. */
static double span(const struct stl *s, int n)
{
    double r[3][3];
    for (int v = 0; v < 3; ++v)
        for (int d = 0; d < 3; ++d) r[v][d] = s->vertex[s->corner[n][v]][d] - s->low[d];
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
           r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

kol_status stl_check_parts(struct stl *s)
{
    double *volume = calloc((size_t)s->triangles, sizeof *volume);
    kol_status st = KOL_OK;
    if (volume == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d triangles", s->triangles);
    for (int n = 0; n < s->triangles; ++n) volume[s->part[n]] += span(s, n) / 6;
    s->volume = 0;
    for (int n = 0; n < s->triangles && st == KOL_OK; ++n) {
        if (s->part[n] != n) continue;
        ++s->parts;
        s->volume += volume[n];
        /* a cavity turns inward, but lies within another part */
        if (volume[n] > 0 || stl_winding(s, s->point[s->corner[n][0]], n) > 0) continue;
        st = volume[n] == 0
                 ? status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                                "%s: error: this triangle belongs to a surface without a volume; "
                                "repair the file %s",
                                stl_place(s, n).text, s->frame.by)
                 : status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                                "%s: error: this triangle belongs to a surface that is inside out: "
                                "its corners turn so that its volume is %.4g; reverse their order %s",
                                stl_place(s, n).text, volume[n], s->frame.by);
    }
    free(volume);
    return st;
}

static double det(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double r[3][3];
    for (int e = 0; e < 3; ++e) {
        r[0][e] = a[e] - d[e];
        r[1][e] = b[e] - d[e];
        r[2][e] = c[e] - d[e];
    }
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
           r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

/* Whether the segment p, q passes clearly through triangle m: by more than `least`, a volume. */
static int pierces(const struct stl *s, const double *p, const double *q, int m, double least)
{
    const double *a = s->vertex[s->corner[m][0]], *b = s->vertex[s->corner[m][1]],
                 *c = s->vertex[s->corner[m][2]];
    const double from = det(a, b, c, p), to = det(a, b, c, q);
    if (!(fabs(from) > least && fabs(to) > least && (from > 0) != (to > 0))) return 0;
    const double u = det(p, q, a, b), v = det(p, q, b, c), w = det(p, q, c, a);
    if (fabs(u) <= least || fabs(v) <= least || fabs(w) <= least) return 0;
    return (u > 0) == (v > 0) && (v > 0) == (w > 0);
}

static int share_vertex(const struct stl *s, int m, int n)
{
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            if (s->corner[m][a] == s->corner[n][b]) return 1;
    return 0;
}

static int boxes_meet(const struct stl *s, int m, int n)
{
    for (int d = 0; d < 3; ++d) {
        double low[2], high[2];
        const int pair[2] = {m, n};
        for (int k = 0; k < 2; ++k) {
            const double a = s->vertex[s->corner[pair[k]][0]][d], b = s->vertex[s->corner[pair[k]][1]][d],
                         c = s->vertex[s->corner[pair[k]][2]][d];
            low[k] = fmin(a, fmin(b, c));
            high[k] = fmax(a, fmax(b, c));
        }
        if (low[0] > high[1] || low[1] > high[0]) return 0;
    }
    return 1;
}

static int cut_each_other(const struct stl *s, int m, int n, double least)
{
    if (share_vertex(s, m, n) || !boxes_meet(s, m, n)) return 0;
    for (int v = 0; v < 3; ++v) {
        const int w = (v + 1) % 3;
        if (pierces(s, s->vertex[s->corner[m][v]], s->vertex[s->corner[m][w]], n, least)) return 1;
        if (pierces(s, s->vertex[s->corner[n][v]], s->vertex[s->corner[n][w]], m, least)) return 1;
    }
    return 0;
}

/* Triangles that cut each other lie over a common bin of each plane; the plane with the shortest lists is
 * taken. */
kol_status stl_check_cuts(struct stl *s)
{
    const struct stl_bins *b = &s->bins[0];
    int first = -1, other = -1;
    double size = 0;
    for (int d = 0; d < 3; ++d) {
        const struct stl_bins *c = &s->bins[d];
        if (c->first[c->n[0] * c->n[1]] < b->first[b->n[0] * b->n[1]]) b = c;
        size = fmax(size, s->high[d] - s->low[d]);
    }
    const double least = 1e-14 * size * size * size;
    for (int bin = 0; bin < b->n[0] * b->n[1]; ++bin)
        for (int e = b->first[bin]; e < b->first[bin + 1]; ++e) {
            const int m = b->item[e]; /* items of a bin increase */
            if (first >= 0 && m >= first) break;
            for (int f = e + 1; f < b->first[bin + 1]; ++f)
                if (cut_each_other(s, m, b->item[f], least)) {
                    first = m;
                    other = b->item[f];
                    break;
                }
        }
    if (first < 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "%s: error: this triangle and that at %s cut each other; repair the file %s",
          stl_place(s, first).text, stl_place(s, other).text, s->frame.by);
}
