/* What the members of an ensemble agree on, those that take turns in a process included. */
#ifndef KOL_PARALLEL_MEMBERS_H
#define KOL_PARALLEL_MEMBERS_H

#include "comm.h"

/* members_here: returns how many members each process has: 1 if there are as many ranks as members or more,
 * and otherwise the members over the ranks of `all`, if these divide them. It is 0 if they do not. */
int members_here(const struct comm *all, int members);
/* members_agree: returns the worst status of all members. A member that has a fault keeps its own. Members
 * that take turns in a process wait for each other here. Collective over `all`; each member calls it. */
kol_status members_agree(const struct comm *all, kol_status st);

#endif
