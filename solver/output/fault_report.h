/* The message of the fault that ends a run. */
#ifndef KOL_OUTPUT_FAULT_REPORT_H
#define KOL_OUTPUT_FAULT_REPORT_H

#include "state/domain.h"

/* fault_report: prints the fault st to standard error. If all ranks know of the fault, rank 0 prints it;
 * otherwise the rank that has it does. *told is set by the first call, after which nothing more is printed.
 * Not collective. */
void fault_report(const struct comm *c, int *told, kol_status st);
/* fault_report_end: ends the program with the exit code of st if HDF5 could not close a file. After such a
 * failure MPI_Finalize would crash in HDF5, even if the file was only read. In all other cases the call
 * returns. It belongs after a successful end, before MPI_Finalize. Collective. */
void fault_report_end(const struct comm *c, kol_status st);
/* fault_report_together: returns whether all ranks know of the fault, so that they may end together. */
int fault_report_together(kol_status st);

#endif
