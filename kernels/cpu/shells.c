/* Adds up Fourier coefficients in shells of wavenumbers, and in planes normal to each axis. */
#include "../shells.h"
#include "../point/shells.h"

#include <string.h>

/* Adds one line along t. Along it the shells follow one another in order. */
static void line_in_shells(const struct shells *s, double weight, double square, double modified,
                           const double *u, const double *f, double *sum)
{
    int shell = 0;
    for (int t = 0; t < s->nt; ++t) {
        const int m = shell_wave(t);
        double term[SHELL_SUMS];
        while (square + s->square[2][m] >= s->edge[shell + 1]) ++shell;
        shell_terms(weight * shell_weight(t, s->nt), modified + s->modified[2][m], u[t], f[t], term);
        for (int q = 0; q < SHELL_SUMS; ++q) sum[q * s->shells + shell] += term[q];
    }
}

kol_status shells_sum(struct shells s, int add, const double *u, const double *f, double *part)
{
    if (!add) memset(part, 0, sizeof *part * (size_t)s.groups * SHELL_SUMS * (size_t)s.shells);
    for (int g = 0; g < s.groups; ++g) {
        double *sum = part + (ptrdiff_t)g * SHELL_SUMS * s.shells;
        for (int a = s.start[g]; a < s.start[g + 1]; ++a) {
            const int ma = shell_wave(s.first + a);
            for (int b = 0; b < s.nb; ++b) {
                const ptrdiff_t line = ((ptrdiff_t)a * s.nb + b) * s.nt;
                const int mb = shell_wave(b);
                line_in_shells(&s, shell_weight(s.first + a, s.na_g) * shell_weight(b, s.nb),
                               s.square[0][ma] + s.square[1][mb], s.modified[0][ma] + s.modified[1][mb],
                               u + line, f + line, sum);
            }
        }
    }
    return KOL_OK;
}

static double line_sum(int n, const double *u)
{
    double sum = 0;
    for (int t = 0; t < n; ++t) sum += shell_weight(t, n) * (u[t] * u[t]);
    return sum;
}

kol_status shells_planes(struct shells s, const double *u, double *lines, double *along_a, double *along_b,
                         double *along_t)
{
    memset(along_b, 0, sizeof *along_b * (size_t)s.groups * (size_t)s.nb);
    memset(along_t, 0, sizeof *along_t * (size_t)s.groups * (size_t)s.nt);
    for (int g = 0; g < s.groups; ++g) {
        for (int a = s.start[g]; a < s.start[g + 1]; ++a) {
            const double weight = shell_weight(s.first + a, s.na_g);
            along_a[a] = 0;
            for (int b = 0; b < s.nb; ++b) {
                const double *line = u + ((ptrdiff_t)a * s.nb + b) * s.nt, wb = shell_weight(b, s.nb);
                double *to = along_t + (ptrdiff_t)g * s.nt, *sum = &lines[(ptrdiff_t)a * s.nb + b];
                *sum = line_sum(s.nt, line);
                along_a[a] += wb * *sum;
                along_b[(ptrdiff_t)g * s.nb + b] += weight * *sum;
                for (int t = 0; t < s.nt; ++t) to[t] += weight * wb * (line[t] * line[t]);
            }
        }
    }
    return KOL_OK;
}
