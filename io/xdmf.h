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

/* xdmf_write: writes directory/<stem>.xdmf anew. It lists the files up to step_last in the order of their
 * steps, as a series in time for ParaView. The old file stays until the new one is complete. A file that
 * can't be read is left out with a warning. Each file brings its own grid, so that files of several grids
 * may lie in one folder. index: what is known of the files that were listed before, so that they are not
 * read again; NULL if nothing is known. The file of step_last is always read. */
kol_status xdmf_write(const char *directory, const char *stem, long long step_last, struct xdmf_index *index);
/* xdmf_write_alone: writes directory/<stem>.xdmf, which lists the file directory/<stem>.h5. */
kol_status xdmf_write_alone(const char *directory, const char *stem);

#endif
