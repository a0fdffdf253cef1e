/* Computes means, covariances and their errors in every cell, and writes averages.h5. */
#include "cell_averages_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/fields.h"
#include "parallel/watchdog.h"

/* quantity: the mean of a value, or half the sum or the sum of covariances.
 *
 *   sums   the sums that it is made of. A mean is made of one; each covariance of three: that of the product,
 *          and those of its two factors
 *   terms  number of covariances; 0: it is the mean of a value
 *   factor of their sum */
enum { TERMS_MOST = 3, RAW_MOST = 3 * TERMS_MOST };
struct quantity {
    int terms;
    double factor;
    enum cell_average_sum sum[RAW_MOST];
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
    TURBULENT_ENERGY
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
    [TURBULENT_ENERGY] = {
        3, 0.5, {CELL_UU, CELL_U, CELL_U, CELL_VV, CELL_V, CELL_V, CELL_WW, CELL_W, CELL_W}}};

/* array: a dataset of the file, of one or three quantities. */
struct array {
    const char *name, *long_name, *unit;
    int count, first;
};
static const struct array ARRAY[] = {
    {"velocity", "mean velocity", "U", 3, MEAN_U},
    {"pressure", "mean pressure over density", "U2", 1, MEAN_P},
    {"uu", "variance of the velocity along x", "U2", 1, COV_UU},
    {"vv", "variance of the velocity along y", "U2", 1, COV_VV},
    {"ww", "variance of the velocity along z", "U2", 1, COV_WW},
    {"uv", "covariance of the velocities along x and y", "U2", 1, COV_UV},
    {"uw", "covariance of the velocities along x and z", "U2", 1, COV_UW},
    {"vw", "covariance of the velocities along y and z", "U2", 1, COV_VW},
    {"k", "turbulent kinetic energy", "U2", 1, TURBULENT_ENERGY},
    {"pp", "variance of the pressure over density", "U4", 1, COV_PP},
    {"up", "covariance of the velocity along x and the pressure over density", "U3", 1, COV_UP},
    {"vp", "covariance of the velocity along y and the pressure over density", "U3", 1, COV_VP},
    {"wp", "covariance of the velocity along z and the pressure over density", "U3", 1, COV_WP}};
enum { ARRAYS = sizeof ARRAY / sizeof *ARRAY };

/* work: what the arrays are computed from, plane by plane.
 *
 *   plane    cells of a plane
 *   raw      sums of all slots in a plane: raw[(slot * RAW_MOST + s) * plane + i]
 *   value    quantity of each mean without one batch, behind them that of the mean over all batches
 *   out      slab that goes to the file
 *   solid    whether cells are solid, or NULL */
struct work {
    struct cell_averages *averages;
    const struct batch_means *numbers;
    ptrdiff_t plane;
    int used, batches; /* slots with samples, complete batches of errors */
    double *raw, *value, *error, *out;
    unsigned char *open;
    const struct array *array; /* that is being written */
    int errors;                /* whether its errors are written */
};

/* sizes: numbers of values of the arrays of struct work. */
struct sizes {
    size_t raw, value, error, out, open;
};

static struct sizes sizes_of(const struct cell_averages *c)
{
    const struct box b = c->domain->grid.box;
    const size_t plane = (size_t)b.nx * (size_t)b.ny, slots = (size_t)c->slots;
    return (struct sizes){slots * RAW_MOST * plane, (slots + 1) * plane, plane, (size_t)c->planes * plane * 3,
                          (size_t)b.sz};
}

void cell_averages_count_file(struct memory *memory, const struct cell_averages *c)
{
    const struct sizes n = sizes_of(c);
    struct memory file = {.host = 0};
    file.host = (n.raw + n.value + n.error + n.out) * sizeof(double) + n.open;
    memory_for_a_while(memory, &file);
}

static kol_status work_create(struct cell_averages *c, const struct batch_means *numbers, struct work *w)
{
    const struct box b = c->domain->grid.box;
    memset(w, 0, sizeof *w);
    w->averages = c;
    w->numbers = numbers;
    w->plane = (ptrdiff_t)b.nx * b.ny;
    w->used = cell_averages_used(c, numbers);
    w->batches = c->batches > 0 ? batch_means_count(numbers) : 0;
    if (w->batches < BATCH_MEANS_LEAST) w->batches = 0;
    const struct sizes n = sizes_of(c);
    w->raw = malloc(n.raw * sizeof *w->raw);
    w->value = malloc(n.value * sizeof *w->value);
    w->error = malloc(n.error * sizeof *w->error);
    w->out = malloc(n.out * sizeof *w->out);
    w->open = malloc(n.open);
    if (w->raw == NULL || w->value == NULL || w->error == NULL || w->out == NULL || w->open == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory to write averages of %td cells in a plane", w->plane);
    return KOL_OK;
}

static void work_destroy(struct work *w)
{
    free(w->raw);
    free(w->value);
    free(w->error);
    free(w->out);
    free(w->open);
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

/* Fetches the sums of a quantity in plane k. */
static kol_status fetch(const struct work *w, const struct quantity *q, int k)
{
    for (int slot = 0; slot < w->used; ++slot)
        for (int s = 0; s < sums_of(q); ++s)
            TRY(cell_averages_get(w->averages, slot, (int)q->sum[s], k, 1, raw_at(w, slot, s)));
    return KOL_OK;
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

/* Copies the open faces of the cells of plane k. *open: NULL if there are no bodies. */
static kol_status fetch_open(const struct work *w, int k, const unsigned char **open)
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

/* Computes an array, or its errors, in a slab of planes. */
static kol_status pass_array(void *work, int first, int count)
{
    const struct work *w = work;
    const struct array *a = w->array;
    const unsigned char *open;
    watchdog_phase(NULL);
    for (int k = 0; k < count; ++k) {
        double *to = w->out + k * w->plane * a->count;
        TRY(fetch_open(w, first + k, &open));
        for (int n = 0; n < a->count; ++n) {
            const struct quantity *q = &QUANTITY[a->first + n];
            TRY(fetch(w, q, first + k));
            if (w->errors) error_of(w, q, w->error);
            else mean_of(w, q, w->error);
            for (ptrdiff_t i = 0; i < w->plane; ++i)
                to[i * a->count + n] = is_solid(w, open, i) ? NAN : w->error[i];
        }
    }
    return KOL_OK;
}

/* The number of samples of each cell. */
static kol_status pass_samples(void *work, int first, int count)
{
    const struct work *w = work;
    const double samples = (double)batch_means_samples(w->numbers);
    const unsigned char *open;
    for (int k = 0; k < count; ++k) {
        TRY(fetch_open(w, first + k, &open));
        for (ptrdiff_t i = 0; i < w->plane; ++i)
            w->out[k * w->plane + i] = is_solid(w, open, i) ? 0 : samples;
    }
    return KOL_OK;
}

static struct io_view view_of(struct work *w, const char *name, const char *long_name, const char *unit,
                              int ncomp, kol_status (*pass)(void *, int, int))
{
    struct io_view v = cell_averages_view(w->averages, 0, name);
    v.long_name = long_name;
    v.unit = unit;
    v.ncomp = ncomp;
    v.bytes = (int)sizeof *w->out;
    v.data = w->out;
    v.planes.context = w;
    v.planes.pass = pass;
    return v;
}

/* Adds one array: the means, or their errors. */
static kol_status add_array(struct work *w, const struct array *a, int errors, struct fields_file *file)
{
    char name[32], words[160];
    snprintf(name, sizeof name, "%s%s", a->name, errors ? "_error" : "");
    snprintf(words, sizeof words, "%s%s", errors ? "standard error of the " : "", a->long_name);
    w->array = a;
    w->errors = errors;
    TRY(fields_add(file, view_of(w, name, words, a->unit, a->count, pass_array)));
    TRY(fields_text(file, name, "units", "1")); /* the values are in units of the run */
    TRY(fields_text(file, name, "scaling", a->unit));
    return fields_text(file, name, "cell_methods", errors ? "time: standard_error" : "time: mean");
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
    const int size = cell_averages_numbers_size(c->batches), own = c->domain->comm.rank == 0 ? size : 0;
    double *state = calloc((size_t)size, sizeof *state);
    if (state == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the numbers of averages");
    cell_averages_pack(w->numbers, state);
    const struct io_view v = {.name = "numbers",
                              .long_name = "numbers of samples and batches, weights",
                              .unit = "1",
                              .location = IO_CCC,
                              .ncomp = 1,
                              .n_g = {size, 1, 1},
                              .n = {own, own > 0, own > 0},
                              .bytes = (int)sizeof *state,
                              .data = state};
    const kol_status st = fields_add_sums(file, v);
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
    TRY(add_numbers(w, file));
    TRY(add_state(w, file));
    TRY(add_sums(w, file)); /* first, because they are checked */
    TRY(fields_add(file, view_of(w, "samples", "number of samples, 0 in solids", "1", 1, pass_samples)));
    for (int n = 0; n < ARRAYS; ++n) TRY(add_array(w, &ARRAY[n], 0, file));
    for (int n = 0; n < ARRAYS && w->batches > 0; ++n) TRY(add_array(w, &ARRAY[n], 1, file));
    return KOL_OK;
}

static kol_status write_file(struct work *w, long long step, const struct io_text *text, int texts)
{
    const struct domain *domain = w->averages->domain;
    const struct input *in = domain->in;
    struct fields_file *file = NULL;
    struct io_axis axis[3];
    for (int d = 0; d < 3; ++d) axis[d] = (struct io_axis){domain->decomp.n_g[d], domain->grid.face[d]};
    TRY(fields_begin_averages(domain->comm.mpi, in->output.directory, step, batch_means_end(w->numbers), axis,
                              in->output.field_precision == PRECISION_SINGLE, text, texts, &file));
    const kol_status st = add_all(w, file);
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
    fputs("| `samples` | 1 | number of samples, 0 in solids |\n", out);
}
