/* Makes the set of bodies: their shapes, their images in periodic directions, and the bins of the domain. */
#include "body_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_list_file.h"
#include "inputs/bodies.h"
#include "kernels/base/constants.h"
#include "kernels/base/speed.h"
#include "packing.h"
#include "parallel/share_file.h"

enum {
    BINS_MOST = 64,         /* in a direction */
    IMAGES_MOST = 50000000, /* of all bodies */
    BEYOND = 4,             /* margins that a point of interest may lie beyond a bin */
    WINDINGS_MOST = 16      /* periods after which a turned cylinder without ends must meet itself */
};
static const double SAME = 1e-9; /* relative: lengths and directions that the input means to be equal */

static double longest_link(const struct grid *g)
{
    double most = 0;
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i <= g->n_g[d]; ++i) {
            most = fmax(most, grid_centre_distance(g, d, i));
            if (i < g->n_g[d]) most = fmax(most, grid_width(g, d, i));
        }
    return most * 1.001;
}

/* Makes room for `more` bodies behind those that there are. Returns the first of them; NULL: no memory. */
static struct body *append(struct body_set *s, int more)
{
    struct body *larger = realloc(s->body, ((size_t)s->count + (size_t)more) * sizeof *larger);
    if (larger == NULL) return NULL;
    s->body = larger;
    memset(larger + s->count, 0, (size_t)more * sizeof *larger);
    s->count += more;
    return larger + s->count - more;
}

static kol_status read_stl(const struct domain *domain, int n, double margin, struct body *b)
{
    const struct input *in = domain->in;
    const struct grid *g = &domain->grid;
    const struct input_place by = input_place(domain->source, offsetof(struct input, bodies.file), n);
    struct stl_frame frame = {.shape = b->shape,
                              .scale = in->bodies.size[n][0],
                              .origin = {g->origin[0], g->origin[1], g->origin[2]},
                              .longest = fmax(g->length[0], fmax(g->length[1], g->length[2])),
                              .margin = margin,
                              .by = by.by};
    char *bytes = NULL;
    size_t length = 0;
    TRY(share_file_bytes(&domain->comm, in->bodies.file[n], &by, &bytes, &length));
    const kol_status st = stl_create(in->bodies.file[n], bytes, length, &frame, &b->stl);
    free(bytes);
    return st;
}

static kol_status read_level_set(const struct domain *domain, int n, double margin, struct body *b)
{
    const struct input_place by = input_place(domain->source, offsetof(struct input, bodies.file), n);
    for (int d = 0; d < 3; ++d) b->shape.centre[d] = domain->grid.origin[d] + domain->grid.length[d] / 2;
    return level_set_create(domain, domain->in->bodies.file[n], &by, margin, &b->level_set);
}

/* The motion of a body of the input, and its centre at the start of it. */
static kol_status add_motion(const struct domain *domain, int n, struct body *b, double centre[3])
{
    b->motion = body_motion_of(domain->in, n);
    memcpy(centre, domain->in->bodies.centre[n], sizeof domain->in->bodies.centre[n]);
    if (b->motion.kind != MOTION_FILE) return KOL_OK;
    TRY(body_path_read(domain, n, &b->motion.path));
    for (int d = 0; d < 3; ++d) centre[d] = b->motion.path->value[d][0];
    return KOL_OK;
}

/* What the motion needs of the shape. */
static kol_status settle_motion(struct body *b)
{
    const struct shape *s = &b->shape;
    struct body_motion *m = &b->motion;
    const int turns = m->kind == MOTION_ROTATE || (m->path != NULL && m->path->turns);
    double low[3], high[3], square = 0;
    memcpy(b->rest, s->turn, sizeof b->rest);
    if (!turns) return KOL_OK;
    memcpy(m->axis, s->turn[2], sizeof m->axis);
    shape_bounds(s, low, high);
    for (int d = 0; d < 3; ++d) {
        const double most = fmax(high[d] - s->centre[d], s->centre[d] - low[d]);
        square += most * most;
    }
    m->reach = sqrt(square);
    if (s->kind != SHAPE_STL && isfinite(m->reach)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: body %d %s, so its motion can't turn it; give angles of 0 in bodies.motion_file(%d)",
          b->by.at, b->entry, s->kind == SHAPE_STL ? "is made of triangles" : "has no ends", b->entry);
}

/* The largest speed of a body that turns about its axis of symmetry, whose surface alone moves [U]. */
static double surface_speed(const struct body *b)
{
    double low[3], high[3], most = 0;
    if (b->rotation == 0) return 0;
    shape_bounds(&b->shape, low, high);
    for (int d = 0; d < 3; ++d) {
        const double reach = fmax(high[d] - b->shape.centre[d], b->shape.centre[d] - low[d]);
        if (isfinite(reach)) most = fmax(most, reach);
    }
    return fabs(b->rotation) * most;
}

/* Refuses a motion whose speed is beyond what arithmetic can hold. */
static kol_status check_speed(const struct body *b)
{
    double speed = surface_speed(b);
    for (int d = 0; d < 3 && speed <= SPEED_MOST; ++d) speed = body_motion_fastest(&b->motion, d);
    if (speed <= SPEED_MOST) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: body %d moves at a speed of up to %.3g, too fast for %s arithmetic, which takes speeds "
          "up "
          "to %g; give it a slower motion, or choose another unit of time",
          b->by.at, b->entry, speed, KOL_REAL_NAME, SPEED_MOST);
}

static kol_status add_named(const struct domain *domain, struct body_set *s)
{
    const struct input *in = domain->in;
    for (int n = 0; n < BODIES_MOST; ++n) {
        double centre[3];
        if (in->bodies.shape[n] == SHAPE_NONE) continue;
        struct body *b = append(s, 1);
        if (b == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bodies", BODIES_MOST);
        TRY(add_motion(domain, n, b, centre));
        b->shape = shape_make(in->bodies.shape[n], centre, in->bodies.size[n], in->bodies.axis[n],
                              in->bodies.angles[n]);
        memcpy(b->size, in->bodies.size[n], sizeof b->size);
        b->operation = in->bodies.operation[n];
        b->rotation =
            in->bodies.motion[n] == MOTION_ROTATE && !body_travels(in, n) ? in->bodies.rotation[n] : 0;
        b->remove_time = in->bodies.remove_time[n];
        b->by = input_place(domain->source, offsetof(struct input, bodies.shape), n);
        b->entry = n + 1;
        TRY(settle_motion(b));
        TRY(check_speed(b));
        if (b->shape.kind == SHAPE_STL) TRY(read_stl(domain, n, s->margin, b));
        if (b->shape.kind == SHAPE_LEVELSET) TRY(read_level_set(domain, n, s->margin, b));
    }
    return KOL_OK;
}

static kol_status add_list(const struct domain *domain, struct body_set *s)
{
    struct body *list = NULL;
    int count = 0;
    kol_status st = body_list_file_read(domain, &list, &count);
    struct body *to = st == KOL_OK && count > 0 ? append(s, count) : NULL;
    if (to != NULL) memcpy(to, list, (size_t)count * sizeof *list);
    for (int n = 0; to != NULL && n < count; ++n) to[n].remove_time = domain->in->bodies_list.remove_time;
    free(list);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "body_list_file_read");
    if (count > 0 && to == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bodies", count);
    return KOL_OK;
}

static struct packing packing_of(const struct domain *domain, const struct input_place *by)
{
    const struct input *in = domain->in;
    const struct grid *g = &domain->grid;
    struct packing p = {.cubes = in->packing.shape == PACKING_BOX,
                        .count = in->packing.count,
                        .seed = in->packing.seed,
                        .at = by->at};
    double widest = 0;
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < g->n_g[d]; ++i) widest = fmax(widest, grid_width(g, d, i));
    for (int d = 0; d < 3; ++d) {
        const double h = grid_width(g, d, 0);
        p.low[d] = g->origin[d];
        p.length[d] = g->length[d];
        p.periodic[d] = g->periodic[d];
        p.size[d] = in->packing.size;
        p.gap[d] = in->packing.gap * widest;
        if (!in->packing.align) continue;
        p.step[d] = h;
        p.gap[d] = h * ceil(in->packing.gap - SAME);
        p.size[d] = h * fmax(1, round(in->packing.size / h));
    }
    return p;
}

static kol_status add_packing(const struct domain *domain, struct body_set *s)
{
    static const double upright[3] = {0, 0, 0};
    const struct input *in = domain->in;
    const struct input_place by = input_place(domain->source, offsetof(struct input, packing.shape), 0);
    if (in->packing.shape == PACKING_NONE) return KOL_OK;
    const struct packing p = packing_of(domain, &by);
    const int kind = p.cubes ? SHAPE_BOX : SHAPE_SPHERE;
    const double size[3] = {p.size[0], p.cubes ? p.size[1] : 0, p.cubes ? p.size[2] : 0};
    double *centre = NULL;
    kol_status st = packing_place(&p, &centre);
    struct body *to = st == KOL_OK ? append(s, p.count) : NULL;
    for (int n = 0; to != NULL && n < p.count; ++n) {
        to[n].shape = shape_make(kind, &centre[3 * n], size, 2, upright);
        memcpy(to[n].size, size, sizeof to[n].size);
        to[n].operation = OPERATION_ADD;
        to[n].remove_time = in->packing.remove_time;
        to[n].by = by;
        to[n].entry = n + 1;
    }
    free(centre);
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "packing_place");
    if (to == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d bodies", p.count);
    return KOL_OK;
}

/* Whether the axis of a cylinder without ends leads, by whole periods m, back to itself. */
static int winds(const struct grid *g, const double axis[3], const int m[3])
{
    double along = 0, off = 0, size = 0;
    for (int d = 0; d < 3; ++d) {
        along += m[d] * g->length[d] * axis[d];
        size += m[d] * g->length[d] * m[d] * g->length[d];
    }
    for (int d = 0; d < 3; ++d) off = fmax(off, fabs(m[d] * g->length[d] - along * axis[d]));
    return size > 0 && off <= SAME * sqrt(size);
}

/* The length after which the axis meets itself; 0: never. */
static double winding_length(const struct grid *g, const double axis[3])
{
    int most[3], m[3];
    double shortest = HUGE_VAL;
    for (int d = 0; d < 3; ++d) most[d] = g->periodic[d] ? WINDINGS_MOST : 0;
    for (m[0] = 0; m[0] <= most[0]; ++m[0])
        for (m[1] = -most[1]; m[1] <= most[1]; ++m[1])
            for (m[2] = -most[2]; m[2] <= most[2]; ++m[2]) {
                if (!winds(g, axis, m)) continue;
                double size = 0;
                for (int d = 0; d < 3; ++d) size += m[d] * g->length[d] * m[d] * g->length[d];
                shortest = fmin(shortest, sqrt(size));
            }
    return shortest < HUGE_VAL ? shortest : 0;
}

/* A cylinder or a capsule without ends lies along a direction of the grid, or is turned. A turned one gets
 * ends outside the domain. If it is turned towards a periodic direction, it must meet its own images. */
static kol_status settle_cylinder(const struct grid *g, struct body *b)
{
    const double *axis = b->shape.turn[2];
    double far = 0, winding = 0;
    int turned = 0;
    if (b->shape.half[1] < HUGE_VAL) return KOL_OK;
    for (int d = 0; d < 3; ++d) {
        if (fabs(axis[d]) == 1) return KOL_OK;
        turned |= axis[d] != 0 && g->periodic[d];
        far += g->length[d] + fabs(b->shape.centre[d] - g->origin[d] - g->length[d] / 2);
    }
    if (turned) winding = winding_length(g, axis);
    if (turned && winding == 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: body %d passes through the whole domain, but it is turned so that it does not meet "
              "itself beyond the periodic faces; give it a length by bodies.size(2,%d), or other angles",
              b->by.at, b->entry, b->entry);
    b->shape.half[1] = winding + 2 * far + 2 * b->shape.half[0];
    return KOL_OK;
}

/* A half space must be the same one period further in each periodic direction. */
static kol_status check_half_space(const struct grid *g, const struct body *b)
{
    const struct shape *s = &b->shape;
    for (int d = 0; d < 3; ++d) {
        if (!g->periodic[d]) continue;
        if (fabs(s->turn[2][d]) > SAME)
            RAISE(KOL_ERR_INPUT,
                  "%s: error: body %d, a half space, has a normal with a component in %c, which is periodic: "
                  "its images would fill the domain; choose 'box', or walls in %c",
                  b->by.at, b->entry, "xyz"[d], "xyz"[d]);
        const double waves = s->kind == SHAPE_WAVE ? s->turn[0][d] * g->length[d] * s->half[1] / (2 * PI) : 0;
        if (fabs(waves - round(waves)) > SAME * fmax(1, fabs(waves)))
            RAISE(
                KOL_ERR_INPUT,
                "%s: error: body %d has %.9g wavelengths in %c, which is periodic; choose bodies.size(2,%d) "
                "so that the number is whole",
                b->by.at, b->entry, fabs(waves), "xyz"[d], b -> entry);
    }
    return KOL_OK;
}

static kol_status settle(const struct grid *g, struct body *b)
{
    const int kind = b->shape.kind;
    if (kind == SHAPE_CYLINDER || kind == SHAPE_CAPSULE) TRY(settle_cylinder(g, b));
    if (kind == SHAPE_PLANE || kind == SHAPE_WAVE) TRY(check_half_space(g, b));
    return KOL_OK;
}

/* The images of a body that reach into the domain: shifts of first .. last periods. Returns their number. */
static double image_range(const struct grid *g, const struct body *b, double margin, int first[3],
                          int last[3], double low[3], double high[3])
{
    double count = 1;
    body_bounds(b, low, high);
    for (int d = 0; d < 3; ++d) {
        const double from = g->origin[d], to = from + g->length[d];
        low[d] += b->moved[d] - margin;
        high[d] += b->moved[d] + margin;
        first[d] = last[d] = 0;
        if (!g->periodic[d] || low[d] == -HUGE_VAL || high[d] == HUGE_VAL) continue;
        const double least = ceil((from - high[d]) / g->length[d]),
                     most = floor((to - low[d]) / g->length[d]);
        count *= fmax(most - least + 1, 0);
        if (!(fabs(least) < IMAGES_MOST) || !(fabs(most) < IMAGES_MOST)) return HUGE_VAL;
        first[d] = (int)least;
        last[d] = (int)most;
    }
    return count;
}

/* Whether an image may reach into a ball. */
static int reaches(const struct body_set *s, const struct body_image *m, const double centre[3],
                   double radius)
{
    const double at[3] = {centre[0] - m->shift[0], centre[1] - m->shift[1], centre[2] - m->shift[2]};
    return body_beyond(&s->body[m->body], at) <= radius;
}

static void place_images(const struct grid *g, struct body_set *s, int body)
{
    int first[3], last[3], m[3];
    double low[3], high[3], middle[3], radius = BEYOND * s->margin;
    for (int d = 0; d < 3; ++d) {
        middle[d] = g->origin[d] + g->length[d] / 2;
        radius += g->length[d] / 2;
    }
    image_range(g, &s->body[body], s->margin, first, last, low, high);
    for (m[2] = first[2]; m[2] <= last[2]; ++m[2])
        for (m[1] = first[1]; m[1] <= last[1]; ++m[1])
            for (m[0] = first[0]; m[0] <= last[0]; ++m[0]) {
                struct body_image *image = &s->image[s->images];
                image->body = body;
                for (int d = 0; d < 3; ++d) {
                    const double period = m[d] * g->length[d];
                    image->shift[d] = period + s->body[body].moved[d];
                    image->low[d] = low[d] + period;
                    image->high[d] = high[d] + period;
                }
                s->images += reaches(s, image, middle, radius);
            }
    if (s->body[body].operation != OPERATION_INTERSECT) return;
    s->image[s->images++] = (struct body_image){body, {0}, {1, 1, 1}, {-1, -1, -1}}; /* nowhere */
}

static kol_status make_images(const struct grid *g, struct body_set *s)
{
    double total = 0;
    for (int n = 0; n < s->count; ++n) {
        int first[3], last[3];
        double low[3], high[3];
        TRY(settle(g, &s->body[n]));
        total += image_range(g, &s->body[n], s->margin, first, last, low, high) + 1;
        if (total > IMAGES_MOST)
            RAISE(KOL_ERR_INPUT,
                  "%s: error: body %d is so large, or so far from the box, that it crosses the periodic "
                  "faces too "
                  "often; make it smaller, or move it into the box",
                  s->body[n].by.at, s->body[n].entry);
    }
    s->image = malloc((size_t)total * sizeof *s->image);
    if (s->image == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %.0f images of bodies", total);
    for (int n = 0; n < s->count; ++n)
        if (!s->body[n].gone) place_images(g, s, n);
    return KOL_OK;
}

static int clamp_bin(const struct body_set *s, int d, double x)
{
    const double b = floor((x - s->origin[d]) / s->bin_size[d]);
    return b < 0 ? 0 : b >= s->bins[d] ? s->bins[d] - 1 : (int)b;
}

/* Whether an image may reach into a bin, or into the cells beyond the domain next to it. */
static int reaches_bin(const struct body_set *s, const struct body_image *m, int x, int y, int z)
{
    const int b[3] = {x, y, z};
    double centre[3], radius = BEYOND * s->margin;
    if (m->low[0] > m->high[0]) return 1;
    for (int d = 0; d < 3; ++d) {
        centre[d] = s->origin[d] + (b[d] + 0.5) * s->bin_size[d];
        radius += s->bin_size[d] / 2;
    }
    return reaches(s, m, centre, radius);
}

/* Counts, or with `fill` stores, the image in all bins that it reaches. next: of each bin. */
static void enter_image(struct body_set *s, int m, int *next, int fill)
{
    const struct body_image *image = &s->image[m];
    int lo[3], hi[3];
    for (int d = 0; d < 3; ++d) {
        const int everywhere = image->low[d] > image->high[d];
        lo[d] = everywhere ? 0 : clamp_bin(s, d, image->low[d]);
        hi[d] = everywhere ? s->bins[d] - 1 : clamp_bin(s, d, image->high[d]);
    }
    for (int z = lo[2]; z <= hi[2]; ++z)
        for (int y = lo[1]; y <= hi[1]; ++y)
            for (int x = lo[0]; x <= hi[0]; ++x) {
                if (!reaches_bin(s, image, x, y, z)) continue;
                const int b = (z * s->bins[1] + y) * s->bins[0] + x;
                if (fill) s->item[next[b]] = m;
                ++next[b];
            }
}

static kol_status make_bins(const struct grid *g, struct body_set *s)
{
    for (int d = 0; d < 3; ++d) {
        const int wanted = (int)ceil(1.5 * cbrt(s->images)), most = (g->n_g[d] + 3) / 4;
        s->bins[d] = wanted > BINS_MOST ? BINS_MOST : wanted;
        if (s->bins[d] > most) s->bins[d] = most;
        s->origin[d] = g->origin[d];
        s->bin_size[d] = g->length[d] / s->bins[d];
    }
    const int bins = s->bins[0] * s->bins[1] * s->bins[2];
    int *next = calloc((size_t)bins + 1, sizeof *next);
    s->first = calloc((size_t)bins + 1, sizeof *s->first);
    if (next == NULL || s->first == NULL) {
        free(next);
        RAISE(KOL_ERR_MEMORY, "no memory for %d bins of bodies", bins);
    }
    for (int m = 0; m < s->images; ++m) enter_image(s, m, next, 0);
    for (int b = 0; b < bins; ++b) {
        s->first[b + 1] = s->first[b] + next[b];
        next[b] = s->first[b];
    }
    s->item = malloc(((size_t)s->first[bins] + 1) * sizeof *s->item);
    if (s->item == NULL) {
        free(next);
        RAISE(KOL_ERR_MEMORY, "no memory for %d places of bodies", s->first[bins]);
    }
    for (int m = 0; m < s->images; ++m) enter_image(s, m, next, 1);
    free(next);
    return KOL_OK;
}

/* Takes one body to its place: its displacement, and the directions of its shape. */
static void move_body(const struct grid *g, double t, struct body *b)
{
    struct body_pose pose;
    body_motion_at(&b->motion, t, &pose);
    for (int d = 0; d < 3; ++d) {
        b->moved[d] = pose.moved[d];
        if (g->periodic[d]) b->moved[d] -= g->length[d] * floor(pose.moved[d] / g->length[d]);
    }
    for (int e = 0; e < 3 && pose.turned; ++e)
        for (int d = 0; d < 3; ++d)
            b->shape.turn[e][d] = pose.turn[d][0] * b->rest[e][0] + pose.turn[d][1] * b->rest[e][1] +
                                  pose.turn[d][2] * b->rest[e][2];
}

kol_status body_set_move(const struct grid *g, struct body_set *s, double t)
{
    for (int n = 0; n < s->count; ++n) move_body(g, t, &s->body[n]);
    free(s->image);
    free(s->first);
    free(s->item);
    s->image = NULL;
    s->first = s->item = NULL;
    s->images = 0;
    TRY(make_images(g, s));
    return make_bins(g, s);
}

static kol_status fill_set(const struct domain *domain, double t, struct body_set *s)
{
    const struct grid *g = &domain->grid;
    s->margin = longest_link(g);
    s->touch = BODY_TOUCH * fmax(g->length[0], fmax(g->length[1], g->length[2]));
    for (int d = 0; d < 3; ++d) s->period[d] = g->periodic[d] ? g->length[d] : 0;
    TRY(add_named(domain, s));
    TRY(add_list(domain, s));
    TRY(add_packing(domain, s));
    for (int n = 0; n < s->count; ++n) s->body[n].gone = body_vanishes(s->body[n].remove_time, t);
    return body_set_move(g, s, 0);
}

kol_status body_set_create(const struct domain *domain, double t, struct body_set **out)
{
    *out = NULL;
    if (!bodies_left_at(domain->in, t)) return KOL_OK;
    struct body_set *s = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the set of bodies");
    const kol_status st = fill_set(domain, t, s);
    if (st != KOL_OK) body_set_destroy(&s);
    *out = s;
    return st;
}

void body_set_destroy(struct body_set **s)
{
    if (*s == NULL) return;
    for (int n = 0; n < (*s)->count; ++n) {
        body_path_destroy(&(*s)->body[n].motion.path);
        stl_destroy(&(*s)->body[n].stl);
        level_set_destroy(&(*s)->body[n].level_set);
    }
    free((*s)->body);
    free((*s)->image);
    free((*s)->first);
    free((*s)->item);
    free(*s);
    *s = NULL;
}
