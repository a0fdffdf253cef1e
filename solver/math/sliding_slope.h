/* The slope of a straight line through the latest values of a series, over a window that grows with time. */
#ifndef KOL_MATH_SLIDING_SLOPE_H
#define KOL_MATH_SLIDING_SLOPE_H

#include <stddef.h>
#include "kernels/base/status.h"

/* SLIDING_SLOPE_LEAST: the smallest number of values in a window. */
enum { SLIDING_SLOPE_LEAST = 5 };

/* sliding_slope: the values so far, with times that increase. It may be all zero. */
struct sliding_slope {
    double *t, *y;
    size_t count, room;
};
/* sliding_slope_add: appends a value; values that are not finite, and times that are not above 0, are left
 * out. */
kol_status sliding_slope_add(struct sliding_slope *s, double t, double y);
/* sliding_slope_fit: fits a line to the values from t/1.5 to t, where t is the latest time. Returns its
 * slope; *error is its standard error, found from the scatter of the values about the line alone. Both are
 * NaN if there are fewer than SLIDING_SLOPE_LEAST values, or if the series begins within the window. */
double sliding_slope_fit(const struct sliding_slope *s, double *error);
/* sliding_slope_forget: frees the values. */
void sliding_slope_forget(struct sliding_slope *s);

#endif
