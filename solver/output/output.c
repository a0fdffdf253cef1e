#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/log.h"
#include "io/series.h"
#include "kernels/base/device.h"
#include "control/health.h"
#include "schedule.h"
#include "wall_force.h"
#include "step_files.h"
#include "boundary/open_faces.h"
#include "poisson/preconditioner_choice.h"
#include "probes.h"
#include "provenance.h"
#include "series_record.h"
#include "step/rk3.h"
#include "io/run_directory.h"
#include "io/run_lock.h"
#include "statistics/statistics.h"
#include "parallel/watchdog.h"
#include "writer_thread.h"

/* How often series.nc reaches the disk [s]: a kill loses at most this. */
static const double FLUSH_SECONDS = 30;

struct output {
    struct provenance *provenance;
    struct step_files files; /* the writer's while it is busy */
    struct writer *writer;
    kol_status files_fault; /* of files, as this rank knows it */
    double files_begun;     /* MPI_Wtime when the files being written were begun */
    double files_seconds,
        checkpoint_seconds;      /* what the last ones took, and the last ones with a checkpoint */
    double statistics_seconds;   /* the same of statistics.nc alone */
    int behind;                  /* whether steps were to follow when these were begun, and not to wait */
    double wrote, waited;        /* files behind the steps, and what of it the steps waited for [s] */
    struct probes *probes;       /* NULL: there are none */
    struct wall_force *friction; /* NULL: no stream along walls */
    double wall_stress[FACES];   /* rank 0: of the record that comes next [U^2] */
    struct series *series;       /* rank 0; NULL before the first record */
    long long keep_through;      /* records of an existing series that stay; -1: a new one */
    double flushed;              /* MPI_Wtime of the last flush of the series */
    int statistics_due;          /* statistics.nc waits until NetCDF is free */
    int statistics_behind;       /* whether it is written behind the steps */
    double wall_begin;           /* MPI_Wtime at the start */
    double mean_seconds;         /* of a step, running mean over about ten */
    long long checkpoint_step;   /* of the newest checkpoint, -1: none */
    struct runlock *lock;        /* rank 0; NULL before it is taken */
    char restart[8192];          /* words on the restart, for the log */
};

/* The thread, and what its jobs write from. */
static kol_status create_writer(struct run *run)
{
    struct output *o = run->output;
    const int files = step_files_on_the_way(&run->in),
              statistics = step_files_statistics_on_the_way(&run->in);
    TRY(writer_create(&run->comm, files || statistics, &o->writer));
    const int threaded = writer_threaded(o->writer);
    TRY(host_copy_create(run, files && threaded, HOST_COPY_SLAB_BYTES, &o->files.staging));
    o->statistics_behind = statistics && threaded;
    return comm_agree(&run->comm,
                      o->statistics_behind && run->comm.rank == 0 ? statistics_behind_create(run) : KOL_OK);
}

/* Whether files, statistics.nc apart, are written behind the steps; and why not, though they were to be; "":
 * nothing. */
static int files_behind(const struct output *o)
{
    return writer_threaded(o->writer) && o->files.staging.ahead;
}

static const char *obstacle(const struct output *o)
{
    return writer_obstacle(o->writer)[0] != '\0' ? writer_obstacle(o->writer) : o->files.staging.obstacle;
}

kol_status output_create(struct run *run)
{
    struct output *o = calloc(1, sizeof *o);
    if (o == NULL) RAISE(KOL_ERR_MEMORY, "no memory for output");
    run->output = o;
    o->checkpoint_step = -1;
    run->checkpoint_seconds = o->checkpoint_seconds = restart_seconds_guess(&run->in);
    if (run->comm.rank == 0) TRY(log_start(NULL));
    TRY(provenance_create(run, &o->provenance));
    TRY(create_writer(run));
    TRY(comm_agree(&run->comm, slices_create(run, &o->files.cuts)));
    TRY(probes_create(run, &o->probes));
    TRY(comm_agree(&run->comm,
                   wall_force_create(&run->comm, &run->in, &run->decomp, run->reduction, &o->friction)));
    o->files.run = run;
    o->files.comm = writer_comm(o->writer);
    o->files.text = provenance_texts(o->provenance, &o->files.texts);
    for (int d = 0; d < 3; ++d) o->files.axis[d] = (struct io_axis){run->decomp.n_g[d], run->grid.face[d]};
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
    writer_destroy(&(*o)->writer); /* the first: its job uses the rest */
    provenance_destroy(&(*o)->provenance);
    host_copy_destroy(&(*o)->files.staging);
    slices_destroy(&(*o)->files.cuts);
    probes_destroy(&(*o)->probes);
    wall_force_destroy(&(*o)->friction);
    output_unlock(*o);
    free(*o);
    *o = NULL;
}

/* Nobody else writes to the directory from here on. Rank 0. */
static kol_status lock_directory(struct run *run)
{
    char note[512];
    if (run->output->lock != NULL) return KOL_OK;
    TRY(run_lock_take(run->in.output.directory, &run->output->lock, note, sizeof note));
    watchdog_guard(run->output->lock);
    if (note[0] != '\0') log_warn("%s", note);
    if (control_drop_stop_file(run))
        log_warn("removed the file %s/%s: it was there before the run", run->in.output.directory,
                 CONTROL_STOP_FILE);
    return KOL_OK;
}

/* The lock comes first: a search for the newest checkpoint gives damaged ones other names. */
kol_status output_restart(struct run *run)
{
    struct output *o = run->output;
    const int lock = run->comm.rank == 0 && run_directory_exists(run->in.output.directory);
    TRY(comm_agree(&run->comm, lock ? lock_directory(run) : KOL_OK));
    TRY(restart_read(run, o->files.axis, &o->files.staging, o->restart, sizeof o->restart));
    run->output->checkpoint_step = run->clock.step;
    return KOL_OK;
}

/* The series is opened with its first record, so that a restart that fails before loses none of the old ones.
 */
static kol_status open_series(struct run *run)
{
    struct output *o = run->output;
    char path[RUN_DIRECTORY_TEXT + 16];
    int texts;
    const struct io_text *text = provenance_texts(o->provenance, &texts);
    snprintf(path, sizeof path, "%s/series.nc", run->in.output.directory);
    return series_open(path, series_record_columns, SERIES_RECORD_COLUMNS, NULL, o->keep_through, text, texts,
                       &o->series);
}

static kol_status write_record(struct run *run)
{
    struct output *o = run->output;
    double value[SERIES_RECORD_COLUMNS];
    if (o->series == NULL) TRY(open_series(run));
    series_record_make(run, o->wall_stress, value);
    return series_append(o->series, value);
}

/* Of what samples there are, where the file lacks some. Rank 0. */
static kol_status write_statistics(struct run *run)
{
    int texts;
    const struct io_text *text = provenance_texts(run->output->provenance, &texts);
    run->output->statistics_due = 0;
    return statistics_write(run, text, texts);
}

/* Inputs that are of the CUDA build alone; device.transport is refused or remarked on where it is chosen. */
static void warn_of_unused(const struct run *run)
{
    static const char WHY[] = "has no effect: the CPU build has one launch shape for each kernel";
    if (strcmp(device_backend(), "cpu") != 0) return;
    if (!run->in.device.tuning) log_warn("device.tuning %s", WHY);
    if (run->in.device.tuning_file[0] != '\0') log_warn("device.tuning_file %s", WHY);
}

/* How files are written, where it is asked to be done behind the steps. */
static void log_copies(const struct run *run)
{
    const struct output *o = run->output;
    const int behind = files_behind(o);
    log_info("  files written %s; host memory for them %.3g GiB a rank",
             behind ? "while the run goes on" : "between steps",
             (host_copy_bytes(&run->in, &run->decomp, run->grid.box, behind) + slices_host_bytes(run)) /
                 1073741824.0);
    if (o->statistics_behind) log_info("  statistics.nc written while the run goes on");
    if (obstacle(o)[0] != '\0') log_warn("the run waits while files are written: %s", obstacle(o));
}

static void log_banner(const struct run *run)
{
    const struct decomp *d = &run->decomp;
    log_info("kolmo %s, %s arithmetic", provenance_version(), KOL_REAL_NAME);
    log_info("  %s", run->device);
    log_info("  grid %d x %d x %d, ranks %d x %d x %d, %d x %d x %d cells on the fullest rank", d->n_g[X],
             d->n_g[Y], d->n_g[Z], d->ranks[X], d->ranks[Y], d->ranks[Z], decomp_cells_most(d, X),
             decomp_cells_most(d, Y), decomp_cells_most(d, Z));
    log_info("  output in %s", run->in.output.directory);
    log_info("  messages by %s; kernel memory %.3f GiB a rank (%d fields and message buffers)",
             halo_transport(run->halo), run_memory(run) / 1073741824.0, run_arrays_held(run));
    log_copies(run);
    if (run->in.run.walltime > 0)
        log_info("  run.walltime %.0f s: %.2g s of it are kept for a checkpoint until one has been timed",
                 run->in.run.walltime, restart_seconds_guess(&run->in));
    if (run->tuning[0] != '\0') log_info("  %s", run->tuning);
    if (run->solver_note[0] != '\0') log_info("  %s", run->solver_note);
    if (preconditioner_choice_one_sum(run, run->in.pressure.iterations))
        log_info("  one sum over the grid in an iteration of the conjugate gradients");
    if (run->guess_note[0] != '\0') log_info("  %s", run->guess_note);
    if (halo_warning(run->halo)[0] != '\0') log_warn("%s", halo_warning(run->halo));
    warn_of_unused(run);
    int texts;
    const struct io_text *text = provenance_texts(run->output->provenance, &texts);
    for (int i = 0; i < texts; ++i) {
        log_quiet(text[i].name);
        log_quiet(text[i].text);
    }
    if (run->source.warnings[0] != '\0') log_info("%s", run->source.warnings);
}

/* Share of the run that is done, by time or by steps, whichever ends it sooner. */
static double progress(const struct run *run, double t, long long step)
{
    double part = 0;
    if (run->in.run.t_end > 0) part = t / run->in.run.t_end;
    if (run->in.run.steps_max > 0) part = fmax(part, (double)step / run->in.run.steps_max);
    return fmin(part, 1);
}

/* By the length and the wall-clock time of recent steps, which change as the flow develops. */
static void time_left(const struct run *run, char *text, size_t size)
{
    const struct input *in = &run->in;
    double steps = in->run.t_end >= 0 ? (in->run.t_end - run->clock.t) / run->clock.dt : INFINITY;
    if (in->run.steps_max >= 0) steps = fmin(steps, (double)(in->run.steps_max - run->clock.step));
    const long s = lround(fmin(steps * run->output->mean_seconds, 1e8));
    snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

static void log_step(const struct run *run)
{
    const struct clock *c = &run->clock;
    const double cells = (double)run->decomp.n_g[X] * run->decomp.n_g[Y] * run->decomp.n_g[Z];
    char left[32];
    time_left(run, left, sizeof left);
    const double limit = rk3_scheme(run->in.time.scheme)->imaginary_limit, cfl = run->now.courant * c->dt,
                 most = control_cfl(run);
    if (most > limit) log_warn("CFL number %.3g is beyond the scheme's stability limit %.4g", most, limit);
    log_info("step %7lld  t %10.5g  dt %9.3e (%s)  CFL %5.3f  div %8.1e  E %12.6e  eps %11.5e  it %3d  %6.1f "
             "ns/cell"
             "  %5.1f %%  ETA %s",
             c->step, c->t, c->dt, control_limit_name(c->limit), cfl, series_record_divergence(run),
             run->now.energy, run->now.dissipation, run->pressure.iterations,
             run->seconds_per_step / cells * 1e9, 100 * progress(run, c->t, c->step), left);
}

/* Ends what the writer was given, waiting where it has to. A fault that other ranks don't know of must go up
 * at once. One of a job that has ended is pending, and so are its words. */
static kol_status collect_files(struct run *run)
{
    struct output *o = run->output;
    double seconds;
    if (!writer_busy(o->writer)) return o->files_fault == KOL_OK ? KOL_OK : control_pending(run);
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
    run->checkpoint_seconds = o->checkpoint_seconds;
    return st;
}

/* Waits for the files under way, on all ranks. For a fault of statistics.nc alone no rank waits. */
static kol_status settle_files(struct run *run)
{
    const int alone = run->output->files.alone;
    watchdog_phase("writer of files");
    const kol_status st = collect_files(run);
    if (st != KOL_OK && !alone && !status_agreed())
        return status_pass(st, __FILE__, __LINE__, "collect_files");
    return comm_agree(&run->comm, st);
}

/* Looks after the files under way. Their faults are agreed on by control_poll after the next step. A stop by
 * walltime waits for these and for a checkpoint of its own. */
static kol_status tend_files(struct run *run)
{
    struct output *o = run->output;
    const int alone = o->files.alone;
    if (!writer_busy(o->writer)) return KOL_OK;
    if (!writer_done(o->writer)) {
        const double before = alone ? o->statistics_seconds : o->files_seconds;
        const double these = fmax(before, MPI_Wtime() - o->files_begun);
        run->checkpoint_seconds = these + (o->files.checkpoint && !alone ? these : o->checkpoint_seconds);
        return KOL_OK;
    }
    const kol_status st = collect_files(run);
    if (st != KOL_OK && !alone && !status_agreed())
        return status_pass(st, __FILE__, __LINE__, "collect_files");
    if (st != KOL_OK) control_pend(run, st);
    return KOL_OK;
}

static kol_status flush_records(struct output *o)
{
    o->flushed = MPI_Wtime();
    TRY(probes_flush(o->probes));
    return o->series != NULL ? series_flush(o->series) : KOL_OK;
}

/* NetCDF is the writer's when it is busy: series are opened before. Rank 0. */
static kol_status open_ahead(struct run *run)
{
    struct output *o = run->output;
    TRY(probes_open(o->probes));
    return o->series == NULL ? open_series(run) : KOL_OK;
}

/* statistics.nc reaches as far as a checkpoint: behind the steps it is the first of the files of the same
 * job. Rank 0. */
static kol_status statistics_ahead(struct run *run, int checkpoint)
{
    struct output *o = run->output;
    if (!o->statistics_behind || !files_behind(o)) return checkpoint ? write_statistics(run) : KOL_OK;
    if (!checkpoint && !o->statistics_due) return KOL_OK;
    o->statistics_due = 0;
    return statistics_behind_take(run, &o->files.statistics);
}

/* The series is flushed for a checkpoint, so that it reaches at least as far, or where it is time: files may
 * follow one another. Rank 0. */
static kol_status series_ahead(struct run *run, int checkpoint)
{
    struct output *o = run->output;
    TRY(statistics_ahead(run, checkpoint));
    if (files_behind(o)) TRY(open_ahead(run));
    if (o->series == NULL) return KOL_OK;
    if (!checkpoint && MPI_Wtime() - o->flushed <= FLUSH_SECONDS) return KOL_OK;
    return flush_records(o);
}

static kol_status write_files(struct run *run, int fields, int checkpoint, int last)
{
    struct output *o = run->output;
    const double asked = MPI_Wtime();
    TRY(settle_files(run));
    watchdog_phase(checkpoint ? "checkpoint" : fields ? "fields" : "slices and boxes");
    o->files.statistics = 0;
    if (checkpoint) TRY(control_keepable(run));
    /* after a fault of the series a record is missing: no restart from here */
    kol_status st = checkpoint ? control_pending(run) : KOL_OK;
    if (st == KOL_OK && run->comm.rank == 0) st = series_ahead(run, checkpoint);
    TRY(comm_agree(&run->comm, st));
    TRY(step_files_take(run, &o->files, fields, checkpoint));
    o->files_begun = MPI_Wtime();
    o->behind = files_behind(o) && !last;
    if (checkpoint) o->checkpoint_step = run->clock.step;
    writer_start(o->writer, files_behind(o), step_files_write, &o->files);
    if (!files_behind(o)) TRY(settle_files(run));
    if (files_behind(o) && writer_obstacle(o->writer)[0] != '\0')
        log_warn("step %lld: this rank waits while its files are written: %s", run->clock.step,
                 writer_obstacle(o->writer));
    if (o->behind) o->waited += MPI_Wtime() - asked;
    if (checkpoint) run->wall_checkpoint = MPI_Wtime();
    return KOL_OK;
}

/* A job of rank 0 alone, where the writer is free; the others learn of its end when they wait for files. */
static kol_status write_statistics_behind(struct run *run, int last)
{
    struct output *o = run->output;
    const double asked = MPI_Wtime();
    int news;
    o->statistics_due = 0;
    TRY(open_ahead(run));
    TRY(statistics_behind_take(run, &news));
    if (!news) return KOL_OK;
    o->files.alone = 1;
    o->files_begun = MPI_Wtime();
    o->behind = !last;
    writer_start(o->writer, 1, step_files_write_alone, &o->files);
    if (o->behind) o->waited += MPI_Wtime() - asked;
    return writer_obstacle(o->writer)[0] != '\0' ? collect_files(run) : KOL_OK;
}

/* Directory, log and series, on rank 0. A checkpoint from elsewhere starts a run of its own here: its records
 * don't continue those of this directory. */
static kol_status open_files(struct run *run)
{
    struct output *o = run->output;
    const int restarted = run->restarted_from[0] != '\0';
    const int continued = restarted && run_directory_holds(run->in.output.directory, run->restarted_from);
    char path[RUN_DIRECTORY_TEXT + 16], moved[RUN_DIRECTORY_TEXT] = "";
    TRY(run_directory_make(run->in.output.directory));
    TRY(lock_directory(run));
    TRY(run_directory_prepare(run->in.output.directory, !continued, moved));
    snprintf(path, sizeof path, "%s/run.log", run->in.output.directory);
    TRY(log_start(path));
    if (moved[0] != '\0') log_warn("files of an earlier run were moved to %s", moved);
    log_banner(run);
    if (restarted) log_info("%s", o->restart);
    o->keep_through = continued ? run->clock.step : -1;
    probes_name(o->probes, o->keep_through, provenance_texts(o->provenance, &o->files.texts), o->files.texts);
    if (statistics_note(run)[0] != '\0') log_info("%s", statistics_note(run));
    if (!continued) TRY(write_record(run));
    else TRY(write_statistics(run)); /* a file of the run that went on from here may lie there */
    log_info("start: step %lld, t %.6g, energy %.9e, dissipation %.6e, max|div u| h/U %.1e", run->clock.step,
             run->clock.t, run->now.energy, run->now.dissipation, series_record_divergence(run));
    if (control_finished(run)) log_info("run.t_end or run.steps_max is reached already: nothing to do");
    return KOL_OK;
}

kol_status output_start(struct run *run)
{
    struct output *o = run->output;
    o->wall_begin = o->flushed = MPI_Wtime();
    TRY(wall_force_measure(o->friction, &run->grid, run->vel, o->wall_stress));
    TRY(comm_agree(&run->comm, run->comm.rank == 0 ? open_files(run) : KOL_OK));
    kol_status st = KOL_OK;
    TRY(probes_step(o->probes, 1, &st));
    TRY(comm_agree(&run->comm, st));
    const int fields = run->in.output.field_interval > 0 || run->in.output.field_interval_time > 0;
    if (run->clock.step == 0 && (slices_due(&o->files.cuts, 1) || fields))
        TRY(write_files(run, fields, 0, 0));
    return KOL_OK;
}

kol_status output_step(struct run *run, int checkpoint_due, int last)
{
    struct output *o = run->output;
    const struct input *in = &run->in;
    kol_status st = KOL_OK;
    const double weight = o->mean_seconds > 0 ? 0.1 : 1;
    const int record = schedule_step(&run->clock, in->output.series_interval) || last;
    TRY(tend_files(run));
    if (record) TRY(wall_force_measure(o->friction, &run->grid, run->vel, o->wall_stress));
    o->mean_seconds += weight * (run->seconds_per_step - o->mean_seconds);
    if (run->comm.rank == 0) {
        if (record) st = write_record(run);
        if (schedule_step(&run->clock, in->output.log_interval) || last) log_step(run);
        const int free = !writer_busy(o->writer);
        o->statistics_due |= statistics_due(run);
        if (st == KOL_OK && free && o->statistics_due && !o->statistics_behind) st = write_statistics(run);
        if (st == KOL_OK && free && MPI_Wtime() - o->flushed > FLUSH_SECONDS) st = flush_records(o);
    }
    if (st != KOL_OK) control_pend(run, st); /* the others learn of it after the next step */
    TRY(probes_step(o->probes, 0, &st));
    if (st != KOL_OK) control_pend(run, st);
    const int fields = schedule_step(&run->clock, in->output.field_interval) ||
                       schedule_time(&run->clock, in->output.field_interval_time);
    const int checkpoint = schedule_step(&run->clock, in->checkpoint.interval) || checkpoint_due;
    const int cuts = slices_due(&o->files.cuts, 0);
    if (fields || checkpoint || cuts) TRY(write_files(run, fields, checkpoint, last));
    const int ends = run->pending != KOL_OK; /* the file that is there stays */
    if (!o->statistics_behind || !o->statistics_due || ends || writer_busy(o->writer)) return KOL_OK;
    st = write_statistics_behind(run, last);
    if (st != KOL_OK) control_pend(run, st);
    return KOL_OK;
}

static kol_status write_timeline(const struct run *run)
{
    char path[RUN_DIRECTORY_TEXT + 16];
    snprintf(path, sizeof path, "%s/timeline.json", run->in.output.directory);
    FILE *f = fopen(path, "w");
    if (f == NULL) RAISE(KOL_ERR_IO, "can't open %s: %s", path, strerror(errno));
    kol_status st = profile_timeline(run->profile, f);
    if (fclose(f) != 0 && st == KOL_OK) RAISE(KOL_ERR_IO, "can't write %s: %s", path, strerror(errno));
    return st;
}

/* The table of --profile goes to the log, the last step of rank 0 to timeline.json. No run fails for want of
 * them. */
static kol_status write_profile(struct run *run)
{
    char text[4096];
    TRY(profile_report(run->profile, text, sizeof text));
    if (run->profile == NULL || run->comm.rank != 0) return KOL_OK;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) log_info("%s", line);
    if (write_timeline(run) != KOL_OK) {
        log_warn("%s", status_message());
        status_clear();
    }
    return KOL_OK;
}

static void log_waiting(const struct run *run)
{
    const struct output *o = run->output;
    if (o->wrote > 0)
        log_info(
            "files: written in %.3g s behind the steps, which waited %.3g s for copies and for earlier files "
            "(%.2g %%)",
            o->wrote, o->waited, 100 * o->waited / o->wrote);
}

kol_status output_finish(struct run *run, const char *ending)
{
    kol_status st = control_pending(run);
    TRY(comm_agree(&run->comm, st));
    if (run->in.checkpoint.at_end && run->output->checkpoint_step != run->clock.step) {
        slices_none(&run->output->files.cuts);
        TRY(write_files(run, 0, 1, 1));
    }
    TRY(settle_files(run));
    TRY(write_profile(run));
    turbulence_watch_end(run);
    if (run->comm.rank == 0) {
        log_waiting(run);
        if (run->in.pressure.iterations > 0)
            log_info("pressure.iterations = %d: %lld of %lld stages took more to meet the tolerance",
                     run->in.pressure.iterations, run->pressure.stages_over, run->pressure.stages);
        if (control_finished(run)) statistics_tell_idle(run);
        st = write_statistics(run);
        if (st == KOL_OK) st = probes_close(run->output->probes);
        if (st == KOL_OK) st = series_close(&run->output->series);
        log_info("%s: step %lld, t %.6g, %.1f s", ending, run->clock.step, run->clock.t,
                 MPI_Wtime() - run->output->wall_begin);
        const kol_status log_st = log_stop();
        if (st == KOL_OK) st = log_st;
    }
    return comm_agree(&run->comm, st);
}

static void close_files(struct run *run, const char *message)
{
    if (series_close(&run->output->series) != KOL_OK) log_warn("the last records of series.nc are lost");
    if (probes_close(run->output->probes) != KOL_OK) log_warn("the last records of probes.nc are lost");
    char line[4200];
    snprintf(line, sizeof line, "error: %.4096s", message);
    log_quiet(line);
    if (log_stop() != KOL_OK) printf("warning: run.log could not be completed\n");
    output_unlock(run->output);
}

void output_abandon(struct run *run)
{
    struct status_record
        end; /* the fault that ends the run: what fails from here on must not take its place */
    if (run->output == NULL) return;
    status_take(&end);
    /* of an earlier step: what it writes is sound; NetCDF is free then */
    if (writer_collect(run->output->writer, NULL) != KOL_OK && run->comm.rank == 0)
        log_warn("files of an earlier step were not written: %s", status_message());
    status_clear();
    if (run->pending != KOL_OK && run->comm.rank == 0 && strcmp(run->pending_fault.message, end.message) != 0)
        log_warn("%s", run->pending_fault.message);
    if (run->comm.rank == 0) close_files(run, end.message);
    status_give(&end);
}
