/* series.nc: one record per written step, NetCDF-4, by rank 0 alone. */
#ifndef KOL_IO_SERIES_H
#define KOL_IO_SERIES_H

#include "view.h"

struct series;
struct series_column {
    const char *name, *long_name, *unit;
    int integer; /* 1: stored as 64-bit integer */
};

/* series_open: create path, or open it to append. keep_through: records whose first column (the step) is
 *     larger are cut off first (a restart goes back to its checkpoint); negative: start anew, an existing
 *     file is replaced. Columns of an existing file must be the same, else KOL_ERR_IO names the difference.
 *     A file whose seal (seal.h) is missing or wrong is renamed to path.damaged with a warning, and a new one begun.
 *     texts: provenance, global attributes; those of an earlier run are replaced where they have the name.
 * series_append: buffers one record. Values of integer columns are exact up to 2^53; others are refused.
 * series_flush: copies the file, appends, fsyncs and renames the copy, so that a kill at any time loses nothing
 *     flushed: costs one copy of the file. After a fault the file is as it was and the records stay buffered.
 *     KOL_ERR_IO too where something else has changed the file since it was written last.
 * series_close: flushes; *s is NULL afterwards, also after a fault; takes NULL. */
kol_status series_open(const char *path, const struct series_column *column, int columns,
                       long long keep_through, const struct io_text *text, int texts, struct series **out);
kol_status series_append(struct series *s, const double *value);
kol_status series_flush(struct series *s);
kol_status series_close(struct series **s);

#endif
