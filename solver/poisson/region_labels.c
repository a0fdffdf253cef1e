/* Finds the connected regions of fluid: first those of the cells of each rank, then which of these are
 * connected over the faces between ranks. */
#include "region_labels.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The largest number that a value of a field represents without rounding. */
static const double COUNTED = KOL_CHOOSE(9007199254740992.0, 16777216.0);

/* part: a region of the cells of one rank, with the number of its cells and the first of them in the grid. */
struct part {
    double cells, first;
};

/* search: what the steps share. label: number of the part of each own cell, over all ranks; -1 in dead cells.
 * */
struct search {
    const struct domain *domain;
    unsigned char *open; /* host copy */
    int *label;
    int base, parts, total; /* own parts begin with `base`; own ones; those of all ranks */
    struct part *part;      /* own ones, then all */
    int (*link)[2];         /* pairs of connected parts; own ones, then all */
    int links;
    int *root; /* root[p]: a part with a smaller number of the same region, or p itself */
};

static ptrdiff_t own(struct box b, int i, int j, int k)
{
    return ((ptrdiff_t)k * b.ny + j) * b.nx + i;
}

/* The own cell beyond face f of cell c, or -1: the face is closed or a wall, or the cell belongs to another
 * rank. */
static ptrdiff_t beside(const struct search *s, const int c[3], int f)
{
    const struct grid *g = &s->domain->grid;
    const struct decomp *dc = &s->domain->decomp;
    const struct box b = g->box;
    const int d = f / 2, n[3] = {b.nx, b.ny, b.nz};
    int to[3] = {c[0], c[1], c[2]};
    if (!(s->open[at(b, c[0], c[1], c[2])] >> f & 1)) return -1;
    to[d] += f % 2 ? 1 : -1;
    if (to[d] < 0 || to[d] >= n[d]) {
        if (dc->ranks[d] > 1 || !g->periodic[d]) return -1;
        to[d] = (to[d] + n[d]) % n[d];
    }
    return own(b, to[0], to[1], to[2]);
}

/* Gives the cells that are connected with cell q the label of the next part. todo: as many places as own
 * cells. */
static void flood(struct search *s, ptrdiff_t q, ptrdiff_t *todo)
{
    const struct box b = s->domain->grid.box;
    ptrdiff_t count = 0;
    todo[count++] = q;
    s->label[q] = s->parts;
    while (count > 0) {
        const ptrdiff_t p = todo[--count];
        const int c[3] = {(int)(p % b.nx), (int)(p / b.nx % b.ny), (int)(p / b.nx / b.ny)};
        ++s->part[s->parts].cells;
        for (int f = 0; f < FACES; ++f) {
            const ptrdiff_t next = beside(s, c, f);
            if (next < 0 || s->label[next] >= 0) continue;
            s->label[next] = s->parts;
            todo[count++] = next;
        }
    }
    ++s->parts;
}

static kol_status part_add(struct search *s, ptrdiff_t q, int *room)
{
    const struct box b = s->domain->grid.box;
    const int *n = s->domain->decomp.n_g, *o = s->domain->decomp.offset;
    if (s->parts == *room) {
        const int more = 2 * *room + 64;
        struct part *p = realloc(s->part, (size_t)more * sizeof *p);
        if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d regions of fluid", more);
        s->part = p;
        *room = more;
    }
    const int i = (int)(q % b.nx) + o[X], j = (int)(q / b.nx % b.ny) + o[Y],
              k = (int)(q / b.nx / b.ny) + o[Z];
    s->part[s->parts] = (struct part){0, ((double)k * n[Y] + j) * n[X] + i};
    return KOL_OK;
}

/* The parts of this rank. */
static kol_status find_parts(struct search *s)
{
    const struct box b = s->domain->grid.box;
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    kol_status st = KOL_OK;
    int room = 0;
    ptrdiff_t *todo = malloc((size_t)cells * sizeof *todo);
    s->open = malloc((size_t)b.size);
    s->label = malloc((size_t)cells * sizeof *s->label);
    if (todo == NULL || s->open == NULL || s->label == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the regions of fluid");
        goto done;
    }
    TRY_OR(done, mem_to_host(s->open, s->domain->grid.open, (size_t)b.size));
    for (ptrdiff_t q = 0; q < cells; ++q) s->label[q] = -1;
    for (ptrdiff_t q = 0; q < cells; ++q) {
        const int i = (int)(q % b.nx), j = (int)(q / b.nx % b.ny), k = (int)(q / b.nx / b.ny);
        if (s->open[at(b, i, j, k)] == 0 || s->label[q] >= 0) continue;
        TRY_OR(done, part_add(s, q, &room));
        flood(s, q, todo);
    }
done:
    free(todo);
    return st;
}

/* --- over the faces between ranks --- */

static kol_status link_add(struct search *s, int a, int c, int *room)
{
    if (s->links > 0 && s->link[s->links - 1][0] == a && s->link[s->links - 1][1] == c) return KOL_OK;
    if (s->links == *room) {
        const int more = 2 * *room + 256;
        void *p = realloc(s->link, (size_t)more * sizeof *s->link);
        if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d links of regions", more);
        s->link = p;
        *room = more;
    }
    s->link[s->links][0] = a;
    s->link[s->links++][1] = c;
    return KOL_OK;
}

/* Links over the upper faces of this rank. labels: with their halo, one more than the label. */
static kol_status find_links(struct search *s, const real *labels)
{
    const struct grid *g = &s->domain->grid;
    const struct box b = g->box;
    const struct decomp *dc = &s->domain->decomp;
    const int n[3] = {b.nx, b.ny, b.nz};
    int room = 0;
    for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3, last = dc->offset[d] + n[d] == dc->n_g[d];
        int c[3];
        if (dc->ranks[d] == 1 || (last && !g->periodic[d])) continue;
        c[d] = n[d] - 1;
        for (c[f] = 0; c[f] < n[f]; ++c[f]) {
            for (c[e] = 0; c[e] < n[e]; ++c[e]) {
                int to[3] = {c[0], c[1], c[2]};
                ++to[d];
                if (!(s->open[at(b, c[0], c[1], c[2])] >> (2 * d + 1) & 1)) continue;
                TRY(link_add(s, s->base + s->label[own(b, c[0], c[1], c[2])],
                             (int)labels[at(b, to[0], to[1], to[2])] - 1, &room));
            }
        }
    }
    return KOL_OK;
}

/* Exchanges the labels with the other ranks, and finds links with their parts. */
static kol_status exchange_labels(struct search *s)
{
    const struct domain *domain = s->domain;
    const struct box b = domain->grid.box;
    real *field = NULL, *host = NULL;
    kol_status st = KOL_OK;
    TRY(pool_hold(domain->pool, "labels of regions", &field));
    st = mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host);
    if (st == KOL_OK) {
        memset(host, 0, (size_t)b.size * sizeof *host);
        for (int k = 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; ++i) {
                    const int label = s->label[own(b, i, j, k)];
                    host[at(b, i, j, k)] = (real)(label < 0 ? 0 : s->base + label + 1);
                }
        st = mem_to_kernel(field, host, (size_t)b.size * sizeof *host);
    }
    TRY_OR(done, comm_agree(&domain->comm, st));
    TRY_OR(done, halo_fill_one(domain->halo, field, HALO_FACES));
    TRY_OR(done, mem_to_host(host, field, (size_t)b.size * sizeof *host));
    st = find_links(s, host);
done:
    mem_host_free(host);
    if (st == KOL_OK) return pool_drop(domain->pool, &field);
    return st;
}

/* Gathers `own` items of `bytes` bytes of every rank. *total: the items of all ranks. */
static kol_status gather_items(const struct comm *c, int own_items, size_t bytes, void **items, int *total)
{
    int *counts = malloc(2 * (size_t)c->size * sizeof *counts), *before = counts + c->size, rc;
    if (counts == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d ranks", c->size);
    const int size = own_items * (int)bytes;
    rc = MPI_Allgather(&size, 1, MPI_INT, counts, 1, MPI_INT, c->mpi);
    int all = 0;
    for (int r = 0; r < c->size; ++r) {
        before[r] = all;
        all += counts[r];
    }
    void *to = malloc((size_t)all + 1);
    if (rc == MPI_SUCCESS && to != NULL)
        rc = MPI_Allgatherv(*items, size, MPI_BYTE, to, counts, before, MPI_BYTE, c->mpi);
    free(counts);
    free(*items);
    *items = to;
    *total = all / (int)bytes;
    if (to == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the regions of all ranks");
    MPI_TRY(rc);
    return KOL_OK;
}

static int root_of(struct search *s, int p)
{
    while (s->root[p] != p) {
        s->root[p] = s->root[s->root[p]];
        p = s->root[p];
    }
    return p;
}

/* Joins the parts of all ranks to regions. */
static kol_status join(struct search *s)
{
    s->root = malloc(((size_t)s->total + 1) * sizeof *s->root);
    if (s->root == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d regions of fluid", s->total);
    for (int p = 0; p < s->total; ++p) s->root[p] = p;
    for (int n = 0; n < s->links; ++n) {
        const int a = root_of(s, s->link[n][0]), c = root_of(s, s->link[n][1]);
        if (a < c) s->root[c] = a;
        else s->root[a] = c;
    }
    for (int p = 0; p < s->total; ++p) {
        const int r = root_of(s, p);
        if (r == p) continue;
        s->part[r].cells += s->part[p].cells;
        if (s->part[p].first < s->part[r].first) s->part[r].first = s->part[p].first;
    }
    return KOL_OK;
}

/* --- numbers of regions, and lists --- */

/* numbered: a region and where it begins. */
struct numbered {
    double first;
    int root;
};

static int by_first(const void *a, const void *b)
{
    const struct numbered *s = a, *t = b;
    return (s->first > t->first) - (s->first < t->first);
}

/* Numbers the regions. number[p]: that of the region of part p, of all ranks. */
static kol_status number_regions(struct search *s, int *number, struct region_labels *l)
{
    struct numbered *r = malloc(((size_t)s->total + 1) * sizeof *r);
    int main_one = 0;
    if (r == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d regions of fluid", s->total);
    l->count = 0;
    for (int p = 0; p < s->total; ++p) {
        if (s->root[p] != p) continue;
        r[l->count++] = (struct numbered){s->part[p].first, p};
    }
    qsort(r, (size_t)l->count, sizeof *r, by_first);
    for (int n = 1; n < l->count; ++n)
        if (s->part[r[n].root].cells > s->part[r[main_one].root].cells) main_one = n;
    for (int n = 0; n < l->count; ++n) number[r[n].root] = n == main_one ? 0 : n < main_one ? n + 1 : n;
    for (int p = 0; p < s->total; ++p) number[p] = number[root_of(s, p)];
    free(r);
    return KOL_OK;
}

/* listed: an own cell of a region other than the main one. */
struct listed {
    int region, block, i, j, k;
};

static int in_order(const void *a, const void *b)
{
    const struct listed *s = a, *t = b;
    const int v[5] = {s->region, s->block, s->k, s->j, s->i}, w[5] = {t->region, t->block, t->k, t->j, t->i};
    for (int n = 0; n < 5; ++n)
        if (v[n] != w[n]) return v[n] < w[n] ? -1 : 1;
    return 0;
}

/* The reduction block of a cell of this rank in direction d, counted over the whole grid. */
static int block_of(const struct decomp *d, int dir, int i)
{
    int n = d->first_block[dir];
    while (decomp_block_start(d, dir, n + 1) <= d->offset[dir] + i) ++n;
    return n;
}

static ptrdiff_t list_cells(const struct search *s, const int *number, const int *const block[3],
                            struct listed *out)
{
    const struct box b = s->domain->grid.box;
    const struct decomp *d = &s->domain->decomp;
    ptrdiff_t count = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int label = s->label[own(b, i, j, k)], region = label < 0 ? 0 : number[s->base + label];
                if (region == 0) continue;
                if (out != NULL)
                    out[count] = (struct listed){
                        region, (block[Z][k] * d->blocks_g[Y] + block[Y][j]) * d->blocks_g[X] + block[X][i],
                        i, j, k};
                ++count;
            }
    return count;
}

static double volume_of(const struct domain *domain, int i, int j, int k)
{
    const int *o = domain->decomp.offset;
    const struct grid *g = &domain->grid;
    return grid_width(g, X, i + o[X]) * grid_width(g, Y, j + o[Y]) * grid_width(g, Z, k + o[Z]);
}

/* Fills the lists of segments from sorted cells. */
static kol_status fill_lists(const struct search *s, const struct listed *cell, ptrdiff_t count,
                             struct region_labels *l)
{
    const struct box b = s->domain->grid.box;
    const size_t room = (size_t)count + 1;
    l->first = malloc(room * sizeof *l->first);
    l->region = malloc(room * sizeof *l->region);
    l->block = malloc(room * sizeof *l->block);
    l->cell = malloc(room * sizeof *l->cell);
    l->cell_volume = malloc(room * sizeof *l->cell_volume);
    if (l->first == NULL || l->region == NULL || l->block == NULL || l->cell == NULL ||
        l->cell_volume == NULL || count > INT_MAX)
        RAISE(KOL_ERR_MEMORY, "no memory for the lists of %td cells", count);
    l->segments = 0;
    for (ptrdiff_t n = 0; n < count; ++n) {
        const struct listed c = cell[n];
        if (n == 0 || c.region != cell[n - 1].region || c.block != cell[n - 1].block) {
            l->first[l->segments] = (int)n;
            l->region[l->segments] = c.region;
            l->block[l->segments++] = c.block;
        }
        l->cell[n] = at(b, c.i, c.j, c.k);
        l->cell_volume[n] = (real)volume_of(s->domain, c.i, c.j, c.k);
    }
    l->first[l->segments] = (int)count;
    return KOL_OK;
}

static kol_status make_lists(const struct search *s, const int *number, struct region_labels *l)
{
    const struct box b = s->domain->grid.box;
    const int n[3] = {b.nx, b.ny, b.nz};
    int *block[3] = {NULL, NULL, NULL};
    struct listed *cell = NULL;
    kol_status st = KOL_OK;
    for (int d = 0; d < 3; ++d) {
        block[d] = malloc((size_t)n[d] * sizeof *block[d]);
        if (block[d] == NULL) {
            st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d cells", n[d]);
            goto done;
        }
        for (int i = 0; i < n[d]; ++i) block[d][i] = block_of(&s->domain->decomp, d, i);
    }
    const int *const blocks[3] = {block[X], block[Y], block[Z]};
    const ptrdiff_t count = list_cells(s, number, blocks, NULL);
    cell = malloc(((size_t)count + 1) * sizeof *cell);
    if (cell == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the lists of %td cells", count);
        goto done;
    }
    (void)list_cells(s, number, blocks, cell);
    qsort(cell, (size_t)count, sizeof *cell, in_order);
    st = fill_lists(s, cell, count, l);
done:
    for (int d = 0; d < 3; ++d) free(block[d]);
    free(cell);
    return st;
}

static kol_status gather_parts(struct search *s)
{
    const struct comm *c = &s->domain->comm;
    int links = 0;
    TRY(gather_items(c, s->parts, sizeof *s->part, (void **)&s->part, &s->total));
    TRY(gather_items(c, s->links, sizeof *s->link, (void **)&s->link, &links));
    s->links = links;
    return KOL_OK;
}

/* Counts the parts of the ranks before this one, and of all. */
static kol_status count_parts(struct search *s)
{
    const struct comm *c = &s->domain->comm;
    MPI_TRY(MPI_Exscan(&s->parts, &s->base, 1, MPI_INT, MPI_SUM, c->mpi));
    if (c->rank == 0) s->base = 0;
    MPI_TRY(MPI_Allreduce(&s->parts, &s->total, 1, MPI_INT, MPI_SUM, c->mpi));
    if (s->total == 0)
        RAISE(KOL_ERR_INPUT,
              "bodies: no face of any cell is open, so there is no fluid; make the bodies smaller");
    if (s->total >= COUNTED)
        RAISE(KOL_ERR_INPUT, "bodies: %d regions of fluid are more than this precision can number", s->total);
    return KOL_OK;
}

kol_status region_labels_make(const struct domain *domain, struct region_labels *out)
{
    struct search s = {.domain = domain};
    int *number = NULL;
    kol_status st = KOL_OK;
    memset(out, 0, sizeof *out);
    TRY_OR(done, comm_agree(&domain->comm, find_parts(&s)));
    TRY_OR(done, count_parts(&s));
    TRY_OR(done, comm_agree(&domain->comm, exchange_labels(&s)));
    TRY_OR(done, comm_agree(&domain->comm, gather_parts(&s)));
    number = malloc((size_t)s.total * sizeof *number);
    st = number == NULL
             ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %d regions", s.total)
             : join(&s);
    if (st == KOL_OK) st = number_regions(&s, number, out);
    if (st == KOL_OK) st = make_lists(&s, number, out);
    st = comm_agree(&domain->comm, st);
done:
    free(number);
    free(s.open);
    free(s.label);
    free(s.part);
    free(s.link);
    free(s.root);
    return st;
}

void region_labels_destroy(struct region_labels *l)
{
    free(l->first);
    free(l->region);
    free(l->block);
    free(l->cell);
    free(l->cell_volume);
    memset(l, 0, sizeof *l);
}
