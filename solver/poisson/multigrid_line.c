/* Computes distances of centres along one direction of a multigrid level, also across periodic ends. */
#include "multigrid_line.h"

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
