/* Reads the motion of a body from a file, and interpolates in it. */
#include "body_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/hash.h"
#include "kernels/base/constants.h"
#include "parallel/share_file.h"
#include "text_numbers.h"

enum { LINE_NUMBERS = 1 + PATH_NUMBERS };

/* Adds a line of the file to the path. numbers: how many numbers the first line has. */
static kol_status add_line(struct body_path *p, const char *text, const char *file, int line, const char *by,
                           int *numbers)
{
    double value[LINE_NUMBERS] = {0};
    const int count = text_numbers(text, LINE_NUMBERS, value), n = p->n;
    if (count == 0) return KOL_OK;
    if ((count != 4 && count != LINE_NUMBERS) || (n > 0 && count != *numbers))
        RAISE(KOL_ERR_INPUT,
              "%s:%d: error: a line of a motion has a time, the three coordinates of the centre and, if "
              "needed, three angles in degrees; write 4 or 7 numbers, as many in each line %s",
              file, line, by);
    if (n > 0 && !(value[0] > p->time[n - 1]))
        RAISE(KOL_ERR_INPUT, "%s:%d: error: the time %g is not later than %g of the line before %s", file,
              line, value[0], p->time[n - 1], by);
    *numbers = count;
    p->time[n] = value[0];
    for (int q = 0; q < PATH_NUMBERS; ++q) {
        p->value[q][n] = value[1 + q] * (q < 3 ? 1 : PI / 180);
        if (q >= 3 && value[1 + q] != 0) p->turns = 1;
    }
    ++p->n;
    return KOL_OK;
}

/* The rate of one number in interval i at the place s, 0 to 1, of it. */
static double rate_at(const struct body_path *p, int q, int i, double s)
{
    const double mean = (p->value[q][i + 1] - p->value[q][i]) / (p->time[i + 1] - p->time[i]),
                 from = p->slope[q][i], to = p->slope[q][i + 1];
    return from + s * (2 * (3 * mean - 2 * from - to) + 3 * s * (from + to - 2 * mean));
}

/* The slopes at the lines: of the parabola through a line and its two neighbours; at the ends, of the
 * parabola through the last three. */
static void find_slopes(struct body_path *p, int q)
{
    const int n = p->n;
    for (int i = 0; i < n; ++i) {
        const int middle = i == 0 ? 1 : i == n - 1 ? n - 2 : i;
        const double *t = p->time, *v = p->value[q];
        if (n == 2) {
            p->slope[q][i] = (v[1] - v[0]) / (t[1] - t[0]);
            continue;
        }
        const double low = t[middle] - t[middle - 1], high = t[middle + 1] - t[middle],
                     before = (v[middle] - v[middle - 1]) / low, after = (v[middle + 1] - v[middle]) / high,
                     bend = (after - before) / (low + high);
        p->slope[q][i] = before + bend * (low + 2 * (t[i] - t[middle]));
    }
}

/* The largest rate: at a line, or where the rate, a parabola, has its vertex. */
static void find_most(struct body_path *p, int q)
{
    for (int i = 0; i + 1 < p->n; ++i) {
        const double mean = (p->value[q][i + 1] - p->value[q][i]) / (p->time[i + 1] - p->time[i]),
                     from = p->slope[q][i], to = p->slope[q][i + 1], bend = 3 * (from + to - 2 * mean),
                     vertex = bend != 0 ? -(3 * mean - 2 * from - to) / bend : 0;
        p->most[q] = fmax(p->most[q], fmax(fabs(from), fabs(to)));
        if (vertex > 0 && vertex < 1) p->most[q] = fmax(p->most[q], fabs(rate_at(p, q, i, vertex)));
    }
}

static kol_status take_arrays(struct body_path *p, size_t lines)
{
    p->time = malloc(lines * sizeof *p->time);
    if (p->time == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the motion of a body");
    for (int q = 0; q < PATH_NUMBERS; ++q) {
        p->value[q] = malloc(lines * sizeof *p->value[q]);
        p->slope[q] = malloc(lines * sizeof *p->slope[q]);
        if (p->value[q] == NULL || p->slope[q] == NULL)
            RAISE(KOL_ERR_MEMORY, "no memory for the motion of a body");
    }
    return KOL_OK;
}

static kol_status read_lines(struct body_path *p, char *text, const char *file, const char *by)
{
    int line = 0, numbers = 0;
    for (char *next = text; next != NULL;) {
        char *from = next;
        next = strchr(from, '\n');
        if (next != NULL) *next++ = '\0';
        TRY(add_line(p, from, file, ++line, by, &numbers));
    }
    if (p->n < 2)
        RAISE(KOL_ERR_INPUT,
              "%s: error: a motion needs two lines at least; add lines such as '0.0  1.0 1.0 1.0' %s", file,
              by);
    for (int q = 0; q < PATH_NUMBERS; ++q) {
        find_slopes(p, q);
        find_most(p, q);
    }
    return KOL_OK;
}

kol_status body_path_read(const struct domain *domain, int n, struct body_path **out)
{
    const char *file = domain->in->bodies.motion_file[n];
    const struct input_place by = input_place(domain->source, offsetof(struct input, bodies.motion_file), n);
    char *text = NULL;
    size_t length = 0, lines = 1;
    *out = NULL;
    kol_status st = share_file_long_text(&domain->comm, file, &by, &text, &length);
    struct body_path *p = st == KOL_OK ? calloc(1, sizeof *p) : NULL;
    if (st == KOL_OK && p == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the motion of a body");
    for (size_t c = 0; st == KOL_OK && c < length; ++c) lines += text[c] == '\n';
    if (st == KOL_OK) st = take_arrays(p, lines);
    if (st == KOL_OK) st = read_lines(p, text, file, by.by);
    free(text);
    *out = p;
    if (st != KOL_OK) body_path_destroy(out);
    return st == KOL_OK ? st : status_pass(st, __FILE__, __LINE__, "body_path_read");
}

void body_path_destroy(struct body_path **of)
{
    struct body_path *p = *of;
    if (p == NULL) return;
    for (int q = 0; q < PATH_NUMBERS; ++q) {
        free(p->value[q]);
        free(p->slope[q]);
    }
    free(p->time);
    free(p);
    *of = NULL;
}

int body_path_covers(const struct body_path *p, double t)
{
    const double slack = 1e-9 * (p->time[p->n - 1] - p->time[0]);
    return t >= p->time[0] - slack && t <= p->time[p->n - 1] + slack;
}

unsigned long long body_path_hash(const struct body_path *p, unsigned long long first)
{
    const size_t n = (size_t)p->n;
    unsigned long long sum = hash_bytes(p->time, n * sizeof *p->time, first);
    for (unsigned q = 0; q < PATH_NUMBERS; ++q)
        sum += hash_bytes(p->value[q], n * sizeof *p->value[q], first + (q + 1) * n);
    return sum;
}

void body_path_at(const struct body_path *p, double t, double value[PATH_NUMBERS], double rate[PATH_NUMBERS])
{
    int low = 0, high = p->n - 1;
    const int beyond = t < p->time[0] || t > p->time[p->n - 1];
    if (beyond) {
        for (int q = 0; q < PATH_NUMBERS; ++q) {
            value[q] = p->value[q][t < p->time[0] ? 0 : p->n - 1];
            rate[q] = 0;
        }
        return;
    }
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (p->time[middle] <= t) low = middle;
        else high = middle;
    }
    const double h = p->time[high] - p->time[low], s = (t - p->time[low]) / h;
    for (int q = 0; q < PATH_NUMBERS; ++q) {
        const double from = p->value[q][low], step = p->value[q][high] - from, m0 = h * p->slope[q][low],
                     m1 = h * p->slope[q][high];
        value[q] = from + s * (m0 + s * (3 * step - 2 * m0 - m1 + s * (m0 + m1 - 2 * step)));
        rate[q] = rate_at(p, q, low, s);
    }
}
