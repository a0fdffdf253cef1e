/* Runs kolmo-bench poisson --warm: measures solves within short runs, where guesses come from the steps
 * before. docs/performance/poisson.md. */
#include <math.h>
#include <string.h>
#include "solver/control/health.h"
#include "solver/initial/initial.h"
#include "solver/step/rk3.h"
#include "bench.h"
#include "solver/control/time_step.h"

enum { STEPS = 20, STEPS_QUICK = 4, STAGES = 3, NAME = 44 };
/* All runs of a flow take this part of the step that the first velocity allows, so that they end at the
 * same time. */
static const double STEP_PART = 0.75;
/* Tolerance of the run with which the others are compared. In the other runs, which differ in their
 * preconditioners, only the goal of a stage is different. */
static const double TIGHTEST = KOL_CHOOSE(1e-10, 1e-6);

struct warm_flow {
    const char *name, *groups; /* of the namelist: the initial flow, and what else it wants */
    double length[3];          /* of the box, over 2 pi */
    double nu_cells;           /* viscosity over U times the mean cell width along x */
    const char *grid;          /* more of &grid */
};
static const struct warm_flow FLOW[] = {
    {"taylor-green", "&initial type='taylor-green' /", {1, 1, 1}, 0.01, ""},
    {"isotropic", "&initial type='isotropic' /", {1, 1, 1}, 0.15, ""},
    {"channel",
     "&initial type='channel' /\n&boundary z_low='wall', z_high='wall' "
     "/\n&forcing type='bulk-velocity', value=1 /",
     {2, 1, 0.3183098861837907},
     0.007,
     ", stretching='uniform','uniform','tanh', stretching_factor=0,0,2"}};
enum { FLOWS = sizeof FLOW / sizeof *FLOW };

struct warm_method {
    const char *name, *input;
    int full;
};
static const struct warm_method METHOD[] = {
    {"multigrid", "preconditioner='multigrid'", 0},
    {"polynomial 4", "preconditioner='polynomial', degree=4", 0},
    {"polynomial 1", "preconditioner='polynomial', degree=1", 1},
    {"jacobi", "preconditioner='jacobi'", 1},
};
enum { METHODS = sizeof METHOD / sizeof *METHOD };

static const char *const GUESS[] = {"previous", "linear", "lli"};
static const int GUESS_NUMBER[] = {GUESS_PREVIOUS, GUESS_LINEAR, GUESS_LLI};
enum { GUESSES = sizeof GUESS / sizeof *GUESS };

/* goal: of each stage: a tolerance, or fixed work with a tolerance so loose that it holds no stage up. */
struct goal {
    const char *name;
    double tolerance;
    int iterations;
};
static const struct goal GOAL[] = {{"tolerance 1e-5", 1e-5, 0},
                                   {"tolerance 1e-6", 1e-6, 0},
                                   {"iterations 1", 1e-2, 1},
                                   {"iterations 2", 1e-2, 2}};
enum { GOALS = sizeof GOAL / sizeof *GOAL };

/* What a run showed. */
struct warm {
    double iterations, seconds; /* of a stage: means over the steps after the first */
    double worst;               /* max|div u| h/U at the end of a step, over these steps */
    double energy;              /* at the end [U^2] */
    int over;                   /* stages that took more iterations than asked for */
};

static int steps_of(const struct bench *b)
{
    if (b->options->steps > 0) return b->options->steps;
    return b->options->quick ? STEPS_QUICK : STEPS;
}

/* Computes the time per step that the profile assigns to the pressure, guess and right-hand side included
 * [ms]. The first step is left out. */
static kol_status pressure_seconds(struct bench *b, double *seconds)
{
    static const char LABEL[] = "\n  pressure ";
    char text[4096];
    TRY(profile_report(b->domain->profile, text, sizeof text));
    const char *line = strstr(text, LABEL);
    if (line == NULL || sscanf(line + sizeof LABEL - 1, "%lf", seconds) != 1)
        RAISE(KOL_ERR_INTERNAL, "the profile has no line for the pressure:\n%s", text);
    *seconds *= 1e-3 / STAGES;
    return KOL_OK;
}

static kol_status step(struct bench *b)
{
    TRY(time_step_choose(b->flow));
    TRY(rk3_step(b->step, b->flow));
    TRY(health_monitor(b->flow));
    return profile_step(b->domain->profile);
}

static kol_status take_steps(struct bench *b, struct warm *w)
{
    const int steps = steps_of(b);
    *w = (struct warm){.iterations = 0};
    for (int n = 0; n < steps; ++n) {
        TRY(step(b));
        if (n == 0) continue;
        w->iterations += (double)b->step->iterations / STAGES / (steps - 1);
        w->worst = fmax(w->worst, b->flow->now.div_max * b->domain->grid.h / b->flow->now.speed);
    }
    w->energy = b->flow->now.energy;
    w->over = (int)b->step->stages_over;
    return pressure_seconds(b, &w->seconds);
}

/* A run of n cells at its initial flow. dt = 0: by the Courant number. */
static kol_status open_run(struct bench *b, const int n[3], const struct warm_flow *flow, double dt,
                           const char *pressure)
{
    const double unit = 6.283185307179586, *length = flow->length;
    char text[2048];
    snprintf(text, sizeof text,
             "&run steps_max=1000000 /\n&grid n=%d,%d,%d, length=%.16g,%.16g,%.16g %s /\n&fluid nu=%.6g /\n"
             "%s\n&time %s=%.17g /\n&pressure %s /\n",
             n[X], n[Y], n[Z], length[X] * unit, length[Y] * unit, length[Z] * unit, flow->grid,
             flow->nu_cells * length[X] * unit / n[X], flow->groups, dt > 0 ? "dt" : "cfl", dt > 0 ? dt : 1.0,
             pressure);
    TRY(bench_open_text(b, text, 0, 1));
    TRY(bench_first_words(b));
    TRY(initial_flow(b->step, b->flow));
    return health_monitor(b->flow);
}

/* The time step of all runs, and the energy that an exact solve would end with. */
static kol_status reference(struct bench *b, const int n[3], const struct warm_flow *flow, double *dt,
                            double *energy)
{
    char pressure[128];
    struct warm w;
    TRY(open_run(b, n, flow, 0, "preconditioner='multigrid'"));
    TRY(time_step_choose(b->flow));
    *dt = STEP_PART * b->flow->clock.dt;
    bench_close(b);
    snprintf(pressure, sizeof pressure, "preconditioner='multigrid', tolerance=%.3e", TIGHTEST);
    TRY(open_run(b, n, flow, *dt, pressure));
    TRY(take_steps(b, &w));
    bench_close(b);
    *energy = w.energy;
    return KOL_OK;
}

static kol_status report(struct bench *b, const struct warm_flow *flow, const char name[NAME],
                         const struct warm *w, double energy)
{
    struct bench_record r = {.time = {w->seconds, w->seconds}, .iterations = w->iterations};
    const double change = w->energy / energy - 1;
    snprintf(r.name, sizeof r.name, "warm %s, %s", flow->name, name);
    for (int d = 0; d < 3; ++d) r.n[d] = b->domain->grid.n_g[d];
    snprintf(r.more, sizeof r.more,
             "\"flow\": \"%s\", \"solve\": \"%s\", \"steps\": %d, \"iterations_a_stage\": %.4f, "
             "\"stages_over\": %d, \"divergence\": %.6e, \"energy_change\": %.6e",
             flow->name, name, steps_of(b), w->iterations, w->over, w->worst, change);
    if (b->comm.rank == 0) {
        printf("| %-40s | %9.2f | %6d | %8.3f | %13.2e | %10.2e |\n", name, w->iterations, w->over,
               w->seconds * 1e3, w->worst, change);
        fflush(stdout);
    }
    return bench_keep(b, r);
}

static kol_status measure_one(struct bench *b, const int n[3], const struct warm_flow *flow, double dt,
                              double energy, const struct warm_method *m, int guess, const struct goal *g)
{
    char name[NAME], pressure[256];
    struct warm w;
    snprintf(name, sizeof name, "%s, %s, %s", m->name, GUESS[guess], g->name);
    if (!bench_wanted(b, name)) return KOL_OK;
    snprintf(pressure, sizeof pressure, "%s, guess='%s', tolerance=%.3e, iterations=%d", m->input,
             GUESS[guess], g->tolerance, g->iterations);
    TRY(open_run(b, n, flow, dt, pressure));
    if (b->domain->in->pressure.guess == GUESS_NUMBER[guess]) {
        TRY(take_steps(b, &w));
        TRY(report(b, flow, name, &w, energy));
    } else if (b->comm.rank == 0) {
        printf("| %-40s | refused: the run takes another guess |\n", name);
    }
    bench_close(b);
    return KOL_OK;
}

static kol_status measure_flow(struct bench *b, const int n[3], const struct warm_flow *flow)
{
    double dt = 0, energy = 0;
    TRY(reference(b, n, flow, &dt, &energy));
    if (b->comm.rank == 0) {
        printf(
            "\n%s, %d x %d x %d cells, %d steps of %.4g; means over the steps after the first; energy at the "
            "end against tolerance %.0e:\n",
            flow->name, n[X], n[Y], n[Z], steps_of(b), dt, TIGHTEST);
        printf("| %-40s | its/stage | beyond | ms/stage |    divergence | energy     |\n",
               "preconditioner, guess, goal of a stage");
        printf("| ---------------------------------------- | --------: | -----: | -------: | ------------: | "
               "---------: |\n");
    }
    for (int m = 0; m < METHODS; ++m) {
        if (METHOD[m].full && !b->options->full) continue;
        for (int g = 0; g < GOALS; ++g) {
            for (int guess = 0; guess < GUESSES; ++guess)
                TRY(measure_one(b, n, flow, dt, energy, &METHOD[m], guess, &GOAL[g]));
        }
    }
    return KOL_OK;
}

kol_status bench_warm(struct bench *b, const int n[3])
{
    for (int i = 0; i < FLOWS; ++i) TRY(measure_flow(b, n, &FLOW[i]));
    return KOL_OK;
}
