/* Computes means, covariances and their errors in every cell, and writes averages.h5. */
#include "cell_averages_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/scalars.h"
#include "io/fields.h"
#include "cell_lines.h"
#include "parallel/watchdog.h"

/* quantity: the mean of a value, or a factor times the sum of covariances.
 *
 *   sums     the sums from which it is computed: one for a mean; three for each covariance, which are the sum
 *            of the product and the sums of its two factors
 *   terms    number of covariances; 0: it is the mean of a value
 *   factor   1, or 1/2 for the kinetic energy */
enum { TERMS_MOST = 3, RAW_MOST = 3 * TERMS_MOST };
struct quantity {
    int terms;
    double factor;
    int sum[RAW_MOST];
};
enum {
    MEAN_U,
    MEAN_V,
    MEAN_W,
    MEAN_P,
    COV_UU,
    COV_VV,
    COV_WW,
    COV_UV,
    COV_UW,
    COV_VW,
    COV_PP,
    COV_UP,
    COV_VP,
    COV_WP,
    TURBULENT_ENERGY,
    MEAN_DISSIPATION
};
static const struct quantity QUANTITY[] = {
    [MEAN_U] = {0, 1, {CELL_U}},
    [MEAN_V] = {0, 1, {CELL_V}},
    [MEAN_W] = {0, 1, {CELL_W}},
    [MEAN_P] = {0, 1, {CELL_P}},
    [COV_UU] = {1, 1, {CELL_UU, CELL_U, CELL_U}},
    [COV_VV] = {1, 1, {CELL_VV, CELL_V, CELL_V}},
    [COV_WW] = {1, 1, {CELL_WW, CELL_W, CELL_W}},
    [COV_UV] = {1, 1, {CELL_UV, CELL_U, CELL_V}},
    [COV_UW] = {1, 1, {CELL_UW, CELL_U, CELL_W}},
    [COV_VW] = {1, 1, {CELL_VW, CELL_V, CELL_W}},
    [COV_PP] = {1, 1, {CELL_PP, CELL_P, CELL_P}},
    [COV_UP] = {1, 1, {CELL_UP, CELL_U, CELL_P}},
    [COV_VP] = {1, 1, {CELL_VP, CELL_V, CELL_P}},
    [COV_WP] = {1, 1, {CELL_WP, CELL_W, CELL_P}},
    [TURBULENT_ENERGY] = {3,
                          0.5,
                          {CELL_UU, CELL_U, CELL_U, CELL_VV, CELL_V, CELL_V, CELL_WW, CELL_W, CELL_W}},
    [MEAN_DISSIPATION] = {0, 1, {CELL_DISSIPATION}}};

/* array: a dataset of the file, of one or three quantities: `first` of QUANTITY and those behind it, or
 * `of` if that is not NULL. */
struct array {
    const char *name, *long_name, *unit;
    int count, first;
    const struct quantity *of;
};
static const struct array ARRAY[] = {
    {"velocity", "mean velocity", "U", 3, MEAN_U, NULL},
    {"pressure", "mean pressure over density", "U2", 1, MEAN_P, NULL},
    {"uu", "variance of the velocity along x", "U2", 1, COV_UU, NULL},
    {"vv", "variance of the velocity along y", "U2", 1, COV_VV, NULL},
    {"ww", "variance of the velocity along z", "U2", 1, COV_WW, NULL},
    {"uv", "covariance of the velocities along x and y", "U2", 1, COV_UV, NULL},
    {"uw", "covariance of the velocities along x and z", "U2", 1, COV_UW, NULL},
    {"vw", "covariance of the velocities along y and z", "U2", 1, COV_VW, NULL},
    {"k", "turbulent kinetic energy", "U2", 1, TURBULENT_ENERGY, NULL},
    {"dissipation", "mean dissipation of kinetic energy, of the mean flow and of the turbulence", "U3/L", 1,
     MEAN_DISSIPATION, NULL},
    {"pp", "variance of the pressure over density", "U4", 1, COV_PP, NULL},
    {"up", "covariance of the velocity along x and the pressure over density", "U3", 1, COV_UP, NULL},
    {"vp", "covariance of the velocity along y and the pressure over density", "U3", 1, COV_VP, NULL},
    {"wp", "covariance of the velocity along z and the pressure over density", "U3", 1, COV_WP, NULL}};
enum { ARRAYS = sizeof ARRAY / sizeof *ARRAY };

/* The arrays of a scalar. The names are what follows that of the scalar. */
enum { SCALAR_MEAN, SCALAR_VARIANCE, SCALAR_U, SCALAR_V, SCALAR_W, OF_SCALAR };
static const struct {
    const char *name, *words, *unit;
    int power; /* of the scalar's unit */
} SCALAR_ARRAY[OF_SCALAR] = {[SCALAR_MEAN] = {"", "mean", "", 1},
                             [SCALAR_VARIANCE] = {"_variance", "variance", "", 2},
                             [SCALAR_U] = {"_u", "covariance with the velocity along x", " U", 1},
                             [SCALAR_V] = {"_v", "covariance with the velocity along y", " U", 1},
                             [SCALAR_W] = {"_w", "covariance with the velocity along z", " U", 1}};

/* scalar_array: an array of a scalar with its words. */
struct scalar_array {
    char name[64], words[128], unit[64];
    struct quantity quantity;
    struct array array;
};

static void scalar_array_make(const struct input *in, int n, int which, struct scalar_array *out)
{
    const int first = CELL_AVERAGE_SUMS + n * CELL_SCALAR_SUMS, t = first + CELL_T;
    const char *name = in->scalars.name[n], *own = in->scalars.unit[n];
    snprintf(out->name, sizeof out->name, "%.*s%s", SCALAR_NAME, name, SCALAR_ARRAY[which].name);
    snprintf(out->words, sizeof out->words, "%s of %.*s", SCALAR_ARRAY[which].words, SCALAR_NAME, name);
    const char *rest = SCALAR_ARRAY[which].unit;
    scalar_unit(own, SCALAR_ARRAY[which].power, rest + (rest[0] == ' '), out->unit, sizeof out->unit);
    out->quantity =
        which == SCALAR_MEAN ? (struct quantity){0, 1, {t}}
        : which == SCALAR_VARIANCE
            ? (struct quantity){1, 1, {first + CELL_TT, t, t}}
            : (struct quantity){1, 1, {first + CELL_UT + which - SCALAR_U, CELL_U + which - SCALAR_U, t}};
    out->array = (struct array){out->name, out->words, out->unit, 1, 0, &out->quantity};
}

/* work: what the arrays are computed from, plane by plane.
 *
 *   lines    the directions along which averages are taken in addition to time
 *   plane    number of values in a plane of the averages; planes: number of planes on this rank
 *   raw      sums of all slots in a plane: raw[(slot * RAW_MOST + s) * plane + i]
 *   value    a quantity, computed from the mean without batch 0, without batch 1, and so on, and at the end
 *            from the mean over all batches
 *   out      slab that goes to the file; with averages along directions all values of this rank
 *   fluid    with averages along directions: volume of the fluid that each average contains, divided by the
 *            area of its cell across these directions; otherwise NULL
 *   solid    whether a value of the plane contains no fluid
 *   open     open faces of the cells of a plane
 *   slot, q  the sum that is being averaged along directions */
struct work {
    struct cell_averages *averages;
    const struct batch_means *numbers;
    struct cell_lines lines;
    ptrdiff_t plane;
    int planes;
    int used, batches; /* slots with samples, complete batches of errors */
    double *raw, *value, *error, *out, *fluid;
    unsigned char *open, *solid;
    int slot, q;
    const struct array *array; /* that is being written */
    int errors;                /* whether its errors are written */
};

/* sizes: numbers of values of the arrays of struct work. */
struct sizes {
    size_t raw, value, error, out, fluid, open;
};

static struct sizes sizes_of(const struct cell_averages *c, const struct cell_lines *l)
{
    const struct box b = c->domain->grid.box;
    const size_t plane = (size_t)l->n[X] * (size_t)l->n[Y], slots = (size_t)c->slots,
                 all = plane * (size_t)l->n[Z];
    return (struct sizes){slots * RAW_MOST * plane,
                          (slots + 1) * plane,
                          plane,
                          3 * (l->several > 0 ? all : (size_t)c->planes * plane),
                          l->several > 0 ? all : 1,
                          (size_t)b.sz};
}

void cell_averages_count_file(struct memory *memory, const struct cell_averages *c)
{
    struct cell_lines l;
    struct memory file = {.host = 0};
    cell_lines_set(c->domain, &l);
    const struct sizes n = sizes_of(c, &l);
    file.host = (n.raw + n.value + n.error + n.out + n.fluid) * sizeof(double) + n.open + n.error;
    if (l.several > 0) cell_lines_count(&file, c->domain);
    memory_for_a_while(memory, &file);
}

static kol_status work_create(struct cell_averages *c, const struct batch_means *numbers, struct work *w)
{
    memset(w, 0, sizeof *w);
    w->averages = c;
    w->numbers = numbers;
    w->used = cell_averages_used(c, numbers);
    w->batches = c->batches > 0 ? batch_means_count(numbers) : 0;
    if (w->batches < BATCH_MEANS_LEAST) w->batches = 0;
    TRY(cell_lines_create(c->domain, &w->lines));
    w->plane = (ptrdiff_t)w->lines.n[X] * w->lines.n[Y];
    w->planes = w->lines.n[Z];
    const struct sizes n = sizes_of(c, &w->lines);
    w->raw = malloc(n.raw * sizeof *w->raw);
    w->value = malloc(n.value * sizeof *w->value);
    w->error = malloc(n.error * sizeof *w->error);
    w->out = malloc(n.out * sizeof *w->out);
    w->fluid = malloc(n.fluid * sizeof *w->fluid);
    w->open = malloc(n.open);
    w->solid = malloc(n.error);
    if (w->raw == NULL || w->value == NULL || w->error == NULL || w->out == NULL || w->fluid == NULL ||
        w->open == NULL || w->solid == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory to write averages of %td cells in a plane", w->plane);
    return KOL_OK;
}

static void work_destroy(struct work *w)
{
    free(w->raw);
    free(w->value);
    free(w->error);
    free(w->out);
    free(w->fluid);
    free(w->open);
    free(w->solid);
    cell_lines_destroy(&w->lines);
}

/* Computes the quantity from means of the sums: mean[s] is that of sum number s of the quantity. */
static double quantity_of(const struct quantity *q, const double mean[RAW_MOST])
{
    double all = 0;
    if (q->terms == 0) return mean[0];
    for (int t = 0; t < q->terms; ++t) all += mean[3 * t] - mean[3 * t + 1] * mean[3 * t + 2];
    return q->factor * all;
}

static int sums_of(const struct quantity *q)
{
    return q->terms == 0 ? 1 : 3 * q->terms;
}

static double *raw_at(const struct work *w, int slot, int s)
{
    return w->raw + ((ptrdiff_t)slot * RAW_MOST + s) * w->plane;
}

/* Computes the quantity from all samples. */
static void mean_of(const struct work *w, const struct quantity *q, double *value)
{
    const double weight = batch_means_weight(w->numbers);
    for (ptrdiff_t i = 0; i < w->plane; ++i) {
        double mean[RAW_MOST];
        for (int s = 0; s < sums_of(q); ++s) {
            double all = 0;
            for (int slot = 0; slot < w->used; ++slot) all += raw_at(w, slot, s)[i];
            mean[s] = all / weight;
        }
        value[i] = quantity_of(q, mean);
    }
}

/* Computes its standard error, by the jackknife over the complete batches. */
static void error_of(const struct work *w, const struct quantity *q, double *error)
{
    const double *weight = batch_means_weights(w->numbers);
    const int n = w->batches;
    double all_weight = 0;
    for (int m = 0; m < n; ++m) all_weight += weight[m];
    for (ptrdiff_t i = 0; i < w->plane; ++i) {
        double all[RAW_MOST] = {0}, mean[RAW_MOST];
        for (int s = 0; s < sums_of(q); ++s)
            for (int m = 0; m < n; ++m) all[s] += raw_at(w, m, s)[i];
        for (int m = 0; m <= n; ++m) {
            for (int s = 0; s < sums_of(q); ++s)
                mean[s] =
                    m == n ? all[s] / all_weight : (all[s] - raw_at(w, m, s)[i]) / (all_weight - weight[m]);
            w->value[m * w->plane + i] = quantity_of(q, mean);
        }
    }
    batch_means_errors_of(w->numbers, w->plane, w->value, w->plane, error);
}

/* --- planes of values --- */

/* Finds which cells of own plane k are solid. *solid: NULL if there are no bodies. */
static kol_status find_solid(const struct work *w, int k, const unsigned char **open)
{
    const struct grid *g = &w->averages->domain->grid;
    const struct box b = g->box;
    *open = NULL;
    if (g->open == NULL) return KOL_OK;
    TRY(mem_to_host(w->open, g->open + at(b, 0, 0, k), (size_t)((b.ny - 1) * b.sy + b.nx)));
    *open = w->open;
    return KOL_OK;
}

static int is_solid(const struct work *w, const unsigned char *open, ptrdiff_t i)
{
    const struct box b = w->averages->domain->grid.box;
    return open != NULL && open[i / b.nx * b.sy + i % b.nx] == 0;
}

/* get_fluid: 1 in cells of the fluid, 0 in others. get_sum: a sum of a slot. */
static kol_status get_fluid(void *work, int k, double *plane)
{
    const struct work *w = work;
    const struct box b = w->averages->domain->grid.box;
    const unsigned char *open;
    TRY(find_solid(w, k, &open));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)b.nx * b.ny; ++i) plane[i] = !is_solid(w, open, i);
    return KOL_OK;
}

static kol_status get_sum(void *work, int k, double *plane)
{
    const struct work *w = work;
    return cell_averages_get(w->averages, w->slot, w->q, k, 1, plane);
}

static kol_status find_fluid(struct work *w)
{
    for (int k = 0; k < w->planes && w->lines.several > 0; ++k)
        TRY(cell_lines_sum(&w->lines, k, 1, get_fluid, w, w->fluid + k * w->plane));
    return KOL_OK;
}

/* Divides sums along directions in plane k by the volume of the fluid. */
static void over_fluid(const struct work *w, int k, double *sum)
{
    const double *fluid = w->fluid + k * w->plane;
    for (ptrdiff_t i = 0; i < w->plane; ++i) sum[i] = fluid[i] > 0 ? sum[i] / fluid[i] : 0;
}

/* Fetches the sums of a quantity in plane k. */
static kol_status fetch(struct work *w, const struct quantity *q, int k)
{
    for (int slot = 0; slot < w->used; ++slot)
        for (int s = 0; s < sums_of(q); ++s) {
            double *to = raw_at(w, slot, s);
            w->slot = slot;
            w->q = q->sum[s];
            TRY(w->lines.several > 0 ? cell_lines_sum(&w->lines, k, 1, get_sum, w, to) : get_sum(w, k, to));
            if (w->lines.several > 0 && w->lines.holds) over_fluid(w, k, to);
        }
    return KOL_OK;
}

/* Finds which values of plane k have no fluid behind them. */
static kol_status fetch_solid(struct work *w, int k)
{
    const unsigned char *open;
    if (w->lines.several > 0) {
        for (ptrdiff_t i = 0; i < w->plane; ++i) w->solid[i] = !(w->fluid[k * w->plane + i] > 0);
        return KOL_OK;
    }
    TRY(find_solid(w, k, &open));
    for (ptrdiff_t i = 0; i < w->plane; ++i) w->solid[i] = (unsigned char)is_solid(w, open, i);
    return KOL_OK;
}

/* Computes an array, or its errors, in a slab of planes. */
static kol_status pass_array(void *work, int first, int count)
{
    struct work *w = work;
    const struct array *a = w->array;
    watchdog_phase(NULL);
    for (int k = 0; k < count; ++k) {
        double *to = w->out + k * w->plane * a->count;
        if (w->lines.holds) TRY(fetch_solid(w, first + k));
        for (int n = 0; n < a->count; ++n) {
            const struct quantity *q = a->of != NULL ? a->of : &QUANTITY[a->first + n];
            TRY(fetch(w, q, first + k));
            if (!w->lines.holds) continue;
            if (w->errors) error_of(w, q, w->error);
            else mean_of(w, q, w->error);
            for (ptrdiff_t i = 0; i < w->plane; ++i) to[i * a->count + n] = w->solid[i] ? NAN : w->error[i];
        }
    }
    return KOL_OK;
}

/* The number of samples of each cell, or along each line of cells. */
static kol_status pass_samples(void *work, int first, int count)
{
    struct work *w = work;
    const double samples = (double)batch_means_samples(w->numbers);
    for (int k = 0; k < count; ++k) {
        double *to = w->out + k * w->plane;
        TRY(w->lines.several > 0 ? cell_lines_sum(&w->lines, first + k, 0, get_fluid, w, to)
                                 : get_fluid(w, first + k, to));
        for (ptrdiff_t i = 0; i < w->plane && w->lines.holds; ++i) to[i] *= samples;
    }
    return KOL_OK;
}

/* The share of the fluid in the volume that is averaged over. */
static kol_status pass_share(void *work, int first, int count)
{
    const struct work *w = work;
    for (ptrdiff_t i = 0; i < count * w->plane && w->lines.holds; ++i)
        w->out[i] = w->fluid[first * w->plane + i] / w->lines.length;
    return KOL_OK;
}

/* The mean over the whole volume, in which solids count as 0. */
static kol_status pass_superficial(void *work, int first, int count)
{
    struct work *w = work;
    const int values = w->array->count;
    TRY(pass_array(w, first, count));
    for (ptrdiff_t i = 0; i < count * w->plane * values && w->lines.holds; ++i) {
        const double fluid = w->fluid[first * w->plane + i / values];
        w->out[i] = fluid > 0 ? w->out[i] * fluid / w->lines.length : 0;
    }
    return KOL_OK;
}

/* added: one array of the file. */
struct added {
    const char *name, *long_name, *unit, *method;
    int ncomp;
    kol_status (*pass)(void *, int, int);
};

static struct io_view view_of(struct work *w, const struct added *a)
{
    const struct cell_lines *l = &w->lines;
    struct io_view v = cell_averages_view(w->averages, 0, a->name);
    v.long_name = a->long_name;
    v.unit = a->unit;
    v.ncomp = a->ncomp;
    v.bytes = (int)sizeof *w->out;
    v.data = w->out;
    v.planes.context = w;
    v.planes.pass = a->pass;
    if (l->several == 0) return v;
    v.planes = (struct io_planes){.most = 0};
    for (int d = 0; d < 3; ++d) {
        if (l->along[d]) v.n_g[d] = 1, v.offset[d] = 0;
        v.n[d] = l->holds ? l->n[d] : 0;
        if (!l->holds) v.offset[d] = 0;
    }
    return v;
}

/* Writes "time: mean", or with directions "time: y: mean". */
static void write_methods(const struct work *w, const char *method, char *text, size_t size)
{
    int used = snprintf(text, size, "time: ");
    for (int d = 0; d < 3; ++d)
        if (w->lines.along[d]) used += snprintf(text + used, size - (size_t)used, "%c: ", "xyz"[d]);
    snprintf(text + used, size - (size_t)used, "%s", method);
}

static kol_status add(struct work *w, const struct added *a, struct fields_file *file)
{
    char methods[64];
    if (w->lines.several > 0) TRY(a->pass(w, 0, w->planes));
    TRY(fields_add(file, view_of(w, a)));
    if (a->method == NULL) return KOL_OK;
    write_methods(w, a->method, methods, sizeof methods);
    TRY(fields_text(file, a->name, "units", "1")); /* the values are in units of the run */
    TRY(fields_text(file, a->name, "scaling", a->unit));
    return fields_text(file, a->name, "cell_methods", methods);
}

/* Adds one array: the means, or their errors. */
static kol_status add_array(struct work *w, const struct array *a, int errors, struct fields_file *file)
{
    char name[80], words[160];
    snprintf(name, sizeof name, "%s%s", a->name, errors ? "_error" : "");
    snprintf(words, sizeof words, "%s%s", errors ? "standard error of the " : "", a->long_name);
    w->array = a;
    w->errors = errors;
    const struct added array = {name,     words,     a->unit, errors ? "standard_error" : "mean",
                                a->count, pass_array};
    return add(w, &array, file);
}

static kol_status add_scalars(struct work *w, struct fields_file *file)
{
    const struct input *in = w->averages->domain->in;
    for (int errors = 0; errors < (w->batches > 0 ? 2 : 1); ++errors)
        for (int n = 0; n < w->averages->scalars; ++n)
            for (int which = 0; which < OF_SCALAR; ++which) {
                struct scalar_array a;
                scalar_array_make(in, n, which, &a);
                TRY(add_array(w, &a.array, errors, file));
            }
    return KOL_OK;
}

/* Adds what there is of bodies in averages along directions. */
static kol_status add_bodies(struct work *w, struct fields_file *file)
{
    const struct added share = {
        "fluid_share", "share of the fluid in the volume that is averaged over", "1", "mean", 1, pass_share};
    if (w->lines.several == 0 || w->averages->domain->grid.open == NULL) return KOL_OK;
    TRY(add(w, &share, file));
    w->errors = 0;
    for (int n = 0; n < 2; ++n) {
        char name[48], words[160];
        const struct array *a = w->array = &ARRAY[n];
        snprintf(name, sizeof name, "%s_superficial", a->name);
        snprintf(words, sizeof words, "superficial %s, over fluid and solid", a->long_name);
        const struct added array = {name, words, a->unit, "mean", a->count, pass_superficial};
        TRY(add(w, &array, file));
    }
    return KOL_OK;
}

static kol_status add_sums(struct work *w, struct fields_file *file)
{
    char name[CELL_NAME];
    for (int slot = CELL_LATEST; slot < w->used; ++slot) {
        watchdog_phase(NULL);
        TRY(fields_add_sums(file, cell_averages_view(w->averages, slot, cell_averages_name(slot, name))));
    }
    return KOL_OK;
}

/* Adds the numbers of the average, which rank 0 writes. */
static kol_status add_state(const struct work *w, struct fields_file *file)
{
    const struct cell_averages *c = w->averages;
    const int size = cell_averages_numbers_size(c->batches);
    double *state = calloc((size_t)size, sizeof *state);
    if (state == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the numbers of averages");
    cell_averages_pack(w->numbers, state);
    const kol_status st =
        fields_add_sums(file, io_view_list("numbers", "numbers of samples and batches, weights", size,
                                           c->domain->comm.rank == 0 ? state : NULL));
    free(state);
    return st;
}

static kol_status add_numbers(const struct work *w, struct fields_file *file)
{
    const struct batch_means *b = w->numbers;
    TRY(fields_number(file, "n_samples", (double)batch_means_samples(b)));
    TRY(fields_number(file, "t_start", batch_means_begin(b)));
    TRY(fields_number(file, "t_end", batch_means_end(b)));
    TRY(fields_number(file, "averaging_time", batch_means_time(b)));
    TRY(fields_number(file, "weight", batch_means_weight(b)));
    TRY(fields_number(file, "batches", w->averages->batches));
    TRY(fields_number(file, "n_batches", w->averages->batches > 0 ? batch_means_count(b) : 0));
    return fields_number(file, "batch_length", w->averages->batches > 0 ? (double)batch_means_length(b) : 0);
}

static kol_status add_all(struct work *w, struct fields_file *file)
{
    static const struct added SAMPLES = {"samples",   "number of samples, 0 in solids", "1", NULL, 1,
                                         pass_samples};
    char directions[4] = "";
    for (int d = 0, n = 0; d < 3; ++d)
        if (w->lines.along[d]) directions[n++] = "xyz"[d];
    TRY(fields_text(file, "/", "directions", directions));
    TRY(add_numbers(w, file));
    TRY(add_state(w, file));
    TRY(add_sums(w, file)); /* first, because they are checked */
    TRY(find_fluid(w));
    TRY(add(w, &SAMPLES, file));
    for (int n = 0; n < ARRAYS; ++n) TRY(add_array(w, &ARRAY[n], 0, file));
    for (int n = 0; n < ARRAYS && w->batches > 0; ++n) TRY(add_array(w, &ARRAY[n], 1, file));
    TRY(add_scalars(w, file));
    return add_bodies(w, file);
}

static kol_status write_file(struct work *w, long long step, const struct io_text *text, int texts)
{
    const struct domain *domain = w->averages->domain;
    const struct input *in = domain->in;
    struct fields_file *file = NULL;
    struct io_axis axis[3];
    double ends[3][2];
    cell_lines_axes(&w->lines, ends, axis);
    TRY(fields_begin_averages(domain->comm.mpi, in->output.directory, step, batch_means_end(w->numbers), axis,
                              in->output.field_precision == PRECISION_SINGLE, text, texts, &file));
    kol_status st = fields_compress(file, in->output.compression);
    if (st == KOL_OK) st = add_all(w, file);
    if (st == KOL_OK) return fields_end(&file, NULL);
    if (status_agreed()) fields_give_up(&file);
    return st;
}

kol_status cell_averages_write(struct cell_averages *c, const struct batch_means *numbers, long long step,
                               const struct io_text *text, int texts)
{
    struct work w;
    kol_status st = comm_agree(&c->domain->comm, work_create(c, numbers, &w));
    if (st == KOL_OK) st = write_file(&w, step, text, texts);
    work_destroy(&w);
    return st;
}

void cell_averages_print(FILE *out)
{
    fputs("| variable | unit | what |\n| --- | --- | --- |\n", out);
    for (int n = 0; n < ARRAYS; ++n)
        fprintf(out, "| `%s`, `_error` | %s | %s%s |\n", ARRAY[n].name, ARRAY[n].unit, ARRAY[n].long_name,
                ARRAY[n].count == 3 ? ", three components" : "");
    for (int which = 0; which < OF_SCALAR; ++which)
        fprintf(out, "| `T%s`, `_error` | own%s%s | of the scalar `T`: %s |\n", SCALAR_ARRAY[which].name,
                SCALAR_ARRAY[which].power == 2 ? "2" : "", SCALAR_ARRAY[which].unit,
                SCALAR_ARRAY[which].words);
    fputs("| `samples` | 1 | number of samples, 0 in solids |\n", out);
}
