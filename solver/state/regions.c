/* Finds connected regions on each rank by union and find, then joins those that meet between ranks. */
#include "regions.h"

#include <stdlib.h>
#include <string.h>

/* The key of a region on one rank, or of the whole, is the global index of its first cell. */
typedef long long key;

/* tree: parent[n] <= n of the cells of one rank. The root is the first cell of its region. */
static int root_of(int *parent, int n)
{
    while (parent[n] != n) {
        parent[n] = parent[parent[n]];
        n = parent[n];
    }
    return n;
}

static void join(int *parent, int a, int b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

static unsigned bits_of(const struct grid *g, const unsigned char *open, int i, int j, int k)
{
    return open[at(g->box, i, j, k)];
}

/* Joins the cells of this rank. Afterwards parent[n] is the root of cell n, or -1 if it is dead. */
static void join_own(const struct grid *g, const unsigned char *open, int *parent)
{
    const int nx = g->box.nx, ny = g->box.ny, nz = g->box.nz, cells = nx * ny * nz;
    for (int n = 0; n < cells; ++n) parent[n] = n;
    for (int k = 0, n = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i, ++n) {
                const unsigned bits = bits_of(g, open, i, j, k);
                if (i + 1 < nx && bits >> FACE_X_HIGH & 1) join(parent, n, n + 1);
                if (j + 1 < ny && bits >> FACE_Y_HIGH & 1) join(parent, n, n + nx);
                if (k + 1 < nz && bits >> FACE_Z_HIGH & 1) join(parent, n, n + nx * ny);
            }
    for (int n = 0; n < cells; ++n) parent[n] = root_of(parent, n);
    for (int k = 0, n = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i, ++n)
                if (bits_of(g, open, i, j, k) == 0) parent[n] = -1;
}

static key key_of(const struct decomp *d, const struct grid *g, int n)
{
    const int nx = g->box.nx, ny = g->box.ny;
    const key i = d->offset[X] + n % nx, j = d->offset[Y] + n / nx % ny, k = d->offset[Z] + n / (nx * ny);
    return n < 0 ? -1 : i + d->n_g[X] * (j + d->n_g[Y] * k);
}

/* layer: the own cells at the low or the high end of a direction, in a fixed order. */
static int layer_cell(const struct grid *g, int dir, int high, int m)
{
    const int n[3] = {g->box.nx, g->box.ny, g->box.nz}, a = dir == X ? Y : X, b = dir == Z ? Y : Z;
    int p[3];
    p[dir] = high ? n[dir] - 1 : 0;
    p[a] = m % n[a];
    p[b] = m / n[a];
    return (p[2] * n[1] + p[1]) * n[0] + p[0];
}

static int layer_size(const struct grid *g, int dir)
{
    const int n[3] = {g->box.nx, g->box.ny, g->box.nz};
    return n[(dir + 1) % 3] * n[(dir + 2) % 3];
}

/* pairs: regions that meet, two keys each. fault: whether this rank lacked the memory for one, which all
 * ranks learn later. */
struct pairs {
    key *key;
    int count, room;
    kol_status fault;
};

static kol_status add_pair(struct pairs *p, key a, key b)
{
    if (a == b) return KOL_OK;
    if (p->count > 0 && p->key[2 * p->count - 2] == a && p->key[2 * p->count - 1] == b) return KOL_OK;
    if (p->count == p->room) {
        const int more = 2 * p->room + 256;
        key *larger = realloc(p->key, 2 * (size_t)more * sizeof *larger);
        if (larger == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d pairs of regions", more);
        p->key = larger;
        p->room = more;
    }
    p->key[2 * p->count] = a;
    p->key[2 * p->count++ + 1] = b;
    return KOL_OK;
}

static int by_pair(const void *a, const void *b)
{
    const key *p = a, *q = b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

static void sort_pairs(struct pairs *p)
{
    int kept = 0;
    if (p->count > 1) qsort(p->key, (size_t)p->count, 2 * sizeof *p->key, by_pair);
    for (int n = 0; n < p->count; ++n) {
        if (kept > 0 && by_pair(&p->key[2 * n], &p->key[2 * kept - 2]) == 0) continue;
        memmove(&p->key[2 * kept++], &p->key[2 * n], 2 * sizeof *p->key);
    }
    p->count = kept;
}

/* Adds the pairs across the upper face of this rank in one direction. mine, theirs: scratch for the keys of a
 * layer. */
static kol_status meet(const struct comm *c, const struct decomp *d, const struct grid *g,
                       const unsigned char *open, const int *root, int dir, key *mine, key *theirs,
                       struct pairs *pairs)
{
    const int size = layer_size(g, dir), nx = g->box.nx, ny = g->box.ny;
    int up[3] = {0}, down[3] = {0};
    up[dir] = 1;
    down[dir] = -1;
    for (int m = 0; m < size; ++m) mine[m] = key_of(d, g, root[layer_cell(g, dir, 0, m)]);
    MPI_TRY(MPI_Sendrecv(mine, size, MPI_LONG_LONG, decomp_neighbour(d, down), dir, theirs, size,
                         MPI_LONG_LONG, decomp_neighbour(d, up), dir, c->mpi, MPI_STATUS_IGNORE));
    if (!g->periodic[dir] && d->coord[dir] == d->ranks[dir] - 1) return KOL_OK;
    for (int m = 0; m < size && pairs->fault == KOL_OK; ++m) {
        const int n = layer_cell(g, dir, 1, m);
        if (!(bits_of(g, open, n % nx, n / nx % ny, n / (nx * ny)) >> (2 * dir + 1) & 1)) continue;
        pairs->fault = add_pair(pairs, key_of(d, g, root[n]), theirs[m]);
    }
    return KOL_OK;
}

/* Gathers lists of `width` keys an entry from all ranks; the caller frees *all. */
static kol_status gather(const struct comm *c, const key *list, int entries, int width, key **all, int *total)
{
    kol_status st = KOL_OK;
    int *counts = malloc(2 * (size_t)c->size * sizeof *counts), *first = counts + c->size;
    const int mine = entries * width;
    *all = NULL;
    if (counts == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the numbers of %d ranks", c->size);
    if (MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, c->mpi) != MPI_SUCCESS) {
        free(counts);
        RAISE(KOL_ERR_MPI, "the numbers of regions could not be gathered");
    }
    *total = 0;
    for (int r = 0; r < c->size; ++r) {
        first[r] = *total;
        *total += counts[r];
    }
    *all = malloc(((size_t)*total + 1) * sizeof **all);
    if (*all == NULL) st = KOL_ERR_MEMORY;
    else if (MPI_Allgatherv(list, mine, MPI_LONG_LONG, *all, counts, first, MPI_LONG_LONG, c->mpi) !=
             MPI_SUCCESS)
        st = KOL_ERR_MPI;
    free(counts);
    *total /= width;
    if (st != KOL_OK) RAISE(st, "the regions of all ranks could not be gathered");
    return KOL_OK;
}

/* parts: the regions of single ranks, by key in increasing order, and the number of the region of the whole
 * grid that each belongs to. */
struct parts {
    int count;
    key *key; /* two values each: key and cells */
    int *parent;
};

static int part_of(const struct parts *p, key k)
{
    int low = 0, high = p->count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->key[2 * middle] < k) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Lists each root of this rank: its key and the number of its cells. */
static kol_status list_parts(const struct decomp *d, const struct grid *g, const int *root, key **list,
                             int *count)
{
    const int cells = g->box.nx * g->box.ny * g->box.nz;
    int *number = calloc((size_t)cells + 1, sizeof *number), own = 0;
    if (number == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the regions of %d cells", cells);
    for (int n = 0; n < cells; ++n) {
        if (root[n] >= 0) ++number[root[n]];
        own += root[n] == n;
    }
    *count = own;
    *list = malloc(2 * ((size_t)own + 1) * sizeof **list);
    for (int n = 0, m = 0; n < cells && *list != NULL; ++n) {
        if (root[n] != n) continue;
        (*list)[2 * m] = key_of(d, g, n);
        (*list)[2 * m++ + 1] = number[n];
    }
    free(number);
    if (*list == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d regions", own);
    return KOL_OK;
}

/* Gathers the parts of all ranks. No two ranks have the same key. */
static kol_status gather_parts(const struct comm *c, const struct decomp *d, const struct grid *g,
                               const int *root, struct parts *p)
{
    key *list = NULL;
    int own = 0;
    kol_status st = comm_agree(c, list_parts(d, g, root, &list, &own));
    if (st == KOL_OK) st = gather(c, list, own, 2, &p->key, &p->count);
    free(list);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "gather");
    if (p->count > 1) qsort(p->key, (size_t)p->count, 2 * sizeof *p->key, by_pair);
    return KOL_OK;
}

/* Joins the parts that meet. Afterwards parent[] has the number of the region of each part. */
static kol_status join_parts(const struct comm *c, struct pairs *pairs, struct parts *p, struct regions *out)
{
    key *all = NULL;
    int total = 0;
    sort_pairs(pairs);
    TRY(gather(c, pairs->key, pairs->count, 2, &all, &total));
    p->parent = malloc(((size_t)p->count + 1) * sizeof *p->parent);
    out->cells = calloc((size_t)p->count + 1, sizeof *out->cells);
    if (p->parent == NULL || out->cells == NULL) {
        free(all);
        RAISE(KOL_ERR_MEMORY, "no memory for %d regions", p->count);
    }
    for (int n = 0; n < p->count; ++n) p->parent[n] = n;
    for (int n = 0; n < total; ++n) join(p->parent, part_of(p, all[2 * n]), part_of(p, all[2 * n + 1]));
    free(all);
    for (int n = 0; n < p->count; ++n) { /* a root lies below its parts, so it has its number already */
        const int root = root_of(p->parent, n);
        p->parent[n] = root;
    }
    for (int n = 0; n < p->count; ++n) {
        const int root = p->parent[n];
        p->parent[n] = root == n ? out->count++ : p->parent[root];
        out->cells[p->parent[n]] += p->key[2 * n + 1];
    }
    return KOL_OK;
}

static kol_status find(const struct comm *c, const struct decomp *d, const struct grid *g,
                       const unsigned char *open, struct pairs *pairs, struct parts *parts,
                       struct regions *out)
{
    const int cells = g->box.nx * g->box.ny * g->box.nz;
    int widest = 0;
    kol_status st = KOL_OK;
    for (int dir = 0; dir < 3; ++dir) widest = layer_size(g, dir) > widest ? layer_size(g, dir) : widest;
    key *scratch = malloc(2 * (size_t)widest * sizeof *scratch);
    out->label = malloc((size_t)cells * sizeof *out->label);
    if (scratch == NULL || out->label == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the regions of %d cells", cells);
    st = comm_agree(c, st);
    if (st == KOL_OK) join_own(g, open, out->label);
    for (int dir = 0; dir < 3 && st == KOL_OK; ++dir)
        st = meet(c, d, g, open, out->label, dir, scratch, scratch + widest, pairs);
    free(scratch);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "meet");
    TRY(comm_agree(c, pairs->fault));
    TRY(gather_parts(c, d, g, out->label, parts));
    TRY(join_parts(c, pairs, parts, out));
    for (int n = 0; n < cells; ++n)
        if (out->label[n] >= 0) out->label[n] = parts->parent[part_of(parts, key_of(d, g, out->label[n]))];
    return KOL_OK;
}

kol_status regions_create(const struct comm *c, const struct decomp *d, const struct grid *g,
                          const unsigned char *open, struct regions *out)
{
    struct pairs pairs = {NULL, 0, 0, KOL_OK};
    struct parts parts = {0, NULL, NULL};
    memset(out, 0, sizeof *out);
    const kol_status st = find(c, d, g, open, &pairs, &parts, out);
    free(pairs.key);
    free(parts.key);
    free(parts.parent);
    if (st == KOL_OK) return KOL_OK;
    regions_destroy(out);
    return status_pass(st, __FILE__, __LINE__, "find");
}

void regions_destroy(struct regions *r)
{
    free(r->label);
    free(r->cells);
    memset(r, 0, sizeof *r);
}
