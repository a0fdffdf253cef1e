/* Records marks in the queues of the device for --profile, and writes its table and its timeline. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>
#include "watchdog.h"

enum { KINDS = 16 };

/* kind: all phases, or all exchanges, with the same name. */
struct kind {
    const char *name;
    double seconds, exposed;
    long long count;
};

/* event: one phase or exchange of the present step. A phase has two marks, an exchange has three. */
struct event {
    const char *name;
    int exchange;
    int mark[3];
    double at[3]; /* seconds since the first mark of the step */
};

struct profile {
    const struct comm *comm;
    struct device_mark **mark;
    int marks, used; /* number created so far; number used in this step */
    struct event *event;
    int events, room;
    int phase, exchange; /* the open ones; -1: none */
    int first_read;      /* events of the last step have their times */
    struct kind phases[KINDS], exchanges[KINDS];
    long long steps; /* counted */
    int warm;        /* whether a step has been left out as warm-up */
};

kol_status profile_create(const struct comm *c, int wanted, struct profile **out)
{
    *out = NULL;
    if (!wanted) return KOL_OK;
    struct profile *p = calloc(1, sizeof *p);
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the profile");
    *out = p;
    p->comm = c;
    p->phase = p->exchange = -1;
    return KOL_OK;
}

void profile_destroy(struct profile **p)
{
    if (*p == NULL) return;
    for (int i = 0; i < (*p)->marks; ++i) device_mark_destroy(&(*p)->mark[i]);
    free((*p)->mark);
    free((*p)->event);
    free(*p);
    *p = NULL;
}

/* Records a mark in the queue in use, and returns its number. */
static kol_status record(struct profile *p, int *number)
{
    if (p->used == p->marks) {
        struct device_mark **more = realloc(p->mark, (size_t)(p->marks + 64) * sizeof *more);
        if (more == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the profile");
        p->mark = more;
        for (int i = 0; i < 64; ++i) {
            TRY(device_mark_create(1, &p->mark[p->marks]));
            ++p->marks;
        }
    }
    *number = p->used++;
    return device_mark_record(p->mark[*number]);
}

static kol_status open_event(struct profile *p, const char *name, int exchange, int *number)
{
    if (p->events == p->room) {
        const int room = p->room + 64;
        struct event *more = realloc(p->event, (size_t)room * sizeof *more);
        if (more == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the profile");
        p->event = more;
        p->room = room;
    }
    struct event *e = &p->event[p->events];
    *e = (struct event){.name = name, .exchange = exchange, .mark = {-1, -1, -1}};
    TRY(record(p, &e->mark[0]));
    *number = p->events++;
    return KOL_OK;
}

kol_status profile_phase(struct profile *p, const char *name)
{
    device_range(name);
    watchdog_phase(name);
    if (p == NULL) return KOL_OK;
    if (p->phase >= 0) TRY(record(p, &p->event[p->phase].mark[1]));
    p->phase = -1;
    return name[0] != '\0' ? open_event(p, name, 0, &p->phase) : KOL_OK;
}

kol_status profile_exchange_begin(struct profile *p, const char *name)
{
    return p == NULL ? KOL_OK : open_event(p, name, 1, &p->exchange);
}

kol_status profile_exchange_fill(struct profile *p, const char *name)
{
    TRY(profile_exchange_begin(p, name));
    if (p != NULL) p->event[p->exchange].mark[1] = p->event[p->exchange].mark[0];
    return KOL_OK;
}

kol_status profile_exchange_await(struct profile *p)
{
    return p == NULL || p->exchange < 0 ? KOL_OK : record(p, &p->event[p->exchange].mark[1]);
}

kol_status profile_exchange_join(struct profile *p)
{
    if (p == NULL || p->exchange < 0) return KOL_OK;
    TRY(record(p, &p->event[p->exchange].mark[2]));
    p->exchange = -1;
    return KOL_OK;
}

static struct kind *kind_of(struct kind *kinds, const char *name)
{
    int i = 0;
    while (i < KINDS - 1 && kinds[i].name != NULL && strcmp(kinds[i].name, name) != 0) ++i;
    kinds[i].name = name;
    return &kinds[i];
}

static double seconds_of(const struct event *e)
{
    return e->at[e->exchange ? 2 : 1] - e->at[0];
}

/* Time in which the compute queue only waited for the exchange; 0 for a phase. */
static double exposed_of(const struct event *e)
{
    if (!e->exchange || e->at[2] <= e->at[1]) return 0;
    return e->at[2] - (e->at[1] > e->at[0] ? e->at[1] : e->at[0]);
}

static double hidden_share(double seconds, double exposed)
{
    return seconds > 0 ? 1 - exposed / seconds : 1;
}

static void count(struct profile *p, const struct event *e)
{
    struct kind *k = kind_of(e->exchange ? p->exchanges : p->phases, e->name);
    k->seconds += seconds_of(e);
    k->exposed += exposed_of(e);
    ++k->count;
}

kol_status profile_step(struct profile *p)
{
    if (p == NULL) return KOL_OK;
    TRY(profile_phase(p, ""));
    TRY(device_wait());
    for (int i = 0; i < p->events; ++i) {
        struct event *e = &p->event[i];
        for (int m = 0; m < 2 + e->exchange; ++m)
            TRY(device_mark_seconds(p->mark[p->event[0].mark[0]], p->mark[e->mark[m]], &e->at[m]));
        if (p->warm) count(p, e);
    }
    p->steps += p->warm;
    p->warm = 1;
    p->first_read = p->events;
    p->events = p->used = 0;
    return KOL_OK;
}

/* Averages over the ranks what each of them measured per step. */
static kol_status gather(struct profile *p, const struct kind *kinds, double mean[KINDS][3])
{
    double own[KINDS][3];
    const double steps = (double)p->steps;
    for (int i = 0; i < KINDS; ++i) {
        own[i][0] = kinds[i].seconds / steps / p->comm->size;
        own[i][1] = kinds[i].exposed / steps / p->comm->size;
        own[i][2] = (double)kinds[i].count / steps / p->comm->size;
    }
    MPI_TRY(MPI_Allreduce(own, mean, 3 * KINDS, MPI_DOUBLE, MPI_SUM, p->comm->mpi));
    return KOL_OK;
}

kol_status profile_report(struct profile *p, char *text, size_t size)
{
    double phase[KINDS][3], exchange[KINDS][3], whole = 0;
    text[0] = '\0';
    if (p == NULL) return KOL_OK;
    if (p->steps == 0) {
        snprintf(text, size, "profile: the first step is not counted: take 2 or more\n");
        return KOL_OK;
    }
    TRY(gather(p, p->phases, phase));
    TRY(gather(p, p->exchanges, exchange));
    for (int i = 0; i < KINDS; ++i) whole += phase[i][0];
    int n = snprintf(text, size,
                     "profile of %lld steps, means over %d ranks\n  phase                  ms/step  share\n",
                     p->steps, p->comm->size);
    for (int i = 0; i < KINDS && p->phases[i].name != NULL && n < (int)size; ++i) {
        n += snprintf(text + n, size - (size_t)n, "  %-20s %9.3f  %4.1f %%\n", p->phases[i].name,
                      phase[i][0] * 1e3, 100 * phase[i][0] / whole);
    }
    if (n < (int)size)
        n += snprintf(text + n, size - (size_t)n,
                      "  exchange             a step  us each  waited us  hidden\n");
    for (int i = 0; i < KINDS && p->exchanges[i].name != NULL && n < (int)size; ++i) {
        const double *e = exchange[i], each = e[2] > 0 ? 1e6 / e[2] : 0;
        n += snprintf(text + n, size - (size_t)n, "  %-20s %6.1f %8.1f %10.1f  %4.1f %%\n",
                      p->exchanges[i].name, e[2], e[0] * each, e[1] * each, 100 * hidden_share(e[0], e[1]));
    }
    return KOL_OK;
}

/* Writes one bar of the timeline, with times in microseconds. It leaves the last brace open. */
static void bar(const struct profile *p, FILE *file, const char *name, int row, double from, double to)
{
    fprintf(file,
            ",\n {\"name\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f",
            name, p->comm->rank, row, from * 1e6, (to - from) * 1e6);
}

static void exchange_bars(const struct profile *p, FILE *file, const struct event *e, int row,
                          int row_waiting)
{
    bar(p, file, e->name, row, e->at[0], e->at[2]);
    fprintf(file, ", \"args\": {\"hidden\": %.4f}}", hidden_share(seconds_of(e), exposed_of(e)));
    if (e->at[2] <= e->at[1]) return;
    bar(p, file, e->name, row_waiting, e->at[1], e->at[2]);
    fprintf(file, "}");
}

kol_status profile_timeline(const struct profile *p, FILE *file)
{
    enum { PHASES, EXCHANGES, WAITING };
    static const char *const ROW[] = {"phases", "exchanges", "waiting for an exchange"};
    fprintf(file, "[");
    for (int r = PHASES; r <= WAITING; ++r) {
        fprintf(file,
                "%s\n {\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %d, \"tid\": %d, \"args\": "
                "{\"name\": \"%s\"}}",
                r == PHASES ? "" : ",", p->comm->rank, r, ROW[r]);
    }
    for (int i = 0; i < p->first_read; ++i) {
        const struct event *e = &p->event[i];
        if (e->exchange) {
            exchange_bars(p, file, e, EXCHANGES, WAITING);
        } else {
            bar(p, file, e->name, PHASES, e->at[0], e->at[1]);
            fprintf(file, "}");
        }
    }
    fprintf(file, "\n]\n");
    if (ferror(file)) RAISE(KOL_ERR_IO, "can't write the timeline");
    return KOL_OK;
}
