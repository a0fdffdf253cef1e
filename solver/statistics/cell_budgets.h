/* Budgets of the Reynolds stresses and of the turbulent kinetic energy in every cell: how a sample is taken,
 * and how their terms follow from the sums of kernels/cell_budget.h. docs/statistics.md, "Budgets in every
 * cell". */
#ifndef KOL_STATISTICS_CELL_BUDGETS_H
#define KOL_STATISTICS_CELL_BUDGETS_H

#include <stdio.h>
#include "kernels/cell_budget.h"
#include "state/flow.h"

/* cell_budgets: which sums there are.
 *
 *   values   number of values, and of sums, of the budgets in a cell; 0: there are no budgets
 *   first    number of sums of a cell that come before them */
struct cell_budgets {
    int values, first;
    double nu;      /* viscosity [U L] */
    double turn[3]; /* twice the angular velocity of a rotating frame [1/T] */
};

/* cell_budgets_add: adds the values of the present flow to the sums, with the weights of cell_average_add().
 * latest, sum, before: as there, from the first value and sum of the budgets on. It holds arrays of the pool
 * for a while; cell_budgets_arrays() holds and drops as many, to count them. Collective. */
kol_status cell_budgets_add(struct cell_budgets c, const struct flow *flow, struct cell_average_weights by,
                            const struct cell_average_fields *fields, real *latest, double *sum,
                            double *before);
kol_status cell_budgets_arrays(struct cell_budgets c, const struct domain *domain);

/* cell_budget_term: a term of the budget of a stress.
 *
 *   stress   the pair in the order xx, yy, zz, xy, xz, yz; CELL_PAIRS: the kinetic energy
 *   term     enum cell_budget_name */
enum cell_budget_name {
    CELL_PRODUCTION,
    CELL_TRANSPORT,
    CELL_VISCOUS_DIFFUSION,
    CELL_TURBULENT_DISSIPATION,
    CELL_PRESSURE_STRAIN,
    CELL_PRESSURE_TRANSPORT,
    CELL_BUDGET_RESIDUAL,
    CELL_WALL_TERM,
    CELL_ROTATION, /* gain by the Coriolis force */
    CELL_BUDGET_NAMES
};
struct cell_budget_term {
    int stress, term;
};

/* cell_budget_terms: returns how many terms there are. cell_budget_term_of: returns term n of them.
 * cell_budget_name: writes the name of its array, and words that describe it. */
int cell_budget_terms(struct cell_budgets c);
struct cell_budget_term cell_budget_term_of(struct cell_budgets c, int n);
void cell_budget_name(struct cell_budget_term term, char *name, size_t name_size, char *words,
                      size_t words_size);
/* cell_budget_sums: finds the sums of a cell from which the term follows. Returns their number, at most
 * `most`. cell_budget_value: computes the term from their means. */
int cell_budget_sums(struct cell_budgets c, struct cell_budget_term term, int most, int *sum);
double cell_budget_value(struct cell_budgets c, struct cell_budget_term term, int count, const int *sum,
                         const double *mean);
/* cell_budgets_print: prints the arrays as rows of a table in docs. */
void cell_budgets_print(FILE *out);

#endif
