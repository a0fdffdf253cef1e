/* ranks: 1 */
/* Tests the numbers of the log, which have three significant digits, whatever their size. Catches a short
 * time of a step that is printed with one digit, and an exponent in a number that people read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "io/log.h"

static void test_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.3126, "0.313"}, {0.0416, "0.0416"},       {1.0, "1.00"},
                {9.994, "9.99"},   {47.34, "47.3"},          {312.6, "313"},
                {3126.4, "3126"},  {1e6, "1000000"},         {0, "0.00"},
                {-0.25, "-0.250"}, {1.25e-7, "0.000000125"}, {2e16, "2.00e+16"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        assert_string_equal(log_digits(rows[i].value).text, rows[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
