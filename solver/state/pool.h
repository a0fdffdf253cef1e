/* The pool of arrays from which all fields come. It is allocated at the start; routines take arrays from it
 * and give them back. */
#ifndef KOL_STATE_POOL_H
#define KOL_STATE_POOL_H

#include "kernels/base/mem.h"
#include "parallel/memory.h"

struct pool;
/* pool_create: allocates `count` arrays of b.size values in kernel memory and fills them with NaN.
 * KOL_ERR_MEMORY if there is not enough; the message says what was asked for and what is free.
 *
 * If memory is only counted, `count` is not used: the pool has as many arrays as are held at the same time,
 * and each is counted when it is first held. No value may be written through the pointers that it gives
 * (pool_counts()). */
kol_status pool_create(struct memory *memory, struct box b, int count, struct pool **out);
/* pool_destroy: frees the pool. It accepts NULL. */
void pool_destroy(struct pool **p);
/* pool_counts: returns whether arrays are only counted. If so, a function that holds arrays does not compute:
 * it holds and drops them in the same order as always. So one call of rk3_step() counts what a step needs. */
int pool_counts(const struct pool *p);
/* pool_hold: takes an array from the pool that no other routine has. `name` says who has it, for messages.
 * Its values are not defined (NaN in debug builds). KOL_ERR_INTERNAL if all arrays are taken; the message has
 * the names of their holders. */
kol_status pool_hold(struct pool *p, const char *name, real **array);
/* pool_drop: gives an array back and sets *array to NULL. It accepts *array = NULL. */
kol_status pool_drop(struct pool *p, real **array);
/* pool_count: returns the number of arrays of the pool. */
int pool_count(const struct pool *p);
/* pool_peak: returns the largest number of arrays that were taken at the same time so far. */
int pool_peak(const struct pool *p);

#endif
