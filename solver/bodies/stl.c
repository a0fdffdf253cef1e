/* Puts a surface of triangles into the domain, and sorts its triangles so that grid lines find them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stl_internal.h"

enum { BINS_MOST = 1024, NEAR_MOST = 256 };
static const double FINE = 7.0368744177664e13; /* 2^46: lattice points along the longest edge */
static const double FAR = 65536;               /* domains that a corner may lie away */

/* Turns, scales and shifts the corners of the file. */
static kol_status place_corners(struct stl *s)
{
    const struct stl_frame *f = &s->frame;
    s->unit = f->longest / FINE;
    s->point = malloc((size_t)s->vertices * sizeof *s->point);
    if (s->point == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d corners", s->vertices);
    for (int d = 0; d < 3; ++d) {
        s->low[d] = HUGE_VAL;
        s->high[d] = -HUGE_VAL;
    }
    for (int n = 0; n < s->vertices; ++n) {
        double x[3];
        for (int d = 0; d < 3; ++d) {
            x[d] = f->shape.centre[d];
            for (int e = 0; e < 3; ++e) x[d] += f->scale * s->vertex[n][e] * f->shape.turn[e][d];
            if (!(fabs(x[d] - f->origin[d]) < FAR * f->longest))
                RAISE(KOL_ERR_INPUT,
                      "%s: error: a corner lies at %c = %.6g, far outside the domain; choose another "
                      "bodies.size or bodies.centre %s",
                      s->file, "xyz"[d], x[d], f -> by);
        }
        for (int d = 0; d < 3; ++d) {
            s->point[n][d] = llround((x[d] - f->origin[d]) / s->unit);
            s->vertex[n][d] = f->origin[d] + s->unit * (double)s->point[n][d];
            s->low[d] = fmin(s->low[d], s->vertex[n][d]);
            s->high[d] = fmax(s->high[d], s->vertex[n][d]);
        }
    }
    return KOL_OK;
}

/* The bounds of a triangle in one direction. */
static void triangle_bounds(const struct stl *s, int n, int d, double *low, double *high)
{
    const double a = s->vertex[s->corner[n][0]][d], b = s->vertex[s->corner[n][1]][d],
                 c = s->vertex[s->corner[n][2]][d];
    *low = fmin(a, fmin(b, c));
    *high = fmax(a, fmax(b, c));
}

static int clamp(double x, int n)
{
    return x < 0 ? 0 : x >= n ? n - 1 : (int)x;
}

/* Counts, or with `fill` stores, a triangle in all bins that its bounds touch. */
static void enter(const struct stl *s, struct stl_bins *b, int dir, int n, int *next, int fill)
{
    int lo[2], hi[2];
    for (int e = 0; e < 2; ++e) {
        double low, high;
        triangle_bounds(s, n, (dir + 1 + e) % 3, &low, &high);
        lo[e] = clamp(floor((low - b->low[e]) / b->size[e]) - 1e-9, b->n[e]);
        hi[e] = clamp(floor((high - b->low[e]) / b->size[e]), b->n[e]);
        /* a line whose place rounds to the other side of a bin's end must find the triangle, too */
        if (lo[e] > 0 && low - b->low[e] - lo[e] * b->size[e] < 1e-6 * b->size[e]) --lo[e];
        if (hi[e] < b->n[e] - 1 && (hi[e] + 1) * b->size[e] - (high - b->low[e]) < 1e-6 * b->size[e]) ++hi[e];
    }
    for (int j = lo[1]; j <= hi[1]; ++j)
        for (int i = lo[0]; i <= hi[0]; ++i) {
            const int bin = j * b->n[0] + i;
            if (fill) b->item[next[bin]] = n;
            ++next[bin];
        }
}

static kol_status make_bins(struct stl *s, int dir)
{
    struct stl_bins *b = &s->bins[dir];
    const int wanted = (int)sqrt(2.0 * s->triangles) + 1;
    for (int e = 0; e < 2; ++e) {
        const int d = (dir + 1 + e) % 3;
        const double pad = 1e-6 * (s->high[d] - s->low[d]) + 4 * s->unit;
        b->n[e] = wanted > BINS_MOST ? BINS_MOST : wanted;
        b->low[e] = s->low[d] - pad;
        b->size[e] = (s->high[d] - s->low[d] + 2 * pad) / b->n[e];
    }
    const int bins = b->n[0] * b->n[1];
    int *next = calloc((size_t)bins + 1, sizeof *next);
    b->first = calloc((size_t)bins + 1, sizeof *b->first);
    if (next != NULL && b->first != NULL) {
        for (int n = 0; n < s->triangles; ++n) enter(s, b, dir, n, next, 0);
        for (int n = 0; n < bins; ++n) {
            b->first[n + 1] = b->first[n] + next[n];
            next[n] = b->first[n];
        }
        b->item = malloc(((size_t)b->first[bins] + 1) * sizeof *b->item);
        for (int n = 0; b->item != NULL && n < s->triangles; ++n) enter(s, b, dir, n, next, 1);
    }
    free(next);
    if (b->item == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bins of triangles", bins);
    return KOL_OK;
}

/* Marks the cells of a coarse grid that a triangle comes closer to than the margin. */
static kol_status make_near(struct stl *s)
{
    size_t cells = 1;
    for (int d = 0; d < 3; ++d) {
        const double length = s->high[d] - s->low[d] + 2 * s->frame.margin;
        const double fit = floor(length / s->frame.margin);
        s->near_n[d] = fit > NEAR_MOST ? NEAR_MOST : fit < 1 ? 1 : (int)fit;
        s->near_size[d] = length / s->near_n[d];
        cells *= (size_t)s->near_n[d];
    }
    s->near = calloc(cells, 1);
    if (s->near == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %zu cells round triangles", cells);
    for (int n = 0; n < s->triangles; ++n) {
        int lo[3], hi[3];
        for (int d = 0; d < 3; ++d) {
            double low, high;
            triangle_bounds(s, n, d, &low, &high);
            lo[d] = clamp(floor((low - s->low[d]) / s->near_size[d] - 1e-6), s->near_n[d]);
            hi[d] =
                clamp(floor((high + 2 * s->frame.margin - s->low[d]) / s->near_size[d] + 1e-6), s->near_n[d]);
        }
        for (int k = lo[2]; k <= hi[2]; ++k)
            for (int j = lo[1]; j <= hi[1]; ++j)
                memset(s->near + ((size_t)k * (size_t)s->near_n[1] + (size_t)j) * (size_t)s->near_n[0] +
                           (size_t)lo[0],
                       1, (size_t)(hi[0] - lo[0]) + 1);
    }
    return KOL_OK;
}

static kol_status sort_triangles(struct stl *s)
{
    for (int dir = 0; dir < 3; ++dir) TRY(make_bins(s, dir));
    return make_near(s);
}

static double area_of(const struct stl *s, int n)
{
    double square = 0;
    const double *p = s->vertex[s->corner[n][0]], *q = s->vertex[s->corner[n][1]],
                 *r = s->vertex[s->corner[n][2]];
    for (int d = 0; d < 3; ++d) {
        const int a = (d + 1) % 3, b = (d + 2) % 3;
        const double c = (q[a] - p[a]) * (r[b] - p[b]) - (q[b] - p[b]) * (r[a] - p[a]);
        square += c * c;
    }
    return 0.5 * sqrt(square);
}

static kol_status build(struct stl *s, const char *bytes, size_t length)
{
    TRY(stl_read(s, bytes, length));
    TRY(place_corners(s));
    TRY(stl_check_edges(s));
    TRY(sort_triangles(s));
    TRY(stl_check_parts(s));
    TRY(stl_check_cuts(s));
    for (int n = 0; n < s->triangles; ++n) s->area += area_of(s, n);
    return KOL_OK;
}

kol_status stl_create(const char *file, const char *bytes, size_t length, const struct stl_frame *frame,
                      struct stl **out)
{
    struct stl *s = calloc(1, sizeof *s);
    *out = s;
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the surface in %s", file);
    s->frame = *frame;
    snprintf(s->file, sizeof s->file, "%s", file);
    const kol_status st = build(s, bytes, length);
    s->frame.by = ""; /* borrowed until here */
    if (st == KOL_OK) return KOL_OK;
    stl_destroy(out);
    return status_pass(st, __FILE__, __LINE__, "stl_create");
}

void stl_destroy(struct stl **out)
{
    struct stl *s = *out;
    if (s == NULL) return;
    for (int dir = 0; dir < 3; ++dir) {
        free(s->bins[dir].first);
        free(s->bins[dir].item);
    }
    free(s->vertex);
    free(s->point);
    free(s->corner);
    free(s->place);
    free(s->part);
    free(s->near);
    free(s->row.piece);
    free(s);
    *out = NULL;
}

void stl_bounds(const struct stl *s, double low[3], double high[3])
{
    memcpy(low, s->low, sizeof s->low);
    memcpy(high, s->high, sizeof s->high);
}

double stl_volume(const struct stl *s)
{
    return s->volume;
}

double stl_area(const struct stl *s)
{
    return s->area;
}
