/* Evaluates the energy spectrum of the isotropic initial flow, from a formula or from a table in a file. */
#include "energy_spectrum.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"
#include "parallel/share_file.h"

struct energy_spectrum {
    int kind;
    double power; /* of k at large scales */
    double k_peak, k_grid;
    int points;
    double *log_k, *log_e;
};

/* Reads one line of the table into k and e. It returns 1 for a point, 0 for a blank line or a comment, and -1
 * for anything else. */
static int read_line(const char *line, double *k, double *e)
{
    char *rest;
    while (isspace((unsigned char)*line)) ++line;
    if (*line == '\0' || *line == '#') return 0;
    *k = strtod(line, &rest);
    if (rest == line) return -1;
    const char *second = rest;
    *e = strtod(second, &rest);
    if (rest == second) return -1;
    while (isspace((unsigned char)*rest)) ++rest;
    return *rest == '\0' || *rest == '#' ? 1 : -1;
}

/* Reads the points of the table from its text, which is cut into lines in place. */
static kol_status read_table(const char *name, char *text, struct energy_spectrum *s)
{
    int lines = 1;
    for (const char *c = text; *c != '\0'; ++c) lines += *c == '\n';
    s->log_k = malloc((size_t)lines * sizeof *s->log_k);
    s->log_e = malloc((size_t)lines * sizeof *s->log_e);
    if (s->log_k == NULL || s->log_e == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for %d lines of %s", lines, name);
    char *next = text;
    for (int number = 1; next != NULL; ++number) {
        char *line = next;
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        double k = 0, e = 0;
        const int kind = read_line(line, &k, &e);
        if (kind == 0) continue;
        if (kind < 0 || !isfinite(k) || !isfinite(e) || !(k > 0) || !(e > 0)) {
            RAISE(KOL_ERR_INPUT,
                  "%s:%d: error: the line does not hold two positive numbers, wavenumber and energy: '%.60s'",
                  name, number, line);
        }
        if (s->points > 0 && log(k) <= s->log_k[s->points - 1]) {
            RAISE(KOL_ERR_INPUT, "%s:%d: error: wavenumbers must increase from line to line", name, number);
        }
        s->log_k[s->points] = log(k);
        s->log_e[s->points++] = log(e);
    }
    if (s->points < 2) RAISE(KOL_ERR_INPUT, "%s: error: a spectrum needs two points or more", name);
    return KOL_OK;
}

kol_status energy_spectrum_create(const struct comm *c, const struct input *in,
                                  const struct input_source *source, double k_grid,
                                  struct energy_spectrum **out)
{
    struct energy_spectrum *s = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the spectrum");
    *out = s;
    s->kind = in->initial.spectrum;
    s->k_peak = in->initial.k_peak;
    s->power = in->initial.large_scales == LARGE_SCALES_SAFFMAN ? 2 : 4;
    s->k_grid = k_grid;
    if (s->kind != SPECTRUM_FILE) return KOL_OK;
    char *text = NULL;
    const struct input_place by = input_place(source, offsetof(struct input, initial.spectrum_file), 0);
    kol_status st = share_file_text(c, in->initial.spectrum_file, &by, &text);
    if (st == KOL_OK) st = read_table(in->initial.spectrum_file, text, s);
    free(text);
    return st == KOL_OK ? st : status_pass(st, __FILE__, __LINE__, "energy_spectrum_create");
}

void energy_spectrum_destroy(struct energy_spectrum **s)
{
    if (*s == NULL) return;
    free((*s)->log_k);
    free((*s)->log_e);
    free(*s);
    *s = NULL;
}

static double table_energy(const struct energy_spectrum *s, double k)
{
    const double x = log(k),
                 slack = 1e-12; /* the end points count as inside, whatever the rounding of the logarithm */
    if (x < s->log_k[0] - slack || x > s->log_k[s->points - 1] + slack) return 0;
    int i = 1;
    while (i < s->points - 1 && s->log_k[i] < x) ++i;
    const double part = (x - s->log_k[i - 1]) / (s->log_k[i] - s->log_k[i - 1]);
    return exp(s->log_e[i - 1] + part * (s->log_e[i] - s->log_e[i - 1]));
}

double energy_spectrum_energy(const struct energy_spectrum *s, double k)
{
    const double p = s->power; /* the peak is at k_peak for any p */
    if (s->kind == SPECTRUM_FILE) return table_energy(s, k);
    if (s->kind == SPECTRUM_GAUSSIAN) {
        const double x = k / s->k_peak;
        return pow(x, p) * exp(-0.5 * p * x * x);
    }
    const double x = k / (s->k_peak * sqrt(5.0 / (3 * p))), cut = 2 * k / s->k_grid;
    return pow(x, p) * pow(1 + x * x, -(5 + 3 * p) / 6) * exp(-2 * cut * cut);
}

/* Smallest wavenumber of the initial flow, and the largest, which is that of a diagonal. Waves of two cells
 * have no energy. */
static void wavenumbers(const struct input *in, double *least, double *most)
{
    double longest = 0;
    *most = 0;
    for (int d = 0; d < 3; ++d) {
        longest = fmax(longest, in->grid.length[d]);
        *most = hypot(*most, 2 * PI / in->grid.length[d] * ((in->grid.n[d] - 1) / 2));
    }
    *least = 2 * PI / longest;
}

kol_status energy_spectrum_none(const struct energy_spectrum *s, const struct input *in)
{
    double least, most;
    wavenumbers(in, &least, &most);
    if (s->kind != SPECTRUM_FILE)
        RAISE(KOL_ERR_INPUT,
              "error: initial.spectrum has no energy at the wavenumbers of this grid, %.4g to %.4g; choose "
              "initial.k_peak among them",
              least, most);
    RAISE(
        KOL_ERR_INPUT,
        "%s: error: its wavenumbers, %.4g to %.4g, have no energy at those of this grid, %.4g to %.4g; give "
        "E(k) there, in the units of grid.length",
        in->initial.spectrum_file, exp(s->log_k[0]), exp(s->log_k[s->points - 1]), least, most);
}

kol_status energy_spectrum_check(const struct energy_spectrum *s, const struct input *in)
{
    double least, most;
    wavenumbers(in, &least, &most);
    for (double k = least; k <= most * (1 + 1e-12); k += least)
        if (energy_spectrum_energy(s, k) > 0) return KOL_OK;
    return energy_spectrum_none(s, in);
}
