/* What output.c and output_log.c share: the state of output. */
#ifndef KOL_OUTPUT_OUTPUT_INTERNAL_H
#define KOL_OUTPUT_OUTPUT_INTERNAL_H

#include "output.h"
#include "decay_series.h"
#include "scalar_series.h"
#include "step_files.h"
#include "writer_thread.h"

struct output {
    const struct domain *domain; /* borrowed */
    struct output_sources from;  /* borrowed */
    struct provenance *provenance;
    struct step_files files; /* the writer's while it is busy */
    struct writer *writer;
    kol_status files_fault; /* of files, as this rank knows it */
    double files_begun;     /* MPI_Wtime when the files being written were begun */
    double files_seconds,
        checkpoint_seconds;         /* what the last ones took, and the last ones with a checkpoint */
    double statistics_seconds;      /* the same of statistics.nc alone */
    int behind;                     /* whether steps were to follow when these were begun, and not to wait */
    double wrote, waited;           /* files behind the steps, and what of it the steps waited for [s] */
    struct probes *probes;          /* NULL: there are none */
    struct history *history;        /* NULL: there is none */
    struct body_record *bodies;     /* forces on bodies */
    struct surface_record *surface; /* surface data of bodies; NULL: there are none */
    struct wall_force *friction;    /* NULL: no stream along walls */
    double wall_stress[FACES];      /* rank 0: of the record that comes next [U^2] */
    struct scalar_numbers_set scalars; /* of the record that comes next */
    struct scalar_series scalar_series;
    struct decay_series decay; /* rank 0 */
    struct series *series;     /* rank 0; NULL before the first record */
    long long keep_through;    /* records of an existing series that stay; -1: a new one */
    double flushed;            /* MPI_Wtime of the last flush of the series */
    int statistics_due;        /* statistics.nc waits until NetCDF is free */
    int statistics_behind;     /* whether it is written behind the steps */
    double wall_begin;         /* MPI_Wtime at the start */
    double mean_seconds;       /* of a step, running mean over about ten */
    int steps;                 /* that this run has taken */
    double timed_seconds;      /* of these, the first few apart, in all */
    long long checkpoint_step; /* of the newest checkpoint, -1: none */
    struct runlock *lock;      /* rank 0; NULL before it is taken */
    char restart[8192];        /* words on the restart, for the log */
};

/* files_behind: returns whether files other than statistics.nc are written while the run goes on. obstacle:
 * returns the reason why they are not, although the input asks for it; "" if there is none. */
static inline int files_behind(const struct output *o)
{
    return writer_threaded(o->writer) && o->files.staging.ahead;
}

static inline const char *obstacle(const struct output *o)
{
    return writer_obstacle(o->writer)[0] != '\0' ? writer_obstacle(o->writer) : o->files.staging.obstacle;
}

/* output_log_banner: writes what the run is, at its start. output_log_step: writes the line of a step.
 * output_log_waiting: writes how long the steps waited for files. All on rank 0. */
void output_log_banner(const struct output *o);
void output_log_step(const struct output *o);
void output_log_waiting(const struct output *o);

/* The records of run.jsonl on rank 0: at the start, and at the end, for which `ending` is the word of the
 * log. That of a step is written with its line. */
void output_record_start(const struct output *o);
void output_record_end(const struct output *o, const char *ending);

#endif
