/* Reads names of checkpoints from its input, one a line, and answers each with a line: "sound", or "refused:
 * " and why. So that thousands of damaged files can be tried in one process; a crash ends it, which its
 * caller sees. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include "io/checkpoint_find.h"
#include "io/shared_faults.h"

enum { NAME = 4096 };

static void answer(const char *path)
{
    char reason[1024] = "";
    const kol_status st = checkpoint_verify(MPI_COMM_WORLD, path, NULL);
    snprintf(reason, sizeof reason, "%s", status_message());
    for (char *c = reason; *c; ++c)
        if (*c == '\n') *c = ' ';
    if (st == KOL_OK) printf("sound\n");
    else printf("refused: %s\n", reason);
    fflush(stdout);
    status_clear();
}

int main(int argc, char **argv)
{
    char path[NAME];
    io_before_mpi();
    MPI_Init(&argc, &argv);
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        answer(path);
    }
    MPI_Finalize();
    return 0;
}
