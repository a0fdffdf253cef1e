/* Time series, series.nc and probes.nc: one record for each written step, in NetCDF-4. Rank 0 alone. */
#ifndef KOL_IO_SERIES_H
#define KOL_IO_SERIES_H

#include "view.h"

struct series;
/* series_kind: 8-byte reals; 64-bit integers; one real for each point in a record. */
enum series_kind { SERIES_REAL, SERIES_INTEGER, SERIES_POINTS };
struct series_column {
    const char *name, *long_name, *unit;
    int kind; /* enum series_kind */
};

/* series_points: the points of which columns may have values. They are a second dimension of the file,
 * with a variable over it for each coordinate. */
struct series_points {
    const char *name;
    int count;
    const struct series_coordinate {
        const char *name, *long_name, *unit;
        const double *value;
    } * coordinate;
    int coordinates;
};

/* series_open: makes the file, or opens it to append.
 * If keep_through is negative, a new file replaces an existing one. Otherwise, as a restart goes back to
 * its checkpoint, records whose first column (the step) is larger are cut off first. The columns and the
 * points (NULL: none) of an existing file must be the same; otherwise KOL_ERR_IO names the difference. A
 * file whose seal (seal.h) is missing or wrong is renamed to path.damaged with a warning, and a new one
 * is begun. texts are provenance, stored as global attributes; they replace those of an earlier run that
 * have the same names.
 *
 * series_append: stores one record in memory: the values of the columns, of a column of points one after
 * another. Values of integer columns are exact up to 2^53; larger ones are refused.
 *
 * series_flush: copies the file, appends the records to the copy, calls fsync and renames the copy, so
 * that a kill at any time loses nothing that was flushed. It costs one copy of the file. After a fault
 * the file is as it was, and the records stay in memory. KOL_ERR_IO also if anything else has changed the
 * file since it was last written.
 *
 * series_close: flushes. Afterwards, also after a fault, *s is NULL; takes NULL. */
kol_status series_open(const char *path, const struct series_column *column, int columns,
                       const struct series_points *points, long long keep_through, const struct io_text *text,
                       int texts, struct series **out);
kol_status series_append(struct series *s, const double *value);
kol_status series_flush(struct series *s);
kol_status series_close(struct series **s);

#endif
