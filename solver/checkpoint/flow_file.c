/* Reads a velocity field of the user, and scalars with it, and brings them to the grid of this run. */
#include "flow_file.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "inputs/face_kinds.h"
#include "initial/initial.h"
#include "inputs/scalars.h"
#include "io/flowfile.h"
#include "io/log.h"
#include "kernels/base/mem.h"
#include "flow_scalars.h"
#include "transfer.h"

/* SAME: tolerance for face coordinates, as a part of the box's length. */
static const double SAME = 1e-9;

static kol_status faces_of(struct transfer *t, const struct flowfile *f, int d)
{
    const struct grid *g = &t->domain->grid;
    const char *name = t->domain->in->initial.file;
    const double *theirs = flowfile_faces(f, d), low = g->origin[d], high = low + g->length[d];
    t->from[d] = flowfile_cells(f, d);
    if (theirs == NULL && t->from[d] != g->n_g[d])
        RAISE(KOL_ERR_INPUT,
              "%s: error: it has %d cells in %c and no grid, and this run has %d; add the faces of its cells "
              "as "
              "/grid/%c_face, and the velocity is interpolated",
              name, t->from[d], "xyz"[d], g -> n_g[d], "xyz"[d]);
    t->face[d] = malloc(((size_t)t->from[d] + 1) * sizeof *t->face[d]);
    if (t->face[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the grid of %s", name);
    memcpy(t->face[d], theirs != NULL ? theirs : g->face[d], ((size_t)t->from[d] + 1) * sizeof *t->face[d]);
    if (fabs(t->face[d][0] - low) > SAME * g->length[d] ||
        fabs(t->face[d][t->from[d]] - high) > SAME * g->length[d])
        RAISE(KOL_ERR_INPUT,
              "%s: error: its grid goes from %.10g to %.10g in %c, and this run's from %.10g to %.10g; set "
              "grid.origin and grid.length, or write the file for this box",
              name, t->face[d][0], t->face[d][t->from[d]], "xyz"[d], low, high);
    return KOL_OK;
}

/* Whether both grids are the same in a direction. Its faces then are exactly those of this run. */
static int same(struct transfer *t, int d)
{
    const struct grid *g = &t->domain->grid;
    if (t->from[d] != g->n_g[d]) return 0;
    for (int i = 0; i <= g->n_g[d]; ++i)
        if (fabs(t->face[d][i] - g->face[d][i]) > SAME * g->length[d]) return 0;
    memcpy(t->face[d], g->face[d], ((size_t)g->n_g[d] + 1) * sizeof *t->face[d]);
    return 1;
}

/* Finds out how the grid of the file lies to that of this run. */
static kol_status look(struct transfer *t, const struct flowfile *f, int *unlike)
{
    const struct input *in = t->domain->in;
    *unlike = 0;
    for (int d = 0; d < 3; ++d) {
        TRY(faces_of(t, f, d));
        *unlike |= !same(t, d);
    }
    if (*unlike && faces_any_open(in))
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: its grid of %d x %d x %d cells is not that of this run, %d x %d x %d, and the run "
            "has "
            "inflows or outflows, to which no flow of another grid is brought; write the file for this grid",
            in->initial.file, t->from[X], t->from[Y], t->from[Z], t->domain->grid.n_g[X],
            t->domain->grid.n_g[Y], t->domain->grid.n_g[Z]);
    return KOL_OK;
}

/* Indents the sentences on scalars, and says which begin from the file. */
static kol_status check_words(const struct domain *domain, const struct flow_scalars *s, char **text)
{
    const size_t size = 2 * sizeof s->text;
    size_t done = 0;
    char *out = *text = calloc(1, size), line[sizeof s->text];
    if (out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for what --check says of scalars");
    for (int n = 0; n < scalar_count(domain->in); ++n)
        if (s->given >> n & 1u)
            done += (size_t)snprintf(out + done, size - done, "  the scalar %s begins from %s\n",
                                     domain->in->scalars.name[n], domain->in->initial.file);
    snprintf(line, sizeof line, "%s", s->text);
    for (char *l = strtok(line, "\n"); l != NULL && done < size; l = strtok(NULL, "\n"))
        done += (size_t)snprintf(out + done, size - done, "  %s\n", l);
    return KOL_OK;
}

/* The message for a file that is not there, or may not be read, names the input. */
static kol_status open_given(const struct domain *domain, struct flowfile **f)
{
    const char *name = domain->in->initial.file;
    kol_status st = KOL_OK;
    if (domain->comm.rank == 0 && access(name, R_OK) != 0) {
        const char *why = strerror(errno),
                   *remedy = errno == EACCES ? "check its permissions"
                                             : "give the name of an existing file, relative to the "
                                               "folder in which the run starts";
        const struct input_place p = input_place(domain->source, offsetof(struct input, initial.file), 0);
        st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__, "%s: error: the file can't be read: %s; %s %s",
                          name, why, remedy, p.by);
    }
    TRY(comm_agree(&domain->comm, st));
    return flowfile_open(domain->comm.mpi, name, f);
}

kol_status flow_file_check(const struct domain *domain, char **text)
{
    struct transfer t = {.domain = domain};
    struct flow_scalars s;
    struct flowfile *f = NULL;
    int unlike;
    kol_status st = open_given(domain, &f);
    if (st == KOL_OK) st = comm_agree(&domain->comm, look(&t, f, &unlike));
    if (st == KOL_OK) st = comm_agree(&domain->comm, flow_scalars_look(domain, f, &s));
    if (st == KOL_OK) st = comm_agree(&domain->comm, check_words(domain, &s, text));
    transfer_free(&t);
    if (st != KOL_OK) return st; /* a file that has failed is left open: closing it is collective */
    return flowfile_close(&f);
}

static kol_status read_component(void *source, const void *what, struct piece p, double *value)
{
    return flowfile_read(source, *(const int *)what, p.lo[Z], p.hi[Z], value);
}

static kol_status take_rooms(const struct transfer *t, double **a, double **b, real **host)
{
    TRY(transfer_arrays(NULL, t, a, b));
    return mem_host_alloc((size_t)t->domain->grid.box.size * sizeof **host, (void **)host);
}

/* Logs each sentence. */
static void log_words(const struct domain *domain, char *text)
{
    for (char *l = strtok(text, "\n"); l != NULL && domain->comm.rank == 0; l = strtok(NULL, "\n")) {
        if (strncmp(l, "warning: ", 9) == 0) log_warn("%s", l + 9);
        else log_info("%s", l);
    }
}

static kol_status start(struct step *step, struct flow *flow, struct flowfile *f, struct transfer *t)
{
    const struct domain *domain = flow->domain;
    double *a = NULL, *b = NULL;
    real *host = NULL;
    char from[400];
    struct flow_scalars s;
    int unlike = 0;
    TRY(comm_agree(&domain->comm, look(t, f, &unlike)));
    TRY(comm_agree(&domain->comm, flow_scalars_look(domain, f, &s)));
    TRY(comm_agree(&domain->comm, transfer_maps(t, flowfile_centred(f))));
    kol_status st = comm_agree(&domain->comm, take_rooms(t, &a, &b, &host));
    for (int c = 0; c < 3 && st == KOL_OK; ++c) {
        st = transfer_field(t, read_component, f, &c, c, a, b);
        if (st == KOL_OK) st = comm_agree(&domain->comm, initial_set(flow, c, b, host));
    }
    if (st == KOL_OK) st = flow_scalars_start(flow, f, &s, t, a, b, host);
    free(a);
    free(b);
    mem_host_free(host);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "start");
    snprintf(from, sizeof from, "%s, %s of %d x %d x %d cells%s", domain->in->initial.file,
             flowfile_centred(f) ? "at centres" : "on faces", t->from[X], t->from[Y], t->from[Z],
             unlike ? ", interpolated" : "");
    log_words(domain, s.text);
    return initial_given(step, flow, from, s.given);
}

kol_status flow_file_start(struct step *step, struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct transfer t = {.domain = domain};
    struct flowfile *f = NULL;
    TRY(open_given(domain, &f));
    const kol_status st = start(step, flow, f, &t);
    transfer_free(&t);
    if (st != KOL_OK) return st; /* a file that has failed is left open: closing it is collective */
    return flowfile_close(&f);
}
