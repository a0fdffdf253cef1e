/* Packs slices and boxes of the grid, and writes their files. */
#include "slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/fields.h"
#include "io/xdmf.h"
#include "kernels/base/device.h"
#include "kernels/point_sample.h"
#include "control/schedule.h"
#include "checkpoint/host_copy.h"
#include "parallel/watchdog.h"

_Static_assert((int)QUANTITY_VELOCITY == (int)SAMPLE_VELOCITY &&
                   (int)QUANTITY_PRESSURE == (int)SAMPLE_PRESSURE &&
                   (int)QUANTITY_VORTICITY == (int)SAMPLE_VORTICITY && (int)QUANTITY_Q == (int)SAMPLE_Q &&
                   (int)QUANTITY_LAMBDA2 == (int)SAMPLE_LAMBDA2 &&
                   (int)QUANTITY_SCALAR == (int)SAMPLE_QUANTITIES,
               "words and kernels are in the same order");

static const struct {
    const char *long_name, *unit;
} ABOUT[QUANTITY_SCALAR] = {{"velocity at cell centres", "U"},
                            {"pressure over density", "U2"},
                            {"vorticity at cell centres", "U/L"},
                            {"second invariant of the velocity gradient", "U2/L2"},
                            {"middle eigenvalue of strain squared plus rotation squared", "U2/L2"}};

int slices_wanted(const struct input *in)
{
    int any = 0;
    for (int n = 0; n < SLICES_MOST; ++n)
        any |= in->slices.interval[n] > 0 || in->slices.interval_time[n] > 0;
    for (int n = 0; n < BOXES_MOST; ++n) any |= in->boxes.interval[n] > 0 || in->boxes.interval_time[n] > 0;
    return any;
}

/* --- which cells --- */

/* The cell that contains x. The upper end of the grid belongs to the last cell. */
static int cell_at(const double *face, int n, double x)
{
    int i = 0;
    while (i + 1 < n && face[i + 1] <= x) ++i;
    return i;
}

/* Cells first .. last - 1 of a direction. */
static void span_of_box(const double *face, int n, double low, double high, int *first, int *last)
{
    *first = low == INPUT_NOWHERE ? 0 : cell_at(face, n, low);
    *last = n;
    if (high == INPUT_NOWHERE) return;
    *last = cell_at(face, n, high) + 1;
    if (*last - 1 > *first && face[*last - 1] >= high) --*last; /* it ends on a face */
}

static int is_slice(int n)
{
    return n < SLICES_MOST;
}

/* Describes entry n, counted over the slices and then over the boxes, as the input has it. It returns 0 if
 * there is no such entry. */
static int describe(const struct input *in, int n, struct slice *c)
{
    const int b = n - SLICES_MOST;
    const char *words = is_slice(n) ? in->slices.quantities[n] : in->boxes.quantities[b];
    size_t length;
    memset(c, 0, sizeof *c);
    c->interval = is_slice(n) ? in->slices.interval[n] : in->boxes.interval[b];
    c->interval_time = is_slice(n) ? in->slices.interval_time[n] : in->boxes.interval_time[b];
    c->quantities = quantities_read(in, words, &words, &length);
    snprintf(c->stem, sizeof c->stem, "%s_%d", is_slice(n) ? "slice" : "box", (is_slice(n) ? n : b) + 1);
    return c->interval > 0 || c->interval_time > 0;
}

/* Finds the cells of a slice or box, and those of this rank among them. */
static void place(const struct domain *domain, int entry, struct slice *c)
{
    const struct input *in = domain->in;
    int empty = 0;
    for (int d = 0; d < 3; ++d) {
        const double *face = domain->grid.face[d];
        const int n = domain->grid.n_g[d], from = domain->decomp.offset[d], to = from + domain->decomp.n[d];
        int first = 0, last = n;
        if (!is_slice(entry)) {
            const int b = entry - SLICES_MOST;
            span_of_box(face, n, in->boxes.low[b][d], in->boxes.high[b][d], &first, &last);
        } else if (in->slices.normal[entry] == NORMAL_X + d) {
            first = cell_at(face, n, in->slices.position[entry]);
            last = first + 1;
        }
        const int low = first > from ? first : from, high = last < to ? last : to;
        empty |= low >= high;
        c->axis[d] = (struct io_axis){last - first, face + first};
        c->own.lo[d] = low - from;
        c->own.hi[d] = high - from;
        c->offset[d] = low - first;
        c->n[d] = high - low;
    }
    for (int d = 0; d < 3 && empty; ++d) c->own.lo[d] = c->own.hi[d] = c->offset[d] = c->n[d] = 0;
}

/* Finds the next slice or box from entry *n on, and moves *n behind it. It returns 0 if there are no more. */
static int next_cut(const struct domain *domain, int *n, struct slice *c)
{
    while (*n < SLICES_FILES_MOST) {
        const int entry = (*n)++;
        if (!describe(domain->in, entry, c)) continue;
        place(domain, entry, c);
        return 1;
    }
    return 0;
}

/* --- memory --- */

static ptrdiff_t cells_of(const struct slice *c)
{
    return (ptrdiff_t)c->n[X] * c->n[Y] * c->n[Z];
}

static int components(const struct slice *c)
{
    int sum = 0;
    for (int q = 0; q < QUANTITIES; ++q) sum += (c->quantities >> q & 1u) != 0 ? quantity_components(q) : 0;
    return sum;
}

/* Number of values that pass through kernel memory at a time: planes of one quantity, at least one plane. */
static ptrdiff_t slab_values(const struct slice *c)
{
    const ptrdiff_t plane = 3 * (ptrdiff_t)c->n[X] * c->n[Y], whole = plane * c->n[Z];
    const ptrdiff_t most = (ptrdiff_t)(HOST_COPY_SLAB_BYTES / sizeof(real));
    return whole <= most ? whole : plane > most ? plane : most;
}

static ptrdiff_t room_wanted(const struct domain *domain)
{
    struct slice c;
    ptrdiff_t most = 0;
    for (int n = 0; next_cut(domain, &n, &c);) most = slab_values(&c) > most ? slab_values(&c) : most;
    return most;
}

double slices_file_bytes(const struct domain *domain)
{
    struct slice c;
    double values = 0;
    for (int n = 0; next_cut(domain, &n, &c);)
        values += (double)c.axis[X].n * c.axis[Y].n * c.axis[Z].n * components(&c);
    return values * (domain->in->output.field_precision == PRECISION_SINGLE ? 4 : 8);
}

kol_status slices_create(struct memory *memory, const struct flow *flow, struct slices *c)
{
    const struct domain *domain = flow->domain;
    c->flow = flow;
    c->domain = domain;
    for (int n = 0; next_cut(domain, &n, &c->cut[c->count]);) {
        struct slice *cut = &c->cut[c->count++];
        const size_t bytes = (size_t)cells_of(cut) * (size_t)components(cut) * sizeof(real);
        if (domain->comm.rank == 0) {
            cut->index = calloc(1, sizeof *cut->index);
            if (cut->index == NULL) RAISE(KOL_ERR_MEMORY, "no memory for slices and boxes");
        }
        if (bytes > 0) TRY(memory_host(memory, bytes, (void **)&cut->host));
        if (c->count == SLICES_FILES_MOST) break;
    }
    c->room = room_wanted(domain);
    return c->room > 0 ? memory_kernel(memory, (size_t)c->room * sizeof(real), (void **)&c->packed) : KOL_OK;
}

void slices_destroy(struct slices *c)
{
    for (int n = 0; n < c->count; ++n) {
        mem_host_free(c->cut[n].host);
        if (c->cut[n].index != NULL) xdmf_index_drop(c->cut[n].index);
        free(c->cut[n].index);
    }
    mem_kernel_free(c->packed);
    memset(c, 0, sizeof *c);
}

/* --- from the flow to the host --- */

int slices_due(struct slices *c, int start)
{
    int any = 0;
    for (int n = 0; n < c->count; ++n) {
        struct slice *cut = &c->cut[n];
        cut->selected = start || schedule_step(&c->flow->clock, cut->interval) ||
                        schedule_time(&c->flow->clock, cut->interval_time);
        any += cut->selected;
    }
    return any;
}

void slices_none(struct slices *c)
{
    for (int n = 0; n < c->count; ++n) c->cut[n].selected = 0;
}

/* Computes slab after slab in the same kernel memory. This is safe because the queue keeps the order. */
static kol_status take_quantity(struct slices *c, const struct slice *cut, enum quantity q, real *to)
{
    const struct flow *flow = c->flow;
    const struct domain *domain = c->domain;
    const ptrdiff_t plane = (ptrdiff_t)cut->n[X] * cut->n[Y] * quantity_components(q);
    const int most = (int)(c->room / plane), scalar = (int)q - (int)QUANTITY_SCALAR;
    for (int k = 0; k < cut->n[Z]; k += most) {
        struct range r = cut->own;
        const int count = cut->n[Z] - k < most ? cut->n[Z] - k : most;
        r.lo[Z] += k;
        r.hi[Z] = r.lo[Z] + count;
        TRY(point_sample_cells(domain->grid.box, domain->grid.m,
                               scalar < 0 ? (enum point_sample_quantity)q : SAMPLE_PRESSURE, r, flow->vel,
                               scalar < 0 ? flow->pressure.p : flow->scalar[scalar], c->packed));
        TRY(mem_to_host_begin(to + k * plane, c->packed, (size_t)(count * plane) * sizeof(real)));
    }
    return KOL_OK;
}

int slices_take_pressure(const struct slices *c)
{
    int any = 0;
    for (int n = 0; n < c->count; ++n)
        any |= c->cut[n].selected && (c->cut[n].quantities >> QUANTITY_PRESSURE & 1u) != 0;
    return any;
}

kol_status slices_take(struct slices *c)
{
    for (int n = 0; n < c->count; ++n) {
        struct slice *cut = &c->cut[n];
        real *to = cut->host;
        cut->taken = cut->selected;
        if (!cut->taken || to == NULL) continue;
        for (int q = 0; q < QUANTITIES; ++q) {
            if ((cut->quantities >> q & 1u) == 0) continue;
            TRY(take_quantity(c, cut, q, to));
            to += cells_of(cut) * quantity_components(q);
        }
    }
    return KOL_OK;
}

/* --- files --- */

/* A quantity as files describe it. */
static struct io_view describe_quantity(const struct input *in, enum quantity q)
{
    const int scalar = (int)q - (int)QUANTITY_SCALAR;
    const char *name = quantity_name(in, q);
    return (struct io_view){.name = name,
                            .long_name = scalar < 0 ? ABOUT[q].long_name : name,
                            .unit = scalar < 0 ? ABOUT[q].unit : in->scalars.unit[scalar],
                            .location = IO_CCC,
                            .ncomp = quantity_components(q),
                            .bytes = (int)sizeof(real)};
}

static kol_status add_quantities(const struct input *in, const struct slice *cut, struct fields_file *file)
{
    real *data = cut->host;
    for (int q = 0; q < QUANTITIES; ++q) {
        if ((cut->quantities >> q & 1u) == 0) continue;
        struct io_view v = describe_quantity(in, q);
        v.data = data;
        for (int d = 0; d < 3; ++d) {
            v.n_g[d] = cut->axis[d].n;
            v.offset[d] = cut->offset[d];
            v.n[d] = cut->n[d];
        }
        watchdog_phase(NULL);
        TRY(fields_add(file, v));
        if (data != NULL) data += cells_of(cut) * quantity_components(q);
    }
    return KOL_OK;
}

static kol_status write_cut(const struct slices *c, struct slice *cut, const struct comm *comm,
                            long long step, double t, const struct io_text *text, int texts)
{
    const struct input *in = c->domain->in;
    struct fields_file *file = NULL;
    TRY(fields_begin(comm->mpi, in->output.directory, cut->stem, step, t, cut->axis,
                     in->output.field_precision == PRECISION_SINGLE, text, texts, &file));
    TRY(fields_compress(file, in->output.compression));
    TRY(add_quantities(in, cut, file));
    return fields_end(&file, cut->index);
}

kol_status slices_write(struct slices *c, const struct comm *comm, long long step, double t,
                        const struct io_text *text, int texts)
{
    for (int n = 0; n < c->count; ++n)
        if (c->cut[n].taken) TRY(write_cut(c, &c->cut[n], comm, step, t, text, texts));
    return KOL_OK;
}
