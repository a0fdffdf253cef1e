/* Computes structure functions and probability densities in a periodic box. */
#include "box_increments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"

enum { DIRECTIONS = 3, COMPONENTS = 3, CLASSES = 2, SEPARATIONS_MOST = 64 };
enum { ALONG, ACROSS };           /* classes: the component along the separation; the two others together */
enum { FIELD_COUNTS = 2 };        /* velocity, vorticity */
enum { SCALES = 3 * COMPONENTS }; /* of struct counted */

/* separations: the distances between two points along one direction for which increments are sampled.
 *
 *   points    the distances in grid points, increasing; densities are computed for powers of two
 *   given     the same distances in the order in which the kernel takes them: powers of two first
 *   place     place[n] is the place of given[n] in points */
struct separations {
    int n, counted;
    int points[SEPARATIONS_MOST], given[SEPARATIONS_MOST], place[SEPARATIONS_MOST];
};

/* A sample consists of three parts:
 *
 *   - the moments of the increments for each direction, class and separation;
 *   - the probability densities of velocity and vorticity, as the share of each bin;
 *   - the probability densities of increments, as the share of each bin, for each direction, class and
 *     separation that is a power of two. */
struct box_increments {
    const struct comm *comm;
    struct box_slab slab[BOX_SLABS_KINDS];
    int n[DIRECTIONS];
    double h[DIRECTIONS], cells;
    struct separations separations[DIRECTIONS];
    int *tables; /* kernel memory: starts of groups, separations */
    struct lines lines[DIRECTIONS];
    double *scale, *part;          /* kernel memory */
    unsigned long long *counts;    /* kernel memory */
    double *own_scale, *own, *all; /* host */
    unsigned long long *own_counts;
    ptrdiff_t own_sums, all_sums, slots;
    double *axis; /* for files: bins, distances, distances counted */
};

/* --- separations --- */

/* The separations 1, 2, 3, 4, 6, 8, 12, ... up to half the period. */
static struct separations separations_of(int n)
{
    struct separations s = {0, 0, {0}, {0}, {0}};
    for (int p = 1; p <= n / 2; p *= 2) {
        s.points[s.n++] = p;
        if (p > 1 && p + p / 2 <= n / 2) s.points[s.n++] = p + p / 2;
    }
    for (int pass = 0, to = 0; pass < 2; ++pass) {
        for (int r = 0; r < s.n; ++r) {
            const int power = (s.points[r] & (s.points[r] - 1)) == 0;
            if (power == pass) continue;
            s.given[to] = s.points[r];
            s.place[to++] = r;
            s.counted += power;
        }
    }
    return s;
}

static ptrdiff_t slots_of(const struct box_increments *t)
{
    ptrdiff_t counts = FIELD_COUNTS;
    for (int d = 0; d < DIRECTIONS; ++d) counts += CLASSES * t->separations[d].counted;
    return counts * COUNT_SLOTS;
}

/* Number of sums in `groups` groups, for one component and direction. */
static ptrdiff_t sums_of(const struct box_increments *t, int d, int groups)
{
    return (ptrdiff_t)groups * t->separations[d].n * INCREMENT_SUMS;
}

static void plan(const struct grid *g, struct box_increments *t)
{
    t->cells = 1;
    for (int d = 0; d < DIRECTIONS; ++d) {
        t->n[d] = g->n_g[d];
        t->h[d] = g->length[d] / t->n[d];
        t->cells *= t->n[d];
        t->separations[d] = separations_of(t->n[d]);
    }
    t->slots = slots_of(t);
}

/* Number of groups of a direction's lines in the whole grid. */
static int groups_of_grid(const struct box_increments *t, int d)
{
    return box_slabs_groups(t->n[d == Z ? X : Z]);
}

static ptrdiff_t sums_of_grid(const struct box_increments *t)
{
    ptrdiff_t sums = 0;
    for (int d = 0; d < DIRECTIONS; ++d) sums += COMPONENTS * sums_of(t, d, groups_of_grid(t, d));
    return sums;
}

/* --- memory --- */

enum { TABLE_VALUES = DIRECTIONS * (BOX_SLABS_GROUPS + 1 + SEPARATIONS_MOST) };

static kol_status tables_fill(struct box_increments *t)
{
    int *host = malloc(sizeof *host * TABLE_VALUES);
    kol_status st = KOL_OK;
    size_t n = 0;
    if (host == NULL) RAISE(KOL_ERR_MEMORY, "no memory for tables of separations");
    for (int d = 0; d < DIRECTIONS; ++d) {
        const struct box_slab *b = &t->slab[d];
        const struct separations *s = &t->separations[d];
        t->lines[d] = (struct lines){.n = t->n[d],
                                     .rows = t->n[d == X   ? Y
                                                  : d == Y ? X
                                                           : Y],
                                     .groups = b->groups,
                                     .separations = s->n,
                                     .counted = s->counted,
                                     .start = t->tables + n,
                                     .separation = t->tables + n + b->groups + 1};
        memcpy(host + n, b->start, sizeof *host * ((size_t)b->groups + 1));
        n += (size_t)b->groups + 1;
        memcpy(host + n, s->given, sizeof *host * (size_t)s->n);
        n += (size_t)s->n;
    }
    TRY_OR(done, mem_to_kernel(t->tables, host, n * sizeof *host));
done:
    free(host);
    return st;
}

/* Prepares the axes of files on rank 0: bins, and the distances of each direction, also of the densities. */
static kol_status files_create(struct box_increments *t)
{
    double *at = t->axis = calloc(COUNT_BINS + 2 * DIRECTIONS * SEPARATIONS_MOST, sizeof *at);
    if (at == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bins", COUNT_BINS);
    for (int n = 0; n < COUNT_BINS; ++n) *at++ = (n + 0.5 - COUNT_BINS / 2) / COUNT_PER_RMS;
    for (int d = 0; d < DIRECTIONS; ++d)
        for (int r = 0; r < t->separations[d].n; ++r) *at++ = t->separations[d].points[r] * t->h[d];
    for (int d = 0; d < DIRECTIONS; ++d)
        for (int r = 0; r < t->separations[d].counted; ++r) *at++ = t->separations[d].given[r] * t->h[d];
    return KOL_OK;
}

static kol_status own_create(struct memory *memory, struct box_increments *t)
{
    const size_t scales = SCALES + DIRECTIONS * CLASSES * SEPARATIONS_MOST, slots = (size_t)t->slots;
    TRY(memory_kernel(memory, TABLE_VALUES * sizeof *t->tables, (void **)&t->tables));
    TRY(memory_kernel(memory, scales * sizeof(double), (void **)&t->scale));
    TRY(memory_kernel(memory, (size_t)(t->own_sums + 1) * sizeof(double), (void **)&t->part));
    TRY(memory_kernel(memory, slots * sizeof *t->counts, (void **)&t->counts));
    TRY(memory_host(memory, scales * sizeof(double), (void **)&t->own_scale));
    TRY(memory_host(memory, (size_t)(t->own_sums + 1) * sizeof(double), (void **)&t->own));
    TRY(memory_host(memory, slots * sizeof *t->counts, (void **)&t->own_counts));
    TRY(memory_host(memory, ((size_t)t->all_sums + slots) * sizeof(double), (void **)&t->all));
    if (memory_counts(memory)) return KOL_OK;
    TRY(tables_fill(t));
    return t->comm->rank == 0 ? files_create(t) : KOL_OK;
}

kol_status box_increments_create(struct memory *memory, const struct comm *c, const struct grid *g,
                                 const struct box_slabs *slabs, struct box_increments **out)
{
    struct box_increments *t = *out = calloc(1, sizeof *t);
    if (t == NULL) RAISE(KOL_ERR_MEMORY, "no memory for increments");
    t->comm = c;
    plan(g, t);
    for (int d = 0; d < DIRECTIONS; ++d) {
        t->slab[d] = box_slabs_of(slabs, d);
        t->own_sums += COMPONENTS * sums_of(t, d, t->slab[d].groups);
    }
    t->all_sums = sums_of_grid(t);
    return own_create(memory, t);
}

void box_increments_destroy(struct box_increments **increments)
{
    struct box_increments *t = *increments;
    if (t == NULL) return;
    mem_kernel_free(t->tables);
    mem_kernel_free(t->scale);
    mem_kernel_free(t->part);
    mem_kernel_free(t->counts);
    mem_host_free(t->own_scale);
    mem_host_free(t->own);
    mem_host_free(t->own_counts);
    mem_host_free(t->all);
    free(t->axis);
    free(t);
    *increments = NULL;
}

/* --- samples --- */

int box_increments_values(const struct box_increments *t)
{
    ptrdiff_t values = t->slots;
    for (int d = 0; d < DIRECTIONS; ++d) values += CLASSES * sums_of(t, d, 1);
    return (int)values;
}

static int class_of(int component, int direction)
{
    return component == direction ? ALONG : ACROSS;
}

static double *scale_of(double *scales, int direction, int class)
{
    return scales + SCALES + (ptrdiff_t)(direction * CLASSES + class) * SEPARATIONS_MOST;
}

static double per_rms(double square)
{
    return square > 0 ? COUNT_PER_RMS / sqrt(square) : 0;
}

/* Finds the widths of the bins. They are in units of root mean squares of this flow; for increments the root
 * mean square is over all components of the class. */
static void find_scales(const struct box_increments *t, const double vorticity[3],
                        const struct box_spectra *spectra, const double *spectrum, double *scales)
{
    for (int c = 0; c < COMPONENTS; ++c) {
        scales[c] = box_spectra_mean(spectra, spectrum, c);
        scales[COMPONENTS + c] = per_rms(box_spectra_variance(spectra, spectrum, c));
        scales[2 * COMPONENTS + c] = per_rms(vorticity[c]);
    }
    for (int d = 0; d < DIRECTIONS; ++d) {
        for (int r = 0; r < t->separations[d].counted; ++r) {
            double square[CLASSES] = {0, 0};
            for (int c = 0; c < COMPONENTS; ++c)
                square[class_of(c, d)] +=
                    box_spectra_increment(spectra, spectrum, c, d, t->separations[d].given[r]);
            scale_of(scales, d, ALONG)[r] = per_rms(square[ALONG]);
            scale_of(scales, d, ACROSS)[r] = per_rms(square[ACROSS] / 2);
        }
    }
}

static kol_status share_scales(struct box_increments *t, const double vorticity[3],
                               const struct box_spectra *spectra, const double *spectrum)
{
    const int scales = SCALES + DIRECTIONS * CLASSES * SEPARATIONS_MOST;
    memset(t->own_scale, 0, (size_t)scales * sizeof *t->own_scale);
    if (t->comm->rank == 0) find_scales(t, vorticity, spectra, spectrum, t->own_scale);
    if (t->comm->size > 1) MPI_TRY(MPI_Bcast(t->own_scale, scales, MPI_DOUBLE, 0, t->comm->mpi));
    return mem_to_kernel(t->scale, t->own_scale, (size_t)scales * sizeof *t->scale);
}

/* Place of the counts of a direction and class, which follow those of the fields. */
static ptrdiff_t counts_at(const struct box_increments *t, int direction, int class)
{
    ptrdiff_t at = FIELD_COUNTS;
    for (int d = 0; d < direction; ++d) at += CLASSES * t->separations[d].counted;
    return (at + class * t->separations[direction].counted) * COUNT_SLOTS;
}

static kol_status count_fields(struct box_increments *t, const struct grid *g, real *const vel[3])
{
    struct counted c;
    memset(t->own_counts, 0, (size_t)t->slots * sizeof *t->own_counts);
    TRY(mem_to_kernel(t->counts, t->own_counts, (size_t)t->slots * sizeof *t->counts));
    for (int n = 0; n < COMPONENTS; ++n) {
        c.shift[n] = t->own_scale[n];
        c.scale[n] = t->own_scale[COMPONENTS + n];
        c.scale_vorticity[n] = t->own_scale[2 * COMPONENTS + n];
    }
    return increments_count_fields(g->box, g->m, c, vel, t->counts);
}

static kol_status sum_component(struct box_increments *t, struct box_slabs *slabs, int c, const real *u,
                                double *work[2], ptrdiff_t *at)
{
    TRY(box_slabs_begin(slabs, u, work));
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int class = class_of(c, d);
        if (d > 0) TRY(box_slabs_next(slabs, d - 1, work));
        TRY(increments_sum(t->lines[d], work[0], scale_of(t->scale, d, class), t->part + *at,
                           t->counts + counts_at(t, d, class)));
        *at += sums_of(t, d, t->slab[d].groups);
    }
    return box_slabs_end(slabs);
}

/* Copies the sums of this rank to their places among those of the whole grid; the other places are 0. So the
 * sum over ranks is exact in any order. Counts are whole numbers. */
static void place_own(struct box_increments *t)
{
    const double *from = t->own;
    double *to = t->all;
    memset(t->all, 0, (size_t)t->all_sums * sizeof *t->all);
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int d = 0; d < DIRECTIONS; ++d) {
            const ptrdiff_t own = sums_of(t, d, t->slab[d].groups);
            memcpy(to + sums_of(t, d, t->slab[d].first_group), from, (size_t)own * sizeof *to);
            from += own;
            to += sums_of(t, d, groups_of_grid(t, d));
        }
    }
    for (ptrdiff_t n = 0; n < t->slots; ++n) to[n] = (double)t->own_counts[n];
}

/* Adds group after group, and then the two components of a class. */
static void add_sums(const struct box_increments *t, int d, const double *from, int class, double *value)
{
    const struct separations *s = &t->separations[d];
    const ptrdiff_t each = sums_of(t, d, 1);
    for (ptrdiff_t n = 0; n < each; ++n) {
        double sum = from[n];
        for (int g = 1; g < groups_of_grid(t, d); ++g) sum += from[g * each + n];
        value[s->place[n / INCREMENT_SUMS] * INCREMENT_SUMS + n % INCREMENT_SUMS] +=
            sum / (t->cells * (class == ALONG ? 1 : 2));
    }
}

static void add_up(const struct box_increments *t, double *value)
{
    const double *from = t->all;
    const ptrdiff_t sums = box_increments_values(t) - t->slots;
    double *share = value + sums;
    memset(value, 0, (size_t)sums * sizeof *value);
    for (int c = 0; c < COMPONENTS; ++c) {
        double *to = value;
        for (int d = 0; d < DIRECTIONS; ++d) {
            const ptrdiff_t each = sums_of(t, d, 1);
            const int class = class_of(c, d);
            add_sums(t, d, from, class, to + class * each);
            from += sums_of(t, d, groups_of_grid(t, d));
            to += CLASSES * each;
        }
    }
    for (ptrdiff_t n = 0; n < t->slots; n += COUNT_SLOTS) {
        double all = 0;
        for (int i = 0; i < COUNT_SLOTS; ++i) all += from[n + i];
        for (int i = 0; i < COUNT_SLOTS; ++i) share[n + i] = from[n + i] / all;
    }
}

kol_status box_increments_sample(struct box_increments *t, struct box_slabs *slabs, const struct grid *g,
                                 real *const vel[3], const double vorticity[3],
                                 const struct box_spectra *spectra, const double *spectrum,
                                 double *const work[BOX_INCREMENTS_WORK], double *value)
{
    ptrdiff_t at = 0;
    TRY(share_scales(t, vorticity, spectra, spectrum));
    TRY(count_fields(t, g, vel));
    for (int c = 0; c < COMPONENTS; ++c) {
        double *lines[2] = {work[0], work[1]};
        TRY(sum_component(t, slabs, c, vel[c], lines, &at));
    }
    TRY(mem_to_host(t->own, t->part, (size_t)t->own_sums * sizeof *t->own));
    TRY(mem_to_host(t->own_counts, t->counts, (size_t)t->slots * sizeof *t->own_counts));
    place_own(t);
    if (t->comm->size > 1) {
        const int root = t->comm->rank == 0;
        MPI_TRY(MPI_Reduce(root ? MPI_IN_PLACE : t->all, root ? t->all : NULL, (int)(t->all_sums + t->slots),
                           MPI_DOUBLE, MPI_SUM, 0, t->comm->mpi));
    }
    if (value != NULL) add_up(t, value);
    return KOL_OK;
}

struct lines box_increments_lines(const struct box_increments *t, int direction)
{
    struct lines l = t->lines[direction]; /* the first separation is one spacing */
    l.separations = l.counted = 1;
    return l;
}

/* --- what is made of them --- */

/* Derives from the mean: the moments, by order and then by separation; then, for each set of counts, the
 * densities of the bins and the parts beyond them. */
static void derive(const void *context, const double *mean, double *out)
{
    const struct box_increments *t = context;
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int n = t->separations[d].n;
        for (int class = 0; class < CLASSES; ++class, mean += n * INCREMENT_SUMS, out += n * INCREMENT_SUMS)
            for (int r = 0; r < n; ++r)
                for (int q = 0; q < INCREMENT_SUMS; ++q) out[q * n + r] = mean[r * INCREMENT_SUMS + q];
    }
    const ptrdiff_t sets = t->slots / COUNT_SLOTS;
    double *outside = out + sets * COUNT_BINS;
    for (ptrdiff_t s = 0; s < sets; ++s, mean += COUNT_SLOTS) {
        for (int n = 0; n < COUNT_BINS; ++n) *out++ = mean[1 + n] * COUNT_PER_RMS;
        *outside++ = mean[0] + mean[COUNT_SLOTS - 1];
    }
}

/* --- the file --- */

static const char *const CLASS_NAME[CLASSES] = {"along", "across"};
static const char *const VELOCITY[CLASSES] = {"the velocity along", "the velocities across"};
static const struct netcdf_content_entry MOMENT_WORDS[INCREMENT_SUMS] = {
    [INCREMENT_A1] = {"A1", "|d|", "U"},    [INCREMENT_2] = {"S2", "d^2", "U2"},
    [INCREMENT_3] = {"S3", "d^3", "U3"},    [INCREMENT_A3] = {"A3", "|d|^3", "U3"},
    [INCREMENT_4] = {"S4", "d^4", "U4"},    [INCREMENT_5] = {"S5", "d^5", "U5"},
    [INCREMENT_A5] = {"A5", "|d|^5", "U5"}, [INCREMENT_6] = {"S6", "d^6", "U6"}};
static const struct netcdf_content_entry FIELD_WORDS[FIELD_COUNTS] = {
    {"pdf_velocity",
     "probability density of a velocity component, its mean taken off, over its own root mean square", "1"},
    {"pdf_vorticity", "probability density of a vorticity component over its own root mean square", "1"}};

static void add_axes(struct netcdf_content *p, const struct box_increments *t)
{
    static const char *const R[DIRECTIONS] = {"rx", "ry", "rz"}, *const S[DIRECTIONS] = {"sx", "sy", "sz"};
    const double *at = t->axis;
    netcdf_content_axis(p, (struct stats_axis){"bin", "middle of the bin, in units of the root mean square",
                                               "1", COUNT_BINS, at, NULL, NULL});
    at += COUNT_BINS;
    for (int d = 0; d < DIRECTIONS; at += t->separations[d++].n)
        netcdf_content_axis(p, (struct stats_axis){R[d], "distance of the two points", "L",
                                                   t->separations[d].n, at, NULL, NULL});
    for (int d = 0; d < DIRECTIONS; at += t->separations[d++].counted)
        netcdf_content_axis(p, (struct stats_axis){S[d], "distance of the two points, of the densities", "L",
                                                   t->separations[d].counted, at, NULL, NULL});
}

static void put(struct netcdf_content *p, const char *name, const char *words, const char *unit, int axis,
                int outer, const double *value, const double *error)
{
    const struct netcdf_content_entry e = {name, words, unit};
    struct stats_variable *v = netcdf_content_add(p, e, "", axis, value);
    v->error = error;
    v->outer = outer;
    v->methods = NETCDF_CONTENT_MEAN;
}

static void add_moments(struct netcdf_content *p, const struct box_increments *t, const double **value,
                        const double **error)
{
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS];
    for (int d = 0; d < DIRECTIONS; ++d) {
        for (int c = 0; c < CLASSES; ++c) {
            for (int q = 0; q < INCREMENT_SUMS; ++q) {
                snprintf(name, sizeof name, "%s_%s_%c", MOMENT_WORDS[q].name, CLASS_NAME[c], "xyz"[d]);
                snprintf(words, sizeof words, "mean of %s, d the increment of %s %c over a distance along %c",
                         MOMENT_WORDS[q].long_name, VELOCITY[c], "xyz"[d], "xyz"[d]);
                put(p, name, words, MOMENT_WORDS[q].unit, 1 + d, 0, *value, *error);
                *value += t->separations[d].n;
                *error += t->separations[d].n;
            }
        }
    }
}

/* Writes the densities of increments over one spacing under the name of the velocity gradient, too. */
static void add_gradients(struct netcdf_content *p, int class, int d, const double *value,
                          const double *error)
{
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS];
    snprintf(name, sizeof name, "pdf_gradient_%s_%c", CLASS_NAME[class], "xyz"[d]);
    snprintf(words, sizeof words,
             "probability density of the gradient of %s %c along %c, over its root mean square",
             VELOCITY[class], "xyz"[d], "xyz"[d]);
    put(p, name, words, "1", 0, 0, value, error);
}

static void add_densities(struct netcdf_content *p, const struct box_increments *t, const double *value,
                          const double *error)
{
    const ptrdiff_t beyond = t->slots / COUNT_SLOTS * COUNT_BINS;
    const double *outside = value + beyond, *outside_error = error + beyond;
    char name[NETCDF_CONTENT_NAME - 8], words[NETCDF_CONTENT_WORDS];
    for (int n = 0; n < FIELD_COUNTS; ++n, value += COUNT_BINS, error += COUNT_BINS) {
        put(p, FIELD_WORDS[n].name, FIELD_WORDS[n].long_name, "1", 0, 0, value, error);
        snprintf(name, sizeof name, "outside_%s", FIELD_WORDS[n].name + 4);
        put(p, name, "share of values beyond all bins", "1", -1, 0, outside++, outside_error++);
    }
    for (int d = 0; d < DIRECTIONS; ++d) {
        for (int c = 0; c < CLASSES; ++c) {
            const int n = t->separations[d].counted, axis = 1 + DIRECTIONS + d;
            snprintf(name, sizeof name, "pdf_increment_%s_%c", CLASS_NAME[c], "xyz"[d]);
            snprintf(words, sizeof words,
                     "probability density of the increment of %s %c over a distance along %c, over its root "
                     "mean square",
                     VELOCITY[c], "xyz"[d], "xyz"[d]);
            put(p, name, words, "1", 0, 1 + axis, value, error);
            add_gradients(p, c, d, value, error);
            snprintf(name, sizeof name, "outside_increment_%s_%c", CLASS_NAME[c], "xyz"[d]);
            put(p, name, "share of values beyond all bins", "1", axis, 0, outside, outside_error);
            value += (ptrdiff_t)n * COUNT_BINS;
            error += (ptrdiff_t)n * COUNT_BINS;
            outside += n;
            outside_error += n;
        }
    }
}

/* Adds all variables, from derived values and their errors. */
static void add_all(struct netcdf_content *p, const struct box_increments *t, const double *value,
                    const double *error)
{
    add_moments(p, t, &value, &error);
    add_densities(p, t, value, error);
}

static void add_latest(struct netcdf_content *p, const struct box_increments *t, const double *value)
{
    const int first = p->variables;
    add_all(p, t, value, value);
    for (int n = first; n < p->variables; ++n) {
        p->variable[n].error = NULL;
        p->variable[n].group = NETCDF_CONTENT_LATEST;
        p->variable[n].methods = NETCDF_CONTENT_POINT;
    }
}

kol_status box_increments_netcdf(const struct box_increments *t, const struct batch_means *average,
                                 const double *latest, struct box_spectra_room more,
                                 struct netcdf_content **out)
{
    const int values = box_increments_values(t);
    enum {
        MOMENTS = DIRECTIONS * CLASSES * INCREMENT_SUMS,
        DENSITIES = FIELD_COUNTS + DIRECTIONS * CLASSES,
        GRADIENTS = DIRECTIONS * CLASSES
    };
    TRY(netcdf_content_create(
        NULL, 2 * (MOMENTS + 2 * DENSITIES + GRADIENTS) + NETCDF_CONTENT_SAMPLES + more.variables,
        4 * (ptrdiff_t)values + more.sample + more.numbers + NETCDF_CONTENT_SAMPLES, out));
    struct netcdf_content *p = *out;
    double *value = netcdf_content_numbers(p, values), *error = netcdf_content_numbers(p, values),
           *now = netcdf_content_numbers(p, values), *mean = netcdf_content_numbers(p, values + more.sample);
    batch_means_mean(average, mean);
    derive(t, mean, value);
    derive(t, latest, now);
    TRY(batch_means_errors(average, derive, t, values, error));
    add_axes(p, t);
    netcdf_content_text(
        p, "title", "probability densities and structure functions of a periodic box, averaged over time");
    netcdf_content_text(p, "scaling",
                        "densities are of values over their root mean square in each sample; "
                        "_error: standard error, from batch means");
    add_all(p, t, value, error);
    add_latest(p, t, now);
    netcdf_content_samples(p, average);
    return KOL_OK;
}

void box_increments_print(FILE *out)
{
    fputs("| variable | over | unit | what |\n| --- | --- | --- | --- |\n", out);
    for (int c = 0; c < CLASSES; ++c)
        for (int q = 0; q < INCREMENT_SUMS; ++q)
            fprintf(
                out,
                "| `%s_%s_x`, `_y`, `_z` | `rx`, `ry`, `rz` | %s | mean of %s, d the increment of the %s |\n",
                MOMENT_WORDS[q].name, CLASS_NAME[c], MOMENT_WORDS[q].unit, MOMENT_WORDS[q].long_name,
                c == ALONG ? "velocity along the distance" : "velocities across the distance");
    for (int n = 0; n < FIELD_COUNTS; ++n)
        fprintf(out, "| `%s` | `bin` | %s | %s |\n", FIELD_WORDS[n].name, FIELD_WORDS[n].unit,
                FIELD_WORDS[n].long_name);
    for (int c = 0; c < CLASSES; ++c)
        fprintf(out,
                "| `pdf_gradient_%s_x`, `_y`, `_z` | `bin` | 1 | probability density of the gradient of the "
                "%s |\n",
                CLASS_NAME[c],
                c == ALONG ? "velocity along the direction" : "velocities across the direction");
    for (int c = 0; c < CLASSES; ++c)
        fprintf(
            out,
            "| `pdf_increment_%s_x`, `_y`, `_z` | `sx`, `sy`, `sz`; `bin` | 1 | probability density of the "
            "increment |\n",
            CLASS_NAME[c]);
    fputs("| `outside_...` | `sx`, `sy`, `sz` | 1 | share of values beyond all bins |\n", out);
}
