/* A statistics file in the making: its axes, variables and texts, and the memory of their words and numbers until it is written
 * (io/statsfile.h). On rank 0. */
#ifndef KOL_PAGE_H
#define KOL_PAGE_H

#include "../io/statsfile.h"
#include "batches.h"

enum { PAGE_AXES = 12, PAGE_TEXTS = 48, PAGE_NAME = 64, PAGE_WORDS = 200 };
/* The group of what the latest sample gives by itself. */
#define PAGE_LATEST "latest"
/* That of the batches. */
#define PAGE_BATCHES "batches"
/* Averages of one file, at most: that of its fields or values, and over a section that of lines and numbers. */
enum { PAGE_AVERAGES = 2 };
/* page_entry: what a variable is called. */
struct page_entry {
    const char *name, *long_name, *unit;
};
struct page {
    struct stats_axis axis[PAGE_AXES];
    struct stats_variable *variable;
    char (*name)[PAGE_NAME], (*words)[PAGE_WORDS];
    double *number;
    struct io_text text[PAGE_TEXTS];
    ptrdiff_t numbers, numbers_most;
    int axes, variables, most, texts;
    double *rest[PAGE_AVERAGES]; /* of page_batches */
};

/* page_create: room for `variables` variables and `numbers` numbers of the page's own. page_destroy takes NULL. */
kol_status page_create(int variables, ptrdiff_t numbers, struct page **out);
void page_destroy(struct page **p);
/* page_numbers: n of the page's own numbers, zeroed; they live as long as it. */
double *page_numbers(struct page *p, ptrdiff_t n);
/* page_axis: another axis; returns its number. page_text: another attribute of the file; both are borrowed. */
int page_axis(struct page *p, struct stats_axis axis);
void page_text(struct page *p, const char *name, const char *text);
/* page_add: another variable over axis number `axis`, -1: one number; name and words are copied, name_end is put behind the name; value is
 * borrowed. What else it has is set by the caller. */
struct stats_variable *page_add(struct page *p, struct page_entry e, const char *name_end, int axis,
                                const double *value);
/* page_number: a variable that is one number. page_samples: the numbers of an average over time: samples, batches, first and last time. */
struct stats_variable *page_number(struct page *p, struct page_entry e, double value);
enum { PAGE_SAMPLES = 5 }; /* variables of page_samples */
void page_samples(struct page *p, const struct batches *b);
/* page_batches: the group `batches`, what a merge of several files wants: sums over the batches, the sum behind them, and the latest sample, each in the
 * order of the sample. average: 0, or 1, whose variables begin with lines_. All but the rest is borrowed. */
kol_status page_batches(struct page *p, int average, const struct batches *b, int values,
                        const double *latest);
/* page_write: the file in the place of path, with the page's texts and those of the run. */
kol_status page_write(const struct page *p, const char *path, const struct io_text *text, int texts);

#endif
