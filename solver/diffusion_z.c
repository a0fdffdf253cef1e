#include "diffusion_z.h"

#include <stdlib.h>
#include "../kernels/column.h"
#include "../kernels/point/column.h"

/* One length of stage; a scheme has two. host and kernel: low, high, inverse of centres, the same of faces, then the profile. */
enum { LENGTHS = 2, ROWS = 6 };
struct factors {
    double theta; /* dts nu/2 [L^2]; 0: none yet */
    double mean;  /* of the profile */
    double *host, *kernel;
    real *profile; /* the one in kernel memory */
};
struct diffusion_z {
    struct factors length[LENGTHS];
    int latest;
    double *column; /* scratch, one value a level */
};

static int wanted(const struct run *run)
{
    return run->in.time.diffusion == DIFFUSION_IMPLICIT_Z && run->in.fluid.nu > 0;
}

static size_t bytes_of(const struct grid *g)
{
    return (size_t)g->n_g[Z] * (ROWS * sizeof(double) + sizeof(real));
}

static real *profile_of(const struct grid *g, double *store)
{
    return (real *)(store + (ptrdiff_t)ROWS * g->n_g[Z]);
}

double diffusion_z_bytes(const struct run *run)
{
    return wanted(run) ? LENGTHS * (double)bytes_of(&run->grid) : 0;
}

kol_status diffusion_z_create(struct run *run)
{
    if (!wanted(run)) return KOL_OK;
    struct diffusion_z *z = calloc(1, sizeof *z);
    if (z == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the factors of diffusion in z");
    run->diffusion_z = z;
    z->column = malloc((size_t)run->grid.n_g[Z] * sizeof *z->column);
    if (z->column == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the factors of diffusion in z");
    for (int i = 0; i < LENGTHS; ++i) {
        TRY(mem_host_alloc(bytes_of(&run->grid), (void **)&z->length[i].host));
        TRY(mem_kernel_alloc(bytes_of(&run->grid), (void **)&z->length[i].kernel));
        z->length[i].profile = profile_of(&run->grid, z->length[i].kernel);
    }
    return KOL_OK;
}

void diffusion_z_destroy(struct diffusion_z **z)
{
    if (*z == NULL) return;
    for (int i = 0; i < LENGTHS; ++i) {
        mem_host_free((*z)->length[i].host);
        mem_kernel_free((*z)->length[i].kernel);
    }
    free((*z)->column);
    free(*z);
    *z = NULL;
}

/* Pivots of the rows first .. n-1; outside: part of the outer coefficients of the first and the last that stays with their own
 * unknown. */
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

static void factor_centres(const struct grid *g, const struct walls *w, double theta, double *rows)
{
    const int n = g->n_g[Z];
    const double outside[2] = {1 - (double)w->factor[FACE_Z_LOW], 1 - (double)w->factor[FACE_Z_HIGH]};
    for (int k = 0; k < n; ++k) {
        const double c = grid_width(g, Z, k);
        rows[k] = theta / (c * grid_centre_distance(g, Z, k));
        rows[n + k] = theta / (c * grid_centre_distance(g, Z, k + 1));
    }
    eliminate(0, n, outside, rows, rows + n, rows + 2 * n);
}

/* The velocity through a wall is given: no part of it stays with the unknown beside. */
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
    for (int k = 0; k < n; ++k)
        value[k] = below = point_column_up(1, 0, 0, 0, low[k], high[k], inverse[k], below);
    for (int k = n - 1; k >= 0; --k) {
        above = point_column_down(value[k], high[k], inverse[k], above);
        profile[k] = (real)above;
        sum += grid_width(g, Z, k) * above;
    }
    return sum / g->length[Z];
}

/* The factors for theta: kept ones, or new ones in place of those used longer ago. Their copy to kernel memory has arrived long before
 * they are replaced: a pressure solve waits for its sums. */
static kol_status factors_for(struct run *run, double theta, struct factors **out)
{
    struct diffusion_z *z = run->diffusion_z;
    const struct grid *g = &run->grid;
    if (z->length[z->latest].theta != theta) z->latest = !z->latest;
    struct factors *f = *out = &z->length[z->latest];
    if (f->theta == theta) return KOL_OK;
    f->theta = theta;
    factor_centres(g, &run->walls, theta, f->host);
    factor_faces(g, theta, f->host + 3 * (ptrdiff_t)g->n_g[Z]);
    f->mean = solve_profile(g, f->host, z->column, profile_of(g, f->host));
    return mem_to_kernel_begin(f->kernel, f->host, bytes_of(g));
}

kol_status diffusion_z_solve(struct run *run, double dts)
{
    struct factors *f = NULL;
    if (run->diffusion_z == NULL) return KOL_OK;
    TRY(profile_phase(run->profile, "diffusion"));
    TRY(factors_for(run, dts * run->in.fluid.nu / 2, &f));
    struct columns c = {.centre = f->kernel, .face = f->kernel + 3 * (ptrdiff_t)run->grid.n_g[Z]};
    for (int d = 0; d < 3; ++d) {
        for (int side = 0; side < 2; ++side) {
            const int face = FACE_Z_LOW + side;
            const double part = d == Z ? 1 : 1 - (double)run->walls.factor[face];
            c.end[d][side] = part * run->walls.velocity[face][d];
        }
    }
    real *const *before = run->before_stage[X] != NULL ? run->before_stage : run->start;
    return column_solve(run->grid.box, c, run->start, before, run->vel);
}

const real *diffusion_z_profile(const struct diffusion_z *z)
{
    return z != NULL ? z->length[z->latest].profile : NULL;
}

double diffusion_z_mean(const struct diffusion_z *z)
{
    return z != NULL ? z->length[z->latest].mean : 1;
}
