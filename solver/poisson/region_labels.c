/* Takes the regions of the grid in the order that the pressure needs, and lists their cells. */
#include "region_labels.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "state/regions.h"

/* The number of a region in the lists: the main one, which has the most cells, is 0, and the others keep
 * their order. main_one: its number in struct regions. */
static int number_of(int region, int main_one)
{
    return region == main_one ? 0 : region < main_one ? region + 1 : region;
}

static int find_main(const struct regions *r)
{
    int main_one = 0;
    for (int n = 1; n < r->count; ++n)
        if (r->cells[n] > r->cells[main_one]) main_one = n;
    return main_one;
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

static ptrdiff_t list_cells(const struct domain *domain, const struct regions *r, const int *const block[3],
                            struct listed *out)
{
    const struct box b = domain->grid.box;
    const struct decomp *d = &domain->decomp;
    const int main_one = find_main(r), *label = r->label;
    ptrdiff_t count = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i, ++label) {
                const int region = *label < 0 ? 0 : number_of(*label, main_one);
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
static kol_status fill_lists(const struct domain *domain, const struct listed *cell, ptrdiff_t count,
                             struct region_labels *l)
{
    const struct box b = domain->grid.box;
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
        l->cell_volume[n] = (real)volume_of(domain, c.i, c.j, c.k);
    }
    l->first[l->segments] = (int)count;
    return KOL_OK;
}

static kol_status make_lists(const struct domain *domain, const struct regions *r, struct region_labels *l)
{
    const struct box b = domain->grid.box;
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
        for (int i = 0; i < n[d]; ++i) block[d][i] = block_of(&domain->decomp, d, i);
    }
    const int *const blocks[3] = {block[X], block[Y], block[Z]};
    const ptrdiff_t count = list_cells(domain, r, blocks, NULL);
    cell = malloc(((size_t)count + 1) * sizeof *cell);
    if (cell == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the lists of %td cells", count);
        goto done;
    }
    (void)list_cells(domain, r, blocks, cell);
    qsort(cell, (size_t)count, sizeof *cell, in_order);
    st = fill_lists(domain, cell, count, l);
done:
    for (int d = 0; d < 3; ++d) free(block[d]);
    free(cell);
    return st;
}

/* Finds the regions from a host copy of the mask. */
static kol_status find_regions(const struct domain *domain, struct regions *r)
{
    const struct grid *g = &domain->grid;
    unsigned char *open = malloc((size_t)g->box.size);
    kol_status st =
        open != NULL ? mem_to_host(open, g->open, (size_t)g->box.size)
                     : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the regions of fluid");
    st = comm_agree(&domain->comm, st);
    if (st == KOL_OK) st = regions_create(&domain->comm, &domain->decomp, g, open, r);
    free(open);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "regions_create");
    if (r->count == 0)
        RAISE(KOL_ERR_INPUT,
              "bodies: no face of any cell is open, so there is no fluid; make the bodies smaller");
    return KOL_OK;
}

kol_status region_labels_make(const struct domain *domain, struct region_labels *out)
{
    struct regions r = {0, NULL, NULL};
    memset(out, 0, sizeof *out);
    kol_status st = find_regions(domain, &r);
    if (st == KOL_OK) {
        out->count = r.count;
        st = comm_agree(&domain->comm, make_lists(domain, &r, out));
    }
    regions_destroy(&r);
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
