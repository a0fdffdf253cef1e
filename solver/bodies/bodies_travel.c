/* Takes bodies that travel to their places in kernel memory. */
#include "bodies_travel.h"

#include <math.h>
#include <stdlib.h>
#include "kernels/body_travel.h"
#include "kernels/laplace.h"
#include "kernels/volume_dot.h"
#include "math/rk3_scheme.h"
#include "body_set.h"
#include "travellers.h"
#include "wall_terms.h"

/* The part of a cell that a body may cross in a step. */
static const double CROSSED_MOST = 0.5;

/* Units of volume in the box. The sum over all cells stays below the largest whole number. */
static const double COVERED_UNITS = 4611686018427387904.0; /* 2^62 */

/* Number of each list in bodies->travel_rooms. */
enum { ROOM_PLACES, ROOM_BYTES, ROOM_CELLS, ROOM_TURNS, ROOM_TURN_BLOCKS };

int bodies_travelling(const struct flow *flow)
{
    return flow->bodies != NULL && flow->bodies->geometry->travellers != NULL;
}

double bodies_fastest(const struct body_geometry *g, int d)
{
    const struct body_set *s = g->set;
    double most = 0;
    for (int n = 0; n < s->count; ++n) most = fmax(most, body_motion_fastest(&s->body[n].motion, d));
    return most;
}

double bodies_speed(const struct flow *flow, int d)
{
    return bodies_travelling(flow) ? bodies_fastest(flow->bodies->geometry, d) : 0;
}

double bodies_courant_of(const struct domain *domain, const struct body_geometry *g)
{
    double most = 0;
    for (int d = 0; d < 3; ++d) most = fmax(most, bodies_fastest(g, d) / domain->grid.narrowest[d]);
    return most / CROSSED_MOST;
}

double bodies_travel_courant(const struct flow *flow)
{
    return bodies_travelling(flow) ? bodies_courant_of(flow->domain, flow->bodies->geometry) : 0;
}

/* --- lists --- */

/* changes: host copies of what has changed in the mask. fresh: cells that have become live, without sides, so
 * that body_uncover() sets them to 0. turn_block: struct body_turns' block. */
struct changes {
    int *place, cells, fresh_cells, n;
    unsigned char *byte;
    struct body_uncovered *cell, *fresh;
    struct body_turn *turn;
    int *turn_block;
};

static void changes_free(struct changes *c)
{
    free(c->place);
    free(c->byte);
    free(c->cell);
    free(c->fresh);
    free(c->turn);
    free(c->turn_block);
}

static int by_cell(const void *a, const void *b)
{
    const struct traveller_change *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Whether the cell at place o was live before the last move. */
static int was_live(const struct travellers *t, const unsigned char *open, ptrdiff_t o)
{
    const struct traveller_change wanted = {.at = o};
    const struct traveller_change *c =
        t->changes > 0 ? bsearch(&wanted, t->change, (size_t)t->changes, sizeof *c, by_cell) : NULL;
    return c != NULL ? c->was != 0 : open[o] != 0;
}

/* The sides of a cell that has become live beyond which there is fluid whose pressure is known. */
static unsigned char known_sides(const struct domain *domain, const struct body_geometry *g,
                                 const struct traveller_change *c)
{
    const struct decomp *dec = &domain->decomp;
    const ptrdiff_t stride[3] = {1, domain->grid.box.sy, domain->grid.box.sz};
    unsigned from = 0;
    for (int f = 0; f < FACES; ++f) {
        const int d = f / 2, step = f % 2 ? 1 : -1, next = dec->offset[d] + c->cell[d] + step;
        if (!(c->is >> f & 1)) continue;
        if (!domain->grid.periodic[d] && (next < 0 || next >= domain->grid.n_g[d])) continue;
        if (was_live(g->travellers, g->open, c->at + step * stride[d])) from |= 1u << f;
    }
    return (unsigned char)from;
}

/* The faces that have turned, block by block. */
static kol_status turns_make(const struct domain *domain, const struct travellers *t, struct changes *out)
{
    int *order = malloc(((size_t)t->turns + 1) * sizeof *order);
    if (order == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the bodies that move");
    kol_status st = KOL_OK;
    if (t->turns > 0)
        st = block_order(&domain->decomp, t->turn->cell, t->turns, sizeof *t->turn, order, out->turn_block);
    for (int i = 0; i < t->turns && st == KOL_OK; ++i)
        out->turn[order[i]] = (struct body_turn){.at = (int)t->turn[i].at,
                                                 .d = (signed char)t->turn[i].d,
                                                 .closes = (signed char)t->turn[i].closes};
    free(order);
    return st;
}

static kol_status changes_make(const struct domain *domain, const struct body_geometry *g,
                               struct changes *out)
{
    const struct travellers *t = g->travellers;
    const size_t n = (size_t)t->changes, turns = (size_t)t->turns;
    *out = (struct changes){.n = t->changes,
                            .place = malloc((n + 1) * sizeof *out->place),
                            .byte = malloc(n + 1),
                            .cell = malloc((n + 1) * sizeof *out->cell),
                            .fresh = malloc((n + 1) * sizeof *out->fresh),
                            .turn = malloc((turns + 1) * sizeof *out->turn),
                            .turn_block = calloc((size_t)block_count(&domain->decomp) + 1, sizeof(int))};
    if (out->place == NULL || out->byte == NULL || out->cell == NULL || out->fresh == NULL ||
        out->turn == NULL || out->turn_block == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for the bodies that move");
    for (int i = 0; i < t->changes; ++i) {
        const struct traveller_change *c = &t->change[i];
        out->place[i] = (int)c->at;
        out->byte[i] = c->is;
        if (!c->own || (c->was == 0) == (c->is == 0)) continue;
        out->cell[out->cells++] = (struct body_uncovered){(int)c->at, known_sides(domain, g, c)};
        if (c->is != 0) out->fresh[out->fresh_cells++] = (struct body_uncovered){(int)c->at, 0};
    }
    return turns_make(domain, t, out);
}

/* --- kernel memory --- */

/* Room for as many entries as there are faces in the bodies at the start would never be needed; this is what
 * a surface may need. */
static size_t least_room(const struct travellers *t)
{
    return (size_t)(t->most_walls[X] + t->most_walls[Y] + t->most_walls[Z]) + 256;
}

/* Takes the room that the stages usually need, so that none of them allocates. */
static kol_status take_rooms(struct flow *flow)
{
    static const size_t SIZE[] = {[ROOM_PLACES] = sizeof(int),
                                  [ROOM_BYTES] = 1,
                                  [ROOM_CELLS] = sizeof(struct body_uncovered),
                                  [ROOM_TURNS] = sizeof(struct body_turn),
                                  [ROOM_TURN_BLOCKS] = 0};
    const struct domain *domain = flow->domain;
    struct kernel_room *room = flow->bodies->travel_rooms;
    const size_t least = least_room(flow->bodies->geometry->travellers),
                 blocks = ((size_t)block_count(&domain->decomp) + 1) * sizeof(int);
    if (room[ROOM_TURN_BLOCKS].bytes == 0)
        TRY(kernel_room_fill(domain, &room[ROOM_TURN_BLOCKS], NULL, 0, blocks));
    for (int n = 0; n < (int)(sizeof SIZE / sizeof *SIZE); ++n)
        if (room[n].bytes == 0) TRY(kernel_room_fill(domain, &room[n], NULL, 0, least * SIZE[n]));
    return KOL_OK;
}

/* The mask, the lists beside surfaces and the faces in bodies. */
static kol_status put_geometry(struct flow *flow, const struct changes *c)
{
    const struct domain *domain = flow->domain;
    struct bodies *b = flow->bodies;
    struct kernel_room *room = b->travel_rooms;
    const size_t n = (size_t)c->n, least = least_room(b->geometry->travellers);
    TRY(kernel_room_fill(domain, &room[ROOM_PLACES], c->place, n * sizeof *c->place, least * sizeof(int)));
    TRY(kernel_room_fill(domain, &room[ROOM_BYTES], c->byte, n, least));
    TRY(body_mask_change(c->n, room[ROOM_PLACES].at, room[ROOM_BYTES].at, b->open));
    for (int d = 0; d < 3; ++d) {
        TRY(body_lists_points(domain, b->geometry, d, &b->point_rooms[d], &b->points[d]));
        TRY(body_lists_held(domain, b->geometry, d, &b->held_rooms[d], &b->held[d]));
    }
    return KOL_OK;
}

/* Sets the pressure of some cells, and leaves the sum of V p over all cells as value `n` of a message. */
static kol_status put_cells(struct flow *flow, const struct body_uncovered *cell, int cells, int n)
{
    const struct domain *domain = flow->domain;
    struct kernel_room *room = &flow->bodies->travel_rooms[ROOM_CELLS];
    const size_t least = least_room(flow->bodies->geometry->travellers);
    TRY(kernel_room_fill(domain, room, cell, (size_t)cells * sizeof *cell, least * sizeof *cell));
    TRY(body_uncover(domain->grid.box, cells, room->at, flow->pressure.p));
    return volume_dot_weighted(domain->grid.box, reduction_blocks_from(domain->reduction, n),
                               grid_stencil(&domain->grid, LOC_CCC, 0, 1), flow->pressure.p);
}

/* The pressure of cells that have become fluid or solid. What this adds to the sum over the fluid is the
 * difference of the sums over all cells, if what the fresh cells had in the body is in neither. */
static kol_status put_pressure(struct flow *flow, const struct changes *c)
{
    const struct domain *domain = flow->domain;
    double sum[2];
    TRY(halo_fill_one(domain->halo, flow->pressure.p, HALO_FACES));
    if (laplace_around()) TRY(halo_wrap(domain->halo, flow->pressure.p));
    flow->halo_filled = 0; /* the pressure's is not any more */
    TRY(put_cells(flow, c->fresh, c->fresh_cells, 0));
    TRY(put_cells(flow, c->cell, c->cells, 1));
    TRY(reduction_finish(domain->reduction, 2, 0, sum));
    flow->bodies->lifted = sum[1] - sum[0];
    return KOL_OK;
}

/* Faces that have opened have no right-hand side of the stage before. */
static kol_status forget(struct flow *flow, const struct changes *c, real *const *old)
{
    const struct domain *domain = flow->domain;
    const struct travellers *t = flow->bodies->geometry->travellers;
    struct kernel_room *room = &flow->bodies->travel_rooms[ROOM_TURNS],
                       *block = &flow->bodies->travel_rooms[ROOM_TURN_BLOCKS];
    if (old == NULL) return KOL_OK;
    TRY(kernel_room_fill(domain, room, c->turn, (size_t)t->turns * sizeof *c->turn,
                         least_room(t) * sizeof *c->turn));
    TRY(kernel_room_fill(domain, block, c->turn_block,
                         ((size_t)block_count(&domain->decomp) + 1) * sizeof(int), 0));
    flow->bodies->turned = (struct body_turns){t->turns, room->at, block->at};
    return body_forget(t->turns, room->at, old);
}

/* --- a stage --- */

kol_status bodies_check_step(const struct domain *domain, const struct body_geometry *g, double dt)
{
    const double crossed = CROSSED_MOST * bodies_courant_of(domain, g) * dt;
    if (crossed <= CROSSED_MOST * (1 + 1e-6)) return KOL_OK;
    RAISE(
        KOL_ERR_INPUT,
        "error: time.dt = %g is too long for the motion of the bodies, which would cross %.3g of a cell in a "
        "step; give time.dt up to %.3g, or time.cfl instead",
        dt, crossed, dt * CROSSED_MOST / crossed);
}

/* Counts the volume of the cells that have become solid. No kernel is waited for. */
static kol_status count_covered(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct travellers *t = flow->bodies->geometry->travellers;
    const int *offset = domain->decomp.offset;
    long long total = 0;
    for (int n = 0; n < t->changes; ++n) {
        const struct traveller_change *c = &t->change[n];
        double part = 1;
        if (!c->own || (c->was == 0) == (c->is == 0)) continue;
        for (int d = 0; d < 3; ++d)
            part *= grid_width(&domain->grid, d, c->cell[d] + offset[d]) / domain->grid.length[d];
        const long long units = llrint(part * COVERED_UNITS);
        flow->bodies->covered_own += c->is == 0 ? units : -units;
    }
    MPI_TRY(MPI_Allreduce(&flow->bodies->covered_own, &total, 1, MPI_LONG_LONG, MPI_SUM, domain->comm.mpi));
    flow->bodies->covered = (double)total / COVERED_UNITS;
    return KOL_OK;
}

static kol_status move_to(struct flow *flow, double t, int since_begin, struct changes *c)
{
    const struct domain *domain = flow->domain;
    struct body_geometry *g = flow->bodies->geometry;
    kol_status st = travellers_move(domain, g, t);
    if (st == KOL_OK) st = travellers_turns(g->travellers, since_begin);
    if (st == KOL_OK) st = changes_make(domain, g, c);
    TRY(comm_agree(&domain->comm, st));
    return count_covered(flow);
}

kol_status bodies_place(struct flow *flow)
{
    struct changes c = {0};
    kol_status st = KOL_OK;
    if (!bodies_travelling(flow)) return KOL_OK;
    TRY(take_rooms(flow));
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY_OR(done, move_to(flow, flow->clock.t, 0, &c));
    TRY_OR(done, put_geometry(flow, &c));
done:
    changes_free(&c);
    return st;
}

kol_status bodies_travel(struct flow *flow, int m, real *const base[3], real *const *old)
{
    const struct rk3_scheme *rk = rk3_scheme(flow->domain->in->time.scheme);
    const struct clock *clock = &flow->clock;
    /* the step ends with the time to which the clock is set */
    const double t = clock->t + (m == 2 ? clock->dt : rk3_stage_end(rk, m) * clock->dt);
    struct changes c = {0};
    kol_status st = KOL_OK;
    if (!bodies_travelling(flow)) return KOL_OK;
    TRY(take_rooms(flow));
    if (pool_counts(flow->domain->pool)) return KOL_OK;
    TRY(bodies_check_step(flow->domain, flow->bodies->geometry, clock->dt));
    if (m == 0) TRY(travellers_begin(flow->bodies->geometry->travellers));
    TRY_OR(done, move_to(flow, t, rk->from_start, &c));
    TRY_OR(done, put_geometry(flow, &c));
    TRY_OR(done, put_pressure(flow, &c));
    TRY_OR(done, body_forces_renew(flow->bodies->forces, flow->bodies->geometry));
    TRY_OR(done, body_forces_turns(flow->bodies->forces, flow, m, base, old));
    TRY_OR(done, forget(flow, &c, old));
done:
    changes_free(&c);
    return st;
}
