/* All fields come from one pool, sized and allocated at the start; routines hold and drop arrays. */
#ifndef KOL_STATE_POOL_H
#define KOL_STATE_POOL_H

#include "kernels/base/mem.h"
#include "parallel/memory.h"

struct pool;
/* pool_create: count arrays of b.size values in kernel memory, filled with NaN. KOL_ERR_MEMORY with what was
 * asked and what is free. pool_destroy takes NULL. */
kol_status pool_create(struct memory *memory, struct box b, int count, struct pool **out);
void pool_destroy(struct pool **p);
/* pool_hold: an array that nobody else holds; its values are not defined (NaN in debug builds).
 * KOL_ERR_INTERNAL where all are held, with the names of the holders. pool_drop: give it back; *array becomes
 * NULL; NULL is taken. */
kol_status pool_hold(struct pool *p, const char *name, real **array);
kol_status pool_drop(struct pool *p, real **array);
/* pool_count: all its arrays. */
int pool_count(const struct pool *p);
/* pool_peak: the largest number of arrays held at once so far. */
int pool_peak(const struct pool *p);

#endif
