/* Compares the inputs and the times of files that are merged. */
#include "merge_parts.h"

#include <string.h>
#include "inputs/compare.h"
#include "io/log.h"

/* changes: the differences between an input and that of the first part. */
struct changes {
    struct lines *lines;
    unsigned begun;
};

/* FNV-1a. */
static unsigned hash_text(unsigned hash, const char *text)
{
    for (; *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Whether averages of both values are of different things: physics, and which pressure samples have. */
static int keeps_apart(const struct input_change *change)
{
    return change->known && (change->physics || strcmp(change->name, "statistics.pressure") == 0);
}

static void note_change(void *context, const struct input_change *change)
{
    struct changes *c = context;
    if (strcmp(change->name, "run.seed") == 0 || strncmp(change->name, "initial.", strlen("initial.")) == 0)
        c->begun = hash_text(hash_text(c->begun, change->name), change->was);
    if (keeps_apart(change) &&
        lines_add(c->lines, "\n  %s: %s and %s", change->name, change->now, change->was) != KOL_OK)
        status_clear(); /* a line less */
}

unsigned merge_compare_inputs(const char *text, const struct input *in, struct lines *found)
{
    struct changes changes = {found, 2166136261u};
    input_compare(text, in, note_change, &changes);
    return changes.begun;
}

kol_status merge_check_overlap(const struct merge_part *a, const struct merge_part *b, int overlap)
{
    if (b->begin > a->end) return KOL_OK;
    if (a->begun == b->begun && !overlap)
        RAISE(KOL_ERR_INPUT,
              "error: %s begins at t = %.6g, %s ends at %.6g, and both have the same run.seed and &initial, "
              "so samples of one flow would count twice. Leave one out, or give --overlap if the flows are "
              "independent nevertheless",
              b->path, b->begin, a->path, a->end);
    log_warn("%s begins at t = %.6g, %s ends at %.6g: this is right if the flows are independent; otherwise "
             "samples of one run count twice",
             b->path, b->begin, a->path, a->end);
    return KOL_OK;
}
