/* Makes the grids and cuts, and the fields on them, that the tests of kernels share. */
#include "kernel_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/rank_layout.h"
#include "kernels/base/device.h"
#include "check.h"

enum { U = STRETCHING_UNIFORM, T = STRETCHING_TANH, S = STRETCHING_SINE };

const struct case_input case_inputs[CASES] = {
    {"uniform", {12, 10, 8}, {U, U, U}, {0, 0, 0}},
    {"stretched", {7, 9, 11}, {S, T, S}, {0.6, 1.5, 0.3}},
    {"uniform in x", {9, 8, 12}, {U, S, T}, {0, 0.5, 1.2}},
    {"two cells", {2, 5, 6}, {U, T, S}, {0, 1.0, 0.4}},
    {"two cells a part", {4, 4, 6}, {S, U, T}, {0.5, 0, 0.8}},
    {"long rows", {37, 4, 6}, {T, U, U}, {0.9, 0, 0}},
};
const double CASE_LENGTH[3] = {1.0, 0.8, 1.3}, CASE_ORIGIN[3] = {0.3, -0.2, 0.1};

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

struct input case_settings(const struct case_input *in)
{
    struct input s;
    memset(&s, 0, sizeof s);
    for (int d = 0; d < 3; ++d) {
        s.grid.n[d] = in->n[d];
        s.grid.length[d] = CASE_LENGTH[d];
        s.grid.origin[d] = CASE_ORIGIN[d];
        s.grid.stretching[d] = in->stretching[d];
        s.grid.stretching_factor[d] = in->factor[d];
    }
    return s;
}

struct input case_box(const int n[3], const double length[3], const int stretching[3], const double factor[3],
                      const int boundary[3])
{
    static const struct case_input some = {"some", {8, 8, 8}, {0, 0, 0}, {0, 0, 0}};
    struct input in = case_settings(&some);
    for (int d = 0; d < 3; ++d) {
        in.grid.n[d] = n[d];
        in.grid.length[d] = length[d];
        in.grid.stretching[d] = stretching[d];
        in.grid.stretching_factor[d] = factor[d];
        in.boundary.face[2 * d] = in.boundary.face[2 * d + 1] = boundary[d];
    }
    return in;
}

void case_reference(const struct case_input *in, struct ref_grid *g)
{
    double *face[3];
    for (int d = 0; d < 3; ++d) {
        const enum ref_stretching kind = in->stretching[d] == T   ? REF_TANH
                                         : in->stretching[d] == S ? REF_SINE
                                                                  : REF_UNIFORM;
        face[d] = memory((size_t)(in->n[d] + 1) * sizeof(double));
        ref_faces(kind, in->n[d], CASE_ORIGIN[d], CASE_LENGTH[d], in->factor[d], face[d]);
    }
    ref_grid_create(in->n, face, g);
    for (int d = 0; d < 3; ++d) free(face[d]);
}

kol_status part_create(const struct case_input *in, struct comm c, const int layout[3], struct part *p)
{
    const struct input settings = case_settings(in);
    memset(p, 0, sizeof *p);
    p->comm = c;
    TRY(decomp_create(in->n, layout, c.size, c.rank, &p->d));
    TRY(grid_create(&settings, &p->d, &p->g));
    TRY(reduction_create(NULL, &p->comm, &p->d, p->g.box, &p->reduction));
    return KOL_OK;
}

void part_release(struct part *p)
{
    for (int i = 0; i < p->arrays; ++i) mem_kernel_free(p->array[i]);
    p->arrays = 0;
}

void part_destroy(struct part *p)
{
    part_release(p);
    reduction_destroy(&p->reduction);
    grid_destroy(&p->g);
}

real *part_filled(struct part *p, double value)
{
    void *array = NULL;
    if (p->arrays == PART_ARRAYS) abort();
    need(mem_kernel_alloc((size_t)p->g.box.size * sizeof(real), &array));
    need(mem_fill_real(array, p->g.box.size, (real)value));
    return p->array[p->arrays++] = array;
}

real *part_array(struct part *p)
{
    return part_filled(p, NAN);
}

/* Whether the region holds this cell: by the number of directions in which it is beyond the own cells. */
static int holds(enum region region, const int n[3], const int i[3])
{
    int low = 0, high = 0, second = 0;
    for (int d = 0; d < 3; ++d) {
        low += i[d] < 0;
        high += i[d] >= n[d];
        second += i[d] < -1 || i[d] > n[d];
    }
    const int most[] = {-1, 0, 1, 1, 1, 2, 2};
    if (low + high > most[region]) return 0;
    if (second > 0) return region == OWN_DEEP && low + high == 1;
    return !(region == OWN_LOW && high) && !(region == OWN_HIGH && low);
}

/* Next cell of the box with its halo, x fastest; start with i[X] = -h - 1. 0 at the end. */
static int next_cell(struct box b, int i[3])
{
    const int n[3] = {b.nx, b.ny, b.nz};
    for (int d = 0; d < 3; ++d) {
        if (++i[d] < n[d] + b.h) return 1;
        i[d] = -b.h;
    }
    return 0;
}

static ptrdiff_t global_place(const struct part *p, const int i[3])
{
    int g[3];
    for (int d = 0; d < 3; ++d) g[d] = (p->d.offset[d] + i[d] + p->d.n_g[d]) % p->d.n_g[d];
    return ((ptrdiff_t)g[Z] * p->d.n_g[Y] + g[Y]) * p->d.n_g[X] + g[X];
}

real *part_copy(const struct part *p, const real *array)
{
    const size_t bytes = (size_t)p->g.box.size * sizeof(real);
    real *host = memory(bytes);
    need(mem_to_host(host, array, bytes));
    return host;
}

void part_put(struct part *p, enum region region, const double *global, real *array)
{
    const struct box b = p->g.box;
    real *host = memory((size_t)b.size * sizeof(real));
    for (ptrdiff_t n = 0; n < b.size; ++n) host[n] = (real)NAN;
    for (int i[3] = {-b.h - 1, -b.h, -b.h}; next_cell(b, i);)
        if (holds(region, p->d.n, i)) host[at(b, i[X], i[Y], i[Z])] = (real)global[global_place(p, i)];
    need(mem_to_kernel(array, host, (size_t)b.size * sizeof(real)));
    free(host);
}

real *part_from(struct part *p, enum region region, const double *global)
{
    real *array = part_array(p);
    part_put(p, region, global, array);
    return array;
}

real *part_hidden(struct part *p, unsigned remote, const real *array)
{
    const struct box b = p->g.box;
    const int n[3] = {b.nx, b.ny, b.nz};
    real *host = part_copy(p, array), *hidden = part_array(p);
    for (int i[3] = {-b.h - 1, -b.h, -b.h}; next_cell(b, i);) {
        for (int d = 0; d < 3; ++d) {
            const unsigned low = remote >> (2 * d) & 1, high = remote >> (2 * d + 1) & 1;
            if ((low && i[d] < 0) || (high && i[d] >= n[d])) host[at(b, i[X], i[Y], i[Z])] = (real)NAN;
        }
    }
    need(mem_to_kernel(hidden, host, (size_t)b.size * sizeof(real)));
    free(host);
    return hidden;
}

void part_gather(const struct part *p, const real *host, double *global)
{
    const struct box b = p->g.box;
    for (int i[3] = {-b.h - 1, -b.h, -b.h}; next_cell(b, i);)
        if (holds(OWN, p->d.n, i)) global[global_place(p, i)] = (double)host[at(b, i[X], i[Y], i[Z])];
}

void part_get(struct part *p, const real *array, double *global)
{
    real *host = part_copy(p, array);
    part_gather(p, host, global);
    free(host);
}

double part_error(struct part *p, enum region region, const real *array, const double *global)
{
    const struct box b = p->g.box;
    double most = 0;
    real *host = part_copy(p, array);
    for (int i[3] = {-b.h - 1, -b.h, -b.h}; next_cell(b, i) && !isnan(most);) {
        if (!holds(region, p->d.n, i)) continue;
        const double d = fabs((double)host[at(b, i[X], i[Y], i[Z])] - global[global_place(p, i)]);
        if (!(d <= most)) most = d;
    }
    free(host);
    return most;
}

int part_changed(const struct part *p, enum region region, real *before, const real *array)
{
    const struct box b = p->g.box;
    int changed = 0;
    real *after = part_copy(p, array);
    for (int i[3] = {-b.h - 1, -b.h, -b.h}; next_cell(b, i);) {
        const ptrdiff_t n = at(b, i[X], i[Y], i[Z]);
        if (holds(region, p->d.n, i)) after[n] = before[n];
    }
    for (ptrdiff_t n = 0; n < b.size; ++n) changed += memcmp(&before[n], &after[n], sizeof *after) != 0;
    free(before);
    free(after);
    return changed;
}

double *part_blocks(const struct part *p, int sums, int maxima)
{
    const struct blocks bl = reduction_blocks(p->reduction);
    const size_t bytes = (size_t)(blocks_count(bl) * (sums + maxima)) * sizeof(double);
    double *part = memory(bytes);
    need(sums_blocks(bl, sums, maxima));
    need(mem_to_host(part, bl.part, bytes));
    return part;
}

void part_place_blocks(const struct part *p, int sums, int maxima, double *out)
{
    const struct decomp *d = &p->d;
    const ptrdiff_t count = (ptrdiff_t)d->blocks[X] * d->blocks[Y] * d->blocks[Z],
                    all = (ptrdiff_t)d->blocks_g[X] * d->blocks_g[Y] * d->blocks_g[Z];
    double *own = part_blocks(p, sums, maxima);
    for (int q = 0; q < sums + maxima; ++q)
        for (int k = 0; k < d->blocks[Z]; ++k)
            for (int j = 0; j < d->blocks[Y]; ++j)
                for (int i = 0; i < d->blocks[X]; ++i)
                    out[q * all +
                        ((d->first_block[Z] + k) * d->blocks_g[Y] + d->first_block[Y] + j) * d->blocks_g[X] +
                        d->first_block[X] + i] = own[q * count + (k * d->blocks[Y] + j) * d->blocks[X] + i];
    free(own);
}

struct blocks part_some_blocks(const struct part *p, int direction, int first, int last)
{
    struct blocks bl = reduction_blocks(p->reduction);
    if (direction == X) {
        bl.x += first;
        bl.nx = last - first;
    } else if (direction == Y) {
        bl.y += first;
        bl.ny = last - first;
    } else {
        bl.z += first;
        bl.nz = last - first;
    }
    return bl;
}

void part_block_cells(const struct part *p, int q, int lo[3], int hi[3])
{
    const struct decomp *d = &p->d;
    const int which[3] = {q % d->blocks[X], q / d->blocks[X] % d->blocks[Y], q / d->blocks[X] / d->blocks[Y]};
    for (int e = 0; e < 3; ++e) {
        lo[e] = decomp_block_start(d, e, d->first_block[e] + which[e]) - d->offset[e];
        hi[e] = decomp_block_start(d, e, d->first_block[e] + which[e] + 1) - d->offset[e];
    }
}

void part_sums(const struct part *p, int sums, int maxima, double *out)
{
    const ptrdiff_t count = blocks_count(reduction_blocks(p->reduction));
    double *part = part_blocks(p, sums, maxima);
    for (int q = 0; q < sums + maxima; ++q) {
        for (ptrdiff_t n = 0; n < count; ++n) {
            const double value = part[q * count + n];
            if (q < sums) out[q] += value;
            else out[q] = fmax(out[q], value);
        }
    }
    free(part);
}

void case_open(const struct case_input *in, const int layout[3], struct kernel_case *c)
{
    char device[256];
    memset(c, 0, sizeof *c);
    need(device_select(0, device, sizeof device));
    c->in = in;
    c->size = layout[X] * layout[Y] * layout[Z];
    snprintf(c->name, sizeof c->name, "%s, %d x %d x %d cells, %d x %d x %d parts", in->name, in->n[X],
             in->n[Y], in->n[Z], layout[X], layout[Y], layout[Z]);
    case_reference(in, &c->ref);
    c->count = ref_count(&c->ref);
    for (int r = 0; r < c->size; ++r)
        need(part_create(in, (struct comm){.rank = r, .size = c->size}, layout, &c->part[r]));
}

void case_close(struct kernel_case *c)
{
    for (int r = 0; r < c->size; ++r) part_destroy(&c->part[r]);
    ref_grid_destroy(&c->ref);
}

void case_each(void (*f)(struct kernel_case *))
{
    static const int layouts[][3] = {{1, 1, 1}, {1, 1, 3}, {2, 2, 2}};
    for (int n = 0; n < CASES; ++n) {
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; ++l) {
            struct kernel_case c;
            const int *layout = layouts[l];
            if (!grid_ranks_fit(case_inputs[n].n, layout, layout[X] * layout[Y] * layout[Z])) continue;
            case_open(&case_inputs[n], layout, &c);
            f(&c);
            case_close(&c);
        }
    }
}

void case_each_shape(const struct case_input *in, enum tune_kernel kernel,
                     void (*f)(struct kernel_case *, int shape, void *data), void *data)
{
    static const int layouts[][3] = {{1, 1, 1}, {1, 1, 2}, {2, 2, 2}};
    for (size_t n = 0; n < sizeof layouts / sizeof *layouts; ++n) {
        struct kernel_case c;
        case_open(in, layouts[n], &c);
        for (int shape = 0; shape < tune_shapes(kernel); ++shape) {
            tune_choose(kernel, shape);
            f(&c, shape, data);
        }
        tune_choose(kernel, 0);
        case_close(&c);
    }
}

ptrdiff_t case_blocks(const struct kernel_case *c)
{
    const int *b = c->part[0].d.blocks_g;
    return (ptrdiff_t)b[X] * b[Y] * b[Z];
}

void *case_kernel_copy(const void *host, size_t bytes)
{
    void *out = NULL;
    need(mem_kernel_alloc(bytes + 8, &out)); /* an address even if the list is empty */
    if (bytes > 0) need(mem_to_kernel(out, host, bytes));
    return out;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014) of the place in the array */
double *case_random(const struct ref_grid *g, unsigned seed)
{
    double *f = ref_new(g);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        uint64_t x = (uint64_t)seed * 0x632BE59BD9B4E019u + (uint64_t)(n + 1) * 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
        f[n] = (double)(real)((double)(x >> 11) / 4503599627370496.0 - 1.0);
    }
    return f;
}

void case_solenoidal(const struct ref_grid *g, unsigned seed, double *vel[3])
{
    double *edge[3];
    for (int d = 0; d < 3; ++d) {
        edge[d] = case_random(g, seed + (unsigned)d);
        vel[d] = ref_new(g);
    }
    for (int k = 0; k < g->n[2]; ++k) {
        for (int j = 0; j < g->n[1]; ++j) {
            for (int i = 0; i < g->n[0]; ++i) {
                const ptrdiff_t o = ref_index(g, i, j, k), xh = ref_index(g, i + 1, j, k),
                                yh = ref_index(g, i, j + 1, k), zh = ref_index(g, i, j, k + 1);
                const double dx = g->dc[0][i], dy = g->dc[1][j], dz = g->dc[2][k];
                /* line integrals along the four edges of each face, over its area */
                vel[0][o] = (edge[2][yh] - edge[2][o] - edge[1][zh] + edge[1][o]) / (dy * dz);
                vel[1][o] = (edge[0][zh] - edge[0][o] - edge[2][xh] + edge[2][o]) / (dz * dx);
                vel[2][o] = (edge[1][xh] - edge[1][o] - edge[0][yh] + edge[0][o]) / (dx * dy);
                for (int d = 0; d < 3; ++d) vel[d][o] = (double)(real)vel[d][o];
            }
        }
    }
    case_free(edge, 3);
}

void case_free(double **fields, int n)
{
    for (int i = 0; i < n; ++i) free(fields[i]);
}

double case_dot(ptrdiff_t n, const double *x, const double *y)
{
    long double sum = 0;
    for (ptrdiff_t i = 0; i < n; ++i) sum += (long double)x[i] * y[i];
    return (double)sum;
}

double case_worst(ptrdiff_t n, const double *found, const double *right, const double *size)
{
    double most = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        const double error = fabs(found[i] - right[i]) / (size[i] > 0 ? size[i] : 1);
        if (!(error <= most)) most = error;
    }
    return most;
}

double *case_cancelling(const struct ref_grid *g)
{
    double *f = case_random(g, 110), *power = case_random(g, 111);
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) {
        f[n] = n % 2 ? -f[n - 1] * (1 + 1e-5 * f[n]) : f[n] * pow(10, 6 * power[n]);
        f[n] = (double)(real)f[n];
    }
    free(power);
    return f;
}

double case_volume(const struct ref_grid *g, enum ref_location location, ptrdiff_t n)
{
    const ptrdiff_t row = n / g->n[0];
    return ref_volume(g, location, (int)(n % g->n[0]), (int)(row % g->n[1]), (int)(row / g->n[1]));
}

void case_check(const char *name, double value, double bound, const char *text, const char *file, int line)
{
    if (value <= bound) return;
    print_error("case: %s\n", name);
    check_below(value, bound, text, file, line);
}
