/* The rows of the table of inputs that belong to &scalars and &buoyancy. table.c puts SCALAR_ROWS into the
 * table; the macros that the rows are made of are defined there. Private to inputs/. */
#ifndef KOL_TABLE_SCALARS_H
#define KOL_TABLE_SCALARS_H

/* Names of choices, in the order of enum scalar_face_name, limiter_name and scalar_initial_name. */
static const char *const scalar_face_names[] = {"none", "value", "flux", "planes", NULL};
static const char *const scalar_bodies_names[] = {"none", "value", "flux", NULL};
static const char *const limiter_names[] = {"none", "koren", NULL};
static const char *const scalar_initial_names[] = {"uniform", "conduction", "formula", NULL};

/* Conditions of a face, as ROW of EACH_FACE in table.c. */
#define OF_SCALAR_FACE(NAME, MEMBER) .group = "scalars", .name = NAME, AT(scalars.MEMBER), .physics = 1
#define SCALAR_FACE_ROWS(FACE, N, END, AXIS, A, B, ALONG)                                                    \
    {OF_SCALAR_FACE(#FACE, face[N]),                                                                         \
     EACH(SCALARS_MOST),                                                                                     \
     .type = TYPE_CHOICE,                                                                                    \
     .preset = "none",                                                                                       \
     .names = scalar_face_names,                                                                             \
     .unit = "-",                                                                                            \
     .help = "Condition of this scalar on the face at the " END " end of " AXIS                              \
             ". 'none': nothing diffuses through the face; outflows need this. "                             \
             "'value': the scalar has the value " #FACE "_value on the face. 'flux': "                       \
             "a wall or plane brings the flux " #FACE "_value into the fluid. 'planes': the values on an "   \
             "inflow come from the planes in time that give its velocity. Inflows need 'value' or "          \
             "'planes'."},                                                                                   \
        {OF_SCALAR_FACE(#FACE "_value", face_value[N]),                                                      \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "own or own U",                                                                             \
         .help = "Value of this scalar at the " END " end of " AXIS                                          \
                 " with the condition 'value'. With 'flux' it is the flux into the fluid, which is minus "   \
                 "the diffusivity times the gradient along the normal that points into the fluid."},         \
        {OF_SCALAR_FACE(#FACE "_formula", face_formula[N]),                                                  \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_TEXT,                                                                                  \
         .preset = "",                                                                                       \
         TEXT_OF_AT_LEAST(0),                                                                                \
         .unit = "own or own U",                                                                             \
         .help = "Formula of the value or flux of this scalar at the " END " end of " AXIS                   \
                 ", in place of " #FACE "_value, in x, y and z. It is evaluated at the centres of the "      \
                 "cells of the face, at the start; it can't depend on the time. docs/own-flows.md lists "    \
                 "what a formula may hold."},                                                                \
        {OF_SCALAR_FACE(#FACE "_table", face_table[N]),                                                      \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_TEXT,                                                                                  \
         .preset = "",                                                                                       \
         TEXT_OF_AT_LEAST(0),                                                                                \
         .unit = "-",                                                                                        \
         .help = "Text file with the values or fluxes of this scalar at the " END " end of " AXIS            \
                 ", in place of " #FACE "_value. Each line holds a coordinate and a number. The "            \
                 "coordinates increase and reach over the whole face; the scalar is linear in between. "     \
                 "Comments begin with #."},                                                                  \
        {OF_SCALAR_FACE(#FACE "_along", face_along[N]),                                                      \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_CHOICE,                                                                                \
         .preset = ALONG,                                                                                    \
         .names = direction_names,                                                                           \
         .unit = "-",                                                                                        \
         .help = "Direction of the coordinate in " #FACE "_table. It is one of the two directions along "    \
                 "the face."},

/* clang-format off: two or three lines a variable, values in the same place */
#define SCALAR_ROWS                                                                                          \
    {VAR(scalars, name),                                                                                     \
     EACH(SCALARS_MOST),                                                                                     \
     .physics = 1,                                                                                           \
     .type = TYPE_TEXT,                                                                                      \
     .preset = "",                                                                                           \
     TEXT_OF_AT_LEAST(0),                                                                                    \
     .unit = "-",                                                                                            \
     .help =                                                                                                 \
         "Name of this scalar in files and messages, for example 'temperature'. Entry n of each "            \
         "variable of this group belongs to scalar n. A scalar is there if it has a name. A name begins "    \
         "with a letter; letters, digits and _ follow, 24 characters in all. Names of quantities in files, " \
         "such as 'k' or 'height', are refused."},                                                           \
        {VAR(scalars, unit),                                                                                 \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_TEXT,                                                                                  \
         .preset = "1",                                                                                      \
         TEXT_OF_AT_LEAST(1),                                                                                \
         .unit = "-",                                                                                        \
         .help =                                                                                             \
             "Unit of this scalar, which is written to files. Write it as UDUNITS does, for example 'K' "    \
             "or 'mol/L'."},                                                                                 \
        {VAR(scalars, diffusivity),                                                                          \
         EACH(SCALARS_MOST),                                                                                 \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "-1",                                                                                     \
         .not_given = 1,                                                                                     \
         AT_LEAST(0),                                                                                        \
         .unit = "U L",                                                                                      \
         .help = "Diffusivity of this scalar. Either this or prandtl must be given for each scalar. If it "  \
                 "is 0, "                                                                                    \
                 "the scalar does not diffuse."},                                                            \
        {VAR(scalars, prandtl),                                                                              \
         EACH(SCALARS_MOST),                                                                                 \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "-1",                                                                                     \
         .not_given = 1,                                                                                     \
         ABOVE(0),                                                                                           \
         .unit = "-",                                                                                        \
         .help = "Prandtl or Schmidt number of this scalar, which is the viscosity divided by the "          \
                 "diffusivity."},                                                                            \
        {VAR(scalars, limiter),                                                                              \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_CHOICE,                                                                                \
         .preset = "none",                                                                                   \
         .names = limiter_names,                                                                             \
         .unit = "-",                                                                                        \
         .help =                                                                                             \
             "Convection of this scalar. 'none': central, without numerical dissipation. 'koren': Koren's "  \
             "limiter, third order upwind where the scalar is smooth, for sharp fronts and small "           \
             "diffusivities. It makes hardly any new extremes. Its numerical dissipation is in series.nc."}, \
        {VAR(scalars, initial),                                                                              \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_CHOICE,                                                                                \
         .preset = "uniform",                                                                                \
         .names = scalar_initial_names,                                                                      \
         .unit = "-",                                                                                        \
         .help =                                                                                             \
             "Initial state of this scalar, without its disturbance. 'uniform': it is initial_value "        \
             "everywhere. 'conduction': it is linear between the values on the two faces of a direction. "   \
             "Exactly one direction must have the condition 'value' on both faces. 'formula': it is "        \
             "initial_formula at the centres of the cells. If initial.file has an array of this scalar's "   \
             "name, the scalar begins from it, and this must be 'uniform'."},                                \
        {VAR(scalars, initial_formula),                                                                      \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_TEXT,                                                                                  \
         .preset = "",                                                                                       \
         TEXT_OF_AT_LEAST(0),                                                                                \
         .unit = "-",                                                                                        \
         .help = "Initial state of this scalar with initial = 'formula', a formula in x, y, z such as "      \
                 "'exp(-(x - 3)^2)' (docs/own-flows.md)."},                                                  \
        {VAR(scalars, initial_value),                                                                        \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "own",                                                                                      \
         .help = "Initial value of this scalar with initial = 'uniform'."},                                  \
        {VAR(scalars, disturbance),                                                                          \
         EACH(SCALARS_MOST),                                                                                 \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "own",                                                                                      \
         .help =                                                                                             \
             "Amplitude of a disturbance that is added to the initial state. With waves it is a product of " \
             "waves. Without waves every cell gets a random number between -disturbance and disturbance, "   \
             "which depends on run.seed."},                                                                  \
        {VAR(scalars, waves),                                                                                \
         XYZ_EACH(SCALARS_MOST),                                                                             \
         .type = TYPE_INT,                                                                                   \
         .preset = "0",                                                                                      \
         AT_LEAST(0),                                                                                        \
         .unit = "-",                                                                                        \
         .help =                                                                                             \
             "Numbers of waves of the disturbance in each direction. In a periodic direction the factor is " \
             "cos(2*pi*waves*s), where s goes from 0 to 1 along the box. In other directions it is "         \
             "sin(pi*waves*s). A number of 0 stands for the factor 1. If all three are 0, the disturbance "  \
             "is "                                                                                           \
             "random."},                                                                                     \
        {VAR(scalars, source), EACH(SCALARS_MOST),                                                           \
         .physics = 1,         .type = TYPE_REAL,                                                            \
         .preset = "0",        ANY,                                                                          \
         .unit = "own/T",      .help = "Uniform source of this scalar."},                                    \
        {VAR(scalars, mean_gradient),                                                                        \
         XYZ_EACH(SCALARS_MOST),                                                                             \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "own/L",                                                                                    \
         .help =                                                                                             \
             "Uniform mean gradient G. The scalar is then the deviation from this gradient, and its source " \
             "is -u.G. Directions in which G is not 0 must be periodic."},                                   \
        {VAR(scalars, bulk_source),                                                                          \
         EACH(SCALARS_MOST),                                                                                 \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "own/T",                                                                                    \
         .help =                                                                                             \
             "Volume mean of a source that is proportional to the velocity along forcing.direction, as in "  \
             "a "                                                                                            \
             "flow whose walls have a constant flux. It needs forcing.type = 'bulk-velocity' without an "    \
             "oscillation."},                                                                                \
        EACH_FACE(SCALAR_FACE_ROWS){                                                                         \
            VAR(scalars, bodies),                                                                            \
            EACH(SCALARS_MOST),                                                                              \
            .physics = 1,                                                                                    \
            .type = TYPE_CHOICE,                                                                             \
            .preset = "none",                                                                                \
            .names = scalar_bodies_names,                                                                    \
            .unit = "-",                                                                                     \
            .help = "Condition of this scalar on the surfaces of all bodies. 'none': nothing passes "        \
                    "through them. 'value': the scalar has the value bodies_value on them and in them. "     \
                    "'flux': each part of their surface brings bodies_value times its area into the "        \
                    "fluid; bodies must not move then."},                                                    \
        {VAR(scalars, bodies_value),                                                                         \
         EACH(SCALARS_MOST),                                                                                 \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "own",                                                                                      \
         .help = "Value of this scalar on all bodies with the condition 'value', or its flux into the "      \
                 "fluid [own U] with the condition 'flux'."},                                                \
        {VAR(scalars, body_value),                                                                           \
         .shape = {BODIES_OWN, SCALARS_MOST},                                                                \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "1e300",                                                                                  \
         .not_given = 1,                                                                                     \
         FROM_TO(-1e100, 1e100),                                                                             \
         .unit = "own",                                                                                      \
         .help = "Value of scalar n on body m alone, as body_value(m,n). If bodies(n) = 'flux', it is the "  \
                 "flux from this body into the fluid [own U]. Otherwise this body has the condition "        \
                 "'value', even if bodies(n) = 'none'. Only the first 24 bodies of &bodies can have such "   \
                 "values."},                                                                                 \
        {VAR(buoyancy, gravity),                                                                             \
         XYZ,                                                                                                \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "U/T",                                                                                      \
         .help = "Vector of gravity. If rayleigh or richardson is given, its "                               \
                 "length does not count, only its "                                                          \
                 "direction. If it is 0, there is no buoyancy."},                                            \
        {VAR(buoyancy, expansion),                                                                           \
         EACH(SCALARS_MOST),                                                                                 \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         ANY,                                                                                                \
         .unit = "1/own",                                                                                    \
         .help = "Expansion coefficient of each scalar: minus the relative change of the density per unit "  \
                 "of the "                                                                                   \
                 "scalar. It is negative for salt. With rayleigh or richardson, scalar 1 has the value 1, "  \
                 "and the values of the other scalars are relative to it."},                                 \
        {VAR(buoyancy, reference),                                                                           \
         EACH(SCALARS_MOST),                                                                                 \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "1e300",                                                                                  \
         .not_given = 1,                                                                                     \
         FROM_TO(-1e100, 1e100),                                                                             \
         .unit = "own",                                                                                      \
         .help = "Value of each scalar at which it causes no buoyancy. If it is not given, the state of "    \
                 "rest is "                                                                                  \
                 "taken: linear between the two faces across gravity, if both have values of this scalar; "  \
                 "otherwise the initial value, or the mean of the two values of 'conduction'. If initial "   \
                 "is 'formula', it must be given then."},                                                    \
        {VAR(buoyancy, rayleigh),                                                                            \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "-1",                                                                                     \
         .not_given = 1,                                                                                     \
         ABOVE(0),                                                                                           \
         .unit = "-",                                                                                        \
         .help = "Rayleigh number, in place of nu. The units are then the height, the difference of "        \
                 "scalar 1 and the free-fall velocity: gravity times the expansion coefficient of scalar "   \
                 "1 is 1, nu = sqrt(prandtl(1)/rayleigh), and the diffusivity is nu/prandtl(1). It needs "   \
                 "scalars.prandtl(1)."},                                                                     \
        {VAR(buoyancy, richardson),                                                                          \
         .physics = 1,                                                                                       \
         .type = TYPE_REAL,                                                                                  \
         .preset = "-1",                                                                                     \
         .not_given = 1,                                                                                     \
         ABOVE(0),                                                                                           \
         .unit = "-",                                                                                        \
         .help =                                                                                             \
             "Richardson number, based on unit length, unit velocity and a unit difference of scalar 1: "    \
             "gravity times the expansion coefficient of scalar 1. It can't be combined with rayleigh."},
/* clang-format on */

#endif
