#include "../pack.h"
#include "check.cuh"
#include "queue.cuh"

#include <limits.h>
#include <string.h>

/* Threads of a block, and cells that each has under way. */
enum { PACK_THREADS = 256, PACK_EACH = 4, PACK_CELLS = PACK_THREADS * PACK_EACH };
enum { WARP = 32 };

/* copy: an item as the GPU does it: ex x ey x .. cells from one place to another, each a field, with its rows and planes, or
 * packed, x fastest. */
struct copy {
    const real *from;
    real *to;
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
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(r.flag[message]), "r"(r.round) : "memory");
}

/* All loads of a thread before its first store: a place in another GPU's memory is far. Loads pass the first-level cache by,
 * which knows nothing of what other GPUs wrote. */
template <bool SIGNALS>
static __global__ void __launch_bounds__(PACK_THREADS)
    copy_kernel(const __grid_constant__ struct copies c, const __grid_constant__ struct raises r)
{
    const int n = item_of(c, (int)blockIdx.x), piece = (int)blockIdx.x - c.first[n];
    const struct copy &item = c.item[n];
    const unsigned ex = (unsigned)item.ex, ey = (unsigned)item.ey, cells = (unsigned)item.cells;
    const unsigned first = (unsigned)piece * PACK_CELLS + threadIdx.x;
    real value[PACK_EACH];
    ptrdiff_t place[PACK_EACH];
#pragma unroll
    for (int e = 0; e < PACK_EACH; ++e) {
        const unsigned q = first + e * PACK_THREADS;
        if (q >= cells) continue;
        const unsigned row = q / ex;
        place[e] = (ptrdiff_t)(q % ex) + (ptrdiff_t)(row % ey) * c.sy + (ptrdiff_t)(row / ey) * c.sz;
        value[e] = __ldcg(item.from + (item.from_field ? place[e] : (ptrdiff_t)q));
    }
#pragma unroll
    for (int e = 0; e < PACK_EACH; ++e) {
        const unsigned q = first + e * PACK_THREADS;
        if (q < cells) item.to[item.to_field ? place[e] : (ptrdiff_t)q] = value[e];
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
        unsigned raised;
        asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
        if ((int)(raised - a.round) >= 0) return; /* rounds may run over */
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

static real *first_cell(struct box b, const struct pack_item *p, struct range r)
{
    return p->field + at(b, r.lo[X], r.lo[Y], r.lo[Z]);
}

/* copies_add: an item with nothing to copy takes a thread block only where it has a flag to raise. */
static kol_status copies_add(struct copies *c, struct box b, const struct pack_item *p, int unpacks,
                             int raises)
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
    item->from = unpacks ? p->place : item->cells > 0 ? first_cell(b, p, p->own) : NULL;
    item->to = item->to_field && item->cells > 0 ? first_cell(b, p, p->beyond) : p->place;
    const int blocks = item->cells > 0 ? (item->cells + PACK_CELLS - 1) / PACK_CELLS : 1;
    if (c->first[c->n] > INT_MAX - blocks) RAISE(KOL_ERR_INTERNAL, "an exchange of too many cells");
    c->first[c->n + 1] = c->first[c->n] + blocks;
    ++c->n;
    return KOL_OK;
}

static kol_status check_list(const struct pack_list *list, const struct pack_signals *s)
{
    int items[PACK_MESSAGES] = {0};
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
        TRY(copies_add(&c, b, p, 0, raises));
        if (raises) r.blocks[p->message] += c.first[c.n] - before;
    }
    if (c.n == 0) return KOL_OK;
    if (!signalling) {
        copy_kernel<false><<<(unsigned)c.first[c.n], PACK_THREADS, 0, queue_stream()>>>(c, r);
    } else {
        r.round = signals->round;
        r.counter = signals->counter;
        for (int m = 0; m < signals->messages; ++m) r.flag[m] = signals->raise[m];
        copy_kernel<true><<<(unsigned)c.first[c.n], PACK_THREADS, 0, queue_stream()>>>(c, r);
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
        if (!list->item[n].wrap) TRY(copies_add(&c, b, &list->item[n], 1, 0));
    if (c.n == 0) return KOL_OK;
    copy_kernel<false><<<(unsigned)c.first[c.n], PACK_THREADS, 0, queue_stream()>>>(c, none);
    CUDA_LAUNCHED("unpack_regions");
    return KOL_OK;
}
