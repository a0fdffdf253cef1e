/* Computes spectra and two-point correlations in planes parallel to walls. */
#include "wall_spectra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "kernels/fft.h"
#include "kernels/plane_lines.h"
#include "parallel/transpose.h"
#include "kernels/base/constants.h"

enum { A, B, DIRECTIONS }; /* homogeneous directions, in the order x, y, z */
enum { WORK = 3 };         /* arrays of planes */
/* Distributions of the planes: in the boxes of the ranks; with complete lines along a; with complete lines
 * along b. */
enum { BOXES, ALONG_A, ALONG_B, SPREADS };

enum { LISTS = (HEIGHT_PAIRS_MOST * HEIGHTS_MOST + LINES_PAIRS - 1) / LINES_PAIRS };

struct wall_spectra {
    const struct comm *comm;
    struct wall_spectra_plan plan;
    int cells[DIRECTIONS];          /* of this rank */
    int first_plane, planes, level; /* planes that this rank packs; offset of its levels */
    int first_pair, pairs;          /* that it adds up */
    struct piece *pieces;           /* of all spreads */
    struct spread spread[SPREADS];
    struct transposes *moves;
    struct fft_lines *lines[DIRECTIONS];
    struct plane_lines_pairs list[LISTS]; /* the pairs of this rank, LINES_PAIRS at a time */
    ptrdiff_t values;                     /* of a work array */
    double *work, *sums;                  /* kernel memory */
    double *own, *all;                    /* host: sums of this rank; of the grid */
    ptrdiff_t own_sums, all_sums;
};

/* --- the planes --- */

static int nearest(const double *at, int from, int to, double x)
{
    int best = from;
    for (int i = from + 1; i <= to; ++i)
        if (fabs(at[i] - x) < fabs(at[best] - x)) best = i;
    return best;
}

static int count_heights(const struct input *in)
{
    int n = 0;
    while (n < HEIGHTS_MOST && in->statistics.spectra_heights[n] != INPUT_NOWHERE) ++n;
    return n;
}

/* Plans the planes of a height. Its face is one of the two faces of its cell, but not a wall. So levels
 * increase from plane to plane, and the planes of a rank are neighbours. */
static void plan_planes(const struct input *in, const struct grid *g, struct wall_spectra_plan *p)
{
    const int n = g->n_g[p->normal];
    const double *face = g->face[p->normal];
    for (int h = 0; h < p->count; ++h) {
        p->asked[h] = in->statistics.spectra_heights[h];
        const int c = p->centre[h] = nearest(g->centre[p->normal], 0, n - 1, face[0] + p->asked[h]);
        p->face[h] = nearest(face, c > 1 ? c : 1, c + 1 < n ? c + 1 : n - 1, face[0] + p->asked[h]);
    }
}

static void plan_plane(struct wall_spectra_plan *p, int kind, int scalar, int place)
{
    p->plane[p->planes++] = (struct wall_spectra_plane){kind, scalar, place};
}

static void plan_pair(struct wall_spectra_plan *p, int pair)
{
    p->first[pair] = p->planes;
    p->order[p->pairs++] = pair;
}

/* Plans a pair of planes of the flow. If it is a square, they are the same. */
static void plan_of_flow(struct wall_spectra_plan *p, int pair, int first, int second)
{
    plan_pair(p, pair);
    plan_plane(p, first, -1, 0);
    if (second != first) plan_plane(p, second, -1, 0);
}

/* Plans the pair of a scalar, which takes the place of another field, with a component of the velocity. */
static void plan_of_scalar(struct wall_spectra_plan *p, int n, int pair, int kind, int place, int velocity)
{
    plan_pair(p, HEIGHT_PAIRS + n * SCALAR_PAIRS + pair);
    plan_plane(p, kind, n, place);
    plan_plane(p, velocity, -1, 0);
}

/* Plans the pairs in the order of their planes. */
static void plan_pairs(const struct input *in, struct wall_spectra_plan *p)
{
    p->scalars = scalar_count(in);
    for (int n = 0; n < p->scalars; ++n) {
        p->name[n] = in->scalars.name[n];
        p->unit[n] = in->scalars.unit[n];
    }
    plan_of_flow(p, PAIR_AA, PLANE_A, PLANE_A);
    plan_of_flow(p, PAIR_BB, PLANE_B, PLANE_B);
    plan_of_flow(p, PAIR_PP, PLANE_P, PLANE_P);
    for (int n = 0; n < p->scalars; ++n) {
        plan_pair(p, HEIGHT_PAIRS + n * SCALAR_PAIRS + PAIR_TT);
        plan_plane(p, PLANE_P, n, PLACE_OF_PRESSURE);
        plan_of_scalar(p, n, PAIR_TA, PLANE_N_AT_A, p->normal, PLANE_A);
        plan_of_scalar(p, n, PAIR_TB, PLANE_N_AT_B, p->normal, PLANE_B);
    }
    p->centres = p->planes;
    plan_of_flow(p, PAIR_NN, PLANE_N, PLANE_N);
    plan_of_flow(p, PAIR_AN, PLANE_A_FACE, PLANE_N_AT_A);
    plan_of_flow(p, PAIR_BN, PLANE_B_FACE, PLANE_N_AT_B);
    for (int n = 0; n < p->scalars; ++n) plan_of_scalar(p, n, PAIR_TN, PLANE_A_FACE, p->dir[A], PLANE_N);
}

static void plan(const struct input *in, const struct grid *g, int normal, struct wall_spectra_plan *p)
{
    memset(p, 0, sizeof *p);
    p->normal = normal;
    p->dir[A] = normal == X ? Y : X;
    p->dir[B] = normal == Z ? Y : Z;
    p->count = count_heights(in);
    for (int s = A; s <= B; ++s) {
        p->n[s] = g->n_g[p->dir[s]];
        p->waves[s] = p->n[s] / 2 + 1;
        p->step[s] = 2 * PI / g->length[p->dir[s]];
        p->h[s] = g->length[p->dir[s]] / p->n[s];
    }
    plan_planes(in, g, p);
    plan_pairs(in, p);
}

kol_status wall_spectra_check(const struct input *in, const struct input_source *source, const struct grid *g,
                              int normal)
{
    struct wall_spectra_plan p;
    plan(in, g, normal, &p);
    for (int h = 1; h < p.count; ++h) {
        const struct input_place at =
            input_place(source, offsetof(struct input, statistics.spectra_heights), h);
        if (p.centre[h] == p.centre[h - 1])
            RAISE(KOL_ERR_INPUT,
                  "%s: error: %s = %g lies in the same plane of cells as the height before it, %g; leave one "
                  "of "
                  "them out, or refine the grid there",
                  at.at, at.name, p.asked[h], p.asked[h - 1]);
    }
    return KOL_OK;
}

/* Level of plane number n. Planes of one height, which differ in kind, follow one another. */
static int level_of(const struct wall_spectra_plan *p, int plane)
{
    const int h = plane / p->planes;
    return plane % p->planes < p->centres ? p->centre[h] : p->face[h];
}

static int planes_below(const struct wall_spectra_plan *p, int level)
{
    int n = 0;
    while (n < p->count * p->planes && level_of(p, n) < level) ++n;
    return n;
}

/* The first plane of a place in the order of the pairs of all heights. */
static int first_plane_of(const struct wall_spectra_plan *p, int place)
{
    return place / p->pairs * p->planes + p->first[p->order[place % p->pairs]];
}

static int first_pair_of(const struct wall_spectra_plan *p, int rank, int ranks)
{
    return (int)((long long)p->count * p->pairs * rank / ranks);
}

static void pieces_of(const void *context, const struct decomp *d, int rank, int ranks,
                      struct piece out[SPREADS])
{
    const struct wall_spectra_plan *p = context;
    const int low = d->offset[p->normal], high = low + d->n[p->normal];
    for (int s = 0; s < SPREADS; ++s) {
        for (int e = A; e <= B; ++e) {
            out[s].lo[e] = s == BOXES ? d->offset[p->dir[e]] : 0;
            out[s].hi[e] = s == BOXES ? out[s].lo[e] + d->n[p->dir[e]] : p->n[e];
        }
        out[s].lo[2] = s == BOXES ? planes_below(p, low) : first_plane_of(p, first_pair_of(p, rank, ranks));
        out[s].hi[2] =
            s == BOXES ? planes_below(p, high) : first_plane_of(p, first_pair_of(p, rank + 1, ranks));
    }
}

static kol_status spread_out(struct wall_spectra *h, const struct decomp *d)
{
    static const int AXIS[SPREADS][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}};
    for (int n = 0; n < SPREADS; ++n) memcpy(h->spread[n].axis, AXIS[n], sizeof AXIS[n]);
    return spreads_create(h->comm, d, pieces_of, &h->plan, SPREADS, h->spread, &h->pieces);
}

static struct piece own_piece(const struct wall_spectra *h, int spread)
{
    return h->spread[spread].piece[h->comm->rank];
}

static ptrdiff_t lines_all(const struct wall_spectra *h, int s)
{
    return (ptrdiff_t)h->plan.count * h->plan.planes * h->plan.n[1 - s];
}

static ptrdiff_t lines_own(const struct wall_spectra *h, int s)
{
    return (ptrdiff_t)piece_count(own_piece(h, ALONG_A)) / h->plan.n[s];
}

static ptrdiff_t most_values(const struct wall_spectra *h)
{
    ptrdiff_t most = (ptrdiff_t)piece_count(own_piece(h, BOXES)) + 1;
    for (int s = A; s <= B; ++s) {
        const ptrdiff_t v = fft_lines_values(h->plan.n[s], lines_own(h, s), lines_all(h, s));
        most = v > most ? v : most;
    }
    return most + most % 2; /* FFTs need each array at a multiple of 16 bytes */
}

static void list_pairs(struct wall_spectra *h)
{
    const int first = own_piece(h, ALONG_A).lo[2];
    for (int q = 0; q < h->pairs; ++q) {
        struct plane_lines_pairs *list = &h->list[q / LINES_PAIRS];
        const int place = h->first_pair + q,
                  square = wall_spectra_is_square(h->plan.order[place % h->plan.pairs]);
        list->first[list->n] = first_plane_of(&h->plan, place) - first;
        list->second[list->n] = list->first[list->n] + !square;
        ++list->n;
    }
}

/* Computes everything that needs no kernel memory. */
static kol_status prepare(const struct comm *c, const struct input *in, const struct decomp *d,
                          const struct grid *g, int normal, struct wall_spectra *h)
{
    memset(h, 0, sizeof *h);
    h->comm = c;
    plan(in, g, normal, &h->plan);
    TRY(spread_out(h, d));
    for (int s = A; s <= B; ++s) h->cells[s] = d->n[h->plan.dir[s]];
    h->level = d->offset[normal];
    h->first_plane = own_piece(h, BOXES).lo[2];
    h->planes = own_piece(h, BOXES).hi[2] - h->first_plane;
    h->first_pair = first_pair_of(&h->plan, c->rank, c->size);
    h->pairs = first_pair_of(&h->plan, c->rank + 1, c->size) - h->first_pair;
    list_pairs(h);
    h->values = most_values(h);
    const ptrdiff_t each = h->plan.waves[A] + h->plan.waves[B] + 4;
    h->own_sums = h->pairs * each;
    h->all_sums = (ptrdiff_t)h->plan.count * h->plan.pairs * each;
    return KOL_OK;
}

static kol_status cosines_create(struct wall_spectra_plan *p)
{
    p->cosine[A] = calloc((size_t)(2 * (p->n[A] + p->n[B])), sizeof(double));
    if (p->cosine[A] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for cosines");
    p->cosine[B] = p->cosine[A] + p->n[A];
    p->row = p->cosine[B] + p->n[B];
    for (int s = A; s <= B; ++s)
        for (int i = 0; i < p->n[s]; ++i) p->cosine[s][i] = cos(2 * PI * i / p->n[s]);
    return KOL_OK;
}

static kol_status transforms_create(struct memory *memory, struct wall_spectra *h)
{
    for (int s = A; s <= B; ++s) {
        memory_library(memory, fft_lines_bytes(FFT_FOURIER, h->plan.n[s], lines_all(h, s)));
        if (memory_counts(memory)) continue;
        TRY(fft_lines_create(FFT_FOURIER, h->plan.n[s], lines_own(h, s), lines_all(h, s), NULL,
                             &h->lines[s]));
    }
    return KOL_OK;
}

static kol_status own_create(struct memory *memory, struct wall_spectra *h, int moves)
{
    TRY(cosines_create(&h->plan));
    if (!moves) return KOL_OK;
    TRY(memory_kernel(memory, (size_t)(WORK * h->values) * sizeof(double), (void **)&h->work));
    TRY(memory_kernel(memory, (size_t)(h->own_sums + 1) * sizeof(double), (void **)&h->sums));
    TRY(memory_host(memory, (size_t)(h->own_sums + 1) * sizeof(double), (void **)&h->own));
    TRY(memory_host(memory, (size_t)h->all_sums * sizeof(double), (void **)&h->all));
    return transforms_create(memory, h);
}

kol_status wall_spectra_create(struct memory *memory, const struct comm *c, const struct input *in,
                               const struct decomp *d, const struct grid *g, int normal,
                               const char *transport, struct wall_spectra **out)
{
    struct wall_spectra *h = *out = calloc(1, sizeof *h);
    TRY(memory_agree(memory, c,
                     h == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for spectra")
                               : KOL_OK));
    TRY(memory_agree(memory, c, prepare(c, in, d, g, normal, h)));
    if (transport != NULL) TRY(transposes_create(memory, c, transport, h->spread, SPREADS, &h->moves));
    return memory_agree(memory, c, own_create(memory, h, transport != NULL));
}

void wall_spectra_destroy(struct wall_spectra **heights)
{
    struct wall_spectra *h = *heights;
    if (h == NULL) return;
    transposes_destroy(&h->moves);
    for (int s = A; s <= B; ++s) fft_lines_destroy(&h->lines[s]);
    mem_kernel_free(h->work);
    mem_kernel_free(h->sums);
    mem_host_free(h->own);
    mem_host_free(h->all);
    free(h->plan.cosine[A]);
    free(h->pieces);
    free(h);
    *heights = NULL;
}

const struct wall_spectra_plan *wall_spectra_planned(const struct wall_spectra *h)
{
    return &h->plan;
}

/* --- a sample --- */

ptrdiff_t wall_spectra_size(const struct wall_spectra_plan *p)
{
    return (ptrdiff_t)p->pairs * p->count * (p->waves[A] + p->waves[B]);
}

ptrdiff_t wall_spectra_first(const struct wall_spectra_plan *p, int pair, int direction)
{
    return p->count * ((ptrdiff_t)pair * (p->waves[A] + p->waves[B]) + (direction == B ? p->waves[A] : 0));
}

ptrdiff_t wall_spectra_first_mean(const struct wall_spectra_plan *p, int pair, int factor)
{
    return wall_spectra_size(p) + (ptrdiff_t)(2 * pair + factor) * p->count;
}

static ptrdiff_t levels_at(const struct wall_spectra_plan *p)
{
    return wall_spectra_first_mean(p, p->pairs, 0);
}

int wall_spectra_values(const struct wall_spectra *h)
{
    return (int)levels_at(&h->plan) + 2 * h->plan.count;
}

int wall_spectra_same(const struct wall_spectra *h, const double *mean)
{
    const double *level = mean + levels_at(&h->plan);
    for (int n = 0; n < h->plan.count; ++n)
        if (level[n] != h->plan.centre[n] || level[h->plan.count + n] != h->plan.face[n]) return 0;
    return 1;
}

/* fields: what planes are taken of. */
struct fields {
    real *vel[3];
    const real *p;
    real *const *scalar;
};

static struct fields fields_of(const struct fields *f, const struct wall_spectra_plane *plane)
{
    struct fields out = *f;
    if (plane->scalar < 0) return out;
    if (plane->place == PLACE_OF_PRESSURE) out.p = f->scalar[plane->scalar];
    else out.vel[plane->place] = f->scalar[plane->scalar];
    return out;
}

static kol_status pack_planes(struct wall_spectra *h, const struct grid *g, const struct fields *f,
                              double *to)
{
    for (int n = 0; n < h->planes; ++n, to += (ptrdiff_t)h->cells[A] * h->cells[B]) {
        const int number = h->first_plane + n;
        const struct wall_spectra_plane *plane = &h->plan.plane[number % h->plan.planes];
        const struct fields of = fields_of(f, plane);
        TRY(plane_lines_pack(g->box, h->plan.normal, (enum plane_kind)plane->kind,
                             level_of(&h->plan, number) - h->level, of.vel, of.p, to));
    }
    return KOL_OK;
}

static kol_status products(struct wall_spectra *h, int s, const double *lines, double *to)
{
    const int *n = h->plan.n;
    for (int l = 0; l < LISTS && h->list[l].n > 0; ++l) {
        TRY(plane_lines_products(&h->list[l], n[s], n[1 - s], lines, to));
        to += (ptrdiff_t)h->list[l].n * (h->plan.waves[s] + 2);
    }
    return KOL_OK;
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* Sums of this rank: of all pairs along a, then along b. */
static kol_status add_lines(struct wall_spectra *h, const struct fields *f, const struct grid *g)
{
    double *raw = h->work, *lines = raw + h->values, *last = lines + h->values;
    TRY(pack_planes(h, g, f, raw));
    if (!transposes_same(h->moves, BOXES)) {
        TRY(transposes_forward(h->moves, BOXES, (struct spread_source){.values = raw},
                               (struct spread_target){.values = lines}));
        swap(&raw, &lines);
    }
    TRY(transposes_forward(h->moves, ALONG_A, (struct spread_source){.values = raw},
                           (struct spread_target){.values = lines}));
    TRY(fft_lines_forward(h->lines[B], lines, last));
    TRY(products(h, B, last, h->sums + (ptrdiff_t)h->pairs * (h->plan.waves[A] + 2)));
    TRY(fft_lines_forward(h->lines[A], raw, last));
    TRY(products(h, A, last, h->sums));
    return transposes_settle(h->moves);
}

/* Copies the sums of this rank to their places among those of the whole grid; the other places are 0. So the
 * sum over ranks is exact in any order. */
static void place_own(struct wall_spectra *h)
{
    const double *from = h->own;
    double *to = h->all;
    memset(h->all, 0, (size_t)h->all_sums * sizeof *h->all);
    for (int s = A; s <= B; ++s) {
        const ptrdiff_t each = h->plan.waves[s] + 2;
        memcpy(to + h->first_pair * each, from, (size_t)(h->pairs * each) * sizeof *to);
        from += h->pairs * each;
        to += (ptrdiff_t)h->plan.count * h->plan.pairs * each;
    }
}

static void add_up(const struct wall_spectra *h, double *value)
{
    const struct wall_spectra_plan *p = &h->plan;
    const double *from = h->all, cells = (double)p->n[A] * p->n[B];
    for (int s = A; s <= B; ++s) {
        const double scale = 1 / (cells * p->n[s] * p->step[s]);
        for (int n = 0; n < p->count * p->pairs; ++n, from += p->waves[s] + 2) {
            const int height = n / p->pairs, pair = p->order[n % p->pairs];
            double *to = value + wall_spectra_first(p, pair, s) + (ptrdiff_t)height * p->waves[s];
            for (int m = 0; m < p->waves[s]; ++m) to[m] = scale * from[m] + 0.0; /* no negative zeros */
            for (int f = 0; f < 2 && s == A; ++f)
                value[wall_spectra_first_mean(p, pair, f) + height] = from[p->waves[s] + f] / cells + 0.0;
        }
    }
    for (int n = 0; n < p->count; ++n) {
        value[levels_at(p) + n] = p->centre[n];
        value[levels_at(p) + p->count + n] = p->face[n];
    }
}

kol_status wall_spectra_sample(struct wall_spectra *h, const struct grid *g, real *const vel[3],
                               const real *p, real *const *scalar, double *value)
{
    const struct fields f = {{vel[X], vel[Y], vel[Z]}, p, scalar};
    TRY(add_lines(h, &f, g));
    TRY(mem_to_host(h->own, h->sums, (size_t)h->own_sums * sizeof *h->own));
    place_own(h);
    if (h->comm->size > 1) {
        const int root = h->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : h->all, root ? h->all : NULL, (int)h->all_sums, MPI_DOUBLE,
                           MPI_SUM, 0, h->comm->mpi));
    }
    if (value != NULL) add_up(h, value);
    return KOL_OK;
}
