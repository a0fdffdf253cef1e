/* Fields for tests of the halo exchange. Every cell of the grid has a number of its own, which differs
 * between fields and between exchanges. The number that each halo cell should have is computed here,
 * without the code under test. Kernel memory may be that of a GPU. */
#ifndef KOL_TESTS_HALO_CASE_H
#define KOL_TESTS_HALO_CASE_H

#include "solver/parallel/halo.h"

/* The numbers are exact in single precision if a grid has at most HALO_CASE_CELLS cells in each direction
 * and tags are below HALO_CASE_TAGS. */
enum { HALO_CASE_CELLS = 16, HALO_CASE_TAGS = 100 };

/* halo_part: the part of a grid that one rank owns, for fields whose values have 4 or 8 bytes. around:
 * whether halo_leave_around() was called for the halo that fills these fields; 0 at first. */
struct halo_part {
    struct decomp d;
    struct box b;
    int bytes;
    void *host; /* for one field */
    int around;
};
/* halo_part_create: makes a part for fields of real values. halo_part_create_for: makes a part for values
 * of `bytes` bytes. Both return KOL_ERR_INPUT if the grid cannot be divided in this way. */
kol_status halo_part_create(const struct comm *c, const int n[3], const int layout[3], struct halo_part *p);
kol_status halo_part_create_for(const struct comm *c, const int n[3], const int layout[3], int bytes,
                                struct halo_part *p);
void halo_part_destroy(struct halo_part *p);
/* halo_part_array: returns a field in kernel memory, which the caller frees with mem_kernel_free. If there
 * is no memory, the program ends. */
void *halo_part_array(const struct halo_part *p);
/* halo_part_set: writes the numbers of this tag into the own cells, and NaN elsewhere. halo_part_renew:
 * writes them into the own cells and does not change the halo. */
void halo_part_set(struct halo_part *p, void *array, int tag);
void halo_part_renew(struct halo_part *p, void *array, int tag);
/* halo_part_put: sets value q of a host array whose values have `bytes` bytes. */
void halo_part_put(void *host, int bytes, ptrdiff_t q, double value);
/* halo_part_wrong: returns the number of wrong values of field f after an exchange of this shape. Own
 * cells, and the halo cells of the shape, should have the number of their periodic image; all others should
 * be NaN. only: bits of faces; only halo cells beyond these faces are checked. With ~0u everything is
 * checked. */
int halo_part_wrong(struct halo_part *p, const void *array, int tag, enum halo_shape shape, int f,
                    unsigned only);
/* halo_part_finish: calls halo_await and halo_join with no work in between. */
kol_status halo_part_finish(struct halo *h);

#endif
