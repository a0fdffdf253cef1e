/* Checks whether the numbers of a checkpoint make sense: a hash tells that they are those that were written,
 * not that a run can go on from them. */
#include "restart_state.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "bodies/bodies.h"
#include "boundary/open_faces.h"
#include "forcing/box_forcing.h"
#include "io/checkpoint.h"
#include "poisson/multigrid.h"
#include "state/flow_fields.h"
#include "statistics/statistics.h"

/* Doubles hold all integers up to here. */
static const double INTEGER_MOST = 9007199254740992.0;

enum { REQUIRED = 1, INTEGER = 2 };

/* entry: a number of the state. preset: of files that do not have it. The range includes its ends. */
struct entry {
    const char *name;
    int kind; /* REQUIRED, INTEGER or both */
    double least, most, preset;
};

enum known {
    STEP,
    TIME,
    DT,
    STAGE_PRESSURES,
    STEPS_KNOWN,
    STATISTICS_SIZE,
    OPEN_FACES,
    FORCING_SIZE,
    SURFACE_SIZE
};

/* Those of enum known come first. */
static const struct entry PLAIN[] = {
    [STEP] = {"step", REQUIRED | INTEGER, 0, INTEGER_MOST - 1, 0},
    [TIME] = {"time", REQUIRED, 0, DBL_MAX, 0},
    [DT] = {"dt", REQUIRED, 0, DBL_MAX, 0},
    [STAGE_PRESSURES] = {"stage_pressures", REQUIRED | INTEGER, 0, 7, 0},
    [STEPS_KNOWN] = {"steps_known", REQUIRED | INTEGER, 0, PRESSURE_STEPS, 0},
    [STATISTICS_SIZE] = {"statistics_size", INTEGER, 0, INT_MAX, 0},
    [OPEN_FACES] = {"open_faces", INTEGER, 0, (1 << FACES) - 1, 0},
    [FORCING_SIZE] = {"forcing_size", INTEGER, 0, INT_MAX, 0},
    [SURFACE_SIZE] = {"surface_size", INTEGER, 0, INT_MAX, 0},
    {"bodies", INTEGER, 0, INT_MAX, 0},
    {"bodies_hash", INTEGER, 0, INTEGER_MOST, 0},
    {"scalar_tables", INTEGER, 0, INTEGER_MOST, 0},
    {"dissipation_before", REQUIRED, -DBL_MAX, DBL_MAX, 0},
    {"energy", REQUIRED, 0, DBL_MAX, 0},
    {"energy_start", 0, -1, DBL_MAX, -1},
    {"decays_since", 0, -1, DBL_MAX, -1},
    {"nu", 0, 0, DBL_MAX, 0},
    {"scheme", REQUIRED | INTEGER, 0, SCHEME_RK3_WRAY, 0},
    {"preconditioner_choice", INTEGER, 0, INT_MAX, 0},
    {"force", 0, -DBL_MAX, DBL_MAX, 0},
    {"force_power", 0, -DBL_MAX, DBL_MAX, 0},
    {"inverse_met", INTEGER, 0, 1, 0},
    {"smoothing_steps", INTEGER, 0, MULTIGRID_STRONG_MOST, 0},
    {"smoothing_reduction", 0, 0, DBL_MAX, 0},
    {"smoothing_gain", 0, 0, DBL_MAX, 0},
    {"monitors_complete", INTEGER, 0, 3, 3},
    {"inflow_table_x_low", INTEGER, -1, INTEGER_MOST, -1},
    {"inflow_table_x_high", INTEGER, -1, INTEGER_MOST, -1},
    {"inflow_table_y_low", INTEGER, -1, INTEGER_MOST, -1},
    {"inflow_table_y_high", INTEGER, -1, INTEGER_MOST, -1},
    {"inflow_table_z_low", INTEGER, -1, INTEGER_MOST, -1},
    {"inflow_table_z_high", INTEGER, -1, INTEGER_MOST, -1}};

enum { PLAIN_ENTRIES = sizeof PLAIN / sizeof *PLAIN, ENTRIES = PLAIN_ENTRIES + TURBULENCE_WATCH_VALUES };
_Static_assert((int)ENTRIES == (int)RESTART_SCALARS, "each number that is written has its range here");

/* Number n of the table: behind the plain ones come those of the turbulence watch. */
static struct entry entry_of(int n)
{
    if (n < PLAIN_ENTRIES) return PLAIN[n];
    const char *name = turbulence_watch_names[n - PLAIN_ENTRIES];
    if (strcmp(name, "regime_kind") == 0)
        return (struct entry){name, INTEGER, 0, TURBULENCE_WATCH_TURBULENT, 0};
    if (strcmp(name, "regime_bins") == 0) return (struct entry){name, INTEGER, 0, TURBULENCE_WATCH_BINS, 0};
    return (struct entry){name, 0, strcmp(name, "regime_looked") == 0 ? -1 : 0, DBL_MAX, 0};
}

/* NaN is in no range. */
static int fits(const struct entry *e, double value)
{
    return value >= e->least && value <= e->most && (!(e->kind & INTEGER) || value == floor(value));
}

static void range_words(const struct entry *e, char *text, size_t size)
{
    if (e->kind & INTEGER) snprintf(text, size, "an integer from %.16g to %.16g", e->least, e->most);
    else if (e->least > -DBL_MAX) snprintf(text, size, "a finite number of at least %g", e->least);
    else snprintf(text, size, "a finite number");
}

/* What is wrong with numbers that are in their ranges, one beside the other; NULL: nothing. */
static const char *contradiction(const double value[ENTRIES])
{
    const double step = value[STEP], time = value[TIME], dt = value[DT];
    if (step == 0 && time != 0) return "the time is not 0 at step 0";
    if (step > 0 && time == 0) return "the time is 0 after the first step";
    if (step == 0 && value[STEPS_KNOWN] > 0) return "it claims the pressures of a step before the first";
    if (dt == 0 && value[STEPS_KNOWN] > 0) return "it claims the pressures of a step of no length";
    if (step > 0 && dt > 0 && !(dt >= DBL_MIN && time - dt < time)) return "dt is too short to move the time";
    if (step > 0 && dt > time) return "the step dt is longer than the time since the start";
    return NULL;
}

/* name: of the file or of the state. */
static kol_status judge(kol_status fault, const char *name, const double value[ENTRIES])
{
    for (int n = 0; n < ENTRIES; ++n) {
        const struct entry e = entry_of(n);
        char words[120];
        if (fits(&e, value[n])) continue;
        range_words(&e, words, sizeof words);
        RAISE(fault, "%s: '%s' of '/state' is %.17g, but %s is needed; use an older checkpoint", name, e.name,
              value[n], words);
    }
    const char *wrong = contradiction(value);
    if (wrong != NULL)
        RAISE(fault,
              "%s: numbers of '/state' contradict each other: %s (step %.0f, time %.17g, dt %.17g, "
              "steps_known %.0f); use an older checkpoint",
              name, wrong, value[STEP], value[TIME], value[DT], value[STEPS_KNOWN]);
    return KOL_OK;
}

static kol_status read_numbers(struct checkpoint *c, double value[ENTRIES])
{
    for (int n = 0; n < ENTRIES; ++n) {
        const struct entry e = entry_of(n);
        TRY(e.kind & REQUIRED ? checkpoint_scalar(c, e.name, &value[n])
                              : checkpoint_scalar_or(c, e.name, e.preset, &value[n]));
    }
    return KOL_OK;
}

/* Whether an array is there that the numbers announce. */
static kol_status announced(struct checkpoint *c, const char *array, const char *number)
{
    int there = 0;
    TRY(checkpoint_has(c, array, &there));
    if (!there)
        RAISE(KOL_ERR_IO,
              "%s: there is no array '%s' although '%s' of '/state' announces it; use an older "
              "checkpoint",
              checkpoint_path(c), array, number);
    return KOL_OK;
}

static kol_status check_arrays(struct checkpoint *c, const double value[ENTRIES])
{
    const unsigned stages = (unsigned)value[STAGE_PRESSURES], open = (unsigned)value[OPEN_FACES];
    for (int f = 0; f < FLOW_ROWS; ++f) {
        if (f >= FLOW_SCALAR && f < FLOW_FIELDS) continue; /* a run begins a scalar that is not there */
        const int guess = f == FLOW_P_STAGE_1 ? 1 : f == FLOW_P_STAGE_2 ? 2 : f < FLOW_FIELDS ? 0 : 4;
        if (guess == 0) TRY(announced(c, flow_field[f].name, "step"));
        else if (stages & (unsigned)guess) TRY(announced(c, flow_field[f].name, "stage_pressures"));
    }
    for (int f = 0; f < FACES; ++f)
        if (open >> f & 1u) TRY(announced(c, open_faces_plane_name(f), "open_faces"));
    if (value[FORCING_SIZE] > 0) TRY(announced(c, "forcing", "forcing_size"));
    if (value[SURFACE_SIZE] > 0) TRY(announced(c, "surface", "surface_size"));
    return value[STATISTICS_SIZE] > 0 ? announced(c, "statistics", "statistics_size") : KOL_OK;
}

static kol_status check_file(struct checkpoint *c)
{
    double value[ENTRIES];
    long long step;
    TRY(read_numbers(c, value));
    TRY(judge(KOL_ERR_IO, checkpoint_path(c), value));
    TRY(checkpoint_step(c, &step));
    if ((double)step != value[STEP])
        RAISE(KOL_ERR_IO, "%s: it is of step %lld, but 'step' of '/state' is %.0f; use an older checkpoint",
              checkpoint_path(c), step, value[STEP]);
    return check_arrays(c, value);
}

kol_status restart_state_check(const struct comm *comm, struct checkpoint *c)
{
    return comm_agree(comm, check_file(c));
}

kol_status restart_state_written(const struct io_scalar scalar[RESTART_SCALARS])
{
    double value[ENTRIES];
    for (int n = 0; n < ENTRIES; ++n) {
        const struct entry e = entry_of(n);
        value[n] = e.preset;
        for (int i = 0; i < RESTART_SCALARS; ++i)
            if (strcmp(scalar[i].name, e.name) == 0) value[n] = scalar[i].value;
    }
    return judge(KOL_ERR_NUMERICAL, "no checkpoint is written", value);
}

/* Averages of another kind of flow begin anew: they are not looked at. */
static kol_status check_statistics(const struct restart_judge *j, struct checkpoint *c)
{
    double size;
    struct io_view view;
    TRY(checkpoint_scalar_or(c, "statistics_size", 0, &size));
    if (j->statistics == NULL || size == 0) return KOL_OK;
    TRY(comm_agree(&j->domain->comm, statistics_expect(j->statistics, (ptrdiff_t)size, &view)));
    TRY(checkpoint_get(c, view));
    return comm_agree(&j->domain->comm, statistics_sound(j->statistics, checkpoint_path(c)));
}

/* Amplitudes of another forcing begin anew: they are not looked at. */
static kol_status check_forcing(const struct restart_judge *j, struct checkpoint *c)
{
    double size;
    TRY(checkpoint_scalar_or(c, "forcing_size", 0, &size));
    if (j->flow == NULL || size == 0 || size != box_forcing_stored(j->flow)) return KOL_OK;
    TRY(checkpoint_get(c, box_forcing_view(j->flow)));
    return comm_agree(&j->domain->comm, box_forcing_sound(j->flow, checkpoint_path(c)));
}

/* Averages on the surface of other bodies begin anew: they are not looked at. */
static kol_status check_surface(const struct restart_judge *j, struct checkpoint *c)
{
    double size;
    TRY(checkpoint_scalar_or(c, "surface_size", 0, &size));
    if (j->flow == NULL || size == 0 || size != bodies_surface_stored(j->flow)) return KOL_OK;
    TRY(checkpoint_get(c, bodies_surface_view(j->flow)));
    return comm_agree(&j->domain->comm, body_stresses_sound(j->flow->bodies->stresses, checkpoint_path(c)));
}

kol_status restart_sound(void *judge_of_run, struct checkpoint *c)
{
    const struct restart_judge *j = judge_of_run;
    TRY(restart_state_check(&j->domain->comm, c));
    TRY(check_forcing(j, c));
    TRY(check_surface(j, c));
    return check_statistics(j, c);
}
