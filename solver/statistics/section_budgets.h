/* Budgets of the variance and of the fluxes of a scalar over the cross-section of a flow that is homogeneous
 * in one direction, from the sums of kernels/line_budget.h. docs/statistics.md, "Budgets of scalars over
 * sections". */
#ifndef KOL_STATISTICS_SECTION_BUDGETS_H
#define KOL_STATISTICS_SECTION_BUDGETS_H

#include "kernels/line_budget.h"
#include "section_fields.h"
#include "state/flow.h"

/* section_budgets_sums: returns how many sums at centres a scalar has; 0 if the input asks for no budgets. */
int section_budgets_sums(const struct input *in);

/* section_budgets_work: arrays of the pool for a sample: rates of the velocity and the buoyancy; rates of a
 * scalar. section_budgets_hold, section_budgets_drop: take and return them. section_budgets_flow: computes
 * what belongs to the flow. section_budgets_scalar: computes what belongs to scalar n, and sets *out.
 * Collective: the halos of rates and of the pressure are filled. */
enum { SECTION_BUDGETS_FLOW = 9 };
struct section_budgets_work {
    real *of_flow[SECTION_BUDGETS_FLOW], *rate[2], *spare;
};
kol_status section_budgets_hold(const struct flow *flow, struct section_budgets_work *w);
kol_status section_budgets_drop(const struct flow *flow, struct section_budgets_work *w);
kol_status section_budgets_flow(const struct flow *flow, struct section_budgets_work *w);
kol_status section_budgets_scalar(const struct flow *flow, int n, const struct section_budgets_work *w,
                                  struct line_budget *out);

/* The budgets of a scalar: of its variance, and of its fluxes along s, a and b. Each has these terms. */
enum {
    SECTION_TERM_PRODUCTION,
    SECTION_TERM_GRADIENT,
    SECTION_TERM_CONVECTION,
    SECTION_TERM_TURBULENT,
    SECTION_TERM_DIFFUSION,
    SECTION_TERM_PRESSURE,
    SECTION_TERM_STRAIN,
    SECTION_TERM_BUOYANCY,
    SECTION_TERM_ROTATION, /* gain by the Coriolis force */
    SECTION_TERM_DISSIPATION,
    SECTION_TERM_RESIDUAL,
    SECTION_TERMS
};
enum { SECTION_BUDGETS = 4, SECTION_BUDGET_FIELDS = SECTION_BUDGETS * SECTION_TERMS };

/* section_turn: the Coriolis force along direction n of s, a, b is the sum of of[n][m] times the velocity
 * along m [1/T]. section_turn_make: returns it for a section. */
struct section_turn {
    double of[3][3];
};
struct section_turn section_turn_make(const struct input *in, const struct section_fields *s);

/* section_budgets_means: of a scalar, from a mean of samples: at centres T, T^2, u_s and T u_s; at faces the
 * velocities along a and b; the sums of line_budget.h. gradient: of the input along s, a, b. */
struct section_budgets_means {
    const double *t, *tt, *us, *ts, *face[2], *sum;
    int buoyant;
    double kappa, gradient[3];
    struct section_turn turn;
};
/* section_budgets_derive: computes the fields, out[field cells + place]. */
void section_budgets_derive(const struct section_fields *s, const struct section_budgets_means *m,
                            double *out);
/* section_budgets_there: returns whether a field is written. gradient: whether there is a mean gradient. */
int section_budgets_there(int field, int buoyant, int gradient, struct section_turn turn);

#endif
