/* Fields for tests of the halo exchange: every cell of the grid has a number of its own, other ones for each field and each
 * exchange; what should stand in each halo cell is worked out here by itself. Kernel memory may be a GPU's. */
#ifndef KOL_TESTS_HALO_CASE_H
#define KOL_TESTS_HALO_CASE_H

#include "../../solver/halo.h"

/* Numbers are exact in single precision: grids of at most HALO_CASE_CELLS cells in a direction, tags below HALO_CASE_TAGS. */
enum { HALO_CASE_CELLS = 16, HALO_CASE_TAGS = 100 };

/* halo_part: what one rank owns of a grid. */
struct halo_part {
    struct decomp d;
    struct box b;
    real *host; /* for one field */
};
/* halo_part_create: KOL_ERR_INPUT where the ranks can't be laid out so. */
kol_status halo_part_create(const struct comm *c, const int n[3], const int layout[3], struct halo_part *p);
void halo_part_destroy(struct halo_part *p);
/* halo_part_array: a field in kernel memory, to be freed with mem_kernel_free; no memory ends the program. */
real *halo_part_array(const struct halo_part *p);
/* halo_part_set: own cells get the numbers of that tag, all else NaN. halo_part_renew: the halo stays as it is. */
void halo_part_set(struct halo_part *p, real *array, int tag);
void halo_part_renew(struct halo_part *p, real *array, int tag);
/* halo_part_wrong: values that are not as they should be after field f of an exchange of that shape: the number of the periodic
 * image in own cells and in the halo cells of the shape, NaN elsewhere. only: halo cells beyond these faces alone (bits), the
 * others are not looked at; ~0u: everything. */
int halo_part_wrong(struct halo_part *p, const real *array, int tag, enum halo_shape shape, int f,
                    unsigned only);

#endif
