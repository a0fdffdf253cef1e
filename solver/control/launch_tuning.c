/* Measures the launch shapes of the kernels on this GPU, or takes them from the tuning file. */
#include "launch_tuning.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/tuning_file.h"
#include "kernels/base/device.h"
#include "kernels/base/turns.h"
#include "kernels/column_diffusion.h"
#include "kernels/correct_limits.h"
#include "kernels/laplace.h"
#include "kernels/momentum.h"
#include "kernels/tune.h"

/* Each shape is timed in batches, which take at most BATCH_SECONDS unless a single call is longer. The shapes
 * of a kernel take turns, so that a change of the clock frequency affects all of them. */
enum { ROUNDS = 3, REPEATS_MOST = 50 };
static const double BATCH_SECONDS = 5e-4;
/* The first shape is kept unless another one needs less than this part of its time, so that two runs choose
 * the same shape. */
static const double GAIN = 0.99;

_Static_assert((int)TUNE_KERNELS <= (int)TUNING_CHOICES && (int)TUNE_TEXT <= (int)TUNING_NAME,
               "raise those of io/tuning_file.h");

/* trial: the arrays on which kernels are measured. */
struct trial {
    const struct domain *domain;

    struct blocks blocks;
    struct stencil stencil;
    real *a[LAUNCH_TUNING_ARRAYS];
    real *planes;
    double *columns; /* systems of column_solve() without neighbours */
    struct cg_scalars cg;
    struct device_mark *from, *to;
};

/* The second and third stage of a step with implicit diffusion in z. */
static kol_status launch_columns(const struct trial *t)
{
    const int n = t->domain->grid.box.nz;
    real *const *a = t->a;
    const struct columns c = {.n = n, .centre = t->columns, .face = t->columns + 3 * (ptrdiff_t)n};
    const struct column_fields f = {
        .base = {a[0], a[1], a[2]}, .before = {a[0], a[1], a[2]}, .vel = {a[6], a[7], a[8]}};
    return column_solve(t->domain->grid.box, c, f);
}

/* The last correction of a step with the exact inverse in single precision. The array has no planes of
 * neighbours in z: the values at its other end take as long to read. */
static kol_status launch_last(const struct trial *t)
{
    const struct grid *g = &t->domain->grid;
    real *const *a = t->a;
    const struct last_correction last = {.b = g->box,
                                         .m = g->m,
                                         .s = t->stencil,
                                         .blocks = t->blocks,
                                         .c = {.dts = (real)1e-3},
                                         .p_old = a[4],
                                         .p = a[5],
                                         .from = {a[0], a[1], a[2]},
                                         .to = {a[6], a[7], a[8]}};
    return project_correct_limits_packed(&last, 1, 1, (const float *)(const void *)a[3]);
}

static kol_status launch_velocity(const struct trial *t, enum tune_kernel k)
{
    const struct box b = t->domain->grid.box;
    const struct metrics m = t->domain->grid.m;
    const struct cells all = cells_all();
    real *const *a = t->a;
    const struct stage weights = {.nu = (real)1e-3, .a = (real)1e-3, .dts = (real)1e-3};
    switch (k) {
    case TUNE_MOMENTUM:
        return momentum_rhs(b, m, all, weights.nu, a[0], a[1], a[2], a[3], a[4], a[5]);
    case TUNE_STAGE: /* stages 2 and 3 of rk3-half */
        return momentum_stage(b, m, all, weights, &a[0], &a[3], a[9], NULL, &a[6]);
    case TUNE_DIVERGENCE:
        return project_divergence(b, m, t->blocks, all, 1, a[0], a[1], a[2], a[3]);
    case TUNE_CORRECT:
        return project_correct(b, t->stencil, (struct correction){.dts = (real)1e-3}, a[3], a[4], a[5], a[0],
                               a[1], a[2]);
    case TUNE_CORRECT_LIMITS:
        return launch_last(t);
    case TUNE_MONITOR:
        return project_monitor(b, m, t->domain->walls, t->blocks, all, a[0], a[1], a[2]);
    case TUNE_COLUMN:
        return launch_columns(t);
    default:
        RAISE(KOL_ERR_INTERNAL, "the launch shapes of %s can't be measured", tune_name(k));
    }
}

/* A polynomial of degree 4, in the sweeps that this run would use. The number of sweeps depends on the shape,
 * too. */
static kol_status launch_steps(const struct trial *t)
{
    const struct cells cells = halo_cells(t->domain->halo, CELLS_ALL);
    real *const *a = t->a;
    const real *z = NULL, *z_prev = NULL;
    int most = 0;
    TRY(laplace_steps_most(t->domain->grid.box, t->blocks, cells, &most));
    if (most > laplace_steps_wanted()) most = laplace_steps_wanted();
    for (int n, done = 0, turn = 0; done < LAPLACE_STEPS; done += n, turn = 2 - turn) {
        n = LAPLACE_STEPS - done < most ? LAPLACE_STEPS - done : most;
        struct poly_steps p = {.n = n, .first = {1, (real)0.9}, .y0 = 1};
        for (int k = 0; k < n; ++k) {
            p.momentum[k] = (real)0.4;
            p.step[k] = (real)0.9;
        }
        const int last = done + n == LAPLACE_STEPS || n == 1;
        TRY(laplace_steps(t->domain->grid.box, t->stencil, t->blocks, cells, t->cg.state, p, a[0], z, z_prev,
                          a[1 + turn], last ? NULL : a[2 + turn]));
        z = a[1 + turn];
        z_prev = last ? a[5] : a[2 + turn];
    }
    return KOL_OK;
}

static kol_status launch(const struct trial *t, enum tune_kernel k)
{
    const struct box b = t->domain->grid.box;
    const struct blocks bl = t->blocks;
    const struct stencil s = t->stencil;
    const struct cells all = cells_all();
    const struct cg_state *cg = t->cg.state;
    const struct poly1 p = {1, (real)0.9};
    real *const *a = t->a;
    switch (k) {
    case TUNE_RESIDUAL:
        return laplace_residual(b, s, bl, all, 0, a[0], a[1], a[2]);
    case TUNE_CHECK:
        return laplace_residual(b, s, bl, all, 0, a[0], a[1], NULL);
    case TUNE_START:
        return laplace_start(b, s, bl, all, cg, p, a[0], a[1]);
    case TUNE_DIRECTION:
        return laplace_direction(b, s, bl, all, cg, a[0], a[1], a[2]);
    case TUNE_FIRST:
        return laplace_direction(b, s, bl, all, NULL, a[0], NULL, a[2]);
    case TUNE_UPDATE:
        return laplace_update(b, s, bl, all, cg, p, a[0], a[1], a[5], a[2], a[3], a[4], t->planes);
    case TUNE_UPDATE_APART:
        return laplace_update(b, s, bl, all, cg, (struct poly1){1, 0}, a[0], a[1], a[5], a[2], a[3], NULL,
                              t->planes);
    case TUNE_ADVANCE:
        return laplace_advance(b, s, bl, all, cg, a[0], a[1], a[2], a[3], a[6], a[4], a[5]);
    case TUNE_STEPS:
        return launch_steps(t);
    case TUNE_CHEBYSHEV:
        return laplace_chebyshev(b, s, bl, all, cg, (real)0.4, (real)0.9, 1, a[0], a[1], a[2], a[3]);
    default:
        return launch_velocity(t, k);
    }
}

static kol_status time_launches(const struct trial *t, enum tune_kernel k, int repeats, double *seconds)
{
    TRY(device_mark_record(t->from));
    for (int i = 0; i < repeats; ++i) TRY(launch(t, k));
    TRY(device_mark_record(t->to));
    TRY(device_mark_wait(t->to));
    TRY(device_mark_seconds(t->from, t->to, seconds));
    *seconds /= repeats;
    return KOL_OK;
}

/* Finds the fastest shape of one kernel. */
static kol_status choose(const struct trial *t, enum tune_kernel k, int *chosen)
{
    double once = 0, first = INFINITY, least = INFINITY;
    TRY(time_launches(t, k, 1, &once)); /* loads the code */
    TRY(time_launches(t, k, 1, &once));
    const double wanted = once > 0 ? BATCH_SECONDS / once : REPEATS_MOST;
    const int repeats = wanted > REPEATS_MOST ? REPEATS_MOST : wanted > 1 ? (int)wanted : 1;
    *chosen = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int shape = 0; shape < tune_shapes(k); ++shape) {
            double seconds;
            tune_choose(k, shape);
            const kol_status st = time_launches(t, k, repeats, &seconds);
            if (shape == 0) TRY(st);
            if (st != KOL_OK) { /* too much for this GPU */
                status_clear();
                continue;
            }
            if (shape == 0 && seconds < first) first = seconds;
            if (seconds < least) {
                least = seconds;
                *chosen = shape;
            }
        }
    }
    if (least >= GAIN * first) *chosen = 0;
    tune_choose(k, *chosen);
    return KOL_OK;
}

/* Neighbours count for nothing, and pivots are 1. */
static kol_status columns_open(struct trial *t)
{
    const int n = t->domain->grid.box.nz;
    const size_t bytes = 6 * (size_t)n * sizeof(double);
    double *host = calloc(6 * (size_t)n, sizeof *host);
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for systems of %d levels", n);
    for (int k = 0; k < n; ++k) host[2 * n + k] = host[5 * n + k] = 1;
    kol_status st = mem_kernel_alloc(bytes, (void **)&t->columns);
    if (st == KOL_OK) st = mem_to_kernel(t->columns, host, bytes);
    free(host);
    return st;
}

static kol_status trial_open(const struct domain *domain, struct trial *t)
{
    const struct cg_state running = {.alpha = 1e-3, .beta = 0.5, .outcome = CG_RUNNING};
    *t = (struct trial){.domain = domain};
    t->blocks = reduction_blocks(domain->reduction);
    t->stencil = grid_stencil(&domain->grid, LOC_CCC, 0, 1);
    t->stencil.open = NULL; /* not all of these kernels know bodies; those that do have the same shapes */
    for (int i = 0; i < LAUNCH_TUNING_ARRAYS; ++i) {
        TRY(pool_hold(domain->pool, "launch shapes", &t->a[i]));
        TRY(mem_fill_real(t->a[i], domain->grid.box.size, 1)); /* finite, and of no consequence */
    }
    TRY(mem_kernel_alloc((size_t)laplace_update_scratch(domain->grid.box) * sizeof(real),
                         (void **)&t->planes));
    TRY(columns_open(t));
    TRY(cg_create(&t->cg));
    TRY(cg_start(t->cg, running));
    TRY(device_mark_create(1, &t->from));
    return device_mark_create(1, &t->to);
}

static kol_status trial_close(struct trial *t)
{
    device_mark_destroy(&t->from);
    device_mark_destroy(&t->to);
    cg_destroy(&t->cg);
    mem_kernel_free(t->planes);
    mem_kernel_free(t->columns);
    for (int i = 0; i < LAUNCH_TUNING_ARRAYS; ++i) TRY(pool_drop(t->domain->pool, &t->a[i]));
    return KOL_OK;
}

static kol_status measure(const struct domain *domain, int chosen[TUNE_KERNELS])
{
    struct trial t;
    kol_status st = trial_open(domain, &t);
    for (int k = 0; k < TUNE_KERNELS && st == KOL_OK; ++k) {
        if (tune_shapes((enum tune_kernel)k) > 1) st = choose(&t, (enum tune_kernel)k, &chosen[k]);
    }
    const kol_status closed = trial_close(&t);
    return st != KOL_OK ? st : closed;
}

/* The entry of this device in the tuning file. It is named by the first words of its description, without
 * memory size and driver. */
static struct tuning_entry entry_of(const struct domain *domain)
{
    struct tuning_entry e = {.n = {domain->grid.box.nx, domain->grid.box.ny, domain->grid.box.nz}};
    snprintf(e.device, sizeof e.device, "%.*s", (int)strcspn(domain->device, ",|\n"), domain->device);
    snprintf(e.real, sizeof e.real, "%s", KOL_REAL_NAME);
    return e;
}

/* Reads the entry's shapes as numbers. It returns 0 if a kernel is missing, or if a shape no longer
 * exists. */
static int understand(const struct tuning_entry *e, int chosen[TUNE_KERNELS])
{
    for (int k = 0; k < TUNE_KERNELS; ++k) {
        const enum tune_kernel kernel = (enum tune_kernel)k;
        int found = tune_shapes(kernel) == 1;
        for (int c = 0; c < e->choices && !found; ++c) {
            if (strcmp(e->choice[c].kernel, tune_name(kernel)) != 0) continue;
            for (int shape = 0; shape < tune_shapes(kernel) && !found; ++shape) {
                char name[TUNE_TEXT];
                tune_shape_name(kernel, shape, name);
                found = strcmp(e->choice[c].shape, name) == 0;
                if (found) chosen[k] = shape;
            }
        }
        if (!found) return 0;
    }
    return 1;
}

static void describe(const int chosen[TUNE_KERNELS], struct tuning_entry *e)
{
    e->choices = 0;
    for (int k = 0; k < TUNE_KERNELS; ++k) {
        const enum tune_kernel kernel = (enum tune_kernel)k;
        if (tune_shapes(kernel) == 1) continue;
        snprintf(e->choice[e->choices].kernel, TUNING_NAME, "%s", tune_name(kernel));
        tune_shape_name(kernel, chosen[k], e->choice[e->choices].shape);
        ++e->choices;
    }
}

static void say(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Adds to the text. */
static void say(char *text, size_t size, const char *fmt, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + used, size - used, fmt, args);
    va_end(args);
}

/* Writes the message of a fault of the file into the text, and clears the fault. */
static void remark(char *text, size_t size, const char *words)
{
    say(text, size, "; warning: %s: %s", words, status_message());
    status_clear();
}

/* On rank 0: takes the shapes from the file, or measures them. */
static kol_status decide(const struct domain *domain, int chosen[TUNE_KERNELS], char *text, size_t size)
{
    char path[DISK_PATH], faults[512] = "";
    struct tuning_entry e = entry_of(domain);
    int found = 0, damaged = 0;
    if (tuning_file_path(domain->in->device.tuning_file, path) != KOL_OK) {
        path[0] = '\0';
        remark(faults, sizeof faults, "there is no tuning file");
    } else if (path[0] == '\0') {
        say(faults, sizeof faults, ", not stored: set device.tuning_file to store them");
    } else if (tuning_file_find(path, &e, &found, &damaged) != KOL_OK) {
        remark(faults, sizeof faults, "the tuning file was not read");
    }
    if (damaged > 0) say(faults, sizeof faults, "; warning: damaged lines of the file skipped: %d", damaged);
    if (found && understand(&e, chosen)) {
        say(text, size, "launch shapes: from %s%s", path, faults);
        return KOL_OK;
    }
    const double start = MPI_Wtime();
    TRY(measure(domain, chosen));
    say(text, size, "launch shapes: measured, %.1f s", MPI_Wtime() - start);
    if (path[0] != '\0') {
        describe(chosen, &e);
        if (tuning_file_keep(path, &e) != KOL_OK) {
            remark(faults, sizeof faults, "the shapes were not stored");
        } else {
            say(text, size, ", stored in %s", path);
        }
    }
    say(text, size, "%s", faults);
    return KOL_OK;
}

kol_status launch_tuning_run(const struct domain *domain, char *text, size_t size)
{
    int chosen[TUNE_KERNELS] = {0}, choices = 0;
    text[0] = '\0';
    for (int k = 0; k < TUNE_KERNELS; ++k) {
        tune_choose((enum tune_kernel)k, 0);
        choices += tune_shapes((enum tune_kernel)k) > 1;
    }
    if (choices == 0) return KOL_OK;
    if (!domain->in->device.tuning) {
        say(text, size, "launch shapes: defaults (device.tuning = .false.)");
        return KOL_OK;
    }
    turns_hold(1);
    const kol_status st = domain->comm.rank == 0 ? decide(domain, chosen, text, size) : KOL_OK;
    turns_hold(0);
    TRY(comm_agree(&domain->comm, st));
    MPI_TRY(MPI_Bcast(chosen, TUNE_KERNELS, MPI_INT, 0, domain->comm.mpi));
    for (int k = 0; k < TUNE_KERNELS; ++k) tune_choose((enum tune_kernel)k, chosen[k]);
    return KOL_OK;
}
