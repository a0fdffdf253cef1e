#include "../pack.h"
#include "check.cuh"
#include "hardware.cuh"
#include "queue.cuh"

#include <limits.h>
#include <string.h>

/* Threads of a block, and cells that each has under way. */
enum { PACK_THREADS = 256, PACK_EACH = 4, PACK_CELLS = PACK_THREADS * PACK_EACH };
enum { WARP = 32 };

/* copy: an item as the GPU does it: ex x ey x .. cells from one place to another, each a field, with its rows and planes, or
 * packed, x fastest. */
struct copy {
    const void *from;
    void *to;
    int ex, ey, cells;
    short message;
    unsigned char from_field, to_field;
};

/* copies: of one launch. Thread blocks first[n] .. first[n+1]-1 do item n: the long ones are cut into pieces of PACK_CELLS. */
struct copies {
    int n;
    int first[PACK_ITEMS + 1];
    ptrdiff_t sy, sz;
    struct copy item[PACK_ITEMS];
};

/* raises: flags to raise, each when `blocks` thread blocks have written. */
struct raises {
    unsigned round;
    int blocks[PACK_MESSAGES];
    unsigned *flag[PACK_MESSAGES];
    unsigned *counter;
};

struct awaits {
    int n;
    unsigned round;
    const unsigned *flag[PACK_MESSAGES];
};

/* The item of this thread block. */
static __device__ __forceinline__ int item_of(const struct copies &c, int block)
{
    int low = 0, high = c.n; /* first[low] <= block < first[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (c.first[middle] <= block) low = middle;
        else high = middle;
    }
    return low;
}

/* The barrier makes one thread's fence hold for what the whole block wrote; the counter, read and written between fences, hands
 * that on to the block that completes the message, whose store releases it all to the receiver. */
static __device__ __forceinline__ void raise_flag(const struct raises &r, int message)
{
    if (message < 0) return;
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence_system();
    if (atomicAdd(r.counter + message, 1u) + 1 < (unsigned)r.blocks[message]) return;
    r.counter[message] = 0;
    __threadfence_system();
    store_release_system(r.flag[message], r.round);
}

/* All loads of a thread before its first store: a place in another GPU's memory is far. Loads pass the first-level cache by,
 * which knows nothing of what other GPUs wrote. */
template <class value_type, bool SIGNALS>
static __global__ void __launch_bounds__(PACK_THREADS)
    copy_kernel(const __grid_constant__ struct copies c, const __grid_constant__ struct raises r)
{
    const int n = item_of(c, (int)blockIdx.x), piece = (int)blockIdx.x - c.first[n];
    const struct copy &item = c.item[n];
    const unsigned ex = (unsigned)item.ex, ey = (unsigned)item.ey, cells = (unsigned)item.cells;
    const unsigned first = (unsigned)piece * PACK_CELLS + threadIdx.x;
    const value_type *const from = static_cast<const value_type *>(item.from);
    value_type *const to = static_cast<value_type *>(item.to);
    value_type value[PACK_EACH];
    ptrdiff_t place[PACK_EACH];
#pragma unroll
    for (int e = 0; e < PACK_EACH; ++e) {
        const unsigned q = first + e * PACK_THREADS;
        if (q >= cells) continue;
        const unsigned row = q / ex;
        place[e] = (ptrdiff_t)(q % ex) + (ptrdiff_t)(row % ey) * c.sy + (ptrdiff_t)(row / ey) * c.sz;
        value[e] = __ldcg(from + (item.from_field ? place[e] : (ptrdiff_t)q));
    }
#pragma unroll
    for (int e = 0; e < PACK_EACH; ++e) {
        const unsigned q = first + e * PACK_THREADS;
        if (q < cells) to[item.to_field ? place[e] : (ptrdiff_t)q] = value[e];
    }
    if constexpr (SIGNALS) raise_flag(r, item.message);
}

/* One thread a message. A launch of its own, of one warp: thread blocks that wait each for its message would keep the sweep that
 * runs meanwhile off the multiprocessors. A rank that never sends is dead: the trap ends this one with a fault. */
static __global__ void __launch_bounds__(WARP) await_kernel(const __grid_constant__ struct awaits a)
{
    if ((int)threadIdx.x >= a.n) return;
    const unsigned *flag = a.flag[threadIdx.x];
    const unsigned long long start = nanoseconds();
    for (;;) {
        if ((int)(load_acquire_system(flag) - a.round) >= 0) return; /* rounds may run over */
        if (nanoseconds() - start > PATIENCE_NS) __trap();
    }
}

/* Cells of a region, 0 where it is empty. */
static kol_status region_cells(struct range r, int *cells)
{
    const ptrdiff_t ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], ez = r.hi[Z] - r.lo[Z];
    *cells = 0;
    if (ex <= 0 || ey <= 0 || ez <= 0) return KOL_OK;
    if (ex > INT_MAX / ey || ex * ey > (INT_MAX - PACK_CELLS) / ez)
        RAISE(KOL_ERR_INTERNAL, "a message of %td x %td x %td cells a field", ex, ey, ez);
    *cells = (int)(ex * ey * ez);
    return KOL_OK;
}

static void *first_cell(struct box b, const struct pack_item *p, struct range r, int bytes)
{
    return static_cast<unsigned char *>(p->field) + bytes * at(b, r.lo[X], r.lo[Y], r.lo[Z]);
}

/* copies_add: an item with nothing to copy takes a thread block only where it has a flag to raise. */
static kol_status copies_add(struct copies *c, struct box b, const struct pack_item *p, int bytes,
                             int unpacks, int raises)
{
    struct copy *item = &c->item[c->n];
    const struct range r = unpacks ? p->beyond : p->own;
    TRY(region_cells(r, &item->cells));
    if (item->cells == 0 && !raises) return KOL_OK;
    item->ex = item->cells > 0 ? r.hi[X] - r.lo[X] : 1;
    item->ey = item->cells > 0 ? r.hi[Y] - r.lo[Y] : 1;
    item->message = (short)(raises ? p->message : -1);
    item->from_field = !unpacks;
    item->to_field = unpacks || p->wrap;
    item->from = unpacks ? p->place : item->cells > 0 ? first_cell(b, p, p->own, bytes) : NULL;
    item->to = item->to_field && item->cells > 0 ? first_cell(b, p, p->beyond, bytes) : p->place;
    const int blocks = item->cells > 0 ? (item->cells + PACK_CELLS - 1) / PACK_CELLS : 1;
    if (c->first[c->n] > INT_MAX - blocks) RAISE(KOL_ERR_INTERNAL, "an exchange of too many cells");
    c->first[c->n + 1] = c->first[c->n] + blocks;
    ++c->n;
    return KOL_OK;
}

static kol_status check_bytes(int bytes)
{
    if (bytes == (int)sizeof(float) || bytes == (int)sizeof(double)) return KOL_OK;
    RAISE(KOL_ERR_INTERNAL, "values of %d bytes", bytes);
}

static kol_status check_list(const struct pack_list *list, const struct pack_signals *s)
{
    int items[PACK_MESSAGES] = {0};
    TRY(check_bytes(list->bytes));
    if (list->n < 0 || list->n > PACK_ITEMS) RAISE(KOL_ERR_INTERNAL, "a list of %d items", list->n);
    if (s == NULL) return KOL_OK;
    if (s->messages < 0 || s->messages > PACK_MESSAGES) RAISE(KOL_ERR_INTERNAL, "%d messages", s->messages);
    for (int n = 0; n < list->n; ++n) {
        const int m = list->item[n].message;
        if (m >= s->messages) RAISE(KOL_ERR_INTERNAL, "message %d of %d", m, s->messages);
        if (m >= 0) ++items[m];
    }
    for (int m = 0; m < s->messages; ++m)
        if (items[m] != s->items[m])
            RAISE(KOL_ERR_INTERNAL, "message %d has %d items, not %d", m, items[m], s->items[m]);
    return KOL_OK;
}

static struct copies copies_none(struct box b)
{
    struct copies c;
    memset(&c, 0, sizeof c);
    c.sy = b.sy;
    c.sz = b.sz;
    return c;
}

template <bool SIGNALS> static void launch(const struct copies &c, const struct raises &r, int bytes)
{
    const unsigned blocks = (unsigned)c.first[c.n];
    if (bytes == (int)sizeof(double))
        copy_kernel<double, SIGNALS><<<blocks, PACK_THREADS, 0, queue_stream()>>>(c, r);
    else copy_kernel<float, SIGNALS><<<blocks, PACK_THREADS, 0, queue_stream()>>>(c, r);
}

kol_status pack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    const int signalling = signals != NULL && signals->messages > 0;
    struct copies c = copies_none(b);
    struct raises r;
    memset(&r, 0, sizeof r);
    TRY(check_list(list, signals));
    for (int n = 0; n < list->n; ++n) {
        const struct pack_item *p = &list->item[n];
        const int before = c.first[c.n], raises = signalling && p->message >= 0;
        TRY(copies_add(&c, b, p, list->bytes, 0, raises));
        if (raises) r.blocks[p->message] += c.first[c.n] - before;
    }
    if (c.n == 0) return KOL_OK;
    if (!signalling) {
        launch<false>(c, r, list->bytes);
    } else {
        r.round = signals->round;
        r.counter = signals->counter;
        for (int m = 0; m < signals->messages; ++m) r.flag[m] = signals->raise[m];
        launch<true>(c, r, list->bytes);
    }
    CUDA_LAUNCHED("pack_regions");
    return KOL_OK;
}

static kol_status await_messages(const struct pack_signals *s)
{
    struct awaits a;
    memset(&a, 0, sizeof a);
    a.round = s->round;
    for (int m = 0; m < s->messages; ++m)
        if (s->items[m] > 0) a.flag[a.n++] = s->await[m];
    if (a.n == 0) return KOL_OK;
    await_kernel<<<1, WARP, 0, queue_stream()>>>(a);
    CUDA_LAUNCHED("unpack_regions, waiting");
    return KOL_OK;
}

kol_status unpack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    struct copies c = copies_none(b);
    struct raises none;
    memset(&none, 0, sizeof none);
    TRY(check_list(list, signals));
    if (signals != NULL) TRY(await_messages(signals));
    for (int n = 0; n < list->n; ++n)
        if (!list->item[n].wrap) TRY(copies_add(&c, b, &list->item[n], list->bytes, 1, 0));
    if (c.n == 0) return KOL_OK;
    launch<false>(c, none, list->bytes);
    CUDA_LAUNCHED("unpack_regions");
    return KOL_OK;
}

template <class value_type>
static __global__ void __launch_bounds__(PACK_THREADS)
    box_kernel(struct box from_box, const value_type *from, struct box to_box, value_type *to, unsigned cells)
{
    const unsigned q = blockIdx.x * PACK_THREADS + threadIdx.x, row = q / (unsigned)from_box.nx;
    if (q >= cells) return;
    const int i = (int)(q % (unsigned)from_box.nx), j = (int)(row % (unsigned)from_box.ny);
    const int k = (int)(row / (unsigned)from_box.ny);
    to[at(to_box, i, j, k)] = from[at(from_box, i, j, k)];
}

kol_status pack_copy(struct box from_box, const void *from, struct box to_box, void *to, int bytes)
{
    int cells = 0;
    TRY(check_bytes(bytes));
    if (from_box.nx != to_box.nx || from_box.ny != to_box.ny || from_box.nz != to_box.nz)
        RAISE(KOL_ERR_INTERNAL, "%d x %d x %d cells copied to %d x %d x %d", from_box.nx, from_box.ny,
              from_box.nz, to_box.nx, to_box.ny, to_box.nz);
    TRY(region_cells(range_all(from_box), &cells));
    if (cells == 0) return KOL_OK;
    const unsigned blocks = ((unsigned)cells + PACK_THREADS - 1) / PACK_THREADS;
    if (bytes == (int)sizeof(double))
        box_kernel<double><<<blocks, PACK_THREADS, 0, queue_stream()>>>(
            from_box, static_cast<const double *>(from), to_box, static_cast<double *>(to), (unsigned)cells);
    else
        box_kernel<float><<<blocks, PACK_THREADS, 0, queue_stream()>>>(
            from_box, static_cast<const float *>(from), to_box, static_cast<float *>(to), (unsigned)cells);
    CUDA_LAUNCHED("pack_copy");
    return KOL_OK;
}
