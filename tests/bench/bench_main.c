/* Runs kolmo-bench: the bandwidth of this device, then every kernel, exchange and step as a share of it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "tests/support/mask_case.h"

static const char USAGE[] =
    "usage: kolmo-bench [options]              (with MPI: mpirun -n 4 kolmo-bench ...)\n"
    "       kolmo-bench poisson [options]      the pressure equation alone\n"
    "\n"
    "  --sizes LIST         grids, such as 128,256,512x256x256: cubes are uniform, others channels, walls in "
    "z\n"
    "  --only NAME          only lines whose name contains NAME: a kernel, halo, PPCG, step, ...; NAME|NAME: "
    "either\n"
    "  --shapes             each kernel with every launch shape\n"
    "  --quick              fewer repetitions, and of the usual grids the smallest alone\n"
    "  --scaling strong|weak  whole steps, iterations and the rest of a step on --cells N^3 cells (512): of "
    "the whole\n"
    "                       grid, or of each rank; added to the JSON file\n"
    "  --json FILE          where the records go (build/<kind>/bench.json, elsewhere ./bench.json); "
    "--append: after those it holds\n"
    "  --set group.name=value  override one input of the runs, such as device.transport=host\n"
    "  --help               this text\n"
    "\n"
    "Of poisson alone (and --sizes, --only, --quick, --json, --append, --set):\n"
    "\n"
    "  --case periodic|channel  one of the two boxes: periodic, or walls in z with stretched cells\n"
    "  --bodies KIND        bodies in the box: cubes, bed, plates, slabs, sealed or random\n"
    "  --tolerance NUMBER   on |r|/|b|, Euclidean norms (1e-8)\n"
    "  --full               more preconditioners\n"
    "  --warm               solves within short runs, by preconditioner, guess and goal; --steps N of each "
    "(20)\n";

static const int SIZES_GPU[][3] = {{128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {512, 256, 256}};
static const int SIZES_CPU[][3] = {{64, 64, 64}, {128, 128, 128}, {192, 192, 192}, {128, 64, 64}};
static const int POISSON_GPU[][3] = {{128, 128, 128}, {256, 256, 256}, {512, 512, 512}};
static const int POISSON_CPU[][3] = {{64, 64, 64}, {128, 128, 128}};
enum { SIZES = 4, SIZES_POISSON_GPU = 3, SIZES_POISSON_CPU = 2, CELLS_GPU = 512, CELLS_CPU = 128 };

/* Which command knows an option, and whether a value follows. */
enum { KERNELS = 1, POISSON = 2 };
static const struct {
    const char *name;
    int valued, commands;
} OPTION[] = {{"--help", 0, KERNELS | POISSON},
              {"--quick", 0, KERNELS | POISSON},
              {"--append", 0, KERNELS | POISSON},
              {"--shapes", 0, KERNELS},
              {"--sizes", 1, KERNELS | POISSON},
              {"--only", 1, KERNELS | POISSON},
              {"--json", 1, KERNELS | POISSON},
              {"--set", 1, KERNELS | POISSON},
              {"--scaling", 1, KERNELS},
              {"--cells", 1, KERNELS},
              {"--full", 0, POISSON},
              {"--warm", 0, POISSON},
              {"--case", 1, POISSON},
              {"--bodies", 1, POISSON},
              {"--tolerance", 1, POISSON},
              {"--steps", 1, POISSON}};
enum { OPTIONS = sizeof OPTION / sizeof *OPTION };

static int on_cpu(void)
{
    return strcmp(device_backend(), "cpu") == 0;
}

static kol_status read_sizes(const char *text, struct bench_options *o)
{
    for (o->sizes = 0; *text != '\0'; ++o->sizes) {
        int used = 0, *n = o->size[o->sizes];
        if (o->sizes == BENCH_SIZES) RAISE(KOL_ERR_INPUT, "error: --sizes: more than %d grids", BENCH_SIZES);
        if (sscanf(text, "%5dx%5dx%5d%n", &n[X], &n[Y], &n[Z], &used) == 3 && used > 0) {
            text += used;
        } else if (sscanf(text, "%5d%n", &n[X], &used) == 1) {
            n[Y] = n[Z] = n[X];
            text += used;
        } else {
            RAISE(KOL_ERR_INPUT, "error: --sizes: '%s' is no size; 128 or 512x256x256 would be", text);
        }
        if (*text == ',' && text[1] != '\0') ++text;
        else if (*text != '\0') RAISE(KOL_ERR_INPUT, "error: --sizes: '%s' is no end of a size", text);
    }
    if (o->sizes == 0) RAISE(KOL_ERR_INPUT, "error: --sizes: no size given");
    return KOL_OK;
}

static kol_status read_scaling(const char *text, struct bench_options *o)
{
    if (strcmp(text, "strong") != 0 && strcmp(text, "weak") != 0)
        RAISE(KOL_ERR_INPUT, "error: --scaling '%s': strong or weak", text);
    o->mode = text[0] == 's' ? BENCH_STRONG : BENCH_WEAK;
    o->append = 1;
    return KOL_OK;
}

static kol_status read_count(const char *name, const char *text, int *out)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (end == text || *end != '\0' || n < 2 || n > 65536)
        RAISE(KOL_ERR_INPUT, "error: %s '%s': a number from 2 to 65536", name, text);
    *out = (int)n;
    return KOL_OK;
}

static kol_status read_tolerance(const char *text, struct bench_options *o)
{
    char *end;
    o->tolerance = strtod(text, &end);
    if (end == text || *end != '\0' || !(o->tolerance > 0 && o->tolerance < 1))
        RAISE(KOL_ERR_INPUT, "error: --tolerance '%s': a number between 0 and 1", text);
    return KOL_OK;
}

static kol_status read_case(const char *text, struct bench_options *o)
{
    o->not_periodic = strcmp(text, "periodic") != 0;
    o->not_channel = strcmp(text, "channel") != 0;
    if (o->not_periodic && o->not_channel)
        RAISE(KOL_ERR_INPUT, "error: --case '%s': periodic or channel", text);
    return KOL_OK;
}

static kol_status read_bodies(const char *text, struct bench_options *o)
{
    for (int kind = 0; kind < MASK_KINDS; ++kind)
        if (strcmp(text, mask_name[kind]) == 0) o->bodies = kind;
    if (o->bodies == MASK_NONE)
        RAISE(KOL_ERR_INPUT, "error: --bodies '%s': cubes, bed, plates, slabs, sealed or random", text);
    return KOL_OK;
}

static kol_status read_valued(const char *name, const char *value, struct bench_options *o)
{
    if (strcmp(name, "--sizes") == 0) return read_sizes(value, o);
    if (strcmp(name, "--scaling") == 0) return read_scaling(value, o);
    if (strcmp(name, "--cells") == 0) return read_count(name, value, &o->cells);
    if (strcmp(name, "--steps") == 0) return read_count(name, value, &o->steps);
    if (strcmp(name, "--tolerance") == 0) return read_tolerance(value, o);
    if (strcmp(name, "--case") == 0) return read_case(value, o);
    if (strcmp(name, "--bodies") == 0) return read_bodies(value, o);
    if (strcmp(name, "--only") == 0) o->only = value;
    if (strcmp(name, "--json") == 0) o->json = value;
    if (strcmp(name, "--set") == 0) {
        if (o->sets == BENCH_SETTINGS) RAISE(KOL_ERR_INPUT, "error: more than %d settings", BENCH_SETTINGS);
        o->set[o->sets++] = value;
    }
    return KOL_OK;
}

static void read_flag(const char *name, struct bench_options *o)
{
    o->help |= strcmp(name, "--help") == 0;
    o->quick |= strcmp(name, "--quick") == 0;
    o->append |= strcmp(name, "--append") == 0;
    o->shapes |= strcmp(name, "--shapes") == 0;
    o->full |= strcmp(name, "--full") == 0;
    if (strcmp(name, "--warm") == 0) o->mode = BENCH_WARM;
}

/* Refuses settings of inputs in which the lines of a table differ. In the benchmark `poisson`, only the
 * inputs `sums` and `iterations` of &pressure can be set. */
static kol_status check_settings(const struct bench_options *o)
{
    static const char *const of_lines[] = {"preconditioner", "degree", "guess", "tolerance", "iterations"};
    const char *const group = "pressure.";
    for (int i = 0; i < o->sets; ++i) {
        const char *name = o->set[i] + strlen(group);
        if (strncmp(o->set[i], group, strlen(group)) != 0) continue;
        const int length = (int)strcspn(name, " =");
        int refused =
            o->mode == BENCH_POISSON && strncmp(name, "sums", 4) != 0 && strncmp(name, "iterations", 10) != 0;
        for (size_t n = 0; o->mode == BENCH_WARM && n < sizeof of_lines / sizeof *of_lines; ++n)
            refused |= strncmp(name, of_lines[n], strlen(of_lines[n])) == 0;
        if (!refused) continue;
        RAISE(KOL_ERR_INPUT,
              "error: --set %s%.*s: each line of this table has its own; --only picks lines, --full adds "
              "some%s",
              group, length, name, o->mode == BENCH_POISSON ? ", --tolerance says how far to solve" : "");
    }
    return KOL_OK;
}

/* Sizes where none are given; options that another one rules out. */
static kol_status complete_options(struct bench_options *o, int command)
{
    TRY(check_settings(o));
    const int solves = o->tolerance > 0 || o->not_periodic || o->not_channel;
    if (o->mode == BENCH_WARM && solves)
        RAISE(KOL_ERR_INPUT, "error: --warm has its own boxes and goals: no --case, no --tolerance");
    if (o->mode == BENCH_POISSON && o->steps > 0) RAISE(KOL_ERR_INPUT, "error: --steps without --warm");
    const int scaling = o->mode == BENCH_STRONG || o->mode == BENCH_WEAK;
    if (command == KERNELS && o->cells > 0 && !scaling)
        RAISE(KOL_ERR_INPUT, "error: --cells without --scaling; --sizes gives grids");
    if (scaling && (o->sizes > 0 || o->shapes))
        RAISE(KOL_ERR_INPUT, "error: --scaling measures --cells N^3 cells: no --sizes, no --shapes");
    if (o->cells == 0) o->cells = on_cpu() ? CELLS_CPU : CELLS_GPU;
    if (o->sizes > 0) return KOL_OK;
    if (command == POISSON) {
        o->sizes = on_cpu() ? SIZES_POISSON_CPU : SIZES_POISSON_GPU;
        memcpy(o->size, on_cpu() ? POISSON_CPU : POISSON_GPU, (size_t)o->sizes * sizeof *o->size);
    } else {
        o->sizes = SIZES;
        memcpy(o->size, on_cpu() ? SIZES_CPU : SIZES_GPU, sizeof SIZES_CPU);
    }
    if (o->quick) o->sizes = 1;
    return KOL_OK;
}

static kol_status read_options(int argc, char **argv, struct bench_options *o)
{
    const int command = argc > 1 && strcmp(argv[1], "poisson") == 0 ? POISSON : KERNELS;
    if (command == POISSON) o->mode = BENCH_POISSON;
    for (int i = command == POISSON ? 2 : 1; i < argc; ++i) {
        int k = 0;
        while (k < OPTIONS && strcmp(argv[i], OPTION[k].name) != 0) ++k;
        if (k == OPTIONS) RAISE(KOL_ERR_INPUT, "error: unknown option %s; options are:\n%s", argv[i], USAGE);
        if ((OPTION[k].commands & command) == 0)
            RAISE(KOL_ERR_INPUT, "error: %s is an option of the other command:\n%s", argv[i], USAGE);
        if (!OPTION[k].valued) {
            read_flag(argv[i], o);
            continue;
        }
        if (i + 1 == argc || strncmp(argv[i + 1], "--", 2) == 0)
            RAISE(KOL_ERR_INPUT, "error: %s wants a value\n%s", argv[i], USAGE);
        TRY(read_valued(argv[i], argv[i + 1], o));
        ++i;
    }
    return complete_options(o, command);
}

/* The device is chosen by the first run; its bandwidth is measured beside that run's arrays. */
kol_status bench_first_words(struct bench *b)
{
    if (b->bandwidth.copy_rate > 0) return KOL_OK;
    TRY(device_mark_create(1, &b->from));
    TRY(device_mark_create(1, &b->to));
    TRY(bench_measure_bandwidth(b));
    bench_banner(b);
    return KOL_OK;
}

static kol_status measure_grid(struct bench *b, const int n[3])
{
    const int chosen[3] = {0, 0, 0};
    TRY(bench_open(b, n, chosen));
    TRY(bench_first_words(b));
    TRY(bench_fill(b));
    TRY(bench_kernels(b));
    TRY(bench_levels(b));
    TRY(bench_statistics(b));
    TRY(bench_halos(b));
    TRY(bench_iteration(b));
    TRY(bench_outside(b));
    TRY(bench_step(b));
    bench_close(b);
    return KOL_OK;
}

/* Ranks in each direction: prime factors go to the direction with the fewest ranks, z before y before x. */
static void layout_of(int size, int ranks[3])
{
    ranks[X] = ranks[Y] = ranks[Z] = 1;
    for (int factor = size; size > 1; factor = size) {
        for (int f = 2; f * f <= size && factor == size; ++f) {
            if (size % f == 0) factor = f;
        }
        int d = Z;
        for (int e = Y; e >= X; --e) d = ranks[e] < ranks[d] ? e : d;
        ranks[d] *= factor;
        size /= factor;
    }
}

static kol_status measure_scaling(struct bench *b)
{
    const int weak = b->options->mode == BENCH_WEAK;
    int ranks[3], n[3];
    layout_of(b->comm.size, ranks);
    for (int d = 0; d < 3; ++d) n[d] = b->options->cells * (weak ? ranks[d] : 1);
    TRY(bench_open(b, n, ranks));
    TRY(bench_first_words(b));
    TRY(bench_fill(b));
    TRY(bench_iteration(b));
    TRY(bench_outside(b));
    TRY(bench_step(b));
    bench_close(b);
    return KOL_OK;
}

static kol_status measure_grids(struct bench *b)
{
    const struct bench_options *o = b->options;
    if (o->mode == BENCH_STRONG || o->mode == BENCH_WEAK) return measure_scaling(b);
    for (int i = 0; i < o->sizes; ++i) {
        if (o->mode == BENCH_POISSON) TRY(bench_poisson(b, o->size[i]));
        if (o->mode == BENCH_WARM) TRY(bench_warm(b, o->size[i]));
        if (o->mode == BENCH_ALL) TRY(measure_grid(b, o->size[i]));
    }
    return o->mode == BENCH_ALL ? bench_face(b) : KOL_OK;
}

static kol_status told_of_missed(const struct bench *b)
{
    if (b->missed == 0) return KOL_OK;
    RAISE(KOL_ERR_NUMERICAL,
          "lines that did not reach --tolerance: %d; a larger one may be met, or widths that are more equal",
          b->missed);
}

static kol_status measure(struct bench *b)
{
    const struct bench_options *o = b->options;
    TRY(bench_writable(b));
    TRY(measure_grids(b));
    if (b->records == 0 && b->missed == 0 && o->only[0] != '\0')
        RAISE(KOL_ERR_INPUT,
              "error: --only '%s': no line has that in its name, or those that have are not to be had here; "
              "without --only all are listed",
              o->only);
    TRY(bench_write(b));
    return comm_agree(&b->comm, told_of_missed(b)); /* the same on all ranks */
}

/* Returns the default name of the JSON file. It lies in the folder of the build if the program is called
 * from the folder of the project, and otherwise in the folder from which it is called. */
static const char *default_json(void)
{
    static const char path[] = BENCH_JSON;
    char folder[sizeof path];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    return access(folder, F_OK) == 0 ? path : strrchr(path, '/') + 1;
}

int main(int argc, char **argv)
{
    struct bench_options o = {.only = "", .json = default_json()};
    struct bench b = {.options = &o};
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    kol_status st = comm_create(&b.comm);
    if (st == KOL_OK) st = read_options(argc, argv, &o);
    if (st == KOL_OK && o.help && b.comm.rank == 0) fputs(USAGE, stdout);
    if (st == KOL_OK && !o.help) st = measure(&b);
    /* the command line, and so a fault of the input, is that of all ranks */
    const int together = st == KOL_ERR_INPUT || status_agreed();
    if (st != KOL_OK && (!together || b.comm.rank == 0)) status_print(b.comm.rank);
    if (st != KOL_OK && !together) MPI_Abort(MPI_COMM_WORLD, status_exit_code(st));
    device_mark_destroy(&b.from);
    device_mark_destroy(&b.to);
    free(b.record);
    free(b.run); /* not NULL after a fault alone */
    comm_destroy(&b.comm);
    MPI_Finalize();
    return status_exit_code(st);
}
