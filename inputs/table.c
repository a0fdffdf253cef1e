/* The table of input variables: every name with its type, default, range, unit and help. */
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kernels/base/types.h"

#define AT(member)            .offset = offsetof(struct input, member)
#define VAR(GROUP, NAME)      .group = #GROUP, .name = #NAME, AT(GROUP.NAME)
#define FACE(NAME, N)         .group = "boundary", .name = #NAME, AT(boundary.face[N]), .physics = 1
#define SPEED(NAME, N)        .group = "boundary", .name = #NAME, AT(boundary.velocity[N]), .physics = 1
#define SHAPE(NAME, N)        .group = "boundary", .name = #NAME, AT(boundary.profile[N]), .physics = 1
#define PROFILE_FILE(NAME, N) .group = "boundary", .name = #NAME, AT(boundary.file[N]), .physics = 1
#define FILE_HELP                                                                                            \
    "file of the profile 'table': lines of a coordinate and three components of the velocity, coordinates "  \
    "increasing, linear in between; comments from #; of the profile 'planes': an HDF5 file of planes in "    \
    "time, io/schema.md"
#define ALONG(NAME, N)  .group = "boundary", .name = #NAME, AT(boundary.along[N]), .physics = 1
#define RANDOM(NAME, N) .group = "boundary", .name = #NAME, AT(boundary.turbulence[N]), .physics = 1
#define WINDOW(NAME, N)                                                                                      \
    .group = "boundary", .name = #NAME, AT(boundary.window[N]), .physics = 1, .shape = {4, 0}
#define EACH(N)             .shape = {(N), 0}
#define XYZ_EACH(N)         .shape = {3, (N)}, .index = "xyz"
#define XYZ                 .shape = {3, 0}, .index = "xyz"
#define ANY                 .low = -HUGE_VAL, .high = HUGE_VAL
#define AT_LEAST(a)         .low = (a), .high = HUGE_VAL
#define ABOVE(a)            .low = (a), .low_open = 1, .high = HUGE_VAL
#define FROM_TO(a, b)       .low = (a), .high = (b)
#define ABOVE_UP_TO(a, b)   .low = (a), .low_open = 1, .high = (b)
#define TEXT_OF_AT_LEAST(a) .low = (a), .high = INPUT_TEXT - 1

/* In the order of the enums in input.h. */
static const char *const stretching_names[] = {"uniform",   "tanh",      "sine", "tanh-low",
                                               "tanh-high", "geometric", "file", NULL};
static const char *const boundary_names[] = {"periodic", "wall", "slip", "inflow", "outflow", NULL};
static const char *const profile_names[] = {"uniform", "parabolic", "table", "planes", NULL};
static const char *const forcing_names[] = {"none", "pressure-gradient", "bulk-velocity", "power", NULL};
static const char *const direction_names[] = {"x", "y", "z", NULL};
static const char *const scheme_names[] = {"rk3-half", "rk3-wray", NULL};
static const char *const diffusion_names[] = {"explicit", "implicit", "implicit-z", NULL};
static const char *const method_names[] = {"projection", "exact", NULL};
static const char *const precond_names[] = {"auto", "jacobi", "polynomial", "multigrid", "direct", NULL};
static const char *const sums_names[] = {"auto", "one", "several", NULL};
static const char *const transfer_names[] = {"auto", "constant", "linear", NULL};
static const char *const guess_names[] = {"zero", "previous", "linear", "lli", NULL};
static const char *const initial_names[] = {
    "taylor-green", "taylor-green-2d", "abc", "beltrami", "isotropic", "uniform", "rest", "channel", NULL};
static const char *const spectrum_names[] = {"gaussian", "von-karman", "file", NULL};
static const char *const precision_names[] = {"single", "double", NULL};
static const char *const places_names[] = {"centres", "faces", NULL};
static const char *const normal_names[] = {"none", "x", "y", "z", NULL};
static const char *const stop_names[] = {"none",
                                         "k",
                                         "dissipation",
                                         "Re_lambda",
                                         "enstrophy",
                                         "taylor_length",
                                         "kolmogorov_length",
                                         "gradient_along_skewness",
                                         "gradient_along_flatness",
                                         "u_tau",
                                         "Re_tau",
                                         "u_b",
                                         "friction_coefficient",
                                         NULL};
static const char *const transport_names[] = {"auto", "peer", "cuda-aware", "host", NULL};

/* clang-format off: two or three lines a variable, values in the same place */
static const struct variable variables[] = {
    {VAR(run, title), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "what this run is, for logs and files"},
    {VAR(run, t_end), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "T",
     .help = "time at which the run ends; this or steps_max must be given, the first reached ends the run"},
    {VAR(run, steps_max), .type = TYPE_INT, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "steps",
     .help = "step at which the run ends, counted from the start of the flow, not from a restart"},
    {VAR(run, walltime), .type = TYPE_DURATION, .preset = "00:00:00", AT_LEAST(0), .unit = "hh:mm:ss",
     .help =
         "wall clock after which the run writes a checkpoint and stops; hours may exceed 24; 0: no limit"},
    {VAR(run, watchdog), .type = TYPE_DURATION, .preset = "01:00:00", AT_LEAST(0), .unit = "hh:mm:ss",
     .help = "wall clock without any progress after which the run ends with exit code 1 and names the rank "
             "that stands still; 0: never"},
    {VAR(run, seed), .type = TYPE_INT, .preset = "1", AT_LEAST(0), .unit = "-",
     .help = "seed of the random numbers; the same seed gives the same flow on any number of ranks"},

    {VAR(grid, n), XYZ, .type = TYPE_INT, FROM_TO(2, 65536), .unit = "cells", .example = "n = 64, 64, 64",
     .help = "number of cells in each direction"},
    {VAR(grid, length), XYZ, .type = TYPE_REAL, .preset = "6.283185307179586", ABOVE(0), .unit = "L",
     .help = "size of the box"},
    {VAR(grid, origin), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "coordinates of the lower corner of the box"},
    {VAR(grid, stretching), XYZ, .type = TYPE_CHOICE, .preset = "uniform", .names = stretching_names,
     .unit = "-",
     .help = "spacing of the faces, with s = i/n and f the stretching_factor: "
             "'uniform' x = origin + length*s; "
             "'tanh' x = origin + length*(1 + tanh(f*(2*s - 1))/tanh(f))/2, fine at both ends; "
             "'sine' x = origin + length*(s - f*sin(2*pi*s)/(2*pi)), fine at both ends, periodic and smooth; "
             "'file', the faces of stretching_file; "
             "between walls also 'tanh-low' x = origin + length*(1 + tanh(f*(s - 1))/tanh(f)), fine at the "
             "lower end; 'tanh-high', "
             "its mirror image; 'geometric', each width f times the one below"},
    {VAR(grid, stretching_factor), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "-",
     .help = "f above: 0 with 'uniform'; 0 < f <= 10 with 'tanh', 'tanh-low', 'tanh-high'; 0 < f < 1 with "
             "'sine'; 0.5 <= f <= 2, "
             "not 1, with 'geometric'"},
    {VAR(grid, stretching_file), XYZ, .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "file of stretching = 'file': the n + 1 coordinates of the faces, one a line, increasing from "
             "origin to origin + length; where the direction is periodic the first and the last width are "
             "neighbours, and "
             "their ratio at most the largest of other neighbours, or 1.15; comments from #"},
    {VAR(grid, ranks), XYZ, .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "ranks",
     .help =
         "ranks in each direction; 0: choose. Their product is the number of ranks. At most 16 in z; in x "
         "and y at most n/32, but 8 where that is less, 16 where it is more; and never above n/2"},

    {VAR(fluid, nu), .physics = 1, .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0),
     .unit = "U L", .help = "kinematic viscosity; either this or reynolds must be given; 0: inviscid"},
    {VAR(fluid, reynolds), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0), .unit = "-",
     .help = "Reynolds number of unit velocity and length: nu = 1/reynolds"},
    {VAR(fluid, re_tau), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0), .unit = "-",
     .help =
         "friction Reynolds number expected of a straight flow between walls, or of a stream that an inflow "
         "brings along them, by half their distance (all the height of the box above one wall), for the wall "
         "units of --check and of the log alone; else it is estimated"},

    {FACE(x_low, 0), .type = TYPE_CHOICE, .preset = "periodic", .names = boundary_names, .unit = "-",
     .help = "condition on the face at the lower end of x"},
    {FACE(x_high, 1), .type = TYPE_CHOICE, .preset = "periodic", .names = boundary_names, .unit = "-",
     .help = "condition on the face at the upper end of x"},
    {FACE(y_low, 2), .type = TYPE_CHOICE, .preset = "periodic", .names = boundary_names, .unit = "-",
     .help = "condition on the face at the lower end of y"},
    {FACE(y_high, 3), .type = TYPE_CHOICE, .preset = "periodic", .names = boundary_names, .unit = "-",
     .help = "condition on the face at the upper end of y"},
    {FACE(z_low, 4), .type = TYPE_CHOICE, .preset = "periodic", .names = boundary_names, .unit = "-",
     .help = "condition on the face at the lower end of z"},
    {FACE(z_high, 5), .type = TYPE_CHOICE, .preset = "periodic", .names = boundary_names, .unit = "-",
     .help = "condition on the face at the upper end of z"},

    {SPEED(x_low_velocity, 0), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "velocity at the lower end of x: of a wall, along it, its own x component 0; of an inflow, the "
             "mean one where its "
             "profile is not uniform"},
    {SPEED(x_high_velocity, 1), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "velocity at the upper end of x: of a wall, along it, its own x component 0; of an inflow, the "
             "mean one where its "
             "profile is not uniform"},
    {SPEED(y_low_velocity, 2), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "velocity at the lower end of y: of a wall, along it, its own y component 0; of an inflow, the "
             "mean one where its "
             "profile is not uniform"},
    {SPEED(y_high_velocity, 3), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "velocity at the upper end of y: of a wall, along it, its own y component 0; of an inflow, the "
             "mean one where its "
             "profile is not uniform"},
    {SPEED(z_low_velocity, 4), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "velocity at the lower end of z: of a wall, along it, its own z component 0; of an inflow, the "
             "mean one where its "
             "profile is not uniform"},
    {SPEED(z_high_velocity, 5), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "velocity at the upper end of z: of a wall, along it, its own z component 0; of an inflow, the "
             "mean one where its "
             "profile is not uniform"},
    {SHAPE(x_low_profile, 0), .type = TYPE_CHOICE, .preset = "uniform", .names = profile_names, .unit = "-",
     .help = "how the velocity of an inflow is spread over the face: 'uniform', or 'parabolic', the "
             "developed laminar flow between the "
             "walls of the face's own directions (a duct's series where both have walls; what moving walls "
             "carry along, where one has), with x_low_velocity as its mean; or from a file a 'table', or "
             "'planes' in time"},
    {SHAPE(x_high_profile, 1), .type = TYPE_CHOICE, .preset = "uniform", .names = profile_names, .unit = "-",
     .help = "how the velocity of an inflow is spread over the face: 'uniform', or 'parabolic', the "
             "developed laminar flow between the "
             "walls of the face's own directions (a duct's series where both have walls; what moving walls "
             "carry along, where one has), with x_high_velocity as its mean; or from a file a 'table', or "
             "'planes' in time"},
    {SHAPE(y_low_profile, 2), .type = TYPE_CHOICE, .preset = "uniform", .names = profile_names, .unit = "-",
     .help = "how the velocity of an inflow is spread over the face: 'uniform', or 'parabolic', the "
             "developed laminar flow between the "
             "walls of the face's own directions (a duct's series where both have walls; what moving walls "
             "carry along, where one has), with y_low_velocity as its mean; or from a file a 'table', or "
             "'planes' in time"},
    {SHAPE(y_high_profile, 3), .type = TYPE_CHOICE, .preset = "uniform", .names = profile_names, .unit = "-",
     .help = "how the velocity of an inflow is spread over the face: 'uniform', or 'parabolic', the "
             "developed laminar flow between the "
             "walls of the face's own directions (a duct's series where both have walls; what moving walls "
             "carry along, where one has), with y_high_velocity as its mean; or from a file a 'table', or "
             "'planes' in time"},
    {SHAPE(z_low_profile, 4), .type = TYPE_CHOICE, .preset = "uniform", .names = profile_names, .unit = "-",
     .help = "how the velocity of an inflow is spread over the face: 'uniform', or 'parabolic', the "
             "developed laminar flow between the "
             "walls of the face's own directions (a duct's series where both have walls; what moving walls "
             "carry along, where one has), with z_low_velocity as its mean; or from a file a 'table', or "
             "'planes' in time"},
    {SHAPE(z_high_profile, 5), .type = TYPE_CHOICE, .preset = "uniform", .names = profile_names, .unit = "-",
     .help = "how the velocity of an inflow is spread over the face: 'uniform', or 'parabolic', the "
             "developed laminar flow between the "
             "walls of the face's own directions (a duct's series where both have walls; what moving walls "
             "carry along, where one has), with z_high_velocity as its mean; or from a file a 'table', or "
             "'planes' in time"},
    {WINDOW(x_low_window, 0), .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "part of an inflow face that is open: lower and upper end in y, then in z; the rest is a wall "
             "at rest; all 0: the whole "
             "face"},
    {WINDOW(x_high_window, 1), .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "part of an inflow face that is open: lower and upper end in y, then in z; the rest is a wall "
             "at rest; all 0: the whole "
             "face"},
    {WINDOW(y_low_window, 2), .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "part of an inflow face that is open: lower and upper end in x, then in z; the rest is a wall "
             "at rest; all 0: the whole "
             "face"},
    {WINDOW(y_high_window, 3), .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "part of an inflow face that is open: lower and upper end in x, then in z; the rest is a wall "
             "at rest; all 0: the whole "
             "face"},
    {WINDOW(z_low_window, 4), .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "part of an inflow face that is open: lower and upper end in x, then in y; the rest is a wall "
             "at rest; all 0: the whole "
             "face"},
    {WINDOW(z_high_window, 5), .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "part of an inflow face that is open: lower and upper end in x, then in y; the rest is a wall "
             "at rest; all 0: the whole "
             "face"},
    {PROFILE_FILE(x_low_file, 0), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = FILE_HELP},
    {ALONG(x_low_along, 0), .type = TYPE_CHOICE, .preset = "z", .names = direction_names, .unit = "-",
     .help = "direction of the coordinate of the profile 'table', along the face"},
    {RANDOM(x_low_turbulence, 0), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",
     .help = "synthetic turbulence added to an inflow: root mean square of each component, with "
             "turbulence_length; its flux is 0"},
    {PROFILE_FILE(x_high_file, 1), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = FILE_HELP},
    {ALONG(x_high_along, 1), .type = TYPE_CHOICE, .preset = "z", .names = direction_names, .unit = "-",
     .help = "direction of the coordinate of the profile 'table', along the face"},
    {RANDOM(x_high_turbulence, 1), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",
     .help = "synthetic turbulence added to an inflow: root mean square of each component, with "
             "turbulence_length; its flux is 0"},
    {PROFILE_FILE(y_low_file, 2), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = FILE_HELP},
    {ALONG(y_low_along, 2), .type = TYPE_CHOICE, .preset = "z", .names = direction_names, .unit = "-",
     .help = "direction of the coordinate of the profile 'table', along the face"},
    {RANDOM(y_low_turbulence, 2), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",
     .help = "synthetic turbulence added to an inflow: root mean square of each component, with "
             "turbulence_length; its flux is 0"},
    {PROFILE_FILE(y_high_file, 3), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = FILE_HELP},
    {ALONG(y_high_along, 3), .type = TYPE_CHOICE, .preset = "z", .names = direction_names, .unit = "-",
     .help = "direction of the coordinate of the profile 'table', along the face"},
    {RANDOM(y_high_turbulence, 3), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",
     .help = "synthetic turbulence added to an inflow: root mean square of each component, with "
             "turbulence_length; its flux is 0"},
    {PROFILE_FILE(z_low_file, 4), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = FILE_HELP},
    {ALONG(z_low_along, 4), .type = TYPE_CHOICE, .preset = "x", .names = direction_names, .unit = "-",
     .help = "direction of the coordinate of the profile 'table', along the face"},
    {RANDOM(z_low_turbulence, 4), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",
     .help = "synthetic turbulence added to an inflow: root mean square of each component, with "
             "turbulence_length; its flux is 0"},
    {PROFILE_FILE(z_high_file, 5), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = FILE_HELP},
    {ALONG(z_high_along, 5), .type = TYPE_CHOICE, .preset = "x", .names = direction_names, .unit = "-",
     .help = "direction of the coordinate of the profile 'table', along the face"},
    {RANDOM(z_high_turbulence, 5), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",
     .help = "synthetic turbulence added to an inflow: root mean square of each component, with "
             "turbulence_length; its flux is 0"},
    {VAR(boundary, planes_loop), .physics = 1, .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "whether planes of inflows begin anew after the last, which stands for the first again; else "
             "the run "
             "ends with them"},
    {VAR(boundary, turbulence_length), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0),
     .unit = "L",
     .help =
         "length of the eddies of synthetic turbulence: wave numbers are normal with the deviation 1/length"},
    {VAR(boundary, turbulence_modes), .physics = 1, .type = TYPE_INT, .preset = "64", FROM_TO(1, 4096),
     .unit = "-", .help = "random waves of synthetic turbulence"},
    {VAR(boundary, outflow_velocity), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0),
     .unit = "U",
     .help = "velocity at which outflows carry the flow out; 0: the mean one of each face, in every stage"},

    {VAR(forcing, type), .physics = 1, .type = TYPE_CHOICE, .preset = "none", .names = forcing_names,
     .unit = "-",
     .help = "what drives the flow along a periodic direction: a given mean 'pressure-gradient', the one "
             "that keeps the "
             "'bulk-velocity' (the volume mean) at its value in every stage, or the one whose work is a "
             "given 'power'"},
    {VAR(forcing, direction), .physics = 1, .type = TYPE_CHOICE, .preset = "x", .names = direction_names,
     .unit = "-", .help = "direction of the force"},
    {VAR(forcing, value), .physics = 1, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U/T, U or U2/T",
     .help = "minus the pressure gradient over the density, the bulk velocity, or the power over the volume, "
             "not below 0"},
    {VAR(forcing, amplitude), .physics = 1, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U/T or U",
     .help = "of an oscillation about value: a 'pressure-gradient' or 'bulk-velocity' of value + "
             "amplitude*cos(2*pi*frequency*t + phase)"},
    {VAR(forcing, frequency), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "1/T",
     .help = "of the oscillation: cycles per unit of time"},
    {VAR(forcing, phase), .physics = 1, .type = TYPE_REAL, .preset = "0", ANY, .unit = "rad",
     .help = "of the oscillation at t = 0"},
    {VAR(forcing, rotation), XYZ, .physics = 1, .type = TYPE_REAL, .preset = "0", ANY, .unit = "1/T",
     .help =
         "angular velocity of the frame, Omega: the Coriolis force -2 Omega x u acts on the flow, whatever "
         "the type; the centrifugal force is part of the pressure"},

    {VAR(time, scheme), .type = TYPE_CHOICE, .preset = "rk3-half", .names = scheme_names, .unit = "-",
     .help = "three-stage Runge-Kutta: 'rk3-half' second order, stable to cfl 2; "
             "'rk3-wray' third order in the convection, stable to cfl sqrt(3)"},
    {VAR(time, diffusion), .type = TYPE_CHOICE, .preset = "explicit", .names = diffusion_names, .unit = "-",
     .help = "viscous term in each stage: 'explicit'; 'implicit' (trapezoidal, Helmholtz systems by PPCG); "
             "or 'implicit-z', trapezoidal in z alone, where z is not periodic"},
    {VAR(time, cfl), .type = TYPE_REAL, .preset = "0.8", ABOVE_UP_TO(0, 2), .unit = "-",
     .help =
         "dt times the largest sum of |u|/dx over the three directions; at most 1.7320508 with 'rk3-wray'; "
         "not together with dt"},
    {VAR(time, dt), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "fixed time step; 0: from cfl and, where diffusion is explicit, the viscous limit of its "
             "directions"},
    {VAR(time, diffusion_tolerance), .type = TYPE_REAL, .preset = KOL_CHOOSE("1e-10", "1e-6"),
     ABOVE_UP_TO(0, 1e-2), .unit = "-",
     .help = "change of velocity left by the Helmholtz solves, over the largest speed; with diffusion = "
             "'implicit'"},

    {VAR(pressure, method), .type = TYPE_CHOICE, .preset = "projection", .names = method_names, .unit = "-",
     .help = "how the velocity of a stage becomes free of divergence: by 'projection' with a pressure, or as "
             "the discrete curl of "
             "a potential, 'exact' whatever the tolerance and with implicit diffusion unsplit; the pressure "
             "is then found for files alone"},
    {VAR(pressure, preconditioner), .type = TYPE_CHOICE, .preset = "multigrid", .names = precond_names,
     .unit = "-",
     .help = "preconditioner of the conjugate gradients for the pressure; 'auto': the fastest of "
             "'multigrid', 'direct' "
             "and 'polynomial', measured at the start, so that equal runs may differ by rounding"},
    {VAR(pressure, degree), .type = TYPE_INT, .preset = "4", FROM_TO(1, 16), .unit = "-",
     .help = "degree of the polynomial: 1 Neumann, from 2 Chebyshev; with 'polynomial'"},
    {VAR(pressure, weight), .type = TYPE_REAL, .preset = "0.9", ABOVE_UP_TO(0, 0.9), .unit = "-",
     .help = "weight of the Neumann polynomial; with degree = 1"},
    {VAR(pressure, ratio), .type = TYPE_REAL, .preset = "100", ABOVE_UP_TO(1, 1e6), .unit = "-",
     .help = "largest over smallest eigenvalue treated by the Chebyshev polynomial; with degree >= 2"},
    {VAR(pressure, smoothing), .type = TYPE_INT, .preset = "0", FROM_TO(0, 8), .unit = "-",
     .help = "Chebyshev-Jacobi steps before and after each coarse correction; 0: on each grid as many as its "
             "cells need, 2 to 6; with 'multigrid'"},
    {VAR(pressure, transfer), .type = TYPE_CHOICE, .preset = "auto", .names = transfer_names, .unit = "-",
     .help = "how coarse corrections are interpolated: 'constant' over a coarse cell, 'linear', or 'auto': "
             "constant "
             "on grids uniform in all directions; with 'multigrid'"},
    {VAR(pressure, guess), .type = TYPE_CHOICE, .preset = "lli", .names = guess_names, .unit = "-",
     .help =
         "first guess of each stage's pressure correction: 'zero', the 'previous' one, 'linear' in time, or "
         "'lli', linear in the stages of this step and the one before; 'direct' solves without"},
    {VAR(pressure, tolerance), .type = TYPE_REAL, .preset = KOL_CHOOSE("1e-6", "1e-5"), ABOVE_UP_TO(0, 1e-2),
     .unit = "-",
     .help = "max|div u| h/U after each stage, with h the cube root of the mean cell volume, U the largest "
             "speed; with method = 'exact' max|curl e| h/U of the velocity's error e"},
    {VAR(pressure, relative), .type = TYPE_REAL, .preset = "0", FROM_TO(0, 1), .unit = "-",
     .help = "max|div u| after each stage over that before its correction, to be reached as well, but not "
             "below what rounding leaves of it; 0: not asked for"},
    {VAR(pressure, sums), .type = TYPE_CHOICE, .preset = "auto", .names = sums_names, .unit = "-",
     .help = "sums over the grid in an iteration of the conjugate gradients: 'one', for which the residual "
             "is known "
             "after the "
             "next application of the preconditioner; 'several'; 'auto': one with 'multigrid' where "
             "pressure.iterations is given"},
    {VAR(pressure, iterations), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "-",
     .help = "iterations of every stage: equal work for equal steps; stages that miss the tolerance with "
             "them take "
             "more, and the log says how many did. 0: as many as the tolerance wants"},
    {VAR(pressure, max_iterations), .type = TYPE_INT, .preset = "5000", AT_LEAST(1), .unit = "-",
     .help = "iterations after which a solve has failed and the run ends with exit code 3"},

    {VAR(initial, type), .type = TYPE_CHOICE, .preset = "taylor-green", .names = initial_names, .unit = "-",
     .help = "initial flow; 'abc' and 'beltrami' need a box of three equal lengths; 'channel': the laminar "
             "flow between the "
             "walls of one direction, or of two, with disturbances that make it turbulent"},
    {VAR(initial, velocity), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "uniform velocity added to the flow; not with 'rest'"},
    {VAR(initial, amplitude), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0), .unit = "U",
     .help = "velocity scale of 'taylor-green', 'taylor-green-2d', 'abc', 'beltrami'; magnitude of the bulk "
             "velocity of 'channel' where the walls stand still. Not given: 1, and for a 'channel' with an "
             "inflow along its stream, other than 'planes', the mean velocity of that"},
    {VAR(initial, wavenumber), .type = TYPE_INT, .preset = "1", AT_LEAST(1), .unit = "-",
     .help = "waves per box length, of the same flows"},
    {VAR(initial, abc), .shape = {3, 0}, .index = "ABC", .type = TYPE_REAL, .preset = "1", ANY, .unit = "-",
     .help = "A, B, C of the flow 'abc', over amplitude"},
    {VAR(initial, disturbance), .type = TYPE_REAL, .preset = "0.3", AT_LEAST(0), .unit = "-",
     .help =
         "largest velocity of the disturbances of 'channel', over the bulk velocity or the largest speed of "
         "a wall; 0: none"},
    {VAR(initial, spectrum), .type = TYPE_CHOICE, .preset = "gaussian", .names = spectrum_names, .unit = "-",
     .help = "energy spectrum of 'isotropic'"},
    {VAR(initial, k_peak), .type = TYPE_REAL, .preset = "4.0", ABOVE(0), .unit = "1/L",
     .help = "wavenumber of the most energetic scale, of the spectra 'gaussian' and 'von-karman'"},
    {VAR(initial, u_rms), .type = TYPE_REAL, .preset = "1.0", ABOVE(0), .unit = "U",
     .help = "root mean square of one velocity component of 'isotropic'"},
    {VAR(initial, spectrum_file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "file of spectrum = 'file': two columns k and E(k), comments from #"},

    {VAR(output, directory), .type = TYPE_TEXT, .preset = ".", TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "folder of all files of the run; made where it is missing"},
    {VAR(output, series_interval), .type = TYPE_INT, .preset = "1", AT_LEAST(1), .unit = "steps",
     .help = "steps between records of the time series"},
    {VAR(output, log_interval), .type = TYPE_INT, .preset = "10", AT_LEAST(1), .unit = "steps",
     .help = "steps between lines of the log"},
    {VAR(output, field_interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "steps between field files; 0: none; not together with field_interval_time"},
    {VAR(output, field_interval_time), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "time between field files; 0: none"},
    {VAR(output, field_precision), .type = TYPE_CHOICE, .preset = "single", .names = precision_names,
     .unit = "-", .help = "precision of field files; checkpoints are always exact"},
    {VAR(output, field_places), .type = TYPE_CHOICE, .preset = "centres", .names = places_names, .unit = "-",
     .help = "where field files have the velocity: 'centres', interpolated to the middle of the cells, for "
             "ParaView; 'faces', each component on faces across it, as it is computed, for kolmo-stats"},
    {VAR(output, fields_vorticity), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "whether field files also hold the vorticity vector"},

    {VAR(slices, normal), EACH(SLICES_MOST), .type = TYPE_CHOICE, .preset = "none", .names = normal_names,
     .unit = "-",
     .help = "direction normal to each slice; entry n of the variables of this group makes slice n"},
    {VAR(slices, position), EACH(SLICES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L",
     .help = "coordinate of each slice along its normal: it is made of the cells that hold this coordinate"},
    {VAR(slices, interval), EACH(SLICES_MOST), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "steps between files of each slice; 0: by interval_time, or there is no such slice"},
    {VAR(slices, interval_time), EACH(SLICES_MOST), .type = TYPE_REAL, .preset = "0", AT_LEAST(0),
     .unit = "T", .help = "time between files of each slice; 0: by interval"},
    {VAR(slices, quantities), EACH(SLICES_MOST), .type = TYPE_TEXT, .preset = INPUT_QUANTITIES,
     TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "what each slice holds, at cell centres: words among velocity, pressure, vorticity, q, lambda2"},

    {VAR(boxes, low), XYZ_EACH(BOXES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L", .help = "lower corner of each box; not given: that of the grid"},
    {VAR(boxes, high), XYZ_EACH(BOXES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L",
     .help = "upper corner of each box, which is made of all cells of which a part lies between low and "
             "high; not given: that of the grid"},
    {VAR(boxes, interval), EACH(BOXES_MOST), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "steps between files of each box; 0: by interval_time, or there is no such box"},
    {VAR(boxes, interval_time), EACH(BOXES_MOST), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "time between files of each box; 0: by interval"},
    {VAR(boxes, quantities), EACH(BOXES_MOST), .type = TYPE_TEXT, .preset = INPUT_QUANTITIES,
     TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "what each box holds, at cell centres: words among velocity, pressure, vorticity, q, lambda2"},

    {VAR(probes, position), XYZ_EACH(PROBES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L", .help = "coordinates x, y, z of each probe"},
    {VAR(probes, file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "file of more probes: lines of three coordinates; comments from #"},
    {VAR(probes, interval), .type = TYPE_INT, .preset = "1", AT_LEAST(1), .unit = "steps",
     .help = "steps between records of the probes"},

    {VAR(statistics, start), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "T",
     .help = "time from which averages over time and the periodic directions are taken, of which there is at "
             "least one; not given: none"},
    {VAR(statistics, interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "steps between samples; 0: 20, of flows with one periodic direction 100"},
    {VAR(statistics, stress_budgets), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "whether samples between walls have budgets of the shear stresses and mixed triple moments, "
             "too, which take "
             "two right-hand sides of the momentum equation each"},
    {VAR(statistics, quadrants), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "whether samples between walls have the quadrants of the shear stress along the stream, too: "
             "their shares of it and of the time"},
    {VAR(statistics, quadrant_holes), EACH(HOLES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     ABOVE_UP_TO(0, 1e100), .unit = "-",
     .help =
         "sizes of the hole in the quadrants, beside 0: only products of fluctuations above this many times "
         "the mean one of the plane are counted"},
    {VAR(statistics, spectra_interval), .type = TYPE_INT, .preset = "500", AT_LEAST(0), .unit = "steps",
     .help = "steps between samples of spectra, structure functions and densities, of a periodic box of "
             "uniform spacings, and of spectra at spectra_heights between walls; 0: none"},
    {VAR(statistics, spectra_heights), EACH(HEIGHTS_MOST), .type = TYPE_REAL, .preset = "1e300",
     .not_given = 1, ABOVE_UP_TO(0, 1e100), .unit = "L",
     .help = "distances from the lower wall at which spectra and correlations along the other two "
             "directions, which "
             "are uniform, are taken, increasing; each in the nearest plane of cell centres, the velocity "
             "through "
             "it, and stresses, on the nearer face of those cells"},
    {VAR(statistics, write_interval), .type = TYPE_INT, .preset = "1000", AT_LEAST(0), .unit = "steps",
     .help = "steps between writes of statistics.nc, spectra.nc and pdf.nc; 0: with each checkpoint and at "
             "the end "
             "alone, when they "
             "are written in any case"},
    {VAR(statistics, stop_when), .type = TYPE_CHOICE, .preset = "none", .names = stop_names, .unit = "-",
     .help = "the number of statistics.nc whose error ends the run, as run.t_end would: of a periodic box "
             "one of the "
             "first eight, else 'u_b', along walls 'u_tau', 'Re_tau' or "
             "'friction_coefficient', with one periodic direction 'dissipation'"},
    {VAR(statistics, stop_error), .type = TYPE_REAL, .preset = "0.01", ABOVE(0), .unit = "-",
     .help = "the standard error of the number of stop_when, over its size, that is small enough"},

    {VAR(checkpoint, interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "steps between checkpoints; 0: none"},
    {VAR(checkpoint, interval_walltime), .type = TYPE_DURATION, .preset = "00:00:00", AT_LEAST(0),
     .unit = "hh:mm:ss", .help = "wall clock between checkpoints; 0: none"},
    {VAR(checkpoint, keep), .type = TYPE_INT, .preset = "2", AT_LEAST(2), .unit = "files",
     .help = "how many checkpoints to keep, the newest; two or more, so that one is left where the newest is "
             "damaged"},
    {VAR(checkpoint, at_end), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "whether the run writes a checkpoint when it ends"},
    {VAR(checkpoint, background), .type = TYPE_LOGICAL, .preset = "", .not_given = 1, .unit = "-",
     .help = "whether checkpoints, field files and statistics.nc over a section are written while the run "
             "goes on, from copies in host "
             "memory; not given: .true. in the CUDA build, .false. in the CPU build"},
    {VAR(checkpoint, restart), .type = TYPE_TEXT, .preset = "none", TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "what to start from: 'none' the initial flow, 'latest' the newest checkpoint, or a file"},
    {VAR(checkpoint, force), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "whether a restart goes on with other physics than the checkpoint's (&fluid, &boundary, "
             "&forcing), which "
             "is refused otherwise; --force-restart is short for it"},
    {VAR(checkpoint, regrid), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "whether a restart from a checkpoint of another grid in the same box, or of another precision, "
             "interpolates the flow to this one; it is refused otherwise"},

    {VAR(device, transport), .type = TYPE_CHOICE, .preset = "auto", .names = transport_names, .unit = "-",
     .help = "how halo cells reach other GPUs: 'peer' written by the GPUs themselves, ranks of one node; "
             "'cuda-aware' by an MPI that takes GPU memory; 'host' by way of host memory; 'auto' the first "
             "of these that can be had, 'peer' only where no two ranks share a GPU. CPU build: 'auto'"},
    {VAR(device, tuning), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "whether launch shapes of the GPU's kernels are measured where none are kept for this GPU and "
             "size; results never depend on them"},
    {VAR(device, tuning_file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "where measured launch shapes are kept; empty: kolmo/tuning.txt in $XDG_CACHE_HOME, or in "
             "~/.cache where that is not set"},
};
/* clang-format on */

const struct variable *input_table(int *count)
{
    *count = (int)(sizeof variables / sizeof variables[0]);
    return variables;
}

_Static_assert(sizeof variables / sizeof variables[0] <= INPUT_VARIABLES_MAX, "raise INPUT_VARIABLES_MAX");

int variable_elements(const struct variable *v)
{
    const int n = v->shape[0] > 0 ? v->shape[0] : 1;
    return v->shape[1] > 0 ? n * v->shape[1] : n;
}

size_t variable_element_bytes(const struct variable *v)
{
    switch (v->type) {
    case TYPE_TEXT:
        return INPUT_TEXT;
    case TYPE_REAL:
    case TYPE_DURATION:
        return sizeof(double);
    case TYPE_INT:
    case TYPE_LOGICAL:
    case TYPE_CHOICE:
        return sizeof(int);
    }
    return 0;
}

struct element_name element_name(const struct variable *v, int element)
{
    struct element_name out;
    if (v->shape[0] == 0) snprintf(out.text, sizeof out.text, "%s.%s", v->group, v->name);
    else if (v->shape[1] == 0)
        snprintf(out.text, sizeof out.text, "%s.%s(%d)", v->group, v->name, element + 1);
    else
        snprintf(out.text, sizeof out.text, "%s.%s(%d,%d)", v->group, v->name, element % v->shape[0] + 1,
                 element / v->shape[0] + 1);
    return out;
}

int table_group(const struct variable *table, int count, const char *group)
{
    for (int i = 0; i < count; ++i)
        if (strcasecmp(table[i].group, group) == 0) return i;
    return -1;
}

int table_name(const struct variable *table, int count, const char *group, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcasecmp(table[i].group, group) == 0 && strcasecmp(table[i].name, name) == 0) return i;
    return -1;
}
