/* Chooses the preconditioner of the pressure: the one that the input asks for, or the fastest of those
 * measured. */
#ifndef KOL_POISSON_PRECONDITIONER_CHOICE_H
#define KOL_POISSON_PRECONDITIONER_CHOICE_H

#include "poisson.h"

/* preconditioner_choice_create: makes poisson->for_pressure and poisson->for_diffusion. With
 * pressure.preconditioner = 'auto' it takes the choice of the checkpoint from which the run goes on
 * (poisson->choice). Without one, each candidate solves one Poisson problem of this grid on these ranks, and
 * the fastest is taken, the same on all ranks. poisson->note says what was measured. While it measures, it
 * uses all work arrays of a solve and two more arrays of the pool.
 *
 * If memory is only counted, the preconditioner that the input asks for is counted. With 'auto' it is
 * multigrid, because a candidate for which there is not enough memory is not tried. Collective. */
kol_status preconditioner_choice_create(struct poisson *poisson);
/* preconditioner_choice_each: is for runs whose memory is only counted. It calls use(context) with the
 * preconditioner that was counted and, with 'auto', once with every other one that may be chosen and works
 * in arrays of the pool. */
kol_status preconditioner_choice_each(struct poisson *poisson, kol_status (*use)(void *context),
                                      void *context);
/* preconditioner_choice_renew: adapts the preconditioner after faces of domain->grid.open have opened or
 * closed. covered: as for fluid_regions_cover(). Kernels do the work; the host does not wait for them.
 * Collective. */
kol_status preconditioner_choice_renew(struct poisson *poisson, double covered);
/* preconditioner_choice_one_sum: returns whether a solve with goal.asked = `asked` takes one sum over the
 * grid in each iteration. It is the same on any number of ranks, and in restarts. */
int preconditioner_choice_one_sum(const struct poisson *poisson, int asked);
/* preconditioner_choice_inputs: writes the inputs that ask for what 'auto' has chosen, such as
 * "pressure.preconditioner = 'direct'"; "" without 'auto'. At most size - 1 characters. */
void preconditioner_choice_inputs(const struct poisson *poisson, char *text, size_t size);
/* preconditioner_choice_destroy: frees the preconditioners. Collective. */
void preconditioner_choice_destroy(struct poisson *poisson);

#endif
