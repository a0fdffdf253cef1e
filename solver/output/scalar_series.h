/* The columns of series.nc that belong to scalars. */
#ifndef KOL_OUTPUT_SCALAR_SERIES_H
#define KOL_OUTPUT_SCALAR_SERIES_H

#include "io/series.h"
#include "scalars/scalar_numbers.h"

enum { SCALAR_SERIES_EACH = 10 + FACES, SCALAR_SERIES_MOST = 1 + SCALARS_MOST * SCALAR_SERIES_EACH };

/* scalar_series: the words of these columns, which `column` points to. */
struct scalar_series {
    int count;
    struct series_column column[SCALAR_SERIES_MOST];
    struct scalar_series_words {
        char name[64], long_name[128], unit[2 * INPUT_TEXT];
    } words[SCALAR_SERIES_MOST];
};

/* scalar_series_make: lists the work of buoyancy, if there is any, and the columns of the scalars that the
 * inputs give. A face has one if it is not
 * periodic. s must stay at its address. */
void scalar_series_make(const struct input *in, struct scalar_series *s);
/* scalar_series_values: writes the values of these columns, in the same order. from_bodies: the flux of each
 * scalar from all bodies into the fluid [own U L^2]. */
void scalar_series_values(const struct flow *flow, const struct scalar_number *of,
                          const double from_bodies[SCALARS_MOST], double *value);

#endif
