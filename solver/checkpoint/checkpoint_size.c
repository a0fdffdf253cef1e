/* Computes the sizes of checkpoints, on disk and in the host memory of the ranks. */
#include "checkpoint_size.h"

#include <math.h>
#include <string.h>
#include "inputs/bodies.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "inputs/statistics_wanted.h"
#include "io/checkpoint.h"
#include "kernels/cell_budget.h"
#include "state/flow_fields.h"
#include "step/exact_step.h"
#include "step/pressure.h"

int restart_arrays(const struct input *in)
{
    const int stages = pressure_stages_kept(in, in->pressure.guess) - 1; /* the running pressure is a field */
    return field_count(in) + stages + (method_is_exact(in) ? 3 : 0);
}

/* Bytes of a cell for averages in every cell. */
static double averages_bytes(const struct input *in)
{
    const int slots = cells_batches(in) > 0 ? cells_batches(in) : 1;
    const int scalars = scalar_count(in), turns = bodies_turn_cells(in);
    const int budgets = cells_budgets(in) ? cell_budget_values(bodies_any(in)) : 0;
    return cells_wanted(in) ? slots * (cell_average_sums(scalars, turns) + budgets) * (double)sizeof(double) +
                                  (cell_average_values(scalars, turns) + budgets) * (double)sizeof(real)
                            : 0;
}

int restart_cell_bytes(const struct input *in)
{
    const int sums = cell_average_sums(scalar_count(in), bodies_turn_cells(in)) +
                     (cells_budgets(in) ? cell_budget_values(bodies_any(in)) : 0);
    return cells_wanted(in) ? sums * (int)sizeof(double) : (int)sizeof(real);
}

double restart_bytes(const struct input *in)
{
    const double cells = (double)in->grid.n[0] * in->grid.n[1] * in->grid.n[2];
    return cells * (restart_arrays(in) * (double)sizeof(real) + averages_bytes(in));
}

/* Guess of the rate at which checkpoints are written. It is below the rates of a local disk and of parallel
 * file systems. A run must not end because of this guess alone. */
static const double GUESSED_RATE = 0.2e9, MOST_OF_WALLTIME = 0.1;

double restart_seconds_guess(const struct input *in)
{
    return fmin(restart_bytes(in) / GUESSED_RATE, MOST_OF_WALLTIME * in->run.walltime);
}
