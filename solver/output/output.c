/* Decides after each step which files are written, and when. */
#include "output_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/log.h"
#include "kernels/base/regular_file.h"
#include "io/series.h"
#include "control/health.h"
#include "control/schedule.h"
#include "control/twin.h"
#include "wall_force.h"
#include "history.h"
#include "body_record.h"
#include "surface_record.h"
#include "probes.h"
#include "provenance.h"
#include "series_record.h"
#include "step_rate.h"
#include "io/run_directory.h"
#include "io/run_lock.h"
#include "statistics/statistics.h"
#include "parallel/watchdog.h"
#include "control/stop.h"
#include "state/pending_fault.h"

/* Time between two flushes of series.nc [s]. If a run is killed, it loses at most the records of this
 * time. */
static const double FLUSH_SECONDS = 30;

/* The most columns of series.nc. */
enum { RECORD_MOST = SERIES_RECORD_COLUMNS + SCALAR_SERIES_MOST + 1 + BODY_TOTALS + DECAY_SERIES_COLUMNS };

/* How many steps of a run are left out of its mean time of a step: they touch memory for the first time. */
enum { FIRST_STEPS = 5 };

/* Creates the writer thread and what its jobs write from. */
static kol_status create_writer(struct output *o)
{
    struct statistics *statistics = o->from.statistics;
    const struct domain *domain = o->domain;
    const int files = step_files_on_the_way(domain->in), averages = statistics_behind_wanted(domain->in);
    TRY(writer_create(&domain->comm, files || averages, &o->writer));
    const int threaded = writer_threaded(o->writer);
    TRY(step_files_create(NULL, o->from.flow, files && threaded, &o->files));
    o->statistics_behind = averages && threaded;
    return comm_agree(&domain->comm, o->statistics_behind && domain->comm.rank == 0
                                         ? statistics_behind_create(NULL, statistics)
                                         : KOL_OK);
}

/* Creates the probes and the wall friction, which compute the numbers of the records. */
static kol_status create_sources(struct output *o)
{
    const struct domain *domain = o->domain;
    TRY(probes_create(o->from.step, o->from.flow, &o->probes));
    TRY(memory_agree(domain->memory, &domain->comm, history_create(o->from.flow, &o->history)));
    TRY(body_record_create(o->from.flow, &o->bodies));
    TRY(surface_record_create(o->from.flow, &o->surface));
    TRY(memory_agree(domain->memory, &domain->comm, wall_force_create(domain, &o->friction)));
    scalar_series_make(domain->in, &o->scalar_series);
    return memory_agree(domain->memory, &domain->comm, scalar_numbers_create(domain, &o->scalars));
}

kol_status output_create(struct output_sources from, int argc, char **argv, struct output **out)
{
    const struct domain *domain = from.flow->domain;
    struct output *o = *out = calloc(1, sizeof *o);
    if (o == NULL) RAISE(KOL_ERR_MEMORY, "no memory for output");
    o->domain = domain;
    o->from = from;
    o->checkpoint_step = -1;
    TRY(step_files_check(domain));
    if (memory_counts(domain->memory)) {
        TRY(step_files_create(domain->memory, from.flow, step_files_on_the_way(domain->in), &o->files));
        if (statistics_behind_wanted(domain->in) && domain->comm.rank == 0)
            TRY(statistics_behind_create(domain->memory, from.statistics));
        return create_sources(o);
    }
    from.control->checkpoint_seconds = o->checkpoint_seconds = restart_seconds_guess(domain->in);
    if (domain->comm.rank == 0) TRY(log_start(NULL));
    TRY(provenance_create(domain, argc, argv, &o->provenance));
    TRY(create_writer(o));
    TRY(create_sources(o));
    o->files.step = from.step;
    o->files.statistics = from.statistics;
    o->files.comm = writer_comm(o->writer);
    o->files.text = provenance_texts(o->provenance, &o->files.texts);
    for (int d = 0; d < 3; ++d)
        o->files.axis[d] = (struct io_axis){domain->decomp.n_g[d], domain->grid.face[d]};
    return KOL_OK;
}

void output_unlock(struct output *o)
{
    if (o == NULL) return;
    watchdog_guard(NULL);
    run_lock_drop(&o->lock);
}

void output_destroy(struct output **o)
{
    if (*o == NULL) return;
    writer_destroy(&(*o)->writer); /* first, because its job uses the rest */
    provenance_destroy(&(*o)->provenance);
    step_files_destroy(&(*o)->files);
    probes_destroy(&(*o)->probes);
    history_destroy(&(*o)->history);
    body_record_destroy(&(*o)->bodies);
    surface_record_destroy(&(*o)->surface);
    wall_force_destroy(&(*o)->friction);
    decay_series_forget(&(*o)->decay);
    scalar_numbers_destroy(&(*o)->scalars);
    output_unlock(*o);
    free(*o);
    *o = NULL;
}

/* Locks the directory, so that no other run writes to it. On rank 0. */
static kol_status lock_directory(struct output *o)
{
    const struct domain *domain = o->domain;
    char note[512];
    if (o->lock != NULL) return KOL_OK;
    TRY(run_lock_take(domain->in->output.directory, &o->lock, note, sizeof note));
    watchdog_guard(o->lock);
    if (note[0] != '\0') log_warn("%s", note);
    if (stop_drop_file(domain))
        log_warn("removed the file %s/%s: it was there before the run", domain->in->output.directory,
                 STOP_FILE);
    return KOL_OK;
}

/* The directory is locked first, because the search for the newest checkpoint renames damaged ones. */
kol_status output_restart(struct output *o)
{
    struct statistics *statistics = o->from.statistics;
    struct control *control = o->from.control;
    struct step *step = o->from.step;
    struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    const int lock = domain->comm.rank == 0 && run_directory_exists(domain->in->output.directory);
    TRY(comm_agree(&domain->comm, lock ? lock_directory(o) : KOL_OK));
    TRY(restart_read(statistics, control, step, flow, o->files.axis, &o->files.staging, o->restart,
                     sizeof o->restart));
    o->checkpoint_step = flow->clock.step;
    return KOL_OK;
}

/* Opens the series when the first record is written. So a restart that fails earlier loses no old records. */
static kol_status open_series(struct output *o)
{
    const struct domain *domain = o->domain;
    char path[RUN_DIRECTORY_TEXT + 16];
    int texts;
    const struct io_text *text = provenance_texts(o->provenance, &texts);
    struct series_column column[RECORD_MOST];
    int columns = SERIES_RECORD_COLUMNS;
    memcpy(column, series_record_columns, sizeof series_record_columns);
    for (int n = 0; n < o->scalar_series.count; ++n) column[columns++] = o->scalar_series.column[n];
    columns += body_record_columns(domain->in, column + columns);
    const int decay = decay_series_columns(o->from.flow, column + columns);
    columns += decay;
    if (twin_measures(o->from.control->twin)) /* last, since a run that had none may go on with a twin */
        column[columns++] = (struct series_column){
            "twin_difference", "kinetic energy of the difference from the twin, volume mean", "U2",
            SERIES_REAL};
    snprintf(path, sizeof path, "%s/series.nc", domain->in->output.directory);
    TRY(series_open(path, column, columns, NULL, o->keep_through, text, texts, &o->series));
    return decay > 0 ? decay_series_read(&o->decay, o->from.flow, path, series_records(o->series)) : KOL_OK;
}

static kol_status write_record(struct output *o)
{
    struct control *control = o->from.control;
    struct step *step = o->from.step;
    struct flow *flow = o->from.flow;
    double value[RECORD_MOST], from_bodies[SCALARS_MOST];
    struct series_column column[BODY_TOTALS + DECAY_SERIES_COLUMNS];
    int columns = SERIES_RECORD_COLUMNS + o->scalar_series.count;
    if (o->series == NULL) TRY(open_series(o));
    series_record_make(control, step, flow, o->wall_stress, value);
    for (int n = 0; n < SCALARS_MOST; ++n) from_bodies[n] = body_record_flux(o->bodies, flow, n);
    scalar_series_values(flow, o->scalars.of, from_bodies, value + SERIES_RECORD_COLUMNS);
    body_record_totals(o->bodies, flow, value + columns);
    columns += body_record_columns(o->domain->in, column);
    const int decay = decay_series_columns(flow, column);
    if (decay > 0) TRY(decay_series_values(&o->decay, flow, value + columns));
    if (twin_measures(control->twin)) value[columns + decay] = twin_difference(control->twin);
    return series_append(o->series, value);
}

/* Writes statistics.nc from the samples taken so far. On rank 0. */
static kol_status write_statistics(struct output *o)
{
    struct statistics *statistics = o->from.statistics;
    const struct domain *domain = o->domain;
    int texts;
    const struct io_text *text = provenance_texts(o->provenance, &texts);
    o->statistics_due = 0;
    return statistics_write(statistics, domain, text, texts);
}

/* Writes averages.h5 from the samples taken so far. asked: see statistics_write_cells(). */
static kol_status write_cells(struct output *o, int asked)
{
    int texts;
    const struct io_text *text = provenance_texts(o->provenance, &texts);
    watchdog_phase("averages.h5");
    return statistics_write_cells(o->from.statistics, o->domain, asked, o->from.flow->clock.step, text,
                                  texts);
}

/* Ends the writer's job, and waits for it if necessary. If other ranks don't know of its fault, the caller
 * must return the fault at once. If the job has ended before, its fault and message are pending. */
static kol_status collect_files(struct output *o)
{
    struct control *control = o->from.control;
    const struct domain *domain = o->domain;
    double seconds;
    if (!writer_busy(o->writer)) return o->files_fault == KOL_OK ? KOL_OK : pending_raise(domain->pending);
    const kol_status st = writer_collect(o->writer, &seconds);
    if (o->behind) o->wrote += seconds;
    if (o->files.alone) {
        o->files.alone = 0;
        o->statistics_seconds = seconds;
    } else {
        o->files_fault = st;
        o->files_seconds = seconds;
        if (o->files.checkpoint) o->checkpoint_seconds = seconds;
    }
    control->checkpoint_seconds = o->checkpoint_seconds;
    return st;
}

/* Waits, on all ranks, for the files that are being written. If only statistics.nc has a fault, no rank
 * waits. */
static kol_status settle_files(struct output *o)
{
    const struct domain *domain = o->domain;
    const int alone = o->files.alone;
    watchdog_phase("writer of files");
    const kol_status st = collect_files(o);
    if (st != KOL_OK && !alone && !status_agreed())
        return status_pass(st, __FILE__, __LINE__, "collect_files");
    return comm_agree(&domain->comm, st);
}

/* Checks whether the writer's job has ended. The ranks agree on its fault in stop_poll after the next step.
 * If the walltime ends the run, it waits for these files and for a last checkpoint. */
static kol_status tend_files(struct output *o)
{
    struct control *control = o->from.control;
    const struct domain *domain = o->domain;
    const int alone = o->files.alone;
    if (!writer_busy(o->writer)) return KOL_OK;
    if (!writer_done(o->writer)) {
        const double before = alone ? o->statistics_seconds : o->files_seconds;
        const double these = fmax(before, MPI_Wtime() - o->files_begun);
        control->checkpoint_seconds = these + (o->files.checkpoint && !alone ? these : o->checkpoint_seconds);
        return KOL_OK;
    }
    const kol_status st = collect_files(o);
    if (st != KOL_OK && !alone && !status_agreed())
        return status_pass(st, __FILE__, __LINE__, "collect_files");
    if (st != KOL_OK) pending_put(domain->pending, st);
    return KOL_OK;
}

static kol_status flush_records(struct output *o)
{
    o->flushed = MPI_Wtime();
    TRY(probes_flush(o->probes));
    TRY(history_flush(o->history));
    TRY(body_record_flush(o->bodies));
    return o->series != NULL ? series_flush(o->series) : KOL_OK;
}

/* Opens the series before the writer is busy, since only the writer may call NetCDF then. On rank 0. */
static kol_status open_ahead(struct output *o)
{
    TRY(probes_open(o->probes));
    TRY(history_open(o->history));
    TRY(body_record_open(o->bodies));
    return o->series == NULL ? open_series(o) : KOL_OK;
}

/* Makes statistics.nc reach as far as a checkpoint. If files are written while the run goes on, it is the
 * first file of the same job. On rank 0. */
static kol_status statistics_ahead(struct output *o, int checkpoint)
{
    struct statistics *statistics = o->from.statistics;
    if (!o->statistics_behind || !files_behind(o)) return checkpoint ? write_statistics(o) : KOL_OK;
    if (!checkpoint && !o->statistics_due) return KOL_OK;
    o->statistics_due = 0;
    return statistics_behind_take(statistics, &o->files.statistics_taken);
}

/* Flushes the series before a checkpoint, so that it reaches at least as far, or if the last flush is long
 * ago; several writings may follow one another. On rank 0. */
static kol_status series_ahead(struct output *o, int checkpoint)
{
    TRY(statistics_ahead(o, checkpoint));
    if (files_behind(o)) TRY(open_ahead(o));
    if (o->series == NULL) return KOL_OK;
    if (!checkpoint && MPI_Wtime() - o->flushed <= FLUSH_SECONDS) return KOL_OK;
    return flush_records(o);
}

static kol_status write_files(struct output *o, int fields, int checkpoint, int last)
{
    struct statistics *statistics = o->from.statistics;
    struct control *control = o->from.control;
    struct step *step = o->from.step;
    struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    const double asked = MPI_Wtime();
    TRY(settle_files(o));
    watchdog_phase(checkpoint ? "checkpoint" : fields ? "fields" : "slices and boxes");
    o->files.statistics_taken = 0;
    if (checkpoint) TRY(health_keepable(control, flow));
    /* after a fault of the series a record is missing, so no checkpoint may be written */
    kol_status st = checkpoint ? pending_raise(domain->pending) : KOL_OK;
    if (st == KOL_OK && domain->comm.rank == 0) st = series_ahead(o, checkpoint);
    TRY(comm_agree(&domain->comm, st));
    if (checkpoint) TRY(write_cells(o, 1));
    if (checkpoint) TRY(surface_record_average(o->surface, o->files.axis, o->files.text, o->files.texts));
    TRY(step_files_take(statistics, control, step, flow, &o->files, fields, checkpoint));
    o->files_begun = MPI_Wtime();
    o->behind = files_behind(o) && !last;
    if (checkpoint) o->checkpoint_step = flow->clock.step;
    writer_start(o->writer, files_behind(o), step_files_write, &o->files);
    if (!files_behind(o)) TRY(settle_files(o));
    if (files_behind(o) && writer_obstacle(o->writer)[0] != '\0')
        log_warn("step %lld: this rank waits while its files are written: %s", flow->clock.step,
                 writer_obstacle(o->writer));
    if (o->behind) o->waited += MPI_Wtime() - asked;
    if (checkpoint) control->wall_checkpoint = MPI_Wtime();
    return KOL_OK;
}

/* Starts a job of rank 0 alone, if the writer is free. The other ranks learn of its end when they wait for
 * files. */
static kol_status write_statistics_behind(struct output *o, int last)
{
    struct statistics *statistics = o->from.statistics;
    const double asked = MPI_Wtime();
    int news;
    o->statistics_due = 0;
    TRY(open_ahead(o));
    TRY(statistics_behind_take(statistics, &news));
    if (!news) return KOL_OK;
    o->files.alone = 1;
    o->files_begun = MPI_Wtime();
    o->behind = !last;
    writer_start(o->writer, 1, step_files_write_alone, &o->files);
    if (o->behind) o->waited += MPI_Wtime() - asked;
    return writer_obstacle(o->writer)[0] != '\0' ? collect_files(o) : KOL_OK;
}

/* Opens directory, log and series on rank 0. If the checkpoint comes from another directory, a new run begins
 * here, whose records don't continue those of this directory. */
static kol_status open_files(struct output *o)
{
    struct statistics *statistics = o->from.statistics;
    struct control *control = o->from.control;
    struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    const int restarted = control->restarted_from[0] != '\0';
    const int continued =
        restarted && run_directory_holds(domain->in->output.directory, control->restarted_from);
    char path[RUN_DIRECTORY_TEXT + 16], moved[RUN_DIRECTORY_TEXT] = "";
    TRY(run_directory_make(domain->in->output.directory));
    TRY(lock_directory(o));
    TRY(run_directory_prepare(domain->in->output.directory, !continued, moved));
    snprintf(path, sizeof path, "%s/run.log", domain->in->output.directory);
    TRY(log_start(path));
    if (moved[0] != '\0') log_warn("files of an earlier run were moved to %s", moved);
    output_log_banner(o);
    if (restarted) log_info("%s", o->restart);
    if (flow->given[0] != '\0') log_info("%s", flow->given);
    o->keep_through = continued ? flow->clock.step : -1;
    probes_name(o->probes, o->keep_through, provenance_texts(o->provenance, &o->files.texts), o->files.texts);
    history_name(o->history, o->keep_through, provenance_texts(o->provenance, &o->files.texts),
                 o->files.texts);
    body_record_name(o->bodies, o->keep_through, provenance_texts(o->provenance, &o->files.texts),
                     o->files.texts);
    if (statistics_note(statistics)[0] != '\0') log_info("%s", statistics_note(statistics));
    if (!continued) TRY(write_record(o));
    else TRY(write_statistics(o)); /* a file of the run that went on from here may lie there */
    log_info("start: step %lld, t %.6g, energy %.9e, dissipation %.6e, max|div u| h/U %.1e", flow->clock.step,
             flow->clock.t, flow->now.energy, flow->now.dissipation, series_record_divergence(flow));
    output_record_start(o);
    if (stop_finished(control, flow))
        log_info("run.t_end or run.steps_max is reached already: nothing to do");
    return KOL_OK;
}

/* Computes the numbers of a record that need sums of their own. */
static kol_status measure_record(struct output *o)
{
    struct flow *flow = o->from.flow;
    TRY(wall_force_measure(o->friction, &o->domain->grid, flow->vel, o->wall_stress));
    return scalar_numbers_measure(&o->scalars, flow);
}

kol_status output_start(struct output *o)
{
    struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    o->wall_begin = o->flushed = MPI_Wtime();
    TRY(measure_record(o));
    TRY(comm_agree(&domain->comm, domain->comm.rank == 0 ? open_files(o) : KOL_OK));
    TRY(write_cells(o, o->keep_through >= 0)); /* as open_files() writes statistics.nc */
    kol_status st = KOL_OK;
    TRY(probes_step(o->probes, 1, &st));
    TRY(comm_agree(&domain->comm, st));
    TRY(history_step(o->history, 1, &st));
    TRY(comm_agree(&domain->comm, st));
    const int fields = domain->in->output.field_interval > 0 || domain->in->output.field_interval_time > 0;
    if (flow->clock.step == 0 && (slices_due(&o->files.cuts, 1) || fields)) TRY(write_files(o, fields, 0, 0));
    return KOL_OK;
}

kol_status output_step(struct output *o, int checkpoint_due, int last)
{
    struct statistics *statistics = o->from.statistics;
    struct control *control = o->from.control;
    struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    const struct input *in = domain->in;
    kol_status st = KOL_OK;
    const double weight = o->mean_seconds > 0 ? 0.1 : 1;
    const int record = schedule_step(&flow->clock, in->output.series_interval) || last;
    TRY(tend_files(o));
    if (record) TRY(measure_record(o));
    TRY(body_record_step(o->bodies, &st)); /* the series takes the sums */
    if (st != KOL_OK) pending_put(domain->pending, st);
    st = KOL_OK;
    o->mean_seconds += weight * (control->seconds_per_step - o->mean_seconds);
    if (++o->steps > FIRST_STEPS) o->timed_seconds += control->seconds_per_step;
    if (domain->comm.rank == 0) {
        if (record) st = write_record(o);
        if (schedule_step(&flow->clock, in->output.log_interval) || last) output_log_step(o);
        const int free = !writer_busy(o->writer);
        o->statistics_due |= statistics_due(statistics, flow);
        if (st == KOL_OK && free && o->statistics_due && !o->statistics_behind) st = write_statistics(o);
        if (st == KOL_OK && free && MPI_Wtime() - o->flushed > FLUSH_SECONDS) st = flush_records(o);
    }
    if (st != KOL_OK) pending_put(domain->pending, st); /* the others learn of it after the next step */
    TRY(probes_step(o->probes, 0, &st));
    if (st != KOL_OK) pending_put(domain->pending, st);
    TRY(history_step(o->history, 0, &st));
    if (st != KOL_OK) pending_put(domain->pending, st);
    const int fields = schedule_step(&flow->clock, in->output.field_interval) ||
                       schedule_time(&flow->clock, in->output.field_interval_time);
    const int checkpoint = schedule_step(&flow->clock, in->checkpoint.interval) || checkpoint_due;
    const int cuts = slices_due(&o->files.cuts, 0);
    if (statistics_due(statistics, flow)) TRY(write_cells(o, 1));
    if (surface_record_due(o->surface)) {
        TRY(settle_files(o));
        TRY(surface_record_step(o->surface, o->files.axis, o->files.text, o->files.texts));
    }
    if (fields || checkpoint || cuts) TRY(write_files(o, fields, checkpoint, last));
    const int ends = domain->pending->status != KOL_OK; /* the file that is there stays */
    if (!o->statistics_behind || !o->statistics_due || ends || writer_busy(o->writer)) return KOL_OK;
    st = write_statistics_behind(o, last);
    if (st != KOL_OK) pending_put(domain->pending, st);
    return KOL_OK;
}

static kol_status write_timeline(const struct domain *domain)
{
    char path[RUN_DIRECTORY_TEXT + 16];
    snprintf(path, sizeof path, "%s/timeline.json", domain->in->output.directory);
    const char *why;
    FILE *f = regular_file_stream(path, O_WRONLY | O_CREAT | O_TRUNC, "w", &why);
    if (f == NULL) RAISE(KOL_ERR_IO, "can't open %s: %s", path, why);
    kol_status st = profile_timeline(domain->profile, f);
    if (fclose(f) != 0 && st == KOL_OK) RAISE(KOL_ERR_IO, "can't write %s: %s", path, strerror(errno));
    return st;
}

/* Writes the table of --profile to the log, and the last step of rank 0 to timeline.json. A run does not fail
 * if they can't be written. */
static kol_status write_profile(const struct domain *domain)
{
    char text[4096];
    TRY(profile_report(domain->profile, text, sizeof text));
    if (domain->profile == NULL || domain->comm.rank != 0) return KOL_OK;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) log_info("%s", line);
    if (write_timeline(domain) != KOL_OK) {
        log_warn("%s", status_message());
        status_clear();
    }
    return KOL_OK;
}

kol_status output_finish(struct output *o, const char *ending)
{
    struct statistics *statistics = o->from.statistics;
    struct control *control = o->from.control;
    struct step *step = o->from.step;
    struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    kol_status st = pending_raise(domain->pending);
    TRY(comm_agree(&domain->comm, st));
    if (domain->in->checkpoint.at_end && o->checkpoint_step != flow->clock.step) {
        slices_none(&o->files.cuts);
        TRY(write_files(o, 0, 1, 1));
    }
    TRY(settle_files(o));
    TRY(write_cells(o, 1));
    TRY(surface_record_average(o->surface, o->files.axis, o->files.text, o->files.texts));
    TRY(write_profile(domain));
    turbulence_watch_end(&domain->comm, &control->watch);
    if (domain->comm.rank == 0) {
        output_log_waiting(o);
        if (o->steps >= STEP_RATE_STEPS && domain->comm.beside == 0)
            step_rate_keep(domain, o->timed_seconds / (o->steps - FIRST_STEPS));
        if (domain->in->pressure.iterations > 0)
            log_info(
                "pressure.iterations = %d: %lld of %lld stages needed more iterations to meet the tolerance",
                domain->in->pressure.iterations, step->stages_over, step->stages);
        if (stop_finished(control, flow)) statistics_tell_idle(statistics, domain);
        st = write_statistics(o);
        if (st == KOL_OK) st = probes_close(o->probes);
        if (st == KOL_OK) st = history_close(o->history);
        if (st == KOL_OK) st = body_record_close(o->bodies);
        if (st == KOL_OK) st = series_close(&o->series);
        twin_tell_end(control->twin, flow);
        log_info("%s: step %lld, t %.6g, %.1f s", ending, flow->clock.step, flow->clock.t,
                 MPI_Wtime() - o->wall_begin);
        output_record_end(o, ending);
        const kol_status log_st = log_stop();
        if (st == KOL_OK) st = log_st;
    }
    return comm_agree(&domain->comm, st);
}

static void close_files(struct output *o, const char *message)
{
    if (series_close(&o->series) != KOL_OK) log_warn("the last records of series.nc are lost");
    if (probes_close(o->probes) != KOL_OK) log_warn("the last records of probes.nc are lost");
    if (history_close(o->history) != KOL_OK) log_warn("the last records of history.nc are lost");
    if (body_record_close(o->bodies) != KOL_OK) log_warn("the last records of bodies.nc are lost");
    char line[4200];
    snprintf(line, sizeof line, "error: %.4096s", message);
    log_quiet(line);
    if (log_stop() != KOL_OK) printf("warning: run.log could not be completed\n");
    output_unlock(o);
}

void output_abandon(struct output *o)
{
    struct status_record end; /* a later fault must not replace the one that ends the run */
    if (o == NULL) return;
    const struct domain *domain = o->domain;
    status_take(&end);
    /* The files of an earlier step are sound even after a fault. Once they are written, NetCDF is free. */
    if (writer_collect(o->writer, NULL) != KOL_OK && domain->comm.rank == 0)
        log_warn("files of an earlier step were not written: %s", status_message());
    status_clear();
    if (domain->pending->status != KOL_OK && domain->comm.rank == 0 &&
        strcmp(domain->pending->fault.message, end.message) != 0)
        log_warn("%s", domain->pending->fault.message);
    if (domain->comm.rank == 0) close_files(o, end.message);
    status_give(&end);
}

kol_status output_count(struct output *o)
{
    return history_count(o->history);
}
