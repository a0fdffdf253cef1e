/* Makes the fields with which the tests of halo exchanges work, and checks their halo cells. */
#include "halo_case.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/base/mem.h"

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

kol_status halo_part_create_for(const struct comm *c, const int n[3], const int layout[3], int bytes,
                                struct halo_part *p)
{
    p->host = NULL;
    p->bytes = bytes;
    p->around = 0;
    TRY(decomp_create(n, layout, c->size, c->rank, &p->d));
    p->b = box_make(p->d.n[X], p->d.n[Y], p->d.n[Z], KOL_HALO);
    p->host = malloc((size_t)p->b.size * (size_t)bytes);
    if (p->host == NULL) abort();
    return KOL_OK;
}

kol_status halo_part_create(const struct comm *c, const int n[3], const int layout[3], struct halo_part *p)
{
    TRY(halo_part_create_for(c, n, layout, sizeof(real), p));
    return KOL_OK;
}

void halo_part_destroy(struct halo_part *p)
{
    free(p->host);
    p->host = NULL;
}

void *halo_part_array(const struct halo_part *p)
{
    void *array = NULL;
    need(mem_kernel_alloc((size_t)p->b.size * (size_t)p->bytes, &array));
    return array;
}

void halo_part_put(void *host, int bytes, ptrdiff_t q, double value)
{
    if (bytes == (int)sizeof(double)) ((double *)host)[q] = value;
    else ((float *)host)[q] = (float)value;
}

static double get(const void *host, int bytes, ptrdiff_t q)
{
    if (bytes == (int)sizeof(double)) return ((const double *)host)[q];
    return (double)((const float *)host)[q];
}

/* number: returns i + 100 j + 10000 k + 160000 tag + 1 of the global cell that own or halo cell i is an image
 * of. A float holds it up to tag 103. */
static double number(const struct halo_part *p, const int i[3], int tag)
{
    int g[3];
    for (int d = 0; d < 3; ++d) g[d] = (p->d.offset[d] + i[d] + p->d.n_g[d]) % p->d.n_g[d];
    return g[X] + 100 * g[Y] + 10000 * g[Z] + 160000 * tag + 1;
}

static void set_own(struct halo_part *p, void *array, int tag)
{
    const struct box b = p->b;
    for (int i[3] = {0, 0, 0}; i[Z] < b.nz; ++i[Z])
        for (i[Y] = 0; i[Y] < b.ny; ++i[Y])
            for (i[X] = 0; i[X] < b.nx; ++i[X])
                halo_part_put(p->host, p->bytes, at(b, i[X], i[Y], i[Z]), number(p, i, tag));
    need(mem_to_kernel(array, p->host, (size_t)b.size * (size_t)p->bytes));
}

void halo_part_set(struct halo_part *p, void *array, int tag)
{
    for (ptrdiff_t q = 0; q < p->b.size; ++q) halo_part_put(p->host, p->bytes, q, NAN);
    set_own(p, array, tag);
}

void halo_part_renew(struct halo_part *p, void *array, int tag)
{
    need(mem_to_host(p->host, array, (size_t)p->b.size * (size_t)p->bytes));
    set_own(p, array, tag);
}

/* Returns whether an exchange after halo_leave_around() leaves out this halo cell. It does if the cell is a
 * copy of an own cell of this rank; HALO_BOX also leaves out all cells beyond a direction with one rank. */
static int is_left(const struct halo_part *p, const int i[3], enum halo_shape shape)
{
    int cut = 0, whole = 0;
    for (int d = 0; d < 3; ++d) {
        if (i[d] >= 0 && i[d] < p->d.n[d]) continue;
        if (p->d.ranks[d] > 1) cut = 1;
        else whole = 1;
    }
    if (shape == HALO_BOX) return whole;
    return !cut && (shape == HALO_FACES || shape == HALO_DEEP);
}

/* Returns whether an exchange fills this halo cell. The cell is given by the number of layers by which it
 * lies beyond the own cells in each direction. */
static int is_filled(const struct halo_part *p, const int i[3], enum halo_shape shape, int f)
{
    int beyond = 0, deepest = 0, direction = 0;
    if (p->around && is_left(p, i, shape)) return 0;
    for (int d = 0; d < 3; ++d) {
        const int layers = i[d] < 0 ? -i[d] : i[d] >= p->d.n[d] ? i[d] - p->d.n[d] + 1 : 0;
        if (layers == 0) continue;
        ++beyond;
        direction = d;
        deepest = layers > deepest ? layers : deepest;
    }
    if (shape == HALO_BOX) return deepest <= 2;
    if (beyond == 1) {
        if (shape == HALO_DEEP) return deepest <= 2;
        if (shape == HALO_NORMAL) return deepest == 1 && direction == f && i[f] > 0;
        return deepest == 1;
    }
    return beyond == 2 && deepest == 1 && (shape == HALO_EDGES || shape == HALO_DEEP);
}

/* The faces that a cell lies beyond. */
static unsigned beyond_faces(const struct halo_part *p, const int i[3])
{
    unsigned faces = 0;
    for (int d = 0; d < 3; ++d) faces |= i[d] < 0 ? 1u << 2 * d : i[d] >= p->d.n[d] ? 2u << 2 * d : 0;
    return faces;
}

int halo_part_wrong(struct halo_part *p, const void *array, int tag, enum halo_shape shape, int f,
                    unsigned only)
{
    const struct box b = p->b;
    int wrong = 0;
    need(mem_to_host(p->host, array, (size_t)b.size * (size_t)p->bytes));
    for (int i[3] = {0, 0, -b.h}; i[Z] < b.nz + b.h; ++i[Z])
        for (i[Y] = -b.h; i[Y] < b.ny + b.h; ++i[Y])
            for (i[X] = -b.h; i[X] < b.nx + b.h; ++i[X]) {
                const unsigned faces = beyond_faces(p, i);
                const ptrdiff_t q = at(b, i[X], i[Y], i[Z]);
                const double value = get(p->host, p->bytes, q);
                if (faces == 0 || is_filled(p, i, shape, f))
                    wrong += (faces & ~only) == 0 && value != number(p, i, tag);
                else wrong += !isnan(value);
                halo_part_put(p->host, p->bytes, q, NAN);
            }
    for (ptrdiff_t q = 0; q < b.size; ++q) wrong += !isnan(get(p->host, p->bytes, q)); /* padding */
    return wrong;
}

kol_status halo_part_finish(struct halo *h)
{
    TRY(halo_await(h));
    return halo_join(h, KOL_OK);
}
