/* Copies boxes of values between layouts in memory, and sets flags by which GPUs tell each other that values
 * have arrived. These are the kernels of solver/parallel/transpose.h. Pencils hold double in both precisions,
 * fields hold `real`. All arrays are in kernel memory, and work goes to the queue in use. */
#ifndef KOL_TRANSPOSE_H
#define KOL_TRANSPOSE_H

#include "base/status.h"

KOL_BEGIN_C

/* strided: n[0] x n[1] x n[2] values. Value (i, j, k) lies i from[0] + j from[1] + k from[2] values after
 * the first one in the source, and likewise with `to` in the target. */
struct strided {
    int n[3];
    ptrdiff_t from[3], to[3];
};

/* transpose_values: copies from a pencil or message to a pencil or message. transpose_from_field and
 * transpose_to_field: do the same with a field as source, or as target. Source and target must not overlap.
 * If a size is 0, nothing is done. Per value: 1 read, 1 write. */
kol_status transpose_values(struct strided s, const double *from, double *to);
kol_status transpose_from_field(struct strided s, const real *from, double *to);
kol_status transpose_to_field(struct strided s, const double *from, real *to);

/* transpose_raise: sets each of the n flags to `round` when all earlier work of the queue is done and visible
 * to every GPU of the node.
 *
 * transpose_await: makes the later work of the queue wait until each flag has reached `round`.
 *
 * Flags are in kernel memory of this rank or of another one (peer.h). Both functions return KOL_ERR_INTERNAL
 * in the CPU build, which has no peers. */
enum { TRANSPOSE_FLAGS = 64 };
struct transpose_flags {
    int n;
    unsigned *flag[TRANSPOSE_FLAGS];
};
kol_status transpose_raise(const struct transpose_flags *f, unsigned round);
kol_status transpose_await(const struct transpose_flags *f, unsigned round);

KOL_END_C

#endif
