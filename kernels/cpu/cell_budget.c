/* Adds samples of what changes the Reynolds stresses to sums in every cell. */
#include "../cell_budget.h"
#include "../point/cell_budget.h"

/* Adds `count` values of cell n to their sums, and keeps them. solid: they count as 0. */
static void add(const real *value, int count, int solid, struct cell_average_weights by, ptrdiff_t n,
                ptrdiff_t cells, real *latest, double *sum, double *before)
{
    for (int q = 0; q < count; ++q) {
        const ptrdiff_t to = q * cells + n;
        if (by.latest != 0) before[to] = point_cell_sum(before[to], 0, by.latest, latest[to], 1);
        latest[to] = solid ? 0 : value[q];
        sum[to] = point_cell_sum(sum[to], by.fresh, by.sample, latest[to], 1);
    }
}

kol_status cell_budget_rate(struct box b, const unsigned char *open, unsigned walls,
                            struct cell_average_weights by, real *const vel[3], real *const rate[3],
                            real *latest, double *sum, double *before)
{
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t o = at(b, i, j, k), n = ((ptrdiff_t)k * b.ny + j) * b.nx + i;
                real value[CELL_RATE_VALUES];
                point_budget_rate(b, open, point_cell_walls(b, walls, i, j, k), vel[X], vel[Y], vel[Z],
                                  rate[X], rate[Y], rate[Z], o, value);
                add(value, CELL_RATE_VALUES, point_cell_solid(open, o), by, n, cells, latest, sum, before);
            }
    return KOL_OK;
}

kol_status cell_budget_flow(struct box b, const unsigned char *open, struct cell_average_weights by,
                            struct cell_average_fields f, real *latest, double *sum, double *before)
{
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t o = at(b, i, j, k), n = ((ptrdiff_t)k * b.ny + j) * b.nx + i;
                real value[CELL_FLOW_VALUES];
                point_budget_flow(b, f.m, f.nu, f.vel[X], f.vel[Y], f.vel[Z], f.p, o, i, j, k, value);
                add(value, CELL_FLOW_VALUES, point_cell_solid(open, o), by, n, cells, latest, sum, before);
            }
    return KOL_OK;
}
