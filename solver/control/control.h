/* What a run decides between steps: its length in time, its health, when to stop. */
#ifndef KOL_CONTROL_CONTROL_H
#define KOL_CONTROL_CONTROL_H

#include "state/flow.h"
#include "turbulence_watch.h"

struct twin; /* twin.h */

struct control {
    const struct domain *domain;        /* borrowed */
    struct turbulence_watch watch;      /* whether the flow is turbulent */
    double seconds_per_step;            /* wall-clock time of the last step [s] */
    double checkpoint_seconds;          /* wall-clock time that the last checkpoint took, or a guess [s] */
    double wall_looked;                 /* MPI_Wtime when rank 0 last looked for the stop file */
    double wall_start, wall_checkpoint; /* MPI_Wtime at the start of the run and at the last checkpoint [s] */
    int fast_steps;                     /* steps in a row with a fixed dt beyond the stability limit */
    const char *ending; /* why the run is to stop as soon as the energy budget is known; NULL: it isn't */
    struct twin *twin;  /* of this run; NULL: there is none */
    int enough;         /* statistics.stop_when is met; known to all ranks */
    char restarted_from[1024]; /* the checkpoint's path; "": the run began with its initial flow */
};

#endif
