/* Applies the rules on slices, boxes and probes. */
#include "check_places.h"

#include <stdio.h>
#include <string.h>

#include "quantities.h"
#include "rules.h"
#include "scalars.h"

/* list: a group in which element n of each variable belongs to entry n. */
struct list {
    const char *group, *what;
    int most;
    size_t interval, interval_time, quantities; /* their offsets */
    const int *steps;
    const double *time;
    const char (*words)[INPUT_TEXT];
};

static int element_given(const struct reading *r, size_t offset, int e)
{
    return r->given[rule_variable(r, offset)].element[e].line > 0;
}

static void rule_interval(struct reading *r, const struct list *l, int n)
{
    if (l->steps[n] > 0 && l->time[n] > 0)
        fault_add(&r->faults, place_of_element(r, l->interval_time, n, l->interval),
                  "%s.interval(%d) = %d and %s.interval_time(%d) = %g can't both be above 0; set one to 0",
                  l->group, n + 1, l->steps[n], l->group, n + 1, l->time[n]);
}

static void rule_quantities(struct reading *r, const struct input *in, const struct list *l, int n)
{
    const char *word;
    size_t length;
    char known[128 + SCALARS_MOST * (SCALAR_NAME + 2)] = "";
    if (quantities_read(in, l->words[n], &word, &length) != 0) return;
    for (int q = 0; q < QUANTITY_SCALAR + scalar_count(in); ++q) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", q > 0 ? ", " : "", quantity_name(in, q));
    }
    fault_add(&r->faults, place_of_element(r, l->quantities, n, l->interval),
              "%s.quantities(%d): %s%s%s; these words are allowed, each at most once: %s", l->group, n + 1,
              length > 0 ? "'" : "", length > 0 ? show(word, length).text : "no word",
              length > 0 ? "' is not known, or is given twice" : "", known);
}

/* idle: an element that has no effect. An entry without interval was meant to be one if anything else in it
 * is not the default. */
struct idle {
    size_t of;
    int element, idle;
};

static void rule_idle(struct reading *r, const struct list *l, int n, const struct idle *other, int others)
{
    for (int k = 0; k < others; ++k) {
        if (!other[k].idle || !element_given(r, other[k].of, other[k].element)) continue;
        const struct variable *v = &r->table[rule_variable(r, other[k].of)];
        fault_add(&r->faults, place_of_element(r, other[k].of, other[k].element, other[k].of),
                  "%s has no effect: %s %d has no interval; give %s.interval(%d) or %s.interval_time(%d)",
                  element_name(v, other[k].element).text, l->what, n + 1, l->group, n + 1, l->group, n + 1);
        return;
    }
}

static int other_words(const struct list *l, int n)
{
    return strcmp(l->words[n], INPUT_QUANTITIES) != 0;
}

static int within(const struct input *in, int direction, double x)
{
    const double low = in->grid.origin[direction], high = low + in->grid.length[direction];
    return x >= low && x <= high;
}

static int list_good(const struct reading *r, const struct list *l)
{
    return is_good(r, l->interval) && is_good(r, l->interval_time) && is_good(r, l->quantities);
}

static int grid_good(const struct reading *r)
{
    return is_good(r, OFF(grid.origin)) && is_good(r, OFF(grid.length));
}

static void rule_slice(struct reading *r, const struct input *in, int n)
{
    const int normal = in->slices.normal[n], d = normal - NORMAL_X;
    const double x = in->slices.position[n];
    if (normal == NORMAL_NONE) {
        fault_add(&r->faults, place_of_element(r, OFF(slices.normal), n, OFF(slices.interval)),
                  "slice %d has an interval but no normal; give slices.normal(%d) = 'x', 'y' or 'z'", n + 1,
                  n + 1);
        return;
    }
    if (x == INPUT_NOWHERE) {
        fault_add(&r->faults, place_of_element(r, OFF(slices.normal), n, OFF(slices.interval)),
                  "slice %d has no position; give slices.position(%d)", n + 1, n + 1);
        return;
    }
    if (grid_good(r) && !within(in, d, x))
        fault_add(&r->faults, place_of_element(r, OFF(slices.position), n, OFF(slices.interval)),
                  "slices.position(%d) = %g lies outside the grid, which reaches from %g to %g in %c", n + 1,
                  x, in->grid.origin[d], in->grid.origin[d] + in->grid.length[d], "xyz"[d]);
}

static void check_slices(struct reading *r, const struct input *in)
{
    const struct list l = {"slices",
                           "slice",
                           SLICES_MOST,
                           OFF(slices.interval),
                           OFF(slices.interval_time),
                           OFF(slices.quantities),
                           in->slices.interval,
                           in->slices.interval_time,
                           in->slices.quantities};
    if (!list_good(r, &l) || !is_good(r, OFF(slices.normal)) || !is_good(r, OFF(slices.position))) return;
    for (int n = 0; n < l.most; ++n) {
        if (l.steps[n] > 0 || l.time[n] > 0) {
            rule_interval(r, &l, n);
            rule_quantities(r, in, &l, n);
            rule_slice(r, in, n);
        } else {
            const struct idle other[] = {{OFF(slices.position), n, in->slices.position[n] != INPUT_NOWHERE},
                                         {OFF(slices.normal), n, in->slices.normal[n] != NORMAL_NONE},
                                         {OFF(slices.quantities), n, other_words(&l, n)}};
            rule_idle(r, &l, n, other, 3);
        }
    }
}

static void rule_box(struct reading *r, const struct input *in, int n)
{
    for (int d = 0; d < 3 && grid_good(r); ++d) {
        const double low = in->grid.origin[d], high = low + in->grid.length[d];
        const double from = in->boxes.low[n][d] == INPUT_NOWHERE ? low : in->boxes.low[n][d];
        const double to = in->boxes.high[n][d] == INPUT_NOWHERE ? high : in->boxes.high[n][d];
        if (from < to && within(in, d, from) && within(in, d, to)) continue;
        const size_t at = element_given(r, OFF(boxes.high), 3 * n + d) ? OFF(boxes.high) : OFF(boxes.low);
        fault_add(&r->faults, place_of_element(r, at, 3 * n + d, OFF(boxes.interval)),
                  "boxes.low(%d,%d) = %g to boxes.high(%d,%d) = %g is no part of the grid, which reaches "
                  "from %g to %g in %c",
                  d + 1, n + 1, from, d + 1, n + 1, to, low, high, "xyz"[d]);
    }
}

static void check_boxes(struct reading *r, const struct input *in)
{
    const struct list l = {"boxes",
                           "box",
                           BOXES_MOST,
                           OFF(boxes.interval),
                           OFF(boxes.interval_time),
                           OFF(boxes.quantities),
                           in->boxes.interval,
                           in->boxes.interval_time,
                           in->boxes.quantities};
    const size_t low = OFF(boxes.low), high = OFF(boxes.high);
    if (!list_good(r, &l) || !is_good(r, low) || !is_good(r, high)) return;
    for (int n = 0; n < l.most; ++n) {
        if (l.steps[n] > 0 || l.time[n] > 0) {
            rule_interval(r, &l, n);
            rule_quantities(r, in, &l, n);
            rule_box(r, in, n);
        } else {
            struct idle other[7] = {{OFF(boxes.quantities), n, other_words(&l, n)}};
            for (int d = 0; d < 3; ++d) {
                other[1 + d] = (struct idle){low, 3 * n + d, in->boxes.low[n][d] != INPUT_NOWHERE};
                other[4 + d] = (struct idle){high, 3 * n + d, in->boxes.high[n][d] != INPUT_NOWHERE};
            }
            rule_idle(r, &l, n, other, 7);
        }
    }
}

/* The file of probes is read when the grid is known (probes.c). */
static void check_probes(struct reading *r, const struct input *in)
{
    const size_t self = OFF(probes.position);
    int count = 0;
    if (!is_good(r, self) || !is_good(r, OFF(probes.file))) return;
    for (int n = 0; n < PROBES_MOST; ++n) {
        const double *x = in->probes.position[n];
        int given = 0;
        for (int d = 0; d < 3; ++d) given += x[d] != INPUT_NOWHERE;
        if (given == 0) continue;
        if (given < 3 || count < n) {
            fault_add(&r->faults, place_of(r, self),
                      "probe %d lacks a coordinate, or a probe before it is missing; give three coordinates "
                      "for each probe",
                      n + 1);
            return;
        }
        ++count;
        for (int d = 0; d < 3 && grid_good(r); ++d)
            if (!within(in, d, x[d]))
                fault_add(
                    &r->faults, place_of_element(r, self, 3 * n + d, self),
                    "probes.position(%d,%d) = %g lies outside the grid, which reaches from %g to %g in %c",
                    d + 1, n + 1, x[d], in->grid.origin[d], in->grid.origin[d] + in->grid.length[d],
                    "xyz"[d]);
    }
}

void check_places(struct reading *r, const struct input *in)
{
    check_slices(r, in);
    check_boxes(r, in);
    check_probes(r, in);
}
