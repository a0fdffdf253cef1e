/* Writes the run's messages. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "kernels/base/plain_text.h"
#include "kernels/base/regular_file.h"
#include "kernels/base/turns.h"

/* The longest time that a run waits for a reader of standard output that does not read [ms]. */
enum { READER_WAIT = 1000 };

/* The only mutable state of io/ without an owner, because messages come from everywhere, on rank 0 of one
 * program. */
static struct messages {
    int started;
    int off;          /* whether the terminal gets nothing */
    FILE *file;       /* run.log; NULL: terminal only */
    FILE *records;    /* run.jsonl beside it; NULL: it is not written */
    char path[256];   /* for messages; cut if longer */
    int fault;        /* errno of the first line that could not be written */
    long lost;        /* lines that could not be written */
    long unread;      /* the latest lines that are in run.log alone, because nobody reads standard output */
    char early[4096]; /* what was written before run.log was opened */
} logs[TURNS_MOST];   /* by seats */
static pthread_mutex_t writing =
    PTHREAD_MUTEX_INITIALIZER; /* lines come from the solver and from the writer of files */

static struct messages *the_log(void)
{
    return &logs[turns_seat()];
}

/* Opens run.jsonl beside run.log. The run needs it for nothing, and goes on without it. */
static void open_records(const char *path)
{
    static const char LOG[] = ".log";
    char beside[sizeof the_log()->path + 8];
    const char *why;
    const size_t n = strlen(path), stem = n > strlen(LOG) ? n - strlen(LOG) : 0;
    if (stem == 0 || n >= sizeof the_log()->path || strcmp(path + stem, LOG) != 0) return;
    snprintf(beside, sizeof beside, "%.*s.jsonl", (int)stem, path);
    the_log()->records = regular_file_stream(beside, O_WRONLY | O_CREAT | O_APPEND, "a", &why);
    if (the_log()->records == NULL) fprintf(the_log()->file, "warning: %s is not written: %s\n", beside, why);
}

/* A line of run.jsonl. After the first one that can't be written there are no more, and run.log says so. */
static void to_records(const char *line)
{
    if (the_log()->records == NULL) return;
    errno = 0;
    if (fprintf(the_log()->records, "%s\n", line) >= 0 && fflush(the_log()->records) == 0) return;
    if (the_log()->file) fprintf(the_log()->file, "warning: run.jsonl ends here: %s\n", strerror(errno));
    fclose(the_log()->records);
    the_log()->records = NULL;
}

void log_record(const char *fmt, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, fmt);
    const int n = vasprintf(&line, fmt, args);
    va_end(args);
    if (n < 0) return; /* no memory */
    pthread_mutex_lock(&writing);
    to_records(line);
    pthread_mutex_unlock(&writing);
    free(line);
}

struct log_number log_number(double value)
{
    struct log_number out;
    if (isfinite(value)) snprintf(out.text, sizeof out.text, "%.9g", value);
    else snprintf(out.text, sizeof out.text, "null");
    return out;
}

struct log_text log_text(const char *text)
{
    struct log_text out;
    size_t used = 0;
    out.text[used++] = '"';
    for (; *text != '\0' && used + 8 < sizeof out.text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') out.text[used++] = '\\';
        if (c >= ' ') out.text[used++] = (char)c;
        else used += (size_t)snprintf(out.text + used, sizeof out.text - used, "\\u%04x", c);
    }
    out.text[used++] = '"';
    out.text[used] = '\0';
    return out;
}

kol_status log_start(const char *path)
{
    TRY(log_stop());
    if (path) {
        const char *why;
        the_log()->file = regular_file_stream(path, O_WRONLY | O_CREAT | O_APPEND, "a", &why);
        if (!the_log()->file)
            RAISE(KOL_ERR_IO, "%s: %s; check that the directory is there and can be written", path, why);
        snprintf(the_log()->path, sizeof the_log()->path, "%s", path);
        open_records(path);
        fputs(the_log()->early, the_log()->file);
        the_log()->early[0] = '\0';
    }
    the_log()->started = 1;
    return KOL_OK;
}

void log_keep_off(void)
{
    the_log()->off = 1;
}

static void log_write(const char *head, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

/* A line into run.log, or to those that wait for it. The run goes on where that fails; log_stop reports. */
static void to_file(const char *head, const char *text)
{
    if (!the_log()->file) {
        const size_t used = strlen(the_log()->early);
        snprintf(the_log()->early + used, sizeof the_log()->early - used, "%s%s\n", head, text);
        return;
    }
    errno = 0;
    if (fprintf(the_log()->file, "%s%s\n", head, text) < 0 || fflush(the_log()->file) != 0) {
        if (the_log()->lost++ == 0) the_log()->fault = errno;
        clearerr(the_log()->file);
    }
}

/* A line to standard output. A run with a run.log does not wait for ever for a reader that has stopped:
 * mpirun does not read while it ends a run, and the run still has to write its checkpoint then. */
static void to_terminal(const char *head, const char *text)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (the_log()->off) return;
    if (the_log()->file && poll(&out, 1, the_log()->unread ? 0 : READER_WAIT) <= 0) {
        the_log()->unread++;
        return;
    }
    if (the_log()->unread)
        printf("(%ld lines are in run.log alone, because nobody read them here)\n", the_log()->unread);
    the_log()->unread = 0;
    printf("%s%s\n", head, text);
    fflush(stdout);
}

/* The record of a warning. */
static void warn_records(const char *text)
{
    char line[sizeof(struct log_text) + 64];
    snprintf(line, sizeof line, "{\"event\": \"warning\", \"text\": %s}", log_text(text).text);
    to_records(line);
}

static void log_write(const char *head, const char *fmt, va_list args)
{
    if (!the_log()->started) return;
    char *text = NULL;
    int n = vasprintf(&text, fmt, args);
    if (n < 0) return;                     /* no memory */
    const size_t room = 4 * (size_t)n + 1; /* every byte may be escaped */
    char *plain = realloc(text, room);
    if (plain) plain_text(plain, room);
    pthread_mutex_lock(&writing);
    to_file(head, plain ? plain : text);
    if (head[0] != '\0') warn_records(plain ? plain : text);
    to_terminal(head, plain ? plain : text);
    pthread_mutex_unlock(&writing);
    free(plain ? plain : text);
}

void log_info(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    log_write("", fmt, args);
    va_end(args);
}

void log_warn(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    log_write("warning: ", fmt, args);
    va_end(args);
}

void log_quiet(const char *text)
{
    if (!the_log()->started || !the_log()->file) return;
    pthread_mutex_lock(&writing);
    if (fprintf(the_log()->file, "%s\n", text) < 0 || fflush(the_log()->file) != 0) {
        if (the_log()->lost++ == 0) the_log()->fault = errno;
        clearerr(the_log()->file);
    }
    pthread_mutex_unlock(&writing);
}

kol_status log_stop(void)
{
    if (the_log()->file) {
        errno = 0;
        if (fclose(the_log()->file) != 0 && the_log()->lost++ == 0) the_log()->fault = errno;
    }
    const long lost = the_log()->lost;
    const int fault = the_log()->fault;
    if (the_log()->records) fclose(the_log()->records);
    the_log()->records = NULL;
    the_log()->file = NULL;
    the_log()->started = 0;
    the_log()->lost = 0;
    the_log()->unread = 0;
    if (lost > 0)
        RAISE(KOL_ERR_IO, "%s: %ld lines could not be written: %s; check free space and quota",
              the_log()->path, lost, strerror(fault));
    return KOL_OK;
}

struct log_digits log_digits(double value)
{
    struct log_digits out;
    const double size = fabs(value);
    const int whole = size >= 1e-9 && size < 1e15 ? (int)floor(log10(size)) : 0;
    snprintf(out.text, sizeof out.text, size < 1e15 ? "%.*f" : "%.*e", whole < 2 ? 2 - whole : 0, value);
    return out;
}
