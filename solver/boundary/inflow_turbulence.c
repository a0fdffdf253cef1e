/* Builds the tables of the synthetic turbulence of an inflow, and adds the waves to its plane at a time. */
#include "inflow_turbulence.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/face_kinds.h"
#include "inflow_waves.h"

struct inflow_turbulence {
    int face, modes;
    const struct inflow_wave *wave; /* borrowed */
    double *flux; /* flux of each wave through the whole face: factors of cos and sin of its phase [U] */
    double *turn; /* host: struct inflow_waves' */
    double *store, *store_turn; /* kernel memory behind waves */
    struct inflow_waves waves;
};

/* Number of places along direction n of a face, at centres or at faces: those of this rank and one beyond
 * each end. */
static ptrdiff_t places(const struct decomp *d, int face, int n)
{
    const int along[2] = {face / 2 == X ? Y : X, face / 2 == Z ? Y : Z};
    return d->n[along[n]] + 2;
}

static ptrdiff_t store_values(const struct input *in, const struct decomp *d, int face)
{
    const ptrdiff_t modes = in->boundary.turbulence_modes;
    return 2 * (2 * modes + 1) * (places(d, face, 0) + places(d, face, 1)) + (3 + 2) * modes;
}

/* Writes the tables of one direction: cos and sin of all waves, then the weights. */
static double *put_tables(const struct inflow_turbulence *t, const struct inflow *inflow,
                          const struct decomp *d, int n, int on_face, double *to)
{
    const struct inflow_face f = inflow_face_make(inflow_grid(inflow), t->face);
    const int dir = f.along[n], cells = d->n[dir];
    for (int m = 0; m < t->modes; ++m)
        for (int part = 0; part < 2; ++part)
            for (int i = -1; i <= cells; ++i) {
                const double angle =
                    t->wave[m].k[dir] *
                    inflow_coordinate(inflow, &f, n, on_face, inflow_index(inflow, d, dir, on_face, i));
                *to++ = part ? sin(angle) : cos(angle);
            }
    for (int i = -1; i <= cells; ++i)
        *to++ = inflow_weight(inflow, &f, n, on_face, inflow_index(inflow, d, dir, on_face, i));
    return to;
}

/* Sums along a direction of width times weight, times cos and sin of a wave. For wave NULL these are the sum
 * of width times weight, and 0. */
static void sum_line(const struct inflow *inflow, const struct inflow_face *f, int n,
                     const struct inflow_wave *wave, double sum[2])
{
    const struct grid *g = inflow_grid(inflow);
    sum[0] = sum[1] = 0;
    for (int i = 0; i < f->cells[n]; ++i) {
        const double part = grid_width(g, f->along[n], i) * inflow_weight(inflow, f, n, 0, i),
                     angle = wave != NULL ? wave->k[f->along[n]] * inflow_coordinate(inflow, f, n, 0, i) : 0;
        sum[0] += part * cos(angle);
        sum[1] += part * sin(angle);
    }
}

/* Computes the flux of each wave through the face. It is the wave's component normal to the face times the
 * sums along both directions. The flux divided by the sums of the weights is a velocity. If this velocity is
 * subtracted with the same weights, the flux vanishes. */
static void find_fluxes(struct inflow_turbulence *t, const struct inflow *inflow, const double *amplitude)
{
    const struct inflow_face f = inflow_face_make(inflow_grid(inflow), t->face);
    double all[2][2];
    for (int n = 0; n < 2; ++n) sum_line(inflow, &f, n, NULL, all[n]);
    for (int m = 0; m < t->modes; ++m) {
        double a[2], b[2];
        sum_line(inflow, &f, 0, &t->wave[m], a);
        sum_line(inflow, &f, 1, &t->wave[m], b);
        const double scale = amplitude[3 * m + t->face / 2] / (all[0][0] * all[1][0]);
        t->flux[2 * m] = scale * (a[0] * b[0] - a[1] * b[1]);
        t->flux[2 * m + 1] = scale * (a[0] * b[1] + a[1] * b[0]);
    }
}

static kol_status fill_store(struct inflow_turbulence *t, const struct inflow *inflow, const struct decomp *d,
                             const struct input *in, double *host)
{
    const ptrdiff_t values = store_values(in, d, t->face);
    double *to = host, *kernel = t->store;
    for (int n = 0; n < 2; ++n)
        for (int on_face = 0; on_face < 2; ++on_face) {
            t->waves.line[n][on_face] = kernel + (to - host);
            to = put_tables(t, inflow, d, n, on_face, to);
            t->waves.weight[n][on_face] = kernel + (to - host) - places(d, t->face, n);
        }
    t->waves.amplitude = kernel + (to - host);
    for (int m = 0; m < t->modes; ++m)
        for (int c = 0; c < 3; ++c) to[3 * m + c] = in->boundary.turbulence[t->face][c] * t->wave[m].v[c];
    find_fluxes(t, inflow, to);
    to += 3 * t->modes;
    t->waves.turn = t->store_turn = kernel + (to - host);
    for (int m = 0; m < 2 * t->modes; ++m) *to++ = 0;
    return mem_to_kernel(kernel, host, (size_t)values * sizeof *host);
}

kol_status inflow_turbulence_create(struct memory *memory, const struct input *in,
                                    const struct inflow *inflow, const struct decomp *d, int face,
                                    struct inflow_turbulence **out)
{
    const size_t bytes = (size_t)store_values(in, d, face) * sizeof(double);
    struct inflow_turbulence *t = *out = calloc(1, sizeof *t);
    if (t == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the turbulence of an inflow");
    t->face = face;
    t->modes = t->waves.modes = in->boundary.turbulence_modes;
    TRY(memory_host(memory, 2 * (size_t)t->modes * sizeof *t->turn, (void **)&t->turn));
    TRY(memory_kernel(memory, bytes, (void **)&t->store));
    if (memory_counts(memory)) return KOL_OK;
    t->wave = inflow_waves(inflow, face);
    t->flux = malloc(2 * (size_t)t->modes * sizeof *t->flux);
    double *host = malloc(bytes);
    kol_status st = KOL_OK;
    if (t->flux == NULL || host == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the turbulence of an inflow");
    TRY_OR(done, st);
    TRY_OR(done, fill_store(t, inflow, d, in, host));
done:
    free(host);
    return st;
}

void inflow_turbulence_destroy(struct inflow_turbulence **turbulence)
{
    struct inflow_turbulence *t = *turbulence;
    if (t == NULL) return;
    free(t->flux);
    mem_host_free(t->turn);
    mem_kernel_free(t->store);
    free(t);
    *turbulence = NULL;
}

kol_status inflow_turbulence_fill(struct inflow_turbulence *t, struct box b, double time, const real *steady,
                                  real *plane)
{
    struct inflow_waves w = t->waves;
    for (int m = 0; m < t->modes; ++m) {
        const double phase = t->wave[m].phase - t->wave[m].rate * time;
        t->turn[2 * m] = cos(phase);
        t->turn[2 * m + 1] = sin(phase);
        w.excess += t->flux[2 * m] * t->turn[2 * m] - t->flux[2 * m + 1] * t->turn[2 * m + 1];
    }
    TRY(mem_to_kernel_begin(t->store_turn, t->turn, 2 * (size_t)t->modes * sizeof *t->turn));
    return inflow_waves_add(b, t->face, w, steady, plane);
}
