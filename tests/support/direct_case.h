/* Grids, layouts and judgements for tests of the exact inverse. */
#ifndef KOL_TESTS_DIRECT_CASE_H
#define KOL_TESTS_DIRECT_CASE_H

#include "kernel_case.h"
#include "solver/poisson/direct.h"

/* direct_case: a grid and which of its directions end at walls */
struct direct_case {
    struct case_input in;
    int wall[3];
};

/* direct_cases: every mix of periodic, walled, uniform and stretched directions, odd and prime sizes. */
enum { DIRECT_CASES = 18 };
extern const struct direct_case direct_cases[DIRECT_CASES];

/* setting: one case on one layout */
struct direct_setting {
    struct domain domain;
    struct decomp d;
    struct grid g;
    struct direct *s;
    ptrdiff_t cells; /* of the whole grid */
};

/* direct_case_grid: makes the grid alone. direct_case_open: makes the inverse, too, with messages by
 * `transport`. single: in single precision; if that is not possible, t->s stays NULL. */
kol_status direct_case_grid(const struct direct_case *c, const struct comm *on, const int layout[3],
                            struct direct_setting *t);
kol_status direct_case_open(const struct direct_case *c, const struct comm *on, const int layout[3],
                            int transport, int single, struct direct_setting *t);
void direct_case_close(struct direct_setting *t);
/* direct_case_peers: returns whether each rank has a GPU of its own that can write to the others'.
 * Collective. */
int direct_case_peers(const struct comm *c);
/* direct_case_part: makes a communicator of the first `size` ranks of c. On the others its member mpi is
 * MPI_COMM_NULL. Collective. */
kol_status direct_case_part(const struct comm *c, int size, struct comm *part);

/* direct_case_any_number: runs a case on the first 2, 3, ... ranks of `all`. self: this rank alone. run:
 * returns what is wrong on the ranks of `part`; it stores the first result in *first, and compares the others
 * with it.
 * Returns the sum; *solved is increased if there is a result on this rank. Collective. */
typedef int direct_case_run(const struct direct_case *c, const struct comm *part, const double *r,
                            double **first);
int direct_case_any_number(const struct direct_case *c, const struct comm *all, const struct comm *self,
                           direct_case_run *run, int *solved);

/* direct_case_array: returns zeros for the whole grid; the caller frees them. direct_case_place: the place of
 * a cell in them, also beyond periodic boundaries. direct_case_rhs: random values, exact in `real`, that
 * sum to zero. */
double *direct_case_array(const struct direct_setting *t);
ptrdiff_t direct_case_place(const struct direct_setting *t, int i, int j, int k);
double *direct_case_rhs(const struct direct_setting *t, unsigned seed);
/* direct_case_field: returns a field in kernel memory with the own cells of `global`, and `fill` elsewhere.
 * direct_case_gather: returns the own cells of all ranks; *changed counts values elsewhere that are not
 * `fill`. direct_case_apply: returns the result of the inverse, which it applies twice; *wrong counts what
 * differs or fails. */
real *direct_case_field(const struct direct_setting *t, const double *global, real fill);
double *direct_case_gather(const struct direct_setting *t, MPI_Comm on, const real *field, real fill,
                           int *changed);
double *direct_case_apply(const struct direct_setting *t, MPI_Comm on, const double *r, int *wrong);
/* direct_case_row: returns row (i, j, k) of A z. direct_case_residual: returns |A z - r| / |r|; *mean: the
 * volume mean of z against its magnitude. */
double direct_case_row(const struct direct_setting *t, const double *z, const int i[3]);
double direct_case_residual(const struct direct_setting *t, const double *z, const double *r, double *mean);

#endif
