/* Records the fault of a thread with its trail of calls, and prints it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plain_text.h"
#include "status.h"

/* The one fault of this thread. This state belongs to the file, because a fault must get up to main without
 * every function carrying it, and because there must be memory for it when memory has run out. */
static _Thread_local struct status_record own_fault;
static _Thread_local struct status_record *used; /* in its place; NULL: none */

static struct status_record *fault(void)
{
    return used != NULL ? used : &own_fault;
}

static const char *short_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

kol_status status_raise(kol_status st, const char *file, int line, const char *fmt, ...)
{
    if (fault()->st != KOL_OK) return st;
    fault()->st = st;
    fault()->line = line;
    snprintf(fault()->file, sizeof fault()->file, "%s", short_name(file));
    va_list args;
    va_start(args, fmt);
    const int length = vsnprintf(fault()->message, sizeof fault()->message, fmt, args);
    va_end(args);
    if (length >= STATUS_TEXT) memcpy(fault()->message + STATUS_TEXT - 4, "...", 4);
    plain_text(fault()->message, sizeof fault()->message);
    return st;
}

kol_status status_pass(kol_status st, const char *file, int line, const char *call)
{
    if (fault()->calls < STATUS_TRAIL)
        snprintf(fault()->trail[fault()->calls], STATUS_CALL, "%s:%d: %s", short_name(file), line, call);
    ++fault()->calls;
    return st;
}

void status_clear(void)
{
    fault()->st = KOL_OK;
    fault()->agreed = 0;
    fault()->message[0] = '\0';
    fault()->calls = 0;
}

void status_take(struct status_record *out)
{
    *out = *fault();
    status_clear();
}

void status_give(const struct status_record *in)
{
    *fault() = *in;
}

const char *status_message(void)
{
    return fault()->message;
}

static char place[STATUS_PLACE];       /* of the process */
static _Thread_local char *used_place; /* in its place; NULL: none */

void status_set_place(const char *text)
{
    snprintf(used_place != NULL ? used_place : place, STATUS_PLACE, "%s", text);
}

const char *status_place(void)
{
    return used_place != NULL ? used_place : place;
}

void status_use(struct status_record *r, char *of_place)
{
    used = r;
    used_place = of_place;
}

void status_with_place(kol_status st, char *text, size_t size)
{
    const int machine = st == KOL_ERR_CUDA || st == KOL_ERR_MPI || st == KOL_ERR_MEMORY;
    const int told = strstr(fault()->message, "\n  on rank ") != NULL;
    if (machine && !told)
        snprintf(text, size, "%.*s\n  on %s", (int)size / 2, fault()->message, status_place());
    else snprintf(text, size, "%s", fault()->message);
}

/* Whether the trail of calls is printed: for faults of the code or the machine, and in debug builds for all
 * faults. */
static int traced(kol_status st)
{
#ifdef KOLMO_DEBUG
    return st != KOL_OK;
#else
    return st != KOL_OK && st != KOL_ERR_NUMERICAL && st != KOL_ERR_IO;
#endif
}

void status_print(int rank)
{
    if (fault()->st ==
        KOL_ERR_INPUT) { /* the user can mend these; places in the code would only hide the message */
        fprintf(stderr, "%s\n", fault()->message);
        return;
    }
    if (rank > 0) {
        fprintf(stderr, "kolmo: rank %d: %s\n", rank, fault()->message);
    } else {
        fprintf(stderr, "kolmo: %s\n", fault()->message);
    }
    if (!traced(fault()->st)) return;
    fprintf(stderr, "  raised at %s:%d\n", fault()->file, fault()->line);
    for (int i = 0; i < fault()->calls && i < STATUS_TRAIL; ++i)
        fprintf(stderr, "  from %s\n", fault()->trail[i]);
    if (fault()->calls > STATUS_TRAIL)
        fprintf(stderr, "  and %d more calls\n", fault()->calls - STATUS_TRAIL);
}

int status_exit_code(kol_status st)
{
    switch (st) {
    case KOL_OK:
        return 0;
    case KOL_ERR_INPUT:
        return 2;
    case KOL_ERR_NUMERICAL:
        return 3;
    case KOL_ERR_IO:
        return 4;
    case KOL_STOPPED:
        return 5;
    case KOL_ERR_CUDA:
    case KOL_ERR_MPI:
    case KOL_ERR_MEMORY:
    case KOL_ERR_INTERNAL:
        return 1;
    }
    return 1;
}

void status_set_agreed(int agreed)
{
    fault()->agreed = agreed;
}

int status_agreed(void)
{
    return fault()->agreed;
}
