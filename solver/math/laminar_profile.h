/* Laminar flow through channels and ducts: profiles and friction. docs/numerics/walls.md, "Starting". */
#ifndef KOL_MATH_LAMINAR_PROFILE_H
#define KOL_MATH_LAMINAR_PROFILE_H

/* laminar_section: the cross-section of a flow in one direction. For each of the two directions of the
 * section, half[] is half the distance between the walls [L]. If one side is free slip, it is the complete
 * distance. It is 0 if there is no wall. */
struct laminar_section {
    double half[2];
};

/* laminar_velocity: returns u nu/G [L^2], where u is the velocity, nu the viscosity and G the driving
 * force.
 *
 *   y    distances from the middle in the two directions [L]; in a direction with a free-slip side, the
 *        distance from this side
 *
 * It is a parabola, or the series of the rectangular duct (White, Viscous Fluid Flow, 2006, section 3-3).
 * Without any wall it is 1 everywhere. */
double laminar_velocity(struct laminar_section s, const double y[2]);
/* laminar_mean: returns the mean of laminar_velocity over the section [L^2]. */
double laminar_mean(struct laminar_section s);

#endif
