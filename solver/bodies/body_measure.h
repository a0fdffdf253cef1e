/* Measures gaps and walls between the surfaces of bodies along grid lines, and the share of the solid. */
#ifndef KOL_BODIES_BODY_MEASURE_H
#define KOL_BODIES_BODY_MEASURE_H

#include "body_geometry.h"

enum { BODY_MEASURE_CELLS = 6 }; /* links that a grid line is followed for */
enum { BODY_MEASURE_ROW = 16 };  /* most cells of body_measure_cells() */

/* body_measure_gaps: finds the narrowest gap and the thinnest wall next to the faces that this rank owns, as
 * struct body_report has them. */
void body_measure_gaps(const struct domain *domain, const struct body_geometry *g, double *gap, double *wall);
/* body_measure_share: returns the share of the own cells in the volume of the domain that is solid, in units
 * of 2^-60. Sums of it over ranks are exact. */
long long body_measure_share(const struct domain *domain, const struct body_geometry *g);
/* body_measure_cells: writes the shares of own cells that are solid. Near a surface the share is that of 64
 * points of the cell.
 *
 *   cell     global indices of the first cell
 *   n        number of cells along x, at most BODY_MEASURE_ROW
 *   share    out: of each cell
 *   level    out, of each cell: positive in the fluid, negative in bodies. Its size is at most the distance
 *            of the cell's centre from the surface [L] */
void body_measure_cells(const struct domain *domain, const struct body_geometry *g, const int cell[3], int n,
                        double *share, double *level);

#endif
