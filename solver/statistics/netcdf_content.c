/* Collects the content of a statistics file, and writes it. */
#include "netcdf_content.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_VARIABLES = 8, BATCH_NUMBERS = 4 };
/* How often the numbers of a file are held besides the content: NetCDF makes the file in memory, and may hold
 * it twice while it grows. */
enum { FILE_COPIES = 2 };

/* Counts `numbers` numbers of the file. If memory is allocated rather than counted, it does nothing. */
static kol_status count_file(struct memory *memory, ptrdiff_t numbers)
{
    void *none;
    return memory_counts(memory) ? memory_plain(memory, FILE_COPIES * (size_t)numbers * sizeof(double), &none)
                                 : KOL_OK;
}

kol_status netcdf_content_create(struct memory *memory, int variables, ptrdiff_t numbers,
                                 struct netcdf_content **out)
{
    struct netcdf_content *p = *out = calloc(1, sizeof *p);
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory to write statistics");
    variables += NETCDF_CONTENT_AVERAGES * BATCH_VARIABLES;
    numbers += NETCDF_CONTENT_AVERAGES * BATCH_NUMBERS;
    p->most = variables;
    p->numbers_most = numbers;
    TRY(memory_cleared(memory, (size_t)variables * sizeof *p->variable, (void **)&p->variable));
    TRY(memory_cleared(memory, (size_t)variables * sizeof *p->name, (void **)&p->name));
    TRY(memory_cleared(memory, (size_t)variables * sizeof *p->words, (void **)&p->words));
    TRY(memory_cleared(memory, (size_t)variables * sizeof *p->unit, (void **)&p->unit));
    TRY(memory_cleared(memory, (size_t)numbers * sizeof *p->number, (void **)&p->number));
    return count_file(memory, numbers);
}

/* Takes the memory of the samples that are in no batch. */
static kol_status take_rest(struct memory *memory, int values, double **out)
{
    return memory_cleared(memory, (size_t)values * sizeof **out, (void **)out);
}

kol_status netcdf_content_count_batches(struct memory *memory, int values, int most)
{
    double *none;
    TRY(take_rest(memory, values, &none));
    return count_file(memory, (ptrdiff_t)(most + 1) * values);
}

void netcdf_content_destroy(struct netcdf_content **content)
{
    struct netcdf_content *p = *content;
    if (p == NULL) return;
    free(p->variable);
    free(p->name);
    free(p->words);
    free(p->unit);
    free(p->number);
    for (int n = 0; n < NETCDF_CONTENT_AVERAGES; ++n) free(p->rest[n]);
    free(p);
    *content = NULL;
}

double *netcdf_content_numbers(struct netcdf_content *p, ptrdiff_t n)
{
    double *first = p->number + p->numbers;
    p->numbers += n;
    return first;
}

int netcdf_content_axis(struct netcdf_content *p, struct stats_axis axis)
{
    p->axis[p->axes] = axis;
    return p->axes++;
}

static void average(struct netcdf_content *p, const char *name, const char *words, const char *unit,
                    double place[3], double low, double high)
{
    place[0] = 0.5 * (low + high);
    place[1] = low;
    place[2] = high;
    netcdf_content_axis(p, (struct stats_axis){name, words, unit, 0, place, place + 1, NULL});
}

void netcdf_content_average(struct netcdf_content *p, int direction, double low, double high)
{
    static const char *const LETTER[3] = {"x", "y", "z"};
    static const char *const WORDS[3] = {"middle of the length in x that is averaged over",
                                         "middle of the length in y that is averaged over",
                                         "middle of the length in z that is averaged over"};
    average(p, LETTER[direction], WORDS[direction], "L", p->averaged[direction], low, high);
    if (p->coordinates[0][0] != '\0') strcat(p->coordinates[0], " ");
    strcat(p->coordinates[0], LETTER[direction]);
}

void netcdf_content_text(struct netcdf_content *p, const char *name, const char *text)
{
    p->text[p->texts++] = (struct io_text){name, text};
}

struct stats_variable *netcdf_content_add(struct netcdf_content *p, struct netcdf_content_entry e,
                                          const char *name_end, int axis, const double *value)
{
    const int n = p->variables++;
    snprintf(p->name[n], NETCDF_CONTENT_NAME, "%s%s", e.name, name_end);
    snprintf(p->words[n], NETCDF_CONTENT_WORDS, "%s", e.long_name);
    p->variable[n] = (struct stats_variable){
        .name = p->name[n], .long_name = p->words[n], .unit = e.unit, .axis = axis, .value = value};
    return &p->variable[n];
}

struct stats_variable *netcdf_content_number(struct netcdf_content *p, struct netcdf_content_entry e,
                                             double value)
{
    double *place = netcdf_content_numbers(p, 1);
    *place = value;
    return netcdf_content_add(p, e, "", -1, place);
}

void netcdf_content_samples(struct netcdf_content *p, const struct batch_means *b)
{
    static const struct netcdf_content_entry WORDS[NETCDF_CONTENT_SAMPLES] =
        {{"n_samples", "samples in the averages; each has the weight of the time around it", "1"},
         {"n_batches", "complete batches of samples, for the errors", "1"},
         {"batch_length", "samples of a batch", "1"},
         {"t_start", "time of the first sample", "L/U"},
         {"t_end", "time of the last sample", "L/U"},
         {"averaging_time", "time that the samples stand for", "L/U"},
         {"n_cycles", "complete cycles of the drive", "1"}},
                                             OF_CYCLES[] = {{"n_batches",
                                                             "complete batches of cycles, for the errors",
                                                             "1"},
                                                            {"batch_length", "cycles of a batch", "1"}};
    const struct netcdf_content_entry *words = batch_means_has_cycles(b) ? OF_CYCLES : WORDS + 1;
    netcdf_content_number(p, WORDS[0], (double)batch_means_samples(b))->integer = 1;
    netcdf_content_number(p, words[0], batch_means_count(b))->integer = 1;
    netcdf_content_number(p, words[1], (double)batch_means_length(b))->integer = 1;
    if (batch_means_has_cycles(b))
        netcdf_content_number(p, WORDS[6], (double)batch_means_cycles(b))->integer = 1;
    netcdf_content_number(p, WORDS[3], batch_means_begin(b));
    netcdf_content_number(p, WORDS[4], batch_means_end(b));
    netcdf_content_number(p, WORDS[5], batch_means_time(b));
    average(p, "time", "middle of the time that is averaged over", "L/U", p->averaged[3],
            batch_means_begin(b), batch_means_end(b));
}

static void add_batches(struct netcdf_content *p, struct netcdf_content_entry e, int axis, int outer,
                        const double *value)
{
    struct stats_variable *v = netcdf_content_add(p, e, "", axis, value);
    v->group = NETCDF_CONTENT_BATCHES;
    v->outer = outer;
}

/* Adds the numbers that the weights of the batches do not contain. With both, the weights of all samples are
 * known. */
static void add_weights(struct netcdf_content *p, int average, const struct batch_means *b)
{
    static const struct netcdf_content_entry WORDS[NETCDF_CONTENT_AVERAGES][BATCH_NUMBERS] = {
        {{"rest_weight", "weight of the samples behind the last complete batch", "1"},
         {"weight_time", "time that a weight of 1 stands for; 0: it is not known", "L/U"},
         {"last_interval", "time between the last two samples, over weight_time", "1"},
         {"t_before", "time of the sample before the first one, if another file has it", "L/U"}},
        {{"lines_rest_weight", "the same of wall stresses and numbers", "1"},
         {"lines_weight_time", "the same of wall stresses and numbers", "L/U"},
         {"lines_last_interval", "the same of wall stresses and numbers", "1"},
         {"lines_t_before", "the same of wall stresses and numbers", "L/U"}},
        {{"scalars_rest_weight", "the same of scalars", "1"},
         {"scalars_weight_time", "the same of scalars", "L/U"},
         {"scalars_last_interval", "the same of scalars", "1"},
         {"scalars_t_before", "the same of scalars", "L/U"}}};
    const struct batch_means_times t = batch_means_times(b);
    const double value[BATCH_NUMBERS] = {batch_means_rest_weight(b), t.unit, t.latest ? t.interval : NAN,
                                         t.follows ? t.before : NAN};
    for (int n = 0; n < BATCH_NUMBERS; ++n)
        netcdf_content_number(p, WORDS[average][n], value[n])->group = NETCDF_CONTENT_BATCHES;
}

kol_status netcdf_content_batches(struct netcdf_content *p, int average, const struct batch_means *b)
{
    static const char *const VALUE[] = {"value", "value_lines", "value_scalars"}, *const BATCH[] = {
                                                                                      "batch", "batch_lines",
                                                                                      "batch_scalars"};
    static const struct netcdf_content_entry
        SUM[] = {{"sum",
                  "sum over the samples of a batch times their weights, in the order of a sample's values",
                  "1"},
                 {"lines_sum", "the same of wall stresses and numbers", "1"},
                 {"scalars_sum", "the same of scalars", "1"}},
        WEIGHT[] = {{"weight", "sum of the weights of the samples of a batch", "1"},
                    {"lines_weight", "the same of wall stresses and numbers", "1"},
                    {"scalars_weight", "the same of scalars", "1"}},
        REST[] = {{"rest", "sum over the samples behind the last complete batch times their weights", "1"},
                  {"lines_rest", "the same of wall stresses and numbers", "1"},
                  {"scalars_rest", "the same of scalars", "1"}},
        LATEST[] = {{"latest", "the latest sample", "1"},
                    {"lines_latest", "the same of wall stresses and numbers", "1"},
                    {"scalars_latest", "the same of scalars", "1"}};
    const int values = batch_means_values(b);
    TRY(take_rest(NULL, values, &p->rest[average]));
    double *rest = p->rest[average];
    batch_means_rest(b, rest);
    const int along = netcdf_content_axis(
        p, (struct stats_axis){VALUE[average], "values of a sample", "1", values, NULL, NULL, NULL});
    if (batch_means_count(b) > 0) {
        const int batch = netcdf_content_axis(p, (struct stats_axis){BATCH[average], "complete batches", "1",
                                                                     batch_means_count(b), NULL, NULL, NULL});
        add_batches(p, SUM[average], along, 1 + batch, batch_means_complete(b));
        add_batches(p, WEIGHT[average], batch, 0, batch_means_weights(b));
    }
    add_batches(p, REST[average], along, 0, rest);
    add_batches(p, LATEST[average], along, 0, batch_means_latest(b));
    add_weights(p, average, b);
    return KOL_OK;
}

/* What CF calls a number that follows from samples. */
enum { NO_METHOD = -1, A_MEAN = 0, A_SUM = 1, A_DEVIATION = 3, A_VARIANCE = 4 };

/* The method of a variable by its name: uu, or the end of it. Fluctuations in a box, and those of a single
 * sample, are from the mean of the sample, so that CF has no word for their moments. */
static int derived_method(const char *name)
{
    static const struct {
        const char *end;
        int method;
    } END[] = {{"_volume_variance", NO_METHOD}, /* from the volume mean */
               {"_variance", A_VARIANCE},
               {"_rms", A_DEVIATION},
               {"_skewness", NO_METHOD},
               {"_flatness", NO_METHOD}};
    const size_t plus = strlen("_plus");
    size_t length = strlen(name);
    if (length > plus && strcmp(name + length - plus, "_plus") == 0) length -= plus;
    if (length == 2 && name[0] == name[1] && strchr("uvwp", name[0]) != NULL) return A_VARIANCE;
    for (size_t n = 0; n < sizeof END / sizeof *END; ++n) {
        const size_t end = strlen(END[n].end);
        if (length > end && strncmp(name + length - end, END[n].end, end) == 0) return END[n].method;
    }
    return A_MEAN;
}

/* "x: y: mean time: sum" of NETCDF_CONTENT_SUM, "x: y: time: variance" of a variance. */
static void put_methods(struct netcdf_content *p)
{
    static const char *const METHOD[3] = {NETCDF_CONTENT_MEAN, NETCDF_CONTENT_SUM, NETCDF_CONTENT_POINT};
    const char *of = p->coordinates[0];
    char over[16] = "";
    size_t used = 0;
    int directions = 0;
    for (const char *d = of; *d != '\0'; ++d) directions += *d != ' ';
    for (const char *d = of; *d != '\0'; ++d)
        if (*d != ' ') used += (size_t)snprintf(over + used, sizeof over - used, "%c: ", *d);
    snprintf(p->methods[0], sizeof p->methods[0], "%s%stime: mean", over, used > 0 ? "mean " : "");
    snprintf(p->methods[1], sizeof p->methods[1], "%s%stime: sum", over, used > 0 ? "mean " : "");
    snprintf(p->methods[2], sizeof p->methods[2], "%s%s", over, used > 0 ? "mean" : "");
    snprintf(p->methods[A_DEVIATION], sizeof p->methods[0], "%stime: standard_deviation", over);
    snprintf(p->methods[A_VARIANCE], sizeof p->methods[0], "%stime: variance", over);
    snprintf(p->coordinates[1], sizeof p->coordinates[1], "%.8s%stime", of, used > 0 ? " " : "");
    for (int n = 0; n < p->variables; ++n) {
        struct stats_variable *v = &p->variable[n];
        for (int m = 0; m < 3 && v->methods != NULL; ++m) {
            if (strcmp(v->methods, METHOD[m]) != 0) continue;
            const int of_time = m == A_MEAN && directions < 3;
            const int derived = m == A_SUM ? A_MEAN : derived_method(v->name);
            v->methods = derived == A_MEAN                 ? p->methods[m]
                         : of_time && derived != NO_METHOD ? p->methods[derived]
                                                           : NULL;
            v->coordinates = p->coordinates[m < 2];
            break;
        }
    }
}

/* The title of the run and the words of this file. */
static const char *title_of(const struct io_text *text, int texts)
{
    for (int n = 0; n < texts; ++n)
        if (strcmp(text[n].name, "title") == 0) return text[n].text;
    return "";
}

kol_status netcdf_content_write(struct netcdf_content *p, const char *path, const struct io_text *text,
                                int texts)
{
    struct io_text all[NETCDF_CONTENT_TEXTS];
    int count = p->texts;
    const char *title = title_of(text, texts);
    put_methods(p);
    if (p->variables > p->most || p->numbers > p->numbers_most)
        RAISE(KOL_ERR_INTERNAL, "%s has %d variables and %td numbers, but room was made for %d and %td", path,
              p->variables, p->numbers, p->most, p->numbers_most);
    memcpy(all, p->text, (size_t)count * sizeof *all);
    for (int n = p->texts - 1; n >= 0; --n) {
        if (strcmp(all[n].name, "title") != 0) continue;
        all[count++] = (struct io_text){"summary", all[n].text};
        if (title[0] != '\0') all[n].text = title;
    }
    for (int n = 0; n < texts && count < NETCDF_CONTENT_TEXTS; ++n)
        if (strcmp(text[n].name, "title") != 0) all[count++] = text[n];
    return statsfile_write(path, p->axis, p->axes, p->variable, p->variables, all, count);
}
