/* Creates a run, takes it from step to step, and destroys it. advance() is the time loop. */
#include "run.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/bodies.h"
#include "inputs/face_kinds.h"
#include "inputs/rank_layout.h"
#include "inputs/scalars.h"
#include "io/log.h"
#include "kernels/base/device.h"
#include "checkpoint/flow_file.h"
#include "bodies/bodies.h"
#include "bodies/body_report.h"
#include "bodies/travellers.h"
#include "boundary/boundary.h"
#include "scalars/buoyancy.h"
#include "control/health.h"
#include "control/memory_check.h"
#include "control/twin.h"
#include "output/slices.h"
#include "step/travel_stage.h"
#include "step/diffusion_z.h"
#include "state/face_file.h"
#include "step/forcing.h"
#include "forcing/box_forcing.h"
#include "forcing/formula_force.h"
#include "output/wall_force.h"
#include "parallel/transport.h"
#include "initial/initial.h"
#include "initial/body_removal.h"
#include "step/exact_step.h"
#include "boundary/inflow_covered.h"
#include "boundary/face_report.h"
#include "boundary/open_faces.h"
#include "boundary/moving_walls.h"
#include "scalars/scalar_given.h"
#include "output/history.h"
#include "output/output.h"
#include "poisson/preconditioner_choice.h"
#include "output/probes.h"
#include "step/body_response.h"
#include "step/pressure.h"
#include "step/sample_pressure.h"
#include "output/fault_report.h"
#include "control/resolution.h"
#include "step/rk3.h"
#include "step/scalar_diffusion.h"
#include "statistics/statistics.h"
#include "control/launch_tuning.h"
#include "parallel/node_memory.h"
#include "parallel/watchdog.h"
#include "control/time_step.h"
#include "control/stop.h"
#include "control/schedule.h"
#include "math/rk3_scheme.h"

/* Sets the pointers from one part of a run to another. */
void run_connect(struct run *run)
{
    run->domain.in = &run->in;
    run->domain.source = &run->source;
    run->domain.pending = &run->pending;
    run->flow.domain = run->step.domain = run->step.poisson.domain = run->control.domain = &run->domain;
    run->step.poisson.guess = run->in.pressure.guess;
}

kol_status run_check_transport(const struct run *run)
{
    const struct input_place by = input_place(&run->source, offsetof(struct input, device.transport), 0);
    return transport_check(run->in.device.transport, by.at);
}

static kol_status create_grid(struct run *run)
{
    const struct input *in = &run->in;
    TRY(run_check_transport(run));
    TRY(device_select(run->domain.comm.seat, run->domain.device, sizeof run->domain.device));
    comm_place(&run->domain.comm, run->domain.device);
    TRY(decomp_create(in->grid.n, grid_layout(in, run->domain.comm.size).ranks, run->domain.comm.size,
                      run->domain.comm.rank, &run->domain.decomp));
    TRY(face_file_read(&run->domain.comm, in, &run->source, &run->domain.grid));
    TRY(grid_create(in, &run->domain.decomp, &run->domain.grid));
    TRY(face_file_check(in, &run->source, &run->domain.grid));
    TRY(moving_walls_measure(&run->domain));
    return scalar_given_measure(&run->domain);
}

static kol_status create_fields(struct domain *d, int arrays)
{
    d->walls = boundary_walls(d->in, &d->decomp, &d->grid);
    if (memory_counts(d->memory)) d->memory->kernel += d->grid.store_bytes; /* the grid is there before */
    TRY(memory_agree(d->memory, &d->comm, pool_create(d->memory, d->grid.box, arrays, &d->pool)));
    TRY(halo_create_for(d->memory, halo_use_flow(field_count(d->in), scalar_any_limited(d->in)), &d->comm,
                        &d->decomp, d->grid.box, d->in->device.transport, &d->halo));
    halo_profile(d->halo, d->profile, NULL);
    TRY(reduction_create(d->memory, &d->comm, &d->decomp, d->grid.box, &d->reduction));
    return strcmp(halo_transport(d->halo), "peer") == 0 ? reduction_use_team(d->memory, d->reduction)
                                                        : KOL_OK;
}

/* Creates the parts of a run that takes steps. Output and the pressure solver are created when the run
 * begins. */
static kol_status create_parts(struct run *run)
{
    struct domain *d = &run->domain;
    TRY(create_fields(d, run->arrays));
    TRY(memory_agree(d->memory, &d->comm, bodies_create(d, run->geometry, &run->flow.bodies)));
    TRY(ppcg_create(d->memory, d->in->pressure.max_iterations, d->grid.box, d->halo, d->reduction, d->pool,
                    &run->step.poisson.ppcg));
    TRY(exact_step_create(&run->step));
    TRY(diffusion_z_create(&run->step));
    TRY(scalar_diffusion_create(&run->step));
    TRY(memory_agree(d->memory, &d->comm, box_forcing_create(d->memory, d, &run->flow.force.box)));
    TRY(memory_agree(d->memory, &d->comm, formula_force_create(d, &run->flow.force.formula)));
    TRY(memory_agree(d->memory, &d->comm, statistics_create(d, &run->statistics)));
    TRY(memory_agree(d->memory, &d->comm, buoyancy_create(d, &run->flow.buoyancy)));
    TRY(memory_agree(d->memory, &d->comm, moving_walls_create(d)));
    TRY(memory_agree(d->memory, &d->comm, scalar_given_create(d)));
    TRY(open_faces_create(&run->flow, &d->walls));
    if (run->flow.open != NULL) inflow_planes_ranges(run->flow.open->inflow, &d->given_range);
    if (run->geometry == NULL || run->flow.open == NULL) return KOL_OK;
    return inflow_covered_refuse(run->flow.open->inflow, d, run->geometry->open);
}

/* Creates the parts of a run that reads stored flows and takes no steps. */
static kol_status create_still_parts(struct run *run)
{
    struct domain *d = &run->domain;
    TRY(create_fields(d, run->arrays));
    TRY(memory_agree(d->memory, &d->comm, bodies_create(d, run->geometry, &run->flow.bodies)));
    TRY(memory_agree(d->memory, &d->comm, statistics_create(d, &run->statistics)));
    TRY(memory_agree(d->memory, &d->comm, buoyancy_create(d, &run->flow.buoyancy)));
    TRY(memory_agree(d->memory, &d->comm, moving_walls_create(d)));
    TRY(memory_agree(d->memory, &d->comm, scalar_given_create(d)));
    return open_faces_create(&run->flow, &d->walls);
}

static kol_status create_output(struct run *run)
{
    const struct output_sources from = {&run->flow,      &run->step,       &run->control,
                                        run->statistics, run->plan.kernel, run->arrays};
    return output_create(from, run->argc, run->argv, &run->output);
}

static kol_status hold_flow(struct run *run)
{
    for (int f = 0; f < field_count(&run->in); ++f)
        if (f != FLOW_P)
            TRY(pool_hold(run->domain.pool, field_row(&run->in, f).name, field_array(&run->flow, f)));
    return pressure_create(&run->flow);
}

/* --- counting --- */

/* Takes a sample for the averages, if one is due; if arrays are only counted, in any case. */
static kol_status take_sample(struct run *run)
{
    real *stage = NULL;
    const int solves = statistics_solves_pressure(run->statistics, &run->flow);
    if (solves) TRY(sample_pressure_begin(&run->step, &run->flow, &stage));
    TRY(pool_counts(run->domain.pool) ? statistics_sample(run->statistics, &run->flow)
                                      : statistics_step(run->statistics, &run->flow));
    return solves ? sample_pressure_end(&run->flow, &stage) : KOL_OK;
}

/* Takes the arrays of two steps and of a sample after them. The second step has a step before it, so that
 * its guesses read stage pressures. No step takes more arrays, nor, unless it is counted here, does anything
 * that a run does before its first step. */
static kol_status count_steps(void *context)
{
    struct run *run = context;
    run->flow.clock.dt = run->flow.clock.dt_before = 1;
    for (int n = 0; n < 2; ++n) TRY(rk3_step(&run->step, &run->flow));
    /* solves in single precision take fewer arrays in a step than those of the initial projection */
    if (preconditioner_single(&run->step.poisson.for_pressure) != NULL ||
        run->step.poisson.increment.multigrid != NULL) {
        TRY(pressure_project(&run->step, &run->flow, 1));
        TRY(body_response_count(&run->step, &run->flow));
    }
    TRY(take_sample(run));
    return output_count(run->output);
}

/* Counts a run that takes steps. */
static kol_status count_run(struct run *run)
{
    TRY(create_parts(run));
    TRY(preconditioner_choice_create(&run->step.poisson));
    TRY(create_output(run));
    TRY(hold_flow(run));
    TRY(initial_count(&run->flow));
    return preconditioner_choice_each(&run->step.poisson, count_steps, run);
}

/* Counts the history of stored flows, which the program that reads them creates. */
static kol_status count_history(struct run *run)
{
    struct history *history = NULL;
    kol_status st = history_create(&run->flow, &history);
    if (st == KOL_OK) st = history_count(history);
    history_destroy(&history);
    return st;
}

/* Counts a run that reads stored flows. */
static kol_status count_still_run(struct run *run)
{
    TRY(create_still_parts(run));
    TRY(hold_flow(run));
    TRY(open_faces_known(&run->flow, 0));
    TRY(statistics_sample(run->statistics, &run->flow));
    return count_history(run);
}

/* Destroys all parts but the communicator and the grid. */
static void destroy_parts(struct run *run)
{
    output_destroy(&run->output);
    preconditioner_choice_destroy(&run->step.poisson);
    buoyancy_destroy(&run->flow.buoyancy);
    open_faces_destroy(&run->flow.open);
    scalar_given_destroy(&run->domain);
    moving_walls_destroy(&run->domain);
    bodies_destroy(&run->domain, &run->flow.bodies);
    exact_step_destroy(&run->step.exact_step);
    diffusion_z_destroy(&run->step.diffusion_z);
    scalar_diffusion_destroy(&run->step.scalar_diffusion);
    box_forcing_destroy(&run->flow.force.box);
    formula_force_destroy(&run->flow.force.formula);
    statistics_destroy(&run->statistics);
    ppcg_destroy(&run->step.poisson.ppcg);
    reduction_destroy(&run->domain.reduction);
    halo_destroy(&run->domain.halo);
    pool_destroy(&run->domain.pool);
}

/* Counts the memory that `create` takes, and the arrays of the pool in it. It works on a copy of the run,
 * which it destroys. */
static kol_status count(const struct run *run, kol_status (*create)(struct run *run), struct memory *plan,
                        int *arrays)
{
    struct run *counted = malloc(sizeof *counted);
    kol_status st = KOL_OK;
    *plan = (struct memory){.host = 0};
    if (counted == NULL) {
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the plan of a run");
    } else {
        *counted = *run;
        run_connect(counted);
        counted->domain.memory = plan;
        counted->domain.profile = NULL;
        st = create(counted);
        *arrays = counted->domain.pool != NULL ? pool_count(counted->domain.pool) : 0;
        destroy_parts(counted);
    }
    free(counted);
    return comm_agree(&run->domain.comm, st);
}

/* Counts the same run without bodies, if all of them vanish, and keeps the larger numbers. */
static kol_status count_without(const struct run *run, struct memory *plan, int *arrays)
{
    struct memory other;
    struct run *bare = malloc(sizeof *bare);
    int n = 0;
    if (bare == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the plan of a run");
    *bare = *run;
    bare->geometry = NULL;
    const kol_status st = count(bare, count_run, &other, &n);
    free(bare);
    TRY(st);
    if (n > *arrays) *arrays = n;
    if (other.kernel > plan->kernel) plan->kernel = other.kernel;
    if (other.host > plan->host) plan->host = other.host;
    return KOL_OK;
}

kol_status run_plan(const struct run *run, struct memory *plan, int *arrays)
{
    TRY(count(run, count_run, plan, arrays));
    return bodies_all_vanish(&run->in) ? count_without(run, plan, arrays) : KOL_OK;
}

/* Counts the memory of the run and checks that there is enough, before any is taken. */
static kol_status plan(struct run *run, kol_status (*create)(struct run *run))
{
    TRY(create == count_run ? run_plan(run, &run->plan, &run->arrays)
                            : count(run, create, &run->plan, &run->arrays));
    TRY(node_memory_sharers(&run->domain.comm, &run->domain.sharers));
    return comm_agree(&run->domain.comm, memory_check(&run->domain, &run->plan, run->arrays));
}

kol_status run_prepare(struct run *run)
{
    run_connect(run);
    TRY(create_grid(run));
    TRY(time_step_check_fixed(&run->domain));
    TRY(body_geometry_create(&run->domain, &run->geometry));
    if (run->geometry != NULL) {
        TRY(body_report_refuse(&run->domain, run->geometry));
        TRY(travellers_create(&run->domain, run->geometry));
    }
    return plan(run, count_run);
}

kol_status run_take(struct run *run)
{
    TRY(create_parts(run));
    TRY(launch_tuning_run(&run->domain, run->domain.tuning, sizeof run->domain.tuning));
    return hold_flow(run);
}

kol_status run_create(struct run *run)
{
    TRY(run_prepare(run));
    return run_take(run);
}

kol_status run_create_still(struct run *run)
{
    run_connect(run);
    TRY(create_grid(run));
    TRY(body_geometry_create(&run->domain, &run->geometry));
    if (run->geometry != NULL) TRY(travellers_create(&run->domain, run->geometry));
    TRY(plan(run, count_still_run));
    TRY(create_still_parts(run));
    return hold_flow(run);
}

kol_status run_create_bare(struct run *run)
{
    run_connect(run);
    struct domain *d = &run->domain;
    TRY(create_grid(run));
    TRY(body_geometry_create(d, &run->geometry));
    TRY(comm_agree(&d->comm, bodies_create(d, run->geometry, &run->flow.bodies)));
    return comm_agree(&d->comm, statistics_create(d, &run->statistics));
}

/* Goes from the initial flow, or from a checkpoint, to the state before the first step. */
static kol_status begin(struct run *run)
{
    run->control.wall_start = run->control.wall_checkpoint = MPI_Wtime();
    run->flow.energy_start = -1;
    run->flow.clock.decays_since = run->in.forcing.decay ? 0 : -1;
    TRY(create_output(run));
    if (strcmp(run->in.checkpoint.restart, "none") != 0) {
        TRY(output_restart(run->output));
    } else {
        TRY(preconditioner_choice_create(&run->step.poisson));
        TRY(travel_stage_place(&run->step, &run->flow));
        if (run->in.initial.type == INITIAL_FILE) TRY(flow_file_start(&run->step, &run->flow));
        else TRY(initial_flow(&run->step, &run->flow));
    }
    TRY(bodies_measure(&run->flow));
    if (strcmp(run->in.checkpoint.restart, "latest") != 0) /* else the copy goes on with its own */
        TRY(twin_perturb(run->control.twin, &run->flow));
    const int complete = run->flow.complete; /* of the checkpoint, its own step included */
    TRY(health_monitor(&run->flow));
    if (complete > 0) run->flow.complete = complete;
    if (run->flow.energy_start < 0) run->flow.energy_start = run->flow.now.energy;
    if (strcmp(run->in.checkpoint.restart, "none") == 0) initial_tell_skewness(&run->flow);
    TRY(time_step_check(&run->flow));
    TRY(forcing_check(&run->flow));
    TRY(twin_compare(run->control.twin, &run->flow));
    TRY(output_start(run->output));
    twin_tell(run->control.twin);
    TRY(comm_agree(&run->domain.comm, resolution_log(&run->domain)));
    TRY(comm_agree(&run->domain.comm, face_report_log(&run->flow)));
    turbulence_watch_start(&run->control.watch, &run->flow);
    return KOL_OK;
}

/* Takes out bodies whose time has come, and measures the new flow. */
static kol_status vanish(struct run *run)
{
    const double energy = run->flow.now.energy;
    int vanished;
    TRY(body_removal_step(&run->step, &run->flow, &vanished));
    if (!vanished) return KOL_OK;
    TRY(health_monitor(&run->flow));
    body_removal_measured(&run->step, &run->flow, energy);
    return KOL_OK;
}

static kol_status advance(struct run *run)
{
    struct stop_poll poll = {.stop = ""};
    TRY(begin(run));
    while (!stop_finished(&run->control, &run->flow) && poll.stop[0] == '\0') {
        const double started = MPI_Wtime();
        watchdog_step(run->flow.clock.step + 1);
        TRY(vanish(run)); /* does nothing unless bodies vanish now */
        TRY(time_step_choose(&run->flow));
        TRY(twin_choose(run->control.twin, &run->flow));
        health_choose(&run->control, &run->flow);
        TRY(health_blame(&run->step.poisson, &run->flow, rk3_step(&run->step, &run->flow)));
        TRY(health_monitor(&run->flow));
        TRY(health_check(&run->control, &run->flow));
        forcing_step(&run->flow);
        health_budget(&run->flow);
        if (statistics_wants_pressure(run->statistics, &run->flow))
            TRY(exact_step_pressure(&run->step, &run->flow));
        TRY(take_sample(run));
        TRY(turbulence_watch_step(&run->control.watch, &run->flow));
        TRY(profile_step(run->domain.profile));
        run->control.seconds_per_step = MPI_Wtime() - started;
        TRY(stop_poll(&run->control, statistics_enough(run->statistics), &poll));
        TRY(twin_agree(run->control.twin, &poll));
        stop_wait(&run->control, health_budget_known(&run->flow), &poll);
        const int stop = poll.stop[0] != '\0', last = stop || stop_finished(&run->control, &run->flow);
        if (last || schedule_step(&run->flow.clock, run->in.output.series_interval))
            TRY(twin_compare(run->control.twin, &run->flow));
        TRY(output_step(run->output, poll.checkpoint || stop, last));
    }
    if (stop_finished(&run->control, &run->flow)) return output_finish(run->output, "finished");
    char ending[80];
    snprintf(ending, sizeof ending, "stopped (%s), checkpoint written", poll.stop);
    TRY(output_finish(run->output, ending));
    RAISE(KOL_STOPPED, "%s", ending);
}

kol_status run_loop(struct run *run)
{
    const kol_status st = advance(run);
    if (st == KOL_OK || st == KOL_STOPPED) return st;
    fault_report(&run->domain.comm, &run->fault_told, st); /* now: the end of the run may wait for files */
    output_abandon(run->output);
    return st;
}

void run_destroy(struct run *run)
{
    destroy_parts(run);
    if (run->geometry != NULL) travellers_destroy(&run->geometry->travellers);
    body_geometry_destroy(&run->geometry);
    profile_destroy(&run->domain.profile);
    free(run->faces);
    free(run->begins);
    run->faces = run->begins = NULL;
    scalar_given_drop(&run->domain);
    grid_destroy(&run->domain.grid);
}

/* --- from outside --- */

kol_status run_new(struct run **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a run");
    (*out)->domain.comm.mpi = MPI_COMM_NULL;
    return KOL_OK;
}

void run_free(struct run **run)
{
    free(*run);
    *run = NULL;
}

struct run_parts run_parts(struct run *run)
{
    return (struct run_parts){.in = &run->in,
                              .source = &run->source,
                              .domain = &run->domain,
                              .flow = &run->flow,
                              .step = &run->step,
                              .control = &run->control,
                              .plan = &run->plan,
                              .statistics = run->statistics,
                              .output = &run->output};
}
