/* Makes the records of series.nc. */
#include "series_record.h"

#include <string.h>
#include "boundary/open_faces.h"

#define WALL_STRESS "force of the fluid along the stream, over area and density, on the wall at the "
const struct series_column series_record_columns[] = {
    {"step", "time step", "1", 1},
    {"time", "time", "L/U", 0},
    {"dt", "length of the time step", "L/U", 0},
    {"cfl", "dt times the largest sum of |u|/dx", "1", 0},
    {"kinetic_energy", "volume mean of u.u/2", "U2", 0},
    {"dissipation", "dissipation of the kinetic energy by the diffusion operator", "U3/L", 0},
    {"enstrophy", "volume mean of vorticity squared over 2", "U2/L2", 0},
    {"budget_residual", "change of kinetic energy over dt plus mean dissipation less work done on the fluid",
     "U3/L", 0},
    {"divergence", "largest |div u| of a cell", "U/L", 0},
    {"divergence_max", "largest |div u| h/U, h cube root of the mean cell volume, U largest speed", "1", 0},
    {"momentum_x", "volume mean of u", "U", 0},
    {"momentum_y", "volume mean of v", "U", 0},
    {"momentum_z", "volume mean of w", "U", 0},
    {"force", "minus the mean pressure gradient that drives the flow, over the step", "U2/L", 0},
    {"force_power", "work of that force, over the volume", "U3/L", 0},
    {"wall_work", "viscous work of moving walls and open faces on the fluid, over the volume", "U3/L", 0},
    {"wall_stress_x_low", WALL_STRESS "lower end of x", "U2", 0},
    {"wall_stress_x_high", WALL_STRESS "upper end of x", "U2", 0},
    {"wall_stress_y_low", WALL_STRESS "lower end of y", "U2", 0},
    {"wall_stress_y_high", WALL_STRESS "upper end of y", "U2", 0},
    {"wall_stress_z_low", WALL_STRESS "lower end of z", "U2", 0},
    {"wall_stress_z_high", WALL_STRESS "upper end of z", "U2", 0},
    {"flux_in", "volume that inflows bring, over time", "U L2", 0},
    {"flux_out", "volume that outflows take, over time", "U L2", 0},
    {"open_convection",
     "kinetic energy carried in through open faces, less that carried out, over the volume", "U3/L", 0},
    {"open_pressure",
     "work of the pressure on open faces over the step, and change of the energy of the points on them, over "
     "the volume",
     "U3/L", 0},
    {"pressure_iterations", "iterations of the pressure solves of the step", "1", 1},
    {"seconds_per_step", "wall-clock time of the step", "s", 0}};

double series_record_divergence(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    return flow->now.speed > 0 ? flow->now.div_max * domain->grid.h / flow->now.speed : 0;
}

void series_record_make(const struct control *control, const struct step *step, const struct flow *flow,
                        const double wall_stress[FACES], double value[SERIES_RECORD_COLUMNS])
{
    const struct monitor *m = &flow->now;
    const struct clock *c = &flow->clock;
    const struct open_faces *open = flow->open;
    const double now[SERIES_RECORD_COLUMNS] = {(double)c->step,
                                               c->t,
                                               c->dt,
                                               m->courant * c->dt,
                                               m->energy,
                                               m->dissipation,
                                               m->enstrophy,
                                               flow->budget_residual,
                                               m->div_max,
                                               series_record_divergence(flow),
                                               m->momentum[X],
                                               m->momentum[Y],
                                               m->momentum[Z],
                                               flow->force.gradient,
                                               flow->force.power,
                                               m->wall_work,
                                               wall_stress[0],
                                               wall_stress[1],
                                               wall_stress[2],
                                               wall_stress[3],
                                               wall_stress[4],
                                               wall_stress[5],
                                               open != NULL ? open->in : 0,
                                               open != NULL ? open->out : 0,
                                               m->convection,
                                               open != NULL ? open_faces_work(flow) : 0,
                                               (double)step->iterations,
                                               control->seconds_per_step};
    memcpy(value, now, sizeof now);
}
