/* Numbers in a line of a text file. */
#ifndef KOL_BODIES_TEXT_NUMBERS_H
#define KOL_BODIES_TEXT_NUMBERS_H

/* text_numbers: reads the numbers of a line, divided by blanks or commas, up to its end or a #. Returns how
 * many there are, or -1 if there are more than `most`, or anything else. */
int text_numbers(const char *text, int most, double *value);

#endif
