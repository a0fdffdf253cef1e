/* Computes the force of a stream on the no-slip walls. */
#include "wall_force.h"

#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "kernels/wall.h"
#include "parallel/face_sum.h"

struct wall_force {
    struct blocks blocks;
    int stream; /* its direction */
    double nu;
    struct face_sum *sums; /* over the no-slip walls */
};

static unsigned walls_of(const struct input *in)
{
    const int stream = stream_direction(in);
    unsigned faces = 0;
    if (stream < 0 || !direction_is_periodic(in, stream)) return 0;
    for (int f = 0; f < FACES; ++f)
        if (f / 2 != stream && face_has_friction(in, f)) faces |= 1u << f;
    return faces;
}

kol_status wall_force_create(const struct domain *domain, struct wall_force **out)
{
    const struct input *in = domain->in;
    const unsigned faces = walls_of(in);
    *out = NULL;
    if (faces == 0) return KOL_OK;
    struct wall_force *f = *out = calloc(1, sizeof *f);
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the friction of walls");
    f->blocks = reduction_blocks(domain->reduction);
    f->stream = stream_direction(in);
    f->nu = in->fluid.nu;
    return face_sum_create(domain->memory, &domain->comm, &domain->decomp, faces, &f->sums);
}

void wall_force_destroy(struct wall_force **friction)
{
    if (*friction == NULL) return;
    face_sum_destroy(&(*friction)->sums);
    free(*friction);
    *friction = NULL;
}

kol_status wall_force_measure(struct wall_force *f, const struct grid *g, real *const vel[3],
                              double stress[FACES])
{
    struct face_sum *sums = f != NULL ? f->sums : NULL;
    for (int n = 0; n < FACES; ++n) {
        double *rows = face_sum_rows(sums, n);
        if (rows != NULL) TRY(wall_shear(g->box, g->m, f->blocks, n, f->stream, vel[f->stream], rows));
    }
    TRY(face_sum_finish(sums, stress));
    for (int n = 0; n < FACES; ++n) {
        const int a = n / 2 == X ? Y : X, b = n / 2 == Z ? Y : Z;
        stress[n] *= f != NULL ? f->nu / (g->length[a] * g->length[b]) : 0;
    }
    return KOL_OK;
}
