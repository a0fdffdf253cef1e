/* Applies the rules on the forcing of turbulence in a periodic box, and on its history. */
#include "check_forcing.h"

#include <string.h>
#include "box_forecast.h"
#include "drives.h"
#include "face_kinds.h"
#include "rules.h"
#include "schemes.h"
#include "statistics_wanted.h"

/* A target sets the viscosity of a forced box alone. */
static int not_by_re_lambda(const struct input *in)
{
    return !(in->forcing.target_re_lambda > 0) || !drive_is_of_box(in);
}

static int not_by_kmax_eta(const struct input *in)
{
    return !(in->forcing.target_kmax_eta > 0) || !drive_is_of_box(in);
}

static const char of_box[] = "choose forcing.type = 'linear' or 'low-wavenumber'";

/* If several lines concern one variable, the first one that fails is reported. */
static const struct use uses[] = {
    {OFF(fluid.nu), OFF(forcing.target_re_lambda), not_by_re_lambda, "give no forcing.target_re_lambda"},
    {OFF(fluid.nu), OFF(forcing.target_kmax_eta), not_by_kmax_eta, "give no forcing.target_kmax_eta"},
    {OFF(forcing.control), OFF(forcing.type), drive_is_linear, "choose forcing.type = 'linear'"},
    {OFF(forcing.gain), OFF(forcing.type), drive_is_linear, "choose forcing.type = 'linear'"},
    {OFF(forcing.gain), OFF(forcing.control), drive_uses_dissipation,
     "choose forcing.control = 'energy' or 'dissipation'"},
    {OFF(forcing.law), OFF(forcing.type), drive_forces_waves, "choose forcing.type = 'low-wavenumber'"},
    {OFF(forcing.k_high), OFF(forcing.type), drive_forces_waves, "choose forcing.type = 'low-wavenumber'"},
    {OFF(forcing.correlation_time), OFF(forcing.type), drive_forces_waves,
     "choose forcing.type = 'low-wavenumber'"},
    {OFF(forcing.correlation_time), OFF(forcing.law), drive_is_random,
     "choose forcing.law = 'ornstein-uhlenbeck'"},
    {OFF(forcing.decay), OFF(forcing.type), drive_is_of_box, of_box},
    {OFF(forcing.target_re_lambda), OFF(forcing.type), drive_is_of_box, of_box},
    {OFF(forcing.target_kmax_eta), OFF(forcing.type), drive_is_of_box, of_box},
};

size_t forcing_unused(const struct input *in, size_t offset, const char **remedy)
{
    return use_lacking(uses, sizeof uses / sizeof *uses, in, offset, remedy);
}

static const char *type_name(const struct input *in)
{
    return drive_is_linear(in) ? "linear" : "low-wavenumber";
}

/* The largest spacing decides on k_max, and of stretched ones it is not known here. */
static void rule_target_spacings(struct reading *r, const struct input *in)
{
    const size_t eta = OFF(forcing.target_kmax_eta), stretching = OFF(grid.stretching);
    if (!is_given(r, eta) || !is_good(r, stretching)) return;
    for (int d = 0; d < 3; ++d) {
        if (in->grid.stretching[d] == STRETCHING_UNIFORM) continue;
        fault_add(&r->faults, place_of(r, eta),
                  "forcing.target_kmax_eta is for uniform spacings, and grid.stretching(%d) %s is not "
                  "'uniform'; make it 'uniform', or give forcing.target_re_lambda or fluid.nu",
                  d + 1, origin_of(r, stretching).text);
        return;
    }
}

/* The first face that is not periodic; -1: there is none that is known. */
static int face_not_periodic(const struct reading *r, const struct input *in)
{
    for (int f = 0; f < FACES_NONE; ++f)
        if (is_good(r, face_at(f)) && !face_is_periodic(in, f)) return f;
    return -1;
}

/* A target in a flow with walls or open faces makes no sense, whatever the forcing. One fault says so, and
 * the targets count as bad, so that no other rule asks for what would be refused, too. */
static int target_not_in_box(struct reading *r, const struct input *in, size_t self, const char *name)
{
    const int face = face_not_periodic(r, in);
    if (face < 0) return 0;
    if (!drive_is_of_box(in)) /* else rule_faces() tells it */
        fault_add(&r->faults, place_of(r, self),
                  "forcing.%s is for turbulence that is forced in a periodic box, and boundary.%s %s is not "
                  "periodic; remove it%s",
                  name, FACE_NAME[face], origin_of(r, face_at(face)).text,
                  is_given(r, OFF(fluid.nu)) || is_given(r, OFF(fluid.reynolds))
                      ? ""
                      : ", and give fluid.nu or fluid.reynolds");
    r->given[rule_variable(r, OFF(forcing.target_re_lambda))].bad = 1;
    r->given[rule_variable(r, OFF(forcing.target_kmax_eta))].bad = 1;
    return 1;
}

int check_target(struct reading *r, const struct input *in)
{
    const size_t re = OFF(forcing.target_re_lambda), eta = OFF(forcing.target_kmax_eta);
    const size_t self = is_given(r, re) ? re : eta;
    if (!is_given(r, re) && !is_given(r, eta)) return 0;
    const char *name = self == re ? "target_re_lambda" : "target_kmax_eta";
    if (target_not_in_box(r, in, self, name)) return 1;
    if (is_good(r, OFF(forcing.type)) && !drive_is_of_box(in)) return 1; /* it has no effect, as is told */
    if (is_given(r, re) && is_given(r, eta))
        fault_add(
            &r->faults, place_of(r, eta),
            "forcing.target_kmax_eta and forcing.target_re_lambda %s both set the viscosity; remove one",
            origin_of(r, re).text);
    if (is_given(r, OFF(fluid.reynolds))) /* rule_unused has reported fluid.nu */
        fault_add(&r->faults, place_of(r, self),
                  "forcing.%s sets the viscosity, and fluid.reynolds %s sets it, too; remove one", name,
                  origin_of(r, OFF(fluid.reynolds)).text);
    if (is_good(r, OFF(grid.length)) && !box_is_cube(in))
        fault_add(&r->faults, place_of(r, self),
                  "forcing.%s is for cubes, and grid.length = %.10g, %.10g, %.10g: the length of the large "
                  "eddies is known in a cube alone; give fluid.nu",
                  name, in->grid.length[0], in->grid.length[1], in->grid.length[2]);
    rule_target_spacings(r, in);
    return 1;
}

static void rule_value(struct reading *r, const struct input *in)
{
    const size_t value = OFF(forcing.value), time = OFF(forcing.correlation_time);
    if (!is_good(r, value)) return;
    if (!is_given(r, value) || !(in->forcing.value > 0))
        fault_add(&r->faults, place_of(r, is_given(r, value) ? value : OFF(forcing.type)),
                  "forcing.type = '%s' needs a forcing.value above 0; add for example value = 1",
                  type_name(in));
    if (drive_is_random(in) && is_good(r, time) && !(in->forcing.correlation_time > 0))
        fault_add(&r->faults, place_of(r, OFF(forcing.law)),
                  "forcing.law = 'ornstein-uhlenbeck' needs forcing.correlation_time; add for example "
                  "correlation_time = 1");
}

/* A force that varies in space is for boxes with neither walls nor open faces. Returns whether this is
 * one. */
static int rule_faces(struct reading *r, const struct input *in)
{
    const int f = face_not_periodic(r, in), target = box_target_given(in);
    if (f < 0) return 1;
    fault_add(&r->faults, place_of(r, OFF(forcing.type)),
              "forcing.type = '%s' is for periodic boxes, and boundary.%s %s is not periodic; make all faces "
              "periodic, or choose 'pressure-gradient', 'bulk-velocity' or 'power'%s",
              type_name(in), FACE_NAME[f], origin_of(r, face_at(f)).text,
              target ? " and give fluid.nu in the place of the target" : "");
    return 0;
}

/* The force is not for the exact method, and its control may need a viscosity. */
static void rule_box(struct reading *r, const struct input *in)
{
    if (is_good(r, OFF(pressure.method)) && method_is_exact(in))
        fault_add(&r->faults, place_of(r, OFF(pressure.method)),
                  "pressure.method = 'exact' can't be combined with a force so far, and forcing.type = '%s' "
                  "%s; choose 'projection'",
                  type_name(in), origin_of(r, OFF(forcing.type)).text);
    if (drive_uses_dissipation(in) && is_good(r, OFF(fluid.nu)) && in->fluid.nu == 0)
        fault_add(&r->faults, place_of(r, OFF(forcing.type)),
                  "forcing.control = '%s' follows the dissipation, and with fluid.nu = 0 %s there is none; "
                  "choose 'power' or 'none', or a viscosity above 0",
                  drive_holds_energy(in) ? "energy" : "dissipation", origin_of(r, OFF(fluid.nu)).text);
}

/* The waves of the force must be waves of the grid, and the grid must be uniform. */
static void rule_waves(struct reading *r, const struct input *in)
{
    if (!drive_forces_waves(in)) return;
    for (int d = 0; d < 3; ++d) {
        int m[3] = {0, 0, 0}, most = 0;
        for (m[d] = 1; m[d] <= BOX_WAVE_MOST; ++m[d])
            if (box_wave_is_forced(in, m)) most = m[d];
        if (is_good(r, OFF(grid.n)) && in->grid.n[d] < 2 * most + 1)
            fault_add(
                &r->faults, place_of_element(r, OFF(grid.n), d, OFF(forcing.type)),
                "grid.n(%d) = %d is too few for the forced waves, which have up to %d periods in %c; at "
                "least %d are needed, or a smaller forcing.k_high",
                d + 1, in->grid.n[d], most, "xyz"[d], 2 * most + 1);
        if (is_good(r, OFF(grid.stretching)) && in->grid.stretching[d] != STRETCHING_UNIFORM)
            fault_add(
                &r->faults, place_of(r, OFF(forcing.type)),
                "forcing.type = 'low-wavenumber' is for uniform spacings so far, and grid.stretching(%d) "
                "%s is not 'uniform'; choose 'linear', or make it 'uniform'",
                d + 1, origin_of(r, OFF(grid.stretching)).text);
    }
}

/* A force that follows the velocity needs a fluctuation at the start. */
static void rule_motion(struct reading *r, const struct input *in)
{
    const int type = in->initial.type;
    if (!drive_needs_motion(in) || strcmp(in->checkpoint.restart, "none") != 0 ||
        !is_good(r, OFF(initial.type)) || (type != INITIAL_REST && type != INITIAL_UNIFORM))
        return;
    fault_add(
        &r->faults, place_of(r, OFF(initial.type)),
        "forcing.type = '%s' %s follows the velocity, and initial.type = '%s' has no fluctuation that it "
        "could drive; choose for example 'isotropic' or 'abc'",
        type_name(in), origin_of(r, OFF(forcing.type)).text, type == INITIAL_REST ? "rest" : "uniform");
}

/* The history is that of a periodic box, and has one interval. */
static void rule_history(struct reading *r, const struct input *in)
{
    const size_t steps = OFF(history.interval), time = OFF(history.interval_time);
    if (!is_good(r, steps) || !is_good(r, time) || !history_wanted(in)) return;
    const size_t self = in->history.interval > 0 ? steps : time;
    if (in->history.interval > 0 && in->history.interval_time > 0)
        fault_add(&r->faults, place_of(r, time),
                  "history.interval_time and history.interval %s can't both be above 0; remove one",
                  origin_of(r, steps).text);
    const int f = face_not_periodic(r, in);
    if (f >= 0)
        fault_add(&r->faults, place_of(r, self),
                  "history.nc is for periodic boxes, and boundary.%s %s is not periodic; remove &history",
                  FACE_NAME[f], origin_of(r, face_at(f)).text);
}

void check_forcing(struct reading *r, const struct input *in)
{
    rule_history(r, in);
    if (!is_good(r, OFF(forcing.type)) || !drive_is_of_box(in)) return;
    if (!rule_faces(r, in)) return; /* what else is wrong with this forcing does not matter then */
    rule_value(r, in);
    rule_box(r, in);
    rule_waves(r, in);
    rule_motion(r, in);
}
