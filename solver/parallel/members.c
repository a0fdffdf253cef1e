/* Lets the members of an ensemble agree on a fault: first those of a process, then the processes. */
#include "members.h"

#include "kernels/base/turns.h"

int members_here(const struct comm *all, int members)
{
    if (members <= all->size) return all->size % members == 0;
    return members % all->size == 0 ? members / all->size : 0;
}

/* What the members of this process tell each other, by seats. Members that have ended take no part in later
 * rounds. It belongs to the file, because a process has it once. */
static struct {
    int round[TURNS_MOST];
    kol_status st[TURNS_MOST];
    int spoken; /* the latest round in which one of them has spoken to the other processes */
    kol_status worst;
} meeting;

static kol_status worst_here(int round)
{
    kol_status worst = KOL_OK;
    for (int seat = 0; seat < turns_count(); ++seat)
        if (meeting.round[seat] == round && meeting.st[seat] > worst) worst = meeting.st[seat];
    return worst;
}

kol_status members_agree(const struct comm *all, kol_status st)
{
    if (turns_count() == 1) return comm_agree(all, st);
    const int seat = turns_seat(), round = ++meeting.round[seat];
    meeting.st[seat] = st;
    turns_meet();
    if (meeting.spoken != round && st == worst_here(round)) {
        meeting.spoken = round;
        meeting.worst = comm_agree(all, st);
    }
    turns_meet();
    if (meeting.worst == KOL_OK) return KOL_OK;
    if (st == KOL_OK && status_message()[0] == '\0')
        status_raise(meeting.worst, __FILE__, __LINE__, "another member of the ensemble has failed");
    status_set_agreed(1);
    return st == KOL_OK ? meeting.worst : st;
}
