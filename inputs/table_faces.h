/* The rows of the table of inputs for the six faces. table.c puts FACE_ROWS into the table and has the macros
 * that the rows are made of. Private to inputs/. */
#ifndef KOL_TABLE_FACES_H
#define KOL_TABLE_FACES_H

/* Names of choices, in the order of enum boundary_name and enum profile_name. */
static const char *const boundary_names[] = {"periodic", "wall", "slip", "inflow", "outflow", NULL};
static const char *const profile_names[] = {"uniform", "parabolic", "table", "planes", "formula", NULL};

/* EACH_FACE: the six faces. Each macro that is given as ROW makes six rows of the table of inputs, one for
 * each face. The columns are
 *
 *   - the name and the number of the face;
 *   - the end and the direction at which it lies;
 *   - the two directions along it;
 *   - the default of boundary.<face>_along. */
#define EACH_FACE(ROW)                                                                                       \
    ROW(x_low, 0, "lower", "x", "y", "z", "z")                                                               \
    ROW(x_high, 1, "upper", "x", "y", "z", "z")                                                              \
    ROW(y_low, 2, "lower", "y", "x", "z", "z")                                                               \
    ROW(y_high, 3, "upper", "y", "x", "z", "z")                                                              \
    ROW(z_low, 4, "lower", "z", "x", "y", "x")                                                               \
    ROW(z_high, 5, "upper", "z", "x", "y", "x")
#define OF_FACE(NAME, MEMBER) .group = "boundary", .name = NAME, AT(boundary.MEMBER), .physics = 1
#define FORMULA_OF(NAME, C)                                                                                  \
    .group = "initial", .name = NAME, AT(initial.formula[C]), .type = TYPE_TEXT, .preset = "0",              \
    TEXT_OF_AT_LEAST(1), .unit = "U"
#define KIND_ROW(FACE, N, END, AXIS, A, B, ALONG)                                                            \
    {OF_FACE(#FACE, face[N]),                                                                                \
     .type = TYPE_CHOICE,                                                                                    \
     .preset = "periodic",                                                                                   \
     .names = boundary_names,                                                                                \
     .unit = "-",                                                                                            \
     .help = "Condition on the face at the " END " end of " AXIS ": 'periodic' (the opposite face must be "  \
             "periodic, too), a no-slip 'wall', a free-slip plane ('slip'), an 'inflow' or an 'outflow'."},
#define VELOCITY_ROW(FACE, N, END, AXIS, A, B, ALONG)                                                        \
    {OF_FACE(#FACE "_velocity", velocity[N]),                                                                \
     XYZ,                                                                                                    \
     .type = TYPE_REAL,                                                                                      \
     .preset = "0",                                                                                          \
     ANY,                                                                                                    \
     .unit = "U",                                                                                            \
     .help =                                                                                                 \
         "Velocity at the " END " end of " AXIS ", for walls and inflows. A wall moves along itself, so "    \
         "its " AXIS " component must be 0. If the profile of an inflow is not uniform, it is the mean "     \
         "velocity."},
#define PROFILE_ROW(FACE, N, END, AXIS, A, B, ALONG)                                                         \
    {OF_FACE(#FACE "_profile", profile[N]),                                                                  \
     .type = TYPE_CHOICE,                                                                                    \
     .preset = "uniform",                                                                                    \
     .names = profile_names,                                                                                 \
     .unit = "-",                                                                                            \
     .help =                                                                                                 \
         "How the velocity of an inflow or of a wall varies over the face. 'uniform': it is constant. "      \
         "'parabolic': "                                                                                     \
         "it is the developed laminar flow between the walls at the edges of the face, with the mean " #FACE \
         "_velocity. With walls at all four edges it is the series solution for a duct. With walls in one "  \
         "direction only, it includes the flow that moving walls drag along. 'table': it comes from a "      \
         "text file. 'planes': it comes from a file of planes in time. 'formula': it comes from the "        \
         "formulas " #FACE "_formula. Walls are 'uniform' or 'formula'."},
#define WINDOW_ROW(FACE, N, END, AXIS, A, B, ALONG)                                                          \
    {OF_FACE(#FACE "_window", window[N]),                                                                    \
     EACH(4),                                                                                                \
     .type = TYPE_REAL,                                                                                      \
     .preset = "0",                                                                                          \
     ANY,                                                                                                    \
     .unit = "L",                                                                                            \
     .help =                                                                                                 \
         "Part of an inflow face that is open. The numbers are its lower and upper end in " A ", then "      \
         "in " B ". The rest of the face is a wall at rest. If all four are 0, the whole face is open."},
#define FORMULA_ROW(FACE, N, END, AXIS, A, B, ALONG)                                                         \
    {OF_FACE(#FACE "_formula", formula[N]),                                                                  \
     XYZ,                                                                                                    \
     .type = TYPE_TEXT,                                                                                      \
     .preset = "0",                                                                                          \
     TEXT_OF_AT_LEAST(1),                                                                                    \
     .unit = "U",                                                                                            \
     .help = "Formulas of the velocity components u, v, w of the profile 'formula', in x, y and z. A wall "  \
             "moves along itself, so its " AXIS " component must be '0'. Each "                              \
             "component is evaluated at its own points on the face, at the start; it can't depend on the "   \
             "time. docs/own-flows.md lists what a formula may hold."},
#define FILE_ROWS(FACE, N, END, AXIS, A, B, ALONG)                                                           \
    {OF_FACE(#FACE "_file", file[N]),                                                                        \
     .type = TYPE_TEXT,                                                                                      \
     .preset = "",                                                                                           \
     TEXT_OF_AT_LEAST(0),                                                                                    \
     .unit = "-",                                                                                            \
     .help = "File of the profiles 'table' and 'planes'. For 'table' it is a text file. Each line holds a "  \
             "coordinate and the three components of the velocity. The coordinates increase, and the "       \
             "velocity is linear in between. Comments begin with #. For 'planes' it is an HDF5 file with "   \
             "planes of velocity in time; io/schema.md describes it."},                                      \
        {OF_FACE(#FACE "_along", along[N]),                                                                  \
         .type = TYPE_CHOICE,                                                                                \
         .preset = ALONG,                                                                                    \
         .names = direction_names,                                                                           \
         .unit = "-",                                                                                        \
         .help = "Direction of the coordinate in the file of the profile 'table'. It is one of the two "     \
                 "directions along the face."},                                                              \
        {OF_FACE(#FACE "_turbulence", turbulence[N]),                                                        \
         XYZ,                                                                                                \
         .type = TYPE_REAL,                                                                                  \
         .preset = "0",                                                                                      \
         AT_LEAST(0),                                                                                        \
         .unit = "U",                                                                                        \
         .help =                                                                                             \
             "Root mean square of each velocity component of the synthetic turbulence that is added to an "  \
             "inflow. The length scale of the turbulence is turbulence_length. It has no net flux "          \
             "through the face."},

#define FACE_ROWS                                                                                            \
    EACH_FACE(KIND_ROW)                                                                                      \
    EACH_FACE(VELOCITY_ROW)                                                                                  \
    EACH_FACE(PROFILE_ROW)                                                                                   \
    EACH_FACE(WINDOW_ROW)                                                                                    \
    EACH_FACE(FORMULA_ROW)                                                                                   \
    EACH_FACE(FILE_ROWS)

#endif
