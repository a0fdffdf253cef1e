/* Applies the rules on statistics. */
#include "check_statistics.h"

#include <string.h>
#include "bodies.h"
#include "buoyancy.h"
#include "drives.h"
#include "formula.h"
#include "face_kinds.h"
#include "rules.h"
#include "scalars.h"
#include "statistics_wanted.h"
#include "stream_direction.h"

static int stops(const struct input *in)
{
    return in->statistics.stop_when != STOP_NONE;
}

static int spectra_anywhere(const struct input *in)
{
    return faces_all_periodic(in) || heights_given(in);
}

static int spectra_uniform(const struct input *in)
{
    return spacings_uniform(in) || heights_given(in);
}

static int walled(const struct input *in)
{
    return !faces_all_periodic(in);
}

static int takes_quadrants(const struct input *in)
{
    return in->statistics.quadrants;
}

/* Budgets of shear stresses need walls or free-slip faces in exactly one direction. */
static int between_walls(const struct input *in)
{
    return faces_bounded_directions(in) == 1 && !faces_any_open(in);
}

/* Averages over planes need walls or open faces in exactly one direction. */
static int over_planes(const struct input *in)
{
    return faces_bounded_directions(in) == 1;
}

/* Averages over a cross-section need exactly one periodic direction. */
static int over_section(const struct input *in)
{
    return faces_bounded_directions(in) == 2;
}

static int has_scalars(const struct input *in)
{
    return scalar_count(in) > 0;
}

static int takes_spectra(const struct input *in)
{
    return in->statistics.spectra_interval > 0;
}

/* Averages over all periodic directions, which other statistics are made of. */
static int over_directions(const struct input *in)
{
    return !cells_wanted(in) || bodies_any(in); /* with bodies they are refused elsewhere */
}

/* The budgets in every cell need the right-hand side of the momentum equations at all faces of a cell. */
static int no_open_faces(const struct input *in)
{
    return !faces_any_open(in);
}

static int no_cells_turn(const struct input *in)
{
    return !bodies_turn_cells(in);
}

static int no_buoyancy(const struct input *in)
{
    return !buoyancy_wanted(in);
}

#define NEEDS_DIRECTIONS(member)                                                                             \
    {                                                                                                        \
        OFF(member), OFF(statistics.directions), over_directions,                                            \
            "choose statistics.directions = 'periodic'"                                                      \
    }

/* If several lines concern one variable, the first one that fails is reported. */
static const struct use uses[] = {
    {OFF(statistics.interval), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.write_interval), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.directions), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.batches), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.batches), OFF(statistics.directions), cells_wanted,
     "choose statistics.directions = 'none': only averages in every cell have a choice of batches"},
    {OFF(statistics.cell_budgets), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.cell_budgets), OFF(statistics.directions), cells_wanted,
     "choose statistics.directions = 'none' or a part of the periodic directions; averages over all of them "
     "have budgets between walls (statistics.stress_budgets)"},
    {OFF(statistics.cell_budgets), OFF(boundary.face), no_open_faces,
     "leave out inflows and outflows: the velocity there does not follow from the momentum equations"},
    {OFF(statistics.cell_budgets), OFF(bodies.motion), no_cells_turn,
     "leave the bodies at rest: there are no budgets beside bodies that move through the grid or vanish"},
    {OFF(statistics.cell_budgets), OFF(buoyancy.gravity), no_buoyancy,
     "leave out buoyancy: it has no term in these budgets"},
    NEEDS_DIRECTIONS(statistics.stop_when),
    NEEDS_DIRECTIONS(statistics.stress_budgets),
    NEEDS_DIRECTIONS(statistics.pressure),
    NEEDS_DIRECTIONS(statistics.scalar_budgets),
    NEEDS_DIRECTIONS(statistics.quadrants),
    NEEDS_DIRECTIONS(statistics.spectra_interval),
    NEEDS_DIRECTIONS(statistics.spectra_heights),
    NEEDS_DIRECTIONS(statistics.phases),
    {OFF(statistics.stop_when), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.stop_error), OFF(statistics.stop_when), stops, "choose a statistics.stop_when"},
    {OFF(statistics.stop_scalar), OFF(statistics.stop_when), stop_of_scalar,
     "choose a number of a scalar, such as 'nusselt_low'"},
    {OFF(statistics.stress_budgets), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.stress_budgets), OFF(boundary.face), between_walls,
     "choose walls for both faces of one direction, and for no others"},
    {OFF(statistics.scalar_budgets), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.scalar_budgets), OFF(scalars.name), has_scalars, "give a scalars.name"},
    {OFF(statistics.scalar_budgets), OFF(boundary.face), over_section,
     "leave one periodic direction: between walls statistics.stress_budgets has the budgets of scalars"},
    {OFF(statistics.pressure), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.pressure), OFF(boundary.face), between_walls,
     "choose walls for both faces of one direction, and for no others: elsewhere samples have the pressure "
     "of "
     "the last stage"},
    {OFF(statistics.quadrants), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.quadrants), OFF(boundary.face), between_walls,
     "choose walls for both faces of one direction, and for no others"},
    {OFF(statistics.quadrant_holes), OFF(statistics.quadrants), takes_quadrants,
     "choose statistics.quadrants = .true."},
    {OFF(statistics.spectra_interval), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.spectra_interval), OFF(boundary.face), spectra_anywhere,
     "leave all faces periodic, or give statistics.spectra_heights"},
    {OFF(statistics.spectra_interval), OFF(grid.stretching), spectra_uniform,
     "choose grid.stretching = 'uniform', 'uniform', 'uniform'"},
    {OFF(statistics.spectra_heights), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.spectra_heights), OFF(boundary.face), walled,
     "choose walls for both faces of one direction: a periodic box has spectra without heights"},
    {OFF(statistics.phases), OFF(statistics.start), statistics_wanted, "give statistics.start"},
    {OFF(statistics.phases), OFF(forcing.type), drive_is_prescribed,
     "choose forcing.type = 'pressure-gradient' or 'bulk-velocity', with an amplitude and a frequency"},
    {OFF(statistics.phases), OFF(forcing.amplitude), drive_oscillates,
     "give forcing.amplitude and forcing.frequency: without an oscillation there are no phases"},
    {OFF(statistics.phases), OFF(boundary.face), over_planes,
     "choose walls for both faces of one direction, and for no others: phases are of averages over planes"},
    {OFF(statistics.spectra_heights), OFF(statistics.spectra_interval), takes_spectra,
     "choose statistics.spectra_interval > 0"},
};

/* What averages with bodies don't have. The variable that makes the bodies, or 0. */
static size_t without_bodies(const struct input *in, size_t offset, const char **remedy)
{
    static const size_t lacking[] = {OFF(statistics.stop_when),        OFF(statistics.stress_budgets),
                                     OFF(statistics.quadrants),        OFF(statistics.phases),
                                     OFF(statistics.spectra_interval), OFF(statistics.spectra_heights),
                                     OFF(statistics.scalar_budgets),   OFF(statistics.pressure)};
    for (size_t n = 0; n < sizeof lacking / sizeof *lacking && bodies_any(in); ++n) {
        if (lacking[n] != offset) continue;
        *remedy = offset == OFF(statistics.stress_budgets)
                      ? "choose statistics.cell_budgets = .true. for budgets beside bodies, in averages.h5"
                      : "take out the bodies: with them there are means and covariances in averages.h5 alone";
        return in->bodies_list.file[0]             ? OFF(bodies_list.file)
               : in->packing.shape != PACKING_NONE ? OFF(packing.shape)
                                                   : OFF(bodies.shape);
    }
    return 0;
}

size_t statistics_unused(const struct input *in, size_t offset, const char **remedy)
{
    const size_t bodies = statistics_wanted(in) ? without_bodies(in, offset, remedy) : 0;
    if (bodies != 0) return bodies;
    return use_lacking(uses, sizeof uses / sizeof uses[0], in, offset, remedy);
}

/* Whether a no-slip wall lies along the stream. */
static int has_friction(const struct input *in)
{
    const int stream = channel_stream(in);
    for (int f = 0; f < 6; ++f)
        if (face_has_friction(in, f) && f / 2 != stream) return 1;
    return 0;
}

/* Averages over directions need at least one periodic direction. */
static void rule_statistics(struct reading *r, const struct input *in)
{
    if (!is_given(r, OFF(statistics.start)) || !is_good(r, OFF(statistics.start)) ||
        faces_bounded_directions(in) < 3 || in->statistics.directions != DIRECTIONS_PERIODIC)
        return;
    fault_add(&r->faults, place_of(r, OFF(statistics.start)),
              "statistics.start: averages are taken over time and over the periodic directions, and no "
              "direction is periodic; choose statistics.directions = 'none' for averages over time in every "
              "cell, choose 'periodic' for both ends of a direction, or remove &statistics");
}

/* The directions of averages must be periodic. */
static void rule_directions(struct reading *r, const struct input *in)
{
    const size_t self = OFF(statistics.directions);
    if (!is_given(r, self) || !is_good(r, self) || in->statistics.directions <= DIRECTIONS_NONE) return;
    const struct variable *v = &r->table[rule_variable(r, self)];
    const char *name = v->names[in->statistics.directions];
    for (int d = 0; d < 3; ++d) {
        if (strchr(name, "xyz"[d]) == NULL || direction_is_periodic(in, d)) continue;
        fault_add(
            &r->faults, place_of(r, self),
            "statistics.directions = '%s': averages along %c need periodic faces there, but boundary.%s "
            "= %s %s; choose 'none' for averages over time alone",
            name, "xyz"[d], FACE_NAME[2 * d],
            value_write(&r->table[rule_variable(r, face_at(2 * d))], 0, in).text,
            origin_of(r, face_at(2 * d)).text);
        return;
    }
}

/* Averages in every cell: the number of batches must allow joining them in pairs, and files are not written
 * while the run goes on. */
static void rule_cells(struct reading *r, const struct input *in)
{
    const size_t batches = OFF(statistics.batches), background = OFF(checkpoint.background);
    const int n = in->statistics.batches;
    if (is_given(r, batches) && is_good(r, batches) && n != 0 && (n < 16 || n % 2 != 0))
        fault_add(
            &r->faults, place_of(r, batches),
            "statistics.batches = %d: batches are joined in pairs, and at least 8 are needed for errors; "
            "choose an even number from 16 to 64, or 0 for no errors",
            n);
    if (is_given(r, background) && is_good(r, background) && in->checkpoint.background == 1 &&
        cells_wanted(in))
        fault_add(&r->faults, place_of(r, background),
                  "checkpoint.background = .true.: averages in every cell (statistics.directions) are "
                  "written between steps, not while the run goes on; leave it out, or choose .false.");
}

/* Whether the number that ends the run exists in this flow: a periodic box has no friction, and neither has a
 * flow without walls along it. */
static int is_stop_there(const struct input *in, int walls)
{
    const int stop = in->statistics.stop_when;
    if (stop_of_scalar(in) && scalar_count(in) == 0) return 0;
    if (walls == 0) return stop <= STOP_BOX_LAST;
    if (stop >= STOP_NUSSELT_LOW) return walls == 1;
    if (stop == STOP_DISSIPATION) return walls == 2;
    return stop == STOP_U_B || (stop > STOP_BOX_LAST && has_friction(in));
}

/* What the number that ends the run is of, for messages. */
static const char *flow_in_words(const struct input *in, int walls)
{
    if (stop_of_scalar(in) && scalar_count(in) == 0) return "a flow without scalars";
    if (walls == 0) return "a periodic box";
    if (walls == 2 && stop_of_scalar(in)) return "averages over a cross-section";
    return has_friction(in) ? "flows along walls" : "flows without a no-slip wall along the stream";
}

/* The number that ends the run must be one of this flow. */
static void rule_stop(struct reading *r, const struct input *in)
{
    const size_t self = OFF(statistics.stop_when);
    const int walls = faces_bounded_directions(in);
    if (!is_given(r, self) || !is_good(r, self) || in->statistics.stop_when == STOP_NONE || walls == 3 ||
        cells_wanted(in) || is_stop_there(in, walls))
        return;
    fault_add(&r->faults, place_of(r, self), "statistics.stop_when = %s is no number of %s; choose %s%s%s",
              value_write(&r->table[rule_variable(r, self)], 0, in).text, flow_in_words(in, walls),
              walls == 0         ? "'k', 'dissipation', 'Re_lambda', 'enstrophy', 'taylor_length', "
                                   "'kolmogorov_length', 'gradient_along_skewness' or "
                                   "'gradient_along_flatness'"
              : has_friction(in) ? "'u_tau', 'Re_tau', 'u_b' or 'friction_coefficient'"
                                 : "'u_b'",
              walls == 2 ? ", or 'dissipation'" : "",
              scalar_count(in) == 0 || walls == 2 ? ""
              : walls == 0                        ? ", or 'scalar_variance' or 'scalar_variance_dissipation'"
                                                  : ", or a Nusselt number such as 'nusselt_low'");
}

static void rule_stop_scalar(struct reading *r, const struct input *in)
{
    const size_t self = OFF(statistics.stop_scalar);
    const int n = in->statistics.stop_scalar, count = scalar_count(in);
    if (is_good(r, self) && stop_of_scalar(in) && count > 0 && n > count)
        fault_add(&r->faults, place_of(r, self),
                  "statistics.stop_scalar = %d: there %s %d scalar%s; choose a number from 1 to %d", n,
                  count > 1 ? "are" : "is", count, count > 1 ? "s" : "", count);
}

/* Heights of spectra must increase and lie between the walls, and lines along the walls must have equal
 * spacings. */
static void rule_heights(struct reading *r, const struct input *in)
{
    const size_t self = OFF(statistics.spectra_heights), kind = OFF(grid.stretching);
    const double *height = in->statistics.spectra_heights;
    int normal = -1, walls = 0, n = 0;
    for (int d = 0; d < 3; ++d)
        if (!direction_is_periodic(in, d)) normal = d, ++walls;
    if (!is_given(r, self) || !is_good(r, self) || walls == 0) return;
    if (walls > 1 || faces_any_open(in)) {
        fault_add(&r->faults, place_of(r, self),
                  "statistics.spectra_heights: spectra are taken on planes between two walls, and %s; leave "
                  "the heights out",
                  faces_any_open(in) ? "fluid passes through faces" : "more than one direction has walls");
        return;
    }
    for (; n < HEIGHTS_MOST && height[n] != INPUT_NOWHERE; ++n) {
        if (is_good(r, OFF(grid.length)) && height[n] >= in->grid.length[normal])
            fault_add(
                &r->faults, place_of_element(r, self, n, self),
                "statistics.spectra_heights(%d) = %g lies beyond the upper wall; the walls are %g apart",
                n + 1, height[n], in->grid.length[normal]);
        if (n > 0 && height[n] <= height[n - 1])
            fault_add(&r->faults, place_of_element(r, self, n, self),
                      "statistics.spectra_heights(%d) = %g is not above (%d) = %g; give them from the lower "
                      "wall up",
                      n + 1, height[n], n, height[n - 1]);
    }
    for (int e = n; e < HEIGHTS_MOST; ++e) {
        if (height[e] == INPUT_NOWHERE) continue;
        fault_add(&r->faults, place_of_element(r, self, e, self),
                  "statistics.spectra_heights(%d) = %g is given, but (%d) is not; leave no gaps", e + 1,
                  height[e], n + 1);
        break;
    }
    for (int d = 0; d < 3 && is_good(r, kind); ++d)
        if (d != normal && in->grid.stretching[d] != STRETCHING_UNIFORM)
            fault_add(&r->faults, place_of_element(r, self, 0, self),
                      "statistics.spectra_heights: lines along %c need equal spacings, but "
                      "grid.stretching(%d) = %s %s; choose 'uniform' there, or leave the heights out",
                      "xyz"[d], d + 1, value_write(&r->table[rule_variable(r, kind)], d, in).text,
                      origin_of(r, kind).text);
}

/* Holes must be given one after another. */
static void rule_holes(struct reading *r, const struct input *in)
{
    const size_t self = OFF(statistics.quadrant_holes);
    int n = 0;
    if (!is_given(r, self) || !is_good(r, self)) return;
    while (n < HOLES_MOST && in->statistics.quadrant_holes[n] != INPUT_NOWHERE) ++n;
    for (int e = n; e < HOLES_MOST; ++e)
        if (in->statistics.quadrant_holes[e] != INPUT_NOWHERE)
            fault_add(&r->faults, place_of_element(r, self, e, self),
                      "statistics.quadrant_holes(%d) = %g is given, but (%d) is not; leave no gaps", e + 1,
                      in->statistics.quadrant_holes[e], n + 1);
}

/* One part of a cycle is the whole of it. */
static void rule_phases(struct reading *r, const struct input *in)
{
    const size_t self = OFF(statistics.phases);
    if (!is_given(r, self) || !is_good(r, self) || in->statistics.phases != 1) return;
    fault_add(
        &r->faults, place_of(r, self),
        "statistics.phases = 1 does not divide the cycle; choose 2 or more, or 0 for no averages by phase");
}

/* Whether a formula of a wall contains a coordinate along which averages are taken. */
static int varies_along(const struct input *in, int f, const int along[3])
{
    char fault[FORMULA_FAULT];
    struct formula compiled;
    int column;
    for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
            if (along[d] &&
                formula_parse(in->boundary.formula[f][c], FORMULA_OF_FACE, &compiled, &column, fault) &&
                formula_has(&compiled, FORMULA_X + d))
                return 1;
    return 0;
}

/* Averages over directions take walls of uniform velocity. Averages in every cell take walls by formulas,
 * too, if the formulas do not vary along the directions of the averages. */
static void rule_formula_walls(struct reading *r, const struct input *in)
{
    int along[3];
    cells_directions(in, along);
    for (int f = 0; f < FACES_NONE && statistics_wanted(in); ++f) {
        if (!face_has_wall_formula(in, f) || (cells_wanted(in) && !varies_along(in, f, along))) continue;
        fault_add(&r->faults, place_of(r, OFF(statistics.start)),
                  "statistics.start: averages over %s, and the velocity of the wall boundary.%s is given by "
                  "formulas %s; choose statistics.directions = 'none' for averages over time in every cell",
                  cells_wanted(in) ? "a direction along which walls vary are not taken"
                                   : "all periodic directions take walls of uniform velocity",
                  FACE_NAME[f], origin_of(r, profile_at(f)).text);
        return;
    }
}

/* The directions of the averages. */
static void averaged(const struct input *in, int along[3])
{
    cells_directions(in, along);
    for (int d = 0; d < 3 && !cells_wanted(in); ++d) along[d] = direction_is_periodic(in, d);
}

/* Averages over directions take scalars whose values and fluxes on faces do not vary along these. Between
 * walls they take numbers alone. */
static void rule_varying_scalars(struct reading *r, const struct input *in)
{
    const int numbers = !cells_wanted(in) && faces_bounded_directions(in) < 2;
    int along[3];
    averaged(in, along);
    for (int f = 0; f < FACES_NONE && statistics_wanted(in); ++f)
        for (int n = 0; n < scalar_count(in); ++n) {
            if (!scalar_varies_along(in, n, f, along) && !(numbers && scalar_varies(in, n, f))) continue;
            fault_add(
                &r->faults, place_of(r, OFF(statistics.start)),
                "statistics.start: averages over %s take scalars that do not vary along these on faces, "
                "and scalars.%s(%d) is given by %s; choose statistics.directions = 'none' for averages "
                "over time in every cell",
                cells_wanted(in) ? "chosen directions" : "all periodic directions", FACE_NAME[f], n + 1,
                scalar_by_formula(in, n, f) ? "a formula" : "a table");
            return;
        }
}

void check_statistics(struct reading *r, const struct input *in)
{
    rule_statistics(r, in);
    rule_directions(r, in);
    rule_cells(r, in);
    rule_stop(r, in);
    rule_stop_scalar(r, in);
    rule_heights(r, in);
    rule_holes(r, in);
    rule_phases(r, in);
    rule_formula_walls(r, in);
    rule_varying_scalars(r, in);
}
