/* The scalars of a conjugate-gradient iteration, and how each sum changes them. This code is written once:
 * one thread of the GPU runs it, or the host does. So no iteration has to wait for a message to the host. The
 * method is that of Hestenes and Stiefel with a preconditioner (Saad, Iterative Methods for Sparse Linear
 * Systems, 2003, algorithm 9.1). */
#ifndef KOL_POINT_CG_H
#define KOL_POINT_CG_H

#include "../base/types.h"

/* How an iteration ended. */
enum cg_outcome {
    CG_RUNNING,
    CG_MET,        /* max|r|/V of the recurrence has reached the target */
    CG_STALLED,    /* no new minimum for long, or growth far above the minimum: rounding dominates */
    CG_SPENT,      /* the allowed iterations are used up */
    CG_INDEFINITE, /* d.Ad or r.z <= 0 while the residual is large */
    CG_NOT_FINITE
};

struct cg_state {
    double target; /* on max|r|/V */
    double rounding_part, stall_growth;
    int limit, stall_iterations;
    int asked;           /* iterations that are taken even if the target is met before */
    double rz, dq, most; /* latest r.z, d.Ad, max|r|/V */
    double alpha, beta;
    double start, least; /* max|r|/V at the start; its least so far */
    int iterations;      /* directions taken */
    int updates;         /* updates of the solution since the start: the last direction may have none */
    int since_least;
    int fresh;   /* whether there was no direction since CG_BEGIN: the next one is then z alone */
    int outcome; /* enum cg_outcome */
};

/* cg_scalars: the state of an iteration, and the watch that tells the host about it (cg.h). */
struct cg_watch;
struct cg_scalars {
    struct cg_state *state; /* kernel memory */
    struct cg_watch *watch; /* host memory that kernels write to */
};

/* What the latest sums mean. */
enum cg_step {
    CG_NONE,
    CG_BEGIN,      /* r.z, max|r|/V of the first residual */
    CG_DIRECTION,  /* d.Ad */
    CG_UPDATE,     /* r.z, max|r|/V after the update, with the complete polynomial */
    CG_RESIDUAL,   /* the same, but r.z belongs to an unfinished polynomial */
    CG_POLYNOMIAL, /* r.z of the finished polynomial; CG_BEGIN or CG_RESIDUAL came before */
    CG_ENERGY, /* r.z, z.Az, from which the next direction's d.Ad follows; CG_BEGIN or CG_RESIDUAL came before
                */
    CG_JOINT   /* the same after an update whose residual is not known yet: r.z, z.Az, max|r|/V */
};

HD int cg_finite(double v)
{
    return v - v == 0;
}

HD void cg_residual(struct cg_state *s, double most)
{
    s->most = most;
    if (most < s->least) {
        s->least = most;
        s->since_least = 0;
    } else {
        ++s->since_least;
    }
    if (!cg_finite(most)) {
        s->outcome = CG_NOT_FINITE;
    } else if (most <= s->target && s->iterations >= s->asked) {
        s->outcome = CG_MET;
    } else if (s->since_least >= s->stall_iterations || most >= s->stall_growth * s->least) {
        s->outcome = CG_STALLED;
    } else if (s->iterations >= s->limit) {
        s->outcome = CG_SPENT;
    }
}

HD void cg_indefinite(struct cg_state *s)
{
    s->outcome = s->most < s->rounding_part * s->start ? CG_STALLED : CG_INDEFINITE;
}

/* cg_energy: computes beta, d.Ad and alpha of the next direction before this direction is formed. After
 * Chronopoulos and Gear (1989), d.Ad = z.Az - beta^2 times d.Ad of the direction before.
 *
 * If M is symmetric only to rounding, this difference may be so small that it cannot be relied on; the
 * limit is ENERGY_PART. In this case the directions start anew, in one of two ways. If this round has
 * halved the residual, the round ends, and a new one starts from the true residual. Otherwise the round
 * goes on, and the next direction is z alone. */
HD void cg_energy(struct cg_state *s, double rz, double energy)
{
    const double ENERGY_PART = 1e-6, before = s->rz;
    s->rz = rz;
    s->dq = energy;
    s->beta = 0;
    if (!cg_finite(rz) || !cg_finite(energy)) {
        s->outcome = CG_NOT_FINITE;
    } else if (!(rz > 0)) {
        cg_indefinite(s);
    } else {
        const double beta = s->fresh ? 0 : rz / before,
                     dq = s->fresh ? energy : energy - beta * (rz / s->alpha);
        const int left = dq > ENERGY_PART * energy;
        if (left) {
            s->beta = beta;
            s->dq = dq;
        }
        s->fresh = 0;
        ++s->iterations;
        s->alpha = rz / s->dq;
        if (!(s->dq > 0)) cg_indefinite(s);
        else if (!left && s->least <= s->start / 2) s->outcome = CG_STALLED;
    }
}

HD void cg_advance(struct cg_state *s, enum cg_step step, const double *value)
{
    if (s->outcome != CG_RUNNING) return;
    if (step == CG_BEGIN) {
        s->rz = value[0];
        s->start = s->least = s->most = value[1];
        s->since_least = 0;
        s->fresh = 1;
        s->beta = 0;
        s->outcome = !cg_finite(value[1]) || !cg_finite(value[0])         ? CG_NOT_FINITE
                     : value[1] <= s->target && s->iterations >= s->asked ? CG_MET
                     : s->iterations >= s->limit                          ? CG_SPENT
                                                                          : CG_RUNNING;
    } else if (step == CG_DIRECTION) {
        s->dq = value[0];
        s->fresh = 0;
        ++s->iterations;
        if (!cg_finite(s->dq) || !cg_finite(s->rz)) {
            s->outcome = CG_NOT_FINITE;
        } else if (!(s->dq > 0)) {
            cg_indefinite(s);
        } else {
            s->alpha = s->rz / s->dq;
        }
    } else if (step == CG_UPDATE) {
        ++s->updates;
        s->beta = value[0] / s->rz;
        s->rz = value[0];
        cg_residual(s, value[1]);
    } else if (step == CG_RESIDUAL) {
        ++s->updates;
        cg_residual(s, value[1]);
    } else if (step == CG_POLYNOMIAL) {
        if (!cg_finite(value[0])) {
            s->outcome = CG_NOT_FINITE;
        } else if (!(value[0] > 0)) {
            cg_indefinite(s);
        }
        s->beta = s->fresh ? 0 : value[0] / s->rz;
        s->rz = value[0];
    } else if (step == CG_ENERGY) {
        cg_energy(s, value[0], value[1]);
    } else if (step == CG_JOINT) {
        ++s->updates;
        cg_residual(s, value[2]);
        if (s->outcome == CG_RUNNING) cg_energy(s, value[0], value[1]);
    }
}

#endif
