/* Computes means, covariances and their errors in every cell, and writes averages.h5. */
#include "cell_averages_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cell_averages_work.h"
#include "inputs/scalars.h"
#include "io/fields.h"
#include "io/unit.h"
#include "parallel/watchdog.h"

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
#define MEAN(value)                                                                                          \
    {                                                                                                        \
        .terms = 0, .factor = 1, .sum = { value }                                                            \
    }
#define COVARIANCE(product, one, other)                                                                      \
    {                                                                                                        \
        .terms = 1, .factor = 1, .sum = { product, one, other }                                              \
    }
static const struct cell_quantity QUANTITY[] = {
    [MEAN_U] = MEAN(CELL_U),
    [MEAN_V] = MEAN(CELL_V),
    [MEAN_W] = MEAN(CELL_W),
    [MEAN_P] = MEAN(CELL_P),
    [COV_UU] = COVARIANCE(CELL_UU, CELL_U, CELL_U),
    [COV_VV] = COVARIANCE(CELL_VV, CELL_V, CELL_V),
    [COV_WW] = COVARIANCE(CELL_WW, CELL_W, CELL_W),
    [COV_UV] = COVARIANCE(CELL_UV, CELL_U, CELL_V),
    [COV_UW] = COVARIANCE(CELL_UW, CELL_U, CELL_W),
    [COV_VW] = COVARIANCE(CELL_VW, CELL_V, CELL_W),
    [COV_PP] = COVARIANCE(CELL_PP, CELL_P, CELL_P),
    [COV_UP] = COVARIANCE(CELL_UP, CELL_U, CELL_P),
    [COV_VP] = COVARIANCE(CELL_VP, CELL_V, CELL_P),
    [COV_WP] = COVARIANCE(CELL_WP, CELL_W, CELL_P),
    [TURBULENT_ENERGY] = {.terms = 3,
                          .factor = 0.5,
                          .sum = {CELL_UU, CELL_U, CELL_U, CELL_VV, CELL_V, CELL_V, CELL_WW, CELL_W, CELL_W}},
    [MEAN_DISSIPATION] = MEAN(CELL_DISSIPATION)};

/* array: a dataset of the file, of one or three quantities: `first` of QUANTITY and those behind it, or
 * `of` if that is not NULL. */
struct cell_array {
    const char *name, *long_name, *unit;
    int count, first;
    const struct cell_quantity *of;
};
static const struct cell_array ARRAY[] = {
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
    struct cell_quantity quantity;
    struct cell_array array;
};

static void scalar_array_make(const struct input *in, int n, int which, struct scalar_array *out)
{
    const int first = CELL_AVERAGE_SUMS + n * CELL_SCALAR_SUMS, t = first + CELL_T;
    const char *name = in->scalars.name[n], *own = in->scalars.unit[n];
    snprintf(out->name, sizeof out->name, "%.*s%s", SCALAR_NAME, name, SCALAR_ARRAY[which].name);
    snprintf(out->words, sizeof out->words, "%s of %.*s", SCALAR_ARRAY[which].words, SCALAR_NAME, name);
    const char *rest = SCALAR_ARRAY[which].unit;
    scalar_unit(own, SCALAR_ARRAY[which].power, rest + (rest[0] == ' '), out->unit, sizeof out->unit);
    if (which == SCALAR_MEAN) out->quantity = (struct cell_quantity)MEAN(t);
    else if (which == SCALAR_VARIANCE)
        out->quantity = (struct cell_quantity)COVARIANCE(first + CELL_TT, t, t);
    else
        out->quantity = (struct cell_quantity)COVARIANCE(first + CELL_UT + which - SCALAR_U,
                                                         CELL_U + which - SCALAR_U, t);
    out->array = (struct cell_array){out->name, out->words, out->unit, 1, 0, &out->quantity};
}

/* Computes an array, or its errors, in a slab of planes. */
static kol_status pass_array(void *work, int first, int count)
{
    struct cell_work *w = work;
    const struct cell_array *a = w->array;
    watchdog_phase(NULL);
    for (int k = 0; k < count; ++k) {
        TRY(cell_work_plane(w, first + k));
        for (int n = 0; n < a->count; ++n)
            TRY(cell_work_quantity(w, a->of != NULL ? a->of : &QUANTITY[a->first + n], first + k,
                                   w->out + k * w->plane * a->count + n, a->count));
    }
    return KOL_OK;
}

/* The number of samples of each cell, or along each line of cells. */
static kol_status pass_samples(void *work, int first, int count)
{
    struct cell_work *w = work;
    for (int k = 0; k < count; ++k) TRY(cell_work_samples(w, first + k, w->out + k * w->plane));
    return KOL_OK;
}

/* The share of the fluid in the volume that is averaged over. */
static kol_status pass_share(void *work, int first, int count)
{
    const struct cell_work *w = work;
    for (ptrdiff_t i = 0; i < count * w->plane && w->lines.holds; ++i)
        w->out[i] = w->fluid[first * w->plane + i] / w->lines.length;
    return KOL_OK;
}

/* The mean over the whole volume, in which solids count as 0. */
static kol_status pass_superficial(void *work, int first, int count)
{
    struct cell_work *w = work;
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

static struct io_view view_of(struct cell_work *w, const struct added *a)
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
static void write_methods(const struct cell_work *w, const char *method, char *text, size_t size)
{
    int used = snprintf(text, size, "time: ");
    for (int d = 0; d < 3; ++d)
        if (w->lines.along[d]) used += snprintf(text + used, size - (size_t)used, "%c: ", "xyz"[d]);
    snprintf(text + used, size - (size_t)used, "%s", method);
}

static kol_status add(struct cell_work *w, const struct added *a, struct fields_file *file)
{
    char methods[64];
    if (w->lines.several > 0) TRY(a->pass(w, 0, w->planes));
    TRY(fields_add(file, view_of(w, a)));
    if (a->method == NULL) return KOL_OK;
    write_methods(w, a->method, methods, sizeof methods);
    const int scaled = unit_has_powers(a->unit); /* then the values are in units of the run */
    TRY(fields_text(file, a->name, "units", scaled ? "1" : a->unit));
    if (scaled) TRY(fields_text(file, a->name, "scaling", a->unit));
    return fields_text(file, a->name, "cell_methods", methods);
}

/* Adds one array: the means, or their errors. */
static kol_status add_array(struct cell_work *w, const struct cell_array *a, int errors,
                            struct fields_file *file)
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

static kol_status add_scalars(struct cell_work *w, struct fields_file *file)
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

/* Adds the terms of the budgets. */
static kol_status add_budgets(struct cell_work *w, struct fields_file *file)
{
    const struct cell_averages *c = w->averages;
    for (int errors = 0; errors < (w->batches > 0 ? 2 : 1) && c->budgets.values > 0; ++errors)
        for (int n = 0; n < cell_budget_terms(c->budgets); ++n) {
            const struct cell_budget_term term = cell_budget_term_of(c->budgets, n);
            struct cell_quantity quantity = {.term = term};
            char name[48], words[96];
            cell_budget_name(term, name, sizeof name, words, sizeof words);
            quantity.count = cell_budget_sums(c->budgets, term, CELL_RAW_MOST, quantity.sum);
            const struct cell_array a = {name, words, "U3/L", 1, 0, &quantity};
            TRY(add_array(w, &a, errors, file));
        }
    return KOL_OK;
}

/* Adds what there is of bodies in averages along directions, or if cells turn from fluid to solid or back. */
static kol_status add_bodies(struct cell_work *w, struct fields_file *file)
{
    const struct added share = {
        "fluid_share", "share of the fluid in the volume that is averaged over", "1", "mean", 1, pass_share};
    const int turns = w->averages->turns;
    if (!turns && (w->lines.several == 0 || w->averages->domain->grid.open == NULL)) return KOL_OK;
    TRY(add(w, &share, file));
    w->errors = 0;
    for (int n = 0; n < 2; ++n) {
        char name[48], words[160];
        const struct cell_array *a = w->array = &ARRAY[n];
        snprintf(name, sizeof name, "%s_superficial", a->name);
        snprintf(words, sizeof words, "superficial %s, over fluid and solid", a->long_name);
        const struct added array = {name, words, a->unit, "mean", a->count, pass_superficial};
        TRY(add(w, &array, file));
    }
    return KOL_OK;
}

static kol_status add_sums(struct cell_work *w, struct fields_file *file)
{
    char name[CELL_NAME];
    for (int slot = CELL_LATEST; slot < w->used; ++slot) {
        watchdog_phase(NULL);
        TRY(fields_add_sums(file, cell_averages_view(w->averages, slot, cell_averages_name(slot, name))));
    }
    return KOL_OK;
}

/* Adds the numbers of the average, which rank 0 writes. */
static kol_status add_state(const struct cell_work *w, struct fields_file *file)
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

static kol_status add_numbers(const struct cell_work *w, struct fields_file *file)
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

static kol_status add_all(struct cell_work *w, struct fields_file *file)
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
    TRY(cell_work_fluid(w));
    TRY(add(w, &SAMPLES, file));
    for (int n = 0; n < ARRAYS; ++n) TRY(add_array(w, &ARRAY[n], 0, file));
    for (int n = 0; n < ARRAYS && w->batches > 0; ++n) TRY(add_array(w, &ARRAY[n], 1, file));
    TRY(add_scalars(w, file));
    TRY(add_budgets(w, file));
    return add_bodies(w, file);
}

static kol_status write_file(struct cell_work *w, long long step, const struct io_text *text, int texts)
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
    struct cell_work w;
    kol_status st = comm_agree(&c->domain->comm, cell_work_create(c, numbers, &w));
    if (st == KOL_OK) st = write_file(&w, step, text, texts);
    cell_work_destroy(&w);
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
    cell_budgets_print(out);
    fputs("| `samples` | 1 | number of samples, 0 in solids |\n", out);
}
