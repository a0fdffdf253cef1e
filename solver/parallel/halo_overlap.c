/* Fills halos together with the values that do not come from neighbours, and overlaps this with sweeps. */
#include "halo_overlap.h"

/* halo_begin and halo_await, each with its call of `beyond`. */
static kol_status begin(const struct exchange *x)
{
    TRY(halo_begin(x->halo, x->fields, x->n, x->shape));
    return x->beyond != NULL ? x->beyond(x, CELLS_INNER) : KOL_OK;
}

static kol_status await(const struct exchange *x)
{
    TRY(halo_await(x->halo));
    if (x->beyond == NULL || halo_remote(x->halo) == 0) return KOL_OK;
    const kol_status st = x->beyond(x, CELLS_RIM);
    return st == KOL_OK ? KOL_OK : halo_join(x->halo, st); /* the compute queue is in use again */
}

kol_status exchange_fill(const struct exchange *x)
{
    TRY(halo_fill(x->halo, x->fields, x->n, x->shape));
    return x->beyond != NULL ? x->beyond(x, CELLS_ALL) : KOL_OK;
}

kol_status exchange_overlap(const struct exchange *x,
                            kol_status (*sweep)(const void *context, struct cells cells), const void *context)
{
    kol_status st = KOL_OK;
    TRY(begin(x));
    TRY(sweep(context, halo_cells_held(x->halo, CELLS_INNER, x->held)));
    TRY(await(x));
    if (halo_remote(x->halo) != 0) st = sweep(context, halo_cells_held(x->halo, CELLS_RIM, x->held));
    return halo_join(x->halo, st);
}
