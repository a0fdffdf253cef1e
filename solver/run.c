#include "run.h"

#include <stdio.h>
#include <string.h>
#include "inputs/rank_layout.h"
#include "io/log.h"
#include "kernels/base/device.h"
#include "boundary/boundary.h"
#include "control/health.h"
#include "output/slices.h"
#include "step/diffusion_z.h"
#include "state/face_file.h"
#include "step/forcing.h"
#include "output/wall_force.h"
#include "initial/initial.h"
#include "step/exact_step.h"
#include "boundary/open_faces.h"
#include "output/output.h"
#include "parallel/peer_memory.h"
#include "poisson/preconditioner_choice.h"
#include "output/probes.h"
#include "step/pressure.h"
#include "output/fault_report.h"
#include "control/resolution.h"
#include "step/rk3.h"
#include "statistics/statistics.h"
#include "parallel/peer_sums.h"
#include "control/launch_tuning.h"
#include "parallel/node_memory.h"
#include "parallel/watchdog.h"
#include "control/time_step.h"
#include "control/stop.h"
#include "math/constants.h"

/* An implicit diffusion solve needs the velocity before the stage; rk3-wray keeps it beside its right-hand
 * sides. */
static int keeps_base(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_IMPLICIT && in->time.scheme == SCHEME_RK3_WRAY;
}

/* Implicit diffusion between walls solves for a change of the velocity, or of the force. */
static int solves_for_change(const struct input *in)
{
    int walls = 0;
    for (int f = 0; f < FACES; ++f) walls |= in->boundary.face[f] != BOUNDARY_PERIODIC;
    return in->time.diffusion == DIFFUSION_IMPLICIT && walls;
}

/* Velocity and what a step keeps beside it; then the fullest moment, the pressure solve of the second stage:
 * its correction and right-hand side. A diffusion solve has no correction but one stage pressure more; the
 * prediction takes three arrays, and one stage pressure more, when no solve is under way; 'implicit-z' is
 * done before one. */
static int step_arrays(const struct input *in)
{
    if (exact_step_wanted(in)) return exact_step_arrays(in);
    return 3 + 3 + (keeps_base(in) ? 3 : 0) + pressure_arrays(in, in->pressure.guess) + 2 +
           ppcg_arrays(preconditioner_choice_scratch(in), preconditioner_choice_one_wanted(in)) +
           solves_for_change(in);
}

/* Between steps velocity and pressures are kept, and room is left for statistics. */
int run_arrays(const struct input *in)
{
    const int step = step_arrays(in),
              between = 3 + pressure_arrays(in, in->pressure.guess) + statistics_arrays(in);
    return step > between ? step : between;
}

int run_arrays_held(const struct run *run)
{
    return run->domain.pool != NULL ? pool_count(run->domain.pool) : run_arrays(&run->in);
}

double run_memory(const struct run *run)
{
    const struct box b = run->domain.grid.box;
    const int peers = strcmp(device_backend(), "cpu") != 0;
    return (double)b.size * (double)sizeof(real) * run_arrays_held(run) +
           (double)halo_bytes_wanted(&run->domain.comm, &run->domain.decomp, b) +
           (double)reduction_bytes_wanted(&run->domain.decomp, b) + (double)ppcg_bytes_wanted(b) +
           preconditioner_choice_bytes_wanted(&run->domain) + diffusion_z_bytes(&run->domain) +
           statistics_bytes(&run->domain) + slices_bytes(&run->domain) + probes_bytes(&run->in) +
           wall_force_bytes(&run->in, &run->domain.decomp) + open_faces_bytes(&run->in, &run->domain.decomp) +
           (peers ? (double)peer_sums_bytes_wanted(&run->domain.comm, &run->domain.decomp) : 0);
}

static kol_status check_memory(const struct run *run, int arrays, double wanted)
{
    double available = 0;
    TRY(node_memory_available(&run->domain.comm, run->domain.sharers, &available));
    if (wanted <= available) return KOL_OK;
    RAISE(
        KOL_ERR_MEMORY,
        "%d fields need %.3f GiB a rank, of the free memory a rank's share is %.3f GiB; use more nodes or a "
        "smaller grid",
        arrays, wanted / GIB, available / GIB);
}

/* What points from one part of a run to another. */
void run_connect(struct run *run)
{
    run->domain.in = &run->in;
    run->domain.source = &run->source;
    run->domain.pending = &run->pending;
    run->flow.domain = run->step.domain = run->step.poisson.domain = run->control.domain = &run->domain;
    run->step.poisson.guess = run->in.pressure.guess;
}

static kol_status create_grid(struct run *run)
{
    const struct input *in = &run->in;
    TRY(device_select(run->domain.comm.node_rank, run->domain.device, sizeof run->domain.device));
    comm_place(&run->domain.comm, run->domain.device);
    TRY(decomp_create(in->grid.n, grid_layout(in, run->domain.comm.size).ranks, run->domain.comm.size,
                      run->domain.comm.rank, &run->domain.decomp));
    TRY(face_file_read(&run->domain.comm, in, &run->source, &run->domain.grid));
    TRY(grid_create(in, &run->domain.decomp, &run->domain.grid));
    return face_file_check(in, &run->source, &run->domain.grid);
}

static kol_status create_fields(struct run *run, int arrays, double bytes)
{
    run->domain.walls = boundary_walls(&run->in, &run->domain.decomp);
    TRY(node_memory_sharers(&run->domain.comm, &run->domain.sharers));
    TRY(comm_agree(&run->domain.comm, check_memory(run, arrays, bytes)));
    TRY(comm_agree(&run->domain.comm, pool_create(run->domain.grid.box, arrays, &run->domain.pool)));
    TRY(halo_create(&run->domain.comm, &run->domain.decomp, run->domain.grid.box, run->in.device.transport,
                    &run->domain.halo));
    halo_profile(run->domain.halo, run->domain.profile, NULL);
    TRY(reduction_create(&run->domain.comm, &run->domain.decomp, run->domain.grid.box,
                         &run->domain.reduction));
    return strcmp(halo_transport(run->domain.halo), "peer") == 0 ? reduction_use_team(run->domain.reduction)
                                                                 : KOL_OK;
}

static kol_status hold_flow(struct run *run)
{
    for (int d = 0; d < 3; ++d) TRY(pool_hold(run->domain.pool, "velocity", &run->flow.vel[d]));
    return pressure_create(&run->flow);
}

kol_status run_create(struct run *run)
{
    run_connect(run);
    TRY(create_grid(run));
    TRY(time_step_check_fixed(&run->domain));
    TRY(create_fields(run, run_arrays(&run->in), run_memory(run)));
    TRY(ppcg_create(run->in.pressure.max_iterations, run->domain.grid.box, run->domain.halo,
                    run->domain.reduction, run->domain.pool, &run->step.poisson.ppcg));
    TRY(exact_step_create(&run->step));
    TRY(diffusion_z_create(&run->step));
    TRY(comm_agree(&run->domain.comm, statistics_create(&run->domain, &run->statistics)));
    TRY(open_faces_create(&run->flow, &run->domain.walls));
    TRY(launch_tuning_run(&run->domain, run->domain.tuning, sizeof run->domain.tuning));
    return hold_flow(run);
}

/* To spread planes of open faces one array is held, when no sample is taken. */
static int still_arrays(const struct input *in)
{
    int spread = 0;
    for (int f = 0; f < FACES; ++f) spread |= open_faces_is(in, f);
    return 3 + 1 + (statistics_arrays(in) > 0 ? statistics_arrays(in) : spread);
}

static double still_memory(const struct run *run)
{
    const struct box b = run->domain.grid.box;
    return (double)b.size * (double)sizeof(real) * still_arrays(&run->in) +
           (double)halo_bytes_wanted(&run->domain.comm, &run->domain.decomp, b) +
           (double)reduction_bytes_wanted(&run->domain.decomp, b) +
           (double)peer_sums_bytes_wanted(&run->domain.comm, &run->domain.decomp) +
           statistics_bytes(&run->domain) + open_faces_bytes(&run->in, &run->domain.decomp);
}

kol_status run_create_still(struct run *run)
{
    run_connect(run);
    TRY(create_grid(run));
    TRY(create_fields(run, still_arrays(&run->in), still_memory(run)));
    TRY(comm_agree(&run->domain.comm, statistics_create(&run->domain, &run->statistics)));
    TRY(open_faces_create(&run->flow, &run->domain.walls));
    return hold_flow(run);
}

kol_status run_create_bare(struct run *run)
{
    run_connect(run);
    TRY(create_grid(run));
    return comm_agree(&run->domain.comm, statistics_create(&run->domain, &run->statistics));
}

/* From the initial flow or a checkpoint to the state before the first step. */
static kol_status begin(struct run *run)
{
    run->control.wall_start = run->control.wall_checkpoint = MPI_Wtime();
    run->flow.energy_start = -1;
    const struct output_sources from = {&run->flow,      &run->step,      &run->control,
                                        run->statistics, run_memory(run), run_arrays_held(run)};
    TRY(output_create(from, run->argc, run->argv, &run->output));
    if (strcmp(run->in.checkpoint.restart, "none") != 0) {
        TRY(output_restart(run->output));
    } else {
        TRY(preconditioner_choice_create(&run->step.poisson));
        TRY(initial_flow(&run->step, &run->flow));
    }
    TRY(health_monitor(&run->flow));
    if (run->flow.energy_start < 0) run->flow.energy_start = run->flow.now.energy;
    TRY(time_step_check(&run->flow));
    TRY(forcing_check(&run->flow));
    TRY(output_start(run->output));
    TRY(comm_agree(&run->domain.comm, resolution_log(&run->domain)));
    turbulence_watch_start(&run->control.watch, &run->flow);
    return KOL_OK;
}

static kol_status advance(struct run *run)
{
    struct stop_poll poll = {.stop = ""};
    TRY(begin(run));
    while (!stop_finished(&run->control, &run->flow) && poll.stop[0] == '\0') {
        const double started = MPI_Wtime();
        watchdog_step(run->flow.clock.step + 1);
        TRY(time_step_choose(&run->flow));
        TRY(health_blame(&run->step.poisson, &run->flow, rk3_step(&run->step, &run->flow)));
        TRY(health_monitor(&run->flow));
        TRY(health_check(&run->control, &run->flow));
        forcing_step(&run->flow);
        health_budget(&run->flow);
        if (statistics_wants_pressure(run->statistics, &run->flow))
            TRY(exact_step_pressure(&run->step, &run->flow));
        TRY(statistics_step(run->statistics, &run->flow));
        TRY(turbulence_watch_step(&run->control.watch, &run->flow));
        TRY(profile_step(run->domain.profile));
        run->control.seconds_per_step = MPI_Wtime() - started;
        TRY(stop_poll(&run->control, statistics_enough(run->statistics), &poll));
        const int stop = poll.stop[0] != '\0';
        TRY(output_step(run->output, poll.checkpoint || stop,
                        stop || stop_finished(&run->control, &run->flow)));
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
    fault_report(&run->domain.comm, &run->fault_told, st); /* now: the end may have to wait for files */
    output_abandon(run->output);
    return st;
}

void run_destroy(struct run *run)
{
    output_destroy(&run->output);
    profile_destroy(&run->domain.profile);
    preconditioner_choice_destroy(&run->step.poisson);
    open_faces_destroy(&run->flow.open);
    exact_step_destroy(&run->step.exact_step);
    diffusion_z_destroy(&run->step.diffusion_z);
    statistics_destroy(&run->statistics);
    ppcg_destroy(&run->step.poisson.ppcg);
    reduction_destroy(&run->domain.reduction);
    halo_destroy(&run->domain.halo);
    pool_destroy(&run->domain.pool);
    grid_destroy(&run->domain.grid);
}
