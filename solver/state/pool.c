/* Allocates the arrays of all fields, and records who has which of them. */
#include "pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "kernels/base/constants.h"

enum { POOL_MAX = 64 };

struct pool {
    struct memory *memory; /* NULL: the arrays are there; otherwise they are only counted */
    struct box box;
    int count, held, peak;
    real *array[POOL_MAX];
    real counted[POOL_MAX];       /* if arrays are only counted, array[i] points to value i of these */
    const char *holder[POOL_MAX]; /* NULL: free */
};

kol_status pool_create(struct memory *memory, struct box b, int count, struct pool **out)
{
    if (count > POOL_MAX)
        RAISE(KOL_ERR_INTERNAL, "a pool can't have %d arrays; the limit is %d", count, POOL_MAX);
    struct pool *p = calloc(1, sizeof *p);
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the pool");
    *out = p;
    p->memory = memory;
    p->box = b;
    if (memory_counts(memory)) return KOL_OK;
    size_t available = 0;
    const size_t each = (size_t)b.size * sizeof(real);
    TRY(mem_kernel_available(&available));
    if (each * (size_t)count > available) {
        RAISE(KOL_ERR_MEMORY,
              "%d fields of %.3f GiB a rank need %.3f GiB, but %.3f GiB are free; use more ranks or a "
              "smaller grid",
              count, (double)each / GIB, (double)each * count / GIB, (double)available / GIB);
    }
    for (; p->count < count; ++p->count) {
        TRY(memory_kernel(memory, each, (void **)&p->array[p->count]));
        TRY(mem_fill_real(p->array[p->count], b.size, (real)NAN));
    }
    return KOL_OK;
}

void pool_destroy(struct pool **p)
{
    if (*p == NULL) return;
    for (int i = 0; i < (*p)->count && !pool_counts(*p); ++i) mem_kernel_free((*p)->array[i]);
    free(*p);
    *p = NULL;
}

int pool_counts(const struct pool *p)
{
    return memory_counts(p->memory);
}

/* One array more, which is only counted. */
static kol_status count_array(struct pool *p)
{
    real *none = NULL;
    TRY(memory_kernel(p->memory, (size_t)p->box.size * sizeof(real), (void **)&none));
    p->array[p->count] = &p->counted[p->count];
    ++p->count;
    return KOL_OK;
}

kol_status pool_hold(struct pool *p, const char *name, real **array)
{
    if (pool_counts(p) && p->held == p->count && p->count < POOL_MAX) TRY(count_array(p));
    for (int i = 0; i < p->count; ++i) {
        if (p->holder[i] != NULL) continue;
        p->holder[i] = name;
        *array = p->array[i];
        if (++p->held > p->peak) p->peak = p->held;
        return KOL_OK;
    }
    char names[512] = "";
    int n = 0;
    for (int i = 0; i < p->count && n < (int)sizeof names - 32; ++i) {
        n += snprintf(names + n, sizeof names - (size_t)n, " %s", p->holder[i]);
    }
    RAISE(KOL_ERR_INTERNAL, "the pool has no array left for %s; these are in use:%s", name, names);
}

kol_status pool_drop(struct pool *p, real **array)
{
    if (*array == NULL) return KOL_OK;
    for (int i = 0; i < p->count; ++i) {
        if (p->array[i] != *array) continue;
        if (p->holder[i] == NULL) RAISE(KOL_ERR_INTERNAL, "an array was dropped twice");
        p->holder[i] = NULL;
        --p->held;
#ifdef KOLMO_DEBUG
        if (!pool_counts(p)) TRY(mem_fill_real(*array, p->box.size, (real)NAN));
#endif
        *array = NULL;
        return KOL_OK;
    }
    RAISE(KOL_ERR_INTERNAL, "an array that is not from the pool was dropped");
}

int pool_count(const struct pool *p)
{
    return p->count;
}

int pool_peak(const struct pool *p)
{
    return p->peak;
}
