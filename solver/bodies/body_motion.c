/* Computes the place and the velocity of a body with a prescribed motion. */
#include "body_motion.h"

#include <math.h>
#include <string.h>
#include "kernels/base/constants.h"

struct body_motion body_motion_of(const struct input *in, int n)
{
    struct body_motion m = {
        .kind = in->bodies.motion[n], .frequency = in->bodies.frequency[n], .phase = in->bodies.phase[n]};
    memcpy(m.velocity, in->bodies.velocity[n], sizeof m.velocity);
    memcpy(m.amplitude, in->bodies.amplitude[n], sizeof m.amplitude);
    return m;
}

int body_motion_travels(const struct body_motion *m)
{
    return m->kind == MOTION_TRANSLATE || m->kind == MOTION_OSCILLATE;
}

void body_motion_at(const struct body_motion *m, double t, double moved[3], double velocity[3])
{
    const double rate = 2 * PI * m->frequency, angle = rate * t + m->phase;
    for (int d = 0; d < 3; ++d) {
        moved[d] = velocity[d] = 0;
        if (m->kind == MOTION_TRANSLATE) {
            moved[d] = m->velocity[d] * t;
            velocity[d] = m->velocity[d];
        } else if (m->kind == MOTION_OSCILLATE) {
            moved[d] = m->amplitude[d] * sin(angle);
            velocity[d] = m->amplitude[d] * rate * cos(angle);
        }
    }
}

double body_motion_fastest(const struct body_motion *m, int d)
{
    if (m->kind == MOTION_TRANSLATE) return fabs(m->velocity[d]);
    return m->kind == MOTION_OSCILLATE ? fabs(2 * PI * m->frequency * m->amplitude[d]) : 0;
}
