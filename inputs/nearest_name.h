/* Finds the known name that is nearest to a misspelt one, for "did you mean". Private to inputs/. */
#ifndef KOL_NEAREST_NAME_H
#define KOL_NEAREST_NAME_H

#include "table.h"

/* Each of these returns an index, or -1 if no known name is near enough to be the one that was meant. Upper
 * and lower case are the same.
 *
 *   nearest_group      Index of the first variable of the nearest group. Words that other codes use for the
 *                      same group are known, too.
 *   nearest_variable   Index of the nearest variable of a group.
 *   nearest_choice     Index of the nearest of the names of a choice, a list that ends with NULL. Words that
 *                      other codes use for the same thing are known, too. */
int nearest_group(const struct variable *table, int count, const char *group);
int nearest_variable(const struct variable *table, int count, const char *group, const char *name);
int nearest_choice(const char *const *names, const char *name);

/* differs_by_last_letter: returns whether one word is the other one without its last letter, as the singular
 * of a plural is. Words of fewer than four letters are too short to tell. */
int differs_by_last_letter(const char *known, const char *written);

/* group_instead: returns a sentence about what Kolmo has instead of a group of other codes that it lacks,
 * such as 'les'; for messages. It returns NULL if the group is not known from another code. */
const char *group_instead(const char *group);

#endif
