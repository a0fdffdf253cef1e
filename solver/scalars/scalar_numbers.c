/* Sums the numbers of scalars over the grid and over its faces. */
#include "scalar_numbers.h"

#include <math.h>
#include <string.h>
#include "bodies/bodies.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "kernels/scalar.h"
#include "parallel/face_sum.h"

static unsigned faces_of(const struct input *in)
{
    unsigned faces = 0;
    for (int f = 0; f < FACES; ++f) faces |= (unsigned)!face_is_periodic(in, f) << f;
    return scalar_count(in) > 0 ? faces : 0;
}

kol_status scalar_numbers_create(const struct domain *domain, struct scalar_numbers_set *s)
{
    return face_sum_create(domain->memory, &domain->comm, &domain->decomp, faces_of(domain->in), &s->sums);
}

void scalar_numbers_destroy(struct scalar_numbers_set *s)
{
    face_sum_destroy(&s->sums);
}

/* The open faces of the cells that count: those that no body holds. */
static const unsigned char *live_of(const struct flow *flow, int n)
{
    return body_scalars_live(flow->bodies != NULL ? flow->bodies->scalars : NULL, flow->domain, n);
}

/* Finds values of all scalars from which deviations are taken: those of the first cell of the grid. Where the
 * cell is solid, it keeps a value of its own, which serves as well. */
static kol_status find_middles(const struct flow *flow, double middle[SCALARS_MOST])
{
    const struct domain *domain = flow->domain;
    const int count = scalar_count(domain->in), *offset = domain->decomp.offset;
    for (int n = 0; n < count; ++n) {
        real first = 0; /* on the other ranks */
        if (offset[X] == 0 && offset[Y] == 0 && offset[Z] == 0)
            TRY(mem_to_host(&first, flow->scalar[n] + at(domain->grid.box, 0, 0, 0), sizeof first));
        middle[n] = (double)first;
    }
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, middle, count, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    for (int n = 0; n < count && domain->grid.open != NULL; ++n)
        if (!isfinite(middle[n])) middle[n] = 0;
    return KOL_OK;
}

/* The group of bodies that hold scalar n; NULL: none does. */
static const struct body_scalar_group *held(const struct flow *flow, int n)
{
    const struct body_scalars *s = flow->bodies != NULL ? flow->bodies->scalars : NULL;
    return s != NULL && s->of[n] >= 0 ? &s->group[s->of[n]] : NULL;
}

/* Leaves the sum that comes before those of scalar_record(), if there is one. */
static kol_status sweep_before(const struct flow *flow, int n, int *before)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const struct body_scalar_group *group = held(flow, n);
    *before = 1;
    if (scalar_limited(domain->in, n))
        return scalar_limiter_loss(g->box, g->m, bl, domain->walls.faces, flow->vel, flow->scalar[n]);
    if (group != NULL)
        return scalar_wall_scatter(g->box, g->m, bl, &group->walls, body_scalar_wall(group, n),
                                   flow->scalar[n]);
    *before = 0;
    return KOL_OK;
}

/* One sweep over the volume. With a limiter another one comes first, for its dissipation; with bodies that
 * hold the scalar, a sum over the cells beside them. This sum takes the same message. loss: 0 without a
 * limiter. */
static kol_status sweep(const struct flow *flow, int n, double middle, double v[SCALAR_NUMBERS], double *loss)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    double all[1 + SCALAR_NUMBERS] = {0};
    int before;
    TRY(sweep_before(flow, n, &before));
    TRY(scalar_record(g->box, g->m, reduction_blocks_from(domain->reduction, before), g->open,
                      live_of(flow, n), middle, flow->vel, flow->scalar[n]));
    TRY(reduction_finish(domain->reduction, before + SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS,
                         all + 1 - before));
    *loss = scalar_limited(domain->in, n) ? all[0] : 0;
    memcpy(v, all + 1, SCALAR_NUMBERS * sizeof *v);
    if (held(flow, n) != NULL) v[SCALAR_SCATTER] += all[0];
    return KOL_OK;
}

/* The square of the distance from the mean, over the variance, at which the variance has lost too many
 * digits. */
static const double FAR = 1e6;

/* Deviations from a value of the scalar give the variance and the extremes without loss of digits, in one
 * sweep. With bodies the value may be that of a solid cell; if it is far from the fluid, there is a second
 * sweep, from the mean. */
static kol_status measure_volume(const struct flow *flow, int n, double middle, struct scalar_number *out)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    double v[SCALAR_NUMBERS];
    TRY(sweep(flow, n, middle, v, &out->loss));
    const double away = v[SCALAR_SUM] / v[SCALAR_VOLUME];
    if (g->open != NULL && away * away > FAR * (v[SCALAR_SQUARE] / v[SCALAR_VOLUME] - away * away)) {
        middle += away;
        TRY(sweep(flow, n, middle, v, &out->loss));
    }
    const double volume = v[SCALAR_VOLUME], shift = v[SCALAR_SUM] / volume;
    out->mean = middle + shift;
    out->variance = v[SCALAR_SQUARE] / volume - shift * shift;
    if (out->variance < 0) out->variance = 0; /* rounding, where the scalar is uniform */
    out->dissipation = scalar_diffusivity(domain->in, n) * v[SCALAR_SCATTER] / volume;
    out->largest = middle + v[SCALAR_ABOVE];
    out->least = middle - v[SCALAR_BELOW];
    for (int d = 0; d < 3; ++d) out->flux[d] = v[SCALAR_FLUX_X + d] / volume;
    out->loss /= g->volume;
    if (isfinite(out->mean) && isfinite(out->variance)) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL,
          "scalar '%s' holds values that are not finite after step %lld, t = %.6g: the solution blew up; "
          "checkpoints are unchanged. Lower time.cfl or time.dt, or refine the grid",
          domain->in->scalars.name[n], flow->clock.step, flow->clock.t);
}

static kol_status measure_faces(struct face_sum *sums, const struct flow *flow, int n,
                                struct scalar_number *out)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const real kappa = (real)scalar_diffusivity(domain->in, n);
    for (int f = 0; f < FACES; ++f) {
        double *rows = face_sum_rows(sums, f);
        if (rows != NULL)
            TRY(scalar_face_flux(g->box, g->m, reduction_blocks(domain->reduction), live_of(flow, n), f,
                                 kappa, flow->vel[f / 2], flow->scalar[n], rows));
    }
    TRY(face_sum_finish(sums, out->face));
    for (int f = 0; f < FACES; ++f) out->face[f] *= g->length[f / 2] / g->volume;
    return KOL_OK;
}

kol_status scalar_numbers_measure(struct scalar_numbers_set *s, const struct flow *flow)
{
    double middle[SCALARS_MOST];
    if (scalar_count(flow->domain->in) > 0) TRY(find_middles(flow, middle));
    for (int n = 0; n < scalar_count(flow->domain->in); ++n) {
        TRY(measure_volume(flow, n, middle[n], &s->of[n]));
        TRY(measure_faces(s->sums, flow, n, &s->of[n]));
    }
    return KOL_OK;
}
