/* Reads the words that say what slices and boxes hold. */
#include "quantities.h"

#include <string.h>
#include <strings.h>

/* Names in the order of the enum. */
static const char *const NAMES[QUANTITIES] = {"velocity", "pressure", "vorticity", "q", "lambda2"};

const char *quantity_name(enum quantity q)
{
    return NAMES[q];
}

int quantity_components(enum quantity q)
{
    return q == QUANTITY_VELOCITY || q == QUANTITY_VORTICITY ? 3 : 1;
}

static unsigned bit_of(const char *word, size_t length)
{
    for (int q = 0; q < QUANTITIES; ++q)
        if (strlen(NAMES[q]) == length && strncasecmp(NAMES[q], word, length) == 0) return 1u << q;
    return 0;
}

unsigned quantities_read(const char *text, const char **word, size_t *length)
{
    static const char BETWEEN[] = " ,\t";
    unsigned all = 0;
    for (*word = text;; *word += *length) {
        *word += strspn(*word, BETWEEN);
        *length = strcspn(*word, BETWEEN);
        if (*length == 0) return all;
        const unsigned bit = bit_of(*word, *length);
        if (bit == 0 || (all & bit) != 0) return 0;
        all |= bit;
    }
}
