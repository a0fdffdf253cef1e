/* <stem>.xdmf: tells ParaView and VisIt what the arrays of all <stem>_*.h5 of a directory are. By one rank
 * alone. */
#ifndef KOL_IO_XDMF_H
#define KOL_IO_XDMF_H

#include "kernels/base/status.h"

/* xdmf_index: what is said of the files that this run has listed, so that none is opened again for each new
 * one: thousands of slices are listed in the time that few take. Zeroed at the start; xdmf_index_drop leaves
 * it so. */
struct xdmf_index {
    int count, room;
    long long *step;
    char **text;
};
void xdmf_index_drop(struct xdmf_index *index);

/* xdmf_write: directory/<stem>.xdmf anew, a temporal collection of the files up to step_last, in order of
 * step. The old one stays until the new one is complete. Files that can't be read are left out with a
 * warning. Each file brings its own grid, so that files of several grids may lie side by side. step_last is
 * read even where the index has it. index: NULL: none. */
kol_status xdmf_write(const char *directory, const char *stem, long long step_last, struct xdmf_index *index);

#endif
