/* Inverts the pressure's operator by transforms and tridiagonal systems. */
#include "direct.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/fft.h"
#include "kernels/transpose.h"
#include "kernels/tridiag.h"
#include "direct_planes.h"
#include "direct_single.h"
#include "direct_operator.h"
#include "parallel/transpose.h"

/* The distributions of the values: the boxes of the field, pencils along the first and the second transformed
 * direction, and pencils along the last direction. */
enum { BOXES, FIRST, SECOND, LAST, SPREADS };
enum { SCRATCH = 2 }; /* values of struct tridiag.mean */
_Static_assert((int)SPREADS <= (int)TRANSPOSE_SPREADS, "one object moves them all");

struct direct {
    const struct comm *comm;
    struct box box;
    struct direct_operator op;
    int single_fft; /* there is one rank, and one multidimensional FFT transforms x and y, or all three */
    int once;       /* single_fft, and z is solved in one pass without factors */
    int by_planes;  /* there is one rank, and its lines are transformed plane by plane */
    int own_planes; /* several ranks transform complete planes: `planes` does it all */
    struct direct_planes *planes;
    struct direct_single *single; /* NULL: in double precision */
    struct piece *pieces;         /* of all spreads */
    struct spread spread[SPREADS];
    struct transposes *moves;
    struct fft_lines *lines[3]; /* in the order of op.axis */
    struct fft_whole *all;
    double *work[2];
    double *plane[2];  /* by_planes: the values of one plane of the first two directions */
    double *lambda[3]; /* kernel memory; eigenvalues of the coefficients of the last spread, by place in its
                          order of axes */
    int count[3];      /* of them */
    double *widths;    /* w, then g, of the direction without a transform */
    double *factors;   /* pivots, border, 2 values of scratch; NULL in one pass */
    struct tridiag systems;
};

/* Chooses the method, before the operator is separated. */
static void choose(const struct domain *domain, struct direct *s)
{
    const struct grid *g = &domain->grid;
    s->own_planes = direct_planes_there(domain);
    s->single_fft = domain->comm.size == 1 && fft_whole_there() && g->uniform[X] && g->periodic[X] &&
                    g->uniform[Y] && g->periodic[Y];
    s->once = s->single_fft && tridiag_once_there(g->n_g[Z]);
    s->by_planes = domain->comm.size == 1 && !fft_whole_there();
}

static ptrdiff_t spectrum_values(struct box b)
{
    return (ptrdiff_t)2 * (b.nx / 2 + 1) * b.ny * b.nz;
}

/* Pieces of one rank. The ranks form a grid of parts[0] x parts[1]: parts[0] divides the two transformed
 * directions, parts[1] the last one. So each rank exchanges with few ranks, which are near. */
static void pieces_of(const void *context, const struct decomp *d, int rank, int ranks,
                      struct piece out[SPREADS])
{
    const struct direct_operator *op = context;
    const int a = op->axis[0], b = op->axis[1], t = op->axis[2];
    const int parts[2] = {d->ranks[a] * d->ranks[b], d->ranks[t]};
    const int part[2] = {d->coord[b] * d->ranks[a] + d->coord[a], d->coord[t]};
    (void)rank;
    (void)ranks;
    spread_boxes(d, BOXES, SPREADS, out);
    spread_cut(&out[FIRST], b, d->n_g[b], part[0], parts[0]);
    spread_cut(&out[FIRST], t, d->n_g[t], part[1], parts[1]);
    spread_cut(&out[SECOND], a, d->n_g[a], part[0], parts[0]);
    spread_cut(&out[SECOND], t, d->n_g[t], part[1], parts[1]);
    spread_cut(&out[LAST], a, d->n_g[a], part[0], parts[0]);
    spread_cut(&out[LAST], b, d->n_g[b], part[1], parts[1]);
}

static void set_axes(struct spread *s, int first, int second, int third)
{
    s->axis[0] = first;
    s->axis[1] = second;
    s->axis[2] = third;
}

/* Distributes the values. Lines to be transformed are contiguous; the levels of tridiagonal systems are
 * planes, in the order in which the second transform leaves them. */
static kol_status spread_out(const struct comm *c, const struct decomp *d, struct direct *s)
{
    const int a = s->op.axis[0], b = s->op.axis[1], t = s->op.axis[2];
    s->spread[BOXES].box = &s->box;
    set_axes(&s->spread[BOXES], X, Y, Z);
    set_axes(&s->spread[FIRST], a, b, t);
    set_axes(&s->spread[SECOND], b, a, t);
    if (s->op.all_transformed) set_axes(&s->spread[LAST], t, b, a);
    else set_axes(&s->spread[LAST], b, a, t);
    return spreads_create(c, d, pieces_of, &s->op, SPREADS, s->spread, &s->pieces);
}

/* Number of lines along the n-th transformed direction: of this rank, and of the grid. */
static ptrdiff_t lines_own(const struct direct *s, int n)
{
    const ptrdiff_t cells = (ptrdiff_t)piece_count(s->spread[FIRST + n].piece[s->comm->rank]);
    return cells / s->op.n[s->op.axis[n]];
}

/* Number of lines that are transformed together. */
static ptrdiff_t lines_together(const struct direct *s, int n)
{
    return s->by_planes && n < 2 ? s->op.n[s->op.axis[1 - n]] : lines_own(s, n);
}

/* Values of a plane of the first two directions. */
static ptrdiff_t values_of_plane(const struct direct *s)
{
    return (ptrdiff_t)s->op.n[s->op.axis[0]] * s->op.n[s->op.axis[1]];
}

/* Work arrays of all values: where planes are transformed one by one, only the third transform needs two. */
static int work_arrays(const struct direct *s)
{
    return s->single_fft || (s->by_planes && !s->op.all_transformed) ? 1 : 2;
}

static ptrdiff_t lines_all(const struct direct *s, int n)
{
    const int dir = s->op.axis[n];
    return (ptrdiff_t)s->op.n[X] * s->op.n[Y] * s->op.n[Z] / s->op.n[dir];
}

static int transforms(const struct direct *s)
{
    return 2 + s->op.all_transformed;
}

/* Values of a work array. */
static ptrdiff_t work_values(const struct direct *s)
{
    if (s->single_fft) return spectrum_values(s->box);
    ptrdiff_t most = (ptrdiff_t)piece_count(s->spread[LAST].piece[s->comm->rank]);
    for (int n = 0; n < transforms(s); ++n) {
        const ptrdiff_t v = fft_lines_values(s->op.n[s->op.axis[n]], lines_own(s, n), lines_all(s, n));
        most = v > most ? v : most;
    }
    return most;
}

/* Number of values of the tridiagonal matrices of this rank's columns: pivots, border and scratch. */
static ptrdiff_t factor_values(const struct direct *s)
{
    if (s->op.all_transformed || s->once) return 0;
    const ptrdiff_t pivots = s->single_fft ? spectrum_values(s->box) / 2
                                           : (ptrdiff_t)piece_count(s->spread[LAST].piece[s->comm->rank]);
    return pivots * (s->op.cyclic ? 2 : 1) + SCRATCH;
}

/* Computes everything that needs no kernel memory. */
static kol_status plan(const struct domain *domain, struct direct *s)
{
    s->comm = &domain->comm;
    s->box = domain->grid.box;
    return spread_out(&domain->comm, &domain->decomp, s);
}

/* Copies n values of a host array, from `first` on, to kernel memory. If memory is only counted, the array is
 * not read. */
static kol_status upload(struct memory *memory, const double *host, int first, int n, double **out)
{
    const size_t bytes = (size_t)n * sizeof(double);
    TRY(memory_kernel(memory, bytes, (void **)out));
    return memory_counts(memory) ? KOL_OK : mem_to_kernel(*out, host + first, bytes);
}

/* Eigenvalues by wavenumber, in the order of the spectrum of fft_whole. */
static kol_status waves_create(struct memory *memory, const struct grid *g, struct direct *s)
{
    double *host = malloc((size_t)(s->op.n[X] + s->op.n[Y] + s->op.n[Z]) * sizeof *host);
    kol_status st = KOL_OK;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for eigenvalues");
    for (int dir = 0; dir < transforms(s); ++dir) {
        s->count[dir] = dir == X ? s->op.n[X] / 2 + 1 : s->op.n[dir];
        for (int k = 0; k < s->count[dir]; ++k) host[k] = direct_operator_wave(g, dir, k);
        TRY_OR(done, upload(memory, host, 0, s->count[dir], &s->lambda[dir]));
    }
done:
    free(host);
    return st;
}

/* Eigenvalues for this rank's coefficients in the last spread. */
static kol_status coefficients_create(struct memory *memory, struct direct *s)
{
    const struct spread *last = &s->spread[LAST];
    const struct piece p = last->piece[s->comm->rank];
    for (int n = 0; n < 3; ++n) {
        const int dir = last->axis[n];
        s->count[n] = p.hi[dir] > p.lo[dir] ? p.hi[dir] - p.lo[dir] : 0;
        if (dir != s->op.axis[2] || s->op.all_transformed)
            TRY(upload(memory, s->op.lambda[dir], p.lo[dir], s->count[n], &s->lambda[n]));
    }
    return KOL_OK;
}

static kol_status factor(struct direct *s)
{
    const ptrdiff_t pivots = (factor_values(s) - SCRATCH) / (s->op.cyclic ? 2 : 1);
    s->systems.mean = s->factors;
    s->systems.pivot = s->factors + SCRATCH;
    s->systems.border = s->op.cyclic ? s->systems.pivot + pivots : NULL;
    return tridiag_factor(s->systems);
}

static kol_status systems_create(struct memory *memory, struct direct *s)
{
    const int n = s->op.n[s->op.axis[2]];
    const struct piece p = s->spread[LAST].piece[s->comm->rank];
    TRY(memory_kernel(memory, (size_t)(2 * n + 1) * sizeof(double), (void **)&s->widths));
    if (!s->once) TRY(memory_kernel(memory, (size_t)factor_values(s) * sizeof(double), (void **)&s->factors));
    if (memory_counts(memory)) return KOL_OK;
    TRY(mem_to_kernel(s->widths, s->op.w, (size_t)n * sizeof(double)));
    TRY(mem_to_kernel(s->widths + n, s->op.g, (size_t)(n + 1) * sizeof(double)));
    s->systems = (struct tridiag){.n = n,
                                  .na = s->count[0],
                                  .nb = s->count[1],
                                  .parts = s->single_fft ? 2 : 1,
                                  .zero = p.lo[s->op.axis[0]] == 0 && p.lo[s->op.axis[1]] == 0,
                                  .la = s->lambda[0],
                                  .lb = s->lambda[1],
                                  .w = s->widths,
                                  .g = s->widths + n};
    return s->once ? KOL_OK : factor(s);
}

static kol_status transforms_create(struct direct *s)
{
    if (s->single_fft) return fft_whole_create(s->box, transforms(s), &s->all);
    for (int n = 0; n < transforms(s); ++n) {
        const int dir = s->op.axis[n];
        TRY(fft_lines_create(s->op.basis[dir], s->op.n[dir], lines_together(s, n), lines_all(s, n),
                             s->op.vectors[dir], &s->lines[n]));
    }
    return KOL_OK;
}

static kol_status transforms_count(struct memory *memory, const struct direct *s)
{
    size_t bytes = 0;
    if (s->single_fft) TRY(fft_whole_bytes(s->box, transforms(s), &bytes));
    for (int n = 0; n < transforms(s) && !s->single_fft; ++n) {
        const int dir = s->op.axis[n];
        bytes += fft_lines_bytes(s->op.basis[dir], s->op.n[dir], lines_all(s, n));
    }
    memory_library(memory, bytes);
    return KOL_OK;
}

/* Creates what belongs to this rank alone. */
static kol_status own_create(struct memory *memory, const struct grid *g, struct direct *s)
{
    for (int n = 0; n < work_arrays(s); ++n)
        TRY(memory_kernel(memory, (size_t)work_values(s) * sizeof(double), (void **)&s->work[n]));
    for (int n = 0; n < 2 && s->by_planes; ++n)
        TRY(memory_kernel(memory, (size_t)values_of_plane(s) * sizeof(double), (void **)&s->plane[n]));
    TRY(s->single_fft ? waves_create(memory, g, s) : coefficients_create(memory, s));
    TRY(memory_counts(memory) ? transforms_count(memory, s) : transforms_create(s));
    return s->op.all_transformed ? KOL_OK : systems_create(memory, s);
}

kol_status direct_create(const struct domain *domain, int single, struct direct **out)
{
    struct memory *memory = domain->memory;
    const struct comm *c = &domain->comm;
    const struct grid *g = &domain->grid;
    struct direct *s = calloc(1, sizeof *s);
    *out = s;
    TRY(memory_agree(memory, c,
                     s == NULL
                         ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the direct solver")
                         : KOL_OK));
    choose(domain, s);
    const int keep = s->once || s->own_planes || single;
    TRY(memory_counts(memory) ? direct_operator_plan(g, keep, &s->op)
                              : direct_operator_create(c, g, keep, &s->op));
    if (single) return direct_single_create(domain, &s->op, &s->single);
    if (s->own_planes) return direct_planes_create(domain, &s->op, &s->planes);
    TRY(memory_agree(memory, c, plan(domain, s)));
    if (!s->single_fft)
        TRY(transposes_create(memory, c, halo_transport(domain->halo), s->spread, SPREADS, &s->moves));
    return memory_agree(memory, c, own_create(memory, g, s));
}

void direct_destroy(struct direct **s)
{
    struct direct *q = *s;
    if (q == NULL) return;
    direct_planes_destroy(&q->planes);
    direct_single_destroy(&q->single);
    transposes_destroy(&q->moves);
    for (int n = 0; n < 3; ++n) {
        fft_lines_destroy(&q->lines[n]);
        mem_kernel_free(q->lambda[n]);
    }
    fft_whole_destroy(&q->all);
    mem_kernel_free(q->work[0]);
    mem_kernel_free(q->work[1]);
    mem_kernel_free(q->plane[0]);
    mem_kernel_free(q->plane[1]);
    mem_kernel_free(q->widths);
    mem_kernel_free(q->factors);
    direct_operator_destroy(&q->op);
    free(q->pieces);
    free(q);
    *s = NULL;
}

static kol_status apply_single_fft(struct direct *s, const real *r, real *z)
{
    double *spectrum = s->work[0];
    TRY(fft_whole_forward(s->all, r, spectrum));
    if (s->once) {
        TRY(tridiag_solve_once(s->systems, s->op.factor, spectrum));
    } else if (s->op.all_transformed) {
        TRY(tridiag_diagonal(s->count, 2, s->lambda[0], s->lambda[1], s->lambda[2], s->op.factor, spectrum));
    } else {
        TRY(tridiag_solve(s->systems, s->op.factor, spectrum));
    }
    return fft_whole_backward(s->all, spectrum, z);
}

/* Exchanges the two work arrays; the first one holds the values. */
static void swap(double *work[2])
{
    double *first = work[0];
    work[0] = work[1];
    work[1] = first;
}

static struct spread_source from_values(const double *values)
{
    return (struct spread_source){.values = values};
}

static struct spread_target to_values(double *values)
{
    return (struct spread_target){.values = values};
}

/* Moves the values from spread n to the next one, or back (`back`), unless both are the same. */
static kol_status step(struct direct *s, int n, int back, double *work[2])
{
    if (transposes_same(s->moves, n)) return KOL_OK;
    if (back) TRY(transposes_backward(s->moves, n, from_values(work[0]), to_values(work[1])));
    else TRY(transposes_forward(s->moves, n, from_values(work[0]), to_values(work[1])));
    swap(work);
    return KOL_OK;
}

static kol_status transform(struct direct *s, int n, int back, double *work[2])
{
    if (back) TRY(fft_lines_backward(s->lines[n], work[0], work[1]));
    else TRY(fft_lines_forward(s->lines[n], work[0], work[1]));
    swap(work);
    return KOL_OK;
}

/* Solves along the last direction, for its coefficients or for its levels. */
static kol_status solve_last(struct direct *s, double *work[2])
{
    if (!s->op.all_transformed) return tridiag_solve(s->systems, s->op.factor, work[0]);
    TRY(transform(s, 2, 0, work));
    TRY(tridiag_diagonal(s->count, 1, s->lambda[0], s->lambda[1], s->lambda[2], s->op.factor, work[0]));
    return transform(s, 2, 1, work);
}

/* --- plane by plane --- */

/* Layouts of a plane: in the field; with lines along the first direction; with lines along the second. */
enum plane_layout { IN_FIELD, FIRST_LINES, SECOND_LINES };

static void plane_strides(const struct direct *s, enum plane_layout layout, ptrdiff_t stride[3])
{
    const int a = s->op.axis[0], b = s->op.axis[1];
    const ptrdiff_t field[3] = {1, s->box.sy, s->box.sz};
    for (int d = 0; d < 3; ++d) stride[d] = layout == IN_FIELD ? field[d] : 0;
    if (layout == IN_FIELD) return;
    stride[a] = layout == FIRST_LINES ? 1 : s->op.n[b];
    stride[b] = layout == FIRST_LINES ? s->op.n[a] : 1;
}

static struct strided plane_move(const struct direct *s, enum plane_layout from, enum plane_layout to)
{
    struct strided move = {.n = {1, 1, 1}};
    for (int n = 0; n < 2; ++n) move.n[s->op.axis[n]] = s->op.n[s->op.axis[n]];
    plane_strides(s, from, move.from);
    plane_strides(s, to, move.to);
    return move;
}

/* Transforms plane k of the field in both directions, to `out`. A plane stays in the cache meanwhile. */
static kol_status plane_forward(struct direct *s, const real *field, double *out)
{
    TRY(transpose_from_field(plane_move(s, IN_FIELD, FIRST_LINES), field, s->plane[0]));
    TRY(fft_lines_forward(s->lines[0], s->plane[0], s->plane[1]));
    TRY(transpose_values(plane_move(s, FIRST_LINES, SECOND_LINES), s->plane[1], s->plane[0]));
    return fft_lines_forward(s->lines[1], s->plane[0], out);
}

static kol_status plane_backward(struct direct *s, double *in, real *field)
{
    TRY(fft_lines_backward(s->lines[1], in, s->plane[0]));
    TRY(transpose_values(plane_move(s, SECOND_LINES, FIRST_LINES), s->plane[0], s->plane[1]));
    TRY(fft_lines_backward(s->lines[0], s->plane[1], s->plane[0]));
    return transpose_to_field(plane_move(s, FIRST_LINES, IN_FIELD), s->plane[0], field);
}

/* The same operations as those of several ranks, in another order. */
static kol_status apply_by_planes(struct direct *s, const real *r, real *z)
{
    const int t = s->op.axis[2];
    const ptrdiff_t apart = t == X ? 1 : t == Y ? s->box.sy : s->box.sz, values = values_of_plane(s);
    double *work[2] = {s->work[0], s->work[1]};
    for (int k = 0; k < s->op.n[t]; ++k)
        TRY(plane_forward(s, r + s->box.start + k * apart, work[0] + k * values));
    TRY(step(s, SECOND, 0, work));
    TRY(solve_last(s, work));
    TRY(step(s, SECOND, 1, work));
    for (int k = 0; k < s->op.n[t]; ++k)
        TRY(plane_backward(s, work[0] + k * values, z + s->box.start + k * apart));
    return KOL_OK;
}

kol_status direct_apply(struct direct *s, const real *r, real *z)
{
    double *work[2] = {s->work[0], s->work[1]};
    if (s->single != NULL) return direct_single_apply(s->single, r, z);
    if (s->own_planes) return direct_planes_apply(s->planes, r, z);
    if (s->single_fft) return apply_single_fft(s, r, z);
    if (s->by_planes) return apply_by_planes(s, r, z);
    TRY(transposes_forward(s->moves, BOXES, (struct spread_source){.field = r}, to_values(work[0])));
    TRY(transform(s, 0, 0, work));
    TRY(step(s, FIRST, 0, work));
    TRY(transform(s, 1, 0, work));
    TRY(step(s, SECOND, 0, work));
    TRY(solve_last(s, work));
    TRY(step(s, SECOND, 1, work));
    TRY(transform(s, 1, 1, work));
    TRY(step(s, FIRST, 1, work));
    TRY(transform(s, 0, 1, work));
    return transposes_backward(s->moves, BOXES, from_values(work[0]), (struct spread_target){.field = z});
}

struct direct_single *direct_in_single(struct direct *s)
{
    return s->single;
}
