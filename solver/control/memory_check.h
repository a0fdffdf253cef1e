/* Refuses a run that needs more memory than is free, before it takes any. */
#ifndef KOL_CONTROL_MEMORY_CHECK_H
#define KOL_CONTROL_MEMORY_CHECK_H

#include "state/domain.h"

/* memory_lack: tells what a rank lacks. text: receives the place in the input, the memory that is needed and
 * that is free, and what to change; "" if there is enough.
 *
 *   kernel   kernel memory of the fullest rank that is asked about [bytes]
 *   host     other host memory of this rank [bytes]
 *   arrays   how many fields the kernel memory holds
 *
 * Returns an error if the free memory can't be found, as in a CUDA build on a machine without a GPU. Not
 * collective. */
enum { MEMORY_LACK_TEXT = 1536 };
kol_status memory_lack(const struct domain *domain, double kernel, double host, int arrays, char *text);

/* memory_check: raises KOL_ERR_INPUT with that text if there is not enough for what `plan` has counted. Not
 * collective: all ranks have to agree on what it returns. */
kol_status memory_check(const struct domain *domain, const struct memory *plan, int arrays);

#endif
