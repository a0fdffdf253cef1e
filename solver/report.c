#include "report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Faults of the machine: which one. */
static void print_place(const struct run *run, kol_status st)
{
    char host[128] = "unknown";
    if (st != KOL_ERR_CUDA && st != KOL_ERR_MPI && st != KOL_ERR_MEMORY) return;
    if (gethostname(host, sizeof host - 1) != 0) strcpy(host, "unknown");
    fprintf(stderr, "  on rank %d of %d, host %s, %s\n", run->comm.rank, run->comm.size, host,
            run->device[0] != '\0' ? run->device : "no processor selected yet");
}

/* Input and numerical faults come from what all ranks have in common, the input's bytes and global sums: every rank
 * finds them at the same place, so they may end together, as after an agreed fault. */
int report_together(kol_status st)
{
    return st == KOL_ERR_INPUT || st == KOL_ERR_NUMERICAL || st == KOL_STOPPED || status_agreed();
}

void report_fault(struct run *run, kol_status st)
{
    if (run->fault_told) return;
    run->fault_told = 1;
    if (report_together(st) && run->comm.rank != 0) return;
    status_print(run->comm.rank);
    print_place(run, st);
}
