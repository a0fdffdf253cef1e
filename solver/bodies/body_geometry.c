/* Makes the geometry of the bodies on the grid, and describes the bodies. */
#include "body_geometry.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body_faces.h"
#include "body_mask.h"
#include "body_set.h"
#include "inputs/bodies.h"
#include "inputs/table.h"
#include "io/hash.h"

/* Where a body is and how fast it travels at a time t. */
static void place_info(const struct body *b, double t, struct body_info *info)
{
    struct body_pose pose;
    body_motion_at(&b->motion, t, &pose);
    memcpy(info->moved, pose.moved, sizeof info->moved);
    memcpy(info->velocity, pose.velocity, sizeof info->velocity);
    for (int d = 0; d < 3; ++d) {
        info->centre[d] = b->shape.centre[d] + b->moved[d];
        info->angular[d] = pose.angular[d] + info->rotation * info->axis[d];
    }
}

static void describe(const struct body *b, struct body_info *info)
{
    const struct shape *s = &b->shape;
    int used = snprintf(info->text, sizeof info->text, "%s", body_shape_word(s->kind));
    for (int e = 0; e < body_sizes_taken(s->kind) && used < (int)sizeof info->text; ++e)
        used += snprintf(info->text + used, sizeof info->text - (size_t)used, ", %s %.6g",
                         body_size_word(s->kind, e) + strlen("the "), b->size[e]);
    if (used < (int)sizeof info->text)
        used += snprintf(info->text + used, sizeof info->text - (size_t)used, ", centre %.6g, %.6g, %.6g",
                         s->centre[0], s->centre[1], s->centre[2]);
    if (b->remove_time >= 0 && used < (int)sizeof info->text)
        snprintf(info->text + used, sizeof info->text - (size_t)used, ", vanishes at t = %.6g",
                 b->remove_time);
    memcpy(info->home, s->centre, sizeof info->home);
    memcpy(info->axis, s->turn[2], sizeof info->axis);
    info->rotation = b->rotation;
    place_info(b, 0, info);
    info->volume = body_volume(b);
    info->area = body_area(b);
    info->thickness = body_thickness(b);
}

static kol_status describe_all(const struct body_set *s, struct body_geometry *g)
{
    g->bodies = s->count;
    g->body = calloc((size_t)s->count, sizeof *g->body);
    if (g->body == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bodies", s->count);
    for (int n = 0; n < s->count; ++n) describe(&s->body[n], &g->body[n]);
    return KOL_OK;
}

/* Adds up what the ranks have found. Of the first thin wall, the rank that has it tells the body. */
static kol_status add_up(const struct domain *domain, struct body_geometry *g)
{
    const MPI_Comm c = domain->comm.mpi;
    struct body_thin *t = &g->thin;
    const long long mine = t->first < 0 ? LLONG_MAX : t->first;
    long long first;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, g->closed_faces, g->bodies, MPI_LONG_LONG, MPI_SUM, c));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &t->links, 1, MPI_LONG_LONG, MPI_SUM, c));
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &t->deepest, 1, MPI_DOUBLE, MPI_MAX, c));
    MPI_TRY(MPI_Allreduce(&mine, &first, 1, MPI_LONG_LONG, MPI_MIN, c));
    if (t->first != first) t->body = -1;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &t->body, 1, MPI_INT, MPI_MAX, c));
    t->first = first == LLONG_MAX ? -1 : first;
    return KOL_OK;
}

/* The number of a cell in the whole grid. */
static unsigned long long cell_number(const struct domain *domain, int i, int j, int k)
{
    const struct decomp *d = &domain->decomp;
    const int *n = domain->grid.n_g;
    const unsigned long long x = (unsigned long long)(d->offset[0] + i),
                             y = (unsigned long long)(d->offset[1] + j),
                             z = (unsigned long long)(d->offset[2] + k);
    return (z * (unsigned long long)n[1] + y) * (unsigned long long)n[0] + x;
}

static kol_status find_hash(const struct domain *domain, struct body_geometry *g)
{
    enum { ALL_OPEN = 63, STEPS = 1000, KINDS = 19 }; /* the mask, and six walls of three components */
    const double off = 0.37;                          /* so that no usual distance lies between two steps */
    const struct box b = domain->grid.box;
    unsigned long long sum = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) {
                const unsigned long long mask = g->open[at(b, i, j, k)];
                if (mask != ALL_OPEN)
                    sum += hash_bytes(&mask, sizeof mask, cell_number(domain, i, j, k) * KINDS);
            }
    for (int c = 0; c < 3; ++c)
        for (int n = 0; n < g->walls[c]; ++n)
            for (int s = 0; s < 6; ++s) {
                const struct body_wall_face *w = &g->wall[c][n];
                const unsigned long long xi = (unsigned long long)(w->xi[s] * STEPS + off),
                                         cell = cell_number(domain, w->cell[0], w->cell[1], w->cell[2]);
                if (w->body[s] < 0) continue;
                sum += hash_bytes(&xi, sizeof xi, cell * KINDS + 1 + (unsigned)(6 * c + s));
            }
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, domain->comm.mpi));
    for (int n = 0; n < g->set->count; ++n)
        if (g->set->body[n].motion.path != NULL)
            sum += body_path_hash(g->set->body[n].motion.path, ~0ULL / BODIES_MOST * (unsigned)n);
    g->hash = 1 + (double)(sum >> 12);
    return KOL_OK;
}

static kol_status count_live(const struct domain *domain, struct body_geometry *g)
{
    const struct box b = domain->grid.box;
    long long live = 0;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i) live += g->open[at(b, i, j, k)] != 0;
    MPI_TRY(MPI_Allreduce(&live, &g->live_cells, 1, MPI_LONG_LONG, MPI_SUM, domain->comm.mpi));
    return KOL_OK;
}

/* What each rank does alone. */
static kol_status find_faces(const struct domain *domain, struct body_geometry *g)
{
    const struct box b = domain->grid.box;
    struct body_faces f;
    kol_status st = KOL_OK;
    memset(&f, 0, sizeof f);
    unsigned char *near = malloc((size_t)b.size);
    g->open = malloc((size_t)b.size);
    g->closed_faces = calloc((size_t)g->set->count, sizeof *g->closed_faces);
    if (near == NULL || g->open == NULL || g->closed_faces == NULL) {
        free(near);
        RAISE(KOL_ERR_MEMORY, "no memory for the mask of %td cells", b.size);
    }
    TRY_OR(done, body_faces_create(domain, &f));
    TRY_OR(done, body_mask_make(g->set, &f, b, g->open, near, g->closed_faces));
    for (int c = 0; c < 3; ++c) {
        TRY_OR(done, body_walls_find(g->set, &f, b, c, g->open, near, &g->wall[c], &g->walls[c]));
        TRY_OR(done, body_closed_find(g->set, &f, b, c, g->open, &g->closed[c], &g->closeds[c]));
    }
    body_thin_find(g->set, &f, b, g->open, near, &g->thin);
    TRY_OR(done, describe_all(g->set, g));
done:
    free(near);
    body_faces_destroy(&f);
    return st;
}

kol_status body_geometry_create(const struct domain *domain, struct body_geometry **out)
{
    return body_geometry_create_at(domain, -1, out);
}

kol_status body_geometry_create_at(const struct domain *domain, double t, struct body_geometry **out)
{
    struct body_set *set = NULL;
    *out = NULL;
    TRY(body_set_create(domain, t, &set));
    if (set == NULL) return KOL_OK;
    struct body_geometry *g = calloc(1, sizeof *g);
    kol_status st = KOL_OK;
    if (g == NULL) {
        body_set_destroy(&set);
        RAISE(KOL_ERR_MEMORY, "no memory for the geometry of the bodies");
    }
    g->set = set;
    TRY_OR(failed, comm_agree(&domain->comm, find_faces(domain, g)));
    TRY_OR(failed, count_live(domain, g));
    TRY_OR(failed, find_hash(domain, g));
    TRY_OR(failed, add_up(domain, g));
    *out = g;
    return KOL_OK;
failed:
    body_geometry_destroy(&g);
    return st;
}

void body_geometry_destroy(struct body_geometry **g)
{
    if (*g == NULL) return;
    for (int c = 0; c < 3; ++c) {
        free((*g)->wall[c]);
        free((*g)->closed[c]);
    }
    free((*g)->open);
    free((*g)->closed_faces);
    free((*g)->body);
    body_set_destroy(&(*g)->set);
    free(*g);
    *g = NULL;
}

kol_status body_geometry_place(const struct domain *domain, struct body_geometry *g, double t)
{
    TRY(body_set_move(&domain->grid, g->set, t));
    for (int n = 0; n < g->bodies; ++n) place_info(&g->set->body[n], t, &g->body[n]);
    return KOL_OK;
}

int body_geometry_at(const struct body_geometry *g, const double x[3])
{
    double depth;
    int owner;
    body_set_row(g->set, 1, x, x[Y], x[Z], &owner, &depth);
    return owner;
}

/* The surface turns about the axis of the image that is nearest to the point. */
void body_geometry_velocity(const struct body_geometry *g, int body, const double x[3], double u[3])
{
    const struct body_info *b = &g->body[body];
    double r[3];
    for (int d = 0; d < 3; ++d) {
        const double period = g->set->period[d];
        r[d] = x[d] - b->centre[d];
        if (period > 0) r[d] -= period * round(r[d] / period);
    }
    for (int d = 0; d < 3; ++d) {
        const int p = (d + 1) % 3, q = (d + 2) % 3;
        u[d] = b->velocity[d] + (b->angular[p] * r[q] - b->angular[q] * r[p]);
    }
}
