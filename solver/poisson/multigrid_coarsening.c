/* Chooses which cells of a multigrid level become one on the next level. */
#include "multigrid_coarsening.h"

#include <math.h>
#include <stdlib.h>
#include "multigrid_smoother.h"

/* A direction is halved if its spacing is below HALVED_BELOW times the smallest. So coarser grids become
 * isotropic, and the smoother damps what they can't represent (docs/numerics/multigrid.md). */
static const double HALVED_BELOW = 2.1;
/* Cells are paired by coupling in three cases:
 *
 *   - the widths of any direction differ by a factor of more than WIDTHS_MOST;
 *   - in two or more directions the widths differ by a factor of more than WIDTHS_OF_TWO;
 *   - two or more directions are stretched and, with halved directions, the interval of a smoother would
 *     have to be narrowed by a factor of more than NARROWED_MOST.
 *
 * With a smaller factor, cycles with halved directions take less time in all: more of them are needed, but
 * each one is much cheaper. */
static const double NARROWED_MOST = 8, WIDTHS_MOST = 500, WIDTHS_OF_TWO = 50;
/* A direction counts as uniform if its widths differ by no more than this part. */
static const double UNIFORM = 1e-6;
/* Neighbours become one cell if their coupling is at least the strongest one divided by COUPLING_RANGE. The
 * range is doubled until the next level has at most SHRUNK of the cells. It is also doubled with every level
 * after LEVELS_SLOW, so that the number of levels stays limited. */
static const double COUPLING_RANGE = 8, SHRUNK = 0.85;
enum { LEVELS_SLOW = 16 };

double multigrid_coarsening_cells(const struct line line[3])
{
    return (double)line[0].n * line[1].n * line[2].n;
}

kol_status multigrid_coarsening_line(const struct line *fine, const struct pairs *p, struct line *out)
{
    TRY(line_make(p->n, fine->periodic, out));
    for (int i = 0; i < out->n; ++i) {
        const int first = p->first[i], two = p->first[i + 1] - first > 1;
        out->width[i] = fine->width[first] + (two ? fine->width[first + 1] : 0);
    }
    return KOL_OK;
}

/* --- complete directions --- */

static void extremes(const struct line *l, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (int i = 0; i < l->n; ++i) {
        *least = fmin(*least, l->width[i]);
        *most = fmax(*most, l->width[i]);
    }
}

/* Returns the spacing of a direction that decides whether it is halved. */
static double spacing(const struct line *l)
{
    double least, most;
    extremes(l, &least, &most);
    return sqrt(least * most);
}

/* Halves the directions of small spacing. A direction of one cell has no say. */
static kol_status pairs_by_direction(const struct line line[3], struct pairs out[3])
{
    double least = INFINITY;
    for (int d = 0; d < 3; ++d)
        if (line[d].n > 1) least = fmin(least, spacing(&line[d]));
    for (int d = 0; d < 3; ++d)
        TRY(multigrid_pairs_halve(&line[d], line[d].n > 1 && spacing(&line[d]) < HALVED_BELOW * least,
                                  &out[d]));
    return KOL_OK;
}

/* --- strong couplings --- */

static kol_status pairs_above(const struct line line[3], double least, struct pairs out[3])
{
    for (int d = 0; d < 3; ++d) {
        multigrid_pairs_destroy(&out[d]);
        TRY(multigrid_pairs_couple(&line[d], least, &out[d]));
    }
    return KOL_OK;
}

static double cells_left(const struct pairs p[3])
{
    return (double)p[0].n * p[1].n * p[2].n;
}

static kol_status pairs_by_coupling(const struct line line[3], int n, struct pairs out[3])
{
    const double cells = multigrid_coarsening_cells(line);
    double strongest = 0, range = COUPLING_RANGE * (n > LEVELS_SLOW ? exp2(n - LEVELS_SLOW) : 1);
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < line[d].n; ++i)
            strongest = fmax(strongest, multigrid_pairs_coupling(&line[d], i));
    TRY(pairs_above(line, strongest / range, out));
    while (cells_left(out) > SHRUNK * cells) {
        range *= 2;
        TRY(pairs_above(line, strongest / range, out));
    }
    return KOL_OK;
}

kol_status multigrid_coarsening_pairs(const struct line line[3], int by_coupling, int n, struct pairs out[3])
{
    for (int d = 0; d < 3; ++d) out[d] = (struct pairs){.n = 0};
    return by_coupling ? pairs_by_coupling(line, n, out) : pairs_by_direction(line, out);
}

/* --- which of both --- */

/* grids: the directions of a level and their pairs. The choice goes through the levels with it. */
struct grids {
    struct line line[3];
    struct pairs pairs[3];
};

static void release(struct grids *g)
{
    for (int d = 0; d < 3; ++d) {
        free(g->line[d].width);
        g->line[d].width = NULL;
        multigrid_pairs_destroy(&g->pairs[d]);
    }
}

/* Replaces g by its next level with halved directions. *narrowed: the factor by which the interval of the
 * smoother of the level before has to be narrowed. */
static kol_status next_level(struct grids *g, int n, int linear, double *narrowed)
{
    struct grids coarse = {.line = {{0}}};
    kol_status st = KOL_OK;
    TRY(multigrid_coarsening_pairs(g->line, 0, n, g->pairs));
    TRY(multigrid_smoother_narrowed(g->line, g->pairs, linear, narrowed));
    for (int d = 0; d < 3; ++d)
        TRY_OR(done, multigrid_coarsening_line(&g->line[d], &g->pairs[d], &coarse.line[d]));
done:
    release(g);
    *g = coarse;
    return st;
}

static kol_status copy(const struct line line[3], struct grids *g)
{
    for (int d = 0; d < 3; ++d) {
        TRY(line_make(line[d].n, line[d].periodic, &g->line[d]));
        for (int i = 0; i < line[d].n; ++i) g->line[d].width[i] = line[d].width[i];
    }
    return KOL_OK;
}

/* Goes through the levels of halved directions. *out: whether the smoother of any of them would need too
 * narrow an interval. */
static kol_status look(struct grids *g, int linear, int *out)
{
    for (int n = 0; !*out && n < MULTIGRID_COARSENING_LEVELS &&
                    (n == 0 || multigrid_coarsening_cells(g->line) > MULTIGRID_COARSENING_DENSE);
         ++n) {
        double narrowed;
        TRY(next_level(g, n, linear, &narrowed));
        *out = narrowed > NARROWED_MOST;
    }
    return KOL_OK;
}

kol_status multigrid_coarsening_by_coupling(const struct line line[3], int linear, int *out)
{
    struct grids g = {.line = {{0}}};
    int stretched = 0, unequal = 0;
    kol_status st = KOL_OK;
    *out = 0;
    for (int d = 0; d < 3; ++d) {
        double least, most;
        extremes(&line[d], &least, &most);
        stretched += most > (1 + UNIFORM) * least;
        unequal += most > WIDTHS_OF_TWO * least;
        *out = *out || most > WIDTHS_MOST * least;
    }
    *out = *out || unequal > 1;
    if (*out || stretched < 2) return KOL_OK;
    TRY_OR(done, copy(line, &g));
    TRY_OR(done, look(&g, linear, out));
done:
    release(&g);
    return st;
}
