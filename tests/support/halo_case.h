/* Fields for tests of the halo exchange: every cell of the grid has a number of its own, other ones for each
 * field and each exchange; what should stand in each halo cell is worked out here by itself. Kernel memory
 * may be a GPU's. */
#ifndef KOL_TESTS_HALO_CASE_H
#define KOL_TESTS_HALO_CASE_H

#include "solver/parallel/halo.h"

/* Numbers are exact in single precision: grids of at most HALO_CASE_CELLS cells in a direction, tags below
 * HALO_CASE_TAGS. */
enum { HALO_CASE_CELLS = 16, HALO_CASE_TAGS = 100 };

/* halo_part: what one rank owns of a grid, in fields of values of 4 or 8 bytes. around: whether
 * halo_leave_around() was called of the halo that fills them; 0 at first. */
struct halo_part {
    struct decomp d;
    struct box b;
    int bytes;
    void *host; /* for one field */
    int around;
};
/* halo_part_create: of real values; halo_part_create_for: of values of so many bytes. KOL_ERR_INPUT where the
 * ranks can't be laid out so. */
kol_status halo_part_create(const struct comm *c, const int n[3], const int layout[3], struct halo_part *p);
kol_status halo_part_create_for(const struct comm *c, const int n[3], const int layout[3], int bytes,
                                struct halo_part *p);
void halo_part_destroy(struct halo_part *p);
/* halo_part_array: a field in kernel memory, to be freed with mem_kernel_free; no memory ends the program. */
void *halo_part_array(const struct halo_part *p);
/* halo_part_set: own cells get the numbers of that tag, all else NaN. halo_part_renew: the halo stays as it
 * is. */
void halo_part_set(struct halo_part *p, void *array, int tag);
void halo_part_renew(struct halo_part *p, void *array, int tag);
/* halo_part_put: value q of the host array of a part, or of another one of the same size of values. */
void halo_part_put(void *host, int bytes, ptrdiff_t q, double value);
/* halo_part_wrong: values that are not as they should be after field f of an exchange of that shape: the
 * number of the periodic image in own cells and in the halo cells of the shape, NaN elsewhere. only: halo
 * cells beyond these faces alone (bits), the others are not looked at; ~0u: everything. */
int halo_part_wrong(struct halo_part *p, const void *array, int tag, enum halo_shape shape, int f,
                    unsigned only);
/* halo_part_finish: halo_await and halo_join with no work in between. */
kol_status halo_part_finish(struct halo *h);

#endif
