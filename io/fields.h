/* <stem>_<step>.h5 with <stem>.xdmf: volumes at cell centres for ParaView and VisIt; stem: "fields" of the
 * whole grid, "slice_1" and so on of parts of it. Collective. */
#ifndef KOL_IO_FIELDS_H
#define KOL_IO_FIELDS_H

#include <mpi.h>
#include "view.h"

struct fields_file;
struct xdmf_index; /* xdmf.h */
/* fields_begin .. fields_add (one array at a time, so that one host copy serves all) .. fields_end.
 * single: store 4-byte values, whatever the view holds. fields_end renames the temporary file to its final
 * name and rank 0 rewrites directory/<stem>.xdmf, a temporal collection of every <stem>_*.h5 of the
 * directory up to this time; arrays at cell centres alone are listed. fields_add: an array at cell centres of
 * 1 or 3 values a cell, or of one value at another place. fields_number: a number of this time, an attribute
 * of the root. axis: of the part that the files hold. index: NULL, or what rank 0 remembers of the files
 * listed before. KOL_ERR_IO on all ranks alike; then the temporary file is removed. */
kol_status fields_begin(MPI_Comm comm, const char *directory, const char *stem, long long step, double time,
                        const struct io_axis axis[3], int single, const struct io_text *text, int texts,
                        struct fields_file **out);
kol_status fields_add(struct fields_file *f, struct io_view view);
kol_status fields_number(struct fields_file *f, const char *name, double value);
kol_status fields_end(struct fields_file **f, struct xdmf_index *index);

#endif
