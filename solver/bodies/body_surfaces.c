/* Lists the surfaces of all bodies by segments. */
#include "body_surfaces.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "travellers.h"
#include "wall_terms.h"

/* Makes room for n items, so that a list of known length is not copied while it grows. */
static kol_status items_reserve(struct surface_items *list, double n)
{
    if (n <= list->room) return KOL_OK;
    struct surface_item *more = n > INT_MAX ? NULL : realloc(list->item, (size_t)n * sizeof *more);
    if (more == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    list->item = more;
    list->room = (int)n;
    return KOL_OK;
}

static struct surface_item *items_add(struct surface_items *list)
{
    if (list->n == list->room) {
        const int room = 2 * list->room + 1024;
        struct surface_item *more = realloc(list->item, (size_t)room * sizeof *more);
        if (more == NULL) return NULL;
        list->item = more;
        list->room = room;
    }
    struct surface_item *item = &list->item[list->n];
    memset(item, 0, sizeof *item);
    ++list->n;
    return item;
}

static surface_key key_of(const struct decomp *d, int body, const int cell[3])
{
    return body_key(d, body, block_number(d, cell));
}

static int traveller(const struct body_geometry *geometry, int body)
{
    return geometry->travellers != NULL && travellers_has(geometry, body);
}

/* The vector from the body's centre to a point; from the nearest image in periodic directions. */
static void arm_of(const struct domain *domain, const struct body_geometry *geometry, int body,
                   const double at_wall[3], float arm[3])
{
    for (int e = 0; e < 3; ++e) {
        double x = at_wall[e] - geometry->body[body].centre[e];
        if (domain->grid.periodic[e]) x -= domain->grid.length[e] * nearbyint(x / domain->grid.length[e]);
        arm[e] = isfinite(x) ? (float)x : 0;
    }
}

static kol_status list_links(const struct domain *domain, const struct body_geometry *geometry, int d,
                             struct surface_items *list)
{
    int *place = malloc(((size_t)geometry->walls[d] + 1) * sizeof *place),
        *start = malloc(((size_t)block_count(&domain->decomp) + 1) * sizeof *start);
    kol_status st = place == NULL || start == NULL
                        ? status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies")
                        : block_order(&domain->decomp, geometry->wall[d], geometry->walls[d],
                                      sizeof *geometry->wall[d], place, start);
    for (int i = 0; i < geometry->walls[d] && st == KOL_OK; ++i) {
        const struct body_wall_face *face = &geometry->wall[d][i];
        const struct wall_terms t = wall_terms_of(domain, geometry, d, face);
        for (int q = 0; q < 6 && st == KOL_OK; ++q) {
            if (face->body[q] < 0) continue;
            struct surface_item *item = items_add(list);
            if (item == NULL) {
                st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for forces on bodies");
                break;
            }
            item->of = key_of(&domain->decomp, face->body[q], face->cell);
            item->link = (struct body_link){
                .at = (int)at(domain->grid.box, face->cell[X], face->cell[Y], face->cell[Z]),
                .point = place[i],
                .d = (signed char)d,
                .side = (signed char)q,
                .mirror = (signed char)(t.mirror >> q & 1),
                .half = (float)t.half[q / 2],
                .drag = (float)t.drag,
                .share = (real)t.share[q],
                .wall = (real)t.speed[q],
                .lead = (real)t.lead[q]};
            arm_of(domain, geometry, face->body[q], t.at[q], item->link.arm);
        }
    }
    free(place);
    free(start);
    return st;
}

/* Which sides of a closed face are live: bit 0 the one below, bit 1 the one above. A face on a boundary of
 * the domain that is not periodic has none. */
static int live_sides(const struct domain *domain, const struct body_geometry *geometry, int d,
                      const int cell[3])
{
    const struct grid *g = &domain->grid;
    const ptrdiff_t stride[3] = {1, g->box.sy, g->box.sz}, o = at(g->box, cell[X], cell[Y], cell[Z]);
    const int at_grid = domain->decomp.offset[d] + cell[d];
    if (!g->periodic[d] && (at_grid == 0 || at_grid == g->n_g[d])) return 0;
    return (geometry->open[o - stride[d]] != 0) | (geometry->open[o] != 0) << 1;
}

void body_surfaces_count(const struct domain *domain, const struct body_geometry *geometry, double *links,
                         double *sides)
{
    *links = *sides = 0;
    for (int d = 0; d < 3; ++d) {
        for (int i = 0; i < geometry->walls[d]; ++i)
            for (int q = 0; q < 6; ++q) *links += geometry->wall[d][i].body[q] >= 0;
        for (int i = 0; i < geometry->closeds[d]; ++i) {
            const int live = live_sides(domain, geometry, d, geometry->closed[d][i].cell);
            *sides += (live & 1) + (live >> 1);
        }
    }
}

static kol_status list_fronts(const struct domain *domain, const struct body_geometry *geometry, int d,
                              struct surface_items *list)
{
    const struct grid *g = &domain->grid;
    for (int i = 0; i < geometry->closeds[d]; ++i) {
        const struct body_closed_face *face = &geometry->closed[d][i];
        const ptrdiff_t o = at(g->box, face->cell[X], face->cell[Y], face->cell[Z]);
        const int live = live_sides(domain, geometry, d, face->cell);
        double x[3];
        if (live == 0) continue;
        struct surface_item *item = items_add(list);
        if (item == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
        item->of = key_of(&domain->decomp, face->body, face->cell);
        item->front = (struct body_front){.at = (int)o, .d = (signed char)d, .live = (signed char)live};
        for (int e = 0; e < 3; ++e) {
            const int cell = domain->decomp.offset[e] + face->cell[e];
            x[e] = e == d ? g->face[e][cell] : g->centre[e][cell];
        }
        arm_of(domain, geometry, face->body, x, item->front.arm);
    }
    return KOL_OK;
}

/* --- segments --- */

void body_surfaces_free(struct body_surfaces *s)
{
    free(s->links.item);
    free(s->fronts.item);
    free(s->turns.item);
    free(s->keys);
    for (int n = 0; n < SURFACE_LISTS; ++n) free(s->start[n]);
    memset(s, 0, sizeof *s);
}

/* Adds the keys of a list, without those that are the same as the one before. */
static void add_keys(const struct surface_items *list, surface_key *all, size_t *n)
{
    for (int i = 0; i < list->n; ++i)
        if (i == 0 || list->item[i].of != list->item[i - 1].of) all[(*n)++] = list->item[i].of;
}

static int by_value(const void *a, const void *b)
{
    const surface_key *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sets the keys of the segments: those of the items, and those of every block for bodies that travel, which
 * may come there. */
static kol_status make_keys(const struct domain *domain, const struct body_geometry *geometry,
                            struct body_surfaces *s)
{
    const int blocks = block_count(&domain->decomp);
    size_t most = (size_t)s->links.n + (size_t)s->fronts.n + 1, n = 0;
    for (int b = 0; b < geometry->bodies; ++b) most += traveller(geometry, b) ? (size_t)blocks : 0;
    surface_key *all = s->keys = malloc(most * sizeof *all);
    if (all == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    add_keys(&s->links, all, &n);
    add_keys(&s->fronts, all, &n);
    for (int b = 0; b < geometry->bodies; ++b)
        for (int q = 0; traveller(geometry, b) && q < blocks; ++q) all[n++] = body_key(&domain->decomp, b, q);
    if (n > 0) qsort(all, n, sizeof *all, by_value);
    for (size_t i = 0; i < n; ++i)
        if (s->segments == 0 || all[s->segments - 1] != all[i]) all[s->segments++] = all[i];
    return KOL_OK;
}

/* The segment with a key, which may be that of the item before; -1: there is none. */
static int segment_of(const struct body_surfaces *s, surface_key key, int before)
{
    int low = 0, high = s->segments - 1;
    if (before >= 0 && s->keys[before] == key) return before;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (s->keys[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low == high && s->keys[low] == key ? low : -1;
}

/* Takes each item to its place. What place holds is lost. */
static void permute(struct surface_items *list, int *place)
{
    for (int i = 0; i < list->n; ++i)
        while (place[i] != i) {
            const int to = place[i];
            const struct surface_item other = list->item[to];
            list->item[to] = list->item[i];
            list->item[i] = other;
            place[i] = place[to];
            place[to] = to;
        }
}

/* Orders a list by segments. The items of a segment stay in the order in which they were found. */
static kol_status make_starts(struct body_surfaces *s, struct surface_items *list, int **start)
{
    const size_t segments = (size_t)s->segments;
    int *place = malloc(((size_t)list->n + segments + 2) * sizeof *place), found = 1;
    if (*start == NULL) *start = malloc((segments + 1) * sizeof **start);
    if (*start == NULL || place == NULL) {
        free(place);
        RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
    }
    memset(*start, 0, (segments + 1) * sizeof **start);
    for (int i = 0, q = -1; i < list->n && found; ++i) {
        place[i] = q = segment_of(s, list->item[i].of, q);
        found = q >= 0;
        if (found) ++(*start)[q + 1];
    }
    for (int q = 0; q < s->segments; ++q) (*start)[q + 1] += (*start)[q];
    int *next = place + list->n;
    memcpy(next, *start, (segments + 1) * sizeof *next);
    for (int i = 0; i < list->n && found; ++i) place[i] = next[place[i]]++;
    if (found) permute(list, place);
    free(place);
    if (!found) RAISE(KOL_ERR_INTERNAL, "a face of a body has no segment");
    return KOL_OK;
}

static kol_status list_turns(const struct domain *domain, const struct travellers *t,
                             struct surface_items *list)
{
    for (int n = 0; n < t->turns; ++n) {
        const struct traveller_turn *turn = &t->turn[n];
        struct surface_item *item = items_add(list);
        if (item == NULL) RAISE(KOL_ERR_MEMORY, "no memory for forces on bodies");
        item->of = key_of(&domain->decomp, turn->body, turn->cell);
        item->turn = (struct body_turn){
            .at = (int)turn->at, .d = (signed char)turn->d, .closes = (signed char)turn->closes};
    }
    return KOL_OK;
}

kol_status body_surfaces_make(const struct domain *domain, const struct body_geometry *geometry,
                              struct body_surfaces *s)
{
    s->links.n = s->fronts.n = s->turns.n = 0;
    if (s->keys == NULL) { /* later calls have about as many */
        double links, sides;
        body_surfaces_count(domain, geometry, &links, &sides);
        TRY(items_reserve(&s->links, links));
        TRY(items_reserve(&s->fronts, sides)); /* a front has one or two */
    }
    for (int d = 0; d < 3; ++d) {
        TRY(list_links(domain, geometry, d, &s->links));
        TRY(list_fronts(domain, geometry, d, &s->fronts));
    }
    if (geometry->travellers != NULL) TRY(list_turns(domain, geometry->travellers, &s->turns));
    if (s->keys == NULL) TRY(make_keys(domain, geometry, s));
    TRY(make_starts(s, &s->links, &s->start[SURFACE_LINKS]));
    TRY(make_starts(s, &s->fronts, &s->start[SURFACE_FRONTS]));
    return make_starts(s, &s->turns, &s->start[SURFACE_TURNS]);
}
