/* Fits straight lines to the latest values of a series. */
#include "sliding_slope.h"

#include <math.h>
#include <stdlib.h>

/* The end of a window over its start, in time. */
static const double RATIO = 1.5;

/* A window that begins at a record may miss it by the rounding of its time. */
static const double ROUNDING = 1e-9;

kol_status sliding_slope_add(struct sliding_slope *s, double t, double y)
{
    if (!(t > 0 && isfinite(t) && isfinite(y))) return KOL_OK;
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 256;
        double *times = realloc(s->t, room * sizeof *times);
        if (times != NULL) s->t = times;
        double *values = realloc(s->y, room * sizeof *values);
        if (values != NULL) s->y = values;
        if (times == NULL || values == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a series of %zu", room);
        s->room = room;
    }
    s->t[s->count] = t;
    s->y[s->count++] = y;
    return KOL_OK;
}

double sliding_slope_fit(const struct sliding_slope *s, double *error)
{
    *error = NAN;
    if (s->count == 0) return NAN;
    const double from = s->t[s->count - 1] / RATIO * (1 - ROUNDING);
    size_t first = s->count;
    while (first > 0 && s->t[first - 1] >= from) --first;
    const size_t n = s->count - first;
    if (n < SLIDING_SLOPE_LEAST || s->t[0] > from / (1 - ROUNDING) * (1 + ROUNDING)) return NAN;
    double t_mean = 0, y_mean = 0, tt = 0, ty = 0, rest = 0;
    for (size_t i = first; i < s->count; ++i) {
        t_mean += s->t[i] / (double)n;
        y_mean += s->y[i] / (double)n;
    }
    for (size_t i = first; i < s->count; ++i) {
        tt += (s->t[i] - t_mean) * (s->t[i] - t_mean);
        ty += (s->t[i] - t_mean) * (s->y[i] - y_mean);
    }
    const double slope = ty / tt;
    for (size_t i = first; i < s->count; ++i) {
        const double off = s->y[i] - y_mean - slope * (s->t[i] - t_mean);
        rest += off * off;
    }
    *error = sqrt(rest / (double)(n - 2) / tt);
    return slope;
}

void sliding_slope_forget(struct sliding_slope *s)
{
    free(s->t);
    free(s->y);
    *s = (struct sliding_slope){.count = 0};
}
