/* The thread that writes files while the solver goes on. */
#ifndef KOL_OUTPUT_WRITER_THREAD_H
#define KOL_OUTPUT_WRITER_THREAD_H

#include "parallel/comm.h"

struct writer;
/* writer_create: threaded: whether jobs can have a thread of their own; the obstacle, where there is one, is
 * in writer_obstacle, and jobs are then done at once. Collective, as is writer_destroy, which waits for the
 * job; it takes NULL. */
kol_status writer_create(const struct comm *c, int threaded, struct writer **out);
void writer_destroy(struct writer **w);
int writer_threaded(const struct writer *w);
/* writer_obstacle: why jobs are done at once though a thread was asked for; "": they are not, or it was not.
 */
const char *writer_obstacle(const struct writer *w);
/* writer_comm: the communicator of the jobs, apart from the solver's. */
const struct comm *writer_comm(const struct writer *w);

/* writer_start: begins a job; the one before must have been collected. behind: on the thread, where there are
 * any; else it ends here. What the job uses is the job's until then, and so are HDF5 and NetCDF, which are
 * not made for two threads. writer_busy: whether a job was begun and not collected. writer_done: whether it
 * has ended. writer_collect: waits for the end; the job's status, its message and whether the ranks agreed on
 * it become the caller's; seconds: what the job took; KOL_OK and 0 where none was begun, or w is NULL. All
 * local. */
void writer_start(struct writer *w, int behind, kol_status (*job)(void *), void *context);
int writer_busy(const struct writer *w);
int writer_done(const struct writer *w);
kol_status writer_collect(struct writer *w, double *seconds);

#endif
