/* Statistics over the cross-section of a flow that is homogeneous in one direction. docs/statistics.md has
 * the formulas. They are computed from the averages of kernels/line_average.h, and consist of
 *
 *   - fields over the section: means, Reynolds stresses, production and dissipation;
 *   - lines along its four sides: the wall stress;
 *   - single numbers. */
#ifndef KOL_STATISTICS_SECTION_FIELDS_H
#define KOL_STATISTICS_SECTION_FIELDS_H

#include <stdio.h>
#include "inputs/input.h"
#include "state/grid.h"
#include "section_sums.h"

/* Fields. Those at cell centres of the section come first, then those at faces in a, in b, and in both. S is
 * the homogeneous direction; A and B span the section, as in kernels/line_average.h. */
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
/* Lines along the four sides of the section, in the order low and high in a, low and high in b.
 *
 *   LINE_S       the force of the fluid on the side along s
 *   LINE_ALONG   the force along the side itself, within the section
 *   LINE_RMS     the fluctuations of both; mean squares in samples, root mean squares when derived */
enum { LINE_S, LINE_ALONG = LINE_S + 4, LINE_RMS = LINE_ALONG + 4, LINES = 2 * LINE_RMS };
/* Numbers that are linear in the sample. Lines and numbers have an average with batches of its own. In its
 * samples the numbers come after the lines. */
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

/* section_entry: name, description and unit of a variable, as patterns of section_fields_name(). velocity and
 * length are the powers of u_tau and of nu/u_tau in its unit. */
struct section_entry {
    const char *name, *long_name, *unit;
    int velocity, length;
};
extern const struct section_entry section_field_entries[FIELDS], section_sum_entries[LINE_SUM_COUNT],
    section_scalar_entries[SECTION_SCALARS];

struct section_fields {
    int along, a, b;      /* the homogeneous direction; the directions of the section */
    int n_g[3], cells[2]; /* cells of the grid; cells of the section along a, b */
    int stream;           /* direction of the stream */
    int rough[4];         /* whether a side is a wall with friction: low and high in a, low and high in b */
    int open[4];          /* whether a side is an open face; the same order */
    double nu;            /* [U L] */
    double frame;         /* velocity of the walls along the stream; 0 if they move differently [U] */
    /* The smaller one over a and b: half the width between two no-slip walls, or the full width if only one
     * side is a no-slip wall [L]. */
    double delta;
    double diameter; /* four times the volume over the area of the no-slip walls along the stream [L] */
    double area;     /* of the section [L^2] */
    double scale;    /* of a strip: the largest mean square of a component in the complete section [U^2] */
    /* Along a, b: widths of cells; distances of centres at faces; the part of these distances that lies in
     * the fluid [L]. */
    double *c[2], *f[2], *e[2];
    const double *face[2], *centre[2]; /* coordinates, borrowed from the grid [L] */
    /* Place of the first value of each sum, field and line in a sample or result. The last entry is the
     * number of all values. */
    ptrdiff_t sum_first[LINE_SUM_COUNT + 1];
    ptrdiff_t field_first[FIELDS + 1];
    ptrdiff_t line_first[LINES + 1];
    ptrdiff_t row_first[LINE_SUM_COUNT + 1];
};

/* section_fields_along: returns the homogeneous direction, or -1 if there is none or more than one. */
int section_fields_along(const struct input *in);
/* section_fields_shape: fills in those members of *s that only depend on the cells and the homogeneous
 * direction: directions, cells, and the places of values. */
void section_fields_shape(const int n_g[3], int along, struct section_fields *s);
/* section_fields_strip: makes *strip a section of its own, which has `rows` rows along b of s, from row
 * `first` on. For it, section_fields_derive() computes the fields of s at centres and at lower faces in b.
 * The values in its first and last row are not valid unless they are the ends of s. scale: that of struct
 * section_fields. The strip borrows from s, and must not be destroyed. */
void section_fields_strip(const struct section_fields *s, int first, int rows, double scale,
                          struct section_fields *strip);
/* section_fields_create: fills in *s for a flow that has one homogeneous direction. section_fields_destroy:
 * frees its members. */
kol_status section_fields_create(const struct input *in, const struct grid *g, struct section_fields *s);
void section_fields_destroy(struct section_fields *s);
/* section_fields_place: returns where the values of a field lie along a and b. */
struct section_sums_place section_fields_place(const struct section_fields *s, int field);
/* section_fields_wall_unit: returns the wall unit of a field, formed from u_tau and nu. */
double section_fields_wall_unit(const struct section_fields *s, int field, double u_tau);
/* section_fields_walled: returns whether any side is a no-slip wall, so that there are wall units. */
int section_fields_walled(const struct section_fields *s);
/* section_fields_derive: computes the FIELDS fields from a mean of samples of section_sums_sample(). It is a
 * batch_means_derive function, and its context is a struct section_fields. Values that are not defined are
 * NaN. */
void section_fields_derive(const void *context, const double *mean, double *out);
/* Lines and numbers are computed from few values of a sample. These are the sums over its rows, as
 * section_sample_rows() of kernels/section_sample.h computes them, and then the gradients on the sides,
 * line after line.
 *
 *   section_fields_few             returns how many values these are
 *   section_fields_places          gives the places of the gradients in a sample
 *   section_fields_weigh           gives the weights of the rows, in host memory, and says which rows are
 *                                  needed
 *   section_fields_numbers_of      computes lines and NUMBERS from these values; the caller adds the force
 *   section_fields_numbers         does the same from a whole sample; few: scratch of section_fields_few()
 *                                  values
 *   section_fields_derive_numbers  computes the lines, then SECTION_SCALARS, from a mean of lines and
 *                                  NUMBERS. It is a batch_means_derive function. */
void section_fields_numbers(const struct section_fields *s, const double *sample, double *few, double *out);
ptrdiff_t section_fields_few(const struct section_fields *s);
void section_fields_places(const struct section_fields *s, ptrdiff_t *place);
struct section_sample_weights section_fields_weigh(const struct section_fields *s);
void section_fields_numbers_of(const struct section_fields *s, const double *few, double *out);
void section_fields_derive_numbers(const void *context, const double *mean, double *out);
/* section_fields_name_value: gives a name for value n of a sample, and its place in the section, for
 * messages. */
void section_fields_name_value(const struct section_fields *s, int n, char *name, char *where, size_t size);
/* section_fields_name: writes a pattern with its letters replaced.
 *
 *   %S %A %B   become the velocity components u, v, w along s, a, b
 *   ^S ^A ^B   become U, V, W
 *   %1 %2 %3   become the axes along a, b, s
 *
 * Two components that stand together come in the order u, v, w. */
void section_fields_name(const struct section_fields *s, const char *pattern, char *out, size_t size);
/* section_fields_print: prints a table of names, units and descriptions for a flow that is homogeneous in x
 * and flows along x, for docs/statistics.md. */
void section_fields_print(FILE *out);

#endif
