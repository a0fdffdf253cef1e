#include "halo_case.h"

#include <math.h>
#include <stdlib.h>
#include "../../kernels/base/mem.h"

static void need(kol_status st)
{
    if (st == KOL_OK) return;
    status_print(0);
    abort();
}

kol_status halo_part_create(const struct comm *c, const int n[3], const int layout[3], struct halo_part *p)
{
    p->host = NULL;
    TRY(decomp_create(n, layout, c->size, c->rank, &p->d));
    p->b = box_make(p->d.n[X], p->d.n[Y], p->d.n[Z], KOL_HALO);
    p->host = malloc((size_t)p->b.size * sizeof(real));
    if (p->host == NULL) abort();
    return KOL_OK;
}

void halo_part_destroy(struct halo_part *p)
{
    free(p->host);
    p->host = NULL;
}

real *halo_part_array(const struct halo_part *p)
{
    void *array = NULL;
    need(mem_kernel_alloc((size_t)p->b.size * sizeof(real), &array));
    return array;
}

/* i + 100 j + 10000 k of the global cell, from 160000 tag on */
static real number(const struct halo_part *p, const int i[3], int tag)
{
    int g[3];
    for (int d = 0; d < 3; ++d) g[d] = (p->d.offset[d] + i[d] + p->d.n_g[d]) % p->d.n_g[d];
    return (real)(g[X] + 100 * g[Y] + 10000 * g[Z] + 160000 * tag + 1);
}

static void set_own(struct halo_part *p, real *array, int tag)
{
    const struct box b = p->b;
    for (int i[3] = {0, 0, 0}; i[Z] < b.nz; ++i[Z])
        for (i[Y] = 0; i[Y] < b.ny; ++i[Y])
            for (i[X] = 0; i[X] < b.nx; ++i[X]) p->host[at(b, i[X], i[Y], i[Z])] = number(p, i, tag);
    need(mem_to_kernel(array, p->host, (size_t)b.size * sizeof(real)));
}

void halo_part_set(struct halo_part *p, real *array, int tag)
{
    for (ptrdiff_t q = 0; q < p->b.size; ++q) p->host[q] = (real)NAN;
    set_own(p, array, tag);
}

void halo_part_renew(struct halo_part *p, real *array, int tag)
{
    need(mem_to_host(p->host, array, (size_t)p->b.size * sizeof(real)));
    set_own(p, array, tag);
}

/* Whether an exchange fills this halo cell: by how many layers it lies beyond the own cells in each direction. */
static int is_filled(const struct halo_part *p, const int i[3], enum halo_shape shape, int f)
{
    int beyond = 0, deepest = 0, direction = 0;
    for (int d = 0; d < 3; ++d) {
        const int layers = i[d] < 0 ? -i[d] : i[d] >= p->d.n[d] ? i[d] - p->d.n[d] + 1 : 0;
        if (layers == 0) continue;
        ++beyond;
        direction = d;
        deepest = layers > deepest ? layers : deepest;
    }
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

int halo_part_wrong(struct halo_part *p, const real *array, int tag, enum halo_shape shape, int f,
                    unsigned only)
{
    const struct box b = p->b;
    int wrong = 0;
    need(mem_to_host(p->host, array, (size_t)b.size * sizeof(real)));
    for (int i[3] = {0, 0, -b.h}; i[Z] < b.nz + b.h; ++i[Z])
        for (i[Y] = -b.h; i[Y] < b.ny + b.h; ++i[Y])
            for (i[X] = -b.h; i[X] < b.nx + b.h; ++i[X]) {
                const unsigned faces = beyond_faces(p, i);
                real *value = &p->host[at(b, i[X], i[Y], i[Z])];
                if (faces == 0 || is_filled(p, i, shape, f))
                    wrong += (faces & ~only) == 0 && *value != number(p, i, tag);
                else wrong += !isnan(*value);
                *value = (real)NAN;
            }
    for (ptrdiff_t q = 0; q < b.size; ++q) wrong += !isnan(p->host[q]); /* padding */
    return wrong;
}
