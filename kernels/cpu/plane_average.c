/* Adds up one sample over planes parallel to the walls. */
#include "../plane_average.h"
#include "../point/plane_average.h"
#include "../point/plane_scalar.h"
#include "rows.h"

int plane_average_levels(struct box b, int normal)
{
    return plane_average_cells(b, normal) + 1;
}

/* Reduction blocks along a direction, and their starts. */
static int blocks_along(struct blocks bl, int direction, const int **start)
{
    *start = direction == X ? bl.x : direction == Y ? bl.y : bl.z;
    return direction == X ? bl.nx : direction == Y ? bl.ny : bl.nz;
}

ptrdiff_t plane_average_values(struct box b, struct blocks bl, int normal)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    const int *unused;
    return (ptrdiff_t)plane_average_levels(b, normal) * AVG_COUNT * blocks_along(bl, d.a, &unused) *
           blocks_along(bl, d.b, &unused);
}

/* Room for the terms of a row, one value for each sum and place; then for the lanes of a row of blocks, or
 * the sums of a row of levels. */
ptrdiff_t plane_average_scratch(struct box b, struct blocks bl, int normal)
{
    (void)normal;
    return (ptrdiff_t)AVG_COUNT * (2 * (b.nx + 1) + bl.nx * KOL_LANES);
}

/* The compiler does not inline so long a formula unless told to, and then the loops would not vectorise.
 * There is one loop of each kind for every set of sums. */
#define ROW_LOOP __attribute__((flatten)) static void

/* Computes the terms of a row of a plane: index ib of b, level k. */
#define ROW_OF_PLANE(NAME, TERMS)                                                                            \
    ROW_LOOP NAME(struct box b, struct metrics m, struct plane_average_fields q,                             \
                  struct plane_average_frame d, int ib, int k, double *KOL_RESTRICT row)                     \
    {                                                                                                        \
        const ptrdiff_t o = b.start + ib * d.sb + k * d.sn;                                                  \
        const int centre = k < plane_average_cells(b, d.n), places = b.nx;                                   \
        const struct plane_average_spacings y = plane_average_spacings_make(m, d.b, ib),                     \
                                            y_next = plane_average_spacings_make(m, d.b, ib + 1),            \
                                            z = plane_average_spacings_make(m, d.n, k),                      \
                                            z_next = plane_average_spacings_make(m, d.n, k + 1);             \
        _Pragma("omp simd") for (int i = 0; i < places; ++i)                                                 \
            TERMS(q, d, o + i, k, plane_average_spacings_make(m, X, i),                                      \
                  plane_average_spacings_make(m, X, i + 1), y, y_next, z, z_next, centre, row + i, places);  \
    }

/* Computes the terms of a row of levels: indices ia of a and ib of b. */
#define ROW_OF_LEVELS(NAME, TERMS)                                                                           \
    ROW_LOOP NAME(struct box b, struct metrics m, struct plane_average_fields q,                             \
                  struct plane_average_frame d, int ia, int ib, double *KOL_RESTRICT row)                    \
    {                                                                                                        \
        const ptrdiff_t o = b.start + ia * d.sa + ib * d.sb;                                                 \
        const int places = b.nx + 1;                                                                         \
        const struct plane_average_spacings x = plane_average_spacings_make(m, d.a, ia),                     \
                                            x_next = plane_average_spacings_make(m, d.a, ia + 1),            \
                                            y = plane_average_spacings_make(m, d.b, ib),                     \
                                            y_next = plane_average_spacings_make(m, d.b, ib + 1);            \
        _Pragma("omp simd") for (int i = 0; i < places; ++i)                                                 \
            TERMS(q, d, o + i, i, x, x_next, y, y_next, plane_average_spacings_make(m, X, i),                \
                  plane_average_spacings_make(m, X, i + 1), i < places - 1, row + i, places);                \
    }

/* Marks arguments that a set of sums does not need. */
#define UNUSED3(a, b, c) (void)(a), (void)(b), (void)(c)
#define MEANS(q, d, o, k, x, x_next, y, y_next, z, z_next, centre, t, stride)                                \
    (UNUSED3(x_next, y_next, z_next), point_plane_average(q, d, o, x, y, z, centre, t, stride))
#define STRESSES(q, d, o, k, x, x_next, y, y_next, z, z_next, centre, t, stride)                             \
    point_stress(q, d, o, x, x_next, y, y_next, z, z_next, centre, t, stride)
#define QUADRANTS_OF(q, d, o, k, x, x_next, y, y_next, z, z_next, centre, t, stride)                         \
    (UNUSED3(x_next, y_next, z_next), UNUSED3(z, centre, 0), point_quadrants(q, d, o, k, x, y, t, stride))
#define SCALAR_MEANS(q, d, o, k, x, x_next, y, y_next, z, z_next, centre, t, stride)                         \
    (UNUSED3(x_next, y_next, z_next), point_scalar_means(q, d, o, x, y, z, centre, t, stride))
#define SCALAR_FLUXES(q, d, o, k, x, x_next, y, y_next, z, z_next, centre, t, stride)                        \
    point_scalar_fluxes(q, d, o, x, x_next, y, y_next, z, z_next, centre, t, stride)
ROW_OF_PLANE(plane_means, MEANS)
ROW_OF_LEVELS(levels_means, MEANS)
ROW_OF_PLANE(plane_stresses, STRESSES)
ROW_OF_LEVELS(levels_stresses, STRESSES)
ROW_OF_PLANE(plane_quadrants, QUADRANTS_OF)
ROW_OF_LEVELS(levels_quadrants, QUADRANTS_OF)
ROW_OF_PLANE(plane_scalar_rows, SCALAR_MEANS)
ROW_OF_LEVELS(levels_scalar_rows, SCALAR_MEANS)
ROW_OF_PLANE(plane_flux_rows, SCALAR_FLUXES)
ROW_OF_LEVELS(levels_flux_rows, SCALAR_FLUXES)
_Static_assert((int)THETA_COUNT <= (int)AVG_COUNT && (int)FLUXES_COUNT <= (int)AVG_COUNT, "they fit");
_Static_assert((int)STRESS_COUNT == (int)AVG_COUNT && (int)QUADRANT_SUMS == (int)AVG_COUNT,
               "one shape of sums serves all");

/* rows: the functions that make the rows of a set of sums. */
struct rows {
    void (*plane)(struct box, struct metrics, struct plane_average_fields, struct plane_average_frame, int,
                  int, double *);
    void (*levels)(struct box, struct metrics, struct plane_average_fields, struct plane_average_frame, int,
                   int, double *);
};

static void fold_lanes(double *lane, double *out)
{
    for (int half = KOL_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    *out = lane[0];
}

/* Walls in y or z: each row along x lies in one plane. */
static void plane_of_rows(struct box b, struct metrics m, struct blocks bl, struct rows rows,
                          struct plane_average_fields q, struct plane_average_frame d, int level,
                          double *part, double *scratch)
{
    const int *start;
    const int nb = blocks_along(bl, d.b, &start);
    double *row = scratch, *lanes = scratch + (ptrdiff_t)AVG_COUNT * b.nx;
    for (int bb = 0; bb < nb; ++bb) {
        memset(lanes, 0, sizeof *lanes * AVG_COUNT * KOL_LANES * (size_t)bl.nx);
        for (int ib = start[bb]; ib < start[bb + 1]; ++ib) {
            rows.plane(b, m, q, d, ib, level, row);
            for (int s = 0; s < AVG_COUNT; ++s)
                lanes_row_sum(bl, lanes + s * bl.nx * KOL_LANES, row + s * b.nx);
        }
        for (int s = 0; s < AVG_COUNT; ++s)
            for (int ba = 0; ba < bl.nx; ++ba)
                fold_lanes(lanes + (s * bl.nx + ba) * KOL_LANES,
                           &part[(((ptrdiff_t)level * AVG_COUNT + s) * nb + bb) * bl.nx + ba]);
    }
}

/* Walls in x: each row along x has one point of every plane. */
static void block_of_levels(struct box b, struct metrics m, struct blocks bl, struct rows rows,
                            struct plane_average_fields q, struct plane_average_frame d, int ba, int bb,
                            double *part, double *scratch)
{
    const int *a_start, *b_start;
    const int na = blocks_along(bl, d.a, &a_start), nb = blocks_along(bl, d.b, &b_start), levels = b.nx + 1;
    double *KOL_RESTRICT row = scratch, *KOL_RESTRICT sum = scratch + (ptrdiff_t)AVG_COUNT * levels;
    memset(sum, 0, sizeof *sum * AVG_COUNT * (size_t)levels);
    for (int ib = b_start[bb]; ib < b_start[bb + 1]; ++ib) {
        for (int ia = a_start[ba]; ia < a_start[ba + 1]; ++ia) {
            rows.levels(b, m, q, d, ia, ib, row);
            for (int n = 0; n < AVG_COUNT * levels; ++n) sum[n] += row[n];
        }
    }
    for (int s = 0; s < AVG_COUNT; ++s)
        for (int k = 0; k < levels; ++k)
            part[(((ptrdiff_t)k * AVG_COUNT + s) * nb + bb) * na + ba] = sum[s * levels + k];
}

static void all_levels(struct box b, struct metrics m, struct blocks bl, struct rows rows,
                       struct plane_average_fields q, struct plane_average_frame d, double *part,
                       double *scratch)
{
    for (int k = 0; k < plane_average_levels(b, d.n) && d.n != X; ++k)
        plane_of_rows(b, m, bl, rows, q, d, k, part, scratch);
    for (int bb = 0; bb < bl.nz && d.n == X; ++bb)
        for (int ba = 0; ba < bl.ny; ++ba) block_of_levels(b, m, bl, rows, q, d, ba, bb, part, scratch);
}

kol_status plane_average_planes(struct box b, struct metrics m, struct blocks bl, int normal,
                                real *const vel[3], const real *p, double *part, double *scratch)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    const struct plane_average_fields q = {.a = vel[d.a], .b = vel[d.b], .n = vel[d.n], .p = p};
    all_levels(b, m, bl, (struct rows){plane_means, levels_means}, q, d, part, scratch);
    return KOL_OK;
}

kol_status plane_average_stresses(struct box b, struct metrics m, struct blocks bl, int normal,
                                  real *const vel[3], const real *p, real *const convection[3],
                                  real *const momentum[3], double *part, double *scratch)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    const struct plane_average_fields q = plane_average_fields_make(d, vel, p, convection, momentum);
    all_levels(b, m, bl, (struct rows){plane_stresses, levels_stresses}, q, d, part, scratch);
    return KOL_OK;
}

kol_status plane_average_quadrants(struct box b, struct metrics m, struct blocks bl, int normal,
                                   real *const vel[3], const struct quadrants *quadrants, double *part,
                                   double *scratch)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    const struct plane_average_fields q = {
        .a = vel[d.a], .b = vel[d.b], .n = vel[d.n], .quadrants = *quadrants};
    all_levels(b, m, bl, (struct rows){plane_quadrants, levels_quadrants}, q, d, part, scratch);
    return KOL_OK;
}

kol_status plane_scalar_means(struct box b, struct metrics m, struct blocks bl, int normal,
                              real *const vel[3], const struct plane_scalar *s, double *part, double *scratch)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    all_levels(b, m, bl, (struct rows){plane_scalar_rows, levels_scalar_rows},
               plane_scalar_fields(d, vel, NULL, s), d, part, scratch);
    return KOL_OK;
}

kol_status plane_scalar_fluxes(struct box b, struct metrics m, struct blocks bl, int normal,
                               real *const vel[3], const real *p, const struct plane_scalar *s, double *part,
                               double *scratch)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    all_levels(b, m, bl, (struct rows){plane_flux_rows, levels_flux_rows}, plane_scalar_fields(d, vel, p, s),
               d, part, scratch);
    return KOL_OK;
}

kol_status plane_average_fold(ptrdiff_t values, int na, int nb, int both, const double *part, double *out)
{
    for (ptrdiff_t v = 0; v < values; ++v) {
        double all = 0;
        for (int bb = 0; bb < nb; ++bb, part += na) {
            double row = part[0];
            for (int ba = 1; ba < na; ++ba) row += part[ba];
            if (!both) out[v * nb + bb] = row;
            all = bb == 0 ? row : all + row;
        }
        if (both) out[v] = all;
    }
    return KOL_OK;
}
