/* Everything that one run owns: struct run. run.c creates and destroys it. */
#ifndef KOL_RUN_H
#define KOL_RUN_H

#include "control/control.h"
#include "inputs/namelist.h"
#include "run_parts.h"
#include "step/step.h"

struct body_geometry; /* bodies/body_geometry.h */
struct output;        /* output/output.h */
struct statistics;    /* statistics/statistics.h */

struct run {
    struct input in; /* read and resolved by main.c; all others read it as domain.in */
    struct input_source source;
    struct pending pending; /* see domain.pending */
    struct domain domain;
    struct flow flow;
    struct step step;
    struct control control;
    struct body_geometry *geometry; /* NULL: there are no bodies */
    struct memory plan;             /* the memory of this rank, as counted before it was allocated */
    int arrays;                     /* the number of arrays of the pool, counted likewise */
    struct statistics *statistics;  /* NULL: no statistics are asked for */
    struct output *output;
    int argc; /* the command line, for provenance; borrowed */
    char **argv;
    char *begins;   /* --check: text on the scalars of initial.file (checkpoint/flow_file.h); else NULL */
    char *faces;    /* --check: text on the velocities of faces (boundary/face_report.h); otherwise NULL */
    int fault_told; /* output/fault_report.h */
};

/* run_loop: goes from the initial flow or a checkpoint to the end of the run. Returns KOL_OK if the run is
 * finished, KOL_STOPPED if it was stopped early with a checkpoint written. Another fault has been reported
 * when it returns. Collective. */
kol_status run_loop(struct run *run);

/* run_create_still: creates a run that takes no steps but looks at stored flows (stored_flow.h). It has grid,
 * decomposition, halos, sums and statistics, and memory for velocity, pressure and samples only.
 * Collective. */
kol_status run_create_still(struct run *run);

/* run_create_bare: creates a run without a flow, for programs that only work on statistics files. It has a
 * grid, a decomposition, and the part of the statistics that these files need. Collective. */
kol_status run_create_bare(struct run *run);

#endif
