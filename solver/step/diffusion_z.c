/* Solves for the diffusion in z alone: one tridiagonal system for each column of cells, whose factors are
 * kept from step to step. Where z is divided over ranks, the columns are first gathered. */
#include "diffusion_z.h"

#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "kernels/column_diffusion.h"
#include "kernels/point/column_diffusion.h"
#include "kernels/transpose.h"
#include "boundary/open_faces.h"
#include "parallel/transpose.h"
#include "math/rk3_scheme.h"
#include "scalars/scalar_faces.h"

/* factors: the factors for one length of a stage, of which a scheme has up to three. host and kernel hold
 * low, high and inverse for centres, the same for faces, then the profile. */
enum { LENGTHS = 3, ROWS = 6 };
struct factors {
    double theta; /* dts nu/2 [L^2]; 0: there are none yet */
    double mean;  /* of the profile */
    double *host, *kernel;
    real *profile; /* the one in kernel memory */
};

/* slice: for z divided over ranks. The boxes of right-hand sides become pencils along z, and later boxes
 * again. The ranks of a column of boxes divide its rows in y between them. */
enum { BOXES, PENCILS, SPREADS };
struct slice {
    struct piece *pieces; /* of both spreads */
    struct spread spread[SPREADS];
    struct transposes *moves;
    double *box, *pencil;
};
/* scalar_factors: of each scalar, for centres alone, and its values beyond the ends: factor times the value
 * inside plus add. */
struct scalar_factors {
    struct factors length[SCALARS_MOST][LENGTHS];
    int latest[SCALARS_MOST];
    double outside[SCALARS_MOST][2], add[SCALARS_MOST][2];
};
struct diffusion_z {
    struct factors length[LENGTHS];
    int latest;
    struct scalar_factors *scalars; /* NULL: there are none */
    double *column;                 /* scratch, one value a level */
    int first;                      /* global number of this rank's first level */
    struct slice cut;               /* empty if z is not divided */
};

static int wanted(const struct domain *domain)
{
    return diffusion_is_implicit_z(domain->in) && domain->in->fluid.nu > 0;
}

static int with_scalars(const struct domain *domain)
{
    return scalar_count(domain->in) > 0;
}

static size_t bytes_of(const struct grid *g)
{
    return (size_t)g->n_g[Z] * (ROWS * sizeof(double) + sizeof(real));
}

static real *profile_of(const struct grid *g, double *store)
{
    return (real *)(store + (ptrdiff_t)ROWS * g->n_g[Z]);
}

/* --- where z is cut --- */

static void pieces_of(const void *context, const struct decomp *d, int rank, int ranks,
                      struct piece out[SPREADS])
{
    (void)context;
    (void)rank;
    (void)ranks;
    const int own = d->n[Y], part = d->coord[Z], parts = d->ranks[Z];
    for (int dir = 0; dir < 3; ++dir) {
        out[BOXES].lo[dir] = d->offset[dir];
        out[BOXES].hi[dir] = d->offset[dir] + d->n[dir];
    }
    out[PENCILS] = out[BOXES];
    out[PENCILS].lo[Y] = d->offset[Y] + (int)((long long)own * part / parts);
    out[PENCILS].hi[Y] = d->offset[Y] + (int)((long long)own * (part + 1) / parts);
    out[PENCILS].lo[Z] = 0;
    out[PENCILS].hi[Z] = d->n_g[Z];
}

static kol_status cut_plan(const struct comm *c, const struct decomp *d, struct slice *cut)
{
    for (int s = 0; s < SPREADS; ++s) cut->spread[s] = (struct spread){.axis = {X, Y, Z}};
    return spreads_create(c, d, pieces_of, NULL, SPREADS, cut->spread, &cut->pieces);
}

static size_t values_of(const struct slice *cut, int rank, int spread)
{
    return piece_count(cut->spread[spread].piece[rank]) + 1; /* a piece may be empty */
}

static kol_status cut_own(struct memory *memory, const struct comm *c, struct slice *cut)
{
    TRY(memory_kernel(memory, values_of(cut, c->rank, BOXES) * sizeof(double), (void **)&cut->box));
    return memory_kernel(memory, values_of(cut, c->rank, PENCILS) * sizeof(double), (void **)&cut->pencil);
}

/* The right-hand sides of a scalar, if z is not divided. */
static kol_status box_create(const struct domain *domain, struct slice *cut)
{
    const struct box b = domain->grid.box;
    const size_t values = (size_t)b.nx * (size_t)b.ny * (size_t)b.nz;
    return memory_agree(domain->memory, &domain->comm,
                        memory_kernel(domain->memory, values * sizeof(double), (void **)&cut->box));
}

static kol_status cut_create(const struct domain *domain, struct slice *cut)
{
    const struct comm *c = &domain->comm;
    if (domain->decomp.ranks[Z] == 1) return with_scalars(domain) ? box_create(domain, cut) : KOL_OK;
    TRY(memory_agree(domain->memory, c, cut_plan(c, &domain->decomp, cut)));
    TRY(transposes_create(domain->memory, c, halo_transport(domain->halo), cut->spread, SPREADS,
                          &cut->moves));
    return memory_agree(domain->memory, c, cut_own(domain->memory, c, cut));
}

static void cut_destroy(struct slice *cut)
{
    transposes_destroy(&cut->moves);
    mem_kernel_free(cut->box);
    mem_kernel_free(cut->pencil);
    free(cut->pieces);
}

static kol_status factors_create(const struct domain *domain, struct diffusion_z *z)
{
    z->first = domain->decomp.offset[Z];
    z->column = malloc((size_t)domain->grid.n_g[Z] * sizeof *z->column);
    if (z->column == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the factors of diffusion in z");
    for (int i = 0; i < LENGTHS; ++i) {
        TRY(memory_host(domain->memory, bytes_of(&domain->grid), (void **)&z->length[i].host));
        TRY(memory_kernel(domain->memory, bytes_of(&domain->grid), (void **)&z->length[i].kernel));
        if (memory_counts(domain->memory)) continue;
        z->length[i].profile = profile_of(&domain->grid, z->length[i].kernel);
    }
    return KOL_OK;
}

static kol_status scalars_create(const struct domain *domain, struct diffusion_z *z)
{
    if (!with_scalars(domain)) return KOL_OK;
    struct scalar_factors *s = z->scalars = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the factors of diffusion in z");
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        for (int side = 0; side < 2; ++side) {
            const struct scalar_beyond beyond =
                scalar_faces_beyond(domain->in, &domain->grid, n, FACE_Z_LOW + side);
            s->outside[n][side] = 1 - beyond.factor;
            s->add[n][side] = beyond.add;
        }
        for (int i = 0; i < LENGTHS; ++i) {
            TRY(memory_host(domain->memory, bytes_of(&domain->grid), (void **)&s->length[n][i].host));
            TRY(memory_kernel(domain->memory, bytes_of(&domain->grid), (void **)&s->length[n][i].kernel));
        }
    }
    return KOL_OK;
}

static kol_status factors_and_scalars(const struct domain *domain, struct diffusion_z *z)
{
    TRY(factors_create(domain, z));
    return scalars_create(domain, z);
}

kol_status diffusion_z_create(struct step *step)
{
    const struct domain *domain = step->domain;
    if (!wanted(domain)) return KOL_OK;
    struct diffusion_z *z = step->diffusion_z = calloc(1, sizeof *z);
    TRY(memory_agree(domain->memory, &domain->comm,
                     z == NULL ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                              "no memory for the factors of diffusion in z")
                               : factors_and_scalars(domain, z)));
    return cut_create(domain, &z->cut);
}

void diffusion_z_destroy(struct diffusion_z **z)
{
    if (*z == NULL) return;
    for (int i = 0; i < LENGTHS; ++i) {
        mem_host_free((*z)->length[i].host);
        mem_kernel_free((*z)->length[i].kernel);
    }
    for (int n = 0; n < SCALARS_MOST && (*z)->scalars != NULL; ++n)
        for (int i = 0; i < LENGTHS; ++i) {
            mem_host_free((*z)->scalars->length[n][i].host);
            mem_kernel_free((*z)->scalars->length[n][i].kernel);
        }
    free((*z)->scalars);
    cut_destroy(&(*z)->cut);
    free((*z)->column);
    free(*z);
    *z = NULL;
}

/* --- factors --- */

/* Computes the pivots of rows first .. n-1. outside: the part of the outermost coefficients that acts on the
 * unknown of the row itself. */
static void eliminate(int first, int n, const double outside[2], const double *low, const double *high,
                      double *inverse)
{
    double up = 0;
    for (int k = first; k < n; ++k) {
        const double own_low = k == first ? outside[0] * low[k] : low[k] * (1 - up),
                     own_high = k == n - 1 ? outside[1] * high[k] : high[k];
        inverse[k] = 1 / (1 + own_low + own_high);
        up = high[k] * inverse[k];
    }
}

/* Coefficient of the given velocity in the value beyond an end; for w, in the value on the end. */
static double part_beyond(const struct grid *g, int d, int side)
{
    return d == Z ? 1 : g->part_beyond[FACE_Z_LOW + side];
}

static void factor_centres(const struct grid *g, double theta, const double outside[2], double *rows)
{
    const int n = g->n_g[Z];
    for (int k = 0; k < n; ++k) {
        const double c = grid_width(g, Z, k);
        rows[k] = theta / (c * grid_centre_distance(g, Z, k));
        rows[n + k] = theta / (c * grid_centre_distance(g, Z, k + 1));
    }
    eliminate(0, n, outside, rows, rows + n, rows + 2 * n);
}

/* The factors for w. The velocity through a wall is given, so no part of it acts on the unknown beside it. */
static void factor_faces(const struct grid *g, double theta, double *rows)
{
    static const double outside[2] = {1, 1};
    const int n = g->n_g[Z];
    rows[0] = rows[n] = rows[2 * n] = 0;
    for (int k = 1; k < n; ++k) {
        const double f = grid_centre_distance(g, Z, k);
        rows[k] = theta / (f * grid_width(g, Z, k - 1));
        rows[n + k] = theta / (f * grid_width(g, Z, k));
    }
    eliminate(1, n, outside, rows, rows + n, rows + 2 * n);
}

/* The profile, and its mean. */
static double solve_profile(const struct grid *g, const double *rows, double *value, real *profile)
{
    const int n = g->n_g[Z];
    const double *low = rows, *high = rows + n, *inverse = rows + 2 * n;
    double below = 0, above = 0, sum = 0;
    for (int k = 0; k < n; ++k) value[k] = below = point_column_up(1, low[k], inverse[k], below);
    for (int k = n - 1; k >= 0; --k) {
        above = point_column_down(value[k], high[k], inverse[k], above);
        profile[k] = (real)above;
        sum += grid_width(g, Z, k) * above;
    }
    return sum / g->length[Z];
}

/* Finds the place of the factors for theta: that of those that are stored, or of the oldest. *same:
 * whether they are stored. */
static struct factors *place_for(struct factors length[LENGTHS], int *latest, double theta, int *same)
{
    int found = 0;
    while (found < LENGTHS && length[found].theta != theta) ++found;
    *same = found < LENGTHS;
    *latest = *same ? found : (*latest + 1) % LENGTHS;
    length[*latest].theta = theta;
    return &length[*latest];
}

/* Finds the factors for theta: those that are stored, or new ones in place of the oldest. The copy of the
 * oldest ones to kernel memory ended long before, because a pressure solve waits for its sums. */
static kol_status factors_for(struct step *step, double theta, struct factors **out)
{
    const struct domain *domain = step->domain;
    struct diffusion_z *z = step->diffusion_z;
    const struct grid *g = &domain->grid;
    const double outside[2] = {part_beyond(g, X, 0), part_beyond(g, X, 1)};
    int same;
    struct factors *f = *out = place_for(z->length, &z->latest, theta, &same);
    if (same) return KOL_OK;
    factor_centres(g, theta, outside, f->host);
    factor_faces(g, theta, f->host + 3 * (ptrdiff_t)g->n_g[Z]);
    f->mean = solve_profile(g, f->host, z->column, profile_of(g, f->host));
    return mem_to_kernel_begin(f->kernel, f->host, bytes_of(g));
}

/* --- a stage --- */

/* Solves for a component if z is divided: its right-hand sides are moved to where their columns are complete,
 * and the solution is moved back. */
static kol_status solve_cut(struct step *step, struct flow *flow, struct columns c, int d,
                            struct column_fields f)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    struct slice *cut = &step->diffusion_z->cut;
    const struct piece p = cut->spread[PENCILS].piece[domain->comm.rank];
    const ptrdiff_t many = (ptrdiff_t)(p.hi[X] - p.lo[X]) * (p.hi[Y] - p.lo[Y]);
    const int on_wall = d == Z && step->diffusion_z->first == 0; /* w there is given by the wall */
    const ptrdiff_t level = (ptrdiff_t)b.nx * b.ny;
    const struct strided own = {{b.nx, b.ny, b.nz - on_wall}, {1, b.nx, level}, {1, b.sy, b.sz}};
    TRY(column_source(b, c, step->diffusion_z->first, d, f, cut->box));
    TRY(transposes_forward(cut->moves, BOXES, (struct spread_source){.values = cut->box},
                           (struct spread_target){.values = cut->pencil}));
    TRY(column_eliminate(c, d, many, cut->pencil));
    TRY(transposes_backward(cut->moves, BOXES, (struct spread_source){.values = cut->pencil},
                            (struct spread_target){.values = cut->box}));
    return transpose_to_field(own, cut->box + on_wall * level, flow->vel[d] + at(b, 0, 0, on_wall));
}

/* Adds to the right-hand sides beside open faces, and beside walls by formulas, what the planes of these
 * faces give at the end of the stage. */
static kol_status add_planes(struct flow *flow, struct columns c)
{
    const struct domain *domain = flow->domain;
    for (int side = 0; side < 2; ++side) {
        const int f = FACE_Z_LOW + side;
        const double part[3] = {part_beyond(&domain->grid, X, side), part_beyond(&domain->grid, Y, side),
                                part_beyond(&domain->grid, Z, side)};
        if (domain->walls.plane[f] != NULL)
            TRY(column_open(domain->grid.box, c, side, part, domain->walls.plane[f], flow->vel));
    }
    return KOL_OK;
}

/* Whether the prediction of stage m has the explicit half of the diffusion in z: where the stage begins with
 * the velocity that it takes the right-hand sides of, and these are not kept. */
static int predicts_half(const struct step *step, int m)
{
    return m == 0 && rk3_scheme(step->domain->in->time.scheme)->from_start;
}

double diffusion_z_left_out(const struct step *step, int m)
{
    const struct rk3_stage s = rk3_scheme(step->domain->in->time.scheme)->stage[m];
    if (step->diffusion_z == NULL) return 0;
    return predicts_half(step, m) ? 1 - s.c / (2 * s.a) : 1;
}

kol_status diffusion_z_solve(struct step *step, struct flow *flow, int m, double dts)
{
    const struct domain *domain = flow->domain;
    struct factors *s = NULL;
    if (step->diffusion_z == NULL || pool_counts(domain->pool)) return KOL_OK;
    TRY(profile_phase(domain->profile, "diffusion"));
    TRY(factors_for(step, dts * domain->in->fluid.nu / 2, &s));
    const int from_start = rk3_scheme(domain->in->time.scheme)->from_start;
    struct columns c = {.n = domain->grid.n_g[Z],
                        .centre = s->kernel,
                        .face = s->kernel + 3 * (ptrdiff_t)domain->grid.n_g[Z]};
    real *const *base = from_start ? step->start : step->before_stage;
    struct column_fields f = {.base = {NULL}};
    for (int d = 0; d < 3; ++d) {
        for (int side = 0; side < 2; ++side)
            if (!face_is_open(domain->in, FACE_Z_LOW + side))
                c.end[d][side] = part_beyond(&domain->grid, d, side) *
                                 (real)domain->in->boundary.velocity[FACE_Z_LOW + side][d];
        if (!predicts_half(step, m)) f.base[d] = f.before[d] = base[d];
        f.vel[d] = flow->vel[d];
    }
    TRY(add_planes(flow, c));
    if (domain->decomp.ranks[Z] == 1) return column_solve(domain->grid.box, c, f);
    for (int d = 0; d < 3; ++d) TRY(solve_cut(step, flow, c, d, f));
    return KOL_OK;
}

/* The factors of scalar n for theta, as factors_for() finds those of the velocity. */
static kol_status scalar_factors_for(struct step *step, int n, double theta, const double **kernel)
{
    const struct grid *g = &step->domain->grid;
    struct scalar_factors *s = step->diffusion_z->scalars;
    int same;
    struct factors *f = place_for(s->length[n], &s->latest[n], theta, &same);
    *kernel = f->kernel;
    if (same) return KOL_OK;
    factor_centres(g, theta, s->outside[n], f->host);
    return mem_to_kernel_begin(f->kernel, f->host, bytes_of(g));
}

/* Solves for a field at centres, which takes the place of u in the kernels. */
static kol_status solve_centred(struct step *step, struct columns c, struct column_fields f)
{
    const struct domain *domain = step->domain;
    const struct box b = domain->grid.box;
    struct slice *cut = &step->diffusion_z->cut;
    const struct strided own = {{b.nx, b.ny, b.nz}, {1, b.nx, (ptrdiff_t)b.nx * b.ny}, {1, b.sy, b.sz}};
    TRY(column_source(b, c, step->diffusion_z->first, X, f, cut->box));
    if (domain->decomp.ranks[Z] == 1) {
        TRY(column_eliminate(c, X, (ptrdiff_t)b.nx * b.ny, cut->box));
    } else {
        const struct piece p = cut->spread[PENCILS].piece[domain->comm.rank];
        TRY(transposes_forward(cut->moves, BOXES, (struct spread_source){.values = cut->box},
                               (struct spread_target){.values = cut->pencil}));
        TRY(column_eliminate(c, X, (ptrdiff_t)(p.hi[X] - p.lo[X]) * (p.hi[Y] - p.lo[Y]), cut->pencil));
        TRY(transposes_backward(cut->moves, BOXES, (struct spread_source){.values = cut->pencil},
                                (struct spread_target){.values = cut->box}));
    }
    return transpose_to_field(own, cut->box, f.vel[X] + at(b, 0, 0, 0));
}

/* Adds to the right-hand sides of scalar n what varies over the faces at the ends. */
static kol_status add_given(struct flow *flow, int n, struct columns c)
{
    const struct domain *domain = flow->domain;
    for (int side = 0; side < 2; ++side) {
        const real *plane = domain->scalar_plane[FACE_Z_LOW + side][n];
        if (plane != NULL) TRY(column_given(domain->grid.box, c, side, plane, flow->scalar[n]));
    }
    return KOL_OK;
}

kol_status diffusion_z_scalars(struct step *step, struct flow *flow, int m, double dts)
{
    const struct domain *domain = flow->domain;
    if (step->diffusion_z == NULL || !with_scalars(domain) || pool_counts(domain->pool)) return KOL_OK;
    const struct rk3_scheme *rk = rk3_scheme(domain->in->time.scheme);
    const struct scalar_factors *s = step->diffusion_z->scalars;
    const double weight = -2 * (rk->stage[m].a / rk->stage[m].c);
    const int kept = !rk->from_start && m < 2; /* right-hand sides, as for the velocity */
    TRY(profile_phase(domain->profile, "diffusion"));
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        if (scalar_diffusivity(domain->in, n) == 0) continue; /* theta = 0: none are stored */
        struct columns c = {.n = domain->grid.n_g[Z],
                            .weight = weight,
                            .history = kept ? 2 / (dts * (1 + weight)) : 0,
                            .end = {{s->add[n][0], s->add[n][1]}}};
        struct column_fields f = {.vel = {flow->scalar[n]}};
        f.base[X] = scalar_stage_base(&step->scalars, rk, n);
        f.before[X] = scalar_stage_before(&step->scalars, n);
        f.old[X] = kept ? step->scalars.start[n] : NULL;
        TRY(scalar_factors_for(step, n, dts * scalar_diffusivity(domain->in, n) / 2, &c.centre));
        TRY(add_given(flow, n, c));
        TRY(solve_centred(step, c, f));
    }
    return KOL_OK;
}

const real *diffusion_z_profile(const struct diffusion_z *z)
{
    return z != NULL ? z->length[z->latest].profile + z->first : NULL;
}

double diffusion_z_mean(const struct diffusion_z *z)
{
    return z != NULL ? z->length[z->latest].mean : 1;
}
