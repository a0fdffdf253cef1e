/* The content of a statistics file before it is written (io/statsfile.h). It has axes, variables and texts,
 * and the memory of their words and numbers. Only rank 0 has one. */
#ifndef KOL_STATISTICS_NETCDF_PAGE_H
#define KOL_STATISTICS_NETCDF_PAGE_H

#include "io/statsfile.h"
#include "batch_means.h"

enum { NETCDF_PAGE_AXES = 12, NETCDF_PAGE_TEXTS = 48, NETCDF_PAGE_NAME = 64, NETCDF_PAGE_WORDS = 200 };
/* Name of the group of variables that are computed from the latest sample alone. */
#define NETCDF_PAGE_LATEST "latest"
/* Name of the group of the batches (netcdf_page_batches()). */
#define NETCDF_PAGE_BATCHES "batches"
/* The most averages of one file. The first is that of its profiles or fields. The statistics over a
 * cross-section have a second average, for lines and numbers. */
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
/* netcdf_page_text: adds an attribute of the file. Name and text are borrowed. */
void netcdf_page_text(struct netcdf_page *p, const char *name, const char *text);
/* netcdf_page_add: adds a variable over axis number `axis`. If axis is -1, the variable is a single number.
 * Its name is e.name followed by name_end. The words are copied; value is borrowed. It returns the variable,
 * and the caller may set its other members. */
struct stats_variable *netcdf_page_add(struct netcdf_page *p, struct netcdf_page_entry e,
                                       const char *name_end, int axis, const double *value);
/* netcdf_page_number: adds a variable that is a single number. The number is copied. */
struct stats_variable *netcdf_page_number(struct netcdf_page *p, struct netcdf_page_entry e, double value);
/* netcdf_page_samples: adds the NETCDF_PAGE_SAMPLES variables that describe an average over time: samples,
 * batches, first and last time. */
enum { NETCDF_PAGE_SAMPLES = 5 };
void netcdf_page_samples(struct netcdf_page *p, const struct batch_means *b);
/* netcdf_page_batches: adds the group `batches`, from which several files can be merged. It has the sums over
 * the batches, the sum of the samples that are in no batch, and the latest sample. Each of them has `values`
 * values, in the order of a sample. average: 0, or 1 for the second average, whose variables begin with
 * lines_. b and latest are borrowed. */
kol_status netcdf_page_batches(struct netcdf_page *p, int average, const struct batch_means *b, int values,
                               const double *latest);
/* netcdf_page_write: writes the file. If there is a file at path, it is replaced. The attributes of the file
 * are the texts of the page and those given here. */
kol_status netcdf_page_write(const struct netcdf_page *p, const char *path, const struct io_text *text,
                             int texts);

#endif
