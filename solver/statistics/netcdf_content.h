/* The content of a statistics file before it is written (io/statsfile.h): its axes, variables and texts,
 * and the memory of their words and numbers. Rank 0 alone has one. */
#ifndef KOL_STATISTICS_NETCDF_CONTENT_H
#define KOL_STATISTICS_NETCDF_CONTENT_H

#include "io/statsfile.h"
#include "batch_means.h"

enum {
    NETCDF_CONTENT_AXES = 16,
    NETCDF_CONTENT_TEXTS = 48,
    NETCDF_CONTENT_NAME = 64,
    NETCDF_CONTENT_WORDS = 200
};
/* Name of the group of variables that the latest sample gives by itself. */
#define NETCDF_CONTENT_LATEST "latest"
/* Name of the group of the batches (netcdf_content_batches()). */
#define NETCDF_CONTENT_BATCHES "batches"
/* How a variable follows from the samples. Each sample is an average over the directions of
 * netcdf_content_average. */
#define NETCDF_CONTENT_MEAN  "mean"
#define NETCDF_CONTENT_SUM   "sum"
#define NETCDF_CONTENT_POINT "point"
/* The most averages of one file. The first is that of its profiles or fields; the statistics over a
 * cross-section have a second one, of lines and numbers, and a third one of scalars. */
enum { NETCDF_CONTENT_AVERAGES = 3 };
/* netcdf_content_entry: name of a variable, its description and its unit. */
struct netcdf_content_entry {
    const char *name, *long_name, *unit;
};
struct netcdf_content {
    struct stats_axis axis[NETCDF_CONTENT_AXES];
    struct stats_variable *variable;
    char (*name)[NETCDF_CONTENT_NAME], (*words)[NETCDF_CONTENT_WORDS];
    char (*unit)[NETCDF_CONTENT_NAME]; /* room for the units that are no constants, one a variable */
    int units;                         /* those in use */
    double *number;
    struct io_text text[NETCDF_CONTENT_TEXTS];
    ptrdiff_t numbers, numbers_most;
    int axes, variables, most, texts;
    double averaged[4][3];                 /* middle, low and high end: of directions, of time */
    char coordinates[2][24];               /* names of these directions; with time */
    char methods[5][40];                   /* of netcdf_content_add, in CF's words */
    double *rest[NETCDF_CONTENT_AVERAGES]; /* of netcdf_content_batches */
};

/* netcdf_content_create: makes an empty content with room for `variables` variables and `numbers` numbers. If
 * memory is only counted, that of the file is counted, too. netcdf_content_destroy: frees the content; NULL
 * is allowed. */
kol_status netcdf_content_create(struct memory *memory, int variables, ptrdiff_t numbers,
                                 struct netcdf_content **out);
void netcdf_content_destroy(struct netcdf_content **p);
/* netcdf_content_numbers: returns n numbers in memory of the content. They are 0 at first, and exist as
 * long as the content. */
double *netcdf_content_numbers(struct netcdf_content *p, ptrdiff_t n);
/* netcdf_content_axis: adds an axis, whose pointers are borrowed. Returns the number of the axis. */
int netcdf_content_axis(struct netcdf_content *p, struct stats_axis axis);
/* netcdf_content_average: says that the variables are averages over a direction, 0 to 2, from low to high. */
void netcdf_content_average(struct netcdf_content *p, int direction, double low, double high);
/* netcdf_content_text: adds an attribute of the file. Name and text are borrowed. */
void netcdf_content_text(struct netcdf_content *p, const char *name, const char *text);
/* netcdf_content_add: adds a variable over axis number `axis`; if that is -1, the variable is one number. Its
 * name is e.name followed by name_end. The words are copied; value is borrowed. Returns the variable. The
 * caller may set its other members. `methods` says how the variable follows from the samples
 * (NETCDF_CONTENT_MEAN and so on). */
struct stats_variable *netcdf_content_add(struct netcdf_content *p, struct netcdf_content_entry e,
                                          const char *name_end, int axis, const double *value);
/* netcdf_content_number: adds a variable that is a single number. The number is copied. */
struct stats_variable *netcdf_content_number(struct netcdf_content *p, struct netcdf_content_entry e,
                                             double value);
/* netcdf_content_samples: adds the NETCDF_CONTENT_SAMPLES variables that describe an average over time:
 * samples, batches, first and last time, the time that it stands for; of an average of cycles their
 * number. */
enum { NETCDF_CONTENT_SAMPLES = 7 };
void netcdf_content_samples(struct netcdf_content *p, const struct batch_means *b);
/* netcdf_content_batches: adds the group `batches`, from which several files can be merged. It holds the sums
 * over the batches, the sum of the samples that are in no batch, and the latest sample. Their values have the
 * order of a sample. It also holds their weights and times. average: 0, 1 or 2. The
 * variables of the second one begin with lines_, and of the third one with scalars_. b is borrowed. */
kol_status netcdf_content_batches(struct netcdf_content *p, int average, const struct batch_means *b);
/* netcdf_content_count_batches: counts the memory that netcdf_content_batches() and its part of the file will
 * take, for an average of `values` values and at most `most` batches. */
kol_status netcdf_content_count_batches(struct memory *memory, int values, int most);
/* netcdf_content_write: writes the file. A file that exists at path is replaced. The attributes are the
 * texts of the content and those given here. The attribute `title` is the title of the run, or that of the
 * content if the run has none. The attribute `summary` is the title of the content. */
kol_status netcdf_content_write(struct netcdf_content *p, const char *path, const struct io_text *text,
                                int texts);

#endif
