/* Refuses inflows from tables, formulas and planes through bodies. */
#ifndef KOL_BOUNDARY_INFLOW_COVERED_H
#define KOL_BOUNDARY_INFLOW_COVERED_H

#include "inflow.h"
#include "state/domain.h"

/* inflow_covered_refuse: returns KOL_ERR_INPUT, on all ranks, if a table, formulas, one of the planes of a
 * file or synthetic turbulence brings fluid through cells of an inflow that bodies cover. For the other
 * profiles this is found without a file (bodies/body_report.h).
 *
 *   inflow   NULL if no face is an inflow
 *   open     the mask of the bodies, in host memory: bit f of a cell is set if its face f is open
 *
 * All planes of a file are read in the rows that bodies cover. Collective. */
kol_status inflow_covered_refuse(const struct inflow *inflow, const struct domain *domain,
                                 const unsigned char *open);

#endif
