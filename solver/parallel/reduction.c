/* Adds up the partial sums of all blocks of the grid in one fixed order, on any number of ranks. */
#include "reduction.h"

#include <stdlib.h>
#include <string.h>
#include "kernels/base/device.h"
#include "peer_sums.h"

struct reduction {
    const struct comm *comm;
    const struct decomp *decomp;
    struct blocks blocks;
    int *starts;    /* kernel memory behind blocks.x, y, z */
    double *result; /* kernel memory: the latest sums of an iteration */
    struct team *team;
    unsigned round; /* number of sums formed by the team */
    double *part;   /* host copy of blocks.part */
    double *all;    /* partial sums of the whole grid, then a slot for each rank and maximum; where the sums
                       stay on the device, the results that it has written to the host */
    struct device_mark *written; /* behind these results */
};

static int block_starts(const struct decomp *d)
{
    int total = 0;
    for (int i = 0; i < 3; ++i) total += d->blocks[i] + 1;
    return total;
}

static kol_status block_starts_fill(struct reduction *r)
{
    const struct decomp *d = r->decomp;
    const int total = block_starts(d);
    int *host = malloc((size_t)total * sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the block table");
    kol_status st = KOL_OK;
    const int **slot[3] = {&r->blocks.x, &r->blocks.y, &r->blocks.z};
    int n = 0;
    for (int i = 0; i < 3; ++i) {
        *slot[i] = r->starts + n;
        for (int b = 0; b <= d->blocks[i]; ++b) {
            host[n++] = decomp_block_start(d, i, d->first_block[i] + b) - d->offset[i];
        }
    }
    TRY_OR(done, mem_to_kernel(r->starts, host, (size_t)total * sizeof *host));
done:
    free(host);
    return st;
}

/* Counts of blocks, without memory. */
static struct blocks blocks_of(const struct decomp *d)
{
    struct blocks bl = {.nx = d->blocks[X], .ny = d->blocks[Y], .nz = d->blocks[Z]};
    for (int i = 0; i < 3; ++i) {
        for (int n = 0; n < d->blocks_g[i]; ++n) {
            const int cells = decomp_block_start(d, i, n + 1) - decomp_block_start(d, i, n);
            if (cells > bl.widest[i]) bl.widest[i] = cells;
        }
    }
    return bl;
}

/* sizes: numbers of values in a kernel's partial sums: by blocks, pieces, lanes and rows. */
struct sizes {
    size_t part, pieces, lanes, rows;
};

static struct sizes sizes_of(struct blocks bl, struct box b)
{
    return (struct sizes){.part = (size_t)blocks_count(bl) * KOL_PARTS,
                          .pieces = (size_t)sums_pieces(bl) * KOL_PARTS,
                          .lanes = (size_t)bl.nx * bl.ny * KOL_LANES * KOL_PARTS,
                          .rows = (size_t)b.nx * KOL_PARTS};
}

kol_status reduction_create(struct memory *memory, const struct comm *c, const struct decomp *d, struct box b,
                            struct reduction **out)
{
    struct reduction *r = calloc(1, sizeof *r);
    if (r == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the sums");
    *out = r;
    r->comm = c;
    r->decomp = d;
    r->blocks = blocks_of(d);
    const struct sizes n = sizes_of(r->blocks, b);
    const size_t all =
        (size_t)d->blocks_g[X] * d->blocks_g[Y] * d->blocks_g[Z] * KOL_PARTS + (size_t)c->size * KOL_PARTS;
    TRY(memory_kernel(memory, (size_t)block_starts(d) * sizeof *r->starts, (void **)&r->starts));
    TRY(memory_kernel(memory, n.part * sizeof(double), (void **)&r->blocks.part));
    TRY(memory_kernel(memory, n.pieces * sizeof(double), (void **)&r->blocks.pieces));
    TRY(memory_kernel(memory, KOL_PARTS * sizeof(double), (void **)&r->result));
    TRY(memory_kernel(memory, n.lanes * sizeof(double), (void **)&r->blocks.lanes));
    TRY(memory_kernel(memory, n.rows * sizeof(double), (void **)&r->blocks.rows));
    TRY(memory_host(memory, n.part * sizeof(double), (void **)&r->part));
    TRY(memory_host(memory, all * sizeof(double), (void **)&r->all));
    if (memory_counts(memory)) return KOL_OK;
    TRY(device_mark_create(0, &r->written));
    return block_starts_fill(r);
}

void reduction_destroy(struct reduction **r)
{
    if (*r == NULL) return;
    mem_kernel_free((*r)->starts);
    mem_kernel_free((*r)->blocks.part);
    mem_kernel_free((*r)->blocks.pieces);
    mem_kernel_free((*r)->result);
    peer_sums_destroy(&(*r)->team);
    mem_kernel_free((*r)->blocks.lanes);
    mem_kernel_free((*r)->blocks.rows);
    mem_host_free((*r)->part);
    mem_host_free((*r)->all);
    device_mark_destroy(&(*r)->written);
    free(*r);
    *r = NULL;
}

struct blocks reduction_blocks(const struct reduction *r)
{
    return r->blocks;
}

struct blocks reduction_blocks_from(const struct reduction *r, int before)
{
    struct blocks bl = r->blocks;
    bl.part += before * blocks_count(bl);
    bl.pieces += before * sums_pieces(bl);
    return bl;
}

/* Sums n values `stride` apart, in order. */
static double sum_in_order(const double *v, int n, ptrdiff_t stride)
{
    double s = v[0];
    for (int i = 1; i < n; ++i) s += v[i * stride];
    return s;
}

/* Adds up the partial sums of one quantity along those directions that this rank owns completely, x first.
 * This makes the message shorter, and the order of addition is the same as after the exchange. own[]: the
 * number of partial sums that are left in each direction. */
static void fold_own_directions(const struct decomp *d, double *part, int own[3])
{
    for (int dir = X; dir <= Z && d->ranks[dir] == 1; ++dir) {
        const int outer = dir == X ? own[Y] * own[Z] : dir == Y ? own[Z] : 1;
        for (int o = 0; o < outer; ++o) part[o] = sum_in_order(part + (ptrdiff_t)o * own[dir], own[dir], 1);
        own[dir] = 1;
    }
}

/* Computes sums over the ranks with messages between the hosts. */
static kol_status finish_by_message(struct reduction *r, int sums, int maxima, double *out)
{
    const struct decomp *d = r->decomp;
    const ptrdiff_t count = blocks_count(r->blocks);
    TRY(sums_blocks(r->blocks, sums, maxima));
    TRY(mem_to_host(r->part, r->blocks.part, (size_t)((sums + maxima) * count) * sizeof(double)));
    int global[3], own[3], first[3];
    for (int i = 0; i < 3; ++i) {
        own[i] = d->blocks[i];
        global[i] = d->blocks_g[i];
        first[i] = d->first_block[i];
    }
    for (int i = X; i <= Z && d->ranks[i] == 1; ++i) global[i] = 1;
    const ptrdiff_t each = (ptrdiff_t)global[X] * global[Y] * global[Z];
    const ptrdiff_t slots = sums * each + (ptrdiff_t)maxima * r->comm->size;
    memset(r->all, 0, (size_t)slots * sizeof(double));
    for (int q = 0; q < sums; ++q) {
        int left[3] = {own[X], own[Y], own[Z]};
        double *part = r->part + q * count;
        fold_own_directions(d, part, left);
        const int at0[3] = {left[X] == global[X] ? 0 : first[X], left[Y] == global[Y] ? 0 : first[Y],
                            left[Z] == global[Z] ? 0 : first[Z]};
        for (int k = 0; k < left[Z]; ++k) {
            for (int j = 0; j < left[Y]; ++j) {
                memcpy(r->all + q * each + ((ptrdiff_t)(at0[Z] + k) * global[Y] + at0[Y] + j) * global[X] +
                           at0[X],
                       part + ((ptrdiff_t)k * left[Y] + j) * left[X], (size_t)left[X] * sizeof(double));
            }
        }
    }
    for (int q = 0; q < maxima; ++q) {
        const double *part = r->part + (sums + q) * count;
        double most = part[0];
        for (ptrdiff_t i = 1; i < count; ++i) most = part[i] > most ? part[i] : most;
        r->all[sums * each + (ptrdiff_t)q * r->comm->size + r->comm->rank] = most;
    }
    if (r->comm->size > 1) {
        /* every slot is non-zero on one rank only, so the sum over ranks is exact in any order */
        MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, r->all, (int)slots, MPI_DOUBLE, MPI_SUM, r->comm->mpi));
    }
    for (int q = 0; q < sums; ++q) {
        double *p = r->all + q * each;
        for (int row = 0; row < global[Y] * global[Z]; ++row)
            p[row] = sum_in_order(p + (ptrdiff_t)row * global[X], global[X], 1);
        for (int k = 0; k < global[Z]; ++k) p[k] = sum_in_order(p + (ptrdiff_t)k * global[Y], global[Y], 1);
        out[q] = sum_in_order(p, global[Z], 1);
    }
    for (int q = 0; q < maxima; ++q) {
        const double *p = r->all + sums * each + (ptrdiff_t)q * r->comm->size;
        out[sums + q] = p[0];
        for (int i = 1; i < r->comm->size; ++i) out[sums + q] = p[i] > out[sums + q] ? p[i] : out[sums + q];
    }
    return KOL_OK;
}

/* Whether the sums need no host: this rank owns every block, or a team of GPUs adds them up. */
static int stays_on_device(const struct reduction *r)
{
    return r->comm->size == 1 || r->team != NULL;
}

static kol_status form_on_device(struct reduction *r, int sums, int maxima, double *result, enum cg_step step,
                                 struct cg_scalars cg)
{
    if (r->team == NULL) return sums_total(r->blocks, sums, maxima, result, step, cg);
    return sums_share(r->blocks, sums, maxima, peer_sums_view(r->team), ++r->round, result, step, cg);
}

kol_status reduction_use_team(struct memory *memory, struct reduction *r)
{
    return peer_sums_create(memory, r->comm, r->decomp, &r->team);
}

int reduction_ahead(const struct reduction *r)
{
    return stays_on_device(r) && device_is_gpu();
}

kol_status reduction_start(struct reduction *r, int sums, int maxima)
{
    const struct cg_scalars none = {NULL, NULL};
    if (!stays_on_device(r)) return KOL_OK;
    TRY(form_on_device(r, sums, maxima, r->all, CG_NONE, none)); /* the kernel writes to the host */
    return device_mark_record(r->written);
}

kol_status reduction_collect(struct reduction *r, int sums, int maxima, double *out)
{
    if (!stays_on_device(r)) return finish_by_message(r, sums, maxima, out);
    TRY(device_mark_wait(r->written));
    memcpy(out, r->all, (size_t)(sums + maxima) * sizeof *out);
    return KOL_OK;
}

kol_status reduction_finish(struct reduction *r, int sums, int maxima, double *out)
{
    TRY(reduction_start(r, sums, maxima));
    return reduction_collect(r, sums, maxima, out);
}

kol_status reduction_advance(struct reduction *r, int sums, int maxima, enum cg_step step,
                             struct cg_scalars cg)
{
    double value[KOL_PARTS];
    if (stays_on_device(r)) return form_on_device(r, sums, maxima, r->result, step, cg);
    TRY(finish_by_message(r, sums, maxima, value));
    TRY(mem_to_kernel(r->result, value, (size_t)(sums + maxima) * sizeof *value));
    return sums_apply(r->result, step, cg);
}

kol_status reduction_least(const struct reduction *r, int *value)
{
    if (r->comm->size > 1) MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INT, MPI_MIN, r->comm->mpi));
    return KOL_OK;
}
