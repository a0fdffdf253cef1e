/* Applies the rules on boundaries and on what drives the flow. */
#include "check_boundary.h"

#include <string.h>

#include "check_forcing.h"
#include "check_open.h"
#include "check_statistics.h"
#include "drives.h"
#include "face_kinds.h"
#include "rules.h"
#include "schemes.h"
#include "stream_direction.h"

/* Whether the velocity of a face that takes one is that of the input, not that of a file. */
static int face_has_given_velocity(const struct input *in, int face)
{
    return !face_is_inflow(in, face) || face_has_inflow_velocity(in, face);
}

static int face_is_uniform(const struct input *in, int face)
{
    return !face_has_wall_formula(in, face);
}

/* What each input of a face needs so that it has an effect: a test of the face, which `on` decides. */
static const struct face_use {
    size_t (*of)(int face), (*on)(int face);
    int (*useful)(const struct input *in, int face);
    const char *remedy;
} face_uses[] = {
    {velocity_at, face_at, face_takes_velocity, "choose 'wall' or 'inflow'"},
    {velocity_at, profile_at, face_is_uniform, "choose 'uniform'"},
    {velocity_at, profile_at, face_has_given_velocity, "choose 'uniform' or 'parabolic'"},
};

size_t boundary_unused(const struct input *in, size_t offset, const char **remedy)
{
    for (size_t n = 0; n < sizeof face_uses / sizeof *face_uses; ++n) {
        const struct face_use *use = &face_uses[n];
        for (int f = 0; f < FACES_NONE; ++f) {
            if (use->of(f) != offset || use->useful(in, f)) continue;
            *remedy = use->remedy;
            return use->on(f);
        }
    }
    return 0;
}

static int faces_good(const struct reading *r)
{
    for (int f = 0; f < 6; ++f)
        if (!is_good(r, face_at(f)) || !is_good(r, velocity_at(f))) return 0;
    return 1;
}

/* Both ends of a direction are periodic, or neither is. Only walls with friction move, and only along
 * themselves. */
static int rule_boundary(struct reading *r, const struct input *in)
{
    int good = faces_good(r);
    for (int d = 0; d < 3 && good; ++d) {
        const int low = face_is_periodic(in, 2 * d), high = face_is_periodic(in, 2 * d + 1),
                  lone = 2 * d + (low ? 0 : 1);
        if (low == high) continue;
        const size_t self = face_at(lone), other = face_at(lone ^ 1);
        fault_add(&r->faults, place_of(r, is_given(r, self) ? self : other),
                  "boundary.%s = 'periodic' %s, but boundary.%s is not %s: both ends of %c must be periodic, "
                  "or neither; choose 'wall', 'slip', 'inflow' or 'outflow'",
                  FACE_NAME[lone], origin_of(r, self).text, FACE_NAME[lone ^ 1], origin_of(r, other).text,
                  "xyz"[d]);
        good = 0;
    }
    for (int f = 0; f < 6 && good; ++f) {
        const double *u = in->boundary.velocity[f];
        const size_t self = velocity_at(f);
        if (!is_given(r, self)) continue;
        if (face_has_friction(in, f) && u[f / 2] != 0)
            fault_add(&r->faults, place_of_element(r, self, f / 2, self),
                      "boundary.%s_velocity(%d) = %g: the wall would move through itself; make it 0",
                      FACE_NAME[f], f / 2 + 1, u[f / 2]);
    }
    return good;
}

/* One-sided laws are refused in periodic directions, where widths would jump at the seam. */
static void rule_one_sided(struct reading *r, const struct input *in)
{
    if (!is_good(r, OFF(grid.stretching))) return;
    for (int d = 0; d < 3; ++d) {
        const struct variable *v = &r->table[rule_variable(r, OFF(grid.stretching))];
        const int kind = in->grid.stretching[d];
        if (!direction_is_periodic(in, d) || kind < STRETCHING_TANH_LOW || kind == STRETCHING_FILE)
            continue; /* a file is checked when it is read */
        fault_add(&r->faults, place_of_element(r, OFF(grid.stretching), d, OFF(grid.stretching)),
                  "%s = %s: the cell widths would jump from one end of the periodic direction %c to the "
                  "other, boundary.%s %s; choose 'sine' or 'tanh', or walls",
                  element_name(v, d).text, value_write(v, d, in).text, "xyz"[d], FACE_NAME[2 * d],
                  origin_of(r, face_at(2 * d)).text);
    }
}

/* At the start nothing may flow through walls. */
static void rule_through(struct reading *r, const struct input *in)
{
    for (int d = 0; d < 3 && is_good(r, OFF(initial.velocity)); ++d) {
        const int f = face_is_open(in, 2 * d) ? 2 * d + 1 : 2 * d;
        if (direction_has_wall(in, d) && in->initial.velocity[d] != 0)
            fault_add(&r->faults, place_of_element(r, OFF(initial.velocity), d, OFF(initial.velocity)),
                      "initial.velocity(%d) = %g goes through boundary.%s, a wall %s; make it 0", d + 1,
                      in->initial.velocity[d], FACE_NAME[f], origin_of(r, face_at(f)).text);
    }
}

/* Refuses what is not possible with walls. */
static void rule_walls(struct reading *r, const struct input *in)
{
    const int first = !direction_is_periodic(in, 0)   ? 0
                      : !direction_is_periodic(in, 1) ? 1
                                                      : 2,
              type = in->initial.type;
    if (faces_all_periodic(in) || faces_any_open(in)) return; /* check_open reports these itself */
    const char *face = FACE_NAME[2 * first];
    const struct origin where = origin_of(r, face_at(2 * first));
    if (is_good(r, OFF(pressure.method)) && method_is_exact(in))
        fault_add(&r->faults, place_of(r, OFF(pressure.method)),
                  "pressure.method = 'exact' is only for periodic boxes so far, and boundary.%s is not "
                  "periodic %s; choose 'projection'",
                  face, where.text);
    if (is_good(r, OFF(initial.type)) &&
        (type == INITIAL_ABC || type == INITIAL_BELTRAMI || type == INITIAL_ISOTROPIC))
        fault_add(&r->faults,
                  place_of(r, is_given(r, OFF(initial.type)) ? OFF(initial.type) : face_at(2 * first)),
                  "initial.type = '%s' is a flow of a periodic box, and boundary.%s is not periodic %s; "
                  "choose 'channel', 'taylor-green' or 'rest'",
                  type == INITIAL_ABC        ? "abc"
                  : type == INITIAL_BELTRAMI ? "beltrami"
                                             : "isotropic",
                  face, where.text);
}

static void rule_channel(struct reading *r, const struct input *in)
{
    const int driven = drive_has_force(in); /* rule_forcing checks its direction */
    const int walls = direction_has_wall(in, 0) + direction_has_wall(in, 1) + direction_has_wall(in, 2);
    if (!is_good(r, OFF(initial.type)) || in->initial.type != INITIAL_CHANNEL) return;
    if (walls == 0 || walls == 3)
        fault_add(
            &r->faults, place_of(r, OFF(initial.type)),
            "initial.type = 'channel' is the flow between the walls of one direction, or of two, and %s; "
            "choose for example boundary.z_low = 'wall', boundary.z_high = 'wall' and periodic x and y",
            walls == 0 ? "no direction has walls" : "all three directions have walls");
    else if (!driven && channel_stream(in) < 0)
        fault_add(&r->faults, place_of(r, OFF(initial.type)),
                  "initial.type = 'channel' has no streamwise direction: a direction without walls must be "
                  "periodic or have an inflow across its faces; choose initial.type = 'uniform' or 'rest', "
                  "or for example periodic x or y");
    for (int f = 0; f < 6; ++f)
        if (face_has_wall_formula(in, f))
            fault_add(
                &r->faults, place_of(r, profile_at(f)),
                "boundary.%s_profile = 'formula': initial.type = 'channel' %s is the flow between walls "
                "of uniform velocity; give boundary.%s_velocity, or choose initial.type = 'uniform' or "
                "'rest'",
                FACE_NAME[f], origin_of(r, OFF(initial.type)).text, FACE_NAME[f]);
    for (int f = 0; f < 6 && walls == 2; ++f)
        for (int c = 0; c < 3; ++c)
            if (face_has_friction(in, f) && in->boundary.velocity[f][c] != 0)
                fault_add(&r->faults, place_of_element(r, velocity_at(f), c, velocity_at(f)),
                          "boundary.%s_velocity(%d) = %g: initial.type = 'channel' %s needs walls at rest in "
                          "a duct; make it 0, or choose initial.type = 'uniform'",
                          FACE_NAME[f], c + 1, in->boundary.velocity[f][c],
                          origin_of(r, OFF(initial.type)).text);
}

/* The exact method adds the curl of a potential, which does not change a mean velocity. So it can't be
 * combined with a rotation. */
static void rule_rotation(struct reading *r, const struct input *in)
{
    if (!is_good(r, OFF(forcing.rotation)) || !is_good(r, OFF(pressure.method)) || !drive_turns(in) ||
        !method_is_exact(in))
        return;
    fault_add(&r->faults, place_of(r, OFF(pressure.method)),
              "pressure.method = 'exact' can't be combined with a rotation so far, and forcing.rotation is "
              "not 0 %s; choose 'projection'",
              origin_of(r, OFF(forcing.rotation)).text);
}

static void rule_oscillation(struct reading *r, const struct input *in)
{
    const size_t self = OFF(forcing.amplitude), rate = OFF(forcing.frequency);
    if (!is_good(r, self) || !is_good(r, rate) || !drive_oscillates(in) || in->forcing.frequency > 0) return;
    fault_add(&r->faults, place_of(r, is_given(r, rate) ? rate : self),
              "forcing.amplitude = %g %s needs a forcing.frequency above 0; add for example frequency = 1",
              in->forcing.amplitude, origin_of(r, self).text);
}

static void rule_forcing(struct reading *r, const struct input *in)
{
    const int d = in->forcing.direction;
    if (!is_good(r, OFF(forcing.type)) || !is_good(r, OFF(forcing.direction)) || !drive_has_force(in)) return;
    if (!is_given(r, OFF(forcing.value)) && is_good(r, OFF(forcing.value)) &&
        !is_given(r, OFF(forcing.amplitude)))
        fault_add(&r->faults, place_of(r, OFF(forcing.type)),
                  "forcing.type = %s needs forcing.value; add for example value = 1",
                  value_write(&r->table[rule_variable(r, OFF(forcing.type))], 0, in).text);
    if (is_good(r, OFF(pressure.method)) && method_is_exact(in))
        fault_add(&r->faults, place_of(r, OFF(pressure.method)),
                  "pressure.method = 'exact' can't be combined with a force so far, and forcing.type = %s "
                  "%s; choose 'projection'",
                  value_write(&r->table[rule_variable(r, OFF(forcing.type))], 0, in).text,
                  origin_of(r, OFF(forcing.type)).text);
    if (!direction_is_periodic(in, d))
        fault_add(
            &r->faults,
            place_of(r, is_given(r, OFF(forcing.direction)) ? OFF(forcing.direction) : OFF(forcing.type)),
            "forcing.direction = '%c'%s is not periodic: a force can't drive the fluid through boundary.%s "
            "%s; choose a periodic direction",
            "xyz"[d], is_given(r, OFF(forcing.direction)) ? "" : " (the default)", FACE_NAME[2 * d],
            origin_of(r, face_at(2 * d)).text);
}

/* Whether the initial flow has a mean velocity along the force; waves have none. */
static int starts_along(const struct input *in)
{
    const int type = in->initial.type;
    if (type == INITIAL_REST) return 0;
    if (in->initial.velocity[in->forcing.direction] != 0) return 1;
    return type == INITIAL_CHANNEL && (in->initial.amplitude != 0 || faces_any_moving_wall(in));
}

/* A power is the work of a force on a mean velocity, so it must be positive and needs such a velocity at the
 * start. */
static void rule_power(struct reading *r, const struct input *in)
{
    const size_t value = OFF(forcing.value), type = OFF(initial.type);
    const char along = "xyz"[in->forcing.direction];
    if (!is_good(r, OFF(forcing.type)) || !drive_holds_power(in) || !is_good(r, value)) return;
    if (in->forcing.value < 0)
        fault_add(&r->faults, place_of(r, value),
                  "forcing.value = %g: a power %s is not below 0; make it positive (the force is along the "
                  "mean velocity), or choose forcing.type = 'pressure-gradient'",
                  in->forcing.value, origin_of(r, OFF(forcing.type)).text);
    if (strcmp(in->checkpoint.restart, "none") != 0 || !is_good(r, type) ||
        !is_good(r, OFF(initial.velocity)) || !is_good(r, OFF(initial.amplitude)) ||
        !is_good(r, OFF(forcing.direction)) || starts_along(in))
        return;
    fault_add(&r->faults, place_of(r, is_given(r, type) ? type : OFF(forcing.type)),
              "forcing.type = 'power' needs a mean velocity along %c at the start, and initial.type = %s %s "
              "has none; choose initial.type = 'channel' or 'uniform' with an initial.velocity(%d), or "
              "another forcing.type",
              along, value_write(&r->table[rule_variable(r, type)], 0, in).text, origin_of(r, type).text,
              in->forcing.direction + 1);
}

/* Without viscosity no diffusion can be implicit. */
static void rule_inviscid(struct reading *r, const struct input *in)
{
    const size_t self = OFF(time.diffusion), nu = OFF(fluid.nu);
    if (!is_good(r, self) || !is_good(r, nu) || diffusion_is_explicit(in) || in->fluid.nu != 0) return;
    fault_add(&r->faults, place_of(r, self),
              "time.diffusion = %s has no effect with fluid.nu = 0 %s; remove it, or choose fluid.nu > 0",
              value_write(&r->table[rule_variable(r, self)], 0, in).text, origin_of(r, nu).text);
}

/* Diffusion implicit in z solves systems from wall to wall, so z must not be periodic. */
static void rule_implicit_z(struct reading *r, const struct input *in)
{
    const size_t self = OFF(time.diffusion);
    if (!is_good(r, self) || !diffusion_is_implicit_z(in)) return;
    if (direction_is_periodic(in, 2))
        fault_add(
            &r->faults, place_of(r, self),
            "time.diffusion = 'implicit-z' needs walls or open faces in z, and boundary.z_low is 'periodic' "
            "%s; choose for example 'wall' for boundary.z_low and z_high, or time.diffusion = 'explicit'",
            origin_of(r, face_at(4)).text);
}

void check_boundary(struct reading *r, const struct input *in)
{
    if (!rule_boundary(r, in)) return;
    rule_inviscid(r, in);
    rule_implicit_z(r, in);
    rule_one_sided(r, in);
    rule_walls(r, in);
    rule_through(r, in);
    check_open(r, in);
    rule_channel(r, in);
    check_statistics(r, in);
    rule_forcing(r, in);
    check_forcing(r, in);
    rule_power(r, in);
    rule_oscillation(r, in);
    rule_rotation(r, in);
}
