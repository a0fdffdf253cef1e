/* Chooses how the grid is divided between the ranks, and computes each rank's cells. */
#include "decomp.h"

#include <float.h>
#include "inputs/rank_layout.h"

int decomp_block_start(const struct decomp *d, int dir, int b)
{
    return (int)((long long)b * d->n_g[dir] / d->blocks_g[dir]);
}

static int first_block_of(const struct decomp *d, int dir, int coord)
{
    return (int)((long long)coord * d->blocks_g[dir] / d->ranks[dir]);
}

int decomp_offset(const struct decomp *d, int dir, int coord)
{
    return decomp_block_start(d, dir, first_block_of(d, dir, coord));
}

int decomp_cells_most(const struct decomp *d, int dir)
{
    int most = 0;
    for (int c = 0; c < d->ranks[dir]; ++c) {
        const int n = decomp_offset(d, dir, c + 1) - decomp_offset(d, dir, c);
        if (n > most) most = n;
    }
    return most;
}

/* Cells of the fullest rank plus the cells that it receives through its faces. So an uneven division costs
 * more than a few halo cells. */
static double layout_cost(const struct decomp *d, const int p[3])
{
    double widest[3];
    for (int i = 0; i < 3; ++i) {
        const int most = (d->blocks_g[i] + p[i] - 1) / p[i];
        widest[i] = (double)most * d->n_g[i] / d->blocks_g[i];
    }
    const double cells = widest[X] * widest[Y] * widest[Z];
    double faces = 0;
    for (int i = 0; i < 3; ++i) faces += p[i] > 1 ? 2 * cells / widest[i] : 0;
    return cells + faces;
}

static kol_status choose_layout(struct decomp *d, const int want[3], int size)
{
    double best = DBL_MAX;
    /* x varies fastest, and only a lower cost replaces the best, so divisions in z are preferred, then those
     * in y */
    for (int px = 1; px <= size; ++px) {
        if (size % px != 0 || (want[X] != 0 && px != want[X]) || px > d->blocks_g[X]) continue;
        for (int py = 1; py <= size / px; ++py) {
            const int p[3] = {px, py, size / px / py};
            if (size / px % py != 0 || (want[Y] != 0 && py != want[Y]) || py > d->blocks_g[Y]) continue;
            if ((want[Z] != 0 && p[Z] != want[Z]) || p[Z] > d->blocks_g[Z]) continue;
            const double cost = layout_cost(d, p);
            if (cost < best * (1 - 1e-9)) {
                best = cost;
                for (int i = 0; i < 3; ++i) d->ranks[i] = p[i];
            }
        }
    }
    if (best == DBL_MAX) {
        RAISE(KOL_ERR_INPUT, "no layout of %d ranks fits a grid of %d x %d x %d cells", size, d->n_g[X],
              d->n_g[Y], d->n_g[Z]);
    }
    return KOL_OK;
}

kol_status decomp_create(const int n_g[3], const int ranks[3], int size, int rank, struct decomp *d)
{
    for (int i = 0; i < 3; ++i) {
        d->n_g[i] = n_g[i];
        d->blocks_g[i] = grid_blocks(i, n_g[i]);
    }
    TRY(choose_layout(d, ranks, size));
    d->coord[X] = rank % d->ranks[X];
    d->coord[Y] = rank / d->ranks[X] % d->ranks[Y];
    d->coord[Z] = rank / d->ranks[X] / d->ranks[Y];
    for (int i = 0; i < 3; ++i) {
        d->first_block[i] = first_block_of(d, i, d->coord[i]);
        d->blocks[i] = first_block_of(d, i, d->coord[i] + 1) - d->first_block[i];
        d->offset[i] = decomp_offset(d, i, d->coord[i]);
        d->n[i] = decomp_offset(d, i, d->coord[i] + 1) - d->offset[i];
    }
    return KOL_OK;
}

int decomp_rank_at(const struct decomp *d, const int coord[3])
{
    return (coord[Z] * d->ranks[Y] + coord[Y]) * d->ranks[X] + coord[X];
}

int decomp_next(const struct decomp *d, int dir, int step)
{
    int coord[3] = {d->coord[X], d->coord[Y], d->coord[Z]};
    coord[dir] += step;
    return coord[dir] >= 0 && coord[dir] < d->ranks[dir] ? decomp_rank_at(d, coord) : -1;
}

int decomp_neighbour(const struct decomp *d, const int s[3])
{
    int c[3];
    for (int i = 0; i < 3; ++i) c[i] = (d->coord[i] + s[i] + d->ranks[i]) % d->ranks[i];
    return decomp_rank_at(d, c);
}
