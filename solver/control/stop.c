/* Decides when a run ends before its time: signals, the stop file, limits of wall-clock time. All ranks agree
 * on it. */
#include "stop.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include "io/log.h"
#include "state/pending_fault.h"

/* Shortest time between two looks of rank 0 for the stop file [s]. */
static const double LOOK_SECONDS = 1;

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    stop_signal = number;
}

/* At the hard limit of processor time a process is killed. If the limit at which XCPU comes is as high, as
 * `ulimit -t` sets both, it is lowered, so that there is time for a checkpoint: by a quarter, at most a
 * minute. */
static void leave_processor_time(void)
{
    enum { MINUTE = 60 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return;
    const rlim_t spare = limit.rlim_max / 4 < MINUTE ? limit.rlim_max / 4 : MINUTE;
    if (limit.rlim_cur <= limit.rlim_max - spare) return;
    limit.rlim_cur = limit.rlim_max - spare;
    setrlimit(RLIMIT_CPU, &limit);
}

void stop_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGXCPU, &action, NULL);
    leave_processor_time();
    struct sigaction before; /* nohup and setsid want it to stay ignored */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* whoever reads the messages may end: the run has its log */
}

int stop_finished(const struct control *control, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    if (control->enough || (in->run.steps_max >= 0 && flow->clock.step >= in->run.steps_max)) return 1;
    return in->run.t_end >= 0 && flow->clock.t >= in->run.t_end * (1 - 4 * 2.3e-16);
}

static void stop_file(const struct domain *domain, char path[INPUT_TEXT + 16])
{
    snprintf(path, INPUT_TEXT + 16, "%s/%s", domain->in->output.directory, STOP_FILE);
}

int stop_drop_file(const struct domain *domain)
{
    char path[INPUT_TEXT + 16];
    stop_file(domain, path);
    return unlink(path) == 0;
}

static int stop_file_there(struct control *control, double now)
{
    const struct domain *domain = control->domain;
    char path[INPUT_TEXT + 16];
    if (domain->comm.rank != 0 || now - control->wall_looked < LOOK_SECONDS) return 0;
    control->wall_looked = now;
    stop_file(domain, path);
    return access(path, F_OK) == 0;
}

static const char *signal_name(int number)
{
    return number == SIGUSR1   ? "signal USR1"
           : number == SIGINT  ? "signal INT"
           : number == SIGHUP  ? "signal HUP"
           : number == SIGXCPU ? "signal XCPU"
                               : "signal TERM";
}

kol_status stop_poll(struct control *control, int enough, struct stop_poll *out)
{
    const struct domain *domain = control->domain;
    /* steps that may still be taken: one is being decided on, and a stop may wait for three more */
    const int steps = domain->in->output.series_interval > 1 ? 5 : 2;
    enum { SIGNAL, FILE_THERE, WALLTIME, CHECKPOINT, FAULT, ENOUGH, MATTERS };
    const double now = MPI_Wtime(), limit = domain->in->run.walltime,
                 every = domain->in->checkpoint.interval_walltime;
    const int mine[MATTERS] = {[SIGNAL] = stop_signal,
                               [FILE_THERE] = stop_file_there(control, now),
                               [WALLTIME] = limit > 0 && now - control->wall_start +
                                                                 steps * control->seconds_per_step +
                                                                 control->checkpoint_seconds >
                                                             limit,
                               [CHECKPOINT] = every > 0 && now - control->wall_checkpoint > every,
                               [FAULT] = domain->pending->status != KOL_OK,
                               [ENOUGH] = enough};
    int all[MATTERS];
    MPI_TRY(MPI_Allreduce(mine, all, MATTERS, MPI_INT, MPI_MAX, domain->comm.mpi));
    if (all[FAULT]) TRY(comm_agree(&domain->comm, pending_raise(domain->pending)));
    out->stop = all[SIGNAL]       ? signal_name(all[SIGNAL])
                : all[FILE_THERE] ? "stop file"
                : all[WALLTIME]   ? "run.walltime is used up"
                                  : "";
    out->checkpoint = all[CHECKPOINT];
    control->enough = all[ENOUGH];
    if (all[FILE_THERE] && domain->comm.rank == 0 && !stop_drop_file(domain))
        log_warn("the stop file in %s can't be removed: remove it before the next run",
                 domain->in->output.directory);
    return KOL_OK;
}

void stop_wait(struct control *control, int known, struct stop_poll *poll)
{
    if (control->ending == NULL && (poll->stop[0] != '\0' || control->enough)) control->ending = poll->stop;
    if (control->ending == NULL) return;
    if (!known) {
        poll->stop = "";
        control->enough = 0;
        return;
    }
    if (poll->stop[0] == '\0') poll->stop = control->ending;
    if (poll->stop[0] == '\0') control->ending = NULL; /* statistics.stop_when alone: is it still met? */
}
