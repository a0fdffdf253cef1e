/* Makes the preconditioner that the input asks for, or measures several and takes the fastest. */
#include "preconditioner_choice.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "inputs/schemes.h"
#include "kernels/base/device.h"
#include "kernels/base/turns.h"
#include "parallel/node_memory.h"
#include "cg_round.h"
#include "direct_single.h"
#include "preconditioner_contraction.h"

/* REDUCTION: the candidates are measured on a random right-hand side until the residual has fallen by this
 * factor. A first stage usually asks for such a reduction. If very unequal widths make rounding prevent this
 * for all candidates, the factor is raised tenfold, up to REDUCTION_MOST. */
static const double REDUCTION = 1e-5, REDUCTION_MOST = 2e-2;
/* A candidate is given up if its first iterations show that it would take this many times as long as the best
 * so far. */
static const double HOPELESS = 1.5;
enum { TRIAL = 4, TRIAL_MOST = 1000 };
/* Longer directions are not tried unless asked for, because computing dense eigenvectors takes too long. */
enum { DENSE_TRIED = 1024 };

/* candidate: a preconditioner, in the order in which they are tried. */
struct candidate {
    int kind, degree; /* enum precond_name */
    double ratio;
    const char *name;
};
static const struct candidate CANDIDATES[] = {{PRECOND_MULTIGRID, 0, 0, "multigrid"},
                                              {PRECOND_DIRECT, 0, 0, "direct"},
                                              {PRECOND_POLYNOMIAL, 4, 100, "polynomial of degree 4"},
                                              {PRECOND_POLYNOMIAL, 8, 300, "polynomial of degree 8"}};
enum { CANDIDATES_N = sizeof CANDIDATES / sizeof *CANDIDATES };

static struct multigrid_options cycle_wanted(const struct domain *domain)
{
    const struct input *in = domain->in;
    struct multigrid_options o = multigrid_defaults(&domain->grid);
    o.smoothing = in->pressure.smoothing;
    if (in->pressure.transfer != TRANSFER_AUTO) o.linear = in->pressure.transfer == TRANSFER_LINEAR;
    return o;
}

static void release(struct poisson *poisson)
{
    multigrid_destroy(&poisson->multigrid);
    direct_destroy(&poisson->direct);
    poisson->for_pressure.multigrid = NULL;
    poisson->for_pressure.direct = NULL;
}

/* Whether the exact inverse is in single precision. */
static kol_status choose_precision(const struct domain *domain, int *single)
{
    const struct input *in = domain->in;
    const char *obstacle = domain->grid.bodies ? "not with bodies" : direct_single_obstacle(domain);
    const int cheap = cg_single_enough(in) && in->pressure.iterations <= 1 && !method_is_exact(in);
    *single = in->pressure.direct_precision == DIRECT_SINGLE ||
              (in->pressure.direct_precision == DIRECT_AUTO && obstacle == NULL && cheap);
    if (!*single || obstacle == NULL) return KOL_OK;
    const struct input_place by =
        input_place(domain->source, offsetof(struct input, pressure.direct_precision), 0);
    RAISE(KOL_ERR_INPUT, "%s: error: %s = 'single': %s; choose 'auto' or 'double'", by.at, by.name, obstacle);
}

/* for_pressure of one kind. */
static kol_status take(struct poisson *poisson, int kind, int degree, double ratio)
{
    const struct domain *domain = poisson->domain;
    poisson->for_pressure.open = domain->grid.open;
    poisson->for_pressure.polynomial = polynomial_make(kind, degree, domain->in->pressure.weight, ratio);
    if (kind == PRECOND_MULTIGRID) {
        TRY(multigrid_create(domain, cycle_wanted(domain), &poisson->multigrid));
        multigrid_profile(poisson->multigrid, domain->profile);
        poisson->for_pressure.multigrid = poisson->multigrid;
    } else if (kind == PRECOND_DIRECT) {
        int single = 0;
        TRY(comm_agree(&domain->comm, choose_precision(domain, &single)));
        TRY(direct_create(domain, single, &poisson->direct));
        poisson->for_pressure.direct = poisson->direct;
    }
    return KOL_OK;
}

/* --- auto --- */

/* trial: result of one candidate. If it was given up or is not available, seconds is INFINITY and `why` gives
 * the reason. */
struct trial {
    double seconds;
    int iterations;
    const char *why;
};

/* problem: what the candidates solve. */
struct problem {
    real *rhs, *x;
    double mean, size; /* of rhs over V: its mean and its largest value */
    double reduction;
};

static kol_status problem_make(const struct poisson *poisson, struct problem *p)
{
    const struct domain *domain = poisson->domain;
    double sums[3];
    TRY(pool_hold(domain->pool, "trial", &p->rhs));
    TRY(pool_hold(domain->pool, "trial", &p->x));
    TRY(preconditioner_contraction_random(domain, p->rhs));
    TRY(mem_fill_real(p->x, domain->grid.box.size, 0));
    /* the residual of x = 0, in place, for its sums */
    TRY(laplace_residual(domain->grid.box, grid_stencil(&domain->grid, LOC_CCC, 0, 1),
                         reduction_blocks(domain->reduction), halo_cells(domain->halo, CELLS_ALL), 0, p->rhs,
                         p->x, p->rhs));
    TRY(reduction_finish(domain->reduction, 2, 1, sums));
    p->mean = sums[0] / domain->grid.volume;
    p->size = sums[2];
    if (poisson->regions != NULL) TRY(fluid_regions_balance(poisson->regions, sums[0], p->rhs, &p->mean));
    return KOL_OK;
}

/* Solves from zero with at most `most` iterations. The time is that of the slowest rank. */
static kol_status solve(struct poisson *poisson, const struct problem *p, int most, struct trial *t, int *met)
{
    const struct domain *domain = poisson->domain;
    const struct ppcg_goal goal = {.name = "trial",
                                   .single = domain->in->pressure.multigrid_precision != MULTIGRID_DOUBLE,
                                   .tolerance = p->reduction * p->size,
                                   .scale = 1,
                                   .meaning = "max|r|/V",
                                   .input = "pressure.preconditioner",
                                   .most = most,
                                   .one_sum = preconditioner_choice_one_sum(poisson, 0)};
    struct ppcg_result result;
    TRY(mem_fill_real(p->x, domain->grid.box.size, 0));
    TRY(device_wait());
    MPI_TRY(MPI_Barrier(domain->comm.mpi));
    const double started = MPI_Wtime();
    TRY(ppcg_solve(poisson->ppcg, &poisson->for_pressure, grid_stencil(&domain->grid, LOC_CCC, 0, 1), goal,
                   p->mean, p->rhs, p->x, &result));
    TRY(device_wait());
    t->seconds = MPI_Wtime() - started;
    t->iterations = result.iterations;
    *met = result.last <= goal.tolerance; /* a residual that is not finite counts as not met */
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &t->seconds, 1, MPI_DOUBLE, MPI_MAX, domain->comm.mpi));
    return KOL_OK;
}

/* misfit: why a candidate is not tried. */
enum misfit { FITS, NO_MEMORY, NOT_HERE, TOO_DENSE, MISFITS };
static const char *const MISFIT[MISFITS] = {
    [NO_MEMORY] = "no memory for it",
    [NOT_HERE] = "not for this grid on these ranks",
    [TOO_DENSE] = "a stretched direction of more than 1024 cells takes long to prepare"};
_Static_assert(DENSE_TRIED == 1024, "in the words above");

/* Whether there is enough kernel memory on all ranks for a candidate, and whether it is ready in a reasonable
 * time. *why: the reason if not, otherwise NULL. The memory of multigrid was already counted at the start. */
static kol_status room_for(const struct domain *domain, const struct candidate *c, const char **why)
{
    const struct grid *g = &domain->grid;
    struct memory wanted = {.host = 0};
    struct domain counting = *domain;
    struct direct *counted = NULL;
    double available = 0;
    counting.memory = &wanted;
    *why = NULL;
    if (c->kind != PRECOND_DIRECT) return KOL_OK;
    int found = FITS;
    int single = 0;
    if (choose_precision(domain, &single) != KOL_OK || direct_create(&counting, single, &counted) != KOL_OK) {
        status_clear();
        found = NOT_HERE;
    }
    direct_destroy(&counted);
    TRY(node_memory_available(&domain->comm, domain->sharers, &available));
    if (found == FITS && (double)wanted.kernel > available) found = NO_MEMORY;
    for (int d = 0; d < 3; ++d)
        if (!g->uniform[d] && g->n_g[d] > DENSE_TRIED) found = TOO_DENSE;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, domain->comm.mpi));
    *why = MISFIT[found];
    return KOL_OK;
}

/* Tries a candidate. A first solve warms up, and its first iterations tell whether a complete solve is worth
 * while. */
static kol_status try_candidate(struct poisson *poisson, const struct candidate *c, const struct problem *p,
                                double best, struct trial *t)
{
    const struct domain *domain = poisson->domain;
    int met = 0;
    *t = (struct trial){INFINITY, 0, NULL};
    TRY(room_for(domain, c, &t->why));
    if (t->why != NULL) return KOL_OK;
    const kol_status st = take(poisson, c->kind, c->degree, c->ratio);
    if ((st == KOL_ERR_INPUT || st == KOL_ERR_MEMORY) &&
        status_agreed()) { /* known on all ranks: not available here */
        status_clear();
        t->why = MISFIT[st == KOL_ERR_MEMORY ? NO_MEMORY : NOT_HERE];
        return KOL_OK;
    }
    TRY(st);
    TRY(solve(poisson, p, TRIAL, t, &met));
    TRY(solve(poisson, p, TRIAL, t, &met));
    if (met) return KOL_OK;
    const double worth = HOPELESS * best / t->seconds * TRIAL; /* no bound for the first */
    const int most = worth < TRIAL_MOST ? (int)worth : TRIAL_MOST;
    if (most > TRIAL) TRY(solve(poisson, p, most, t, &met));
    if (met) return KOL_OK;
    t->seconds = INFINITY;
    t->why = most < TRIAL_MOST ? "more than 1.5 times as long" : "not solved in 1000 iterations";
    return KOL_OK;
}

static void describe_trials(const struct trial *t, int chosen, double reduction, double seconds, char *text,
                            size_t size)
{
    int n = snprintf(text, size,
                     "preconditioner chosen: %s; in %.1f s, from zero to %.0e%s:", CANDIDATES[chosen].name,
                     seconds, reduction, isinf(t[chosen].seconds) ? ", which none reached" : "");
    for (int c = 0; c < CANDIDATES_N && n < (int)size; ++c) {
        if (isinf(t[c].seconds)) {
            n += snprintf(text + n, size - (size_t)n, " %s: left aside (%s)%s", CANDIDATES[c].name, t[c].why,
                          c + 1 < CANDIDATES_N ? "," : "");
        } else {
            n += snprintf(text + n, size - (size_t)n, " %s: %.3g ms, %d iterations%s", CANDIDATES[c].name,
                          1e3 * t[c].seconds, t[c].iterations, c + 1 < CANDIDATES_N ? "," : "");
        }
    }
}

/* Whether the run may use a candidate: the exact method takes no polynomial (inputs/check.c). */
static int allowed(const struct domain *domain, const struct candidate *c)
{
    return !method_is_exact(domain->in) || c->kind != PRECOND_POLYNOMIAL;
}

/* The number by which a checkpoint names a candidate. */
static int choice_of(const struct candidate *c)
{
    return 100 * c->kind + c->degree;
}

/* The candidate that an earlier run chose; NULL if there is none, or if it does not suit this run. */
static const struct candidate *chosen(const struct poisson *poisson)
{
    const struct domain *domain = poisson->domain;
    for (int c = 0; c < CANDIDATES_N; ++c)
        if (choice_of(&CANDIDATES[c]) == poisson->choice && allowed(domain, &CANDIDATES[c]))
            return &CANDIDATES[c];
    return NULL;
}

/* Tries all candidates at one reduction. *best: the fastest one, or the first if none met the goal. */
static kol_status try_all(struct poisson *poisson, const struct problem *p, struct trial t[CANDIDATES_N],
                          int *best)
{
    const struct domain *domain = poisson->domain;
    *best = 0;
    for (int c = 0; c < CANDIDATES_N; ++c) {
        t[c] = (struct trial){INFINITY, 0, "not with pressure.method = 'exact'"};
        if (allowed(domain, &CANDIDATES[c]))
            TRY(try_candidate(poisson, &CANDIDATES[c], p, t[*best].seconds, &t[c]));
        if (t[c].seconds < t[*best].seconds) *best = c;
        release(poisson);
    }
    return KOL_OK;
}

static kol_status measure(struct poisson *poisson)
{
    const struct domain *domain = poisson->domain;
    struct problem p = {.reduction = REDUCTION};
    struct trial t[CANDIDATES_N];
    int best = 0;
    const double started = MPI_Wtime();
    TRY(problem_make(poisson, &p));
    TRY(try_all(poisson, &p, t, &best));
    while (isinf(t[best].seconds) && 10 * p.reduction < REDUCTION_MOST) {
        p.reduction *= 10;
        TRY(try_all(poisson, &p, t, &best));
    }
    TRY(pool_drop(domain->pool, &p.rhs));
    TRY(pool_drop(domain->pool, &p.x));
    poisson->choice = choice_of(&CANDIDATES[best]);
    describe_trials(t, best, p.reduction, MPI_Wtime() - started, poisson->note, sizeof poisson->note);
    return KOL_OK;
}

/* --- multigrid or direct --- */

/* Solves a problem twice from zero with what `poisson` has; the first solve warms up. */
static kol_status solve_warm(struct poisson *poisson, const struct problem *p, struct trial *t)
{
    int met = 0;
    TRY(solve(poisson, p, TRIAL, t, &met));
    TRY(solve(poisson, p, TRIAL_MOST, t, &met));
    if (!met) t->why = "not solved";
    return KOL_OK;
}

/* Times the direct solver on a problem. t->why: why it can't be used. */
static kol_status try_direct(const struct poisson *poisson, const struct problem *p, struct trial *t)
{
    static const struct candidate DIRECT = {PRECOND_DIRECT, 0, 0, "direct"};
    struct poisson other = *poisson;
    *t = (struct trial){INFINITY, 0, NULL};
    TRY(room_for(poisson->domain, &DIRECT, &t->why));
    if (t->why != NULL) return KOL_OK;
    other.multigrid = NULL;
    other.for_pressure = (struct preconditioner){.multigrid = NULL};
    kol_status st = take(&other, DIRECT.kind, DIRECT.degree, DIRECT.ratio);
    if ((st == KOL_ERR_INPUT || st == KOL_ERR_MEMORY) && status_agreed()) {
        status_clear();
        t->why = MISFIT[st == KOL_ERR_MEMORY ? NO_MEMORY : NOT_HERE];
        st = KOL_OK;
    } else if (st == KOL_OK) {
        st = solve_warm(&other, p, t);
    }
    release(&other);
    return st;
}

/* Whether cells are thin in several directions: two or more have a width below half of their mean. */
static int thin_in_several(const struct grid *g)
{
    int thin = 0;
    for (int d = 0; d < 3; ++d) thin += !g->uniform[d] && 2 * g->narrowest[d] * g->n_g[d] < g->length[d];
    return thin > 1;
}

/* Where cells are thin in several directions, tells in the note whether the direct solver is faster. A stage
 * takes at least ITERATIONS of multigrid, and one of the direct solver. */
static kol_status compare_with_direct(struct poisson *poisson)
{
    enum { ITERATIONS = 2 };
    const struct domain *domain = poisson->domain;
    struct problem p = {.reduction = REDUCTION};
    struct trial own = {INFINITY, 0, NULL}, direct;
    const size_t used = strlen(poisson->note);
    TRY(problem_make(poisson, &p));
    TRY(solve_warm(poisson, &p, &own));
    TRY(try_direct(poisson, &p, &direct));
    TRY(pool_drop(domain->pool, &p.rhs));
    TRY(pool_drop(domain->pool, &p.x));
    if (direct.why != NULL || own.iterations == 0) return KOL_OK;
    const double stage = ITERATIONS * own.seconds / own.iterations;
    snprintf(poisson->note + used, sizeof poisson->note - used,
             "; cells are thin in several directions: %d iterations take %.3g ms, a solve with "
             "pressure.preconditioner = 'direct' %.3g ms%s",
             ITERATIONS, 1e3 * stage, 1e3 * direct.seconds,
             direct.seconds < stage ? ", which is faster here" : "");
    return KOL_OK;
}

/* --- what was asked for --- */

static kol_status create(struct poisson *poisson)
{
    const struct domain *domain = poisson->domain;
    const struct input *in = domain->in;
    if (in->pressure.preconditioner != PRECOND_AUTO)
        return take(poisson, in->pressure.preconditioner, in->pressure.degree, in->pressure.ratio);
    if (memory_counts(domain->memory)) return take(poisson, PRECOND_MULTIGRID, 0, 0);
    const struct candidate *c = chosen(poisson);
    if (c == NULL) {
        TRY(measure(poisson));
        c = chosen(poisson);
    } else {
        snprintf(poisson->note, sizeof poisson->note, "preconditioner of the checkpoint: %s", c->name);
    }
    return take(poisson, c->kind, c->degree, c->ratio);
}

/* What can't be had with bodies. */
static kol_status check_bodies(const struct input *in)
{
    if (in->pressure.transfer == TRANSFER_LINEAR)
        RAISE(KOL_ERR_INPUT,
              "pressure.transfer = 'linear': not with bodies, whose surfaces it would interpolate "
              "across; leave it out");
    if (in->pressure.sums == SUMS_ONE)
        RAISE(KOL_ERR_INPUT, "pressure.sums = 'one': not with bodies; leave it out");
    return KOL_OK;
}

/* Finds the regions of fluid. */
static kol_status create_regions(struct poisson *poisson)
{
    const struct domain *domain = poisson->domain;
    TRY(check_bodies(domain->in));
    return domain->grid.open != NULL ? fluid_regions_create(domain, &poisson->regions) : KOL_OK;
}

static kol_status make(struct poisson *poisson)
{
    const struct domain *domain = poisson->domain;
    const struct input *in = domain->in;
    poisson->for_diffusion.polynomial = polynomial_make(in->pressure.preconditioner, in->pressure.degree,
                                                        in->pressure.weight, in->pressure.ratio);
    if (domain->grid.bodies) TRY(create_regions(poisson));
    TRY(create(poisson));
    TRY(comm_agree(&domain->comm, increment_choose(domain, poisson->multigrid, &poisson->increment)));
    if (memory_counts(domain->memory)) return KOL_OK;
    /* Without a guess the pressures of earlier stages need not be kept. The exact method has an iteration of
     * its own. */
    if (preconditioner_inverts(&poisson->for_pressure) && !method_is_exact(domain->in))
        poisson->guess = GUESS_PREVIOUS;
    if (poisson->multigrid != NULL && poisson->note[0] == '\0')
        multigrid_describe(poisson->multigrid, poisson->note, sizeof poisson->note);
    const size_t described = strlen(poisson->note);
    increment_describe(&poisson->increment, poisson->note + described, sizeof poisson->note - described);
    if (poisson->regions != NULL && fluid_regions_count(poisson->regions) > 1) {
        const size_t used = strlen(poisson->note);
        snprintf(poisson->note + used, sizeof poisson->note - used, "; %d regions of fluid",
                 fluid_regions_count(poisson->regions));
    }
    if (poisson->multigrid != NULL && domain->in->pressure.preconditioner == PRECOND_MULTIGRID &&
        !method_is_exact(domain->in) &&
        (thin_in_several(&domain->grid) || multigrid_by_coupling(poisson->multigrid)))
        TRY(compare_with_direct(poisson));
    return preconditioner_contraction_settle_guess(poisson, poisson->guess_note, sizeof poisson->guess_note);
}

/* What is measured must not wait for runs that share the process. */
kol_status preconditioner_choice_create(struct poisson *poisson)
{
    turns_hold(1);
    const kol_status st = make(poisson);
    turns_hold(0);
    return st;
}

kol_status preconditioner_choice_renew(struct poisson *poisson, double covered)
{
    if (poisson->multigrid != NULL && !memory_counts(poisson->domain->memory))
        TRY(multigrid_renew(poisson->multigrid));
    fluid_regions_cover(poisson->regions, covered);
    return KOL_OK;
}

/* The exact inverse works in no array of the pool. */
kol_status preconditioner_choice_each(struct poisson *poisson, kol_status (*use)(void *context),
                                      void *context)
{
    const struct domain *domain = poisson->domain;
    const struct preconditioner counted = poisson->for_pressure;
    TRY(use(context));
    for (int c = 0; c < CANDIDATES_N && domain->in->pressure.preconditioner == PRECOND_AUTO; ++c) {
        if (CANDIDATES[c].kind != PRECOND_POLYNOMIAL || !allowed(domain, &CANDIDATES[c])) continue;
        poisson->for_pressure = (struct preconditioner){.multigrid = NULL};
        TRY(take(poisson, CANDIDATES[c].kind, CANDIDATES[c].degree, CANDIDATES[c].ratio));
        poisson->increment.multigrid = NULL;
        TRY(use(context));
    }
    poisson->for_pressure = counted;
    return KOL_OK;
}

/* With multigrid one sum costs nothing extra, where the work is fixed. With a polynomial whose z is fused
 * into the update it would move more data (docs/decisions/006-sums-of-an-iteration.md). */
int preconditioner_choice_one_sum(const struct poisson *poisson, int asked)
{
    const struct domain *domain = poisson->domain;
    const int sums = domain->in->pressure.sums;
    if (domain->grid.bodies) return 0; /* the sweeps of that iteration know no closed faces */
    if (poisson->increment.multigrid != NULL) return 0;
    return sums == SUMS_AUTO ? asked > 0 && poisson->for_pressure.multigrid != NULL : sums == SUMS_ONE;
}

void preconditioner_choice_inputs(const struct poisson *poisson, char *text, size_t size)
{
    const struct candidate *c =
        poisson->domain->in->pressure.preconditioner == PRECOND_AUTO ? chosen(poisson) : NULL;
    if (size > 0) text[0] = '\0';
    if (c == NULL) return;
    int n = snprintf(text, size, "pressure.preconditioner = '%s'",
                     c->kind == PRECOND_MULTIGRID ? "multigrid"
                     : c->kind == PRECOND_DIRECT  ? "direct"
                                                  : "polynomial");
    if (c->kind == PRECOND_POLYNOMIAL && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", pressure.degree = %d, pressure.ratio = %g", c->degree,
                 c->ratio);
}

void preconditioner_choice_destroy(struct poisson *poisson)
{
    release(poisson);
    fluid_regions_destroy(&poisson->regions);
}
