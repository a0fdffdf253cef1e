/* Reads the words that say what slices and boxes hold. */
#include "quantities.h"

#include <string.h>
#include <strings.h>
#include "scalars.h"

/* Names in the order of the enum. */
static const char *const NAMES[QUANTITY_SCALAR] = {"velocity", "pressure", "vorticity", "q", "lambda2"};

const char *quantity_name(const struct input *in, enum quantity q)
{
    const int n = (int)q - (int)QUANTITY_SCALAR;
    return n < 0 ? NAMES[q] : n < scalar_count(in) ? in->scalars.name[n] : "";
}

int quantity_components(enum quantity q)
{
    return q == QUANTITY_VELOCITY || q == QUANTITY_VORTICITY ? 3 : 1;
}

static unsigned bit_of(const struct input *in, const char *word, size_t length)
{
    for (int q = 0; q < QUANTITIES; ++q) {
        const char *name = quantity_name(in, (enum quantity)q);
        if (strlen(name) == length && strncasecmp(name, word, length) == 0) return 1u << q;
    }
    return 0;
}

unsigned quantities_read(const struct input *in, const char *text, const char **word, size_t *length)
{
    static const char BETWEEN[] = " ,\t";
    unsigned all = 0;
    for (*word = text;; *word += *length) {
        *word += strspn(*word, BETWEEN);
        *length = strcspn(*word, BETWEEN);
        if (*length == 0) return all;
        const unsigned bit = bit_of(in, *word, *length);
        if (bit == 0 || (all & bit) != 0) return 0;
        all |= bit;
    }
}
