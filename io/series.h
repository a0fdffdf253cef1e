/* series.nc, probes.nc: one record per written step, NetCDF-4, by rank 0 alone. */
#ifndef KOL_IO_SERIES_H
#define KOL_IO_SERIES_H

#include "view.h"

struct series;
/* 64-bit integers; a value of each point a record */
enum series_kind { SERIES_REAL, SERIES_INTEGER, SERIES_POINTS };
struct series_column {
    const char *name, *long_name, *unit;
    int kind; /* enum series_kind */
};

/* series_points: points that columns may have values of: a second dimension, and a variable over it for each
 * coordinate. */
struct series_points {
    const char *name;
    int count;
    const struct series_coordinate {
        const char *name, *long_name, *unit;
        const double *value;
    } * coordinate;
    int coordinates;
};

/* series_open: create path, or open it to append. keep_through: records whose first column (the step) is
 *     larger are cut off first (a restart goes back to its checkpoint); negative: start anew, an existing
 *     file is replaced. Columns of an existing file must be the same, and the points, NULL: none; else
 * KOL_ERR_IO names the difference. A file whose seal (seal.h) is missing or wrong is renamed to path.damaged
 * with a warning, and a new one begun. texts: provenance, global attributes; those of an earlier run are
 * replaced where they have the name. series_append: buffers one record: the values of the columns, those of a
 * column of points one after another. Values of integer columns are exact up to 2^53; others are refused.
 * series_flush: copies the file, appends, fsyncs and renames the copy, so that a kill at any time loses
 * nothing flushed: costs one copy of the file. After a fault the file is as it was and the records stay
 * buffered. KOL_ERR_IO too where something else has changed the file since it was written last. series_close:
 * flushes; *s is NULL afterwards, also after a fault; takes NULL. */
kol_status series_open(const char *path, const struct series_column *column, int columns,
                       const struct series_points *points, long long keep_through, const struct io_text *text,
                       int texts, struct series **out);
kol_status series_append(struct series *s, const double *value);
kol_status series_flush(struct series *s);
kol_status series_close(struct series **s);

#endif
