/* Keeps measured launch shapes for later runs, in a text file. It has one line for each device,
 * arithmetic and size, for example
 *
 *   NVIDIA H200 | double | 512 512 512 | momentum_rhs = 32x8x32, momentum_stage = 32x8x16
 *
 * Empty lines, and comments that begin with #, are skipped. Not collective. */
#ifndef KOL_IO_TUNING_FILE_H
#define KOL_IO_TUNING_FILE_H

#include "disk.h"

enum {
    TUNING_DEVICE = 128,
    TUNING_NAME = 32,
    TUNING_CHOICES = 32
}; /* bytes, zero included; kernels of a line */

/* tuning_entry: a line. Names have no blanks, commas, '=' or '|'. The device has no '|', and no blanks at
 * its ends. */
struct tuning_entry {
    char device[TUNING_DEVICE], real[TUNING_NAME];
    int n[3];
    int choices;
    struct {
        char kernel[TUNING_NAME], shape[TUNING_NAME];
    } choice[TUNING_CHOICES];
};

/* tuning_file_path: returns the given path. If that is "", it is kolmo/tuning.txt in $XDG_CACHE_HOME or
 * in $HOME/.cache; "" if neither is set. */
kol_status tuning_file_path(const char *given, char path[DISK_PATH]);
/* tuning_file_find: reads the choices of the last line with the device, real and n of e. *found: whether
 * there is one. A missing file counts as empty. *damaged: the number of lines that are not of this form;
 * they are passed over. KOL_ERR_IO if the file can't be read. */
kol_status tuning_file_find(const char *path, struct tuning_entry *e, int *found, int *damaged);
/* tuning_file_keep: writes e into the file, in place of the line with the same device, real and n; other
 * lines stay. Missing folders are made. The file is written under a temporary name, which is removed if
 * that fails. If a line is damaged, it returns KOL_ERR_IO, "FILE is not a tuning file (line N)", and
 * leaves the file as it is, for it may be another one that was given by mistake. */
kol_status tuning_file_keep(const char *path, const struct tuning_entry *e);

#endif
