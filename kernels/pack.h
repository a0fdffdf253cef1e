/* Halo cells of several fields to and from message buffers, or from one side of a field to the other, all in
 * one launch. */
#ifndef KOL_PACK_H
#define KOL_PACK_H

#include "base/status.h"

KOL_BEGIN_C

/* pack_item: one region of one field. Own halo (wrap): from cells `own` to cells `beyond` of the same field,
 * of the same shape. Otherwise `own` goes to place (pack) or place goes to `beyond` (unpack); in place the
 * values lie x fastest. place is kernel memory of this rank, or of another rank's GPU (peer.h). Values of 4
 * or 8 bytes are moved, whatever they mean. */
enum { PACK_ITEMS = 72 };
struct pack_item {
    void *field;
    struct range own, beyond;
    void *place;
    int wrap;
    int message; /* the item's place in signals; -1: none */
};
struct pack_list {
    int n;
    int bytes; /* of a value of every item: 4 or 8; both pointers are aligned to it */
    struct pack_item item[PACK_ITEMS];
};

/* pack_signals: how one GPU tells another that a message is whole, without the hosts. Packing raises
 * *raise[m] to `round` when every item of message m is written, counting in counter[m] (own kernel memory, 0
 * at first and after each call); unpacking begins an item when *await[m] has reached round. items[m]: of
 * message m in the list. NULL or 0 messages: none. */
enum { PACK_MESSAGES = 26 };
struct pack_signals {
    int messages;
    unsigned round; /* 1, 2, 3, ... */
    int shared;     /* several ranks share a GPU: what waits must leave it to the others */
    int items[PACK_MESSAGES];
    unsigned *raise[PACK_MESSAGES]; /* memory of the receiving rank */
    unsigned *await[PACK_MESSAGES]; /* own kernel memory */
    unsigned *counter;              /* own kernel memory, PACK_MESSAGES of them */
};

/* pack_regions: every item: own cells to place, or (wrap) to the halo cells of the other side.
 * unpack_regions: every item that is not a wrap: place to halo cells. In the queue in use. The CPU build
 * knows no signals: KOL_ERR_INTERNAL. */
kol_status pack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals);
kol_status unpack_regions(struct box b, const struct pack_list *list, const struct pack_signals *signals);

/* exchange_regions: pack_regions of `out`, own cells of from_box, and unpack_regions of `in`, halo cells of
 * into_box: for an exchange with nothing to overlap with, as it may fill the GPU while it waits. In one
 * launch, which awaits the messages itself, where no two ranks share a GPU and the lists hold 96 items or
 * fewer. No item of one touches a cell of another, but for the message that it awaits. Of both lists: values
 * of one size, as many items of a message; signals wanted. */
kol_status exchange_regions(struct box from_box, const struct pack_list *out, struct box into_box,
                            const struct pack_list *in, const struct pack_signals *signals);

/* pack_copy: the own cells of one array to those of another with as many, whatever the halo and the rows of
 * either. bytes: of a value, 4 or 8. In the queue in use. */
kol_status pack_copy(struct box from_box, const void *from, struct box to_box, void *to, int bytes);

KOL_END_C

#endif
