/* Applies the rules on inflows and outflows. */
#include "check_open.h"

#include <math.h>

#include "face_kinds.h"
#include "rules.h"
#include "schemes.h"

/* Fluxes cancel if less than this part of the flux through all inflows is left, since inputs are rounded. */
static const double CANCELS = 1e-9;

static size_t window_at(int f)
{
    return OFF(boundary.window) + (size_t)f * 4 * sizeof(double);
}

static size_t file_at(int f)
{
    return OFF(boundary.file) + (size_t)f * INPUT_TEXT;
}

static size_t along_at(int f)
{
    return OFF(boundary.along) + (size_t)f * sizeof(int);
}

static size_t turbulence_at(int f)
{
    return OFF(boundary.turbulence) + (size_t)f * 3 * sizeof(double);
}

size_t open_unused(const struct input *in, size_t offset, const char **remedy)
{
    for (int f = 0; f < 6; ++f) {
        const int wall = face_has_wall_formula(in, f), inflow = face_is_inflow(in, f),
                  table = offset == file_at(f) || offset == along_at(f);
        if (offset == formula_at(f) && face_has_friction(in, f) && !wall) {
            *remedy = "choose 'formula'";
            return profile_at(f);
        }
        if (wall && (offset == profile_at(f) || offset == formula_at(f))) continue;
        if (!inflow && (table || offset == profile_at(f) || offset == formula_at(f) ||
                        offset == window_at(f) || offset == turbulence_at(f))) {
            *remedy = "choose 'inflow'";
            return face_at(f);
        }
        if (inflow && offset == formula_at(f) && !face_has_inflow_formula(in, f)) {
            *remedy = "choose 'formula'";
            return profile_at(f);
        }
        if (inflow && table && !face_has_inflow_table(in, f) &&
            (!face_has_inflow_planes(in, f) || offset == along_at(f))) {
            *remedy = "choose 'table'";
            return profile_at(f);
        }
        if (face_has_inflow_planes(in, f) && (offset == window_at(f) || offset == turbulence_at(f))) {
            *remedy = "put it into the planes";
            return profile_at(f);
        }
    }
    if (offset == OFF(boundary.planes_loop) && faces_first(in, face_has_inflow_planes) == FACES_NONE) {
        *remedy = "choose 'planes'";
        return profile_at(0);
    }
    if (offset == OFF(boundary.outflow_velocity) && !faces_any_outflow(in)) {
        *remedy = "choose 'outflow' for a face";
        return face_at(1);
    }
    if ((offset == OFF(boundary.turbulence_length) || offset == OFF(boundary.turbulence_modes)) &&
        faces_first(in, face_has_turbulent_inflow) == FACES_NONE) {
        *remedy = "give an inflow turbulence, for example x_low_turbulence = 0.1, 0.1, 0.1";
        return face_at(0);
    }
    return 0;
}

/* The two directions along a face. */
static void directions(int f, int along[2])
{
    along[0] = f / 2 == 0 ? 1 : 0;
    along[1] = f / 2 == 2 ? 1 : 2;
}

static int whole(const double w[4])
{
    return w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0;
}

/* Reports the ends n of a window that are no part of its face, which reaches from low to high. */
static void fault_window(struct reading *r, const struct input *in, int f, int n, double low, double high)
{
    const double *w = in->boundary.window[f] + 2 * n;
    int along[2];
    directions(f, along);
    const struct place place = place_of_element(r, window_at(f), 2 * n, window_at(f));
    const char c = "xyz"[along[n]];
    if (w[0] > w[1])
        fault_add(&r->faults, place,
                  "boundary.%s_window: %g to %g in %c: the lower end comes first; give %g, %g", FACE_NAME[f],
                  w[0], w[1], c, w[1], w[0]);
    else
        fault_add(&r->faults, place,
                  "boundary.%s_window: %g to %g in %c is no part of the face, which reaches from %g to %g; "
                  "give two ends between these, the lower one first",
                  FACE_NAME[f], w[0], w[1], c, low, high);
}

/* Windows must lie on their faces. Returns whether all do. */
static int rule_windows(struct reading *r, const struct input *in)
{
    int good = 1;
    for (int f = 0; f < 6; ++f) {
        const double *w = in->boundary.window[f];
        int along[2];
        directions(f, along);
        if (!face_is_inflow(in, f) || !is_good(r, window_at(f)) || whole(w)) continue;
        for (int n = 0; n < 2; ++n) {
            const double low = in->grid.origin[along[n]], high = low + in->grid.length[along[n]],
                         slack = 1e-12 * (high - low);
            if (w[2 * n] >= low - slack && w[2 * n + 1] <= high + slack && w[2 * n] < w[2 * n + 1]) continue;
            good = 0;
            fault_window(r, in, f, n, low, high);
        }
    }
    return good;
}

/* Flux through an inflow, into the box. */
static double flux(const struct input *in, int f)
{
    const double *w = in->boundary.window[f], u = in->boundary.velocity[f][f / 2];
    double area = 1;
    int along[2];
    directions(f, along);
    for (int n = 0; n < 2; ++n) area *= whole(w) ? in->grid.length[along[n]] : w[2 * n + 1] - w[2 * n];
    return f % 2 ? -u * area : u * area;
}

/* The flux into the box must be the flux out of it. */
static void rule_balance(struct reading *r, const struct input *in)
{
    const int in_face = faces_first(in, face_is_inflow), out_face = faces_first(in, face_is_outflow);
    double net = 0, gross = 0;
    int unknown = 0;
    if (in_face == FACES_NONE) {
        fault_add(
            &r->faults, place_of(r, face_at(out_face)),
            "boundary.%s = 'outflow', but nothing flows in; choose 'inflow' for a face and give its velocity",
            FACE_NAME[out_face]);
        return;
    }
    for (int f = 0; f < 6; ++f) {
        if (!face_is_inflow(in, f)) continue;
        if (!face_has_inflow_velocity(in, f)) {
            unknown = 1; /* its flux is known only with its file or on the grid */
            continue;
        }
        if (!is_given(r, velocity_at(f))) {
            fault_add(&r->faults, place_of(r, face_at(f)),
                      "boundary.%s = 'inflow' needs boundary.%s_velocity; add for example %s_velocity = %s",
                      FACE_NAME[f], FACE_NAME[f], FACE_NAME[f],
                      f / 2 == 0   ? "1, 0, 0"
                      : f / 2 == 1 ? "0, 1, 0"
                                   : "0, 0, 1");
            return;
        }
        net += flux(in, f);
        gross += fabs(flux(in, f));
    }
    if (out_face == FACES_NONE && faces_first(in, face_has_inflow_planes) != FACES_NONE)
        fault_add(&r->faults, place_of(r, profile_at(faces_first(in, face_has_inflow_planes))),
                  "boundary.%s_profile = 'planes' brings a flux that changes in time, and no face is an "
                  "outflow; choose 'outflow' for a face",
                  FACE_NAME[faces_first(in, face_has_inflow_planes)]);
    if (unknown) return;
    if (gross == 0)
        fault_add(&r->faults, place_of(r, velocity_at(in_face)),
                  "boundary.%s = 'inflow', but its velocity does not cross the face, nor does that of "
                  "another inflow; give boundary.%s_velocity(%d), or choose 'wall'",
                  FACE_NAME[in_face], FACE_NAME[in_face], in_face / 2 + 1);
    else if (out_face == FACES_NONE && fabs(net) > CANCELS * gross)
        fault_add(&r->faults, place_of(r, face_at(in_face)),
                  "boundary.%s = 'inflow' and no face is an outflow, but the fluxes through the inflows add "
                  "up to %g instead of 0: choose 'outflow' for a face, or velocities that cancel",
                  FACE_NAME[in_face], net);
    else if (out_face != FACES_NONE && net < -CANCELS * gross)
        fault_add(&r->faults, place_of(r, velocity_at(in_face)),
                  "the inflows take %g out of the box, and boundary.%s = 'outflow' lets nothing in; reverse "
                  "boundary.%s_velocity",
                  -net, FACE_NAME[out_face], FACE_NAME[in_face]);
}

/* Refuses what is not possible with open faces. */
static void rule_methods(struct reading *r, const struct input *in)
{
    const int first = faces_first(in, face_is_open), type = in->initial.type;
    const char *kind = face_is_inflow(in, first) ? "inflow" : "outflow", *face = FACE_NAME[first];
    const struct origin where = origin_of(r, face_at(first));
    if (is_good(r, OFF(pressure.method)) && method_is_exact(in))
        fault_add(&r->faults, place_of(r, OFF(pressure.method)),
                  "pressure.method = 'exact' can't be combined with open faces so far, and boundary.%s is "
                  "'%s' %s; choose 'projection'",
                  face, kind, where.text);
    const size_t start = OFF(initial.type);
    if (is_good(r, start) && type != INITIAL_UNIFORM && type != INITIAL_REST && type != INITIAL_CHANNEL &&
        type != INITIAL_FORMULA && type != INITIAL_FILE)
        fault_add(&r->faults, place_of(r, is_given(r, start) ? start : face_at(first)),
                  "initial.type = %s %s is a flow of a periodic box, and boundary.%s is '%s' %s; choose "
                  "'uniform', 'channel' or 'rest'",
                  value_write(&r->table[rule_variable(r, start)], 0, in).text, origin_of(r, start).text, face,
                  kind, where.text);
}

/* A table needs a file and a direction along its face; waves need a length. */
static void rule_profiles(struct reading *r, const struct input *in)
{
    const int random = faces_first(in, face_has_turbulent_inflow);
    for (int f = 0; f < 6; ++f) {
        int along[2];
        directions(f, along);
        if (!face_has_inflow_table(in, f) && !face_has_inflow_planes(in, f)) continue;
        if (in->boundary.file[f][0] == '\0')
            fault_add(&r->faults, place_of(r, profile_at(f)),
                      "boundary.%s_profile = '%s' needs boundary.%s_file; add for example %s_file = '%s'",
                      FACE_NAME[f], face_has_inflow_planes(in, f) ? "planes" : "table", FACE_NAME[f],
                      FACE_NAME[f], face_has_inflow_planes(in, f) ? "inflow.h5" : "inflow.txt");
        if (!face_has_inflow_planes(in, f) && in->boundary.along[f] == f / 2)
            fault_add(&r->faults, place_of(r, is_given(r, along_at(f)) ? along_at(f) : profile_at(f)),
                      "boundary.%s_along = '%c' points through the face; choose '%c' or '%c'", FACE_NAME[f],
                      "xyz"[f / 2], "xyz"[along[0]], "xyz"[along[1]]);
    }
    if (random != FACES_NONE && !(in->boundary.turbulence_length > 0))
        fault_add(&r->faults, place_of(r, turbulence_at(random)),
                  "boundary.%s_turbulence needs boundary.turbulence_length above 0; add for example "
                  "turbulence_length = 0.2",
                  FACE_NAME[random]);
}

/* Whether a window ends before an end of direction d. */
static int window_ends(const struct input *in, int f, int n, int d, int side)
{
    const double *w = in->boundary.window[f], low = in->grid.origin[d], length = in->grid.length[d],
                 slack = 1e-9 * length;
    if (whole(w)) return 0;
    return side ? w[2 * n + 1] < low + length - slack : w[2 * n] > low + slack;
}

/* Finds the walls at both ends of a direction along the open part of a face. If there is one, there must be
 * another wall, or a plane of symmetry, opposite; otherwise this is a fault. */
static int parabola_walls(struct reading *r, const struct input *in, int f, int n, int d)
{
    int walls = 0, through = FACES_NONE;
    for (int side = 0; side < 2; ++side) {
        const int end = 2 * d + side, edge = window_ends(in, f, n, d, side);
        walls += edge || face_is_noslip(in, end);
        if (!edge && face_is_open(in, end)) through = end;
    }
    if (walls == 1 && through != FACES_NONE)
        fault_add(&r->faults, place_of(r, profile_at(f)),
                  "boundary.%s_profile = 'parabolic': in %c the inflow has a wall at one end, and at the "
                  "other fluid passes through boundary.%s %s; choose 'uniform' or 'table', a window that "
                  "ends before, or 'wall' or 'slip' for boundary.%s",
                  FACE_NAME[f], "xyz"[d], FACE_NAME[through], origin_of(r, face_at(through)).text,
                  FACE_NAME[through]);
    return walls;
}

/* A developed laminar flow needs walls; those of a duct must be at rest. */
static void rule_parabola(struct reading *r, const struct input *in, int f)
{
    int along[2], walls[2];
    directions(f, along);
    for (int n = 0; n < 4; ++n) {
        const int wall = 2 * along[n / 2] + n % 2;
        if (!face_has_wall_formula(in, wall) || window_ends(in, f, n / 2, along[n / 2], n % 2)) continue;
        fault_add(&r->faults, place_of(r, profile_at(f)),
                  "boundary.%s_profile = 'parabolic' is the flow between walls of uniform velocity, and "
                  "boundary.%s_profile = 'formula' %s; choose 'formula' or 'table', or give "
                  "boundary.%s_velocity",
                  FACE_NAME[f], FACE_NAME[wall], origin_of(r, profile_at(wall)).text, FACE_NAME[wall]);
        return;
    }
    for (int n = 0; n < 2; ++n) walls[n] = parabola_walls(r, in, f, n, along[n]);
    if (walls[0] + walls[1] == 0)
        fault_add(&r->faults, place_of(r, profile_at(f)),
                  "boundary.%s_profile = 'parabolic' is the flow between no-slip walls, and the inflow has "
                  "none beside it, neither in %c nor in %c; choose 'uniform', or 'wall' for faces beside it",
                  FACE_NAME[f], "xyz"[along[0]], "xyz"[along[1]]);
    for (int n = 0; n < 4 && walls[0] > 0 && walls[1] > 0; ++n) {
        const int wall = 2 * along[n / 2] + n % 2;
        if (!face_is_noslip(in, wall) || window_ends(in, f, n / 2, along[n / 2], n % 2)) continue;
        for (int c = 0; c < 3; ++c)
            if (in->boundary.velocity[wall][c] != 0)
                fault_add(&r->faults, place_of_element(r, velocity_at(wall), c, velocity_at(wall)),
                          "boundary.%s_velocity(%d) = %g: boundary.%s_profile = 'parabolic' %s between walls "
                          "in %c and %c needs walls at rest; make it 0, or choose 'uniform' or 'table'",
                          FACE_NAME[wall], c + 1, in->boundary.velocity[wall][c], FACE_NAME[f],
                          origin_of(r, profile_at(f)).text, "xyz"[along[0]], "xyz"[along[1]]);
    }
}

void check_open(struct reading *r, const struct input *in)
{
    if (!faces_any_open(in)) return;
    if (rule_windows(r, in)) {
        rule_balance(r, in);
        for (int f = 0; f < 6; ++f)
            if (face_has_parabolic_inflow(in, f)) rule_parabola(r, in, f);
    }
    rule_profiles(r, in);
    rule_methods(r, in);
}
