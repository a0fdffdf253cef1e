/* Fills the letters of a flow's directions into patterns of names. */
#include "pattern_names.h"

#include <string.h>

static char letter(const int direction[3], char of)
{
    const int along = direction[of == 'A' || of == '1' ? 0 : of == 'B' || of == '2' ? 1 : 2];
    return of >= 'A' ? "uvw"[along] : "xyz"[along];
}

void pattern_names_fill(const int direction[3], const char *pattern, char *out, size_t size)
{
    size_t n = 0;
    for (; *pattern != '\0' && n + 1 < size; ++pattern) {
        if (*pattern == '%') out[n++] = letter(direction, *++pattern);
        else if (*pattern == '^' && pattern[1] >= 'A')
            out[n++] = (char)(letter(direction, *++pattern) - 'u' + 'U');
        else out[n++] = *pattern;
    }
    out[n] = '\0';
    for (size_t i = 1; i < n && strchr("uvw", out[0]) && strchr("uvw", out[i]); ++i) {
        const char moved = out[i];
        size_t to = i;
        for (; to > 0 && out[to - 1] > moved; --to) out[to] = out[to - 1];
        out[to] = moved;
    }
}
