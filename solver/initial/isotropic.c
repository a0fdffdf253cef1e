/* Makes a random solenoidal velocity with a prescribed energy spectrum.
 *
 * The construction is Rogallo's (NASA TM 81315, 1981). For every wave vector, two phases and an angle come
 * from a counter-based generator whose key is the wave vector alone. The amplitude is orthogonal to the wave
 * vector of the discrete divergence. So on a uniform grid the field is divergence-free to rounding, and each
 * spherical shell holds exactly the prescribed energy.
 *
 * The sum over wave vectors is taken along one direction after the other. First comes z; then the data are
 * redistributed over the ranks, and y and x follow. In a uniform direction FFTW computes the sum. In a
 * stretched direction it is computed term by term at the true coordinates. Lines are transformed one at a
 * time by the same plan, so the values do not depend on the ranks. */
#include "initial.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include "kernels/base/constants.h"
#include "math/fourier_line.h"
#include "math/random.h"
#include "parallel/remap_host.h"
#include "energy_spectrum.h"
#include "math/wavenumber_shells.h"

/* synthesis: constants and arrays for one component of the velocity. */
struct synthesis {
    const struct domain *domain;

    int n[3];
    int component;
    double width; /* of a shell [1/L] */
    int shells;
    double *amplitude; /* |u_k| of a wave vector in each shell [U] */
};

/* Whether a mode takes part. The mean does not, nor do waves of a length of two cells, whose phase the grid
 * cannot represent. */
static int takes_part(const struct synthesis *s, const int m[3])
{
    for (int d = 0; d < 3; ++d) {
        if (2 * abs(m[d]) == s->n[d]) return 0;
    }
    return m[0] != 0 || m[1] != 0 || m[2] != 0;
}

static double wavenumber(const struct synthesis *s, const int m[3], double k[3])
{
    double square = 0;
    for (int d = 0; d < 3; ++d) {
        k[d] = 2 * PI * m[d] / s->domain->grid.length[d];
        square += k[d] * k[d];
    }
    return sqrt(square);
}

static int shell_of(const struct synthesis *s, double k)
{
    return wavenumber_shell(k, s->width);
}

/* The coefficient of one component at one wave vector, for the staggered points of this component. */
static double complex coefficient(const struct synthesis *s, const int m_in[3])
{
    int m[3] = {m_in[0], m_in[1], m_in[2]};
    if (!takes_part(s, m)) return 0;
    const int mirrored = m[2] < 0 || (m[2] == 0 && (m[1] < 0 || (m[1] == 0 && m[0] < 0)));
    for (int d = 0; d < 3 && mirrored; ++d) m[d] = -m[d];
    const uint32_t counter[4] = {(uint32_t)m[0], (uint32_t)m[1], (uint32_t)m[2], 0};
    const uint32_t key[2] = {(uint32_t)s->domain->in->run.seed, 0x4b6f6c6du};
    uint32_t word[4];
    random_philox(counter, key, word);
    double k[3], modified[3];
    const double magnitude = wavenumber(s, m, k);
    double square = 0;
    for (int d = 0; d < 3; ++d) {
        const double h = s->domain->grid.length[d] / s->n[d];
        modified[d] = s->domain->grid.uniform[d] ? 2 * sin(0.5 * k[d] * h) / h : k[d];
        square += modified[d] * modified[d];
    }
    /* two unit vectors orthogonal to the modified wave vector, made from the axis along which it is
     * smallest */
    int axis = 0;
    for (int d = 1; d < 3; ++d) axis = fabs(modified[d]) < fabs(modified[axis]) ? d : axis;
    const double norm = sqrt(square), flat = sqrt(square - modified[axis] * modified[axis]);
    const int a1 = (axis + 1) % 3, a2 = (axis + 2) % 3;
    double e1[3], e2[3];
    e1[axis] = 0;
    e1[a1] = modified[a2] / flat;
    e1[a2] = -modified[a1] / flat;
    for (int d = 0; d < 3; ++d) {
        const int p = (d + 1) % 3, q = (d + 2) % 3;
        e2[d] = (modified[p] * e1[q] - modified[q] * e1[p]) / norm;
    }
    const double angle = 2 * PI * random_unit(word[2]), amplitude = s->amplitude[shell_of(s, magnitude)];
    const double complex value =
        amplitude * (cos(angle) * e1[s->component] * cexp(2 * PI * I * random_unit(word[0])) +
                     sin(angle) * e2[s->component] * cexp(2 * PI * I * random_unit(word[1])));
    return mirrored ? conj(value) : value;
}

/* Finds |u_k| for each shell: the energy of the shell, a part of 3/2 u_rms^2, is spread evenly over its wave
 * vectors. */
static kol_status shell_amplitudes(struct synthesis *s)
{
    const struct domain *domain = s->domain;
    double longest = 0, square = 0, k_grid = INFINITY;
    for (int d = 0; d < 3; ++d) {
        const double nyquist = PI * s->n[d] / domain->grid.length[d];
        longest = fmax(longest, domain->grid.length[d]);
        square += nyquist * nyquist;
        k_grid = fmin(k_grid, nyquist);
    }
    s->width = 2 * PI / longest;
    s->shells = (int)lround(sqrt(square) / s->width) + 2;
    long long *count = calloc((size_t)s->shells, sizeof *count);
    s->amplitude = calloc((size_t)s->shells, sizeof *s->amplitude);
    if (count == NULL || s->amplitude == NULL) {
        free(count);
        RAISE(KOL_ERR_MEMORY, "no memory for %d spectral shells", s->shells);
    }
    for (int kz = domain->comm.rank; kz < s->n[2]; kz += domain->comm.size) {
        for (int ky = 0; ky < s->n[1]; ++ky) {
            for (int kx = 0; kx < s->n[0]; ++kx) {
                const int m[3] = {fourier_line_wave(kx, s->n[0]), fourier_line_wave(ky, s->n[1]),
                                  fourier_line_wave(kz, s->n[2])};
                double k[3];
                if (takes_part(s, m)) ++count[shell_of(s, wavenumber(s, m, k))];
            }
        }
    }
    struct energy_spectrum *spectrum = NULL;
    double total = 0;
    kol_status st = energy_spectrum_create(&domain->comm, domain->in, domain->source, k_grid, &spectrum);
    if (st == KOL_OK) {
        const int rc =
            MPI_Allreduce(MPI_IN_PLACE, count, s->shells, MPI_LONG_LONG, MPI_SUM, domain->comm.mpi);
        if (rc != MPI_SUCCESS) st = comm_raise(rc, __FILE__, __LINE__, "MPI_Allreduce of wave vectors");
    }
    for (int i = 1; st == KOL_OK && i < s->shells; ++i) {
        if (count[i] == 0) continue;
        const double energy = energy_spectrum_energy(spectrum, i * s->width);
        s->amplitude[i] = sqrt(2 * energy / (double)count[i]);
        total += energy;
    }
    energy_spectrum_destroy(&spectrum);
    free(count);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "shell_amplitudes");
    if (!(total > 0)) {
        RAISE(KOL_ERR_INPUT,
              "initial.spectrum puts no energy on this grid: its wavenumbers reach from %.4g to %.4g",
              s->width, k_grid);
    }
    const double u = domain->in->initial.u_rms;
    for (int i = 1; i < s->shells; ++i) s->amplitude[i] *= sqrt(1.5 * u * u / total);
    return KOL_OK;
}

/* The three distributions: complete lines in x and z, with y divided; complete lines in x and y, with z
 * divided; and the boxes of the solver. */
static struct piece cut(const struct synthesis *s, int direction, int rank)
{
    struct piece p = {{0, 0, 0}, {s->n[0], s->n[1], s->n[2]}};
    p.lo[direction] = (int)((long long)rank * s->n[direction] / s->domain->comm.size);
    p.hi[direction] = (int)((long long)(rank + 1) * s->n[direction] / s->domain->comm.size);
    return p;
}

static struct piece cut_y(const void *context, int rank)
{
    return cut(context, 1, rank);
}

static struct piece cut_z(const void *context, int rank)
{
    return cut(context, 2, rank);
}

static struct piece solver_box(const void *context, int rank)
{
    const struct synthesis *s = context;
    struct decomp d;
    struct piece p = {{0, 0, 0}, {0, 0, 0}};
    if (decomp_create(s->n, s->domain->decomp.ranks, s->domain->comm.size, rank, &d) != KOL_OK) return p;
    for (int i = 0; i < 3; ++i) {
        p.lo[i] = d.offset[i];
        p.hi[i] = d.offset[i] + d.n[i];
    }
    return p;
}

/* The points of this component along a direction, from the origin of the box. */
static kol_status line_of(const struct synthesis *s, int direction, struct line_transform **out)
{
    const struct grid *g = &s->domain->grid;
    const int n = s->n[direction];
    const double *from = direction == s->component ? g->face[direction] : g->centre[direction];
    double *x = malloc((size_t)n * sizeof *x);
    if (x == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d points", n);
    for (int i = 0; i < n; ++i) x[i] = from[i] - g->origin[direction];
    const kol_status st = fourier_line_create(n, g->length[direction], x, g->uniform[direction], out);
    free(x);
    return st;
}

/* Transforms all lines of one direction in a piece that holds complete lines along it. */
static kol_status transform(const struct synthesis *s, int direction, struct piece p, double complex *data)
{
    struct line_transform *l = NULL;
    const ptrdiff_t size[3] = {p.hi[0] - p.lo[0], p.hi[1] - p.lo[1], p.hi[2] - p.lo[2]};
    const ptrdiff_t stride[3] = {1, size[0], size[0] * size[1]};
    const int a = (direction + 1) % 3, b = (direction + 2) % 3;
    const kol_status st = line_of(s, direction, &l);
    for (ptrdiff_t i = 0; st == KOL_OK && i < size[a]; ++i) {
        for (ptrdiff_t j = 0; j < size[b]; ++j)
            fourier_line_synthesise(l, data + i * stride[a] + j * stride[b], stride[direction]);
    }
    fourier_line_destroy(&l);
    return st;
}

static kol_status synthesise(struct synthesis *s, double complex *first, double complex *second,
                             double *value)
{
    const struct comm *c = &s->domain->comm;
    const struct piece p = cut_y(s, c->rank), q = cut_z(s, c->rank);
    TRY(shell_amplitudes(s));
    double complex *to = first;
    for (int kz = p.lo[2]; kz < p.hi[2]; ++kz) {
        for (int ky = p.lo[1]; ky < p.hi[1]; ++ky) {
            for (int kx = p.lo[0]; kx < p.hi[0]; ++kx) {
                const int m[3] = {fourier_line_wave(kx, s->n[0]), fourier_line_wave(ky, s->n[1]),
                                  fourier_line_wave(kz, s->n[2])};
                *to++ = coefficient(s, m);
            }
        }
    }
    TRY(transform(s, 2, p, first));
    TRY(remap(NULL, c, (int)sizeof *first, cut_y, s, first, cut_z, s, second));
    TRY(transform(s, 1, q, second));
    TRY(transform(s, 0, q, second));
    double *packed = (double *)first;
    for (size_t i = 0; i < piece_count(q); ++i) packed[i] = creal(second[i]);
    return remap(NULL, c, (int)sizeof *packed, cut_z, s, packed, solver_box, s, value);
}

kol_status initial_isotropic(const struct domain *domain, int component, double *value)
{
    struct synthesis s = {.domain = domain, .component = component};
    for (int d = 0; d < 3; ++d) s.n[d] = domain->in->grid.n[d];
    const size_t a = piece_count(cut_y(&s, domain->comm.rank)), b = piece_count(cut_z(&s, domain->comm.rank));
    const size_t most = (a > b ? a : b) + 1;
    double complex *first = malloc(most * sizeof *first), *second = malloc(most * sizeof *second);
    kol_status st = KOL_ERR_MEMORY;
    if (first == NULL || second == NULL) {
        status_raise(st, __FILE__, __LINE__, "no memory for %zu wave vectors", most);
    } else {
        st = synthesise(&s, first, second, value);
    }
    free(first);
    free(second);
    free(s.amplitude);
    return st == KOL_OK ? st : status_pass(st, __FILE__, __LINE__, "init_isotropic");
}
