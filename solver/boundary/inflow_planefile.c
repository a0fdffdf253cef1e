/* Opens the file of planes that an inflow takes its velocities from, checks that it fits the grid and the
 * run, and finds the planes that surround a time. */
#include "inflow_planefile.h"

#include <math.h>
#include <string.h>
#include "inflow_face.h"
#include "inputs/scalars.h"
#include "io/planefile.h"

/* SAME: tolerance for face coordinates, as a part of the box's length, and for times, as a part of the time
 * between the first and the last plane. */
static const double SAME = 1e-9;

static kol_status check_grid(const struct input *in, const struct grid *g, int face,
                             const struct planefile *file)
{
    const struct inflow_face f = inflow_face_make(g, face);
    const char *name = in->boundary.file[face];
    for (int n = 0; n < 2; ++n) {
        int cells;
        const double *line = planefile_faces(file, n, &cells), *own = g->face[f.along[n]];
        const double slack = SAME * g->length[f.along[n]];
        if (cells != f.cells[n])
            RAISE(KOL_ERR_INPUT,
                  "%s: error: its planes have %d cells in %c, but the grid has %d; planes are not "
                  "interpolated in space: write them for this grid",
                  name, cells, "xyz"[f.along[n]], f.cells[n]);
        for (int i = 0; i <= cells; ++i)
            if (!(fabs(line[i] - own[i]) <= slack))
                RAISE(KOL_ERR_INPUT,
                      "%s: error: face %d in %c is at %.10g, but in the grid at %.10g; planes are not "
                      "interpolated in space: write them for this grid",
                      name, i, "xyz"[f.along[n]], line[i], own[i]);
    }
    return KOL_OK;
}

static double slack_of(const double *time, int count)
{
    return SAME * (time[count - 1] - time[0]);
}

static kol_status check_times(const struct input *in, int face, const struct planefile *file)
{
    const double *time = planefile_times(file);
    const int count = planefile_count(file);
    const double end = in->run.t_end;
    if (in->boundary.planes_loop) return KOL_OK;
    if (end < 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: its planes end at t = %.10g, and run.t_end is not given; add for example t_end = "
              "%.10g to &run, or planes_loop = .true. to &boundary",
              in->boundary.file[face], time[count - 1], time[count - 1]);
    if (end > time[count - 1] + slack_of(time, count))
        RAISE(KOL_ERR_INPUT,
              "%s: error: its planes end at t = %.10g, before run.t_end = %.10g; lower run.t_end, or add "
              "planes_loop = .true. to &boundary",
              in->boundary.file[face], time[count - 1], end);
    return KOL_OK;
}

int inflow_planefile_scalars(const struct input *in, int face, int scalar[SCALARS_MOST])
{
    int count = 0;
    for (int n = 0; n < scalar_count(in); ++n)
        if (scalar_by_planes(in, n, face)) scalar[count++] = n;
    return count;
}

/* A file that tells the unit of a scalar must have that of the input. */
static kol_status check_units(const struct input *in, int face, const struct planefile *file)
{
    int scalar[SCALARS_MOST];
    const int count = inflow_planefile_scalars(in, face, scalar);
    for (int s = 0; s < count; ++s) {
        const char *unit = planefile_scalar_unit(file, s), *own = in->scalars.unit[scalar[s]];
        if (unit[0] != '\0' && strcmp(unit, own) != 0)
            RAISE(KOL_ERR_INPUT,
                  "%s: error: the unit of the scalar '%s' is '%s', but scalars.unit(%d) = '%s'; convert the "
                  "planes, or change the unit",
                  in->boundary.file[face], in->scalars.name[scalar[s]], unit, scalar[s] + 1, own);
    }
    return KOL_OK;
}

kol_status inflow_planefile_open(const struct comm *c, const struct input *in, const struct grid *g, int face,
                                 struct planefile **out)
{
    const char *name[SCALARS_MOST];
    int scalar[SCALARS_MOST];
    const int count = inflow_planefile_scalars(in, face, scalar);
    for (int s = 0; s < count; ++s) name[s] = in->scalars.name[scalar[s]];
    TRY(planefile_open(c->mpi, in->boundary.file[face], count, name, out));
    TRY(check_units(in, face, *out));
    TRY(check_grid(in, g, face, *out));
    return check_times(in, face, *out);
}

int inflow_planefile_at(const struct input *in, const struct planefile *f, double t, int *first, double *part)
{
    const double *time = planefile_times(f);
    const int count = planefile_count(f);
    const double start = time[0], period = time[count - 1] - start, slack = slack_of(time, count);
    if (in->boundary.planes_loop) {
        t = start + fmod(t - start, period);
        if (t < start) t += period;
    }
    if (t < start - slack || t > time[count - 1] + slack) return 0;
    int low = 0, high = count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (time[middle] <= t) low = middle;
        else high = middle;
    }
    *first = low;
    *part = fmin(fmax((t - time[low]) / (time[high] - time[low]), 0), 1);
    return 1;
}
