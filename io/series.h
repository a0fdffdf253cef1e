/* Time series, series.nc and probes.nc: one record for each written step, in NetCDF-4. Rank 0 alone. */
#ifndef KOL_IO_SERIES_H
#define KOL_IO_SERIES_H

#include "view.h"

struct series;
/* series_kind: the type of a column. It is 8-byte reals, 64-bit integers, or one real for each point in a
 * record. */
enum series_kind { SERIES_REAL, SERIES_INTEGER, SERIES_POINTS };
struct series_column {
    const char *name, *long_name, *unit;
    int kind; /* enum series_kind */
};

/* series_points: the points at which columns may have values. They are a second dimension of the file. For
 * each coordinate there is a variable over this dimension. */
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
 *
 *   - If keep_through is negative, a new file replaces an existing one.
 *   - Otherwise the run continues the file after a restart. Records whose first column (the step) is larger
 *   than keep_through are removed first. The columns and the points (NULL if there are none) of the existing
 *   file must be the same; otherwise KOL_ERR_IO names the difference. Without points, its last columns may be
 *   missing if they are reals; they are then NaN in its records.
 *   - A file whose seal (seal.h) is missing or wrong is renamed to path.damaged with a warning, and a new one
 *   is begun.
 *
 * texts are provenance, stored as global attributes. They replace those of an earlier run that have the same
 * names.
 *
 * series_append: stores one record in memory. It has the values of all columns; a column of points has one
 * value for each point. Values of integer columns are exact up to 2^53; larger ones are refused.
 *
 * series_flush: copies the file, appends the records to the copy, calls fsync and renames the copy. So if the
 * run is killed at any time, nothing that was flushed is lost. A flush costs one copy of the file. After a
 * fault the file is as it was, and the records stay in memory. KOL_ERR_IO is also returned if anything else
 * has changed the file since it was last written.
 *
 * series_close: flushes and frees the series. Afterwards, also after a fault, *s is NULL. NULL is allowed. */
kol_status series_open(const char *path, const struct series_column *column, int columns,
                       const struct series_points *points, long long keep_through, const struct io_text *text,
                       int texts, struct series **out);
/* series_records: the number of records in the file. */
size_t series_records(const struct series *s);
kol_status series_append(struct series *s, const double *value);
kol_status series_flush(struct series *s);
kol_status series_close(struct series **s);

#endif
