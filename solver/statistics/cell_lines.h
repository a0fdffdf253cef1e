/* Sums of values in cells along chosen directions, over all ranks, for averages in every cell that are also
 * taken along homogeneous directions. docs/statistics.md, "Every cell". */
#ifndef KOL_STATISTICS_CELL_LINES_H
#define KOL_STATISTICS_CELL_LINES_H

#include "io/view.h"
#include "parallel/memory.h"
#include "state/domain.h"

/* cell_lines: the directions of the sums, and host memory for two planes of cells.
 *
 *   along    whether sums are taken along x, y, z
 *   several  number of these directions
 *   n        number of sums on this rank in each direction: 1 along these directions, own cells in others
 *   holds    whether this rank gets the sums: it is the last one along each of these directions
 *   length   product of the lengths of the box along these directions
 *
 * domain is borrowed. */
struct cell_lines {
    const struct domain *domain;
    int along[3], several, n[3], holds;
    double length;
    double *plane, *sum;
};

/* cell_lines_set: sets all members but the memory, for the directions that the input names.
 * cell_lines_create: does the same and allocates the planes. cell_lines_destroy: frees them.
 * cell_lines_count: counts the planes as memory that is taken for a while. */
void cell_lines_set(const struct domain *domain, struct cell_lines *l);
kol_status cell_lines_create(const struct domain *domain, struct cell_lines *l);
void cell_lines_destroy(struct cell_lines *l);
void cell_lines_count(struct memory *memory, const struct domain *domain);

/* cell_lines_sum: sums a value in cells along the directions.
 *
 *   k         plane of the sums, 0 .. n[Z] - 1
 *   weighted  whether each value is multiplied by the widths of its cell along the directions
 *   get       computes the value in own plane k of the cells, x fastest
 *   out       n[X] times n[Y] sums if this rank holds them; it is not touched on other ranks
 *
 * Values are added one by one, along z, then x, then y, so that sums have the same bits on any number of
 * ranks. Collective over the ranks along these directions. */
typedef kol_status cell_lines_get(void *context, int k, double *plane);
kol_status cell_lines_sum(struct cell_lines *l, int k, int weighted, cell_lines_get *get, void *context,
                          double *out);

/* cell_lines_axes: makes the axes that files of these sums have. Along the directions of the sums they have
 * one cell. ends: memory for the faces of such cells. */
void cell_lines_axes(const struct cell_lines *l, double ends[3][2], struct io_axis axis[3]);

#endif
