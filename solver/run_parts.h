/* Gives programs such as tests and benchmarks the parts of a run without the definition of struct run. */
#ifndef KOL_RUN_PARTS_H
#define KOL_RUN_PARTS_H

#include "control/control.h"
#include "inputs/namelist.h"
#include "parallel/memory.h"
#include "step/step.h"

struct output;     /* output/output.h */
struct statistics; /* statistics/statistics.h */
struct run;        /* run.h */

/* run_new: allocates a run. All of it is zero, except for the communicator, which is MPI_COMM_NULL. run_free:
 * frees this memory, after run_destroy(). */
kol_status run_new(struct run **out);
void run_free(struct run **run);

/* run_parts: returns the parts of a run, borrowed. Before run_create() the caller sets the input and the
 * communicator of the domain. After it the statistics are there, if the input asks for any. An output that
 * the caller puts into *output is destroyed with the run. */
struct run_parts {
    struct input *in;
    struct input_source *source;
    struct domain *domain;
    struct flow *flow;
    struct step *step;
    struct control *control;
    const struct memory *plan;
    struct statistics *statistics;
    struct output **output;
};
struct run_parts run_parts(struct run *run);

/* run_connect: sets the pointers from one part of a run to another. Functions that create a run call it. */
void run_connect(struct run *run);
/* run_check_transport: refuses a device.transport that this build can't have, with its place. */
kol_status run_check_transport(const struct run *run);

/* run_prepare: selects the device, creates grid and decomposition, and checks that there is enough memory for
 * a run that takes steps, without taking it. run->in, run->source and run->domain.comm must be there. It
 * reads the files that the input names for the grid and the bodies.
 *
 * run_take: takes the memory after that and makes the run complete. It reads the files of inflows, reads or
 * writes the tuning file, and touches no other file. The members of an ensemble wait for each other between
 * the two functions. Otherwise a member would count memory as missing that another one has taken.
 *
 * run_create: does both. All three are collective. */
kol_status run_prepare(struct run *run);
kol_status run_take(struct run *run);
kol_status run_create(struct run *run);

/* run_destroy: frees all that the run owns. The struct may be all zero. */
void run_destroy(struct run *run);

/* run_plan: counts the memory that this rank will take in run_create and at the start of run_loop, and how
 * many arrays of the pool are part of it. The functions that will take the memory do the counting themselves.
 * Of run->domain only the decomposition and the grid are needed. No GPU is used. Collective: a fault of one
 * rank is a fault of all. */
kol_status run_plan(const struct run *run, struct memory *plan, int *arrays);

#endif
