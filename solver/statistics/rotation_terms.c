/* Computes the gains by the Coriolis force in the budgets of the Reynolds stresses between walls, from the
 * sums that the other terms use. docs/statistics.md, "Coriolis terms". */
#include "wall_profiles.h"

#define A(Q)    (mean + (ptrdiff_t)AVG_##Q * w->levels)
#define S(Q)    (mean + (ptrdiff_t)(AVG_COUNT + STRESS_##Q) * w->levels)
#define O(P)    (out + (ptrdiff_t)PROFILE_##P * w->levels)
#define GAIN(B) (out + (ptrdiff_t)((int)PROFILE_##B##_BUDGET + (int)BUDGET_ROTATION) * w->levels)

void rotation_make(const struct input *in, struct wall_profiles *w)
{
    const double *omega = in->forcing.rotation;
    const double twice = w->normal == Y ? -2 : 2; /* a, b, y are left-handed */
    w->turn[0] = twice * omega[w->a];
    w->turn[1] = twice * omega[w->b];
    w->turn[2] = twice * omega[w->normal];
}

int rotation_changes(const struct wall_profiles *w, int component)
{
    for (int d = 0; d < 3; ++d)
        if (d != component && w->turn[d] != 0) return 1;
    return 0;
}

int rotation_profile(const struct wall_profiles *w, int profile)
{
    static const struct {
        int budget, component; /* -1: any rotation changes it */
    } OF[] = {{PROFILE_AA_BUDGET, 0},  {PROFILE_BB_BUDGET, 1},  {PROFILE_NN_BUDGET, 2},
              {PROFILE_AB_BUDGET, -1}, {PROFILE_AN_BUDGET, -1}, {PROFILE_BN_BUDGET, -1}};
    for (size_t i = 0; i < sizeof OF / sizeof *OF; ++i)
        if (profile == OF[i].budget + BUDGET_ROTATION) return rotation_changes(w, OF[i].component);
    return 1;
}

static double on_face(const double *at_centres, int k)
{
    return 0.5 * (at_centres[k - 1] + at_centres[k]);
}

/* Covariance of A and B at the centre of level k: of the means in cells if they are sampled, as the Coriolis
 * force has it, or else of those on edges. */
static double along_along(const struct wall_profiles *w, const double *mean, const double *out, int k)
{
    return w->stresses ? S(AB)[k] - A(A)[k] * A(B)[k] : O(AB)[k];
}

void rotation_normal_stresses(const struct wall_profiles *w, const double *mean, double *out)
{
    const double *t = w->turn;
    for (int k = 0; k < w->cells; ++k) {
        const double ab = along_along(w, mean, out, k);
        GAIN(AA)[k] = 2 * (t[2] * ab - t[1] * profiles_shared(w, O(AN), k));
        GAIN(BB)[k] = 2 * (t[0] * profiles_shared(w, O(BN), k) - t[2] * ab);
    }
    for (int k = 0; k < w->levels; ++k) GAIN(NN)[k] = 2 * (t[1] * O(AN)[k] - t[0] * O(BN)[k]);
}

/* Mean over the two sides of face k of the fluctuation of U, a component along the walls, times the mean
 * that the Coriolis force has there, which is weighted with the widths c. square: mean square of U in cells;
 * u: its mean; shear_square, shear: of dU along n. */
static double square_on_face(const struct wall_profiles *w, const double *square, const double *u,
                             const double *shear_square, const double *shear, int k)
{
    const double low = square[k - 1] - u[k - 1] * u[k - 1], high = square[k] - u[k] * u[k], f = w->f[k];
    const double jump = f * f * (shear_square[k] - shear[k] * shear[k]);
    return 0.25 * (w->c[k - 1] * low + w->c[k] * high) / f + 0.25 * (low + high - jump);
}

/* The same of N: on face k, times the mean of N in the two cells beside it. */
static double normal_on_face(const struct wall_profiles *w, const double *mean, int k)
{
    const double *nn = A(NN);
    return on_face(S(NN), k) - 0.125 * (nn[k - 1] - 2 * nn[k] + nn[k + 1]);
}

void rotation_shear_stresses(const struct wall_profiles *w, const double *mean, double *out)
{
    const double *t = w->turn, *a = A(A), *b = A(B);
    for (int k = 0; k < w->cells; ++k) {
        const double aa = S(AA)[k] - a[k] * a[k], bb = S(BB)[k] - b[k] * b[k];
        GAIN(AB)
        [k] = t[2] * (bb - aa) + t[0] * profiles_shared(w, O(AN), k) - t[1] * profiles_shared(w, O(BN), k);
    }
    for (int k = 1; k < w->cells; ++k) {
        const double aa = square_on_face(w, S(AA), a, A(SHEAR_A), O(DA), k),
                     bb = square_on_face(w, S(BB), b, A(SHEAR_B), O(DB), k), nn = normal_on_face(w, mean, k),
                     ab = 0.5 * (along_along(w, mean, out, k - 1) + along_along(w, mean, out, k));
        GAIN(AN)[k] = t[2] * O(BN)[k] + t[1] * (aa - nn) - t[0] * ab;
        GAIN(BN)[k] = t[0] * (nn - bb) + t[1] * ab - t[2] * O(AN)[k];
    }
}
