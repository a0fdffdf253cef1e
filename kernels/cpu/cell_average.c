/* Adds samples of velocity, pressure and their products to sums in every cell. */
#include "../cell_average.h"
#include "../point/cell_average.h"

/* Number of cells that are computed at a time. Each sum of them is a stretch of memory of its own. */
enum { NEAR = 128 };

/* row: the values of up to NEAR cells, and 1. */
struct row {
    double value[CELL_FACTORS][NEAR];
};

/* Takes the values of the present flow in `count` cells, from the cell `first` on, and keeps them. */
static void take_now(struct box b, const unsigned char *open, struct cell_average_fields f,
                     const int first[3], int count, ptrdiff_t cells, real *latest, struct row *now)
{
    const ptrdiff_t o = at(b, first[X], first[Y], first[Z]);
    for (int i = 0; i < count; ++i) {
        real value[CELL_AVERAGE_VALUES + CELL_SCALARS_MOST + 1];
        point_cell_values(b, f.m, f.nu, f.vel[X], f.vel[Y], f.vel[Z], f.p, o + i, first[X] + i, first[Y],
                          first[Z], value);
        for (int n = 0; n < f.scalars; ++n) value[point_cell_scalar(n)] = f.theta[n][o + i];
        value[point_cell_scalar(f.scalars)] = 1;
        for (int q = 0; q < cell_average_values(f.scalars, f.turns); ++q) {
            if (point_cell_solid(open, o + i)) value[q] = 0;
            now->value[q][i] = latest[q * cells + i] = value[q];
        }
    }
}

static void take_latest(int values, int count, ptrdiff_t cells, const real *latest, struct row *old)
{
    for (int q = 0; q < values; ++q)
        for (int i = 0; i < count; ++i) old->value[q][i] = latest[q * cells + i];
}

static void add(const struct row *row, int sums, int fresh, double weight, int count, ptrdiff_t cells,
                double *sum)
{
    for (int q = 0; q < sums; ++q) {
        const double *first = row->value[point_cell_first(q)], *second = row->value[point_cell_second(q)];
        double *KOL_RESTRICT to = sum + q * cells;
#pragma omp simd
        for (int i = 0; i < count; ++i) to[i] = point_cell_sum(to[i], fresh, weight, first[i], second[i]);
    }
}

kol_status cell_average_add(struct box b, const unsigned char *open, struct cell_average_weights by,
                            struct cell_average_fields f, real *latest, double *sum, double *before)
{
    const int values = cell_average_values(f.scalars, f.turns), sums = cell_average_sums(f.scalars, f.turns);
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    struct row now, old;
    for (int i = 0; i < NEAR; ++i) now.value[CELL_ONE][i] = old.value[CELL_ONE][i] = 1;
    for (ptrdiff_t line = 0; line < (ptrdiff_t)b.ny * b.nz; ++line)
        for (int i = 0; i < b.nx; i += NEAR) {
            const int count = b.nx - i < NEAR ? b.nx - i : NEAR;
            const int first[3] = {i, (int)(line % b.ny), (int)(line / b.ny)};
            const ptrdiff_t n = line * b.nx + i;
            if (by.latest != 0) {
                take_latest(values, count, cells, latest + n, &old);
                add(&old, sums, 0, by.latest, count, cells, before + n);
            }
            take_now(b, open, f, first, count, cells, latest + n, &now);
            add(&now, sums, by.fresh, by.sample, count, cells, sum + n);
        }
    return KOL_OK;
}
