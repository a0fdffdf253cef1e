/* Starts and stops MPI, reads the input, and turns a status into an exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "inputs/print.h"
#include "io/hash.h"
#include "io/log.h"
#include "io/shared_faults.h"
#include "kernels/base/turns.h"
#include "statistics/box_moments.h"
#include "parallel/members.h"
#include "parallel/share_file.h"
#include "check_run.h"
#include "command_line.h"
#include "statistics/box_increments.h"
#include "output/output.h"
#include "output/provenance.h"
#include "output/fault_report.h"
#include "run.h"
#include "statistics/volume_densities.h"
#include "statistics/wall_densities.h"
#include "statistics/wall_spectra.h"
#include "statistics/cell_averages_file.h"
#include "statistics/section_fields.h"
#include "statistics/section_scalars.h"
#include "statistics/box_scalar_densities.h"
#include "statistics/box_scalar_spectra.h"
#include "statistics/box_spectra.h"
#include "statistics/wall_profiles.h"
#include "statistics/wall_scalars.h"
#include "parallel/watchdog.h"
#include "control/stop.h"
#include "control/twin.h"

static const char DIRECTORY[] = "output.directory=";

/* Divides the text of a member into its settings. The copy of a twin may begin with another flow. */
static kol_status member_settings(struct options *o, int member)
{
    if (o->twin != NULL) snprintf(o->name, sizeof o->name, "--twin");
    else snprintf(o->name, sizeof o->name, "--member %d", member + 1);
    if (o->twin != NULL) {
        if (member == 0 || !command_line_file_twin(o)) return KOL_OK;
        snprintf(o->file, sizeof o->file, "initial.file=%s", o->twin);
        TRY(command_line_add(o, "initial.type=file", o->name));
        return command_line_add(o, o->file, o->name);
    }
    o->words = strdup(o->member[member]);
    if (o->words == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the settings of a member");
    for (char *word = strtok(o->words, " "); word != NULL; word = strtok(NULL, " "))
        TRY(command_line_add(o, word, o->name));
    return KOL_OK;
}

static kol_status read_namelist(struct run *run, const struct options *o, const char *text, size_t bytes)
{
    const struct input_settings set = {o->sets, o->set, o->by};
    return input_read(o->input, text, bytes, &set, run->domain.comm.size, &run->in, &run->source);
}

/* Reads the input with the settings of the command line, to which a member adds its own and its folder. */
static kol_status read_settings(struct run *run, struct options *o, const char *text, size_t bytes)
{
    const struct comm *c = &run->domain.comm;
    const int own = o->sets;
    if (c->members > 0) TRY(member_settings(o, c->member));
    TRY(read_namelist(run, o, text, bytes));
    if (c->members == 0 || (o->twin != NULL && c->member == 0)) return KOL_OK;
    for (int n = own; n < o->sets; ++n)
        if (strncmp(o->set[n], DIRECTORY, strlen(DIRECTORY)) == 0) return KOL_OK;
    char name[32] = "twin";
    if (o->twin == NULL) snprintf(name, sizeof name, "member-%d", c->member + 1);
    if (snprintf(o->folder, sizeof o->folder, "%s%s/%s", DIRECTORY, run->in.output.directory, name) >=
        (int)sizeof o->folder)
        RAISE(KOL_ERR_INPUT, "error: output.directory has too long a name for an ensemble");
    int at = 0; /* in the place of --set output.directory=... */
    while (at < own && strncmp(o->set[at], DIRECTORY, strlen(DIRECTORY)) != 0) ++at;
    if (at == own) {
        TRY(command_line_add(o, o->folder, o->name));
    } else {
        o->set[at] = o->folder;
        o->by[at] = o->name;
    }
    return read_namelist(run, o, text, bytes);
}

/* Checks that a twin can begin as it is to. */
static kol_status check_twin(const struct run *run, const struct options *o)
{
    const char *restart = run->in.checkpoint.restart, *own = run->in.output.directory;
    if (o->twin != NULL && run->domain.comm.member > 0 && strcmp(restart, "latest") == 0 &&
        access(own, F_OK) != 0)
        RAISE(KOL_ERR_INPUT,
              "error: --twin with --restart latest goes on with a run and its copy, and there is no copy in "
              "%s; to begin a twin, name the checkpoint that both begin with, --restart FILE",
              own);
    if (!command_line_file_twin(o) || strcmp(restart, "none") == 0 || strcmp(restart, "latest") == 0)
        return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: --twin %s: both begin with the checkpoint %s, and no initial flow is read; give --twin "
          "rounding, or leave out --restart",
          o->twin, restart);
}

static kol_status read_input(struct run *run, struct options *o)
{
    char *text = NULL;
    size_t bytes = 0;
    TRY(share_file_case(&run->domain.comm, o->input, &text, &bytes));
    kol_status st = read_settings(run, o, text, bytes);
    if (st == KOL_OK) st = check_twin(run, o);
    if (st == KOL_OK && turns_count() > 1 && run->in.checkpoint.background == 1)
        st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                          "error: checkpoint.background = .true.: members that take turns in a process write "
                          "files in their turn; leave it out, or start as many ranks as members");
    free(text);
    return st == KOL_OK ? st : status_pass(st, __FILE__, __LINE__, "read_settings");
}

/* Lets the members of an ensemble agree. A fault of one member ends all, and that member tells of it. */
static kol_status agree(struct run *run, const struct comm *all, kol_status st)
{
    const kol_status worst = members_agree(all, st);
    run->fault_told = worst != KOL_OK && st == KOL_OK;
    return worst;
}

/* Gives this rank to its member of the ensemble. */
static kol_status join_member(struct run *run, const struct comm *all, struct options *o)
{
    TRY(comm_divide(all, o->members, &run->domain.comm));
    if (run->domain.comm.member > 0) log_keep_off();
    TRY(agree(run, all, read_input(run, o)));
    if (o->twin == NULL) return KOL_OK;
    return twin_create(&run->domain, all, o->twin, &run->control.twin);
}

/* Prints which member the next page of --check is about. */
static void print_member(const struct comm *c, const struct options *o, const char *folder)
{
    if (c->members == 0 || c->rank != 0) return;
    printf("%s", c->member > 0 ? "\n" : "");
    if (o->twin == NULL) printf("Member %d of %d, '%s'", c->member + 1, c->members, o->member[c->member]);
    else if (c->member == 0) printf("The run");
    else printf("Its copy, --twin %s", o->twin);
    printf(", in %s:\n\n", folder);
}

static kol_status run_case(struct run *run, const struct comm *all, struct options *o)
{
    if (o->check) {
        TRY(read_input(run, o));
        print_member(&run->domain.comm, o, run->in.output.directory);
        return check_run(run, (enum check_what)o->check, o->picture);
    }
    if (o->members > 0) TRY(join_member(run, all, o));
    else TRY(read_input(run, o));
    stop_catch_signals();
    TRY(watchdog_start(&run->domain.comm, run->in.run.watchdog));
    TRY(profile_create(&run->domain.comm, o->profile, &run->domain.profile));
    const kol_status st = run_prepare(run);
    TRY(o->members > 0 ? agree(run, all, st) : st);
    TRY(run_take(run));
    turns_meet(); /* no run computes while another one measures launch shapes */
    return run_loop(run);
}

static kol_status print_help(const struct options *o, int rank)
{
    if (rank != 0) return KOL_OK;
    if (o->help) fputs(command_line_usage, stdout);
    if (o->help_input) input_help(stdout, o->markdown);
    if (o->help_statistics) {
        fputs("Between walls:\n\n", stdout);
        profiles_print(stdout);
        fputs("\nOf each scalar, here with the name `T`:\n\n", stdout);
        wall_scalars_print(stdout);
        fputs("\nIn `phases.nc` each of these is over `phase`, too, without raw sums, mixed triple moments, "
              "budgets of shear stresses and of fluxes of scalars, and quadrants; beside them are "
              "`phase_time`, `frequency` and "
              "`n_cycles`.\n",
              stdout);
        fputs("\nOver a section, here of a stream along x that is homogeneous in it:\n\n", stdout);
        section_fields_print(stdout);
        fputs("\nOf each scalar over it, here with the name `T`:\n\n", stdout);
        section_scalars_print(stdout);
        fputs(
            "\nIn `pdf.nc` of each scalar over a section, and in a periodic box of stretched spacings, here "
            "with the name `T`:\n\n",
            stdout);
        volume_densities_print(stdout);
        fputs("\nAt the heights of `statistics.spectra_heights`, in `spectra.nc`:\n\n", stdout);
        wall_spectra_print(stdout);
        fputs("\nOf each scalar there, here with the name `T`:\n\n", stdout);
        wall_spectra_print_scalars(stdout);
        fputs("\nIn `pdf.nc` of each scalar at these heights, here with the name `T`:\n\n", stdout);
        wall_densities_print(stdout);
        fputs("\nOf a periodic box:\n\n", stdout);
        box_print(stdout);
        fputs("\nOf each scalar in it, here with the name `T`:\n\n", stdout);
        box_scalars_print(stdout);
        fputs("\nOf a periodic box of uniform spacings, in `spectra.nc`:\n\n", stdout);
        box_spectra_print(stdout);
        fputs("\nOf each scalar there, here with the name `T`:\n\n", stdout);
        box_scalar_spectra_print(stdout);
        fputs("\nIn `pdf.nc`:\n\n", stdout);
        box_increments_print(stdout);
        fputs("\nOf each scalar there, here with the name `T`:\n\n", stdout);
        box_scalar_densities_print(stdout);
        fputs("\nIn every cell, in `averages.h5`:\n\n", stdout);
        cell_averages_print(stdout);
    }
    if (o->version) provenance_print(stdout);
    if (fflush(stdout) != 0) RAISE(KOL_ERR_IO, "can't write to standard output");
    return KOL_OK;
}

/* job: a run from its input to its end. There are several if members take turns in this process. */
struct job {
    struct run run;
    struct options o;
    const struct comm *all;
    kol_status st; /* at first that of what came before */
    int aborts;    /* whether the other processes have to be ended */
};

static void work(int seat, void *context)
{
    struct job *j = (struct job *)context + seat;
    struct run *run = &j->run;
    kol_status st = j->st;
    if (st == KOL_OK) st = run_case(run, j->all, &j->o);
    if (st != KOL_OK && st != KOL_STOPPED && fault_report_together(st)) twin_leave(run->control.twin, st);
    if (st == KOL_STOPPED) status_clear();
    if (st == KOL_STOPPED || st == KOL_OK) {
        output_unlock(run->output); /* before this rank can end the others */
        j->aborts = run->domain.comm.mpi != MPI_COMM_NULL && fault_report_unsafe(&run->domain.comm);
    } else {
        fault_report(&run->domain.comm, &run->fault_told, st);
        j->aborts = !fault_report_together(st) || io_exit_unsafe();
    }
    if (j->aborts && turns_count() == 1) MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
    run_destroy(run);
    if (watchdog_stop() != KOL_OK) {
        fault_report(&run->domain.comm, &run->fault_told, KOL_ERR_MPI);
        MPI_Abort(MPI_COMM_WORLD, status_exit_code(st == KOL_OK ? KOL_ERR_MPI : st));
    }
    twin_destroy(&run->control.twin);
    if (run->domain.comm.members > 0) comm_destroy(&run->domain.comm);
    free(j->o.words);
    j->st = st;
}

/* Does the jobs of this process, and returns its exit code: that of the first one that failed, or of one that
 * was stopped if none did. */
static int work_all(const struct options *o, const struct comm *all, int argc, char **argv, kol_status st)
{
    const int here = st == KOL_OK && o->members > 0 ? members_here(all, o->members) : 1;
    struct job *job = calloc((size_t)here, sizeof *job);
    int code = status_exit_code(KOL_OK), aborts = 0;
    if (job == NULL) {
        fprintf(stderr, "kolmo: no memory for a run\n");
        MPI_Abort(MPI_COMM_WORLD, status_exit_code(KOL_ERR_MEMORY));
        return status_exit_code(KOL_ERR_MEMORY);
    }
    for (int n = 0; n < here; ++n) {
        job[n] = (struct job){.run = {.domain = {.comm = *all}, .argc = argc, .argv = argv}, .o = *o};
        job[n].all = all;
        job[n].st = st;
    }
    if (here > 1) st = turns_run(here, work, job);
    if (here == 1 || st != KOL_OK) {
        job[0].st = st;
        work(0, job);
    }
    for (int n = 0; n < here; ++n) {
        if (code == status_exit_code(KOL_OK) ||
            (code == status_exit_code(KOL_STOPPED) && job[n].st != KOL_OK))
            code = status_exit_code(job[n].st);
        aborts |= job[n].aborts;
    }
    free(job);
    if (aborts) MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

/* Finds the ranks that one member has, for --check, and whether this rank is one of them. Collective. */
static kol_status member_ranks(const struct options *o, const struct comm *all, struct comm *out)
{
    const int groups = o->members <= all->size ? o->members : all->size;
    TRY(comm_divide(all, groups, out));
    out->members = o->members;
    out->beside = all->node_size * (o->members / groups) - out->node_size;
    return KOL_OK;
}

/* Checks the members of an ensemble one after the other, on the ranks that the first one has. Returns the
 * exit code: that of the first one that failed. */
static int check_each(const struct options *o, const struct comm *all, int argc, char **argv)
{
    struct comm ranks;
    int code = status_exit_code(KOL_OK);
    struct job *job = malloc(sizeof *job);
    kol_status st = job != NULL ? member_ranks(o, all, &ranks)
                                : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for a run");
    if (st != KOL_OK) {
        fault_report(all, &(int){0}, st);
        MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
    }
    for (int n = 0; n < o->members && ranks.member == 0; ++n) {
        *job = (struct job){.run = {.domain = {.comm = ranks}, .argc = argc, .argv = argv}, .o = *o};
        struct comm *own = &job->run.domain.comm;
        own->member = n;
        job->all = all;
        const int rc = MPI_Comm_dup(ranks.mpi, &own->mpi);
        job->st = rc == MPI_SUCCESS ? KOL_OK : comm_raise(rc, __FILE__, __LINE__, "MPI_Comm_dup");
        work(0, job);
        if (code == status_exit_code(KOL_OK)) code = status_exit_code(job->st);
        status_clear();
    }
    MPI_Bcast(&code, 1, MPI_INT, 0, all->mpi); /* rank 0 has the first member */
    comm_destroy(&ranks);
    free(job);
    return code;
}

/* Checks that the members can be divided among the ranks. On one rank, --check has nothing to divide. */
static kol_status check_members(const struct options *o, const struct comm *all)
{
    if (o->check && all->size == 1) return KOL_OK;
    const int here = o->members > 0 ? members_here(all, o->members) : 1;
    if (o->twin != NULL && here != 1)
        RAISE(
            KOL_ERR_INPUT,
            "error: a run and its twin can't share %d rank%s evenly; start a multiple of 2 ranks with mpirun "
            "-n",
            all->size, all->size == 1 ? "" : "s");
    if (here == 0)
        RAISE(
            KOL_ERR_INPUT,
            "error: %d members can't share %d ranks evenly; start a multiple of %d ranks with mpirun -n, or "
            "a number that divides %d, so that several members take turns in each process%s",
            o->members, all->size, o->members, o->members,
            o->check ? "; --check without mpirun looks at each member as on one rank" : "");
    if (here > TURNS_MOST)
        RAISE(KOL_ERR_INPUT,
              "error: %d members on %d ranks: at most %d can take turns in a process; start more ranks",
              o->members, all->size, (int)TURNS_MOST);
    return KOL_OK;
}

/* Reads the settings of a member into *in, without the folder, unless they name one: each has its own.
 * Returns whether they are right; the member tells of its faults itself. */
static int read_member(const struct options *o, int member, const char *text, size_t bytes, struct input *in)
{
    struct options own = *o;
    kol_status st = member_settings(&own, member);
    const struct input_settings set = {own.sets, own.set, own.by};
    if (st == KOL_OK) st = input_read(o->input, text, bytes, &set, 0, in, NULL);
    int folder = 0;
    for (int n = o->sets; n < own.sets; ++n) folder |= strncmp(own.set[n], DIRECTORY, strlen(DIRECTORY)) == 0;
    if (!folder) memset(in->output.directory, 0, sizeof in->output.directory);
    free(own.words);
    status_clear();
    return st == KOL_OK;
}

/* Refuses members with the same values in other words, such as fluid.nu=1 and fluid.nu=1.0. The bytes of a
 * struct input are compared by their hash: input_read() clears it, and texts to their ends. */
static kol_status find_equal_values(const struct options *o, const char *text, size_t bytes, struct input *in,
                                    unsigned long long *hash)
{
    for (int b = 0; b < o->members; ++b) {
        hash[b] = 0;
        if (!read_member(o, b, text, bytes, in)) continue;
        hash[b] = hash_bytes(in, sizeof *in, 0);
        for (int a = 0; a < b; ++a)
            if (hash[a] == hash[b])
                RAISE(KOL_ERR_INPUT,
                      "error: --member %d, '%.100s', and --member %d, '%.100s', have the same values, so "
                      "they would be the same run; change one of them, for example its run.seed, or leave "
                      "it out",
                      a + 1, o->member[a], b + 1, o->member[b]);
    }
    return KOL_OK;
}

/* Collective over all ranks. */
static kol_status refuse_equal_values(const struct options *o, const struct comm *all)
{
    char *text = NULL;
    size_t bytes = 0;
    if (o->members < 2 || o->twin != NULL || o->input == NULL) return KOL_OK;
    if (share_file_case(all, o->input, &text, &bytes) != KOL_OK) { /* the members tell of it */
        status_clear();
        return KOL_OK;
    }
    struct input *in = malloc(sizeof *in);
    unsigned long long *hash = malloc((size_t)o->members * sizeof *hash);
    const kol_status st = in != NULL && hash != NULL
                              ? find_equal_values(o, text, bytes, in, hash)
                              : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for inputs");
    free(in);
    free(hash);
    free(text);
    return st;
}

int main(int argc, char **argv)
{
    struct options o = {.input = NULL};
    struct comm all = {.mpi = MPI_COMM_NULL};
    int code, threads; /* the level of thread support that MPI provides; writer_thread.c asks for it */
    io_before_mpi();
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads) != MPI_SUCCESS) return 1;
    kol_status st = comm_create(&all);
    if (st == KOL_OK) st = command_line_read(argc, argv, &o);
    if (st == KOL_OK) st = check_members(&o, &all);
    if (st == KOL_OK) st = refuse_equal_values(&o, &all);
    if (st == KOL_OK && (o.help || o.help_input || o.help_statistics || o.version)) {
        st = print_help(&o, all.rank);
        if (st != KOL_OK) fault_report(&all, &(int){0}, st);
        code = status_exit_code(st);
    } else if (st == KOL_OK && o.check && o.members > 0) {
        code = check_each(&o, &all, argc, argv);
    } else {
        code = work_all(&o, &all, argc, argv, st);
    }
    comm_destroy(&all);
    MPI_Finalize();
    return code;
}
