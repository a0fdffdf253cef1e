/* Solves the systems along z of the exact inverse on several ranks, each of which has the spectra of complete
 * planes. Only separators are sent to other ranks. docs/numerics/direct.md, "Levels of several ranks". */
#ifndef KOL_POISSON_DIRECT_LEVELS_H
#define KOL_POISSON_DIRECT_LEVELS_H

#include "direct_operator.h"
#include "state/domain.h"

/* level_slices: how the levels are divided between the ranks, in host memory.
 *
 *   count     number of chunks (direct_chunks.h)
 *   start     first level of each chunk, and the number of levels
 *   first     first chunk of each rank, and the number of chunks
 *   batches   number of blocks of this rank. batch: number of planes of each. planes: all of them. If only z
 *             is divided, they are the planes of its fields. */
struct level_slices {
    int count, batches, planes, *start, *first, *batch;
};
/* level_slices_create: fills *out, which the caller destroys, also after a fault. single: for solves in
 * single precision. Only if direct_chunks_count() is not 0 for z. level_slices_destroy: frees the arrays; it
 * accepts a zeroed struct. */
kol_status level_slices_create(const struct comm *c, const struct decomp *d, int single,
                               struct level_slices *out);
void level_slices_destroy(struct level_slices *q);

struct direct_levels;
/* direct_levels_create: prepares the solves. op is the operator with z left; if memory is only counted, it
 * needs only direct_operator_plan(). single: in single precision, as for q. q is borrowed during the
 * call, and domain->comm afterwards. Collective. */
kol_status direct_levels_create(const struct domain *domain, const struct direct_operator *op,
                                const struct level_slices *q, int single, struct direct_levels **out);
/* direct_levels_destroy: frees the object. Collective. */
void direct_levels_destroy(struct direct_levels **s);
/* direct_levels_solve: replaces the right-hand sides in the spectra of this rank's planes by the solution.
 * The spectra are complex, nx/2 + 1 values a row, without gaps. direct_levels_solve_single: does the same in
 * single precision; only this one may be called if `single` was set. Collective. */
kol_status direct_levels_solve(struct direct_levels *s, double *spectrum);
kol_status direct_levels_solve_single(struct direct_levels *s, float *spectrum);

#endif
