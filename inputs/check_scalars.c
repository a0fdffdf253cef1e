/* Applies the rules on scalars. */
#include "check_scalars.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include "bodies.h"
#include "check_scalar_faces.h"
#include "drives.h"
#include "face_kinds.h"
#include "formula.h"
#include "rules.h"
#include "scalars.h"
#include "schemes.h"

static struct place place(const struct reading *r, size_t offset, int e)
{
    return place_of_element(r, offset, e, OFF(scalars.name));
}

/* Whether every variable of the group is free of faults. */
static int all_good(const struct reading *r)
{
    for (int v = 0; v < r->count; ++v)
        if (strcmp(r->table[v].group, "scalars") == 0 && r->given[v].bad) return 0;
    return 1;
}

/* --- names --- */

static int begins(const char *name, const char *with)
{
    return strncasecmp(name, with, strlen(with)) == 0;
}

/* Whether the letters up to the first _ are those of velocities, pressure and energy. */
static int is_of_velocity(const char *name)
{
    return name[0] != '\0' && strspn(name, "uvwpkUVWPK") == strcspn(name, "_");
}

/* Whether a name is that of a quantity of the flow in files of statistics, or begins like one:
 *
 *   - letters of velocities, pressure and energy: uu, uw_error, k_production;
 *   - a derivative: dUdz, dudx_2;
 *   - a coordinate: z_face;
 *   - the raw sum of such a quantity: shear_u, flux_ww, E_uu_x;
 *   - a word of the lists. */
static int is_of_statistics(const char *name)
{
    static const char *const WHOLE[] = {
        "bin",      "level",   "height",   "phase",     "nu",         "delta",     "power",
        "modes",    "samples", "helicity", "frequency", "kx",         "ky",        "kz",
        "raw",      "latest",  "batches",  "n_samples", "n_batches",  "n_cycles",  "ends",
        "t_start",  "t_end",   "re",       "omega",     "kolmogorov", "averaging", "error",
        "gradient", "shear",   "cell",     "along",     "across",     "variance"};
    static const char *const BEGIN[] = {
        "re_",        "omega_",    "enstrophy", "dissipation", "kinetic_",   "kolmogorov_",
        "taylor_",    "integral_", "gradient_", "increment_",  "quadrant_",  "stress_",
        "wall_",      "friction_", "height_",   "hydraulic_",  "phase_time", "phase_bounds",
        "averaging_", "batch_",    "velocity_", "du_across",   "dv_across",  "dw_across",
        "variance_",  "helicity_", "power_",    "force_",      "vorticity_", "n_batches_"};
    static const char *const SUM[] = {"cell", "convection", "E", "flux", "momentum", "shear"};
    const size_t first = strcspn(name, "_");
    if (is_of_velocity(name)) return 1;
    if (first > 3 && begins(name, "d") && strspn(name, "dDuvwpUVWPxyz") == first) return 1;
    if (first == 1 && strchr("xyzXYZ", name[0]) != NULL &&
        (begins(name + 1, "_face") || begins(name + 1, "_plus") || begins(name + 1, "_bounds")))
        return 1;
    for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; ++i)
        if (strcasecmp(name, WHOLE[i]) == 0) return 1;
    for (size_t i = 0; i < sizeof BEGIN / sizeof *BEGIN; ++i)
        if (begins(name, BEGIN[i])) return 1;
    for (size_t i = 0; i < sizeof SUM / sizeof *SUM; ++i)
        if (first == strlen(SUM[i]) && begins(name, SUM[i]) && name[first] == '_' &&
            is_of_velocity(name + first + 1))
            return 1;
    return 0;
}

/* Whether a name is that of a quantity of another scalar, such as heat_variance. */
static int is_of_scalar(const char *name, const char *other)
{
    const size_t length = strlen(other);
    return begins(name, other) && name[length] == '_' && isalpha((unsigned char)name[length + 1]);
}

/* Names that files use for something else. */
static int is_reserved(const char *name)
{
    static const char *const NAME[] = {
        "u",        "v",           "w",           "p",           "x",         "y",           "z",
        "velocity", "pressure",    "vorticity",   "q",           "lambda2",   "statistics",  "step",
        "time",     "dt",          "cfl",         "p_stage_1",   "p_stage_2", "probe",       "record",
        "state",    "potential_x", "potential_y", "potential_z", "momentum",  "wall_stress", "divergence",
        "force",    "grid",        "scalars",     "flux",        "open",      "run",         "sums",
        "in_body",  "level_set",   "solid_share"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; ++i)
        if (strcasecmp(name, NAME[i]) == 0) return 1;
    return begins(name, "outflow_") || begins(name, "cells_");
}

static int is_word(const char *name)
{
    if (!isalpha((unsigned char)name[0]) || strlen(name) > SCALAR_NAME) return 0;
    for (; *name != '\0'; ++name)
        if (!isalnum((unsigned char)*name) && *name != '_') return 0;
    return 1;
}

static int rule_name(struct reading *r, const struct input *in, int n)
{
    const char *name = in->scalars.name[n];
    const struct place at = place(r, OFF(scalars.name), n);
    if (!is_word(name) || is_reserved(name)) {
        fault_add(&r->faults, at,
                  "scalars.name(%d) = '%s' %s; choose a letter and up to %d letters, digits and _ after it, "
                  "for example 'temperature'",
                  n + 1, show(name, strlen(name)).text,
                  is_word(name) ? "is the name of something else in files" : "is no name", SCALAR_NAME - 1);
        return 0;
    }
    if (is_of_statistics(name)) {
        fault_add(&r->faults, at,
                  "scalars.name(%d) = '%s' begins like a quantity of the flow in files of statistics; choose "
                  "another name, for example 'temperature'",
                  n + 1, name);
        return 0;
    }
    for (int other = 0; other < scalar_count(in); ++other) {
        if (other == n || !is_of_scalar(name, in->scalars.name[other])) continue;
        fault_add(&r->faults, at,
                  "scalars.name(%d) = '%s' begins like a quantity of scalar %d, '%s', in files; choose "
                  "another name",
                  n + 1, name, other + 1, in->scalars.name[other]);
        return 0;
    }
    for (int other = 0; other < n; ++other) {
        if (strcasecmp(name, in->scalars.name[other]) != 0) continue;
        fault_add(&r->faults, at, "scalars.name(%d) = '%s' is the name of scalar %d, too; choose another one",
                  n + 1, name, other + 1);
        return 0;
    }
    return 1;
}

/* Whether an element differs from its default. */
static int is_changed(const struct variable *v, int e, const struct input *in)
{
    struct input defaults;
    memset(&defaults, 0, sizeof defaults);
    value_preset(v, &defaults);
    return strcmp(value_write(v, e, in).text, value_write(v, e, &defaults).text) != 0;
}

/* Whatever is given for a scalar without a name has no effect. The input that a run prints has the defaults
 * of such scalars. */
static void rule_nameless(struct reading *r, const struct input *in)
{
    const int count = scalar_count(in);
    for (int v = 0; v < r->count; ++v) {
        const struct variable *var = &r->table[v];
        const int inner = var->shape[1] > 0 ? var->shape[0] : 1;
        if (strcmp(var->group, "scalars") != 0) continue;
        for (int e = 0; e < variable_elements(var); ++e) {
            const int n = e / inner;
            if (r->given[v].element[e].line == 0 || n < count) continue;
            if (!is_changed(var, e, in)) continue;
            fault_add(&r->faults, r->given[v].element[e],
                      "%s has no effect: scalar %d has no name; give scalars.name(%d)",
                      element_name(var, e).text, count + 1, count + 1);
            return;
        }
    }
}

/* --- one scalar --- */

static void rule_diffusivity(struct reading *r, const struct input *in, int n)
{
    const int direct = in->scalars.diffusivity[n] >= 0, number = in->scalars.prandtl[n] > 0;
    const char *name = in->scalars.name[n];
    if (direct && number)
        fault_add(&r->faults, place(r, OFF(scalars.prandtl), n),
                  "scalars.prandtl(%d) and scalars.diffusivity(%d) can't both be given; remove one", n + 1,
                  n + 1);
    else if (!direct && !number)
        fault_add(&r->faults, place(r, OFF(scalars.name), n),
                  "scalar %d, '%s', has no diffusivity; add for example prandtl(%d) = 0.71 to &scalars",
                  n + 1, name, n + 1);
    else if (number && is_good(r, OFF(fluid.nu)) && is_good(r, OFF(fluid.reynolds)) && in->fluid.nu == 0)
        fault_add(&r->faults, place(r, OFF(scalars.prandtl), n),
                  "scalars.prandtl(%d) = %g can't give a diffusivity with fluid.nu = 0 %s; give "
                  "scalars.diffusivity(%d)",
                  n + 1, in->scalars.prandtl[n], origin_of(r, OFF(fluid.nu)).text, n + 1);
}

/* A formula is there where it is asked for, and has no fault. */
static void rule_formula(struct reading *r, const struct input *in, int n)
{
    const size_t self = OFF(scalars.initial_formula);
    const char *text = in->scalars.initial_formula[n];
    struct formula compiled;
    char fault[FORMULA_FAULT];
    int column;
    struct place at = place(r, self, n);
    if (in->scalars.initial[n] != SCALAR_FORMULA) {
        if (text[0] != '\0')
            fault_add(
                &r->faults, at,
                "scalars.initial_formula(%d) has no effect with scalars.initial(%d) = %s; remove it, or "
                "choose 'formula'",
                n + 1, n + 1, value_write(&r->table[rule_variable(r, OFF(scalars.initial))], n, in).text);
        return;
    }
    if (text[0] == '\0') {
        fault_add(&r->faults, place(r, OFF(scalars.initial), n),
                  "scalars.initial(%d) = 'formula' needs a formula; add for example initial_formula(%d) = "
                  "'sin(x)' to &scalars",
                  n + 1, n + 1);
    } else if (!formula_parse(text, FORMULA_OF_START, &compiled, &column, fault)) {
        at.column += column; /* the value begins with a quotation mark */
        fault_add(&r->faults, at, "scalars.initial_formula(%d): column %d of the formula: %s", n + 1, column,
                  fault);
    }
}

static void rule_start(struct reading *r, const struct input *in, int n)
{
    const int linear = in->scalars.initial[n] == SCALAR_CONDUCTION;
    rule_formula(r, in, n);
    if (linear && scalar_conduction(in, n) < 0)
        fault_add(&r->faults, place(r, OFF(scalars.initial), n),
                  "scalars.initial(%d) = 'conduction' needs exactly one direction with the condition 'value' "
                  "on both faces, and with numbers for both; choose 'uniform', or give these conditions",
                  n + 1);
    if (in->scalars.initial[n] != SCALAR_UNIFORM && in->scalars.initial_value[n] != 0)
        fault_add(
            &r->faults, place(r, OFF(scalars.initial_value), n),
            "scalars.initial_value(%d) has no effect with scalars.initial(%d) = %s; remove it, or choose "
            "'uniform'",
            n + 1, n + 1, value_write(&r->table[rule_variable(r, OFF(scalars.initial))], n, in).text);
    for (int d = 0; d < 3; ++d) {
        const int waves = in->scalars.waves[n][d], cells = in->grid.n[d],
                  most = direction_is_periodic(in, d) ? (cells - 1) / 2 : cells - 1;
        if (waves == 0 || !is_good(r, OFF(grid.n))) continue;
        if (!scalar_disturbed(in, n)) {
            fault_add(
                &r->faults, place(r, OFF(scalars.waves), 3 * n + d),
                "scalars.waves(%d,%d) has no effect without scalars.disturbance(%d); remove it, or give "
                "a disturbance",
                d + 1, n + 1, n + 1);
            return;
        }
        if (waves > most)
            fault_add(&r->faults, place(r, OFF(scalars.waves), 3 * n + d),
                      "scalars.waves(%d,%d) = %d is too large for the %d cells in %c; allowed: waves <= %d",
                      d + 1, n + 1, waves, cells, "xyz"[d], most);
    }
}

static void rule_sources(struct reading *r, const struct input *in, int n)
{
    const size_t bulk = OFF(scalars.bulk_source), gradient = OFF(scalars.mean_gradient);
    for (int d = 0; d < 3; ++d)
        if (in->scalars.mean_gradient[n][d] != 0 && !direction_is_periodic(in, d))
            fault_add(&r->faults, place(r, gradient, 3 * n + d),
                      "scalars.mean_gradient(%d,%d) = %g: %c is not periodic, boundary.%s %s; make it 0, or "
                      "give values on the faces",
                      d + 1, n + 1, in->scalars.mean_gradient[n][d], "xyz"[d], FACE_NAME[2 * d],
                      origin_of(r, face_at(2 * d)).text);
    if (in->scalars.bulk_source[n] == 0 || !is_good(r, OFF(forcing.type)) || !is_good(r, OFF(forcing.value)))
        return;
    if (!drive_holds_bulk_velocity(in) || drive_oscillates(in) || in->forcing.value == 0)
        fault_add(&r->faults, place(r, bulk, n),
                  "scalars.bulk_source(%d) = %g needs forcing.type = 'bulk-velocity' with a value other than "
                  "0 and no oscillation; choose this, or give scalars.source(%d)",
                  n + 1, in->scalars.bulk_source[n], n + 1);
}

/* --- bodies --- */

/* A value of a scalar on one body alone. */
static void rule_own_value(struct reading *r, const struct input *in, int n, int m)
{
    const struct place at = place(r, OFF(scalars.body_value), BODIES_OWN * n + m);
    if (in->bodies.shape[m] == SHAPE_NONE)
        fault_add(&r->faults, at,
                  "scalars.body_value(%d,%d) has no effect: body %d has no shape; give bodies.shape(%d)",
                  m + 1, n + 1, m + 1, m + 1);
    else if (in->bodies.operation[m] != OPERATION_ADD)
        fault_add(&r->faults, at,
                  "scalars.body_value(%d,%d) has no effect: the surface that body %d leaves belongs to the "
                  "body that it cuts; give the value of that body",
                  m + 1, n + 1, m + 1);
}

/* Beside a surface that turns without a value, what the turning faces carry would have to vanish in each cell
 * alone. */
static void rule_turning(struct reading *r, const struct input *in, int n)
{
    double value;
    for (int m = 0, body = 0; m < BODIES_MOST; ++m) {
        if (in->bodies.shape[m] == SHAPE_NONE) continue;
        if (in->bodies.motion[m] == MOTION_ROTATE && !body_travels(in, m) &&
            !scalar_on_body(in, n, body, &value)) {
            fault_add(
                &r->faults, place(r, OFF(scalars.name), n),
                "scalar %d, '%s', has no value on body %d, whose surface turns (bodies.motion); this is "
                "not available; give scalars.bodies(%d) = 'value', or choose bodies.motion(%d) = 'none'",
                n + 1, in->scalars.name[n], m + 1, n + 1, m + 1);
            return;
        }
        ++body;
    }
}

static void rule_bodies(struct reading *r, const struct input *in, int n)
{
    const size_t kind = OFF(scalars.bodies), value = OFF(scalars.bodies_value);
    const int given = in->scalars.bodies[n] != SCALAR_FACE_NONE;
    if (!given && in->scalars.bodies_value[n] != 0)
        fault_add(&r->faults, place(r, value, n),
                  "scalars.bodies_value(%d) has no effect with scalars.bodies(%d) = 'none'; remove it, or "
                  "choose 'value' or 'flux'",
                  n + 1, n + 1);
    if (!is_good(r, OFF(bodies.shape))) return;
    if (given && !bodies_any(in))
        fault_add(&r->faults, place(r, kind, n),
                  "scalars.bodies(%d) = '%s' has no effect without bodies; add a body, or choose 'none'",
                  n + 1, scalar_flux_on_bodies(in, n) ? "flux" : "value");
    for (int m = 0; m < BODIES_OWN; ++m)
        if (in->scalars.body_value[n][m] < INPUT_NOWHERE) rule_own_value(r, in, n, m);
    if (scalar_on_bodies(in, n) && !scalar_flux_on_bodies(in, n) && scalar_diffusivity(in, n) == 0)
        fault_add(
            &r->faults, place(r, given ? kind : OFF(scalars.name), n),
            "scalar %d, '%s', has values on bodies but does not diffuse; give a diffusivity above 0, or "
            "choose scalars.bodies(%d) = 'none'",
            n + 1, in->scalars.name[n], n + 1);
    if (is_good(r, OFF(bodies.motion))) rule_turning(r, in, n);
}

/* A closed part of an inflow takes no flux, and so another condition than the open part: the systems of
 * implicit diffusion have one condition for each face. */
static void rule_diffusion(struct reading *r, const struct input *in)
{
    const size_t self = OFF(time.diffusion);
    if (!is_good(r, self) || diffusion_is_explicit(in)) return;
    for (int f = 0; f < FACES; ++f) {
        const double *w = in->boundary.window[f];
        if (!face_is_inflow(in, f) || (w[0] == w[1] && w[2] == w[3])) continue;
        fault_add(&r->faults, place_of(r, self),
                  "time.diffusion = %s can't be combined with scalars and the window of an inflow, and there "
                  "is boundary.%s_window; choose 'explicit'",
                  value_write(&r->table[rule_variable(r, self)], 0, in).text, FACE_NAME[f]);
        return;
    }
}

size_t scalars_unused(const struct input *in, size_t offset, const char **remedy)
{
    if (scalar_count(in) > 0 || offset < OFF(scalars) || offset >= OFF(scalars) + sizeof in->scalars ||
        offset == OFF(scalars.name))
        return 0;
    *remedy = "give a scalars.name";
    return OFF(scalars.name);
}

void check_scalars(struct reading *r, const struct input *in)
{
    const int count = scalar_count(in);
    int named = 1;
    if (!all_good(r)) return;
    for (int n = 0; n < count; ++n) named &= rule_name(r, in, n);
    rule_nameless(r, in);
    if (count > 0) rule_diffusion(r, in);
    for (int n = 0; n < count && named; ++n) {
        rule_diffusivity(r, in, n);
        for (int f = 0; f < FACES_NONE; ++f) check_scalar_face(r, in, n, f);
        rule_bodies(r, in, n);
        rule_start(r, in, n);
        rule_sources(r, in, n);
        check_scalar_balance(r, in, n);
    }
}
