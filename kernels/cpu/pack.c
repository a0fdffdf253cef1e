#include "../pack.h"

#include <string.h>

enum {
    SHORT_ROW = 8
}; /* values, for which a call of memcpy costs more than a loop: rows of an x face hold one or two */

/* place: values with their rows and planes: a region of a field, or packed, x fastest. */
struct place {
    real *first;
    ptrdiff_t sy, sz;
};

static struct place in_field(struct box b, real *field, struct range r)
{
    return (struct place){field + at(b, r.lo[X], r.lo[Y], r.lo[Z]), b.sy, b.sz};
}

static struct place packed(real *first, struct range r)
{
    const ptrdiff_t ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y];
    return (struct place){first, ex, ex * ey};
}

static void copy_cells(struct range r, struct place from, struct place to)
{
    const int ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], ez = r.hi[Z] - r.lo[Z];
    if (ex <= 0) return;
    for (int k = 0; k < ez; ++k) {
        for (int j = 0; j < ey; ++j) {
            const real *source = from.first + k * from.sz + j * from.sy;
            real *target = to.first + k * to.sz + j * to.sy;
            if (ex < SHORT_ROW) {
                for (int i = 0; i < ex; ++i) target[i] = source[i];
            } else {
                memcpy(target, source, (size_t)ex * sizeof(real));
            }
        }
    }
}

static kol_status refuse_signals(const struct pack_signals *signals)
{
    if (signals != NULL && signals->messages > 0) RAISE(KOL_ERR_INTERNAL, "the CPU build knows no signals");
    return KOL_OK;
}

kol_status pack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    TRY(refuse_signals(signals));
    for (int n = 0; n < list->n; ++n) {
        const struct pack_item *p = &list->item[n];
        copy_cells(p->own, in_field(b, p->field, p->own),
                   p->wrap ? in_field(b, p->field, p->beyond) : packed(p->place, p->own));
    }
    return KOL_OK;
}

kol_status unpack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    TRY(refuse_signals(signals));
    for (int n = 0; n < list->n; ++n) {
        const struct pack_item *p = &list->item[n];
        if (p->wrap) continue;
        copy_cells(p->beyond, packed(p->place, p->beyond), in_field(b, p->field, p->beyond));
    }
    return KOL_OK;
}
