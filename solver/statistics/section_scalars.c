/* Takes samples of scalars over one homogeneous direction. */
#include "section_scalars_internal.h"

#include <stdlib.h>
#include "inputs/buoyancy.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "scalars/scalar_faces.h"
#include "scalars/scalar_given.h"

enum { TAG_ALONG = 75, TAG_SECTION };
double section_scalars_values(const struct input *in, const struct grid *g)
{
    const int along = section_fields_along(in),
              cells[2] = {g->n_g[along == X ? Y : X], g->n_g[along == Z ? Y : Z]};
    double values = 0;
    for (int n = 0; n < LINE_T_COUNT; ++n) values += (double)places_of_sum(cells, n);
    values += (double)section_budgets_sums(in) * cells[0] * cells[1];
    return scalar_count(in) * values;
}

/* --- memory --- */

/* Number of places of a rank's box along a direction. */
static int places_at(const struct decomp *d, int direction, int coord)
{
    return decomp_offset(d, direction, coord + 1) - decomp_offset(d, direction, coord) + 1;
}

static kol_status create_memory(struct section_scalars *q)
{
    const struct domain *domain = q->domain;
    const struct decomp *d = &domain->decomp;
    const struct box b = domain->grid.box;
    const int a = q->s->a, e = q->s->b;
    const size_t number = sizeof(double) * (size_t)(q->budgets > LINE_T_COUNT ? q->budgets : LINE_T_COUNT),
                 own = (size_t)line_average_places(b, a) * (size_t)line_average_places(b, e) * number;
    size_t most = 0;
    q->before = decomp_next(d, q->s->along, -1);
    q->after = decomp_next(d, q->s->along, 1);
    for (int ca = 0; ca < d->ranks[a]; ++ca) {
        for (int cb = 0; cb < d->ranks[e]; ++cb) {
            const size_t places = (size_t)places_at(d, a, ca) * (size_t)places_at(d, e, cb);
            most = places * number > most ? places * number : most;
        }
    }
    TRY(memory_kernel(domain->memory, own, (void **)&q->sums));
    TRY(memory_host(domain->memory, own, (void **)&q->strip));
    return domain->comm.rank == 0 && domain->comm.size > 1
               ? memory_host(domain->memory, most, (void **)&q->other)
               : KOL_OK;
}

/* What is added beyond a side at place i along it. Nothing varies along the homogeneous direction, where
 * place 0 stands for all (check_statistics.c). */
static double added_at(const struct section_scalars *q, int n, int side, int i)
{
    const struct section_fields *s = q->s;
    const int face = 2 * (side < 2 ? s->a : s->b) + side % 2, other = side < 2 ? s->b : s->a;
    const int first = other < s->along; /* of the two directions along the face, the lower one comes first */
    const double given = scalar_given_cell(q->domain, n, face, first ? i : 0, first ? 0 : i);
    return scalar_faces_added(q->domain->in, &q->domain->grid, n, face, given);
}

/* A drive, a wall that moves or buoyancy along the homogeneous direction makes a stream there. */
static int is_driven(const struct input *in, int along)
{
    double lift[3];
    int driven = drive_has_force(in) || drive_by_formula(in) || faces_any_moving_wall(in);
    for (int n = 0; n < scalar_count(in) && buoyancy_wanted(in); ++n) {
        buoyancy_lift(in, n, lift);
        driven |= lift[along] != 0;
    }
    return driven;
}

static kol_status set_scalar(const struct section_scalars *q, int n, struct section_scalar *to)
{
    const struct domain *domain = q->domain;
    const struct input *in = domain->in;
    *to = (struct section_scalar){
        .name = in->scalars.name[n], .unit = in->scalars.unit[n], .kappa = scalar_diffusivity(in, n)};
    double gradient[3];
    scalar_gradient(in, n, gradient);
    to->gradient[0] = gradient[q->s->along];
    to->gradient[1] = gradient[q->s->a];
    to->gradient[2] = gradient[q->s->b];
    for (int side = 0; side < 4; ++side) {
        const int face = 2 * (side < 2 ? q->s->a : q->s->b) + side % 2;
        const int places = q->s->cells[side < 2 ? 1 : 0];
        to->factor[side] = scalar_faces_beyond(in, &domain->grid, n, face).factor;
        to->held[side] = scalar_has_value(in, n, face) || scalar_has_flux(in, n, face);
        to->add[side] = malloc((size_t)places * sizeof *to->add[side]);
        if (to->add[side] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for scalars over a section");
        for (int i = 0; i < places; ++i) to->add[side][i] = added_at(q, n, side, i);
    }
    return KOL_OK;
}

kol_status section_scalars_create(const struct domain *domain, const struct section_fields *s, int with_flow,
                                  struct section_scalars **out)
{
    const int count = scalar_count(domain->in);
    if (count == 0) return KOL_OK;
    struct section_scalars *q = *out = calloc(1, sizeof *q);
    if (q == NULL) RAISE(KOL_ERR_MEMORY, "no memory for scalars over a section");
    q->s = s;
    q->domain = domain;
    q->count = count;
    q->budgets = section_budgets_sums(domain->in);
    q->driven = is_driven(domain->in, s->along);
    q->frame = faces_walls_velocity(domain->in, s->along);
    for (int n = 0; n < LINE_T_COUNT; ++n) q->sum_first[n + 1] = q->sum_first[n] + places_of_sum(s->cells, n);
    for (int n = 0; n < ST_FIELDS; ++n)
        q->field_first[n + 1] = q->field_first[n] + places_of_field(s->cells, n);
    for (int n = 0; n < count; ++n) TRY(set_scalar(q, n, &q->of[n]));
    return with_flow ? create_memory(q) : KOL_OK;
}

void section_scalars_destroy(struct section_scalars **scalars)
{
    struct section_scalars *q = *scalars;
    if (q == NULL) return;
    mem_kernel_free(q->sums);
    mem_host_free(q->strip);
    mem_host_free(q->other);
    for (int n = 0; n < q->count; ++n)
        for (int side = 0; side < 4; ++side) free(q->of[n].add[side]);
    free(q);
    *scalars = NULL;
}

/* --- samples --- */

/* summed: the sums of a call: how many there are, and whether each has a place more along a or b. */
struct summed {
    int count, (*on_a)(int), (*on_b)(int);
};

static int on_low_a(int q)
{
    return line_scalar_on_face_a(q);
}

static int on_low_b(int q)
{
    return line_scalar_on_face_b(q);
}

static int nowhere(int q)
{
    (void)q;
    return 0;
}

static const struct summed PLAIN = {LINE_T_COUNT, on_low_a, on_low_b};

/* Puts the sums of the ranks at coordinates ca, cb of the section to their places, as means. */
static void put_piece(const struct section_scalars *q, const struct summed *k, int ca, int cb,
                      const double *from, double *value)
{
    const struct section_fields *s = q->s;
    const struct decomp *d = &q->domain->decomp;
    const int wide = places_at(d, s->a, ca), high = places_at(d, s->b, cb), at_a = decomp_offset(d, s->a, ca),
              at_b = decomp_offset(d, s->b, cb), last_a = ca == d->ranks[s->a] - 1,
              last_b = cb == d->ranks[s->b] - 1;
    const double length = q->domain->grid.length[s->along];
    for (int n = 0; n < k->count; ++n, from += (ptrdiff_t)wide * high) {
        const int columns = wide - 1 + (last_a && k->on_a(n)), rows = high - 1 + (last_b && k->on_b(n)),
                  stride = s->cells[0] + k->on_a(n);
        double *to = value + (ptrdiff_t)at_b * stride + at_a;
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i) /* no negative zeros */
                to[(ptrdiff_t)j * stride + i] = from[(ptrdiff_t)j * wide + i] / length + 0.0;
        value += (ptrdiff_t)stride * (s->cells[1] + k->on_b(n));
    }
}

/* Collects the pieces of the other ranks. */
static kol_status collect(struct section_scalars *q, const struct summed *k, double *value)
{
    const struct section_fields *s = q->s;
    const struct decomp *d = &q->domain->decomp;
    int coord[3];
    coord[s->along] = d->ranks[s->along] - 1;
    for (coord[s->b] = 0; coord[s->b] < d->ranks[s->b]; ++coord[s->b]) {
        for (coord[s->a] = 0; coord[s->a] < d->ranks[s->a]; ++coord[s->a]) {
            const int from = decomp_rank_at(d, coord),
                      count = places_at(d, s->a, coord[s->a]) * places_at(d, s->b, coord[s->b]) * k->count;
            if (from == 0) continue;
            MPI_TRY(MPI_Recv(q->other, count, MPI_DOUBLE, from, TAG_SECTION, q->domain->comm.mpi,
                             MPI_STATUS_IGNORE));
            put_piece(q, k, coord[s->a], coord[s->b], q->other, value);
        }
    }
    return KOL_OK;
}

static kol_status add_own(struct section_scalars *q, const struct flow *flow, int n,
                          const struct line_budget *budget)
{
    const struct domain *domain = q->domain;
    const struct blocks bl = reduction_blocks(domain->reduction);
    const int along = q->s->along, onto = q->before >= 0;
    return budget != NULL ? line_budget_sums(domain->grid.box, domain->grid.m, bl, along, onto, flow->vel,
                                             budget, q->sums)
                          : line_scalar_sums(domain->grid.box, domain->grid.m, bl, along, onto, flow->vel,
                                             flow->scalar[n], q->sums);
}

/* The ranks along the homogeneous direction form a chain: each adds its blocks to the sums of the rank before
 * it. The last one has the sums. budget: NULL: the sums of line_scalar.h. */
static kol_status sample_one(struct section_scalars *q, const struct flow *flow, int n,
                             const struct line_budget *budget, double *value)
{
    const struct domain *domain = q->domain;
    const struct decomp *d = &domain->decomp;
    const struct section_fields *s = q->s;
    const struct box b = domain->grid.box;
    const struct summed budgets = {q->budgets, nowhere, nowhere}, *k = budget != NULL ? &budgets : &PLAIN;
    const int count = line_average_places(b, s->a) * line_average_places(b, s->b) * k->count;
    const size_t bytes = (size_t)count * sizeof(double);
    const MPI_Comm mpi = domain->comm.mpi;
    if (q->before >= 0) {
        MPI_TRY(MPI_Recv(q->strip, count, MPI_DOUBLE, q->before, TAG_ALONG, mpi, MPI_STATUS_IGNORE));
        TRY(mem_to_kernel(q->sums, q->strip, bytes));
    }
    TRY(add_own(q, flow, n, budget));
    TRY(mem_to_host(q->strip, q->sums, bytes));
    if (q->after >= 0) MPI_TRY(MPI_Send(q->strip, count, MPI_DOUBLE, q->after, TAG_ALONG, mpi));
    else if (domain->comm.rank > 0) MPI_TRY(MPI_Send(q->strip, count, MPI_DOUBLE, 0, TAG_SECTION, mpi));
    else put_piece(q, k, d->coord[s->a], d->coord[s->b], q->strip, value);
    return domain->comm.rank == 0 ? collect(q, k, value) : KOL_OK;
}

static kol_status sample_budgets(struct section_scalars *q, const struct flow *flow, double *value)
{
    struct section_budgets_work work = {.spare = NULL};
    TRY(section_budgets_hold(flow, &work));
    if (!pool_counts(flow->domain->pool)) {
        TRY(section_budgets_flow(flow, &work));
        for (int n = 0; n < q->count; ++n) {
            struct line_budget budget;
            TRY(section_budgets_scalar(flow, n, &work, &budget));
            TRY(sample_one(q, flow, n, &budget,
                           value != NULL ? value + n * values_each(q) + q->sum_first[LINE_T_COUNT] : NULL));
        }
    }
    return section_budgets_drop(flow, &work);
}

kol_status section_scalars_sample(struct section_scalars *q, const struct flow *flow, double *value)
{
    if (q == NULL) return KOL_OK;
    for (int n = 0; n < q->count && !pool_counts(flow->domain->pool); ++n)
        TRY(sample_one(q, flow, n, NULL, value != NULL ? value + n * values_each(q) : NULL));
    return q->budgets > 0 ? sample_budgets(q, flow, value) : KOL_OK;
}
