/* Chooses which cells of a multigrid level become one on the next level. */
#include "multigrid_coarsening.h"

#include <math.h>
#include <stdlib.h>
#include "multigrid_smoother.h"

/* A direction is halved when its spacing is below this many times the smallest: coarser grids become
 * isotropic, and what they can't show is what the smoother damps (docs/numerics/multigrid.md). */
static const double HALVED_BELOW = 2.1;
/* Directions are no longer halved as a whole where widths of a direction differ by more than WIDTHS_MOST, or
 * where two or more are stretched and the smoother's interval would have to be narrowed by more than
 * NARROWED_MOST. */
static const double NARROWED_MOST = 1.25, WIDTHS_MOST = 500;
/* Widths that differ by this part are those of a uniform direction. */
static const double UNIFORM = 1e-6;
/* Neighbours become one if their coupling is at least the strongest over COUPLING_RANGE. That is doubled
 * until the next level has at most SHRUNK of the cells, and with every level after LEVELS_SLOW. */
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

/* The spacing that decides on halving. */
static double spacing(const struct line *l)
{
    double least, most;
    extremes(l, &least, &most);
    return sqrt(least * most);
}

/* Directions with one cell count no more. */
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

/* grids: the directions of a level, and their pairs, while the choice looks at them. */
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

/* g becomes the next level of halved directions. *narrowed: of this one. */
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
    int stretched = 0;
    kol_status st = KOL_OK;
    *out = 0;
    for (int d = 0; d < 3; ++d) {
        double least, most;
        extremes(&line[d], &least, &most);
        stretched += most > (1 + UNIFORM) * least;
        *out = *out || most > WIDTHS_MOST * least;
    }
    if (*out || stretched < 2) return KOL_OK;
    TRY_OR(done, copy(line, &g));
    TRY_OR(done, look(&g, linear, out));
done:
    release(&g);
    return st;
}
