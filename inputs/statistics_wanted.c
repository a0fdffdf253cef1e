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
    return in->statistics.spectra_interval > 0 && faces_all_periodic(in) && spacings_uniform(in);
}

int heights_wanted(const struct input *in)
{
    return statistics_wanted(in) && in->statistics.spectra_interval > 0 && heights_given(in);
}

int phases_wanted(const struct input *in)
{
    return statistics_wanted(in) && in->statistics.phases > 0;
}

int history_wanted(const struct input *in)
{
    return in->history.interval > 0 || in->history.interval_time > 0;
}
