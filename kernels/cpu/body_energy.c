/* Adds up the work on the fluid beside bodies that travel. */
#include "../body_energy.h"
#include "../point/body_energy.h"

kol_status body_energy_keep(const struct body_held held[3], real *const base[3])
{
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < held[d].n; ++n) held[d].base[n] = base[d][held[d].at[n]];
    return KOL_OK;
}

kol_status body_energy_rates(struct box b, struct metrics m, struct blocks bl,
                             const struct body_points points[3], const struct body_held held[3],
                             struct stage s, real *const vel[3])
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int d = 0; d < 3; ++d) {
            for (int n = points[d].block[q]; n < points[d].block[q + 1]; ++n)
                sum += point_energy_extra(b, m, points[d], n, d, s.nu, vel[d]);
            for (int n = held[d].block[q]; n < held[d].block[q + 1]; ++n)
                sum += point_energy_closed(b, m, held[d].at[n], d, s, vel[X], vel[Y], vel[Z]);
        }
        bl.part[q] = sum;
    }
    return KOL_OK;
}

kol_status body_energy_turns(struct box b, struct metrics m, struct blocks bl, struct body_turns turns,
                             real *const base[3], real *const old[3])
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int n = turns.block[q]; n < turns.block[q + 1]; ++n) {
            const int d = turns.turn[n].d;
            sum += point_energy_turn(b, m, turns.turn[n], base[d], old[d]);
        }
        bl.part[q] = sum;
    }
    return KOL_OK;
}

kol_status body_energy_stage(struct box b, struct metrics m, struct blocks bl,
                             const struct body_points points[3], const struct body_held held[3],
                             struct body_impulse s, const real *p, const real *phi, real *const vel[3])
{
    for (ptrdiff_t q = 0; q < blocks_count(bl); ++q) {
        double sum = 0;
        for (int d = 0; d < 3; ++d) {
            for (int n = points[d].block[q]; n < points[d].block[q + 1]; ++n)
                sum += point_energy_drag(b, m, points[d], n, d, s.dts, phi, vel[d]);
            for (int n = held[d].block[q]; n < held[d].block[q + 1]; ++n)
                sum += point_energy_held(b, m, held[d], n, d, s, p, phi);
        }
        bl.part[q] = sum;
    }
    return KOL_OK;
}
