/* The run's messages. Rank 0 writes them to the terminal and to run.log; other ranks are silent. */
#ifndef KOL_IO_LOG_H
#define KOL_IO_LOG_H

#include "kernels/base/status.h"

/* log_start: starts the log. Only rank 0 calls it; until then, and on other ranks, log_info does nothing.
 * path: run.log, to which lines are appended. If it is NULL, messages go to the terminal alone, and into
 * run.log as soon as it is opened. KOL_ERR_IO if the file can't be opened. */
kol_status log_start(const char *path);
/* log_info, log_warn: write one line, as printf does, to stdout and run.log. log_warn puts "warning: "
 * before it. Any thread may call them. While another thread may write, log_start and log_stop must not be
 * called. */
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* log_quiet: writes a text to run.log alone: provenance, or the words with which a failed run ends (main
 * shows them on the terminal). */
void log_quiet(const char *text);
/* log_stop: flushes and closes. KOL_ERR_IO if any line could not be written to run.log. */
kol_status log_stop(void);

/* log_digits: a number with three significant digits and without an exponent: 0.0317, 3.17, 317, 3170. From
 * 1e15 on it has one. The text lives in what is returned. */
struct log_digits {
    char text[32];
};
struct log_digits log_digits(double value);

#endif
