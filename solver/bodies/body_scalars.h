/* Scalars on bodies that have values or fluxes: the lists of kernels/scalar_wall.h in kernel memory, and the
 * flux through each body. docs/numerics/scalars.md, "Bodies with a value". */
#ifndef KOL_BODIES_BODY_SCALARS_H
#define KOL_BODIES_BODY_SCALARS_H

#include "kernels/scalar_wall.h"
#include "math/rk3_scheme.h"
#include "body_geometry.h"
#include "body_lists.h"
#include "body_segments.h"
#include "state/flow.h"

/* body_scalar_group: scalars that have values on the same bodies.
 *
 *   count, scalar   their numbers
 *   live            the mask of open faces without those of held cells
 *   walls           the cells beside these bodies
 *   wall            for each of the scalars, the values on the surface
 *   total, before   for each of them, what scalar_wall_stage() adds up; NULL: not wanted
 *   start, link     the links of each segment
 *   segments        the sums of all ranks; NULL if fluxes are not wanted */
struct body_scalar_group {
    int count, scalar[SCALARS_MOST];
    unsigned char *live;
    struct scalar_walls walls;
    const real *wall[SCALARS_MOST];
    double *total[SCALARS_MOST], *before[SCALARS_MOST], *sum, *host;
    int own;
    const int *start, *link;
    struct body_segments *segments;
};

/* body_scalars: all groups.
 *
 *   note   what the log has to warn of each scalar; "": nothing
 *   of     group of each scalar; -1: no body holds it
 *   step   the step whose fluxes are being added up; -1: none */
enum { BODY_SCALARS_NOTE = 320 };
struct body_scalars {
    char note[SCALARS_MOST][BODY_SCALARS_NOTE];
    int groups, of[SCALARS_MOST];
    struct body_scalar_group group[SCALARS_MOST];
    int interval;
    long long step;
};

/* body_scalars_create: makes the lists. *out stays NULL if no body holds a scalar.
 *
 *   interval   steps between two steps whose fluxes are wanted; 0: none
 *
 * Collective. body_scalars_destroy: frees them; it accepts a pointer to NULL. */
kol_status body_scalars_create(const struct domain *domain, const struct body_geometry *g, int interval,
                               struct body_scalars **out);
void body_scalars_destroy(struct body_scalars **s);

/* body_scalars_balance: writes what the log of a run would warn of each scalar, as `note` above, for --check.
 * note: all "" on entry. Takes no kernel memory. Collective. */
kol_status body_scalars_balance(const struct domain *domain, const struct body_geometry *g,
                                char note[SCALARS_MOST][BODY_SCALARS_NOTE]);

/* body_scalars_fill: sets the values of scalar n in held cells. host: own cells, in host memory. */
kol_status body_scalars_fill(const struct domain *domain, const struct body_geometry *g, int n, real *host);

/* body_scalars_live: returns the mask of open faces for scalar n; s may be NULL. */
const unsigned char *body_scalars_live(const struct body_scalars *s, const struct domain *domain, int n);

/* body_scalar_wall: returns the values of scalar n on the surface of its group. */
const real *body_scalar_wall(const struct body_scalar_group *g, int n);

/* body_scalars_values: returns the values of a group for stage m of the step after flow->clock. The first
 * stage of a step decides whether its fluxes are wanted. */
struct scalar_wall_values body_scalars_values(struct body_scalars *s, int group, const struct flow *flow,
                                              const struct rk3_scheme *rk, int m);

/* body_scalars_collect: computes, on rank 0, the mean flux of scalar n from each body into the fluid over the
 * step that has just ended, whose fluxes must be wanted [own U L^2]. value: one for each body; on other ranks
 * it may be NULL. Collective. */
kol_status body_scalars_collect(struct body_scalars *s, const struct flow *flow, int n, int bodies,
                                double *value);

#endif
