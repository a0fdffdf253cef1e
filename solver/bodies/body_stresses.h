/* Pressure and shear at the points of the surface of bodies: of single steps, and averages over time.
 * docs/numerics/bodies.md, "Surface data". */
#ifndef KOL_BODIES_BODY_STRESSES_H
#define KOL_BODIES_BODY_STRESSES_H

#include "io/view.h"
#include "body_forces.h"
#include "surface_points.h"

struct body_stresses;
/* body_stresses_create: prepares surface data. *out is NULL if the input asks for none. forces: those of the
 * same geometry; borrowed. Collective. */
kol_status body_stresses_create(const struct domain *domain, const struct body_geometry *geometry,
                                const struct body_forces *forces, struct body_stresses **out);
void body_stresses_destroy(struct body_stresses **s);

/* The next three functions add one contribution of a stage each, as those of body_forces.h do. They do
 * nothing if s is NULL, or if surface data of this step are not wanted. body_stresses_adding: returns whether
 * they are. */
kol_status body_stresses_predict(struct body_stresses *s, const struct flow *flow, int m);
kol_status body_stresses_drag(struct body_stresses *s, const struct flow *flow,
                              const struct body_points points[3], double dts);
kol_status body_stresses_pressure(struct body_stresses *s, const struct flow *flow, double dts,
                                  const real *phi);
int body_stresses_adding(const struct body_stresses *s, const struct flow *flow);

/* body_stresses_known: returns whether the step that has just ended has surface data for a file. */
int body_stresses_known(const struct body_stresses *s, const struct flow *flow);
/* body_stresses_points: returns the points, which rank 0 has; borrowed. */
const struct surface_points *body_stresses_points(const struct body_stresses *s);
/* body_stresses_of_step: computes, on rank 0, the mean pressure and shear over the step that has just ended
 * (surface_points_fill()). Collective. */
kol_status body_stresses_of_step(struct body_stresses *s, const struct flow *flow, double *pressure,
                                 double *shear);

/* body_surface_average: what the averages over time were taken over. duration is 0 if there are none yet. */
struct body_surface_average {
    double start, duration; /* start from the input [T] */
    long long steps;
};
struct body_surface_average body_stresses_average(const struct body_stresses *s);
/* body_stresses_average_of: computes, on rank 0, the averages over time, if there are any. It also keeps
 * their state for body_stresses_view(). Collective. */
kol_status body_stresses_average_of(struct body_stresses *s, double *pressure, double *shear);

/* In checkpoints the averages are one array of doubles, which rank 0 holds.
 *
 *   body_stresses_stored   returns how many numbers it has; 0: none. s may be NULL
 *   body_stresses_view     describes those that body_stresses_average_of() has kept, or memory to read into
 *   body_stresses_sound    checks what has been read. KOL_ERR_IO if a number makes no sense. On rank 0
 *   body_stresses_given    continues the averages from what has been read. They begin anew if
 *                          output.surface_start has changed, and *continued is 0 then. Collective */
int body_stresses_stored(const struct body_stresses *s);
struct io_view body_stresses_view(const struct body_stresses *s);
kol_status body_stresses_sound(const struct body_stresses *s, const char *file);
kol_status body_stresses_given(struct body_stresses *s, int *continued);

#endif
