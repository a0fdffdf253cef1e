/* Means and errors of quantities in a plane of the averages in every cell, from the sums of all batches, with
 * or without averages along directions, and what of it is fluid. docs/statistics.md, "Every cell". */
#ifndef KOL_STATISTICS_CELL_AVERAGES_WORK_H
#define KOL_STATISTICS_CELL_AVERAGES_WORK_H

#include "cell_averages.h"
#include "cell_lines.h"

/* cell_quantity: the mean of a value, or a factor times the sum of covariances.
 *
 *   sums     the sums from which it is computed: one for a mean; three for each covariance, which are the sum
 *            of the product and the sums of its two factors
 *   terms    number of covariances; 0: it is the mean of a value
 *   factor   1, or 1/2 for the kinetic energy
 *   count    number of sums of a term of a budget, which cell_budget_value() computes from them; 0: it is
 *            none of these
 *   term     which one (cell_budgets.h) */
enum { CELL_TERMS_MOST = 3, CELL_RAW_PLAIN = 3 * CELL_TERMS_MOST, CELL_RAW_MOST = 48 };
struct cell_quantity {
    int terms;
    double factor;
    int sum[CELL_RAW_MOST];
    int count;
    struct cell_budget_term term;
};

/* cell_work: what the arrays are computed from, plane by plane.
 *
 *   lines    the directions along which averages are taken in addition to time
 *   plane    number of values in a plane of the averages; planes: number of planes on this rank
 *   raw      sums of all slots in a plane: raw[(slot * raws + s) * plane + i]
 *   raws     the most sums of a quantity
 *   value    a quantity, computed from the mean without batch 0, without batch 1, and so on, and at the end
 *            from the mean over all batches
 *   out      slab that goes to the file; with averages along directions all values of this rank
 *   fluid    volume of the fluid that each average contains, divided by the area of its cell across these
 *            directions. If cells turn it is the mean over time. NULL if there are neither directions nor
 *            cells that turn
 *   weight   if cells turn: the weight of the samples in the fluid, of all slots in a plane, likewise times
 *            the volume; otherwise NULL
 *   solid    whether a value of the plane contains no fluid
 *   open     open faces of the cells of a plane
 *   slot, q  the sum that is being averaged along directions
 *   array, errors   what the caller is writing: the array, and whether it is that of errors */
struct cell_work {
    struct cell_averages *averages;
    const struct batch_means *numbers;
    struct cell_lines lines;
    ptrdiff_t plane;
    int planes;
    int used, batches; /* slots with samples, complete batches of errors */
    int raws;
    double *raw, *value, *error, *out, *fluid, *weight;
    unsigned char *open, *solid;
    int slot, q;
    const struct cell_array *array;
    int errors;
};

/* cell_work_create: allocates it. cell_work_destroy: frees it. cell_work_count: counts the memory as taken
 * for a while. */
kol_status cell_work_create(struct cell_averages *c, const struct batch_means *numbers, struct cell_work *w);
void cell_work_destroy(struct cell_work *w);
void cell_work_count(struct memory *memory, const struct cell_averages *c);

/* cell_work_fluid: finds the volume of the fluid in all planes; call it before the others. Collective. */
kol_status cell_work_fluid(struct cell_work *w);
/* cell_work_samples: computes the number of samples behind each value of plane k. If cells turn, each counts
 * as all samples times the share of the averaging time in which it was fluid. Collective. */
kol_status cell_work_samples(struct cell_work *w, int k, double *out);
/* cell_work_plane: finds in plane k what is solid, and the weights if cells turn. cell_work_quantity: then
 * computes a quantity in this plane, or with w->errors its standard errors by the jackknife over the complete
 * batches; NaN in solids. out: every `stride`-th value is set, on ranks that hold the sums. Both are
 * collective. */
kol_status cell_work_plane(struct cell_work *w, int k);
kol_status cell_work_quantity(struct cell_work *w, const struct cell_quantity *q, int k, double *out,
                              int stride);

#endif
