/* The solver of A x = b for the pressure and for implicit diffusion: the iteration and its preconditioners.
 * They are those that the input asks for, or those that the run chose (preconditioner_choice.h). */
#ifndef KOL_POISSON_POISSON_H
#define KOL_POISSON_POISSON_H

#include "state/domain.h"
#include "increment.h"
#include "ppcg.h"
#include "fluid_regions.h"

struct poisson {
    const struct domain *domain; /* borrowed */
    struct ppcg *ppcg;
    struct multigrid *multigrid;                       /* NULL: not used */
    struct direct *direct;                             /* likewise */
    struct fluid_regions *regions;                     /* of the fluid; NULL: there are no bodies */
    struct preconditioner for_pressure, for_diffusion; /* of the two kinds of solves */
    struct increment increment;         /* of the pressure, with multigrid in single precision */
    struct increment_strength strength; /* of its cycles, from a checkpoint or measured */
    int choice;     /* of pressure.preconditioner = 'auto', from a checkpoint or measured; 0: none yet */
    int guess;      /* enum guess_name: pressure.guess, or 'previous' where no other pays */
    char note[768]; /* what solves for the pressure, and why */
    char guess_note[256]; /* what became of pressure.guess; "": what was asked for */
};

#endif
