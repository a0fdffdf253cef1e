/* Sums the numbers of scalars over the grid and over its faces. */
#include "scalar_numbers.h"

#include <math.h>
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "kernels/scalar.h"
#include "kernels/volume_dot.h"
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

/* The mean over the volume of the fluid, and this volume. With bodies a record about 0 has both. */
static kol_status measure_mean(const struct flow *flow, int n, double *mean, double *volume)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    double v[SCALAR_NUMBERS];
    *volume = g->volume;
    if (g->open != NULL) {
        TRY(scalar_record(g->box, g->m, bl, g->open, 0, flow->vel, flow->scalar[n]));
        TRY(reduction_finish(domain->reduction, SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS, v));
        *volume = v[SCALAR_VOLUME];
        *mean = v[SCALAR_SUM] / *volume;
        return KOL_OK;
    }
    TRY(volume_dot_weighted(g->box, bl, grid_stencil(g, LOC_CCC, 0, 1), flow->scalar[n]));
    TRY(reduction_finish(domain->reduction, 1, 0, mean));
    *mean /= *volume;
    return KOL_OK;
}

/* The mean comes first, because deviations from it give the variance and the extremes without loss of
 * digits. */
static kol_status measure_volume(const struct flow *flow, int n, struct scalar_number *out)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct blocks bl = reduction_blocks(domain->reduction);
    double v[SCALAR_NUMBERS], volume;
    TRY(measure_mean(flow, n, &out->mean, &volume));
    TRY(scalar_record(g->box, g->m, bl, g->open, out->mean, flow->vel, flow->scalar[n]));
    TRY(reduction_finish(domain->reduction, SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS, v));
    out->variance = v[SCALAR_SQUARE] / volume;
    out->dissipation = scalar_diffusivity(domain->in, n) * v[SCALAR_SCATTER] / volume;
    out->largest = out->mean + v[SCALAR_ABOVE];
    out->least = out->mean - v[SCALAR_BELOW];
    for (int d = 0; d < 3; ++d) out->flux[d] = v[SCALAR_FLUX_X + d] / volume;
    out->loss = 0;
    if (scalar_limited(domain->in, n)) {
        TRY(scalar_limiter_loss(g->box, g->m, bl, domain->walls.faces, flow->vel, flow->scalar[n]));
        TRY(reduction_finish(domain->reduction, 1, 0, &out->loss));
        out->loss /= g->volume;
    }
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
            TRY(scalar_face_flux(g->box, g->m, reduction_blocks(domain->reduction), g->open, f, kappa,
                                 flow->vel[f / 2], flow->scalar[n], rows));
    }
    TRY(face_sum_finish(sums, out->face));
    for (int f = 0; f < FACES; ++f) out->face[f] *= g->length[f / 2] / g->volume;
    return KOL_OK;
}

kol_status scalar_numbers_measure(struct scalar_numbers_set *s, const struct flow *flow)
{
    for (int n = 0; n < scalar_count(flow->domain->in); ++n) {
        TRY(measure_volume(flow, n, &s->of[n]));
        TRY(measure_faces(s->sums, flow, n, &s->of[n]));
    }
    return KOL_OK;
}
