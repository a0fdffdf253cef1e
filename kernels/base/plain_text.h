/* Makes text from files and command lines fit for a terminal. */
#ifndef KOL_BASE_PLAIN_TEXT_H
#define KOL_BASE_PLAIN_TEXT_H

#include <stddef.h>
#include "types.h"

KOL_BEGIN_C

/* plain_text: writes control characters, other than newline and tab, and bytes that are no UTF-8 as \x1b, in
 * place. What then exceeds `size` bytes, terminating zero included, is cut off. */
void plain_text(char *text, size_t size);

KOL_END_C

#endif
