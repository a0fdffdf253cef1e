/* What all programs need: start and end of MPI, the exit code, and the folder of their files. */
#ifndef KOL_POSTPROC_PROGRAM_H
#define KOL_POSTPROC_PROGRAM_H

#include "io/view.h"
#include "options.h"
#include "solver/run.h"

/* program_main: starts MPI, calls body(run), prints the message if there is a fault, and ends MPI. Returns
 * the exit code of docs/output.md: 0 success, 2 wrong input, 3 numerical fault, 4 fault of a file, 1 any
 * other fault. */
int program_main(int argc, char **argv, kol_status (*body)(struct run *run));
/* program_tells: rank 0 prints what --help and --version ask for. The text of --help is `about`, the table of
 * options, and `codes`. Returns whether one of the two was asked for. */
int program_tells(const struct run *run, const struct option *table, const char *about, const char *codes,
                  int help, int version);
/* program_folder: rank 0 makes the folder of the statistics files. Its name is stored in
 * run->in.output.directory. *made: on rank 0, whether the folder did not exist before. If the folder has
 * statistics files or a history already, KOL_ERR_INPUT is returned, unless `replace` is set. Collective. */
kol_status program_folder(struct run *run, const char *folder, int replace, int *made);
/* program_unmake: after a fault, remove the folder if program_folder() has made it and it is empty. */
void program_unmake(const struct run *run, int made);
/* program_write: rank 0 writes the statistics files of the averages. They contain the provenance, the name of
 * the program, and `files`, a text with the files that were read. If there is a function `more`, it writes
 * another file with the same texts. Collective. */
kol_status program_write(struct run *run, const char *program, const char *files,
                         kol_status (*more)(void *context, const struct io_text *text, int texts),
                         void *context);
/* lines: a text that grows. The caller frees lines.text. */
struct lines {
    char *text;
    size_t used, room;
};
/* lines_add: appends to the text, with the arguments of printf. KOL_ERR_MEMORY if there is no memory. */
kol_status lines_add(struct lines *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
