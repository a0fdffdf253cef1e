/* Copies halo cells to and from message buffers, many regions in one launch. */
#include "../pack.h"
#include "check.cuh"
#include "hardware.cuh"
#include "queue.cuh"

#include <limits.h>
#include <string.h>

/* PACK_THREADS: threads of a block. PACK_EACH: cells that each thread loads at a time. PACK_BLOCKS: least
 * number of blocks on a multiprocessor. */
enum { PACK_THREADS = 256, PACK_EACH = 4, PACK_CELLS = PACK_THREADS * PACK_EACH, PACK_BLOCKS = 4 };
enum { WARP = 32 };
/* Items of one launch: few, as usual, or as many as the 4 KB of a kernel's parameters can hold. */
enum { COPIES_FEW = 24, COPIES_MOST = 96 };

/* copy: one item of the list, as the GPU needs it: a box of ex x ey x .. cells that is copied from one place
 * to another. Each place is either a field, with its rows and planes, or a packed buffer in which x is
 * fastest.
 *
 *   raises, awaits   number of the message that the item belongs to; -1 if there is none
 *   into             whether the field belongs to the box that is unpacked into */
struct copy {
    const void *from;
    void *to;
    int ex, ey, cells;
    signed char raises, awaits;
    bool from_field : 1, to_field : 1, into : 1;
};
static_assert(PACK_MESSAGES <= SCHAR_MAX, "a message's number fits a struct copy");

/* copies: the items of one launch. Thread blocks first[n] .. first[n+1]-1 do item n, PACK_CELLS cells at a
 * time in turn. sy, sz: strides of the box that is packed from, and of the box that is unpacked into. */
template <int MOST> struct copies {
    int n;
    int first[MOST + 1];
    ptrdiff_t sy[2], sz[2];
    struct copy item[MOST];
};

/* raises: flags to raise, each after `blocks` thread blocks have written. */
struct raises {
    unsigned round;
    int blocks[PACK_MESSAGES];
    unsigned *flag[PACK_MESSAGES];
    unsigned *counter;
};

struct awaits {
    unsigned round;
    const unsigned *flag[PACK_MESSAGES]; /* NULL: no such message */
};

/* item_of: the item of a thread block. */
template <int MOST> static __device__ __forceinline__ int item_of(const struct copies<MOST> &c, int block)
{
    int low = 0, high = c.n; /* first[low] <= block < first[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (c.first[middle] <= block) low = middle;
        else high = middle;
    }
    return low;
}

/* Raises the flag of a message when all its thread blocks have written. Each block first passes a barrier, so
 * the fence of one of its threads covers what the whole block has written. Then it increments a counter. The
 * block that completes the count has a second fence, so it has seen what the other blocks wrote and releases
 * all of it to the receiver. The counter returns to 0. */
static __device__ __forceinline__ void raise_flag(const struct raises &r, int message)
{
    if (message < 0) return;
    __syncthreads();
    if (threadIdx.x != 0) return;
    const unsigned last = (unsigned)r.blocks[message] - 1;
    fence_system();
    if (atomicInc(r.counter + message, last) < last) return;
    fence_system();
    store_relaxed_system(r.flag[message], r.round);
}

/* Waits for a flag. A rank that does not send for so long is taken to be dead; the trap ends this rank with a
 * fault. */
static __device__ __forceinline__ void await_flag(const unsigned *flag, unsigned round)
{
    const unsigned long long start = nanoseconds();
    while ((int)(load_acquire_system(flag) - round) < 0) /* rounds may run over */
        if (nanoseconds() - start > PATIENCE_NS) __trap();
}

/* Copies those cells of an item that belong to this thread block. Each thread does all its loads before its
 * first store, because access to the memory of another GPU takes long. Loads bypass the first-level cache,
 * because this cache does not know what other GPUs write. */
template <class value_type>
static __device__ __forceinline__ void copy_cells(const struct copy &item, ptrdiff_t sy, ptrdiff_t sz,
                                                  unsigned piece, unsigned pieces)
{
    const unsigned ex = (unsigned)item.ex, ey = (unsigned)item.ey, cells = (unsigned)item.cells;
    const value_type *const from = static_cast<const value_type *>(item.from);
    value_type *const to = static_cast<value_type *>(item.to);
    for (unsigned first = piece * PACK_CELLS + threadIdx.x; first < cells; first += pieces * PACK_CELLS) {
        value_type value[PACK_EACH];
        ptrdiff_t place[PACK_EACH];
#pragma unroll
        for (int e = 0; e < PACK_EACH; ++e) {
            const unsigned q = first + e * PACK_THREADS;
            if (q >= cells) continue;
            const unsigned row = q / ex;
            place[e] = (ptrdiff_t)(q % ex) + (ptrdiff_t)(row % ey) * sy + (ptrdiff_t)(row / ey) * sz;
            value[e] = __ldcg(from + (item.from_field ? place[e] : (ptrdiff_t)q));
        }
#pragma unroll
        for (int e = 0; e < PACK_EACH; ++e) {
            const unsigned q = first + e * PACK_THREADS;
            if (q < cells) to[item.to_field ? place[e] : (ptrdiff_t)q] = value[e];
        }
    }
}

template <class value_type, bool SIGNALS, int MOST>
static __global__ void __launch_bounds__(PACK_THREADS, PACK_BLOCKS)
    copy_kernel(const __grid_constant__ struct copies<MOST> c, const __grid_constant__ struct raises r)
{
    const int n = item_of(c, (int)blockIdx.x);
    const struct copy &item = c.item[n];
    copy_cells<value_type>(item, c.sy[item.into], c.sz[item.into], blockIdx.x - c.first[n],
                           c.first[n + 1] - c.first[n]);
    if constexpr (SIGNALS) raise_flag(r, item.raises);
}

/* Packs, then copies the items that need no message, and then unpacks each message when it has arrived.
 * Thread blocks that wait for a message do not hold up the others. They come last, and there are so few of
 * them (awaiting_most) that other blocks still find room on the GPU. */
template <class value_type, int MOST>
static __global__ void __launch_bounds__(PACK_THREADS, PACK_BLOCKS)
    exchange_kernel(const __grid_constant__ struct copies<MOST> c, const __grid_constant__ struct raises r,
                    const __grid_constant__ struct awaits a)
{
    const int block = block_in_turn(), n = item_of(c, block);
    const struct copy &item = c.item[n];
    if (item.awaits >= 0) {
        if (threadIdx.x == 0) await_flag(a.flag[item.awaits], a.round);
        __syncthreads();
    }
    copy_cells<value_type>(item, c.sy[item.into], c.sz[item.into], (unsigned)(block - c.first[n]),
                           c.first[n + 1] - c.first[n]);
    raise_flag(r, item.raises);
}

/* await_kernel: waits for messages, one thread for each. It is a launch of one warp: if thread blocks each
 * waited for their message, they would keep the sweep that runs meanwhile off the multiprocessors. */
static __global__ void __launch_bounds__(WARP) await_kernel(const __grid_constant__ struct awaits a)
{
    const int m = (int)threadIdx.x;
    if (m < PACK_MESSAGES && a.flag[m] != NULL) await_flag(a.flag[m], a.round);
}

/* region_cells: the number of cells of a region, 0 if it is empty. */
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

static struct copies<COPIES_MOST> copies_none(struct box from_box, struct box into_box) {
    struct copies<COPIES_MOST> c;
    memset(&c, 0, sizeof c);
    c.sy[0] = from_box.sy;
    c.sz[0] = from_box.sz;
    c.sy[1] = into_box.sy;
    c.sz[1] = into_box.sz;
    return c;
}

static struct copy
copy_none(void)
{
    struct copy item;
    memset(&item, 0, sizeof item);
    item.ex = item.ey = 1;
    item.raises = item.awaits = -1;
    return item;
}

/* copies_add: adds an item, if there is room, with at most so many thread blocks. */
static kol_status copies_add(struct copies<COPIES_MOST> *c, struct copy item, int blocks_most)
{
    const int pieces = item.cells > 0 ? (item.cells + PACK_CELLS - 1) / PACK_CELLS : 1;
    const int blocks = pieces < blocks_most ? pieces : blocks_most;
    if (c->first[c->n] > INT_MAX - blocks) RAISE(KOL_ERR_INTERNAL, "the exchange has too many cells");
    c->item[c->n] = item;
    c->first[c->n + 1] = c->first[c->n] + blocks;
    ++c->n;
    return KOL_OK;
}

/* pack_add: adds an item to pack. An item with nothing to copy gets a thread block only if it has a flag to
 * raise. */
static kol_status pack_add(struct copies<COPIES_MOST> *c, struct box b, const struct pack_item *p, int bytes,
                           struct raises *r)
{
    struct copy item = copy_none();
    const int before = c->first[c->n];
    TRY(region_cells(p->own, &item.cells));
    if (r != NULL && p->message >= 0) item.raises = (signed char)p->message;
    if (item.cells == 0 && item.raises < 0) return KOL_OK;
    item.to = p->place;
    item.from_field = true;
    if (item.cells > 0) {
        item.ex = p->own.hi[X] - p->own.lo[X];
        item.ey = p->own.hi[Y] - p->own.lo[Y];
        item.from = first_cell(b, p, p->own, bytes);
        item.to_field = p->wrap != 0;
        if (p->wrap) item.to = first_cell(b, p, p->beyond, bytes);
    }
    TRY(copies_add(c, item, INT_MAX));
    if (item.raises >= 0) r->blocks[p->message] += c->first[c->n] - before;
    return KOL_OK;
}

/* unpack_add: adds an item to unpack. awaits: whether its thread blocks, at most so many, wait for the
 * message themselves. */
static kol_status unpack_add(struct copies<COPIES_MOST> *c, struct box b, const struct pack_item *p,
                             int bytes, int awaits, int blocks_most)
{
    struct copy item = copy_none();
    TRY(region_cells(p->beyond, &item.cells));
    if (awaits) item.awaits = (signed char)p->message;
    if (item.cells == 0 && item.awaits < 0) return KOL_OK;
    item.from = p->place;
    item.to_field = item.into = true;
    if (item.cells > 0) {
        item.ex = p->beyond.hi[X] - p->beyond.lo[X];
        item.ey = p->beyond.hi[Y] - p->beyond.lo[Y];
        item.to = first_cell(b, p, p->beyond, bytes);
    }
    return copies_add(c, item, blocks_most);
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

/* copies_few: the same items in fewer bytes of parameters. */
static struct copies<COPIES_FEW> copies_few(const struct copies<COPIES_MOST> &c) {
    struct copies<COPIES_FEW> few;
    few.n = c.n;
    memcpy(few.first, c.first, sizeof few.first);
    memcpy(few.sy, c.sy, sizeof few.sy);
    memcpy(few.sz, c.sz, sizeof few.sz);
    memcpy(few.item, c.item, sizeof few.item);
    return few;
}

template <bool SIGNALS, int MOST>
static void launch_copies(const struct copies<MOST> &c, const struct raises &r, int bytes)
{
    const unsigned blocks = (unsigned)c.first[c.n];
    if (bytes == (int)sizeof(double))
        copy_kernel<double, SIGNALS, MOST><<<blocks, PACK_THREADS, 0, queue_stream()>>>(c, r);
    else copy_kernel<float, SIGNALS, MOST><<<blocks, PACK_THREADS, 0, queue_stream()>>>(c, r);
}

template <bool SIGNALS>
static void launch(const struct copies<COPIES_MOST> &c, const struct raises &r, int bytes)
{
    if (c.n <= COPIES_FEW) launch_copies<SIGNALS>(copies_few(c), r, bytes);
    else launch_copies<SIGNALS>(c, r, bytes);
}

static struct raises raises_of(const struct pack_signals *s)
{
    struct raises r;
    memset(&r, 0, sizeof r);
    if (s == NULL) return r;
    r.round = s->round;
    r.counter = s->counter;
    for (int m = 0; m < s->messages; ++m) r.flag[m] = s->raise[m];
    return r;
}

static struct awaits awaits_of(const struct pack_signals *s)
{
    struct awaits a;
    memset(&a, 0, sizeof a);
    a.round = s->round;
    for (int m = 0; m < s->messages; ++m)
        if (s->items[m] > 0) a.flag[m] = s->await[m];
    return a;
}

/* count_blocks: counts the thread blocks of each message of a list that takes several launches. Its flag is
 * raised when those of all launches have written. */
static kol_status count_blocks(struct box b, const struct pack_list *list, struct raises *r)
{
    struct copies<COPIES_MOST> c = copies_none(b, b);
    for (int n = 0; n < list->n; ++n) {
        if (c.n == COPIES_MOST) c = copies_none(b, b);
        TRY(pack_add(&c, b, &list->item[n], list->bytes, r));
    }
    return KOL_OK;
}

/* pack_launch: launches what has been added, and empties it. */
static kol_status pack_launch(struct copies<COPIES_MOST> *c, struct box b, int signalling,
                              const struct raises &r, int bytes)
{
    if (c->n == 0) return KOL_OK;
    if (signalling) launch<true>(*c, r, bytes);
    else launch<false>(*c, r, bytes);
    CUDA_LAUNCHED("pack_regions");
    *c = copies_none(b, b);
    return KOL_OK;
}

kol_status pack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    const int signalling = signals != NULL && signals->messages > 0;
    struct copies<COPIES_MOST> c = copies_none(b, b);
    struct raises r = raises_of(signals), ignored = raises_of(NULL);
    TRY(check_list(list, signals));
    if (list->n > COPIES_MOST && signalling) TRY(count_blocks(b, list, &r));
    for (int n = 0; n < list->n; ++n) {
        if (c.n == COPIES_MOST) TRY(pack_launch(&c, b, signalling, r, list->bytes));
        struct raises *const counted = signalling ? list->n > COPIES_MOST ? &ignored : &r : NULL;
        TRY(pack_add(&c, b, &list->item[n], list->bytes, counted));
    }
    return pack_launch(&c, b, signalling, r, list->bytes);
}

static kol_status await_messages(const struct pack_signals *s)
{
    int awaited = 0;
    for (int m = 0; m < s->messages; ++m) awaited += s->items[m] > 0;
    if (awaited == 0) return KOL_OK;
    await_kernel<<<1, WARP, 0, queue_stream()>>>(awaits_of(s));
    CUDA_LAUNCHED("unpack_regions, waiting");
    return KOL_OK;
}

/* unpack_launch: does the same as pack_launch() for cells that are unpacked. */
static kol_status unpack_launch(struct copies<COPIES_MOST> *c, struct box b, int bytes)
{
    if (c->n == 0) return KOL_OK;
    launch<false>(*c, raises_of(NULL), bytes);
    CUDA_LAUNCHED("unpack_regions");
    *c = copies_none(b, b);
    return KOL_OK;
}

kol_status unpack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals)
{
    struct copies<COPIES_MOST> c = copies_none(b, b);
    TRY(check_list(list, signals));
    if (signals != NULL) TRY(await_messages(signals));
    for (int n = 0; n < list->n; ++n) {
        if (c.n == COPIES_MOST) TRY(unpack_launch(&c, b, list->bytes));
        if (!list->item[n].wrap) TRY(unpack_add(&c, b, &list->item[n], list->bytes, 0, INT_MAX));
    }
    return unpack_launch(&c, b, list->bytes);
}

/* awaiting_most: how many thread blocks may wait at a time: half of those that the GPU can hold. This
 * requires that the GPU belongs to this rank alone. */
static kol_status awaiting_most(int *blocks)
{
    static int most; /* of the GPU in use, which never changes */
    int gpu = 0, multiprocessors = 0;
    if (most == 0) {
        CUDA_TRY(cudaGetDevice(&gpu));
        CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, gpu));
        most = multiprocessors * PACK_BLOCKS / 2;
    }
    *blocks = most;
    return KOL_OK;
}

/* awaiting_blocks: number of thread blocks for an item that waits: one, plus its share of the rest of `most`
 * by its cells. */
static int awaiting_blocks(const struct pack_list *in, const struct pack_item *p, int most)
{
    double all = 0, own = 0;
    int cells = 0;
    for (int n = 0; n < in->n; ++n) {
        if (region_cells(in->item[n].beyond, &cells) != KOL_OK) return 1; /* unpack_add tells */
        all += cells;
        if (&in->item[n] == p) own = cells;
    }
    return 1 + (all > 0 ? (int)((most - in->n) * own / all) : 0);
}

template <int MOST>
static void launch_exchange(const struct copies<MOST> &c, const struct raises &r, const struct awaits &a,
                            int bytes)
{
    const unsigned blocks = (unsigned)c.first[c.n];
    if (bytes == (int)sizeof(double))
        exchange_kernel<double, MOST><<<blocks, PACK_THREADS, 0, queue_stream()>>>(c, r, a);
    else exchange_kernel<float, MOST><<<blocks, PACK_THREADS, 0, queue_stream()>>>(c, r, a);
}

kol_status exchange_regions(struct box from_box, const struct pack_list *out, struct box into_box,
                            const struct pack_list *in, const struct pack_signals *signals)
{
    struct copies<COPIES_MOST> c = copies_none(from_box, into_box);
    struct raises r;
    int most = 0;
    if (signals == NULL || out->bytes != in->bytes)
        RAISE(KOL_ERR_INTERNAL, "an exchange without signals, or of values of %d and %d bytes", out->bytes,
              in->bytes);
    r = raises_of(signals);
    TRY(awaiting_most(&most));
    if (signals->shared || out->n + in->n > COPIES_MOST || in->n > most) {
        TRY(pack_regions(from_box, out, signals));
        return unpack_regions(into_box, in, signals);
    }
    TRY(check_list(out, signals));
    TRY(check_list(in, signals));
    for (int n = 0; n < out->n; ++n) TRY(pack_add(&c, from_box, &out->item[n], out->bytes, &r));
    for (int n = 0; n < in->n; ++n) {
        const struct pack_item *p = &in->item[n];
        if (!p->wrap) TRY(unpack_add(&c, into_box, p, in->bytes, 1, awaiting_blocks(in, p, most)));
    }
    if (c.n == 0) return KOL_OK;
    if (c.n <= COPIES_FEW) launch_exchange(copies_few(c), r, awaits_of(signals), out->bytes);
    else launch_exchange(c, r, awaits_of(signals), out->bytes);
    CUDA_LAUNCHED("exchange_regions");
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
        RAISE(KOL_ERR_INTERNAL, "%d x %d x %d cells can't be copied to %d x %d x %d", from_box.nx,
              from_box.ny, from_box.nz, to_box.nx, to_box.ny, to_box.nz);
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
