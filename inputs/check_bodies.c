/* Applies the rules on bodies in the flow. */
#include "check_bodies.h"

#include <math.h>

#include "bodies.h"
#include "rules.h"

static const size_t members[] = {OFF(bodies.shape),  OFF(bodies.centre),  OFF(bodies.size),
                                 OFF(bodies.axis),   OFF(bodies.angles),  OFF(bodies.operation),
                                 OFF(bodies.motion), OFF(bodies.rotation)};
enum { MEMBERS = sizeof members / sizeof *members };

static int all_good(const struct reading *r)
{
    for (int m = 0; m < MEMBERS; ++m)
        if (!is_good(r, members[m])) return 0;
    return 1;
}

static struct place place_at(const struct reading *r, size_t offset, int element)
{
    return place_of_element(r, offset, element, OFF(bodies.shape));
}

/* An entry without a shape was meant to be a body if anything else in it is not the default. */
static void rule_no_shape(struct reading *r, const struct input *in, int n)
{
    static const double nowhere[3] = {INPUT_NOWHERE, INPUT_NOWHERE, INPUT_NOWHERE};
    size_t of = 0;
    int element = n;
    for (int d = 2; d >= 0; --d) {
        if (in->bodies.angles[n][d] != 0) of = OFF(bodies.angles), element = 3 * n + d;
        if (in->bodies.size[n][d] != 0) of = OFF(bodies.size), element = 3 * n + d;
        if (in->bodies.centre[n][d] != nowhere[d]) of = OFF(bodies.centre), element = 3 * n + d;
    }
    if (of == 0) {
        if (in->bodies.rotation[n] != 0) of = OFF(bodies.rotation);
        if (in->bodies.motion[n] != MOTION_NONE) of = OFF(bodies.motion);
        if (in->bodies.operation[n] != OPERATION_ADD) of = OFF(bodies.operation);
        if (in->bodies.axis[n] != 2) of = OFF(bodies.axis);
    }
    if (of == 0) return;
    const struct variable *v = &r->table[rule_variable(r, of)];
    fault_add(&r->faults, place_at(r, of, element),
              "%s has no effect: body %d has no shape; give bodies.shape(%d)", element_name(v, element).text,
              n + 1, n + 1);
}

static void rule_centre(struct reading *r, const struct input *in, int n)
{
    for (int d = 0; d < 3; ++d) {
        if (in->bodies.centre[n][d] != INPUT_NOWHERE) continue;
        fault_add(&r->faults, place_at(r, OFF(bodies.centre), 3 * n),
                  "body %d has no centre; give bodies.centre(:,%d) = x, y, z", n + 1, n + 1);
        return;
    }
}

/* The sizes that a shape needs come first; the others must be 0. */
static void rule_size(struct reading *r, const struct input *in, int n)
{
    const double *size = in->bodies.size[n];
    const int needs = body_sizes_needed(in->bodies.shape[n]), takes = body_sizes_taken(in->bodies.shape[n]);
    for (int e = 0; e < 3; ++e) {
        if (e < needs && !(size[e] > 0))
            fault_add(&r->faults, place_at(r, OFF(bodies.size), 3 * n + e),
                      "bodies.size(%d,%d) = %g: the shape '%s' needs %s there; give a value above 0", e + 1,
                      n + 1, size[e], body_shape_word(in->bodies.shape[n]),
                      body_size_word(in->bodies.shape[n], e));
        if (e >= takes && size[e] != 0)
            fault_add(&r->faults, place_at(r, OFF(bodies.size), 3 * n + e),
                      "bodies.size(%d,%d) = %g has no effect: the shape '%s' takes %d number%s; set it to 0",
                      e + 1, n + 1, size[e], body_shape_word(in->bodies.shape[n]), takes,
                      takes == 1 ? "" : "s");
    }
    if (in->bodies.shape[n] == SHAPE_CAPSULE && size[1] > 0 && size[1] < size[0])
        fault_add(
            &r->faults, place_at(r, OFF(bodies.size), 3 * n + 1),
            "bodies.size(2,%d) = %g: the whole length of a 'capsule' can't be less than its diameter %g; "
            "make it longer, or choose 'sphere'",
            n + 1, size[1], size[0]);
    if (in->bodies.shape[n] == SHAPE_TORUS && size[1] > 0 && size[1] >= size[0])
        fault_add(
            &r->faults, place_at(r, OFF(bodies.size), 3 * n + 1),
            "bodies.size(2,%d) = %g: the section of a 'torus' must be thinner than its ring of diameter %g",
            n + 1, size[1], size[0]);
}

static void rule_turned(struct reading *r, const struct input *in, int n)
{
    const int shape = in->bodies.shape[n], turns = in->bodies.motion[n] == MOTION_ROTATE;
    if (in->bodies.axis[n] != 2 && !body_has_axis(shape) && !turns)
        fault_add(&r->faults, place_at(r, OFF(bodies.axis), n),
                  "bodies.axis(%d) has no effect: the shape '%s' has no axis; remove it", n + 1,
                  body_shape_word(in->bodies.shape[n]));
    for (int d = 0; d < 3; ++d) {
        if (in->bodies.angles[n][d] == 0 || shape != SHAPE_SPHERE || turns) continue;
        fault_add(&r->faults, place_at(r, OFF(bodies.angles), 3 * n + d),
                  "bodies.angles(%d,%d) has no effect on a 'sphere'; set it to 0", d + 1, n + 1);
        return;
    }
}

static void rule_motion(struct reading *r, const struct input *in, int n)
{
    if (in->bodies.motion[n] == MOTION_NONE) {
        if (in->bodies.rotation[n] != 0)
            fault_add(&r->faults, place_at(r, OFF(bodies.rotation), n),
                      "bodies.rotation(%d) = %g has no effect; set it to 0, or choose bodies.motion(%d) = "
                      "'rotate'",
                      n + 1, in->bodies.rotation[n], n + 1);
        return;
    }
    if (in->bodies.rotation[n] == 0)
        fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                  "bodies.motion(%d) = 'rotate' needs an angular velocity; give bodies.rotation(%d)", n + 1,
                  n + 1);
    if (in->bodies.operation[n] != OPERATION_ADD)
        fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                  "bodies.motion(%d) has no effect: the surface that a body leaves by 'cut' or 'intersect' "
                  "belongs to the body that was cut; choose 'none'",
                  n + 1);
    if (!body_is_symmetric(in, n))
        fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                  "bodies.motion(%d) = 'rotate' is not available for this '%s', which is not symmetric about "
                  "its axis, so that it would move through the grid; choose another shape or 'none'",
                  n + 1, body_shape_word(in->bodies.shape[n]));
}

static void rule_operation(struct reading *r, const struct input *in, int n)
{
    if (in->bodies.operation[n] == OPERATION_ADD) return;
    for (int before = 0; before < n; ++before)
        if (in->bodies.shape[before] != SHAPE_NONE && in->bodies.operation[before] == OPERATION_ADD) return;
    fault_add(&r->faults, place_at(r, OFF(bodies.operation), n),
              "bodies.operation(%d) has no effect: there is no body before body %d; add one before it", n + 1,
              n + 1);
}

void check_bodies(struct reading *r, const struct input *in)
{
    int any = -1;
    if (!all_good(r)) return;
    for (int n = BODIES_MOST - 1; n >= 0; --n) {
        if (in->bodies.shape[n] == SHAPE_NONE) {
            rule_no_shape(r, in, n);
            continue;
        }
        any = n;
        rule_centre(r, in, n);
        rule_size(r, in, n);
        rule_turned(r, in, n);
        rule_motion(r, in, n);
        rule_operation(r, in, n);
    }
    if (any >= 0)
        fault_add(&r->faults, place_at(r, OFF(bodies.shape), any),
                  "bodies in the flow are not available yet; remove the group &bodies");
}
