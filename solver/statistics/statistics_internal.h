/* Types and helpers that the files statistics*.c share. */
#ifndef KOL_STATISTICS_STATISTICS_INTERNAL_H
#define KOL_STATISTICS_STATISTICS_INTERNAL_H

#include <math.h>
#include "inputs/statistics_wanted.h"
#include "batch_means.h"
#include "box_moments.h"
#include "cell_averages.h"
#include "wall_densities.h"
#include "wall_spectra.h"
#include "box_increments.h"
#include "wall_planes.h"
#include "phase_profiles.h"
#include "section_time_average.h"
#include "section_fields.h"
#include "section_scalars.h"
#include "section_sums.h"
#include "box_scalar_densities.h"
#include "box_scalar_spectra.h"
#include "box_spectra.h"
#include "statistics.h"
#include "volume_densities.h"
#include "wall_profiles.h"
#include "state/domain.h"

/* Relative tolerance of statistics.start. If a step falls short of statistics.start only by rounding, it
 * still takes a sample. */
static const double START_SLACK = 1e-12;

/* average: an average over time. Only rank 0 has it; on the other ranks only the two integers are set. */
struct average {
    int values, most;            /* number of values of a sample, 0 if there is no average; most batches */
    int cycles;                  /* whether batches are of cycles */
    struct batch_means *batches; /* NULL on other ranks */
    double *memory;              /* page-locked memory of the batches; NULL if they have their own */
    double *sample;              /* the sample that is being taken */
    long long written;           /* number of samples in the file; -1 if no file was written */
};

/* The averages:
 *
 *   MEANS        profiles, fields over a cross-section, or volume means; statistics.nc
 *   SPECTRA      spectra; spectra.nc
 *   INCREMENTS   structure functions and probability densities, sampled together with the spectra of a box,
 *                or densities of scalars at heights; pdf.nc
 *   PHASES       profiles by the phase of an oscillating drive; phases.nc
 *   LINE_MEANS   lines and numbers of a cross-section; in statistics.nc, with more batches than the fields
 *   CELL_MEANS   the numbers of averages in every cell, whose sums are in struct cell_averages;
 *                averages.h5
 *   THETA_MEANS  scalars over a cross-section; in statistics.nc
 *   VOLUMES      densities of scalars over the volume, sampled together with the means; pdf.nc */
enum { MEANS, SPECTRA, INCREMENTS, PHASES, LINE_MEANS, CELL_MEANS, THETA_MEANS, VOLUMES, AVERAGES };
/* Kinds of statistics: of a periodic box; profiles between the walls or open faces of one direction; fields
 * over a cross-section; averages over time alone in every cell. */
enum kind { KIND_BOX, KIND_WALLED, KIND_SECTION, KIND_CELLS };
enum { COMPONENTS = 3, WORK = BOX_SPECTRA_WORK };
_Static_assert((int)BOX_INCREMENTS_WORK <= (int)WORK, "one set of arrays serves both");

struct statistics {
    enum kind kind;
    struct wall_planes *planes;
    struct wall_profiles wall;
    struct phase_profiles phases; /* phases.phases = 0: none */
    struct section_sums *section_sums;
    struct section_fields section;
    struct section_scalars *section_scalars; /* NULL for other kinds, and without scalars */
    struct section_time_average *fields;     /* NULL for other kinds, on other ranks, and without a flow */
    struct cell_averages *cells;             /* NULL for other kinds */
    struct box_moments box;
    struct wall_spectra *heights;     /* NULL if there are no spectra between walls */
    struct wall_densities *densities; /* NULL without them or without scalars */
    struct volume_densities *volumes; /* NULL without densities over the volume or without scalars */
    struct box_slabs *slabs;          /* NULL if there are no spectra of a box */
    struct box_spectra *spectra;
    struct box_scalar_spectra *scalar_spectra; /* NULL if there are no scalars */
    struct box_increments *increments;
    struct box_scalar_densities *scalar_densities; /* NULL if there are no scalars */
    double *memory;   /* work arrays of slabs if the arrays of the pool are too small; otherwise NULL */
    ptrdiff_t values; /* number of doubles of one work array */
    int sound;        /* cross-section: whether all values of the sample are finite */
    struct average average[AVERAGES];
    struct average behind[AVERAGES]; /* images for files that are written on another thread */
    int enough, looked; /* whether statistics.stop_when is met; number of batches when that was computed */
    double *image;      /* copy of the state for a checkpoint */
    double *stored;     /* the state that is read from a checkpoint, if its size is not the present one */
    ptrdiff_t stored_size;
    char note[640];
};

/* average_begin: makes an average empty. If memory is only counted, there are no batches afterwards. */
static inline kol_status average_begin(struct memory *memory, struct average *a)
{
    batch_means_destroy(&a->batches);
    TRY(a->memory != NULL ? batch_means_create_in(a->memory, a->values, a->most, &a->batches)
                          : batch_means_create(memory, a->values, a->most, &a->batches));
    if (memory_counts(memory)) batch_means_destroy(&a->batches);
    else if (a->cycles) batch_means_use_cycles(a->batches);
    return KOL_OK;
}

/* is_bare: returns whether there is no flow. Then no sample is taken: averages are only read from files and
 * written. */
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
    if (cells_wanted(in)) return KIND_CELLS;
    return profiles_normal(in) >= 0 ? KIND_WALLED : section_fields_along(in) >= 0 ? KIND_SECTION : KIND_BOX;
}

/* wants_volumes: returns whether the densities of scalars are those over the volume. */
static inline int wants_volumes(const struct input *in)
{
    return kind_of(in) == KIND_SECTION || (kind_of(in) == KIND_BOX && !spacings_uniform(in));
}

static inline int wants_spectra(const struct input *in)
{
    return wanted(in) && spectra_wanted(in);
}

/* fits_pool: returns whether an array of the pool can hold slabs of this many doubles. */
static inline int fits_pool(struct box b, ptrdiff_t values)
{
    return (size_t)b.size * sizeof(real) >= (size_t)values * sizeof(double);
}

/* section_batches_fit: returns whether the file of a cross-section contains the sums over batches. Those of
 * the fields may take up to 128 MiB. Those of lines and scalars are there if those of the fields are. values:
 * number of values of a sample of the fields. */
static inline int section_batches_fit(double values)
{
    return values * (BATCH_MEANS_FIELDS + 1) * sizeof(double) <= 134217728.0;
}

/* Returns the number of doubles of one average in the state. */
static inline ptrdiff_t state_size_of(const struct average *a)
{
    return a->values == 0 ? 0 : batch_means_state_size(a->values, a->most);
}

/* state_size: returns the number of doubles of the state in a checkpoint. */
static inline ptrdiff_t state_size(const struct statistics *s)
{
    ptrdiff_t size = 0;
    for (int n = 0; n < AVERAGES; ++n) size += state_size_of(&s->average[n]);
    return size;
}

/* held: returns whether this rank holds the averages. */
static inline int held(const struct statistics *s)
{
    return s != NULL && s->image != NULL;
}

/* fetch: copies the fields over a section from kernel memory, where they are averaged. */
static inline kol_status fetch(const struct statistics *s)
{
    const struct average *a = &s->average[MEANS];
    return s->fields != NULL ? section_time_average_fetch(s->fields, a->batches) : KOL_OK;
}

/* statistics_look: checks whether the error of statistics.stop_when is small enough, whenever a batch has
 * become complete. */
kol_status statistics_look(const struct domain *domain, struct statistics *s);
/* statistics_stop_check: refuses a Nusselt number for statistics.stop_when that this flow does not have. */
kol_status statistics_stop_check(const struct domain *domain, const struct statistics *s);
/* statistics_count_files: counts the memory that rank 0 takes for a while to write a file of averages over a
 * cross-section or by phase. The files of other averages are small. */
kol_status statistics_count_files(struct memory *memory, const struct statistics *s);

#endif
