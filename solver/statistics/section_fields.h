/* Fields over the section of a flow that is homogeneous in one direction, from the averages of
 * kernels/line_average.h: means, Reynolds stresses, production and dissipation; and what walls and bulk say
 * of it in lines and numbers. docs/statistics.md has the formulas. */
#ifndef KOL_STATISTICS_SECTION_FIELDS_H
#define KOL_STATISTICS_SECTION_FIELDS_H

#include <stdio.h>
#include "inputs/input.h"
#include "state/grid.h"
#include "section_sums.h"

/* Fields, at centres of the section first, then at faces in a, in b, in both. S, A, B as in
 * kernels/line_average.h. */
enum {
    FIELD_S,
    FIELD_P,
    FIELD_SS,
    FIELD_S_SKEWNESS,
    FIELD_S_FLATNESS,
    FIELD_P_RMS,
    FIELD_K,
    FIELD_PRODUCTION,
    FIELD_DISSIPATION,
    FIELD_CENTRES,
    FIELD_A = FIELD_CENTRES,
    FIELD_AA,
    FIELD_A_SKEWNESS,
    FIELD_A_FLATNESS,
    FIELD_SA,
    FIELD_OMEGA_B_RMS,
    FIELD_FACES_A,
    FIELD_B = FIELD_FACES_A,
    FIELD_BB,
    FIELD_B_SKEWNESS,
    FIELD_B_FLATNESS,
    FIELD_SB,
    FIELD_OMEGA_A_RMS,
    FIELD_FACES_B,
    FIELD_AB = FIELD_FACES_B,
    FIELD_OMEGA_S,
    FIELD_OMEGA_S_RMS,
    FIELDS
};
/* Lines along the four sides of the section: the force on the side of the fluid along s, then of that along
 * the side itself, by side: low and high in a, low and high in b; then what fluctuates of them: in samples
 * their mean squares, derived the root mean squares. */
enum { LINE_S, LINE_ALONG = LINE_S + 4, LINE_RMS = LINE_ALONG + 4, LINES = 2 * LINE_RMS };
/* Numbers that are linear in the sample, averaged in batches of their own, behind the lines. */
enum {
    NUMBER_BULK,        /* mean velocity along the stream [U] */
    NUMBER_ENERGY,      /* kinetic energy, over the volume [U^2] */
    NUMBER_DISSIPATION, /* all of it, by the diffusion operator [U^3/L] */
    NUMBER_FORCE,       /* of the step [U/T] */
    NUMBERS
};
enum {
    SECTION_U_TAU,
    SECTION_RE_TAU,
    SECTION_U_B,
    SECTION_RE_B,
    SECTION_FRICTION,
    SECTION_FRICTION_FACTOR,
    SECTION_ENERGY,
    SECTION_DISSIPATION,
    SECTION_FORCE,
    SECTION_SCALARS
};

/* section_entry: words of a variable, with %S %A %B for the components u, v, w, ^S ^A ^B for U, V, W, %1 %2
 * %3 for the axes along a, b, s. velocity, length: powers of u_tau and nu/u_tau in its unit. */
struct section_entry {
    const char *name, *long_name, *unit;
    int velocity, length;
};
extern const struct section_entry section_field_entries[FIELDS], section_sum_entries[LINE_SUM_COUNT],
    section_scalar_entries[SECTION_SCALARS];

struct section_fields {
    int along, a, b;      /* directions */
    int n_g[3], cells[2]; /* of the grid; of the section along a, b */
    int stream;           /* direction of the stream */
    int rough[4];         /* whether the side, low and high in a, low and high in b, is a no-slip wall */
    int open[4];          /* whether it is an open face */
    double nu;            /* [U L] */
    double delta;    /* half the distance of the nearest pair of no-slip walls, all of it beside one [L] */
    double diameter; /* four times the volume over the area of the no-slip walls along the stream [L] */
    double area;     /* of the section [L^2] */
    double scale;    /* of a strip: the largest mean square of a component in all of the section [U^2] */
    double *c[2], *f[2],
        *e[2]; /* along a, b: widths; distances of centres at faces; what of them lies in the fluid [L] */
    const double *face[2], *centre[2]; /* borrowed from the grid [L] */
    ptrdiff_t
        sum_first[LINE_SUM_COUNT + 1]; /* of each sum in a sample; then how many values there are in all */
    ptrdiff_t field_first[FIELDS + 1];
    ptrdiff_t line_first[LINES + 1];
    ptrdiff_t
        row_first[LINE_SUM_COUNT + 1]; /* of the rows of each sum; then how many rows there are in all */
};

/* section_fields_along: the one homogeneous direction, -1: there is none, or several. section_fields_create:
 * of a flow that has one. section_fields_destroy frees what is inside. */
int section_fields_along(const struct input *in);
/* section_fields_shape: of *s what follows from the cells and the homogeneous direction alone: directions,
 * cells, where values lie. */
void section_fields_shape(const int n_g[3], int along, struct section_fields *s);
/* section_fields_strip: *strip: rows along b from `first` on of s, as a section to section_fields_derive,
 * whose fields at centres, and at lower faces in b, are those of s but in the first and in the last row where
 * these are not the ends of s. scale: that of struct section_fields. It borrows from s, and is not destroyed.
 */
void section_fields_strip(const struct section_fields *s, int first, int rows, double scale,
                          struct section_fields *strip);
kol_status section_fields_create(const struct input *in, const struct grid *g, struct section_fields *s);
void section_fields_destroy(struct section_fields *s);
/* section_fields_place: places of field n along a and b. section_fields_walled: whether any side is a no-slip
 * wall, so that there are wall units. */
struct section_sums_place section_fields_place(const struct section_fields *s, int field);
/* section_fields_wall_unit: what field n is divided by in units of u_tau and nu. */
double section_fields_wall_unit(const struct section_fields *s, int field, double u_tau);
int section_fields_walled(const struct section_fields *s);
/* section_fields_derive: a batch_means_derive: context: struct section_fields; mean: of section_sums_sample;
 * out: FIELDS fields. NaN where one is not defined. */
void section_fields_derive(const void *context, const double *mean, double *out);
/* section_fields_numbers: lines and NUMBERS of a sample, of which the caller adds the force. They are made of
 * few numbers of the sample, section_fields_few of them: its rows as section_average_rows of
 * kernels/section_average.h has them, then what lies at section_fields_places, gradients on the sides, line
 * after line. section_fields_weigh: weights of rows, host memory, and which are wanted.
 * section_fields_numbers_of: lines and NUMBERS of these. few: room for them. section_fields_derive_numbers: a
 * batch_means_derive: mean: of those; out: the lines, then SECTION_SCALARS. */
void section_fields_numbers(const struct section_fields *s, const double *sample, double *few, double *out);
ptrdiff_t section_fields_few(const struct section_fields *s);
void section_fields_places(const struct section_fields *s, ptrdiff_t *place);
struct section_average_weights section_fields_weigh(const struct section_fields *s);
void section_fields_numbers_of(const struct section_fields *s, const double *few, double *out);
void section_fields_derive_numbers(const void *context, const double *mean, double *out);
/* section_fields_name_value: words for value n of a sample, and where in the section it is. */
void section_fields_name_value(const struct section_fields *s, int n, char *name, char *where, size_t size);
/* section_fields_name: the pattern with its letters put in; a pair of components is named in the order u, v,
 * w. section_fields_print: names, units and words of all variables for a flow along x that is homogeneous in
 * it, as a table for docs/statistics.md. */
void section_fields_name(const struct section_fields *s, const char *pattern, char *out, size_t size);
void section_fields_print(FILE *out);

#endif
