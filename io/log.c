/* Writes the run's messages. */
#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The only mutable state of io/ without an owner, because messages come from everywhere, on rank 0 of one
 * program. */
static struct {
    int started;
    FILE *file;       /* run.log; NULL: terminal only */
    char path[256];   /* for messages; cut if longer */
    int fault;        /* errno of the first line that could not be written */
    long lost;        /* lines that could not be written */
    char early[4096]; /* what was written before run.log was opened */
} the_log;
static pthread_mutex_t writing =
    PTHREAD_MUTEX_INITIALIZER; /* lines come from the solver and from the writer of files */

kol_status log_start(const char *path)
{
    TRY(log_stop());
    if (path) {
        the_log.file = fopen(path, "ae");
        if (!the_log.file)
            RAISE(KOL_ERR_IO, "%s: %s; check that the directory is there and can be written", path,
                  strerror(errno));
        snprintf(the_log.path, sizeof the_log.path, "%s", path);
        fputs(the_log.early, the_log.file);
        the_log.early[0] = '\0';
    }
    the_log.started = 1;
    return KOL_OK;
}

static void log_write(const char *head, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static void log_write(const char *head, const char *fmt, va_list args)
{
    if (!the_log.started) return;
    va_list again;
    pthread_mutex_lock(&writing);
    va_copy(again, args);
    fputs(head, stdout);
    vprintf(fmt, args);
    putchar('\n');
    fflush(stdout);
    if (!the_log.file) {
        const size_t used = strlen(the_log.early), room = sizeof the_log.early - used;
        const int n = snprintf(the_log.early + used, room, "%s", head);
        if (n >= 0 && (size_t)n < room) vsnprintf(the_log.early + used + n, room - (size_t)n, fmt, again);
        strncat(the_log.early, "\n", sizeof the_log.early - strlen(the_log.early) - 1);
    }
    if (the_log.file) {
        errno = 0;
        const int bad = fputs(head, the_log.file) < 0 || vfprintf(the_log.file, fmt, again) < 0 ||
                        putc('\n', the_log.file) == EOF || fflush(the_log.file) != 0;
        if (bad) { /* the run goes on; log_stop reports */
            if (the_log.lost++ == 0) the_log.fault = errno;
            clearerr(the_log.file);
        }
    }
    pthread_mutex_unlock(&writing);
    va_end(again);
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
    if (!the_log.started || !the_log.file) return;
    pthread_mutex_lock(&writing);
    if (fprintf(the_log.file, "%s\n", text) < 0 || fflush(the_log.file) != 0) {
        if (the_log.lost++ == 0) the_log.fault = errno;
        clearerr(the_log.file);
    }
    pthread_mutex_unlock(&writing);
}

kol_status log_stop(void)
{
    if (the_log.file) {
        errno = 0;
        if (fclose(the_log.file) != 0 && the_log.lost++ == 0) the_log.fault = errno;
    }
    const long lost = the_log.lost;
    const int fault = the_log.fault;
    the_log.file = NULL;
    the_log.started = 0;
    the_log.lost = 0;
    if (lost > 0)
        RAISE(KOL_ERR_IO, "%s: %ld lines could not be written: %s; check free space and quota", the_log.path,
              lost, strerror(fault));
    return KOL_OK;
}
