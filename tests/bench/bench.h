/* What the parts of kolmo-bench share. There is one bench for each grid. It holds a run that writes no files,
 * whose kernels, exchanges and steps are timed, and the records of the times. */
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
    int bodies;                      /* poisson: enum mask_kind */
    double tolerance;                /* poisson: on |r|/|b|; 0: not given */
    int steps;                       /* poisson --warm: of each run; 0: not given */
    int sizes, size[BENCH_SIZES][3]; /* cells of the whole grid */
    int cells;                       /* of --scaling, a side */
    const char *only;                /* parts of names, | between them; "": everything */
    const char *json;
    const char *set[BENCH_SETTINGS];
    int sets;
};

/* bench_time: the time of one repetition, as the median and the least over all batches. The slowest rank
 * counts [s]. */
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

/* The bandwidth that each rank has while all ranks work [B/s]. */
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
    struct run *run;  /* what is measured, of one grid; bench_open.c. The members below belong to it. */
    struct input *in; /* the input that domain->in is; poisson changes its preconditioner */
    struct domain *domain;
    struct flow *flow;
    struct step *step;
    real *a[BENCH_ARRAYS];                /* work arrays, random numbers */
    struct pool *spare;                   /* those that the run's pool lacks; NULL: none */
    real *planes;                         /* scratch of laplace_update */
    const struct halo_bench *exchange;    /* of bench_halo.c, while it is measured */
    const struct statistics_bench *extra; /* of bench_statistics.c, while it measures */
    const struct levels_bench *grids;     /* of bench_levels.c, while it measures */
    double *columns;                      /* factors of column_solve that change nothing */
    float *packed;                        /* those of project_correct_packed() */
    double *sums;                         /* of a kernel's last call */
    struct cg_scalars cg;                 /* always running */
    int steps;                            /* of the loop being measured */
};
typedef kol_status (*bench_work)(struct bench *b);

/* Functions of bench_open.c, and bench_first_words() of bench_main.c. They are collective.
 *
 * bench_open: makes a run of n cells, whose arrays are not filled yet. ranks: number of ranks in each
 * direction; Kolmo chooses those that are 0. bench_close: frees the run.
 *
 * bench_open_text: makes a run from the text of a namelist. walls: whether the pressure has no flux through
 * the faces in z. profile: whether the run has a profile.
 *
 * bench_first_words: measures and prints the bandwidth, and prints the device. It does so once, when the
 * arrays of the first run are allocated. */
kol_status bench_open(struct bench *b, const int n[3], const int ranks[3]);
kol_status bench_open_text(struct bench *b, const char *text, int walls, int profile);
void bench_close(struct bench *b);
kol_status bench_first_words(struct bench *b);

/* Functions of bench_time.c. They are collective, except bench_wanted and bench_sort.
 *
 * bench_wanted: returns whether the option --only includes this name.
 *
 * bench_measure: measures the time of `work`. Batches of repetitions run without a wait in between, and
 * marks (device.h) before and after a batch measure its time.
 *
 * bench_measure_bandwidth: measures the bandwidth and sets b->bandwidth.
 *
 * bench_random: sets every value of an array, halo included, to a random number from [-1, 1).
 *
 * bench_fill: takes the work arrays from the pool, and fills them, the velocity and the pressure with
 * random numbers. Runs whose pool has fewer arrays get spare ones. bench_empty: gives the work arrays back.
 *
 * bench_now: returns the time in seconds when every rank has finished the work that it launched.
 *
 * bench_sort: sorts in ascending order. */
int bench_wanted(const struct bench *b, const char *name);
kol_status bench_measure(struct bench *b, bench_work work, struct bench_time *out);
kol_status bench_measure_bandwidth(struct bench *b);
kol_status bench_random(const struct box box, real *array);
kol_status bench_fill(struct bench *b);
kol_status bench_empty(struct bench *b);
kol_status bench_now(const struct comm *c, double *seconds);
void bench_sort(double *value, int count);

/* Functions of bench_report.c, which print and write on rank 0.
 *
 * bench_banner: prints device and bandwidth. bench_record: prints one line of the table of the grid, and
 * keeps the record for the JSON file. bench_keep: keeps a record without printing it. bench_writable: tests
 * whether the JSON file can be written. bench_write: writes all records to it. */
void bench_banner(const struct bench *b);
kol_status bench_record(struct bench *b, struct bench_record r);
kol_status bench_keep(struct bench *b, struct bench_record r);
kol_status bench_writable(const struct bench *b);
kol_status bench_write(const struct bench *b);

/* The parts of the benchmark. Each function measures the parts named here. It needs an open bench after
 * bench_fill; only bench_face makes arrays of its own.
 *
 *   bench_kernels      all kernels that the others leave out
 *   bench_levels       sweeps of the multigrid
 *   bench_statistics   sweeps of samples, and of the preconditioner `direct` with levels that are divided
 *                      between ranks
 *   bench_halos        exchanges of halos
 *   bench_face         exchange of one face
 *   bench_iteration    iterations of conjugate gradients of degree 1, and their sweeps without sums
 *   bench_outside      a step without its pressure solves
 *   bench_step         whole steps of the Taylor-Green vortex, which replaces the velocity of the bench */
kol_status bench_kernels(struct bench *b);
kol_status bench_levels(struct bench *b);
kol_status bench_statistics(struct bench *b);
kol_status bench_halos(struct bench *b);
kol_status bench_face(struct bench *b);
kol_status bench_iteration(struct bench *b);
kol_status bench_outside(struct bench *b);
kol_status bench_step(struct bench *b);

/* Functions for kolmo-bench poisson. n: cells of the grid. They are collective.
 *
 * bench_poisson: solves the pressure equation to the tolerance with each preconditioner. bench_warm: takes
 * some steps of a flow with each preconditioner and guess. */
kol_status bench_poisson(struct bench *b, const int n[3]);
kol_status bench_warm(struct bench *b, const int n[3]);

#endif
