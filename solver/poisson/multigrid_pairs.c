/* Pairs the cells of one direction of a multigrid level. */
#include "multigrid_pairs.h"

#include <stdlib.h>
#include <string.h>

/* Couplings that differ by less than this part count as the same: on a symmetric grid those at both ends
 * differ by rounding, which may be another one on another rank. */
static const double SAME = 1e-9;

static kol_status pairs_make(int cells, struct pairs *p)
{
    memset(p, 0, sizeof *p);
    p->first = malloc(((size_t)cells + 1) * sizeof *p->first);
    p->parent = malloc((size_t)cells * sizeof *p->parent);
    if (p->first == NULL || p->parent == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d cells", cells);
    return KOL_OK;
}

/* The next coarse cell has fine cells i .. i + count - 1. */
static void pairs_add(struct pairs *p, int i, int count)
{
    p->first[p->n] = i;
    p->first[p->n + 1] = i + count;
    for (int m = 0; m < count; ++m) p->parent[i + m] = p->n;
    p->coarsened = p->coarsened || count > 1;
    ++p->n;
}

/* Whether all coarse cells have `count` fine cells; the last one may have fewer. */
static int pairs_all(const struct pairs *p, int count)
{
    int all = 1;
    for (int i = 0; i + 1 < p->n; ++i) all = all && p->first[i + 1] - p->first[i] == count;
    return all;
}

kol_status multigrid_pairs_halve(const struct line *l, int halved, struct pairs *out)
{
    TRY(pairs_make(l->n, out));
    for (int i = 0; i < l->n; i = out->first[out->n]) pairs_add(out, i, halved && i + 1 < l->n ? 2 : 1);
    out->regular = 1;
    return KOL_OK;
}

double multigrid_pairs_coupling(const struct line *l, int i)
{
    const double below = l->width[line_fold(i - 1, l->n)], above = l->width[line_fold(i, l->n)];
    return line_inverse(l, i) * (1 / below + 1 / above);
}

/* The cell after the row of cells from i on in which neighbours are coupled so. */
static int row_end(const struct line *l, double least, int i)
{
    int end = i + 1;
    while (end < l->n && multigrid_pairs_coupling(l, end) >= least) ++end;
    return end;
}

kol_status multigrid_pairs_couple(const struct line *l, double least, struct pairs *out)
{
    const double enough = least * (1 - SAME);
    TRY(pairs_make(l->n, out));
    for (int i = 0; i < l->n;) {
        const int end = row_end(l, enough, i);
        const double first = multigrid_pairs_coupling(l, i + 1), last = multigrid_pairs_coupling(l, end - 1);
        if ((end - i) % 2 != 0 && end - i > 1 && first < last * (1 - SAME)) pairs_add(out, i++, 1);
        for (; i < end; i = out->first[out->n]) pairs_add(out, i, i + 1 < end ? 2 : 1);
    }
    out->regular = pairs_all(out, 1) || pairs_all(out, 2);
    return KOL_OK;
}

void multigrid_pairs_destroy(struct pairs *p)
{
    free(p->first);
    free(p->parent);
    memset(p, 0, sizeof *p);
}

int multigrid_pairs_begin(const struct pairs *p, int i)
{
    return i + 1 < p->first[p->n] && p->parent[i] == p->parent[i + 1];
}

int multigrid_pairs_from(const struct pairs *p, int i)
{
    if (i >= p->first[p->n]) return p->n;
    return p->first[p->parent[i]] == i ? p->parent[i] : p->parent[i] + 1;
}
