/* Says in words what comes of the velocities on faces that tables and formulas give, for --check and the
 * log. */
#ifndef KOL_BOUNDARY_FACE_REPORT_H
#define KOL_BOUNDARY_FACE_REPORT_H

#include "inflow.h"
#include "state/flow.h"

/* face_report_text: describes each inflow by a table or by formulas: its flux, its mean velocity and its
 * largest velocity components; and of each wall by formulas the latter. *text holds lines that end with a
 * newline each; it is "" if there is nothing to say. The caller frees it. inflow: NULL if no face is an
 * inflow. Local. */
kol_status face_report_text(const struct domain *domain, const struct inflow *inflow, char **text);

/* face_report_log: writes these lines to the log, on rank 0. Local. */
kol_status face_report_log(const struct flow *flow);

#endif
