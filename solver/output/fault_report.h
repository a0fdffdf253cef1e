/* The message of the fault that ends a run. */
#ifndef KOL_OUTPUT_FAULT_REPORT_H
#define KOL_OUTPUT_FAULT_REPORT_H

#include "state/domain.h"

/* fault_report: to standard error, once a run: by rank 0 where all ranks know of the fault, else by the rank
 * that has it. Local. */
void fault_report(const struct comm *c, int *told, kol_status st);
/* fault_report_end: after a good end, before MPI_Finalize, in which HDF5 crashes where a file could not be
 * closed, also one that was only read: there the program ends here, with the exit code of st. Collective. */
void fault_report_end(const struct comm *c, kol_status st);
/* fault_report_together: whether all ranks know of it, and may end together. */
int fault_report_together(kol_status st);

#endif
