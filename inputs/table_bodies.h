/* The rows of the table of inputs that belong to &bodies, &bodies_list and &packing. table.c puts BODIES_ROWS
 * into the table and has the macros that the rows are made of. Private to inputs/. */
#ifndef KOL_TABLE_BODIES_H
#define KOL_TABLE_BODIES_H

/* Two or three lines a variable, values in the same place. */
/* clang-format off */
#define BODIES_ROWS                                                                                          \
    {VAR(bodies, shape), EACH(BODIES_MOST), .type = TYPE_CHOICE, .preset = "none", .names = shape_names,     \
     .physics = 1, .unit = "-",                                                                              \
     .help = "Shape of this body. Entry n of each variable of this group belongs to body n. A 'plane' is "   \
             "the half space on the lower side of its surface. A 'wave' is a plane whose surface is a "      \
             "cosine wave with a crest at centre; it varies along y, z or x if axis is 'x', 'y' or 'z'. An " \
             "'stl' is a surface of triangles, and a 'levelset' is given by numbers on the nodes of the "    \
             "grid; both are read from file."},                                                              \
    {VAR(bodies, centre), XYZ_EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "1e300", .not_given = 1,       \
     FROM_TO(-1e100, 1e100), .physics = 1, .unit = "L",                                                      \
     .help = "Centre of this body; for 'plane' and 'wave', a point of its mean surface. The body repeats "   \
             "itself in periodic directions, so that it may cross their faces."},                            \
    {VAR(bodies, size), .shape = {3, BODIES_MOST}, .type = TYPE_REAL, .preset = "0", AT_LEAST(0),            \
     .physics = 1, .unit = "L",                                                                              \
     .help = "Size of this body. 'box': the three edges. 'sphere': the diameter. 'ellipsoid': the three "    \
             "axes. 'cylinder' and 'capsule': the diameter and the whole length; if the length is 0, the "   \
             "body passes through the whole domain. 'torus': the diameter of the ring, from centre line "    \
             "to centre line, and the diameter of its section. 'wave': the amplitude and the wavelength. "   \
             "'stl': a factor for the coordinates in the file. "                                             \
             "Entries that the shape does not need are 0."},                                                 \
    {VAR(bodies, axis), EACH(BODIES_MOST), .type = TYPE_CHOICE, .preset = "z", .names = direction_names,     \
     .physics = 1, .unit = "-",                                                                              \
     .help = "Axis of this body before it is turned by angles. For 'plane' and 'wave' it is the normal, "    \
             "which points into the fluid."},                                                                \
    {VAR(bodies, angles), XYZ_EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "0", FROM_TO(-360, 360),       \
     .physics = 1, .unit = "degree",                                                                         \
     .help = "Angles by which this body is turned about its centre: first about x, then about y, then "      \
             "about "                                                                                        \
             "z, which are the fixed axes of the domain."},                                                  \
    {VAR(bodies, operation), EACH(BODIES_MOST), .type = TYPE_CHOICE, .preset = "add",                        \
     .names = operation_names, .physics = 1, .unit = "-",                                                    \
     .help = "What this body does to the solid of all bodies before it. 'add': it is solid, too. 'cut': it " \
             "is taken away from them. 'intersect': only what lies inside this body stays solid. The "       \
             "surface that 'cut' or 'intersect' leaves belongs to the body that was cut."},                  \
    {VAR(bodies, file), EACH(BODIES_MOST), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0),             \
     .physics = 1,                                                                                           \
     .unit = "-",                                                                                            \
     .help = "File of this body, for the shapes 'stl' and 'levelset'. 'stl': a text or binary STL file; "    \
             "its "                                                                                          \
             "surface must be closed, and its point 0, 0, 0 lies at centre. 'levelset': an HDF5 file "       \
             "with the dataset level_set on the nodes of the grid, positive in the fluid."},                 \
    {VAR(bodies, motion), EACH(BODIES_MOST), .type = TYPE_CHOICE, .preset = "none", .names = motion_names,   \
     .physics = 1, .unit = "-",                                                                              \
     .help = "Motion of this body. 'rotate': it turns about its own axis with the angular velocity "         \
             "rotation. 'translate': it moves with the constant velocity. 'oscillate': its centre is at "    \
             "centre + amplitude sin(2 pi frequency time + phase). 'file': place and angles are read from "  \
             "motion_file. If a body rotates about an axis of symmetry, only its surface moves. All other "  \
             "bodies with a motion move through the grid; they must stay a cell apart from other bodies, "   \
             "from inflows and outflows, and from boundaries across which they move."},                      \
    {VAR(bodies, rotation), EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "0", ANY, .physics = 1,          \
     .unit = "rad/T",                                                                                        \
     .help = "Angular velocity of a body that rotates. With axis = 'z' a positive value turns it from x to " \
             "y; for the other axes the right-hand rule holds, too."},                                       \
    {VAR(bodies, velocity), XYZ_EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "0", ANY, .physics = 1,      \
     .unit = "U", .help = "Velocity of a body that translates. At time 0 it is at centre."},                 \
    {VAR(bodies, amplitude), XYZ_EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "0", ANY, .physics = 1,     \
     .unit = "L", .help = "Amplitude of a body that oscillates, in x, y and z."},                            \
    {VAR(bodies, frequency), EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .physics = 1, \
     .unit = "1/T", .help = "Frequency of a body that oscillates."},                                         \
    {VAR(bodies, phase), EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "0", FROM_TO(-1e6, 1e6),            \
     .physics = 1, .unit = "rad", .help = "Phase of a body that oscillates, at time 0."},                    \
    {VAR(bodies, remove_time), EACH(BODIES_MOST), .type = TYPE_REAL, .preset = "-1", .not_given = 1,         \
     AT_LEAST(0), .physics = 1, .unit = "T",                                                                 \
     .help =                                                                                                 \
         "Time at which this body vanishes. The cells of the body are then filled with fluid that has the "  \
         "body's velocity, and the flow is projected. A step ends at this time. Without it the body "        \
             "stays."},                                                                                      \
    {VAR(bodies, motion_file), EACH(BODIES_MOST), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0),      \
     .physics = 1, .unit = "-",                                                                              \
     .help =                                                                                                 \
         "File with the motion of this body, for motion 'file'. Each line holds a time, the three "          \
         "coordinates of the centre (which replace centre) and, if needed, three angles in degrees. The "    \
         "body is turned by angles first and then by these, in the same order of axes. Comments begin with " \
         "#. Between the lines, coordinates and angles are cubic polynomials of the time."},                 \
    {VAR(bodies, reference_area), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "L2",               \
     .help = "Area A of the coefficients 2 F/(A U^2). F is the force on each body in bodies.nc, and the "    \
             "sum "                                                                                          \
             "of these forces in series.nc. For a cylinder through the domain, A is the diameter times the " \
             "length."},                                                                                     \
    {VAR(bodies, reference_speed), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .unit = "U",               \
     .help = "Speed U of these coefficients. Without it and reference_area there are no coefficients."},     \
    {VAR(bodies, thin_walls), .type = TYPE_LOGICAL, .preset = ".false.", .unit = "-",                        \
     .help = "Whether the run goes on if a wall of a body is thinner than a cell somewhere, so that fluid "  \
             "passes through it. If not, such a geometry is refused."},                                      \
                                                                                                             \
    {VAR(bodies_list, file), .type = TYPE_TEXT, .preset = "", TEXT_OF_AT_LEAST(0), .physics = 1, .unit       \
     = "-",                                                                                                  \
     .help = "File with more bodies, of any number. Each line holds the shape, the centre, the three "       \
             "numbers "                                                                                      \
             "of size, and if needed the three angles. Comments begin with #. These bodies are added after " \
             "those of &bodies."},                                                                           \
    {VAR(bodies_list, remove_time), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0),          \
     .physics = 1, .unit = "T",                                                                              \
     .help = "Time at which all bodies of the file vanish, as with bodies.remove_time."},                    \
                                                                                                             \
    {VAR(packing, shape), .type = TYPE_CHOICE, .preset = "none", .names = packing_names, .physics = 1,       \
     .unit = "-",                                                                                            \
     .help = "Shape of equal bodies at random places: cubes or spheres that do not overlap. They are added " \
             "after those of &bodies and &bodies_list, and may overlap with these."},                        \
    {VAR(packing, count), .type = TYPE_INT, .preset = "0", FROM_TO(0, 10000000), .physics = 1, .unit = "-",  \
     .help = "Number of the bodies."},                                                                       \
    {VAR(packing, size), .type = TYPE_REAL, .preset = "0", AT_LEAST(0), .physics = 1, .unit = "L",           \
     .help = "Edge of the cubes or diameter of the spheres."},                                               \
    {VAR(packing, seed), .type = TYPE_INT, .preset = "1", AT_LEAST(0), .physics = 1, .unit = "-",            \
     .help = "Seed of the places. The same seed gives the same places on any number of ranks."},             \
    {VAR(packing, gap), .type = TYPE_REAL, .preset = "2", AT_LEAST(0), .physics = 1, .unit = "cells",        \
     .help = "Least distance of two bodies, and of a body from a boundary that is not periodic, in "         \
             "widths of "                                                                                    \
             "the widest cell."},                                                                            \
    {VAR(packing, align), .type = TYPE_LOGICAL, .preset = ".false.", .physics = 1, .unit = "-",              \
     .help = "Whether the faces of cubes lie on faces of cells. The edges are then rounded to whole cells. " \
             "All directions must be uniform."},                                                             \
    {VAR(packing, remove_time), .type = TYPE_REAL, .preset = "-1", .not_given = 1, AT_LEAST(0),              \
     .physics = 1,                                                                                           \
     .unit = "T", .help = "Time at which all bodies of the packing vanish, as with bodies.remove_time."},
/* clang-format on */

#endif
