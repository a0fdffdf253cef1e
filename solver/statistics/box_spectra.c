/* Computes spectra and two-point correlations in a periodic box. */
#include "box_spectra_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/base/constants.h"
#include "math/central_moments.h"
#include "math/wavenumber_shells.h"

enum { COMPONENTS = 3, PAIRS = 9 }; /* pairs of a component and a direction, component first */
enum {
    LENGTH_ALL,
    LENGTHS = 4,
    ENERGY = LENGTHS,
    DISSIPATION,
    NUMBERS
}; /* numbers derived: integral lengths, sums */

/* --- the shells --- */

static double wave_square(const struct box_spectra *s, int dir, int m)
{
    return pow(m * s->step_along[dir], 2);
}

/* Square of the modified wavenumber of second-order differences: (2 sin(k h/2)/h)^2. */
static double wave_modified(const struct box_spectra *s, int dir, int m)
{
    return pow(2 * sin(PI * m / s->n[dir]) / s->h[dir], 2);
}

double box_spectra_shells(const struct grid *g)
{
    double corner = 0, step = INFINITY;
    for (int d = 0; d < 3; ++d) {
        const double along = 2 * PI / g->length[d];
        step = fmin(step, along);
        corner += pow(g->n_g[d] / 2 * along, 2);
    }
    return floor(sqrt(corner) / step + 0.5) + 2;
}

static void plan(const struct grid *g, struct box_spectra *s)
{
    s->step = INFINITY;
    s->cells = 1;
    for (int d = 0; d < 3; ++d) {
        s->n[d] = g->n_g[d];
        s->waves[d] = s->n[d] / 2 + 1;
        s->step_along[d] = 2 * PI / g->length[d];
        s->h[d] = g->length[d] / s->n[d];
        s->step = fmin(s->step, s->step_along[d]);
        s->cells *= s->n[d];
    }
    s->shells = (int)fmin(box_spectra_shells(g), BOX_SPECTRA_SHELLS);
    s->groups_g = box_slabs_groups(s->n[X]);
}

/* Number of sums in `groups` groups of `planes` planes: by shell, then for each component by planes along x,
 * y and z. */
static ptrdiff_t sums_of(const struct box_spectra *s, int groups, int planes)
{
    return (ptrdiff_t)groups * SHELL_SUMS * s->shells +
           COMPONENTS * (planes + (ptrdiff_t)groups * (s->n[Y] + s->n[Z]));
}

static ptrdiff_t table_values(const struct box_spectra *s)
{
    return 2 * ((ptrdiff_t)s->waves[X] + s->waves[Y] + s->waves[Z]) + s->shells + 1;
}

static double edge_of(const struct box_spectra *s, int shell)
{
    return wavenumber_shell_edge(shell, s->step);
}

static void fill_tables(const struct box_spectra *s, double *to)
{
    for (int d = 0; d < 3; ++d)
        for (int m = 0; m < s->waves[d]; ++m) *to++ = wave_square(s, d, m);
    for (int d = 0; d < 3; ++d)
        for (int m = 0; m < s->waves[d]; ++m) *to++ = wave_modified(s, d, m);
    for (int n = 0; n <= s->shells; ++n) *to++ = edge_of(s, n);
}

static kol_status kernel_create(struct memory *memory, struct box_spectra *s)
{
    const size_t starts = (size_t)s->slab.groups + 1;
    TRY(memory_kernel(memory, (size_t)table_values(s) * sizeof(double), (void **)&s->tables));
    TRY(memory_kernel(memory, starts * sizeof(int), (void **)&s->start));
    TRY(memory_kernel(memory, (size_t)(s->own_values + 1) * sizeof(double), (void **)&s->sums));
    TRY(memory_kernel(memory, ((size_t)s->slab.planes * (size_t)s->n[Y] + 1) * sizeof(double),
                      (void **)&s->lines));
    TRY(memory_host(memory, (size_t)(s->own_values + 1) * sizeof(double), (void **)&s->own));
    return memory_host(memory, (size_t)s->all_values * sizeof(double), (void **)&s->all);
}

static kol_status kernel_fill(struct box_spectra *s, const double *host)
{
    TRY(mem_to_kernel(s->tables, host, (size_t)table_values(s) * sizeof(double)));
    TRY(mem_to_kernel(s->start, s->slab.start, ((size_t)s->slab.groups + 1) * sizeof(int)));
    s->kernel = (struct shells){.na = s->slab.planes,
                                .nb = s->n[Y],
                                .nt = s->n[Z],
                                .first = s->slab.first,
                                .na_g = s->n[X],
                                .groups = s->slab.groups,
                                .shells = s->shells,
                                .start = s->start,
                                .step = s->step_along[Z]};
    const double *at = s->tables;
    for (int d = 0; d < 3; at += s->waves[d++]) s->kernel.square[d] = at;
    for (int d = 0; d < 3; at += s->waves[d++]) s->kernel.modified[d] = at;
    s->kernel.edge = at;
    return KOL_OK;
}

/* Counts the waves in each shell, of both signs. */
static void count_modes(struct box_spectra *s)
{
    for (int i = 0; i < s->waves[X]; ++i) {
        for (int j = 0; j < s->waves[Y]; ++j) {
            const double square = wave_square(s, X, i) + wave_square(s, Y, j);
            const int twins = (i > 0 && 2 * i < s->n[X] ? 2 : 1) * (j > 0 && 2 * j < s->n[Y] ? 2 : 1);
            int shell = 0;
            for (int k = 0; k < s->waves[Z]; ++k) {
                while (square + wave_square(s, Z, k) >= edge_of(s, shell + 1)) ++shell;
                s->modes[shell] += twins * (k > 0 && 2 * k < s->n[Z] ? 2 : 1);
            }
        }
    }
}

/* Prepares what files need, on rank 0: the axes of the shells, of the waves of each direction, and of the
 * separations of each direction. */
static kol_status files_create(struct box_spectra *s)
{
    const int all = s->waves[X] + s->waves[Y] + s->waves[Z];
    s->axis = calloc((size_t)(s->shells + 2 * all), sizeof *s->axis);
    s->modes = calloc((size_t)s->shells, sizeof *s->modes);
    if (s->axis == NULL || s->modes == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d shells", s->shells);
    double *at = s->axis;
    for (int n = 0; n < s->shells; ++n) *at++ = n * s->step;
    for (int d = 0; d < 3; ++d)
        for (int m = 0; m < s->waves[d]; ++m) *at++ = m * s->step_along[d];
    for (int d = 0; d < 3; ++d)
        for (int m = 0; m < s->waves[d]; ++m) *at++ = m * s->h[d];
    for (int d = 0; d < 3; ++d) {
        s->cosine[d] = calloc((size_t)s->n[d], sizeof(double));
        if (s->cosine[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d cosines", s->n[d]);
        for (int i = 0; i < s->n[d]; ++i) s->cosine[d][i] = cos(2 * PI * i / s->n[d]);
    }
    count_modes(s);
    return KOL_OK;
}

static kol_status own_create(struct memory *memory, struct box_spectra *s)
{
    TRY(kernel_create(memory, s));
    if (memory_counts(memory)) return KOL_OK;
    double *host = malloc((size_t)table_values(s) * sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d shells", s->shells);
    fill_tables(s, host);
    const kol_status st = kernel_fill(s, host);
    free(host);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "kernel_fill");
    return s->comm->rank == 0 ? files_create(s) : KOL_OK;
}

kol_status box_spectra_create(struct memory *memory, const struct comm *c, const struct input *in,
                              const struct grid *g, const struct box_slabs *slabs, struct box_spectra **out)
{
    struct box_spectra *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for spectra");
    s->comm = c;
    s->nu = in->fluid.nu;
    s->slab = box_slabs_of(slabs, BOX_SLABS_Z);
    plan(g, s);
    s->own_values = sums_of(s, s->slab.groups, s->slab.planes);
    s->all_values = sums_of(s, s->groups_g, s->n[X]) + COMPONENTS; /* mean velocities behind them */
    return own_create(memory, s);
}

void box_spectra_destroy(struct box_spectra **spectra)
{
    struct box_spectra *s = *spectra;
    if (s == NULL) return;
    mem_kernel_free(s->tables);
    mem_kernel_free(s->start);
    mem_kernel_free(s->sums);
    mem_kernel_free(s->lines);
    mem_host_free(s->own);
    mem_host_free(s->all);
    free(s->axis);
    free(s->modes);
    for (int d = 0; d < 3; ++d) free(s->cosine[d]);
    free(s);
    *spectra = NULL;
}

/* --- samples --- */

static int waves_all(const struct box_spectra *s)
{
    return COMPONENTS * (s->waves[X] + s->waves[Y] + s->waves[Z]);
}

int box_spectra_values(const struct box_spectra *s)
{
    return SHELL_SUMS * s->shells + waves_all(s) + COMPONENTS;
}

static double *planes_at(const struct box_spectra *s, double *sums, int groups, int planes, int component)
{
    return sums + (ptrdiff_t)groups * SHELL_SUMS * s->shells +
           component * (planes + (ptrdiff_t)groups * (s->n[Y] + s->n[Z]));
}

static kol_status sum_component(struct box_spectra *s, int c, const double *u, const double *convection)
{
    const int groups = s->slab.groups, planes = s->slab.planes;
    double *along_x = planes_at(s, s->sums, groups, planes, c), *along_y = along_x + planes,
           *along_z = along_y + (ptrdiff_t)groups * s->n[Y];
    TRY(shells_sum(s->kernel, c > 0, u, convection, s->sums));
    TRY(shells_planes(s->kernel, u, s->lines, along_x, along_y, along_z));
    double *mean = s->all + s->all_values - COMPONENTS + c;
    *mean = 0;
    if (s->slab.first > 0 || planes == 0) return KOL_OK;
    TRY(mem_to_host(mean, u, sizeof *mean));
    return KOL_OK;
}

/* Copies the sums of this rank to their places among those of the whole grid; the other places are 0. So the
 * sum over ranks is exact in any order. */
static void place_own(struct box_spectra *s)
{
    const struct box_slab b = s->slab;
    const ptrdiff_t each = (ptrdiff_t)SHELL_SUMS * s->shells;
    memset(s->all, 0, (size_t)(s->all_values - COMPONENTS) * sizeof *s->all);
    if (b.planes == 0) return;
    memcpy(s->all + b.first_group * each, s->own, (size_t)(b.groups * each) * sizeof *s->all);
    for (int c = 0; c < COMPONENTS; ++c)
        box_spectra_place_planes(s, planes_at(s, s->own, b.groups, b.planes, c),
                                 planes_at(s, s->all, s->groups_g, s->n[X], c));
}

static void add_up(const struct box_spectra *s, double *value)
{
    const double scale = 1 / (s->cells * s->cells * s->step);
    const double factor[SHELL_SUMS] = {0.5 * scale, scale, s->nu * scale};
    const ptrdiff_t each = (ptrdiff_t)SHELL_SUMS * s->shells;
    for (ptrdiff_t n = 0; n < each; ++n) /* no negative zeros */
        *value++ = factor[n / s->shells] * box_spectra_over_groups(s->all + n, s->groups_g, each) + 0.0;
    for (int c = 0; c < COMPONENTS; ++c) {
        const double *x = planes_at(s, s->all, s->groups_g, s->n[X], c), *y = x + s->n[X],
                     *z = y + (ptrdiff_t)s->groups_g * s->n[Y];
        value = box_spectra_add_axis(s, X, x, 1, value);
        value = box_spectra_add_axis(s, Y, y, s->groups_g, value);
        value = box_spectra_add_axis(s, Z, z, s->groups_g, value);
    }
    for (int c = 0; c < COMPONENTS; ++c) *value++ = s->all[s->all_values - COMPONENTS + c] / s->cells + 0.0;
}

kol_status box_spectra_sample(struct box_spectra *s, struct box_slabs *slabs, real *const vel[3],
                              real *const convection[3], double *const work[BOX_SPECTRA_WORK], double *value)
{
    for (int c = 0; c < COMPONENTS; ++c) {
        double *u[2] = {work[0], work[1]};
        TRY(box_slabs_spectrum(slabs, vel[c], u));
        double *f[2] = {work[2], u[1]};
        TRY(box_slabs_spectrum(slabs, convection[c], f));
        TRY(sum_component(s, c, u[0], f[0]));
    }
    TRY(mem_to_host(s->own, s->sums, (size_t)s->own_values * sizeof *s->own));
    place_own(s);
    if (s->comm->size > 1) {
        const int root = s->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : s->all, root ? s->all : NULL, (int)s->all_values, MPI_DOUBLE,
                           MPI_SUM, 0, s->comm->mpi));
    }
    if (value != NULL) add_up(s, value);
    return KOL_OK;
}

static const double *axis_spectrum(const struct box_spectra *s, const double *value, int component,
                                   int direction)
{
    value += (ptrdiff_t)SHELL_SUMS * s->shells + component * (waves_all(s) / COMPONENTS);
    for (int d = 0; d < direction; ++d) value += s->waves[d];
    return value;
}

double box_spectra_increment(const struct box_spectra *s, const double *value, int component, int direction,
                             int points)
{
    const double *spectrum = axis_spectrum(s, value, component, direction);
    const int n = s->n[direction];
    double sum = 0;
    for (int m = 1; m < s->waves[direction]; ++m)
        sum += spectrum[m] * (1 - s->cosine[direction][(long long)m * points % n]);
    return 2 * sum * s->step_along[direction];
}

double box_spectra_mean(const struct box_spectra *s, const double *value, int component)
{
    return value[box_spectra_values(s) - COMPONENTS + component];
}

double box_spectra_variance(const struct box_spectra *s, const double *value, int component)
{
    const double *spectrum = axis_spectrum(s, value, component, X),
                 mean = box_spectra_mean(s, value, component);
    double sum = 0;
    for (int m = 0; m < s->waves[X]; ++m) sum += spectrum[m] * s->step_along[X];
    return central_moments_there(sum - mean * mean, sum) ? sum - mean * mean : 0;
}

/* --- what is made of them --- */

static int derived_values(const struct box_spectra *s)
{
    return (SHELL_SUMS + 1) * s->shells + 2 * waves_all(s) + NUMBERS;
}

/* Integral length. The integral over half the period is what wave 0 contributes, without the mean. square:
 * twice the kinetic energy. */
static double length_along(const struct box_spectra *s, int dir, const double *spectrum, double mean,
                           double variance, double square)
{
    const double whole = variance + mean * mean, rest = spectrum[0] * s->step_along[dir] - mean * mean;
    if (!central_moments_there(variance, whole) || variance <= central_moments_least * square) return NAN;
    return PI / s->step_along[dir] * fmax(rest, 0) / variance;
}

static void derive_numbers(const struct box_spectra *s, const double *mean, double *out)
{
    double over_k = 0, energy = 0, dissipation = 0;
    for (int n = 1; n < s->shells; ++n) {
        over_k += mean[n] / (n * s->step);
        energy += mean[n];
        dissipation += mean[SHELL_DISSIPATION * s->shells + n];
    }
    out[LENGTH_ALL] = energy > central_moments_least * mean[0] ? 0.75 * PI * over_k / energy : NAN;
    out[ENERGY] = energy * s->step;
    out[DISSIPATION] = dissipation * s->step;
}

static void derive(const void *context, const double *mean, double *out)
{
    const struct box_spectra *s = context;
    const ptrdiff_t sums = (ptrdiff_t)SHELL_SUMS * s->shells;
    const double *axis = mean + sums, *velocity = axis + waves_all(s);
    double *flux = out + sums, *along = flux + s->shells, *correlation = along + waves_all(s),
           *number = correlation + waves_all(s), carried = 0, square = 0;
    memcpy(out, mean, (size_t)sums * sizeof *out);
    memcpy(along, axis, (size_t)waves_all(s) * sizeof *out);
    for (int n = 0; n < s->shells; ++n)
        flux[n] = 0 - (carried += mean[SHELL_TRANSFER * s->shells + n] * s->step);
    derive_numbers(s, mean, number);
    for (int n = 0; n < s->shells; ++n) square += 2 * mean[n] * s->step;
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int d = 0; d < 3; ++d) {
            box_spectra_correlate(s, d, axis, velocity[c], correlation);
            if (c == d) number[1 + d] = length_along(s, d, axis, velocity[c], correlation[0], square);
            axis += s->waves[d];
            correlation += s->waves[d];
        }
    }
}

/* --- the file --- */

static const struct netcdf_content_entry SHELL_WORDS[SHELL_SUMS + 1] = {
    {"E", "kinetic energy, over the width of the shell; at wavenumber 0 that of the mean velocity", "U2 L"},
    {"T", "transfer of kinetic energy by convection into the shell, over its width", "U3"},
    {"D", "dissipation by the diffusion operator, over the width of the shell, positive", "U3"},
    {"flux", "flux of kinetic energy to shells beyond this one, minus the sum of the transfer", "U3/L"}};
static const struct netcdf_content_entry MODES = {"modes", "waves in the shell, of both signs", "1"};
static const struct netcdf_content_entry AXIS_WORDS[PAIRS] = {
    {"E_uu_x", "twice the energy of u by wavenumber along x", "U2 L"},
    {"E_uu_y", "twice the energy of u by wavenumber along y", "U2 L"},
    {"E_uu_z", "twice the energy of u by wavenumber along z", "U2 L"},
    {"E_vv_x", "twice the energy of v by wavenumber along x", "U2 L"},
    {"E_vv_y", "twice the energy of v by wavenumber along y", "U2 L"},
    {"E_vv_z", "twice the energy of v by wavenumber along z", "U2 L"},
    {"E_ww_x", "twice the energy of w by wavenumber along x", "U2 L"},
    {"E_ww_y", "twice the energy of w by wavenumber along y", "U2 L"},
    {"E_ww_z", "twice the energy of w by wavenumber along z", "U2 L"}};
static const struct netcdf_content_entry CORRELATION_WORDS[PAIRS] = {
    {"R_uu_x", "two-point correlation of u along x", "U2"},
    {"R_uu_y", "two-point correlation of u along y", "U2"},
    {"R_uu_z", "two-point correlation of u along z", "U2"},
    {"R_vv_x", "two-point correlation of v along x", "U2"},
    {"R_vv_y", "two-point correlation of v along y", "U2"},
    {"R_vv_z", "two-point correlation of v along z", "U2"},
    {"R_ww_x", "two-point correlation of w along x", "U2"},
    {"R_ww_y", "two-point correlation of w along y", "U2"},
    {"R_ww_z", "two-point correlation of w along z", "U2"}};
static const struct netcdf_content_entry NUMBER_WORDS[NUMBERS] = {
    {"integral_length", "integral scale, 3 pi/4 times the sum of E/k over the sum of E", "L"},
    {"integral_length_x", "integral of the correlation of u along x over half the period, over the variance",
     "L"},
    {"integral_length_y", "integral of the correlation of v along y over half the period, over the variance",
     "L"},
    {"integral_length_z", "integral of the correlation of w along z over half the period, over the variance",
     "L"},
    {"kinetic_energy", "turbulent kinetic energy, sum over the shells but that of the mean velocity", "U2"},
    {"dissipation", "dissipation of kinetic energy by the diffusion operator, positive, sum over the shells",
     "U3/L"}};
static const struct netcdf_content_entry MEAN_WORDS[COMPONENTS] = {{"U", "mean velocity along x", "U"},
                                                                   {"V", "mean velocity along y", "U"},
                                                                   {"W", "mean velocity along z", "U"}};

static void add_axes(struct netcdf_content *p, const struct box_spectra *s)
{
    static const char *const WAVE[3] = {"kx", "ky", "kz"}, *const SEPARATION[3] = {"rx", "ry", "rz"};
    const double *at = s->axis;
    netcdf_content_axis(p, (struct stats_axis){"k", "wavenumber in the middle of the shell", "L-1", s->shells,
                                               at, NULL, NULL});
    at += s->shells;
    for (int d = 0; d < 3; at += s->waves[d++])
        netcdf_content_axis(p, (struct stats_axis){WAVE[d], "wavenumber along the direction", "L-1",
                                                   s->waves[d], at, NULL, NULL});
    for (int d = 0; d < 3; at += s->waves[d++])
        netcdf_content_axis(p, (struct stats_axis){SEPARATION[d], "distance of the two points", "L",
                                                   s->waves[d], at, NULL, NULL});
}

static void add_words(struct netcdf_content *p)
{
    netcdf_content_text(p, "title",
                        "spectra and two-point correlations of a periodic box, averaged over time");
    netcdf_content_text(p, "scaling", "_error: standard error, from batch means");
    netcdf_content_text(
        p, "modified_wavenumber",
        "D is nu times the square of (2/h) sin(k h/2), summed over the directions, times the square of the "
        "velocity's coefficient, "
        "by the second-order differences of the scheme: its sum is the dissipation of the energy budget");
}

/* set: what is written of a set of spectra: averages with errors, raw sums, and the latest sample. */
struct set {
    const char *group, *name_end, *methods;
    int derived; /* with the flux, correlations, numbers */
};
static const struct set MEAN = {NULL, "", NETCDF_CONTENT_MEAN, 1},
                        SUM = {"raw", "_sum", NETCDF_CONTENT_SUM, 0},
                        LATEST = {NETCDF_CONTENT_LATEST, "", NETCDF_CONTENT_POINT, 1};

static void put(struct netcdf_content *p, const struct set *set, struct netcdf_content_entry e, int axis,
                const double *value, const double *error)
{
    struct stats_variable *v = netcdf_content_add(p, e, set->name_end, axis, value);
    v->error = error;
    v->group = set->group;
    v->methods = set->methods;
}

/* error: NULL: none. */
static void add_spectra(struct netcdf_content *p, const struct box_spectra *s, const struct set *set,
                        const double *value, const double *error)
{
    const int shelled = SHELL_SUMS + set->derived, pairs = PAIRS * (1 + set->derived);
    const double *first = value;
#define ERROR_OF(VALUE) (error != NULL ? error + ((VALUE)-first) : NULL)
    for (int n = 0; n < shelled; ++n, value += s->shells)
        put(p, set, SHELL_WORDS[n], SPECTRA_SHELLS, value, ERROR_OF(value));
    for (int n = 0; n < pairs; ++n) {
        const int correlation = n >= PAIRS, d = n % 3;
        put(p, set, correlation ? CORRELATION_WORDS[n % PAIRS] : AXIS_WORDS[n],
            d + (correlation ? SPECTRA_SEPARATIONS : SPECTRA_WAVES), value, ERROR_OF(value));
        value += s->waves[d];
    }
    for (int n = 0; n < NUMBERS && set->derived; ++n)
        put(p, set, NUMBER_WORDS[n], -1, value + n, ERROR_OF(value + n));
    for (int n = 0; n < COMPONENTS && !set->derived; ++n) put(p, set, MEAN_WORDS[n], -1, value + n, NULL);
#undef ERROR_OF
}

kol_status box_spectra_netcdf(const struct box_spectra *s, const struct batch_means *average,
                              const double *latest, struct box_spectra_room more, struct netcdf_content **out)
{
    static const struct netcdf_content_entry NU = {"nu", "kinematic viscosity", "U L"};
    enum { DERIVED = SHELL_SUMS + 1 + 2 * PAIRS + NUMBERS, RAW = SHELL_SUMS + PAIRS + COMPONENTS };
    const int derived = derived_values(s), sample = box_spectra_values(s) + more.sample;
    TRY(netcdf_content_create(
        NULL, 2 * DERIVED + RAW + NETCDF_CONTENT_SAMPLES + 2 + more.variables,
        3 * (ptrdiff_t)derived + 2 * (ptrdiff_t)sample + NETCDF_CONTENT_SAMPLES + 1 + more.numbers, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *now = netcdf_content_numbers(p, derived), *sum = netcdf_content_numbers(p, sample),
           *mean = netcdf_content_numbers(p, sample);
    batch_means_mean(average, mean);
    batch_means_sum(average, sum);
    derive(s, mean, value);
    derive(s, latest, now);
    TRY(batch_means_errors(average, derive, s, derived, error));
    add_axes(p, s);
    add_words(p);
    add_spectra(p, s, &MEAN, value, error);
    add_spectra(p, s, &SUM, sum, NULL);
    add_spectra(p, s, &LATEST, now, NULL);
    netcdf_content_add(p, MODES, "", SPECTRA_SHELLS, s->modes);
    netcdf_content_samples(p, average);
    netcdf_content_number(p, NU, s->nu);
    return KOL_OK;
}

static void print_rows(FILE *out, const struct netcdf_content_entry *e, int n, const char *over)
{
    static const char *const AXIS[3] = {"x`", "y`", "z`"};
    for (int i = 0; i < n; ++i) {
        const char *which = n == PAIRS ? AXIS[i % 3] : over[0] != '\0' ? "`" : "";
        fprintf(out, "| `%s` | %s%s%s | %s | %s |\n", e[i].name, over[0] != '\0' ? "`" : "", over, which,
                e[i].unit, e[i].long_name);
    }
}

void box_spectra_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    print_rows(out, SHELL_WORDS, SHELL_SUMS + 1, "k");
    print_rows(out, &MODES, 1, "k");
    print_rows(out, AXIS_WORDS, PAIRS, "k");
    print_rows(out, CORRELATION_WORDS, PAIRS, "r");
    print_rows(out, NUMBER_WORDS, NUMBERS, "");
}
