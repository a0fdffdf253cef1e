/* Sums over the faces of the grid, with the same bits on any number of ranks. A kernel leaves one value for
 * each row of a face and each block along it; here these are added up. */
#ifndef KOL_PARALLEL_FACE_SUM_H
#define KOL_PARALLEL_FACE_SUM_H

#include "kernels/base/types.h"
#include "decomp.h"
#include "memory.h"

struct face_sum;
/* face_sum_create: makes the memory for the faces of the grid in `faces` (bit f: face f). *out stays NULL if
 * there are none. c and d are borrowed. */
kol_status face_sum_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                           unsigned faces, struct face_sum **out);
/* face_sum_destroy: frees it and sets the pointer to NULL, which is allowed. */
void face_sum_destroy(struct face_sum **s);
/* face_sum_rows: returns where a kernel leaves the values of a face, in kernel memory: rows[j * blocks +
 * block], with a row for each cell j along the second direction of the face and a block for each block along
 * the first. NULL if this rank does not touch the face, or if it is none of `faces`, or if s is NULL. */
double *face_sum_rows(const struct face_sum *s, int face);
/* face_sum_finish: adds up what the kernels left. On rank 0 sum[f] is the sum over face f, and 0 for faces
 * that are none of `faces`. Collective: one message. s may be NULL. */
kol_status face_sum_finish(struct face_sum *s, double sum[FACES]);

#endif
