/* Values and fluxes of scalars that vary over a face: by formulas, from tables, or from planes in time.
 * docs/numerics/scalars.md. */
#ifndef KOL_SCALARS_SCALAR_GIVEN_H
#define KOL_SCALARS_SCALAR_GIVEN_H

#include "parallel/face_table.h"
#include "state/domain.h"

/* scalar_given_measure: evaluates the formulas and reads the tables of scalars on faces. It sets
 * domain->given_range, and domain->given if any scalar has one. It needs the grid.
 *
 * If only fluxes are given for a scalar, they must balance its sources. Up to 1 % of the magnitudes may be
 * left over by the grid: it is removed by a uniform flux over the faces with formulas and tables.
 *
 * KOL_ERR_INPUT if a formula is not finite somewhere on its face, with the coordinates; if a table can't be
 * read or has another unit; if fluxes do not balance. Every rank looks at whole faces, so all find the same.
 * Collective. */
kol_status scalar_given_measure(struct domain *domain);

/* scalar_given_drop: frees what scalar_given_measure() has allocated. */
void scalar_given_drop(struct domain *domain);

/* scalar_given_create: fills domain->scalar_plane on the faces that this rank's box touches. Planes in time
 * are filled later (boundary/inflow_planes.h). scalar_given_destroy: frees them. Local. */
kol_status scalar_given_create(struct domain *domain);
void scalar_given_destroy(struct domain *domain);

/* scalar_given_value: returns the value or flux of scalar n at a place x on a face [own, own U]. What planes
 * in time give is not known here: the result is no number. */
double scalar_given_value(const struct domain *domain, int n, int face, const double x[3]);

/* scalar_given_cell: returns the value or flux that the scheme takes at the cell (i, j) of a whole face, the
 * lower direction first [own, own U]. It is no number for planes in time. */
double scalar_given_cell(const struct domain *domain, int n, int face, int i, int j);

/* scalar_given_table: returns the table of scalar n on a face; NULL if it has none. */
const struct face_table *scalar_given_table(const struct domain *domain, int n, int face);

/* scalar_given_added: returns what was added to the fluxes of a scalar on a face for the balance [own U]. */
double scalar_given_added(const struct domain *domain, int n, int face);

#endif
