/* How a fault travels. The function that finds a fault raises it, with a message that holds the numbers. Its
 * callers pass the status on and add their place to the trail of calls. main prints message and trail once
 * and picks the exit code. Each thread has its own fault. */
#ifndef KOL_BASE_STATUS_H
#define KOL_BASE_STATUS_H

#include "types.h"

KOL_BEGIN_C

typedef enum {
    KOL_OK = 0,
    KOL_STOPPED,       /* asked to stop (signal, wall clock); a checkpoint was written. Exit code 5 */
    KOL_ERR_INPUT,     /* a wrong input; nothing was written. Exit code 2 */
    KOL_ERR_NUMERICAL, /* NaN, diverged, not converged. Exit code 3 */
    KOL_ERR_IO,        /* a file could not be read or written. Exit code 4 */
    KOL_ERR_CUDA,      /* exit code 1, as the next three */
    KOL_ERR_MPI,
    KOL_ERR_MEMORY,
    KOL_ERR_INTERNAL
} kol_status;

/* status_raise: records a fault and returns st, so that RAISE can return it. If a fault is already recorded,
 * that one is kept. The message may hold text of any origin: what a terminal would obey is escaped. */
kol_status status_raise(kol_status st, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* status_pass: adds a place to the trail of calls and returns st. */
kol_status status_pass(kol_status st, const char *file, int line, const char *call);
/* status_record: a fault with its trail. It can be put aside while something else may fail. */
enum { STATUS_TEXT = 16384, STATUS_TRAIL = 16, STATUS_CALL = 160 };
struct status_record {
    kol_status st;
    int agreed;
    char message[STATUS_TEXT];
    char file[STATUS_CALL];
    int line;
    int calls; /* calls that passed it on; the first STATUS_TRAIL are kept */
    char trail[STATUS_TRAIL][STATUS_CALL];
};
/* status_take: moves the recorded fault to `out`. status_give: records it again, and replaces any other
 * fault. */
void status_take(struct status_record *out);
void status_give(const struct status_record *in);
/* status_clear: removes the recorded fault when it has been handled. */
void status_clear(void);
/* status_message: returns the recorded message, or "" if there is none. The pointer is borrowed and valid
 * until the next fault is raised. */
const char *status_message(void);
/* status_print: prints the message to stderr. The number of the rank is printed, too, unless it is 0. The
 * trail is printed if the fault is one of the code or of the machine, and always in debug builds. */
void status_print(int rank);
/* status_set_place: records where this process runs, as "rank 1 of 2, host ..., GPU". This place is shown
 * with faults of the machine. status_place: returns it.
 *
 * status_with_place: writes the message to `text`. If the fault is one of the machine, the place follows in a
 * line of its own. It is for ranks that share a fault. Each function that does so sends STATUS_SHARED bytes,
 * because a rank that has left by a fault of its own may meet the others in another of these functions. */
enum { STATUS_PLACE = 512, STATUS_SHARED = 4096 };
void status_set_place(const char *place);
const char *status_place(void);
void status_with_place(kol_status st, char *text, size_t size);
/* status_use: lets this thread record its fault in *r and its place in `of_place`, of STATUS_PLACE bytes,
 * from now on. Both are borrowed. With NULL it takes its own fault and the place of the process again. It is
 * for runs that take turns on a thread (turns.h). */
void status_use(struct status_record *r, char *of_place);
/* status_exit_code: returns the exit code for main. It is 0 for done, 2 for input, 3 for numerical, 4 for
 * files, 5 for stopped, and 1 for anything else. */
int status_exit_code(kol_status st);
/* status_set_agreed, status_agreed: set and return whether every rank knows of the fault. Only then may all
 * ranks end together. */
void status_set_agreed(int agreed);
int status_agreed(void);

#define RAISE(st, ...) return status_raise((st), __FILE__, __LINE__, __VA_ARGS__)
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const kol_status try_st_ = (call);                                                                   \
        if (try_st_ != KOL_OK) return status_pass(try_st_, __FILE__, __LINE__, #call);                       \
    } while (0)
/* TRY_OR: like TRY, for functions that free local memory at one label. It needs a variable `kol_status st`.
 */
#define TRY_OR(label, call)                                                                                  \
    do {                                                                                                     \
        st = (call);                                                                                         \
        if (st != KOL_OK) {                                                                                  \
            status_pass(st, __FILE__, __LINE__, #call);                                                      \
            goto label;                                                                                      \
        }                                                                                                    \
    } while (0)

KOL_END_C

#endif
