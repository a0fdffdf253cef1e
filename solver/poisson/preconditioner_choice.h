/* Which preconditioner solves for the pressure: as asked for, or the fastest of those measured. */
#ifndef KOL_POISSON_PRECONDITIONER_CHOICE_H
#define KOL_POISSON_PRECONDITIONER_CHOICE_H

#include "poisson.h"

/* preconditioner_choice_create: poisson->for_pressure and poisson->for_diffusion. pressure.preconditioner =
 * 'auto': the choice of the checkpoint that the run goes on from (poisson->choice), or else each candidate
 * solves one Poisson problem of this grid on these ranks and the fastest is taken, the same on all ranks;
 * poisson->note says what was measured. Takes all work arrays of a solve and two more of the pool while it
 * measures. Where memory is only counted: what is taken as asked for; of 'auto', that of multigrid, as a
 * candidate that there is no room for is left aside. Collective. */
kol_status preconditioner_choice_create(struct poisson *poisson);
/* preconditioner_choice_scratch: arrays of the pool that an application may work in. */
int preconditioner_choice_scratch(const struct input *in);
/* preconditioner_choice_one_sum: whether a solve that is asked for so many iterations takes one sum over the
 * grid in each; the same on any ranks, and in restarts. preconditioner_choice_one_wanted: whether some solve
 * of a run with these inputs may. */
int preconditioner_choice_one_sum(const struct poisson *poisson, int asked);
int preconditioner_choice_one_wanted(const struct input *in);
void preconditioner_choice_destroy(struct poisson *poisson);

#endif
