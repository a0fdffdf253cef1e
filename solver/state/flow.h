/* What flows: velocity and pressure, the time, what drives them, and numbers of the flow at the end of a
 * step. It is data: the rooms above change it. */
#ifndef KOL_STATE_FLOW_H
#define KOL_STATE_FLOW_H

#include "domain.h"

struct open_faces; /* boundary/open_faces.h */

/* A speed that grows by this factor within a step means that the solution blew up. */
enum { FLOW_BLOW_UP = 1000 };

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
    int limit;        /* enum dt_limit of control/time_step.h: what set dt */
};

struct pressure {
    /* pressures of the stages of the previous and of this step; NULL: not needed by the guess */
    real *before[3], *now[3];
    real *p;         /* the running pressure: the latest of them [U^2] */
    real *ahead;     /* within a step: the guess of a later stage's correction, already formed; or NULL */
    int steps_known; /* whole steps whose stage pressures are held: 0 or 1 */
};

/* force: what drives the flow (step/forcing.h). */
struct force {
    double shift[3]; /* added to the velocity in the stage under way [U] */
    double added;    /* in the step so far [U] */
    double gradient; /* of the last step: minus the mean pressure gradient [U/T] */
    double power;    /* its power over the volume [U^2/T] */
};

struct flow {
    const struct domain *domain; /* borrowed */
    real *vel[3];                /* u, v, w at fcc, cfc, ccf [U] */
    struct pressure pressure;
    int halo_filled; /* whether the halos of vel and of the running pressure are up to date */
    /* pressure.method = 'exact': potential of the last stage on the edges cff, fcf, ffc, whose curl is what
     * the stage added to the velocity; within a step that of the step before; NULL: not known [U L] */
    real *potential[3], *potential_before[3];
    struct open_faces *open; /* what flows through faces; NULL: through none */
    double inflow_speed[3];  /* the largest of each component on inflows [U] */
    double inflow_mean[6];   /* mean of the component across each inflow's face, over all of it [U] */
    struct force force;
    struct clock clock;
    struct monitor now, before; /* at the end of this step and of the one before */
    /* less the work of walls and what open faces bring, two steps before, for the budget's quadrature */
    double dissipation_before2;
    double budget_residual;
    /* kinetic energy at the start of this run; negative: not known, as from a file that does not tell */
    double energy_start;
};

#endif
