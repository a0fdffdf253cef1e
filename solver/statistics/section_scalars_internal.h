/* The object of section_scalars.h, for the files that make it. */
#ifndef KOL_STATISTICS_SECTION_SCALARS_INTERNAL_H
#define KOL_STATISTICS_SECTION_SCALARS_INTERNAL_H

#include "kernels/line_scalar.h"
#include "section_budgets.h"
#include "section_scalars.h"

/* Fields of each scalar. Those at centres come first, then those at faces in a, then at faces in b. */
enum {
    ST_MEAN,
    ST_VARIANCE,
    ST_RMS,
    ST_SKEWNESS,
    ST_FLATNESS,
    ST_S, /* covariances with the velocities */
    ST_CENTRES,
    ST_A = ST_CENTRES,
    ST_B,
    ST_FIELDS
};
/* Numbers of each scalar. Fluxes are in the order low and high in a, low and high in b. */
enum { ST_VOLUME_MEAN, ST_VOLUME_VARIANCE, ST_BULK, ST_FLUX, ST_NUSSELT = ST_FLUX + 4, ST_NUMBERS };

/* section_scalar: a scalar. The value beyond each side is factor times the value inside plus add, at each
 * place along the side. held: whether a value or a flux is given on a side. */
struct section_scalar {
    const char *name, *unit;                       /* borrowed from the input */
    double kappa, factor[4], *add[4], gradient[3]; /* gradient: of the input, along s, a, b */
    int held[4];
};

struct section_scalars {
    const struct section_fields *s;
    const struct domain *domain;
    int count, budgets; /* budgets: sums of each scalar for budgets, at centres; 0: there are none */
    int driven;         /* whether something drives a stream along the homogeneous direction */
    double frame;       /* velocity of the walls along it; 0 if they move differently [U] */
    struct section_scalar of[SCALARS_MOST];
    ptrdiff_t sum_first[LINE_T_COUNT + 1], field_first[ST_FIELDS + 1];
    int before, after;            /* ranks of the line; -1: there is none */
    double *sums, *strip, *other; /* kernel memory; host: of this rank, of another one */
};

static inline ptrdiff_t places_of_sum(const int cells[2], int q)
{
    return (ptrdiff_t)(cells[0] + line_scalar_on_face_a(q)) * (cells[1] + line_scalar_on_face_b(q));
}

static inline int on_face_a(int field)
{
    return field == ST_A;
}

static inline int on_face_b(int field)
{
    return field == ST_B;
}

static inline ptrdiff_t places_of_field(const int cells[2], int field)
{
    return (ptrdiff_t)(cells[0] + on_face_a(field)) * (cells[1] + on_face_b(field));
}

static inline ptrdiff_t cells_of(const struct section_scalars *q)
{
    return places_of_field(q->s->cells, ST_MEAN);
}

/* values_each, derived_each: return the numbers of values of a scalar in a sample, and derived of it. The
 * budgets come last. */
static inline ptrdiff_t values_each(const struct section_scalars *q)
{
    return q->sum_first[LINE_T_COUNT] + q->budgets * cells_of(q);
}

static inline ptrdiff_t derived_first_of_budgets(const struct section_scalars *q)
{
    return q->field_first[ST_FIELDS] + ST_NUMBERS;
}

static inline ptrdiff_t derived_each(const struct section_scalars *q)
{
    return derived_first_of_budgets(q) + (q->budgets > 0 ? SECTION_BUDGET_FIELDS * cells_of(q) : 0);
}

#endif
