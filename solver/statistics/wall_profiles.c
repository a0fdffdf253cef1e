/* Computes profiles between walls from plane averages: fluctuations, stresses and budgets. */
#include "wall_profiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "math/central_moments.h"

/* --- the walls --- */

int profiles_normal(const struct input *in)
{
    int normal = -1, count = 0;
    for (int d = 0; d < 3; ++d) {
        if (direction_is_periodic(in, d)) continue;
        normal = d;
        ++count;
    }
    return count == 1 ? normal : -1;
}

/* Whether there are STRESS_ sums: they are asked for, and no fluid passes through the faces. */
static int has_stresses(const struct input *in)
{
    const int normal = profiles_normal(in);
    return in->statistics.stress_budgets && normal >= 0 && !direction_has_open(in, normal);
}

static kol_status set_spacings(const struct grid *g, struct wall_profiles *w)
{
    const int n = w->cells;
    w->c = calloc((size_t)(3 * (n + 1)), sizeof *w->c);
    if (w->c == NULL) RAISE(KOL_ERR_MEMORY, "no memory for profiles of %d levels", w->levels);
    w->f = w->c + n + 1;
    w->e = w->f + n + 1;
    for (int k = 0; k < n; ++k) w->c[k] = grid_width(g, w->normal, k);
    for (int k = 0; k <= n; ++k) {
        w->f[k] = grid_centre_distance(g, w->normal, k);
        w->e[k] = k == 0 || k == n ? 0.5 * w->f[k] : w->f[k];
    }
    return KOL_OK;
}

/* Whether there may be a mean flow across the planes. */
static int through(const struct wall_profiles *w)
{
    return w->open[0] && w->open[1];
}

kol_status profiles_create(const struct input *in, const struct grid *g, struct wall_profiles *w)
{
    memset(w, 0, sizeof *w);
    w->normal = profiles_normal(in);
    w->a = w->normal == X ? Y : X;
    w->b = w->normal == Z ? Y : Z;
    w->cells = g->n_g[w->normal];
    w->levels = w->cells + 1;
    w->stresses = has_stresses(in);
    w->pressure = in->statistics.pressure;
    w->quadrants = in->statistics.quadrants && !direction_has_open(in, w->normal);
    for (int h = 0; h < QUADRANT_HOLES; ++h) {
        const double size = h > 0 ? in->statistics.quadrant_holes[h - 1] : 0;
        w->hole[h] = size == INPUT_NOWHERE ? -1 : size;
    }
    w->nu = in->fluid.nu;
    rotation_make(in, w);
    w->low = g->face[w->normal][0];
    w->height = g->length[w->normal];
    for (int s = 0; s < 2; ++s) {
        const int face = 2 * w->normal + s;
        w->rough[s] = face_has_friction(in, face);
        w->open[s] = face_is_open(in, face);
        w->factor[s] = 1 - g->part_beyond[face];
        w->wall[s][0] = w->rough[s] ? in->boundary.velocity[face][w->a] : 0;
        w->wall[s][1] = w->rough[s] ? in->boundary.velocity[face][w->b] : 0;
    }
    w->delta = w->rough[0] && w->rough[1] ? 0.5 * w->height : w->height;
    w->stream = stream_direction(in) == w->b;
    w->frame = faces_walls_velocity(in, w->stream ? w->b : w->a);
    w->across = through(w) && channel_inflow(in) / 2 == w->normal && channel_inflow(in) >= 0;
    w->centre = g->centre[w->normal];
    w->face = g->face[w->normal];
    wall_scalars_make(in, g, w);
    return set_spacings(g, w);
}

void profiles_destroy(struct wall_profiles *w)
{
    free(w->c);
    w->c = w->f = w->e = NULL;
}

int profile_is_there(const struct wall_profiles *w, int profile)
{
    const int stress = profile >= PROFILE_STRESS_VISCOUS && profile <= PROFILE_STRESS_RESIDUAL,
              line = profile == PROFILE_STRESS_LINE || profile == PROFILE_STRESS_RESIDUAL;
    const int quadrant = profile - PROFILE_QUADRANT;
    if (quadrant >= 0) return w->quadrants && w->hole[quadrant / (2 * QUADRANTS)] >= 0;
    if (profile_is_zero(profile) || (profile_of_stresses(profile) && !w->stresses)) return 0;
    if (!rotation_profile(w, profile)) return 0;
    return !(stress && w->across) && !(line && (w->open[0] || w->open[1]));
}

int profiles_values(const struct wall_profiles *w)
{
    return profiles_first_of_scalars(w) + wall_scalars_values(w);
}

int profiles_kind(const struct wall_profiles *w)
{
    return (w->stresses != 0) + 2 * (w->quadrants != 0) + 4 * w->scalars.count + 64 * w->pressure;
}

int profiles_same(const struct wall_profiles *w, const double *mean)
{
    if (fabs(mean[profiles_extra(w, PROFILE_EXTRA_KIND)] - profiles_kind(w)) > 0.5) return 0;
    for (int h = 0; h < QUADRANT_HOLES; ++h)
        if (fabs(mean[profiles_extra(w, PROFILE_EXTRA_HOLES + h)] - w->hole[h]) > 1e-12 * fabs(w->hole[h]))
            return 0;
    return 1;
}

/* Name, description and unit of sum n of a sample, if it is not one of a transported scalar. */
static const struct profile_entry *profiles_sum(const struct wall_profiles *w, int n)
{
    if (n < AVG_COUNT) return &profile_sums[n];
    n -= AVG_COUNT;
    if (w->stresses && n < STRESS_COUNT) return &profile_stress_sums[n];
    return &profile_quadrant_sums[w->stresses ? n - STRESS_COUNT : n];
}

void profiles_name_sum(const struct wall_profiles *w, int n, char *out, size_t size)
{
    const int own = profiles_scalar(w, 0) / w->levels;
    if (n < own) profiles_name(w, profiles_sum(w, n)->long_name, out, size);
    else wall_scalars_name_sum(w, n - own, out, size);
}

/* --- means and moments --- */

static const double *mean_of(const struct wall_profiles *w, const double *mean, int quantity)
{
    return mean + (ptrdiff_t)quantity * w->levels;
}

static double *profile_of(const struct wall_profiles *w, double *out, int profile)
{
    return out + (ptrdiff_t)profile * w->levels;
}

/* moments_of: variance, rms, skewness and flatness from raw moments at `places` levels. */
struct moments_of {
    const double *one, *two, *three, *four;
    double *variance, *rms, *skewness, *flatness, *cube;
};

static void moments_at(struct moments_of m, int places, double scale)
{
    for (int k = 0; k < places; ++k) {
        const struct central c =
            central_moments((const double[]){m.one[k], m.two[k], m.three[k], m.four[k]}, scale);
        m.variance[k] = c.variance;
        m.cube[k] = c.third;
        m.rms[k] = sqrt(c.variance);
        m.skewness[k] = c.skewness;
        m.flatness[k] = c.flatness;
    }
}

/* Derives the pressure without its volume mean, which is 0 in a run, but may be anything in a stored flow. */
static void derive_pressure(const struct wall_profiles *w, const double *p, double *out)
{
    double sum = 0;
    for (int k = 0; k < w->cells; ++k) sum += w->c[k] * p[k];
    for (int k = 0; k < w->cells; ++k) out[k] = p[k] - sum / w->height;
}

static void derive_moments(const struct wall_profiles *w, const double *mean, double *out)
{
#define M(Q) mean_of(w, mean, AVG_##Q)
#define O(P) profile_of(w, out, PROFILE_##P)
    const int n = w->cells;
    const double scale = central_moments_largest(
        central_moments_largest(central_moments_largest(0, M(AA), n), M(BB), n), M(NN), w->levels);
    memcpy(O(A), M(A), sizeof(double) * (size_t)n);
    memcpy(O(B), M(B), sizeof(double) * (size_t)n);
    derive_pressure(w, M(P), O(P));
    memcpy(O(N), M(N), sizeof(double) * (size_t)w->levels);
    moments_at((struct moments_of){M(A), M(AA), M(AAA), M(AAAA), O(AA), O(A_RMS), O(A_SKEWNESS),
                                   O(A_FLATNESS), O(A3)},
               n, scale);
    moments_at((struct moments_of){M(B), M(BB), M(BBB), M(BBBB), O(BB), O(B_RMS), O(B_SKEWNESS),
                                   O(B_FLATNESS), O(B3)},
               n, scale);
    moments_at((struct moments_of){M(N), M(NN), M(NNN), M(NNNN), O(NN), O(N_RMS), O(N_SKEWNESS),
                                   O(N_FLATNESS), O(N3)},
               w->levels, scale);
    for (int k = 0; k < n; ++k) {
        O(AB)[k] = M(AB)[k] - M(A)[k] * M(B)[k];
        O(PP)[k] = fmax(M(PP)[k] - M(P)[k] * M(P)[k], 0);
        O(P_RMS)[k] = sqrt(O(PP)[k]);
        O(OMEGA_N)[k] = sqrt(fmax(M(OMEGA_N)[k], 0)); /* the mean is 0 in every plane */
    }
}

/* Value of a mean at centres on the lower or upper side of the walls: k may be one cell beyond the ends.
 * Beyond walls it is the value that wall_fill sets; beyond open faces it is missing. */
static double beside(const struct wall_profiles *w, const double *u, int component, int k)
{
    const int side = k < 0 ? 0 : 1, inside = k < 0 ? 0 : w->cells - 1;
    if (k >= 0 && k < w->cells) return u[k];
    if (w->open[side]) return NAN;
    return w->factor[side] * u[inside] + (1 - w->factor[side]) * w->wall[side][component];
}

/* Root of a variance, which rounding may have made negative; missing if the variance is missing. */
static double root(double square)
{
    return isnan(square) ? NAN : sqrt(fmax(square, 0));
}

static void derive_faces(const struct wall_profiles *w, const double *mean, double *out)
{
    const double *ua = M(A), *ub = M(B);
    for (int k = 0; k < w->levels; ++k) {
        const double a = 0.5 * (beside(w, ua, 0, k - 1) + beside(w, ua, 0, k)),
                     b = 0.5 * (beside(w, ub, 1, k - 1) + beside(w, ub, 1, k));
        const double da = (beside(w, ua, 0, k) - beside(w, ua, 0, k - 1)) / w->f[k],
                     db = (beside(w, ub, 1, k) - beside(w, ub, 1, k - 1)) / w->f[k];
        O(AN)[k] = M(AN)[k] - a * M(N)[k];
        O(BN)[k] = M(BN)[k] - b * M(N)[k];
        O(AAN)[k] = M(FLUX_AA)[k] - 2 * a * O(AN)[k];
        O(BBN)[k] = M(FLUX_BB)[k] - 2 * b * O(BN)[k];
        O(DA)[k] = da;
        O(DB)[k] = db;
        O(OMEGA_A)[k] = root(M(OMEGA_A)[k] - db * db);
        O(OMEGA_B)[k] = root(M(OMEGA_B)[k] - da * da);
    }
}

/* --- shear stress --- */

static void derive_stress(const struct wall_profiles *w, double *out, double *scalar)
{
    const double *gradient = w->stream ? O(DB) : O(DA), *flux = w->stream ? O(BN) : O(AN);
    const double *u = w->stream ? O(B) : O(A);
    const double low = w->nu * gradient[0], high = w->nu * gradient[w->cells];
    double bulk = 0;
    for (int k = 0; k < w->levels; ++k) {
        const double at = (w->face[k] - w->low) / w->height;
        O(STRESS_VISCOUS)[k] = w->nu * gradient[k];
        O(STRESS_REYNOLDS)[k] = 0 - flux[k];
        O(STRESS_TOTAL)[k] = w->nu * gradient[k] - flux[k];
        O(STRESS_LINE)[k] = low + (high - low) * at;
        O(STRESS_RESIDUAL)[k] = O(STRESS_TOTAL)[k] - O(STRESS_LINE)[k];
    }
    for (int k = 0; k < w->cells && !w->across; ++k) bulk += w->c[k] * (u[k] - w->frame);
    for (int k = 0; k < w->levels && w->across; ++k) bulk += w->e[k] * O(N)[k];
    const int walls = w->rough[0] + w->rough[1];
    const double u_tau =
        walls > 0 ? sqrt(((w->rough[0] ? fabs(low) : 0) + (w->rough[1] ? fabs(high) : 0)) / walls) : NAN;
    scalar[SCALAR_STRESS_LOW] = low;
    scalar[SCALAR_STRESS_HIGH] = 0 - high;
    scalar[SCALAR_U_TAU] = u_tau;
    scalar[SCALAR_RE_TAU] = w->nu > 0 ? u_tau * w->delta / w->nu : NAN;
    scalar[SCALAR_U_B] = bulk / w->height;
    scalar[SCALAR_RE_B] = w->nu > 0 ? bulk / w->nu : NAN;
    scalar[SCALAR_FRICTION] = scalar[SCALAR_U_B] != 0 ? 2 * pow(u_tau / scalar[SCALAR_U_B], 2) : NAN;
}

/* Fluctuations of the stress on a wall, along the stream and across it. Like the mean, it is the force of the
 * fluid on the wall. */
static void derive_wall(const struct wall_profiles *w, const double *mean, const double *out, double *scalar)
{
    const double *along = out + (ptrdiff_t)(w->stream ? PROFILE_DB : PROFILE_DA) * w->levels,
                 *across = out + (ptrdiff_t)(w->stream ? PROFILE_DA : PROFILE_DB) * w->levels;
    const double *square = w->stream ? M(SHEAR_B) : M(SHEAR_A), *other = w->stream ? M(SHEAR_A) : M(SHEAR_B);
    for (int side = 0; side < 2; ++side) {
        const int k = side == 0 ? 0 : w->cells;
        const double s = along[k], variance = fmax(square[k] - s * s, 0);
        const int sum = AVG_COUNT + (w->stream ? STRESS_SHEAR_BBB : STRESS_SHEAR_AAA);
        scalar[SCALAR_STRESS_RMS + side] = w->nu * sqrt(variance);
        scalar[SCALAR_STRESS_ACROSS + side] = w->nu * sqrt(fmax(other[k] - across[k] * across[k], 0));
        scalar[SCALAR_STRESS_SKEWNESS + side] = NAN;
        if (!w->stresses) continue;
        const struct central c = central_moments((const double[]){s, square[k], mean_of(w, mean, sum)[k], 0},
                                                 fmax(square[k], other[k]));
        scalar[SCALAR_STRESS_SKEWNESS + side] = (side == 0 ? 1 : -1) * c.skewness;
    }
}

/* --- budgets --- */

static double *term_of(const struct wall_profiles *w, double *out, int budget, enum budget_term term)
{
    return profile_of(w, out, budget + (int)term);
}

/* budget_along: the profiles from which the variance budget of a wall-parallel component u is computed.
 *
 *   at centres   u and its variance; the gradients along the walls; pressure times strain
 *   at faces     the flux <uw>; the transport <w u u>; the shear of the mean; the mean of the squared shear
 */
struct budget_along {
    int component, budget;
    const double *u, *variance, *flux, *carried, *shear, *shear_square, *gradients, *strain, *across;
};

static void budget_along(const struct wall_profiles *w, struct budget_along q, double *out)
{
#define TERM(T) term_of(w, out, q.budget, BUDGET_##T)
    const int n = w->cells;
    for (int k = 0; k < n; ++k) {
        double production = 0, turbulent = 0, viscous = 0, dissipation = 2 * w->nu * q.gradients[k];
        for (int s = 0; s < 2; ++s) { /* lower and upper face */
            const int face = k + s, other = s == 0 ? k - 1 : k + 1;
            const double out_of = s == 0 ? -1 : 1;
            const double low = beside(w, q.u, q.component, face - 1),
                         high = beside(w, q.u, q.component, face), sum = low + high,
                         of_mean = through(w) ? q.across[face] * (low * high) : 0;
            const double next = other < 0 || other >= n ? q.variance[k] : q.variance[other];
            const double square = q.shear_square[face] - q.shear[face] * q.shear[face];
            production -= w->f[face] * q.flux[face] * q.shear[face];
            turbulent -= out_of * (q.carried[face] - sum * q.flux[face] - of_mean);
            viscous += w->nu * (next - q.variance[k]) / w->f[face];
            dissipation += w->nu * w->f[face] * square / w->c[k];
        }
        TERM(PRODUCTION)[k] = production / w->c[k];
        TERM(TURBULENT)[k] = turbulent / w->c[k];
        TERM(VISCOUS)[k] = viscous / w->c[k];
        TERM(PRESSURE)[k] = 0;
        TERM(STRAIN)[k] = 2 * q.strain[k];
        TERM(DISSIPATION)[k] = dissipation;
    }
}

/* across: the mean wall-normal velocity W contributes to the fluxes through a centre. This is its
 * contribution at face k. In the flux of w^2 it is twice W times the flux of momentum, whose mean follows
 * from that of the gradient. In the flux of p w it is W times the mean pressure. */
struct across {
    double momentum, pressure;
};

static struct across across_at(const struct wall_profiles *w, const double *mean, int k, int centre)
{
    const double *nn = M(NN), mean_w = M(N)[k];
    const double square =
        0.5 * (nn[centre] + nn[centre + 1]) - 0.25 * w->c[centre] * w->c[centre] * M(GRAD_N)[centre];
    if (!through(w)) return (struct across){0, 0};
    return (struct across){2 * mean_w * square, mean_w * M(P)[centre]};
}

/* Budget of the variance of the wall-normal component, at faces. On walls it is that of half a volume; on
 * open faces, where the velocity is given, it is missing. */
static void budget_normal(const struct wall_profiles *w, const double *mean, double *out)
{
    const struct {
        int budget;
    } q = {PROFILE_NN_BUDGET};
    const double *nn = M(NN), *carried = M(FLUX_NN), *pn = M(PN), *gradient = M(GRAD_N);
    for (int k = 0; k < w->levels; ++k) {
        double turbulent = 0, viscous = 0, pressure = 0, strain = 0, dissipation = 0;
        for (int s = 0; s < 2; ++s) { /* the centre below and above */
            const int centre = k - 1 + s, next = s == 0 ? k - 1 : k + 1;
            const double out_of = s == 0 ? -1 : 1;
            if (centre < 0 || centre >= w->cells) continue;
            const struct across mean_flow = across_at(w, mean, k, centre);
            turbulent -= out_of * (carried[centre] - mean_flow.momentum);
            viscous += w->nu * (nn[next] - nn[k]) / w->c[centre];
            pressure -= 2 * out_of * (pn[centre] - mean_flow.pressure);
            strain -= w->c[centre] * (M(PDA)[centre] + M(PDB)[centre]);
            dissipation += w->nu * w->c[centre] * gradient[centre];
        }
        if ((k == 0 && w->open[0]) || (k == w->cells && w->open[1]))
            turbulent = viscous = pressure = strain = dissipation = NAN;
        TERM(PRODUCTION)[k] = 0;
        TERM(TURBULENT)[k] = turbulent / w->e[k];
        TERM(VISCOUS)[k] = viscous / w->e[k];
        TERM(PRESSURE)[k] = pressure / w->e[k];
        TERM(STRAIN)[k] = strain / w->e[k];
        TERM(DISSIPATION)[k] = 2 * w->nu * M(SHEAR_N)[k] + dissipation / w->e[k];
    }
#undef TERM
}

static void budget_energy(const struct wall_profiles *w, double *out)
{
    for (int k = 0; k < w->cells; ++k) {
        O(K)[k] = 0.5 * (O(AA)[k] + O(BB)[k] + profiles_shared(w, O(NN), k));
        for (int t = 0; t < BUDGET_RESIDUAL; ++t) {
            if (t == BUDGET_ROTATION) continue; /* it does no work */
            const double along =
                profile_of(w, out, PROFILE_AA_BUDGET + t)[k] + profile_of(w, out, PROFILE_BB_BUDGET + t)[k];
            profile_of(w, out, PROFILE_K_BUDGET + t)[k] =
                0.5 * (along + profiles_shared(w, profile_of(w, out, PROFILE_NN_BUDGET + t), k));
        }
    }
}

static void derive_residual(const struct wall_profiles *w, int budget, int places, double *out)
{
    for (int k = 0; k < places; ++k) {
        double sum = 0;
        for (int t = 0; t < BUDGET_DISSIPATION; ++t) sum += profile_of(w, out, budget + t)[k];
        profile_of(w, out, budget + BUDGET_RESIDUAL)[k] =
            sum - profile_of(w, out, budget + BUDGET_DISSIPATION)[k];
    }
}

static void derive_budgets(const struct wall_profiles *w, const double *mean, double *out)
{
    budget_along(w,
                 (struct budget_along){0, PROFILE_AA_BUDGET, O(A), O(AA), O(AN), M(FLUX_AA), O(DA),
                                       M(SHEAR_A), M(GRAD_A), M(PDA), M(N)},
                 out);
    budget_along(w,
                 (struct budget_along){1, PROFILE_BB_BUDGET, O(B), O(BB), O(BN), M(FLUX_BB), O(DB),
                                       M(SHEAR_B), M(GRAD_B), M(PDB), M(N)},
                 out);
    budget_normal(w, mean, out);
    rotation_normal_stresses(w, mean, out);
    budget_energy(w, out);
    derive_residual(w, PROFILE_AA_BUDGET, w->cells, out);
    derive_residual(w, PROFILE_BB_BUDGET, w->cells, out);
    derive_residual(w, PROFILE_K_BUDGET, w->cells, out);
    derive_residual(w, PROFILE_NN_BUDGET, w->levels, out);
}

/* --- all of it --- */

static void to_wall_units(const struct wall_profiles *w, double u_tau, double *out)
{
    const double length = w->nu / u_tau;
    for (int p = 0; p < PROFILES; ++p) {
        const struct profile_entry *e = &profile_table[p];
        const double scale = pow(u_tau, e->velocity) * pow(length, e->length);
        const double *from = profile_of(w, out, p);
        double *to = profile_of(w, out, PROFILES + p);
        for (int k = 0; k < w->levels; ++k) to[k] = from[k] / scale;
    }
}

void profiles_derive(const void *context, const double *mean, double *out)
{
    const struct wall_profiles *w = context;
    double *scalar = out + 2 * (ptrdiff_t)PROFILES * w->levels;
    memset(out, 0, (size_t)profiles_values(w) * sizeof *out);
    derive_moments(w, mean, out);
    derive_faces(w, mean, out);
    derive_stress(w, out, scalar);
    derive_wall(w, mean, out, scalar);
    derive_budgets(w, mean, out);
    if (w->stresses) stresses_derive(w, mean, out);
    if (w->quadrants) quadrants_derive(w, mean, out);
    scalar[SCALAR_FORCE] = mean[profiles_extra(w, PROFILE_EXTRA_FORCE)];
    wall_scalars_derive(w, mean, out);
    to_wall_units(w, scalar[SCALAR_U_TAU], out);
#undef M
#undef O
}
