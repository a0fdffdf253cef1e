#include "health.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "io/log.h"
#include "boundary/boundary.h"
#include "step/forcing.h"
#include "boundary/open_faces.h"
#include "step/rk3.h"
#include "statistics/statistics.h"

/* Share of the stability region that the viscous limit uses. */
static const double STABILITY_SAFETY = 0.9;
/* The kinetic energy of an undriven flow above this multiple of its start means that the solution blew up. */
static const double ENERGY_GROWTH = 1.05;
/* A step that would leave less than this part of a step before t_end takes it along. */
static const double END_SLACK = 1e-9;

/* A fixed dt with a CFL number beyond this multiple of the stability limit won't do for long. */
static const double FAST = 1.1;
/* A divergence beyond this multiple of pressure.tolerance, and of rounding, has not been left by the solver.
 */
static const double DIVERGED = 100, ROUNDING = 1e3;
/* Rank 0 looks for the stop file not more often than this [s]. */
static const double LOOK_SECONDS = 1;

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    stop_signal = number;
}

void control_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

/* The first value among the own cells of a field that is not finite, else the largest if it is beyond
 * `limit`; 0 where all are sound. */
static int find_bad(struct box b, const real *f, double limit, int cell[3])
{
    double most = limit;
    int found = 0;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i) {
                const double value = fabs((double)f[at(b, i, j, k)]);
                if (value <= most && isfinite(value)) continue; /* the limit may be infinite itself */
                found = 1;
                cell[X] = i;
                cell[Y] = j;
                cell[Z] = k;
                if (!isfinite(value)) return 1;
                most = value;
            }
        }
    }
    return found;
}

/* Where the largest CFL number is that of a velocity given for the outflows: words that say so. */
static const char *of_outflow(const struct run *run, double courant)
{
    return open_faces_courant(run) > courant ? ", that of boundary.outflow_velocity" : "";
}

/* The rank that holds a bad value names it; the others learn of it in comm_agree. limit: a velocity beyond it
 * is bad. */
static kol_status name_bad_value(struct run *run, long long step, double limit, double courant)
{
    static const char *const NAME[4] = {"u", "v", "w", "p"};
    const struct box b = run->grid.box;
    const real *field[4] = {run->vel[X], run->vel[Y], run->vel[Z], run->pressure.p};
    const int *o = run->decomp.offset;
    real *host = NULL;
    kol_status st = KOL_OK;
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    for (int f = 0; f < 4; ++f) {
        int c[3] = {0, 0, 0};
        TRY_OR(done, mem_to_host(host, field[f], (size_t)b.size * sizeof *host));
        if (!find_bad(b, host, f < 3 ? limit : INFINITY, c)) continue;
        st = status_raise(
            KOL_ERR_NUMERICAL, __FILE__, __LINE__,
            "%s is %g in cell (%d, %d, %d) on rank %d in step %lld, t = %.6g: the solution blew "
            "up (CFL number "
            "%.3g%s); checkpoints are as they were. Lower time.cfl or time.dt, or refine the grid",
            NAME[f], (double)host[at(b, c[X], c[Y], c[Z])], o[X] + c[X], o[Y] + c[Y], o[Z] + c[Z],
            run->comm.rank, step, run->clock.t, fmax(courant, open_faces_courant(run)) * run->clock.dt,
            of_outflow(run, courant));
        break;
    }
done:
    mem_host_free(host);
    return st;
}

/* Where the residual of a solve that failed is largest: the rank that holds it adds the place to the message.
 */
static kol_status name_residual(struct run *run, const char *message)
{
    const struct box b = run->grid.box;
    const real *residual = ppcg_residual(run->ppcg);
    const int *o = run->decomp.offset;
    real *host = NULL;
    int c[3] = {0, 0, 0};
    struct {
        double value;
        int rank;
    } mine = {-1, run->comm.rank}, worst;
    if (residual == NULL) return KOL_OK;
    TRY(mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    kol_status st = mem_to_host(host, residual, (size_t)b.size * sizeof *host);
    if (st == KOL_OK && find_bad(b, host, -1, c)) mine.value = fabs((double)host[at(b, c[X], c[Y], c[Z])]);
    mem_host_free(host);
    MPI_TRY(MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, run->comm.mpi));
    if (worst.rank != run->comm.rank) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL,
          "%s (step %lld, t = %.6g); the residual is largest in cell (%d, %d, %d) on rank %d", message,
          run->clock.step + 1, run->clock.t, o[X] + c[X], o[Y] + c[Y], o[Z] + c[Z], run->comm.rank);
}

/* The halos are those that the next step begins with. */
static kol_status sweep_monitor(struct run *run)
{
    const struct grid *g = &run->grid;
    const struct blocks bl = reduction_blocks(run->reduction);
    const unsigned remote = halo_remote(run->halo);
    const struct cells inner = halo_cells(run->halo, CELLS_INNER), rim = halo_cells(run->halo, CELLS_RIM);
    real *const flow[4] = {run->vel[X], run->vel[Y], run->vel[Z], run->pressure.p};
    TRY(profile_phase(run->profile, "monitor"));
    TRY(boundary_begin(run, flow, 4, HALO_EDGES));
    TRY(project_monitor(g->box, g->m, run->walls, bl, inner, run->vel[X], run->vel[Y], run->vel[Z]));
    TRY(boundary_arrive(run, flow));
    kol_status st = KOL_OK;
    if (remote != 0)
        st = project_monitor(g->box, g->m, run->walls, bl, rim, run->vel[X], run->vel[Y], run->vel[Z]);
    TRY(halo_join(run->halo, st));
    run->halo_filled = 1;
    return KOL_OK;
}

/* What walls, open faces and a force bring within a step of a flow that has `speed`; in one at rest it is not
 * known. */
static double jump_limit(const struct run *run, double speed, double push)
{
    const double driven = fmax(forcing_speed(run), push * run->clock.dt);
    return speed > 0 ? CONTROL_BLOW_UP * fmax(speed, driven) : INFINITY;
}

kol_status control_monitor(struct run *run)
{
    const struct grid *g = &run->grid;
    const double push = forcing_push(run);
    double v[MON_COUNT];
    TRY(sweep_monitor(run));
    TRY(reduction_finish(run->reduction, MON_SUMS, MON_COUNT - MON_SUMS, v));
    TRY(open_faces_look_at(run));
    run->before = run->now;
    run->now = (struct monitor){
        .energy = v[MON_ENERGY] / g->volume,
        .dissipation = run->in.fluid.nu * v[MON_DISS] / g->volume,
        .enstrophy = v[MON_ENSTROPHY] / g->volume,
        .wall_work = run->in.fluid.nu * v[MON_WORK] / g->volume,
        .momentum = {v[MON_MOM_X] / g->volume, v[MON_MOM_Y] / g->volume, v[MON_MOM_Z] / g->volume},
        .div_max = v[MON_DIV],
        .courant = v[MON_COURANT],
        .speed = fmax(fmax(v[MON_SPEED], open_faces_speed(run)), boundary_speed(&run->in))};
    if (run->open != NULL) run->now.convection = run->open->convection;
    const double jump = jump_limit(run, run->before.speed, push);
    /* where nothing drives the flow its energy can't rise but by errors in time */
    const int grown = !forcing_drives(&run->in) && run->energy_start > 0 &&
                      run->now.energy > ENERGY_GROWTH * run->energy_start;
    if (isfinite(run->now.energy) && run->now.speed <= jump && !grown) return KOL_OK;
    const double limit = isfinite(run->now.energy) ? (1 - 1e-9) * run->now.speed : jump;
    TRY(comm_agree(&run->comm, name_bad_value(run, run->clock.step, limit, run->before.courant)));
    RAISE(KOL_ERR_NUMERICAL,
          "the kinetic energy is %g after step %lld though every velocity is finite: overflow",
          run->now.energy, run->clock.step);
}

kol_status control_blame(struct run *run, kol_status st)
{
    char first[2048];
    const double limit = jump_limit(run, run->now.speed, forcing_push(run));
    if (st != KOL_ERR_NUMERICAL || status_agreed()) return st;
    snprintf(first, sizeof first, "%s", status_message());
    status_clear();
    TRY(comm_agree(&run->comm, name_bad_value(run, run->clock.step + 1, limit, run->now.courant)));
    TRY(comm_agree(&run->comm, name_residual(run, first)));
    RAISE(st, "%s (step %lld, t = %.6g)", first, run->clock.step + 1, run->clock.t);
}

void control_budget(struct run *run)
{
    const double dt = run->clock.dt, e = run->now.dissipation - run->now.wall_work - run->now.convection,
                 e1 = run->before.dissipation - run->before.wall_work - run->before.convection,
                 e2 = run->dissipation_before2;
    double mean = 0.5 * (e + e1);
    if (run->clock.dt_before >
        0) { /* the quadratic through three unevenly spaced times, integrated over the step */
        const double r = dt / run->clock.dt_before;
        mean = (3 + 2 * r) / (6 * (1 + r)) * e + (3 + r) / 6 * e1 - r * r / (6 * (1 + r)) * e2;
    }
    run->budget_residual = (run->now.energy - run->before.energy) / dt + mean - run->force.power;
    if (run->open != NULL) run->budget_residual -= open_faces_work(run);
    run->dissipation_before2 = e1;
}

void control_limits(const struct run *run, double courant, double *convective, double *viscous)
{
    const struct rk3_scheme *rk = rk3_scheme(run->in.time.scheme);
    const int diffusion = run->in.time.diffusion;
    const double nu = diffusion != DIFFUSION_IMPLICIT ? run->in.fluid.nu : 0;
    const double diffusive = diffusion == DIFFUSION_IMPLICIT_Z ? run->grid.diffusive_xy : run->grid.diffusive;
    /* eigenvalues of convection and diffusion together lie in a rectangle with these sides over dt */
    const double turning = forcing_turning(&run->in), rate = courant + forcing_rate(&run->in);
    const double imaginary = (courant + turning) / rk->imaginary_limit,
                 real_axis = nu * diffusive / rk->real_limit;
    const double joint =
        pow(pow(imaginary, rk->joint_power) + pow(real_axis, rk->joint_power), 1 / rk->joint_power);
    *convective = rate > 0 ? run->in.time.cfl / rate : 0;
    *viscous = nu > 0 ? STABILITY_SAFETY / joint : 0;
}

/* A flow that walls or a force have just begun to move is slower than it will be within the step. */
double control_courant(const struct run *run, double courant)
{
    return fmax(fmax(courant, forcing_push_courant(run)), forcing_courant(run));
}

kol_status control_check(const struct run *run)
{
    double convective, viscous;
    control_limits(run, control_courant(run, run->now.courant), &convective, &viscous);
    if (run->in.time.dt == 0 && convective == 0 && viscous == 0) {
        RAISE(KOL_ERR_INPUT, "error: the fluid is at rest and nothing limits the time step; set time.dt");
    }
    return KOL_OK;
}

kol_status control_dt(struct run *run)
{
    struct clock *c = &run->clock;
    const double left = run->in.run.t_end >= 0 ? run->in.run.t_end - c->t : INFINITY;
    c->dt_before = c->step > 0 ? c->dt : 0;
    if (run->in.time.dt > 0) {
        c->dt = run->in.time.dt;
        c->limit = DT_FIXED;
    } else {
        double convective, viscous;
        control_limits(run, control_courant(run, run->now.courant), &convective, &viscous);
        TRY(control_check(run));
        c->limit = convective > 0 && (viscous == 0 || convective <= viscous) ? DT_CONVECTION : DT_DIFFUSION;
        c->dt = c->limit == DT_CONVECTION ? convective : viscous;
        /* two even steps rather than a long and a tiny one */
        if (left < 2 * c->dt && left > c->dt * (1 + END_SLACK)) {
            c->dt = left / 2;
            c->limit = DT_END;
        }
    }
    if (left <= c->dt * (1 + END_SLACK)) {
        c->dt = left;
        c->limit = DT_END;
    }
    return KOL_OK;
}

int control_finished(const struct run *run)
{
    const struct input *in = &run->in;
    if (run->enough || (in->run.steps_max >= 0 && run->clock.step >= in->run.steps_max)) return 1;
    return in->run.t_end >= 0 && run->clock.t >= in->run.t_end * (1 - 4 * 2.3e-16);
}

double control_cfl(const struct run *run)
{
    return fmax(run->now.courant + forcing_turning(&run->in), open_faces_courant(run)) * run->clock.dt;
}

static int too_fast(const struct run *run)
{
    const double limit = rk3_scheme(run->in.time.scheme)->imaginary_limit;
    return run->in.time.dt > 0 && control_cfl(run) > FAST * limit;
}

static const char *scheme_name(const struct run *run)
{
    return run->in.time.scheme == SCHEME_RK3_HALF ? "rk3-half" : "rk3-wray";
}

kol_status control_fixed(const struct run *run)
{
    const double limit = rk3_scheme(run->in.time.scheme)->imaginary_limit, dt = run->in.time.dt,
                 rate = open_faces_courant(run);
    if (!(rate * dt > FAST * limit)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: time.dt = %g with boundary.outflow_velocity = %g: the CFL number of an outflow is %.3g, "
          "beyond the "
          "stability limit %.4g of %s; give time.dt up to %.3g, a smaller outflow_velocity, or time.cfl "
          "instead",
          dt, run->in.boundary.outflow_velocity, rate * dt, limit, scheme_name(run), 0.999 * limit / rate);
}

static kol_status blame_dt(const struct run *run, const char *what)
{
    RAISE(KOL_ERR_NUMERICAL,
          "the CFL number is %.3g after step %lld, t = %.6g, beyond the stability limit %.4g of %s, %s; "
          "checkpoints are as they were. Lower time.dt = %g, or set time.cfl instead",
          control_cfl(run), run->clock.step, run->clock.t, rk3_scheme(run->in.time.scheme)->imaginary_limit,
          scheme_name(run), what, run->in.time.dt);
}

kol_status control_health(struct run *run)
{
    const struct grid *g = &run->grid;
    const double scaled = run->now.speed > 0 ? run->now.div_max * g->h / run->now.speed : 0;
    const double limit = DIVERGED * run->in.pressure.tolerance + ROUNDING * KOL_EPSILON * g->h / g->smallest;
    run->fast_steps = too_fast(run) ? run->fast_steps + 1 : 0;
    if (!(scaled <= limit))
        RAISE(KOL_ERR_NUMERICAL,
              "max|div u| h/U is %.3e after step %lld, t = %.6g, though the pressure was solved to %.3e: "
              "memory or "
              "processor at fault, or an error of the program; checkpoints are as they were",
              scaled, run->clock.step, run->clock.t, run->in.pressure.tolerance);
    if (run->fast_steps < CONTROL_FAST_STEPS) return KOL_OK;
    char what[64];
    snprintf(what, sizeof what, "for %d steps in a row", CONTROL_FAST_STEPS);
    return blame_dt(run, what);
}

kol_status control_keepable(const struct run *run)
{
    return run->fast_steps > 0 ? blame_dt(run, "when a checkpoint was due") : KOL_OK;
}

static void stop_file(const struct run *run, char path[INPUT_TEXT + 16])
{
    snprintf(path, INPUT_TEXT + 16, "%s/%s", run->in.output.directory, CONTROL_STOP_FILE);
}

int control_drop_stop_file(const struct run *run)
{
    char path[INPUT_TEXT + 16];
    stop_file(run, path);
    return unlink(path) == 0;
}

static int stop_file_there(struct run *run, double now)
{
    char path[INPUT_TEXT + 16];
    if (run->comm.rank != 0 || now - run->wall_looked < LOOK_SECONDS) return 0;
    run->wall_looked = now;
    stop_file(run, path);
    return access(path, F_OK) == 0;
}

void control_pend(struct run *run, kol_status st)
{
    if (run->pending == KOL_OK) {
        run->pending = st;
        status_take(&run->pending_fault);
    } else {
        status_clear();
    }
}

kol_status control_pending(struct run *run)
{
    if (run->pending != KOL_OK) status_give(&run->pending_fault);
    return run->pending;
}

kol_status control_poll(struct run *run, struct control_poll *out)
{
    enum { SIGNAL, FILE_THERE, WALLTIME, CHECKPOINT, FAULT, ENOUGH, MATTERS };
    const double now = MPI_Wtime(), limit = run->in.run.walltime,
                 every = run->in.checkpoint.interval_walltime;
    const int mine[MATTERS] = {
        [SIGNAL] = stop_signal,
        [FILE_THERE] = stop_file_there(run, now),
        [WALLTIME] =
            limit > 0 && now - run->wall_start + 2 * run->seconds_per_step + run->checkpoint_seconds > limit,
        [CHECKPOINT] = every > 0 && now - run->wall_checkpoint > every,
        [FAULT] = run->pending != KOL_OK,
        [ENOUGH] = statistics_enough(run)};
    int all[MATTERS];
    MPI_TRY(MPI_Allreduce(mine, all, MATTERS, MPI_INT, MPI_MAX, run->comm.mpi));
    if (all[FAULT]) TRY(comm_agree(&run->comm, control_pending(run)));
    out->stop = all[SIGNAL] == SIGUSR1  ? "signal USR1"
                : all[SIGNAL] == SIGINT ? "signal INT"
                : all[SIGNAL]           ? "signal TERM"
                : all[FILE_THERE]       ? "stop file"
                : all[WALLTIME]         ? "run.walltime is used up"
                                        : "";
    out->checkpoint = all[CHECKPOINT];
    run->enough = all[ENOUGH];
    if (all[FILE_THERE] && run->comm.rank == 0 && !control_drop_stop_file(run))
        log_warn("the stop file in %s can't be removed: remove it before the next run",
                 run->in.output.directory);
    return KOL_OK;
}

const char *control_limit_name(int limit)
{
    static const char *const NAME[] = {"fixed", "convection", "stability", "end of run"};
    return NAME[limit];
}
