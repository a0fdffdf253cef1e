/* Draws the conclusions from the geometry of the bodies. */
#include "body_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body_set.h"
#include "body_turning.h"
#include "inputs/face_kinds.h"

/* SHOWN: regions that are written one by one. Bodies are, up to FEW; of more bodies the first SOME are. */
enum { SHOWN = 12, FEW = 6, SOME = 3 };

/* The widest cell that the box round a body touches. */
static double widest_cell(const struct grid *g, const struct body *b)
{
    double low[3], high[3], widest = 0;
    body_bounds(b, low, high);
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < g->n_g[d]; ++i) {
            const double shift =
                g->periodic[d]
                    ? g->length[d] * round((low[d] + high[d] - 2 * g->centre[d][i]) / (2 * g->length[d]))
                    : 0;
            const double from = g->face[d][i] + (isfinite(shift) ? shift : 0),
                         to = g->face[d][i + 1] + (isfinite(shift) ? shift : 0);
            if (to >= low[d] && from <= high[d]) widest = fmax(widest, to - from);
        }
    return widest > 0 ? widest : g->h;
}

static kol_status find_numbers(const struct domain *domain, const struct body_geometry *g,
                               struct body_report *r)
{
    const MPI_Comm c = domain->comm.mpi;
    double least[2];
    long long share = body_measure_share(domain, g);
    r->across = malloc((size_t)g->bodies * sizeof *r->across);
    if (r->across == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bodies", g->bodies);
    for (int n = 0; n < g->bodies; ++n)
        r->across[n] = g->body[n].thickness / widest_cell(&domain->grid, &g->set->body[n]);
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < g->walls[d]; ++n)
            for (int s = 0, counted = 0; s < FACES && !counted; ++s) {
                counted = g->wall[d][n].body[s] >= 0 && g->wall[d][n].xi[s] < BODY_REPORT_CLOSE;
                r->close_faces += counted;
            }
    body_measure_gaps(domain, g, &least[0], &least[1]);
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_LONG_LONG, MPI_SUM, c));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &r->close_faces, 1, MPI_LONG_LONG, MPI_SUM, c));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_DOUBLE, MPI_MIN, c));
    r->solid_share = (double)share / (double)(1LL << 60);
    r->gap = least[0];
    r->wall = least[1];
    return regions_create(&domain->comm, &domain->decomp, &domain->grid, g->open, &r->regions);
}

kol_status body_report_create(const struct domain *domain, const struct body_geometry *g,
                              struct body_report *out)
{
    memset(out, 0, sizeof *out);
    const kol_status st = find_numbers(domain, g, out);
    if (st == KOL_OK) return KOL_OK;
    body_report_destroy(out);
    return status_pass(st, __FILE__, __LINE__, "find_numbers");
}

void body_report_destroy(struct body_report *r)
{
    regions_destroy(&r->regions);
    free(r->across);
    memset(r, 0, sizeof *r);
}

static void write_cells(FILE *out, const char *what, double cells)
{
    if (cells < HUGE_VAL) fprintf(out, "  %-24s %.3g cells\n", what, cells);
    else fprintf(out, "  %-24s none below %d cells\n", what, BODY_MEASURE_CELLS);
}

static void write_bodies(FILE *out, const struct body_geometry *g, const struct body_report *r)
{
    const int shown = g->bodies > FEW ? SOME : g->bodies;
    double least = HUGE_VAL, most = 0;
    for (int n = 0; n < shown; ++n) {
        fprintf(out, "  body %-4d %s", n + 1, g->body[n].text);
        if (r->across[n] < HUGE_VAL) fprintf(out, ": %.3g cells across", r->across[n]);
        fprintf(out, "\n");
    }
    for (int n = shown; n < g->bodies; ++n) {
        least = fmin(least, r->across[n]);
        most = fmax(most, r->across[n]);
    }
    if (g->bodies > shown)
        fprintf(out, "  and %d more bodies: %.3g to %.3g cells across\n", g->bodies - shown, least, most);
}

char *body_report_text(const struct body_geometry *g, const struct body_report *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    write_bodies(out, g, r);
    fprintf(out, "  %-24s %.6g\n  %-24s %lld\n", "solid share", r->solid_share, "live cells", g->live_cells);
    fprintf(out, "  %-24s %d:", "regions of fluid", r->regions.count);
    for (int n = 0; n < r->regions.count && n < SHOWN; ++n)
        fprintf(out, "%s %lld", n > 0 ? "," : "", r->regions.cells[n]);
    fprintf(out, "%s cells\n", r->regions.count > SHOWN ? ", ..." : "");
    write_cells(out, "smallest gap", r->gap);
    write_cells(out, "thinnest wall", r->wall);
    fprintf(out, "  %-24s %lld\n", "faces with a close wall", r->close_faces);
    if (r->close_faces > 0)
        fprintf(out, "    (closer than %g cells; their velocity follows the wall)\n", BODY_REPORT_CLOSE);
    if (g->thin.links > 0)
        fprintf(out, "  %-24s %lld links between open faces pass through one\n", "walls below one cell",
                g->thin.links);
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}

static kol_status refuse_unresolved(const struct body_geometry *g)
{
    int count = 0, first = -1;
    for (int n = 0; n < g->bodies; ++n) {
        if (g->closed_faces[n] > 0 || g->set->body[n].operation != OPERATION_ADD) continue;
        if (first < 0) first = n;
        ++count;
    }
    if (count == 0) return KOL_OK;
    const struct body *b = &g->set->body[first];
    RAISE(KOL_ERR_INPUT,
          "%s: error: no face centre belongs to body %d (%s)%s: it is too small for the grid, it lies "
          "outside the "
          "domain, or other bodies cover it; make it larger, refine the grid, or remove it",
          b->by.at, first + 1, g->body[first].text, count > 1 ? ", nor to others" : "");
}

static kol_status refuse_thin(const struct domain *domain, const struct body_geometry *g)
{
    const struct body_thin *t = &g->thin;
    const struct grid *grid = &domain->grid;
    if (t->links == 0 || domain->in->bodies.thin_walls) return KOL_OK;
    const long long cell = t->first / 9, plane = (long long)grid->n_g[0] * grid->n_g[1];
    RAISE(
        KOL_ERR_INPUT,
        "%s: error: a wall of body %d (%s) is thinner than a cell, near %.6g, %.6g, %.6g: %lld links between "
        "open faces pass through such walls, and fluid would, too; refine the grid, make the wall thicker, "
        "or set bodies.thin_walls = .true.",
        g->set->body[t->body].by.at, t->body + 1, g->body[t->body].text, grid->centre[0][cell % grid->n_g[0]],
        grid->centre[1][cell / grid->n_g[0] % grid->n_g[1]], grid->centre[2][cell / plane], t->links);
}

/* Whether the input asks for a flow through face f at this cell, as far as is known here: tables,
 * formulas and planes may give 0. index: the cell's number in the domain, in each direction. */
static int flows_through(const struct domain *domain, int f, const int index[3])
{
    const struct input *in = domain->in;
    const int along[2] = {f / 2 == 0 ? 1 : 0, f / 2 == 2 ? 1 : 2};
    const double *w = in->boundary.window[f];
    if (face_is_outflow(in, f)) return 1;
    if (!face_has_inflow_velocity(in, f) || in->boundary.velocity[f][f / 2] == 0) return 0;
    if (w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0) return 1;
    for (int n = 0; n < 2; ++n) {
        const double x = domain->grid.centre[along[n]][index[along[n]]];
        if (x <= w[2 * n] || x >= w[2 * n + 1]) return 0;
    }
    return 1;
}

/* Bits of a region's flag: it has an inflow, an outflow, a flow through an inflow. */
enum { HAS_INFLOW = 1, HAS_OUTFLOW = 2, HAS_FLOW = 4 };

/* Sets the flags of the regions from this rank's cells at the boundaries. */
static void mark_open_faces(const struct domain *domain, const struct body_geometry *g,
                            const struct regions *r, unsigned char *flag)
{
    const struct box b = domain->grid.box;
    const int *o = domain->decomp.offset;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const int label = r->label[((ptrdiff_t)k * b.ny + j) * b.nx + i];
                const int p[3] = {i, j, k}, n[3] = {b.nx, b.ny, b.nz};
                for (int f = 0; f < FACES && label >= 0; ++f) {
                    const int d = f / 2;
                    if (!(domain->grid.held >> f & 1) || p[d] != (f % 2 ? n[d] - 1 : 0)) continue;
                    if (!(g->open[at(b, i, j, k)] >> f & 1)) continue;
                    if (face_is_outflow(domain->in, f)) flag[label] |= HAS_OUTFLOW;
                    if (!face_is_inflow(domain->in, f)) continue;
                    flag[label] |= HAS_INFLOW;
                    if (flows_through(domain, f, (int[3]){o[0] + i, o[1] + j, o[2] + k}))
                        flag[label] |= HAS_FLOW;
                }
            }
}

/* The smallest of the regions whose flag has a bit; -1 if there are not several. */
static int smallest(const struct regions *r, const unsigned char *flag, int bit)
{
    int count = 0, found = -1;
    for (int n = 0; n < r->count; ++n) {
        if (!(flag[n] & bit)) continue;
        ++count;
        if (found < 0 || r->cells[n] < r->cells[found]) found = n;
    }
    return count > 1 ? found : -1;
}

/* What leaves through outflows is balanced for all of them together, and what enters without them for all
 * inflows: not for each region. */
static kol_status refuse_flags(const struct domain *domain, const struct body_geometry *g,
                               const struct regions *r, const unsigned char *flag)
{
    const char *at_body = g->set->body[0].by.at;
    int outflows = 0, sealed = -1;
    for (int f = 0; f < FACES; ++f) outflows += face_is_outflow(domain->in, f);
    for (int n = r->count - 1; n >= 0 && outflows > 0; --n)
        if ((flag[n] & HAS_INFLOW) && !(flag[n] & HAS_OUTFLOW)) sealed = n;
    if (sealed >= 0)
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: the bodies seal a region of %lld cells that has an inflow but no outflow: what flows "
            "in can't leave; open a way, or make the inflow a wall",
            at_body, r->cells[sealed]);
    const int apart = smallest(r, flag, outflows > 0 ? HAS_OUTFLOW : HAS_FLOW);
    if (apart < 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: the bodies close off a region of %lld cells at an %s from the other fluid there: what "
          "passes through it is not balanced for it alone; open a way, or move the bodies a cell away from "
          "this boundary",
          at_body, r->cells[apart], outflows > 0 ? "outflow" : "inflow");
}

static kol_status refuse_sealed(const struct domain *domain, const struct body_geometry *g)
{
    struct regions r;
    int faces = 0;
    for (int f = 0; f < FACES; ++f) faces += face_is_open(domain->in, f);
    if (faces == 0) return KOL_OK;
    TRY(regions_create(&domain->comm, &domain->decomp, &domain->grid, g->open, &r));
    unsigned char *flag = calloc((size_t)r.count + 1, 1);
    if (flag == NULL) {
        regions_destroy(&r);
        RAISE(KOL_ERR_MEMORY, "no memory for regions of the fluid");
    }
    mark_open_faces(domain, g, &r, flag);
    const int rc = MPI_Allreduce(MPI_IN_PLACE, flag, r.count, MPI_UNSIGNED_CHAR, MPI_BOR, domain->comm.mpi);
    const kol_status st = rc == MPI_SUCCESS ? refuse_flags(domain, g, &r, flag)
                                            : comm_raise(rc, __FILE__, __LINE__, "MPI_Allreduce of regions");
    free(flag);
    regions_destroy(&r);
    return st;
}

/* Counts, for each face of the domain, those of this rank's cells that bodies close though fluid is to flow
 * through them. */
static void count_blocked(const struct domain *domain, const struct body_geometry *g,
                          long long blocked[FACES])
{
    const struct box b = domain->grid.box;
    const int *o = domain->decomp.offset, n[3] = {b.nx, b.ny, b.nz};
    for (int f = 0; f < FACES; ++f) {
        const int d = f / 2;
        int from[3] = {0, 0, 0}, to[3] = {n[0], n[1], n[2]};
        blocked[f] = 0;
        if (!(domain->grid.held >> f & 1)) continue;
        from[d] = f % 2 ? n[d] - 1 : 0;
        to[d] = from[d] + 1;
        for (int k = from[2]; k < to[2]; ++k)
            for (int j = from[1]; j < to[1]; ++j)
                for (int i = from[0]; i < to[0]; ++i) {
                    const int index[3] = {o[0] + i, o[1] + j, o[2] + k};
                    if (g->open[at(b, i, j, k)] >> f & 1) continue;
                    blocked[f] += flows_through(domain, f, index);
                }
    }
}

static kol_status refuse_blocked(const struct domain *domain, const struct body_geometry *g)
{
    long long blocked[FACES];
    count_blocked(domain, g, blocked);
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, blocked, FACES, MPI_LONG_LONG, MPI_SUM, domain->comm.mpi));
    for (int f = 0; f < FACES; ++f) {
        const int inflow = face_is_inflow(domain->in, f);
        if (blocked[f] == 0) continue;
        RAISE(KOL_ERR_INPUT,
              "%s: error: the bodies cover %lld cells of boundary.%c_%s = '%s': fluid can't flow through a "
              "body; move the bodies away from this face, %s",
              g->set->body[0].by.at, blocked[f], "xyz"[f / 2], f % 2 ? "high" : "low",
              inflow ? "inflow" : "outflow",
              inflow ? "or give a window of the inflow beside them" : "or lengthen the domain");
    }
    return KOL_OK;
}

kol_status body_report_refuse(const struct domain *domain, const struct body_geometry *g)
{
    if (g->live_cells == 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: the bodies fill the whole domain, so there is no fluid; make them smaller, or cut "
              "them",
              g->set->body[0].by.at);
    TRY(refuse_unresolved(g));
    TRY(refuse_thin(domain, g));
    TRY(refuse_sealed(domain, g));
    TRY(refuse_blocked(domain, g));
    return body_turning_refuse(domain, g);
}
