/* The content of a statistics file before it is written (io/statsfile.h): its axes, variables and texts,
 * and the memory of their words and numbers. Rank 0 alone has one. */
#ifndef KOL_STATISTICS_NETCDF_PAGE_H
#define KOL_STATISTICS_NETCDF_PAGE_H

#include "io/statsfile.h"
#include "batch_means.h"

enum { NETCDF_PAGE_AXES = 16, NETCDF_PAGE_TEXTS = 48, NETCDF_PAGE_NAME = 64, NETCDF_PAGE_WORDS = 200 };
/* Name of the group of variables that the latest sample gives by itself. */
#define NETCDF_PAGE_LATEST "latest"
/* Name of the group of the batches (netcdf_page_batches()). */
#define NETCDF_PAGE_BATCHES "batches"
/* How a variable follows from the samples. Each sample is an average over the directions of
 * netcdf_page_average. */
#define NETCDF_PAGE_MEAN  "mean"
#define NETCDF_PAGE_SUM   "sum"
#define NETCDF_PAGE_POINT "point"
/* The most averages of one file. The first is that of its profiles or fields; the statistics over a
 * cross-section have a second one, of lines and numbers. */
enum { NETCDF_PAGE_AVERAGES = 2 };
/* netcdf_page_entry: name of a variable, its description and its unit. */
struct netcdf_page_entry {
    const char *name, *long_name, *unit;
};
struct netcdf_page {
    struct stats_axis axis[NETCDF_PAGE_AXES];
    struct stats_variable *variable;
    char (*name)[NETCDF_PAGE_NAME], (*words)[NETCDF_PAGE_WORDS];
    double *number;
    struct io_text text[NETCDF_PAGE_TEXTS];
    ptrdiff_t numbers, numbers_most;
    int axes, variables, most, texts;
    double averaged[4][3];              /* middle, low and high end: of directions, of time */
    char coordinates[2][24];            /* names of these directions; with time */
    char methods[3][32];                /* of netcdf_page_add, in CF's words */
    double *rest[NETCDF_PAGE_AVERAGES]; /* of netcdf_page_batches */
};

/* netcdf_page_create: makes an empty page with room for `variables` variables. The memory of the page has
 * room for `numbers` numbers. netcdf_page_destroy: frees it; NULL is allowed. */
kol_status netcdf_page_create(int variables, ptrdiff_t numbers, struct netcdf_page **out);
void netcdf_page_destroy(struct netcdf_page **p);
/* netcdf_page_numbers: returns n numbers in memory of the page. They are 0, and live as long as the page. */
double *netcdf_page_numbers(struct netcdf_page *p, ptrdiff_t n);
/* netcdf_page_axis: adds an axis, whose pointers are borrowed. Returns the number of the axis. */
int netcdf_page_axis(struct netcdf_page *p, struct stats_axis axis);
/* netcdf_page_average: say that the variables are averages over a direction, 0 to 2, from low to high. */
void netcdf_page_average(struct netcdf_page *p, int direction, double low, double high);
/* netcdf_page_text: add an attribute of the file. Name and text are borrowed. */
void netcdf_page_text(struct netcdf_page *p, const char *name, const char *text);
/* netcdf_page_add: adds a variable over axis number `axis`; if that is -1, the variable is one number. Its
 * name is e.name followed by name_end. The words are copied; value is borrowed. Returns the variable. The
 * caller may set its other members. `methods` says how the variable follows from the samples
 * (NETCDF_PAGE_MEAN and so on). */
struct stats_variable *netcdf_page_add(struct netcdf_page *p, struct netcdf_page_entry e,
                                       const char *name_end, int axis, const double *value);
/* netcdf_page_number: adds a variable that is a single number. The number is copied. */
struct stats_variable *netcdf_page_number(struct netcdf_page *p, struct netcdf_page_entry e, double value);
/* netcdf_page_samples: add the NETCDF_PAGE_SAMPLES variables that describe an average over time: samples,
 * batches, first and last time, the time that it stands for; of an average of cycles their number. */
enum { NETCDF_PAGE_SAMPLES = 7 };
void netcdf_page_samples(struct netcdf_page *p, const struct batch_means *b);
/* netcdf_page_batches: adds the group `batches`, from which several files can be merged. It holds the sums
 * over the batches, the sum of the samples that are in no batch, and the latest sample. Their values have the
 * order of a sample. It also holds their weights and times. average: 0, or 1 for the second average, whose
 * variables begin with lines_. b is borrowed. */
kol_status netcdf_page_batches(struct netcdf_page *p, int average, const struct batch_means *b);
/* netcdf_page_write: writes the file. A file that exists at path is replaced. The attributes are the page's
 * texts and those given here. The attribute `title` is the title of the run, or the page's own title if the
 * run has none. The attribute `summary` is the page's own title. */
kol_status netcdf_page_write(struct netcdf_page *p, const char *path, const struct io_text *text, int texts);

#endif
