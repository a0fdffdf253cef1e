#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "reading.h"
#include "values.h"

#define OFF(member) offsetof(struct input, member)

/* use: a variable has an effect only where `useful` holds of the values; `on` is the variable that decides. */
struct use {
    size_t of, on;
    int (*useful)(const struct input *in);
    const char *remedy;
};

static int by_cfl(const struct input *in)
{
    return !(in->time.dt > 0);
}

static int by_nu(const struct input *in)
{
    return !(in->fluid.reynolds > 0);
}

static int implicit(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_IMPLICIT;
}

static int polynomial(const struct input *in)
{
    return in->pressure.preconditioner == PRECOND_POLYNOMIAL;
}

static int neumann(const struct input *in)
{
    return in->pressure.degree == 1;
}

static int chebyshev(const struct input *in)
{
    return in->pressure.degree >= 2;
}

static int moving(const struct input *in)
{
    return in->initial.type != INITIAL_REST;
}

static int vortices(const struct input *in)
{
    const int type = in->initial.type;
    return type == INITIAL_TAYLOR_GREEN || type == INITIAL_TAYLOR_GREEN_2D || type == INITIAL_ABC ||
           type == INITIAL_BELTRAMI;
}

static int abc(const struct input *in)
{
    return in->initial.type == INITIAL_ABC;
}

static int isotropic(const struct input *in)
{
    return in->initial.type == INITIAL_ISOTROPIC;
}

static int spectrum_from_file(const struct input *in)
{
    return in->initial.spectrum == SPECTRUM_FILE;
}

static int spectrum_by_formula(const struct input *in)
{
    return in->initial.spectrum != SPECTRUM_FILE;
}

static const char of_vortices[] =
    "choose initial.type = 'taylor-green', 'taylor-green-2d', 'abc' or 'beltrami'";

/* Of several lines for one variable, the first that fails is told. */
static const struct use uses[] = {
    {OFF(fluid.nu), OFF(fluid.reynolds), by_nu, "give no fluid.reynolds"},
    {OFF(time.cfl), OFF(time.dt), by_cfl, "give no time.dt"},
    {OFF(time.diffusion_tolerance), OFF(time.diffusion), implicit, "choose time.diffusion = 'implicit'"},
    {OFF(pressure.degree), OFF(pressure.preconditioner), polynomial,
     "choose pressure.preconditioner = 'polynomial'"},
    {OFF(pressure.weight), OFF(pressure.preconditioner), polynomial,
     "choose pressure.preconditioner = 'polynomial'"},
    {OFF(pressure.weight), OFF(pressure.degree), neumann, "choose pressure.degree = 1"},
    {OFF(pressure.ratio), OFF(pressure.preconditioner), polynomial,
     "choose pressure.preconditioner = 'polynomial'"},
    {OFF(pressure.ratio), OFF(pressure.degree), chebyshev, "choose pressure.degree >= 2"},
    {OFF(initial.velocity), OFF(initial.type), moving, "choose initial.type = 'uniform'"},
    {OFF(initial.amplitude), OFF(initial.type), vortices, of_vortices},
    {OFF(initial.wavenumber), OFF(initial.type), vortices, of_vortices},
    {OFF(initial.abc), OFF(initial.type), abc, "choose initial.type = 'abc'"},
    {OFF(initial.spectrum), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.k_peak), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.k_peak), OFF(initial.spectrum), spectrum_by_formula,
     "choose initial.spectrum = 'gaussian' or 'von-karman'"},
    {OFF(initial.u_rms), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.spectrum_file), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.spectrum_file), OFF(initial.spectrum), spectrum_from_file,
     "choose initial.spectrum = 'file'"},
};

size_t input_unused(const struct input *in, size_t offset, const char **remedy)
{
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; ++i) {
        if (uses[i].of != offset || uses[i].useful(in)) continue;
        *remedy = uses[i].remedy;
        return uses[i].on;
    }
    return 0;
}

static int find(const struct reading *r, size_t offset)
{
    for (int v = 0; v < r->count; ++v)
        if (r->table[v].offset == offset) return v;
    return 0; /* not reached: the rules name members of the table */
}

static int is_given(const struct reading *r, size_t offset)
{
    return r->given[find(r, offset)].place.line > 0;
}

/* Rules are not run on values that a fault was found in. */
static int is_good(const struct reading *r, size_t offset)
{
    return !r->given[find(r, offset)].bad;
}

static struct place place_of(const struct reading *r, size_t offset)
{
    return r->given[find(r, offset)].place;
}

/* Where an element was set, else its variable, else the other one that made it wrong. */
static struct place place_of_element(const struct reading *r, size_t offset, int e, size_t other)
{
    const struct given *given = &r->given[find(r, offset)];
    if (given->element[e].line > 0) return given->element[e];
    return given->place.line > 0 ? given->place : place_of(r, other);
}

/* later: of two variables that don't go together the one that comes second, where the fault is put. */
static size_t later(const struct reading *r, size_t a, size_t b)
{
    const struct place p = place_of(r, a), q = place_of(r, b);
    if (p.set != q.set) return p.set > q.set ? a : b;
    if (p.line != q.line) return p.line > q.line ? a : b;
    return p.column > q.column ? a : b;
}

/* origin: "(line 7)", "(given by --set)" or "(the default)". */
struct origin {
    char text[32];
};

static struct origin origin_of(const struct reading *r, size_t offset)
{
    struct origin out;
    const struct place place = place_of(r, offset);
    if (place.set > 0) snprintf(out.text, sizeof out.text, "(given by --set)");
    else if (place.line > 0) snprintf(out.text, sizeof out.text, "(line %d)", place.line);
    else snprintf(out.text, sizeof out.text, "(the default)");
    return out;
}

static void rule_required(struct reading *r)
{
    const struct place top = {1, 1, 0};
    for (int v = 0; v < r->count; ++v) {
        const struct variable *var = &r->table[v];
        const struct given *given = &r->given[v];
        if (var->preset || given->bad) continue;
        if (given->place.line == 0) {
            fault_add(&r->faults, top, "%s.%s is required; add for example %s to &%s", var->group, var->name,
                      var->example, var->group);
            continue;
        }
        for (int e = 0; e < variable_elements(var); ++e)
            if (given->element[e].line == 0) {
                fault_add(&r->faults, given->place, "%s is not given; %s.%s takes %d values, for example %s",
                          element_name(var, e).text, var->group, var->name, variable_elements(var),
                          var->example);
                r->given[v].bad = 1;
                break;
            }
    }
    if (!is_given(r, OFF(run.t_end)) && !is_given(r, OFF(run.steps_max)) && is_good(r, OFF(run.t_end)) &&
        is_good(r, OFF(run.steps_max)))
        fault_add(&r->faults, top,
                  "run.t_end or run.steps_max is required; add for example t_end = 10 to &run");
    if (!is_given(r, OFF(fluid.nu)) && !is_given(r, OFF(fluid.reynolds)) && is_good(r, OFF(fluid.nu)) &&
        is_good(r, OFF(fluid.reynolds)))
        fault_add(&r->faults, top,
                  "fluid.nu or fluid.reynolds is required; add for example reynolds = 1600 to &fluid");
}

static void rule_unused(struct reading *r, const struct input *in)
{
    for (int v = 0; v < r->count; ++v) {
        const struct variable *var = &r->table[v];
        const char *remedy = "";
        const size_t on = input_unused(in, var->offset, &remedy);
        if (r->given[v].place.line == 0 || r->given[v].bad || on == 0 || !is_good(r, on)) continue;
        const struct variable *cause = &r->table[find(r, on)];
        fault_add(&r->faults, r->given[v].place, "%s.%s has no effect with %s.%s = %s %s; remove it, or %s",
                  var->group, var->name, cause->group, cause->name, value_write(cause, 0, in).text,
                  origin_of(r, on).text, remedy);
    }
}

static void rule_fluid(struct reading *r, struct input *in)
{
    if (!is_good(r, OFF(fluid.reynolds)) || !(in->fluid.reynolds > 0)) return;
    if (is_given(r, OFF(fluid.nu))) return; /* told by rule_unused */
    in->fluid.nu = 1 / in->fluid.reynolds;
    if (!isfinite(in->fluid.nu))
        fault_add(&r->faults, place_of(r, OFF(fluid.reynolds)),
                  "nu = 1/reynolds is not finite with reynolds = %g", in->fluid.reynolds);
}

static void rule_stretching(struct reading *r, const struct input *in)
{
    static const char *const allowed[] = {"0 with 'uniform', where it has no effect",
                                          "0 < f <= 10 with 'tanh'", "0 < f < 1 with 'sine'"};
    if (!is_good(r, OFF(grid.stretching)) || !is_good(r, OFF(grid.stretching_factor))) return;
    for (int d = 0; d < 3; ++d) {
        const int kind = in->grid.stretching[d];
        const double f = in->grid.stretching_factor[d];
        if (kind == STRETCHING_UNIFORM ? f == 0 : kind == STRETCHING_TANH ? f > 0 && f <= 10 : f > 0 && f < 1)
            continue;
        fault_add(&r->faults, place_of_element(r, OFF(grid.stretching_factor), d, OFF(grid.stretching)),
                  "grid.stretching_factor(%d) = %g is out of range; allowed: %s, grid.stretching(%d) %s",
                  d + 1, f, allowed[kind], d + 1, origin_of(r, OFF(grid.stretching)).text);
    }
}

static void rule_time(struct reading *r, const struct input *in)
{
    const double largest = 1.7320508;
    if (!is_good(r, OFF(time.cfl)) || !is_good(r, OFF(time.scheme))) return;
    if (is_given(r, OFF(time.cfl)) && in->time.scheme == SCHEME_RK3_WRAY && in->time.cfl > largest)
        fault_add(&r->faults, place_of_element(r, OFF(time.cfl), 0, OFF(time.scheme)),
                  "time.cfl = %g is out of range; allowed: cfl <= 1.7320508 with time.scheme = 'rk3-wray' %s",
                  in->time.cfl, origin_of(r, OFF(time.scheme)).text);
}

static void rule_initial(struct reading *r, const struct input *in)
{
    const double *length = in->grid.length;
    const int type = in->initial.type;
    if (is_good(r, OFF(initial.type)) && is_good(r, OFF(grid.length)) &&
        (type == INITIAL_ABC || type == INITIAL_BELTRAMI) &&
        (length[0] != length[1] || length[1] != length[2]))
        fault_add(&r->faults, place_of(r, OFF(grid.length)),
                  "grid.length = %.10g, %.10g, %.10g: the three must be equal with initial.type = '%s' %s",
                  length[0], length[1], length[2], type == INITIAL_ABC ? "abc" : "beltrami",
                  origin_of(r, OFF(initial.type)).text);
    if (is_good(r, OFF(initial.type)) && is_good(r, OFF(initial.spectrum)) &&
        is_good(r, OFF(initial.spectrum_file)) && type == INITIAL_ISOTROPIC &&
        in->initial.spectrum == SPECTRUM_FILE && !in->initial.spectrum_file[0])
        fault_add(
            &r->faults, place_of(r, OFF(initial.spectrum)),
            "initial.spectrum = 'file' needs initial.spectrum_file; add for example spectrum_file = 'e.txt'");
}

static void rule_output(struct reading *r, const struct input *in)
{
    const size_t steps = OFF(output.field_interval), time = OFF(output.field_interval_time);
    if (!is_good(r, steps) || !is_good(r, time) || in->output.field_interval == 0) return;
    if (!(in->output.field_interval_time > 0)) return;
    const size_t second = later(r, steps, time), first = second == steps ? time : steps;
    const struct variable *v = &r->table[find(r, second)], *other = &r->table[find(r, first)];
    fault_add(&r->faults, place_of(r, second), "output.%s and output.%s %s can't both be above 0; remove one",
              v->name, other->name, origin_of(r, first).text);
}

int grid_blocks(int direction, int n)
{
    enum { MOST = 16, LEAST_X = 8, CELLS_X = 8 };
    int blocks = MOST;
    if (direction == 0 && n / CELLS_X < MOST) blocks = n / CELLS_X > LEAST_X ? n / CELLS_X : LEAST_X;
    return n < blocks ? n : blocks;
}

int grid_ranks_fit(const int n[3], const int ranks[3], int nranks)
{
    int low[3], high[3];
    for (int d = 0; d < 3; ++d) {
        high[d] = grid_blocks(d, n[d]);
        low[d] = ranks[d] > 0 ? ranks[d] : 1;
        if (low[d] > high[d]) return 0;
        if (ranks[d] > 0) high[d] = ranks[d];
    }
    for (int px = low[0]; px <= high[0]; ++px)
        for (int py = low[1]; py <= high[1] && nranks % px == 0; ++py) {
            if (nranks / px % py != 0) continue;
            const int pz = nranks / px / py;
            if (pz >= low[2] && pz <= high[2]) return 1;
        }
    return 0;
}

/* The largest number of ranks up to nranks that fits; 0 where none does. */
static int usable_ranks(const int n[3], const int ranks[3], int nranks)
{
    const int most = grid_blocks(0, n[0]) * grid_blocks(1, n[1]) * grid_blocks(2, n[2]);
    for (int p = nranks < most ? nranks : most; p > 0; --p)
        if (grid_ranks_fit(n, ranks, p)) return p;
    return 0;
}

static void rule_ranks(struct reading *r, const struct input *in, int nranks)
{
    const int *n = in->grid.n, *ranks = in->grid.ranks;
    if (!is_good(r, OFF(grid.n)) || !is_good(r, OFF(grid.ranks)) || !is_given(r, OFF(grid.n))) return;
    int wide = 0;
    for (int d = 0; d < 3; ++d) {
        if (ranks[d] <= grid_blocks(d, n[d])) continue;
        wide = 1;
        fault_add(&r->faults, place_of_element(r, OFF(grid.ranks), d, OFF(grid.n)),
                  "grid.ranks(%d) = %d is too many for %d cells; at most %d are allowed", d + 1, ranks[d],
                  n[d], grid_blocks(d, n[d]));
    }
    if (wide || nranks < 1 || grid_ranks_fit(n, ranks, nranks)) return;
    const size_t at = is_given(r, OFF(grid.ranks)) ? OFF(grid.ranks) : OFF(grid.n);
    const int usable = usable_ranks(n, ranks, nranks);
    if (ranks[0] && ranks[1] && ranks[2]) {
        fault_add(&r->faults, place_of(r, at),
                  "grid.ranks = %d, %d, %d has the product %d, but the run has %d ranks", ranks[0], ranks[1],
                  ranks[2], ranks[0] * ranks[1] * ranks[2], nranks);
        return;
    }
    char hint[64] = "";
    if (usable) snprintf(hint, sizeof hint, "; the largest usable number of ranks is %d", usable);
    if (ranks[0] || ranks[1] || ranks[2])
        fault_add(&r->faults, place_of(r, at),
                  "%d ranks can't be split with grid.ranks = %d, %d, %d (0: choose): at most %d, %d, %d in "
                  "x, y, z, and "
                  "the product must be %d%s",
                  nranks, ranks[0], ranks[1], ranks[2], grid_blocks(0, n[0]), grid_blocks(1, n[1]),
                  grid_blocks(2, n[2]), nranks, hint);
    else
        fault_add(&r->faults, place_of(r, at),
                  "%d ranks can't be split over %d x %d x %d cells: at most %d, %d, %d in x, y, z%s", nranks,
                  n[0], n[1], n[2], grid_blocks(0, n[0]), grid_blocks(1, n[1]), grid_blocks(2, n[2]), hint);
}

void check_rules(struct reading *r, struct input *in, int nranks)
{
    rule_required(r);
    rule_unused(r, in);
    rule_fluid(r, in);
    rule_stretching(r, in);
    rule_time(r, in);
    rule_initial(r, in);
    rule_output(r, in);
    rule_ranks(r, in, nranks);
}
