/* Separates the pressure's operator into directions and computes their eigenvalues and eigenvectors. */
#include "direct_operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/eigen.h"
#include "kernels/base/constants.h"

enum { DENSE_MOST = 16384 }; /* most cells of a direction whose eigenvectors are stored: 2 GiB */

/* A rank of the directions: the larger it is, the less a direction is suited to a transform. */
static int burden(const struct grid *g, int dir)
{
    return !g->uniform[dir] ? 2 : !g->periodic[dir] ? 1 : 0;
}

kol_status direct_operator_plan(const struct grid *g, int keep, struct direct_operator *s)
{
    static const enum fft_basis BASIS[] = {FFT_FOURIER, FFT_COSINE, FFT_DENSE};
    int left = Z, n = 0;
    memset(s, 0, sizeof *s);
    for (int d = Y; d >= X; --d)
        if (burden(g, d) > burden(g, left)) left = d;
    s->all_transformed = burden(g, left) == 0 && !keep;
    s->axis[2] = left;
    s->cyclic = g->periodic[left];
    for (int d = 0; d < 3; ++d) {
        s->n[d] = g->n_g[d];
        s->basis[d] = BASIS[burden(g, d)];
        if (d == left) continue;
        s->axis[n++] = d;
        if (s->basis[d] == FFT_DENSE && s->n[d] > DENSE_MOST)
            RAISE(KOL_ERR_INPUT,
                  "error: pressure.preconditioner = 'direct': %d cells in %c, where the grid is stretched in "
                  "another direction too, are more than %d; choose another one",
                  s->n[d], "xyz"[d], DENSE_MOST);
    }
    return KOL_OK;
}

static double *new_values(size_t n)
{
    return calloc(n, sizeof(double));
}

/* inverse_distance: g at face i, 0 .. n. */
static double inverse_distance(const struct grid *g, int dir, int i)
{
    if (!g->periodic[dir] && (i == 0 || i == g->n_g[dir])) return 0;
    return 1 / grid_centre_distance(g, dir, i);
}

static double width(const struct grid *g, int dir, int i)
{
    return g->uniform[dir] ? g->length[dir] / g->n_g[dir] : g->face[dir][i + 1] - g->face[dir][i];
}

/* Eigenvalue of the second differences in a uniform direction, for a wave whose phase changes by `phase` per
 * cell. */
static double of_phase(const struct grid *g, int dir, double phase)
{
    const double half = sin(phase / 2) / width(g, dir, 0);
    return 4 * half * half;
}

double direct_operator_wave(const struct grid *g, int dir, int k)
{
    return of_phase(g, dir, 2 * PI * k / g->n_g[dir]);
}

/* The symmetric matrix W^(-1/2) A W^(-1/2). */
static void fill_matrix(const struct grid *g, int dir, double *m)
{
    const int n = g->n_g[dir];
    for (int i = 0; i < n; ++i) {
        const int next = (i + 1) % n;
        const double low = inverse_distance(g, dir, i), high = inverse_distance(g, dir, i + 1);
        m[(size_t)i * (size_t)n + (size_t)i] += (low + high) / width(g, dir, i);
        const double off = high / sqrt(width(g, dir, i) * width(g, dir, next));
        m[(size_t)i * (size_t)n + (size_t)next] -= off;
        m[(size_t)next * (size_t)n + (size_t)i] -= off;
    }
}

/* Solves the dense eigenvalue problem. The first vector is known: it is constant, with eigenvalue 0. */
static kol_status solve_dense(const struct grid *g, int dir, double *vectors, double *lambda)
{
    const int n = g->n_g[dir];
    double sum = 0;
    fill_matrix(g, dir, vectors);
    TRY(eigen_symmetric(n, vectors, lambda));
    for (int i = 0; i < n; ++i) sum += width(g, dir, i);
    lambda[0] = 0;
    for (int i = 0; i < n; ++i) {
        const double root = sqrt(width(g, dir, i));
        for (int k = 1; k < n; ++k) vectors[(size_t)k * (size_t)n + (size_t)i] /= root;
        vectors[i] = 1 / sqrt(sum);
    }
    return KOL_OK;
}

static kol_status dense_create(const struct comm *c, const struct grid *g, int dir, struct direct_operator *s)
{
    const int n = s->n[dir];
    kol_status st = KOL_OK;
    s->vectors[dir] = new_values((size_t)n * (size_t)n);
    if (s->vectors[dir] == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d eigenvectors", n);
    else if (c->rank == 0) st = solve_dense(g, dir, s->vectors[dir], s->lambda[dir]);
    TRY(comm_agree(c, st));
    MPI_TRY(MPI_Bcast(s->lambda[dir], n, MPI_DOUBLE, 0, c->mpi));
    for (int k = 0; k < n; ++k)
        MPI_TRY(MPI_Bcast(s->vectors[dir] + (size_t)k * (size_t)n, n, MPI_DOUBLE, 0, c->mpi));
    return KOL_OK;
}

static kol_status transformed_create(const struct comm *c, const struct grid *g, int dir,
                                     struct direct_operator *s)
{
    const int n = s->n[dir];
    s->lambda[dir] = new_values((size_t)n);
    TRY(comm_agree(c, s->lambda[dir] == NULL
                          ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for eigenvalues")
                          : KOL_OK));
    if (s->basis[dir] == FFT_DENSE) return dense_create(c, g, dir, s);
    for (int k = 0; k < n; ++k) {
        s->lambda[dir][k] = s->basis[dir] == FFT_FOURIER ? direct_operator_wave(g, dir, (k + 1) / 2)
                                                         : of_phase(g, dir, PI * k / n);
    }
    s->factor /= fft_scale(s->basis[dir], n) * width(g, dir, 0);
    return KOL_OK;
}

static kol_status left_create(const struct comm *c, const struct grid *g, int dir, struct direct_operator *s)
{
    const int n = s->n[dir];
    s->w = new_values((size_t)n);
    s->g = new_values((size_t)n + 1);
    TRY(comm_agree(c, s->w == NULL || s->g == NULL
                          ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d widths", n)
                          : KOL_OK));
    for (int i = 0; i < n; ++i) s->w[i] = width(g, dir, i);
    for (int i = 0; i <= n; ++i) s->g[i] = inverse_distance(g, dir, i);
    return KOL_OK;
}

kol_status direct_operator_create(const struct comm *c, const struct grid *g, int keep,
                                  struct direct_operator *s)
{
    TRY(comm_agree(c, direct_operator_plan(g, keep, s)));
    s->factor = 1;
    for (int n = 0; n < 2 + s->all_transformed; ++n) TRY(transformed_create(c, g, s->axis[n], s));
    return s->all_transformed ? KOL_OK : left_create(c, g, s->axis[2], s);
}

void direct_operator_destroy(struct direct_operator *s)
{
    for (int d = 0; d < 3; ++d) {
        free(s->lambda[d]);
        free(s->vectors[d]);
    }
    free(s->w);
    free(s->g);
    memset(s, 0, sizeof *s);
}
