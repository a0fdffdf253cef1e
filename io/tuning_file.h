/* Launch shapes that were measured, kept for later runs in a text file: one line for each device, arithmetic
 * and size, NVIDIA H200 | double | 512 512 512 | momentum_rhs = 32x8x32, momentum_stage = 32x8x16 Empty lines
 * and comments from # on are let be. Not collective. */
#ifndef KOL_IO_TUNING_FILE_H
#define KOL_IO_TUNING_FILE_H

#include "disk.h"

enum {
    TUNING_DEVICE = 128,
    TUNING_NAME = 32,
    TUNING_CHOICES = 32
}; /* bytes, zero included; kernels of a line */

/* tuning_entry: a line. Names hold no blanks, commas, '=' or '|'; the device no '|', and no blanks at its
 * ends. */
struct tuning_entry {
    char device[TUNING_DEVICE], real[TUNING_NAME];
    int n[3];
    int choices;
    struct {
        char kernel[TUNING_NAME], shape[TUNING_NAME];
    } choice[TUNING_CHOICES];
};

/* tuning_file_path: the given one; where that is "", kolmo/tuning.txt in $XDG_CACHE_HOME or in $HOME/.cache;
 * "" where neither is set. */
kol_status tuning_file_path(const char *given, char path[DISK_PATH]);
/* tuning_file_find: the choices of the last line with e's device, real and n; *found: whether there is one;
 * no file is an empty file. *damaged: how many lines are no such lines: they are passed over. KOL_ERR_IO
 * where the file can't be read. */
kol_status tuning_file_find(const char *path, struct tuning_entry *e, int *found, int *damaged);
/* tuning_file_keep: e into the file, in place of what it holds for the same device, real and n; other lines
 * stay. Folders are made. Written under a temporary name, which goes too if that fails. KOL_ERR_IO, "FILE is
 * not a tuning file (line N)", where a line is damaged: the file is left as it is, for it may be another,
 * given by mistake. */
kol_status tuning_file_keep(const char *path, const struct tuning_entry *e);

#endif
