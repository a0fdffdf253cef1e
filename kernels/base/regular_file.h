/* Opens files that have to be regular ones: to open a pipe waits for its other end, and to open a device may
 * do anything. */
#ifndef KOL_BASE_REGULAR_FILE_H
#define KOL_BASE_REGULAR_FILE_H

#include <stdio.h>
#include "types.h"

KOL_BEGIN_C

/* regular_file_open: opens a file with these flags of open(); O_CLOEXEC is added, and a file that is created
 * gets the usual permissions. Returns the descriptor, or -1 without delay if the file can't be opened or is
 * no regular file; *why then says so ("it is a pipe, and a regular file is needed"), and errno is set. */
int regular_file_open(const char *path, int flags, const char **why);
/* regular_file_stream: opens a file in the same way and returns it as a stream, or NULL. mode: as for
 * fopen(); the flags must fit it. */
FILE *regular_file_stream(const char *path, int flags, const char *mode, const char **why);
/* regular_file_or_pipe: opens a file or a pipe for reading, and returns its descriptor or -1, as
 * regular_file_open does. *is_pipe: whether it is a pipe. Reads from a pipe do not wait. */
int regular_file_or_pipe(const char *path, int *is_pipe, const char **why);

KOL_END_C

#endif
