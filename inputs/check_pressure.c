/* Applies the rules on the pressure solver. */
#include "check_pressure.h"

#include "rules.h"
#include "scalars.h"
#include "schemes.h"
#include "stretching.h"

static int projected(const struct input *in)
{
    return !method_is_exact(in);
}

/* Whether the pressure has a guess: an exact inverse has none, the exact method guesses its potential. */
static int guessed(const struct input *in)
{
    return in->pressure.preconditioner != PRECOND_DIRECT || !projected(in);
}

static int only_multigrid(const struct input *in)
{
    return in->pressure.preconditioner == PRECOND_MULTIGRID;
}

static int extrapolated(const struct input *in)
{
    return in->pressure.guess == GUESS_LINEAR || in->pressure.guess == GUESS_LLI;
}

static int no_scalars(const struct input *in)
{
    return scalar_count(in) == 0;
}

/* Whether the first stage is solved for, or what else is asked for allows the guess. */
static int solved_or_multigrid(const struct input *in)
{
    return in->pressure.first_stage != FIRST_STAGE_GUESSED || only_multigrid(in);
}

static int solved_or_no_scalars(const struct input *in)
{
    return in->pressure.first_stage != FIRST_STAGE_GUESSED || no_scalars(in);
}

static int solved_or_free(const struct input *in)
{
    return in->pressure.first_stage != FIRST_STAGE_GUESSED || in->pressure.iterations == 0;
}

/* Whether each stage takes as many iterations as its tolerance needs. */
static int free_work(const struct input *in)
{
    return in->pressure.iterations == 0;
}

static int polynomial(const struct input *in)
{
    return in->pressure.preconditioner == PRECOND_POLYNOMIAL;
}

static int multigrid(const struct input *in)
{
    return in->pressure.preconditioner == PRECOND_MULTIGRID || in->pressure.preconditioner == PRECOND_AUTO;
}

static int inverse(const struct input *in)
{
    return in->pressure.preconditioner == PRECOND_DIRECT || in->pressure.preconditioner == PRECOND_AUTO;
}

static int neumann(const struct input *in)
{
    return in->pressure.degree == 1;
}

static int chebyshev(const struct input *in)
{
    return in->pressure.degree >= 2;
}

static const struct use uses[] = {
    {OFF(pressure.direct_precision), OFF(pressure.method), projected,
     "choose pressure.method = 'projection'"},
    {OFF(pressure.multigrid_precision), OFF(pressure.method), projected,
     "choose pressure.method = 'projection'"},
    {OFF(pressure.relative), OFF(pressure.method), projected, "choose pressure.method = 'projection'"},
    {OFF(pressure.stage_reduction), OFF(pressure.method), projected, "choose pressure.method = 'projection'"},
    {OFF(pressure.stage_reduction), OFF(pressure.preconditioner), only_multigrid,
     "choose pressure.preconditioner = 'multigrid'"},
    {OFF(pressure.stage_reduction), OFF(pressure.guess), extrapolated, "choose pressure.guess = 'lli'"},
    {OFF(pressure.stage_reduction), OFF(pressure.iterations), free_work, "give no pressure.iterations"},
    {OFF(pressure.stage_reduction), OFF(scalars.name), no_scalars,
     "give no scalars, or no pressure.stage_reduction: the transport of scalars needs stages without "
     "divergence"},
    {OFF(pressure.first_stage), OFF(pressure.method), projected, "choose pressure.method = 'projection'"},
    {OFF(pressure.first_stage), OFF(pressure.preconditioner), solved_or_multigrid,
     "choose pressure.preconditioner = 'multigrid'"},
    {OFF(pressure.first_stage), OFF(pressure.iterations), solved_or_free, "give no pressure.iterations"},
    {OFF(pressure.first_stage), OFF(scalars.name), solved_or_no_scalars,
     "give no scalars, whose transport needs stages without divergence, or no pressure.first_stage"},
    {OFF(pressure.iterations), OFF(pressure.method), projected, "choose pressure.method = 'projection'"},
    {OFF(pressure.sums), OFF(pressure.method), projected, "choose pressure.method = 'projection'"},
    {OFF(pressure.guess), OFF(pressure.preconditioner), guessed, "choose another preconditioner"},
    {OFF(pressure.degree), OFF(pressure.preconditioner), polynomial,
     "choose pressure.preconditioner = 'polynomial'"},
    {OFF(pressure.weight), OFF(pressure.preconditioner), polynomial,
     "choose pressure.preconditioner = 'polynomial'"},
    {OFF(pressure.weight), OFF(pressure.degree), neumann, "choose pressure.degree = 1"},
    {OFF(pressure.ratio), OFF(pressure.preconditioner), polynomial,
     "choose pressure.preconditioner = 'polynomial'"},
    {OFF(pressure.ratio), OFF(pressure.degree), chebyshev, "choose pressure.degree >= 2"},
    {OFF(pressure.direct_precision), OFF(pressure.preconditioner), inverse,
     "choose pressure.preconditioner = 'direct' or 'auto'"},
    {OFF(pressure.multigrid_precision), OFF(pressure.preconditioner), multigrid,
     "choose pressure.preconditioner = 'multigrid' or 'auto'"},
    {OFF(pressure.smoothing), OFF(pressure.preconditioner), multigrid,
     "choose pressure.preconditioner = 'multigrid' or 'auto'"},
    {OFF(pressure.transfer), OFF(pressure.preconditioner), multigrid,
     "choose pressure.preconditioner = 'multigrid' or 'auto'"},
};

size_t pressure_unused(const struct input *in, size_t offset, const char **remedy)
{
    return use_lacking(uses, sizeof uses / sizeof uses[0], in, offset, remedy);
}

/* The tolerance must be above the divergence that rounding leaves. This grows with the ratio of h to the
 * smallest width. */
static void rule_tolerance(struct reading *r, const struct input *in)
{
    int thin = 0;
    const double least = DIVERGENCE_ROUNDING * KOL_EPSILON * stretching_ratio(in, &thin),
                 tolerance = in->pressure.tolerance;
    const size_t self = OFF(pressure.tolerance);
    for (int d = 0; d < 3; ++d)
        if (in->grid.stretching[d] == STRETCHING_FILE) return; /* checked when the file is read */
    if (!is_good(r, self) || tolerance >= least) return;
    const int possible = least <= r->table[rule_variable(r, self)].high, given = is_given(r, self),
              uniform = in->grid.stretching[thin] == STRETCHING_UNIFORM;
    const size_t at = given && possible ? self : uniform ? OFF(grid.n) : OFF(grid.stretching_factor);
    fault_add(&r->faults, place_of_element(r, at, at == self ? 0 : thin, at),
              "pressure.tolerance = %g%s is below what %s arithmetic can reach on this grid; %s", tolerance,
              given ? "" : " (the default)", KOL_REAL_NAME,
              possible ? ask_for(least).text : "make its widths more equal");
}

static void rule_iterations(struct reading *r, const struct input *in)
{
    const size_t self = OFF(pressure.iterations), other = OFF(pressure.max_iterations);
    if (!is_good(r, self) || !is_good(r, other) || in->pressure.iterations <= in->pressure.max_iterations)
        return;
    fault_add(&r->faults, place_of_element(r, self, 0, other),
              "pressure.iterations = %d is more than pressure.max_iterations = %d %s; make it no larger",
              in->pressure.iterations, in->pressure.max_iterations, origin_of(r, other).text);
}

/* The exact method solves for three components, with the preconditioner of one. A polynomial can't be
 * that. */
static void rule_method(struct reading *r, const struct input *in)
{
    const size_t self = OFF(pressure.preconditioner);
    if (!is_good(r, OFF(pressure.method)) || !is_good(r, self) || projected(in) || !polynomial(in)) return;
    fault_add(&r->faults, place_of(r, is_given(r, self) ? self : OFF(pressure.method)),
              "pressure.preconditioner = 'polynomial'%s is not for pressure.method = 'exact' %s; choose "
              "'multigrid', 'direct', 'jacobi' or 'auto'",
              is_given(r, self) ? "" : " (the default)", origin_of(r, OFF(pressure.method)).text);
}

static void rule_first_stage(struct reading *r, const struct input *in)
{
    const size_t self = OFF(pressure.first_stage);
    if (!is_good(r, self) || !is_given(r, self) || in->pressure.first_stage != FIRST_STAGE_GUESSED) return;
    const char *const why = first_stage_obstacle(in);
    if (why != NULL)
        fault_add(&r->faults, place_of(r, self),
                  "pressure.first_stage = 'guessed' is not possible: %s; choose 'auto' or 'solved'", why);
}

void check_pressure(struct reading *r, const struct input *in, int grid_is_good)
{
    if (grid_is_good) rule_tolerance(r, in);
    rule_iterations(r, in);
    rule_method(r, in);
    rule_first_stage(r, in);
}
