/* Starts and ends the programs, and writes their statistics files. */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "inputs/statistics_wanted.h"
#include "inputs/stored_flows.h"
#include "io/log.h"
#include "io/shared_faults.h"
#include "solver/output/provenance.h"
#include "solver/output/fault_report.h"
#include "solver/output/history.h"
#include "io/run_directory.h"
#include "solver/statistics/statistics.h"

int program_main(int argc, char **argv, kol_status (*body)(struct run *run))
{
    struct run *run = calloc(1, sizeof *run);
    int threads;
    io_before_mpi();
    if (run == NULL || MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads) != MPI_SUCCESS) {
        free(run);
        return 1;
    }
    run->domain.comm.mpi = MPI_COMM_NULL;
    run->argc = argc;
    run->argv = argv;
    kol_status st = comm_create(&run->domain.comm);
    if (st == KOL_OK && run->domain.comm.rank == 0) st = log_start(NULL);
    if (st == KOL_OK) st = body(run);
    if (st == KOL_OK) {
        if (fault_report_unsafe(&run->domain.comm)) MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
    } else {
        fault_report(&run->domain.comm, &run->fault_told, st);
        if (!fault_report_together(st) || io_exit_unsafe()) MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
    }
    run_destroy(run);
    comm_destroy(&run->domain.comm);
    MPI_Finalize();
    free(run);
    return status_exit_code(st);
}

int program_tells(const struct run *run, const struct option *table, const char *about, const char *codes,
                  int help, int version)
{
    const int here = run->domain.comm.rank == 0;
    if (help && here) {
        fputs(about, stdout);
        options_print(stdout, table);
        fputs(codes, stdout);
    }
    if (version && here) provenance_print(stdout);
    return help || version;
}

static kol_status check_absent(const char *path)
{
    if (access(path, F_OK) != 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "error: %s is there already; give another folder by --out, or --replace", path);
}

static kol_status make_folder(const struct run *run, int replace)
{
    const char *folder = run->in.output.directory;
    char path[RUN_DIRECTORY_TEXT + 32];
    TRY(run_directory_make(folder));
    for (int n = 0; n < STATISTICS_FILES && !replace; ++n) {
        snprintf(path, sizeof path, "%s/%s", folder, statistics_files[n]);
        TRY(check_absent(path));
    }
    if (replace) return KOL_OK;
    snprintf(path, sizeof path, "%s/%s", folder, HISTORY_FILE);
    if (history_wanted(&run->in)) TRY(check_absent(path));
    snprintf(path, sizeof path, "%s/%s", folder, CELL_AVERAGES_FILE);
    return check_absent(path);
}

kol_status program_folder(struct run *run, const char *folder, int replace, int *made)
{
    if (!input_write_to(&run->in, folder))
        RAISE(KOL_ERR_INPUT, "error: --out %.80s...: longer than %zu bytes", folder,
              sizeof run->in.output.directory - 1);
    *made = run->domain.comm.rank == 0 && !run_directory_exists(run->in.output.directory);
    return comm_agree(&run->domain.comm, run->domain.comm.rank == 0 ? make_folder(run, replace) : KOL_OK);
}

void program_unmake(const struct run *run, int made)
{
    if (made) rmdir(run->in.output.directory);
}

/* texts: the provenance of the files. */
struct texts {
    struct io_text text[PROVENANCE_TEXTS + 2];
    int count;
};

static struct texts texts_of(const struct provenance *from, const char *program, const char *files)
{
    struct texts all;
    const struct io_text *text = provenance_texts(from, &all.count);
    memcpy(all.text, text, (size_t)all.count * sizeof *all.text);
    all.text[all.count++] = (struct io_text){"program", program};
    all.text[all.count++] = (struct io_text){"files", files};
    return all;
}

/* more: another file, which a function writes with the same texts. */
struct more {
    kol_status (*write)(void *context, const struct io_text *text, int texts);
    void *context;
};

static kol_status write_all(struct run *run, const struct texts *all, struct more more)
{
    TRY(statistics_write(run->statistics, &run->domain, all->text, all->count));
    return more.write != NULL ? more.write(more.context, all->text, all->count) : KOL_OK;
}

static kol_status write_cells(struct run *run, const struct texts *all)
{
    return statistics_write_cells(run->statistics, &run->domain, 1, run->flow.clock.step, all->text,
                                  all->count);
}

kol_status program_write(struct run *run, const char *program, const char *files,
                         kol_status (*more)(void *context, const struct io_text *text, int texts),
                         void *context)
{
    struct provenance *from = NULL;
    TRY(comm_agree(&run->domain.comm, provenance_create(&run->domain, run->argc, run->argv, &from)));
    const struct texts all = texts_of(from, program, files);
    kol_status st = run->domain.comm.rank == 0 ? write_all(run, &all, (struct more){more, context}) : KOL_OK;
    st = comm_agree(&run->domain.comm, st);
    if (st == KOL_OK) st = write_cells(run, &all);
    provenance_destroy(&from);
    return comm_agree(&run->domain.comm, st);
}

kol_status lines_add(struct lines *l, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int more = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (more < 0) RAISE(KOL_ERR_INTERNAL, "%s can't be printed", fmt);
    if (l->used + (size_t)more + 1 > l->room) {
        const size_t room = 2 * l->room + (size_t)more + 256;
        char *text = realloc(l->text, room);
        if (text == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a text of %zu bytes", room);
        l->text = text;
        l->room = room;
    }
    va_start(args, fmt);
    l->used += (size_t)vsnprintf(l->text + l->used, l->room - l->used, fmt, args);
    va_end(args);
    return KOL_OK;
}
