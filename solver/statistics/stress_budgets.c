/* Computes budgets of the shear stresses between walls, triple moments and quadrants, from the STRESS_ sums
 * of kernels/plane_average.h. docs/statistics.md, "Shear stresses". */
#include <math.h>
#include "wall_profiles.h"

static const double *sum_of(const struct wall_profiles *w, const double *mean, int stress)
{
    return mean + (ptrdiff_t)(AVG_COUNT + stress) * w->levels;
}

static const double *average_of(const struct wall_profiles *w, const double *mean, int average)
{
    return mean + (ptrdiff_t)average * w->levels;
}

static double *profile_of(const struct wall_profiles *w, double *out, int profile)
{
    return out + (ptrdiff_t)profile * w->levels;
}

#define S(Q) sum_of(w, mean, STRESS_##Q)
#define M(Q) average_of(w, mean, AVG_##Q)
#define O(P) profile_of(w, out, PROFILE_##P)

static double on_face(const double *at_centres, int k)
{
    return 0.5 * (at_centres[k - 1] + at_centres[k]);
}

static void triple_moments(const struct wall_profiles *w, const double *mean, double *out)
{
    const double *a = M(A), *b = M(B);
    for (int k = 0; k < w->cells; ++k) {
        O(ANN)[k] = S(ANN)[k] - a[k] * S(NN)[k];
        O(BNN)[k] = S(BNN)[k] - b[k] * S(NN)[k];
        O(AAB)[k] = S(AAB)[k] - 2 * a[k] * S(AB)[k] - b[k] * S(AA)[k] + 2 * a[k] * a[k] * b[k];
        O(ABB)[k] = S(ABB)[k] - 2 * b[k] * S(AB)[k] - a[k] * S(BB)[k] + 2 * a[k] * b[k] * b[k];
    }
    for (int k = 1; k < w->cells; ++k) /* 0 on walls */
        O(ABN)[k] = S(ABN)[k] - on_face(a, k) * M(BN)[k] - on_face(b, k) * M(AN)[k];
}

/* face_budget: input of the budget of a shear stress between N and a component along the walls, which is at
 * faces: mean, its gradient, stress, turbulent flux of the stress, and sums. */
struct face_budget {
    int budget;
    const double *u, *gradient, *stress, *carried;
    const double *p_u, *p_low, *p_up; /* with the pressure */
    const double *c_low, *c_up, *c_n; /* with convection */
    const double *m_low, *m_up, *m_n; /* with convection and diffusion */
};

#define TERM(T) profile_of(w, out, q.budget + BUDGET_##T)

static void residual_at(const struct wall_profiles *w, int budget, int k, double *out)
{
    double sum = profile_of(w, out, budget + BUDGET_REMAINDER)[k];
    for (int t = 0; t < BUDGET_DISSIPATION; ++t) sum += profile_of(w, out, budget + t)[k];
    profile_of(w, out, budget + BUDGET_RESIDUAL)[k] =
        sum - profile_of(w, out, budget + BUDGET_DISSIPATION)[k];
}

/* On walls the stress is 0 and has no budget. */
static void no_budget(const struct wall_profiles *w, int budget, int k, double *out)
{
    for (int t = 0; t < BUDGET_TERMS; ++t) profile_of(w, out, budget + t)[k] = NAN;
}

static void budget_at_face(const struct wall_profiles *w, const double *mean, struct face_budget q, int k,
                           double *out)
{
    const double f = w->f[k], *p = M(P), *nn = S(NN);
    /* The part of the mean flow in the sums. The mean of N has no convection of its own, except that which
     * its pressure balances. */
    const double mean_convection = on_face(q.u, k) * (nn[k - 1] - nn[k]) / f;
    const double convection = 0.5 * (q.c_up[k - 1] + q.c_low[k]) + q.c_n[k] - mean_convection,
                 viscous = 0.5 * (q.m_up[k - 1] + q.m_low[k]) + q.m_n[k] -
                           (0.5 * (q.c_up[k - 1] + q.c_low[k]) + q.c_n[k]);
    TERM(PRODUCTION)[k] = 0 - O(NN)[k] * q.gradient[k];
    TERM(TURBULENT)[k] = (q.carried[k - 1] - q.carried[k]) / f;
    TERM(REMAINDER)[k] = convection - TERM(PRODUCTION)[k] - TERM(TURBULENT)[k];
    TERM(VISCOUS)
    [k] = w->nu *
          ((q.stress[k + 1] - q.stress[k]) / w->c[k] - (q.stress[k] - q.stress[k - 1]) / w->c[k - 1]) / f;
    TERM(DISSIPATION)[k] = TERM(VISCOUS)[k] - viscous;
    TERM(STRAIN)[k] = 0.5 * (q.p_up[k - 1] + q.p_low[k]) - on_face(p, k) * q.gradient[k];
    TERM(PRESSURE)[k] = (q.p_u[k - 1] - p[k - 1] * q.u[k - 1] - (q.p_u[k] - p[k] * q.u[k])) / f;
    residual_at(w, q.budget, k, out);
}

static void budget_faces(const struct wall_profiles *w, const double *mean, struct face_budget q, double *out)
{
    for (int k = 1; k < w->cells; ++k) budget_at_face(w, mean, q, k, out);
    no_budget(w, q.budget, 0, out);
    no_budget(w, q.budget, w->cells, out);
}

/* Budget of the stress between A and B, at centres. */
static void budget_edges(const struct wall_profiles *w, const double *mean, double *out)
{
    const struct {
        int budget;
    } q = {PROFILE_AB_BUDGET};
    const double *a = M(A), *b = M(B), *an = M(AN), *bn = M(BN), *stress = O(AB), *da = O(DA), *db = O(DB);
    for (int k = 0; k < w->cells; ++k) {
        const double c = w->c[k];
        const double convection = S(CAB)[k] + (b[k] * (an[k + 1] - an[k]) + a[k] * (bn[k + 1] - bn[k])) / c;
        const double viscous =
            S(MAB)[k] - S(CAB)[k] - w->nu * (b[k] * (da[k + 1] - da[k]) + a[k] * (db[k + 1] - db[k])) / c;
        double production = 0, diffusion = 0;
        for (int s = 0; s < 2; ++s) {
            const int face = k + s, next = s == 0 ? k - 1 : k + 1;
            production -= 0.5 * w->f[face] * (O(BN)[face] * da[face] + O(AN)[face] * db[face]);
            if (next >= 0 && next < w->cells) diffusion += w->nu * (stress[next] - stress[k]) / w->f[face];
        }
        TERM(PRODUCTION)[k] = production / c;
        TERM(TURBULENT)[k] = (O(ABN)[k] - O(ABN)[k + 1]) / c;
        TERM(REMAINDER)[k] = convection - TERM(PRODUCTION)[k] - TERM(TURBULENT)[k];
        TERM(VISCOUS)[k] = diffusion / c;
        TERM(DISSIPATION)[k] = TERM(VISCOUS)[k] - viscous;
        TERM(STRAIN)[k] = S(PAB)[k];
        residual_at(w, q.budget, k, out);
    }
}

void stresses_derive(const struct wall_profiles *w, const double *mean, double *out)
{
    triple_moments(w, mean, out);
    rotation_shear_stresses(w, mean, out);
    budget_faces(w, mean,
                 (struct face_budget){.budget = PROFILE_AN_BUDGET,
                                      .u = M(A),
                                      .gradient = O(DA),
                                      .stress = O(AN),
                                      .carried = O(ANN),
                                      .p_u = S(PA),
                                      .p_low = S(PAN_LOW),
                                      .p_up = S(PAN_UP),
                                      .c_low = S(CAN_LOW),
                                      .c_up = S(CAN_UP),
                                      .c_n = S(CNA),
                                      .m_low = S(MAN_LOW),
                                      .m_up = S(MAN_UP),
                                      .m_n = S(MNA)},
                 out);
    budget_faces(w, mean,
                 (struct face_budget){.budget = PROFILE_BN_BUDGET,
                                      .u = M(B),
                                      .gradient = O(DB),
                                      .stress = O(BN),
                                      .carried = O(BNN),
                                      .p_u = S(PB),
                                      .p_low = S(PBN_LOW),
                                      .p_up = S(PBN_UP),
                                      .c_low = S(CBN_LOW),
                                      .c_up = S(CBN_UP),
                                      .c_n = S(CNB),
                                      .m_low = S(MBN_LOW),
                                      .m_up = S(MBN_UP),
                                      .m_n = S(MNB)},
                 out);
    budget_edges(w, mean, out);
}

/* Derives the quadrants. Their shares of the stress are over the whole stress, and missing if there is none;
 * their shares of the time stay as they are. */
void quadrants_derive(const struct wall_profiles *w, const double *mean, double *out)
{
    const double *sum = mean + profiles_quadrants(w);
    for (int k = 0; k < w->levels; ++k) {
        double all = 0, size = 0;
        for (int q = 0; q < QUADRANTS; ++q) {
            all += sum[(ptrdiff_t)q * w->levels + k];
            size += fabs(sum[(ptrdiff_t)q * w->levels + k]);
        }
        for (int n = 0; n < QUADRANT_SUMS; ++n) {
            const double value = sum[(ptrdiff_t)n * w->levels + k];
            const int share = n % (2 * QUADRANTS) < QUADRANTS;
            profile_of(w, out, PROFILE_QUADRANT + n)[k] = !share ? value : size > 0 ? value / all : NAN;
        }
    }
}
