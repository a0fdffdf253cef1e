/* The rows of the table of inputs that belong to &forcing. table.c puts FORCING_ROWS into the table and has
 * the macros that the rows are made of. Private to inputs/. */
#ifndef KOL_TABLE_FORCING_H
#define KOL_TABLE_FORCING_H

/* Names of choices, in the order of enum forcing_name, control_name and law_name. */
static const char *const forcing_names[] = {"none",   "pressure-gradient", "bulk-velocity", "power",
                                            "linear", "low-wavenumber",    "formula",       NULL};
static const char *const control_names[] = {"none", "power", "energy", "dissipation", NULL};
static const char *const law_names[] = {"constant-power", "ornstein-uhlenbeck", NULL};

#define FORCE_OF(NAME, C)                                                                                    \
    .group = "forcing", .name = NAME, AT(forcing.formula[C]), .physics = 1, .type = TYPE_TEXT,               \
    .preset = "0", TEXT_OF_AT_LEAST(1), .unit = "U/T"
/* Two or three lines a variable, values in the same place. */
/* clang-format off */
#define FORCING_ROWS                                                                                         \
    {VAR(forcing, type), .physics = 1, .type = TYPE_CHOICE, .preset = "none", .names = forcing_names,        \
     .unit = "-",                                                                                            \
     .help = "What drives the flow. Along a periodic direction: 'pressure-gradient', a given mean "          \
             "pressure gradient; 'bulk-velocity', the pressure gradient that keeps the volume mean of "      \
             "the velocity at a given value in every stage; 'power', the pressure gradient that "            \
             "supplies a given power to the flow. Turbulence in a periodic box: 'linear', a force that"      \
             " is proportional to the fluctuation of the velocity about its volume mean; "                   \
             "'low-wavenumber', a solenoidal force in the waves of the lowest wavenumbers. In any flow: "    \
             "'formula', the force fx, fy, fz."},                                                            \
    {VAR(forcing, direction), .physics = 1, .type = TYPE_CHOICE, .preset = "x", .names = direction_names,    \
     .unit = "-",                                                                                            \
     .help = "Direction of the force."},                                                                     \
    {VAR(forcing, value), .physics = 1, .type = TYPE_REAL, .preset = "0", ANY,                               \
     .unit = "U/T, U, U2/T, 1/T or U2",                                                                      \
     .help = "Strength of the forcing. With 'pressure-gradient' it is minus the pressure gradient, "         \
             "divided by the density. With 'bulk-velocity' it is the bulk velocity. With 'power' it is"      \
             " the power per unit volume, which must not be below 0. With 'linear' it is the quantity "      \
             "that control names: the power or the dissipation per unit volume, or the kinetic energy; "     \
             "with control = 'none' it is the rate A of the force A u. With 'low-wavenumber' it is the "     \
             "power per unit volume; with law = 'ornstein-uhlenbeck' the root mean square of the force."},   \
    {VAR(forcing, amplitude), .physics = 1, .type = TYPE_REAL, .preset = "0", ANY, .unit = "U/T or U",       \
     .help = "Amplitude of an oscillation about value. The pressure gradient or bulk velocity is then "      \
             "value + amplitude*cos(2*pi*frequency*t + phase)."},                                            \
    {VAR(forcing, frequency), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "1/T",    \
     .help = "Frequency of the oscillation: cycles per unit of time."},                                      \
    {VAR(forcing, phase), .physics = 1, .type = TYPE_REAL, .preset = "0", FROM_TO(-1e6, 1e6),                \
     .unit = "rad", .help = "Phase of the oscillation at t = 0."},                                           \
    {VAR(forcing, rotation), XYZ, .physics = 1, .type = TYPE_REAL, .preset = "0", ANY, .unit = "1/T",        \
     .help = "Angular velocity Omega of the frame of reference. The Coriolis force -2 Omega x u acts "       \
             "on the flow, whatever the type of forcing. The centrifugal force is part of the "              \
             "pressure."},                                                                                   \
    {VAR(forcing, control), .physics = 1, .type = TYPE_CHOICE, .preset = "energy",                           \
     .names = control_names, .unit = "-",                                                                    \
     .help = "Quantity that the force A u of 'linear' keeps at the given value. 'none': the rate A "         \
             "itself. 'power': the power of the force, in every stage. 'energy': the turbulent kinetic "     \
             "energy. 'dissipation': the dissipation. Formulas are in docs/numerics/forcing.md."},           \
    {VAR(forcing, gain), .physics = 1, .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "-",           \
     .help = "Gain of the controls 'energy' and 'dissipation'. A deviation is corrected within the time "    \
             "of the large eddies (energy over dissipation) divided by the gain. If it is 0, it is 10 "      \
             "for 'energy' and 1 for 'dissipation'."},                                                       \
    {VAR(forcing, law), .physics = 1, .type = TYPE_CHOICE, .preset = "constant-power",                       \
     .names = law_names, .unit = "-",                                                                        \
     .help = "Amplitudes of 'low-wavenumber'. 'constant-power': each is proportional to that of the "        \
             "velocity, and the power of the force is the given one in every stage. "                        \
             "'ornstein-uhlenbeck': they are random processes in time, the same for the same run.seed."},    \
    {VAR(forcing, k_high), .physics = 1, .type = TYPE_REAL, .preset = "2", FROM_TO(1, 2.8285),               \
     .unit = "-",                                                                                            \
     .help = "Largest wavenumber that 'low-wavenumber' forces, divided by the lowest one of the box, "       \
             "2*pi over its longest side. In a cube, 32 waves are forced with 2, and 92 with 2.8285."},      \
    {VAR(forcing, correlation_time), .physics = 1, .type = TYPE_REAL, .preset = "-1", .not_given = 1,        \
     ABOVE(0), .unit = "T",                                                                                  \
     .help = "Time in which the correlation of an amplitude of 'ornstein-uhlenbeck' falls to 1/e."},         \
    {VAR(forcing, decay), .physics = 1, .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",              \
     .help = "Whether the forcing of a box is off, so that its turbulence decays. A restart may change this "\
             "without --force-restart; the averages then begin anew."},                                      \
    {VAR(forcing, target_re_lambda), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0),            \
     .unit = "-",                                                                                            \
     .help = "Taylor Reynolds number that a forced cube should reach. It is given in the place of "          \
             "fluid.nu, which then follows from the relations of docs/numerics/forcing.md; --check "         \
             "says what comes out."},                                                                        \
    {VAR(forcing, target_kmax_eta), .type = TYPE_REAL, .preset = "-1", .not_given = 1, ABOVE(0),             \
     .unit = "-",                                                                                            \
     .help = "Resolution that a forced cube should have: the largest wavenumber of the grid, pi over "       \
             "the spacing, times the Kolmogorov length. It is given in the place of fluid.nu, as "           \
             "target_re_lambda."},                                                                           \
    {FORCE_OF("fx", 0), .help = "Force along x of forcing.type = 'formula', divided by the density, as a "   \
             "formula in x, y, z and t: for example 'sin(2*pi*y/ly)*cos(t)'. docs/own-flows.md lists what "  \
             "it may hold. Without a formula there is no force along this direction."},                      \
    {FORCE_OF("fy", 1), .help = "Force along y, as fx."},                                                    \
    {FORCE_OF("fz", 2), .help = "Force along z, as fx."},
/* clang-format on */

#endif
