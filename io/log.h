/* The messages of a run. Rank 0 writes them to the terminal and to run.log, and records to run.jsonl.
 * Other ranks write nothing. */
#ifndef KOL_IO_LOG_H
#define KOL_IO_LOG_H

#include "kernels/base/status.h"

/* log_start: starts the log. Only rank 0 calls it. Before the call, and on other ranks, log_info does
 * nothing. path: the file run.log, to which lines are appended. If path is NULL, messages first go to the
 * terminal alone; they are added to run.log when a second call opens it. Returns KOL_ERR_IO if the file can't
 * be opened. */
kol_status log_start(const char *path);
/* log_keep_off: from now on, lines go to run.log alone and not to the terminal. */
void log_keep_off(void);
/* log_info, log_warn: write one line, as printf does, to stdout and run.log. log_warn puts "warning: " before
 * it. Any thread may call them. log_start and log_stop must not be called while another thread may write. */
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* log_quiet: writes a text to run.log alone. This is for provenance, and for the message of a failed run,
 * which main shows on the terminal. */
void log_quiet(const char *text);
/* log_record: writes one line to run.jsonl, which lies beside a run.log; printf's arguments make one object
 * of JSON (docs/output.md, "run.jsonl"). log_warn writes one, too. If the file can't be written, the run goes
 * on without it. log_number, log_text: a number, or null if it is not finite, and a text in its quotation
 * marks, as JSON has them; a text is cut after about 2000 bytes. What they return holds the text. */
void log_record(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
struct log_number {
    char text[32];
};
struct log_number log_number(double value);
struct log_text {
    char text[2048];
};
struct log_text log_text(const char *text);
/* log_stop: flushes and closes run.log. Returns KOL_ERR_IO if any line could not be written to it. */
kol_status log_stop(void);

/* log_digits: returns the text of a number with three significant digits and without an exponent: 0.0317,
 * 3.17, 317, 3170. From 1e15 on it has one. The text lives in what is returned. */
struct log_digits {
    char text[32];
};
struct log_digits log_digits(double value);

#endif
