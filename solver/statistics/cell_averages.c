/* Adds samples to the averages in every cell, and passes their sums to and from files. */
#include "cell_averages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/bodies.h"
#include "inputs/scalars.h"
#include "inputs/statistics_wanted.h"
#include "kernels/point/cell_average.h"
#include "kernels/section_sample.h"

/* Size of the host memory through which sums pass [bytes]. It is larger if a single plane needs more. */
enum { SLAB_BYTES = 1 << 25 };

static ptrdiff_t plane_cells(const struct cell_averages *c)
{
    const struct box b = c->domain->grid.box;
    return (ptrdiff_t)b.nx * b.ny;
}

static kol_status create_memory(struct memory *memory, struct cell_averages *c)
{
    const size_t plane = (size_t)plane_cells(c) * (size_t)c->sums * sizeof *c->sum;
    const size_t sums = (size_t)c->slots * (size_t)c->sums * (size_t)c->cells;
    const int nz = c->domain->grid.box.nz;
    c->planes = plane < SLAB_BYTES ? (int)(SLAB_BYTES / plane) : 1;
    if (c->planes > nz) c->planes = nz;
    TRY(memory_kernel(memory, sums * sizeof *c->sum, (void **)&c->sum));
    TRY(memory_kernel(memory, (size_t)c->values * (size_t)c->cells * sizeof *c->latest, (void **)&c->latest));
    TRY(memory_host(memory, (size_t)c->planes * plane, &c->packed));
    return memory_host(memory, (size_t)c->planes * plane / (size_t)c->sums, &c->plane);
}

/* Describes the arrays, with the names of the scalars. */
static void put_words(struct cell_averages *c)
{
    int used[2] = {
        snprintf(c->words[0], CELL_WORDS, "latest sample: u, v, w, p, dissipation"),
        snprintf(c->words[1], CELL_WORDS,
                 "weighted sums over a batch of samples: u, v, w, p, uu, vv, ww, uv, uw, vw, pp, up, "
                 "vp, wp, dissipation")};
    for (int n = 0; n < c->scalars; ++n) {
        const char *name = c->domain->in->scalars.name[n];
        used[0] += snprintf(c->words[0] + used[0], CELL_WORDS - (size_t)used[0], ", %.*s", SCALAR_NAME, name);
        used[1] += snprintf(c->words[1] + used[1], CELL_WORDS - (size_t)used[1],
                            ", %.*s, its square, its products with u, v, w", SCALAR_NAME, name);
        if (used[1] >= CELL_WORDS) return; /* cut short */
    }
    if (c->budgets.values > 0) {
        snprintf(c->words[0] + used[0], CELL_WORDS - (size_t)used[0], ", terms of the budgets");
        snprintf(c->words[1] + used[1], CELL_WORDS - (size_t)used[1], ", terms of the budgets");
    }
    if (!c->turns) return;
    snprintf(c->words[0] + used[0], CELL_WORDS - (size_t)used[0], ", 1 in the fluid");
    snprintf(c->words[1] + used[1], CELL_WORDS - (size_t)used[1], ", 1 in the fluid");
}

kol_status cell_averages_create(struct memory *memory, const struct domain *domain,
                                struct cell_averages **out)
{
    struct cell_averages *c = *out = calloc(1, sizeof *c);
    if (c == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages");
    const struct box b = domain->grid.box;
    c->domain = domain;
    c->batches = cells_batches(domain->in);
    c->slots = c->batches > 0 ? c->batches : 1;
    c->cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    c->scalars = scalar_count(domain->in);
    c->turns = bodies_turn_cells(domain->in);
    c->budgets.values = cells_budgets(domain->in) ? cell_budget_values(bodies_any(domain->in)) : 0;
    c->budgets.first = cell_average_sums(c->scalars, c->turns);
    c->budgets.nu = domain->in->fluid.nu;
    for (int d = 0; d < 3; ++d) c->budgets.turn[d] = 2 * domain->in->forcing.rotation[d];
    c->values = cell_average_values(c->scalars, c->turns) + c->budgets.values;
    c->sums = cell_average_sums(c->scalars, c->turns) + c->budgets.values;
    put_words(c);
    return create_memory(memory, c);
}

void cell_averages_destroy(struct cell_averages **averages)
{
    struct cell_averages *c = *averages;
    if (c == NULL) return;
    mem_kernel_free(c->sum);
    mem_kernel_free(c->latest);
    mem_host_free(c->packed);
    mem_host_free(c->plane);
    free(c);
    *averages = NULL;
}

double cell_averages_kind(const struct cell_averages *c)
{
    enum { BATCHES_BELOW = 1024, SCALARS_BELOW = 16 };
    return c->batches + (double)BATCHES_BELOW *
                            (c->scalars + SCALARS_BELOW * (CELL_AVERAGE_SUMS + c->turns + c->budgets.values));
}

int cell_averages_numbers_most(int batches)
{
    return batches > 0 ? batches : BATCH_MEANS_FIELDS;
}

/* --- samples --- */

/* order: what all ranks have to do with a sample; rank 0 tells them. */
struct order {
    struct cell_average_weights by;
    int slot, before, pairs; /* pairs: how many pairs of batches are joined afterwards */
};

static int is_at_boundary(const struct batch_means *numbers)
{
    return batch_means_samples(numbers) == batch_means_length(numbers) * batch_means_count(numbers);
}

static struct order order_of(const struct cell_averages *c, struct batch_means *numbers, double t)
{
    const struct batch_means_weights w = batch_means_weigh(numbers, t);
    const double sample[CELL_NUMBERS] = {t, cell_averages_kind(c)};
    const int count = batch_means_count(numbers), several = c->batches > 0;
    struct order o = {{w.sample, w.latest, is_at_boundary(numbers)}, several ? count : 0, 0, 0};
    if (!several) o.by.fresh = batch_means_samples(numbers) == 0;
    o.before = several && w.place >= 0 ? w.place : o.slot;
    batch_means_add(numbers, t, sample);
    if (several && batch_means_count(numbers) < count) o.pairs = batch_means_count(numbers);
    return o;
}

kol_status cell_averages_add(struct cell_averages *c, const struct flow *flow, struct batch_means *numbers)
{
    const struct domain *domain = c->domain;
    const ptrdiff_t vector = c->sums * c->cells;
    const struct cell_average_fields fields = {
        domain->grid.m, (real)domain->in->fluid.nu, flow->vel, flow->pressure.p, c->scalars, flow->scalar,
        c->turns};
    struct order o = {{0, 0, 0}, 0, 0, 0};
    if (numbers != NULL) o = order_of(c, numbers, flow->clock.t);
    MPI_TRY(MPI_Bcast(&o, sizeof o, MPI_BYTE, 0, domain->comm.mpi));
    TRY(cell_average_add(domain->grid.box, domain->grid.open, o.by, fields, c->latest,
                         c->sum + o.slot * vector, c->sum + o.before * vector));
    if (c->budgets.values > 0)
        TRY(cell_budgets_add(c->budgets, flow, o.by, &fields,
                             c->latest + (c->values - c->budgets.values) * c->cells,
                             c->sum + o.slot * vector + c->budgets.first * c->cells,
                             c->sum + o.before * vector + c->budgets.first * c->cells));
    return o.pairs > 0 ? section_sample_join(vector, o.pairs, c->sum) : KOL_OK;
}

int cell_averages_used(const struct cell_averages *c, const struct batch_means *numbers)
{
    if (numbers == NULL || batch_means_samples(numbers) == 0) return 0;
    return c->batches == 0 ? 1 : batch_means_count(numbers) + !is_at_boundary(numbers);
}

/* The array of the numbers: a head, then the weights of the batches, their sums, the sum of the other
 * samples, the latest sample. */
enum {
    SAMPLES,
    LENGTH,
    COMPLETE,
    BEGIN,
    END,
    UNIT,
    INTERVAL,
    BEFORE,
    FOLLOWS,
    LATEST,
    REST_WEIGHT,
    HEAD = 16
};

int cell_averages_numbers_size(int batches)
{
    const int most = cell_averages_numbers_most(batches);
    return HEAD + most + (most + 2) * CELL_NUMBERS;
}

void cell_averages_pack(const struct batch_means *numbers, double *state)
{
    const int most = batch_means_most(numbers), count = batch_means_count(numbers);
    const struct batch_means_times times = batch_means_times(numbers);
    double *weight = state + HEAD, *batch = weight + most, *rest = batch + most * CELL_NUMBERS;
    memset(state, 0, (size_t)(rest - state) * sizeof *state);
    state[SAMPLES] = (double)batch_means_samples(numbers);
    state[LENGTH] = (double)batch_means_length(numbers);
    state[COMPLETE] = count;
    state[BEGIN] = batch_means_begin(numbers);
    state[END] = batch_means_end(numbers);
    state[UNIT] = times.unit;
    state[INTERVAL] = times.interval;
    state[BEFORE] = times.before;
    state[FOLLOWS] = times.follows;
    state[LATEST] = times.latest;
    state[REST_WEIGHT] = batch_means_rest_weight(numbers);
    memcpy(weight, batch_means_weights(numbers), (size_t)count * sizeof *weight);
    memcpy(batch, batch_means_complete(numbers), (size_t)count * CELL_NUMBERS * sizeof *batch);
    batch_means_rest(numbers, rest);
    memcpy(rest + CELL_NUMBERS, batch_means_latest(numbers), CELL_NUMBERS * sizeof *rest);
}

/* Whether the array makes sense. */
static int is_sound(const double *state, int most)
{
    const double samples = state[SAMPLES], length = state[LENGTH], count = state[COMPLETE],
                 doubles_count_to = 9007199254740992.0;
    double all = state[REST_WEIGHT] >= 0 ? state[REST_WEIGHT] : NAN;
    if (!(samples >= 1 && samples < doubles_count_to && samples == floor(samples) && length >= 1 &&
          length <= samples && length == floor(length) && count >= 0 && count < most &&
          count == floor(count) && samples >= count * length && isfinite(state[BEGIN]) &&
          isfinite(state[END]) && state[BEGIN] <= state[END]))
        return 0;
    for (int n = 0; n < (int)count; ++n) all += state[HEAD + n] >= 0 ? state[HEAD + n] : NAN;
    return all > 0 && isfinite(all) && state[UNIT] >= 0 && isfinite(state[UNIT]) && state[INTERVAL] >= 0 &&
           isfinite(state[INTERVAL]) && isfinite(state[BEFORE]);
}

kol_status cell_averages_unpack(const double *state, int batches, const char *from, struct batch_means **out)
{
    const int most = cell_averages_numbers_most(batches);
    const double *weight = state + HEAD, *batch = weight + most, *rest = batch + most * CELL_NUMBERS;
    *out = NULL;
    if (!is_sound(state, most))
        RAISE(
            KOL_ERR_IO,
            "%s: %g samples in %g batches of %g, from t = %g to %g, are not those of an average; the file is "
            "damaged",
            from, state[SAMPLES], state[COMPLETE], state[LENGTH], state[BEGIN], state[END]);
    const struct batch_means_times times = {state[UNIT], state[INTERVAL], state[BEFORE], state[FOLLOWS] != 0,
                                            state[LATEST] != 0};
    TRY(batch_means_create(NULL, CELL_NUMBERS, most, out));
    batch_means_set(*out, (long long)state[SAMPLES], (long long)state[LENGTH], (int)state[COMPLETE],
                    state[BEGIN], state[END], batch, rest);
    batch_means_set_weights(*out, times, weight, state[REST_WEIGHT]);
    batch_means_set_latest(*out, rest + CELL_NUMBERS);
    return KOL_OK;
}

kol_status cell_averages_share(const struct cell_averages *c, const struct batch_means *numbers,
                               struct batch_means **out)
{
    const struct comm *comm = &c->domain->comm;
    const int size = cell_averages_numbers_size(c->batches);
    int samples = numbers != NULL && batch_means_samples(numbers) > 0;
    *out = NULL;
    MPI_TRY(MPI_Bcast(&samples, 1, MPI_INT, 0, comm->mpi));
    if (!samples) return KOL_OK;
    double *state = calloc((size_t)size, sizeof *state);
    kol_status st =
        state != NULL ? KOL_OK : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for averages");
    st = comm_agree(comm, st);
    if (st == KOL_OK && numbers != NULL) cell_averages_pack(numbers, state);
    if (st == KOL_OK && MPI_Bcast(state, size, MPI_DOUBLE, 0, comm->mpi) != MPI_SUCCESS)
        st = status_raise(KOL_ERR_MPI, __FILE__, __LINE__, "the numbers of averages were not sent");
    if (st == KOL_OK) st = cell_averages_unpack(state, c->batches, "the averages", out);
    free(state);
    return st;
}

/* --- views --- */

kol_status cell_averages_get(const struct cell_averages *c, int slot, int q, int first, int count,
                             double *host)
{
    const ptrdiff_t at = ((ptrdiff_t)slot * c->sums + q) * c->cells + first * plane_cells(c);
    return mem_to_host(host, c->sum + at, (size_t)(count * plane_cells(c)) * sizeof *host);
}

kol_status cell_averages_set(struct cell_averages *c, int slot, int q, ptrdiff_t first, ptrdiff_t count,
                             const double *host)
{
    const ptrdiff_t at = ((ptrdiff_t)slot * c->sums + q) * c->cells + first;
    return mem_to_kernel(c->sum + at, host, (size_t)count * sizeof *host);
}

kol_status cell_averages_set_latest(struct cell_averages *c, int q, ptrdiff_t first, ptrdiff_t count,
                                    const real *host)
{
    return mem_to_kernel(c->latest + q * c->cells + first, host, (size_t)count * sizeof *host);
}

static kol_status check_finite(const struct cell_averages *c, double value, int q, int first, ptrdiff_t n)
{
    const struct decomp *d = &c->domain->decomp;
    const int nx = c->domain->grid.box.nx, ny = c->domain->grid.box.ny;
    if (isfinite(value)) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL,
          "sum %d of the averages in every cell is %g in cell (%d, %d, %d): they are not written. Lower "
          "time.cfl or time.dt, or refine the grid",
          q, value, d->offset[X] + (int)(n % nx), d->offset[Y] + (int)(n / nx % ny),
          d->offset[Z] + first + (int)(n / nx / ny));
}

/* Fills the slab with the sums of a slot. */
static kol_status pass_sums(void *way, int first, int count)
{
    const struct cell_averages_way *w = way;
    const struct cell_averages *c = w->of;
    const ptrdiff_t n = count * plane_cells(c);
    const double *plane = c->plane;
    double *to = c->packed;
    for (int q = 0; q < c->sums; ++q) {
        TRY(cell_averages_get(c, w->slot, q, first, count, c->plane));
        for (ptrdiff_t i = 0; i < n; ++i) {
            TRY(check_finite(c, plane[i], q, first, i));
            to[i * c->sums + q] = plane[i];
        }
    }
    return KOL_OK;
}

/* Empties the slab into the sums of a slot. */
static kol_status take_sums(void *way, int first, int count)
{
    const struct cell_averages_way *w = way;
    struct cell_averages *c = w->of;
    const ptrdiff_t n = count * plane_cells(c);
    const double *from = c->packed;
    double *plane = c->plane;
    for (int q = 0; q < c->sums; ++q) {
        for (ptrdiff_t i = 0; i < n; ++i) plane[i] = from[i * c->sums + q];
        TRY(cell_averages_set(c, w->slot, q, first * plane_cells(c), n, plane));
    }
    return KOL_OK;
}

static kol_status pass_latest(void *way, int first, int count)
{
    const struct cell_averages *c = ((struct cell_averages_way *)way)->of;
    const ptrdiff_t n = count * plane_cells(c);
    const real *plane = c->plane;
    real *to = c->packed;
    for (int q = 0; q < c->values; ++q) {
        TRY(mem_to_host(c->plane, c->latest + q * c->cells + first * plane_cells(c),
                        (size_t)n * sizeof *plane));
        for (ptrdiff_t i = 0; i < n; ++i) to[i * c->values + q] = plane[i];
    }
    return KOL_OK;
}

static kol_status take_latest(void *way, int first, int count)
{
    struct cell_averages *c = ((struct cell_averages_way *)way)->of;
    const ptrdiff_t n = count * plane_cells(c);
    const real *from = c->packed;
    real *plane = c->plane;
    for (int q = 0; q < c->values; ++q) {
        for (ptrdiff_t i = 0; i < n; ++i) plane[i] = from[i * c->values + q];
        TRY(cell_averages_set_latest(c, q, first * plane_cells(c), n, plane));
    }
    return KOL_OK;
}

static struct io_view view_of(struct cell_averages *c, int slot, const char *name, int reads)
{
    const struct domain *domain = c->domain;
    const struct box b = domain->grid.box;
    const int is_latest = slot == CELL_LATEST;
    struct io_view v = {.name = name,
                        .long_name = c->words[!is_latest],
                        .unit = "U, U2, ...",
                        .location = IO_CCC,
                        .ncomp = is_latest ? c->values : c->sums,
                        .n = {b.nx, b.ny, b.nz},
                        .bytes = is_latest ? (int)sizeof(real) : (int)sizeof(double),
                        .data = c->packed};
    for (int d = 0; d < 3; ++d) {
        v.n_g[d] = domain->decomp.n_g[d];
        v.offset[d] = domain->decomp.offset[d];
    }
    c->way = (struct cell_averages_way){c, slot};
    v.planes.most = c->planes;
    v.planes.context = &c->way;
    v.planes.pass = reads ? (is_latest ? take_latest : take_sums) : is_latest ? pass_latest : pass_sums;
    return v;
}

struct io_view cell_averages_view(struct cell_averages *c, int slot, const char *name)
{
    return view_of(c, slot, name, 0);
}

struct io_view cell_averages_into(struct cell_averages *c, int slot, const char *name)
{
    return view_of(c, slot, name, 1);
}

void cell_averages_products(const struct cell_averages *c, const real *value, double *out)
{
    double factor[CELL_FACTORS];
    for (int q = 0; q < c->values - c->budgets.values; ++q) factor[q] = value[q];
    factor[CELL_ONE] = 1;
    const int values = c->values - c->budgets.values, sums = c->sums - c->budgets.values;
    for (int q = 0; q < sums; ++q) out[q] = factor[point_cell_first(q)] * factor[point_cell_second(q)];
    for (int q = 0; q < c->budgets.values; ++q) out[sums + q] = value[values + q];
}

const char *cell_averages_name(int slot, char name[CELL_NAME])
{
    if (slot == CELL_LATEST) snprintf(name, CELL_NAME, "latest");
    else snprintf(name, CELL_NAME, "batch_%d", slot);
    return name;
}
