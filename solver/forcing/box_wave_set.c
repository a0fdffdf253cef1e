/* Finds the forced waves of a box, and goes between complex amplitudes and products of sines and cosines. */
#include "box_wave_set.h"

#include <math.h>
#include <string.h>
#include "inputs/box_forecast.h"
#include "kernels/base/constants.h"

/* One of each pair of waves: the last number of periods that is not 0 is positive. */
static int is_first(const int m[3])
{
    return m[Z] > 0 || (m[Z] == 0 && (m[Y] > 0 || (m[Y] == 0 && m[X] > 0)));
}

/* exp(i m a) = sum of one or two functions of the phase a, times factors. Returns their number. */
static int functions_of(int m, int function[2], double complex factor[2])
{
    const int n = m < 0 ? -m : m;
    function[0] = n == 0 ? 0 : 2 * n - 1;
    factor[0] = 1;
    if (n == 0) return 1;
    function[1] = 2 * n;
    factor[1] = m > 0 ? I : -I;
    return 2;
}

/* Calls each product of a wave, with its factor in exp(i k.x). */
static void each_product(const int m[3], void (*call)(void *context, const int f[3], double complex factor),
                         void *context)
{
    int function[3][2], count[3];
    double complex factor[3][2];
    for (int d = 0; d < 3; ++d) count[d] = functions_of(m[d], function[d], factor[d]);
    for (int z = 0; z < count[Z]; ++z)
        for (int y = 0; y < count[Y]; ++y)
            for (int x = 0; x < count[X]; ++x)
                call(context, (const int[3]){function[X][x], function[Y][y], function[Z][z]},
                     factor[X][x] * factor[Y][y] * factor[Z][z]);
}

double box_wave_function(int f, double phase)
{
    const int periods = (f + 1) / 2;
    if (f == 0) return 1;
    return f % 2 == 1 ? cos(periods * phase) : sin(periods * phase);
}

/* Two unit vectors orthogonal to k, made from the axis along which k is smallest. */
static void make_across(const double k[3], double e[2][3])
{
    int axis = 0;
    for (int d = 1; d < 3; ++d) axis = fabs(k[d]) < fabs(k[axis]) ? d : axis;
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const double square = k[X] * k[X] + k[Y] * k[Y] + k[Z] * k[Z], flat = sqrt(square - k[axis] * k[axis]);
    e[0][axis] = 0;
    e[0][a] = k[b] / flat;
    e[0][b] = -k[a] / flat;
    for (int d = 0; d < 3; ++d) {
        const int p = (d + 1) % 3, q = (d + 2) % 3;
        e[1][d] = (k[p] * e[0][q] - k[q] * e[0][p]) / sqrt(square);
    }
}

static void mark_product(void *context, const int f[3], double complex factor)
{
    struct box_wave_set *set = context;
    (void)factor;
    set->product[f[X]][f[Y]][f[Z]] = 0;
}

/* Numbers the products that some wave needs, by their functions of z. */
static void number_products(struct box_wave_set *set)
{
    for (int q = 0; q < BOX_FUNCTIONS * BOX_FUNCTIONS * BOX_FUNCTIONS; ++q) {
        const int h = q / (BOX_FUNCTIONS * BOX_FUNCTIONS), g = q / BOX_FUNCTIONS % BOX_FUNCTIONS,
                  f = q % BOX_FUNCTIONS, n = set->waves.count;
        if (set->product[f][g][h] < 0) continue;
        set->product[f][g][h] = n;
        set->waves.function[X][n] = (unsigned char)f;
        set->waves.function[Y][n] = (unsigned char)g;
        set->waves.function[Z][n] = (unsigned char)h;
        ++set->waves.count;
    }
}

void box_wave_set_make(const struct input *in, struct box_wave_set *set)
{
    enum { M = BOX_WAVE_MOST, SIDE = 2 * M + 1 };
    memset(set, 0, sizeof *set);
    memset(set->product, -1, sizeof set->product);
    for (int q = 0; q < SIDE * SIDE * SIDE; ++q) {
        const int m[3] = {q % SIDE - M, q / SIDE % SIDE - M, q / SIDE / SIDE - M};
        if (!is_first(m) || !box_wave_is_forced(in, m)) continue;
        const int n = set->pairs++;
        for (int d = 0; d < 3; ++d) {
            const double h = in->grid.length[d] / in->grid.n[d];
            set->periods[n][d] = m[d];
            set->modified[n][d] = 2 * sin(PI * m[d] / in->grid.n[d]) / h;
            set->to_centre[n][d] = cexp(I * PI * m[d] / in->grid.n[d]);
        }
        make_across(set->modified[n], set->across[n]);
        each_product(m, mark_product, set);
    }
    number_products(set);
}

/* finding: the coefficient of one wave while it is found from means, or the reverse. */
struct finding {
    const struct box_wave_set *set;
    double (*mean)[BOX_PRODUCTS];
    struct box_amplitudes *amplitudes;
    double complex *c;
};

static void find_product(void *context, const int f[3], double complex factor)
{
    const struct finding *a = context;
    const int n = a->set->product[f[X]][f[Y]][f[Z]];
    for (int d = 0; d < 3; ++d) a->c[d] += conj(factor) * a->mean[d][n];
}

void box_waves_find(const struct box_wave_set *set, double mean[3][BOX_PRODUCTS], box_vector c[BOX_PAIRS])
{
    for (int n = 0; n < set->pairs; ++n) {
        const double *k = set->modified[n];
        struct finding finding = {set, mean, NULL, c[n]};
        for (int d = 0; d < 3; ++d) c[n][d] = 0;
        each_product(set->periods[n], find_product, &finding);
        for (int d = 0; d < 3; ++d) c[n][d] *= set->to_centre[n][d];
        const double complex along =
            (k[X] * c[n][X] + k[Y] * c[n][Y] + k[Z] * c[n][Z]) / (k[X] * k[X] + k[Y] * k[Y] + k[Z] * k[Z]);
        for (int d = 0; d < 3; ++d) c[n][d] -= along * k[d];
    }
}

static void expand_product(void *context, const int f[3], double complex factor)
{
    const struct finding *a = context;
    const int n = a->set->product[f[X]][f[Y]][f[Z]];
    for (int d = 0; d < 3; ++d) a->amplitudes->amplitude[d][n] += 2 * creal(factor * a->c[d]);
}

struct box_amplitudes box_waves_expand(const struct box_wave_set *set, box_vector *c)
{
    struct box_amplitudes out;
    memset(&out, 0, sizeof out);
    for (int n = 0; n < set->pairs; ++n) {
        box_vector at_centre;
        for (int d = 0; d < 3; ++d) at_centre[d] = c[n][d] * conj(set->to_centre[n][d]);
        struct finding finding = {set, NULL, &out, at_centre};
        each_product(set->periods[n], expand_product, &finding);
    }
    return out;
}

double box_waves_dot(const struct box_wave_set *set, box_vector *a, box_vector *b)
{
    double sum = 0;
    for (int n = 0; n < set->pairs; ++n)
        for (int d = 0; d < 3; ++d) sum += 2 * creal(a[n][d] * conj(b[n][d]));
    return sum;
}
