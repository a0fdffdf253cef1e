/* Reads the numbers of a line of text. */
#include "text_numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

int text_numbers(const char *text, int most, double *value)
{
    int count = 0;
    for (;;) {
        char *rest;
        while (isspace((unsigned char)*text) || *text == ',') ++text;
        if (*text == '\0' || *text == '#') return count;
        const double x = strtod(text, &rest);
        if (rest == text || !isfinite(x) || count == most) return -1;
        if (*rest != '\0' && *rest != ',' && *rest != '#' && !isspace((unsigned char)*rest)) return -1;
        value[count++] = x;
        text = rest;
    }
}
