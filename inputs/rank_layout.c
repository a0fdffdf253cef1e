/* Finds out which numbers of ranks fit a grid. */
#include "rank_layout.h"

#include "kernels/base/types.h"
#include "schemes.h"

int grid_blocks(int direction, int n)
{
    enum { MOST = 16, LEAST_WIDE = 8, CELLS_WIDE = 32, LEAST_CELLS = KOL_HALO };
    int blocks = MOST;
    /* thread blocks of the CUDA build take columns of a block, so it must be wide */
    if (direction < 2 && n / CELLS_WIDE < MOST)
        blocks = n / CELLS_WIDE > LEAST_WIDE ? n / CELLS_WIDE : LEAST_WIDE;
    return n / LEAST_CELLS < blocks ? n / LEAST_CELLS : blocks; /* n is at least 2 */
}

int grid_ranks_fit(const int n[3], const int ranks[3], int nranks)
{
    int low[3], high[3];
    for (int d = 0; d < 3; ++d) {
        high[d] = grid_blocks(d, n[d]);
        low[d] = ranks[d] > 0 ? ranks[d] : 1;
        if (low[d] > high[d]) return 0;
        if (ranks[d] > 0) high[d] = ranks[d];
    }
    for (int px = low[0]; px <= high[0]; ++px)
        for (int py = low[1]; py <= high[1] && nranks % px == 0; ++py) {
            if (nranks / px % py != 0) continue;
            const int pz = nranks / px / py;
            if (pz >= low[2] && pz <= high[2]) return 1;
        }
    return 0;
}

int grid_usable_ranks(const int n[3], const int ranks[3], int nranks)
{
    const int most = grid_blocks(0, n[0]) * grid_blocks(1, n[1]) * grid_blocks(2, n[2]);
    for (int p = nranks < most ? nranks : most; p > 0; --p)
        if (grid_ranks_fit(n, ranks, p)) return p;
    return 0;
}

/* Chooses the layout. If z is on one rank, its columns need no messages. */
struct layout grid_layout(const struct input *in, int nranks)
{
    const struct layout asked = {{in->grid.ranks[0], in->grid.ranks[1], in->grid.ranks[2]}};
    struct layout whole = asked;
    if (asked.ranks[2] != 0 || !diffusion_is_implicit_z(in)) return asked;
    whole.ranks[2] = 1;
    return grid_ranks_fit(in->grid.n, whole.ranks, nranks) ? whole : asked;
}
