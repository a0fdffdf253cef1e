/* Sums values in cells along directions, rank after rank. */
#include "cell_lines.h"

#include <stdlib.h>
#include <string.h>
#include "inputs/statistics_wanted.h"

static ptrdiff_t cells_of(const struct domain *domain)
{
    const struct box b = domain->grid.box;
    return (ptrdiff_t)b.nx * b.ny;
}

void cell_lines_set(const struct domain *domain, struct cell_lines *l)
{
    const struct decomp *d = &domain->decomp;
    memset(l, 0, sizeof *l);
    l->domain = domain;
    l->holds = 1;
    l->length = 1;
    cells_directions(domain->in, l->along);
    for (int dir = 0; dir < 3; ++dir) {
        l->n[dir] = l->along[dir] ? 1 : d->n[dir];
        l->several += l->along[dir];
        if (!l->along[dir]) continue;
        if (d->coord[dir] < d->ranks[dir] - 1) l->holds = 0;
        l->length *= domain->grid.face[dir][d->n_g[dir]] - domain->grid.face[dir][0];
    }
}

kol_status cell_lines_create(const struct domain *domain, struct cell_lines *l)
{
    cell_lines_set(domain, l);
    l->plane = malloc((size_t)cells_of(domain) * sizeof *l->plane);
    l->sum = malloc((size_t)cells_of(domain) * sizeof *l->sum);
    if (l->plane == NULL || l->sum == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory to average %td cells of a plane", cells_of(domain));
    return KOL_OK;
}

void cell_lines_destroy(struct cell_lines *l)
{
    free(l->plane);
    free(l->sum);
    l->plane = l->sum = NULL;
}

void cell_lines_count(struct memory *memory, const struct domain *domain)
{
    struct memory planes = {.host = 0};
    planes.host = 2 * (size_t)cells_of(domain) * sizeof(double);
    memory_for_a_while(memory, &planes);
}

/* Takes over the sums of the ranks below along a direction, 0 if there are none. */
static kol_status take_over(const struct cell_lines *l, int dir, int count, double *sum)
{
    if (l->domain->decomp.coord[dir] == 0) memset(sum, 0, (size_t)count * sizeof *sum);
    else
        MPI_TRY(MPI_Recv(sum, count, MPI_DOUBLE, decomp_next(&l->domain->decomp, dir, -1), dir,
                         l->domain->comm.mpi, MPI_STATUS_IGNORE));
    return KOL_OK;
}

/* Passes the sums on to the rank above. *ends: whether there is none. */
static kol_status pass_on(const struct cell_lines *l, int dir, int count, const double *sum, int *ends)
{
    const struct decomp *d = &l->domain->decomp;
    *ends = d->coord[dir] == d->ranks[dir] - 1;
    if (!*ends)
        MPI_TRY(MPI_Send(sum, count, MPI_DOUBLE, decomp_next(&l->domain->decomp, dir, 1), dir,
                         l->domain->comm.mpi));
    return KOL_OK;
}

static double weight_of(const struct cell_lines *l, int weighted, int dir, int i)
{
    return weighted ? grid_width(&l->domain->grid, dir, l->domain->decomp.offset[dir] + i) : 1;
}

static kol_status sum_z(struct cell_lines *l, int weighted, cell_lines_get *get, void *context, int *ends)
{
    const int count = (int)cells_of(l->domain), nz = l->domain->decomp.n[Z];
    TRY(take_over(l, Z, count, l->sum));
    for (int k = 0; k < nz; ++k) {
        const double width = weight_of(l, weighted, Z, k);
        TRY(get(context, k, l->plane));
        for (int i = 0; i < count; ++i) l->sum[i] += width * l->plane[i];
    }
    return pass_on(l, Z, count, l->sum, ends);
}

/* Sums l->sum, ny lines of nx values, along its lines. The sums are in l->sum, too. */
static kol_status sum_x(struct cell_lines *l, int weighted, int *ends)
{
    const int nx = l->domain->decomp.n[X], ny = l->domain->decomp.n[Y];
    TRY(take_over(l, X, ny, l->plane));
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) l->plane[j] += weight_of(l, weighted, X, i) * l->sum[j * nx + i];
    memcpy(l->sum, l->plane, (size_t)ny * sizeof *l->sum);
    return pass_on(l, X, ny, l->sum, ends);
}

/* Sums the lines of l->sum, which have n[X] values. */
static kol_status sum_y(struct cell_lines *l, int weighted, int *ends)
{
    const int nx = l->n[X], ny = l->domain->decomp.n[Y];
    TRY(take_over(l, Y, nx, l->plane));
    for (int j = 0; j < ny; ++j) {
        const double width = weight_of(l, weighted, Y, j);
        for (int i = 0; i < nx; ++i) l->plane[i] += width * l->sum[j * nx + i];
    }
    memcpy(l->sum, l->plane, (size_t)nx * sizeof *l->sum);
    return pass_on(l, Y, nx, l->sum, ends);
}

kol_status cell_lines_sum(struct cell_lines *l, int k, int weighted, cell_lines_get *get, void *context,
                          double *out)
{
    int ends = 1;
    TRY(l->along[Z] ? sum_z(l, weighted, get, context, &ends) : get(context, k, l->sum));
    if (ends && l->along[X]) TRY(sum_x(l, weighted, &ends));
    if (ends && l->along[Y]) TRY(sum_y(l, weighted, &ends));
    if (ends) memcpy(out, l->sum, (size_t)l->n[X] * (size_t)l->n[Y] * sizeof *out);
    return KOL_OK;
}

void cell_lines_axes(const struct cell_lines *l, double ends[3][2], struct io_axis axis[3])
{
    for (int d = 0; d < 3; ++d) {
        const int n = l->domain->decomp.n_g[d];
        const double *face = l->domain->grid.face[d];
        ends[d][0] = face[0];
        ends[d][1] = face[n];
        axis[d] = l->along[d] ? (struct io_axis){1, ends[d]} : (struct io_axis){n, face};
    }
}
