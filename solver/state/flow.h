/* The flow: velocity and pressure, the time, what drives it, and its monitored numbers at the end of a step.
 * It is only data; boundary/, step/ and other folders change it. */
#ifndef KOL_STATE_FLOW_H
#define KOL_STATE_FLOW_H

#include "domain.h"
#include "kernels/projection.h"

struct open_faces;    /* boundary/open_faces.h */
struct bodies;        /* bodies/bodies.h */
struct box_forcing;   /* forcing/box_forcing.h */
struct buoyancy;      /* scalars/buoyancy.h */
struct formula_force; /* forcing/formula_force.h */

/* FLOW_BLOW_UP: if a speed grows by this factor within a step, the solution has blown up. */
enum { FLOW_BLOW_UP = 1000 };

/* monitor: numbers of the flow at the end of a step, the same on all ranks. */
struct monitor {
    double energy;      /* volume mean of u.u/2 [U^2] */
    double dissipation; /* of the energy, by the diffusion operator [U^2/T] */
    double wall_work;   /* work of moving walls on the fluid, over the volume [U^2/T] */
    double buoyancy;    /* work of buoyancy, over the volume [U^2/T] */
    double formula;     /* work of the force by formulas, over the volume [U^2/T] */
    double convection;  /* inflow of kinetic energy through open faces, over the volume [U^2/T] */
    double enstrophy;   /* volume mean of omega.omega/2 [1/T^2] */
    double momentum[3]; /* volume means of u, v, w [U] */
    double div_max;     /* largest divergence in a cell [1/T] */
    double courant;     /* CFL number divided by dt [1/T] */
    double speed;       /* largest of |u|, |v|, |w| [U] */
};

/* flow_sums: what step/flow_monitor.c has summed over the grid, by the numbers of enum MON_ENERGY .. of
 * kernels/projection.h. taken: whether the values belong to the present velocity and wait for
 * control/health.c. all: whether all numbers are there; if not, the others are NaN. begun: whether the last
 * correction has summed the limits of the present velocity, and they wait to be collected. */
struct flow_sums {
    double value[MON_COUNT];
    int taken, all, begun;
};

struct clock {
    long long step;
    double t, dt;        /* time [T]; length of the step being taken or just taken */
    double dt_before;    /* length of the step before; 0: there was none */
    double decays_since; /* when the forcing was switched off or bodies vanished [T]; negative: no decay */
    int limit;           /* enum dt_limit of control/time_step.h: what set dt */
};

/* PRESSURE_STEPS: number of steps after which guesses are as good as they get. A flow that starts abruptly
 * has pressures at first that no line in time follows. */
enum { PRESSURE_STEPS = 8 };

struct pressure {
    /* pressures of the stages of the previous step and of this one; NULL: the guess does not need them */
    real *before[3], *now[3];
    real *p; /* the running pressure: the latest of them [U^2] */
    /* only within a step: the guess of a later stage's correction, if it is formed already; else NULL */
    real *ahead;
    /* only within a stage: p is the guess of its pressure, in an array that no earlier stage has */
    int predicted;
    /* number of complete steps since stage pressures were last unknown, up to PRESSURE_STEPS; if it is above
     * 0, those of the last step are kept */
    int steps_known;
    /* the largest speed to which the tolerance of a correction of the last step was relative [U] */
    double speed;
};

/* force: what drives the flow (step/forcing.h). */
struct force {
    double shift[3]; /* added to the velocity in the current stage [U] */
    double jump;     /* added at once at the start of the step [U] */
    double added;    /* added by the stages of the step so far [U] */
    int awaits_mean; /* whether the force of the stage still needs the mean of the predicted velocity */
    double mean;     /* that mean along the force, where the force has waited for it [U] */
    /* the largest speed that forces and buoyancy cause in the step, if no pressure balances them [U] */
    double push;
    /* with a given power: the mean velocity along the force at the start of each stage [U] */
    double velocity[3];
    double gradient;               /* minus the mean pressure gradient, of the last step [U/T] */
    double power;                  /* its power over the volume [U^2/T] */
    struct box_forcing *box;       /* the forcing of a periodic box; NULL: there is none */
    struct formula_force *formula; /* the force by formulas; NULL: there is none */
};

struct flow {
    const struct domain *domain; /* borrowed */
    real *vel[3];                /* u, v, w at fcc, cfc, ccf [U] */
    struct pressure pressure;
    real *scalar[SCALARS_MOST]; /* of &scalars, at ccc [own]; NULL: there is none */
    int halo_filled; /* whether the halos of vel, the running pressure and the scalars are up to date */
    /* with pressure.method = 'exact': a potential on the edges cff, fcf, ffc, whose curl is what the last
     * stage added to the velocity [U L]; within a step, the potential of the step before. NULL: not known */
    real *potential[3], *potential_before[3];
    struct buoyancy *buoyancy; /* NULL: there is none */
    struct open_faces *open;   /* the open faces; NULL: there are none */
    struct bodies *bodies;     /* the bodies in the flow; NULL: there are none */
    double inflow_speed[3];    /* largest value of each component on inflows [U] */
    double inflow_mean[6]; /* mean of the component normal to each inflow face, over the complete face [U] */
    struct force force;
    struct clock clock;
    struct monitor now, before; /* at the end of this step, and at the end of the one before */
    struct flow_sums sums;
    int limits_only; /* whether the monitor may leave out what only records need: it is NaN in `now` then */
    int complete;    /* number of steps up to this one, at most 3, whose monitor has all numbers */
    /* for the budget's quadrature in time: the dissipation two steps before, less the work of walls,
     * buoyancy and the inflow of kinetic energy through open faces; NaN: not known, since a restart has
     * changed the physics */
    double dissipation_before2;
    double budget_residual; /* NaN where the monitor of one of these steps lacks its numbers */
    /* kinetic energy at the start of this run; negative: not known, because the file does not have it */
    double energy_start;
    char given[512]; /* for the log: what the projection of a given initial flow has changed; "": nothing */
};

#endif
