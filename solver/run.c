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
#include "parallel/watchdog.h"

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
    return 3 + 3 + (keeps_base(in) ? 3 : 0) + pressure_arrays(in) + 2 +
           ppcg_arrays(preconditioner_choice_scratch(in), preconditioner_choice_one_wanted(in)) +
           solves_for_change(in);
}

/* Between steps velocity and pressures are kept, and room is left for statistics. */
int run_arrays(const struct input *in)
{
    const int step = step_arrays(in), between = 3 + pressure_arrays(in) + statistics_arrays(in);
    return step > between ? step : between;
}

int run_arrays_held(const struct run *run)
{
    return run->pool != NULL ? pool_count(run->pool) : run_arrays(&run->in);
}

double run_memory(const struct run *run)
{
    const struct box b = run->grid.box;
    const int peers = strcmp(device_backend(), "cpu") != 0;
    return (double)b.size * (double)sizeof(real) * run_arrays_held(run) +
           (double)halo_bytes_wanted(&run->comm, &run->decomp, b) +
           (double)reduction_bytes_wanted(&run->decomp, b) + (double)ppcg_bytes_wanted(b) +
           preconditioner_choice_bytes_wanted(run) + diffusion_z_bytes(run) + statistics_bytes(run) +
           slices_bytes(run) + probes_bytes(&run->in) + wall_force_bytes(&run->in, &run->decomp) +
           open_faces_bytes(&run->in, &run->decomp) +
           (peers ? (double)peer_sums_bytes_wanted(&run->comm, &run->decomp) : 0);
}

/* Ranks of a node share its memory, or each GPU's. */
kol_status run_memory_available(const struct run *run, double *available)
{
    size_t bytes = 0;
    TRY(mem_kernel_available(&bytes));
    int sharers = run->sharers;
    if (sharers == 0) {
        const int gpus = device_count();
        sharers = gpus == 0 ? run->comm.node_size : (run->comm.node_size + gpus - 1) / gpus;
    }
    *available = (double)bytes / sharers;
    return KOL_OK;
}

/* Each rank may see a GPU of its own: what counts is which GPU, not how many are seen. */
static kol_status count_sharers(struct run *run)
{
    char obstacle[256];
    run->sharers = device_count() == 0 ? run->comm.node_size : 1;
    if (device_count() == 0 || run->comm.size == 1) return KOL_OK;
    return peer_memory_obstacle(&run->comm, obstacle, sizeof obstacle, &run->sharers);
}

static kol_status check_memory(const struct run *run, int arrays, double wanted)
{
    double available = 0;
    TRY(run_memory_available(run, &available));
    if (wanted <= available) return KOL_OK;
    RAISE(
        KOL_ERR_MEMORY,
        "%d fields need %.3f GiB a rank, of the free memory a rank's share is %.3f GiB; use more nodes or a "
        "smaller grid",
        arrays, wanted / 1073741824.0, available / 1073741824.0);
}

static kol_status create_grid(struct run *run)
{
    const struct input *in = &run->in;
    TRY(device_select(run->comm.node_rank, run->device, sizeof run->device));
    comm_place(&run->comm, run->device);
    TRY(decomp_create(in->grid.n, grid_layout(in, run->comm.size).ranks, run->comm.size, run->comm.rank,
                      &run->decomp));
    TRY(face_file_read(&run->comm, in, &run->source, &run->grid));
    TRY(grid_create(in, &run->decomp, &run->grid));
    return face_file_check(in, &run->source, &run->grid);
}

static kol_status create_fields(struct run *run, int arrays, double bytes)
{
    run->walls = boundary_walls(&run->in, &run->decomp);
    TRY(count_sharers(run));
    TRY(comm_agree(&run->comm, check_memory(run, arrays, bytes)));
    TRY(comm_agree(&run->comm, pool_create(run->grid.box, arrays, &run->pool)));
    TRY(halo_create(&run->comm, &run->decomp, run->grid.box, run->in.device.transport, &run->halo));
    halo_profile(run->halo, run->profile, NULL);
    TRY(reduction_create(&run->comm, &run->decomp, run->grid.box, &run->reduction));
    return strcmp(halo_transport(run->halo), "peer") == 0 ? reduction_use_team(run->reduction) : KOL_OK;
}

static kol_status hold_flow(struct run *run)
{
    for (int d = 0; d < 3; ++d) TRY(pool_hold(run->pool, "velocity", &run->vel[d]));
    return pressure_create(run);
}

kol_status run_create(struct run *run)
{
    TRY(create_grid(run));
    TRY(control_fixed(run));
    TRY(create_fields(run, run_arrays(&run->in), run_memory(run)));
    TRY(ppcg_create(run->in.pressure.max_iterations, run->grid.box, run->halo, run->reduction, run->pool,
                    &run->ppcg));
    TRY(exact_step_create(run));
    TRY(diffusion_z_create(run));
    TRY(comm_agree(&run->comm, statistics_create(run)));
    TRY(open_faces_create(run));
    TRY(launch_tuning_run(run, run->tuning, sizeof run->tuning));
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
    const struct box b = run->grid.box;
    return (double)b.size * (double)sizeof(real) * still_arrays(&run->in) +
           (double)halo_bytes_wanted(&run->comm, &run->decomp, b) +
           (double)reduction_bytes_wanted(&run->decomp, b) +
           (double)peer_sums_bytes_wanted(&run->comm, &run->decomp) + statistics_bytes(run) +
           open_faces_bytes(&run->in, &run->decomp);
}

kol_status run_create_still(struct run *run)
{
    TRY(create_grid(run));
    TRY(create_fields(run, still_arrays(&run->in), still_memory(run)));
    TRY(comm_agree(&run->comm, statistics_create(run)));
    TRY(open_faces_create(run));
    return hold_flow(run);
}

kol_status run_create_bare(struct run *run)
{
    TRY(create_grid(run));
    return comm_agree(&run->comm, statistics_create(run));
}

/* From the initial flow or a checkpoint to the state before the first step. */
static kol_status begin(struct run *run)
{
    run->wall_start = run->wall_checkpoint = MPI_Wtime();
    run->energy_start = -1;
    TRY(output_create(run));
    if (strcmp(run->in.checkpoint.restart, "none") != 0) {
        TRY(output_restart(run));
    } else {
        TRY(preconditioner_choice_create(run));
        TRY(initial_flow(run));
    }
    TRY(control_monitor(run));
    if (run->energy_start < 0) run->energy_start = run->now.energy;
    TRY(control_check(run));
    TRY(forcing_check(run));
    TRY(output_start(run));
    TRY(comm_agree(&run->comm, resolution_log(run)));
    turbulence_watch_start(run);
    return KOL_OK;
}

static kol_status advance(struct run *run)
{
    struct control_poll poll = {.stop = ""};
    TRY(begin(run));
    while (!control_finished(run) && poll.stop[0] == '\0') {
        const double started = MPI_Wtime();
        watchdog_step(run->clock.step + 1);
        TRY(control_dt(run));
        TRY(control_blame(run, rk3_step(run)));
        TRY(control_monitor(run));
        TRY(control_health(run));
        forcing_step(run);
        control_budget(run);
        TRY(statistics_step(run));
        TRY(turbulence_watch_step(run));
        TRY(profile_step(run->profile));
        run->seconds_per_step = MPI_Wtime() - started;
        TRY(control_poll(run, &poll));
        const int stop = poll.stop[0] != '\0';
        TRY(output_step(run, poll.checkpoint || stop, stop || control_finished(run)));
    }
    if (control_finished(run)) return output_finish(run, "finished");
    char ending[80];
    snprintf(ending, sizeof ending, "stopped (%s), checkpoint written", poll.stop);
    TRY(output_finish(run, ending));
    RAISE(KOL_STOPPED, "%s", ending);
}

kol_status run_loop(struct run *run)
{
    const kol_status st = advance(run);
    if (st == KOL_OK || st == KOL_STOPPED) return st;
    fault_report(run, st); /* now: the end may have to wait for files */
    output_abandon(run);
    return st;
}

void run_destroy(struct run *run)
{
    output_destroy(&run->output);
    profile_destroy(&run->profile);
    preconditioner_choice_destroy(run);
    open_faces_destroy(&run->open);
    exact_step_destroy(&run->nullspace);
    diffusion_z_destroy(&run->diffusion_z);
    statistics_destroy(&run->statistics);
    ppcg_destroy(&run->ppcg);
    reduction_destroy(&run->reduction);
    halo_destroy(&run->halo);
    pool_destroy(&run->pool);
    grid_destroy(&run->grid);
}
