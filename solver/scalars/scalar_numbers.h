/* Numbers of scalars for series.nc: means, extremes and fluxes through faces. */
#ifndef KOL_SCALARS_SCALAR_NUMBERS_H
#define KOL_SCALARS_SCALAR_NUMBERS_H

#include "state/flow.h"

struct face_sum; /* parallel/face_sum.h */

/* scalar_number: numbers of one scalar.
 *
 * With bodies the volume is that of the fluid: of the cells with an open face.
 *
 *   mean, variance   over the volume [own], [own^2]
 *   least, largest   of all cells [own]
 *   dissipation      of half the variance by the diffusion operator, over the volume [own^2/T]
 *   loss             the same by the limiter; 0 if there is none [own^2/T]
 *   flux             volume means of u, v, w times the scalar [own U]
 *   face             on rank 0: mean flux into the fluid through each face that is not periodic [own U] */
struct scalar_number {
    double mean, variance, least, largest, dissipation, loss, flux[3], face[FACES];
};

/* scalar_numbers: the numbers of all scalars of a record. */
struct scalar_numbers_set {
    struct face_sum *sums; /* NULL: no scalars, or no faces */
    struct scalar_number of[SCALARS_MOST];
};

/* scalar_numbers_create: makes the memory for sums over faces. Collective. scalar_numbers_destroy: frees it.
 * The struct may be all zero. */
kol_status scalar_numbers_create(const struct domain *domain, struct scalar_numbers_set *s);
void scalar_numbers_destroy(struct scalar_numbers_set *s);

/* scalar_numbers_measure: computes the numbers of a flow whose halos are filled. KOL_ERR_NUMERICAL on all
 * ranks if a scalar is not finite. Collective. */
kol_status scalar_numbers_measure(struct scalar_numbers_set *s, const struct flow *flow);

#endif
