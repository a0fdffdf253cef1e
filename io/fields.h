/* fields_<step>.h5 with fields.xdmf: volumes at cell centres for ParaView and VisIt. Collective. */
#ifndef KOL_IO_FIELDS_H
#define KOL_IO_FIELDS_H

#include <mpi.h>
#include "view.h"

struct fields_file;
/* fields_begin .. fields_add (one array at a time, so that one host copy serves all) .. fields_end.
 * single: store 4-byte values, whatever the view holds. fields_end renames the temporary file to its final
 * name and rank 0 rewrites directory/fields.xdmf, a temporal collection of every fields_*.h5 of the
 * directory up to this time. KOL_ERR_IO on all ranks alike; then the temporary file is removed. */
kol_status fields_begin(MPI_Comm comm, const char *directory, long long step, double time,
                        const struct io_axis axis[3], int single, const struct io_text *text, int texts,
                        struct fields_file **out);
kol_status fields_add(struct fields_file *f, struct io_view view);
kol_status fields_end(struct fields_file **f);

#endif
