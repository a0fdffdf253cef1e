/* Computes the budgets of the variance and of the fluxes of a scalar between walls. docs/statistics.md,
 * "Scalars between walls". */
#include <math.h>
#include "wall_scalars.h"

#define T(Q)  (q.own + (ptrdiff_t)THETA_##Q * q.w->levels)
#define FL(Q) (q.own + (ptrdiff_t)(THETA_COUNT + FLUXES_##Q) * q.w->levels)
#define M(Q)  (q.mean + (ptrdiff_t)AVG_##Q * q.w->levels)
#define S(Q)  (q.mean + (ptrdiff_t)(AVG_COUNT + STRESS_##Q) * q.w->levels)
#define O(P)  (q.out + (ptrdiff_t)WS_##P * q.w->levels)
#define F(P)  (q.flow + (ptrdiff_t)PROFILE_##P * q.w->levels)

static double *term_of(struct wall_scalar_sums q, int budget, enum scalar_term_name term)
{
    return q.out + (ptrdiff_t)(budget + (int)term) * q.w->levels;
}

static void set_residual(struct wall_scalar_sums q, int budget, int k)
{
    double sum = 0;
    for (int t = 0; t < TERM_DISSIPATION; ++t) sum += term_of(q, budget, t)[k];
    term_of(q, budget, TERM_RESIDUAL)[k] = sum - term_of(q, budget, TERM_DISSIPATION)[k];
}

static double on_face(const double *at_centres, int k)
{
    return 0.5 * (at_centres[k - 1] + at_centres[k]);
}

/* Mean of the source that the mean gradient makes. */
static double mean_source(struct wall_scalar_sums q, int k)
{
    return 0 - (q.s->gradient[0] * M(A)[k] + q.s->gradient[1] * M(B)[k]);
}

/* --- the variance, at centres --- */

static void variance_at(struct wall_scalar_sums q, int k)
{
    const int cells = q.w->cells;
    const double *variance = O(VARIANCE), *dt = O(GRADIENT), *tn = O(TN), *mean = T(T), c = q.w->c[k];
    double production = 0, turbulent = 0, diffusion = 0, dissipation = 2 * q.s->kappa * T(GRAD)[k];
    for (int side = 0; side < 2; ++side) {
        const int face = k + side, other = side == 0 ? k - 1 : k + 1, inside = other >= 0 && other < cells;
        const double f = q.w->f[face], out_of = side == 0 ? -1 : 1;
        const double sum = inside ? mean[k] + mean[other] : 0; /* nothing flows through walls */
        production -= f * tn[face] * dt[face];
        turbulent -= out_of * (T(FLUX_TT)[face] - sum * tn[face]);
        diffusion += inside ? q.s->kappa * (variance[other] - variance[k]) / f : 0;
        dissipation += q.s->kappa * f * (T(SHEAR)[face] - dt[face] * dt[face]) / c;
    }
    const double convection = 2 * (T(TC)[k] - mean[k] * T(C)[k]);
    term_of(q, WS_VARIANCE_BUDGET, TERM_PRODUCTION)[k] = production / c;
    term_of(q, WS_VARIANCE_BUDGET, TERM_GRADIENT)[k] = 2 * (T(TS)[k] - mean[k] * mean_source(q, k));
    term_of(q, WS_VARIANCE_BUDGET, TERM_TURBULENT)[k] = turbulent / c;
    term_of(q, WS_VARIANCE_BUDGET, TERM_DIFFUSION)[k] = diffusion / c;
    term_of(q, WS_VARIANCE_BUDGET, TERM_REMAINDER)[k] =
        q.s->limited ? convection - (production + turbulent) / c : 0;
    term_of(q, WS_VARIANCE_BUDGET, TERM_DISSIPATION)[k] = dissipation;
    set_residual(q, WS_VARIANCE_BUDGET, k);
}

/* --- fluxes along the walls, at centres --- */

/* flux_along: input of the budget of the flux along a or b: the mean velocity; the fluxes of momentum and its
 * gradient at faces; sums. */
struct flux_along {
    int budget;
    double turn_along, turn_normal; /* the Coriolis force is turn_along times the other component along the
                                     * walls plus turn_normal times N */
    const double *other;            /* flux along the other direction */
    const double *flux, *u, *un, *du, *carried, *convection, *transport, *strain, *source, *buoyancy, *lift;
};

/* Mean buoyancy of all scalars normal to the walls, on a face: lift times their means. Its constant part is
 * in no fluctuation. */
static double mean_lift(struct wall_scalar_sums q, int k)
{
    double sum = 0;
    for (int n = 0; n < q.w->scalars.count; ++n) {
        const double *mean = q.mean + profiles_scalar(q.w, n) + (ptrdiff_t)THETA_T * q.w->levels;
        sum += q.w->scalars.of[n].lift[2] * on_face(mean, k);
    }
    return sum;
}

static void flux_at(struct wall_scalar_sums q, struct flux_along x, int k)
{
    const double c = q.w->c[k], *tn = T(TN), *dt = O(GRADIENT), *mean = T(T), nu = q.w->nu,
                 kappa = q.s->kappa;
    const double of_mean = mean[k] * (x.un[k] - x.un[k + 1]) / c + x.u[k] * T(C)[k];
    const double convection = x.convection[k] - of_mean;
    const double molecular =
        x.transport[k] - x.convection[k] -
        (mean[k] * nu * (x.du[k + 1] - x.du[k]) + x.u[k] * kappa * (dt[k + 1] - dt[k])) / c;
    double production = 0, diffusion = 0, turbulent = 0;
    for (int side = 0; side < 2; ++side) {
        const int face = k + side, other = side == 0 ? k - 1 : k + 1;
        const int inside = other >= 0 && other < q.w->cells;
        production -= 0.5 * q.w->f[face] * (tn[face] * x.du[face] + x.un[face] * dt[face]);
        if (!inside) continue; /* nothing passes through walls */
        diffusion += 0.5 * (nu + kappa) * (x.flux[other] - x.flux[k]) / q.w->f[face];
        turbulent -= (side == 0 ? -1 : 1) *
                     (x.carried[face] - on_face(x.u, face) * tn[face] - on_face(mean, face) * x.un[face]);
    }
    term_of(q, x.budget, TERM_PRODUCTION)[k] = production / c;
    term_of(q, x.budget, TERM_GRADIENT)[k] = x.source[k] - x.u[k] * mean_source(q, k);
    term_of(q, x.budget, TERM_TURBULENT)[k] = turbulent / c;
    term_of(q, x.budget, TERM_REMAINDER)[k] = convection - (production + turbulent) / c;
    term_of(q, x.budget, TERM_DIFFUSION)[k] = diffusion / c;
    term_of(q, x.budget, TERM_DISSIPATION)[k] = diffusion / c - molecular;
    term_of(q, x.budget, TERM_STRAIN)[k] = x.strain[k];
    term_of(q, x.budget, TERM_BUOYANCY)[k] = x.buoyancy[k] - mean[k] * x.lift[k];
    term_of(q, x.budget, TERM_ROTATION)[k] =
        x.turn_along * x.other[k] + x.turn_normal * profiles_shared(q.w, tn, k);
    set_residual(q, x.budget, k);
}

/* --- the flux normal to the walls, at faces --- */

static void normal_at(struct wall_scalar_sums q, int k)
{
    const double f = q.w->f[k], *tn = T(TN), *dt = O(GRADIENT), *mean = T(T), *p = M(P), *nn = S(NN);
    const double of_mean = on_face(mean, k) * (nn[k - 1] - nn[k]) / f;
    const double convection = FL(CN)[k] + 0.5 * (FL(CTN_UP)[k - 1] + FL(CTN_LOW)[k]) - of_mean;
    const double molecular = FL(MN)[k] - FL(CN)[k] + 0.5 * (FL(MTN_UP)[k - 1] - FL(CTN_UP)[k - 1]) +
                             0.5 * (FL(MTN_LOW)[k] - FL(CTN_LOW)[k]);
    const double low = FL(NNT)[k - 1] - mean[k - 1] * nn[k - 1], high = FL(NNT)[k] - mean[k] * nn[k];
    const double production = 0 - F(NN)[k] * dt[k], turbulent = (low - high) / f;
    const double diffusion = 0.5 * (q.w->nu + q.s->kappa) *
                             ((tn[k + 1] - tn[k]) / q.w->c[k] - (tn[k] - tn[k - 1]) / q.w->c[k - 1]) / f;
    term_of(q, WS_N_BUDGET, TERM_PRODUCTION)[k] = production;
    term_of(q, WS_N_BUDGET, TERM_GRADIENT)[k] = FL(SN)[k];
    term_of(q, WS_N_BUDGET, TERM_TURBULENT)[k] = turbulent;
    term_of(q, WS_N_BUDGET, TERM_REMAINDER)[k] = convection - production - turbulent;
    term_of(q, WS_N_BUDGET, TERM_DIFFUSION)[k] = diffusion;
    term_of(q, WS_N_BUDGET, TERM_DISSIPATION)[k] = diffusion - molecular;
    term_of(q, WS_N_BUDGET, TERM_STRAIN)[k] =
        0.5 * (FL(PDN_UP)[k - 1] + FL(PDN_LOW)[k]) - on_face(p, k) * dt[k];
    term_of(q, WS_N_BUDGET, TERM_PRESSURE)[k] =
        (FL(PT)[k - 1] - p[k - 1] * mean[k - 1] - (FL(PT)[k] - p[k] * mean[k])) / f;
    term_of(q, WS_N_BUDGET, TERM_BUOYANCY)[k] = FL(BN)[k] - on_face(mean, k) * mean_lift(q, k);
    term_of(q, WS_N_BUDGET, TERM_ROTATION)[k] =
        q.w->turn[1] * on_face(O(TA), k) - q.w->turn[0] * on_face(O(TB), k);
    set_residual(q, WS_N_BUDGET, k);
}

/* On walls the flux is 0 and has no budget. */
static void none_at(struct wall_scalar_sums q, int k)
{
    for (int t = 0; t < TERMS; ++t) term_of(q, WS_N_BUDGET, t)[k] = NAN;
}

void scalar_budgets_derive(struct wall_scalar_sums q)
{
    const int cells = q.w->cells;
    for (int k = 0; k < cells; ++k) variance_at(q, k);
    if (!q.w->stresses) return;
    const double *t = q.w->turn;
    const struct flux_along a = {WS_A_BUDGET, t[2],   -t[1],  O(TB),   O(TA),  M(A),   M(AN), F(DA),
                                 FL(ATN),     FL(CA), FL(MA), FL(PDA), FL(SA), FL(BA), FL(LA)},
                            b = {WS_B_BUDGET, -t[2],  t[0],   O(TA),   O(TB),  M(B),   M(BN), F(DB),
                                 FL(BTN),     FL(CB), FL(MB), FL(PDB), FL(SB), FL(BB), FL(LB)};
    for (int k = 0; k < cells; ++k) flux_at(q, a, k);
    for (int k = 0; k < cells; ++k) flux_at(q, b, k);
    for (int k = 1; k < cells; ++k) normal_at(q, k);
    none_at(q, 0);
    none_at(q, cells);
}
