/* Tests the inputs of Kolmo: the rules across variables, printing and reading back, the cases, and random
 * edits of a valid file. Catches a rule that can never find a fault, and a printed input that differs from
 * the one that was read. No MPI. The cases are read from inputs/cases, so run it from the top folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/check.h"
#include "inputs/print.h"
#include "inputs/rank_layout.h"
#include "inputs/table.h"

static const char base[] = "&run t_end=1 /\n&grid n=64,64,64 /\n&fluid nu=0.1 /\n";

static struct input in;
static struct input_source source;

static kol_status read_text(const char *text, const char *const *set, int sets, int nranks)
{
    status_clear();
    return input_read("f", text, strlen(text), &(struct input_settings){sets, set, NULL}, nranks, &in,
                      &source);
}

/* want NULL: accepted; else the message, exactly. */
static void check_whole(const char *text, int nranks, const char *want)
{
    const kol_status st = read_text(text, NULL, 0, nranks);
    if (!want && st != KOL_OK) fail_msg("%s\n  refused: %s", text, status_message());
    if (want && (st != KOL_ERR_INPUT || strcmp(status_message(), want) != 0))
        fail_msg("%s\n  says: %s\n  not:  %s", text, status_message(), want);
}

/* The same with three lines of valid input before. */
static void check_rule(const char *extra, const char *want)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", base, extra);
    check_whole(text, 1, want);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(read_text(base, NULL, 0, 1), KOL_OK);
    assert_string_equal(in.run.title, "");
    assert_int_equal(in.run.steps_max, -1);
    assert_int_equal(in.run.seed, 1);
    assert_int_equal(in.grid.n[2], 64);
    assert_true(in.grid.length[2] == 6.283185307179586);
    assert_int_equal(in.grid.stretching[1], STRETCHING_UNIFORM);
    assert_true(in.fluid.nu == 0.1);
    assert_int_equal(in.boundary.face[5], BOUNDARY_PERIODIC);
    assert_int_equal(in.time.scheme, SCHEME_RK3_HALF);
    assert_true(in.time.cfl == 0.8 && in.time.dt == 0 &&
                in.time.diffusion_tolerance == KOL_CHOOSE(1e-10, 1e-6));
    assert_int_equal(in.pressure.preconditioner, PRECOND_MULTIGRID);
    assert_int_equal(in.pressure.guess, GUESS_LLI);
    assert_int_equal(in.initial.type, INITIAL_TAYLOR_GREEN);
    assert_int_equal(in.output.field_precision, PRECISION_SINGLE);
    assert_int_equal(in.checkpoint.at_end, 1);
    assert_string_equal(in.checkpoint.restart, "none");
    int count = 0;
    const struct variable *table = input_table(&count);
    for (int v = 0; v < count; ++v)
        if (strcmp(table[v].name, "t_end") == 0) assert_int_equal(source.line[v], 1);
        else if (strcmp(table[v].name, "cfl") == 0) assert_int_equal(source.line[v], 0);
    check_whole("&run t_end=1 /\n&grid n=64,64,64 /\n&fluid reynolds=1600 /", 1, NULL);
    assert_true(in.fluid.nu == 1.0 / 1600);
}

static void test_required(void **state)
{
    (void)state;
    check_whole("", 1,
                "f:1:1: error: grid.n is required; add for example n = 64, 64, 64 to &grid\nf:1:1: error: "
                "run.t_end or run.steps_max is required; add for example t_end = 10 to &run\nf:1:1: error: "
                "fluid.nu or fluid.reynolds is required; add for example reynolds = 1600 to &fluid");
    check_whole("&run steps_max=0 / &grid n=8,8 / &fluid nu=0 /", 1,
                "f:1:26: error: grid.n(3) is not given; grid.n takes 3 values, for example n = 64, 64, 64");
    check_whole(
        "&run t_end=x /\n&grid nn=8,8,8 /\n&fliud nu=0 /", 1,
        "f:1:12: error: run.t_end takes a real number, not 'x'\nf:2:7: error: 'nn' is not known in group "
        "grid, did you mean 'n'?\nf:3:2: error: group 'fliud' is not known, did you mean 'fluid'?");
    check_whole(
        "&run t_end=1 /\n&grid n=8,8,1 /\n&fluid\n nu=1,\n reynolds=5 /", 1,
        "f:2:13: error: grid.n(3) = 1 is out of range; allowed: 2 <= n <= 65536\nf:4:2: error: fluid.nu has "
        "no effect with fluid.reynolds = 5 (line 5); remove it, or give no fluid.reynolds");
    check_whole(
        "&run t_end=1 /\n&grid n=8,8,8 /\n&fluid reynolds=1e-320 /", 1,
        "f:3:8: error: nu = 1/reynolds is not finite with reynolds = 9.99989e-321; choose a larger one");
    check_rule("&boundary x_low='tomato' /", "f:4:17: error: boundary.x_low = 'tomato' is not known; "
                                             "allowed: 'periodic', 'wall', 'slip', 'inflow', 'outflow'");
}

/* Names that are far from every known one get no guess; groups of other codes are answered. */
static void test_other_codes(void **state)
{
    (void)state;
    check_rule("&les model='wale' /",
               "f:4:2: error: group 'les' is not known: Kolmo resolves all scales and has "
               "no subgrid or wall model");
    check_rule("&species n=2 /",
               "f:4:2: error: group 'species' is not known: Kolmo has the groups scalars, for "
               "temperatures and other scalars without reactions, and buoyancy");
    check_rule("&statistics direction='none' /",
               "f:4:13: error: 'direction' is not known in group statistics, did you mean 'directions'?");
    check_rule("&checkpoint t_end=1 /",
               "f:4:13: error: 't_end' is not known in group checkpoint, did you mean run.t_end?");
    check_rule("&force type='none' /", "f:4:2: error: group 'force' is not known, did you mean 'forcing'?");
    check_rule("&STATS start=0 /", "f:4:2: error: group 'STATS' is not known, did you mean 'statistics'?");
    check_rule("&slises /", "f:4:2: error: group 'slises' is not known, did you mean 'slices'?");
    check_rule("&lens /",
               "f:4:2: error: group 'lens' is not known; the groups are run, grid, fluid, boundary, "
               "forcing, scalars, buoyancy, time, pressure, initial, output, slices, boxes, probes, history, "
               "bodies, "
               "bodies_list, packing, statistics, "
               "checkpoint, device");
}

/* A velocity of 0 beside a table says nothing; another one is refused. */
static void test_velocity_beside_table(void **state)
{
    (void)state;
    check_rule("&initial type='rest' / &boundary x_low='inflow' x_low_profile='table' x_low_along='z' "
               "x_low_file='t'\n"
               "x_low_velocity=0,0,0 x_high='outflow' /",
               NULL);
    check_rule("&initial type='rest' / &boundary x_low='inflow' x_low_profile='table' x_low_along='z' "
               "x_low_file='t'\n"
               "x_low_velocity=0,0,1 x_high='outflow' /",
               "f:5:1: error: boundary.x_low_velocity has no effect with boundary.x_low_profile = 'table' "
               "(line 4); remove it, or choose 'uniform' or 'parabolic'");
}

static void test_rules(void **state)
{
    (void)state;
    check_rule(
        "&time cfl=0.5 dt=0.1 /",
        "f:4:7: error: time.cfl has no effect with time.dt = 0.1 (line 4); remove it, or give no time.dt");
    check_rule("&time cfl=1.8 /", NULL);
    check_rule("&statistics interval=5 /",
               "f:4:13: error: statistics.interval has no effect: statistics.start is not given; remove it, "
               "or give statistics.start");
    check_whole(
        "&run t_end=1 /\n&grid n=8,8,8 stretching(3)='sine' stretching_factor(3)=0.5 /\n&fluid nu=1 "
        "/\n&statistics start=0 spectra_interval=5 /",
        1,
        "f:4:21: error: statistics.spectra_interval has no effect with grid.stretching = 'uniform', "
        "'uniform', 'sine' (line 2); remove it, or choose grid.stretching = 'uniform', 'uniform', 'uniform'");
    check_rule("&time cfl=2 scheme='rk3-half' /", NULL);
    check_rule("&time scheme='rk3-wray' cfl=1.8 /",
               "f:4:29: error: time.cfl = 1.8 is out of range; allowed: cfl <= 1.7320508 with time.scheme = "
               "'rk3-wray' (line 4)");
    check_rule("&time diffusion_tolerance=1e-8 /",
               "f:4:7: error: time.diffusion_tolerance has no effect with time.diffusion = 'explicit' (the "
               "default); remove it, or choose time.diffusion = 'implicit'");
    check_rule("&time diffusion_tolerance=1e-6 diffusion='implicit' /", NULL);
    check_rule("&pressure preconditioner='jacobi' degree=2 /",
               "f:4:35: error: pressure.degree has no effect with pressure.preconditioner = 'jacobi' (line "
               "4); remove it, or choose pressure.preconditioner = 'polynomial'");
    check_rule("&pressure degree=2 /",
               "f:4:11: error: pressure.degree has no effect with pressure.preconditioner = 'multigrid' (the "
               "default); remove it, or choose pressure.preconditioner = 'polynomial'");
    check_rule("&pressure preconditioner='polynomial' smoothing=2 /",
               "f:4:39: error: pressure.smoothing has no effect with pressure.preconditioner = 'polynomial' "
               "(line 4); remove it, or choose pressure.preconditioner = 'multigrid' or 'auto'");
    check_rule("&pressure preconditioner='polynomial' weight=0.8 /",
               "f:4:39: error: pressure.weight has no effect with pressure.degree = 4 (the default); remove "
               "it, or choose pressure.degree = 1");
    check_rule("&pressure preconditioner='polynomial' degree=1 weight=0.8 /", NULL);
    check_rule("&pressure preconditioner='polynomial' degree=1 ratio=50 /",
               "f:4:48: error: pressure.ratio has no effect with pressure.degree = 1 (line 4); remove it, or "
               "choose pressure.degree >= 2");
    check_rule("&output field_interval=5\n field_interval_time=0.1 /",
               "f:5:2: error: output.field_interval_time and output.field_interval (line 4) can't both be "
               "above 0; remove one");
    check_rule("&output field_interval=5 field_interval_time=0 /", NULL);
    check_rule("&output directory='' /", "f:4:19: error: output.directory must not be empty");
}

static void test_stretching(void **state)
{
    (void)state;
    check_rule("/", "f:4:1: error: this text stands outside a group; begin a comment with '!'");
    const char *set[] = {"grid.stretching=uniform,tanh,sine", "grid.stretching_factor=0,2,0.5",
                         "pressure.tolerance=1e-4"};
    assert_int_equal(read_text(base, set, 3, 1), KOL_OK);
    assert_true(in.grid.stretching_factor[2] == 0.5 && in.grid.stretching[2] == STRETCHING_SINE);
    const char *many[] = {"grid.stretching=uniform,tanh,sine", "grid.stretching_factor=1,11,1"};
    assert_int_equal(read_text(base, many, 2, 1), KOL_ERR_INPUT);
    assert_non_null(strstr(
        status_message(),
        "grid.stretching_factor(1) = 1 is out of range; allowed: 0, for it has no effect with 'uniform'"));
    assert_non_null(
        strstr(status_message(), "grid.stretching_factor(2) = 11 is out of range; allowed: 0 < f <= 10"));
    assert_non_null(
        strstr(status_message(), "grid.stretching_factor(3) = 1 is out of range; allowed: 0 < f < 1 with"));
    check_whole("&run t_end=1 /\n&fluid nu=0 /\n&grid n=8,8,8\n stretching(3)='tanh'\n/", 1,
                "f:4:2: error: grid.stretching_factor(3) = 0 is out of range; allowed: 0 < f <= 10 with "
                "'tanh', the value of grid.stretching(3) (line 4)");
}

/* initial.type = 'channel' needs a direction without walls that the flow can take. */
static void test_channel_start(void **state)
{
    (void)state;
    static const char rest[] =
        "y_low='outflow' y_high='outflow' z_low='%s' z_high='%s' /\n&initial type='channel' /";
    static const struct {
        const char *x, *z;
        int good;
    } cases[] = {{"x_low='inflow' x_low_velocity=1,0,0 x_high='wall'", "outflow", 0},
                 {"x_low='inflow' x_low_velocity=1,0,0 x_high='wall'", "wall", 0},
                 {"x_low='inflow' x_low_velocity=1,0,0 x_high='wall'", "periodic", 1},
                 {"x_low='inflow' x_low_velocity=1,0,0 x_high='outflow'", "wall", 1}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        char faces[256], text[512];
        snprintf(faces, sizeof faces, rest, cases[n].z, cases[n].z);
        snprintf(text, sizeof text, "&boundary %s %s", cases[n].x, faces);
        check_rule(text, cases[n].good
                             ? NULL
                             : "f:5:10: error: initial.type = 'channel' has no streamwise direction: a "
                               "direction without walls must be periodic or have an inflow across its faces; "
                               "choose initial.type = 'uniform' or 'rest', or for example periodic x or y");
    }
    check_rule(
        "&boundary x_low='wall' x_high='wall' /\n&forcing type='power' value=1 /\n&initial type='channel' /",
        "f:5:10: error: forcing.direction = 'x' (the default) is not periodic: a force can't drive the fluid "
        "through boundary.x_low (line 4); choose a periodic direction");
}

static void test_initial(void **state)
{
    (void)state;
    check_rule("&initial type='rest' velocity=1,0,0 /",
               "f:4:22: error: initial.velocity has no effect with initial.type = 'rest' (line 4); remove "
               "it, or choose initial.type = 'uniform'");
    check_rule(
        "&initial abc=1,1,1 u_rms=2 /",
        "f:4:10: error: initial.abc has no effect with initial.type = 'taylor-green' (the default); remove "
        "it, or choose initial.type = 'abc'\nf:4:20: error: initial.u_rms has no effect with initial.type = "
        "'taylor-green' (the default); remove it, or choose initial.type = 'isotropic'");
    check_rule(
        "&initial type='uniform' amplitude=1 /",
        "f:4:25: error: initial.amplitude has no effect with initial.type = 'uniform' (line 4); remove it, "
        "or choose initial.type = 'taylor-green', 'taylor-green-2d', 'abc', 'beltrami' or 'channel'");
    check_rule("&initial type='isotropic' spectrum='file' /",
               "f:4:27: error: initial.spectrum = 'file' needs initial.spectrum_file; add for example "
               "spectrum_file = 'e.txt'");
    check_rule("&initial type='isotropic' spectrum='file' spectrum_file='e' /", NULL);
    check_rule("&initial type='isotropic' spectrum_file='e' /",
               "f:4:27: error: initial.spectrum_file has no effect with initial.spectrum = 'gaussian' (the "
               "default); remove it, or choose initial.spectrum = 'file'");
    check_rule("&initial type='isotropic' spectrum='file' spectrum_file='e' k_peak=3 /",
               "f:4:61: error: initial.k_peak has no effect with initial.spectrum = 'file' (line 4); remove "
               "it, or choose initial.spectrum = 'gaussian' or 'von-karman'");
    check_whole(
        "&run t_end=1 /\n&fluid nu=0 /\n&grid n=8,8,8\n length=1,1,2\n/\n&initial type='abc' /", 1,
        "f:4:2: error: grid.length = 1, 1, 2: the three must be equal with initial.type = 'abc' (line 6)");
    check_whole("&run t_end=1 /\n&fluid nu=0 /\n&grid n=8,8,8 length=1,1,2 /", 1, NULL);
}

#define STILL "the fluid is at rest and nothing limits the time step; set time.dt"
#ifdef KOLMO_FLOAT
#define ARITHMETIC "float"
#define NEAR       "8e4"
#define TOL_GOOD   "2.4e-6"
#define TOL_BAD    "2.3e-6"
#define TOL_SAYS   "2.3e-06 is below what float arithmetic can reach on this grid; ask for 2.4e-06 or more"
#define DIFF_GOOD  "4.8e-7"
#define DIFF_BAD   "4.7e-7"
#define DIFF_SAYS  "4.7e-07 is below what float arithmetic can reach; ask for 4.8e-07 or more"
#define STEEP      "grid.stretching_factor(2) = 10: faces "
#else
#define ARITHMETIC "double"
#define NEAR       "3e13"
#define TOL_GOOD   "4.5e-15"
#define TOL_BAD    "4.4e-15"
#define TOL_SAYS   "4.4e-15 is below what double arithmetic can reach on this grid; ask for 4.5e-15 or more"
#define DIFF_GOOD  "9e-16"
#define DIFF_BAD   "8e-16"
#define DIFF_SAYS  "8e-16 is below what double arithmetic can reach; ask for 8.9e-16 or more"
#define STEEP      "pressure.tolerance = 1e-06 (the default) is below what double arithmetic"
#endif

/* Refused with one fault that begins so; with `good` in place of `bad`, accepted. %s in text: good or bad. */
static void check_limit(const char *text, const char *good, const char *bad, const char *place,
                        const char *says)
{
    char with[512], want[256];
    snprintf(with, sizeof with, text, good);
    check_whole(with, 1, NULL);
    snprintf(with, sizeof with, text, bad);
    snprintf(want, sizeof want, "f:%s: error: %s", place, says);
    assert_int_equal(read_text(with, NULL, 0, 1), KOL_ERR_INPUT);
    if (strncmp(status_message(), want, strlen(want)) != 0 || strchr(status_message(), '\n'))
        fail_msg("%s\n  says: %s\n  not:  %s", with, status_message(), want);
}
#define LIMIT(after, ...) check_limit("&run t_end=1 /\n&fluid nu=" after, __VA_ARGS__)

/* What arithmetic and grid can carry. */
static void test_reach(void **state)
{
    (void)state;
    LIMIT("0 / &grid n=8,8,8 origin=0,%s,0 /", NEAR, "-1e17", "2:38",
          "grid.origin(2) = -1e+17: faces 0 and 1 in y");
    LIMIT("0 / &grid n=8,8,8 length(2)=%s /", "6", "5e-324", "2:39",
          "grid.length(2) = 4.94066e-324 is too short for " ARITHMETIC " arithmetic");
    LIMIT("0 / &grid n=8,8,8 / &pressure tolerance=%s /", TOL_GOOD, TOL_BAD, "2:51",
          "pressure.tolerance = " TOL_SAYS);
    LIMIT("1 / &grid n=8,8,8 / &time dt=1 diffusion='implicit' diffusion_tolerance=%s /", DIFF_GOOD, DIFF_BAD,
          "2:83", "time.diffusion_tolerance = " DIFF_SAYS);
    LIMIT("0 / &grid n=9,%s,9 /", "3", "2", "2:25",
          "grid.n(2) = 2 is too few with initial.wavenumber = 1 (the default); at least 3");
    LIMIT("0 / &grid n=9,%s,9 / &initial type='isotropic' k_peak=1 /", "3", "2", "2:25",
          "grid.n(2) = 2 is too few with initial.type = 'isotropic' (line 2); at least 3");
    LIMIT("0 / &grid n=9,8,7 / &initial wavenumber=%s /", "3", "4", "2:51",
          "initial.wavenumber = 4 is too large for the 7 cells in z; allowed: wavenumber <= 3");
    LIMIT("0 / &grid n=9,9,2 / &initial type='taylor-green-2d' wavenumber=%s /", "4", "2147483647", "2:74",
          "initial.wavenumber = 2147483647 is too large for the 9 cells in x");
    LIMIT("0 / &grid n=9,8,%s / &initial wavenumber=9 /", "19 / &checkpoint restart='latest'", "x", "2:27",
          "grid.n(3) takes an integer");
    LIMIT("%s / &grid n=2,2,2 / &initial type='rest' /", "1", "0", "2:40", STILL);
    LIMIT("1 / &grid n=2,2,2 / &initial type='uniform' velocity(3)=%s / &time diffusion='implicit' /", "1",
          "0", "2:40", STILL);
    LIMIT("0 / &grid n=2,2,2 / &initial type='rest' / &time dt=%s /", "1", "0", "2:40", STILL);
    LIMIT("0 / &grid n=2,2,2 / &initial type='rest' / &forcing type='pressure-gradient' value=%s /", "1", "0",
          "2:40", STILL);
    /* the steepest stretching */
    const char *set[] = {"grid.stretching=uniform,tanh,uniform", "grid.stretching_factor=0,10,0",
                         "grid.n=8,65536,8"};
    const char *want = "--set grid.stretching_factor=0,10,0: error: " STEEP;
    assert_int_equal(read_text(base, set, 3, 1), KOL_ERR_INPUT);
    if (strncmp(status_message(), want, strlen(want)) != 0) fail_msg("%s", status_message());
}

static void test_ranks(void **state)
{
    (void)state;
    const int cells[] = {2, 7, 8, 63, 64, 72, 127, 256, 4096}, in_plane[] = {1, 3, 4, 8, 8, 8, 8, 8, 16},
              in_z[] = {1, 3, 4, 16, 16, 16, 16, 16, 16};
    for (int i = 0; i < 9; ++i) {
        assert_int_equal(grid_blocks(0, cells[i]), in_plane[i]);
        assert_int_equal(grid_blocks(1, cells[i]), in_plane[i]);
        assert_int_equal(grid_blocks(2, cells[i]), in_z[i]);
    }
    const char *at = "&run t_end=1 /\n&fluid nu=0 /\n&grid n=8,8,8 %s /";
    const struct {
        const char *ranks;
        int nranks;
        const char *want;
    } rows[] = {
        {"", 64, NULL},
        {"", 0, NULL},
        {"", 7,
         "f:3:7: error: 7 ranks can't be divided over 8 x 8 x 8 cells: at most 4, 4, 4 are allowed in x, y, "
         "z; the largest usable number of ranks is 6"},
        {"", 100,
         "f:3:7: error: 100 ranks can't be divided over 8 x 8 x 8 cells: at most 4, 4, 4 are allowed in x, "
         "y, z; the largest usable number of ranks is 64"},
        {"ranks=2,2,1", 4, NULL},
        {"ranks=2,0,0", 8, NULL},
        {"ranks=2,2,1", 8,
         "f:3:15: error: grid.ranks = 2, 2, 1 has the product 4, but the run has 8 ranks; start it on as "
         "many, or give no grid.ranks"},
        {"ranks=2,2,1", 1,
         "f:3:15: error: grid.ranks = 2, 2, 1 has the product 4, but the run has 1 rank; start it on as "
         "many, or give no grid.ranks"},
        {"ranks=3,0,0", 8,
         "f:3:15: error: 8 ranks can't be divided as grid.ranks = 3, 0, 0 asks (0 leaves it open): at most "
         "4, 4, 4 are allowed in x, y, z, and their product must be 8; the largest usable number of ranks is "
         "6"},
        {"ranks=1,1,5", 5, "f:3:25: error: grid.ranks(3) = 5 is too many for 8 cells; at most 4 are allowed"},
        {"ranks=2000000000,2000000000,2000000000", 5,
         "f:3:21: error: grid.ranks(1) = 2000000000 is too many for 8 cells; at most 4 are allowed\nf:3:32: "
         "error: grid.ranks(2) = 2000000000 is too many for 8 cells; at most 4 are allowed\nf:3:43: error: "
         "grid.ranks(3) = 2000000000 is too many for 8 cells; at most 4 are allowed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[512];
        snprintf(text, sizeof text, at, rows[i].ranks);
        check_whole(text, rows[i].nranks, rows[i].want);
    }
}

/* What is printed has to be read back to the same bits. */
static void check_round_trip(void)
{
    const struct input first = in;
    char *text = input_text(&first, &source);
    assert_non_null(text);
    if (read_text(text, NULL, 0, 0) != KOL_OK)
        fail_msg("printed inputs are refused: %s\n%s", status_message(), text);
    assert_memory_equal(&in, &first, sizeof in);
    free(text);
}

static void test_print(void **state)
{
    (void)state;
    const char *rich[] = {"run.title=it's \"so\" & / !",
                          "run.walltime=100:02:03",
                          "grid.length=0.1,1e-1,3.3333333333333335",
                          "fluid.nu=1e22",
                          "pressure.tolerance=1e-3",
                          "grid.origin=-1e-300,0.30000000000000004,2e-310",
                          "time.dt=0.12345678901234567",
                          "pressure.preconditioner=jacobi",
                          "initial.type=isotropic",
                          "initial.spectrum=file",
                          "initial.spectrum_file=e/k.txt",
                          "output.fields_vorticity=T",
                          "checkpoint.restart=latest"};
    assert_int_equal(read_text(base, NULL, 0, 1), KOL_OK);
    check_round_trip();
    assert_int_equal(read_text(base, rich, sizeof rich / sizeof rich[0], 1), KOL_OK);
    assert_true(in.grid.length[2] == 3.3333333333333335 && in.grid.origin[2] == 2e-310);
    check_round_trip();
    assert_int_equal(read_text(base, rich, 1, 1), KOL_OK);
    char *text = input_text(&in, &source);
    assert_non_null(strstr(text, "  title = 'it''s \"so\" & / !' ! by --set\n"));
    assert_non_null(strstr(text, "  t_end = 1\n  ! steps_max: not given\n"));
    assert_non_null(strstr(text, "  cfl = 0.8 ! default\n"));
    assert_non_null(
        strstr(text, "  ! weight = 0.9 ! no effect with pressure.preconditioner = 'multigrid'\n"));
    assert_non_null(strstr(text, "  ! write_interval = 1000 ! no effect: statistics.start is not given\n"));
    free(text);
}

static void test_help(void **state)
{
    (void)state;
    int count = 0;
    const struct variable *table = input_table(&count);
    for (int markdown = 0; markdown < 2; ++markdown) {
        char *text = NULL, line[128];
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        input_help(out, markdown);
        fclose(out);
        const char *p = text;
        for (int v = 0; v < count; ++v) { /* in the table's order */
            snprintf(line, sizeof line, markdown ? "\n| `%s` | " : "\n    %s: ", table[v].name);
            p = strstr(p, line);
            if (!p) fail_msg("help lacks %s.%s", table[v].group, table[v].name);
        }
        free(text);
    }
}

static void test_cases(void **state)
{
    (void)state;
    const char *single = "pressure.tolerance=1e-4";
    DIR *folder = opendir("inputs/cases");
    assert_non_null(folder);
    int found = 0;
    for (const struct dirent *file = readdir(folder); file; file = readdir(folder)) {
        if (!strstr(file->d_name, ".nml")) continue;
        char path[512], *text = NULL;
        size_t length = 0;
        snprintf(path, sizeof path, "inputs/cases/%s", file->d_name);
        assert_int_equal(input_load(path, 0, &text, &length), KOL_OK);
        status_clear();
        /* of the cases, one asks for more than single precision can do */
        if (input_read(path, text, length, &(struct input_settings){KOL_CHOOSE(0, 1), &single, NULL}, 4, &in,
                       &source) != KOL_OK)
            fail_msg("%s", status_message());
        assert_string_equal(source.warnings, "");
        free(text);
        check_round_trip();
        ++found;
    }
    closedir(folder);
    assert_true(found >= 5);
}

static void test_load(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    const char *const bad[] = {"/nowhere/at/all.nml", "inputs", "/dev/zero"};
    const char *const want[] = {
        "/nowhere/at/all.nml: error: the file can't be opened: ", "inputs: error: the file can't be opened: ",
        "/dev/zero: error: the file can't be opened: "};
    for (int i = 0; i < 3; ++i) {
        status_clear();
        assert_int_equal(input_load(bad[i], 0, &text, &length), KOL_ERR_INPUT);
        assert_null(text);
        assert_memory_equal(status_message(), want[i], strlen(want[i]));
    }
    status_clear();
    assert_int_equal(input_read("f", "", (size_t)INPUT_BYTES_MAX + 1, NULL, 1, &in, &source), KOL_ERR_INPUT);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static size_t mutate(char *text, size_t length, size_t room, uint32_t *seed)
{
    static const char odd[] = "&/$'\"!,;=*()%:#\n\r\t .0129eExX_\xFF\x80\xEF-+nT";
    for (uint32_t edits = 1 + next_random(seed) % 6; edits > 0 && length > 8; --edits) {
        const size_t at = next_random(seed) % length;
        const size_t n = 1 + next_random(seed) % 8;
        switch (next_random(seed) % 4) {
        case 0:
            text[at] = (char)next_random(seed);
            break;
        case 1:
            text[at] = odd[next_random(seed) % (sizeof odd - 1)];
            break;
        case 2: /* take out */
            if (at + n >= length) break;
            memmove(text + at, text + at + n, length - at - n);
            length -= n;
            break;
        case 3: /* double */
            if (at + n >= length || length + n > room) break;
            memmove(text + at + n, text + at, length - at);
            length += n;
            break;
        }
    }
    return length;
}

/* Random edits: nothing may crash, hang or be refused without a message, and what is accepted must print.
 * tests/fuzz/fuzz_namelist.c makes many more of them. */
static void test_fuzz(void **state)
{
    (void)state;
    enum { ROUNDS = 1200, ROOM = 32768 };
    uint32_t seed = 2463534242u;
    int accepted = 0;
    assert_int_equal(read_text(base, NULL, 0, 1), KOL_OK);
    in.run.steps_max = 7;
    char *valid = input_text(&in, NULL);
    const size_t valid_length = strlen(valid);
    assert_true(valid_length < ROOM);
    for (int round = 0; round < ROUNDS; ++round) {
        char *text = malloc(ROOM); /* so that the sanitizer sees its end */
        memcpy(text, valid, valid_length);
        size_t length = mutate(text, valid_length, ROOM, &seed);
        text = realloc(text, length);
        status_clear();
        const kol_status st = input_read("f", text, length, NULL, 4, &in, &source);
        assert_true(st == KOL_OK || (st == KOL_ERR_INPUT && strncmp(status_message(), "f:", 2) == 0));
        if (st == KOL_OK && ++accepted % 16 == 0) check_round_trip();
        const size_t arg = length > 40 ? 40 : length;
        char set[64];
        memcpy(set, text + next_random(&seed) % (length - arg + 1), arg);
        set[arg] = '\0';
        const char *one = set;
        read_text(base, &one, 1, 4);
        free(text);
    }
    free(valid);
    print_message("%d of %d accepted\n", accepted, ROUNDS);
    assert_true(accepted > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_required),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_other_codes),
        cmocka_unit_test(test_velocity_beside_table),
        cmocka_unit_test(test_initial),
        cmocka_unit_test(test_channel_start),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_stretching),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_fuzz),
        cmocka_unit_test(test_reach),
    };
    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
