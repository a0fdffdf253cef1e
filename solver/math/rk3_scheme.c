/* Holds the table of coefficients of the Runge-Kutta schemes. */
#include "rk3_scheme.h"

#include "inputs/schemes.h"

/* rk3-half: u(m) = u(n) + c_m dt F(u(m-1)). It is of second order. Its amplification factor is
 * 1 + z + z^2/2 + z^3/4, which is stable for |z| <= 2 on the imaginary axis and z >= -2 on the real one. The
 * codes of J. B. Perot use this scheme (J. Comput. Phys. 108 (1993) 51 for the fractional step).
 *
 * rk3-wray: the third-order scheme in the appendix of Spalart, Moser and Rogers, J. Comput. Phys. 96 (1991)
 * 297. Its limits are sqrt(3) and 2.5127. Its stage weights extrapolate F linearly to the times in
 * pressure_time. */
static const struct rk3_scheme SCHEMES[] = {
    [SCHEME_RK3_HALF] = {"rk3-half",
                         {{0.5, 0, 0.5, 0}, {0.5, 0, 0.5, 0.5}, {1, 0, 1, 0.5}},
                         1,
                         SCHEME_RK3_HALF_LIMIT,
                         2.0,
                         1.8},
    [SCHEME_RK3_WRAY] = {"rk3-wray",
                         {{8.0 / 15, 0, 8.0 / 15, 0},
                          {5.0 / 12, -17.0 / 60, 2.0 / 15, 5.0 / 3},
                          {3.0 / 4, -5.0 / 12, 1.0 / 3, 5.0 / 6}},
                         0,
                         SCHEME_RK3_WRAY_LIMIT,
                         2.5127453266183286,
                         2.0}};

const struct rk3_scheme *rk3_scheme(int name)
{
    return &SCHEMES[name];
}

double rk3_stage_end(const struct rk3_scheme *rk, int m)
{
    double end = 0;
    for (int i = rk->from_start ? m : 0; i <= m; ++i) end += i < 0 ? 0 : rk->stage[i].c;
    return end;
}

double rk3_stage_weight(const struct rk3_scheme *rk, int m)
{
    if (rk->from_start) return m == 2 ? rk->stage[2].a : 0;
    return rk->stage[m].a + (m < 2 ? rk->stage[m + 1].a_old : 0);
}

int rk3_keeps_base(const struct input *in)
{
    return (diffusion_is_implicit(in) || method_is_exact(in)) && !rk3_scheme(in->time.scheme)->from_start;
}
