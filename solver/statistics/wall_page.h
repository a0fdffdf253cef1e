/* statistics.nc of a flow between walls: profiles, numbers, and the sums that they are computed from. */
#ifndef KOL_STATISTICS_WALL_PAGE_H
#define KOL_STATISTICS_WALL_PAGE_H

#include "netcdf_page.h"
#include "wall_profiles.h"

/* wall_page: makes the content of statistics.nc from an average of samples (profiles_sample()). The caller
 * destroys it. w is borrowed. */
kol_status wall_page(const struct wall_profiles *w, const struct batch_means *b, struct netcdf_page **out);
/* Parts of it, for other files of profiles between walls:
 *
 * wall_page_frame: add the axes WALL_CENTRES and WALL_FACES, the title and the directions. wall_page_add: add a
 * profile or a number, with its name and words filled in; suffix: "" or "_plus". wall_page_has: whether a
 * scalar is written. */
enum { WALL_CENTRES, WALL_FACES, WALL_AXES };
void wall_page_frame(struct netcdf_page *p, const struct wall_profiles *w, const char *title);
struct stats_variable *wall_page_add(struct netcdf_page *p, const struct wall_profiles *w,
                                     const struct profile_entry *e, const char *suffix, int axis,
                                     const double *value);
int wall_page_has(const struct wall_profiles *w, int scalar);
/* wall_page_friction: computes the friction velocity from the mean of all samples [U]. If there are no
 * samples, it is NaN. */
kol_status wall_page_friction(const struct wall_profiles *w, const struct batch_means *b, double *u_tau);

#endif
