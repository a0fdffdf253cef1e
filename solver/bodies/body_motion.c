/* Computes the place and the velocity of a body with a prescribed motion. */
#include "body_motion.h"

#include <math.h>
#include <string.h>
#include "inputs/bodies.h"
#include "kernels/base/constants.h"

struct body_motion body_motion_of(const struct input *in, int n)
{
    struct body_motion m = {.kind = body_travels(in, n) ? in->bodies.motion[n] : MOTION_NONE,
                            .frequency = in->bodies.frequency[n],
                            .phase = in->bodies.phase[n],
                            .rotation = in->bodies.rotation[n]};
    memcpy(m.velocity, in->bodies.velocity[n], sizeof m.velocity);
    memcpy(m.amplitude, in->bodies.amplitude[n], sizeof m.amplitude);
    return m;
}

int body_motion_travels(const struct body_motion *m)
{
    return m->kind != MOTION_NONE;
}

/* The rotation by an angle about a unit vector. */
static void turn_about(const double axis[3], double angle, double turn[3][3])
{
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        turn[i][i] = c + (1 - c) * axis[i] * axis[i];
        turn[i][j] = (1 - c) * axis[i] * axis[j] - s * axis[k];
        turn[i][k] = (1 - c) * axis[i] * axis[k] + s * axis[j];
    }
}

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out[i][j] = 0;
            for (int k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
        }
}

/* First about x, then about y, then about z. The rate about an axis is turned by the rotations after it. */
static void turn_by_angles(const double angle[3], const double rate[3], struct body_pose *pose)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double about[3][3][3], two[3][3], last[3][3];
    for (int d = 0; d < 3; ++d) turn_about(unit[d], angle[d], about[d]);
    multiply(about[1], about[0], two);
    multiply(about[2], two, pose->turn);
    memcpy(last, about[2], sizeof last);
    multiply(about[2], about[1], two); /* after the rotation about x */
    for (int d = 0; d < 3; ++d)
        pose->angular[d] = rate[0] * two[d][0] + rate[1] * last[d][1] + rate[2] * unit[d][2];
    pose->turned = 1;
}

static void follow_path(const struct body_motion *m, double t, struct body_pose *pose)
{
    double value[PATH_NUMBERS], rate[PATH_NUMBERS];
    body_path_at(m->path, t, value, rate);
    for (int d = 0; d < 3; ++d) {
        pose->moved[d] = value[d] - m->path->value[d][0];
        pose->velocity[d] = rate[d];
    }
    if (m->path->turns) turn_by_angles(&value[3], &rate[3], pose);
}

void body_motion_at(const struct body_motion *m, double t, struct body_pose *pose)
{
    const double rate = 2 * PI * m->frequency, angle = rate * t + m->phase;
    memset(pose, 0, sizeof *pose);
    for (int d = 0; d < 3; ++d) {
        if (m->kind == MOTION_TRANSLATE) {
            pose->moved[d] = m->velocity[d] * t;
            pose->velocity[d] = m->velocity[d];
        } else if (m->kind == MOTION_OSCILLATE) {
            pose->moved[d] = m->amplitude[d] * sin(angle);
            pose->velocity[d] = m->amplitude[d] * rate * cos(angle);
        }
    }
    if (m->kind == MOTION_FILE) follow_path(m, t, pose);
    if (m->kind != MOTION_ROTATE) return;
    turn_about(m->axis, m->rotation * t, pose->turn);
    for (int d = 0; d < 3; ++d) pose->angular[d] = m->rotation * m->axis[d];
    pose->turned = 1;
}

double body_motion_fastest(const struct body_motion *m, int d)
{
    switch (m->kind) {
    case MOTION_TRANSLATE:
        return fabs(m->velocity[d]);
    case MOTION_OSCILLATE:
        return fabs(2 * PI * m->frequency * m->amplitude[d]);
    case MOTION_ROTATE:
        return fabs(m->rotation) * m->reach * sqrt(fmax(0, 1 - m->axis[d] * m->axis[d]));
    case MOTION_FILE:
        return m->path->most[d] +
               (m->path->turns ? m->reach * (m->path->most[3] + m->path->most[4] + m->path->most[5]) : 0);
    default:
        return 0;
    }
}
