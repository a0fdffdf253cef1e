/* Measures where the time of a step goes, and how much of each halo exchange is hidden behind computation:
 * --profile. It puts marks into the queues of the device and reads them after each step. Ranges for external
 * profilers (NVTX) are always there. */
#ifndef KOL_PARALLEL_PROFILE_H
#define KOL_PARALLEL_PROFILE_H

#include <stdio.h>
#include "kernels/base/device.h"
#include "comm.h"

struct profile;

/* profile_create: makes a profile, or sets *out = NULL if `wanted` is 0. Every function below accepts NULL
 * and then records nothing. */
kol_status profile_create(const struct comm *c, int wanted, struct profile **out);
void profile_destroy(struct profile **p);

/* profile_phase: says which part of the step begins now on the compute queue. It lasts until the next call;
 * "" ends it. It is also a range for external profilers, with or without --profile. name must be a
 * literal. */
kol_status profile_phase(struct profile *p, const char *name);

/* These functions mark the parts of one exchange in the queues (device.h), so that their times are known.
 * Exchanges do not nest.
 *
 *   profile_exchange_begin   in the transfer queue, before the first pack; name must be a literal
 *   profile_exchange_fill    instead of begin and await, for an exchange that no work overlaps
 *   profile_exchange_await   in the compute queue, after the work that overlaps the exchange
 *   profile_exchange_join    in the transfer queue, after the last unpack */
kol_status profile_exchange_begin(struct profile *p, const char *name);
kol_status profile_exchange_fill(struct profile *p, const char *name);
kol_status profile_exchange_await(struct profile *p);
kol_status profile_exchange_join(struct profile *p);

/* profile_step: waits until the step is done, and reads its marks. */
kol_status profile_step(struct profile *p);
/* profile_report: writes a table into `text`, line by line, on every rank. It has the milliseconds that each
 * phase takes in a step. For each kind of exchange it has the number in a step, the microseconds of one, and
 * the share that is hidden: the time of the exchange less the time for which the compute queue only waits for
 * it. The numbers are means over all ranks and over all steps but the first. If there was only one step, a
 * line says so. Collective. */
kol_status profile_report(struct profile *p, char *text, size_t size);
/* profile_timeline: writes the last step of this rank as a trace-event file (JSON), which Perfetto and
 * chrome://tracing open. The bar of an exchange has the argument "hidden", its hidden share from 0 to 1. */
kol_status profile_timeline(const struct profile *p, FILE *file);

#endif
