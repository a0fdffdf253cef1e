/* The history of the turbulence in a periodic box: numbers, spectra and structure functions of single
 * instants, for history.nc. docs/output.md, "History of a box". */
#ifndef KOL_STATISTICS_BOX_HISTORY_H
#define KOL_STATISTICS_BOX_HISTORY_H

#include "state/flow.h"

/* Numbers of an instant. */
enum {
    HISTORY_K,
    HISTORY_DISSIPATION,
    HISTORY_POWER,
    HISTORY_ENSTROPHY,
    HISTORY_RMS,
    HISTORY_LARGE_TIME, /* k over dissipation */
    HISTORY_RE_T,       /* k^2 over nu times dissipation */
    HISTORY_RE_LAMBDA,
    HISTORY_TAYLOR,
    HISTORY_ETA,
    HISTORY_ETA_TIME,
    HISTORY_K_MAX_ETA,
    HISTORY_SKEWNESS,
    HISTORY_FLATNESS,
    HISTORY_LENGTH,    /* integral scale from the spectrum; from here on only with uniform spacings */
    HISTORY_LENGTH_11, /* from the correlations */
    HISTORY_C_EPS,     /* dissipation times HISTORY_LENGTH over the cube of HISTORY_RMS */
    HISTORY_C_EPS_11,
    HISTORY_BOXED, /* HISTORY_LENGTH_11 over the shortest side of the box */
    HISTORY_NUMBERS
};
/* Curves of an instant: by shells of wavenumbers, and by distances of two points. */
enum { HISTORY_E, HISTORY_T, HISTORY_D, HISTORY_ALONG, HISTORY_ACROSS, HISTORY_CURVES };

struct history_word {
    const char *name, *long_name, *unit;
};
extern const struct history_word box_history_numbers[HISTORY_NUMBERS], box_history_curves[HISTORY_CURVES];

struct box_history;
/* box_history_create: prepares samples for the flows of a domain. *out stays NULL if the input asks for no
 * history. Collective. */
kol_status box_history_create(const struct domain *domain, struct box_history **out);
/* box_history_destroy: frees it; NULL is allowed. */
void box_history_destroy(struct box_history **history);
/* box_history_points: returns the number of points of a curve; 0 if spacings are not uniform, because there
 * are no curves then. box_history_wavenumbers, box_history_distances: return the axes of the curves on rank
 * 0, borrowed. Structure functions are NaN at distances beyond half of the box. */
int box_history_points(const struct box_history *history);
const double *box_history_wavenumbers(const struct box_history *history);
const double *box_history_distances(const struct box_history *history);
/* box_history_sample: computes the numbers and curves of the present flow. The halos of the velocity must be
 * up to date, and flow->force must be that of the present flow. If arrays are only counted, the arrays that
 * it uses are counted. Collective.
 *
 *   number   out, on rank 0: the numbers. NULL on other ranks
 *   curve    out, on rank 0: HISTORY_CURVES curves, one after the other. NULL on other ranks */
kol_status box_history_sample(struct box_history *history, const struct flow *flow,
                              double number[HISTORY_NUMBERS], double *curve);

#endif
