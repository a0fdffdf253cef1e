/* Fills the velocity with the initial flow of the inputs, and makes it divergence-free. */
#include "initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "io/log.h"
#include "kernels/update.h"
#include "boundary/boundary.h"
#include "step/exact_step.h"
#include "boundary/open_faces.h"
#include "bodies/bodies.h"
#include "step/pressure.h"
#include "scalars/scalar_initial.h"
#include "kernels/base/constants.h"

/* Divergence left by the rounding of the velocities, in units of epsilon U / (smallest width). */
static const double ROUNDING = 64;
/* The initial flow is projected until its divergence is this part of the run's tolerance, but not below
 * INITIAL_FLOOR, where rounding would prevent it. */
static const double INITIAL_MARGIN = 1e-3, INITIAL_FLOOR = 1e-13;

/* wave: wavenumbers and amplitudes of the analytic flows. */
struct wave {
    double k[3];
    const struct input *in;
};

/* Tabulated functions of the phase at a point, for one direction: sine and cosine, and both of the phase
 * minus 150 and minus 30 degrees. */
enum { SIN, COS, SIN_150, COS_150, SIN_30, COS_30, TRIG };

typedef double (*analytic)(const struct wave *w, int component, const double *const x[3]);

/* Taylor-Green vortex (Taylor and Green, Proc. R. Soc. A 158 (1937) 499). The ratio of the wavenumbers in the
 * amplitude makes it divergence-free in any box. */
static double taylor_green(const struct wave *w, int c, const double *const x[3])
{
    if (c == X) return w->in->initial.amplitude * x[X][SIN] * x[Y][COS] * x[Z][COS];
    if (c == Y) return -w->in->initial.amplitude * w->k[X] / w->k[Y] * x[X][COS] * x[Y][SIN] * x[Z][COS];
    return 0;
}

static double taylor_green_2d(const struct wave *w, int c, const double *const x[3])
{
    if (c == X) return w->in->initial.amplitude * x[X][SIN] * x[Y][COS];
    if (c == Y) return -w->in->initial.amplitude * w->k[X] / w->k[Y] * x[X][COS] * x[Y][SIN];
    return 0;
}

/* Arnold-Beltrami-Childress flow, an exact solution while it decays (Dombre et al., J. Fluid Mech. 167 (1986)
 * 353). */
static double abc(const struct wave *w, int c, const double *const x[3])
{
    const double *a = w->in->initial.abc, u0 = w->in->initial.amplitude;
    if (c == X) return u0 * (a[0] * x[Z][SIN] + a[2] * x[Y][COS]);
    if (c == Y) return u0 * (a[1] * x[X][SIN] + a[0] * x[Z][COS]);
    return u0 * (a[2] * x[Y][SIN] + a[1] * x[X][COS]);
}

/* Antuono, J. Fluid Mech. 890 (2020) A23: a Beltrami flow with all components active, <u.u> = amplitude^2. */
static double beltrami(const struct wave *w, int c, const double *const x[3])
{
    const double *a = x[c], *b = x[(c + 1) % 3], *d = x[(c + 2) % 3];
    const double scale = w->in->initial.amplitude * 4 * sqrt(2.0) / (3 * sqrt(3.0));
    return scale * (a[SIN_150] * b[COS_30] * d[SIN] - d[COS_150] * a[SIN_30] * b[SIN]);
}

static const analytic FLOW[] = {[INITIAL_TAYLOR_GREEN] = taylor_green,
                                [INITIAL_TAYLOR_GREEN_2D] = taylor_green_2d,
                                [INITIAL_ABC] = abc,
                                [INITIAL_BELTRAMI] = beltrami,
                                [INITIAL_ISOTROPIC] = NULL,
                                [INITIAL_UNIFORM] = NULL,
                                [INITIAL_REST] = NULL,
                                [INITIAL_CHANNEL] = NULL,
                                [INITIAL_FORMULA] = NULL,
                                [INITIAL_FILE] = NULL};

static struct wave wave_of(const struct input *in)
{
    struct wave w = {.in = in};
    for (int d = 0; d < 3; ++d) w.k[d] = 2 * PI * in->initial.wavenumber / in->grid.length[d];
    return w;
}

/* Computes the TRIG values of one direction for all own points of a component. */
static void tabulate(const struct domain *domain, const struct wave *w, int component, int d, double *t)
{
    const struct grid *g = &domain->grid;
    for (int n = 0; n < domain->decomp.n[d]; ++n, t += TRIG) {
        const int at_grid = domain->decomp.offset[d] + n;
        const double x = d == component ? g->face[d][at_grid] : g->centre[d][at_grid],
                     phase = w->k[d] * (x - g->origin[d]);
        t[SIN] = sin(phase);
        t[COS] = cos(phase);
        t[SIN_150] = sin(phase - 5 * PI / 6);
        t[COS_150] = cos(phase - 5 * PI / 6);
        t[SIN_30] = sin(phase - PI / 6);
        t[COS_30] = cos(phase - PI / 6);
    }
}

/* Evaluates an analytic flow at the own cells of one component, packed. */
static kol_status evaluate(const struct domain *domain, analytic f, int component, double *value)
{
    const int *n = domain->decomp.n;
    const struct wave w = wave_of(domain->in);
    const double *x[3];
    double *table = malloc((size_t)(n[X] + n[Y] + n[Z]) * TRIG * sizeof *table), *t[3];
    if (table == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the initial flow");
    for (int d = 0; d < 3; ++d) {
        t[d] = d == 0 ? table : t[d - 1] + (ptrdiff_t)TRIG * n[d - 1];
        tabulate(domain, &w, component, d, t[d]);
    }
    for (int k = 0; k < n[Z]; ++k) {
        for (int j = 0; j < n[Y]; ++j) {
            x[Y] = t[Y] + (ptrdiff_t)TRIG * j;
            x[Z] = t[Z] + (ptrdiff_t)TRIG * k;
            x[X] = t[X];
            for (int i = 0; i < n[X]; ++i, x[X] += TRIG) *value++ = f != NULL ? f(&w, component, x) : 0;
        }
    }
    free(table);
    return KOL_OK;
}

kol_status initial_set(struct flow *flow, int c, const double *value, real *host)
{
    const struct domain *domain = flow->domain;
    const struct box b = domain->grid.box;
    for (ptrdiff_t i = 0; i < b.size; ++i) host[i] = (real)NAN;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i)
                host[at(b, i, j, k)] = (real)(*value++ + domain->in->initial.velocity[c]);
        }
    }
    return mem_to_kernel(flow->vel[c], host, (size_t)b.size * sizeof *host);
}

static kol_status set_component(struct flow *flow, int c, double *value, real *host)
{
    const struct domain *domain = flow->domain;
    const int type = domain->in->initial.type;
    if (type == INITIAL_CHANNEL) {
        TRY(initial_channel(flow, c, value));
    } else if (type == INITIAL_FORMULA) {
        TRY(initial_formula(domain, c, value));
    } else {
        TRY(evaluate(domain, FLOW[type], c, value));
    }
    return initial_set(flow, c, value, host);
}

/* Computes the numbers of the monitor for the present flow. */
static kol_status look(struct flow *flow, double v[MON_COUNT])
{
    const struct domain *domain = flow->domain;
    TRY(boundary_fill(domain, flow->vel, 3, HALO_EDGES));
    TRY(project_monitor(domain->grid.box, domain->grid.m, domain->walls, reduction_blocks(domain->reduction),
                        cells_all(), flow->vel[X], flow->vel[Y], flow->vel[Z]));
    return reduction_finish(domain->reduction, MON_SUMS, MON_COUNT - MON_SUMS, v);
}

/* Sets the mean to initial.velocity. This is necessary because random waves have a mean of their own when
 * they are summed over the points of a stretched grid. */
static kol_status set_mean(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double v[MON_COUNT];
    real *excess = NULL;
    TRY(look(flow, v));
    TRY(pool_hold(domain->pool, "mean", &excess));
    for (int c = 0; c < 3; ++c) {
        const double mean = v[MON_MOM_X + c] / domain->grid.volume - domain->in->initial.velocity[c];
        if (fabs(mean) <= ROUNDING * KOL_EPSILON * v[MON_SPEED]) continue;
        TRY(mem_fill_real(excess, domain->grid.box.size, (real)mean));
        TRY(update_combine(domain->grid.box, 1, flow->vel[c], -1, excess, flow->vel[c]));
    }
    return pool_drop(domain->pool, &excess);
}

kol_status initial_project(struct step *step, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double v[MON_COUNT];
    TRY(bodies_hold(flow));
    TRY(look(flow, v));
    TRY(open_faces_look_at(flow));
    flow->now.speed = v[MON_SPEED] = fmax(v[MON_SPEED], open_faces_speed(flow));
    if (v[MON_DIV] <= ROUNDING * KOL_EPSILON * v[MON_SPEED] / domain->grid.smallest) return KOL_OK;
    const double least = INITIAL_FLOOR * (KOL_EPSILON / 2.2e-16) * domain->grid.h / domain->grid.smallest;
    const double tolerance = fmax(INITIAL_MARGIN * domain->in->pressure.tolerance, least);
    return step->exact_step != NULL ? exact_step_project(step, flow, tolerance)
                                    : pressure_project(step, flow, tolerance);
}

/* Measures energy and divergence of the flow that is given. */
static kol_status measure(struct flow *flow, double *energy, double *divergence)
{
    const struct grid *g = &flow->domain->grid;
    double v[MON_COUNT];
    TRY(look(flow, v));
    *energy = v[MON_ENERGY] / g->volume;
    *divergence = v[MON_SPEED] > 0 ? v[MON_DIV] * g->h / v[MON_SPEED] : 0;
    return KOL_OK;
}

kol_status initial_given(struct step *step, struct flow *flow, const char *from, unsigned given)
{
    double energy[2] = {0, 0}, divergence[2] = {0, 0};
    TRY(scalar_initial_others(flow, given));
    TRY(open_faces_begin(flow));
    TRY(measure(flow, &energy[0], &divergence[0]));
    TRY(initial_project(step, flow));
    TRY(measure(flow, &energy[1], &divergence[1]));
    snprintf(
        flow->given, sizeof flow->given,
        "initial flow from %s: kinetic energy %.9g given, %.9g projected (%+.3g %%); max|div u| h/U %.1e "
        "given, %.1e projected",
        from, energy[0], energy[1], energy[0] > 0 ? 100 * (energy[1] / energy[0] - 1) : 0, divergence[0],
        divergence[1]);
    return KOL_OK;
}

/* Fills the velocity through host memory. */
static kol_status set_from_host(struct flow *flow)
{
    const struct box b = flow->domain->grid.box;
    double *value = malloc((size_t)b.nx * (size_t)b.ny * (size_t)b.nz * sizeof *value);
    real *host = NULL;
    kol_status st = KOL_OK;
    if (value == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the initial flow");
    TRY_OR(done, mem_host_alloc((size_t)b.size * sizeof *host, (void **)&host));
    for (int c = 0; c < 3; ++c) TRY_OR(done, set_component(flow, c, value, host));
done:
    free(value);
    mem_host_free(host);
    return st;
}

kol_status initial_flow(struct step *step, struct flow *flow)
{
    const int type = flow->domain->in->initial.type;
    if (type == INITIAL_ISOTROPIC) {
        const double started = MPI_Wtime();
        TRY(initial_isotropic(flow));
        TRY(set_mean(flow)); /* its sums are of the whole flow, so that it is complete */
        if (flow->domain->comm.rank == 0)
            log_info("random initial flow formed in %.2f s", MPI_Wtime() - started);
    } else {
        TRY(set_from_host(flow));
    }
    if (type == INITIAL_FORMULA) return initial_given(step, flow, "formulas", 0);
    TRY(scalar_initial_all(flow));
    TRY(open_faces_begin(flow));
    return initial_project(step, flow);
}

kol_status initial_count(struct flow *flow)
{
    const struct input *in = flow->domain->in;
    const int begins = strcmp(in->checkpoint.restart, "none") == 0;
    return begins && in->initial.type == INITIAL_ISOTROPIC ? initial_isotropic(flow) : KOL_OK;
}

double initial_courant_estimate(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    const double *width = domain->grid.narrowest;
    double sum = 0;
    for (int d = 0; d < 3; ++d) sum += fabs(in->initial.velocity[d]) / width[d];
    const double *a = in->initial.abc, u0 = in->initial.amplitude;
    const struct wave w = wave_of(in);
    switch (in->initial.type) {
    case INITIAL_TAYLOR_GREEN:
    case INITIAL_TAYLOR_GREEN_2D:
        return sum + u0 * fmax(1 / width[X], w.k[X] / w.k[Y] / width[Y]);
    case INITIAL_ABC:
        return sum + u0 * ((fabs(a[0]) + fabs(a[2])) / width[X] + (fabs(a[1]) + fabs(a[0])) / width[Y] +
                           (fabs(a[2]) + fabs(a[1])) / width[Z]);
    case INITIAL_BELTRAMI:
        return sum + 1.8 * u0 * (1 / width[X] + 1 / width[Y] + 1 / width[Z]);
    case INITIAL_ISOTROPIC: /* peaks of a Gaussian field lie near four standard deviations, not in all
                               components at once */
        return sum + 2.5 * in->initial.u_rms * (1 / width[X] + 1 / width[Y] + 1 / width[Z]);
    case INITIAL_CHANNEL:
        for (int d = 0; d < 3; ++d) { /* along the normal of walls the speeds are largest far from them */
            const int walls = face_has_friction(in, 2 * d) || face_has_friction(in, 2 * d + 1);
            sum += initial_channel_speed(flow, d) / (walls ? in->grid.length[d] / in->grid.n[d] : width[d]);
        }
        return sum;
    case INITIAL_FORMULA:
        return sum + initial_formula_courant(domain);
    default:
        return sum;
    }
}

/* The skewness of the gradients is largest after this multiple of the Taylor scale over u_rms:
 * docs/numerics/initial.md. */
static const double SKEWNESS_TIME = 0.6;

void initial_tell_skewness(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    if (domain->in->initial.type != INITIAL_ISOTROPIC || domain->comm.rank != 0) return;
    if (!(flow->now.enstrophy > 0)) return;
    const double time = SKEWNESS_TIME * sqrt(15 / (2 * flow->now.enstrophy));
    log_info(
        "random phases: the skewness of the velocity gradients, and with it the transfer to small scales, "
        "needs until about t = %.3g to develop",
        flow->clock.t + time);
}
