/* The index <stem>.xdmf, which tells ParaView and VisIt what the arrays of all <stem>_*.h5 of a directory
 * are. One rank alone. */
#ifndef KOL_IO_XDMF_H
#define KOL_IO_XDMF_H

#include "kernels/base/status.h"

/* xdmf_index: what the index says of the files that this run has listed, so that none is opened again for
 * each new file. Thousands of slices are then listed as fast as a few. It is zeroed at the start;
 * xdmf_index_drop leaves it zeroed. */
struct xdmf_index {
    int count, room;
    long long *step;
    char **text;
};
void xdmf_index_drop(struct xdmf_index *index);

/* xdmf_write: writes directory/<stem>.xdmf anew: a temporal collection of the files up to step_last, in
 * order of step. The old index stays until the new one is complete. A file that can't be read is left out
 * with a warning. Each file brings its own grid, so that files of several grids may lie in one folder.
 * The file of step_last is read even if the index has it. index: NULL stands for none. */
kol_status xdmf_write(const char *directory, const char *stem, long long step_last, struct xdmf_index *index);

#endif
