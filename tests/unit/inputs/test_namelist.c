/* Tests the grammar of the namelist on a small table of its own: every row of docs/inputs.md, "The file".
 * Catches a value that is read wrongly or silently ignored, and a fault that is reported at the wrong place.
 * No MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "inputs/parse.h"
#include "inputs/values.h"

struct data {
    int i, k[4], a[4], l, c[3];
    double x, y[3], b[4], t;
    char s[INPUT_TEXT], q[2][INPUT_TEXT];
};

#define WIDE      .low = -HUGE_VAL, .high = HUGE_VAL
#define MEMBER(m) .group = "g", .name = #m, .offset = offsetof(struct data, m), .unit = "-", .help = ""

static const char *const colours[] = {"red", "green", "blue", NULL};
static const struct variable table[] = {
    {MEMBER(i), .type = TYPE_INT, .preset = "9", WIDE},
    {MEMBER(k), .type = TYPE_INT, .shape = {4, 0}, .preset = "9", WIDE},
    {MEMBER(a), .type = TYPE_INT, .shape = {2, 2}, .preset = "9", WIDE},
    {MEMBER(x), .type = TYPE_REAL, .preset = "9", WIDE},
    {MEMBER(y), .type = TYPE_REAL, .shape = {3, 0}, .preset = "9", WIDE},
    {MEMBER(b), .type = TYPE_REAL, .shape = {4, 0}, .preset = "9", .not_given = 1, WIDE},
    {MEMBER(l), .type = TYPE_LOGICAL, .preset = ".false."},
    {MEMBER(s), .type = TYPE_TEXT, .preset = "old", .high = INPUT_TEXT - 1},
    {MEMBER(q), .type = TYPE_TEXT, .shape = {2, 0}, .preset = "", .high = INPUT_TEXT - 1},
    {MEMBER(c), .type = TYPE_CHOICE, .shape = {3, 0}, .preset = "red", .names = colours},
    {MEMBER(t), .type = TYPE_DURATION, .preset = "00:00:00", .high = HUGE_VAL},
    {.group = "h", .name = "m", .type = TYPE_INT, .offset = offsetof(struct data, i), .preset = "9", WIDE},
};
enum { TABLE_LENGTH = sizeof table / sizeof table[0] };

static struct reading reading; /* too large for some stacks; the tests run one after the other */
static struct data data;

static kol_status parse(const char *text, size_t length, const char *const *set, int sets)
{
    memset(&data, 0, sizeof data);
    status_clear();
    reading_start(&reading, "f", table, TABLE_LENGTH, &data);
    parse_file(&reading, text, length);
    for (int i = 0; i < sets; ++i) parse_set(&reading, set[i], i + 1);
    return faults_raise(&reading.faults, "f", &(struct input_settings){sets, set, NULL});
}

/* The values of one variable, as a namelist has them. */
static const char *dump(const char *name, char *out, size_t size)
{
    const struct variable *v = &table[table_name(table, TABLE_LENGTH, "g", name)];
    out[0] = '\0';
    for (int e = 0; e < variable_elements(v); ++e)
        snprintf(out + strlen(out), size - strlen(out), "%s%s", e ? "," : "", value_write(v, e, &data).text);
    return out;
}

struct row {
    const char *text, *name, *want;
};

static void check_good(const struct row *rows, size_t count)
{
    char got[4096];
    for (size_t i = 0; i < count; ++i) {
        if (parse(rows[i].text, strlen(rows[i].text), NULL, 0) != KOL_OK)
            fail_msg("%s\n  refused: %s", rows[i].text, status_message());
        if (strcmp(dump(rows[i].name, got, sizeof got), rows[i].want) != 0)
            fail_msg("%s\n  gives %s, not %s", rows[i].text, got, rows[i].want);
    }
}

struct bad_row {
    const char *text, *want; /* the message, exactly */
};

static void check_bad(const struct bad_row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const kol_status st = parse(rows[i].text, strlen(rows[i].text), NULL, 0);
        if (st != KOL_ERR_INPUT || strcmp(status_message(), rows[i].want) != 0)
            fail_msg("%s\n  says: %s\n  not:  %s", rows[i].text, status_message(), rows[i].want);
    }
}

#define CHECK_GOOD(rows) check_good(rows, sizeof rows / sizeof rows[0])
#define CHECK_BAD(rows)  check_bad(rows, sizeof rows / sizeof rows[0])

static void test_lists(void **state)
{
    (void)state;
    static const struct row good[] = {
        {"&g k=4*7 /", "k", "7,7,7,7"},
        {"&g k=2*1,,3 /", "k", "1,1,9,3"},
        {"&g k=1,2*,4 /", "k", "1,9,9,4"},
        {"&g k=,5 /", "k", "9,5,9,9"},
        {"&g k=1 2\t3,4, x=3 /", "k", "1,2,3,4"},
        {"&g k=1,2 x=3 /", "k", "1,2,9,9"},
        {"&g k=1,2 x=3 /", "x", "3"},
        {"&g k=1,2\n x=3 /", "x", "3"},
        {"&g k = 1 , 2 ,\n 3\n , 4 /", "k", "1,2,3,4"},
        {"&g k=1,2, ! c\n3,4 /", "k", "1,2,3,4"},
        {"&g q=2*'a' /", "q", "'a','a'"},
        {"&g q='a'\n  'b' /", "q", "'a','b'"},
        {"&g c='blue',,\"green\" /", "c", "'blue','red','green'"},
    };
    static const struct bad_row bad[] = {
        {"&g k=5*7 /", "f:1:6: error: g.k takes 4 values here; the repeat count 5 gives too many"},
        {"&g k=0*7 /", "f:1:6: error: a repeat count is at least 1"},
        {"&g k=1000000000*7 /",
         "f:1:6: error: g.k takes 4 values here; the repeat count 1000000000 gives too many"},
        {"&g k=99999999999999999999999*7 /",
         "f:1:6: error: g.k takes 4 values here; the repeat count 9223372036854775807 gives too many"},
        {"&g k=1,2,3,4,5 /", "f:1:14: error: g.k takes 4 values here; '5' is one too many"},
        {"&g k=1,2,3,4,,\n /", "f:1:14: error: g.k takes 4 values here; '' is one too many"},
        {"&g x=1,5 /",
         "f:1:8: error: g.x takes 1 value here; '5' is one too many (a decimal comma? write a point)"},
        {"&g i= x=1 /", "f:1:6: error: g.i is given no value"},
        {"&g i=3;k=1 /", "f:1:7: error: ';' doesn't separate values; use ','"},
        {"&g k=1;2 /", "f:1:7: error: ';' doesn't separate values; use ','"},
        {"&g k=1=2 /", "f:1:7: error: values are separated by ',' or a blank"},
        {"&g i==2 /", "f:1:6: error: '=' is not expected here; write a value or the next name"},
        {"&g q='a''b''c'd /", "f:1:15: error: values are separated by ',' or a blank"},
    };
    CHECK_GOOD(good);
    CHECK_BAD(bad);
}

static void test_subscripts(void **state)
{
    (void)state;
    static const struct row good[] = {
        {"&g k(2)=5,6 /", "k", "9,5,6,9"},          {"&g k(2:3)=5,6 /", "k", "9,5,6,9"},
        {"&g k(:)=1,2 /", "k", "1,2,9,9"},          {"&g k(3:)=1,2 k(:2)=3,4 /", "k", "3,4,1,2"},
        {"&g k(4:1:-1)=1,2,3,4 /", "k", "4,3,2,1"}, {"&g k(::2)=1,2 k(4:2:-2)=3,4 /", "k", "1,4,2,3"},
        {"&g k ( 2 : 3 ) = 5,6 /", "k", "9,5,6,9"}, {"&g a=1,2,3,4 /", "a", "1,2,3,4"},
        {"&g a(1,:)=5,6 /", "a", "5,9,6,9"},        {"&g a(2,1)=5,6 /", "a", "9,5,6,9"},
        {"&g a(:,2)=5,6 /", "a", "9,9,5,6"},        {"&g a(2:1:-1,:)=1,2,3,4 /", "a", "2,1,4,3"},
        {"&g k(1)=1 k(2)=2 /", "k", "1,2,9,9"},
    };
    static const struct bad_row bad[] = {
        {"&g k(5)=1 /", "f:1:6: error: g.k: subscript 5 is outside 1 to 4"},
        {"&g k(0)=1 /", "f:1:6: error: g.k: subscript 0 is outside 1 to 4"},
        {"&g k(2:9)=1 /", "f:1:6: error: g.k: subscript 9 is outside 1 to 4"},
        {"&g k(99999999999)=1 /", "f:1:6: error: g.k: subscript 99999999999 is outside 1 to 4"},
        {"&g k(3:2)=1 /", "f:1:6: error: g.k: the subscripts from 3 to 2 in steps of 1 select nothing"},
        {"&g k(1:2:0)=1 /", "f:1:6: error: g.k: the step of a subscript must be an integer other than 0"},
        {"&g k(x)=1 /", "f:1:6: error: g.k takes subscripts such as (2), (1:2) or (:)"},
        {"&g k(1,2)=1 /", "f:1:7: error: g.k takes 1 subscript, then ')'"},
        {"&g k(:1:-1)=1 /",
         "f:1:6: error: g.k: with a negative step write both subscripts, such as (4:1:-1)"},
        {"&g k(4::-1)=1 /",
         "f:1:6: error: g.k: with a negative step write both subscripts, such as (4:1:-1)"},
        {"&g a(1)=1 /", "f:1:7: error: g.a takes 2 subscripts, then ')'"},
        {"&g k(-:)=1 /", "f:1:6: error: g.k takes subscripts such as (2), (1:2) or (:)"},
        {"&g k(1:+)=1 /", "f:1:8: error: g.k takes 1 subscript, then ')'"},
        {"&g a(1 2)=1 /", "f:1:8: error: g.a takes 2 subscripts, then ')'"},
        {"&g a(2:2:-21:)=1 /", "f:1:13: error: g.a takes 2 subscripts, then ')'"},
        {"&g k(2:3)=1,2,3 /", "f:1:15: error: g.k takes 2 values here; '3' is one too many"},
        {"&g s(2:3)='ZZ' /",
         "f:1:5: error: g.s is a single value and takes no subscripts (parts of a text can't be set)"},
        {"&g i%q=3 /",
         "f:1:5: error: '%' is not part of a name here; every variable is group and name alone"},
        {"&g k(1)%q=3 /",
         "f:1:8: error: '%' is not part of a name here; every variable is group and name alone"},
        {"&g k(1) 3 /", "f:1:9: error: '=' must follow k"},
    };
    CHECK_GOOD(good);
    CHECK_BAD(bad);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct row good[] = {
        {"&g x=1.5D-3 /", "x", "0.0015"},
        {"&g x=1.0-3 /", "x", "0.001"},
        {"&g x=1.e+03 /", "x", "1000"},
        {"&g x=+3 /", "x", "3"},
        {"&g x=-.5 /", "x", "-0.5"},
        {"&g x=1.e5 /", "x", "100000"},
        {"&g x=2q1 /", "x", "20"},
        {"&g x=0e999 /", "x", "0"},
        {"&g x=0.1 /", "x", "0.1"},
        {"&g x=1e22 /", "x", "1e+22"},
        {"&g x=4.9e-324 /", "x", "4.94065645841247e-324"},
        {"&g i=+3 /", "i", "3"},
        {"&g i=-0 /", "i", "0"},
        {"&g i=2147483647 /", "i", "2147483647"},
        {"&g l=T /", "l", ".true."},
        {"&g l=.true. /", "l", ".true."},
        {"&g l=true /", "l", ".true."},
        {"&g l=.t. /", "l", ".true."},
        {"&g l=.TRUE. /", "l", ".true."},
        {"&g t='26:03:04' /", "t", "'26:03:04'"},
    };
    static const struct bad_row bad[] = {
        {"&g x=1.5d0_8 /", "f:1:6: error: g.x takes a real number, not '1.5d0_8'"},
        {"&g x=. /", "f:1:6: error: g.x takes a real number, not '.'"},
        {"&g x=1.5e /", "f:1:6: error: g.x takes a real number, not '1.5e'"},
        {"&g x=1.5.2 /", "f:1:6: error: g.x takes a real number, not '1.5.2'"},
        {"&g x=0x10p3 /", "f:1:6: error: g.x takes a real number, not '0x10p3'"},
        {"&g x=(1,2) /", "f:1:6: error: g.x takes a real number, not '(1'"},
        {"&g i=1.5 /", "f:1:6: error: g.i takes an integer, not '1.5'"},
        {"&g i=0x10 /", "f:1:6: error: g.i takes an integer, not '0x10'"},
        {"&g i=2147483648 /", "f:1:6: error: g.i = 2147483648 is too large for its type"},
        {"&g x=nan /", "f:1:6: error: g.x takes a finite number, not 'nan'"},
        {"&g x=-inf /", "f:1:6: error: g.x takes a finite number, not '-inf'"},
        {"&g x=NaN /", "f:1:6: error: g.x takes a finite number, not 'NaN'"},
        {"&g x=1e400 /", "f:1:6: error: g.x = 1e400 is too large for its type"},
        {"&g x=1e-400 /", "f:1:6: error: g.x = 1e-400 is too small for its type; write 0 if that is meant"},
        {"&g x='1' /", "f:1:6: error: g.x takes a number without quotes, not '1'"},
        {"&g y=1,x2,3 /", "f:1:8: error: g.y(2) takes a real number, not 'x2'"},
        {"&g a=1,2,3,b /", "f:1:12: error: g.a(2,2) takes an integer, not 'b'"},
        {"&g l=tomato /", "f:1:6: error: g.l takes .true. or .false., not 'tomato'"},
        {"&g l=1 /", "f:1:6: error: g.l takes .true. or .false., not '1'"},
        {"&g t='1:2:3' /", "f:1:6: error: g.t takes 'hh:mm:ss', not '1:2:3'"},
        {"&g t='00:60:00' /", "f:1:6: error: g.t takes 'hh:mm:ss', not '00:60:00'"},
        {"&g t=01:00:00 /", "f:1:6: error: g.t takes text in quotes; write '01:00:00'"},
        {"&g t=600 /", "f:1:6: error: g.t takes 'hh:mm:ss', not 600"},
    };
    char dots[400];
    CHECK_GOOD(good);
    CHECK_BAD(bad);
    snprintf(dots, sizeof dots, "&g x=1.%0300d /", 0);
    assert_int_equal(parse(dots, strlen(dots), NULL, 0), KOL_ERR_INPUT);
    assert_string_equal(status_message(), "f:1:6: error: g.x has 302 bytes; at most 255 are allowed");
}

static void test_texts(void **state)
{
    (void)state;
    static const struct row good[] = {
        {"&g s='it''s' /", "s", "'it''s'"},
        {"&g s=\"a/b!c\" /", "s", "'a/b!c'"},
        {"&g s=\"say \"\"a\"\" &g\" /", "s", "'say \"a\" &g'"},
        {"&g s='' /", "s", "''"},
        {"&g s='M\xC3\xBCller' /", "s", "'M\xC3\xBCller'"},
    };
    static const struct bad_row bad[] = {
        {"&g s='a\n  x=1 /",
         "f:1:6: error: text is not closed on its line; end it with the quote it began with"},
        {"&g s=abc /", "f:1:6: error: g.s takes text in quotes; write 'abc'"},
        {"&g s=hello world /", "f:1:6: error: g.s takes text in quotes; write 'hello'"},
        {"&g s=5 /", "f:1:6: error: g.s takes text in quotes; write '5'"},
        {"&g s='a\001b' /", "f:1:6: error: text holds a control character; remove it"},
        {"&g c='gren' /",
         "f:1:6: error: g.c(1) = 'gren' is not known, did you mean 'green'? allowed: 'red', 'green', 'blue'"},
        {"&g c='x' /", "f:1:6: error: g.c(1) = 'x' is not known; allowed: 'red', 'green', 'blue'"},
    };
    char text[400];
    CHECK_GOOD(good);
    CHECK_BAD(bad);
    snprintf(text, sizeof text, "&g s='%0255d' /", 0);
    assert_int_equal(parse(text, strlen(text), NULL, 0), KOL_OK);
    assert_int_equal(strlen(data.s), 255);
    snprintf(text, sizeof text, "&g s='%0256d' /", 0);
    assert_int_equal(parse(text, strlen(text), NULL, 0), KOL_ERR_INPUT);
    assert_string_equal(status_message(), "f:1:6: error: g.s has 256 bytes; at most 255 are allowed");
}

static void test_groups(void **state)
{
    (void)state;
    static const struct row good[] = {
        {"! before\n&g ! after the name\n i=1 ! after the value\n/ ! after\n! end", "i", "1"},
        {"# a line\n  # another\n&g i=1 /\n# last", "i", "1"},
        {"&g i=1 &end", "i", "1"},
        {"&g i=1 &END\n&h /", "i", "1"},
        {"&h /\n&g i=1 /", "i", "1"},
        {"&G I=1 /", "i", "1"},
        {"&g\ni=1\n/", "i", "1"},
        {"&g\r\n\ti\t=\t1\r\n/\r\n", "i", "1"},
        {"\xEF\xBB\xBF&g i=1 /", "i", "1"},
        {"&g/", "i", "9"},
        {"&g i=1/&h/", "i", "1"},
        {"", "i", "9"},
    };
    static const struct bad_row bad[] = {
        {"stray\n&g i=1 /", "f:1:1: error: this text stands outside a group; begin a comment with '!'"},
        {"&g i=1 /\n x=2\n y=3 /",
         "f:2:2: error: this text stands outside a group; begin a comment with '!'"},
        {"\n &g i=1\n", "f:2:2: error: group &g is not closed; end it with '/'"},
        {"&g i=1\n&h m=2 /", "f:1:1: error: group &g is not closed; end it with '/'"},
        {"&gg i=1 /", "f:1:2: error: group 'gg' is not known, did you mean 'g'?"},
        {"&tomato i='/' /\n&g i=x /", "f:1:2: error: group 'tomato' is not known; the groups are g, "
                                      "h\nf:2:6: error: g.i takes an integer, not 'x'"},
        {"$g i=1 $end", "f:1:1: error: a group opens with '&', not with '$', and ends with '/'\nf:1:8: "
                        "error: '$end' is not accepted; end a group with '/'"},
        {"&g i=1 /\n&g x=1 /",
         "f:2:1: error: group &g stands here and in line 1; put all its values into one group"},
        {"& g i=1 /", "f:1:1: error: the name of a group must follow '&'"},
        {"&end", "f:1:1: error: &end stands here, but no group is open"},
        {"&g 5 i=1 /", "f:1:4: error: '5' is not expected here; write name = value"},
        {"&g i=1, # c\n/", "f:1:9: error: g.i takes 1 value here; '#' is one too many"},
        {"&g m=1 /", "f:1:4: error: 'm' is not known in group g, did you mean h.m?"},
        {"&g zebra=1 /",
         "f:1:4: error: 'zebra' is not known in group g; its names are i, k, a, x, y, b, l, s, q, c, t"},
        {"&g i=1 i=2 /", "f:1:10: error: g.i is set twice, here in line 1 and before in line 1; remove one"},
        {"&g k=1,2\n k(2)=5 /",
         "f:2:7: error: g.k(2) is set twice, here in line 2 and before in line 1; remove one"},
        {"&g s='\xC3\xBC' i=x /", "f:1:12: error: g.i takes an integer, not 'x'"},
        {"\xEF\xBB\xBF&g i=x /", "f:1:6: error: g.i takes an integer, not 'x'"},
    };
    CHECK_GOOD(good);
    CHECK_BAD(bad);
}

static void test_text_after_group(void **state)
{
    (void)state;
    const char *text = "&g i=1 / more = 'text' &h /\n";
    assert_int_equal(parse(text, strlen(text), NULL, 0), KOL_OK);
    assert_int_equal(data.i, 1);
    assert_string_equal(reading.warnings, "f:1:10: warning: text after the '/' of a group is ignored\n");
    assert_int_equal(parse("&g i=1 / ! c\n", 13, NULL, 0), KOL_OK);
    assert_string_equal(reading.warnings, "");
}

static void test_many_faults(void **state)
{
    (void)state;
    static const struct bad_row bad[] = {
        {"&g x=a\n  i=b, ii=3\n k=1,c,3,d /\n&gg /",
         "f:1:6: error: g.x takes a real number, not 'a'\nf:2:5: error: g.i takes an integer, not "
         "'b'\nf:2:8: error: 'ii' is not known in group g, did you mean 'i'?\nf:3:6: error: g.k(2) takes an "
         "integer, not 'c'\nf:3:10: error: g.k(4) takes an integer, not 'd'\nf:4:2: error: group 'gg' is not "
         "known, did you mean 'g'?"},
    };
    char text[4096] = "&g ";
    CHECK_BAD(bad);
    for (int n = 0; n < 70; ++n) strcat(text, "zzzz=1\n");
    strcat(text, "/");
    assert_int_equal(parse(text, strlen(text), NULL, 0), KOL_ERR_INPUT);
    const char *message = status_message();
    int lines = 1;
    for (const char *p = message; *p; ++p) lines += *p == '\n';
    assert_int_equal(lines, INPUT_FAULTS_MAX + 1);
    assert_string_equal(strrchr(message, '\n'), "\n... and 20 more");
}

static void check_set(const char *file, const char *set, const char *name, const char *want)
{
    char got[4096];
    const kol_status st = parse(file, strlen(file), &set, 1);
    if (name && (st != KOL_OK || strcmp(dump(name, got, sizeof got), want) != 0))
        fail_msg("--set %s: %s, not %s; %s", set, st == KOL_OK ? got : "refused", want, status_message());
    if (!name && (st != KOL_ERR_INPUT || strcmp(status_message(), want) != 0))
        fail_msg("--set %s\n  says: %s\n  not:  %s", set, status_message(), want);
}

static void test_set(void **state)
{
    (void)state;
    check_set("&g i=1 /", "g.i=2", "i", "2");
    check_set("&g k=1,2,3,4 /", "g.k=5,6,7,8", "k", "5,6,7,8");
    check_set("&g k=1,2,3,4 /", "g.k(2)=64", "k", "1,64,3,4");
    check_set("", "G.K=2*1,,3", "k", "1,1,9,3");
    check_set("", "g.b=1,2", "b", "1,2,,");
    check_set("&g b=5,6 /", "g.b=1,2", "b", "1,2,,");
    check_set("&g b=5,6,7 /", "g.b=1,2", NULL,
              "--set g.b=1,2: error: g.b takes 4 values; for one of them write g.b(1)=...");
    check_set("", "g.k=1,2,3", NULL,
              "--set g.k=1,2,3: error: g.k takes 4 values; for one of them write g.k(1)=...");
    check_set("", "g.s=out/run 1, a!", "s", "'out/run 1, a!'");
    check_set("", "g.s='it''s'", "s", "'it''s'");
    check_set("", "g.s=", "s", "''");
    check_set("", "g.c=blue,red,green", "c", "'blue','red','green'");
    check_set("", "g.c(2)='blue'", "c", "'red','blue','red'");
    check_set("", "g.q=a/b,2", "q", "'a/b','2'");
    check_set("", "g.t=01:00:00", "t", "'01:00:00'");
    check_set("", "g.l=T", "l", ".true.");
    check_set("", "g.x = 1d3", "x", "1000");
    check_set("", "g.i=x", NULL, "--set g.i=x: error: g.i takes an integer, not 'x'");
    check_set("", "g.ii=1", NULL, "--set g.ii=1: error: 'ii' is not known in group g, did you mean 'i'?");
    check_set("", "gg.i=1", NULL, "--set gg.i=1: error: group 'gg' is not known, did you mean 'g'?");
    check_set("", "g.i", NULL, "--set g.i: error: group.name=value is expected");
    check_set("", "i=1", NULL, "--set i=1: error: group.name=value is expected");
    check_set("", "", NULL, "--set : error: group.name=value is expected");
    check_set("", "g.i=1 x=2", NULL, "--set g.i=1 x=2: error: g.i takes 1 value here; 'x=2' is one too many");
    check_set("", "g.i=1/", NULL, "--set g.i=1/: error: g.i takes an integer, not '1/'");
    check_set("", "g.i=", NULL, "--set g.i=: error: g.i is given no value");
    check_set(
        "&g i=x /", "g.t=5", NULL,
        "f:1:6: error: g.i takes an integer, not 'x'\n--set g.t=5: error: g.t takes 'hh:mm:ss', not '5'");
    const char *const twice[] = {"g.i=1", "g.i=2"};
    assert_int_equal(parse("", 0, twice, 2), KOL_ERR_INPUT);
    assert_string_equal(status_message(), "--set g.i=2: error: g.i is set twice by --set; remove one");
}

/* A zero byte must end nothing early: not the text, not a word. */
static void test_zero_bytes(void **state)
{
    (void)state;
    const char zero[] = "&g i=1\0 x=\0/ \0\n\0&h m=1";
    assert_int_equal(parse(zero, sizeof zero - 1, NULL, 0), KOL_ERR_INPUT);
    assert_string_equal(
        status_message(),
        "f:1:6: error: a zero byte stands here; the file must be plain text\nf:1:11: error: a zero byte "
        "stands here; the file must be plain text\nf:2:1: error: this text stands outside a group; begin a "
        "comment with '!'\nf:2:2: error: group &h is not closed; end it with '/'");
    assert_string_equal(reading.warnings, "f:1:14: warning: text after the '/' of a group is ignored\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_subscripts),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_texts),
        cmocka_unit_test(test_groups),      cmocka_unit_test(test_text_after_group),
        cmocka_unit_test(test_many_faults), cmocka_unit_test(test_set),
        cmocka_unit_test(test_zero_bytes),
    };
    return cmocka_run_group_tests_name("namelist", tests, NULL, NULL);
}
