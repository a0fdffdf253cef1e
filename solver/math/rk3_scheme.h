/* The coefficients of the two three-stage Runge-Kutta schemes. docs/numerics/time.md. */
#ifndef KOL_MATH_RK3_SCHEME_H
#define KOL_MATH_RK3_SCHEME_H

struct input;

/* rk3_stage: the coefficients of stage m,
 *
 *     u(m) = base + dt (a F(m-1) + a_old F(m-2)) - c dt grad(p)
 *
 * where base is u(n) or u(m-1), and c dt is the length of the stage. */
struct rk3_stage {
    double a, a_old, c;
    double pressure_time; /* when, in units of dt, the stage's pressure is the flow's pressure */
};
struct rk3_scheme {
    const char *name; /* of time.scheme in the namelist */
    struct rk3_stage stage[3];
    int from_start;                     /* base is u(n) (rk3-half), else u(m-1) (rk3-wray) */
    double imaginary_limit, real_limit; /* ends of the stability region on the axes, I and R */
    double joint_power; /* p: rectangles with (a/I)^p + (r/R)^p = 0.9^p, sides a and r, lie in the region */
};
/* rk3_scheme: returns the scheme that has this number, enum scheme_name of inputs/input.h. The table is
 * constant. */
const struct rk3_scheme *rk3_scheme(int name);

/* rk3_stage_end: returns when stage m ends, in units of dt after the start of the step. m = -1 stands for the
 * start of the step.
 * rk3_stage_weight: returns the weight, in the change over the step, of the right-hand side that stage m
 * computes. The three weights add up to 1. */
double rk3_stage_end(const struct rk3_scheme *rk, int m);
double rk3_stage_weight(const struct rk3_scheme *rk, int m);

/* rk3_keeps_base: returns whether a step keeps the velocity from which a stage starts until the stage ends,
 * because an implicit diffusion solve or the exact method needs it. rk3-half needs no further arrays, for
 * it keeps u(n) anyway. */
int rk3_keeps_base(const struct input *in);

#endif
