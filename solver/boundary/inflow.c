/* Computes the steady velocities on inflow faces from profiles and tables, checks that their fluxes balance,
 * and answers questions about inflows. */
#include "inflow.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "io/planefile.h"
#include "face_formula.h"
#include "inflow_planefile.h"
#include "inflow_waves.h"
#include "math/laminar_profile.h"

/* Without an outflow, the fluxes of the inflows must balance. IMBALANCE: largest imbalance, relative to the
 * total incoming flux, that is removed; the incoming velocities are then multiplied by a factor. CANCELS: an
 * imbalance below this is only rounding of the inputs. */
static const double IMBALANCE = 1e-2, CANCELS = 1e-9;
/* Largest velocity of the turbulence, in root mean squares. */
static const double PEAK = 3;

struct inflow {
    const struct input *in;
    const struct input_source *source; /* NULL: not known */
    const struct grid *g;
    double *steady[FACES];           /* planes of the mean velocity */
    struct face_table table[FACES];  /* of profiles that are tables */
    struct inflow_wave *wave[FACES]; /* of turbulence; NULL: none */
    struct planefile *planes[FACES]; /* profiles that are planes in time; their plane here is 0 */
};

/* --- profiles --- */

/* opening: the open part of a face along one direction, and whether walls bound it there. */
struct opening {
    double low, high; /* [L] */
    int wall[2];
    double velocity[2][3]; /* of the walls [U] */
};

static struct opening opening_of(const struct input *in, const struct grid *g, const struct inflow_face *f,
                                 int n)
{
    const int d = f->along[n];
    const double *w = in->boundary.window[f->face], from = g->face[d][0], to = g->face[d][g->n_g[d]];
    const int whole = w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0;
    struct opening s = {.low = whole ? from : w[2 * n], .high = whole ? to : w[2 * n + 1]};
    const double slack = 1e-9 * (to - from);
    for (int side = 0; side < 2; ++side) {
        const int edge = side ? s.high < to - slack : s.low > from + slack, face = 2 * d + side;
        s.wall[side] = edge || face_is_noslip(in, face);
        for (int c = 0; c < 3 && s.wall[side] && !edge; ++c)
            s.velocity[side][c] = in->boundary.velocity[face][c];
    }
    return s;
}

/* Distance between the walls of the laminar profile. A free-slip end is the middle of a profile that is twice
 * as wide. */
static double wall_width(struct opening s)
{
    return (s.wall[0] && s.wall[1] ? 1 : 2) * (s.high - s.low);
}

static double wall_place(struct opening s, double x)
{
    return x - s.low + (s.wall[0] ? 0 : s.high - s.low);
}

/* The developed laminar flow through the open part, without its factor: a constant, a parabola, or the
 * profile of a rectangular duct. */
static double laminar(const struct opening s[2], double x, double y)
{
    const int across[2] = {s[0].wall[0] || s[0].wall[1], s[1].wall[0] || s[1].wall[1]};
    const double a = wall_width(s[0]), b = wall_width(s[1]), p = wall_place(s[0], x), q = wall_place(s[1], y);
    if (!across[0] && !across[1]) return 1;
    if (!across[1]) return p * (a - p) / (a * a);
    if (!across[0]) return q * (b - q) / (b * b);
    const double from_middle[2] = {p - a / 2, q - b / 2};
    return laminar_velocity((struct laminar_section){{a / 2, b / 2}}, from_middle);
}

/* Velocity with which the moving walls of a channel carry the fluid along: linear between two walls, and
 * constant beside a single one. The walls of a duct are at rest (check_open). */
static double carried(const struct opening s[2], int c, const double x[2])
{
    double sum = 0;
    for (int n = 0; n < 2; ++n) {
        const struct opening *t = &s[n];
        const double between = (x[n] - t->low) / (t->high - t->low), high = !t->wall[0]  ? 1
                                                                            : t->wall[1] ? between
                                                                                         : 0;
        sum += (1 - high) * t->velocity[0][c] + high * t->velocity[1][c];
    }
    return sum;
}

static double coordinate(const struct grid *g, int d, int on_face, int i)
{
    return on_face ? g->face[d][i] : g->centre[d][i < g->n_g[d] ? i : g->n_g[d] - 1];
}

/* Whether a point lies in the open part. Points on its edge belong to the wall there. */
static int within(struct opening s, double x, int on_face)
{
    const double slack = 1e-9 * (s.high - s.low);
    if (!on_face) return x > s.low && x < s.high;
    return x > s.low + (s.wall[0] ? slack : -slack) && x < s.high - (s.wall[1] ? slack : -slack);
}

/* The profile of component c, without its factor, at each of its places; it is 0 where the face is closed. */
static void shape_plane(const struct input *in, const struct grid *g, const struct inflow_face *f, int c,
                        double *value)
{
    const struct opening s[2] = {opening_of(in, g, f, 0), opening_of(in, g, f, 1)};
    const int on[2] = {c == f->along[0], c == f->along[1]};
    for (int j = 0; j <= f->cells[1]; ++j) {
        const double y = coordinate(g, f->along[1], on[1], j);
        for (int i = 0; i <= f->cells[0]; ++i) {
            const double x = coordinate(g, f->along[0], on[0], i);
            double u = within(s[0], x, on[0]) && within(s[1], y, on[1]);
            if (u > 0 && face_has_parabolic_inflow(in, f->face)) u = laminar(s, x, y);
            value[inflow_place(f, c, i, j)] = u;
        }
    }
}

/* Mean over the open part of a profile of the velocity through the face. */
static double shape_mean(const struct grid *g, const struct inflow_face *f, const double *value)
{
    double sum = 0, area = 0;
    for (int j = 0; j < f->cells[1]; ++j)
        for (int i = 0; i < f->cells[0]; ++i) {
            const double part = grid_width(g, f->along[0], i) * grid_width(g, f->along[1], j),
                         u = value[inflow_place(f, f->face / 2, i, j)];
            sum += u * part;
            area += part * (u != 0);
        }
    return area > 0 ? sum / area : 0;
}

static struct input_place file_place(const struct inflow *inflow, int face)
{
    return input_place(inflow->source, offsetof(struct input, boundary.file) + (size_t)face * INPUT_TEXT, 0);
}

/* Where the input gives the velocity of a face: in a table, or in the namelist as numbers or formulas. */
static struct input_place velocity_place(const struct inflow *inflow, int face)
{
    const size_t numbers = offsetof(struct input, boundary.velocity) + (size_t)face * 3 * sizeof(double),
                 formulas = offsetof(struct input, boundary.formula) + (size_t)face * 3 * INPUT_TEXT;
    if (face_has_inflow_table(inflow->in, face)) return file_place(inflow, face);
    struct input_place p =
        input_place(inflow->source, face_has_inflow_formula(inflow->in, face) ? formulas : numbers, 0);
    p.name[strcspn(p.name, "(")] = '\0';
    return p;
}

/* Mean, over the open cells of a face, of the velocity with which the walls carry the fluid along. */
static double carried_mean(const struct grid *g, const struct inflow_face *f, const struct opening s[2],
                           int c)
{
    double sum = 0, area = 0;
    for (int j = 0; j < f->cells[1]; ++j)
        for (int i = 0; i < f->cells[0]; ++i) {
            const double x[2] = {g->centre[f->along[0]][i], g->centre[f->along[1]][j]},
                         part = grid_width(g, f->along[0], i) * grid_width(g, f->along[1], j);
            if (!within(s[0], x[0], 0) || !within(s[1], x[1], 0)) continue;
            sum += part * carried(s, c, x);
            area += part;
        }
    return sum / area;
}

/* Velocities of a table; they are 0 where the face is closed. */
static void table_plane(const struct inflow *inflow, const struct inflow_face *f, double *value)
{
    const struct input *in = inflow->in;
    const struct grid *g = inflow->g;
    const int second = in->boundary.along[f->face] == f->along[1];
    for (int c = 0; c < 3; ++c)
        for (int j = 0; j <= f->cells[1]; ++j)
            for (int i = 0; i <= f->cells[0]; ++i) {
                const double x = coordinate(g, f->along[second], c == f->along[second], second ? j : i);
                value[inflow_place(f, c, i, j)] *= face_table_at(&inflow->table[f->face], c, x);
            }
}

/* Velocities by formulas; they are 0 where the face is closed. */
static kol_status formula_plane(const struct inflow *inflow, const struct inflow_face *f, double *value)
{
    struct face_formula by;
    TRY(face_formula_make(inflow->in, inflow->source, inflow->g, f->face, &by));
    for (int c = 0; c < 3; ++c)
        for (int j = 0; j <= f->cells[1]; ++j)
            for (int i = 0; i <= f->cells[0]; ++i) {
                double *u = &value[inflow_place(f, c, i, j)];
                const double along[2] = {coordinate(inflow->g, f->along[0], c == f->along[0], i),
                                         coordinate(inflow->g, f->along[1], c == f->along[1], j)};
                if (*u != 0) TRY(face_formula_at(&by, c, along, u));
            }
    return KOL_OK;
}

/* Adds up the developed flow with the required mean velocity: first the part that the walls carry along, then
 * a multiple of the laminar profile, which supplies the rest of the mean. */
static void laminar_plane(const struct inflow *inflow, const struct inflow_face *f, int c, double mean,
                          double *value)
{
    const struct input *in = inflow->in;
    const struct grid *g = inflow->g;
    const struct opening s[2] = {opening_of(in, g, f, 0), opening_of(in, g, f, 1)};
    const int on[2] = {c == f->along[0], c == f->along[1]};
    const int moves = face_has_parabolic_inflow(in, f->face);
    const double factor = (in->boundary.velocity[f->face][c] - (moves ? carried_mean(g, f, s, c) : 0)) / mean;
    for (int j = 0; j <= f->cells[1]; ++j)
        for (int i = 0; i <= f->cells[0]; ++i) {
            double *u = &value[inflow_place(f, c, i, j)];
            const double x[2] = {coordinate(g, f->along[0], on[0], i), coordinate(g, f->along[1], on[1], j)};
            *u = *u * factor + (moves && *u != 0 ? carried(s, c, x) : 0);
        }
}

static kol_status steady_plane(const struct inflow *inflow, const struct inflow_face *f, double *value)
{
    const struct input *in = inflow->in;
    for (int c = 0; c < 3; ++c) shape_plane(in, inflow->g, f, c, value);
    const double mean = shape_mean(inflow->g, f, value);
    if (!(mean > 0)) {
        const size_t window = offsetof(struct input, boundary.window) + (size_t)f->face * 4 * sizeof(double);
        const struct input_place p = input_place(inflow->source, window, 0);
        RAISE(KOL_ERR_INPUT,
              "%s: error: boundary.%c_%s_window lies between the centres of cells: no cell is open; make it "
              "wider, or take more cells",
              p.at, "xyz"[f->face / 2], f -> face % 2 ? "high" : "low");
    }
    if (face_has_inflow_table(in, f->face)) {
        table_plane(inflow, f, value);
        return KOL_OK;
    }
    if (face_has_inflow_formula(in, f->face)) return formula_plane(inflow, f, value);
    for (int c = 0; c < 3; ++c) laminar_plane(inflow, f, c, mean, value);
    return KOL_OK;
}

/* --- balance --- */

/* Flux of a plane through the face: the sum of area times velocity. */
static double through_face(const struct grid *g, const struct inflow_face *f, const double *value)
{
    double sum = 0;
    for (int j = 0; j < f->cells[1]; ++j)
        for (int i = 0; i < f->cells[0]; ++i)
            sum += grid_width(g, f->along[0], i) * grid_width(g, f->along[1], j) *
                   value[inflow_place(f, f->face / 2, i, j)];
    return sum;
}

static int inward(const struct inflow_face *f, double velocity)
{
    return f->face % 2 ? velocity < 0 : velocity > 0;
}

/* Adds the fluxes of a plane into the box and out of it, and multiplies the incoming velocities by
 * `factor`. */
static void add_both_ways(const struct grid *g, const struct inflow_face *f, double factor, double *value,
                          double *in, double *out)
{
    for (int j = 0; j < f->cells[1]; ++j)
        for (int i = 0; i < f->cells[0]; ++i) {
            double *u = &value[inflow_place(f, f->face / 2, i, j)];
            const double part = grid_width(g, f->along[0], i) * grid_width(g, f->along[1], j) * fabs(*u);
            *(inward(f, *u) ? in : out) += part;
            if (inward(f, *u)) *u *= factor;
        }
}

static void both_ways(struct inflow *inflow, double factor, double *in, double *out)
{
    *in = *out = 0;
    for (int face = 0; face < FACES; ++face) {
        const struct inflow_face f = inflow_face_make(inflow->g, face);
        if (inflow->steady[face] != NULL) add_both_ways(inflow->g, &f, factor, inflow->steady[face], in, out);
    }
}

/* The inflow that takes most fluid out of the box; if none takes any out, the first inflow. A message about
 * the balance names this one. */
static struct input_place worst_place(struct inflow *inflow)
{
    int worst = -1;
    double most = -1;
    for (int face = 0; face < FACES; ++face) {
        const struct inflow_face f = inflow_face_make(inflow->g, face);
        double in = 0, out = 0;
        if (inflow->steady[face] == NULL) continue;
        add_both_ways(inflow->g, &f, 1, inflow->steady[face], &in, &out);
        if (out - in <= most && worst >= 0) continue;
        most = out - in;
        worst = face;
    }
    return velocity_place(inflow, worst);
}

/* Checks the balance of the inflows. With an outflow, the inflows together must not take out more fluid than
 * they bring in, since the outflow takes the rest. Without an outflow, what they bring in and what they take
 * out must be equal. Turbulence has no net flux. */
static kol_status balance(struct inflow *inflow)
{
    double in, out;
    int later = 0; /* planes in time are checked when they are read */
    for (int face = 0; face < FACES; ++face) later |= inflow->planes[face] != NULL;
    both_ways(inflow, 1, &in, &out);
    const struct input_place p = worst_place(inflow);
    if (in + out == 0 && !later)
        RAISE(KOL_ERR_INPUT,
              "%s: error: nothing flows through the inflows: the velocities of %s are 0 on all open cells; "
              "give a velocity through the face, or choose 'wall'",
              p.at, p.name);
    for (int face = 0; face < FACES; ++face) {
        if (!face_is_outflow(inflow->in, face)) continue;
        if (out - in > CANCELS * (in + out))
            RAISE(KOL_ERR_INPUT,
                  "%s: error: the inflows take %.6g out of the box, but outflows let nothing in: reverse the "
                  "velocity of %s",
                  p.at, out - in, p.name);
        return KOL_OK;
    }
    if (fabs(in - out) > IMBALANCE * fmax(in, out))
        RAISE(KOL_ERR_INPUT,
              "%s: error: no face is an outflow, and the inflows bring %.6g and take out %.6g (%s): choose "
              "'outflow' for a face, or velocities that cancel",
              p.at, in, out, p.name);
    if (in > 0) both_ways(inflow, out / in, &in, &out);
    return KOL_OK;
}

/* --- turbulence --- */

/* Damping of the turbulence near walls: it grows from 0 on a wall to 1 at about the length of the eddies. */
static double damped(struct opening s, double x, double length)
{
    double factor = 1;
    for (int side = 0; side < 2; ++side) {
        const double away = fmax(side ? s.high - x : x - s.low, 0) * 2 / length;
        if (s.wall[side]) factor *= 1 - exp(-away * away);
    }
    return factor;
}

double inflow_weight(const struct inflow *inflow, const struct inflow_face *f, int n, int on_face, int i)
{
    const struct opening s = opening_of(inflow->in, inflow->g, f, n);
    const double x = coordinate(inflow->g, f->along[n], on_face, i);
    return within(s, x, on_face) ? damped(s, x, inflow->in->boundary.turbulence_length) : 0;
}

/* Area of the open cells of a face. */
static double open_area(const struct input *in, const struct grid *g, const struct inflow_face *f)
{
    const struct opening s[2] = {opening_of(in, g, f, 0), opening_of(in, g, f, 1)};
    double length[2] = {0, 0};
    for (int n = 0; n < 2; ++n)
        for (int i = 0; i < f->cells[n]; ++i)
            if (within(s[n], g->centre[f->along[n]][i], 0)) length[n] += grid_width(g, f->along[n], i);
    return length[0] * length[1];
}

static void inflow_turbulence_fill(struct inflow *inflow, const struct inflow_face *f)
{
    const struct input *in = inflow->in;
    const double speed = through_face(inflow->g, f, inflow->steady[f->face]) / open_area(in, inflow->g, f);
    inflow_waves_make(in->run.seed, in->boundary.turbulence_length, inflow->g, f->face, speed,
                      in->boundary.turbulence_modes, inflow->wave[f->face]);
}

/* --- the whole --- */

static kol_status allocate(struct inflow *inflow)
{
    const struct input *in = inflow->in;
    const struct grid *g = inflow->g;
    int good = 1;
    for (int face = 0; face < FACES; ++face) {
        if (!face_is_inflow(in, face)) continue;
        const struct inflow_face f = inflow_face_make(g, face);
        inflow->steady[face] = malloc(inflow_values(&f) * sizeof(double));
        good = good && inflow->steady[face] != NULL;
        if (!face_has_turbulent_inflow(in, face)) continue;
        inflow->wave[face] = malloc((size_t)in->boundary.turbulence_modes * sizeof(struct inflow_wave));
        good = good && inflow->wave[face] != NULL;
    }
    if (!good) RAISE(KOL_ERR_MEMORY, "no memory for the planes of inflows");
    return KOL_OK;
}

static kol_status read_files(const struct comm *c, struct inflow *inflow)
{
    const struct input *in = inflow->in;
    for (int face = 0; face < FACES; ++face) {
        const int d = in->boundary.along[face];
        const double *line = inflow->g->face[d];
        if (face_has_inflow_planes(in, face))
            TRY(inflow_planefile_open(c, in, inflow->g, face, &inflow->planes[face]));
        if (inflow->steady[face] == NULL || !face_has_inflow_table(in, face)) continue;
        const struct input_place by = file_place(inflow, face);
        TRY(face_table_read(c, in->boundary.file[face], &by, TABLE_OF_VELOCITY, line[0],
                            line[inflow->g->n_g[d]], &inflow->table[face]));
    }
    return KOL_OK;
}

static kol_status fill(struct inflow *inflow)
{
    for (int face = 0; face < FACES; ++face) {
        const struct inflow_face f = inflow_face_make(inflow->g, face);
        if (inflow->planes[face] != NULL) memset(inflow->steady[face], 0, inflow_values(&f) * sizeof(double));
        else if (inflow->steady[face] != NULL) TRY(steady_plane(inflow, &f, inflow->steady[face]));
    }
    TRY(balance(inflow));
    for (int face = 0; face < FACES; ++face) {
        const struct inflow_face f = inflow_face_make(inflow->g, face);
        if (inflow->wave[face] != NULL) inflow_turbulence_fill(inflow, &f);
    }
    return KOL_OK;
}

kol_status inflow_create(const struct comm *c, const struct input *in, const struct input_source *source,
                         const struct grid *g, struct inflow **out)
{
    if (!faces_any_inflow(in)) return KOL_OK;
    struct inflow *inflow = *out = calloc(1, sizeof *inflow);
    if (inflow != NULL) {
        inflow->in = in;
        inflow->source = source;
        inflow->g = g;
    }
    TRY(comm_agree(c, inflow != NULL
                          ? allocate(inflow)
                          : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for inflows")));
    TRY(read_files(c, inflow));
    return comm_agree(c, fill(inflow));
}

void inflow_destroy(struct inflow **inflow)
{
    if (*inflow == NULL) return;
    for (int face = 0; face < FACES; ++face) {
        free((*inflow)->steady[face]);
        free((*inflow)->wave[face]);
        planefile_close(&(*inflow)->planes[face]);
        face_table_drop(&(*inflow)->table[face]);
    }
    free(*inflow);
    *inflow = NULL;
}

const struct input *inflow_input(const struct inflow *inflow)
{
    return inflow->in;
}

const struct planefile *inflow_planefile(const struct inflow *inflow, int face)
{
    return inflow != NULL ? inflow->planes[face] : NULL;
}

kol_status inflow_ready(const struct inflow *inflow, double t)
{
    int first;
    double part;
    for (int face = 0; inflow != NULL && face < FACES; ++face) {
        const struct planefile *f = inflow->planes[face];
        if (f == NULL || inflow_planefile_at(inflow->in, f, t, &first, &part)) continue;
        const double *time = planefile_times(f);
        RAISE(KOL_ERR_INPUT,
              "%s: error: its planes reach from t = %.10g to %.10g, but t = %.10g is needed; lower "
              "run.t_end, or add planes_loop = .true. to &boundary",
              inflow->in->boundary.file[face], time[0], time[planefile_count(f) - 1], t);
    }
    return KOL_OK;
}

const struct face_table *inflow_table_of(const struct inflow *inflow, int face)
{
    return inflow != NULL && inflow->table[face].points > 0 ? &inflow->table[face] : NULL;
}

const struct grid *inflow_grid(const struct inflow *inflow)
{
    return inflow->g;
}

const struct inflow_wave *inflow_waves(const struct inflow *inflow, int face)
{
    return inflow->wave[face];
}

double inflow_coordinate(const struct inflow *inflow, const struct inflow_face *f, int n, int on_face, int i)
{
    return coordinate(inflow->g, f->along[n], on_face, i);
}

int inflow_index(const struct inflow *inflow, const struct decomp *d, int dir, int on_face, int i)
{
    return inflow_face_index(inflow->g, d, dir, on_face, i);
}

double inflow_steady(const struct inflow *inflow, const struct decomp *d, int face, int c, int i, int j)
{
    const struct inflow_face f = inflow_face_make(inflow->g, face);
    return inflow->steady[face][inflow_place(&f, c, inflow_index(inflow, d, f.along[0], c == f.along[0], i),
                                             inflow_index(inflow, d, f.along[1], c == f.along[1], j))];
}

double inflow_largest(const struct inflow *inflow, int face, int c)
{
    const struct inflow_face f = inflow_face_make(inflow->g, face);
    double most = 0;
    for (int j = 0; j < f.cells[1]; ++j)
        for (int i = 0; i < f.cells[0]; ++i)
            most = fmax(most, fabs(inflow->steady[face][inflow_place(&f, c, i, j)]));
    return most;
}

double inflow_speed(const struct inflow *inflow, int c)
{
    double most = 0;
    for (int face = 0; inflow != NULL && face < FACES; ++face) {
        if (inflow->steady[face] == NULL) continue;
        double steady = inflow_largest(inflow, face, c);
        if (inflow->planes[face] != NULL) steady = planefile_largest(inflow->planes[face], c);
        most = fmax(most, steady + PEAK * inflow->in->boundary.turbulence[face][c]);
    }
    return most;
}

double inflow_mean(const struct inflow *inflow, int face)
{
    if (inflow == NULL || inflow->steady[face] == NULL) return 0;
    const struct inflow_face f = inflow_face_make(inflow->g, face);
    double area = 1;
    for (int n = 0; n < 2; ++n)
        area *= inflow->g->face[f.along[n]][f.cells[n]] - inflow->g->face[f.along[n]][0];
    return through_face(inflow->g, &f, inflow->steady[face]) / area;
}
