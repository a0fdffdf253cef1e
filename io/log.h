/* The run's messages: rank 0 writes them to the terminal and to run.log; other ranks are silent. */
#ifndef KOL_IO_LOG_H
#define KOL_IO_LOG_H

#include "kernels/base/status.h"

/* log_start: until it is called, and on ranks other than 0, log_info does nothing; call it on rank 0 only.
 * path: of run.log, appended to; NULL: terminal only, for now: what
 * is said goes into run.log when it is opened. KOL_ERR_IO where the file can't be opened. */
kol_status log_start(const char *path);
/* log_info, log_warn: one line, printf-like, to stdout and run.log; log_warn puts "warning: " before it. From
 * any thread; start and stop when no other one writes. */
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* log_quiet: a text to run.log alone: provenance, and the words a run ends with when it fails (main shows
 * them). */
void log_quiet(const char *text);
/* log_stop: flush and close. KOL_ERR_IO if any line could not be written to run.log. */
kol_status log_stop(void);

#endif
