/* What statistics.c, statistics_file.c and statistics_memory.c share. */
#ifndef KOL_STATISTICS_STATISTICS_INTERNAL_H
#define KOL_STATISTICS_STATISTICS_INTERNAL_H

#include <math.h>
#include "inputs/statistics_wanted.h"
#include "batch_means.h"
#include "box_moments.h"
#include "wall_spectra.h"
#include "box_increments.h"
#include "wall_planes.h"
#include "section_time_average.h"
#include "section_fields.h"
#include "section_sums.h"
#include "box_spectra.h"
#include "statistics.h"
#include "wall_profiles.h"
#include "state/domain.h"

/* A sample in the step that reaches statistics.start but for rounding. */
static const double START_SLACK = 1e-12;

/* average: over time, of samples of some values. On rank 0; the other ranks know the numbers alone. */
struct average {
    int values, most;            /* of a sample; batches */
    struct batch_means *batches; /* NULL: another rank */
    double *memory;              /* of these, page-locked; NULL: they have their own */
    double *sample;
    long long written; /* samples in the file; -1: none written */
};

/* What is averaged: profiles, fields or volume means; spectra; increments and densities, with the spectra:
 * each has a file; lines and numbers that are in the file of the fields, with more batches. */
enum { MEANS, SPECTRA, INCREMENTS, LINE_MEANS, AVERAGES };
/* Profiles between the walls or open faces of one direction; fields over a section; a periodic box. */
enum kind { KIND_BOX, KIND_WALLED, KIND_SECTION };
enum { COMPONENTS = 3, WORK = BOX_SPECTRA_WORK };
_Static_assert((int)BOX_INCREMENTS_WORK <= (int)WORK, "one set of arrays serves both");

struct statistics {
    enum kind kind;
    struct wall_planes *planes;
    struct wall_profiles wall;
    struct section_sums *spans;
    struct section_fields section;
    struct section_time_average *fields; /* NULL: of another kind of flow, another rank, or without fields */
    struct box_moments box;
    struct wall_spectra *heights; /* NULL: no spectra between walls */
    struct box_slabs *slabs;      /* NULL: nothing wants lines */
    struct box_spectra *spectra;
    struct box_increments *increments;
    double *memory; /* of lines, where the pool's arrays are too small; or NULL */
    ptrdiff_t values;
    int sound;                        /* of a section: whether all values of the sample are finite */
    struct average average[AVERAGES]; /* values = 0: there is none */
    struct average behind[AVERAGES];  /* as they stood, for files behind the steps; no batches: none */
    int enough, looked;               /* of statistics.stop_when; batches at the last look */
    double *image;                    /* copy of the state for a checkpoint */
    double *stored; /* what a checkpoint holds, while it is read, where its size is another one */
    ptrdiff_t stored_size;
    char note[384];
};

/* No samples yet, or no longer. */
static inline kol_status average_begin(struct average *a)
{
    batch_means_destroy(&a->batches);
    return a->memory != NULL ? batch_means_create_in(a->memory, a->values, a->most, &a->batches)
                             : batch_means_create(a->values, a->most, &a->batches);
}

/* Without fields no sample is taken: of the averages only the files are wanted. */
static inline int is_bare(const struct domain *domain)
{
    return domain->pool == NULL;
}

static inline int wanted(const struct input *in)
{
    return in->statistics.start >= 0;
}

static inline enum kind kind_of(const struct input *in)
{
    return profiles_normal(in) >= 0 ? KIND_WALLED : section_fields_along(in) >= 0 ? KIND_SECTION : KIND_BOX;
}

static inline int wants_spectra(const struct input *in)
{
    return wanted(in) && spectra_wanted(in);
}

/* Whether slabs find room in the pool's arrays. */
static inline int fits_pool(struct box b, ptrdiff_t values)
{
    return (size_t)b.size * sizeof(real) >= (size_t)values * sizeof(double);
}

/* Whether files have the sums over batches of fields of so many values: up to 128 MiB. */
static inline int section_batches_fit(double values)
{
    return values * (BATCH_MEANS_FIELDS + 1) * sizeof(double) <= 134217728.0;
}

/* Of an average, and of a periodic box its latest sample, which files have, too. */
static inline ptrdiff_t state_size_of(const struct statistics *s, const struct average *a)
{
    if (a->values == 0) return 0;
    return batch_means_state_size(a->values, a->most) + (s->kind == KIND_BOX ? a->values : 0);
}

static inline ptrdiff_t state_size(const struct statistics *s)
{
    ptrdiff_t size = 0;
    for (int n = 0; n < AVERAGES; ++n) size += state_size_of(s, &s->average[n]);
    return size;
}

#endif
