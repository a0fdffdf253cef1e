/* Copies halo cells to and from message buffers. */
#include "../pack.h"

#include <string.h>

enum {
    SHORT_ROW = 8
}; /* rows of fewer values than this are copied by a loop, because a call of memcpy costs more */

/* rows: where the cells of a region lie in an array, in bytes. The array is a field, or packed, with x
 * fastest. */
struct rows {
    ptrdiff_t first, sy, sz;
};

static struct rows in_field(struct box b, struct range r, int bytes)
{
    return (struct rows){bytes * at(b, r.lo[X], r.lo[Y], r.lo[Z]), bytes * b.sy, bytes * b.sz};
}

static struct rows packed(struct range r, int bytes)
{
    const ptrdiff_t ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y];
    return (struct rows){0, bytes * ex, bytes * ex * ey};
}

static void copy_row(const void *from, void *to, int n, int bytes)
{
    if (n >= SHORT_ROW) {
        memcpy(to, from, (size_t)n * (size_t)bytes);
    } else if (bytes == (int)sizeof(double)) {
        const double *source = from;
        double *target = to;
        for (int i = 0; i < n; ++i) target[i] = source[i];
    } else {
        const float *source = from;
        float *target = to;
        for (int i = 0; i < n; ++i) target[i] = source[i];
    }
}

static void copy_cells(struct range r, int bytes, const void *from, struct rows source, void *to,
                       struct rows target)
{
    const int ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], ez = r.hi[Z] - r.lo[Z];
    const unsigned char *read = (const unsigned char *)from + source.first;
    unsigned char *write = (unsigned char *)to + target.first;
    if (ex <= 0) return;
    for (int k = 0; k < ez; ++k)
        for (int j = 0; j < ey; ++j)
            copy_row(read + k * source.sz + j * source.sy, write + k * target.sz + j * target.sy, ex, bytes);
}

static kol_status check(int bytes, const struct pack_signals *signals)
{
    if (bytes != (int)sizeof(float) && bytes != (int)sizeof(double))
        RAISE(KOL_ERR_INTERNAL, "values of %d bytes", bytes);
    if (signals != NULL && signals->messages > 0)
        RAISE(KOL_ERR_INTERNAL, "the CPU build has no signals between GPUs");
    return KOL_OK;
}

kol_status pack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    const int bytes = list->bytes;
    TRY(check(bytes, signals));
    for (int n = 0; n < list->n; ++n) {
        const struct pack_item *p = &list->item[n];
        const struct rows own = in_field(b, p->own, bytes);
        if (p->wrap) copy_cells(p->own, bytes, p->field, own, p->field, in_field(b, p->beyond, bytes));
        else copy_cells(p->own, bytes, p->field, own, p->place, packed(p->own, bytes));
    }
    return KOL_OK;
}

kol_status unpack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    const int bytes = list->bytes;
    TRY(check(bytes, signals));
    for (int n = 0; n < list->n; ++n) {
        const struct pack_item *p = &list->item[n];
        if (p->wrap) continue;
        copy_cells(p->beyond, bytes, p->place, packed(p->beyond, bytes), p->field,
                   in_field(b, p->beyond, bytes));
    }
    return KOL_OK;
}

kol_status exchange_regions(struct box from_box, const struct pack_list *out, struct box into_box,
                            const struct pack_list *in, const struct pack_signals *signals)
{
    TRY(pack_regions(from_box, out, signals));
    return unpack_regions(into_box, in, signals);
}

kol_status pack_copy(struct box from_box, const void *from, struct box to_box, void *to, int bytes)
{
    const struct range all = range_all(from_box);
    TRY(check(bytes, NULL));
    if (from_box.nx != to_box.nx || from_box.ny != to_box.ny || from_box.nz != to_box.nz)
        RAISE(KOL_ERR_INTERNAL, "%d x %d x %d cells can't be copied to %d x %d x %d", from_box.nx,
              from_box.ny, from_box.nz, to_box.nx, to_box.ny, to_box.nz);
    copy_cells(all, bytes, from, in_field(from_box, all, bytes), to, in_field(to_box, all, bytes));
    return KOL_OK;
}
