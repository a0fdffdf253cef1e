/* fields.xdmf: tells ParaView and VisIt what the arrays of all fields_*.h5 of a directory are. By one rank
 * alone. */
#ifndef KOL_IO_XDMF_H
#define KOL_IO_XDMF_H

#include "../kernels/base/status.h"

/* xdmf_write: directory/fields.xdmf anew, a temporal collection of the files up to step_last, in order of
 * step. The old one stays until the new one is complete. Files that can't be read are left out with a
 * warning. Each file brings its own grid, so that files of several grids may lie side by side. */
kol_status xdmf_write(const char *directory, long long step_last);

#endif
