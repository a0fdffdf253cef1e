/* Reads namelist files with the reader of inputs/ and prints the values. The names of the files come from
 * standard input, one on each line. differential.f90 does the same with the reader of Fortran, so that the
 * two outputs can be compared line by line. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/namelist.h"
#include "inputs/parse.h"

struct data {
    int i, k[4], a[4], l, m[3];
    double x, y[3];
    char s[INPUT_TEXT], q[2][INPUT_TEXT];
};

#define WIDE      .low = -HUGE_VAL, .high = HUGE_VAL
#define MEMBER(m) .group = "g", .name = #m, .offset = offsetof(struct data, m), .unit = "-", .help = ""

static const struct variable table[] = {
    {MEMBER(i), .type = TYPE_INT, .preset = "9", WIDE},
    {MEMBER(k), .type = TYPE_INT, .shape = {4, 0}, .preset = "9", WIDE},
    {MEMBER(a), .type = TYPE_INT, .shape = {2, 2}, .preset = "9", WIDE},
    {MEMBER(x), .type = TYPE_REAL, .preset = "9", WIDE},
    {MEMBER(y), .type = TYPE_REAL, .shape = {3, 0}, .preset = "9", WIDE},
    {MEMBER(l), .type = TYPE_LOGICAL, .preset = ".false."},
    {MEMBER(m), .type = TYPE_LOGICAL, .shape = {3, 0}, .preset = ".true."},
    {MEMBER(s), .type = TYPE_TEXT, .preset = "old", .high = INPUT_TEXT - 1},
    {MEMBER(q), .type = TYPE_TEXT, .shape = {2, 0}, .preset = "old", .high = INPUT_TEXT - 1},
};

static void put_int(int value)
{
    printf(" %d", value);
}

static void put_real(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    printf(" %016" PRIX64, bits);
}

static void put_text(const char *value)
{
    size_t length = strlen(value);
    while (length > 0 && value[length - 1] == ' ') --length;
    printf(" x");
    for (size_t n = 0; n < length; ++n) printf("%02X", (unsigned)(unsigned char)value[n]);
}

static void put(const struct data *d)
{
    printf("read");
    put_int(d->i);
    for (int n = 0; n < 4; ++n) put_int(d->k[n]);
    for (int n = 0; n < 4; ++n) put_int(d->a[n]);
    put_real(d->x);
    for (int n = 0; n < 3; ++n) put_real(d->y[n]);
    printf(" %c", d->l ? 'T' : 'F');
    for (int n = 0; n < 3; ++n) printf(" %c", d->m[n] ? 'T' : 'F');
    put_text(d->s);
    for (int n = 0; n < 2; ++n) put_text(d->q[n]);
    printf("\n");
}

int main(void)
{
    static struct reading reading;
    static struct data data;
    char path[1000];
    while (fgets(path, sizeof path, stdin)) {
        char *text;
        size_t length;
        path[strcspn(path, "\n")] = '\0';
        status_clear();
        if (input_load(path, 0, &text, &length) != KOL_OK) return 1;
        memset(&data, 0, sizeof data);
        reading_start(&reading, "f", table, sizeof table / sizeof table[0], &data);
        parse_file(&reading, text, length);
        free(text);
        if (faults_raise(&reading.faults, "f", NULL) == KOL_OK) {
            put(&data);
            continue;
        }
        printf("refused %.*s\n", (int)strcspn(status_message(), "\n"), status_message());
    }
    return 0;
}
