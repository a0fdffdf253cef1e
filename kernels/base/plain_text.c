/* Escapes what a terminal would obey, or can't show. */
#include "plain_text.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the character that begins here; 0: it is none, or one that is not to be printed. */
static size_t printable(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return (c[0] >= 0x20 && c[0] != 0x7f) || c[0] == '\n' || c[0] == '\t';
    const size_t bytes = c[0] >= 0xc2 && c[0] <= 0xdf   ? 2
                         : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                         : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                        : 0;
    for (size_t i = 1; i < bytes; ++i)
        if ((c[i] & 0xc0) != 0x80) return 0;
    const int control = c[0] == 0xc2 && c[1] < 0xa0;                /* of the second set of controls */
    const int too_long = c[0] == 0xe0 && bytes == 3 && c[1] < 0xa0; /* a shorter form means the same */
    const int half = c[0] == 0xed && bytes == 3 && c[1] > 0x9f;     /* of a pair in another encoding */
    const int beyond =
        (c[0] == 0xf0 && bytes == 4 && c[1] < 0x90) || (c[0] == 0xf4 && bytes == 4 && c[1] > 0x8f);
    return control || too_long || half || beyond ? 0 : bytes;
}

void plain_text(char *text, size_t size)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        const size_t bytes = printable(text + at);
        char code[5];
        if (bytes > 0) {
            at += bytes;
            continue;
        }
        snprintf(code, sizeof code, "\\x%02x", (unsigned char)text[at]);
        if (at + 4 >= size) {
            text[at] = '\0';
            return;
        }
        size_t rest = length - at - 1;
        if (at + 4 + rest >= size) rest = size - at - 5;
        memmove(text + at + 4, text + at + 1, rest);
        memcpy(text + at, code, 4);
        at += 4;
        length = at + rest;
        text[length] = '\0';
    }
}
