/* Computes averages of scalars over one homogeneous direction. */
#include "section_scalars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "kernels/line_scalar.h"
#include "math/central_moments.h"
#include "scalars/scalar_faces.h"
#include "scalars/scalar_given.h"

enum { TAG_ALONG = 75, TAG_SECTION };
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
    const char *name, *unit; /* borrowed from the input */
    double kappa, factor[4], *add[4];
    int held[4];
};

struct section_scalars {
    const struct section_fields *s;
    const struct domain *domain;
    int count;
    struct section_scalar of[SCALARS_MOST];
    ptrdiff_t sum_first[LINE_T_COUNT + 1], field_first[ST_FIELDS + 1];
    int before, after;            /* ranks of the line; -1: there is none */
    double *sums, *strip, *other; /* kernel memory; host: of this rank, of another one */
};

/* --- places --- */

static ptrdiff_t places_of_sum(const int cells[2], int q)
{
    return (ptrdiff_t)(cells[0] + line_scalar_on_face_a(q)) * (cells[1] + line_scalar_on_face_b(q));
}

static int on_face_a(int field)
{
    return field == ST_A;
}

static int on_face_b(int field)
{
    return field == ST_B;
}

static ptrdiff_t places_of_field(const int cells[2], int field)
{
    return (ptrdiff_t)(cells[0] + on_face_a(field)) * (cells[1] + on_face_b(field));
}

static ptrdiff_t values_each(const struct section_scalars *q)
{
    return q->sum_first[LINE_T_COUNT];
}

static ptrdiff_t derived_each(const struct section_scalars *q)
{
    return q->field_first[ST_FIELDS] + ST_NUMBERS;
}

double section_scalars_values(const struct input *in, const struct grid *g)
{
    const int along = section_fields_along(in),
              cells[2] = {g->n_g[along == X ? Y : X], g->n_g[along == Z ? Y : Z]};
    double values = 0;
    for (int n = 0; n < LINE_T_COUNT; ++n) values += (double)places_of_sum(cells, n);
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
    const size_t number = sizeof(double) * LINE_T_COUNT,
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

static kol_status set_scalar(const struct section_scalars *q, int n, struct section_scalar *to)
{
    const struct domain *domain = q->domain;
    const struct input *in = domain->in;
    *to = (struct section_scalar){
        .name = in->scalars.name[n], .unit = in->scalars.unit[n], .kappa = scalar_diffusivity(in, n)};
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

/* Puts the sums of the ranks at coordinates ca, cb of the section to their places, as means. */
static void put_piece(const struct section_scalars *q, int ca, int cb, const double *from, double *value)
{
    const struct section_fields *s = q->s;
    const struct decomp *d = &q->domain->decomp;
    const int wide = places_at(d, s->a, ca), high = places_at(d, s->b, cb), at_a = decomp_offset(d, s->a, ca),
              at_b = decomp_offset(d, s->b, cb), last_a = ca == d->ranks[s->a] - 1,
              last_b = cb == d->ranks[s->b] - 1;
    const double length = q->domain->grid.length[s->along];
    for (int n = 0; n < LINE_T_COUNT; ++n, from += (ptrdiff_t)wide * high) {
        const int columns = wide - 1 + (last_a && line_scalar_on_face_a(n)),
                  rows = high - 1 + (last_b && line_scalar_on_face_b(n)),
                  stride = s->cells[0] + line_scalar_on_face_a(n);
        double *to = value + q->sum_first[n] + (ptrdiff_t)at_b * stride + at_a;
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i) /* no negative zeros */
                to[(ptrdiff_t)j * stride + i] = from[(ptrdiff_t)j * wide + i] / length + 0.0;
    }
}

/* Collects the pieces of the other ranks. */
static kol_status collect(struct section_scalars *q, double *value)
{
    const struct section_fields *s = q->s;
    const struct decomp *d = &q->domain->decomp;
    int coord[3];
    coord[s->along] = d->ranks[s->along] - 1;
    for (coord[s->b] = 0; coord[s->b] < d->ranks[s->b]; ++coord[s->b]) {
        for (coord[s->a] = 0; coord[s->a] < d->ranks[s->a]; ++coord[s->a]) {
            const int from = decomp_rank_at(d, coord), count = places_at(d, s->a, coord[s->a]) *
                                                               places_at(d, s->b, coord[s->b]) * LINE_T_COUNT;
            if (from == 0) continue;
            MPI_TRY(MPI_Recv(q->other, count, MPI_DOUBLE, from, TAG_SECTION, q->domain->comm.mpi,
                             MPI_STATUS_IGNORE));
            put_piece(q, coord[s->a], coord[s->b], q->other, value);
        }
    }
    return KOL_OK;
}

/* The ranks along the homogeneous direction form a chain: each adds its blocks to the sums of the rank before
 * it. The last one has the sums. */
static kol_status sample_one(struct section_scalars *q, const struct flow *flow, int n, double *value)
{
    const struct domain *domain = q->domain;
    const struct decomp *d = &domain->decomp;
    const struct section_fields *s = q->s;
    const struct box b = domain->grid.box;
    const int count = line_average_places(b, s->a) * line_average_places(b, s->b) * LINE_T_COUNT;
    const size_t bytes = (size_t)count * sizeof(double);
    const MPI_Comm mpi = domain->comm.mpi;
    if (q->before >= 0) {
        MPI_TRY(MPI_Recv(q->strip, count, MPI_DOUBLE, q->before, TAG_ALONG, mpi, MPI_STATUS_IGNORE));
        TRY(mem_to_kernel(q->sums, q->strip, bytes));
    }
    TRY(line_scalar_sums(b, domain->grid.m, reduction_blocks(domain->reduction), s->along, q->before >= 0,
                         flow->vel, flow->scalar[n], q->sums));
    TRY(mem_to_host(q->strip, q->sums, bytes));
    if (q->after >= 0) MPI_TRY(MPI_Send(q->strip, count, MPI_DOUBLE, q->after, TAG_ALONG, mpi));
    else if (domain->comm.rank > 0) MPI_TRY(MPI_Send(q->strip, count, MPI_DOUBLE, 0, TAG_SECTION, mpi));
    else put_piece(q, d->coord[s->a], d->coord[s->b], q->strip, value);
    return domain->comm.rank == 0 ? collect(q, value) : KOL_OK;
}

kol_status section_scalars_sample(struct section_scalars *q, const struct flow *flow, double *value)
{
    for (int n = 0; q != NULL && n < q->count; ++n)
        TRY(sample_one(q, flow, n, value != NULL ? value + n * values_each(q) : NULL));
    return KOL_OK;
}

/* --- what is made of them --- */

#define M(Q) (mean + q->sum_first[LINE_T_##Q])
#define O(F) (out + q->field_first[ST_##F])

static void derive_centres(const struct section_scalars *q, const double *mean, double *out)
{
    const ptrdiff_t places = places_of_field(q->s->cells, ST_MEAN);
    const double scale = central_moments_largest(0, M(TT), places);
    for (ptrdiff_t k = 0; k < places; ++k) {
        const struct central c =
            central_moments((const double[]){M(T)[k], M(TT)[k], M(TTT)[k], M(TTTT)[k]}, scale);
        O(MEAN)[k] = M(T)[k];
        O(VARIANCE)[k] = c.variance;
        O(RMS)[k] = sqrt(c.variance);
        O(SKEWNESS)[k] = c.skewness;
        O(FLATNESS)[k] = c.flatness;
        O(S)[k] = M(TS)[k] - M(T)[k] * M(S)[k];
    }
}

/* The mean of the scalar on face k of direction d: half of the values on both sides. stride: of cells in that
 * direction. i: place along the other direction. */
static double on_face(const struct section_scalars *q, const struct section_scalar *t, const double *centre,
                      ptrdiff_t stride, int d, int k, int i)
{
    const int cells = q->s->cells[d], side = 2 * d + (k > 0);
    if (k > 0 && k < cells) return 0.5 * (centre[(k - 1) * stride] + centre[k * stride]);
    const double inside = centre[(k == 0 ? 0 : k - 1) * stride];
    return 0.5 * (inside + (t->factor[side] * inside + t->add[side][i]));
}

static void derive_faces(const struct section_scalars *q, const struct section_scalar *t, const double *mean,
                         double *out)
{
    const int wide = q->s->cells[0], high = q->s->cells[1];
    for (int j = 0; j < high; ++j) {
        for (int i = 0; i <= wide; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * (wide + 1) + i;
            O(A)[o] = M(TA)[o] - M(A)[o] * on_face(q, t, M(T) + (ptrdiff_t)j * wide, 1, 0, i, j);
        }
    }
    for (int j = 0; j <= high; ++j) {
        for (int i = 0; i < wide; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * wide + i;
            O(B)[o] = M(TB)[o] - M(B)[o] * on_face(q, t, M(T) + i, wide, 1, j, i);
        }
    }
}

/* wall: of a side the mean flux into the fluid, and the mean value of the scalar on it, times its length. */
struct wall {
    double length, flux, value;
};

static struct wall wall_at(const struct section_scalars *q, const struct section_scalar *t,
                           const double *mean, int side)
{
    const struct section_fields *s = q->s;
    const int d = side / 2, other = 1 - d, k = side % 2 ? s->cells[d] : 0;
    const ptrdiff_t along = d == 0 ? 1 : s->cells[0], across = d == 0 ? s->cells[0] : 1;
    struct wall w = {0, 0, 0};
    for (int n = 0; n < s->cells[other]; ++n) {
        const double *line = M(T) + n * across, inside = line[(k == 0 ? 0 : k - 1) * along],
                     beyond = t->factor[side] * inside + t->add[side][n], width = s->c[other][n];
        w.length += width;
        w.flux += width * t->kappa * (beyond - inside) / s->f[d][k];
        w.value += width * 0.5 * (beyond + inside);
    }
    return w;
}

static void derive_numbers(const struct section_scalars *q, const struct section_scalar *t,
                           const double *mean, double *number)
{
    const struct section_fields *s = q->s;
    double level = 0, square = 0, carried = 0, bulk = 0;
    struct wall walls = {0, 0, 0};
    for (int j = 0; j < s->cells[1]; ++j) {
        for (int i = 0; i < s->cells[0]; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * s->cells[0] + i;
            const double area = s->c[0][i] * s->c[1][j] / s->area;
            level += area * M(T)[o];
            square += area * M(TT)[o];
            carried += area * M(TS)[o];
            bulk += area * M(S)[o];
        }
    }
    number[ST_VOLUME_MEAN] = level;
    number[ST_VOLUME_VARIANCE] = fmax(square - level * level, 0);
    number[ST_BULK] = bulk != 0 ? carried / bulk : NAN;
    for (int side = 0; side < 4; ++side) {
        const struct wall w = wall_at(q, t, mean, side);
        number[ST_FLUX + side] = w.flux / w.length;
        if (!s->rough[side] || !t->held[side]) continue;
        walls.length += w.length;
        walls.flux += w.flux;
        walls.value += w.value;
    }
    const double drop = walls.value / walls.length - number[ST_BULK];
    number[ST_NUSSELT] =
        walls.length > 0 && drop != 0 ? walls.flux / walls.length * s->diameter / (t->kappa * drop) : NAN;
}

void section_scalars_volume(const struct section_scalars *q, const double *sample,
                            struct volume_moments moments[SCALARS_MOST])
{
    const struct section_fields *s = q->s;
    for (int n = 0; n < q->count; ++n) {
        const double *mean = sample + n * values_each(q);
        moments[n] = (struct volume_moments){0, 0};
        for (int j = 0; j < s->cells[1]; ++j) {
            for (int i = 0; i < s->cells[0]; ++i) {
                const ptrdiff_t o = (ptrdiff_t)j * s->cells[0] + i;
                const double area = s->c[0][i] * s->c[1][j] / s->area;
                moments[n].mean += area * M(T)[o];
                moments[n].square += area * M(TT)[o];
            }
        }
    }
}

/* A function of type batch_means_derive. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct section_scalars *q = context;
    for (int n = 0; n < q->count; ++n, mean += values_each(q), out += derived_each(q)) {
        derive_centres(q, mean, out);
        derive_faces(q, &q->of[n], mean, out);
        derive_numbers(q, &q->of[n], mean, out + q->field_first[ST_FIELDS]);
    }
}

/* --- the file --- */

/* entry: what follows the name of the scalar, as a pattern of section_fields_name(); the power of its unit,
 * and the rest of the unit. */
struct entry {
    const char *name, *words;
    int power;
    const char *unit;
};
static const struct entry FIELD[ST_FIELDS] = {
    [ST_MEAN] = {"", "mean", 1, ""},
    [ST_VARIANCE] = {"_variance", "variance", 2, ""},
    [ST_RMS] = {"_rms", "root mean square of the fluctuation", 1, ""},
    [ST_SKEWNESS] = {"_skewness", "skewness", 0, ""},
    [ST_FLATNESS] = {"_flatness", "flatness, 3 for a Gaussian", 0, ""},
    [ST_S] = {"_%S", "covariance with the velocity along %3", 1, "U"},
    [ST_A] = {"_%A", "covariance with the velocity along %1, as the equation of the scalar has it", 1, "U"},
    [ST_B] = {"_%B", "covariance with the velocity along %2, as the equation of the scalar has it", 1, "U"}};
static const struct entry NUMBER[ST_NUMBERS] = {
    [ST_VOLUME_MEAN] = {"_volume_mean", "volume mean", 1, ""},
    [ST_VOLUME_VARIANCE] = {"_volume_variance",
                            "mean square of the difference to the volume mean, over the section and time", 2,
                            ""},
    [ST_BULK] = {"_bulk", "mixed mean: the flux along the stream over the flow rate", 1, ""},
    [ST_FLUX] = {"_flux_in_%1_low", "mean molecular flux into the fluid through the lower side in %1", 1,
                 "U"},
    {"_flux_in_%1_high", "mean molecular flux into the fluid through the upper side in %1", 1, "U"},
    {"_flux_in_%2_low", "mean molecular flux into the fluid through the lower side in %2", 1, "U"},
    {"_flux_in_%2_high", "mean molecular flux into the fluid through the upper side in %2", 1, "U"},
    [ST_NUSSELT] = {"_nusselt",
                    "Nusselt number: mean flux of the no-slip walls with a condition, over the difference "
                    "between their mean value and the mixed mean, with the hydraulic diameter",
                    0, ""}};
static const struct entry SUM[LINE_T_COUNT] = {[LINE_T_T] = {"", "T", 1, ""},
                                               [LINE_T_TT] = {"_squared", "T^2", 2, ""},
                                               [LINE_T_TTT] = {"_cubed", "T^3", 3, ""},
                                               [LINE_T_TTTT] = {"_fourth", "T^4", 4, ""},
                                               [LINE_T_S] = {"_at_%S", "%S in the cell", 0, "U"},
                                               [LINE_T_TS] = {"_%S", "T times %S", 1, "U"},
                                               [LINE_T_A] = {"_at_%A", "%A", 0, "U"},
                                               [LINE_T_TA] = {"_%A", "flux of T along %1", 1, "U"},
                                               [LINE_T_B] = {"_at_%B", "%B", 0, "U"},
                                               [LINE_T_TB] = {"_%B", "flux of T along %2", 1, "U"}};

struct words {
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS], unit[NETCDF_CONTENT_NAME];
};

static struct words words_of(const struct section_fields *s, const char *name, const char *unit,
                             const struct entry *e, const char *before)
{
    struct words out;
    char end[32], words[160];
    section_fields_name(s, e->name, end, sizeof end);
    section_fields_name(s, e->words, words, sizeof words);
    snprintf(out.name, sizeof out.name, "%s%.*s%s", before, SCALAR_NAME, name, end);
    snprintf(out.words, sizeof out.words, "%.*s: %s", SCALAR_NAME, name, words);
    scalar_unit(unit, e->power, e->unit, out.unit, sizeof out.unit);
    return out;
}

static struct stats_variable *put(const struct section_scalars *q, struct netcdf_content *p, int n,
                                  const struct entry *e, const char *before, int axis, const double *value)
{
    const struct words w = words_of(q->s, q->of[n].name, q->of[n].unit, e, before);
    char *unit = p->unit[p->units++];
    snprintf(unit, NETCDF_CONTENT_NAME, "%s", w.unit);
    return netcdf_content_add(p, (struct netcdf_content_entry){w.name, w.words, unit}, "", axis, value);
}

/* Whether a number is written. Mixed mean and Nusselt number need a stream along the homogeneous direction.
 */
static int is_there(const struct section_scalars *q, int n, int number)
{
    const struct section_fields *s = q->s;
    int walls = 0;
    for (int side = 0; side < 4; ++side) walls |= s->rough[side] && q->of[n].held[side];
    if (number >= ST_FLUX && number < ST_FLUX + 4) return !s->open[number - ST_FLUX];
    if (number == ST_NUSSELT && (!walls || isnan(s->diameter) || !(q->of[n].kappa > 0))) return 0;
    return s->stream == s->along || (number != ST_BULK && number != ST_NUSSELT);
}

static void add_one(const struct section_scalars *q, int n, const int axis[4], struct netcdf_content *p,
                    const double *value, const double *error)
{
    for (int i = 0; i < ST_FIELDS; ++i) {
        struct stats_variable *v =
            put(q, p, n, &FIELD[i], "", axis[on_face_a(i) ? 2 : 0], value + q->field_first[i]);
        v->outer = 1 + axis[on_face_b(i) ? 3 : 1];
        v->error = error + q->field_first[i];
        v->methods = NETCDF_CONTENT_MEAN;
    }
    for (int i = 0; i < ST_NUMBERS; ++i) {
        const ptrdiff_t at = q->field_first[ST_FIELDS] + i;
        if (is_there(q, n, i)) put(q, p, n, &NUMBER[i], "", -1, value + at)->error = error + at;
    }
}

static void add_sums(const struct section_scalars *q, int n, const int axis[4], struct netcdf_content *p,
                     const double *sum)
{
    for (int i = 0; i < LINE_T_COUNT; ++i) {
        struct stats_variable *v =
            put(q, p, n, &SUM[i], "sum_", axis[line_scalar_on_face_a(i) ? 2 : 0], sum + q->sum_first[i]);
        v->outer = 1 + axis[line_scalar_on_face_b(i) ? 3 : 1];
        v->group = "raw";
        v->methods = NETCDF_CONTENT_SUM;
    }
}

struct section_scalars_room section_scalars_room(const struct section_scalars *q)
{
    if (q == NULL) return (struct section_scalars_room){0, 0};
    return (struct section_scalars_room){q->count * (ST_FIELDS + ST_NUMBERS + LINE_T_COUNT),
                                         q->count * (2 * derived_each(q) + 2 * values_each(q))};
}

kol_status section_scalars_add(const struct section_scalars *q, const struct batch_means *average,
                               const int axis[4], struct netcdf_content *p)
{
    if (q == NULL) return KOL_OK;
    const ptrdiff_t derived = q->count * derived_each(q), sample = q->count * values_each(q);
    double *value = netcdf_content_numbers(p, derived), *error = netcdf_content_numbers(p, derived),
           *mean = netcdf_content_numbers(p, sample), *sum = netcdf_content_numbers(p, sample);
    batch_means_mean(average, mean);
    batch_means_sum(average, sum);
    derive(q, mean, value);
    TRY(batch_means_errors(average, derive, q, (int)derived, error));
    for (int n = 0; n < q->count; ++n) {
        add_one(q, n, axis, p, value + n * derived_each(q), error + n * derived_each(q));
        add_sums(q, n, axis, p, sum + n * values_each(q));
    }
    return KOL_OK;
}

static void print_rows(FILE *out, const struct entry *e, int count, int numbers)
{
    const struct section_fields s = {.along = X, .a = Y, .b = Z, .stream = X};
    for (int i = 0; i < count; ++i) {
        const struct words w = words_of(&s, "T", "own", &e[i], "");
        fprintf(out, "| `%s` | %s | %s | %s |\n", w.name,
                numbers        ? ""
                : on_face_a(i) ? "`z`, `y_face`"
                : on_face_b(i) ? "`z_face`, `y`"
                               : "`z`, `y`",
                w.unit, w.words + strlen("T: "));
    }
}

void section_scalars_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    print_rows(out, FIELD, ST_FIELDS, 0);
    print_rows(out, NUMBER, ST_NUMBERS, 1);
}
