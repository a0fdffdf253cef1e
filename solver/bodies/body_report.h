/* What the geometry of the bodies means for a run: conclusions for --check and for the log, and what is
 * refused. */
#ifndef KOL_BODIES_BODY_REPORT_H
#define KOL_BODIES_BODY_REPORT_H

#include "body_geometry.h"
#include "body_measure.h"
#include "state/regions.h"

/* body_report: numbers of the whole grid. Gaps and walls are measured along grid lines between surfaces that
 * face each other, at an angle of more than 120 degrees, and projected on their normals.
 *
 *   solid_share   of the volume; in cells near a surface it is the share of 64 points
 *   regions       connected regions of fluid
 *   gap, wall     the narrowest gap between walls and the thinnest wall, in widths of the cells there;
 *                 HUGE_VAL: none below BODY_MEASURE_CELLS cells
 *   close_faces   open faces with a wall closer than BODY_REPORT_CLOSE of the distance to the next face
 *   across        for each body: widest cells there across its smallest diameter */
struct body_report {
    double solid_share, gap, wall;
    struct regions regions;
    long long close_faces;
    double *across;
};
#define BODY_REPORT_CLOSE 0.01

/* body_report_create: finds these numbers. Collective. body_report_destroy: frees them; it accepts a zeroed
 * struct. */
kol_status body_report_create(const struct domain *domain, const struct body_geometry *g,
                              struct body_report *out);
void body_report_destroy(struct body_report *r);
/* body_report_text: returns the lines for --check, which the caller frees; NULL: no memory. */
char *body_report_text(const struct body_geometry *g, const struct body_report *r);

/* body_report_refuse: returns KOL_ERR_INPUT on all ranks in these cases:
 *
 *   - no face centre belongs to a body that is added: the grid does not resolve it, it lies outside the
 *     domain, or other bodies cover it;
 *   - a wall is thinner than a cell, see body_thin.h, and bodies.thin_walls is .false.;
 *   - no face is open;
 *   - a region of the fluid has an inflow, but none of the outflows of the domain;
 *   - several regions of the fluid have outflows or, in a domain without them, a flow through inflows;
 *   - bodies cover cells of an outflow, or of an inflow within its window. Tables and planes are looked at by
 *     inflow_covered_refuse() instead;
 *   - a body that turns in its place is cut, see body_turning.h.
 *
 * Collective. */
kol_status body_report_refuse(const struct domain *domain, const struct body_geometry *g);

#endif
