/* Asynchronous copies to shared memory. The place is NaN from the issue to the wait, and the source is read
 * at the wait: a wait that is missing, or that covers too few groups, shows, as does a source that changes
 * meanwhile. */
#include "emulator.h"
#include "hardware.cuh"

#include <vector>

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    int group;
};

/* pending: copies of one thread from `first` on; closed: groups so far. */
struct pending {
    std::vector<copy> list;
    size_t first;
    int closed;
};
static pending all[ORDER_MOST_THREADS];

void copies_reset(int thread)
{
    pending &p = all[thread];
    p.list.clear();
    p.first = 0;
    p.closed = 0;
}

void emulator_copy(void *to, const void *from, size_t bytes)
{
    pending &p = all[thread_number()];
    if (bytes != 4 && bytes != 8 && bytes != 16)
        kernel_fault("an asynchronous copy of %zu bytes: 4, 8 or 16", bytes);
    if ((size_t)to % bytes != 0 || (size_t)from % bytes != 0)
        kernel_fault("an asynchronous copy of %zu bytes from %p to %p: not aligned", bytes, from, to);
    if (!shared_holds(to, bytes)) kernel_fault("an asynchronous copy to %p: not in shared memory", to);
    memset(to, 0xff, bytes);
    p.list.push_back({to, from, bytes, p.closed});
}

void emulator_copies_commit(void)
{
    ++all[thread_number()].closed;
}

void emulator_copies_wait(int groups)
{
    pending &p = all[thread_number()];
    while (p.first < p.list.size() && p.list[p.first].group < p.closed - groups) {
        const copy &c = p.list[p.first++];
        memcpy(c.to, c.from, c.bytes);
    }
    if (p.first < p.list.size()) return;
    p.list.clear();
    p.first = 0;
}
