/* Prints the message of the fault that ends a run. */
#include "fault_report.h"

#include <stdio.h>
#include <string.h>
#include "io/shared_faults.h"

/* Adds the device to faults of the machine. */
static void print_place(kol_status st)
{
    if (st != KOL_ERR_CUDA && st != KOL_ERR_MPI && st != KOL_ERR_MEMORY) return;
    if (strstr(status_message(), "\n  on rank ") == NULL) fprintf(stderr, "  on %s\n", status_place());
}

/* Input and numerical faults follow from what all ranks have in common: the bytes of the input, and global
 * sums. Every rank finds them at the same place, so all ranks may end together, as after an agreed fault. */
int fault_report_together(kol_status st)
{
    return st == KOL_ERR_INPUT || st == KOL_ERR_NUMERICAL || st == KOL_STOPPED || status_agreed();
}

void fault_report(const struct comm *c, int *told, kol_status st)
{
    if (*told) return;
    *told = 1;
    if (fault_report_together(st) && c->rank != 0) return;
    status_print(c->rank);
    if (c->members > 0) fprintf(stderr, "  in member %d of %d\n", c->member + 1, c->members);
    print_place(st);
}

int fault_report_unsafe(const struct comm *c)
{
    const int mine = io_exit_unsafe();
    int any = 0;
    fflush(NULL);
    if (MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, c->mpi) != MPI_SUCCESS || !any) return 0;
    if (c->rank == 0) fprintf(stderr, "kolmo: a file could not be closed; nothing of the run is lost\n");
    return 1;
}
