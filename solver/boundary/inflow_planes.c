#include "inflow_planes.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "io/planefile.h"
#include "kernels/open.h"

/* Of a box's length: what faces may differ by; of the time between the first and the last plane: what times
 * may be beyond. */
static const double SAME = 1e-9;
enum { KEPT = 2 };

struct inflow_planes {
    const struct input *in;
    const struct inflow *inflow;
    const struct decomp *d;
    const struct planefile *file;
    struct box b;
    int face, first; /* number of the plane in kernel[0]; -1: none yet */
    real *kernel[KEPT] /* planes first and first + 1 */, *host[KEPT];
    double *row; /* of a plane in the file */
};

/* --- the file --- */

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
                  "%s: error: planes of %d cells in %c, the grid has %d; planes are not interpolated in "
                  "space: write them for this grid",
                  name, cells, "xyz"[f.along[n]], f.cells[n]);
        for (int i = 0; i <= cells; ++i)
            if (!(fabs(line[i] - own[i]) <= slack))
                RAISE(KOL_ERR_INPUT,
                      "%s: error: face %d in %c is at %.10g, in the grid at %.10g; planes are not "
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

kol_status inflow_planes_open(const struct comm *c, const struct input *in, const struct grid *g, int face,
                              struct planefile **out)
{
    TRY(planefile_open(c->mpi, in->boundary.file[face], out));
    TRY(check_grid(in, g, face, *out));
    return check_times(in, face, *out);
}

int inflow_planes_at(const struct input *in, const struct planefile *f, double t, int *first, double *part)
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

/* --- this rank's part --- */

double inflow_planes_bytes(const struct input *in, const struct decomp *d, int face)
{
    const int dir = face / 2;
    if (!face_has_inflow_planes(in, face)) return 0;
    return KEPT * 3.0 * (d->n[(dir + 1) % 3] + 2) * (d->n[(dir + 2) % 3] + 2) * (double)sizeof(real);
}

kol_status inflow_planes_create(const struct inflow *inflow, const struct decomp *d, struct box b, int face,
                                struct inflow_planes **out)
{
    const size_t bytes = 3 * (size_t)plane_values(b, face / 2) * sizeof(real);
    struct inflow_planes *p = *out = calloc(1, sizeof *p);
    int cells;
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the planes of an inflow");
    p->in = inflow_input(inflow);
    p->inflow = inflow;
    p->d = d;
    p->b = b;
    p->face = face;
    p->first = -1;
    p->file = inflow_planefile(inflow, face);
    for (int n = 0; n < KEPT; ++n) {
        TRY(mem_kernel_alloc(bytes, (void **)&p->kernel[n]));
        TRY(mem_host_alloc(bytes, (void **)&p->host[n]));
    }
    planefile_faces(p->file, 0, &cells);
    p->row = malloc(3 * (size_t)cells * sizeof *p->row);
    if (p->row == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the planes of an inflow");
    return KOL_OK;
}

void inflow_planes_destroy(struct inflow_planes **planes)
{
    struct inflow_planes *p = *planes;
    if (p == NULL) return;
    for (int n = 0; n < KEPT; ++n) {
        mem_kernel_free(p->kernel[n]);
        mem_host_free(p->host[n]);
    }
    free(p->row);
    free(p);
    *planes = NULL;
}

/* Rows that this rank has, in the whole plane. */
static int row_of(const struct inflow_planes *p, int j)
{
    return inflow_index(p->inflow, p->d, p->face / 2 == Z ? Y : Z, 0, j);
}

/* Plane number `number` into kernel[n]. What an earlier copy took from host[n] has long arrived: a pressure
 * solve lies between. */
static kol_status load(struct inflow_planes *p, int n, int number)
{
    const int d = p->face / 2, a = d == X ? Y : X, b = d == Z ? Y : Z;
    for (int j = -1; j <= p->d->n[b]; ++j) {
        TRY(planefile_row(p->file, number, row_of(p, j), p->row));
        for (int i = -1; i <= p->d->n[a]; ++i) {
            const double *from = p->row + 3 * (ptrdiff_t)inflow_index(p->inflow, p->d, a, 0, i);
            for (int c = 0; c < 3; ++c) p->host[n][plane_at(p->b, d, c, i, j)] = (real)from[c];
        }
    }
    return mem_to_kernel_begin(p->kernel[n], p->host[n], 3 * (size_t)plane_values(p->b, d) * sizeof(real));
}

static void swap(struct inflow_planes *p)
{
    real *kernel = p->kernel[0], *host = p->host[0];
    p->kernel[0] = p->kernel[1];
    p->kernel[1] = kernel;
    p->host[0] = p->host[1];
    p->host[1] = host;
}

kol_status inflow_planes_fill(struct inflow_planes *p, double t, real *plane)
{
    const int last = planefile_count(p->file) - 1, rows = p->d->n[p->face / 2 == Z ? Y : Z];
    int first;
    double part;
    if (!inflow_planes_at(p->in, p->file, t, &first, &part)) RAISE(KOL_ERR_INTERNAL, "no plane for %g", t);
    if (first != p->first) {
        const int on = p->first >= 0 && first == p->first + 1;
        p->first = first;
        if (on) swap(p);
        else TRY(load(p, 0, first));
        TRY(load(p, 1, first + 1));
        planefile_ahead(p->file, first + 2 <= last ? first + 2 : 0, row_of(p, 0), row_of(p, rows - 1));
    }
    return open_mix(3 * (ptrdiff_t)plane_values(p->b, p->face / 2), (real)(1 - part), p->kernel[0],
                    (real)part, p->kernel[1], plane);
}
