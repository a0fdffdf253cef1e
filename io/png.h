/* Writes pictures as PNG files, without compression and without a library. */
#ifndef KOL_IO_PNG_H
#define KOL_IO_PNG_H

#include "kernels/base/status.h"

/* png_write: writes a picture of width * height points, three bytes each (red, green, blue), the upper row
 * first. A file of this name is replaced. Returns KOL_ERR_IO if it can't be written. Not collective. */
kol_status png_write(const char *path, int width, int height, const unsigned char *rgb);

#endif
