/* kolmo-bench: what its parts share. One bench for each grid: a run without files whose kernels, exchanges
 * and steps are timed, and the records made of it. */
#ifndef KOL_BENCH_H
#define KOL_BENCH_H

#include <stdio.h>
#include "kernels/base/device.h"
#include "solver/step/step.h"

enum { BENCH_TEXT = 64, BENCH_MORE = 768, BENCH_SIZES = 8, BENCH_SETTINGS = 32, BENCH_ARRAYS = 9 };
enum bench_mode { BENCH_ALL, BENCH_STRONG, BENCH_WEAK, BENCH_POISSON, BENCH_WARM };

struct bench_options {
    int help, quick, append, shapes;
    enum bench_mode mode;
    int full;                        /* poisson: the long list of preconditioners */
    int not_periodic, not_channel;   /* poisson: left out */
    double tolerance;                /* poisson: on |r|/|b|; 0: not given */
    int steps;                       /* poisson --warm: of each run; 0: not given */
    int sizes, size[BENCH_SIZES][3]; /* cells of the whole grid */
    int cells;                       /* of --scaling, a side */
    const char *only;                /* parts of names, | between them; "": everything */
    const char *json;
    const char *set[BENCH_SETTINGS];
    int sets;
};

/* bench_time: of one repetition: median and least over batches, the slowest rank counts [s]. */
struct bench_time {
    double median, best;
};

struct bench_record {
    char name[BENCH_TEXT];
    int n[3]; /* cells of the whole grid */
    struct bench_time time;
    double values;         /* read and written a cell; 0: not counted */
    double iterations;     /* of the pressure in one step; negative: none */
    char more[BENCH_MORE]; /* further members of its JSON object, in place of those made of values and
                              iterations; "": none */
};

/* Bandwidth of one rank while all ranks work [B/s]. */
struct bench_bandwidth {
    struct bench_time copy, triad; /* of one sweep */
    double copy_rate, triad_rate;  /* by the median */
    double array;                  /* bytes of each array */
};

struct halo_bench;
struct statistics_bench;
struct levels_bench;

struct bench {
    const struct bench_options *options;
    struct comm comm; /* of the program; each run has its own */
    struct bench_bandwidth bandwidth;
    struct bench_record *record;
    int records, room;
    int missed; /* lines of solves that did not reach their tolerance */
    char device[256], transport[BENCH_TEXT], tuning[512];
    struct device_mark *from, *to;
    struct bench_run *run; /* what is measured, of one grid; bench_open.c. The members below belong to it. */
    struct input *in;      /* the input that domain->in is; poisson changes its preconditioner */
    struct domain *domain;
    struct flow *flow;
    struct step *step;
    real *a[BENCH_ARRAYS];                /* work arrays, random numbers */
    real *planes;                         /* scratch of laplace_update */
    const struct halo_bench *exchange;    /* of bench_halo.c, while it is measured */
    const struct statistics_bench *extra; /* of bench_statistics.c, while it measures */
    const struct levels_bench *grids;     /* of bench_levels.c, while it measures */
    double *columns;                      /* factors of column_solve that change nothing */
    double *sums;                         /* of a kernel's last call */
    struct cg_scalars cg;                 /* always running */
    int steps;                            /* of the loop being measured */
};
typedef kol_status (*bench_work)(struct bench *b);

/* bench_open.c. bench_open: a run of n cells with ranks[] in each direction (0: choose), nothing in its
 * arrays; bench_close. bench_open_text: the same from the text of a namelist; walls: no flux of the pressure
 * through the faces in z; profile: with a profile. bench_first_words, in bench_main.c: device and bandwidth,
 * once, beside the arrays of the first run. Collective. */
kol_status bench_open(struct bench *b, const int n[3], const int ranks[3]);
kol_status bench_open_text(struct bench *b, const char *text, int walls, int profile);
void bench_close(struct bench *b);
kol_status bench_first_words(struct bench *b);

/* bench_time.c. bench_wanted: whether --only lets this name through. bench_measure: work, timed by marks
 * round batches of repetitions with no wait between them. bench_measure_bandwidth: sets b->bandwidth.
 * bench_random: every value of an array, halo too, from [-1, 1). bench_fill: velocity, pressure and work
 * arrays so, the latter held first. bench_now: seconds, when every rank has finished what it launched.
 * bench_sort: ascending. Collective. */
int bench_wanted(const struct bench *b, const char *name);
kol_status bench_measure(struct bench *b, bench_work work, struct bench_time *out);
kol_status bench_measure_bandwidth(struct bench *b);
kol_status bench_random(const struct box box, real *array);
kol_status bench_fill(struct bench *b);
kol_status bench_now(const struct comm *c, double *seconds);
void bench_sort(double *value, int count);

/* bench_report.c: what rank 0 says. bench_banner: device and bandwidth. bench_record: a line of the table of
 * its grid, which is kept for the file; bench_keep: kept alone. bench_writable, bench_write: whether the JSON
 * file can be written; everything into it. */
void bench_banner(const struct bench *b);
kol_status bench_record(struct bench *b, struct bench_record r);
kol_status bench_keep(struct bench *b, struct bench_record r);
kol_status bench_writable(const struct bench *b);
kol_status bench_write(const struct bench *b);

/* The parts, each on an open bench after bench_fill, but bench_face, which makes its own slab.
 * bench_iteration: conjugate gradients of degree 1, and its sweeps without their sums; bench_outside: a step
 * without its pressure solves; bench_step: whole steps of the Taylor-Green vortex, which replaces the
 * velocity. bench_levels: sweeps of the multigrid. bench_statistics: sweeps of samples, and of `direct` where
 * levels are cut. */
kol_status bench_kernels(struct bench *b);
kol_status bench_levels(struct bench *b);
kol_status bench_statistics(struct bench *b);
kol_status bench_halos(struct bench *b);
kol_status bench_face(struct bench *b);
kol_status bench_iteration(struct bench *b);
kol_status bench_outside(struct bench *b);
kol_status bench_step(struct bench *b);

/* kolmo-bench poisson. bench_poisson: the pressure equation of a cube of cells with each preconditioner, to
 * the tolerance. bench_warm: short runs, with each preconditioner and guess. n: cells of the grid.
 * Collective. */
kol_status bench_poisson(struct bench *b, const int n[3]);
kol_status bench_warm(struct bench *b, const int n[3]);

#endif
