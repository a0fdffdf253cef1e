/* Holds one direction of a multigrid level and computes distances of its centres, also across periodic
 * ends. */
#include "multigrid_line.h"

#include <stdlib.h>

kol_status line_make(int n, int periodic, struct line *out)
{
    out->n = n;
    out->periodic = periodic;
    out->width = malloc((size_t)n * sizeof *out->width);
    if (out->width == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d widths", n);
    return KOL_OK;
}

int line_fold(int i, int n)
{
    return (i % n + n) % n;
}

double line_inverse(const struct line *l, int i)
{
    const int above = line_fold(i, l->n), below = line_fold(i - 1, l->n);
    if (l->n == 1 || (above == 0 && !l->periodic)) return 0;
    return 2 / (l->width[below] + l->width[above]);
}
