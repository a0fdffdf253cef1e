/* The motion of a body from a file: lines with a time, three coordinates of its centre and, if needed, three
 * angles. Between the lines each number is a cubic polynomial whose slopes at the lines are continuous. */
#ifndef KOL_BODIES_BODY_PATH_H
#define KOL_BODIES_BODY_PATH_H

#include "state/domain.h"

/* body_path: n lines with increasing times. Number q is a coordinate x, y, z [L], or an angle about x, y, z
 * [rad].
 *
 *   value[q], slope[q]   the number and its rate of change at each line
 *   turns                whether an angle is not 0
 *   most[q]              the largest rate of change at any time */
enum { PATH_NUMBERS = 6 };
struct body_path {
    int n, turns;
    double *time, *value[PATH_NUMBERS], *slope[PATH_NUMBERS], most[PATH_NUMBERS];
};

/* body_path_read: reads bodies.motion_file of body n of the input. KOL_ERR_INPUT on all ranks if it can't be
 * used. Collective. */
kol_status body_path_read(const struct domain *domain, int n, struct body_path **out);
void body_path_destroy(struct body_path **p);
/* body_path_at: finds the numbers at a time and their rates of change. Before the first line and after the
 * last one, the numbers are those of that line and the rates are 0; body_path_covers() returns whether a time
 * lies between the two. */
void body_path_at(const struct body_path *p, double t, double value[PATH_NUMBERS], double rate[PATH_NUMBERS]);
int body_path_covers(const struct body_path *p, double t);
/* body_path_hash: returns a hash of all its lines. first: as in hash_bytes(). */
unsigned long long body_path_hash(const struct body_path *p, unsigned long long first);

#endif
