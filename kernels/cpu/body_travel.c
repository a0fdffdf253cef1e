/* Changes the mask, the pressure and the momentum where bodies travel. */
#include "../body_travel.h"
#include "../point/body_travel.h"

kol_status body_mask_change(int n, const int *at, const unsigned char *value, unsigned char *open)
{
    for (int i = 0; i < n; ++i) open[at[i]] = value[i];
    return KOL_OK;
}

kol_status body_uncover(struct box b, int n, const struct body_uncovered *cell, real *p)
{
    for (int i = 0; i < n; ++i) p[cell[i].at] = point_uncovered(b, cell[i], p);
    return KOL_OK;
}

kol_status body_forget(int n, const struct body_turn *turn, real *const old[3])
{
    for (int i = 0; i < n; ++i)
        if (!turn[i].closes) old[(int)turn[i].d][turn[i].at] = 0;
    return KOL_OK;
}

kol_status body_force_turns(struct box b, struct metrics m, int segments, const int *start,
                            const struct body_turn *turn, int keep, double a_old, real *const base[3],
                            real *const old[3], double *total)
{
    for (int n = 0; n < segments; ++n) {
        double *sum = total + (ptrdiff_t)n * BODY_FORCES;
        for (int q = 0; q < BODY_FORCES && !keep; ++q) sum[q] = 0;
        for (int i = start[n]; i < start[n + 1]; ++i) {
            const int d = turn[i].d;
            sum[BODY_OPENING + d] +=
                point_body_turn(b, m, turn[i], a_old, base[d], a_old != 0 ? old[d] : base[d]);
        }
    }
    return KOL_OK;
}
