/* Computes budgets of scalars over a cross-section. */
#include "section_budgets.h"

#include "inputs/scalars.h"
#include "inputs/buoyancy.h"
#include "inputs/statistics_wanted.h"
#include "kernels/momentum.h"
#include "scalars/buoyancy.h"
#include "scalars/scalar_stage.h"

enum { MOMENTUM = 3, BUOYANCY = 6, COMPONENTS = 3 };

int section_budgets_sums(const struct input *in)
{
    if (!section_budgets_wanted(in)) return 0;
    return buoyancy_wanted(in) ? (int)LINE_B_COUNT : (int)LINE_B_CALM;
}

/* --- samples --- */

static int arrays_of(const struct flow *flow)
{
    return flow->buoyancy != NULL ? SECTION_BUDGETS_FLOW : BUOYANCY;
}

kol_status section_budgets_hold(const struct flow *flow, struct section_budgets_work *w)
{
    struct pool *pool = flow->domain->pool;
    TRY(pool_hold(pool, "convection of a scalar", &w->rate[0]));
    TRY(pool_hold(pool, "transport of a scalar", &w->rate[1]));
    TRY(pool_hold(pool, "spare array of a scalar", &w->spare));
    for (int n = 0; n < arrays_of(flow); ++n)
        TRY(pool_hold(pool, "right-hand sides for scalars", &w->of_flow[n]));
    return KOL_OK;
}

kol_status section_budgets_drop(const struct flow *flow, struct section_budgets_work *w)
{
    struct pool *pool = flow->domain->pool;
    TRY(pool_drop(pool, &w->rate[0]));
    TRY(pool_drop(pool, &w->rate[1]));
    TRY(pool_drop(pool, &w->spare));
    for (int n = 0; n < arrays_of(flow); ++n) TRY(pool_drop(pool, &w->of_flow[n]));
    return KOL_OK;
}

kol_status section_budgets_flow(const struct flow *flow, struct section_budgets_work *w)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const real nu[] = {0, (real)domain->in->fluid.nu};
    for (int n = 0; n < 2; ++n) {
        real **to = w->of_flow + COMPONENTS * n;
        TRY(momentum_rhs(g->box, g->m, cells_all(), nu[n], flow->vel[X], flow->vel[Y], flow->vel[Z], to[X],
                         to[Y], to[Z]));
    }
    TRY(buoyancy_field(flow, w->of_flow + BUOYANCY));
    for (int n = 0; n < arrays_of(flow); n += COMPONENTS)
        TRY(halo_fill(domain->halo, w->of_flow + n, COMPONENTS, HALO_EDGES));
    real *const pressure[] = {flow->pressure.p};
    return halo_fill(domain->halo, pressure, 1, HALO_EDGES);
}

kol_status section_budgets_scalar(const struct flow *flow, int n, const struct section_budgets_work *w,
                                  struct line_budget *out)
{
    const struct domain *domain = flow->domain;
    *out = (struct line_budget){
        .theta = flow->scalar[n], .convection = w->rate[0], .transport = w->rate[1], .p = flow->pressure.p};
    for (int d = 0; d < COMPONENTS; ++d) {
        out->u_convection[d] = w->of_flow[d];
        out->u_momentum[d] = w->of_flow[MOMENTUM + d];
        out->buoyancy[d] = flow->buoyancy != NULL ? w->of_flow[BUOYANCY + d] : NULL;
        for (int side = 0; side < 2; ++side)
            if (decomp_next(&domain->decomp, d, side ? 1 : -1) < 0 && !domain->grid.periodic[d])
                out->held |= 1u << (2 * d + side);
    }
    TRY(scalar_stage_rate(flow, n, 0, w->spare, w->rate[0]));
    return scalar_stage_rate(flow, n, 1, w->spare, w->rate[1]);
}

/* --- what is made of them --- */

/* here: a place of the section. Along a and b: place and number of cells, stride of centres; the velocity on
 * the lower and the upper face; widths and distances. */
struct here {
    const struct section_fields *s;
    const struct section_budgets_means *m;
    ptrdiff_t o, cells;
    struct along {
        int i, n;
        ptrdiff_t stride;
        double wind[2], c;
        const double *f;
    } along[2];
};

static const double *sums_of(const struct here *h, int sum)
{
    return h->m->sum + sum * h->cells;
}

/* The mean of a sum here. */
static double mean_of(const struct here *h, int sum)
{
    return sums_of(h, sum)[h->o];
}

/* The mean velocity along direction n of s, a, b in the cell here. */
static double wind_of(const struct here *h, int n)
{
    return n == 0 ? h->m->us[h->o] : 0.5 * (h->along[n - 1].wind[0] + h->along[n - 1].wind[1]);
}

/* Mean velocity along direction n at another centre o, which is `steps` cells away along e. */
static double wind_at(const struct here *h, int n, int e, int steps)
{
    const ptrdiff_t o = h->o + steps * h->along[e].stride;
    if (n == 0) return h->m->us[o];
    const int wide = h->s->cells[0], i = (int)(o % wide), j = (int)(o / wide);
    const double *face = h->m->face[n - 1];
    const ptrdiff_t low = n == 1 ? (ptrdiff_t)j * (wide + 1) + i : (ptrdiff_t)j * wide + i;
    return 0.5 * (face[low] + face[low + (n == 1 ? 1 : wide)]);
}

/* The flux along direction n, or the variance, at the centre that is `steps` cells away along e. */
enum { OF_VARIANCE = -1 };
static double covariance_at(const struct here *h, int n, int e, int steps)
{
    const ptrdiff_t o = h->o + steps * h->along[e].stride;
    const double t = h->m->t[o];
    if (n == OF_VARIANCE) return h->m->tt[o] - t * t;
    const double *times = n == 0 ? h->m->ts : sums_of(h, LINE_B_TA + n - 1);
    return times[o] - t * wind_at(h, n, e, steps);
}

/* Gradients of the mean on the lower and the upper face along e. Beyond a side they follow from the gradient
 * in the cell, which knows the condition there. */
static void slopes(const struct here *h, int e, double slope[2])
{
    const struct along *x = &h->along[e];
    const double *t = h->m->t + h->o, in_cell = mean_of(h, LINE_B_DTA + e);
    const int low = x->i > 0, high = x->i < x->n - 1;
    slope[0] = low ? (t[0] - t[-x->stride]) / x->f[x->i] : in_cell;
    slope[1] = high ? (t[x->stride] - t[0]) / x->f[x->i + 1] : in_cell;
    if (!low && high) slope[0] = 2 * in_cell - slope[1];
    if (low && !high) slope[1] = 2 * in_cell - slope[0];
}

/* What the mean velocity brings of a covariance. */
static double convection_of(const struct here *h, int n)
{
    double sum = 0;
    for (int e = 0; e < 2; ++e) {
        const struct along *x = &h->along[e];
        const double q = covariance_at(h, n, e, 0),
                     low = x->i > 0 ? 0.5 * (covariance_at(h, n, e, -1) + q) : q,
                     high = x->i < x->n - 1 ? 0.5 * (q + covariance_at(h, n, e, 1)) : q;
        sum -= (x->wind[1] * high - x->wind[0] * low) / x->c;
    }
    return sum;
}

/* The second differences of a covariance. Nothing passes through the sides. */
static double second_differences(const struct here *h, int n)
{
    double sum = 0;
    for (int e = 0; e < 2; ++e) {
        const struct along *x = &h->along[e];
        const double q = covariance_at(h, n, e, 0);
        if (x->i > 0) sum += (covariance_at(h, n, e, -1) - q) / (x->f[x->i] * x->c);
        if (x->i < x->n - 1) sum += (covariance_at(h, n, e, 1) - q) / (x->f[x->i + 1] * x->c);
    }
    return sum;
}

static void set(const struct here *h, double *out, int budget, const double term[SECTION_TERMS])
{
    double sum = 0;
    for (int t = 0; t < SECTION_TERM_DISSIPATION; ++t) sum += term[t];
    for (int t = 0; t < SECTION_TERM_RESIDUAL; ++t)
        out[(budget * SECTION_TERMS + t) * h->cells + h->o] = term[t];
    out[(budget * SECTION_TERMS + SECTION_TERM_RESIDUAL) * h->cells + h->o] =
        sum - term[SECTION_TERM_DISSIPATION];
}

static void variance_at(const struct here *h, double *out)
{
    const double t = h->m->t[h->o], c = mean_of(h, LINE_B_C);
    double term[SECTION_TERMS] = {0}, scatter = mean_of(h, LINE_B_GRAD);
    for (int e = 0; e < 2; ++e) {
        const struct along *x = &h->along[e];
        double slope[2];
        slopes(h, e, slope);
        for (int side = 0; side < 2; ++side)
            scatter -= 0.5 * x->f[x->i + side] * (slope[side] * slope[side]) / x->c;
        term[SECTION_TERM_PRODUCTION] -= 2 * covariance_at(h, 1 + e, e, 0) * mean_of(h, LINE_B_DTA + e);
    }
    for (int n = 0; n < COMPONENTS; ++n)
        term[SECTION_TERM_GRADIENT] -= 2 * h->m->gradient[n] * covariance_at(h, n, 0, 0);
    term[SECTION_TERM_CONVECTION] = convection_of(h, OF_VARIANCE);
    term[SECTION_TERM_TURBULENT] =
        2 * (mean_of(h, LINE_B_TC) - t * c) - term[SECTION_TERM_PRODUCTION] - term[SECTION_TERM_CONVECTION];
    term[SECTION_TERM_DISSIPATION] = 2 * h->m->kappa * scatter;
    term[SECTION_TERM_DIFFUSION] =
        2 * (mean_of(h, LINE_B_TM) - mean_of(h, LINE_B_TC) - t * (mean_of(h, LINE_B_M) - c)) +
        term[SECTION_TERM_DISSIPATION];
    set(h, out, 0, term);
}

/* The covariance of the velocities along n and m. */
static double stress(const struct here *h, int n, int m)
{
    static const int PRODUCT[COMPONENTS][COMPONENTS] = {{LINE_B_SS, LINE_B_SA, LINE_B_SB},
                                                        {LINE_B_SA, LINE_B_AA, LINE_B_AB},
                                                        {LINE_B_SB, LINE_B_AB, LINE_B_BB}};
    return mean_of(h, PRODUCT[n][m]) - wind_of(h, n) * wind_of(h, m);
}

/* The gradient along e of the mean velocity along n. */
static double shear(const struct here *h, int n, int e)
{
    static const int SLOPE[COMPONENTS][2] = {{LINE_B_DSA, LINE_B_DSB}, {-1, LINE_B_DAB}, {LINE_B_DBA, -1}};
    if (n == 1 + e) return (h->along[e].wind[1] - h->along[e].wind[0]) / h->along[e].c;
    return mean_of(h, SLOPE[n][e]);
}

/* Mean gradient of the pressure along direction n, as the faces of the cell have it. */
static double push(const struct here *h, int n)
{
    if (n == 0) return 0;
    const struct along *x = &h->along[n - 1];
    const double *p = sums_of(h, LINE_B_P) + h->o;
    return 0.5 * ((x->i > 0 ? (p[0] - p[-x->stride]) / x->f[x->i] : 0) +
                  (x->i < x->n - 1 ? (p[x->stride] - p[0]) / x->f[x->i + 1] : 0));
}

/* What the Coriolis force adds to the flux along n, in the cell that is `steps` cells away along e. */
static double turned(const struct here *h, int n, int e, int steps)
{
    double sum = 0;
    for (int m = 0; m < COMPONENTS; ++m)
        if (m != n) sum += h->m->turn.of[n][m] * covariance_at(h, m, e, steps);
    return sum;
}

/* The mean over both faces of the cell, as the velocity has it. On the sides the velocity is given. */
static double rotation(const struct here *h, int n)
{
    if (n == 0) return turned(h, n, 0, 0);
    const struct along *x = &h->along[n - 1];
    const double q = turned(h, n, n - 1, 0);
    return 0.25 * ((x->i > 0 ? turned(h, n, n - 1, -1) + q : 0) +
                   (x->i < x->n - 1 ? q + turned(h, n, n - 1, 1) : 0));
}

static void flux_at(const struct here *h, int n, double *out)
{
    const double t = h->m->t[h->o], u = wind_of(h, n), c = mean_of(h, LINE_B_C), m = mean_of(h, LINE_B_M),
                 uc = mean_of(h, LINE_B_UC + n), um = mean_of(h, LINE_B_UM + n);
    const double carried = mean_of(h, LINE_B_CONVECTION + n), all = mean_of(h, LINE_B_TRANSPORT + n);
    const double molecular = all - carried - t * (um - uc) - u * (m - c);
    const double slope = n == 0 ? 0 : mean_of(h, LINE_B_DTA + n - 1);
    double term[SECTION_TERMS] = {0};
    for (int e = 0; e < 2; ++e)
        term[SECTION_TERM_PRODUCTION] -=
            covariance_at(h, 1 + e, e, 0) * shear(h, n, e) + stress(h, n, 1 + e) * mean_of(h, LINE_B_DTA + e);
    for (int k = 0; k < COMPONENTS; ++k) term[SECTION_TERM_GRADIENT] -= h->m->gradient[k] * stress(h, n, k);
    term[SECTION_TERM_CONVECTION] = convection_of(h, n);
    term[SECTION_TERM_TURBULENT] =
        carried - t * uc - u * c - term[SECTION_TERM_PRODUCTION] - term[SECTION_TERM_CONVECTION];
    term[SECTION_TERM_DIFFUSION] = 0.5 * (h->s->nu + h->m->kappa) * second_differences(h, n);
    term[SECTION_TERM_DISSIPATION] = term[SECTION_TERM_DIFFUSION] - molecular;
    term[SECTION_TERM_STRAIN] = mean_of(h, LINE_B_STRAIN + n) - mean_of(h, LINE_B_P) * slope;
    term[SECTION_TERM_PRESSURE] =
        t * push(h, n) - mean_of(h, LINE_B_PRESSURE + n) - term[SECTION_TERM_STRAIN];
    term[SECTION_TERM_ROTATION] = rotation(h, n);
    if (h->m->buoyant)
        term[SECTION_TERM_BUOYANCY] =
            mean_of(h, LINE_B_TIMES_BUOYANCY + n) - t * mean_of(h, LINE_B_BUOYANCY + n);
    set(h, out, 1 + n, term);
}

void section_budgets_derive(const struct section_fields *s, const struct section_budgets_means *m,
                            double *out)
{
    const int wide = s->cells[0], high = s->cells[1];
    struct here h = {.s = s, .m = m, .cells = (ptrdiff_t)wide * high};
    for (int j = 0; j < high; ++j) {
        for (int i = 0; i < wide; ++i) {
            const double *a = m->face[0] + (ptrdiff_t)j * (wide + 1) + i,
                         *b = m->face[1] + (ptrdiff_t)j * wide + i;
            h.o = (ptrdiff_t)j * wide + i;
            h.along[0] = (struct along){i, wide, 1, {a[0], a[1]}, s->c[0][i], s->f[0]};
            h.along[1] = (struct along){j, high, wide, {b[0], b[wide]}, s->c[1][j], s->f[1]};
            variance_at(&h, out);
            for (int n = 0; n < COMPONENTS; ++n) flux_at(&h, n, out);
        }
    }
}

struct section_turn section_turn_make(const struct input *in, const struct section_fields *s)
{
    const int direction[COMPONENTS] = {s->along, s->a, s->b};
    struct section_turn t = {{{0}}};
    for (int n = 0; n < COMPONENTS; ++n) {
        for (int m = 0; m < COMPONENTS; ++m) {
            const int d = direction[n], e = direction[m], axis = X + Y + Z - d - e;
            if (d != e) t.of[n][m] = (e == (d + 1) % 3 ? 2 : -2) * in->forcing.rotation[axis];
        }
    }
    return t;
}

int section_budgets_there(int field, int buoyant, int gradient, struct section_turn turn)
{
    const int of_variance = field < SECTION_TERMS;
    const double *t = turn.of[of_variance ? 0 : field / SECTION_TERMS - 1];
    switch (field % SECTION_TERMS) {
    case SECTION_TERM_GRADIENT:
        return gradient;
    case SECTION_TERM_PRESSURE:
    case SECTION_TERM_STRAIN:
        return !of_variance;
    case SECTION_TERM_BUOYANCY:
        return !of_variance && buoyant;
    case SECTION_TERM_ROTATION:
        return !of_variance && (t[0] != 0 || t[1] != 0 || t[2] != 0);
    default:
        return 1;
    }
}
