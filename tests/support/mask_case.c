/* Makes boxes with bodies for tests and benchmarks. */
#include "mask_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"

const char *const mask_name[MASK_KINDS] = {"none", "cubes", "bed", "plates", "slabs", "sealed", "random"};

enum { PLACED_MOST = 20000 };

/* placed: centres and half sizes, in lengths of the box. */
struct placed {
    int count;
    double at[PLACED_MOST][3], half;
};

static void *room(size_t bytes)
{
    void *p = calloc(bytes, 1);
    if (p == NULL) {
        fprintf(stderr, "mask_case: no memory\n");
        exit(1);
    }
    return p;
}

/* A number in [0, 1) that depends on its arguments alone. */
static double chance(unsigned long long a, unsigned seed)
{
    unsigned long long x = a * 0x9e3779b97f4a7c15ull + seed * 0xd1b54a32d192ed03ull + 1;
    for (int turn = 0; turn < 3; ++turn) {
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9ull;
        x ^= x >> 32;
    }
    return (double)(x >> 11) / 9007199254740992.0;
}

/* Distance of two points in a periodic direction of length 1. */
static double apart(double a, double b)
{
    const double d = fabs(a - b);
    return d < 0.5 ? d : 1 - d;
}

static int overlaps(const struct placed *s, const double at[3], int round)
{
    for (int n = 0; n < s->count; ++n) {
        double most = 0, sum = 0;
        for (int d = 0; d < 3; ++d) {
            const double a = apart(at[d], s->at[n][d]);
            most = fmax(most, a);
            sum += a * a;
        }
        if (round ? sum < 4 * s->half * s->half : most < 2 * s->half) return 1;
    }
    return 0;
}

/* Cubes that do not overlap. */
static void place_cubes(int wanted, double edge, unsigned seed, struct placed *s)
{
    s->half = edge / 2;
    for (unsigned n = 0; s->count < wanted && n < 100000; ++n) {
        const double at[3] = {chance(3 * n, seed), chance(3 * n + 1, seed), chance(3 * n + 2, seed)};
        if (!overlaps(s, at, 0)) memcpy(s->at[s->count++], at, sizeof at);
    }
}

/* Spheres on a disturbed close lattice, which touch or overlap a little: a share of solids beyond what random
 * placing reaches. */
static void place_spheres(double share, unsigned seed, struct placed *s)
{
    enum { SIDE = 6 };
    const double cell = 1.0 / SIDE;
    s->half = cell * cbrt(3 * share / (4 * 3.14159265358979)) * 1.02;
    for (int n = 0; n < SIDE * SIDE * SIDE; ++n) {
        const int i[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        for (int d = 0; d < 3; ++d) {
            const double x = (i[d] + 0.5 + 0.35 * (chance((unsigned)(3 * n + d), seed) - 0.5)) * cell;
            s->at[s->count][d] = x;
        }
        ++s->count;
    }
}

static ptrdiff_t place(const int n[3], int i, int j, int k)
{
    return ((ptrdiff_t)((k + n[2]) % n[2]) * n[1] + (j + n[1]) % n[1]) * n[0] + (i + n[0]) % n[0];
}

/* Whether the lower face of cell i in direction d is open, of the kinds without volume. */
static int open_thin(enum mask_kind kind, const int n[3], int d, const int i[3], double share, unsigned seed)
{
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    if (kind == MASK_RANDOM)
        return chance((unsigned long long)(3 * place(n, i[0], i[1], i[2]) + d), seed) >= share;
    if (kind == MASK_SLABS) { /* one cell thick */
        int low[3] = {i[0], i[1], i[2]};
        --low[d];
        for (int side = 0; side < 2; ++side) {
            const int *c = side ? low : i;
            const int x = (c[0] + n[0]) % n[0], z = (c[2] + n[2]) % n[2], y = (c[1] + n[1]) % n[1];
            const int cut = x == n[0] / 4 + 1 || x == n[0] / 2 || x == 3 * n[0] / 4 + 1, cutz = z == n[2] / 3;
            if ((cut && !(y < n[1] / 8 && z < n[2] / 3)) || (cutz && !(x < n[0] / 8 && y < n[1] / 3)))
                return 0;
        }
        return 1;
    }
    if (kind == MASK_PLATES) { /* across x and z, at odd places, with a gap in the corner */
        const int cut = d == 0 ? i[0] == n[0] / 4 + 1 || i[0] == n[0] / 2 || i[0] == 3 * n[0] / 4 + 1
                               : d == 2 && i[2] == n[2] / 3;
        return !cut || (i[e] < n[e] / 8 && i[f] < n[f] / 3);
    }
    /* two plates through the box, and a shell */
    if (d == 1 && (i[1] == n[1] / 3 || i[1] == 2 * n[1] / 3)) return 0;
    const int lo[3] = {n[0] / 5, n[1] / 2 - n[1] / 10, n[2] / 5},
              hi[3] = {n[0] / 2, n[1] / 2 + n[1] / 10, n[2] / 2};
    const int within = i[e] >= lo[e] && i[e] < hi[e] && i[f] >= lo[f] && i[f] < hi[f];
    return !(within && (i[d] == lo[d] || i[d] == hi[d]));
}

/* Closes the lower face of cell i in direction d. */
static void shut(struct mask *m, int d, const int i[3])
{
    int low[3] = {i[0], i[1], i[2]};
    --low[d];
    m->open[place(m->n, i[0], i[1], i[2])] &= (unsigned char)~(1u << (2 * d));
    m->open[place(m->n, low[0], low[1], low[2])] &= (unsigned char)~(1u << (2 * d + 1));
}

/* The faces and cells of one direction that a body reaches, and how far they are from its centre. */
struct reach {
    int count, *index;
    double *distance;
};

static void reach_make(const struct grid *g, int e, int faces, double at, double half, struct reach *r)
{
    const int n = g->n_g[e];
    r->count = 0;
    for (int i = 0; i < n; ++i) {
        const double x = ((faces ? g->face[e][i] : g->centre[e][i]) - g->origin[e]) / g->length[e];
        const double distance = apart(x, at);
        if (distance > half) continue;
        r->index[r->count] = i;
        r->distance[r->count++] = distance;
    }
}

/* Closes the faces with their centres in a body. */
static void shut_body(const struct grid *g, const double at[3], double half, int round, struct reach r[3],
                      struct mask *m)
{
    for (int d = 0; d < 3; ++d) {
        for (int e = 0; e < 3; ++e) reach_make(g, e, e == d, at[e], half, &r[e]);
        for (int c = 0; c < r[2].count; ++c)
            for (int b = 0; b < r[1].count; ++b)
                for (int a = 0; a < r[0].count; ++a) {
                    const double x = r[0].distance[a], y = r[1].distance[b], z = r[2].distance[c];
                    const int i[3] = {r[0].index[a], r[1].index[b], r[2].index[c]};
                    if (!round || x * x + y * y + z * z <= half * half) shut(m, d, i);
                }
    }
}

static void shut_bodies(const struct grid *g, const struct placed *s, int round, struct mask *m)
{
    struct reach r[3];
    for (int e = 0; e < 3; ++e) {
        r[e].index = room((size_t)g->n_g[e] * sizeof *r[e].index);
        r[e].distance = room((size_t)g->n_g[e] * sizeof *r[e].distance);
    }
    for (int n = 0; n < s->count; ++n) shut_body(g, s->at[n], s->half, round, r, m);
    for (int e = 0; e < 3; ++e) {
        free(r[e].index);
        free(r[e].distance);
    }
}

static void close_faces(enum mask_kind kind, const struct grid *g, double share, unsigned seed,
                        struct mask *m)
{
    struct placed *s = room(sizeof *s);
    if (kind == MASK_CUBES) place_cubes(768, 1.0 / 30, seed, s);
    if (kind == MASK_BED) place_spheres(share, seed, s);
    shut_bodies(g, s, kind == MASK_BED, m);
    for (int d = 0; d < 3 && s->count == 0; ++d)
        for (int k = 0; k < m->n[2]; ++k)
            for (int j = 0; j < m->n[1]; ++j)
                for (int i = 0; i < m->n[0]; ++i) {
                    const int c[3] = {i, j, k};
                    if (!open_thin(kind, m->n, d, c, share, seed)) shut(m, d, c);
                }
    free(s);
}

/* Labels the region of a cell. Faces of walls join nothing. */
static void flood(const struct grid *g, struct mask *m, ptrdiff_t first, ptrdiff_t *todo)
{
    ptrdiff_t count = 0;
    todo[count++] = first;
    m->region[first] = m->regions;
    while (count > 0) {
        const ptrdiff_t q = todo[--count];
        const int c[3] = {(int)(q % m->n[0]), (int)(q / m->n[0] % m->n[1]), (int)(q / m->n[0] / m->n[1])};
        for (int f = 0; f < FACES; ++f) {
            const int d = f / 2, step = f % 2 ? 1 : -1, to = c[d] + step;
            int o[3] = {c[0], c[1], c[2]};
            if (!(m->open[q] >> f & 1) || (!g->periodic[d] && (to < 0 || to >= m->n[d]))) continue;
            o[d] = to;
            const ptrdiff_t next = place(m->n, o[0], o[1], o[2]);
            if (m->region[next] >= 0) continue;
            m->region[next] = m->regions;
            todo[count++] = next;
        }
    }
    ++m->regions;
}

void mask_create(enum mask_kind kind, const struct grid *g, double share, unsigned seed, struct mask *m)
{
    const size_t cells = (size_t)g->n_g[0] * (size_t)g->n_g[1] * (size_t)g->n_g[2];
    ptrdiff_t *todo = room(cells * sizeof *todo);
    for (int d = 0; d < 3; ++d) m->n[d] = g->n_g[d];
    m->open = room(cells);
    m->region = room(cells * sizeof *m->region);
    m->regions = 0;
    memset(m->open, 0x3f, cells);
    if (kind != MASK_NONE) close_faces(kind, g, share, seed, m);
    for (size_t q = 0; q < cells; ++q) m->region[q] = -1;
    for (size_t q = 0; q < cells; ++q)
        if (m->open[q] != 0 && m->region[q] < 0) flood(g, m, (ptrdiff_t)q, todo);
    free(todo);
}

void mask_destroy(struct mask *m)
{
    free(m->open);
    free(m->region);
    memset(m, 0, sizeof *m);
}

double mask_live(const struct mask *m)
{
    const ptrdiff_t cells = (ptrdiff_t)m->n[0] * m->n[1] * m->n[2];
    ptrdiff_t live = 0;
    for (ptrdiff_t q = 0; q < cells; ++q) live += m->open[q] != 0;
    return (double)live / (double)cells;
}

unsigned char *mask_part(const struct mask *m, const struct decomp *d, struct box b)
{
    unsigned char *host = room((size_t)b.size), *out = NULL;
    for (int k = -b.h; k < b.nz + b.h; ++k)
        for (int j = -b.h; j < b.ny + b.h; ++j)
            for (int i = -b.h; i < b.nx + b.h; ++i)
                host[at(b, i, j, k)] =
                    m->open[place(m->n, i + d->offset[0], j + d->offset[1], k + d->offset[2])];
    if (mem_kernel_alloc((size_t)b.size, (void **)&out) != KOL_OK ||
        mem_to_kernel(out, host, (size_t)b.size) != KOL_OK)
        out = NULL;
    free(host);
    return out;
}

void mask_level(const struct mask *m, const double *volume, double *field)
{
    const ptrdiff_t cells = (ptrdiff_t)m->n[0] * m->n[1] * m->n[2];
    double *sum = room(2 * ((size_t)m->regions + 1) * sizeof *sum), *whole = sum + m->regions + 1;
    for (ptrdiff_t q = 0; q < cells; ++q) {
        if (m->region[q] < 0) continue;
        sum[m->region[q]] += field[q];
        whole[m->region[q]] += volume[q];
    }
    for (ptrdiff_t q = 0; q < cells; ++q)
        field[q] = m->region[q] < 0 ? 0 : field[q] - sum[m->region[q]] / whole[m->region[q]] * volume[q];
    free(sum);
}
