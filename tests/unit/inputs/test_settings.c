/* Tests that faults, origins and the printed input name the option that gave a setting. Catches settings of a
 * member that are blamed on --set. No MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/namelist.h"
#include "inputs/print.h"

static const char base[] = "&run t_end=1 /\n&grid n=64,64,64 /\n&fluid nu=0.1 /\n";
static struct input in;
static struct input_source source;

static void test_options(void **state)
{
    (void)state;
    const char *const text[] = {"time.dt=0.1", "time.cfl=0.5"}, *const by[] = {"--set", "--member 2"};
    const struct input_settings set = {2, text, by};
    status_clear();
    assert_int_equal(input_read("f", base, strlen(base), &set, 1, &in, &source), KOL_ERR_INPUT);
    assert_string_equal(status_message(),
                        "--member 2 time.cfl=0.5: error: time.cfl has no effect with time.dt = "
                        "0.1 (given by --set); remove it, or give no time.dt");
    const char *const twice[] = {"run.seed=1", "run.seed=2"};
    status_clear();
    assert_int_equal(
        input_read("f", base, strlen(base), &(struct input_settings){2, twice, by}, 1, &in, &source),
        KOL_ERR_INPUT);
    assert_string_equal(status_message(),
                        "--member 2 run.seed=2: error: run.seed is set by --set and by --member "
                        "2; remove one");
    status_clear();
    assert_int_equal(
        input_read("f", base, strlen(base), &(struct input_settings){1, text + 1, by + 1}, 1, &in, &source),
        KOL_OK);
    assert_string_equal(input_place(&source, offsetof(struct input, time.cfl), 0).at, "--member 2");
    char *printed = input_text(&in, &source);
    assert_non_null(strstr(printed, "  cfl = 0.5 ! by --member 2\n"));
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options)};
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
