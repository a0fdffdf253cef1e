/* The message of the fault that ends a run. */
#ifndef KOL_OUTPUT_FAULT_REPORT_H
#define KOL_OUTPUT_FAULT_REPORT_H

#include "state/domain.h"

/* fault_report: prints the fault st to standard error. If all ranks know of the fault, rank 0 prints it;
 * otherwise the rank that has it does. *told is set by the first call, after which nothing more is printed.
 * Not collective. */
void fault_report(const struct comm *c, int *told, kol_status st);
/* fault_report_unsafe: returns whether HDF5 could not close a file on any rank, and says so. After such a
 * failure MPI_Finalize would crash in HDF5, even if the file was only read; so the caller ends the program by
 * MPI_Abort. It belongs after a successful end. Collective. */
int fault_report_unsafe(const struct comm *c);
/* fault_report_together: returns whether all ranks know of the fault, so that they may end together. */
int fault_report_together(kol_status st);

#endif
