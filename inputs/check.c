/* Applies the rules that concern several inputs, and finds the inputs that have no effect. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_bodies.h"
#include "buoyancy.h"
#include "check_boundary.h"
#include "check_buoyancy.h"
#include "check_forcing.h"
#include "check_formulas.h"
#include "check_grid.h"
#include "check_open.h"
#include "check_places.h"
#include "check_pressure.h"
#include "check_scalars.h"
#include "check_statistics.h"
#include "drives.h"
#include "face_kinds.h"
#include "kernels/base/speed.h"
#include "kernels/base/types.h"
#include "rank_layout.h"
#include "rules.h"
#include "schemes.h"
#include "statistics_wanted.h"
#include "stream_direction.h"
#include "stretching.h"

static int by_cfl(const struct input *in)
{
    return !(in->time.dt > 0);
}

static int by_nu(const struct input *in)
{
    return !(in->fluid.reynolds > 0);
}

static int not_by_rayleigh(const struct input *in)
{
    return !buoyancy_free_fall(in);
}

static int viscous(const struct input *in)
{
    return in->fluid.nu != 0;
}

static int projected(const struct input *in)
{
    return !method_is_exact(in);
}

static int forced(const struct input *in)
{
    return drive_has_force(in) || drive_is_of_box(in);
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

static int scaled(const struct input *in)
{
    return vortices(in) || in->initial.type == INITIAL_CHANNEL;
}

static int channel(const struct input *in)
{
    return in->initial.type == INITIAL_CHANNEL;
}

/* Whether the scale of a channel's flow is given by what drives it. */
static int not_of_bulk(const struct input *in)
{
    return !channel(in) || !drive_holds_bulk_velocity(in);
}

static int not_of_walls(const struct input *in)
{
    return !channel(in) || !faces_any_moving_wall(in);
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

static int tuned(const struct input *in)
{
    return in->device.tuning;
}

static int probed(const struct input *in)
{
    return in->probes.position[0][0] != INPUT_NOWHERE || in->probes.file[0];
}

static int restarted(const struct input *in)
{
    return strcmp(in->checkpoint.restart, "none") != 0;
}

static int by_formula(const struct input *in)
{
    return in->initial.type == INITIAL_FORMULA;
}

static int from_file(const struct input *in)
{
    return in->initial.type == INITIAL_FILE;
}

static const char of_vortices[] =
    "choose initial.type = 'taylor-green', 'taylor-green-2d', 'abc' or 'beltrami'";

static int writes_fields(const struct input *in)
{
    return in->output.field_interval > 0 || in->output.field_interval_time > 0;
}

/* Whether some file is asked for by an interval in time. */
static int writes_by_time(const struct input *in)
{
    int any = in->output.field_interval_time > 0 || in->history.interval_time > 0;
    for (int n = 0; n < SLICES_MOST; ++n) any |= in->slices.interval_time[n] > 0;
    for (int n = 0; n < BOXES_MOST; ++n) any |= in->boxes.interval_time[n] > 0;
    return any;
}

static int writes_compressed(const struct input *in)
{
    int any = writes_fields(in) || cells_wanted(in);
    for (int n = 0; n < SLICES_MOST; ++n)
        any |= in->slices.interval[n] > 0 || in->slices.interval_time[n] > 0;
    for (int n = 0; n < BOXES_MOST; ++n) any |= in->boxes.interval[n] > 0 || in->boxes.interval_time[n] > 0;
    return any;
}

/* If several lines concern one variable, the first one that fails is reported. */
static const struct use uses[] = {
    {OFF(fluid.nu), OFF(fluid.reynolds), by_nu, "give no fluid.reynolds"},
    {OFF(fluid.nu), OFF(buoyancy.rayleigh), not_by_rayleigh, "give no buoyancy.rayleigh"},
    {OFF(fluid.reynolds), OFF(buoyancy.rayleigh), not_by_rayleigh, "give no buoyancy.rayleigh"},
    {OFF(fluid.re_tau), OFF(fluid.nu), viscous, "choose fluid.nu > 0"},
    {OFF(time.cfl), OFF(time.dt), by_cfl, "give no time.dt"},
    {OFF(time.diffusion_tolerance), OFF(time.diffusion), diffusion_is_implicit,
     "choose time.diffusion = 'implicit'"},
    {OFF(time.diffusion_tolerance), OFF(pressure.method), projected, "choose pressure.method = 'projection'"},
    {OFF(initial.velocity), OFF(initial.type), moving, "choose initial.type = 'uniform'"},
    {OFF(initial.amplitude), OFF(forcing.type), not_of_bulk, "choose another forcing.type"},
    {OFF(initial.amplitude), OFF(initial.type), not_of_walls, "leave all walls at rest"},
    {OFF(forcing.direction), OFF(forcing.type), drive_has_force,
     "choose 'pressure-gradient', 'bulk-velocity' or 'power'"},
    {OFF(forcing.value), OFF(forcing.type), forced, "choose a forcing.type"},
    {OFF(forcing.formula[0]), OFF(forcing.type), drive_by_formula, "choose forcing.type = 'formula'"},
    {OFF(forcing.formula[1]), OFF(forcing.type), drive_by_formula, "choose forcing.type = 'formula'"},
    {OFF(forcing.formula[2]), OFF(forcing.type), drive_by_formula, "choose forcing.type = 'formula'"},
    {OFF(forcing.amplitude), OFF(forcing.type), drive_is_prescribed,
     "choose forcing.type = 'pressure-gradient' or 'bulk-velocity'"},
    {OFF(forcing.frequency), OFF(forcing.amplitude), drive_oscillates,
     "give a forcing.amplitude other than 0"},
    {OFF(forcing.phase), OFF(forcing.amplitude), drive_oscillates, "give a forcing.amplitude other than 0"},
    {OFF(initial.amplitude), OFF(initial.type), scaled,
     "choose initial.type = 'taylor-green', 'taylor-green-2d', 'abc', 'beltrami' or 'channel'"},
    {OFF(initial.disturbance), OFF(initial.type), channel, "choose initial.type = 'channel'"},
    {OFF(initial.wavenumber), OFF(initial.type), vortices, of_vortices},
    {OFF(initial.abc), OFF(initial.type), abc, "choose initial.type = 'abc'"},
    {OFF(initial.spectrum), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.k_peak), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.large_scales), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.large_scales), OFF(initial.spectrum), spectrum_by_formula,
     "choose initial.spectrum = 'gaussian' or 'von-karman'"},
    {OFF(initial.k_peak), OFF(initial.spectrum), spectrum_by_formula,
     "choose initial.spectrum = 'gaussian' or 'von-karman'"},
    {OFF(initial.u_rms), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.spectrum_file), OFF(initial.type), isotropic, "choose initial.type = 'isotropic'"},
    {OFF(initial.spectrum_file), OFF(initial.spectrum), spectrum_from_file,
     "choose initial.spectrum = 'file'"},
    {OFF(initial.formula[0]), OFF(initial.type), by_formula, "choose initial.type = 'formula'"},
    {OFF(initial.formula[1]), OFF(initial.type), by_formula, "choose initial.type = 'formula'"},
    {OFF(initial.formula[2]), OFF(initial.type), by_formula, "choose initial.type = 'formula'"},
    {OFF(initial.file), OFF(initial.type), from_file, "choose initial.type = 'file'"},
    {OFF(checkpoint.force), OFF(checkpoint.restart), restarted, "choose checkpoint.restart = 'latest'"},
    {OFF(checkpoint.regrid), OFF(checkpoint.restart), restarted, "choose checkpoint.restart = 'latest'"},
    {OFF(probes.interval), OFF(probes.file), probed, "give probes.position or probes.file"},
    {OFF(device.tuning_file), OFF(device.tuning), tuned, "choose device.tuning = .true."},
    {OFF(output.field_places), OFF(output.field_interval), writes_fields,
     "choose output.field_interval or output.field_interval_time > 0"},
    {OFF(output.compression), OFF(output.field_interval), writes_compressed,
     "ask for fields, slices, boxes or averages in every cell"},
    {OFF(output.cut_steps), OFF(output.field_interval_time), writes_by_time,
     "give the interval_time of slices, boxes or history, or output.field_interval_time"},
};

size_t input_unused(const struct input *in, size_t offset, const char **remedy)
{
    const size_t lacking = use_lacking(uses, sizeof uses / sizeof uses[0], in, offset, remedy);
    if (lacking != 0) return lacking;
    if (offset == OFF(fluid.re_tau)) return inflow_stream(in) >= 0 ? 0 : stream_obstacle(in, remedy);
    size_t on = statistics_unused(in, offset, remedy);
    if (on == 0) on = bodies_unused(in, offset, remedy);
    if (on == 0) on = pressure_unused(in, offset, remedy);
    if (on == 0) on = scalars_unused(in, offset, remedy);
    if (on == 0) on = buoyancy_unused(in, offset, remedy);
    if (on == 0) on = forcing_unused(in, offset, remedy);
    if (on == 0) on = boundary_unused(in, offset, remedy);
    return on != 0 ? on : open_unused(in, offset, remedy);
}

/* later: the one of two conflicting variables that comes second in the file. The fault is reported there. */
static size_t later(const struct reading *r, size_t a, size_t b)
{
    const struct place p = place_of(r, a), q = place_of(r, b);
    if (p.set != q.set) return p.set > q.set ? a : b;
    if (p.line != q.line) return p.line > q.line ? a : b;
    return p.column > q.column ? a : b;
}

static void rule_required(struct reading *r, const struct input *in)
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
    if (!check_target(r, in) && !is_given(r, OFF(buoyancy.rayleigh)) && is_good(r, OFF(buoyancy.rayleigh)) &&
        !is_given(r, OFF(fluid.nu)) && !is_given(r, OFF(fluid.reynolds)) && is_good(r, OFF(fluid.nu)) &&
        is_good(r, OFF(fluid.reynolds)))
        fault_add(&r->faults, top,
                  "fluid.nu or fluid.reynolds is required; add for example reynolds = 1600 to &fluid%s",
                  drive_forces_box(in) ? ", or target_re_lambda = 60 to &forcing" : "");
}

/* cause: makes words such as " with fluid.nu = 0 (line 3)", with all elements of a short array, or ":
 * statistics.start is not given". */
struct cause {
    char text[4 * VALUE_TEXT];
};

static struct cause cause_of(const struct reading *r, size_t on, const struct input *in)
{
    struct cause out;
    const struct variable *v = &r->table[rule_variable(r, on)];
    const int elements = value_count(v, in), given = place_of(r, on).line > 0 || place_of(r, on).set > 0;
    if (v->not_given && !given) {
        snprintf(out.text, sizeof out.text, ": %s.%s is not given", v->group, v->name);
        return out;
    }
    int used = snprintf(out.text, sizeof out.text, " with %s.%s", v->group, v->name);
    for (int e = 0; e < (elements > 3 ? 1 : elements) && used < (int)sizeof out.text; ++e)
        used += snprintf(out.text + used, sizeof out.text - (size_t)used, "%s%s", e == 0 ? " = " : ", ",
                         value_write(v, e, in).text);
    if (used < (int)sizeof out.text)
        snprintf(out.text + used, sizeof out.text - (size_t)used, " %s", origin_of(r, on).text);
    return out;
}

/* Whether this says nothing: no phases; the velocity 0 of an inflow that has it from a file. */
static int says_nothing(const struct input *in, size_t offset)
{
    if (offset == OFF(statistics.phases) && in->statistics.phases == 0) return 1;
    for (int f = 0; f < FACES; ++f) {
        const double *v = in->boundary.velocity[f];
        if (offset == velocity_at(f) && face_is_inflow(in, f) && v[X] == 0 && v[Y] == 0 && v[Z] == 0)
            return 1;
    }
    return 0;
}

static void rule_unused(struct reading *r, const struct input *in)
{
    for (int v = 0; v < r->count; ++v) {
        const struct variable *var = &r->table[v];
        const char *remedy = "";
        const size_t on = input_unused(in, var->offset, &remedy);
        if (r->given[v].place.line == 0 || r->given[v].bad || on == 0 || !is_good(r, on)) continue;
        if (says_nothing(in, var->offset)) continue;
        fault_add(&r->faults, r->given[v].place, "%s.%s has no effect%s; remove it, or %s", var->group,
                  var->name, cause_of(r, on, in).text, remedy);
    }
}

/* Speeds beyond what arithmetic can hold. */
static void rule_speeds(struct reading *r, const struct input *in)
{
    for (int v = 0; v < r->count; ++v) {
        const struct variable *var = &r->table[v];
        const double *value = (const double *)(const void *)((const char *)in + var->offset);
        if (var->type != TYPE_REAL || strcmp(var->unit, "U") != 0) continue;
        if (r->given[v].place.line == 0 || r->given[v].bad) continue;
        for (int e = 0; e < variable_elements(var); ++e)
            if (fabs(value[e]) > SPEED_MOST)
                fault_add(
                    &r->faults, place_of_element(r, var->offset, e, var->offset),
                    "%s = %g is too fast for %s arithmetic, which takes speeds up to %g; choose another "
                    "unit of length or time",
                    element_name(var, e).text, value[e], KOL_REAL_NAME, SPEED_MOST);
    }
}

static void rule_time(struct reading *r, const struct input *in)
{
    if (!is_good(r, OFF(time.cfl)) || !is_good(r, OFF(time.scheme))) return;
    if (is_given(r, OFF(time.cfl)) && in->time.cfl > scheme_cfl_limit(in))
        fault_add(&r->faults, place_of_element(r, OFF(time.cfl), 0, OFF(time.scheme)),
                  "time.cfl = %g is out of range; allowed: cfl <= %.8g with time.scheme = %s %s",
                  in->time.cfl, scheme_cfl_limit(in),
                  value_write(&r->table[rule_variable(r, OFF(time.scheme))], 0, in).text,
                  origin_of(r, OFF(time.scheme)).text);
}

static void rule_diffusion(struct reading *r, const struct input *in)
{
    const double least = 4 * KOL_EPSILON;
    const size_t self = OFF(time.diffusion_tolerance);
    if (!is_good(r, self) || !is_good(r, OFF(time.diffusion)) || !diffusion_is_implicit(in) ||
        method_is_exact(in))
        return;
    if (in->time.diffusion_tolerance < least)
        fault_add(&r->faults, place_of_element(r, self, 0, self),
                  "time.diffusion_tolerance = %g is below what %s arithmetic can reach; %s",
                  in->time.diffusion_tolerance, KOL_REAL_NAME, ask_for(least).text);
}

/* Whether something is about to move a fluid at rest with a known speed or force. */
static int put_in_motion(const struct input *in)
{
    return faces_any_moving_wall(in) || buoyancy_wanted(in) || drive_by_formula(in) ||
           (drive_is_prescribed(in) && in->forcing.value != 0) ||
           (drive_is_random(in) && drive_forces_box(in));
}

/* Checks that something limits the first step: convection or explicit diffusion of the initial flow. */
static void rule_rest(struct reading *r, const struct input *in)
{
    const double *u = in->initial.velocity;
    const int type = in->initial.type, inviscid = in->fluid.nu == 0 && !(in->fluid.reynolds > 0);
    if (!is_good(r, OFF(initial.velocity)) || !is_good(r, OFF(time.dt)) || !is_good(r, OFF(time.diffusion)) ||
        !is_good(r, OFF(fluid.nu)) || !is_good(r, OFF(fluid.reynolds)))
        return;
    if (in->time.dt > 0 || (!inviscid && !diffusion_is_implicit(in)) || put_in_motion(in) ||
        faces_any_open(in))
        return;
    if (drive_oscillates(in) || drive_turns(in)) return;
    if (drive_needs_motion(in)) return; /* check_forcing() refuses the start */
    if (type == INITIAL_REST || (type == INITIAL_UNIFORM && u[0] == 0 && u[1] == 0 && u[2] == 0))
        fault_add(&r->faults, place_of(r, OFF(initial.type)),
                  "the fluid is at rest and nothing limits the time step; set time.dt");
}

/* A wave must have more than two cells. */
static void rule_waves(struct reading *r, const struct input *in)
{
    const int *n = in->grid.n, random = isotropic(in),
              directions = in->initial.type == INITIAL_TAYLOR_GREEN_2D ? 2 : 3;
    const long long need = random ? 3 : 2LL * in->initial.wavenumber + 1;
    const size_t waves = OFF(initial.wavenumber);
    if (!is_given(r, OFF(grid.n)) || !is_good(r, OFF(grid.n)) || !is_good(r, waves) ||
        (!random && !vortices(in)))
        return;
    int few = 0;
    for (int d = 1; d < directions; ++d) few = n[d] < n[few] ? d : few;
    if (n[few] >= need) return;
    if (!random && is_given(r, waves) && n[few] > 2) {
        fault_add(&r->faults, place_of_element(r, waves, 0, waves),
                  "initial.wavenumber = %d is too large for the %d cells in %c; allowed: wavenumber <= %d",
                  in->initial.wavenumber, n[few], "xyz"[few], (n[few] - 1) / 2);
        return;
    }
    const size_t on = random ? OFF(initial.type) : waves;
    const struct variable *v = &r->table[rule_variable(r, on)];
    for (int d = 0; d < directions; ++d)
        if (n[d] < need)
            fault_add(&r->faults, place_of_element(r, OFF(grid.n), d, OFF(grid.n)),
                      "grid.n(%d) = %d is too few with initial.%s = %s %s; at least %lld are needed", d + 1,
                      n[d], v->name, value_write(v, 0, in).text, origin_of(r, on).text, need);
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
    if (is_good(r, OFF(initial.type)) && is_good(r, OFF(initial.file)) && type == INITIAL_FILE &&
        !in->initial.file[0])
        fault_add(&r->faults, place_of(r, OFF(initial.type)),
                  "initial.type = 'file' needs initial.file; add for example file = 'flow.h5'");
}

static void rule_output(struct reading *r, const struct input *in)
{
    const size_t steps = OFF(output.field_interval), time = OFF(output.field_interval_time);
    if (!is_good(r, steps) || !is_good(r, time) || in->output.field_interval == 0) return;
    if (!(in->output.field_interval_time > 0)) return;
    const size_t second = later(r, steps, time), first = second == steps ? time : steps;
    const struct variable *v = &r->table[rule_variable(r, second)],
                          *other = &r->table[rule_variable(r, first)];
    fault_add(&r->faults, place_of(r, second), "output.%s and output.%s %s can't both be above 0; remove one",
              v->name, other->name, origin_of(r, first).text);
}

static void rule_ranks(struct reading *r, const struct input *in, int nranks)
{
    const struct layout layout = grid_layout(in, nranks);
    const int *n = in->grid.n, *ranks = layout.ranks;
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
    const int usable = grid_usable_ranks(n, ranks, nranks);
    if (ranks[0] && ranks[1] && ranks[2]) {
        fault_add(&r->faults, place_of(r, at),
                  "grid.ranks = %d, %d, %d has the product %d, but the run has %d rank%s; start it on as "
                  "many, or give no grid.ranks",
                  ranks[0], ranks[1], ranks[2], ranks[0] * ranks[1] * ranks[2], nranks,
                  nranks == 1 ? "" : "s");
        return;
    }
    char hint[64] = "";
    if (usable) snprintf(hint, sizeof hint, "; the largest usable number of ranks is %d", usable);
    if (ranks[0] || ranks[1] || ranks[2])
        fault_add(&r->faults, place_of(r, at),
                  "%d rank%s can't be divided as grid.ranks = %d, %d, %d asks (0 leaves it open): at most "
                  "%d, %d, %d are allowed in x, y, z, and their product must be %d%s",
                  nranks, nranks == 1 ? "" : "s", ranks[0], ranks[1], ranks[2], grid_blocks(0, n[0]),
                  grid_blocks(1, n[1]), grid_blocks(2, n[2]), nranks, hint);
    else
        fault_add(
            &r->faults, place_of(r, at),
            "%d ranks can't be divided over %d x %d x %d cells: at most %d, %d, %d are allowed in x, y, z%s",
            nranks, n[0], n[1], n[2], grid_blocks(0, n[0]), grid_blocks(1, n[1]), grid_blocks(2, n[2]), hint);
}

void check_given(struct reading *r, const struct input *in)
{
    rule_required(r, in);
    rule_unused(r, in);
}

void check_rules(struct reading *r, const struct input *in, int nranks)
{
    const int grid_is_good = check_grid(r, in);
    check_pressure(r, in, grid_is_good);
    rule_speeds(r, in);
    rule_time(r, in);
    rule_diffusion(r, in);
    rule_initial(r, in);
    check_formulas(r, in);
    check_boundary(r, in);
    if (is_good(r, OFF(initial.type)) && is_good(r, OFF(checkpoint.restart)) &&
        strcmp(in->checkpoint.restart, "none") == 0) { /* else the flow is that of the checkpoint */
        rule_rest(r, in);
        rule_waves(r, in);
    }
    rule_output(r, in);
    check_scalars(r, in);
    check_buoyancy(r, in);
    check_places(r, in);
    check_bodies(r, in);
    rule_ranks(r, in, nranks);
}
