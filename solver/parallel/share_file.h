/* Text files that rank 0 reads and sends to all ranks: the input itself and the small files that it names. */
#ifndef KOL_PARALLEL_SHARE_FILE_H
#define KOL_PARALLEL_SHARE_FILE_H

#include "inputs/namelist.h"
#include "comm.h"

/* share_file_text: rank 0 reads a file and sends it to all ranks.
 *
 *   by     the input that names the file, for messages
 *   text   out: the bytes of the file, with a zero after them; the caller frees it with free()
 *
 * If the file can't be read: KOL_ERR_INPUT on all ranks. Collective. */
kol_status share_file_text(const struct comm *c, const char *name, const struct input_place *by, char **text);

/* share_file_bytes: does the same for a file of any bytes, and for larger files than an input may be. A file
 * that the memory of this host can't hold once for each rank is refused before it is read.
 *
 *   bytes    out: as text above
 *   length   out: their number */
kol_status share_file_bytes(const struct comm *c, const char *name, const struct input_place *by,
                            char **bytes, size_t *length);
/* share_file_long_text: does the same for a text. A zero byte in it is refused, because the text behind it
 * would not be read. */
kol_status share_file_long_text(const struct comm *c, const char *name, const struct input_place *by,
                                char **text, size_t *length);

/* share_file_case: rank 0 reads the input file and sends its bytes, so that every rank finds the same faults
 * in it. The caller frees *text with free(). If the file can't be read: KOL_ERR_INPUT on all ranks.
 * Collective. */
kol_status share_file_case(const struct comm *c, const char *path, char **text, size_t *bytes);

/* share_file_numbers: reads `count` finite numbers from a line of such a file. Returns 1 if the line holds
 * them and no more than a comment after #; 0 if it is blank or a comment; -1 otherwise. */
int share_file_numbers(const char *line, int count, double *value);

#endif
