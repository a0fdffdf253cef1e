/* Makes the random right-hand side of kolmo-bench poisson, and computes the residual of a solution on the
 * host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_poisson.h"

#include "kernels/laplace.h"
#include "solver/math/random.h"

/* lines: the widths of the own cells in each direction [L], and the inverse distances of the centres at
 * their faces [1/L], which are 0 where no flux passes. */
struct lines {
    double *width[3], *inverse[3];
};

static void lines_free(struct lines *l)
{
    for (int d = 0; d < 3; ++d) {
        free(l->width[d]);
        free(l->inverse[d]);
    }
}

static kol_status lines_make(const struct domain *domain, struct lines *l)
{
    const struct grid *g = &domain->grid;
    memset(l, 0, sizeof *l);
    for (int d = 0; d < 3; ++d) {
        const int n = domain->decomp.n[d], o = domain->decomp.offset[d];
        l->width[d] = malloc((size_t)n * sizeof(double));
        l->inverse[d] = malloc(((size_t)n + 1) * sizeof(double));
        if (l->width[d] == NULL || l->inverse[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d widths", n);
        for (int i = 0; i < n; ++i) l->width[d][i] = g->face[d][o + i + 1] - g->face[d][o + i];
        for (int i = 0; i <= n; ++i) {
            const int end = o + i == 0 || o + i == g->n_g[d];
            l->inverse[d][i] = end && !g->periodic[d] ? 0 : 1 / grid_centre_distance(g, d, o + i);
        }
    }
    return KOL_OK;
}

/* --- right-hand side --- */

static void random_plane(const struct domain *domain, const struct lines *l, int k, real *plane)
{
    static const uint32_t KEY[2] = {0x706f6973u, 0x736f6eu};
    const struct box b = domain->grid.box;
    const int *o = domain->decomp.offset;
    for (int j = 0; j < b.ny; ++j) {
        const double area = l->width[Y][j] * l->width[Z][k];
        for (int i = 0; i < b.nx; ++i) {
            const uint32_t cell[4] = {(uint32_t)(i + o[X]), (uint32_t)(j + o[Y]), (uint32_t)(k + o[Z]), 0};
            uint32_t word[4];
            random_philox(cell, KEY, word);
            plane[at(b, i, j, -b.h)] = (real)(area * l->width[X][i] * (2 * random_unit(word[0]) - 1));
        }
    }
}

static kol_status fill_random(const struct domain *domain, const struct lines *l, real *rhs)
{
    const struct box b = domain->grid.box;
    kol_status st = KOL_OK;
    real *plane = NULL;
    TRY(mem_host_alloc((size_t)b.sz * sizeof *plane, (void **)&plane));
    memset(plane, 0, (size_t)b.sz * sizeof *plane);
    for (int k = 0; k < b.nz; ++k) {
        random_plane(domain, l, k, plane);
        TRY_OR(done, mem_to_kernel(rhs + (k + b.h) * b.sz, plane, (size_t)b.sz * sizeof *plane));
    }
done:
    mem_host_free(plane);
    return st;
}

/* --- the judge --- */

/* The numbers that are combined over all cells: the sums of the squares of r, b and V; the largest |r|/V
 * and |b|/V; the smallest and the largest value of x and of x - other. */
enum { SUM_R, SUM_B, SUM_V, SUMS };
enum { MAX_R, MAX_B, HIGH_X, LOW_X, HIGH_D, LOW_D, MAXIMA };
struct tally {
    double sum[SUMS], most[MAXIMA]; /* LOW_: of the negative */
};

/* Planes of the host: x below, at and above; right-hand side; the other solution. */
enum { BELOW, HERE, ABOVE, RHS, OTHER, PLANES };
/* Bits of a cell without bodies. */
enum { ALL_OPEN = (1 << FACES) - 1 };

static double outflow(const struct lines *l, real *const *plane, const struct box b, unsigned open, int i,
                      int j, int k)
{
    const ptrdiff_t q = at(b, i, j, -b.h);
    const double wx = l->width[X][i], wy = l->width[Y][j], wz = l->width[Z][k], x = plane[HERE][q];
    double part[FACES];
    for (int f = 0; f < FACES; ++f) part[f] = open >> f & 1u;
    return wy * wz *
               (part[FACE_X_LOW] * l->inverse[X][i] * (x - plane[HERE][q - 1]) +
                part[FACE_X_HIGH] * l->inverse[X][i + 1] * (x - plane[HERE][q + 1])) +
           wx * wz *
               (part[FACE_Y_LOW] * l->inverse[Y][j] * (x - plane[HERE][q - b.sy]) +
                part[FACE_Y_HIGH] * l->inverse[Y][j + 1] * (x - plane[HERE][q + b.sy])) +
           wx * wy *
               (part[FACE_Z_LOW] * l->inverse[Z][k] * (x - plane[BELOW][q]) +
                part[FACE_Z_HIGH] * l->inverse[Z][k + 1] * (x - plane[ABOVE][q]));
}

static void judge_plane(const struct domain *domain, const struct lines *l, double mean, real *const *plane,
                        const unsigned char *faces, int compared, int k, struct tally *t)
{
    const struct box b = domain->grid.box;
    for (int j = 0; j < b.ny; ++j) {
        double row[SUMS] = {0};
        for (int i = 0; i < b.nx; ++i) {
            const ptrdiff_t q = at(b, i, j, -b.h);
            const double v = l->width[X][i] * l->width[Y][j] * l->width[Z][k], x = plane[HERE][q];
            const unsigned open = faces != NULL ? faces[q] : ALL_OPEN;
            const double rhs = open != 0 ? plane[RHS][q] - mean * v : 0,
                         r = rhs - outflow(l, plane, b, open, i, j, k);
            const double d = compared ? x - plane[OTHER][q] : 0;
            row[SUM_R] += r * r;
            row[SUM_B] += rhs * rhs;
            row[SUM_V] += v * v;
            t->most[MAX_R] = isfinite(r) ? fmax(t->most[MAX_R], fabs(r) / v) : INFINITY;
            t->most[MAX_B] = fmax(t->most[MAX_B], fabs(rhs) / v);
            t->most[HIGH_X] = fmax(t->most[HIGH_X], x);
            t->most[LOW_X] = fmax(t->most[LOW_X], -x);
            t->most[HIGH_D] = fmax(t->most[HIGH_D], d);
            t->most[LOW_D] = fmax(t->most[LOW_D], -d);
        }
        for (int s = 0; s < SUMS; ++s) t->sum[s] += row[s];
    }
}

static kol_status load(const real *field, const struct box b, int k, real *plane)
{
    return mem_to_host(plane, field + (k + b.h) * b.sz, (size_t)b.sz * sizeof *plane);
}

static kol_status judge_planes(const struct domain *domain, const struct poisson_problem *p,
                               const struct lines *l, const real *x, const real *other, real **plane,
                               unsigned char *faces, struct tally *t)
{
    const struct box b = domain->grid.box;
    TRY(load(x, b, -1, plane[HERE]));
    TRY(load(x, b, 0, plane[ABOVE]));
    for (int k = 0; k < b.nz; ++k) {
        real *const free_plane = plane[BELOW];
        plane[BELOW] = plane[HERE];
        plane[HERE] = plane[ABOVE];
        plane[ABOVE] = free_plane;
        TRY(load(x, b, k + 1, plane[ABOVE]));
        TRY(load(p->rhs, b, k, plane[RHS]));
        if (other != NULL) TRY(load(other, b, k, plane[OTHER]));
        if (faces != NULL) TRY(mem_to_host(faces, domain->grid.open + (k + b.h) * b.sz, (size_t)b.sz));
        judge_plane(domain, l, p->mean, plane, faces, other != NULL, k, t);
    }
    return KOL_OK;
}

static kol_status tally_all(const struct domain *domain, const struct poisson_problem *p, const real *x,
                            const real *other, struct tally *t)
{
    real *plane[PLANES] = {NULL};
    unsigned char *faces = NULL;
    struct lines l;
    kol_status st = KOL_OK;
    for (int i = 0; i < SUMS; ++i) t->sum[i] = 0;
    for (int i = 0; i < MAXIMA; ++i) t->most[i] = -INFINITY;
    TRY_OR(done, lines_make(domain, &l));
    for (int i = 0; i < PLANES; ++i)
        TRY_OR(done, mem_host_alloc((size_t)domain->grid.box.sz * sizeof(real), (void **)&plane[i]));
    if (domain->grid.open != NULL) TRY_OR(done, mem_host_alloc((size_t)domain->grid.box.sz, (void **)&faces));
    TRY_OR(done, judge_planes(domain, p, &l, x, other, plane, faces, t));
done:
    for (int i = 0; i < PLANES; ++i) mem_host_free(plane[i]);
    mem_host_free(faces);
    lines_free(&l);
    return st;
}

/* The same on all ranks. */
static kol_status tally_together(const struct domain *domain, const struct poisson_problem *p, const real *x,
                                 const real *other, struct tally *t)
{
    TRY(tally_all(domain, p, x, other, t));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, t->sum, SUMS, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, t->most, MAXIMA, MPI_DOUBLE, MPI_MAX, domain->comm.mpi));
    return KOL_OK;
}

static kol_status make_rhs(const struct domain *domain, real *rhs)
{
    struct lines l;
    kol_status st = KOL_OK;
    TRY_OR(done, lines_make(domain, &l));
    TRY_OR(done, mem_fill_real(rhs, domain->grid.box.size, 0));
    TRY_OR(done, fill_random(domain, &l, rhs));
done:
    lines_free(&l);
    return st;
}

/* The sum of the right-hand side is the solver's: its bits do not depend on the number of ranks. */
kol_status poisson_make(const struct domain *domain, struct fluid_regions *regions, real *rhs, real *x,
                        struct poisson_problem *p)
{
    const struct grid *g = &domain->grid;
    struct tally t;
    double sums[3];
    *p = (struct poisson_problem){.rhs = rhs};
    TRY(make_rhs(domain, rhs));
    TRY(mem_fill_real(x, g->box.size, 0));
    TRY(laplace_residual(g->box, grid_stencil(g, LOC_CCC, 0, 1), reduction_blocks(domain->reduction),
                         halo_cells(domain->halo, CELLS_ALL), 0, rhs, x, rhs)); /* rhs stays what it is */
    TRY(reduction_finish(domain->reduction, 2, 1, sums));
    p->mean = sums[0] / g->volume;
    if (regions != NULL) TRY(fluid_regions_balance(regions, sums[0], rhs, &p->mean));
    TRY(tally_together(domain, p, x, NULL, &t));
    p->b_l2 = sqrt(t.sum[SUM_B]);
    p->v_l2 = sqrt(t.sum[SUM_V]);
    return KOL_OK;
}

kol_status poisson_judge(const struct domain *domain, const struct poisson_problem *p, const real *x,
                         const real *other, struct poisson_judgement *out)
{
    struct tally t;
    TRY(tally_together(domain, p, x, other, &t));
    out->l2 = sqrt(t.sum[SUM_R] / t.sum[SUM_B]);
    out->max = t.most[MAX_R] / t.most[MAX_B];
    out->range = t.most[HIGH_X] + t.most[LOW_X];
    out->difference = other != NULL ? (t.most[HIGH_D] + t.most[LOW_D]) / out->range : 0;
    return KOL_OK;
}
