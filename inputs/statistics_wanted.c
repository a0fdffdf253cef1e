/* Finds out which statistics the input asks for. */
#include "statistics_wanted.h"

#include "face_kinds.h"

int statistics_wanted(const struct input *in)
{
    return in->statistics.start >= 0;
}

int spacings_uniform(const struct input *in)
{
    for (int d = 0; d < 3; ++d)
        if (in->grid.stretching[d] != STRETCHING_UNIFORM) return 0;
    return 1;
}

int heights_given(const struct input *in)
{
    return in->statistics.spectra_heights[0] != INPUT_NOWHERE;
}

int spectra_wanted(const struct input *in)
{
    return in->statistics.spectra_interval > 0 && faces_all_periodic(in) && spacings_uniform(in) &&
           !cells_wanted(in);
}

int heights_wanted(const struct input *in)
{
    return statistics_wanted(in) && in->statistics.spectra_interval > 0 && heights_given(in) &&
           !cells_wanted(in);
}

int phases_wanted(const struct input *in)
{
    return statistics_wanted(in) && in->statistics.phases > 0 && !cells_wanted(in);
}

int cells_wanted(const struct input *in)
{
    return statistics_wanted(in) && in->statistics.directions == DIRECTIONS_NONE;
}

int cells_batches(const struct input *in)
{
    enum { PRESET = 16, SUMS = 14 };
    const double most = 1073741824; /* bytes of all batches of the preset */
    const double cells = (double)in->grid.n[0] * in->grid.n[1] * in->grid.n[2];
    if (in->statistics.batches >= 0) return in->statistics.batches;
    return cells * PRESET * SUMS * sizeof(double) <= most ? PRESET : 0;
}

int history_wanted(const struct input *in)
{
    return in->history.interval > 0 || in->history.interval_time > 0;
}
