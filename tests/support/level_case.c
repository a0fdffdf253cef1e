/* Makes the multigrid levels, and the fields on them, that the tests of level kernels share. */
#include "level_case.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "kernels/base/mem.h"

const double LEVEL_EPSILON = sizeof(level_real) == sizeof(double) ? DBL_EPSILON : FLT_EPSILON;

enum { WIDTH, LINK, WEIGHT };
enum { MARGIN = 4 }; /* of 1-D arrays, beyond both ends */

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

static void *memory(size_t bytes)
{
    void *m = malloc(bytes > 0 ? bytes : 1);
    if (m == NULL) abort();
    return m;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014), 16 bits of it: few enough for any precision. */
double *level_values(ptrdiff_t n, unsigned seed)
{
    double *a = memory((size_t)n * sizeof *a);
    for (ptrdiff_t m = 0; m < n; ++m) {
        uint64_t x = (uint64_t)seed * 0x632BE59BD9B4E019u + (uint64_t)(m + 1) * 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
        a[m] = (double)(x >> 48) / 32768 - 1;
    }
    return a;
}

static int wrapped(int i, int n)
{
    return ((i % n) + n) % n;
}

/* Distance of the centres of cells i - 1 and i, over the periodic boundary for i = 0. */
static double distance(const double *width, int n, int i)
{
    return (width[wrapped(i - 1, n)] + width[wrapped(i, n)]) / 2;
}

/* Cells of the coarse cells of an uneven direction, in turn. */
static const int UNEVEN_CELLS[] = {1, 2, 2, 1, 1, 2, 1, 2};
enum { UNEVEN_TURN = sizeof UNEVEN_CELLS / sizeof *UNEVEN_CELLS };

static void parents_open(struct level_case *c, int d)
{
    const int n = c->in->n[d], how = c->in->coarsened[d];
    int coarse = 0, left = 0;
    c->parent[d] = memory(((size_t)n + 1) * sizeof *c->parent[d]);
    for (int i = 0; i < n; ++i) {
        if (left == 0) left = how == HALVED ? 2 : how == UNEVEN ? UNEVEN_CELLS[coarse % UNEVEN_TURN] : 1;
        c->parent[d][i] = coarse;
        if (--left == 0) ++coarse;
    }
    c->parent[d][n] = coarse + (left > 0);
}

int level_begins(const struct level_case *c, int d, int i)
{
    return i == 0 || i == c->in->n[d] || c->parent[d][i] != c->parent[d][i - 1];
}

/* The first fine cell of a coarse one; of the one after the last the first beyond the end. */
static int first_of(const struct level_case *c, int d, int coarse)
{
    int i = 0;
    while (c->parent[d][i] < coarse) ++i;
    return i;
}

/* The first coarse cell that begins at fine cell i or later. */
static int coarse_from(const struct level_case *c, int d, int i)
{
    return c->parent[d][i] + !level_begins(c, d, i);
}

/* Returns the weight that the neighbour of the parent has in fine cell i, from the distance of the centres.
 * side: which neighbour. */
static double share(const struct level_case *c, int d, int i, int *side)
{
    const struct level_input *in = c->in;
    const int parent = c->parent[d][i], first = first_of(c, d, parent), end = first_of(c, d, parent + 1);
    const double *w = c->ref.width[d];
    *side = i > first ? 1 : -1;
    if (!in->linear || end - first == 1) return 0;
    const int other = parent + *side;
    if (in->walls[d] && (other < 0 || other >= c->passage.nc[d])) return 0;
    const int turned = wrapped(other, c->passage.nc[d]);
    double own = 0, next = 0;
    for (int m = first; m < end; ++m) own += w[m];
    for (int m = first_of(c, d, turned); m < first_of(c, d, turned + 1); ++m) next += w[m];
    return (level_real)(w[i == first ? i + 1 : i - 1] / (own + next));
}

static void direction_open(struct level_case *c, int d, unsigned seed)
{
    const struct level_input *in = c->in;
    parents_open(c, d);
    const int n = in->n[d], nc = c->parent[d][n];
    double *width = level_values(n, seed), *link = memory((size_t)(n + 1) * sizeof *link),
           *weight = calloc((size_t)n * (size_t)nc, sizeof *weight);
    if (weight == NULL) abort();
    c->memory[d][WIDTH] = width;
    c->memory[d][LINK] = link;
    c->memory[d][WEIGHT] = weight;
    const int uniform = in->uniform == UNIFORM || (d == X && in->uniform == UNIFORM_X);
    for (int i = 0; i < n; ++i) width[i] = uniform ? 1.25 : 1 + width[i] / 2;
    for (int i = 0; i <= n; ++i) link[i] = (level_real)(1 / distance(width, n, i));
    if (in->walls[d]) link[0] = link[n] = 0;
    c->ref.n[d] = n;
    c->ref.width[d] = width;
    c->ref.link[d] = link;
    c->passage.nc[d] = nc;
    c->passage.weight[d] = weight;
    for (int i = 0; i < n; ++i) {
        int side;
        const double beside = share(c, d, i, &side);
        const int parent = c->parent[d][i];
        weight[i * nc + parent] += (level_real)(1 - (level_real)beside);
        if (beside != 0) weight[i * nc + wrapped(parent + side, nc)] += beside;
    }
}

void level_case_open(const struct level_input *in, struct level_case *c)
{
    char device[256];
    memset(c, 0, sizeof *c);
    need(device_select(0, device, sizeof device));
    c->in = in;
    for (int d = 0; d < 3; ++d) direction_open(c, d, 400 + (unsigned)d);
    c->count = ref_level_count(c->ref.n);
    c->coarse_count = ref_level_count(c->passage.nc);
}

void level_case_close(struct level_case *c)
{
    for (int d = 0; d < 3; ++d) {
        for (int m = 0; m < 3; ++m) free(c->memory[d][m]);
        free(c->parent[d]);
    }
}

void *level_kernel(struct level_part *p, const void *host, size_t bytes)
{
    void *array = NULL;
    if (p->used == LEVEL_ARRAYS) abort();
    need(mem_kernel_alloc(bytes, &array));
    need(mem_to_kernel(array, host, bytes));
    return p->memory[p->used++] = array;
}

static const level_real *reals_put(struct level_part *p, const level_real *host, int n)
{
    return (level_real *)level_kernel(p, host, (size_t)(n + 2 * MARGIN) * sizeof *host) + MARGIN;
}

static const int *ints_put(struct level_part *p, const int *host, int n)
{
    return (int *)level_kernel(p, host, (size_t)(n + 2 * MARGIN) * sizeof *host) + MARGIN;
}

/* Beyond walls widths and links are NaN: nothing may come of them. */
static void stencil_open(struct level_part *p, int d, const level_real **w, const level_real **g)
{
    const struct level_case *c = p->c;
    const int n = c->ref.n[d], own = p->n[d];
    level_real *width = memory((size_t)(own + 2 * MARGIN) * sizeof *width),
               *link = memory((size_t)(own + 2 * MARGIN) * sizeof *link);
    for (int i = -MARGIN; i < own + MARGIN; ++i) {
        const int at_g = p->from[d] + i, outside = c->in->walls[d] && (at_g < 0 || at_g >= n);
        width[i + MARGIN] = outside ? (level_real)NAN : (level_real)c->ref.width[d][wrapped(at_g, n)];
        link[i + MARGIN] = outside && at_g != n           ? (level_real)NAN
                           : c->in->walls[d] && at_g == n ? 0
                                                          : (level_real)c->ref.link[d][wrapped(at_g, n)];
    }
    *w = reals_put(p, width, own);
    *g = reals_put(p, link, own);
    free(width);
    free(link);
}

static struct level_transfer transfer_open(struct level_part *p, int d)
{
    const struct level_case *c = p->c;
    const struct level_input *in = c->in;
    const int n = c->ref.n[d], nc = c->passage.nc[d], own = p->n[d];
    level_real *low = calloc((size_t)(own + 2 * MARGIN), sizeof *low),
               *high = calloc((size_t)(own + 2 * MARGIN), sizeof *high);
    int *parent = calloc((size_t)(own + 2 * MARGIN), sizeof *parent),
        *first = calloc((size_t)(p->nc[d] + 1 + 2 * MARGIN), sizeof *first);
    struct level_transfer t;
    if (low == NULL || high == NULL || parent == NULL || first == NULL) abort();
    for (int i = -2; i <= own + 1; ++i) {
        const int at_g = p->from[d] + i, turn = (int)floor((double)at_g / n), inside = at_g - turn * n;
        int side;
        const double beside = in->walls[d] && turn != 0 ? 0 : share(c, d, inside, &side);
        parent[i + MARGIN] = c->parent[d][inside] + turn * nc - p->coarse_from[d];
        if (beside != 0) (side < 0 ? low : high)[i + MARGIN] = (level_real)beside;
        p->t.linear[d] |= beside != 0;
    }
    for (int m = 0; m <= p->nc[d]; ++m) {
        first[m + MARGIN] = first_of(c, d, p->coarse_from[d] + m) - p->from[d];
    }
    t.parent = ints_put(p, parent, own);
    t.first = ints_put(p, first, p->nc[d] + 1);
    t.low = reals_put(p, low, own);
    t.high = reals_put(p, high, own);
    free(low);
    free(high);
    free(parent);
    free(first);
    return t;
}

void level_part_open(const struct level_case *c, const int from[3], const int n[3], struct level_part *p)
{
    const struct level_input *in = c->in;
    memset(p, 0, sizeof *p);
    p->c = c;
    for (int d = 0; d < 3; ++d) {
        p->from[d] = from[d];
        p->n[d] = n[d];
        /* a coarse cell belongs to the part that has its first fine cell */
        p->coarse_from[d] = coarse_from(c, d, from[d]);
        p->nc[d] = coarse_from(c, d, from[d] + n[d]) - p->coarse_from[d];
        p->t.regular[d] = in->coarsened[d] != UNEVEN;
        if (!in->walls[d] && n[d] == in->n[d]) p->around |= 3u << (2 * d);
    }
    p->lb = level_box(n[0], n[1], n[2], 2);
    p->cb = level_box(p->nc[0], p->nc[1], p->nc[2], 2);
    stencil_open(p, X, &p->s.wx, &p->s.gx);
    stencil_open(p, Y, &p->s.wy, &p->s.gy);
    stencil_open(p, Z, &p->s.wz, &p->s.gz);
    p->s.uniform_x = in->uniform != 0;
    p->s.uniform = in->uniform == UNIFORM;
    p->t.x = transfer_open(p, X);
    p->t.y = transfer_open(p, Y);
    p->t.z = transfer_open(p, Z);
}

int level_paired(const struct level_part *p)
{
    int paired = 1;
    for (int d = 0; d < 3; ++d) paired = paired && level_begins(p->c, d, p->from[d]);
    return paired;
}

void level_part_close(struct level_part *p)
{
    for (int i = 0; i < p->used; ++i) mem_kernel_free(p->memory[i]);
    p->used = 0;
}

/* Value at local cell i of a box, whose first cell is `from` of n global ones; NaN where it is not wanted. */
static double value_at(const struct level_part *p, const int n[3], const int from[3], const int own[3],
                       const int i[3], int layers, int corners, const double *global)
{
    int out = 0, deepest = 0, g[3];
    for (int d = 0; d < 3; ++d) {
        const int beyond = i[d] < 0 ? -i[d] : i[d] >= own[d] ? i[d] - own[d] + 1 : 0;
        out += beyond > 0;
        deepest = beyond > deepest ? beyond : deepest;
        g[d] = from[d] + i[d];
        if (p->c->in->walls[d] && (g[d] < 0 || g[d] >= n[d])) return NAN;
        if (beyond > 0 && p->around >> (2 * d) & 1) return NAN;
        g[d] = wrapped(g[d], n[d]);
    }
    if (deepest > layers || (out > 1 && !corners)) return NAN;
    return global[((ptrdiff_t)g[2] * n[1] + g[1]) * n[0] + g[0]];
}

static level_real *nan_values(struct box b)
{
    level_real *host = memory((size_t)b.size * sizeof *host);
    for (ptrdiff_t m = 0; m < b.size; ++m) host[m] = (level_real)NAN;
    return host;
}

static level_real *put(struct level_part *p, struct box b, const int n[3], const int from[3],
                       const double *global, int layers, int corners)
{
    level_real *host = nan_values(b);
    const int own[3] = {b.nx, b.ny, b.nz};
    for (int k = -b.h; k < b.nz + b.h; ++k) {
        for (int j = -b.h; j < b.ny + b.h; ++j) {
            for (int i = -b.h; i < b.nx + b.h; ++i) {
                const int at_cell[3] = {i, j, k};
                host[at(b, i, j, k)] =
                    (level_real)value_at(p, n, from, own, at_cell, layers, corners, global);
            }
        }
    }
    level_real *array = level_kernel(p, host, (size_t)b.size * sizeof *host);
    free(host);
    return array;
}

level_real *level_array(struct level_part *p, struct box b)
{
    level_real *host = nan_values(b);
    level_real *array = level_kernel(p, host, (size_t)b.size * sizeof *host);
    free(host);
    return array;
}

level_real *level_from(struct level_part *p, const double *global, int layers, int corners)
{
    return put(p, p->lb, p->c->ref.n, p->from, global, layers, corners);
}

level_real *level_coarse(struct level_part *p, const double *global, int layers, int corners)
{
    return put(p, p->cb, p->c->passage.nc, p->coarse_from, global, layers, corners);
}

level_real *level_copy(struct box b, const level_real *array)
{
    level_real *host = memory((size_t)b.size * sizeof *host);
    need(mem_to_host(host, array, (size_t)b.size * sizeof *host));
    return host;
}

static void get(struct box b, const int n[3], const int from[3], const level_real *array, double *global)
{
    level_real *host = level_copy(b, array);
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i)
                global[((ptrdiff_t)(from[2] + k) * n[1] + from[1] + j) * n[0] + from[0] + i] =
                    host[at(b, i, j, k)];
        }
    }
    free(host);
}

void level_get(const struct level_part *p, const level_real *array, double *global)
{
    get(p->lb, p->c->ref.n, p->from, array, global);
}

void level_coarse_get(const struct level_part *p, const level_real *array, double *global)
{
    get(p->cb, p->c->passage.nc, p->coarse_from, array, global);
}

int level_outside(struct box b, const level_real *array)
{
    level_real *host = level_copy(b, array);
    int found = 0;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) host[at(b, i, j, k)] = (level_real)NAN;
        }
    }
    for (ptrdiff_t m = 0; m < b.size; ++m) found += !isnan(host[m]);
    free(host);
    return found;
}

const struct level_input level_inputs[LEVEL_INPUTS] = {
    {"periodic", {7, 6, 5}, {0, 0, 0}, {1, 1, 1}, 1, 0},
    {"channel", {12, 9, 10}, {0, 0, 1}, {1, 1, 1}, 1, 0},
    {"closed", {7, 6, 5}, {1, 1, 1}, {1, 1, 1}, 1, 0},
    {"constant", {12, 9, 10}, {0, 1, 0}, {1, 1, 1}, 0, 0},
    {"half coarsened", {6, 7, 8}, {1, 0, 1}, {0, 1, 0}, 1, 0},
    {"one plane", {8, 6, 1}, {0, 0, 1}, {1, 0, 0}, 1, 0},
    {"two cells", {2, 4, 2}, {0, 0, 0}, {1, 1, 1}, 1, 0},
    {"several tiles", {67, 18, 9}, {0, 0, 0}, {1, 1, 1}, 1, 0},
    {"long rows", {1030, 3, 2}, {1, 0, 0}, {1, 1, 1}, 1, 0},
    {"uniform rows", {12, 9, 10}, {0, 0, 1}, {1, 1, 1}, 1, UNIFORM_X},
    {"whole tiles", {64, 20, 6}, {0, 1, 0}, {1, 1, 1}, 0, UNIFORM_X},
    {"coarser planes", {64, 18, 9}, {0, 0, 0}, {0, 0, 1}, 1, UNIFORM_X},
    {"whole tiles, linear", {128, 7, 6}, {0, 0, 1}, {1, 1, 1}, 1, UNIFORM_X},
    {"whole tiles, walls", {64, 34, 5}, {0, 1, 1}, {1, 0, 1}, 0, UNIFORM_X},
    {"thinner planes", {8, 34, 12}, {1, 0, 1}, {0, 0, 1}, 1, 0},
    {"uneven", {13, 11, 12}, {1, 1, 1}, {UNEVEN, UNEVEN, UNEVEN}, 1, 0},
    {"uneven planes", {64, 18, 12}, {0, 0, 1}, {HALVED, HALVED, UNEVEN}, 1, UNIFORM_X},
    {"uneven rows", {128, 7, 6}, {0, 0, 0}, {UNEVEN, KEPT, UNEVEN}, 1, 0},
    {"uneven, constant", {64, 11, 10}, {1, 0, 1}, {UNEVEN, UNEVEN, HALVED}, 0, 0},
    {"uniform", {64, 18, 6}, {0, 0, 0}, {1, 1, 1}, 0, UNIFORM},
    {"uniform quads", {12, 34, 7}, {0, 0, 0}, {1, 1, 1}, 0, UNIFORM},
};
const struct level_cut level_cuts[LEVEL_CUTS] = {{{1, 1, 1}, 0}, {{1, 1, 1}, 1}, {{2, 1, 1}, 0},
                                                 {{1, 2, 1}, 1}, {{1, 1, 3}, 1}, {{2, 2, 2}, 0}};

/* Cuts fall after odd numbers of cells, too: a coarse cell may lie in two parts. */
static int begin_of(const struct level_case *c, const struct level_cut *cut, int d, int part)
{
    return part == cut->parts[d] ? c->ref.n[d] : (part * c->ref.n[d] + 1) / cut->parts[d] * (part > 0);
}

int level_cut_fits(const struct level_case *c, const struct level_cut *cut)
{
    if (cut->around && !level_around()) return 0;
    for (int d = 0; d < 3; ++d) {
        if (cut->parts[d] > 1 && c->ref.n[d] < 3 * cut->parts[d]) return 0;
    }
    return 1;
}

void level_each_part(const struct level_case *c, const struct level_cut *cut, level_work *work, void *data)
{
    for (int k = 0; k < cut->parts[2]; ++k) {
        for (int j = 0; j < cut->parts[1]; ++j) {
            for (int i = 0; i < cut->parts[0]; ++i) {
                const int place[3] = {i, j, k};
                int from[3], n[3];
                struct level_part p;
                for (int d = 0; d < 3; ++d) {
                    from[d] = begin_of(c, cut, d, place[d]);
                    n[d] = begin_of(c, cut, d, place[d] + 1) - from[d];
                }
                level_part_open(c, from, n, &p);
                if (!cut->around) p.around = 0;
                const struct cells cells = {CELLS_ALL, 0, p.around};
                work(&p, cells, data);
                level_part_close(&p);
            }
        }
    }
}

void level_each_case(void (*f)(struct level_case *, const struct level_cut *))
{
    for (int n = 0; n < LEVEL_INPUTS; ++n) {
        struct level_case c;
        level_case_open(&level_inputs[n], &c);
        for (int m = 0; m < LEVEL_CUTS; ++m) {
            if (!level_cut_fits(&c, &level_cuts[m])) continue;
            f(&c, &level_cuts[m]);
        }
        level_case_close(&c);
    }
}
