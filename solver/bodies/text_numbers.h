/* Numbers in a line of a text file. */
#ifndef KOL_BODIES_TEXT_NUMBERS_H
#define KOL_BODIES_TEXT_NUMBERS_H

/* text_numbers: reads the numbers of a line up to its end or a #. Blanks or commas separate them. Returns how
 * many there are. Returns -1 if there are more than `most`, or if the line has anything but numbers. */
int text_numbers(const char *text, int most, double *value);

#endif
