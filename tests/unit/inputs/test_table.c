/* Tests the table of input variables against struct input and against its own ranges. Catches a member
 * without a variable, two variables with the same member, a default out of range, an end of a range that is
 * refused, and a value beyond it that is accepted. No MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/table.h"
#include "inputs/values.h"

static int is_text(const struct variable *v)
{
    return v->type == TYPE_TEXT || v->type == TYPE_CHOICE || v->type == TYPE_DURATION;
}

static int accepts(const struct variable *v, const char *text, int quoted)
{
    struct input scratch;
    struct reason why;
    const int last = variable_elements(v) - 1;
    memset(&scratch, 0, sizeof scratch);
    return value_read(v, last, text, strlen(text), quoted, &scratch, &why);
}

/* A number at, and next to, each end of a range. */
static void check_ends(const struct variable *v)
{
    char text[64];
    double step = v->type == TYPE_INT ? 1 : 1e-9 * fmax(1, fabs(v->low));
    if (isfinite(v->low)) {
        snprintf(text, sizeof text, "%.17g", v->low);
        assert_int_equal(accepts(v, text, 0), !v->low_open);
        snprintf(text, sizeof text, "%.17g", v->low - step);
        assert_int_equal(accepts(v, text, 0), 0);
        snprintf(text, sizeof text, "%.17g", v->low + step);
        assert_int_equal(accepts(v, text, 0), 1);
    }
    if (isfinite(v->high)) {
        if (v->type != TYPE_INT) step = 1e-9 * fmax(1, fabs(v->high));
        snprintf(text, sizeof text, "%.17g", v->high);
        assert_int_equal(accepts(v, text, 0), !v->high_open);
        snprintf(text, sizeof text, "%.17g", v->high + step);
        assert_int_equal(accepts(v, text, 0), 0);
    }
}

/* Tests that every member of struct input has exactly one variable. The only bytes without a variable are
 * the padding before a member of 8 bytes or before a group. */
static void check_members(const struct variable *table, int count)
{
    static int owners[sizeof(struct input)];
    for (int i = 0; i < count; ++i)
        for (size_t n = 0; n < (size_t)variable_elements(&table[i]) * variable_element_bytes(&table[i]); ++n)
            assert_int_equal(++owners[table[i].offset + n], 1);
    for (size_t n = 0; n < sizeof(struct input); ++n)
        if (owners[n] == 0 && (n % 8 < 4 || owners[n - n % 4 - 1] == 0))
            fail_msg("byte %zu of struct input is no variable's", n);
}

static void test_table(void **state)
{
    (void)state;
    int count = 0;
    const struct variable *table = input_table(&count);
    check_members(table, count);
    for (int i = 0; i < count; ++i) {
        const struct variable *v = &table[i];
        assert_int_equal(table_name(table, count, v->group, v->name), i); /* no name twice */
        assert_true(variable_elements(v) <= TABLE_ELEMENTS);
        assert_non_null(v->help);
        assert_non_null(v->unit);
        if (v->preset) assert_int_equal(accepts(v, v->preset, is_text(v)), !v->not_given);
        if (!v->preset) assert_non_null(v->example);
        assert_int_equal(accepts(v, "tomato", 0), 0);
        if (v->type == TYPE_INT || v->type == TYPE_REAL) check_ends(v);
        if (v->type == TYPE_TEXT) assert_int_equal(accepts(v, "", 1), v->low < 1);
        if (v->type == TYPE_CHOICE) assert_int_equal(accepts(v, "tomato", 1), 0);
        for (int n = 0; v->names && v->names[n]; ++n) assert_int_equal(accepts(v, v->names[n], 1), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
