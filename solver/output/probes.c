/* Interpolates velocity and pressure at fixed points, and writes probes.nc. */
#include "probes.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bodies/bodies.h"
#include "bodies/travellers.h"
#include "boundary/moving_walls.h"
#include "scalars/scalar_given.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "io/log.h"
#include "io/series.h"
#include "kernels/point_sample.h"
#include "control/schedule.h"
#include "state/flow_fields.h"
#include "step/exact_step.h"
#include "parallel/share_file.h"

enum { CORNERS = 8, PATH = 1024, FIRST_COLUMNS = 2 };
_Static_assert((int)FLOW_FIELDS <= (int)POINT_SAMPLE_ARRAYS, "point_sample_points takes so many arrays");

/* line: interpolation of one array along one direction at a probe. The value is a[0] f[i[0]] + a[1] f[i[1]] +
 * constant, where i are global indices. */
struct line {
    int i[2];
    double a[2], constant;
};

struct probes {
    struct step *step;
    struct flow *flow;
    const struct domain *domain;

    int count, arrays; /* number of probes, and of fields that each one takes */
    double *x[3];      /* positions, one direction after another [L] */
    double *body;      /* number of the body that each probe lies in; 0: none. NULL: no bodies */
    struct line *line; /* rank 0: [probe][array][direction] */
    int *own, *first;  /* number of values of each rank, and their sums before it */
    int *place;        /* rank 0: place in `all` of value [probe][array][corner] */
    struct point_sample_point *point; /* kernel memory: the own[rank] points of this rank */
    real *kernel, *host, *all;        /* values of this rank, twice; rank 0: those of all ranks */
    double *record;                   /* rank 0 */
    struct series *series;
    long long keep_through;
    const struct io_text *text;
    int texts;
};

static int probes_of_input(const struct input *in)
{
    int n = 0;
    while (n < PROBES_MOST && in->probes.position[n][X] != INPUT_NOWHERE) ++n;
    return n;
}

static int wanted(const struct input *in)
{
    return probes_of_input(in) > 0 || in->probes.file[0] != '\0';
}

/* --- positions --- */

static kol_status take_lines(struct probes *p, char *text)
{
    const struct input *in = p->domain->in;
    const char *name = in->probes.file;
    int number = 0;
    for (char *line = text, *next; line != NULL; line = next) {
        double value[3];
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        ++number;
        const int kind = share_file_numbers(line, 3, value);
        if (kind < 0)
            RAISE(KOL_ERR_INPUT, "%s:%d: error: the line does not hold three coordinates of a probe: '%.60s'",
                  name, number, line);
        for (int d = 0; d < 3 && kind > 0; ++d) {
            const double low = in->grid.origin[d], high = low + in->grid.length[d];
            if (!(value[d] >= low && value[d] <= high))
                RAISE(KOL_ERR_INPUT,
                      "%s:%d: error: %c = %g lies outside the grid, which reaches from %g to %g; move the "
                      "probe",
                      name, number, "xyz"[d], value[d], low, high);
            p->x[d][p->count] = value[d];
        }
        p->count += kind;
    }
    return KOL_OK;
}

static int lines_of(const char *text)
{
    int lines = 1;
    for (; *text != '\0'; ++text) lines += *text == '\n';
    return lines;
}

/* Takes the positions of the input, then those of the file. */
static kol_status read_positions(const struct memory *memory, struct probes *p)
{
    const struct input *in = p->domain->in;
    char *text = NULL;
    if (in->probes.file[0] != '\0' && !memory_counts(memory)) {
        const struct input_place by = input_place(p->domain->source, offsetof(struct input, probes.file), 0);
        TRY(share_file_text(&p->domain->comm, in->probes.file, &by, &text));
    }
    const size_t most = (size_t)probes_of_input(in) + (size_t)(text != NULL ? lines_of(text) : 0);
    kol_status st = KOL_OK;
    for (int d = 0; d < 3; ++d) {
        p->x[d] = malloc(most * sizeof *p->x[d]);
        if (p->x[d] == NULL) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for probes");
    }
    for (int n = 0; st == KOL_OK && n < probes_of_input(in); ++n, ++p->count)
        for (int d = 0; d < 3; ++d) p->x[d][n] = in->probes.position[n][d];
    if (st == KOL_OK && text != NULL) st = take_lines(p, text);
    free(text);
    if (st == KOL_OK && p->count == 0 && !memory_counts(memory))
        RAISE(KOL_ERR_INPUT, "%s: error: it has no coordinates of a probe; give a line x y z for each",
              in->probes.file);
    return st;
}

/* --- which points, with what weights --- */

/* The last of n increasing values that is not larger than x; -1 if there is none. */
static int last_below(const double *value, int n, double x)
{
    int i = -1;
    while (i + 1 < n && value[i + 1] <= x) ++i;
    return i;
}

static struct line between(int low, int high, double part)
{
    return (struct line){{low, high}, {1 - part, part}, 0};
}

/* Interpolates a velocity along its own direction, between faces. In a periodic direction face n is face
 * 0. */
static struct line line_of_faces(const struct domain *domain, int d, double x)
{
    const double *face = domain->grid.face[d];
    const int n = domain->grid.n_g[d];
    int i = last_below(face, n + 1, x);
    i = i < 0 ? 0 : i > n - 1 ? n - 1 : i;
    const double part = (x - face[i]) / (face[i + 1] - face[i]);
    return between(i, i == n - 1 && domain->grid.periodic[d] ? 0 : i + 1, part);
}

/* Interpolates between the end of a direction that is not periodic and the centre next to it. For a velocity
 * along a wall with friction, the end has the mean of the value beyond and the value of the centre; on a
 * no-slip wall this is the wall's velocity. A scalar has its value on the end, if that is given and not by
 * planes in time. Otherwise the value of the centre is taken. */
static struct line line_at_end(const struct domain *domain, int array, int d, int high, const double place[3])
{
    const double x = place[d];
    const int n = domain->grid.n_g[d], i = high ? n - 1 : 0, f = 2 * d + high;
    const double face = domain->grid.face[d][high ? n : 0], centre = domain->grid.centre[d][i];
    struct line line = between(i, i, 0);
    const int scalar = array - FLOW_SCALAR;
    if (scalar >= 0 && scalar_has_value(domain->in, scalar, f) && !scalar_by_planes(domain->in, scalar, f)) {
        double on_face[3] = {place[X], place[Y], place[Z]};
        on_face[d] = face;
        line.a[0] = (x - face) / (centre - face);
        line.constant = (1 - line.a[0]) * scalar_given_value(domain, scalar, f, on_face);
    }
    if (field_component(array) < 0 || !face_has_friction(domain->in, f)) return line;
    const double part = (x - face) / (centre - face), held = domain->grid.part_beyond[f] / 2;
    line.a[0] = part + (1 - part) * (1 - held);
    line.constant = (1 - part) * held * moving_walls_velocity(domain, f, field_component(array), place);
    return line;
}

static struct line line_of_centres(const struct domain *domain, int array, int d, const double place[3])
{
    const double x = place[d];
    const double *centre = domain->grid.centre[d];
    const int n = domain->grid.n_g[d], i = last_below(centre, n, x);
    if (i >= 0 && i < n - 1) return between(i, i + 1, (x - centre[i]) / (centre[i + 1] - centre[i]));
    if (!domain->grid.periodic[d]) return line_at_end(domain, array, d, i >= 0, place);
    const double gap = grid_centre_distance(&domain->grid, d, 0);
    return between(n - 1, 0, i < 0 ? 1 - (centre[0] - x) / gap : (x - centre[n - 1]) / gap);
}

static struct line line_of(const struct probes *p, int probe, int array, int d)
{
    const double place[3] = {p->x[X][probe], p->x[Y][probe], p->x[Z][probe]};
    return field_component(array) == d ? line_of_faces(p->domain, d, place[d])
                                       : line_of_centres(p->domain, array, d, place);
}

/* The rank that holds a point. The upper face of the grid belongs to the cell below it. */
static int owner_of(const struct decomp *d, const int i[3])
{
    int c[3];
    for (int k = 0; k < 3; ++k) {
        const int cell = i[k] < d->n_g[k] ? i[k] : d->n_g[k] - 1;
        for (c[k] = d->ranks[k] - 1; decomp_offset(d, k, c[k]) > cell; --c[k]) continue;
    }
    return decomp_rank_at(d, c);
}

/* Calls `with` for every value of every probe, and tells it which rank holds the value. */
static void each_value(struct probes *p,
                       void (*with)(struct probes *p, int value, int owner, int array, const int i[3]))
{
    for (int n = 0; n < p->count; ++n) {
        for (int a = 0; a < p->arrays; ++a) {
            struct line line[3];
            for (int d = 0; d < 3; ++d) line[d] = line_of(p, n, a, d);
            for (int c = 0; c < CORNERS; ++c) {
                const int i[3] = {line[X].i[c & 1], line[Y].i[c >> 1 & 1], line[Z].i[c >> 2]};
                with(p, (n * p->arrays + a) * CORNERS + c, owner_of(&p->domain->decomp, i), a, i);
            }
        }
    }
}

static void count_value(struct probes *p, int value, int owner, int array, const int i[3])
{
    (void)value, (void)array, (void)i;
    ++p->own[owner];
}

/* Stores the place of a value. own[] counts the values of each rank once more, in the same order. */
static void place_value(struct probes *p, int value, int owner, int array, const int i[3])
{
    const struct decomp *d = &p->domain->decomp;
    const int number = p->own[owner]++;
    if (p->place != NULL) p->place[value] = p->first[owner] + number;
    if (owner != p->domain->comm.rank) return;
    struct point_sample_point *point =
        (struct point_sample_point *)p->host; /* until they are in kernel memory */
    point[number] = (struct point_sample_point){
        array, at(p->domain->grid.box, i[X] - d->offset[X], i[Y] - d->offset[Y], i[Z] - d->offset[Z])};
}

static kol_status make_points(struct memory *memory, struct probes *p)
{
    const int ranks = p->domain->comm.size, rank = p->domain->comm.rank, root = rank == 0;
    each_value(p, count_value);
    for (int r = 0; r < ranks; ++r) p->first[r] = r > 0 ? p->first[r - 1] + p->own[r - 1] : 0;
    const size_t all = (size_t)p->count * (size_t)p->arrays * CORNERS, own = (size_t)p->own[rank],
                 bytes = own * sizeof(struct point_sample_point);
    if (own > 0) {
        TRY(memory_kernel(memory, bytes, (void **)&p->point));
        TRY(memory_kernel(memory, own * sizeof(real), (void **)&p->kernel));
    }
    TRY(memory_host(memory, bytes > 0 ? bytes : 1, (void **)&p->host)); /* values take less */
    if (memory_counts(memory)) return KOL_OK;
    if (root) {
        p->line = malloc((size_t)p->count * (size_t)p->arrays * 3 * sizeof *p->line);
        p->place = malloc(all * sizeof *p->place);
        p->record = malloc(((size_t)p->count * (size_t)p->arrays + FIRST_COLUMNS) * sizeof *p->record);
        p->all = malloc(all * sizeof *p->all);
        if (p->line == NULL || p->place == NULL || p->record == NULL || p->all == NULL)
            RAISE(KOL_ERR_MEMORY, "no memory for %d probes", p->count);
        for (int n = 0; n < p->count * p->arrays * 3; ++n)
            p->line[n] = line_of(p, n / (3 * p->arrays), n / 3 % p->arrays, n % 3);
    }
    memset(p->own, 0, (size_t)ranks * sizeof *p->own);
    each_value(p, place_value);
    return own > 0 ? mem_to_kernel(p->point, p->host, bytes) : KOL_OK;
}

/* Whether a probe lies in a cell of this rank. */
static int is_own(const struct probes *p, int probe)
{
    const struct decomp *d = &p->domain->decomp;
    for (int k = 0; k < 3; ++k) {
        const double *face = p->domain->grid.face[k];
        const int i = last_below(face, d->n_g[k], p->x[k][probe]), cell = i < 0 ? 0 : i;
        if (cell < d->offset[k] || cell >= d->offset[k] + d->n[k]) return 0;
    }
    return 1;
}

/* Finds the probes inside bodies, and tells them. */
static kol_status find_bodies(struct probes *p)
{
    const struct bodies *bodies = p->flow->bodies;
    enum { TOLD = 8 };
    int inside = 0;
    if (bodies == NULL || memory_counts(p->domain->memory)) return KOL_OK;
    p->body = calloc((size_t)p->count, sizeof *p->body);
    TRY(comm_agree(
        &p->domain->comm,
        p->body != NULL ? KOL_OK : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for probes")));
    for (int n = 0; n < p->count; ++n) {
        const double x[3] = {p->x[X][n], p->x[Y][n], p->x[Z][n]};
        const int body = is_own(p, n) ? body_geometry_at(bodies->geometry, x) : -1;
        /* a body that travels is there for a while only */
        const int stays = body >= 0 && !travellers_has(bodies->geometry, body);
        p->body[n] = stays ? 1 + body : 0;
    }
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, p->body, p->count, MPI_DOUBLE, MPI_MAX, p->domain->comm.mpi));
    for (int n = 0; n < p->count && p->domain->comm.rank == 0; ++n)
        if (p->body[n] > 0 && ++inside <= TOLD)
            log_warn("probe %d at %g, %g, %g lies in body %.0f (%s): its values are those of the solid",
                     n + 1, p->x[X][n], p->x[Y][n], p->x[Z][n], p->body[n],
                     bodies->geometry->body[(int)p->body[n] - 1].text);
    if (inside > TOLD)
        log_warn("%d probes lie in bodies, the last of them are not listed: see in_body in probes.nc",
                 inside);
    return KOL_OK;
}

static kol_status probes_new(struct step *step, struct flow *flow, struct probes **out)
{
    const struct domain *domain = flow->domain;
    struct probes *p = *out = calloc(1, sizeof *p);
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for probes");
    p->step = step;
    p->flow = flow;
    p->domain = domain;
    p->arrays = field_count(domain->in);
    p->own = calloc((size_t)domain->comm.size, sizeof *p->own);
    p->first = calloc((size_t)domain->comm.size, sizeof *p->first);
    if (p->own == NULL || p->first == NULL) RAISE(KOL_ERR_MEMORY, "no memory for probes");
    return KOL_OK;
}

kol_status probes_check(struct step *step, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct probes *p = NULL;
    if (!wanted(domain->in)) return KOL_OK;
    kol_status st = comm_agree(&domain->comm, probes_new(step, flow, &p));
    if (st == KOL_OK) st = read_positions(NULL, p);
    probes_destroy(&p);
    return st;
}

kol_status probes_create(struct step *step, struct flow *flow, struct probes **out)
{
    const struct domain *domain = flow->domain;
    if (!wanted(domain->in)) return KOL_OK;
    TRY(memory_agree(domain->memory, &domain->comm, probes_new(step, flow, out)));
    TRY(read_positions(domain->memory, *out));
    TRY(find_bodies(*out));
    return memory_agree(domain->memory, &domain->comm, make_points(domain->memory, *out));
}

void probes_destroy(struct probes **probes)
{
    struct probes *p = *probes;
    if (p == NULL) return;
    for (int d = 0; d < 3; ++d) free(p->x[d]);
    free(p->body);
    free(p->line);
    free(p->own);
    free(p->first);
    free(p->place);
    mem_kernel_free(p->point);
    mem_kernel_free(p->kernel);
    mem_host_free(p->host);
    free(p->all);
    free(p->record);
    free(p);
    *probes = NULL;
}

/* --- a record --- */

static kol_status collect(struct probes *p)
{
    const struct flow *flow = p->flow;
    const struct domain *domain = p->domain;
    const int own = p->own[domain->comm.rank];
    const MPI_Datatype type = sizeof(real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
    const real *array[FLOW_FIELDS];
    for (int f = 0; f < p->arrays; ++f) array[f] = field_values(flow, f);
    TRY(exact_step_pressure(p->step, p->flow)); /* where no step needs one */
    if (own > 0) {
        TRY(point_sample_points(own, p->point, p->arrays, array, p->kernel));
        TRY(mem_to_host(p->host, p->kernel, (size_t)own * sizeof(real)));
    }
    MPI_TRY(MPI_Gatherv(p->host, own, type, p->all, p->own, p->first, type, 0, domain->comm.mpi));
    return KOL_OK;
}

static double along(const struct line *line, double low, double high)
{
    return line->a[0] * low + line->a[1] * high + line->constant;
}

static double interpolated(const struct probes *p, int probe, int array)
{
    const struct line *line = p->line + (probe * p->arrays + array) * 3;
    const int *place = p->place + (probe * p->arrays + array) * CORNERS;
    double row[4];
    for (int n = 0; n < 4; ++n) row[n] = along(&line[X], p->all[place[2 * n]], p->all[place[2 * n + 1]]);
    return along(&line[Z], along(&line[Y], row[0], row[1]), along(&line[Y], row[2], row[3]));
}

static kol_status append(struct probes *p)
{
    p->record[0] = (double)p->flow->clock.step;
    p->record[1] = p->flow->clock.t;
    for (int a = 0; a < p->arrays; ++a)
        for (int n = 0; n < p->count; ++n)
            p->record[FIRST_COLUMNS + a * p->count + n] = interpolated(p, n, a);
    TRY(probes_open(p));
    return series_append(p->series, p->record);
}

kol_status probes_step(struct probes *p, int start, kol_status *file)
{
    *file = KOL_OK;
    if (p == NULL || !(start || schedule_step(&p->flow->clock, p->domain->in->probes.interval)))
        return KOL_OK;
    TRY(collect(p));
    if (p->domain->comm.rank == 0 && !(start && p->keep_through >= 0)) *file = append(p);
    return KOL_OK;
}

/* --- the file --- */

void probes_name(struct probes *p, long long keep_through, const struct io_text *text, int texts)
{
    if (p == NULL) return;
    p->keep_through = keep_through;
    p->text = text;
    p->texts = texts;
}

kol_status probes_open(struct probes *p)
{
    char path[PATH];
    struct series_column column[FIRST_COLUMNS + FLOW_FIELDS] = {{"step", "time step", "1", SERIES_INTEGER},
                                                                {"time", "time", "L/U", SERIES_REAL}};
    if (p == NULL || p->series != NULL) return KOL_OK;
    for (int f = 0; f < p->arrays; ++f) {
        const struct flow_field row = field_row(p->domain->in, f);
        column[FIRST_COLUMNS + f] = (struct series_column){row.name, row.at_a_point, row.unit, SERIES_POINTS};
    }
    const struct series_coordinate coordinate[4] = {
        {"x", "position of the probe in x", "L", p->x[X]},
        {"y", "position of the probe in y", "L", p->x[Y]},
        {"z", "position of the probe in z", "L", p->x[Z]},
        {"in_body", "number of the body that the probe lies in, 0 in the fluid and in bodies that travel",
         "1", p->body}};
    const struct series_points points = {"probe", p->count, coordinate, p->body != NULL ? 4 : 3};
    snprintf(path, sizeof path, "%s/probes.nc", p->domain->in->output.directory);
    return series_open(path, column, FIRST_COLUMNS + p->arrays, &points, p->keep_through, p->text, p->texts,
                       &p->series);
}

kol_status probes_flush(struct probes *p)
{
    return p != NULL && p->series != NULL ? series_flush(p->series) : KOL_OK;
}

kol_status probes_close(struct probes *p)
{
    return p != NULL ? series_close(&p->series) : KOL_OK;
}
