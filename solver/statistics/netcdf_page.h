/* A statistics file in the making: its axes, variables and texts, and the memory of their words and numbers
 * until it is written (io/statsfile.h). On rank 0. */
#ifndef KOL_STATISTICS_NETCDF_PAGE_H
#define KOL_STATISTICS_NETCDF_PAGE_H

#include "io/statsfile.h"
#include "batch_means.h"

enum { NETCDF_PAGE_AXES = 12, NETCDF_PAGE_TEXTS = 48, NETCDF_PAGE_NAME = 64, NETCDF_PAGE_WORDS = 200 };
/* The group of what the latest sample gives by itself. */
#define NETCDF_PAGE_LATEST "latest"
/* That of the batches. */
#define NETCDF_PAGE_BATCHES "batches"
/* Averages of one file, at most: that of its fields or values, and over a section that of lines and numbers.
 */
enum { NETCDF_PAGE_AVERAGES = 2 };
/* page_entry: what a variable is called. */
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

/* netcdf_page_create: room for `variables` variables and `numbers` numbers of the page's own.
 * netcdf_page_destroy takes NULL. */
kol_status netcdf_page_create(int variables, ptrdiff_t numbers, struct netcdf_page **out);
void netcdf_page_destroy(struct netcdf_page **p);
/* netcdf_page_numbers: n of the page's own numbers, zeroed; they live as long as it. */
double *netcdf_page_numbers(struct netcdf_page *p, ptrdiff_t n);
/* netcdf_page_axis: another axis; returns its number. netcdf_page_text: another attribute of the file; both
 * are borrowed. */
int netcdf_page_axis(struct netcdf_page *p, struct stats_axis axis);
void netcdf_page_text(struct netcdf_page *p, const char *name, const char *text);
/* netcdf_page_add: another variable over axis number `axis`, -1: one number; name and words are copied,
 * name_end is put behind the name; value is borrowed. What else it has is set by the caller. */
struct stats_variable *netcdf_page_add(struct netcdf_page *p, struct netcdf_page_entry e,
                                       const char *name_end, int axis, const double *value);
/* netcdf_page_number: a variable that is one number. netcdf_page_samples: the numbers of an average over
 * time: samples, batches, first and last time. */
struct stats_variable *netcdf_page_number(struct netcdf_page *p, struct netcdf_page_entry e, double value);
enum { NETCDF_PAGE_SAMPLES = 5 }; /* variables of netcdf_page_samples */
void netcdf_page_samples(struct netcdf_page *p, const struct batch_means *b);
/* netcdf_page_batches: the group `batches`, what a merge of several files wants: sums over the batches, the
 * sum behind them, and the latest sample, each in the order of the sample. average: 0, or 1, whose variables
 * begin with lines_. All but the rest is borrowed. */
kol_status netcdf_page_batches(struct netcdf_page *p, int average, const struct batch_means *b, int values,
                               const double *latest);
/* netcdf_page_write: the file in the place of path, with the page's texts and those of the run. */
kol_status netcdf_page_write(const struct netcdf_page *p, const char *path, const struct io_text *text,
                             int texts);

#endif
