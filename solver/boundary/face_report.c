/* Describes the velocities and scalars on faces that tables and formulas give. */
#include "face_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "io/log.h"
#include "open_faces.h"
#include "scalars/scalar_given.h"

static void tell_inflow(FILE *text, const struct domain *domain, const struct inflow *inflow, int face)
{
    const struct grid *g = &domain->grid;
    const int d = face / 2;
    const double area = g->volume / g->length[d], mean = inflow_mean(inflow, face),
                 inward = face % 2 ? -mean : mean;
    fprintf(text,
            "  inflow %s, %s: flux %.6g into the box, mean velocity %.6g through the face, |u|, |v|, |w| up "
            "to %.4g, %.4g, %.4g\n",
            FACE_NAME[face], face_has_inflow_table(domain->in, face) ? "from its table" : "by formulas",
            inward * area, mean, inflow_largest(inflow, face, X), inflow_largest(inflow, face, Y),
            inflow_largest(inflow, face, Z));
}

static void tell_wall(FILE *text, const struct domain *domain, int face)
{
    const double *most = domain->formula_speed[face];
    fprintf(text, "  wall %s, by formulas: |u|, |v|, |w| up to %.4g, %.4g, %.4g\n", FACE_NAME[face], most[X],
            most[Y], most[Z]);
}

/* What formulas and tables give for a scalar: its extremes, and what was added for the balance. */
static void tell_scalar(FILE *text, const struct domain *domain, int n, int face)
{
    const struct input *in = domain->in;
    const struct scalar_range r = domain->given_range.of[face][n];
    const double added = scalar_given_added(domain, n, face);
    fprintf(text, "  %s on %s, %s: %s from %.6g to %.6g", in->scalars.name[n], FACE_NAME[face],
            scalar_by_planes(in, n, face)  ? "from planes"
            : scalar_by_table(in, n, face) ? "from its table"
                                           : "by its formula",
            scalar_has_flux(in, n, face) ? "flux" : "value", r.least, r.most);
    if (added != 0) fprintf(text, "; %.3g was added to balance the fluxes on this grid", added);
    fputc('\n', text);
}

kol_status face_report_text(const struct domain *domain, const struct inflow *inflow, char **text)
{
    const struct input *in = domain->in;
    size_t size;
    *text = NULL;
    FILE *t = open_memstream(text, &size);
    for (int f = 0; t != NULL && f < FACES; ++f)
        if (face_has_inflow_table(in, f) || face_has_inflow_formula(in, f)) tell_inflow(t, domain, inflow, f);
    for (int f = 0; t != NULL && f < FACES; ++f)
        if (face_has_wall_formula(in, f)) tell_wall(t, domain, f);
    for (int f = 0; t != NULL && f < FACES; ++f)
        for (int n = 0; n < scalar_count(in); ++n)
            if (scalar_varies(in, n, f)) tell_scalar(t, domain, n, f);
    if (t == NULL || fclose(t) != 0) RAISE(KOL_ERR_MEMORY, "no memory for the text on faces");
    return KOL_OK;
}

kol_status face_report_log(const struct flow *flow)
{
    char *text;
    if (flow->domain->comm.rank != 0) return KOL_OK;
    const kol_status st =
        face_report_text(flow->domain, flow->open != NULL ? flow->open->inflow : NULL, &text);
    for (char *line = st == KOL_OK ? strtok(text, "\n") : NULL; line != NULL; line = strtok(NULL, "\n"))
        log_info("%s", line);
    free(text);
    return st;
}
