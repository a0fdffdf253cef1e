/* Describes statistics.nc of a flow between walls: profiles, numbers, and the sums that they
 * are computed from. */
#ifndef KOL_STATISTICS_WALL_NETCDF_H
#define KOL_STATISTICS_WALL_NETCDF_H

#include "netcdf_content.h"
#include "wall_profiles.h"
#include "wall_scalars.h"

/* wall_netcdf: makes the content of statistics.nc from an average of samples (profiles_sample()). The caller
 * destroys it. w is borrowed. */
kol_status wall_netcdf(const struct wall_profiles *w, const struct batch_means *b,
                       struct netcdf_content **out);
/* Parts of wall_netcdf(), for other files with profiles between walls:
 *
 * wall_netcdf_frame: adds the axes WALL_CENTRES and WALL_FACES, the title and the directions.
 * wall_netcdf_add: adds a profile or a number; the letters in its name and description are replaced
 * (profiles_name()). suffix: "" or "_plus". wall_netcdf_has: returns whether a number is written.
 * wall_netcdf_add_scalar: adds a profile or a number of transported scalar n; before: what comes before its
 * name. */
enum { WALL_CENTRES, WALL_FACES, WALL_AXES };
void wall_netcdf_frame(struct netcdf_content *p, const struct wall_profiles *w, const char *title);
struct stats_variable *wall_netcdf_add(struct netcdf_content *p, const struct wall_profiles *w,
                                       const struct profile_entry *e, const char *suffix, int axis,
                                       const double *value);
int wall_netcdf_has(const struct wall_profiles *w, int scalar);
struct stats_variable *wall_netcdf_add_scalar(struct netcdf_content *p, const struct wall_profiles *w, int n,
                                              const struct wall_scalar_entry *e, const char *before, int axis,
                                              const double *value);
/* wall_netcdf_friction: computes the friction velocity from the mean of all samples [U]. If there are no
 * samples, it is NaN. */
kol_status wall_netcdf_friction(const struct wall_profiles *w, const struct batch_means *b, double *u_tau);

#endif
