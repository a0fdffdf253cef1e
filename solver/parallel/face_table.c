/* Reads tables of numbers along a face, and interpolates in them. */
#include "face_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "kernels/base/speed.h"
#include "share_file.h"

enum { NUMBERS = FACE_TABLE_COLUMNS + 1 }; /* of a line */
/* A table that is longer than the face by this factor has another unit. */
static const double FAR = 20;

/* Takes the unit from a comment that tells it: "# unit: K", also as units, with = and in capitals. */
static void look_for_unit(const char *line, int number, struct face_table *t)
{
    line += strspn(line, " \t");
    line += strspn(line, "#");
    line += strspn(line, " \t");
    if (strncasecmp(line, "unit", 4) != 0) return;
    line += 4;
    if (*line == 's' || *line == 'S') ++line;
    line += strspn(line, " \t");
    if (*line != ':' && *line != '=') return;
    ++line;
    line += strspn(line, " \t");
    size_t n = strcspn(line, "\r");
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t')) --n;
    snprintf(t->unit, sizeof t->unit, "%.*s", (int)n, line);
    t->unit_line = number;
}

static kol_status read_lines(const char *name, const struct input_place *by, char *text, struct face_table *t)
{
    const int velocity = t->columns == TABLE_OF_VELOCITY;
    int lines = 1, number = 0;
    for (const char *c = text; *c != '\0'; ++c) lines += *c == '\n';
    t->x = malloc((size_t)lines * (size_t)(t->columns + 1) * sizeof *t->x);
    if (t->x == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d lines of %s", lines, name);
    for (int c = 0; c < t->columns; ++c) t->value[c] = t->x + (ptrdiff_t)(c + 1) * lines;
    for (char *line = text, *next; line != NULL; line = next) {
        double value[NUMBERS];
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        ++number;
        const int kind = share_file_numbers(line, t->columns + 1, value);
        if (kind == 0) look_for_unit(line, number, t);
        if (kind == 0) continue;
        if (kind < 0)
            RAISE(KOL_ERR_INPUT,
                  "%s:%d: error: the line does not hold %s: '%.60s'; write a coordinate and %s in each line, "
                  "and comments after # %s",
                  name, number,
                  velocity ? "four numbers, a coordinate and a velocity"
                           : "two numbers, a coordinate and a scalar",
                  line, velocity ? "u, v, w" : "a number of the scalar", by->by);
        if (t->points > 0 && !(value[0] > t->x[t->points - 1]))
            RAISE(KOL_ERR_INPUT,
                  "%s:%d: error: the coordinate %.10g does not lie above the one before, %.10g; let them "
                  "increase from line to line %s",
                  name, number, value[0], t->x[t->points - 1], by->by);
        t->x[t->points] = value[0];
        for (int c = 0; c < t->columns; ++c) t->value[c][t->points] = value[c + 1];
        for (int c = 0; velocity && c < t->columns; ++c)
            if (fabs(value[c + 1]) > SPEED_MOST)
                RAISE(KOL_ERR_INPUT,
                      "%s:%d: error: %g is too fast for %s arithmetic, which takes speeds up to %g; choose "
                      "another unit of length or time %s",
                      name, number, value[c + 1], KOL_REAL_NAME, SPEED_MOST, by->by);
        ++t->points;
    }
    return KOL_OK;
}

kol_status face_table_read(const struct comm *c, const char *name, const struct input_place *by,
                           enum face_table_form form, double low, double high, struct face_table *out)
{
    char *text = NULL;
    out->columns = (int)form;
    const double slack = 1e-9 * (high - low);
    TRY(share_file_text(c, name, by, &text));
    const kol_status st = read_lines(name, by, text, out);
    free(text);
    TRY(comm_agree(c, st));
    if (out->points < 2)
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: it has %d line%s of numbers; give two or more, from the coordinate %.10g to %.10g %s",
            name, out->points, out->points == 1 ? "" : "s", low, high, by->by);
    if (out->x[0] > low + slack || out->x[out->points - 1] < high - slack)
        RAISE(KOL_ERR_INPUT,
              "%s: error: the coordinates reach from %.10g to %.10g; let them reach over the whole face, "
              "from %.10g to %.10g %s",
              name, out->x[0], out->x[out->points - 1], low, high, by->by);
    if (out->x[out->points - 1] - out->x[0] > FAR * (high - low))
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: the coordinates reach from %.10g to %.10g, far beyond the face, from %.10g to %.10g: "
            "give them in its unit, or leave out the lines far beyond %s",
            name, out->x[0], out->x[out->points - 1], low, high, by->by);
    return KOL_OK;
}

void face_table_drop(struct face_table *t)
{
    free(t->x);
    memset(t, 0, sizeof *t);
}

double face_table_at(const struct face_table *t, int c, double x)
{
    int low = 0, high = t->points - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (t->x[middle] <= x) low = middle;
        else high = middle;
    }
    const double part = (x - t->x[low]) / (t->x[high] - t->x[low]);
    return t->value[c][low] + fmin(fmax(part, 0), 1) * (t->value[c][high] - t->value[c][low]);
}
