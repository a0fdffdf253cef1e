/* Copies fields between kernel memory and the host, for files. */
#include "host_copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "checkpoint_size.h"
#include "kernels/base/constants.h"

/* Largest part of a rank's share of the free host memory that copies for files may take. */
static const double HOST_SHARE = 0.5;

/* Number of planes beyond its own ones that a slab of three components has on either side. */
enum { MARGIN = 1 };

/* --- host memory --- */

static int writes_fields(const struct input *in)
{
    return in->output.field_interval > 0 || in->output.field_interval_time > 0;
}

static int slots_ahead(const struct input *in)
{
    const int state = restart_arrays(in), centred = writes_fields(in) ? field_count(in) : 0;
    return state > centred ? state : centred;
}

/* Size of the buffers: at least one plane, and at most the complete box. */
static ptrdiff_t slab_values(const struct input *in, struct box b, size_t slab)
{
    const int vectors = writes_fields(in);
    const ptrdiff_t least = vectors ? 3 * (1 + 2 * MARGIN) * b.sz : b.sz;
    const ptrdiff_t whole = vectors ? 3 * (b.nz + 2 * MARGIN) * b.sz : b.nz * b.sz;
    ptrdiff_t n = (ptrdiff_t)(slab / sizeof(real));
    if (n < least) n = least;
    return n < whole ? n : whole;
}

/* Number of own planes in a slab. */
static int slab_planes(const struct host_copy *s, int components)
{
    const struct box b = s->domain->grid.box;
    const ptrdiff_t n = s->slab_values / (components * b.sz) - (components > 1 ? 2 * MARGIN : 0);
    return n < b.nz ? (int)n : b.nz;
}

static void drop_slots(struct host_copy *s)
{
    for (int n = 0; n < FLOW_ROWS; ++n) {
        mem_host_free(s->field[n]);
        s->field[n] = NULL;
    }
    s->slots = 0;
}

/* Allocates host memory. If the system gives pages only when they are touched first, they are touched here,
 * so that this costs no time while the solver waits for a copy. Page-locked memory already has its pages. */
static kol_status take_host(struct memory *memory, size_t bytes, real **out)
{
    void *taken = NULL;
    TRY(memory_host(memory, bytes, &taken));
    if (taken != NULL && !device_is_gpu()) memset(taken, 0, bytes);
    *out = taken;
    return KOL_OK;
}

static kol_status take_slots(struct memory *memory, struct host_copy *s, int count)
{
    const size_t bytes = (size_t)s->domain->grid.box.size * sizeof(real);
    for (; s->slots < count; ++s->slots) TRY(take_host(memory, bytes, &s->field[s->slots]));
    return KOL_OK;
}

/* Checks whether a rank's share of the host's memory is enough for the copies and leaves something. */
static kol_status check_room(const struct domain *domain, size_t beside)
{
    struct memory counted = {.host = 0};
    struct host_copy copies;
    size_t bytes = 0;
    memset(&copies, 0, sizeof copies);
    const kol_status st = host_copy_create(&counted, domain, 1, HOST_COPY_SLAB_BYTES, beside, &copies);
    const double wanted = (double)(counted.host + beside);
    host_copy_destroy(&copies);
    TRY(st);
    TRY(mem_host_available(&bytes));
    const double share = (double)bytes / (domain->comm.node_size + domain->comm.beside);
    if (wanted < HOST_SHARE * share) return KOL_OK;
    RAISE(KOL_ERR_MEMORY,
          "copies of %.3f GiB would take more than half of a rank's share of the free memory of a host, %.3f "
          "GiB",
          wanted / GIB, share / GIB);
}

/* Whether all ranks succeeded. If not, s->obstacle tells why the first one did not. This failure is no fault
 * of the run. */
static kol_status all_could(const struct domain *domain, struct host_copy *s, kol_status mine, int *all)
{
    int first = mine == KOL_OK ? domain->comm.size : domain->comm.rank, rank;
    snprintf(s->obstacle, sizeof s->obstacle, "%s", mine == KOL_OK ? "" : status_message());
    status_clear();
    MPI_TRY(MPI_Allreduce(&first, &rank, 1, MPI_INT, MPI_MIN, domain->comm.mpi));
    *all = rank == domain->comm.size;
    if (!*all) MPI_TRY(MPI_Bcast(s->obstacle, sizeof s->obstacle, MPI_CHAR, rank, domain->comm.mpi));
    return KOL_OK;
}

/* Allocates copies of all fields, if all ranks have the memory for them. It is checked first, so that no node
 * begins to swap. */
static kol_status take_ahead(const struct domain *domain, size_t beside, struct host_copy *s)
{
    TRY(all_could(domain, s, check_room(domain, beside), &s->ahead));
    if (s->ahead) TRY(all_could(domain, s, take_slots(NULL, s, slots_ahead(domain->in)), &s->ahead));
    if (!s->ahead) drop_slots(s);
    return KOL_OK;
}

static kol_status find_distances(const struct domain *domain, struct host_copy *s)
{
    for (int d = 0; d < 3; ++d) {
        const int n = domain->decomp.n[d];
        s->distance[d] = malloc(((size_t)n + 1) * sizeof *s->distance[d]);
        if (s->distance[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for spacings");
        for (int i = 0; i <= n; ++i)
            s->distance[d][i] = grid_centre_distance(&domain->grid, d, domain->decomp.offset[d] + i);
    }
    return KOL_OK;
}

static kol_status count_ahead(struct memory *memory, const struct domain *domain, int ahead,
                              struct host_copy *s)
{
    s->ahead = ahead;
    return ahead ? take_slots(memory, s, slots_ahead(domain->in)) : KOL_OK;
}

kol_status host_copy_create(struct memory *memory, const struct domain *domain, int ahead, size_t slab,
                            size_t beside, struct host_copy *s)
{
    const struct box b = domain->grid.box;
    s->domain = domain;
    s->slab_values = slab_values(domain->in, b, slab);
    if (memory_counts(memory)) TRY(count_ahead(memory, domain, ahead, s));
    else if (ahead) TRY(take_ahead(domain, beside, s));
    for (int n = 0; n < 2 && !s->ahead; ++n)
        TRY(take_host(memory, (size_t)s->slab_values * sizeof(real), &s->slab[n]));
    TRY(memory_plain(memory, (size_t)s->slab_values * sizeof(real), (void **)&s->packed));
    if (memory_counts(memory)) return KOL_OK;
    for (int n = 0; n < 2 && !s->ahead; ++n) TRY(device_mark_create(0, &s->there[n]));
    return writes_fields(domain->in) ? find_distances(domain, s) : KOL_OK;
}

void host_copy_destroy(struct host_copy *s)
{
    drop_slots(s);
    for (int n = 0; n < 2; ++n) {
        mem_host_free(s->slab[n]);
        device_mark_destroy(&s->there[n]);
        s->slab[n] = NULL;
    }
    for (int d = 0; d < 3; ++d) {
        free(s->distance[d]);
        s->distance[d] = NULL;
    }
    free(s->packed);
    s->packed = NULL;
}

kol_status host_copy_list(struct host_copy *s, const real *array)
{
    const int n = s->listed;
    if (n == FLOW_ROWS || (s->ahead && n == s->slots))
        RAISE(KOL_ERR_INTERNAL, "%d fields are to be written, but host memory was made for fewer", n + 1);
    s->array[n] = array;
    ++s->listed;
    return s->ahead ? mem_to_host_begin(s->field[n], array, (size_t)s->domain->grid.box.size * sizeof(real))
                    : KOL_OK;
}

kol_status host_copy_listed(const struct host_copy *s)
{
    return s->ahead ? device_wait() : KOL_OK;
}

/* --- slabs from kernel memory --- */

/* box_slab: planes of one array, or of three, in host memory. */
struct box_slab {
    const real *value[3]; /* of the components */
    ptrdiff_t origin;     /* value[c][at(...) - origin] */
};

static int margin(const struct host_copy_way *w)
{
    return w->components > 1 ? MARGIN : 0;
}

static ptrdiff_t plane_start(struct box b, int k)
{
    return (k + b.h) * b.sz;
}

static kol_status begin_slab(struct host_copy *s, int place, int first, int count)
{
    struct host_copy_way *w = &s->way;
    const struct box b = s->domain->grid.box;
    const ptrdiff_t from = plane_start(b, first - margin(w)), n = (count + 2 * margin(w)) * b.sz;
    w->first[place] = first;
    w->count[place] = count;
    for (int c = 0; c < w->components; ++c)
        TRY(mem_to_host_begin(s->slab[place] + c * n, s->array[w->n + c] + from, (size_t)n * sizeof(real)));
    return device_mark_record(s->there[place]);
}

/* Fetches the planes that are asked for, and begins to fetch the next ones, which arrive while the caller
 * packs and writes these. */
static kol_status fetch(struct host_copy *s, int first, int count, struct box_slab *out)
{
    struct host_copy_way *w = &s->way;
    const struct box b = s->domain->grid.box;
    const int place = w->turn, next = first + count, left = b.nz - next;
    out->origin = 0;
    for (int c = 0; c < w->components; ++c) out->value[c] = s->field[w->n + c];
    if (s->ahead) return KOL_OK;
    if (w->first[place] != first || w->count[place] != count) TRY(begin_slab(s, place, first, count));
    if (left > 0) TRY(begin_slab(s, 1 - place, next, left < count ? left : count));
    TRY(device_mark_wait(s->there[place]));
    out->origin = plane_start(b, first - margin(w));
    for (int c = 0; c < w->components; ++c)
        out->value[c] = s->slab[place] + c * (count + 2 * margin(w)) * b.sz;
    w->turn = 1 - place;
    return KOL_OK;
}

static kol_status pass_array(void *staging, int first, int count)
{
    struct host_copy *s = staging;
    const struct box b = s->domain->grid.box;
    struct box_slab from;
    real *to = s->packed;
    TRY(fetch(s, first, count, &from));
    for (int k = first; k < first + count; ++k) {
        for (int j = 0; j < b.ny; ++j, to += b.nx)
            memcpy(to, &from.value[0][at(b, 0, j, k) - from.origin], (size_t)b.nx * sizeof *to);
    }
    return KOL_OK;
}

/* Three values at the centre of a cell, o its place in the slab. */
typedef void vector_of_cell(const struct host_copy *s, const struct box_slab *from, const int cell[3],
                            ptrdiff_t o, real value[3]);

static inline kol_status pass_vectors(struct host_copy *s, int first, int count, vector_of_cell *vector)
{
    const struct box b = s->domain->grid.box;
    struct box_slab from;
    real *to = s->packed;
    TRY(fetch(s, first, count, &from));
    for (int k = first; k < first + count; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            for (int i = 0; i < b.nx; ++i, to += 3)
                vector(s, &from, (const int[3]){i, j, k}, at(b, i, j, k) - from.origin, to);
        }
    }
    return KOL_OK;
}

static inline void centre_velocity(const struct host_copy *s, const struct box_slab *from, const int cell[3],
                                   ptrdiff_t o, real value[3])
{
    const struct box b = s->domain->grid.box;
    const ptrdiff_t up[3] = {1, b.sy, b.sz};
    (void)cell;
    for (int c = 0; c < 3; ++c) value[c] = (real)0.5 * (from->value[c][o] + from->value[c][o + up[c]]);
}

static kol_status pass_velocity(void *staging, int first, int count)
{
    return pass_vectors(staging, first, count, centre_velocity);
}

/* Vorticity component c at the edge below cell o in the two other directions d and e (c, d, e cyclic). */
static double edge_vorticity(const struct box_slab *v, ptrdiff_t o, int d, int e, const ptrdiff_t up[3],
                             const double distance[3])
{
    return (v->value[e][o] - v->value[e][o - up[d]]) / distance[d] -
           (v->value[d][o] - v->value[d][o - up[e]]) / distance[e];
}

/* Vorticity component c in cell o: the mean of its four edges along c. df: distances of the centres at the
 * two faces of the cell in each direction. */
static double cell_vorticity(const struct box_slab *v, ptrdiff_t o, int c, const ptrdiff_t up[3],
                             const double *const df[3])
{
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    double sum = 0;
    for (int q = 0; q < 4; ++q) {
        const int qd = q & 1, qe = q >> 1;
        double distance[3] = {0, 0, 0};
        distance[d] = df[d][qd];
        distance[e] = df[e][qe];
        sum += edge_vorticity(v, o + qd * up[d] + qe * up[e], d, e, up, distance);
    }
    return 0.25 * sum;
}

static inline void centre_vorticity(const struct host_copy *s, const struct box_slab *from, const int cell[3],
                                    ptrdiff_t o, real value[3])
{
    const struct box b = s->domain->grid.box;
    const ptrdiff_t up[3] = {1, b.sy, b.sz};
    const double *const df[3] = {s->distance[X] + cell[X], s->distance[Y] + cell[Y],
                                 s->distance[Z] + cell[Z]};
    for (int c = 0; c < 3; ++c) value[c] = (real)cell_vorticity(from, o, c, up, df);
}

static kol_status pass_vorticity(void *staging, int first, int count)
{
    return pass_vectors(staging, first, count, centre_vorticity);
}

/* --- slabs into kernel memory --- */

static kol_status take_planes(void *staging, int first, int count)
{
    struct host_copy *s = staging;
    const struct box b = s->domain->grid.box;
    real *slab = s->ahead ? s->field[0] : s->slab[0];
    const real *from = s->packed;
    if (first == 0) TRY(mem_fill_real(s->way.into, b.size, (real)NAN));
    for (ptrdiff_t i = 0; i < count * b.sz; ++i) slab[i] = (real)NAN;
    for (int k = first; k < first + count; ++k) {
        for (int j = 0; j < b.ny; ++j, from += b.nx)
            memcpy(&slab[at(b, 0, j, k) - plane_start(b, first)], from, (size_t)b.nx * sizeof *from);
    }
    return mem_to_kernel(s->way.into + plane_start(b, first), slab, (size_t)(count * b.sz) * sizeof(real));
}

kol_status host_copy_store(struct host_copy *s, const double *value, real *array)
{
    const struct box b = s->domain->grid.box;
    const ptrdiff_t plane = (ptrdiff_t)b.nx * b.ny;
    const int most = slab_planes(s, 1);
    s->way = (struct host_copy_way){.components = 1, .into = array};
    for (int k = 0; k < b.nz; k += most) {
        const int count = b.nz - k < most ? b.nz - k : most;
        for (ptrdiff_t i = 0; i < count * plane; ++i) s->packed[i] = (real)value[k * plane + i];
        TRY(take_planes(s, k, count));
    }
    return KOL_OK;
}

/* --- views --- */

struct io_view host_copy_view(const struct domain *domain, const char *name, const char *long_name,
                              const char *unit, enum io_location location, int ncomp)
{
    struct io_view v = {.name = name,
                        .long_name = long_name,
                        .unit = unit,
                        .location = location,
                        .ncomp = ncomp,
                        .bytes = (int)sizeof(real)};
    for (int d = 0; d < 3; ++d) {
        v.n_g[d] = domain->decomp.n_g[d];
        v.offset[d] = domain->decomp.offset[d];
        v.n[d] = domain->decomp.n[d];
    }
    return v;
}

_Static_assert((int)LOC_CCC == (int)IO_CCC && (int)LOC_FCC == (int)IO_FCC && (int)LOC_CFC == (int)IO_CFC &&
                   (int)LOC_CCF == (int)IO_CCF && (int)LOC_CFF == (int)IO_CFF &&
                   (int)LOC_FCF == (int)IO_FCF && (int)LOC_FFC == (int)IO_FFC,
               "the solver and io/ number locations alike");

struct io_view host_copy_field(const struct domain *domain, enum flow_field_number f)
{
    const struct flow_field row = field_row(domain->in, f);
    return host_copy_view(domain, row.name, row.long_name, row.unit, (enum io_location)row.location, 1);
}

static struct io_view on_the_way(struct host_copy *s, struct host_copy_way way,
                                 kol_status (*pass)(void *, int, int), struct io_view v)
{
    s->way = way;
    v.data = s->packed;
    v.planes = (struct io_planes){slab_planes(s, way.components), pass, s};
    return v;
}

struct io_view host_copy_from(struct host_copy *s, int n, struct io_view view)
{
    return on_the_way(s, (struct host_copy_way){.n = n, .components = 1}, pass_array, view);
}

struct io_view host_copy_centre_velocity(struct host_copy *s, struct io_view view)
{
    return on_the_way(s, (struct host_copy_way){.components = 3}, pass_velocity, view);
}

struct io_view host_copy_centre_vorticity(struct host_copy *s, struct io_view view)
{
    return on_the_way(s, (struct host_copy_way){.components = 3}, pass_vorticity, view);
}

struct io_view host_copy_into(struct host_copy *s, real *array, struct io_view view)
{
    return on_the_way(s, (struct host_copy_way){.components = 1, .into = array}, take_planes, view);
}
