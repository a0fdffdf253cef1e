/* Reads the command line, and refuses what makes no sense before any input is read. */
#include "command_line.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "check_run.h"

const char command_line_usage[] =
    "usage: kolmo [options] case.nml          (with MPI: mpirun -n 4 kolmo case.nml)\n"
    "\n"
    "  --check                 print a summary of what the run would do, and stop: grid, memory, time step,\n"
    "                          duration, file sizes. --check=all: print every input with its default, too.\n"
    "                          With --member or --twin: one summary for each run\n"
    "  --picture z=0.5:FILE    with --check: draw the bodies in the plane z = 0.5 into FILE, a PNG\n"
    "  --restart latest|FILE   go on from the newest checkpoint of output.directory, or from FILE\n"
    "  --force-restart         go on although the checkpoint has other physics (checkpoint.force = .true.)\n"
    "  --set group.name=value  override one input; may be given several times\n"
    "  --member SETTINGS       a member of an ensemble, with settings group.name=value between blanks; may "
    "be\n"
    "                          given several times. The ranks are divided evenly among the members, which\n"
    "                          run side by side and write into member-1, member-2, ... of output.directory.\n"
    "                          If there are fewer ranks than members, these take turns in each process\n"
    "  --twin PERTURBATION     run a copy beside the run, on the second half of the ranks; it writes into "
    "twin of\n"
    "                          output.directory. 'rounding': its u differs at the start by one unit in the\n"
    "                          last place. 'none': it does not differ. The name of a file as for\n"
    "                          initial.file: it begins with the flow of that file\n"
    "  --profile               print the time of each part of a step and the hidden share of each exchange\n"
    "                          at the end; write the last step to timeline.json\n"
    "  --help-input            print every input with its type, default, range and meaning\n"
    "  --help-statistics       print a table of the variables of statistics.nc, spectra.nc, pdf.nc, "
    "phases.nc\n"
    "  --version               print version, compiler and libraries\n"
    "  --help                  print this text\n"
    "\n"
    "exit codes: 0 finished, 2 bad input, 3 numerical failure, 4 file failure,\n"
    "            5 stopped by signal or wall clock with a checkpoint written, 1 anything else\n";

kol_status command_line_add(struct options *o, const char *text, const char *by)
{
    if (o->sets == SETTINGS_MAX)
        RAISE(KOL_ERR_INPUT, "more than %d settings on the command line; put some into the input file",
              SETTINGS_MAX);
    o->by[o->sets] = by;
    o->set[o->sets++] = text;
    return KOL_OK;
}

int command_line_file_twin(const struct options *o)
{
    return o->twin != NULL && strcmp(o->twin, "none") != 0 && strcmp(o->twin, "rounding") != 0;
}

/* --- options with a value --- */

static kol_status take_set(struct options *o, const char *value)
{
    return command_line_add(o, value, "--set");
}

static kol_status take_member(struct options *o, const char *value)
{
    if (o->members == MEMBERS_MAX) RAISE(KOL_ERR_INPUT, "error: more than %d members", MEMBERS_MAX);
    if (value[0] != '\0' && strspn(value, "0123456789") == strlen(value))
        RAISE(
            KOL_ERR_INPUT,
            "error: --member %s: a member is given by its settings, not by a number; give --member once for "
            "each, for example --member run.seed=1 --member run.seed=2",
            value);
    o->member[o->members++] = value;
    return KOL_OK;
}

static kol_status take_twin(struct options *o, const char *value)
{
    if (o->twin != NULL) RAISE(KOL_ERR_INPUT, "error: --twin is given twice");
    if (value[0] == '\0' || strlen(value) >= INPUT_TEXT)
        RAISE(KOL_ERR_INPUT, "error: --twin needs 'none', 'rounding' or the file of a flow");
    o->twin = value;
    if (!command_line_file_twin(o) || access(value, F_OK) == 0) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "error: --twin %s: there is no such file; the words that need no file are 'none' and 'rounding'",
          value);
}

static kol_status take_picture(struct options *o, const char *value)
{
    if (o->picture != NULL) RAISE(KOL_ERR_INPUT, "error: --picture is given twice");
    o->picture = value;
    return KOL_OK;
}

static kol_status take_restart(struct options *o, const char *value)
{
    if (value[0] == '\0') RAISE(KOL_ERR_INPUT, "error: --restart needs 'latest' or a file name");
    if (strlen(value) >= INPUT_TEXT)
        RAISE(KOL_ERR_INPUT, "error: --restart %.40s...: the name is too long", value);
    if (o->restart[0] != '\0') RAISE(KOL_ERR_INPUT, "error: --restart is given twice");
    snprintf(o->restart, sizeof o->restart, "checkpoint.restart=%s", value);
    return command_line_add(o, o->restart, "--restart");
}

static const struct valued {
    const char *name, *needs;
    kol_status (*take)(struct options *o, const char *value);
} valued[] = {
    {"--set", "group.name=value, for example --set run.seed=2", take_set},
    {"--member", "settings, for example --member run.seed=2", take_member},
    {"--twin", "'none', 'rounding' or the file of a flow", take_twin},
    {"--picture", "a plane and a file, for example --picture z=0.5:bodies.png", take_picture},
    {"--restart", "'latest' or a file name", take_restart},
};

/* Reads an option written `--name value` or `--name=value`. *known: whether it is one. An option in the place
 * of the value is not taken as the value: a file with such a name can be given as `--name=value`. */
static kol_status read_valued(char **argv, int argc, int *i, struct options *o, int *known)
{
    const char *const word = argv[*i];
    const size_t n = strcspn(word, "=");
    *known = 0;
    for (size_t v = 0; v < sizeof valued / sizeof *valued && !*known; ++v) {
        if (strlen(valued[v].name) != n || strncmp(word, valued[v].name, n) != 0) continue;
        *known = 1;
        if (word[n] == '=') return valued[v].take(o, word + n + 1);
        if (*i + 1 == argc) RAISE(KOL_ERR_INPUT, "error: %s needs %s", word, valued[v].needs);
        if (argv[*i + 1][0] == '-')
            RAISE(KOL_ERR_INPUT, "error: %s needs %s; %s follows it instead", word, valued[v].needs,
                  argv[*i + 1]);
        return valued[v].take(o, argv[++*i]);
    }
    return KOL_OK;
}

/* --- options without a value --- */

/* Returns whether the word is such an option. */
static int read_flag(const char *word, struct options *o)
{
    if (strcmp(word, "--check") == 0) o->check = CHECK_PAGE;
    else if (strcmp(word, "--check=all") == 0) o->check = CHECK_ALL;
    else if (strcmp(word, "--profile") == 0) o->profile = 1;
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) o->help = 1;
    else if (strcmp(word, "--help-input") == 0) o->help_input = 1;
    else if (strcmp(word, "--help-input=markdown") == 0) o->help_input = o->markdown = 1;
    else if (strcmp(word, "--help-statistics") == 0) o->help_statistics = 1;
    else if (strcmp(word, "--version") == 0) o->version = 1;
    else return 0;
    return 1;
}

static kol_status read_word(char **argv, int argc, int *i, struct options *o)
{
    int known;
    const char *const word = argv[*i];
    if (strcmp(word, "--force-restart") == 0)
        return command_line_add(o, "checkpoint.force=.true.", "--force-restart");
    if (read_flag(word, o)) return KOL_OK;
    TRY(read_valued(argv, argc, i, o, &known));
    if (known) return KOL_OK;
    if (word[0] == '-')
        RAISE(KOL_ERR_INPUT, "error: unknown option %s; options are:\n%s", word, command_line_usage);
    if (o->input != NULL)
        RAISE(KOL_ERR_INPUT, "error: two input files, %s and %s, are given; give one", o->input, word);
    o->input = word;
    return KOL_OK;
}

/* --- members --- */

/* The next of the settings in a text, from *at on, and its length; 0 at the end. Moves *at behind it. */
static size_t next_setting(const char **at, const char **setting)
{
    *setting = *at + strspn(*at, " ");
    const size_t length = strcspn(*setting, " ");
    *at = *setting + length;
    return length;
}

/* How often a setting stands in a text. */
static int times(const char *text, const char *setting, size_t length)
{
    int n = 0;
    const char *one;
    for (size_t own; (own = next_setting(&text, &one)) > 0;)
        n += own == length && strncmp(one, setting, length) == 0;
    return n;
}

/* Whether each setting of a text stands as often in the other. */
static int within(const char *text, const char *other)
{
    const char *at = text, *setting;
    for (size_t length; (length = next_setting(&at, &setting)) > 0;)
        if (times(text, setting, length) != times(other, setting, length)) return 0;
    return 1;
}

/* Refuses two members with the same settings in any order: they would be the same run twice, and an average
 * over them would have error bars that are too small. */
static kol_status refuse_equal(const struct options *o, int a, int b)
{
    const char *one = o->member[a], *other = o->member[b];
    if (!within(one, other) || !within(other, one)) return KOL_OK;
    const int none = one[strspn(one, " ")] == '\0';
    RAISE(KOL_ERR_INPUT,
          "error: --member %d and --member %d have %s%.200s%s, so they would be the same run; change one of "
          "them, for example its run.seed, or leave it out",
          a + 1, b + 1, none ? "no settings" : "the same settings, '", none ? "" : one, none ? "" : "'");
}

/* Refuses two members whose settings name the same folder. */
static kol_status refuse_same_folder(const struct options *o, int a, int b)
{
    static const char FOLDER[] = "output.directory=";
    const char *at = o->member[a], *setting;
    for (size_t length; (length = next_setting(&at, &setting)) > 0;)
        if (strncmp(setting, FOLDER, strlen(FOLDER)) == 0 && times(o->member[b], setting, length) > 0)
            RAISE(
                KOL_ERR_INPUT,
                "error: --member %d and --member %d both write into one folder, %.*s; give each its own, or "
                "none: then they write into member-1, member-2, ... of output.directory",
                a + 1, b + 1, (int)length, setting);
    return KOL_OK;
}

static kol_status check_members(const struct options *o)
{
    for (int a = 0; a < o->members; ++a)
        for (int b = a + 1; b < o->members; ++b) {
            TRY(refuse_equal(o, a, b));
            TRY(refuse_same_folder(o, a, b));
        }
    return KOL_OK;
}

kol_status command_line_read(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; ++i) TRY(read_word(argv, argc, &i, o));
    if (o->twin != NULL && o->members > 0)
        RAISE(KOL_ERR_INPUT,
              "error: --twin and --member divide the ranks in different ways; give one of them");
    TRY(check_members(o));
    if (o->twin != NULL) o->members = 2;
    if (o->check && o->profile)
        RAISE(KOL_ERR_INPUT, "error: --check takes no steps for --profile to measure; leave out one of them");
    if (o->picture != NULL && !o->check)
        RAISE(KOL_ERR_INPUT, "error: --picture draws bodies before a run; give --check, too");
    if (o->picture != NULL && o->members > 0)
        RAISE(KOL_ERR_INPUT, "error: --picture draws the bodies of one run; leave out --%s",
              o->twin != NULL ? "twin" : "member, and give --set instead");
    if (o->input == NULL && !o->help && !o->help_input && !o->help_statistics && !o->version)
        RAISE(KOL_ERR_INPUT, "error: no input file\n%s", command_line_usage);
    return KOL_OK;
}
