/* Averages over time in every cell: the sums of kernels/cell_average.h over batches of samples, in kernel
 * memory, and how they are written to files and read again. How many samples and batches there are, and their
 * weights, is kept by the caller on rank 0, as an average of batch_means.h without values; these are called
 * the numbers below. docs/statistics.md, "Every cell". */
#ifndef KOL_STATISTICS_CELL_AVERAGES_H
#define KOL_STATISTICS_CELL_AVERAGES_H

#include "batch_means.h"
#include "io/view.h"
#include "cell_budgets.h"
#include "state/flow.h"

/* cell_averages: sums over batches, and the latest sample.
 *
 *   batches   number of batches for errors; 0: one batch holds all samples, and there are no errors
 *   slots     number of batches in memory, max(1, batches)
 *   scalars, values, sums   number of scalars, of values and of sums in a cell
 *   budgets   the budgets of the stresses, whose values and sums are behind all others
 *   turns     1 if cells turn from fluid to solid or back, so that the weight of the fluid is summed, too
 *   sum       slots times `sums` sums of each own cell
 *   latest    `values` values of each own cell
 *   words     descriptions of the arrays of a file
 *   packed    host memory for a slab of planes, as io/ reads and writes it
 *   plane     host memory for one sum of these planes
 *
 * domain is borrowed. */
enum { CELL_WORDS = 512 };
struct cell_averages {
    const struct domain *domain;
    int batches, slots, planes; /* planes: of a slab */
    int scalars, turns, values, sums;
    struct cell_budgets budgets;
    ptrdiff_t cells; /* own cells */
    double *sum;
    real *latest;
    void *packed;
    void *plane;
    char words[2][CELL_WORDS];
    struct cell_averages_way { /* the view in use */
        struct cell_averages *of;
        int slot;
    } way;
};

/* cell_averages_create: allocates or counts the memory. cell_averages_destroy: frees it; NULL is allowed. */
kol_status cell_averages_create(struct memory *memory, const struct domain *domain,
                                struct cell_averages **out);
void cell_averages_destroy(struct cell_averages **c);
/* cell_averages_numbers_most: returns the largest number of batches that the numbers need if averages have
 * this many batches. */
int cell_averages_numbers_most(int batches);
enum { CELL_NUMBERS = 2 }; /* values of their samples: time, cell_averages_kind() */
/* cell_averages_kind: returns one integer that encodes the numbers of batches, scalars and sums. */
double cell_averages_kind(const struct cell_averages *c);

/* cell_averages_add: adds a sample of the present flow to the sums and to the numbers. numbers: NULL on ranks
 * other than 0. Halos of velocity and pressure must be up to date. If there are budgets, it
 * holds the arrays of cell_budgets_arrays() for a while. Collective. */
kol_status cell_averages_add(struct cell_averages *c, const struct flow *flow, struct batch_means *numbers);
/* cell_averages_used: returns how many of the slots hold samples, by these numbers. */
int cell_averages_used(const struct cell_averages *c, const struct batch_means *numbers);
/* The numbers as an array of cell_averages_numbers_size() doubles, as averages.h5 holds them.
 *
 *   cell_averages_pack     makes the array
 *   cell_averages_unpack   makes an average from it, which the caller destroys. KOL_ERR_IO if the numbers
 *                          make no sense; from: where they were read, for the message */
int cell_averages_numbers_size(int batches);
void cell_averages_pack(const struct batch_means *numbers, double *state);
kol_status cell_averages_unpack(const double *state, int batches, const char *from, struct batch_means **out);
/* cell_averages_share: gives all ranks a copy of the numbers, which the caller destroys. numbers: NULL on
 * ranks other than 0. *out is NULL if there is no sample. Collective. */
kol_status cell_averages_share(const struct cell_averages *c, const struct batch_means *numbers,
                               struct batch_means **out);

/* Views of this rank's cells for io/, one at a time. The data pass in slabs.
 *
 *   cell_averages_view      the sums of a slot, `sums` values a cell; slot = CELL_LATEST: the latest
 *                           sample, `values` values a cell
 *   cell_averages_into      the same for reading
 *   cell_averages_name      name of the dataset of a slot: batch_0, batch_1, ..., latest
 *
 * Writing raises KOL_ERR_NUMERICAL if a value is not finite. */
enum { CELL_LATEST = -1, CELL_NAME = 32 };
struct io_view cell_averages_view(struct cell_averages *c, int slot, const char *name);
struct io_view cell_averages_into(struct cell_averages *c, int slot, const char *name);
const char *cell_averages_name(int slot, char name[CELL_NAME]);
/* cell_averages_get: copies `count` planes of sum q of a slot to the host, from plane `first` on. */
kol_status cell_averages_get(const struct cell_averages *c, int slot, int q, int first, int count,
                             double *host);
/* cell_averages_set: sets sum q of a slot in `count` cells from number `first` on. cell_averages_set_latest:
 * does the same for value q of the latest sample. For programs that fill the averages from files. */
kol_status cell_averages_set(struct cell_averages *c, int slot, int q, ptrdiff_t first, ptrdiff_t count,
                             const double *host);
kol_status cell_averages_set_latest(struct cell_averages *c, int q, ptrdiff_t first, ptrdiff_t count,
                                    const real *host);
/* cell_averages_products: computes the terms of all sums from the values of one cell. */
void cell_averages_products(const struct cell_averages *c, const real *value, double *out);

#endif
