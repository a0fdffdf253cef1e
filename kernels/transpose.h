/* Copies of boxes of values between layouts in memory, and flags between GPUs that tell of them: the kernels'
 * side of solver/parallel/transpose.h. Pencils hold double in both precisions, fields hold `real`. All arrays
 * in kernel memory; in the queue in use. */
#ifndef KOL_TRANSPOSE_H
#define KOL_TRANSPOSE_H

#include "base/status.h"

KOL_BEGIN_C

/* strided: n[0] x n[1] x n[2] values; value (i, j, k) lies i from[0] + j from[1] + k from[2] values behind
 * the first one in the source, likewise in the target. */
struct strided {
    int n[3];
    ptrdiff_t from[3], to[3];
};

/* transpose_values: from pencil or message to pencil or message. transpose_from_field, transpose_to_field:
 * the same with a field at one end. Source and target do not overlap. Nothing where a size is 0. 1 read, 1
 * write a value. */
kol_status transpose_values(struct strided s, const double *from, double *to);
kol_status transpose_from_field(struct strided s, const real *from, double *to);
kol_status transpose_to_field(struct strided s, const double *from, real *to);

/* transpose_raise: after all that the queue was given before is done, and seen by every GPU of the node, each
 * of the n flags is set to `round`. transpose_await: what the queue is given later begins when each of them
 * has reached it. Flags are in this rank's kernel memory or another's (peer.h). KOL_ERR_INTERNAL in the CPU
 * build, which has no peers. */
enum { TRANSPOSE_FLAGS = 64 };
struct transpose_flags {
    int n;
    unsigned *flag[TRANSPOSE_FLAGS];
};
kol_status transpose_raise(const struct transpose_flags *f, unsigned round);
kol_status transpose_await(const struct transpose_flags *f, unsigned round);

KOL_END_C

#endif
