/* Reads face coordinates from files and checks whether the grid that they give can be used. */
#include "face_file.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/check_pressure.h"
#include "parallel/share_file.h"

/* The ends may differ from the box's by this part of the length, for digits that were not written. */
static const double ROUNDED = 1e-9;
/* Across the seam of a periodic direction, widths may grow by this ratio in any case. They may grow by more
 * if other neighbours do; resolution.c warns of large growth. */
static const double SEAM_MOST = 1.15;

/* Reads one line. It returns 1 for a number, 0 for a blank line or a comment, and -1 for anything else. */
static int read_line(const char *line, double *x)
{
    char *rest;
    while (isspace((unsigned char)*line)) ++line;
    if (*line == '\0' || *line == '#') return 0;
    *x = strtod(line, &rest);
    if (rest == line || !isfinite(*x)) return -1;
    while (isspace((unsigned char)*rest)) ++rest;
    return *rest == '\0' || *rest == '#' ? 1 : -1;
}

/* faces_file: a file, and the input that names it. */
struct faces_file {
    const char *name;
    struct input_place by;
};

/* Checks that the value at an end of a direction is the coordinate of this end, and sets it to exactly
 * that. */
static kol_status pin_end(const struct faces_file *f, int line, const char *what, double wanted,
                          double length, double *x)
{
    const char *end = strcmp(what, "first") == 0 ? "grid.origin" : "grid.origin + grid.length";
    if (!(fabs(*x - wanted) <= ROUNDED * length))
        RAISE(KOL_ERR_INPUT,
              "%s:%d: error: the %s face lies at %.17g, but %s is %.17g; make them the same %s", f->name,
              line, what, *x, end, wanted, f->by.by);
    *x = wanted;
    return KOL_OK;
}

/* Takes number i of a direction, which stands on line `line`. */
static kol_status take(const struct input *in, const struct faces_file *f, int d, int i, int line, double x,
                       double *face)
{
    const int n = in->grid.n[d];
    const double origin = in->grid.origin[d], length = in->grid.length[d];
    if (i > n)
        RAISE(KOL_ERR_INPUT,
              "%s:%d: error: one number too many: the %d cells of grid.n(%d) have %d faces; remove the "
              "additional ones, or choose another grid.n(%d) %s",
              f->name, line, n, d + 1, n + 1, d + 1, f->by.by);
    face[i] = x;
    if (i == 0) TRY(pin_end(f, line, "first", origin, length, &face[0]));
    if (i > 0 && !(x > face[i - 1]))
        RAISE(
            KOL_ERR_INPUT,
            "%s:%d: error: face %d at %.17g does not lie above the one before, at %.17g; let the coordinates "
            "increase %s",
            f->name, line, i, x, face[i - 1], f->by.by);
    if (i == n) TRY(pin_end(f, line, "last", origin + length, length, &face[n]));
    return KOL_OK;
}

/* Reads the faces from a text, which is cut into lines in place. */
static kol_status read_faces(const struct input *in, const struct faces_file *f, int d, char *text,
                             double *face)
{
    int count = 0, number = 0;
    for (char *next = text; next != NULL;) {
        char *line = next;
        double x = 0;
        ++number;
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        const int kind = read_line(line, &x);
        if (kind < 0)
            RAISE(KOL_ERR_INPUT,
                  "%s:%d: error: the line does not hold one number: '%.60s'; write the coordinate of one "
                  "face a line, comments "
                  "after "
                  "# %s",
                  f->name, number, line, f->by.by);
        if (kind > 0) TRY(take(in, f, d, count++, number, x, face));
    }
    if (count <= in->grid.n[d])
        RAISE(KOL_ERR_INPUT,
              "%s:%d: error: the file ends after %d numbers; the %d cells of grid.n(%d) have %d faces: add "
              "the missing ones, or choose grid.n(%d) = %d %s",
              f->name, number, count, in->grid.n[d], d + 1, in->grid.n[d] + 1, d + 1,
              count > 1 ? count - 1 : 1, f->by.by);
    return KOL_OK;
}

static struct faces_file file_of(const struct input *in, const struct input_source *source, int d)
{
    return (struct faces_file){in->grid.stretching_file[d],
                               input_place(source, offsetof(struct input, grid.stretching_file), d)};
}

kol_status face_file_read(const struct comm *c, const struct input *in, const struct input_source *source,
                          struct grid *g)
{
    for (int d = 0; d < 3; ++d) {
        if (in->grid.stretching[d] != STRETCHING_FILE) continue;
        const struct faces_file f = file_of(in, source, d);
        char *text = NULL;
        g->face[d] = malloc(((size_t)in->grid.n[d] + 1) * sizeof *g->face[d]);
        if (g->face[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d coordinates", in->grid.n[d] + 1);
        kol_status st = share_file_text(c, f.name, &f.by, &text);
        if (st == KOL_OK) st = read_faces(in, &f, d, text, g->face[d]);
        free(text);
        if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "face_file_read");
    }
    return KOL_OK;
}

/* Checks the widths on both sides of the seam of a periodic direction. */
static kol_status check_seam(const struct faces_file *f, const struct grid *g, int d)
{
    const int n = g->n_g[d];
    const double first = grid_width(g, d, 0), last = grid_width(g, d, n - 1),
                 jump = fmax(first / last, last / first);
    double most = SEAM_MOST;
    for (int i = 1; i < n; ++i) {
        const double low = grid_width(g, d, i - 1), high = grid_width(g, d, i);
        most = fmax(most, fmax(low / high, high / low));
    }
    if (jump <= most * (1 + ROUNDED)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: the first width is %.6g and the last one %.6g, and they are neighbours because %c is "
          "periodic. Their ratio %.3f may be at most %.3f, which is the largest ratio of other neighbours, "
          "but at least 1.15; make the first and the last width more equal, or choose walls %s",
          f->name, first, last, "xyz"[d], jump, most, f -> by.by);
}

kol_status face_file_check(const struct input *in, const struct input_source *source, const struct grid *g)
{
    for (int d = 0; d < 3; ++d) {
        if (in->grid.stretching[d] != STRETCHING_FILE || !g->periodic[d]) continue;
        const struct faces_file f = file_of(in, source, d);
        TRY(check_seam(&f, g, d));
    }
    const double least = DIVERGENCE_ROUNDING * KOL_EPSILON * g->h / g->smallest;
    int files = 0;
    for (int d = 0; d < 3; ++d) files += in->grid.stretching[d] == STRETCHING_FILE;
    if (files == 0 || in->pressure.tolerance >= least) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: pressure.tolerance = %g is below what %s arithmetic can reach on this grid, whose smallest "
          "width is "
          "%.3g; ask for %.1e or more, or make its widths more equal",
          in->pressure.tolerance, KOL_REAL_NAME, g->smallest, 1.05 * least);
}
