/* --profile: where the time of a step goes, and how much of each halo exchange is hidden behind computation.
 * Marks in the queues of the device, read after each step; ranges for external profilers (NVTX) are always
 * there. */
#ifndef KOL_PARALLEL_PROFILE_H
#define KOL_PARALLEL_PROFILE_H

#include <stdio.h>
#include "kernels/base/device.h"
#include "comm.h"

struct profile;

/* profile_create: *out NULL where wanted is 0; every function below takes NULL and does nothing then. */
kol_status profile_create(const struct comm *c, int wanted, struct profile **out);
void profile_destroy(struct profile **p);

/* profile_phase: the part of the step that begins now on the compute queue, until the next call; "" ends it.
 * Also a range for external profilers, with or without --profile. name: a literal. */
kol_status profile_phase(struct profile *p, const char *name);

/* Marks of one exchange: profile_exchange_begin in the transfer queue before the first pack,
 * profile_exchange_await in the compute queue after the work that overlaps, profile_exchange_join in the
 * transfer queue after the last unpack. profile_exchange_fill: of one that nothing overlaps, instead of the
 * first two. name: a literal. Exchanges do not nest. */
kol_status profile_exchange_begin(struct profile *p, const char *name);
kol_status profile_exchange_fill(struct profile *p, const char *name);
kol_status profile_exchange_await(struct profile *p);
kol_status profile_exchange_join(struct profile *p);

/* profile_step: after a step: wait, and read its marks. */
kol_status profile_step(struct profile *p);
/* profile_report: the table: milliseconds a step of each phase; of each kind of exchange how many a step, its
 * microseconds, and the share that was hidden: the exchange less the time for which the compute queue had
 * nothing to do but wait for it. Means over all ranks, the first step left out; a line that says so where
 * there was no other. Collective; text, as lines, is filled on every rank. */
kol_status profile_report(struct profile *p, char *text, size_t size);
/* profile_timeline: the last step of this rank as a trace-event file (JSON; opened by Perfetto and
 * chrome://tracing); the bar of an exchange has the argument "hidden", its share from 0 to 1. */
kol_status profile_timeline(const struct profile *p, FILE *file);

#endif
