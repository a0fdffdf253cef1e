/* Looks for the scalars of the run in the file of its initial flow, and reads them. */
#include "flow_scalars.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "inputs/buoyancy.h"
#include "inputs/scalars.h"
#include "inputs/schemes.h"
#include "scalars/scalar_initial.h"

/* If the values of the file are larger than what the input makes likely by this factor, or smaller, the log
 * says so where a tolerance depends on it. */
static const double UNLIKELY = 1000;

/* Appends a sentence of these parts. */
static void tell(struct flow_scalars *s, const char *before, const char *file, const char *middle,
                 const char *name, const char *after)
{
    const size_t done = strlen(s->text);
    snprintf(s->text + done, sizeof s->text - done, "%s%s%s%s%s\n", before, file, middle, name, after);
}

/* The input may not ask for an initial state that the file replaces. */
static kol_status check_state(const struct domain *domain, int n)
{
    const struct input *in = domain->in;
    if (in->scalars.initial[n] == SCALAR_UNIFORM) return KOL_OK;
    const struct input_place p = input_place(domain->source, offsetof(struct input, scalars.initial), n);
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s has no effect, because %s has an array '%s', from which this scalar begins; choose "
          "'uniform', or give the scalar or the array another name",
          p.at, p.name, in->initial.file, in->scalars.name[n]);
}

/* What the input can't know of a scalar from a file, but buoyancy needs. */
static kol_status check_buoyancy(const struct domain *domain, int n)
{
    const struct input *in = domain->in;
    if (buoyancy_wants_reference(in, n))
        RAISE(KOL_ERR_INPUT,
              "%s: error: the scalar '%s' of this file causes buoyancy, and the input does not say at which "
              "value it causes none; add buoyancy.reference(%d)",
              in->initial.file, in->scalars.name[n], n + 1);
    if (in->time.dt == 0 && buoyancy_range_unknown(in, n, &domain->given_range))
        RAISE(KOL_ERR_INPUT,
              "%s: error: the scalar '%s' of this file causes buoyancy, and the input does not say how much "
              "it varies, so that no time step can be chosen; set time.dt",
              in->initial.file, in->scalars.name[n]);
    return KOL_OK;
}

static kol_status look_at_one(const struct domain *domain, struct flowfile *f, int n, struct flow_scalars *s)
{
    const struct input *in = domain->in;
    const char *name = in->scalars.name[n];
    char unit[INPUT_TEXT];
    int there = 0;
    TRY(flowfile_scalar(f, name, &there, unit, sizeof unit));
    if (!there) {
        tell(s, "the scalar ", name, " is not in ", in->initial.file, " and begins as &scalars says");
        return KOL_OK;
    }
    if (unit[0] != '\0' && strcmp(unit, in->scalars.unit[n]) != 0)
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: the unit of the scalar '%s' is '%s', but scalars.unit(%d) = '%s'; convert the array, "
            "or change the unit",
            in->initial.file, name, unit, n + 1, in->scalars.unit[n]);
    s->given |= 1u << n;
    TRY(check_state(domain, n));
    return check_buoyancy(domain, n);
}

kol_status flow_scalars_look(const struct domain *domain, struct flowfile *f, struct flow_scalars *s)
{
    const struct input *in = domain->in;
    const int count = scalar_count(in);
    char names[SCALARS_MOST][FLOWFILE_NAME], others[1024];
    memset(s, 0, sizeof *s);
    for (int n = 0; n < count; ++n) {
        snprintf(names[n], sizeof names[n], "%.*s", SCALAR_NAME, in->scalars.name[n]);
        TRY(look_at_one(domain, f, n, s));
    }
    TRY(flowfile_others(f, (const char(*)[FLOWFILE_NAME])names, count, others, sizeof others));
    if (others[0] != '\0')
        tell(s, "not read in ", in->initial.file, ": ", others, ", which no scalar of this run is called");
    return KOL_OK;
}

/* --- the start --- */

static kol_status read_planes(void *source, const void *what, struct piece p, double *value)
{
    return flowfile_read_scalar(source, what, p.lo[Z], p.hi[Z], value);
}

/* Finds the least and the largest value over the cells of all ranks. */
static kol_status find_range(const struct domain *domain, const double *value, double range[2])
{
    const int *n = domain->decomp.n;
    const ptrdiff_t cells = (ptrdiff_t)n[X] * n[Y] * n[Z];
    double most[2] = {-INFINITY, -INFINITY};
    for (ptrdiff_t i = 0; i < cells; ++i) {
        most[0] = fmax(most[0], -value[i]);
        most[1] = fmax(most[1], value[i]);
    }
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, domain->comm.mpi));
    range[0] = -most[0];
    range[1] = most[1];
    return KOL_OK;
}

static int fits(double size, double likely)
{
    return size < UNLIKELY * likely && likely < UNLIKELY * size;
}

static void tell_range(const struct domain *domain, int n, const double range[2], struct flow_scalars *s)
{
    const struct input *in = domain->in;
    const double size = fmax(fabs(range[0]), fabs(range[1])),
                 likely = scalar_scale(in, n, &domain->given_range);
    char words[160];
    snprintf(words, sizeof words, ", from %.6g to %.6g", range[0], range[1]);
    tell(s, "the scalar ", in->scalars.name[n], " begins from ", in->initial.file, words);
    struct input remedy = *in;
    remedy.scalars.initial_value[n] = size;
    if (!diffusion_is_implicit(in) || size == 0 || fits(size, likely) ||
        !fits(size, scalar_scale(&remedy, n, &domain->given_range)))
        return;
    snprintf(words, sizeof words,
             " is relative to %.1g, far from these values; set scalars.initial_value(%d) to about %.1g",
             likely, n + 1, size);
    tell(s, "warning: time.diffusion_tolerance of the scalar ", in->scalars.name[n], "", "", words);
}

kol_status flow_scalars_start(struct flow *flow, struct flowfile *f, struct flow_scalars *s,
                              const struct transfer *t, double *a, double *b, real *host)
{
    const struct domain *domain = flow->domain;
    for (int n = 0; n < scalar_count(domain->in); ++n) {
        double range[2] = {0, 0};
        if (!(s->given >> n & 1u)) continue;
        TRY(transfer_field(t, read_planes, f, domain->in->scalars.name[n], -1, a, b));
        TRY(find_range(domain, b, range));
        tell_range(domain, n, range, s);
        TRY(comm_agree(&domain->comm, scalar_initial_given(flow, n, b, host)));
    }
    return KOL_OK;
}
