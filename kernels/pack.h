/* Copies halo cells of several fields to and from message buffers, or from one side of a field to the other,
 * all in one launch. */
#ifndef KOL_PACK_H
#define KOL_PACK_H

#include "base/status.h"

KOL_BEGIN_C

/* pack_item: one region of one field.
 *
 *   wrap     if it is not 0, the rank is its own neighbour: the cells `own` are copied to the cells `beyond`
 *            of the same field, which have the same shape
 *   own      the cells that are packed to `place`, if wrap is 0
 *   beyond   the cells that are unpacked from `place`, if wrap is 0
 *   place    kernel memory of this rank or of another rank's GPU (peer.h); values lie there x fastest
 *
 * Values of 4 or 8 bytes are copied, whatever they mean. */
enum { PACK_ITEMS = 216 }; /* twelve fields to the 18 faces and edges */
struct pack_item {
    void *field;
    struct range own, beyond;
    void *place;
    int wrap;
    int message; /* number of the item's message in pack_signals; -1: none */
};
struct pack_list {
    int n;
    int bytes; /* size of a value of every item: 4 or 8; both pointers are aligned to it */
    struct pack_item item[PACK_ITEMS];
};

/* pack_signals: how one GPU tells another that a message is complete, without the hosts.
 *
 * Packing sets *raise[m] to `round` as soon as every item of message m is written. It counts the written
 * items in counter[m], which lies in own kernel memory. The counter must be 0 at first and is 0 again after
 * each call. Unpacking begins an item as soon as *await[m] has reached round. items[m] is the number of items
 * of message m in the list. If the pointer to the struct is NULL or messages is 0, there are no signals. */
enum { PACK_MESSAGES = 26 };
struct pack_signals {
    int messages;
    unsigned round; /* 1, 2, 3, ... */
    int shared; /* whether several ranks share a GPU; a kernel that waits must then leave it to the others */
    int items[PACK_MESSAGES];
    unsigned *raise[PACK_MESSAGES]; /* memory of the receiving rank */
    unsigned *await[PACK_MESSAGES]; /* own kernel memory */
    unsigned *counter;              /* own kernel memory, PACK_MESSAGES of them */
};

/* pack_regions: copies the own cells of every item to `place`, or, for a wrap, to the halo cells of the
 * opposite side.
 *
 * unpack_regions: copies `place` to the halo cells of every item that is not a wrap.
 *
 * Both work in the queue in use. In the CPU build, signals return KOL_ERR_INTERNAL. */
kol_status pack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals);
kol_status unpack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals);

/* exchange_regions: does pack_regions of `out` from the own cells of from_box, and unpack_regions of `in`
 * into the halo cells of into_box. It is for an exchange during which no other work is done, because it may
 * occupy the whole GPU while it waits. If no two ranks share a GPU and the lists hold few items, it is one
 * launch, which also waits for the messages.
 *
 * No item may touch a cell of another item, unless it waits for the message of that item. Values have the
 * same size in both lists, and a message has the same number of items in both. Signals are required. */
kol_status exchange_regions(struct box from_box, const struct pack_list *out, struct box into_box,
                            const struct pack_list *in, const struct pack_signals *signals);

/* pack_copy: copies the own cells of one array to the own cells of another one with as many cells. The halos
 * and row lengths may differ. bytes: size of a value, 4 or 8. It works in the queue in use. */
kol_status pack_copy(struct box from_box, const void *from, struct box to_box, void *to, int bytes);

KOL_END_C

#endif
