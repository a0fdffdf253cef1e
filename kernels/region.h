/* Sums over connected regions of fluid, and shifts of their values, by lists of cells.
 * docs/numerics/pressure.md, "Bodies". */
#ifndef KOL_REGION_H
#define KOL_REGION_H

#include "base/status.h"
#include "base/types.h"
#include "level_cg.h"

KOL_BEGIN_C

/* region_list: the cells of some regions, in segments. A segment has the cells of one region in one reduction
 * block (struct blocks), x first, so that its sum does not depend on the ranks. Arrays are in kernel memory.
 *
 *   segments   number of segments
 *   first      first[n]: the place of the first cell of segment n; first[segments] is the number of cells
 *   cell       places of the cells in a field
 *   volume     their volumes [L^3]
 *   region     region[n]: the region of segment n */
struct region_list {
    int segments;
    const int *first, *region;
    const ptrdiff_t *cell;
    const real *volume;
};

/* region_sums: sum[n] = the sum of a over the cells of segment n, or, if weighted, of V a. The additions are
 * ordered as those of REGION_LANES lanes, of which lane l has every REGION_LANES-th cell from cell l on; then
 * the upper half of the lanes is added to the lower half, until one is left. Per cell: 1 read. */
enum { REGION_LANES = 32 };
kol_status region_sums(struct region_list list, int weighted, const real *a, double *sum);
/* region_sums_level: does the same with the V phi of a level that has the box of the field. */
kol_status region_sums_level(struct region_list list, struct level_sum phi, double *sum);
/* region_shift: adds shift[r] to a in the cells of each region r, or, if weighted, shift[r] V. Per cell: 1
 * read, 1 write. */
kol_status region_shift(struct region_list list, int weighted, const double *shift, real *a);

KOL_END_C

#endif
