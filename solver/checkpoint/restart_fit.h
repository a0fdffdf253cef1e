/* Whether a checkpoint suits the input of a run, and what differs between the two. */
#ifndef KOL_CHECKPOINT_RESTART_FIT_H
#define KOL_CHECKPOINT_RESTART_FIT_H

#include "boundary/inflow.h"
#include "io/checkpoint.h"
#include "state/flow.h"

/* restart_fit: the differences between an input and a checkpoint. */
struct restart_fit {
    const struct domain *domain;

    struct checkpoint_differences grid;
    char physics[4096], other[4096];       /* lines, each begun by a newline */
    int physics_changes, boundary_changes; /* the latter among the former */
    int switched;                          /* whether the forcing of a box is switched off, or on again */
    struct {
        char was[32], now[32]; /* run.seed, where it alone does not decide; was[0] = 0: it is the same */
    } seed;
    int unforced;       /* whether the input has no such forcing any more */
    int bodies;         /* 1: bodies are put into a flow without any; -1: all are taken out; 0: neither */
    int scalars;        /* number of this run's scalars that the file holds */
    int lifts;          /* whether the others cause buoyancy, in a flow that had no scalars */
    char begun[512];    /* names of the others */
    char left_out[512]; /* names of the file's scalars that this run has not */

    int may_add, may_remove; /* whether an input would put the bodies into this flow, or take them out */
};

/* restart_fit_judge: judges whether the checkpoint suits this run. KOL_ERR_INPUT, with a list, if it does
 * not.
 *
 *   path           of the checkpoint, for messages
 *   inflow         what the inputs give on inflows; NULL: there are none
 *   f              out
 *   grid_differs   out: whether the flow must be interpolated
 *
 * Collective. */
kol_status restart_fit_judge(const struct domain *domain, const struct io_axis axis[3], struct checkpoint *c,
                             const char *path, const struct inflow *inflow, struct restart_fit *f,
                             int *grid_differs);

/* restart_add_line: adds to a text of `size` bytes. */
void restart_add_line(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* restart_table: names of the hashes of the tables and planes of inflows. A restart compares them, because
 * the input text holds only the names of these files. restart_table_hash: returns such a hash as an integer
 * that a double can hold; 0 if the face has no file. */
extern const char *const restart_table[FACES];
double restart_table_hash(const struct inflow *inflow, int face);

/* restart_scalar_table, restart_scalar_hash: the same for all tables of scalars on faces together. */
extern const char *const restart_scalar_table;
double restart_scalar_hash(const struct domain *domain);

/* restart_other_table: finds the first face whose inflow table or planes differ from those of the run that
 * wrote the file, or of which the file says nothing. *face is -1 if there is none. Collective. */
kol_status restart_other_table(const struct flow *flow, struct checkpoint *c, int *face);

#endif
