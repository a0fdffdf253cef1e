/* Interpolates fields of a file along one direction after the other. Slabs of planes have complete lines
 * along x and y. Then the distribution over the ranks is changed to slabs of rows, which have complete lines
 * along z. */
#include "transfer.h"

#include <stdlib.h>

/* --- distributions --- */

/* Divides n things over all ranks, in order. */
static void cut(int n, int rank, int ranks, int *lo, int *hi)
{
    *lo = (int)((long long)n * rank / ranks);
    *hi = (int)((long long)n * (rank + 1) / ranks);
}

/* Planes of the file's grid in z; nx and ny may be those of either grid. */
static struct piece old_planes(const struct transfer *t, int rank, int nx, int ny)
{
    struct piece p = {{0, 0, 0}, {nx, ny, 0}};
    cut(t->from[Z], rank, t->domain->comm.size, &p.lo[Z], &p.hi[Z]);
    return p;
}

static struct piece planes(const void *context, int rank)
{
    const struct transfer *t = context;
    return old_planes(t, rank, t->to[X], t->to[Y]);
}

static struct piece rows_of(const struct transfer *t, int rank, int nz)
{
    struct piece p = {{0, 0, 0}, {t->to[X], 0, nz}};
    cut(t->to[Y], rank, t->domain->comm.size, &p.lo[Y], &p.hi[Y]);
    return p;
}

static struct piece old_rows(const void *context, int rank)
{
    const struct transfer *t = context;
    return rows_of(t, rank, t->from[Z]);
}

static struct piece new_rows(const void *context, int rank)
{
    const struct transfer *t = context;
    return rows_of(t, rank, t->to[Z]);
}

static struct piece solver_box(const void *context, int rank)
{
    const struct transfer *t = context;
    const struct decomp *mine = &t->domain->decomp;
    struct decomp d;
    struct piece p = {{0, 0, 0}, {0, 0, 0}};
    if (decomp_create(mine->n_g, mine->ranks, t->domain->comm.size, rank, &d) != KOL_OK)
        return p; /* it was made */
    for (int i = 0; i < 3; ++i) {
        p.lo[i] = d.offset[i];
        p.hi[i] = d.offset[i] + d.n[i];
    }
    return p;
}

/* --- one field --- */

const struct interpolate_line *transfer_map(const struct transfer *t, int direction, int normal)
{
    return direction == normal ? &t->points[direction] : &t->averages[direction];
}

kol_status transfer_field(const struct transfer *t, transfer_read read, void *source, const void *what,
                          int normal, double *a, double *b)
{
    const struct comm *c = &t->domain->comm;
    const struct piece p = planes(t, c->rank), q = new_rows(t, c->rank);
    const ptrdiff_t old_planes_here = p.hi[Z] - p.lo[Z], rows_here = q.hi[Y] - q.lo[Y];
    TRY(read(source, what, old_planes(t, c->rank, t->from[X], t->from[Y]), a));
    interpolate_line_apply(transfer_map(t, X, normal), 1, old_planes_here * t->from[Y], a, b);
    interpolate_line_apply(transfer_map(t, Y, normal), t->to[X], old_planes_here, b, a);
    TRY(remap(NULL, c, (int)sizeof *a, planes, t, a, old_rows, t, b));
    interpolate_line_apply(transfer_map(t, Z, normal), t->to[X] * rows_here, 1, b, a);
    TRY(remap(NULL, c, (int)sizeof *a, new_rows, t, a, solver_box, t, b));
    return KOL_OK;
}

/* --- maps and memory --- */

kol_status transfer_maps(struct transfer *t, int centred)
{
    const struct grid *g = &t->domain->grid;
    for (int d = 0; d < 3; ++d) {
        const int n = t->to[d] = g->n_g[d], periodic = g->periodic[d];
        TRY((centred ? interpolate_line_centres : interpolate_line_points)(
            t->from[d], t->face[d], n, g->face[d], periodic, &t->points[d]));
        TRY(interpolate_line_averages(t->from[d], t->face[d], n, g->face[d], periodic, &t->averages[d]));
    }
    return KOL_OK;
}

void transfer_free(struct transfer *t)
{
    for (int d = 0; d < 3; ++d) {
        free(t->face[d]);
        interpolate_line_free(&t->points[d]);
        interpolate_line_free(&t->averages[d]);
    }
}

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Number of values in the largest piece that a rank holds during the transfer. */
static size_t room(const struct transfer *t)
{
    const int rank = t->domain->comm.rank;
    size_t n = piece_count(old_planes(t, rank, t->from[X], t->from[Y]));
    n = largest(n, piece_count(old_planes(t, rank, t->to[X], t->from[Y])));
    n = largest(n, piece_count(planes(t, rank)));
    n = largest(n, piece_count(old_rows(t, rank)));
    n = largest(n, piece_count(new_rows(t, rank)));
    return largest(n, piece_count(solver_box(t, rank))) + 1;
}

kol_status transfer_arrays(struct memory *memory, const struct transfer *t, double **a, double **b)
{
    const size_t n = room(t);
    TRY(memory_plain(memory, n * sizeof **a, (void **)a));
    return memory_plain(memory, n * sizeof **b, (void **)b);
}

kol_status transfer_count(struct memory *memory, const struct domain *domain)
{
    struct transfer t = {.domain = domain};
    struct memory first = {.host = 0}, second = {.host = 0};
    const struct comm *c = &domain->comm;
    double *a = NULL, *b = NULL;
    for (int d = 0; d < 3; ++d) t.from[d] = t.to[d] = domain->decomp.n_g[d];
    TRY(transfer_arrays(memory, &t, &a, &b));
    TRY(remap(&first, c, (int)sizeof *a, planes, &t, NULL, old_rows, &t, NULL));
    TRY(remap(&second, c, (int)sizeof *a, new_rows, &t, NULL, solver_box, &t, NULL));
    memory_for_a_while(memory, &first);
    memory_for_a_while(memory, &second);
    return KOL_OK;
}
