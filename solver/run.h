/* struct run: everything one run owns. The solver's verbs take it; run.c creates and destroys it. */
#ifndef KOL_RUN_H
#define KOL_RUN_H

#include "inputs/namelist.h"
#include "kernels/project.h"
#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "state/grid.h"
#include "parallel/halo.h"
#include "state/pool.h"
#include "poisson/ppcg.h"
#include "parallel/profile.h"
#include "parallel/reduction.h"
#include "control/turbulence_watch.h"

struct output;     /* output.h */
struct statistics; /* statistics.h */
struct open_faces; /* open_faces.h */

/* Numbers of the flow at the end of a step, the same on all ranks. */
struct monitor {
    double energy;      /* volume mean of u.u/2 [U^2] */
    double dissipation; /* of the energy by the diffusion operator [U^2/T] */
    double wall_work;   /* of moving walls on the fluid, over the volume [U^2/T] */
    double convection;  /* of kinetic energy through open faces, inward, over the volume [U^2/T] */
    double enstrophy;   /* volume mean of omega.omega/2 [1/T^2] */
    double momentum[3]; /* volume means of u, v, w [U] */
    double div_max;     /* [1/T] */
    double courant;     /* CFL number over dt [1/T] */
    double speed;       /* largest of |u|, |v|, |w| [U] */
};

struct clock {
    long long step;
    double t, dt;     /* time [T]; length of the step being taken or just taken */
    double dt_before; /* of the step before; 0: none yet */
    int limit;        /* enum dt_limit of health.h: what set dt */
};

struct pressure {
    /* pressures of the stages of the previous and of this step; NULL: not needed by the guess */
    real *before[3], *now[3];
    real *p;         /* the running pressure: the latest of them [U^2] */
    real *ahead;     /* within a step: the guess of a later stage's correction, already formed; or NULL */
    int steps_known; /* whole steps whose stage pressures are held: 0 or 1 */
    int iterations;  /* of the stages of this step */
    int choice;      /* of pressure.preconditioner = 'auto', from a checkpoint or measured; 0: none yet */
    int inverse_met; /* whether the last solve by an exact inverse that was looked at met its tolerance at
                        once */
    long long stages, stages_over; /* of this run; of these, those that took more than pressure.iterations */
};

/* force: what drives the flow (forcing.h). */
struct force {
    double shift[3]; /* added to the velocity in the stage under way [U] */
    double added;    /* in the step so far [U] */
    double gradient; /* of the last step: minus the mean pressure gradient [U/T] */
    double power;    /* its power over the volume [U^2/T] */
};

struct run {
    struct input in;
    struct input_source source;
    struct comm comm;
    struct decomp decomp;
    struct grid grid;
    struct pool *pool;
    struct halo *halo;
    struct reduction *reduction;
    struct ppcg *ppcg;
    struct multigrid *multigrid;                       /* NULL: not used */
    struct direct *direct;                             /* likewise */
    struct exact_step *nullspace;                      /* likewise */
    struct diffusion_z *diffusion_z;                   /* NULL: diffusion in z is no matter of its own */
    struct preconditioner for_pressure, for_diffusion; /* of the two kinds of solves */
    real *vel[3];                                      /* u, v, w at fcc, cfc, ccf [U] */
    /* until diffusion is done, implicit rk3-wray and 'implicit-z' (rk3-half: after the first stage): velocity
     * before the stage [U] */
    real *before_stage[3];
    /* within a step; rk3-half: velocity at its start [U]; rk3-wray: right-hand sides of the stage before
     * [U/T] */
    real *start[3];
    struct walls walls;      /* faces of the grid that this rank's box touches and that are not periodic */
    struct open_faces *open; /* what flows through faces; NULL: through none */
    double inflow_speed[3];  /* the largest of each component on inflows [U] */
    double inflow_mean[6];   /* mean of the component across each inflow's face, over all of it [U] */
    struct force force;
    int halo_filled; /* whether the halos of vel and p are up to date */
    struct pressure pressure;
    /* pressure.method = 'exact': potential of the last stage on the edges cff, fcf, ffc, whose curl is what
     * the stage added to the velocity; within a step that of the step before; NULL: not known [U L] */
    real *potential[3], *potential_before[3];
    real *phi; /* pressure correction of the stage, its halo faces filled [U^2] */
    double phi_mean;
    struct clock clock;
    struct monitor now, before; /* at the end of this step and of the one before */
    double dissipation_before2; /* less the work of walls and what open faces bring, two steps before, for the
                                   budget's quadrature */
    double budget_residual;
    double energy_start; /* kinetic energy at the start of this run; negative: not known, as from a file that
                            does not tell */
    struct turbulence_watch regime; /* turbulent or not */
    double seconds_per_step;
    int sharers; /* the most ranks that share one GPU, or this node's memory; 0: not known yet */
    double checkpoint_seconds; /* what the last checkpoint took, or a guess [s] */
    double wall_looked;        /* MPI_Wtime when rank 0 last looked for the stop file */
    /* a fault of files that not all ranks know of, agreed on after the next step, and put aside until then:
     * the step may fail, too */
    kol_status pending;
    struct status_record pending_fault;
    int fast_steps;                     /* in a row with a fixed dt beyond the stability limit */
    double wall_start, wall_checkpoint; /* MPI_Wtime at the start of the run and at the last checkpoint [s] */
    int argc;                           /* the command line, for provenance; borrowed */
    char **argv;
    struct output *output;
    struct statistics *statistics; /* NULL: none are asked for */
    int enough;                    /* statistics.stop_when is met; known to all ranks */
    struct profile *profile;       /* NULL: not asked for */
    char device[256];
    char tuning[512];          /* where the launch shapes come from */
    char solver_note[512];     /* what solves for the pressure, and why */
    char guess_note[256];      /* what became of pressure.guess; "": what was asked for */
    char restarted_from[1024]; /* the checkpoint's path; "": fresh */
    int fault_told;            /* fault_report.h */
};

/* run_create: read nothing, write nothing: grid, decomposition, memory. run_loop: from the initial flow or a
 * checkpoint to the end. run_destroy takes a zeroed struct. */
kol_status run_create(struct run *run);
kol_status run_loop(struct run *run);
void run_destroy(struct run *run);
/* run_create_still: of a run that takes no steps but looks at stored flows (stored_flow.h): decomposition,
 * grid, halos, sums, statistics, and memory for velocity, pressure and samples alone. run_create_bare: of one
 * that has no flow either: decomposition, grid, and of statistics what their files want. */
kol_status run_create_still(struct run *run);
kol_status run_create_bare(struct run *run);
/* run_arrays: fields of the pool that a run with these inputs needs; run_arrays_held: that a run has, or will
 * have before run_create. */
int run_arrays(const struct input *in);
int run_arrays_held(const struct run *run);
/* run_memory: bytes of kernel memory that a rank with this box takes; run_memory_available: its share of what
 * is free now. */
double run_memory(const struct run *run);
kol_status run_memory_available(const struct run *run, double *available);

#endif
