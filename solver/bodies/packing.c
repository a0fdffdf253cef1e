/* Places equal bodies at random: one after another, or by random moves from a lattice. */
#include "packing.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/base/constants.h"
#include "math/random.h"

enum {
    TRIES = 2000,       /* of one body, before the lattice is taken */
    MOVES = 20000000,   /* of all bodies together, at most */
    SWEEPS_MOST = 1000, /* moves of each body */
    SWEEPS_LEAST = 50,
    CELLS_MOST = 128 /* of the neighbour search in a direction */
};

/* crowd: the bodies that have a place, in cells at least as wide as a body and its gap. */
struct crowd {
    const struct packing *p;
    double *centre;
    int *next, *first, cells[3];
    uint32_t draws; /* random numbers used so far */
};

static double draw(struct crowd *c)
{
    const uint32_t key[2] = {(uint32_t)c->p->seed, 0x7061636bu};
    const uint32_t counter[4] = {c->draws++, 0, 0, 0};
    uint32_t out[4];
    random_philox(counter, key, out);
    return random_unit(out[0]);
}

static double reach(const struct packing *p, int d)
{
    return p->size[d] + p->gap[p->cubes ? d : 0];
}

static int cell_along(const struct crowd *c, int d, double x)
{
    const int n = (int)floor((x - c->p->low[d]) / c->p->length[d] * c->cells[d]);
    return n < 0 ? 0 : n >= c->cells[d] ? c->cells[d] - 1 : n;
}

static int cell_of(const struct crowd *c, const double x[3])
{
    return (cell_along(c, 2, x[2]) * c->cells[1] + cell_along(c, 1, x[1])) * c->cells[0] +
           cell_along(c, 0, x[0]);
}

static void enter(struct crowd *c, int n)
{
    int *first = &c->first[cell_of(c, &c->centre[3 * n])];
    c->next[n] = *first;
    *first = n;
}

static void leave(struct crowd *c, int n)
{
    int *link = &c->first[cell_of(c, &c->centre[3 * n])];
    while (*link != n) link = &c->next[*link];
    *link = c->next[n];
}

/* Whether bodies at a and b are too close. Bodies on whole steps may be off by rounding. */
static int collide(const struct packing *p, const double *a, const double *b)
{
    static const double ROUNDED = 1e-9;
    double square = 0;
    for (int d = 0; d < 3; ++d) {
        double off = fabs(a[d] - b[d]);
        if (p->periodic[d]) off = fmin(off, p->length[d] - off);
        if (p->cubes && off >= reach(p, d) * (1 - ROUNDED)) return 0;
        square += off * off;
    }
    return p->cubes || square < reach(p, 0) * reach(p, 0);
}

/* Whether x collides with any body but `self`. The neighbouring cells are each visited once. */
static int blocked(const struct crowd *c, const double x[3], int self)
{
    int list[3][3], count[3];
    for (int d = 0; d < 3; ++d) {
        const int own = cell_along(c, d, x[d]), n = c->cells[d];
        count[d] = 0;
        for (int s = -1; s <= 1; ++s) {
            const int at_cell = own + s, wrapped = (at_cell + n) % n;
            if (!c->p->periodic[d] && (at_cell < 0 || at_cell >= n)) continue;
            if (n == 1 && s != 0) continue;
            if (n == 2 && s > 0 && c->p->periodic[d]) continue;
            list[d][count[d]++] = wrapped;
        }
    }
    for (int k = 0; k < count[2]; ++k)
        for (int j = 0; j < count[1]; ++j)
            for (int i = 0; i < count[0]; ++i) {
                const int cell = (list[2][k] * c->cells[1] + list[1][j]) * c->cells[0] + list[0][i];
                for (int m = c->first[cell]; m >= 0; m = c->next[m])
                    if (m != self && collide(c->p, x, &c->centre[3 * m])) return 1;
            }
    return 0;
}

/* The places that a centre may have in a direction: from *low on over *length. */
static void room(const struct packing *p, int d, double *low, double *length)
{
    const double wall = p->periodic[d] ? 0 : p->size[d] / 2 + p->gap[p->cubes ? d : 0];
    *low = p->low[d] + wall;
    *length = p->length[d] - 2 * wall;
}

/* The nearest place on whole steps, if there are steps. */
static double settle(const struct packing *p, int d, double x)
{
    if (!(p->step[d] > 0)) return x;
    const double corner = x - p->size[d] / 2 - p->low[d];
    return p->low[d] + p->size[d] / 2 + p->step[d] * floor(corner / p->step[d] + 0.5);
}

/* Puts a place back into a periodic domain. Returns 0 if it lies too close to another boundary. */
static int admit(const struct packing *p, double x[3])
{
    for (int d = 0; d < 3; ++d) {
        double low, length;
        const double slack = 1e-9 * p->length[d];
        room(p, d, &low, &length);
        if (p->periodic[d]) x[d] -= p->length[d] * floor((x[d] - p->low[d]) / p->length[d]);
        else if (x[d] < low - slack || x[d] > low + length + slack) return 0;
    }
    return 1;
}

static int place_one(struct crowd *c, int n)
{
    for (int t = 0; t < TRIES; ++t) {
        double *x = &c->centre[3 * n];
        for (int d = 0; d < 3; ++d) {
            double low, length;
            room(c->p, d, &low, &length);
            x[d] = settle(c->p, d, low + length * draw(c));
        }
        if (!admit(c->p, x) || blocked(c, x, n)) continue;
        enter(c, n);
        return 1;
    }
    return 0;
}

/* lattice: layers in each direction. If `sparse`, only every other site of them is taken, so that the
 * neighbours lie across (face-centred cubic). */
struct lattice {
    int layers[3], sparse;
    double spacing[3];
};

static long sites(const struct lattice *l)
{
    const long all = (long)l->layers[0] * l->layers[1] * l->layers[2];
    return l->sparse ? (all + 1) / 2 : all;
}

/* Sets the spacings; returns 0 if the bodies on this lattice would be too close. */
static int lattice_fits(const struct packing *p, struct lattice *l)
{
    double least = HUGE_VAL;
    for (int d = 0; d < 3; ++d) {
        double low, length;
        room(p, d, &low, &length);
        if (length < 0 || (p->periodic[d] && l->sparse && l->layers[d] % 2)) return 0;
        l->spacing[d] = p->periodic[d]     ? p->length[d] / l->layers[d]
                        : l->layers[d] > 1 ? length / (l->layers[d] - 1)
                                           : HUGE_VAL;
        if (p->step[d] > 0 && l->spacing[d] < HUGE_VAL)
            l->spacing[d] = p->step[d] * floor(l->spacing[d] / p->step[d] + 1e-9);
    }
    if (p->cubes) {
        for (int d = 0; d < 3; ++d)
            if (l->spacing[d] < reach(p, d) * (1 - 1e-9)) return 0;
        return 1;
    }
    for (int d = 0; d < 3; ++d) {
        const double a = l->spacing[d], b = l->spacing[(d + 1) % 3];
        least = fmin(least, l->sparse ? fmin(2 * a, hypot(a, b)) : a);
    }
    return least >= reach(p, 0);
}

/* Finds the lattice with the fewest sites that has enough. *most: the most sites of any that fits. */
static int find_lattice(const struct packing *p, struct lattice *best, long *most)
{
    int limit[3], found = 0;
    *most = 0;
    for (int d = 0; d < 3; ++d) limit[d] = 2 + (int)(p->length[d] / reach(p, d) * (p->cubes ? 1 : 1.5));
    for (int sparse = 0; sparse <= !p->cubes; ++sparse)
        for (int k = 1; k <= limit[2]; ++k)
            for (int j = 1; j <= limit[1]; ++j)
                for (int i = limit[0]; i >= 1; --i) {
                    struct lattice l = {{i, j, k}, sparse, {0}};
                    if (!lattice_fits(p, &l)) continue;
                    if (sites(&l) > *most) *most = sites(&l);
                    if (sites(&l) < p->count) break;
                    if (!found || sites(&l) < sites(best)) *best = l;
                    found = 1;
                }
    return found;
}

/* Puts the bodies on random sites of a lattice. A site is taken with the probability that is needed. */
static void fill_lattice(struct crowd *c, const struct lattice *l)
{
    const struct packing *p = c->p;
    long left = sites(l);
    int n = 0;
    for (int k = 0; k < l->layers[2]; ++k)
        for (int j = 0; j < l->layers[1]; ++j)
            for (int i = 0; i < l->layers[0]; ++i) {
                const int layer[3] = {i, j, k};
                if (l->sparse && (i + j + k) % 2) continue;
                const int taken = draw(c) * (double)left < p->count - n;
                --left;
                if (!taken || n == p->count) continue;
                for (int d = 0; d < 3; ++d) {
                    double low, length;
                    room(p, d, &low, &length);
                    c->centre[3 * n + d] = settle(p, d, layer[d] > 0 ? low + layer[d] * l->spacing[d] : low);
                }
                admit(p, &c->centre[3 * n]);
                enter(c, n++);
            }
}

/* Moves the bodies one after another by random steps, which are as long as about half of the moves allow. */
static void stir(struct crowd *c)
{
    const struct packing *p = c->p;
    double far = 0.5 * reach(p, 0);
    int sweeps = MOVES / p->count;
    sweeps = sweeps > SWEEPS_MOST ? SWEEPS_MOST : sweeps < SWEEPS_LEAST ? SWEEPS_LEAST : sweeps;
    for (int s = 0; s < sweeps; ++s) {
        int moved = 0;
        for (int n = 0; n < p->count; ++n) {
            double x[3];
            for (int d = 0; d < 3; ++d) {
                const double step = p->step[d] > 0 ? fmax(far, p->step[d]) : far;
                x[d] = settle(p, d, c->centre[3 * n + d] + step * (2 * draw(c) - 1));
            }
            if (!admit(p, x) || blocked(c, x, n)) continue;
            leave(c, n);
            for (int d = 0; d < 3; ++d) c->centre[3 * n + d] = x[d];
            enter(c, n);
            ++moved;
        }
        far *= moved > p->count / 2 ? 1.1 : 0.9;
        far = fmin(far, 0.5 * p->length[0]);
    }
}

static double share(const struct packing *p)
{
    const double body = p->cubes ? reach(p, 0) * reach(p, 1) * reach(p, 2) : PI / 6 * pow(reach(p, 0), 3);
    return p->count * body / (p->length[0] * p->length[1] * p->length[2]);
}

static void clear(struct crowd *c)
{
    for (int n = 0; n < c->cells[0] * c->cells[1] * c->cells[2]; ++n) c->first[n] = -1;
}

static kol_status place_all(struct crowd *c)
{
    const struct packing *p = c->p;
    struct lattice l = {{0}, 0, {0}};
    long most = 0;
    int n = 0;
    clear(c);
    for (int d = 0; d < 3; ++d)
        if (reach(p, d) > p->length[d])
            RAISE(KOL_ERR_INPUT,
                  "%s: error: packing.size = %g with its gap does not fit into the length %g of %c; make it "
                  "smaller",
                  p->at, p->size[d], p->length[d], "xyz"[d]);
    if (share(p) <= PACKING_SEQUENTIAL)
        while (n < p->count && place_one(c, n)) ++n;
    if (n == p->count) return KOL_OK;
    clear(c);
    if (!find_lattice(p, &l, &most))
        RAISE(KOL_ERR_INPUT,
              "%s: error: packing.count = %d bodies of size %g with gaps of %g do not fit: they would take a "
              "share of %.3f, and the densest lattice known here has %ld; choose fewer, smaller ones or a "
              "smaller packing.gap",
              p->at, p->count, p->size[0], p->gap[0], share(p), most);
    fill_lattice(c, &l);
    stir(c);
    return KOL_OK;
}

kol_status packing_place(const struct packing *p, double **centre)
{
    struct crowd c = {.p = p};
    for (int d = 0; d < 3; ++d) {
        const double fit = floor(p->length[d] / reach(p, d));
        c.cells[d] = fit < 1 ? 1 : fit > CELLS_MOST ? CELLS_MOST : (int)fit;
    }
    c.centre = malloc(3 * (size_t)p->count * sizeof *c.centre);
    c.next = malloc((size_t)p->count * sizeof *c.next);
    c.first = malloc((size_t)c.cells[0] * (size_t)c.cells[1] * (size_t)c.cells[2] * sizeof *c.first);
    *centre = c.centre;
    kol_status st = KOL_OK;
    if (c.centre == NULL || c.next == NULL || c.first == NULL) st = KOL_ERR_MEMORY;
    else st = place_all(&c);
    free(c.next);
    free(c.first);
    if (st == KOL_ERR_MEMORY) RAISE(KOL_ERR_MEMORY, "no memory for a packing of %d bodies", p->count);
    return st == KOL_OK ? KOL_OK : status_pass(st, __FILE__, __LINE__, "packing_place");
}
