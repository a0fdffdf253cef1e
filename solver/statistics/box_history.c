/* Computes numbers, spectra and structure functions of the turbulence in a periodic box at one instant. */
#include "box_history.h"

#include <math.h>
#include <stdlib.h>
#include "box_moments.h"
#include "box_spectra.h"
#include "inputs/statistics_wanted.h"
#include "kernels/base/constants.h"
#include "kernels/momentum.h"

enum { COMPONENTS = 3, WORK = BOX_SPECTRA_WORK };

struct box_history {
    const struct domain *domain; /* borrowed */
    struct box_moments moments;
    struct box_slabs *slabs; /* NULL: no curves */
    struct box_spectra *spectra;
    double *memory;   /* work arrays, if those of the pool are too small */
    ptrdiff_t values; /* doubles of a work array */
    int points, distances;
    double step;    /* of the wavenumbers [1/L] */
    double *sample; /* rank 0: of the spectra */
    double *wavenumber, *distance;
};

const struct history_word box_history_numbers[HISTORY_NUMBERS] = {
    [HISTORY_K] = {"k", "turbulent kinetic energy, about the mean velocity of the instant", "U2"},
    [HISTORY_DISSIPATION] = {"dissipation", "dissipation by the diffusion operator", "U3/L"},
    [HISTORY_POWER] = {"force_power", "power of the force over the volume, over the last step", "U3/L"},
    [HISTORY_ENSTROPHY] = {"enstrophy", "half the mean square of the vorticity", "U2/L2"},
    [HISTORY_RMS] = {"velocity_rms", "root mean square of one component, sqrt(2 k/3)", "U"},
    [HISTORY_LARGE_TIME] = {"dissipation_time", "k over dissipation", "L/U"},
    [HISTORY_RE_T] = {"Re_T", "k^2 over viscosity times dissipation", "1"},
    [HISTORY_RE_LAMBDA] = {"Re_lambda", "Taylor Reynolds number", "1"},
    [HISTORY_TAYLOR] = {"taylor_length", "Taylor scale, velocity_rms sqrt(15 nu/dissipation)", "L"},
    [HISTORY_ETA] = {"kolmogorov_length", "Kolmogorov length", "L"},
    [HISTORY_ETA_TIME] = {"kolmogorov_time", "Kolmogorov time", "L/U"},
    [HISTORY_K_MAX_ETA] = {"k_max_eta", "pi over the largest spacing, times the Kolmogorov length", "1"},
    [HISTORY_SKEWNESS] = {"gradient_along_skewness", "skewness of the longitudinal gradients", "1"},
    [HISTORY_FLATNESS] = {"gradient_along_flatness", "flatness of the longitudinal gradients", "1"},
    [HISTORY_LENGTH] = {"integral_length", "pi/(2 velocity_rms^2) times the integral of E/k", "L"},
    [HISTORY_LENGTH_11] =
        {"integral_length_11",
         "integral of the longitudinal correlation over half the period, over the variance, "
         "mean of the three directions",
         "L"},
    [HISTORY_C_EPS] = {"C_eps", "dissipation times integral_length over velocity_rms^3", "1"},
    [HISTORY_C_EPS_11] = {"C_eps_11", "dissipation times integral_length_11 over velocity_rms^3", "1"},
    [HISTORY_BOXED] = {"length_over_box", "integral_length_11 over the shortest side of the box", "1"}};

const struct history_word box_history_curves[HISTORY_CURVES] = {
    [HISTORY_E] = {"E",
                   "kinetic energy, over the width of the shell; at wavenumber 0 that of the mean velocity",
                   "U2 L"},
    [HISTORY_T] = {"T", "transfer of kinetic energy by convection into the shell, over its width", "U3"},
    [HISTORY_D] = {"D", "dissipation by the diffusion operator, over the width of the shell", "U3"},
    [HISTORY_ALONG] = {"structure_along",
                       "mean square of the difference of the component along the distance, mean of the "
                       "directions that have the cells of x",
                       "U2"},
    [HISTORY_ACROSS] = {"structure_across",
                        "the same of the two components across the distance, mean of both", "U2"}};

/* Whether a direction has the spacing and the number of cells of x, so that its distances are those of x. */
static int like_x(const struct grid *g, int d)
{
    return g->n_g[d] == g->n_g[X] && g->length[d] == g->length[X];
}

/* Tables of rank 0. */
static kol_status create_axes(struct box_history *h)
{
    const struct grid *g = &h->domain->grid;
    const size_t points = (size_t)h->points;
    h->sample = calloc((size_t)box_spectra_values(h->spectra), sizeof *h->sample);
    h->wavenumber = calloc(points, sizeof *h->wavenumber);
    h->distance = calloc(points, sizeof *h->distance);
    if (h->sample == NULL || h->wavenumber == NULL || h->distance == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for a history of %d shells", h->points);
    for (int n = 0; n < h->points; ++n) {
        h->wavenumber[n] = n * h->step;
        h->distance[n] = n * g->length[X] / g->n_g[X];
    }
    return KOL_OK;
}

static kol_status create_spectra(struct box_history *h)
{
    const struct domain *domain = h->domain;
    const struct grid *g = &domain->grid;
    TRY(box_spectra_create(domain->memory, &domain->comm, domain->in, g, h->slabs, &h->spectra));
    h->values = box_slabs_values(h->slabs);
    h->points = (int)box_spectra_shells(g);
    h->distances = g->n_g[X] / 2 + 1 < h->points ? g->n_g[X] / 2 + 1 : h->points;
    h->step = 2 * PI / fmax(g->length[X], fmax(g->length[Y], g->length[Z]));
    if ((size_t)g->box.size * sizeof(real) < (size_t)h->values * sizeof(double))
        TRY(memory_kernel(domain->memory, (size_t)(WORK * h->values) * sizeof *h->memory,
                          (void **)&h->memory));
    return domain->comm.rank == 0 && !memory_counts(domain->memory) ? create_axes(h) : KOL_OK;
}

kol_status box_history_create(const struct domain *domain, struct box_history **out)
{
    if (!history_wanted(domain->in)) return KOL_OK;
    if (spacings_uniform(domain->in) && box_spectra_shells(&domain->grid) > BOX_SPECTRA_SHELLS)
        RAISE(KOL_ERR_INPUT,
              "error: &history: the spectra of this box would have %.0f shells of wavenumbers, and %d are "
              "allowed; make its sides more equal",
              box_spectra_shells(&domain->grid), BOX_SPECTRA_SHELLS);
    struct box_history *h = *out = calloc(1, sizeof *h);
    if (h == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the history");
    h->domain = domain;
    h->moments = box_moments_make(domain->in->fluid.nu, &domain->grid);
    if (!spacings_uniform(domain->in)) return KOL_OK;
    TRY(box_slabs_create(domain->memory, &domain->comm, &domain->decomp, &domain->grid,
                         halo_transport(domain->halo), &h->slabs));
    return memory_agree(domain->memory, &domain->comm, create_spectra(h));
}

void box_history_destroy(struct box_history **history)
{
    struct box_history *h = *history;
    if (h == NULL) return;
    box_spectra_destroy(&h->spectra);
    box_slabs_destroy(&h->slabs);
    mem_kernel_free(h->memory);
    free(h->sample);
    free(h->wavenumber);
    free(h->distance);
    free(h);
    *history = NULL;
}

int box_history_points(const struct box_history *history)
{
    return history->points;
}

const double *box_history_wavenumbers(const struct box_history *history)
{
    return history->wavenumber;
}

const double *box_history_distances(const struct box_history *history)
{
    return history->distance;
}

/* Numbers that need no spectrum. */
static void derive_numbers(const struct box_history *h, const double *sample, double number[HISTORY_NUMBERS])
{
    static const int FROM[] = {[HISTORY_K] = BOX_K,
                               [HISTORY_DISSIPATION] = BOX_DISSIPATION,
                               [HISTORY_POWER] = BOX_POWER,
                               [HISTORY_ENSTROPHY] = BOX_ENSTROPHY,
                               [HISTORY_RMS] = BOX_RMS,
                               [HISTORY_LARGE_TIME] = BOX_LARGE_TIME,
                               [HISTORY_RE_T] = BOX_K,
                               [HISTORY_RE_LAMBDA] = BOX_RE_LAMBDA,
                               [HISTORY_TAYLOR] = BOX_TAYLOR,
                               [HISTORY_ETA] = BOX_ETA,
                               [HISTORY_ETA_TIME] = BOX_ETA_TIME,
                               [HISTORY_K_MAX_ETA] = BOX_K_MAX_ETA,
                               [HISTORY_SKEWNESS] = BOX_ALL_ALONG_SKEWNESS,
                               [HISTORY_FLATNESS] = BOX_ALL_ALONG_FLATNESS};
    double derived[BOX_SCALARS];
    const double nu = h->moments.nu;
    box_derive(&h->moments, sample, derived);
    for (int n = 0; n < HISTORY_LENGTH; ++n) number[n] = derived[FROM[n]];
    number[HISTORY_RE_T] = nu > 0 ? derived[BOX_K] * derived[BOX_LARGE_TIME] / nu : NAN;
    for (int n = HISTORY_LENGTH; n < HISTORY_NUMBERS; ++n) number[n] = NAN;
}

/* The integral of the correlation of component d along direction d over half the period, by the trapezoidal
 * rule, over the variance. Its value at a distance is the variance less half the mean square difference. With
 * an odd number of cells half the period ends between two distances at which the correlation is the same. */
static double length_along(const struct box_history *h, int d)
{
    const struct grid *g = &h->domain->grid;
    const double variance = box_spectra_variance(h->spectra, h->sample, d),
                 spacing = g->length[d] / g->n_g[d];
    const int half = g->n_g[d] / 2;
    double sum = 0;
    for (int n = 0; n <= half; ++n)
        sum += (n == 0 || 2 * n == g->n_g[d] ? 0.5 : 1) *
               (variance - 0.5 * box_spectra_increment(h->spectra, h->sample, d, d, n));
    return variance > 0 ? sum * spacing / variance : NAN;
}

static void derive_lengths(const struct box_history *h, double number[HISTORY_NUMBERS])
{
    const struct grid *g = &h->domain->grid;
    const double rms = number[HISTORY_RMS], shortest = fmin(g->length[X], fmin(g->length[Y], g->length[Z]));
    double over_k = 0;
    for (int n = 1; n < h->points; ++n) over_k += h->sample[n] / n; /* E/k times the width of the shell */
    number[HISTORY_LENGTH] = rms > 0 ? PI / (2 * rms * rms) * over_k : NAN;
    number[HISTORY_LENGTH_11] = (length_along(h, X) + length_along(h, Y) + length_along(h, Z)) / 3;
    const double scale = rms > 0 ? number[HISTORY_DISSIPATION] / (rms * rms * rms) : NAN;
    number[HISTORY_C_EPS] = scale * number[HISTORY_LENGTH];
    number[HISTORY_C_EPS_11] = scale * number[HISTORY_LENGTH_11];
    number[HISTORY_BOXED] = number[HISTORY_LENGTH_11] / shortest;
}

static void derive_curves(const struct box_history *h, double *curve)
{
    const struct grid *g = &h->domain->grid;
    const int points = h->points, alike = 1 + like_x(g, Y) + like_x(g, Z);
    double *along = curve + (ptrdiff_t)HISTORY_ALONG * points,
           *across = curve + (ptrdiff_t)HISTORY_ACROSS * points;
    for (int n = 0; n < HISTORY_ALONG * points; ++n) curve[n] = h->sample[n];
    for (int n = 0; n < points; ++n) {
        along[n] = across[n] = n < h->distances ? 0 : NAN;
        for (int d = X; d <= Z && n < h->distances; ++d) {
            if (!like_x(g, d)) continue;
            along[n] += box_spectra_increment(h->spectra, h->sample, d, d, n) / alike;
            for (int c = X; c <= Z; ++c)
                if (c != d) across[n] += box_spectra_increment(h->spectra, h->sample, c, d, n) / (2 * alike);
        }
    }
}

/* Takes a sample of the spectra. */
static kol_status sample_spectra(struct box_history *h, const struct flow *flow)
{
    const struct domain *domain = h->domain;
    const int fits = h->memory == NULL;
    real *held[WORK] = {NULL}, *convection[COMPONENTS] = {NULL};
    double *work[WORK];
    for (int n = 0; n < WORK; ++n) {
        if (fits) TRY(pool_hold(domain->pool, "lines of the history", &held[n]));
        work[n] = fits ? (double *)(void *)held[n] : h->memory + n * h->values;
    }
    for (int c = 0; c < COMPONENTS; ++c) TRY(pool_hold(domain->pool, "convection", &convection[c]));
    if (!pool_counts(domain->pool)) {
        TRY(momentum_rhs(domain->grid.box, domain->grid.m, cells_all(), 0, flow->vel[X], flow->vel[Y],
                         flow->vel[Z], convection[X], convection[Y], convection[Z]));
        TRY(box_spectra_sample(h->spectra, h->slabs, flow->vel, convection, work, h->sample));
    }
    for (int c = 0; c < COMPONENTS; ++c) TRY(pool_drop(domain->pool, &convection[c]));
    for (int n = 0; n < WORK; ++n) TRY(pool_drop(domain->pool, &held[n]));
    return KOL_OK;
}

kol_status box_history_sample(struct box_history *h, const struct flow *flow, double number[HISTORY_NUMBERS],
                              double *curve)
{
    const struct domain *domain = h->domain;
    double sample[BOX_VALUES];
    if (h->slabs != NULL) TRY(sample_spectra(h, flow));
    if (pool_counts(domain->pool)) return KOL_OK;
    TRY(box_sample(&h->moments, &domain->grid, domain->reduction, flow->vel, flow->pressure.p, sample));
    sample[BOX_EXTRA_POWER] = flow->force.power;
    if (number == NULL) return KOL_OK;
    derive_numbers(h, sample, number);
    if (h->slabs == NULL) return KOL_OK;
    derive_lengths(h, number);
    derive_curves(h, curve);
    return KOL_OK;
}
