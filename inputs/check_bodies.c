/* Applies the rules on bodies in the flow. */
#include "check_bodies.h"

#include <math.h>
#include <string.h>

#include "bodies.h"
#include "buoyancy.h"
#include "drives.h"
#include "rules.h"
#include "scalars.h"
#include "schemes.h"
#include "statistics_wanted.h"

static const size_t members[] = {OFF(bodies.shape),    OFF(bodies.centre),     OFF(bodies.size),
                                 OFF(bodies.axis),     OFF(bodies.angles),     OFF(bodies.operation),
                                 OFF(bodies.file),     OFF(bodies.motion),     OFF(bodies.rotation),
                                 OFF(bodies.velocity), OFF(bodies.amplitude),  OFF(bodies.frequency),
                                 OFF(bodies.phase),    OFF(bodies.remove_time)};
enum { MEMBERS = sizeof members / sizeof *members };

static int packed(const struct input *in)
{
    return in->packing.shape != PACKING_NONE;
}

static int packed_cubes(const struct input *in)
{
    return in->packing.shape == PACKING_BOX;
}

static int bodies_none(const struct input *in)
{
    return !bodies_any(in);
}

static int restarted(const struct input *in)
{
    return strcmp(in->checkpoint.restart, "none") != 0;
}

static int listed(const struct input *in)
{
    return in->bodies_list.file[0] != '\0';
}

static int forces_written(const struct input *in)
{
    return in->output.bodies_interval > 0;
}

static const char of_packing[] = "choose packing.shape = 'box' or 'sphere'";
static const struct use uses[] = {
    {OFF(packing.count), OFF(packing.shape), packed, of_packing},
    {OFF(packing.size), OFF(packing.shape), packed, of_packing},
    {OFF(packing.seed), OFF(packing.shape), packed, of_packing},
    {OFF(packing.gap), OFF(packing.shape), packed, of_packing},
    {OFF(packing.align), OFF(packing.shape), packed_cubes, "choose packing.shape = 'box'"},
    {OFF(bodies.thin_walls), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(bodies.reference_area), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(bodies.reference_speed), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(bodies.reference_area), OFF(output.bodies_interval), forces_written,
     "give output.bodies_interval = 1"},
    {OFF(bodies.reference_speed), OFF(output.bodies_interval), forces_written,
     "give output.bodies_interval = 1"},
    {OFF(packing.remove_time), OFF(packing.shape), packed, of_packing},
    {OFF(bodies_list.remove_time), OFF(bodies_list.file), listed, "give bodies_list.file"},
    {OFF(output.bodies_interval), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(output.surface_interval), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(output.surface_start), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(output.surface_interval), OFF(output.bodies_interval), forces_written,
     "give output.bodies_interval = 1"},
    {OFF(output.surface_start), OFF(output.bodies_interval), forces_written,
     "give output.bodies_interval = 1"},
    {OFF(output.fields_bodies), OFF(bodies.shape), bodies_any, "add a body"},
    {OFF(checkpoint.add_bodies), OFF(checkpoint.restart), restarted,
     "choose checkpoint.restart = 'latest' or a file"},
    {OFF(checkpoint.add_bodies), OFF(bodies.shape), bodies_any, "give bodies.shape"},
    {OFF(checkpoint.remove_bodies), OFF(checkpoint.restart), restarted,
     "choose checkpoint.restart = 'latest' or a file"},
    {OFF(checkpoint.remove_bodies), OFF(bodies.shape), bodies_none,
     "remove the groups &bodies, &bodies_list and &packing"},
};

size_t bodies_unused(const struct input *in, size_t offset, const char **remedy)
{
    return use_lacking(uses, sizeof uses / sizeof *uses, in, offset, remedy);
}

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
        if (in->bodies.motion_file[n][0]) of = OFF(bodies.motion_file);
        if (in->bodies.phase[n] != 0) of = OFF(bodies.phase);
        if (in->bodies.frequency[n] != 0) of = OFF(bodies.frequency);
        for (int d = 2; d >= 0; --d) {
            if (in->bodies.amplitude[n][d] != 0) of = OFF(bodies.amplitude), element = 3 * n + d;
            if (in->bodies.velocity[n][d] != 0) of = OFF(bodies.velocity), element = 3 * n + d;
        }
    }
    if (of == 0) {
        if (in->bodies.rotation[n] != 0) of = OFF(bodies.rotation);
        if (in->bodies.motion[n] != MOTION_NONE) of = OFF(bodies.motion);
        if (in->bodies.remove_time[n] >= 0) of = OFF(bodies.remove_time);
        if (in->bodies.operation[n] != OPERATION_ADD) of = OFF(bodies.operation);
        if (in->bodies.file[n][0]) of = OFF(bodies.file);
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
    if (in->bodies.motion[n] == MOTION_FILE) {
        if (in->bodies.centre[n][0] != INPUT_NOWHERE)
            fault_add(
                &r->faults, place_at(r, OFF(bodies.centre), 3 * n),
                "bodies.centre(:,%d) has no effect: bodies.motion_file(%d) says where the body is; remove "
                "it",
                n + 1, n + 1);
        return;
    }
    if (in->bodies.shape[n] == SHAPE_LEVELSET) {
        if (in->bodies.centre[n][0] != INPUT_NOWHERE)
            fault_add(
                &r->faults, place_at(r, OFF(bodies.centre), 3 * n),
                "bodies.centre(:,%d) has no effect: a 'levelset' lies on the nodes of the grid; remove it",
                n + 1);
        return;
    }
    for (int d = 0; d < 3; ++d) {
        if (in->bodies.centre[n][d] != INPUT_NOWHERE) continue;
        fault_add(&r->faults, place_at(r, OFF(bodies.centre), 3 * n),
                  "body %d has no centre; give bodies.centre(:,%d) = x, y, z", n + 1, n + 1);
        return;
    }
}

static void rule_size(struct reading *r, const struct input *in, int n)
{
    struct body_size_fault why;
    const int e = body_size_wrong(in->bodies.shape[n], in->bodies.size[n], &why);
    if (e >= 0)
        fault_add(&r->faults, place_at(r, OFF(bodies.size), 3 * n + e), "bodies.size(%d,%d) = %g: %s", e + 1,
                  n + 1, in->bodies.size[n][e], why.text);
}

static void rule_file(struct reading *r, const struct input *in, int n)
{
    const int shape = in->bodies.shape[n], wants = shape == SHAPE_STL || shape == SHAPE_LEVELSET;
    if (wants && !in->bodies.file[n][0])
        fault_add(&r->faults, place_at(r, OFF(bodies.file), n),
                  "body %d, of the shape '%s', has no file; give bodies.file(%d)", n + 1,
                  body_shape_word(shape), n + 1);
    if (!wants && in->bodies.file[n][0])
        fault_add(&r->faults, place_at(r, OFF(bodies.file), n),
                  "bodies.file(%d) has no effect: the shape '%s' needs no file; remove it", n + 1,
                  body_shape_word(shape));
}

static void rule_turned(struct reading *r, const struct input *in, int n)
{
    const int shape = in->bodies.shape[n], turns = in->bodies.motion[n] == MOTION_ROTATE;
    if (in->bodies.axis[n] != 2 && !body_has_axis(shape) && !turns)
        fault_add(&r->faults, place_at(r, OFF(bodies.axis), n),
                  "bodies.axis(%d) has no effect: the shape '%s' has no axis; remove it", n + 1,
                  body_shape_word(in->bodies.shape[n]));
    for (int d = 0; d < 3; ++d) {
        if (in->bodies.angles[n][d] == 0 || turns) continue;
        if (shape != SHAPE_SPHERE && shape != SHAPE_LEVELSET) continue;
        fault_add(&r->faults, place_at(r, OFF(bodies.angles), 3 * n + d),
                  "bodies.angles(%d,%d) has no effect on a '%s'; set it to 0", d + 1, n + 1,
                  body_shape_word(shape));
        return;
    }
}

/* motion_number: a number of a body's motion: the motion that takes it, and how many of its entries are not
 * 0. */
struct motion_number {
    size_t of;
    int per_body, motion;
    const double *value;
};
enum { MOTION_NUMBERS = 5 };

static void motion_numbers(const struct input *in, int n, struct motion_number number[MOTION_NUMBERS])
{
    const struct motion_number all[MOTION_NUMBERS] = {
        {OFF(bodies.rotation), 1, MOTION_ROTATE, &in->bodies.rotation[n]},
        {OFF(bodies.velocity), 3, MOTION_TRANSLATE, in->bodies.velocity[n]},
        {OFF(bodies.amplitude), 3, MOTION_OSCILLATE, in->bodies.amplitude[n]},
        {OFF(bodies.frequency), 1, MOTION_OSCILLATE, &in->bodies.frequency[n]},
        {OFF(bodies.phase), 1, MOTION_OSCILLATE, &in->bodies.phase[n]}};
    memcpy(number, all, sizeof all);
}

/* Numbers that the motion does not take, and numbers that it needs. The phase may be 0. */
static void rule_motion_numbers(struct reading *r, const struct input *in, int n)
{
    static const char *const word[] = {"none", "rotate", "translate", "oscillate", "file"};
    struct motion_number number[MOTION_NUMBERS];
    motion_numbers(in, n, number);
    for (int q = 0; q < MOTION_NUMBERS; ++q) {
        const struct motion_number *m = &number[q];
        const struct variable *v = &r->table[rule_variable(r, m->of)];
        const int taken = in->bodies.motion[n] == m->motion;
        int given = -1;
        for (int e = m->per_body - 1; e >= 0; --e)
            if (m->value[e] != 0) given = e;
        if (given >= 0 && !taken)
            fault_add(&r->faults, place_at(r, m->of, m->per_body * n + given),
                      "%s = %g has no effect; set it to 0, or choose bodies.motion(%d) = '%s'",
                      element_name(v, m->per_body * n + given).text, m->value[given], n + 1, word[m->motion]);
        if (given < 0 && taken && m->of != OFF(bodies.phase))
            fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                      "bodies.motion(%d) = '%s' needs %s; give a value other than 0", n + 1, word[m->motion],
                      element_name(v, m->per_body * n).text);
    }
}

static void rule_motion_file(struct reading *r, const struct input *in, int n)
{
    const int wants = in->bodies.motion[n] == MOTION_FILE;
    if (wants && !in->bodies.motion_file[n][0])
        fault_add(&r->faults, place_at(r, OFF(bodies.motion_file), n),
                  "bodies.motion(%d) = 'file' needs a file; give bodies.motion_file(%d)", n + 1, n + 1);
    if (!wants && in->bodies.motion_file[n][0])
        fault_add(&r->faults, place_at(r, OFF(bodies.motion_file), n),
                  "bodies.motion_file(%d) has no effect; remove it, or choose bodies.motion(%d) = 'file'",
                  n + 1, n + 1);
}

/* A body that moves through the grid. */
static void rule_travel(struct reading *r, const struct input *in, int n)
{
    const int shape = in->bodies.shape[n];
    if (shape == SHAPE_STL && in->bodies.motion[n] == MOTION_ROTATE)
        fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                  "a body of the shape 'stl' can't turn; choose another shape, or another bodies.motion(%d)",
                  n + 1);
    if (shape == SHAPE_PLANE || shape == SHAPE_WAVE || shape == SHAPE_LEVELSET)
        fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                  "a body of the shape '%s' can't move through the grid; choose another shape, or "
                  "bodies.motion(%d) = 'none'",
                  body_shape_word(shape), n + 1);
    for (int other = 0; other < BODIES_MOST; ++other)
        if (in->bodies.shape[other] != SHAPE_NONE && in->bodies.operation[other] != OPERATION_ADD) {
            fault_add(
                &r->faults, place_at(r, OFF(bodies.operation), other),
                "bodies.operation(%d) is not available if a body moves through the grid (body %d); choose "
                "'add', or bodies.motion(%d) = 'none'",
                other + 1, n + 1, n + 1);
            return;
        }
}

static void rule_motion(struct reading *r, const struct input *in, int n)
{
    rule_motion_numbers(r, in, n);
    rule_motion_file(r, in, n);
    if (in->bodies.motion[n] == MOTION_NONE) return;
    if (body_travels(in, n)) {
        rule_travel(r, in, n);
        return;
    }
    if (in->bodies.operation[n] != OPERATION_ADD)
        fault_add(&r->faults, place_at(r, OFF(bodies.motion), n),
                  "bodies.motion(%d) has no effect: the surface that a body leaves by 'cut' or 'intersect' "
                  "belongs to the body that was cut; choose 'none'",
                  n + 1);
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

/* A body that is there at the start vanishes later, and it is solid itself. */
static void rule_remove_time(struct reading *r, const struct input *in, int n)
{
    if (in->bodies.remove_time[n] < 0) return;
    if (in->bodies.remove_time[n] == 0)
        fault_add(&r->faults, place_at(r, OFF(bodies.remove_time), n),
                  "bodies.remove_time(%d) = 0: give a time above 0, or remove the body", n + 1);
    if (in->bodies.operation[n] != OPERATION_ADD)
        fault_add(
            &r->faults, place_at(r, OFF(bodies.remove_time), n),
            "bodies.remove_time(%d) is not available for a body that cuts or intersects: what it cut away "
            "would become solid; remove it",
            n + 1);
}

static void rule_remove_all(struct reading *r, size_t offset, double time)
{
    if (time == 0 && is_good(r, offset))
        fault_add(&r->faults, place_of(r, offset), "a remove_time of 0: give a time above 0");
}

static void rule_packing(struct reading *r, const struct input *in)
{
    static const size_t of[] = {OFF(packing.count), OFF(packing.size), OFF(packing.seed), OFF(packing.gap),
                                OFF(packing.align)};
    const size_t shape = OFF(packing.shape);
    if (!is_good(r, shape)) return;
    for (size_t m = 0; m < sizeof of / sizeof *of; ++m)
        if (!is_good(r, of[m])) return;
    if (in->packing.shape == PACKING_NONE) return;
    if (in->packing.count < 1)
        fault_add(&r->faults, place_of_element(r, OFF(packing.count), 0, shape),
                  "packing.count = %d: give the number of bodies", in->packing.count);
    if (!(in->packing.size > 0))
        fault_add(&r->faults, place_of_element(r, OFF(packing.size), 0, shape),
                  "packing.size = %g: give the edge or the diameter of the bodies", in->packing.size);
    for (int d = 0; d < 3 && in->packing.align; ++d)
        if (is_good(r, OFF(grid.stretching)) && in->grid.stretching[d] != STRETCHING_UNIFORM)
            fault_add(&r->faults, place_of_element(r, OFF(packing.align), 0, shape),
                      "packing.align needs cells of equal width, but grid.stretching(%d) is not 'uniform'; "
                      "choose packing.align = .false.",
                      d + 1);
}

/* What can't be combined with bodies so far. */
static void rules_beside(struct reading *r, const struct input *in)
{
    const struct {
        int there;
        size_t of;
        const char *what, *remedy;
    } refused[] = {
        {method_is_exact(in), OFF(pressure.method), "pressure.method = 'exact' is", "choose 'projection'"},
        {diffusion_is_implicit(in) && in->fluid.nu > 0, OFF(time.diffusion),
         "implicit diffusion, whose systems of equations do not contain the walls of bodies, is",
         "choose time.diffusion = 'explicit': walls of bodies do not shorten its steps"},
        {diffusion_is_implicit_z(in) && in->fluid.nu > 0, OFF(time.diffusion),
         "implicit diffusion in z, which has one matrix for all columns of cells while beside bodies each "
         "column has its own, is",
         "choose time.diffusion = 'explicit': walls of bodies do not shorten its steps"},
        {in->checkpoint.regrid && strcmp(in->checkpoint.restart, "none") != 0, OFF(checkpoint.regrid),
         "a restart on another grid is", "remove checkpoint.regrid"},
        {drive_forces_box(in), OFF(forcing.type), "a force on the turbulence of a box is",
         "choose another forcing.type"},
        {scalar_any_limited(in), OFF(scalars.limiter), "a limiter of scalars is", "choose 'none'"},
        {buoyancy_wanted(in) && bodies_move(in), OFF(buoyancy.gravity),
         "buoyancy beside surfaces that move is", "choose bodies.motion = 'none', or remove &buoyancy"},
        {history_wanted(in) && !bodies_all_vanish(in),
         in->history.interval > 0 ? OFF(history.interval) : OFF(history.interval_time),
         "the history of a box is", "give all bodies a remove_time, or remove the group &history"},
        {in->pressure.sums == SUMS_ONE, OFF(pressure.sums), "pressure.sums = 'one' is", "choose 'several'"},
        {in->pressure.direct_precision == DIRECT_SINGLE, OFF(pressure.direct_precision),
         "pressure.direct_precision = 'single' is", "choose 'auto' or 'double'"},
        {in->pressure.transfer == TRANSFER_LINEAR, OFF(pressure.transfer), "pressure.transfer = 'linear' is",
         "choose 'auto' or 'constant'"},
    };
    for (size_t n = 0; n < sizeof refused / sizeof *refused; ++n)
        if (refused[n].there && is_good(r, refused[n].of))
            fault_add(&r->faults, place_of(r, refused[n].of),
                      "%s not available with bodies in the flow (&bodies); %s", refused[n].what,
                      refused[n].remedy);
}

/* Surface data, which need points that stay what they are. why: which bodies have none. */
static void rule_surface(struct reading *r, const struct input *in, const char *why)
{
    const size_t of =
        in->output.surface_interval > 0 ? OFF(output.surface_interval) : OFF(output.surface_start);
    if (!is_good(r, OFF(output.surface_interval)) || !is_good(r, OFF(output.surface_start))) return;
    if (in->output.surface_interval == 0 && in->output.surface_start < 0) return;
    fault_add(
        &r->faults, place_of(r, of),
        "surface data are not available with bodies that %s, because the points of their surface change; "
        "remove output.surface_interval and output.surface_start",
        why);
}

/* What can't be combined with bodies that move through the grid. */
static void rules_beside_travel(struct reading *r, const struct input *in)
{
    rule_surface(r, in, "move through the grid (bodies.motion)");
    if (is_good(r, OFF(scalars.name)) && scalar_count(in) > 0)
        fault_add(
            &r->faults, place_of(r, OFF(scalars.name)),
            "scalars are not available with bodies that move through the grid (bodies.motion): they cover "
            "and uncover whole cells, and no scheme for this keeps both a uniform scalar and its integral "
            "(docs/numerics/scalars.md); remove the group &scalars");
    if (!is_good(r, OFF(forcing.type))) return;
    if (drive_holds_bulk_velocity(in) || drive_holds_power(in))
        fault_add(&r->faults, place_of(r, OFF(forcing.type)),
                  "this forcing.type is not available with bodies that move through the grid "
                  "(bodies.motion), because the answer of the mean velocity to a force changes with them; "
                  "choose 'pressure-gradient' or 'none'");
}

/* What can't be combined with bodies that vanish. */
static void rules_beside_removal(struct reading *r, const struct input *in)
{
    rule_surface(r, in, "vanish (remove_time)");
    if (is_good(r, OFF(scalars.name)) && scalar_count(in) > 0)
        fault_add(
            &r->faults, place_of(r, OFF(scalars.name)),
            "scalars are not available with bodies that vanish (remove_time), in whose place they would "
            "have no value; remove one of the two");
    if (!bodies_any_travels(in)) return;
    fault_add(&r->faults, place_of(r, OFF(bodies.motion)),
              "bodies that move through the grid (bodies.motion) are not available with a remove_time, not "
              "even that of another body; remove one of the two");
}

/* Coefficients need both numbers. */
static void rule_reference(struct reading *r, const struct input *in)
{
    const double area = in->bodies.reference_area, speed = in->bodies.reference_speed;
    if (!is_good(r, OFF(bodies.reference_area)) || !is_good(r, OFF(bodies.reference_speed))) return;
    if (area > 0 && speed == 0)
        fault_add(&r->faults, place_of(r, OFF(bodies.reference_area)),
                  "bodies.reference_area has no effect without a speed; give bodies.reference_speed");
    if (area == 0 && speed > 0)
        fault_add(&r->faults, place_of(r, OFF(bodies.reference_speed)),
                  "bodies.reference_speed has no effect without an area; give bodies.reference_area");
}

void check_bodies(struct reading *r, const struct input *in)
{
    rule_reference(r, in);
    rule_packing(r, in);
    for (int n = 0; n < BODIES_MOST && all_good(r); ++n) {
        if (in->bodies.shape[n] == SHAPE_NONE) {
            rule_no_shape(r, in, n);
            continue;
        }
        rule_centre(r, in, n);
        rule_size(r, in, n);
        rule_file(r, in, n);
        rule_turned(r, in, n);
        rule_motion(r, in, n);
        rule_operation(r, in, n);
        rule_remove_time(r, in, n);
    }
    rule_remove_all(r, OFF(packing.remove_time), in->packing.remove_time);
    rule_remove_all(r, OFF(bodies_list.remove_time), in->bodies_list.remove_time);
    if (bodies_any(in)) rules_beside(r, in);
    if (bodies_any_travels(in)) rules_beside_travel(r, in);
    if (all_good(r) && bodies_next_removal(in, 0) < INFINITY) rules_beside_removal(r, in);
}
