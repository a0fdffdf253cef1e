/* Finds out which statistics the input asks for. */
#include "statistics_wanted.h"

#include "bodies.h"
#include "face_kinds.h"
#include "scalars.h"

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

void cells_directions(const struct input *in, int along[3])
{
    static const int SETS[][3] = {
        [DIRECTIONS_NONE] = {0, 0, 0}, [DIRECTIONS_X] = {1, 0, 0},  [DIRECTIONS_Y] = {0, 1, 0},
        [DIRECTIONS_Z] = {0, 0, 1},    [DIRECTIONS_XY] = {1, 1, 0}, [DIRECTIONS_XZ] = {1, 0, 1},
        [DIRECTIONS_YZ] = {0, 1, 1},   [DIRECTIONS_XYZ] = {1, 1, 1}};
    for (int d = 0; d < 3; ++d)
        along[d] = in->statistics.directions == DIRECTIONS_PERIODIC ? direction_is_periodic(in, d)
                                                                    : SETS[in->statistics.directions][d];
}

int cells_wanted(const struct input *in)
{
    int along[3], all = 1;
    cells_directions(in, along);
    for (int d = 0; d < 3; ++d) all = all && (along[d] || !direction_is_periodic(in, d));
    return statistics_wanted(in) && (!all || in->statistics.directions == DIRECTIONS_NONE || bodies_any(in));
}

int cells_budgets(const struct input *in)
{
    return in->statistics.cell_budgets && cells_wanted(in);
}

int cells_batches(const struct input *in)
{
    enum { PRESET = 16, SUMS = 15, OF_SCALAR = 5, BUDGETS = 54, OF_WALL = 9 };
    const int sums = SUMS + OF_SCALAR * scalar_count(in) + bodies_turn_cells(in) +
                     (cells_budgets(in) ? BUDGETS + OF_WALL * bodies_any(in) : 0);
    const double most = 1073741824; /* bytes of all batches of the preset */
    const double cells = (double)in->grid.n[0] * in->grid.n[1] * in->grid.n[2];
    if (in->statistics.batches >= 0) return in->statistics.batches;
    return cells * PRESET * sums * sizeof(double) <= most ? PRESET : 0;
}

int section_budgets_wanted(const struct input *in)
{
    return statistics_wanted(in) && in->statistics.scalar_budgets && scalar_count(in) > 0 &&
           faces_bounded_directions(in) == 2 && !cells_wanted(in);
}

const char *densities_missing(const struct input *in)
{
    if (!statistics_wanted(in) || scalar_count(in) == 0 || heights_wanted(in)) return NULL;
    if (cells_wanted(in)) return "averages in every cell have none";
    if (faces_bounded_directions(in) == 1)
        return "between walls they are those at statistics.spectra_heights";
    if (faces_all_periodic(in) && spacings_uniform(in) && in->statistics.spectra_interval == 0)
        return "statistics.spectra_interval is 0";
    return NULL;
}

int history_wanted(const struct input *in)
{
    return in->history.interval > 0 || in->history.interval_time > 0;
}

int stop_of_scalar(const struct input *in)
{
    const int stop = in->statistics.stop_when;
    return stop == STOP_SCALAR_VARIANCE || stop == STOP_SCALAR_DISSIPATION || stop >= STOP_NUSSELT_LOW;
}
