/* Makes a random solenoidal velocity with a prescribed energy spectrum, in kernel memory.
 *
 * The construction is Rogallo's (NASA TM 81315, 1981). For every wave vector, two phases and an angle come
 * from a counter-based generator whose counter is the wave vector alone. The amplitude is orthogonal to the
 * wave vector of the discrete divergence. So on a uniform grid the field is divergence-free to rounding,
 * and each spherical shell holds exactly the prescribed energy.
 *
 * The coefficients are formed in planes normal to x, with lines along z (kernels/isotropic.h). The sums are
 * taken along z, y and x; between them the lines are redistributed over the ranks. In a uniform direction
 * the sum is a Fourier transform, in a stretched direction a dense product with the waves at the true
 * coordinates. The result of a line does not depend on the number of lines of a rank (kernels/fft.h), so
 * the flow does not depend on the ranks. */
#include "initial.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/base/constants.h"
#include "kernels/fft.h"
#include "kernels/isotropic.h"
#include "math/wavenumber_shells.h"
#include "parallel/transpose.h"
#include "energy_spectrum.h"

enum { ALONG_Z, ALONG_Y, ALONG_X, BOXES, SPREADS, WORK = 2 };
_Static_assert((int)SPREADS <= (int)TRANSPOSE_SPREADS, "one object moves them all");
static const int DIRECTION[] = {[ALONG_Z] = Z, [ALONG_Y] = Y, [ALONG_X] = X};
static const uint32_t KEY = 0x4b6f6c6du;

/* synthesis: what the three components have in common.
 *
 *   shells   number of shells; table: edges of the shells and amplitudes, in host memory
 *   values   doubles in a work array; own: the work arrays, if those of the pool are too small */
struct synthesis {
    const struct domain *domain;
    int n[3];
    double width; /* of a shell [1/L] */
    int shells;
    double *edge, *amplitude; /* shells + 1 squares of edges [1/L^2], shells amplitudes |u_k| [U] */
    double *table;            /* both, in kernel memory */
    struct piece *pieces;
    struct spread spread[SPREADS];
    struct transposes *moves;
    ptrdiff_t values;
    double *own[WORK];
};

/* --- amplitudes --- */

/* Counts the wave vectors of each shell. The mean does not take part, nor do waves of a length of two cells,
 * whose phase the grid cannot represent. The signs of the wave numbers do not matter. */
static void count_waves(const struct synthesis *s, long long *count)
{
    const double *length = s->domain->grid.length;
    for (int z = 0; 2 * z < s->n[2]; ++z) {
        for (int y = 0; 2 * y < s->n[1]; ++y) {
            for (int x = y == 0 && z == 0; 2 * x < s->n[0]; ++x) {
                const double k[3] = {2 * PI / length[0] * x, 2 * PI / length[1] * y, 2 * PI / length[2] * z};
                const int shell = wavenumber_shell(sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]), s->width);
                count[shell] += (1 + (x > 0)) * (1 + (y > 0)) * (1 + (z > 0));
            }
        }
    }
}

/* Spreads the energy of each shell evenly over its wave vectors, and scales all to 3/2 u_rms^2. */
static kol_status scale_amplitudes(struct synthesis *s, const long long *count, double k_grid)
{
    const struct domain *domain = s->domain;
    struct energy_spectrum *spectrum = NULL;
    double total = 0;
    kol_status st = KOL_OK;
    TRY(energy_spectrum_create(&domain->comm, domain->in, domain->source, k_grid, &spectrum));
    for (int i = 1; i < s->shells; ++i) {
        if (count[i] == 0) continue;
        const double energy = energy_spectrum_energy(spectrum, i * s->width);
        s->amplitude[i] = sqrt(2 * energy / (double)count[i]);
        total += energy;
    }
    if (!(total > 0)) st = energy_spectrum_none(spectrum, domain->in);
    energy_spectrum_destroy(&spectrum);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "energy_spectrum_none");
    const double u = domain->in->initial.u_rms;
    for (int i = 1; i < s->shells; ++i) s->amplitude[i] *= sqrt(1.5 * u * u / total);
    return KOL_OK;
}

static kol_status find_amplitudes(struct synthesis *s)
{
    const struct domain *domain = s->domain;
    double k_grid = INFINITY;
    for (int d = 0; d < 3; ++d) k_grid = fmin(k_grid, PI * s->n[d] / domain->grid.length[d]);
    long long *count = calloc((size_t)s->shells, sizeof *count);
    s->edge = calloc(2 * (size_t)s->shells + 1, sizeof *s->edge);
    if (count == NULL || s->edge == NULL) {
        free(count);
        RAISE(KOL_ERR_MEMORY, "no memory for %d spectral shells", s->shells);
    }
    s->amplitude = s->edge + s->shells + 1;
    for (int i = 0; i <= s->shells; ++i) s->edge[i] = wavenumber_shell_edge(i, s->width);
    count_waves(s, count);
    const kol_status st = scale_amplitudes(s, count, k_grid);
    free(count);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "scale_amplitudes");
    return mem_to_kernel(s->table, s->edge, (2 * (size_t)s->shells + 1) * sizeof *s->table);
}

/* --- lines --- */

static void pieces_of(const void *context, const struct decomp *d, int rank, int ranks,
                      struct piece out[SPREADS])
{
    (void)context;
    spread_boxes(d, BOXES, SPREADS, out);
    spread_cut(&out[ALONG_Z], X, d->n_g[X], rank, ranks);
    spread_cut(&out[ALONG_Y], Z, d->n_g[Z], rank, ranks);
    spread_cut(&out[ALONG_X], Z, d->n_g[Z], rank, ranks);
}

static ptrdiff_t lines_of(const struct synthesis *s, int along)
{
    return (ptrdiff_t)piece_count(s->spread[along].piece[s->domain->comm.rank]) / s->n[DIRECTION[along]];
}

static ptrdiff_t lines_all(const struct synthesis *s, int along)
{
    return (ptrdiff_t)s->n[X] * s->n[Y] * s->n[Z] / s->n[DIRECTION[along]];
}

static enum fft_basis basis_of(const struct synthesis *s, int along)
{
    return s->domain->grid.uniform[DIRECTION[along]] ? FFT_FOURIER : FFT_DENSE;
}

/* The waves at the points of a component in a stretched direction: vector k at [k n]. Waves of two cells
 * are 0. */
static void fill_vectors(const struct synthesis *s, int component, int d, double *vector)
{
    const struct grid *g = &s->domain->grid;
    const double *x = d == component ? g->face[d] : g->centre[d];
    const int n = s->n[d];
    for (int k = 0; k < n; ++k) {
        const int m = (k + 1) / 2;
        for (int i = 0; i < n; ++i) {
            const double phase = 2 * PI * m * (x[i] - g->origin[d]) / g->length[d];
            vector[(ptrdiff_t)k * n + i] = k == 0       ? 1
                                           : 2 * m == n ? 0
                                           : k % 2 == 1 ? 2 * cos(phase)
                                                        : -2 * sin(phase);
        }
    }
}

/* Sums the waves along the lines in work[0], which is exchanged with work[1]. */
static kol_status sum_lines(const struct synthesis *s, int component, int along, double *work[WORK])
{
    const int d = DIRECTION[along], n = s->n[d];
    double *vector = NULL, *const first = work[0];
    struct fft_lines *lines = NULL;
    kol_status st = KOL_OK;
    if (basis_of(s, along) == FFT_DENSE) {
        vector = malloc((size_t)n * (size_t)n * sizeof *vector);
        if (vector == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d waves", n);
        fill_vectors(s, component, d, vector);
    }
    st = fft_lines_create(basis_of(s, along), n, lines_of(s, along), lines_all(s, along), vector, &lines);
    if (st == KOL_OK) st = fft_lines_backward(lines, work[0], work[1]);
    fft_lines_destroy(&lines);
    free(vector);
    work[0] = work[1];
    work[1] = first;
    return st == KOL_OK ? st : status_pass(st, __FILE__, __LINE__, "sum_lines");
}

static struct isotropic_waves waves_of(const struct synthesis *s, int component)
{
    const struct domain *domain = s->domain;
    struct isotropic_waves w = {.component = component,
                                .key = {(uint32_t)domain->in->run.seed, KEY},
                                .width = s->width,
                                .edge = s->table,
                                .amplitude = s->table + s->shells + 1,
                                .mean = domain->in->initial.velocity[component]};
    for (int d = 0; d < 3; ++d) {
        w.n[d] = s->n[d];
        w.wave[d] = 2 * PI / domain->grid.length[d];
        if (!domain->grid.uniform[d]) continue;
        w.spacing[d] = domain->grid.length[d] / s->n[d];
        w.shift[d] = d == component ? 0 : PI / s->n[d];
    }
    return w;
}

static kol_status set_component(const struct synthesis *s, int component, double *work[WORK], real *field)
{
    const struct domain *domain = s->domain;
    const struct piece own = s->spread[ALONG_Z].piece[domain->comm.rank];
    TRY(mem_fill_real(field, domain->grid.box.size, (real)NAN));
    TRY(isotropic_coefficients(waves_of(s, component), own.lo[X], own.hi[X] - own.lo[X], work[0]));
    for (int along = ALONG_Z; along < BOXES; ++along) {
        TRY(sum_lines(s, component, along, work));
        if (along == ALONG_X) break;
        double *const first = work[0];
        TRY(transposes_forward(s->moves, along, (struct spread_source){.values = work[0]},
                               (struct spread_target){.values = work[1]}));
        work[0] = work[1];
        work[1] = first;
    }
    TRY(transposes_forward(s->moves, ALONG_X, (struct spread_source){.values = work[0]},
                           (struct spread_target){.field = field}));
    return transposes_settle(s->moves);
}

/* --- memory --- */

static ptrdiff_t most_values(const struct synthesis *s)
{
    ptrdiff_t most = 1; /* a rank may have no lines */
    for (int along = ALONG_Z; along < BOXES; ++along) {
        const ptrdiff_t v = fft_lines_values(s->n[DIRECTION[along]], lines_of(s, along), lines_all(s, along));
        most = v > most ? v : most;
    }
    return most;
}

static void count_shells(struct synthesis *s)
{
    double longest = 0, square = 0;
    for (int d = 0; d < 3; ++d) {
        const double nyquist = PI * s->n[d] / s->domain->grid.length[d];
        longest = fmax(longest, s->domain->grid.length[d]);
        square += nyquist * nyquist;
    }
    s->width = 2 * PI / longest;
    s->shells = (int)lround(sqrt(square) / s->width) + 2;
}

static kol_status take_memory(struct memory *memory, struct synthesis *s)
{
    const struct grid *g = &s->domain->grid;
    TRY(memory_kernel(memory, (2 * (size_t)s->shells + 1) * sizeof *s->table, (void **)&s->table));
    for (int along = ALONG_Z; along < BOXES; ++along)
        memory_library(memory,
                       fft_lines_bytes(basis_of(s, along), s->n[DIRECTION[along]], lines_all(s, along)));
    if ((size_t)g->box.size * sizeof(real) >= (size_t)s->values * sizeof(double)) return KOL_OK;
    for (int n = 0; n < WORK; ++n)
        TRY(memory_kernel(memory, (size_t)s->values * sizeof(double), (void **)&s->own[n]));
    return KOL_OK;
}

static kol_status create(struct memory *memory, const struct domain *domain, struct synthesis *s)
{
    *s = (struct synthesis){
        .domain = domain,
        .spread = {{.axis = {Z, Y, X}}, {.axis = {Y, X, Z}}, {.axis = {X, Y, Z}}, {.axis = {X, Y, Z}}}};
    s->spread[BOXES].box = &domain->grid.box;
    for (int d = 0; d < 3; ++d) s->n[d] = domain->in->grid.n[d];
    count_shells(s);
    TRY(memory_agree(
        memory, &domain->comm,
        spreads_create(&domain->comm, &domain->decomp, pieces_of, NULL, SPREADS, s->spread, &s->pieces)));
    TRY(transposes_create(memory, &domain->comm, halo_transport(domain->halo), s->spread, SPREADS,
                          &s->moves));
    s->values = most_values(s);
    return memory_agree(memory, &domain->comm, take_memory(memory, s));
}

static void destroy(struct synthesis *s)
{
    transposes_destroy(&s->moves);
    for (int n = 0; n < WORK; ++n) mem_kernel_free(s->own[n]);
    mem_kernel_free(s->table);
    free(s->edge);
    free(s->pieces);
}

static kol_status fill(struct synthesis *s, struct flow *flow)
{
    struct pool *pool = s->domain->pool;
    real *held[WORK] = {NULL};
    double *work[WORK];
    for (int n = 0; n < WORK; ++n) {
        if (s->own[n] == NULL) TRY(pool_hold(pool, "lines of the initial flow", &held[n]));
        work[n] = s->own[n] != NULL ? s->own[n] : (double *)(void *)held[n];
    }
    if (!pool_counts(pool)) {
        TRY(comm_agree(&s->domain->comm, find_amplitudes(s)));
        for (int c = 0; c < 3; ++c) TRY(set_component(s, c, work, flow->vel[c]));
    }
    for (int n = 0; n < WORK; ++n) TRY(pool_drop(pool, &held[n]));
    return KOL_OK;
}

kol_status initial_isotropic(struct flow *flow)
{
    struct synthesis s;
    kol_status st = create(flow->domain->memory, flow->domain, &s);
    if (st == KOL_OK) st = fill(&s, flow);
    destroy(&s);
    return st == KOL_OK ? st : status_pass(st, __FILE__, __LINE__, "initial_isotropic");
}
