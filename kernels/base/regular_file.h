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
/* regular_file_stream: the same as a stream of this mode of fopen(), which the flags must fit; or NULL. */
FILE *regular_file_stream(const char *path, int flags, const char *mode, const char **why);
/* regular_file_or_pipe: the same for reading, but a pipe is opened, too; *is_pipe: whether it is one. Reads
 * from it do not wait. */
int regular_file_or_pipe(const char *path, int *is_pipe, const char **why);

KOL_END_C

#endif
