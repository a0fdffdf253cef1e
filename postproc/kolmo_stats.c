/* Computes statistics from stored flows: the same samples, averages and files as those of the run itself, by
 * the same code. docs/statistics.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/bodies.h"
#include "inputs/statistics_wanted.h"
#include "inputs/stored_flows.h"
#include "io/log.h"
#include "solver/parallel/share_file.h"
#include "solver/parallel/halo.h"
#include "solver/output/history.h"
#include "solver/output/provenance.h"
#include "solver/statistics/statistics.h"
#include "options.h"
#include "program.h"
#include "sources.h"

static const char ABOUT[] =
    "usage: kolmo-stats [options] RUN [FILE...]          (with MPI: mpirun -n 4 kolmo-stats RUN)\n"
    "\n"
    "Computes statistics.nc, spectra.nc, pdf.nc, phases.nc and history.nc from stored flows. They are the\n"
    "same statistics that the run itself computes while it goes on.\n"
    "\n"
    "RUN is the folder of a run, or its namelist, or the first FILE. Each FILE is a checkpoint, or a file\n"
    "of fields that was written with output.field_places = 'faces'. If no FILE is given, all stored flows\n"
    "in the folder are read.\n"
    "\n";
static const char CODES[] =
    "\nexit codes: 0 done, 2 bad input, 3 a flow that is not finite, 4 file failure, 1 anything else\n";

struct settings {
    struct words words, set;
    const char *from, *to, *every, *out;
    double start; /* statistics.start of the run itself */
    int spectra, no_spectra, history, replace, help, version;
    double first, last;
    int step;
};

/* kind: what the argument RUN is */
enum kind { RUN_FOLDER, RUN_FILE, RUN_NAMELIST };

struct work {
    struct settings o;
    enum kind kind;
    char folder[RUN_DIRECTORY_TEXT]; /* of the stored flows */
    char *text;                      /* of the input */
    size_t bytes;
    char name[RUN_DIRECTORY_TEXT + 64]; /* of the input, for messages */
    struct sources sources;
    struct host_copy staging;
    double before; /* time of the stored flow before the first that is taken; -INFINITY: there is none */
    struct lines files;
    struct history *history; /* NULL: the input asks for none */
    double *records;         /* rank 0: of the history */
    int made;                /* whether this program made the folder of the files */
};

static kol_status read_options(struct run *run, struct settings *o)
{
    const struct option table[] = {
        {"from", "T", "read only stored flows of t = T or later. Without this option, T is statistics.start",
         NULL, &o->from, NULL},
        {"to", "T", "read only stored flows up to t = T", NULL, &o->to, NULL},
        {"every", "N", "of these flows, read the first one and then every Nth", NULL, &o->every, NULL},
        {"spectra", NULL, "write spectra.nc and pdf.nc even if the run's input asks for no spectra",
         &o->spectra, NULL, NULL},
        {"no-spectra", NULL, "do not write spectra.nc and pdf.nc", &o->no_spectra, NULL, NULL},
        {"history", NULL,
         "write history.nc with a record of each stored flow, even if the run's input has no &history",
         &o->history, NULL, NULL},
        {"out", "FOLDER",
         "write the files into FOLDER. Without this option, they go into the folder `stats`\n"
         "beside the stored flows",
         NULL, &o->out, NULL},
        {"replace", NULL, "replace statistics files that are there already", &o->replace, NULL, NULL},
        {"set", "group.name=value", "override one input; may be given several times", NULL, NULL, &o->set},
        {"version", NULL, "print version, compiler and libraries", &o->version, NULL, NULL},
        {"help", NULL, "print this text", &o->help, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL, NULL}};
    TRY(options_read(table, run->argc, run->argv, &o->words));
    if (program_tells(run, table, ABOUT, CODES, o->help, o->version)) return KOL_OK;
    if (o->words.count == 0)
        RAISE(KOL_ERR_INPUT, "error: no run is given; give its folder, its namelist, or files; see --help");
    if (o->spectra && o->no_spectra)
        RAISE(KOL_ERR_INPUT, "error: --spectra and --no-spectra: give one of them");
    o->first = 0;
    o->last = INFINITY;
    o->step = 1;
    if (o->from != NULL) TRY(options_number("from", o->from, 0, &o->first));
    if (o->to != NULL) TRY(options_number("to", o->to, 0, &o->last));
    if (o->every != NULL) TRY(options_count("every", o->every, 1, &o->step));
    return KOL_OK;
}

/* --- the input --- */

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static kol_status find_kind(const struct run *run, struct work *w)
{
    const char *word = w->o.words.word[0];
    int folder = run->domain.comm.rank == 0 && run_directory_exists(word);
    MPI_TRY(MPI_Bcast(&folder, 1, MPI_INT, 0, run->domain.comm.mpi));
    w->kind = folder ? RUN_FOLDER : ends_with(word, ".h5") ? RUN_FILE : RUN_NAMELIST;
    snprintf(w->folder, sizeof w->folder, "%s", word);
    if (w->kind != RUN_FILE) return KOL_OK;
    char *slash = strrchr(w->folder, '/');
    if (slash == NULL) strcpy(w->folder, ".");
    else slash[slash == w->folder] = '\0';
    return KOL_OK;
}

/* Reads the run's own input, or the namelist, as it is. */
static kol_status read_plain(struct run *run, struct work *w)
{
    return input_read(w->name, w->text, w->bytes, NULL, 0, &run->in, &run->source);
}

/* Reads the input that is stored in the first flow. */
static kol_status load_stored(struct run *run, struct work *w)
{
    const char *path = w->sources.file[0].path;
    TRY(stored_flow_input(&run->domain.comm, path, &w->text));
    w->bytes = strlen(w->text);
    snprintf(w->name, sizeof w->name, "%s:/run/input", path);
    return read_plain(run, w);
}

/* Reads a namelist, which also names the folder. */
static kol_status load_namelist(struct run *run, struct work *w)
{
    snprintf(w->name, sizeof w->name, "%s", w->o.words.word[0]);
    TRY(share_file_case(&run->domain.comm, w->name, &w->text, &w->bytes));
    TRY(read_plain(run, w));
    snprintf(w->folder, sizeof w->folder, "%s", run->in.output.directory);
    return KOL_OK;
}

static kol_status find_sources(struct run *run, struct work *w)
{
    const int before = w->kind != RUN_FILE;
    const struct words *words = &w->o.words;
    if (words->count == before) return sources_find(&run->domain.comm, w->folder, &w->sources);
    return sources_name(&run->domain.comm, words->word + before, words->count - before, &w->sources);
}

static int is_set(const struct words *set, const char *name)
{
    for (int n = 0; n < set->count; ++n)
        if (strncmp(set->word[n], name, strlen(name)) == 0) return 1;
    return 0;
}

/* Chooses whether spectra are taken: at each stored flow, or at none. */
static kol_status choose_spectra(struct run *run, const struct settings *o)
{
    struct input *in = &run->in;
    if (o->no_spectra || o->spectra) input_take_spectra(in, o->spectra);
    if (!o->spectra || spectra_wanted(in) || heights_wanted(in)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: --spectra: spectra are taken of periodic boxes with uniform spacings, and between walls at "
          "statistics.spectra_heights; leave it out, or give those by --set");
}

/* Refuses settings that would be read but not used: files and options tell which flows are samples. */
static kol_status refuse_settings(const struct settings *o)
{
    static const char *const OF_RUNS[] = {
        "statistics.interval=",    "statistics.write_interval=", "statistics.stop_when=",
        "statistics.stop_scalar=", "statistics.stop_error=",     "statistics.pressure=",
        "history.interval=",       "history.interval_time="};
    for (size_t n = 0; n < sizeof OF_RUNS / sizeof *OF_RUNS; ++n)
        if (is_set(&o->set, OF_RUNS[n]))
            RAISE(KOL_ERR_INPUT,
                  "error: --set %s...: this setting is for runs; kolmo-stats takes every stored flow as a "
                  "sample, see --every",
                  OF_RUNS[n]);
    if (o->from != NULL && is_set(&o->set, "statistics.start="))
        RAISE(KOL_ERR_INPUT, "error: --from and --set statistics.start: give one of them");
    return KOL_OK;
}

/* A stored flow has the pressure of the last stage, and nothing here solves for another one. */
static void take_stored_pressure(struct run *run)
{
    if (run->in.statistics.pressure == SAMPLE_PRESSURE_STAGE) return;
    run->in.statistics.pressure = SAMPLE_PRESSURE_STAGE;
    log_info(
        "statistics.pressure = 'solve' is for runs: these averages have the pressure of the stored flows, "
        "that of the last stage of a step");
}

/* Reads the input with the changes by the options. If the run took no samples, they begin with the first
 * stored flow. The ranks are those of this program. */
static kol_status read_final(struct run *run, struct work *w)
{
    struct settings *o = &w->o;
    struct words *set = &o->set;
    char start[64];
    TRY(refuse_settings(o));
    if (set->count > WORDS_MOST - 5) RAISE(KOL_ERR_INPUT, "error: more than %d settings", WORDS_MOST - 5);
    const int own = set->count;
    if (bodies_next_removal(&run->in, 0) < INFINITY)
        RAISE(KOL_ERR_INPUT,
              "%s: error: averages of stored flows are not available with bodies that vanish (remove_time); "
              "take them while the run goes on",
              w->name);
    snprintf(start, sizeof start, "statistics.start=%.17g", o->first);
    if (!is_set(set, "grid.ranks")) set->word[set->count++] = "grid.ranks=0,0,0";
    if ((o->from != NULL || run->in.statistics.start < 0) && !is_set(set, "statistics.start="))
        set->word[set->count++] = start;
    if (o->history && !history_wanted(&run->in)) {
        set->word[set->count++] = "history.interval=1";
        set->word[set->count++] = "history.interval_time=0";
    }
    const kol_status st =
        input_read(w->name, w->text, w->bytes, &(struct input_settings){set->count, set->word, NULL},
                   run->domain.comm.size, &run->in, &run->source);
    set->count = own;
    if (st == KOL_OK) take_stored_pressure(run);
    return st == KOL_OK ? choose_spectra(run, o) : status_pass(st, __FILE__, __LINE__, "input_read");
}

static kol_status read_input(struct run *run, struct work *w)
{
    TRY(find_kind(run, w));
    if (w->kind == RUN_NAMELIST) TRY(load_namelist(run, w));
    TRY(find_sources(run, w));
    if (w->kind != RUN_NAMELIST) TRY(load_stored(run, w));
    w->o.start = run->in.statistics.start;
    TRY(read_final(run, w));
    return sources_choose(&w->sources, run->in.statistics.start, w->o.last, w->o.step, &w->before);
}

/* --- samples --- */

/* Makes room for a record of each stored flow. They are written together, so that a fault leaves no part of
 * the file. */
static kol_status create_history(struct run *run, struct work *w)
{
    TRY(history_create(&run->flow, &w->history));
    if (w->history == NULL || run->domain.comm.rank != 0) return KOL_OK;
    w->records = calloc((size_t)w->sources.count * history_width(w->history), sizeof *w->records);
    if (w->records == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d records", w->sources.count);
    return KOL_OK;
}

static kol_status write_history(void *context, const struct io_text *text, int texts)
{
    const struct work *w = context;
    if (w->history == NULL) return KOL_OK;
    history_name(w->history, -1, text, texts);
    for (int n = 0; n < w->sources.count; ++n)
        TRY(history_append(w->history, w->records + (size_t)n * history_width(w->history)));
    return history_close(w->history);
}

static kol_status take_sample(struct run *run, struct work *w, int n)
{
    const struct stored_flow *from = &w->sources.file[n];
    TRY(stored_flow_read(&run->flow, &w->staging, from));
    TRY(statistics_sample(run->statistics, &run->flow));
    if (w->history != NULL)
        TRY(history_sample(w->history,
                           w->records != NULL ? w->records + (size_t)n * history_width(w->history) : NULL));
    TRY(comm_agree(&run->domain.comm, pending_raise(run->domain.pending)));
    log_info("  %s: step %lld, t %.6g", from->path, from->step, from->t);
    return lines_add(&w->files, "%s%s: step %lld, t %.9g", w->files.used > 0 ? "\n" : "", from->path,
                     from->step, from->t);
}

/* Whether what --from cuts off are samples, so that files of both parts can be merged as one. */
static int is_part(const struct settings *o, double before)
{
    return o->from != NULL && o->step == 1 && isfinite(before) && before >= o->start;
}

static kol_status make_statistics(struct run *run, struct work *w)
{
    char folder[RUN_DIRECTORY_TEXT + 8];
    const int *r = run->domain.decomp.ranks;
    snprintf(folder, sizeof folder, "%s/stats", w->folder);
    TRY(program_folder(run, w->o.out != NULL ? w->o.out : folder, w->o.replace, &w->made));
    TRY(run_create_still(run));
    TRY(comm_agree(&run->domain.comm,
                   host_copy_create(NULL, &run->domain, 0, HOST_COPY_SLAB_BYTES, 0, &w->staging)));
    TRY(comm_agree(&run->domain.comm, create_history(run, w)));
    log_info("kolmo-stats %s, %s arithmetic; grid %d x %d x %d, ranks %d x %d x %d, %d files",
             provenance_version(), KOL_REAL_NAME, run->domain.decomp.n_g[0], run->domain.decomp.n_g[1],
             run->domain.decomp.n_g[2], r[0], r[1], r[2], w->sources.count);
    if (is_part(&w->o, w->before)) statistics_follow(run->statistics, w->before);
    for (int n = 0; n < w->sources.count; ++n) TRY(take_sample(run, w, n));
    TRY(program_write(run, "kolmo-stats", w->files.text, write_history, w));
    log_info("statistics of %d stored flows written to %s", w->sources.count, run->in.output.directory);
    return KOL_OK;
}

static kol_status work(struct run *run, struct work *w)
{
    TRY(read_options(run, &w->o));
    if (w->o.help || w->o.version) return KOL_OK;
    TRY(read_input(run, w));
    return make_statistics(run, w);
}

static kol_status body(struct run *run)
{
    struct work *w = calloc(1, sizeof *w);
    if (w == NULL) RAISE(KOL_ERR_MEMORY, "no memory");
    const kol_status st = work(run, w);
    if (st != KOL_OK) program_unmake(run, w->made);
    host_copy_destroy(&w->staging);
    sources_destroy(&w->sources);
    history_destroy(&w->history);
    free(w->records);
    free(w->files.text);
    free(w->text);
    free(w);
    return st;
}

int main(int argc, char **argv)
{
    return program_main(argc, argv, body);
}
