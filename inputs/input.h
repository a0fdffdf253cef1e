/* Every run-time value, grouped as in the namelist. inputs/table.c has the types, defaults, ranges and help
 * texts. The units are those of docs/conventions.md. After input_read the struct is read only. */
#ifndef KOL_INPUT_H
#define KOL_INPUT_H

enum { INPUT_TEXT = 256 }; /* bytes of a text value, terminating zero included */
enum { SLICES_MOST = 16, BOXES_MOST = 8, PROBES_MOST = 16, HEIGHTS_MOST = 16, HOLES_MOST = 3 };
enum {
    BODIES_MOST = 64,
    BODIES_OWN = 24
}; /* BODIES_OWN: those that can have values of scalars of their own */
enum { SCALARS_MOST = 8, SCALAR_NAME = 24 }; /* scalars, and the characters of a name */
static const double INPUT_NOWHERE = 1e300;   /* a coordinate that is not given */
#define INPUT_QUANTITIES "velocity pressure" /* of slices and boxes where none are given */

enum scheme_name { SCHEME_RK3_HALF, SCHEME_RK3_WRAY };
enum diffusion_name { DIFFUSION_EXPLICIT, DIFFUSION_IMPLICIT, DIFFUSION_IMPLICIT_Z };
enum stretching_name {
    STRETCHING_UNIFORM,
    STRETCHING_TANH,
    STRETCHING_SINE,
    STRETCHING_TANH_LOW,
    STRETCHING_TANH_HIGH,
    STRETCHING_GEOMETRIC,
    STRETCHING_FILE
};
enum boundary_name { BOUNDARY_PERIODIC, BOUNDARY_WALL, BOUNDARY_SLIP, BOUNDARY_INFLOW, BOUNDARY_OUTFLOW };
enum profile_name { PROFILE_UNIFORM, PROFILE_PARABOLIC, PROFILE_TABLE, PROFILE_PLANES, PROFILE_FORMULA };
enum forcing_name {
    FORCING_NONE,
    FORCING_PRESSURE_GRADIENT,
    FORCING_BULK_VELOCITY,
    FORCING_POWER,
    FORCING_LINEAR,
    FORCING_LOW_WAVENUMBER,
    FORCING_FORMULA
};
enum control_name { CONTROL_NONE, CONTROL_POWER, CONTROL_ENERGY, CONTROL_DISSIPATION };
enum law_name { LAW_CONSTANT_POWER, LAW_ORNSTEIN_UHLENBECK };
enum scalar_face_name { SCALAR_FACE_NONE, SCALAR_FACE_VALUE, SCALAR_FACE_FLUX, SCALAR_FACE_PLANES };
enum limiter_name { LIMITER_NONE, LIMITER_KOREN };
enum scalar_initial_name { SCALAR_UNIFORM, SCALAR_CONDUCTION, SCALAR_FORMULA };
enum sums_name { SUMS_AUTO, SUMS_ONE, SUMS_SEVERAL };
enum precond_name { PRECOND_AUTO, PRECOND_JACOBI, PRECOND_POLYNOMIAL, PRECOND_MULTIGRID, PRECOND_DIRECT };
enum method_name { METHOD_PROJECTION, METHOD_EXACT };
enum direct_precision_name { DIRECT_AUTO, DIRECT_DOUBLE, DIRECT_SINGLE };
enum multigrid_precision_name { MULTIGRID_AUTO, MULTIGRID_DOUBLE, MULTIGRID_SINGLE };
enum transfer_name { TRANSFER_AUTO, TRANSFER_CONSTANT, TRANSFER_LINEAR };
enum guess_name { GUESS_ZERO, GUESS_PREVIOUS, GUESS_LINEAR, GUESS_LLI };
enum first_stage_name { FIRST_STAGE_AUTO, FIRST_STAGE_SOLVED, FIRST_STAGE_GUESSED };
enum initial_name {
    INITIAL_TAYLOR_GREEN,
    INITIAL_TAYLOR_GREEN_2D,
    INITIAL_ABC,
    INITIAL_BELTRAMI,
    INITIAL_ISOTROPIC,
    INITIAL_UNIFORM,
    INITIAL_REST,
    INITIAL_CHANNEL,
    INITIAL_FORMULA,
    INITIAL_FILE
};
enum large_scales_name { LARGE_SCALES_BATCHELOR, LARGE_SCALES_SAFFMAN };
enum spectrum_name { SPECTRUM_GAUSSIAN, SPECTRUM_VON_KARMAN, SPECTRUM_FILE };
enum precision_name { PRECISION_SINGLE, PRECISION_DOUBLE };
enum places_name { PLACES_CENTRES, PLACES_FACES };
enum normal_name { NORMAL_NONE, NORMAL_X, NORMAL_Y, NORMAL_Z };
/* The names up to STOP_BOX_LAST are numbers of a periodic box. The others are numbers of other flows, those
 * from STOP_NUSSELT_LOW on of scalars between walls.
 * STOP_DISSIPATION also exists in flows with one periodic direction. */
enum stop_name {
    STOP_NONE,
    STOP_K,
    STOP_DISSIPATION,
    STOP_RE_LAMBDA,
    STOP_ENSTROPHY,
    STOP_TAYLOR,
    STOP_ETA,
    STOP_SKEWNESS,
    STOP_FLATNESS,
    STOP_SCALAR_VARIANCE,
    STOP_SCALAR_DISSIPATION,
    STOP_BOX_LAST = STOP_SCALAR_DISSIPATION,
    STOP_U_TAU,
    STOP_RE_TAU,
    STOP_U_B,
    STOP_FRICTION,
    STOP_NUSSELT_LOW,
    STOP_NUSSELT_HIGH,
    STOP_NUSSELT_FLUX,
    STOP_NUSSELT_VARIANCE,
    STOP_NUSSELT_ENERGY,
    STOP_NUSSELT_BULK
};
/* sample_pressure_name: the pressure of samples: that of the last stage of a step, or that of the time of the
 * sample. */
enum sample_pressure_name { SAMPLE_PRESSURE_STAGE, SAMPLE_PRESSURE_SOLVED };
/* directions_name: directions of averages. DIRECTIONS_PERIODIC: all periodic ones; DIRECTIONS_NONE: averages
 * over time alone. The others are sets of directions. */
enum directions_name {
    DIRECTIONS_PERIODIC,
    DIRECTIONS_NONE,
    DIRECTIONS_X,
    DIRECTIONS_Y,
    DIRECTIONS_Z,
    DIRECTIONS_XY,
    DIRECTIONS_XZ,
    DIRECTIONS_YZ,
    DIRECTIONS_XYZ
};
enum shape_name {
    SHAPE_NONE,
    SHAPE_BOX,
    SHAPE_SPHERE,
    SHAPE_ELLIPSOID,
    SHAPE_CYLINDER,
    SHAPE_CAPSULE,
    SHAPE_PLANE,
    SHAPE_TORUS,
    SHAPE_WAVE,
    SHAPE_STL,
    SHAPE_LEVELSET
};
enum operation_name { OPERATION_ADD, OPERATION_CUT, OPERATION_INTERSECT };
enum packing_name { PACKING_NONE, PACKING_BOX, PACKING_SPHERE };
enum motion_name { MOTION_NONE, MOTION_ROTATE, MOTION_TRANSLATE, MOTION_OSCILLATE, MOTION_FILE };
enum transport_name { TRANSPORT_AUTO, TRANSPORT_PEER, TRANSPORT_CUDA_AWARE, TRANSPORT_HOST };

struct input {
    struct {
        char title[INPUT_TEXT];
        double t_end;    /* [T]; negative: not given */
        int steps_max;   /* negative: not given */
        double walltime; /* seconds of wall clock; 0: no limit */
        double watchdog; /* seconds without progress after which the run ends; 0: never */
        int seed;
    } run;
    struct {
        int n[3];
        double length[3];
        double origin[3];
        int stretching[3]; /* enum stretching_name */
        double stretching_factor[3];
        char stretching_file[3][INPUT_TEXT];
        int ranks[3]; /* 0: choose */
    } grid;
    struct {
        double nu; /* always set after reading: from nu or from reynolds */
        double reynolds;
        double re_tau; /* expected; not positive: not given */
    } fluid;
    struct {
        int face[6];           /* enum boundary_name, in the order x_low x_high y_low y_high z_low z_high */
        double velocity[6][3]; /* of walls and inflows, in the same order [U] */
        int profile[6];        /* of inflows and walls: enum profile_name */
        double window[6][4];   /* of inflows: low and high end along the first and the second direction of the
                                  face; if all are 0, the whole face is open [L] */
        char file[6][INPUT_TEXT];       /* of the profiles 'table' and 'planes' */
        int along[6];                   /* of the profile 'table': direction of its coordinate */
        char formula[6][3][INPUT_TEXT]; /* of the profile 'formula': u, v, w [U] */
        double turbulence[6][3];        /* of inflows: root mean square of each component [U] */
        double turbulence_length;       /* [L] */
        int turbulence_modes;
        int planes_loop;         /* logical: planes begin anew after the last */
        double outflow_velocity; /* that outflows are convected with; 0: the mean one of each face [U] */
    } boundary;
    struct {
        int type;      /* enum forcing_name */
        int direction; /* 0, 1, 2 = x, y, z */
        /* gradient [U/T], bulk velocity [U], power over the volume [U^2/T]; of the forcing of a box also rate
           [1/T], energy [U^2] or dissipation [U^2/T] */
        double value;
        double amplitude, frequency, phase; /* of what oscillates about value [unit of value, 1/T, rad] */
        double rotation[3];                 /* angular velocity of the frame [1/T] */
        int control;                        /* enum control_name, of 'linear' */
        double gain;                        /* of its controllers; 0: choose */
        int law;                            /* enum law_name, of 'low-wavenumber' */
        double k_high;           /* largest wavenumber forced, over 2 pi / longest side of the box */
        double correlation_time; /* of Ornstein-Uhlenbeck amplitudes [T]; negative: not given */
        int decay;               /* logical: the forcing of a box is switched off */
        double target_re_lambda, target_kmax_eta; /* in the place of nu; negative: not given */
        char formula[3][INPUT_TEXT];              /* of the force along x, y, z, for 'formula' */
    } forcing;
    struct { /* scalar n is there where name[n] is not empty */
        char name[SCALARS_MOST][INPUT_TEXT];
        char unit[SCALARS_MOST][INPUT_TEXT];
        double diffusivity[SCALARS_MOST], prandtl[SCALARS_MOST];       /* [U L], [-]; negative: not given */
        int initial[SCALARS_MOST];                                     /* enum scalar_initial_name */
        char initial_formula[SCALARS_MOST][INPUT_TEXT];                /* for 'formula' */
        double initial_value[SCALARS_MOST], disturbance[SCALARS_MOST]; /* [own] */
        int limiter[SCALARS_MOST];                                     /* enum limiter_name */
        int waves[SCALARS_MOST][3];                                    /* of the disturbance */
        double source[SCALARS_MOST], bulk_source[SCALARS_MOST];        /* [own/T] */
        double mean_gradient[SCALARS_MOST][3];                         /* [own/L] */
        int face[6][SCALARS_MOST];                                     /* enum scalar_face_name */
        double face_value[6][SCALARS_MOST]; /* value [own] or flux into the fluid [own U] */
        int bodies[SCALARS_MOST];           /* on all bodies: enum scalar_face_name, but no planes */
        double bodies_value[SCALARS_MOST];  /* value [own] or flux into the fluid [own U] */
        /* on bodies 1 to BODIES_OWN; INPUT_NOWHERE: not given. Fluxes if `bodies` says so, else values */
        double body_value[SCALARS_MOST][BODIES_OWN];
        char face_formula[6][SCALARS_MOST][INPUT_TEXT]; /* of the value or flux; "": not given */
        char face_table[6][SCALARS_MOST][INPUT_TEXT];   /* text file of it; "": not given */
        int face_along[6][SCALARS_MOST];                /* direction of the coordinate in the file */
    } scalars;
    struct {
        double gravity[3];              /* its direction alone, if rayleigh or richardson is given [U/T] */
        double expansion[SCALARS_MOST]; /* [1/own] */
        double reference[SCALARS_MOST]; /* INPUT_NOWHERE: not given [own] */
        double rayleigh, richardson;    /* not positive: not given */
    } buoyancy;
    struct {
        int scheme;    /* enum scheme_name */
        int diffusion; /* enum diffusion_name */
        double cfl;
        double dt;                  /* 0: from cfl and the viscous limit */
        double diffusion_tolerance; /* of the Helmholtz solves: change of velocity left, over the largest
                                       speed */
    } time;
    struct {
        int method;         /* enum method_name */
        int preconditioner; /* enum precond_name */
        int degree;
        double weight; /* of the degree-1 Neumann polynomial */
        double ratio;  /* largest over smallest eigenvalue treated by the Chebyshev polynomial, degree >= 2 */
        int smoothing; /* steps before and after each coarse correction of the multigrid cycle; 0: choose */
        int transfer;  /* enum transfer_name, of its corrections */
        int direct_precision;    /* enum direct_precision_name, of the exact inverse */
        int multigrid_precision; /* enum multigrid_precision_name, of increments solved for with multigrid */
        int guess;               /* enum guess_name */
        double tolerance; /* on max|div u| h / U after a stage; 'exact': max|curl e| h / U of its error e */
        double relative;  /* on the same over that before the correction; 0: none */
        double stage_reduction; /* part of max|div u| that the stages before the last one may leave; 0: none
                                   but what tolerance allows */
        int first_stage;        /* enum first_stage_name; resolve_inputs() leaves no 'auto' */
        int sums;               /* enum sums_name, over the grid in an iteration */
        int iterations; /* of each stage, more where the tolerance wants them; 0: as many as it wants */
        int max_iterations;
    } pressure;
    struct {
        int type;           /* enum initial_name */
        double velocity[3]; /* uniform velocity, added to the flow [U] */
        double amplitude;   /* U0 of the vortex flows [U] */
        int wavenumber;     /* waves per box length of the vortex flows */
        double abc[3];      /* A, B, C of the ABC flow, over amplitude */
        double disturbance; /* largest velocity of the disturbances of 'channel', over amplitude */
        int spectrum;       /* enum spectrum_name */
        int large_scales;   /* enum large_scales_name */
        double k_peak;      /* [1/L] */
        double u_rms;       /* [U] */
        char spectrum_file[INPUT_TEXT];
        char formula[3][INPUT_TEXT]; /* of u, v, w, for 'formula' */
        char file[INPUT_TEXT];       /* of the velocity, for 'file' */
    } initial;
    struct {
        char directory[INPUT_TEXT];
        int series_interval;        /* steps */
        int log_interval;           /* steps */
        int field_interval;         /* steps; 0: none */
        double field_interval_time; /* [T]; 0: none */
        int field_precision;        /* enum precision_name */
        int field_places;           /* enum places_name */
        int compression;            /* deflate level of field files, slices, boxes, averages.h5; 0: none */
        int fields_vorticity;       /* logical: also write the vorticity vector */
        int fields_bodies;          /* logical: also write the solid share and the level set of bodies */
        int bodies_interval;        /* steps between records of forces on bodies; 0: none */
        int surface_interval;       /* steps between files of surface data of bodies; 0: none */
        double surface_start;       /* when their averages begin [T]; below 0: there are none */
        int cut_steps;              /* logical: steps end at the times asked for by an interval_time */
    } output;
    struct {                                      /* entry n is there where one of its intervals is above 0 */
        int normal[SLICES_MOST];                  /* enum normal_name */
        double position[SLICES_MOST];             /* [L] */
        int interval[SLICES_MOST];                /* steps; 0: see below */
        double interval_time[SLICES_MOST];        /* [T]; 0: by steps */
        char quantities[SLICES_MOST][INPUT_TEXT]; /* words: quantities.h */
    } slices;
    struct {                                            /* likewise */
        double low[BOXES_MOST][3], high[BOXES_MOST][3]; /* INPUT_NOWHERE: the end of the grid [L] */
        int interval[BOXES_MOST];
        double interval_time[BOXES_MOST];
        char quantities[BOXES_MOST][INPUT_TEXT];
    } boxes;
    struct {
        double position[PROBES_MOST][3]; /* INPUT_NOWHERE: no more probes [L] */
        char file[INPUT_TEXT];           /* of more positions; "": none */
        int interval;                    /* steps */
    } probes;
    struct {                  /* of the turbulence in a box */
        int interval;         /* steps; 0: by time */
        double interval_time; /* [T]; 0: by steps */
    } history;
    struct {                                       /* entry n is there where its shape is not 'none' */
        int shape[BODIES_MOST];                    /* enum shape_name */
        double centre[BODIES_MOST][3];             /* INPUT_NOWHERE: not given [L] */
        double size[BODIES_MOST][3];               /* what it means depends on the shape [L] */
        int axis[BODIES_MOST];                     /* 0, 1, 2 = x, y, z */
        double angles[BODIES_MOST][3];             /* rotations about x, then y, then z [degree] */
        int operation[BODIES_MOST];                /* enum operation_name */
        char file[BODIES_MOST][INPUT_TEXT];        /* of the shapes 'stl' and 'levelset' */
        int motion[BODIES_MOST];                   /* enum motion_name */
        double rotation[BODIES_MOST];              /* of the surface about the body's own axis [rad/T] */
        double velocity[BODIES_MOST][3];           /* of a body that translates [U] */
        double amplitude[BODIES_MOST][3];          /* of a body that oscillates [L] */
        double frequency[BODIES_MOST];             /* [1/T] */
        double phase[BODIES_MOST];                 /* [rad] */
        char motion_file[BODIES_MOST][INPUT_TEXT]; /* of a body with motion 'file' */
        double remove_time[BODIES_MOST];           /* it vanishes then; negative: never [T] */
        int thin_walls;                         /* logical: go on though the grid does not resolve a wall */
        double reference_area, reference_speed; /* of coefficients [L^2], [U]; 0: there are none */
    } bodies;
    struct {
        char file[INPUT_TEXT]; /* "": none */
        double remove_time;    /* they vanish then; negative: never [T] */
    } bodies_list;
    struct {
        int shape;   /* enum packing_name */
        int count;   /* of bodies */
        double size; /* edge or diameter [L] */
        int seed;
        double gap;         /* least distance of two bodies [cells] */
        int align;          /* logical: boxes lie on faces of cells */
        double remove_time; /* they vanish then; negative: never [T] */
    } packing;
    struct {
        double start;                         /* [T]; negative: not given, no statistics */
        int interval;                         /* steps between samples */
        int spectra_interval;                 /* steps between samples of spectra; 0: none */
        double spectra_heights[HEIGHTS_MOST]; /* above the lower wall; INPUT_NOWHERE: no more [L] */
        int write_interval;                /* steps between files; 0: with checkpoints and at the end alone */
        int quadrants;                     /* logical: of the shear stress along the stream */
        double quadrant_holes[HOLES_MOST]; /* beside 0; INPUT_NOWHERE: no more */
        int stress_budgets;                /* logical: budgets of the shear stresses between walls */
        int pressure;                      /* enum sample_pressure_name */
        int cell_budgets;                  /* logical: budgets of the stresses in every cell */
        int scalar_budgets;                /* logical: budgets of scalars over a cross-section */
        int phases;                        /* parts of the cycle of an oscillating drive; 0: none */
        int stop_when;                     /* enum stop_name */
        int stop_scalar;                   /* the scalar that stop_when is about, from 1 on */
        double stop_error;                 /* of the value */
        int directions;                    /* enum directions_name: those of the averages */
        int batches;                       /* of averages in every cell; 0: none; -1: not given */
    } statistics;
    struct {
        int interval;             /* steps; 0: none */
        double interval_walltime; /* seconds; 0: none */
        int keep;
        int at_end;     /* logical */
        int background; /* logical: write files while the run goes on; -1: not given, the build decides */
        char restart[INPUT_TEXT]; /* 'none', 'latest' or a file */
        int force;                /* logical: go on with other physics */
        int regrid;               /* logical: interpolate from another grid */
        int add_bodies;           /* logical: put bodies into a flow without any */
        int remove_bodies;        /* logical: take all bodies out of a flow */
    } checkpoint;
    struct {
        int transport;                /* enum transport_name */
        int tuning;                   /* logical: measure launch shapes where none are kept */
        char tuning_file[INPUT_TEXT]; /* "": the user's cache folder */
    } device;
};

#endif
