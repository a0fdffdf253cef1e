/* Tests the comparison of the inputs that a file holds with the present ones. Each change is reported once,
 * with both values, and with whether it changes the physics. Equal inputs that are written differently are no
 * change. Catches a change that a restart would not see, a comment taken for a value, and a variable of
 * another version that is ignored. No MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/compare.h"
#include "inputs/print.h"

/* Values of &run and &grid, then of the file's other groups. */
struct words {
    const char *run, *grid, *rest;
};

static struct input read_input(struct words w, struct input_source *source)
{
    struct input in;
    char text[4096];
    snprintf(text, sizeof text, "&run t_end=1 %s /\n&grid n=64,64,64 %s /\n&fluid nu=0.1 /\n%s", w.run,
             w.grid, w.rest);
    status_clear();
    if (input_read("f", text, strlen(text), NULL, 1, &in, source) != KOL_OK) fail_msg("%s", status_message());
    return in;
}

static const struct words none = {"", "", ""};

static char told[8192];

static void tell(void *context, const struct input_change *c)
{
    const size_t used = strlen(told);
    ++*(int *)context;
    snprintf(told + used, sizeof told - used, "%s:%s>%s:%d%d\n", c->name, c->was, c->now, c->physics,
             c->known);
}

/* The text of the first input against the values of the second. */
static void check_changes(const char *text, const struct input *in, const char *wanted)
{
    int calls = 0;
    told[0] = '\0';
    const int count = input_compare(text, in, tell, &calls);
    assert_int_equal(count, calls);
    if (strcmp(told, wanted) != 0) fail_msg("told:\n%swanted:\n%s", told, wanted);
}

static void check_pair(struct words was, struct words now, const char *wanted)
{
    struct input_source source;
    const struct input a = read_input(was, &source);
    char *text = input_text(&a, &source);
    const struct input b = read_input(now, &source);
    check_changes(text, &b, wanted);
    free(text);
}

static struct words run_with(const char *run)
{
    return (struct words){run, "", ""};
}

static struct words rest(const char *groups)
{
    return (struct words){"", "", groups};
}

static void test_no_change(void **state)
{
    (void)state;
    check_pair(none, none, "");
    check_pair(rest("&time dt=0.5 /\n"), rest("&time dt=5e-1 /\n"), "");
    check_pair(run_with("title='a ! b = c / &d'"), run_with("title='a ! b = c / &d'"), "");
    check_pair(run_with("title='it''s'"), run_with("title='it''s'"), "");
}

static void test_changes(void **state)
{
    (void)state;
    check_pair(run_with("steps_max=4"), run_with("steps_max=8"), "run.steps_max:4>8:01\n");
    check_pair(run_with("title='a ! b'"), run_with("title='a ! c'"), "run.title:'a ! b'>'a ! c':01\n");
    check_pair(run_with("steps_max=4"), none, "run.steps_max:4>not given:01\n");
    const struct words stretched = {"", "stretching='sine','uniform','uniform' stretching_factor=0.5,0,0",
                                    ""};
    check_pair(stretched, none,
               "grid.stretching:'sine', 'uniform', 'uniform'>'uniform', 'uniform', 'uniform':01\n"
               "grid.stretching_factor:0.5, 0, 0>0, 0, 0:01\n");
    check_pair(rest("&time scheme='rk3-wray' /\n&checkpoint restart='latest' force=T /\n"), none,
               "time.scheme:'rk3-wray'>'rk3-half':01\ncheckpoint.restart:'latest'>'none':01\n"
               "checkpoint.force:.true.>.false.:01\n");
}

static struct input with_reynolds(struct input_source *source)
{
    static const char text[] = "&run t_end=1 /\n&grid n=64,64,64 /\n&fluid reynolds=10 /\n";
    struct input in;
    status_clear();
    assert_int_equal(input_read("f", text, strlen(text), NULL, 1, &in, source), KOL_OK);
    return in;
}

/* The viscosity counts, not which of its two names was used. */
static void test_physics(void **state)
{
    (void)state;
    struct input_source source;
    const struct input a = with_reynolds(&source);
    char *text = input_text(&a, &source);
    struct input b = read_input(none, &source);
    check_changes(text, &b, "fluid.reynolds:10>not given:01\n");
    b.fluid.nu = 0.2;
    check_changes(text, &b, "fluid.nu:0.1>0.2:11\nfluid.reynolds:10>not given:01\n");
    free(text);
}

/* Texts of other versions: a variable less has its default, one more is told. */
static void test_other_versions(void **state)
{
    (void)state;
    struct input_source source;
    struct input b = read_input(none, &source);
    char *text = input_text(&b, &source);
    char *line = strstr(text, "  cfl = ");
    assert_non_null(line);
    memcpy(line, "  cfk", 5);
    check_changes(text, &b, "time.cfk:0.8>:00\n");
    b.time.cfl = 0.5;
    check_changes(text, &b, "time.cfl:0.8>0.5:01\ntime.cfk:0.8>:00\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_change),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_physics),
        cmocka_unit_test(test_other_versions),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
