/* Files of surface data of bodies: surface_<step>.h5, surface_average.h5 and their XDMF indexes. One rank
 * alone. schema.md has the format. */
#ifndef KOL_IO_SURFACE_FILE_H
#define KOL_IO_SURFACE_FILE_H

#include "view.h"

struct xdmf_index; /* xdmf.h */

/* surface_data: values at points on the surface of bodies; arrays with 3 values a point are interleaved. */
struct surface_data {
    int points;
    const double *position, *normal, *area, *face_area, *weight, *body;
    const double *pressure, *shear;
};

/* surface_file_write: writes directory/surface_<step>.h5 and the index surface.xdmf, which lists all such
 * files up to this step.
 *
 *   time       at the end of the step [T]
 *   duration   length of time over which the values are means [T]
 *   index      what is known of the files that were listed before
 *
 * surface_file_write_average: writes directory/surface_average.h5 and its index. start: time from which the
 * averages are taken [T]; steps: their number. */
struct surface_when {
    long long step;
    double time, duration, start;
    long long steps;
};
kol_status surface_file_write(const char *directory, struct surface_when when, const struct io_axis axis[3],
                              struct surface_data data, const struct io_text *text, int texts,
                              struct xdmf_index *index);
kol_status surface_file_write_average(const char *directory, struct surface_when when,
                                      const struct io_axis axis[3], struct surface_data data,
                                      const struct io_text *text, int texts);

#endif
