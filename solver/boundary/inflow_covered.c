/* Looks for velocities that tables, formulas, planes and turbulence give where bodies cover an inflow. */
#include "inflow_covered.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "inflow_planefile.h"
#include "inputs/face_kinds.h"
#include "io/planefile.h"

/* covered: this rank's cells of an inflow that bodies cover and fluid is to flow through.
 *
 *   cells   their number
 *   speed   the largest velocity across them, in planes at time `time` [U] */
struct covered {
    long long cells;
    double speed, time;
};

/* search: one face of this rank. */
struct search {
    const struct inflow *inflow;
    const struct domain *domain;
    const unsigned char *open;
    int face, turbulent;
    struct inflow_face f;
};

static int is_covered(const struct search *s, int i, int j)
{
    const int *n = s->domain->decomp.n;
    int p[3];
    p[s->face / 2] = s->face % 2 ? n[s->face / 2] - 1 : 0;
    p[s->f.along[0]] = i;
    p[s->f.along[1]] = j;
    return !(s->open[at(s->domain->grid.box, p[X], p[Y], p[Z])] >> s->face & 1);
}

static void add(struct covered *c, double speed, double time)
{
    if (speed == 0) return;
    if (speed > c->speed) {
        c->speed = speed;
        c->time = time;
    }
    ++c->cells;
}

static double weight(const struct search *s, const int index[2])
{
    return inflow_weight(s->inflow, &s->f, 0, 0, index[0]) * inflow_weight(s->inflow, &s->f, 1, 0, index[1]);
}

static void look_at_table(const struct search *s, struct covered *c)
{
    const struct decomp *d = &s->domain->decomp;
    const double rms = s->turbulent ? s->domain->in->boundary.turbulence[s->face][s->face / 2] : 0;
    for (int j = 0; j < d->n[s->f.along[1]]; ++j)
        for (int i = 0; i < d->n[s->f.along[0]]; ++i) {
            if (!is_covered(s, i, j)) continue;
            const int index[2] = {inflow_index(s->inflow, d, s->f.along[0], 0, i),
                                  inflow_index(s->inflow, d, s->f.along[1], 0, j)};
            add(c, fabs(inflow_steady(s->inflow, d, s->face, s->face / 2, i, j)) + rms * weight(s, index), 0);
        }
}

static int row_covered(const struct search *s, int j)
{
    for (int i = 0; i < s->domain->decomp.n[s->f.along[0]]; ++i)
        if (is_covered(s, i, j)) return 1;
    return 0;
}

static kol_status look_at_planes(const struct search *s, struct covered *c)
{
    const struct planefile *file = inflow_planefile(s->inflow, s->face);
    const struct decomp *d = &s->domain->decomp;
    const int planes = planefile_count(file), *n = d->n, a = s->f.along[0], b = s->f.along[1];
    kol_status st = KOL_OK;
    double *row = malloc(3 * (size_t)d->n_g[a] * sizeof *row);
    if (row == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a row of planes");
    for (int j = 0; j < n[b]; ++j) {
        if (!row_covered(s, j)) continue;
        for (int plane = 0; plane < planes; ++plane) {
            TRY_OR(done, planefile_row(file, plane, inflow_index(s->inflow, d, b, 0, j), row));
            for (int i = 0; i < n[a]; ++i)
                if (is_covered(s, i, j))
                    add(c, fabs(row[3 * inflow_index(s->inflow, d, a, 0, i) + s->face / 2]),
                        planefile_times(file)[plane]);
        }
    }
done:
    free(row);
    return st;
}

/* The worst of all ranks, on all of them. */
static kol_status agree(const struct comm *comm, struct covered *c)
{
    struct {
        double speed;
        int rank;
    } own = {c->speed, comm->rank}, worst = own;
    MPI_TRY(MPI_Allreduce(&own, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm->mpi));
    MPI_TRY(MPI_Bcast(&c->time, 1, MPI_DOUBLE, worst.rank, comm->mpi));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &c->cells, 1, MPI_LONG_LONG, MPI_SUM, comm->mpi));
    c->speed = worst.speed;
    return KOL_OK;
}

static kol_status refuse(const struct search *s, const struct covered *c)
{
    const struct input *in = s->domain->in;
    const size_t formulas = offsetof(struct input, boundary.formula) + (size_t)s->face * 3 * INPUT_TEXT;
    const struct input_place by = input_place(s->domain->source, formulas, 0);
    char when[64] = "";
    if (face_has_inflow_planes(in, s->face))
        snprintf(when, sizeof when, " in the plane of t = %.9g", c->time);
    RAISE(KOL_ERR_INPUT,
          "%s: error: boundary.%s = 'inflow' brings fluid through cells that bodies cover, at up to U = "
          "%.4g%s: give 0 there%s, or move the bodies away from this face",
          face_has_inflow_formula(in, s->face) ? by.at : in->boundary.file[s->face], FACE_NAME[s->face],
          c->speed, when, s->turbulent ? " and no boundary turbulence" : "");
}

kol_status inflow_covered_refuse(const struct inflow *inflow, const struct domain *domain,
                                 const unsigned char *open)
{
    const struct input *in = domain->in;
    for (int face = 0; face < FACES && inflow != NULL; ++face) {
        const int planes = face_has_inflow_planes(in, face);
        const struct search s = {inflow,
                                 domain,
                                 open,
                                 face,
                                 face_has_turbulent_inflow(in, face),
                                 inflow_face_make(&domain->grid, face)};
        struct covered c = {0, 0, 0};
        kol_status st = KOL_OK;
        if (!planes && !face_has_inflow_table(in, face) && !face_has_inflow_formula(in, face)) continue;
        if (domain->grid.held >> face & 1) {
            if (planes) st = look_at_planes(&s, &c);
            else look_at_table(&s, &c);
        }
        TRY(comm_agree(&domain->comm, st));
        TRY(agree(&domain->comm, &c));
        if (c.cells > 0) return refuse(&s, &c);
    }
    return KOL_OK;
}
