/* Laminar flow through channels and ducts: profiles and friction. docs/numerics/walls.md, "Starting". */
#ifndef KOL_MATH_LAMINAR_PROFILE_H
#define KOL_MATH_LAMINAR_PROFILE_H

/* section: cross-section of a straight flow. Of each of its two directions: half the distance of the walls,
 * or the whole where one side is free slip [L]; 0: no wall there. */
struct laminar_section {
    double half[2];
};

/* laminar_velocity: velocity over force and inverse viscosity, u nu/G [L^2], at distances y[0], y[1] from the
 * middle, or from the side of free slip [L]. laminar_mean: its mean over the section. A parabola, or the
 * series of the rectangular duct (White, Viscous Fluid Flow, 2006, section 3-3); 1 everywhere without any
 * wall. */
double laminar_velocity(struct laminar_section s, const double y[2]);
double laminar_mean(struct laminar_section s);

#endif
