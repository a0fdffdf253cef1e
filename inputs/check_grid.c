/* Applies the rules on the grid: its stretching, and faces that lie too close together. */
#include "check_grid.h"

#include <math.h>

#include "rules.h"
#include "stretching.h"
#include "kernels/base/types.h"

static int factor_fits(int kind, double f)
{
    if (kind == STRETCHING_UNIFORM || kind == STRETCHING_FILE) return f == 0;
    if (kind == STRETCHING_GEOMETRIC) return f >= 0.5 && f <= 2 && f != 1;
    return kind == STRETCHING_SINE ? f > 0 && f < 1 : f > 0 && f <= 10;
}

static void rule_stretching(struct reading *r, const struct input *in)
{
    static const char *const allowed[] = {"0, for it has no effect with 'uniform'",
                                          "0 < f <= 10 with 'tanh'",
                                          "0 < f < 1 with 'sine'",
                                          "0 < f <= 10 with 'tanh-low'",
                                          "0 < f <= 10 with 'tanh-high'",
                                          "0.5 <= f <= 2, not 1 (that is 'uniform'), with 'geometric'",
                                          "0, for it has no effect with 'file'"};
    if (!is_good(r, OFF(grid.stretching)) || !is_good(r, OFF(grid.stretching_factor))) return;
    for (int d = 0; d < 3; ++d) {
        const int kind = in->grid.stretching[d];
        const double f = in->grid.stretching_factor[d];
        if (factor_fits(kind, f)) continue;
        fault_add(&r->faults, place_of_element(r, OFF(grid.stretching_factor), d, OFF(grid.stretching)),
                  "grid.stretching_factor(%d) = %g is out of range; allowed: %s, the value of "
                  "grid.stretching(%d) %s",
                  d + 1, f, allowed[kind], d + 1, origin_of(r, OFF(grid.stretching)).text);
    }
}

/* A direction has a file exactly if its faces come from one. */
static void rule_stretching_file(struct reading *r, const struct input *in)
{
    const size_t self = OFF(grid.stretching_file), kind = OFF(grid.stretching);
    if (!is_good(r, self) || !is_good(r, kind)) return;
    for (int d = 0; d < 3; ++d) {
        const int wanted = in->grid.stretching[d] == STRETCHING_FILE,
                  given = in->grid.stretching_file[d][0] != '\0';
        if (wanted && !given)
            fault_add(&r->faults, place_of_element(r, kind, d, kind),
                      "grid.stretching(%d) = 'file' needs grid.stretching_file(%d); add for example "
                      "stretching_file(%d) = '%c.txt'",
                      d + 1, d + 1, d + 1, "xyz"[d]);
        if (given && !wanted)
            fault_add(&r->faults, place_of_element(r, self, d, self),
                      "grid.stretching_file(%d) has no effect: grid.stretching(%d) is not 'file' %s; remove "
                      "it, or choose 'file'",
                      d + 1, d + 1, origin_of(r, kind).text);
    }
}

/* Whether the faces can be computed. It finds the faults of rule_stretching, too. */
static int has_grid(const struct reading *r, const struct input *in)
{
    const size_t needs[] = {OFF(grid.n), OFF(grid.length), OFF(grid.origin), OFF(grid.stretching),
                            OFF(grid.stretching_factor)};
    if (!is_given(r, OFF(grid.n))) return 0;
    for (int i = 0; i < 5; ++i)
        if (!is_good(r, needs[i])) return 0;
    for (int d = 0; d < 3; ++d)
        if (!factor_fits(in->grid.stretching[d], in->grid.stretching_factor[d])) return 0;
    return 1;
}

/* What is computed with lengths squares and cubes them, and their inverses. */
#ifdef KOLMO_FLOAT
static const double LENGTH_MOST = 1e9, WIDTH_LEAST = 1e-9;
#else
static const double LENGTH_MOST = 1e90, WIDTH_LEAST = 1e-90;
#endif

/* Returns whether no length is beyond what arithmetic can hold. */
static int rule_length(struct reading *r, const struct input *in)
{
    int good = 1;
    for (int d = 0; d < 3; ++d) {
        const double length = in->grid.length[d], width = length / in->grid.n[d];
        if (length <= LENGTH_MOST && width >= WIDTH_LEAST) continue;
        good = 0;
        fault_add(
            &r->faults, place_of_element(r, OFF(grid.length), d, OFF(grid.length)),
            "grid.length(%d) = %g is too %s for %s arithmetic, which takes lengths up to %g and widths of "
            "cells down to %g; choose another unit of length",
            d + 1, length, length > LENGTH_MOST ? "long" : "short", KOL_REAL_NAME, LENGTH_MOST, WIDTH_LEAST);
    }
    return good;
}

/* Returns whether faces are apart in working arithmetic. If not, it finds what to blame: the origin, if the
 * same faces from 0 on are apart; otherwise the stretching, or else the length. */
static int rule_faces(struct reading *r, const struct input *in)
{
    int apart = 1;
    for (int d = 0; d < 3; ++d) {
        const int n = in->grid.n[d], kind = in->grid.stretching[d];
        const double origin = in->grid.origin[d], length = in->grid.length[d],
                     f = in->grid.stretching_factor[d];
        const int cell = stretching_too_close(n, origin, length, kind, f);
        if (cell < 0 || kind == STRETCHING_FILE) continue; /* a file is checked when it is read */
        size_t at = kind == STRETCHING_UNIFORM ? OFF(grid.length) : OFF(grid.stretching_factor);
        const char *remedy = kind == STRETCHING_UNIFORM ? "choose another unit of length" : "lower it";
        if (stretching_too_close(n, 0, length, kind, f) < 0)
            at = OFF(grid.origin), remedy = "move it nearer to 0";
        const struct variable *v = &r->table[rule_variable(r, at)];
        apart = 0;
        fault_add(&r->faults, place_of_element(r, at, d, at),
                  "%s = %s: faces %d and %d in %c are %.3g apart, too close for %s arithmetic; %s",
                  element_name(v, d).text, value_write(v, d, in).text, cell, cell + 1, "xyz"[d],
                  stretching_width(n, origin, length, kind, f, cell), KOL_REAL_NAME, remedy);
    }
    return apart;
}

int check_grid(struct reading *r, const struct input *in)
{
    rule_stretching(r, in);
    rule_stretching_file(r, in);
    return has_grid(r, in) && rule_length(r, in) && rule_faces(r, in);
}
