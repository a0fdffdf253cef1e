/* Evaluates the formulas and tables of scalars on faces, once at the start. */
#include "scalar_given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "inputs/formula.h"
#include "inputs/scalar_balance.h"
#include "inputs/scalars.h"
#include "kernels/base/mem.h"
#include "kernels/wall.h"
#include "scalar_faces.h"

/* If only fluxes are given, BALANCES is the part of their magnitudes that may be left by rounding of the
 * inputs, and IMBALANCE the part that may be left by the grid and is removed. */
static const double BALANCES = 1e-9, IMBALANCE = 1e-2;

/* scalar_given: what varies over faces.
 *
 *   value   at the centres of the cells of a whole face, the lower direction fastest; NULL: nothing varies,
 *           or planes in time
 *   table   of conditions by tables
 *   added   what was added to the fluxes for the balance */
struct scalar_given {
    double *value[FACES][SCALARS_MOST];
    struct face_table table[FACES][SCALARS_MOST];
    double added[FACES][SCALARS_MOST];
};

/* side: a face of the whole grid: the directions along it, and its numbers of cells. */
struct side {
    int face, along[2], cells[2];
};

static struct side side_of(const struct grid *g, int face)
{
    struct side s = {.face = face, .along = {face / 2 == X ? Y : X, face / 2 == Z ? Y : Z}};
    for (int n = 0; n < 2; ++n) s.cells[n] = g->n_g[s.along[n]];
    return s;
}

static void place_of_cell(const struct grid *g, const struct side *s, int i, int j, double x[3])
{
    const int d = s->face / 2;
    x[d] = g->face[d][s->face % 2 ? g->n_g[d] : 0];
    x[s->along[0]] = g->centre[s->along[0]][i];
    x[s->along[1]] = g->centre[s->along[1]][j];
}

static int is_local(const struct input *in, int n, int face)
{
    return scalar_by_formula(in, n, face) || scalar_by_table(in, n, face);
}

double scalar_given_cell(const struct domain *domain, int n, int face, int i, int j)
{
    if (scalar_by_planes(domain->in, n, face)) return NAN;
    if (!is_local(domain->in, n, face)) return domain->in->scalars.face_value[face][n];
    return domain->given->value[face][n][(ptrdiff_t)j * side_of(&domain->grid, face).cells[0] + i];
}

/* Where the input gives what varies. */
static struct input_place place_in_input(const struct domain *domain, int n, int face)
{
    const size_t formulas = offsetof(struct input, scalars.face_formula),
                 tables = offsetof(struct input, scalars.face_table);
    const size_t first = scalar_by_table(domain->in, n, face) ? tables : formulas;
    return input_place(domain->source, first + (size_t)face * SCALARS_MOST * INPUT_TEXT, n);
}

/* --- formulas --- */

static kol_status parse(const struct domain *domain, int n, int face, struct formula *out)
{
    char fault[FORMULA_FAULT];
    int column;
    if (!formula_parse(domain->in->scalars.face_formula[face][n], FORMULA_OF_FACE, out, &column,
                       fault)) /* check_scalar_face() has parsed it */
        RAISE(KOL_ERR_INTERNAL, "the formula of a scalar on a face: column %d: %s", column, fault);
    return KOL_OK;
}

static double evaluate(const struct domain *domain, const struct formula *f, const double x[3])
{
    double v[FORMULA_VARIABLES] = {0};
    for (int d = 0; d < 3; ++d) {
        v[FORMULA_X + d] = x[d];
        v[FORMULA_LX + d] = domain->grid.length[d];
    }
    v[FORMULA_NU] = domain->in->fluid.nu;
    return formula_value(f, v);
}

static kol_status by_formula(const struct domain *domain, int n, const struct side *s, double *value)
{
    struct formula f;
    TRY(parse(domain, n, s->face, &f));
    for (int j = 0; j < s->cells[1]; ++j)
        for (int i = 0; i < s->cells[0]; ++i) {
            double x[3], *to = &value[(ptrdiff_t)j * s->cells[0] + i];
            place_of_cell(&domain->grid, s, i, j, x);
            *to = evaluate(domain, &f, x);
            if (isfinite(*to)) continue;
            const struct input_place p = place_in_input(domain, n, s->face);
            RAISE(KOL_ERR_INPUT,
                  "%s: error: %s is %g at x = %.6g, y = %.6g, z = %.6g; change its formula, %s, so that it "
                  "is finite on the whole face",
                  p.at, p.name, *to, x[X], x[Y], x[Z], domain->in->scalars.face_formula[s->face][n]);
        }
    return KOL_OK;
}

/* --- tables --- */

/* A table that tells its unit must have that of the scalar, or of its flux. */
static kol_status check_unit(const struct domain *domain, int n, int face, const struct face_table *t,
                             const struct input_place *by)
{
    const struct input *in = domain->in;
    char wanted[96];
    scalar_unit(in->scalars.unit[n], 1, scalar_has_flux(in, n, face) ? "U" : "", wanted, sizeof wanted);
    if (t->unit[0] == '\0' || strcmp(t->unit, wanted) == 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s:%d: error: the unit of the table is '%s', but %s of scalar %d, '%s', has the unit '%s' "
          "(scalars.unit(%d)); convert the table, or change one of the units %s",
          in->scalars.face_table[face][n], t->unit_line, t->unit,
          scalar_has_flux(in, n, face) ? "the flux" : "the value", n + 1, in->scalars.name[n], wanted, n + 1,
          by->by);
}

static kol_status read_table(const struct domain *domain, int n, int face, struct face_table *t)
{
    const struct input *in = domain->in;
    const struct grid *g = &domain->grid;
    const int d = in->scalars.face_along[face][n];
    const struct input_place by = place_in_input(domain, n, face);
    TRY(face_table_read(&domain->comm, in->scalars.face_table[face][n], &by, TABLE_OF_SCALAR, g->face[d][0],
                        g->face[d][g->n_g[d]], t));
    return check_unit(domain, n, face, t, &by);
}

static void by_table(const struct domain *domain, int n, const struct side *s, const struct face_table *t,
                     double *value)
{
    const int d = domain->in->scalars.face_along[s->face][n], second = d == s->along[1];
    for (int j = 0; j < s->cells[1]; ++j)
        for (int i = 0; i < s->cells[0]; ++i)
            value[(ptrdiff_t)j * s->cells[0] + i] =
                face_table_at(t, 0, domain->grid.centre[d][second ? j : i]);
}

/* --- balance --- */

/* The flux over a face: its integral and that of its magnitude. */
struct flow_in {
    double sum, size, area;
};

static struct flow_in flow_through(const struct domain *domain, int n, int face)
{
    const struct grid *g = &domain->grid;
    const struct side s = side_of(g, face);
    struct flow_in f = {0, 0, 0};
    for (int j = 0; j < s.cells[1]; ++j)
        for (int i = 0; i < s.cells[0]; ++i) {
            const double area = grid_width(g, s.along[0], i) * grid_width(g, s.along[1], j),
                         flux = scalar_given_cell(domain, n, face, i, j);
            f.sum += area * flux;
            f.size += area * fabs(flux);
            f.area += area;
        }
    return f;
}

/* Adds the same flux to all cells of a face. */
static void add_flux(const struct domain *domain, int n, int face, double flux)
{
    struct scalar_given *given = domain->given;
    const struct side s = side_of(&domain->grid, face);
    const ptrdiff_t places = (ptrdiff_t)s.cells[0] * s.cells[1];
    for (ptrdiff_t k = 0; k < places; ++k) given->value[face][n][k] += flux;
    given->added[face][n] = flux;
}

/* Fluxes that nothing else holds must balance the sources. */
static kol_status balance(const struct domain *domain, int n)
{
    const struct input *in = domain->in;
    double source, area = 0;
    const int known = scalar_mean_source(in, n, &source);
    double net = domain->grid.volume * source, size = fabs(net);
    int last = -1;
    if (scalar_is_held(in, n) || scalar_flux_on_bodies(in, n) ||
        (scalar_balance_doubt(in, n) != NULL && (known || domain->grid.bodies)))
        return KOL_OK;
    for (int f = 0; f < FACES; ++f) {
        if (!scalar_has_flux(in, n, f)) continue;
        const struct flow_in through = flow_through(domain, n, f);
        net += through.sum;
        size += through.size;
        if (!is_local(in, n, f)) continue;
        area += through.area;
        last = f;
    }
    if (last < 0 || fabs(net) <= BALANCES * size) return KOL_OK;
    if (fabs(net) > IMBALANCE * size && !known) return KOL_OK;
    if (fabs(net) > IMBALANCE * size) {
        const struct input_place p = place_in_input(domain, n, last);
        RAISE(KOL_ERR_INPUT,
              "%s: error: scalar %d, '%s': its fluxes and sources don't balance, and no face holds its "
              "value, so its mean would change by %g a unit of time; change scalars.source(%d) to %.15g, "
              "or %s",
              p.at, n + 1, in->scalars.name[n], net / domain->grid.volume, n + 1,
              in->scalars.source[n] - net / domain->grid.volume, p.name);
    }
    for (int f = 0; f < FACES; ++f)
        if (scalar_has_flux(in, n, f) && is_local(in, n, f)) add_flux(domain, n, f, -net / area);
    return KOL_OK;
}

/* --- the whole --- */

static struct scalar_range range_of(const double *value, ptrdiff_t places)
{
    struct scalar_range r = {value[0], value[0]};
    for (ptrdiff_t k = 1; k < places; ++k) {
        r.least = fmin(r.least, value[k]);
        r.most = fmax(r.most, value[k]);
    }
    return r;
}

static kol_status read_tables(struct domain *domain)
{
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < scalar_count(domain->in); ++n)
            if (scalar_by_table(domain->in, n, f)) TRY(read_table(domain, n, f, &domain->given->table[f][n]));
    return KOL_OK;
}

static kol_status fill_face(struct domain *domain, int n, int face)
{
    const struct side s = side_of(&domain->grid, face);
    struct scalar_given *given = domain->given;
    double *value = given->value[face][n] = malloc((size_t)s.cells[0] * (size_t)s.cells[1] * sizeof *value);
    if (value == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a scalar on a face");
    if (scalar_by_formula(domain->in, n, face)) return by_formula(domain, n, &s, value);
    by_table(domain, n, &s, &given->table[face][n], value);
    return KOL_OK;
}

static kol_status fill(struct domain *domain)
{
    const int count = scalar_count(domain->in);
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < count; ++n)
            if (is_local(domain->in, n, f)) TRY(fill_face(domain, n, f));
    for (int n = 0; n < count; ++n) TRY(balance(domain, n));
    for (int f = 0; f < FACES; ++f) {
        const struct side s = side_of(&domain->grid, f);
        for (int n = 0; n < count; ++n)
            if (domain->given->value[f][n] != NULL)
                domain->given_range.of[f][n] =
                    range_of(domain->given->value[f][n], (ptrdiff_t)s.cells[0] * s.cells[1]);
    }
    return KOL_OK;
}

kol_status scalar_given_measure(struct domain *domain)
{
    int any = 0;
    domain->given_range = scalar_ranges_of(domain->in);
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < scalar_count(domain->in); ++n) any |= is_local(domain->in, n, f);
    if (!any) return KOL_OK;
    domain->given = calloc(1, sizeof *domain->given);
    TRY(comm_agree(&domain->comm, domain->given != NULL ? KOL_OK
                                                        : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__,
                                                                       "no memory for scalars on faces")));
    TRY(read_tables(domain));
    return comm_agree(&domain->comm, fill(domain));
}

void scalar_given_drop(struct domain *domain)
{
    struct scalar_given *given = domain->given;
    if (given == NULL) return;
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < SCALARS_MOST; ++n) {
            free(given->value[f][n]);
            face_table_drop(&given->table[f][n]);
        }
    free(given);
    domain->given = NULL;
}

/* Fills a plane in host memory at this rank's cells: what is added beyond the face. */
static void fill_plane(const struct domain *domain, int n, int face, real *plane)
{
    const struct decomp *d = &domain->decomp;
    const struct side s = side_of(&domain->grid, face);
    for (int j = 0; j < d->n[s.along[1]]; ++j)
        for (int i = 0; i < d->n[s.along[0]]; ++i) {
            const double given =
                scalar_given_cell(domain, n, face, d->offset[s.along[0]] + i, d->offset[s.along[1]] + j);
            plane[plane_at(domain->grid.box, face / 2, 0, i, j)] =
                (real)scalar_faces_added(domain->in, &domain->grid, n, face, given);
        }
}

static kol_status create(struct domain *domain, int n, int face)
{
    const ptrdiff_t values = plane_values(domain->grid.box, face / 2);
    const size_t bytes = (size_t)values * sizeof(real);
    TRY(memory_kernel(domain->memory, bytes, (void **)&domain->scalar_plane[face][n]));
    if (memory_counts(domain->memory)) return KOL_OK;
    real *plane = calloc((size_t)values, sizeof *plane);
    if (plane == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a scalar on a face");
    if (is_local(domain->in, n, face)) fill_plane(domain, n, face, plane);
    const kol_status st = mem_to_kernel(domain->scalar_plane[face][n], plane, bytes);
    free(plane);
    return st;
}

kol_status scalar_given_create(struct domain *domain)
{
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < scalar_count(domain->in); ++n)
            if (scalar_varies(domain->in, n, f) && (domain->walls.faces >> f & 1u)) TRY(create(domain, n, f));
    return KOL_OK;
}

void scalar_given_destroy(struct domain *domain)
{
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < SCALARS_MOST; ++n) {
            mem_kernel_free(domain->scalar_plane[f][n]);
            domain->scalar_plane[f][n] = NULL;
        }
}

/* --- what is given at a place --- */

double scalar_given_value(const struct domain *domain, int n, int face, const double x[3])
{
    const struct input *in = domain->in;
    struct formula f;
    if (scalar_by_planes(in, n, face)) return NAN;
    if (scalar_by_table(in, n, face))
        return face_table_at(&domain->given->table[face][n], 0, x[in->scalars.face_along[face][n]]) +
               domain->given->added[face][n];
    if (!scalar_by_formula(in, n, face)) return in->scalars.face_value[face][n];
    return parse(domain, n, face, &f) == KOL_OK ? evaluate(domain, &f, x) + domain->given->added[face][n]
                                                : NAN;
}

const struct face_table *scalar_given_table(const struct domain *domain, int n, int face)
{
    return scalar_by_table(domain->in, n, face) ? &domain->given->table[face][n] : NULL;
}

double scalar_given_added(const struct domain *domain, int n, int face)
{
    return domain->given != NULL ? domain->given->added[face][n] : 0;
}
