/* Writes the lines of a run to its log: at the start, for a step, and at the end. */
#include "output_internal.h"

#include <math.h>
#include <stdio.h>
#include "bodies/bodies.h"
#include "bodies/body_scalars.h"
#include "checkpoint/restart.h"
#include "control/scalar_warnings.h"
#include "control/time_step.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "inputs/statistics_wanted.h"
#include "io/log.h"
#include "kernels/base/device.h"
#include "kernels/base/constants.h"
#include "poisson/preconditioner_choice.h"
#include "provenance.h"
#include "series_record.h"

/* Warns of inputs that only the CUDA build uses. device.transport is checked where it is chosen. */
static void warn_of_unused(const struct domain *domain)
{
    static const char WHY[] = "has no effect: the CPU build has one launch shape for each kernel";
    if (device_is_gpu()) return;
    if (!domain->in->device.tuning) log_warn("device.tuning %s", WHY);
    if (domain->in->device.tuning_file[0] != '\0') log_warn("device.tuning_file %s", WHY);
}

/* Says how files are written, if they are to be written while the run goes on. */
static void log_copies(const struct output *o)
{
    const int behind = files_behind(o);
    log_info("  files written %s; host memory for them %.3g GiB a rank",
             behind ? "while the run goes on" : "between steps", step_files_host(o->from.flow, behind) / GIB);
    if (o->statistics_behind) log_info("  statistics.nc written while the run goes on");
    if (obstacle(o)[0] != '\0') log_warn("the run waits while files are written: %s", obstacle(o));
}

static void warn(const char *warning)
{
    log_warn("%s", warning);
}

static void warn_of_scalars(const struct output *o)
{
    const struct bodies *bodies = o->from.flow->bodies;
    for (int n = 0; n < scalar_count(o->domain->in); ++n)
        if (bodies != NULL && bodies->scalars != NULL && bodies->scalars->note[n][0] != '\0')
            log_warn("%s", bodies->scalars->note[n]);
    scalar_warnings(o->domain->in, warn);
}

void output_log_banner(const struct output *o)
{
    const struct poisson *poisson = &o->from.step->poisson;
    const struct domain *domain = o->domain;
    const struct decomp *d = &domain->decomp;
    log_info("kolmo %s, %s arithmetic", provenance_version(), KOL_REAL_NAME);
    log_info("  %s", domain->device);
    log_info("  grid %d x %d x %d, ranks %d x %d x %d, %d x %d x %d cells on the fullest rank", d->n_g[X],
             d->n_g[Y], d->n_g[Z], d->ranks[X], d->ranks[Y], d->ranks[Z], decomp_cells_most(d, X),
             decomp_cells_most(d, Y), decomp_cells_most(d, Z));
    log_info("  output in %s", domain->in->output.directory);
    log_info("  messages by %s; kernel memory %.3f GiB a rank (%d fields%s and message buffers)",
             halo_transport(domain->halo), (double)o->from.memory / GIB, o->from.arrays,
             statistics_wanted(domain->in) ? ", averages" : "");
    log_copies(o);
    if (domain->in->run.walltime > 0)
        log_info("  run.walltime %.0f s: %.2g s of it are kept for a checkpoint until one has been timed",
                 domain->in->run.walltime, restart_seconds_guess(domain->in));
    if (domain->tuning[0] != '\0') log_info("  %s", domain->tuning);
    if (poisson->note[0] != '\0') log_info("  %s", poisson->note);
    if (preconditioner_choice_one_sum(poisson, domain->in->pressure.iterations))
        log_info("  the conjugate gradients take one sum over the grid in an iteration");
    if (poisson->guess_note[0] != '\0') log_info("  %s", poisson->guess_note);
    if (halo_warning(domain->halo)[0] != '\0') log_warn("%s", halo_warning(domain->halo));
    warn_of_unused(domain);
    warn_of_scalars(o);
    if (densities_missing(domain->in) != NULL)
        log_info("  no densities of scalars in pdf.nc: %s", densities_missing(domain->in));
    int texts;
    const struct io_text *text = provenance_texts(o->provenance, &texts);
    for (int i = 0; i < texts; ++i) {
        log_quiet(text[i].name);
        log_quiet(text[i].text);
    }
    if (domain->source->warnings[0] != '\0') log_info("%s", domain->source->warnings);
}

/* Part of the run that is done, by time or by steps, whichever ends it sooner. */
static double progress(const struct domain *domain, double t, long long step)
{
    double part = 0;
    if (domain->in->run.t_end > 0) part = t / domain->in->run.t_end;
    if (domain->in->run.steps_max > 0) part = fmax(part, (double)step / domain->in->run.steps_max);
    return fmin(part, 1);
}

/* Estimates the time left from the length and the wall-clock time of recent steps, since both change as the
 * flow develops. */
static double time_left(const struct output *o)
{
    const struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    const struct input *in = domain->in;
    double steps = in->run.t_end >= 0 ? (in->run.t_end - flow->clock.t) / flow->clock.dt : INFINITY;
    if (in->run.steps_max >= 0) steps = fmin(steps, (double)(in->run.steps_max - flow->clock.step));
    return fmin(steps * o->mean_seconds, 1e8);
}

void output_record_start(const struct output *o)
{
    const struct flow *flow = o->from.flow;
    const struct input *in = o->domain->in;
    const int *n = o->domain->decomp.n_g;
    char chosen[160];
    preconditioner_choice_inputs(&o->from.step->poisson, chosen, sizeof chosen);
    log_record("{\"event\": \"start\", \"version\": %s, \"title\": %s, \"backend\": %s, "
               "\"cells\": [%d, %d, %d], \"ranks\": %d, \"step\": %lld, \"time\": %s, \"energy\": %s, "
               "\"dissipation\": %s, \"enstrophy\": %s, \"t_end\": %s, \"steps_max\": %d, \"chosen\": %s}",
               log_text(provenance_version()).text, log_text(in->run.title).text,
               log_text(device_backend()).text, n[X], n[Y], n[Z], o->domain->comm.size, flow->clock.step,
               log_number(flow->clock.t).text, log_number(flow->now.energy).text,
               log_number(flow->now.dissipation).text, log_number(flow->now.enstrophy).text,
               in->run.t_end >= 0 ? log_number(in->run.t_end).text : "null", in->run.steps_max,
               log_text(chosen).text);
}

void output_record_end(const struct output *o, const char *ending)
{
    const struct clock *c = &o->from.flow->clock;
    log_record("{\"event\": \"end\", \"how\": %s, \"step\": %lld, \"time\": %s, \"seconds\": %s}",
               log_text(ending).text, c->step, log_number(c->t).text,
               log_number(MPI_Wtime() - o->wall_begin).text);
}

/* The record of a step, with the numbers of its line. */
static void record_step(const struct output *o, double left)
{
    const struct flow *flow = o->from.flow;
    const struct clock *c = &flow->clock;
    log_record("{\"event\": \"step\", \"step\": %lld, \"time\": %s, \"dt\": %s, \"limit\": %s, \"cfl\": %s, "
               "\"divergence\": %s, \"energy\": %s, \"dissipation\": %s, \"enstrophy\": %s, "
               "\"iterations\": %d, \"seconds\": %s, \"share\": %s, \"left\": %s}",
               c->step, log_number(c->t).text, log_number(c->dt).text,
               log_text(time_step_limit_name(c->limit)).text, log_number(flow->now.courant * c->dt).text,
               log_number(series_record_divergence(flow)).text, log_number(flow->now.energy).text,
               log_number(flow->now.dissipation).text, log_number(flow->now.enstrophy).text,
               o->from.step->iterations, log_number(o->from.control->seconds_per_step).text,
               log_number(progress(o->domain, c->t, c->step)).text, log_number(left).text);
}

void output_log_step(const struct output *o)
{
    const struct control *control = o->from.control;
    const struct step *step = o->from.step;
    const struct flow *flow = o->from.flow;
    const struct domain *domain = o->domain;
    const struct clock *c = &flow->clock;
    const double cells = (double)domain->decomp.n_g[X] * domain->decomp.n_g[Y] * domain->decomp.n_g[Z];
    char left[32];
    const double seconds_left = time_left(o);
    const long whole = lround(seconds_left);
    snprintf(left, sizeof left, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    const double limit = time_step_cfl_limit(flow), cfl = flow->now.courant * c->dt,
                 most = time_step_cfl(flow);
    if (most > limit) log_warn("CFL number %.3g is beyond the scheme's stability limit %.4g", most, limit);
    const double seconds = control->seconds_per_step;
    log_info("step %7lld  t %10.5g  dt %9.3e (%s)  CFL %5.3f  div %8.1e  E %12.6e  eps %11.5e  it %3d  %6s "
             "ns/cell  %5s Mcells/s  %5.1f %%  ETA %s",
             c->step, c->t, c->dt, time_step_limit_name(c->limit), cfl, series_record_divergence(flow),
             flow->now.energy, flow->now.dissipation, step->iterations,
             log_digits(seconds / cells * 1e9).text,
             log_digits(seconds > 0 ? cells / seconds * 1e-6 : 0).text, 100 * progress(domain, c->t, c->step),
             left);
    record_step(o, seconds_left);
}

void output_log_waiting(const struct output *o)
{
    const double elapsed = MPI_Wtime() - o->wall_begin;
    if (o->wrote > 0)
        log_info("files: written in %s s while the run went on; steps waited %s s for copies and for earlier "
                 "files (%s %% of the run)",
                 log_digits(o->wrote).text, log_digits(o->waited).text,
                 log_digits(elapsed > 0 ? 100 * o->waited / elapsed : 0).text);
}
