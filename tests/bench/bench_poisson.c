/* Runs kolmo-bench poisson: solves the pressure equation with a random right-hand side, with each
 * preconditioner, from a zero guess to the same residual. docs/performance/poisson.md. */
#include "bench_poisson.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "kernels/stream_copy.h"
#include "solver/poisson/cg_round.h"
#include "solver/poisson/preconditioner_choice.h"
#include "tests/support/mask_case.h"
#include "tests/support/solve_arrays.h"

/* On |r|/|b| in Euclidean norms. */
static const double TOLERANCE = KOL_CHOOSE(1e-8, 1e-4);
/* Solves that are timed; one that takes longer than this is not repeated [s]. */
enum { REPEATS = 5, REPEATS_QUICK = 3, SEARCHES = 6 };
static const double SECONDS_LONG = 10, SECONDS_LONG_QUICK = 0.5;

/* method: one line of the table; values that its kind does not read are 0. full: of the long list alone. */
struct method {
    const char *name;
    int kind; /* enum precond_name */
    int degree;
    double ratio;
    int smoothing, transfer; /* 0, TRANSFER_AUTO: what multigrid_defaults says */
    int full;
};
static const struct method METHOD[] = {
    {"multigrid", PRECOND_MULTIGRID, 0, 0, 0, TRANSFER_AUTO, 0},
    {"direct", PRECOND_DIRECT, 0, 0, 0, 0, 0},
    {"jacobi", PRECOND_JACOBI, 0, 0, 0, 0, 0},
    {"polynomial 1, weight 0.9", PRECOND_POLYNOMIAL, 1, 0, 0, 0, 0},
    {"polynomial 2, ratio 100", PRECOND_POLYNOMIAL, 2, 100, 0, 0, 1},
    {"polynomial 4, ratio 100", PRECOND_POLYNOMIAL, 4, 100, 0, 0, 0},
    {"polynomial 4, ratio 300", PRECOND_POLYNOMIAL, 4, 300, 0, 0, 1},
    {"polynomial 8, ratio 100", PRECOND_POLYNOMIAL, 8, 100, 0, 0, 1},
    {"polynomial 8, ratio 300", PRECOND_POLYNOMIAL, 8, 300, 0, 0, 0},
    {"multigrid V(1,1), constant", PRECOND_MULTIGRID, 0, 0, 1, TRANSFER_CONSTANT, 1},
    {"multigrid V(2,2), constant", PRECOND_MULTIGRID, 0, 0, 2, TRANSFER_CONSTANT, 1},
    {"multigrid V(3,3), constant", PRECOND_MULTIGRID, 0, 0, 3, TRANSFER_CONSTANT, 1},
    {"multigrid V(4,4), constant", PRECOND_MULTIGRID, 0, 0, 4, TRANSFER_CONSTANT, 1},
    {"multigrid V(1,1), linear", PRECOND_MULTIGRID, 0, 0, 1, TRANSFER_LINEAR, 1},
    {"multigrid V(2,2), linear", PRECOND_MULTIGRID, 0, 0, 2, TRANSFER_LINEAR, 1},
    {"multigrid V(3,3), linear", PRECOND_MULTIGRID, 0, 0, 3, TRANSFER_LINEAR, 1},
    {"multigrid V(4,4), linear", PRECOND_MULTIGRID, 0, 0, 4, TRANSFER_LINEAR, 1},
};
/* A round ends at this part of what it is asked for (cg_round.c), and a little more. */
static const double MARGIN = 1.12;
enum { METHODS = sizeof METHOD / sizeof *METHOD };
static const double WEIGHT = 0.9; /* of degree 1 */

/* The two boxes: a cube, uniform and periodic; a channel, walls in z and cells stretched towards them. */
struct box_case {
    const char *name, *grid;
    int walls;
};
static const struct box_case PERIODIC = {"periodic",
                                         "length=6.283185307179586,6.283185307179586,6.283185307179586", 0};
static const struct box_case CHANNEL = {
    "channel",
    "length=12.566370614359172,6.283185307179586,2, stretching='uniform','uniform','tanh', "
    "stretching_factor=0,0,2",
    1};

/* solve: one preconditioner at work on one problem. */
struct solve {
    struct bench *b;
    const struct box_case *box;
    const struct method *method;
    struct poisson_problem problem;
    real *x, *first;     /* solution; that of the first preconditioner */
    int firsts;          /* whether there is such a one */
    double setup, bytes; /* seconds; kernel memory of the preconditioner, all ranks */
    double tolerance;
    int strict; /* iterations until the largest |r|/V guarantees the tolerance; 0: rounding forbids that */
    double largest; /* |r|/V to which the solves that are timed go; DBL_MAX: they take `iterations` */
    int iterations, repeats;
    int enough;                            /* whether the tolerance was met at all */
    struct bench_time time, trusted, pair; /* of a solve; of one by an exact inverse without its residual, as
                                              stages before the last take it; of the library's transforms
                                              alone; 0: not measured */
    struct poisson_judgement judged;
};

/* --- the preconditioner --- */

static kol_status count_bytes(const struct domain *of, double *bytes)
{
    struct memory memory = {.host = 0};
    struct domain domain = *of;
    struct poisson poisson = {.domain = &domain};
    domain.memory = &memory;
    const kol_status st = preconditioner_choice_create(&poisson);
    preconditioner_choice_destroy(&poisson);
    *bytes = (double)memory.kernel;
    return st;
}

/* As a run with these inputs would make it. *refused: it is not to be had for this grid on these ranks. */
static kol_status set_up(struct solve *s, int *refused)
{
    const struct domain *domain = s->b->domain;
    struct input *in = s->b->in;
    double from, to;
    in->pressure.preconditioner = s->method->kind;
    in->pressure.degree = s->method->degree;
    in->pressure.weight = WEIGHT;
    in->pressure.ratio = s->method->ratio;
    in->pressure.smoothing = s->method->smoothing;
    in->pressure.transfer = s->method->transfer;
    preconditioner_choice_destroy(&s->b->step->poisson);
    TRY(bench_now(&domain->comm, &from));
    const kol_status st = preconditioner_choice_create(&s->b->step->poisson);
    *refused = st == KOL_ERR_INPUT || st == KOL_ERR_MEMORY; /* the same on all ranks */
    if (*refused && domain->comm.rank == 0)
        printf("| %-32s | not to be had: %s\n", s->method->name, status_message());
    if (*refused) status_clear();
    if (*refused) return KOL_OK;
    TRY(st);
    TRY(bench_now(&domain->comm, &to));
    s->setup = to - from;
    TRY(count_bytes(domain, &s->bytes));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &s->bytes, 1, MPI_DOUBLE, MPI_SUM, domain->comm.mpi));
    return KOL_OK;
}

/* --- solves --- */

/* Solves from zero until the largest |r|/V is reached, or as near as rounding allows, or for a given number
 * of iterations. The time is that of the slowest rank, up to the barrier of bench_now(). */
static kol_status solve_once(struct solve *s, double largest, int asked, int trusted,
                             struct ppcg_result *result, double *seconds)
{
    const struct domain *domain = s->b->domain;
    const struct stencil a = grid_stencil(&domain->grid, LOC_CCC, 0, 1);
    const struct ppcg_goal goal = {
        .single = asked == 0 && s->largest > 0,
        .rounding = cg_rounding(&domain->grid),
        .name = "pressure",
        .tolerance = largest,
        .scale = 1,
        .meaning = "max|r|/V",
        .input = "--tolerance",
        .asked = asked,
        .most = asked > 0 ? 0 : domain->in->pressure.max_iterations,
        .trusted = trusted,
        .one_sum = preconditioner_choice_one_sum(&s->b->step->poisson, domain->in->pressure.iterations)};
    double from, to;
    TRY(mem_fill_real(s->x, domain->grid.box.size, 0));
    TRY(bench_now(&domain->comm, &from));
    TRY(ppcg_solve(s->b->step->poisson.ppcg, &s->b->step->poisson.for_pressure, a, goal, s->problem.mean,
                   s->problem.rhs, s->x, result));
    TRY(bench_now(&domain->comm, &to));
    *seconds = to - from;
    MPI_TRY(MPI_Bcast(seconds, 1, MPI_DOUBLE, 0, domain->comm.mpi)); /* all ranks decide the same with it */
    return KOL_OK;
}

static kol_status judge(struct solve *s)
{
    return poisson_judge(s->b->domain, &s->problem, s->x, s->firsts ? s->first : NULL, &s->judged);
}

static int reached(const struct solve *s)
{
    return s->judged.l2 <= s->tolerance;
}

/* With multigrid the solves that are timed are those of a run, which ask for a largest |r|/V: then rounds may
 * be in single precision. left: what the least number of iterations in double precision left. */
static kol_status find_largest(struct solve *s, double left, double *seconds)
{
    struct ppcg_result result;
    s->largest = DBL_MAX;
    if (s->method->kind != PRECOND_MULTIGRID || !s->enough) return KOL_OK;
    s->largest = left * MARGIN;
    for (int n = 0; n < SEARCHES; ++n) {
        TRY(solve_once(s, s->largest, 0, 0, &result, seconds));
        TRY(judge(s));
        s->iterations = result.iterations;
        if (reached(s)) return KOL_OK;
        s->largest /= MARGIN;
    }
    s->enough = 0;
    return KOL_OK;
}

/* Finds the smallest number of iterations after which the Euclidean norm of the residual meets the
 * tolerance, to one in a hundred. The solver itself tests the largest |r|/V. So the first solve gets a
 * bound on |r|/V that guarantees the tolerance, and mostly takes too many iterations. If it met the
 * tolerance, solves with fewer iterations follow. *seconds: time of the last solve that met it, or of the
 * first solve if that did not. */
static kol_status find_iterations(struct solve *s, double *seconds)
{
    const double bound = s->tolerance * s->problem.b_l2 / s->problem.v_l2;
    struct ppcg_result result;
    s->largest = 0;
    TRY(solve_once(s, bound, 0, 0, &result, seconds));
    TRY(judge(s));
    const int first = result.iterations;
    int enough = first, few = 0;
    double left = result.last;
    s->iterations = first;
    s->strict = result.last <= bound ? first : 0;
    s->enough = reached(s);
    for (int n = 0; n < SEARCHES && s->enough && enough - few > 1 + enough / 100; ++n) {
        const double decades = log10(fmax(s->judged.l2, DBL_MIN) / s->tolerance),
                     each = -log10(s->tolerance) / first;
        const int last = n > 0 && s->judged.l2 > s->tolerance ? few : enough;
        int trial = last + (int)ceil(decades / each);
        double now;
        if (trial >= enough) trial = enough - 1;
        if (trial <= few) trial = few + 1;
        TRY(solve_once(s, DBL_MAX, trial, 0, &result, &now));
        TRY(judge(s));
        if (reached(s)) {
            enough = trial;
            left = result.last;
            *seconds = now;
        } else {
            few = trial;
        }
    }
    s->iterations = enough;
    return find_largest(s, left, seconds);
}

static kol_status time_repeats(struct solve *s, int wanted, int trusted, struct bench_time *time)
{
    double seconds[REPEATS];
    struct ppcg_result ignored;
    for (int i = 0; i < wanted; ++i)
        TRY(solve_once(s, s->largest, s->largest == DBL_MAX ? s->iterations : 0, trusted, &ignored,
                       &seconds[i]));
    bench_sort(seconds, wanted);
    *time = (struct bench_time){.median = seconds[wanted / 2], .best = seconds[0]};
    return judge(s);
}

/* Repeats the solve with the number of iterations that was found. once: the time that this solve took [s].
 * A long solve is repeated once only. */
static kol_status time_solve(struct solve *s, double once)
{
    const int quick = s->b->options->quick, repeats = quick ? REPEATS_QUICK : REPEATS;
    s->repeats = once > (quick ? SECONDS_LONG_QUICK : SECONDS_LONG) ? 1 : repeats;
    s->trusted = (struct bench_time){0, 0};
    if (s->method->kind == PRECOND_DIRECT && s->iterations == 1)
        TRY(time_repeats(s, s->repeats, 1, &s->trusted));
    return time_repeats(s, s->repeats, 0, &s->time);
}

/* --- the table --- */

static double cells(const struct domain *domain)
{
    return (double)domain->grid.n_g[X] * domain->grid.n_g[Y] * domain->grid.n_g[Z];
}

/* Returns the kernel memory per cell of the arrays of the iteration and of the preconditioner. The
 * right-hand side and the solution are not counted. */
static double memory(const struct solve *s)
{
    const struct domain *domain = s->b->domain;
    const double array = (double)domain->grid.box.size * (double)sizeof(real) / domain->grid.box.nx /
                         domain->grid.box.ny / domain->grid.box.nz;
    const int one_sum = preconditioner_choice_one_sum(&s->b->step->poisson, domain->in->pressure.iterations);
    return solve_arrays(&s->b->step->poisson.for_pressure, domain->grid.box, one_sum) * array +
           s->bytes / cells(domain);
}

static void heading(const struct solve *s)
{
    const struct domain *domain = s->b->domain;
    char title[BENCH_TEXT];
    if (domain->comm.rank != 0) return;
    snprintf(title, sizeof title, "%s, %d x %d x %d cells", s->box->name, domain->grid.n_g[X],
             domain->grid.n_g[Y], domain->grid.n_g[Z]);
    printf("\nfrom zero to |r|/|b| <= %.0e in Euclidean norms; max norm: largest |r|/V over largest |b|/V:\n",
           s->tolerance);
    printf("| %-32s | set-up s | iterations |        ms |   best ms | ms/iter. |  residual | max norm  | "
           "B/cell |\n",
           title);
    printf("| -------------------------------- | -------: | ---------: | --------: | --------: | -------: | "
           "--------: "
           "| --------: | -----: |\n");
    fflush(stdout);
}

static void print_times(const char *name, struct bench_time t)
{
    printf("| %-32s | %8s | %10s | %9.3f | %9.3f | %8s | %9s | %9s | %6s |\n", name, "", "", t.median * 1e3,
           t.best * 1e3, "", "", "", "");
}

/* What a direct solve can be held against. */
static kol_status measure_pair(struct solve *s)
{
    const struct domain *domain = s->b->domain;
    TRY(bench_transforms(domain, &s->pair));
    if (s->pair.median > 0 && domain->comm.rank == 0) print_times("cuFFT pair, bare", s->pair);
    return KOL_OK;
}

/* Members of the record of a direct solve beside the others. */
static void add_direct(const struct solve *s, char *text, size_t size)
{
    size_t used = strlen(text);
    if (s->method->kind != PRECOND_DIRECT) return;
    snprintf(text + used, size - used, ", \"trusted_seconds\": %.6e", s->trusted.median);
    used = strlen(text);
    if (s->pair.median > 0)
        snprintf(
            text + used, size - used,
            ", \"transforms_seconds\": %.6e, \"over_transforms\": %.4f, \"trusted_over_transforms\": %.4f",
            s->pair.median, s->time.median / s->pair.median, s->trusted.median / s->pair.median);
}

static void print_direct(const struct solve *s)
{
    if (s->trusted.median > 0) print_times("direct, its residual not computed", s->trusted);
    if (!(s->pair.median > 0)) return;
    printf("| %-32s | %8s | %10s | %9.3f | %9.3f | times the bare pair\n", "", "", "",
           s->time.median / s->pair.median, s->time.best / s->pair.best);
    printf("| %-32s | %8s | %10s | %9.3f | %9.3f | without the residual\n", "", "", "",
           s->trusted.median / s->pair.median, s->trusted.best / s->pair.best);
}

static kol_status report(const struct solve *s)
{
    const struct domain *domain = s->b->domain;
    struct bench_record r = {.time = s->time, .iterations = s->iterations};
    snprintf(r.name, sizeof r.name, "poisson %s, %s", s->box->name, s->method->name);
    for (int d = 0; d < 3; ++d) r.n[d] = domain->grid.n_g[d];
    snprintf(
        r.more, sizeof r.more,
        "\"case\": \"%s\", \"preconditioner\": \"%s\", \"tolerance\": %.3e, \"iterations\": %d, "
        "\"iterations_by_max\": %d, \"setup_seconds\": %.6e, \"repeats\": %d, \"residual_l2\": %.6e, "
        "\"residual_max\": %.6e, \"solution_range\": %.17e, \"difference\": %.6e, \"bytes_per_cell\": %.2f",
        s->box->name, s->method->name, s->tolerance, s->iterations, s->strict, s->setup, s->repeats,
        s->judged.l2, s->judged.max, s->judged.range, s->judged.difference, memory(s));
    add_direct(s, r.more, sizeof r.more);
    if (domain->comm.rank == 0) {
        printf("| %-32s | %8.3f | %10d | %9.3f | %9.3f | %8.4f | %9.2e | %9.2e | %6.1f |\n", s->method->name,
               s->setup, s->iterations, s->time.median * 1e3, s->time.best * 1e3,
               s->time.median * 1e3 / s->iterations, s->judged.l2, s->judged.max, memory(s));
        if (s->method->kind == PRECOND_DIRECT) print_direct(s);
        fflush(stdout);
    }
    return bench_keep(s->b, r);
}

/* A line that says so, and the program ends with a fault when the others have been measured. */
static kol_status not_reached(struct solve *s)
{
    if (s->b->domain->comm.rank == 0) {
        printf("| %-32s | not reached: %d iterations left |r|/|b| = %.2e\n", s->method->name, s->iterations,
               s->judged.l2);
        fflush(stdout);
    }
    ++s->b->missed;
    return KOL_OK;
}

static kol_status measure_method(struct solve *s)
{
    double once;
    int refused = 0;
    TRY(set_up(s, &refused));
    if (refused) return KOL_OK;
    TRY(find_iterations(s, &once));
    if (!s->enough) return not_reached(s);
    TRY(time_solve(s, once));
    if (!reached(s)) return not_reached(s);
    if (!s->firsts) TRY(stream_copy(s->b->domain->grid.box.size, s->x, s->first));
    s->firsts = 1;
    return report(s);
}

/* Puts the bodies that were asked for into the box. open: for mem_kernel_free(). */
static kol_status place_bodies(struct bench *b, unsigned char **open, struct fluid_regions **regions)
{
    static const double SHARE[MASK_KINDS] = {[MASK_BED] = 0.45, [MASK_RANDOM] = 0.4};
    struct domain *domain = b->domain;
    struct mask mask;
    const int kind = b->options->bodies;
    if (kind == MASK_NONE) return KOL_OK;
    mask_create((enum mask_kind)kind, &domain->grid, SHARE[kind], 1, &mask);
    *open = mask_part(&mask, &domain->decomp, domain->grid.box);
    if (domain->comm.rank == 0)
        printf("\nbodies: %s, %.4f of the cells are live, %d regions\n", mask_name[kind], mask_live(&mask),
               mask.regions);
    mask_destroy(&mask);
    if (*open == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the faces of bodies");
    domain->grid.open = *open;
    domain->grid.bodies = 1;
    return fluid_regions_create(domain, regions);
}

static kol_status measure_box(struct bench *b, const int n[3], const struct box_case *box)
{
    char text[512];
    struct solve s = {.b = b, .box = box};
    real *rhs = NULL;
    unsigned char *open = NULL;
    struct fluid_regions *regions = NULL;
    snprintf(text, sizeof text,
             "&run steps_max=1 /\n&grid n=%d,%d,%d, %s /\n&fluid nu=1 /\n&pressure preconditioner='jacobi', "
             "tolerance=0.01, "
             "max_iterations=1000000 /\n",
             n[X], n[Y], n[Z], box->grid);
    s.tolerance = b->options->tolerance > 0 ? b->options->tolerance : TOLERANCE;
    TRY(bench_open_text(b, text, box->walls, 0));
    TRY(bench_first_words(b));
    TRY(pool_hold(b->domain->pool, "bench right-hand side", &rhs));
    TRY(pool_hold(b->domain->pool, "bench solution", &s.x));
    TRY(pool_hold(b->domain->pool, "bench first solution", &s.first));
    TRY(place_bodies(b, &open, &regions));
    TRY(poisson_make(b->domain, regions, rhs, s.x, &s.problem));
    fluid_regions_destroy(&regions);
    heading(&s);
    for (int i = 0; i < METHODS; ++i) {
        s.method = &METHOD[i];
        if ((METHOD[i].full && !b->options->full) || !bench_wanted(b, METHOD[i].name)) continue;
        if (METHOD[i].kind == PRECOND_DIRECT) TRY(measure_pair(&s));
        TRY(measure_method(&s));
    }
    bench_close(b);
    mem_kernel_free(open);
    return KOL_OK;
}

kol_status bench_poisson(struct bench *b, const int n[3])
{
    if (!b->options->not_periodic) TRY(measure_box(b, n, &PERIODIC));
    if (!b->options->not_channel) TRY(measure_box(b, n, &CHANNEL));
    return KOL_OK;
}
