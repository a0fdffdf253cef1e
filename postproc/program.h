/* What the programs have in common: start and end of MPI, the exit code, the folder of the files. */
#ifndef KOL_POSTPROC_PROGRAM_H
#define KOL_POSTPROC_PROGRAM_H

#include "solver/run.h"

/* program_main: MPI, body(run), the message of a fault, the exit code of docs/output.md: 0 done, 2 bad input,
 * 3 numerical, 4 files, 1 anything else. */
int program_main(int argc, char **argv, kol_status (*body)(struct run *run));
/* program_folder: makes the folder, on rank 0, for statistics files, into run->in.output.directory; *made:
 * whether it was not there. KOL_ERR_INPUT where it holds some already that are not to be replaced.
 * Collective. */
kol_status program_folder(struct run *run, const char *folder, int replace, int *made);
/* program_unmake: after a fault: a folder that was made is removed again, where nothing is in it. */
void program_unmake(const struct run *run, int made);
/* program_write: statistics files of what has been averaged, on rank 0, with the provenance, the program's
 * name and the files that went in. Collective. */
kol_status program_write(struct run *run, const char *program, const char *files);
/* lines: text that grows. lines_add: printf-like; KOL_ERR_MEMORY. */
struct lines {
    char *text;
    size_t used, room;
};
kol_status lines_add(struct lines *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
