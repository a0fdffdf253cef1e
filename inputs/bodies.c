/* Tells what the inputs of &bodies mean. */
#include "bodies.h"

#include <math.h>
#include <stdio.h>

/* form: what bodies.size holds for a shape. */
struct form {
    const char *shape;
    int needs, takes;
    const char *word[3];
    int axis;
};
static const struct form forms[] = {
    [SHAPE_NONE] = {"none", 0, 0, {"", "", ""}, 0},
    [SHAPE_BOX] = {"box", 3, 3, {"the edge along x", "the edge along y", "the edge along z"}, 0},
    [SHAPE_SPHERE] = {"sphere", 1, 1, {"the diameter", "", ""}, 0},
    [SHAPE_ELLIPSOID] = {"ellipsoid", 3, 3, {"the axis along x", "the axis along y", "the axis along z"}, 0},
    [SHAPE_CYLINDER] = {"cylinder", 1, 2, {"the diameter", "the length", ""}, 1},
    [SHAPE_CAPSULE] = {"capsule", 1, 2, {"the diameter", "the length", ""}, 1},
    [SHAPE_PLANE] = {"plane", 0, 0, {"", "", ""}, 1},
    [SHAPE_TORUS] = {"torus", 2, 2, {"the diameter of the ring", "the diameter of the section", ""}, 1},
    [SHAPE_STL] = {"stl", 1, 1, {"the factor for the coordinates", "", ""}, 0},
    [SHAPE_LEVELSET] = {"levelset", 0, 0, {"", "", ""}, 0},
    [SHAPE_WAVE] = {"wave", 2, 2, {"the amplitude", "the wavelength", ""}, 1},
};

int bodies_any(const struct input *in)
{
    for (int n = 0; n < BODIES_MOST; ++n)
        if (in->bodies.shape[n] != SHAPE_NONE) return 1;
    return in->packing.shape != PACKING_NONE || in->bodies_list.file[0];
}

double bodies_coefficient(const struct input *in)
{
    const double area = in->bodies.reference_area, speed = in->bodies.reference_speed;
    return area > 0 && speed > 0 ? 2 / (area * speed * speed) : 0;
}

int bodies_in_fields(const struct input *in)
{
    const int fields = in->output.field_interval > 0 || in->output.field_interval_time > 0;
    return fields && bodies_any(in) && in->output.fields_bodies;
}

int body_size_wrong(int shape, const double size[3], struct body_size_fault *why)
{
    const int needs = forms[shape].needs, takes = body_sizes_taken(shape);
    for (int e = 0; e < 3; ++e) {
        if (e < needs && !(size[e] > 0)) {
            snprintf(why->text, sizeof why->text, "the shape '%s' needs %s there; give a value above 0",
                     body_shape_word(shape), body_size_word(shape, e));
            return e;
        }
        if (e >= takes && size[e] != 0) {
            snprintf(why->text, sizeof why->text,
                     "it has no effect: the shape '%s' takes %d number%s; set it to 0",
                     body_shape_word(shape), takes, takes == 1 ? "" : "s");
            return e;
        }
    }
    if (shape == SHAPE_CAPSULE && size[1] > 0 && size[1] < size[0])
        snprintf(
            why->text, sizeof why->text,
            "the whole length of a 'capsule' can't be less than its diameter %g; make it longer, or choose "
            "'sphere'",
            size[0]);
    else if (shape == SHAPE_TORUS && size[1] >= size[0])
        snprintf(why->text, sizeof why->text,
                 "the section of a 'torus' must be thinner than its ring of diameter %g; make it smaller",
                 size[0]);
    else return -1;
    return 1;
}

int bodies_move(const struct input *in)
{
    for (int n = 0; n < BODIES_MOST; ++n)
        if (in->bodies.shape[n] != SHAPE_NONE && in->bodies.motion[n] != MOTION_NONE) return 1;
    return 0;
}

/* Whether body n is symmetric about its axis. */
static int body_is_symmetric(const struct input *in, int n)
{
    const int axis = in->bodies.axis[n];
    const double *size = in->bodies.size[n];
    switch (in->bodies.shape[n]) {
    case SHAPE_SPHERE:
    case SHAPE_CYLINDER:
    case SHAPE_CAPSULE:
    case SHAPE_PLANE:
    case SHAPE_TORUS:
        return 1;
    case SHAPE_ELLIPSOID:
        return size[(axis + 1) % 3] == size[(axis + 2) % 3];
    default:
        return 0;
    }
}

int body_travels(const struct input *in, int n)
{
    if (in->bodies.shape[n] == SHAPE_NONE || in->bodies.motion[n] == MOTION_NONE) return 0;
    return in->bodies.motion[n] != MOTION_ROTATE || !body_is_symmetric(in, n);
}

int bodies_any_travels(const struct input *in)
{
    for (int n = 0; n < BODIES_MOST; ++n)
        if (body_travels(in, n)) return 1;
    return 0;
}

/* Two times closer than this part of them are the same: a step that ends at one may miss it by rounding. */
static const double SAME_TIME = 1e-12;

int body_vanishes(double remove, double t)
{
    return remove >= 0 && t > remove * (1 + SAME_TIME);
}

/* Calls `take` with the removal time of each entry of the input that has bodies. */
static void each_removal(const struct input *in, void (*take)(void *context, double remove), void *context)
{
    for (int n = 0; n < BODIES_MOST; ++n)
        if (in->bodies.shape[n] != SHAPE_NONE) take(context, in->bodies.remove_time[n]);
    if (in->bodies_list.file[0]) take(context, in->bodies_list.remove_time);
    if (in->packing.shape != PACKING_NONE) take(context, in->packing.remove_time);
}

/* removals: what is found about the state at t. */
struct removals {
    double t, next, now;
    int removed, left;
};

static void take_removal(void *context, double remove)
{
    struct removals *r = context;
    const int gone = body_vanishes(remove, r->t);
    r->removed += gone;
    r->left += !gone;
    if (remove < 0 || gone) return;
    if (fabs(remove - r->t) <= SAME_TIME * remove) r->now = remove;
    else r->next = fmin(r->next, remove);
}

static struct removals removals_at(const struct input *in, double t)
{
    struct removals r = {t, INFINITY, -1, 0, 0};
    each_removal(in, take_removal, &r);
    return r;
}

double bodies_next_removal(const struct input *in, double t)
{
    return removals_at(in, t).next;
}

double bodies_vanish_at(const struct input *in, double t)
{
    return removals_at(in, t).now;
}

double bodies_just_after(double remove)
{
    return remove * (1 + 10 * SAME_TIME);
}

int bodies_removed(const struct input *in, double t)
{
    return removals_at(in, t).removed;
}

int bodies_left_at(const struct input *in, double t)
{
    return removals_at(in, t).left > 0;
}

int bodies_all_vanish(const struct input *in)
{
    return bodies_any(in) && !bodies_left_at(in, INFINITY);
}

int bodies_turn_cells(const struct input *in)
{
    return bodies_any_travels(in) || bodies_next_removal(in, 0) < INFINITY;
}

const char *body_shape_word(int shape)
{
    return forms[shape].shape;
}

int body_sizes_taken(int shape)
{
    return forms[shape].takes;
}

const char *body_size_word(int shape, int e)
{
    return forms[shape].word[e];
}

int body_has_axis(int shape)
{
    return forms[shape].axis;
}
