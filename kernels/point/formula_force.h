/* The force by formulas at one point, for both backends. */
#ifndef KOL_POINT_FORMULA_FORCE_H
#define KOL_POINT_FORMULA_FORCE_H

#include "../formula_force.h"

/* point_formula_variables: sets the variables of a formula at the point of component d of cell (i, j, k). */
HD void point_formula_variables(const struct formula_field *f, int d, int i, int j, int k, double *variable)
{
    for (int v = 0; v < FORMULA_VARIABLES; ++v) variable[v] = f->variable[v];
    variable[FORMULA_X] = d == X ? f->face[X][i] : f->centre[X][i];
    variable[FORMULA_Y] = d == Y ? f->face[Y][j] : f->centre[Y][j];
    variable[FORMULA_Z] = d == Z ? f->face[Z][k] : f->centre[Z][k];
}

/* point_formula_acts: returns whether the force along d acts at the point of cell (i, j, k). */
HD int point_formula_acts(struct box b, const struct formula_field *f, int d, int i, int j, int k)
{
    return f->count[d] > 0 && (f->open == NULL || (f->open[at(b, i, j, k)] >> (2 * d) & 1));
}

/* point_formula_volume: returns the volume of the point of component d of a cell [L^3]; 0 on a face of the
 * box. */
HD double point_formula_volume(struct metrics m, const struct formula_field *f, int d, int i, int j, int k)
{
    const double x = d == X ? m.dx_f[i] : m.dx_c[i], y = d == Y ? m.dy_f[j] : m.dy_c[j],
                 z = d == Z ? m.dz_f[k] : m.dz_c[k];
    return (d == X ? i : d == Y ? j : k) < f->first[d] ? 0 : x * y * z;
}

/* point_formula_force: returns the force along d at this point [U/T]. */
HD double point_formula_force(const struct formula_field *f, int d, int i, int j, int k)
{
    double variable[FORMULA_VARIABLES];
    point_formula_variables(f, d, i, j, k, variable);
    return formula_run(f->step[d], f->count[d], variable);
}

/* point_formula_power: returns the power of a force at the three low faces of a cell, without faces of the
 * box, whose velocity is given. force: along x, y, z [U/T], 0 where it does not act; it is not read along
 * directions that have no formula. */
HD double point_formula_power(struct box b, struct metrics m, const struct formula_field *f, const real *u,
                              const real *v, const real *w, const double *force, int i, int j, int k)
{
    const double wx = m.dx_c[i], wy = m.dy_c[j], wz = m.dz_c[k];
    const ptrdiff_t o = at(b, i, j, k);
    double sum = 0;
    if (f->count[X] > 0 && i >= f->first[X]) sum += (double)u[o] * force[X] * m.dx_f[i] * wy * wz;
    if (f->count[Y] > 0 && j >= f->first[Y]) sum += (double)v[o] * force[Y] * m.dy_f[j] * wx * wz;
    if (f->count[Z] > 0 && k >= f->first[Z]) sum += (double)w[o] * force[Z] * m.dz_f[k] * wx * wy;
    return sum;
}

#endif
