/* The connected regions of fluid in a box with bodies. The pressure is known in each of them up to a
 * constant, and its equation has a solution if the right-hand side sums to zero over each.
 * docs/numerics/pressure.md, "Bodies". */
#ifndef KOL_POISSON_FLUID_REGIONS_H
#define KOL_POISSON_FLUID_REGIONS_H

#include "kernels/level_cg.h"
#include "state/domain.h"

struct fluid_regions;
/* fluid_regions_create: finds the regions of the live cells of domain->grid.open. The main region is the one
 * with the most cells; if several are equal, it is that with the first cell of the grid. The result is the
 * same on any number of ranks. Without bodies, or while memory is only counted, the whole grid is the main
 * region. KOL_ERR_INPUT if no cell is live. Collective; domain is borrowed. */
kol_status fluid_regions_create(const struct domain *domain, struct fluid_regions **out);
void fluid_regions_destroy(struct fluid_regions **r);
/* fluid_regions_count: returns how many regions there are. */
int fluid_regions_count(const struct fluid_regions *r);

/* fluid_regions_cover: tells the regions how much of the main region bodies have covered since it was found.
 * covered: the volume of the covered cells, as a part of the box. */
void fluid_regions_cover(struct fluid_regions *r, double covered);

/* fluid_regions_balance: makes a right-hand side solvable for ppcg_solve().
 *
 *   sum    sum of rhs over the live cells of the grid
 *   rhs    changed in regions other than the main one, so that rhs - *mean V sums to zero over each
 *   mean   out: the sum over the main region, divided by its volume
 *
 * If the main region is the only one, rhs is not touched. Otherwise the host waits for the sums of the
 * others. Collective. */
kol_status fluid_regions_balance(struct fluid_regions *r, double sum, real *rhs, double *mean);
/* fluid_regions_settle: gives the values of all regions the same mean.
 *
 *   sum_vx   sum of V x over the live cells of the grid
 *   x        changed in regions other than the main one; the faces of its halo are filled again then
 *   mean     out: the mean of x by volume over each region
 *
 * Otherwise as fluid_regions_balance(). Collective. */
kol_status fluid_regions_settle(struct fluid_regions *r, double sum_vx, real *x, double *mean);
/* fluid_regions_mean, fluid_regions_shift: do the same for an increment phi in single precision. The first
 * one finds the mean over the main region, and by what the values of the others differ from it; sum: as
 * sum_vx above, of phi. If p is not NULL, all three are of p + phi. The second one corrects the pressure p,
 * to which phi has been added. It does not fill the halo. Collective. */
kol_status fluid_regions_mean(struct fluid_regions *r, double sum, struct level_sum phi, const real *p,
                              double *mean);
kol_status fluid_regions_shift(struct fluid_regions *r, real *p);

#endif
