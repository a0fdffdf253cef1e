/* The last correction of a step, with the sums of its limits, which follow one plane behind. */
#include "correct_limits.h"

#include <string.h>
#include "../point/body.h"
#include "../point/update.h"
#include "limits.h"

/* Corrects component d on the high face of the box, at the cell beyond it. Across a wall there is no
 * gradient; closed faces keep their velocity. */
static void correct_beyond(const struct last_correction *a, struct correct_rows by, int d, int i, int j,
                           int k)
{
    const real *const inverse[3] = {a->s.gx, a->s.gy, a->s.gz};
    const int cell[3] = {i, j, k};
    const ptrdiff_t o = at(a->b, i, j, k);
    const real g = inverse[d][cell[d]],
               shift = d == Z ? a->c.shift[Z] : point_shift(a->c.shift[d], a->c.profile, k),
               u = a->from[d][o] + shift;
    if (a->s.open != NULL && !point_body_open(a->s.open[o], d)) {
        a->to[d][o] = a->from[d][o];
        return;
    }
    a->to[d][o] = g == 0 ? u
                         : point_correct(u, a->c.dts, by.phi(by.of, i, j, k),
                                         by.phi(by.of, i - (d == X), j - (d == Y), k - (d == Z)), g);
}

static void correct_plane(const struct last_correction *a, struct correct_rows by, int k)
{
    const struct box b = a->b;
    for (int j = 0; j < b.ny; ++j) {
        const ptrdiff_t o = at(b, 0, j, k);
        for (int d = X; d <= Z; ++d) memcpy(a->to[d] + o, a->from[d] + o, (size_t)b.nx * sizeof(real));
        by.row(by.of, j, k, a->to);
        correct_beyond(a, by, X, b.nx, j, k);
    }
    for (int i = 0; i < b.nx; ++i) correct_beyond(a, by, Y, i, b.ny, k);
}

kol_status correct_limits_sweep(const struct last_correction *a, struct correct_rows by)
{
    const struct box b = a->b;
    if (a->c.waves.row != NULL || (a->s.open != NULL && !by.masked))
        RAISE(KOL_ERR_INTERNAL, "project_correct_limits: not with waves, nor with bodies but for sums");
    for (int k = 0; k <= b.nz; ++k) {
        if (k < b.nz) correct_plane(a, by, k);
        for (int j = 0; j < b.ny && k == b.nz; ++j)
            for (int i = 0; i < b.nx; ++i) correct_beyond(a, by, Z, i, j, k);
        if (k > 0) limits_plane(b, a->m, a->blocks, k - 1, a->to[X], a->to[Y], a->to[Z]);
    }
    return KOL_OK;
}
