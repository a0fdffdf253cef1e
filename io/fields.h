/* Volumes for ParaView and VisIt: files <stem>_<step>.h5 and their index <stem>.xdmf. The stem is
 * "fields" for the whole grid, "slice_1" and so on for parts of it. Collective. */
#ifndef KOL_IO_FIELDS_H
#define KOL_IO_FIELDS_H

#include <mpi.h>
#include "view.h"

struct fields_file;
struct xdmf_index; /* xdmf.h */
/* Call fields_begin, fields_add and fields_number as often as needed, then fields_end. Arrays are added one
 * at a time, so that a single host copy serves all of them.
 *
 *   fields_begin   creates a temporary file. axis: face coordinates of that part of the grid which the file
 *                  holds. single: values are stored in 4 bytes, whatever their size in the view.
 *   fields_begin_averages
 *                  creates the temporary file of averages.h5, of the format kolmo-averages. Its index
 *                  averages.xdmf lists this file alone.
 *   fields_compress
 *                  from now on, arrays that are added are compressed by deflate at a level from 1 to 9; they
 *                  are not compressed if the level is 0. KOL_ERR_INPUT if the HDF5 library can't do it. Local
 *   fields_compression_lack
 *                  returns why the HDF5 library can't do it, as a part of a sentence; NULL if it can. Local
 *   fields_add_sums
 *                  adds an array to the group /sums of averages.h5, of any size and number of values a cell,
 *                  in the precision of the view
 *   fields_text    adds a text to an array, as an attribute
 *   fields_add     adds an array at cell centres with 1 or 3 values a cell, or with one value at another
 *                  place
 *   fields_number  adds a number of this time, as an attribute of the root
 *   fields_give_up
 *                  removes the temporary file instead of fields_end, after a fault that all ranks know of
 *   fields_end     renames the temporary file to its final name. Rank 0 then writes
 *                  directory/<stem>.xdmf anew: it lists every <stem>_*.h5 of the directory up to this
 *                  time, and of each the arrays at cell centres. index is NULL, or what rank 0 remembers
 *                  of the files that it has listed before.
 *
 * If one rank fails, all ranks return KOL_ERR_IO, and the temporary file is removed. */
kol_status fields_begin(MPI_Comm comm, const char *directory, const char *stem, long long step, double time,
                        const struct io_axis axis[3], int single, const struct io_text *text, int texts,
                        struct fields_file **out);
kol_status fields_begin_averages(MPI_Comm comm, const char *directory, long long step, double time,
                                 const struct io_axis axis[3], int single, const struct io_text *text,
                                 int texts, struct fields_file **out);
const char *fields_compression_lack(void);
kol_status fields_compress(struct fields_file *f, int level);
kol_status fields_add(struct fields_file *f, struct io_view view);
kol_status fields_add_sums(struct fields_file *f, struct io_view view);
kol_status fields_text(struct fields_file *f, const char *array, const char *name, const char *text);
kol_status fields_number(struct fields_file *f, const char *name, double value);
void fields_give_up(struct fields_file **f);
kol_status fields_end(struct fields_file **f, struct xdmf_index *index);

#endif
