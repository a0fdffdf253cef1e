/* Prints what a run would do, for --check. It calls the same functions as the run itself. */
#include "check_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/statistics_wanted.h"
#include "inputs/bodies.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/rank_layout.h"
#include "inputs/print.h"
#include "io/log.h"
#include "kernels/base/device.h"
#include "state/face_file.h"
#include "output/step_files.h"
#include "step/forcing.h"
#include "checkpoint/flow_file.h"
#include "bodies/bodies_travel.h"
#include "bodies/body_picture.h"
#include "bodies/body_report.h"
#include "bodies/body_scalars.h"
#include "bodies/surface_points.h"
#include "bodies/travellers.h"
#include "boundary/inflow_covered.h"
#include "boundary/face_report.h"
#include "boundary/inflow.h"
#include "boundary/inflow_planes.h"
#include "boundary/moving_walls.h"
#include "scalars/scalar_given.h"
#include "output/probes.h"
#include "output/step_rate.h"
#include "control/expected_flow.h"
#include "control/memory_check.h"
#include "initial/initial.h"
#include "control/resolution.h"
#include "control/scalar_warnings.h"
#include "initial/energy_spectrum.h"
#include "statistics/statistics.h"
#include "parallel/transport_mpi.h"
#include "control/time_step.h"
#include "parallel/node_memory.h"
#include "kernels/base/constants.h"

static void print_size(const char *what, double bytes, const char *note)
{
    if (bytes < 0.1 * GIB) {
        printf("  %-24s %.2f MiB%s\n", what, bytes / MIB, note);
    } else {
        printf("  %-24s %.2f GiB%s\n", what, bytes / GIB, note);
    }
}

static void print_warning(const char *warning)
{
    printf("  warning: %s\n", warning);
}

/* Prints the grid and what it resolves, which has a line for each stretched direction. */
static kol_status print_grid(const struct run *run)
{
    const struct grid *g = &run->domain.grid;
    const struct decomp *d = &run->domain.decomp;
    char *text, *warnings;
    printf("\nGrid\n  %d x %d x %d cells on %d rank%s = %d x %d x %d; the fullest rank has %d x %d x %d\n",
           g->n_g[X], g->n_g[Y], g->n_g[Z], run->domain.comm.size, run->domain.comm.size > 1 ? "s" : "",
           d->ranks[X], d->ranks[Y], d->ranks[Z], decomp_cells_most(d, X), decomp_cells_most(d, Y),
           decomp_cells_most(d, Z));
    for (int i = 0; i < 3; ++i)
        if (g->uniform[i]) printf("  %c: widths %.6g\n", "xyz"[i], grid_width(g, i, 0));
    const kol_status st = resolution_text(&run->in, g, &text, &warnings);
    if (st == KOL_OK) {
        fputs(text, stdout);
        fputs(run->faces, stdout);
        scalar_warnings(&run->in, print_warning);
        if (run->begins != NULL) fputs(run->begins, stdout);
        for (char *line = strtok(warnings, "\n"); line != NULL; line = strtok(NULL, "\n"))
            printf("  warning: %s\n", line);
    }
    free(text);
    free(warnings);
    return st;
}

/* The shorter of the two limits; 0: there is none. */
static double shorter(double convective, double viscous)
{
    return convective > 0 && (viscous == 0 || convective < viscous) ? convective : viscous;
}

/* Prints the dt of the developed flow if it is known, and returns it; else it returns that of the initial
 * flow, and says that it does not know more. */
static double print_developed(const struct run *run, double dt)
{
    double speed, convective, viscous;
    const double courant = expected_flow_courant(&run->domain, &speed);
    if (courant > 0) {
        time_step_limits(&run->domain, courant, &convective, &viscous);
        const double later = shorter(convective, viscous);
        printf("  dt of the developed flow %.4e, with speeds up to about %.3g\n", later, speed);
        return later;
    }
    if (run->in.initial.type != INITIAL_REST || drive_any(&run->in))
        printf("  how fast the flow becomes is not known: the steps are those of the initial flow\n");
    return dt;
}

/* What bodies that move through the grid add to the Courant sum [1/T]. The flow of a check has none. */
static double courant_of_bodies(const struct run *run)
{
    double sum = 0;
    if (run->geometry == NULL) return 0;
    for (int d = 0; d < 3; ++d) sum += bodies_fastest(run->geometry, d) / run->domain.grid.narrowest[d];
    return fmax(sum, run->in.time.cfl * bodies_courant_of(&run->domain, run->geometry));
}

/* Returns the number of steps; 0: not known. */
static double print_time(const struct run *run)
{
    const struct input *in = &run->in;
    double convective, viscous, dt = in->time.dt;
    const double flow = time_step_courant(&run->flow, initial_courant_estimate(&run->flow)),
                 courant = fmax(flow, courant_of_bodies(run));
    time_step_limits(&run->domain, courant, &convective, &viscous);
    printf("\nTime (estimated from the initial flow and what drives it)\n");
    if (in->initial.type == INITIAL_FILE)
        printf("  the speeds in initial.file are not looked at: dt by cfl is not known\n");
    else if (convective > 0) printf("  dt by cfl %.3g           %.4e\n", in->time.cfl, convective);
    if (viscous > 0) printf("  dt by stability          %.4e\n", viscous);
    if (dt == 0) dt = shorter(convective, viscous);
    if (dt == 0) {
        printf("  nothing limits dt: set time.dt\n");
        return 0;
    }
    printf("  dt                       %.4e%s\n", dt, in->time.dt > 0 ? " (fixed)" : "");
    if (in->time.dt == 0) dt = print_developed(run, dt);
    double steps = in->run.t_end >= 0 ? ceil(in->run.t_end / dt) : INFINITY;
    if (in->run.steps_max >= 0) steps = fmin(steps, in->run.steps_max);
    printf("  steps                    %.0f\n", steps);
    return steps;
}

/* seconds: of a step; 0: not known. by: in words, where that comes from. */
static void print_cost(const struct run *run, double steps, double seconds, const char *by)
{
    const int gpu = device_is_gpu();
    if (!(seconds > 0)) {
        printf(
            "  wall-clock time          not known: no run of this build is on record here; a run of %d steps "
            "makes it so\n",
            STEP_RATE_STEPS);
        return;
    }
    const double cells = (double)run->in.grid.n[X] * run->in.grid.n[Y] * run->in.grid.n[Z];
    const double total = steps * seconds;
    printf("  time of a step           %s s, %s ns/cell\n", log_digits(seconds).text,
           log_digits(seconds / cells * 1e9).text);
    printf("    %s\n", by);
    if (!(steps > 0)) return;
    printf("  wall-clock time          %.0f:%02.0f:%02.0f h without files; %s %s hours\n",
           floor(total / 3600), floor(fmod(total, 3600) / 60), floor(fmod(total, 60)),
           log_digits(total / 3600 * run->domain.comm.size).text, gpu ? "GPU" : "core");
    if (run->in.run.walltime > 0 && total > run->in.run.walltime)
        printf("    that is more than run.walltime: %.0f runs in a row\n",
               ceil(total / run->in.run.walltime));
}

static void print_files(const struct run *run, struct surface_sizes surface)
{
    const struct input *in = &run->in;
    const double cells = (double)in->grid.n[0] * in->grid.n[1] * in->grid.n[2];
    const double value = in->output.field_precision == PRECISION_SINGLE ? 4 : 8;
    const int none = in->output.field_interval == 0 && in->output.field_interval_time == 0;
    printf("\nFiles\n");
    print_size("checkpoint", restart_bytes(in),
               in->checkpoint.interval == 0 && !in->checkpoint.at_end ? " (none asked for)" : "");
    print_size("fields, each time",
               cells * (value * (4 + (in->output.fields_vorticity ? 3 : 0)) + (bodies_in_fields(in) ? 8 : 0)),
               none ? " (none asked for)" : "");
    if (slices_wanted(in)) print_size("slices, boxes, each time", slices_file_bytes(&run->domain), "");
    if (surface.file > 0) print_size("surface data, each time", surface.file, "");
    if (strcmp(in->checkpoint.restart, "latest") == 0)
        printf("  with restart = 'latest' no checkpoint is looked at here; --restart FILE compares one\n");
}

/* Prints the free memory of this machine, and what a run would say if there is not enough. Returns whether
 * there is enough; 1 if that is not known. */
static int print_free(const struct run *run, double kernel, double host, int arrays)
{
    double available = 0;
    char lack[MEMORY_LACK_TEXT];
    if (node_memory_available(&run->domain.comm, run->domain.sharers, &available) != KOL_OK ||
        memory_lack(&run->domain, kernel, host, arrays, lack) != KOL_OK) {
        status_clear(); /* a CUDA build on a machine without a GPU: the check is for another machine */
        return 1;
    }
    print_size("a rank's share here", available, lack[0] != '\0' ? ": NOT ENOUGH on this machine" : "");
    if (lack[0] != '\0') printf("  a run here would end with: %s\n", lack);
    return lack[0] == '\0';
}

/* Prints whether this MPI can send as the input asks. Returns whether it can. */
static int print_transport(const struct input *in)
{
    if (in->device.transport != TRANSPORT_CUDA_AWARE || transport_mpi_takes_gpu_memory()) return 1;
    printf("  this MPI can't send GPU memory, as device.transport = 'cuda-aware' asks: the run will "
           "NOT start on this machine\n");
    return 0;
}

/* Prints the host memory for files. Fields are copied, so that the run goes on while they are written, if a
 * rank's share of the free memory of a host is large enough. */
static void print_host(const struct input *in, double copies, double slabs)
{
    const int behind = step_files_on_the_way(in);
    print_size("host memory for files", behind ? copies : slabs,
               behind ? ", to write while the run goes on" : "");
    if (behind) print_size("  or, where that is short", slabs, ", and the run waits");
}

/* Opens the files that the inputs name, but does not use them. */
static kol_status check_files(struct run *run)
{
    const struct input *in = &run->in;
    if (in->initial.type == INITIAL_ISOTROPIC) {
        struct energy_spectrum *s = NULL;
        kol_status st = energy_spectrum_create(&run->domain.comm, in, &run->source, 1, &s);
        if (st == KOL_OK && in->initial.spectrum == SPECTRUM_FILE &&
            strcmp(in->checkpoint.restart, "none") == 0)
            st = energy_spectrum_check(s, in);
        energy_spectrum_destroy(&s);
        if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "energy_spectrum_check");
    }
    if (in->initial.type == INITIAL_FILE && strcmp(in->checkpoint.restart, "none") == 0)
        TRY(flow_file_check(&run->domain, &run->begins));
    struct inflow *inflow = NULL;
    const kol_status read = inflow_create(&run->domain.comm, in, &run->source, &run->domain.grid, &inflow);
    for (int c = 0; c < 3 && read == KOL_OK; ++c) run->flow.inflow_speed[c] = inflow_speed(inflow, c);
    for (int f = 0; f < FACES && read == KOL_OK; ++f) run->flow.inflow_mean[f] = inflow_mean(inflow, f);
    if (read == KOL_OK) inflow_planes_ranges(inflow, &run->domain.given_range);
    kol_status st = read == KOL_OK ? restart_check(&run->domain, inflow) : read;
    if (st == KOL_OK) st = face_report_text(&run->domain, inflow, &run->faces);
    inflow_destroy(&inflow);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "check_files");
    return probes_check(&run->step, &run->flow);
}

/* Estimates the Courant sum of the initial flow [1/T]. In directions with walls the mean width counts,
 * because the velocity towards a wall falls to 0 in the thin cells beside it. */
static double courant_between_walls(const struct run *run)
{
    struct domain domain = run->domain;
    struct flow flow = run->flow;
    flow.domain = &domain;
    for (int d = 0; d < 3; ++d)
        if (direction_has_wall(&run->in, d))
            domain.grid.narrowest[d] = domain.grid.length[d] / domain.grid.n_g[d];
    return initial_courant_estimate(&flow);
}

/* Draws the plane of the bodies that --picture names. */
static kol_status draw_bodies(const struct run *run, const char *picture)
{
    const char *const path = strchr(picture, ':');
    char *end = NULL;
    const int normal = picture[0] - 'x';
    if (normal < 0 || normal > 2 || picture[1] != '=' || path == NULL || path[1] == '\0')
        RAISE(KOL_ERR_INPUT,
              "error: --picture %.60s: a plane and a file are wanted, such as --picture z=0.5:bodies.png",
              picture);
    const double position = strtod(picture + 2, &end);
    if (end != path || end == picture + 2)
        RAISE(KOL_ERR_INPUT, "error: --picture %.60s: '%.*s' is not a number", picture,
              (int)(path - picture - 2), picture + 2);
    if (run->geometry == NULL)
        RAISE(KOL_ERR_INPUT, "error: --picture %.60s: this case has no bodies; leave it out", picture);
    TRY(body_picture_write(&run->domain, run->geometry, normal, position, path + 1));
    if (run->domain.comm.rank == 0) printf("Picture of the bodies: %s\n\n", path + 1);
    return KOL_OK;
}

/* Refuses inflows by tables, formulas and planes that bring fluid through bodies. */
static kol_status check_covered(const struct run *run)
{
    struct inflow *inflow = NULL;
    kol_status st = inflow_create(&run->domain.comm, &run->in, &run->source, &run->domain.grid, &inflow);
    if (st == KOL_OK) st = inflow_covered_refuse(inflow, &run->domain, run->geometry->open);
    inflow_destroy(&inflow);
    return st;
}

/* Prints what a run would warn of the fluxes of bodies. */
static kol_status print_balance(const struct run *run)
{
    char note[SCALARS_MOST][BODY_SCALARS_NOTE] = {{0}};
    TRY(body_scalars_balance(&run->domain, run->geometry, note));
    for (int n = 0; n < SCALARS_MOST && run->domain.comm.rank == 0; ++n)
        if (note[n][0] != '\0') print_warning(note[n]);
    return KOL_OK;
}

/* Makes the geometry of the bodies, and prints on rank 0 what follows from it. */
static kol_status check_bodies(struct run *run, const char *picture)
{
    struct body_report report = {0};
    TRY(body_geometry_create(&run->domain, &run->geometry));
    if (picture != NULL) TRY(draw_bodies(run, picture));
    if (run->geometry == NULL) return KOL_OK;
    TRY(body_report_refuse(&run->domain, run->geometry));
    TRY(check_covered(run));
    TRY(bodies_check_step(&run->domain, run->geometry, run->in.time.dt));
    kol_status st = body_report_create(&run->domain, run->geometry, &report);
    if (st == KOL_OK && run->domain.comm.rank == 0) {
        char *text = body_report_text(run->geometry, &report);
        printf("Bodies\n%s\n", text != NULL ? text : "");
        free(text);
    }
    body_report_destroy(&report);
    if (st == KOL_OK) st = print_balance(run);
    return st == KOL_OK ? travellers_create(&run->domain, run->geometry)
                        : st; /* memory is counted with them */
}

kol_status check_run(struct run *run, enum check_what what, const char *picture)
{
    const struct input *in = &run->in;
    run_connect(run);
    mem_stay_on_host();
    TRY(run_check_transport(run));
    TRY(decomp_create(in->grid.n, grid_layout(in, run->domain.comm.size).ranks, run->domain.comm.size,
                      run->domain.comm.rank, &run->domain.decomp));
    TRY(face_file_read(&run->domain.comm, in, &run->source, &run->domain.grid));
    TRY(grid_create(in, &run->domain.decomp, &run->domain.grid));
    TRY(face_file_check(in, &run->source, &run->domain.grid));
    TRY(moving_walls_measure(&run->domain));
    TRY(scalar_given_measure(&run->domain));
    TRY(time_step_check_fixed(&run->domain));
    TRY(statistics_check(&run->domain));
    TRY(check_files(run));
    TRY(time_step_check_diffusion(&run->flow, courant_between_walls(run)));
    struct memory plan;
    int arrays;
    TRY(check_bodies(run, picture));
    TRY(run_plan(run, &plan, &arrays));
    enum { ARRAY, KERNEL, COPIES, SLABS, SIZES };
    const double own[SIZES] = {[ARRAY] = (double)run->domain.grid.box.size * (double)sizeof(real),
                               [KERNEL] = (double)plan.kernel,
                               [COPIES] = step_files_host(&run->flow, 1),
                               [SLABS] = step_files_host(&run->flow, 0)};
    double most[SIZES];
    MPI_TRY(MPI_Allreduce(own, most, SIZES, MPI_DOUBLE, MPI_MAX, run->domain.comm.mpi));
    char by[STEP_RATE_WORDS];
    double seconds, averages;
    TRY(step_rate_find(&run->domain, &seconds, by));
    struct surface_sizes surface;
    TRY(statistics_host(&run->domain, &averages));
    TRY(surface_points_sizes(&run->domain, run->geometry, &surface));
    /* whether they may begin where they are; after the sizes, since the lists then have their faces, too */
    if (run->geometry != NULL && run->geometry->travellers != NULL)
        TRY(comm_agree(&run->domain.comm, travellers_move(&run->domain, run->geometry, 0)));
    if (run->domain.comm.rank != 0) return KOL_OK;
    if (what == CHECK_ALL) input_print(stdout, in, &run->source);
    else
        printf("%s%s--check=all prints every input, too\n", in->run.title,
               in->run.title[0] != '\0' ? "; " : "");
    TRY(print_grid(run));
    printf("\nMemory of the fullest rank\n");
    printf("  %-24s %d arrays of %.2f MiB\n", "fields", arrays, most[ARRAY] / MIB);
    print_size("with message buffers", most[KERNEL], statistics_wanted(in) ? " with averages" : "");
    const int fits = print_free(run, most[KERNEL], (double)plan.host, arrays);
    print_host(in, most[COPIES], most[SLABS]);
    const int sends = print_transport(in);
    if (averages > 0)
        print_size("host memory of averages", averages, cells_wanted(in) ? ", on each rank" : ", on rank 0");
    if (surface.host > 0) print_size("host memory of surfaces", surface.host, ", on rank 0");
    print_cost(run, print_time(run), seconds, by);
    print_files(run, surface);
    printf("The input is valid%s.\n", !fits    ? ", but the run does not fit into the memory of this machine"
                                      : !sends ? ", but the run can't start with the MPI of this machine"
                                               : "");
    return fflush(stdout) == 0
               ? KOL_OK
               : status_raise(KOL_ERR_IO, __FILE__, __LINE__, "can't write to standard output");
}
