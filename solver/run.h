/* struct run: everything one run owns. The solver's verbs take it; run.c creates and destroys it. */
#ifndef KOL_RUN_H
#define KOL_RUN_H

#include "control/control.h"
#include "inputs/namelist.h"
#include "step/step.h"

struct output;     /* output/output.h */
struct statistics; /* statistics/statistics.h */

struct run {
    struct input in; /* read and resolved by main.c; const for all others, who see it as domain.in */
    struct input_source source;
    struct pending pending; /* see domain.pending */
    struct domain domain;
    struct flow flow;
    struct step step;
    struct control control;
    struct memory plan;            /* what this rank takes, as counted before it was */
    struct statistics *statistics; /* NULL: none are asked for */
    struct output *output;
    int argc; /* the command line, for provenance; borrowed */
    char **argv;
    int fault_told; /* output/fault_report.h */
};

/* run_connect: sets what points from one part of a run to another; those that create a run call it. */
void run_connect(struct run *run);
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
/* run_plan: *plan: the memory that this rank takes in run_create and at the start of run_loop, counted by the
 * functions that take it; run->domain has its decomposition and its grid, and no more. Touches no GPU.
 * Collective: a fault of one rank is one of all. */
kol_status run_plan(const struct run *run, struct memory *plan);

#endif
