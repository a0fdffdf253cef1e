/* Follows grid lines from wall to wall, and samples cells that surfaces pass through. */
#include "body_measure.h"

#include <math.h>

#include "body_faces.h"
#include "body_set.h"

/* hit: where a grid line crosses a surface: the distance from where it began [L], and the normal. */
struct hit {
    double distance, normal[3];
};

/* way: a grid line through the faces of component c. */
struct way {
    const struct body_set *set;
    const struct grid *grid;
    int c, d, side;
};

static double coordinate(const struct way *w, int e, int i)
{
    return body_faces_coordinate(w->grid, e, i, w->c == e);
}

static double link_of(const struct way *w, int i)
{
    const int upper = i + w->side;
    return w->c == w->d ? grid_width(w->grid, w->d, upper - 1) : grid_centre_distance(w->grid, w->d, upper);
}

/* Whether the point i of the line lies on or beyond a boundary; if so, how far the boundary is from point
 * before. */
static int at_boundary(const struct way *w, int i, int before, double *distance)
{
    const struct grid *g = w->grid;
    const int n = g->n_g[w->d], last = w->c == w->d ? i <= 0 || i >= n : i < 0 || i >= n;
    if (g->periodic[w->d] || !last) return 0;
    *distance = fabs(g->face[w->d][w->side ? n : 0] - coordinate(w, w->d, before));
    return 1;
}

static void take(const struct way *w, const double x[3], double along, int image, double before,
                 struct hit *h)
{
    double place[3] = {x[0], x[1], x[2]};
    place[w->d] += w->side ? along : -along;
    h->distance = before + along;
    body_set_normal(w->set, image, place, w->d, h->normal);
}

/* Goes along the line from the face at the global indices p to the first wall, or, with `through`, to where
 * the solid behind that wall ends. Returns 0 if there is none within BODY_MEASURE_CELLS links. A boundary of
 * the domain is a wall, too. */
static int follow(const struct way *w, const int p[3], int through, struct hit *h)
{
    double gone = 0;
    int q[3] = {p[0], p[1], p[2]}, inside = 0;
    for (int m = 0; m < BODY_MEASURE_CELLS; ++m) {
        struct body_part part[BODY_PARTS];
        double x[3];
        for (int e = 0; e < 3; ++e) x[e] = coordinate(w, e, q[e]);
        const double length = link_of(w, q[w->d]);
        const int parts = body_set_link(w->set, x, w->d, w->side, length, part);
        int n = 0;
        if (parts > 0 && !through) {
            if (part[0].from_image < 0) return 0;
            take(w, x, part[0].from * length, part[0].from_image, gone, h);
            return 1;
        }
        if (inside && (parts == 0 || part[0].from > 0)) return 0; /* it ended on the face centre */
        while (n + 1 < parts && part[n + 1].from == part[n].to) ++n;
        if (through && parts > 0 && part[n].to < 1) {
            if (part[n].to_image < 0) return 0;
            take(w, x, part[n].to * length, part[n].to_image, gone, h);
            return 1;
        }
        inside = parts > 0;
        const int next = q[w->d] + (w->side ? 1 : -1);
        double rest;
        if (at_boundary(w, next, q[w->d], &rest)) {
            *h = (struct hit){gone + rest, {0, 0, 0}};
            h->normal[w->d] = w->side ? -1 : 1;
            return !through;
        }
        q[w->d] = next;
        gone += length;
    }
    return 0;
}

/* Whether a line crosses a surface directly enough to measure across it. Of any plane, at least one of the
 * three directions is. */
static int direct(const struct way *w, const struct hit *h)
{
    return fabs(h->normal[w->d]) >= 0.5;
}

/* The distance of two surfaces, `along` apart on the line, that face each other (or, of a wall, face away
 * from each other), along the mean of their normals; HUGE_VAL if they do neither. */
static double between(const struct way *w, const struct hit *a, const struct hit *b, double along)
{
    double angle = 0, size = 0;
    for (int d = 0; d < 3; ++d) {
        const double mean = a->normal[d] - b->normal[d];
        angle += a->normal[d] * b->normal[d];
        size += mean * mean;
    }
    if (angle > -0.5 || !direct(w, b)) return HUGE_VAL;
    return along * fabs(a->normal[w->d] - b->normal[w->d]) / sqrt(size);
}

void body_measure_gaps(const struct domain *domain, const struct body_geometry *g, double *gap, double *wall)
{
    *gap = *wall = HUGE_VAL;
    for (int c = 0; c < 3; ++c)
        for (int n = 0; n < 6 * g->walls[c]; ++n) {
            const struct body_wall_face *f = &g->wall[c][n / 6];
            const int s = n % 6;
            const struct way to = {g->set, &domain->grid, c, s / 2, s % 2},
                             from = {g->set, &domain->grid, c, s / 2, !(s % 2)};
            struct hit here, other, end;
            int p[3];
            if (f->body[s] < 0) continue;
            for (int d = 0; d < 3; ++d) p[d] = domain->decomp.offset[d] + f->cell[d];
            const double width = link_of(&to, p[s / 2]);
            if (!follow(&to, p, 0, &here) || !direct(&to, &here)) continue;
            if (follow(&from, p, 0, &other))
                *gap = fmin(*gap, between(&to, &here, &other, here.distance + other.distance) / width);
            if (follow(&to, p, 1, &end))
                *wall = fmin(*wall, between(&to, &here, &end, end.distance - here.distance) / width);
        }
}

enum { POINTS = 4, ROW_POINTS = POINTS * BODY_MEASURE_ROW };

/* Writes the shares of n cells along x, from the global indices `cell` on, of which POINTS^3 points each tell
 * how much is solid. */
static void sample(const struct body_set *s, const struct grid *g, const int cell[3], int n, double *share)
{
    double x[ROW_POINTS], side[3][POINTS], depth[ROW_POINTS];
    int owner[ROW_POINTS], solid[BODY_MEASURE_ROW] = {0};
    for (int d = 0; d < 3; ++d)
        for (int m = 0; m < (d == X ? n : 1) * POINTS; ++m) {
            const int c = cell[d] + m / POINTS;
            const double at =
                g->face[d][c] + (g->face[d][c + 1] - g->face[d][c]) * (m % POINTS + 0.5) / POINTS;
            *(d == X ? &x[m] : &side[d][m]) = at;
        }
    for (int k = 0; k < POINTS; ++k)
        for (int j = 0; j < POINTS; ++j) {
            body_set_row(s, n * POINTS, x, side[Y][j], side[Z][k], owner, depth);
            for (int i = 0; i < n * POINTS; ++i) solid[i / POINTS] += owner[i] >= 0;
        }
    for (int i = 0; i < n; ++i) share[i] = solid[i] / (double)(POINTS * POINTS * POINTS);
}

void body_measure_cells(const struct domain *domain, const struct body_geometry *geometry, const int cell[3],
                        int n, double *share, double *level)
{
    const struct body_set *s = geometry->set;
    const struct grid *g = &domain->grid;
    const int *o = domain->decomp.offset;
    const unsigned char *open = &geometry->open[at(g->box, cell[X] - o[X], cell[Y] - o[Y], cell[Z] - o[Z])];
    const double across = 0.5 * grid_width(g, Y, cell[Y]) + 0.5 * grid_width(g, Z, cell[Z]);
    double depth[BODY_MEASURE_ROW];
    int owner[BODY_MEASURE_ROW];
    body_set_row(s, n, &g->centre[X][cell[X]], g->centre[Y][cell[Y]], g->centre[Z][cell[Z]], owner, depth);
    for (int i = 0, first = 0; i < n; ++i) {
        const double half = across + 0.5 * grid_width(g, X, cell[X] + i);
        level[i] = owner[i] >= 0 ? -depth[i] : depth[i];
        /* a surface may pass through the cell: its six faces differ, or its centre is close to a surface */
        const int cut = (open[i] != 0 && open[i] != (1u << FACES) - 1) || depth[i] < fmin(half, s->margin);
        if (!cut) share[i] = owner[i] >= 0;
        /* neighbours are sampled together, so that a grid line is traced once for them */
        const int past = cut ? i + 1 : i;
        if ((!cut || i + 1 == n) && past > first)
            sample(s, g, (const int[3]){cell[X] + first, cell[Y], cell[Z]}, past - first, &share[first]);
        if (!cut) first = i + 1;
    }
}

long long body_measure_share(const struct domain *domain, const struct body_geometry *g)
{
    const struct grid *grid = &domain->grid;
    const struct box b = grid->box;
    const int *o = domain->decomp.offset;
    const double whole = (double)(1LL << 60);
    long long sum = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; i += BODY_MEASURE_ROW) {
                const int n = b.nx - i < BODY_MEASURE_ROW ? b.nx - i : BODY_MEASURE_ROW;
                const int cell[3] = {o[X] + i, o[Y] + j, o[Z] + k};
                double share[BODY_MEASURE_ROW], level[BODY_MEASURE_ROW];
                body_measure_cells(domain, g, cell, n, share, level);
                for (int m = 0; m < n; ++m) {
                    double volume = 1;
                    if (share[m] == 0) continue;
                    for (int d = 0; d < 3; ++d)
                        volume *= grid_width(grid, d, cell[d] + (d == X ? m : 0)) / grid->length[d];
                    sum += llround(share[m] * volume * whole);
                }
            }
    return sum;
}
