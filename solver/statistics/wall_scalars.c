/* Computes profiles of scalars between walls from their plane averages. */
#include "wall_scalars.h"

#include <math.h>
#include <string.h>
#include "inputs/buoyancy.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "math/central_moments.h"
#include "scalars/scalar_faces.h"

/* --- what the input says --- */

/* Whether something other than buoyancy drives the flow between walls. */
static int has_stream(const struct input *in)
{
    return drive_has_force(in) || drive_by_formula(in) || faces_any_moving_wall(in);
}

/* Whether the dissipation of kinetic energy tells the flux of scalar n: it makes buoyancy, that of all
 * scalars acts along the normal, and nothing else drives the flow. */
static int lifts_by_itself(int n, const struct wall_profiles *w)
{
    int along = 0;
    for (int m = 0; m < w->scalars.count; ++m)
        along |= w->scalars.of[m].lift[0] != 0 || w->scalars.of[m].lift[1] != 0;
    return w->scalars.of[n].lift[2] != 0 && !along && !w->scalars.stream;
}

void wall_scalars_make(const struct input *in, const struct grid *g, struct wall_profiles *w)
{
    const int along[3] = {w->a, w->b, w->normal}, low = 2 * w->normal, high = low + 1;
    w->scalars.count = scalar_count(in);
    w->scalars.stream = has_stream(in);
    for (int n = 0; n < w->scalars.count; ++n) {
        struct wall_scalar *s = &w->scalars.of[n];
        double gradient[3], lift[3] = {0, 0, 0};
        *s = (struct wall_scalar){.name = in->scalars.name[n], .unit = in->scalars.unit[n]};
        s->kappa = scalar_diffusivity(in, n);
        s->limited = scalar_limited(in, n);
        scalar_gradient(in, n, gradient);
        if (buoyancy_wanted(in)) buoyancy_lift(in, n, lift);
        for (int d = 0; d < 3; ++d) {
            s->gradient[d] = gradient[along[d]];
            s->lift[d] = lift[along[d]];
        }
        for (int side = 0; side < 2; ++side) {
            const struct scalar_beyond beyond = scalar_faces_beyond(in, g, n, low + side);
            s->factor[side] = beyond.factor;
            s->add[side] = beyond.add;
        }
        if (scalar_has_value(in, n, low) && scalar_has_value(in, n, high))
            s->drop = in->scalars.face_value[low][n] - in->scalars.face_value[high][n];
    }
    for (int n = 0; n < w->scalars.count; ++n) w->scalars.of[n].drives = lifts_by_itself(n, w);
}

/* --- places --- */

static int values_each(const struct wall_profiles *w)
{
    return WS_PROFILES * w->levels + WS_NUMBERS;
}

int wall_scalars_values(const struct wall_profiles *w)
{
    return w->scalars.count > 0 ? w->scalars.count * values_each(w) + BUOYANCY_PROFILES * w->levels : 0;
}

int wall_scalars_place(const struct wall_profiles *w, int n)
{
    return profiles_first_of_scalars(w) + n * values_each(w);
}

static int lifted(const struct wall_profiles *w, int component)
{
    int any = 0;
    for (int n = 0; n < w->scalars.count; ++n) any |= w->scalars.of[n].lift[component] != 0;
    return any;
}

/* Terms that are 0 for every flow of this kind. component: 0 to 2; -1: the budget of the variance. */
static int has_term(const struct wall_profiles *w, const struct wall_scalar *s, int component, int term)
{
    const int graded = s->gradient[0] != 0 || s->gradient[1] != 0;
    if (term == TERM_GRADIENT) return graded;
    if (term == TERM_PRESSURE) return component == 2;
    if (term == TERM_STRAIN) return component >= 0;
    if (term == TERM_BUOYANCY) return component >= 0 && lifted(w, component);
    if (term == TERM_ROTATION) return component >= 0 && rotation_changes(w, component);
    if (term == TERM_REMAINDER) return component >= 0 || s->limited;
    return 1;
}

int wall_scalar_has(const struct wall_profiles *w, int n, int profile)
{
    static const struct {
        int first, component;
    } BUDGET[] = {{WS_VARIANCE_BUDGET, -1}, {WS_A_BUDGET, 0}, {WS_B_BUDGET, 1}, {WS_N_BUDGET, 2}};
    const struct wall_scalar *s = &w->scalars.of[n];
    for (size_t i = 0; i < sizeof BUDGET / sizeof *BUDGET; ++i) {
        const int term = profile - BUDGET[i].first;
        if (term < 0 || term >= TERMS) continue;
        return !w->open[0] && !w->open[1] && (w->stresses || i == 0) &&
               has_term(w, s, BUDGET[i].component, term);
    }
    return profile != WS_PRANDTL || !w->across;
}

int wall_scalar_has_number(const struct wall_profiles *w, int n, int number)
{
    const struct wall_scalar *s = &w->scalars.of[n];
    if (number == WS_FLUX_LOW || number == WS_FLUX_HIGH) return !w->open[number - WS_FLUX_LOW];
    if (w->open[0] || w->open[1]) return number == WS_VOLUME_MEAN;
    if (number == WS_TAU) return profiles_walled(w) && w->scalars.stream;
    if (number == WS_BULK) return w->scalars.stream;
    if (number == WS_NU_BULK) return w->scalars.stream && s->drop == 0 && w->rough[0] && w->rough[1];
    if (number == WS_NU_ENERGY) return s->drop != 0 && s->drives;
    return number < WS_NU_LOW || s->drop != 0;
}

int wall_buoyancy_has(const struct wall_profiles *w, int profile)
{
    const int a = lifted(w, 0), b = lifted(w, 1), n = lifted(w, 2);
    const int has[BUOYANCY_PROFILES] = {[BUOYANCY_AA] = a, [BUOYANCY_BB] = b,      [BUOYANCY_K] = a || b || n,
                                        [BUOYANCY_NN] = n, [BUOYANCY_AN] = a || n, [BUOYANCY_BN] = b || n};
    const int stress = profile == BUOYANCY_AN || profile == BUOYANCY_BN;
    return !w->open[0] && !w->open[1] && has[profile] && (w->stresses || !stress);
}

/* --- profiles --- */

#define T(Q) (q.own + (ptrdiff_t)THETA_##Q * q.w->levels)
#define M(Q) (q.mean + (ptrdiff_t)AVG_##Q * q.w->levels)
#define O(P) (q.out + (ptrdiff_t)WS_##P * q.w->levels)
#define F(P) (q.flow + (ptrdiff_t)PROFILE_##P * q.w->levels)

/* The same sums for scalar n. out: all profiles, or NULL if those of the scalar are not needed. */
static struct wall_scalar_sums of_scalar(struct wall_scalar_sums q, int n, double *out)
{
    q.s = &q.w->scalars.of[n];
    q.own = q.mean + profiles_scalar(q.w, n);
    q.out = out != NULL ? out + wall_scalars_place(q.w, n) : NULL;
    return q;
}

/* Mean at a centre; k may be one cell beyond the ends. */
static double beside(struct wall_scalar_sums q, int k)
{
    const int side = k < 0 ? 0 : 1, cells = q.w->cells;
    const double *t = T(T);
    if (k >= 0 && k < cells) return t[k];
    if (q.w->open[side]) return NAN;
    return q.s->factor[side] * t[k < 0 ? 0 : cells - 1] + q.s->add[side];
}

/* Mean of a velocity along the walls at its points takes all of them, as half-half means in cells do. */
static void derive_centres(struct wall_scalar_sums q)
{
    const int cells = q.w->cells;
    const double scale = central_moments_largest(0, T(TT), cells);
    for (int k = 0; k < cells; ++k) {
        const struct central c =
            central_moments((const double[]){T(T)[k], T(TT)[k], T(TTT)[k], T(TTTT)[k]}, scale);
        O(MEAN)[k] = T(T)[k];
        O(VARIANCE)[k] = c.variance;
        O(RMS)[k] = sqrt(c.variance);
        O(SKEWNESS)[k] = c.skewness;
        O(FLATNESS)[k] = c.flatness;
        O(TA)[k] = T(TA)[k] - T(T)[k] * M(A)[k];
        O(TB)[k] = T(TB)[k] - T(T)[k] * M(B)[k];
    }
}

/* With a limiter, the flux that convection carries follows from the mean convection of each plane. */
static void derive_faces(struct wall_scalar_sums q)
{
    const double *shear = q.w->stream ? F(DB) : F(DA), *stress = q.w->stream ? F(BN) : F(AN);
    double carried = T(TN)[0];
    for (int k = 0; k < q.w->levels; ++k) {
        const double low = beside(q, k - 1), high = beside(q, k), mean = 0.5 * (low + high);
        if (k > 0) carried -= q.w->c[k - 1] * T(C)[k - 1];
        O(GRADIENT)[k] = (high - low) / q.w->f[k];
        O(TN)[k] = (q.s->limited ? carried : T(TN)[k]) - mean * M(N)[k];
        O(MOLECULAR)[k] = 0 - q.s->kappa * O(GRADIENT)[k];
        O(TOTAL)[k] = O(TN)[k] + O(MOLECULAR)[k];
        O(PRANDTL)[k] = O(TN)[k] * shear[k] != 0 ? stress[k] * O(GRADIENT)[k] / (O(TN)[k] * shear[k]) : NAN;
    }
}

/* --- numbers --- */

/* Volume mean of the dissipation of half the variance, that of the mean gradient included [own^2/T]. */
static double scatter(struct wall_scalar_sums q)
{
    double sum = 0;
    for (int k = 0; k < q.w->cells; ++k) sum += q.w->c[k] * T(GRAD)[k];
    for (int k = 0; k < q.w->levels; ++k) sum += q.w->e[k] * T(SHEAR)[k];
    return q.s->kappa * sum / q.w->height;
}

/* Volume mean of the dissipation of kinetic energy, that of the mean flow included [U^3/L]. */
static double dissipation(struct wall_scalar_sums q)
{
    double sum = 0;
    for (int k = 0; k < q.w->cells; ++k) sum += q.w->c[k] * (M(GRAD_A)[k] + M(GRAD_B)[k] + M(GRAD_N)[k]);
    for (int k = 0; k < q.w->levels; ++k) sum += q.w->e[k] * (M(SHEAR_A)[k] + M(SHEAR_B)[k] + M(SHEAR_N)[k]);
    return q.w->nu * sum / q.w->height;
}

/* The covariance with the normal velocity by which buoyancy acts, which no limiter changes. */
static double lifting_flux(struct wall_scalar_sums q, int k)
{
    return T(TN)[k] - 0.5 * (beside(q, k - 1) + beside(q, k)) * M(N)[k];
}

/* Volume mean of the work of the other scalars on the flow [U^3/L]. */
static double work_of_others(struct wall_scalar_sums q)
{
    double sum = 0;
    for (int m = 0; m < q.w->scalars.count; ++m) {
        const struct wall_scalar_sums other = of_scalar(q, m, NULL);
        double flux = 0;
        if (other.s == q.s || other.s->lift[2] == 0) continue;
        for (int k = 0; k < q.w->levels; ++k) flux += q.w->e[k] * lifting_flux(other, k);
        sum += other.s->lift[2] * flux / q.w->height;
    }
    return sum;
}

/* The mean that the stream carries past the walls. */
static double mixed_mean(struct wall_scalar_sums q)
{
    const double *u = q.w->stream ? M(B) : M(A), *flux = q.w->stream ? T(TB) : T(TA);
    double bulk = 0, carried = 0;
    for (int k = 0; k < q.w->cells; ++k) {
        bulk += q.w->c[k] * (u[k] - q.w->frame);
        carried += q.w->c[k] * (flux[k] - q.w->frame * T(T)[k]);
    }
    return bulk != 0 ? carried / bulk : NAN;
}

static void derive_nusselt(struct wall_scalar_sums q, double *number)
{
    const double h = q.w->height, drop = q.s->drop, unit = q.s->kappa * drop / h;
    double flux = 0, least = INFINITY, most = -INFINITY, sum = 0;
    const int ways = q.s->drives ? 5 : 4;
    for (int k = 0; k < q.w->levels; ++k) flux += q.w->e[k] * O(TN)[k];
    number[WS_NU_LOW] = number[WS_FLUX_LOW] / unit;
    number[WS_NU_HIGH] = 0 - number[WS_FLUX_HIGH] / unit;
    number[WS_NU_FLUX] = 1 + flux / h / unit;
    number[WS_NU_DISSIPATION] = scatter(q) / (unit * drop / h);
    /* the work of each scalar is lift times its mean flux, and all of it is dissipated */
    number[WS_NU_ENERGY] = 1 + (dissipation(q) - work_of_others(q)) / (q.s->lift[2] * unit);
    for (int way = 0; way < ways; ++way) {
        const double nu = number[WS_NU_LOW + way];
        least = fmin(least, nu);
        most = fmax(most, nu);
        sum += nu;
    }
    number[WS_NU_SPREAD] = (most - least) / (sum / ways);
}

static void derive_numbers(struct wall_scalar_sums q, double u_tau, double *number)
{
    const int cells = q.w->cells, walls = q.w->rough[0] + q.w->rough[1];
    const double low = O(MOLECULAR)[0], high = 0 - O(MOLECULAR)[cells], bulk = mixed_mean(q);
    double mean = 0;
    for (int n = 0; n < WS_NUMBERS; ++n) number[n] = NAN;
    for (int k = 0; k < cells; ++k) mean += q.w->c[k] * O(MEAN)[k];
    number[WS_FLUX_LOW] = low;
    number[WS_FLUX_HIGH] = high;
    number[WS_VOLUME_MEAN] = mean / q.w->height;
    number[WS_BULK] = bulk;
    number[WS_TAU] =
        walls > 0 ? ((q.w->rough[0] ? fabs(low) : 0) + (q.w->rough[1] ? fabs(high) : 0)) / walls / u_tau
                  : NAN;
    const double on_low = 0.5 * (beside(q, -1) + beside(q, 0)),
                 on_high = 0.5 * (beside(q, cells - 1) + beside(q, cells));
    number[WS_NU_BULK] =
        0.5 * (low + high) * 2 * q.w->height / (q.s->kappa * (0.5 * (on_low + on_high) - bulk));
    if (q.s->drop != 0) derive_nusselt(q, number);
}

/* --- buoyancy in the budgets of the velocity --- */

static double *flow_profile(const struct wall_profiles *w, double *out, int profile)
{
    return out + (ptrdiff_t)profile * w->levels;
}

/* Adds the work of a scalar. Half of the volume e of each face belongs to either cell. */
static void add_work(struct wall_scalar_sums q, double *work)
{
    const struct wall_profiles *w = q.w;
    const struct wall_scalar *s = q.s;
    const double *ta = O(TA), *tb = O(TB);
#define W(P) (work + (ptrdiff_t)BUOYANCY_##P * w->levels)
    for (int k = 0; k < w->cells; ++k) {
        const double low = (k == 0 ? 1 : 0.5) * w->e[k] * lifting_flux(q, k),
                     high = (k == w->cells - 1 ? 1 : 0.5) * w->e[k + 1] * lifting_flux(q, k + 1);
        W(AA)[k] += 2 * s->lift[0] * ta[k];
        W(BB)[k] += 2 * s->lift[1] * tb[k];
        W(K)[k] += s->lift[0] * ta[k] + s->lift[1] * tb[k] + s->lift[2] * (low + high) / w->c[k];
    }
    for (int k = 1; k < w->cells; ++k) { /* 0 on walls */
        const double tn = lifting_flux(q, k);
        W(NN)[k] += 2 * s->lift[2] * tn;
        W(AN)[k] += s->lift[2] * 0.5 * (ta[k - 1] + ta[k]) + s->lift[0] * tn;
        W(BN)[k] += s->lift[2] * 0.5 * (tb[k - 1] + tb[k]) + s->lift[1] * tn;
    }
}

static void derive_work(struct wall_scalar_sums q, double *out)
{
    static const int RESIDUAL[BUOYANCY_PROFILES] = {
        [BUOYANCY_AA] = PROFILE_AA_BUDGET, [BUOYANCY_BB] = PROFILE_BB_BUDGET,
        [BUOYANCY_K] = PROFILE_K_BUDGET,   [BUOYANCY_NN] = PROFILE_NN_BUDGET,
        [BUOYANCY_AN] = PROFILE_AN_BUDGET, [BUOYANCY_BN] = PROFILE_BN_BUDGET};
    const struct wall_profiles *w = q.w;
    double *work = out + wall_scalars_place(w, w->scalars.count);
    for (int n = 0; n < w->scalars.count; ++n) add_work(of_scalar(q, n, out), work);
    for (int p = 0; p < BUOYANCY_PROFILES; ++p) {
        double *residual = flow_profile(w, out, RESIDUAL[p] + BUDGET_RESIDUAL);
        if (!wall_buoyancy_has(w, p)) continue;
        for (int k = 0; k < w->levels; ++k) residual[k] += work[(ptrdiff_t)p * w->levels + k];
    }
}

void wall_scalars_derive(const struct wall_profiles *w, const double *mean, double *out)
{
    if (w->scalars.count == 0) return;
    const double u_tau = out[2 * (ptrdiff_t)PROFILES * w->levels + SCALAR_U_TAU];
    struct wall_scalar_sums q = {.w = w, .mean = mean, .flow = out};
    for (int n = 0; n < w->scalars.count; ++n) {
        q = of_scalar(q, n, out);
        derive_centres(q);
        derive_faces(q);
        derive_numbers(q, u_tau, q.out + (ptrdiff_t)WS_PROFILES * w->levels);
        if (!w->open[0] && !w->open[1]) scalar_budgets_derive(q);
    }
    derive_work(q, out);
}
