/* A twin: a copy of the run that goes beside it on ranks of its own, begins with a perturbation, and takes
 * the same time steps. The difference between the two tells how fast flows that are nearly the same part.
 * */
#ifndef KOL_CONTROL_TWIN_H
#define KOL_CONTROL_TWIN_H

#include "state/flow.h"
#include "stop.h"

struct twin;
/* twin_create: connects each rank of the run, member 0 of domain->comm, to the rank of the copy, member 1,
 * that has the same cells. all: the communicator of both.
 *
 *   perturbation   as --twin has it: 'none', 'rounding' or the file of a flow; borrowed. twin_perturb()
 *                  changes the copy if it is 'rounding'
 *
 * Collective over both. */
kol_status twin_create(const struct domain *domain, const struct comm *all, const char *perturbation,
                       struct twin **out);
/* twin_destroy: takes NULL. Collective over both. */
void twin_destroy(struct twin **t);

/* If t is NULL, the next functions do nothing. Each of them is called by the run and by the copy at the same
 * place. If the other one has failed, they return its status.
 *
 *   twin_perturb   makes every value of u that is not 0 in the copy larger in size by one unit in the last
 *                  place, if it is to be perturbed. KOL_ERR_INPUT if u is 0 everywhere
 *   twin_tell      tells the log where the copy is and how it differs at the start. twin_tell_end tells it
 *                  the first and the last difference that twin_compare() has found. The log must be open
 *   twin_choose    gives the copy the length of the time step of the run
 *   twin_agree     lets both stop, and write checkpoints, if one of them is to
 *   twin_compare   computes the difference of the two velocities. It goes through the memory of the host, so
 *                  it is called for records only */
kol_status twin_perturb(const struct twin *t, struct flow *flow);
void twin_tell(const struct twin *t);
void twin_tell_end(const struct twin *t, const struct flow *flow);
kol_status twin_choose(const struct twin *t, struct flow *flow);
kol_status twin_agree(const struct twin *t, struct stop_poll *poll);
kol_status twin_compare(struct twin *t, const struct flow *flow);
/* twin_leave: tells the other one that this one has failed with st on all of its ranks. */
void twin_leave(const struct twin *t, kol_status st);
/* twin_measures: returns whether this is the run, not the copy, and has a twin. twin_difference: returns the
 * kinetic energy of the difference, its volume mean, as twin_compare() has found it last [U^2]. */
int twin_measures(const struct twin *t);
double twin_difference(const struct twin *t);

#endif
