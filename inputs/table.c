/* Holds the table of input variables: every name with its type, default, range, unit and help. */
#include "table.h"

#include <math.h>
#include "kernels/base/types.h"
#include "table_bodies.h"
#include "table_faces.h"
#include "table_forcing.h"
#include "table_scalars.h"

#define AT(member)          .offset = offsetof(struct input, member)
#define VAR(GROUP, NAME)    .group = #GROUP, .name = #NAME, AT(GROUP.NAME)
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
static const char *const direction_names[] = {"x", "y", "z", NULL};
static const char *const scheme_names[] = {"rk3-half", "rk3-wray", NULL};
static const char *const diffusion_names[] = {"explicit", "implicit", "implicit-z", NULL};
static const char *const method_names[] = {"projection", "exact", NULL};
static const char *const precond_names[] = {"auto", "jacobi", "polynomial", "multigrid", "direct", NULL};
static const char *const sums_names[] = {"auto", "one", "several", NULL};
static const char *const direct_precision_names[] = {"auto", "double", "single", NULL};
static const char *const transfer_names[] = {"auto", "constant", "linear", NULL};
static const char *const first_stage_names[] = {"auto", "solved", "guessed", NULL};
static const char *const guess_names[] = {"zero", "previous", "linear", "lli", NULL};
static const char *const initial_names[] = {
    "taylor-green", "taylor-green-2d", "abc",     "beltrami", "isotropic", "uniform",
    "rest",         "channel",         "formula", "file",     NULL};
static const char *const spectrum_names[] = {"gaussian", "von-karman", "file", NULL};
static const char *const large_scales_names[] = {"batchelor", "saffman", NULL};
static const char *const precision_names[] = {"single", "double", NULL};
static const char *const places_names[] = {"centres", "faces", NULL};
static const char *const normal_names[] = {"none", "x", "y", "z", NULL};
static const char *const shape_names[] = {"none",  "box",   "sphere", "ellipsoid", "cylinder", "capsule",
                                          "plane", "torus", "wave",   "stl",       "levelset", NULL};
static const char *const packing_names[] = {"none", "box", "sphere", NULL};
static const char *const operation_names[] = {"add", "cut", "intersect", NULL};
static const char *const motion_names[] = {"none", "rotate", "translate", "oscillate", "file", NULL};
static const char *const directions_names[] = {"periodic", "none", "x",  "y",   "z",
                                               "xy",       "xz",   "yz", "xyz", NULL};
static const char *const sample_pressure_names[] = {"stage", "solve", NULL};
static const char *const stop_names[] = {"none",
                                         "k",
                                         "dissipation",
                                         "Re_lambda",
                                         "enstrophy",
                                         "taylor_length",
                                         "kolmogorov_length",
                                         "gradient_along_skewness",
                                         "gradient_along_flatness",
                                         "scalar_variance",
                                         "scalar_variance_dissipation",
                                         "u_tau",
                                         "Re_tau",
                                         "u_b",
                                         "friction_coefficient",
                                         "nusselt_low",
                                         "nusselt_high",
                                         "nusselt_flux",
                                         "nusselt_variance",
                                         "nusselt_energy",
                                         "nusselt_bulk",
                                         NULL};
static const char *const transport_names[] = {"auto", "peer", "cuda-aware", "host", NULL};

/* clang-format off: two or three lines a variable, values in the same place */
static const struct variable variables[] = {
    {VAR(run, title), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "A title that says what this run is. It is written to the log and to the files."},
    {VAR(run, t_end), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "T",
     .help = "Time at which the run ends. Either this or steps_max must be given. If both are given, the "
             "run ends at the one that it reaches first."},
    {VAR(run, steps_max), .type = TYPE_INT, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "steps",
     .help = "Number of the step at which the run ends. Steps are counted from the start of the flow, "
             "not from a restart."},
    {VAR(run, walltime), .type = TYPE_DURATION, .preset = "00:00:00", AT_LEAST(0), .unit = "hh:mm:ss",
     .help = "Wall-clock time after which the run writes a checkpoint and stops. The hours may exceed "
             "24. If it is 0, there is no limit."},
    {VAR(run, watchdog), .type = TYPE_DURATION, .preset = "01:00:00", AT_LEAST(0), .unit = "hh:mm:ss",
     .help = "Wall-clock time without any progress after which the run ends with exit code 1. The "
             "message names the rank that stands still. If it is 0, the run never ends for this reason."},
    {VAR(run, seed), .type = TYPE_INT, .preset = "1", AT_LEAST(0), .unit = "-",
     .help = "Seed of the random numbers. The same seed gives the same flow on any number of ranks."},

    {VAR(grid, n), XYZ, .type = TYPE_INT, FROM_TO(2, 65536), .unit = "cells", .example = "n = 64, 64, 64",
     .help = "Number of cells in each direction."},
    {VAR(grid, length), XYZ, .type = TYPE_REAL, .preset = "6.283185307179586", ABOVE(0), .unit = "L",
     .help = "Size of the box in each direction."},
    {VAR(grid, origin), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "L",
     .help = "Coordinates of the lower corner of the box."},
    {VAR(grid, stretching), XYZ, .type = TYPE_CHOICE, .preset = "uniform", .names = stretching_names,
     .unit = "-",
     .help = "Law that spaces the faces i = 0 to n of a direction. In the formulas s = i/n, and f is "
             "stretching_factor. 'uniform': x = origin + length*s. 'tanh': x = origin + length*(1 + "
             "tanh(f*(2*s - 1))/tanh(f))/2, which is fine at both ends. 'sine': x = origin + length*(s "
             "- f*sin(2*pi*s)/(2*pi)), which is fine at both ends, periodic and smooth. 'file': the "
             "faces are read from stretching_file. 'tanh-low': x = origin + length*(1 + tanh(f*(s - "
             "1))/tanh(f)), which is fine at the lower end. 'tanh-high': the mirror image of 'tanh-low'. "
             "'geometric': each cell is f times as wide as the one below it. 'tanh-low', 'tanh-high' and "
             "'geometric' are only for directions that are not periodic."},
    {VAR(grid, stretching_factor), XYZ, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "-",
     .help = "The factor f in the formulas of stretching. It is 0 with 'uniform' and 'file'. With "
             "'tanh', 'tanh-low' and 'tanh-high' 0 < f <= 10, with 'sine' 0 < f < 1. With 'geometric' "
             "0.5 <= f <= 2, but not 1."},
    {VAR(grid, stretching_file), XYZ, .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "File with the faces of a direction, for stretching = 'file'. It holds n + 1 coordinates, "
             "one on each line. They increase from origin to origin + length. If the direction is "
             "periodic, the first and the last cell are neighbours. The ratio of their widths may then "
             "not exceed the largest ratio between other neighbours. A ratio up to 1.15 is always "
             "allowed. Comments begin with #."},
    {VAR(grid, ranks), XYZ, .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "ranks",
     .help = "Number of ranks in each direction. If it is 0, Kolmo chooses it. The product of the three "
             "is the number of ranks of the run. The limit in z is 16. The limit in x and y is n/32, but "
             "not below 8 nor above 16. No direction may have more than n/2 ranks."},

    {VAR(fluid, nu), .physics = 1, .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0),
     .unit = "U L",
     .help = "Kinematic viscosity. Either this or reynolds must be given. If it is 0, the flow is "
             "inviscid."},
    {VAR(fluid, reynolds), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0), .unit = "-",
     .help = "Reynolds number based on unit velocity and unit length: nu = 1/reynolds."},
    {VAR(fluid, re_tau), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0), .unit = "-",
     .help = "Friction Reynolds number that you expect. It sets the wall units that --check and the log "
             "print, and nothing else. If it is not given, Kolmo estimates it. It applies to flows along "
             "walls in a periodic direction, and to flows that enter through an inflow and pass along "
             "walls. It is based on half the distance between two walls, or on the height of the box "
             "above a single wall."},

    /* clang-format off */
    FACE_ROWS
    /* clang-format on */
    {VAR(boundary, planes_loop), .physics = 1, .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether the planes of an inflow begin again after the last one. If so, the last plane "
             "should be the same as the first. If not, run.t_end must not be later than the last plane."},
    {VAR(boundary, turbulence_length), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0),
     .unit = "L",
     .help = "Length of the eddies of synthetic turbulence. The wavenumbers are normally distributed "
             "with the standard deviation 1/length."},
    {VAR(boundary, turbulence_modes), .physics = 1, .type = TYPE_INT, .preset = "64", FROM_TO(1, 4096),
     .unit = "-", .help = "Number of random waves in the synthetic turbulence."},
    {VAR(boundary, outflow_velocity), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0),
     .unit = "U",
     .help = "Velocity at which outflows carry the flow out of the box. If it is 0, every stage takes "
             "the mean velocity of each face."},

    FORCING_ROWS

        SCALAR_ROWS{
            VAR(time, scheme), .type = TYPE_CHOICE, .preset = "rk3-half", .names = scheme_names, .unit = "-",
            .help =
                "Runge-Kutta scheme of three stages. 'rk3-half' has second order and is stable up to cfl = "
                "2. 'rk3-wray' has third order in the convection and is stable up to cfl = sqrt(3)."},
    {VAR(time, diffusion), .type = TYPE_CHOICE, .preset = "explicit", .names = diffusion_names, .unit = "-",
     .help = "Treatment of the viscous term, and of the diffusion of scalars, in each stage. 'explicit': by "
             "the Runge-Kutta scheme. "
             "'implicit': by the trapezoidal rule; PPCG solves the Helmholtz systems. 'implicit-z': by "
             "the trapezoidal rule in z alone, for boxes that are not periodic in z."},
    {VAR(time, cfl), .type = TYPE_REAL, .preset = "0.8", ABOVE_UP_TO(0, 2), .unit = "-",
     .help = "Courant number: dt times the largest sum of |u|/dx over the three directions. With "
             "'rk3-wray' it is at most 1.7320508. It can't be combined with dt."},
    {VAR(time, dt), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "Fixed time step. If it is 0, dt follows from cfl, and from the viscous limit of those "
             "directions in which diffusion is explicit."},
    {VAR(time, diffusion_tolerance), .type = TYPE_REAL, .preset = KOL_CHOOSE("1e-10", "1e-6"),
     ABOVE_UP_TO(0, 1e-2), .unit = "-",
     .help = "Tolerance of the Helmholtz solves. It is the largest error that they may leave in the "
             "velocity, divided by the largest speed. It is used with diffusion = 'implicit'."},

    {VAR(pressure, method), .type = TYPE_CHOICE, .preset = "projection", .names = method_names, .unit = "-",
     .help = "How the velocity of a stage becomes free of divergence. 'projection': by a pressure "
             "correction. 'exact': the velocity is the discrete curl of a potential, so that its "
             "divergence vanishes whatever the tolerance. 'exact' does not split implicit diffusion from "
             "the pressure. It computes the pressure only for files."},
    {VAR(pressure, preconditioner), .type = TYPE_CHOICE, .preset = "multigrid", .names = precond_names,
     .unit = "-",
     .help = "Preconditioner of the conjugate gradients for the pressure. 'auto' measures 'multigrid', "
             "'direct' and 'polynomial' at the start and takes the fastest. Equal runs may then differ "
             "by rounding."},
    {VAR(pressure, degree), .type = TYPE_INT, .preset = "4", FROM_TO(1, 16), .unit = "-",
     .help = "Degree of the polynomial preconditioner. Degree 1 is a Neumann polynomial, 2 and above are "
             "Chebyshev polynomials. It is used with 'polynomial'."},
    {VAR(pressure, weight), .type = TYPE_REAL, .preset = "0.9", ABOVE_UP_TO(0, 0.9), .unit = "-",
     .help = "Weight of the Neumann polynomial. It is used with degree = 1."},
    {VAR(pressure, ratio), .type = TYPE_REAL, .preset = "100", ABOVE_UP_TO(1, 1e6), .unit = "-",
     .help = "Ratio of the largest to the smallest eigenvalue that the Chebyshev polynomial treats. It "
             "is used with degree >= 2."},
    {VAR(pressure, smoothing), .type = TYPE_INT, .preset = "0", FROM_TO(0, 8), .unit = "-",
     .help = "Number of Chebyshev-Jacobi steps before and after each coarse-grid correction. If it is 0, "
             "each grid takes as many as its cells need, 2 to 6. Beside bodies the first grid then takes 3 "
             "to 7, if that is more, in solves for increments whose residual has to fall far. It is used "
             "with 'multigrid'."},
    {VAR(pressure, transfer), .type = TYPE_CHOICE, .preset = "auto", .names = transfer_names, .unit = "-",
     .help = "How coarse-grid corrections are interpolated. 'constant': constant over a coarse cell. "
             "'linear': linearly. 'auto': constant on grids that are uniform in all directions, linear "
             "on others. It is used with 'multigrid'."},
    {VAR(pressure, direct_precision), .type = TYPE_CHOICE, .preset = "auto", .names = direct_precision_names,
     .unit = "-",
     .help = "Precision in which 'direct' solves for the pressure correction. With 'single' a solve takes "
             "less time and half the memory; the divergence that it leaves is measured after each step, and "
             "the solve is repeated for what is left until tolerance is met. 'auto' takes 'single' on "
             "GPUs if x and y are uniform, periodic and not divided between ranks, tolerance is at least "
             "1e-8, relative is not given and iterations is at most 1; otherwise 'double'. It is used with "
             "'direct' and 'auto'."},
    {VAR(pressure, multigrid_precision), .type = TYPE_CHOICE, .preset = "auto",
     .names = direct_precision_names, .unit = "-",
     .help =
         "Precision of the iterations with 'multigrid'. With 'single' the guess of the pressure belongs to "
         "the prediction, and the iterations solve in single precision for what it lacks; the divergence "
         "that is left is measured after each step, and the solve is repeated until tolerance is met. "
         "'auto' takes 'single' if tolerance is at least 1e-8, relative and sums are not given, diffusion "
         "is explicit, cells are not thin in several directions, the longest side has less than 260000 of "
         "the smallest widths, and there are neither bodies that move nor open faces; otherwise 'double'. "
         "It is used with 'multigrid', and with 'auto' if that chooses 'multigrid'."},
    {VAR(pressure, guess), .type = TYPE_CHOICE, .preset = "lli", .names = guess_names, .unit = "-",
     .help = "First guess of the pressure of each stage. 'zero': zero pressure. 'previous': the pressure "
             "of the previous stage. 'linear': extrapolated linearly in time. 'lli': linear in time, with "
             "a correction from the stages of the previous step. The preconditioner 'direct' needs no "
             "guess."},
    {VAR(pressure, tolerance), .type = TYPE_REAL, .preset = KOL_CHOOSE("1e-6", "1e-5"), ABOVE_UP_TO(0, 1e-2),
     .unit = "-",
     .help =
         "Largest max|div u| h/U after each stage, or after each step if stage_reduction is given. Here h "
         "is the cube root of the mean cell volume "
         "and U the largest speed; in a fluid that the pressure holds at rest against forces, U is at least "
         "that of rounding. With method = 'exact' it is max|curl e| h/U, where e is the error "
         "of the velocity."},
    {VAR(pressure, relative), .type = TYPE_REAL, .preset = "0", FROM_TO(0, 1), .unit = "-",
     .help =
         "Largest ratio of max|div u| after each stage to max|div u| before its correction. Each solve "
         "must meet this limit as well as tolerance, unless rounding prevents it. If stage_reduction is "
         "given, the limit holds for the last stage of a step alone. If relative is 0, there is no limit."},
    {VAR(pressure, stage_reduction), .type = TYPE_REAL, .preset = "0", FROM_TO(0, 0.5), .unit = "-",
     .help = "Part of max|div u| that the first two stages of a step may leave. The guess of the pressure "
             "leaves some divergence; these two solves end when it has fallen to this part, or when "
             "tolerance is met. The last stage always meets tolerance. So do all stages of a step without "
             "an extrapolated guess, such as the first step of a run. With 0.1 and 'multigrid', each of "
             "the two stages usually takes one or two iterations, and the scheme keeps its order in time. "
             "If it is 0, every stage meets tolerance. If it is not given, it is 0.1 with bodies that do not "
             "travel, if 'multigrid' is chosen, the guess is extrapolated, tolerance is at least 1e-7, and "
             "there are neither scalars nor pressure.iterations. In all other cases it is 0."},
    {VAR(pressure, first_stage), .type = TYPE_CHOICE, .preset = "auto", .names = first_stage_names,
     .unit = "-",
     .help =
         "How the first stage of a step gets its pressure. 'solved': from the Poisson equation, as the other "
         "stages do. 'guessed': the guess is its pressure, and no equation is solved, so that the velocity "
         "of this stage keeps the divergence that the guess leaves; the error is of higher order in time "
         "than that of the scheme. "
         "'guessed' is for the scheme 'rk3-half' with explicit diffusion, 'multigrid' with "
         "the guess 'lli', and first stages are guessed where increments are solved for in single "
         "precision (multigrid_precision 'single' or 'auto'); it is not for scalars, bodies that "
         "move, open faces or pressure.iterations. 'auto' chooses it, "
         "where it is possible, beside bodies if stage_reduction is above 0 and tolerance is at least "
         "1e-7; otherwise it chooses 'solved'."},
    {VAR(pressure, sums), .type = TYPE_CHOICE, .preset = "auto", .names = sums_names, .unit = "-",
     .help = "Number of global sums in an iteration of the conjugate gradients. With 'one' the residual "
             "is known only after the next application of the preconditioner. 'auto' takes 'one' if the "
             "preconditioner is 'multigrid' and pressure.iterations is given, and 'several' otherwise."},
    {VAR(pressure, iterations), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "-",
     .help = "Number of pressure iterations in every stage. If it is given, steps cost the same as long as "
             "every stage meets the tolerance. A stage that misses it takes more iterations, and the log "
             "says how many stages did so. If it is 0, each stage takes as many as the tolerance needs."},
    {VAR(pressure, max_iterations), .type = TYPE_INT, .preset = "5000", AT_LEAST(1), .unit = "-",
     .help = "Largest number of iterations of a solve. If a solve needs more, it has failed, and the "
             "run ends with exit code 3."},

    {VAR(initial, type), .type = TYPE_CHOICE, .preset = "taylor-green", .names = initial_names, .unit = "-",
     .help = "Initial flow. A flow that buoyancy or a drive is to set going mostly begins with 'rest'; the "
             "preset has vortices of its own. 'abc' and 'beltrami' need a box of three equal lengths. "
             "'channel' is the "
             "laminar flow between the walls of one direction, or of two, with disturbances that make it "
             "turbulent. 'formula' takes u, v and w, 'file' takes initial.file; both are projected, so that "
             "the flow is divergence-free."},
    {VAR(initial, velocity), XYZ, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U",
     .help = "Uniform velocity that is added to the flow. It can't be combined with 'rest'."},
    {VAR(initial, amplitude), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0), .unit = "U",
     .help = "Velocity scale of 'taylor-green', 'taylor-green-2d', 'abc' and 'beltrami'. For 'channel' "
             "between walls at rest it is the magnitude of the bulk velocity. If it is not given, it is "
             "1. But if a 'channel' has a streamwise inflow whose profile is not 'planes', it is the mean"
             " velocity of that inflow."},
    {VAR(initial, wavenumber), .type = TYPE_INT, .preset = "1", AT_LEAST(1), .unit = "-",
     .help = "Number of waves in a box length, for 'taylor-green', 'taylor-green-2d', 'abc' and "
             "'beltrami'."},
    {VAR(initial, abc), .shape = {3, 0}, .index = "ABC", .type = TYPE_REAL, .preset = "1", ANY, .unit = "-",
     .help = "Coefficients A, B and C of the flow 'abc', divided by amplitude."},
    {VAR(initial, disturbance), .type = TYPE_REAL, .preset = "0.3", AT_LEAST(0), .unit = "-",
     .help = "Largest velocity of the disturbances of 'channel', divided by a velocity scale. With forcing "
             "type 'bulk-velocity' this scale is the bulk velocity. Otherwise it is the largest speed of "
             "a wall, or amplitude if the walls are at rest; with a streamwise inflow it is the larger "
             "of these two. If it is 0, there are no disturbances."},
    {VAR(initial, spectrum), .type = TYPE_CHOICE, .preset = "gaussian", .names = spectrum_names, .unit = "-",
     .help = "Energy spectrum of 'isotropic'."},
    {VAR(initial, large_scales), .type = TYPE_CHOICE, .preset = "batchelor", .names = large_scales_names,
     .unit = "-",
     .help = "Energy of the large scales of the spectra 'gaussian' and 'von-karman': as k^4 ('batchelor') or "
             "as k^2 ('saffman'). It decides how the turbulence decays."},
    {VAR(initial, k_peak), .type = TYPE_REAL, .preset = "4.0", ABOVE(0), .unit = "1/L",
     .help =
         "Wavenumber of the most energetic scale, for the spectra 'gaussian' and 'von-karman'. Beyond the "
         "largest wavenumber of the grid there is a warning."},
    {VAR(initial, u_rms), .type = TYPE_REAL, .preset = "1.0", ABOVE(0), .unit = "U",
     .help = "Root mean square of one velocity component of 'isotropic'."},
    {VAR(initial, spectrum_file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "File with the energy spectrum, for spectrum = 'file'. It holds two columns, k and E(k). "
             "Comments begin with #."},

    {FORMULA_OF("u", 0), .help =
                             "Velocity along x of initial.type = 'formula', as a formula in x, y, z: for "
                             "example 'sin(2*pi*x/lx)*cos(y)'. docs/own-flows.md lists what it may hold."},
    {FORMULA_OF("v", 1), .help = "Velocity along y, as initial.u."},
    {FORMULA_OF("w", 2), .help = "Velocity along z, as initial.u."},
    {VAR(initial, file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "HDF5 file with the velocity that the run starts from, and with scalars by their names, on this "
             "grid or on another one of the same box, for initial.type = 'file'. docs/own-flows.md describes "
             "it."},

    {VAR(output, directory), .type = TYPE_TEXT, .preset = ".", TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "Folder of all files of the run. If it does not exist, the run makes it."},
    {VAR(output, series_interval), .type = TYPE_INT, .preset = "1", AT_LEAST(1), .unit = "steps",
     .help = "Number of steps between two records of the time series."},
    {VAR(output, log_interval), .type = TYPE_INT, .preset = "10", AT_LEAST(1), .unit = "steps",
     .help = "Number of steps between two lines of the log."},
    {VAR(output, field_interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two field files. If it is 0, field_interval_time decides; if both "
             "are 0, no field files are written. Only one of the two may be above 0."},
    {VAR(output, field_interval_time), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "Time between two field files. If it is 0, field_interval decides."},
    {VAR(output, field_precision), .type = TYPE_CHOICE, .preset = "single", .names = precision_names,
     .unit = "-", .help = "Precision of the numbers in field files. Checkpoints are always exact."},
    {VAR(output, field_places), .type = TYPE_CHOICE, .preset = "centres", .names = places_names, .unit = "-",
     .help = "Places of the velocity in field files. 'centres': it is interpolated to the centres of the "
             "cells, for ParaView. 'faces': each component stays on the faces normal to it, as it is "
             "computed, for kolmo-stats."},
    {VAR(output, compression), .type = TYPE_INT, .preset = "0", FROM_TO(0, 9), .unit = "-",
     .help = "Level from 1, fast, to 9, small, by which field files, slices, boxes and averages.h5 are "
             "compressed, without loss. If it is 0, they are not compressed. Checkpoints never are."},
    {VAR(output, fields_vorticity), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether field files also hold the vorticity vector."},
    {VAR(output, fields_bodies), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "Whether field files also hold the bodies: the share of each cell that is solid, and a level "
             "set that is 0 on the surface of the bodies."},
    {VAR(output, bodies_interval), .type = TYPE_INT, .preset = "1", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two records of bodies.nc, which holds the force and torque on each "
             "body. If it is 0, they are not computed."},
    {VAR(output, surface_interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two files surface_<step>.h5, which hold pressure and shear at points "
             "on the surface of the bodies. If it is 0, there are none."},
    {VAR(output, surface_start), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "T",
     .help = "Start time of the averages over time of surface data, which surface_average.h5 holds. "
             "Without it there are none."},
    {VAR(output, cut_steps), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help =
         "Whether steps are shortened so that they end exactly at the times asked for by "
         "field_interval_time and by interval_time of slices, boxes and history. Otherwise these files are "
         "written after the first step that reaches their time."},

    {VAR(slices, normal), EACH(SLICES_MOST), .type = TYPE_CHOICE, .preset = "none", .names = normal_names,
     .unit = "-",
     .help = "Direction normal to this slice. Entry n of each variable of this group belongs to slice n."},
    {VAR(slices, position), EACH(SLICES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L",
     .help = "Coordinate of this slice along its normal. The slice consists of the cells that contain "
             "this coordinate."},
    {VAR(slices, interval), EACH(SLICES_MOST), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two files of this slice. If it is 0, interval_time decides; if "
             "both are 0, the slice is not written."},
    {VAR(slices, interval_time), EACH(SLICES_MOST), .type = TYPE_REAL, .preset = "0", AT_LEAST(0),
     .unit = "T", .help = "Time between two files of this slice. If it is 0, interval decides."},
    {VAR(slices, quantities), EACH(SLICES_MOST), .type = TYPE_TEXT, .preset = INPUT_QUANTITIES,
     TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "Quantities that this slice holds, at cell centres. The possible words are velocity, "
             "pressure, vorticity, q, lambda2 and the names of scalars."},

    {VAR(boxes, low), XYZ_EACH(BOXES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L",
     .help = "Lower corner of this box. If it is not given, it is the lower corner of the grid. Entry n "
             "of each variable of this group belongs to box n."},
    {VAR(boxes, high), XYZ_EACH(BOXES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L",
     .help = "Upper corner of this box. The box consists of all cells that lie at least in part between "
             "low and high. If it is not given, it is the upper corner of the grid."},
    {VAR(boxes, interval), EACH(BOXES_MOST), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two files of this box. If it is 0, interval_time decides; if both "
             "are 0, the box is not written."},
    {VAR(boxes, interval_time), EACH(BOXES_MOST), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "Time between two files of this box. If it is 0, interval decides."},
    {VAR(boxes, quantities), EACH(BOXES_MOST), .type = TYPE_TEXT, .preset = INPUT_QUANTITIES,
     TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "Quantities that this box holds, at cell centres. The possible words are velocity, pressure,"
             " vorticity, q, lambda2 and the names of scalars."},

    {VAR(probes, position), XYZ_EACH(PROBES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     FROM_TO(-1e100, 1e100), .unit = "L", .help = "Coordinates x, y and z of this probe."},
    {VAR(probes, file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "File with more probes. Each line holds three coordinates. Comments begin with #."},
    {VAR(probes, interval), .type = TYPE_INT, .preset = "1", AT_LEAST(1), .unit = "steps",
     .help = "Number of steps between two records of the probes."},

    {VAR(history, interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help =
         "Number of steps between two records of history.nc, which shows how the turbulence of a periodic "
         "box changes in time. If it is 0, interval_time decides; if both are 0, there is no such file."},
    {VAR(history, interval_time), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "T",
     .help = "Time between two records of history.nc. With output.cut_steps the steps end at these times."},

    BODIES_ROWS

    {VAR(statistics, start), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0), .unit = "T",
     .help = "Start time of the averages. They are taken over time and over the directions of "
             "statistics.directions. Without it, no averages are taken."},
    {VAR(statistics, directions), .type = TYPE_CHOICE, .preset = "periodic", .names = directions_names,
     .unit = "-",
     .help = "Directions over which averages are taken, besides time. 'periodic': all periodic directions, "
             "of which there must be at least one. 'none': averages over time alone, in every cell, in "
             "averages.h5. The other names are sets of periodic directions. A set of all periodic "
             "directions of the flow means 'periodic'. With a set of some of them, the averages in every "
             "cell are also taken along these directions, and averages.h5 has the result."},
    {VAR(statistics, batches), .type = TYPE_INT, .preset = "-1", .not_given = 1, FROM_TO(0, 64), .unit = "-",
     .help = "Number of batches of averages in every cell, from which their standard errors are "
             "computed: an even number from 16 to 64. Each batch takes 120 bytes a cell, 40 for each scalar, "
             "and 8 if bodies move through the grid or vanish, of the memory of the fields, of "
             "checkpoints and of averages.h5. If it is 0, there are no errors, and one batch holds all "
             "samples. If it is not given, it is 16 for grids whose batches take at most 1 GiB "
             "together (about 550,000 cells without scalars), "
             "and 0 for larger ones."},
    {VAR(statistics, interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two samples. If it is 0, the number is 20; for flows with one "
             "periodic direction it is 100."},
    {VAR(statistics, stress_budgets), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "Whether samples between walls also hold the budgets of the shear stresses and the mixed "
             "triple moments. They cost two right-hand sides of the momentum equation per sample."},
    {VAR(statistics, pressure), .type = TYPE_CHOICE, .preset = "stage", .names = sample_pressure_names,
     .unit = "-",
     .help =
         "Pressure of the samples between walls. 'stage': that of the last stage of the step, which "
         "belongs to a time before the velocity, so that pressure strain, pressure transport and pressure "
         "gradient have an error of first order in the time step. 'solve': it is solved for at the time of "
         "the velocity, with one more solve per sample."},
    {VAR(statistics, cell_budgets), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether averages in every cell, and those with bodies, also hold the budgets of the six "
             "Reynolds stresses and of the turbulent kinetic energy. They cost three right-hand sides of "
             "the momentum equations and five sweeps per sample. A batch takes 432 bytes a cell more, "
             "with bodies 504, and the latest sample 54 or 63 values."},
    {VAR(statistics, scalar_budgets), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help =
         "Whether samples over a cross-section also hold the budgets of the variance and of the fluxes of "
         "each scalar. A sample then has 38 numbers more in each place of the section, 44 with buoyancy; "
         "rank 0 keeps 19 copies of them in host memory."},
    {VAR(statistics, quadrants), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether samples between walls also hold the quadrants of the streamwise shear stress. Of "
             "each quadrant they hold its share of the stress and of the time."},
    {VAR(statistics, quadrant_holes), EACH(HOLES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,
     ABOVE_UP_TO(0, 1e100), .unit = "-",
     .help = "Hole sizes of the quadrant analysis. The size 0 is always included. A product of "
             "fluctuations counts only if its magnitude is larger than this factor times the magnitude of"
             " the mean stress in its plane."},
    {VAR(statistics, spectra_interval), .type = TYPE_INT, .preset = "500", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two samples of spectra. In a periodic box of uniform spacings, "
             "structure functions and probability densities are sampled with them. Between walls the "
             "spectra are those at spectra_heights. If it is 0, there are no spectra."},
    {VAR(statistics, spectra_heights), EACH(HEIGHTS_MOST), .type = TYPE_REAL, .preset = "1e300",
     .not_given = 1, ABOVE_UP_TO(0, 1e100), .unit = "L",
     .help = "Distances from the lower wall at which spectra and correlations are taken, in increasing "
             "order. They are taken along the other two directions, which must be uniform, in the plane of "
             "cell centres nearest to each distance. These cells have a lower and an upper face; the "
             "wall-normal velocity and the stresses are taken on the one that is nearer to this distance. "
             "Scalars have spectra and probability densities there, too."},
    {VAR(statistics, phases), .type = TYPE_INT, .preset = "0", FROM_TO(0, 360), .unit = "-",
     .help = "Number of parts into which the cycle of an oscillating force or bulk velocity is divided, at "
             "least 2. Each part has averages of its own in phases.nc: profiles between walls, wall "
             "stresses and bulk velocity, and those of scalars. The cycle is that of forcing.frequency. If "
             "phases is 0, there are "
             "no averages by phase."},
    {VAR(statistics, write_interval), .type = TYPE_INT, .preset = "1000", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two writes of statistics.nc, spectra.nc, pdf.nc, phases.nc and "
             "averages.h5. They are also written with each checkpoint and at the end. If it is 0, they are "
             "written only then."},
    {VAR(statistics, stop_when), .type = TYPE_CHOICE, .preset = "none", .names = stop_names, .unit = "-",
     .help =
         "Name of a number in statistics.nc. When the standard error of this number falls below "
         "stop_error, the run ends as at run.t_end. The names from 'k' to 'gradient_along_flatness' are "
         "for periodic boxes. In other flows 'u_b' is possible, and along no-slip walls also "
         "'u_tau', 'Re_tau' and 'friction_coefficient'. With one periodic direction 'dissipation' "
         "is possible, too. The numbers of the scalar stop_scalar are 'scalar_variance' and "
         "'scalar_variance_dissipation' in periodic boxes, and between walls the names from 'nusselt_low' "
         "to 'nusselt_bulk' that its file has."},
    {VAR(statistics, stop_scalar), .type = TYPE_INT, .preset = "1", FROM_TO(1, SCALARS_MOST), .unit = "-",
     .help = "Number of the scalar to which stop_when belongs, if it names a number of a scalar."},
    {VAR(statistics, stop_error), .type = TYPE_REAL, .preset = "0.01", ABOVE(0), .unit = "-",
     .help = "Relative standard error at which the run ends. It is the standard error of the number that "
             "stop_when names, divided by the magnitude of that number."},

    {VAR(checkpoint, interval), .type = TYPE_INT, .preset = "0", AT_LEAST(0), .unit = "steps",
     .help = "Number of steps between two checkpoints. If it is 0, interval_walltime alone decides; if "
             "both are 0, none are written while the run goes on."},
    {VAR(checkpoint, interval_walltime), .type = TYPE_DURATION, .preset = "00:00:00", AT_LEAST(0),
     .unit = "hh:mm:ss",
     .help = "Wall-clock time between two checkpoints. If it is 0, interval alone decides."},
    {VAR(checkpoint, keep), .type = TYPE_INT, .preset = "2", AT_LEAST(2), .unit = "files",
     .help = "Number of checkpoints to keep. Older ones are removed. It must be at least 2, so that one "
             "is left if the newest is damaged."},
    {VAR(checkpoint, at_end), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "Whether the run writes a checkpoint when it ends."},
    {VAR(checkpoint, background), .type = TYPE_LOGICAL, .preset = "", .not_given = 1, .unit = "-",
     .help = "Whether the run goes on while files are written. The files are then written from copies in "
             "host memory. These files are"
             " checkpoints, field files, and statistics.nc of flows with one periodic direction. If it is"
             " not given, it is .true. in the CUDA build and .false. in the CPU build. With averages in "
             "every cell (statistics.directions = 'none') it is .false."},
    {VAR(checkpoint, restart), .type = TYPE_TEXT, .preset = "none", TEXT_OF_AT_LEAST(1), .unit = "-",
     .help = "What the run starts from: 'none' for the initial flow, 'latest' for the newest checkpoint, "
             "or the name of a file."},
    {VAR(checkpoint, force), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether a restart may go on with other physics than those of the checkpoint (&fluid, "
             "&boundary, &forcing, &scalars, &buoyancy). If not, such a restart is refused. The option "
             "--force-restart sets "
             "this variable."},
    {VAR(checkpoint, regrid), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether a restart may start from a checkpoint of another grid in the same box, or of "
             "another precision. The flow is then interpolated to this grid. If this is .false., such a "
             "restart is refused."},
    {VAR(checkpoint, add_bodies), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether the bodies of this input are put into the flow of a checkpoint without bodies. The "
             "flow is then projected round them, and the averages and the energy budget begin anew. If "
             "this is .false., such a restart is refused."},
    {VAR(checkpoint, remove_bodies), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",
     .help = "Whether this run goes on without the bodies of the checkpoint. Their cells are filled with "
             "fluid that has the velocity of the body, and the flow is projected. If this is .false., such "
             "a restart is refused."},

    {VAR(device, transport), .type = TYPE_CHOICE, .preset = "auto", .names = transport_names, .unit = "-",
     .help = "How halo cells reach other GPUs. 'peer': the GPUs of a node write to each other's memory. "
             "'cuda-aware': by an MPI that takes GPU memory. 'host': by way of host memory. 'auto': the "
             "first of these that is available, but 'peer' only if no two ranks share a GPU. The CPU "
             "build knows only 'auto'."},
    {VAR(device, tuning), .type = TYPE_LOGICAL, .preset = ".true.", .unit = "-",
     .help = "Whether the fastest launch shapes (tile sizes) of the GPU's kernels are found by measuring "
             "them. This is done only if none are stored for this GPU and grid size. Results never depend on "
             "launch shapes."},
    {VAR(device, tuning_file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .unit = "-",
     .help = "File that stores measured launch shapes. If it is empty, it is kolmo/tuning.txt in "
             "$XDG_CACHE_HOME, or in ~/.cache if that variable is not set."},
};
/* clang-format on */

const struct variable *input_table(int *count)
{
    *count = (int)(sizeof variables / sizeof variables[0]);
    return variables;
}

_Static_assert(sizeof variables / sizeof variables[0] <= INPUT_VARIABLES_MAX, "raise INPUT_VARIABLES_MAX");
