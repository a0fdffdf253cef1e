/* Keeps how fast the last runs on this machine were, in a text file, so that --check can say how long a run
 * will take. It has one line for each machine, build, method, number of ranks and grid, for example
 *
 *   node7 | NVIDIA H200 | cuda double | rk3-half explicit direct | 1 | 512 512 512 | 4.6e-02 | 2026-11-23
 *
 * with the cells in x, y and z, and the seconds of a step. Other lines are passed over. Not collective. */
#ifndef KOL_IO_RATE_FILE_H
#define KOL_IO_RATE_FILE_H

#include "disk.h"

enum { RATE_TEXT = 128 };

/* rate: a line. Its texts have no '|' and no blanks at their ends. */
struct rate {
    char host[RATE_TEXT], device[RATE_TEXT], build[RATE_TEXT], method[RATE_TEXT], day[RATE_TEXT];
    int ranks, n[3];
    double seconds; /* of a step */
};

/* rate_file_path: gives the name of the file, kolmo/rates.txt in $XDG_CACHE_HOME or in $HOME/.cache. It is
 * "" if neither variable is set. */
kol_status rate_file_path(char path[DISK_PATH]);
/* rate_file_find: completes r from a line of the file. The line must have the same build and method, and
 * the same host or device. Of these lines it takes the one whose number of ranks and number of cells on a
 * rank are nearest to those of r, measured by their ratios; of several equally near lines it takes the
 * last. Lines whose ratios are beyond RATE_FAR do not count. *found: whether there is one. A missing file
 * counts as empty. KOL_ERR_IO if the file can't be read. */
enum { RATE_FAR = 100 };
kol_status rate_file_find(const char *path, struct rate *r, int *found);
/* rate_file_keep: writes r into the file, in place of the line with the same host, build, method, ranks and
 * grid. Missing folders are made. The file is written under a temporary name, which is removed if that
 * fails. */
kol_status rate_file_keep(const char *path, const struct rate *r);

#endif
