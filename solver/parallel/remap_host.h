/* Moves a global array from one distribution over ranks to another, in host memory. It is for the set-up, not
 * for the time loop. */
#ifndef KOL_PARALLEL_REMAP_HOST_H
#define KOL_PARALLEL_REMAP_HOST_H

#include "memory.h"

/* piece: the part of the global array that a rank holds: the cells lo <= index < hi. Values are packed, x
 * fastest. */
struct piece {
    int lo[3], hi[3];
};
/* remap_rule: a distribution over the ranks. It returns the piece of a rank. The pieces of all ranks together
 * cover each cell once. */
typedef struct piece (*remap_rule)(const void *context, int rank);

/* remap: moves an array from one distribution over the ranks to another. The rules `from` and `to` say
 * which piece each rank has before and after. A value has `bytes` bytes. KOL_ERR_MEMORY if two ranks would
 * exchange 2^31 values or more. If memory is only counted, its buffers are counted and no value is moved.
 * Otherwise collective. */
kol_status remap(struct memory *memory, const struct comm *c, int bytes, remap_rule from,
                 const void *from_context, const void *source, remap_rule to, const void *to_context,
                 void *target);
/* piece_count: returns the number of cells of a piece. */
size_t piece_count(struct piece p);
/* piece_overlap: returns the cells that are in both pieces. If there are none, its lower and upper limits are
 * the same. */
struct piece piece_overlap(struct piece a, struct piece b);

#endif
