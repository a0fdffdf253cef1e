/* Takes samples of the budgets of the Reynolds stresses in every cell, and computes their terms. */
#include "cell_budgets.h"

#include "bodies/bodies.h"
#include "kernels/momentum.h"
#include "kernels/point/cell_budget.h"

/* Whether there is the right-hand side of walls of bodies. */
static int has_wall(struct cell_budgets c)
{
    return c.values == CELL_BUDGET_MOST;
}

/* The Coriolis force along a is this times the velocity along e, for e and the third direction [1/T]. */
static double turned(const double turn[3], int a, int e)
{
    return a == e ? 0 : (e == (a + 1) % 3 ? 1 : -1) * turn[X + Y + Z - a - e];
}

/* Whether a stress has a gain by the Coriolis force. */
static int is_turned(struct cell_budgets c, int pair)
{
    const int a = point_pair_first(pair), b = point_pair_second(pair);
    for (int e = 0; e < 3; ++e)
        if (turned(c.turn, a, e) != 0 || turned(c.turn, b, e) != 0) return 1;
    return 0;
}

/* --- samples --- */

enum { RATE_ARRAYS = 4 }; /* the right-hand sides of three components, and zeros */

static kol_status hold(const struct domain *domain, real *array[RATE_ARRAYS])
{
    for (int n = 0; n < RATE_ARRAYS; ++n) TRY(pool_hold(domain->pool, "budgets of stresses", &array[n]));
    return KOL_OK;
}

static kol_status drop(const struct domain *domain, real *array[RATE_ARRAYS])
{
    for (int n = 0; n < RATE_ARRAYS; ++n) TRY(pool_drop(domain->pool, &array[n]));
    return KOL_OK;
}

kol_status cell_budgets_arrays(struct cell_budgets c, const struct domain *domain)
{
    real *array[RATE_ARRAYS];
    if (c.values == 0) return KOL_OK;
    TRY(hold(domain, array));
    return drop(domain, array);
}

/* Computes a right-hand side. That of the pressure has the Coriolis force. That of the wall is added to that
 * of the pressure, which is in `rate`. */
static kol_status make_rate(const struct flow *flow, int which, real *const rate[RATE_ARRAYS])
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const real nu = (real)domain->in->fluid.nu;
    const double *omega = domain->in->forcing.rotation;
    const struct stage whole = {.nu = nu,
                                .a = 1,
                                .dts = 1,
                                .turn = {(real)(2 * omega[X]), (real)(2 * omega[Y]), (real)(2 * omega[Z])}};
    real *const zero[3] = {rate[3], rate[3], rate[3]};
    if (which == CELL_CONVECTION || which == CELL_VISCOSITY)
        return momentum_rhs(b, domain->grid.m, cells_all(), which == CELL_CONVECTION ? 0 : nu, flow->vel[X],
                            flow->vel[Y], flow->vel[Z], rate[X], rate[Y], rate[Z]);
    if (which == CELL_PRESSURE) {
        TRY(mem_fill_real(rate[3], b.size, 0));
        return momentum_stage(b, domain->grid.m, cells_all(), whole, flow->vel, zero, flow->pressure.p, NULL,
                              rate);
    }
    for (int d = 0; d < 3; ++d)
        TRY(body_rate(b, domain->grid.m, flow->bodies->points[d], d, nu, (real)flow->clock.dt, flow->vel[d],
                      rate[d]));
    return KOL_OK;
}

/* places: where the values of a sample go, from the first value of the budgets on. */
struct places {
    struct cell_average_weights by;
    ptrdiff_t cells;
    real *latest;
    double *sum, *before;
};

static kol_status add_rate(const struct flow *flow, int which, const struct places *to,
                           real *const rate[RATE_ARRAYS])
{
    const struct domain *domain = flow->domain;
    const ptrdiff_t first = cell_rate_first(which) * to->cells;
    TRY(make_rate(flow, which, rate));
    TRY(halo_fill(domain->halo, rate, 3, HALO_NORMAL));
    return cell_budget_rate(domain->grid.box, domain->grid.open, domain->grid.held, to->by, flow->vel, rate,
                            to->latest + first, to->sum + first, to->before + first);
}

kol_status cell_budgets_add(struct cell_budgets c, const struct flow *flow, struct cell_average_weights by,
                            const struct cell_average_fields *fields, real *latest, double *sum,
                            double *before)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    const struct places to = {by, (ptrdiff_t)b.nx * b.ny * b.nz, latest, sum, before};
    const ptrdiff_t first = CELL_GRADIENT * to.cells;
    real *rate[RATE_ARRAYS];
    TRY(hold(domain, rate));
    for (int which = 0; which < CELL_RATES; ++which)
        if (which != CELL_WALL || has_wall(c)) TRY(add_rate(flow, which, &to, rate));
    TRY(drop(domain, rate));
    return cell_budget_flow(b, domain->grid.open, by, *fields, latest + first, sum + first, before + first);
}

/* --- terms --- */

static const char *const STRESS[] = {"uu", "vv", "ww", "uv", "uw", "vw", "k"};
static const struct {
    const char *name, *words;
} TERM[CELL_BUDGET_NAMES] = {
    [CELL_PRODUCTION] = {"production", "production by gradients of the mean velocity"},
    [CELL_TRANSPORT] = {"transport", "transport by the mean velocity and by the turbulence"},
    [CELL_VISCOUS_DIFFUSION] = {"viscous_diffusion", "viscous diffusion"},
    [CELL_TURBULENT_DISSIPATION] = {"dissipation", "dissipation"},
    [CELL_PRESSURE_STRAIN] = {"pressure_strain", "pressure strain"},
    [CELL_PRESSURE_TRANSPORT] = {"pressure_transport", "transport by the pressure"},
    [CELL_BUDGET_RESIDUAL] = {"budget_residual", "sum of all gains less the dissipation"},
    [CELL_WALL_TERM] = {"wall_term", "viscous term by the distance of walls of bodies"},
    [CELL_ROTATION] = {"rotation", "gain by the Coriolis force"}};

/* The terms of each budget but for the gain by the Coriolis force, which comes behind them. */
static int terms_each(struct cell_budgets c)
{
    return has_wall(c) ? CELL_ROTATION : CELL_WALL_TERM;
}

int cell_budget_terms(struct cell_budgets c)
{
    int count = (CELL_PAIRS + 1) * terms_each(c);
    for (int pair = 0; pair < CELL_PAIRS; ++pair) count += is_turned(c, pair);
    return count;
}

struct cell_budget_term cell_budget_term_of(struct cell_budgets c, int n)
{
    const int terms = terms_each(c);
    int left = n - (CELL_PAIRS + 1) * terms, pair = 0;
    if (left < 0) return (struct cell_budget_term){n / terms, n % terms};
    while (!is_turned(c, pair) || left-- > 0) ++pair;
    return (struct cell_budget_term){pair, CELL_ROTATION};
}

void cell_budget_name(struct cell_budget_term term, char *name, size_t name_size, char *words,
                      size_t words_size)
{
    const char *stress = STRESS[term.stress];
    /* "dissipation" alone is that of all kinetic energy */
    snprintf(name, name_size, "%s_%s", stress, TERM[term.term].name);
    snprintf(words, words_size, "budget of %s: %s", stress, TERM[term.term].words);
}

void cell_budgets_print(FILE *out)
{
    for (int n = 0; n < CELL_ROTATION; ++n)
        fprintf(out, "| `uu_%s` and so on, `k_%s`, `_error` | U3/L | with `cell_budgets`: %s%s |\n",
                TERM[n].name, TERM[n].name, TERM[n].words, n == CELL_WALL_TERM ? ", with bodies" : "");
    fprintf(out, "| `uu_%s` and so on, `_error` | U3/L | with `cell_budgets`: %s, in a rotating frame |\n",
            TERM[CELL_ROTATION].name, TERM[CELL_ROTATION].words);
}

/* reader: what the terms are computed from. Numbers of sums are those of a cell without scalars and without
 * cells that turn: sums of the budgets begin at CELL_AVERAGE_SUMS.
 *
 *   full    means, by the number of the sum; NULL: the numbers that are read are listed
 *   read    which of them are read */
enum { READER_SUMS = CELL_AVERAGE_SUMS + CELL_BUDGET_MOST };
struct reader {
    double nu;
    const double *full;
    unsigned char *read;
};

static double mean_of(const struct reader *r, int sum)
{
    if (r->full != NULL) return r->full[sum];
    r->read[sum] = 1;
    return 0;
}

static double budget_mean(const struct reader *r, int value)
{
    return mean_of(r, CELL_AVERAGE_SUMS + value);
}

/* The pair of two components. */
static int pair_of(int a, int c)
{
    return a == c ? a : a + c + 2;
}

static double velocity(const struct reader *r, int a)
{
    return mean_of(r, CELL_U + a);
}

static double stress_of(const struct reader *r, int a, int c)
{
    return mean_of(r, CELL_UU + pair_of(a, c)) - velocity(r, a) * velocity(r, c);
}

static double side_gradient(const struct reader *r, int a, int e, int side)
{
    return budget_mean(r, CELL_GRADIENT + point_cell_gradient(a, e, side));
}

static double gradient(const struct reader *r, int a, int e)
{
    return 0.5 * (side_gradient(r, a, e, 0) + side_gradient(r, a, e, 1));
}

static double production(const struct reader *r, int a, int c)
{
    double sum = 0;
    for (int e = 0; e < 3; ++e)
        sum -= stress_of(r, a, e) * gradient(r, c, e) + stress_of(r, c, e) * gradient(r, a, e);
    return sum;
}

/* The change of the stress by a right-hand side. */
static double change(const struct reader *r, int which, int a, int c)
{
    const int first = cell_rate_first(which);
    return budget_mean(r, first + 3 + pair_of(a, c)) - velocity(r, a) * budget_mean(r, first + c) -
           velocity(r, c) * budget_mean(r, first + a);
}

static double dissipation(const struct reader *r, int a, int c)
{
    double mean_flow = 0;
    for (int e = 0; e < 3; ++e)
        for (int side = 0; side < 2; ++side)
            mean_flow += 0.5 * side_gradient(r, a, e, side) * side_gradient(r, c, e, side);
    return budget_mean(r, CELL_STRETCH + pair_of(a, c)) - 2 * r->nu * mean_flow;
}

static double strain(const struct reader *r, int a, int c)
{
    return budget_mean(r, CELL_STRAIN + pair_of(a, c)) -
           mean_of(r, CELL_P) * (gradient(r, a, c) + gradient(r, c, a));
}

static double rotation(struct cell_budgets c, const struct reader *r, int a, int b)
{
    double sum = 0;
    for (int e = 0; e < 3; ++e) {
        const double of_a = turned(c.turn, a, e), of_b = turned(c.turn, b, e);
        if (of_a != 0) sum += of_a * stress_of(r, e, b);
        if (of_b != 0) sum += of_b * stress_of(r, e, a);
    }
    return sum;
}

static double term_of(struct cell_budgets c, const struct reader *r, int term, int a, int b)
{
    switch (term) {
    case CELL_PRODUCTION:
        return production(r, a, b);
    case CELL_TRANSPORT:
        return change(r, CELL_CONVECTION, a, b) - production(r, a, b);
    case CELL_VISCOUS_DIFFUSION:
        return change(r, CELL_VISCOSITY, a, b) - change(r, CELL_CONVECTION, a, b) + dissipation(r, a, b);
    case CELL_TURBULENT_DISSIPATION:
        return dissipation(r, a, b);
    case CELL_PRESSURE_STRAIN:
        return strain(r, a, b);
    case CELL_PRESSURE_TRANSPORT:
        return change(r, CELL_PRESSURE, a, b) - change(r, CELL_VISCOSITY, a, b) - strain(r, a, b) -
               rotation(c, r, a, b);
    case CELL_ROTATION:
        return rotation(c, r, a, b);
    case CELL_WALL_TERM:
        return change(r, CELL_WALL, a, b) - change(r, CELL_PRESSURE, a, b);
    default:
        return change(r, has_wall(c) ? CELL_WALL : CELL_PRESSURE, a, b);
    }
}

static double any_term(struct cell_budgets c, const struct reader *r, struct cell_budget_term term)
{
    double sum = 0;
    if (term.stress < CELL_PAIRS)
        return term_of(c, r, term.term, point_pair_first(term.stress), point_pair_second(term.stress));
    for (int a = 0; a < 3; ++a) sum += 0.5 * term_of(c, r, term.term, a, a);
    return sum;
}

int cell_budget_sums(struct cell_budgets c, struct cell_budget_term term, int most, int *sum)
{
    unsigned char read[READER_SUMS] = {0};
    const struct reader r = {c.nu, NULL, read};
    const int behind = c.first - CELL_AVERAGE_SUMS;
    int count = 0;
    (void)any_term(c, &r, term);
    for (int n = 0; n < READER_SUMS; ++n)
        if (read[n] && count < most) sum[count++] = n < CELL_AVERAGE_SUMS ? n : n + behind;
    return count;
}

double cell_budget_value(struct cell_budgets c, struct cell_budget_term term, int count, const int *sum,
                         const double *mean)
{
    double full[READER_SUMS];
    const struct reader r = {c.nu, full, NULL};
    const int behind = c.first - CELL_AVERAGE_SUMS;
    for (int s = 0; s < count; ++s) full[sum[s] < CELL_AVERAGE_SUMS ? sum[s] : sum[s] - behind] = mean[s];
    return any_term(c, &r, term);
}
