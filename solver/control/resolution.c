/* Estimates what the grid resolves and puts it into words, for --check and the log. */
#include "resolution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/box_forecast.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "io/log.h"
#include "wall_friction.h"
#include "kernels/base/constants.h"

/* Largest spacings in wall units for direct simulations with second-order schemes. They are a little above
 * the spacings of Kim, Moin and Moser (1987) and of Moser, Kim and Mansour (1999). Those are 9.7 to 17.7
 * streamwise, 4.8 to 7 spanwise, and 4.4 to 7.2 wall-normal at the centre. */
static const double STREAM_MOST = 15, SPAN_MOST = 8, FIRST_MOST = 1, CENTRE_MOST = 9;
/* Smallest boxes in wall units: smaller ones hold less than the minimal flow unit of Jimenez and Moin
 * (1991). */
static const double STREAM_LEAST = 250, SPAN_LEAST = 100;
/* Widths that grow faster than this from cell to cell cost accuracy: docs/numerics/momentum.md. */
static const double GROWTH_MOST = 1.15;
static const double NEAR = 10; /* height in wall units of the layer near a wall whose points are counted */
/* For isotropic turbulence: eps = 0.5 u^3/L11 (Sreenivasan 1998), and k_max eta should be at least 1 (Pope
 * 2000, section 9.1). */
static const double DISSIPATION = 0.5, KMAX_ETA_LEAST = 1;

struct spacing {
    double least, most, growth;
};

static struct spacing spacing_of(const struct grid *g, int d)
{
    struct spacing s = {INFINITY, 0, 1};
    for (int i = 0; i < g->n_g[d]; ++i) {
        const int below = i > 0 ? i - 1 : g->periodic[d] ? g->n_g[d] - 1 : 0;
        const double w = grid_width(g, d, i), before = grid_width(g, d, below);
        s.least = fmin(s.least, w);
        s.most = fmax(s.most, w);
        s.growth = fmax(s.growth, fmax(w / before, before / w));
    }
    return s;
}

/* along: how a direction along the walls lies to the stream. In a frame that turns about the normal of the
 * walls the direction of the friction is not known (ALONG_WALLS). */
enum along { ALONG_STREAM, ALONG_SPAN, ALONG_WALLS };

/* Describes a direction along the walls. unit: length of a wall unit. */
static void tell_along(FILE *text, FILE *warnings, const struct grid *g, int d, enum along kind, double unit,
                       int turbulent)
{
    static const char *const NAME[] = {"stream", "span", "walls"};
    const struct spacing s = spacing_of(g, d);
    const int stream = kind == ALONG_STREAM;
    const double most = stream ? STREAM_MOST : SPAN_MOST, least = stream ? STREAM_LEAST : SPAN_LEAST,
                 box = g->length[d] / unit;
    fprintf(text, "  %c, along the %s: %.3g to %.3g wall units, box %.4g\n", "xyz"[d], NAME[kind],
            s.least / unit, s.most / unit, box);
    if (turbulent && s.most / unit > most)
        fprintf(warnings,
                "cells of %.3g wall units in %c are too %s for a direct simulation, which needs at most "
                "about %.3g along the %s\n",
                s.most / unit, "xyz"[d], stream ? "long" : "wide", most, NAME[kind]);
    if (turbulent && g->periodic[d] && box < least)
        fprintf(warnings,
                "the box is %.3g wall units in %c: turbulence needs about %.3g along the %s to last\n", box,
                "xyz"[d], least, NAME[kind]);
}

/* near: the width of the first cell at a wall in wall units, and the number of centres below NEAR. */
struct near {
    double width;
    int points;
};

static struct near near_wall(const struct grid *g, int d, int side, double unit)
{
    const int n = g->n_g[d];
    const double end = side ? g->face[d][n] : g->face[d][0];
    struct near a = {grid_width(g, d, side ? n - 1 : 0) / unit, 0};
    for (int i = 0; i < n; ++i) a.points += fabs(g->centre[d][i] - end) < NEAR * unit;
    return a;
}

static int same_near(struct near a, struct near b)
{
    return a.points == b.points && fabs(a.width - b.width) < 1e-6 * a.width;
}

/* Describes a direction from wall to wall: the spacings at its walls and at its coarsest place, and the
 * number of points within NEAR wall units of the nearer wall. */
static void tell_normal(FILE *text, FILE *warnings, const struct input *in, const struct grid *g, int d,
                        double unit, int turbulent)
{
    const struct spacing s = spacing_of(g, d);
    const int has[2] = {face_has_friction(in, 2 * d), face_has_friction(in, 2 * d + 1)};
    const struct near a[2] = {near_wall(g, d, 0, unit), near_wall(g, d, 1, unit)};
    const int both = has[0] && has[1] && same_near(a[0], a[1]);
    double first = 0;
    for (int side = 0; side < 2; ++side) {
        if (!has[side] || (side == 1 && both)) continue;
        first = fmax(first, a[side].width / 2);
        fprintf(text, "  %c, %s wall: first cell %.3g wall units, its centre at %.3g; %d centres below %g\n",
                "xyz"[d],
                both   ? "upper wall and lower"
                : side ? "upper"
                       : "lower",
                a[side].width, a[side].width / 2, a[side].points, NEAR);
    }
    const double most = s.most / unit;
    fprintf(text, "  %c, far from walls: %.3g wall units\n", "xyz"[d], most);
    if (turbulent && first > FIRST_MOST)
        fprintf(warnings,
                "the first centre lies %.3g wall units from the wall in %c: a direct simulation needs at "
                "most about %.3g\n",
                first, "xyz"[d], FIRST_MOST);
    if (turbulent && most > CENTRE_MOST)
        fprintf(warnings,
                "cells of %.3g wall units in %c are too high for a direct simulation, which needs at most "
                "about %.3g far from the wall\n",
                most, "xyz"[d], CENTRE_MOST);
}

static void tell_walls(FILE *text, FILE *warnings, const struct input *in, const struct grid *g)
{
    struct wall_flow s;
    const char *by;
    int turbulent;
    if (!wall_friction_flow(in, &s) && !wall_friction_inflow(in, &s)) return;
    const double u_tau = wall_friction_expected(in, &s, &by, &turbulent);
    if (!(u_tau > 0)) {
        fprintf(text, "  wall units: the friction is not known in advance%s; fluid.re_tau would tell it\n",
                stream_turned(in) ? " in a frame that turns about the walls' normal" : "");
        return;
    }
    const double unit = in->fluid.nu / u_tau;
    fprintf(text, "  friction velocity %.4g, Re_tau %.4g by %s: %s; wall unit %.4g\n", u_tau, s.delta / unit,
            by, turbulent ? "turbulent" : "laminar at this Reynolds number", unit);
    for (int d = 0; d < 3; ++d) {
        if (d == s.normal[0] || (s.normals == 2 && d == s.normal[1]))
            tell_normal(text, warnings, in, g, d, unit, turbulent);
        else
            tell_along(text, warnings, g, d,
                       stream_turned(in) ? ALONG_WALLS
                       : d == s.stream   ? ALONG_STREAM
                                         : ALONG_SPAN,
                       unit, turbulent);
    }
}

static void tell_growth(FILE *text, FILE *warnings, const struct grid *g)
{
    for (int d = 0; d < 3; ++d) {
        const struct spacing s = spacing_of(g, d);
        if (g->uniform[d]) continue;
        fprintf(text, "  %c: widths %.6g to %.6g, largest growth ratio %.4f\n", "xyz"[d], s.least, s.most,
                s.growth);
        if (s.growth > GROWTH_MOST)
            fprintf(warnings,
                    "widths in %c grow by %.3f from cell to cell: above about %.2f accuracy suffers; take "
                    "more cells or a "
                    "weaker stretching\n",
                    "xyz"[d], s.growth, GROWTH_MOST);
    }
}

/* Warns if the edges of a window lie within cells. Cells whose centres lie in the window are open, so the
 * open part then ends at other places than the input says. */
static void tell_window(FILE *warnings, const struct input *in, const struct grid *g, int face, int n)
{
    const int d = n == 0 ? (face / 2 == X ? Y : X) : (face / 2 == Z ? Y : Z);
    const double *w = in->boundary.window[face] + 2 * n, slack = 1e-6;
    int first = 0, end = g->n_g[d];
    while (first < end && !(g->centre[d][first] > w[0])) ++first;
    while (end > first && !(g->centre[d][end - 1] < w[1])) --end;
    if (first == end) return; /* inflow_create refuses it */
    const double low = g->face[d][first], high = g->face[d][end];
    if (fabs(low - w[0]) > slack * grid_width(g, d, first) ||
        fabs(high - w[1]) > slack * grid_width(g, d, end - 1))
        fprintf(warnings,
                "the window of the inflow %c_%s, %.10g to %.10g in %c, has edges within cells: the open "
                "cells reach from %.10g to %.10g\n",
                "xyz"[face / 2], face % 2 ? "high" : "low", w[0], w[1], "xyz"[d], low, high);
}

static void tell_windows(FILE *warnings, const struct input *in, const struct grid *g)
{
    for (int face = 0; face < FACES; ++face) {
        const double *w = in->boundary.window[face];
        if (!face_is_inflow(in, face) || (w[0] == w[1] && w[2] == w[3])) continue;
        for (int n = 0; n < 2; ++n) tell_window(warnings, in, g, face, n);
    }
}

/* Integral scale of the spectra with their tails: 3 pi/4 times the ratio of int E/k dk to int E dk. */
static double integral_scale(const struct input *in)
{
    const int saffman = in->initial.large_scales == LARGE_SCALES_SAFFMAN;
    const double gaussian = saffman ? 1.5 * sqrt(PI) : sqrt(2 * PI),
                 von_karman = saffman ? 1.2272 : 0.7468 / sqrt(5.0 / 12);
    return (in->initial.spectrum == SPECTRUM_GAUSSIAN ? gaussian : von_karman) / in->initial.k_peak;
}

/* Pi over the largest spacing, as in statistics.nc. */
static double k_max_of(const struct grid *g)
{
    double most = 0;
    for (int d = 0; d < 3; ++d) most = fmax(most, spacing_of(g, d).most);
    return PI / most;
}

/* Whether the most energetic waves of the initial flow are waves of the grid: else it has the rising part of
 * the spectrum alone. 'von-karman' ends at the largest wavenumber of the coarsest direction. */
static void tell_peak(FILE *warnings, const struct input *in)
{
    double least = INFINITY, most = 0;
    for (int d = 0; d < 3; ++d) {
        const double k = PI * in->grid.n[d] / in->grid.length[d];
        least = fmin(least, k);
        most = fmax(most, k);
    }
    const double largest = in->initial.spectrum == SPECTRUM_VON_KARMAN ? least : most;
    if (in->initial.k_peak > largest * (1 + KOL_EPSILON))
        fprintf(warnings,
                "initial.k_peak = %.6g is beyond the largest wavenumber of the grid, %.6g: the flow has "
                "the rising part of the spectrum alone; take k_peak <= %.6g, or more cells\n",
                in->initial.k_peak, largest, largest);
}

static void tell_isotropic(FILE *text, FILE *warnings, const struct input *in, const struct grid *g)
{
    if (in->initial.type != INITIAL_ISOTROPIC || in->initial.spectrum == SPECTRUM_FILE ||
        strcmp(in->checkpoint.restart, "none") != 0) /* the flow is that of the checkpoint */
        return;
    tell_peak(warnings, in);
    if (in->fluid.nu == 0) return;
    const double k_max = k_max_of(g);
    const double u = in->initial.u_rms, scale = integral_scale(in), eps = DISSIPATION * u * u * u / scale;
    const double eta = pow(pow(in->fluid.nu, 3) / eps, 0.25), lambda = u * sqrt(15 * in->fluid.nu / eps);
    fprintf(text,
            "  isotropic turbulence of initial.u_rms = %.3g and integral scale %.3g: dissipation about %.3g, "
            "Re_lambda %.3g, Kolmogorov scale %.3g, k_max eta %.3g\n",
            u, scale, eps, u * lambda / in->fluid.nu, eta, k_max * eta);
    if (k_max * eta < KMAX_ETA_LEAST)
        fprintf(warnings, "k_max eta is about %.2g: a direct simulation needs at least %.2g\n", k_max * eta,
                KMAX_ETA_LEAST);
}

/* What the forcing of a box leads to. */
static void tell_forced_box(FILE *text, FILE *warnings, const struct input *in, const struct grid *g)
{
    if (drive_is_of_box(in) && in->forcing.decay)
        fprintf(text, "  forcing.decay = .true.: no force acts, and the turbulence decays\n");
    if (drive_is_of_box(in) && in->forcing.decay && box_target_given(in))
        fprintf(text, "  nu %.4g, by the target of the forcing\n", in->fluid.nu);
    if (!drive_forces_box(in) || in->fluid.nu == 0) return;
    if (drive_forces_waves(in)) fprintf(text, "  forced waves: %d\n", box_waves(in));
    if (!box_is_cube(in)) {
        fprintf(text, "  forced turbulence: what comes of it is known in advance for cubes alone\n");
        return;
    }
    const struct box_forecast f = box_forecast_make(in);
    const double k_max_eta = k_max_of(g) * f.eta;
    fprintf(text,
            "  forced turbulence, estimated: u_rms %.3g, kinetic energy %.3g, dissipation %.3g, time of the "
            "large eddies k/dissipation %.3g\n"
            "  nu %.4g: Re_lambda %.3g, Kolmogorov scale %.3g, k_max eta %.3g; Re_lambda of a run may differ "
            "by a tenth\n",
            f.speed, f.energy, f.dissipation, f.time, in->fluid.nu, f.re_lambda, f.eta, k_max_eta);
    if (k_max_eta < KMAX_ETA_LEAST)
        fprintf(warnings,
                "Re_lambda about %.3g is beyond this grid: k_max eta is about %.2g, and a direct simulation "
                "needs "
                "at least %.2g; take more cells or a %s\n",
                f.re_lambda, k_max_eta, KMAX_ETA_LEAST,
                !box_target_given(in)              ? "larger fluid.nu"
                : in->forcing.target_re_lambda > 0 ? "smaller forcing.target_re_lambda"
                                                   : "larger forcing.target_kmax_eta");
}

static void tell_averages(FILE *warnings, const struct input *in)
{
    if (in->run.t_end >= 0 && in->statistics.start > in->run.t_end)
        fprintf(warnings, "statistics.start = %g is beyond run.t_end = %g: no sample will be taken\n",
                in->statistics.start, in->run.t_end);
}

kol_status resolution_text(const struct input *in, const struct grid *g, char **text, char **warnings)
{
    size_t sizes[2];
    *text = *warnings = NULL;
    FILE *t = open_memstream(text, &sizes[0]), *w = open_memstream(warnings, &sizes[1]);
    if (t != NULL && w != NULL) {
        tell_growth(t, w, g);
        tell_walls(t, w, in, g);
        tell_windows(w, in, g);
        tell_isotropic(t, w, in, g);
        tell_forced_box(t, w, in, g);
        tell_averages(w, in);
    }
    const int failed = (t == NULL || fclose(t) != 0) + (w == NULL || fclose(w) != 0);
    if (failed) RAISE(KOL_ERR_MEMORY, "no memory for the text on the resolution");
    return KOL_OK;
}

kol_status resolution_log(const struct domain *domain)
{
    char *text, *warnings;
    if (domain->comm.rank != 0) return KOL_OK;
    const kol_status st = resolution_text(domain->in, &domain->grid, &text, &warnings);
    if (st == KOL_OK) {
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) log_info("%s", line);
        for (char *line = strtok(warnings, "\n"); line != NULL; line = strtok(NULL, "\n"))
            log_warn("%s", line);
    }
    free(text);
    free(warnings);
    return st;
}
