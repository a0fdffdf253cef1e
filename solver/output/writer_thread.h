/* The thread that writes files while the solver goes on. */
#ifndef KOL_OUTPUT_WRITER_THREAD_H
#define KOL_OUTPUT_WRITER_THREAD_H

#include "parallel/comm.h"

struct writer;
/* writer_create: makes a writer. threaded: whether its jobs are to run on a thread of their own. If that is
 * not possible, they run in writer_start(), and writer_obstacle() gives the reason. Collective. */
kol_status writer_create(const struct comm *c, int threaded, struct writer **out);
/* writer_destroy: waits for the job. Takes NULL. Collective. */
void writer_destroy(struct writer **w);
/* writer_threaded: returns whether jobs can run on a thread of their own. */
int writer_threaded(const struct writer *w);
/* writer_obstacle: returns why jobs do not run on a thread although that was asked for; "" if they do, or
 * if it was not asked for. */
const char *writer_obstacle(const struct writer *w);
/* writer_comm: returns the communicator of the jobs, which the solver does not use. */
const struct comm *writer_comm(const struct writer *w);

/* writer_start: starts a job. The previous one must have been collected. None of these four calls is
 * collective.
 *
 *   behind    whether the job runs on the thread, if there is one. Otherwise it is done when the call
 *             returns.
 *   context   argument of the job
 *
 * Until the job ends, the caller must not touch what it uses, nor HDF5 and NetCDF, which are not safe with
 * two threads. */
void writer_start(struct writer *w, int behind, kol_status (*job)(void *), void *context);
/* writer_busy: returns whether a job has been started and not yet collected. */
int writer_busy(const struct writer *w);
/* writer_done: returns whether this job has ended. */
int writer_done(const struct writer *w);
/* writer_collect: waits for the end of the job. Returns the status of the job. If it is a fault, its message
 * is recorded for the calling thread, with the information whether all ranks know of it. *seconds: duration
 * of the job [s]; seconds may be NULL. If no job was started, or w is NULL, it returns KOL_OK and 0 s. */
kol_status writer_collect(struct writer *w, double *seconds);

#endif
